dudley::layout!(mod layout = "$layout$");

fn main() -> dudley::Result<()> {
    let file = layout::Reader::open("$file$")?;
    let $name$ = file$methods$.read()?;
    println!("{$name$:?}");
    Ok(())
}
