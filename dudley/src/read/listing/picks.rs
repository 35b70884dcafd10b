//! The items at a path with slices of lists, found while a stream is listed: nothing is collected before, and items that
//! are not picked are not visited if the list is regular.

use std::cell::RefCell;

use dudley_parser::layout::path::{push_name, push_param};
use dudley_parser::resolve::{Next, Piece};

use crate::error::Result;
use crate::read::path::{Part, parse, push_part};
use crate::read::select::items;
use crate::read::slice::{Index, Picked, resolve};
use crate::read::stream::Stream;

/// Rows at or below the items of a path: `/history[5:]`, `/k[:]/m`.
#[derive(Debug)]
pub struct Picks {
    wanted: Vec<Wanted>,
    /// Of slices that pick more than the first number, this many of the start are listed, and the last.
    most: Option<(u64, u64)>,
}

/// What a part of a path has to be.
#[derive(Debug)]
enum Wanted {
    /// A name, as rows have it.
    Name(String),
    /// An index of the list that the listing is in.
    Index(Index, RefCell<Slice>),
}

/// Indices of a list, the least first.
#[derive(Clone, Copy, Debug, Default)]
struct Slice {
    start: u64,
    count: u64,
    step: u64,
}

impl Slice {
    fn of(picked: &Picked) -> Slice {
        let step = picked.step.unsigned_abs().max(1);
        let back = if picked.step < 0 { picked.count.saturating_sub(1) } else { 0 };
        let start = picked.start.saturating_sub(back.saturating_mul(step));
        Slice { start, count: picked.count, step }
    }

    fn index(&self, number: u64) -> u64 {
        self.start.saturating_add(number.saturating_mul(self.step))
    }

    /// The first of those at an index or behind it that is listed, and how many are left out before it.
    fn next(&self, from: u64, most: Option<(u64, u64)>) -> Option<(u64, u64)> {
        let number = from.saturating_sub(self.start).div_ceil(self.step.max(1));
        if number >= self.count {
            return None;
        }
        match most {
            Some((whole, first)) if self.count > whole && number >= first => {
                let last = self.count - 1;
                let left_out = if number < last { last - first } else { 0 };
                Some((self.index(last), left_out))
            }
            _ => Some((self.index(number), 0)),
        }
    }
}

