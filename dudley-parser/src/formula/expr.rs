//! Formulas: numbers that may hold params.
//!
//! An [`Expr`] is a polynomial: a number and a sum of products, like terms collected, in one fixed
//! order, so that equal formulas are equal values. What is no sum or product is a factor like any
//! other: `align8(…)`, `max(…)`, `dim(N+)`. Dimensions that are sums stay together in products, as in
//! `8*(N-1)*(M+1)`, and are spread out where they stand alone, as in `8 + 8*N` for `16 + 8*(N-1)`.
//!
//! A formula is right for all legal values of its params. A param counts as -1 or more, a dimension
//! as 0 or more: this decides which of two ends is surely the greater one, and what surely has bytes.

use crate::layout::ParamId;
use crate::layout::expr::quotient;
use crate::place::{self, LIMIT};
use hashbrown::HashMap;
use std::sync::Arc;

/// A formula of params.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr {
    /// In the order of [`Term`]: shorter products first.
    terms: Vec<Term>,
    constant: i128,
}

/// A product: of factors in their order, and a number other than 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Term {
    degree: usize,
    pub(super) factors: Arc<[Factor]>,
    pub(super) by: i128,
}

/// What products are made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Factor {
    Param(ParamId),
    /// A param with suffixes as a count, which is never below 0.
    Count(Counted),
    /// A dimension that is a sum.
    Dim(Arc<Expr>),
    /// The quotient, which leaves no remainder.
    Quotient(Arc<Expr>, Arc<Expr>),
    /// The number of a repetition: of the outermost list that is shown in general, 0.
    Index(u32),
    /// The next multiple, of a power of two; with a condition, only where that is not 0.
    Align(Arc<Expr>, u64, Option<Arc<Expr>>),
    /// The second where the first is not 0, else 0.
    When(Arc<Expr>, Arc<Expr>),
    Max(Arc<[Expr]>),
    /// The end of an item, by its path; and a power of two that divides it.
    End(Arc<str>, u64),
}

/// How often something is there, by a param.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Counted {
    pub(super) param: ParamId,
    /// How many more, or fewer; 0 stays 0.
    pub(super) suffix: i32,
    /// It is a dimension: one of -1 counts as 1. Elsewhere -1 is illegal.
    pub(super) removable: bool,
}

/// Formulas of more terms than this are not made.
const WEIGHT_LIMIT: usize = 256;

impl Expr {
    /// A number.
    pub fn number(value: u64) -> Expr {
        Expr { terms: Vec::new(), constant: value.into() }
    }

    pub(super) fn signed(constant: i64) -> Expr {
        Expr { terms: Vec::new(), constant: constant.into() }
    }

    /// A param.
    pub fn param(id: ParamId) -> Expr {
        Expr::of(Factor::Param(id))
    }

    pub(super) fn counted(count: Counted) -> Expr {
        Expr::of(Factor::Count(count))
    }

    pub(super) fn index(depth: u32) -> Expr {
        Expr::of(Factor::Index(depth))
    }

    /// A name for it: the end of the item at a path.
    pub(super) fn as_end(&self, path: &str) -> Expr {
        Expr::end(path, self.divisor())
    }

    /// The end of the item at a path, which a number surely divides.
    pub(super) fn end(path: &str, divisor: u64) -> Expr {
        Expr::of(Factor::End(path.into(), divisor))
    }

    fn of(factor: Factor) -> Expr {
        Expr { terms: vec![Term::new(Arc::new([factor]), 1)], constant: 0 }
    }

    /// The number, if it depends on no param. One below 0 or past 63 bits is none.
    pub fn as_number(&self) -> Option<u64> {
        match (self.terms.is_empty(), u64::try_from(self.constant)) {
            (true, Ok(value)) if value <= LIMIT => Some(value),
            _ => None,
        }
    }

