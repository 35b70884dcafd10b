//! Converts the attributes of an array to JSON, and names its dimensions, for other formats.

use std::collections::BTreeMap;

use dudley::model::{Attribute, Node};
use dudley::{Data, Dtype, Primitive, Value};
use dudley_parser::comments::{AttrValue, Attribute as LayoutAttribute};
use dudley_parser::layout::presented::VIEW;
use dudley_parser::layout::words::{ATTRIBUTE_TYPES, OF_STORAGE, native_name};
use serde_json::{Map, Value as Json};

/// Whether the attribute `NAME` of a netCDF-4 array marks a dimension without a variable: its values mean nothing.
pub(crate) fn is_no_variable(name: &str) -> bool {
    name.starts_with("This is a netCDF dimension but not a netCDF variable")
}

/// Whether attributes are those of a dimension of netCDF-4 without a variable: HDF5 has an array for it, whose values mean
/// nothing.
///
/// ```
/// let text = r#"x = f4[3]  #: NAME = "This is a netCDF dimension but not a netCDF variable.         3""#;
/// let layout = dudley::parse_layout(text.as_bytes())?;
/// let stream = dudley::Open::new().layout(layout).raw().bytes([0; 12])?;
/// assert!(dudley_formats::is_only_dimension(stream.get("/x")?.attributes()));
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn is_only_dimension(attributes: &[LayoutAttribute]) -> bool {
    let is_it = |it: &LayoutAttribute| it.name == "NAME" && it.text().is_some_and(is_no_variable);
    attributes.iter().any(is_it)
}

/// Whether the attribute `_Encoding` of netCDF means the characters of CP1252, as `S1` has them. As in netCDF4, Latin-1 means
/// these as well.
pub(crate) fn is_cp1252(encoding: &str) -> bool {
    ["cp1252", "latin-1", "latin1", "iso-8859-1"].contains(&&*encoding.to_lowercase())
}

/// The comments on a node as attributes: its unit, its documentation, the params of a dict, and its own attributes.
pub(crate) fn attributes(node: &Node) -> Map<String, Json> {
    let doc = if node.path() == "/" { "title" } else { "long_name" };
    let mut attributes = said(node.unit(), (doc, node.doc()));
    for param in node.params() {
        if let Ok(Value::Int(value)) = param.value() {
            attributes.insert(param.name(), integer(value));
        }
    }
    add(&mut attributes, node.attributes());
    attributes
}

/// The same for data.
pub(crate) fn attributes_of(data: &Data) -> Map<String, Json> {
    let doc = data.doc_without_unit().map(str::to_owned).collect();
    let mut attributes = said(data.unit().map(str::to_owned), ("long_name", doc));
    add(&mut attributes, data.attributes().iter().map(Attribute::from));
    attributes
}

/// Whether the characters of texts have a named dimension, as in netCDF: then each is an element.
pub(crate) fn has_named_characters(data: &Data) -> bool {
    let is_text = matches!(data.dtype(), Dtype::Primitive(Primitive::S1 | Primitive::Utf8, _));
    let names = |it: &LayoutAttribute| match &it.value {
        AttrValue::Texts(names) if it.name == "dims" => {
            // The dimensions of records have their names elsewhere.
            names.len() <= data.shape().len() && names.last().is_some_and(|name| !name.is_empty())
        }
        _ => false,
    };
    is_text && data.attributes().iter().any(names)
}

/// A unit, and documentation by the name that it has.
fn said(unit: Option<String>, (name, doc): (&str, Vec<String>)) -> Map<String, Json> {
    let mut attributes = Map::new();
    attributes.extend(unit.map(|unit| ("units".to_owned(), unit.into())));
    if !doc.is_empty() {
        attributes.insert(name.to_owned(), doc.join("\n").into());
    }
    attributes
}

fn add(attributes: &mut Map<String, Json>, more: impl IntoIterator<Item = Attribute>) {
    // Presentation hints do not concern other readers.
    let is_of_ours =
        |name: &str| name == "dims" || VIEW.contains(&name) || OF_STORAGE.contains(&name);
    let is_columns = |it: &Attribute| it.name == "order" && it.value == Value::Text("F".to_owned());
    for attribute in more.into_iter().filter(|it| !is_of_ours(&it.name) && !is_columns(it)) {
        // As in netCDF files, a list of one value becomes the value.
        let value = match &attribute.value {
            Value::Array(values) if values.len() == 1 => json(&values[0]),
            value => json(value),
        };
        attributes.insert(native_name(&attribute.name).to_owned(), value);
    }
}

/// Removes the types of attributes from the map, and returns them as they are written.
pub(crate) fn take_types(attributes: &mut Map<String, Json>) -> Vec<String> {
    let texts = match attributes.remove(ATTRIBUTE_TYPES) {
        Some(Json::Array(texts)) => texts,
        one => Vec::from_iter(one),
    };
    texts.iter().filter_map(Json::as_str).map(str::to_owned).collect()
}

fn json(value: &Value) -> Json {
    match value {
        Value::Int(value) => integer(*value),
        Value::Float(value) => serde_json::Number::from_f64(*value)
            .map_or_else(|| value.to_string().into(), Json::Number),
        Value::Bool(value) => (*value).into(),
        Value::Array(values) => values.iter().map(json).collect(),
        Value::Text(text) => text.clone().into(),
        other => format!("{other:?}").into(),
    }
}

fn integer(value: i128) -> Json {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => value.into(),
        (_, Ok(value)) => value.into(),
        _ => value.to_string().into(),
    }
}

/// Names dimensions: in a group, a name has one size, and an array uses each name once.
#[derive(Default)]
pub(crate) struct Dims {
    /// The size of each name, by group and name.
    sizes: BTreeMap<(String, String), u64>,
}

impl Dims {
    /// Names each dimension of the array of a key, based on its own names.
    pub(crate) fn of(&mut self, key: &str, own: &[Option<String>], shape: &[u64]) -> Vec<String> {
        let (group, last) = key.rsplit_once('/').unwrap_or(("", key));
        let mut dims: Vec<String> = Vec::new();
        for (at, size) in shape.iter().enumerate() {
            let unnamed = format!("{last}_dim{at}");
            let first = own.get(at).and_then(Option::as_deref).map_or(unnamed.clone(), plain);
            let mut fits = |name: &String| {
                let known = self.sizes.entry((group.to_owned(), name.clone())).or_insert(*size);
                *known == *size
            };
            let names = [first.clone(), format!("{first}_{size}"), unnamed];
            let [.., sure] = names.clone();
            let name = names.into_iter().find(|name| !dims.contains(name) && fits(name));
            dims.push(name.unwrap_or(sure));
        }
        dims
    }
}

/// The name of a dimension that programs accept: `JMAX-` becomes `JMAX_m1`, `JMAX++` becomes `JMAX_p2`.
fn plain(dim: &str) -> String {
    let base = dim.trim_end_matches(['+', '-']);
    let signs = &dim[base.len()..];
    match signs.chars().next() {
        Some('+') => format!("{base}_p{}", signs.len()),
        Some(_) => format!("{base}_m{}", signs.len()),
        None => dim.to_owned(),
    }
}
