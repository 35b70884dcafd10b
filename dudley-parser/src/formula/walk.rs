//! Everything a layout declares, one after the other, with formulas.
//!
//! Of a list whose count is known all items are visited, or the first three repetitions and the
//! last; of any other one general repetition, with its number in the formulas: `/l/[i]`. Where the
//! first repetition differs by its padding, it comes before that.

use super::{Expr, Formulas, Gap, Result, index_name};
use crate::layout::path::push_name;
use crate::layout::{
    ArrayId, DictId, Element, Entry, ListId, ParamId, ROOT, RecordId, RepeatId, Run, Scope, Step,
};
use crate::resolve::{Flow, MemberKind, WalkOptions};
use hashbrown::HashMap;

/// What a walk comes by.
#[derive(Debug)]
pub struct Row<'p> {
    /// Its path. The number of an item is a formula in brackets where it is not known: `/l/[i]`.
    pub path: &'p str,
    /// What it is.
    pub what: What,
    /// The repetitions that it stands for, outermost first.
    pub repetitions: &'p [Repetition],
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
        length: Result<Expr>,
    },
    /// A data item or an item of a list.
    Array {
        /// The array; of a member of a spliced record, that member.
        array: ArrayId,
        /// The dimensions, those of -1 gone.
        shape: Vec<Dim>,
        /// Its address.
        address: Result<Expr>,
        /// Its bytes in the stream; of a spliced member, those of its own data.
        bytes: Result<Expr>,
        /// Of a member of a record that is presented as items of its dict (spec 3.10).
        spliced: Option<Spliced>,
    },
    /// A param.
    Param {
        /// The param.
        param: ParamId,
        /// Its value, if it is fixed or given.
        value: Result<Option<i64>>,
        /// Its address, if it is streamed.
        address: Option<Result<Expr>>,
    },
    /// Items of a list are left out here.
    Elided {
        /// The list.
        list: ListId,
        /// How many repetitions are left out.
        repetitions: u64,
    },
}

/// The record that a row is a member of.
#[derive(Debug)]
pub struct Spliced {
    /// The record.
    pub record: ArrayId,
    /// Bytes from one index to the next, for each dimension.
    pub strides: Result<Vec<Expr>>,
}

/// A dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dim {
    /// Its value is known.
    Known(u64),
    /// It depends on params that are not given: as it is declared, and as a formula. An illegal one
    /// has no formula.
    Symbolic(String, Option<Expr>),
}

/// The numbers that an index of a row stands for.
#[derive(Clone, Debug)]
pub struct Repetition {
    /// The first: 1 where the first repetition has rows of its own.
    pub from: u64,
    /// How many repetitions there are.
    pub count: Expr,
}

/// Repetitions visited at the start of a long list.
const HEAD: u64 = 3;

/// A formula for an address of more terms than this begins anew.
const LONG: usize = 64;

type Visit<'v> = dyn FnMut(&mut Formulas<'_>, Row<'_>) -> Flow + 'v;

struct Walk<'v, 'w> {
    path: String,
    options: WalkOptions,
    visit: &'v mut Visit<'w>,
    /// Items that earlier pieces of a list have.
    lengths: HashMap<ListId, Result<Expr>>,
    repetitions: Vec<Repetition>,
}

/// Whether to go on, and where the cursor stands.
type Reached = (Flow, Result<Expr>);

