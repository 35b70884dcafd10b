//! The checksums that stand behind a layout, whatever has become of the index that holds them: is the data
//! still what they were made of?
//!
//! Nothing else knows what the data was. So they are asked where the index is stale or damaged too, or has
//! lost its footer, and they are not given up before they were compared.

use std::sync::Arc;

use dudley_parser::layout::Step;

use super::checked::{BLOCK, Checked};
use super::extents::{LONGEST, compare, extents};
use super::find::check_head;
use super::format::{Extent, Footer, MAGIC, PARSED, Row};
use super::table::Table;
use super::{Fault, Index, Tail, fault};
use crate::bytes::source::{Source, Window};
use crate::error::{Error, Result};
use crate::read::stream::{Open, Stream};

/// Items that an error names.
const NAMED: usize = 8;

type Bytes = Window<Arc<dyn Source>>;

/// The checksums of an index, as far as they can be read.
pub(crate) struct Held {
    /// Where the index begins in the file, in bytes.
    address: u64,
    extents: Vec<Extent>,
    /// Whether each of them stands in blocks that are as they were written.
    intact: Vec<bool>,
    /// That these are all there were.
    sure: bool,
}

impl Held {
    /// Those behind the layout of a stream; `None` where nothing is that could hold any.
    ///
    /// # Errors
    /// If the stream cannot be read.
    pub(crate) fn of(stream: &Stream) -> Result<Option<Held>> {
        let whole = stream.bytes().whole;
        let (address, footer) = match (Footer::read(&*whole), Tail::of(stream)) {
            (Ok(Some(footer)), _) => (whole.len() - footer.length, Some(footer)),
            (_, Ok(tail)) if tail.present > 0 => (tail.index, None),
            _ => return Ok(None),
        };
        let length = whole.len() - address;
        let window = Window::new(whole, address, length)?;
        let nothing = Held { address, extents: Vec::new(), intact: Vec::new(), sure: true };
        if footer.is_none() && !begins(&window)? {
            // Zeros, which an index was about to replace.
            return Ok(Some(nothing));
        }
        // What cannot be read may have been any.
        Ok(Some(Held::read(&window, address, footer).unwrap_or(Held { sure: false, ..nothing })))
    }

    /// Those of an index that is all as it was written.
    ///
    /// # Errors
    /// As [`Index::verify`].
    pub(crate) fn verified(index: &Index) -> Result<Held> {
        let extents = index.verified()?;
        let intact = vec![true; extents.len()];
        Ok(Held { address: index.address(), extents, intact, sure: true })
    }

    /// Those of an index that may be damaged.
    fn read(window: &Bytes, address: u64, footer: Option<Footer>) -> Result<Held> {
        let parsed = PARSED.clone().ok_or(Error::NoLayout)?;
        let index = Open::new().layout(parsed).raw().source(window.clone())?;
        check_head(&index, address)?;
        if footer.is_none() && index.get("/:EXTENTS")?.param_value()? == 0 {
            return Ok(Held { address, extents: Vec::new(), intact: Vec::new(), sure: true });
        }
        let table = Table::of(&index, "/extents")?;
        let extents = table.read::<Extent>(window, 0, table.rows)?;
        let checks = index.get("/checks")?.data()?.address();
        let body = footer.map_or(checks, |footer| footer.body);
        let blocks = Blocks::new(window, body.min(window.len()));
        let place = |row: usize| table.address_of::<Extent>(row as u64);
        let (first, end) = (place(0) / BLOCK, place(extents.len()).div_ceil(BLOCK));
        let whole: Vec<bool> = (first..end).map(|number| blocks.are_whole(number)).collect();
        let of = |address: u64| whole.get((address / BLOCK - first) as usize) == Some(&true);
        let rows = extents.iter().enumerate();
        let intact = rows.map(|(row, extent)| {
            let last = place(row) + Extent::SIZE as u64 - 1;
            u64::from(extent.length) <= LONGEST && of(place(row)) && of(last)
        });
        let intact = intact.collect();
        // Their number is known if the head is right, or if what follows from it is.
        let sure = blocks.are_whole(0) || footer.is_some_and(|footer| footer.body == checks);
        Ok(Held { address, extents, intact, sure })
    }

    /// Whether there were none.
    pub(crate) fn is_empty(&self) -> bool {
        self.sure && self.extents.is_empty()
    }

    /// How many can be read.
    pub(crate) fn len(&self) -> u64 {
        self.extents.len() as u64
    }

