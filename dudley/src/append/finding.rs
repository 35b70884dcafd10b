//! The parts of a stream besides data and layout: reserved room, and the bytes that an interrupted extension
//! left.

use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use super::State;
use super::storage::{FileStorage, Snapshot};
use crate::bytes::positioned;
use crate::bytes::signature::{self, LEN};
use crate::bytes::source::Source;
use crate::error::{Error, Result, file_name};
use crate::filter::Registry;
use crate::index::{Left, left_of};
use crate::read::stream::Stream;

/// Something in a native stream that is neither data nor layout. Addresses and sizes are in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// The layout in force is the copy that an extension made before it overwrote the old one: it was
    /// interrupted. All that was committed is there.
    Interrupted {
        /// Where the copy stands.
        address: u64,
        /// Where the data ends that was committed.
        end: u64,
    },
    /// Such a copy stands at the end, and another layout is in force: an extension was interrupted at
    /// its very beginning or end.
    CopyLeft {
        /// Where the layout in force ends.
        address: u64,
        /// Bytes from there to the end.
        bytes: u64,
    },
    /// Bytes behind the layout that no reader looks at, such as what an interrupted writer left.
    Behind {
        /// Where they begin.
        address: u64,
        /// Their number.
        bytes: u64,
    },
    /// Bytes between the data and the layout, kept free for data that is added.
    Reserved {
        /// Where they begin.
        address: u64,
        /// Their number.
        bytes: u64,
    },
    /// Bytes behind the data of a stream that has no layout of its own; or behind the layout of one, if another native
    /// stream begins there, as members of one file do; or between the data and a layout without its terminator, which may
    /// have lost the items that they are.
    Undescribed {
        /// Where they begin.
        address: u64,
        /// Their number.
        bytes: u64,
    },
}

impl Finding {
    /// Whether an extension was interrupted. No committed data is lost then, and the next writer rolls
    /// the extension back.
    pub fn is_interruption(&self) -> bool {
        matches!(self, Finding::Interrupted { .. } | Finding::CopyLeft { .. })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Interrupted { address, end } => write!(
                f,
                "an extension was interrupted: the layout in force is the copy at address \
                 {address}, and the data that was committed ends at {end}"
            ),
            Finding::CopyLeft { address, bytes } => write!(
                f,
                "an extension was interrupted: it left {bytes} bytes from address {address} on, \
                 behind the layout"
            ),
            Finding::Behind { address, bytes } => {
                write!(f, "{bytes} bytes from address {address} on lie behind the layout")
            }
            Finding::Reserved { address, bytes } => {
                write!(f, "{bytes} bytes from address {address} on are kept free for more data")
            }
            Finding::Undescribed { address, bytes } => {
                write!(f, "{bytes} bytes from address {address} on are not described by the layout")
            }
        }
    }
}

/// Finds the parts of a native stream besides data and layout. It writes nothing, and
/// no lock is needed.
///
/// # Errors
/// As [`Append::open`](super::Append::open), except for the lock.
///
/// ```
/// use dudley::append::{Append, Finding, inspect};
/// # use dudley::{Writer, parse_layout};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.bd");
/// # Writer::new(parse_layout(b"x = i4")?).put("/x", 7).attach(true).write_file(&path, false)?;
/// assert_eq!(inspect(&path)?, []);
/// Append::open(&path)?.reserve(100)?;
/// assert_eq!(inspect(&path)?, [Finding::Reserved { address: 20, bytes: 100 }]);
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn inspect(path: impl AsRef<Path>) -> Result<Vec<Finding>> {
    let path = path.as_ref();
    let name = format!("`{}`", file_name(&path));
    let file = positioned::open(path, File::options().read(true));
    let file = file.map_err(|error| Error::io(format!("cannot open {name}"), error))?;
    let whole = Snapshot::new(Arc::new(FileStorage::new(file)), u64::MAX, name.into())?;
    let found = State::find(&whole, None)?;
    let stream = super::stream(whole, &found.layout, &Registry::builtins())?;
    let end = super::checked_end(&stream)?;
    Ok(found.findings(&stream, end))
}

impl State {
    /// What there is besides the data, which ends at `end`, and the layout.
    pub(super) fn findings(&self, stream: &Stream, end: u64) -> Vec<Finding> {
        let mut findings = Vec::new();
        let Some(text) = &self.text else {
            if stream.len() > end {
                let bytes = stream.len() - end;
                findings.push(Finding::Undescribed { address: end, bytes });
            }
            return findings;
        };
        match (self.is_copy, self.copy_behind) {
            (true, _) => findings.push(Finding::Interrupted { address: text.start, end }),
            (false, true) => {
                let bytes = self.len.saturating_sub(text.end);
                findings.push(Finding::CopyLeft { address: text.end, bytes });
            }
            (false, false) => {
                if let Some(Left::Other { address, bytes }) = left_of(stream) {
                    findings.push(match stream_behind(stream.whole(), address) {
                        Ok(None) => Finding::Behind { address, bytes },
                        // What cannot be read may be one.
                        Ok(Some(_)) | Err(_) => Finding::Undescribed { address, bytes },
                    });
                }
            }
        }
        if text.start > end && !self.is_copy {
            let (address, bytes) = (end, text.start - end);
            // A layout that was cut off has lost what describes them.
            let is_cut = stream.unterminated().is_some();
            findings.push(if is_cut {
                Finding::Undescribed { address, bytes }
            } else {
                Finding::Reserved { address, bytes }
            });
        }
        findings
    }
}

/// The next address, at or behind the given one, where another native stream begins: a multiple of 16. One
/// file may hold several streams; an interrupted writer leaves the text and the data of the next stream there.
///
/// # Errors
/// [`Error::Io`] if the source cannot be read.
///
/// ```
/// let file = [&[0; 32], &b"\x8d<BD\r\n\x1a\n"[..], &[0; 8]].concat();
/// assert_eq!(dudley::append::stream_behind(&file, 20)?, Some(32));
/// assert_eq!(dudley::append::stream_behind(&file, 33)?, None);
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn stream_behind(source: &dyn Source, from: u64) -> Result<Option<u64>> {
    const STEP: usize = LEN as usize;
    const HOLE: u64 = 1 << 20;
    let mut block = [0; 256 * STEP];
    let mut at = from.next_multiple_of(LEN);
    while at < source.len() {
        // A sparse file may be longer than can be read.
        if source.is_hole(at, HOLE) {
            at += HOLE;
            continue;
        }
        let length = (source.len() - at).min(block.len() as u64);
        let block = &mut block[..length as usize];
        source.read_at(at, block)?;
        if let Some(found) = block.chunks(STEP).position(signature::is_native) {
            return Ok(Some(at + (found * STEP) as u64));
        }
        at += length;
    }
    Ok(None)
}
