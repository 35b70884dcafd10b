//! All tests of files and programs in one program, which is linked once: a module for each subject.

mod asdf;
mod blosc2;
mod blosc2_write;
mod circles;
mod compare;
mod corpus;
mod doc;
mod docs;
mod editors;
mod fits;
mod foreign;
mod hdf5_face;
mod hexdump;
mod index;
mod netcdf3;
mod numpy;
mod phrases;
mod presented;
mod radhydro;
mod references;
mod robustness;
mod roundtrip;
mod schema;
mod shown;
mod tidy;
mod tools;
