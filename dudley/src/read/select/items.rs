//! The items that a path with slices of lists picks, whatever they are: `/history[1:]`, `/k[:]/m`.
//!
//! Slices and fields of arrays are no items: those are for [`select()`](super::select).

use crate::error::{Error, Item as Of, Result};
use crate::read::item::{Item, ItemKind, follow_from};
use crate::read::path::{Part, parse};
use crate::read::slice::{Index, resolve};
use crate::read::stream::Stream;
use crate::read::stream::decode::EMPTY_LIMIT;

/// Follows a path with slices of lists to all the items that it picks, in the order of the slices.
///
/// # Errors
/// [`Error::BadPath`], [`Error::NoSuchItem`]; [`Error::BadSlice`] for a slice of anything but a list;
/// [`Error::TooLarge`] for more items than a stream of this size can hold.
///
/// ```
/// let stream = dudley::Open::new().layout_text("l [/ a = u1  b = u1]*3")?.bytes(vec![0; 6])?;
/// let picked = dudley::read::select::items(&stream, "/l[1:]")?;
/// let paths: Vec<&str> = picked.iter().map(|item| item.path()).collect();
/// assert_eq!(paths, ["/l/1", "/l/2"]);
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn items(stream: &Stream, path: &str) -> Result<Vec<Item>> {
    let parts = parse(path)?;
    let mut found = Vec::new();
    Walk { path, found: &mut found }.item(stream.root(), &parts)?;
    Ok(found)
}

struct Walk<'w> {
    path: &'w str,
    found: &'w mut Vec<Item>,
}

impl Walk<'_> {
    fn item(&mut self, item: Item, parts: &[Part]) -> Result<()> {
        let (item, rest) = follow_from(item, self.path, parts)?;
        match (item.kind(), rest.split_first()) {
            (_, None) => {
                self.found.push(item);
                Ok(())
            }
            (ItemKind::List, Some((Part::Slice(indices), rest))) => self.list(&item, indices, rest),
            (kind, _) => Err(no_list(item.path(), kind)),
        }
    }

    fn list(&mut self, list: &Item, indices: &[Index], rest: &[Part]) -> Result<()> {
        let length = list.len()?;
        let (first, next) = split(list, indices, rest)?;
        let picked = resolve(&[first], &[length]).map_err(|error| error.of_item(list.path()))?[0];
        // Items that overlap or have no bytes are not held back by the size of the stream.
        let most = list.stream().len().saturating_add(EMPTY_LIMIT);
        if picked.count.saturating_add(self.found.len() as u64) > most {
            return Err(Error::too_large(u64::MAX).of_item(list.path()));
        }
        for at in 0..picked.count {
            let index = picked.start as i64 + at as i64 * picked.step;
            self.item(list.element(index as u64)?, &next)?;
        }
        Ok(())
    }
}

/// The first index of a slice of a list, and what is left of the path behind it: further indices go to
/// what is in the list. `...` stands for as many dimensions as the lists, and the array in them, have more.
pub(crate) fn split(list: &Item, indices: &[Index], rest: &[Part]) -> Result<(Index, Vec<Part>)> {
    let Some((first, others)) = indices.split_first() else {
        let item = Of::new(list.path());
        return Err(Error::BadSlice { item, why: "it is empty".into() });
    };
    let (first, others) = match first {
        // Only for this it matters how many dimensions there are: that may take reading the stream.
        Index::Ellipsis => match list.rank().saturating_sub(others.len()) {
            0 => return split(list, others, rest),
            1 => (ALL, others),
            _ if others.is_empty() && !list.holds_lists() => (ALL, others),
            _ => (ALL, indices),
        },
        first => (*first, others),
    };
    let mut next = rest.to_vec();
    if !others.is_empty() {
        next.insert(0, Part::Slice(others.to_vec()));
    }
    Ok((first, next))
}

/// All of a dimension.
pub(super) const ALL: Index = Index::Range { start: None, stop: None, step: 1 };

/// That there is an index, or a field, of what takes none.
pub(crate) fn no_list(path: &str, kind: ItemKind) -> Error {
    let why = match kind {
        ItemKind::Dict => "a dict takes no index: it is for a list, or for an array in the dict",
        ItemKind::List => "a list has no fields: an index picks one of its items",
        ItemKind::Data | ItemKind::Param => "this is a part of an array, and no item",
    };
    Error::BadSlice { item: Of::new(path), why: why.into() }
}
