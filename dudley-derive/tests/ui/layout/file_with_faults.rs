//! A file with errors is shown with its own lines.

dudley::layout!(mod faulty = "faulty_layout.dud");

fn main() {}