    /// The number, whatever its sign, if it depends on no param.
    pub(super) fn as_signed(&self) -> Option<i64> {
        self.terms.is_empty().then(|| i64::try_from(self.constant).ok()).flatten()
    }

    pub(super) fn terms(&self) -> &[Term] {
        &self.terms
    }

    pub(super) fn constant(&self) -> i128 {
        self.constant
    }

    /// How many products it holds, those inside others included.
    pub(super) fn weight(&self) -> usize {
        let inner = |factor: &Factor| match factor {
            Factor::Dim(e) => e.weight(),
            Factor::Align(e, _, some) => e.weight() + some.as_ref().map_or(0, |some| some.weight()),
            Factor::When(a, b) | Factor::Quotient(a, b) => a.weight() + b.weight(),
            Factor::Max(all) => all.iter().map(Expr::weight).sum(),
            Factor::Param(_) | Factor::Count(_) | Factor::Index(_) | Factor::End(..) => 0,
        };
        self.terms.iter().map(|term| 1 + term.factors.iter().map(inner).sum::<usize>()).sum()
    }

    /// As a factor that products do not spread out.
    pub(super) fn into_factor(self) -> Expr {
        match (self.terms.as_slice(), self.constant) {
            ([], _) => self,
            ([term], 0) if term.by == 1 => self,
            _ => Expr::of(Factor::Dim(Arc::new(self))),
        }
    }

