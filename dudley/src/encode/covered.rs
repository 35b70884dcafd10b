//! Bytes of a struct that are put together of its fields: which of them are there, so that fields that share some cannot
//! give them other values.

use std::collections::BTreeMap;

use crate::error::{Error, Item, Result};

/// The written bytes of a struct.
///
/// ```
/// use dudley::write::Covered;
///
/// let (mut covered, mut room) = (Covered::default(), [0; 4]);
/// covered.put(&mut room, 0, &[1, 2])?;
/// covered.put(&mut room, 1, &[2, 3])?;
/// assert_eq!(room, [1, 2, 3, 0]);
/// assert!(covered.put(&mut room, 2, &[4]).is_err());
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Covered {
    /// Where ranges begin and end that do not touch each other.
    ranges: BTreeMap<usize, usize>,
}

impl Covered {
    /// Writes a field into the bytes of its struct, at one of them.
    ///
    /// # Errors
    /// [`Error::WrongValue`] if another field has other bytes there; [`Error::WrongLength`] if it ends behind the
    /// struct.
    pub fn put(&mut self, room: &mut [u8], at: usize, bytes: &[u8]) -> Result<()> {
        let end = at.saturating_add(bytes.len());
        let length = room.len() as u64;
        let there = room.get_mut(at..end).ok_or_else(|| Error::wrong_length(length, end as u64))?;
        let (mut from, mut to) = (at, end);
        while let Some((&begin, &until)) = self.ranges.range(..=to).next_back() {
            if until < from {
                break;
            }
            let shared = begin.max(at) - at..until.min(end).max(at) - at;
            // None is shared with a range that only touches this one.
            if there.get(shared.clone()) != bytes.get(shared) {
                return Err(Error::WrongValue {
                    item: Item::UNKNOWN,
                    expected: "what another field has in the same bytes of the struct".into(),
                    found: format!("other bytes from byte {} to {}", begin.max(at), until.min(end))
                        .into(),
                });
            }
            (from, to) = (from.min(begin), to.max(until));
            self.ranges.remove(&begin);
        }
        there.copy_from_slice(bytes);
        if from < to {
            self.ranges.insert(from, to);
        }
        Ok(())
    }

    /// Whether some of these ranges share bytes.
    pub fn overlap(ranges: impl IntoIterator<Item = std::ops::Range<usize>>) -> bool {
        let mut ranges: Vec<_> = ranges.into_iter().filter(|range| !range.is_empty()).collect();
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        ranges.windows(2).any(|both| both[0].end > both[1].start)
    }
}
