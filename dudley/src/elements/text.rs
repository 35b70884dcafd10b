//! Text items: the four encodings, in both directions.
//!
//! Decoding never fails: units that mean nothing become U+FFFD. Trailing NULs are padding, others
//! are characters. No byte order mark is looked for: it is a character.

pub use dudley_parser::layout::dtype::{ByteOrder, Primitive};

use crate::elements::element::Element;
pub use crate::error::TextError;
use crate::error::{Error, Result};

/// The characters of the bytes 80 to 9f in CP1252. The five bytes that it leaves undefined are
/// the control characters of Latin-1.
const CP1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2c6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

/// The text in the bytes of one string, without the NULs at its end.
///
/// Bytes that are left after the last whole unit become one U+FFFD.
///
/// # Errors
/// [`Error::Text`] when `primitive` is not a type of text.
///
/// ```
/// use dudley::elements::text;
/// use dudley::elements::text::{ByteOrder, Primitive};
///
/// let text = text::decode(b"5 \x80\0\0", Primitive::S1, ByteOrder::Little)?;
/// assert_eq!(text, "5 €");
/// # Ok::<(), dudley::error::Error>(())
/// ```
pub fn decode(bytes: &[u8], primitive: Primitive, order: ByteOrder) -> Result<String> {
    match primitive {
        Primitive::S1 => Ok(unpadded(bytes, 1).iter().map(|byte| cp1252(*byte)).collect()),
        Primitive::Utf8 => Ok(String::from_utf8_lossy(unpadded(bytes, 1)).into_owned()),
        Primitive::Utf16 => {
            let (units, rest) = unpadded(bytes, 2).as_chunks::<2>();
            let units = units.iter().map(|unit| u16::from_bytes(*unit, order));
            let characters = char::decode_utf16(units).map(|result| result.unwrap_or(REPLACEMENT));
            Ok(characters.chain(left_over(rest)).collect())
        }
        Primitive::Utf32 => {
            let (units, rest) = unpadded(bytes, 4).as_chunks::<4>();
            let units = units.iter().map(|unit| u32::from_bytes(*unit, order));
            let characters = units.map(|unit| char::from_u32(unit).unwrap_or(REPLACEMENT));
            Ok(characters.chain(left_over(rest)).collect())
        }
        _ => Err(TextError::NotText { primitive }.into()),
    }
}

/// The bytes of `text` in `units` units, padded with NULs.
///
/// NULs at the end of `text` are like padding.
///
/// # Errors
/// [`Error::Text`] when the text takes more units, has a character without a code, or `primitive`
/// is not a type of text; [`Error::TooLarge`] when this many units cannot be held.
///
/// ```
/// use dudley::elements::text;
/// use dudley::elements::text::{ByteOrder, Primitive};
///
/// assert_eq!(text::encode("née", Primitive::S1, 4, ByteOrder::Little)?, b"n\xe9e\0");
/// assert_eq!(text::encode("né", Primitive::Utf16, 2, ByteOrder::Big)?, b"\0n\0\xe9");
/// assert!(text::encode("Ω", Primitive::S1, 4, ByteOrder::Little).is_err());
/// # Ok::<(), dudley::error::Error>(())
/// ```
pub fn encode(text: &str, primitive: Primitive, units: u64, order: ByteOrder) -> Result<Vec<u8>> {
    let text = text.trim_end_matches('\0');
    let needed = count_units(text, primitive)?;
    if needed > units {
        return Err(TextError::TooLong { needed, units, primitive }.into());
    }
    let size = units.checked_mul(primitive.size()).ok_or_else(|| Error::too_large(u64::MAX))?;
    let len = crate::error::to_usize(size)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len).map_err(|_| Error::too_large(size))?;
    match primitive {
        Primitive::S1 => {
            for character in text.chars() {
                let byte =
                    cp1252_code(character).ok_or(TextError::NoCode { character, primitive })?;
                bytes.push(byte);
            }
        }
        Primitive::Utf16 => {
            bytes.extend(text.encode_utf16().flat_map(|unit| unit.to_bytes(order)));
        }
        Primitive::Utf32 => {
            bytes.extend(text.chars().flat_map(|unit| u32::from(unit).to_bytes(order)));
        }
        _ => bytes.extend_from_slice(text.as_bytes()),
    }
    bytes.resize(len, 0);
    Ok(bytes)
}

