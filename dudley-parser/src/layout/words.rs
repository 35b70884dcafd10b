//! Words of a layout that programs make: names, units, documentation and attributes of an item, with or without a text.

use std::borrow::Cow;
use std::fmt::{Display, Write};

use super::blocks::{FILL, FILL_BYTES, WHOLE};
use super::print::{filter_words, spelt_attribute};
use super::{Dict, DocKey, Layout};
use crate::ast::FilterValue;
use crate::comments::{self, AttrValue, Attribute};
use crate::format::names::{quoted, spelt};
use crate::span::Span;

/// A name as a layout text has it: in quotes, with escapes, where it must be. No layout has a NUL in a name: U+FFFD
/// stands for it.
///
/// ```
/// use dudley_parser::layout::words::name;
///
/// assert_eq!(name("rho"), "rho");
/// assert_eq!(name("a/b"), "\"a/b\"");
/// assert_eq!(name("\u{1f}"), "\"\\u{1f}\"");
/// ```
pub fn name(name: &str) -> Cow<'_, str> {
    if name.contains('\0') { quoted(&without_nul(name)).into() } else { spelt(name) }
}

/// How a struct of `size` bytes ends, the last of whose members ends at byte `end`: its alignment and, where none of up
/// to 16 bytes makes that size, a member without a name that ends it (3.7).
///
/// ```
/// use dudley_parser::layout::words::struct_end;
///
/// assert_eq!(struct_end(9, 16), (8, None));
/// assert_eq!(struct_end(8, 11), (1, Some("\"\" = {} @11".to_owned())));
/// ```
pub fn struct_end(end: u64, size: u64) -> (u64, Option<String>) {
    let fits = |align: &u64| end.checked_next_multiple_of(*align) == Some(size);
    match [1_u64, 2, 4, 8, 16].into_iter().find(fits) {
        Some(align) => (align, None),
        None => (1, Some(format!("{} = {{}} @{size}", name("")))),
    }
}

/// The dimensions of an array, as they stand behind its type, slowest first; none of a scalar. A text has at least one, so one
/// character without any has one that -1 takes away (3.2).
///
/// ```
/// use dudley_parser::layout::words::shape;
///
/// assert_eq!(shape(&[2, 3], false), "[2, 3]");
/// assert_eq!((shape::<u64>(&[], false), shape::<u64>(&[], true)), (String::new(), "[-1]".to_owned()));
/// ```
pub fn shape<D: Display>(dims: &[D], is_text: bool) -> String {
    let dims: Vec<String> = dims.iter().map(D::to_string).collect();
    match (&*dims, is_text) {
        ([], true) => "[-1]".to_owned(),
        ([], false) => String::new(),
        (dims, _) => format!("[{}]", dims.join(", ")),
    }
}

/// A filter with its arguments, as it stands behind a type and its shape.
///
/// ```
/// use dudley_parser::ast::FilterValue;
///
/// let args = [FilterValue::Text("shuffle".into()), FilterValue::Int(4)];
/// assert_eq!(dudley_parser::layout::words::filter("hdf5", &args), " -> hdf5(\"shuffle\", 4)");
/// ```
pub fn filter(name: &str, args: &[FilterValue]) -> String {
    filter_words(name, args)
}

/// The attribute that has the types of other attributes in a file that has such: of each the type and the name, as in
/// `attribute_types = ["f4 scale_factor"]`.
pub const ATTRIBUTE_TYPES: &str = "attribute_types";

/// Attributes about the storage of the elements. A program that has the elements does not need them.
pub const OF_STORAGE: [&str; 5] = [WHOLE, FILL, FILL_BYTES, "vlen", NETCDF_SHAPE];

/// The attribute that has the shape of an array in netCDF-4, if it is stored shorter.
pub const NETCDF_SHAPE: &str = "netcdf_shape";

/// Those of a layout that say which bytes of a file are its stream: another file that has the same data needs none of them.
pub const OF_STREAM: [&str; 2] = ["stream", "stream_bytes"];

/// Those that netCDF has as well, with the same meaning.
const OF_NETCDF: [&str; 6] =
    ["_FillValue", "_Unsigned", "add_offset", "missing_value", "scale_factor", "units"];

