pub(super) fn main() -> dudley::Result<()> {
    let open = dudley::Open::new().layout_text(include_str!("../programs.dud"))?;
    let stream = open.file("programs.bd")?;
    let part = stream.get("/g/part")?.read::<f32>()?;
    println!("{part:?}");
    Ok(())
}
