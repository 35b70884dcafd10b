//! What a catalog knows: members of both orders and kinds, several in a file, other layouts.

use dudley::family::{Build, Family, MemberId, Within};
use dudley::{ByteOrder, Error, Open, StreamKind, Value, parse_layout};

use crate::family::make::{Folder, LAYOUT, Member};

#[test]
fn a_catalog_holds_the_summary_of_each_member() {
    let folder = Folder::new();
    let family = folder.family([Member::new(0, 3), Member::new(7, 5).big()]);
    assert_eq!((family.len(), family.files()), (2, 2));
    let names: Vec<&str> = family.columns().iter().map(|column| &*column.name).collect();
    assert_eq!(names, ["time", "I", "box", "tag"]);
    let member = family.member(MemberId(1)).expect("there");
    assert_eq!(
        (member.kind(), member.order(), member.start()),
        (StreamKind::Native, ByteOrder::Big, 0)
    );
    assert_eq!(member.value("time").ok(), Some(Value::Float(1.75)));
    assert_eq!(member.value("I").ok(), Some(Value::Int(5)));
    let floats = vec![Value::Float(7.0), Value::Float(0.5)];
    assert_eq!(member.value("box").ok(), Some(Value::Array(floats)));
    assert_eq!(member.value("tag").ok(), Some(Value::Text("t7".into())));
    assert!(matches!(member.value("tim"), Err(Error::NoSuchItem { why, .. })
        if why.ends_with("did you mean `time`?")));
    assert!(matches!(family.member(MemberId(2)), Err(Error::NoSuchMember { .. })));
    assert_eq!(member.file_name().ok().as_deref(), Some("1.bd"));
    assert_eq!(family.unplaced(), [""; 0]);
}

#[test]
fn a_catalog_is_a_stream_like_any_other() {
    let folder = Folder::new();
    folder.family([Member::new(0, 3), Member::new(7, 5).big()]);
    let catalog = dudley::Stream::open(folder.catalog()).expect("a stream");
    let times = catalog.get("/summary").and_then(|it| it.data()).and_then(|it| it.field("time"));
    let times = times.and_then(|it| it.read::<f64>()).expect("a column");
    assert_eq!(times.as_slice(), Some(&[0.0, 1.75][..]));
    let names = catalog.get("/file/name").and_then(|it| it.read_text()).expect("names");
    assert_eq!(names, "0.bd1.bd");
    let template = catalog.get("/template").and_then(|it| it.read_text()).expect("a text");
    assert_eq!(template.trim(), LAYOUT.trim());
    let unit = catalog.layout().text();
    assert!(unit.contains("time = f8  ## (s) time"), "{unit}");
}

#[test]
fn places_agree_with_an_open_member() {
    let folder = Folder::new();
    let members = [(0, 3), (1, 0), (2, 1000), (3, 3)];
    let family = folder.family(members.map(|(n, i)| Member::new(n, i).big()));
    for (at, (n, i)) in members.into_iter().enumerate() {
        let id = MemberId(at as u64);
        let stream = Open::new().file(folder.path(&format!("{at}.bd"))).expect("a stream");
        for path in ["/time", "/I", "/x", "/rho", "/last", "/box"] {
            let item = stream.get(path).and_then(|item| item.data()).expect("an item");
            let found = family.locate(path, id).expect("a place");
            assert_eq!(found.spots.len(), 1);
            assert_eq!(found.spots[0].bytes, item.bytes());
            assert_eq!(found.shape, item.shape());
            assert_eq!(found.dtype, item.dtype_name());
            if item.bytes() > 0 {
                assert_eq!(found.spots[0].address, item.address(), "{path} of {n}");
            }
        }
        if i > 2 {
            // 16 bytes of signature, 24 of the summary; x at 40; rho at a multiple of 8 behind it.
            let rho = (40 + 2 * u64::from(i)).next_multiple_of(8);
            let found = family.locate("/rho[2, 1]", id).expect("a place");
            assert_eq!((found.spots[0].address, found.spots[0].bytes), (rho + 5 * 8, 8));
            assert!(found.spots[0].shape.is_empty());
        }
    }
    assert!(matches!(family.locate("/rh", MemberId(0)), Err(Error::NoSuchItem { .. })));
    assert!(matches!(family.locate("/rho[9]", MemberId(0)), Err(Error::BadSlice { .. })));
    assert!(matches!(family.locate("rho[", MemberId(0)), Err(Error::BadPath { .. })));
    assert!(matches!(family.locate("/rho", MemberId(4)), Err(Error::NoSuchMember { .. })));
}