/// Whether an attribute of this name means something to the language or to the tools: how an item is presented, which
/// values it has, how they are scaled. What another format calls so means something else.
///
/// ```
/// use dudley_parser::layout::words::is_meant;
///
/// assert!(is_meant("order") && is_meant("scale_factor") && !is_meant("history"));
/// ```
pub fn is_meant(name: &str) -> bool {
    // People write `unit` for `units`.
    comments::is_meant(name) || name == "unit"
}

/// The name that an attribute of another format gets: one that [means something](is_meant) here gets a `_` behind it, and
/// so does what is called as if it had got one.
///
/// ```
/// use dudley_parser::layout::words::{foreign_name, native_name};
///
/// assert_eq!(["order", "order_", "note_"].map(foreign_name), ["order_", "order__", "note_"]);
/// assert_eq!(["order_", "order__", "note_"].map(native_name), ["order", "order_", "note_"]);
/// ```
pub fn foreign_name(name: &str) -> Cow<'_, str> {
    if is_meant(name.trim_end_matches('_')) { format!("{name}_").into() } else { without_nul(name) }
}

/// The name that an attribute of a netCDF file gets: those that mean the same here keep their names, others get a [name of
/// their own](foreign_name).
///
/// ```
/// use dudley_parser::layout::words::netcdf_name;
///
/// assert_eq!(["scale_factor", "order"].map(netcdf_name), ["scale_factor", "order_"]);
/// ```
pub fn netcdf_name(name: &str) -> Cow<'_, str> {
    if OF_NETCDF.contains(&name) { name.into() } else { foreign_name(name) }
}

/// The words behind an item: its unit, a line of documentation, attributes.
///
/// ```
/// use dudley_parser::layout::DocKey;
/// use dudley_parser::layout::words::Said;
///
/// let mut said = Said::default();
/// said.unit("m) at sea");
/// said.attribute("numpy", "M8[s]");
/// let text = format!("x = i8{}\n", said.text("  "));
/// let layout = dudley_parser::check(text.as_bytes()).layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// assert_eq!(layout.unit(DocKey::of(x.span)), Some("m) at sea"));
/// assert_eq!(layout.attributes(DocKey::of(x.span)).len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Said {
    doc: String,
    /// The lines of documentation behind the first.
    lines: Vec<String>,
    attributes: Vec<String>,
    /// Comments that mean nothing.
    remarks: Vec<String>,
}

impl Said {
    /// Its unit: in front of the documentation, or as an attribute if parentheses would not hold it.
    ///
    /// ```
    /// use dudley_parser::layout::words::Said;
    ///
    /// let mut said = Said::default();
    /// said.doc("place");
    /// said.unit("cm");
    /// assert_eq!(said.text(""), "  ## (cm) place");
    /// ```
    pub fn unit(&mut self, unit: &str) {
        if unit_fits(unit) {
            self.doc = format!("({unit}) {}", self.doc).trim_end().to_owned()
        } else {
            self.attribute("units", unit)
        }
    }

    /// A line of documentation behind those that are there.
    ///
    /// ```
    /// use dudley_parser::layout::words::Said;
    ///
    /// let mut said = Said::default();
    /// said.line("place");
    /// said.line("of a zone");
    /// assert_eq!(said.text(""), "  ## place\n  ## of a zone");
    /// ```
    pub fn line(&mut self, text: &str) {
        if self.doc.is_empty() && self.lines.is_empty() {
            self.doc(text);
        } else {
            self.lines.push(one_line(text).trim().to_owned());
        }
    }

    /// Its documentation, which becomes one line.
    ///
    /// ```
    /// use dudley_parser::layout::words::Said;
    ///
    /// let mut said = Said::default();
    /// said.doc("place of\na zone");
    /// assert_eq!(said.text(""), "  ## place of a zone");
    /// ```
    pub fn doc(&mut self, text: &str) {
        let line = one_line(text);
        let space = if self.doc.is_empty() || line.trim().is_empty() { "" } else { " " };
        self.doc += space;
        self.doc += line.trim();
    }

    /// An attribute that is a text.
    ///
    /// ```
    /// use dudley_parser::layout::words::Said;
    ///
    /// let mut said = Said::default();
    /// said.attribute("source", "a gauge");
    /// assert_eq!(said.text(""), "  #: source = \"a gauge\"");
    /// ```
    pub fn attribute(&mut self, name: &str, text: &str) {
        self.attributes.push(format!("{name} = {}", quoted(&without_nul(text))));
    }

