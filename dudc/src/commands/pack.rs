//! `dudc pack`: a stream from a layout and values.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use dudley::output::AtomicFile;
use dudley::{Error, WriteOptions};
use dudley_parser::layout::Scope;

use crate::cli::Order;
use crate::failure::{Failure, Result};
use crate::output::Output;
use crate::stream_args::read_layout;
use crate::supply::Values;

/// Writes a stream from a layout and values
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  dudc pack run.dud -o run.bd --data values.json --attach\n  \
                        dudc pack run.dud -o run.bd --data arrays.npz --param IMAX=3\n  dudc dump \
                        old.bd --exact | dudc pack old.dud -o new.bd --data - --order big")]
pub(crate) struct PackArgs {
    /// The layout
    pub layout: PathBuf,
    /// The stream to write
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// JSON as `dump` prints it, a folder of .npy files, or an .npz archive
    #[arg(long, value_name = "DATA")]
    pub data: Option<PathBuf>,
    /// Gives a param; NAME may be a path (`/grp/N`, `N#2`)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = crate::stream_args::parse_param)]
    pub params: Vec<(String, i128)>,
    /// Appends the layout, so that the stream describes itself
    #[arg(long)]
    pub attach: bool,
    /// The byte order of the signature, and of what the layout gives no order
    #[arg(long)]
    pub order: Option<Order>,
    /// Writes no signature: addresses start at 0
    #[arg(long)]
    pub raw: bool,
    /// Overwrites an existing output
    #[arg(long)]
    pub force: bool,
}

/// Runs the command.
///
/// # Errors
/// If the layout or the data cannot be read, do not fit each other, or the output cannot be
/// written.
pub(crate) fn run(args: &PackArgs, output: &Output) -> Result<()> {
    if args.attach && args.raw {
        return Err(Failure::usage("--attach needs a signature, which --raw leaves out"));
    }
    let layout = Arc::new(read_layout(&args.layout)?);
    let mut values = match &args.data {
        Some(path) => Values::read(path)?,
        None => Values::default(),
    };
    for (name, value) in &args.params {
        let id = dudley::path::param(&layout, name)?;
        if args.attach && !layout[id].is_streamed() {
            warn_override(name, output);
        }
        debug_assert!(matches!(layout[id].scope, Scope::Dict(_)));
        values.set_param(layout.param_path(id), *value);
    }
    let mut options = WriteOptions { raw: args.raw, attach: args.attach, ..Default::default() };
    if let Some(order) = args.order {
        options.order = order.into();
    }
    let mut file = AtomicFile::create(&args.output, args.force)?;
    let seen = dudley::writer::write(&layout, &options, &values, &mut file)?;
    let unused: Vec<String> = match values.is_nested() {
        true => Vec::new(),
        false => values.items().filter(|path| !seen.contains(*path)).cloned().collect(),
    };
    if !unused.is_empty() {
        return Err(Error::Unused { paths: unused }.into());
    }
    Ok(file.commit()?)
}

fn warn_override(name: &str, output: &Output) {
    output.message(&format!(
        "warning: the appended layout has another value of the fixed param `{name}`: readers \
         must be given this one\n"
    ));
}
