//! Nodes as JSON: the rows of the command-line contract, and facts that only their format knows.

use std::io::{self, Write};

use dudley::Value;
use dudley::model::{Dataset, Fact, Kind, Node, Shared, Table};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::json;

use super::{Options, found, is_leaf, walk};
use crate::failure::{Failure, Result};
use crate::json::{Safe, json_text, quoted};
use crate::rows::{Errors, float_json, integer};
use crate::text::{Emit, whole};

/// Writes all rows. The row of a wrong node has its error.
pub(super) fn write(
    dataset: &Dataset,
    options: &Options<'_>,
    out: &mut dyn Write,
) -> Result<Errors> {
    // If the tree or the path is wrong, there is no listing at all.
    walk(dataset, options.path, Shared::Once, &mut |_, _| Ok(false))?;
    let tables = match options.path {
        None => dataset.tables(options.depth)?,
        Some(_) => Vec::new(),
    };
    let facts = dataset.facts()?;
    let mut errors = Errors::default();
    // There is no common byte order.
    let head = json!({"version": 1, "kind": dataset.format(), "order": null, "params": []});
    write!(out, "{}", head.to_string().trim_end_matches('}')).map_err(Failure::output)?;
    rows(dataset, options, ("items", true), &mut errors, out)?;
    rows(dataset, options, ("containers", false), &mut errors, out)?;
    super::keys(&facts, &tables, &mut errors, out).map_err(Failure::output)?;
    writeln!(out, "}}").map_err(Failure::output)?;
    Ok(errors)
}

/// Writes the rows of leaves, or the rows of containers.
fn rows(
    dataset: &Dataset,
    options: &Options<'_>,
    (key, leaves): (&str, bool),
    errors: &mut Errors,
    out: &mut dyn Write,
) -> Result<()> {
    write!(out, ",\n \"{key}\": [").map_err(Failure::output)?;
    let mut comma = "";
    walk(dataset, options.path, Shared::Once, &mut |node, before| {
        let is_leaf = is_leaf(node);
        if is_leaf == leaves {
            write!(out, "{comma}\n  ").map_err(Failure::output)?;
            row(node, before, options, errors, out)?;
            comma = ",";
        }
        // The values of an array are the values of its parts.
        Ok(!is_leaf || !options.values)
    })?;
    write!(out, "\n ]").map_err(Failure::output)
}

/// A row.
#[derive(serde::Serialize)]
struct Row<'r> {
    path: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<&'r str>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    array: Option<Array>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    #[serde(flatten)]
    facts: Facts<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    doc: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
}

#[derive(serde::Serialize)]
struct Array {
    dtype: String,
    shape: Vec<u64>,
}

#[derive(serde::Serialize)]
struct Place {
    address: u64,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    compression: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_bytes: Option<u64>,
}

/// Writes the row of a node: an object. A missing key has an error. The content of a shared node is shown only at its
/// first place.
fn row(
    node: &Node,
    before: Option<&str>,
    options: &Options<'_>,
    errors: &mut Errors,
    out: &mut dyn Write,
) -> Result<()> {
    let path = node.path();
    let (kind, is_leaf) = (node.kind(), is_leaf(node));
    // Known keys are written even if other keys fail.
    let (mut facts, mut wrong) = (Vec::new(), None);
    let array = |wrong: &mut Option<dudley::Error>| {
        let (dtype, shape) = (found(node.dtype_name(), wrong), found(node.shape(), wrong));
        Some(Array { dtype: dtype?, shape: shape? })
    };
    let array = if kind == Kind::Array { array(&mut wrong) } else { None };
    let length = if is_leaf { None } else { found(node.len(), &mut wrong) };
    let place = found(node.place(), &mut wrong).flatten().map(|place| Place {
        address: place.address,
        bytes: place.stored,
        compression: place.codec,
        raw_bytes: place.decoded,
    });
    found(node.facts(&mut facts), &mut wrong);
    let failed = wrong.is_some();
    let row = Row {
        path: &path,
        kind: (!is_leaf).then(|| kind.as_str()),
        length,
        same_as: before,
        array,
        place,
        facts: Facts(&facts),
        error: wrong.as_ref().map(dudley::Error::to_string),
        doc: if kind == Kind::Array { node.doc() } else { Vec::new() },
        unit: if is_leaf { node.unit() } else { None },
    };
    let text = serde_json::to_string(&row).map_err(|error| Failure::output(error.into()))?;
    errors_of(wrong, &path, errors);
    if !(options.values && is_leaf) {
        return write!(out, "{}", Safe(text)).map_err(Failure::output);
    }
    let open = text.strip_suffix('}').unwrap_or(&text);
    write!(out, "{}", Safe(open)).map_err(Failure::output)?;
    let emit: &mut Emit<'_> = &mut |sink| node.emit(sink, options.exact);
    let unread = whole(out, ", \"value\": ", emit, &json_text)?;
    if let Some(error) = unread.filter(|_| !failed) {
        write!(out, ", \"error\": {}", quoted(&error.to_string())).map_err(Failure::output)?;
        errors_of(Some(error), &path, errors);
    }
    out.write_all(b"}").map_err(Failure::output)
}

fn errors_of(wrong: Option<dudley::Error>, path: &str, errors: &mut Errors) {
    wrong.into_iter().for_each(|error| errors.add(error.of_path(path)));
}

/// Writes the facts about the whole file, each as a key.
pub(super) fn facts(facts: &[Fact], out: &mut dyn Write) -> io::Result<()> {
    facts.iter().try_for_each(|fact| {
        write!(out, ",\n \"{}\": {}", fact.name, Safe(json!(Known(&fact.value))))
    })
}

/// Facts as a document.
pub(super) fn document(facts: &[Fact]) -> serde_json::Value {
    let mut document = json!({"version": 1});
    for fact in facts {
        document[fact.name] = json!(Known(&fact.value));
    }
    document
}

/// Writes tables, each under its name, with its words.
pub(super) fn tables(tables: &[Table], errors: &mut Errors, out: &mut dyn Write) -> io::Result<()> {
    for table in tables {
        write!(out, ",\n \"{}\": [", table.name)?;
        for index in 0..table.len {
            let row = (table.row)(index);
            row.result.err().into_iter().for_each(|error| errors.add(error));
            let comma = if index == 0 { "" } else { "," };
            write!(out, "{comma}\n  {}", Safe(json!(Facts(&row.facts))))?;
        }
        write!(out, "\n ]")?;
        facts(&table.facts, out)?;
    }
    Ok(())
}

/// Facts as an object.
struct Facts<'f>(&'f [Fact]);

impl Serialize for Facts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for fact in self.0 {
            map.serialize_entry(fact.name, &Known(&fact.value))?;
        }
        map.end()
    }
}

/// The value of a fact; numbers stay numbers.
struct Known<'v>(&'v Value);

impl Serialize for Known<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int(value) => integer(*value).serialize(serializer),
            Value::Float(value) => float_json(*value).serialize(serializer),
            Value::Complex(re, im) => [float_json(*re), float_json(*im)].serialize(serializer),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Bits(bytes) => bytes.serialize(serializer),
            Value::Array(values) => {
                let mut array = serializer.serialize_seq(Some(values.len()))?;
                values.iter().try_for_each(|value| array.serialize_element(&Known(value)))?;
                array.end()
            }
            Value::Struct(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                fields
                    .iter()
                    .try_for_each(|(key, value)| map.serialize_entry(key, &Known(value)))?;
                map.end()
            }
        }
    }
}
