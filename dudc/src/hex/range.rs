//! The requested addresses.

use crate::failure::{Failure, Result};

/// Addresses, the end excluded; those below 0 count from the end of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    from: Option<i64>,
    to: Option<i64>,
}

impl Range {
    /// Reads `A:B`, `A:`, `:B`.
    pub(crate) fn parse(text: &str) -> std::result::Result<Range, String> {
        let wanted =
            || format!("`{text}` is no range of addresses such as 0x100:0x180, 64: or -32:");
        let (from, to) = text.split_once(':').ok_or_else(wanted)?;
        let number = |text: &str| {
            if text.is_empty() {
                return Ok(None);
            }
            let (below, digits) = match text.strip_prefix('-') {
                Some(digits) => (true, digits),
                None => (false, text),
            };
            let (radix, digits) = digits.strip_prefix("0x").map_or((10, digits), |it| (16, it));
            let value = if digits.starts_with(['+', '-']) {
                None
            } else {
                i64::from_str_radix(digits, radix).ok()
            };
            value.map(|value| Some(if below { -value } else { value })).ok_or_else(wanted)
        };
        let range = Range { from: number(from.trim())?, to: number(to.trim())? };
        match (range.from, range.to) {
            // Of one below 0 and one above it the length of the stream decides.
            (Some(from), Some(to)) if (from < 0) == (to < 0) && from >= to => {
                Err(nothing(text, from == to))
            }
            (None, Some(0)) => Err(nothing(text, true)),
            _ => Ok(range),
        }
    }

    /// The addresses in a stream of some length, of which `whole` bytes can be shown: an attached layout is
    /// behind the stream.
    ///
    /// # Errors
    /// If there are no bytes there.
    pub(super) fn within(self, length: u64, whole: u64) -> Result<(u64, u64)> {
        if let Some(to) = self.to.filter(|to| *to < 0 && to.unsigned_abs() >= length) {
            let text = match self.from {
                Some(from) => format!("{from}:{to}"),
                None => format!(":{to}"),
            };
            return Err(Failure::input(format!(
                "the range {text} lies before the first of the {length} bytes of data"
            )));
        }
        let at = |number: i64| match number {
            0.. => number.unsigned_abs(),
            _ => length.saturating_sub(number.unsigned_abs()),
        };
        let (from, to) = (self.from.map_or(0, at), self.to.map_or(u64::MAX, at));
        if from >= to {
            let text = format!("{from:#x}:{to:#x}");
            return Err(Failure::input(nothing(&text, from == to)));
        }
        if from >= whole {
            return Err(Failure::input(format!(
                "there is nothing at {from:#x}: the last byte is at {:#x}",
                whole.saturating_sub(1)
            )));
        }
        Ok((from, to))
    }
}

/// The message for a range without bytes.
fn nothing(text: &str, empty: bool) -> String {
    if empty {
        format!("the range {text} is empty: its end is excluded")
    } else {
        format!("the range {text} is reversed: it ends before it begins")
    }
}
