//! `.npy` files and `.npz` archives of them, as numpy writes them: headers and bytes.
//!
//! Arrays are written in the byte order of the stream, so that their bytes are copied. The format
//! is numpy's `lib.format`, version 1.0, 2.0 for long headers and 3.0 for UTF-8.

mod values;

use std::borrow::Cow;
use std::io::Write;
use std::sync::Arc;

use dudley::read::select::Stacked;
use dudley::{Data, Dtype, Error, Primitive, Result, Value};

use crate::failure::printable;
use crate::output::warn;
use dudley::numpy::descr::MOST_DIMS;
pub(crate) use dudley::numpy::types::{
    descr_of, descr_of_nothing, descr_of_values, is_bytes, meant,
};
use dudley::numpy::{Npy, unreadable};
pub(crate) use values::{Emit, Values};

/// Bytes of texts that are handed out at a time.
const TEXTS: usize = 1 << 18;

/// The header of a `.npy` file: aligned to 64 bytes, as numpy makes it; version 3 has non-ASCII
/// text in UTF-8.
///
/// # Errors
/// For more dimensions than numpy has.
pub(crate) fn header(descr: &str, shape: &[u64]) -> Result<Vec<u8>> {
    if shape.len() > MOST_DIMS {
        return Err(Error::WrongValue {
            item: Default::default(),
            expected: format!("at most {MOST_DIMS} dimensions, as arrays of numpy have").into(),
            found: shape.len().to_string().into(),
        });
    }
    let dict = format!(
        "{{'descr': {descr}, 'fortran_order': False, 'shape': {}, }}",
        dudley::numpy::types::tuple(shape)
    );
    let version_1 = dict.len() + 64 + 10 <= usize::from(u16::MAX) && dict.is_ascii();
    let fixed = if version_1 { 10 } else { 12 };
    let padding = 64 - (fixed + dict.len() + 1) % 64;
    let length = dict.len() + padding % 64 + 1;
    let mut out = b"\x93NUMPY".to_vec();
    if version_1 {
        out.extend([1, 0]);
        out.extend((length as u16).to_le_bytes());
    } else {
        out.extend([if dict.is_ascii() { 2 } else { 3 }, 0]);
        out.extend((length as u32).to_le_bytes());
    }
    out.extend(dict.as_bytes());
    out.extend(std::iter::repeat_n(b' ', padding % 64));
    out.push(b'\n');
    Ok(out)
}

/// An array of numpy: its type as a literal of Python, its shape, and the source of its bytes.
pub(crate) struct Array<'d> {
    data: &'d Stacked,
    pub(crate) descr: String,
    pub(crate) shape: Vec<u64>,
    /// Characters of the longest text, if the stored text is no array of numpy: numpy's `<U` is UTF-32, with
    /// equal lengths.
    longest: Option<usize>,
}

impl Array<'_> {
    /// An array of a stream. `None` for structs of variable size, for which numpy has no array.
    ///
    /// # Errors
    /// If reading text fails.
    pub(crate) fn of(data: &Stacked) -> Result<Option<Array<'_>>> {
        let (first, shape) = (data.first(), data.shape());
        if let Some((descr, inner)) = descr_of(first, first.shape()) {
            let shape = [&shape[..data.depth()], &inner].concat();
            return Ok(Some(Array { data, descr, shape, longest: None }));
        }
        if !first.dtype().primitive().is_some_and(|(primitive, _)| primitive.is_text()) {
            return Ok(None);
        }
        let texts = Texts::of(data)?;
        texts.warn(first);
        let longest = texts.longest.max(1);
        // A text without dimensions is one unit.
        let units = usize::from(!first.shape().is_empty());
        let shape = shape[..shape.len() - units].to_vec();
        Ok(Some(Array { data, descr: format!("'<U{longest}'"), shape, longest: Some(longest) }))
    }

    /// Hands out the bytes, block by block.
    ///
    /// # Errors
    /// If reading or `sink` fails.
    pub(crate) fn for_each_block(&self, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let Some(longest) = self.longest else {
            let dtype = Some(self.data.first().dtype());
            return self.data.for_each_block(&mut |block| sink(&numpy_bytes(dtype, block)));
        };
        let mut block = Vec::new();
        self.data.for_each_text(&mut |text| {
            let before = block.len();
            block.extend(text.chars().flat_map(|c| u32::from(c).to_le_bytes()));
            block.resize(before + longest * 4, 0);
            if block.len() >= TEXTS {
                sink(&block)?;
                block.clear();
            }
            Ok(())
        })?;
        if block.is_empty() { Ok(()) } else { sink(&block) }
    }
}

