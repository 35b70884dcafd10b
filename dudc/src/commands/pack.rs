//! `dudc pack`: a stream from a layout and values.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use dudley::bytes::AtomicFile;
use dudley::write::Extra;
use dudley::{ByteOrder, Error, Layout, WriteOptions, index};
use dudley_formats::hdf5::written::WithFace;

use super::attach::warn_of_hidden;
use crate::failure::{Failure, Result};
use crate::input::need_another;
use crate::kept::{shows_results, stdout};
use crate::names::is_stdin;
use crate::options::{JobArgs, NoIndexArgs, Order};
use crate::output::{self, warn};
use crate::stream_args::read_layout;
use crate::supply::Values;
use crate::{filters, progress, scratch};

/// Writes a stream from a layout and values
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  dudc pack run.dud -o run.bd --data values.json --attach\n  \
                        dudc pack run.dud -o run.bd --data arrays.npz --param IMAX=3\n  dudc dump \
                        old.bd --exact | dudc pack old.dud -o new.bd --data - --order big")]
pub(crate) struct PackArgs {
    /// The layout
    pub layout: PathBuf,
    /// The stream to write; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// JSON as `dump` or `dump --nested` prints it, a folder of .npy files, or an .npz archive;
    /// missing params are taken from the lengths of arrays
    #[arg(long, value_name = "DATA")]
    pub data: Option<PathBuf>,
    /// Gives a param; NAME may be a path (`/grp/N`, `N#2`)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = crate::stream_args::parse_param)]
    pub params: Vec<(String, i128)>,
    /// Appends the layout, so that the stream describes itself
    #[arg(long)]
    pub attach: bool,
    /// Appends the layout with an index, which finds one item of many without parsing the layout;
    /// with --attach, a layout of more than 1,000 items gets one by default
    #[arg(long, conflicts_with = "no_index")]
    pub index: bool,
    /// Stores checksums of the data in the index
    #[arg(long, conflicts_with = "no_index")]
    pub checksum: bool,
    #[command(flatten)]
    pub no_index: NoIndexArgs,
    /// Makes the stream an HDF5 file as well, with its layout appended: readers of HDF5 read the
    /// same bytes in place
    #[arg(long)]
    pub hdf5: bool,
    /// The byte order of the signature, and of items to which the layout gives none; by default
    /// that of the data, or else little
    #[arg(long)]
    pub order: Option<Order>,
    /// Writes no signature: addresses start at 0
    #[arg(long)]
    pub raw: bool,
    /// Overwrites an existing output
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub jobs: JobArgs,
}

/// Runs the command.
///
/// # Errors
/// If the layout or the data cannot be read, do not fit each other, or the output cannot be
/// written.
pub(crate) fn run(args: &PackArgs, output: &output::Output) -> Result<()> {
    let attach = args.attach || args.index || args.checksum || args.hdf5;
    if attach && args.raw {
        return Err(Failure::usage("an attached layout needs a signature, which --raw leaves out"));
    }
    if is_stdin(&args.layout) && args.data.as_deref().is_some_and(is_stdin) {
        return Err(Failure::usage("only one of layout and data can be standard input"));
    }
    need_another(&args.output, [&*args.layout].into_iter().chain(args.data.as_deref()))?;
    let layout = Arc::new(read_layout(&args.layout)?);
    let mut values = match &args.data {
        Some(path) => Values::read(path, &layout)?,
        None => Values::default(),
    };
    give_params(&layout, &mut values, &args.params, attach)?;
    let work = progress::watched(args.jobs);
    let filters = Arc::new(filters::registry());
    let raw = args.raw || (layout.is_of_raw() && !attach);
    let mut options = WriteOptions { raw, attach, work, filters, ..Default::default() };
    if let Some(order) = args.order.map(ByteOrder::from).or(values.order()) {
        options.order = order;
    }
    if values.is_raw() && !raw {
        output.message(
            "warning: the data is of a raw stream: this one gets a signature, without --raw\n",
        );
    }
    if args.index || args.checksum {
        options.index = index::Options { checksums: args.checksum }.into();
    } else {
        options.index = args.no_index.policy();
    }
    let face = args.hdf5.then(Arc::<WithFace>::default);
    options.extra = face.clone().map(|face| face as Arc<dyn Extra>);
    let written = Written { layout: &layout, options: &options, values: &values };
    if is_stdin(&args.output) {
        to_stdout(&written)?;
    } else {
        to_file(&written, &args.output, args.force)?;
    }
    warn_of_hidden(&face.map_or_else(Vec::new, |face| face.left_out()));
    Ok(())
}

/// Gives params, and warns of fixed ones that have another value than the layout that is appended.
///
/// # Errors
/// As [`Values::complete`].
pub(crate) fn give_params(
    layout: &Layout,
    values: &mut Values,
    params: &[(String, i128)],
    attach: bool,
) -> Result<()> {
    for (name, _) in params {
        if attach && !layout[dudley::read::path::param(layout, name)?].is_streamed() {
            warn(&override_of(name));
        }
    }
    Ok(values.complete(layout, params)?)
}

/// The output.
pub(crate) struct Written<'w> {
    pub(crate) layout: &'w Layout,
    pub(crate) options: &'w WriteOptions,
    pub(crate) values: &'w Values,
}

/// Writes to a file, which is complete or absent.
pub(crate) fn to_file(written: &Written<'_>, path: &Path, force: bool) -> Result<()> {
    let mut file = AtomicFile::create(path, force)?;
    dudley::write::write(written.layout, written.options, written.values, &mut file)
        .map_err(|error| with_option(written.layout, error))?;
    Ok(file.commit()?)
}

/// Names the option for the first param that nothing was given for.
fn with_option(layout: &Layout, error: Error) -> Failure {
    let missing: &[String] = match error.cause() {
        Error::Missing { paths } => paths,
        Error::Unused { missing, .. } => missing,
        _ => &[],
    };
    let param = missing.iter().find(|path| dudley::read::path::param(layout, path).is_ok());
    // In the root dict a name is enough.
    let name = param.map(|path| match path.strip_prefix('/') {
        Some(name) if !name.contains('/') => name.to_owned(),
        _ => path.clone(),
    });
    let failure = Failure::from(error);
    match name {
        Some(name) => failure.with_help(&format!("`--param {name}=VALUE` gives a param")),
        None => failure,
    }
}

/// Writes to standard output when everything is there: the last write may go to the front.
fn to_stdout(written: &Written<'_>) -> Result<()> {
    let mut stdout = stdout();
    if shows_results() {
        return Err(Failure::usage("a stream is not for a terminal: give a file, or a pipe"));
    }
    let failed = |error: std::io::Error| Failure::io("write", "a temporary file", &error);
    let folder = scratch::folder().map_err(failed)?;
    let path = folder.path().join("stream");
    to_file(written, &path, false)?;
    let mut file = std::fs::File::open(&path).map_err(failed)?;
    std::io::copy(&mut file, &mut stdout).and_then(|_| stdout.flush()).map_err(Failure::output)
}

/// A warning about a fixed param that gets another value than the layout declares.
pub(crate) fn override_of(name: &str) -> String {
    format!(
        "the appended layout has another value of the fixed param `{name}`: readers must be given this one"
    )
}
