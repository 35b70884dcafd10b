//! Which Rust types are single numbers in a stream, and how many of them are given and taken.

use ndarray::{ArrayD, ArrayViewD, IxDyn};

use super::form::Element as Made;
use super::give::Giver;
use super::shape::{at_address, chunks, lengths, wrong_rank, wrong_value};
use crate::elements::convert::{Conversion, Convert, lossless};
use crate::elements::element::{ByteOrder, Element, Primitive};
use crate::encode::input::{Input, Typed};
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::item::{Item, ItemKind};

/// A number, flag or C-like enum: what arrays are made of.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of an `ndarray` array in a layout",
    label = "no number, flag or C-like enum",
    note = "elements are integers of 8 to 64 bits, `usize`, `f16`, `f32`, `f64`, `Complex` of these, \
            `bool`, and enums with `#[derive(Dudley)]`; of text, take a `Vec<String>`, of structs a `Vec` of them"
)]
pub trait Cell: Sync + Sized + 'static {
    /// The stored values.
    type Stored: Convert;

    /// How it is declared.
    const MADE: Made;

    /// Its stored value.
    fn store(&self) -> Self::Stored;

    /// The value of a stored one; `None` if the type has no such value.
    fn load(stored: Self::Stored) -> Option<Self>;

    /// Its value, if it is an integer.
    fn integer(&self) -> Option<i128>;

    /// The name of an integer, if it has one.
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
        chunks(flat)
    }
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

/// A stored value as an enum.
///
/// # Errors
/// [`Error::WrongValue`] for numbers that are no value of it.
pub fn load_named<E: Named>(stored: ArrayD<E::Repr>) -> Result<ArrayD<E>> {
    load_with(stored, E::of_number, || format!("one of {}", named_values(E::VALUES)))
}

pub(super) fn load_each<C: Cell>(stored: ArrayD<C::Stored>, expected: &str) -> Result<ArrayD<C>> {
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

/// Gives a number to an item, or to a param of that name.
///
/// # Errors
/// If the stream or its layout is wrong.
pub fn give_scalar<C: Cell>(cell: &C, to: &mut Giver<'_>, name: &str) -> Result<()> {
    match cell.integer() {
        Some(value) if to.is_param(name) => to.param(name, value),
        _ => to.array(name, &[], Input::scalar(cell.store())),
    }
}

/// Takes a number from an item, or from a param.
///
/// # Errors
/// If the stream or its layout is wrong.
pub fn take_scalar<C: Cell>(item: &Item, widen: bool) -> Result<C> {
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
    let stored = stored::<C>(&data, widen)?;
    let loaded = C::load_all(stored).map_err(|error| at_address(error, data.address()));
    loaded.map_err(named)?.into_iter().next().ok_or_else(|| Error::too_large(u64::MAX))
}

/// Gives an array that a slice holds.
///
/// # Errors
/// If the stream or its layout is wrong.
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
pub(super) fn take_array<C: Cell>(item: &Item, widen: bool) -> Result<ArrayD<C>> {
    let data = item.data()?;
    let stored = stored::<C>(&data, widen)?;
    let loaded = C::load_all(stored).map_err(|error| at_address(error, data.address()));
    loaded.map_err(|error| error.of_item(item.path()))
}

/// What is stored, or what that comes to in the type of the field.
fn stored<C: Cell>(data: &Data, widen: bool) -> Result<ArrayD<C::Stored>> {
    if widen { data.read_as(Conversion::Lossless) } else { data.read() }.map_err(may_widen::<C>)
}

/// Says of elements of another type, all of whose values the field has, how they are read.
pub(super) fn may_widen<C: Cell>(error: Error) -> Error {
    match error {
        Error::WrongType { item, expected, found } if lossless::<C::Stored>(found) => {
            let expected =
                format!("elements of type {expected} (`#[dudley(widen)]` reads smaller ones)");
            let found = format!("`{}`", found.name());
            Error::WrongValue { item, expected: expected.into(), found: found.into() }
        }
        error => error,
    }
}

/// All elements of an item, side by side, and their shape.
///
/// # Errors
/// If reading fails.
pub fn take_flat<C: Cell>(item: &Item, widen: bool) -> Result<(Vec<C>, Vec<usize>)> {
    let array = take_array::<C>(item, widen)?;
    let shape = array.shape().to_vec();
    Ok((array.into_raw_vec_and_offset().0, shape))
}

/// Elements converted at a time.
const BLOCK: usize = 1 << 13;

/// An array that is stored as another type.
struct Mapped<'a, C> {
    view: ArrayViewD<'a, C>,
}

impl<C: Cell> Typed for Mapped<'_, C> {
    fn shape(&self) -> Vec<u64> {
        lengths(self.view.shape())
    }

    fn check(&self, primitive: Primitive) -> Result<()> {
        C::Stored::check(primitive)
    }

    fn encode(
        &self,
        _: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut cells = self.view.iter().map(|cell| cell.store());
        let mut room = vec![0; BLOCK.min(self.view.len()) * C::Stored::SIZE];
        loop {
            let block: Vec<C::Stored> = cells.by_ref().take(BLOCK).collect();
            if block.is_empty() {
                return Ok(());
            }
            let room = &mut room[..block.len() * C::Stored::SIZE];
            C::Stored::encode_slice(&block, order, room)?;
            sink(room)?;
        }
    }
}
