//! All tests of this crate in one program: a module for each format.

mod fits;
mod hdf5;
mod kit;
mod netcdf3;
mod pdb;
mod small;
mod virtuals;
