//! Parts as JSON.

use std::io;

use dudley::ByteOrder;

use super::print::Printer;
use super::{Kind, Part};
use crate::json::quoted;

/// Bytes of a part that are written, unless all are requested.
const SHOWN: u64 = 64;

impl Printer<'_> {
    pub(super) fn begin_json(&mut self, kind: &str, order: Option<ByteOrder>) -> io::Result<()> {
        write!(self.out, "{{\"version\": 1, \"kind\": {}", quoted(kind))?;
        if let Some(order) = order {
            write!(self.out, ", \"order\": \"{}\"", order.symbol())?;
        }
        write!(self.out, ", \"bytes\": {},\n \"parts\": [", self.source.len())
    }

    /// Writes a part.
    pub(super) fn json(&mut self, part: &Part) -> io::Result<()> {
        let comma = if self.shown > 1 { "," } else { "" };
        let (kind, address, count) = (part.kind.as_str(), part.address, part.bytes);
        write!(
            self.out,
            "{comma}\n  {{\"kind\": \"{kind}\", \"address\": {address}, \"bytes\": {count}"
        )?;
        for (key, text) in [("path", &part.path), ("dtype", &part.dtype)] {
            if !text.is_empty() {
                write!(self.out, ", \"{key}\": {}", quoted(text))?;
            }
        }
        if !part.dtype.is_empty() {
            let dims: Vec<String> = part.shape.iter().map(u64::to_string).collect();
            write!(self.out, ", \"shape\": [{}]", dims.join(", "))?;
        }
        for (key, text) in [("unit", &part.unit), ("doc", &part.doc)] {
            if let Some(text) = text {
                write!(self.out, ", \"{key}\": {}", quoted(text))?;
            }
        }
        if let Some(what) = &part.left_out {
            write!(self.out, ", \"doc\": {}", quoted(&what.to_string()))?;
        }
        // Omitted parts are not shown; of the layout, only the requested bytes.
        let asked = part.kind != Kind::Layout || self.all || self.ranged();
        if part.kind != Kind::Elided && asked {
            self.bytes(part)?;
        }
        write!(self.out, "}}")
    }

    /// The bytes of a part from its start, or from the requested address on, and the values of the complete
    /// elements in them.
    fn bytes(&mut self, part: &Part) -> io::Result<()> {
        let unit = part.element.as_ref().map_or(1, |element| element.bytes.max(1));
        let (from, to) = self.range;
        let first = from.saturating_sub(part.address) / unit * unit;
        let last = to.saturating_sub(part.address).div_ceil(unit).saturating_mul(unit);
        let there = self.end_of(part).saturating_sub(part.address);
        let wanted = last.min(part.bytes).min(there).saturating_sub(first);
        let shown = if self.all || self.ranged() {
            wanted
        } else {
            wanted.min(SHOWN.max(unit.min(1024)) / unit.min(1024) * unit.min(1024))
        };
        // Long parts are written while they are read.
        const BLOCK: u64 = 1 << 16;
        let block = (BLOCK / unit).max(1) * unit;
        write!(self.out, ", \"hex\": \"")?;
        let mut at = first;
        while at < first + shown {
            let bytes = self.read_in(part, at, block.min(first + shown - at));
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            write!(self.out, "{digits}")?;
            at += block;
        }
        write!(self.out, "\"")?;
        if first > 0 || shown < part.bytes {
            write!(self.out, ", \"shown\": [{first}, {}]", first + shown)?;
        }
        let Some(element) = part.element.clone() else { return Ok(()) };
        write!(self.out, ", \"values\": [")?;
        let (mut at, end) = (first, first + shown / unit * unit);
        while at < end {
            let bytes = self.read_in(part, at, block.min(end - at));
            let values = self.decoder.values(&element, &bytes).unwrap_or_default();
            let comma = if at > first && !values.is_empty() { ", " } else { "" };
            write!(self.out, "{comma}{values}")?;
            at += block;
        }
        write!(self.out, "]")
    }
}
