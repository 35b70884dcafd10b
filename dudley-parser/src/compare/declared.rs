//! The declarations of both layouts, paired and compared: all findings that need no places.

use super::pairs::Pairs;
use super::polynomial::{Polynomial, Quotients};
use super::subject::{Side, Subject};
use super::tree::Tree;
use super::{Change, Levels};
use crate::formula::Labels;
use crate::layout::dtype::{ByteOrder, Kind};
use crate::layout::expr::ExprOp;
use crate::layout::{ArrayId, Count, DocKey, ExprId, Layout, ListId, ParamId, ParamValue};
use crate::span::Span;
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// The state of a comparison.
pub(super) struct Comparison<'l> {
    pub(super) old: &'l Layout,
    pub(super) new: &'l Layout,
    pub(super) labels: [Labels<'l>; 2],
    pub(super) pairs: Pairs,
    pub(super) changes: Vec<Change>,
    /// Params that are one in both, by [`Comparison::class`].
    classes: Vec<u32>,
    /// What was said of structs: a type that is used again says it again.
    pub(super) said: HashSet<Said>,
    /// Where a list is declared in the old text of whose items nothing is known: what follows may lie anywhere.
    pub(super) unplaced: Option<u32>,
    /// The number of the change that says that the layout has another byte order.
    pub(super) order_change: Option<usize>,
}

/// A change in a struct, wherever that is used: its code, where it stands in both texts, and its message
/// without the path of the struct.
pub(super) type Said = (&'static str, Option<Span>, Option<Span>, String);

/// A declaration in each of the layouts.
#[derive(Clone, Copy)]
pub(super) struct At<'p> {
    pub(super) path: &'p str,
    pub(super) old: Span,
    pub(super) new: Span,
}

/// Whether a param is read from the stream as a number that is never negative.
fn is_unsigned(layout: &Layout, id: ParamId) -> bool {
    layout[id].to_end.is_some()
        || matches!(layout[id].value, ParamValue::Streamed(primitive, _) if primitive.kind() == Kind::Unsigned)
}

/// A count as an expression; `None` if it may be the -1 that takes a dimension away.
fn expression(layout: &Layout, count: Count) -> Option<Cow<'_, [ExprOp]>> {
    match count {
        Count::Int(value) if value >= 0 => Some(vec![ExprOp::Int(value)].into()),
        Count::Param(id, 0) if is_unsigned(layout, id) => Some(vec![ExprOp::Param(id)].into()),
        Count::Expr(expr) => Some(layout.expr(expr).into()),
        _ => None,
    }
}

/// A repeat as an expression.
fn repeat(layout: &Layout, count: Count) -> Option<Cow<'_, [ExprOp]>> {
    match count {
        Count::Param(id, 0) => Some(vec![ExprOp::Param(id)].into()),
        count => expression(layout, count),
    }
}

/// Gives the expression of a count, if it is one.
type OpsOf = fn(&Layout, Count) -> Option<Cow<'_, [ExprOp]>>;

impl<'l> Comparison<'l> {
    pub(super) fn new(old: &'l Layout, new: &'l Layout) -> Self {
        let pairs = Pairs {
            array_old: vec![None; old.arrays.len()],
            array_new: vec![None; new.arrays.len()],
            list_old: vec![None; old.lists.len()],
            list_new: vec![None; new.lists.len()],
            param_old: vec![None; old.param_count()],
            param_new: vec![None; new.param_count()],
            ..Pairs::default()
        };
        Comparison {
            old,
            new,
            labels: [Labels::new(old), Labels::new(new)],
            pairs,
            changes: Vec::new(),
            classes: (0..(old.param_count() + new.param_count()) as u32).collect(),
            said: HashSet::new(),
            unplaced: None,
            order_change: None,
        }
    }

