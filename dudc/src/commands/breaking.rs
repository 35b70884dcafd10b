//! `dudc breaking`: what does a changed layout break?

use crate::changes::Comparison;
use crate::failure::{Failure, Result, Status};
use crate::git;
use crate::input::{self, LayoutText};
use crate::json::Safe;
use crate::names::is_stdin;
use crate::options::{ReportFormat, ReportFormatArgs};
use crate::output::Output;
use crate::report::row;
use crate::sarif::Sarif;
use clap::ValueEnum;
use dudley::{Layout, parse_layout};
use dudley_parser::compare::{Change, Level, Levels, compare};
use dudley_parser::place;
use dudley_parser::span::LineIndex;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Reports what a changed layout breaks: streams that do not carry their layout (LAYOUT), programs
/// that look items up by name (READ), and code generated from the layout (SOURCE)
///
/// Each finding has a code for `dudc explain`. For a changed address it has an example: values of
/// the params for which the addresses differ. `dudc diff OLD NEW` also shows changes that break
/// nothing. A stream stands for the layout attached to it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exits with 1 if anything breaks at the levels that count.

Examples:
  dudc breaking old.dud new.dud
  dudc breaking model.dud --against git:HEAD~1
  dudc breaking model.dud --against run.bd --level LAYOUT
  dudc breaking layouts/*.dud --against git:origin/main --format sarif")]
pub(crate) struct Args {
    /// The old layout and the new one; with --against, new ones
    #[arg(required = true, value_name = "LAYOUT")]
    layouts: Vec<PathBuf>,
    /// What to compare with: `git:REV`, the same file in a revision; a layout; a stream with a layout
    /// attached
    #[arg(long, value_name = "WHAT")]
    against: Option<String>,
    /// What counts; several may be given [default: all]
    #[arg(long = "level", value_name = "LEVEL", ignore_case = true)]
    levels: Vec<LevelArg>,
    /// The layouts are of raw streams: addresses start at 0
    #[arg(long)]
    raw: bool,
    #[command(flatten)]
    format: ReportFormatArgs,
}

/// A level as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LevelArg {
    /// Streams that do not carry their layout
    #[value(name = "LAYOUT")]
    Layout,
    /// Programs that look items up by name
    #[value(name = "READ")]
    Read,
    /// Code generated from the layout
    #[value(name = "SOURCE")]
    Source,
}

impl From<LevelArg> for Level {
    fn from(level: LevelArg) -> Level {
        match level {
            LevelArg::Layout => Level::Layout,
            LevelArg::Read => Level::Read,
            LevelArg::Source => Level::Source,
        }
    }
}

/// Compares layouts and reports the breaking changes.
pub(crate) fn run(args: &Args, output: &Output) -> Result {
    let mut told = Told::new(output, args);
    let mut status = Status::Done;
    for (old, new) in pairs(args)? {
        let looked = read(&old, new).and_then(|(found, new)| match (found, old) {
            (Some(found), _) => {
                told.compare(&found, &new).map_err(|failure| Box::new((new.0, failure)))
            }
            (None, old) => {
                // The file is new, so nothing of it can break.
                let Old::Revision(revision) = old else { return Ok(()) };
                let said = format!("{} is new: {revision} does not have it\n", new.0);
                output.message(&crate::failure::printable(&said));
                Ok(())
            }
        });
        if let Err(about) = looked {
            let (file, failure) = *about;
            output.complain(&failure);
            told.failed(&file, &failure);
            status = status.max(failure.status());
        }
    }
    let found = if told.count > 0 { Status::Found } else { Status::Done };
    told.finish()?;
    Ok(status.max(found))
}

/// The other side of the comparison.
enum Old<'a> {
    File(&'a Path),
    Revision(&'a str),
}

fn pairs(args: &Args) -> Result<Vec<(Old<'_>, &Path)>> {
    let new = args.layouts.iter().map(PathBuf::as_path);
    match (args.against.as_deref(), &args.layouts[..]) {
        (None, [old, new]) if is_stdin(old) && is_stdin(new) => {
            Err(Failure::usage("only one of the layouts can be standard input"))
        }
        (None, [old, new]) => Ok(vec![(Old::File(old), new)]),
        (None, _) => Err(Failure::usage(
            "give an old layout and a new one, or say what to compare with: --against git:HEAD",
        )),
        (Some(what), _) => Ok(match what.strip_prefix("git:") {
            Some(revision) => new.map(|new| (Old::Revision(revision), new)).collect(),
            None if is_stdin(Path::new(what)) && args.layouts.iter().any(|new| is_stdin(new)) => {
                return Err(Failure::usage("only one of the layouts can be standard input"));
            }
            None => new.map(|new| (Old::File(Path::new(what)), new)).collect(),
        }),
    }
}

/// A layout with its name.
type Named = (String, Layout);

/// The old layout, if there is one, and the new one.
type Pair = (Option<Named>, Named);

/// The old layout and the new one; no old one where the revision has none.
///
/// # Errors
/// If one of them cannot be read or has errors: its name, and why.
fn read(old: &Old<'_>, new: &Path) -> std::result::Result<Pair, Box<(String, Failure)>> {
    let about = |path: &Path| {
        let name = crate::names::name_of(path);
        |failure| Box::new((name, failure))
    };
    let found = match old {
        Old::File(path) => {
            let found = input::read_layout(path).and_then(parse);
            Some(found.map_err(about(path))?)
        }
        Old::Revision(revision) => {
            let found = git::file(revision, new).and_then(|found| found.map(parse).transpose());
            found.map_err(about(new))?
        }
    };
    Ok((found, input::read_layout(new).and_then(parse).map_err(about(new))?))
}

fn parse(text: LayoutText) -> Result<Named> {
    let layout = parse_layout(&text.bytes);
    let layout = layout.map_err(|error| Failure::of_file(&text.name, error))?;
    Ok((text.name, layout))
}

struct Told<'t> {
    output: &'t Output,
    args: &'t Args,
    sarif: Sarif,
    rows: Vec<Value>,
    /// The errors of layouts that have errors or cannot be read.
    diagnostics: Vec<Value>,
    count: usize,
}

impl<'t> Told<'t> {
    fn new(output: &'t Output, args: &'t Args) -> Self {
        let (rows, diagnostics) = (Vec::new(), Vec::new());
        Told { output, args, sarif: Sarif::default(), rows, diagnostics, count: 0 }
    }

    /// Programs get the errors of a layout in the form of `check`.
    fn failed(&mut self, file: &str, failure: &Failure) {
        let (file, text, errors) = failure.findings(file);
        match self.args.format.format {
            ReportFormat::Human => {}
            ReportFormat::Json => {
                let lines = LineIndex::new(text);
                self.diagnostics.extend(errors.iter().map(|error| row(file, &lines, error)));
            }
            ReportFormat::Sarif => self.sarif.add_all(file, text, &errors),
        }
    }

    fn counts(&self, levels: Levels) -> bool {
        match &self.args.levels[..] {
            [] => !levels.is_empty(),
            wanted => wanted.iter().any(|level| levels.has((*level).into())),
        }
    }

    fn compare(&mut self, old: &Named, new: &Named) -> Result<()> {
        let mut changes = compare(&old.1, &new.1, place::start(self.args.raw || new.1.is_of_raw()));
        changes.retain(|change| self.counts(change.levels));
        self.count += changes.len();
        let comparison =
            Comparison { old: (&old.0, &old.1), new: (&new.0, &new.1), changes: &changes };
        match self.args.format.format {
            ReportFormat::Human => {
                let mut text = comparison.text(self.output.result_style());
                if !changes.is_empty() {
                    let names = format!("{}: {}", new.0, tally(&changes));
                    text += &format!("{}\n", crate::failure::printable(&names));
                }
                self.output.print(text)?;
            }
            ReportFormat::Json => self.rows.push(json!({
                "old": old.0,
                "new": new.0,
                "changes": comparison.rows(),
            })),
            ReportFormat::Sarif => self.push_sarif(new, &changes),
        }
        Ok(())
    }

    fn push_sarif(&mut self, new: &Named, changes: &[Change]) {
        let lines = LineIndex::new(new.1.text());
        for change in changes {
            let level = if change.levels.has(Level::Layout) || change.levels.has(Level::Read) {
                "error"
            } else {
                "warning"
            };
            let message = match &change.example {
                Some(example) => format!("{}: {example}", change.message),
                None => change.message.clone(),
            };
            // A removed item has no place in the new text.
            let place = change.new.map(|span| (&lines, span));
            self.sarif.add(change.code, level, &message, &new.0, place);
        }
    }

    fn finish(self) -> Result<()> {
        match self.args.format.format {
            ReportFormat::Human => Ok(()),
            ReportFormat::Json => {
                let all = json!({
                    "version": 1,
                    "comparisons": self.rows,
                    "diagnostics": self.diagnostics,
                    "breaking": self.count,
                });
                self.output.print(format!("{:#}\n", Safe(all)))
            }
            ReportFormat::Sarif => self.output.print(self.sarif.text()),
        }
    }
}

/// The number of changes that break each level.
fn tally(changes: &[Change]) -> String {
    let levels = Level::ALL.iter().filter_map(|level| {
        let count = changes.iter().filter(|change| change.levels.has(*level)).count();
        (count > 0).then(|| format!("{count} {}", level.as_str()))
    });
    let levels: Vec<String> = levels.collect();
    let s = if changes.len() == 1 { "" } else { "s" };
    format!("{} breaking change{s} ({})", changes.len(), levels.join(", "))
}
