//! Which elements an attribute `const` states of an array (spec 7.3): whether they are those, and as bytes. The one
//! rule for readers and writers.

use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};
use dudley_parser::layout::{Array, Layout, ParamId};

use super::differs;
use crate::elements::buffer::zeros;
use crate::elements::scalar::{elements_in, put_cell};
use crate::elements::value::{Value, show};
use crate::error::{Error, Item, Result};
use crate::read::dtype::{Dtype, Field, shown_as};

/// The only legal elements of an array, as its type has them.
#[derive(Clone, Debug)]
pub(crate) struct Stated {
    /// As they are written.
    shown: Value,
    /// One after the other; of complex numbers both parts.
    values: Vec<Value>,
    /// Each element is `values`; else all are.
    is_one: bool,
    /// This many dimensions stand in front of those that the list is of.
    outer: usize,
    /// The type of the elements.
    primitive: Option<Primitive>,
}

impl Stated {
    /// What is declared of elements of a type, with this many dimensions in front.
    pub(crate) fn new(
        layout: &Layout,
        (attribute, outer): (&Attribute, usize),
        dtype: &Dtype,
    ) -> Stated {
        let primitive = match dtype {
            Dtype::Primitive(primitive, _) => Some(*primitive),
            Dtype::Variable(id) => {
                let shown = shown_as(layout, *id, ByteOrder::Little);
                shown.and_then(|dtype| dtype.primitive()).map(|(primitive, _)| primitive)
            }
            Dtype::Record(_) => None,
        };
        let shown = wanted(attribute);
        let (values, is_list) = match &shown {
            Value::Array(values) => (values.clone(), true),
            value => (vec![value.clone()], false),
        };
        let values: Vec<_> = values.iter().map(|value| held(value, primitive)).collect();
        // One complex number is two numbers.
        let is_one = !is_list || values.len() == parts(primitive) && parts(primitive) > 1;
        Stated { shown, values, is_one, outer, primitive }
    }

    /// What a layout states of a param, if it does.
    pub(crate) fn of_param(layout: &Layout, id: ParamId) -> Option<Stated> {
        let attribute = layout.stated_param(&layout[id])?;
        let dtype = Dtype::Primitive(Primitive::I8, ByteOrder::Little);
        Some(Stated::new(layout, (attribute, 0), &dtype))
    }

    /// What a layout states of an array, if it does.
    pub(crate) fn of_array(layout: &Layout, array: &Array, dtype: &Dtype) -> Option<Stated> {
        Some(Stated::new(layout, layout.stated(array)?, dtype))
    }

    /// The same of a field, with this many dimensions of structs in front.
    pub(crate) fn of_field(layout: &Layout, field: &Field, structs: usize) -> Option<Stated> {
        let (attribute, outer) = field.constant(layout)?;
        Some(Stated::new(layout, (attribute, structs + outer), &field.dtype))
    }

    /// Whether the list is of an array without its first dimension; that of each index is declared then.
    pub(crate) fn below(mut self) -> Option<Stated> {
        if self.is_one || self.outer > 0 {
            self.outer = self.outer.saturating_sub(1);
            Some(self)
        } else {
            None
        }
    }

    /// Checks that a value is what is declared.
    ///
    /// # Errors
    /// [`Error::WrongValue`].
    pub(crate) fn check(&self, found: &Value) -> Result<()> {
        if self.is(found) { Ok(()) } else { Err(differs(&self.shown, show(found))) }
    }

