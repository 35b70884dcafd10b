//! Speeds, each measured by an example of the crate that it is about.

use std::process::Command;
use xtask::grammar::Outcome;

/// The speed of the parser, on a file or on a made-up layout of 10 MB.
pub(crate) fn parse(file: Option<&str>) -> Outcome<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "run",
        "--quiet",
        "--release",
        "-p",
        "dudley-parser",
        "--example",
        "parse_speed",
        "--",
    ]);
    let status = command.args(file).status()?;
    if status.success() { Ok(()) } else { Err("the benchmark failed".into()) }
}
