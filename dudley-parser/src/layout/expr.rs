//! Expressions of params and integers: how they are kept, carried out, solved and written.

use std::fmt;

use super::{Count, ExprId, Layout, ParamId, ParamValue};

/// One step of an expression in postfix order: the operands of an operation stand before it.
///
/// ```
/// use dudley_parser::layout::{Count, expr::ExprOp};
///
/// let layout = dudley_parser::check(b"N : i8  x = f8[2*N]").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// let Count::Expr(expr) = layout.dims(x)[0].count else { panic!("an expression") };
/// assert!(matches!(layout.expr(expr), [ExprOp::Int(2), ExprOp::Param(_), ExprOp::Multiply]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExprOp {
    /// An integer; below 0 only as the first operand of all.
    Int(i64),
    /// A param.
    Param(ParamId),
    /// The sum of the two operands before.
    Add,
    /// The first operand less the second.
    Subtract,
    /// The product.
    Multiply,
    /// The quotient, which leaves no remainder.
    Divide,
}

/// Why an expression has no value.
///
/// ```
/// use dudley_parser::layout::expr::ExprFault;
///
/// let fault = ExprFault::Remainder { dividend: 7, divisor: 2 };
/// assert_eq!(fault.to_string(), "leaves a remainder: 7/2 leaves 1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExprFault {
    /// A number is past 63 bits.
    TooLarge,
    /// The divisor is 0.
    ByZero,
    /// The division leaves a remainder.
    Remainder {
        /// What is divided.
        dividend: i64,
        /// By what.
        divisor: i64,
    },
}

impl fmt::Display for ExprFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExprFault::TooLarge => f.write_str("does not fit in 63 bits"),
            ExprFault::ByZero => f.write_str("divides by 0"),
            ExprFault::Remainder { dividend, divisor } => {
                let rest = dividend.wrapping_rem(*divisor);
                write!(f, "leaves a remainder: {dividend}/{divisor} leaves {rest}")
            }
        }
    }
}

/// Why the length of a dimension does not tell the value of a param.
///
/// ```
/// use dudley_parser::layout::expr::Unsolved;
///
/// let layout = dudley_parser::check(b"N : i8  M : i8  x = f8[N*M]").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// let found = layout.solve_count(layout.dims(x)[0].count, 6, &|_| None);
/// assert_eq!(found, Err(Unsolved::Open)); // 1 * 6, 2 * 3, ...
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// Not exactly one param is unknown, or it stands in several places, or any value will do.
    Open,
    /// No value of this param comes to the length.
    None(ParamId, NoValue),
}

/// Why no value of a param comes to a length.
///
/// ```
/// use dudley_parser::layout::expr::{NoValue, Unsolved};
///
/// let layout = dudley_parser::check(b"N : u1  x = f8[N]").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// let found = layout.solve_count(layout.dims(x)[0].count, 300, &|_| None);
/// assert!(matches!(found, Err(Unsolved::None(_, NoValue::Range(300)))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// A number on the way back from the length is none.
    Fault(ExprFault),
    /// 0 and -1 have no suffixes (spec 4.3).
    Suffix,
    /// It would be this number, which the param cannot be.
    Range(i128),
}

fn fits(value: i128) -> Result<i64, ExprFault> {
    i64::try_from(value).map_err(|_| ExprFault::TooLarge)
}

/// An operation on two numbers. A chain of sums and differences may be past 63 bits in between; what goes into a
/// product, a quotient or brackets may not.
fn operate(op: ExprOp, a: i128, b: i128) -> Result<i128, ExprFault> {
    let b = fits(b)?;
    match op {
        ExprOp::Add => a.checked_add(b.into()).ok_or(ExprFault::TooLarge),
        ExprOp::Subtract => a.checked_sub(b.into()).ok_or(ExprFault::TooLarge),
        ExprOp::Multiply => fits(a)?.checked_mul(b).map(i128::from).ok_or(ExprFault::TooLarge),
        ExprOp::Divide => quotient(fits(a)?, b).map(i128::from),
        ExprOp::Int(_) | ExprOp::Param(_) => Ok(a),
    }
}

/// The quotient of two numbers that leaves no remainder.
pub(crate) fn quotient(dividend: i64, divisor: i64) -> Result<i64, ExprFault> {
    if divisor == 0 {
        Err(ExprFault::ByZero)
    } else if dividend.checked_rem(divisor).is_some_and(|rest| rest != 0) {
        Err(ExprFault::Remainder { dividend, divisor })
    } else {
        dividend.checked_div(divisor).ok_or(ExprFault::TooLarge)
    }
}

