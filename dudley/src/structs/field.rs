//! Which Rust types can be fields of a struct with a layout, and how they are given and taken.

use std::rc::Rc;
use std::sync::Arc;

use ndarray::{ArcArray, Array, ArrayD, Dimension, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn};

use super::cell::{Cell, give_view, take_array};
use super::form::{Dims, Element, Form};
use super::give::Giver;
use super::shape::{chunks, lengths, wrong_rank, wrong_value};
use super::wanted::Wanted;
use crate::elements::value::{Builder, Value};
use crate::error::{Error, Result, to_usize};
use crate::read::item::{Item, ItemKind};
use crate::read::path::{Part, parse, spell};

/// What can be a field of a struct with `#[derive(Dudley)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a struct with `#[derive(Dudley)]`",
    label = "has no layout",
    note = "fields are integers of 8 to 64 bits, `usize`, `f16`, `f32`, `f64`, `Complex`, `bool`, \
            `String`, structs and C-like enums with `#[derive(Dudley)]`, tuples of what has a fixed \
            size, `[T; N]` and `Vec<T>` of these, `ndarray::Array` of numbers, and `Option`, `Box` and \
            `Arc` of any of these",
    note = "of a map, store two `Vec`s, or a `Vec` of structs with a key and a value; of 128 bits, \
            `[u64; 2]`; of a `char`, a `u32`; of a `Duration`, a number of seconds; of a path, or \
            `str` in a `Box`, a `String`; of a set or a deque, a `Vec`; of an enum with data, a C-like enum \
            beside an `Option` for each kind",
    note = "`#[dudley(skip)]` leaves a field out"
)]
pub trait FieldType: Sized {
    /// How it is declared.
    const FORM: Form;

    /// The result of a partial read: the value itself, or the parts of a struct.
    type Part;

    /// Gives the value to a writer.
    ///
    /// # Errors
    /// If something cannot be written.
    fn give<'a>(&'a self, to: &mut Giver<'a>, name: &'static str) -> Result<()>;

    /// Reads it; with `widen` also from numbers of types whose values all fit.
    ///
    /// # Errors
    /// If reading fails.
    fn take(item: &Item, widen: bool) -> Result<Self>;

    /// Reads as much of it as [`Self::Part`] needs.
    ///
    /// # Errors
    /// If reading fails.
    fn part(item: &Item, widen: bool) -> Result<Self::Part>;

    /// The value if the stream has no such item, if the field is optional.
    fn absent() -> Option<Self> {
        None
    }

    /// As [`Self::absent`], of [`Self::part`].
    fn absent_part() -> Option<Self::Part> {
        None
    }

    // What the macro calls is here and not in functions with a bound, so that a type without a layout
    // is one error and not one for each of them.

    /// Reads the item of a dict that a field wants.
    ///
    /// # Errors
    /// [`Error::NoSuchItem`]; as [`Self::take`].
    #[doc(hidden)]
    fn take_from(dict: &Item, wanted: &Wanted) -> Result<Self> {
        match wanted.find(dict)? {
            Some(item) => {
                Self::take(&item, wanted.widen).map_err(|error| error.of_item(item.path()))
            }
            None => Self::absent().ok_or_else(|| wanted.missing(dict)),
        }
    }

    /// As [`Self::take_from`]; the default if there is no such item.
    ///
    /// # Errors
    /// As [`Self::take`].
    #[doc(hidden)]
    fn take_or(dict: &Item, wanted: &Wanted, default: impl FnOnce() -> Self) -> Result<Self> {
        match wanted.find(dict)? {
            Some(_) => Self::take_from(dict, wanted),
            None => Ok(default()),
        }
    }

    /// Reads part of the item of a dict that a field wants.
    ///
    /// # Errors
    /// [`Error::NoSuchItem`]; as [`Self::part`].
    #[doc(hidden)]
    fn part_from(dict: &Item, wanted: &Wanted) -> Result<Self::Part> {
        let part = wanted.find(dict).and_then(|item| match item {
            Some(item) => {
                Self::part(&item, wanted.widen).map_err(|error| error.of_item(item.path()))
            }
            None => Self::absent_part().ok_or_else(|| wanted.missing(dict)),
        });
        part.map_err(|error| dict.stream().of_file(error))
    }
}

