//! Files of Python's `asdf`: arrays by their addresses, and whole blocks.

use super::{How, Written, expect_not_constant, expect_truncated};
use dudley_tests::known;
use serde_json::{Value as Json, json};

/// The number of a block under a key, such as its address.
fn block(written: &Written, index: usize, key: &str) -> u64 {
    written.values["blocks"][index][key].as_u64().expect("a block")
}

#[test]
fn arrays_are_read_where_they_lie() {
    let Some(written) = Written::by("asdf_file.py") else { return };
    let mut how = How::layout("asdf-array.dud");
    how.params =
        vec![("TEMPERATURE", block(&written, 0, "data")), ("COUNTS", block(&written, 1, "data"))];
    let file = written.path("arrays.asdf");
    for name in ["temperature", "counts"] {
        how.expect(&file, &format!("/{name}"), &written.values[name]);
    }
    let unit =
        how.open(&file).and_then(|stream| Ok(stream.get("/temperature")?.unit() == Some("K")));
    assert!(unit.expect("the stream"));

    let behind = block(&written, 0, "data") + 3 * 4 * 8 - 1;
    let length = std::fs::metadata(&file).expect("the file").len();
    expect_truncated(&how, &file, (length - behind) as usize, "/temperature");
}

#[test]
fn a_block_is_a_layout() {
    let Some(written) = Written::by("asdf_file.py") else { return };
    let file = written.path("arrays.asdf");
    let counts = [1_i16, -2, 300, -400, 32767].map(i16::to_be_bytes).concat();
    for (index, payload) in [(1, Some(counts)), (2, None)] {
        let mut how = How::layout("asdf-block.dud");
        how.base = block(&written, index, "at");
        let used = block(&written, index, "used");
        let slack = block(&written, index, "allocated") - used;
        how.expect(&file, "/:HEADER", &json!(48));
        how.expect(&file, "/flags", &json!(0));
        how.expect(&file, "/:USED", &json!(used));
        how.expect(&file, "/later", &json!([]));
        let stream = how.open(&file).expect("a block");
        assert_eq!(stream.get("/slack").and_then(|it| it.shape()).expect("a shape"), [slack]);
        assert_eq!(stream.data_end().expect("an end"), 54 + used + slack);
        match payload {
            Some(bytes) => {
                how.expect(&file, "/payload", &json!(bytes));
                how.expect(&file, "/compression", &json!(""));
            }
            None => {
                how.expect(&file, "/compression", &json!("zlib"));
                inflated(&how, &written, used);
            }
        }
    }
}

/// The data of a compressed block: the same layout, with its payload as a filtered array.
fn inflated(how: &How, written: &Written, used: u64) {
    let text = std::fs::read_to_string(how.path()).expect("the layout");
    let text = text.replace("payload = u1[USED+0]", "payload = <i4[1000] -> zlib [USED+0] %1");
    let stream = dudley::Open::new()
        .layout_text(&text)
        .and_then(|open| open.base(how.base).file(written.path("arrays.asdf")))
        .expect("a block");
    let payload = stream.get("/payload").and_then(|item| item.data()).expect("the payload");
    assert_eq!(payload.bytes(), used);
    let large = known::unhex(written.values["large"].as_str().expect("bytes"));
    assert_eq!(payload.raw().expect("decoded"), large);
}

#[test]
fn what_is_no_block_is_refused() {
    let Some(written) = Written::by("asdf_file.py") else { return };
    let file = written.path("arrays.asdf");
    let mut how = How::layout("asdf-block.dud");
    how.base = block(&written, 1, "at");
    expect_not_constant(&how, &file, how.base as usize, "/magic");

    let length = std::fs::metadata(&file).expect("the file").len();
    let behind = block(&written, 1, "data") + 9;
    expect_truncated(&how, &file, (length - behind) as usize, "/payload");

    // Less allocated than used: the slack has a dimension below 0, and the rest is served.
    let at = how.base as usize + 14;
    let file =
        super::changed(&file, |bytes| bytes[at..at + 8].copy_from_slice(&9_u64.to_be_bytes()));
    assert_eq!(
        how.read(&file, "/payload").map(|it| it.as_array().map(Vec::len)).ok(),
        Some(Some(10))
    );
    let error = how.read(&file, "/slack").expect_err("a negative dimension").to_string();
    assert!(error.contains("-1"), "{error}");
    assert_eq!(how.read(&file, "/:ALLOCATED").ok(), Some(Json::from(9)));
}
