//! One name for two things.

dudley::layout!(mod twice = "x = f8  x = i4");

fn main() {}
