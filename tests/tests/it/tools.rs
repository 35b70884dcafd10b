//! Do `stat`, `diff` and `convert` find, and write, what numpy does?

use std::collections::BTreeMap;
use std::path::Path;

use dudley_tests::{command, python};
use serde_json::Value as Json;

/// A command of `dudc` in a folder.
fn dudc(folder: &Path, words: &[&str]) -> std::process::Command {
    let mut command = command::dudc().expect("dudc");
    command.current_dir(folder).args(words);
    command
}

/// Whether two numbers are the same except for the last digits, or the same text.
fn agree(ours: &Json, theirs: &Json, scale: f64) -> bool {
    match (ours.as_f64(), theirs.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-12 * scale.max(a.abs()),
        _ => ours == theirs,
    }
}

#[test]
fn numpy_finds_the_same() {
    let Some(python) = python::Python::get() else { return };
    if command::dudc().is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let said = python.run("tools.py", folder.path(), &["make"]);
    let expected: Json = serde_json::from_str(&said).expect("JSON");
    for name in ["arrays", "changed"] {
        let (from, to) = (format!("{name}.npz"), format!("{name}.bd"));
        command::success(&mut dudc(folder.path(), &["convert", &from, &to]));
    }
    statistics(folder.path(), &expected);
    differences(folder.path(), &expected);
    for (words, output) in [
        (&["convert", "arrays.bd", "back.npz"][..], "back.npz"),
        (&["convert", "arrays.bd", "small.npz", "--compress"], "small.npz"),
        (&["convert", "arrays.bd", "back"], "back"),
        // And through the layout that was made: arrays of numpy are given to it, text as text.
        (&["pack", "arrays.dud", "-o", "packed.bd", "--data", "arrays.npz", "--attach"], ""),
        (&["convert", "packed.bd", "packed.npz"], "packed.npz"),
        (&["convert", "back.npz", "again.bd", "--layout", "arrays.dud", "--order", "big"], ""),
        (&["convert", "again.bd", "again.npz"], "again.npz"),
    ] {
        if words[0] == "pack" {
            let layout = command::success(&mut dudc(folder.path(), &["detach", "arrays.bd"]));
            std::fs::write(folder.path().join("arrays.dud"), layout).expect("a layout");
        }
        command::success(&mut dudc(folder.path(), words));
        if !output.is_empty() {
            python.run("tools.py", folder.path(), &["check", output]);
        }
    }
}

fn statistics(folder: &Path, expected: &Json) {
    let said =
        command::success(&mut dudc(folder, &["stat", "arrays.bd", "--each", "--format", "json"]));
    let said: Json = serde_json::from_str(&said).expect("JSON");
    let mut found: BTreeMap<&str, Vec<&Json>> = BTreeMap::new();
    for item in said["items"].as_array().expect("items") {
        found.entry(item["path"].as_str().expect("a path")).or_default().push(item);
    }
    for (path, theirs) in expected["stat"].as_object().expect("an object") {
        let ours = found.get(path.as_str()).unwrap_or_else(|| panic!("no {path}"));
        let theirs = theirs.as_array().expect("a list");
        assert_eq!(ours.len(), theirs.len(), "{path}");
        for (ours, theirs) in ours.iter().zip(theirs) {
            let reach = |key: &str| theirs[key].as_f64().unwrap_or(0.0).abs();
            let scale = if reach("min").is_finite() { reach("min").max(reach("std")) } else { 1.0 };
            for key in ["count", "nan", "inf", "zeros"] {
                assert_eq!(ours[key], theirs[key], "{key} of {path}");
            }
            for key in ["min", "max", "mean", "std"] {
                let (ours, theirs) = (&ours[key], &theirs[key]);
                assert!(agree(ours, theirs, scale), "{key} of {path}: {ours} and {theirs}");
            }
        }
    }
}

/// Of integers to the last digit, whatever their mean; of floats except for the last digits of their spread.
#[test]
fn spread_is_that_of_fractions() {
    let Some(python) = python::Python::get() else { return };
    if command::dudc().is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let said = python.run("tools.py", folder.path(), &["spread"]);
    let expected: BTreeMap<String, Json> = serde_json::from_str(&said).expect("JSON");
    command::success(&mut dudc(folder.path(), &["convert", "spread.npz", "spread.bd"]));
    for jobs in ["1", "3"] {
        let words = ["stat", "spread.bd", "--jobs", jobs, "--format", "json"];
        let said: Json = serde_json::from_str(&command::success(&mut dudc(folder.path(), &words)))
            .expect("JSON");
        let mut found = BTreeMap::new();
        for item in said["items"].as_array().expect("items") {
            let part = item["part"].as_str().map_or(String::new(), |part| format!(" {part}"));
            found.insert(format!("{}{part}", item["path"].as_str().expect("a path")), item);
        }
        assert_eq!(found.len(), expected.len());
        for (path, theirs) in &expected {
            let ours = found[path];
            let number = |json: &Json| json.as_f64().unwrap_or_else(|| panic!("{path}: {json}"));
            let [(mean, std), (our_mean, our_std)] =
                [theirs, ours].map(|it| (number(&it["mean"]), number(&it["std"])));
            if theirs["whole"] == true {
                assert_eq!((our_mean, our_std), (mean, std), "{path}");
            }
            assert!(
                (our_mean - mean).abs() <= f64::EPSILON * (mean.abs() + std),
                "{path}: {our_mean} and {mean}"
            );
            assert!((our_std - std).abs() <= 1e-14 * std, "{path}: {our_std} and {std}");
        }
    }
}

fn differences(folder: &Path, expected: &Json) {
    let [rtol, atol] = ["rtol", "atol"].map(|key| expected[key].to_string());
    let words = ["diff", "arrays.bd", "changed.bd", "--rtol", &rtol, "--atol", &atol];
    let mut command = dudc(folder, &words);
    let output =
        command.args(["--format", "json", "--ignore", "/list"]).output().expect("dudc runs");
    assert_eq!(output.status.code(), Some(1));
    let said: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    let found = said["differences"].as_array().expect("a list").iter();
    let found: BTreeMap<&str, u64> =
        found.filter_map(|row| Some((row["path"].as_str()?, row["count"].as_u64()?))).collect();
    for (path, count) in expected["diff"].as_object().expect("an object") {
        if !path.starts_with("/list/") {
            let ours = found.get(path.as_str()).copied().unwrap_or(0);
            assert_eq!(ours, count.as_u64().expect("a number"), "{path}");
        }
    }
    let some = expected["diff"].as_object().expect("an object").values();
    assert!(some.filter(|count| count.as_u64() > Some(0)).count() > 20);
}
