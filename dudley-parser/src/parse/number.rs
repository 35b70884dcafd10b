//! Integers and floats, from what the grammar takes for a number.

use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// An integer with or without sign, decimal or hexadecimal.
#[expect(clippy::result_large_err, reason = "an error is rare, and reported at once")]
pub(crate) fn integer(text: &str, span: Span) -> Result<i64, Diagnostic> {
    let (negative, digits) = split_sign(text);
    let hexadecimal = digits.strip_prefix("0x");
    let (digits, radix) = hexadecimal.map_or((digits, 10), |digits| (digits, 16));
    if let Some(error) = malformed(text, digits, radix, span) {
        return Err(error);
    }
    let significant = digits.trim_start_matches('0');
    let magnitude = match significant {
        "" => Some(0),
        _ => u64::from_str_radix(significant, radix).ok(),
    };
    let value = magnitude.and_then(|magnitude| {
        if negative { 0i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
    });
    value.ok_or_else(|| {
        let message = format!("`{}` does not fit a signed 64-bit integer", shorten(text));
        Diagnostic::error("int-range", span, message)
            .help("the least is -9223372036854775808, the greatest 9223372036854775807")
    })
}

/// A float, or an integer that is to be one.
pub(crate) fn float(text: &str) -> Option<f64> {
    let (_, digits) = split_sign(text);
    let begins = digits.as_bytes().first()?;
    let plain =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-');
    if !(begins.is_ascii_digit() || *begins == b'.') || !digits.bytes().all(plain) {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Whether it is written like an integer: sign and digits.
pub(crate) fn is_integer(text: &str) -> bool {
    let (_, digits) = split_sign(text);
    digits.starts_with("0x") || digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Text for a message, which should not be longer than a line.
pub(crate) fn shorten(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

fn split_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn malformed(text: &str, digits: &str, radix: u32, span: Span) -> Option<Diagnostic> {
    let shown = shorten(text);
    let error = |message: String| Some(Diagnostic::error("bad-number", span, message));
    if digits.is_empty() {
        return error(format!("`{shown}` has no hexadecimal digits after `0x`"));
    }
    let odd = digits.chars().find(|digit| !digit.is_digit(radix))?;
    if float(text).is_some() {
        return error(format!("expected an integer, found the float `{shown}`"));
    }
    let error = error(format!("`{shown}` is not a number: `{odd}` is no digit of it"))?;
    Some(if digits.starts_with(|first: char| first.is_ascii_digit()) && odd.is_alphabetic() {
        error.help("a name cannot begin with a digit unless it is in quotes")
    } else {
        error
    })
}

use std::borrow::Cow;
