//! The operations of one sequence of steps by itself: the members of a struct, or what a program places that
//! reads on its way what only a stream tells.

use super::measure::{Ends, Spot};
use super::{Input, Node, Op, Place, Plan};
use crate::layout::{
    Array, Count, Element, ParamId, Place as Declared, ROOT, RecordId, RepeatId, Run, Step, Taker,
};

/// A sequence of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// The whole stream.
    Root,
    /// One repetition of a piece of a list.
    Body(RepeatId),
    /// An instance of a struct; addresses count from its start.
    Members(RecordId),
}

/// A step of a sequence.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// The step.
    pub step: Step,
    /// It is in a dict that is an item of a list.
    pub grouped: bool,
    /// Where a param or array lies; of a repeat, where the cursor stands before it.
    pub place: Place,
    /// Where the stream tells how many bytes an array has, if only that does.
    pub sought: Option<Node>,
    /// How long it is, if it takes all that the stream has left (spec 4.9).
    pub room: Option<Room>,
}

/// The item that takes the rest of the stream (spec 4.9).
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The param that gets its length.
    pub param: ParamId,
    /// Where it begins, if it has any bytes; of a repeat, where the cursor stands before it.
    pub begin: Option<Node>,
    /// Of an array: bytes of one element of its first dimension; how many elements of its type these are, where they
    /// are of variable size.
    pub row: Option<Node>,
}

/// A sequence with its operations.
#[derive(Clone, Debug)]
pub struct Placing {
    /// The steps in their order; those in anonymous dicts stand behind the dict.
    pub steps: Vec<Placed>,
    /// Where the cursor stands behind the last; of members, the bytes of an instance.
    pub behind: Option<Node>,
}

impl Plan<'_> {
    /// The operations of a sequence.
    ///
    /// ```
    /// use dudley_parser::formula::plan::{Plan, Sequence};
    ///
    /// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
    /// let (id, _) = layout.records().next().unwrap();
    /// let members = Plan::new(&layout, 0).sequence(Sequence::Members(id));
    /// assert_eq!(members.steps.len(), 2);
    /// ```
    pub fn sequence(&mut self, of: Sequence) -> Placing {
        let layout = self.layout;
        let (run, start) = match of {
            Sequence::Root => (layout[ROOT].run, Op::Input(Input::Start)),
            Sequence::Body(id) => (layout[id].body, Op::Input(Input::Cursor(id))),
            Sequence::Members(id) => (layout[id].members, Op::Number(0)),
        };
        let start = self.node(start);
        let mut placing = Placing { steps: Vec::new(), behind: Some(start) };
        let mut ends = Ends::default();
        self.add_steps(run, false, &mut placing, &mut ends);
        if let Sequence::Members(id) = of {
            // What goes back to an address may end before the greatest end.
            ends.push(placing.behind);
            let end = self.greatest(ends);
            placing.behind = end.map(|cursor| self.aligned(cursor, layout[id].align));
        }
        placing
    }

    /// How long a step is that takes all that the stream has left.
    fn room(&mut self, step: Step, cursor: Option<Node>) -> Option<Room> {
        let layout = self.layout;
        let of = |count: Count, taker: Taker| match count {
            Count::Param(id, _) if layout[id].to_end == Some(taker) => Some(id),
            _ => None,
        };
        match step {
            Step::Repeat(id) => {
                let param = of(layout[id].count, Taker::Repeat(id))?;
                Some(Room { param, begin: cursor, row: None })
            }
            Step::Array(id) => {
                let array = &layout[id];
                let param = of(layout.dims(array).first()?.count, Taker::Array(id))?;
                let begin = match (array.place, cursor) {
                    (Declared::At(count, _), _) => self.natural(count),
                    (Declared::Next, Some(cursor)) => Some(self.aligned(cursor, array.align)),
                    (Declared::Next, None) => None,
                };
                Some(Room { param, begin, row: self.row(array) })
            }
            _ => None,
        }
    }

    /// Where something that has bytes goes.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// let mut plan = Plan::new(&layout, 0);
    /// let cursor = plan.number(9);
    /// let aligned = plan.aligned(cursor, 8);
    /// assert_eq!(plan.evaluate(&|_| None, &[])[aligned.index()], Some(16));
    /// ```
    pub fn aligned(&mut self, cursor: Node, to: u64) -> Node {
        let bytes = self.number(1);
        self.node(Op::Align { cursor, to, bytes })
    }

    /// Bytes of one element of the first dimension of an array, or how many elements that is.
    fn row(&mut self, array: &Array) -> Option<Node> {
        let element = match array.element {
            Element::Record(record) if self.layout[record].variable => self.number(1),
            element => self.element_bytes(element)?,
        };
        let dims = self.dims(array);
        self.product(dims.get(1..)?, element)
    }

    /// Adds steps; and where the cursor stands before those that go back to an address.
    fn add_steps(&mut self, run: Run, grouped: bool, placing: &mut Placing, ends: &mut Ends) {
        for &step in self.layout.run(run) {
            let cursor = placing.behind;
            if self.layout.goes_back(step) {
                ends.push(cursor);
            }
            let room = self.room(step, cursor);
            let spot = match step {
                Step::Param(_) | Step::Array(_) => self.placed(step, cursor),
                Step::Enter(_) | Step::Group(_) => {
                    Spot { place: Place::default(), sought: None, behind: cursor }
                }
                Step::Repeat(_) => Spot {
                    place: Place { cursor, ..Place::default() },
                    sought: None,
                    behind: self.measure_step(step, cursor).cursor,
                },
            };
            let Spot { place, sought, .. } = spot;
            placing.steps.push(Placed { step, grouped, place, sought, room });
            placing.behind = spot.behind;
            if let Step::Group(dict) = step {
                self.add_steps(self.layout[dict].run, true, placing, ends);
            }
        }
    }
}
