//! `.npy` files as what is written: their elements, as those of any type that holds them.
//!
//! Only the header is read at first; elements are read when they are written, block by block.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dudley_parser::layout::dtype::{ByteOrder, Primitive};

use super::archive::Entry;
use super::descr::{self, Descr};
use crate::bytes::region::Region;
use crate::bytes::source::{FileSource, Source};
use crate::elements::gather::gather;
use crate::elements::value::Value;
use crate::error::Result;

/// An array of a `.npy` file: a file of its own, in an archive, or in memory.
#[derive(Clone)]
pub struct Npy {
    /// The type of its elements.
    pub descr: Descr,
    /// Its shape, in elements.
    pub shape: Vec<u64>,
    /// Bytes from one index to the next, for each dimension.
    strides: Vec<i64>,
    file: File,
    /// Bytes of the header.
    header: u64,
}

/// A `.npy` file.
#[derive(Clone)]
enum File {
    /// By its name: many of them may be given, and not all can be open at the same time.
    Named(PathBuf),
    /// In an archive.
    Entry(Box<Entry>),
    /// Anywhere.
    Source(Arc<dyn Source>),
}

/// A `.npy` file as it can be read: the bytes that it is in, and where it begins there.
#[derive(Clone)]
pub(super) struct Opened {
    bytes: Arc<dyn Source>,
    address: u64,
}

/// Arrays without elements that a file may hold.
const EMPTY: u64 = 1 << 20;
/// The longest header that is read.
const LONGEST_HEADER: u64 = 16 << 20;

type Found<T> = std::result::Result<T, String>;

impl Npy {
    /// The array of a file.
    ///
    /// # Errors
    /// If something is wrong with it.
    pub fn open(path: &Path) -> Found<Npy> {
        let source = FileSource::open(path).map_err(|error| error.to_string())?;
        Npy::new(File::Named(path.to_owned()), source.len(), &|count| head(&source, 0, count))
    }

    /// The array of an entry of an archive.
    ///
    /// # Errors
    /// If something is wrong with it.
    pub(super) fn entry(entry: &Entry) -> Found<Npy> {
        let file = File::Entry(Box::new(entry.clone()));
        match entry.place() {
            Some((source, address, length)) => {
                Npy::new(file, length, &|most| head(&*source, address, most.min(length)))
            }
            None => Npy::new(file, entry.len(), &|most| entry.begin(most)),
        }
    }

    /// The array of a file that is open already.
    ///
    /// # Errors
    /// If something is wrong with it.
    pub fn source(source: Arc<dyn Source>) -> Found<Npy> {
        let length = source.len();
        Npy::new(File::Source(source.clone()), length, &|count| head(&*source, 0, count))
    }

    /// The array of a file of this many bytes; `begin` gives the first this many of it.
    fn new(file: File, length: u64, begin: &dyn Fn(u64) -> Found<Vec<u8>>) -> Found<Npy> {
        let cut = || "the header is cut off".to_owned();
        let start = begin(length.min(12))?;
        let rest = start.strip_prefix(super::MAGIC).ok_or(match length {
            0 => "it is empty",
            _ => "it does not begin as one",
        })?;
        let (version, rest) = rest.split_first_chunk::<2>().ok_or_else(cut)?;
        let (skip, header) = match (version[0], rest) {
            (1, [a, b, ..]) => (10, u64::from(u16::from_le_bytes([*a, *b]))),
            (2 | 3, [a, b, c, d]) => (12, u64::from(u32::from_le_bytes([*a, *b, *c, *d]))),
            (1..=3, _) => return Err(cut()),
            (version, _) => return Err(format!("version {version} of .npy is not known")),
        };
        let header = skip + header;
        if header > length || header > LONGEST_HEADER {
            return Err(cut());
        }
        let text = begin(header)?;
        let text = text.get(skip as usize..).ok_or_else(cut)?;
        let descr::Header { descr, fortran, shape } = descr::parse(&decoded(version[0], text))?;
        // A struct without fields is nothing.
        let nothing = matches!(&descr, Descr::Struct(fields, 0) if fields.is_empty());
        let size = descr.bytes().filter(|size| *size > 0 || nothing && shape.is_empty());
        let size = size.ok_or("its elements have no bytes")?;
        // Arrays of nothing are not held back by the size of the file.
        let outer = shape.iter().take_while(|dim| **dim > 0);
        let found = length - header;
        if found == 0 && outer.fold(1_u64, |count, dim| count.saturating_mul(*dim)) > EMPTY {
            return Err("a dimension of 0 stands behind too large ones".to_owned());
        }
        let wanted = shape.iter().try_fold(size, |all, dim| all.checked_mul(*dim));
        if wanted != Some(found) {
            let wanted = wanted.map_or("too many bytes".to_owned(), |it| format!("{it} bytes"));
            return Err(format!("its header asks for {wanted} of elements, and it has {found}"));
        }
        let strides = strides(&shape, size, fortran);
        Ok(Npy { descr, shape, strides, file, header })
    }

