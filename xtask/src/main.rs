//! Chores of the repository, run as `cargo xtask <chore>`.

mod bench;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask grammar | bench parse [file]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["grammar"] => xtask::grammar::update(),
        ["bench", "parse"] => bench::parse(None),
        ["bench", "parse", file] => bench::parse(Some(file)),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
