//! What of a stream was written, as one process sends it to another.

use std::collections::BTreeMap;
use std::ops::Range;

use super::covered::Covered;
use crate::bytes::pieces::Pieces;
use crate::error::{Error, Result};

/// The written elements of each item: each process that writes a [shared](super::Create::shared) file reports them
/// to the process that finishes it. Its size depends on the number of ranges, not of elements.
///
/// ```
/// use dudley::create::{Coverage, Create};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("x.bd");
/// let create = Create::text("x = i4[4]")?;
/// let first = create.shared(&path)?;
/// let second = create.join(&path)?;
/// first.write("/x[:2]", &[1, 2])?;
/// second.write("/x[2:]", &[3, 4])?;
/// let sent = second.coverage().to_bytes();
/// assert!(first.finish().is_err());
/// first.cover(&Coverage::from_bytes(&sent)?)?;
/// first.finish()?;
/// assert_eq!(dudley::Stream::open(&path)?.get("/x")?.read::<i32>()?.sum(), 10);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By the path of the item; nothing for all of it.
    items: BTreeMap<String, Option<Vec<Range<u64>>>>,
    /// The checksum of what was written, if that is wanted.
    pub(super) pieces: Pieces,
}

impl Coverage {
    /// No items yet.
    pub(super) fn of(pieces: Pieces) -> Coverage {
        Coverage { pieces, ..Coverage::default() }
    }

    /// Forgets the checksum, for a writer that knows it.
    pub(crate) fn forget_checksum(&mut self) {
        self.pieces = Pieces::default();
    }

    /// All of an item.
    pub(super) fn push_whole(&mut self, path: &str) {
        self.items.insert(path.to_owned(), None);
    }

    /// Some elements of an item.
    pub(super) fn push(&mut self, path: &str, covered: &Covered) {
        self.items.insert(path.to_owned(), Some(covered.ranges()));
    }

    /// Forgets an item; whether it was there.
    pub(crate) fn remove(&mut self, path: &str) -> bool {
        self.items.remove(path).is_some()
    }

    /// Adds the ranges that others have written. Adjacent ranges are merged.
    pub fn join(&mut self, other: Coverage) {
        self.pieces.join(other.pieces);
        for (path, theirs) in other.items {
            let Some(ours) = self.items.get_mut(&path) else {
                self.items.insert(path, theirs);
                continue;
            };
            *ours = match (ours.take(), theirs) {
                (Some(ours), Some(theirs)) => Some(joined(ours, theirs)),
                _ => None,
            };
        }
    }

    /// The items by their paths, each with the ranges of its elements that were written, counted row-major from 0;
    /// nothing for all of them.
    pub fn items(&self) -> impl Iterator<Item = (&str, Option<&[Range<u64>]>)> {
        self.items.iter().map(|(path, ranges)| (path.as_str(), ranges.as_deref()))
    }

    /// As bytes, to be sent.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut put = |number: u64| bytes.extend_from_slice(&number.to_le_bytes());
        let mut text = Vec::new();
        put(self.pieces.sum.into());
        put(self.pieces.bytes);
        put(self.items.len() as u64);
        for (path, ranges) in &self.items {
            put(path.len() as u64);
            text.extend_from_slice(path.as_bytes());
            // All of an item: no number of ranges.
            put(ranges.as_ref().map_or(u64::MAX, |ranges| ranges.len() as u64));
            for range in ranges.iter().flatten() {
                put(range.start);
                put(range.end);
            }
        }
        bytes.extend_from_slice(&text);
        bytes
    }

    /// Of the bytes that [`Self::to_bytes`] gave.
    ///
    /// # Errors
    /// [`Error::WrongValue`] for other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Coverage> {
        parsed(bytes).ok_or_else(|| Error::WrongValue {
            item: crate::error::Item::UNKNOWN,
            expected: "what another process said that it has written".into(),
            found: format!("{} other bytes", bytes.len()).into(),
        })
    }
}

/// Ranges in their order, without those that touch each other.
pub(crate) fn joined(mut ours: Vec<Range<u64>>, theirs: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ours.extend(theirs);
    ours.sort_unstable_by_key(|range| range.start);
    let mut all: Vec<Range<u64>> = Vec::new();
    for range in ours {
        match all.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => all.push(range),
        }
    }
    all
}

fn parsed(bytes: &[u8]) -> Option<Coverage> {
    let mut numbers = bytes.chunks_exact(8).map(|it| it.try_into().map_or(0, u64::from_le_bytes));
    let mut taken = 0_usize;
    let mut next = || {
        taken += 8;
        numbers.next()
    };
    let pieces = Pieces { sum: u32::try_from(next()?).ok()?, bytes: next()? };
    let count = next()?;
    let mut found = Vec::new();
    for _ in 0..count {
        let length = usize::try_from(next()?).ok()?;
        let ranges = match next()? {
            u64::MAX => None,
            count => {
                let mut ranges = Vec::new();
                for _ in 0..count {
                    ranges.push(next()?..next()?);
                }
                Some(ranges)
            }
        };
        found.push((length, ranges));
    }
    let mut text = bytes.get(taken..)?;
    let mut items = Vec::new();
    for (length, ranges) in found {
        let (path, rest) = text.split_at_checked(length)?;
        items.push((std::str::from_utf8(path).ok()?.to_owned(), ranges));
        text = rest;
    }
    let items = items.into_iter().collect();
    text.is_empty().then_some(Coverage { items, pieces })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_what_is_heard() {
        let mut covered = Covered::new(&[10, 3]).expect("few");
        covered.add_range(3, 9).expect("inside");
        let mut coverage = Coverage::default();
        coverage.push("/l/0/x", &covered);
        coverage.push_whole("/ä");
        coverage.pieces = Pieces::of(16, b"abc");
        let bytes = coverage.to_bytes();
        assert_eq!(Coverage::from_bytes(&bytes).expect("ours"), coverage);
        for end in 0..bytes.len() {
            assert!(Coverage::from_bytes(&bytes[..end]).is_err(), "{end}");
        }
        assert!(Coverage::from_bytes(&[0xff; 64]).is_err());
        assert_eq!(Coverage::from_bytes(&[0; 24]).expect("nothing"), Coverage::default());
    }

    #[test]
    fn ranges_that_touch_become_one() {
        let joined = joined(vec![0..3, 7..9, 20..21], vec![3..5, 8..12, 30..31]);
        assert_eq!(joined, [0..5, 7..12, 20..21, 30..31]);
        let mut all = Coverage::default();
        all.push_whole("/x");
        let mut part = Coverage::default();
        part.push("/x", &Covered::new(&[3]).expect("few"));
        part.push_whole("/y");
        all.join(part);
        assert_eq!(all.items().map(|it| it.0).collect::<Vec<_>>(), ["/x", "/y"]);
        assert!(all.items().all(|it| it.1.is_none()));
    }
}
