//! Records whose fields lie at offsets that are known when the program is compiled.

use std::fmt::Debug;

use dudley_parser::layout::dtype::ByteOrder;
use half::f16;
use num_complex::Complex;

use crate::error::{Error, Result};

/// A byte order known when the program is compiled.
pub trait Order: Copy + Debug + 'static {
    /// Which one.
    const ORDER: ByteOrder;
}

/// The least significant byte first.
#[derive(Clone, Copy, Debug)]
pub struct Little;

/// The most significant byte first.
#[derive(Clone, Copy, Debug)]
pub struct Big;

impl Order for Little {
    const ORDER: ByteOrder = ByteOrder::Little;
}

impl Order for Big {
    const ORDER: ByteOrder = ByteOrder::Big;
}

/// A struct of a layout whose instances all have one form: a generated type.
///
/// ```
/// use dudley::typed::{Big, Field};
///
/// assert_eq!(u16::load::<Big>(&[0, 7]), 7);
/// assert_eq!(<[u16; 2]>::load::<Big>(&[0, 7, 1, 0]), [7, 256]);
/// ```
pub trait Record: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// Bytes of an instance: an array of this many.
    type Bytes: Bytes;
    /// An instance where it is, whose fields are decoded when they are looked at.
    type View<'a>: Copy;

    /// An instance from its bytes; `O` is the order of what the layout gives no order.
    fn decode<O: Order>(bytes: &Self::Bytes) -> Self;

    /// Puts all fields to their places; bytes between them stay.
    fn encode<O: Order>(&self, bytes: &mut Self::Bytes);

    /// An instance where it is. `order` is that of what the layout gives no order.
    fn view(bytes: &Self::Bytes, order: ByteOrder) -> Self::View<'_>;
}

/// An array of bytes.
pub trait Bytes: Copy + AsRef<[u8]> + AsMut<[u8]> + Send + Sync + 'static {
    /// How many.
    const LEN: usize;
    /// All of them 0.
    const ZERO: Self;

    /// Cuts bytes into arrays; what is left over at the end is not among them.
    fn cut(bytes: &[u8]) -> &[Self];

    /// As [`Self::cut`], to be written to.
    fn cut_mut(bytes: &mut [u8]) -> &mut [Self];
}

impl<const N: usize> Bytes for [u8; N] {
    const LEN: usize = N;
    const ZERO: Self = [0; N];

    fn cut(bytes: &[u8]) -> &[Self] {
        // Records without bytes have no instances to be cut out.
        if N == 0 { &[] } else { bytes.as_chunks().0 }
    }

    fn cut_mut(bytes: &mut [u8]) -> &mut [Self] {
        if N == 0 { &mut [] } else { bytes.as_chunks_mut().0 }
    }
}

/// The type of a field of a [`Record`]: an element, an array of fixed size, a record, or text.
pub trait Field: Sized {
    /// Bytes that it takes.
    const SIZE_OF: usize;

    /// The value of this many bytes; of fewer, a value without meaning.
    fn load<O: Order>(bytes: &[u8]) -> Self;

    /// Puts the value to this many bytes; to fewer, nothing.
    fn store<O: Order>(&self, bytes: &mut [u8]);
}

macro_rules! numbers {
    ($($t:ty, $size:literal;)*) => {$(
        impl Field for $t {
            const SIZE_OF: usize = $size;

            #[inline]
            fn load<O: Order>(bytes: &[u8]) -> Self {
                let bytes = bytes.first_chunk().copied().unwrap_or([0; $size]);
                match O::ORDER {
                    ByteOrder::Little => <$t>::from_le_bytes(bytes),
                    ByteOrder::Big => <$t>::from_be_bytes(bytes),
                }
            }

            #[inline]
            fn store<O: Order>(&self, bytes: &mut [u8]) {
                if let Some(to) = bytes.first_chunk_mut() {
                    *to = match O::ORDER {
                        ByteOrder::Little => self.to_le_bytes(),
                        ByteOrder::Big => self.to_be_bytes(),
                    };
                }
            }
        }
    )*};
}

