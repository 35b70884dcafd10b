//! Numbers of different types compared by their values.

use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};
use half::f16;
use num_complex::Complex;

use super::close::{Apart, Close, Tolerance};
use crate::elements::element::Element;
use crate::elements::value::Value;
use crate::error::Result;

/// A number of any type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Wide {
    Int(i128),
    Float(f64),
    Complex(Complex<f64>),
}

/// Whether elements of two types can be compared by their values: both are real numbers, or complex ones.
pub(super) fn are_numbers(a: Primitive, b: Primitive) -> bool {
    let class = |primitive: Primitive| match primitive.kind() {
        Kind::Signed | Kind::Unsigned | Kind::Pointer | Kind::Float => Some(false),
        Kind::Complex => Some(true),
        Kind::Bool | Kind::Text => None,
    };
    class(a).is_some() && class(a) == class(b)
}

/// The numbers of whole elements.
///
/// # Errors
/// If the bytes are none.
pub(super) fn decode(primitive: Primitive, order: ByteOrder, bytes: &[u8]) -> Result<Vec<Wide>> {
    let complex = |re: f64, im: f64| Wide::Complex(Complex { re, im });
    match primitive {
        Primitive::I1 => all::<i8>(bytes, order, |it| Wide::Int(it.into())),
        Primitive::I2 => all::<i16>(bytes, order, |it| Wide::Int(it.into())),
        Primitive::I4 => all::<i32>(bytes, order, |it| Wide::Int(it.into())),
        Primitive::I8 => all::<i64>(bytes, order, |it| Wide::Int(it.into())),
        Primitive::U2 | Primitive::Utf16 => all::<u16>(bytes, order, |it| Wide::Int(it.into())),
        Primitive::U4 | Primitive::P4 | Primitive::Utf32 => {
            all::<u32>(bytes, order, |it| Wide::Int(it.into()))
        }
        Primitive::U8 | Primitive::P8 => all::<u64>(bytes, order, |it| Wide::Int(it.into())),
        Primitive::U1 | Primitive::S1 | Primitive::Utf8 | Primitive::B1 => {
            all::<u8>(bytes, order, |it| Wide::Int(it.into()))
        }
        Primitive::F2 => all::<f16>(bytes, order, |it| Wide::Float(it.to_f64())),
        Primitive::F4 => all::<f32>(bytes, order, |it| Wide::Float(it.into())),
        Primitive::F8 => all::<f64>(bytes, order, Wide::Float),
        Primitive::C4 => {
            all::<Complex<f16>>(bytes, order, |it| complex(it.re.to_f64(), it.im.to_f64()))
        }
        Primitive::C8 => {
            all::<Complex<f32>>(bytes, order, |it| complex(it.re.into(), it.im.into()))
        }
        Primitive::C16 => all::<Complex<f64>>(bytes, order, Wide::Complex),
    }
}

fn all<T: Element>(bytes: &[u8], order: ByteOrder, wide: impl Fn(T) -> Wide) -> Result<Vec<Wide>> {
    let mut elements = vec![T::default(); bytes.len() / T::SIZE];
    T::decode_slice(bytes, order, &mut elements)?;
    Ok(elements.into_iter().map(wide).collect())
}

impl Wide {
    fn float(self) -> f64 {
        match self {
            Wide::Int(value) => value as f64,
            Wide::Float(value) => value,
            Wide::Complex(value) => value.re,
        }
    }

    fn complex(self) -> Option<Complex<f64>> {
        match self {
            Wide::Complex(value) => Some(value),
            _ => None,
        }
    }

    /// Whether two count as equal. Integers are compared with floats exactly, unless a tolerance is requested.
    pub(super) fn close(self, other: Wide, tolerance: &Tolerance) -> bool {
        match (self, other) {
            (Wide::Int(a), Wide::Int(b)) => a == b,
            (Wide::Int(whole), Wide::Float(float)) | (Wide::Float(float), Wide::Int(whole)) => {
                let Tolerance { rtol, atol, ulp, .. } = *tolerance;
                let exact = rtol == 0.0 && atol == 0.0 && ulp == 0;
                (float.fract() == 0.0 && float as i128 == whole)
                    || (!exact && self.float().close(other.float(), tolerance))
            }
            _ => match (self.complex(), other.complex()) {
                (Some(a), Some(b)) => a.close(b, tolerance),
                _ => self.float().close(other.float(), tolerance),
            },
        }
    }

    /// How bad it is that two do not.
    pub(super) fn excess(self, other: Wide, tolerance: &Tolerance) -> f64 {
        match (self, other) {
            (Wide::Complex(a), Wide::Complex(b)) => a.excess(b, tolerance),
            (Wide::Int(a), Wide::Int(b)) => a.abs_diff(b) as f64,
            _ => self.float().excess(other.float(), tolerance),
        }
    }

    /// How far two are apart; floats in ULPs of f8.
    pub(super) fn apart(self, other: Wide) -> Apart {
        let exact = |abs: u128| {
            let (abs, b) = (abs as f64, other.float().abs());
            Apart { abs: Some(abs), rel: (b != 0.0).then(|| abs / b), ulp: None }
        };
        match (self, other) {
            (Wide::Complex(a), Wide::Complex(b)) => a.apart(b),
            (Wide::Int(a), Wide::Int(b)) => exact(a.abs_diff(b)),
            // As a float, an integer may be another number.
            (Wide::Int(whole), Wide::Float(float)) | (Wide::Float(float), Wide::Int(whole))
                if float.fract() == 0.0 =>
            {
                exact(whole.abs_diff(float as i128))
            }
            _ => self.float().apart(other.float()),
        }
    }

    /// As a value.
    pub(super) fn value(self) -> Value {
        match self {
            Wide::Int(value) => Value::Int(value),
            Wide::Float(value) => Value::Float(value),
            Wide::Complex(value) => Value::Complex(value.re, value.im),
        }
    }
}
