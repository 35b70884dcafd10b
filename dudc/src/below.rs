//! Which rows of a listing does the user request?

use std::collections::HashSet;

use dudley::Stream;
use dudley::read::listing::{Picks, Row, list, list_params, list_picked, list_stored};
use dudley::read::path::{self, Part};
use dudley::read::select::items;
use dudley::read::slice::Index;
use dudley_parser::resolve::{Resolver, WalkOptions};

use crate::failure::Result;

/// The requested rows: those at or below some paths, in the form of paths of rows.
pub(crate) struct Below {
    wanted: Wanted,
    /// Some items of lists, which may be among those that are left out of long lists.
    pub(crate) is_slice: bool,
}

enum Wanted {
    All,
    /// The result of a path with slices.
    Picks(Picks),
    /// Several paths: of slices whose dimensions depend on the contents of the lists.
    Paths(HashSet<String>),
}

impl Below {
    /// The rows of a path, which may have slices of lists. Of slices that pick more than the first number of
    /// `most`, this many of the start as the second one says, and the last.
    ///
    /// # Errors
    /// If there is no such item.
    pub(crate) fn of(
        stream: &Stream,
        path: Option<&str>,
        most: Option<(u64, u64)>,
    ) -> Result<Below> {
        let Some(path) = path.filter(|path| *path != "/") else {
            return Ok(Below { wanted: Wanted::All, is_slice: false });
        };
        let parts = path::parse(path)?;
        let slices = parts.iter().filter_map(|part| match part {
            Part::Slice(indices) => Some(indices),
            _ => None,
        });
        let slices: Vec<_> = slices.collect();
        let open = slices.iter().any(|indices| indices.contains(&Index::Ellipsis));
        // An item of a list by its number may be one that is left out, too.
        let is_slice = !slices.is_empty() || parts.iter().any(is_number);
        if is_slice && !open {
            return Ok(Below { wanted: Wanted::Picks(Picks::of(stream, path, most)?), is_slice });
        }
        let items = if slices.is_empty() { vec![stream.get(path)?] } else { items(stream, path)? };
        let paths = items.iter().map(|item| path::listed(item.path())).collect();
        Ok(Below { wanted: Wanted::Paths(paths), is_slice })
    }

    /// Whether a row is one of them.
    pub(crate) fn has(&self, path: &str) -> bool {
        let paths = match &self.wanted {
            Wanted::All => return true,
            Wanted::Picks(picks) => return picks.has(path),
            Wanted::Paths(paths) => paths,
        };
        // In all cases the path is a prefix of the path of the row, up to a separator.
        let ends = path.match_indices(['/', '.', '[']).map(|(at, _)| at).chain([path.len()]);
        ends.into_iter().any(|end| paths.contains(&path[..end]))
    }

    /// Whether a row for omitted items of a list is requested; also if the slice is of this list.
    pub(crate) fn has_left_out(&self, list: &str) -> bool {
        self.has(list) || matches!(&self.wanted, Wanted::Picks(_))
    }

    /// Lists a stream, and skips unrequested parts if it can.
    ///
    /// # Errors
    /// If `show` fails.
    pub(crate) fn list(
        &self,
        stream: &Stream,
        options: WalkOptions,
        show: &mut dyn FnMut(&mut Resolver<'_>, Row) -> dudley::Result<()>,
    ) -> dudley::Result<()> {
        match &self.wanted {
            Wanted::Picks(picks) => list_picked(stream, picks, options, show),
            _ => list(stream, options, show),
        }
    }

    /// As [`Self::list`], for the stored form: blocks of arrays one by one.
    ///
    /// # Errors
    /// If `show` fails.
    pub(crate) fn list_stored(
        &self,
        stream: &Stream,
        options: WalkOptions,
        show: &mut dyn FnMut(&mut Resolver<'_>, Row) -> dudley::Result<()>,
    ) -> dudley::Result<()> {
        match &self.wanted {
            Wanted::Picks(_) => self.list(stream, options, show),
            _ => list_stored(stream, options, show),
        }
    }

    /// As [`Self::list`], for params only: lists without params are skipped.
    ///
    /// # Errors
    /// If `show` fails.
    pub(crate) fn list_params(
        &self,
        stream: &Stream,
        options: WalkOptions,
        show: &mut dyn FnMut(&mut Resolver<'_>, Row) -> dudley::Result<()>,
    ) -> dudley::Result<()> {
        let picks = match &self.wanted {
            Wanted::Picks(picks) => Some(picks),
            _ => None,
        };
        list_params(stream, picks, options, show)
    }
}

/// Whether a part of a path is the number of an item of a list.
fn is_number(part: &Part) -> bool {
    matches!(part, Part::Name { text, quoted: false } if text.bytes().all(|byte| byte.is_ascii_digit()))
}

pub(crate) fn is_below(path: &str, below: &str) -> bool {
    path.strip_prefix(below)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.', '[']))
}
