//! Makes typed code of all known layouts that have streams, and of some random ones.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use dudley_codegen::{Options, generate};
use dudley_parser::check::check_to_read;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

#[expect(dead_code, unreachable_pub, reason = "the tests use the rest, and name it from elsewhere")]
#[path = "../src/random.rs"]
mod random;

/// How many random layouts there are.
const RANDOM: usize = 60;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=DUDLEY_CORPUS");
    println!("cargo::rerun-if-changed=../src/random.rs");
    dudley_codegen::build("../renamed/src/blast.dud")?;
    let mut code = Code::default();
    let own = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../corpus/layouts");
    let more = env::var_os("DUDLEY_CORPUS").map(|folder| Path::new(&folder).join("layouts"));
    for folder in std::iter::once(own).chain(more) {
        for case in cases(&folder.join("streams"))? {
            println!("cargo::rerun-if-changed={}", case.display());
            let text = fs::read(case.join("layout.dud"))?;
            if !code.known.insert(text.clone()) {
                continue;
            }
            code.add(&text, &case.canonicalize()?.display().to_string())?;
        }
    }
    let known = std::mem::take(&mut code.table);
    // The same ones each time, so that what fails, fails again.
    let mut runner = TestRunner::deterministic();
    for at in 0..RANDOM {
        let tree = random::layout().new_tree(&mut runner).map_err(|reason| reason.to_string())?;
        let layout = tree.current();
        code.add(layout.as_bytes(), &format!("random {at}"))?;
    }
    let source = format!(
        "{}\n/// Layouts with streams, by their folders.\npub static KNOWN: &[Case] = &[\n{known}];\n\
         /// Random layouts.\npub static RANDOM: &[Case] = &[\n{}];\n",
        code.modules, code.table
    );
    fs::write(Path::new(&env::var("OUT_DIR")?).join("bulk.rs"), source)?;
    Ok(())
}

/// Folders with a layout and a stream.
fn cases(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut cases: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    cases.retain(|case| case.join("layout.dud").is_file());
    cases.sort();
    Ok(cases)
}

/// A module for each layout, and a table of them.
#[derive(Default)]
struct Code {
    modules: String,
    table: String,
    count: usize,
    known: HashSet<Vec<u8>>,
}

impl Code {
    fn add(&mut self, text: &[u8], name: &str) -> Result<(), Box<dyn Error>> {
        // Some can be read only with other values than they declare.
        let checked = check_to_read(text);
        let layout = checked.layout.as_ref();
        let layout =
            layout.ok_or_else(|| format!("{name} has errors: {:?}", checked.diagnostics))?;
        let options = Options { transfer: true, ..Options::default() };
        let at = self.count;
        self.count += 1;
        let tokens = generate(layout, &options);
        // As strict as code can be that others include.
        let strict = "#![no_implicit_prelude]\n#![warn(clippy::pedantic, missing_docs)]";
        writeln!(self.modules, "/// {name:?}\npub mod case_{at} {{ {strict}\n{tokens} }}")?;
        writeln!(self.table, "Case::new::<case_{at}::Layout>({name:?}),")?;
        Ok(())
    }
}
