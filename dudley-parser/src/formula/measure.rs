//! Where a step begins and ends, as formulas; the counterpart of `resolve/measure.rs`.

use super::expr::Counted;
use super::{Expr, Formulas, Gap, Member, Result};
use crate::layout::{
    Array, ArrayId, Count, Dim as Declared, Element, ParamId, ParamValue, Place, RecordId,
    RepeatId, Run, Step, Term,
};
use crate::place::{self, Elements};
use crate::resolve::MemberKind;

/// Where a step lies.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    /// Its first byte; of a repeat or anonymous dict, that of the first thing in it.
    pub(super) begin: Expr,
    /// Where the cursor stands behind it.
    pub(super) cursor: Expr,
    /// The greatest end of anything in it that has bytes; none if nothing has.
    pub(super) end: Result<Option<Expr>>,
}

/// How the repetitions of a sequence lie.
#[derive(Clone, Debug)]
pub(super) struct Repeated {
    /// The first one.
    pub(super) first: Extent,
    /// Bytes from one to the next, from the second on.
    pub(super) stride: Expr,
    /// Where the cursor would stand before the first, if it were like the others. It may be below
    /// 0 where the first one is shorter.
    pub(super) base: Expr,
}

/// Lists and structs that nest deeper have no formula: nobody would read it, and each takes its stack.
const DEPTH_LIMIT: u32 = 100;

fn legal(expr: Option<Expr>) -> Result<Expr> {
    expr.ok_or(Gap::Illegal)
}