impl Picks {
    /// The items at a path. If a slice picks more items of a list than the first number of `most`, only this many from
    /// the start are listed as the second one says, and the last.
    ///
    /// # Errors
    /// If there is no such item: only the first and the last selected item are checked.
    ///
    /// ```
    /// use dudley::read::listing::{Picks, Row, list_picked};
    /// use dudley_parser::resolve::WalkOptions;
    ///
    /// let stream = dudley::Open::new().layout_text("l [/ a = u1]*9")?.bytes(vec![0; 9])?;
    /// let picks = Picks::of(&stream, "/l[2::3]", None)?;
    /// let mut paths = Vec::new();
    /// list_picked(&stream, &picks, WalkOptions::default(), &mut |_, row| {
    ///     if let Row::Item(row) = row {
    ///         paths.push(row.path);
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(paths, ["/l/2/a", "/l/5/a", "/l/8/a"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn of(stream: &Stream, path: &str, most: Option<(u64, u64)>) -> Result<Picks> {
        let parts = parse(path)?;
        for first in [true, false] {
            look(stream, &parts, first)?;
        }
        let mut wanted = Vec::new();
        for part in parts {
            match part {
                Part::Name { text, quoted } => {
                    wanted.push(Wanted::Name(match (quoted, text.parse::<u64>()) {
                        (false, Ok(number)) => number.to_string(),
                        _ => named(&text),
                    }));
                }
                Part::Param(name, ordinal) => {
                    let mut param = String::new();
                    push_param(&mut param, &name, ordinal);
                    wanted.push(Wanted::Name(param));
                }
                Part::Slice(indices) => {
                    let index = |index| Wanted::Index(index, RefCell::default());
                    wanted.extend(indices.into_iter().map(index));
                }
                Part::Field(_) => {}
            }
        }
        Ok(Picks { wanted, most })
    }

    /// Whether a row is at or below a selected item, by its path.
    pub fn has(&self, path: &str) -> bool {
        let mut parts = components(path);
        self.wanted.iter().all(|wanted| parts.next().is_some_and(|part| self.fits(wanted, part)))
    }

    fn fits(&self, wanted: &Wanted, part: &str) -> bool {
        match wanted {
            Wanted::Name(name) => name == part,
            Wanted::Index(_, slice) => part.parse().is_ok_and(|index| {
                slice.borrow().next(index, self.most).is_some_and(|(next, _)| next == index)
            }),
        }
    }

    /// What is wanted of the list at a path; `None` if that is not on the way.
    fn at(&self, path: &str) -> Option<&Wanted> {
        let mut wanted = self.wanted.iter();
        for part in components(path) {
            if !self.fits(wanted.next()?, part) {
                return None;
            }
        }
        wanted.next()
    }

    /// A list of this many items comes next.
    pub(super) fn enter(&self, path: &str, length: u64) {
        if let Some(Wanted::Index(index, slice)) = self.at(path) {
            let picked = resolve(&[*index], &[length]).ok();
            let picked = picked.as_deref().and_then(<[Picked]>::first).map(Slice::of);
            *slice.borrow_mut() = picked.unwrap_or_default();
        }
    }

    /// The next repetition of a piece of a list that something is picked of.
    pub(super) fn next(&self, path: &str, piece: &Piece, from: u64) -> Option<Next> {
        let items = piece.items.max(1);
        let from_item = piece.first.saturating_add(from.saturating_mul(items));
        let next = match self.at(path) {
            None if self.has(path) => return None,
            None => None,
            Some(Wanted::Index(_, slice)) => slice.borrow().next(from_item, self.most),
            Some(Wanted::Name(name)) => {
                let index = name.parse().ok().filter(|index| *index >= from_item);
                index.map(|index| (index, 0))
            }
        };
        let (at, left_out) = match next {
            Some((index, left_out)) => (index.saturating_sub(piece.first) / items, left_out),
            None => (piece.count, 0),
        };
        let left_out = if at < piece.count { left_out } else { 0 };
        Some(Next { at: at.min(piece.count), left_out })
    }
}

/// Looks for the first or the last thing that a path picks.
fn look(stream: &Stream, parts: &[Part], first: bool) -> Result<()> {
    let mut path = String::new();
    for part in parts {
        let Part::Slice(indices) = part else {
            push_part(&mut path, part);
            continue;
        };
        for index in indices {
            let length = match stream.get(if path.is_empty() { "/" } else { &path }) {
                Ok(list) if list.kind() == crate::ItemKind::List => list.len()?,
                Ok(_) => return items(stream, &format!("{path}[0]")).map(drop),
                Err(error) => return Err(error),
            };
            let picked = resolve(&[*index], &[length]).map_err(|error| error.of_item(&path))?;
            let slice = picked.first().map(Slice::of).unwrap_or_default();
            if slice.count == 0 {
                return Ok(());
            }
            let number = if first { 0 } else { slice.count - 1 };
            path += &format!("/{}", slice.index(number));
        }
    }
    stream.get(&path).map(drop)
}

fn named(name: &str) -> String {
    let mut text = String::new();
    push_name(&mut text, name);
    text
}

/// The parts of the path of a row, without slashes.
fn components(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = path.strip_prefix('/').unwrap_or(path);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let (mut at, mut quoted) = (0, false);
        while at < bytes.len() {
            match bytes[at] {
                b'\\' if quoted => at += 1,
                b'"' => quoted = !quoted,
                b'/' if !quoted => break,
                _ => {}
            }
            at += 1;
        }
        let at = at.min(rest.len());
        let part = &rest[..at];
        rest = rest[at..].strip_prefix('/').unwrap_or_default();
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::listing::{Row, list_picked};
    use dudley_parser::resolve::WalkOptions;

    /// Paths of the items that are listed, up to this many.
    fn paths(layout: &str, bytes: usize, path: &str, at_most: usize) -> Vec<String> {
        let open = crate::Open::new().layout_text(layout).expect("a layout");
        let stream = open.bytes(vec![1; bytes]).expect("a stream");
        let picks = Picks::of(&stream, path, Some((5, 2))).expect("a path");
        let mut found = Vec::new();
        let _ = list_picked(&stream, &picks, WalkOptions::default(), &mut |_, row| {
            let row = match row {
                Row::Item(row) if picks.has(&row.path) => row.path,
                Row::Elided { path, repetitions, .. } => format!("{repetitions} of {path}"),
                _ => return Ok(()),
            };
            found.push(row);
            if found.len() < at_most {
                Ok(())
            } else {
                Err(crate::Error::Listed { path: "/".into(), why: "enough".into() })
            }
        });
        found
    }

    #[test]
    fn only_what_is_picked_is_gone_through() {
        // This many that nobody could go through them.
        let layout = "l [/ a = u1  b = u1]*4000000000000\nz = u1";
        let far = "/l[3999999999990:]/b";
        assert_eq!(paths(layout, 9, far, 2), ["/l/3999999999990/b", "/l/3999999999991/b"]);
        assert_eq!(
            paths(layout, 9, "/l[5:]/a", 9),
            ["/l/5/a", "/l/6/a", "3999999999992 of /l", "/l/3999999999999/a"]
        );
        assert_eq!(paths(layout, 9, "/l[::-1000000000000]/a", 9).len(), 4);
    }

    #[test]
    fn slices_of_lists_of_all_kinds() {
        let some = "n : u1\n\"a/b\" [[u1, u2]*2]*3\nl [/ m [u1]*n  k = u2]*3\nl [1]";
        assert_eq!(paths(some, 60, "/\"a/b\"[2:, 1:3]", 9), ["/\"a/b\"/2/1", "/\"a/b\"/2/2"]);
        assert_eq!(paths(some, 60, "/l[-2:]/m[:]", 9), ["/l/2/m/0", "/l/3/m/0"]);
        assert_eq!(paths(some, 60, "/l[1]/k", 9), ["/l/1/k"]);
        assert_eq!(paths(some, 60, "/l[::3]", 9), ["/l/0/m/0", "/l/0/k", "/l/3/m/0", "/l/3/k"]);
        assert_eq!(paths(some, 60, "/l[4:]", 9), [""; 0]);
    }

    #[test]
    fn what_is_not_there_is_told() {
        let open = crate::Open::new().layout_text("l [/ a = u1]*3\nx = u1[4]").expect("a layout");
        let stream = open.bytes(vec![0; 9]).expect("a stream");
        for path in ["/l[7]", "/l[:]/b", "/k[:]", "/x[1:]"] {
            assert!(Picks::of(&stream, path, None).is_err(), "{path}");
        }
    }
}
