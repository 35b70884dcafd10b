//! `dudc lint`: what is legal in layouts and could be better, and what of it is put right.

use super::check::{Lints, each, findings};
use crate::failure::{Failure, Result};
use crate::input;
use crate::names::{is_stdin, name_of};
use crate::options::{ReportFormat, ReportFormatArgs};
use crate::output::{Existing, Output, write_file};
use crate::report::Report;
use dudley::{Error, Layout};
use dudley_parser::comments::Attribute;
use dudley_parser::layout::DocKey;
use dudley_parser::lint::fix::fix;
use dudley_parser::lint::settings::rule;
use dudley_parser::lint::{RULES, Settings, lint};
use dudley_parser::{Diagnostic, Severity, check};
use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// Reports what is legal in layouts and could be better
///
/// What a rule finds is a note, unless something else is said: by --allow, --warn and --deny; by attributes in
/// a layout, `#: lint_allow = ["unit", "padding"]`, at an item, a dict, a type, or before all items for the
/// whole layout; or by files `.dudlint` in the folder of the layout and those around it, which hold such
/// lines. What is nearer counts. `dudc explain --list` lists the rules.
///
/// --fix puts right what can be put right without a change of what the layout means; nothing of a layout that has
/// errors.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exits with 1 if there is anything to say.

Examples:
  dudc lint model.dud
  dudc lint model.dud --allow unit --deny padding
  dudc lint --fix layouts/*.dud")]
pub(crate) struct Args {
    /// Layouts, or streams with a layout attached; `-` is standard input
    #[arg(required = true, value_name = "LAYOUT")]
    layouts: Vec<PathBuf>,
    /// Says nothing of what a rule finds
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    allow: Vec<&'static str>,
    /// What a rule finds is a warning
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    warn: Vec<&'static str>,
    /// What a rule finds is an error
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    deny: Vec<&'static str>,
    /// Puts right what can be put right; the meaning of the layouts stays
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
        // What is said on the command line goes before what the layout says.
        said.apply(&mut found);
        (checked, found, Severity::Note)
    });
    report.finish()?;
    Ok(status)
}

/// Puts a layout right.
fn fix_file(args: &Args, path: &Path, output: &Output) -> Result<()> {
    // What cannot be read is said where it is looked at.
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
    // What may be mended, it says.
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

/// The file that says how bad findings are, in the folder of a layout or around it.
const FILE: &str = ".dudlint";

/// The longest such file.
const LONGEST: u64 = 1 << 20;

/// What such files say.
#[derive(Default)]
pub(super) struct Around {
    /// What all of them say together; what is nearer to the layout counts.
    pub(super) settings: Settings,
    /// Their names and what is wrong with them.
    pub(super) failures: Vec<(String, Failure)>,
}

impl Around {
    /// What those around a layout say.
    pub(super) fn of(path: &Path) -> Around {
        let mut around = Around::default();
        if is_stdin(path) {
            return around;
        }
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        for folder in path.ancestors().skip(1) {
            let file = folder.join(FILE);
            // That there is none is no mistake.
            if let Ok(metadata) = file.metadata() {
                around.add(&file, &metadata);
            }
        }
        around
    }

    /// Adds what a file says that is further out than those before.
    fn add(&mut self, file: &Path, metadata: &Metadata) {
        let name = name_of(file);
        let failure = match read(file, &name, metadata) {
            Ok(bytes) => {
                let (said, failure) = said_in(&name, &bytes);
                self.settings = std::mem::take(&mut self.settings).within(&said);
                failure
            }
            Err(failure) => Some(failure),
        };
        self.failures.extend(failure.map(|failure| (name, failure)));
    }
}

/// The bytes of such a file; what is no file cannot be read to its end.
fn read(file: &Path, name: &str, metadata: &Metadata) -> Result<Vec<u8>> {
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(Failure::input(format!("{name} is no file of attributes about lints")));
    }
    if metadata.is_file() && metadata.len() > LONGEST {
        return Err(Failure::input(format!("{name} is longer than {LONGEST} bytes")));
    }
    std::fs::read(file).map_err(|error| Failure::io("read", name, &error))
}

/// What such a file says, and what is wrong with it: it is a layout, of which only its own attributes count.
fn said_in(name: &str, bytes: &[u8]) -> (Settings, Option<Failure>) {
    let mut checked = check(bytes);
    let text = checked.text.clone();
    let mut errors = Vec::new();
    let mut settings = Settings::new();
    // Of what is wrong its lines are taken out, so that the rest of the file counts.
    for _ in 0..ROUNDS {
        checked.diagnostics.retain(|found| found.severity.is_error());
        if let (Some(layout), []) = (&checked.layout, &checked.diagnostics[..]) {
            let attributes = layout.attributes(DocKey::LAYOUT);
            settings = Settings::of_attributes(attributes);
            errors.extend(lint(layout).into_iter().filter(|found| found.code == "lint-rule"));
            errors.extend(attributes.iter().filter_map(no_rule));
            errors.extend(declared(layout));
            break;
        }
        let rest = without_lines(&checked.text, &checked.diagnostics);
        errors.append(&mut checked.diagnostics);
        checked = check(rest.as_bytes());
    }
    if errors.is_empty() {
        return (settings, None);
    }
    errors.sort_by_key(|found| found.primary.span.start);
    let failure = Failure::of_file(name, Error::Layout { text, errors });
    (settings, Some(failure.with_help("its lines are attributes: `#: lint_deny = \"unit\"`")))
}

/// How often lines with errors are taken out.
const ROUNDS: usize = 16;

/// A text with blanks for the lines that something is wrong in.
fn without_lines(text: &str, found: &[Diagnostic]) -> String {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let (start, end) = (at, at + line.len());
        at = end;
        let wrong = found.iter().any(|found| {
            let span = found.primary.span;
            (span.start as usize) < end && (span.end as usize).max(span.start as usize + 1) > start
        });
        // What is at the end of the text is in its last line.
        let last =
            end == text.len() && found.iter().any(|it| it.primary.span.start as usize >= end);
        let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
        if wrong || last { line.bytes().map(blank).collect() } else { line.to_owned() }
    });
    lines.collect()
}

/// That an attribute has nothing to do with lints.
fn no_rule(attribute: &Attribute) -> Option<Diagnostic> {
    let other = !attribute.name.starts_with("lint_");
    let message = || format!("`{}` says nothing of lints", attribute.name);
    other.then(|| Diagnostic::error("lint-rule", attribute.span, message()))
}

/// The first thing that such a file declares, if it does.
fn declared(layout: &Layout) -> Option<Diagnostic> {
    let arrays = layout.arrays().map(|(_, array)| array.span);
    let params = layout.params().map(|(_, param)| param.span);
    let dicts = layout.dicts().iter().skip(1).map(|dict| dict.span);
    let types = layout.types().iter().map(|ty| ty.span);
    let first = arrays.chain(params).chain(dicts).chain(types).min_by_key(|span| span.start)?;
    let message = "this is no attribute: nothing else counts in such a file";
    Some(Diagnostic::error("bad-attr", first, message))
}
