//! An array, or a part of one, written anew: what the new one takes over, and the elements, some at a time.

use dudley::read::slice::{Index, Picked};

use super::grid::runs;
use super::{ArrayWriter, NdArray, NewArray};
use crate::blosc2::error::Result;
use crate::blosc2::filters::Filter;
use crate::blosc2::frame::FrameWriter;

impl NewArray {
    /// As an array is: with its shape, type, chunks and blocks, the other metalayers of its frame, and its
    /// encoding.
    ///
    /// # Errors
    /// As [`Self::new`], [`NewFrame::like`](crate::blosc2::NewFrame::like), [`NdArray::check_dtype`].
    pub fn like(array: &NdArray) -> Result<NewArray> {
        NewArray::like_part(array, &[])
    }

    /// As [`Self::like`], of what indices pick of an array. Dimensions of which one index is picked are gone, from
    /// chunks and blocks too, and these are no longer than what is left. Filters by cells are left out where c-blosc2 does
    /// not undo them in its blocks, as in those that are smaller than a cell.
    ///
    /// ```
    /// use asdf_bridge::blosc2::{Codec, Encoding, Frame, NewArray};
    /// use dudley::read::slice::parse_slice;
    ///
    /// let new = NewArray::of::<u16>(&[40, 30])?.chunks(&[20, 10]).vlmeta("unit", b"\xa1K");
    /// let mut writer = new.encoding(Encoding::new(2).codec(Codec::Lz4)).memory()?;
    /// writer.write_elements(&[7_u16; 1200])?;
    /// let array = Frame::from_source(writer.finish_bytes()?)?.array()?.expect("an array");
    ///
    /// let columns = parse_slice(":, 3:6")?;
    /// let mut writer = NewArray::like_part(&array, &columns)?.memory()?;
    /// writer.write_part(&array, &columns)?;
    /// let part = Frame::from_source(writer.finish_bytes()?)?.array()?.expect("an array");
    /// assert_eq!((part.shape(), part.chunks()), (&[40, 3][..], &[20, 3][..]));
    /// assert_eq!((part.frame().codec()?, part.frame().vlmeta("unit")?), (Codec::Lz4, b"\xa1K".to_vec()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Range`](crate::blosc2::Error::Range) for indices that do not fit; else as [`Self::like`].
    pub fn like_part(array: &NdArray, indices: &[Index]) -> Result<NewArray> {
        array.check_dtype()?;
        let (picked, shape) = array.picks(indices)?;
        let mut new = NewArray::new(&shape, array.dtype())?;
        // An array of nothing may have chunks of nothing.
        if !array.chunks().contains(&0) && !array.blocks().contains(&0) {
            let fitting = |dims: &[u64]| -> Vec<u64> {
                let left = picked.iter().zip(dims).filter(|(picked, _)| !picked.single);
                left.map(|(picked, dim)| (*dim).min(picked.count.max(1))).collect()
            };
            new = new.chunks(&fitting(array.chunks())).blocks(&fitting(array.blocks()));
        }
        let mut encoding = array.frame().encoding()?;
        let all = |(picked, dim): (&Picked, &u64)| {
            !picked.single && picked.step == 1 && picked.count == *dim
        };
        if !picked.iter().zip(array.shape()).all(all) {
            encoding.filters = of_part(&encoding.filters, shape.len());
        }
        if let Ok(cut) = new.cut() {
            encoding.filters.retain(|filter| filter.check_block(&cut.blockshape()).is_ok());
        }
        new = new.encoding(encoding);
        new.inherited.clone_from(&new.frame.encoding.filters);
        new.frame = new.frame.metalayers_of(array.frame())?;
        Ok(new)
    }

    /// Only with those of its metalayers so far that are kept, as [`NewFrame::keep`](crate::blosc2::NewFrame::keep).
    #[must_use]
    pub fn keep(mut self, keep: impl Fn(&str, &str) -> bool) -> NewArray {
        self.frame = self.frame.keep(keep);
        self
    }
}

/// The filters of a part. Its cells are others: elements that are means of some must not become means of others, and
/// a single element has none.
fn of_part(filters: &[Filter], rank: usize) -> Vec<Filter> {
    let cells = |filter: &Filter| match *filter {
        Filter::NdMean(side) | Filter::NdCell(side) => (rank > 0).then_some(Filter::NdCell(side)),
        filter => Some(filter),
    };
    filters.iter().filter_map(cells).collect()
}

