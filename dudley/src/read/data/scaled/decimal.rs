//! Texts that are decimal numbers, as ASCII tables of FITS have them.

use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::dtype::Primitive;

use super::number::{Fills, Number};
use crate::error::{Error, Item, Result};

/// How texts are decimal numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Decimal {
    /// Units of each text.
    pub(super) width: u64,
    /// Digits behind the point, where a text has none.
    behind: i64,
    /// Whether they are integers, which stay that.
    integers: bool,
    /// Texts that stand for none.
    fills: Vec<Vec<u8>>,
    scale: Number,
    offset: Number,
}

impl Decimal {
    /// What attributes say; `None` if they say nothing of it.
    pub(super) fn of(attributes: &[Attribute]) -> Option<Decimal> {
        let said = |name: &str| attributes.iter().find(|it| it.name == name).map(|it| &it.value);
        let number = |name: &str| match said(name) {
            Some(AttrValue::Int(value)) if *value >= 0 => Some(*value),
            _ => None,
        };
        let width = number("decimal").filter(|width| *width > 0)?;
        Some(Decimal {
            width: width.unsigned_abs(),
            behind: number("decimals").unwrap_or(0).min(400),
            integers: said("integers").is_some(),
            fills: Fills::texts(attributes),
            scale: Number::ONE,
            offset: Number::ZERO,
        })
    }

    /// The same, of which `offset + scale * number` is made.
    pub(super) fn scaled(self, scale: Number, offset: Number) -> Decimal {
        Decimal { scale, offset, ..self }
    }

    /// What is added to integers that stay such: none is no integer, so none may stand for that.
    fn whole(&self) -> Option<i128> {
        self.offset
            .whole
            .filter(|_| self.integers && self.scale == Number::ONE && self.fills.is_empty())
    }

    /// The type of the numbers.
    pub(super) fn primitive(&self) -> Primitive {
        if self.whole().is_some() { Primitive::I8 } else { Primitive::F8 }
    }

    /// Makes numbers, in little-endian order, of texts side by side.
    pub(super) fn apply(&self, from: &[u8], to: &mut [u8]) -> Result<()> {
        for (from, to) in from.chunks_exact(self.width as usize).zip(to.chunks_exact_mut(8)) {
            let text = trimmed(from);
            let made = match self.whole() {
                Some(offset) => self.integer(text, offset)?.to_le_bytes(),
                None => self.float(text)?.to_le_bytes(),
            };
            to.copy_from_slice(&made);
        }
        Ok(())
    }

    fn integer(&self, text: &[u8], offset: i128) -> Result<i64> {
        let number = if text.is_empty() { Some(0) } else { integer(text) };
        let number = number.ok_or_else(|| wrong("a decimal integer", text))?;
        i64::try_from(number.saturating_add(offset))
            .map_err(|_| wrong("an integer that 64 bits hold", text))
    }

    fn float(&self, text: &[u8]) -> Result<f64> {
        if self.fills.iter().any(|fill| fill == text) {
            return Ok(f64::NAN);
        }
        let number = self.number(text)?;
        if self.integers
            && self.scale == Number::ONE
            && integer(text).is_some_and(|exact| number as i128 != exact)
        {
            let expected =
                "integers that floats of 8 bytes hold as they are, as some texts stand for none";
            return Err(wrong(expected, text));
        }
        Ok(number * self.scale.value + self.offset.value)
    }

    /// The number that a text is, with a `D` or an `E` before its exponent; a blank one is 0.
    fn number(&self, text: &[u8]) -> Result<f64> {
        if text.is_empty() {
            return Ok(0.0);
        }
        let shown = String::from_utf8_lossy(text).replace(['d', 'D', 'e'], "E");
        let is_number = text.iter().all(|byte| byte.is_ascii_digit() || b"+-.eEdD".contains(byte));
        let number = if self.behind == 0 || shown.contains('.') {
            shown.parse::<f64>().ok()
        } else {
            let (digits, exponent) = shown.split_once('E').unwrap_or((&shown, "0"));
            let exponent = exponent.parse::<i64>().ok().map(|it| it.saturating_sub(self.behind));
            exponent.and_then(|exponent| format!("{digits}E{exponent}").parse().ok())
        };
        number
            .filter(|number: &f64| is_number && number.is_finite())
            .ok_or_else(|| wrong("a decimal number", text))
    }
}

fn integer(text: &[u8]) -> Option<i128> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn wrong(expected: &str, text: &[u8]) -> Error {
    Error::WrongValue {
        item: Item::UNKNOWN,
        expected: expected.into(),
        found: format!("`{}`", String::from_utf8_lossy(text)).into(),
    }
}

/// A text without the blanks and NULs around it.
fn trimmed(text: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let start = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_blank(byte)).map_or(start, |at| at + 1);
    &text[start..end]
}
