//! The functions of `dudc`, the command line of Dudley layouts and streams: for the program, and for packages
//! of other languages that offer it.
//!
//! `cli.rs` declares the command line; each command is a file in `commands/`.

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
mod import;
mod input;
mod interrupt;
mod json;
mod kept;
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

use std::ffi::OsString;

pub use kept::Kept;

/// Bytes of stack. Layouts that nest as deep as they may want more than the 1 MiB that Windows
/// gives to a program's main thread.
const STACK: usize = 8 << 20;

/// Runs a command line, whose first word is the name of the program, and returns the exit status. Signals that end
/// the program leave no unfinished files.
pub fn main(words: Vec<OsString>) -> u8 {
    interrupt::leave_nothing();
    in_a_thread(|| done(words)).unwrap_or_else(|error| {
        eprintln!("error: no thread to run in: {error}");
        failure::Status::Io as u8
    })
}

/// Runs a command line and collects its output.
///
/// ```
/// let words = ["dudc", "explain", "no-such-code"].map(Into::into).to_vec();
/// let kept = dudc::kept(words)?;
/// assert_eq!((kept.status, kept.out.len()), (2, 0));
/// assert!(String::from_utf8_lossy(&kept.messages).contains("no-such-code"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If there is no thread to run in.
pub fn kept(words: Vec<OsString>) -> std::io::Result<Kept> {
    in_a_thread(move || kept::keep(|| done(words)))
}

fn in_a_thread<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> std::io::Result<T> {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run)?;
    Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
}

fn done(words: Vec<OsString>) -> u8 {
    match cli::parse(words) {
        Ok(cli) => {
            let output = output::Output::new(cli.color);
            output::exit(cli::run(cli.command, &output), &output)
        }
        Err(said) => output::exit(cli::said(&said), &output::Output::new(options::Color::Auto)),
    }
}
