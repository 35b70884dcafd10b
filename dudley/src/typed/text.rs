//! Text: strings of an encoding, as items and as units in records.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use ndarray::{Dimension, Ix0};

use super::array::shaped;
use super::handle::{described, rank};
use super::mode::Reading;
use super::writable::Texts;
use crate::create::writing::Writing;
use crate::elements::element::Element;
use crate::elements::record::{Field, Order};
use crate::elements::text;
use crate::error::{Error, Result};
use crate::typed::Handle;

/// Strings: an array whose last dimension counts the units of a string; the other dimensions are
/// `D`.
#[derive(Clone, Debug)]
pub struct Text<D, M = Reading> {
    at: Handle<M>,
    kind: PhantomData<fn() -> D>,
}

described! { D: Dimension; Text one_more::<D>() }

/// The dimensions of the strings, and that of their units.
const fn one_more<D: Dimension>() -> Option<usize> {
    match rank::<D>() {
        Some(rank) => Some(rank + 1),
        None => None,
    }
}

impl<D: Dimension> Text<D, Reading> {
    /// All strings, decoded, without the NULs at their ends.
    ///
    /// # Errors
    /// If it cannot be placed or read, or has not as many dimensions as the layout declares.
    pub fn read(&self) -> Result<ndarray::Array<String, D>> {
        shaped(self.path(), self.data()?.read_texts()?)
    }
}

impl Text<Ix0, Reading> {
    /// The string, decoded, without the NULs at its end; borrowed where the stream is in memory and
    /// holds it as UTF-8.
    ///
    /// # Errors
    /// If it cannot be placed or read, or has not one dimension, of its units.
    pub fn get(&self) -> Result<Cow<'_, str>> {
        let data = self.data()?;
        if let Some((Primitive::Utf8, _)) = data.dtype().primitive()
            && data.filter().is_none()
            && let Some(bytes) = self.item()?.stream().source().bytes()
        {
            let (region, _) = data.in_place::<u8>()?;
            let units = crate::bytes::source::slice(bytes, region.span().start, region.byte_len());
            let units = units.map_err(|error| error.of_item(self.path()))?;
            if let Ok(text) = std::str::from_utf8(units) {
                return Ok(Cow::Borrowed(text.trim_end_matches('\0')));
            }
        }
        data.read_text().map(Cow::Owned)
    }
}

impl<D: Dimension> Text<D, Writing> {
    /// Writes all strings, each padded with NULs.
    ///
    /// # Errors
    /// [`Error::WrongValue`] for another shape; [`Error::Text`] for a string that is too long or not in
    /// the encoding (strings that stay in memory are checked when the writer is finished); if the item
    /// cannot be placed or written.
    pub fn write<T: Texts<D> + ?Sized>(&self, texts: &T) -> Result<()> {
        let value = texts.as_value();
        if let Some((record, at)) = self.at.in_record()
            && record.put(at, &mut |blank, part, bytes| blank.put_value(part, &value, bytes))
        {
            return Ok(());
        }
        self.at.mode.put_value(self.at.item()?, value)
    }
}

/// An encoding of text.
pub trait Encoding: Copy + fmt::Debug + 'static {
    /// A unit of text.
    type Unit: Element + Field + Eq;
    /// Its name in a layout.
    const PRIMITIVE: Primitive;
}

macro_rules! encodings {
    ($($name:ident $unit:ty, $primitive:ident, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name;

        impl Encoding for $name {
            type Unit = $unit;
            const PRIMITIVE: Primitive = Primitive::$primitive;
        }
    )*};
}

encodings! {
    Cp1252 u8, S1, "CP1252, one byte a character: `S1`.";
    Utf8 u8, Utf8, "UTF-8: `U1`.";
    Utf16 u16, Utf16, "UTF-16 code units: `U2`.";
    Utf32 u32, Utf32, "UTF-32: `U4`.";
}

/// Text of `N` units in a record: copied as it is, decoded when it is shown.
///
/// ```
/// use dudley::typed::{Chars, Utf8};
///
/// let name: Chars<Utf8, 8> = Chars::new("Xe-135")?;
/// assert_eq!((name.to_string().as_str(), name.units()[6]), ("Xe-135", 0));
/// assert!(Chars::<Utf8, 2>::new("Xe-135").is_err());
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Chars<E: Encoding, const N: usize> {
    units: [E::Unit; N],
}

impl<E: Encoding, const N: usize> Chars<E, N> {
    /// A text, padded with NULs.
    ///
    /// # Errors
    /// [`Error::Text`] for one that is too long or not in the encoding.
    pub fn new(text: &str) -> Result<Self> {
        let bytes = text::encode(text, E::PRIMITIVE, N as u64, ByteOrder::Little)?;
        let mut units = [E::Unit::default(); N];
        E::Unit::decode_slice(&bytes, ByteOrder::Little, &mut units)?;
        Ok(Self { units })
    }

    /// From its units.
    pub fn from_units(units: [E::Unit; N]) -> Self {
        Self { units }
    }

    /// Its units, the padding included.
    pub fn units(&self) -> &[E::Unit; N] {
        &self.units
    }

    fn decoded(&self) -> Result<String> {
        text::decode(&self.encoded()?, E::PRIMITIVE, ByteOrder::Big)
    }

    /// The bits of its units, the highest byte of each first, where its string does not give them back.
    pub(super) fn bits(&self) -> Option<Vec<u8>> {
        let bits = self.encoded().ok()?;
        (!text::is_exact(&bits, E::PRIMITIVE, ByteOrder::Big)).then_some(bits)
    }

    /// From the bits of its units.
    pub(super) fn of_bits(bits: &[u8]) -> Result<Self> {
        let mut units = [E::Unit::default(); N];
        E::Unit::decode_slice(bits, ByteOrder::Big, &mut units)?;
        Ok(Self { units })
    }

    fn encoded(&self) -> Result<Vec<u8>> {
        let mut bytes = vec![0; N * E::Unit::SIZE_OF];
        E::Unit::encode_slice(&self.units, ByteOrder::Big, &mut bytes)?;
        Ok(bytes)
    }
}

/// The text, decoded, without the NULs at its end.
impl<E: Encoding, const N: usize> fmt::Display for Chars<E, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.decoded().map_err(|_| fmt::Error)?)
    }
}

impl<E: Encoding, const N: usize> fmt::Debug for Chars<E, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.decoded().map_err(|_| fmt::Error)?, f)
    }
}

impl<E: Encoding, const N: usize> TryFrom<&str> for Chars<E, N> {
    type Error = Error;

    fn try_from(text: &str) -> Result<Self> {
        Self::new(text)
    }
}

impl<E: Encoding, const N: usize> Field for Chars<E, N> {
    const SIZE_OF: usize = N * E::Unit::SIZE_OF;

    #[inline]
    fn load<O: Order>(bytes: &[u8]) -> Self {
        Self { units: <[E::Unit; N]>::load::<O>(bytes) }
    }

    #[inline]
    fn store<O: Order>(&self, bytes: &mut [u8]) {
        self.units.store::<O>(bytes);
    }
}
