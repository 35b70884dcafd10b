//! Which part of a file is text: its first line, comments, and where the tree begins and ends.
//!
//! The end of the tree is nowhere stored. It is a line `...` at the first column, with nothing but
//! blanks behind the dots (`...foo` may stand so in a quoted text); else the first magic number of a
//! block, which is no UTF-8.

use std::ops::Range;

use dudley::bytes::Source;
use memchr::memmem::find_iter;

use super::error::{Error, Result};
use super::first_line::{self, WrongBytes};
use super::magic::{INDEX, MAGIC, MAGIC_FIRST, MAGIC_LITERAL};
use super::report::{Code, Report};

/// Bytes that are read at first, when the file is not in memory.
const FIRST: u64 = 64 << 10;

/// The longest first line.
const LINE: usize = 256;

/// The formats whose blocks differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// ASDF 1.0.0 and later.
    Asdf,
    /// ASDF 0.1.0, of 2014 and 2015.
    Early,
    /// FINF 0.1.0.
    Finf,
}

/// The text at the beginning of a file.
#[derive(Clone, Debug)]
pub struct Text {
    /// The format.
    pub dialect: Dialect,
    /// The version in the first line, such as `1.0.0`.
    pub version: String,
    /// The version of the standard, where the file says it.
    pub standard: Option<String>,
    /// The other comments between the first line and the tree, each with its `#`.
    pub comments: Vec<String>,
    /// Where the tree stands in the file, its end mark included; `None` if there is no tree.
    pub tree: Option<Range<u64>>,
    /// Where blocks are searched from.
    pub end: u64,
}

impl Dialect {
    /// Whether a block may begin like this.
    pub(crate) fn is_magic(self, bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
            || self == Dialect::Finf
                && (bytes.starts_with(&MAGIC_FIRST) || bytes.starts_with(&MAGIC_LITERAL))
    }

    /// The first address in `bytes` where a block may begin.
    pub(crate) fn find_magic(self, bytes: &[u8]) -> Option<usize> {
        let first = memchr::memmem::find(bytes, &MAGIC);
        if self != Dialect::Finf {
            return first;
        }
        let others = [&MAGIC_FIRST[..], &MAGIC_LITERAL];
        let others = others.into_iter().filter_map(|magic| memchr::memmem::find(bytes, magic));
        first.into_iter().chain(others).min()
    }
}

/// Bytes of a file in memory that are looked at together.
const THERE: u64 = 16 << 20;

/// Reads the text: what it says of the file, and the bytes from the file's start to the end of the
/// tree, if they had to be read, since the source does not have them in memory.
///
/// # Errors
/// [`Error::NotAsdf`]; [`Error::Limit`] if there are more than `limit` bytes of it.
pub(crate) fn read(
    source: &dyn Source,
    limit: u64,
    report: &mut Report,
) -> Result<(Text, Option<Vec<u8>>)> {
    let total = source.len();
    let mut size = FIRST.min(total);
    // What is in memory is looked at there, except for very long texts.
    if let Some(bytes) = source.bytes() {
        let bytes = &bytes[..bytes.len().min(THERE.min(limit) as usize)];
        let mut found = Report::default();
        let reader = Reader { bytes, whole: bytes.len() as u64 == total };
        if let Some(text) = reader.text(&mut found)? {
            report.findings.append(&mut found.findings);
            return Ok((text, None));
        }
    }
    let mut read = Vec::new();
    loop {
        let done = read.len();
        read.resize(usize::try_from(size).map_err(|_| too_long(limit))?, 0);
        source.read_at(done as u64, &mut read[done..])?;
        let mut found = Report::default();
        let reader = Reader { bytes: &read, whole: size == total };
        if let Some(text) = reader.text(&mut found)? {
            read.truncate(text.end as usize);
            report.findings.append(&mut found.findings);
            return Ok((text, Some(read)));
        }
        if size >= limit {
            return Err(too_long(limit));
        }
        size = size.saturating_mul(4).min(total).min(limit.max(FIRST));
    }
}

