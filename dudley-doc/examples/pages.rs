//! Makes the pages of layouts: `cargo run -p dudley-doc --example pages LAYOUT… FOLDER`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = names.pop().filter(|_| !names.is_empty()) else {
        println!("usage: pages LAYOUT… FOLDER");
        return Ok(());
    };
    let mut layouts = Vec::new();
    for name in &names {
        let layout = dudley_parser::check(&std::fs::read(name)?).layout.ok_or("errors in it")?;
        let file = std::path::Path::new(name).file_name().unwrap_or_default();
        layouts.push((file.to_string_lossy().into_owned(), layout));
    }
    let sources: Vec<_> =
        layouts.iter().map(|(file, layout)| dudley_doc::Source::new(file, layout)).collect();
    std::fs::create_dir_all(&folder)?;
    for file in dudley_doc::site(&sources) {
        std::fs::write(std::path::Path::new(&folder).join(&file.name), &file.text)?;
    }
    Ok(())
}
