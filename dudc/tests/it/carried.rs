//! What conversions carry: params, raw units of text, counts of structs, shapes of what is empty, units of times.

use crate::kit::Folder;

/// A raw stream with its layout, both called `s`.
fn raw(layout: &str, bytes: &[u8]) -> Folder {
    let folder = Folder::empty();
    folder.write("s.dud", layout);
    folder.write("s.raw", bytes);
    folder
}

/// The bytes of data of a native stream.
fn data(folder: &Folder, name: &str) -> Vec<u8> {
    let bytes = std::fs::read(folder.path(name)).expect("a file");
    let number = |at: usize| bytes[at..at + 8].try_into().expect("eight bytes");
    let end = match bytes[1] {
        b'<' => u64::from_le_bytes(number(8)),
        _ => u64::from_be_bytes(number(8)),
    };
    bytes[16..end as usize].to_vec()
}

#[test]
fn counts_of_structs_stay_whatever_they_count() {
    // Each with its bytes, and those in the other order.
    let cases: [(&str, &[u8], &[u8]); 12] = [
        // Text that ends in NULs.
        (
            "STR {n : u4  \"\" = S1[n]}\ns = STR[2]",
            b"\x05\0\0\0ab\0\0\0\0\0\0\x03\0\0\0c d\0",
            b"\0\0\0\x05ab\0\0\0\0\0\0\0\0\0\x03c d\0",
        ),
        ("STR {n : u2  \"\" = U2[n]}\ns = STR", b"\x03\0a\0b\0\0\0", b"\0\x03\0a\0b\0\0"),
        ("STR {n : u1  \"\" = U1[n]}\ns [STR]*2", b"\x02a\0\x01b", b"\x02a\0\x01b"),
        (
            "STR {n : u4  \"\" = U4[n]}\ns = STR",
            b"\x02\0\0\0a\0\0\0\0\0\0\0",
            b"\0\0\0\x02\0\0\0a\0\0\0\0",
        ),
        ("STR {n : u1  \"\" = S1[2, n]}\ns = STR", b"\x03a\0\0b\0\0", b"\x03a\0\0b\0\0"),
        (
            "STR {n : u1  \"\" = S1[n]}\ns = {a = STR  b = STR}",
            b"\x03ab\0\x02\0\0",
            b"\x03ab\0\x02\0\0",
        ),
        // A suffix that has no effect on 0, and would give it for 1.
        ("F {n : i1  \"\" = >u2[n-]}\ns = F[2]", b"\x01\0\x02\0\0\x07", b"\x01\0\x02\0\0\x07"),
        // A dimension that is gone.
        ("STR {n : i1  \"\" = S1[n]}\ns = STR[2]", b"\xffa\x01b", b"\xffa\x01b"),
        (
            "F {n : i4  \"\" = u4[n]}\ns = F",
            b"\xff\xff\xff\xff\x09\0\0\0",
            b"\xff\xff\xff\xff\0\0\0\x09",
        ),
        // Sums, as XDR has them, and a param that counts nothing.
        (
            "STR {n : u4  \"\" = S1[n+0]}\ns = STR[3]",
            b"\x03\0\0\0abc\0\0\0\0\0\x05\0\0\0hello\0\0\0",
            b"\0\0\0\x03abc\0\0\0\0\0\0\0\0\x05hello\0\0\0",
        ),
        ("F {k : u2  n : u2  \"\" = u2[n]}\ns = F", b"\x07\0\x01\0\x09\0", b"\0\x07\0\x01\0\x09"),
        ("F {n : u1  m : u1  \"\" = u2[n, m]}\ns = F[2]", b"\0\x07\0\x09", b"\0\x07\0\x09"),
    ];
    for (layout, little, big) in cases {
        let folder = raw(layout, little);
        for words in [
            "convert s.raw a.bd --layout s.dud --raw",
            "convert a.bd b.bd --order big",
            "convert b.bd c.bd --order little",
        ] {
            folder.done(words);
        }
        assert_eq!(data(&folder, "a.bd"), little, "{layout}");
        assert_eq!(data(&folder, "b.bd"), big, "{layout}");
        assert_eq!(data(&folder, "c.bd"), little, "{layout}");
        // In a larger file.
        folder.write("d.raw", [&[0; 48][..], little].concat());
        folder.done("convert d.raw d.bd --layout s.dud --raw --base 48");
        assert_eq!(data(&folder, "d.bd"), little, "{layout}");
        let exact = folder.done("dump a.bd --exact");
        folder.write("a.json", exact);
        folder.done("pack s.dud -o e.bd --data a.json --attach");
        assert_eq!(data(&folder, "e.bd"), little, "{layout}");
    }
}

