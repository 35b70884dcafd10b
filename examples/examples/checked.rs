//! A layout that is checked while the program is compiled.

use dudley::{Open, Writer, parse_layout};

const TEXT: &str = dudley_derive::layout_text!("../layouts/c-struct.dud");

fn main() -> dudley::Result<()> {
    let layout = parse_layout(TEXT.as_bytes())?;
    println!("{} types, no errors at run time", layout.types().len());

    // What is only known when the program runs still gets an error that says where it is.
    let faulty = Open::new().layout_text("x = f8[N]");
    println!("{}", faulty.err().map_or_else(String::new, |error| error.to_string()));

    let missing = Writer::new(parse_layout(b"N : i4  x = f8[N]")?).param("/N", 2).to_bytes();
    println!("{}", missing.err().map_or_else(String::new, |error| error.to_string()));
    Ok(())
}
