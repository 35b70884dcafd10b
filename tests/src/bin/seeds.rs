//! Between the repository and the folders that libFuzzer works on: `seeds write TARGET FOLDER`
//! writes what fuzzing a target starts from, `seeds keep TARGET FOLDER` keeps what is there.

use std::io;
use std::path::Path;

use dudley_tests::fuzzed;

/// What targets take that take no layout; it ends the names of their seeds.
const OWN: [&str; 9] = [
    "asdf",
    "fits",
    "formats",
    "hdf5",
    "netcdf3",
    "blosc2_frame",
    "blosc2_chunk",
    "blosc2_b2nd",
    "blosc2_trailer",
];

/// The other targets that take no layout alone.
const OTHERS: [&str; 3] = ["open", "index", "append"];

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [_, "write", target, folder] => write(target, Path::new(folder)),
        [_, "keep", target, folder] => fuzzed::keep(target, Path::new(folder)),
        _ => Err(io::Error::other("usage: seeds write|keep TARGET FOLDER")),
    }
}

/// Known layouts and files of other formats join what is kept. `open` takes a stream behind the layout, some a file or a part of
/// one; `index` and `append` take scripts, of which only some are kept; the others take a layout alone.
fn write(target: &str, folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, seed) in fuzzed::seeds() {
        let of = match name.rsplit_once('-') {
            Some((_, "stream")) => "open",
            Some((_, own)) if OWN.contains(&own) => own,
            _ => "layout",
        };
        let alone = !OTHERS.contains(&target) && !OWN.contains(&target);
        if of == target || of == "layout" && alone {
            std::fs::write(folder.join(format!("seed-{name}")), seed)?;
        }
    }
    for (number, input) in fuzzed::foreign(target).iter().enumerate() {
        std::fs::write(folder.join(format!("foreign-{number}")), input)?;
    }
    for (number, input) in fuzzed::kept(target)?.iter().enumerate() {
        std::fs::write(folder.join(format!("kept-{number}")), input)?;
    }
    Ok(())
}
