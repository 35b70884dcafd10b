//! Values whose type is known only when the program runs.
//!
//! Decoding drives a [`Sink`], so that a large array can be printed without being held; a [`Value`]
//! is the tree that is built where one wants to look at it.

use dudley_parser::layout::dtype::ByteOrder;

use crate::elements::number;
use crate::error::Result;

/// A value of a stream: a value of JSON, a complex number, or bits.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A struct without fields.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer or an address.
    Int(i128),
    /// A float.
    Float(f64),
    /// A complex number: real, imaginary.
    Complex(f64, f64),
    /// Text, decoded.
    Text(String),
    /// The bits of an element that no other form gives back exactly, the highest byte first; of a complex number those
    /// of its real part and then of its imaginary part, of text those of each unit.
    Bits(Vec<u8>),
    /// An array, slowest dimension first; or a list.
    Array(Vec<Value>),
    /// A struct; or a dict.
    Struct(Vec<(String, Value)>),
}

macro_rules! value_of {
    ($($from:ty => |$it:ident| $value:expr;)*) => {
        $(impl From<$from> for Value {
            fn from($it: $from) -> Value {
                $value
            }
        })*
    };
}

value_of! {
    bool => |it| Value::Bool(it);
    i64 => |it| Value::Int(it.into());
    u64 => |it| Value::Int(it.into());
    usize => |it| Value::Int(it as i128);
    &str => |it| Value::Text(it.to_owned());
    String => |it| Value::Text(it);
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, T::into)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Value {
        Value::Array(values.into_iter().map(T::into).collect())
    }
}

impl Value {
    /// The field of a struct.
    pub fn field(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Struct(fields) => {
                fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// The kind of the value, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Int(_) => "an integer",
            Value::Float(_) => "a float",
            Value::Complex(..) => "a complex number",
            Value::Text(_) => "text",
            Value::Bits(_) => "bits",
            Value::Array(_) => "an array",
            Value::Struct(_) => "a struct",
        }
    }
}

impl Value {
    /// Passes the value to a sink; floats as floats of 8 bytes.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn emit(&self, sink: &mut dyn Sink) -> Result<()> {
        self.emit_sized(sink, 8)
    }

    /// As [`Self::emit`], with floats that are stored in this many bytes.
    pub(crate) fn emit_sized(&self, sink: &mut dyn Sink, size: u64) -> Result<()> {
        match self {
            Value::Null => sink.scalar(Scalar::Null),
            Value::Bool(value) => sink.scalar(Scalar::Bool(*value)),
            Value::Int(value) => sink.scalar(Scalar::Int(*value)),
            Value::Float(value) => sink.scalar(Scalar::Float(*value, size)),
            Value::Complex(re, im) => {
                sink.scalar(Scalar::Complex(Part::Float(*re, size), Part::Float(*im, size)))
            }
            Value::Text(text) => sink.scalar(Scalar::Text(text)),
            Value::Bits(bits) => sink.scalar(Scalar::Bits(bits)),
            Value::Array(items) => {
                sink.begin_array(items.len() as u64)?;
                items.iter().try_for_each(|item| item.emit_sized(sink, size))?;
                sink.end_array()
            }
            Value::Struct(fields) => {
                sink.begin_struct()?;
                for (name, value) in fields {
                    sink.field(name)?;
                    value.emit_sized(sink, size)?;
                }
                sink.end_struct()
            }
        }
    }
}

