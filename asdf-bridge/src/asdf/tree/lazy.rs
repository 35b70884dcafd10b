//! The tree of a file, parsed when it is first asked for.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use dudley::bytes::Source;

use super::super::error::{Error, Result};
use super::{Tree, parse};

/// Where a tree stands, and what it is once that was requested.
pub(crate) struct LazyTree {
    source: Arc<dyn Source>,
    range: Option<Range<u64>>,
    /// The URI by which another file named this one; empty for one that was opened itself.
    uri: String,
    /// The bytes of the text, until the tree is parsed; `None` if the source has them in memory.
    read: Mutex<Option<Vec<u8>>>,
    parsed: OnceLock<Result<Tree>>,
}

impl LazyTree {
    /// The tree at `range`, if there is one; `read` has the bytes of the text, from the first of the file on, unless the
    /// source has them in memory.
    pub(crate) fn new(
        source: Arc<dyn Source>,
        uri: &str,
        range: Option<Range<u64>>,
        read: Option<Vec<u8>>,
    ) -> LazyTree {
        LazyTree {
            source,
            uri: uri.to_owned(),
            range,
            read: Mutex::new(read),
            parsed: OnceLock::new(),
        }
    }

    /// The tree; `None` if there is none.
    pub(crate) fn get(&self) -> Option<&Result<Tree>> {
        let range = self.range.as_ref()?;
        Some(self.parsed.get_or_init(|| {
            let read = self.read.lock().unwrap_or_else(PoisonError::into_inner).take();
            let bytes = read.as_deref().or_else(|| self.source.bytes()).unwrap_or_default();
            // What was changed since then may be shorter.
            let within = |address: u64| (address as usize).min(bytes.len());
            let tree = parse_tree(bytes, within(range.start), within(range.end))?;
            Ok(Tree { uri: self.uri.clone(), ..tree })
        }))
    }
}

fn parse_tree(bytes: &[u8], start: usize, end: usize) -> Result<Tree> {
    let line = bytes[..start].iter().filter(|byte| **byte == b'\n').count() + 1;
    match std::str::from_utf8(&bytes[start..end]) {
        Ok(text) => parse(text, start as u64, line),
        Err(error) => {
            let at = start + error.valid_up_to();
            let before = &bytes[..at];
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            let column = before.rsplit(|byte| *byte == b'\n').next().map_or(0, <[u8]>::len) + 1;
            let why = "the text is no UTF-8".into();
            Err(Error::Tree { address: at as u64, line, column, why })
        }
    }
}
