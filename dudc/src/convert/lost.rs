//! What of arrays is lost where they are written in a format that has no place for it: one warning for each output.

use dudley::{Data, Dtype, Item, ItemKind};
use dudley_parser::comments::Attribute;
use dudley_parser::layout::path::push_name;

use crate::failure::printable;
use crate::output::{Several, warn};

/// Attributes that say what elements are, which other formats have in their types.
const OF_TYPES: [&str; 2] = ["numpy", "padding"];

/// What is lost, each by the paths of what it is lost of.
#[derive(Default)]
pub(crate) struct Lost {
    units: Several,
    docs: Several,
    attributes: Several,
    dims: Several,
    gaps: Several,
    types: Several,
}

impl Lost {
    /// The unit of something.
    pub(crate) fn unit(&mut self, path: &str) {
        self.units.extend([named(path)]);
    }

    /// What is said of an item, and the names of its dimensions.
    pub(crate) fn item(&mut self, item: &Item) {
        self.said(item.path(), item.doc_without_unit(), item.attributes());
        let dims = if item.kind() == ItemKind::Data { item.dims() } else { Ok(Vec::new()) };
        if dims.is_ok_and(|dims| dims.iter().any(Option::is_some)) {
            self.dims.extend([named(item.path())]);
        }
    }

    /// What is said of an array, or of a part of one.
    pub(crate) fn data(&mut self, data: &Data) {
        self.said(data.path(), data.doc_without_unit(), data.attributes());
    }

    /// What is said of the fields of structs.
    pub(crate) fn fields(&mut self, data: &Data) {
        let layout = data.layout();
        let mut waiting = vec![(data.path().to_owned(), data.dtype())];
        while let Some((path, dtype)) = waiting.pop() {
            let Dtype::Record(record) = dtype else { continue };
            for field in &record.fields {
                let mut path = format!("{path}.");
                push_name(&mut path, &field.name);
                if layout.unit(field.doc).is_some() {
                    self.unit(&path);
                }
                let doc = layout.doc_without_unit(field.doc);
                self.said(&path, doc, layout.attributes(field.doc));
                waiting.push((path, &field.dtype));
            }
        }
    }

    /// The type of something, which becomes another one.
    pub(crate) fn dtype(&mut self, path: &str, becomes: &str) {
        self.types.extend([format!("{} ({becomes})", named(path))]);
    }

    /// The gaps between the fields of structs.
    pub(crate) fn gaps(&mut self, path: &str) {
        self.gaps.extend([named(path)]);
    }

    fn said<'d>(
        &mut self,
        path: &str,
        mut doc: impl Iterator<Item = &'d str>,
        attributes: &[Attribute],
    ) {
        if doc.any(|line| !line.is_empty()) {
            self.docs.extend([named(path)]);
        }
        if attributes.iter().any(|it| !OF_TYPES.contains(&&*it.name) && it.name != "units") {
            self.attributes.extend([named(path)]);
        }
    }

    /// Says so; `written` are what has no place for any of it.
    pub(crate) fn warn(&self, written: &str) {
        let kinds = [
            ("units", &self.units),
            ("documentation", &self.docs),
            ("attributes", &self.attributes),
            ("named dimensions", &self.dims),
            ("gaps between the fields", &self.gaps),
            ("types", &self.types),
        ];
        let lost = kinds.iter().filter(|(_, paths)| paths.count() > 0);
        let lost: Vec<_> = lost.map(|(kind, paths)| format!("the {kind} of {paths}")).collect();
        if !lost.is_empty() {
            warn(&format!("{written} have no place for {}", lost.join("; ")));
        }
    }
}

fn named(path: &str) -> String {
    format!("`{}`", printable(path))
}
