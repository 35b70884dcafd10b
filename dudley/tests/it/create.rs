//! Streams that are created and filled: the bytes are those of the writer that has all values at once.

use std::fs;
use std::path::Path;

use dudley::create::{Checksum, Coverage, Create};
use dudley::ndarray::{Array2, ArrayD, Axis, IxDyn, Slice, array};
use dudley::{
    ByteOrder, Error, Input, Open, Primitive, Stream, Value, Writer, parse_layout, verify,
};
use proptest::prelude::*;

/// An item of a random layout: how it is declared, and its elements.
#[derive(Clone, Debug)]
struct Piece {
    /// `{}` is its name.
    text: &'static str,
    shape: Vec<usize>,
    /// What picks single elements of its first dimension: a slice of the array, or of a list.
    is_list: bool,
}

/// Layouts of pieces: arrays, lists, filtered ones, views, items behind something of variable size.
fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let piece = |text, shape: &[usize], is_list| Piece { text, shape: shape.to_vec(), is_list };
    let known = vec![
        piece("{} = f8[N, 3]", &[7, 3], false),
        piece("{} = f8[5]  #: order = \"F\"", &[5], false),
        piece("{} = f8[4, 3]  #: order = \"F\"", &[4, 3], false),
        piece("{} = f8[N, 2, 2] -> zlib", &[7, 2, 2], false),
        piece("{} [f8]*N", &[7], true),
        piece("{} [f8[3]]*4", &[4, 3], true),
        piece("{} = >f8[3] %64", &[3], false),
        piece(
            "{} = f8[6]  #: view_shape = [6], view_strides = [-8], view_offset = 40",
            &[6],
            false,
        ),
        piece("{} = f8[0]", &[0], false),
        piece("pad_{} = u1[3]  #: const = 7\n{} = f8[2]", &[2], false),
    ];
    prop::collection::vec(prop::sample::select(known), 1..6)
}

