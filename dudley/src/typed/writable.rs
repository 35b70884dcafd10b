//! Values for items: arrays, and other types that act like arrays.

use ndarray::{ArrayBase, ArrayView, Data, Dimension, Ix0, Ix1, aview0, aview1};

use crate::elements::value::Value;

/// Elements, records or structs of type `T` that an item with the dimensions of `D` is written from: an array of
/// `ndarray` with as many, for one dimension a `Vec`, a slice or an array, for none a record or struct.
///
/// ```
/// use dudley::ndarray::array;
/// use dudley::typed::Create;
///
/// dudley::layout!(mod run = "x = f8[3]  name = U1[8]  step {t = f8  n = i4}  last = step");
///
/// # fn main() -> dudley::Result<()> {
/// let writer = Create::new().memory::<run::Layout>(&run::Params::default())?;
/// let x = vec![1.0, 2.0, 3.0];
/// writer.x().write(&x)?;
/// writer.x().write(&x[..])?;
/// writer.x().write(&[1.0, 2.0, 3.0])?;
/// writer.x().write(&array![1.0, 2.0, 3.0])?;
/// writer.name().write("blast")?;
/// writer.last().write(&run::Step { t: 0.5, n: 7 })?;
/// # assert_eq!(run::Reader::from_source(writer.finish_bytes()?)?.last().get()?.n, 7);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "an item of `{T}` with the dimensions `{D}` cannot be written from `{Self}`",
    label = "of another type, or of other dimensions",
    note = "of one dimension, take a `Vec`, a slice or an array; of more, an array of `ndarray`, or \
            `write_slice` with all elements row-major"
)]
pub trait Writable<T, D> {
    /// As an array.
    fn as_array(&self) -> ArrayView<'_, T, D>;
}

impl<T, D: Dimension, S: Data<Elem = T>> Writable<T, D> for ArrayBase<S, D> {
    fn as_array(&self) -> ArrayView<'_, T, D> {
        self.view()
    }
}

impl<T> Writable<T, Ix1> for [T] {
    fn as_array(&self) -> ArrayView<'_, T, Ix1> {
        aview1(self)
    }
}

impl<T> Writable<T, Ix1> for Vec<T> {
    fn as_array(&self) -> ArrayView<'_, T, Ix1> {
        aview1(self)
    }
}

impl<T, const N: usize> Writable<T, Ix1> for [T; N] {
    fn as_array(&self) -> ArrayView<'_, T, Ix1> {
        aview1(self)
    }
}

/// A record or struct: a generated type, and nothing that has dimensions.
pub trait Single {}

impl<T: Single> Writable<T, Ix0> for T {
    fn as_array(&self) -> ArrayView<'_, T, Ix0> {
        aview0(self)
    }
}

/// Text that an item with the dimensions of `D` is written from, beside those of its units.
#[diagnostic::on_unimplemented(
    message = "text with the dimensions `{D}` cannot be written from `{Self}`",
    label = "no text, or of other dimensions",
    note = "one text is a `&str` or a `&String`; of one dimension, take a `Vec`, a slice or an array of \
            these; of more, an array of `ndarray`"
)]
pub trait Texts<D> {
    /// As a value.
    fn as_value(&self) -> Value;
}

impl<T: AsRef<str>, D: Dimension, S: Data<Elem = T>> Texts<D> for ArrayBase<S, D> {
    fn as_value(&self) -> Value {
        nested(self.shape(), &mut self.iter().map(AsRef::as_ref))
    }
}

impl<T: AsRef<str>> Texts<Ix1> for [T] {
    fn as_value(&self) -> Value {
        nested(&[self.len()], &mut self.iter().map(AsRef::as_ref))
    }
}

impl<T: AsRef<str>> Texts<Ix1> for Vec<T> {
    fn as_value(&self) -> Value {
        Texts::<Ix1>::as_value(self.as_slice())
    }
}

impl<T: AsRef<str>, const N: usize> Texts<Ix1> for [T; N] {
    fn as_value(&self) -> Value {
        Texts::<Ix1>::as_value(self.as_slice())
    }
}

impl Texts<Ix0> for str {
    fn as_value(&self) -> Value {
        Value::Text(self.to_owned())
    }
}

impl Texts<Ix0> for String {
    fn as_value(&self) -> Value {
        Value::Text(self.clone())
    }
}

fn nested(shape: &[usize], texts: &mut dyn Iterator<Item = &str>) -> Value {
    match shape.split_first() {
        None => Value::Text(texts.next().unwrap_or_default().to_owned()),
        Some((length, inner)) => Value::Array((0..*length).map(|_| nested(inner, texts)).collect()),
    }
}