/// The number of units of `text`, without NULs at its end.
///
/// # Errors
/// [`Error::Text`] when `primitive` is not a type of text.
///
/// ```
/// use dudley::elements::text::{Primitive, count_units};
///
/// assert_eq!(count_units("né", Primitive::S1)?, 2);
/// assert_eq!(count_units("né", Primitive::Utf8)?, 3);
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn count_units(text: &str, primitive: Primitive) -> Result<u64> {
    let text = text.trim_end_matches('\0');
    Ok(match primitive {
        Primitive::S1 | Primitive::Utf32 => text.chars().count() as u64,
        Primitive::Utf8 => text.len() as u64,
        Primitive::Utf16 => text.encode_utf16().count() as u64,
        _ => return Err(TextError::NotText { primitive }.into()),
    })
}

/// Whether [`encode`] of the [`decode`]d text returns these bytes.
///
/// If it does not, only the raw units show the stored bytes.
///
/// ```
/// use dudley::elements::text::{ByteOrder, Primitive, is_exact};
///
/// assert!(is_exact(b"n\xc3\xa9", Primitive::Utf8, ByteOrder::Little));
/// assert!(!is_exact(b"n\xc3", Primitive::Utf8, ByteOrder::Little));
/// ```
pub fn is_exact(bytes: &[u8], primitive: Primitive, order: ByteOrder) -> bool {
    match primitive {
        Primitive::S1 => true,
        Primitive::Utf8 => std::str::from_utf8(bytes).is_ok(),
        Primitive::Utf16 => {
            let (units, rest) = bytes.as_chunks::<2>();
            let units = units.iter().map(|unit| u16::from_bytes(*unit, order));
            rest.is_empty() && char::decode_utf16(units).all(|result| result.is_ok())
        }
        Primitive::Utf32 => {
            let (units, rest) = bytes.as_chunks::<4>();
            let mut units = units.iter().map(|unit| u32::from_bytes(*unit, order));
            rest.is_empty() && units.all(|unit| char::from_u32(unit).is_some())
        }
        _ => false,
    }
}

const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// `bytes` without the units of `size` bytes at the end that are 0.
fn unpadded(bytes: &[u8], size: usize) -> &[u8] {
    if !bytes.len().is_multiple_of(size) {
        return bytes;
    }
    let kept = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &bytes[..kept.next_multiple_of(size)]
}

fn left_over(rest: &[u8]) -> Option<char> {
    (!rest.is_empty()).then_some(REPLACEMENT)
}

