//! Operations as formulas for people.

use super::{Node, Op, Plan};
use crate::formula::expr::Counted;
use crate::formula::{Expr, Gap, Result};

/// This many terms are written at most, and this many for each step of the layout.
const TERMS: usize = 200_000;
const TERMS_PER_STEP: usize = 2000;

fn legal(expr: Option<Expr>) -> Result<Expr> {
    expr.ok_or(Gap::Illegal)
}

impl Plan<'_> {
    /// A result as a formula, which holds for all legal params; `None` if it would be too long, or is
    /// illegal.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
    /// let mut plan = Plan::new(&layout, 0);
    /// let end = plan.data_end().unwrap();
    /// assert_eq!(plan.text(end).as_deref(), Some("8 + 8*dim(N)"));
    /// ```
    pub fn text(&mut self, node: Node) -> Option<String> {
        let expr = self.expr(node).ok()?;
        Some(self.labels.formula(&expr))
    }

    /// Whether a result has no formula since only a stream tells it.
    ///
    /// ```
    /// use dudley_parser::formula::plan::{Plan, What};
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = u1[N] -> zlib  y = f8").layout.unwrap();
    /// let mut needs = Vec::new();
    /// Plan::new(&layout, 0).walk(&mut |plan, row| {
    ///     if let What::Array { place, .. } = row.what {
    ///         needs.extend(place.bytes.map(|bytes| plan.needs_stream(bytes)));
    ///     }
    /// });
    /// assert_eq!(needs, [true, false]); // only a stream has the bytes of zlib
    /// ```
    pub fn needs_stream(&mut self, node: Node) -> bool {
        matches!(self.expr(node), Err(Gap::Variable))
    }

    /// Operations are on earlier ones, so all up to this one are written, in their order.
    pub(in crate::formula) fn expr(&mut self, node: Node) -> Result<Expr> {
        while self.texts.len() <= node.index() {
            let next = Node::at(self.texts.len());
            let text = match self.names.get(&next) {
                Some(name) => Ok(name.clone()),
                // Lists in many lists come to more than anybody would read.
                None if self.terms > TERMS + TERMS_PER_STEP * self.layout.steps.len() => {
                    Err(Gap::Illegal)
                }
                None => self.written(&self.ops[next.index()]),
            };
            self.terms += text.as_ref().map_or(1, Expr::weight);
            self.texts.push(text);
        }
        self.texts[node.index()].clone()
    }

    /// The formula of a result that may have no operation.
    pub(in crate::formula) fn formula(&mut self, node: Option<Node>) -> Result<Expr> {
        match node {
            Some(node) => self.expr(node),
            None if self.exhausted => Err(Gap::Illegal),
            None => Err(Gap::Variable),
        }
    }

    /// From here on a long formula is called the end of what lies at a path.
    pub(super) fn shorten(&mut self, node: Node, path: &str) {
        if !self.told || self.as_number(node).is_some() {
            return;
        }
        let short = match self.expr(node) {
            Ok(expr) if expr.weight() <= self.long => return,
            Ok(expr) => expr.as_end(path),
            Err(_) if self.own => return,
            Err(_) => Expr::end(path, self.divisors[node.index()]),
        };
        self.names.insert(node, short);
        // Those behind it are written anew, with this name.
        self.texts.truncate(node.index());
    }

    fn at(&self, node: Node) -> Result<Expr> {
        self.texts.get(node.index()).cloned().unwrap_or(Err(Gap::Illegal))
    }

    fn written(&self, op: &Op) -> Result<Expr> {
        match op {
            Op::Number(value) => Ok(Expr::signed(*value)),
            Op::Illegal => Err(Gap::Illegal),
            Op::Unknown | Op::Input(_) => Err(Gap::Variable),
            Op::Param(id) | Op::Own(id) => Ok(Expr::param(*id)),
            Op::Index(depth) => Ok(Expr::index(*depth)),
            Op::Sum(plus, minus) => {
                let mut total = Expr::default();
                for &node in plus {
                    total = legal(total.plus(&self.at(node)?))?;
                }
                for &node in minus {
                    total = legal(total.minus(&self.at(node)?))?;
                }
                Ok(total)
            }
            Op::Multiply(a, b) => {
                legal(self.at(*a)?.into_factor().times(&self.at(*b)?.into_factor()))
            }
            Op::Divide(a, b) => self.at(*a)?.over(self.at(*b)?).ok_or(Gap::Illegal),
            Op::Dim(param, suffix) => self.counted(*param, *suffix, true),
            Op::Natural(node) => match self.ops[node.index()] {
                Op::Dim(param, suffix) => self.counted(param, suffix, false),
                _ => self.at(*node),
            },
            Op::Bytes(dims, element) => {
                let dims = dims.iter().filter(|dim| self.as_number(**dim) != Some(-1));
                let dims = dims.map(|dim| self.at(*dim)).collect::<Result<Vec<Expr>>>()?;
                if dims.iter().any(|dim| dim.as_number() == Some(0)) {
                    return Ok(Expr::default());
                }
                let mut bytes = self.at(*element)?;
                for dim in dims {
                    bytes = legal(bytes.times(&dim.into_factor()))?;
                }
                Ok(bytes)
            }
            Op::Align { cursor, to, bytes } => {
                if self.is_multiple(*cursor, *to) {
                    // What is illegal with the params that are given is nowhere.
                    match self.at(*bytes) {
                        Err(gap) if self.own => Err(gap),
                        _ => self.at(*cursor),
                    }
                } else {
                    legal(self.at(*cursor)?.align_for(&self.at(*bytes)?, *to))
                }
            }
            Op::Add(a, b) => legal(self.at(*a)?.plus(&self.at(*b)?)),
            Op::Max(nodes) => {
                let Some((&first, others)) = nodes.split_first() else {
                    return Ok(Expr::default());
                };
                let mut greatest = self.at(first)?;
                for &node in others {
                    greatest = legal(greatest.greater(&self.at(node)?))?;
                }
                Ok(greatest)
            }
            Op::End { bytes, cursor } => Ok(self.at(*cursor)?.when(&self.at(*bytes)?)),
            Op::Repeat { index, first, second, third } => {
                let second = self.at(*second)?;
                let stride = legal(self.at(*third)?.minus(&second))?;
                let base = legal(second.minus(&stride))?;
                let index = self.at(*index)?.into_factor();
                legal(self.at(*first)?.stepped(&base, &stride, &index))
            }
        }
    }

    fn counted(&self, param: Node, suffix: i32, removable: bool) -> Result<Expr> {
        match self.ops[param.index()] {
            Op::Param(param) | Op::Own(param) => {
                Ok(Expr::counted(Counted { param, suffix, removable }))
            }
            _ => Err(Gap::Illegal),
        }
    }
}
