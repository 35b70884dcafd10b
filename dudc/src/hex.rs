//! The bytes of a stream with what they mean: parts one after the other, as lines or as JSON.
//!
//! `rows.rs` finds the parts of a stream, `sliced.rs` those of a slice, `foreign.rs` those of files of other formats; `print.rs` reads
//! their bytes and shows them, as they are found. Only what is shown is read.

mod decode;
mod elided;
mod foreign;
mod json;
mod lines;
mod print;
mod rows;
mod sliced;

use std::io::Write;
use std::path::Path;

use dudley::StreamKind;
use dudley_parser::render::Style;

use crate::cli::Format;
use crate::failure::{Failure, Result};
use crate::rows::Errors;
use crate::stream_args::StreamArgs;
use print::Printer;

/// What is shown, and how.
pub(crate) struct Options<'o> {
    /// Only what is at or below this path.
    pub(crate) path: Option<&'o str>,
    /// Only the bytes of these addresses.
    pub(crate) range: Option<Range>,
    /// Long arrays and lists whole.
    pub(crate) all: bool,
    pub(crate) format: Format,
    pub(crate) style: Style,
}

/// Addresses, the end excluded; those below 0 count from the end of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    from: Option<i64>,
    to: Option<i64>,
}

impl Range {
    /// Reads `A:B`, `A:`, `:B`.
    pub(crate) fn parse(text: &str) -> std::result::Result<Range, String> {
        let wanted =
            || format!("`{text}` is no range of addresses such as 0x100:0x180, 64: or -32:");
        let (from, to) = text.split_once(':').ok_or_else(wanted)?;
        let number = |text: &str| {
            if text.is_empty() {
                return Ok(None);
            }
            let (below, digits) = match text.strip_prefix('-') {
                Some(digits) => (true, digits),
                None => (false, text),
            };
            let (radix, digits) = digits.strip_prefix("0x").map_or((10, digits), |it| (16, it));
            let value = match digits.starts_with(['+', '-']) {
                true => None,
                false => i64::from_str_radix(digits, radix).ok(),
            };
            value.map(|value| Some(if below { -value } else { value })).ok_or_else(wanted)
        };
        Ok(Range { from: number(from.trim())?, to: number(to.trim())? })
    }

    /// The addresses in a stream of some length.
    fn within(self, length: u64) -> (u64, u64) {
        let at = |number: i64| match number {
            0.. => number.unsigned_abs(),
            _ => length.saturating_sub(number.unsigned_abs()),
        };
        (self.from.map_or(0, at), self.to.map_or(u64::MAX, at))
    }
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The signature of a native stream, or the layout address behind it.
    Signature,
    Param,
    Item,
    /// A field of a struct.
    Field,
    /// Skipped to align what follows.
    Padding,
    /// In no item.
    Gap,
    /// Repetitions or instances that are left out.
    Elided,
    /// Text, such as the tree of an ASDF file.
    Text,
    /// The layout behind a native stream.
    Layout,
    /// No bytes: says what follows.
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
    /// Bytes of one; of text, those of one string.
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
    /// None where the bytes are not decoded.
    element: Option<Element>,
    unit: Option<String>,
    doc: Option<String>,
    /// Of a slice: the shape of the whole array, and the number of the first element in it.
    grid: Option<(Vec<u64>, u64)>,
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
        }
    }

    fn end(&self) -> u64 {
        self.address.saturating_add(self.bytes)
    }
}

/// Shows the bytes of a file.
///
/// # Errors
/// If it cannot be opened, or written; what is wrong in it is given back after all the rest is shown.
pub(crate) fn show(
    stream: &StreamArgs,
    file: &Path,
    options: &Options<'_>,
    out: &mut dyn Write,
) -> Result<Errors> {
    if let Some(errors) = foreign::show(stream, file, options, out)? {
        return Ok(errors);
    }
    let stream = stream.stream(file)?;
    let mut printer = Printer::new(stream.source(), options, out);
    let kind = if stream.kind() == StreamKind::Native { "native" } else { "raw" };
    printer.begin(kind, Some(&stream))?;
    rows::stream(&stream, options, &mut printer)?;
    printer.finish()
}

fn failed(error: std::io::Error) -> Failure {
    Failure::output(error)
}
