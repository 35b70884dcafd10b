//! JSON of inputs: no object has a name twice, and long values stay text.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use dudley::write::{Content, Items};
use dudley::{Result, Value};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Plain;

use super::scan::{Inside, blank};

/// The length of a text, in bytes, above which an object or array is parsed in parts.
const LONG: usize = 1 << 12;

/// The distance, in items, of the marks in a long array.
const MARKED: usize = 16;

/// JSON of which only short parts are parsed: the rest stays text.
#[derive(Clone, Debug)]
pub(crate) enum Json {
    /// A short value.
    Plain(Plain),
    /// A long object, in the order of the names.
    Object(Arc<[(Box<str>, Json)]>),
    /// A long array.
    Long(Long),
}

/// A long array. Its items are parsed on request.
#[derive(Clone, Debug)]
pub(crate) struct Long(Arc<Array>);

#[derive(Debug)]
struct Array {
    text: Arc<Vec<u8>>,
    /// Its start in the text.
    begin: usize,
    count: usize,
    /// The start of each [`MARKED`]th item.
    marks: Vec<usize>,
    /// The last long item that was parsed, with its index: whatever is in it is requested by its whole path.
    last: Mutex<Option<(usize, Json)>>,
}

impl Json {
    /// Reads JSON. A name that stands twice in an object is an error.
    ///
    /// # Errors
    /// If the text is wrong, with line and column.
    pub(crate) fn read(bytes: Vec<u8>) -> serde_json::Result<Json> {
        serde_json::from_slice::<Checked>(&bytes)?;
        let range = blank(&bytes, 0)..bytes.len();
        Json::at(&Arc::new(bytes), range)
    }

    /// The value in a checked range of text.
    fn at(text: &Arc<Vec<u8>>, range: Range<usize>) -> serde_json::Result<Json> {
        let begin = range.start;
        match text[begin] {
            b'[' if range.len() >= LONG => {
                let (mut marks, mut count) = (Vec::new(), 0);
                for part in Inside::of(text, begin) {
                    if count % MARKED == 0 {
                        marks.push(part.value.start);
                    }
                    count += 1;
                }
                let (text, last) = (text.clone(), Mutex::default());
                Ok(Json::Long(Long(Arc::new(Array { text, begin, count, marks, last }))))
            }
            b'{' if range.len() >= LONG => {
                let parts = Inside::of(text, begin).map(|part| {
                    let name: String =
                        serde_json::from_slice(&text[part.name.unwrap_or_default()])?;
                    Ok((name.into_boxed_str(), Json::at(text, part.value)?))
                });
                let mut fields = parts.collect::<serde_json::Result<Vec<_>>>()?;
                fields.sort_by(|(a, _), (b, _)| a.cmp(b));
                Ok(Json::Object(fields.into()))
            }
            _ => serde_json::from_slice(&text[range]).map(Json::Plain),
        }
    }

    /// A short value, parsed.
    pub(crate) fn plain(&self) -> Option<&Plain> {
        if let Json::Plain(plain) = self { Some(plain) } else { None }
    }

    pub(crate) fn is_object(&self) -> bool {
        matches!(self, Json::Object(_) | Json::Plain(Plain::Object(_)))
    }

    pub(crate) fn is_array(&self) -> bool {
        matches!(self, Json::Long(_) | Json::Plain(Plain::Array(_)))
    }

    /// The value of a name in an object.
    pub(crate) fn child(&self, name: &str) -> Option<Json> {
        match self {
            Json::Plain(plain) => plain.get(name).cloned().map(Json::Plain),
            Json::Object(fields) => {
                let at = fields.binary_search_by(|(field, _)| (**field).cmp(name)).ok()?;
                Some(fields[at].1.clone())
            }
            Json::Long(_) => None,
        }
    }

    /// An item of an array.
    pub(crate) fn item(&self, at: usize) -> Option<Json> {
        match self {
            Json::Plain(plain) => plain.get(at).cloned().map(Json::Plain),
            Json::Long(long) => long.item(at),
            Json::Object(_) => None,
        }
    }

