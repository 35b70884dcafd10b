//! Items that a listing leaves out of a long list, where addresses are asked for that lie in them.

use dudley::dtype::Dtype;
use dudley::{Item, ItemKind, Stream};

use super::amount::Amount;
use super::fixed::records;
use super::parts::{Sink, array, filtered_part};
use super::print::Printer;
use super::rows::{Wanted, collect};
use super::{Kind, Part};
use crate::commands::ls::Below;
use crate::failure::Result;

/// Items of a long list, by its path, that the addresses asked for lie in; of those that begin at `begin` or
/// behind it, up to `to`.
///
/// # Errors
/// If they cannot be placed, or written.
pub(super) fn expand(
    stream: &Stream,
    list: &str,
    begin: u64,
    to: u64,
    printer: &mut Printer<'_>,
) -> Result<()> {
    let (from, end) = printer.range;
    // A damaged count is not gone through.
    let end = end.min(printer.source.len());
    if begin >= end || to <= from {
        return Ok(());
    }
    let Ok(list) = stream.get(list) else { return Ok(()) };
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
    let range = Some(printer.range);
    let amount = Amount { whole: printer.all, length: printer.source.len(), range, held: false };
    gather(item, amount, &mut parts)?;
    parts.sort_by_key(|part: &Part| part.address);
    parts.into_iter().try_for_each(|part| printer.part(part))
}

fn gather(item: &Item, amount: Amount, parts: &mut Vec<Part>) -> Result<()> {
    match item.kind() {
        ItemKind::Dict => {
            for param in item.params() {
                gather(&param, amount, parts)?;
            }
            let names = item.names().into_iter();
            for child in names.filter_map(|name| item.child(&name)) {
                gather(&child, amount, parts)?;
            }
            Ok(())
        }
        ItemKind::List => {
            (0..item.len()?).try_for_each(|at| gather(&item.element(at)?, amount, parts))
        }
        ItemKind::Data | ItemKind::Param => {
            let data = item.data()?;
            let mut part = match data.dtype() {
                _ if data.filter().is_some() => filtered_part(&data, item.path()),
                Dtype::Primitive(..) => {
                    let (path, name) = (item.path().to_owned(), data.dtype_name());
                    array(Kind::Item, path, data.address(), data.dtype(), name, data.shape())
                }
                Dtype::Record(record) => {
                    let place = (item.path(), data.address());
                    let layout = item.stream().layout();
                    return records(layout, place, record, data.shape(), amount, &mut |part| {
                        parts.extend((part.kind != Kind::Elided).then_some(part));
                        Ok(())
                    });
                }
                // Only a listing comes by the fields of each.
                Dtype::Variable(_) => {
                    let below = Below::of(item.stream(), Some(item.path()), None)?;
                    let wanted = Wanted { below, rest: Vec::new(), amount };
                    let sink: &mut Sink<'_> = &mut |part| {
                        parts.extend((part.kind != Kind::Elided).then_some(part));
                        Ok(())
                    };
                    return collect(item.stream(), &wanted, amount, sink, &mut Vec::new());
                }
            };
            part.unit = item.unit().map(str::to_owned);
            part.doc = item.doc_without_unit().next().map(str::to_owned);
            parts.push(part);
            Ok(())
        }
    }
}
