//! Whatever is in a struct comes back; whatever is in a stream, reading ends with a value or an error.

use std::fmt::Debug;

use dudley::ndarray::{Array2, Array3};
use dudley::num_complex::Complex;
use dudley::structs::Parts as _;
use dudley::{ByteOrder, Dudley, Open, Stream};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Dudley)]
#[repr(i32)]
enum Kind {
    Low = i32::MIN,
    Zero = 0,
    One = 1,
}

#[derive(Clone, Copy, Debug, PartialEq, Dudley)]
#[dudley(record)]
struct Cell {
    kind: Kind,
    values: [[i16; 2]; 2],
    big: u64,
    flag: bool,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
struct Block {
    name: String,
    cells: Vec<Cell>,
    parent: Option<u8>,
    children: Vec<Leaf>,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
struct Leaf {
    words: Vec<String>,
    plane: Option<Vec<[u16; 3]>>,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
struct Everything {
    rho: Array2<i64>,
    cube: Array3<bool>,
    z: Vec<Complex<f32>>,
    kinds: Vec<Kind>,
    sizes: Vec<usize>,
    maybe: Option<Array2<u32>>,
    inner: Block,
    optional: Option<Block>,
    blocks: Vec<Block>,
    text: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
#[dudley(order = "big")]
struct Shared {
    #[dudley(param)]
    extra: i8,
    imax: u16,
    #[dudley(shape = "JMAX-, imax")]
    a: Array2<u16>,
    #[dudley(shape = "imax, JMAX")]
    b: Array2<i32>,
    #[dudley(shape = "THERE, JMAX")]
    c: Option<Vec<u8>>,
    #[dudley(shape = "THERE")]
    d: Option<f64>,
    #[dudley(shape = "imax")]
    e: Vec<Leaf>,
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(Kind::Low), Just(Kind::Zero), Just(Kind::One)]
}

fn cell() -> impl Strategy<Value = Cell> {
    (kind(), any::<[[i16; 2]; 2]>(), any::<u64>(), any::<bool>())
        .prop_map(|(kind, values, big, flag)| Cell { kind, values, big, flag })
}

/// NULs at the end are padding in a stream, and refused.
fn text() -> impl Strategy<Value = String> {
    any::<String>().prop_map(|text| text.trim_end_matches('\0').to_owned())
}

fn some<T: Debug + Clone>(one: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
    prop::collection::vec(one, 0..4)
}

fn maybe<T: Debug + Clone>(one: impl Strategy<Value = T>) -> impl Strategy<Value = Option<T>> {
    prop::option::of(one)
}

fn leaf() -> impl Strategy<Value = Leaf> {
    (some(text()), maybe(some(any::<[u16; 3]>()))).prop_map(|(words, plane)| Leaf { words, plane })
}

fn block() -> impl Strategy<Value = Block> {
    (text(), some(cell()), maybe(any::<u8>()), some(leaf()))
        .prop_map(|(name, cells, parent, children)| Block { name, cells, parent, children })
}

fn plane<T: Debug + Clone + Arbitrary>() -> impl Strategy<Value = Array2<T>> {
    (0..4_usize, 0..4_usize).prop_flat_map(|(rows, columns)| exact(rows, columns))
}

fn exact<T: Debug + Clone + Arbitrary>(
    rows: usize,
    columns: usize,
) -> impl Strategy<Value = Array2<T>> {
    let values = prop::collection::vec(any::<T>(), rows * columns);
    values.prop_map(move |values| {
        Array2::from_shape_vec((rows, columns), values).expect("so many values")
    })
}

prop_compose! {
    fn everything()(
        rho in plane(),
        cube in any::<[bool; 12]>(),
        z in some((-9.0_f32..9.0, -9.0_f32..9.0).prop_map(|(re, im)| Complex::new(re, im))),
        kinds in some(kind()),
        sizes in some(any::<usize>()),
        maybe in maybe(plane()),
        inner in block(),
        optional in prop::option::of(block()),
        blocks in some(block()),
        text in prop::option::of(text()),
    ) -> Everything {
        let cube = Array3::from_shape_vec((2, 3, 2), cube.to_vec()).expect("so many values");
        Everything { rho, cube, z, kinds, sizes, maybe, inner, optional, blocks, text }
    }
}

prop_compose! {
    fn shared()(imax in 0..4_u16, jmax in 1..4_usize)(
        extra in -1..3_i8,
        a in exact(jmax - 1, usize::from(imax)),
        b in exact(usize::from(imax), jmax),
        there in maybe((prop::collection::vec(any::<u8>(), jmax), -9.0..9.0)),
        e in prop::collection::vec(leaf(), usize::from(imax)),
        imax in Just(imax),
    ) -> Shared {
        let (c, d) = there.unzip();
        Shared { extra, imax, a, b, c, d, e }
    }
}

fn comes_back<T: Dudley + PartialEq + Debug>(value: &T, order: ByteOrder, raw: bool) {
    let mut writer = value.writer().expect("given").order(order);
    if raw {
        writer = writer.raw();
    }
    let bytes = writer.to_bytes().expect("written");
    let mut open = Open::new().order(order);
    if raw {
        open = open.raw().layout(T::layout().expect("a layout"));
    }
    let read = T::from_stream(&open.bytes(bytes).expect("opened")).expect("read");
    assert_eq!(read, *value);
}

fn orders() -> impl Strategy<Value = ByteOrder> {
    prop_oneof![Just(ByteOrder::Little), Just(ByteOrder::Big)]
}

proptest! {
    #[test]
    fn everything_comes_back(value in everything(), order in orders(), raw in any::<bool>()) {
        comes_back(&value, order, raw);
    }

    #[test]
    fn shared_params_come_back(value in shared(), order in orders(), raw in any::<bool>()) {
        comes_back(&value, order, raw);
    }

    #[test]
    fn damaged_streams_end_with_a_value_or_an_error(
        value in everything(),
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), 0..8_u8), 0..4),
    ) {
        let mut bytes = value.writer().expect("given").raw().to_bytes().expect("written");
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        bytes.truncate(cut.index(bytes.len() + 1));
        let open = Open::new().raw().layout(Everything::layout().expect("a layout"));
        let stream: Stream = open.bytes(bytes).expect("opened");
        let _ = Everything::from_stream(&stream);
        let parts = <Everything as Dudley>::Parts::of(stream.root());
        let _ = parts.rho();
        if let Ok(blocks) = parts.blocks() && let Ok(last) = blocks.get(1) {
            let _ = last.children().and_then(|children| children.read(0));
        }
    }
}
