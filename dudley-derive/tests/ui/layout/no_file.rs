//! A file that is nowhere.

dudley::layout!(pub mod restart = "no_such_layout.dud");

fn main() {}
