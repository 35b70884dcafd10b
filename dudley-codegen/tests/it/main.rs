//! All tests of files and programs in one program, which is linked once: a module for each subject.

mod derive;
mod expansion;
