//! All tests of this crate in one program: a module for each format.

mod fits;
mod netcdf3;