impl Formulas<'_> {
    /// Visits everything in the order of the text.
    pub fn walk(&mut self, options: WalkOptions, visit: &mut Visit<'_>) -> Flow {
        let mut walk = Walk {
            path: String::new(),
            options,
            visit,
            lengths: HashMap::new(),
            repetitions: Vec::new(),
        };
        match self.show(&mut walk, What::Dict(ROOT)) {
            Flow::Stop => Flow::Stop,
            Flow::Continue => {
                let run = self.layout[ROOT].run;
                self.visit_run(&mut walk, run, Ok(Expr::number(self.given.start))).0
            }
        }
    }

    /// The dimensions of an array, those of -1 gone.
    pub fn shape(&self, id: ArrayId) -> Vec<Dim> {
        let dims = self.layout.dims(&self.layout[id]).iter();
        let dim = |dim: &crate::layout::Dim| match self.dim(*dim) {
            Ok(None) => None,
            Ok(Some(expr)) => Some(match expr.as_number() {
                Some(number) => Dim::Known(number),
                None => Dim::Symbolic(self.labels.count(dim.count), Some(expr)),
            }),
            Err(_) => Some(Dim::Symbolic(self.labels.count(dim.count), None)),
        };
        dims.filter_map(dim).collect()
    }

    fn show(&mut self, walk: &mut Walk<'_, '_>, what: What) -> Flow {
        let path = if walk.path.is_empty() { "/" } else { &walk.path };
        (walk.visit)(self, Row { path, what, repetitions: &walk.repetitions })
    }

    fn visit_run(&mut self, walk: &mut Walk<'_, '_>, run: Run, cursor: Result<Expr>) -> Reached {
        let layout = self.layout;
        let mut here = cursor;
        for &step in layout.run(run) {
            let (flow, behind) = self.visit_step(walk, step, here);
            here = behind;
            if flow == Flow::Stop {
                return (flow, here);
            }
        }
        (Flow::Continue, here)
    }

    fn visit_step(&mut self, walk: &mut Walk<'_, '_>, step: Step, cursor: Result<Expr>) -> Reached {
        let outer = walk.path.len();
        let (flow, mut behind) = match step {
            Step::Enter(dict) => {
                self.push_dict(walk, dict);
                (self.show(walk, What::Dict(dict)), cursor)
            }
            Step::Param(id) => self.visit_param(walk, id, cursor),
            Step::Array(id) => self.visit_array(walk, id, cursor),
            Step::Repeat(id) => self.visit_repeat(walk, id, cursor),
            Step::Group(dict) => match self.show(walk, What::Dict(dict)) {
                Flow::Stop => (Flow::Stop, cursor),
                Flow::Continue => {
                    let run = self.layout[dict].run;
                    self.visit_run(walk, run, cursor)
                }
            },
        };
        if let Ok(end) = &behind
            && end.weight() > LONG
        {
            behind = Ok(Expr::end(&walk.path));
        }
        walk.path.truncate(outer);
        (flow, behind)
    }

    /// Names between the root or anonymous dict and a dict below it.
    fn push_dict(&self, walk: &mut Walk<'_, '_>, dict: DictId) {
        let home = self.layout[dict].home;
        let mut names = Vec::new();
        let mut current = dict;
        while current != home {
            names.push(self.layout[current].name);
            match self.layout[current].parent {
                Some(parent) => current = parent,
                None => break,
            }
        }
        for name in names.into_iter().rev() {
            walk.path.push('/');
            push_name(&mut walk.path, self.layout.name(name));
        }
    }

    fn visit_param(
        &mut self,
        walk: &mut Walk<'_, '_>,
        id: ParamId,
        cursor: Result<Expr>,
    ) -> Reached {
        let param = &self.layout[id];
        if let Scope::Dict(dict) | Scope::Repeated(dict) = param.scope {
            self.push_dict(walk, dict);
        }
        walk.path.push('/');
        push_name(&mut walk.path, self.layout.name(param.name));
        if param.ordinal > 0 {
            walk.path.push_str(&format!("#{}", param.ordinal + 1));
        }
        let value = self.value(id);
        if !param.is_streamed() {
            return (self.show(walk, What::Param { param: id, value, address: None }), cursor);
        }
        let (address, _, behind) = self.placed(Step::Param(id), cursor);
        (self.show(walk, What::Param { param: id, value, address: Some(address) }), behind)
    }

    fn visit_array(
        &mut self,
        walk: &mut Walk<'_, '_>,
        id: ArrayId,
        cursor: Result<Expr>,
    ) -> Reached {
        let layout = self.layout;
        let array = &layout[id];
        let (address, bytes, behind) = self.placed(Step::Array(id), cursor);
        let named =
            array.dict.filter(|&dict| layout.entry(dict, array.name) == Some(Entry::Array(id)));
        if let Some(dict) = named {
            self.push_dict(walk, dict);
            if let (true, Element::Record(record)) = (array.spliced, array.element) {
                return (self.show_spliced(walk, id, record, &address), behind);
            }
            walk.path.push('/');
            push_name(&mut walk.path, layout.name(array.name));
        }
        let shape = self.shape(id);
        let what = What::Array { array: id, shape, address, bytes, spliced: None };
        (self.show(walk, what), behind)
    }

    /// The members of a record that is presented as items of its dict.
    fn show_spliced(
        &mut self,
        walk: &mut Walk<'_, '_>,
        id: ArrayId,
        record: RecordId,
        address: &Result<Expr>,
    ) -> Flow {
        let layout = self.layout;
        let outer = walk.path.len();
        let size = self.record_bytes(record);
        let around = self.shape(id);
        for member in self.members(record) {
            let sum = |address: Expr| Ok(address.plus(&member.offset.clone()?));
            let at = address.clone().and_then(sum).and_then(|sum| sum.ok_or(Gap::Illegal));
            walk.path.push('/');
            let array = match member.kind {
                MemberKind::Array(array) => array,
                MemberKind::Param(param) => {
                    let flow = self.show_field(walk, param, at);
                    walk.path.truncate(outer);
                    match flow {
                        Flow::Stop => return Flow::Stop,
                        Flow::Continue => continue,
                    }
                }
            };
            push_name(&mut walk.path, layout.name(layout[array].name));
            let strides = self.strides(array, &around, &member.shape, &size);
            let mut bytes = member.bytes;
            for dim in &around {
                bytes = bytes.and_then(|bytes| bytes.times(&dim.formula()?).ok_or(Gap::Illegal));
            }
            let what = What::Array {
                array,
                shape: [around.clone(), member.shape].concat(),
                address: at,
                bytes,
                spliced: Some(Spliced { record: id, strides }),
            };
            if self.show(walk, what) == Flow::Stop {
                return Flow::Stop;
            }
            walk.path.truncate(outer);
        }
        Flow::Continue
    }

    /// A streamed param of such a record.
    fn show_field(
        &mut self,
        walk: &mut Walk<'_, '_>,
        param: ParamId,
        address: Result<Expr>,
    ) -> Flow {
        if !self.layout[param].is_streamed() {
            return Flow::Continue;
        }
        push_name(&mut walk.path, self.layout.name(self.layout[param].name));
        self.show(walk, What::Param { param, value: Ok(None), address: Some(address) })
    }

    fn strides(
        &mut self,
        member: ArrayId,
        around: &[Dim],
        own: &[Dim],
        size: &Result<Expr>,
    ) -> Result<Vec<Expr>> {
        let element = match self.layout[member].element {
            Element::Primitive(primitive, _) => Expr::number(primitive.size()),
            Element::Record(record) => self.record_bytes(record)?,
        };
        let mut strides = row_major(around, size.clone()?)?;
        strides.extend(row_major(own, element)?);
        Ok(strides)
    }

    fn visit_repeat(
        &mut self,
        walk: &mut Walk<'_, '_>,
        id: RepeatId,
        cursor: Result<Expr>,
    ) -> Reached {
        let list = self.layout[id].list;
        if self.layout[list].outer.is_none() {
            self.push_dict(walk, self.layout[list].dict);
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
        match count.as_number() {
            Some(count) if !self.layout[id].varying => {
                self.visit_counted(walk, id, &before, cursor, count)
            }
            _ => self.visit_general(walk, id, &before, cursor, count),
        }
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
        let mut from = 0;
        let mut here = Err(Gap::Variable);
        if !repeat.varying {
            if let Ok(cursor) = &cursor
                && self.first_differs(id, cursor)
            {
                from = 1;
                let first = self.visit_body(walk, id, before, &Expr::default(), Ok(cursor.clone()));
                if first.0 == Flow::Stop {
                    return first;
                }
            }
            let index = Expr::index(walk.repetitions.len() as u32);
            here = cursor.and_then(|cursor| self.cursor_at(id, &cursor, &index));
        }
        let index = Expr::index(walk.repetitions.len() as u32);
        walk.repetitions.push(Repetition { from, count });
        let (flow, _) = self.visit_body(walk, id, before, &index, here);
        walk.repetitions.pop();
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

impl Dim {
    fn formula(&self) -> Result<Expr> {
        match self {
            Dim::Known(number) => Ok(Expr::number(*number)),
            Dim::Symbolic(_, expr) => expr.clone().ok_or(Gap::Illegal),
        }
    }
}

fn row_major(shape: &[Dim], element: Expr) -> Result<Vec<Expr>> {
    let mut strides = vec![Expr::default(); shape.len()];
    let mut bytes = element;
    for (axis, dim) in shape.iter().enumerate().rev() {
        strides[axis] = bytes.clone();
        bytes = bytes.times(&dim.formula()?).ok_or(Gap::Illegal)?;
    }
    Ok(strides)
}
