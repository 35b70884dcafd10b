//! Which Rust types are single numbers in a stream, and how many of them are given and taken.

use ndarray::{ArrayD, ArrayViewD, IxDyn};
use num_complex::Complex;

use super::form::Element as Made;
use super::give::Giver;
use super::mapped::Mapped;
use super::record::Plan;
use crate::element::{Element, f16};
use crate::error::{Error, Result};
use crate::input::Input;
use crate::item::{Item, ItemKind};

/// A number, flag or C-like enum: what arrays are made of.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of an `ndarray` array in a layout",
    label = "no number, flag or C-like enum",
    note = "elements are integers of 8 to 64 bits, `usize`, `f16`, `f32`, `f64`, `Complex` of these, \
            `bool`, and enums with `#[derive(Dudley)]`"
)]
pub trait Cell: Sized + 'static {
    /// What is stored.
    type Stored: Element;

    /// How it is declared.
    const MADE: Made;

    /// What is stored for it.
    fn store(&self) -> Self::Stored;

    /// What was stored; none if that is no value of it.
    fn load(stored: Self::Stored) -> Option<Self>;

    /// Its value, if it is an integer.
    fn integer(&self) -> Option<i128>;

    /// That of an integer, if it is one that has it.
    fn of_integer(value: i128) -> Option<Self>;

    /// An array as it is stored, where that is the same.
    fn stored_view<'a>(cells: &ArrayViewD<'a, Self>) -> Option<ArrayViewD<'a, Self::Stored>>;

    /// An array from what was stored.
    ///
    /// # Errors
    /// [`Error::WrongValue`] for what is no value of the type.
    fn load_all(stored: ArrayD<Self::Stored>) -> Result<ArrayD<Self>>;

    /// As [`super::Member::chunks`].
    fn chunks<const N: usize>(flat: Vec<Self>) -> Vec<[Self; N]> {
        super::field::chunks(flat)
    }
}

macro_rules! same {
    ($integer:expr, $of:expr) => {
        fn store(&self) -> Self {
            *self
        }

        fn load(stored: Self) -> Option<Self> {
            Some(stored)
        }

        fn integer(&self) -> Option<i128> {
            ($integer)(*self)
        }

        fn of_integer(value: i128) -> Option<Self> {
            ($of)(value)
        }

        fn stored_view<'a>(cells: &ArrayViewD<'a, Self>) -> Option<ArrayViewD<'a, Self>> {
            Some(cells.clone())
        }

        fn load_all(stored: ArrayD<Self>) -> Result<ArrayD<Self>> {
            Ok(stored)
        }

        fn chunks<const N: usize>(flat: Vec<Self>) -> Vec<[Self; N]> {
            flat.as_chunks().0.to_vec()
        }
    };
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Cell for $type {
            type Stored = Self;
            const MADE: Made = Made::Primitive(<$type as Element>::PRIMITIVE);
            same! { |it| Some(i128::from(it)), |it| <$type>::try_from(it).ok() }
        }
        __dudley_cell! { $type }
    )*};
}

macro_rules! others {
    ($($type:ty)*) => {$(
        impl Cell for $type {
            type Stored = Self;
            const MADE: Made = Made::Primitive(<$type as Element>::PRIMITIVE);
            same! { |_| None, |_| None }
        }
        __dudley_cell! { $type }
    )*};
}

macro_rules! sizes {
    ($($type:ty, $stored:ty;)*) => {$(
        impl Cell for $type {
            type Stored = $stored;
            const MADE: Made = Made::Primitive(<$stored as Element>::PRIMITIVE);

            fn store(&self) -> $stored {
                *self as $stored
            }

            fn load(stored: $stored) -> Option<Self> {
                <$type>::try_from(stored).ok()
            }

            fn integer(&self) -> Option<i128> {
                Some(self.store().into())
            }

            fn of_integer(value: i128) -> Option<Self> {
                <$type>::try_from(value).ok()
            }

            fn stored_view<'a>(_: &ArrayViewD<'a, Self>) -> Option<ArrayViewD<'a, $stored>> {
                None
            }

            fn load_all(stored: ArrayD<$stored>) -> Result<ArrayD<Self>> {
                load_each(stored, "a number that fits this machine's addresses")
            }
        }
        __dudley_cell! { $type }
    )*};
}