    /// The sum. None: too long, or a number past 63 bits.
    pub fn plus(&self, other: &Expr) -> Option<Expr> {
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            match x.key().cmp(&y.key()) {
                std::cmp::Ordering::Less => terms.extend(a.next().cloned()),
                std::cmp::Ordering::Greater => terms.extend(b.next().cloned()),
                std::cmp::Ordering::Equal => {
                    let by = x.by + y.by;
                    if by != 0 {
                        terms.push(Term { by, ..(*x).clone() });
                    }
                    a.next();
                    b.next();
                }
            }
        }
        terms.extend(a.cloned());
        terms.extend(b.cloned());
        Expr { terms, constant: self.constant + other.constant }.spread()?.bounded()
    }

    /// Dimensions that stand alone become terms, unless nothing else is there.
    fn spread(mut self) -> Option<Expr> {
        if self.terms.len() + usize::from(self.constant != 0) < 2 {
            return Some(self);
        }
        let lone = |term: &Term| matches!(*term.factors, [Factor::Dim(_)]);
        let Some(at) = self.terms.iter().position(lone) else { return Some(self) };
        let term = self.terms.remove(at);
        let [Factor::Dim(dim)] = &*term.factors else { return Some(self) };
        // Params in it are of degree 1, so this ends.
        self.plus(&dim.scaled(term.by)?)
    }

    fn scaled(&self, by: i128) -> Option<Expr> {
        if by == 0 {
            return Some(Expr::default());
        }
        let mut scaled = self.clone();
        scaled.constant = scaled.constant.checked_mul(by)?;
        for term in &mut scaled.terms {
            term.by = term.by.checked_mul(by)?;
        }
        scaled.bounded()
    }

    /// The difference. None as for [`Expr::plus`].
    pub(super) fn minus(&self, other: &Expr) -> Option<Expr> {
        self.plus(&other.scaled(-1)?)
    }

    /// The product. None as for [`Expr::plus`].
    pub fn times(&self, other: &Expr) -> Option<Expr> {
        if let (Some(a), Some(b)) = (self.as_number(), other.as_number()) {
            return place::multiply(a, b).map(Expr::number);
        }
        let mut total = self.scaled(other.constant)?;
        for term in &other.terms {
            let mut part = Expr { terms: vec![term.scaled(self.constant)?], constant: 0 };
            part.terms.retain(|term| term.by != 0);
            for own in &self.terms {
                let product = Expr { terms: vec![own.times(term)?], constant: 0 };
                part = part.plus(&product)?;
            }
            total = total.plus(&part)?;
        }
        Some(total)
    }

    /// The quotient. None: the divisor is 0, or numbers leave a remainder.
    pub(super) fn over(self, other: Expr) -> Option<Expr> {
        match (self.as_signed(), other.as_signed()) {
            (_, Some(0)) => None,
            (_, Some(1)) => Some(self),
            (Some(a), Some(b)) => quotient(a, b).ok().map(Expr::signed),
            _ => Expr::of(Factor::Quotient(Arc::new(self), Arc::new(other))).bounded(),
        }
    }

    /// The next multiple of a power of two. None as for [`Expr::plus`].
    pub fn align(&self, to: u64) -> Option<Expr> {
        self.align_for(&Expr::number(1), to)
    }

    /// The same for an item of this many bytes: one without bytes is not aligned. None as for
    /// [`Expr::plus`].
    pub fn align_for(&self, bytes: &Expr, to: u64) -> Option<Expr> {
        if bytes.as_number() == Some(0) {
            return Some(self.clone());
        }
        let some = bytes.condition().map(Arc::new);
        let (whole, mut rest) = self.split_for(to, some.as_ref());
        let mut whole = whole;
        while let (None, Some(inner)) = (&some, rest.unwrapped(to)?) {
            let (more, left) = inner.split(to);
            whole = whole.plus(&more)?;
            rest = left;
        }
        let aligned = match (rest.as_number(), &some) {
            (Some(0), _) => rest,
            (Some(number), None) => Expr::number(place::align_up(number, to)?),
            _ => Expr::of(Factor::Align(Arc::new(rest), to, some)),
        };
        whole.plus(&aligned)
    }

    /// What is known to be a multiple, and the rest.
    pub(super) fn split(&self, to: u64) -> (Expr, Expr) {
        self.split_for(to, None)
    }

    /// The same where something is not 0.
    fn split_for(&self, to: u64, some: Option<&Arc<Expr>>) -> (Expr, Expr) {
        let aligned = |term: &Term| match &*term.factors {
            [Factor::Align(_, by, with)] => *by >= to && with.as_ref() == some,
            _ => false,
        };
        let (whole, rest): (Vec<Term>, Vec<Term>) =
            self.terms.iter().cloned().partition(|term| term.divisor() >= to || aligned(term));
        let left = self.constant.rem_euclid(to.into());
        (
            Expr { terms: whole, constant: self.constant - left },
            Expr { terms: rest, constant: left },
        )
    }

    /// Without an alignment inside that a greater one around it makes needless: `align4(x) + y`
    /// is `align4(x + y)` where 4 divides y.
    fn unwrapped(&self, around: u64) -> Option<Option<Expr>> {
        for (at, term) in self.terms.iter().enumerate() {
            let (1, [Factor::Align(inner, to, _)]) = (term.by, &*term.factors) else { continue };
            let mut others = self.clone();
            others.terms.remove(at);
            if *to <= around && others.divisor() >= *to {
                return others.plus(inner).map(Some);
            }
        }
        Some(None)
    }

    /// What is not 0 where this is not; `None` where it surely is not 0.
    fn condition(&self) -> Option<Expr> {
        let mut condition = self.clone();
        if let ([term], 0) = (condition.terms.as_mut_slice(), self.constant) {
            term.by = 1;
        }
        (!self.is_positive()).then_some(condition)
    }

    /// This where something is not 0, else 0.
    pub(super) fn when(&self, some: &Expr) -> Expr {
        match (some.as_number(), some.condition()) {
            (Some(0), _) => Expr::default(),
            (_, None) => self.clone(),
            (_, Some(_)) if self.as_number() == Some(0) => Expr::default(),
            (_, Some(some)) => Expr::of(Factor::When(Arc::new(some), Arc::new(self.clone()))),
        }
    }

    /// Where the cursor stands before a repetition (or, of as many as there are, behind the last):
    /// before the first at this, from the second on in steps of `stride` from a base. None as for
    /// [`Expr::plus`].
    pub(super) fn stepped(&self, base: &Expr, stride: &Expr, index: &Expr) -> Option<Expr> {
        let steps = stride.times(index)?;
        if base == self || index.is_positive() {
            return base.plus(&steps);
        }
        for to in (1..=DIVISOR_LIMIT.trailing_zeros()).map(|power| 1 << power) {
            if self.align(to).as_ref() == Some(base) {
                return self.align_for(index, to)?.plus(&steps);
            }
        }
        self.plus(&base.plus(&steps)?.minus(self)?.when(index))
    }

    /// A power of two that surely divides it.
    fn divisor(&self) -> u64 {
        let terms = self.terms.iter().map(Term::divisor).min().unwrap_or(DIVISOR_LIMIT);
        terms.min(power_in(self.constant))
    }

    /// The greater one. None as for [`Expr::plus`].
    pub(super) fn greater(&self, other: &Expr) -> Option<Expr> {
        if other.minus(self)?.is_natural() {
            return Some(other.clone());
        }
        if self.minus(other)?.is_natural() {
            return Some(self.clone());
        }
        // What is surely no greater than another one says nothing.
        let mut all = self.alternatives();
        let others = other.alternatives();
        all.retain(|one| !others.iter().any(|it| it.is_surely_from(one)));
        let more = others.into_iter().filter(|it| !all.iter().any(|one| one.is_surely_from(it)));
        let mut all: Vec<Expr> = all.iter().cloned().chain(more).collect();
        if let [one] = &all[..] {
            return Some(one.clone());
        }
        all.sort();
        Expr::of(Factor::Max(all.into())).bounded()
    }

    /// Whether it surely is `least` or more.
    fn is_surely_from(&self, least: &Expr) -> bool {
        self.minus(least).is_some_and(|more| more.is_natural())
    }

    fn alternatives(&self) -> Vec<Expr> {
        if let ([term], 0) = (self.terms.as_slice(), self.constant)
            && let (1, [Factor::Max(all)]) = (term.by, &*term.factors)
        {
            return all.to_vec();
        }
        vec![self.clone()]
    }

    /// Whether it surely is 1 or more.
    pub(super) fn is_positive(&self) -> bool {
        self.minus(&Expr::number(1)).is_some_and(|less| less.is_natural())
    }

    /// Whether it surely is 0 or more.
    fn is_natural(&self) -> bool {
        let mut least = self.constant;
        for term in &self.terms {
            if term.by < 0 {
                return false;
            }
            match &*term.factors {
                // At least -1.
                [Factor::Param(_)] => least -= term.by,
                factors if factors.iter().all(Factor::is_natural) => {}
                _ => return false,
            }
        }
        least >= 0
    }

    fn bounded(self) -> Option<Expr> {
        let fits = |value: i128| value.unsigned_abs() <= u128::from(LIMIT);
        let fine = fits(self.constant)
            && self.terms.iter().all(|term| fits(term.by))
            && (self.terms.len() < 16 || self.weight() <= WEIGHT_LIMIT);
        fine.then_some(self)
    }

    /// Its value for given params and numbers of repetitions; `None` if one
    /// is missing, or the result is below 0 or past 63 bits.
    pub fn eval(&self, params: &HashMap<ParamId, i128>, repetitions: &[u64]) -> Option<u64> {
        let value = u64::try_from(self.value(params, repetitions)?).ok()?;
        (value <= LIMIT).then_some(value)
    }

    fn value(&self, params: &HashMap<ParamId, i128>, repetitions: &[u64]) -> Option<i128> {
        let mut total = self.constant;
        for term in &self.terms {
            let mut product = term.by;
            for factor in &*term.factors {
                product = product.checked_mul(factor.value(params, repetitions)?)?;
            }
            total = total.checked_add(product)?;
        }
        Some(total)
    }
}

