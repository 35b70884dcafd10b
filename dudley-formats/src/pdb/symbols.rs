//! The symbols of a PDB file as items of a layout, in the dicts of their names.

use std::collections::HashMap;

use dudley::Severity;
use dudley::model::{Described, Doubt};
use dudley::verify::Finding;
use dudley_parser::comments::AttrValue;
use dudley_parser::layout::text::Text;
use dudley_parser::layout::words::Said;

use super::tail::{Blocks, Line, Tail};
use super::types::Types;
use crate::cursor::malformed;
use crate::headers;

/// The greatest depth of nested dicts.
const DEEPEST: usize = 64;

/// The content of a name.
enum Entry {
    Item { what: String, said: Said },
    Dir(Dir),
}

/// A directory: its entries in order, and the index of each name.
#[derive(Default)]
struct Dir {
    entries: Vec<(String, Entry)>,
    known: HashMap<String, usize>,
}

/// All symbols, and findings about symbols that are no items.
#[derive(Default)]
pub(super) struct Symbols {
    root: Dir,
    notes: Vec<Doubt>,
}

/// A symbol of the table.
struct Symbol<'t> {
    of: &'t str,
    count: u64,
    address: u64,
    /// The first index and the length of each dimension, slowest first.
    dims: Vec<(i64, u64)>,
}

impl Symbols {
    pub(super) fn new(tail: &Tail, types: &Types, found: &mut dyn FnMut(Finding)) -> Symbols {
        let mut symbols = Symbols::default();
        for line in &tail.symbols {
            let name = &line.words[0];
            let names: Vec<&str> = name.split('/').filter(|part| !part.is_empty()).collect();
            let added =
                match Symbol::new(line, tail.is_fastest_first) {
                    Some(symbol) => symbols.add(name, &names, &symbol, tail, types),
                    None => Err("the line of the table of symbols says no type, count and address"
                        .to_owned()),
                };
            if let Err(why) = added {
                let error = malformed(line.at, format!("the symbol `{name}`: {why}"));
                found(
                    Finding::of_error(Severity::Error, "symbol", &error).of(headers::path(&names)),
                );
            }
        }
        symbols
    }

    /// Adds a symbol at its names.
    fn add(
        &mut self,
        name: &str,
        names: &[&str],
        symbol: &Symbol<'_>,
        tail: &Tail,
        types: &Types,
    ) -> Result<(), String> {
        let is_directory = symbol.of == "Directory";
        let (last, folders) = match (names, is_directory) {
            (folders, true) => (None, folders),
            ([folders @ .., last], false) => (Some(*last), folders),
            ([], false) => return Err("it has no name".to_owned()),
        };
        if folders.len() > DEEPEST {
            return Err("directories are in each other deeper than is read".to_owned());
        }
        let mut note =
            |why: String| self.notes.push(Doubt { path: Some(headers::path(names)), why });
        let item = match last {
            Some(_) if symbol.of.contains('*') => {
                note(format!(
                    "a `{}` at address {}: pointers are not followed",
                    symbol.of, symbol.address
                ));
                return Ok(());
            }
            Some(_) => {
                let known = types
                    .get(symbol.of)
                    .ok_or_else(|| format!("`{}` is no type of the file", symbol.of))?;
                if let Some(doubt) = known.doubt() {
                    note(format!("`{}`: {doubt}", symbol.of));
                }
                Some(symbol.item(tail.blocks.get(name), tail, types)?)
            }
            None => None,
        };
        let mut dir = &mut self.root;
        for folder in folders {
            dir = dir.folder(folder)?;
        }
        match (last, item) {
            (Some(last), Some((what, said))) => dir.insert(last, Entry::Item { what, said }),
            _ => Ok(()),
        }
    }

    /// Writes all into a layout.
    pub(super) fn describe(mut self, described: &mut Described) {
        described.notes.append(&mut self.notes);
        self.root.describe(&mut described.layout);
    }
}

impl Dir {
    fn insert(&mut self, name: &str, entry: Entry) -> Result<(), String> {
        if self.known.contains_key(name) {
            return Err("there is another one of the same name".to_owned());
        }
        self.known.insert(name.to_owned(), self.entries.len());
        self.entries.push((name.to_owned(), entry));
        Ok(())
    }

