//! New arrays in frames: cut into chunks and blocks, written while elements come.

use std::path::Path;

use dudley::elements::Element;
use dudley::{ByteOrder, Data, Primitive};

use super::dtype::Type;
use super::grid::{counts, unravel};
use super::pack::Cut;
use crate::blosc2::encoding::{Encoding, refused};
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::filters::Filter;
use crate::blosc2::frame::b2nd::{NAMES, encoded};
use crate::blosc2::frame::{FrameWriter, NewFrame};
use crate::blosc2::{memory, parallel};

/// Bytes of chunks that are compressed together, at least a chunk.
const BATCH: u64 = 16 << 20;

/// Chunks that are compressed together at most, however small they are.
const MOST_AT_ONCE: u64 = 1 << 12;

/// The most dimensions.
const MOST: usize = 16;

/// How a new array is written.
///
/// ```
/// use asdf_bridge::blosc2::{Frame, NewArray};
///
/// let values: Vec<f64> = (0..60_000).map(f64::from).collect();
/// let mut writer = NewArray::of::<f64>(&[200, 300])?.chunks(&[100, 300]).memory()?;
/// writer.write_elements(&values)?;
/// let array = Frame::from_source(writer.finish_bytes()?)?.array()?.expect("an array");
/// assert_eq!((array.dtype(), array.chunks()), ("<f8", &[100, 300][..]));
/// assert_eq!(array.slice::<f64>("7, 3:5")?.as_slice(), Some(&[2103.0, 2104.0][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NewArray {
    pub(super) shape: Vec<u64>,
    pub(super) dtype: String,
    pub(super) element: Type,
    pub(super) chunks: Vec<u64>,
    pub(super) blocks: Vec<u64>,
    pub(super) frame: NewFrame,
    /// The filters of the array that it is like: what they lose is lost already.
    pub(super) inherited: Vec<Filter>,
}

impl NewArray {
    /// Of that shape, in elements, slowest dimension first. `dtype` is as numpy writes it: a string such
    /// as `<f8`, or the description of a structured type.
    ///
    /// # Errors
    /// [`Error::WrongType`] for a dtype that is not known; [`Error::Range`] for more than 16 dimensions, and two fields
    /// of one name.
    pub fn new(shape: &[u64], dtype: &str) -> Result<NewArray> {
        let wrong =
            || Error::WrongType { expected: "a dtype of numpy".into(), found: dtype.into() };
        let element = Type::parse(dtype).ok_or_else(wrong)?;
        if let Some(name) = element.repeated() {
            return Err(refused(&format!("two fields `{name}` of one struct")));
        }
        let size = i32::try_from(element.size).ok().filter(|size| *size > 0).ok_or_else(wrong)?;
        if shape.len() > MOST {
            return Err(refused(&format!(
                "{} dimensions, where there are {MOST} at most",
                shape.len()
            )));
        }
        Ok(NewArray {
            shape: shape.to_vec(),
            dtype: dtype.to_owned(),
            element,
            chunks: Vec::new(),
            blocks: Vec::new(),
            frame: NewFrame::new(Encoding::new(size as usize)),
            inherited: Vec::new(),
        })
    }

