//! The lines at the end of a PDB file: the chart of types, the table of symbols, and the extras after it.

use std::collections::HashMap;
use std::sync::Arc;

use dudley::bytes::Source;
use dudley::verify::Finding;
use dudley::{ByteOrder, Result, Severity};

use super::header::{Header, Integer, byte_order, numbers};
use super::{BETWEEN, END, LINE_ENDS};
use crate::cursor::{Cursor, malformed};
use crate::headers;

/// A line, split into words, and its address.
pub(super) struct Line {
    pub(super) words: Vec<String>,
    pub(super) at: u64,
}

/// The content of the lines.
#[derive(Default)]
pub(super) struct Tail {
    /// Types: name, number of bytes, members.
    pub(super) chart: Vec<Line>,
    /// Symbols: name, type, count, address, then the first index and the length of each dimension.
    pub(super) symbols: Vec<Line>,
    /// Types of numbers: name, size, alignment and storage.
    pub(super) primitives: Vec<Line>,
    /// The alignments of characters, pointers, `short`, `int`, `long`, `float`, `double`.
    pub(super) alignments: Vec<u8>,
    /// The least alignment of structs.
    pub(super) struct_alignment: u64,
    /// The storage of `long_long` and its alignment.
    pub(super) long_long: Option<(Integer, u8)>,
    /// Whether dimensions are listed fastest first.
    pub(super) is_fastest_first: bool,
    /// The default first index.
    pub(super) first_index: i64,
    pub(super) blocks: HashMap<String, Blocks>,
    pub(super) version: Option<String>,
}

/// The blocks of a symbol.
pub(super) struct Blocks {
    /// The declared number of blocks.
    pub(super) count: u64,
    /// The address and the number of elements of each.
    pub(super) list: Vec<(u64, u64)>,
}

impl Tail {
    pub(super) fn read(
        source: &Arc<dyn Source>,
        header: &Header,
        found: &mut dyn FnMut(Finding),
    ) -> Result<Tail> {
        let mut lines = Lines(Cursor::new(source, ByteOrder::Little, header.chart));
        let mut tail = Tail { chart: lines.list("the chart of types")?, ..Tail::default() };
        let is_type =
            |line: &&Line| line.words.get(1).is_some_and(|size| size.trim().parse::<u64>().is_ok());
        if let Some(line) = tail.chart.iter().find(|line| !is_type(line)) {
            return Err(malformed(line.at, "a type of the chart has no size"));
        }
        lines = Lines(Cursor::new(source, ByteOrder::Little, header.symbols));
        loop {
            match lines.need("the table of symbols")? {
                (_, line) if line.is_empty() => break,
                (at, line) => tail.symbols.push(Line { words: split(&line), at }),
            }
        }
        tail.extras(&mut lines, found)?;
        Ok(tail)
    }

