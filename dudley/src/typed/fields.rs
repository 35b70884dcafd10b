//! Records while their fields are decoded, encoded, or looked at: at offsets (in bytes) that
//! generated code states, in the stream's `own` byte order, `little` or `big`.
//!
//! Nothing here panics: what would lie outside of its record has no meaning, and is not written.

use std::marker::PhantomData;

use crate::elements::record::{Big, Field, Little, Order};
use dudley_parser::layout::dtype::ByteOrder;

/// The bytes of a record that is decoded; `O` is the order of the stream.
pub struct Decoder<'b, O, const N: usize> {
    bytes: &'b [u8; N],
    order: PhantomData<O>,
}

impl<'b, O: Order, const N: usize> Decoder<'b, O, N> {
    /// A decoder of these bytes.
    #[inline]
    pub fn new(bytes: &'b [u8; N]) -> Self {
        Self { bytes, order: PhantomData }
    }

    /// A field in the order of the stream.
    #[inline]
    pub fn own<T: Field>(&self, at: usize) -> T {
        get::<T, O>(self.bytes, at)
    }

    /// A field in little-endian order.
    #[inline]
    pub fn little<T: Field>(&self, at: usize) -> T {
        get::<T, Little>(self.bytes, at)
    }

    /// A field in big-endian order.
    #[inline]
    pub fn big<T: Field>(&self, at: usize) -> T {
        get::<T, Big>(self.bytes, at)
    }
}

/// The bytes of a record that is encoded; `O` is the order of the stream.
pub struct Encoder<'b, O, const N: usize> {
    bytes: &'b mut [u8; N],
    order: PhantomData<O>,
}

impl<'b, O: Order, const N: usize> Encoder<'b, O, N> {
    /// To these bytes.
    #[inline]
    pub fn new(bytes: &'b mut [u8; N]) -> Self {
        Self { bytes, order: PhantomData }
    }

    /// A field in the order of the stream.
    #[inline]
    pub fn own<T: Field>(&mut self, at: usize, value: &T) {
        put::<T, O>(self.bytes, at, value);
    }

    /// A field in little-endian order.
    #[inline]
    pub fn little<T: Field>(&mut self, at: usize, value: &T) {
        put::<T, Little>(self.bytes, at, value);
    }

    /// A field in big-endian order.
    #[inline]
    pub fn big<T: Field>(&mut self, at: usize, value: &T) {
        put::<T, Big>(self.bytes, at, value);
    }
}

/// A record where it is.
#[derive(Clone, Copy, Debug)]
pub struct Viewed<'b, const N: usize> {
    /// The bytes of the record.
    pub bytes: &'b [u8; N],
    /// The order of what the layout gives no order.
    pub order: ByteOrder,
}

impl<const N: usize> Viewed<'_, N> {
    /// A field in the order of the stream.
    #[inline]
    pub fn own<T: Field>(&self, at: usize) -> T {
        match self.order {
            ByteOrder::Little => get::<T, Little>(self.bytes, at),
            ByteOrder::Big => get::<T, Big>(self.bytes, at),
        }
    }

    /// A field in little-endian order.
    #[inline]
    pub fn little<T: Field>(&self, at: usize) -> T {
        get::<T, Little>(self.bytes, at)
    }

    /// A field in big-endian order.
    #[inline]
    pub fn big<T: Field>(&self, at: usize) -> T {
        get::<T, Big>(self.bytes, at)
    }
}

#[inline]
fn get<T: Field, O: Order>(bytes: &[u8], at: usize) -> T {
    T::load::<O>(bytes.get(at..).unwrap_or_default())
}

#[inline]
fn put<T: Field, O: Order>(bytes: &mut [u8], at: usize, value: &T) {
    value.store::<O>(bytes.get_mut(at..).unwrap_or_default());
}
