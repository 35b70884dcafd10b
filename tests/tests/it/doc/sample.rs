//! Is the sample of pages in `docs/pages` what the layouts of this repository come to?
//!
//! With `DUDLEY_UPDATE` in the environment it is written anew.

use std::fs;
use std::path::PathBuf;

use dudley_doc::{File, Source};
use dudley_tests::root;

/// Folders of layouts, and whether their streams have no signature.
const FOLDERS: [(&str, bool); 5] = [
    ("dudc/demo", false),
    ("examples/examples/radhydro", false),
    ("examples/layouts", true),
    ("asdf-bridge/layouts", true),
    ("dudley/layouts", true),
];

fn found() -> Vec<(PathBuf, bool)> {
    let mut found = Vec::new();
    for (folder, raw) in FOLDERS {
        let files = fs::read_dir(root().join(folder)).expect("a folder");
        let files = files.map(|file| file.expect("a file").path());
        let layouts = files.filter(|file| file.extension().is_some_and(|it| it == "dud"));
        let mut layouts: Vec<_> = layouts.map(|file| (file, raw)).collect();
        layouts.sort();
        found.extend(layouts);
    }
    found
}

/// Names and texts of the layouts.
pub(crate) fn layouts() -> Vec<(String, String)> {
    let named = |(path, _): (PathBuf, bool)| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name, fs::read_to_string(path).expect("a layout"))
    };
    found().into_iter().map(named).collect()
}

fn made() -> Vec<File> {
    let layouts: Vec<_> =
        layouts().into_iter().map(|(name, text)| (name, super::checked(&text))).collect();
    let mut sources: Vec<_> =
        layouts.iter().map(|(name, layout)| Source::new(name, layout)).collect();
    for (source, (_, raw)) in sources.iter_mut().zip(found()) {
        source.options.raw = raw;
    }
    let mut files = dudley_doc::site(&sources);
    let text = dudley_doc::markdown(&sources);
    files.push(dudley_doc::reader());
    files.push(File { name: "layouts.md".to_owned(), text });
    files.push(File { name: "blast.svg".to_owned(), text: dudley_doc::map(&sources[0], false) });
    files
}

#[test]
fn the_sample_is_fresh() {
    let folder = root().join("docs/pages");
    let made = made();
    if std::env::var_os("DUDLEY_UPDATE").is_some() {
        super::write(&folder, &made);
    }
    for file in &made {
        let there = fs::read_to_string(folder.join(&file.name)).unwrap_or_default();
        assert!(there == file.text, "docs/pages/{} is old: set DUDLEY_UPDATE", file.name);
    }
    for file in fs::read_dir(&folder).expect("a folder") {
        let name = file.expect("a file").file_name();
        let known = made.iter().any(|file| *file.name == *name)
            || ["look.png", "file.png"].iter().any(|picture| name == *picture);
        assert!(known, "docs/pages/{} is of no layout", name.display());
    }
}
