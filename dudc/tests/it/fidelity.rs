//! `dudc convert` between all formats and back: nothing is changed, or it is said.

use crate::kit::Folder;
use asdf_bridge::asdf::{AsdfFile, Builder, NewArray, Yaml};
use dudley::Value;

/// Through some formats, from the folder `in` to a folder of another name; what is said on the way.
#[track_caller]
fn through(folder: &Folder, formats: &[&str], out: &str) -> String {
    let (mut from, mut said) = ("in".to_owned(), String::new());
    for (at, format) in formats.iter().enumerate() {
        let to = format!("{out}{at}.{format}");
        said += &folder.says(&format!("convert {from} {to}"));
        from = to;
    }
    said + &folder.says(&format!("convert {from} {out}"))
}

/// The dict of a `.npy` file.
fn dict(descr: &str, shape: &str) -> String {
    format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}")
}

/// A `.npy` file.
fn npy(descr: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let dict = dict(descr, shape) + "\n";
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((dict.len() as u16).to_le_bytes());
    file.extend(dict.as_bytes());
    file.extend(bytes);
    file
}

/// The dict and the data of a `.npy` file.
fn parts(file: &[u8]) -> (String, Vec<u8>) {
    let end = 10 + usize::from(u16::from_le_bytes([file[8], file[9]]));
    let dict = String::from_utf8_lossy(&file[10..end]).trim_end().to_owned();
    (dict, file[end..].to_vec())
}

/// Types of numbers, with bytes of each.
const NUMBERS: [(&str, usize); 15] = [
    ("i1", 1),
    ("i2", 2),
    ("i4", 4),
    ("i8", 8),
    ("u1", 1),
    ("u2", 2),
    ("u4", 4),
    ("u8", 8),
    ("f4", 4),
    ("f8", 8),
    ("c8", 8),
    ("c16", 16),
    ("m8[us]", 8),
    ("M8[D]", 8),
    ("M8[25s]", 8),
];

/// Types that FINF does not have.
const OTHERS: [(&str, usize); 5] = [("f2", 2), ("b1", 1), ("U5", 20), ("S3", 3), ("V7", 7)];

/// Shapes, and how many elements each has.
const SHAPES: [(&str, usize); 4] = [("()", 1), ("(3,)", 3), ("(2, 2)", 4), ("(2, 0)", 0)];

/// Elements of a type: extremes of integers, finite floats, text that is shorter than its room.
fn elements(kind: &str, size: usize, count: usize, big: bool) -> Vec<u8> {
    let one = |at: usize| -> Vec<u8> {
        let mut bytes = match kind.as_bytes()[0] {
            b'f' | b'c' => vec![0x3f - (at as u8 & 7); size],
            b'b' => vec![at as u8 & 1],
            b'U' => {
                let text = ["héllo", "ab", "\u{1f600}", ""][at % 4];
                let mut units: Vec<u8> =
                    text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
                units.resize(size, 0);
                return if big {
                    units.chunks(4).flat_map(|unit| unit.iter().rev().copied()).collect()
                } else {
                    units
                };
            }
            b'S' => [*b"abc", *b"d\0\0", *b"ef\0", *b"g\0h"][at % 4].to_vec(),
            b'V' => (0..size as u8).map(|byte| byte.wrapping_mul(37)).collect(),
            // Least and greatest of signed and unsigned ones.
            _ => {
                let mut bytes = vec![[0x00, 0xff, 0xff, 0x00][at % 4]; size];
                bytes[size - 1] = [0x80, 0x7f, 0xff, 0x01][at % 4];
                bytes
            }
        };
        if big && kind.as_bytes()[0] != b'V' {
            bytes.reverse();
        }
        bytes
    };
    (0..count).flat_map(one).collect()
}

/// An array of each type, shape and byte order, in files of the folder `in`: their names.
fn matrix(folder: &Folder, types: &[(&str, usize)]) -> Vec<String> {
    let mut names = Vec::new();
    for (kind, size) in types {
        for (shape, count) in SHAPES {
            for big in [false, true] {
                let plain = *size == 1 || matches!(kind.as_bytes()[0], b'S' | b'V');
                // The order of a single number is no part of its value, and not kept by YAML.
                if big && (plain || shape == "()") {
                    continue;
                }
                let mark = if plain {
                    "|"
                } else if big {
                    ">"
                } else {
                    "<"
                };
                let name = format!("x{}", names.len());
                let bytes = elements(kind, *size, count, big);
                folder.write(
                    &format!("in/{name}.npy"),
                    npy(&format!("'{mark}{kind}'"), shape, &bytes),
                );
                names.push(name);
            }
        }
    }
    names
}

