//! Elements that are stored elsewhere, as what is written: their bytes, in another order if need be.

use std::ops::Range;

use dudley_parser::layout::dtype::{ByteOrder, Primitive};

use super::swapped;
use crate::error::{Error, Result};
use crate::input::{Typed, TypedRows};

/// Where elements are stored.
pub trait Stored: Sync {
    /// Elements in each dimension.
    fn shape(&self) -> Vec<u64>;

    /// What they are, in which order; none if they are no primitives.
    fn own(&self) -> Option<(Primitive, ByteOrder)>;

    /// What they are, in words.
    fn described(&self) -> String;

    /// Whether some indices of the first dimension can be had for what they are.
    fn has_rows(&self) -> bool;

    /// Hands out the bytes of some indices of the first dimension, or of all, row-major, block by block.
    ///
    /// # Errors
    /// What reading and the sink say.
    fn blocks(
        &self,
        rows: Option<Range<u64>>,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()>;
}

/// Elements for an item of the very same type.
pub struct Elements<S>(pub S);

/// Hands out elements in an order.
///
/// # Errors
/// What reading and the sink say.
pub(super) fn in_order(
    stored: &impl Stored,
    rows: Option<Range<u64>>,
    (primitive, order): (Primitive, ByteOrder),
    sink: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let same = stored.own().is_some_and(|(_, own)| own == order);
    let unit = if same { 1 } else { primitive.swap_unit() as usize };
    stored.blocks(rows, &mut |bytes| sink(&swapped(bytes, unit)?))
}

impl<S: Stored> Typed for Elements<S> {
    fn shape(&self) -> Vec<u64> {
        self.0.shape()
    }

    fn check(&self, primitive: Primitive) -> Result<()> {
        match self.0.own() {
            Some((own, _)) if own == primitive => Ok(()),
            _ => Err(Error::WrongValue {
                item: Default::default(),
                expected: format!("elements of `{}`", primitive.name()).into(),
                found: self.0.described().into(),
            }),
        }
    }

    fn encode(
        &self,
        primitive: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        in_order(&self.0, None, (primitive, order), sink)
    }

    fn rows(&self, _: Primitive) -> Option<&dyn TypedRows> {
        self.0.has_rows().then_some(self)
    }
}

impl<S: Stored> TypedRows for Elements<S> {
    fn encode_rows(
        &self,
        rows: Range<u64>,
        primitive: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        in_order(&self.0, Some(rows), (primitive, order), sink)
    }
}
