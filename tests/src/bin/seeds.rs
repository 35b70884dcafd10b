//! Writes what fuzzing starts from into a folder: `seeds FOLDER layouts|streams`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, kind] = &arguments[..] else {
        return Err(std::io::Error::other("usage: seeds FOLDER layouts|streams"));
    };
    for (name, seed) in dudley_tests::fuzzed::seeds() {
        if name.ends_with("-stream") == (kind == "streams") {
            std::fs::write(Path::new(folder).join(format!("seed-{name}")), seed)?;
        }
    }
    Ok(())
}
