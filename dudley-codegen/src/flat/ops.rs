//! Operations of a layout as calls of functions, in any language.

use std::collections::{HashMap, HashSet};

use dudley_parser::formula::plan::{Node, Op};
use dudley_parser::layout::ParamId;

use super::Flat;

/// The results that are computed once for a stream, and their places.
pub(crate) struct Ops {
    /// The needed results, operands first.
    order: Vec<Node>,
    /// The results that differ from repetition to repetition.
    inner: HashSet<Node>,
    slots: HashMap<Node, usize>,
}

/// How a language writes the parts of operations.
pub(crate) trait Language {
    /// A number.
    fn number(&self, value: i64) -> String;
    /// A param of the stream.
    fn param(&self, id: ParamId) -> String;
    /// The number of a repetition, from 0; depth 0 is the outermost list.
    fn index(&self, depth: u32) -> String;
    /// A result that is stored for the stream.
    fn kept(&self, slot: usize) -> String;
    /// A result in a repetition.
    fn local(&self, node: usize) -> String;
    /// No legal number.
    fn none(&self) -> String;
    /// A line that computes a result; `local` says that it is one in a repetition, which is declared there.
    fn line(&self, target: &str, local: bool, call: &Call) -> String;
}

/// An operation: a function of the support, the numbers of a list that goes in front, and single ones; without a function
/// the single number itself.
pub(crate) struct Call {
    pub(crate) node: usize,
    pub(crate) function: &'static str,
    pub(crate) list: Option<Vec<String>>,
    pub(crate) numbers: Vec<String>,
}

/// The steps that place everything that needs params alone, in order.
pub(crate) enum Deed {
    /// A param, by its number, is the length of the stream.
    Length(usize),
    /// A result is computed.
    Compute(Node),
    /// A param is read from an address.
    Read(usize, Node),
    /// A param has one legal value.
    Legal(usize, i64),
    /// A param is how often something of some bytes fits from a place on to the end.
    Rest(usize, Node, Node),
}

impl Ops {
    /// The steps that place everything that needs params alone.
    pub(crate) fn deeds(&self, flat: &Flat<'_>) -> Vec<Deed> {
        let mut deeds = Vec::new();
        for (at, param) in flat.params.iter().enumerate() {
            deeds.extend(param.stream_bytes.then_some(Deed::Length(at)));
            if let (Some(_), Some(address)) = (param.stored, param.address) {
                deeds.extend([Deed::Compute(address), Deed::Read(at, address)]);
                deeds.extend(param.legal.map(|legal| Deed::Legal(at, legal)));
            }
        }
        for (at, param) in flat.params.iter().enumerate() {
            if let Some((begin, bytes)) = param.to_end {
                deeds.extend([
                    Deed::Compute(begin),
                    Deed::Compute(bytes),
                    Deed::Rest(at, begin, bytes),
                ]);
            }
        }
        deeds.extend(self.order.iter().map(|node| Deed::Compute(*node)));
        deeds
    }

    pub(crate) fn new(flat: &Flat<'_>) -> Ops {
        let mut ops = Ops { order: Vec::new(), inner: HashSet::new(), slots: HashMap::new() };
        let mut seen = HashSet::new();
        for param in &flat.params {
            ops.add(flat, param.address, &mut seen);
            ops.add(flat, param.to_end.map(|(begin, _)| begin), &mut seen);
            ops.add(flat, param.to_end.map(|(_, bytes)| bytes), &mut seen);
        }
        for item in &flat.items {
            let strides = item.strides.iter().flatten();
            let counts = item.indices.iter().map(|(count, _)| count);
            let needed = item.dims.iter().chain(strides).chain(counts);
            let needed = needed.chain([&item.address, &item.bytes]);
            needed.for_each(|node| ops.add(flat, Some(*node), &mut seen));
        }
        ops.add(flat, flat.end, &mut seen);
        ops
    }

    /// Adds a result, and those that it needs in front of it.
    fn add(&mut self, flat: &Flat<'_>, node: Option<Node>, seen: &mut HashSet<Node>) {
        let Some(node) = node else { return };
        let mut open = vec![(node, false)];
        while let Some((node, ready)) = open.pop() {
            let op = &flat.plan.ops()[node.index()];
            if ready {
                let mut inner = matches!(op, Op::Index(_));
                op.operands(&mut |node| inner |= self.inner.contains(&node));
                if inner {
                    self.inner.insert(node);
                } else if !is_simple(op) {
                    self.slots.insert(node, self.slots.len());
                }
                self.order.push(node);
            } else if seen.insert(node) {
                open.push((node, true));
                op.operands(&mut |node| open.push((node, false)));
            }
        }
    }

    /// The number of stored results.
    pub(crate) fn kept(&self) -> usize {
        self.slots.len()
    }

