//! Stacks of many members; members that are gone, cut off, replaced, or of other shapes.

use dudley::family::{Build, Check, Family, MemberId, Missing, Read};
use dudley::ndarray::Array;
use dudley::{Error, Value, Writer, parse_layout};

use crate::family::make::{Folder, Member};

fn ids(ids: &[u64]) -> Vec<MemberId> {
    ids.iter().copied().map(MemberId).collect()
}

#[test]
fn the_first_dimension_is_the_member() {
    let folder = Folder::new();
    let family = folder.family((0..20).map(|n| Member::new(n, 4)));
    for threads in [1, 2, 7] {
        let read = Read::new().threads(threads);
        let stack = read.run(&family, "/rho[1:3, ::-1]", &family.ids()).expect("members");
        assert_eq!(stack.shape(), [20, 2, 2]);
        let expected = Array::from_shape_fn((20, 2, 2), |(n, zone, part)| {
            Member::rho(n as u32, zone as u32 + 1, 1 - part as u32)
        });
        assert_eq!(stack.array::<f64>().expect("f8"), expected.into_dyn());
        assert_eq!(stack.data().map(|data| data.dtype_name()).as_deref(), Some("<f8"));
    }
    // In any order, and more than once.
    let some = family.read("/last", &ids(&[7, 0, 7])).expect("members");
    assert_eq!(some.array::<u8>().expect("u1").as_slice(), Some(&[7, 0, 7][..]));
    let none = family.read("/rho", &[]).expect("no members");
    assert_eq!(none.shape(), [0, 4, 2]);
    // A param, and text.
    let zones = family.read("/:I", &ids(&[3])).expect("members").array::<i32>().expect("i4");
    assert_eq!(zones.as_slice(), Some(&[4][..]));
    let tags = family.read("/tag", &ids(&[3, 14])).expect("members").value().expect("text");
    assert_eq!(tags, Value::Array(vec![Value::Text("t3".into()), Value::Text("t4".into())]));
}

#[test]
fn both_byte_orders_are_one_array() {
    let folder = Folder::new();
    let member = |n: u32| match n % 2 {
        0 => Member::new(n, 4),
        _ => Member::new(n, 4).big(),
    };
    let family = folder.family((0..6).map(member));
    let rho = family.read("/rho[3, 1]", &family.ids()).expect("members").array::<f64>();
    let expected: Vec<f64> = (0..6).map(|n| Member::rho(n, 3, 1)).collect();
    assert_eq!(rho.expect("f8").as_slice(), Some(&expected[..]));
    let big = family.select("big").expect("members");
    assert_eq!(big, ids(&[1, 3, 5]));
    let data = family.read("/rho", &big).expect("members");
    assert_eq!(data.data().map(|data| data.dtype_name()).as_deref(), Some(">f8"));
}

#[test]
fn shapes_that_differ_are_named_or_given_side_by_side() {
    let folder = Folder::new();
    let family = folder.family([Member::new(0, 2), Member::new(1, 2), Member::new(2, 3)]);
    let error = family.read("/x", &family.ids()).expect_err("other shapes").to_string();
    assert_eq!(error, "`/x`: members differ: member 0 has i2[2], member 2 has i2[3]");
    let ragged = Read::new().ragged(true).run(&family, "/x", &family.ids()).expect("values");
    let ints = |ints: &[i128]| Value::Array(ints.iter().copied().map(Value::Int).collect());
    let expected = vec![ints(&[0, 1]), ints(&[1, 2]), ints(&[2, 3, 4])];
    assert_eq!(ragged.value().expect("values"), Value::Array(expected));
    // What they have in common is one array.
    let same = family.read("/x[:2]", &family.ids()).expect("members");
    assert_eq!(same.shape(), [3, 2]);
}