#[test]
fn several_members_share_a_file() {
    let folder = Folder::new();
    let members: Vec<Vec<u8>> = [(0, 3), (1, 9), (2, 0), (3, 40)]
        .map(|(n, i)| match n % 2 {
            0 => Member::new(n, i).bare().bytes(),
            _ => Member::new(n, i).raw().bytes(),
        })
        .into();
    let mut file = Vec::new();
    let mut starts = Vec::new();
    for member in &members {
        file.resize(file.len().next_multiple_of(16), 0);
        starts.push(file.len() as u64);
        file.extend(member);
    }
    let path = folder.path("all.dat");
    std::fs::write(&path, &file).expect("space");
    let layout = parse_layout(LAYOUT.as_bytes()).expect("a layout");
    let build = Build::new().layout(layout);
    for within in [Within::Following, Within::At(starts.clone())] {
        build.clone().within(within).create(folder.catalog(), &[&path], true).expect("a catalog");
        let family = Family::open(folder.catalog()).expect("a catalog");
        assert_eq!((family.len(), family.files()), (4, 1));
        let found: Vec<u64> = family.members().map(|member| member.start()).collect();
        assert_eq!(found, starts);
        let kinds: Vec<bool> =
            family.members().map(|member| member.kind() == StreamKind::Native).collect();
        assert_eq!(kinds, [true, false, true, false]);
        let last = family.read("/last", &family.ids()).expect("members");
        assert_eq!(last.array::<u8>().expect("u1").as_slice(), Some(&[0, 1, 2, 3][..]));
        for (at, start) in starts.iter().enumerate() {
            let found = family.locate("/last", MemberId(at as u64)).expect("a place");
            let end = start + members[at].len() as u64;
            assert_eq!(found.spots[0].address, end - 1);
        }
    }
    let odd = build.clone().within(Within::At(vec![8])).create(folder.catalog(), &[&path], true);
    let odd = odd.expect_err("no start").to_string();
    assert!(
        odd.contains("a member cannot begin at byte 8: members begin at multiples of 16, the next"),
        "{odd}"
    );
    std::fs::write(&path, &file[..file.len() - 1]).expect("space");
    let cut = build.within(Within::Following).create(folder.catalog(), &[&path], true);
    assert!(cut.expect_err("cut off").to_string().contains("all.dat"));
}

#[test]
fn members_may_be_equally_far_apart() {
    let folder = Folder::new();
    let mut file = vec![0; 64];
    for n in 0..5 {
        file.extend(Member::new(n, 3).raw().big().bytes());
        file.resize(64 + 160 * (n as usize + 1), 0);
    }
    let path = folder.path("all.dat");
    std::fs::write(&path, &file).expect("space");
    let layout = parse_layout(LAYOUT.as_bytes()).expect("a layout");
    let build = Build::new().layout(layout).raw().order(ByteOrder::Big);
    let within = Within::Every { first: 64, step: 160 };
    build.within(within).create(folder.catalog(), &[&path], false).expect("a catalog");
    let family = Family::open(folder.catalog()).expect("a catalog");
    let rho = family.read("/rho[2, :]", &family.ids()).expect("members").array::<f64>();
    let expected: Vec<f64> =
        (0..5).flat_map(|n| [Member::rho(n, 2, 0), Member::rho(n, 2, 1)]).collect();
    let rho = rho.expect("f8");
    assert_eq!((rho.shape(), rho.as_slice()), (&[5, 2][..], Some(&expected[..])));
    // An update finds them in the same way.
    let report = Build::new().update(folder.catalog(), &[] as &[&str]).expect("a catalog");
    assert!(!report.written);
    file.extend(Member::new(5, 3).raw().big().bytes());
    std::fs::write(&path, &file).expect("space");
    let report = Build::new().update(folder.catalog(), &[] as &[&str]).expect("a catalog");
    assert_eq!((report.members, report.changed), (6, 1));
}

#[test]
fn another_layout_is_named_with_the_difference() {
    let folder = Folder::new();
    let same = "{ time:f8   I:i4 # zones\n box=f4[2] tag=S1[4] } x=i2[I] rho=f8[I,2] last=u1";
    let moved =
        "{time : f8  I : i4  box = f4[2]  tag = S1[4]}  x = i2[I]  rho = f8[I, 2]%16  last = u1";
    let files = folder.members([
        Member::new(0, 3),
        Member::new(1, 3).layout(same),
        Member::new(2, 5).layout(moved),
    ]);
    let error = Build::new().create(folder.catalog(), &files, false).expect_err("another layout");
    let said = error.to_string();
    assert!(said.contains("2.bd: `/rho`: the layout of the stream differs"), "{said}");
    assert!(said.contains("at address 56, found <f8[5, 2], 80 bytes at address 64"), "{said}");
    assert!(!folder.catalog().exists());
    let report = Build::new().skip_bad(true).create(folder.catalog(), &files, false);
    let report = report.expect("a catalog");
    assert_eq!((report.members, report.failed.len()), (2, 1));
    // With a layout given, that of the files does not matter.
    let layout = parse_layout(LAYOUT.as_bytes()).expect("a layout");
    let report = Build::new().layout(layout).create(folder.catalog(), &files, true);
    assert_eq!(report.expect("a catalog").members, 3);
}

