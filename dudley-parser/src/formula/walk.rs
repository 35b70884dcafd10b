//! Everything a layout declares, one after the other, with formulas; the counterpart of
//! `resolve/walk.rs`. Lists are in `repeat.rs`.

use super::row::{Dim, Repetition, Row, Spliced, What, row_major};
use super::{Expr, Formulas, Gap, Result};
use crate::layout::path::push_name;
use crate::layout::{ArrayId, Element, Entry, ListId, ParamId, ROOT, RecordId, Run, Scope, Step};
use crate::resolve::{Flow, MemberKind, WalkOptions};
use hashbrown::HashMap;

/// A formula for an address of more terms than this begins anew.
const LONG: usize = 64;

pub(super) type Visit<'v> = dyn FnMut(&mut Formulas<'_>, Row<'_>) -> Flow + 'v;

pub(super) struct Walk<'v, 'w> {
    pub(super) path: String,
    pub(super) options: WalkOptions,
    pub(super) visit: &'v mut Visit<'w>,
    /// Items that earlier pieces of a list have.
    pub(super) lengths: HashMap<ListId, Result<Expr>>,
    pub(super) repetitions: Vec<Repetition>,
    /// How many of the lists around have rows for their first repetition too.
    pub(super) doubled: u32,
    /// How many lists are around.
    pub(super) depth: u32,
}

/// Whether to go on, and where the cursor stands.
pub(super) type Reached = (Flow, Result<Expr>);

impl Formulas<'_> {
    /// Visits everything in the order of the text.
    pub fn walk(&mut self, options: WalkOptions, visit: &mut Visit<'_>) -> Flow {
        let mut walk = Walk {
            path: String::new(),
            options,
            visit,
            lengths: HashMap::new(),
            repetitions: Vec::new(),
            doubled: 0,
            depth: 0,
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

    pub(super) fn show(&mut self, walk: &mut Walk<'_, '_>, what: What) -> Flow {
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

    pub(super) fn visit_step(
        &mut self,
        walk: &mut Walk<'_, '_>,
        step: Step,
        cursor: Result<Expr>,
    ) -> Reached {
        let outer = walk.path.len();
        let (flow, mut behind) = match step {
            Step::Enter(dict) => {
                self.layout.push_dict(&mut walk.path, dict);
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
            behind = Ok(end.as_end(&walk.path));
        }
        walk.path.truncate(outer);
        (flow, behind)
    }

    fn visit_param(
        &mut self,
        walk: &mut Walk<'_, '_>,
        id: ParamId,
        cursor: Result<Expr>,
    ) -> Reached {
        let param = &self.layout[id];
        if let Scope::Dict(dict) | Scope::Repeated(dict) = param.scope {
            self.layout.push_dict(&mut walk.path, dict);
        }
        walk.path.push('/');
        self.layout.push_param(&mut walk.path, id);
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
            self.layout.push_dict(&mut walk.path, dict);
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
}
