//! `dudc get`: one array, or a slice of it, to the terminal or into a file.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use dudley::select::{Selected, select};

use crate::cli::Format;
use crate::export::{self, Kind};
use crate::failure::{Failure, Result};
use crate::frame;
use crate::input::{is_stdin, name_of, need_another};
use crate::stream_args::{Input, StreamArgs};
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
    let selected = select_in(args)?;
    match &args.output {
        Some(path) => {
            need_another(path, [&*args.file].into_iter().chain(args.stream.layout.as_deref()))?;
            export::to_file(&selected, output_kind(path)?, path, args.force)
        }
        None => show(args, &selected),
    }
}

/// What the path picks of the file.
fn select_in(args: &GetArgs) -> Result<Selected> {
    if let Some(frame) = args.stream.frame(&args.file)?
        && let Some(selected) = frame::select(&frame, &name_of(&args.file), &args.path)?
    {
        return Ok(selected);
    }
    let stream = match args.stream.excerpt(&args.file, &args.path)? {
        Some(stream) => stream,
        None => match args.stream.input(&args.file)? {
            Input::Asdf(file) => {
                let output = args.output.as_deref().and_then(Kind::of);
                return crate::asdf::select(&file, &args.path, output);
            }
            input => args.stream.stream_in(input, &args.file)?,
        },
    };
    select(&stream, &args.path).map_err(|error| match error {
        error @ (dudley::Error::NoSuchItem { .. } | dudley::Error::NotData { .. }) => error.into(),
        error => Failure::of_file(&name_of(&args.file), error),
    })
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
        Format::Human => terminal::show(selected, args.all, &mut out)?,
    }
    out.flush().map_err(Failure::output)
}
