//! Everything a layout declares, one after the other, with operations; the counterpart of
//! `resolve/walk.rs`. Lists are in `repeat.rs`.

use super::measure::Spot;
use super::{Node, Op, Plan};
use crate::layout::path::push_name;
use crate::layout::{
    ArrayId, Count, DictId, Element, Entry, ListId, ParamId, ROOT, RecordId, Run, Scope, Step,
};
use crate::resolve::{Flow, MemberKind, WalkOptions};
use hashbrown::HashMap;

/// An item of a walk.
#[derive(Debug)]
pub struct Row<'p> {
    /// Its path; the number of an item of a repeated list is a formula in brackets.
    pub path: &'p str,
    /// Its kind.
    pub what: What,
    /// The outermost list that it is in, or is.
    pub list: Option<ListId>,
    /// How many repetitions there are of each list around, outermost first; `None` where each time
    /// differs. Operations refer to them by [`Op::Index`].
    pub repetitions: &'p [Option<Node>],
    /// The first repetition that each of those numbers stands for: 1 where the first one is not like the
    /// others, and has rows of its own.
    pub from: &'p [u64],
    /// The formulas in the path: which bytes of it, and what they come to.
    pub numbers: &'p [(std::ops::Range<usize>, Node)],
}

/// What was found.
#[derive(Debug)]
pub enum What {
    /// A dict, where it is first entered.
    Dict(DictId),
    /// A list, where its first piece stands.
    List {
        /// The list.
        list: ListId,
        /// How many items all its pieces have.
        length: Option<Node>,
    },
    /// A data item or an item of a list.
    Array {
        /// The array; of a member of a spliced record, that member.
        array: ArrayId,
        /// Its dimensions, those of -1 among them.
        dims: Vec<Dimension>,
        /// Where it lies.
        place: Place,
        /// Of a member of a record that is presented as items of its dict.
        spliced: Option<Spliced>,
    },
    /// Items of a list are left out here.
    Elided {
        /// The list.
        list: ListId,
        /// How many repetitions are left out.
        repetitions: u64,
    },
    /// A param; a fixed one has no place.
    Param {
        /// The param.
        param: ParamId,
        /// Where it lies.
        place: Option<Place>,
        /// Of a member of a record that is presented as items of its dict: one value for each record.
        column: Option<Column>,
    },
}

/// A stored param of each record of some, as an array.
#[derive(Clone, Debug)]
pub struct Column {
    /// The dimensions of the records.
    pub dims: Vec<Dimension>,
    /// The record that it is a member of.
    pub spliced: Spliced,
}

/// The record that a row is a member of.
#[derive(Clone, Debug)]
pub struct Spliced {
    /// The record.
    pub record: ArrayId,
    /// Where all instances of it lie.
    pub place: Place,
    /// Bytes from one index to the next, for each dimension of the row.
    pub strides: Vec<Option<Node>>,
}

/// Where something lies; what has no operation is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// Where the cursor stands before it: what lies between is padding.
    pub cursor: Option<Node>,
    /// Its address.
    pub address: Option<Node>,
    /// Its bytes in the stream.
    pub bytes: Option<Node>,
}

/// A dimension.
#[derive(Clone, Copy, Debug)]
pub struct Dimension {
    /// As declared.
    pub count: Count,
    /// Its value; -1 if it is absent.
    pub node: Option<Node>,
}

type Visit<'v, 'a> = dyn FnMut(&mut Plan<'a>, Row<'_>) -> Flow + 'v;

pub(super) struct Walk<'v, 'w, 'a> {
    pub(super) path: String,
    visit: &'v mut Visit<'w, 'a>,
    /// Of lists whose count is known the repetitions are visited, as many as these say; of others, and where
    /// there are none, one for all.
    pub(super) counted: Option<WalkOptions>,
    /// The visitor wants no more.
    pub(super) stopped: bool,
    /// Items that earlier pieces of a list have.
    pub(super) lengths: HashMap<ListId, Option<Node>>,
    /// The outermost of the lists around.
    pub(super) list: Option<ListId>,
    pub(super) repetitions: Vec<Option<Node>>,
    pub(super) from: Vec<u64>,
    pub(super) numbers: Vec<(std::ops::Range<usize>, Node)>,
    /// How many of the lists around have rows for their first repetition too.
    pub(super) doubled: u32,
    /// How many lists are around.
    pub(super) depth: u32,
}

