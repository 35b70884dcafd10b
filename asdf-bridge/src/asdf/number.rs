//! Numbers that the tree spells in its own ways: complex ones, and integers of any length.

/// The complex number that a text of the tag `core/complex` spells: `1+2j`, `(nan-infj)`, `3i`.
pub(super) fn complex(text: &str) -> Option<(f64, f64)> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(&text);
    let Some(body) = inner.strip_suffix(['i', 'I', 'j', 'J']) else {
        return Some((real(inner)?, 0.0));
    };
    // The sign that divides the parts is no sign of an exponent.
    let bytes = body.as_bytes();
    let sign = (1..bytes.len())
        .rev()
        .find(|at| matches!(bytes[*at], b'+' | b'-') && !matches!(bytes[at - 1], b'e' | b'E'));
    match sign {
        None => Some((0.0, imaginary(body)?)),
        Some(at) => Some((real(&body[..at])?, imaginary(&body[at..])?)),
    }
}

fn imaginary(text: &str) -> Option<f64> {
    match text {
        "" | "+" => Some(1.0),
        "-" => Some(-1.0),
        _ => real(text),
    }
}

fn real(text: &str) -> Option<f64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = match digits.to_ascii_lowercase().as_str() {
        "inf" | "infinity" | ".inf" => f64::INFINITY,
        "nan" | ".nan" => f64::NAN,
        _ if digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') => digits.parse().ok()?,
        _ => return None,
    };
    Some(sign * value)
}

/// How a complex number is written: `(1.0+2.0j)`.
pub(super) fn spell_complex(re: f64, im: f64) -> String {
    let part = |value: f64| match value {
        value if value.is_nan() => "nan".to_owned(),
        value if value.is_infinite() => if value > 0.0 { "inf" } else { "-inf" }.to_owned(),
        value => format!("{value:?}"),
    };
    let sign = if im.is_nan() || im.is_sign_positive() { "+" } else { "" };
    format!("({}{sign}{}j)", part(re), part(im))
}

/// The decimal digits of an integer from its words of 32 bits, lowest first.
pub(super) fn integer(negative: bool, words: &[u32]) -> String {
    const CHUNK: u64 = 1_000_000_000;
    let mut words: Vec<u32> = words.to_vec();
    let mut chunks = Vec::new();
    while let Some(at) = words.iter().rposition(|word| *word != 0) {
        words.truncate(at + 1);
        let mut rest = 0_u64;
        for word in words.iter_mut().rev() {
            let value = rest << 32 | u64::from(*word);
            *word = (value / CHUNK) as u32;
            rest = value % CHUNK;
        }
        chunks.push(rest);
    }
    let Some(first) = chunks.pop() else { return "0".to_owned() };
    let mut text = if negative { "-".to_owned() } else { String::new() };
    text += &first.to_string();
    for chunk in chunks.iter().rev() {
        text += &format!("{chunk:09}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complex_numbers_are_read_as_python_does() {
        for (text, re, im) in [
            ("1+2j", 1.0, 2.0),
            ("(1-2.5J)", 1.0, -2.5),
            ("3i", 0.0, 3.0),
            ("-1.5e+308", -1.5e308, 0.0),
            ("(1e-5+2E+3j)", 1e-5, 2e3),
            ("1 + 2i", 1.0, 2.0),
            ("(inf-infj)", f64::INFINITY, f64::NEG_INFINITY),
            ("j", 0.0, 1.0),
            ("-1.79769313486e+308j", 0.0, -1.79769313486e308),
        ] {
            assert_eq!(complex(text), Some((re, im)), "{text}");
        }
        let (re, im) = complex("(nan+nanj)").expect("a number");
        assert!(re.is_nan() && im.is_nan());
        let (re, im) = complex("(-0+0j)").expect("a number");
        assert!(re.is_sign_negative() && im == 0.0);
        for bad in ["", "x", "1+2k", "1++2j", "1e", "(1+2j", "e5j"] {
            assert_eq!(complex(bad), None, "{bad}");
        }
    }

    #[test]
    fn integers_of_any_length_are_exact() {
        assert_eq!(integer(false, &[]), "0");
        assert_eq!(integer(true, &[5]), "-5");
        assert_eq!(integer(false, &[0, 1]), "4294967296");
        // 2^128, by Python.
        let words = [0, 0, 0, 0, 1, 0];
        assert_eq!(integer(true, &words), "-340282366920938463463374607431768211456");
    }
}
