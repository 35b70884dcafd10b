//! `dudc man`: manual pages.

use crate::failure::{Failure, Result, Status};
use crate::options::ForceArgs;
use crate::output::{Existing, Output, write_files};
use clap::Command;
use clap_mangen::Man;
use std::path::{Path, PathBuf};

/// The folder of the pages.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  dudc man | man -l -
  dudc man ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// The folder to write `dudc.1` and a page for each command into
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

/// Prints the page of the tool, or writes all pages.
pub(crate) fn run(args: &Args, mut command: Command, output: &Output) -> Result {
    command.build();
    match &args.folder {
        None => output.print(page(command, "dudc")?)?,
        Some(folder) => write_all(&command, folder, args.force.force)?,
    }
    Ok(Status::Done)
}

fn write_all(command: &Command, folder: &Path, force: bool) -> Result<()> {
    let existing = if force { Existing::Replace } else { Existing::Keep };
    let mut pages = vec![("dudc.1".to_owned(), page(command.clone(), "dudc")?)];
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        let title = format!("dudc-{}", inner.get_name());
        let bytes = page(inner.clone(), &title)?;
        pages.push((format!("{title}.1"), bytes));
    }
    write_files(folder, &pages, existing)
}

fn page(command: Command, title: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let rendered = Man::new(command).title(title).render(&mut bytes);
    rendered.map_err(|error| Failure::io("write", title, &error))?;
    Ok(bytes)
}
