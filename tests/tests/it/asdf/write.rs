//! Files that are written here: read by Python with all checks, and here.

use std::collections::BTreeMap;
use std::path::Path;

use asdf_bridge::asdf::{
    AsdfFile, Builder, Compression, Datatype, NewArray, NewMask, Open, Padding, Standard, Yaml,
};
use asdf_bridge::blosc2;
use dudley::elements::{Element, f16};
use dudley::ndarray::{Array, ArrayD, Axis, IxDyn, ShapeBuilder};
use dudley::num_complex::Complex;
use dudley::{ByteOrder, Primitive};
use dudley_tests::python::Python;
use serde_json::Value as Json;

use super::values::difference;

/// How blocks are compressed, if they are.
type Codec = Option<fn() -> Compression>;

const CODECS: [(&str, Codec); 6] = [
    ("none", None),
    ("zlib", Some(|| Compression::zlib(6))),
    ("bzp2", Some(|| Compression::bzp2(9))),
    ("lz4", Some(Compression::lz4)),
    ("lz4f", Some(Compression::lz4f)),
    ("zstd", Some(|| Compression::zstd(3))),
];

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

/// Arrays by their names, for which Python and we must find the same.
type Arrays = Vec<(String, NewArray<'static>)>;

fn file(arrays: Arrays) -> Builder<'static> {
    Builder::new().put("arrays", Yaml::mapping(arrays))
}

/// Elements of a type in all shapes, orders and layouts.
fn of_type<T: Element>(values: &[T], arrays: &mut Arrays) {
    for shape in [&[][..], &[1], &[7], &[0], &[3, 0, 2], &[2, 3], &[2, 3, 4]] {
        let count: usize = shape.iter().product();
        let elements: Vec<T> = values.iter().cycle().take(count).copied().collect();
        let array = ArrayD::from_shape_vec(IxDyn(shape), elements).expect("as many");
        let name = |what: &str| {
            let dims: Vec<String> = shape.iter().map(usize::to_string).collect();
            format!("{}_{}_{what}", T::PRIMITIVE.name(), dims.join("x"))
        };
        for order in ORDERS {
            let leaked: &'static ArrayD<T> = Box::leak(Box::new(array.clone()));
            arrays.push((name(&format!("{order:?}")), NewArray::in_order(leaked, order)));
        }
        let mut fortran = ArrayD::from_elem(IxDyn(shape).f(), T::default());
        fortran.assign(&array);
        arrays.push((name("fortran"), NewArray::from(fortran)));
        if shape.len() > 1 && count > 0 {
            let mut reversed = array.clone();
            reversed.invert_axis(Axis(0));
            arrays.push((name("reversed"), NewArray::from(reversed)));
        }
        if let [length] = shape
            && *length > 1
        {
            let base = NewArray::from(array.clone());
            let (size, length) = (T::SIZE as i64, *length as u64);
            let back = base.view((length - 1) * size as u64, &[length], &[-size]).expect("in it");
            arrays.push((name("back"), back));
            let some = base.view(size as u64, &[length / 2], &[2 * size]).expect("in it");
            arrays.push((name("some"), some));
            arrays.push((name("base"), base));
        }
    }
}

fn types() -> Arrays {
    let mut arrays = Arrays::new();
    of_type(&[i8::MIN, i8::MAX, 0, 1], &mut arrays);
    of_type(&[u8::MAX, 0, 1], &mut arrays);
    of_type(&[i16::MIN, i16::MAX, 0, 1], &mut arrays);
    of_type(&[u16::MAX, 0, 1], &mut arrays);
    of_type(&[i32::MIN, i32::MAX, 0, 1], &mut arrays);
    of_type(&[u32::MAX, 0, 1], &mut arrays);
    of_type(&[i64::MIN, i64::MAX, 0, 1], &mut arrays);
    of_type(&[u64::MAX, 0, 1], &mut arrays);
    of_type(&[0.5, -0.0, f16::NAN.to_f32(), f32::INFINITY].map(f16::from_f32), &mut arrays);
    of_type(&[0.1, -0.0, f32::NAN, f32::INFINITY, f32::MAX, f32::MIN_POSITIVE], &mut arrays);
    of_type(&[0.1, -0.0, f64::NAN, f64::NEG_INFINITY, f64::MAX, 1e16, 5e-324], &mut arrays);
    of_type(&[Complex::new(0.1_f32, -2.0), Complex::new(f32::NAN, f32::INFINITY)], &mut arrays);
    of_type(&[Complex::new(0.1, -2.0), Complex::new(-0.0, f64::NEG_INFINITY)], &mut arrays);
    of_type(&[true, false, false], &mut arrays);
    arrays.push(("ascii".into(), NewArray::texts(&["abc", "", "x y"])));
    arrays.push(("ucs4".into(), NewArray::texts(&["aé", "", "\u{10020}b"])));
    arrays
}