    /// Checks that the bytes of an array of a shape are what is declared; other bytes may mean the same.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub(crate) fn check_bytes(&self, bytes: &[u8], dtype: &Dtype, shape: &[u64]) -> Result<()> {
        let Dtype::Primitive(primitive, order) = *dtype else {
            return Err(differs(&self.shown, "structs".to_owned()));
        };
        if self.bytes(dtype, shape)? == bytes {
            return Ok(());
        }
        let (dims, units) = dims(primitive, shape);
        self.check(&nested(elements_in(primitive, order, units, bytes)?, dims))
    }

    /// Whether a value is what is declared.
    pub(crate) fn is(&self, found: &Value) -> bool {
        self.is_below(found, self.outer)
    }

    fn is_below(&self, found: &Value, outer: usize) -> bool {
        match found {
            Value::Array(items) if outer > 0 => {
                items.iter().all(|item| self.is_below(item, outer - 1))
            }
            found => self.is_each(found),
        }
    }

    fn is_each(&self, found: &Value) -> bool {
        let mut flat = Vec::new();
        flatten(found, &mut flat);
        let length = self.values.len();
        let fits = if self.is_one { flat.len() % length == 0 } else { flat.len() == length };
        let pairs = || flat.iter().zip(self.values.iter().cycle());
        fits && pairs().all(|(found, stated)| held(found, self.primitive) == *stated)
    }

    /// What is declared of each index of the outer dimensions.
    pub(crate) fn each(mut self) -> Stated {
        self.outer = 0;
        self
    }

    /// That something else stands at an address.
    pub(crate) fn wrong(&self, address: u64, found: &Value) -> Error {
        let (expected, found) = (show(&self.shown).into(), show(found).into());
        Error::Const { item: Item::UNKNOWN, address, expected, found }
    }

    /// The one number.
    ///
    /// # Errors
    /// [`Error::WrongValue`] if it is none.
    pub(crate) fn number(&self) -> Result<i128> {
        match &self.values[..] {
            [Value::Int(stated)] if self.is_one => Ok(*stated),
            _ => Err(differs(&self.shown, "a param, which is one number".to_owned())),
        }
    }

    /// The bytes of an array of a shape.
    ///
    /// # Errors
    /// [`Error::WrongValue`], [`Error::Text`] for what the type or the shape cannot hold; [`Error::TooLarge`].
    pub(crate) fn bytes(&self, dtype: &Dtype, shape: &[u64]) -> Result<Vec<u8>> {
        let Dtype::Primitive(primitive, order) = *dtype else {
            return Err(differs(&self.shown, "structs".to_owned()));
        };
        let (dims, units) = dims(primitive, shape);
        let size = units.unwrap_or(1).checked_mul(primitive.size());
        let large = || Error::too_large(u64::MAX);
        let mut room =
            zeros(size.and_then(|size| size.checked_mul(count(dims))).ok_or_else(large)?)?;
        if room.is_empty() {
            return Ok(room);
        }
        let values = self.cell(count(dims.get(self.outer..).unwrap_or_default()))?;
        let size = size.unwrap_or(1);
        let mut cell = zeros(size.checked_mul(values.len() as u64).ok_or_else(large)?)?;
        let size = crate::error::to_usize(size)?;
        for (value, cell) in values.iter().zip(cell.chunks_exact_mut(size)) {
            put_cell(primitive, order, value, units, cell)?;
        }
        room.chunks_exact_mut(cell.len()).for_each(|room| room.copy_from_slice(&cell));
        Ok(room)
    }

    /// The values that are repeated in an array of this many elements in each of the outer dimensions.
    ///
    /// # Errors
    /// [`Error::WrongValue`] if a list has more of them or less.
    fn cell(&self, elements: u64) -> Result<Vec<Value>> {
        let parts = parts(self.primitive);
        let wanted = elements.saturating_mul(parts as u64);
        if !self.is_one && self.values.len() as u64 != wanted {
            return Err(Error::WrongValue {
                item: Item::UNKNOWN,
                expected: format!("a constant of {wanted} values, as the array has").into(),
                found: format!("{}, of {}", show(&self.shown), self.values.len()).into(),
            });
        }
        Ok(match parts {
            1 => self.values.clone(),
            _ => self.values.chunks(parts).map(|pair| Value::Array(pair.to_vec())).collect(),
        })
    }

    /// The values of this many structs that each stand for a member: as many, or one for all.
    ///
    /// # Errors
    /// As [`Self::cell`].
    pub(crate) fn instances(&self, count: u64) -> Result<Vec<Value>> {
        if self.is_one || count != 1 { self.cell(count) } else { Ok(vec![self.shown.clone()]) }
    }

    /// As messages show it.
    pub(crate) fn shown(&self) -> String {
        show(&self.shown)
    }

    /// Whether it is one value, which each element has.
    pub(crate) fn is_one(&self) -> bool {
        self.is_one
    }

    /// This many dimensions stand in front of those that are declared.
    pub(crate) fn outer(&self) -> usize {
        self.outer
    }
}

