//! An array by the addresses of its elements row-major: elements that lie together there, and are decoded together.

use std::ops::Range;

use dudley::read::slice::Picked;

use super::{NdArray, read};
use crate::blosc2::error::Result;

impl NdArray {
    /// Bytes of all its elements.
    pub(in crate::blosc2) fn nbytes(&self) -> u64 {
        // That it fits was found when the array was opened.
        self.meta.shape.iter().product::<u64>() * self.frame.typesize() as u64
    }

    /// The band of elements around an address: some indices of one dimension, and all of those behind it. It has at
    /// most this many bytes, except for one index of the last dimension, and begins where blocks do, if they are not higher.
    pub(in crate::blosc2) fn band(&self, at: u64, most: u64) -> Range<u64> {
        let mut inner = self.nbytes();
        for (length, block) in self.meta.shape.iter().zip(&self.meta.blocks) {
            inner /= length;
            if inner > most {
                continue;
            }
            let rows = (most / inner).max(1);
            let index = at / inner;
            let (before, index) = (index - index % length, index % length);
            let start = if rows >= *block {
                index - index % (rows - rows % block)
            } else {
                index - (index % block) % rows
            };
            let end = if rows >= *block {
                start + (rows - rows % block)
            } else {
                (start + rows).min(start - start % block + block)
            };
            return (before + start) * inner..(before + end.min(*length)) * inner;
        }
        let size = self.frame.typesize() as u64;
        at - at % size..at - at % size + size
    }

    /// Decodes a [band](Self::band) to as many bytes as it has.
    ///
    /// # Errors
    /// If something is wrong with a chunk.
    pub(in crate::blosc2) fn read_band(&self, band: &Range<u64>, dst: &mut [u8]) -> Result<()> {
        let len = band.end - band.start;
        let mut inner = self.nbytes();
        let mut picked = Vec::with_capacity(self.meta.shape.len());
        for length in &self.meta.shape {
            inner /= length;
            let start = band.start / inner % length;
            // Of dimensions before that of the band there is one index, of those behind it there are all.
            let count = (len / inner).clamp(1, *length);
            picked.push(Picked { start, count, step: 1, single: false });
        }
        read::read(self, &picked, dst)
    }

    /// Decodes bytes from an address on, by as few [bands](Self::band) as have nothing else, or one element.
    ///
    /// # Errors
    /// If something is wrong with a chunk that they touch.
    pub(in crate::blosc2) fn read_elements(&self, start: u64, dst: &mut [u8]) -> Result<()> {
        let size = self.frame.typesize() as u64;
        let (mut at, mut rest) = (start, dst);
        while !rest.is_empty() {
            let band = self.part_of_row(at, rest.len() as u64);
            let skipped = at - band.start;
            let count = (band.end - at).min(rest.len() as u64);
            let (now, later) = rest.split_at_mut(count as usize);
            if skipped == 0 && band.end - band.start == count {
                self.read_band(&band, now)?
            } else {
                let mut whole = vec![0; size as usize];
                self.read_band(&band, &mut whole)?;
                now.copy_from_slice(&whole[skipped as usize..][..count as usize]);
            }
            (at, rest) = (at + count, later);
        }
        Ok(())
    }

    /// Elements from an address on that are some indices of one dimension and all of those behind it, as many as lie
    /// within this many bytes; the one at the address, if it begins before or ends behind these.
    fn part_of_row(&self, at: u64, most: u64) -> Range<u64> {
        let mut inner = self.nbytes();
        for length in &self.meta.shape {
            inner /= length;
            if at.is_multiple_of(inner) && inner <= most {
                let left = length - at / inner % length;
                return at..at + (most / inner).min(left) * inner;
            }
        }
        let size = self.frame.typesize() as u64;
        at - at % size..at - at % size + size
    }
}

#[cfg(test)]
mod tests {
    use crate::blosc2::{Encoding, Frame, NewArray};

    #[test]
    fn bands_follow_each_other_and_hold_their_elements() {
        let shapes: [(&[u64], &[u64], &[u64]); 5] = [
            (&[7, 5, 6], &[4, 5, 3], &[2, 3, 3]),
            (&[1, 40], &[1, 7], &[1, 3]),
            (&[40], &[16], &[5]),
            (&[3, 1, 9], &[3, 1, 4], &[2, 1, 4]),
            (&[], &[], &[]),
        ];
        for (shape, chunks, blocks) in shapes {
            let new = NewArray::of::<u16>(shape).expect("known").encoding(Encoding::new(2));
            let mut writer = new.chunks(chunks).blocks(blocks).memory().expect("begun");
            let count = shape.iter().product::<u64>() as u16;
            writer.write_elements(&(0..count).collect::<Vec<u16>>()).expect("written");
            let frame = Frame::from_source(writer.finish_bytes().expect("complete"));
            let array = frame.expect("a frame").array().expect("right").expect("an array");
            let (_, whole) = array.bytes_of(&[]).expect("decoded");
            for most in 1..100 {
                let mut at = 0;
                while at < array.nbytes() {
                    let band = array.band(at, most);
                    assert_eq!(band.start, at, "{shape:?} {most}");
                    assert!(band.end - at <= most.max(2), "{shape:?} {most}: {band:?}");
                    assert_eq!(array.band(band.end - 1, most), band, "{shape:?} {most}");
                    let mut bytes = vec![0; (band.end - at) as usize];
                    array.read_band(&band, &mut bytes).expect("decoded");
                    assert_eq!(bytes, whole[at as usize..band.end as usize], "{shape:?} {most}");
                    at = band.end;
                }
            }
        }
    }
}
