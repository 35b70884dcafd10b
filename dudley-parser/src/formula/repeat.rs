//! Lists in a walk through formulas.
//!
//! Of a list whose count is known all items are visited, or the first three repetitions and the
//! last; of any other one general repetition, with its number in the formulas: `/l/[i]`. Where the
//! first repetition differs by its padding, it comes before that; but for lists deep in others,
//! where that would double the rows too often.

use super::row::{Repetition, What};
use super::walk::{Reached, Walk};
use super::{Expr, Formulas, Gap, Result, index_name};
use crate::layout::path::push_name;
use crate::layout::{ListId, RepeatId, Step};
use crate::resolve::Flow;

/// Repetitions visited at the start of a long list.
const HEAD: u64 = 3;

/// Lists in more lists than this are not shown: nobody reads them, and each takes its stack.
const DEPTH_SHOWN: u32 = 64;

/// Lists in lists with rows for their first repetition too.
const DOUBLED: u32 = 3;

impl Formulas<'_> {
    pub(super) fn visit_repeat(
        &mut self,
        walk: &mut Walk<'_, '_>,
        id: RepeatId,
        cursor: Result<Expr>,
    ) -> Reached {
        let list = self.layout[id].list;
        if self.layout[list].outer.is_none() {
            self.layout.push_dict(&mut walk.path, self.layout[list].dict);
            walk.path.push('/');
            push_name(&mut walk.path, self.layout.name(self.layout[list].name));
        }
        if self.layout[list].pieces.first() == Some(&id) {
            walk.lengths.insert(list, Ok(Expr::default()));
            let length = self.list_length(list);
            if self.show(walk, What::List { list, length }) == Flow::Stop {
                return (Flow::Stop, cursor);
            }
        }
        let count = match self.repetitions(id) {
            Ok(count) => count,
            Err(gap) => return (Flow::Continue, Err(gap)),
        };
        let body = self.layout[id].body;
        let before = walk.lengths.get(&list).cloned().unwrap_or(Ok(Expr::default()));
        let items = count.times(&Expr::number(body.len() as u64));
        let sum = |before: Expr| before.plus(&items.clone()?);
        let behind = before.clone().and_then(|before| sum(before).ok_or(Gap::Illegal));
        walk.lengths.insert(list, behind);
        let (Ok(before), false, true) = (before, body.is_empty(), count.as_number() != Some(0))
        else {
            return (Flow::Continue, cursor);
        };
        if walk.depth == DEPTH_SHOWN {
            let step = Step::Repeat(id);
            let behind = cursor.and_then(|cursor| Ok(self.measure_step(step, &cursor)?.cursor));
            return (Flow::Continue, behind);
        }
        walk.depth += 1;
        let reached = match count.as_number() {
            Some(count) if !self.layout[id].varying => {
                self.visit_counted(walk, id, &before, cursor, count)
            }
            _ => self.visit_general(walk, id, &before, cursor, count),
        };
        walk.depth -= 1;
        reached
    }

    /// Items of all pieces of a list.
    fn list_length(&mut self, list: ListId) -> Result<Expr> {
        let layout = self.layout;
        let mut length = Expr::default();
        for &piece in &layout[list].pieces {
            let items = Expr::number(layout[piece].body.len() as u64);
            let items = self.repetitions(piece)?.times(&items).ok_or(Gap::Illegal)?;
            length = length.plus(&items).ok_or(Gap::Illegal)?;
        }
        Ok(length)
    }

    /// A list that is repeated so many times.
    fn visit_counted(
        &mut self,
        walk: &mut Walk<'_, '_>,
        id: RepeatId,
        before: &Expr,
        cursor: Result<Expr>,
        count: u64,
    ) -> Reached {
        let list = self.layout[id].list;
        let elided = walk.options.elide_above.is_some_and(|limit| count > limit);
        let start = cursor.clone();
        let mut here = cursor;
        let mut index = 0;
        while index < count {
            if elided && index == HEAD {
                let repetitions = count - HEAD - 1;
                if self.show(walk, What::Elided { list, repetitions }) == Flow::Stop {
                    return (Flow::Stop, here);
                }
                index = count - 1;
                let last = Expr::number(index);
                here = start.clone().and_then(|start| self.cursor_at(id, &start, &last));
            }
            let (flow, behind) = self.visit_body(walk, id, before, &Expr::number(index), here);
            here = behind;
            if flow == Flow::Stop {
                return (flow, here);
            }
            index += 1;
        }
        (Flow::Continue, here)
    }

    /// Where the cursor stands before a repetition other than the first.
    fn cursor_at(&mut self, id: RepeatId, start: &Expr, index: &Expr) -> Result<Expr> {
        let repeated = self.repeated(id, start)?;
        let by = repeated.stride.times(index);
        by.and_then(|by| repeated.base.plus(&by)).ok_or(Gap::Illegal)
    }

    /// A list of unknown length, or one whose repetitions differ: one repetition for all.
    fn visit_general(
        &mut self,
        walk: &mut Walk<'_, '_>,
        id: RepeatId,
        before: &Expr,
        cursor: Result<Expr>,
        count: Expr,
    ) -> Reached {
        let repeat = &self.layout[id];
        if repeat.varying && count.as_number() == Some(1) {
            let (flow, _) = self.visit_body(walk, id, before, &Expr::default(), cursor);
            return (flow, Err(Gap::Variable));
        }
        let behind = match (&cursor, repeat.varying) {
            (Ok(cursor), _) => self.measure_step(Step::Repeat(id), cursor).map(|all| all.cursor),
            (Err(gap), _) => Err(*gap),
        };
        let doubled = walk.doubled;
        let mut from = 0;
        let mut here = Err(Gap::Variable);
        if !repeat.varying {
            if let Ok(cursor) = &cursor
                && self.first_differs(id, cursor)
            {
                from = 1;
                if walk.doubled < DOUBLED {
                    walk.doubled += 1;
                    let first =
                        self.visit_body(walk, id, before, &Expr::default(), Ok(cursor.clone()));
                    if first.0 == Flow::Stop {
                        return first;
                    }
                }
            }
            let index = Expr::index(walk.repetitions.len() as u32);
            here = cursor.and_then(|cursor| self.cursor_at(id, &cursor, &index));
        }
        let index = Expr::index(walk.repetitions.len() as u32);
        walk.repetitions.push(Repetition { from, count });
        let (flow, _) = self.visit_body(walk, id, before, &index, here);
        walk.repetitions.pop();
        walk.doubled = doubled;
        (flow, behind)
    }

    /// Whether the first repetition is not like the others, apart from the cursor before it.
    fn first_differs(&mut self, id: RepeatId, cursor: &Expr) -> bool {
        let Ok(repeated) = self.repeated(id, cursor) else { return false };
        if &repeated.base == cursor {
            return false;
        }
        let layout = self.layout;
        let (mut here, mut general) = (cursor.clone(), repeated.base);
        for &step in layout.run(layout[id].body) {
            let (Ok(a), Ok(b)) =
                (self.measure_step(step, &here), self.measure_step(step, &general))
            else {
                return true;
            };
            if a.begin != b.begin {
                return true;
            }
            (here, general) = (a.cursor, b.cursor);
        }
        here != general
    }

    fn visit_body(
        &mut self,
        walk: &mut Walk<'_, '_>,
        id: RepeatId,
        before: &Expr,
        index: &Expr,
        cursor: Result<Expr>,
    ) -> Reached {
        let layout = self.layout;
        let steps = layout.run(layout[id].body);
        let mut here = cursor;
        let outer = walk.path.len();
        for (element, &step) in steps.iter().enumerate() {
            let number = index.times(&Expr::number(steps.len() as u64));
            let number =
                number.and_then(|number| number.plus(before)?.plus(&Expr::number(element as u64)));
            walk.path.push('/');
            walk.path += &match number {
                Some(number) => match number.as_number() {
                    Some(number) => number.to_string(),
                    None => format!("[{}]", self.labels.formula(&number)),
                },
                None => index_name(walk.repetitions.len() as u32),
            };
            let (flow, behind) = self.visit_step(walk, step, here);
            walk.path.truncate(outer);
            here = behind;
            if flow == Flow::Stop {
                return (flow, here);
            }
        }
        (Flow::Continue, here)
    }
}
