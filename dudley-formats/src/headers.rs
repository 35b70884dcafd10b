//! Facts of headers as words of a layout: texts, shapes, names of dimensions, attributes.

use dudley::elements::text::decode;
use dudley::{ByteOrder, Dtype, Primitive};
use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::path::push_name;
use dudley_parser::layout::words::{self, Said, foreign_name};
use dudley_parser::place::Elements;
use dudley_parser::span::Span;

/// The greatest number of dimensions.
pub(crate) const MOST_DIMS: usize = 64;

/// A text of a header, up to the first NUL: in UTF-8, or else in CP1252 as `S1` is, as headers do not name the encoding.
pub(crate) fn text(bytes: &[u8]) -> String {
    let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => decode(bytes, Primitive::S1, ByteOrder::Little).unwrap_or_default(),
    }
}

/// The path of these names, from the root on.
pub(crate) fn path(names: &[&str]) -> String {
    let mut path = String::new();
    for name in names {
        path.push('/');
        push_name(&mut path, name);
    }
    path
}

/// The shape of an array in the syntax of a layout, slowest first; empty for a scalar.
pub(crate) fn shape<'d>(dims: impl IntoIterator<Item = &'d u64>) -> String {
    words::shape(&dims.into_iter().collect::<Vec<_>>(), false)
}

/// The same of elements of a type.
pub(crate) fn shape_of(dtype: &Dtype, dims: &[u64]) -> String {
    words::shape(dims, dtype.primitive().is_some_and(|(primitive, _)| primitive.is_text()))
}

/// The bytes of an array with elements of this size; `None` if no stream can have as many, or for too many
/// dimensions.
pub(crate) fn bytes(dims: &[u64], element: u64) -> Option<u64> {
    let times = |all: Elements, dim: &u64| Some(all.times(i64::try_from(*dim).ok()?));
    let elements = dims.iter().try_fold(Elements::ONE, times)?;
    elements.bytes(element).filter(|_| dims.len() <= MOST_DIMS)
}

/// Whether an attribute says how a layout stores elements: another file stores them in its own way.
pub(crate) fn is_of_storage(attribute: &Attribute) -> bool {
    attribute.presents() || words::OF_STORAGE.contains(&&*attribute.name)
}

/// Adds the names of dimensions, slowest first.
pub(crate) fn dims<S: Into<String>>(said: &mut Said, names: impl IntoIterator<Item = S>) {
    let names: Vec<String> = names.into_iter().map(Into::into).collect();
    if !names.is_empty() {
        attribute(said, "dims", AttrValue::Texts(names));
    }
}

/// Adds an attribute. A number that no layout can have, such as NaN, becomes a text; empty texts and lists are omitted.
pub(crate) fn attribute(said: &mut Said, name: &str, value: AttrValue) {
    let clean = |text: &str| text.replace('\0', "\u{fffd}");
    let value = match value {
        AttrValue::Float(value) if !value.is_finite() => AttrValue::Text(value.to_string()),
        AttrValue::Floats(values) if values.iter().any(|value| !value.is_finite()) => {
            AttrValue::Texts(values.iter().map(f64::to_string).collect())
        }
        AttrValue::Text(text) => AttrValue::Text(clean(&text)),
        AttrValue::Texts(texts) => AttrValue::Texts(texts.iter().map(|text| clean(text)).collect()),
        value => value,
    };
    let is_empty = match &value {
        AttrValue::Text(text) => text.is_empty(),
        AttrValue::Texts(texts) => texts.is_empty(),
        AttrValue::Floats(values) => values.is_empty(),
        AttrValue::Ints(values) => values.is_empty(),
        _ => false,
    };
    if !is_empty && !name.is_empty() {
        said.attribute_of(&Attribute { name: clean(name), value, span: Span::at(0) });
    }
}

/// Adds an attribute with a name from a file: a name with a meaning in layouts gets a `_` behind it.
pub(crate) fn named(said: &mut Said, name: &str, value: AttrValue) {
    attribute(said, &foreign_name(name), value);
}

