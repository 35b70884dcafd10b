//! A first line with one wrong byte: what that byte was, and how it is put right.

use std::path::Path;

use dudley::append::{FileStorage, Lock, Storage};

use super::error::Result;
use super::text::MAGIC;

/// The first lines that programs wrote.
const LINES: [&str; 4] = ["#ASDF 1.0.0", "#ASDF 0.1.0", "%ASDF 0.1.0", "%FINF 0.1.0"];

/// How lines end.
const ENDS: [&str; 2] = ["\n", "\r\n"];

/// What stands behind first lines; with it, what differs in one byte is one.
const BEHIND: [&[u8]; 5] = [b"#ASDF_STANDARD ", b"%YAML ", b"%TAG ", b"---", &MAGIC];

/// Bytes of a file that tell what its first line was.
const HEAD: usize = 64;

/// The one byte of a first line that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongByte {
    /// Where it stands in the file.
    pub address: u64,
    /// What should be there.
    pub expected: u8,
    /// What is there.
    pub found: u8,
    /// The first line as it should be, without its end.
    pub line: &'static str,
    /// Where the second line begins.
    pub(crate) next: usize,
}

impl WrongByte {
    /// The wrong byte of a file that begins with these bytes (64 are enough): none if its first line is right, or
    /// differs in more, or if what follows is not what follows in such files.
    ///
    /// ```
    /// use asdf_bridge::asdf::WrongByte;
    ///
    /// let wrong = WrongByte::of(b"#ASDG 1.0.0\n#ASDF_STANDARD 1.6.0\n").expect("a wrong byte");
    /// assert_eq!((wrong.address, wrong.expected, wrong.line), (4, b'F', "#ASDF 1.0.0"));
    /// assert_eq!(WrongByte::of(b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n"), None);
    /// ```
    pub fn of(head: &[u8]) -> Option<WrongByte> {
        if is_right(head) {
            return None;
        }
        let lines = LINES.iter().flat_map(|line| ENDS.map(|end| (*line, end)));
        let found = lines.filter_map(|(line, end)| {
            let (first, behind) = head.split_at_checked(line.len() + end.len())?;
            let mut differ = line.bytes().chain(end.bytes()).zip(first).enumerate();
            let (at, (expected, found)) = differ.find(|(_, (right, found))| right != *found)?;
            let is_one = differ.all(|(_, (right, found))| right == *found);
            (is_one && BEHIND.iter().any(|words| behind.starts_with(words))).then_some(WrongByte {
                address: at as u64,
                expected,
                found: *found,
                line,
                next: first.len(),
            })
        });
        // Of several the one that fewest bits are wrong of.
        found.min_by_key(|wrong| (wrong.expected ^ wrong.found).count_ones())
    }

    /// Puts right the wrong byte of a file's first line; none where there is none. Nothing else of the file is
    /// touched.
    ///
    /// ```
    /// use asdf_bridge::asdf::{AsdfFile, Builder, WrongByte};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.asdf");
    /// let mut bytes = Builder::new().put("x", 1).to_bytes()?;
    /// bytes[4] = b'G';
    /// std::fs::write(&path, &bytes).expect("space");
    /// assert!(!AsdfFile::open(&path)?.verify()?.is_clean());
    /// assert_eq!(WrongByte::mend(&path)?.map(|wrong| wrong.address), Some(4));
    /// assert!(AsdfFile::open(&path)?.verify()?.is_clean());
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`dudley::Error::Locked`], [`dudley::Error::Io`].
    pub fn mend(path: impl AsRef<Path>) -> Result<Option<WrongByte>> {
        let path = path.as_ref();
        let cannot = |error| dudley::Error::io(format!("cannot write `{}`", path.display()), error);
        let (file, _lock) = Lock::open(path)?;
        let storage = FileStorage::new(file);
        let length = storage.len().map_err(cannot)?.min(HEAD as u64);
        let mut head = vec![0; length as usize];
        let count = storage.read_at(0, &mut head).map_err(cannot)?;
        head.truncate(count);
        let Some(wrong) = WrongByte::of(&head) else { return Ok(None) };
        loop {
            match storage.write_at(wrong.address, &[wrong.expected]) {
                Ok(1..) => break,
                Ok(0) => Err(cannot(std::io::ErrorKind::WriteZero.into()))?,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => Err(cannot(error))?,
            }
        }
        storage.sync().map_err(cannot)?;
        Ok(Some(wrong))
    }

    /// What is to be said of it.
    pub(crate) fn reason(&self) -> String {
        let shown = |byte: u8| byte.escape_ascii().to_string();
        let (expected, found) = (shown(self.expected), shown(self.found));
        format!("expected `{expected}`, as in `{}`, found `{found}`", self.line)
    }
}

/// The first line of which these bytes are the beginning, and that is enough to tell.
pub(crate) fn cut_off(head: &[u8]) -> Option<&'static str> {
    const MARK: usize = 5;
    LINES.into_iter().find(|line| head.len() >= MARK && line.as_bytes().starts_with(head))
}

/// Whether the first line is one as such files have it, of whatever version.
fn is_right(head: &[u8]) -> bool {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let words = ["#ASDF ", "%ASDF ", "%FINF "];
    let mut versions = words.iter().filter_map(|word| line.trim_end().strip_prefix(word));
    versions.any(is_version)
}

/// Whether a version is written as versions are: `1.0.0`.
fn is_version(version: &str) -> bool {
    let parts: Vec<&str> = version.split('.').collect();
    let number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.len() == 3 && parts.iter().all(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_byte_is_found_wherever_it_is() {
        for line in LINES {
            for end in ENDS {
                let right = format!("{line}{end}%YAML 1.1\n").into_bytes();
                assert_eq!(WrongByte::of(&right), None);
                for at in 0..line.len() + end.len() {
                    let mut head = right.clone();
                    head[at] ^= 0x80;
                    let wrong = WrongByte::of(&head).expect("found");
                    assert_eq!((wrong.address, wrong.expected), (at as u64, right[at]), "{line:?}");
                    head[(at + 3) % line.len()] ^= 0x80;
                    assert_eq!(WrongByte::of(&head), None);
                }
            }
        }
    }

    #[test]
    fn what_is_something_else_is_left_alone() {
        for head in [&b"#ASDG 1.0.0\n"[..], b"#ASDG 1.0.0\nx = f8\n", b"#ASDG 1.0.0", b""] {
            assert_eq!(WrongByte::of(head), None);
        }
        assert!(is_version("1.0.0") && is_version("10.2.33"));
        assert!(!is_version("1.0") && !is_version("1.0;0") && !is_version("1..0"));
    }
}
