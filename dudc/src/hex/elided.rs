//! Which omitted items of a long list lie at the requested addresses?

use std::ops::Range;

use dudley::{Item, ItemKind, Stream};

use crate::failure::Result;

/// Of some items of a list, by their numbers, those that may have bytes from the first address up to the second:
/// items lie one behind the other.
///
/// # Errors
/// If there is no such list.
pub(super) fn within(
    stream: &Stream,
    list: &str,
    items: Range<u64>,
    (from, to): (u64, u64),
) -> Result<Range<u64>> {
    let list = stream.get(list)?;
    let begins_before = |index: u64, limit: u64| {
        let address = list.element(index).ok().and_then(|item| first_address(&item));
        address.is_some_and(|address| address < limit)
    };
    let first_behind = |limit: u64| {
        let Range { start: mut low, end: mut high } = items;
        while low < high {
            let middle = low + (high - low) / 2;
            if begins_before(middle, limit) { low = middle + 1 } else { high = middle }
        }
        low
    };
    // The item before the first that begins there may reach into it.
    Ok(first_behind(from).saturating_sub(1).max(items.start)..first_behind(to))
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
