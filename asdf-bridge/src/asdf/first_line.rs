//! A first line with wrong bytes: what they were, and how they are corrected.

use dudley::error::file_name;
use std::path::Path;

use dudley::append::{FileStorage, Storage};
use dudley::bytes::Lock;

use super::error::Result;
use super::magic::MAGIC;

/// The first lines that programs wrote.
const LINES: [&str; 4] = ["#ASDF 1.0.0", "#ASDF 0.1.0", "%ASDF 0.1.0", "%FINF 0.1.0"];

/// How lines end.
const ENDS: [&str; 2] = ["\n", "\r\n"];

/// What stands behind first lines; with it, what differs in one byte is one.
const BEHIND: [&[u8]; 4] = [b"%YAML ", b"%TAG ", b"---", &MAGIC];

/// What stands behind first lines and in no other file; with it, whatever is as long as one is one.
const SURE: &[u8] = b"#ASDF_STANDARD ";

/// Bytes of a file that tell what its first line was.
const HEAD: usize = 64;

/// The bytes of a first line that are wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongBytes {
    /// Where the first of them stands in the file.
    pub address: u64,
    /// What should be there, up to the last of them.
    pub expected: Vec<u8>,
    /// What was found.
    pub found: Vec<u8>,
    /// The first line as it should be, without its end.
    pub line: &'static str,
    /// Where the second line begins.
    pub(crate) next: usize,
}

impl WrongBytes {
    /// The wrong bytes of a file that begins with these bytes (64 are enough): `None` if its first line is right, or if
    /// what follows is not what follows in such files. Of several wrong bytes only `#ASDF_STANDARD` in the second line
    /// tells that it is one.
    ///
    /// ```
    /// use asdf_bridge::asdf::WrongBytes;
    ///
    /// let wrong = WrongBytes::of(b"#ASDG 1.0.0\n%YAML 1.1\n").expect("a wrong byte");
    /// assert_eq!((wrong.address, &*wrong.expected, wrong.line), (4, &b"F"[..], "#ASDF 1.0.0"));
    /// let wrong = WrongBytes::of(b"#\0\0\0\0 1.0.0\n#ASDF_STANDARD 1.6.0\n").expect("wrong bytes");
    /// assert_eq!((wrong.address, &*wrong.expected, wrong.line), (1, &b"ASDF"[..], "#ASDF 1.0.0"));
    /// assert_eq!(WrongBytes::of(b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n"), None);
    /// ```
    pub fn of(head: &[u8]) -> Option<WrongBytes> {
        if is_right(head) {
            return None;
        }
        let lines = LINES.iter().flat_map(|line| ENDS.map(|end| (*line, end)));
        let found = lines.filter_map(|(line, end)| {
            let (found, behind) = head.split_at_checked(line.len() + end.len())?;
            let is_sure = behind.starts_with(SURE);
            // Most files are others.
            if !is_sure && !BEHIND.iter().any(|words| behind.starts_with(words)) {
                return None;
            }
            let right = [line, end].concat().into_bytes();
            let mut differ = (0..right.len()).filter(|at| right[*at] != found[*at]);
            let first = differ.next()?;
            let last = differ.next_back();
            let is_one = is_sure || last.is_none();
            let wrong = first..last.unwrap_or(first) + 1;
            is_one.then(|| WrongBytes {
                address: first as u64,
                expected: right[wrong.clone()].to_vec(),
                found: found[wrong].to_vec(),
                line,
                next: right.len(),
            })
        });
        // Of several the one that fewest bits are wrong of.
        found.min_by_key(WrongBytes::bits)
    }

    /// How many bits are wrong.
    fn bits(&self) -> u32 {
        self.expected
            .iter()
            .zip(&self.found)
            .map(|(right, found)| (right ^ found).count_ones())
            .sum()
    }

    /// Corrects the wrong bytes of a file's first line; `None` where there are none. Nothing else of the file is
    /// touched.
    ///
    /// ```
    /// use asdf_bridge::asdf::{AsdfFile, Builder, WrongBytes};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.asdf");
    /// let mut bytes = Builder::new().put("x", 1).to_bytes()?;
    /// bytes[4] = b'G';
    /// std::fs::write(&path, &bytes).expect("space");
    /// assert!(!AsdfFile::open(&path)?.verify()?.is_clean());
    /// assert_eq!(WrongBytes::mend(&path)?.map(|wrong| wrong.address), Some(4));
    /// assert!(AsdfFile::open(&path)?.verify()?.is_clean());
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`dudley::Error::Locked`], [`dudley::Error::Io`].
    pub fn mend(path: impl AsRef<Path>) -> Result<Option<WrongBytes>> {
        let path = path.as_ref();
        let cannot =
            |error| dudley::Error::io(format!("cannot write `{}`", file_name(&path)), error);
        let (file, _lock) = Lock::open(path)?;
        let storage = FileStorage::new(file);
        let length = storage.len().map_err(cannot)?.min(HEAD as u64);
        let mut head = vec![0; length as usize];
        let count = storage.read_at(0, &mut head).map_err(cannot)?;
        head.truncate(count);
        let Some(wrong) = WrongBytes::of(&head) else { return Ok(None) };
        let (mut address, mut left) = (wrong.address, &*wrong.expected);
        while !left.is_empty() {
            match storage.write_at(address, left) {
                Ok(0) => Err(cannot(std::io::ErrorKind::WriteZero.into()))?,
                Ok(count) => (address, left) = (address + count as u64, &left[count..]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => Err(cannot(error))?,
            }
        }
        storage.sync().map_err(cannot)?;
        Ok(Some(wrong))
    }

    /// What is to be said of it.
    pub(crate) fn reason(&self) -> String {
        let (expected, found) = (self.expected.escape_ascii(), self.found.escape_ascii());
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
                assert_eq!(WrongBytes::of(&right), None);
                for at in 0..line.len() + end.len() {
                    let mut head = right.clone();
                    head[at] ^= 0x80;
                    let wrong = WrongBytes::of(&head).expect("found");
                    assert_eq!((wrong.address, &*wrong.expected), (at as u64, &right[at..=at]));
                    head[(at + 3) % line.len()] ^= 0x80;
                    assert_eq!(WrongBytes::of(&head), None);
                }
            }
        }
    }

    #[test]
    fn many_wrong_bytes_are_found_before_a_line_that_only_such_files_have() {
        for (line, end) in [("#ASDF 1.0.0", "\n"), ("#ASDF 1.0.0", "\r\n")] {
            let right = format!("{line}{end}#ASDF_STANDARD 1.6.0\n").into_bytes();
            let length = line.len() + end.len();
            for from in 0..length {
                for to in from + 1..=length {
                    let mut head = right.clone();
                    head[from..to].fill(0);
                    let wrong = WrongBytes::of(&head).expect("found");
                    let at = wrong.address as usize;
                    head[at..at + wrong.expected.len()].copy_from_slice(&wrong.expected);
                    // Nothing tells which format it was where what tells them apart is gone.
                    assert_eq!(&head[length..], &right[length..]);
                    assert!(LINES.contains(&wrong.line) && is_right(&head), "{head:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_something_else_is_left_alone() {
        for head in [&b"#ASDG 1.0.0\n"[..], b"#ASDG 1.0.0\nx = f8\n", b"#ASDG 1.0.0", b""] {
            assert_eq!(WrongBytes::of(head), None);
        }
        assert!(is_version("1.0.0") && is_version("10.2.33"));
        assert!(!is_version("1.0") && !is_version("1.0;0") && !is_version("1..0"));
    }
}
