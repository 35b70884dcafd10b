//! The operations that place both layouts, in one table: what is one result lies at the same places
//! whatever the params are. What a few things come to is found without placing everything else.

use super::cache::{Kept, Table};
use super::declared::Comparison;
use super::needs::Needs;
use super::places::Row;
use super::subject::{Side, Subject};
use super::values::Domains;
use crate::formula::plan::{self, Dimension, Node, Op, Place, Plan, What};
use crate::layout::{Array, ArrayId, Element, Layout, ParamId, ParamValue, RecordId};
use crate::resolve::MemberKind;
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// What is compared of a subject: results; `None` where there is no operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Seen {
    /// Address or offset; of lists, how many items they have.
    pub(super) at: Option<Node>,
    pub(super) bytes: Option<Node>,
    pub(super) unit: Option<Node>,
    pub(super) dims: Option<Vec<Node>>,
    /// It lies in a list that repeats.
    pub(super) repeats: bool,
}

/// The operations of both layouts.
pub(super) struct Joint {
    pub(super) ops: Vec<Op>,
    pub(super) known: HashMap<Op, Node>,
    pub(super) divisors: Vec<u64>,
    /// The first operation that only the new layout has.
    pub(super) first_new: usize,
    /// What a result was found to be the same as.
    pub(super) same_as: Vec<Node>,
    pub(super) old: HashMap<Subject, Vec<Seen>>,
    pub(super) new: HashMap<Subject, Vec<Seen>>,
}

/// Results that a subject may differ in.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) subject: Subject,
    /// Where it lies may differ.
    pub(super) moved: bool,
    /// What it takes may differ.
    pub(super) sized: bool,
    /// It has no operations.
    pub(super) blind: bool,
}

/// A subject that lies in no list, and of which operations tell all.
pub(super) struct Lens {
    subject: Subject,
    old: Seen,
    new: Seen,
}

impl Lens {
    /// The results that are looked at: what it takes, and if it is to be `placed`, where it lies.
    fn nodes(&self, placed: bool) -> impl Iterator<Item = Node> {
        [&self.old, &self.new].into_iter().flat_map(move |seen| {
            let at = seen.at.filter(|_| placed);
            let dims = seen.dims.iter().flatten().copied();
            [at, seen.bytes, seen.unit].into_iter().flatten().chain(dims)
        })
    }
}

impl Joint {
    pub(super) fn new(of: &Comparison<'_>, start: u64, domains: &Domains) -> Joint {
        let stands = |side: Side| stand_ins(of, side, domains);
        let mut plan = Plan::behind(None, of.old, start, stands(Side::Old));
        let old = seen(of, Side::Old, &mut plan);
        let first_new = plan.ops().len();
        let mut plan = Plan::behind(Some(plan), of.new, start, stands(Side::New));
        let new = seen(of, Side::New, &mut plan);
        let plan::Table { ops, known, divisors } = plan.into_table();
        let same_as = (0..ops.len()).map(Node::at).collect();
        Joint { ops, known, divisors, first_new, same_as, old, new }
    }

    /// The result that stands for it.
    pub(super) fn same_as(&self, node: Node) -> Node {
        self.same_as[node.index()]
    }

    /// Results of the new layout, and what they are in the old one if nothing differs.
    pub(super) fn anchors(&self, known: &HashSet<(Subject, bool)>) -> HashMap<Node, Vec<Node>> {
        let mut anchors: HashMap<Node, Vec<Node>> = HashMap::new();
        for (subject, news) in &self.new {
            let Some(olds) = self.old.get(subject).filter(|olds| olds.len() == news.len()) else {
                continue;
            };
            for (old, new) in olds.iter().zip(news) {
                let mut add = |old: Option<Node>, new: Option<Node>| {
                    if let (Some(old), Some(new)) = (old, new)
                        && old != new
                    {
                        anchors.entry(new).or_default().push(old);
                    }
                };
                if !known.contains(&(*subject, false)) {
                    add(old.at, new.at);
                }
                if !known.contains(&(*subject, true)) {
                    add(old.bytes, new.bytes);
                    add(old.unit, new.unit);
                }
            }
        }
        anchors
    }

