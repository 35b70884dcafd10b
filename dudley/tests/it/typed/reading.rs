//! Readers: views, slices, params; streams that are not what their type says.

use dudley::ndarray::{Array1, array, s};
use dudley::typed::{Create, Params as _};
use dudley::{ByteOrder, Error, Open, Writer, parse_layout};

dudley::layout!(mod run = r#"
{ N : i4
  time = f8 }
head = u1[4]     ## always where it is
  #: note = "fixed"
x = f8[N, 3]     ## (cm) places
tail = i2[N+]
"#);

dudley::layout!(mod later = r#"K : i4  B : i1 #: presence
part {n : u1  v = i2[n]}
parts = part[K]  after = u2[B, K]  size = f4"#);

dudley::layout!(mod marked = r#"magic = u1[2] #: const = [7, 8]
x = u1"#);

fn stream(order: ByteOrder) -> Vec<u8> {
    let params = run::Params { n: 2 };
    let writer = Create::new().order(order).memory::<run::Layout>(&params).expect("params");
    writer.time().write(1.5).expect("there");
    writer.head().write(&array![1, 2, 3, 4]).expect("its shape");
    writer.x().write_slice(&[0.0, 1.0, 2.0, 10.0, 11.0, 12.0]).expect("six");
    writer.tail().write(&array![-1, 0, 1]).expect("its shape");
    writer.finish_bytes().expect("complete")
}

#[test]
fn arrays_are_read_where_they_are() {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let reader = run::Reader::from_source(stream(order)).expect("a stream");
        let x = reader.x();
        let elements = x.elements().expect("in memory");
        assert_eq!((elements.get([1, 2]), elements.get([2, 0])), (Some(12.0), None));
        assert_eq!(elements.iter().sum::<f64>(), 36.0);
        assert_eq!(x.slice(s![1, ..;-2]).expect("inside"), array![12.0, 10.0]);
        assert_eq!(x.slice(s![.., 1..2]).expect("inside"), array![[1.0], [11.0]]);
        assert!(matches!(x.slice(s![2, ..]), Err(Error::BadSlice { .. })));
        let mut buffer = [0.0; 6];
        x.read_into(&mut buffer).expect("six");
        assert_eq!(buffer[5], 12.0);
        let mut column = [0.0; 2];
        x.slice_into(s![.., 0], &mut column).expect("two");
        assert_eq!(column, [0.0, 10.0]);
        assert!(x.read_into(&mut buffer[..5]).is_err());
        if let Ok(view) = x.view() {
            assert_eq!(view[[1, 1]], 11.0);
        }
        assert_eq!(reader.time().read().expect("there"), 1.5);
        assert_eq!(x.item().expect("there").unit(), Some("cm"));
    }
}

#[test]
fn places_are_known_without_a_stream() {
    let params = run::Params { n: 2 };
    let places = run::Addresses::new(&params).expect("params");
    let reader = run::Reader::from_source(stream(ByteOrder::Little)).expect("a stream");
    assert_eq!(places.x().address().expect("known"), reader.x().address().expect("known"));
    assert_eq!(places.tail().shape().expect("known"), [3]);
    assert_eq!(places.data_end().expect("known"), reader.measure().expect("known"));
    assert_eq!(run::constants::HEAD.native, places.head().address().expect("known"));
    assert_eq!((run::constants::HEAD.raw, run::constants::HEAD.shape), (16, [4]));
    assert_eq!(run::constants::HEAD_NOTE, "fixed");
}

#[test]
fn params_come_from_streams_and_summaries() {
    let bytes = stream(ByteOrder::Big);
    let reader = run::Reader::from_source(bytes.clone()).expect("a stream");
    assert_eq!(reader.params().expect("there"), run::Params { n: 2 });
    let summary = run::Params::of_summary::<run::Layout>(&bytes[16..32], ByteOrder::Big);
    assert_eq!(summary.expect("whole"), run::Params { n: 2 });
    assert!(run::Params::of_summary::<run::Layout>(&bytes[16..18], ByteOrder::Big).is_err());
}

#[test]
fn what_lies_behind_variable_structs_is_found() {
    let create = |b| {
        let params = later::Params { k: 2, b };
        let writer = Create::new().memory::<later::Layout>(&params).expect("params");
        let part = |n: u8| later::Part { n, v: Array1::from_elem(usize::from(n), -1) };
        writer.parts().write(&array![part(3), part(0)]).expect("structs");
        if let Some(after) = writer.after().expect("0 or -1") {
            after.write(&array![5, 6]).expect("its shape");
        }
        writer.size().write(0.5).expect("there");
        later::Reader::from_source(writer.finish_bytes().expect("complete")).expect("a stream")
    };
    let with = create(true);
    let after = with.after().expect("0 or -1").expect("there");
    assert_eq!(after.read().expect("there"), array![5, 6]);
    assert_eq!(with.parts().read().expect("there")[0].v.len(), 3);
    let without = create(false);
    assert!(without.after().expect("0 or -1").is_none());
    assert_eq!(without.size().read().expect("there"), 0.5);
    assert!(!without.params().expect("there").b);
}

#[test]
fn a_param_of_minus_one_has_no_typed_form() {
    let layout = parse_layout(run::LAYOUT.as_bytes()).expect("no errors");
    let bytes = Writer::new(layout)
        .param("/N", -1)
        .put("/time", 0.0)
        .put("/head", &[1_u8, 2, 3, 4])
        .put("/x", &[1.0, 2.0, 3.0])
        .put("/tail", 7_i16)
        .to_bytes()
        .expect("complete");
    let reader = run::Reader::from_source(bytes).expect("a stream");
    let error = reader.x().read().expect_err("of one dimension");
    assert!(error.to_string().contains("`read_dyn` reads it all the same"), "{error}");
    assert_eq!(reader.x().read_dyn().expect("there").shape(), [3]);
    let error = reader.params().expect_err("no count").to_string();
    assert!(error.starts_with("`/N`: expected a count") && error.ends_with("found -1"), "{error}");
}

#[test]
fn another_layout_is_told_by_its_difference() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        let layout = parse_layout(text.as_bytes()).expect("no errors");
        Writer::new(layout)
            .param("/N", 1)
            .put("/time", 0.0)
            .put("/head", &[1_u8, 2, 3, 4])
            .put("/x", &dudley::ndarray::Array2::<f64>::zeros((1, 3)))
            .put("/tail", &[1_i16, 2])
            .attach(true)
            .write_file(&path, false)
            .expect("complete");
        path
    };
    let comments = run::LAYOUT.replace("places", "positions");
    run::Reader::open(write("comments.bd", &comments)).expect("comments do not matter");
    let moved = run::LAYOUT.replace("tail = i2[N+]", "tail = i2[N+] @96");
    let error = run::Reader::open(write("moved.bd", &moved)).expect_err("elsewhere").to_string();
    assert!(error.contains("moved.bd`: `/tail`: the layout of the stream differs: exp"), "{error}");
    let gone = write(
        "gone.bd",
        &run::LAYOUT
            .replace("x = f8[N, 3]", "y = f8[N, 3]\nx = f8[N, 3]")
            .replace("y = f8[N, 3]\n", ""),
    );
    run::Reader::open(gone).expect("the same");
}

