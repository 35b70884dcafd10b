//! Lists whose items are written in other brackets: `[f8, f8]`, and `[f8]*2`.
//!
//! Brackets are compared pair by pair. If two differ in more than one way, the lists may have as many items as before,
//! and other ones: that is said, unless the items are plain numbers, which are compared one by one.

use super::declared::Comparison;
use crate::layout::{Array, Count, DocKey, Element, Layout, ListId, Place, Step};

/// Items that are compared one by one.
const MOST: usize = 100_000;

/// How the brackets of two lists belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Brackets {
    /// They are pairs, and the lists have other lengths if the brackets differ.
    Pairs,
    /// They are no pairs, and the items are the same.
    SameItems,
    /// They are no pairs, and nothing is known of the items.
    Unknown,
}

impl Comparison<'_> {
    pub(super) fn brackets(&self, a: ListId, b: ListId) -> Brackets {
        let (mine, theirs) = (&self.old[a].pieces, &self.new[b].pieces);
        let mut differences = usize::from(mine.len() != theirs.len());
        for (&x, &y) in mine.iter().zip(theirs) {
            let (x, y) = (&self.old[x], &self.new[y]);
            if x.extension != y.extension {
                differences += 2;
            }
            differences += usize::from(x.body.len() != y.body.len());
            differences += usize::from(!self.same_repeat(x.count, y.count));
        }
        match differences {
            0 | 1 => Brackets::Pairs,
            _ if self.same_items(a, b) => Brackets::SameItems,
            _ => Brackets::Unknown,
        }
    }

    /// Whether the items are the same numbers or arrays of fixed size, one after the other, without words about them.
    fn same_items(&self, a: ListId, b: ListId) -> bool {
        let (Some(mine), Some(theirs)) = (plain(self.old, a), plain(self.new, b)) else {
            return false;
        };
        let same = |(x, y): (&&Array, &&Array)| {
            let (dims, others) = (self.old.dims(x), self.new.dims(y));
            x.element == y.element
                && x.align == y.align
                && dims.iter().map(|dim| dim.count).eq(others.iter().map(|dim| dim.count))
        };
        self.old.order() == self.new.order()
            && mine.len() == theirs.len()
            && mine.iter().zip(&theirs).all(same)
    }
}

/// The items of a list, if all of them are plain arrays of fixed size, and not too many.
fn plain(layout: &Layout, list: ListId) -> Option<Vec<&Array>> {
    let mut items = Vec::new();
    for &piece in &layout[list].pieces {
        let (Count::Int(count), body) = (layout[piece].count, layout.run(layout[piece].body))
        else {
            return None;
        };
        // Nothing is nothing, however often.
        let count = if body.is_empty() { 0 } else { count };
        for _ in 0..count {
            for &step in body {
                let Step::Array(array) = step else { return None };
                let (array, about) = (&layout[array], DocKey::of(layout[array].span));
                // The address of an empty item says nothing of those behind it.
                let has_bytes =
                    layout.dims(array).iter().all(|dim| matches!(dim.count, Count::Int(1..)));
                let is_plain = matches!(array.element, Element::Primitive(..))
                    && has_bytes
                    && array.place == Place::Next
                    && array.filter.is_none()
                    && layout.attributes(about).is_empty()
                    && layout.unit(about).is_none()
                    && layout.doc(about).next().is_none();
                if !is_plain || items.len() == MOST {
                    return None;
                }
                items.push(array);
            }
        }
    }
    Some(items)
}
