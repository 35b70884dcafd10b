//! Everything a layout declares, one after the other in the order of the text, with its path.

use super::locate::Placed;
use super::{Resolver, Result, UNPLACED, most_items};
use crate::layout::path::push_name;
use crate::layout::{ArrayId, DictId, ListId, ParamId, ROOT, RepeatId, Step};
use crate::place::Repeated;
use hashbrown::HashMap;
use std::ops::Range;

/// An item of a walk.
#[derive(Debug)]
pub struct Event<'p> {
    /// Its path.
    pub path: &'p str,
    /// Its kind.
    pub found: Found,
}

/// What was found.
#[derive(Debug)]
pub enum Found {
    /// A dict, where it is first entered.
    Dict(DictId),
    /// A list, where its first piece stands.
    List {
        /// The list.
        list: ListId,
        /// How many items all its pieces have.
        length: Result<u64>,
    },
    /// A data item or an item of a list. A spliced record is one such item.
    Array {
        /// The array.
        array: ArrayId,
        /// Where the cursor stands before it, if that is known.
        cursor: Option<u64>,
        /// Where it lies.
        placed: Result<Placed>,
    },
    /// A param.
    Param {
        /// The param.
        param: ParamId,
        /// Where it lies, if it is streamed.
        placed: Option<Result<Placed>>,
    },
    /// Items of a list are left out here.
    Elided {
        /// The list.
        list: ListId,
        /// How many repetitions are left out.
        repetitions: u64,
        /// The numbers of their items in the list.
        items: Range<u64>,
        /// Nobody asked for that: this many items were visited before that no more are ([`most_items`]).
        held_back: bool,
    },
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// That was enough.
    Stop,
}

/// How much of long lists to visit.
#[derive(Clone, Copy, Debug, Default)]
pub struct WalkOptions {
    /// In a piece with more repetitions than this, only the first three and the last are visited.
    pub elide_above: Option<u64>,
    /// In such a piece, repetitions that begin before this address are visited, too, as long as each takes some bytes:
    /// the count may be damaged, and the existing repetitions are wanted.
    pub within: Option<u64>,
}

impl WalkOptions {
    /// Pieces with more repetitions than this many are visited in part; without a number, all are visited whole.
    pub fn elide_above(repetitions: impl Into<Option<u64>>) -> WalkOptions {
        WalkOptions { elide_above: repetitions.into(), within: None }
    }
}

/// Repetitions visited at the start of a long list.
const HEAD: u64 = 3;

/// A pair of brackets of a list, or an extension, whose repetitions come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The list.
    pub list: ListId,
    /// The index of its first item.
    pub first: u64,
    /// Items of one repetition.
    pub items: u64,
    /// How often they are repeated.
    pub count: u64,
}

/// The repetition of a piece that a walk goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// Its number; the count of them to leave the piece.
    pub at: u64,
    /// The number of omitted items before it.
    pub left_out: u64,
}

/// The visitor of a walk. During a call, the params around the visited item are in
/// force, so shapes can be requested.
pub trait Visitor {
    /// A data item or streamed param comes next; it is not placed yet. A writer makes its value
    /// known here.
    fn before(&mut self, _resolver: &mut Resolver<'_>, _path: &str, _step: Step) -> Flow {
        Flow::Continue
    }

    /// The repetitions of a piece of a list come next, if there are any; where the cursor stands before them, if that is
    /// known.
    fn repeat(&mut self, _piece: RepeatId, _cursor: Option<u64>) {}

    /// Which repetition of a piece of the list at a path is visited next, from a number on; none to leave that
    /// to the [`WalkOptions`]. What is skipped is not visited where repetitions are alike.
    fn next(&mut self, _path: &str, _piece: &Piece, _from: u64) -> Option<Next> {
        None
    }

    /// Something was found.
    fn visit(&mut self, resolver: &mut Resolver<'_>, event: Event<'_>) -> Flow;
}

impl<F: FnMut(&mut Resolver<'_>, Event<'_>) -> Flow> Visitor for F {
    fn visit(&mut self, resolver: &mut Resolver<'_>, event: Event<'_>) -> Flow {
        self(resolver, event)
    }
}

