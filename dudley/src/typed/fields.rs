//! Records while their fields are decoded, encoded, or looked at: at offsets (in bytes) that
//! generated code states, in the stream's `own` byte order, `little` or `big`.
//!
//! Nothing here panics: what would lie outside of its record has no meaning, and is not written.

use std::marker::PhantomData;

use crate::elements::record::{Big, Field, Little, Order};
use dudley_parser::layout::dtype::ByteOrder;

/// The bytes of a record that is decoded; `O` is the order of the stream.
///
/// ```
/// use dudley::typed::{Big, fields::Decoder};
///
/// let record = Decoder::<Big, 4>::new(&[1, 0, 0, 1]);
/// assert_eq!((record.own::<u16>(0), record.little::<u16>(0)), (256, 1));
/// ```
pub struct Decoder<'b, O, const N: usize> {
    bytes: &'b [u8; N],
    order: PhantomData<O>,
}

impl<'b, O: Order, const N: usize> Decoder<'b, O, N> {
    /// A decoder of these bytes.
    ///
    /// ```
    /// use dudley::typed::{Little, fields::Decoder};
    ///
    /// assert_eq!(Decoder::<Little, 2>::new(&[7, 8]).own::<u8>(1), 8);
    /// ```
    #[inline]
    pub fn new(bytes: &'b [u8; N]) -> Self {
        Self { bytes, order: PhantomData }
    }

    /// A field in the order of the stream.
    ///
    /// ```
    /// use dudley::typed::{Big, fields::Decoder};
    ///
    /// assert_eq!(Decoder::<Big, 2>::new(&[1, 0]).own::<u16>(0), 256);
    /// ```
    #[inline]
    pub fn own<T: Field>(&self, at: usize) -> T {
        get::<T, O>(self.bytes, at)
    }

    /// A field in little-endian order.
    ///
    /// ```
    /// use dudley::typed::{Big, fields::Decoder};
    ///
    /// assert_eq!(Decoder::<Big, 2>::new(&[1, 0]).little::<u16>(0), 1);
    /// ```
    #[inline]
    pub fn little<T: Field>(&self, at: usize) -> T {
        get::<T, Little>(self.bytes, at)
    }

    /// A field in big-endian order.
    ///
    /// ```
    /// use dudley::typed::{Little, fields::Decoder};
    ///
    /// assert_eq!(Decoder::<Little, 2>::new(&[1, 0]).big::<u16>(0), 256);
    /// ```
    #[inline]
    pub fn big<T: Field>(&self, at: usize) -> T {
        get::<T, Big>(self.bytes, at)
    }
}

/// The bytes of a record that is encoded; `O` is the order of the stream.
///
/// ```
/// use dudley::typed::{Little, fields::Encoder};
///
/// let mut bytes = [0; 4];
/// let mut record = Encoder::<Little, 4>::new(&mut bytes);
/// record.own(0, &1_u16);
/// record.big(2, &1_u16);
/// assert_eq!(bytes, [1, 0, 0, 1]);
/// ```
pub struct Encoder<'b, O, const N: usize> {
    bytes: &'b mut [u8; N],
    order: PhantomData<O>,
}

impl<'b, O: Order, const N: usize> Encoder<'b, O, N> {
    /// To these bytes.
    ///
    /// ```
    /// use dudley::typed::{Little, fields::Encoder};
    ///
    /// let mut bytes = [0; 2];
    /// Encoder::<Little, 2>::new(&mut bytes).own(1, &8_u8);
    /// assert_eq!(bytes, [0, 8]);
    /// ```
    #[inline]
    pub fn new(bytes: &'b mut [u8; N]) -> Self {
        Self { bytes, order: PhantomData }
    }

    /// A field in the order of the stream.
    ///
    /// ```
    /// use dudley::typed::{Big, fields::Encoder};
    ///
    /// let mut bytes = [0; 2];
    /// Encoder::<Big, 2>::new(&mut bytes).own(0, &258_u16);
    /// assert_eq!(bytes, [1, 2]);
    /// ```
    #[inline]
    pub fn own<T: Field>(&mut self, at: usize, value: &T) {
        put::<T, O>(self.bytes, at, value);
    }

    /// A field in little-endian order.
    ///
    /// ```
    /// use dudley::typed::{Big, fields::Encoder};
    ///
    /// let mut bytes = [0; 2];
    /// Encoder::<Big, 2>::new(&mut bytes).little(0, &258_u16);
    /// assert_eq!(bytes, [2, 1]);
    /// ```
    #[inline]
    pub fn little<T: Field>(&mut self, at: usize, value: &T) {
        put::<T, Little>(self.bytes, at, value);
    }

    /// A field in big-endian order.
    ///
    /// ```
    /// use dudley::typed::{Little, fields::Encoder};
    ///
    /// let mut bytes = [0; 2];
    /// Encoder::<Little, 2>::new(&mut bytes).big(0, &258_u16);
    /// assert_eq!(bytes, [1, 2]);
    /// ```
    #[inline]
    pub fn big<T: Field>(&mut self, at: usize, value: &T) {
        put::<T, Big>(self.bytes, at, value);
    }
}

/// A record where it is.
///
/// ```
/// use dudley::{ByteOrder, typed::fields::Viewed};
///
/// let record = Viewed { bytes: &[1, 0, 0, 1], order: ByteOrder::Big };
/// assert_eq!((record.own::<u16>(2), record.little::<u16>(2)), (1, 256));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Viewed<'b, const N: usize> {
    /// The bytes of the record.
    pub bytes: &'b [u8; N],
    /// The byte order of fields to which the layout gives none.
    pub order: ByteOrder,
}

impl<const N: usize> Viewed<'_, N> {
    /// A field in the order of the stream.
    ///
    /// ```
    /// use dudley::{ByteOrder, typed::fields::Viewed};
    ///
    /// assert_eq!(Viewed { bytes: &[1, 0], order: ByteOrder::Big }.own::<u16>(0), 256);
    /// ```
    #[inline]
    pub fn own<T: Field>(&self, at: usize) -> T {
        match self.order {
            ByteOrder::Little => get::<T, Little>(self.bytes, at),
            ByteOrder::Big => get::<T, Big>(self.bytes, at),
        }
    }

    /// A field in little-endian order.
    ///
    /// ```
    /// use dudley::{ByteOrder, typed::fields::Viewed};
    ///
    /// assert_eq!(Viewed { bytes: &[1, 0], order: ByteOrder::Big }.little::<u16>(0), 1);
    /// ```
    #[inline]
    pub fn little<T: Field>(&self, at: usize) -> T {
        get::<T, Little>(self.bytes, at)
    }

    /// A field in big-endian order.
    ///
    /// ```
    /// use dudley::{ByteOrder, typed::fields::Viewed};
    ///
    /// assert_eq!(Viewed { bytes: &[1, 0], order: ByteOrder::Little }.big::<u16>(0), 256);
    /// ```
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
