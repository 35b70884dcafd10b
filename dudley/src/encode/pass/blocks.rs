//! Arrays in blocks that are given whole (spec 7.5): what each block has of one.

use std::ops::Range;

use dudley_parser::layout::blocks::{Areas, WHOLE, cell_start};
use dudley_parser::layout::{ArrayId, DocKey, Layout, ListId, Step};
use dudley_parser::resolve::{ResolveError, Resolver};

use super::Payload;
use super::writing::Writing;
use crate::elements::buffer::zeros;
use crate::elements::value::Value;
use crate::encode::input::Content;
use crate::encode::supply::Supplied;
use crate::error::{Context, Error, Item, Result, to_usize};
use crate::read::dtype::Described;
use crate::read::item::blocks::fill;
use crate::read::path::split;

/// An array in blocks that is given whole, or of which the rows are given that are added.
pub(super) struct Whole<'p> {
    /// The shape of the array.
    shape: Vec<u64>,
    /// The shape of the cells of its grid.
    cell: Vec<u64>,
    /// Bytes of an element.
    size: u64,
    /// What stands in blocks where the array has no elements, over and over; nothing if that is zeros.
    fill: Vec<u8>,
    /// The first row that is given.
    first: u64,
    given: Payload<'p>,
    /// The bytes of some rows, which were asked for last.
    band: Vec<u8>,
    rows: Range<u64>,
    /// Where blocks are.
    areas: Areas,
    /// Elements that blocks have, and those that are given.
    covered: u64,
    wanted: u64,
}

impl<'p> Writing<'_, 'p> {
    /// What a block has of an array that is given whole; `None` for what is no block of such.
    pub(super) fn block(
        &mut self,
        resolver: &mut Resolver<'_>,
        path: &str,
        id: ArrayId,
        block: &Described,
    ) -> Result<Option<Payload<'p>>> {
        let layout = self.pass.layout;
        let Some(piece) = self.pass.piece.map(|piece| &layout[piece]) else { return Ok(None) };
        if layout.run(piece.body).get(layout[id].step as usize) != Some(&Step::Array(id)) {
            return Ok(None);
        }
        let (list, number) = split(path);
        let Ok(number) = number.parse::<u64>() else { return Ok(None) };
        let known = self.pass.wholes.remove(list);
        if known.is_none() && self.pass.supply.item(list).is_none() {
            return Ok(None);
        }
        let mut whole = match known {
            Some(whole) => whole,
            None => self.whole(resolver, list, (piece.list, id, number), block)?,
        };
        let start = whole.start(layout, id, number)?;
        let bytes = if self.halted() { Ok(None) } else { whole.block(&start, block.given()) };
        self.pass.wholes.insert(list.to_owned(), whole);
        Ok(Some(bytes.of_item(list)?.map_or(Payload::Nothing, Payload::Bytes)))
    }

    /// Checks that nothing is given for an array in blocks that has none, since it would be lost.
    pub(super) fn without_blocks(&self, path: &str, list: ListId) -> Result<()> {
        if !self.pass.layout.is_whole(list) {
            return Ok(());
        }
        let is_some = |shape: &[u64]| !shape.contains(&0);
        let has_elements = match self.pass.supply.item(path) {
            None | Some(Supplied::Written) => false,
            Some(Supplied::Value(value)) => has_elements(&value),
            Some(Supplied::Items(items)) => has_elements(&*Content::Items(&*items).value()?),
            Some(Supplied::Typed(typed)) => is_some(&typed.shape()),
            Some(Supplied::Rows(rows)) => is_some(&rows.shape()),
            Some(Supplied::Encoded { shape, .. }) => is_some(shape),
        };
        if !has_elements {
            return Ok(());
        }
        let (expected, found) = ("no elements, since it has no blocks".into(), "some".into());
        Err(Error::WrongValue { item: Item::new(path), expected, found })
    }

    /// What is given of an array in blocks, of which one block is the first that is found.
    fn whole(
        &mut self,
        resolver: &mut Resolver<'_>,
        path: &str,
        (list, id, number): (ListId, ArrayId, u64),
        block: &Described,
    ) -> Result<Whole<'p>> {
        let layout = self.pass.layout;
        let Some(said) = layout.whole(list).map_err(ResolveError::from)? else {
            return Err(Error::NotData { path: path.into(), kind: "list" });
        };
        let fill = match said.fill {
            Some(value) => fill(layout, value, &block.dtype, &said.shape).of_item(path)?,
            None => Vec::new(),
        };
        let mut whole = Whole {
            cell: resolver.cell(list)?.unwrap_or_default(),
            shape: said.shape,
            size: block.dtype.size().ok_or_else(|| Error::Variable { path: path.into() })?,
            fill: if fill.iter().all(|byte| *byte == 0) { Vec::new() } else { fill },
            first: 0,
            given: Payload::Nothing,
            band: Vec::new(),
            rows: 0..0,
            areas: Areas::new(&[]),
            covered: 0,
            wanted: 0,
        };
        whole.areas = Areas::new(&whole.shape);
        if self.known.base.is_some() {
            whole.first = whole.start(layout, id, number)?.first().copied().unwrap_or(0);
        }
        let mut shape = whole.shape.clone();
        if let Some(rows) = shape.first_mut() {
            *rows -= whole.first.min(*rows);
        }
        whole.wanted = shape.iter().fold(1, |count, dim| count.saturating_mul(*dim));
        let doc = (DocKey::of(layout[list].span), None);
        whole.given = match self.payload(resolver, path, doc, &block.dtype, &shape)? {
            Payload::Elements(typed, primitive, order)
                if !shape.is_empty() && typed.rows(primitive).is_some() =>
            {
                Payload::Elements(typed, primitive, order)
            }
            given @ (Payload::Nothing | Payload::Bytes(_) | Payload::Encoded(_)) => given,
            Payload::Written => return Err(Error::NotData { path: path.into(), kind: "list" }),
            given => Payload::Bytes(given.bytes()?),
        };
        Ok(whole)
    }
}