    /// An attribute of something else; but one that says how that is presented (spec 7.5, 7.7) is true of its own bytes alone.
    ///
    /// ```
    /// use dudley_parser::comments::{AttrValue, Attribute};
    /// use dudley_parser::{layout::words::Said, span::Span};
    ///
    /// let mut said = Said::default();
    /// let value = AttrValue::Int(3);
    /// said.attribute_of(&Attribute { name: "level".into(), value, span: Span::at(0) });
    /// assert_eq!(said.text(""), "  #: level = 3");
    /// ```
    pub fn attribute_of(&mut self, attribute: &Attribute) {
        let of_blocks = [WHOLE, FILL_BYTES].contains(&&*attribute.name)
            && matches!(attribute.value, AttrValue::Ints(_));
        if !attribute.presents() && !of_blocks {
            self.attributes.push(spelt_attribute(attribute));
        }
    }

    /// An attribute of a netCDF file, or of one that follows its conventions, by its [name here](netcdf_name).
    ///
    /// ```
    /// use dudley_parser::comments::AttrValue;
    /// use dudley_parser::layout::words::Said;
    ///
    /// let mut said = Said::default();
    /// said.foreign("valid_min", AttrValue::Float(-1.5));
    /// said.foreign("const", AttrValue::Int(3));
    /// assert_eq!(said.text(""), "  #: valid_min = -1.5, const_ = 3");
    /// ```
    pub fn foreign(&mut self, name: &str, value: AttrValue) {
        let name = netcdf_name(name).into_owned();
        let value = match value {
            AttrValue::Text(text) => AttrValue::Text(without_nul(&text).into_owned()),
            other => other,
        };
        self.attribute_of(&Attribute { name, value, span: Span::at(0) });
    }

    /// The names of the dimensions.
    ///
    /// ```
    /// use dudley_parser::layout::words::Said;
    ///
    /// let mut said = Said::default();
    /// said.dims(["time", "x"]);
    /// assert_eq!(said.text(""), "  #: dims = [\"time\", \"x\"]");
    /// ```
    pub fn dims<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        let names: Vec<String> = names.into_iter().map(|name| quoted(&without_nul(name))).collect();
        self.spelt(format!("dims = [{}]", names.join(", ")));
    }

    /// An attribute as it is to be written: `block = 3`, `masked`.
    ///
    /// ```
    /// use dudley_parser::layout::words::Said;
    ///
    /// let mut said = Said::default();
    /// said.spelt("block = 3".to_owned());
    /// assert_eq!(said.text(""), "  #: block = 3");
    /// ```
    pub fn spelt(&mut self, attribute: String) {
        self.attributes.push(attribute);
    }

    /// A comment for readers of the text alone, on a line behind all others.
    ///
    /// ```
    /// use dudley_parser::layout::words::Said;
    ///
    /// let mut said = Said::default();
    /// said.remark("from two files");
    /// assert_eq!(said.text(""), "\n  # from two files");
    /// ```
    pub fn remark(&mut self, text: &str) {
        self.remarks.push(text.replace(char::is_control, "\u{fffd}"));
    }

    /// Whether it is empty.
    ///
    /// ```
    /// use dudley_parser::layout::words::Said;
    ///
    /// let mut said = Said::default();
    /// assert!(said.is_empty());
    /// said.doc("place");
    /// assert!(!said.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.doc.is_empty()
            && self.lines.is_empty()
            && self.attributes.is_empty()
            && self.remarks.is_empty()
    }

    /// The comments, which begin on the line of the item and end one; what follows must begin another. `indent`
    /// stands in front of a second line.
    ///
    /// ```
    /// use dudley_parser::layout::words::Said;
    ///
    /// let mut said = Said::default();
    /// said.doc("place");
    /// said.attribute("source", "a gauge");
    /// assert_eq!(said.text("  "), "  ## place\n    #: source = \"a gauge\"");
    /// ```
    pub fn text(&self, indent: &str) -> String {
        let mut text = String::new();
        if !self.doc.is_empty() {
            text += "  ## ";
            text += &self.doc;
        }
        for line in &self.lines {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n{indent}  ## {line}");
        }
        if !self.attributes.is_empty() {
            if !text.is_empty() {
                text.push('\n');
                text += indent;
            }
            let _ = write!(text, "  #: {}", self.attributes.join(", "));
        }
        for remark in &self.remarks {
            let _ = write!(text, "\n{indent}  # {remark}");
        }
        text
    }
}

