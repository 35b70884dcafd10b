//! Arrays as numpy stores them: `.npy` files, `.npz` archives of these, and folders of them.
//!
//! All three are formats of [`Formats`](crate::model::Formats), with a layout that is made of the headers. A `.npy` file,
//! and an archive that stores its members as they are, are read in place; what is deflated, stored column by column,
//! or in files of its own is presented as a stream in which the arrays follow each other. The source of all facts is
//! numpy's `numpy.lib.format`, versions 1 to 3.

pub mod archive;
mod array_source;
pub mod arrays;
mod dataset;
pub mod descr;
pub mod layout;
mod members;
pub mod names;
mod npy;
mod table;
pub mod types;

use std::borrow::Cow;

use dudley_parser::layout::dtype::Primitive;

use crate::error::{Error, Item, Result};
pub use array_source::{ArraySource, Units};
pub use dataset::{Kind, OpenArrays, stream_of};
pub use npy::Npy;
pub use table::Table;

/// What a `.npy` file begins with.
const MAGIC: &[u8] = b"\x93NUMPY";

/// The primitive of elements of a kind and size of numpy; bytes and times as integers.
///
/// ```
/// use dudley::Primitive;
/// use dudley::numpy::primitive_of;
///
/// assert_eq!(primitive_of('f', 8).map(Primitive::name), Some("f8"));
/// assert_eq!(primitive_of('M', 8).map(Primitive::name), Some("i8"));
/// assert_eq!(primitive_of('O', 8), None);
/// ```
pub fn primitive_of(kind: char, size: u64) -> Option<Primitive> {
    let name = match kind {
        'U' => "U4".to_owned(),
        'S' => "S1".to_owned(),
        'V' => "u1".to_owned(),
        'm' | 'M' => format!("i{size}"),
        kind => format!("{kind}{size}"),
    };
    Primitive::ALL.iter().find(|primitive| primitive.name() == name).copied()
}

/// Elements with the bytes of each unit reversed; of units of one byte as they are.
fn swapped(bytes: &[u8], unit: usize) -> Result<Cow<'_, [u8]>> {
    if unit <= 1 {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut swapped = bytes.to_vec();
    crate::elements::swap::swap_in_place(&mut swapped, unit)?;
    Ok(Cow::Owned(swapped))
}

/// An archive has an entry that cannot be read.
///
/// ```
/// let error = dudley::numpy::unreadable("a pickle").of_item("/x");
/// assert!(error.to_string().contains("a pickle"));
/// ```
pub fn unreadable(why: &str) -> Error {
    Error::WrongValue {
        item: Item::UNKNOWN,
        expected: "an array of numpy".into(),
        found: why.into(),
    }
}