/// Carries an expression out, with the values of its params.
///
/// ```
/// use dudley_parser::layout::{Count, expr::evaluate};
///
/// let layout = dudley_parser::check(b"N : i8  x = f8[2*N]").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// let Count::Expr(expr) = layout.dims(x)[0].count else { panic!("an expression") };
/// assert_eq!(evaluate::<()>(layout.expr(expr), &mut |_| Ok(5)), Ok(Ok(10)));
/// ```
///
/// # Errors
/// If `param` fails, outside; why the expression has no value, inside.
pub fn evaluate<E>(
    ops: &[ExprOp],
    param: &mut dyn FnMut(ParamId) -> Result<i64, E>,
) -> Result<Result<i64, ExprFault>, E> {
    let mut stack = Stack::default();
    for &op in ops {
        let value = match op {
            ExprOp::Int(value) => value.into(),
            ExprOp::Param(id) => param(id)?.into(),
            op => {
                let (b, a) = (stack.pop(), stack.pop());
                match operate(op, a, b) {
                    Ok(value) => value,
                    Err(fault) => return Ok(Err(fault)),
                }
            }
        };
        stack.push(value);
    }
    Ok(fits(stack.pop()))
}

/// What the integers of an expression alone decide: its value, if there are no others in it.
///
/// # Errors
/// Why it has no value, whatever its params are.
pub(crate) fn of_integers(ops: impl Iterator<Item = ExprOp>) -> Result<Option<i64>, ExprFault> {
    let mut stack: Vec<Option<i128>> = Vec::new();
    for op in ops {
        let value = match op {
            ExprOp::Int(value) => Some(value.into()),
            ExprOp::Param(_) => None,
            op => {
                let (b, a) = (stack.pop().flatten(), stack.pop().flatten());
                match (a, b) {
                    (_, Some(0)) if op == ExprOp::Divide => return Err(ExprFault::ByZero),
                    (Some(a), Some(b)) => Some(operate(op, a, b)?),
                    // The operand is too large in any case.
                    (None, Some(b)) => fits(b).map(|_| None)?,
                    (Some(a), None) if matches!(op, ExprOp::Multiply | ExprOp::Divide) => {
                        fits(a).map(|_| None)?
                    }
                    _ => None,
                }
            }
        };
        stack.push(value);
    }
    stack.pop().flatten().map(fits).transpose()
}

/// Numbers that wait for their operation. So few of them are mostly needed that no memory is taken for them: a length
/// may be reckoned for each item of a list.
#[derive(Default)]
struct Stack {
    first: [i128; 4],
    more: Vec<i128>,
    len: usize,
}

impl Stack {
    fn push(&mut self, value: i128) {
        match self.first.get_mut(self.len) {
            Some(place) => *place = value,
            None => self.more.push(value),
        }
        self.len += 1;
    }

    /// The last one. The checker makes no expression that lacks one.
    fn pop(&mut self) -> i128 {
        self.len = self.len.saturating_sub(1);
        self.more.pop().unwrap_or(self.first[self.len.min(self.first.len() - 1)])
    }
}

/// The value of the only param that is not known, with which an expression comes to a number.
fn solve(
    ops: &[ExprOp],
    result: i64,
    known: &dyn Fn(ParamId) -> Option<i64>,
) -> Result<(ParamId, i64), Unsolved> {
    let unknown = ops.iter().filter_map(|op| match *op {
        ExprOp::Param(id) if known(id).is_none() => Some(id),
        _ => None,
    });
    let [unknown] = unknown.collect::<Vec<_>>()[..] else { return Err(Unsolved::Open) };
    let none = |fault| Unsolved::None(unknown, NoValue::Fault(fault));
    let (mut ops, mut result) = (ops, result);
    while let Some((op, before)) = ops.split_last() {
        let Some(start) = start_of_last(before) else { break };
        let (left, right) = before.split_at(start);
        let value = |ops: &[ExprOp]| {
            let value = evaluate(ops, &mut |id| known(id).ok_or(Unsolved::Open))?;
            value.map_err(none)
        };
        let is_left = !right.contains(&ExprOp::Param(unknown));
        let other = value(if is_left { right } else { left })?;
        // What is 0 whatever the param is.
        if other == 0
            && result == 0
            && (*op == ExprOp::Multiply || (!is_left && *op == ExprOp::Divide))
        {
            return Err(Unsolved::Open);
        }
        let found = match (op, is_left) {
            (ExprOp::Add, _) => result.checked_sub(other).ok_or(ExprFault::TooLarge),
            (ExprOp::Subtract, true) => result.checked_add(other).ok_or(ExprFault::TooLarge),
            (ExprOp::Subtract, false) => other.checked_sub(result).ok_or(ExprFault::TooLarge),
            (ExprOp::Multiply, _) => quotient(result, other),
            (_, true) if other == 0 => Err(ExprFault::ByZero),
            (_, true) => result.checked_mul(other).ok_or(ExprFault::TooLarge),
            (_, false) => quotient(other, result),
        };
        result = found.map_err(none)?;
        ops = if is_left { left } else { right };
    }
    Ok((unknown, result))
}

