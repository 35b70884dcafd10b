//! `dudc family get`: the data at a path in many members, as one array.

use dudley::error::file_name;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use dudley::Value;
use dudley::family::{Check, Missing, Read, Stack};
use serde_json::json;

use super::{Which, open};
use crate::commands::get::output_kind;
use crate::export;
use crate::failure::{Failure, Result};
use crate::input::need_another;
use crate::options::{Format, JobArgs};
use crate::output::warn;
use crate::progress::Progress;
use crate::terminal;

/// Gets what is at a path of members, stacked into one array
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  dudc family get runs.bd '/rho[0, :]' --where 'time > 1e-9' -o \
                        rho.npy\n  dudc family get runs.bd /time --fill nan --format json"
)]
pub(crate) struct GetArgs {
    /// A catalog
    catalog: PathBuf,
    /// The path of an item, with a slice as numpy writes it
    path: String,
    #[command(flatten)]
    which: Which,
    /// Uses this value, a number or a text, for the elements of unreadable members, instead of failing
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, value_parser = parse_fill)]
    fill: Option<Value>,
    /// Leaves out members that cannot be read, instead of failing
    #[arg(long, conflicts_with = "fill")]
    skip_missing: bool,
    /// Accepts arrays of different shapes, and lists them side by side
    #[arg(long)]
    ragged: bool,
    /// Compares what the catalog holds of each member with the member itself
    #[arg(long)]
    check_values: bool,
    #[command(flatten)]
    jobs: JobArgs,
    /// Writes to a file: .npy, .csv, .json or .raw
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Overwrites an existing output
    #[arg(long)]
    force: bool,
    /// Shows all elements
    #[arg(long)]
    all: bool,
    /// How to print results
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

fn parse_fill(text: &str) -> std::result::Result<Value, String> {
    Ok(match text.parse::<f64>() {
        // A whole number can fill integers, too.
        Ok(fill) if fill.fract() == 0.0 && fill.abs() < 2_f64.powi(53) => Value::Int(fill as i128),
        Ok(fill) => Value::Float(fill),
        Err(_) => Value::Text(text.to_owned()),
    })
}

/// Runs the command.
///
/// # Errors
/// If there is no such catalog or item; if members cannot be read and may not be left out.
pub(super) fn run(args: &GetArgs) -> Result<()> {
    let kind = args.output.as_deref().map(output_kind).transpose()?;
    let family = open(&args.catalog)?;
    let picked = args.which.of(&family)?;
    let progress = Arc::new(Mutex::new(Progress::of("members", picked.len() as u64)));
    let mut read = Read::new().missing(args.missing()).ragged(args.ragged).progress(move |more| {
        progress.lock().unwrap_or_else(PoisonError::into_inner).advance(more);
    });
    if args.check_values {
        read = read.check(Check::Values);
    }
    read = read.threads(args.jobs.threads());
    let stack = read.run(&family, &args.path, &picked)?;
    // The bar goes away before anything is written.
    drop(read);
    for unserved in &stack.unserved {
        let count = match unserved.members.as_slice() {
            [one] => format!("member {one}"),
            many => format!("{} members", many.len()),
        };
        warn(&match &unserved.error {
            // It names the file.
            error @ dudley::Error::Io { .. } => format!("{count}: {error}"),
            error => format!("{count} of {}: {error}", file_name(&unserved.file)),
        });
    }
    match (&args.output, kind) {
        (Some(path), Some(kind)) => {
            let members = picked.iter().map(|id| family.member(*id)?.file());
            let members: Vec<PathBuf> = members.collect::<dudley::Result<_>>()?;
            let members = members.iter().map(PathBuf::as_path);
            need_another(path, members.chain([&*args.catalog]))?;
            export::to_file(&stack.selected, kind, path, args.force)
        }
        _ => show(args, &stack),
    }
}

impl GetArgs {
    fn missing(&self) -> Missing {
        match &self.fill {
            Some(fill) => Missing::Fill(fill.clone()),
            None if self.skip_missing => Missing::Skip,
            None => Missing::Error,
        }
    }
}

fn show(args: &GetArgs, stack: &Stack) -> Result<()> {
    let mut out = std::io::BufWriter::new(crate::kept::stdout());
    match args.format {
        Format::Json => {
            let members: Vec<u64> = stack.members.iter().map(|id| id.0).collect();
            let unserved: Vec<serde_json::Value> = stack
                .unserved
                .iter()
                .map(|unserved| {
                    json!({
                        "members": unserved.members.iter().map(|id| id.0).collect::<Vec<_>>(),
                        "file": unserved.file.to_string_lossy(),
                        "error": unserved.error.to_string(),
                    })
                })
                .collect();
            let more = [("members", json!(members)), ("unserved", json!(unserved))];
            export::json(&stack.selected, &args.path, false, &more, &mut out)?;
        }
        Format::Human => terminal::show(&stack.selected, "", args.all, &mut out)?,
    }
    out.flush().map_err(Failure::output)
}
