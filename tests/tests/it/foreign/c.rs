//! Structs as C lays them out: by a C compiler, and by numpy, which knows C's rule.

use std::path::Path;
use std::process::Command;

use super::{How, Written, changed, expect_truncated};
use dudley_tests::{command, known, skip};
use serde_json::{Value as Json, json};

fn how() -> How {
    How::layout("c-struct.dud")
}

/// What both programs write.
fn samples() -> Json {
    let sample = |i: i64| {
        json!({
            "kind": -i,
            "value": i as f64 * 0.3,
            "channel": [i, 2 * i, -3 * i],
            "point": {"x": i as f64 / 2.0, "good": i % 2 == 1},
            "stamp": 1_000_000_000_000_000 + i,
        })
    };
    (0..5).map(sample).collect()
}

fn check(file: &Path, size: &str) {
    how().expect(file, "/samples", &samples());
    how().expect(file, "/:N", &json!(5));
    let stream = how().open(file).expect("the stream");
    let data = stream.get("/samples").and_then(|item| item.data()).expect("the structs");
    assert_eq!(data.strides()[0].to_string(), size);
    let stamps = data.field("point").and_then(|point| point.field("x")?.value()).expect("a field");
    assert!(known::same(&known::spell(&stamps), &json!([0.0, 0.5, 1.0, 1.5, 2.0])));

    expect_truncated(&how(), file, 1, "/samples");
    // A count that is none: what needs it says so, with the value and where it was read.
    let wrong = changed(file, |bytes| bytes[..8].copy_from_slice(&(-7_i64).to_ne_bytes()));
    let error = how().read(&wrong, "/samples").expect_err("no count").to_string();
    assert!(error.contains("-7") && error.contains('N'), "{error}");
    assert_eq!(how().read(&wrong, "/:N").ok(), Some(json!(-7)));
}

#[test]
fn a_compiler_and_a_layout_agree() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (program, file) = (folder.path().join("samples"), folder.path().join("samples.bin"));
    let source = dudley_tests::root().join("tests/c/samples.c");
    match Command::new("cc").arg("-o").arg(&program).arg(source).output() {
        Err(error) => return skip(&format!("no C compiler: {error}")),
        Ok(made) => assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr)),
    }
    let size = command::success(Command::new(&program).arg(&file));
    check(&file, size.trim());
}

#[test]
fn numpy_and_a_layout_agree() {
    let Some(written) = Written::by("records.py") else { return };
    check(&written.path("samples.bin"), &written.values["size"].to_string());
}
