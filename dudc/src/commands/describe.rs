//! `dudc describe`: the layout with which the engine opens a foreign file in place.

use std::path::PathBuf;

use crate::failure::{Failure, Result};
use crate::opened::Input;
use crate::output::{print_text, warn};
use crate::stream_args::{StreamArgs, parse_number};

/// Notes that are shown.
const SHOWN: usize = 10;

/// Prints the layout of a foreign file, with which it is read in place
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  dudc describe run.asdf > run.dud\n  dudc get run.asdf /rho \
                        --layout run.dud --raw\n  dudc describe run.b2frame")]
pub(crate) struct Args {
    /// A file of another format, such as HDF5, netCDF-3, FITS or ASDF
    pub file: PathBuf,
    /// The described part of the file starts at this byte; addresses of the layout count from here
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_number)]
    pub base: u64,
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be opened, or needs no description.
pub(crate) fn run(args: &Args) -> Result<()> {
    let stream = StreamArgs { base: args.base, ..StreamArgs::default() };
    let opened = stream.listing().opened(&args.file)?;
    let (name, what) = (opened.name(), opened.dataset().describe());
    let failed = |error| Failure::of_file(&name, error);
    let Some(described) = opened.dataset().layout().map_err(failed)? else {
        return Err(match opened.input()? {
            Input::Layout(_) => Failure::input(format!("{name} is a layout already")),
            _ => Failure::input(format!("{name} is {what}: `dudc detach` prints its layout")),
        });
    };
    for note in described.notes.iter().take(SHOWN) {
        opened.say(note);
    }
    if let Some(more) = described.notes.len().checked_sub(SHOWN + 1) {
        warn(&format!("… and {} more, which the layout names in comments", more + 1));
    }
    print_text(described.text.as_bytes())?;
    described.fault.map_or(Ok(()), |error| Err(failed(error)))
}
