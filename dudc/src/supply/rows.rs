//! The rows of a dump: values by path, and facts about them, which are checked.

use std::collections::BTreeMap;

use dudley::error::Item;
use dudley::write::Declared;
use dudley::{ByteOrder, Error, Input, Result, Value};
use dudley_parser::layout::{Param, ParamValue};
use serde_json::Value as Plain;

use super::json::Json;
use super::{Values, bad};

/// The version of dumps that is known.
const VERSION: u64 = 1;

/// Facts in rows besides values.
#[derive(Default)]
pub(super) struct Stated {
    /// The types and shapes of items, by path.
    pub(super) items: BTreeMap<String, (Option<String>, Option<Vec<u64>>)>,
    params: BTreeMap<String, StatedParam>,
}

#[derive(Default)]
struct StatedParam {
    kind: Option<String>,
    dtype: Option<String>,
    value: Option<i128>,
    /// The caller of `dump` gave it.
    supplied: bool,
}

/// Whether JSON is the rows of a dump, not a nested one that has items of such names.
pub(super) fn are_rows(json: &Json) -> bool {
    let is_row = |row: Json| row.child("path").is_some_and(|path| as_text(&path).is_some());
    match json.child("items").filter(Json::is_array) {
        _ if json.child("version").is_none() => false,
        Some(rows) if rows.items().next().is_none() => {
            json.child("params").is_some_and(|params| params.is_array())
        }
        Some(rows) => rows.items().any(is_row),
        None => false,
    }
}

fn as_text(json: &Json) -> Option<&str> {
    json.plain().and_then(Plain::as_str)
}

fn as_u64(json: &Json) -> Option<u64> {
    json.plain().and_then(Plain::as_u64)
}

impl Values {
    /// The rows of `dump`.
    ///
    /// # Errors
    /// If a row says nothing that can be taken, or a path has two.
    pub(super) fn from_rows(json: &Json) -> Result<Values> {
        let mut values = Values::default();
        let known = |name: &str, what: &[&str]| {
            let Some(found) = json.child(name) else { return Ok(None) };
            match as_text(&found).filter(|text| what.contains(text)) {
                Some(text) => Ok(Some(text.to_owned())),
                None => Err(differs(name, &format!("one of {}", what.join(", ")), &found)),
            }
        };
        let version = json.child("version").unwrap_or(Json::Plain(Plain::Null));
        if as_u64(&version) != Some(VERSION) {
            let expected = format!("{VERSION}, the version of dumps that is known");
            return Err(differs("version", &expected, &version));
        }
        values.raw = known("kind", &["native", "raw"])?.as_deref() == Some("raw");
        values.order = known("order", &["<", ">"])?.map(|order| match order.as_str() {
            ">" => ByteOrder::Big,
            _ => ByteOrder::Little,
        });
        for row in json.child("items").iter().flat_map(Json::items) {
            values.add_row(&row)?;
        }
        for row in json.child("params").iter().flat_map(Json::items) {
            values.add_param_row(&row)?;
        }
        Ok(values)
    }

    fn add_row(&mut self, row: &Json) -> Result<()> {
        let path = &path_of(row, "items")?;
        for member in row.child("members").iter().flat_map(Json::items) {
            if member.child("param").is_some()
                && let Some(value) = member.child("value")
            {
                let path = path_of(&member, "members")?;
                let value = integer(&path, &value)?;
                self.params.insert(path, value);
            }
        }
        let shape = match row.child("shape") {
            None => None,
            // What depends on params that were not given is text.
            Some(dims) if dims.is_array() => dims.items().map(|dim| as_u64(&dim)).collect(),
            Some(other) => return Err(differs(path, "a shape, as in [2, 3]", &other)),
        };
        let stated = (text(row, path, "dtype")?, shape);
        if self.stated.items.insert(path.clone(), stated).is_some() {
            return Err(twice(path));
        }
        match row.child("value") {
            None => {}
            Some(Json::Long(value)) => drop(self.long.insert(path.clone(), value)),
            Some(value) => drop(self.items.insert(path.clone(), Input::Value(value.value()))),
        }
        Ok(())
    }

    fn add_param_row(&mut self, row: &Json) -> Result<()> {
        let path = path_of(row, "params")?;
        // Also as paths of params are written: `/l/1/:M`.
        let (dict, name) = dudley::read::path::split(&path);
        let path = &format!("{dict}/{}", name.strip_prefix(':').unwrap_or(name));
        let value = match row.child("value") {
            None | Some(Json::Plain(Plain::Null)) => None,
            Some(value) => Some(integer(path, &value)?),
        };
        let stated = StatedParam {
            kind: text(row, path, "kind")?,
            dtype: text(row, path, "dtype")?,
            value,
            supplied: matches!(row.child("supplied"), Some(Json::Plain(Plain::Bool(true)))),
        };
        if self.stated.params.insert(path.to_owned(), stated).is_some() {
            return Err(twice(path));
        }
        if let Some(value) = value {
            self.params.insert(path.to_owned(), value);
            self.named.insert(path.to_owned());
        }
        Ok(())
    }
}