    /// The names and values of an object.
    pub(crate) fn fields(&self) -> Vec<(Box<str>, Json)> {
        match self {
            Json::Plain(Plain::Object(fields)) => fields
                .iter()
                .map(|(name, value)| (name.as_str().into(), Json::Plain(value.clone())))
                .collect(),
            Json::Object(fields) => fields.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The number of items of an array.
    pub(crate) fn len(&self) -> usize {
        match self {
            Json::Plain(Plain::Array(items)) => items.len(),
            Json::Long(long) => long.0.count,
            _ => 0,
        }
    }

    /// The items of an array, one after the other.
    pub(crate) fn items(&self) -> Box<dyn Iterator<Item = Json> + '_> {
        match self {
            Json::Plain(Plain::Array(items)) => Box::new(items.iter().cloned().map(Json::Plain)),
            Json::Long(long) => Box::new(long.items()),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// The JSON as a value: `{"bits": …}` are bits.
    pub(crate) fn value(&self) -> Value {
        match self {
            Json::Plain(plain) => value_of(plain),
            Json::Long(long) => Value::Array(long.items().map(|item| item.value()).collect()),
            Json::Object(fields) => {
                let fields: Vec<(String, Value)> =
                    fields.iter().map(|(name, it)| (name.to_string(), it.value())).collect();
                match &fields[..] {
                    [(name, Value::Text(digits))] if name == "bits" => {
                        bits(digits).map_or(Value::Struct(fields.clone()), Value::Bits)
                    }
                    _ => Value::Struct(fields),
                }
            }
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Plain(plain) => plain.fmt(f),
            Json::Object(fields) => write!(f, "an object of {} names", fields.len()),
            Json::Long(long) => write!(f, "an array of {} items", long.0.count),
        }
    }
}

impl Long {
    fn item(&self, at: usize) -> Option<Json> {
        let Array { text, count, marks, last, .. } = &*self.0;
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, item)) = last.as_ref().filter(|(known, _)| *known == at) {
            return Some(item.clone());
        }
        let mark = marks.get(at / MARKED).filter(|_| at < *count)?;
        let part = Inside::from(text, *mark).nth(at % MARKED)?;
        let item = Json::at(text, part.value).ok()?;
        if item.plain().is_none() {
            *last = Some((at, item.clone()));
        }
        Some(item)
    }

    fn items(&self) -> impl Iterator<Item = Json> + '_ {
        let Array { text, begin, .. } = &*self.0;
        Inside::of(text, *begin).filter_map(|part| Json::at(text, part.value).ok())
    }
}

impl Items for Long {
    fn count(&self) -> u64 {
        self.0.count as u64
    }

    fn each(&self, visit: &mut dyn FnMut(Content<'_>) -> Result<()>) -> Result<()> {
        self.items().try_for_each(|item| match item {
            Json::Long(long) => visit(Content::Items(&long)),
            item => visit(Content::from(&item.value())),
        })
    }
}

/// Valid JSON in which no object has a name twice.
struct Checked;

impl<'de> Deserialize<'de> for Checked {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Checked, D::Error> {
        from.deserialize_any(Parts)
    }
}

struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = Checked;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> std::result::Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_bool<E>(self, _: bool) -> std::result::Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_i64<E>(self, _: i64) -> std::result::Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_u64<E>(self, _: u64) -> std::result::Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_f64<E>(self, _: f64) -> std::result::Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_str<E>(self, _: &str) -> std::result::Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> std::result::Result<Checked, A::Error> {
        while from.next_element::<Checked>()?.is_some() {}
        Ok(Checked)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> std::result::Result<Checked, A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = from.next_key::<String>()? {
            if names.contains(&name) {
                return Err(de::Error::custom(format!("the name `{name}` stands here twice")));
            }
            names.insert(name);
            from.next_value::<Checked>()?;
        }
        Ok(Checked)
    }
}

/// A JSON value as a value: `{"bits": …}` are bits.
fn value_of(json: &Plain) -> Value {
    match json {
        Plain::Null => Value::Null,
        Plain::Bool(value) => Value::Bool(*value),
        Plain::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(value), ..) => Value::Int(value.into()),
            (_, Some(value), _) => Value::Int(value.into()),
            (_, _, value) => Value::Float(value.unwrap_or(f64::NAN)),
        },
        Plain::String(text) => Value::Text(text.clone()),
        Plain::Array(items) => Value::Array(items.iter().map(value_of).collect()),
        Plain::Object(fields) => match fields.get("bits").and_then(Plain::as_str).and_then(bits) {
            Some(bits) if fields.len() == 1 => Value::Bits(bits),
            _ => Value::Struct(
                fields.iter().map(|(name, value)| (name.clone(), value_of(value))).collect(),
            ),
        },
    }
}

fn bits(digits: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        digits.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_what_they_are() {
        let text =
            r#"[null, true, -9223372036854775808, 18446744073709551615, 0.1, "a", {"b": []}]"#;
        let plain: Plain = serde_json::from_str(text).expect("JSON");
        assert_eq!(Json::read(text.into()).expect("JSON").plain(), Some(&plain));
    }

    #[test]
    fn a_name_stands_once() {
        let error = Json::read(b"{\"a\": {\"x\": 1,\n\"x\": 2}}".to_vec()).expect_err("twice");
        assert_eq!((error.line(), error.to_string().contains("`x`")), (2, true));
    }

    #[test]
    fn what_is_long_is_as_what_is_short() {
        let numbers: Vec<String> =
            (0..3000).map(|at| format!("{{\"n\": {at}, \"x\": [{at}.5]}}")).collect();
        let text = format!(
            " {{\"b\": [ {} ], \"a\\u0041\": {{\"bits\": \"{}\"}}}}",
            numbers.join(" , "),
            "0f".repeat(LONG)
        );
        let plain: Plain = serde_json::from_str(&text).expect("JSON");
        let long = Json::read(text.into()).expect("JSON");
        assert_eq!(long.value().field("b"), value_of(&plain).field("b"));
        assert_eq!(long.child("aA").map(|bits| bits.value()), Some(value_of(&plain["aA"])));
        let list = long.child("b").expect("a list");
        assert!(matches!(list, Json::Long(_)));
        for at in [0, 15, 16, 17, 2999] {
            assert_eq!(
                list.item(at).and_then(|it| it.plain().cloned()),
                plain["b"].get(at).cloned()
            );
        }
        assert!(list.item(3000).is_none() && list.items().count() == 3000);
    }
}
