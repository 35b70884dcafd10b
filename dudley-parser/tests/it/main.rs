//! All tests of files and programs in one program, which is linked once: a module for each subject.

mod compare;
mod corpus_check;
mod excerpt;
mod explain;
mod format;
mod formula;
mod lint;
mod noise;
mod padding;
mod parse;
mod placing;
mod print;
mod render;
mod to_end;