fn elements(at: usize, shape: &[usize]) -> ArrayD<f64> {
    let mut next = at as f64 * 1000.0;
    ArrayD::from_shape_simple_fn(IxDyn(shape), || {
        next += 0.5;
        next
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn slices_in_any_order_from_threads_make_the_same_bytes(
        pieces in pieces(),
        big in any::<bool>(),
        raw in any::<bool>(),
        step in 1_usize..4,
        order in any::<prop::sample::Index>(),
        twice in any::<bool>(),
    ) {
        let mut text = "N : i4\n".to_owned();
        let mut items = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            text += &piece.text.replace("{}", &format!("x{at}"));
            text.push('\n');
            items.push((format!("/x{at}"), elements(at, &piece.shape), piece.is_list));
        }
        let byte_order = if big { ByteOrder::Big } else { ByteOrder::Little };
        let layout = parse_layout(text.as_bytes()).expect("a layout");
        let mut writer = Writer::new(layout).param("/N", 7).order(byte_order);
        writer = if raw { writer.raw() } else { writer.attach(true) };
        for (path, elements, is_list) in &items {
            if *is_list {
                for (at, row) in elements.outer_iter().enumerate() {
                    writer = writer.put(format!("{path}/{at}"), Input::elements(row.into_dyn()));
                }
            } else {
                writer = writer.put(path.clone(), elements);
            }
        }
        // An array in another order of its elements takes those of its shape, too.
        let expected = writer.to_bytes().expect("complete");

        let mut create = Create::text(&text).expect("a layout").param("N", 7).order(byte_order);
        if raw {
            create = create.raw();
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.bd");
        let file = create.clone().checksum(true).file(&path).expect("params");
        let memory = create.memory().expect("params");
        for writer in [&file, &memory] {
            // Every `step`-th row from each beginning, backwards for some.
            let mut parts = Vec::new();
            for (path, elements, _) in &items {
                let rows = elements.shape()[0];
                for begin in 0..step.min(rows) {
                    let (step, back) = (step as isize, (begin + rows) % 2 == 1);
                    let part = elements.slice_axis(Axis(0), Slice::new(begin as isize, None, step));
                    let count = part.shape()[0];
                    let mut part = part.to_owned();
                    let slice = if back {
                        part.invert_axis(Axis(0));
                        let last = begin + (count - 1) * step as usize;
                        let stop = if begin == 0 { String::new() } else { (begin - 1).to_string() };
                        format!("{path}[{last}:{stop}:-{step}]")
                    } else {
                        format!("{path}[{begin}::{step}]")
                    };
                    parts.push((slice, part));
                }
            }
            if !parts.is_empty() {
                let at = order.index(parts.len());
                parts.rotate_left(at);
            }
            std::thread::scope(|scope| {
                let (one, other) = parts.split_at(parts.len() / 2);
                for parts in [one, other] {
                    scope.spawn(move || {
                        for (path, part) in parts {
                            writer.write(path, part).expect("it fits");
                        }
                    });
                }
            });
            if let Some((path, part)) = parts.first().filter(|_| twice) {
                writer.write(path, part).expect("it fits");
            }
        }
        prop_assert_eq!(file.checksum(), None);
        file.finish().expect("complete");
        prop_assert_eq!(&fs::read(&path).expect("there"), &expected);
        let sum = Checksum { bytes: expected.len() as u64, crc32c: crc32c::crc32c(&expected) };
        let found = file.checksum();
        prop_assert!(found == Some(sum) || twice && found.is_none(), "{:?}", found);
        prop_assert_eq!(&memory.finish_bytes().expect("complete"), &expected);
    }
}

/// A checksum that is known is that of the file: here nobody may know it.
#[test]
fn the_checksum_of_bytes_that_were_written_otherwise_is_not_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.bd");
    let create = |text| Create::text(text).expect("a layout").checksum(true).overwrite(true);
    let four = [1_u8, 2, 3, 4];
    let apart = create("x = u1[4]  y = u1[4]").shared(&path).expect("space");
    apart.write("/x", &four).expect("it fits");
    fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .and_then(|file| std::os::unix::fs::FileExt::write_all_at(&file, &four, 20))
        .expect("space");
    apart.mark_written("/y").expect("there");
    apart.finish().expect("complete");
    assert_eq!(apart.checksum(), None);
    // Each of these lets the bytes be counted as often as there are some, if nobody looks where they are.
    let both = create("x = u1[4]  y = u1[4] @18").file(&path).expect("space");
    both.write("/x", &four).expect("it fits");
    both.write("/y", &[3_u8, 4, 5, 6]).expect("it fits");
    both.finish().expect("complete");
    assert_eq!(both.checksum(), None);
    let back = create("x = u1[4] @20  y = u1[4] @16").file(&path).expect("space");
    back.write("/x", &four).expect("it fits");
    back.write("/y", &four).expect("it fits");
    back.finish().expect("complete");
    assert_eq!(back.checksum(), None);
    // Two processes write the same, and their reports come twice.
    for times in 0..3 {
        let first = create("x = u1[4]").shared(&path).expect("space");
        let second = create("x = u1[4]").join(&path).expect("there");
        second.write("/x[1:]", &four[1..]).expect("it fits");
        first.write("/x[0]", 1_u8).expect("it fits");
        first.cover(&second.coverage()).expect("there");
        for _ in 0..times {
            first.cover(&second.coverage()).expect("there");
        }
        first.finish().expect("complete");
        let bytes = fs::read(&path).expect("there");
        let sum = Checksum { bytes: bytes.len() as u64, crc32c: crc32c::crc32c(&bytes) };
        assert_eq!(first.checksum(), (times == 0).then_some(sum), "{times}");
    }
}

#[test]
fn all_kinds_of_items_are_written_by_their_paths() {
    let text = "N : u2  DESC {n : u1  \"\" = S1[n]}
P {t = f8  n = i4  k = u1[2]}
name = S1[6]  d = DESC  p = P[N]  q = P
log [/ n : u1  v = f4[n]  t = f8]*2
\"\" = {a = u2  b = u2}[N]
g/ x = i4
";
    let create = Create::text(text).expect("a layout").param("/N", 3);
    let value = |t: f64, n: i128| {
        let k = Value::Array(vec![Value::Int(1), Value::Int(2)]);
        Value::Struct(vec![
            ("t".into(), Value::Float(t)),
            ("n".into(), Value::Int(n)),
            ("k".into(), k),
        ])
    };
    let row = |n: i128| {
        let v = (0..n).map(|at| Value::Float(at as f64)).collect();
        let fields = [("n", Value::Int(n)), ("v", Value::Array(v)), ("t", Value::Float(n as f64))];
        Value::Struct(fields.map(|(name, value)| (name.to_owned(), value)).to_vec())
    };
    let rows = Value::Array(vec![value(0.5, 1), value(1.5, 2), value(2.5, 3)]);
    let layout = parse_layout(text.as_bytes()).expect("a layout");
    let expected = Writer::new(layout)
        .param("/N", 3)
        .put("/name", "abc")
        .put("/d", "longer")
        .put("/p", rows)
        .put("/q", value(9.0, 9))
        .param("/log/0/n", 1)
        .put("/log/0/v", &[0_f32])
        .put("/log/0/t", 1.0)
        .param("/log/1/n", 2)
        .put("/log/1/v", &[0_f32, 1.0])
        .put("/log/1/t", 2.0)
        .put("/a", &[1_u16, 2, 3])
        .put("/b", &[4_u16, 5, 6])
        .put("/g/x", -1_i32)
        .attach(true)
        .to_bytes()
        .expect("complete");

    let writer = create.memory().expect("params");
    writer.write("/g", Value::Struct(vec![("x".into(), Value::Int(-1))])).expect("a dict");
    writer.write("/b", &[4_u16, 5, 6]).expect("a member");
    writer.write("/a[1:]", &[2_u16, 3]).expect("a slice of a member");
    writer.write("/log/1", row(2)).expect("a row");
    writer.write("/log/0/:n", 1_u8).expect("a param");
    writer.write("/log/0/v", &[0_f32]).expect("an array of it");
    writer.write("/log[:1]/t", &[1.0]).expect("an item of it");
    writer.write("/q", value(9.0, 9)).expect("a record");
    writer.write("/p[1:]", Value::Array(vec![value(1.5, 2), value(2.5, 3)])).expect("rows");
    writer.write("/p[0]", value(0.5, 1)).expect("a row");
    writer.write("/d", "longer").expect("text");
    writer.write("/name", "abc").expect("text");
    let missing = writer.finish().expect_err("one element").to_string();
    assert!(missing.contains("/a[0:1]"), "{missing}");
    writer.write("/a[0]", 1_u16).expect("the last one");
    assert_eq!(writer.finish_bytes().expect("complete"), expected);
}

#[test]
fn bytes_of_a_type_are_converted_where_all_values_stay() {
    let create = Create::text("x = f4[2, 2]  i = u1[3]").expect("a layout");
    let writer = create.memory().expect("params");
    let input = |shape: &[u64], bytes| Input::bytes((Primitive::I2, ByteOrder::Big), shape, bytes);
    writer.write("/x[0]", input(&[2], &[0, 1, 0xff, 0xff]).expect("two")).expect("they fit");
    writer.write("/x[1]", &[0.5_f32, 2.0]).expect("of the type");
    writer.write("/i", input(&[3], &[0, 1, 0, 2, 0, 3]).expect("three")).expect("they fit");
    let error = writer.write("/i[1:]", input(&[2], &[0, 1, 1, 0]).expect("two"));
    let error = error.expect_err("256 is no u1").to_string();
    assert!(error.contains("256") && error.contains("/i"), "{error}");
    let doubles = [0.5_f64.to_le_bytes(), 0.1_f64.to_le_bytes()].concat();
    let doubles = Input::bytes((Primitive::F8, ByteOrder::Little), &[2], &doubles).expect("two");
    assert!(writer.write("/x[0]", doubles).expect_err("0.1 is no f4").to_string().contains("0.1"));
    assert!(matches!(input(&[2, 2], &[0; 6]), Err(Error::WrongLength { .. })));
    let float = Input::bytes((Primitive::F4, ByteOrder::Little), &[], &[0; 4]).expect("one");
    assert!(matches!(writer.write("/i[0]", float), Err(Error::WrongInput { .. })));
}

#[test]
fn arrays_in_blocks_are_written_as_one_or_block_by_block() {
    let text = "rho [i2[2, 2], i2[2, 1]]  #: whole = [2, 3]\ny = i4";
    let create = Create::text(text).expect("a layout");
    let rho = array![[1_i16, 2, 3], [4, 5, 6]];
    let mut written = Vec::new();
    for at in 0..3 {
        let writer = create.memory().expect("params");
        writer.write("/y", 7_i32).expect("there");
        match at {
            0 => writer.write("/rho", &rho).expect("all of it"),
            1 => {
                writer.write("/rho[:, 1:]", &array![[2_i16, 3], [5, 6]]).expect("a part");
                assert!(writer.finish().expect_err("a column").to_string().contains("/rho"));
                writer.write("/rho[:, 0]", &[1_i16, 4]).expect("a part");
            }
            _ => {
                writer.write("/rho/1", &array![[3_i16], [6]]).expect("a block");
                writer.write("/rho/0", &array![[1_i16, 2], [4, 5]]).expect("a block");
            }
        }
        written.push(writer.finish_bytes().expect("complete"));
    }
    assert_eq!(written[0][16..28], [1, 0, 2, 0, 4, 0, 5, 0, 3, 0, 6, 0]);
    assert!(written[1] == written[0] && written[2] == written[0]);
}

#[test]
fn what_is_wrong_is_said_with_the_path() {
    let text = "N : i4  x = f8[N, 3]  l = [/ a = i4  b = f8[2]]*N  r = {t = f8}[2]  d/ y = u1";
    let writer = Create::text(text).expect("a layout").param("N", 4).memory().expect("params");
    let said =
        |path: &str, input: Input<'_>| writer.write(path, input).expect_err(path).to_string();
    let two = array![1.0, 2.0];
    for (path, expected) in [
        ("/x[0]", "`/x[0]`: expected shape [3], found [2]"),
        ("/x", "`/x`: expected shape [4, 3], found [2]"),
        ("/x[9]", "`/x`: bad slice: index 9 is out of range for a dimension of 4"),
        ("/y", "no item `/y`: there is nothing named `y` in /"),
        ("/l[:]/b", "expected shape [4], found [2]"),
        ("/l[:2]/a", "`/l/0/a`: expected elements of type `i4`"),
        ("/l/7/a", "/l has 4 items"),
        ("/l[1]", "`/l/1` is a dict and has no elements itself"),
        ("/r.t", "`/r.t` cannot be written in place: records are written as a whole"),
        ("/d", "`/d`: expected a struct with its items, found an array"),
        ("/x[", "bad path `/x[`"),
        ("/:N", "`/:N`: expected one integer"),
    ] {
        let said = said(path, Input::from(&two));
        assert!(said.contains(expected), "{path}: {said}");
    }
    assert!(said("/:N", Input::from(5_i32)).contains("expected 4, by which everything was placed"));
    assert!(said("/x[0]", Input::from(&[1_i32, 2, 3])).contains("`/x`: expected elements of type"));
    assert!(said("/r[0]", Input::from(1.5)).contains("`/r`"));
    let error = Create::text("N : u1  x = f8[N]").expect("a layout").param("N", 300).memory();
    assert!(error.expect_err("no u1").to_string().contains("`/N`: expected 0 to 255, found 300"));
    let error = Create::text("x = f8[2]").expect("a layout").param("M", 3).memory();
    assert!(matches!(error, Err(Error::NoSuchParam { .. })));
    let error = Create::text("N : i4  x = f8[N]").expect("a layout").memory().expect("unknown yet");
    let error = error.finish().expect_err("no param").to_string();
    assert!(error.contains("/N"), "{error}");
}

#[test]
fn a_file_is_absent_until_it_is_finished() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.bd");
    let create = Create::text("x = f8[4]").expect("a layout");
    let names = || fs::read_dir(folder.path()).expect("a folder").count();
    {
        let writer = create.file(&path).expect("a folder");
        writer.write("/x[:2]", &[1.0, 2.0]).expect("there");
        assert!(!path.exists());
    }
    assert_eq!(names(), 0);
    let writer = create.file(&path).expect("a folder");
    writer.write("/x", &[1.0; 4]).expect("there");
    writer.finish().expect("complete");
    assert!(matches!(writer.write("/x", &[1.0; 4]), Err(Error::Finished)));
    assert!(matches!(writer.finish(), Err(Error::Finished)));
    assert!(matches!(create.file(&path), Err(Error::Exists { .. })));
    let before = fs::read(&path).expect("there");
    let writer = create.clone().overwrite(true).file(&path).expect("replaced");
    writer.write("/x", &[2.0; 4]).expect("there");
    writer.abort();
    assert_eq!((fs::read(&path).expect("there"), names()), (before, 1));
}

