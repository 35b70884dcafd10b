//! `dudc salvage`: the newest complete state of a damaged stream.

use std::path::PathBuf;

use clap::Args;
use dudley::append::{Salvaged, salvage};
use dudley::output::AtomicFile;
use dudley::source::{FileSource, Source};
use serde_json::{Value, json};

use crate::asdf::salvage as asdf;
use crate::cli::{Format, FormatArgs};
use crate::failure::{Failure, Result};
use crate::input::name_of;
use crate::output::Output;
use crate::stream_args::StreamArgs;

/// Finds the newest complete state in a damaged native stream, or what can be read of an ASDF file
///
/// Where the address of the layout is wrong, or the end of the file is missing, the layout is looked
/// for: a text without errors that describes what lies before it. Of an ASDF or FINF file all arrays are kept
/// that can be read; in the place of the others the tree says why not. FILE is not changed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  dudc salvage run.bd\n  dudc salvage run.bd -o repaired.bd")]
pub(crate) struct SalvageArgs {
    /// A native stream, or an ASDF or FINF file
    pub file: PathBuf,
    /// Writes that state as a stream of its own
    #[arg(value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// The same
    #[arg(short, long, value_name = "OUT", conflicts_with = "out")]
    pub output: Option<PathBuf>,
    /// Overwrites an existing output
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Runs the command.
///
/// # Errors
/// If there is no such state, or the output cannot be written.
pub(crate) fn run(args: &SalvageArgs, output: &Output) -> Result<()> {
    if let Some(file) = StreamArgs::default().asdf(&args.file)? {
        let found =
            asdf::salvage(&file, args.out.as_deref().or(args.output.as_deref()), args.force)?;
        return output.print(match args.format.format {
            Format::Human => found.lines(),
            Format::Json => format!("{:#}\n", found.json()),
        });
    }
    let of_file = |error| Failure::of_file(&name_of(&args.file), error);
    let source = FileSource::open(&args.file).map_err(of_file)?;
    let found = salvage(&source).map_err(of_file)?;
    if let Some(path) = args.out.as_ref().or(args.output.as_ref()) {
        let mut out = AtomicFile::create(path, args.force)?;
        found.write(&source, &mut out)?;
        out.commit()?;
    }
    let unused = source.len().saturating_sub(found.end);
    let unused = unused.saturating_sub(found.layout.text().len() as u64);
    output.print(match args.format.format {
        Format::Human => lines(&found, unused),
        Format::Json => format!("{:#}\n", json(&found, unused)),
    })
}

fn lines(found: &Salvaged, unused: u64) -> String {
    let how = match found.intact {
        true => "where the signature says",
        false => "by looking for it: the address in the signature is wrong, or what it leads to",
    };
    format!(
        "layout   {} bytes at address {}, found {how}\ndata     {} bytes, to address {}\nnot used \
         {unused} bytes\n",
        found.layout.text().len(),
        found.address,
        found.end - dudley::signature::LEN,
        found.end,
    )
}

fn json(found: &Salvaged, unused: u64) -> Value {
    json!({
        "version": 1,
        "intact": found.intact,
        "layout": { "address": found.address, "bytes": found.layout.text().len() },
        "data": { "address": dudley::signature::LEN, "bytes": found.end - dudley::signature::LEN },
        "unused": unused,
    })
}
