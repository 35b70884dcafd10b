//! `dudc describe`: the layout with which the engine opens a foreign file in place.

use std::path::PathBuf;

use asdf_bridge::blosc2::Error;

use crate::failure::{Failure, Result};
use crate::frame;
use crate::input;
use crate::opened::Input;
use crate::output::print_text;
use crate::stream_args::{StreamArgs, parse_number};

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
    let stream = StreamArgs { base: args.base, ..StreamArgs::default() };
    let opened = stream.listing().opened(&args.file)?;
    let name = opened.name();
    if let Some(frame) = opened.frame() {
        frame::doubts::warn_of_elsewhere(frame, &name);
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
    if let Some(text) = frame::chunk_layout(opened.candidate()) {
        return print_text(text.as_ref());
    }
    match opened.input()? {
        Input::Asdf(file) => crate::asdf::describe(file),
        Input::Stream(_) => Err(Failure::input(format!(
            "{name} is a native stream: `dudc detach` prints its layout"
        ))),
        Input::Layout(layout) if layout.text().is_empty() => Err(input::empty(&args.file)),
        Input::Layout(_) => Err(Failure::input(format!("{name} is a layout already"))),
    }
}