/// Where the last operand of some steps begins.
fn start_of_last(ops: &[ExprOp]) -> Option<usize> {
    let mut wanted = 1;
    for (at, op) in ops.iter().enumerate().rev() {
        match op {
            ExprOp::Int(_) | ExprOp::Param(_) => wanted -= 1,
            _ => wanted += 1,
        }
        if wanted == 0 {
            return Some(at);
        }
    }
    None
}

/// An expression as it is written, without blanks: `(NX+2)*NY/4`.
///
/// ```
/// use dudley_parser::layout::{Count, expr::written};
///
/// let layout = dudley_parser::check(b"N : i8  x = f8[(N + 2) * 3]").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// let Count::Expr(expr) = layout.dims(x)[0].count else { panic!("an expression") };
/// assert_eq!(written(layout.expr(expr), |id| layout.param_label(id)), "(N+2)*3");
/// ```
pub fn written(ops: &[ExprOp], mut name: impl FnMut(ParamId) -> String) -> String {
    // The text of each operand, and how tightly it holds together: sums least, products, single operands.
    let mut stack: Vec<(String, u8)> = Vec::new();
    for &op in ops {
        let (sign, level) = match op {
            ExprOp::Int(value) => {
                stack.push((value.to_string(), 2));
                continue;
            }
            ExprOp::Param(id) => {
                stack.push((name(id), 2));
                continue;
            }
            ExprOp::Add => ('+', 0),
            ExprOp::Subtract => ('-', 0),
            ExprOp::Multiply => ('*', 1),
            ExprOp::Divide => ('/', 1),
        };
        let (right, of_right) = stack.pop().unwrap_or_default();
        let (left, of_left) = stack.pop().unwrap_or_default();
        // A chain grows at its end: it may have many terms.
        let mut text = if of_left < level { format!("({left})") } else { left };
        text.push(sign);
        text += &if of_right <= level { format!("({right})") } else { right };
        stack.push((text, level));
    }
    stack.pop().unwrap_or_default().0
}

impl Layout {
    /// The steps of an expression.
    ///
    /// ```
    /// use dudley_parser::layout::Count;
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[2*N]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// let Count::Expr(expr) = layout.dims(x)[0].count else { panic!("an expression") };
    /// assert_eq!(layout.expr(expr).len(), 3);
    /// ```
    pub fn expr(&self, expr: ExprId) -> &[ExprOp] {
        &self.exprs[expr.index()]
    }

