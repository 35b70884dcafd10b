//! What only a stream places has no address before there is one.

dudley::layout!(mod run = "N : i4  name {k : u1  \"\" = U1[k]}  names = name[N]  after = f8");

fn main() -> dudley::Result<()> {
    let places = run::Addresses::new(&run::Params { n: 3 })?;
    places.after().address()?;
    Ok(())
}