    /// What may differ still.
    pub(super) fn open(&self, known: &HashSet<(Subject, bool)>) -> Vec<Open> {
        let mut open = Vec::new();
        for (&subject, olds) in &self.old {
            let none = Vec::new();
            let news = self.new.get(&subject).unwrap_or(&none);
            let pairs = || olds.iter().zip(news);
            let (mut moved, mut sized) = (olds.len() != news.len(), olds.len() != news.len());
            // Where one has an illegal number of bytes it lies nowhere.
            moved |= !pairs().all(|(a, b)| {
                let legal = || self.is_number(a.bytes) && self.is_number(b.bytes);
                self.same(a.at, b.at) && (self.same(a.bytes, b.bytes) || legal())
            });
            sized |= !pairs().all(|(a, b)| self.same_size(a, b));
            moved &= !known.contains(&(subject, false));
            sized &= !known.contains(&(subject, true));
            if !moved && !sized {
                continue;
            }
            let known = |seen: &Seen| {
                seen.at.is_some() && seen.bytes.is_some() && (!sized || seen.unit.is_some())
            };
            let blind = olds.len() != news.len() || !olds.iter().chain(news).all(known);
            open.push(Open { subject, moved, sized, blind });
        }
        open
    }

    fn same(&self, a: Option<Node>, b: Option<Node>) -> bool {
        matches!((a, b), (Some(a), Some(b)) if self.same_as(a) == self.same_as(b))
    }

    fn is_number(&self, node: Option<Node>) -> bool {
        let number = |node: Node| &self.ops[self.same_as(node).index()];
        node.is_some_and(|node| matches!(number(node), Op::Number(bytes) if *bytes >= 0))
    }

    fn same_size(&self, a: &Seen, b: &Seen) -> bool {
        let dims = match (&a.dims, &b.dims) {
            (Some(a), Some(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(Some(*a), Some(*b)))
            }
            _ => false,
        };
        dims && self.same(a.bytes, b.bytes) && self.same(a.unit, b.unit)
    }

    pub(super) fn below<'s>(&self, seen: impl Iterator<Item = &'s Seen>) -> Vec<usize> {
        let mut wanted = HashSet::new();
        let mut stack: Vec<Node> = Vec::new();
        for seen in seen {
            stack.extend([seen.at, seen.bytes, seen.unit].into_iter().flatten());
            stack.extend(seen.dims.iter().flatten());
        }
        while let Some(node) = stack.pop() {
            let node = self.same_as(node);
            if wanted.insert(node.index()) {
                self.ops[node.index()].operands(&mut |node| stack.push(node));
            }
        }
        let mut wanted: Vec<usize> = wanted.into_iter().collect();
        wanted.sort_unstable();
        wanted
    }

    /// Carries operations out; results that are not wanted stay as they are.
    pub(super) fn evaluate(
        &self,
        cone: &[usize],
        values: &[i64],
        repetitions: &[u64],
        results: &mut Vec<Option<i64>>,
    ) {
        results.resize(self.ops.len(), None);
        let params = |id: ParamId| values.get(id.index()).map(|value| i128::from(*value));
        for &at in cone {
            let value = {
                let get = |node: Node| results[self.same_as(node).index()];
                self.ops[at].value(&get, &params, repetitions)
            };
            results[at] = value;
        }
    }

    /// The places of a subject in both, as results say; several if it stands in several places.
    pub(super) fn rows<'j>(
        &'j self,
        subject: Subject,
        results: &'j [Option<i64>],
    ) -> impl Iterator<Item = (Row, Row)> + 'j {
        let of = |seen: &'j HashMap<Subject, Vec<Seen>>| seen.get(&subject).into_iter().flatten();
        let pairs = of(&self.old).zip(of(&self.new));
        let result = |node: Node| results[node.index()];
        let row = move |seen: &Seen| self.row(subject, seen, true, &result);
        pairs.map(move |(a, b)| (row(a), row(b)))
    }

    /// What results say of a subject; where it is not to be `placed`, it lies at 0.
    fn row(
        &self,
        subject: Subject,
        seen: &Seen,
        placed: bool,
        result: &dyn Fn(Node) -> Option<i64>,
    ) -> Row {
        let get = |node: Option<Node>| -> Option<u64> {
            u64::try_from(result(self.same_as(node?))?).ok()
        };
        let (at, bytes) = (if placed { get(seen.at) } else { Some(0) }, get(seen.bytes));
        let dims = seen.dims.iter().flatten().map(|node| result(self.same_as(*node)));
        let dims = dims.filter(|dim| *dim != Some(-1));
        let shape: Option<Vec<u64>> =
            dims.map(|dim| dim.and_then(|dim| u64::try_from(dim).ok())).collect();
        Row {
            subject,
            index: 0,
            at: at.filter(|_| bytes.is_some() && shape.is_some()),
            bytes: bytes.unwrap_or(0),
            unit: get(seen.unit).unwrap_or(0),
            shape: shape.unwrap_or_default(),
        }
    }

    /// How to see one subject, if operations tell all of it.
    pub(super) fn lens(&self, subject: Subject) -> Option<Lens> {
        let one = |seen: &HashMap<Subject, Vec<Seen>>| match seen.get(&subject)?.as_slice() {
            [seen] if !seen.repeats => {
                let all = seen.at.and(seen.bytes).and(seen.unit).is_some() && seen.dims.is_some();
                all.then(|| seen.clone())
            }
            _ => None,
        };
        Some(Lens { subject, old: one(&self.old)?, new: one(&self.new)? })
    }

    /// Which params each operation needs; once all that is the same was found.
    pub(super) fn needs(&self) -> Needs {
        Needs::new(&self.ops, &|node| self.same_as(node))
    }

    /// Classes of the params that a subject depends on, with where it lies if it is to be `placed`; `None` if it
    /// may be all of them.
    pub(super) fn classes(
        &self,
        lens: &Lens,
        placed: bool,
        needs: &mut Needs,
    ) -> Option<Rc<[u32]>> {
        needs.of(lens.nodes(placed).map(|node| self.same_as(node)))
    }

    /// What a subject takes with some values, and where it lies if it is to be `placed`; and how many
    /// operations were carried out for that. One that is not counts as lying at 0.
    pub(super) fn look(
        &self,
        lens: &Lens,
        placed: bool,
        values: &[i64],
        tables: &mut Kept<Table>,
    ) -> ((Row, Row), usize) {
        let table = tables.get(values, |old| Table::renewed(old, self.ops.len()));
        let same_as = |node: Node| self.same_as(node);
        let work = table.evaluate(&self.ops, &same_as, values, lens.nodes(placed));
        let row = |seen: &Seen| self.row(lens.subject, seen, placed, &|node| table.result(node));
        ((row(&lens.old), row(&lens.new)), work)
    }
}