#[test]
fn constants_are_checked_when_a_stream_is_opened() {
    let open = |bytes: Vec<u8>| marked::Reader::from_open(Open::new().raw(), |o| o.bytes(bytes));
    assert_eq!(open(vec![7, 8, 1]).expect("as stated").x().read().expect("there"), 1);
    let error = open(vec![7, 9, 1]).expect_err("another value").to_string();
    assert_eq!(error, "`/magic`: expected [7, 8] at address 0, found [7, 9]");
}

#[test]
fn streams_that_end_too_early_say_where() {
    let mut bytes = stream(ByteOrder::Little);
    bytes.truncate(60);
    let open = Open::new();
    let reader = run::Reader::from_open(open, |open| open.bytes(bytes)).expect("cut in the data");
    let error = reader.x().read().expect_err("cut off").to_string();
    assert!(error.starts_with("`/x`: 48 bytes are needed at address 40"), "{error}");
    assert!(reader.x().view().is_err() && reader.x().elements().is_err());
    assert_eq!(reader.time().read().expect("before the cut"), 1.5);
}

#[test]
fn only_whole_native_files_are_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.bd");
    let bytes = stream(ByteOrder::Little);
    for length in [0, 20, 60, bytes.len() - 1] {
        std::fs::write(&path, &bytes[..length]).expect("space");
        let opened = run::Reader::open(&path);
        match length {
            0 => assert!(matches!(opened.as_ref().map_err(Error::cause), Err(Error::NotNative))),
            // The end of the text of the layout is its terminator, which may be missing.
            _ if length > 100 => assert!(opened.is_ok()),
            _ => {
                let error = opened.expect_err("cut off").to_string();
                assert!(
                    error.contains("run.bd`: damaged native signature: the layout should"),
                    "{error}"
                );
            }
        }
    }
    std::fs::write(&path, "no stream at all, but long enough to be a raw one").expect("space");
    let error = run::Reader::open(&path).expect_err("text");
    // A `main` that gives it shows it so.
    assert!(format!("{error:?}").contains("run.bd`: no native stream: it does"), "{error:?}");
}