/// What can stand in a `Vec` or an array of fixed length.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of a `Vec` or array in a layout",
    label = "has no layout of its own in an array",
    note = "elements are numbers, `bool`, `String`, structs and C-like enums with \
            `#[derive(Dudley)]`, tuples and `Option` of what has a fixed size, and arrays `[T; N]` of \
            these",
    note = "of more free dimensions than one, take `ndarray::Array`; where each `Vec` has a length of \
            its own, a `Vec` of structs that have one"
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
    /// If something cannot be written.
    fn give_all<'a>(
        flat: &'a [Self],
        shape: Vec<usize>,
        to: &mut Giver<'a>,
        name: &'static str,
    ) -> Result<()>;

    /// Takes all of an item, and its shape.
    ///
    /// # Errors
    /// If reading fails.
    fn take_all(item: &Item, widen: bool) -> Result<(Vec<Self>, Vec<usize>)>;

    /// Arrays of this many, side by side; what is left over is dropped.
    fn chunks<const N: usize>(flat: Vec<Self>) -> Vec<[Self; N]> {
        chunks(flat)
    }

    /// A partial read of a `Vec` or array of them.
    ///
    /// # Errors
    /// If reading fails.
    fn part<C: FieldType>(item: &Item, widen: bool) -> Result<Self::Part<C>>;
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

    fn take(item: &Item, _: bool) -> Result<Self> {
        match text_of(item)? {
            Value::Text(text) => Ok(text),
            _ => Err(wrong_value("one string", "an array of them").of_item(item.path())),
        }
    }

    fn part(item: &Item, widen: bool) -> Result<Self> {
        Self::take(item, widen)
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

    fn take_all(item: &Item, _: bool) -> Result<(Vec<Self>, Vec<usize>)> {
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

    fn part<C: FieldType>(item: &Item, widen: bool) -> Result<C> {
        C::take(item, widen)
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

    fn take(item: &Item, widen: bool) -> Result<Self> {
        let (all, shape) = T::take_all(item, widen)?;
        match shape.as_slice() {
            // Without elements there is nothing to be counted by.
            [length] if *length == all.len() => Ok(all),
            _ => Err(wrong_rank(item.path(), 1 + T::INNER.rank(), &lengths(&shape))),
        }
    }

    fn part(item: &Item, widen: bool) -> Result<Self::Part> {
        T::part(item, widen)
    }
}

impl<T: Member, const N: usize> FieldType for [T; N] {
    const FORM: Form = Form::array(T::ELEMENT, Dims::Fixed(N, &T::INNER));
    type Part = T::Part<Self>;

    fn give<'a>(&'a self, to: &mut Giver<'a>, name: &'static str) -> Result<()> {
        T::give_all(self, vec![N], to, name)
    }

    fn take(item: &Item, widen: bool) -> Result<Self> {
        let (all, shape) = T::take_all(item, widen)?;
        let wrong = |found: &[usize]| wrong_length(item, N, found);
        if shape.len() != 1 {
            return Err(wrong_rank(item.path(), 1 + T::INNER.rank(), &lengths(&shape)));
        }
        all.try_into().map_err(|_| wrong(&shape))
    }

    fn part(item: &Item, widen: bool) -> Result<Self::Part> {
        T::part(item, widen)
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

    fn take_all(item: &Item, widen: bool) -> Result<(Vec<Self>, Vec<usize>)> {
        let (flat, mut shape) = T::take_all(item, widen)?;
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

    fn part<C: FieldType>(item: &Item, widen: bool) -> Result<Self::Part<C>> {
        T::part(item, widen)
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

            fn take(item: &Item, widen: bool) -> Result<Self> {
                ranked(item, take_array(item, widen)?)
            }

            fn part(item: &Item, widen: bool) -> Result<Self> {
                Self::take(item, widen)
            }
        }

        impl<T: Cell> FieldType for ArcArray<T, $rank> {
            const FORM: Form = Array::<T, $rank>::FORM;
            type Part = Self;

            fn give<'a>(&'a self, to: &mut Giver<'a>, name: &'static str) -> Result<()> {
                give_view(self.view().into_dyn(), to, name)
            }

            fn take(item: &Item, widen: bool) -> Result<Self> {
                Array::take(item, widen).map(Self::from)
            }

            fn part(item: &Item, widen: bool) -> Result<Self> {
                Self::take(item, widen)
            }
        }
    )*};
}