#[test]
fn what_filters_stored_stays_in_the_same_order() {
    let folder = Folder::empty();
    folder.write("s.dud", "x = u2[300] -> zlib\nv = {n : u2  w = u2[n] -> zlib}[2]");
    folder.write(
        "s.json",
        r#"{"x": XS, "v": [{"n": 1, "w": [9]}, {"n": 2, "w": [8, 7]}]}"#
            .replace("XS", &format!("{:?}", [7; 300])),
    );
    folder.done("pack s.dud -o a.bd --data s.json --attach");
    folder.done("convert a.bd b.bd");
    assert_eq!(data(&folder, "b.bd"), data(&folder, "a.bd"));
    folder.done("convert a.bd c.bd --order big");
    folder.done("convert c.bd d.bd --order little");
    assert_eq!(data(&folder, "d.bd"), data(&folder, "a.bd"));
    assert_eq!(folder.done("diff a.bd c.bd"), "");
    // Damage is carried, and none of it is healed.
    let mut bytes = std::fs::read(folder.path("a.bd")).expect("a file");
    bytes[30] ^= 0x55;
    folder.write("a.bd", &bytes);
    folder.done("convert a.bd b.bd --force");
    assert_eq!(data(&folder, "b.bd"), data(&folder, "a.bd"));
    folder.fails("convert a.bd e.bd --order big", 1);
}

#[test]
fn a_length_of_the_stream_is_that_of_the_result() {
    let folder = raw("SZ : 0 #: stream_bytes\nh = u4\nx = u1[SZ-4]", b"\x02\0\0\0abcdef");
    let said = folder.fails("convert s.raw o.bd --layout s.dud --raw", 1);
    assert!(said.contains("does not describe a native stream"), "{said}");
    folder.write("s.json", folder.done("dump s.raw --layout s.dud --raw --exact"));
    folder.done("pack s.dud -o t.raw --raw --data s.json");
    assert_eq!(std::fs::read(folder.path("t.raw")).expect("a file"), b"\x02\0\0\0abcdef");
    folder.fails("pack s.dud -o o.bd --data s.json", 1);
    // One that says how far the data of a native stream reach, and a gap behind them.
    for x in ["u1[SZ-20]", "u1[SZ-24]"] {
        let text = format!("SZ : 0 #: stream_bytes\nh = u4\nx = {x}\n-\n");
        let mut bytes = b"\x8d<BD\r\n\x1a\n\x1a\0\0\0\0\0\0\0\x07\0\0\0abcdef".to_vec();
        bytes.extend(text.as_bytes());
        folder.write("n.bd", bytes);
        folder.done("convert n.bd o.bd --order big --force");
        assert!(folder.done("get o.bd /:SZ").starts_with("26"));
        assert_eq!(folder.done("get o.bd /x"), folder.done("get n.bd /x"));
    }
}

