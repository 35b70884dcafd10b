//! `dudc gen`: code made from layouts.

use crate::failure::{Failure, Result, Status};
use crate::input::{self, need_another};
use crate::options::ForceArgs;
use crate::output::{Existing, Output, print_text, write_file};
use crate::report::Report;
use clap::Subcommand;
use dudley::error::file_name;
use dudley_parser::check::{Checked, check_to_read};
use dudley_parser::{Layout, Severity, check};
use std::path::PathBuf;

/// The language and its options.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  dudc gen rust model.dud -o src/model.rs
  dudc gen rust model.dud --check src/model.rs
  dudc gen numpy model.dud -o model.py
  dudc gen c model.dud -o model.h
  dudc gen fortran model.dud -o model.f90")]
pub(crate) struct Args {
    /// The language.
    #[command(subcommand)]
    language: Language,
}

#[derive(Debug, Subcommand)]
enum Language {
    /// Typed readers and writers, as `dudley::layout!` makes them, as a source file
    #[command(after_help = "\
The file holds the items of a module. Do not change it by hand, except its formatting.

Examples:
  dudc gen rust model.dud -o src/model.rs
  dudc gen rust model.dud --check src/model.rs    # exit status 1 if it is not up to date")]
    Rust(RustArgs),
    /// A Python module that reads streams of the layout with numpy alone
    #[command(after_help = "\
The module maps files, so its arrays are views of them, in either byte order. It needs Python 3.9 or
later and numpy; the filters lz4, zstd and blosc2 also need their packages.

Examples:
  dudc gen numpy model.dud -o model.py
  python3 -c 'import model; print(model.open(\"run.bd\")[\"rho\"].sum())'
  dudc gen numpy model.dud --check model.py       # exit status 1 if it is not up to date")]
    Numpy(NumpyArgs),
    /// A C header that reads and writes streams of the layout with the C library alone
    #[command(after_help = "\
The header is for C11 and C++11. Functions begin with the name of the file: model_load, model_rho_get.
It lists the items that params do not place, each with the reason.

Examples:
  dudc gen c model.dud -o model.h
  dudc gen c header.dud --raw -o header.h         # streams have no signature
  dudc gen c model.dud --check model.h            # exit status 1 if it is not up to date")]
    C(NativeArgs),
    /// A Fortran module that reads and writes streams of the layout in plain Fortran
    #[command(after_help = "\
The module is for Fortran 2018. Procedures begin with the name of the file: model_open, model_rho_get.
It lists the items that params do not place, each with the reason.

Examples:
  dudc gen fortran model.dud -o model.f90
  dudc gen fortran header.dud --raw -o header.f90 # streams have no signature
  dudc gen fortran model.dud --check model.f90    # exit status 1 if it is not up to date")]
    Fortran(NativeArgs),
}

#[derive(Debug, clap::Args)]
struct RustArgs {
    #[command(flatten)]
    file: FileArgs,
    /// The path of the crate `dudley` in the code
    #[arg(long = "crate", value_name = "PATH")]
    krate: Option<String>,
    /// Adds code that handles items as a whole: copies them to another stream, shows them as values
    #[arg(long)]
    transfer: bool,
}

#[derive(Debug, clap::Args)]
struct NumpyArgs {
    #[command(flatten)]
    file: FileArgs,
}

#[derive(Debug, clap::Args)]
struct NativeArgs {
    #[command(flatten)]
    file: FileArgs,
    /// Streams have no signature: addresses begin at 0
    #[arg(long)]
    raw: bool,
}

