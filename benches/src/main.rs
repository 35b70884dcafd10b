//! Measures, and says how: `cargo xtask bench [name…]`.
//!
//! Without a name everything is measured, and `docs/performance.md` is written. Each file here
//! measures one thing. No test depends on any of it.

mod addresses;
mod arrays;
mod asdf;
mod asdf_write;
mod blosc2;
mod compile;
mod decode;
mod doc;
mod dynamic;
mod family;
mod fresh;
mod history;
mod index;
mod kept;
mod layouts;
mod memory;
mod open;
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
type Measure = fn(&mut Report) -> Outcome<()>;

const ALL: [(&str, Measure); 21] = [
    ("parse", parse::measure),
    ("memory", memory::measure),
    ("resolve", resolve::measure),
    ("decode", decode::measure),
    ("fresh", fresh::measure),
    ("open", open::measure),
    ("index", index::measure),
    ("records", records::measure),
    ("dynamic", dynamic::measure),
    ("arrays", arrays::measure),
    ("scale", scale::measure),
    ("whole", whole::measure),
    ("history", history::measure),
    ("addresses", addresses::measure),
    ("family", family::measure),
    ("tools", tools::measure),
    ("doc", doc::measure),
    ("blosc2", blosc2::measure),
    ("asdf", asdf::measure),
    ("asdf_write", asdf_write::measure),
    ("compile", compile::measure),
];

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let [memory::CHILD, file] = words[..] {
        return memory::child(file);
    }
    if let Some(wrong) = words.iter().find(|word| ALL.iter().all(|(name, _)| name != *word)) {
        let known: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
        return Err(format!("`{wrong}` is none of {}", known.join(", ")).into());
    }
    let mut report = Report::new();
    for (name, measure) in ALL {
        if words.is_empty() || words.contains(&name) {
            measure(&mut report)?;
        }
    }
    if words.is_empty() {
        report.write(&dudley_tests::root().join("docs/performance.md"))?;
    }
    Ok(())
}
