//! Parts as lines for people: address, bytes, and their meaning.

use std::fmt::Write as _;
use std::io;

use super::print::{Printer, WIDTH};
use super::{Kind, Part};
use crate::changes::paint;
use crate::failure::printable;

/// Characters that the bytes of a line take.
const HEX: usize = WIDTH as usize * 3 + 1;

/// Colours of parts that follow each other.
const COLORS: [&str; 3] = ["\u{1b}[36m", "\u{1b}[32m", "\u{1b}[33m"];
const DIM: &str = "\u{1b}[2m";
const BOLD: &str = "\u{1b}[1m";
const RED: &str = "\u{1b}[1;31m";

/// Bytes of text that are shown as the value of it.
const TEXT_SHOWN: u64 = 64;

impl Printer<'_> {
    /// Announces the next parts.
    pub(super) fn heading_line(&mut self, part: &Part) -> io::Result<()> {
        let what = self.described(part);
        self.line(None, "", "", &what)
    }

    /// Something to be seen that is no part.
    pub(super) fn note(&mut self, text: &str) -> io::Result<()> {
        let text = paint(self.style, RED, &format!("!! {text}"));
        self.line(None, "", "", &text)
    }

    fn line(&mut self, address: Option<u64>, hex: &str, color: &str, what: &str) -> io::Result<()> {
        let address = match address {
            Some(address) => format!("{address:0digits$x}", digits = self.digits),
            None => " ".repeat(self.digits),
        };
        let pad = " ".repeat(HEX.saturating_sub(hex.chars().count()));
        let hex = if hex.is_empty() { String::new() } else { paint(self.style, color, hex) };
        let line = format!("{}  {hex}{pad}  {what}", paint(self.style, DIM, &address));
        writeln!(self.out, "{}", line.trim_end())
    }

    /// Path, type, unit and documentation.
    fn described(&self, part: &Part) -> String {
        let mut what = paint(self.style, BOLD, &printable(&part.path));
        if !part.dtype.is_empty() {
            let _ = write!(what, "  {}{}", printable(&part.dtype), shape(&part.shape));
        }
        what += &self.remarks(part);
        what
    }

    fn remarks(&self, part: &Part) -> String {
        let mut text = String::new();
        if let Some(unit) = &part.unit {
            text += &format!("  ({unit})");
        }
        if let Some(doc) = &part.doc {
            text += &format!("  {doc}");
        }
        if text.is_empty() { text } else { paint(self.style, DIM, &printable(&text)) }
    }

    /// Shows a part.
    pub(super) fn lines(&mut self, part: &Part, back: bool) -> io::Result<()> {
        if back {
            self.note(&format!(
                "back to {:#x}: {} lies in what was shown",
                part.address, part.path
            ))?;
        }
        let shown = self.all || self.ranged();
        match part.kind {
            Kind::Elided => return self.elided(part),
            // A requested range shows its bytes, whatever their item.
            Kind::Padding | Kind::Gap if !shown || part.bytes <= WIDTH => {
                return self.unnamed(part);
            }
            Kind::Layout if !shown => return self.unnamed(part),
            _ => {}
        }
        let per_line = per_line(part);
        let lines = part.bytes.div_ceil(per_line);
        if lines <= 1 {
            return self.single(part);
        }
        let text = part.element.as_ref().is_some_and(|element| element.text);
        let mut heading = match part.kind {
            Kind::Padding | Kind::Gap => self.unclaimed(part),
            _ => self.described(part),
        };
        if text && let Some(value) = self.value(part, 0, part.bytes.min(TEXT_SHOWN)) {
            heading = format!("{heading}  {value}");
        }
        self.line(None, "", "", &heading)?;
        let color = COLORS[self.shown % COLORS.len()];
        // A damaged count may say more than there is.
        let there = part.bytes.min(self.end_of(part).saturating_sub(part.address));
        let [head, tail] = self.runs(part, there.div_ceil(per_line), per_line);
        for number in head.0..head.1 {
            self.numbered(part, number, per_line, color)?;
        }
        if tail.0 > head.1 {
            let bytes = (tail.0 - head.1) * per_line;
            let mut left = format!("… {bytes} bytes");
            if let Some(element) = part.element.as_ref().filter(|element| !element.text) {
                let _ = write!(left, ", {} elements", bytes / element.bytes.max(1));
            }
            let left = paint(self.style, DIM, &left);
            self.line(None, "…", DIM, &left)?;
        }
        for number in tail.0.max(head.1)..tail.1 {
            self.numbered(part, number, per_line, color)?;
        }
        Ok(())
    }

    /// One of the lines of a part: bytes, and their elements.
    fn numbered(&mut self, part: &Part, number: u64, per_line: u64, color: &str) -> io::Result<()> {
        let offset = number * per_line;
        let address = part.address + offset;
        let bytes = self.read_in(part, offset, per_line);
        if bytes.is_empty() {
            return Ok(());
        }
        let what = match &part.element {
            Some(element) if !element.text => {
                let number = offset / element.bytes.max(1);
                let index = match (&part.grid, &part.order) {
                    (Some((shape, first)), _) => index(shape, first.saturating_add(number)),
                    (None, Some(order)) => order.index(number),
                    (None, None) => index(&part.shape, number),
                };
                let values = self.decoder.values(element, &bytes).unwrap_or_default();
                format!("  {}  {values}", paint(self.style, DIM, &index))
            }
            _ => format!("  {}", ascii(&bytes)),
        };
        self.line(Some(address), &hex(&bytes), color, &what)
    }

    /// A part of one line.
    fn single(&mut self, part: &Part) -> io::Result<()> {
        let bytes = self.read_in(part, 0, part.bytes);
        let mut what = paint(self.style, BOLD, &printable(&part.path));
        if !part.dtype.is_empty() {
            let _ = write!(what, "  {}{}", printable(&part.dtype), shape(&part.shape));
        }
        if let Some(value) = self.value(part, 0, part.bytes) {
            if part.shape.is_empty() || is_one_text(part) {
                what += &format!(" = {value}")
            } else {
                what += &format!(" = [{value}]")
            }
        } else if part.element.is_none() && !bytes.is_empty() && part.kind != Kind::Signature {
            what += &format!("  {}", ascii(&bytes));
        }
        what += &self.remarks(part);
        let color = COLORS[self.shown % COLORS.len()];
        self.line(Some(part.address), &hex(&bytes), color, &what)
    }

    fn value(&mut self, part: &Part, offset: u64, bytes: u64) -> Option<String> {
        let element = part.element.as_ref()?;
        let whole = bytes / element.bytes.max(1) * element.bytes;
        let bytes = self.read(part.address + offset, if whole == 0 { bytes } else { whole });
        if whole > 0 {
            return self.decoder.values(element, &bytes);
        }
        // The shown part of a long text.
        let element = super::Element { bytes: bytes.len() as u64, ..element.clone() };
        Some(self.decoder.values(&element, &bytes)? + "…")
    }

    /// The omitted part.
    fn elided(&mut self, part: &Part) -> io::Result<()> {
        let what = part.left_out.as_ref().map_or(String::new(), |what| format!(": {what}"));
        let what = printable(&format!("… {}{what}", count(part.bytes)));
        self.line(None, "…", DIM, &paint(self.style, DIM, &what))
    }

    /// Marks bytes that belong to no item.
    fn unclaimed(&self, part: &Part) -> String {
        let name = if part.kind == Kind::Padding { "padding" } else { "gap" };
        let remark = part.doc.as_ref().map_or(String::new(), |doc| format!(" {doc}"));
        let what = printable(&format!("{name}, {}{remark}", count(part.bytes)));
        paint(self.style, DIM, &what)
    }

    /// One line for bytes that belong to no item, or to the layout.
    fn unnamed(&mut self, part: &Part) -> io::Result<()> {
        if part.kind == Kind::Layout {
            let what = self.described(part);
            return self.line(Some(part.address), "…", DIM, &what);
        }
        let what = self.unclaimed(part);
        let bytes = self.read_in(part, 0, WIDTH);
        let shown = if part.bytes > WIDTH {
            hex(&bytes[..bytes.len().min(8)]) + " …"
        } else {
            hex(&bytes)
        };
        self.line(Some(part.address), &shown, DIM, &what)
    }
}

