//! All tests of files and programs in one program, which is linked once: a module for each subject.

mod aggregate;
mod append;
mod blocks;
mod blocks_written;
mod checkpoint;
mod constants;
mod create;
mod family;
mod guards;
mod parts;
mod ranks;
mod scaled;
mod slices;
mod structs;
mod structs_evolution;
mod structs_layout;
mod structs_random;
mod structs_shapes;
mod swapped;
mod typed;
mod writes;
