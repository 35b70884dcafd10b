//! Trees of items handled as a whole: copied from a stream to another, shown as values.
//!
//! Generated types take part when they are made with the option `transfer`.

use ndarray::Dimension;

use super::handle::Kind;
use super::{
    Array, Instances, List, Param, Reading, Record, Records, Scalar, Struct, Text, Writing,
};
use crate::elements::element::Element;
use crate::elements::value::Value;
use crate::error::{Error, Item, Result};

/// Items that can be copied, such as into a stream of the other byte order.
pub trait Transfer {
    /// The same items of a stream that is written.
    type Into;

    /// Reads all that is there, and writes it.
    ///
    /// # Errors
    /// If reading or writing an item fails.
    fn transfer(&self, into: &Self::Into) -> Result<()>;
}

/// Items that can be shown as values.
pub trait Inspect {
    /// Hands out each item of data with its path and value.
    fn inspect(&self, see: &mut dyn FnMut(&str, Result<Value>));
}

impl<T: Element> Transfer for Scalar<T, Reading> {
    type Into = Scalar<T, Writing>;

    fn transfer(&self, into: &Self::Into) -> Result<()> {
        into.write(self.read()?)
    }
}

impl<T: Element + Struct> Inspect for Scalar<T, Reading> {
    fn inspect(&self, see: &mut dyn FnMut(&str, Result<Value>)) {
        see(self.path(), self.read().map(|value| value.to_value()));
    }
}

impl<T: Element, D: Dimension> Transfer for Array<T, D, Reading> {
    type Into = Array<T, D, Writing>;

    fn transfer(&self, into: &Self::Into) -> Result<()> {
        match self.view() {
            Ok(elements) => into.write(&elements),
            Err(_) => into.write(&self.read()?),
        }
    }
}

impl<T: Element + Struct, D: Dimension> Inspect for Array<T, D, Reading> {
    fn inspect(&self, see: &mut dyn FnMut(&str, Result<Value>)) {
        see(self.path(), self.read().map(|array| array.to_value()));
    }
}

impl<D: Dimension> Transfer for Text<D, Reading> {
    type Into = Text<D, Writing>;

    fn transfer(&self, into: &Self::Into) -> Result<()> {
        into.write(&self.read()?)
    }
}

impl<D: Dimension> Inspect for Text<D, Reading> {
    fn inspect(&self, see: &mut dyn FnMut(&str, Result<Value>)) {
        see(self.path(), self.read().map(|texts| texts.to_value()));
    }
}

impl<R: Record, D: Dimension> Transfer for Records<R, D, Reading> {
    type Into = Records<R, D, Writing>;

    fn transfer(&self, into: &Self::Into) -> Result<()> {
        into.write(&self.read()?)
    }
}

impl<R: Record + Struct, D: Dimension> Inspect for Records<R, D, Reading> {
    fn inspect(&self, see: &mut dyn FnMut(&str, Result<Value>)) {
        see(self.path(), self.read().map(|records| records.to_value()));
    }
}

impl<S: Struct, D: Dimension> Transfer for Instances<S, D, Reading> {
    type Into = Instances<S, D, Writing>;

    fn transfer(&self, into: &Self::Into) -> Result<()> {
        into.write(&self.read()?)
    }
}

impl<S: Struct, D: Dimension> Inspect for Instances<S, D, Reading> {
    fn inspect(&self, see: &mut dyn FnMut(&str, Result<Value>)) {
        see(self.path(), self.read().map(|structs| structs.to_value()));
    }
}

impl<K> Transfer for List<K, Reading>
where
    K: Kind<Reading> + Transfer,
    K::Into: Kind<Writing>,
{
    type Into = List<K::Into, Writing>;

    fn transfer(&self, into: &Self::Into) -> Result<()> {
        (0..self.len_there()?).try_for_each(|index| self.get(index)?.transfer(&into.get(index)?))
    }
}

impl<K: Kind<Reading> + Inspect> Inspect for List<K, Reading> {
    fn inspect(&self, see: &mut dyn FnMut(&str, Result<Value>)) {
        let len = match self.len_there() {
            Ok(len) => len,
            Err(error) => return see(self.path(), Err(error)),
        };
        for item in (0..len).map(|index| self.get(index)) {
            match item {
                Ok(item) => item.inspect(see),
                // Those behind it would not be found either.
                Err(error) => return see(self.path(), Err(error)),
            }
        }
    }
}

impl Transfer for Param<Reading> {
    type Into = Param<Writing>;

    fn transfer(&self, into: &Self::Into) -> Result<()> {
        into.write(self.read()?)
    }
}

/// Params are no data.
impl Inspect for Param<Reading> {
    fn inspect(&self, _: &mut dyn FnMut(&str, Result<Value>)) {}
}

/// What a param says to be there or not.
impl<K: Transfer> Transfer for Option<K> {
    type Into = Option<K::Into>;

    fn transfer(&self, into: &Self::Into) -> Result<()> {
        match (self, into) {
            (Some(from), Some(into)) => from.transfer(into),
            (None, None) => Ok(()),
            (from, _) => Err(Error::WrongValue {
                item: Item::UNKNOWN,
                expected: "streams in which the same optional items are there".into(),
                found: if from.is_some() {
                    "one only in the first"
                } else {
                    "one only in the second"
                }
                .into(),
            }),
        }
    }
}

/// An item that cannot be found is shown as its error.
impl<K: Inspect> Inspect for Result<Option<K>> {
    fn inspect(&self, see: &mut dyn FnMut(&str, Result<Value>)) {
        match self {
            Ok(Some(item)) => item.inspect(see),
            Ok(None) => {}
            Err(error) => {
                let path = error.item().unwrap_or("/").to_owned();
                let why = error.to_string();
                see(&path, Err(Error::Listed { path: path.as_str().into(), why: why.into() }));
            }
        }
    }
}

/// The item of a list that never has any.
impl Transfer for () {
    type Into = ();

    fn transfer(&self, (): &()) -> Result<()> {
        Ok(())
    }
}

impl Inspect for () {
    fn inspect(&self, _: &mut dyn FnMut(&str, Result<Value>)) {}
}