/// Bytes of a line of a part: whole elements.
fn per_line(part: &Part) -> u64 {
    match &part.element {
        Some(element) if !element.text && element.bytes > 0 && element.bytes <= WIDTH => {
            WIDTH / element.bytes * element.bytes
        }
        _ => WIDTH,
    }
}

fn is_one_text(part: &Part) -> bool {
    part.shape.len() == 1 && part.element.as_ref().is_some_and(|element| element.text)
}

fn count(bytes: u64) -> String {
    if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") }
}

fn shape(shape: &[u64]) -> String {
    if shape.is_empty() {
        return String::new();
    }
    let dims: Vec<String> = shape.iter().map(u64::to_string).collect();
    format!("[{}]", dims.join(", "))
}

/// The index of an element by its number, the last dimension fastest.
pub(super) fn index(shape: &[u64], number: u64) -> String {
    let mut rest = number;
    let mut indices = Vec::with_capacity(shape.len());
    for dim in shape.iter().rev() {
        let dim = (*dim).max(1);
        indices.push((rest % dim).to_string());
        rest /= dim;
    }
    indices.reverse();
    format!("[{}]", indices.join(", "))
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(HEX);
    for (at, byte) in bytes.iter().enumerate() {
        match at {
            0 => {}
            at if at % 8 == 0 => text.push_str("  "),
            _ => text.push(' '),
        }
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn ascii(bytes: &[u8]) -> String {
    let shown = bytes.iter().map(|byte| match byte {
        0x20..=0x7e => char::from(*byte),
        _ => '·',
    });
    shown.collect()
}
