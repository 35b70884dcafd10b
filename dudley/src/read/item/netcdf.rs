//! Arrays that netCDF-4 stores shorter than their dimensions are.

use std::sync::Arc;

use dudley_parser::comments::AttrValue;
use dudley_parser::layout::blocks::{Areas, FILL, FILL_BYTES};
use dudley_parser::layout::words::NETCDF_SHAPE;

use super::blocks::fill;
use crate::bytes::blocks::{Block, Blocks};
use crate::bytes::source::Source;
use crate::error::{Error, Result};
use crate::read::data::{Data, Decoded};
use crate::read::dtype::strides;
use crate::read::presented::Presented;

impl Data {
    /// The array of an item in the shape that its attribute `netcdf_shape` has: netCDF-4 stores a variable along an unlimited
    /// dimension as far as it was written, and shows fill values from there to the end of the dimension. `None` if the
    /// item is stored whole; nothing is read.
    ///
    /// ```
    /// let layout = "x = [u1[2] @0]  #: whole = [2], fill = 9, netcdf_shape = [4]";
    /// let stream = dudley::Open::new().layout_text(layout)?.raw().bytes([1, 2])?;
    /// let x = stream.get("/x")?.data()?;
    /// assert_eq!(x.read::<u8>()?.as_slice(), Some(&[1, 2][..]));
    /// let x = x.in_netcdf()?.expect("it is longer in netCDF");
    /// assert_eq!(x.read::<u8>()?.as_slice(), Some(&[1, 2, 9, 9][..]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongValue`] if the fill value is none of an element; [`Error::TooLarge`].
    pub fn in_netcdf(&self) -> Result<Option<Data>> {
        let attributes = self.attributes();
        let said = attributes.iter().find(|it| it.name == NETCDF_SHAPE).map(|it| &it.value);
        let Some(AttrValue::Ints(dims)) = said else { return Ok(None) };
        let dims = dims.iter().map(|dim| u64::try_from(*dim).ok());
        // Elements that are arrays have dimensions of their own.
        let inner = self.shape.iter().skip(dims.len()).copied().map(Some);
        let Some(whole) = dims.chain(inner).collect::<Option<Vec<u64>>>() else { return Ok(None) };
        // A part has the attributes of the whole.
        let size = self.dtype.size().unwrap_or(0);
        let is_item = match &self.decoded {
            Some(Decoded::Blocks(blocks)) => blocks.len() == self.len()?.saturating_mul(size),
            _ => self.is_empty(),
        };
        let Some(source) = self.by_address()?.filter(|_| is_item && whole != self.shape) else {
            return Ok(None);
        };
        let mut areas = Areas::new(&whole);
        if areas.push(&self.shape, None).is_err() {
            return Ok(None);
        }
        let named = |error: Error| error.of_item(&self.path);
        let value = attributes.iter().find(|it| [FILL, FILL_BYTES].contains(&&*it.name));
        let value = value.map(|value| fill(self.layout(), value, &self.dtype, &whole)).transpose();
        let stored = move |_| Ok(Block::Plain(source.clone(), 0));
        let blocks = Blocks::new(&areas, size, &value.map_err(named)?.unwrap_or_default(), stored);
        let blocks = blocks.map_err(named)?.work((*self.stream.work).clone());
        Ok(Some(Data {
            strides: strides(&whole, size),
            shape: whole,
            address: 0,
            bytes: blocks.len(),
            filter: None,
            decoded: Some(Decoded::Opened(Arc::new(blocks))),
            extent: None,
            presented: Presented::default(),
            ..self.clone()
        }))
    }
}
