//! Records that are appended: to which lists and arrays, where they go, what they cost.

use std::sync::Arc;

use dudley::append::{Append, inspect};
use dudley::{Error, Open, Stream, Value, Writer, parse_layout};

use crate::append::disk::Disk;

fn empty(text: &str) -> Disk {
    let layout = parse_layout(text.as_bytes()).expect("a layout");
    let names: Vec<String> = layout
        .params()
        .filter(|(_, it)| it.is_streamed())
        .map(|(id, _)| layout.param_path(id))
        .collect();
    let writer = names.iter().fold(Writer::new(layout).attach(true), |it, name| {
        it.param(name.as_str(), if name.ends_with("NT") { 0 } else { 2 })
    });
    Disk::new(writer.to_bytes().expect("nothing but records in it"))
}

fn open(disk: &Disk) -> Append {
    Append::storage(Arc::new(disk.clone()), None).expect("a stream")
}

fn stream(disk: &Disk) -> Stream {
    Open::new().bytes(disk.contents()).expect("it opens")
}

fn read(disk: &Disk, path: &str) -> Value {
    stream(disk).get(path).and_then(|item| item.value()).unwrap_or_else(|error| panic!("{error}"))
}

fn at(disk: &Disk, path: &str) -> u64 {
    stream(disk).get(path).and_then(|item| item.address()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn lists_of_dicts() {
    let disk = empty("NT : i8  M : i4  hist = [/ t = f8  r = f4[M]  sub/k = i2  / tag = S1[4]]*NT");
    let mut append = open(&disk);
    for _ in 0..3 {
        let mut hist = append.records("/hist").expect("it grows");
        assert_eq!(hist.names().collect::<Vec<_>>(), ["t", "r", "sub/k", "tag"]);
        for _ in 0..5 {
            let k = hist.len() as i16;
            let r = [f32::from(k), 0.5];
            let parts =
                [("tag", "ab".into()), ("t", 1.5.into()), ("r", (&r).into()), ("sub/k", k.into())];
            hist.push(&parts).expect("it fits");
        }
        hist.commit().expect("space");
    }
    assert_eq!(stream(&disk).get("/hist").and_then(|list| list.len()).expect("a list"), 15);
    assert_eq!(read(&disk, "/hist/14/sub/k"), Value::Int(14));
    assert_eq!(read(&disk, "/hist/14/tag"), Value::Text("ab".into()));
    assert_eq!(read(&disk, "/hist/7/r"), Value::Array(vec![Value::Float(7.0), Value::Float(0.5)]));
}

#[test]
fn the_first_record_may_have_another_padding() {
    // The example of spec 5.4: the first takes 11 bytes, all others 16.
    let layout = parse_layout(b"NT : i8  a = i1[5]  l = [/ x = i1  y = f8]*NT").expect("a layout");
    let bytes = Writer::new(layout).param("/NT", 0).put("/a", &[0_i8; 5]).attach(true).to_bytes();
    let disk = Disk::new(bytes.expect("it fits"));
    let mut append = open(&disk);
    let mut list = append.records("/l").expect("it grows");
    for x in 0..4_i8 {
        list.push(&[("x", x.into()), ("y", f64::from(x).into())]).expect("it fits");
    }
    list.commit().expect("space");
    let places: Vec<(u64, u64)> = (0..4)
        .map(|n| (at(&disk, &format!("/l/{n}/x")), at(&disk, &format!("/l/{n}/y"))))
        .collect();
    assert_eq!(places, [(29, 32), (40, 48), (56, 64), (72, 80)]);
    assert_eq!(read(&disk, "/l/3/y"), Value::Float(3.0));
    assert_eq!(read(&disk, "/l/0/y"), Value::Float(0.0));
}

#[test]
fn arrays_of_structs_and_of_numbers_and_spliced_records() {
    let disk = empty("NT : i4  rec {t = f8  n = u1 #: const = 3\n}  hist = rec[NT]");
    let mut append = open(&disk);
    let mut hist = append.records("/hist").expect("it grows");
    hist.push(&[("t", 2.5.into())]).expect("it fits");
    hist.push_value(Value::Struct(vec![
        ("t".into(), Value::Float(3.5)),
        ("n".into(), Value::Int(3)),
    ]))
    .expect("it fits");
    hist.commit().expect("space");
    assert_eq!(read(&disk, "/hist").clone(), read(&disk, "/hist"));
    let last =
        stream(&disk).get("/hist").and_then(|it| it.data()?.field("t")?.read::<f64>()).expect("t");
    assert_eq!(last.as_slice(), Some(&[2.5, 3.5][..]));
    let stated =
        stream(&disk).get("/hist").and_then(|it| it.data()?.field("n")?.read::<u8>()).expect("n");
    assert_eq!(stated.sum(), 6);

    let disk = empty("NT : i8  x = >f8[NT, 3]");
    let mut append = open(&disk);
    let mut x = append.records("/x").expect("it grows");
    x.push_value(&[1.0, 2.0, 3.0]).expect("it fits");
    x.push_value(&[4.0, 5.0, 6.0]).expect("it fits");
    let error = x.push_value(&[4.0, 5.0]).expect_err("too short");
    assert!(matches!(error, Error::WrongShape { .. }), "{error}");
    x.commit().expect("space");
    assert_eq!(stream(&disk).get("/x").and_then(|x| x.read::<f64>()).expect("x").sum(), 21.0);

    let disk = empty("NT : i8  \"\" = {t = f8  r = f4[2]}[NT]");
    let mut append = open(&disk);
    let mut records = append.records("/t").expect("it grows");
    records.push(&[("t", 1.0.into()), ("r", (&[2.0_f32, 3.0]).into())]).expect("it fits");
    records.push(&[("t", 4.0.into()), ("r", (&[5.0_f32, 6.0]).into())]).expect("it fits");
    records.commit().expect("space");
    assert_eq!(stream(&disk).get("/t").and_then(|t| t.read::<f64>()).expect("t").sum(), 5.0);
    assert_eq!(stream(&disk).get("/r").and_then(|t| t.read::<f32>()).expect("r").sum(), 16.0);
}

#[test]
fn many_records_come_out_as_one_by_one() {
    // The first record has another padding; a part is declared; a part is of bytes of another order.
    let text = "NT : i8  a = i1[5]  l = [/ x = i1  y = >f8[2]  k = u2 #: const = 7\n z = S1[2]]*NT";
    let layout = Arc::new(parse_layout(text.as_bytes()).expect("a layout"));
    let new = || {
        let writer = Writer::new(layout.clone()).param("/NT", 0).put("/a", &[0_i8; 5]);
        Disk::new(writer.attach(true).to_bytes().expect("it fits"))
    };
    let (one, many) = (new(), new());
    let mut append = open(&one);
    let mut list = append.records("/l").expect("it grows");
    let y = |n: i8| [f64::from(n), 0.5];
    for n in 0..7_i8 {
        list.push(&[("x", n.into()), ("y", (&y(n)).into()), ("z", "ab".into())]).expect("it fits");
    }
    list.commit().expect("space");
    let mut append = open(&many);
    let mut list = append.records("/l").expect("it grows");
    for part in [0..1, 1..1, 1..3, 3..7_i8] {
        let x: Vec<i8> = part.clone().collect();
        let y: Vec<f64> = part.clone().flat_map(y).collect();
        let y = dudley::ndarray::Array2::from_shape_vec((x.len(), 2), y).expect("two a record");
        let z = Value::Array(part.map(|_| Value::Text("ab".into())).collect());
        list.push_many(&[("z", z.into()), ("x", (&x).into()), ("y", (&y).into())])
            .expect("they fit");
    }
    assert_eq!(list.len(), 7);
    list.commit().expect("space");
    assert!(one.contents() == many.contents());

    let disk = empty("NT : i8  x = >f8[NT, 3]");
    let mut append = open(&disk);
    let mut x = append.records("/x").expect("it grows");
    x.push_values(&dudley::ndarray::array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).expect("it fits");
    x.commit().expect("space");
    assert_eq!(stream(&disk).get("/x").and_then(|x| x.read::<f64>()).expect("x").sum(), 21.0);
}

#[test]
fn many_records_are_added_all_or_none() {
    let disk = empty("NT : i1  hist = [/ t = f8  r = f8[2]]*NT");
    let mut append = open(&disk);
    let mut hist = append.records("/hist").expect("it grows");
    let (t, r) = (vec![1.0; 100], dudley::ndarray::Array2::<f64>::ones((100, 2)));
    let said = |result: dudley::Result<()>| result.expect_err("refused").to_string();
    let calls = disk.calls();
    assert_eq!(said(hist.push_many(&[("t", (&t).into())])), "nothing was given for `/hist/r`");
    for wrong in [
        [("t", (&t[1..]).into()), ("r", (&r).into())],
        [("t", (&t).into()), ("r", (&t).into())],
        [("t", 1.0.into()), ("r", (&r).into())],
        [("t", Value::Array(vec![Value::Float(1.0)]).into()), ("r", (&r).into())],
    ] {
        let error = hist.push_many(&wrong).expect_err("refused");
        assert!(matches!(error, Error::WrongShape { .. }), "{error}");
    }
    let error = hist.push_values(&r).expect_err("records of parts");
    assert!(matches!(error, Error::WrongValue { .. }), "{error}");
    assert_eq!((hist.len(), disk.calls()), (0, calls));
    hist.push_many(&[("t", (&t).into()), ("r", (&r).into())]).expect("they fit");
    let full = said(hist.push_many(&[("t", (&t).into()), ("r", (&r).into())]));
    assert!(full.contains("expected -128 to 127 records, found 200"), "{full}");
    hist.commit().expect("space");
    assert_eq!(stream(&disk).get("/hist").and_then(|it| it.len()).expect("a list"), 100);
}

#[test]
fn a_bad_record_is_not_added() {
    let disk = empty("NT : i1  hist = [/ t = f8  r = f8[2]]*NT");
    let mut append = open(&disk);
    let mut hist = append.records("/hist").expect("it grows");
    let said = |result: dudley::Result<()>| result.expect_err("refused").to_string();
    assert_eq!(said(hist.push(&[("t", 1.0.into())])), "nothing was given for `/hist/r`");
    let more = [("t", 1.0.into()), ("r", (&[1.0, 2.0]).into()), ("R", 1.0.into())];
    assert!(said(hist.push(&more)).contains("there is nothing in the layout for `/hist/R`"));
    let wrong = [("t", 1.0.into()), ("r", (&[1_i32, 2]).into())];
    assert!(
        said(hist.push(&wrong))
            .contains("`/hist/r`: expected elements of type `f8` (f64 in Rust), found i32")
    );
    let twice = [("t", 1.0.into()), ("r", (&[1.0, 2.0]).into()), ("t", 2.0.into())];
    assert_eq!(
        said(hist.push(&twice)),
        "`/hist/t`: expected one value, found another one of the same name"
    );
    assert_eq!(hist.len(), 0);
    for _ in 0..127 {
        hist.push(&[("t", 1.0.into()), ("r", (&[1.0, 2.0]).into())]).expect("it fits");
    }
    let full = said(hist.push(&[("t", 1.0.into()), ("r", (&[1.0, 2.0]).into())]));
    assert!(full.contains("expected -128 to 127 records, found 128"), "{full}");
    hist.commit().expect("space");
    assert_eq!(stream(&disk).get("/hist").and_then(|it| it.len()).expect("a list"), 127);
}

#[test]
fn what_cannot_grow_says_why() {
    for (text, path, why) in [
        ("NT : 3  hist = [f8]*NT", "/hist", "is no param that is stored"),
        ("NT : i8  hist = [f8]*3", "/hist", "`NT : i8  hist = [f8]*NT`"),
        ("NT : i8  a = [f8]*NT  b = [f8]*NT", "/a", "`/b/0` would change"),
        ("NT : i8  a = [f8]*NT  b = [f8]*NT", "/b", "`/b/0` would change"),
        ("NT : i8  x = f8[NT]  y = f8[NT]", "/y", "`/x` would change"),
        ("NT : i8 @20  x = f8[NT]", "/x", "aligned"),
        ("NT : i8  hist = [/ n : i4  x = f8[n]]*NT", "/hist", "differ in size"),
        ("NT : i8  x = f8[2, NT]", "/x", "first dimension"),
        ("NT : i8  x = f8[NT] -> zlib", "/x", "filtered"),
        ("NT : i8  x = f8[NT]", "/", "no list and no array"),
        ("NT : i8  x = f8[NT] @400  y = f8[NT] @4000", "/x", "`/y` would change"),
    ] {
        let disk = empty_or_some(text);
        let calls = disk.calls();
        let error = open(&disk).records(path).err().expect("refused").to_string();
        assert!(error.contains(why), "{text}: {error}");
        let moved = error.contains("would change");
        assert_eq!(moved, error.contains("only what stands last in a stream can grow"), "{error}");
        assert_eq!(disk.calls(), calls, "nothing was written");
    }
}

/// As [`empty`], with zeros in what is there.
fn empty_or_some(text: &str) -> Disk {
    let layout = Arc::new(parse_layout(text.as_bytes()).expect("a layout"));
    let mut writer = Writer::new(layout.clone()).attach(true);
    if layout.params().any(|(_, it)| it.is_streamed() && layout.name(it.name) == "NT") {
        writer = writer.param("/NT", 0);
    }
    if text.contains("*3") || text.contains(": 3") {
        writer = (0..3).fold(writer, |it, n| it.put(format!("/hist/{n}"), 0.0));
    }
    Disk::new(writer.to_bytes().expect("it fits"))
}

#[test]
fn uncommitted_records_are_forgotten_where_that_is_asked_for() {
    let disk = empty("NT : i8  x = f8[NT]");
    let mut append = open(&disk);
    let mut x = append.records("/x").expect("it grows");
    x.push_value(1.0).expect("it fits");
    x.commit().expect("space");
    x.push_value(2.0).expect("it fits");
    x.forget();
    let mut x = append.records("/x").expect("it grows");
    assert_eq!(x.len(), 1);
    x.push_value(3.0).expect("it fits");
    x.commit().expect("space");
    drop(x);
    assert_eq!(read(&disk, "/x"), Value::Array(vec![Value::Float(1.0), Value::Float(3.0)]));
    append.close().expect("space");
    assert!(disk.contents().len() < 80, "the room is given back");
    assert_eq!(read(&disk, "/x"), Value::Array(vec![Value::Float(1.0), Value::Float(3.0)]));
}

/// Pushes as a struct does that has an appender: by what it is asked for in each step.
fn step(append: &mut Append, path: &str, value: f64) -> dudley::Result<()> {
    append.records(path)?.push_value(value)
}

#[test]
fn what_was_pushed_outlives_who_pushed_it() {
    let disk = empty("NT : i8  x = f8[NT]");
    let mut append = open(&disk);
    (0..10).for_each(|at| step(&mut append, "x", f64::from(at)).expect("it fits"));
    assert_eq!(append.records("/x").expect("it grows").len(), 10);
    // What does not fit is not added, and takes nothing with it.
    let error = append.records("/x").expect("it grows").push(&[("t", 1.0.into())]);
    assert!(error.is_err(), "a record is no struct");
    assert_eq!(read(&disk, "/:NT"), Value::Int(0));
    append.close().expect("space");
    let all = (0..10).map(|at| Value::Float(f64::from(at))).collect();
    assert_eq!(read(&disk, "/x"), Value::Array(all));
}

#[test]
fn what_was_pushed_outlives_an_early_end() {
    let disk = empty("NT : i8  x = f8[NT]");
    let mut append = open(&disk);
    step(&mut append, "/x", 0.5).expect("it fits");
    drop(append);
    assert_eq!(read(&disk, "/:NT"), Value::Int(1));

    // As `?` leaves a function.
    let early = |disk: &Disk| -> dudley::Result<()> {
        let mut append = open(disk);
        step(&mut append, "/x", 1.5)?;
        append.records("/x")?.push(&[("t", 1.0.into())])?;
        append.close()
    };
    assert!(early(&disk).is_err(), "a record is no struct");
    assert_eq!(read(&disk, "/:NT"), Value::Int(2));

    let panicking = || {
        let mut append = open(&disk);
        step(&mut append, "/x", 2.5).expect("it fits");
        let mut x = append.records("/x").expect("it grows");
        x.push_value(3.5).expect("it fits");
        panic!("of the program");
    };
    assert!(std::panic::catch_unwind(panicking).is_err());
    assert_eq!(read(&disk, "/:NT"), Value::Int(4));
    let all = [0.5, 1.5, 2.5, 3.5].map(Value::Float);
    assert_eq!(read(&disk, "/x"), Value::Array(all.to_vec()));

    // What was to be forgotten is.
    let mut append = open(&disk);
    step(&mut append, "/x", 4.5).expect("it fits");
    append.records("/x").expect("it grows").forget();
    drop(append);
    assert_eq!(read(&disk, "/:NT"), Value::Int(4));
}

#[test]
fn whatever_else_is_done_commits_what_was_pushed() {
    type Act = fn(&mut Append) -> dudley::Result<()>;
    let acts: [Act; 7] = [
        |append| append.extend("z = f8")?.put("/z", 1.0).commit(),
        |append| append.reserve(1000),
        Append::give_back_reserve,
        Append::sync,
        |append| append.write("/x[-1]", 1.5),
        |append| append.filters(dudley::filter::Registry::with_builtins()),
        |append| append.records("/x")?.commit(),
    ];
    for (at, act) in acts.into_iter().enumerate() {
        let disk = empty("NT : i8  x = f8[NT]");
        let mut append = open(&disk);
        step(&mut append, "/x", 0.5).and_then(|()| step(&mut append, "/x", 1.5)).expect("they fit");
        act(&mut append).unwrap_or_else(|error| panic!("{at}: {error}"));
        let both = Value::Array(vec![Value::Float(0.5), Value::Float(1.5)]);
        assert_eq!(read(&disk, "/x"), both, "{at}");
        step(&mut append, "/x", 2.5).err();
        append.close().expect("space");
    }
    // Only what stands last grows; that another list does not is no loss.
    let disk = empty("NT : i8  MNT : i8  x = f8[NT]  y = f8[MNT]");
    let mut append = open(&disk);
    step(&mut append, "/y", 0.5).expect("it fits");
    let error = step(&mut append, "/x", 2.5).expect_err("it is not the last");
    assert!(matches!(error, Error::CannotGrow { .. }), "{error}");
    step(&mut append, "/y", 1.5).expect("it fits");
    append.close().expect("space");
    assert_eq!(read(&disk, "/y"), Value::Array(vec![Value::Float(0.5), Value::Float(1.5)]));
    // One that is new comes behind it.
    let mut append = open(&disk);
    step(&mut append, "/y", 2.5).expect("it fits");
    append
        .extend("QNT : i8  q = f8[QNT]")
        .expect("a layout")
        .param("/QNT", 0)
        .put("/q", &[0.0; 0])
        .commit()
        .expect("space");
    step(&mut append, "/q", 3.5).expect("it fits");
    append.close().expect("space");
    assert_eq!((read(&disk, "/:MNT"), read(&disk, "/:QNT")), (Value::Int(3), Value::Int(1)));
}

#[test]
fn what_is_lost_is_an_error_of_close() {
    use crate::append::disk::Fault;
    for fault in [Fault::Full, Fault::Stop] {
        let mut lost = 0;
        for call in 0.. {
            let disk = empty("NT : i8  x = f8[NT, 10000]").fault(call, fault);
            let Ok(mut append) = Append::storage(Arc::new(disk.clone()), None) else { continue };
            let row = vec![0.5; 10_000];
            let mut pushed = 0;
            for _ in 0..5 {
                let more = append.records("/x").and_then(|mut x| x.push_value(&row));
                pushed += u64::from(more.is_ok());
            }
            let closed = append.close();
            let Value::Int(there) = read(&disk, "/:NT") else { panic!("no number") };
            match closed {
                Ok(()) => assert_eq!(there, i128::from(pushed), "{fault:?} at {call}"),
                Err(_) => lost += 1,
            }
            if pushed == 5 && there == 5 && disk.calls() <= call {
                break;
            }
        }
        assert!(lost > 3, "{lost}");
    }
}

#[test]
fn a_record_costs_a_record() {
    let disk = empty("NT : i8  hist = [/ t = f8  r = f8[3]]*NT");
    let mut append = open(&disk);
    append.reserve(1 << 20).expect("space");
    let mut hist = append.records("/hist").expect("it grows");
    let mut push = |commits: u64| {
        let calls = disk.calls();
        for _ in 0..commits {
            hist.push(&[("t", 1.0.into()), ("r", (&[1.0, 2.0, 3.0]).into())]).expect("it fits");
            hist.commit().expect("space");
        }
        disk.calls() - calls
    };
    // A write and a sync of the data, and of the count.
    assert_eq!((push(10), push(1000)), (40, 4000));
}

#[test]
fn the_room_grows_with_the_stream_and_takes_no_space() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.bd");
    let layout = parse_layout(b"NT : i8  x = f8[NT, 1000]").expect("a layout");
    Writer::new(layout).param("/NT", 0).attach(true).write_file(&path, false).expect("space");
    let mut append = Append::open(&path).expect("it opens");
    let row = vec![0.5; 1000];
    let mut x = append.records("/x").expect("it grows");
    for _ in 0..1000 {
        x.push_value(&row).expect("it fits");
    }
    x.commit().expect("space");
    drop(x);
    drop(append);
    assert_eq!(inspect(&path).expect("a stream").len(), 1);
    assert_eq!(
        Stream::open(&path).and_then(|it| it.get("/x")?.read::<f64>()).expect("x").sum(),
        5e5
    );
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt;
        let metadata = std::fs::metadata(&path).expect("a file");
        assert!(metadata.len() > 9_000_000, "there is room");
        assert!(metadata.blocks() * 512 < 8_400_000, "{} blocks", metadata.blocks());
    }
}