/// From which layout to which file.
#[derive(Debug, clap::Args)]
struct FileArgs {
    /// The layout; `-` is standard input
    #[arg(value_name = "LAYOUT")]
    layout: PathBuf,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write nothing; exit with 1 if this file is not up to date
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    check: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

pub(crate) fn run(args: &Args, output: &Output) -> Result {
    match &args.language {
        Language::Rust(args) => {
            let Some(text) = read(&args.file, check, output)? else { return Ok(Status::Found) };
            let layout = text.layout;
            let code = dudley_codegen::Options::new(args.krate.as_deref(), args.transfer)
                .and_then(|options| dudley_codegen::module_file(&layout, &options))
                .map_err(Failure::usage)?;
            // It may have been formatted since.
            write(&args.file, &code, dudley_codegen::same_code, output)
        }
        Language::Numpy(args) => {
            // The module takes other values for fixed params than those in the text (spec 4.5).
            let found = read(&args.file, check_to_read, output)?;
            let Some(text) = found else { return Ok(Status::Found) };
            let name = args.file.name();
            let code = match dudley_codegen::numpy(&text.layout, &name) {
                Ok(code) => code,
                Err(deep) => {
                    let mut report = Report::new(output, crate::options::ReportFormat::Human);
                    report.add(&text.name, &text.text, &[deep.diagnostic()]);
                    return Ok(Status::Found);
                }
            };
            write(&args.file, &code, same_text, output)
        }
        Language::C(args) => native(args, dudley_codegen::c, output),
        Language::Fortran(args) => native(args, dudley_codegen::fortran, output),
    }
}

/// Code of a language that knows no library of ours.
fn native(args: &NativeArgs, code: fn(&Layout, &str, bool) -> String, output: &Output) -> Result {
    let Some(text) = read(&args.file, check_to_read, output)? else { return Ok(Status::Found) };
    let raw = args.raw || text.layout.is_of_raw();
    write(&args.file, &code(&text.layout, &args.file.name(), raw), same_text, output)
}

/// Whether two files have the same lines.
fn same_text(one: &str, other: &str) -> bool {
    one.replace("\r\n", "\n") == other
}

impl FileArgs {
    /// The name of a module: the name of its file, or else of the layout.
    fn name(&self) -> String {
        let file = self.output.as_ref().or(self.check.as_ref()).unwrap_or(&self.layout);
        match file.file_stem().and_then(|name| name.to_str()) {
            Some(name) if name != "-" => name.to_owned(),
            _ => "layout".to_owned(),
        }
    }
}

/// A layout, with the name of its file and the text.
struct Text {
    name: String,
    text: String,
    layout: Layout,
}

/// The layout; `None` if it has errors, which are reported.
fn read(args: &FileArgs, check: fn(&[u8]) -> Checked, output: &Output) -> Result<Option<Text>> {
    let text = input::read_layout(&args.layout)?;
    let checked = check(&text.bytes);
    let mut report = Report::new(output, crate::options::ReportFormat::Human);
    let errors: Vec<_> = checked.of(Severity::Error).cloned().collect();
    report.add(&text.name, &checked.text, &errors);
    let layout = checked.layout.filter(|_| errors.is_empty());
    Ok(layout.map(|layout| Text { name: text.name, text: checked.text, layout }))
}

/// Writes code, or compares it with an existing file.
fn write(
    args: &FileArgs,
    code: &str,
    same: impl Fn(&str, &str) -> bool,
    output: &Output,
) -> Result {
    match (&args.check, &args.output) {
        (Some(file), _) => {
            let found = std::fs::read(file)
                .map_err(|error| Failure::io("read", &file_name(&file), &error))?;
            if same(&String::from_utf8_lossy(&found), code) {
                return Ok(Status::Done);
            }
            output.print(format!(
                "{file} is not what the layout says now: make it again with `-o {file} --force`\n",
                file = file_name(&file)
            ))?;
            Ok(Status::Found)
        }
        (None, Some(file)) => {
            need_another(file, [&*args.layout])?;
            let existing = if args.force.force { Existing::Replace } else { Existing::Keep };
            write_file(file, code.as_bytes(), existing)?;
            Ok(Status::Done)
        }
        (None, None) => {
            print_text(code.as_bytes())?;
            Ok(Status::Done)
        }
    }
}
