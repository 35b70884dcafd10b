//! Items that a listing leaves out of a long list, where addresses are asked for that lie in them.

use dudley::dtype::Dtype;
use dudley::{Item, ItemKind, Stream};

use super::print::Printer;
use super::{Kind, Part, rows};
use crate::failure::Result;

/// Items of a long list that the addresses asked for lie in.
pub(super) fn expand(
    stream: &Stream,
    elided: &Part,
    to: u64,
    printer: &mut Printer<'_>,
) -> Result<()> {
    let (from, end) = printer.range;
    // A damaged count is not gone through.
    let end = end.min(printer.source.len());
    let Some((_, path)) = elided.path.split_once(" repetitions of ") else { return Ok(()) };
    if elided.address >= end || to <= from {
        return Ok(());
    }
    let Ok(list) = stream.get(path) else { return Ok(()) };
    let length = list.len()?;
    let address = |index: u64| list.element(index).ok().and_then(|item| first_address(&item));
    // The first item that begins behind what is asked for; the one before may reach into it.
    let (mut low, mut high) = (0, length);
    while low < high {
        let middle = low + (high - low) / 2;
        match address(middle) {
            Some(address) if address < from => low = middle + 1,
            _ => high = middle,
        }
    }
    for index in low.saturating_sub(1)..length {
        let item = list.element(index)?;
        match first_address(&item) {
            Some(address) if address < printer.cursor() => continue,
            Some(address) if address < end.min(to) => below(&item, printer)?,
            _ => break,
        }
    }
    Ok(())
}

fn first_address(item: &Item) -> Option<u64> {
    match item.kind() {
        ItemKind::List => first_address(&item.element(0).ok()?),
        ItemKind::Dict => {
            let params = item.params().into_iter();
            let children = item.names().into_iter().filter_map(|name| item.child(&name));
            params.chain(children).filter_map(|item| first_address(&item)).min()
        }
        _ => item.address().ok(),
    }
}

/// All that is at or below an item.
fn below(item: &Item, printer: &mut Printer<'_>) -> Result<()> {
    let mut parts = Vec::new();
    gather(item, &mut parts)?;
    parts.sort_by_key(|part: &Part| part.address);
    parts.into_iter().try_for_each(|part| printer.part(part))
}

fn gather(item: &Item, parts: &mut Vec<Part>) -> Result<()> {
    match item.kind() {
        ItemKind::Dict => {
            for param in item.params() {
                gather(&param, parts)?;
            }
            let names = item.names().into_iter();
            for child in names.filter_map(|name| item.child(&name)) {
                gather(&child, parts)?;
            }
            Ok(())
        }
        ItemKind::List => (0..item.len()?).try_for_each(|at| gather(&item.element(at)?, parts)),
        ItemKind::Data | ItemKind::Param => {
            let data = item.data()?;
            let mut part = match data.dtype() {
                Dtype::Primitive(..) if data.filter().is_none() => {
                    let (name, address) = (data.dtype_name(), data.address());
                    rows::array(
                        Kind::Item,
                        item.path().to_owned(),
                        address,
                        data.dtype(),
                        name,
                        data.shape(),
                    )
                }
                _ => Part::new(Kind::Item, data.address(), data.bytes(), item.path()),
            };
            part.unit = item.unit().map(str::to_owned);
            part.doc = rows::remark(item.doc().next().unwrap_or_default());
            parts.push(part);
            Ok(())
        }
    }
}
