//! A bracket that is never closed.

dudley::layout!("x = f8[3");

fn main() {}