    /// The params that a count is made from, in the order of the text; one that stands in several places comes several
    /// times.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"N : i8  M : i8  x = f8[N*M]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(layout.params_of(layout.dims(x)[0].count).count(), 2);
    /// ```
    pub fn params_of(&self, count: Count) -> impl Iterator<Item = ParamId> + '_ {
        let (single, ops) = match count {
            Count::Int(_) => (None, &[][..]),
            Count::Param(id, _) => (Some(id), &[][..]),
            Count::Expr(expr) => (None, self.expr(expr)),
        };
        let in_ops = ops.iter().filter_map(|op| match *op {
            ExprOp::Param(id) => Some(id),
            _ => None,
        });
        single.into_iter().chain(in_ops)
    }

    /// The only param of a count whose value is not in the text; where all are, the only one there is. `None` if there are
    /// more, or if it stands in several places.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"N : i8  M : 3  x = f8[N*M]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// let sole = layout.sole_param(layout.dims(x)[0].count).unwrap();
    /// assert_eq!(layout.param_label(sole), "N");
    /// ```
    pub fn sole_param(&self, count: Count) -> Option<ParamId> {
        let only = |ids: &mut dyn Iterator<Item = ParamId>| {
            let first = ids.next()?;
            ids.next().is_none().then_some(first)
        };
        let is_fixed = |id: &ParamId| matches!(self[*id].value, ParamValue::Fixed(_));
        if self.params_of(count).all(|id| is_fixed(&id)) {
            only(&mut self.params_of(count))
        } else {
            only(&mut self.params_of(count).filter(|id| !is_fixed(id)))
        }
    }

    /// The value of the [sole param](Self::sole_param) of an expression with which it comes to a number.
    ///
    /// ```
    /// use dudley_parser::layout::Count;
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[2*N]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// let Count::Expr(expr) = layout.dims(x)[0].count else { panic!("an expression") };
    /// assert_eq!(layout.solve(expr, 10).map(|(_, value)| value), Some(5));
    /// assert_eq!(layout.solve(expr, 11), None);
    /// ```
    pub fn solve(&self, expr: ExprId, result: i64) -> Option<(ParamId, i64)> {
        self.sole_param(Count::Expr(expr))?;
        self.solve_with(expr, result, &|_| None).ok()
    }

    /// As [`Self::solve`], where the values of some params are given: those are in force, whatever the text says.
    fn solve_with(
        &self,
        expr: ExprId,
        result: i64,
        given: &dyn Fn(ParamId) -> Option<i64>,
    ) -> Result<(ParamId, i64), Unsolved> {
        let sole = self.sole_param(Count::Expr(expr));
        let fixed = |id: ParamId| match self[id].value {
            ParamValue::Fixed(value) if sole != Some(id) => Some(value),
            _ => None,
        };
        let known = |id: ParamId| given(id).or_else(|| fixed(id));
        solve(self.expr(expr), result, &known)
    }

    /// The one param of a dimension or repeat that is neither in the text nor given, and its value where the length is
    /// this.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N+]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// let (n, value) = layout.solve_count(layout.dims(x)[0].count, 6, &|_| None).unwrap();
    /// assert_eq!((layout.param_label(n).as_str(), value), ("N", 5));
    /// ```
    ///
    /// # Errors
    /// If the length does not tell it.
    pub fn solve_count(
        &self,
        count: Count,
        length: u64,
        given: &dyn Fn(ParamId) -> Option<i64>,
    ) -> Result<(ParamId, i128), Unsolved> {
        let length = i64::try_from(length).map_err(|_| Unsolved::Open)?;
        let (id, value) = match count {
            Count::Int(_) => return Err(Unsolved::Open),
            // 0 stays 0, whatever the suffix.
            Count::Param(id, _) if length == 0 => (id, 0),
            Count::Param(id, suffix) if suffix > 0 && length <= suffix.into() => {
                return Err(Unsolved::None(id, NoValue::Suffix));
            }
            Count::Param(id, suffix) => (id, i128::from(length) - i128::from(suffix)),
            Count::Expr(expr) => {
                let (id, value) = self.solve_with(expr, length, given)?;
                (id, value.into())
            }
        };
        let (least, greatest) = match self[id].value {
            ParamValue::Streamed(primitive, _) => primitive.range(),
            ParamValue::Fixed(_) => (i64::MIN.into(), i64::MAX.into()),
        };
        if value < least.max(-1) || value > greatest {
            return Err(Unsolved::None(id, NoValue::Range(value)));
        }
        Ok((id, value))
    }

    /// That no value of a param comes to a length: what was expected of the length, and what it is.
    ///
    /// ```
    /// use dudley_parser::layout::expr::NoValue;
    ///
    /// let layout = dudley_parser::check(b"N : u1  x = f8[N]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// let (n, _) = layout.params().next().unwrap();
    /// let text = layout.no_value(layout.dims(x)[0].count, 300, n, NoValue::Range(300));
    /// assert!(text.concat().contains("`N` would be 300"));
    /// ```
    pub fn no_value(&self, count: Count, length: u64, id: ParamId, why: NoValue) -> [String; 2] {
        let name = self.label(id);
        let expr = match count {
            Count::Int(value) => value.to_string(),
            Count::Param(id, suffix) => {
                let sign = if suffix < 0 { "-" } else { "+" };
                self.label(id) + &sign.repeat(suffix.unsigned_abs() as usize)
            }
            Count::Expr(expr) => written(self.expr(expr), |id| self.label(id)),
        };
        let why = match why {
            NoValue::Fault(ExprFault::ByZero) => String::new(),
            NoValue::Fault(ExprFault::TooLarge) => format!(": `{name}` would not fit in 63 bits"),
            NoValue::Fault(ExprFault::Remainder { dividend, divisor }) => {
                let rest = dividend.wrapping_rem(divisor);
                format!(": {dividend}/{divisor} leaves a remainder of {rest}")
            }
            NoValue::Suffix => ": 0 and -1 have no suffix".to_owned(),
            NoValue::Range(value) => {
                let range = match self[id].value {
                    ParamValue::Streamed(primitive, _) => {
                        let (least, greatest) = primitive.range();
                        format!("{} to {greatest}", least.max(-1))
                    }
                    ParamValue::Fixed(_) => "-1 and more".to_owned(),
                };
                format!(": `{name}` would be {value}, but holds {range}")
            }
        };
        [format!("a length that `{expr}` is with some value of `{name}`"), format!("{length}{why}")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ExprOp::{Add, Divide, Int, Multiply, Param, Subtract};

    const N: ParamId = ParamId(0);
    const M: ParamId = ParamId(1);

    fn value(ops: &[ExprOp], n: i64) -> Result<i64, ExprFault> {
        evaluate(ops, &mut |_| Ok::<_, ()>(n)).expect("a value")
    }

    #[test]
    fn operations_are_exact() {
        assert_eq!(value(&[Param(N), Int(4), Divide], 8), Ok(2));
        let rest = ExprFault::Remainder { dividend: 7, divisor: 4 };
        assert_eq!(value(&[Param(N), Int(4), Divide], 7), Err(rest));
        assert_eq!(value(&[Int(8), Param(N), Divide], 0), Err(ExprFault::ByZero));
        assert_eq!(value(&[Param(N), Int(-1), Divide], i64::MIN), Err(ExprFault::TooLarge));
        assert_eq!(value(&[Param(N), Param(N), Multiply], 1 << 32), Err(ExprFault::TooLarge));
        // Nine operands wait for what is done with them.
        let ops = [[Param(N); 9].as_slice(), &[Subtract; 8]].concat();
        assert_eq!(value(&ops, 5), Ok(5));
        // The chain comes back to what fits.
        assert_eq!(value(&[Param(N), Int(1), Add, Int(2), Subtract], i64::MAX), Ok(i64::MAX - 1));
        assert_eq!(
            value(&[Param(N), Int(1), Add, Int(2), Divide], i64::MAX),
            Err(ExprFault::TooLarge)
        );
    }

    #[test]
    fn brackets_are_written_where_they_are_needed() {
        let text =
            |ops: &[ExprOp]| written(ops, |id| if id == N { "N".into() } else { "M".into() });
        assert_eq!(text(&[Param(N), Int(2), Add, Param(M), Multiply]), "(N+2)*M");
        assert_eq!(text(&[Param(N), Param(M), Int(2), Divide, Subtract]), "N-M/2");
        assert_eq!(text(&[Param(N), Param(M), Int(2), Multiply, Divide]), "N/(M*2)");
        assert_eq!(text(&[Param(N), Param(M), Int(2), Subtract, Subtract]), "N-(M-2)");
        assert_eq!(text(&[Int(-5), Param(N), Add]), "-5+N");
        let many: Vec<_> = (0..100_000).flat_map(|_| [Param(N), Add]).collect();
        assert_eq!(text(&[&[Param(N)], &many[..]].concat()).len(), 200_001);
    }

    #[test]
    fn the_only_unknown_is_found() {
        let m = |id| (id == M).then_some(3);
        let of = |ops: &[ExprOp], result| solve(ops, result, &m).ok().map(|(_, value)| value);
        assert_eq!(of(&[Param(N), Int(2), Divide, Param(M), Divide], 5), Some(30));
        assert_eq!(of(&[Param(M), Param(N), Int(1), Subtract, Multiply], 12), Some(5));
        assert_eq!(of(&[Param(M), Param(N), Multiply], 10), None);
        assert_eq!(of(&[Int(12), Param(N), Divide], 4), Some(3));
        assert_eq!(of(&[Param(N), Param(N), Add], 4), None);
        let why = |ops: &[ExprOp], result| solve(ops, result, &m).expect_err("no value");
        let none = |fault| Unsolved::None(N, NoValue::Fault(fault));
        let rest = ExprFault::Remainder { dividend: 10, divisor: 3 };
        assert_eq!(why(&[Param(M), Param(N), Multiply], 10), none(rest));
        assert_eq!(why(&[Int(3), Param(N), Divide], 0), none(ExprFault::ByZero));
        assert_eq!(why(&[Int(0), Param(N), Divide], 0), Unsolved::Open, "any value will do");
        assert_eq!(why(&[Param(N), Int(0), Multiply], 0), Unsolved::Open, "any value will do");
        assert_eq!(why(&[Param(N), Int(0), Multiply], 1), none(ExprFault::ByZero));
        assert_eq!(why(&[Param(N), Int(0), Divide], 0), none(ExprFault::ByZero));
        assert_eq!(why(&[Param(N), Param(N), Add], 4), Unsolved::Open);
        assert_eq!(why(&[Param(N), Int(1), Add], i64::MIN), none(ExprFault::TooLarge));
    }
}