/// A table with structs in it, text, arrays, and both byte orders.
fn table() -> NewArray<'static> {
    let layout = "{ id = <i2 %1 pos = { lon = >f4 %1 lat = <f8 %1 }%1 k = >f4[3] %1 label = S1[4] \
                  name = <U4[2] %1 ok = b1 m = <c8[2, 2] %1 }%1";
    let stream = dudley::Open::new().layout_text(&format!("t = {layout}[5]")).expect("a layout");
    let size = 2 + 12 + 12 + 4 + 8 + 1 + 32;
    let bytes: Vec<u8> = (0..5 * size)
        .map(|at: usize| match at % size {
            26..30 => b'a' + (at / size) as u8,
            30..38 => {
                if at % 4 == 2 {
                    b'x'
                } else {
                    0
                }
            }
            38 => (at / size % 2) as u8,
            other => (other * 3 % 64) as u8,
        })
        .collect();
    // Characters are whole where they begin at a multiple of 4 of their own.
    let mut bytes = bytes;
    for row in 0..5 {
        bytes[row * size + 30..row * size + 38].copy_from_slice(&[b'x', 0, 0, 0, 0, 0, 0, 0]);
    }
    let stream = stream.raw().bytes(bytes).expect("a stream");
    NewArray::data(&stream.get("/t").expect("an item").data().expect("data")).expect("a type")
}

fn masks() -> Arrays {
    let ints = || NewArray::from(vec![1_i32, -99, 3, 4, -99, 6]);
    let floats = NewArray::from(vec![0.5, f64::NAN, 2.0]);
    let mask = NewArray::from(vec![true, false, false, false, false, true]);
    vec![
        ("number".into(), ints().masked(NewMask::Int(-99))),
        ("array".into(), ints().masked(NewMask::Array(mask))),
        ("nan".into(), floats.masked(NewMask::Nan)),
    ]
}

/// What we find in a file, as Python says it.
fn ours(file: &AsdfFile) -> BTreeMap<String, dudley::Value> {
    let arrays = file.get("/arrays").expect("arrays");
    let names = arrays.node().entries().map(|(key, _)| key.text().expect("a name").to_owned());
    let values = arrays
        .items()
        .into_iter()
        .map(|item| item.array().and_then(|array| array.value()).expect("an array that is read"));
    names.zip(values).collect()
}

/// What Python finds in files, by their names.
fn theirs(python: &Python, folder: &Path, names: &[String]) -> Json {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let read = python.run("asdf_read.py", folder, &names);
    serde_json::from_str(&read).expect("the script prints JSON")
}

fn compare(python: &Python, folder: &Path, names: &[String]) {
    let theirs = theirs(python, folder, names);
    let (mut wrong, mut count) = (Vec::new(), 0);
    for name in names {
        let file = AsdfFile::open(folder.join(name)).expect(name);
        let report = file.verify().expect(name);
        assert!(report.is_clean(), "{name}: {report:?}");
        for (path, value) in ours(&file) {
            count += 1;
            let theirs = &theirs[name][&path];
            if theirs.get("sum").is_some() {
                continue;
            }
            let shape: Vec<u64> =
                theirs["shape"].as_array().into_iter().flatten().filter_map(Json::as_u64).collect();
            let array = file.array(&format!("/arrays/{path:?}")).expect("an array");
            if shape != array.shape() {
                wrong.push(format!("{name} {path}: {:?} beside {shape:?}", array.shape()));
            }
            if let Some(why) = difference(&value, &super::python::value(&theirs["values"]), 0.0) {
                wrong.push(format!("{name} {path}: {why}"));
            }
        }
    }
    assert!(count >= names.len() && wrong.is_empty(), "{count}:\n{}", wrong.join("\n"));
}

