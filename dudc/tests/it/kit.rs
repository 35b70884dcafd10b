//! A folder of files, and the tool run there.

// No test file needs all of it.
#![allow(dead_code)]

use std::io::{Seek, SeekFrom, Write};
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

/// The words of a command: in one text with blanks between them, or each by itself.
pub(crate) trait Words {
    fn words(self) -> Vec<String>;
}

impl Words for &str {
    fn words(self) -> Vec<String> {
        self.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }
}

impl Words for &String {
    fn words(self) -> Vec<String> {
        self.as_str().words()
    }
}

impl Words for &[&str] {
    fn words(self) -> Vec<String> {
        self.iter().map(|word| (*word).to_owned()).collect()
    }
}

impl Words for &&[&str] {
    fn words(self) -> Vec<String> {
        (*self).words()
    }
}

impl Words for &Vec<&str> {
    fn words(self) -> Vec<String> {
        self.as_slice().words()
    }
}

impl<const N: usize> Words for &[&str; N] {
    fn words(self) -> Vec<String> {
        self.as_slice().words()
    }
}

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
    /// With a stream `x.bd` packed from a layout, `x.dud`, and values.
    pub(crate) fn of(layout: &str, values: &str, words: &str) -> Folder {
        let folder = Folder::packed("");
        folder.write("x.dud", layout);
        folder.write("x.json", values);
        folder.done(&format!("pack x.dud -o x.bd --data x.json {words}"));
        folder
    }

    /// Writes a native stream of this many bytes of nothing, and its layout.
    pub(crate) fn sparse(&self, name: &str, layout: &str, bytes: u64) {
        let address = 16 + bytes;
        let mut file = std::fs::File::create(self.path(name)).expect("a file");
        let mut head = vec![0x8d, 0x3c, 0x42, 0x44, 0x0d, 0x0a, 0x1a, 0x0a];
        head.extend(address.to_le_bytes());
        file.write_all(&head).expect("written");
        file.seek(SeekFrom::Start(address)).expect("a place");
        file.write_all(layout.as_bytes()).expect("written");
    }

    /// With nothing in it.
    pub(crate) fn empty() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    /// With files.
    pub(crate) fn with<B: AsRef<[u8]> + ?Sized>(files: &[(&str, &B)]) -> Folder {
        let folder = Folder::empty();
        for (name, bytes) in files {
            folder.write(name, bytes);
        }
        folder
    }

    /// With `run.bd`, which is packed as the words say.
    #[track_caller]
    pub(crate) fn packed(words: &str) -> Folder {
        let folder = Folder::empty();
        folder.write("run.dud", LAYOUT);
        folder.write("values.json", VALUES);
        folder.done(&format!("pack run.dud -o run.bd --data values.json {words}"));
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and the folders that it lies in.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, bytes).expect("a file");
        path
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

    pub(crate) fn command(&self, words: impl Words) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dudc"));
        command.current_dir(self.0.path()).args(words.words());
        command
    }

    /// Runs a command that may take no more than 1 GiB of memory, and four minutes of the processor, where a shell can
    /// say so.
    pub(crate) fn bounded(&self, words: impl Words) -> Said {
        self.within(1024, words)
    }

    /// The same with this many MiB of memory, in which files that are looked at where they are count as well.
    pub(crate) fn within(&self, mebibytes: u64, words: impl Words) -> Said {
        if cfg!(not(unix)) {
            return self.run(words);
        }
        let mut command = Command::new("sh");
        let limits = format!("ulimit -v {}; ulimit -t 240; exec \"$@\"", mebibytes << 10);
        command.current_dir(self.0.path()).args(["-c", &limits, "sh", env!("CARGO_BIN_EXE_dudc")]);
        let output = command.args(words.words()).stdin(Stdio::null()).output().expect("a shell");
        Said {
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    pub(crate) fn run(&self, words: impl Words) -> Said {
        let output = self.command(words).stdin(Stdio::null()).output().expect("dudc runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        Said { status: output.status.code().expect("no signal"), out, err }
    }

    /// What a command prints that succeeds.
    #[track_caller]
    pub(crate) fn done(&self, words: impl Words) -> String {
        let words = words.words();
        let said = self.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(said.status, 0, "{words:?}: {}{}", said.out, said.err);
        said.out
    }

    /// What a command says that ends with a status.
    #[track_caller]
    pub(crate) fn fails(&self, words: impl Words, status: i32) -> String {
        let words = words.words();
        let said = self.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(said.status, status, "{words:?}: {}", said.err);
        said.err
    }

    /// What a command says that succeeds.
    #[track_caller]
    pub(crate) fn says(&self, words: impl Words) -> String {
        self.fails(words, 0)
    }

    /// What a command prints and says that ends with a status.
    #[track_caller]
    pub(crate) fn ends(&self, status: i32, words: impl Words) -> String {
        let words = words.words();
        let said = self.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(said.status, status, "{words:?}: {}{}", said.out, said.err);
        said.out + &said.err
    }

    /// What a command prints as JSON, however it ends.
    #[track_caller]
    pub(crate) fn json(&self, words: impl Words) -> serde_json::Value {
        let said = self.run(words);
        serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{said:?}"))
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

    /// The exit status of a command, and what it says.
    pub(crate) fn refused(&self, words: impl Words) -> (i32, String) {
        let said = self.run(words);
        (said.status, said.err)
    }

    /// What a command prints, and says, that finds something.
    #[track_caller]
    pub(crate) fn finds(&self, words: impl Words) -> String {
        self.ends(1, words)
    }
}
