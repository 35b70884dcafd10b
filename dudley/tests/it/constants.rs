//! Do all ways to the data of a stream compare them with the constants of its layout, behind streamed params too?

use dudley::diff::Diff;
use dudley::stat::Survey;
use dudley::{Data, Error, Open, Result, Stream, Value};

const LAYOUT: &str = "N : u1
m = u1[4]  #: const = [1, 2, 3, 4]
t = S1[N, 2]  #: const = \"hi\"
s = {a = u1[2]  #: const = [7, 8]
 b = u1  #: const = 5
 in = {c = >u2 %1  #: const = 258
  f = b1}[2]
 v = u1}[N]
z = f4[N] %1  #: const = 0
l [/ k = u1  #: const = 9
 x = u1]*N
";

/// Two of everything; minus zero is zero, and any true is true.
fn sound() -> Vec<u8> {
    let mut bytes = vec![2, 1, 2, 3, 4];
    bytes.extend(b"hihi");
    for v in [1, 2] {
        bytes.extend([7, 8, 5, 1, 2, 0, 1, 2, 9, v]);
    }
    bytes.extend([0, 0, 0, 0, 0, 0, 0, 0x80, 9, 10, 9, 11]);
    bytes
}

fn open(bytes: Vec<u8>) -> Stream {
    Open::new()
        .layout_text(LAYOUT)
        .expect("as it should be")
        .raw()
        .bytes(bytes)
        .expect("as it should be")
}

/// An array, and every way to its bytes.
type Way = fn(&Data) -> Result<()>;

const WAYS: [(&str, Way); 6] = [
    ("raw", |data| data.raw().map(drop)),
    ("for_each_block", |data| data.for_each_block(&mut |_| Ok(()))),
    ("native", |data| data.native().map(drop)),
    ("value", |data| data.value().map(drop)),
    ("stat", |data| {
        let mut survey = Survey::new();
        survey.add_data(data.path(), data);
        survey.finish().errors.into_iter().next().map_or(Ok(()), Err)
    }),
    ("diff", |data| Diff::new().data(data.path(), data, data, &mut |found| drop(found))),
];

fn every_way(stream: &Stream, path: &str) -> Vec<(&'static str, Result<()>)> {
    let selected = dudley::read::select::select(stream, path).expect("as it should be");
    let data = selected.data().unwrap_or_else(|| panic!("{path} is an array"));
    WAYS.iter().map(|(name, way)| (*name, way(data))).collect()
}

#[test]
fn what_is_constant_is_read() {
    let stream = open(sound());
    for path in [
        "/m",
        "/m[1:3]",
        "/m[::-1]",
        "/t",
        "/t[1]",
        "/t[:,0]",
        "/s",
        "/s[1]",
        "/s.a",
        "/s[1:].a",
        "/s.a[:,1]",
        "/s.b",
        "/s.in",
        "/s.in.c",
        "/s.in.f",
        "/s.v",
        "/z",
        "/l[0]/k",
    ] {
        for (way, read) in every_way(&stream, path) {
            read.unwrap_or_else(|error| panic!("{path} {way}: {error}"));
        }
    }
    assert_eq!(
        stream
            .select("/m[1:3]")
            .expect("as it should be")
            .read::<u8>()
            .expect("as it should be")
            .into_raw_vec_and_offset()
            .0,
        [2, 3]
    );
}

#[test]
fn what_is_not_as_stated_is_not_handed_out() {
    // What is wrong, where, and the paths that have it.
    for (at, paths) in [
        (7, &["/t", "/t[1]", "/t[:,0]"][..]),
        (20, &["/s", "/s[1]", "/s.a", "/s[1].a", "/s.a[:,1]", "/s.a[1,0]"]),
        (21, &["/s", "/s[1]", "/s.b"]),
        (26, &["/s", "/s[1]", "/s.in", "/s.in.c", "/s[1].in.c"]),
        (31, &["/z", "/z[:1]"]),
        (39, &["/l[1]/k"]),
    ] {
        let mut bytes = sound();
        bytes[at] ^= 0x55;
        let stream = open(bytes);
        for path in paths {
            for (way, read) in every_way(&stream, path) {
                assert!(matches!(&read, Err(Error::Const { .. })), "{path} {way}: {read:?}");
            }
        }
        for path in ["/m", "/s[0]", "/s.v", "/s.in.f"] {
            for (way, read) in every_way(&stream, path) {
                read.unwrap_or_else(|error| panic!("{path} {way}, {at}: {error}"));
            }
        }
    }
}

