//! Numbers that attributes say, exactly, and which stored ones stand for none.

use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::dtype::{Kind, Primitive};

/// A number of an attribute: exactly, if it is whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) value: f64,
    pub(super) whole: Option<i128>,
}

impl Number {
    pub(super) const ZERO: Number = Number { value: 0.0, whole: Some(0) };
    pub(super) const ONE: Number = Number { value: 1.0, whole: Some(1) };

    fn integer(value: i128) -> Number {
        Number { value: value as f64, whole: Some(value) }
    }

    fn float(value: f64) -> Number {
        let is_whole = value.fract() == 0.0 && value.abs() < 1e30;
        Number { value, whole: is_whole.then_some(value as i128) }
    }

    /// A text may be an integer that attributes cannot hold otherwise.
    fn text(text: &str) -> Option<Number> {
        text.trim().parse().ok().map(Number::integer)
    }

    /// That of an attribute; `None` for what is not one number.
    pub(super) fn of(value: &AttrValue) -> Option<Number> {
        match &Number::all(value)[..] {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// All of an attribute; none of what is no number.
    fn all(value: &AttrValue) -> Vec<Number> {
        match value {
            AttrValue::Int(value) => vec![Number::integer((*value).into())],
            AttrValue::Ints(values) => {
                values.iter().map(|it| Number::integer((*it).into())).collect()
            }
            AttrValue::Float(value) => vec![Number::float(*value)],
            AttrValue::Floats(values) => values.iter().copied().map(Number::float).collect(),
            AttrValue::Text(text) => Number::text(text).into_iter().collect(),
            AttrValue::Texts(texts) => texts.iter().filter_map(|it| Number::text(it)).collect(),
            AttrValue::True => Vec::new(),
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.whole {
            // What is far from one is read more easily with an exponent.
            Some(whole) if whole.unsigned_abs() < 1 << 64 => whole.fmt(f),
            _ if self.value.abs() >= 1e16 || self.value.abs() < 1e-4 => {
                write!(f, "{:e}", self.value)
            }
            _ => self.value.fmt(f),
        }
    }
}

/// The attributes that say which stored values stand for none.
const NONE: [&str; 2] = ["_FillValue", "missing_value"];

/// Which stored values stand for none.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fills(Vec<Number>);

impl Fills {
    /// What attributes say; of integers of the other sign as these.
    pub(super) fn of(attributes: &[Attribute], seen_as: Option<Primitive>) -> Fills {
        let mut all = Vec::new();
        for said in attributes.iter().filter(|it| NONE.contains(&&*it.name)) {
            for number in Number::all(&said.value) {
                let number = seen_as.map_or(number, |seen| of_sign(number, seen));
                if !all.contains(&number) && !number.value.is_nan() {
                    all.push(number);
                }
            }
        }
        Fills(all)
    }

    /// What attributes say of texts, without blanks around them.
    pub(super) fn texts(attributes: &[Attribute]) -> Vec<Vec<u8>> {
        let said = attributes.iter().filter(|it| NONE.contains(&&*it.name));
        let texts = said.flat_map(|it| match &it.value {
            AttrValue::Text(text) => vec![&**text],
            AttrValue::Texts(texts) => texts.iter().map(|text| &**text).collect(),
            _ => Vec::new(),
        });
        texts.map(|text| text.trim().as_bytes().to_vec()).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those that are integers.
    pub(super) fn whole(&self) -> impl Iterator<Item = i128> {
        self.0.iter().filter_map(|it| it.whole)
    }

    pub(super) fn floats(&self) -> impl Iterator<Item = f64> {
        self.0.iter().map(|it| it.value)
    }
}

impl std::fmt::Display for Fills {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, fill) in self.0.iter().enumerate() {
            let between = if at == 0 { "" } else { " or " };
            write!(f, "{between}{fill}")?;
        }
        Ok(())
    }
}

/// A number whose bits are looked at as an integer of the other sign.
fn of_sign(number: Number, seen: Primitive) -> Number {
    let Some(whole) = number.whole else { return number };
    let all = 1_i128 << (8 * seen.size());
    Number::integer(match seen.kind() {
        Kind::Unsigned if whole < 0 => whole + all,
        Kind::Signed if whole >= all / 2 => whole - all,
        _ => whole,
    })
}