/// A family of which members 1 to 4 are no longer as they were.
fn damaged(folder: &Folder) -> Family {
    let family = folder.family((0..6).map(|n| Member::new(n, 3)));
    std::fs::remove_file(folder.path("1.bd")).expect("there");
    let short = &Member::new(2, 3).bytes()[..60];
    std::fs::write(folder.path("2.bd"), short).expect("space");
    Member::new(3, 30).write(&folder.path("3.bd"));
    Member::new(4, 3)
        .layout("{time : f8  I : i4  box = f4[2]  tag = S1[4]} rho = f8[I, 2] x = i2[I] last = u1")
        .write(&folder.path("4.bd"));
    family
}

#[test]
fn members_that_are_not_as_they_were_are_named_and_others_served() {
    let folder = Folder::new();
    let family = damaged(&folder);
    let all = family.ids();
    let error = family.read("/last", &all).expect_err("damage");
    let Error::Files { failed } = &error else { panic!("{error}") };
    let names: Vec<String> = failed
        .iter()
        .map(|(file, _)| file.file_name().expect("a name").to_string_lossy().into_owned())
        .collect();
    assert_eq!(names, ["1.bd", "2.bd", "3.bd", "4.bd"]);
    assert!(error.to_string().contains("1.bd: cannot open"), "{error}");
    assert!(error.to_string().contains("2.bd: it changed since the catalog was made"), "{error}");
    let skipped = Read::new().missing(Missing::Skip).run(&family, "/last", &all).expect("two");
    assert_eq!(skipped.members, ids(&[0, 5]));
    assert_eq!(skipped.array::<u8>().expect("u1").as_slice(), Some(&[0, 5][..]));
    let unserved: Vec<u64> =
        skipped.unserved.iter().flat_map(|it| &it.members).map(|id| id.0).collect();
    assert_eq!(unserved, [1, 2, 3, 4]);
    let filled = Read::new().missing(Missing::Fill(Value::Float(f64::NAN)));
    let filled = filled.run(&family, "/rho[2]", &all).expect("all");
    let rho = filled.array::<f64>().expect("f8");
    assert_eq!(filled.members, all);
    for n in 0..6 {
        let row = rho.index_axis(dudley::ndarray::Axis(0), n as usize);
        match n {
            0 | 5 => assert_eq!(row[1], Member::rho(n, 2, 1)),
            _ => assert!(row.iter().all(|value| value.is_nan())),
        }
    }
    let wrong = Read::new().missing(Missing::Fill(Value::Int(300))).run(&family, "/last", &all);
    assert!(matches!(wrong, Err(Error::WrongValue { .. })), "300 is no u1");
    // They are as good as gone for the typed and the plain way as well.
    assert!(matches!(
        family.member(MemberId(3)).and_then(|it| it.open()),
        Err(Error::Stale { .. })
    ));
}

#[test]
fn values_may_be_compared_with_the_catalog() {
    let folder = Folder::new();
    let family = folder.family((0..3).map(|n| Member::new(n, 3)));
    // Replaced by one of the same size, and the time put back.
    let path = folder.path("1.bd");
    let time = std::fs::metadata(&path).and_then(|it| it.modified()).expect("a time");
    Member::new(9, 3).write(&path);
    let file = std::fs::File::options().write(true).open(&path).expect("there");
    file.set_modified(time).expect("ours");
    assert!(family.read("/rho", &family.ids()).is_ok(), "nobody can know");
    let read = Read::new().check(Check::Values);
    let error = read.run(&family, "/rho", &family.ids()).expect_err("another").to_string();
    assert!(
        error.contains("1.bd: it changed since the catalog was made: expected time = 0.25"),
        "{error}"
    );
}

#[test]
fn only_the_bytes_asked_for_are_read() {
    let folder = Folder::new();
    let family = folder.family((0..3).map(|n| Member::new(n, 3)));
    // Everything but the element is damaged; size and time stay.
    for n in 0..3 {
        let path = folder.path(&format!("{n}.bd"));
        let place = family.locate("/rho[1, 1]", MemberId(n)).expect("a place");
        let at = place.spots[0].address as usize;
        let mut bytes = std::fs::read(&path).expect("there");
        let kept = bytes[at..at + 8].to_vec();
        bytes.fill(0xee);
        bytes[at..at + 8].copy_from_slice(&kept);
        let time = std::fs::metadata(&path).and_then(|it| it.modified()).expect("a time");
        std::fs::write(&path, bytes).expect("space");
        let file = std::fs::File::options().write(true).open(&path).expect("there");
        file.set_modified(time).expect("ours");
    }
    let rho = family.read("/rho[1, 1]", &family.ids()).expect("members").array::<f64>();
    let expected: Vec<f64> = (0..3).map(|n| Member::rho(n, 1, 1)).collect();
    assert_eq!(rho.expect("f8").as_slice(), Some(&expected[..]));
}

