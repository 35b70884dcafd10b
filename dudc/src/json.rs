//! Values as JSON text, written as they are decoded.
//!
//! The forms are those of the command-line contract: floats as the shortest decimal of the value
//! as f8, `"nan"`, `"inf"` and `"-inf"` as text, complex numbers as `[re, im]`, exact integers.

use std::fmt::{self, Write as _};
use std::io::Write;

use dudley::elements::{Part, Scalar, Sink};
use dudley::{Error, Result};
use dudley_parser::names::is_hidden;

use crate::text::Emit;

/// Writes values to an output as JSON.
pub(crate) struct JsonSink<'w> {
    out: &'w mut dyn Write,
    /// Open arrays and structs.
    open: Vec<Open>,
    /// Begins a value that needs no comma: the first one, or a field after its name.
    awaited: bool,
}

/// Writes decoded values as JSON.
///
/// # Errors
/// If decoding or writing fails.
pub(crate) fn json_text(out: &mut dyn Write, emit: &mut Emit<'_>) -> Result<()> {
    emit(&mut JsonSink::new(out))
}

/// An array or struct that is not complete.
struct Open {
    /// The closing bracket.
    close: &'static [u8],
    /// Whether something stands in it already.
    filled: bool,
}

impl<'w> JsonSink<'w> {
    /// A sink that writes to `out`.
    pub(crate) fn new(out: &'w mut dyn Write) -> Self {
        Self { out, open: Vec::new(), awaited: true }
    }

    /// Closes all open brackets if the rest cannot be read, so that the output is complete JSON.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn close(mut self) -> Result<()> {
        if std::mem::take(&mut self.awaited) {
            self.write(b"null")?;
        }
        while !self.open.is_empty() {
            self.end()?;
        }
        Ok(())
    }

    fn begin(&mut self, open: &[u8], close: &'static [u8]) -> Result<()> {
        self.separate()?;
        self.open.push(Open { close, filled: false });
        self.write(open)
    }

    fn end(&mut self) -> Result<()> {
        self.open.pop().map_or(Ok(()), |open| self.write(open.close))
    }

    fn separate(&mut self) -> Result<()> {
        if std::mem::take(&mut self.awaited) {
            return Ok(());
        }
        match self.open.last_mut().map(|open| std::mem::replace(&mut open.filled, true)) {
            Some(true) => self.write(b", "),
            _ => Ok(()),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes).map_err(|error| Error::io("cannot write the result", error))
    }

    fn text(&mut self, text: &str) -> Result<()> {
        self.write(quoted(text).as_bytes())
    }

    fn part(&mut self, part: Part<'_>) -> Result<()> {
        match part {
            Part::Float(value, _) => self.write(float(value).as_bytes()),
            Part::Bits(bits) => self.write(bits_object(bits).as_bytes()),
        }
    }
}

impl Sink for JsonSink<'_> {
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        self.separate()?;
        match value {
            Scalar::Null => self.write(b"null"),
            Scalar::Bool(value) => self.write(if value { b"true" } else { b"false" }),
            Scalar::Int(value) => self.write(value.to_string().as_bytes()),
            Scalar::Float(value, _) => self.write(float(value).as_bytes()),
            Scalar::Text(text) => self.text(text),
            Scalar::Bits(bits) => self.write(bits_object(bits).as_bytes()),
            Scalar::Complex(re, im) => {
                self.write(b"[")?;
                self.part(re)?;
                self.write(b", ")?;
                self.part(im)?;
                self.write(b"]")
            }
        }
    }

    fn begin_array(&mut self, _: u64) -> Result<()> {
        self.begin(b"[", b"]")
    }

    fn end_array(&mut self) -> Result<()> {
        self.end()
    }

    fn begin_struct(&mut self) -> Result<()> {
        self.begin(b"{", b"}")
    }

    fn field(&mut self, name: &str) -> Result<()> {
        self.separate()?;
        self.text(name)?;
        self.awaited = true;
        self.write(b": ")
    }

    fn end_struct(&mut self) -> Result<()> {
        self.end()
    }
}

/// A float as JSON: the shortest decimal that gives the same f8 back.
pub(crate) fn float(value: f64) -> String {
    if value.is_nan() {
        return "\"nan\"".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "\"inf\"" } else { "\"-inf\"" }.to_owned();
    }
    let text = format!("{value:?}");
    if text.contains(['.', 'e']) { text } else { text + ".0" }
}

/// A text as a JSON string. Control characters and those that change the direction of text are
/// escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // A `String` takes all.
            c => drop(push(&mut quoted, c)),
        }
    }
    quoted.push('"');
    quoted
}

/// Writes a character of a text, escaped if it controls a terminal or changes the direction of
/// text.
fn push(out: &mut dyn fmt::Write, c: char) -> fmt::Result {
    if !is_hidden(c) {
        return out.write_char(c);
    }
    let mut units = [0; 2];
    c.encode_utf16(&mut units).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))
}

/// JSON with such characters escaped: they stand in its texts only.
pub(crate) struct Safe<T>(pub(crate) T);

impl<T: fmt::Display> fmt::Display for Safe<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (pretty, json) = (f.alternate(), &self.0);
        let mut out = Escaping(f);
        if pretty { write!(out, "{json:#}") } else { write!(out, "{json}") }
    }
}

struct Escaping<'e, 'f>(&'e mut fmt::Formatter<'f>);

impl fmt::Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|c| match c {
            '\n' => self.0.write_char(c),
            c => push(self.0, c),
        })
    }
}

/// `{"bits": "7ff8…"}`
pub(crate) fn bits_object(bits: &[u8]) -> String {
    let digits: String = bits.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{{\"bits\": \"{digits}\"}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_short_and_exact() {
        assert_eq!(float(0.1), "0.1");
        assert_eq!(float(f64::from(0.1_f32)), "0.10000000149011612");
        assert_eq!(float(-0.0), "-0.0");
        assert_eq!(float(1e300), "1e300");
        assert_eq!(float(f64::NEG_INFINITY), "\"-inf\"");
    }

    #[test]
    fn what_ends_early_is_whole() {
        let closed = |write: &dyn Fn(&mut JsonSink<'_>) -> Result<()>| {
            let mut text = Vec::new();
            let mut sink = JsonSink::new(&mut text);
            write(&mut sink).expect("written");
            sink.close().expect("written");
            String::from_utf8(text).expect("text")
        };
        assert_eq!(closed(&|_| Ok(())), "null");
        assert_eq!(closed(&|sink| sink.scalar(Scalar::Int(7))), "7");
        let early = closed(&|sink| {
            sink.begin_array(2)?;
            sink.begin_struct()?;
            sink.field("a")?;
            sink.scalar(Scalar::Int(1))?;
            sink.field("b")?;
            sink.begin_array(3)?;
            sink.scalar(Scalar::Null)
        });
        assert_eq!(early, r#"[{"a": 1, "b": [null]}]"#);
        let named = closed(&|sink| {
            sink.begin_struct()?;
            sink.field("a")
        });
        assert_eq!(named, r#"{"a": null}"#);
    }

    #[test]
    fn nothing_gets_through_to_a_terminal() {
        assert_eq!(quoted("a\u{1b}[2J\u{202e}\"\\"), r#""a\u001b[2J\u202e\"\\""#);
    }
}
