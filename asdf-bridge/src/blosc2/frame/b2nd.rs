//! The metalayer of an n-dimensional array, checked.

use std::sync::Arc;

use dudley::bytes::Source;

use super::{create, open_layout};
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::layouts::{b2nd, dtype};
use crate::blosc2::ndarray::grid::counts;

/// The names of the metalayer: today's, and the one before 2022.
pub(crate) const NAMES: [&str; 2] = ["b2nd", "caterva"];

/// The most dimensions.
const MOST: u64 = 16;

/// The first byte of a metalayer that says what the elements are.
const WITH_DTYPE: u8 = 0x97;

/// Those of metalayers that do not.
const WITHOUT: [u8; 2] = [0x95, 0x96];

/// What a metalayer says. Lengths in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) shape: Vec<u64>,
    pub(crate) chunks: Vec<u64>,
    pub(crate) blocks: Vec<u64>,
    /// As numpy writes it.
    pub(crate) dtype: Option<String>,
    /// Where that is in the frame, in bytes.
    pub(crate) dtype_address: u64,
    /// Where it is in the frame, in bytes.
    pub(crate) address: u64,
}

/// The metalayer of an array as bytes.
///
/// # Errors
/// [`Error::Engine`] for lengths that it cannot say.
pub(crate) fn encoded(
    shape: &[u64],
    chunks: &[u64],
    blocks: &[u64],
    dtype: &str,
) -> Result<Vec<u8>> {
    let failed = Error::engine(Part::Array);
    let mark = 0x90 + shape.len() as u8;
    let small = |dim: u64| {
        i32::try_from(dim).map_err(|_| Error::Range(format!("a length of {dim}").into()))
    };
    let writer = create::<b2nd::Layout>(Part::Array, &b2nd::Params { ndim: shape.len() as _ })?;
    writer.elements().write(WITH_DTYPE).map_err(&failed)?;
    writer.version().write(0).map_err(&failed)?;
    writer.shape_mark().write(mark).map_err(&failed)?;
    writer.chunks_mark().write(mark).map_err(&failed)?;
    writer.blocks_mark().write(mark).map_err(&failed)?;
    let dims: Result<Vec<_>> = shape
        .iter()
        .map(|dim| {
            let why = || Error::Range(format!("a length of {dim}").into());
            Ok(b2nd::Shape { dim: i64::try_from(*dim).map_err(|_| why())? })
        })
        .collect();
    writer.shape().write_slice(&dims?).map_err(&failed)?;
    let dims: Result<Vec<_>> =
        chunks.iter().map(|dim| Ok(b2nd::Chunks { dim: small(*dim)? })).collect();
    writer.chunks().write_slice(&dims?).map_err(&failed)?;
    let dims: Result<Vec<_>> =
        blocks.iter().map(|dim| Ok(b2nd::Blocks { dim: small(*dim)? })).collect();
    writer.blocks().write_slice(&dims?).map_err(&failed)?;
    let mut bytes = writer.finish_bytes().map_err(&failed)?;
    let writer = create::<dtype::Layout>(Part::Array, &dtype::Params { length: dtype.len() as _ })?;
    writer.dtype_format().write(0).map_err(&failed)?;
    writer.dtype().write(dtype).map_err(&failed)?;
    bytes.extend(writer.finish_bytes().map_err(&failed)?);
    Ok(bytes)
}

/// The shape of the blocks of a frame's array, in elements; empty if it has none that can be read.
pub(super) fn blockshape(
    frame: &Arc<dyn Source>,
    metalayers: &[(String, std::ops::Range<u64>)],
) -> Vec<usize> {
    let meta = Meta::read(frame, metalayers).ok().flatten();
    let blocks = meta.map(|meta| meta.blocks).unwrap_or_default();
    blocks.into_iter().map(|dim| usize::try_from(dim).unwrap_or(usize::MAX)).collect()
}

