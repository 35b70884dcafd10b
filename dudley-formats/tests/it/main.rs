//! All tests of files in one program, which is linked once: a module for each subject.

mod kit;
mod pdb;
mod small;