    /// Whether its elements are structs.
    pub fn is_struct(&self) -> bool {
        matches!(self.descr, Descr::Struct(..))
    }

    /// The fields of structs, by their names; nothing of anything else.
    pub fn fields(&self) -> Vec<(String, Npy)> {
        let Descr::Struct(fields, _) = &self.descr else { return Vec::new() };
        let of = |field: &descr::Field| {
            let mut npy = Npy { descr: field.descr.clone(), ..self.clone() };
            let size = field.descr.bytes().unwrap_or(0);
            npy.strides.extend(strides(&field.shape, size, false));
            npy.shape.extend(&field.shape);
            npy.header += field.offset;
            (field.name.clone(), npy)
        };
        fields.iter().map(of).collect()
    }

    /// Whether it has rows that can be read apart. The indices of a single text are its units, and what is
    /// deflated is decoded whole.
    pub(super) fn has_rows(&self) -> bool {
        !self.shape.is_empty() && self.entry_of().is_none_or(|entry| entry.place().is_some())
    }

    /// Opens its file, or looks at the checksum of the entry that it is, and inflates that.
    ///
    /// # Errors
    /// If something is wrong with it.
    pub(super) fn opened(&self) -> Result<Opened> {
        let whole = |bytes| Opened { bytes, address: 0 };
        let damaged = |why: String| super::unreadable(&why);
        Ok(match &self.file {
            File::Named(path) => whole(Arc::new(FileSource::open(path)?)),
            File::Source(bytes) => whole(bytes.clone()),
            File::Entry(entry) => match entry.place() {
                Some((bytes, address, _)) => {
                    entry.check().map_err(damaged)?;
                    Opened { bytes, address }
                }
                None => whole(Arc::new(entry.inflate().map_err(damaged)?)),
            },
        })
    }

    /// The indices of the first dimension, each as an array of its own, whose file is open; nothing of an array without
    /// dimensions.
    ///
    /// # Errors
    /// If the file has errors.
    pub(super) fn rows(&self) -> Result<Vec<Npy>> {
        let (Some((count, shape)), Some((stride, strides))) =
            (self.shape.split_first(), self.strides.split_first())
        else {
            return Ok(Vec::new());
        };
        let Opened { bytes, address } = self.opened()?;
        let row = |at: u64| Npy {
            descr: self.descr.clone(),
            shape: shape.to_vec(),
            strides: strides.to_vec(),
            file: File::Source(bytes.clone()),
            // All of it is in the file.
            header: address + self.header + at * stride.unsigned_abs(),
        };
        Ok((0..*count).map(row).collect())
    }

    /// Hands out the bytes of some indices of the first dimension, or of all elements, row-major, block
    /// by block.
    ///
    /// # Errors
    /// If reading or the sink fails.
    pub fn blocks(
        &self,
        rows: Option<Range<u64>>,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let size = self.descr.bytes().unwrap_or(0);
        let (mut shape, mut skipped) = (self.shape.clone(), 0);
        if let (Some(rows), Some(first), Some(stride)) =
            (rows, shape.first_mut(), self.strides.first())
        {
            // All of it is in the file.
            skipped = rows.start.min(*first) * stride.unsigned_abs();
            *first = rows.end.min(*first).saturating_sub(rows.start);
        }
        let Opened { bytes, address } = self.opened()?;
        let region = Region::new(address + self.header + skipped, &shape, &self.strides, size)?;
        gather(&*bytes, &region, sink)
    }