fn too_long(limit: u64) -> Error {
    Error::Limit {
        what: "the text at the beginning of the file".into(),
        limit: format!("{limit} bytes").into(),
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
    /// The bytes are those of the whole file.
    whole: bool,
}

impl Reader<'_> {
    /// What the text says; `None` if more bytes are needed.
    fn text(&self, report: &mut Report) -> Result<Option<Text>> {
        if self.bytes.starts_with(&MAGIC_FIRST) {
            // The first exploded files are blocks and nothing else.
            let (version, comments) = ("0.1.0".to_owned(), Vec::new());
            let dialect = Dialect::Finf;
            return Ok(Some(Text {
                dialect,
                version,
                standard: None,
                comments,
                tree: None,
                end: 0,
            }));
        }
        let (dialect, version, mut at) = self.first_line(report)?;
        let mut text =
            Text { dialect, version, standard: None, comments: Vec::new(), tree: None, end: 0 };
        let mut blank = None;
        loop {
            let rest = &self.bytes[at..];
            if rest.is_empty() && !self.whole {
                return Ok(None);
            }
            if rest.is_empty() || dialect.is_magic(rest) || rest.starts_with(INDEX) {
                text.end = at as u64;
                break;
            }
            let line = match memchr::memchr(b'\n', rest) {
                Some(length) => &rest[..=length],
                None if self.whole => rest,
                None => return Ok(None),
            };
            // Where the end of the line is destroyed, a block ends it.
            let cut = dialect.find_magic(line).filter(|_| line.starts_with(b"#"));
            let line = &line[..cut.unwrap_or(line.len())];
            let content = line.trim_ascii();
            if line.starts_with(b"#") {
                match cut {
                    Some(_) => bad_text(at + line.len(), "the end of the line", "a block", report),
                    None => self.check_line_end(line, at, report),
                }
                self.comment(content, &mut text, at, report);
            } else if content.is_empty() {
                blank = blank.or(Some(at));
            } else {
                return Ok(self.tree(text, at, blank, report));
            }
            at += line.len();
        }
        if let Some(at) = blank {
            before_tree(at, report);
        }
        Ok(Some(text))
    }

    /// The format and version that the first line says, and where the next one begins.
    fn first_line(&self, report: &mut Report) -> Result<(Dialect, String, usize)> {
        let bom = usize::from(self.bytes.starts_with(b"\xef\xbb\xbf")) * 3;
        let bytes = &self.bytes[bom..];
        let bytes = &bytes[..bytes.len().min(LINE)];
        let end = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
        let line = String::from_utf8_lossy(&bytes[..end]);
        let line = line.trim_end();
        let words = [("#ASDF ", false), ("%ASDF ", false), ("%FINF ", true)];
        let named = |line: &'_ str| {
            words.iter().find_map(|(word, finf)| {
                let version = line.strip_prefix(word)?;
                let is_one = version.starts_with(|first: char| first.is_ascii_digit());
                is_one.then(|| (version.to_owned(), *finf))
            })
        };
        let (found, end) = match WrongBytes::of(bytes) {
            Some(wrong) => {
                report.add(Code::FirstLine, bom as u64 + wrong.address, wrong.reason());
                (named(wrong.line), wrong.next - 1)
            }
            None => (named(line), end),
        };
        let cut_off = || first_line::cut_off(bytes).filter(|_| self.whole).and_then(named);
        let Some((version, finf)) = found.or_else(cut_off) else {
            let found = line.chars().take(20).collect::<String>();
            return Err(Error::NotAsdf { found: format!("{found:?}").into() });
        };
        let version = &*version;
        if bom > 0 {
            report.add(Code::ByteOrderMark, 0, "expected `#ASDF`, found a byte order mark");
        }
        let dialect = match (finf, version) {
            (true, _) => Dialect::Finf,
            (false, version) if version.starts_with("0.") => Dialect::Early,
            _ => Dialect::Asdf,
        };
        let odd = odd_byte(version.as_bytes()).and_then(|_| odd_byte(&bytes[..end]));
        if let Some(odd) = odd {
            let found = format!("`{}`", bytes[odd].escape_ascii());
            bad_text(bom + odd, "a version of the format", &found, report);
        } else if !["1.0.0", "0.1.0"].contains(&version) {
            let reason = format!("expected format version 1.0.0 or 0.1.0, found {version}");
            report.add(Code::UnknownVersion, bom as u64, reason);
        }
        let next = (bom + end + 1).min(self.bytes.len());
        if self.whole && next == self.bytes.len() {
            self.check_line_end(&self.bytes[..next], 0, report);
        }
        let version = version.split(char::is_control).next().unwrap_or_default();
        Ok((dialect, version.to_owned(), next))
    }

    /// Says that the file ends in a line, if it does.
    fn check_line_end(&self, line: &[u8], at: usize, report: &mut Report) {
        if !line.ends_with(b"\n") {
            let end = at + line.len();
            report.add(
                Code::CutOff,
                end as u64,
                "expected the end of the line, found that of the file",
            );
        }
    }

    fn comment(&self, line: &[u8], text: &mut Text, at: usize, report: &mut Report) {
        let odd = odd_byte(line);
        if let Some(odd) = odd {
            let found = format!("`{}`", line[odd].escape_ascii());
            bad_text(at + odd, "a comment", &found, report);
        }
        let line = String::from_utf8_lossy(line).into_owned();
        let version = line.strip_prefix("#ASDF_STANDARD ").filter(|_| odd.is_none());
        let Some(version) = version else {
            text.comments.push(line);
            return;
        };
        let version = version.trim();
        if !is_known_standard(version) {
            let reason = format!("expected a version of the standard up to 1.6.0, found {version}");
            report.add(Code::UnknownVersion, at as u64, reason);
        }
        text.standard = Some(version.to_owned());
    }

    /// The text with its tree, which begins in the line at `at`; `None` if its end was not read.
    fn tree(
        &self,
        mut text: Text,
        at: usize,
        blank: Option<usize>,
        report: &mut Report,
    ) -> Option<Text> {
        let line = &self.bytes[at..];
        let indent = line.len() - line.trim_ascii_start().len();
        if indent > 0 || blank.is_some() {
            before_tree(blank.unwrap_or(at), report);
        }
        let start = at + indent;
        let magic = text.dialect.find_magic(&self.bytes[start..]).map(|found| start + found);
        let searched = &self.bytes[..magic.unwrap_or(self.bytes.len())];
        let end = end_mark(searched, start, self.whole || magic.is_some());
        let end = match end {
            Some(end) => end,
            None if self.whole || magic.is_some() => {
                let reason = "expected a line `...` at the end of the tree, found none";
                report.add(Code::NoTreeEnd, searched.len() as u64, reason);
                searched.len()
            }
            None => return None,
        };
        text.tree = Some(start as u64..end as u64);
        text.end = end as u64;
        Some(text)
    }
}

