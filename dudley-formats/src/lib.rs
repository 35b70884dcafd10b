//! Files of other formats for the Dudley engine, which reads them in place: a layout is made of their headers.
//!
//! Each format is a folder, and an entry of [`formats`].

mod cursor;
mod netcdf3;

/// The formats of this crate, for [`dudley::model::Formats`].
pub fn formats() -> Vec<Box<dyn dudley::model::Format>> {
    vec![Box::new(dudley::model::InPlace(netcdf3::NetCdf3))]
}
