dudley::layout!(mod layout = "../programs.dud");

pub(super) fn main() -> dudley::Result<()> {
    let file = layout::Reader::open("programs.bd")?;
    let x = file.x().read()?;
    println!("{x:?}");
    Ok(())
}