#[test]
fn the_address_is_that_of_the_wrong_value() {
    let mut bytes = sound();
    bytes[26] = 7;
    match open(bytes)
        .get("/s")
        .expect("as it should be")
        .data()
        .expect("as it should be")
        .raw()
        .expect_err("it is wrong")
    {
        Error::Const { item, address, expected, found } => {
            assert_eq!((address, &*expected, &*found), (25, "258", "263"));
            assert!(item.to_string().contains("/s.in.c"), "{item}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn who_goes_on_is_told() {
    let mut bytes = sound();
    bytes[21] = 6;
    let told = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
    let count = told.clone();
    let open = Open::new().layout_text(LAYOUT).expect("as it should be").raw();
    let open = open.wrong_constants(move |_| {
        count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    });
    let stream = open.bytes(bytes).expect("as it should be");
    for (way, read) in every_way(&stream, "/s") {
        read.unwrap_or_else(|error| panic!("{way}: {error}"));
    }
    assert!(told.load(std::sync::atomic::Ordering::Relaxed) >= 1);
}

/// What the layout says in decimals is stored as the nearest number of the type.
#[test]
fn small_floats_hold_the_nearest_number() {
    let layout = "a = f4  #: const = 0.1\nb = f2[2]  #: const = [0.1, 65504]\nc = >f8  #: const = 0.1\n\
                  s = {x = f4  #: const = 16777217\n y = u1}[2]\nN : u1\nd = f4[N] %1  #: const = 0.1";
    let layout = dudley::parse_layout(layout.as_bytes()).expect("a layout");
    let value = |name: &str, value: dudley::Value| (name.to_owned(), value);
    let of = |x: f64| {
        let fields = vec![value("x", dudley::Value::Float(x)), value("y", dudley::Value::Int(1))];
        dudley::Value::Array(vec![
            dudley::Value::Struct(fields.clone()),
            dudley::Value::Struct(fields),
        ])
    };
    let written =
        |x: f64| dudley::Writer::new(layout.clone()).param("/N", 2).put("/s", of(x)).to_bytes();
    // 2^24 + 1 is none of `f4`: 2^24 is stored.
    assert!(matches!(written(16777219.0), Err(Error::WrongValue { .. })));
    for x in [16777217.0, 16777216.0] {
        let bytes = written(x).expect("as it should be");
        let stream =
            Open::new().layout(layout.clone()).bytes(bytes.clone()).expect("right constants");
        for path in ["/a", "/b", "/c", "/s", "/d", "/s.x"] {
            for (name, found) in every_way(&stream, path) {
                found.unwrap_or_else(|error| panic!("{path} {name}: {error}"));
            }
        }
        let mut other = bytes;
        other[16] ^= 1;
        let opened = Open::new().layout(layout.clone()).bytes(other);
        assert!(matches!(opened, Err(Error::Const { address: 16, .. })), "the next number");
    }
}

/// Params of lists and structs, and types that stand for a member which has a length of its own.
#[test]
fn params_and_types_of_any_size_are_compared() {
    let cases: [(&str, &[u8], &[u8], &str); 7] = [
        // What is the nearest `f4` is none of `f8`.
        (
            "T {n : u1  \"\" = f8[n] %1}\nm = T  #: const = [0.1]",
            b"\x01\x9a\x99\x99\x99\x99\x99\xb9\x3f",
            b"\x01\0\0\0\xa0\x99\x99\xb9\x3f",
            "/m",
        ),
        ("l [/ n : u1  #: const = 2\n v = u1 ]*2", &[2, 1, 2, 5], &[2, 1, 3, 5], "/l[:]/v"),
        (
            "l [/ n : u1  #: const = 2\n v = u1[n] ]*2",
            &[2, 1, 1, 2, 5, 5],
            &[2, 1, 1, 1, 5],
            "/l[:]/v",
        ),
        (
            "N : u1\nl [/ n : u1  #: const = 2\n v = u1[n] ]*N",
            &[2, 2, 1, 1, 2, 5, 5],
            &[2, 2, 1, 1, 1, 5],
            "/l[:]/v",
        ),
        (
            "S {n : u1  #: const = 2\n v = u1[n]}\ny = S[2]",
            &[2, 1, 1, 2, 5, 5],
            &[2, 1, 1, 1, 5],
            "/y",
        ),
        ("T {n : u1  \"\" = S1[n]}\nm = T  #: const = \"abc\"", b"\x03abc", b"\x03abX", "/m"),
        (
            "T {n : u1  \"\" = f4[n] %1}\nm = T  #: const = [0.1, 2]",
            b"\x02\xcd\xcc\xcc\x3d\0\0\0\x40",
            b"\x02\xce\xcc\xcc\x3d\0\0\0\x40",
            "/m",
        ),
    ];
    for (layout, right, wrong, path) in cases {
        let read = |bytes: &[u8]| {
            let stream = Open::new().layout_text(layout).expect("a layout").raw().bytes(bytes)?;
            dudley::read::select::select(&stream, path)?.value().map(drop)
        };
        read(right).unwrap_or_else(|error| panic!("{layout}: {error}"));
        let error = read(wrong).expect_err(layout);
        assert!(
            matches!(error.cause(), Error::Const { .. }) || error.to_string().contains("expected"),
            "{layout}: {error:?}"
        );
    }
}

/// A type of fixed size may have a param: what it is, is its one member, within another struct too.
#[test]
fn fields_of_types_with_a_param_are_read_and_compared() -> dudley::Result<()> {
    let text = "T {n : u1  \"\" = u1[2]}\nk = {\n  a = T  #: const = [5, 6]\n  b = T\n}[2]\ny = u1";
    let bytes = [2, 5, 6, 2, 7, 8, 2, 5, 6, 2, 9, 1, 3];
    let open = Open::new().layout_text(text)?.raw();
    let stream = open.clone().bytes(bytes)?;
    assert_eq!(stream.get("/y")?.scalar::<u8>()?, 3);
    let ints = |values: &[i128]| Value::Array(values.iter().copied().map(Value::Int).collect());
    let second = Value::Struct(vec![("a".into(), ints(&[5, 6])), ("b".into(), ints(&[9, 1]))]);
    assert_eq!(stream.select("/k[1]")?.value()?, second);
    assert_eq!(stream.select("/k[1].b")?.value()?, ints(&[9, 1]));
    let mut other = bytes;
    other[8] = 7;
    let read = open.bytes(other).and_then(|stream| stream.get("/k")?.value());
    assert!(matches!(read, Err(Error::Const { .. })), "{read:?}");
    Ok(())
}
