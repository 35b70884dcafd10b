//! Programs in C, C++ and Fortran that use the library: built by the compilers that there are.

mod compile;
mod examples;
mod fortran;
mod header;
mod installed;
mod sources;
mod walk;
