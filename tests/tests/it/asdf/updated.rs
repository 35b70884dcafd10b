//! Updated files, and what is left of updates that were killed: Python's `asdf` reads them.

use std::path::Path;

use asdf_bridge::asdf::{AsdfFile, Compression, NewArray, Update, Yaml};
use dudley_tests::python::Python;
use serde_json::Value as Json;

use crate::asdf::disk::{Disk, Fault, Random};
use crate::asdf::model::{Action, Model, state_of};

fn read(python: &Python, folder: &Path, arguments: &[&str]) -> Vec<(String, Json)> {
    let read = python.run("asdf_updated.py", folder, arguments);
    let read: Json = serde_json::from_str(&read).expect("the script prints JSON");
    read.as_object().expect("files by their names").clone().into_iter().collect()
}

#[test]
fn python_reads_what_was_updated_without_a_warning() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    python.run("asdf_matrix.py", folder.path(), &[]);
    // What Python does not read as it wrote it is no matter of updates.
    let before = read(python, folder.path(), &["strict"]);
    let mut good = Vec::new();
    for (name, contents) in before {
        let path = folder.path().join(&name);
        match contents.get("error") {
            Some(_) => std::fs::remove_file(path).expect("it is there"),
            None => good.push((name, contents)),
        }
    }
    assert!(good.len() >= 10, "{}", good.len());
    for (at, (name, _)) in good.iter().enumerate() {
        let mut update = Update::open(folder.path().join(name)).expect(name);
        update.set("/count", at as i64).expect(name);
        update.set("/one", NewArray::from(vec![1.5_f32; 100 + at])).expect(name);
        let zeros = NewArray::from(vec![2_i64; 1000]).compressed(Compression::zlib(6));
        update.set("/note", Yaml::mapping([("text", "of: mine # not a comment")])).expect(name);
        update.set("/two", zeros).expect(name);
        update.commit().expect(name);
        // Once more, now that there is room behind the tree.
        let mut update = Update::open(folder.path().join(name)).expect(name);
        update.remove("/note").expect(name);
        update.set("/three", NewArray::from(vec![3_u8; 10])).expect(name);
        update.set("/one", NewArray::from(vec![2.5_f32; 100 + at])).expect(name);
        update.commit().expect(name);
        let file = AsdfFile::open(folder.path().join(name)).expect(name);
        assert!(file.verify().expect(name).is_clean(), "{name}: {:?}", file.verify());
    }
    let after = read(python, folder.path(), &["strict"]);
    assert_eq!(after.len(), good.len());
    for (at, ((name, contents), (_, before))) in after.iter().zip(&good).enumerate() {
        assert_eq!(contents.get("error"), None, "{name}");
        assert_eq!(contents["count"], at, "{name}");
        let arrays = &contents["arrays"];
        assert_eq!(arrays["one"][1], 2.5 * (100 + at) as f64, "{name}");
        assert_eq!(
            (&arrays["two"][1], &arrays["three"][1]),
            (&2000.0.into(), &30.0.into()),
            "{name}"
        );
        for (array, sum) in before["arrays"].as_object().expect("arrays") {
            assert_eq!(&arrays[array], sum, "{name} {array}");
        }
    }
}

/// The numbers of all arrays but some, by their paths.
fn numbers(file: &AsdfFile, but: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    file.walk(&mut |item| {
        if item.is_array() && !but.contains(&item.path()) {
            let value = item.value().map(|value| format!("{value:?}"));
            found.push((item.path().to_owned(), value.unwrap_or_else(|why| why.to_string())));
        }
        Ok(!item.is_array())
    })
    .expect("a tree");
    found
}

#[test]
fn files_of_all_times_are_updated() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut files = super::corpus::files("finf", &["finf"]);
    files.extend(super::corpus::files("asdf/history-0.1.0", &["asdf"]));
    files.extend(super::corpus::files("asdf/asdf-standard", &["asdf"]));
    for (at, from) in files.iter().enumerate() {
        let name = from.display();
        let path = folder.path().join(format!("{at}.asdf"));
        std::fs::copy(from, &path).expect("space");
        if let Ok(other) = std::fs::read(from.with_file_name("exploded0000.asdf")) {
            std::fs::write(folder.path().join("exploded0000.asdf"), other).expect("space");
        }
        if let Ok(other) = std::fs::read(from.with_file_name("exploded0000.finf")) {
            std::fs::write(folder.path().join("exploded0000.finf"), other).expect("space");
        }
        let old = AsdfFile::open(&path).expect("a file");
        let had_tree = old.tree().is_ok();
        let before = if had_tree { numbers(&old, &[]) } else { Vec::new() };
        let was_clean = old.verify().expect("readable").findings;
        for value in [1.5, 2.5] {
            let mut update = Update::open(&path).expect("a file");
            update.set("/mine", NewArray::from(vec![value; 100])).expect("an array");
            update.set("/count", 17).expect("a key");
            update.commit().unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let file = AsdfFile::open(&path).expect("a file");
        assert_eq!(numbers(&file, &["/mine"]), before, "{name}");
        let mine = file.array("/mine").and_then(|array| array.read::<f64>());
        assert_eq!(mine.unwrap_or_else(|error| panic!("{name}: {error}")).sum(), 250.0, "{name}");
        let findings = file.verify().expect("readable").findings;
        let codes = |all: &[asdf_bridge::asdf::Finding]| {
            all.iter().map(|finding| finding.code).collect::<Vec<_>>()
        };
        assert_eq!(codes(&findings), codes(&was_clean), "{name}: {findings:?}");
    }
}

#[test]
fn python_reads_what_a_killed_update_leaves() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (start, bytes) = Model::start(2000);
    let actions =
        [Action::Count, Action::Add(10), Action::Add(300), Action::Remove(3), Action::Replace(9)];
    let run = |disk: &Disk| {
        let mut model = start.clone();
        for action in actions {
            if model.on_disk(disk, action).is_err() {
                return (model.clone(), model.after(action));
            }
            model = model.after(action);
        }
        (model.clone(), model)
    };
    let whole = Disk::new(bytes.clone()).sectors();
    run(&whole);
    let mut random = Random::new(5);
    let mut expected = Vec::new();
    for call in 0..whole.calls() {
        for cut in [false, true] {
            let disk = Disk::new(bytes.clone()).sectors().fault(call, Fault::Part);
            let (before, after) = run(&disk);
            let left = if cut { disk.after_power_cut(&mut random) } else { disk.contents() };
            let model = state_of(&left, &[&before, &after]).clone();
            let name = format!("{call:03}-{cut}.asdf");
            std::fs::write(folder.path().join(&name), left).expect("space");
            expected.push((name, model));
        }
    }
    assert!(expected.len() > 40);
    let read = read(python, folder.path(), &[]);
    assert_eq!(read.len(), expected.len());
    for ((name, contents), (expected, model)) in read.iter().zip(&expected) {
        assert_eq!(name, expected);
        assert_eq!(contents.get("error"), None, "{name}");
        assert_eq!(
            (&contents["count"], &contents["arrays"]),
            (&model.count().into(), &model.sums()),
            "{name}"
        );
    }
}
