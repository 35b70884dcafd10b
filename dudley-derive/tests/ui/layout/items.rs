//! Items are those of the layout, and constants are none of them.

dudley::layout!(mod run = "magic = u1[4] #: const = [1, 2, 3, 4]\ngrid/ rho = f8[3]");

fn read(reader: &run::Reader) -> dudley::Result<()> {
    reader.magic().read()?;
    reader.rho().read()?;
    reader.grid().roh().read()?;
    Ok(())
}

fn main() {}
