//! JSON as it is read: no name twice in an object, values as those of streams.

use std::fmt;

use dudley::Value;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value as Json};

/// Reads JSON; a name that stands twice in an object is an error, not the last of them.
///
/// # Errors
/// What is wrong, with line and column.
pub(crate) fn parse(bytes: &[u8]) -> serde_json::Result<Json> {
    serde_json::from_slice::<Unique>(bytes).map(|unique| unique.0)
}

struct Unique(Json);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Unique, D::Error> {
        from.deserialize_any(Parts).map(Unique)
    }
}

struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(Unique(item)) = from.next_element()? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = from.next_key::<String>()? {
            if fields.contains_key(&name) {
                return Err(de::Error::custom(format!("the name `{name}` stands here twice")));
            }
            let Unique(value) = from.next_value()?;
            fields.insert(name, value);
        }
        Ok(Json::Object(fields))
    }
}

/// A JSON value as a value: `{"bits": …}` are bits.
pub(crate) fn value_of(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(value), ..) => Value::Int(value.into()),
            (_, Some(value), _) => Value::Int(value.into()),
            (_, _, value) => Value::Float(value.unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(items) => Value::Array(items.iter().map(value_of).collect()),
        Json::Object(fields) => match fields.get("bits").and_then(Json::as_str).and_then(bits) {
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
        let plain: Json = serde_json::from_str(text).expect("JSON");
        assert_eq!(parse(text.as_bytes()).expect("JSON"), plain);
    }

    #[test]
    fn a_name_stands_once() {
        let error = parse(b"{\"a\": {\"x\": 1,\n\"x\": 2}}").expect_err("twice");
        assert_eq!((error.line(), error.to_string().contains("`x`")), (2, true));
    }
}
