//! The meaning of a plain scalar of YAML 1.1: null, a boolean, a number, a time, or text.
//!
//! The rules are those of PyYAML, with which nearly all trees are written: `yes` and `off` are
//! booleans, `0777` is octal, `1:30` is 90, and `1e3`, without a point, is text.

/// A scalar of the tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<'t> {
    /// `null`, `~`, or nothing at all.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// An integer of more than 127 bits, as it is written.
    Huge(&'t str),
    /// A float.
    Float(f64),
    /// Text.
    Text(&'t str),
    /// A date, or date and time, as it is written.
    Timestamp(&'t str),
    /// Bytes that were written in base 64.
    Binary(Vec<u8>),
}

impl Scalar<'_> {
    /// The kind of the scalar, for messages.
    pub const fn kind(&self) -> &'static str {
        match self {
            Scalar::Null => "null",
            Scalar::Bool(_) => "a boolean",
            Scalar::Int(_) | Scalar::Huge(_) => "an integer",
            Scalar::Float(_) => "a float",
            Scalar::Text(_) => "text",
            Scalar::Timestamp(_) => "a time",
            Scalar::Binary(_) => "bytes",
        }
    }
}

/// The meaning of a plain scalar without a tag.
pub(crate) fn plain(text: &str) -> Scalar<'_> {
    let first = text.as_bytes().first();
    match first {
        None => return Scalar::Null,
        // Most texts are recognised by their first letter.
        Some(b'a'..=b'e' | b'g'..=b'm' | b'p'..=b's' | b'u'..=b'x' | b'z' | b'/' | b'_') => {
            return Scalar::Text(text);
        }
        Some(_) => {}
    }
    if is_null(text) {
        return Scalar::Null;
    }
    if let Some(value) = boolean(text) {
        return Scalar::Bool(value);
    }
    if let Some(value) = integer(text) {
        return value;
    }
    if let Some(value) = float(text) {
        return Scalar::Float(value);
    }
    if is_timestamp(text) { Scalar::Timestamp(text) } else { Scalar::Text(text) }
}

pub(super) fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

pub(super) fn boolean(text: &str) -> Option<bool> {
    match text {
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Some(true),
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Some(false),
        _ => None,
    }
}

fn sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    }
}

pub(super) fn integer(text: &str) -> Option<Scalar<'_>> {
    let (negative, digits) = sign(text);
    if digits.contains(':') {
        return sexagesimal(digits, negative);
    }
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'b', rest @ ..] if !rest.is_empty() => (2, &digits[2..]),
        [b'0', b'x', rest @ ..] if !rest.is_empty() => (16, &digits[2..]),
        [b'0', rest @ ..] if !rest.is_empty() => (8, &digits[1..]),
        [b'0'..=b'9', ..] => (10, digits),
        _ => return None,
    };
    if !digits.chars().all(|digit| digit == '_' || digit.is_digit(radix)) {
        return None;
    }
    let digits: String = digits.chars().filter(|digit| *digit != '_').collect();
    if digits.is_empty() {
        return None;
    }
    Some(match i128::from_str_radix(&digits, radix) {
        Ok(value) => Scalar::Int(if negative { -value } else { value }),
        Err(_) => Scalar::Huge(text),
    })
}

/// `1:30`, to the base 60.
fn sexagesimal(text: &str, negative: bool) -> Option<Scalar<'_>> {
    let mut parts = text.split(':');
    let first =
        parts.next().filter(|first| first.starts_with(|c: char| ('1'..='9').contains(&c)))?;
    let mut value = whole(first)?;
    for part in parts {
        value = value.checked_mul(60)?.checked_add(sixtieth(part)?)?;
    }
    Some(Scalar::Int(if negative { -value } else { value }))
}

/// Digits with underscores among them.
fn whole(text: &str) -> Option<i128> {
    let first = text.as_bytes().first()?;
    let all = text.bytes().all(|byte| byte == b'_' || byte.is_ascii_digit());
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    if first.is_ascii_digit() && all { digits.parse().ok() } else { None }
}

/// A digit to the base 60.
fn sixtieth(text: &str) -> Option<i128> {
    let fits = matches!(text.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']);
    if fits { text.parse().ok() } else { None }
}

pub(super) fn float(text: &str) -> Option<f64> {
    let (negative, number) = sign(text);
    let signed = |value: f64| if negative { -value } else { value };
    match number {
        ".inf" | ".Inf" | ".INF" => return Some(signed(f64::INFINITY)),
        ".nan" | ".NaN" | ".NAN" => return (number == text).then_some(f64::NAN),
        _ => {}
    }
    if let Some((clock, seconds)) = number.rsplit_once(':') {
        let whole_seconds = seconds.split_once('.')?.0;
        let mut value = clock.split(':').enumerate().try_fold(0_i128, |value, (at, part)| {
            let part = if at == 0 { whole(part)? } else { sixtieth(part)? };
            value.checked_mul(60)?.checked_add(part)
        })?;
        sixtieth(whole_seconds)?;
        value = value.checked_mul(60)?;
        return Some(signed(value as f64 + decimal(seconds)?));
    }
    // PyYAML takes no sign in front of a point.
    decimal(number).filter(|_| number == text || !number.starts_with('.')).map(signed)
}

/// A decimal with a point: `1.5`, `.5`, `1_000.`, `1.0e+5`. An exponent must have a sign.
fn decimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.')?;
    let digits = |text: &str| text.bytes().all(|byte| byte == b'_' || byte.is_ascii_digit());
    let starts = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let fits = digits(whole)
        && digits(fraction)
        && if whole.is_empty() { starts(fraction) } else { starts(whole) };
    let exponent_fits = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or("");
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    if !fits || !exponent_fits {
        return None;
    }
    let text: String = text.chars().filter(|c| *c != '_').collect();
    text.parse().ok()
}

