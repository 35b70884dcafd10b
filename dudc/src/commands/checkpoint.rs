//! `dudc checkpoint`: the checkpoints of a directory, and whether they are whole.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use dudley::checkpoint::{Checkpoint, Listed, list};
use serde_json::{Value, json};

use crate::failure::{Failure, Result, Status, printable};
use crate::json::Safe;
use crate::names::name_of;
use crate::options::{Format, FormatArgs};
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
    /// List the checkpoints: step, files, bytes, and the lengths of the histories
    #[command(after_help = "Example: dudc checkpoint ls run/")]
    Ls(Directory),
    /// Compare all files with their checksums, and name the newest complete checkpoint
    #[command(after_help = "Example: dudc checkpoint verify run/")]
    Verify(Directory),
}

/// The directory of the checkpoints.
#[derive(Args, Debug)]
struct Directory {
    /// The directory of the checkpoints
    directory: PathBuf,
    #[command(flatten)]
    format: FormatArgs,
}

/// Runs the command.
///
/// # Errors
/// If the directory cannot be read, or the result not be written.
pub(crate) fn run(args: &CheckpointArgs, output: &Output) -> Result {
    let (Command::Ls(given) | Command::Verify(given)) = &args.command;
    let directory = &given.directory;
    let of_directory = |error| Failure::of_file(&name_of(directory), error);
    let listed = list(directory).map_err(of_directory)?;
    match args.command {
        _ if given.format.format == Format::Json => {
            print_json(listed, matches!(args.command, Command::Verify(_)), output)
        }
        Command::Ls(_) => ls(&listed, output),
        Command::Verify(_) => verify(listed, output),
    }
}

/// The checkpoints for programs; all files are read if they are to be verified.
fn print_json(listed: Vec<Listed>, all_files: bool, output: &Output) -> Result {
    let (mut done, mut newest, mut rows) = (Status::Done, None, Vec::new());
    for Listed { step, folder, checkpoint } in listed {
        let (mut files, mut histories): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
        let checked = checkpoint.and_then(|found| {
            files.extend(found.files().iter().map(|file| {
                let crc32c = format!("{:08x}", file.crc32c);
                json!({ "name": name_of(&file.name), "bytes": file.bytes, "crc32c": crc32c })
            }));
            histories.extend(found.histories().iter().map(
                |it| json!({ "file": name_of(&it.file), "path": it.path, "records": it.records }),
            ));
            if all_files { found.verify() } else { Ok(()) }
        });
        let error = checked.err().map(|error| error.to_string());
        match error {
            Some(_) => done = Status::Found,
            None => newest = Some(step),
        }
        rows.push(json!({
            "step": step,
            "folder": name_of(&folder),
            "files": files,
            "histories": histories,
            "error": error,
        }));
    }
    let all = json!({ "version": 1, "checkpoints": rows, "newest": newest });
    output.print(format!("{:#}\n", Safe(all)))?;
    Ok(done)
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