/// The traits that say what can be done with a cell; also for enums with `#[derive(Dudley)]`.
#[doc(hidden)]
#[macro_export]
macro_rules! __dudley_cell {
    ($type:ty) => {
        impl $crate::structs::FieldType for $type {
            const FORM: $crate::structs::form::Form =
                $crate::structs::form::Form::scalar(<$type as $crate::structs::cell::Cell>::MADE);
            type Part = Self;

            fn give<'a>(
                &'a self,
                to: &mut $crate::structs::Giver<'a>,
                name: &'static ::core::primitive::str,
            ) -> $crate::Result<()> {
                $crate::structs::cell::give_scalar(self, to, name)
            }

            fn take(item: &$crate::Item) -> $crate::Result<Self> {
                $crate::structs::cell::take_scalar(item)
            }

            fn part(item: &$crate::Item) -> $crate::Result<Self> {
                $crate::structs::cell::take_scalar(item)
            }
        }

        impl $crate::structs::Member for $type {
            const ELEMENT: $crate::structs::form::Element =
                <$type as $crate::structs::cell::Cell>::MADE;
            const INNER: $crate::structs::form::Dims = $crate::structs::form::Dims::None;
            type Part<C: $crate::structs::FieldType> = C;

            fn give_all<'a>(
                flat: &'a [Self],
                shape: ::std::vec::Vec<::core::primitive::usize>,
                to: &mut $crate::structs::Giver<'a>,
                name: &'static ::core::primitive::str,
            ) -> $crate::Result<()> {
                $crate::structs::cell::give_slice(flat, shape, to, name)
            }

            fn take_all(
                item: &$crate::Item,
            ) -> $crate::Result<(::std::vec::Vec<Self>, ::std::vec::Vec<::core::primitive::usize>)>
            {
                $crate::structs::cell::take_flat(item)
            }

            fn chunks<const N: ::core::primitive::usize>(
                flat: ::std::vec::Vec<Self>,
            ) -> ::std::vec::Vec<[Self; N]> {
                $crate::structs::cell::Cell::chunks(flat)
            }

            fn part<C: $crate::structs::FieldType>(item: &$crate::Item) -> $crate::Result<C> {
                C::take(item)
            }
        }

        impl $crate::structs::record::Packed for $type {
            const PACKED: $crate::structs::form::Form =
                $crate::structs::form::Form::scalar(<$type as $crate::structs::cell::Cell>::MADE);

            fn plan(
                dtype: &$crate::Dtype,
                shape: &[::core::primitive::u64],
            ) -> $crate::Result<$crate::structs::record::Plan> {
                $crate::structs::record::Plan::of_cell::<$type>(dtype, shape)
            }

            fn put(
                &self,
                plan: &$crate::structs::record::Plan,
                room: &mut [::core::primitive::u8],
            ) {
                $crate::structs::cell::put_cell(self, plan, room);
            }

            fn get(
                plan: &$crate::structs::record::Plan,
                bytes: &[::core::primitive::u8],
            ) -> $crate::Result<Self> {
                $crate::structs::cell::get_cell(plan, bytes)
            }
        }
    };
}

