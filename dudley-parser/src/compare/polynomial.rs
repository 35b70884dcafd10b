//! One form for all expressions that are one number whatever their params are: `N*2` and `N+N`.
//!
//! A polynomial whose factors are params, and quotients of polynomials. Numbers that do not fit in 63 bits on the
//! way are not looked at.

use crate::layout::ParamId;
use crate::layout::expr::ExprOp;
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Expressions with more terms, or with more factors in one, are compared as they are written.
const TERMS: usize = 64;
const FACTORS: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Factor {
    /// A param, by what both layouts call it.
    Param(u32),
    /// A quotient, by its number.
    Quotient(usize),
}

/// Products of factors, each with how often it is added, which is never 0.
type Terms = BTreeMap<Vec<Factor>, i128>;

/// What an expression comes to, and when it comes to anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Polynomial {
    terms: Terms,
    /// Params that have to be legal.
    params: BTreeSet<u32>,
    /// Quotients that must not leave a remainder, also where they cancel.
    quotients: BTreeSet<usize>,
}

/// The quotients of the expressions that are compared: of equal ones there is one.
#[derive(Default)]
pub(super) struct Quotients {
    all: Vec<[Terms; 2]>,
    known: HashMap<[Terms; 2], usize>,
}

impl Polynomial {
    /// The form of an expression; `None` if it is too long.
    pub(super) fn new(
        ops: &[ExprOp],
        quotients: &mut Quotients,
        class: &dyn Fn(ParamId) -> u32,
    ) -> Option<Polynomial> {
        let mut stack: Vec<Polynomial> = Vec::new();
        for op in ops {
            let form = match *op {
                ExprOp::Int(value) => Polynomial { terms: number(value), ..Polynomial::default() },
                ExprOp::Param(id) => {
                    let class = class(id);
                    let terms = Terms::from([(vec![Factor::Param(class)], 1)]);
                    Polynomial { terms, params: [class].into(), quotients: BTreeSet::new() }
                }
                op => {
                    let (b, mut a) = (stack.pop()?, stack.pop()?);
                    a.params.extend(&b.params);
                    a.quotients.extend(&b.quotients);
                    match op {
                        ExprOp::Multiply => a.terms = product(&a.terms, &b.terms)?,
                        ExprOp::Divide => a.divide(b.terms, quotients)?,
                        _ => {
                            let sign = if op == ExprOp::Add { 1 } else { -1 };
                            b.terms.into_iter().try_for_each(|(factors, times)| {
                                add(&mut a.terms, factors, times.checked_mul(sign)?)
                            })?;
                        }
                    }
                    a
                }
            };
            if form.terms.len() > TERMS {
                return None;
            }
            stack.push(form);
        }
        stack.pop()
    }

    fn divide(&mut self, mut divisor: Terms, quotients: &mut Quotients) -> Option<()> {
        let mut dividend = std::mem::take(&mut self.terms);
        loop {
            shorten(&mut dividend, &mut divisor)?;
            if divisor == number(1) {
                self.terms = dividend;
                return Some(());
            }
            // `N/2/2` is `N/4`, and where that leaves no remainder `N/2` leaves none.
            let inner = match dividend.first_key_value() {
                Some((factors, 1)) if dividend.len() == 1 => match factors[..] {
                    [Factor::Quotient(number)] => number,
                    _ => break,
                },
                _ => break,
            };
            self.quotients.remove(&inner);
            let [above, below] = quotients.all[inner].clone();
            dividend = above;
            divisor = product(&divisor, &below)?;
        }
        let number = quotients.number([dividend, divisor]);
        self.quotients.insert(number);
        self.terms = Terms::from([(vec![Factor::Quotient(number)], 1)]);
        Some(())
    }
}

impl Quotients {
    fn number(&mut self, quotient: [Terms; 2]) -> usize {
        let next = self.all.len();
        *self.known.entry(quotient).or_insert_with_key(|quotient| {
            self.all.push(quotient.clone());
            next
        })
    }
}

fn number(value: i64) -> Terms {
    if value == 0 { Terms::new() } else { Terms::from([(Vec::new(), value.into())]) }
}

fn add(terms: &mut Terms, factors: Vec<Factor>, times: i128) -> Option<()> {
    let sum = terms.get(&factors).unwrap_or(&0).checked_add(times)?;
    if sum == 0 {
        terms.remove(&factors);
    } else {
        terms.insert(factors, sum);
    }
    Some(())
}

fn product(a: &Terms, b: &Terms) -> Option<Terms> {
    let mut terms = Terms::new();
    for (x, by) in a {
        for (y, times) in b {
            let mut factors = [&x[..], y].concat();
            if factors.len() > FACTORS {
                return None;
            }
            factors.sort_unstable();
            add(&mut terms, factors, by.checked_mul(*times)?)?;
        }
    }
    Some(terms)
}

/// Divides both by what divides all their numbers, and makes the first number of the divisor positive: that changes neither
/// the quotient nor whether there is one. `None` if the divisor is 0.
fn shorten(dividend: &mut Terms, divisor: &mut Terms) -> Option<()> {
    let sign = divisor.first_key_value()?.1.signum();
    let mut common = 0;
    for times in dividend.values().chain(divisor.values()) {
        let (mut a, mut b) = (common, times.checked_abs()?);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        common = a;
    }
    dividend.values_mut().chain(divisor.values_mut()).for_each(|times| *times /= common * sign);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::expr::evaluate;
    use proptest::prelude::*;

    fn expressions() -> impl Strategy<Value = Vec<ExprOp>> {
        let leaf = prop_oneof![
            (0..2_u32).prop_map(|id| vec![ExprOp::Param(ParamId(id))]),
            (0..4_i64).prop_map(|value| vec![ExprOp::Int(value)]),
        ];
        leaf.prop_recursive(3, 6, 2, |inner| {
            let op = prop_oneof![
                Just(ExprOp::Add),
                Just(ExprOp::Subtract),
                Just(ExprOp::Multiply),
                Just(ExprOp::Divide)
            ];
            (inner.clone(), inner, op).prop_map(|(a, b, op)| [&a[..], &b, &[op]].concat())
        })
    }

    proptest! {
        /// What has one form is one number, or none, whatever the params are.
        #[test]
        fn equal_forms_have_equal_values(all in proptest::collection::vec(expressions(), 40)) {
            let mut quotients = Quotients::default();
            let forms = all.iter().map(|ops| Polynomial::new(ops, &mut quotients, &|id| id.0));
            let forms: Vec<_> = all.iter().zip(forms).filter_map(|(a, b)| Some((a, b?))).collect();
            for (at, (a, form)) in forms.iter().enumerate() {
                for (b, _) in forms[..at].iter().filter(|(_, other)| other == form) {
                    for (n, m) in (0..100).map(|at| (at / 10, at % 10)) {
                        let value = |ops: &[ExprOp]| {
                            let value = evaluate(ops, &mut |id| Ok::<_, ()>([n, m][id.index()]));
                            value.map(Result::ok)
                        };
                        prop_assert_eq!(value(a), value(b), "{:?} and {:?} of {}, {}", a, b, n, m);
                    }
                }
            }
        }
    }
}