/// That a file cannot be opened by anything, and each says why.
fn is_unfinished(path: &Path) {
    let said = |error: Error| {
        assert!(matches!(error.cause(), Error::Unfinished), "{error}");
    };
    said(Stream::open(path).expect_err("unfinished"));
    let layout = Open::new().layout_text("x = f8[4]  y = i4").expect("a layout");
    said(layout.file(path).expect_err("unfinished"));
    said(dudley::Indexed::open(path).expect_err("unfinished"));
    said(dudley::append::Append::open(path).err().expect("unfinished"));
    let source = dudley::bytes::FileSource::open(path).expect("there");
    said(dudley::append::salvage(&source).expect_err("unfinished"));
    let open = dudley::model::Formats::builtin().file(path, &Open::new());
    said(open.expect_err("unfinished"));
    let mut found = Vec::new();
    verify::verify_file(Open::new(), &source, &mut |finding| found.push(finding), &mut |_| {});
    assert_eq!(found.iter().map(|it| it.code).collect::<Vec<_>>(), ["unfinished"]);
}

#[test]
fn a_shared_file_is_no_stream_until_one_of_its_writers_finishes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.bd");
    for order in [ByteOrder::Little, ByteOrder::Big] {
        for policy in
            [dudley::index::Policy::Automatic, dudley::index::Options { checksums: true }.into()]
        {
            let create = Create::text("x = f8[4]  y = i4").expect("a layout");
            let create = create.order(order).overwrite(true).index(policy);
            let writer = create.shared(&path).expect("a folder");
            is_unfinished(&path);
            let other = create.join(&path).expect("the same");
            writer.write("/x[:2]", &[1.0, 2.0]).expect("there");
            other.write("/x[2:]", &[3.0, 4.0]).expect("there");
            other.write("/y", 7_i32).expect("there");
            other.sync().expect("durable");
            let missing = writer.finish().expect_err("not known of").to_string();
            assert!(missing.contains("/x[2:4]") && missing.contains("/y"), "{missing}");
            is_unfinished(&path);
            let told = Coverage::from_bytes(&other.coverage().to_bytes()).expect("ours");
            writer.cover(&told).expect("the same stream");
            writer.finish().expect("complete");
            let layout = parse_layout(b"x = f8[4]  y = i4").expect("a layout");
            let all = Writer::new(layout).order(order).index(policy).attach(true);
            let all = all.put("/x", &[1.0, 2.0, 3.0, 4.0]).put("/y", 7_i32);
            assert_eq!(fs::read(&path).expect("there"), all.to_bytes().expect("complete"));
            // It is finished.
            assert!(matches!(
                create.join(&path).expect_err("finished").cause(),
                Error::Incompatible { .. }
            ));
        }
    }
}

