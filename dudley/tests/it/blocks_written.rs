//! Arrays that are given whole and stored in blocks (spec 7.5): as plain arrays have them, read partly and whole.

use dudley::ndarray::{ArrayD, IxDyn};
use dudley::read::slice::Index;
use dudley::{Error, Open, Result, Stream, Value, Writer, parse_layout};
use proptest::prelude::*;

fn values(shape: &[usize]) -> ArrayD<f32> {
    let mut next = 0;
    ArrayD::from_shape_fn(IxDyn(shape), |_| {
        next += 7;
        (next % 251) as f32
    })
}

fn nested(values: &ArrayD<f32>) -> Value {
    if values.ndim() == 0 {
        return Value::Float(values.iter().next().copied().unwrap_or_default().into());
    }
    Value::Array(values.outer_iter().map(|row| nested(&row.to_owned())).collect())
}

fn stream(layout: &str, rho: &ArrayD<f32>, as_value: bool) -> Result<Stream> {
    let writer = Writer::new(parse_layout(layout.as_bytes())?).attach(true);
    let length = rho.shape().first().copied().unwrap_or(0);
    let writer = writer.param("/N", length as i64);
    let writer = if as_value { writer.put("/rho", nested(rho)) } else { writer.put("/rho", rho) };
    Open::new().bytes(writer.put("/after", 8_u16).to_bytes()?)
}

proptest! {
    #[test]
    fn chunks_have_what_a_plain_array_has(
        dims in proptest::collection::vec((0..7_usize, 1..5_usize), 1..4),
        filter in prop_oneof![Just(""), Just(" -> zlib")],
        place in prop_oneof![Just(""), Just(" @64"), Just(" %16")],
        order in prop_oneof![Just(""), Just("<"), Just(">")],
        as_value in any::<bool>(),
        picks in proptest::collection::vec((-7..7_i64, -7..7_i64, 1..3_i64), 3),
    ) {
        let (shape, chunks): (Vec<usize>, Vec<usize>) = dims.into_iter().unzip();
        let mut written: Vec<String> = shape.iter().map(usize::to_string).collect();
        written[0] = "N".to_owned();
        let written = written.join(", ");
        let rho = values(&shape);
        let layout = |said: &str| format!(
            "N : i4\nrho = {order}f4[{written}]{filter}{place}  ## (g/cc) density\n{said}after = u2\n"
        );
        let plain = stream(&layout(""), &rho, as_value).expect("written");
        let chunked = stream(&layout(&format!("  #: chunks = {chunks:?}\n")), &rho, as_value);
        let chunked = chunked.expect("written");
        let [plain, found] = [&plain, &chunked].map(|it| it.get("/rho").expect("there"));
        prop_assert_eq!(found.unit(), plain.unit());
        prop_assert!(found.doc().eq(plain.doc()));
        let [plain, found] = [plain, found].map(|it| it.data().expect("an array"));
        prop_assert_eq!(found.raw().expect("read"), plain.raw().expect("read"));
        prop_assert_eq!(&found.read::<f32>().expect("read"), &rho);
        let count: usize = shape.iter().zip(&chunks).map(|(dim, chunk)| dim.div_ceil(*chunk)).product();
        prop_assert_eq!(found.blocks().expect("in blocks").count, count as u64);
        let ranges: Vec<Index> = picks.iter().take(shape.len())
            .map(|(start, stop, step)| Index::Range { start: Some(*start), stop: Some(*stop), step: *step })
            .collect();
        let [one, other] = [&plain, &found].map(|it| it.slice(&ranges).expect("a slice").read::<f32>());
        prop_assert_eq!(one.expect("read"), other.expect("read"));
        prop_assert_eq!(chunked.get("/after").expect("there").scalar::<u16>().expect("read"), 8);
    }
}

#[test]
fn blocks_are_cut_out_of_what_is_given_whole() {
    let layout = "x [u1[2, 2], u1[2, 1], u1[0, 2], u1[1, 1]]  #: whole = [3, 3], fill = 46
y [u1[2]
#: start = [3]
, u1[3]]  #: whole = [5]";
    let write = |x: &[u8], y: &[u8]| {
        let x = dudley::ndarray::ArrayView::from_shape((3, 3), x).expect("nine");
        let writer = Writer::new(parse_layout(layout.as_bytes())?).raw();
        writer.put("/x", &x).put("/y", y).to_bytes()
    };
    assert!(parse_layout(layout.as_bytes()).is_ok());
    let found = write(b"abcdef..i", b"12345");
    // The second block of `y` stands on the grid of the first, where none is left for it.
    assert!(found.expect_err("they overlap").to_string().contains("overlap"));
    let layout = layout.replace(", u1[3]]", ", u1[3]\n#: start = [0]\n]");
    let write = |x: &[u8]| {
        let x = dudley::ndarray::ArrayView::from_shape((3, 3), x).expect("nine");
        let writer = Writer::new(parse_layout(layout.as_bytes())?).raw();
        writer.put("/x", &x).put("/y", &b"12345"[..]).to_bytes()
    };
    assert_eq!(write(b"abcdef..i").expect("written"), b"abdecfi45123");
    // No block has the element that is not what fills.
    let error = write(b"abcdef.hi").expect_err("lost").to_string();
    assert!(error.contains("/x") && error.contains("a block is missing"), "{error}");
}

