//! `dudc check`: the errors and warnings of layouts.

use super::lint_settings::Around;
use crate::failure::{Result, Status};
use crate::filters;
use crate::input::{self, LayoutText};
use crate::options::ReportFormatArgs;
use crate::output::Output;
use crate::report::Report;
use clap::ValueEnum;
use dudley::{ByteOrder, Dtype, Error};
use dudley_parser::check::{FilterFault, check_filters};
use dudley_parser::layout::{Array, Element, Layout};
use dudley_parser::lint::{Settings, lint_with};
use dudley_parser::{Diagnostic, Severity};
use std::path::PathBuf;

/// The layouts to check.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  dudc check model.dud           errors and warnings
  dudc check --strict *.dud      also extensions of the language, and lints
  dudc check run.bd              the layout attached to a stream
  dudc check --format json -     of standard input, for programs")]
pub(crate) struct Args {
    /// Layouts, or streams with a layout attached; `-` is standard input
    #[arg(required = true, value_name = "LAYOUT")]
    layouts: Vec<PathBuf>,
    /// Also report extensions of the language, and lints
    #[arg(long)]
    strict: bool,
    /// Layouts of raw streams: there is no signature to overlap
    #[arg(long)]
    raw: bool,
    /// Exit with 1 on warnings, too
    #[arg(long, value_name = "WHAT")]
    deny: Option<Deny>,
    #[command(flatten)]
    format: ReportFormatArgs,
}

/// The severity that counts as an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Deny {
    /// Warnings
    Warnings,
}

/// Checks all files, whatever the errors of some.
pub(crate) fn run(args: &Args, output: &Output) -> Result {
    let least = match args.deny {
        Some(Deny::Warnings) => Severity::Warning,
        None => Severity::Error,
    };
    let mut report = Report::new(output, args.format.format);
    let lints = if args.strict { Lints::Look } else { Lints::Leave };
    let status = each(&args.layouts, &mut report, lints, |text, settings| {
        let (checked, found) = findings(text, settings, args.raw);
        (checked, found, least)
    });
    report.finish()?;
    Ok(status)
}

/// Whether lints are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lints {
    Look,
    Leave,
}

/// Reports the findings about each file; findings of at least the given severity change the status.
/// If lints are requested, settings in files around the layout apply.
pub(super) fn each(
    files: &[PathBuf],
    report: &mut Report<'_>,
    lints: Lints,
    look: impl Fn(&LayoutText, Option<&Settings>) -> (String, Vec<Diagnostic>, Severity),
) -> Status {
    let mut status = Status::Done;
    for file in files {
        let layout = match input::read_layout(file) {
            Ok(layout) => layout,
            Err(failure) => {
                report.complain(&crate::names::name_of(file), &failure);
                status = status.max(failure.status());
                continue;
            }
        };
        let around = (lints == Lints::Look).then(|| Around::of(file));
        // The layout is checked in spite of errors in those files.
        for (name, failure) in around.iter().flat_map(|around| &around.failures) {
            report.complain(name, failure);
            status = status.max(failure.status());
        }
        let (text, found, least) = look(&layout, around.as_ref().map(|around| &around.settings));
        report.add(&layout.name, &text, &found);
        if found.iter().any(|diagnostic| diagnostic.severity >= least) {
            status = status.max(Status::Found);
        }
    }
    status
}

/// All findings about a layout, and the text of their spans; lints only if `lints` is given, which has
/// their settings.
pub(super) fn findings(
    layout: &LayoutText,
    lints: Option<&Settings>,
    raw: bool,
) -> (String, Vec<Diagnostic>) {
    let checked = if raw {
        dudley_parser::check_raw(&layout.bytes)
    } else {
        dudley_parser::check(&layout.bytes)
    };
    let mut found = checked.diagnostics;
    if let Some(layout) = &checked.layout {
        let registry = filters::registry();
        let faults = check_filters(layout, |name, args, array| match registry.check(name, args) {
            Err(Error::FilterArgument { reason, .. }) => {
                Some(FilterFault::Arguments(reason.to_string()))
            }
            Err(_) => Some(FilterFault::Absent),
            Ok(()) => {
                let filter = registry.get(name)?;
                let wrong = filter.check_elements(args, &dtype_of(layout, array)).err()?;
                Some(FilterFault::Arguments(wrong.to_string()))
            }
        });
        // The checker has already reported an unknown name.
        let said = |fault: &Diagnostic| {
            found.iter().any(|it| it.code == fault.code && it.primary.span == fault.primary.span)
        };
        let faults: Vec<_> = faults.into_iter().filter(|fault| !said(fault)).collect();
        found.extend(faults);
        found.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    }
    if let Some(settings) = lints {
        found.extend(checked.layout.iter().flat_map(|layout| lint_with(layout, settings)));
        found.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    } else {
        found.retain(|diagnostic| !is_extension(diagnostic));
    }
    (checked.text, found)
}

/// The elements of an array, as far as the layout declares them: a stream of open byte order may have the order
/// that is in use.
fn dtype_of(layout: &Layout, array: &Array) -> Dtype {
    match array.element {
        Element::Primitive(primitive, order) => {
            Dtype::Primitive(primitive, order.or(layout.order()).unwrap_or(ByteOrder::Little))
        }
        Element::Record(record) => Dtype::Variable(record),
    }
}

fn is_extension(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Note && diagnostic.code.starts_with("ext-")
}
