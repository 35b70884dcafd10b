//! `.npy` files: records, and bytes up to the end of the file.

use super::{How, Written, expect_not_constant, expect_truncated};
use dudley_tests::known;
use serde_json::{Value as Json, json};

fn how(count: u64) -> How {
    How { params: vec![("N", count)], ..How::layout("npy-records.dud") }
}

#[test]
fn records_are_read_field_by_field() {
    let Some(written) = Written::by("npy.py") else { return };
    let file = written.path("events.npy");
    let stream = how(7).open(&file).expect("the stream");
    let events = stream.get("/events").and_then(|item| item.data()).expect("the records");
    for (name, values) in written.values.as_object().expect("fields") {
        let Some(values) = (name != "pixels").then_some(values) else { continue };
        let field = events.field(name).and_then(|field| field.value()).expect("a field");
        assert!(known::same(&known::spell(&field), values), "{name} is {field:?}, not {values}");
    }
    let labels = events.field("label").and_then(|field| field.read_texts()).expect("labels");
    assert_eq!(labels.into_raw_vec_and_offset().0, ["e0", "e1", "e2", "e3", "e4", "e5", "e6"]);
    how(7).expect(&file, "/version", &json!([1, 0]));
    let all = how(7).get(&file, "/events");
    assert_eq!(all[6]["hits"], json!(60006));
    let length = std::fs::metadata(&file).expect("the file").len();
    assert_eq!(stream.data_end().expect("an end"), length);
}

#[test]
fn bytes_go_on_to_the_end_of_the_file() {
    let Some(written) = Written::by("npy.py") else { return };
    let how = How::layout("npy-bytes.dud");
    how.expect(&written.path("pixels.npy"), "/pixels", &written.values["pixels"]);
    // Some are cut off: then there are fewer.
    let cut = super::changed(&written.path("pixels.npy"), |bytes| bytes.truncate(bytes.len() - 2));
    let found = how.read(&cut, "/pixels").expect("bytes");
    assert_eq!(found.as_array().map(Vec::len), Some(198));
    // Cut within the header: there is no length to speak of.
    let cut = super::changed(&written.path("pixels.npy"), |bytes| bytes.truncate(20));
    let error = how.read(&cut, "/pixels").expect_err("no data at all").to_string();
    assert!(error.contains("HEADER") || error.contains("pixels"), "{error}");
}

#[test]
fn what_is_no_such_file_is_refused() {
    let Some(written) = Written::by("npy.py") else { return };
    let file = written.path("events.npy");
    expect_not_constant(&how(7), &file, 1, "/magic");
    expect_not_constant(&how(7), &file, 6, "/version");
    expect_truncated(&how(7), &file, 1, "/events");
    // More records than there are.
    let error = how(8).read(&file, "/events").expect_err("too many records");
    assert!(matches!(error, dudley::Error::Truncated { .. }), "{error}");
    // None, if nobody says how many.
    let none = How::layout("npy-records.dud").read(&file, "/events");
    assert_eq!(none.ok(), Some(Json::Array(Vec::new())));
}