/// What params are in the table: numbers where they are known, else the class of both layouts.
fn stand_ins(of: &Comparison<'_>, side: Side, domains: &Domains) -> Vec<Op> {
    let layout = of.layout(side);
    let number = |value: i64| if value < -1 { Op::Illegal } else { Op::Number(value) };
    let stands = layout.params().map(|(id, param)| {
        let class = of.class(side as usize, id);
        match param.value {
            ParamValue::Fixed(_) if param.stream_bytes => {
                Op::Param(ParamId(domains.stream_class() as u32))
            }
            // What a stream has left may be anything.
            ParamValue::Fixed(_) if param.to_end.is_some() => Op::Param(ParamId(class)),
            ParamValue::Fixed(value) => number(value),
            ParamValue::Streamed(..) => Op::Param(ParamId(class)),
        }
    });
    stands.collect()
}

fn seen<'l>(of: &Comparison<'l>, side: Side, plan: &mut Plan<'l>) -> HashMap<Subject, Vec<Seen>> {
    let mut collector = Collector { of, side, seen: HashMap::new(), done: HashSet::new() };
    plan.walk(&mut |plan, row| collector.row(plan, &row));
    collector.seen
}

struct Collector<'c, 'l> {
    of: &'c Comparison<'l>,
    side: Side,
    seen: HashMap<Subject, Vec<Seen>>,
    /// Pairs of structs that were looked into.
    done: HashSet<usize>,
}