#[test]
fn python_reads_all_that_is_written() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut names = Vec::new();
    let mut write = |name: &str, builder: &Builder<'_>| {
        builder.write_file(folder.path().join(name), false).expect(name);
        names.push(name.to_owned());
    };
    for (codec, compression) in CODECS {
        let mut builder = file(types());
        if let Some(compression) = compression {
            builder = builder.compression(compression());
        }
        write(&format!("{codec}.asdf"), &builder);
    }
    for standard in Standard::ALL {
        let tables = vec![("table".into(), table()), ("x".into(), NewArray::from(vec![1, 2]))];
        let mut builder = file(tables).standard(standard);
        if standard >= Standard::V1_3 {
            // Before there were none of more than 63 bits.
            builder = builder.put("big", i128::from(u64::MAX));
        }
        write(&format!("{}.asdf", standard.name()), &builder);
        // What was of another version is of this one.
        let newest = file(vec![("x".into(), NewArray::from(vec![1, 2]))]).to_bytes();
        let newest = Open::new().bytes(newest.expect("a file")).expect("a file");
        let tree = newest.root().and_then(|root| root.to_yaml()).expect("a tree");
        write(
            &format!("to_{}.asdf", standard.name()),
            &Builder::from_tree(tree).standard(standard),
        );
    }
    write("memmap.asdf", &file(types()));
    write("padded.asdf", &file(types()).padding(Padding::percent(20)).align(4096));
    write("bare.asdf", &file(types()).digests(false).index(false).align(1));
    write("masks.asdf", &file(masks()));
    // Python takes no literals of 64 bits, and no arrays without dimensions in a tree.
    write("inline.asdf", &file(types()).inline_up_to(10));
    write("inline_masks.asdf", &file(masks()).inline_up_to(10));
    // Structs in structs it cannot read from a tree, nor as many rows as a row has fields.
    let rows =
        dudley::Open::new().layout_text("t = { id = <i2 %1 k = >f4[2] %1 s = S1[2] %1 }%1[2, 2]");
    let rows = rows.expect("a layout").raw().bytes(b"\0\x01\x3f\x80\0\0\0\0\0\0ab".repeat(4));
    let rows = rows.expect("a stream").get("/t").and_then(|item| item.data()).expect("data");
    let flat = NewArray::data(&rows).expect("a type").inline();
    write("inline_table.asdf", &file(vec![("table".into(), flat)]));
    file(types()).write_exploded(folder.path().join("exploded.asdf"), false).expect("exploded");
    names.push("exploded.asdf".to_owned());
    compare(python, folder.path(), &names);
}

#[test]
fn python_reads_what_python_wrote_after_us() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let written = python.run("asdf_matrix.py", folder.path(), &[]);
    let written: Json = serde_json::from_str(&written).expect("the script prints JSON");
    let originals: Vec<String> = written.as_object().expect("files").keys().cloned().collect();
    let mut copies = Vec::new();
    for name in &originals {
        let file = AsdfFile::open(folder.path().join(name)).expect(name);
        let tree = file.root().and_then(|root| root.to_yaml()).expect(name);
        let copy = format!("copy_{name}");
        Builder::from_tree(tree).write_file(folder.path().join(&copy), false).expect(name);
        let again = AsdfFile::open(folder.path().join(&copy)).expect(name);
        let blocks = |file: &AsdfFile| file.blocks().expect("blocks").len();
        assert_eq!(blocks(&again), blocks(&file), "{name}");
        copies.push(copy);
    }
    compare(python, folder.path(), &copies);
    let (first, second) =
        (theirs(python, folder.path(), &originals), theirs(python, folder.path(), &copies));
    for name in &originals {
        assert_eq!(first[name], second[format!("copy_{name}")], "{name}");
    }
}

