//! Structs whose fields must be looked for: of variable size, or of sizes that params decide.

use std::marker::PhantomData;

use half::f16;
use ndarray::{Dimension, Ix0, Ix1};
use num_complex::Complex;

use super::array::from_vec;
use super::each::Each;
use super::handle::{described, dimension, rank};
use super::mode::Reading;
use super::text::{Chars, Encoding};
use super::writable::{Texts, Writable};
use crate::create::writing::Writing;
use crate::elements::element::Element;
use crate::elements::scalar::Form;
use crate::elements::value::Value;
use crate::error::{Error, Item, Result};
use crate::read::data::Data;
use crate::read::data::decode::emit;
use crate::typed::Handle;
use dudley_parser::layout::dtype::ByteOrder;

/// An array of structs of type `S` with the dimensions of `D`, each decoded on its own.
#[derive(Clone, Debug)]
pub struct Instances<S, D, M = Reading> {
    at: Handle<M>,
    kind: PhantomData<fn() -> (S, D)>,
}

described! { S: Struct, D: Dimension; Instances rank::<D>() }

impl<S: Struct, D: Dimension> Instances<S, D, Reading> {
    /// All structs, in a new array.
    ///
    /// # Errors
    /// If it cannot be placed or read; [`Error::Const`] where a field has another value than its
    /// attribute `const` states; [`Error::WrongValue`] where a param of -1 has removed a dimension.
    pub fn read(&self) -> Result<ndarray::Array<S, D>> {
        let data = self.data()?;
        let mut structs = Vec::new();
        self.each(&data, &mut |one| {
            structs.push(one);
            Ok(())
        })?;
        from_vec(self.path(), dimension(data.shape())?, structs)
    }

    /// Passes on the structs one by one, row-major, each when it is decoded.
    ///
    /// # Errors
    /// As [`Self::read`]; if `take` fails.
    pub fn for_each(&self, mut take: impl FnMut(S) -> Result<()>) -> Result<()> {
        self.each(&self.data()?, &mut take)
    }

    fn each(&self, data: &Data, take: &mut dyn FnMut(S) -> Result<()>) -> Result<()> {
        let mut give = |value| take(S::from_value(value)?);
        let mut each = Each::new(data.shape().len(), &mut give);
        emit(data, &mut each, Form::TYPED).map_err(|error| error.of_item(self.path()))
    }
}

impl<S: Struct> Instances<S, Ix0, Reading> {
    /// The one struct.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn get(&self) -> Result<S> {
        Ok(self.read()?.into_scalar())
    }
}

impl<S: Struct, D: Dimension> Instances<S, D, Writing> {
    /// Writes all structs, or the one of an item without dimensions.
    ///
    /// # Errors
    /// [`Error::WrongValue`] for another shape, or a struct that does not fit; if it cannot be
    /// placed or written.
    pub fn write<E: Structs<S, D> + ?Sized>(&self, structs: &E) -> Result<()> {
        self.at.mode.put_value(self.at.item()?, structs.as_value())
    }
}

/// What an item of structs of variable size, or of what they stand for, is written from: as [`Writable`], and for text
/// also `&str`; for one array that array.
///
/// ```
/// use dudley::typed::Create;
///
/// dudley::layout!(mod run = "name {n : u2  \"\" = U1[n]}  title = name  labels = name[2]");
///
/// # fn main() -> dudley::Result<()> {
/// let writer = Create::new().memory::<run::Layout>(&run::Params::default())?;
/// writer.title().write("blast")?;
/// writer.labels().write(&["r", "theta"])?;
/// # let read = run::Reader::from_source(writer.finish_bytes()?)?;
/// # assert_eq!((read.title().get()?, &read.labels().read()?[1]), ("blast".to_owned(), &"theta".to_owned()));
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "an item of `{S}` with the dimensions `{D}` cannot be written from `{Self}`",
    label = "of another type, or of other dimensions",
    note = "of one dimension, take a `Vec`, a slice or an array; of more, an array of `ndarray`"
)]
pub trait Structs<S, D> {
    /// As a value.
    fn as_value(&self) -> Value;
}

impl<S: Struct, D: Dimension, W: Writable<S, D> + ?Sized> Structs<S, D> for W {
    fn as_value(&self) -> Value {
        let structs = self.as_array();
        nested(structs.shape(), &mut structs.iter().map(Struct::to_value))
    }
}

impl Structs<String, Ix0> for str {
    fn as_value(&self) -> Value {
        Texts::<Ix0>::as_value(self)
    }
}

impl Structs<String, Ix0> for String {
    fn as_value(&self) -> Value {
        Texts::<Ix0>::as_value(self)
    }
}

