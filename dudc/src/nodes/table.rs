//! Nodes, and the other parts of a file, as tables for people.

use std::io::Write;

use dudley::model::{self, Dataset, Kind, Node, Shared};

use super::{Options, found, is_leaf, walk};
use crate::failure::{Failure, Result};
use crate::rows::Errors;
use crate::terminal::Table;
use crate::terminal::cells::{dims, elided};

/// The number of nodes of a list up to which all are shown, and the number that is shown of a longer list.
const LISTED: u64 = 16;
const FIRST: usize = 8;

/// The number of shown rows in a table of other parts.
const ROWS: u64 = 20;

/// Writes the nodes, and the tables behind them.
pub(super) fn write(
    dataset: &Dataset,
    options: &Options<'_>,
    out: &mut dyn Write,
) -> Result<Errors> {
    let mut errors = Errors::default();
    let head = ["path", "type", "shape", "address", "bytes", "unit", ""];
    let mut table = Table::new(&head, &[3, 4], out);
    walk(dataset, options.path, Shared::Once, &mut |node, before| {
        let mut line = row(node, &mut errors);
        if let Some(before) = before {
            line[6] = format!("same as {before}");
            table.add(line).map_err(Failure::output)?;
            return Ok(false);
        }
        table.add(line).map_err(Failure::output)?;
        if node.kind() != Kind::List || node.len()? <= LISTED || options.all {
            return Ok(true);
        }
        for child in node.children()?.take(FIRST) {
            table.add(row(&child?, &mut errors)).map_err(Failure::output)?;
        }
        let more = node.len()? - FIRST as u64;
        let path = format!("{}/…", node.path().trim_end_matches('/'));
        let line = elided(path, format!("… {more} more (--all shows them)"));
        table.add(line).map_err(Failure::output)?;
        Ok(false)
    })?;
    table.finish().map_err(Failure::output)?;
    if options.path.is_none() {
        super::tables(&dataset.tables(options.depth)?, options.all, &mut errors, out)?;
    }
    Ok(errors)
}

fn row(node: &Node, errors: &mut Errors) -> Vec<String> {
    let path = node.path();
    let mut cells = [const { String::new() }; 7];
    // An error leaves `?` in the cells that it concerns.
    if let Some(error) = fill(node, &mut cells) {
        errors.add(error.of_path(&path));
        for cell in [1, 3] {
            if cells[cell].is_empty() {
                cells[cell] = "?".to_owned();
            }
        }
    }
    cells[0] = if is_leaf(node) { path } else { path.trim_end_matches('/').to_owned() + "/" };
    cells.to_vec()
}

/// Fills in the known cells. Returns the first error.
fn fill(node: &Node, cells: &mut [String; 7]) -> Option<dudley::Error> {
    let [_, dtype, shape, address, bytes, unit, notes] = cells;
    let (mut facts, mut wrong) = (Vec::new(), None);
    match node.kind() {
        Kind::Array | Kind::Value => dtype.extend(found(node.dtype_name(), &mut wrong)),
        kind => dtype.push_str(kind.as_str()),
    }
    match node.kind() {
        Kind::Array => shape.extend(found(node.shape(), &mut wrong).map(|shape| dims(&shape))),
        Kind::List => {
            shape.extend(found(node.len(), &mut wrong).map(|length| format!("[{length}]")));
        }
        Kind::Dict | Kind::Value => {}
    }
    if is_leaf(node) {
        unit.extend(node.unit());
    }
    if dtype.len() > 24 {
        *dtype = "struct".to_owned();
        let size = found(node.stored(), &mut wrong).and_then(|data| data.dtype().size());
        dtype.extend(size.map(|size| format!(" of {size}")));
    }
    found(node.facts(&mut facts), &mut wrong);
    let mut about: Vec<String> = facts.into_iter().filter_map(|fact| fact.shown).collect();
    if node.kind() == Kind::Array {
        about.extend(node.doc());
    }
    *notes = about.join("; ");
    if let Some(place) = found(node.place(), &mut wrong).flatten() {
        *address = place.address.to_string();
        *bytes = place.stored.to_string();
        dtype.extend(place.codec.map(|codec| format!(" -> {codec}")));
    }
    wrong
}

/// Writes a table of other parts, with its words.
pub(super) fn of_format(
    table: &model::Table,
    all: bool,
    errors: &mut Errors,
    out: &mut dyn Write,
) -> Result<()> {
    if table.len > 0 {
        writeln!(out).map_err(Failure::output)?;
        let head: Vec<&str> = table.columns.iter().map(|(name, _)| *name).collect();
        let numbers = table.columns.iter().enumerate().filter(|(_, (_, number))| *number);
        let right: Vec<usize> = numbers.map(|(at, _)| at).collect();
        let mut lines = Table::new(&head, &right, &mut *out);
        let shown = if all { table.len } else { table.len.min(ROWS) };
        for index in 0..shown {
            let row = (table.row)(index);
            row.result.err().into_iter().for_each(|error| errors.add(error));
            lines.add(row.cells).map_err(Failure::output)?;
        }
        lines.finish().map_err(Failure::output)?;
        if shown < table.len {
            let (more, name) = (table.len - shown, table.name);
            writeln!(out, "… {more} more {name} (--all shows them)").map_err(Failure::output)?;
        }
    }
    let said = table.facts.iter().filter_map(|fact| fact.shown.as_ref());
    said.into_iter().try_for_each(|text| writeln!(out, "{text}")).map_err(Failure::output)
}