/// The value that an attribute states.
fn wanted(attribute: &Attribute) -> Value {
    let array = |values: &mut dyn Iterator<Item = Value>| Value::Array(values.collect());
    match &attribute.value {
        AttrValue::Int(value) => Value::Int((*value).into()),
        AttrValue::Float(value) => Value::Float(*value),
        AttrValue::Text(text) => Value::Text(text.clone()),
        AttrValue::True => Value::Bool(true),
        AttrValue::Ints(values) => array(&mut values.iter().map(|it| Value::Int((*it).into()))),
        AttrValue::Floats(values) => array(&mut values.iter().map(|it| Value::Float(*it))),
        AttrValue::Texts(texts) => array(&mut texts.iter().map(|it| Value::Text(it.clone()))),
    }
}

/// How many values an element has.
fn parts(primitive: Option<Primitive>) -> usize {
    match primitive.map(Primitive::kind) {
        Some(Kind::Complex) => 2,
        _ => 1,
    }
}

/// A value as an element of a type has it, if it can: a float as the nearest one, a whole number as an integer.
fn held(value: &Value, primitive: Option<Primitive>) -> Value {
    let (Some(primitive), Value::Int(_) | Value::Float(_)) = (primitive, value) else {
        return value.clone();
    };
    let float = match value {
        Value::Int(value) => *value as f64,
        Value::Float(value) => *value,
        other => return other.clone(),
    };
    let nearest = match (primitive.kind(), primitive.swap_unit()) {
        (Kind::Float | Kind::Complex, 2) => half::f16::from_f64(float).to_f64(),
        (Kind::Float | Kind::Complex, 4) => f64::from(float as f32),
        (Kind::Float | Kind::Complex, _) => float,
        _ if float.fract() != 0.0 => return value.clone(),
        (kind, _) => {
            let whole = if let Value::Int(value) = value { *value } else { float as i128 };
            return match (kind, whole) {
                (Kind::Bool, 0 | 1) => Value::Bool(whole == 1),
                _ => Value::Int(whole),
            };
        }
    };
    // What is too great for the type is none of its numbers.
    Value::Float(if nearest.is_infinite() { float } else { nearest })
}

/// The single values, of complex numbers both parts.
fn flatten(value: &Value, flat: &mut Vec<Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| flatten(item, flat)),
        Value::Complex(re, im) => flat.extend([*re, *im].map(Value::Float)),
        value => flat.push(value.clone()),
    }
}

/// The dimensions of elements, and the units of each that is a text.
fn dims(primitive: Primitive, shape: &[u64]) -> (&[u64], Option<u64>) {
    match shape.split_last() {
        _ if !primitive.is_text() => (shape, None),
        Some((units, dims)) => (dims, Some(*units)),
        None => (shape, Some(1)),
    }
}

/// Elements as a value of this many dimensions.
fn nested(mut elements: Vec<Value>, dims: &[u64]) -> Value {
    for dim in dims.iter().skip(1).rev() {
        let dim = usize::try_from(*dim).unwrap_or(usize::MAX).max(1);
        elements = elements.chunks(dim).map(|items| Value::Array(items.to_vec())).collect();
    }
    match dims {
        [] => elements.pop().unwrap_or(Value::Null),
        _ => Value::Array(elements),
    }
}

fn count(dims: &[u64]) -> u64 {
    if dims.contains(&0) { 0 } else { dims.iter().fold(1, |count, dim| count.saturating_mul(*dim)) }
}
