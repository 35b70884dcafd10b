//! Lists whose items are written in another way: `[f8, f8]`, `[f8]*2`, and `[f8]` repeated by an extension.
//!
//! What is compared has pairs of brackets that belong together. So where they do not, the items of one of the
//! layouts are put into the brackets of the other, if they fit.

mod copy;
mod fit;
mod items;
mod plain;
mod put;

use super::tree::{Tree, What};
use crate::layout::{Count, Layout, ListId, Repeat, RepeatId};
use hashbrown::{HashMap, HashSet};
use items::Items;
use plain::plain;

/// Lists in lists that are put into other brackets one after the other.
const DEPTH: usize = 64;

/// Both layouts, with lists that have the same brackets where that is so.
pub(super) struct Respelt {
    pub(super) old: Layout,
    pub(super) new: Layout,
    /// The lists of the old layout that this is about.
    pub(super) lists: HashSet<ListId>,
}

/// The layouts with other brackets, if there are lists that fit into those of the other layout.
pub(super) fn respelt(old: &Tree<'_>, new: &Tree<'_>) -> Option<Respelt> {
    let mut both = once(old, new)?;
    // What stands in a list has other paths then: lists in it may be pairs that were none.
    for _ in 0..DEPTH {
        let Some(mut more) = once(&Tree::new(&both.old), &Tree::new(&both.new)) else { break };
        more.lists.extend(both.lists);
        both = more;
    }
    Some(both)
}

/// As [`respelt`], for the lists that are pairs as they stand.
fn once(old: &Tree<'_>, new: &Tree<'_>) -> Option<Respelt> {
    let by_path: HashMap<&str, ListId> = lists(new).collect();
    let pairs = lists(old).filter_map(|(path, mine)| Some((mine, *by_path.get(path)?)));
    let unlike =
        |(mine, theirs): &(ListId, ListId)| !same_brackets(old.layout, *mine, new.layout, *theirs);
    let pairs: Vec<(ListId, ListId)> = pairs.filter(unlike).collect();
    if pairs.is_empty() {
        return None;
    }
    let [old_plain, new_plain] = [old, new].map(|tree| plain(tree.layout));
    let mut old_items = Items::new(old.layout, old_plain.as_ref().unwrap_or(old.layout));
    let mut new_items = Items::new(new.layout, new_plain.as_ref().unwrap_or(new.layout));
    let mut both: Option<Respelt> = None;
    for (mine, theirs) in pairs {
        // The old brackets are those that findings are reported in, if they can be.
        let (old_shape, new_shape) = (shape(old.layout, mine), shape(new.layout, theirs));
        let fits = if let Some(fits) = new_items.fit(theirs, &old_shape) {
            Some((None, Some(fits)))
        } else if let Some(fits) = old_items.fit(mine, &new_shape) {
            Some((Some(fits), None))
        } else {
            let (plain, other) = (old_items.plainest(mine), new_items.plainest(theirs));
            plain.filter(|shape| other.as_ref() == Some(shape)).and_then(|shape| {
                Some((Some(old_items.fit(mine, &shape)?), Some(new_items.fit(theirs, &shape)?)))
            })
        };
        let Some((of_old, of_new)) = fits else { continue };
        let both = both.get_or_insert_with(|| Respelt {
            old: old.layout.clone(),
            new: new.layout.clone(),
            lists: HashSet::new(),
        });
        of_old.into_iter().for_each(|fits| put::put(&mut both.old, mine, fits));
        of_new.into_iter().for_each(|fits| put::put(&mut both.new, theirs, fits));
        both.lists.insert(mine);
    }
    both
}

/// The lists of a layout by their paths.
fn lists<'t>(tree: &'t Tree<'_>) -> impl Iterator<Item = (&'t str, ListId)> {
    tree.nodes.iter().filter_map(|node| match node.what {
        What::List(list) => Some((&*node.path, list)),
        _ => None,
    })
}

/// Whether the brackets of two lists are pairs as they stand.
fn same_brackets(old: &Layout, mine: ListId, new: &Layout, theirs: ListId) -> bool {
    let (mine, theirs) = (&old[mine].pieces, &new[theirs].pieces);
    let alike = |a: &Repeat, b: &Repeat| {
        let counts = match (a.count, b.count) {
            (Count::Int(a), Count::Int(b)) => a == b,
            (a, b) => !matches!(a, Count::Int(_)) && !matches!(b, Count::Int(_)),
        };
        counts && a.body.len() == b.body.len() && a.extension == b.extension
    };
    mine.len() == theirs.len() && mine.iter().zip(theirs).all(|(a, b)| alike(&old[*a], &new[*b]))
}

/// Brackets that stand one behind the other: those with numbers of items together, each other alone.
struct Segment {
    pieces: Vec<RepeatId>,
    fixed: bool,
}

fn segments(layout: &Layout, list: ListId) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for &piece in &layout[list].pieces {
        let fixed = matches!(layout[piece].count, Count::Int(_));
        let joins = |segment: &&mut Segment| {
            let last = segment.pieces.last().map(|last| layout[*last].step.wrapping_add(1));
            fixed && segment.fixed && last == Some(layout[piece].step)
        };
        match segments.last_mut().filter(joins) {
            Some(segment) => segment.pieces.push(piece),
            None => segments.push(Segment { pieces: vec![piece], fixed }),
        }
    }
    segments
}

/// Brackets without what stands in them.
#[derive(PartialEq, Eq)]
struct Brackets {
    items: usize,
    /// How often, if that is a number.
    count: Option<i64>,
    extension: bool,
}

/// The brackets of a list, those of a segment together.
fn shape(layout: &Layout, list: ListId) -> Vec<Vec<Brackets>> {
    let brackets = |piece: &RepeatId| {
        let piece = &layout[*piece];
        let count = match piece.count {
            Count::Int(count) => Some(count),
            _ => None,
        };
        Brackets { items: piece.body.len(), count, extension: piece.extension }
    };
    let segments = segments(layout, list).into_iter();
    segments.map(|segment| segment.pieces.iter().map(brackets).collect()).collect()
}
