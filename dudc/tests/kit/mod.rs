//! A folder with a stream in it, and the tool run there.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A layout of which a bit of everything can be wrong.
pub(crate) const LAYOUT: &str = "## A run
N : i8  ## zones
magic = u1[2]  #: const = [1, 2]
flags = b1[6]
grp/
  rho = f8[N]  ## (g/cc) density
  name = U1[8]
";

const VALUES: &str = r#"{"N": 3, "flags": [true, false, true, true, false, true],
    "grp": {"rho": [1.0, 2.5, 4.0], "name": "abc"}}"#;

/// A folder of a test's own.
pub(crate) struct Folder(tempfile::TempDir);

/// What a command said.
pub(crate) struct Said {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    /// With `run.bd`, which is packed as the words say.
    #[track_caller]
    pub(crate) fn packed(words: &str) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        folder.write("run.dud", LAYOUT);
        folder.write("values.json", VALUES);
        folder.done(&format!("pack run.dud -o run.bd --data values.json {words}"));
        folder
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

    /// Changes a byte of a file; an address below 0 counts from its end.
    pub(crate) fn flip(&self, name: &str, at: i64) {
        let mut bytes = self.bytes(name);
        let at = if at < 0 { bytes.len() as i64 + at } else { at };
        bytes[at as usize] ^= 4;
        self.write(name, bytes);
    }

    pub(crate) fn run(&self, words: &str) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dudc"));
        let words = words.split(' ').filter(|word| !word.is_empty());
        command.current_dir(self.0.path()).args(words).stdin(Stdio::null());
        let output = command.output().expect("dudc runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        Said { status: output.status.code().expect("no signal"), out, err }
    }

    /// What a command prints that succeeds.
    #[track_caller]
    pub(crate) fn done(&self, words: &str) -> String {
        let said = self.run(words);
        assert_eq!(said.status, 0, "{words}: {}{}", said.out, said.err);
        said.out
    }

    /// What a command prints, and says, that finds something.
    #[track_caller]
    pub(crate) fn finds(&self, words: &str) -> String {
        let said = self.run(words);
        assert_eq!(said.status, 1, "{words}: {}{}", said.out, said.err);
        said.out + &said.err
    }
}