/// The units, documentation and attributes of items that no text declares: a layout with nothing else.
///
/// ```
/// use dudley_parser::comments::AttrValue;
/// use dudley_parser::layout::words::Words;
///
/// let mut words = Words::default();
/// let edge = words.add("(mm) edge\nof the box", [("valid", AttrValue::Ints(vec![0, 9]))]);
/// let layout = words.layout();
/// assert_eq!(layout.unit(edge), Some("mm"));
/// assert_eq!(layout.doc_without_unit(edge).collect::<Vec<_>>(), ["edge", "of the box"]);
/// assert_eq!(layout.attribute(edge, "valid").unwrap().value, AttrValue::Ints(vec![0, 9]));
/// ```
#[derive(Clone, Debug)]
pub struct Words {
    layout: Layout,
    said: u32,
}

impl Default for Words {
    fn default() -> Words {
        Words { layout: Layout { dicts: vec![Dict::root()], ..Layout::default() }, said: 0 }
    }
}

impl Words {
    /// Says something of one thing, documentation and attributes; gives what that is found by.
    ///
    /// ```
    /// let mut words = dudley_parser::layout::words::Words::default();
    /// let edge = words.add("(mm) edge", []);
    /// assert_eq!(words.layout().unit(edge), Some("mm"));
    /// ```
    pub fn add<'n>(
        &mut self,
        doc: &str,
        attributes: impl IntoIterator<Item = (&'n str, AttrValue)>,
    ) -> DocKey {
        let span = Span::at(0);
        let attributes = attributes.into_iter();
        let attributes: Vec<Attribute> = attributes
            .map(|(name, value)| Attribute { name: name.to_owned(), value, span })
            .collect();
        if doc.is_empty() && attributes.is_empty() {
            return DocKey::NOTHING;
        }
        let (key, layout) = (DocKey(self.said), &mut self.layout);
        self.said += 1;
        for line in doc.lines() {
            let start = layout.text.len() as u32;
            layout.text += "## ";
            layout.text += line;
            layout.docs.push((key, Span { start, end: layout.text.len() as u32 }));
            layout.text.push('\n');
        }
        (layout.end, layout.body_end) = (layout.text.len() as u32, layout.text.len() as u32);
        layout.attributes.insert(key, attributes);
        key
    }

    /// The layout.
    ///
    /// ```
    /// let layout = dudley_parser::layout::words::Words::default().layout();
    /// assert_eq!(layout.arrays().count(), 0);
    /// ```
    pub fn layout(self) -> Layout {
        self.layout
    }
}

/// Whether a unit can stand in parentheses at the start of documentation: those in it are in pairs, it has no line
/// ends, and no blanks around it.
///
/// ```
/// use dudley_parser::layout::words::unit_fits;
///
/// assert!(unit_fits("m (at sea)"));
/// assert!(!unit_fits("m)") && !unit_fits(" m"));
/// ```
pub fn unit_fits(unit: &str) -> bool {
    super::unit::fits(unit)
}

/// Whether documentation can be lines of a layout that are read as they are. What begins with a parenthesis is taken for
/// a unit, unless it stands behind one.
///
/// ```
/// use dudley_parser::layout::words::doc_fits;
///
/// assert!(doc_fits("air\nat 2 m", false) && doc_fits("(mean) air", true));
/// assert!(!doc_fits("(mean) air", false) && !doc_fits("two  \nlines", true) && !doc_fits("", true));
/// ```
pub fn doc_fits(doc: &str, has_unit: bool) -> bool {
    let fits =
        |line: &str| !line.is_empty() && line.trim() == line && !line.contains(char::is_control);
    doc.split('\n').all(fits) && (has_unit || !doc.starts_with('('))
}

/// The name that an attribute has in its own format, where it has got [another one](foreign_name) here.
///
/// ```
/// assert_eq!(dudley_parser::layout::words::native_name("order_"), "order");
/// ```
pub fn native_name(name: &str) -> &str {
    let own = name.strip_suffix('_');
    own.filter(|own| is_meant(own.trim_end_matches('_'))).unwrap_or(name)
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn without_nul(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { text.replace('\0', "\u{fffd}").into() } else { text.into() }
}