    fn extras(&mut self, lines: &mut Lines, found: &mut dyn FnMut(Finding)) -> Result<()> {
        let (mut unknown, mut first) = (0_u64, None);
        while lines.0.left() > 0 {
            let (at, line) = lines.need("a line behind the symbols")?;
            let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
            let (name, value) = (&line[..colon], line.get(colon + 1..).unwrap_or_default());
            let wrong = |why: &str| {
                malformed(
                    at,
                    format!("`{}` is `{}`, {why}", headers::text(name), headers::text(value)),
                )
            };
            let number =
                || headers::text(value).trim().parse::<i64>().map_err(|_| wrong("no number"));
            match name {
                // Names themselves show whether there are directories.
                b"" | b"Previous-File" | b"Dynamic Spaces" | b"Has-Directories" => {}
                b"Offset" => self.first_index = number()?,
                b"Alignment" if value.len() < 7 => {
                    return Err(wrong("and has the alignments of seven types"));
                }
                b"Alignment" => self.alignments = value.to_vec(),
                b"Struct-Alignment" | b"Struct-Align" => {
                    self.struct_alignment =
                        self.struct_alignment.max(number()?.max(0).unsigned_abs());
                }
                b"Longlong-Format-Alignment" => {
                    let [size, order, align, ..] = *value else {
                        return Err(wrong("and has three bytes"));
                    };
                    let at = at + colon as u64 + 2;
                    self.long_long = Some((Integer { size, order: byte_order(order, at)? }, align));
                }
                b"Major-Order" => {
                    self.is_fastest_first = match number()? {
                        101 => false,
                        102 => true,
                        _ => return Err(wrong("neither 101 nor 102")),
                    }
                }
                b"Version" => self.version = Some(headers::text(value)),
                b"Primitive-Types" => self.primitives = lines.list("the primitive types")?,
                b"Casts" => drop(lines.list("the casts")?),
                b"Blocks" => self.blocks = blocks(lines.list("the blocks")?)?,
                _ => {
                    unknown += 1;
                    first.get_or_insert_with(|| (at, headers::text(name)));
                }
            }
        }
        if let Some((at, name)) = first {
            let what = format!(
                "lines behind the symbols that are not known here: {unknown}, of which the first is `{name}`"
            );
            found(Finding::new(Severity::Note, "extras", what).at(at, 0));
        }
        Ok(())
    }
}

/// Blocks by symbol name: a line may continue on the next one, which then has no name.
fn blocks(lines: Vec<Line>) -> Result<HashMap<String, Blocks>> {
    let mut blocks: HashMap<String, Blocks> = HashMap::new();
    let mut last = None;
    for Line { words, at } in lines {
        let (name, rest) = match &words[..] {
            [name, rest, ..] => (Some(name), rest),
            [rest] => (None, rest),
            [] => continue,
        };
        let wrong = |why: &str| malformed(at, format!("blocks of a symbol {why}"));
        let rest = rest.replace(' ', &BETWEEN.to_string());
        let numbers = numbers(rest.as_bytes())
            .ok_or_else(|| wrong("are said by other words than numbers"))?;
        let mut pairs = &numbers[..];
        if let Some(name) = name {
            let (count, rest) = numbers.split_first().ok_or_else(|| wrong("are not counted"))?;
            (last, pairs) = (Some(name.clone()), rest);
            if blocks.insert(name.clone(), Blocks { count: *count, list: Vec::new() }).is_some() {
                return Err(wrong("are listed twice"));
            }
        }
        let of = last.as_ref().and_then(|name| blocks.get_mut(name));
        let of = of.ok_or_else(|| wrong("are listed without its name"))?;
        let (pairs, odd) = pairs.as_chunks::<2>();
        if !odd.is_empty() {
            return Err(wrong("have an address without a count"));
        }
        of.list.extend(pairs.iter().map(|[address, count]| (*address, *count)));
    }
    Ok(blocks)
}

fn split(line: &[u8]) -> Vec<String> {
    // A NUL does not end a word: text after it is part of the name.
    let text = match std::str::from_utf8(line) {
        Ok(text) => text.replace('\0', "\u{fffd}"),
        Err(_) => headers::text(line),
    };
    text.trim_end_matches(BETWEEN).split(BETWEEN).map(str::to_owned).collect()
}

struct Lines(Cursor);

impl Lines {
    /// Reads the next line and its address; `what` names the part of the file, for an error if the file ends first.
    fn need(&mut self, what: &str) -> Result<(u64, Vec<u8>)> {
        Ok((self.0.at(), self.0.line_of(LINE_ENDS, what)?))
    }

    /// Reads lines up to the end mark of a list.
    fn list(&mut self, what: &str) -> Result<Vec<Line>> {
        let mut list = Vec::new();
        loop {
            match self.need(what)? {
                (_, line) if line.first() == Some(&END) => return Ok(list),
                (_, line) if line.is_empty() => {}
                (at, line) => list.push(Line { words: split(&line), at }),
            }
        }
    }
}
