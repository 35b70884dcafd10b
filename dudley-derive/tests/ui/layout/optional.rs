//! What may be absent must be looked for.

dudley::layout!(mod run = "B : i4 #: presence\nbc = f8[B, 3]");

fn read(reader: &run::Reader) -> dudley::Result<f64> {
    Ok(reader.bc().read()?.sum())
}

fn main() {}