    /// Compares all that is declared.
    pub(super) fn layouts(&mut self, [a, b]: &[Tree<'l>; 2]) {
        self.order();
        self.children(a, b, 0, 0);
        let whole = At { path: "/", old: Span::default(), new: Span::default() };
        self.comments(whole, DocKey::LAYOUT, DocKey::LAYOUT);
        self.summaries();
        self.named_types();
    }

    fn order(&mut self) {
        if self.old.order() == self.new.order() {
            return;
        }
        let said = |order: Option<ByteOrder>| match order {
            Some(ByteOrder::Little) => "little-endian (`<`)",
            Some(ByteOrder::Big) => "big-endian (`>`)",
            None => "that of the stream",
        };
        let (old, new) = (said(self.old.order()), said(self.new.order()));
        let message = format!("the byte order of the layout was {old}, and is {new}");
        let at = At { path: "/", old: Span::default(), new: Span::default() };
        // It breaks something where something of that order is met.
        self.order_change = Some(self.change("change-order", at, Levels::NONE, message));
    }

    /// Reports a change of what both have.
    pub(super) fn change(
        &mut self,
        code: &'static str,
        at: At<'_>,
        levels: Levels,
        message: String,
    ) -> usize {
        self.changes.push(Change {
            code,
            path: at.path.to_owned(),
            levels,
            message,
            old: Some(at.old),
            new: Some(at.new),
            example: None,
            also: Vec::new(),
        });
        self.changes.len() - 1
    }

    /// What is said of the old layout and of the new one; if that is the same because params of different dicts
    /// have one name, it is said with their paths.
    pub(super) fn both(&self, said: impl Fn(usize, &Labels<'_>) -> String) -> (String, String) {
        let (was, is) = (said(0, &self.labels[0]), said(1, &self.labels[1]));
        if was == is {
            (said(0, &Labels::paths(self.old)), said(1, &Labels::paths(self.new)))
        } else {
            (was, is)
        }
    }

    /// The number of what a param of the old (0) or new (1) layout is.
    pub(super) fn class(&self, side: usize, id: ParamId) -> u32 {
        let mut at = (side * self.old.param_count() + id.index()) as u32;
        while self.classes[at as usize] != at {
            at = self.classes[at as usize];
        }
        at
    }

    pub(super) fn unite(&mut self, a: ParamId, b: ParamId) {
        let (a, b) = (self.class(0, a), self.class(1, b));
        let (least, other) = (a.min(b), a.max(b));
        self.classes[other as usize] = least;
    }

    /// Whether params of both are one, with one value wherever that is declared.
    pub(super) fn same_param(&self, a: ParamId, b: ParamId) -> bool {
        let (x, y) = (&self.old[a], &self.new[b]);
        let value = match (x.value, y.value) {
            (ParamValue::Fixed(x), ParamValue::Fixed(y)) => x == y,
            (ParamValue::Streamed(..), ParamValue::Streamed(..)) => true,
            _ => false,
        };
        value
            && x.stream_bytes == y.stream_bytes
            && x.to_end.is_some() == y.to_end.is_some()
            && self.class(0, a) == self.class(1, b)
    }

    /// Whether counts are the same, whatever the params.
    pub(super) fn same_count(&self, a: Count, b: Count) -> bool {
        self.counts(a, b, &|a, b| self.same_param(a, b))
    }

    /// Whether counts are written alike; their params may have other values.
    pub(super) fn same_text(&self, a: Count, b: Count) -> bool {
        self.counts(a, b, &|a, b| self.class(0, a) == self.class(1, b))
    }

    /// The same of repeats of lists, of which -1 is an error: `*N` is `*(N)`.
    pub(super) fn same_repeat(&self, a: Count, b: Count) -> bool {
        let same = |a, b| self.class(0, a) == self.class(1, b);
        self.same_text(a, b) || self.polynomials(a, b, repeat, &same)
    }

    fn counts(&self, a: Count, b: Count, same: &dyn Fn(ParamId, ParamId) -> bool) -> bool {
        match (a, b) {
            (Count::Int(a), Count::Int(b)) => a == b,
            (Count::Param(a, x), Count::Param(b, y)) => x == y && same(a, b),
            (Count::Expr(a), Count::Expr(b)) if self.same_ops(a, b, same) => true,
            (a, b) => self.polynomials(a, b, expression, same),
        }
    }

    /// Whether expressions are the same, operation by operation.
    fn same_ops(&self, a: ExprId, b: ExprId, same: &dyn Fn(ParamId, ParamId) -> bool) -> bool {
        let (a, b) = (self.old.expr(a), self.new.expr(b));
        let alike = |(a, b): (&ExprOp, &ExprOp)| match (*a, *b) {
            (ExprOp::Param(a), ExprOp::Param(b)) => same(a, b),
            (a, b) => a == b,
        };
        a.len() == b.len() && a.iter().zip(b).all(alike)
    }

    /// Whether counts are one number, however they are written: `N*2` and `N+N`. An expression is never the -1 that takes
    /// a dimension away, so only a param that never is either is one.
    fn polynomials(
        &self,
        a: Count,
        b: Count,
        ops: OpsOf,
        same: &dyn Fn(ParamId, ParamId) -> bool,
    ) -> bool {
        let mut quotients = Quotients::default();
        let mut form = |side, count| {
            let ops = ops(self.layout(side), count)?;
            Polynomial::new(&ops, &mut quotients, &|id| self.class(side as usize, id))
        };
        let forms = (form(Side::Old, a), form(Side::New, b));
        if !matches!(forms, (Some(a), Some(b)) if a == b) {
            return false;
        }
        // Params of one class are one, so one of each will do.
        let ids = |side: Side, count| {
            let ids = self.layout(side).params_of(count);
            ids.map(|id| (self.class(side as usize, id), id)).collect::<HashMap<_, _>>()
        };
        let (olds, news) = (ids(Side::Old, a), ids(Side::New, b));
        olds.iter().all(|(class, id)| news.get(class).is_some_and(|other| same(*id, *other)))
    }

    pub(super) fn same_dims(&self, a: ArrayId, b: ArrayId) -> bool {
        let (a, b) = (self.old.dims(&self.old[a]), self.new.dims(&self.new[b]));
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same_count(a.count, b.count))
    }
}

impl<'l> Comparison<'l> {
    /// One of the layouts.
    pub(super) fn layout(&self, side: Side) -> &'l Layout {
        match side {
            Side::Old => self.old,
            Side::New => self.new,
        }
    }