fn bad_text(at: usize, expected: &str, found: &str, report: &mut Report) {
    let reason = format!("expected {expected}, found {found}: what stood here is lost");
    report.add(Code::BadText, at as u64, reason);
}

/// The first byte of a line that stands in no text.
fn odd_byte(line: &[u8]) -> Option<usize> {
    let is_odd = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\r' | b'\n');
    line.iter().position(is_odd)
}

fn before_tree(at: usize, report: &mut Report) {
    let reason = "expected comments or the tree behind the first line, found blanks";
    report.add(Code::BeforeTree, at as u64, reason);
}

/// Where the tree ends that begins at `start`: behind the line with its end mark. `complete` says
/// that nothing of the tree follows `bytes`.
fn end_mark(bytes: &[u8], start: usize, complete: bool) -> Option<usize> {
    for dots in find_iter(&bytes[start..], b"\n...").map(|found| start + found + 4) {
        let line = match memchr::memchr(b'\n', &bytes[dots..]) {
            Some(length) => &bytes[dots..dots + length + 1],
            // What stands behind the dots was not read.
            None if !complete => return None,
            None => &bytes[dots..],
        };
        let blank = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        let blank = blank.count();
        // Zeros are what Python pads a tree with.
        if line.is_empty() || blank > 0 || line[0] == 0 {
            return Some(dots + blank);
        }
    }
    None
}

