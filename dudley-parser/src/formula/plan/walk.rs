//! Everything a layout declares, one after the other, with operations. Of a list one repetition is
//! shown, with its number in the path: `/l/[i]`.

use super::{Node, Op, Plan};
use crate::layout::path::push_name;
use crate::layout::{
    ArrayId, Count, DictId, Element, Entry, ListId, ParamId, ROOT, RecordId, RepeatId, Run, Scope,
    Step,
};
use crate::resolve::MemberKind;
use hashbrown::HashMap;

/// Lists in more lists than this are not shown: nobody reads them, and each takes its stack.
const DEPTH_SHOWN: usize = 64;

/// What a walk comes by.
#[derive(Debug)]
pub struct Row<'p> {
    /// Its path; the number of an item of a repeated list is a formula in brackets.
    pub path: &'p str,
    /// What it is.
    pub what: What,
    /// How many repetitions there are of each list around, outermost first; none where each time
    /// differs. Operations refer to them by [`Op::Index`].
    pub repetitions: &'p [Option<Node>],
    /// The formulas in the path: which bytes of it, and what they come to.
    pub numbers: &'p [(std::ops::Range<usize>, Node)],
}

/// What is there.
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
    /// A param; a fixed one has no place.
    Param {
        /// The param.
        param: ParamId,
        /// Where it lies.
        place: Option<Place>,
    },
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
    /// As it is declared.
    pub count: Count,
    /// What it comes to; -1 if it is not there.
    pub node: Option<Node>,
}

type Visit<'v, 'a> = dyn FnMut(&mut Plan<'a>, Row<'_>) + 'v;

struct Walk<'v, 'w, 'a> {
    path: String,
    visit: &'v mut Visit<'w, 'a>,
    /// Items that earlier pieces of a list have.
    lengths: HashMap<ListId, Option<Node>>,
    repetitions: Vec<Option<Node>>,
    numbers: Vec<(std::ops::Range<usize>, Node)>,
}

impl<'a> Plan<'a> {
    /// Visits everything in the order of the text.
    pub fn walk(&mut self, visit: &mut Visit<'_, 'a>) {
        let mut walk = Walk {
            path: String::new(),
            visit,
            lengths: HashMap::new(),
            repetitions: Vec::new(),
            numbers: Vec::new(),
        };
        self.show(&mut walk, What::Dict(ROOT));
        let start = self.unsigned(self.start);
        self.visit_run(&mut walk, self.layout[ROOT].run, Some(start));
    }

    fn show(&mut self, walk: &mut Walk<'_, '_, 'a>, what: What) {
        let path = if walk.path.is_empty() { "/" } else { &walk.path };
        let (repetitions, numbers) = (&walk.repetitions, &walk.numbers);
        (walk.visit)(self, Row { path, what, repetitions, numbers });
    }

    fn visit_run(
        &mut self,
        walk: &mut Walk<'_, '_, 'a>,
        run: Run,
        cursor: Option<Node>,
    ) -> Option<Node> {
        let layout = self.layout;
        layout.run(run).iter().fold(cursor, |here, &step| self.visit_step(walk, step, here))
    }

    /// Visits a step; gives where the cursor stands behind it.
    fn visit_step(
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
        if let Some(behind) = behind {
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
            self.show(walk, What::Param { param: id, place: None });
            return cursor;
        }
        let (address, bytes, behind) = self.placed(Step::Param(id), cursor);
        let place = Some(Place { cursor, address, bytes });
        self.show(walk, What::Param { param: id, place });
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
        let (address, bytes, behind) = self.placed(Step::Array(id), cursor);
        let named =
            array.dict.filter(|&dict| layout.entry(dict, array.name) == Some(Entry::Array(id)));
        let place = Place { cursor, address, bytes };
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
                    let place = Some(Place { cursor, address, bytes: member.bytes });
                    self.show(walk, What::Param { param, place });
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
    pub fn strides(&mut self, dims: &[Dimension], element: Option<Node>) -> Vec<Option<Node>> {
        let inner = (1..=dims.len()).map(|at| &dims[at..]);
        inner.map(|inner| element.and_then(|element| self.product(inner, element))).collect()
    }

    fn visit_repeat(
        &mut self,
        walk: &mut Walk<'_, '_, 'a>,
        id: RepeatId,
        cursor: Option<Node>,
    ) -> Option<Node> {
        let layout = self.layout;
        let list = layout[id].list;
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
        if !none && !layout[id].body.is_empty() && walk.repetitions.len() < DEPTH_SHOWN {
            self.visit_repetition(walk, id, before, cursor, count);
        }
        self.measure_step(Step::Repeat(id), cursor).cursor
    }

    /// How many items a piece of a list has.
    fn piece_items(&mut self, id: RepeatId) -> Option<Node> {
        let count = self.repetitions(id)?;
        let items = self.unsigned(self.layout[id].body.len() as u64);
        Some(self.node(Op::Bytes([count].into(), items)))
    }

    fn visit_repetition(
        &mut self,
        walk: &mut Walk<'_, '_, 'a>,
        id: RepeatId,
        before: Option<Node>,
        cursor: Option<Node>,
        count: Option<Node>,
    ) {
        let layout = self.layout;
        let once = count.is_some_and(|count| self.as_number(count) == Some(1));
        let index = match once {
            true => self.number(0),
            false => self.node(Op::Index(walk.repetitions.len() as u32)),
        };
        let mut here = self.cursor_before(id, cursor, index);
        if !once {
            walk.repetitions.push(count);
        }
        let outer = walk.path.len();
        let steps = layout.run(layout[id].body);
        for (element, &step) in steps.iter().enumerate() {
            walk.path.push('/');
            let start = walk.path.len();
            let (shown, number) = self.item_number(index, steps.len(), element, before);
            walk.path += &shown;
            let formulas = walk.numbers.len();
            if let Some(number) = number.filter(|number| self.as_number(*number).is_none()) {
                walk.numbers.push((start..walk.path.len(), number));
            }
            here = self.visit_step(walk, step, here);
            walk.numbers.truncate(formulas);
            walk.path.truncate(outer);
        }
        if !once {
            walk.repetitions.pop();
        }
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
