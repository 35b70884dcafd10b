//! `dudc`: the command line of Dudley layouts and streams.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(dudc::main(std::env::args_os().collect()))
}
