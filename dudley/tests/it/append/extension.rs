//! Layout text that is added: where it goes, and what is refused before anything is written.

use std::sync::Arc;

use dudley::append::{Append, Finding};
use dudley::{ByteOrder, Error, Open, Stream, Value, Writer, parse_layout};

use crate::append::disk::Disk;

fn disk(text: &str, give: impl FnOnce(Writer<'_>) -> Writer<'_>) -> Disk {
    let layout = parse_layout(text.as_bytes()).expect("a layout");
    Disk::new(give(Writer::new(layout).attach(true)).to_bytes().expect("it fits"))
}

fn open(disk: &Disk) -> Append {
    Append::storage(Arc::new(disk.clone()), None).expect("a stream")
}

fn stream(disk: &Disk) -> Stream {
    Open::new().native().bytes(disk.contents()).expect("it opens")
}

fn address(disk: &Disk, path: &str) -> u64 {
    stream(disk).get(path).and_then(|item| item.address()).expect("it is placed")
}

fn value(disk: &Disk, path: &str) -> Value {
    stream(disk).get(path).and_then(|item| item.value()).expect("it can be read")
}

/// What is refused, with nothing written.
fn refused(disk: &Disk, act: impl FnOnce(&mut Append) -> dudley::Result<()>) -> String {
    let calls = disk.calls();
    let error = act(&mut open(disk)).expect_err("it is refused");
    assert_eq!(disk.calls(), calls, "nothing was written");
    error.to_string()
}

#[test]
fn new_data_starts_where_the_old_layout_was() {
    let disk = disk("x = i4[3]", |writer| writer.put("/x", &[1, 2, 3]));
    let before = disk.contents();
    open(&disk)
        .extend("y = i2[2]")
        .and_then(|it| it.put("/y", &[4_i16, 5]).commit())
        .expect("space");
    let after = disk.contents();
    assert_eq!(after[16..28], before[16..28], "what was there is as it was");
    assert_eq!(address(&disk, "/y"), 28);
    let text = b"x = i4[3]\n/ y = i2[2]\n-\n";
    assert_eq!(&after[32..], text, "data, layout, terminator, and nothing else");
    assert_eq!(after[8..16], 32_u64.to_le_bytes());
}

#[test]
fn lists_are_extended_by_text() {
    let disk = disk("time = [f8]  r = [f8[2]]", |writer| {
        writer.put("/time/0", 0.5).put("/r/0", &[1.0, 2.0])
    });
    let mut append = open(&disk);
    for step in 1..4 {
        let time = 0.5 + f64::from(step);
        append
            .extend("time[1] r[1]")
            .expect("a fragment")
            .put(format!("/time/{step}"), time)
            .put(format!("/r/{step}"), &[time, -time])
            .commit()
            .expect("space");
    }
    assert_eq!(value(&disk, "/time/3"), Value::Float(3.5));
    assert_eq!(stream(&disk).get("/r").and_then(|list| list.len()).expect("a list"), 4);
    // They interleave: time, r, time, r.
    assert_eq!((address(&disk, "/time/1"), address(&disk, "/r/1")), (40, 48));
}

#[test]
fn the_first_new_item_goes_to_the_end_of_the_data() {
    let disk = disk("big = u1[100] @200  small = u1 @20", |writer| {
        writer.put("/big", &[7_u8; 100]).put("/small", 9_u8)
    });
    let mut append = open(&disk);
    append
        .extend("x = f8  y = u1  ## kept")
        .expect("a fragment")
        .put("/x", 1.5)
        .put("/y", 3_u8)
        .commit()
        .expect("space");
    assert_eq!((address(&disk, "/x"), address(&disk, "/y")), (304, 312));
    assert!(
        append.layout().body().contains("/ x = f8 @304  y = u1  ## kept"),
        "{}",
        append.layout().body()
    );
    assert_eq!(value(&disk, "/big").clone(), Value::Array(vec![Value::Int(7); 100]));
    // A place that was written is replaced.
    let disk = self::disk("big = u1[4] @200  small = u1 @20", |writer| {
        writer.put("/big", &[7_u8; 4]).put("/small", 9_u8)
    });
    open(&disk).extend("N : i4%16").expect("a fragment").param("/N", 5).commit().expect("space");
    assert_eq!(address(&disk, "/:N"), 208);
}

#[test]
fn params_types_filters_and_variable_structs() {
    let disk = disk("> N : i4  x = f8[N]  s {n : u1  t = S1[n]}", |writer| {
        writer.order(ByteOrder::Big).param("/N", 2).put("/x", &[1.0, 2.0])
    });
    open(&disk)
        .extend("a/b/M : i8  w = s[2]  z = f4[N, M] -> zlib  magic = u2 #: const = 7")
        .expect("a fragment")
        .param("/a/b/M", 3)
        .put("/a/b/w", Value::Array(["ab", "c"].map(text).to_vec()))
        .put("/a/b/z", &dudley::ndarray::Array2::<f32>::ones((2, 3)))
        .commit()
        .expect("space");
    assert_eq!(value(&disk, "/a/b/magic"), Value::Int(7));
    assert_eq!(value(&disk, "/a/b/w").field("t"), None);
    assert_eq!(stream(&disk).get("/a/b/z").and_then(|z| z.read::<f32>()).expect("z").sum(), 6.0);
    // A list of dicts with params of their own, and one more of it.
    let mut append = open(&disk);
    let first = "l = [/ n : i4  v = f8[n]]";
    append
        .extend(first)
        .expect("text")
        .param("/l/0/n", 1)
        .put("/l/0/v", &[4.0])
        .commit()
        .expect("space");
    append
        .extend("l[1]")
        .expect("text")
        .param("/l/1/n", 2)
        .put("/l/1/v", &[5.0, 6.0])
        .commit()
        .expect("space");
    assert_eq!(stream(&disk).get("/l/0/v").and_then(|v| v.read::<f64>()).expect("v").sum(), 4.0);
    assert_eq!(stream(&disk).get("/l/1/v").and_then(|v| v.read::<f64>()).expect("v").sum(), 11.0);
}

fn text(text: &str) -> Value {
    Value::Struct(vec![
        ("n".to_owned(), Value::Int(text.len() as i128)),
        ("t".to_owned(), Value::Text(text.to_owned())),
    ])
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_written() {
    let disk = disk("N : i8  x = f8[N]  y = f8 @400", |writer| {
        writer.param("/N", 2).put("/x", &[1.0, 2.0]).put("/y", 3.0)
    });
    let said = refused(&disk, |it| it.extend("z = f8 @100")?.put("/z", 1.0).commit());
    assert_eq!(
        said,
        "`/z`: it would begin at address 100, inside the data that is there, which ends at 408: \
         give it the place `@408`, or one behind that"
    );
    let said = refused(&disk, |it| it.extend("z = f8[3]")?.commit());
    assert!(said.contains("nothing was given for `/z`"), "{said}");
    let said = refused(&disk, |it| it.extend("z = f8[3]")?.put("/z", &[1.0]).commit());
    assert!(said.contains("expected shape [3], found [1]"), "{said}");
    let said = refused(&disk, |it| it.extend("z = f8")?.put("/z", 1.0).put("/x", 2.0).commit());
    assert!(said.contains("there is nothing in the layout for `/x`"), "{said}");
    let said = refused(&disk, |it| it.extend("z = f8")?.put("/z", 1.0).param("/N", 3).commit());
    assert!(said.contains("expected 2, which the stream has, found 3"), "{said}");
    let said = refused(&disk, |it| it.extend("x = f8").map(drop));
    assert!(said.contains("the layout has an error at 2:3"), "{said}");
    let said = refused(&disk, |it| it.extend("S : 0 #: stream_bytes")?.commit());
    assert!(said.contains("param `/S` takes the length of the stream"), "{said}");
    let said = refused(&disk, |it| it.extend("S : 0 #: to_end\nl [u1]*S")?.commit());
    assert!(
        said.contains("param `/S` takes the length of the stream, or what that has left"),
        "{said}"
    );
    // A list cannot be given an address of its own.
    let low = self::disk("y = f8 @400  n = u1 @20", |it| it.put("/y", 3.0).put("/n", 1_u8));
    let said =
        refused(&low, |it| it.extend("l = [u1]*2")?.put("/l/0", 1_u8).put("/l/1", 2_u8).commit());
    assert!(said.contains("give it the place `@408`"), "{said}");
}

#[test]
fn a_layout_can_be_replaced_by_one_that_says_the_same() {
    let disk = disk("x = f8[2]\ny = i4", |it| it.put("/x", &[1.0, 2.0]).put("/y", 7));
    let mut append = open(&disk);
    let layout =
        parse_layout(b"## better\ny = i4 @32  ## seven\nx = f8[2] @16  ## (m) x").expect("text");
    append.replace_layout(layout).expect("the same");
    assert_eq!(stream(&disk).get("/x").expect("x").unit(), Some("m"));
    assert_eq!(value(&disk, "/y"), Value::Int(7));
    for (other, said) in [
        ("x = f8[2]", "no item `/y`"),
        ("x = f8[2] y = f4", "`/y` would change: it is <i4 at address 32, and would be <f4"),
        ("y = i4 x = f8[2]", "would be"),
        ("x = f8[2] y = i4 z = i4", "no item `/z`"),
    ] {
        let layout = parse_layout(other.as_bytes()).expect("a layout");
        let found = refused(&disk, |it| it.replace_layout(layout));
        assert!(found.contains(said), "{found}");
    }
}

#[test]
fn a_layout_that_is_kept_apart() {
    let layout = Arc::new(parse_layout(b"x = i4[3]").expect("a layout"));
    let bytes = Writer::new(layout.clone()).put("/x", &[1, 2, 3]).to_bytes().expect("it fits");
    let disk = Disk::new(bytes);
    let mut append =
        Append::storage(Arc::new(disk.clone()), Some(layout.clone())).expect("it opens");
    append.extend("y = f8").and_then(|it| it.put("/y", 1.5).commit()).expect("space");
    assert_eq!(disk.contents().len(), 40);
    assert_eq!(disk.contents()[8..16], [0; 8], "no layout is attached");
    let newer = Arc::new(parse_layout(append.layout().text().as_bytes()).expect("text"));
    let again = Open::new().layout(newer.clone()).bytes(disk.contents()).expect("it opens");
    assert_eq!(again.get("/y").and_then(|y| y.value()).expect("y"), Value::Float(1.5));
    // Under the old layout there are bytes that it does not describe.
    let mut append = Append::storage(Arc::new(disk.clone()), Some(layout)).expect("it opens");
    assert_eq!(append.findings(), [Finding::Undescribed { address: 28, bytes: 12 }]);
    let error =
        append.extend("z = i4").and_then(|it| it.put("/z", 1).commit()).expect_err("refused");
    assert!(matches!(error, Error::Undescribed { address: 28, bytes: 12 }), "{error}");
    append.discard_undescribed().expect("space");
    append.extend("z = i4").and_then(|it| it.put("/z", 1).commit()).expect("space");
    assert_eq!(disk.contents().len(), 32);
    let attached = self::disk("x = i4", |it| it.put("/x", 1));
    let error = Append::storage(Arc::new(attached), Some(newer)).err().expect("refused");
    assert!(matches!(error, Error::HasLayout { address: 20 }), "{error}");
}

#[test]
fn what_lies_behind_the_layout_is_not_dropped_unasked() {
    let disk = disk("x = i4", |it| it.put("/x", 1));
    let mut bytes = disk.contents();
    bytes.resize(32, 0);
    bytes.extend(self::disk("x = i4", |it| it.put("/x", 2)).contents());
    let disk = Disk::new(bytes.clone());
    let mut append = open(&disk);
    assert_eq!(append.findings(), [Finding::Undescribed { address: 29, bytes: 32 }]);
    for result in [
        append.extend("y = i4").and_then(|it| it.put("/y", 2).commit()),
        append.reserve(1000),
        append.close(),
    ] {
        assert!(matches!(result, Err(Error::Undescribed { address: 29, bytes: 32 })), "{result:?}");
        assert_eq!(disk.contents(), bytes);
    }
    let mut append = open(&disk);
    append.discard_undescribed().expect("space");
    append.extend("y = i4").and_then(|it| it.put("/y", 2).commit()).expect("space");
    assert!(disk.contents().ends_with(b"\n-\n"));
}

/// A file that was cut off within its layout keeps the data of the items that this has lost.
#[test]
fn what_a_cut_layout_no_longer_describes_is_not_dropped_unasked() {
    let whole = disk("N : i8  t = f8[N]", |it| it.param("/N", 3).put("/t", &[1.0, 2.0, 3.0]));
    let mut bytes = whole.contents();
    bytes.truncate(bytes.len() - b"[N]\n-\n".len());
    let disk = Disk::new(bytes.clone());
    let mut append = open(&disk);
    let undescribed = Finding::Undescribed { address: 32, bytes: 16 };
    assert_eq!(append.findings(), [undescribed]);
    for result in [
        append.extend("y = i4").and_then(|it| it.put("/y", 2).commit()),
        append.reserve(1000),
        append.close(),
    ] {
        assert!(matches!(result, Err(Error::Undescribed { address: 32, bytes: 16 })), "{result:?}");
        assert_eq!(disk.contents(), bytes);
    }
    // The last item that is left may be an array that grows.
    let whole = self::disk("N : i8  t = f8[N]\nu = f8", |it| {
        it.param("/N", 1).put("/t", &[1.0]).put("/u", 2.0)
    });
    let mut bytes = whole.contents();
    bytes.truncate(bytes.len() - b"u = f8\n-\n".len());
    let grown = Disk::new(bytes.clone());
    let error = open(&grown).records("/t").map(drop).expect_err("it would write over `u`");
    assert!(matches!(error, Error::Undescribed { address: 32, bytes: 8 }), "{error}");
    assert_eq!(grown.contents(), bytes);
    let mut append = open(&disk);
    append.discard_undescribed().expect("nothing to do");
    append.extend("y = i4").and_then(|it| it.put("/y", 2).commit()).expect("space");
    assert_eq!((address(&disk, "/y"), value(&disk, "/t")), (32, Value::Float(1.0)));
}

#[test]
fn other_bytes_behind_the_layout_are_dropped() {
    let disk = disk("x = i4", |it| it.put("/x", 1));
    let mut bytes = disk.contents();
    bytes.extend(b"a note\n");
    let disk = Disk::new(bytes);
    let mut append = open(&disk);
    assert_eq!(append.findings(), [Finding::Behind { address: 29, bytes: 7 }]);
    append.extend("y = i4").and_then(|it| it.put("/y", 2).commit()).expect("space");
    assert!(disk.contents().ends_with(b"\n-\n"));
}

#[test]
fn what_was_opened_before_stays_valid() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.bd");
    let layout = parse_layout(b"x = f8[1000]").expect("a layout");
    Writer::new(layout)
        .put("/x", &vec![1.5; 1000])
        .attach(true)
        .write_file(&path, false)
        .expect("space");
    let before = Stream::open(&path).expect("it opens");
    let mut append = Append::open(&path).expect("it opens");
    append
        .extend("y = f8[20000]")
        .and_then(|it| it.put("/y", &vec![2.5; 20000]).commit())
        .expect("space");
    append.close().expect("space");
    assert_eq!(before.get("/x").and_then(|x| x.read::<f64>()).expect("x").sum(), 1500.0);
    assert_eq!(
        Stream::open(&path)
            .expect("it opens")
            .get("/y")
            .and_then(|y| y.read::<f64>())
            .expect("y")
            .sum(),
        50000.0
    );
}