    /// Reads bytes of the elements, row-major, from a byte of them on. There must be as many. Where they are not
    /// stored so, no more rows are read of the outermost dimension that has to be visited than the bytes are in.
    ///
    /// # Errors
    /// If reading fails.
    pub(super) fn read_at(&self, opened: &Opened, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let size = self.descr.bytes().unwrap_or(0);
        let source = &*opened.bytes;
        let mut begin = opened.address + self.header;
        if self.is_row_major() {
            return source.read_at(begin + offset, buffer);
        }
        if buffer.is_empty() {
            return Ok(());
        }
        let (from, to) = (offset, offset + buffer.len() as u64);
        let (mut shape, mut strides) = (&self.shape[..], &self.strides[..]);
        let mut row = shape.iter().product::<u64>() * size;
        let mut outside = 0;
        while let ([dim, inner @ ..], [stride, rest @ ..]) = (shape, strides) {
            row /= dim;
            let (first, last) = ((from - outside) / row, (to - outside).div_ceil(row));
            begin += first * stride.unsigned_abs();
            outside += first * row;
            if last - first > 1 || inner.is_empty() {
                let counts: Vec<u64> = [&[last - first], inner].concat();
                let region = Region::new(begin, &counts, strides, size)?;
                return copy_from(source, &region, from - outside, buffer);
            }
            (shape, strides) = (inner, rest);
        }
        Ok(())
    }

    /// Whether its elements are stored in row-major order, without gaps.
    fn is_row_major(&self) -> bool {
        self.strides == strides(&self.shape, self.descr.bytes().unwrap_or(0), false)
    }

    /// Whether its elements are stored in Fortran's order, and are none whose characters, or bytes, are a dimension of a
    /// layout: that is then one of `order = "F"` (7.7 of the language).
    pub(super) fn is_columns(&self) -> bool {
        let has_units = matches!(self.descr, Descr::Plain { kind: 'U' | 'S' | 'V', .. });
        let columns = strides(&self.shape, self.descr.bytes().unwrap_or(0), true);
        !self.is_row_major() && !has_units && self.strides == columns
    }

    /// Whether its elements are stored as they are in its file or archive, as a layout can have them: where they begin
    /// there.
    pub(super) fn place(&self) -> Option<u64> {
        let begin = match self.entry_of() {
            Some(entry) => entry.place()?.1,
            None => 0,
        };
        (self.is_row_major() || self.is_columns()).then_some(begin + self.header)
    }

    /// The entry of an archive that it is, if it is one.
    pub(super) fn entry_of(&self) -> Option<&Entry> {
        match &self.file {
            File::Entry(entry) => Some(entry),
            File::Named(_) | File::Source(_) => None,
        }
    }

    /// How many bytes its elements have.
    pub(super) fn len(&self) -> u64 {
        self.shape.iter().product::<u64>() * self.descr.bytes().unwrap_or(0)
    }

