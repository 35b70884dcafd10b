//! The items of lists, and which are alike.

use super::{Brackets, segments, shape};
use crate::layout::print::Printer;
use crate::layout::{Count, Layout, ListId, RepeatId, Step};
use hashbrown::HashMap;

/// Items of one list that are looked at one by one.
pub(super) const MOST: u64 = 4096;

/// Runs of alike items in a part of a list that is seen to repeat.
const LONGEST: usize = 64;

/// An item, the number that it shares with those alike, and how often it comes in a row.
pub(super) type Flat = (u32, Step, u64);

/// The items of lists, and which are alike.
pub(super) struct Items<'l> {
    pub(super) layout: &'l Layout,
    printer: Printer<'l>,
    classes: HashMap<String, u32>,
    known: HashMap<(u8, usize), u32>,
}

impl<'l> Items<'l> {
    /// Those of a layout; items are alike that have one text in `plain`.
    pub(super) fn new(layout: &'l Layout, plain: &'l Layout) -> Self {
        Items {
            layout,
            printer: Printer::new(plain),
            classes: HashMap::new(),
            known: HashMap::new(),
        }
    }

    /// A number that items have which are alike.
    pub(super) fn class(&mut self, list: ListId, step: Step) -> u32 {
        if let Some(class) = self.known.get(&key(step)) {
            return *class;
        }
        let next = self.classes.len() as u32;
        let class = *self.classes.entry(self.printer.list_item(list, step)).or_insert(next);
        self.known.insert(key(step), class);
        class
    }

    /// The items that brackets stand for, each with how often it comes in a row; `None` if there are too many.
    pub(super) fn flat(&mut self, list: ListId, pieces: &[RepeatId]) -> Option<Vec<Flat>> {
        let mut flat = Vec::new();
        for piece in pieces.iter().map(|piece| &self.layout[*piece]) {
            let Count::Int(count) = piece.count else { return None };
            let count = u64::try_from(count).ok()?;
            let steps = self.layout.run(piece.body);
            if let (&[step], 1..) = (steps, count) {
                flat.push((self.class(list, step), step, count));
                continue;
            }
            if count.checked_mul(steps.len() as u64)? > MOST {
                return None;
            }
            for _ in 0..count {
                for &step in steps {
                    flat.push((self.class(list, step), step, 1));
                }
            }
        }
        Some(flat)
    }

    /// The brackets that the items of a list have when repetitions are found anew; `None` if there are too many items.
    pub(super) fn plainest(&mut self, list: ListId) -> Option<Vec<Vec<Brackets>>> {
        let mut shape = shape(self.layout, list);
        for (brackets, segment) in shape.iter_mut().zip(segments(self.layout, list)) {
            if !segment.fixed {
                continue;
            }
            let mut runs: Vec<(u32, u64)> = Vec::new();
            for (class, _, count) in self.flat(list, &segment.pieces)? {
                match runs.last_mut().filter(|last| last.0 == class) {
                    Some(last) => last.1 = last.1.checked_add(count)?,
                    None => runs.push((class, count)),
                }
            }
            brackets.clear();
            let mut rest = &runs[..];
            while !rest.is_empty() {
                let repeated = |length: usize| {
                    rest.chunks(length).take_while(|chunk| *chunk == &rest[..length]).count()
                };
                // The longest part that repeats; a run alone does not.
                let lengths = (2..=(rest.len() / 2).min(LONGEST)).rev();
                let best = lengths.map(|length| (length * repeated(length), length));
                let best = best.filter(|(covered, length)| covered > length).max();
                let (covered, length) = best.unwrap_or((1, 1));
                let many: u64 = rest[..length].iter().map(|run| run.1).sum();
                let (items, count) =
                    if length == 1 { (1, many) } else { (many, (covered / length) as u64) };
                brackets.push(Brackets {
                    items: usize::try_from(items).ok()?,
                    count: Some(i64::try_from(count).ok()?),
                    extension: false,
                });
                rest = &rest[covered..];
            }
        }
        Some(shape)
    }
}

/// What an item is distinguished from others by.
pub(super) fn key(step: Step) -> (u8, usize) {
    match step {
        Step::Param(id) => (0, id.index()),
        Step::Array(id) => (1, id.index()),
        Step::Repeat(id) => (2, id.index()),
        Step::Group(id) => (3, id.index()),
        Step::Enter(id) => (4, id.index()),
    }
}
