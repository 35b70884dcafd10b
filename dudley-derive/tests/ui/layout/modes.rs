//! Readers read, writers write, addresses do neither.

dudley::layout!(mod run = "x = f8[3]  n = i4");

fn all(reader: &run::Reader, writer: &run::Writer, places: &run::Addresses) -> dudley::Result<()> {
    reader.n().write(1)?;
    writer.n().read()?;
    places.x().read()?;
    Ok(())
}

fn main() {}
