//! `dudc checkpoint`: the checkpoints of a directory, and whether they are whole.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use dudley::checkpoint::{Checkpoint, Listed, list};

use crate::failure::{Failure, Result, Status, printable};
use crate::names::name_of;
use crate::output::Output;
use crate::terminal::Table;

/// Lists the checkpoints of a directory, as programs write them with `dudley::checkpoint`, or verifies them
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  dudc checkpoint ls run/\n  dudc checkpoint verify run/")]
pub(crate) struct CheckpointArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the checkpoints: step, files, bytes, and how long the histories were
    #[command(after_help = "Example: dudc checkpoint ls run/")]
    Ls(Directory),
    /// Compare all files with their checksums; says the newest checkpoint that is whole
    #[command(after_help = "Example: dudc checkpoint verify run/")]
    Verify(Directory),
}

/// Which checkpoints are meant.
#[derive(Args, Debug)]
struct Directory {
    /// The directory of the checkpoints
    directory: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// If the directory cannot be read, or the result not be written.
pub(crate) fn run(args: &CheckpointArgs, output: &Output) -> Result {
    let (Command::Ls(Directory { directory }) | Command::Verify(Directory { directory })) =
        &args.command;
    let of_directory = |error| Failure::of_file(&name_of(directory), error);
    let listed = list(directory).map_err(of_directory)?;
    match args.command {
        Command::Ls(_) => ls(&listed, output),
        Command::Verify(_) => verify(listed, output),
    }
}

fn ls(listed: &[Listed], output: &Output) -> Result {
    let mut out = Vec::new();
    let mut table = Table::new(&["step", "files", "bytes", "histories"], &[0, 1, 2], &mut out);
    let mut done = Status::Done;
    for Listed { step, checkpoint, .. } in listed {
        let row = match checkpoint {
            Ok(found) => {
                let bytes: u64 = found.files().iter().map(|file| file.bytes).sum();
                vec![found.files().len().to_string(), bytes.to_string(), histories(found)]
            }
            Err(error) => {
                done = Status::Found;
                vec![String::new(), String::new(), error.to_string()]
            }
        };
        let row = [vec![step.to_string()], row].concat();
        table.add(row).map_err(Failure::output)?;
    }
    table.finish().map_err(Failure::output)?;
    output.print(out)?;
    Ok(done)
}

/// The histories of a checkpoint, each with its records.
fn histories(checkpoint: &Checkpoint) -> String {
    let said = checkpoint.histories().iter();
    let said = said.map(|it| format!("{}{} {} records", it.file.display(), it.path, it.records));
    said.collect::<Vec<_>>().join(", ")
}

fn verify(listed: Vec<Listed>, output: &Output) -> Result {
    let (mut done, mut newest) = (Status::Done, None);
    for Listed { step, checkpoint, .. } in listed {
        let said = match checkpoint.and_then(|it| it.verify()) {
            Ok(()) => {
                newest = Some(step);
                "whole".to_owned()
            }
            Err(error) => {
                done = Status::Found;
                error.to_string()
            }
        };
        output.print(format!("{step}: {}\n", printable(&said)))?;
    }
    match newest {
        Some(step) => output.print(format!("newest that is whole: {step}\n"))?,
        None => return Err(Failure::input("no checkpoint is whole")),
    }
    Ok(done)
}
