//! `dudc describe`: the layout with which the engine opens a foreign file in place.

use std::path::PathBuf;

use asdf_bridge::blosc2::Error;

use crate::failure::{Failure, Result};
use crate::frame;
use crate::input::{self, name_of};
use crate::output::print_text;
use crate::stream_args::{Input, StreamArgs, parse_number};

/// Prints the layout of a foreign file, with which it is read in place
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  dudc describe run.asdf > run.dud\n  dudc get run.asdf /rho \
                        --layout run.dud --raw\n  dudc describe run.b2frame")]
pub(crate) struct Args {
    /// An ASDF or FINF file, or a Blosc2 frame or chunk
    pub file: PathBuf,
    /// The frame starts at this byte of the file; so do the addresses of the layout
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_number)]
    pub base: u64,
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be opened, or needs no description.
pub(crate) fn run(args: &Args) -> Result<()> {
    let name = name_of(&args.file);
    if let Some(frame) = frame::open(&args.file, args.base)? {
        frame::doubts::warn_of_elsewhere(&frame, &name);
        let text = frame.describe().map_err(|error| frame::failure(&name, error))?;
        print_text(text.as_bytes())?;
        // How it is stored is there to read, and its elements are not.
        return match frame.array() {
            Err(error) if !matches!(error, Error::Elsewhere { .. }) => {
                Err(frame::failure(&name, error))
            }
            _ => Ok(()),
        };
    }
    let stream = StreamArgs { base: args.base, ..StreamArgs::default() };
    if let Some(text) = stream.chunk_layout(&args.file)? {
        return print_text(text.as_ref());
    }
    match stream.listing().input(&args.file)? {
        Input::Asdf(file) => crate::asdf::describe(&file),
        Input::Stream(_) => Err(Failure::input(format!(
            "{name} is a native stream: `dudc detach` prints its layout"
        ))),
        Input::Layout(layout) if layout.text().is_empty() => Err(input::empty(&args.file)),
        Input::Layout(_) => Err(Failure::input(format!("{name} is a layout already"))),
    }
}
