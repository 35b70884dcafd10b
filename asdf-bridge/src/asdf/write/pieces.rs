//! The bytes of an array that is written: where they are, or how they are made piece by piece.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use dudley::bytes::{Source, slice};
use dudley::elements::Element;
use dudley::ndarray::{ArrayBase, Data as NdData, IxDyn};
use dudley::{ByteOrder, Data};

use super::super::error::Result;

/// Bytes read at a time.
const STEP: u64 = 1 << 20;

/// Elements encoded at a time.
const ELEMENTS: usize = 1 << 15;

/// A block of a file that was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Which file: what [`AsdfFile::id`](super::super::file::AsdfFile::id) says.
    pub(crate) file: usize,
    /// The number of the block.
    pub(crate) block: usize,
}

/// Bytes in an order, which are handed out piece by piece, as often as asked for.
pub(crate) trait Pieces: fmt::Debug + Send + Sync {
    /// How many bytes there are.
    fn len(&self) -> u64;

    /// The block that they are, if they come from a file.
    fn origin(&self) -> Option<Origin> {
        None
    }

    /// All of them, where they are in memory.
    fn whole(&self) -> Option<&[u8]> {
        None
    }

    /// Hands out all of them.
    fn each(&self, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>;

    /// All of them, in memory.
    fn bytes(&self) -> Result<Cow<'_, [u8]>> {
        if let Some(whole) = self.whole() {
            return Ok(Cow::Borrowed(whole));
        }
        let mut bytes = Vec::new();
        let size = usize::try_from(self.len()).ok();
        size.filter(|size| bytes.try_reserve_exact(*size).is_ok())
            .ok_or_else(|| dudley::Error::too_large(self.len()))?;
        self.each(&mut |piece| {
            bytes.extend_from_slice(piece);
            Ok(())
        })?;
        Ok(Cow::Owned(bytes))
    }
}

impl Pieces for Cow<'_, [u8]> {
    fn len(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn whole(&self) -> Option<&[u8]> {
        Some(self)
    }

    fn each(&self, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        sink(self)
    }
}

/// Bytes of all elements of an array, which may be stored by a filter that makes fewer of them.
fn elements_len(data: &Data) -> u64 {
    let size = data.dtype().size();
    let all = data.shape().iter().try_fold(size.unwrap_or(0), |all, dim| all.checked_mul(*dim));
    all.filter(|_| size.is_some()).unwrap_or_else(|| Data::bytes(data))
}

/// An array of the engine, in the byte order that it has.
impl Pieces for Data {
    fn len(&self) -> u64 {
        elements_len(self)
    }

    fn each(&self, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut failed = None;
        let handed = self.for_each_block(&mut |block| {
            sink(block).map_err(|error| {
                failed = Some(error);
                dudley::Error::Cancelled
            })
        });
        match (failed, handed) {
            (Some(error), _) => Err(error),
            (None, handed) => Ok(handed?),
        }
    }
}

/// Structs of the engine whose fields do not stand side by side, without what is between them.
#[derive(Debug)]
pub(super) struct Packed {
    pub(super) data: Data,
    /// Where the bytes of a struct are, and how many there are with those between.
    pub(super) packed: (Vec<Range<usize>>, usize),
}

impl Pieces for Packed {
    fn len(&self) -> u64 {
        let (fields, size) = &self.packed;
        let packed: usize = fields.iter().map(Range::len).sum();
        elements_len(&self.data) / (*size).max(1) as u64 * packed as u64
    }

    fn each(&self, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let (fields, size) = &self.packed;
        let (mut packed, mut part) = (Vec::new(), Vec::new());
        self.data.each(&mut |piece| {
            // Very large structs come in parts.
            part.extend_from_slice(piece);
            packed.clear();
            let whole = part.len() / size * size;
            for row in part[..whole].chunks_exact(*size) {
                fields.iter().for_each(|field| packed.extend_from_slice(&row[field.clone()]));
            }
            part.drain(..whole);
            sink(&packed)
        })
    }
}

/// Elements in memory, row-major, in any byte order.
pub(super) struct Elements<S: NdData> {
    pub(super) array: ArrayBase<S, IxDyn>,
    pub(super) order: ByteOrder,
}

impl<S: NdData> fmt::Debug for Elements<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elements").field("shape", &self.array.shape()).finish_non_exhaustive()
    }
}

impl<T, S> Pieces for Elements<S>
where
    T: Element,
    S: NdData<Elem = T>,
    ArrayBase<S, IxDyn>: Send + Sync,
{
    fn len(&self) -> u64 {
        (self.array.len() * T::SIZE) as u64
    }

    fn whole(&self) -> Option<&[u8]> {
        T::as_bytes(self.array.as_slice()?, self.order)
    }

    fn each(&self, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        if let Some(whole) = self.whole() {
            return sink(whole);
        }
        let mut bytes = Vec::new();
        let mut encode = |elements: &[T]| {
            bytes.resize(elements.len() * T::SIZE, 0);
            T::encode_slice(elements, self.order, &mut bytes)?;
            sink(&bytes)
        };
        if let Some(all) = self.array.as_slice() {
            return all.chunks(ELEMENTS).try_for_each(encode);
        }
        let mut some = Vec::with_capacity(ELEMENTS.min(self.array.len()));
        for element in &self.array {
            some.push(*element);
            if some.len() == ELEMENTS {
                encode(&some)?;
                some.clear();
            }
        }
        encode(&some)
    }
}

/// Hands out some bytes of a source.
pub(super) fn hand_out(
    source: &dyn Source,
    address: u64,
    len: u64,
    sink: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    if let Some(bytes) = source.bytes() {
        return sink(slice(bytes, address, len)?);
    }
    let (mut piece, mut done) = (Vec::new(), 0);
    while done < len {
        let some = (len - done).min(STEP);
        piece.resize(some as usize, 0);
        source.read_at(address + done, &mut piece)?;
        sink(&piece)?;
        done += some;
    }
    Ok(())
}
