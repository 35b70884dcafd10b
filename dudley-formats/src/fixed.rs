//! The fixed part of a header, decoded through its layout.

use dudley::bytes::Source;
use dudley::elements::Conversion;
use dudley::{ByteOrder, Error, Open, Result, Stream};

use crate::cursor::malformed;

/// Fields by their names.
pub(crate) struct Fixed(Stream);

impl Fixed {
    /// What a layout says of bytes of an order.
    pub(crate) fn new(
        layout: &str,
        order: ByteOrder,
        source: impl Source + 'static,
    ) -> Result<Fixed> {
        Ok(Fixed(Open::new().raw().order(order).layout_text(layout)?.source(source)?))
    }

    /// The numbers of a field.
    pub(crate) fn numbers(&self, field: &str) -> Result<Vec<f64>> {
        Ok(self.0.get(field)?.read_as::<f64>(Conversion::Lossy)?.into_raw_vec_and_offset().0)
    }

    /// The integers of a field; what is behind the point of other numbers is left out.
    pub(crate) fn ints(&self, field: &str) -> Result<Vec<i64>> {
        Ok(self.0.get(field)?.read_as::<i64>(Conversion::Lossy)?.into_raw_vec_and_offset().0)
    }

    /// The first integer of a field.
    pub(crate) fn int(&self, field: &str) -> Result<i64> {
        Ok(self.ints(field)?.first().copied().unwrap_or(0))
    }

    /// The text of a field.
    pub(crate) fn text(&self, field: &str) -> Result<String> {
        self.0.get(field)?.read_text()
    }

    /// That something is wrong with a field.
    pub(crate) fn wrong(&self, field: &str, what: impl Into<Box<str>>) -> Error {
        malformed(self.0.get(field).and_then(|item| item.address()).unwrap_or(0), what)
    }
}
