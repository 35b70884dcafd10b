//! How scalars are written, so that YAML 1.1 reads what was meant: numbers, and text with its quotes.

use std::fmt::Write;

use super::super::tree::{Scalar, Style, plain};

/// A float with the fewest digits that give it back. YAML 1.1 wants a point, and a sign in exponents.
pub(super) fn float(value: f64) -> String {
    pointed(value, format!("{value:?}"))
}

/// As [`float`], of a float of 32 bits.
pub(super) fn single(value: f32) -> String {
    pointed(value.into(), format!("{value:?}"))
}

fn pointed(value: f64, spelt: String) -> String {
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let Some((mantissa, exponent)) = spelt.split_once('e') else { return spelt };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    format!("{mantissa}{point}e{sign}{exponent}")
}

/// Whether a text without quotes and tag is read as a value that is no text, whatever stands around it.
pub(super) fn is_plain_value(text: &str) -> bool {
    !text.is_empty()
        && !matches!(plain(text), Scalar::Text(_))
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-._:~ ".contains(&byte))
        && !text.contains(": ")
        && !text.starts_with("- ")
}

/// Writes text as a scalar in a line: without quotes if it is read as text so, else in those of `style` or
/// others.
pub(super) fn push_text(out: &mut String, text: &str, style: Option<Style>, tagged: bool) {
    let bare = !matches!(style, Some(Style::SingleQuoted | Style::DoubleQuoted));
    if bare && is_plain_text(text, tagged) {
        out.push_str(text);
    } else if style != Some(Style::DoubleQuoted) && text.chars().all(is_printable) {
        out.push('\'');
        out.push_str(&text.replace('\'', "''"));
        out.push('\'');
    } else {
        push_escaped(out, text);
    }
}

/// Whether text without quotes is read as that text, by any rules and in any place. With a tag of its own
/// it cannot be read as a number. Colons are good in some places, and to some readers.
fn is_plain_text(text: &str, tagged: bool) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let starts = first.is_alphanumeric() || first == '_' || first == '/' || first == '.';
    let inner = |c: char| c.is_alphanumeric() || " _/.-+()$=*^~<>;@!?\\".contains(c);
    starts
        && text.chars().all(|c| inner(c) && is_printable(c))
        && !text.ends_with(' ')
        && !text.starts_with("...")
        && (tagged || is_text_to_all(text))
}

/// Whether text of several lines is written line by line: where each is printable and begins where the others
/// do, so that every reader finds the same ones.
pub(super) fn is_literal(text: &str, style: Option<Style>) -> bool {
    let lines = text.strip_suffix('\n').unwrap_or(text);
    matches!(style, None | Some(Style::Literal))
        && text.contains('\n')
        && !lines.starts_with([' ', '\n'])
        && !lines.ends_with('\n')
        && !lines.is_empty()
        && lines.split('\n').all(|line| {
            line.chars().all(is_printable) && (line.is_empty() || !line.trim().is_empty())
        })
}

/// Whether a plain scalar is text to all readers: some take `y`, `1e3` and `0o17` for values too.
fn is_text_to_all(text: &str) -> bool {
    matches!(plain(text), Scalar::Text(_))
        && !matches!(text, "y" | "Y" | "n" | "N")
        && text.parse::<f64>().is_err()
        && !text.starts_with("0o")
}

/// Whether a character may stand in a text, and is no end of a line to anybody.
fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}'
        | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}' | '\u{10000}'..)
}

/// Writes text in double quotes.
fn push_escaped(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        // Writing to a String cannot fail.
        let _ = match c {
            '"' | '\\' => write!(out, "\\{c}"),
            '\n' => write!(out, "\\n"),
            '\t' => write!(out, "\\t"),
            '\r' => write!(out, "\\r"),
            c if is_printable(c) => write!(out, "{c}"),
            c if u32::from(c) <= 0xff => write!(out, "\\x{:02x}", u32::from(c)),
            c if u32::from(c) <= 0xffff => write!(out, "\\u{:04x}", u32::from(c)),
            c => write!(out, "\\U{:08x}", u32::from(c)),
        };
    }
    out.push('"');
}

/// Base 64 of bytes.
pub(super) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let octet = |at: usize| group.get(at).copied().map_or(0, u32::from);
        let bits = octet(0) << 16 | octet(1) << 8 | octet(2);
        for at in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * at)) as usize & 63];
            text.push(if at > group.len() { '=' } else { char::from(digit) });
        }
    }
    text
}

/// Writes a tag: by the handle of the format, by that of YAML, or in full.
pub(super) fn push_tag(out: &mut String, tag: &str, prefix: &str) {
    let short = tag.strip_prefix(prefix).or_else(|| tag.strip_prefix('!'));
    let (mark, name, end) = match (short, tag.strip_prefix("tag:yaml.org,2002:")) {
        (_, Some(name)) => ("!!", name, ""),
        (Some(name), None) if !name.is_empty() => ("!", name, ""),
        _ => ("!<", tag, ">"),
    };
    out.push_str(mark);
    for byte in name.bytes() {
        let kept = byte.is_ascii_alphanumeric() || b"-;/?:@&=+$_.~*'()#".contains(&byte);
        let kept = kept || (mark == "!<" && b",!".contains(&byte));
        if kept {
            out.push(char::from(byte))
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out.push_str(end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_read_back_bit_by_bit() {
        for (value, spelt) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (1e16, "1.0e+16"),
            (1.5e-7, "1.5e-7"),
            (5e-324, "5.0e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::INFINITY, ".inf"),
            (f64::NEG_INFINITY, "-.inf"),
        ] {
            assert_eq!(float(value), spelt);
            assert_eq!(plain(spelt), Scalar::Float(value));
        }
        assert_eq!(float(f64::NAN), ".nan");
        assert_eq!(single(0.1), "0.1");
    }

    #[test]
    fn text_has_quotes_where_it_would_be_something_else() {
        let spelt = |text: &str| {
            let mut out = String::new();
            push_text(&mut out, text, None, false);
            out
        };
        for bare in ["abc", "m / s", "x y", "1.2.3", "été", "c++", "datatype<i4"] {
            assert_eq!(spelt(bare), bare);
        }
        for quoted in [
            "",
            "yes",
            "null",
            "~",
            "12",
            "1.5",
            "1e3",
            "0o17",
            "y",
            "1:30",
            "2001-12-14",
            "a:b",
            "- x",
            "a: b",
            "a #b",
            "#x",
            "[x",
            "a, b",
            " x",
            "x ",
            "x:",
            "=",
            "<<",
            "*x",
            "&x",
            "!x",
            "%x",
            "@x",
            "`x",
            "?",
            "nan",
            "it's",
            "...",
            "---",
            "{}",
        ] {
            assert_eq!(spelt(quoted), format!("'{}'", quoted.replace('\'', "''")));
        }
        assert_eq!(
            spelt("a\nb\t\"\\\u{7f}\u{85}\u{2028}\u{feff}"),
            "\"a\\nb\\t\\\"\\\\\\x7f\\x85\\u2028\\ufeff\""
        );
    }

    #[test]
    fn base_64_is_that_of_everybody() {
        assert_eq!(base64(b"hello"), "aGVsbG8=");
        assert_eq!(base64(b""), "");
        assert_eq!(base64(b"h"), "aA==");
        assert_eq!(base64(b"abc"), "YWJj");
    }
}
