//! Items of lists copied with all that stands in them.

use crate::layout::expr::ExprOp;
use crate::layout::{
    Array, ArrayId, Count, Dict, DictId, Element, Entry, ExprId, Filter, FilterId, Layout, List,
    ListId, Param, ParamId, Place, Record, RecordId, Repeat, RepeatId, Run, Scope, Step,
};
use crate::names::Symbol;
use hashbrown::HashMap;

/// An item of a list once more. What refers to something in it, such as a dimension to a param, refers to the copy.
pub(super) fn copy(layout: &mut Layout, step: Step) -> Step {
    let mut copies = Copies {
        layout,
        params: HashMap::new(),
        arrays: HashMap::new(),
        dicts: HashMap::new(),
        lists: HashMap::new(),
        repeats: HashMap::new(),
        records: HashMap::new(),
    };
    copies.step(step)
}

/// How many things are in an item of a list.
pub(super) fn weight(layout: &Layout, step: Step) -> usize {
    let run = |run: Run| layout.run(run).iter().map(|step| weight(layout, *step)).sum();
    1 + match step {
        Step::Param(_) | Step::Enter(_) => 0,
        Step::Array(id) => match layout[id].element {
            Element::Record(record) => run(layout[record].members),
            Element::Primitive(..) => 0,
        },
        Step::Repeat(id) => run(layout[id].body),
        Step::Group(id) => run(layout[id].run),
    }
}

/// A run of steps.
pub(super) fn push_run(layout: &mut Layout, steps: Vec<Step>) -> Run {
    let start = layout.steps.len() as u32;
    layout.steps.extend(steps);
    Run { start, end: layout.steps.len() as u32 }
}

/// What was copied already, and its copy.
struct Copies<'l> {
    layout: &'l mut Layout,
    params: HashMap<ParamId, ParamId>,
    arrays: HashMap<ArrayId, ArrayId>,
    dicts: HashMap<DictId, DictId>,
    lists: HashMap<ListId, ListId>,
    repeats: HashMap<RepeatId, RepeatId>,
    records: HashMap<RecordId, RecordId>,
}