impl Meta {
    /// Reads the metalayer of a frame; `None` where there is no such.
    pub(crate) fn read(
        frame: &Arc<dyn Source>,
        metalayers: &[(String, std::ops::Range<u64>)],
    ) -> Result<Option<Meta>> {
        let found = metalayers.iter().find(|(name, _)| NAMES.contains(&name.as_str()));
        let Some((_, range)) = found else { return Ok(None) };
        let failed = |error: dudley::Error| {
            let error = error.map_address(|at| at.saturating_add(range.start));
            Error::Engine { part: Part::Array, chunk: None, source: error }
        };
        let damaged = |at: u64, expected: String, found: String| {
            Error::damaged(Part::Array, range.start.saturating_add(at), expected, found)
        };
        let reader = open_layout::<b2nd::Layout>(frame, range.start, &[], Part::Array)?;
        let ndim = match reader.params() {
            Ok(params) => params.ndim as u64,
            Err(dudley::Error::WrongValue { found, .. }) => {
                return Err(damaged(2, format!("0 to {MOST} dimensions"), found.into()));
            }
            Err(error) => return Err(failed(error)),
        };
        if ndim > MOST {
            return Err(damaged(2, format!("{MOST} dimensions at most"), ndim.to_string()));
        }
        let end = reader.measure().map_err(failed)?;
        let length = range.end - range.start;
        if end > length {
            let found = format!("a metalayer of {length} bytes");
            return Err(damaged(0, format!("{end} bytes for {ndim} dimensions"), found));
        }
        let dim = |at: u64, dim: i64| {
            let expected = "a length of 0 or more".to_owned();
            u64::try_from(dim).map_err(|_| damaged(at, expected, dim.to_string()))
        };
        let mut meta = Meta {
            shape: Vec::new(),
            chunks: Vec::new(),
            blocks: Vec::new(),
            dtype: None,
            dtype_address: 0,
            address: range.start,
        };
        let elements = reader.elements().read().map_err(failed)?;
        let mark = |at: u64, expected: String, found: dudley::Result<u8>| {
            let found = format!("{:#04x}", found.map_err(failed)?);
            if found == expected { Ok(()) } else { Err(damaged(at, expected, found)) }
        };
        if !WITHOUT.contains(&elements) {
            mark(0, format!("{WITH_DTYPE:#04x}"), Ok(elements))?;
        }
        mark(1, "0x00".to_owned(), reader.version().read())?;
        let array = format!("{:#04x}", 0x90 + ndim);
        mark(3, array.clone(), reader.shape_mark().read())?;
        mark(4 + 9 * ndim, array.clone(), reader.chunks_mark().read())?;
        mark(5 + 14 * ndim, array, reader.blocks_mark().read())?;
        for length in reader.shape().read().map_err(failed)? {
            meta.shape.push(dim(3, length.dim)?);
        }
        for length in reader.chunks().read().map_err(failed)? {
            meta.chunks.push(dim(4 + 9 * ndim, length.dim.into())?);
        }
        for length in reader.blocks().read().map_err(failed)? {
            meta.blocks.push(dim(5 + 14 * ndim, length.dim.into())?);
        }
        if elements != WITH_DTYPE {
            return Ok(Some(meta));
        }
        let at = range.start + end;
        let reader = open_layout::<dtype::Layout>(frame, at, &[], Part::Array)?;
        let size = reader.measure().map_err(failed)?;
        if end.saturating_add(size) > length {
            let expected = format!("a dtype within {length} bytes");
            return Err(damaged(end, expected, format!("one of {size}")));
        }
        let format = reader.dtype_format().read().map_err(failed)?;
        if format != 0 {
            let unknown = Error::unsupported("format of a dtype", format, "");
            return Err(unknown.named_at(Part::Array, at));
        }
        let end_of_dtype = at.saturating_add(size);
        let params = reader.params().map_err(failed)?;
        let text_at = end_of_dtype.saturating_sub(params.length as u64);
        let mut text = crate::blosc2::memory::zeros(end_of_dtype - text_at)?;
        frame.read_at(text_at, &mut text).map_err(Error::engine(Part::Array))?;
        if let Err(why) = std::str::from_utf8(&text) {
            let wrong = text_at + why.valid_up_to() as u64 - range.start;
            let found =
                text.get(why.valid_up_to()).map_or(String::new(), |byte| format!("{byte:#04x}"));
            return Err(damaged(wrong, "a dtype in UTF-8".to_owned(), found));
        }
        let dtype: String = reader.dtype().read().map_err(failed)?.into_scalar();
        meta.dtype_address = at.saturating_add(size).saturating_sub(dtype.len() as u64);
        meta.dtype = Some(dtype);
        Ok(Some(meta))
    }

    /// Whether there is no element at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// How many chunks there are along each dimension.
    pub(crate) fn chunk_grid(&self) -> Vec<u64> {
        counts(&self.shape, &self.chunks)
    }

    /// How many blocks a chunk has along each dimension; those that lie behind its end are stored too.
    pub(crate) fn block_grid(&self) -> Vec<u64> {
        counts(&self.chunks, &self.blocks)
    }

    /// Compares it with what the frame says, so that all sums of it are known to fit.
    pub(crate) fn check(&self, frame: &crate::blosc2::Frame) -> Result<()> {
        let damaged = |expected: String, found: String| {
            Error::damaged(Part::Array, self.address, expected, found)
        };
        let typesize = frame.typesize() as u64;
        let total = |dims: &[u64], unit: u64| {
            dims.iter().try_fold(unit, |total, dim| total.checked_mul(*dim))
        };
        let show = |dims: &[u64]| format!("{dims:?}");
        if total(&self.shape, typesize).is_none() {
            return Err(damaged("an array within 64 bits".to_owned(), show(&self.shape)));
        }
        if self.is_empty() {
            return match frame.nbytes() {
                0 => Ok(()),
                nbytes => Err(damaged("no data".to_owned(), format!("{nbytes} bytes"))),
            };
        }
        let cut =
            self.blocks.iter().zip(&self.chunks).all(|(block, chunk)| (1..=*chunk).contains(block));
        if !cut {
            let expected = format!("blocks within chunks of {}", show(&self.chunks));
            return Err(damaged(expected, show(&self.blocks)));
        }
        let block = total(&self.blocks, typesize);
        let chunk = block.and_then(|block| total(&self.block_grid(), block));
        let count = total(&self.chunk_grid(), 1);
        let nbytes = chunk.zip(count).and_then(|(chunk, count)| chunk.checked_mul(count));
        if nbytes != Some(frame.nbytes()) || frame.chunksize() != chunk {
            let expected = format!("chunks and shape of {} bytes", frame.nbytes());
            let found = format!("{} and {}", show(&self.chunks), show(&self.shape));
            return Err(damaged(expected, found));
        }
        if count != Some(frame.chunk_count()) {
            let expected = format!("the {} chunks of the index", frame.chunk_count());
            return Err(damaged(expected, format!("a shape of {} chunks", count.unwrap_or(0))));
        }
        match frame.blocksize() {
            Some(size) if Some(size) != block => {
                Err(damaged(format!("blocks of {size} bytes"), show(&self.blocks)))
            }
            _ => Ok(()),
        }
    }
}
