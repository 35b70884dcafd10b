//! How formulas are written: `48 + 8*dim(JMAX)*dim(IMAX)`, `align8(16 + N)`. What the functions mean
//! is in [`LEGEND`].

use super::expr::{Counted, Expr, Factor, Term};
use crate::layout::expr::{ExprOp, written};
use crate::layout::{Count, Layout, ParamId, Scope};
use crate::names::Symbol;
use hashbrown::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::Arc;

/// The meaning of the functions in formulas, for people, as Markdown.
pub const LEGEND: &str = "\
`dim(N)` is 1 where N is -1 (a dimension that is removed), else N; `dim(N+)` and `dim(N-)` are one
more and one less where N is above 0; `align8(x)` is the next multiple of 8, but `align8(x, c)` is x
where c is 0; `when(c, x)` is 0 where c is 0, else x.";

/// How the params of a layout are called in formulas: by their names, those of different dicts
/// that are called the same by their paths.
#[derive(Clone, Debug)]
pub struct Labels<'a> {
    layout: &'a Layout,
    ambiguous: HashSet<Symbol>,
}

impl<'a> Labels<'a> {
    /// The labels of a layout.
    pub fn new(layout: &'a Layout) -> Self {
        let mut first = HashMap::new();
        let mut ambiguous = HashSet::new();
        for (_, param) in layout.params() {
            if let Scope::Dict(dict) | Scope::Repeated(dict) = param.scope
                && *first.entry(param.name).or_insert(dict) != dict
            {
                ambiguous.insert(param.name);
            }
        }
        Self { layout, ambiguous }
    }

    /// Those that call every param of a dict by its path.
    pub(crate) fn paths(layout: &'a Layout) -> Self {
        Self { layout, ambiguous: layout.params().map(|(_, param)| param.name).collect() }
    }

    /// The label of a param: `N`, `N#2`, `/a/N`.
    pub fn param(&self, id: ParamId) -> String {
        let param = &self.layout[id];
        if self.ambiguous.contains(&param.name) && !matches!(param.scope, Scope::Record) {
            return self.layout.param_path(id);
        }
        let mut label = String::new();
        self.layout.push_param(&mut label, id);
        label
    }

    /// A dimension as it is declared: `JMAX-`, `N+16`, `3`.
    pub fn count(&self, count: Count) -> String {
        match count {
            Count::Int(value) => value.to_string(),
            Count::Param(param, suffix) => {
                let sign = if suffix < 0 { "-" } else { "+" };
                self.param(param) + &sign.repeat(suffix.unsigned_abs() as usize)
            }
            Count::Expr(expr) => {
                let ops = self.layout.expr(expr);
                let divides = ops.contains(&ExprOp::Divide);
                let label = |id| match self.param(id) {
                    path if divides && path.starts_with('/') => format!("({path})"),
                    name => name,
                };
                written(ops, label)
            }
        }
    }

    /// A formula.
    pub fn formula(&self, expr: &Expr) -> String {
        let mut text = String::new();
        self.push_expr(&mut text, expr, " ");
        text
    }

    fn push_expr(&self, text: &mut String, expr: &Expr, blank: &str) {
        if let Some((inner, to, some)) = whole_in_align(expr) {
            self.push_align(text, &inner, to, some.as_deref());
            return;
        }
        let start = text.len();
        let constant = expr.constant();
        if constant > 0 || expr.terms().is_empty() {
            let _ = write!(text, "{constant}");
        }
        // A sum that begins with a minus is hard to read.
        let (plus, minus): (Vec<&Term>, Vec<&Term>) =
            expr.terms().iter().partition(|term| term.by > 0);
        for term in plus {
            if text.len() > start {
                let _ = write!(text, "{blank}+{blank}");
            }
            self.push_term(text, term);
        }
        for term in minus {
            let gap = if text.len() > start { blank } else { "" };
            let _ = write!(text, "{gap}-{gap}");
            self.push_term(text, term);
        }
        if constant < 0 && !expr.terms().is_empty() {
            let _ = write!(text, "{blank}-{blank}{}", -constant);
        }
    }