    /// The directory of a name in it, made if necessary.
    fn folder(&mut self, name: &str) -> Result<&mut Dir, String> {
        if !self.known.contains_key(name) {
            self.insert(name, Entry::Dir(Dir::default()))?;
        }
        match self.known.get(name).and_then(|at| self.entries.get_mut(*at)) {
            Some((_, Entry::Dir(dir))) => Ok(dir),
            _ => Err(format!("`{name}`, which is in front of it, is no directory")),
        }
    }

    fn describe(self, layout: &mut Text) {
        for (name, entry) in self.entries {
            match entry {
                Entry::Item { what, said } => layout.item(&name, what, &said),
                Entry::Dir(dir) => {
                    layout.open(&name, &Said::default());
                    dir.describe(layout);
                    layout.close();
                }
            }
        }
    }
}

impl<'t> Symbol<'t> {
    fn new(line: &'t Line, is_fastest_first: bool) -> Option<Symbol<'t>> {
        let [_, of, count, address, dims @ ..] = &line.words[..] else { return None };
        let number = |word: &str| u64::try_from(word.trim().parse::<i64>().ok()?).ok();
        let dim = |pair: &[String]| match pair {
            [first, length] => Some((first.trim().parse().ok()?, number(length)?)),
            _ => None,
        };
        let mut dims: Vec<(i64, u64)> = dims.chunks(2).map(dim).collect::<Option<_>>()?;
        if is_fastest_first {
            dims.reverse();
        }
        Some(Symbol { of: of.trim(), count: number(count)?, address: number(address)?, dims })
    }

    /// The type of a symbol in a layout, and its words.
    fn item(
        &self,
        blocks: Option<&Blocks>,
        tail: &Tail,
        types: &Types,
    ) -> Result<(String, Said), String> {
        let of = types.get(self.of).ok_or("its type is not known")?;
        let mut said = Said::default();
        let firsts: Vec<i64> = self.dims.iter().map(|(first, _)| *first).collect();
        if firsts.iter().any(|first| *first != tail.first_index) {
            headers::attribute(&mut said, "first_index", AttrValue::Ints(firsts));
        }
        let mut dims: Vec<u64> = self.dims.iter().map(|(_, length)| *length).collect();
        if dims.is_empty() && self.count != 1 {
            dims.push(self.count);
        }
        let size = |dims: &[u64]| {
            let size =
                headers::bytes(dims, of.size).filter(|_| i64::try_from(self.address).is_ok());
            size.ok_or_else(|| format!("no file has as many elements as {dims:?}"))
        };
        let Some(Blocks { count, list }) = blocks else {
            if headers::bytes(&dims, 1) != Some(self.count) {
                return Err(format!("dimensions of {dims:?} are not its {} elements", self.count));
            }
            size(&dims)?;
            return Ok((format!("{} @{}", of.item(&mut dims), self.address), said));
        };
        if *count != list.len() as u64 {
            return Err(format!(
                "it is said to be in {count} blocks, and {} are listed",
                list.len()
            ));
        }
        let blocks: Vec<(u64, u64)> =
            list.iter().copied().filter(|(_, count)| *count > 0).collect();
        // The slowest dimension counts the rows of all blocks.
        let rest = dims.get(1..).unwrap_or_default().to_vec();
        let row =
            headers::bytes(&rest, 1).filter(|row| *row > 0).ok_or("its dimensions are empty")?;
        let of_block = |count: u64| match count % row {
            0 => Ok([&[count / row][..], &rest].concat()),
            _ => Err(format!("a block of {count} elements has no whole rows of {row}")),
        };
        let all = blocks.iter().try_fold(0_u64, |all, (_, count)| all.checked_add(*count));
        let mut whole = of_block(all.ok_or("its blocks are larger than any file")?)?;
        let (mut end, mut is_one) = (self.address, true);
        let (mut items, mut row) = (Vec::new(), 0);
        for (address, count) in blocks {
            let mut dims = of_block(count)?;
            let rows = dims.first().copied().unwrap_or(1);
            is_one &= end == address;
            end = address.checked_add(size(&dims)?).ok_or("its blocks end behind any file")?;
            let item = of.item(&mut dims);
            // They need not be as large as the first one.
            let mut start = vec![0; dims.len()];
            start.iter_mut().take(1).for_each(|start| *start = row);
            items.push(format!("\n    {item} @{address},  #: start = {start:?}"));
            row += rows;
        }
        size(&whole)?;
        let item = of.item(&mut whole);
        if is_one {
            return Ok((format!("{item} @{}", self.address), said));
        }
        said.spelt(format!("whole = {whole:?}"));
        Ok((format!("[{}\n]", items.concat()), said))
    }
}