impl<'l> Collector<'_, 'l> {
    fn row(&mut self, plan: &mut Plan<'l>, row: &plan::Row<'_>) {
        let repeats = !row.repetitions.is_empty();
        self.presented(plan, &row.what, repeats);
        match &row.what {
            What::Array { array, dims, place, spliced: None } => {
                self.array(plan, *array, dims, *place, repeats);
            }
            // Its members come one after the other.
            What::Array { spliced: Some(around), .. } => {
                let number = self.number(around.record);
                let subject = number.map(Subject::Array);
                if subject.is_some_and(|subject| !self.seen.contains_key(&subject)) {
                    let dims = plan.dims(&plan.layout()[around.record]);
                    self.array(plan, around.record, &dims, around.place, repeats);
                }
            }
            What::Param { param, place: Some(place), .. } => {
                let Some(number) = self.of.param_pair(self.side, *param) else { return };
                let unit = Some(plan.number(0));
                let (at, bytes, dims) = (place.address, place.bytes, Some(Vec::new()));
                self.push(Subject::Param(number), Seen { at, bytes, unit, dims, repeats });
            }
            What::List { list, length } => {
                let Some(number) = self.of.list_pair(self.side, *list) else { return };
                let nothing = Some(plan.number(0));
                let dims = Some(Vec::new());
                let seen = Seen { at: *length, bytes: nothing, unit: nothing, dims, repeats };
                self.push(Subject::List(number), seen);
            }
            What::Dict(_) | What::Elided { .. } | What::Param { place: None, .. } => {}
        }
    }

    /// An item that is a member of a record in the other layout, or such a member.
    fn presented(&mut self, plan: &mut Plan<'l>, what: &What, repeats: bool) {
        let What::Array { array, dims, place, spliced } = what else { return };
        let placed = spliced.as_ref().map_or(*array, |around| around.record);
        let pairs = &self.of.pairs;
        let Some(numbers) = pairs.presented_by[self.side as usize].get(&placed) else { return };
        for &number in numbers {
            let pair = &pairs.presented[number];
            let one = if self.side == Side::Old { pair.old } else { pair.new };
            if one.array == *array {
                let layout = plan.layout();
                let unit = unit(plan, layout, &layout[*array]);
                let (at, bytes, dims) = (place.address, place.bytes, nodes(dims));
                self.push(Subject::Presented(number), Seen { at, bytes, unit, dims, repeats });
            }
        }
    }

    fn number(&self, array: ArrayId) -> Option<usize> {
        match self.side {
            Side::Old => self.of.pairs.array_old[array.index()],
            Side::New => self.of.pairs.array_new[array.index()],
        }
    }

    fn push(&mut self, subject: Subject, seen: Seen) {
        self.seen.entry(subject).or_default().push(seen);
    }

    fn array(
        &mut self,
        plan: &mut Plan<'l>,
        id: ArrayId,
        dims: &[Dimension],
        place: Place,
        repeats: bool,
    ) {
        let Some(number) = self.number(id) else { return };
        let layout = plan.layout();
        let unit = unit(plan, layout, &layout[id]);
        let seen = Seen { at: place.address, bytes: place.bytes, unit, dims: nodes(dims), repeats };
        self.push(Subject::Array(number), seen);
        if let Some(record) = self.of.pairs.arrays[number].record {
            self.members(plan, record);
        }
    }

    fn members(&mut self, plan: &mut Plan<'l>, pair: usize) {
        if !self.done.insert(pair) {
            return;
        }
        let pairs = &self.of.pairs.records[pair];
        let record: RecordId = if self.side == Side::Old { pairs.old } else { pairs.new };
        let layout = plan.layout();
        let members = plan.members(record);
        for (number, both) in pairs.members.iter().enumerate() {
            let at = if self.side == Side::Old { both.old } else { both.new };
            let Some(member) = members.get(at) else { continue };
            let unit = match member.kind {
                MemberKind::Param(id) if !layout[id].is_streamed() => continue,
                MemberKind::Param(_) => Some(plan.number(0)),
                MemberKind::Array(id) => unit(plan, layout, &layout[id]),
            };
            let (at, bytes, dims) = (member.offset, member.bytes, nodes(&member.dims));
            let seen = Seen { at, bytes, unit, dims, repeats: false };
            self.push(Subject::Member(pair, number), seen);
            if let Some(inner) = both.record {
                self.members(plan, inner);
            }
        }
    }
}

/// Bytes of an element; 0 where elements differ, or have no strides since they are filtered.
fn unit<'l>(plan: &mut Plan<'l>, layout: &'l Layout, array: &Array) -> Option<Node> {
    match array.element {
        _ if array.filter.is_some() => Some(plan.number(0)),
        Element::Record(record) if layout[record].variable => Some(plan.number(0)),
        element => plan.element_bytes(element),
    }
}

fn nodes(dims: &[Dimension]) -> Option<Vec<Node>> {
    dims.iter().map(|dim| dim.node).collect()
}
