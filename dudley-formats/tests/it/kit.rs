//! What the tests of formats have in common: files opened, and compared with what their peers read of them.

use std::path::{Path, PathBuf};

use dudley::model::{Candidate, Dataset, Formats};
use dudley::verify::Finding;
use dudley::{Open, Result, Value};
use serde_json::Value as Json;

/// The formats of this crate, and those of the engine.
pub(crate) fn formats() -> Formats {
    Formats::builtin().with(dudley_formats::formats())
}

/// What a file of an array of numpy has in it.
pub(crate) fn npy(file: &Path) -> Value {
    let dataset = formats().file(file, &Open::new()).expect("an array");
    let node = dataset.root().and_then(|root| root.children()?.next().expect("one")).expect("it");
    node.data().and_then(|data| data.value()).expect("its elements")
}

/// What is at a path.
pub(crate) fn read(dataset: &Dataset, path: &str) -> Result<Value> {
    dataset.get(path)?.data()?.value()
}

/// All that `verify` finds.
pub(crate) fn findings(candidate: &Candidate) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    let each = &mut |finding| found.push(finding);
    formats().verify(candidate, &Open::new(), each, &mut |_| ())?;
    Ok(found)
}

/// A file of `folder` that a peer has read, and through its layout by the engine alone: the arrays that the peer names
/// are all there are, and equal. Gives how many.
pub(crate) fn expect(folder: &Path, entry: &Json) -> usize {
    let name = entry["file"].as_str().expect("a name");
    let dataset = formats().file(folder.join(name), &Open::new());
    let dataset = dataset.unwrap_or_else(|error| panic!("{name}: {error}"));
    let layout = dataset.layout().expect("a layout").expect("a layout").text;
    let data: PathBuf = folder.join(entry["data"].as_str().expect("a name"));
    let alone = Open::new().layout_text(&layout).unwrap_or_else(|error| panic!("{name}: {error}"));
    let alone = alone.raw().file(&data).unwrap_or_else(|error| panic!("{name}: {error}"));
    let arrays = entry["arrays"].as_object().expect("arrays");
    for (path, expected) in arrays {
        let expected = npy(&folder.join(expected.as_str().expect("a name")));
        let found = read(&dataset, path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(found == expected, "{name} {path}: {found:?}, expected {expected:?}");
        let found = alone.get(path).and_then(|item| item.value()).expect("read by the engine");
        assert!(found == expected, "{name} {path} through its layout");
    }
    let candidate = Candidate::file(folder.join(name), 0).expect("a file");
    let found = findings(&candidate).expect("it is read");
    assert!(found.is_empty(), "{name}: {found:?}");
    arrays.len()
}

/// The folder of files that are no part of the repository, if there is one.
pub(crate) fn corpus(format: &str) -> Option<PathBuf> {
    let folder = Path::new(&std::env::var_os("DUDLEY_CORPUS")?).join("foreign").join(format);
    folder.is_dir().then_some(folder)
}

/// All that can be asked of a file.
pub(crate) fn ask(bytes: Vec<u8>) {
    let candidate = Candidate::source("bytes", bytes, 0);
    let _ = findings(&candidate);
    let Ok(dataset) = formats().open(&candidate, &Open::new()) else { return };
    let Ok(Some(stream)) = dataset.stream() else { return };
    for item in stream.root().items().expect("a dict").flatten() {
        if let Ok(data) = item.data()
            && data.bytes() < 1 << 16
        {
            let _ = data.value();
        }
    }
}
