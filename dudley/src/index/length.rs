//! How long is an index that does not end its file, because another stream follows?

use std::sync::Arc;

use super::find::check_head;
use super::format::{ALIGN, Footer, PARSED};
use crate::bytes::source::{Source, Window};
use crate::error::Result;
use crate::read::stream::Open;

/// Where the index ends that begins behind a layout whose text ends at an address; `None` if there is no
/// whole one.
pub(crate) fn index_end(source: &Arc<dyn Source>, text_end: u64) -> Option<u64> {
    let address = text_end.checked_next_multiple_of(ALIGN)?;
    let length = length_at(source, address).ok().flatten()?;
    address.checked_add(length)
}

/// The length of the index that begins at an address: its layout says it, and its footer must agree.
fn length_at(source: &Arc<dyn Source>, address: u64) -> Result<Option<u64>> {
    let Some(parsed) = PARSED.clone() else { return Ok(None) };
    let rest = Window::from(source.clone(), address)?;
    let stream = Open::new().layout(parsed).raw().source(rest)?;
    check_head(&stream, address)?;
    let length = stream.data_end()?;
    let footer = Footer::read(&Window::new(source.clone(), address, length)?)?;
    Ok(footer.filter(|footer| footer.length == length).map(|_| length))
}