macro_rules! pointers {
    ($($pointer:ident)*) => {$(
        impl<T: FieldType> FieldType for $pointer<T> {
            const FORM: Form = T::FORM;
            type Part = T::Part;

            fn give<'a>(&'a self, to: &mut Giver<'a>, name: &'static str) -> Result<()> {
                T::give(self, to, name)
            }

            fn take(item: &Item, widen: bool) -> Result<Self> {
                T::take(item, widen).map($pointer::new)
            }

            fn part(item: &Item, widen: bool) -> Result<Self::Part> {
                T::part(item, widen)
            }

            fn absent() -> Option<Self> {
                T::absent().map($pointer::new)
            }

            fn absent_part() -> Option<Self::Part> {
                T::absent_part()
            }
        }

        impl<T: Member> FieldType for $pointer<[T]> {
            const FORM: Form = Vec::<T>::FORM;
            type Part = T::Part<Self>;

            fn give<'a>(&'a self, to: &mut Giver<'a>, name: &'static str) -> Result<()> {
                T::give_all(self, vec![self.len()], to, name)
            }

            fn take(item: &Item, widen: bool) -> Result<Self> {
                Vec::take(item, widen).map(Self::from)
            }

            fn part(item: &Item, widen: bool) -> Result<Self::Part> {
                T::part(item, widen)
            }
        }
    )*};
}

pointers! { Box Rc Arc }

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
    IxDyn Dims::Any;
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
                if is_list::<T>() {
                    to.presence(name, false)?;
                }
                to.absent(name);
                Ok(())
            }
            Some(value) if T::FORM.is_dict() => {
                to.list(name, std::slice::from_ref(value), &[1], |value, to| value.give(to, ""))
            }
            Some(value) => {
                if is_list::<T>() {
                    to.presence(name, true)?;
                }
                value.give(to, name)
            }
        }
    }

    fn take(item: &Item, widen: bool) -> Result<Self> {
        present::<T>(item)?.map(|item| T::take(&item, widen)).transpose()
    }

    fn part(item: &Item, widen: bool) -> Result<Self::Part> {
        present::<T>(item)?.map(|item| T::part(&item, widen)).transpose()
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn absent_part() -> Option<Self::Part> {
        Some(None)
    }
}

/// Whether what may be absent is a list of dicts. Such a list keeps its length, and a param of its own says
/// whether it is there: so it lies in the layout as one that is always there.
fn is_list<T: FieldType>() -> bool {
    matches!(T::FORM.element, Element::Dict(_)) && !T::FORM.is_dict()
}

/// The item of what may be absent: of data it has no elements and the dimension of its presence, of
/// a struct the list is empty.
fn present<T: FieldType>(item: &Item) -> Result<Option<Item>> {
    match item.kind() {
        ItemKind::List if is_list::<T>() => {
            let mut parts = parse(item.path())?;
            if let Some(Part::Name { text, .. }) = parts.pop() {
                parts.push(Part::Param(format!("has_{text}"), 0));
            }
            match item.stream().get(&spell(&parts)) {
                Ok(param) if param.param_value()? == 0 => Ok(None),
                Ok(_) | Err(Error::NoSuchItem { .. }) => Ok(Some(item.clone())),
                Err(error) => Err(error),
            }
        }
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