impl Structs<String, Ix1> for [&str] {
    fn as_value(&self) -> Value {
        Texts::<Ix1>::as_value(self)
    }
}

impl Structs<String, Ix1> for Vec<&str> {
    fn as_value(&self) -> Value {
        Texts::<Ix1>::as_value(self)
    }
}

impl<const N: usize> Structs<String, Ix1> for [&str; N] {
    fn as_value(&self) -> Value {
        Texts::<Ix1>::as_value(self)
    }
}

/// A Rust type for values of a struct type of a layout: a generated type, or a tuple of its fields.
pub trait Struct: Sized {
    /// From a value.
    ///
    /// # Errors
    /// [`Error::WrongValue`] for one of another form.
    fn from_value(value: Value) -> Result<Self>;

    /// As a value.
    fn to_value(&self) -> Value;
}

/// The fields of a struct while they are taken out.
pub struct Fields {
    fields: Vec<(String, Value)>,
}

impl Fields {
    /// The fields of a value.
    ///
    /// # Errors
    /// [`Error::WrongValue`] if it is no struct.
    pub fn of(value: Value) -> Result<Fields> {
        match value {
            Value::Struct(fields) => Ok(Fields { fields }),
            Value::Null => Ok(Fields { fields: Vec::new() }),
            other => Err(wrong("a struct", &other)),
        }
    }

    /// Takes the field of that name.
    ///
    /// # Errors
    /// [`Error::WrongValue`] if there is none, or of another form.
    pub fn take<S: Struct>(&mut self, name: &str) -> Result<S> {
        let at = self.fields.iter().position(|(field, _)| field == name);
        let Some(at) = at else {
            return Err(Error::WrongValue {
                item: Item::UNKNOWN,
                expected: format!("a struct with a field `{name}`").into(),
                found: "one without".into(),
            });
        };
        S::from_value(self.fields.swap_remove(at).1)
    }
}

