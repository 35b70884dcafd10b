//! Files of other formats for the Dudley engine, which reads them in place: a layout is made of their headers.
//!
//! Each format is a folder, and an entry of [`formats`].

mod cursor;

/// The formats of this crate, for [`dudley::model::Formats`].
pub fn formats() -> Vec<Box<dyn dudley::model::Format>> {
    vec![]
}
