//! `dudc lint`: what is legal in layouts and could be better.

use super::check::{each, findings};
use crate::cli::ReportFormatArgs;
use crate::failure::Result;
use crate::output::Output;
use crate::report::Report;
use dudley_parser::Severity;
use std::path::PathBuf;

/// What to lint.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exits with 1 if there is anything to say.

Example: dudc lint model.dud")]
pub(crate) struct Args {
    /// Layouts, or streams with a layout attached; `-` is standard input
    #[arg(required = true, value_name = "LAYOUT")]
    layouts: Vec<PathBuf>,
    #[command(flatten)]
    format: ReportFormatArgs,
}

/// Reports notes, too, and each of them counts.
pub(crate) fn run(args: &Args, output: &Output) -> Result {
    let mut report = Report::new(output, args.format.format);
    let status = each(&args.layouts, &mut report, |text| {
        let (checked, found) = findings(text, true, false);
        (checked, found, Severity::Note)
    });
    report.finish()?;
    Ok(status)
}