/// The value of a struct with these fields.
pub fn struct_of<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Struct(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn wrong(expected: &str, found: &Value) -> Error {
    Error::WrongValue { item: Item::UNKNOWN, expected: expected.into(), found: found.kind().into() }
}

fn flatten<S: Struct>(value: Value, depth: usize, structs: &mut Vec<S>) -> Result<()> {
    match (depth, value) {
        (0, value) => structs.push(S::from_value(value)?),
        (_, Value::Array(items)) => {
            for item in items {
                flatten(item, depth - 1, structs)?;
            }
        }
        (_, other) => return Err(wrong(&format!("an array of more dimensions{FEWER}"), &other)),
    }
    Ok(())
}

/// Why there may be fewer.
const FEWER: &str =
    " (a param of -1 removes one: such structs have no typed form, only a dynamic value)";

fn nested(shape: &[usize], values: &mut dyn Iterator<Item = Value>) -> Value {
    match shape.split_first() {
        None => values.next().unwrap_or(Value::Null),
        Some((length, inner)) => {
            Value::Array((0..*length).map(|_| nested(inner, values)).collect())
        }
    }
}

/// The element whose bits a value gives, the highest byte first.
fn of_bits<T: Element>(bits: &[u8]) -> Option<T> {
    let mut bytes = T::Bytes::default();
    if bits.len() != T::SIZE {
        return None;
    }
    bytes.as_mut().copy_from_slice(bits);
    Some(T::from_bytes(bytes, ByteOrder::Big))
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Struct for $t {
            fn from_value(value: Value) -> Result<Self> {
                let found = match &value {
                    Value::Int(found) => <$t>::try_from(*found).ok(),
                    Value::Bits(bits) => of_bits(bits),
                    _ => None,
                };
                found.ok_or_else(|| wrong(concat!("a value of ", stringify!($t)), &value))
            }

            fn to_value(&self) -> Value {
                Value::Int((*self).into())
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! floats {
    ($($t:ty, $value:ident => $from:expr, $this:ident => $to:expr;)*) => {$(
        impl Struct for $t {
            fn from_value(value: Value) -> Result<Self> {
                let found = match &value {
                    Value::Float($value) => Some($from),
                    Value::Bits(bits) => of_bits(bits),
                    _ => None,
                };
                found.ok_or_else(|| wrong("a float", &value))
            }

            fn to_value(&self) -> Value {
                let $this = *self;
                match $this.is_nan() {
                    // Which NaN it is is lost in a float of another size.
                    true => Value::Bits(self.to_be_bytes().to_vec()),
                    false => Value::Float($to),
                }
            }
        }
    )*};
}

floats! {
    f16, value => f16::from_f64(*value), this => this.to_f64();
    f32, value => *value as f32, this => this.into();
    f64, value => *value, this => this;
}

macro_rules! complexes {
    ($($t:ty, $value:ident => $from:expr, $this:ident => $to:expr;)*) => {$(
        impl Struct for Complex<$t> {
            fn from_value(value: Value) -> Result<Self> {
                let part = |$value: f64| $from;
                let found = match &value {
                    Value::Complex(re, im) => Some(Complex::new(part(*re), part(*im))),
                    Value::Bits(bits) => of_complex_bits(bits),
                    _ => None,
                };
                found.ok_or_else(|| wrong("a complex number", &value))
            }

            fn to_value(&self) -> Value {
                let part = |$this: $t| $to;
                match self.re.is_nan() || self.im.is_nan() {
                    true => {
                        let (re, im) = (self.re.to_be_bytes(), self.im.to_be_bytes());
                        Value::Bits([re, im].concat())
                    }
                    false => Value::Complex(part(self.re), part(self.im)),
                }
            }
        }
    )*};
}

fn of_complex_bits<T: Element>(bits: &[u8]) -> Option<Complex<T>> {
    let (re, im) = bits.split_at_checked(T::SIZE)?;
    Some(Complex { re: of_bits(re)?, im: of_bits(im)? })
}

complexes! {
    f16, value => f16::from_f64(value), this => this.to_f64();
    f32, value => value as f32, this => f64::from(this);
    f64, value => value, this => this;
}

impl Struct for bool {
    fn from_value(value: Value) -> Result<Self> {
        match value {
            Value::Bool(found) => Ok(found),
            Value::Bits(bits) => Ok(bits.iter().any(|byte| *byte != 0)),
            other => Err(wrong("a boolean", &other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Bool(*self)
    }
}

/// Text that its string does not give back, which [`Form::TYPED`] gives as that and as its units.
fn inexact(value: &Value) -> Option<(&str, &[u8])> {
    let Value::Array(both) = value else { return None };
    match both.as_slice() {
        [Value::Text(text), Value::Bits(bits)] => Some((text, bits)),
        _ => None,
    }
}

impl Struct for String {
    fn from_value(value: Value) -> Result<Self> {
        match value {
            Value::Text(text) => Ok(text),
            other => match inexact(&other) {
                Some((text, _)) => Ok(text.to_owned()),
                None => Err(wrong("text", &other)),
            },
        }
    }

    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }
}

impl<E: Encoding, const N: usize> Struct for Chars<E, N> {
    fn from_value(value: Value) -> Result<Self> {
        match value {
            Value::Text(text) => Chars::new(&text),
            Value::Bits(bits) => Chars::of_bits(&bits),
            other => match inexact(&other) {
                Some((_, bits)) => Chars::of_bits(bits),
                None => Err(wrong("text", &other)),
            },
        }
    }

    fn to_value(&self) -> Value {
        self.bits().map_or_else(|| Value::Text(self.to_string()), Value::Bits)
    }
}

impl<S: Struct, const N: usize> Struct for [S; N] {
    fn from_value(value: Value) -> Result<Self> {
        let Value::Array(items) = value else { return Err(wrong("an array", &value)) };
        let items: Vec<S> = items.into_iter().map(S::from_value).collect::<Result<_>>()?;
        let found = items.len() as u64;
        items.try_into().map_err(|_| Error::wrong_shape("", &[N as u64], &[found]))
    }

    fn to_value(&self) -> Value {
        Value::Array(self.iter().map(Struct::to_value).collect())
    }
}

/// What a param of 0 or -1 says to be there or not (spec 7.4).
impl<S: Struct> Struct for Option<S> {
    fn from_value(value: Value) -> Result<Self> {
        if has_elements(&value) { S::from_value(value).map(Some) } else { Ok(None) }
    }

    fn to_value(&self) -> Value {
        self.as_ref().map_or_else(|| Value::Array(Vec::new()), Struct::to_value)
    }
}

fn has_elements(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_elements),
        _ => true,
    }
}

impl<S: Struct, D: Dimension> Struct for ndarray::Array<S, D> {
    fn from_value(value: Value) -> Result<Self> {
        let mut shape = Vec::new();
        let mut inner = &value;
        let depth = D::NDIM.unwrap_or_default();
        while shape.len() < depth {
            let Value::Array(items) = inner else {
                return Err(wrong(&format!("an array of {depth} dimensions{FEWER}"), &value));
            };
            shape.push(items.len() as u64);
            match items.first() {
                Some(first) => inner = first,
                None => {
                    // The dimensions behind one of 0 have no values to count.
                    shape.resize(depth, 0);
                }
            }
        }
        let mut items = Vec::new();
        flatten(value, depth, &mut items)?;
        from_vec("", dimension(&shape)?, items)
    }

    fn to_value(&self) -> Value {
        nested(self.shape(), &mut self.iter().map(Struct::to_value))
    }
}
