//! The commands, each in a file of its own: its `Args`, and `run`.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod fmt;
pub(crate) mod lint;
pub(crate) mod man;

use crate::cli::{Cli, Command};
use crate::output::{Output, Result};

/// Does what was asked for.
pub(crate) fn run(cli: Cli) -> Result {
    let output = Output::new(cli.color);
    match cli.command {
        Command::Check(args) => check::run(&args, &output),
        Command::Explain(args) => explain::run(&args, &output),
        Command::Fmt(args) => fmt::run(&args, &output),
        Command::Lint(args) => lint::run(&args, &output),
        Command::Completions(args) => completions::run(&args, &output),
        Command::Man(args) => man::run(&args, &output),
    }
}
