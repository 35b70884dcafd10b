//! Metalayers: a map of names to places, and what lies there.

use std::ops::Range;
use std::sync::Arc;

use dudley::bytes::Source;

use super::header::open;
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::layouts::{content, contents, entry};

/// Bytes before the content of a metalayer.
const MARK: u64 = 5;

/// Bytes of an entry except for its name.
const ENTRY: u64 = 6;

/// Bytes from the size of a map to its entries.
const BEHIND_SIZE: u64 = 5;

/// Metalayers in the order of the file: the name, and where its content is in the frame.
pub(crate) type Metalayers = Vec<(String, Range<u64>)>;

/// Where a map is, and what it may refer to. Addresses in bytes, in the frame.
pub(crate) struct Map {
    pub(crate) part: Part,
    /// Where the entries begin, and their number.
    pub(crate) entries: (u64, u16),
    /// What it says of its size, and how many bytes of that stand before the entries; `None` where that is not known.
    pub(crate) size: Option<(u16, u64)>,
    /// The most that there may be.
    pub(crate) most: u16,
    /// What contains the map: offsets count from its start, and contents end before its end.
    pub(crate) within: Range<u64>,
}

impl Map {
    pub(crate) fn read(&self, frame: &Arc<dyn Source>) -> Result<Metalayers> {
        let (mut at, count) = self.entries;
        if count > self.most {
            let expected = format!("{} names at most", self.most);
            return Err(self.damaged(at.saturating_sub(2), expected, count));
        }
        let mut places = Vec::new();
        for _ in 0..count {
            let mut mark = [0];
            frame.read_at(at, &mut mark).map_err(Error::engine(self.part))?;
            if mark[0] & 0xe0 != 0xa0 {
                let found = format!("{:#04x}", mark[0]);
                return Err(self.damaged(at, "a name of 0 to 31 bytes", found));
            }
            let length = u64::from(mark[0] & 0x1f);
            let failed = Error::engine(self.part);
            let entry = open::<entry::Layout>(frame, at, &[("LENGTH", length)], self.part)?;
            let name = entry.name().read().map_err(&failed)?.into_scalar();
            places.push((at, name, entry.offset().read().map_err(&failed)?));
            at += ENTRY + length;
        }
        let contents = open::<contents::Layout>(frame, at, &[], self.part)?;
        let contents = contents.contents().get().map_err(Error::engine(self.part))?;
        if contents.count != count {
            return Err(self.damaged(at, format!("{count} contents"), contents.count));
        }
        places
            .into_iter()
            .map(|(at, name, offset)| Ok((name, self.content(frame, at, offset)?)))
            .collect()
    }

    /// Checks that it says of its size, which no reader needs, what its entries have. `found` are these.
    ///
    /// # Errors
    /// [`Error::Damaged`], with the address of the size.
    pub(crate) fn check_size(&self, found: &Metalayers) -> Result<()> {
        let Some((said, before)) = self.size else { return Ok(()) };
        let size = found.iter().fold(before, |size, (name, _)| size + ENTRY + name.len() as u64);
        if u64::from(said) == size {
            Ok(())
        } else {
            let expected = format!("a map of {size} bytes");
            Err(self.damaged(self.entries.0.saturating_sub(BEHIND_SIZE), expected, said))
        }
    }

    /// Where the content of an entry is.
    fn content(&self, frame: &Arc<dyn Source>, entry: u64, offset: i32) -> Result<Range<u64>> {
        let outside = |found: String| {
            let length = self.within.end - self.within.start;
            self.damaged(entry, format!("a content within {length} bytes"), found)
        };
        let place = u64::try_from(offset).ok().map(|offset| self.within.start + offset);
        let place = place.filter(|at| at + MARK <= self.within.end);
        let place = place.ok_or_else(|| outside(format!("one at {offset}")))?;
        let content = open::<content::Layout>(frame, place, &[], self.part)?;
        let length = content.params().map_err(Error::engine(self.part))?.length as u64;
        let range = place + MARK..(place + MARK).saturating_add(length);
        if range.end > self.within.end {
            Err(outside(format!("one at {offset} of {length} bytes")))
        } else {
            Ok(range)
        }
    }

    fn damaged(&self, address: u64, expected: impl Into<Box<str>>, found: impl ToString) -> Error {
        Error::damaged(self.part, address, expected, found)
    }
}