fn is_known_standard(version: &str) -> bool {
    ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0", "0.1.0"].contains(&version)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> (Text, Report) {
        let mut report = Report::default();
        let (text, _) = read(&bytes, 1 << 20, &mut report).expect("a file");
        (text, report)
    }

    fn tree(bytes: &[u8]) -> &[u8] {
        let range = text(bytes).0.tree.expect("a tree");
        &bytes[range.start as usize..range.end as usize]
    }

    #[test]
    fn comments_and_versions_are_kept() {
        let (text, report) =
            text(b"#ASDF 1.0.0\r\n#ASDF_STANDARD 1.6.0\r\n# mine\r\n%YAML 1.1\r\n---\r\n...\r\nx");
        assert_eq!((text.dialect, text.version.as_str()), (Dialect::Asdf, "1.0.0"));
        assert_eq!(text.standard.as_deref(), Some("1.6.0"));
        assert_eq!(text.comments, ["# mine"]);
        assert_eq!(text.tree, Some(43..64));
        assert!(report.is_clean(), "{report:?}");
    }

    #[test]
    fn the_tree_ends_at_its_mark_alone() {
        let quoted = b"#ASDF 1.0.0\n--- \"a\n...foo\n ... \"\n...\nrest";
        assert!(tree(quoted).ends_with(b"... \"\n...\n"));
        assert!(tree(b"#ASDF 1.0.0\n--- 1\n...").ends_with(b"..."));
        assert!(tree(b"#ASDF 1.0.0\n--- 1\n...\0\0\xd3BLK").ends_with(b"..."));
        assert!(tree(b"#ASDF 1.0.0\n--- 1\n... # done\n").ends_with(b"... "));
    }

    #[test]
    fn a_tree_without_an_end_goes_to_the_first_block() {
        let file = b"#ASDF 1.0.0\n--- 1\n\xd3BLK";
        assert_eq!(tree(file), b"--- 1\n");
        assert_eq!(text(file).1.of(Code::NoTreeEnd).count(), 1);
    }

    #[test]
    fn blocks_may_follow_the_first_line() {
        let (found, report) = text(b"%FINF 0.1.0\n\x89BLK\0\x28");
        assert_eq!((found.dialect, found.tree, found.end), (Dialect::Finf, None, 12));
        assert!(report.is_clean());
        let bare = text(&MAGIC_FIRST).0;
        assert_eq!((bare.dialect, bare.tree, bare.end), (Dialect::Finf, None, 0));
        assert_eq!(text(b"#ASDF 0.1.0\n").0.dialect, Dialect::Early);
        assert_eq!(text(b"%ASDF 0.1.0\n").0.dialect, Dialect::Early);
    }

    #[test]
    fn oddities_before_the_tree_are_found_and_not_in_the_way() {
        for file in [
            &b"#ASDF 1.0.0\n\n%YAML 1.1\n--- 1\n...\n"[..],
            b"#ASDF 1.0.0\n   \n     %YAML 1.1\n--- 1\n...\n",
        ] {
            assert!(tree(file).starts_with(b"%YAML"));
            assert_eq!(text(file).1.of(Code::BeforeTree).count(), 1);
        }
        let (_, report) = text(b"\xef\xbb\xbf#ASDF 9.0.0\n--- 1\n...\n");
        assert_eq!(report.of(Code::ByteOrderMark).count(), 1);
        assert_eq!(report.of(Code::UnknownVersion).count(), 1);
    }

    #[test]
    fn what_is_no_text_before_the_tree_is_lost() {
        let end = b"%YAML 1.1\n--- 1\n...\n";
        for (head, at) in [
            (&b"#ASDF 1.\0\0\0\0STANDARD 1.6.0\n"[..], 8),
            (b"#ASDF 1.0.0\n#ASDF_STANDARD 1.\0\0\0", 29),
            (b"#ASDF 1.0.0\n# a comm\0nt\n", 20),
        ] {
            let file = [head, end].concat();
            let (text, report) = text(&file);
            let bad: Vec<_> = report.of(Code::BadText).map(|it| it.address).collect();
            assert_eq!(bad, [at], "{report:?}");
            assert!(!format!("{text:?}{report:?}").contains('\0'));
        }
        // Neither blocks nor the index are swallowed by a line whose end is gone.
        let (found, report) = text(b"#ASDF 1.0.0\n# a\0\0\0\xd3BLK\0\x30\n");
        assert_eq!((found.tree, found.end), (None, 18));
        assert_eq!(report.of(Code::BadText).count(), 2);
        assert_eq!(text(b"#ASDF 1.0.0\n#ASDF BLOCK INDEX\n--- [1]\n").0.tree, None);
    }

    #[test]
    fn a_file_that_ends_in_its_first_line_is_one() {
        for line in ["#ASDF", "#ASDF ", "#ASDF 1.", "%FINF", "%FINF 0.1.0"] {
            let (found, report) = text(line.as_bytes());
            assert_eq!(found.dialect == Dialect::Finf, line.starts_with('%'), "{line}");
            assert_eq!(report.of(Code::CutOff).count(), 1, "{line}");
        }
        assert!(read(&&b"#ASDF\n"[..], 100, &mut Report::default()).is_err());
    }

    #[test]
    fn long_texts_are_read_in_steps_and_bounded() {
        struct Unmapped(Vec<u8>);
        impl Source for Unmapped {
            fn len(&self) -> u64 {
                self.0.len() as u64
            }
            fn read_at(&self, address: u64, buf: &mut [u8]) -> dudley::Result<()> {
                self.0.read_at(address, buf)
            }
        }
        let mut file = b"#ASDF 1.0.0\n--- \"".to_vec();
        file.resize(300_000, b'x');
        file.extend(b"\"\n...\n");
        file.resize(1 << 20, 0);
        let source = Unmapped(file);
        let (text, bytes) = read(&source, 1 << 20, &mut Report::default()).expect("a file");
        assert_eq!((text.end, bytes.map(|bytes| bytes.len())), (300_006, Some(300_006)));
        let (text, bytes) = read(&source.0, 1 << 20, &mut Report::default()).expect("a file");
        assert_eq!((text.end, bytes), (300_006, None));
        assert!(matches!(read(&source, 100_000, &mut Report::default()), Err(Error::Limit { .. })));
        let none = read(&&b"#ASD"[..], 100, &mut Report::default());
        assert!(matches!(none, Err(Error::NotAsdf { .. })));
    }
}