impl Stated {
    /// The value of a param is given otherwise, so that what is said of it does not matter.
    pub(super) fn forget_param(&mut self, path: &str) {
        self.params.remove(path);
    }

    /// That the layout says the same of a param.
    ///
    /// # Errors
    /// If something differs.
    pub(super) fn check_param(&self, path: &str, declared: &Param) -> Result<()> {
        let Some(stated) = self.params.get(path) else { return Ok(()) };
        let kind = match declared.value {
            ParamValue::Fixed(_) => "fixed",
            ParamValue::Streamed(..) => "streamed",
        };
        if let Some(other) = stated.kind.as_ref().filter(|stated| *stated != kind) {
            return Err(wrong(format!("a {kind} param"), format!("a {other} one in the data")));
        }
        match (declared.value, stated.value) {
            (ParamValue::Streamed(primitive, _), _) => {
                check_dtype(primitive.name(), stated.dtype.as_deref())
            }
            (ParamValue::Fixed(fixed), Some(value))
                if value != i128::from(fixed) && !stated.supplied && !declared.is_by_length() =>
            {
                Err(wrong(
                    format!("{fixed}, as the layout has it"),
                    format!("{value} in the data (--param overrides both)"),
                ))
            }
            _ => Ok(()),
        }
    }

    /// That the layout says the same of an item. Byte orders may differ.
    ///
    /// # Errors
    /// If something differs.
    pub(super) fn check_item(&self, path: &str, declared: &Declared<'_>) -> Result<()> {
        let Some((dtype, shape)) = self.items.get(path) else { return Ok(()) };
        if dtype.is_some() {
            check_dtype(&declared.dtype_name(), dtype.as_deref())?;
        }
        match shape {
            Some(shape) if shape != declared.shape => {
                Err(Error::wrong_shape(path, declared.shape, shape))
            }
            _ => Ok(()),
        }
    }
}

fn check_dtype(declared: &str, stated: Option<&str>) -> Result<()> {
    let expected = without_order(declared);
    match stated.map(without_order).filter(|stated| *stated != expected) {
        None => Ok(()),
        Some(other) => {
            Err(wrong(format!("elements of type `{expected}`"), format!("`{other}` in the data")))
        }
    }
}

/// The name of a type without byte orders; those of structs may have quoted names in them.
fn without_order(dtype: &str) -> String {
    let (mut quoted, mut escaped) = (false, false);
    let kept = dtype.chars().filter(|&c| {
        quoted ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        quoted || !matches!(c, '<' | '>' | '|')
    });
    kept.collect()
}

fn path_of(row: &Json, rows: &str) -> Result<String> {
    let path = row.child("path").and_then(|path| as_text(&path).map(str::to_owned));
    path.ok_or_else(|| bad(rows, "a row has no path"))
}

fn text(row: &Json, path: &str, key: &str) -> Result<Option<String>> {
    match row.child(key) {
        None | Some(Json::Plain(Plain::Null)) => Ok(None),
        Some(Json::Plain(Plain::String(text))) => Ok(Some(text)),
        Some(other) => Err(differs(path, &format!("a text as its {key}"), &other)),
    }
}

/// The value of a param.
///
/// # Errors
/// If it is no integer.
pub(super) fn integer(path: &str, value: &Json) -> Result<i128> {
    match value.value() {
        Value::Int(value) => Ok(value),
        // Written by a program that knows no integers, and none that it could have rounded.
        Value::Float(value) if value.fract() == 0.0 && value.abs() < 9e15 => Ok(value as i128),
        _ => Err(differs(path, "an integer, since it is a param", value)),
    }
}

pub(super) fn twice(path: &str) -> Error {
    Error::WrongValue {
        item: Item::new(path),
        expected: "one value".into(),
        found: "two of them in the data".into(),
    }
}

fn wrong(expected: String, found: String) -> Error {
    Error::WrongValue { item: Item::UNKNOWN, expected: expected.into(), found: found.into() }
}

fn differs(what: &str, expected: &str, found: &Json) -> Error {
    let mut found = found.to_string();
    if found.chars().count() > 60 {
        found = found.chars().take(60).chain(['…']).collect();
    }
    Error::WrongValue { item: Item::new(what), expected: expected.into(), found: found.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_left_out_but_not_in_names() {
        assert_eq!(without_order("<f8"), "f8");
        assert_eq!(
            without_order(r#"struct{"<\"<"=<f4@0,b=|u1@4}"#),
            r#"struct{"<\"<"=f4@0,b=u1@4}"#
        );
    }
}
