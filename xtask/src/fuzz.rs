//! Runs the fuzz targets with the stable toolchain: `cargo xtask fuzz [target…] [--runs N] [--max-len BYTES] [--minimise]`.
//!
//! There is no sanitizer, as those are for nightly compilers; overflows and broken assertions are
//! found all the same. A run continues from `fuzz/corpus/` and from what earlier runs found of
//! interest, which stays beside the build; `--minimise` brings into `fuzz/corpus/` what of it
//! reaches code that nothing else reaches.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::{Outcome, cargo, root, succeed, target};

/// The version that is installed where there is none.
const CARGO_FUZZ: &str = "cargo-fuzz@0.13.2";

/// What the command line asks for.
struct Wish {
    targets: Vec<String>,
    runs: u64,
    longest: u64,
    minimise: bool,
}

/// Fuzzes one target after the other.
pub(crate) fn run(words: &[&str]) -> Outcome<()> {
    let wish = wish(words)?;
    install()?;
    for target in &wish.targets {
        let found = found(target);
        seeds("write", target, &found)?;
        if wish.minimise {
            // Which code is reached, not how often.
            cargo_fuzz("cmin", target, &["-use_counters=0"])?;
            seeds("keep", target, &found)?;
        } else {
            let runs = format!("-runs={}", wish.runs);
            let own = fuzz().join(format!("{target}.dict"));
            let dict = if own.exists() { own } else { fuzz().join("layout.dict") };
            let dict = format!("-dict={}", dict.display());
            let longest = format!("-max_len={}", wish.longest);
            let limits = ["-rss_limit_mb=1024", "-timeout=10"];
            cargo_fuzz("run", target, &[&[&*runs, &*dict, &*longest][..], &limits].concat())?;
        }
    }
    Ok(())
}

fn wish(words: &[&str]) -> Outcome<Wish> {
    let mut wish = Wish { targets: Vec::new(), runs: 100_000, longest: 4096, minimise: false };
    let known = targets()?;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--runs" => wish.runs = words.next().ok_or("--runs takes a number")?.parse()?,
            "--max-len" => {
                wish.longest = words.next().ok_or("--max-len takes a number of bytes")?.parse()?;
            }
            "--minimise" => wish.minimise = true,
            word if known.iter().any(|name| name == word) => wish.targets.push(word.to_owned()),
            word => return Err(format!("there is no target `{word}` among {known:?}").into()),
        }
    }
    if wish.targets.is_empty() {
        wish.targets = known;
    }
    Ok(wish)
}

/// The files of `fuzz/fuzz_targets/`.
fn targets() -> Outcome<Vec<String>> {
    let mut names = Vec::new();
    for file in fs::read_dir(fuzz().join("fuzz_targets"))? {
        let path = file?.path();
        names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

fn fuzz() -> PathBuf {
    root().join("fuzz")
}

fn tools() -> PathBuf {
    target().join("tools")
}

/// `cargo fuzz` as it is found, or our own.
fn program() -> PathBuf {
    let own = tools().join("bin/cargo-fuzz");
    if own.exists() { own } else { "cargo-fuzz".into() }
}

fn install() -> Outcome<()> {
    if Command::new(program()).args(["fuzz", "--version"]).output().is_ok() {
        return Ok(());
    }
    let mut install = cargo();
    succeed(install.args(["install", "--locked", "--root"]).arg(tools()).arg(CARGO_FUZZ))
}

/// Where the inputs are that were found of interest, a file for each.
fn found(name: &str) -> PathBuf {
    target().join("fuzz-corpus").join(name)
}

/// Has the corpus of the repository written into a folder, or kept from it.
fn seeds(what: &str, target: &str, folder: &Path) -> Outcome<()> {
    let mut seeds = cargo();
    seeds.args(["run", "--quiet", "-p", "dudley-tests", "--bin", "seeds", "--", what, target]);
    succeed(seeds.arg(folder))
}

fn cargo_fuzz(command: &str, name: &str, arguments: &[&str]) -> Outcome<()> {
    let mut cargo = Command::new(program());
    cargo.args(["fuzz", command, "--sanitizer", "none", "--target-dir"]);
    cargo.arg(target().join("fuzz")).arg(name).arg(found(name));
    cargo.arg("--").args(arguments);
    // The options that instrument code are unstable; the toolchain is not.
    succeed(cargo.current_dir(root()).env("RUSTC_BOOTSTRAP", "1"))
}