/// The properties of the texts of an array, after a pass over all of them.
struct Texts {
    /// Characters of the longest.
    longest: usize,
    /// The number of texts with units that are no characters, which U+FFFD replaces.
    replaced: u64,
}

impl Texts {
    fn of(data: &Stacked) -> Result<Texts> {
        let mut texts = Texts { longest: 0, replaced: 0 };
        data.for_each_text(&mut |text| {
            texts.longest = texts.longest.max(text.chars().count());
            texts.replaced += u64::from(text.contains(char::REPLACEMENT_CHARACTER));
            Ok(())
        })?;
        Ok(texts)
    }

    fn warn(&self, data: &Data) {
        let has = match self.replaced {
            0 => return,
            1 => "1 text has".to_owned(),
            texts => format!("{texts} texts have"),
        };
        let path = printable(data.path());
        warn(&format!(
            "`{path}`: {has} U+FFFD, which stands for what is no character: `get -o x.raw` keeps the bytes"
        ));
    }
}

/// Warns if texts of an array have units that are no characters, where the output has characters.
///
/// # Errors
/// If reading them fails.
pub(crate) fn warn_of_texts(data: &Data) -> Result<()> {
    let primitive = data.dtype().primitive().map(|(primitive, _)| primitive);
    if matches!(primitive, Some(Primitive::Utf8 | Primitive::Utf16)) {
        Texts::of(&data.clone().into())?.warn(data);
    }
    Ok(())
}

/// Writes an array as `.npy`.
///
/// # Errors
/// If reading it fails; if numpy has no such type, or the output cannot be written.
pub(crate) fn write(data: &Stacked, out: &mut dyn Write) -> Result<()> {
    let io = |error| Error::io("cannot write the result", error);
    let array = Array::of(data)?;
    let array = array.ok_or_else(|| Error::Variable { path: data.first().path().into() })?;
    let header = header(&array.descr, &array.shape)?;
    let mut begun = false;
    array.for_each_block(&mut |block| {
        if !begun {
            // The output begins only when there is something to write.
            out.write_all(&header).map_err(io)?;
            begun = true;
        }
        out.write_all(block).map_err(io)
    })?;
    if begun { Ok(()) } else { out.write_all(&header).map_err(io) }
}

/// Bytes of elements as numpy wants them: a b1 other than 0 and 1 is true, but numpy would keep its
/// bits.
pub(crate) fn numpy_bytes<'b>(dtype: Option<&Dtype>, bytes: &'b [u8]) -> Cow<'b, [u8]> {
    match dtype {
        Some(Dtype::Primitive(Primitive::B1, _)) => {
            bytes.iter().map(|byte| u8::from(*byte != 0)).collect()
        }
        _ => Cow::Borrowed(bytes),
    }
}

/// A value as an array.
///
/// # Errors
/// If numpy has no such array.
pub(crate) fn of_value(value: &Value) -> Result<Npy> {
    let emit = |sink: &mut dyn dudley::elements::Sink| value.emit(sink);
    let values = Values::of(&emit, None)?.ok_or_else(|| unreadable("a value that is no array"))?;
    let mut file = Vec::new();
    values.write_file(&mut file)?;
    Npy::source(Arc::new(file)).map_err(|why| unreadable(&why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_aligned_and_read_back() {
        for dims in 0..5 {
            let shape: Vec<u64> = (2..2 + dims).collect();
            let mut file = header("'>f8'", &shape).expect("few dimensions");
            assert_eq!(file.len() % 64, 0);
            file.resize(file.len() + 8 * shape.iter().product::<u64>() as usize, 0);
            assert_eq!(Npy::source(Arc::new(file)).expect("a header of our own").shape, shape);
        }
    }
}
