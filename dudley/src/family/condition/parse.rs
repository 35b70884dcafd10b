//! A condition as a tree whose types are known: precedence, names, and what does not fit.

use dudley_parser::layout::ROOT;
use dudley_parser::layout::dtype::Kind;

use super::eval::{Number, Op, Sum, Test, Text};
use super::words::{Fault, Word, Words};
use crate::error::{Error, Result};
use crate::family::catalog::{Catalog, Cells};

/// Conditions nest at most so deep.
const DEPTH: u32 = 64;

/// Something in a condition, with its type.
#[derive(Clone, Debug)]
enum Value {
    Number(Number),
    Text(Text),
    Test(Test),
}

impl Value {
    fn kind(&self) -> &'static str {
        match self {
            Value::Number(_) => "a number",
            Value::Text(_) => "text",
            Value::Test(_) => "true or false",
        }
    }
}

/// Parses a condition on what a catalog holds.
///
/// # Errors
/// [`Error::BadCondition`].
pub(super) fn parse(catalog: &Catalog, text: &str) -> Result<Test> {
    let mut words = Words::of(text);
    let parsed = words.next(true).and_then(|(word, at)| {
        let mut parser = Parser { catalog, words, word, at, depth: 0 };
        let test = parser.or()?;
        match parser.word {
            Word::End => parser.test(test, 0),
            _ => parser.fault("this does not belong to the condition: `and` or `or` is missing"),
        }
    });
    parsed.map_err(|fault| Error::BadCondition {
        text: text.into(),
        column: text[..fault.at].chars().count() + 1,
        why: fault.why.into(),
        is_text: fault.is_text,
    })
}

struct Parser<'c, 't> {
    catalog: &'c Catalog,
    words: Words<'t>,
    /// The next word, and where it stands.
    word: Word<'t>,
    at: usize,
    depth: u32,
}

type Parsed<T> = std::result::Result<T, Fault>;

