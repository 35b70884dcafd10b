//! Calls that are none.

dudley::layout!(restart);
dudley::layout!(pub "x = f8");
dudley::layout!(mod a "x = f8");
dudley::layout!(mod b = "x = f8", order = "big");
dudley::layout!(mod c = "x = f8", crate = "no path");
dudley::layout!(mod d = "x = f8" mod e);

fn main() {}