impl Whole<'_> {
    /// Where in the array a block begins.
    fn start(&self, layout: &Layout, id: ArrayId, number: u64) -> Result<Vec<u64>> {
        let start = match layout.start(layout[id].span).map_err(ResolveError::from)? {
            Some((start, _)) => Ok(start),
            None => cell_start(&self.shape, &self.cell, number),
        };
        let outside = || format!("a block outside of `{WHOLE} = {:?}`", self.shape);
        let start = start.and_then(|start| {
            let inside = start.len() == self.shape.len()
                && start.first().is_none_or(|row| *row >= self.first)
                && start.iter().zip(&self.shape).all(|(begin, dim)| begin < dim);
            if inside { Ok(start) } else { Err(outside()) }
        });
        start.map_err(|why| Error::Foreign(why.into()))
    }

    /// The bytes of a block; `None` for one without elements, which must be those that fill.
    fn block(&mut self, start: &[u64], shape: &[u64]) -> Result<Option<Vec<u8>>> {
        let is_missing = shape.contains(&0);
        let room = if is_missing { self.cell.clone() } else { shape.to_vec() };
        if room.len() != self.shape.len() {
            return Err(Error::wrong_shape("", &self.shape, &room));
        }
        let dims = room.iter().zip(start).zip(&self.shape);
        // What hangs over the edge of the array is not given.
        let there: Vec<u64> = dims.map(|((room, start), dim)| *room.min(&(dim - start))).collect();
        let count = there.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
        self.covered = self.covered.saturating_add(count);
        self.areas.push(shape, Some(start)).map_err(|why| Error::Foreign(why.into()))?;
        let mut bytes = self.filled(&room)?;
        let from = match start.split_first() {
            Some((row, inner)) => {
                let begin = row - self.first;
                self.hold(begin..begin + there[0])?;
                [&[begin - self.rows.start], inner].concat()
            }
            None => {
                self.hold(0..1)?;
                Vec::new()
            }
        };
        let held =
            [&[self.rows.end - self.rows.start], self.shape.get(1..).unwrap_or_default()].concat();
        let held = &held[..room.len()];
        let source = match &self.given {
            Payload::Bytes(bytes) => bytes,
            Payload::Encoded(bytes) => *bytes,
            _ => &self.band,
        };
        copy(source, (held, &from), &mut bytes, &room, &there, to_usize(self.size)?)?;
        if !is_missing {
            return Ok(Some(bytes));
        }
        if bytes == self.filled(&room)? {
            return Ok(None);
        }
        let expected = format!("`fill` at {start:?}, where a block is missing").into();
        Err(Error::WrongValue { item: Item::UNKNOWN, expected, found: "another value".into() })
    }

    /// Room of a shape as it is where no element is.
    fn filled(&self, shape: &[u64]) -> Result<Vec<u8>> {
        let bytes = shape.iter().try_fold(self.size, |bytes, dim| bytes.checked_mul(*dim));
        let mut room = zeros(bytes.ok_or_else(|| Error::too_large(u64::MAX))?)?;
        if !self.fill.is_empty() {
            room.iter_mut().zip(self.fill.iter().cycle()).for_each(|(byte, fill)| *byte = *fill);
        }
        Ok(room)
    }

    /// Has the bytes of some of the given rows at hand, or those of all.
    fn hold(&mut self, rows: Range<u64>) -> Result<()> {
        let (typed, primitive, order) = match &self.given {
            Payload::Elements(typed, primitive, order) => (*typed, *primitive, *order),
            _ => {
                let all = self.shape.first().map_or(1, |dim| dim.saturating_sub(self.first));
                self.rows = 0..all;
                return Ok(());
            }
        };
        if self.rows == rows {
            return Ok(());
        }
        let band = &mut self.band;
        band.clear();
        let Some(source) = typed.rows(primitive) else { return Ok(()) };
        source.encode_rows(rows.clone(), primitive, order, &mut |block| {
            band.extend_from_slice(block);
            Ok(())
        })?;
        self.rows = rows;
        Ok(())
    }

    /// Checks that blocks have all that was given, each element once.
    pub(super) fn check(&self) -> Result<()> {
        if let Some((one, other)) = self.areas.overlap() {
            let starts = [one, other].map(|at| self.areas.start(at));
            return Err(Error::Foreign(format!("the blocks at {starts:?} overlap").into()));
        }
        if self.covered >= self.wanted {
            return Ok(());
        }
        let expected = format!("blocks for all of {} elements", self.wanted).into();
        let found = format!("blocks for {}", self.covered).into();
        Err(Error::WrongValue { item: Item::UNKNOWN, expected, found })
    }
}

