//! Lists in a walk.
//!
//! Of a list whose count is known all items are visited, or the first three repetitions and the
//! last; of any other one general repetition, with its number in the formulas: `/l/[i]`. Where the
//! first repetition differs by its padding, it comes before that; except for lists deep in others,
//! where that would double the rows too often. Who wants no counted ones gets one repetition of every list.

use super::walk::{Walk, What};
use super::{Node, Op, Plan};
use crate::layout::path::push_name;
use crate::layout::{RepeatId, Run, Step};

/// Repetitions visited at the start of a long list.
const HEAD: u64 = 3;

/// Lists in more lists than this are not shown: nobody reads them, and each takes its stack.
const DEPTH_SHOWN: u32 = 64;

/// Lists in lists with rows for their first repetition too.
const DOUBLED: u32 = 3;

/// A piece of a list that is visited.
struct Piece {
    id: RepeatId,
    /// Items in earlier pieces of its list.
    before: Option<Node>,
    /// Where the cursor stands before it.
    cursor: Option<Node>,
    count: Option<Node>,
}

/// How the repetitions of a piece lie, from the second on.
struct Alike {
    /// Where the cursor would stand before the first, if it were like the others. It may be below 0 where
    /// the first one is shorter.
    base: Node,
    /// Where it stands before the one with some number.
    here: Node,
}

impl<'a> Plan<'a> {
    pub(super) fn visit_repeat(
        &mut self,
        walk: &mut Walk<'_, '_, 'a>,
        id: RepeatId,
        cursor: Option<Node>,
    ) -> Option<Node> {
        let layout = self.layout;
        let list = layout[id].list;
        let outermost = walk.list.is_none();
        if outermost {
            walk.list = Some(list);
        }
        if layout[list].outer.is_none() {
            self.layout.push_dict(&mut walk.path, layout[list].dict);
            walk.path.push('/');
            push_name(&mut walk.path, layout.name(layout[list].name));
        }
        if layout[list].pieces.first() == Some(&id) {
            let nothing = self.number(0);
            walk.lengths.insert(list, Some(nothing));
            let pieces: Vec<_> =
                layout[list].pieces.iter().map(|piece| self.piece_items(*piece)).collect();
            let length = pieces.into_iter().collect::<Option<Box<[Node]>>>();
            let length = length.map(|pieces| self.node(Op::Sum(pieces, [].into())));
            self.show(walk, What::List { list, length });
        }
        let before = walk.lengths.get(&list).copied().flatten();
        let items = self.piece_items(id);
        let both = before.zip(items);
        let all = both.map(|(before, items)| self.node(Op::Add(before, items)));
        walk.lengths.insert(list, all);
        let count = self.repetitions(id);
        let none = count.is_some_and(|count| self.as_number(count) == Some(0));
        // What has no number in its list is no row of a listing.
        let numbered = walk.counted.is_none() || self.formula(all).is_ok();
        if !none && numbered && !layout[id].body.is_empty() && walk.depth < DEPTH_SHOWN {
            walk.depth += 1;
            self.visit_repetitions(walk, Piece { id, before, cursor, count });
            walk.depth -= 1;
        }
        if outermost {
            walk.list = None;
        }
        self.measure_step(Step::Repeat(id), cursor).cursor
    }

    /// How many items a piece of a list has.
    fn piece_items(&mut self, id: RepeatId) -> Option<Node> {
        let count = self.repetitions(id)?;
        let items = self.unsigned(self.layout[id].body.len() as u64);
        Some(self.node(Op::Bytes([count].into(), items)))
    }

    fn visit_repetitions(&mut self, walk: &mut Walk<'_, '_, 'a>, piece: Piece) {
        let known = piece.count.and_then(|count| self.as_number(count));
        match (known.and_then(|count| u64::try_from(count).ok()), walk.counted) {
            (Some(1), _) => drop(self.visit_numbered(walk, &piece, 0, piece.cursor)),
            (Some(count), Some(options)) if !self.layout[piece.id].varying => {
                let elided = options.elide_above.is_some_and(|limit| count > limit);
                self.visit_counted(walk, &piece, count, elided);
            }
            _ => self.visit_general(walk, &piece),
        }
    }

    /// A list that is repeated this many times.
    fn visit_counted(
        &mut self,
        walk: &mut Walk<'_, '_, 'a>,
        piece: &Piece,
        count: u64,
        elided: bool,
    ) {
        let mut here = piece.cursor;
        let mut index = 0;
        while index < count && !walk.stopped {
            if elided && index == HEAD {
                let (list, repetitions) = (self.layout[piece.id].list, count - HEAD - 1);
                self.show(walk, What::Elided { list, repetitions });
                index = count - 1;
                let last = self.unsigned(index);
                here = self.cursor_before(piece.id, piece.cursor, last);
            }
            here = self.visit_numbered(walk, piece, index, here);
            index += 1;
        }
    }