#[test]
fn members_are_filled_where_not_one_can_be_read() {
    let folder = Folder::new();
    let text = "{ M : i2 }\nx = f8[M, 3] -> zlib\nlast = f8\n\
                l = [/ K : i1  y = i2[K]]*M\np = {a = i2  b = f4[2]}\nm [u2]*M";
    let write = |at: usize, count: i16| {
        let layout = parse_layout(text.as_bytes()).expect("a layout");
        let x = Array::<f64, _>::zeros((count as usize, 3));
        let p = Value::Struct(vec![
            ("a".to_owned(), Value::Int(1)),
            ("b".to_owned(), Value::Array(vec![Value::Float(1.0); 2])),
        ]);
        let mut writer = Writer::new(layout).param("/M", count).put("/x", &x).put("/last", 1.0);
        for item in 0..count {
            writer = writer.param(format!("/l/{item}/K"), 1).put(format!("/l/{item}/y"), &[5_i16]);
            writer = writer.put(format!("/m/{item}"), 9_u16);
        }
        let path = folder.path(&format!("{at}.bd"));
        writer.put("/p", p).attach(true).write_file(&path, false).expect("space");
        path
    };
    let files = [write(0, 2), write(1, 2), write(2, 2), write(3, 4)];
    Build::new().create(folder.catalog(), &files, false).expect("a catalog");
    let family = Family::open(folder.catalog()).expect("a catalog");
    files[1..].iter().for_each(|file| std::fs::remove_file(file).expect("there"));
    let fill = |value: f64| Read::new().missing(Missing::Fill(Value::Float(value)));
    let (gone, some, other) = (ids(&[1, 2]), ids(&[0, 1]), ids(&[1, 3]));
    for (path, shape) in [
        ("/last", &[][..]),
        ("/x", &[2, 3]),
        ("/x[:, 1:]", &[2, 2]),
        ("/x[-1]", &[3]),
        ("/p.b", &[2]),
        ("/p.b[1]", &[]),
        ("/m[:]", &[2]),
        ("/m[-1]", &[]),
    ] {
        for (members, read) in [(&gone, fill(7.0)), (&some, fill(7.0))] {
            let stack = read.run(&family, path, members).expect(path);
            assert_eq!(stack.shape(), [&[2], shape].concat(), "{path} {members:?}");
            let text = format!("{:?}", stack.value().expect("values"));
            assert!(text.contains("7"), "{path}: {text}");
        }
        let wrong = Read::new().missing(Missing::Fill(Value::Text("abc".into())));
        let wrong = wrong.run(&family, path, &gone);
        assert!(matches!(wrong, Err(Error::WrongValue { .. })), "{path}: {wrong:?}");
    }
    // Of other shapes; and of a shape that only the member knows.
    assert!(matches!(fill(0.0).run(&family, "/x", &other), Err(Error::Unlike { .. })));
    let ragged = fill(0.0).ragged(true).run(&family, "/x[:, 0]", &other).expect("values");
    let zeros = |count| Value::Array(vec![Value::Float(0.0); count]);
    assert_eq!(ragged.value().expect("values"), Value::Array(vec![zeros(2), zeros(4)]));
    let error = fill(0.0).run(&family, "/l[0]/y", &gone).expect_err("not known");
    let Error::Files { failed } = &error else { panic!("{error}") };
    assert_eq!(failed.len(), 2);
    assert!(matches!(fill(0.0).run(&family, "/none", &gone), Err(Error::NoSuchItem { .. })));
}
