//! The bytes of a stream with their meaning: a sequence of parts, as lines or as JSON.
//!
//! `order.rs` finds the parts of a stream with `rows.rs`; `items.rs`, `fixed.rs` and `varying.rs` find the parts of
//! items, `sliced.rs` and `called.rs` those of a slice, `sections.rs` those of a format. `print.rs` reads their bytes
//! and shows them one by one. Only shown parts are read.

mod amount;
mod called;
mod decode;
mod elided;
mod fixed;
mod items;
mod json;
mod lines;
mod order;
mod origin;
mod parts;
mod print;
mod range;
mod rows;
mod sections;
mod sliced;
mod varying;

use std::fmt;
use std::io::Write;
use std::path::Path;

use dudley::bytes::SIGNATURE_LEN;
use dudley::model::Sections;
use dudley::{Data, Error};
use dudley_parser::layout::DocKey;
use dudley_parser::render::Style;

use crate::failure::{Failure, Result};
use crate::formats::formats;
use crate::opened::Opened;
use crate::options::Format;
use crate::rows::Errors;
use crate::stream_args::StreamArgs;
use print::Printer;
pub(crate) use range::Range;

/// The selection to show, and its form.
pub(crate) struct Options<'o> {
    /// Only parts at or below this path.
    pub(crate) path: Option<&'o str>,
    /// Only the bytes of these addresses.
    pub(crate) range: Option<Range>,
    /// Long arrays and lists whole.
    pub(crate) all: bool,
    pub(crate) format: Format,
    pub(crate) style: Style,
}

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The signature of a native stream, or the layout address behind it.
    Signature,
    Param,
    Item,
    /// A field of a struct.
    Field,
    /// Padding before an aligned item.
    Padding,
    /// In no item.
    Gap,
    /// Repetitions or instances that are left out.
    Elided,
    /// Text, such as the tree of an ASDF file.
    Text,
    /// The layout behind a native stream.
    Layout,
    /// No bytes: a heading for the next parts.
    Heading,
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Kind::Signature => "signature",
            Kind::Param => "param",
            Kind::Item => "item",
            Kind::Field => "field",
            Kind::Padding => "padding",
            Kind::Gap => "gap",
            Kind::Elided => "elided",
            Kind::Text => "text",
            Kind::Layout => "layout",
            Kind::Heading => "heading",
        }
    }
}

/// The elements of a part.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// The primitive, such as `<f8`.
    dtype: String,
    /// Bytes of one element; of text, bytes of one string.
    bytes: u64,
    text: bool,
}

/// Bytes that lie together.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    kind: Kind,
    address: u64,
    bytes: u64,
    path: String,
    /// Type and filter, in words.
    dtype: String,
    shape: Vec<u64>,
    /// `None` where the bytes are not decoded.
    element: Option<Element>,
    unit: Option<String>,
    doc: Option<String>,
    /// Of a slice: the shape of the whole array, and the number of the first element in it.
    grid: Option<(Vec<u64>, u64)>,
    /// Of an array that is not stored row by row: which index an element has.
    order: Option<parts::Order>,
    /// The description of omitted parts.
    left_out: Option<LeftOut>,
    /// The array of structs that this part represents until it is expanded, and the key of its
    /// documentation.
    held: Option<Box<(Data, DocKey)>>,
}

/// An omitted part of something long.
#[derive(Clone, Debug)]
enum LeftOut {
    /// Repetitions of a list, and the numbers of their items.
    Repetitions { list: String, count: u64, items: std::ops::Range<u64> },
    /// The rest of a list beside the requested items.
    Others { list: String },
    /// Instances of a struct.
    Instances { path: String, count: u64 },
    /// Runs of a slice.
    Runs { path: String, count: u64 },
}

impl LeftOut {
    /// The list that repetitions are left out of.
    fn list(&self) -> Option<&str> {
        match self {
            LeftOut::Repetitions { list, .. } => Some(list),
            _ => None,
        }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeftOut::Repetitions { list, count, .. } => write!(f, "{count} repetitions of {list}"),
            LeftOut::Others { list } => write!(f, "more of {list}"),
            LeftOut::Instances { path, count } => write!(f, "{count} more of {path}"),
            LeftOut::Runs { path, count } => write!(f, "{count} more runs of {path}"),
        }
    }
}

impl Part {
    fn new(kind: Kind, address: u64, bytes: u64, path: impl Into<String>) -> Part {
        Part {
            kind,
            address,
            bytes,
            path: path.into(),
            dtype: String::new(),
            shape: Vec::new(),
            element: None,
            unit: None,
            doc: None,
            grid: None,
            order: None,
            left_out: None,
            held: None,
        }
    }

    /// Represents the omitted bytes between its neighbours, or its own bytes if it has any.
    fn left_out(what: LeftOut) -> Part {
        Part { left_out: Some(what), ..Part::new(Kind::Elided, 0, 0, "") }
    }

    /// Whether it represents omitted items of a list.
    fn is_repetitions(&self) -> bool {
        matches!(self.left_out, Some(LeftOut::Repetitions { .. }))
    }

    fn end(&self) -> u64 {
        self.address.saturating_add(self.bytes)
    }
}

/// Shows the bytes of a file.
///
/// # Errors
/// If it cannot be opened or written. Faults in the file are returned after everything else is shown.
pub(crate) fn show(
    stream: &StreamArgs,
    file: &Path,
    options: &Options<'_>,
    out: &mut dyn Write,
) -> Result<Errors> {
    let opened = match stream.opened(file) {
        Ok(opened) => opened,
        Err(failure) => {
            let Some(found) = unopened(stream, file, options.path) else { return Err(failure) };
            let is_cut = found.fault.is_some();
            let errors = sections::show(found, options, out)?;
            return if is_cut { Err(failure) } else { Ok(errors) };
        }
    };
    let found = formats().sections(opened.candidate(), Some(opened.dataset()), options.path);
    if let Some(mut found) = found.map_err(|error| lacks(&opened, error))? {
        let fault = found.fault.take();
        let errors = sections::show(found, options, out)?;
        return fault.map_or(Ok(errors), |fault| Err(Failure::of_file(&opened.name(), fault)));
    }
    let stream = opened.stream()?;
    let attached = order::attached(stream)?;
    let mut printer = Printer::with_tail(stream.source(), attached, options, out)?;
    printer.begin(stream.kind().as_str(), Some(stream.order()))?;
    order::stream(stream, options, &mut printer)?;
    printer.finish()
}

/// The known parts of a file that cannot be opened. A file with a layout is a stream, unless it ends in its
/// signature.
fn unopened(stream: &StreamArgs, file: &Path, path: Option<&str>) -> Option<Sections> {
    let candidate = stream.candidate(file).ok()?;
    let brings = stream.layout.is_none() || candidate.len() < SIGNATURE_LEN;
    if stream.raw || !brings || candidate.path().is_none() {
        return None;
    }
    formats().sections(&candidate, None, path).ok()?
}

/// Why there are no bytes of a path.
fn lacks(opened: &Opened, error: Error) -> Failure {
    let is_listed = matches!(error, Error::Listed { .. });
    let failure = Failure::of_file(&opened.name(), error);
    if is_listed { failure.with_help("--range picks addresses") } else { failure }
}

fn failed(error: std::io::Error) -> Failure {
    Failure::output(error)
}
