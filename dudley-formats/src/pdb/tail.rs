//! The lines at the end of a PDB file: the chart of types, the table of symbols, and what is said behind it.

use std::collections::HashMap;
use std::sync::Arc;

use dudley::bytes::Source;
use dudley::verify::Finding;
use dudley::{ByteOrder, Result, Severity};

use super::header::{Header, numbers};
use super::{BETWEEN, END, LINE_ENDS};
use crate::cursor::{Cursor, malformed};
use crate::headers;

/// A line, in words, and where it stands.
pub(super) struct Line {
    pub(super) words: Vec<String>,
    pub(super) at: u64,
}

/// What the lines say.
#[derive(Default)]
pub(super) struct Tail {
    /// A type: its name, how many bytes it has, its members.
    pub(super) chart: Vec<Line>,
    /// A symbol: name, type, count, address, then the first index and the length of each dimension.
    pub(super) symbols: Vec<Line>,
    /// Types of numbers: name, size, alignment, and how they are stored.
    pub(super) primitives: Vec<Line>,
    /// The alignments of characters, pointers, `short`, `int`, `long`, `float`, `double`.
    pub(super) alignments: Vec<u8>,
    /// The least alignment of structs.
    pub(super) struct_alignment: u64,
    /// Bytes, byte order and alignment of `long_long`.
    pub(super) long_long: Vec<u8>,
    /// Whether dimensions are said fastest first.
    pub(super) is_fastest_first: bool,
    /// The first index where nothing else is said.
    pub(super) first_index: i64,
    /// Of symbols in several blocks, where each is, and how many elements it has.
    pub(super) blocks: HashMap<String, Vec<(u64, u64)>>,
    pub(super) version: Option<String>,
}

impl Tail {
    pub(super) fn read(
        source: &Arc<dyn Source>,
        header: &Header,
        found: &mut dyn FnMut(Finding),
    ) -> Result<Tail> {
        let mut lines = Lines(Cursor::new(source, ByteOrder::Little, header.chart));
        let mut tail = Tail { chart: lines.list()?, ..Tail::default() };
        let is_type =
            |line: &&Line| line.words.get(1).is_some_and(|size| size.trim().parse::<u64>().is_ok());
        if let Some(line) = tail.chart.iter().find(|line| !is_type(line)) {
            return Err(malformed(line.at, "a type of the chart has no size"));
        }
        lines = Lines(Cursor::new(source, ByteOrder::Little, header.symbols));
        while let Some((at, line)) = lines.next()?.filter(|(_, line)| !line.is_empty()) {
            tail.symbols.push(Line { words: split(&line), at });
        }
        // What follows is no more than words on the symbols: without it they are there.
        if let Err(error) = tail.extras(&mut lines) {
            if error.is_unread() {
                return Err(error);
            }
            found(Finding::of_error(Severity::Error, "extras", &error));
        }
        Ok(tail)
    }

    fn extras(&mut self, lines: &mut Lines) -> Result<()> {
        while let Some((_, line)) = lines.next()? {
            let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
            let (name, value) = (&line[..colon], &line[colon + 1..]);
            let number = || headers::text(value).trim().parse::<i64>().unwrap_or(0);
            match name {
                b"Offset" => self.first_index = number(),
                b"Alignment" => self.alignments = value.to_vec(),
                b"Struct-Alignment" | b"Struct-Align" => {
                    self.struct_alignment =
                        self.struct_alignment.max(number().max(0).unsigned_abs());
                }
                b"Longlong-Format-Alignment" => self.long_long = value.to_vec(),
                b"Major-Order" => self.is_fastest_first = number() == 102,
                b"Version" => self.version = Some(headers::text(value)),
                b"Primitive-Types" => self.primitives = lines.list()?,
                b"Casts" => drop(lines.list()?),
                b"Blocks" => self.blocks = blocks(lines.list()?),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Blocks by the names of their symbols: a line goes on in the next one, which then has no name.
fn blocks(lines: Vec<Line>) -> HashMap<String, Vec<(u64, u64)>> {
    let mut blocks: HashMap<String, Vec<(u64, u64)>> = HashMap::new();
    let mut last = String::new();
    for Line { words, .. } in lines {
        let (name, rest) = match &words[..] {
            [name, rest, ..] => (Some(name), rest),
            [rest] => (None, rest),
            [] => continue,
        };
        let rest = rest.replace(' ', &BETWEEN.to_string());
        let mut numbers = &numbers(rest.trim_matches(BETWEEN).as_bytes())[..];
        if let Some(name) = name {
            last.clone_from(name);
            numbers = numbers.get(1..).unwrap_or_default();
        }
        let pairs = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1]));
        blocks.entry(last.clone()).or_default().extend(pairs.filter(|pair| pair.1 > 0));
    }
    blocks
}

fn split(line: &[u8]) -> Vec<String> {
    // A NUL is no end here: what stands behind it is part of the name.
    let text = match std::str::from_utf8(line) {
        Ok(text) => text.replace('\0', "\u{fffd}"),
        Err(_) => headers::text(line),
    };
    text.trim_end_matches(BETWEEN).split(BETWEEN).map(str::to_owned).collect()
}

struct Lines(Cursor);

impl Lines {
    /// The next line, and where it stands; none at the end of the file.
    fn next(&mut self) -> Result<Option<(u64, Vec<u8>)>> {
        let at = self.0.at();
        if self.0.left() == 0 { Ok(None) } else { Ok(Some((at, self.0.line_of(LINE_ENDS)?))) }
    }

    /// The lines up to the one that ends a list.
    fn list(&mut self) -> Result<Vec<Line>> {
        let mut list = Vec::new();
        while let Some((at, line)) = self.next()?.filter(|(_, line)| line.first() != Some(&END)) {
            if !line.is_empty() {
                list.push(Line { words: split(&line), at });
            }
        }
        Ok(list)
    }
}