    /// Lines that compute the missing operands of a result, once for a stream.
    pub(crate) fn for_stream(
        &self,
        flat: &Flat<'_>,
        language: &dyn Language,
        node: Node,
        done: &mut HashSet<Node>,
    ) -> String {
        let kept = |node: Node| Some((language.kept(*self.slots.get(&node)?), false));
        self.lines(flat, language, &[node], done, &kept)
    }

    /// Lines that compute results in a repetition.
    pub(crate) fn for_repetition(
        &self,
        flat: &Flat<'_>,
        language: &dyn Language,
        nodes: &[Node],
    ) -> String {
        self.lines(flat, language, nodes, &mut HashSet::new(), &|node| {
            let own = self.is_local(flat, node);
            own.then(|| (language.local(node.index()), true))
        })
    }

    /// The results in a repetition that others need there.
    pub(crate) fn locals(&self, flat: &Flat<'_>, nodes: &[Node]) -> Vec<Node> {
        let needed = needed(flat, nodes, &mut HashSet::new());
        let local = |node: &&Node| needed.contains(node) && self.is_local(flat, **node);
        self.order.iter().filter(local).copied().collect()
    }

    fn is_local(&self, flat: &Flat<'_>, node: Node) -> bool {
        self.inner.contains(&node) && !is_simple(&flat.plan.ops()[node.index()])
    }

    fn lines(
        &self,
        flat: &Flat<'_>,
        language: &dyn Language,
        nodes: &[Node],
        done: &mut HashSet<Node>,
        target: &dyn Fn(Node) -> Option<(String, bool)>,
    ) -> String {
        let needed = needed(flat, nodes, done);
        let mut text = String::new();
        for node in self.order.iter().filter(|node| needed.contains(node)) {
            if let Some((target, local)) = target(*node) {
                text += &language.line(&target, local, &self.call(flat, language, *node));
            }
        }
        text
    }

    fn call(&self, flat: &Flat<'_>, language: &dyn Language, node: Node) -> Call {
        let all =
            |nodes: &[Node]| nodes.iter().map(|node| self.value(flat, language, *node)).collect();
        let (function, list, numbers): (_, Option<Vec<String>>, Vec<String>) =
            match &flat.plan.ops()[node.index()] {
                Op::Sum(plus, minus) => {
                    let terms = [&**plus, &**minus].concat();
                    ("sum", Some(all(&terms)), vec![plus.len().to_string()])
                }
                Op::Multiply(a, b) => ("times", None, all(&[*a, *b])),
                Op::Divide(a, b) => ("quotient", None, all(&[*a, *b])),
                Op::Dim(param, by) => {
                    let by = language.number(i64::from(*by));
                    ("more", None, [all(&[*param]), vec![by]].concat())
                }
                Op::Natural(value) => ("natural", None, all(&[*value])),
                Op::Bytes(dims, element) if dims.is_empty() => ("", None, all(&[*element])),
                Op::Bytes(dims, element) => ("bytes", Some(all(dims)), all(&[*element])),
                Op::Align { cursor, to, bytes } => {
                    let to = language.number(to.cast_signed());
                    let [cursor, bytes] = [cursor, bytes].map(|it| self.value(flat, language, *it));
                    ("align", None, vec![cursor, to, bytes])
                }
                Op::Add(a, b) => ("add", None, all(&[*a, *b])),
                Op::Max(nodes) if nodes.is_empty() => ("", None, vec![language.number(0)]),
                Op::Max(nodes) => ("greatest", Some(all(nodes)), Vec::new()),
                Op::End { bytes, cursor } => ("end", None, all(&[*bytes, *cursor])),
                Op::Repeat { index, first, second, third } => {
                    ("repeat", None, all(&[*index, *first, *second, *third]))
                }
                // These are values by themselves, or no item that is here needs them.
                _ => ("", None, vec![language.none()]),
            };
        Call { node: node.index(), function, list, numbers }
    }

    /// The expression of a result that is computed.
    pub(crate) fn value(&self, flat: &Flat<'_>, language: &dyn Language, node: Node) -> String {
        match &flat.plan.ops()[node.index()] {
            Op::Number(value) => language.number(*value),
            Op::Param(id) => language.param(*id),
            Op::Index(depth) => language.index(*depth),
            _ => match self.slots.get(&node) {
                Some(slot) => language.kept(*slot),
                None if self.inner.contains(&node) => language.local(node.index()),
                None => language.none(),
            },
        }
    }
}

/// Results that are needed for some, without those that are done.
fn needed(flat: &Flat<'_>, nodes: &[Node], done: &mut HashSet<Node>) -> HashSet<Node> {
    let (mut needed, mut open) = (HashSet::new(), nodes.to_vec());
    while let Some(node) = open.pop() {
        if done.insert(node) {
            needed.insert(node);
            flat.plan.ops()[node.index()].operands(&mut |node| open.push(node));
        }
    }
    needed
}

/// Whether a result is a value by itself.
fn is_simple(op: &Op) -> bool {
    matches!(op, Op::Number(_) | Op::Param(_) | Op::Index(_) | Op::Illegal)
}
