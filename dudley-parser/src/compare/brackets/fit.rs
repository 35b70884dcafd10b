//! The items of a list in other brackets.

use super::copy::weight;
use super::items::{Flat, Items, MOST, key};
use super::{Brackets, Segment, segments};
use crate::layout::{ListId, RepeatId, Step};
use hashbrown::HashSet;
use std::iter::Peekable;
use std::vec::IntoIter;

/// Things that are copied for one list: it stays as it is if there are more.
const COPIED: usize = 1 << 16;

/// New brackets in place of some.
pub(super) struct Fitted {
    pub(super) instead: Vec<RepeatId>,
    pub(super) pieces: Vec<Piece>,
}

pub(super) struct Piece {
    pub(super) body: Body,
    pub(super) count: i64,
}

pub(super) enum Body {
    Items(Vec<Item>),
    /// The item before it once more.
    Extension,
}

/// An item in its new brackets.
#[derive(Clone, Copy)]
pub(super) struct Item {
    pub(super) step: Step,
    /// It stands in other brackets as well.
    pub(super) again: bool,
}

/// This many repetitions of this many items, from the front; `None` if they are not repetitions.
fn taken(
    flat: &mut Peekable<IntoIter<Flat>>,
    items: usize,
    count: u64,
) -> Option<Vec<(u32, Step)>> {
    let mut steps: Vec<(u32, Step)> = Vec::with_capacity(items);
    if items == 0 || count == 0 {
        return None;
    }
    let mut left = (items as u64).checked_mul(count)?;
    if items > 1 && left > MOST {
        return None;
    }
    let mut at = 0;
    while left > 0 {
        let (class, step, repeated) = flat.peek_mut()?;
        if steps.len() < items {
            steps.push((*class, *step));
        }
        if steps[at % items].0 != *class {
            return None;
        }
        // A single item may be there a billion times.
        let many = if items == 1 { left.min(*repeated) } else { 1 };
        left -= many;
        at += 1;
        *repeated -= many;
        if *repeated == 0 {
            flat.next();
        }
    }
    Some(steps)
}

impl Items<'_> {
    /// The items of a list in other brackets; `None` if they do not fit.
    pub(super) fn fit(&mut self, list: ListId, shape: &[Vec<Brackets>]) -> Option<Vec<Fitted>> {
        let mine = segments(self.layout, list);
        // A list in a list is one pair of brackets.
        let too_many =
            self.layout[list].outer.is_some() && shape.iter().any(|brackets| brackets.len() > 1);
        if mine.len() != shape.len() || too_many {
            return None;
        }
        let mut placed = Placed { used: HashSet::new(), last: None, copied: 0 };
        let mut fitted = Vec::new();
        for (mine, brackets) in mine.into_iter().zip(shape) {
            if mine.fixed {
                fitted.push(self.fit_segment(list, mine, brackets, &mut placed)?);
                continue;
            }
            let (piece, [Brackets { items, count: None, extension }]) =
                (&self.layout[*mine.pieces.first()?], &brackets[..])
            else {
                return None;
            };
            if piece.body.len() != *items || piece.extension != *extension {
                return None;
            }
            // An extension behind it repeats its last item.
            if let (Some(step), false) = (self.layout.run(piece.body).last(), extension) {
                placed.last = Some(self.class(list, *step));
            }
        }
        Some(fitted)
    }

    fn fit_segment(
        &mut self,
        list: ListId,
        mine: Segment,
        brackets: &[Brackets],
        placed: &mut Placed,
    ) -> Option<Fitted> {
        let mut flat = self.flat(list, &mine.pieces)?.into_iter().peekable();
        let mut pieces = Vec::new();
        for &Brackets { items, count, extension } in brackets {
            let count = count?;
            let steps = taken(&mut flat, items, u64::try_from(count).ok()?)?;
            let last = steps.last().map(|(class, _)| *class);
            let body = if extension {
                if placed.last != last {
                    return None;
                }
                Body::Extension
            } else {
                let mut items = Vec::with_capacity(steps.len());
                for (_, step) in steps {
                    let again = !placed.used.insert(key(step));
                    if again {
                        placed.copied += weight(self.layout, step);
                    }
                    items.push(Item { step, again });
                }
                placed.last = last;
                Body::Items(items)
            };
            pieces.push(Piece { body, count });
        }
        let fits = flat.next().is_none() && placed.copied <= COPIED;
        fits.then_some(Fitted { instead: mine.pieces, pieces })
    }
}

/// What is in new brackets already.
struct Placed {
    used: HashSet<(u8, usize)>,
    /// The class of the last item.
    last: Option<u32>,
    copied: usize,
}