#[test]
fn a_shared_file_is_of_one_layout_and_removed_by_who_made_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.bd");
    let create = Create::text("N : i4  x = f8[N]").expect("a layout");
    let writer = create.clone().param("N", 3).shared(&path).expect("a folder");
    let refused = create.clone().param("N", 4).join(&path).expect_err("other params");
    assert!(matches!(refused.cause(), Error::Incompatible { .. }), "{refused}");
    assert!(matches!(create.clone().param("N", 3).shared(&path), Err(Error::Exists { .. })));
    let other = create.clone().param("N", 3).join(&path).expect("the same");
    other.abort();
    assert!(path.exists());
    writer.mark_written("/x[1:]").expect("of it");
    assert!(writer.finish().expect_err("one is missing").to_string().contains("/x[0:1]"));
    writer.abort();
    assert!(!path.exists());
    let filtered = Create::text("x = f8[9] -> zlib").expect("a layout");
    let error = filtered.shared(&path).expect_err("filtered").to_string();
    assert!(error.contains("decide all places"), "{error}");
    assert!(!path.exists());
    assert!(create.param("N", 3).join(&path).is_err());
}

/// What stood there before must not be taken for what is being written.
#[test]
fn a_part_of_a_file_is_no_stream_until_it_is_finished() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.bd");
    let create = Create::text("x = f8[4]").expect("a layout");
    let open =
        || fs::File::options().read(true).write(true).create(true).truncate(false).open(&path);
    for base in [0, 256] {
        for value in [1.0, 2.0] {
            let writer = create.within(open().expect("a file"), base).expect("a base");
            writer.write("/x[1:]", &[value; 3]).expect("there");
            let refused = Open::new().base(base).file(&path).expect_err("not finished");
            assert!(matches!(refused.cause(), Error::Unfinished), "{refused}");
            writer.write("/x[0]", value).expect("there");
            writer.finish().expect("complete");
            let stream = Open::new().base(base).file(&path).expect("a stream");
            assert_eq!(
                stream.get("/x").expect("there").read::<f64>().expect("there").sum(),
                4.0 * value
            );
        }
    }
}

