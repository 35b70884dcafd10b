//! All tests of files and programs in one program, which is linked once: a module for each subject.

mod asdf_decoded;
mod asdf_describe;
mod asdf_layouts;
mod blosc2_chunks;
mod blosc2_corpus;
mod blosc2_describe;
mod blosc2_edit;
mod blosc2_layouts;
mod blosc2_ratio;
mod blosc2_right;
mod blosc2_threads;
mod blosc2_unsupported;
mod edit;
mod formats;
mod update;