fn cp1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => CP1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn cp1252_code(character: char) -> Option<u8> {
    match u32::from(character) {
        code @ (0..0x80 | 0xa0..=0xff) => Some(code as u8),
        _ => {
            let at = CP1252.iter().position(|defined| *defined == character)?;
            Some(0x80 + at as u8)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use ByteOrder::{Big, Little};

    const TEXTS: [Primitive; 4] =
        [Primitive::S1, Primitive::Utf8, Primitive::Utf16, Primitive::Utf32];

    fn decoded(bytes: &[u8], primitive: Primitive, order: ByteOrder) -> String {
        decode(bytes, primitive, order).expect("a type of text")
    }

    #[test]
    fn cp1252_is_whole() {
        assert_eq!(decoded(b"-\0\x92XZ\0\0", Primitive::S1, Little), "-\0\u{2019}XZ");
        assert_eq!(encode("-\0\u{2019}XZ", Primitive::S1, 5, Little).expect("fits"), b"-\0\x92XZ");
        let all: Vec<u8> = (0..=255).collect();
        let text = decoded(&all, Primitive::S1, Little);
        assert_eq!(text.chars().count(), 256);
        assert_eq!(encode(&text, Primitive::S1, 256, Little).expect("all have codes"), all);
        for undefined in [0x81, 0x8d, 0x8f, 0x90, 0x9d_u8] {
            assert_eq!(cp1252(undefined), char::from(undefined));
        }
        assert_eq!(cp1252(0x9f), 'Ÿ');
        assert_eq!(cp1252_code('\u{80}'), None);
    }

    #[test]
    fn padding_is_whole_units_at_the_end() {
        assert_eq!(decoded(&[0, b'a', 0, 0], Primitive::Utf16, Big), "a");
        assert_eq!(decoded(&[b'a', 0, 0, 0], Primitive::Utf16, Little), "a");
        assert_eq!(decoded(&[0, 1, 0, 0], Primitive::Utf16, Little), "\u{100}");
        assert_eq!(decoded(&[0, 0, 0, b'a', 0, 0, 0, 0], Primitive::Utf32, Big), "a");
        for primitive in TEXTS {
            assert_eq!(decoded(&[], primitive, Big), "");
            assert_eq!(decoded(&[0; 8], primitive, Big), "");
            assert_eq!(encode("", primitive, 0, Big).expect("fits"), b"");
        }
    }

    #[test]
    fn invalid_units_are_replaced_and_not_exact() {
        let cases: [(&[u8], Primitive, &str); 6] = [
            (b"a\xffb", Primitive::Utf8, "a\u{fffd}b"),
            (b"a\xe2\x82", Primitive::Utf8, "a\u{fffd}"),
            (&[0xd8, 0, 0, b'a'], Primitive::Utf16, "\u{fffd}a"),
            (&[0, b'a', 7], Primitive::Utf16, "a\u{fffd}"),
            (&[0, 0x11, 0, 0, 0, 0, 0, b'a'], Primitive::Utf32, "\u{fffd}a"),
            (&[0, 0, 0xd8, 0], Primitive::Utf32, "\u{fffd}"),
        ];
        for (bytes, primitive, expected) in cases {
            assert_eq!(decoded(bytes, primitive, Big), expected);
            assert!(!is_exact(bytes, primitive, Big));
        }
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let reason = |result: Result<Vec<u8>>| match result {
            Err(Error::Text { reason, .. }) => reason,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            reason(encode("h\u{e9}", Primitive::Utf8, 2, Big)),
            TextError::TooLong { needed: 3, units: 2, primitive: Primitive::Utf8 }
        );
        assert_eq!(
            reason(encode("\u{1f600}", Primitive::Utf16, 1, Big)),
            TextError::TooLong { needed: 2, units: 1, primitive: Primitive::Utf16 }
        );
        let no_code = reason(encode("a\u{3a9}", Primitive::S1, 2, Big));
        assert_eq!(no_code.to_string(), "'\u{3a9}' (U+03A9) has no code in `S1`");
        assert!(decode(&[], Primitive::F4, Big).is_err());
        assert!(encode("a", Primitive::Utf32, u64::MAX, Big).is_err());
        assert!(encode("a", Primitive::U2, 8, Big).is_err());
    }

    proptest! {
        #[test]
        fn text_goes_round(text: String, more in 0_u64..5, big: bool) {
            let order = if big { Big } else { Little };
            for primitive in &TEXTS[1..] {
                let units = count_units(&text, *primitive).expect("text") + more;
                let bytes = encode(&text, *primitive, units, order).expect("it fits");
                prop_assert_eq!(bytes.len() as u64, units * primitive.size());
                let expected = text.trim_end_matches('\0');
                prop_assert_eq!(decoded(&bytes, *primitive, order), expected);
                prop_assert!(is_exact(&bytes, *primitive, order));
            }
        }

        #[test]
        fn exact_means_that_bytes_go_round(
            bytes in prop::collection::vec(prop_oneof![Just(0_u8), 0xd7_u8..0xe0, any::<u8>()], 0..24),
            big: bool,
        ) {
            let order = if big { Big } else { Little };
            for primitive in TEXTS {
                let size = primitive.size();
                let text = decoded(&bytes, primitive, order);
                let units = bytes.len() as u64 / size;
                let back = encode(&text, primitive, units, order).ok();
                prop_assert_eq!(back == Some(bytes.clone()), is_exact(&bytes, primitive, order));
            }
        }
    }
}
