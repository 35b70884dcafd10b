//! Small layouts: what is declared, where it lies, and what is read.

use dudley::{Open, Stream};
use dudley_tests::known;
use serde_json::Value as Json;

#[test]
fn layouts_resolve_to_what_is_known() {
    let mut found = Vec::new();
    for folder in known::folders() {
        let rows = known::rows(&folder, "resolved.json");
        let one_line = |row: &Json| judge(row).err().map(|why| format!("{}: {why}", row["name"]));
        found.extend(rows.iter().filter_map(one_line));
    }
    super::report(&found);
}

fn open(row: &Json) -> dudley::Result<Stream> {
    let mut open = Open::new().layout_text(row["text"].as_str().unwrap_or_default())?;
    let native = row["kind"] == "native";
    if !native {
        open = open.raw();
    }
    if let Some(order) = known::order(&row["order"]) {
        open = open.order(order);
    }
    match row["stream"].as_str() {
        Some(hex) => open.bytes(known::unhex(hex)),
        None => open.source(known::Zeros { native }),
    }
}

fn judge(row: &Json) -> Result<(), String> {
    let say = |error: dudley::Error| error.to_string();
    let stream = open(row).map_err(say)?;
    let listed = super::listing::of(&stream).map_err(say)?;
    let lines: Json = listed.lines.into();
    if lines != row["lines"] {
        return Err(format!("{lines}\n   not {}", row["lines"]));
    }
    if let Some(end) = row["end"].as_u64() {
        let found = stream.data_end().map_err(say)?;
        if found != end {
            return Err(format!("the data ends at {found}, not {end}"));
        }
    }
    for (path, address) in row["members"].as_object().into_iter().flatten() {
        let found = listed.members.get(path);
        if found.copied() != address.as_u64() {
            return Err(format!("{path} is at {found:?}, not {address}"));
        }
    }
    for (path, value) in row["values"].as_object().into_iter().flatten() {
        let item = stream.get(path).map_err(say)?;
        let found = known::spell(&item.value().map_err(say)?);
        if !known::same(&found, value) {
            return Err(format!("{path} is {found}, not {value}"));
        }
    }
    Ok(())
}
