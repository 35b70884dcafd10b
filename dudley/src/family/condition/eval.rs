//! The value of a condition for one member. Integers are exact, also next to floats.
//!
//! Chains are flat, so that their length does not matter; only what is in brackets nests.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::elements::number;
use crate::family::catalog::{Catalog, Cells};

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Op {
    pub(super) fn of(sign: &str) -> Option<Op> {
        Some(match sign {
            "=" | "==" => Op::Equal,
            "!=" | "<>" => Op::Unequal,
            "<" => Op::Less,
            "<=" => Op::AtMost,
            ">" => Op::Greater,
            ">=" => Op::AtLeast,
            _ => return None,
        })
    }

    /// Whether it holds; what cannot be ordered (a NaN) is only unequal.
    fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Op::Equal => order == Some(Ordering::Equal),
            Op::Unequal => order != Some(Ordering::Equal),
            Op::Less => order == Some(Ordering::Less),
            Op::AtMost => order.is_some_and(Ordering::is_le),
            Op::Greater => order == Some(Ordering::Greater),
            Op::AtLeast => order.is_some_and(Ordering::is_ge),
        }
    }
}

/// Arithmetic.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sum {
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// What gives a number.
#[derive(Clone, Debug)]
pub(super) enum Number {
    Int(i128),
    Float(f64),
    Integers(Cells),
    Floats(Cells),
    Member,
    /// A first number, and what is done with others in turn.
    Sums(Box<Number>, Vec<(Sum, Number)>),
}

/// What gives text.
#[derive(Clone, Debug)]
pub(super) enum Text {
    Literal(String),
    Column(Cells),
    File,
}

/// What is true or false.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Constant(bool),
    Column(Cells),
    OfFile(Cells),
    Compare(Op, Box<(Number, Number)>),
    CompareText(Op, Box<(Text, Text)>),
    Like(Text, String),
    Same(Box<(Test, Test)>),
    All(Vec<Test>),
    Any(Vec<Test>),
    Not(Box<Test>),
}

/// A number found.
#[derive(Clone, Copy, Debug)]
enum Found {
    Int(i128),
    Float(f64),
}

/// The members that are asked.
pub(super) struct Rows<'c> {
    catalog: &'c Catalog,
    bytes: &'c [u8],
}

