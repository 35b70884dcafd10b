//! What no string and no number gives back: units that mean nothing, NaNs of another kind. Structs of varying size
//! hold it as records do, and it is written as it was.

use dudley::ndarray::Array1;
use dudley::typed::{Create, Inspect, Transfer};
use dudley::{ByteOrder, Open};

dudley::layout!(mod odd = r#"
cell {a = U1[3]  b = >U2[2]  c = c8  d = u1 %1}
part {n : u1  label = U1[3]  z = >c8[2] %1  cells = cell[n] %1}
parts = part[2] %1
cells = cell[1] %1
"#, transfer);

/// Two bytes that are no UTF-8, half of a pair, and NaNs with bits of their own.
fn cell(order: ByteOrder) -> Vec<u8> {
    let float = |bits: u32| match order {
        ByteOrder::Little => bits.to_le_bytes(),
        ByteOrder::Big => bits.to_be_bytes(),
    };
    let text = [b'a', 0xff, 0xfe, 0, 0xd8, 0x01, 0, b'x'];
    [&text[..], &float(0x7fc0_0123), &float(0x3f80_0000), &[7, 0, 0, 0, 0, 0, 0, 0]].concat()
}

fn stream(order: ByteOrder, label: &[u8; 3]) -> Vec<u8> {
    let z = [0x7f, 0xc0, 1, 2, 0, 0, 0, 0, 0x40, 0, 0, 0, 0xff, 0xc0, 0, 5];
    let part = |n: u8| [&[n], &label[..], &z, &cell(order).repeat(n.into())].concat();
    [part(1), part(0), cell(order)].concat()
}

fn opened(order: ByteOrder, bytes: &[u8]) -> odd::Reader {
    let open = Open::new().raw().order(order);
    odd::Reader::from_open(open, |open: Open| open.bytes(bytes.to_vec())).expect("a stream")
}

#[test]
fn units_and_nans_are_written_as_they_were_read() {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let bytes = stream(order, b"ab\0");
        let reader = opened(order, &bytes);
        let parts = reader.parts().read().expect("there");
        assert_eq!(parts[0].label, "ab");
        assert_eq!(parts[0].cells[0].a.units(), &[b'a', 0xff, 0xfe]);
        assert_eq!(parts[0].cells[0].b.units(), &[0xd801, u16::from(b'x')]);
        assert_eq!(parts[0].cells[0].c.re.to_bits(), 0x7fc0_0123);
        assert_eq!(parts[1].z[1].im.to_bits(), 0xffc0_0005);
        let cells: Array1<odd::Cell> = reader.cells().read().expect("there");
        assert_eq!(cells[0].a, parts[0].cells[0].a);
        let create = Create::new().raw().order(order).attach(false);
        let writer = create.memory::<odd::Layout>(&odd::Params::default()).expect("params");
        reader.transfer(&writer).expect("all of it");
        assert_eq!(writer.finish_bytes().expect("complete"), bytes);
        reader.inspect(&mut |path, value| assert!(value.is_ok(), "{path}: {value:?}"));
    }
}

/// A string cannot hold it: it is shown, and cannot be written.
#[test]
fn units_of_strings_that_mean_nothing_are_replaced() {
    let reader = opened(ByteOrder::Little, &stream(ByteOrder::Little, b"\x80b\x80"));
    let parts = reader.parts().read().expect("there");
    assert_eq!(parts[0].label, "\u{fffd}b\u{fffd}");
}
