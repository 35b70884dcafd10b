fn main() -> dudley::Result<()> {
    let open = dudley::Open::new().layout_text(include_str!("$layout$"))?$raw$;
    let stream = open.file("$file$")?;
    let $name$ = stream.get($path_rust$)?.$read$()?;
    println!("{$name$:?}");
    Ok(())
}
