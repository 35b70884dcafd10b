//! The bytes behind an item that takes the rest of a stream (spec 4.9), too few for one more element.

use std::fmt;

use dudley_parser::layout::{ParamId, Taker};

use super::Stream;
use crate::error::{Result, plural};
use crate::read::path::without_slices;

/// Bytes that are left behind an item that takes all that the stream has left.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOver {
    /// The path of the item.
    pub path: String,
    /// Where they begin, in bytes from the start of the stream.
    pub address: u64,
    /// The number of bytes.
    pub bytes: u64,
    /// The kind of one more element.
    more: &'static str,
}

impl fmt::Display for LeftOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LeftOver { address, bytes, more, .. } = self;
        write!(
            f,
            "{bytes} byte{} left behind it, at address {address}: too few for one more {more}",
            plural(*bytes)
        )
    }
}

impl Stream {
    /// The bytes behind the items that take the rest of the stream.
    ///
    /// # Errors
    /// If one of them cannot be placed.
    ///
    /// ```
    /// use dudley::Open;
    ///
    /// let text = "N : 0  #: to_end\nx = u4[N]";
    /// let stream = Open::new().layout_text(text)?.raw().bytes(vec![1; 11])?;
    /// assert_eq!(stream.get("/x")?.data()?.shape(), [2]);
    /// assert_eq!((stream.left_over()?[0].address, stream.left_over()?[0].bytes), (8, 3));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn left_over(&self) -> Result<Vec<LeftOver>> {
        let takers = self.layout().takers();
        takers.filter_map(|(id, taker)| self.left_over_of(id, taker).transpose()).collect()
    }

    /// The same of those items of which something is at or below a path.
    ///
    /// # Errors
    /// If one of them cannot be placed; what is wrong with the path.
    pub(crate) fn left_over_at(&self, path: &str) -> Result<Vec<LeftOver>> {
        let path = without_slices(path)?;
        let path = path.trim_end_matches('/');
        let is_below = |inner: &str, outer: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let takers = self.layout().takers().filter(|(_, taker)| {
            let (own, _) = self.path_of(*taker);
            is_below(&own, path) || is_below(path, &own)
        });
        takers.filter_map(|(id, taker)| self.left_over_of(id, taker).transpose()).collect()
    }

    fn left_over_of(&self, id: ParamId, taker: Taker) -> Result<Option<LeftOver>> {
        let left = self.resolve(|resolver| resolver.left_over(id))?;
        let Some(bytes) = left.filter(|bytes| *bytes > 0) else { return Ok(None) };
        let (path, more) = self.path_of(taker);
        let address = self.len().saturating_sub(bytes);
        Ok(Some(LeftOver { path, address, bytes, more }))
    }

    /// The path of an item, and what it is made of. The members of a record that has none stand for it.
    fn path_of(&self, taker: Taker) -> (String, &'static str) {
        let layout = self.layout();
        match taker {
            Taker::Array(id) if layout[id].spliced => {
                (layout[id].dict.map_or_else(String::new, |dict| layout.dict_path(dict)), "record")
            }
            taker => {
                let path = layout.step_path(layout.root()[layout.taker_step(taker)]);
                let more = match taker {
                    Taker::Array(_) => "element of its first dimension",
                    Taker::Repeat(_) => "repetition",
                };
                (path.unwrap_or_default(), more)
            }
        }
    }
}
