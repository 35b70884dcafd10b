//! Files that Python's `asdf` writes: all types, shapes, orders, codecs, views, records, masks.

use asdf_bridge::asdf::{AsdfFile, Node, NodeKind, Tree};
use dudley::Value;
use dudley::elements::Conversion;
use dudley_tests::python::Python;
use serde_json::Value as Json;

use super::values::difference;

/// What the script says of an array, as a value.
pub(crate) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i128() {
            Some(value) if !number.is_f64() => Value::Int(value),
            _ => Value::Float(number.as_f64().expect("a float")),
        },
        Json::String(text) => match text.as_str() {
            "nan" => Value::Float(f64::NAN),
            "inf" => Value::Float(f64::INFINITY),
            "-inf" => Value::Float(f64::NEG_INFINITY),
            text => Value::Text(text.to_owned()),
        },
        Json::Array(items) => Value::Array(items.iter().map(value).collect()),
        Json::Object(parts) => {
            let part = |name: &str| match value(&parts[name]) {
                Value::Float(value) => value,
                other => panic!("{other:?}"),
            };
            Value::Complex(part("re"), part("im"))
        }
    }
}

#[test]
fn all_that_python_writes_is_read() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let written = python.run("asdf_matrix.py", folder.path(), &[]);
    let written: Json = serde_json::from_str(&written).expect("the script prints JSON");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (name, arrays) in written.as_object().expect("files by their names") {
        let file = AsdfFile::open(folder.path().join(name)).expect(name);
        let report = file.verify().expect(name);
        assert!(report.is_clean(), "{name}: {report:?}");
        super::corpus::read_in_place(&folder.path().join(name), &file).expect(name);
        for (path, expected) in arrays.as_object().expect("arrays by their paths") {
            count += 1;
            if let Err(why) = compare(&file, path, expected) {
                wrong.push(format!("{name} {path}: {why}"));
            }
        }
    }
    assert!(count > 1600, "{count}");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

fn compare(file: &AsdfFile, path: &str, expected: &Json) -> Result<(), String> {
    let array = file.array(&format!("/arrays/{path:?}")).map_err(|error| error.to_string())?;
    let shape: Vec<u64> =
        expected["shape"].as_array().into_iter().flatten().filter_map(Json::as_u64).collect();
    if array.shape() != shape {
        return Err(format!("shape {:?}, not {shape:?}", array.shape()));
    }
    if let Some(sum) = expected["sum"].as_i64() {
        let read = array.read_as::<i64>(Conversion::Lossless).map_err(|error| error.to_string())?;
        return if read.sum() == sum { Ok(()) } else { Err(format!("sum {}", read.sum())) };
    }
    let read = array.value().map_err(|error| error.to_string())?;
    difference(&read, &value(&expected["values"]), 0.0).map_or(Ok(()), Err)
}

/// A node with all scalars as text, as the script has it.
fn texts(node: Node<'_>) -> Json {
    match node.kind() {
        NodeKind::Scalar => node.text().unwrap_or_default().into(),
        NodeKind::Sequence => node.items().map(texts).collect(),
        NodeKind::Mapping => {
            let entries = node.entries();
            entries.map(|(key, value)| (texts(key).to_string(), texts(value))).collect()
        }
    }
}

#[test]
fn line_breaks_are_those_of_yaml_1_1() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cases = python.run("yaml_breaks.py", folder.path(), &["28", "4000"]);
    let cases: Vec<(String, Json, Json)> = serde_json::from_str(&cases).expect("cases");
    let read = |text: &str| Tree::parse(text).map(|tree| texts(tree.root()));
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (text, expected, plain) in cases {
        // What is read otherwise whatever the breaks are is no matter of these.
        let replaced = text.replace(['\u{85}', '\u{2028}', '\u{2029}'], "\n");
        if !plain.is_null() && read(&replaced).ok() != Some(plain) {
            continue;
        }
        count += 1;
        let found = read(&text);
        if found.as_ref().ok() != Some(&expected) {
            wrong.push(format!("{text:?}\n  {expected:?}\n  {found:?}"));
        }
    }
    assert!(count > 3000, "{count}");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}