#[test]
fn a_separate_layout_needs_no_room() {
    let layout = Arc::new(parse_layout(b"NT : i8  x = f8[NT]").expect("a layout"));
    let disk = Disk::new(Writer::new(layout.clone()).param("/NT", 0).to_bytes().expect("it fits"));
    let mut append = Append::storage(Arc::new(disk.clone()), Some(layout)).expect("it opens");
    let mut x = append.records("/x").expect("it grows");
    for _ in 0..3 {
        x.push_value(1.5).expect("it fits");
    }
    x.commit().expect("space");
    assert_eq!(disk.contents().len(), 48);
}

#[test]
fn records_are_cut_off_and_others_take_their_place() {
    let disk = empty("NT : i8  M : i4  hist = [/ t = f8  r = f4[M]]*NT");
    let mut append = open(&disk);
    let push = |append: &mut Append, t: f64| {
        let mut hist = append.records("/hist").expect("it grows");
        hist.push(&[("t", t.into()), ("r", (&[1.0_f32, 2.0]).into())]).expect("it fits");
    };
    (0..10).for_each(|t| push(&mut append, f64::from(t)));
    // Those that were pushed count, committed or not.
    append.truncate("hist", 4).expect("there are more");
    assert_eq!(stream(&disk).get("/hist").and_then(|it| it.len()).expect("a list"), 4);
    push(&mut append, 40.0);
    append.close().expect("space");
    assert_eq!(stream(&disk).get("/hist").and_then(|it| it.len()).expect("a list"), 5);
    assert_eq!(read(&disk, "/hist/3/t"), Value::Float(3.0));
    assert_eq!(read(&disk, "/hist/4/t"), Value::Float(40.0));
    // As if nothing else had ever been there, except for the padding before the layout.
    let fresh = empty("NT : i8  M : i4  hist = [/ t = f8  r = f4[M]]*NT");
    let mut append = open(&fresh);
    [0.0, 1.0, 2.0, 3.0, 40.0].into_iter().for_each(|t| push(&mut append, t));
    append.close().expect("space");
    assert_eq!(stream(&fresh).len(), stream(&disk).len());

    let mut append = open(&disk);
    let error = append.truncate("/hist", 6).expect_err("there are fewer").to_string();
    assert!(error.contains("`/hist`") && error.contains("at most the 5 records"), "{error}");
    append.truncate("/hist", 5).expect("nothing to do");
    append.truncate("/hist", 0).expect("none is left");
    append.close().expect("space");
    assert_eq!(stream(&disk).get("/hist").and_then(|it| it.len()).expect("a list"), 0);
}

