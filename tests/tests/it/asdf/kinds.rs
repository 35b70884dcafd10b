//! What the tags of the core schemas mean, masks of all kinds, and who wrote a file.

use asdf_bridge::asdf::{AsdfFile, Code, Datatype, Error, Open, Source};
use dudley::Value;
use dudley::half::f16;

fn open(tree: &str) -> AsdfFile {
    let head = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    Open::new().bytes(format!("{head}{tree}\n...\n")).expect("it opens")
}

fn value(file: &AsdfFile, path: &str) -> Value {
    file.get(path).and_then(|item| item.value()).expect(path)
}

#[test]
fn core_tags_are_values() {
    let file = open(
        "c: !core/complex-1.0.0 (1-2.5j)\n\
         i: !core/integer-1.1.0 {sign: '-', string: ignored, words: !core/ndarray-1.1.0 {data: [5, 1], \
         datatype: uint32, shape: [2]}}\n\
         h: !core/integer-1.1.0 {sign: +, words: !core/ndarray-1.1.0 [0, 0, 0, 0, 1]}\n\
         t: !time/time-1.1.0 2010-01-01T00:00:00\nb: !!binary aGk=\nu: !unit/unit-1.0.0 m s-1\n",
    );
    assert_eq!(value(&file, "/c"), Value::Complex(1.0, -2.5));
    assert_eq!(value(&file, "/i"), Value::Int(-((1 << 32) + 5)));
    assert_eq!(value(&file, "/h"), Value::Text("340282366920938463463374607431768211456".into()));
    assert_eq!(value(&file, "/t"), Value::Text("2010-01-01T00:00:00".into()));
    assert_eq!(value(&file, "/b"), Value::Bits(b"hi".to_vec()));
    assert_eq!(value(&file, "/u"), Value::Text("m s-1".into()));
    assert_eq!(file.get("/u").expect("u").node().short_tag(), Some("unit/unit-1.0.0"));
}

#[test]
fn arrays_in_the_tree_have_the_types_of_python() {
    let file = open(
        "i: !core/ndarray-1.1.0 [1, 2]\nf: !core/ndarray-1.1.0 [[1, 2.5], [.inf, -.inf]]\n\
         b: !core/ndarray-1.1.0 [yes, no]\nt: !core/ndarray-1.1.0 {data: [a, bcd]}\n\
         c: !core/ndarray-1.1.0 [1, !core/complex-1.0.0 2j]\nn: !core/ndarray-1.1.0 {data: 5}\n\
         h: !core/ndarray-1.1.0 {data: [1.5, 1e-5], datatype: float16}\n\
         u: !core/ndarray-1.1.0 [18446744073709551615]\n\
         e: !core/ndarray-1.1.0 {data: [], shape: [0, 3], datatype: int8}\n\
         r: !core/ndarray-1.1.0\n  datatype: [{name: x, datatype: int8}, {name: y, datatype: [ascii, 2], \
         shape: [2]}]\n  data: [[1, [a, b]], [2, [c, dd]]]\n",
    );
    let name = |path: &str| file.array(path).and_then(|array| array.dtype_name()).expect(path);
    let names = ["/i", "/f", "/b", "/t", "/c", "/n", "/h", "/u", "/e"].map(name);
    assert_eq!(names, ["<i8", "<f8", "|b1", "<U4", "<c16", "<i8", "<f2", "<u8", "|i1"]);
    assert_eq!(file.array("/n").expect("n").shape(), [0_u64; 0]);
    assert_eq!(file.array("/e").expect("e").shape(), [0, 3]);
    let texts = file.array("/t").and_then(|array| array.read_texts()).expect("texts");
    assert_eq!(texts.as_slice().expect("plain"), ["a", "bcd"]);
    let halves = file.array("/h").and_then(|array| array.read::<f16>()).expect("floats");
    assert_eq!(halves[[0]].to_f64(), 1.5);
    let rows = file.array("/r").expect("rows");
    assert_eq!((rows.shape(), rows.datatype().size()), (&[2][..], Some(5)));
    let y = rows.data().and_then(|data| Ok(data.field("y")?.read_texts()?)).expect("a field");
    assert_eq!(y[[1, 1]], "dd");
    assert!(matches!(rows.datatype(), Datatype::Record(fields) if fields[1].shape == [2]));
    for bad in [
        "[1, [2]]",
        "[[1, 2], [3]]",
        "{data: [1, x], datatype: int8}",
        "{data: [300], datatype: int8}",
        "{data: [1, 2], shape: [3]}",
        "{data: [1], source: 0}",
        "{}",
        "{data: [!core/complex-1.0.0 2j], datatype: float64}",
    ] {
        let file = open(&format!("a: !core/ndarray-1.1.0 {bad}"));
        assert!(file.array("/a").and_then(|array| array.data()).is_err(), "{bad}");
    }
}

