//! Are files of other programs read right through the layouts in `examples/layouts/`?
//!
//! The peer writes a file and says what is in it; we read the same from the file, through the
//! library and through `dudc get`. Each layout also refuses, or fails to read, what is no such
//! file: cut off, or of another kind.

mod asdf;
mod c;
mod gallery;
mod netcdf;
mod npy;

use std::path::{Path, PathBuf};

use dudley::elements::HOST;
use dudley::{ByteOrder, Error, Open, Stream};
use dudley_tests::{command, known, python};
use serde_json::Value as Json;

/// A folder with the files that a peer wrote, and what it says is in them.
struct Written {
    folder: tempfile::TempDir,
    values: Json,
}

impl Written {
    /// Runs a script of `tests/python/`; `None` if there is no peer here.
    fn by(script: &str) -> Option<Written> {
        let python = python::Python::get()?;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let values = python.run(script, folder.path(), &[]);
        let values = serde_json::from_str(&values).expect("the script prints JSON");
        Some(Written { folder, values })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// How a file is opened: the layout, and what a caller must say.
#[derive(Clone, Default)]
struct How {
    layout: &'static str,
    params: Vec<(&'static str, u64)>,
    base: u64,
}

impl How {
    fn layout(name: &'static str) -> How {
        How { layout: name, ..How::default() }
    }

    fn path(&self) -> PathBuf {
        dudley_tests::root().join("examples/layouts").join(self.layout)
    }

    fn open(&self, file: &Path) -> dudley::Result<Stream> {
        let text = std::fs::read(self.path()).expect("the layout");
        let mut open = Open::new().layout(dudley::parse_layout(&text)?).raw().base(self.base);
        open = open.order(HOST);
        for (name, value) in &self.params {
            open = open.param(*name, *value);
        }
        open.file(file)
    }

    /// What the library reads.
    fn read(&self, file: &Path, path: &str) -> dudley::Result<Json> {
        Ok(known::spell(&self.open(file)?.get(path)?.value()?))
    }

    /// What `dudc get` reads; the same as the library, where there is no `dudc` yet.
    fn get(&self, file: &Path, path: &str) -> Json {
        let Some(mut dudc) = command::dudc() else {
            return self.read(file, path).expect("a value");
        };
        let output = file.with_extension("json");
        dudc.arg("get").arg(file).arg(path).args(["--raw", "--force", "--layout"]).arg(self.path());
        dudc.args([
            "--order",
            match HOST {
                ByteOrder::Big => "big",
                ByteOrder::Little => "little",
            },
        ]);
        dudc.arg("--base").arg(self.base.to_string()).arg("-o").arg(&output);
        for (name, value) in &self.params {
            dudc.arg("--param").arg(format!("{name}={value}"));
        }
        command::success(&mut dudc);
        known::json(&output)
    }

    /// What `dudc dump` says of a file makes the same file.
    fn expect_written_back(&self, file: &Path) {
        let was = std::fs::read(file).expect("the file");
        self.write_back(file, &mut |is| assert!(is == was, "{}", file.display()));
    }

    /// Makes a file of what `dudc dump` says of one, in both forms.
    fn write_back(&self, file: &Path, check: &mut dyn FnMut(Vec<u8>)) {
        let (data, packed) = (file.with_extension("json"), file.with_extension("packed"));
        let stream = self.open(file).expect("the file");
        let order = match stream.order() {
            ByteOrder::Big => "big",
            ByteOrder::Little => "little",
        };
        for form in ["--all", "--nested"] {
            let Some(mut dump) = command::dudc() else { return };
            dump.arg("dump").arg(file).args(["--raw", "--exact", form, "--order", order]);
            dump.arg("--layout").arg(self.path());
            std::fs::write(&data, command::success(&mut dump)).expect("a file");
            let Some(mut pack) = command::dudc() else { return };
            pack.arg("pack").arg(self.path()).args(["--raw", "--force", "--order", order]);
            pack.arg("--data").arg(&data).arg("-o").arg(&packed);
            command::success(&mut pack);
            check(std::fs::read(&packed).expect("a file"));
        }
    }

    /// Both read what is known to be there.
    fn expect(&self, file: &Path, path: &str, value: &Json) {
        let found = self.read(file, path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(known::same(&found, value), "{path} is {found}, not {value}");
        let found = self.get(file, path);
        assert!(known::same(&found, value), "dudc get: {path} is {found}, not {value}");
    }
}

/// A copy of a file, with a change.
fn changed(file: &Path, change: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
    let mut bytes = std::fs::read(file).expect("the file");
    change(&mut bytes);
    let path = file.with_extension("changed");
    std::fs::write(&path, bytes).expect("a changed file");
    path
}

/// The file lacks its last bytes: what lies there cannot be read.
fn expect_truncated(how: &How, file: &Path, cut: usize, path: &str) {
    let file = changed(file, |bytes| bytes.truncate(bytes.len() - cut));
    match how.read(&file, path).map_err(Error::into_cause) {
        Err(Error::Truncated { .. }) => {}
        other => panic!("{path} of a file cut off: {other:?}"),
    }
}

/// A constant of the file is another: the error says where, what it is and what it should be.
fn expect_not_constant(how: &How, file: &Path, at: usize, path: &str) {
    let file = changed(file, |bytes| bytes[at] ^= 0x20);
    match how.read(&file, path).map_err(Error::into_cause) {
        Err(error @ Error::Const { .. }) => {
            assert!(error.to_string().contains(path), "{error}");
        }
        other => panic!("{path} of another kind of file: {other:?}"),
    }
}