#[track_caller]
fn same(folder: &Folder, names: &[String], out: &str) {
    for name in names {
        let [a, b] = ["in", out].map(|of| parts(&folder.bytes(&format!("{of}/{name}.npy"))));
        assert_eq!(a, b, "{name} in {out}");
    }
}

#[test]
fn numbers_keep_values_and_types_through_all_formats() {
    let folder = Folder::empty();
    let names = matrix(&folder, &NUMBERS);
    let chains: [&[&str]; 5] = [
        &["bd"],
        &["asdf"],
        &["finf"],
        &["bd", "npz", "asdf", "bd"],
        &["asdf", "finf", "asdf", "npz", "finf", "bd", "asdf"],
    ];
    for (at, formats) in chains.iter().enumerate() {
        let out = format!("out{at}");
        assert_eq!(through(&folder, formats, &out), "", "{formats:?}");
        same(&folder, &names, &out);
    }
}

#[test]
fn other_types_are_kept_too() {
    let folder = Folder::empty();
    let mut names = matrix(&folder, &OTHERS);
    let fields = "[('a', '|i1'), ('t', '<M8[s]'), ('v', '|V3'), ('u', '<U2', (2,)), \
                  ('in', [('s', '|S2'), ('z', '>c8')])]";
    let record: Vec<u8> =
        (0..46).map(|byte| if (12..28).contains(&byte) { 0 } else { byte }).collect();
    folder.write("in/st.npy", npy(fields, "(1,)", &record[..38]));
    names.push("st".to_owned());
    for (at, formats) in
        [&["bd"][..], &["asdf"], &["bd", "npz", "asdf", "bd", "asdf"]].iter().enumerate()
    {
        let out = format!("out{at}");
        assert_eq!(through(&folder, formats, &out), "", "{formats:?}");
        same(&folder, &names, &out);
    }
    // Values alone, FINF says what it lacks.
    let said = folder.fails("convert in o.finf", 1);
    assert!(said.contains("which is what FINF has"), "{said}");
    assert!(!folder.path("o.finf").exists());
}

#[test]
fn arrays_go_through_frames() {
    let folder = Folder::empty();
    for (kind, size) in NUMBERS.iter().chain(&OTHERS) {
        let plain = *size == 1 || matches!(kind.as_bytes()[0], b'S' | b'V');
        let mark = if plain { "|" } else { "<" };
        let file = npy(&format!("'{mark}{kind}'"), "(3,)", &elements(kind, *size, 3, false));
        folder.write("x.npy", &file);
        folder.says("convert x.npy x.b2nd --force");
        folder.says("convert x.b2nd y.npy --force");
        assert_eq!(parts(&folder.bytes("y.npy")), parts(&file));
        folder.says("convert x.b2nd x.asdf --force");
        folder.says("convert x.asdf z.npy /data --force");
        assert_eq!(parts(&folder.bytes("z.npy")), parts(&file));
        folder.says("convert x.asdf w.b2nd /data --force");
        folder.says("convert w.b2nd w.npy --force");
        assert_eq!(parts(&folder.bytes("w.npy")), parts(&file));
    }
}

#[test]
fn gaps_of_structs_go_through_frames() {
    let folder = Folder::empty();
    let last = "('a', '<i4'), ('b', '|i1'), ('', '|V3')";
    for (fields, size) in [
        (format!("[{last}]"), 8),
        (format!("[('s', [{last}], (2,)), ('t', '<i2'), ('', '|V6')]"), 24),
        ("[('', '|V4'), ('a', '<i2'), ('', '|V1'), ('c', '|i1')]".to_owned(), 8),
    ] {
        let elements: Vec<u8> = (0..3 * size).map(|byte| byte as u8 + 1).collect();
        folder.write("x.npy", npy(&fields, "(3,)", &elements));
        folder.says("convert x.npy x.bd --force");
        folder.says("convert x.npy x.b2nd --force");
        folder.says("convert x.b2nd y.bd --force");
        folder.says("convert x.b2nd y.npy --force");
        folder.says("convert y.npy z.bd --force");
        // Behind the path and the type.
        let values = |words: &str| folder.done(words).split_once('\n').expect("lines").1.to_owned();
        let right = values("dump x.bd");
        for words in ["dump x.b2nd /data", "dump y.bd /data", "dump z.bd"] {
            assert_eq!(values(words), right, "{fields}: {words}");
        }
        let (part, whole) = (values("get x.b2nd /data[1:]"), values("get x.b2nd /data"));
        let line = |line: &str| whole.contains(line.trim_matches(['[', ']', ',', ' ']));
        assert!(part.lines().all(line), "{part}{whole}");
    }
}