    /// The bytes of all elements, row-major.
    ///
    /// # Errors
    /// If reading fails.
    fn bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.blocks(None, &mut |block| {
            bytes.extend_from_slice(block);
            Ok(())
        })?;
        Ok(bytes)
    }

    /// Its kind, as numpy has it, its size and its order.
    pub(super) fn plain(&self) -> Option<(char, u64, ByteOrder)> {
        match self.descr {
            Descr::Plain { kind, size, order, .. } => Some((kind, size, order)),
            Descr::Struct(..) => None,
        }
    }

    /// Whether its elements are text.
    pub fn is_text(&self) -> bool {
        matches!(self.descr, Descr::Plain { kind: 'U' | 'S', .. })
    }

    /// The value of an array that is one integer; `None` for another one.
    ///
    /// # Errors
    /// If reading fails.
    pub fn integer(&self) -> Result<Option<i128>> {
        let Some((kind @ ('i' | 'u'), size, order)) = self.plain() else { return Ok(None) };
        if !self.shape.iter().all(|dim| *dim == 1) {
            return Ok(None);
        }
        let bytes = self.bytes()?;
        let join = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        let bits = match order {
            ByteOrder::Big => bytes.iter().fold(0, join),
            ByteOrder::Little => bytes.iter().rev().fold(0, join),
        };
        let unused = 64 - 8 * size.clamp(1, 8) as u32;
        Ok(Some(match kind {
            'i' => i128::from(((bits << unused) as i64) >> unused),
            _ => i128::from(bits),
        }))
    }

    /// The primitive of its elements as they are stored: text as its units, times as integers, bytes without a
    /// meaning as bytes; their order, and how many of them an element is, if that is a dimension of their own.
    pub(super) fn units(&self) -> Option<(Primitive, ByteOrder, Option<u64>)> {
        let (kind, size, order) = self.plain()?;
        let units = matches!(kind, 'U' | 'S' | 'V').then_some(size);
        Some((super::primitive_of(kind, size)?, order, units))
    }

    /// Text as a value.
    ///
    /// # Errors
    /// If reading fails.
    pub fn texts(&self) -> Result<Value> {
        let bytes = self.bytes()?;
        let size = self.descr.bytes().unwrap_or(1).max(1) as usize;
        let (primitive, order) = match self.plain() {
            Some(('U', _, order)) => (Primitive::Utf32, order),
            _ => (Primitive::S1, ByteOrder::Little),
        };
        let decode =
            |units| crate::elements::text::decode(units, primitive, order).map(Value::Text);
        let texts = bytes.chunks_exact(size).map(decode).collect::<Result<Vec<_>>>()?;
        let mut texts = texts.into_iter();
        Ok(shaped(&mut texts, &self.shape))
    }
}

/// The text of a header: Latin-1 before version 3, then UTF-8.
fn decoded(version: u8, text: &[u8]) -> String {
    match version {
        1 | 2 => text.iter().map(|byte| char::from(*byte)).collect(),
        _ => String::from_utf8_lossy(text).into_owned(),
    }
}