struct Walk<'v> {
    path: String,
    options: WalkOptions,
    visit: &'v mut dyn Visitor,
    /// Items that earlier pieces of a list have; `None` if that is not known.
    lengths: HashMap<ListId, Option<u64>>,
    /// Items of lists that may be visited before only the last repetitions are.
    left: u64,
}

impl<'v> Walk<'v> {
    fn new(options: WalkOptions, visit: &'v mut dyn Visitor) -> Self {
        Walk { path: String::new(), options, visit, lengths: HashMap::new(), left: u64::MAX }
    }
}

impl Resolver<'_> {
    /// Visits everything in the order of the text. Of a stream whose length is known no more items of lists are
    /// visited than [`most_items`] says, and then the last repetition of each piece alone.
    ///
    /// ```
    /// use dudley_parser::resolve::{Event, Flow, WalkOptions};
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"grp/ x = f8").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let mut paths = Vec::new();
    /// resolver.walk(WalkOptions::default(), &mut |_: &mut Resolver<'_>, event: Event<'_>| {
    ///     paths.push(event.path.to_owned());
    ///     Flow::Continue
    /// });
    /// assert_eq!(paths, ["/", "/grp", "/grp/x"]);
    /// ```
    pub fn walk(&mut self, options: WalkOptions, visit: &mut dyn Visitor) -> Flow {
        let left = self.given.stream_bytes.map_or(u64::MAX, most_items);
        self.walk_all(Walk { left, ..Walk::new(options, visit) })
    }

    /// As [`Self::walk`], but when this many items of lists were visited, only the last repetition of each
    /// piece is from there on: lists in lists in lists have more items than can be visited, and so
    /// everything that is declared is found all the same.
    pub(crate) fn walk_at_most(
        &mut self,
        in_lists: u64,
        options: WalkOptions,
        visit: &mut dyn Visitor,
    ) -> Flow {
        self.walk_all(Walk { left: in_lists, ..Walk::new(options, visit) })
    }

    fn walk_all(&mut self, mut walk: Walk<'_>) -> Flow {
        match self.show(&mut walk, Found::Dict(ROOT)) {
            Flow::Stop => Flow::Stop,
            Flow::Continue => self.visit_run(&mut walk, ROOT, Ok(self.given.start)).0,
        }
    }

    /// As [`Self::walk`], but passes by the first `steps` steps of the root: what was appended to a
    /// text comes behind them. They are placed all the same.
    ///
    /// ```
    /// use dudley_parser::resolve::{Event, Flow, WalkOptions};
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = f8  y = f8").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let mut paths = Vec::new();
    /// resolver.walk_behind(1, WalkOptions::default(), &mut |_: &mut Resolver<'_>, event: Event<'_>| {
    ///     paths.push(event.path.to_owned());
    ///     Flow::Continue
    /// });
    /// assert_eq!(paths, ["/", "/y"]);
    /// ```
    pub fn walk_behind(
        &mut self,
        steps: usize,
        options: WalkOptions,
        visit: &mut dyn Visitor,
    ) -> Flow {
        let mut walk = Walk::new(options, visit);
        let flow = self.show(&mut walk, Found::Dict(ROOT));
        if flow == Flow::Stop {
            return flow;
        }
        let mut here = self.cursor_behind(steps);
        for &step in self.layout.root().iter().skip(steps) {
            let (flow, behind) = self.visit_step(&mut walk, step, here);
            here = behind;
            if flow == Flow::Stop {
                return flow;
            }
        }
        Flow::Continue
    }

    /// As [`Self::walk`], but visits only one step of the root, by its index. What lies before it is placed.
    ///
    /// ```
    /// use dudley_parser::resolve::{Event, Flow, WalkOptions};
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = f8  y = f8").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let mut paths = Vec::new();
    /// resolver.walk_step(1, WalkOptions::default(), &mut |_: &mut Resolver<'_>, event: Event<'_>| {
    ///     paths.push(event.path.to_owned());
    ///     Flow::Continue
    /// });
    /// assert_eq!(paths, ["/y"]);
    /// ```
    pub fn walk_step(&mut self, at: usize, options: WalkOptions, visit: &mut dyn Visitor) -> Flow {
        let Some(&step) = self.layout.root().get(at) else { return Flow::Continue };
        self.place_root(at);
        let here = match self.state.placed[at] {
            UNPLACED => {
                self.come_to(at);
                self.cursor_behind(at)
            }
            address => Ok(address),
        };
        self.visit_step(&mut Walk::new(options, visit), step, here).0
    }

    /// Where a data item or streamed param lies, given where the cursor stands before it, and where the
    /// cursor stands behind it. For a writer that follows the walk of another resolver: it finds the same
    /// steps in the same order.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"a = u1  x = f8").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (place, behind) = resolver.place_next(layout.root()[1], 1)?;
    /// assert_eq!((place.address, behind), (8, 16));
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be placed.
    pub fn place_next(&mut self, step: Step, cursor: u64) -> Result<(Placed, u64)> {
        let (placed, behind) = self.placed(step, Ok(cursor));
        Ok((placed?, behind?))
    }

    /// Visits a step; gives where the cursor stands behind it.
    fn visit_step(
        &mut self,
        walk: &mut Walk<'_>,
        step: Step,
        cursor: Result<u64>,
    ) -> (Flow, Result<u64>) {
        let outer = walk.path.len();
        let (flow, behind) = match step {
            Step::Enter(dict) => {
                self.layout.push_dict(&mut walk.path, dict);
                (self.show(walk, Found::Dict(dict)), cursor)
            }
            Step::Param(id) => self.visit_param(walk, id, cursor),
            Step::Array(id) => self.visit_array(walk, id, cursor),
            Step::Repeat(id) => self.visit_repeat(walk, id, cursor),
            Step::Group(dict) => {
                let flow = self.show(walk, Found::Dict(dict));
                match flow {
                    Flow::Stop => (flow, cursor),
                    Flow::Continue => self.visit_run(walk, dict, cursor),
                }
            }
        };
        walk.path.truncate(outer);
        (flow, behind)
    }

    fn show(&mut self, walk: &mut Walk<'_>, found: Found) -> Flow {
        let path = if walk.path.is_empty() { "/" } else { &walk.path };
        walk.visit.visit(self, Event { path, found })
    }

    fn visit_run(
        &mut self,
        walk: &mut Walk<'_>,
        dict: DictId,
        cursor: Result<u64>,
    ) -> (Flow, Result<u64>) {
        let layout = self.layout;
        let mut here = cursor;
        for (at, &step) in layout.run(layout[dict].run).iter().enumerate() {
            if let (ROOT, Some(&cursor)) = (dict, self.given.cursors.get(&at)) {
                here = Ok(cursor);
            }
            if dict == ROOT
                && self.needs_bytes(step)
                && let Err(wrong) = self.guard(at)
            {
                here = Err(wrong);
            }
            let (flow, behind) = self.visit_step(walk, step, here);
            here = behind;
            if flow == Flow::Stop {
                return (flow, here);
            }
        }
        (Flow::Continue, here)
    }

    fn visit_param(
        &mut self,
        walk: &mut Walk<'_>,
        id: ParamId,
        cursor: Result<u64>,
    ) -> (Flow, Result<u64>) {
        use crate::layout::Scope;
        let param = &self.layout[id];
        if let Scope::Dict(dict) | Scope::Repeated(dict) = param.scope {
            self.layout.push_dict(&mut walk.path, dict);
        }
        walk.path.push('/');
        self.layout.push_param(&mut walk.path, id);
        if !param.is_streamed() {
            return (self.show(walk, Found::Param { param: id, placed: None }), cursor);
        }
        let step = Step::Param(id);
        if walk.visit.before(self, &walk.path, step) == Flow::Stop {
            return (Flow::Stop, cursor);
        }
        let (placed, behind) = self.placed(step, cursor);
        (self.show(walk, Found::Param { param: id, placed: Some(placed) }), behind)
    }

    fn visit_array(
        &mut self,
        walk: &mut Walk<'_>,
        id: ArrayId,
        cursor: Result<u64>,
    ) -> (Flow, Result<u64>) {
        let array = &self.layout[id];
        let named = match array.dict {
            Some(dict) => {
                self.layout.entry(dict, array.name) == Some(crate::layout::Entry::Array(id))
            }
            None => false,
        };
        if let (true, Some(dict)) = (named, array.dict) {
            self.layout.push_dict(&mut walk.path, dict);
            walk.path.push('/');
            push_name(&mut walk.path, self.layout.name(array.name));
        }
        let step = Step::Array(id);
        walk.left = walk.left.saturating_sub(self.layout.unfolded(step));
        if walk.visit.before(self, &walk.path, step) == Flow::Stop {
            return (Flow::Stop, cursor);
        }
        let before = cursor.as_ref().ok().copied();
        let (placed, behind) = self.placed(step, cursor);
        (self.show(walk, Found::Array { array: id, cursor: before, placed }), behind)
    }

    /// Where a data item or param lies, and where the cursor stands behind it.
    pub(super) fn placed(
        &mut self,
        step: Step,
        cursor: Result<u64>,
    ) -> (Result<Placed>, Result<u64>) {
        let passed = self.pass(step, cursor);
        let placed = passed.cursor.as_ref().map_err(Clone::clone).map(|behind| {
            let address = passed.begin.unwrap_or(*behind);
            Placed { address, bytes: behind - address }
        });
        (placed, passed.cursor)
    }

    fn visit_repeat(
        &mut self,
        walk: &mut Walk<'_>,
        id: RepeatId,
        cursor: Result<u64>,
    ) -> (Flow, Result<u64>) {
        let repeat = &self.layout[id];
        let list = repeat.list;
        let named = self.layout[list].outer.is_none();
        if named {
            self.layout.push_dict(&mut walk.path, self.layout[list].dict);
            walk.path.push('/');
            push_name(&mut walk.path, self.layout.name(self.layout[list].name));
        }
        // The piece of a sublist may be repeated by an extension: it is the first all the same.
        if self.layout[list].pieces.first() == Some(&id) {
            walk.lengths.insert(list, Some(0));
            let length = self.list_length(list);
            if self.show(walk, Found::List { list, length }) == Flow::Stop {
                return (Flow::Stop, cursor);
            }
        }
        walk.visit.repeat(id, cursor.as_ref().ok().copied());
        let count = match self.repetitions(id) {
            Ok(count) => count,
            Err(error) => {
                walk.lengths.insert(list, None);
                return (Flow::Continue, Err(error));
            }
        };
        let before = match walk.lengths.get(&list) {
            Some(items) => *items,
            None => self.items_before(id),
        };
        match before {
            Some(before) => self.visit_repetitions(walk, id, cursor, before, count),
            // What has no number has no path.
            None => (Flow::Continue, self.pass(Step::Repeat(id), cursor).cursor),
        }
    }

    /// Items of all pieces of a list, with the params now in force.
    fn list_length(&mut self, list: ListId) -> Result<u64> {
        let mut length: u64 = 0;
        for &piece in &self.layout[list].pieces {
            let items = self.layout[piece].body.len() as u64;
            length = length.saturating_add(self.repetitions(piece)?.saturating_mul(items));
        }
        Ok(length)
    }

    /// Items of the pieces of a list before one of them, where the walk passed those by.
    fn items_before(&mut self, id: RepeatId) -> Option<u64> {
        let pieces = &self.layout[self.layout[id].list].pieces;
        let mut before = pieces.iter().take_while(|piece| **piece != id);
        before.try_fold(0, |sum: u64, piece| {
            let items = self.layout[*piece].body.len() as u64;
            Some(sum.saturating_add(self.repetitions(*piece).ok()?.saturating_mul(items)))
        })
    }

    fn visit_repetitions(
        &mut self,
        walk: &mut Walk<'_>,
        id: RepeatId,
        cursor: Result<u64>,
        offset: u64,
        count: u64,
    ) -> (Flow, Result<u64>) {
        let list = self.layout[id].list;
        let body = self.layout[id].body;
        let items = count.saturating_mul(body.len() as u64);
        walk.lengths.insert(list, Some(offset.saturating_add(items)));
        if body.is_empty() || count == 0 {
            return (Flow::Continue, cursor);
        }
        let varies = self.varies(id);
        let computed = match (&cursor, varies) {
            (Ok(cursor), false) => self.repeated(id, *cursor).ok(),
            _ => None,
        };
        let long = walk.options.elide_above.is_some_and(|limit| count > limit);
        let last = count - 1;
        let piece = Piece { list, first: offset, items: body.len() as u64, count };
        let number = |index: u64| offset.saturating_add(index.saturating_mul(body.len() as u64));
        let mut here = cursor;
        let (mut index, mut moved) = (0, true);
        while index < count {
            let within = walk
                .options
                .within
                .is_some_and(|end| moved && here.as_ref().is_ok_and(|cursor| *cursor < end));
            let is_elided = long && index >= HEAD && !within;
            let asked = walk.visit.next(&walk.path, &piece, index);
            let held_back = asked.is_none() && !is_elided;
            let mut next = match asked {
                Some(next) => next,
                None if is_elided || walk.left == 0 => Next { at: last, left_out: last - index },
                None => Next { at: index, left_out: 0 },
            };
            let mut there = here.clone();
            if next.at > index {
                there = self.skip(id, here.clone(), computed, index, next.at.min(count));
                // Where the last one cannot be reached, the one that is in the way is shown.
                if let (None, Err(_), Ok(cursor), true) = (asked, &there, &here, varies)
                    && let Some((passed, cursor)) = self.first_without_end(id, *cursor)
                {
                    next = Next { at: index.saturating_add(passed), left_out: passed };
                    there = Ok(cursor);
                }
            }
            if next.left_out > 0 {
                let items = number(index)..number(index.saturating_add(next.left_out));
                let found = Found::Elided { list, repetitions: next.left_out, items, held_back };
                if self.show(walk, found) == Flow::Stop {
                    return (Flow::Stop, here);
                }
            }
            (here, index) = (there, next.at);
            if index >= count {
                break;
            }
            walk.left = walk.left.saturating_sub(body.len() as u64);
            let before = here.as_ref().ok().copied();
            let (flow, behind) = self.visit_repetition(walk, id, here, number(index));
            here = behind;
            if flow == Flow::Stop {
                return (Flow::Stop, here);
            }
            moved = here.as_ref().ok() != before.as_ref();
            if varies
                && moved
                && let Err(endless) = self.check_repetitions(id, index)
            {
                return (Flow::Continue, Err(endless));
            }
            index += 1;
        }
        (Flow::Continue, here)
    }

    /// Where the cursor stands before a repetition further on.
    fn skip(
        &mut self,
        id: RepeatId,
        here: Result<u64>,
        computed: Option<Repeated>,
        from: u64,
        to: u64,
    ) -> Result<u64> {
        match computed.and_then(|repeated| repeated.cursor(to)) {
            Some(there) => Ok(there),
            None => self.cursor_before(id, here, to - from, false),
        }
    }

    fn visit_repetition(
        &mut self,
        walk: &mut Walk<'_>,
        id: RepeatId,
        cursor: Result<u64>,
        first: u64,
    ) -> (Flow, Result<u64>) {
        let layout = self.layout;
        let mut here = cursor;
        let outer = walk.path.len();
        for (element, &step) in layout.run(layout[id].body).iter().enumerate() {
            walk.path.push_str(&format!("/{}", first.saturating_add(element as u64)));
            let (flow, behind) = self.visit_step(walk, step, here);
            walk.path.truncate(outer);
            here = behind;
            if flow == Flow::Stop {
                return (Flow::Stop, here);
            }
        }
        (Flow::Continue, here)
    }
}
