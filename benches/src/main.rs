//! Measures, and says how: `cargo xtask bench [name…] [--keep]`.
//!
//! Without a name everything is measured. Then, or when asked to, the results go to `docs/performance.md`,
//! in place of those before. Each file here measures one thing. No test depends on any of it.

mod addresses;
mod arrays;
mod asdf;
mod asdf_write;
mod blosc2;
mod c;
mod compile;
mod decode;
mod doc;
mod dynamic;
mod family;
mod formats;
mod fresh;
mod hdf5;
mod history;
mod index;
mod kept;
mod layouts;
mod memory;
mod open;
mod page;
mod parse;
mod peers;
mod process;
mod records;
mod report;
mod resolve;
mod scale;
mod timing;
mod tools;
mod whole;

use std::error::Error;

use report::Report;

type Outcome<T> = Result<T, Box<dyn Error>>;
/// What can be measured: its name, its title on the page, and how.
type Measure = (&'static str, &'static str, fn(&mut Report) -> Outcome<()>);

const ALL: [Measure; 24] = [
    ("parse", "Checking a layout", parse::measure),
    ("memory", "Memory while a layout is checked", memory::measure),
    ("resolve", "Addresses", resolve::measure),
    ("decode", "Arrays into used buffers", decode::measure),
    ("fresh", "Arrays into new memory", fresh::measure),
    ("open", "Opening a stream", open::measure),
    ("index", "One of 100,000 arrays", index::measure),
    ("records", "Records", records::measure),
    ("dynamic", "Records without types", dynamic::measure),
    ("arrays", "Typed arrays", arrays::measure),
    ("scale", "512 MiB", scale::measure),
    ("whole", "512 MiB, beside other libraries", whole::measure),
    ("history", "Histories, record by record", history::measure),
    ("addresses", "Addresses of typed items", addresses::measure),
    ("family", "Families", family::measure),
    ("tools", "Statistics and differences", tools::measure),
    ("doc", "Documentation of a layout", doc::measure),
    ("blosc2", "Blosc2", blosc2::measure),
    ("asdf", "ASDF, read", asdf::measure),
    ("asdf_write", "ASDF, written", asdf_write::measure),
    ("formats", "Files of other formats", formats::measure),
    ("hdf5", "HDF5", hdf5::measure),
    ("c", "Programs in C", c::measure),
    ("compile", "Compiling generated code", compile::measure),
];

/// Puts what was measured on the page.
const KEEP: &str = "--keep";

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let [memory::CHILD, file] = words[..] {
        return memory::child(file);
    }
    let (options, names): (Vec<&str>, _) = words.iter().partition(|word| **word == KEEP);
    let keep = !options.is_empty() || names.is_empty();
    if let Some(wrong) = names.iter().find(|word| ALL.iter().all(|(name, ..)| name != *word)) {
        let known: Vec<&str> = ALL.iter().map(|(name, ..)| *name).collect();
        return Err(format!("`{wrong}` is none of {}", known.join(", ")).into());
    }
    for (name, title, measure) in ALL {
        if names.is_empty() || names.contains(&name) {
            let mut report = Report::new();
            measure(&mut report)?;
            if keep {
                page::keep(name, &report.section(name, title)?)?;
            }
        }
    }
    Ok(())
}
