//! Values as lines for people, written while they are decoded.

use std::io::Write;

use dudley::elements::{Part, Scalar, Sink};
use dudley::read::ShowsNames;
use dudley_parser::layout::path::push_name;
use dudley_parser::pad::blanks;

use crate::failure::printable;

/// Characters of a line.
const WIDTH: usize = 100;

/// Writes values while they are decoded, in lines of about [`WIDTH`] characters.
pub(super) struct Printer<'o> {
    out: &'o mut dyn Write,
    open: Vec<Level>,
    /// Characters of the line so far, from where the item began that is written.
    line: usize,
    /// Whether that item has more than one line.
    broken: bool,
}

/// An array or struct that is not complete.
struct Level {
    array: bool,
    /// Items or fields so far.
    count: u64,
    /// Whether it holds arrays or structs: then each item has lines of its own.
    nested: bool,
    /// Of an item of an array, the line before it and whether that was broken.
    around: Option<(usize, bool)>,
}

impl<'o> Printer<'o> {
    /// A printer that writes to `out`.
    pub(super) fn new(out: &'o mut dyn Write) -> Printer<'o> {
        Printer { out, open: Vec::new(), line: 0, broken: false }
    }

    /// Writes a text as it is.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn put(&mut self, text: &str) -> dudley::Result<()> {
        self.line += text.chars().count();
        let failed = |error| dudley::Error::io("cannot write the result", error);
        self.out.write_all(text.as_bytes()).map_err(failed)
    }

    /// What separates an item of an array from the one before it; none of a text is another array or struct.
    fn separate(&mut self, text: Option<&str>) -> dudley::Result<()> {
        let indent = self.open.len();
        let Some(level) = self.open.last_mut().filter(|level| level.array) else { return Ok(()) };
        level.nested |= text.is_none();
        level.count += 1;
        if level.count == 1 {
            return Ok(());
        }
        let long = text.is_some_and(|text| self.line + text.chars().count() + 2 > WIDTH);
        if !level.nested && !long {
            return self.put(", ");
        }
        self.put(",\n")?;
        (self.line, self.broken) = (0, true);
        self.put(&blanks(indent))
    }

    /// Writes a value that is no array and no struct.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn one(&mut self, text: &str) -> dudley::Result<()> {
        self.separate(Some(text))?;
        self.put(text)
    }

    fn begin(&mut self, bracket: &str, array: bool) -> dudley::Result<()> {
        self.separate(None)?;
        // An item of an array has lines of its own width.
        let in_array = self.open.last().is_some_and(|level| level.array);
        let around =
            in_array.then(|| (std::mem::take(&mut self.line), std::mem::take(&mut self.broken)));
        self.open.push(Level { array, count: 0, nested: false, around });
        self.put(bracket)
    }

    fn end(&mut self, bracket: &str) -> dudley::Result<()> {
        self.put(bracket)?;
        if let Some((line, broken)) = self.open.pop().and_then(|level| level.around) {
            if !self.broken {
                self.line += line;
            }
            self.broken |= broken;
        }
        Ok(())
    }
}

impl ShowsNames for Printer<'_> {
    fn named(&mut self, value: i128, name: &str) -> dudley::Result<()> {
        self.one(&with_name(value, name))
    }
}

/// An integer with its name.
pub(crate) fn with_name(value: i128, name: &str) -> String {
    format!("{value} ({})", printable(name))
}

impl Sink for Printer<'_> {
    fn scalar(&mut self, value: Scalar<'_>) -> dudley::Result<()> {
        self.one(&single(value))
    }

    fn begin_array(&mut self, _: u64) -> dudley::Result<()> {
        self.begin("[", true)
    }

    fn end_array(&mut self) -> dudley::Result<()> {
        self.end("]")
    }

    fn begin_struct(&mut self) -> dudley::Result<()> {
        self.begin("{", false)
    }

    fn field(&mut self, name: &str) -> dudley::Result<()> {
        if let Some(level) = self.open.last_mut() {
            level.count += 1;
            if level.count > 1 {
                self.put(", ")?;
            }
        }
        let mut spelt = String::new();
        push_name(&mut spelt, name);
        self.put(&printable(&spelt))?;
        self.put(": ")
    }

    fn end_struct(&mut self) -> dudley::Result<()> {
        self.end("}")
    }
}

/// A single value, as it is shown.
pub(super) fn single(value: Scalar<'_>) -> String {
    match value {
        Scalar::Null => "null".to_owned(),
        Scalar::Bool(value) => value.to_string(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Float(value, size) => number(value, size),
        Scalar::Complex(re, im) => {
            let im = part(im);
            let sign = if im.starts_with('-') { "" } else { "+" };
            format!("{}{sign}{im}j", part(re))
        }
        Scalar::Text(text) => crate::json::quoted(text),
        Scalar::Bits(bits) => hex(bits),
    }
}

fn part(part: Part<'_>) -> String {
    match part {
        Part::Float(value, size) => number(value, size),
        Part::Bits(bits) => hex(bits),
    }
}

fn hex(bits: &[u8]) -> String {
    bits.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The shortest decimal that gives the same float of its size back (f2 as f4).
pub(crate) fn number(value: f64, size: u64) -> String {
    let text = if size > 4 || !value.is_finite() {
        crate::json::float(value)
    } else {
        format!("{:?}", value as f32)
    };
    text.trim_matches('"').to_owned()
}
