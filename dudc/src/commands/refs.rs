//! `dudc refs`: references through which zarr finds the arrays of foreign files.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use dudley::model::{Depth, LayoutText};
use dudley_formats::references::{Member, Options, Version, references};

use crate::failure::{Failure, Result};
use crate::input::need_another;
use crate::names::is_stdin;
use crate::options::ForceArgs;
use crate::output::{Existing, print_text, warn, write_file};
use crate::stream_args::StreamArgs;

/// This many arrays are named that are left out.
const SHOWN: usize = 10;

/// Writes references through which xarray, zarr and dask read the arrays of files in place, with
/// kerchunk
///
/// References can point to arrays whose elements are stored plainly, encoded as a whole by zlib,
/// gzip, bzip2, zstd or Blosc, or in blocks, as in netCDF-4 files. A list of dicts of one form
/// becomes arrays with one more dimension. Several files with the same arrays become one dataset,
/// with a first dimension that counts the files.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  dudc refs run.bd -o refs.json\n  dudc refs runs/*.bd -o runs.json --member run\n\n\
                  In Python, with the package kerchunk:\n  xarray.open_dataset(\"refs.json\", engine=\"kerchunk\")"
)]
pub(crate) struct RefsArgs {
    /// Files of any format; several are members of one dataset
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The file of references; by default standard output
    #[arg(short, long, value_name = "OUT.json")]
    pub output: Option<PathBuf>,
    /// The format of zarr's metadata
    #[arg(long, default_value = "2")]
    pub zarr: Format,
    /// The name of the dimension that counts files
    #[arg(long, value_name = "NAME", default_value = "member")]
    pub member: String,
    /// Where readers find the files: a prefix of their names. By default, their absolute paths are
    /// written
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    #[command(flatten)]
    pub stream: StreamArgs,
    #[command(flatten)]
    pub force: ForceArgs,
}

/// A format of zarr's metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// `.zarray` and `.zattrs`, which kerchunk and xarray's engine `kerchunk` read
    #[value(name = "2")]
    V2,
    /// `zarr.json`
    #[value(name = "3")]
    V3,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read, or the references cannot be written.
pub(crate) fn run(args: &RefsArgs) -> Result<()> {
    if let Some(output) = &args.output {
        need_another(
            output,
            args.files.iter().map(PathBuf::as_path).chain(args.stream.layout.as_deref()),
        )?;
    }
    let mut members = Vec::with_capacity(args.files.len());
    for file in &args.files {
        if is_stdin(file) {
            return Err(Failure::usage("references lead to files: standard input is none"));
        }
        let opened = args.stream.listing().opened(file)?;
        if opened.dataset().content::<LayoutText>().is_some() {
            return Err(Failure::input(format!(
                "{} is a layout: it has no elements",
                opened.name()
            )));
        }
        opened.warn::<&str>(&[], Depth::Headers)?;
        let dataset = opened.dataset().clone();
        members.push(Member { url: url(args, file)?, base: args.stream.base, dataset });
    }
    let options = Options {
        version: match args.zarr {
            Format::V2 => Version::V2,
            Format::V3 => Version::V3,
        },
        member: args.member.clone(),
        ..Options::default()
    };
    let found = references(&members, &options)?;
    for doubt in found.left_out.iter().take(SHOWN) {
        warn(&format!("left out: {doubt}"));
    }
    if let Some(more) = found.left_out.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        warn(&format!("left out: {more} more"));
    }
    let text = format!("{}\n", found.to_json());
    match &args.output {
        Some(path) => {
            let existing = if args.force.force { Existing::Replace } else { Existing::Keep };
            write_file(path, text.as_bytes(), existing)
        }
        None => print_text(text.as_bytes()),
    }
}

/// The address of a file for readers.
fn url(args: &RefsArgs, file: &Path) -> Result<String> {
    let text = match &args.url {
        Some(url) => {
            let name = file.file_name().map(Path::new).unwrap_or(file);
            let slash = if url.ends_with('/') { "" } else { "/" };
            format!("{url}{slash}{}", name.display())
        }
        None if crate::remote::address(file).is_some() => file.display().to_string(),
        None => {
            let path = std::path::absolute(file);
            path.map_err(|error| Failure::io("find", &crate::names::name_of(file), &error))?
                .display()
                .to_string()
        }
    };
    Ok(text)
}
