//! `dudc get`: one array, or a slice of it, to the terminal or into a file.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use dudley::select::Selected;

use crate::cli::Format;
use crate::export::{self, Kind};
use crate::failure::{Failure, Result};
use crate::fill::Fill;
use crate::input::{is_stdin, need_another};
use crate::pick::{self, Masked};
use crate::stream_args::StreamArgs;
use crate::terminal;

/// Gets one array, or a slice of it
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  dudc get run.bd '/rho[10:20, ::2, -1]'\n  dudc get run.bd \
                        /rho -o rho.npy\n  dudc get run.bd '/rec[:]/time' --format json")]
pub(crate) struct GetArgs {
    /// A stream
    pub file: PathBuf,
    /// The path of an item, with a slice as numpy writes it
    pub path: String,
    #[command(flatten)]
    pub stream: StreamArgs,
    /// Writes to a file: .npy, .csv, .json or .raw (the bytes in the stream's order); a fixed param is
    /// i8 in a .npy
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Overwrites an existing output
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub fill: Fill,
    /// Shows all elements
    #[arg(long)]
    pub all: bool,
    /// How it is shown
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Runs the command.
///
/// # Errors
/// If the stream cannot be opened, or there is no such item.
pub(crate) fn run(args: &GetArgs) -> Result<()> {
    let masked = match args.output.as_deref().and_then(Kind::of) {
        Some(Kind::Npy | Kind::Raw) => Masked::Written(&args.fill),
        Some(_) if args.fill.is_given() => Masked::Written(&args.fill),
        Some(_) => Masked::Nulls(&args.fill),
        None => Masked::Null,
    };
    let written = args.output.is_some();
    let selected = pick::of_file(&args.stream, &args.file, &args.path, masked, written)?;
    match &args.output {
        Some(path) => {
            need_another(path, [&*args.file].into_iter().chain(args.stream.layout.as_deref()))?;
            export::to_file(&selected, output_kind(path)?, path, args.force)
        }
        None => show(args, &selected),
    }
}

/// The format that an output asks for.
///
/// # Errors
/// If it asks for none.
pub(crate) fn output_kind(output: &Path) -> Result<Kind> {
    Kind::of(output).ok_or_else(|| {
        Failure::usage(match is_stdin(output) {
            true => "to standard output a value is shown without -o; --format json is for programs",
            false => "an output ends in .npy, .csv, .json or .raw",
        })
    })
}

fn show(args: &GetArgs, selected: &Selected) -> Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match args.format {
        Format::Json => export::json(selected, &args.path, false, &[], &mut out)?,
        Format::Human => terminal::show(selected, "", args.all, &mut out)?,
    }
    out.flush().map_err(Failure::output)
}
