//! `dudc`: the command line of Dudley layouts and streams.
//!
//! `cli.rs` says what can be asked for; each command is a file in `commands/`.

mod cli;
mod commands;
mod input;
#[allow(dead_code, reason = "the commands that read and write streams need it")]
mod json;
#[allow(dead_code, reason = "the commands that read and write streams need it")]
mod npy;
mod output;
mod report;
#[allow(dead_code, reason = "the commands that read and write streams need it")]
mod rows;
#[allow(dead_code, reason = "the commands that read and write streams need it")]
mod supply;
#[allow(dead_code, reason = "the commands that read and write streams need it")]
mod zip;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    output::exit(commands::run(cli))
}