    fn visit_numbered(
        &mut self,
        walk: &mut Walk<'_, '_, 'a>,
        piece: &Piece,
        index: u64,
        cursor: Option<Node>,
    ) -> Option<Node> {
        let index = self.unsigned(index);
        self.visit_body(walk, piece, index, cursor)
    }

    /// One repetition for all: of a list of unknown length, or one whose repetitions differ.
    fn visit_general(&mut self, walk: &mut Walk<'_, '_, 'a>, piece: &Piece) {
        let doubled = walk.doubled;
        let index = self.node(Op::Index(walk.repetitions.len() as u32));
        let mut from = 0;
        let mut here = match walk.counted {
            None => self.cursor_before(piece.id, piece.cursor, index),
            Some(_) => None,
        };
        if let (Some(_), Some(cursor)) = (walk.counted, piece.cursor)
            && let Some(alike) = self.alike(piece, index)
        {
            here = Some(alike.here);
            if self.first_differs(piece.id, cursor, alike.base) {
                from = 1;
                if walk.doubled < DOUBLED {
                    walk.doubled += 1;
                    self.visit_numbered(walk, piece, 0, piece.cursor);
                }
            }
        }
        walk.repetitions.push(piece.count);
        walk.from.push(from);
        self.visit_body(walk, piece, index, here);
        walk.repetitions.pop();
        walk.from.pop();
        walk.doubled = doubled;
    }

    /// How the repetitions of a list lie that does not vary, except for the first; `None` if that is not known.
    fn alike(&mut self, piece: &Piece, index: Node) -> Option<Alike> {
        if self.layout[piece.id].varying {
            return None;
        }
        let second = self.repetition(piece.id, piece.cursor).cursor?;
        let third = self.repetition(piece.id, Some(second)).cursor?;
        let base = self.node(Op::Sum([second, second].into(), [third].into()));
        let here = self.node(Op::Repeat { index, first: base, second, third });
        Some(Alike { base, here })
    }

    /// Whether the first repetition is not like the others, apart from the cursor before it.
    fn first_differs(&mut self, id: RepeatId, cursor: Node, base: Node) -> bool {
        match (self.expr(cursor), self.expr(base)) {
            (Ok(cursor), Ok(base)) if cursor != base => {}
            _ => return false,
        }
        self.run_differs(self.layout[id].body, Some(cursor), Some(base))
    }

    /// Whether something of a sequence lies elsewhere if the cursor before it is another one; the cursor behind it too.
    fn run_differs(&mut self, run: Run, mut here: Option<Node>, mut general: Option<Node>) -> bool {
        let layout = self.layout;
        for &step in layout.run(run) {
            let (a, b) = (self.measure_step(step, here), self.measure_step(step, general));
            // A dict and a list begin with their first item that has bytes, and may have others before that.
            let differs = match step {
                Step::Group(dict) => self.run_differs(layout[dict].run, here, general),
                Step::Repeat(inner) => self.run_differs(layout[inner].body, here, general),
                _ => !self.same_formula(a.begin, b.begin),
            };
            if differs {
                return true;
            }
            (here, general) = (a.cursor, b.cursor);
        }
        !self.same_formula(here, general)
    }

    fn same_formula(&mut self, a: Option<Node>, b: Option<Node>) -> bool {
        match (self.formula(a), self.formula(b)) {
            (Ok(a), Ok(b)) => a == b,
            _ => false,
        }
    }

    fn visit_body(
        &mut self,
        walk: &mut Walk<'_, '_, 'a>,
        piece: &Piece,
        index: Node,
        cursor: Option<Node>,
    ) -> Option<Node> {
        let layout = self.layout;
        let steps = layout.run(layout[piece.id].body);
        let outer = walk.path.len();
        let mut here = cursor;
        for (element, &step) in steps.iter().enumerate() {
            if walk.stopped {
                break;
            }
            walk.path.push('/');
            let start = walk.path.len();
            let (shown, number) = self.item_number(index, steps.len(), element, piece.before);
            walk.path += &shown;
            let formulas = walk.numbers.len();
            if let Some(number) = number.filter(|number| self.as_number(*number).is_none()) {
                walk.numbers.push((start..walk.path.len(), number));
            }
            here = self.visit_step(walk, step, here);
            walk.numbers.truncate(formulas);
            walk.path.truncate(outer);
        }
        here
    }

    /// The number of an item in its list, as it stands in a path.
    fn item_number(
        &mut self,
        index: Node,
        of: usize,
        element: usize,
        before: Option<Node>,
    ) -> (String, Option<Node>) {
        let (of, element) = (self.unsigned(of as u64), self.unsigned(element as u64));
        let items = self.node(Op::Bytes([index].into(), of));
        let number = self.node(Op::Add(items, element));
        let number = before.map(|before| self.node(Op::Add(number, before)));
        let shown = number.and_then(|number| match self.as_number(number) {
            Some(number) => Some(number.to_string()),
            None if !self.told => None,
            None => self.text(number).map(|text| format!("[{text}]")),
        });
        (shown.unwrap_or_else(|| "[…]".to_owned()), number)
    }
}
