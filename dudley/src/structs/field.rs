//! Which Rust types can be fields of a struct with a layout, and how they are given and taken.

use ndarray::{Array, ArrayD, Dimension, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6};

use super::cell::{Cell, give_view, take_array};
use super::child;
use super::form::{Dims, Element, Form};
use super::give::Giver;
use super::shape::{chunks, lengths, wrong_rank, wrong_value};
use crate::elements::value::{Builder, Value};
use crate::error::{Error, Result, to_usize};
use crate::read::item::{Item, ItemKind};

/// What can be a field of a struct with `#[derive(Dudley)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a struct with `#[derive(Dudley)]`",
    label = "has no layout",
    note = "fields are integers of 8 to 64 bits, `usize`, `f16`, `f32`, `f64`, `Complex`, `bool`, \
            `String`, structs and C-like enums with `#[derive(Dudley)]`, `[T; N]` and `Vec<T>` of \
            these, `ndarray::Array` of numbers, and `Option` of any of these",
    note = "`#[dudley(skip)]` leaves a field out"
)]
pub trait FieldType: Sized {
    /// How it is declared.
    const FORM: Form;

    /// What a partial read of it gives: itself, or for structs their parts.
    type Part;

    /// Gives the value to a writer.
    ///
    /// # Errors
    /// What cannot be written.
    fn give<'a>(&'a self, to: &mut Giver<'a>, name: &'static str) -> Result<()>;

    /// Reads it.
    ///
    /// # Errors
    /// What reading says.
    fn take(item: &Item) -> Result<Self>;

    /// Reads as much of it as [`Self::Part`] needs.
    ///
    /// # Errors
    /// What reading says.
    fn part(item: &Item) -> Result<Self::Part>;

    // What the macro calls is here and not in functions with a bound, so that a type without a layout
    // is one error and not one for each of them.

    /// Reads the item of a dict that has this name.
    ///
    /// # Errors
    /// [`Error::NoSuchItem`]; as [`Self::take`].
    #[doc(hidden)]
    fn take_from(dict: &Item, name: &str) -> Result<Self> {
        let item = child(dict, name)?;
        Self::take(&item).map_err(|error| error.of_item(item.path()))
    }

    /// As [`Self::take_from`]; the default if there is no such item.
    ///
    /// # Errors
    /// As [`Self::take`].
    #[doc(hidden)]
    fn take_or_default(dict: &Item, name: &str) -> Result<Self>
    where
        Self: Default,
    {
        match child(dict, name) {
            Ok(item) => Self::take(&item).map_err(|error| error.of_item(item.path())),
            Err(_) => Ok(Self::default()),
        }
    }

    /// Reads part of the item of a dict that has this name.
    ///
    /// # Errors
    /// [`Error::NoSuchItem`]; as [`Self::part`].
    #[doc(hidden)]
    fn part_from(dict: &Item, name: &str) -> Result<Self::Part> {
        let item = child(dict, name).map_err(|error| dict.stream().of_file(error))?;
        let part = Self::part(&item).map_err(|error| error.of_item(item.path()));
        part.map_err(|error| dict.stream().of_file(error))
    }
}

/// What can stand in a `Vec` or an array of fixed length.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of a `Vec` or array in a layout",
    label = "has no layout of its own in an array",
    note = "elements are numbers, `bool`, `String`, structs and C-like enums with \
            `#[derive(Dudley)]`, and arrays `[T; N]` of these; of more free dimensions than one, take \
            `ndarray::Array`"
)]
pub trait Member: Sized {
    /// How one is declared.
    const ELEMENT: Element;
    /// Its own dimensions.
    const INNER: Dims;

    /// What a partial read of a `Vec` or array of them, which is `C`, gives.
    type Part<C: FieldType>;

    /// Gives them all, side by side, as an array of a shape.
    ///
    /// # Errors
    /// What cannot be written.
    fn give_all<'a>(
        flat: &'a [Self],
        shape: Vec<usize>,
        to: &mut Giver<'a>,
        name: &'static str,
    ) -> Result<()>;

    /// Takes all of an item, and its shape.
    ///
    /// # Errors
    /// What reading says.
    fn take_all(item: &Item) -> Result<(Vec<Self>, Vec<usize>)>;

    /// Arrays of so many, side by side; what is left over is dropped.
    fn chunks<const N: usize>(flat: Vec<Self>) -> Vec<[Self; N]> {
        chunks(flat)
    }

    /// A partial read of a `Vec` or array of them.
    ///
    /// # Errors
    /// What reading says.
    fn part<C: FieldType>(item: &Item) -> Result<Self::Part<C>>;
}