/// The first bytes of a file in a source.
fn head(source: &dyn Source, address: u64, count: u64) -> Found<Vec<u8>> {
    let mut bytes = vec![0; count as usize];
    source.read_at(address, &mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Gathers a region and keeps what is behind this many bytes of it, as far as the buffer goes.
fn copy_from(source: &dyn Source, region: &Region, skipped: u64, buffer: &mut [u8]) -> Result<()> {
    let (mut skipped, mut filled) = (skipped as usize, 0);
    gather(source, region, &mut |block| {
        let skip = skipped.min(block.len());
        skipped -= skip;
        let block = &block[skip..];
        let count = block.len().min(buffer.len() - filled);
        buffer[filled..filled + count].copy_from_slice(&block[..count]);
        filled += count;
        Ok(())
    })
}

/// Bytes from one index to the next; with `fortran` the first index runs fastest. Their product is in
/// the file, or a dimension is 0.
fn strides(shape: &[u64], size: u64, fortran: bool) -> Vec<i64> {
    let mut strides = vec![0; shape.len()];
    let mut stride = size as i64;
    let mut set = |axis: usize| {
        strides[axis] = stride;
        stride = stride.saturating_mul(shape[axis] as i64);
    };
    if fortran {
        (0..shape.len()).for_each(&mut set)
    } else {
        (0..shape.len()).rev().for_each(&mut set)
    }
    strides
}

fn shaped(items: &mut dyn Iterator<Item = Value>, shape: &[u64]) -> Value {
    match shape.split_first() {
        None => items.next().unwrap_or(Value::Text(String::new())),
        Some((length, inner)) => Value::Array((0..*length).map(|_| shaped(items, inner)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The beginning of a file.
    fn header(descr: &str, shape: &[u64], fortran: bool) -> Vec<u8> {
        let dims: String = shape.iter().map(|dim| format!("{dim},")).collect();
        let order = if fortran { "True" } else { "False" };
        let dict = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': ({dims}), }}\n");
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((dict.len() as u16).to_le_bytes());
        file.extend(dict.as_bytes());
        file
    }

    /// The array of a file, with the file.
    fn parse(file: &[u8]) -> Found<(tempfile::TempPath, Npy)> {
        let path = tempfile::NamedTempFile::new().expect("space").into_temp_path();
        std::fs::write(&path, file).expect("space");
        let npy = Npy::open(&path)?;
        Ok((path, npy))
    }

    proptest! {
        /// Bytes from anywhere to anywhere of an array in either order are those of all of it.
        #[test]
        fn parts_are_those_of_the_whole(
            shape in prop::collection::vec(1_u64..5, 0..4),
            fortran: bool,
            from in 0.0..1.0_f64,
            to in 0.0..1.0_f64,
        ) {
            let count = shape.iter().product::<u64>();
            let mut file = header("'<u2'", &shape, fortran);
            file.extend((0..count as u16).flat_map(u16::to_le_bytes));
            let npy = Npy::source(Arc::new(file)).expect("a file of numpy");
            let whole = npy.bytes().expect("in memory");
            let at = |part: f64| (part * (whole.len() + 1) as f64) as usize;
            let (from, to) = (at(from).min(at(to)), at(from).max(at(to)));
            let mut part = vec![0; to - from];
            npy.read_at(&npy.opened().expect("in memory"), from as u64, &mut part).expect("in memory");
            prop_assert_eq!(&part, &whole[from..to]);
        }
    }

    #[test]
    fn headers_are_read() {
        for dims in 0..5 {
            let shape: Vec<u64> = (2..2 + dims).collect();
            let mut file = header("'>f8'", &shape, false);
            let count = shape.iter().product::<u64>();
            file.resize(file.len() + 8 * count as usize, 0);
            let (_file, npy) = parse(&file).expect("a header of our own");
            assert_eq!(npy.plain(), Some(('f', 8, ByteOrder::Big)));
            assert_eq!(npy.shape, shape);
        }
    }

    #[test]
    fn fortran_order_becomes_c_order() {
        let mut file = header("'<u2'", &[2, 3], true);
        // [[0, 1, 2], [3, 4, 5]], column by column.
        file.extend([0, 3, 1, 4, 2, 5].iter().flat_map(|n: &u16| n.to_le_bytes()));
        let (_file, npy) = parse(&file).expect("a file of numpy");
        let expected: Vec<u8> = (0..6_u16).flat_map(u16::to_le_bytes).collect();
        assert_eq!((npy.bytes().expect("in memory"), npy.shape), (expected, vec![2, 3]));
    }

    #[test]
    fn sizes_of_a_header_take_no_memory() {
        for (descr, shape) in [
            ("|S0", "(1000000000000000,)"),
            ("<U4611686018427387904", "(1,)"),
            ("<U1", "(1000000000000000, 0)"),
            ("<f8", "(1000000000000000, 1000000000000000)"),
        ] {
            let dict =
                format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
            let mut file = b"\x93NUMPY\x01\x00".to_vec();
            file.extend((dict.len() as u16).to_le_bytes());
            file.extend(dict.as_bytes());
            assert!(parse(&file).is_err(), "{descr} {shape}");
        }
        let mut file = header("'<U1'", &[3, 0], false);
        assert_eq!(
            parse(&file).expect("a header").1.texts().expect("in memory"),
            shaped(&mut std::iter::empty(), &[3, 0])
        );
        file.push(0);
        assert!(parse(&file).is_err());
    }

    #[test]
    fn what_is_no_npy_is_refused() {
        for file in [&b""[..], b"\x93NUMPY", b"\x93NUMPY\x01\x00\xff\xff{}", b"PK\x03\x04"] {
            assert!(parse(file).is_err());
        }
    }
}
