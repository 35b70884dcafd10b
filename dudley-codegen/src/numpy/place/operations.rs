//! Operations of a layout as expressions of Python.

use std::collections::HashMap;

use dudley_parser::formula::plan::{Input, Node, Op};
use dudley_parser::place::NATIVE_START;

use super::Maker;

/// An expression that is longer gets a variable.
const LONG: usize = 60;

/// The known operations of the current function.
#[derive(Default)]
pub(super) struct Values {
    /// The number of uses of each result.
    uses: HashMap<Node, u32>,
    /// The variables that hold results.
    names: HashMap<Node, String>,
    inputs: HashMap<Input, String>,
    temporaries: u32,
}

impl Maker<'_> {
    /// Counts how often each result is needed in the function at hand.
    pub(super) fn count(&mut self, mut needed: Vec<Node>) {
        while let Some(node) = needed.pop() {
            let uses = self.frame.values.uses.entry(node).or_default();
            *uses += 1;
            if *uses == 1 {
                self.plan.ops()[node.index()].operands(&mut |node| needed.push(node));
            }
        }
    }

    /// From here on an input is this expression.
    pub(super) fn input(&mut self, input: Input, expression: &str) {
        self.frame.values.inputs.insert(input, expression.to_owned());
    }

    /// A variable that no other is called like, in functions within this one neither.
    pub(super) fn temporary(&mut self) -> String {
        let values = &mut self.frame.values;
        values.temporaries += 1;
        format!("t{}", values.temporaries)
    }

    /// The expression of a result; the variables that it needs are there.
    pub(super) fn result(&mut self, node: Option<Node>) -> String {
        let Some(node) = node else { return fault() };
        if let Some(name) = self.frame.values.names.get(&node) {
            return name.clone();
        }
        let op = self.plan.ops()[node.index()].clone();
        let text = self.expression(&op);
        let is_call = text.ends_with(')') || matches!(op, Op::Add(..) | Op::Sum(..));
        let uses = self.frame.values.uses.get(&node).copied().unwrap_or_default();
        if !is_call || (uses < 2 && text.len() <= LONG) {
            return text;
        }
        let name = self.temporary();
        self.write(format!("{name} = {text}"));
        self.frame.values.names.insert(node, name.clone());
        name
    }

    fn all(&mut self, nodes: &[Node]) -> Vec<String> {
        nodes.iter().map(|node| self.result(Some(*node))).collect()
    }

    fn expression(&mut self, op: &Op) -> String {
        match op {
            Op::Number(value) => value.to_string(),
            Op::Param(id) | Op::Own(id) => self.params.get(id).cloned().unwrap_or_else(fault),
            Op::Input(input) => self.frame.values.inputs.get(input).cloned().unwrap_or_else(fault),
            Op::Sum(plus, minus) => self.sum(plus, minus),
            Op::Dim(param, 0) => self.result(Some(*param)),
            Op::Dim(param, by) => {
                let function = if *by > 0 { "more" } else { "less" };
                let param = self.result(Some(*param));
                match by.unsigned_abs() {
                    1 => format!("{function}({param})"),
                    by => format!("{function}({param}, {by})"),
                }
            }
            Op::Multiply(a, b) => {
                format!("times({}, {})", self.part(*a), self.part(*b))
            }
            Op::Divide(a, b) => {
                format!("quotient({}, {})", self.part(*a), self.part(*b))
            }
            Op::Natural(node) => format!("exact({})", self.result(Some(*node))),
            Op::Bytes(dims, element) => {
                let dims: Vec<Node> = dims
                    .iter()
                    .copied()
                    .filter(|dim| self.plan.as_number(*dim) != Some(-1))
                    .collect();
                match &*dims {
                    [] => self.result(Some(*element)),
                    dims => {
                        let (element, dims) = (self.result(Some(*element)), self.all(dims));
                        format!("size({element}, {})", dims.join(", "))
                    }
                }
            }
            Op::Align { cursor, to, bytes } => {
                let (cursor, bytes) = (self.result(Some(*cursor)), self.result(Some(*bytes)));
                format!("align({cursor}, {to}, {bytes})")
            }
            Op::Add(a, b) => {
                // A stream does not start behind that byte, so that a number below this many more is legal.
                let is_start = self.plan.ops()[a.index()] == Op::Input(Input::Start);
                let more = self.plan.as_number(*b);
                let (a, b) = (self.result(Some(*a)), self.result(Some(*b)));
                if is_start && more.is_some_and(|more| more <= i64::MAX - NATIVE_START as i64) {
                    format!("{a} + {b}")
                } else {
                    format!("add({a}, {b})")
                }
            }
            Op::Max(nodes) => format!("greatest({})", self.all(nodes).join(", ")),
            // The executor has the inputs in their place.
            _ => fault(),
        }
    }

    /// An operand of an operation in an expression; a sum is treated separately.
    fn part(&mut self, node: Node) -> String {
        let operand = self.result(Some(node));
        match self.plan.ops()[node.index()] {
            Op::Sum(..) => format!("within({operand})"),
            _ => operand,
        }
    }

    fn sum(&mut self, plus: &[Node], minus: &[Node]) -> String {
        let mut text = String::new();
        for (nodes, sign) in [(plus, "+"), (minus, "-")] {
            for &node in nodes {
                let operand = self.part(node);
                let (sign, operand) = match (sign, operand.strip_prefix('-')) {
                    ("+", Some(operand)) => ("-", operand.to_owned()),
                    _ => (sign, operand),
                };
                text += &match (text.is_empty(), sign) {
                    (true, "+") => operand,
                    (true, _) => format!("-{operand}"),
                    (false, _) => format!(" {sign} {operand}"),
                };
            }
        }
        text
    }
}

/// An operation that has no legal result for any params.
fn fault() -> String {
    "Fault(\"it comes to no legal number\")".to_owned()
}