/// As [`__dudley_cell`], of an enum that has names for its values.
#[doc(hidden)]
#[macro_export]
macro_rules! __dudley_enum {
    ($type:ty) => {
        impl $crate::structs::cell::Cell for $type {
            type Stored = <$type as $crate::structs::cell::Named>::Repr;
            const MADE: $crate::structs::form::Element = $crate::structs::cell::made_of::<$type>();

            fn store(&self) -> Self::Stored {
                $crate::structs::cell::Named::number(self)
            }

            fn load(stored: Self::Stored) -> ::core::option::Option<Self> {
                $crate::structs::cell::Named::of_number(stored)
            }

            fn integer(&self) -> ::core::option::Option<::core::primitive::i128> {
                $crate::structs::cell::Cell::integer(&$crate::structs::cell::Named::number(self))
            }

            fn of_integer(value: ::core::primitive::i128) -> ::core::option::Option<Self> {
                $crate::structs::cell::named_of(value)
            }

            fn stored_view<'a>(
                _: &$crate::ndarray::ArrayViewD<'a, Self>,
            ) -> ::core::option::Option<$crate::ndarray::ArrayViewD<'a, Self::Stored>> {
                ::core::option::Option::None
            }

            fn load_all(
                stored: $crate::ndarray::ArrayD<Self::Stored>,
            ) -> $crate::Result<$crate::ndarray::ArrayD<Self>> {
                $crate::structs::cell::load_named(stored)
            }
        }

        $crate::__dudley_cell! { $type }
    };
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }
others! { f16 f32 f64 bool Complex<f16> Complex<f32> Complex<f64> }
sizes! {
    usize, u64;
    isize, i64;
}

/// A C-like enum: what `#[derive(Dudley)]` says of it.
pub trait Named: Sized + 'static {
    /// The integer of its `repr`.
    type Repr: Cell<Stored = Self::Repr> + Element;

    /// Its values, with their names.
    const VALUES: &'static [(&'static str, i128)];

    /// Its number.
    fn number(&self) -> Self::Repr;

    /// The value of a number.
    fn of_number(number: Self::Repr) -> Option<Self>;
}

/// What was expected of a number that is no value of an enum.
fn named_values(values: &[(&str, i128)]) -> String {
    let named: Vec<String> =
        values.iter().map(|(name, value)| format!("{value} ({name})")).collect();
    named.join(", ")
}

/// How an enum is declared.
#[must_use]
pub const fn made_of<E: Named>() -> Made {
    Made::Enum(<E::Repr as Element>::PRIMITIVE, E::VALUES)
}

/// The enum of an integer.
pub fn named_of<E: Named>(value: i128) -> Option<E> {
    E::Repr::of_integer(value).and_then(E::of_number)
}

/// What was stored as an enum.
///
/// # Errors
/// [`Error::WrongValue`] for numbers that are no value of it.
pub fn load_named<E: Named>(stored: ArrayD<E::Repr>) -> Result<ArrayD<E>> {
    load_with(stored, E::of_number, || format!("one of {}", named_values(E::VALUES)))
}

fn load_each<C: Cell>(stored: ArrayD<C::Stored>, expected: &str) -> Result<ArrayD<C>> {
    load_with(stored, C::load, || expected.to_owned())
}

fn load_with<S: Element, C>(
    stored: ArrayD<S>,
    load: impl Fn(S) -> Option<C>,
    expected: impl Fn() -> String,
) -> Result<ArrayD<C>> {
    let shape = IxDyn(stored.shape());
    let mut loaded = Vec::with_capacity(stored.len());
    for (at, value) in stored.iter().enumerate() {
        match load(*value) {
            Some(value) => loaded.push(value),
            None => return Err(wrong_value(&expected(), &format!("{value:?} (element {at})"))),
        }
    }
    ArrayD::from_shape_vec(shape, loaded).map_err(|_| Error::too_large(u64::MAX))
}

pub(super) fn wrong_value(expected: &str, found: &str) -> Error {
    Error::WrongValue { item: Default::default(), expected: expected.into(), found: found.into() }
}

/// Gives a number to an item, or to a param of that name.
///
/// # Errors
/// What the stream or its layout says.
pub fn give_scalar<C: Cell>(cell: &C, to: &mut Giver<'_>, name: &str) -> Result<()> {
    match cell.integer() {
        Some(value) if to.is_param(name) => to.param(name, value),
        _ => to.array(name, &[], Input::scalar(cell.store())),
    }
}

