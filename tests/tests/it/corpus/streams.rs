//! Whole streams: every item, param and value of them.

use std::path::Path;

use dudley::{Stream, StreamKind};
use dudley_tests::known;
use serde_json::Value as Json;

#[test]
fn streams_read_as_known() {
    let mut found = Vec::new();
    for folder in known::folders() {
        for case in known::streams(&folder) {
            let expected = known::json(&case.join("expected.json"));
            let differ = judge(&case, &expected);
            found.extend(differ.into_iter().map(|why| format!("{}: {why}", case.display())));
        }
    }
    super::report(&found);
}

pub(crate) fn open(case: &Path, expected: &Json) -> dudley::Result<Stream> {
    known::opener(case, expected)?.file(known::stream(case, expected))
}

fn judge(case: &Path, expected: &Json) -> Vec<String> {
    let stream = match open(case, expected) {
        Ok(stream) => stream,
        Err(error) => return vec![error.to_string()],
    };
    let mut differ = Vec::new();
    let kind = if stream.kind() == StreamKind::Native { "native" } else { "raw" };
    if expected["kind"] != kind || known::order(&expected["order"]) != Some(stream.order()) {
        differ.push(format!("it is {kind}, {:?}", stream.order()));
    }
    match stream.data_end() {
        Ok(end) if Some(end) == expected["data_end"].as_u64() => {}
        other => differ.push(format!("the data ends at {other:?}, not {}", expected["data_end"])),
    }
    for row in expected["params"].as_array().into_iter().flatten() {
        let path = row["path"].as_str().unwrap_or_default();
        let (outer, name) = path.rsplit_once('/').unwrap_or_default();
        let found = stream.get(&format!("{outer}/:{name}")).and_then(|item| item.value());
        match found.map(|value| known::spell(&value)) {
            Ok(value) if value == row["value"] => {}
            other => differ.push(format!("param {path} is {other:?}, not {}", row["value"])),
        }
    }
    for row in expected["items"].as_array().into_iter().flatten() {
        if let Err(why) = item(&stream, row) {
            differ.push(format!("{}: {why}", row["path"]));
        }
    }
    differ
}

fn item(stream: &Stream, row: &Json) -> Result<(), String> {
    let say = |error: dudley::Error| error.to_string();
    let item = stream.get(row["path"].as_str().unwrap_or_default()).map_err(say)?;
    let data = item.data().map_err(say)?;
    let mut found = serde_json::json!({
        "dtype": data.dtype_name(),
        "shape": data.shape(),
        "bytes": data.bytes(),
    });
    if data.bytes() > 0 {
        found["address"] = data.address().into();
    }
    if row.get("strides").is_some() {
        found["strides"] = data.strides().into();
    }
    if row.get("doc").is_some() {
        found["doc"] = item.doc().collect::<Vec<_>>().into();
    }
    if row.get("unit").is_some() {
        found["unit"] = item.unit().into();
    }
    for (key, value) in found.as_object().into_iter().flatten() {
        if row[key] != *value {
            return Err(format!("{key} is {value}, not {}", row[key]));
        }
    }
    let value = known::spell(&data.value().map_err(say)?);
    if known::same(&value, &row["value"]) {
        Ok(())
    } else {
        Err(format!("the value is {value}, not {}", row["value"]))
    }
}
