//! Files of other formats for the Dudley engine, which reads them in place: a layout is made of their headers.
//!
//! Each format is a folder, and an entry of [`formats`].

mod beside;
mod cursor;
mod envi;
mod fields;
pub mod fits;
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

use dudley::model::{Format, InPlace, WriteFile};

/// The formats of this crate, for [`dudley::model::Formats`].
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
        Box::new(InPlace(hdf5::Hdf5)),
        Box::new(hdf5::face::Faces),
    ]
}

/// The formats of this crate of which files are written.
pub fn writers() -> Vec<Box<dyn WriteFile>> {
    vec![Box::new(fits::WriteFits), Box::new(netcdf3::WriteNetCdf3)]
}
