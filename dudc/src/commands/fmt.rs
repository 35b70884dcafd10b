//! `dudc fmt`: layouts in canonical form.

use crate::failure::{Failure, Result, Status, printable};
use crate::input::{self, LayoutText};
use crate::options::ReportFormat;
use crate::output::{Existing, Output, print_text, write_file};
use crate::report::Report;
use dudley_parser::format::format;
use std::path::{Path, PathBuf};

/// The layouts to format.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Files are rewritten in place; with `-` the text goes from standard input to standard output.

Examples:
  dudc fmt model.dud
  dudc fmt --check *.dud
  dudc fmt - < old.dud > new.dud")]
pub(crate) struct Args {
    /// Layouts; `-` is standard input
    #[arg(required = true, value_name = "LAYOUT")]
    layouts: Vec<PathBuf>,
    /// Write nothing; name the files that are not in canonical form and exit with 1
    #[arg(long)]
    check: bool,
}

/// Formats all files, whatever the errors of some.
pub(crate) fn run(args: &Args, output: &Output) -> Result {
    let mut status = Status::Done;
    for path in &args.layouts {
        let done = one(path, args.check, output);
        status = status.max(done.unwrap_or_else(|failure| {
            output.complain(&failure);
            failure.status()
        }));
    }
    Ok(status)
}

fn one(path: &Path, check: bool, output: &Output) -> Result {
    let layout = input::read_layout(path)?;
    let name = &layout.name;
    if layout.attached {
        return Err(Failure::input(format!("{name} is a stream: `fmt` rewrites only layouts")));
    }
    let Some(new) = formatted(&layout, output) else { return Ok(Status::Found) };
    let changed = layout.bytes != new;
    if check {
        if changed {
            output.print(format!("{}\n", printable(name)))?;
        }
        return Ok(if changed { Status::Found } else { Status::Done });
    }
    if crate::names::is_stdin(path) {
        print_text(&new)?;
    } else if changed {
        write_file(path, &new, Existing::Replace)?;
    }
    Ok(Status::Done)
}

/// The canonical form of a layout; `None`, and a report, if it has errors. Bytes behind the terminator stay.
fn formatted(layout: &LayoutText, output: &Output) -> Option<Vec<u8>> {
    let mut report = Report::new(output, ReportFormat::Human);
    let parsed = dudley_parser::parse::parse(&layout.bytes);
    let found = match layout.bytes.strip_prefix(parsed.text.as_bytes()) {
        Some(behind) => match format(&parsed.text) {
            Ok(new) => return Some([new.as_bytes(), behind].concat()),
            Err(found) => found,
        },
        None => parsed.diagnostics,
    };
    report.add(&layout.name, &parsed.text, &found);
    None
}