#[test]
fn records_of_any_size_are_cut_off_where_nothing_stands_behind() {
    // Each record has its own length, so none can be pushed.
    let layout = parse_layout(b"NT : i8  hist = [/ M : i8  r = f8[M]]*NT").expect("a layout");
    let value = |length: usize| Value::Array(vec![Value::Float(0.5); length]);
    let bytes = (0..4).fold(Writer::new(layout).param("/NT", 4), |writer, at| {
        writer
            .param(format!("/hist/{at}/M"), at + 1)
            .put(format!("/hist/{at}/r"), value(at as usize + 1))
    });
    let disk = Disk::new(bytes.attach(true).to_bytes().expect("it fits"));
    let mut append = open(&disk);
    assert!(append.records("/hist").is_err(), "its records differ in size");
    append.truncate("/hist", 2).expect("nothing stands behind");
    append.close().expect("space");
    assert_eq!(read(&disk, "/hist/1/r"), value(2));
    assert_eq!(stream(&disk).data_end().expect("all is placed"), 24 + 8 + 8 + 8 + 16);

    for (text, values, reason) in [
        ("NT : i8  hist = f8[NT]  z = f8", 1, "`/z`"),
        ("NT : i8  hist = f8[NT]  w = f8[NT] @800", 2, "`/w`"),
        ("NT : 2  hist = f8[NT]", 0, "no param that is stored"),
        ("NT : i8  hist = [f8]*NT  hist[1]", 0, "no param"),
        ("NT : i8  hist = f8[NT] -> zstd(1)", 0, "filtered"),
    ] {
        let layout = parse_layout(text.as_bytes()).expect("a layout");
        let streamed = text.contains(": i8");
        let mut writer = Writer::new(layout);
        writer = if text.contains("hist[1]") {
            (0..3).fold(writer, |writer, at| writer.put(format!("/hist/{at}"), 0.5))
        } else {
            writer.put("/hist", &[0.5, 0.5])
        };
        if streamed {
            writer = writer.param("/NT", 2);
        }
        writer = match values {
            0 => writer,
            1 => writer.put("/z", 1.0),
            _ => writer.put("/w", &[1.0, 2.0]),
        };
        let disk = Disk::new(writer.attach(true).to_bytes().expect("it fits"));
        let before = disk.contents();
        let error = open(&disk).truncate("/hist", 1).expect_err(text);
        assert!(error.to_string().contains(reason), "{text}: {error}");
        assert!(disk.contents() == before, "{text}: nothing was changed");
    }
}

#[test]
fn records_own_their_appender() {
    struct History(dudley::append::Records<'static>);
    let disk = empty("NT : i8  time = f8[NT]");
    let mut history = History(open(&disk).into_records("/time").expect("it grows"));
    (0..3).for_each(|t| history.0.push_value(f64::from(t)).expect("it fits"));
    drop(history);
    // As with an appender that is dropped, nothing that was pushed is lost.
    assert_eq!(
        stream(&disk).get("/time").and_then(|it| it.read::<f64>()).expect("time").sum(),
        3.0
    );
    let mut history = History(open(&disk).into_records("/time").expect("it grows"));
    history.0.push_value(7.0).expect("it fits");
    history.0.close().expect("space");
    let found = stream(&disk);
    assert_eq!(found.get("/time").and_then(|it| it.read::<f64>()).expect("time").sum(), 10.0);
    found.check_layout_address().expect("right behind the data");
}