/// A float in a message: the shortest decimal that gives it back, with an exponent where it would be long.
///
/// ```
/// use dudley::elements::shown;
///
/// assert_eq!([1e300, 2.0, -0.25, 1e-7].map(shown), ["1e300", "2", "-0.25", "1e-7"]);
/// ```
pub fn shown(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 || !value.is_finite() || (1e-5..1e16).contains(&magnitude) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// Receives values during decoding. A sink that needs only single values can ignore the starts and ends of arrays
/// and structs.
pub trait Sink {
    /// A single value: no array, no struct.
    ///
    /// # Errors
    /// If the sink fails.
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()>;

    /// Null in place of a single value that is missing, such as a time that is none: where a struct without
    /// fields is no value, this is one.
    ///
    /// # Errors
    /// If the sink fails.
    fn missing(&mut self) -> Result<()> {
        self.scalar(Scalar::Null)
    }

    /// An array of this many items begins.
    ///
    /// # Errors
    /// If the sink fails.
    fn begin_array(&mut self, _length: u64) -> Result<()> {
        Ok(())
    }

    /// The array ends.
    ///
    /// # Errors
    /// If the sink fails.
    fn end_array(&mut self) -> Result<()> {
        Ok(())
    }

    /// A struct begins.
    ///
    /// # Errors
    /// If the sink fails.
    fn begin_struct(&mut self) -> Result<()> {
        Ok(())
    }

    /// The next value is that of this field.
    ///
    /// # Errors
    /// If the sink fails.
    fn field(&mut self, _name: &str) -> Result<()> {
        Ok(())
    }

    /// The struct ends.
    ///
    /// # Errors
    /// If the sink fails.
    fn end_struct(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A single value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar<'a> {
    /// A struct without fields.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer or an address.
    Int(i128),
    /// A float, and the bytes it is stored in.
    Float(f64, u64),
    /// Real and imaginary part.
    Complex(Part<'a>, Part<'a>),
    /// Text, decoded.
    Text(&'a str),
    /// The bits of an element, the highest byte first.
    Bits(&'a [u8]),
}

/// A part of a complex number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part<'a> {
    /// As a number, and the bytes it is stored in.
    Float(f64, u64),
    /// As bits, the highest byte first.
    Bits(&'a [u8]),
}

/// A sink that builds a [`Value`].
#[derive(Debug, Default)]
pub struct Builder {
    open: Vec<Open>,
    done: Option<Value>,
}

#[derive(Debug)]
enum Open {
    Array(Vec<Value>),
    Struct(Vec<(String, Value)>, Option<String>),
}

impl Builder {
    /// The value, once all of it was decoded.
    pub fn finish(self) -> Value {
        self.done.unwrap_or(Value::Null)
    }

    fn put(&mut self, value: Value) {
        match self.open.last_mut() {
            None => self.done = Some(value),
            Some(Open::Array(items)) => items.push(value),
            Some(Open::Struct(fields, name)) => {
                fields.push((name.take().unwrap_or_default(), value));
            }
        }
    }
}

impl Sink for Builder {
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        self.put(match value {
            Scalar::Null => Value::Null,
            Scalar::Bool(value) => Value::Bool(value),
            Scalar::Int(value) => Value::Int(value),
            Scalar::Float(value, _) => Value::Float(value),
            Scalar::Complex(Part::Float(re, _), Part::Float(im, _)) => Value::Complex(re, im),
            Scalar::Complex(re, im) => Value::Bits([bits(re), bits(im)].concat()),
            Scalar::Text(text) => Value::Text(text.to_owned()),
            Scalar::Bits(bits) => Value::Bits(bits.to_vec()),
        });
        Ok(())
    }

    fn begin_array(&mut self, _: u64) -> Result<()> {
        self.open.push(Open::Array(Vec::new()));
        Ok(())
    }

    fn end_array(&mut self) -> Result<()> {
        if let Some(Open::Array(items)) = self.open.pop() {
            self.put(Value::Array(items));
        }
        Ok(())
    }

    fn begin_struct(&mut self) -> Result<()> {
        self.open.push(Open::Struct(Vec::new(), None));
        Ok(())
    }

    fn field(&mut self, name: &str) -> Result<()> {
        if let Some(Open::Struct(_, next)) = self.open.last_mut() {
            *next = Some(name.to_owned());
        }
        Ok(())
    }

    fn end_struct(&mut self) -> Result<()> {
        if let Some(Open::Struct(fields, _)) = self.open.pop() {
            self.put(Value::Struct(fields));
        }
        Ok(())
    }
}

/// The bits of a part of a complex number, the highest byte first.
fn bits(part: Part<'_>) -> Vec<u8> {
    match part {
        Part::Float(value, size) => {
            let mut bits = vec![0; size as usize];
            number::put_bits(number::float_bits(value, size), ByteOrder::Big, &mut bits);
            bits
        }
        Part::Bits(bits) => bits.to_vec(),
    }
}

/// A sink that discards all values, to test whether they can be read.
pub struct Unseen;

impl Sink for Unseen {
    fn scalar(&mut self, _: Scalar<'_>) -> Result<()> {
        Ok(())
    }
}

/// A value in a message, at most a few of its elements.
pub(crate) fn show(value: &Value) -> String {
    const SHOWN: usize = 16;
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => shown(*value),
        Value::Complex(re, im) => format!("[{}, {}]", shown(*re), shown(*im)),
        Value::Text(text) => format!("{text:?}"),
        Value::Bits(bits) => bits.iter().map(|byte| format!("{byte:02x}")).collect(),
        Value::Array(items) => {
            let more = if items.len() > SHOWN { ", …" } else { "" };
            let shown: Vec<String> = items.iter().take(SHOWN).map(show).collect();
            format!("[{}{more}]", shown.join(", "))
        }
        Value::Struct(_) => "a struct".to_owned(),
    }
}