#[test]
fn records_beside_each_other_and_bytes_in_common_are_carried() {
    let folder = Folder::empty();
    folder.write("s.dud", "\"\" = {s = u1  t = u2}[2]\nx = u2 @32\ny = u1[2] @32");
    folder.write("s.json", r#"{"s": [1, 3], "t": [2, 4], "x": 5, "y": [5, 0]}"#);
    folder.done("pack s.dud -o a.bd --data s.json --attach");
    let mut bytes = std::fs::read(folder.path("a.bd")).expect("a file");
    // Gaps may hold anything, and are 0 then.
    bytes[17] = 0xee;
    folder.write("a.bd", &bytes);
    folder.done("convert a.bd b.bd");
    let expected = b"\x01\0\x02\0\x03\0\x04\0\0\0\0\0\0\0\0\0\x05\0";
    assert_eq!(data(&folder, "b.bd"), expected);
    // In the other order they are not the same bytes.
    let said = folder.fails("convert a.bd c.bd --order big", 1);
    assert!(said.contains("another item at the same address"), "{said}");
}

#[test]
fn what_lies_in_the_padding_of_something_else_is_written() {
    let folder = Folder::empty();
    for (layout, data, expected) in [
        (
            "a = {x = u1  y = u4}\nb = u1[3] @1",
            r#"{"a": {"x": 1, "y": 2}, "b": [3, 4, 5]}"#,
            &[1, 3, 4, 5, 2, 0, 0, 0][..],
        ),
        (
            "b = u1[3] @1\na = {x = u1  y = u4}[2] @0\nc = u1[3] @9",
            r#"{"a": [{"x": 1, "y": 2}, {"x": 6, "y": 7}], "b": [3, 4, 5], "c": [8, 9, 10]}"#,
            &[1, 3, 4, 5, 2, 0, 0, 0, 6, 8, 9, 10, 7, 0, 0, 0],
        ),
        // One in the padding of the other, both ways.
        (
            "a = {x = u1  y = u2 @6}\nb = {p = u2 @2  q = u2 @8} @0",
            r#"{"a": {"x": 1, "y": 2}, "b": {"p": 3, "q": 4}}"#,
            &[1, 0, 3, 0, 0, 0, 2, 0, 4, 0],
        ),
        (
            "\"\" = {x = u1  y = u4}[2]\nb = u1[3] @1",
            r#"{"x": [1, 2], "y": [3, 4], "b": [5, 6, 7]}"#,
            &[1, 5, 6, 7, 3, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0],
        ),
        // Of variable size, one instance after the other.
        (
            "a = {n : u1  y = u4[n]}[2]\nb = u1[3] @1\nc = u1[3] @9",
            r#"{"a": [{"n": 1, "y": [2]}, {"n": 0, "y": []}], "b": [3, 4, 5], "c": [6, 7, 8]}"#,
            &[1, 3, 4, 5, 2, 0, 0, 0, 0, 6, 7, 8],
        ),
        (
            "l = [{x = u1  y = u4}]*2\nN : u1 @1\nM : u2 @10",
            r#"{"l": [{"x": 1, "y": 2}, {"x": 3, "y": 4}], "N": 5, "M": 6}"#,
            &[1, 5, 0, 0, 2, 0, 0, 0, 3, 0, 6, 0, 4, 0, 0, 0],
        ),
        // A field in the padding of a field before it, and behind it.
        (
            "a = {p = {x = u1  y = u4}  z = u1[3] @1}",
            r#"{"a": {"p": {"x": 1, "y": 2}, "z": [3, 4, 5]}}"#,
            &[1, 3, 4, 5, 2, 0, 0, 0],
        ),
        (
            "a = {z = u1[3] @1  p = {x = u1  y = u4}[2] @0}",
            r#"{"a": {"p": [{"x": 1, "y": 2}, {"x": 6, "y": 7}], "z": [3, 4, 5]}}"#,
            &[1, 3, 4, 5, 2, 0, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0],
        ),
    ] {
        folder.write("p.dud", layout);
        folder.write("p.json", data);
        folder.done("pack p.dud -o p.raw --raw --data p.json --force");
        let packed = std::fs::read(folder.path("p.raw")).expect("a file");
        assert_eq!(&packed[..expected.len()], expected, "{layout}");
        // The same, of what is there.
        for nested in ["", " --nested"] {
            folder.write(
                "q.json",
                folder.done(&format!("dump p.raw --layout p.dud --raw --exact{nested}")),
            );
            folder.done("pack p.dud -o q.raw --raw --data q.json --force");
            assert_eq!(std::fs::read(folder.path("q.raw")).expect("a file"), packed, "{layout}");
        }
    }
    // Written anew, in the other order and back.
    for (layout, values) in [
        (
            "a = {x = u1  y = u4}[2]\nb = u1[3] @17",
            r#"{"a": [{"x": 1, "y": 2}, {"x": 3, "y": 4}], "b": [5, 6, 7]}"#,
        ),
        (
            "a = {n : u1  y = u4[n]}[2]\nb = u1[3] @25",
            r#"{"a": [{"n": 1, "y": [2]}, {"n": 0, "y": []}], "b": [3, 4, 5]}"#,
        ),
    ] {
        folder.write("p.dud", layout);
        folder.write("p.json", values);
        folder.done("pack p.dud -o p.bd --attach --data p.json --force");
        folder.done("convert p.bd q.bd --order big --force");
        assert_eq!(folder.done("get q.bd /b"), folder.done("get p.bd /b"), "{layout}");
        folder.done("convert q.bd r.bd --order little --force");
        assert_eq!(data(&folder, "r.bd"), data(&folder, "p.bd"), "{layout}");
    }
    // What both claim has one value.
    for (layout, data) in [
        ("a = {x = u1  y = u4}\nb = u1[4] @1", r#"{"a": {"x": 1, "y": 2}, "b": [3, 4, 5, 6]}"#),
        (
            "a = {n : u1  y = u4[n]}\nb = u1[4] @1",
            r#"{"a": {"n": 1, "y": [2]}, "b": [3, 4, 5, 6]}"#,
        ),
        (
            "a = {p = {x = u1  y = u4}  z = u1[4] @1}",
            r#"{"a": {"p": {"x": 1, "y": 2}, "z": [3, 4, 5, 6]}}"#,
        ),
    ] {
        folder.write("p.dud", layout);
        folder.write("p.json", data);
        folder.fails("pack p.dud -o p.raw --raw --data p.json --force", 1);
        folder.write("p.json", data.replace(", 6]", ", 2]"));
        folder.done("pack p.dud -o p.raw --raw --data p.json --force");
    }
}

#[test]
fn empty_arrays_keep_their_shape() {
    let one =
        [&[0; 4][..], &[1, 0, 0, 0], &1f64.to_le_bytes(), &2f64.to_le_bytes(), &3f64.to_le_bytes()];
    let folder = raw("P {n : u4 %1  x = f8[n+0, 3] %1}\np = P[2]", &one.concat());
    let shape = |path: &str| {
        let said =
            folder.done(&["get", "s.raw", path, "--layout", "s.dud", "--raw", "--format", "json"]);
        let begin = said.find("\"shape\": ").expect("a shape") + 9;
        said[begin..=begin + said[begin..].find(']').expect("its end")].to_owned()
    };
    for (path, expected) in [
        ("/p[0].x", "[0, 3]"),
        ("/p[1].x", "[1, 3]"),
        ("/p[0:1].x", "[1, 0, 3]"),
        ("/p[0].x[:, 1]", "[0]"),
        ("/p[0].x[0:0, 1:]", "[0, 2]"),
        ("/p[1].x[1:]", "[0, 3]"),
        // They differ.
        ("/p[:].x", "[2]"),
    ] {
        assert_eq!(shape(path), expected, "{path}");
    }
    folder.done("get s.raw /p[0].x --layout s.dud --raw -o x.npy");
    let npy = std::fs::read(folder.path("x.npy")).expect("a file");
    assert!(String::from_utf8_lossy(&npy).contains("'shape': (0, 3)"));
    folder.done("convert s.raw x.b2nd /p[0].x --layout s.dud --raw");
    assert!(folder.done("ls x.b2nd --format json").contains("\"shape\":[0,3]"));
    folder.done("get s.raw /p[0].x --layout s.dud --raw -o x.csv");
    assert_eq!(std::fs::read(folder.path("x.csv")).expect("a file"), b"");
    // Structs that are shown as their member.
    let folder = raw("F {n : u1  \"\" = u2[n, 3] %1}\ns = F[2]", &[0, 0]);
    folder.done("convert s.raw s.npz --layout s.dud --raw");
    let npz = std::fs::read(folder.path("s.npz")).expect("a file");
    assert!(String::from_utf8_lossy(&npz).contains("'shape': (2, 0, 3)"));
}

/// A zip archive of members, none of them compressed, with the number of the method that it says.
fn archive(members: &[(&str, Vec<u8>, u16)]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes, method) in members {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let mut common = [20_u16, 0, *method, 0, 0x21].map(u16::to_le_bytes).concat();
        let sizes = [crc.sum(), bytes.len() as u32, bytes.len() as u32].map(u32::to_le_bytes);
        common.extend(sizes.concat());
        common.extend([name.len() as u16, 0].map(u16::to_le_bytes).concat());
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend((file.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        file.extend(b"PK\x03\x04");
        file.extend(&common);
        file.extend(name.as_bytes());
        file.extend(bytes);
    }
    let count = members.len() as u16;
    let begin = file.len() as u32;
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([count, count].map(u16::to_le_bytes).concat());
    file.extend([directory.len() as u32, begin].map(u32::to_le_bytes).concat());
    file.extend([0, 0]);
    file
}

fn npy(descr: &str, bytes: &[u8]) -> Vec<u8> {
    let dict = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (2,), }}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((dict.len() as u16).to_le_bytes());
    file.extend(dict.as_bytes());
    file.extend(bytes);
    file
}

#[test]
fn members_of_archives_are_told_by_what_is_in_them() {
    let folder = Folder::empty();
    let array = |number: u8| npy("|u1", &[number, 7]);
    let members = [
        ("a", array(1), 0),
        ("b.npy", array(2), 0),
        ("d/", Vec::new(), 0),
        ("d/c.txt", array(3), 0),
        ("README", b"none of them".to_vec(), 0),
        ("more", Vec::new(), 0),
        ("../e", array(4), 0),
    ];
    folder.write("x.npz", archive(&members));
    let said = folder.run("convert x.npz o.bd");
    assert_eq!(said.status, 0, "{said:?}");
    assert!(said.err.contains("`README` and 1 more of its members"), "{said:?}");
    for (path, first) in [("/a", 1), ("/b", 2), ("/d/\"c.txt\"", 3), ("/\"..\"/e", 4)] {
        assert!(folder.done(&["get", "o.bd", path]).contains(&format!("[{first}, 7]")), "{path}");
    }
    for (method, name) in [(9, "deflate64"), (12, "bzip2"), (14, "lzma"), (93, "zstd"), (95, "xz")]
    {
        for member in ["a.npy", "a"] {
            folder.write("y.npz", archive(&[("b.npy", array(1), 0), (member, array(2), method)]));
            // The others are converted.
            let said = folder.run("convert y.npz p.bd --force");
            let method = format!("method {method}");
            assert!(said.status == 0 && said.err.contains("left out"), "{said:?}");
            assert!(said.err.contains(name) && said.err.contains(&method), "{said:?}");
            assert!(folder.done("get p.bd /b").contains("[1, 7]"));
        }
    }
}

#[test]
fn times_are_written_through_layouts_that_say_their_unit() {
    let folder = Folder::empty();
    let times = [1_i64, i64::MIN].map(i64::to_be_bytes).concat();
    folder.write("t.npy", npy(">M8[25s]", &times));
    folder.write("none.dud", "t = i8[2]");
    folder.write("same.dud", "t = i8[2] #: numpy = \"M8[25s]\"");
    folder.write("other.dud", "t = i8[2] #: numpy = \"M8[ns]\"");
    let said = folder.run("convert t.npy none.bd --layout none.dud");
    assert!(said.status == 0 && said.err.contains("`/t` is `M8[25s]`"), "{said:?}");
    let said = folder.run("convert t.npy same.bd --layout same.dud --order big");
    assert_eq!((said.status, &*said.err), (0, ""));
    let said = folder.fails("convert t.npy o.bd --layout other.dud", 1);
    assert!(said.contains("expected `M8[ns]`") && said.contains("`M8[25s]`"), "{said}");
    // There and back by each format.
    for between in ["bd", "asdf", "finf", "npz", "b2nd"] {
        folder.done(&format!("convert t.npy x.{between}"));
        folder.done(&format!("convert x.{between} {between}.npy"));
        let back = std::fs::read(folder.path(&format!("{between}.npy"))).expect("a file");
        assert!(String::from_utf8_lossy(&back).contains("'>M8[25s]'"), "{between}");
        assert!(back.ends_with(&times), "{between}");
    }
    folder.done("convert same.bd back.npy");
    assert!(std::fs::read(folder.path("back.npy")).expect("a file").ends_with(&times));
}

#[test]
fn numbers_in_messages_are_short() {
    let folder = Folder::empty();
    folder.write("s.dud", "x = u1");
    for (number, shown) in [("1e300", "(1e300)"), ("-2.5e-300", "(-2.5e-300)"), ("1.5", "(1.5)")] {
        folder.write("s.json", format!("{{\"x\": {number}}}"));
        let said = folder.fails("pack s.dud -o s.bd --data s.json", 1);
        assert!(said.contains(shown), "{said}");
    }
}
