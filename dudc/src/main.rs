//! `dudc`: the command line of Dudley layouts and streams.
//!
//! `cli.rs` says what can be asked for; each command is a file in `commands/`.

mod bare;
mod cli;
mod commands;
mod export;
mod failure;
mod input;
mod json;
mod npy;
mod output;
mod progress;
mod report;
mod rows;
mod stream_args;
mod supply;
mod terminal;
mod zip;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::Cli::try_parse() {
        Ok(cli) => {
            let output = output::Output::new(cli.color);
            output::exit(commands::run(cli.command, &output), &output)
        }
        Err(said) => output::exit(cli::said(&said), &output::Output::new(cli::Color::Auto)),
    }
}