/// Whether there is anything in arrays of arrays.
fn has_elements(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().any(has_elements),
        _ => true,
    }
}

/// Copies elements of an array, from an index on, to the first ones of a block: as many as `count` says in each dimension.
fn copy(
    from: &[u8],
    (shape, start): (&[u64], &[u64]),
    to: &mut [u8],
    room: &[u64],
    count: &[u64],
    size: usize,
) -> Result<()> {
    let Some((last, outer)) = count.split_last() else {
        return copy_run(from, 0, to, 0, size);
    };
    let run = to_usize(*last)?.saturating_mul(size);
    let mut index = vec![0_u64; outer.len()];
    let place = |dims: &[u64], index: &dyn Fn(usize) -> u64| -> Result<usize> {
        let place = dims
            .iter()
            .enumerate()
            .try_fold(0_u64, |place, (at, dim)| place.checked_mul(*dim)?.checked_add(index(at)));
        Ok(to_usize(place.ok_or_else(|| Error::too_large(u64::MAX))?)?.saturating_mul(size))
    };
    loop {
        let here = |at: usize| index.get(at).copied().unwrap_or(0);
        copy_run(from, place(shape, &|at| start[at] + here(at))?, to, place(room, &here)?, run)?;
        // The next index, the last dimension first.
        let Some(at) = (0..outer.len()).rev().find(|at| index[*at] + 1 < outer[*at]) else {
            return Ok(());
        };
        index[at] += 1;
        index[at + 1..].fill(0);
    }
}

fn copy_run(from: &[u8], begin: usize, to: &mut [u8], at: usize, bytes: usize) -> Result<()> {
    let found = from.get(begin..).and_then(|from| from.get(..bytes));
    match (found, to.get_mut(at..).and_then(|to| to.get_mut(..bytes))) {
        (Some(from), Some(to)) => {
            to.copy_from_slice(from);
            Ok(())
        }
        _ => Err(Error::wrong_length(begin.saturating_add(bytes) as u64, from.len() as u64)),
    }
}
