//! The examples of the language's source text: the addresses of everything in them.

use std::fs;

use dudley::{Open, Stream};
use dudley_tests::known;
use serde_json::Value as Json;

#[test]
fn examples_lie_where_they_should() {
    let mut found = Vec::new();
    for folder in known::folders() {
        let folder = folder.join("source-examples");
        let cases = known::json(&folder.join("expected.json"));
        for case in cases["cases"].as_array().into_iter().flatten() {
            let name = case["layout"].as_str().unwrap_or_default();
            let text = fs::read_to_string(folder.join(name)).expect("a layout");
            if let Err(why) = judge(case, &text) {
                found.push(format!("{name}, {}: {why}", case["given"]));
            }
        }
    }
    super::report(&found);
}

fn open(case: &Json, text: &str) -> dudley::Result<Stream> {
    let mut open = Open::new().layout_text(text)?;
    for (name, value) in case["given"].as_object().into_iter().flatten() {
        open = open.param(name, value.as_i64().unwrap_or_default());
    }
    open.source(known::Zeros { native: true })
}

fn judge(case: &Json, text: &str) -> Result<(), String> {
    let say = |error: dudley::Error| error.to_string();
    let stream = open(case, text).map_err(say)?;
    for row in case["items"].as_array().into_iter().flatten() {
        let path = row["path"].as_str().unwrap_or_default();
        let data = stream.get(path).and_then(|item| item.data()).map_err(say)?;
        let mut found = serde_json::json!({
            "path": path,
            "dtype": data.dtype_name(),
            "shape": data.shape(),
            "address": data.address(),
            "bytes": data.bytes(),
        });
        if row.get("strides").is_some() {
            found["strides"] = data.strides().into();
        }
        if found != *row {
            return Err(format!("{found}\n   not {row}"));
        }
    }
    for row in case["params"].as_array().into_iter().flatten() {
        let path = row["path"].as_str().unwrap_or_default();
        let item = stream.get(path).map_err(say)?;
        let value = item.param_value().map_err(say)?;
        let address = item.address().map_err(say)?;
        if Some(value) != row["value"].as_i64() || Some(address) != row["address"].as_u64() {
            return Err(format!("{path} is {value} @{address}, not {row}"));
        }
    }
    match stream.data_end().map_err(say)? {
        end if Some(end) == case["data_end"].as_u64() => Ok(()),
        end => Err(format!("the data ends at {end}, not {}", case["data_end"])),
    }
}