#[test]
fn what_is_no_family_is_said() {
    let folder = Folder::new();
    let none = Build::new().create(folder.catalog(), &[folder.path("no.bd")], false);
    assert!(none.expect_err("no file").to_string().contains("no.bd"));
    std::fs::write(folder.path("raw"), [0; 64]).expect("space");
    let none = Build::new().create(folder.catalog(), &[folder.path("raw")], false);
    assert!(none.expect_err("no layout").to_string().contains("raw: no layout"));
    Member::new(0, 1).write(&folder.path("0.bd"));
    let no = Family::open(folder.path("0.bd")).expect_err("no catalog");
    assert!(matches!(no, Error::NotCatalog { .. }), "{no}");
    Build::new().create(folder.catalog(), &[folder.path("0.bd")], false).expect("a catalog");
    let again = Build::new().create(folder.catalog(), &[folder.path("0.bd")], false);
    assert!(matches!(again, Err(Error::Exists { .. })));
    // No flip of a byte in a catalog does more than make it an error, or a wrong place.
    let bytes = std::fs::read(folder.catalog()).expect("a catalog");
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0xff;
        std::fs::write(folder.path("damaged.bd"), &damaged).expect("space");
        if let Ok(family) = Family::open(folder.path("damaged.bd")) {
            for member in family.members().take(3) {
                let _ = (member.file(), member.value("time"), member.summary());
                let _ = family.locate("/rho", member.id());
                let _ = family.read("/rho", &[member.id()]);
            }
            let _ = family.select("time > 1 and file like '*'");
        }
    }
}

#[test]
fn params_outside_of_the_summary_are_held_too() {
    let folder = Folder::new();
    let layout = "g/ N : u2  x = u1[N]\n/ J : i4  y = u1[J]  s = {n : u1  t = u1[n]}  z = u1";
    let member = |n: u8, j: u8| {
        let mut bytes = vec![n, 0];
        bytes.resize(2 + usize::from(n), 10 + n);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes.extend([j, 0, 0, 0]);
        bytes.resize(bytes.len() + usize::from(j), 20 + j);
        bytes.extend([2, 8, 9, 50 + n]);
        bytes
    };
    let mut files = Vec::new();
    for (n, j) in [(3, 1), (1, 2), (3, 1)] {
        files.push(folder.path(&format!("{n}{j}{}", files.len())));
        std::fs::write(files.last().expect("one"), member(n, j)).expect("space");
    }
    let build = Build::new().layout(parse_layout(layout.as_bytes()).expect("a layout"));
    build.create(folder.catalog(), &files, false).expect("a catalog");
    let family = Family::open(folder.catalog()).expect("a catalog");
    let names: Vec<&str> = family.columns().iter().map(|column| &*column.name).collect();
    assert_eq!(names, ["/g/N", "J"]);
    assert_eq!(family.select("/g/N = 3 and J < 2").expect("members"), [MemberId(0), MemberId(2)]);
    // `y` is placed by both.
    let found = family.locate("/y", MemberId(1)).expect("a place");
    assert_eq!((found.spots[0].address, found.shape), (8, vec![2]));
    // What lies behind the struct of variable size is found by looking at the member.
    assert_eq!(family.unplaced(), ["/s"]);
    let z = family.read("/z", &family.ids()).expect("members").array::<u8>().expect("u1");
    assert_eq!(z.as_slice(), Some(&[53, 51, 53][..]));
    let t = family.read("/s.t", &family.ids()).expect("members").value().expect("values");
    let each = Value::Array(vec![Value::Int(8), Value::Int(9)]);
    assert_eq!(t, Value::Array(vec![each.clone(), each.clone(), each]));
    // A param that all were given is no column.
    let build = Build::new().layout(parse_layout(layout.as_bytes()).expect("a layout"));
    let files = [&files[0], &files[2]];
    build.param("J", 1).create(folder.catalog(), &files, true).expect("a catalog");
    let family = Family::open(folder.catalog()).expect("a catalog");
    assert_eq!(family.columns().len(), 1);
    assert_eq!(family.locate("/y", MemberId(1)).expect("a place").shape, [1]);
}
