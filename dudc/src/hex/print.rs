//! Prints parts one by one: it finds the gaps between them, and shows the requested bytes of each.

use std::io::Write;

use dudley::bytes::Source;
use dudley::{ByteOrder, Error};
use dudley_parser::render::Style;

use super::decode::Decoder;
use super::{Kind, LeftOut, Options, Part, failed};
use crate::failure::{Failure, Result};
use crate::options::Format;
use crate::rows::Errors;

/// Bytes of a line.
pub(super) const WIDTH: u64 = 16;

/// Lines of a part that is shown whole, and how many of the start and the end of a longer one.
const WHOLE: u64 = 8;
const EDGES: (u64, u64) = (4, 1);

/// The same if addresses are requested.
const WHOLE_IN_RANGE: u64 = 256;

/// A gap of zeros that is smaller is padding.
const SMALL: u64 = 16;

/// Shows parts.
pub(crate) struct Printer<'p> {
    pub(super) source: &'p dyn Source,
    /// The layout that is attached behind the stream.
    tail: Vec<u8>,
    pub(super) out: &'p mut dyn Write,
    pub(super) style: Style,
    pub(super) decoder: Decoder,
    pub(super) format: Format,
    pub(super) all: bool,
    /// The addresses that are shown.
    pub(super) range: (u64, u64),
    ranged: bool,
    /// Gaps are shown: nothing is left out.
    gaps: bool,
    /// Behind the last shown byte.
    cursor: u64,
    /// The omitted part there, up to the next part.
    elided: Option<LeftOut>,
    /// A heading that nothing was shown of yet.
    heading: Option<Part>,
    /// Digits of an address.
    pub(super) digits: usize,
    /// The number of shown parts: colours alternate.
    pub(super) shown: usize,
    errors: Errors,
}

/// The lines of a part that are shown: from the first to before the second, and again.
pub(super) type Runs = [(u64, u64); 2];