#[test]
fn blocks_may_be_given_by_themselves() {
    let layout = "x [u1[2], u1[2]]  #: whole = [3]";
    let writer = Writer::new(parse_layout(layout.as_bytes()).expect("a layout")).raw();
    let bytes = writer.put("/x/0", &b"ab"[..]).put("/x/1", &b"cd"[..]).to_bytes();
    assert_eq!(bytes.expect("written"), b"abcd");
}

#[test]
fn what_is_not_stored_is_an_error() {
    let rho = values(&[5]);
    for (layout, said) in [
        ("N : i4  rho [f4[2]]*2  after = u2  #: x\n/rho[0]  #: whole = [5]", "blocks for all of 5"),
        ("N : i4  rho [f4[2]]*3  #: whole = [6]\nafter = u2", "shape"),
        ("N : i4  rho [f4[2]]*0  #: whole = [0]\nafter = u2", "no blocks"),
        ("N : i4  rho = f4[5]  #: chunks = [2, 2]\nafter = u2", "for each of 1 dimensions"),
        ("N : i4  rho = f4[5]  #: chunks = [0]\nafter = u2", "from 1 on"),
        ("N : i4  rho = f4[5]  #: chunks = 2\nafter = u2", "list of integers"),
        ("N : i4  rho = f4[5] -> zlib[N]  #: chunks = [2]\nafter = u2", "number of stored bytes"),
        ("N : i4  rho = f4[5, 2]  #: chunks = [2, 2], order = \"F\"\nafter = u2", "`order`"),
        (
            "N : i4  T {a = f4[2]  #: chunks = [1]\n}  rho = f4[5]  t = T[0]  after = u2",
            "dicts and lists",
        ),
    ] {
        let error = stream(layout, &rho, false).expect_err(layout).to_string();
        assert!(error.contains(said), "{layout}: {error}");
    }
    let layout = parse_layout(b"N : i4  rho = f4[N]  #: chunks = [2]\n").expect("a layout");
    let writer = Writer::new(layout).param("/N", 5).put("/rho", &rho);
    // Without the layout that says so, nothing is stored in chunks.
    let plain = writer.to_bytes().expect("written");
    assert_eq!(plain.len(), 16 + 4 + 4 * 5);
    let error = writer.attach(true).put("/rho/0", 1.0_f32).to_bytes().expect_err("twice");
    assert!(matches!(error, Error::Unused { .. }), "{error}");
}

#[test]
fn structs_texts_and_lists_are_stored_in_chunks() {
    let layout = "P {a = u2  b = S1[2]}
p = P[3] -> zlib  #: chunks = [2]
l [/ n = i2  t = S1[3, 2]  #: chunks = [2, 2]
]*2
m [u1[3]
#: chunks = [2]
]*2";
    let text = |texts: &[&str]| Value::Array(texts.iter().map(|it| Value::from(*it)).collect());
    let p =
        |a: i128, b: &str| Value::Struct(vec![("a".into(), Value::Int(a)), ("b".into(), b.into())]);
    let writer = Writer::new(parse_layout(layout.as_bytes()).expect("a layout")).attach(true);
    let writer = writer.put("/p", Value::Array(vec![p(1, "x"), p(2, "yy"), p(3, "")]));
    let writer = writer.put("/l/0/n", 1_i16).put("/l/1/n", 2_i16);
    let writer = writer.put("/l/0/t", text(&["a", "bb", "c"])).put("/l/1/t", text(&["", "d", "e"]));
    let writer = writer.put("/m/0", &b"abc"[..]).put("/m/1", &b"def"[..]);
    let stream = Open::new().bytes(writer.to_bytes().expect("written")).expect("a stream");
    let data = |path: &str| stream.get(path).expect("there").data().expect("an array");
    assert_eq!(
        data("/p").field("a").expect("a").read::<u16>().expect("read").as_slice(),
        Some(&[1, 2, 3][..])
    );
    assert_eq!(
        data("/l/1/t").read_texts().expect("read").as_slice(),
        Some(&["", "d", "e"].map(String::from)[..])
    );
    assert_eq!(data("/m/1").raw().expect("read"), b"def");
    assert!(["/p", "/l/0/t", "/m/0"].iter().all(|path| data(path).blocks().is_some()));
}