#[test]
fn masks_hide_elements() {
    let file = open(
        "nan: !core/ndarray-1.1.0 {data: [1.5, .nan, 2], mask: .nan}\n\
         int: !core/ndarray-1.1.0 {data: [[1, 2], [2, 3]], mask: 2}\n\
         num: !core/ndarray-1.1.0 {data: [1.5, 2.5], mask: 2.5}\n\
         big: !core/ndarray-1.1.0 {data: [9223372036854775807, 1], datatype: uint64, mask: \
         9223372036854775807}\n\
         cpx: !core/ndarray-1.1.0 {data: [1, !core/complex-1.0.0 2j], mask: !core/complex-1.0.0 2j}\n\
         arr: !core/ndarray-1.1.0 {data: [[1, 2], [3, 4]], mask: !core/ndarray-1.1.0 [no, yes]}\n\
         nul: !core/ndarray-1.1.0 {data: [a, null]}\n\
         rec: !core/ndarray-1.1.0 {data: [[1, 2], [3, 4]], datatype: [int8, int8], mask: \
         !core/ndarray-1.1.0 [yes, no]}\n\
         bad: !core/ndarray-1.1.0 {data: [1, 2], mask: !core/ndarray-1.1.0 [no, yes, no]}\n",
    );
    for (path, expected) in [
        ("/nan", "[Float(1.5), Null, Float(2.0)]"),
        ("/int", "[Array([Int(1), Null]), Array([Null, Int(3)])]"),
        ("/num", "[Float(1.5), Null]"),
        ("/big", "[Null, Int(1)]"),
        ("/cpx", "[Complex(1.0, 0.0), Null]"),
        ("/arr", "[Array([Int(1), Null]), Array([Int(3), Null])]"),
        ("/nul", "[Text(\"a\"), Null]"),
        ("/rec", "[Null, Struct([(\"f0\", Int(3)), (\"f1\", Int(4))])]"),
    ] {
        assert_eq!(format!("{:?}", value(&file, path)), format!("Array({expected})"), "{path}");
        let array = file.array(path).expect(path);
        assert_eq!(array.masked().expect(path).expect("a mask").shape().len(), array.shape().len());
    }
    assert!(file.array("/bad").and_then(|array| array.masked()).is_err());
    // Slices are masked as what they are slices of.
    let picked = file.select("/int[:, 1]").and_then(|picked| Ok(picked.value()?));
    assert_eq!(format!("{:?}", picked.expect("a slice")), "Array([Null, Int(3)])");
    let stored = file.select_stored("/int[1]").and_then(|picked| Ok(picked.value()?));
    assert_eq!(format!("{:?}", stored.expect("a slice")), "Array([Int(2), Int(3)])");
}