#[test]
fn gaps_of_structs_are_kept_or_said_to_be_lost() {
    let folder = Folder::empty();
    let fields = "[('q', '|i1'), ('', '|V3'), ('r', '<i4'), ('', '|V15')]";
    let element: Vec<u8> =
        (0..23).map(|byte| if matches!(byte, 0 | 4..8) { byte } else { 0 }).collect();
    folder.write("in/g.npy", npy(fields, "(1,)", &element));
    assert_eq!(through(&folder, &["bd", "npz", "bd"], "out"), "");
    same(&folder, &["g".to_owned()], "out");
    let said = through(&folder, &["asdf"], "packed");
    assert!(said.contains("no place for the gaps between the fields of `/g`"), "{said}");
    let (dict, data) = parts(&folder.bytes("packed/g.npy"));
    assert!(dict.contains("[('q', '|i1'), ('r', '<i4')]"), "{dict}");
    assert_eq!(data, [0, 4, 5, 6, 7]);
}

#[test]
fn data_with_names_that_are_the_files_own_have_another_place() {
    let folder = Folder::empty();
    let names = ["history", "history_", "asdf_library"].map(str::to_owned);
    for (at, name) in names.iter().enumerate() {
        folder.write(&format!("in/{name}.npy"), npy("'|u1'", "(3,)", &[at as u8, 2, 3]));
    }
    for (at, formats) in
        [&["asdf"][..], &["bd", "asdf"], &["finf", "bd", "npz", "asdf"]].iter().enumerate()
    {
        let out = format!("out{at}");
        let said = through(&folder, formats, &out);
        assert_eq!(said.lines().count(), 3, "{formats:?}: {said}");
        assert!(said.lines().all(|line| line.contains("now, as data called so do")), "{said}");
        same(&folder, &names, &out);
    }
    let file = AsdfFile::open(folder.path("out00.asdf")).expect("a file");
    assert!(file.library().is_some() && !file.history().extensions.is_empty());
    assert_eq!(file.array("/history__").expect("an array").shape(), [3]);
    // FINF has no such keys; into ASDF such data are moved, and that is said.
    let said = folder.says("convert out20.finf moved.asdf");
    assert!(said.contains("`/history` is not what ASDF has there"), "{said}");
    assert_eq!(folder.done("get moved.asdf /history_"), "|u1[3]\n[0, 2, 3]\n");
    folder.says("convert moved.asdf moved.bd");
    assert_eq!(folder.done("get moved.bd /history"), "|u1[3]\n[0, 2, 3]\n");
    assert_eq!(folder.done("get moved.bd /history_"), "|u1[3]\n[1, 2, 3]\n");
    let refused = Builder::new().put("history", NewArray::from(vec![1_u8])).to_bytes();
    let refused = refused.expect_err("no history").to_string();
    assert!(refused.contains("such as `history_`"), "{refused}");
}

/// A file with all kinds of scalars.
fn scalars() -> Builder<'static> {
    let complex = dudley::num_complex::Complex::new(1.5, -2.0);
    Builder::new()
        .put("c", complex)
        .put("least", i64::MIN)
        .put("greatest", u64::MAX)
        .put("i", -5)
        .put("f", 0.1)
        .put("yes", true)
        .put("text", "hé\nllo")
        .put("empty", "")
        .put("bytes", Yaml::binary(&[0, 1, 255, 0]))
        .put("list", Yaml::sequence([Yaml::from(1), Yaml::from("x"), Yaml::from(2.5)]))
        .put("digits", Yaml::mapping([("0", 1), ("1", 2)]))
        .put("a/b", NewArray::from(vec![1_u16, 2]))
        .put("a\u{1}\\\"", 7)
        .put(":N", "no param")
}