numbers! {
    i8, 1; i16, 2; i32, 4; i64, 8;
    u8, 1; u16, 2; u32, 4; u64, 8;
    f16, 2; f32, 4; f64, 8;
}

/// Any byte but 0 is true; true is written as 1.
impl Field for bool {
    const SIZE_OF: usize = 1;

    #[inline]
    fn load<O: Order>(bytes: &[u8]) -> bool {
        u8::load::<O>(bytes) != 0
    }

    #[inline]
    fn store<O: Order>(&self, bytes: &mut [u8]) {
        u8::from(*self).store::<O>(bytes);
    }
}

impl<T: Field> Field for Complex<T> {
    const SIZE_OF: usize = 2 * T::SIZE_OF;

    #[inline]
    fn load<O: Order>(bytes: &[u8]) -> Self {
        let (re, im) = bytes.split_at(T::SIZE_OF.min(bytes.len()));
        Complex { re: T::load::<O>(re), im: T::load::<O>(im) }
    }

    #[inline]
    fn store<O: Order>(&self, bytes: &mut [u8]) {
        let (re, im) = bytes.split_at_mut(T::SIZE_OF.min(bytes.len()));
        self.re.store::<O>(re);
        self.im.store::<O>(im);
    }
}

impl<T: Field, const N: usize> Field for [T; N] {
    const SIZE_OF: usize = N * T::SIZE_OF;

    #[inline]
    fn load<O: Order>(bytes: &[u8]) -> Self {
        std::array::from_fn(|at| T::load::<O>(bytes.get(at * T::SIZE_OF..).unwrap_or_default()))
    }

    #[inline]
    fn store<O: Order>(&self, bytes: &mut [u8]) {
        for (at, item) in self.iter().enumerate() {
            item.store::<O>(bytes.get_mut(at * T::SIZE_OF..).unwrap_or_default());
        }
    }
}

impl<R: Record> Field for R {
    const SIZE_OF: usize = R::Bytes::LEN;

    #[inline]
    fn load<O: Order>(bytes: &[u8]) -> Self {
        let bytes = R::Bytes::cut(bytes).first().copied().unwrap_or(R::Bytes::ZERO);
        R::decode::<O>(&bytes)
    }

    #[inline]
    fn store<O: Order>(&self, bytes: &mut [u8]) {
        if let Some(to) = R::Bytes::cut_mut(bytes).first_mut() {
            self.encode::<O>(to);
        }
    }
}

/// Decodes instances, one after the other.
pub fn decode_all<'b, R: Record>(
    bytes: &'b [u8],
    order: ByteOrder,
) -> impl Iterator<Item = R> + use<'b, R> {
    let (little, big) = match order {
        ByteOrder::Little => (R::Bytes::cut(bytes), &[][..]),
        ByteOrder::Big => (&[][..], R::Bytes::cut(bytes)),
    };
    little.iter().map(R::decode::<Little>).chain(big.iter().map(R::decode::<Big>))
}

/// Encodes records to the bytes of as many; bytes between fields stay.
///
/// # Errors
/// [`Error::WrongLength`] for bytes of another number of records.
pub fn encode_into<R: Record>(records: &[R], order: ByteOrder, to: &mut [u8]) -> Result<()> {
    let size = (records.len() as u64).saturating_mul(R::Bytes::LEN as u64);
    if to.len() as u64 != size {
        return Err(Error::wrong_length(size, to.len() as u64));
    }
    encode_block(to, records.iter(), order);
    Ok(())
}

pub(crate) fn encode_block<'r, R: Record>(
    to: &mut [u8],
    from: impl Iterator<Item = &'r R>,
    order: ByteOrder,
) {
    let pairs = R::Bytes::cut_mut(to).iter_mut().zip(from);
    match order {
        ByteOrder::Little => pairs.for_each(|(to, record)| record.encode::<Little>(to)),
        ByteOrder::Big => pairs.for_each(|(to, record)| record.encode::<Big>(to)),
    }
}
