//! Values as a short text.

use std::fmt::Write;

use dudley::elements::{Part, Scalar, Sink};
use dudley::read::slice::Index;
use dudley::read::{Named, Names, ShowsNames};
use dudley::stat::Number;
use dudley::{Data, Dtype, Error, Result};

/// Characters of a value at most.
const MOST: usize = 240;

/// Elements of what is shown whole.
pub(crate) const SMALL: u64 = 16;

/// Of text: this many units.
const TEXT: u64 = 120;

/// Bytes of stored data that are read to undo a filter, or to go through a struct of variable size.
const READ: u64 = 1 << 16;

/// Elements of the start of what is large.
const HEAD: i64 = 6;

/// What is in an array: all of it if that is little, else how it begins. None of what takes long to read.
///
/// # Errors
/// If reading fails.
pub(crate) fn value(data: &Data) -> Result<Option<String>> {
    let text = data.dtype().primitive().is_some_and(|(primitive, _)| primitive.is_text());
    let slow = data.filter().is_some() || matches!(data.dtype(), Dtype::Variable(_));
    let count = data.len().unwrap_or(u64::MAX);
    if slow && (data.bytes() > READ || data.filter().is_some_and(|it| it.raw_bytes > READ)) {
        return Ok(None);
    }
    let most = if text { TEXT } else { SMALL };
    if count <= most || (slow && matches!(data.dtype(), Dtype::Variable(_))) {
        return written(data, "").map(Some);
    }
    let Some((last, outer)) = data.shape().split_last() else { return written(data, "").map(Some) };
    let head = if text { TEXT.cast_signed() } else { HEAD };
    let mut indices = vec![Index::At(0); outer.len()];
    indices.push(Index::Range { start: Some(0), stop: Some(head), step: 1 });
    let cut = *last > head.unsigned_abs() || outer.iter().any(|dim| *dim > 1);
    written(&data.slice(&indices)?, if cut { "…" } else { "" }).map(Some)
}

/// All of an array, as far as there is room.
///
/// # Errors
/// If reading fails.
pub(crate) fn written(data: &Data, tail: &str) -> Result<String> {
    let mut shown = Shown::default();
    let names = Names::of(data);
    match data.emit(&mut Named::new(&names, &mut shown), false) {
        Err(error) if !shown.full => return Err(error),
        _ => {}
    }
    let mut text = shown.text;
    if shown.full {
        text.push('…');
    } else if !tail.is_empty() {
        // The rest would follow within the brackets.
        match text.strip_suffix(']') {
            Some(inner) => text = format!("{inner}, {tail}]"),
            None => text += tail,
        }
    }
    Ok(text)
}

/// A number of a survey, by the size of its type.
pub(crate) fn number(number: Number, size: u64) -> String {
    match number {
        Number::Bool(value) => value.to_string(),
        Number::Int(value) => value.to_string(),
        // The least of 0 and -0 is either of them.
        Number::Float(value) => float(value + 0.0, size),
    }
}

/// The shortest decimal that gives the same float back.
pub(crate) fn float(value: f64, size: u64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if size > 4 || !value.is_finite() {
        format!("{value:?}")
    } else {
        format!("{:?}", value as f32)
    }
}

/// Writes values until there is no room.
#[derive(Default)]
struct Shown {
    text: String,
    /// For each open array or struct: whether something stands in it already.
    open: Vec<bool>,
    named: bool,
    full: bool,
}

impl Shown {
    fn begin(&mut self) -> Result<()> {
        if self.text.len() > MOST {
            self.full = true;
            return Err(Error::Listed { path: "/".into(), why: "there is no more room".into() });
        }
        if std::mem::take(&mut self.named) {
            return Ok(());
        }
        match self.open.last_mut() {
            Some(filled) if *filled => self.text += ", ",
            Some(filled) => *filled = true,
            None => {}
        }
        Ok(())
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Float(value, size) => self.text += &float(value, size),
            Part::Bits(bits) => self.bits(bits),
        }
    }

    fn bits(&mut self, bits: &[u8]) {
        self.text += "0x";
        for byte in bits {
            // Writing to a string cannot fail.
            let _ = write!(self.text, "{byte:02x}");
        }
    }
}

impl ShowsNames for Shown {
    fn named(&mut self, value: i128, name: &str) -> Result<()> {
        self.begin()?;
        let _ = write!(self.text, "{value} ({name})");
        Ok(())
    }
}

impl Sink for Shown {
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        self.begin()?;
        match value {
            Scalar::Null => self.text += "{}",
            Scalar::Bool(value) => self.text += if value { "true" } else { "false" },
            Scalar::Int(value) => self.text += &value.to_string(),
            Scalar::Float(value, size) => self.text += &float(value, size),
            Scalar::Complex(re, im) => {
                self.text.push('(');
                self.part(re);
                self.text += ", ";
                self.part(im);
                self.text.push(')');
            }
            Scalar::Text(text) => {
                self.text.push('"');
                self.text.extend(text.chars().take(MOST));
                self.text.push('"');
            }
            Scalar::Bits(bits) => self.bits(bits),
        }
        Ok(())
    }

    fn begin_array(&mut self, _: u64) -> Result<()> {
        self.begin()?;
        self.open.push(false);
        self.text.push('[');
        Ok(())
    }

    fn end_array(&mut self) -> Result<()> {
        self.open.pop();
        self.text.push(']');
        Ok(())
    }

    fn begin_struct(&mut self) -> Result<()> {
        self.begin()?;
        self.open.push(false);
        self.text.push('{');
        Ok(())
    }

    fn field(&mut self, name: &str) -> Result<()> {
        self.begin()?;
        self.text += name;
        self.text += ": ";
        self.named = true;
        Ok(())
    }

    fn end_struct(&mut self) -> Result<()> {
        self.open.pop();
        self.text.push('}');
        Ok(())
    }
}