    fn push_term(&self, text: &mut String, term: &Term) {
        if term.by.abs() != 1 {
            let _ = write!(text, "{}*", term.by.abs());
        }
        for (at, factor) in term.factors.iter().enumerate() {
            if at > 0 {
                text.push('*');
            }
            // Within a product it is done first, since it is exact by itself.
            let alone = term.by.abs() == 1 && term.factors.len() == 1;
            if let (Factor::Quotient(..), false) = (factor, alone) {
                text.push('(');
                self.push_factor(text, factor);
                text.push(')');
            } else {
                self.push_factor(text, factor);
            }
        }
    }

    fn push_align(&self, text: &mut String, inner: &Expr, to: u64, some: Option<&Expr>) {
        let _ = write!(text, "align{to}(");
        self.push_expr(text, inner, " ");
        if let Some(some) = some {
            text.push_str(", ");
            self.push_expr(text, some, " ");
        }
        text.push(')');
    }

    fn push_factor(&self, text: &mut String, factor: &Factor) {
        match factor {
            Factor::Param(id) => *text += &self.param(*id),
            Factor::Index(depth) => *text += &index_name(*depth),
            Factor::End(path, _) => {
                let _ = write!(text, "end({path})");
            }
            Factor::Dim(dim) => {
                text.push('(');
                self.push_expr(text, dim, "");
                text.push(')');
            }
            Factor::Count(Counted { param, suffix, removable }) => {
                let count = self.count(Count::Param(*param, *suffix));
                match (removable, suffix) {
                    (false, 0) => *text += &count,
                    _ => {
                        let _ = write!(text, "dim({count})");
                    }
                }
            }
            Factor::Quotient(a, b) => {
                let start = text.len();
                self.push_expr(text, a, "");
                // A quotient of a quotient reads from the left, as it is written.
                if !is_operand(a) || text[start..].starts_with('/') {
                    text.insert(start, '(');
                    text.push(')');
                }
                text.push('/');
                let start = text.len();
                self.push_expr(text, b, "");
                let is_path = text[start..].starts_with('/');
                if !is_operand(b) || is_path || matches!(lone(b), Some(Factor::Quotient(..))) {
                    text.insert(start, '(');
                    text.push(')');
                }
            }
            Factor::Align(inner, to, some) => self.push_align(text, inner, *to, some.as_deref()),
            Factor::When(some, inner) => {
                text.push_str("when(");
                self.push_expr(text, some, " ");
                text.push_str(", ");
                self.push_expr(text, inner, " ");
                text.push(')');
            }
            Factor::Max(all) => {
                text.push_str("max(");
                for (at, one) in all.iter().enumerate() {
                    if at > 0 {
                        text.push_str(", ");
                    }
                    self.push_expr(text, one, " ");
                }
                text.push(')');
            }
        }
    }
}

/// The only factor, if there is nothing else.
fn lone(expr: &Expr) -> Option<&Factor> {
    match (expr.terms(), expr.constant()) {
        ([Term { by: 1, factors, .. }], 0) => match &**factors {
            [factor] => Some(factor),
            _ => None,
        },
        _ => None,
    }
}

/// Whether it is a number or one factor, which needs no brackets.
fn is_operand(expr: &Expr) -> bool {
    lone(expr).is_some() || expr.as_number().is_some()
}

/// `16 + align8(N)` reads better as `align8(16 + N)`.
fn whole_in_align(expr: &Expr) -> Option<(Expr, u64, Option<Arc<Expr>>)> {
    let ([term], constant) = (expr.terms(), expr.constant()) else { return None };
    let (1, [Factor::Align(inner, to, some)]) = (term.by, &*term.factors) else { return None };
    if constant == 0 || constant % i128::from(*to) != 0 {
        return None;
    }
    let inner = inner.plus(&Expr::signed(i64::try_from(constant).ok()?))?;
    Some((inner, *to, some.clone()))
}

/// The name of the number of a repetition: `i`, `j`, `k`, `i4` and so on.
pub fn index_name(depth: u32) -> String {
    match depth {
        0 => "i".to_owned(),
        1 => "j".to_owned(),
        2 => "k".to_owned(),
        depth => format!("i{}", depth + 1),
    }
}