impl Formulas<'_> {
    /// The value of a param, if it is known: fixed or given.
    ///
    /// # Errors
    /// If it is not a legal one.
    pub fn value(&self, id: ParamId) -> Result<Option<i64>> {
        let param = &self.layout[id];
        let value = match (self.given.params.get(&id), param.value) {
            (Some(&value), _) => value,
            (None, ParamValue::Fixed(value)) => match (param.stream_bytes, self.given.stream_bytes)
            {
                (true, Some(bytes)) => bytes.into(),
                (true, None) => return Ok(None),
                (false, _) => value.into(),
            },
            (None, ParamValue::Streamed(..)) => return Ok(None),
        };
        match i64::try_from(value) {
            Ok(legal) if legal >= -1 => Ok(Some(legal)),
            _ => Err(Gap::Illegal),
        }
    }

    fn value_expr(&self, id: ParamId) -> Result<Expr> {
        Ok(self.value(id)?.map_or_else(|| Expr::param(id), Expr::signed))
    }

    /// What a count comes to; that of a dimension may be -1, which removes it.
    pub(super) fn count(&self, count: Count, removable: bool) -> Result<Expr> {
        match count {
            Count::Int(value) => Ok(Expr::signed(value)),
            Count::Param(id, suffix) => match self.value(id)? {
                Some(value) => place::suffixed(value, suffix).map(Expr::signed).ok_or(Gap::Illegal),
                None => Ok(Expr::counted(Counted { param: id, suffix, removable })),
            },
            Count::Sum(sum) => {
                let mut total = Expr::default();
                for term in self.layout.terms(sum) {
                    total = match *term {
                        Term::Int(value) => legal(total.plus(&Expr::signed(value)))?,
                        Term::Plus(id) => legal(total.plus(&self.value_expr(id)?))?,
                        Term::Minus(id) => legal(total.minus(&self.value_expr(id)?))?,
                    };
                }
                Ok(total)
            }
        }
    }

    /// A dimension: none if it is one of -1, which is not there.
    pub(super) fn dim(&self, dim: Declared) -> Result<Option<Expr>> {
        let value = self.count(dim.count, true)?;
        let gone = match dim.count {
            Count::Int(value) => value == -1,
            Count::Param(id, _) => self.value(id)? == Some(-1),
            Count::Sum(_) => false,
        };
        match value.as_signed() {
            Some(-1) if gone => Ok(None),
            Some(value) if value < 0 => Err(Gap::Illegal),
            _ => Ok(Some(value.into_factor())),
        }
    }

    fn elements(&self, array: &Array) -> Result<Expr> {
        let mut known = Elements::ONE;
        let mut symbolic = Vec::new();
        for &dim in self.layout.dims(array) {
            let Some(dim) = self.dim(dim)? else { continue };
            match dim.as_signed() {
                Some(number) => known = known.times(number),
                None => symbolic.push(dim),
            }
        }
        let mut elements = Expr::number(known.count().ok_or(Gap::Illegal)?);
        for dim in symbolic {
            elements = legal(elements.times(&dim))?;
        }
        Ok(elements)
    }

    /// A count of something that cannot be fewer than none.
    fn natural(&self, count: Count) -> Result<Expr> {
        let value = self.count(count, false)?;
        match value.as_signed() {
            Some(number) if number < 0 => Err(Gap::Illegal),
            _ => Ok(value),
        }
    }

    pub(super) fn explicit(&self, place: Place) -> Result<Option<Expr>> {
        match place {
            Place::Next => Ok(None),
            Place::At(count, _) => self.natural(count).map(Some),
        }
    }

    /// Bytes of an array in the stream.
    pub(super) fn array_bytes(&mut self, id: ArrayId) -> Result<Expr> {
        let layout = self.layout;
        let array = &layout[id];
        match array.filter.map(|filter| layout[filter].stored) {
            Some(Some(stored)) => return self.natural(stored.count),
            Some(None) if self.raw_bytes(array)?.as_number() != Some(0) => {
                return Err(Gap::Variable);
            }
            _ => {}
        }
        self.raw_bytes(array)
    }

    fn raw_bytes(&mut self, array: &Array) -> Result<Expr> {
        let elements = self.elements(array)?;
        if elements.as_number() == Some(0) {
            return Ok(elements);
        }
        let element = match array.element {
            Element::Primitive(primitive, _) => Expr::number(primitive.size()),
            Element::Record(record) => self.record_bytes(record)?,
        };
        legal(element.times(&elements))
    }

    /// Bytes of an instance of a record.
    ///
    /// # Errors
    /// [`Gap::Variable`] if instances differ in size.
    pub fn record_bytes(&mut self, id: RecordId) -> Result<Expr> {
        if let Some(known) = self.sizes.get(&id) {
            return known.clone();
        }
        if self.layout[id].variable {
            return Err(Gap::Variable);
        }
        self.nest()?;
        let size = self.record_size(id);
        self.depth -= 1;
        self.sizes.insert(id, size.clone());
        size
    }

    fn record_size(&mut self, id: RecordId) -> Result<Expr> {
        let layout = self.layout;
        let mut cursor = Expr::default();
        let mut end = Expr::default();
        for &step in layout.run(layout[id].members) {
            // Until something goes back to an address, the last end is the greatest.
            if layout.goes_back(step) {
                end = legal(end.greater(&cursor))?;
            }
            cursor = self.measure_step(step, &cursor)?.cursor;
        }
        end = legal(end.greater(&cursor))?;
        legal(end.align(layout[id].align))
    }

    /// Where the members of a record lie in an instance.
    pub fn members(&mut self, id: RecordId) -> Vec<Member> {
        let layout = self.layout;
        let mut cursor = Ok(Expr::default());
        let mut members = Vec::new();
        for &step in layout.run(layout[id].members) {
            let (kind, shape) = match step {
                Step::Param(param) => (MemberKind::Param(param), Vec::new()),
                Step::Array(array) => (MemberKind::Array(array), self.shape(array)),
                _ => continue,
            };
            let (offset, bytes, behind) = self.placed(step, cursor);
            cursor = behind;
            members.push(Member { kind, shape, offset, bytes });
        }
        members
    }

    /// Address and bytes of a param or array, and where the cursor stands behind it.
    pub(super) fn placed(
        &mut self,
        step: Step,
        cursor: Result<Expr>,
    ) -> (Result<Expr>, Result<Expr>, Result<Expr>) {
        let (bytes, place, align) = match step {
            Step::Array(id) => {
                let array = &self.layout[id];
                (self.array_bytes(id), array.place, array.align)
            }
            Step::Param(id) => {
                let param = &self.layout[id];
                (Ok(param_bytes(param.value)), param.place, param.align)
            }
            _ => return (Err(Gap::Variable), Err(Gap::Variable), Err(Gap::Variable)),
        };
        let begin = match (self.explicit(place), &cursor) {
            (Err(gap), _) => Err(gap),
            (Ok(Some(address)), _) => Ok(address),
            (Ok(None), Err(gap)) => Err(*gap),
            (Ok(None), Ok(cursor)) => match &bytes {
                Ok(bytes) => legal(cursor.align_for(bytes, align)),
                // Of what is of variable size it is known where it begins, if it has any elements.
                Err(Gap::Variable) => match step {
                    Step::Array(id) => self
                        .elements(&self.layout[id])
                        .and_then(|elements| legal(cursor.align_for(&elements, align))),
                    _ => Err(Gap::Variable),
                },
                Err(gap) => Err(*gap),
            },
        };
        let behind = match (&begin, &bytes) {
            (Ok(begin), Ok(bytes)) => legal(begin.plus(bytes)),
            (Err(gap), _) | (_, Err(gap)) => Err(*gap),
        };
        (begin, bytes, behind)
    }

    pub(super) fn measure_step(&mut self, step: Step, cursor: &Expr) -> Result<Extent> {
        match step {
            Step::Enter(_) => {
                Ok(Extent { begin: cursor.clone(), cursor: cursor.clone(), end: Ok(None) })
            }
            Step::Param(_) | Step::Array(_) => {
                let (begin, bytes, behind) = self.placed(step, Ok(cursor.clone()));
                let (begin, bytes, cursor) = (begin?, bytes?, behind?);
                let end = end_of(&bytes, &cursor);
                Ok(Extent { begin, cursor, end: Ok(end) })
            }
            Step::Repeat(id) => self.measure_repeat(id, cursor),
            Step::Group(id) => {
                let run = self.layout[id].run;
                self.measure_run(run, cursor.clone())
            }
        }
    }

    /// The steps of a run one after the other. Those that do not go back to an address end where
    /// the last of them does.
    pub(super) fn measure_run(&mut self, run: Run, cursor: Expr) -> Result<Extent> {
        let layout = self.layout;
        let mut begin = None;
        let mut here = cursor.clone();
        let mut end = Ok(None);
        let mut since = Since { begin: cursor.clone(), some: false };
        for &step in layout.run(run) {
            let extent = self.measure_step(step, &here)?;
            if layout.goes_back(step) {
                end = later(end, since.end(&here));
                since = match step {
                    Step::Param(_) | Step::Array(_) => {
                        Since { begin: extent.begin.clone(), some: false }
                    }
                    _ => {
                        end = later(end, extent.end);
                        Since { begin: extent.cursor.clone(), some: false }
                    }
                };
            }
            if !since.some {
                since.some = extent.cursor.minus(&extent.begin).is_some_and(|it| it.is_positive());
            }
            if extent.cursor != here {
                begin.get_or_insert(extent.begin);
            }
            here = extent.cursor;
        }
        end = later(end, since.end(&here));
        Ok(Extent { begin: begin.unwrap_or(cursor), cursor: here, end })
    }

    fn nest(&mut self) -> Result<()> {
        if self.depth >= DEPTH_LIMIT {
            return Err(Gap::Illegal);
        }
        self.depth += 1;
        Ok(())
    }

    fn measure_repeat(&mut self, id: RepeatId, cursor: &Expr) -> Result<Extent> {
        let count = self.repetitions(id)?;
        let repeat = &self.layout[id];
        if count.as_number() == Some(0) || repeat.body.is_empty() {
            let cursor = cursor.clone();
            return Ok(Extent { begin: cursor.clone(), cursor, end: Ok(None) });
        }
        if repeat.varying {
            return Err(Gap::Variable);
        }
        self.nest()?;
        let repeated = self.repeated(id, cursor);
        self.depth -= 1;
        let Repeated { first, stride, base } = repeated?;
        if count.as_number() == Some(1) {
            return Ok(first);
        }
        let behind = legal(cursor.stepped(&base, &stride, &count))?;
        let end = match repeat.absolute {
            false => Since { begin: cursor.clone(), some: false }.end(&behind),
            true if first.end == Ok(None) => Ok(None),
            // Where the greatest end is, depends on what goes back to an address.
            true => Err(first.end.err().unwrap_or(Gap::Illegal)),
        };
        Ok(Extent { begin: first.begin, cursor: behind, end })
    }

    /// How the repetitions of a repeat lie that does not vary.
    pub(super) fn repeated(&mut self, id: RepeatId, cursor: &Expr) -> Result<Repeated> {
        let first = self.repetition(id, cursor)?;
        let second = self.repetition(id, &first.cursor)?;
        let stride = legal(second.cursor.minus(&first.cursor))?;
        let base = legal(first.cursor.minus(&stride))?;
        Ok(Repeated { first, stride, base })
    }

    /// One repetition. Where it holds lists itself, what it comes to is kept, since those inside
    /// are measured twice for each of those outside.
    fn repetition(&mut self, id: RepeatId, cursor: &Expr) -> Result<Extent> {
        let repeat = &self.layout[id];
        let body = repeat.body;
        if !repeat.nested {
            return self.measure_run(body, cursor.clone());
        }
        // Without an `@` inside, only what the greatest alignment does not divide matters.
        let (shift, rest) = match repeat.absolute {
            true => (Expr::default(), cursor.clone()),
            false => cursor.split(repeat.phase),
        };
        let key = (body.start, rest);
        let found = match self.runs.get(&key) {
            Some(found) => found.clone(),
            None => {
                let found = self.measure_run(body, key.1.clone());
                self.runs.insert(key, found.clone());
                found
            }
        }?;
        Ok(Extent {
            begin: legal(found.begin.plus(&shift))?,
            cursor: legal(found.cursor.plus(&shift))?,
            end: match found.end? {
                Some(end) => legal(end.plus(&shift)).map(Some),
                None => Ok(None),
            },
        })
    }
}

/// Steps one after the other that do not go back to an address.
struct Since {
    /// Where the cursor stood before them.
    begin: Expr,
    /// One of them surely has bytes.
    some: bool,
}

impl Since {
    /// Where they end, if the cursor stands behind them.
    fn end(&self, cursor: &Expr) -> Result<Option<Expr>> {
        if self.some {
            return Ok(Some(cursor.clone()));
        }
        Ok(end_of(&legal(cursor.minus(&self.begin))?, cursor))
    }
}

/// Where so many bytes end; none if there are none.
fn end_of(bytes: &Expr, cursor: &Expr) -> Option<Expr> {
    (bytes.as_number() != Some(0)).then(|| cursor.when(bytes))
}

fn param_bytes(value: ParamValue) -> Expr {
    match value {
        ParamValue::Fixed(_) => Expr::default(),
        ParamValue::Streamed(primitive, _) => Expr::number(primitive.size()),
    }
}

/// The later of two ends.
fn later(a: Result<Option<Expr>>, b: Result<Option<Expr>>) -> Result<Option<Expr>> {
    Ok(match (a?, b?) {
        (Some(a), Some(b)) => Some(legal(a.greater(&b))?),
        (a, b) => a.or(b),
    })
}