/// Alignments are no greater.
const DIVISOR_LIMIT: u64 = 1 << 32;

/// The greatest power of two, up to a limit, that divides a number.
fn power_in(value: i128) -> u64 {
    1 << value.trailing_zeros().min(DIVISOR_LIMIT.trailing_zeros())
}

impl Term {
    fn new(factors: Arc<[Factor]>, by: i128) -> Term {
        Term { degree: factors.len(), factors, by }
    }

    fn key(&self) -> (usize, &[Factor]) {
        (self.degree, &self.factors)
    }

    fn scaled(&self, by: i128) -> Option<Term> {
        Some(Term { by: self.by.checked_mul(by)?, ..self.clone() })
    }

    fn times(&self, other: &Term) -> Option<Term> {
        let mut factors = [&*self.factors, &*other.factors].concat();
        factors.sort();
        let fine = factors.len() <= WEIGHT_LIMIT;
        fine.then_some(Term::new(factors.into(), self.by.checked_mul(other.by)?))
    }

    fn divisor(&self) -> u64 {
        let factors = self.factors.iter().map(Factor::divisor);
        factors.fold(power_in(self.by), |all, one| all.saturating_mul(one).min(DIVISOR_LIMIT))
    }
}

impl Factor {
    fn divisor(&self) -> u64 {
        match self {
            Factor::Align(_, to, None) | Factor::End(_, to) => *to,
            Factor::Dim(inner) | Factor::Align(inner, _, Some(_)) | Factor::When(_, inner) => {
                inner.divisor()
            }
            Factor::Max(all) => all.iter().map(Expr::divisor).min().unwrap_or(1),
            Factor::Param(_) | Factor::Count(_) | Factor::Index(_) | Factor::Quotient(..) => 1,
        }
    }

