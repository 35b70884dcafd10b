//! A folder with files in it, and the tool run there.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use asdf_bridge::asdf::AsdfFile;
use serde_json::Value;

/// A folder of a test's own.
pub(crate) struct Folder(tempfile::TempDir);

/// What a command said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).expect("a file");
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect("a file")
    }

    pub(crate) fn open(&self, name: &str) -> AsdfFile {
        AsdfFile::open(self.path(name)).expect("it opens")
    }

    /// The data of a block.
    pub(crate) fn block(&self, name: &str, number: i64) -> Vec<u8> {
        self.open(name).block_data(number).expect("a block")
    }

    /// The names of all files, in their order.
    pub(crate) fn names(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.0.path()).expect("a folder");
        let name = |file: std::io::Result<std::fs::DirEntry>| file.expect("a file").file_name();
        let mut names: Vec<_> =
            files.map(|file| name(file).into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    pub(crate) fn run(&self, words: &str) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dudc"));
        command.current_dir(self.0.path()).args(words.split(' ')).stdin(Stdio::null());
        let output = command.output().expect("dudc runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        Said { status: output.status.code().expect("no signal"), out, err }
    }

    /// What a command prints and says that ends so.
    #[track_caller]
    pub(crate) fn ends(&self, status: i32, words: &str) -> String {
        let said = self.run(words);
        assert_eq!(said.status, status, "{words}: {}{}", said.out, said.err);
        said.out + &said.err
    }

    /// What a command prints as JSON.
    #[track_caller]
    pub(crate) fn json(&self, words: &str) -> Value {
        let said = self.run(&format!("{words} --format json"));
        serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{words}: {said:?}"))
    }
}
