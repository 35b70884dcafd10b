//! Losses of arrays in a format that cannot hold everything: one warning for each output.

use dudley::read::select::{Picked, Selected};
use dudley::{Data, Dtype, Item, ItemKind, Stream};
use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::path::push_name;
use dudley_parser::layout::words::{ATTRIBUTE_TYPES, OF_STORAGE, OF_STREAM};

use super::dims;
use super::names::fixed;
use crate::failure::{Result, printable};
use crate::output::{Several, warn};

/// Attributes about the kind of elements, which other formats have in their types.
const OF_TYPES: [&str; 1] = ["numpy"];

/// The output, by what it can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Medium {
    Numpy,
    Frames,
    /// Frames that have no array.
    Bytes,
    Asdf,
    Finf,
    /// A stream that is a part of another one.
    Parts,
}

impl Medium {
    fn named(self) -> &'static str {
        match self {
            Medium::Numpy => "arrays of numpy",
            Medium::Frames => "Blosc2 frames",
            Medium::Bytes => "Blosc2 frames of bytes",
            Medium::Asdf => "files of ASDF",
            Medium::Finf => "files of FINF",
            Medium::Parts => "parts of arrays",
        }
    }

    /// Whether arrays of it have units.
    fn has_units(self) -> bool {
        matches!(self, Medium::Asdf | Medium::Finf | Medium::Parts)
    }

    /// Whether it holds all words about arrays and dicts, except for words about the whole of an array.
    fn is_stream(self) -> bool {
        self == Medium::Parts
    }
}

/// The losses: for each kind the paths of the items.
pub(crate) struct Lost {
    medium: Medium,
    units: Several,
    docs: Several,
    attributes: Several,
    constants: Several,
    dims: Several,
    fixed: Several,
    gaps: Several,
    types: Several,
    shapes: Several,
}

impl Lost {
    /// No losses yet.
    pub(crate) fn new(medium: Medium) -> Lost {
        let none = Several::default;
        let (units, docs, attributes, constants) = (none(), none(), none(), none());
        let (dims, fixed, gaps, types, shapes) = (none(), none(), none(), none(), none());
        Lost { medium, units, docs, attributes, constants, dims, fixed, gaps, types, shapes }
    }

    /// Records the unit of an item, if the output has no units.
    pub(crate) fn unit(&mut self, path: &str) {
        if !self.medium.has_units() {
            self.units.extend([named(path)]);
        }
    }

    /// Records the type, as numpy names it, and the shape of an array of which only bytes are left.
    pub(crate) fn array(&mut self, path: &str, dtype: &str, shape: &[u64]) {
        let is_bytes = matches!(dtype, "|u1" | "|i1" | "|S1") && shape.len() == 1;
        if self.medium == Medium::Bytes && !is_bytes {
            self.shapes.extend([named(path)]);
        }
    }

    /// What is said of an item and of its fields, the names of its dimensions, and the params of a dict that have their
    /// values in the layout.
    ///
    /// # Errors
    /// If reading its dimensions fails.
    pub(crate) fn item(&mut self, item: &Item) -> Result<()> {
        if self.medium.is_stream() {
            return Ok(());
        }
        if item.unit().is_some() {
            self.unit(item.path());
        }
        self.said(item.path(), item.doc_without_unit(), item.attributes());
        match item.kind() {
            ItemKind::Data => {
                if item.dims()?.iter().any(Option::is_some) {
                    self.dims.extend([named(item.path())]);
                }
                self.fields(&item.data()?);
            }
            ItemKind::Dict => {
                self.fixed.extend(fixed(item).map(|param| named(param.path())));
            }
            _ => {}
        }
        Ok(())
    }

    /// What is said of what a path picks of an array, or of each of many, and the names of the dimensions that it has
    /// still.
    ///
    /// # Errors
    /// If reading the dimensions fails.
    pub(crate) fn part(&mut self, stream: &Stream, selected: &Selected, path: &str) -> Result<()> {
        let Some(Picked::Data(data)) = selected.parts.first() else { return Ok(()) };
        if constant(data.attributes()).is_some() {
            self.constants.extend([named(data.path())]);
        }
        if self.medium.is_stream() {
            return Ok(());
        }
        if data.unit().is_some() {
            self.unit(data.path());
        }
        let others = data.attributes().iter().filter(|it| it.name != CONST);
        self.said(data.path(), data.doc_without_unit(), others);
        let dims = dims::PickedDims::of_path(stream, path)?.dims;
        if dims.iter().any(Option::is_some) {
            self.dims.extend([named(data.path())]);
        }
        self.fields(data);
        Ok(())
    }