impl NdArray {
    /// Gives what indices pick as bytes, row-major, at most what is in chunks side by side at a time, so that each
    /// chunk is read once.
    ///
    /// # Errors
    /// If something is wrong with a chunk; if `take` fails.
    fn each_part(
        &self,
        indices: &[Index],
        take: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let (picked, shape) = self.picks(indices)?;
        if shape.contains(&0) {
            return Ok(());
        }
        let Some(first) = picked.iter().position(|picked| !picked.single) else {
            return take(&self.bytes_picked(&picked)?);
        };
        let chunk = self.chunks()[first];
        let mut part = picked.clone();
        for run in runs(&picked[first], chunk, chunk) {
            // Within the chunk, hence within the array.
            let start = run.chunk * chunk + run.within;
            part[first] = Picked { start, count: run.count, ..picked[first] };
            take(&self.bytes_picked(&part)?)?;
        }
        Ok(())
    }
}

impl ArrayWriter {
    /// Appends all elements of an array, some indices of its first dimension at a time.
    ///
    /// # Errors
    /// [`Error::Damaged`](crate::blosc2::Error::Damaged) for a chunk that its checksum is not of, or a wrong entry of
    /// the index of an array that gets checksums, unless that is [not looked at](NewArray::unchecked); what is wrong with a chunk; else as [`Self::write`].
    pub fn write_array(&mut self, array: &NdArray) -> Result<()> {
        self.write_part(array, &[])
    }

    /// Appends what indices pick of an array, some indices of the first dimension that is left at a time.
    ///
    /// # Errors
    /// As [`Self::write_array`]; [`Error::Range`](crate::blosc2::Error::Range) for indices that do not fit.
    pub fn write_part(&mut self, array: &NdArray, indices: &[Index]) -> Result<()> {
        self.frame.check_source(array.frame())?;
        array.each_part(indices, &mut |bytes| self.write(bytes))
    }
}

impl FrameWriter {
    /// Appends all elements of an array, row-major, some indices of its first dimension at a time.
    ///
    /// # Errors
    /// As [`Self::write_frame`].
    pub fn write_array(&mut self, array: &NdArray) -> Result<()> {
        self.write_part(array, &[])
    }

    /// Appends what indices pick of an array, row-major, as [`ArrayWriter::write_part`].
    ///
    /// # Errors
    /// As [`Self::write_array`].
    pub fn write_part(&mut self, array: &NdArray, indices: &[Index]) -> Result<()> {
        self.check_source(array.frame())?;
        array.each_part(indices, &mut |bytes| self.write(bytes))
    }
}

#[cfg(test)]
mod tests {
    use dudley::read::slice::parse_slice;

    use super::*;
    use crate::blosc2::{Codec, Encoding, Frame};

    fn array(bytes: Vec<u8>) -> NdArray {
        let frame = Frame::from_source(bytes).expect("a frame");
        frame.array().expect("right").expect("an array")
    }

    #[test]
    fn parts_are_what_slices_are() {
        let filters = [Filter::NdCell(3), Filter::Shuffle];
        let encoding = Encoding::new(4).codec(Codec::BloscLz).level(3).filters(&filters);
        let new = NewArray::of::<u32>(&[23, 17, 9]).expect("known").encoding(encoding);
        let mut writer = new.chunks(&[7, 8, 5]).blocks(&[3, 8, 2]).memory().expect("begun");
        writer.write_elements(&(0..23 * 17 * 9).collect::<Vec<u32>>()).expect("written");
        let whole = array(writer.finish_bytes().expect("complete"));
        for slice in
            ["...", "5:9", "::-1, 3", "20:2:-5, ::3, -4:", "..., 2", "4, ::-2", "4, 5, 6", "3:3"]
        {
            let indices = parse_slice(slice).expect("a slice");
            let new = NewArray::like_part(&whole, &indices).expect("known");
            let mut writer = new.memory().expect("begun");
            writer.write_part(&whole, &indices).expect("written");
            let part = array(writer.finish_bytes().expect("complete"));
            assert_eq!(
                part.read::<u32>().expect("decoded"),
                whole.slice::<u32>(slice).expect("decoded"),
                "{slice}"
            );
            let frame = part.frame();
            assert_eq!((frame.codec().expect("known"), frame.level()), (Codec::BloscLz, 3));
            let elements: u64 = part.blocks().iter().product();
            let rank = part.blocks().len() as u32;
            let kept = 1 + usize::from(rank > 0 && elements >= 3_u64.pow(rank));
            assert_eq!(frame.filters().filter(|(id, _)| *id != 0).count(), kept, "{slice}");
        }
    }
}
