//! `dudc gen`: code made from layouts.

use crate::cli::ForceArgs;
use crate::failure::{Failure, Result, Status};
use crate::input;
use crate::output::{Existing, Output, write_file};
use crate::report::Report;
use clap::Subcommand;
use dudley_parser::Severity;
use std::path::PathBuf;

/// What to make.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  dudc gen rust model.dud -o src/model.rs
  dudc gen rust model.dud --check src/model.rs")]
pub(crate) struct Args {
    /// The language.
    #[command(subcommand)]
    language: Language,
}

#[derive(Debug, Subcommand)]
enum Language {
    /// Typed readers and writers: what the macro `dudley::layout!` makes, as a source file
    #[command(after_help = "\
The file holds the items of a module, and is not to be changed by hand, but for its formatting.

Examples:
  dudc gen rust model.dud -o src/model.rs
  dudc gen rust model.dud --check src/model.rs    # exit status 1 if it is not up to date")]
    Rust(RustArgs),
}

#[derive(Debug, clap::Args)]
struct RustArgs {
    /// The layout; `-` is standard input
    #[arg(value_name = "LAYOUT")]
    layout: PathBuf,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write nothing; exit with 1 if this file is not what would be written
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    check: Option<PathBuf>,
    /// The path of the crate `dudley` in the code
    #[arg(long = "crate", value_name = "PATH")]
    krate: Option<String>,
    /// Make items that can be handled as a whole: copied to another stream, shown as values
    #[arg(long)]
    transfer: bool,
    #[command(flatten)]
    force: ForceArgs,
}

pub(crate) fn run(args: &Args, output: &Output) -> Result {
    let Language::Rust(args) = &args.language;
    let text = input::read_layout(&args.layout)?;
    let checked = dudley_parser::check(&text.bytes);
    let mut report = Report::new(output, crate::cli::ReportFormat::Human);
    let errors: Vec<_> = checked.of(Severity::Error).cloned().collect();
    report.add(&text.name, &checked.text, &errors);
    let Some(layout) = checked.layout.filter(|_| errors.is_empty()) else {
        return Ok(Status::Found);
    };
    let code = dudley_codegen::Options::new(args.krate.as_deref(), args.transfer)
        .and_then(|options| dudley_codegen::module_file(&layout, &options))
        .map_err(Failure::usage)?;
    match (&args.check, &args.output) {
        (Some(file), _) => {
            let found = std::fs::read(file)
                .map_err(|error| Failure::io("read", &file.display().to_string(), &error))?;
            // It may have been formatted since.
            if dudley_codegen::same_code(&String::from_utf8_lossy(&found), &code) {
                return Ok(Status::Done);
            }
            output.print(format!(
                "{file} is not what the layout says now: make it again with `-o {file} --force`\n",
                file = file.display()
            ))?;
            Ok(Status::Found)
        }
        (None, Some(file)) => {
            let existing = if args.force.force { Existing::Replace } else { Existing::Keep };
            write_file(file, code.as_bytes(), existing)?;
            Ok(Status::Done)
        }
        (None, None) => {
            output.print(code)?;
            Ok(Status::Done)
        }
    }
}
