//! The unit, documentation and attributes of an array, as attributes of netCDF.

use dudley::numpy::arrays::About;
use dudley_parser::comments::AttrValue;
use dudley_parser::layout::words::{ATTRIBUTE_TYPES, Words, native_name};

use super::encode::{attribute, text};
use super::header::{self, Type};
use crate::attribute_types;
use crate::headers::is_of_storage;

/// Attributes about the kind of elements, which other formats have in their types.
const OF_TYPES: [&str; 2] = ["numpy", ATTRIBUTE_TYPES];

/// The attribute of the file that names the unlimited dimensions, as in xarray.
pub(super) const UNLIMITED: &str = "unlimited_dims";

/// The words about an array, or about the whole file.
pub(super) struct Said {
    unit: Option<String>,
    doc: String,
    attributes: Vec<(String, AttrValue)>,
    /// The declared types of attributes.
    types: Vec<String>,
    dims: Option<Vec<String>>,
    /// The names of unlimited dimensions.
    pub(super) unlimited: Vec<String>,
}

/// Separates the words into their kinds.
pub(super) fn said(about: &About) -> Said {
    let mut words = Words::default();
    let attributes = about.attributes.iter().map(|it| (&*it.name, it.value.clone()));
    let key = words.add(&about.doc.join("\n"), attributes);
    let layout = words.layout();
    let names = |of: &str| match layout.attribute(key, of).map(|it| &it.value) {
        Some(AttrValue::Text(name)) => Some(vec![name.clone()]),
        Some(AttrValue::Texts(names)) => Some(names.clone()),
        _ => None,
    };
    let (dims, unlimited) = (names("dims"), names(UNLIMITED).unwrap_or_default());
    let types = names(ATTRIBUTE_TYPES).unwrap_or_default();
    // Numbers of this name are a text where no layout has such.
    let has_unit = attribute_types::of(types.iter().map(String::as_str), "units").is_none();
    let unit = about.unit.as_deref().or(layout.unit(key)).filter(|_| has_unit).map(str::to_owned);
    let others = about.attributes.iter().filter(|it| {
        let is_unit = has_unit && it.name == "units" && it.text().is_some();
        let is_other = it.name != "dims" && it.name != UNLIMITED && !is_of_storage(it);
        !is_unit && is_other && !OF_TYPES.contains(&&*it.name)
    });
    Said {
        types,
        unit,
        doc: layout.doc_without_unit(key).collect::<Vec<_>>().join("\n"),
        attributes: others.map(|it| (native_name(&it.name).to_owned(), it.value.clone())).collect(),
        dims,
        unlimited,
    }
}

impl Said {
    pub(super) fn is_empty(&self) -> bool {
        self.unit.is_none() && self.doc.is_empty() && self.attributes.is_empty()
    }

    /// An attribute, in place of one of the same name.
    pub(super) fn foreign(&mut self, name: &str, value: AttrValue) {
        self.attributes.retain(|(other, _)| other != name);
        self.attributes.push((name.to_owned(), value));
    }

    /// The names of this many dimensions: from the attribute, or else from params.
    pub(super) fn dims(&self, of_params: &[Option<String>], rank: usize) -> Vec<Option<String>> {
        match self.dims.as_ref().filter(|names| names.len() == rank) {
            Some(names) => {
                names.iter().map(|it| Some(it.clone()).filter(|it| !it.is_empty())).collect()
            }
            None => of_params.to_vec(),
        }
    }

    /// The unit of times of numpy: `M8[ns]`, `m8[s]`.
    pub(super) fn time(&mut self, time: &str) {
        let unit = time.split_once('[').and_then(|(_, unit)| unit.strip_suffix(']'));
        let unit = match unit.unwrap_or_default() {
            "D" => "days",
            "h" => "hours",
            "m" => "minutes",
            "s" => "seconds",
            "ms" => "milliseconds",
            "us" => "microseconds",
            "ns" => "nanoseconds",
            _ => return,
        };
        let since = if time.starts_with('M') { " since 1970-01-01" } else { "" };
        self.unit.get_or_insert_with(|| format!("{unit}{since}"));
    }

    /// As attributes of a variable of a type, or of the file, and the names of those that cannot be. `doc` is what the
    /// documentation is called.
    pub(super) fn attributes(
        &self,
        of: Option<Type>,
        doc: &str,
    ) -> (Vec<header::Attribute>, Vec<&str>) {
        let has = |name: &str| self.attributes.iter().any(|(other, _)| other == name);
        let mut all = Vec::new();
        if let Some(unit) = self.unit.as_ref().filter(|_| !has("units")) {
            all.push(text::attribute("units", unit));
        }
        if !self.doc.is_empty() && !has(doc) {
            all.push(text::attribute(doc, &self.doc));
        }
        let mut lost = Vec::new();
        for (name, value) in &self.attributes {
            let types = self.types.iter().map(String::as_str);
            let kind = attribute_types::of(types, name).and_then(Type::of_primitive);
            match attribute(name, value, of, kind) {
                Some(attribute) => all.push(attribute),
                None => lost.push(&**name),
            }
        }
        (all, lost)
    }
}