    /// The pair of a param.
    pub(super) fn param_pair(&self, side: Side, id: ParamId) -> Option<usize> {
        match side {
            Side::Old => self.pairs.param_old[id.index()],
            Side::New => self.pairs.param_new[id.index()],
        }
    }

    /// The pair of a list.
    pub(super) fn list_pair(&self, side: Side, id: ListId) -> Option<usize> {
        match side {
            Side::Old => self.pairs.list_old[id.index()],
            Side::New => self.pairs.list_new[id.index()],
        }
    }

    /// The path of a subject in the old layout.
    pub(super) fn path_of(&self, subject: Subject) -> String {
        match subject {
            Subject::Array(at) => self.pairs.arrays[at].path.clone(),
            Subject::Param(at) => self.pairs.params[at].path.clone(),
            Subject::List(at) => self.pairs.lists[at].path.clone(),
            Subject::Member(record, at) => self.pairs.records[record].members[at].path.clone(),
            Subject::Presented(at) => self.pairs.presented[at].path.clone(),
        }
    }

    /// Where a subject stands in both texts.
    pub(super) fn spans_of(&self, subject: Subject) -> (Option<Span>, Option<Span>) {
        let (old, new) = match subject {
            Subject::Array(at) => {
                let pair = &self.pairs.arrays[at];
                (self.old[pair.old].span, self.new[pair.new].span)
            }
            Subject::Param(at) => {
                let pair = &self.pairs.params[at];
                (self.old[pair.old].span, self.new[pair.new].span)
            }
            Subject::List(at) => {
                let pair = &self.pairs.lists[at];
                (self.old[pair.old].span, self.new[pair.new].span)
            }
            Subject::Member(record, at) => self.pairs.records[record].members[at].spans,
            Subject::Presented(at) => {
                let pair = &self.pairs.presented[at];
                (self.old[pair.old.array].span, self.new[pair.new.array].span)
            }
        };
        (Some(old), Some(new))
    }
}
