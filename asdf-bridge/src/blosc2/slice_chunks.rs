//! Which chunks a slice of the data of a frame has elements of.

use std::ops::Range;

use dudley::read::slice::{Index, Picked, resolve};

use super::error::{Error, Result};
use super::frame::Frame;

impl Frame {
    /// Whether a slice of its data, the elements of its array or else its bytes, has some of a chunk. No indices are
    /// all of it.
    ///
    /// ```
    /// use asdf_bridge::blosc2::Frame;
    /// use dudley::read::slice::parse_slice;
    ///
    /// let frame = Frame::open("tests/small.b2nd")?; // an array of 4 times 6, in chunks of 2 times 6
    /// let rows = parse_slice("2:").expect("a slice");
    /// assert_eq!((frame.touches(&rows, 0)?, frame.touches(&rows, 1)?), (false, true));
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Range`] for a slice that does not fit, or no such chunk; what is wrong with the metalayer of the
    /// array.
    pub fn touches(&self, indices: &[Index], chunk: u64) -> Result<bool> {
        let (shape, ranges) = match self.array()? {
            Some(array) if array.shape().contains(&0) => return Ok(false),
            Some(array) => (array.shape().to_vec(), array.chunk_ranges(chunk)),
            None => (vec![self.nbytes()], vec![self.chunk_range(chunk)?]),
        };
        let picked = resolve(indices, &shape);
        let picked = picked.map_err(|error| Error::Range(error.to_string().into()))?;
        Ok(picked.iter().zip(ranges).all(|(picked, range)| hits(picked, &range)))
    }
}

/// Whether some of what is picked along a dimension is in a range of it.
fn hits(picked: &Picked, range: &Range<u64>) -> bool {
    let Some(steps) = picked.count.checked_sub(1) else { return false };
    let stride = picked.step.unsigned_abs().max(1);
    let span = steps.saturating_mul(stride);
    let lowest = if picked.step < 0 { picked.start.saturating_sub(span) } else { picked.start };
    let skipped = range.start.saturating_sub(lowest).div_ceil(stride).saturating_mul(stride);
    let first = lowest.saturating_add(skipped);
    first < range.end && first <= lowest.saturating_add(span)
}

#[cfg(test)]
mod tests {
    use dudley::read::slice::parse_slice;

    use super::*;
    use crate::blosc2::{Encoding, NewArray, NewFrame};

    #[test]
    fn the_same_chunks_as_those_of_the_elements_one_by_one() {
        let new = NewArray::of::<u8>(&[7, 9])
            .and_then(|new| new.chunks(&[3, 4]).blocks(&[2, 4]).memory());
        let mut writer = new.expect("begun");
        writer.write(&(0..63).collect::<Vec<u8>>()).expect("written");
        let frame = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
        let array = frame.array().expect("right").expect("an array");
        for slice in ["", "0", "3:", "-1, ::4", "::2, 8", "::-3, 1:1", "6:1:-2, 3:5", "1, -1:0:-7"]
        {
            let indices =
                parse_slice(if slice.is_empty() { "..." } else { slice }).expect("a slice");
            let (_, picked) = array.bytes_of(&indices).expect("it fits");
            for chunk in 0..frame.chunk_count() {
                let wanted = picked.iter().any(|at| {
                    let (row, column) = (u64::from(at / 9), u64::from(at % 9));
                    row / 3 * 3 + column / 4 == chunk
                });
                assert_eq!(
                    frame.touches(&indices, chunk).expect("it fits"),
                    wanted,
                    "[{slice}] {chunk}"
                );
            }
        }
        assert!(frame.touches(&parse_slice("9").expect("a slice"), 0).is_err());
    }

    #[test]
    fn bytes_of_chunks_of_any_size() {
        let mut writer = NewFrame::new(Encoding::new(1)).variable().memory().expect("begun");
        for size in [5, 1, 10] {
            writer.write(&vec![7; size]).expect("written");
        }
        let frame = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
        let of = |slice: &str| {
            let indices = parse_slice(slice).expect("a slice");
            (0..3).map(|chunk| frame.touches(&indices, chunk).expect("it fits")).collect::<Vec<_>>()
        };
        assert_eq!(of("..."), [true, true, true]);
        assert_eq!(of("5"), [false, true, false]);
        assert_eq!(of("::6"), [true, false, true]);
        assert_eq!(of("4:4"), [false, false, false]);
        assert!(frame.touches(&[], 3).is_err());
    }
}
