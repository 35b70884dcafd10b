//! The elements of an array in chunks as bytes, one element behind the other, as if they were stored so.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use dudley::Data;
use dudley::bytes::{Source, check};
use dudley::ndarray::{ArrayViewD, ArrayViewMutD, IxDyn, Slice};
use dudley::read::slice::Index;

use super::{Chunk, Chunked};
use crate::asdf::error::Error;

/// The bytes of an array in chunks; 0 where no chunk is. Of the chunks those are opened that a read touches.
pub(crate) struct Assembled {
    chunked: Arc<Chunked>,
    /// Of each chunk where in the whole it is, and its array once that was wanted.
    areas: Vec<Area>,
    opened: Vec<OnceLock<Data>>,
    /// Bytes of an element.
    size: u64,
    /// The shape, its last dimension in bytes.
    shape: Vec<u64>,
    len: u64,
}

/// A part of the whole: a range in each dimension, the last one in bytes.
type Area = Vec<Range<u64>>;

impl Assembled {
    /// Those of elements of so many bytes; none if there are more of them than an address can say.
    pub(crate) fn new(chunked: &Arc<Chunked>, size: u64) -> Option<Assembled> {
        let mut shape = chunked.shape.clone();
        match shape.last_mut() {
            Some(last) => *last = last.checked_mul(size)?,
            None => shape.push(size),
        }
        let len = if shape.contains(&0) {
            0
        } else {
            shape.iter().try_fold(1_u64, |len, dim| len.checked_mul(*dim))?
        };
        let areas = chunked.chunks.iter().map(|chunk| area_of(chunk, size)).collect();
        let opened = chunked.chunks.iter().map(|_| OnceLock::new()).collect();
        Some(Assembled { chunked: chunked.clone(), areas, opened, size, shape, len })
    }

    /// The largest area whose bytes are those from `first` on, and not more than `count`; and how many it has.
    fn area_at(&self, first: u64, count: u64) -> (Area, u64) {
        let mut area = Area::with_capacity(self.shape.len());
        let (mut within, mut below) = (first, self.len);
        let mut dims = self.shape.iter();
        for dim in dims.by_ref() {
            below /= dim;
            let index = within / below;
            within %= below;
            if within == 0 && count >= below {
                let indices = (count / below).min(dim - index);
                area.push(index..index + indices);
                area.extend(dims.map(|dim| 0..*dim));
                return (area, indices * below);
            }
            area.push(index..index + 1);
        }
        (area, 1)
    }

    /// Puts what the chunks have of an area into its bytes.
    fn put(&self, area: &Area, bytes: &mut [u8]) -> dudley::Result<()> {
        for (at, whole) in self.areas.iter().enumerate() {
            let common = || {
                let ranges = area.iter().zip(whole);
                ranges.map(|(one, other)| one.start.max(other.start)..one.end.min(other.end))
            };
            if common().all(|range| range.start < range.end) {
                let data = self.open(at)?;
                self.copy(&data, whole, &common().collect(), area, &mut *bytes)?;
            }
        }
        Ok(())
    }

    fn open(&self, at: usize) -> dudley::Result<Data> {
        let (chunk, opened) = (&self.chunked.chunks[at], &self.opened[at]);
        if let Some(data) = opened.get() {
            return Ok(data.clone());
        }
        let data = chunk.array.data().map_err(|error| match error {
            Error::Engine(error) => error,
            error => dudley::Error::from(error).of_path(chunk.array.path()),
        })?;
        Ok(opened.get_or_init(|| data).clone())
    }