    /// Of elements of a type of this language, little-endian.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of<T: Element>(shape: &[u64]) -> Result<NewArray> {
        let wrong =
            || Error::WrongType { expected: "a type of numpy".into(), found: T::NAME.into() };
        NewArray::new(shape, dtype_of(T::PRIMITIVE).ok_or_else(wrong)?)
    }

    /// Bytes of an element.
    pub fn typesize(&self) -> usize {
        self.frame.encoding.typesize
    }

    /// The shape of a chunk, in elements; where nothing is said, one that is good for slices along any
    /// dimension.
    #[must_use]
    pub fn chunks(mut self, shape: &[u64]) -> NewArray {
        self.chunks = shape.to_vec();
        self
    }

    /// The shape of a block, in elements, at most that of a chunk.
    #[must_use]
    pub fn blocks(mut self, shape: &[u64]) -> NewArray {
        self.blocks = shape.to_vec();
        self
    }

    /// How chunks are compressed. The size of elements and blocks is that of the array.
    #[must_use]
    pub fn encoding(mut self, encoding: Encoding) -> NewArray {
        let typesize = self.frame.encoding.typesize;
        self.frame.encoding = Encoding { typesize, ..encoding };
        self
    }

    /// How its chunks will be compressed, as was said so far.
    pub fn encoded(&self) -> &Encoding {
        &self.frame.encoding
    }

    /// A further metalayer, as [`NewFrame::meta`].
    #[must_use]
    pub fn meta(mut self, name: &str, content: &[u8]) -> NewArray {
        self.frame = self.frame.meta(name, content);
        self
    }

    /// A metalayer of variable size, as [`NewFrame::vlmeta`].
    #[must_use]
    pub fn vlmeta(mut self, name: &str, content: &[u8]) -> NewArray {
        self.frame = self.frame.vlmeta(name, content);
        self
    }

    /// Whether its frame gets checksums, as [`NewFrame::checksums`].
    #[must_use]
    pub fn checksums(mut self, checksums: bool) -> NewArray {
        self.frame = self.frame.checksums(checksums);
        self
    }

    /// Whether arrays that are written anew are taken as they are, as [`NewFrame::unchecked`].
    #[must_use]
    pub fn unchecked(mut self, unchecked: bool) -> NewArray {
        self.frame = self.frame.unchecked(unchecked);
        self
    }

    /// Begins an array in a file, which appears when it is [finished](ArrayWriter::finish).
    ///
    /// # Errors
    /// As [`NewFrame::file`]; [`Error::Range`] for chunks and blocks that do not fit.
    pub fn file(self, path: impl AsRef<Path>, overwrite: bool) -> Result<ArrayWriter> {
        self.begin(|frame| frame.file(path, overwrite))
    }

    /// Begins an array in a folder, as [`NewFrame::folder`].
    ///
    /// # Errors
    /// As [`Self::file`].
    pub fn folder(self, path: impl AsRef<Path>) -> Result<ArrayWriter> {
        self.begin(|frame| frame.folder(path))
    }

    /// Begins an array in memory.
    ///
    /// # Errors
    /// As [`Self::file`].
    pub fn memory(self) -> Result<ArrayWriter> {
        self.begin(NewFrame::memory)
    }

    fn begin(mut self, begin: impl FnOnce(NewFrame) -> Result<FrameWriter>) -> Result<ArrayWriter> {
        self.check_filters()?;
        let cut = self.cut()?;
        let typesize = cut.size as u64;
        let row = self.shape.iter().skip(1).try_fold(typesize, |row, dim| row.checked_mul(*dim));
        let fits = |row: u64| self.shape.first().is_none_or(|rows| rows.checked_mul(row).is_some());
        let row = row.filter(|row| fits(*row));
        let row = row.ok_or_else(|| refused(&format!("an array of {:?}", self.shape)))?;
        let (block, chunk) = (cut.block_bytes().unwrap_or(0), cut.chunk_bytes().unwrap_or(0));
        self.frame.encoding.blocksize = block as usize;
        self.frame.encoding.blockshape = cut.blockshape();
        self.frame.chunksize = chunk as usize;
        self.frame.blocksize = block;
        let meta = encoded(&self.shape, &cut.chunks, &cut.blocks, &self.dtype)?;
        self.frame.metalayers.insert(0, (NAMES[0].to_owned(), meta));
        let threads = self.frame.encoding.threads;
        Ok(ArrayWriter {
            frame: begin(self.frame)?,
            rows: self.shape.first().copied().unwrap_or(1),
            shape: self.shape,
            cut,
            row,
            done: 0,
            slab: Vec::new(),
            threads,
        })
    }
}