    /// Whether it surely is 0 or more.
    fn is_natural(&self) -> bool {
        match self {
            Factor::Count(_) | Factor::Dim(_) | Factor::Index(_) | Factor::End(..) => true,
            Factor::Align(inner, ..) | Factor::When(_, inner) => inner.is_natural(),
            Factor::Max(all) => all.iter().any(Expr::is_natural),
            Factor::Quotient(a, b) => a.is_natural() && b.is_natural(),
            Factor::Param(_) => false,
        }
    }

    fn value(&self, params: &HashMap<ParamId, i128>, repetitions: &[u64]) -> Option<i128> {
        match self {
            Factor::Param(id) => params.get(id).copied(),
            Factor::Count(count) => count.value(*params.get(&count.param)?),
            Factor::Dim(dim) => dim.value(params, repetitions),
            Factor::Index(depth) => repetitions.get(*depth as usize).map(|&index| index.into()),
            Factor::Align(inner, to, some) => {
                let value = inner.value(params, repetitions)?;
                let stays = match some {
                    Some(some) => some.value(params, repetitions)? == 0,
                    None => false,
                };
                let to = i128::from(*to);
                let next = value.checked_add(to - 1)?.div_euclid(to) * to;
                Some(if stays { value } else { next })
            }
            Factor::Quotient(a, b) => {
                let (a, b) = (a.value(params, repetitions)?, b.value(params, repetitions)?);
                let (a, b) = (i64::try_from(a).ok()?, i64::try_from(b).ok()?);
                quotient(a, b).ok().map(i128::from)
            }
            Factor::When(some, inner) => match some.value(params, repetitions)? {
                0 => Some(0),
                _ => inner.value(params, repetitions),
            },
            Factor::Max(all) => {
                let mut greatest = None;
                for one in &**all {
                    greatest = greatest.max(Some(one.value(params, repetitions)?));
                }
                greatest
            }
            Factor::End(..) => None,
        }
    }
}

impl Counted {
    fn value(self, param: i128) -> Option<i128> {
        let count = place::suffixed(i64::try_from(param).ok()?, self.suffix)?;
        match (param, count) {
            (-1, _) => self.removable.then_some(1),
            (_, count) => (count >= 0).then(|| count.into()),
        }
    }
}