/// What can be a param: an integer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a param",
    label = "no integer of 8 to 64 bits",
    note = "a field whose name stands in a `shape`, or which has `#[dudley(param)]`, is a param"
)]
pub trait ParamType: FieldType {}

macro_rules! params {
    ($($type:ty)*) => { $(impl ParamType for $type {})* };
}

params! { i8 i16 i32 i64 u8 u16 u32 u64 usize isize }

impl FieldType for String {
    const FORM: Form = Form::scalar(Element::Text);
    type Part = Self;

    fn give<'a>(&'a self, to: &mut Giver<'a>, name: &'static str) -> Result<()> {
        to.text(name, std::slice::from_ref(self), &[])
    }

    fn take(item: &Item) -> Result<Self> {
        match text_of(item)? {
            Value::Text(text) => Ok(text),
            _ => Err(wrong_value("one string", "an array of them").of_item(item.path())),
        }
    }

    fn part(item: &Item) -> Result<Self> {
        Self::take(item)
    }
}

impl Member for String {
    const ELEMENT: Element = Element::Text;
    const INNER: Dims = Dims::None;
    type Part<C: FieldType> = C;

    fn give_all<'a>(
        flat: &'a [Self],
        shape: Vec<usize>,
        to: &mut Giver<'a>,
        name: &'static str,
    ) -> Result<()> {
        to.text(name, flat, &shape)
    }

    fn take_all(item: &Item) -> Result<(Vec<Self>, Vec<usize>)> {
        let mut shape: Vec<usize> =
            item.shape()?.iter().map(|dim| to_usize(*dim)).collect::<Result<_>>()?;
        let mut texts = Vec::new();
        if flatten(text_of(item)?, &mut texts).is_none() {
            return Err(wrong_value("strings", "something else").of_item(item.path()));
        }
        if item.data()?.dtype().primitive().is_some() {
            shape.pop();
        }
        Ok((texts, shape))
    }

    fn part<C: FieldType>(item: &Item) -> Result<C> {
        C::take(item)
    }
}

/// The text of an item, or the texts.
fn text_of(item: &Item) -> Result<Value> {
    let data = item.data()?;
    if data.dtype().primitive().is_some_and(|(primitive, _)| !primitive.is_text()) {
        return Err(Error::NotText { path: item.path().into() });
    }
    let mut builder = Builder::default();
    data.emit(&mut builder, false)?;
    Ok(builder.finish())
}

fn flatten(value: Value, texts: &mut Vec<String>) -> Option<()> {
    match value {
        Value::Text(text) => texts.push(text),
        Value::Array(items) => {
            for item in items {
                flatten(item, texts)?;
            }
        }
        _ => return None,
    }
    Some(())
}

impl<T: Member> FieldType for Vec<T> {
    const FORM: Form = Form::array(T::ELEMENT, Dims::Free(&T::INNER));
    type Part = T::Part<Self>;

    fn give<'a>(&'a self, to: &mut Giver<'a>, name: &'static str) -> Result<()> {
        T::give_all(self, vec![self.len()], to, name)
    }

    fn take(item: &Item) -> Result<Self> {
        let (all, shape) = T::take_all(item)?;
        match shape.as_slice() {
            // Without elements there is nothing to be counted by.
            [length] if *length == all.len() => Ok(all),
            _ => Err(wrong_rank(item.path(), 1 + T::INNER.rank(), &lengths(&shape))),
        }
    }

    fn part(item: &Item) -> Result<Self::Part> {
        T::part(item)
    }
}

impl<T: Member, const N: usize> FieldType for [T; N] {
    const FORM: Form = Form::array(T::ELEMENT, Dims::Fixed(N, &T::INNER));
    type Part = T::Part<Self>;

    fn give<'a>(&'a self, to: &mut Giver<'a>, name: &'static str) -> Result<()> {
        T::give_all(self, vec![N], to, name)
    }

    fn take(item: &Item) -> Result<Self> {
        let (all, shape) = T::take_all(item)?;
        let wrong = |found: &[usize]| wrong_length(item, N, found);
        if shape.len() != 1 {
            return Err(wrong_rank(item.path(), 1 + T::INNER.rank(), &lengths(&shape)));
        }
        all.try_into().map_err(|_| wrong(&shape))
    }

    fn part(item: &Item) -> Result<Self::Part> {
        T::part(item)
    }
}

