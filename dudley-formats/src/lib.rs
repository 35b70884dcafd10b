//! Files of other formats, read in place by the Dudley engine through layouts made from their headers.
//!
//! Each format is a folder, and an entry of [`formats`].

mod attribute_types;
mod beside;
mod cursor;
mod envi;
mod fields;
mod fits;
mod fixed;
pub mod hdf5;
mod headers;
mod mat4;
mod netcdf3;
mod nifti;
mod nrrd;
mod pdb;
pub mod references;
mod safetensors;
mod strict;
mod table;
mod texts;
mod words;

pub use words::is_only_dimension;

use asdf_bridge::asdf::Within;
use dudley::filter::Registry;
use dudley::model::{Format, Formats, InPlace, WriteFile};

/// Every format: those of `dudley`, of `asdf-bridge` and of this crate.
///
/// ```
/// # fn main() -> dudley::Result<()> {
/// let opened = dudley_formats::all().source("bytes", b"GIF89a".to_vec(), &dudley::Open::new());
/// assert!(opened.is_err());
/// # Ok(())
/// # }
/// ```
pub fn all() -> Formats {
    Formats::builtin().with(asdf_bridge::formats()).with(formats())
}

/// All filters that a layout of these formats may name.
///
/// ```
/// let filters = dudley_formats::registry();
/// assert!(filters.get("zlib").is_some() && filters.get("blosc2").is_some());
/// ```
pub fn registry() -> Registry {
    let mut registry = asdf_bridge::filter::registry();
    hdf5::register(&mut registry);
    registry
}

/// The formats of this crate, for [`Formats`].
///
/// ```
/// let formats = dudley::model::Formats::builtin().with(dudley_formats::formats());
/// assert!(formats.source("x", b"GIF89a".to_vec(), &dudley::Open::new()).is_err());
/// ```
pub fn formats() -> Vec<Box<dyn Format>> {
    vec![
        Box::new(InPlace(fits::Fits)),
        Box::new(InPlace(pdb::Pdb)),
        Box::new(InPlace(nifti::Nifti)),
        Box::new(InPlace(nrrd::Nrrd)),
        Box::new(InPlace(envi::Envi)),
        Box::new(InPlace(safetensors::Safetensors)),
        Box::new(InPlace(mat4::Mat4)),
        Box::new(InPlace(netcdf3::NetCdf3)),
        Box::new(InPlace(hdf5::Hdf5::default())),
        Box::new(hdf5::face::Faces),
        Box::new(Within(fits::lodged::InFits)),
    ]
}

/// The formats of this crate of which files are written.
///
/// ```
/// assert_eq!(dudley_formats::writers().len(), 2); // FITS and netCDF-3
/// ```
pub fn writers() -> Vec<Box<dyn WriteFile>> {
    vec![Box::new(fits::WriteFits), Box::new(netcdf3::WriteNetCdf3)]
}
