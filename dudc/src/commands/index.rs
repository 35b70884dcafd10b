//! `dudc index`: the index of an attached layout, made, checked or removed.

use std::path::{Path, PathBuf};

use clap::Args;
use dudley::Error;
use dudley::index::{self, Fault, Index, Options};
use dudley::read::listing::{Row, list};
use dudley_parser::resolve::WalkOptions;

use crate::failure::{Failure, Result, Status, printable};
use crate::input::need_file;
use crate::names::name_of;
use crate::output::Output;
use crate::rows::{Errors, REPEATS_FOR_PEOPLE, report};
use crate::{filters, several};

/// Makes the index of an attached layout, which finds one item of many without parsing the layout
///
/// An existing index is replaced. If it has checksums, the data is compared with them first.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  dudc index run.bd\n  dudc index --checksum *.bd\n  dudc index \
                        --check run.bd"
)]
pub(crate) struct IndexArgs {
    /// Native streams with their layouts attached
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Stores checksums of the data in it, for each item in parts of at most 1 MiB
    #[arg(long)]
    pub checksum: bool,
    /// Only checks that there is a complete index of this layout; does not read the data
    #[arg(long, conflicts_with_all = ["checksum", "remove"])]
    pub check: bool,
    /// Removes the index
    #[arg(long, conflicts_with = "checksum")]
    pub remove: bool,
    /// Replaces an index even if the data does not match its checksums, or if they cannot be read;
    /// the checksums are lost
    #[arg(long, conflicts_with_all = ["check", "remove"])]
    pub force: bool,
}

/// Runs the command for all files, whatever the errors of one.
///
/// # Errors
/// If the result cannot be written.
pub(crate) fn run(args: &IndexArgs, output: &Output) -> Result {
    several::all(&args.files, output, |path| {
        let said = output.about(path, |output| {
            need_file(path, "index")?;
            match (args.check, args.remove) {
                (true, _) => check(path),
                (_, true) => remove(path),
                _ => make(path, args, output),
            }
        })?;
        output.print(format!("{}\n", printable(&said)))?;
        Ok(Status::Done)
    })
}

/// The index leads to all items that can be placed; the others are reported with the reason.
fn make(path: &Path, args: &IndexArgs, output: &Output) -> Result<String> {
    let failed = |error| Failure::of_file(&name_of(path), error);
    let options = Options { checksums: args.checksum };
    if args.force {
        index::replace(path, options).map_err(failed)?
    } else {
        index::write(path, options).map_err(|error| unproven(path, error))?
    };
    let said = check(path)?;
    match report(unplaced(path).map_err(failed)?, output) {
        Ok(()) => Ok(said),
        Err(failure) => {
            output.print(format!("{}\n", printable(&said)))?;
            Err(failure)
        }
    }
}

/// Why an index is not renewed: because of the checksums of the old one, with a remedy, or for another
/// reason.
pub(crate) fn unproven(path: &Path, error: Error) -> Failure {
    let name = name_of(path);
    match error {
        Error::Index { fault: Fault::Data | Fault::Unproven, .. } => Failure::input(format!(
            "{name}: {error}; `dudc verify` says where, and `dudc index --force` makes the index of the \
             data as it is"
        )),
        error => Failure::of_file(&name, error),
    }
}

/// The items of a stream that cannot be placed.
fn unplaced(path: &Path) -> dudley::Result<Errors> {
    let mut errors = Errors::default();
    let options = WalkOptions::elide_above(REPEATS_FOR_PEOPLE);
    list(&filters::opener().file(path)?, options, &mut |_, row| {
        match row {
            Row::List { path, length: Err(error), .. } => {
                errors.add(Error::from(error).of_item(&path));
            }
            Row::Item(row) => {
                if let Err(error) = row.data {
                    errors.add(error);
                }
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(errors)
}

fn check(path: &Path) -> Result<String> {
    let name = name_of(path);
    let failed = |error| Failure::of_file(&name, error);
    let index = Index::of_file(path).map_err(failed)?;
    let index = index.ok_or_else(|| Failure::input(format!("{name}: there is no index")))?;
    index.verify().map_err(failed)?;
    let checksums = match index.checksums() {
        0 => String::new(),
        count => format!(", {count} checksum{}", plural(count)),
    };
    let (items, bytes, address) = (index.items(), index.bytes(), index.address());
    let s = plural(items);
    Ok(format!("{name}: index of {items} item{s}{checksums}, {bytes} bytes at address {address}"))
}

fn remove(path: &Path) -> Result<String> {
    let name = name_of(path);
    if index::remove(path).map_err(|error| Failure::of_file(&name, error))? {
        Ok(format!("{name}: the index is removed"))
    } else {
        Ok(format!("{name}: there was no index"))
    }
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}
