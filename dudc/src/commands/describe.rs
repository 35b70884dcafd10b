//! `dudc describe`: the layout of a foreign file, with which it is opened in place.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::failure::{Failure, Result};
use crate::frame;
use crate::input::name_of;

/// Prints the layout of a Blosc2 frame, with which it is opened in place
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  dudc describe run.b2frame > run.dud\n  dudc get run.b2frame \
                        /chunks/0 --layout run.dud --raw")]
pub(crate) struct DescribeArgs {
    /// A Blosc2 frame
    pub file: PathBuf,
    /// The frame starts at this byte of the file; so do the addresses of the layout
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub base: u64,
}

/// Runs the command.
///
/// # Errors
/// If the file is nothing that can be described.
pub(crate) fn run(args: &DescribeArgs) -> Result<()> {
    let name = name_of(&args.file);
    let frame = frame::open(&args.file, args.base)?
        .ok_or_else(|| Failure::input(format!("{name} is no Blosc2 frame")))?;
    let text = frame.describe().map_err(|error| frame::failure(&name, error))?;
    std::io::stdout().write_all(text.as_bytes()).map_err(Failure::output)
}