impl<'c> Rows<'c> {
    pub(super) fn of(catalog: &'c Catalog) -> Rows<'c> {
        Rows { catalog, bytes: catalog.bytes() }
    }

    /// Whether a condition holds for a member.
    pub(super) fn holds(&self, test: &Test, at: usize) -> bool {
        match test {
            Test::Constant(value) => *value,
            Test::Column(cells) => cells.unsigned(self.bytes, at) != 0,
            Test::OfFile(cells) => {
                let file = self.catalog.file_of(at);
                file >= self.catalog.files || cells.unsigned(self.bytes, file) != 0
            }
            Test::Compare(op, both) => {
                op.holds(compare(self.number(&both.0, at), self.number(&both.1, at)))
            }
            Test::CompareText(op, both) => {
                op.holds(Some(self.text(&both.0, at).cmp(&self.text(&both.1, at))))
            }
            Test::Like(text, pattern) => is_like(&self.text(text, at), pattern),
            Test::Same(both) => self.holds(&both.0, at) == self.holds(&both.1, at),
            Test::All(tests) => tests.iter().all(|test| self.holds(test, at)),
            Test::Any(tests) => tests.iter().any(|test| self.holds(test, at)),
            Test::Not(inner) => !self.holds(inner, at),
        }
    }

    fn number(&self, number: &Number, at: usize) -> Found {
        match number {
            Number::Int(value) => Found::Int(*value),
            Number::Float(value) => Found::Float(*value),
            Number::Integers(cells) => Found::Int(cells.integer(self.bytes, at)),
            Number::Floats(cells) => {
                Found::Float(number::float(cells.cell(self.bytes, at), cells.order))
            }
            Number::Member => Found::Int(at as i128),
            Number::Sums(first, others) => {
                others.iter().fold(self.number(first, at), |left, (sum, right)| {
                    add(*sum, left, self.number(right, at))
                })
            }
        }
    }

    fn text<'t>(&'t self, text: &'t Text, at: usize) -> Cow<'t, str> {
        match text {
            Text::Literal(text) => text.into(),
            Text::File => self.catalog.name(self.catalog.file_of(at)).unwrap_or_default(),
            Text::Column(cells) => {
                let units = cells.cell(self.bytes, at);
                if cells.primitive.size() == 1 && units.is_ascii() {
                    let end = units.iter().rposition(|unit| *unit != 0).map_or(0, |last| last + 1);
                    return String::from_utf8_lossy(&units[..end]);
                }
                // Decoding fails for no units of whole size.
                crate::elements::text::decode(units, cells.primitive, cells.order)
                    .unwrap_or_default()
                    .into()
            }
        }
    }
}

fn float(found: Found) -> f64 {
    match found {
        Found::Int(value) => value as f64,
        Found::Float(value) => value,
    }
}

/// Sums of integers are integers as long as 128 bits hold them; quotients are floats.
fn add(sum: Sum, left: Found, right: Found) -> Found {
    if let (Found::Int(left), Found::Int(right)) = (left, right) {
        let exact = match sum {
            Sum::Add => left.checked_add(right),
            Sum::Subtract => left.checked_sub(right),
            Sum::Multiply => left.checked_mul(right),
            Sum::Divide => None,
        };
        if let Some(exact) = exact {
            return Found::Int(exact);
        }
    }
    let (left, right) = (float(left), float(right));
    Found::Float(match sum {
        Sum::Add => left + right,
        Sum::Subtract => left - right,
        Sum::Multiply => left * right,
        Sum::Divide => left / right,
    })
}

fn compare(left: Found, right: Found) -> Option<Ordering> {
    match (left, right) {
        (Found::Int(left), Found::Int(right)) => Some(left.cmp(&right)),
        (Found::Float(left), Found::Float(right)) => left.partial_cmp(&right),
        (Found::Int(left), Found::Float(right)) => compare_exactly(left, right),
        (Found::Float(left), Found::Int(right)) => {
            compare_exactly(right, left).map(Ordering::reverse)
        }
    }
}

/// An integer beside a float, without rounding it to one.
fn compare_exactly(int: i128, float: f64) -> Option<Ordering> {
    /// 2^127: what is as large has no integer of 128 bits.
    const LIMIT: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;
    if float.is_nan() {
        return None;
    }
    if float >= LIMIT {
        return Some(Ordering::Less);
    }
    if float < -LIMIT {
        return Some(Ordering::Greater);
    }
    let whole = float.floor();
    let order = int.cmp(&(whole as i128));
    // The integer may be the floor of a float that is greater.
    Some(if order.is_eq() && float > whole { Ordering::Less } else { order })
}

/// Whether a text is as a pattern, in which `*` is any text and `?` any character.
///
/// ```
/// assert!(dudley::family::is_like("run_012.bd", "run_*.bd"));
/// ```
pub fn is_like(text: &str, pattern: &str) -> bool {
    let (mut text, mut pattern) = (text, pattern);
    // Where to go on after the last `*`, should what follows it not fit.
    let mut again: Option<(&str, &str)> = None;
    loop {
        let (next, wanted) = (text.chars().next(), pattern.chars().next());
        match (next, wanted) {
            (_, Some('*')) => {
                pattern = &pattern[1..];
                again = Some((text, pattern));
            }
            (Some(c), Some(p)) if p == '?' || p == c => {
                text = &text[c.len_utf8()..];
                pattern = &pattern[p.len_utf8()..];
            }
            (None, None) => return true,
            _ => {
                let Some((from, after)) = again else { return false };
                let Some(skipped) = from.chars().next() else { return false };
                text = &from[skipped.len_utf8()..];
                pattern = after;
                again = Some((text, pattern));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_floats_are_compared_exactly() {
        use Ordering::{Equal, Greater, Less};
        let big = (1_i128 << 53) + 1;
        for (int, float, order) in [
            (big, (1_u64 << 53) as f64, Some(Greater)),
            (3, 3.0, Some(Equal)),
            (3, 3.5, Some(Less)),
            (-3, -3.5, Some(Greater)),
            (i128::MAX, f64::INFINITY, Some(Less)),
            (i128::MIN, f64::NEG_INFINITY, Some(Greater)),
            (i128::MAX, 2_f64.powi(127), Some(Less)),
            (i128::MIN, -(2_f64.powi(127)), Some(Equal)),
            (0, f64::NAN, None),
        ] {
            assert_eq!(compare_exactly(int, float), order, "{int} {float}");
        }
    }

    #[test]
    fn patterns_fit_or_not() {
        for (text, pattern, fits) in [
            ("run/a.bd", "*.bd", true),
            ("run/a.bd", "run/?.bd", true),
            ("run/a.bd", "a*", false),
            ("", "*", true),
            ("", "?", false),
            ("abab", "*ab", true),
            ("aab", "a*ab*", true),
            ("größe", "gr??e", true),
            ("a", "", false),
        ] {
            assert_eq!(is_like(text, pattern), fits, "{text} {pattern}");
        }
    }
}