#[test]
fn chunks_are_put_together() {
    let chunk = |start: &str, data: &str| {
        format!(
            "{{start: {start}, ndarray: !core/ndarray-1.1.0 {{data: {data}, datatype: int16, byteorder: \
             big}}}}"
        )
    };
    let of = |shape: &str, chunks: &[String]| {
        let chunks = chunks.join(", ");
        open(&format!("a: !core/chunked-ndarray-1.0.0 {{shape: {shape}, chunks: [{chunks}]}}"))
    };
    let file = of("[2, 3]", &[chunk("[0, 0]", "[[1, 2]]"), chunk("[0, 2]", "[[3], [4]]")]);
    let array = file.get("/a").and_then(|item| item.chunked()).expect("an array in chunks");
    assert_eq!(array.read::<i16>().expect("read").as_slice(), Some(&[1, 2, 3, 0, 0, 4][..]));
    for (shape, chunk) in [
        ("[2, 3]", chunk("[1, 2]", "[[1, 2]]")),
        ("[2, 3]", chunk("[1]", "[1]")),
        ("[2]", chunk("[18446744073709551615]", "[1]")),
        ("[2]", "{start: [0]}".to_owned()),
    ] {
        let file = of(shape, std::slice::from_ref(&chunk));
        assert!(file.get("/a").and_then(|item| item.chunked()).is_err(), "{shape} {chunk}");
    }
    let sparse = of("[4294967296, 4294967296]", &[]);
    let sparse = sparse.get("/a").and_then(|item| item.chunked()).expect("an array");
    assert!(matches!(sparse.read::<i16>(), Err(Error::Limit { .. })));
}

#[test]
fn who_wrote_a_file_is_known() {
    let file = open(
        "asdf_library: !core/software-1.0.0 {name: asdf, version: 6.0.0, author: x}\n\
         history:\n  entries:\n  - !core/history_entry-1.0.0 {description: made, time: 2025-07-23}\n  \
         extensions:\n  - !core/extension_metadata-1.0.0\n    extension_class: a.B\n    software: \
         {name: c, version: '1'}\n",
    );
    assert_eq!(file.library().map(|library| library.version).as_deref(), Some("6.0.0"));
    let history = file.history();
    assert_eq!(history.entries[0].description, "made");
    assert_eq!(history.entries[0].time.as_deref(), Some("2025-07-23"));
    assert_eq!(history.extensions[0].class.as_deref(), Some("a.B"));
    let old = open("history:\n- {description: once, software: {name: x, version: 1.5}}\n");
    assert_eq!(old.history().entries[0].software[0].version, "1.5");
}

#[test]
fn sources_are_as_the_tree_has_them() {
    let array = "!core/ndarray-1.1.0 {source: x.asdf, datatype: int8, byteorder: big, shape: [1]}";
    let file = open(&format!("a: {array}"));
    let array = file.array("/a").expect("an array");
    assert_eq!(array.source(), Some(&Source::External("x.asdf".into())));
    assert!(matches!(array.data(), Err(Error::External { .. })));
    let none =
        open("a: !core/ndarray-1.1.0 {source: 3, datatype: int8, byteorder: big, shape: [1]}");
    let error = none.array("/a").and_then(|array| array.data()).expect_err("no block");
    assert_eq!(
        error.to_string(),
        "block 3: expected a block of this number, found 0 blocks in the file"
    );
}

#[test]
fn of_equal_keys_the_last_one_counts() {
    let text = "#ASDF 1.0.0\n%YAML 1.1\n---\nk: 1\nm: {k: 5, <<: {j: 1}, <<: {l: 2}}\nk: 2\n...\n";
    let file = Open::new().bytes(text.as_bytes()).expect("it opens");
    assert_eq!(file.get("/k").expect("a key").node().as_i64(), Some(2));
    let mut seen = Vec::new();
    file.walk(&mut |item| {
        seen.push((item.path().to_owned(), item.node().as_i64()));
        Ok(true)
    })
    .expect("a tree");
    assert_eq!(
        seen.iter().filter(|(path, _)| path == "/k").collect::<Vec<_>>(),
        [&("/k".into(), Some(2))]
    );
    let found = file.verify().expect("walked").findings;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (found[0].code, found[0].address),
        (Code::DuplicateKey, text.rfind("k:").unwrap_or(0) as u64)
    );
}