#[test]
fn python_reads_rows_that_were_streamed() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let datatype = Datatype::Number(Primitive::F4, ByteOrder::Big);
    let arrays = Yaml::mapping([
        ("first", NewArray::from(vec![1_u8, 2, 3])),
        ("rows", NewArray::streamed(datatype, &[3])),
    ]);
    let builder = Builder::new().put("arrays", arrays);
    let path = folder.path().join("stream.asdf");
    let mut rows = builder.begin_file(&path, false).expect("a file");
    for at in 0..1000 {
        let row = Array::from_shape_vec((1, 3), vec![at as f32, 0.5, -1.0]).expect("as many");
        rows.write(&row).expect("space");
    }
    assert!(rows.write(&Array::from_elem((1, 3), 1.0_f64)).is_err());
    assert!(rows.write(&Array::from_elem((1, 2), 1.0_f32)).is_err());
    assert_eq!(rows.rows(), 1000);
    assert!(!path.exists());
    rows.commit().expect("space");
    compare(python, folder.path(), &["stream.asdf".to_owned()]);
}

#[test]
fn what_python_cannot_read_is_read_here() {
    let square = Array::from_shape_vec((2, 2), vec![1_u16, 2, 3, 4]).expect("as many");
    let column = NewArray::from(vec![true, false]);
    let arrays = vec![
        ("table".to_owned(), table()),
        ("inline".into(), table().inline()),
        ("masked".into(), NewArray::from(square).masked(NewMask::Array(column))),
    ];
    let file = Open::new().bytes(file(arrays).to_bytes().expect("a file")).expect("a file");
    let values = ours(&file);
    assert_eq!(difference(&values["inline"], &values["table"], 0.0), None);
    assert!(file.array("/arrays/inline").expect("an array").source().is_none());
    let expected = [
        [dudley::Value::Null, dudley::Value::Int(2)],
        [dudley::Value::Null, dudley::Value::Int(4)],
    ];
    let expected = expected.map(|row| dudley::Value::Array(row.to_vec()));
    assert_eq!(values["masked"], dudley::Value::Array(expected.to_vec()));
}

#[test]
fn python_reads_chunks_of_blosc() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let values: Vec<i64> = (0..50_000).map(|at| at * at).collect();
    let codecs = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"];
    let mut wanted = Vec::new();
    for codec in codecs.map(|name| blosc2::Codec::of_name(name).expect(name)) {
        for compression in [Compression::blsc(codec, 5), Compression::bls2(codec, 9)] {
            let x = NewArray::from(&values[..]).compressed(compression);
            let file = Open::new().bytes(Builder::new().put("x", x).to_bytes().expect("a file"));
            let file = file.expect("a file");
            let block = file.block(0).expect("a block");
            let stored = file.source().bytes().expect("memory");
            let stored = &stored[block.data.start as usize..block.data.end as usize];
            assert!(stored.len() < 200_000, "{codec:?}: {}", stored.len());
            let name = format!("{}.bin", wanted.len());
            std::fs::write(folder.path().join(&name), stored).expect("space");
            wanted.push(name);
        }
    }
    let sums = python.run("asdf_blosc.py", folder.path(), &[]);
    let sums: BTreeMap<String, i64> = serde_json::from_str(&sums).expect("JSON");
    let sum: i64 = values.iter().sum();
    assert_eq!(sums, wanted.into_iter().map(|name| (name, sum)).collect());
}

#[test]
fn finf_files_are_written_as_pyfinf_did() {
    let Some(corpus) = std::env::var_os("DUDLEY_CORPUS") else { return };
    let folder = Path::new(&corpus).join("finf/a0833d8e");
    for name in ["one_f8_le", "all_dtypes", "views", "scalars"] {
        let path = folder.join(format!("{name}.finf"));
        let file = AsdfFile::open(&path).expect(name);
        let tree = file.root().and_then(|root| root.to_yaml()).expect(name);
        let copy = Builder::from_tree(tree).finf(false).to_bytes().expect(name);
        let old = std::fs::read(&path).expect(name);
        assert!(copy == old, "{name}:\n{}", String::from_utf8_lossy(&copy));
    }
    let new = tempfile::tempdir().expect("a folder");
    let array = NewArray::from((0..8_i64).collect::<Vec<_>>());
    let builder = Builder::new().put("data", array).finf(false);
    builder.write_exploded(new.path().join("exploded.finf"), false).expect("files");
    for name in ["exploded.finf", "exploded0000.finf"] {
        let read = |folder: &Path| std::fs::read(folder.join(name)).expect(name);
        assert!(read(new.path()) == read(&folder), "{name}");
    }
    let literal = builder.finf(true).to_bytes().expect("a file");
    assert!(literal.windows(6).any(|bytes| bytes == b"\x89BLK\0\x28"));
    let literal = Open::new().bytes(literal).expect("a file");
    assert_eq!(
        literal.array("/data").expect("an array").read::<i64>().expect("elements").sum(),
        28
    );
    for unfit in [NewArray::texts(&["a"]), NewArray::from(vec![true]), table()] {
        assert!(Builder::new().put("x", unfit).finf(false).to_bytes().is_err());
    }
}