fn wrong_length(item: &Item, expected: usize, found: &[usize]) -> Error {
    wrong_value(&format!("{expected} elements"), &format!("an array of shape {found:?}"))
        .of_item(item.path())
}

impl<T: Member, const N: usize> Member for [T; N] {
    const ELEMENT: Element = T::ELEMENT;
    const INNER: Dims = Dims::Fixed(N, &T::INNER);
    type Part<C: FieldType> = T::Part<C>;

    fn give_all<'a>(
        flat: &'a [Self],
        mut shape: Vec<usize>,
        to: &mut Giver<'a>,
        name: &'static str,
    ) -> Result<()> {
        shape.push(N);
        T::give_all(flat.as_flattened(), shape, to, name)
    }

    fn take_all(item: &Item) -> Result<(Vec<Self>, Vec<usize>)> {
        let (flat, mut shape) = T::take_all(item)?;
        match shape.pop() {
            Some(length) if length == N => Ok((T::chunks(flat), shape)),
            // A list without lists in it does not say how long they are.
            Some(0) if flat.is_empty() && shape.is_empty() => Ok((Vec::new(), vec![0])),
            Some(length) => {
                shape.push(length);
                Err(wrong_length(item, N, &shape))
            }
            None => Err(wrong_length(item, N, &shape)),
        }
    }

    fn part<C: FieldType>(item: &Item) -> Result<Self::Part<C>> {
        T::part(item)
    }
}

macro_rules! arrays {
    ($($rank:ident $dims:expr;)*) => {$(
        impl<T: Cell> FieldType for Array<T, $rank> {
            const FORM: Form = Form::array(T::MADE, $dims);
            type Part = Self;

            fn give<'a>(&'a self, to: &mut Giver<'a>, name: &'static str) -> Result<()> {
                give_view(self.view().into_dyn(), to, name)
            }

            fn take(item: &Item) -> Result<Self> {
                ranked(item, take_array(item)?)
            }

            fn part(item: &Item) -> Result<Self> {
                Self::take(item)
            }
        }
    )*};
}

const D1: Dims = Dims::Free(&Dims::None);
const D2: Dims = Dims::Free(&D1);
const D3: Dims = Dims::Free(&D2);
const D4: Dims = Dims::Free(&D3);
const D5: Dims = Dims::Free(&D4);

arrays! {
    Ix1 D1;
    Ix2 D2;
    Ix3 D3;
    Ix4 D4;
    Ix5 D5;
    Ix6 Dims::Free(&D5);
}

/// An array of the rank that a field has.
fn ranked<T, D: Dimension>(item: &Item, array: ArrayD<T>) -> Result<Array<T, D>> {
    let shape = lengths(array.shape());
    let wrong = |_| wrong_rank(item.path(), D::NDIM.unwrap_or_default(), &shape);
    array.into_dimensionality().map_err(wrong)
}

impl<T: FieldType> FieldType for Option<T> {
    const FORM: Form = T::FORM.optional();
    type Part = Option<T::Part>;

    fn give<'a>(&'a self, to: &mut Giver<'a>, name: &'static str) -> Result<()> {
        match self {
            None => {
                to.absent(name);
                Ok(())
            }
            Some(value) if matches!(T::FORM.element, Element::Dict(_)) => {
                to.list(name, std::slice::from_ref(value), &[1], |value, to| value.give(to, ""))
            }
            Some(value) => value.give(to, name),
        }
    }

    fn take(item: &Item) -> Result<Self> {
        present::<T>(item)?.map(|item| T::take(&item)).transpose()
    }

    fn part(item: &Item) -> Result<Self::Part> {
        present::<T>(item)?.map(|item| T::part(&item)).transpose()
    }
}

/// The item of what may be absent: of data it has no elements and the dimension of its presence, of
/// a struct the list is empty.
fn present<T: FieldType>(item: &Item) -> Result<Option<Item>> {
    match item.kind() {
        ItemKind::List => match item.len()? {
            0 => Ok(None),
            1 => item.element(0).map(Some),
            more => Err(wrong_value("0 or 1 of it", &more.to_string()).of_item(item.path())),
        },
        ItemKind::Data => {
            let data = item.data()?;
            let absent = data.shape().len() == T::FORM.rank() + 1 && data.shape().contains(&0);
            Ok(if absent { None } else { Some(item.clone()) })
        }
        _ => Ok(Some(item.clone())),
    }
}
