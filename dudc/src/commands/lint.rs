//! `dudc lint`: legal parts of layouts that could be better, and their corrections.

use super::check::{Lints, each, findings};
use super::lint_settings::Around;
use crate::failure::{Failure, Result};
use crate::input;
use crate::names::{is_stdin, name_of};
use crate::options::{ReportFormat, ReportFormatArgs};
use crate::output::{Existing, Output, write_file};
use crate::report::Report;
use dudley_parser::lint::fix::fix;
use dudley_parser::lint::settings::rule;
use dudley_parser::lint::{RULES, Settings};
use dudley_parser::{Severity, check};
use std::path::{Path, PathBuf};

/// Reports legal parts of layouts that could be better
///
/// A rule reports notes by default. Change that with --allow, --warn and --deny; with attributes in
/// a layout, `#: lint_allow = ["unit", "padding"]`, at an item, a dict, a type, or before all items
/// for the whole layout; or with files `.dudlint`, which hold attributes, in the folder of the
/// layout and its parents. The nearest setting wins. `dudc explain --list` lists the rules.
///
/// --fix applies fixes that keep the meaning of the layout, unless the layout has errors.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exits with 1 if there are findings.

Examples:
  dudc lint model.dud
  dudc lint model.dud --allow unit --deny padding
  dudc lint --fix layouts/*.dud")]
pub(crate) struct Args {
    /// Layouts, or streams with a layout attached; `-` is standard input
    #[arg(required = true, value_name = "LAYOUT")]
    layouts: Vec<PathBuf>,
    /// Ignores the findings of a rule
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    allow: Vec<&'static str>,
    /// Reports the findings of a rule as warnings
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    warn: Vec<&'static str>,
    /// Reports the findings of a rule as errors
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    deny: Vec<&'static str>,
    /// Applies fixes that keep the meaning of the layouts
    #[arg(long)]
    fix: bool,
    #[command(flatten)]
    format: ReportFormatArgs,
}

fn parse_rule(name: &str) -> std::result::Result<&'static str, String> {
    rule(name).ok_or_else(|| format!("there is no rule `{name}`; there are {}", RULES.join(", ")))
}

impl Args {
    fn settings(&self) -> Settings {
        let mut settings = Settings::new();
        let lists = [
            (&self.allow, None),
            (&self.warn, Some(Severity::Warning)),
            (&self.deny, Some(Severity::Error)),
        ];
        for (rules, weight) in lists {
            rules.iter().for_each(|&rule| settings.set(rule, weight));
        }
        settings
    }
}

/// Reports notes, too, and each of them counts.
pub(crate) fn run(args: &Args, output: &Output) -> Result {
    if args.fix {
        args.layouts.iter().try_for_each(|path| fix_file(args, path, output))?;
    }
    let said = args.settings();
    let mut report = Report::new(output, args.format.format);
    let status = each(&args.layouts, &mut report, Lints::Look, |text, settings| {
        let (checked, mut found) = findings(text, settings, false);
        // Settings on the command line override the settings of the layout.
        said.apply(&mut found);
        (checked, found, Severity::Note)
    });
    report.finish()?;
    Ok(status)
}

/// Fixes a layout.
fn fix_file(args: &Args, path: &Path, output: &Output) -> Result<()> {
    // The check reports unreadable files.
    let Ok(layout) = input::read_layout(path) else { return Ok(()) };
    if is_stdin(path) || layout.attached {
        return Err(Failure::usage(format!(
            "--fix writes layouts in place; {} is none that could be",
            name_of(path)
        )));
    }
    let around = Around::of(path);
    let settings = args.settings().within(&around.settings);
    let say = |what: String| {
        if args.format.format == ReportFormat::Human {
            let said = format!("{}: {what}\n", layout.name);
            output.message(&crate::failure::printable(&said));
        }
    };
    // These settings decide what may be fixed.
    if let Some((name, _)) = around.failures.first() {
        say(format!("nothing was mended, because {name} is not right"));
        return Ok(());
    }
    // Behind its terminator there may be anything.
    let text = check(&layout.bytes).text;
    let behind = layout.bytes.strip_prefix(text.as_bytes());
    let (Some(behind), Some(fixed)) = (behind, fix(&text, &check, &settings)) else {
        say("nothing was mended, because it has errors".to_owned());
        return Ok(());
    };
    if fixed.text != text {
        write_file(path, &[fixed.text.as_bytes(), behind].concat(), Existing::Replace)?;
        let s = if fixed.fixed.len() == 1 { "" } else { "es" };
        say(format!("{} fix{s}", fixed.fixed.len()));
    }
    Ok(())
}