/// Whether PyYAML reads a text as a time that has the tag of one: a date may be shorter there, `2001-1-4`.
pub(crate) fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |part: &str, long: usize| {
        (1..=long).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let short = matches!(parts[..], [year, month, day]
        if year.len() == 4 && digits(year, 4) && digits(month, 2) && digits(day, 2));
    short || is_timestamp(text)
}

/// `2001-12-14`, `2001-12-14t21:59:43.10-05:00`, `2001-12-14 21:59:43.10 -5`.
fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| {
        bytes.get(range).is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
    };
    if !digits(0..4) || bytes.get(4) != Some(&b'-') {
        return false;
    }
    if bytes.len() == 10 && digits(5..7) && bytes[7] == b'-' && digits(8..10) {
        return true;
    }
    let rest = &text[4..];
    let date = rest.find(['t', 'T', ' ', '\t']);
    let Some((date, time)) = date.map(|at| (&rest[..at], rest[at + 1..].trim_start())) else {
        return false;
    };
    let short = |part: &str| {
        (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut dates = date.split('-').skip(1);
    let mut clock = time.splitn(3, ':');
    let dated = dates.next().is_some_and(short) && dates.next().is_some_and(short);
    let clocked = clock.next().is_some_and(short)
        && clock.next().is_some_and(|part| part.len() == 2 && short(part))
        && clock.next().is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    dated && dates.next().is_none() && clocked
}

/// What base 64 stands for; white space is skipped.
pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let text: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let digits = text.strip_suffix(b"==").or(text.strip_suffix(b"=")).unwrap_or(&text);
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for group in digits.chunks(4) {
        let mut bits = 0_u32;
        for byte in group {
            bits = bits << 6 | u32::from(digit(*byte)?);
        }
        bits <<= 6 * (4 - group.len());
        let [_, octets @ ..] = [bits >> 24, bits >> 16, bits >> 8, bits].map(|part| part as u8);
        bytes.extend(&octets[..group.len() - 1]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_mean_what_pyyaml_says() {
        // By `yaml.safe_load` of PyYAML 6.
        for (text, expected) in [
            ("", Scalar::Null),
            ("~", Scalar::Null),
            ("Null", Scalar::Null),
            ("nULL", Scalar::Text("nULL")),
            ("yes", Scalar::Bool(true)),
            ("Off", Scalar::Bool(false)),
            ("y", Scalar::Text("y")),
            ("tRUE", Scalar::Text("tRUE")),
            ("0", Scalar::Int(0)),
            ("-0", Scalar::Int(0)),
            ("0777", Scalar::Int(511)),
            ("-010", Scalar::Int(-8)),
            ("08", Scalar::Text("08")),
            ("0o17", Scalar::Text("0o17")),
            ("0b1_01", Scalar::Int(5)),
            ("0xFF_ff", Scalar::Int(65_535)),
            ("0x", Scalar::Text("0x")),
            ("1_000", Scalar::Int(1000)),
            ("+12", Scalar::Int(12)),
            ("1:30", Scalar::Int(90)),
            ("-1:30:05", Scalar::Int(-5405)),
            ("1:60", Scalar::Text("1:60")),
            ("0:30", Scalar::Text("0:30")),
            ("1e3", Scalar::Text("1e3")),
            ("1.0e5", Scalar::Text("1.0e5")),
            ("1.0e+5", Scalar::Float(1e5)),
            ("1.", Scalar::Float(1.0)),
            (".5", Scalar::Float(0.5)),
            ("-.5", Scalar::Text("-.5")),
            ("1_0.5_0", Scalar::Float(10.5)),
            ("-.inf", Scalar::Float(f64::NEG_INFINITY)),
            ("1:30.5", Scalar::Float(90.5)),
            (".", Scalar::Text(".")),
            ("._5", Scalar::Text("._5")),
            ("nan", Scalar::Text("nan")),
            ("-.nan", Scalar::Text("-.nan")),
            ("2001-12-14", Scalar::Timestamp("2001-12-14")),
            ("2001-12-14t21:59:43.10-05:00", Scalar::Timestamp("2001-12-14t21:59:43.10-05:00")),
            ("2001-1-4 1:59:43", Scalar::Timestamp("2001-1-4 1:59:43")),
            ("2001-1-4", Scalar::Text("2001-1-4")),
            ("zero", Scalar::Text("zero")),
            ("1 2", Scalar::Text("1 2")),
        ] {
            assert_eq!(plain(text), expected, "{text:?}");
        }
        assert!(matches!(plain(".nan"), Scalar::Float(nan) if nan.is_nan()));
    }

    #[test]
    fn integers_are_exact_or_stay_as_written() {
        let least = i128::MIN + 1;
        assert_eq!(plain(&least.to_string()), Scalar::Int(least));
        let huge = "9".repeat(60);
        assert_eq!(plain(&huge), Scalar::Huge(&huge));
    }

    #[test]
    fn base_64_is_decoded() {
        assert_eq!(base64("aGVs\n  bG8=").as_deref(), Some(&b"hello"[..]));
        assert_eq!(base64("").as_deref(), Some(&b""[..]));
        assert_eq!(base64("aA==").as_deref(), Some(&b"h"[..]));
        assert_eq!(base64("a"), None);
        assert_eq!(base64("a*=="), None);
    }
}
