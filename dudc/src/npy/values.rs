//! Values of any form as an array of numpy, if they are regular: visited twice, and not held.

use std::io::Write;

use dudley::elements::{Part, Scalar, Sink};
use dudley::{Error, Result};

use super::{TEXTS, header};

/// Emits values, any number of times.
pub(crate) type Emit<'e> = dyn Fn(&mut dyn Sink) -> Result<()> + 'e;

/// Values that are an array of numpy: integers as i8, or as u8 if that does not hold them, floats as f8, text as `<U`.
pub(crate) struct Values<'e> {
    emit: &'e Emit<'e>,
    array: Measured,
    /// The type for values without elements.
    descr: Option<String>,
}

/// The parts of a type, as found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Null,
    Bool,
    Int,
    Float,
    Complex,
    Text,
    Bits,
}

/// Facts about the visited values.
#[derive(Debug)]
struct Measured {
    shape: Vec<u64>,
    /// Whether the shape is complete: it was given, or the first element was seen.
    is_shaped: bool,
    /// The open arrays.
    depth: usize,
    kind: Option<Kind>,
    /// The least and the greatest integer.
    range: (i128, i128),
    /// Characters of the longest text, or bytes of bits.
    longest: usize,
}

impl<'e> Values<'e> {
    /// Visits values, which have a shape that is known, or else that of their first parts. `None` if their parts
    /// differ in shape or type, or numpy has no such type.
    ///
    /// # Errors
    /// If emitting them fails.
    pub(crate) fn of(emit: &'e Emit<'e>, shape: Option<Vec<u64>>) -> Result<Option<Values<'e>>> {
        let is_shaped = shape.is_some();
        let shape = shape.unwrap_or_default();
        let (kind, range) = (None, (0, 0));
        let mut array = Measured { shape, is_shaped, depth: 0, kind, range, longest: 0 };
        match emit(&mut array) {
            // The visit ends at the first irregular value.
            Err(Error::Cancelled) => return Ok(None),
            given => given?,
        }
        Ok(array.is_held().then_some(Values { emit, array, descr: None }))
    }

    /// The same, with a type for values without elements.
    pub(crate) fn of_type(self, descr: String) -> Self {
        Values { descr: Some(descr), ..self }
    }

    /// The type, as a literal of Python.
    pub(crate) fn descr(&self) -> String {
        if let Some(descr) = &self.descr {
            return descr.clone();
        }
        match self.array.kind {
            Some(Kind::Int) if self.array.is_unsigned() => "'<u8'".to_owned(),
            Some(Kind::Int) => "'<i8'".to_owned(),
            // A struct without fields is empty.
            Some(Kind::Null) => "[]".to_owned(),
            Some(Kind::Bits) => format!("'|V{}'", self.array.longest),
            Some(Kind::Bool) => "'|b1'".to_owned(),
            Some(Kind::Complex) => "'<c16'".to_owned(),
            Some(Kind::Text) => format!("'<U{}'", self.array.longest.max(1)),
            Some(Kind::Float) | None => "'<f8'".to_owned(),
        }
    }

    /// Elements in each dimension.
    pub(crate) fn shape(&self) -> &[u64] {
        &self.array.shape
    }

    /// Writes the bytes of the elements.
    ///
    /// # Errors
    /// If emitting or writing them fails.
    pub(crate) fn write(&self, out: &mut dyn Write) -> Result<()> {
        let units = self.array.longest.max(1) * 4;
        let mut bytes = Bytes { out, block: Vec::new(), units };
        (self.emit)(&mut bytes)?;
        bytes.flush()
    }

    /// Writes a `.npy` file.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub(crate) fn write_file(&self, out: &mut dyn Write) -> Result<()> {
        out.write_all(&header(&self.descr(), self.shape())?).map_err(cannot)?;
        self.write(out)
    }
}

fn cannot(error: std::io::Error) -> Error {
    Error::io("cannot write the result", error)
}

impl Measured {
    /// Whether u8 holds integers of which i8 does not hold all.
    fn is_unsigned(&self) -> bool {
        self.range.1 > i128::from(i64::MAX)
    }

    /// Whether a type of numpy holds all of them.
    fn is_held(&self) -> bool {
        let (least, greatest) = self.range;
        match self.kind {
            Some(Kind::Int) if self.is_unsigned() => least >= 0 && greatest <= i128::from(u64::MAX),
            Some(Kind::Int) => least >= i128::from(i64::MIN),
            Some(Kind::Bits) => self.shape.is_empty() && self.longest > 0,
            Some(Kind::Null) => self.shape.is_empty(),
            _ => true,
        }
    }
}

impl Sink for Measured {
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        let (kind, length) = match value {
            Scalar::Null => (Kind::Null, 0),
            Scalar::Bool(_) => (Kind::Bool, 0),
            Scalar::Int(value) => {
                let (least, greatest) = self.range;
                self.range = (least.min(value), greatest.max(value));
                (Kind::Int, 0)
            }
            Scalar::Float(..) => (Kind::Float, 0),
            Scalar::Complex(Part::Float(..), Part::Float(..)) => (Kind::Complex, 0),
            Scalar::Text(text) => (Kind::Text, text.chars().count()),
            Scalar::Bits(bits) => (Kind::Bits, bits.len()),
            Scalar::Complex(..) => return Err(Error::Cancelled),
        };
        self.is_shaped = true;
        self.longest = self.longest.max(length);
        let same = *self.kind.get_or_insert(kind) == kind;
        if same && self.depth == self.shape.len() { Ok(()) } else { Err(Error::Cancelled) }
    }

    fn begin_array(&mut self, length: u64) -> Result<()> {
        if !self.is_shaped {
            self.shape.push(length);
        }
        let is_regular = self.shape.get(self.depth) == Some(&length);
        self.depth += 1;
        if is_regular { Ok(()) } else { Err(Error::Cancelled) }
    }

    fn end_array(&mut self) -> Result<()> {
        self.is_shaped = true;
        self.depth -= 1;
        Ok(())
    }

    fn begin_struct(&mut self) -> Result<()> {
        Err(Error::Cancelled)
    }

    fn field(&mut self, _: &str) -> Result<()> {
        Err(Error::Cancelled)
    }

    fn end_struct(&mut self) -> Result<()> {
        Err(Error::Cancelled)
    }
}

/// Writes measured elements.
struct Bytes<'o> {
    out: &'o mut dyn Write,
    block: Vec<u8>,
    /// Bytes of a text.
    units: usize,
}

impl Bytes<'_> {
    fn flush(&mut self) -> Result<()> {
        self.out.write_all(&self.block).map_err(cannot)?;
        self.block.clear();
        Ok(())
    }
}

impl Sink for Bytes<'_> {
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        match value {
            Scalar::Bool(value) => self.block.push(u8::from(value)),
            // The low 64 bits are the same for i8 and u8.
            Scalar::Int(value) => self.block.extend((value as u64).to_le_bytes()),
            Scalar::Float(value, _) => self.block.extend(value.to_le_bytes()),
            Scalar::Complex(Part::Float(re, _), Part::Float(im, _)) => {
                self.block.extend(re.to_le_bytes());
                self.block.extend(im.to_le_bytes());
            }
            Scalar::Text(text) => {
                let end = self.block.len() + self.units;
                self.block.extend(text.chars().flat_map(|c| u32::from(c).to_le_bytes()));
                self.block.resize(end, 0);
            }
            Scalar::Bits(bits) => self.block.extend(bits),
            Scalar::Null | Scalar::Complex(..) => {}
        }
        if self.block.len() >= TEXTS { self.flush() } else { Ok(()) }
    }
}