    /// Compares the data with them, on as many threads as the machine has to offer. `found` gets what
    /// differs, with the item, and whether the checksum itself is sure to be as it was written; `done` how
    /// many bytes were compared.
    pub(crate) fn compare(
        &self,
        stream: &Stream,
        mut found: impl FnMut(Error, bool),
        done: impl FnMut(u64),
    ) {
        let rows = self.extents.iter().zip(&self.intact);
        // One that is damaged may say anything.
        let rows: Vec<_> = rows.filter(|(it, _)| u64::from(it.length) <= LONGEST).collect();
        let extents: Vec<Extent> = rows.iter().map(|(extent, _)| **extent).collect();
        let mut places = None;
        let mut differs = |at: usize, error: Error| {
            let intact = rows.get(at).is_some_and(|(_, intact)| **intact);
            if !intact && !matches!(error, Error::Checksum { .. }) {
                return;
            }
            let places = places.get_or_insert_with(|| Places::of(stream));
            found(places.name(stream, error), intact);
        };
        compare(&extents, stream.source(), &mut differs, done);
    }

    /// Checks that the data is what they were made of, and that none is lost where those of the data take their
    /// place, which are given.
    ///
    /// # Errors
    /// [`Error::Index`] with [`Fault::Data`] or [`Fault::Unproven`]; if the data cannot be read.
    pub(super) fn prove(&self, stream: &Stream) -> Result<Vec<Extent>> {
        let fresh = extents(stream);
        if fresh.as_ref().is_ok_and(|fresh| *fresh == self.extents && !fresh.is_empty()) {
            return fresh;
        }
        let mut names: Vec<String> = Vec::new();
        let add = |error: Error, intact: bool| {
            let name = error.item().unwrap_or("the data").to_owned();
            if intact && names.last() != Some(&name) {
                names.push(name);
            }
        };
        self.compare(stream, add, |_| ());
        if !names.is_empty() {
            let expected = "the data that its checksums were made of";
            return Err(fault(Fault::Data, self.address, expected, listed(&names)));
        }
        if !self.sure || self.intact.contains(&false) {
            let expected = "checksums that are as they were written";
            let found = "damage, so that it cannot be said whether the data is right";
            return Err(fault(Fault::Unproven, self.address, expected, found));
        }
        fresh
    }
}

/// Whether an index begins there.
fn begins(window: &Bytes) -> Result<bool> {
    let mut head = [0; MAGIC.len()];
    if window.len() < head.len() as u64 {
        return Ok(false);
    }
    window.read_at(0, &mut head)?;
    Ok(head == MAGIC)
}

/// The blocks of an index with their checks.
struct Blocks {
    checked: Checked<Bytes, Bytes>,
}

impl Blocks {
    fn new(window: &Bytes, body: u64) -> Blocks {
        Blocks { checked: Checked::new(window.clone(), body, window.clone(), body) }
    }

    /// Whether a block is there, and is as it was written.
    fn are_whole(&self, number: u64) -> bool {
        number.saturating_mul(BLOCK) < self.checked.body && self.checked.block(number).is_ok()
    }
}

/// The difference, in words.
fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(NAMED) {
        0 => format!("other bytes in {}", shown.join(", ")),
        more => format!("other bytes in {} and {more} more", shown.join(", ")),
    }
}

/// Where the steps of the root begin, in the order of their addresses.
struct Places(Vec<(u64, Step)>);

impl Places {
    fn of(stream: &Stream) -> Places {
        let root = stream.layout().root().iter().enumerate();
        let mut begins: Vec<(u64, Step)> = stream.with_resolver(|resolver| {
            let placed = root.map(|(at, step)| Some((resolver.step_extent(at).ok()?, *step)));
            let there = placed.flatten().filter(|(placed, _)| placed.bytes > 0);
            there.map(|(placed, step)| (placed.address, step)).collect()
        });
        begins.sort_by_key(|(address, _)| *address);
        Places(begins)
    }

    /// An error about some bytes, as one about the item that they are of.
    fn name(&self, stream: &Stream, error: Error) -> Error {
        let address = error.address().unwrap_or(0);
        let at = self.0.partition_point(|(begin, _)| *begin <= address);
        let step = at.checked_sub(1).and_then(|at| self.0.get(at));
        match step.and_then(|(_, step)| stream.layout().step_path(*step)) {
            Some(path) => error.of_item(&path),
            None => error,
        }
    }
}