    /// Records the words about the fields of structs.
    fn fields(&mut self, data: &Data) {
        let layout = data.layout();
        let mut waiting = vec![(data.path().to_owned(), data.dtype())];
        while let Some((path, dtype)) = waiting.pop() {
            let Dtype::Record(record) = dtype else { continue };
            for field in &record.fields {
                let mut path = format!("{path}.");
                push_name(&mut path, &field.name);
                // No format has units of fields.
                if layout.unit(field.doc).is_some() {
                    self.units.extend([named(&path)]);
                }
                let doc = layout.doc_without_unit(field.doc);
                self.said(&path, doc, layout.attributes(field.doc));
                waiting.push((path, &field.dtype));
            }
        }
    }

    /// Records a type that changes.
    pub(crate) fn dtype(&mut self, path: &str, becomes: &str) {
        self.types.extend([format!("{} ({becomes})", named(path))]);
    }

    /// Records the gaps between the fields of structs.
    pub(crate) fn gaps(&mut self, path: &str) {
        self.gaps.extend([named(path)]);
    }

    fn said<'d>(
        &mut self,
        path: &str,
        mut doc: impl Iterator<Item = &'d str>,
        attributes: impl IntoIterator<Item = &'d Attribute>,
    ) {
        if doc.any(|line| !line.is_empty()) {
            self.docs.extend([named(path)]);
        }
        let has_place = |name: &str| {
            OF_TYPES.contains(&name)
                || name == ATTRIBUTE_TYPES
                || OF_STORAGE.contains(&name)
                || OF_STREAM.contains(&name)
                || name == "units"
        };
        let is_lost = |it: &Attribute| !has_place(&it.name) && !it.presents();
        if attributes.into_iter().any(is_lost) {
            self.attributes.extend([named(path)]);
        }
    }

    /// Warns of all losses.
    pub(crate) fn warn(&self) {
        let kinds = [
            ("units", &self.units),
            ("documentation", &self.docs),
            ("attributes", &self.attributes),
            ("constants", &self.constants),
            ("named dimensions", &self.dims),
            ("fixed params", &self.fixed),
            ("gaps between the fields", &self.gaps),
            ("types", &self.types),
            ("type and shape", &self.shapes),
        ];
        let lost = kinds.iter().filter(|(_, paths)| paths.count() > 0);
        let lost = lost.map(|(kind, paths)| match *kind {
            "fixed params" => format!("the {kind} {paths}"),
            kind => format!("the {kind} of {paths}"),
        });
        let lost: Vec<_> = lost.collect();
        if !lost.is_empty() {
            let written = self.medium.named();
            warn(&format!("{written} have no place for {}", lost.join("; ")));
        }
    }
}

/// The attribute that states the value of the whole of an array.
const CONST: &str = "const";

fn constant(attributes: &[Attribute]) -> Option<&Attribute> {
    attributes.iter().find(|it| it.name == CONST)
}

fn named(path: &str) -> String {
    format!("`{}`", printable(path))
}

/// Warns of fields whose values are places in their file, as in columns of FITS with rows of different lengths: the
/// attribute `heap` is the place of the rows.
pub(crate) fn warn_of_places(item: &Item) -> Result<()> {
    if item.kind() != ItemKind::Data || !item.stream().layout().has_attribute("heap") {
        return Ok(());
    }
    let data = item.data()?;
    let Dtype::Record(record) = data.dtype() else { return Ok(()) };
    for name in record.fields.iter().map(|field| &field.name) {
        let field = data.field(name)?;
        let heap = field.attributes().iter().find(|it| it.name == "heap");
        if let Some(AttrValue::Text(heap)) = heap.map(|it| &it.value) {
            let (path, heap) = (printable(field.path()), printable(heap));
            warn(&format!(
                "`{path}` has the places of rows, which mean nothing in another file: the rows are `{heap}`"
            ));
        }
    }
    Ok(())
}
