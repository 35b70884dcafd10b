//! A view borrows from its item, which has to be kept.

dudley::layout!(mod run = "x = f8[3]");

fn sum(reader: &run::Reader) -> dudley::Result<f64> {
    let view = reader.x().view()?;
    Ok(view.sum())
}

fn main() {}
