//! Files of other formats that are written: what a layout of one is, and what stands in it.

use crate::error::Result;
use crate::numpy::arrays::Named;
use crate::numpy::layout::Dicts;

/// A format that files are written of by a layout: its headers are items among others.
pub trait WriteFile: Send + Sync {
    /// The name of the format for programs, which is also the extension of its files: `fits`.
    fn name(&self) -> &'static str;

    /// The layout of a file that holds these arrays, and all of its items. It reports the data that the format cannot hold.
    ///
    /// # Errors
    /// If reading fails; what cannot be written at all.
    fn plan(&self, arrays: Vec<Named>, dicts: &Dicts) -> Result<Planned>;
}

/// A file that is to be written.
#[derive(Default)]
pub struct Planned {
    /// Its layout, of a raw stream.
    pub layout: String,
    /// The items of the layout, each by its name.
    pub items: Vec<Named>,
    /// The omissions and changes, a sentence each.
    pub lost: Vec<String>,
}