impl<'p> Printer<'p> {
    /// Shows parts of a source.
    ///
    /// # Errors
    /// If it has none of the requested bytes.
    pub(super) fn new(
        source: &'p dyn Source,
        options: &Options<'_>,
        out: &'p mut dyn Write,
    ) -> Result<Printer<'p>> {
        Printer::with_tail(source, Vec::new(), options, out)
    }

    /// The same of a stream with the layout that is attached to it.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub(super) fn with_tail(
        source: &'p dyn Source,
        tail: Vec<u8>,
        options: &Options<'_>,
        out: &'p mut dyn Write,
    ) -> Result<Printer<'p>> {
        let whole = source.len().saturating_add(tail.len() as u64);
        let range = match options.range {
            Some(range) => range.within(source.len(), whole)?,
            None => (0, u64::MAX),
        };
        Ok(Printer {
            source,
            tail,
            out,
            style: options.style,
            decoder: Decoder::default(),
            format: options.format,
            all: options.all,
            range,
            ranged: options.range.is_some(),
            gaps: options.path.is_none(),
            cursor: 0,
            elided: None,
            heading: None,
            digits: format!("{whole:x}").len().max(8),
            shown: 0,
            errors: Errors::default(),
        })
    }

    /// Whether only some addresses are shown.
    pub(super) fn ranged(&self) -> bool {
        self.ranged
    }

    /// Bytes of the layout that is attached.
    pub(super) fn tail(&self) -> u64 {
        self.tail.len() as u64
    }

    /// The text before all parts.
    pub(super) fn begin(&mut self, kind: &str, order: Option<ByteOrder>) -> Result<()> {
        match self.format {
            Format::Human => Ok(()),
            Format::Json => self.begin_json(kind, order).map_err(failed),
        }
    }

    /// The text behind them; returns the faults.
    pub(super) fn finish(self) -> Result<Errors> {
        if self.format == Format::Json {
            writeln!(self.out, "\n ]}}").map_err(failed)?;
        }
        self.out.flush().map_err(failed)?;
        if self.ranged && self.shown == 0 && self.errors.count == 0 {
            let (from, to) = (self.range.0, self.range.1.min(self.source.len()));
            return Err(Failure::input(format!(
                "nothing of what is asked for lies from {from:#x} up to {to:#x}"
            )));
        }
        Ok(self.errors)
    }

    pub(super) fn wrong(&mut self, error: Error) {
        self.errors.add(error);
    }

    /// Shows a part, and the bytes between it and the previous one.
    pub(super) fn part(&mut self, part: Part) -> Result<()> {
        match part.kind {
            Kind::Heading => {
                self.heading = Some(part);
                return Ok(());
            }
            // The next part shows how far it goes.
            Kind::Elided if part.bytes == 0 => {
                // For two in one list, the first counts: the items between them could not be placed, so the
                // bytes belong to the item before them.
                let list = part.left_out.as_ref().and_then(LeftOut::list);
                let again = self.elided.as_ref().and_then(LeftOut::list);
                if list.is_none() || list != again {
                    self.elided = part.left_out;
                }
                return Ok(());
            }
            // The rest of structs up to their end.
            Kind::Padding if part.bytes == 0 => {
                return match self.elided {
                    None => self.between(part.address, &format!("at the end of {}", part.path)),
                    Some(_) => Ok(()),
                };
            }
            _ => {}
        }
        let behind = part.kind == Kind::Layout;
        // If only some items are requested, the bytes between them are not, except omitted parts.
        let between = self.gaps || self.elided.is_some();
        if between && part.address > self.cursor && !behind {
            self.between(part.address, &format!("before {}", part.path))?;
        }
        self.elided = None;
        let back =
            self.gaps && part.bytes > 0 && part.address < self.cursor && part.kind != Kind::Elided;
        self.cursor = self.cursor.max(part.end());
        self.one(&part, back)
    }

    /// Shows bytes that belong to no item, up to an address; `place` describes it, if that is
    /// known.
    pub(super) fn between(&mut self, to: u64, place: &str) -> Result<()> {
        let to = to.min(self.source.len());
        let from = self.cursor;
        // All items of the list with bytes in a range were shown: the omitted ones have none there.
        let is_gap = |what: &LeftOut| matches!(what, LeftOut::Others { .. }) && self.gaps;
        if let (Some(what), true) = (self.elided.take().filter(|it| !is_gap(it)), from < to) {
            self.cursor = to;
            let part = Part { address: from, bytes: to - from, ..Part::left_out(what) };
            return self.one(&part, false);
        }
        if to <= from || !self.gaps {
            return Ok(());
        }
        self.cursor = to;
        let small = to - from < SMALL && !place.is_empty() && self.is_zero(from, to - from);
        let mut gap = Part::new(Kind::Gap, from, to - from, "");
        if small {
            gap.kind = Kind::Padding;
            gap.doc = Some(place.to_owned());
        }
        self.one(&gap, false)
    }

    fn is_zero(&mut self, address: u64, bytes: u64) -> bool {
        self.read(address, bytes).iter().all(|byte| *byte == 0)
    }

    fn one(&mut self, part: &Part, back: bool) -> Result<()> {
        let (from, to) = self.range;
        let outside = part.address >= to || part.end() <= from;
        if outside && (part.bytes > 0 || self.ranged) {
            return Ok(());
        }
        let named = !matches!(part.kind, Kind::Padding | Kind::Gap | Kind::Elided);
        if named
            && let Some(heading) = self.heading.take()
            && self.format == Format::Human
            && (heading.grid.is_some() || part.path.starts_with(&heading.path))
        {
            self.heading_line(&heading).map_err(failed)?;
        }
        self.shown += 1;
        let length = self.end_of(part);
        let shown = match self.format {
            Format::Human => self.lines(part, back),
            Format::Json => self.json(part),
        };
        shown.map_err(failed)?;
        if part.end() > length && part.bytes > 0 {
            let available = length.saturating_sub(part.address);
            let error = Error::truncated(part.address, part.bytes, available);
            let error = error.of_item(&part.path);
            if self.format == Format::Human {
                let missing = match part.bytes - available {
                    1 => "1 byte is missing".to_owned(),
                    missing => format!("{missing} bytes are missing"),
                };
                self.note(&format!("the stream ends here: {missing}")).map_err(failed)?;
            }
            self.wrong(error);
        }
        Ok(())
    }

    /// The shown lines of a part with this many lines, where each has this many bytes.
    pub(super) fn runs(&self, part: &Part, lines: u64, per_line: u64) -> Runs {
        let (from, to) = self.range;
        let first = from.saturating_sub(part.address) / per_line;
        let last = to.saturating_sub(part.address).div_ceil(per_line).min(lines);
        let whole = if self.ranged { WHOLE_IN_RANGE } else { WHOLE };
        if self.all || last.saturating_sub(first) <= whole {
            return [(first, last), (last, last)];
        }
        let (head, tail) = if self.ranged { (WHOLE_IN_RANGE, 0) } else { EDGES };
        [(first, first + head), (last - tail, last)]
    }

    /// The end of the region that contains a part: items end with the stream, whatever is attached
    /// to it.
    pub(super) fn end_of(&self, part: &Part) -> u64 {
        let tail = if part.kind == Kind::Layout { self.tail.len() as u64 } else { 0 };
        self.source.len().saturating_add(tail)
    }

    /// The bytes of a part that are there, from this many on.
    pub(super) fn read_in(&mut self, part: &Part, from: u64, bytes: u64) -> Vec<u8> {
        let (address, bytes) =
            (part.address.saturating_add(from), bytes.min(part.bytes.saturating_sub(from)));
        if part.kind != Kind::Layout {
            return self.read(address, bytes);
        }
        let at = usize::try_from(address.saturating_sub(self.source.len())).unwrap_or(usize::MAX);
        let tail = self.tail.get(at..).unwrap_or_default();
        tail[..tail.len().min(usize::try_from(bytes).unwrap_or(usize::MAX))].to_vec()
    }

    /// The bytes from an address on, as far as there are any.
    pub(super) fn read(&mut self, address: u64, bytes: u64) -> Vec<u8> {
        let available = self.source.len().saturating_sub(address).min(bytes);
        if available == 0 {
            return Vec::new();
        }
        let mut buffer = vec![0; usize::try_from(available).unwrap_or(0)];
        match self.source.read_at(address, &mut buffer) {
            Ok(()) => buffer,
            Err(error) => {
                self.wrong(error);
                Vec::new()
            }
        }
    }
}