impl Copies<'_> {
    fn step(&mut self, step: Step) -> Step {
        match step {
            Step::Param(id) => Step::Param(self.param(id)),
            Step::Array(id) => Step::Array(self.array(id)),
            Step::Repeat(id) => Step::Repeat(self.repeat(id)),
            Step::Group(id) => Step::Group(self.group(id)),
            Step::Enter(id) => Step::Enter(self.dict(id)),
        }
    }

    fn run(&mut self, run: Run) -> Run {
        let steps = self.layout.run(run).to_vec();
        let steps = steps.into_iter().map(|step| self.step(step)).collect();
        push_run(self.layout, steps)
    }

    fn group(&mut self, id: DictId) -> DictId {
        // An extension repeats what is copied.
        if let Some(copy) = self.dicts.get(&id) {
            return *copy;
        }
        let copy = self.dict(id);
        let run = self.run(self.layout[id].run);
        self.layout.dicts[copy.index()].run = run;
        copy
    }

    fn dict(&mut self, id: DictId) -> DictId {
        let dict = self.layout[id].clone();
        let copy = DictId(self.layout.dicts.len() as u32);
        self.dicts.insert(id, copy);
        let (around, name) = (dict.parent, dict.name);
        let dict = Dict {
            parent: around.map(|dict| self.of_dict(dict)),
            home: self.of_dict(dict.home),
            list: dict.list.map(|list| self.lists.get(&list).copied().unwrap_or(list)),
            ..dict
        };
        self.layout.dicts.push(dict);
        if let Some(around) = around {
            self.entry(around, name, Entry::Dict(copy));
        }
        copy
    }

    /// A dict, or its copy.
    fn of_dict(&self, id: DictId) -> DictId {
        self.dicts.get(&id).copied().unwrap_or(id)
    }

    /// That a name in a dict which was copied stands for something in the copy.
    fn entry(&mut self, dict: DictId, name: Symbol, entry: Entry) {
        if let (Some(copy), Some(_)) = (self.dicts.get(&dict), self.layout.entry(dict, name)) {
            self.layout.entries.insert((*copy, name), entry);
        }
    }

    fn repeat(&mut self, id: RepeatId) -> RepeatId {
        if let Some(copy) = self.repeats.get(&id) {
            return *copy;
        }
        let repeat = self.layout[id].clone();
        let list = self.list(repeat.list);
        let repeat =
            Repeat { list, body: self.run(repeat.body), count: self.count(repeat.count), ..repeat };
        let copy = RepeatId(self.layout.repeats.len() as u32);
        self.layout.repeats.push(repeat);
        self.layout.lists[list.index()].pieces.push(copy);
        self.repeats.insert(id, copy);
        copy
    }

    fn list(&mut self, id: ListId) -> ListId {
        if let Some(copy) = self.lists.get(&id) {
            return *copy;
        }
        let list = self.layout[id].clone();
        let copy = ListId(self.layout.lists.len() as u32);
        self.lists.insert(id, copy);
        let (dict, name) = (list.dict, list.name);
        self.layout.lists.push(List {
            dict: self.of_dict(dict),
            pieces: Vec::new(),
            outer: list.outer.map(|outer| self.lists.get(&outer).copied().unwrap_or(outer)),
            ..list
        });
        self.entry(dict, name, Entry::List(copy));
        copy
    }

    fn array(&mut self, id: ArrayId) -> ArrayId {
        if let Some(copy) = self.arrays.get(&id) {
            return *copy;
        }
        let array = self.layout[id].clone();
        let mut dims = self.layout.dims(&array).to_vec();
        dims.iter_mut().for_each(|dim| dim.count = self.count(dim.count));
        let start = self.layout.dims.len() as u32;
        self.layout.dims.extend(dims);
        let copied = Array {
            dict: array.dict.map(|dict| self.of_dict(dict)),
            dims: start,
            element: match array.element {
                Element::Record(record) => Element::Record(self.record(record)),
                primitive @ Element::Primitive(..) => primitive,
            },
            filter: array.filter.map(|filter| self.filter(filter)),
            place: self.place(array.place),
            typedef: array.typedef.map(|record| self.record(record)),
            ..array.clone()
        };
        let copy = ArrayId(self.layout.arrays.len() as u32);
        self.layout.arrays.push(copied);
        self.arrays.insert(id, copy);
        if let Some(dict) = array.dict {
            self.array_entries(dict, &array, copy);
        }
        copy
    }

    /// The names that an array has in its dict: its own, or those of its members.
    fn array_entries(&mut self, dict: DictId, array: &Array, copy: ArrayId) {
        let Element::Record(record) = array.element else {
            return self.entry(dict, array.name, Entry::Array(copy));
        };
        if !array.spliced {
            return self.entry(dict, array.name, Entry::Array(copy));
        }
        for (at, step) in (0..).zip(self.layout.run(self.layout[record].members).to_vec()) {
            if let Some((name, _)) = self.layout.presented_member(step) {
                self.entry(dict, name, Entry::Spliced(copy, at));
            }
        }
    }

    fn record(&mut self, id: RecordId) -> RecordId {
        if let Some(copy) = self.records.get(&id) {
            return *copy;
        }
        let record = self.layout[id].clone();
        let record = Record { members: self.run(record.members), ..record };
        let copy = RecordId(self.layout.records.len() as u32);
        self.layout.records.push(record);
        self.records.insert(id, copy);
        copy
    }

    fn filter(&mut self, id: FilterId) -> FilterId {
        let mut filter: Filter = self.layout[id].clone();
        if let Some(stored) = &mut filter.stored {
            stored.count = self.count(stored.count);
        }
        self.layout.filters.push(filter);
        FilterId(self.layout.filters.len() as u32 - 1)
    }

    fn param(&mut self, id: ParamId) -> ParamId {
        if let Some(copy) = self.params.get(&id) {
            return *copy;
        }
        let param = self.layout[id].clone();
        let scope = match param.scope {
            Scope::Dict(dict) => Scope::Dict(self.of_dict(dict)),
            Scope::Repeated(dict) => Scope::Repeated(self.of_dict(dict)),
            Scope::Record => Scope::Record,
        };
        let place = self.place(param.place);
        let copy = ParamId(self.layout.params.len() as u32);
        if let Scope::Dict(dict) | Scope::Repeated(dict) = scope {
            self.layout.param_names.entry((dict, param.name)).or_default().push(copy);
        }
        self.layout.params.push(Param { scope, place, ..param });
        self.params.insert(id, copy);
        copy
    }

    fn place(&mut self, place: Place) -> Place {
        match place {
            Place::Next => Place::Next,
            Place::At(count, span) => Place::At(self.count(count), span),
        }
    }

    fn count(&mut self, count: Count) -> Count {
        match count {
            Count::Int(_) => count,
            Count::Param(id, more) => Count::Param(self.of_param(id), more),
            Count::Expr(id) => {
                let ops = self.layout.expr(id).iter().map(|op| match *op {
                    ExprOp::Param(id) => ExprOp::Param(self.of_param(id)),
                    op => op,
                });
                let ops = ops.collect();
                self.layout.exprs.push(ops);
                Count::Expr(ExprId(self.layout.exprs.len() as u32 - 1))
            }
        }
    }

    /// A param, or its copy.
    fn of_param(&self, id: ParamId) -> ParamId {
        self.params.get(&id).copied().unwrap_or(id)
    }
}
