//! `dudc pack`: a stream from a layout and values.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use dudley::output::AtomicFile;
use dudley::{ByteOrder, Error, Output, WriteOptions};
use dudley_parser::layout::Scope;

use crate::cli::Order;
use crate::commands::ls::is_below;
use crate::failure::{Failure, Result};
use crate::output;
use crate::progress::Progress;
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
    /// JSON as `dump` or `dump --nested` prints it, a folder of .npy files, or an .npz archive
    #[arg(long, value_name = "DATA")]
    pub data: Option<PathBuf>,
    /// Gives a param; NAME may be a path (`/grp/N`, `N#2`)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = crate::stream_args::parse_param)]
    pub params: Vec<(String, i128)>,
    /// Appends the layout, so that the stream describes itself
    #[arg(long)]
    pub attach: bool,
    /// The byte order of the signature, and of what the layout gives no order; that of the data
    /// if it says one, else little
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
pub(crate) fn run(args: &PackArgs, output: &output::Output) -> Result<()> {
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
    if let Some(order) = args.order.map(ByteOrder::from).or(values.order()) {
        options.order = order;
    }
    let mut file = AtomicFile::create(&args.output, args.force)?;
    let mut out = Shown { file: &mut file, progress: Progress::new(None) };
    let seen = dudley::writer::write(&layout, &options, &values, &mut out)?;
    drop(out);
    let used = |path: &String| {
        // Nested data holds containers too, and structs with what is in them.
        let related = |seen: &String| is_below(seen, path) || is_below(path, seen);
        seen.contains(path) || (values.is_nested() && seen.iter().any(related))
    };
    let params = layout.params().map(|(id, _)| layout.param_path(id)).collect::<HashSet<_>>();
    let unused: Vec<String> =
        values.items().filter(|path| !used(path) && !params.contains(*path)).cloned().collect();
    if !unused.is_empty() {
        return Err(Error::Unused { paths: unused }.into());
    }
    Ok(file.commit()?)
}

/// The output file, and how far it came.
struct Shown<'f> {
    file: &'f mut AtomicFile,
    progress: Progress,
}

impl Output for Shown<'_> {
    fn put(&mut self, address: u64, bytes: &[u8]) -> dudley::Result<()> {
        self.progress.advance(bytes.len() as u64);
        self.file.put(address, bytes)
    }

    fn grow(&mut self, length: u64) -> dudley::Result<()> {
        self.file.grow(length)
    }
}

fn warn_override(name: &str, output: &output::Output) {
    output.message(&format!(
        "warning: the appended layout has another value of the fixed param `{name}`: readers \
         must be given this one\n"
    ));
}
