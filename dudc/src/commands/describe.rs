//! `dudc describe`: the layout with which the engine opens a foreign file in place.

use std::path::PathBuf;

use crate::failure::{Failure, Result};
use crate::output::Output;
use crate::stream_args::{Input, StreamArgs};

/// Prints the layout of a foreign file, with which it is read in place
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  dudc describe run.asdf > run.dud\n  dudc get run.asdf /rho \
                        --layout run.dud --raw")]
pub(crate) struct Args {
    /// An ASDF or FINF file
    pub file: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be opened, or needs no description.
pub(crate) fn run(args: &Args, output: &Output) -> Result<()> {
    match StreamArgs::default().input(&args.file)? {
        Input::Asdf(file) => output.print(file.describe()?.text),
        Input::Stream(_) => Err(Failure::input(format!(
            "{} is a native stream: `dudc detach` prints its layout",
            args.file.display()
        ))),
        Input::Layout(_) => {
            Err(Failure::input(format!("{} is a layout already", args.file.display())))
        }
    }
}