/// A single number, as an integer if it is whole, or a list of numbers.
pub(crate) fn numbers_value(numbers: &[f64]) -> AttrValue {
    match numbers {
        [one] if one.fract() == 0.0 && one.abs() < 1e15 => AttrValue::Int(*one as i64),
        [one] => AttrValue::Float(*one),
        _ => AttrValue::Floats(numbers.to_vec()),
    }
}

/// Words as numbers if all are numbers, else as texts: a single value, or a list.
pub(crate) fn words_value(words: &[String]) -> AttrValue {
    let ints: Option<Vec<i64>> = words.iter().map(|word| int(word)).collect();
    let floats: Option<Vec<f64>> = words.iter().map(|word| float(word)).collect();
    match (ints, floats, words) {
        (Some(ints), _, [_]) => AttrValue::Int(ints[0]),
        (Some(ints), _, _) => AttrValue::Ints(ints),
        (_, Some(floats), [_]) => AttrValue::Float(floats[0]),
        (_, Some(floats), _) => AttrValue::Floats(floats),
        (_, _, [one]) => AttrValue::Text(one.clone()),
        _ => AttrValue::Texts(words.to_vec()),
    }
}

/// The integer that a word is, if that is printed as the word: `007` is a name.
fn int(word: &str) -> Option<i64> {
    word.parse().ok().filter(|int: &i64| int.to_string() == word)
}

/// The number that a word is, if a float has as many digits, and it does not begin as a name does.
fn float(word: &str) -> Option<f64> {
    const MOST_DIGITS: usize = 17;
    let digits = word.split(['e', 'E']).next()?.trim_start_matches('-');
    let whole = digits.split('.').next()?;
    let count =
        digits.bytes().filter(u8::is_ascii_digit).skip_while(|digit| *digit == b'0').count();
    let is_plain =
        word.contains(['.', 'e', 'E']) && (whole == "0" || !whole.starts_with(['0', '+']));
    let value = word.parse().ok().filter(|value: &f64| value.is_finite())?;
    let is_plain = is_plain && count <= MOST_DIGITS;
    is_plain.then_some(value).or_else(|| {
        int(word)
            .map(|int| int as f64)
            .filter(|_| value as i64 as f64 == value && value.abs() < 1e15)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_no_stream_has_are_none() {
        assert_eq!(bytes(&[2, 3], 8), Some(48));
        assert_eq!(bytes(&[], 8), Some(8));
        assert_eq!(bytes(&[u64::MAX], 1), None);
        assert_eq!(bytes(&[1 << 40, 1 << 40], 1), None);
        assert_eq!(bytes(&[1 << 40, 1 << 40, 0], 1), Some(0));
        assert_eq!(bytes(&[1; 65], 1), None);
    }

    #[test]
    fn words_are_numbers_where_all_are() {
        let value = |words: &[&str]| {
            words_value(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert_eq!(value(&["1", "2"]), AttrValue::Ints(vec![1, 2]));
        assert_eq!(value(&["1", "2.5"]), AttrValue::Floats(vec![1.0, 2.5]));
        assert_eq!(value(&["7"]), AttrValue::Int(7));
        assert_eq!(value(&["1", "mm"]), AttrValue::Texts(vec!["1".into(), "mm".into()]));
        assert_eq!(value(&["0.50", "1e-3"]), AttrValue::Floats(vec![0.5, 1e-3]));
        for text in [
            "007",
            "+7",
            "-0",
            "1e999",
            "nan",
            "inf",
            "00.5",
            "18446744073709551616",
            "1.00000000000000000001",
        ] {
            assert_eq!(value(&[text]), AttrValue::Text(text.into()));
        }
        assert_eq!(value(&["001", "2"]), AttrValue::Texts(vec!["001".into(), "2".into()]));
    }

    #[test]
    fn what_is_said_can_be_parsed() {
        let mut said = Said::default();
        attribute(&mut said, "old min", AttrValue::Float(f64::NAN));
        attribute(&mut said, "a\0b", AttrValue::Text("x\0\"".into()));
        attribute(&mut said, "nothing", AttrValue::Text(String::new()));
        dims(&mut said, ["row", "column"]);
        let layout = format!("x = f8[2, 3]{}\n", said.text(""));
        let checked = dudley_parser::check(layout.as_bytes());
        assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
        assert_eq!(text(b"caf\xe9\0x"), "café");
    }
}