#[test]
fn all_kinds_of_scalars_and_names_come_back() {
    let folder = Folder::empty();
    scalars().write_file(folder.path("a.asdf"), false).expect("written");
    let listed = folder.done("ls a.asdf");
    for (path, kind) in [("/c ", "complex"), ("/greatest ", "int"), ("/bytes ", "bytes")] {
        let line = listed.lines().find(|line| line.starts_with(path)).expect(path);
        assert!(line.contains(kind), "{line}");
    }
    assert!(!listed.contains("/words") && listed.contains("18446744073709551615"), "{listed}");
    assert_eq!(folder.says("convert a.asdf a.bd"), "");
    assert_eq!(folder.done("diff a.asdf a.bd"), "");
    let types = folder.done("ls a.bd");
    for (path, kind) in [
        ("/c ", "<c16"),
        ("/least ", "<i8"),
        ("/greatest ", "<u8"),
        ("/\"a/b\" ", "<u2"),
        ("/digits/\"1\" ", "<i8"),
    ] {
        let line = types.lines().find(|line| line.starts_with(path)).expect(path);
        assert!(line.contains(kind), "{line}");
    }
    assert_eq!(folder.says("convert a.bd b.asdf"), "");
    let ignored = "--ignore /history* --ignore /asdf_library*";
    assert_eq!(folder.done(&format!("diff a.asdf b.asdf {ignored}")), "");
    let file = AsdfFile::open(folder.path("b.asdf")).expect("a file");
    let value = |path: &str| file.get(path).and_then(|item| item.value()).expect(path);
    assert_eq!(value("/least"), Value::Int(i64::MIN.into()));
    assert_eq!(value("/greatest"), Value::Int(u64::MAX.into()));
    assert_eq!(value("/c"), Value::Complex(1.5, -2.0));
    assert_eq!(value("/bytes"), Value::Bits(vec![0, 1, 255, 0]));
    // FINF keeps tags with their versions.
    folder.says("convert b.asdf b.finf --force --explode");
    let plain =
        Builder::new().put("n", u64::MAX).put("c", dudley::num_complex::Complex::new(0.0, 1.0));
    plain.write_file(folder.path("p.asdf"), false).expect("written");
    folder.says("convert p.asdf p.finf");
    folder.says("convert p.finf q.asdf");
    assert_eq!(folder.done("diff p.asdf q.asdf"), "");
    let [p, q] = ["p.asdf", "q.asdf"].map(|name| AsdfFile::open(folder.path(name)).expect(name));
    for path in ["/n", "/c", "/asdf_library", "/history/extensions/0"] {
        let [p, q] =
            [&p, &q].map(|file| file.get(path).expect(path).node().tag().map(str::to_owned));
        assert_eq!(p, q, "{path}");
    }
    // Names that files cannot have are written by codes there.
    folder.says("convert a.asdf a.npz");
    folder.says("convert a.npz c.bd");
    assert_eq!(folder.done("ls a.bd").lines().count(), folder.done("ls c.bd").lines().count());
}

