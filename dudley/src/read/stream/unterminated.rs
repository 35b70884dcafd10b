//! Attached layouts that end without their terminator, so that some of them may be cut off (spec 8.3).

use std::fmt;

use super::{NATIVE_START, Stream};

/// An attached layout without its terminator: that is legal, but the file may have been cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unterminated {
    /// Where the layout begins, in bytes from the start of the stream.
    pub address: u64,
    /// Where the data end that the layout describes, if that is before the layout.
    pub end: Option<u64>,
}

impl fmt::Display for Unterminated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the layout appended at address {} ends without its terminator, a line `-`: the file may be cut off",
            self.address
        )?;
        match self.end {
            Some(end) => {
                write!(
                    f,
                    ", and items with it, since the layout describes data to address {end} only"
                )
            }
            None => Ok(()),
        }
    }
}

impl Stream {
    /// Whether the attached layout, with which the stream was opened, may be cut off.
    ///
    /// ```
    /// // `y = u1[4]` is missing.
    /// let bytes = [b"\x8d<BD\r\n\x1a\n\x18\0\0\0\0\0\0\0\x01\x02\x03\x04\x05\x06\x07\x08", &b"x = u1[4]\n"[..]].concat();
    /// let stream = dudley::Open::new().bytes(bytes)?;
    /// let found = stream.unterminated().expect("no line `-`");
    /// assert_eq!((found.address, found.end), (24, Some(20)));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn unterminated(&self) -> Option<Unterminated> {
        let address = self.signature()?.layout_address?;
        let layout = self.layout();
        let end = address.saturating_add(layout.text().len() as u64);
        // A `-` behind an item, with which the file ends, may be what is left of `-> filter`.
        let is_line = layout.body().is_empty() || layout.body().ends_with(['\n', '\r']);
        if layout.has_terminator() && (is_line || end < self.whole().len()) {
            return None;
        }
        let end = self.data_end().ok().map(|end| end.max(NATIVE_START));
        Some(Unterminated { address, end: end.filter(|end| *end < address) })
    }
}