impl<'a> Plan<'a> {
    /// Visits everything in the order of the text. Of a list one repetition is shown, with its number in the
    /// path: `/l/[i]`.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"grp/ x = f8").layout.unwrap();
    /// let mut paths = Vec::new();
    /// Plan::new(&layout, 0).walk(&mut |_, row| paths.push(row.path.to_owned()));
    /// assert_eq!(paths, ["/", "/grp", "/grp/x"]);
    /// ```
    pub fn walk(&mut self, visit: &mut (dyn FnMut(&mut Plan<'a>, Row<'_>) + '_)) {
        self.visit_all(None, &mut |plan, row| {
            visit(plan, row);
            Flow::Continue
        });
    }

    /// The same with the single repetitions of lists whose count is known.
    pub(in crate::formula) fn walk_counted(
        &mut self,
        options: WalkOptions,
        visit: &mut Visit<'_, 'a>,
    ) -> Flow {
        self.visit_all(Some(options), visit)
    }

    fn visit_all(&mut self, counted: Option<WalkOptions>, visit: &mut Visit<'_, 'a>) -> Flow {
        let mut walk = Walk {
            path: String::new(),
            visit,
            counted,
            stopped: false,
            lengths: HashMap::new(),
            list: None,
            repetitions: Vec::new(),
            from: Vec::new(),
            numbers: Vec::new(),
            doubled: 0,
            depth: 0,
        };
        self.show(&mut walk, What::Dict(ROOT));
        let start = self.unsigned(self.start);
        self.visit_run(&mut walk, self.layout[ROOT].run, Some(start));
        if walk.stopped { Flow::Stop } else { Flow::Continue }
    }

    pub(super) fn show(&mut self, walk: &mut Walk<'_, '_, 'a>, what: What) {
        if walk.stopped {
            return;
        }
        let Walk { path, visit, list, repetitions, from, numbers, .. } = walk;
        let path = if path.is_empty() { "/" } else { path };
        let flow = visit(self, Row { path, what, list: *list, repetitions, from, numbers });
        walk.stopped = flow == Flow::Stop;
    }

    fn visit_run(
        &mut self,
        walk: &mut Walk<'_, '_, 'a>,
        run: Run,
        cursor: Option<Node>,
    ) -> Option<Node> {
        let mut here = cursor;
        for &step in self.layout.run(run) {
            if walk.stopped {
                break;
            }
            here = self.visit_step(walk, step, here);
        }
        here
    }

    /// Visits a step; gives where the cursor stands behind it.
    pub(super) fn visit_step(
        &mut self,
        walk: &mut Walk<'_, '_, 'a>,
        step: Step,
        cursor: Option<Node>,
    ) -> Option<Node> {
        let outer = walk.path.len();
        let behind = match step {
            Step::Enter(dict) => {
                self.layout.push_dict(&mut walk.path, dict);
                self.show(walk, What::Dict(dict));
                cursor
            }
            Step::Param(id) => self.visit_param(walk, id, cursor),
            Step::Array(id) => self.visit_array(walk, id, cursor),
            Step::Repeat(id) => self.visit_repeat(walk, id, cursor),
            Step::Group(dict) => {
                self.show(walk, What::Dict(dict));
                self.visit_run(walk, self.layout[dict].run, cursor)
            }
        };
        // What has no path of its own lends its end no name.
        let named = match step {
            Step::Enter(_) => false,
            Step::Array(id) => !self.layout[id].spliced,
            _ => true,
        };
        if let (Some(behind), true) = (behind, named) {
            self.shorten(behind, &walk.path);
        }
        walk.path.truncate(outer);
        behind
    }

    fn visit_param(
        &mut self,
        walk: &mut Walk<'_, '_, 'a>,
        id: ParamId,
        cursor: Option<Node>,
    ) -> Option<Node> {
        let param = &self.layout[id];
        if let Scope::Dict(dict) | Scope::Repeated(dict) = param.scope {
            self.layout.push_dict(&mut walk.path, dict);
        }
        walk.path.push('/');
        self.layout.push_param(&mut walk.path, id);
        if !param.is_streamed() {
            self.show(walk, What::Param { param: id, place: None, column: None });
            return cursor;
        }
        let Spot { place, behind, .. } = self.placed(Step::Param(id), cursor);
        self.show(walk, What::Param { param: id, place: Some(place), column: None });
        behind
    }

    fn visit_array(
        &mut self,
        walk: &mut Walk<'_, '_, 'a>,
        id: ArrayId,
        cursor: Option<Node>,
    ) -> Option<Node> {
        let layout = self.layout;
        let array = &layout[id];
        let Spot { place, behind, .. } = self.placed(Step::Array(id), cursor);
        let named =
            array.dict.filter(|&dict| layout.entry(dict, array.name) == Some(Entry::Array(id)));
        if let Some(dict) = named {
            self.layout.push_dict(&mut walk.path, dict);
            if let (true, Element::Record(record)) = (array.spliced, array.element) {
                self.show_spliced(walk, id, record, place);
                return behind;
            }
            walk.path.push('/');
            push_name(&mut walk.path, layout.name(array.name));
        }
        let dims = self.dims(array);
        self.show(walk, What::Array { array: id, dims, place, spliced: None });
        behind
    }

    /// The members of a record that is presented as items of its dict.
    fn show_spliced(
        &mut self,
        walk: &mut Walk<'_, '_, 'a>,
        id: ArrayId,
        record: RecordId,
        place: Place,
    ) {
        let layout = self.layout;
        let outer = walk.path.len();
        let size = self.record_bytes(record);
        let around = self.dims(&layout[id]);
        for member in self.members(record) {
            let sum =
                |plan: &mut Self, at: Option<Node>| Some(plan.node(Op::Add(place.address?, at?)));
            let address = sum(self, member.offset);
            let cursor = sum(self, member.cursor);
            walk.path.push('/');
            match member.kind {
                MemberKind::Param(param) if layout[param].is_streamed() => {
                    push_name(&mut walk.path, layout.name(layout[param].name));
                    let bytes = member.bytes.and_then(|bytes| self.product(&around, bytes));
                    let strides = self.strides(&around, size);
                    let spliced = Spliced { record: id, place, strides };
                    let column = Some(Column { dims: around.clone(), spliced });
                    let place = Some(Place { cursor, address, bytes });
                    self.show(walk, What::Param { param, place, column });
                }
                MemberKind::Param(_) => {}
                MemberKind::Array(array) => {
                    push_name(&mut walk.path, layout.name(layout[array].name));
                    let element = self.element_bytes(layout[array].element);
                    let mut strides = self.strides(&around, size);
                    strides.extend(self.strides(&member.dims, element));
                    let bytes = member.bytes.and_then(|bytes| self.product(&around, bytes));
                    let dims = [around.clone(), member.dims].concat();
                    let spliced = Some(Spliced { record: id, place, strides });
                    let place = Place { cursor, address, bytes };
                    self.show(walk, What::Array { array, dims, place, spliced });
                }
            }
            walk.path.truncate(outer);
        }
    }

    /// Bytes from one index to the next, for each dimension.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"x = f8[3, 4]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// let mut plan = Plan::new(&layout, 0);
    /// let (dims, element) = (plan.dims(x), plan.number(8));
    /// let strides = plan.strides(&dims, Some(element));
    /// let values = plan.evaluate(&|_| None, &[]);
    /// assert_eq!(strides.iter().map(|it| values[it.unwrap().index()]).collect::<Vec<_>>(), [Some(32), Some(8)]);
    /// ```
    pub fn strides(&mut self, dims: &[Dimension], element: Option<Node>) -> Vec<Option<Node>> {
        let inner = (1..=dims.len()).map(|at| &dims[at..]);
        inner.map(|inner| element.and_then(|element| self.product(inner, element))).collect()
    }
}