/// Takes a number from an item, or from a param.
///
/// # Errors
/// What the stream or its layout says.
pub fn take_scalar<C: Cell>(item: &Item) -> Result<C> {
    let named = |error: Error| error.of_item(item.path());
    if item.kind() == ItemKind::Param {
        let value = item.param_value()?;
        let wrong = || named(wrong_value("a value that fits the field", &value.to_string()));
        return C::of_integer(value.into()).ok_or_else(wrong);
    }
    let data = item.data()?;
    if !data.shape().is_empty() {
        return Err(wrong_rank(item.path(), 0, data.shape()));
    }
    let stored = ArrayD::from_elem(IxDyn(&[]), data.scalar::<C::Stored>()?);
    let loaded = C::load_all(stored).map_err(|error| at_address(error, data.address()));
    loaded.map_err(named)?.into_iter().next().ok_or_else(|| Error::too_large(u64::MAX))
}

/// Says where a wrong value was found.
pub(super) fn at_address(error: Error, address: u64) -> Error {
    match error {
        Error::WrongValue { item, expected, found } => {
            let found = format!("{found} at address {address}").into();
            Error::WrongValue { item, expected, found }
        }
        other => other,
    }
}

/// The shape of an item has another number of dimensions than the field.
pub(super) fn wrong_rank(path: &str, rank: usize, found: &[u64]) -> Error {
    let expected = match rank {
        0 => "a scalar".to_owned(),
        1 => "an array of 1 dimension".to_owned(),
        rank => format!("an array of {rank} dimensions"),
    };
    wrong_value(&expected, &format!("one of shape {found:?}")).of_item(path)
}

/// Gives an array that a slice holds.
///
/// # Errors
/// What the stream or its layout says.
pub fn give_slice<'a, C: Cell>(
    flat: &'a [C],
    shape: Vec<usize>,
    to: &mut Giver<'a>,
    name: &str,
) -> Result<()> {
    let view = ArrayViewD::from_shape(IxDyn(&shape), flat).map_err(|_| {
        Error::wrong_length(shape.iter().product::<usize>() as u64, flat.len() as u64)
    })?;
    give_view(view, to, name)
}

/// Gives an array, without a copy where it is stored as it is.
pub(super) fn give_view<'a, C: Cell>(
    view: ArrayViewD<'a, C>,
    to: &mut Giver<'a>,
    name: &str,
) -> Result<()> {
    let shape = lengths(view.shape());
    let input = match C::stored_view(&view) {
        Some(stored) => Input::elements(stored),
        None => Input::Typed(Box::new(Mapped { view })),
    };
    to.array(name, &shape, input)
}

/// All elements of an item.
pub(super) fn take_array<C: Cell>(item: &Item) -> Result<ArrayD<C>> {
    let data = item.data()?;
    let stored = data.read::<C::Stored>()?;
    let loaded = C::load_all(stored).map_err(|error| at_address(error, data.address()));
    loaded.map_err(|error| error.of_item(item.path()))
}

/// All elements of an item, side by side, and their shape.
///
/// # Errors
/// What reading says.
pub fn take_flat<C: Cell>(item: &Item) -> Result<(Vec<C>, Vec<usize>)> {
    let array = take_array::<C>(item)?;
    let shape = array.shape().to_vec();
    Ok((array.into_raw_vec_and_offset().0, shape))
}

pub(super) fn lengths(shape: &[usize]) -> Vec<u64> {
    shape.iter().map(|length| *length as u64).collect()
}

/// Writes a number into a record.
pub fn put_cell<C: Cell>(cell: &C, plan: &Plan, room: &mut [u8]) {
    let bytes = cell.store().to_bytes(plan.order);
    room.copy_from_slice(bytes.as_ref());
}

/// Reads a number of a record.
///
/// # Errors
/// [`Error::WrongValue`] if it is no value of the type.
pub fn get_cell<C: Cell>(plan: &Plan, bytes: &[u8]) -> Result<C> {
    let mut own = <C::Stored as Element>::Bytes::default();
    own.as_mut().copy_from_slice(bytes);
    let stored = C::Stored::from_bytes(own, plan.order);
    if let Some(cell) = C::load(stored) {
        return Ok(cell);
    }
    let one = C::load_all(ArrayD::from_elem(IxDyn(&[]), stored))?;
    one.into_iter().next().ok_or_else(|| Error::too_large(u64::MAX))
}
