//! Operations of a layout as expressions of C.

use std::collections::{HashMap, HashSet};

use dudley_parser::formula::plan::{Node, Op};

use super::words::number;
use crate::flat::Flat;

/// Which results are computed once for a stream, and where they are kept.
pub(super) struct Ops {
    /// Those that are needed, operands in front.
    order: Vec<Node>,
    /// Those that differ from repetition to repetition.
    inner: HashSet<Node>,
    slots: HashMap<Node, usize>,
}

/// Names of what operations are made of.
pub(super) struct Scope<'h> {
    pub(super) params: &'h dyn Fn(dudley_parser::layout::ParamId) -> String,
}

impl Ops {
    pub(super) fn new(flat: &Flat<'_>) -> Ops {
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

    /// How many results are kept.
    pub(super) fn kept(&self) -> usize {
        self.slots.len()
    }

    /// The results that are needed, operands in front.
    pub(super) fn order(&self) -> &[Node] {
        &self.order
    }

    /// Lines that compute what a result needs and that was not computed yet, once for a stream.
    pub(super) fn for_stream(
        &self,
        flat: &Flat<'_>,
        scope: &Scope<'_>,
        node: Node,
        done: &mut HashSet<Node>,
    ) -> String {
        let kept = |node: &Node| self.slots.get(node).copied();
        self.lines(flat, scope, &[node], done, &|node| {
            kept(&node).map(|slot| format!("s->v[{slot}]"))
        })
    }

    /// Lines that compute results in a repetition.
    pub(super) fn for_repetition(
        &self,
        flat: &Flat<'_>,
        scope: &Scope<'_>,
        nodes: &[Node],
    ) -> String {
        let mut done = HashSet::new();
        self.lines(flat, scope, nodes, &mut done, &|node| {
            let own = self.inner.contains(&node) && !is_simple(&flat.plan.ops()[node.index()]);
            own.then(|| format!("const int64_t t{}", node.index()))
        })
    }

    fn lines(
        &self,
        flat: &Flat<'_>,
        scope: &Scope<'_>,
        nodes: &[Node],
        done: &mut HashSet<Node>,
        target: &dyn Fn(Node) -> Option<String>,
    ) -> String {
        let (mut needed, mut open) = (HashSet::new(), nodes.to_vec());
        while let Some(node) = open.pop() {
            if done.insert(node) {
                needed.insert(node);
                flat.plan.ops()[node.index()].operands(&mut |node| open.push(node));
            }
        }
        let mut text = String::new();
        for node in self.order.iter().filter(|node| needed.contains(node)) {
            if let Some(target) = target(*node) {
                text += &self.line(flat, scope, *node, &target);
            }
        }
        text
    }

    fn line(&self, flat: &Flat<'_>, scope: &Scope<'_>, node: Node, target: &str) -> String {
        let of = |node: &Node| self.value(flat, scope, *node);
        let all = |nodes: &[Node]| nodes.iter().map(of).collect::<Vec<_>>().join(", ");
        let array =
            |nodes: &[Node]| format!("const int64_t a{}[] = {{{}}};", node.index(), all(nodes));
        let name = format!("a{}", node.index());
        let (before, value) = match &flat.plan.ops()[node.index()] {
            Op::Sum(plus, minus) => {
                let terms = [&**plus, &**minus].concat();
                (array(&terms), format!("dud_sum({name}, {}, {})", plus.len(), terms.len()))
            }
            Op::Multiply(a, b) => (String::new(), format!("dud_times({}, {})", of(a), of(b))),
            Op::Divide(a, b) => (String::new(), format!("dud_quotient({}, {})", of(a), of(b))),
            Op::Dim(param, by) => (String::new(), format!("dud_more({}, {by})", of(param))),
            Op::Natural(value) => (String::new(), format!("dud_natural({})", of(value))),
            Op::Bytes(dims, element) if dims.is_empty() => (String::new(), of(element)),
            Op::Bytes(dims, element) => {
                (array(dims), format!("dud_bytes({name}, {}, {})", dims.len(), of(element)))
            }
            Op::Align { cursor, to, bytes } => {
                (String::new(), format!("dud_align({}, {to}, {})", of(cursor), of(bytes)))
            }
            Op::Add(a, b) => (String::new(), format!("dud_add({}, {})", of(a), of(b))),
            Op::Max(nodes) if nodes.is_empty() => (String::new(), "0".to_owned()),
            Op::Max(nodes) => (array(nodes), format!("dud_greatest({name}, {})", nodes.len())),
            Op::End { bytes, cursor } => {
                (String::new(), format!("dud_end({}, {})", of(bytes), of(cursor)))
            }
            Op::Repeat { index, first, second, third } => {
                let arguments = all(&[*index, *first, *second, *third]);
                (String::new(), format!("dud_repeat({arguments})"))
            }
            // These are values by themselves, or no item that is here needs them.
            _ => (String::new(), "DUD_NONE".to_owned()),
        };
        let line = format!("{target} = {value};\n");
        if before.is_empty() {
            format!("  {line}")
        } else if target.starts_with("const") {
            format!("  {before}\n  {line}")
        } else {
            format!("  {{\n    {before}\n    {line}  }}\n")
        }
    }

    /// The expression of a result that is computed.
    pub(super) fn value(&self, flat: &Flat<'_>, scope: &Scope<'_>, node: Node) -> String {
        match &flat.plan.ops()[node.index()] {
            Op::Number(value) => number(*value),
            Op::Param(id) => format!("s->param.{}", (scope.params)(*id)),
            Op::Index(depth) => format!("i{depth}"),
            _ => match self.slots.get(&node) {
                Some(slot) => format!("s->v[{slot}]"),
                None if self.inner.contains(&node) => format!("t{}", node.index()),
                None => "DUD_NONE".to_owned(),
            },
        }
    }
}

/// Whether a result is a value by itself.
fn is_simple(op: &Op) -> bool {
    matches!(op, Op::Number(_) | Op::Param(_) | Op::Index(_) | Op::Illegal)
}