impl<'t> Parser<'_, 't> {
    fn fault<T>(&self, why: impl Into<String>) -> Parsed<T> {
        Err(Fault::of_text(self.at, why))
    }

    /// Continues; the word that was there.
    fn advance(&mut self, operand: bool) -> Parsed<Word<'t>> {
        let (word, at) = self.words.next(operand)?;
        self.at = at;
        Ok(std::mem::replace(&mut self.word, word))
    }

    fn takes(&mut self, word: &str) -> Parsed<bool> {
        let is = match &self.word {
            Word::Name(name) => name.eq_ignore_ascii_case(word),
            Word::Sign(sign) => *sign == word,
            _ => false,
        };
        if is {
            self.advance(!matches!(word, ")" | "]"))?;
        }
        Ok(is)
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.takes(sign)? { Ok(()) } else { self.fault(format!("`{sign}` is expected here")) }
    }

    fn test(&self, value: Value, at: usize) -> Parsed<Test> {
        match value {
            Value::Test(test) => Ok(test),
            value => Err(Fault::of_meaning(
                at,
                format!("this is {}: a comparison is expected", value.kind()),
            )),
        }
    }

    fn number(&self, value: Value, at: usize) -> Parsed<Number> {
        match value {
            Value::Number(number) => Ok(number),
            value => Err(Fault::of_meaning(
                at,
                format!("this is {}: a number is expected", value.kind()),
            )),
        }
    }

    fn or(&mut self) -> Parsed<Value> {
        self.chain("or", Self::and, Test::Any)
    }

    fn and(&mut self) -> Parsed<Value> {
        self.chain("and", Self::not, Test::All)
    }

    /// Conditions with a word between them; one alone may be any value.
    fn chain(
        &mut self,
        between: &str,
        next: fn(&mut Self) -> Parsed<Value>,
        join: fn(Vec<Test>) -> Test,
    ) -> Parsed<Value> {
        let mut at = self.at;
        let first = next(self)?;
        if !self.takes(between)? {
            return Ok(first);
        }
        let mut tests = vec![self.test(first, at)?];
        loop {
            at = self.at;
            let test = next(self)?;
            tests.push(self.test(test, at)?);
            if !self.takes(between)? {
                return Ok(Value::Test(join(tests)));
            }
        }
    }

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEPTH {
            return self.fault(format!("conditions nest at most {DEPTH} deep"));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn not(&mut self) -> Parsed<Value> {
        if !self.takes("not")? {
            return self.comparison();
        }
        let at = self.at;
        let inner = self.deeper(Self::not)?;
        Ok(Value::Test(Test::Not(Box::new(self.test(inner, at)?))))
    }

    /// A comparison, or several in a row: `0 < x <= 1`.
    fn comparison(&mut self) -> Parsed<Value> {
        let at = self.at;
        let left = self.sum()?;
        if let Some(test) = self.in_or_like(&left, at)? {
            return Ok(Value::Test(test));
        }
        let (mut left, mut left_at, mut all) = (left, at, Vec::new());
        while let Word::Sign(sign) = self.word {
            let Some(op) = Op::of(sign) else { break };
            self.advance(true)?;
            let right_at = self.at;
            let right = self.sum()?;
            all.push(self.compare(op, left, left_at, right.clone(), right_at)?);
            (left, left_at) = (right, right_at);
        }
        Ok(if all.is_empty() { left } else { Value::Test(Test::All(all)) })
    }

    fn compare(
        &self,
        op: Op,
        left: Value,
        left_at: usize,
        right: Value,
        right_at: usize,
    ) -> Parsed<Test> {
        match (left, right) {
            (Value::Number(left), Value::Number(right)) => {
                Ok(Test::Compare(op, Box::new((left, right))))
            }
            (Value::Text(left), Value::Text(right)) => {
                Ok(Test::CompareText(op, Box::new((left, right))))
            }
            (Value::Test(left), Value::Test(right)) if matches!(op, Op::Equal | Op::Unequal) => {
                let same = Test::Same(Box::new((left, right)));
                Ok(if op == Op::Equal { same } else { Test::Not(Box::new(same)) })
            }
            (Value::Test(_), _) => Err(Fault::of_meaning(
                left_at,
                "true and false are not compared: use `and`, `or`, `not`",
            )),
            (left, right) => {
                let why = format!("{} is compared with {}", left.kind(), right.kind());
                Err(Fault::of_meaning(right_at, why))
            }
        }
    }

    /// `in (…)`, `not in (…)` or `like '…'` after an operand.
    fn in_or_like(&mut self, left: &Value, at: usize) -> Parsed<Option<Test>> {
        let before = (self.words.clone(), self.word.clone(), self.at);
        let negated = self.takes("not")?;
        let test = if self.takes("in")? {
            self.expect("(")?;
            let mut any = Vec::new();
            loop {
                let item_at = self.at;
                let item = self.sum()?;
                any.push(self.compare(Op::Equal, left.clone(), at, item, item_at)?);
                if !self.takes(",")? {
                    break;
                }
            }
            self.expect(")")?;
            Some(Test::Any(any))
        } else if self.takes("like")? {
            let Value::Text(text) = left else {
                return Err(Fault::of_meaning(
                    at,
                    format!("this is {}: `like` is for text", left.kind()),
                ));
            };
            let Word::Text(pattern) = self.word.clone() else {
                return self.fault("a pattern in quotes is expected here: `*` is any text");
            };
            self.advance(false)?;
            Some(Test::Like(text.clone(), pattern))
        } else {
            (self.words, self.word, self.at) = before;
            None
        };
        Ok(test.map(|test| if negated { Test::Not(Box::new(test)) } else { test }))
    }

    fn sum(&mut self) -> Parsed<Value> {
        let sums = |sign: &str| match sign {
            "+" => Some(Sum::Add),
            "-" => Some(Sum::Subtract),
            _ => None,
        };
        self.arithmetic(sums, Self::product)
    }

    fn product(&mut self) -> Parsed<Value> {
        let products = |sign: &str| match sign {
            "*" => Some(Sum::Multiply),
            "/" => Some(Sum::Divide),
            _ => None,
        };
        self.arithmetic(products, Self::signed)
    }

    fn arithmetic(
        &mut self,
        signs: fn(&str) -> Option<Sum>,
        next: fn(&mut Self) -> Parsed<Value>,
    ) -> Parsed<Value> {
        let at = self.at;
        let first = next(self)?;
        let mut others = Vec::new();
        while let Word::Sign(sign) = self.word
            && let Some(sum) = signs(sign)
        {
            if others.is_empty() {
                self.number(first.clone(), at)?;
            }
            self.advance(true)?;
            let right_at = self.at;
            let right = next(self)?;
            others.push((sum, self.number(right, right_at)?));
        }
        if others.is_empty() {
            Ok(first)
        } else {
            Ok(Value::Number(Number::Sums(Box::new(self.number(first, at)?), others)))
        }
    }

    fn signed(&mut self) -> Parsed<Value> {
        if !self.takes("-")? {
            return self.operand();
        }
        let at = self.at;
        let inner = self.deeper(Self::signed)?;
        Ok(Value::Number(match self.number(inner, at)? {
            Number::Int(value) => Number::Int(-value),
            Number::Float(value) => Number::Float(-value),
            other => Number::Sums(Box::new(Number::Int(0)), vec![(Sum::Subtract, other)]),
        }))
    }

    fn operand(&mut self) -> Parsed<Value> {
        if self.takes("(")? {
            let inner = self.deeper(Self::or)?;
            self.expect(")")?;
            return Ok(inner);
        }
        let at = self.at;
        Ok(match self.advance(false)? {
            Word::Int(value) => Value::Number(Number::Int(value)),
            Word::Float(value) => Value::Number(Number::Float(value)),
            Word::Text(text) => Value::Text(Text::Literal(text)),
            Word::Quoted(name) => self.column(name, at)?.ok_or_else(|| self.unknown(name, at))?,
            Word::Name(name) => match self.column(name, at)? {
                Some(value) => value,
                None => word(self.catalog, name).ok_or_else(|| self.unknown(name, at))?,
            },
            Word::End => {
                return Err(Fault::of_text(at, "the condition ends where a value is expected"));
            }
            Word::Sign(sign) => {
                return Err(Fault::of_text(at, format!("a value is expected, not `{sign}`")));
            }
        })
    }

    fn unknown(&self, name: &str, at: usize) -> Fault {
        let columns = self.catalog.columns.iter().map(|column| column.name.clone());
        let names: Vec<String> = columns.chain(WORDS.map(str::to_owned)).collect();
        let layout = &self.catalog.template;
        let declared = layout.symbol(name.trim_start_matches('/'));
        let because = match declared.and_then(|symbol| layout.entry(ROOT, symbol)) {
            Some(_) => ", which is not in the summary of the layout",
            None => "",
        };
        let why = format!("the catalog does not hold `{name}`{because}: {}", self.held());
        Fault::of_meaning(at, crate::read::path::meant(why, name, &names))
    }

    /// What can be requested.
    fn held(&self) -> String {
        const SHOWN: usize = 20;
        let columns = &self.catalog.columns;
        let shown = columns.iter().take(SHOWN).map(|column| format!("`{}`", column.name));
        let more = match columns.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        if columns.is_empty() {
            format!("it has no columns, only {}", WORDS.join(", "))
        } else {
            let shown: Vec<String> = shown.collect();
            format!("its columns are {}{more}", shown.join(", "))
        }
    }

    /// A column, or one element of it; `None` if there is no such column.
    fn column(&mut self, name: &str, at: usize) -> Parsed<Option<Value>> {
        let columns = &self.catalog.columns;
        let found = columns.iter().position(|column| column.name == name);
        // A path is as good as a name.
        let found = found.or_else(|| columns.iter().position(|column| column.path == name));
        let Some(found) = found else { return Ok(None) };
        let (column, mut cells) = (&columns[found], self.catalog.cells[found].clone());
        let is_text = column.primitive.is_text();
        let units = if is_text { column.shape.last().copied().unwrap_or(1) } else { 1 };
        let outer = column.shape.len() - usize::from(is_text && !column.shape.is_empty());
        let shape = &column.shape[..outer];
        let indices = self.indices()?;
        if indices.len() != shape.len() {
            let why = match shape {
                [] => format!("`{name}` is no array"),
                _ => format!("`{name}` is an array of shape {shape:?}: say which element"),
            };
            return Err(Fault::of_meaning(at, why));
        }
        let mut element = 0;
        for (index, dim) in indices.iter().zip(shape) {
            let index = if *index < 0 { *index + i128::from(*dim) } else { *index };
            if !(0..i128::from(*dim)).contains(&index) {
                return Err(Fault::of_meaning(
                    at,
                    format!("`{name}` is of shape {shape:?}: no element is there"),
                ));
            }
            element = element * dim + index as u64;
        }
        // Columns are small.
        let size = (column.primitive.size() * units) as usize;
        cells.narrow(element as usize * size, size);
        match column.primitive.kind() {
            Kind::Text => Ok(Some(Value::Text(Text::Column(cells)))),
            Kind::Complex => {
                Err(Fault::of_meaning(at, format!("`{name}` is complex, which is not compared")))
            }
            Kind::Bool => Ok(Some(Value::Test(Test::Column(cells)))),
            Kind::Float => Ok(Some(Value::Number(Number::Floats(cells)))),
            _ => Ok(Some(Value::Number(Number::Integers(cells)))),
        }
    }

    fn indices(&mut self) -> Parsed<Vec<i128>> {
        let mut indices = Vec::new();
        if !self.takes("[")? {
            return Ok(indices);
        }
        loop {
            let negative = self.takes("-")?;
            let Word::Int(index) = self.word else {
                return self.fault("an index is expected: an integer");
            };
            self.advance(false)?;
            indices.push(if negative { -index } else { index });
            if !self.takes(",")? {
                break;
            }
        }
        self.expect("]")?;
        Ok(indices)
    }
}

/// What can be asked of any member.
const WORDS: [&str; 6] = ["member", "file", "start", "native", "big", "missing"];

fn word(catalog: &Catalog, name: &str) -> Option<Value> {
    let cells = |cells: &Cells| cells.clone();
    Some(match name {
        "member" => Value::Number(Number::Member),
        "file" => Value::Text(Text::File),
        "start" => Value::Number(Number::Integers(cells(&catalog.start))),
        "native" => Value::Test(Test::Column(cells(&catalog.native))),
        "big" => Value::Test(Test::Column(cells(&catalog.big))),
        "missing" => Value::Test(Test::OfFile(cells(&catalog.missing))),
        "true" => Value::Test(Test::Constant(true)),
        "false" => Value::Test(Test::Constant(false)),
        _ => return None,
    })
}