    /// Copies an area from a chunk, which is somewhere in the whole, into the bytes of another area.
    fn copy(
        &self,
        data: &Data,
        whole: &Area,
        common: &Area,
        area: &Area,
        bytes: &mut [u8],
    ) -> dudley::Result<()> {
        let mut picked: Area = common
            .iter()
            .zip(whole)
            .map(|(it, of)| it.start - of.start..it.end - of.start)
            .collect();
        // Whole elements are read, of which the area may have parts.
        let mut lead = 0;
        if let Some(last) = picked.last_mut() {
            lead = last.start % self.size;
            *last = last.start / self.size..last.end.div_ceil(self.size);
        }
        let bound = |at: u64| i64::try_from(at).ok();
        let indices = picked.iter().take(self.chunked.shape.len()).map(|it| Index::Range {
            start: bound(it.start),
            stop: bound(it.end),
            step: 1,
        });
        let read = data.slice(&indices.collect::<Vec<_>>())?.raw()?;
        let mut dims: Vec<usize> = picked.iter().map(|it| (it.end - it.start) as usize).collect();
        if let Some(last) = dims.last_mut() {
            *last *= self.size as usize;
        }
        let unlike = |_| dudley::Error::too_large(read.len() as u64);
        let from = ArrayViewD::from_shape(IxDyn(&dims), &read).map_err(unlike)?;
        let dims: Vec<usize> = area.iter().map(|it| (it.end - it.start) as usize).collect();
        let mut to = ArrayViewMutD::from_shape(IxDyn(&dims), bytes).map_err(unlike)?;
        let last = common.len() - 1;
        let extent = |axis: usize| (common[axis].end - common[axis].start) as usize;
        let from = from.slice_each_axis(|axis| {
            if axis.axis.index() == last {
                Slice::from(lead as usize..lead as usize + extent(last))
            } else {
                Slice::from(..)
            }
        });
        to.slice_each_axis_mut(|axis| {
            let axis = axis.axis.index();
            let start = (common[axis].start - area[axis].start) as usize;
            Slice::from(start..start + extent(axis))
        })
        .assign(&from);
        Ok(())
    }
}

/// Where in the whole a chunk is, of elements of so many bytes.
fn area_of(chunk: &Chunk, size: u64) -> Area {
    let ranges = chunk.start.iter().zip(chunk.array.shape());
    let mut area: Area = ranges.map(|(start, dim)| *start..start.saturating_add(*dim)).collect();
    match area.last_mut() {
        Some(last) => *last = last.start * size..last.end * size,
        None => area.push(0..size),
    }
    area
}

impl Source for Assembled {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, address: u64, mut buf: &mut [u8]) -> dudley::Result<()> {
        check(self.len, address, buf.len() as u64)?;
        buf.fill(0);
        let mut first = address;
        while !buf.is_empty() {
            let (area, count) = self.area_at(first, buf.len() as u64);
            let (bytes, rest) = buf.split_at_mut(count as usize);
            self.put(&area, bytes)?;
            first += count;
            buf = rest;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asdf::Open;

    /// Any bytes from any address on are those of the whole.
    #[test]
    fn all_reads_are_parts_of_the_whole() {
        let chunk = |start: &str, data: &str| {
            let array = format!("{{data: {data}, datatype: uint16, byteorder: little}}");
            format!("{{start: {start}, ndarray: !core/ndarray-1.1.0 {array}}}")
        };
        let chunks = [
            chunk("[0, 0, 0]", "[[[1, 2]], [[3, 4]]]"),
            chunk("[0, 1, 1]", "[[[5], [6]]]"),
            chunk("[1, 2, 0]", "[[[7, 8, 9]]]"),
        ];
        let whole = format!("{{shape: [2, 3, 3], chunks: [{}]}}", chunks.join(", "));
        let text = format!(
            "#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\nx: !core/chunked-ndarray-1.0.0 {whole}\n"
        );
        let file = Open::new().bytes(text).expect("a file");
        let chunked = file.get("/x").and_then(|item| item.chunked()).expect("an array in chunks");
        let elements = chunked.read::<u16>().expect("read");
        let bytes: Vec<u8> = elements.iter().flat_map(|it| [*it as u8, 0]).collect();
        let assembled = Assembled::new(&Arc::new(chunked), 2).expect("a size");
        assert_eq!(assembled.len(), 36);
        for from in 0..=36_usize {
            for to in from..=36 {
                let mut buf = vec![1; to - from];
                assembled.read_at(from as u64, &mut buf).expect("read");
                assert_eq!(buf, bytes[from..to], "{from}..{to}");
            }
        }
        assert!(assembled.read_at(30, &mut [0; 7]).is_err());
    }
}
