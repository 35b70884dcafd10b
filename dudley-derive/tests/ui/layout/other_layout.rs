//! Params of one layout are none of another.

dudley::layout!(mod one = "N : i4  x = f8[N]");
dudley::layout!(mod other = "N : i4  x = f4[N]");

fn main() -> dudley::Result<()> {
    one::Writer::create("x.bd", &other::Params { n: 1 })?;
    Ok(())
}