#[test]
fn the_plan_knows_where_everything_will_be() {
    let text = "N : i8  x = f8[N, 2]  l = [/ a = i4  b = f8]*N  z = f4[N] -> zlib  w = i4";
    let create = Create::text(text).expect("a layout").param("N", 3);
    let plan = create.plan().expect("params");
    let address = |path: &str| plan.get(path).and_then(|item| item.address());
    assert_eq!(address("/x").expect("known"), 24);
    assert_eq!(address("/l/2/b").expect("known"), 24 + 48 + 2 * 16 + 8);
    assert!(address("/w").is_err());
    assert_eq!(
        plan.get("/x").and_then(|it| it.dims()).expect("known"),
        [Some("N".to_owned()), None]
    );
    assert_eq!(plan.get("/z").and_then(|it| it.shape()).expect("known"), [3]);
    let writer = create.memory().expect("params");
    writer.write("/z[::2]", &[1_f32, 3.0]).expect("kept");
    writer.write("/w", 5_i32).expect("kept");
    let rows = Array2::from_shape_fn((3, 2), |(i, j)| (i * 2 + j) as f64);
    writer.write("/x", &rows).expect("there");
    writer.write("/l[:]/a", &[1_i32, 2, 3]).expect("there");
    writer.write("/l[:]/b", &[1.0, 2.0, 3.0]).expect("there");
    let missing = writer.finish().expect_err("one element").to_string();
    assert!(missing.contains("/z[1:2]"), "{missing}");
    writer.write("/z[1]", 2_f32).expect("kept");
    let stream = Open::new().bytes(writer.finish_bytes().expect("complete")).expect("a stream");
    assert_eq!(stream.get("/z").and_then(|it| it.read::<f32>()).expect("there").sum(), 6.0);
    assert_eq!(stream.get("/w").and_then(|it| it.scalar::<i32>()).expect("there"), 5);
}
