//! `dudc get`: one array, or a slice of it, to the terminal or into a file.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use dudley::read::select::Selected;

use crate::export::{self, Kind};
use crate::failure::{Failure, Result, Status};
use crate::fill::Fill;
use crate::input::need_another;
use crate::names::is_stdin;
use crate::options::Format;
use crate::output::Output;
use crate::pick::{self, Masked};
use crate::several::Shown;
use crate::stream_args::StreamArgs;
use crate::{scaled, terminal};

/// Gets one array, or a slice of it
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  dudc get run.bd '/rho[10:20, ::2, -1]'\n  dudc get run.bd \
                        /time /rho\n  dudc get run.bd /rho -o rho.npy\n  dudc get run.bd '/rec[:]/time' --format json\n  dudc get run.bd '/rec[:]/time' \
                        '/rec[:]/dt' -o rec.csv")]
pub(crate) struct GetArgs {
    /// A file of any format that `dudc ls` opens
    pub file: PathBuf,
    /// Paths of items, with slices as numpy writes them
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
    #[command(flatten)]
    pub stream: StreamArgs,
    /// Writes to a file: .npy, .csv (with several paths a column for each), .json or .raw (the bytes in the
    /// stream's order); a fixed param is i8 in a .npy
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Overwrites an existing output
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub fill: Fill,
    /// Prints physical values, `add_offset + scale_factor * stored` by the attributes, and NaN for
    /// `_FillValue`
    #[arg(long)]
    pub scaled: bool,
    /// Shows all elements
    #[arg(long)]
    pub all: bool,
    /// How to print results
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Runs the command.
///
/// # Errors
/// If the stream cannot be opened, or there is no such item.
pub(crate) fn run(args: &GetArgs, output: &Output) -> Result {
    if args.paths.len() > 1
        && let Some(file) = &args.output
    {
        if output_kind(file)? != Kind::Csv {
            return Err(Failure::usage(
                "an output holds one array, but for a .csv, which has columns: get each path by itself, or `dudc \
                 convert` all of them into an .npz",
            ));
        }
        return output.about(&args.file, |_| columns(args, file)).map(|()| Status::Done);
    }
    if args.paths.len() > 1 && is_stdin(&args.file) {
        return Err(Failure::usage("standard input can be read only once: give one path"));
    }
    let shown = Shown { list: "arrays", key: "path", names: &args.paths, say_so: true };
    output.about(&args.file, |output| {
        shown.each(args.format, output, &mut |at, out| one(args, &args.paths[at], out))
    })
}

/// How masked elements are shown.
fn masked(args: &GetArgs) -> Masked<'_> {
    match args.output.as_deref().and_then(Kind::of) {
        Some(Kind::Npy | Kind::Raw) => Masked::Written(&args.fill),
        Some(_) if args.fill.is_given() => Masked::Written(&args.fill),
        Some(_) => Masked::Nulls(&args.fill),
        None => Masked::Null,
    }
}

/// Writes the selections of several paths as columns.
fn columns(args: &GetArgs, file: &Path) -> Result<()> {
    let opened = args.stream.opened(&args.file)?;
    let picked = |path: &String| {
        let selected = pick::of_opened(&opened, path, masked(args), true)?;
        scaled::of_selected(selected, args.scaled)
    };
    let picked = args.paths.iter().map(picked).collect::<Result<Vec<_>>>()?;
    need_another(file, [&*args.file].into_iter().chain(args.stream.layout.as_deref()))?;
    export::to_columns(&args.paths, &picked, file, args.force)
}

/// Gets the selection of one path.
fn one(args: &GetArgs, path: &str, out: &mut dyn Write) -> Result<()> {
    let written = args.output.is_some();
    let selected = pick::of_file(&args.stream, &args.file, path, masked(args), written)?;
    let selected = scaled::of_selected(selected, args.scaled)?;
    match &args.output {
        Some(file) => {
            need_another(file, [&*args.file].into_iter().chain(args.stream.layout.as_deref()))?;
            export::to_file(&selected, output_kind(file)?, file, args.force)
        }
        None => show(args, path, &selected, out),
    }
}

/// The format that an output asks for.
///
/// # Errors
/// If it asks for none.
pub(crate) fn output_kind(output: &Path) -> Result<Kind> {
    Kind::of(output).ok_or_else(|| {
        Failure::usage(if is_stdin(output) {
            "to standard output a value is shown without -o; --format json is for programs"
        } else {
            "an output ends in .npy, .csv, .json or .raw"
        })
    })
}

fn show(args: &GetArgs, path: &str, selected: &Selected, out: &mut dyn Write) -> Result<()> {
    match args.format {
        Format::Json => export::json(selected, path, false, &[], out)?,
        Format::Human => terminal::show(selected, "", args.all, out)?,
    }
    out.flush().map_err(Failure::output)
}