dudley::layout!(mod tagged = r#"head = u4  rec {a = u2  tag = S1[4] #: const = "ab"
}  recs = rec[100]"#);

#[test]
fn constants_of_records_are_found_wrong_where_they_stand() {
    let mut bytes = vec![0; 604];
    for at in 0..100 {
        bytes[4 + 6 * at + 2..][..2].copy_from_slice(b"ab");
    }
    let open = |bytes: &[u8]| {
        let bytes = bytes.to_vec();
        tagged::Reader::from_open(Open::new().raw(), |open| open.bytes(bytes))
    };
    let reader = open(&bytes).expect("a stream");
    assert_eq!(reader.recs().read().expect("as stated").len(), 100);
    // Those at the front guard the stream.
    bytes[4 + 12 + 3] = b'x';
    let wrong = "`/recs[2].tag`: expected \"ab\" at address 18, found \"ax\"";
    assert_eq!(open(&bytes).expect_err("another value").to_string(), wrong);
    bytes[4 + 12 + 3] = b'b';
    bytes[4 + 540 + 3] = b'x';
    let wrong = "`/recs`: expected \"ab\" at address 546, found \"ax\"";
    let reader = open(&bytes).expect("the front is right");
    assert_eq!(reader.recs().read().expect_err("another value").to_string(), wrong);
    assert_eq!(reader.recs().views().expect_err("another value").to_string(), wrong);
}

dudley::layout!(mod shifted = "SHIFT : i4  ## (1) of the grid\nx = u1");

/// What no dimension depends on may be any number.
#[test]
fn params_below_zero_are_compared_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shifted.bd");
    let layout = parse_layout(b"SHIFT : i4  x = u1").expect("no errors");
    let writer = Writer::new(layout).param("/SHIFT", -77).put("/x", 1_u8).attach(true);
    writer.write_file(&path, false).expect("complete");
    let reader = shifted::Reader::open(&path).expect("the same but for a comment");
    assert_eq!(reader.params().expect("there").shift, -77);
}

/// What takes no bytes, all past the end.
const FAR: &str = r#"N : i4  x = i4
text = S1[N] @4096
texts = U2[2, N] @4096
hollow = {} @4096
hollows = {}[2] @4096
records = {a = f8}[N] @4096
units = {t = U1[0]} @4096
varying = {n : u1  v = i2[n]}[N] @4096
fields = {t = S1[N]  x = f8[N]}[2] @4096
packed = {a = i1[0]} -> zlib @4096
numbers = f8[N] @4096"#;

dudley::layout!(mod far = r#"N : i4  x = i4
text = S1[N] @4096
records = {a = f8}[N] @4096
hollow = {a = u1[0]}[2] @4096
numbers = f8[N] @4096"#);

#[test]
fn what_takes_no_bytes_can_lie_past_the_end() {
    let bytes = vec![0_u8, 0, 0, 0, 1, 0, 0, 0];
    let open = || Open::new().layout_text(FAR).expect("a layout").raw();
    // One is in memory, the other is not.
    let cached = dudley::bytes::Cached::new(bytes.clone(), 4, 4);
    for stream in [open().bytes(bytes.clone()), open().source(cached)] {
        let stream = stream.expect("a stream");
        for name in stream.root().names().iter().filter(|name| *name != "x") {
            let data = stream.get(&format!("/{name}")).expect("there").data().expect("placed");
            data.value().unwrap_or_else(|error| panic!("{error}"));
        }
        let text = stream.get("/text").expect("there").data().expect("placed");
        assert_eq!(text.value().expect("nothing is needed"), dudley::Value::Text(String::new()));
    }
    let reader = far::Reader::from_source(bytes).expect("a stream");
    assert_eq!(reader.text().get().expect("nothing is needed"), "");
    assert!(reader.records().read().expect("nothing is needed").is_empty());
    assert_eq!(reader.hollow().read().expect("nothing is needed").len(), 2);
    assert!(reader.numbers().view().expect("nothing is needed").is_empty());
    assert!(reader.numbers().elements().expect("nothing is needed").is_empty());
}
