pub(super) fn main() -> dudley::Result<()> {
    let open = dudley::Open::new().layout_text(include_str!("../programs.dud"))?;
    let stream = open.file("programs.bd")?;
    let name = stream.get("/name")?.read_text()?;
    println!("{name:?}");
    Ok(())
}
