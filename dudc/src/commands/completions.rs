//! `dudc completions`: scripts that complete the command line in a shell.

use crate::failure::{Result, Status};
use crate::output::Output;
use clap::Command;
use clap_complete::Shell;

/// For which shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: dudc completions bash > ~/.local/share/bash-completion/completions/dudc")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(args: &Args, mut command: Command, output: &Output) -> Result {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "dudc", &mut script);
    output.print(script)?;
    Ok(Status::Done)
}