/// The name of a primitive in numpy, little-endian.
fn dtype_of(primitive: Primitive) -> Option<&'static str> {
    Some(match primitive {
        Primitive::B1 => "|b1",
        Primitive::I1 => "|i1",
        Primitive::I2 => "<i2",
        Primitive::I4 => "<i4",
        Primitive::I8 => "<i8",
        Primitive::U1 => "|u1",
        Primitive::U2 => "<u2",
        Primitive::U4 => "<u4",
        Primitive::U8 => "<u8",
        Primitive::F2 => "<f2",
        Primitive::F4 => "<f4",
        Primitive::F8 => "<f8",
        Primitive::C8 => "<c8",
        Primitive::C16 => "<c16",
        _ => return None,
    })
}

/// An array that is being written, row-major. Memory: the chunks along the first dimension that are not
/// full, and what is compressed together.
#[derive(Debug)]
pub struct ArrayWriter {
    pub(super) frame: FrameWriter,
    shape: Vec<u64>,
    cut: Cut,
    /// Indices of the first dimension, and bytes of each.
    rows: u64,
    row: u64,
    /// Indices of the first dimension that were written.
    done: u64,
    /// Bytes of some that were not.
    slab: Vec<u8>,
    threads: usize,
}

impl ArrayWriter {
    /// Appends elements as bytes, row-major and in their order, of any number.
    ///
    /// # Errors
    /// [`Error::Range`] for more than the array has; else as [`FrameWriter::write`].
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let left = self.left();
        if bytes.len() as u64 > left {
            return Err(refused(&format!("{} bytes, where {left} are missing", bytes.len())));
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let rows =
                self.cut.chunks.first().map_or(1, |chunk| (*chunk).min(self.rows - self.done));
            // Not more than what is missing, which was compared with what is there.
            let size = rows.saturating_mul(self.row).min(usize::MAX as u64) as usize;
            if self.slab.is_empty() && rest.len() >= size {
                let (now, later) = rest.split_at(size);
                self.chunks(now, rows)?;
                rest = later;
                continue;
            }
            let (now, later) = rest.split_at(rest.len().min(size - self.slab.len()));
            memory::append(&mut self.slab, now, size)?;
            rest = later;
            if self.slab.len() == size {
                let mut slab = std::mem::take(&mut self.slab);
                self.chunks(&slab, rows)?;
                // The next one is as large, except for the last.
                slab.clear();
                self.slab = slab;
            }
        }
        Ok(())
    }

    /// Appends elements.
    ///
    /// # Errors
    /// [`Error::WrongType`] if they are of another size; else as [`Self::write`].
    pub fn write_elements<T: Element>(&mut self, elements: &[T]) -> Result<()> {
        if T::SIZE != self.cut.size {
            let found = format!("elements of {} bytes", self.cut.size);
            return Err(Error::WrongType { expected: T::NAME.into(), found: found.into() });
        }
        let mut bytes = memory::zeros((T::SIZE * elements.len()) as u64)?;
        T::encode_slice(elements, ByteOrder::Little, &mut bytes)
            .map_err(Error::engine(Part::Array))?;
        self.write(&bytes)
    }

    /// Appends the elements of an item of a stream, whatever its size, in the order of its bytes.
    ///
    /// # Errors
    /// [`Error::Engine`] if they cannot be read; else as [`Self::write`].
    pub fn write_data(&mut self, data: &Data) -> Result<()> {
        let mut failed = None;
        let done = data.for_each_block(&mut |block| {
            self.write(block).map_err(|error| {
                failed = Some(error);
                dudley::Error::Cancelled
            })
        });
        match failed {
            Some(error) => Err(error),
            None => done.map_err(Error::engine(Part::Array)),
        }
    }

    /// Writes all chunks of this many indices of the first dimension.
    fn chunks(&mut self, slab: &[u8], rows: u64) -> Result<()> {
        let mut shape = self.shape.clone();
        if let Some(first) = shape.first_mut() {
            *first = rows;
        }
        let grid = counts(&shape, &self.cut.chunks);
        // Checked when it was begun.
        let bytes = self.cut.chunk_bytes().unwrap_or(0);
        let batch = (BATCH / bytes.max(1)).clamp(1, MOST_AT_ONCE);
        let all: u64 = grid.iter().product();
        for first in (0..all).step_by(batch as usize) {
            let start = |number| -> Vec<u64> {
                let index = unravel(number, &grid).into_iter();
                index.zip(&self.cut.chunks).map(|(at, chunk)| at * chunk).collect()
            };
            let starts: Vec<_> = (first..all.min(first + batch)).map(start).collect();
            let buffers = starts.iter().map(|_| memory::zeros(bytes));
            let mut buffers: Vec<Vec<u8>> = buffers.collect::<Result<_>>()?;
            let pieces = starts.iter().zip(&mut buffers);
            let (cut, shape, total) = (&self.cut, &shape, bytes * starts.len() as u64);
            parallel::each_with(
                self.threads,
                total,
                pieces,
                (|| (), |()| ()),
                |(start, buffer): (&Vec<u64>, _), ()| cut.pack(slab, shape, start, buffer),
            )?;
            self.frame.chunks(&buffers.iter().map(|buffer| &buffer[..]).collect::<Vec<_>>())?;
        }
        self.done += rows;
        Ok(())
    }

    /// Bytes that are missing.
    fn left(&self) -> u64 {
        (self.rows - self.done) * self.row - self.slab.len() as u64
    }

    fn complete(&self) -> Result<()> {
        match self.left() {
            0 => Ok(()),
            missing => Err(refused(&format!("{missing} bytes of the array are missing"))),
        }
    }

    /// Completes the array.
    ///
    /// # Errors
    /// [`Error::Range`] if elements are missing; else as [`FrameWriter::finish`].
    pub fn finish(self) -> Result<()> {
        self.complete()?;
        self.frame.finish()
    }

    /// Completes the array, and gives the bytes of its frame if it is in memory; else none.
    ///
    /// # Errors
    /// As [`Self::finish`].
    pub fn finish_bytes(self) -> Result<Vec<u8>> {
        self.complete()?;
        self.frame.finish_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blosc2::{Codec, Filter, Frame};

    #[test]
    fn an_array_is_written_anew() {
        for (shape, chunks) in [(&[][..], &[][..]), (&[0, 3], &[]), (&[50, 40], &[20, 15])] {
            let values: Vec<u32> = (0..shape.iter().product::<u64>() as u32).collect();
            let new = NewArray::of::<u32>(shape).expect("known").chunks(chunks);
            let mut writer = new.vlmeta("note", &[1]).memory().expect("begun");
            writer.write_elements(&values).expect("written");
            let array = |bytes: Vec<u8>| {
                let frame = Frame::from_source(bytes).expect("a frame");
                frame.array().expect("right").expect("an array")
            };
            let first = array(writer.finish_bytes().expect("complete"));
            let encoding = Encoding::new(1).codec(Codec::BloscLz).filters(&[Filter::BitShuffle]);
            let new = NewArray::like(&first).expect("known").encoding(encoding);
            assert_eq!(new.typesize(), 4);
            let mut writer = new.memory().expect("begun");
            writer.write_array(&first).expect("written");
            let second = array(writer.finish_bytes().expect("complete"));
            assert_eq!((second.shape(), second.dtype()), (shape, "<u4"));
            assert_eq!(
                second.read::<u32>().expect("decoded"),
                first.read::<u32>().expect("decoded")
            );
            assert_eq!(second.frame().codec().expect("known"), Codec::BloscLz);
            assert_eq!(second.frame().vlmeta("note").expect("there"), [1]);
            if !chunks.is_empty() {
                assert_eq!(second.chunks(), chunks);
            }
        }
    }

    #[test]
    fn arrays_of_all_shapes_are_read_again() {
        for (shape, chunks, blocks) in [
            (&[][..], &[][..], &[][..]),
            (&[1000], &[300], &[70]),
            (&[50, 40], &[20, 15], &[7, 4]),
            (&[7, 9, 11], &[4, 5, 6], &[2, 3, 4]),
            (&[4, 5, 6, 7], &[], &[]),
            (&[3, 0, 2], &[], &[]),
            (&[90, 80], &[90, 20], &[]),
        ] {
            let count: u64 = shape.iter().product();
            let values: Vec<u32> = (0..count as u32).collect();
            for filters in [&[Filter::Shuffle][..], &[Filter::Delta, Filter::NdCell(2)]] {
                // There blocks are smaller than cells.
                if filters.len() > 1 && (shape.is_empty() || count == 0) {
                    continue;
                }
                let new = NewArray::of::<u32>(shape).expect("known");
                let new = new.chunks(chunks).blocks(blocks).vlmeta("note", &[1]);
                let encoding = Encoding::new(1).codec(Codec::Lz4).filters(filters);
                let mut writer = new.encoding(encoding).memory().expect("begun");
                for part in values.chunks(77) {
                    writer.write_elements(part).expect("written");
                }
                let frame = Frame::from_source(writer.finish_bytes().expect("complete"));
                let array = frame.expect("a frame").array().expect("right").expect("an array");
                assert_eq!(array.shape(), shape);
                assert_eq!(
                    array.read::<u32>().expect("decoded").into_raw_vec_and_offset().0,
                    values
                );
                if !blocks.is_empty() {
                    assert_eq!((array.chunks(), array.blocks()), (chunks, blocks));
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert!(NewArray::new(&[1], "nothing").is_err());
        assert!(NewArray::new(&[1; 17], "<f8").is_err());
        let new = || NewArray::new(&[10, 10], "<f8").expect("known");
        assert!(new().chunks(&[20, 10]).memory().is_err());
        assert!(new().chunks(&[5]).memory().is_err());
        assert!(new().chunks(&[5, 5]).blocks(&[6, 5]).memory().is_err());
        assert!(new().blocks(&[0, 5]).memory().is_err());
        let mut writer = new().memory().expect("begun");
        assert!(writer.write(&[0; 801]).is_err());
        assert!(writer.write_elements(&[0_u16]).is_err());
        writer.write(&[0; 799]).expect("written");
        let error = writer.finish().expect_err("not all");
        assert!(error.to_string().starts_with("1 bytes of the array are missing"), "{error}");
        assert!(NewArray::new(&[1 << 40, 1 << 40], "<f8").expect("known").memory().is_err());
    }

    /// Bytes of zeros, and how many of them were read.
    struct Zeros(u64, std::sync::Arc<std::sync::atomic::AtomicU64>);

    impl dudley::bytes::Source for Zeros {
        fn len(&self) -> u64 {
            self.0
        }

        fn read_at(&self, _: u64, buf: &mut [u8]) -> dudley::Result<()> {
            buf.fill(0);
            self.1.fetch_add(buf.len() as u64, std::sync::atomic::Ordering::Relaxed);
            Ok(())
        }
    }

    #[test]
    fn nothing_is_read_for_what_cannot_be_written() {
        const BYTES: u64 = 1 << 30;
        let read = std::sync::Arc::default();
        let open = dudley::Open::new().layout_text("x = u1[1073741824]").expect("a layout").raw();
        let source = Zeros(BYTES, std::sync::Arc::clone(&read));
        let stream = open.source(source).expect("a stream");
        let data = stream.get("/x").and_then(|item| item.data()).expect("there");
        let mut writer = NewArray::new(&[10], "|u1").expect("known").memory().expect("begun");
        let error = writer.write_data(&data).expect_err("too many");
        assert!(matches!(error, Error::Range(_)), "{error}");
        assert!(read.load(std::sync::atomic::Ordering::Relaxed) < BYTES / 4);
    }

    #[test]
    fn items_of_streams() {
        let open = dudley::Open::new().layout_text("x = >f4[20, 30]").expect("a layout").raw();
        let bytes: Vec<u8> = (0..600_u16).flat_map(|i| f32::from(i).to_be_bytes()).collect();
        let stream = open.bytes(bytes.clone()).expect("a stream");
        let data = stream.get("/x").and_then(|item| item.data()).expect("there");
        let mut writer = NewArray::new(&[20, 30], ">f4").expect("known").memory().expect("begun");
        writer.write_data(&data).expect("written");
        let frame = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
        let array = frame.array().expect("right").expect("an array");
        assert_eq!(array.bytes_of(&[]).expect("decoded").1, bytes);
    }
}
