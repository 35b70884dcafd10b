//! FITS files beside astropy: arrays, columns, cells and cards of files of all kinds, and those of a corpus.

use std::path::{Path, PathBuf};

use dudley::model::Formats;
use dudley::{Open, Value};
use dudley_tests::python::Python;
use dudley_tests::{command, known};
use serde_json::Value as Json;

/// All FITS files below a folder.
fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            below(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "fits") {
            found.push(path);
        }
    }
}

/// Compares files with what astropy reads of them; how many arrays were the same.
fn compare(python: &Python, files: &[PathBuf]) -> u64 {
    let Some(dudc) = command::dudc() else { return 0 };
    let formats = Formats::builtin().with(dudley_formats::formats());
    let mut count = 0;
    for file in files {
        // Each in a process of its own, since libraries may crash.
        let mut command = python.command("fits.py");
        let output = command.arg(dudc.get_program()).arg(file).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}", file.display());
        let found: Json = serde_json::from_slice(&output.stdout).expect("JSON");
        count += found["arrays"].as_u64().expect("a number");
        let dataset = formats.file(file, &Open::new()).expect("it opens");
        for (path, cards) in found["cards"].as_object().expect("HDUs") {
            let attributes =
                dataset.get(path).unwrap_or_else(|error| panic!("{error}")).attributes();
            for (keyword, expected) in cards.as_object().expect("cards") {
                let own = attributes.iter().find(|it| it.name == *keyword);
                let own = own.unwrap_or_else(|| panic!("{}: {path}: no {keyword}", file.display()));
                let is_same = match (&own.value, expected) {
                    // No attribute is false.
                    (Value::Int(0), Json::Bool(false)) => true,
                    (Value::Float(own), expected) if expected.is_number() => {
                        Some(*own) == expected.as_f64()
                    }
                    (own, expected) => known::same(&known::spell(own), expected),
                };
                assert!(
                    is_same,
                    "{}: {path}: {keyword}: {:?}, {expected}",
                    file.display(),
                    own.value
                );
            }
        }
    }
    count
}

#[test]
fn files_of_all_kinds_are_read_as_astropy_reads_them() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let names = python.run("fits_made.py", folder.path(), &[]);
    let files: Vec<PathBuf> = names.lines().map(|name| folder.path().join(name)).collect();
    assert_eq!(compare(python, &files), 84);
    for file in &files {
        let mut dudc = command::dudc().expect("a program");
        command::success(dudc.arg("verify").arg(file));
    }
    // A byte of the data is another one.
    let damaged = folder.path().join("damaged.fits");
    let mut bytes = std::fs::read(&files[0]).expect("a file");
    let last = bytes.len() - 2880;
    bytes[last] ^= 1;
    std::fs::write(&damaged, bytes).expect("written");
    let mut dudc = command::dudc().expect("a program");
    let found = dudc.arg("verify").arg(&damaged).output().expect("it runs");
    let text = String::from_utf8_lossy(&found.stdout);
    assert!(text.contains("fits-datasum") && text.contains("fits-checksum"), "{text}");
}

#[test]
fn a_corpus_is_read_as_astropy_reads_it() {
    let Some(corpus) = std::env::var_os("DUDLEY_CORPUS") else { return };
    let Some(python) = Python::get() else { return };
    let mut files = Vec::new();
    below(&Path::new(&corpus).join("foreign/fits"), &mut files);
    compare(python, &files);
}

#[test]
fn what_is_written_is_read_by_astropy() {
    let Some(python) = Python::get() else { return };
    let Some(dudc) = command::dudc() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let names = python.run("fits_made.py", folder.path(), &[]);
    let dudc = dudc.get_program().to_string_lossy().into_owned();
    let names = names.lines().filter(|name| *name != "groups.fits");
    let arguments: Vec<&str> = std::iter::once(&*dudc).chain(names).collect();
    assert_eq!(python.run("fits_written.py", folder.path(), &arguments).trim(), "written");
}

#[test]
fn files_of_asdf_in_fits_files_are_read_as_trees() {
    let Some(python) = Python::get() else { return };
    let Some(dudc) = command::dudc() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let dudc = dudc.get_program().to_string_lossy().into_owned();
    assert_eq!(python.run("asdf_in_fits.py", folder.path(), &[&dudc]).trim(), "read");
}