#[test]
fn what_has_no_form_is_said() {
    let folder = Folder::empty();
    let many = Builder::new()
        .put("x", 1)
        .put("none", Yaml::null())
        .put("list", Yaml::sequence::<Yaml<'_>>([]))
        .put("huge", i128::MAX);
    many.write_file(folder.path("a.asdf"), false).expect("written");
    let said = folder.says("convert a.asdf a.bd");
    assert!(
        said.contains(
            "`/list`, `/huge` of the tree are empty, or beyond 64 bits, and are left out"
        ),
        "{said}"
    );
    let nul = Builder::new().put("a\0b", 1);
    nul.write_file(folder.path("nul.asdf"), false).expect("written");
    let said = folder.fails("convert nul.asdf nul.bd", 1);
    assert!(said.contains("no name with a NUL"), "{said}");
    folder.write("n.dud", "\":N\" = i4");
    folder.write("n.json", "{\"items\": []}");
    folder.write("n.raw", [1, 0, 0, 0]);
    let said = folder.fails("convert n.raw n.asdf --layout n.dud --raw", 1);
    assert!(said.contains("would be the param of that name"), "{said}");
}

#[test]
fn units_come_back() {
    let folder = Folder::empty();
    let odd = "m (at sea), \"x\"";
    let file = Builder::new()
        .put("r", Yaml::quantity(NewArray::from(vec![1.0_f32, 2.0]), "g / cm3"))
        .put("t", Yaml::quantity(3.5, "s"))
        .put("n", Yaml::quantity(NewArray::from(vec![1_i16]), ""))
        .put("odd", Yaml::quantity(2, odd))
        .put("l", Yaml::sequence([Yaml::quantity(1.0, "m"), Yaml::quantity(2.0, "km")]))
        .put(
            "column",
            Yaml::mapping([("data", Yaml::from(NewArray::from(vec![1_u8]))), ("unit", "K".into())]),
        );
    file.write_file(folder.path("a.asdf"), false).expect("written");
    assert_eq!(folder.says("convert a.asdf a.bd"), "");
    let listed = folder.done("ls a.bd --format json");
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    let unit = |path: &str| {
        let items = listed["items"].as_array().expect("items");
        items.iter().find(|item| item["path"] == path).expect(path)["unit"].clone()
    };
    for (path, expected) in
        [("/r", "g / cm3"), ("/t", "s"), ("/n", ""), ("/odd", odd), ("/l/0", "m"), ("/l/1", "km")]
    {
        assert_eq!(unit(path), expected, "{path}");
    }
    assert_eq!(folder.done("diff a.asdf a.bd"), "");
    assert_eq!(folder.done("diff a.asdf a.bd /r[1:]"), "");
    for formats in [&["a.bd", "b.asdf"][..], &["a.bd", "c.finf", "c.bd", "d.asdf"]] {
        for pair in formats.windows(2) {
            assert_eq!(folder.says(&format!("convert {} {}", pair[0], pair[1])), "");
        }
        let last = formats[formats.len() - 1];
        let ignored = "--ignore /history* --ignore /asdf_library*";
        assert_eq!(folder.done(&format!("diff a.asdf {last} {ignored}")), "", "{last}");
    }
    let file = AsdfFile::open(folder.path("b.asdf")).expect("a file");
    assert_eq!(file.get("/r").expect("r").node().short_tag(), Some("unit/quantity-1.2.0"));
}

#[test]
fn slices_are_taken_of_all_kinds_of_files() {
    let folder = Folder::empty();
    let file = Builder::new()
        .put("x", NewArray::from(vec![1.0_f32, 2.0, 3.0, 4.0]))
        .put("q", Yaml::quantity(NewArray::from(vec![1_i8, 2, 3]), "m"));
    file.write_file(folder.path("a.asdf"), false).expect("written");
    folder.says("convert a.asdf a.bd");
    folder.says("convert a.asdf x.b2nd /x");
    for (file, path) in [("a.asdf", "/x"), ("a.bd", "/x"), ("x.b2nd", "/data")] {
        let slice = format!("{path}[1:3]");
        assert_eq!(folder.done(&format!("get {file} {slice}")), "<f4[2]\n[2.0, 3.0]\n");
        let dumped = folder.done(&format!("dump {file} {slice}"));
        assert_eq!(dumped, format!("{slice} = <f4[2]\n[2.0, 3.0]\n"));
        assert_eq!(folder.done(&format!("dump {file} {slice} --nested")), "[2.0, 3.0]\n");
        assert_eq!(folder.done(&format!("diff {file} {file} {slice}")), "");
        folder.says(&format!("convert {file} s.npy {slice} --force"));
        let (dict_of, data) = parts(&folder.bytes("s.npy"));
        assert_eq!(dict_of, dict("'<f4'", "(2,)"));
        assert_eq!(data, [2.0_f32.to_le_bytes(), 3.0_f32.to_le_bytes()].concat());
        folder.says(&format!("convert {file} s.b2nd {slice} --force"));
        assert_eq!(folder.done("get s.b2nd /data"), "<f4[2]\n[2.0, 3.0]\n");
    }
    assert_eq!(folder.done("diff a.asdf a.bd /x[1:]"), "");
    assert_eq!(folder.done("get a.asdf /q[1]"), "2\n");
    assert!(folder.done("stat a.asdf /q[1:]").contains(" 2.5 "));
    folder.says("convert a.asdf part.bd /x[1:3] /q[0:2]");
    assert_eq!(folder.done("get part.bd /x"), "<f4[2]\n[2.0, 3.0]\n");
    assert!(folder.done("ls part.bd /q").contains(" m"));
    folder.says("convert a.asdf part.npz /x[1:3]");
    let said = folder.fails("dump a.asdf /x[9]", 1);
    assert!(said.contains("out of range for a dimension of 4"), "{said}");
}