#[test]
fn python_reads_all_texts_as_they_were() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let odd = [
        "",
        " ",
        "yes",
        "~",
        "1e3",
        "0x1f",
        "1:30",
        "-",
        "- a",
        "a: b",
        "a #b",
        "...",
        "---",
        "\n",
        "a\n\nb\n",
        "'",
        "\"",
        "\\",
        "\t",
        "\u{85}",
        "\u{2028}",
        "\u{feff}",
        "<<",
        "=",
        "*a",
        "&a",
        "!a",
        "%a",
        "@a",
        "`a",
        "{",
        "}",
        "[",
        "]",
        ",",
        "?",
        "? a",
        ":",
        "a:",
        "a,b",
        ".inf",
        "2001-12-14",
        "|",
        ">",
        "\0",
        "\u{7f}",
        "#A",
        "\r\n",
        "é",
        "\u{10020}",
        "http://x.org/#a",
        "a b  c",
        "y",
        "0o17",
        "/",
        ".",
        "_",
        "a?b",
        "a!b",
        "x*",
        "a&b",
    ];
    let long = "word ".repeat(80) + "end";
    let texts: Vec<&str> = odd.iter().copied().chain([long.as_str()]).collect();
    let keys = |style| {
        let entries = texts.iter().enumerate().map(|(at, text)| (*text, at as u64));
        Yaml::mapping(entries).styled(style)
    };
    use asdf_bridge::asdf::Style::{Block, DoubleQuoted, Flow, SingleQuoted};
    let styled = |style| Yaml::sequence(texts.iter().map(|text| Yaml::from(*text).styled(style)));
    let tree = Yaml::mapping([
        ("block", Yaml::sequence(texts.iter().copied()).styled(Block)),
        ("flow", Yaml::sequence(texts.iter().copied()).flow()),
        ("single", styled(SingleQuoted)),
        ("double", styled(DoubleQuoted)),
        ("keys", keys(Block)),
        ("flow keys", keys(Flow)),
    ]);
    let path = folder.path().join("texts.asdf");
    let none = Yaml::mapping::<&str, Yaml<'_>>([]);
    Builder::new().put("arrays", none).put("texts", tree).write_file(path, false).expect("a file");
    let read = theirs(python, folder.path(), &["texts.asdf".to_owned()]);
    let read = &read["texts.asdf"]["texts"];
    for list in ["block", "flow", "single", "double"] {
        let read: Vec<&str> =
            read[list].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        assert_eq!(read, texts, "{list}");
    }
    for map in ["keys", "flow keys"] {
        for (at, text) in texts.iter().enumerate() {
            assert_eq!(read[map][text], at, "{map} {text:?}");
        }
    }
}

#[test]
fn reference_files_are_written_again() {
    let Some(corpus) = std::env::var_os("DUDLEY_CORPUS") else { return };
    let mut count = 0;
    for version in Standard::ALL {
        let folder =
            Path::new(&corpus).join("asdf/asdf-standard/reference_files").join(version.name());
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let asdf = path.extension().is_some_and(|extension| extension == "asdf");
            let Some(file) = asdf.then(|| AsdfFile::open(&path).expect("a file")) else { continue };
            let tree = file.root().and_then(|root| root.to_yaml()).expect("a tree");
            let copy = Builder::from_tree(tree).standard(version).to_bytes().expect("a file");
            let copy = Open::new().bytes(copy).expect("a file");
            assert!(copy.verify().expect("a report").is_clean(), "{}", path.display());
            let (left, right) = (super::values::of(&file), super::values::of(&copy));
            let found = difference(&left.expect("values"), &right.expect("values"), 0.0);
            assert_eq!(found, None, "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 0);
}
