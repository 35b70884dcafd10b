//! `dudc`: the command line of Dudley layouts and streams.
//!
//! `cli.rs` says what can be asked for; each command is a file in `commands/`.

mod asdf;
mod below;
mod changes;
mod cli;
mod commands;
mod convert;
mod differences;
mod expansion;
mod export;
mod failure;
mod fill;
mod filters;
mod formats;
mod frame;
mod git;
mod hex;
mod input;
mod interrupt;
mod json;
mod names;
mod nodes;
mod npy;
mod opened;
mod options;
mod output;
mod pick;
mod progress;
mod remote;
mod report;
mod rows;
mod sarif;
mod scaled;
mod scratch;
mod several;
mod stream_args;
mod supply;
mod terminal;
mod text;
mod zip;

use clap::Parser;
use std::process::ExitCode;

/// Bytes of stack. Layouts that nest as deep as they may want more than the 1 MiB that Windows
/// gives to a program's main thread.
const STACK: usize = 8 << 20;

fn main() -> ExitCode {
    match std::thread::Builder::new().stack_size(STACK).spawn(run) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(error) => {
            eprintln!("error: no thread to run in: {error}");
            ExitCode::from(failure::Status::Io as u8)
        }
    }
}

fn run() -> ExitCode {
    interrupt::leave_nothing();
    match cli::Cli::try_parse() {
        Ok(cli) => {
            let output = output::Output::new(cli.color);
            output::exit(cli::run(cli.command, &output), &output)
        }
        Err(said) => output::exit(cli::said(&said), &output::Output::new(options::Color::Auto)),
    }
}
