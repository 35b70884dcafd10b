//! `dudc diff`: where two streams, or two layouts, differ.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;
use dudley::diff::{Change, Diff, Difference, Glob, Tolerance};
use dudley::model::{Dataset, Node};
use dudley::read::select::{Picked, Selected, items};
use dudley::{Layout, Stream};
use dudley_parser::comments::AttrValue;
use dudley_parser::place;
use dudley_parser::span::LineIndex;
use serde_json::{Value, json};

use crate::changes::Comparison;
use crate::differences::Shown;
use crate::failure::{Failure, Result, Status};
use crate::input::is_one_file;
use crate::json::Safe;
use crate::names::{is_stdin, name_of};
use crate::nodes::repeated::repeated;
use crate::nodes::{compare, leaves, units};
use crate::opened::{Input, Opened};
use crate::options::{Format, FormatArgs, JobArgs};
use crate::output::{Output, warn};
use crate::pick;
use crate::progress::Progress;
use crate::report::row;
use crate::rows::Errors;
use crate::stream_args::{StreamArgs, parse_number};

/// Shows the differences of two streams, or of two layouts; without differences it prints nothing
/// and exits with 0
///
/// For two layouts, shows every difference and what each breaks; `dudc breaking` shows only the
/// breaking ones, and compares with revisions. The options are for streams.
///
/// Streams are compared by path; byte orders and addresses do not matter. Floats are equal if |a -
/// b| <= atol + rtol * |b|, or if at most --ulp floats of their type lie between them; NaN equals
/// NaN, and an infinity only itself. Integers, booleans and text must be equal. Times of numpy
/// (attribute `numpy`) in different units are of different types. An item whose layout in A has the
/// attributes `rtol`, `atol` or `ulp` is compared with those; --tol overrides them.
///
/// Blosc2 frames are compared by their elements, not by the way they are cut and stored; paths such
/// as `/meta/b2nd` compare these properties. In ASDF and FINF files, arrays and values are compared
/// by their paths in the tree, also with the items of a stream; masked elements are equal. An array
/// that both trees use at several places (by anchors) is compared once, unless there are patterns.
/// Blocks without an array are compared by their numbers. The author and history of a file are
/// compared only with those of another such file.
///
/// In globs, `*` matches any characters, `?` matches one, `[*]` any index of a list; a glob without
/// `/` matches names at any depth. If a path with slices picks an item, a glob matches its own
/// path, or the path as written.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  dudc diff old.bd new.bd --rtol 1e-9\n  dudc diff a.bd b.bd --tol \
                        '/rho*=rtol:1e-6,atol:0' --ignore '*time*'\n  dudc diff a.bd b.bd /history \
                        --format json\n  dudc diff old.dud new.dud"
)]
pub(crate) struct DiffArgs {
    /// A file of any format that dudc opens, or a layout
    pub a: PathBuf,
    /// A file or layout to compare it with
    pub b: PathBuf,
    /// Compares only items at and below these paths, which may have slices
    pub paths: Vec<String>,
    #[command(flatten)]
    pub stream: StreamArgs,
    /// The layout of B, if it differs from that of A
    #[arg(long, value_name = "Y.dud")]
    pub layout_b: Option<PathBuf>,
    /// The byte of its file at which B starts, if it differs from that of A
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    pub base_b: Option<u64>,
    /// Relative tolerance of floats, as a fraction of the value in B
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = parse_tolerance,
          allow_hyphen_values = true)]
    pub rtol: f64,
    /// Absolute tolerance of floats, in their unit
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = parse_tolerance,
          allow_hyphen_values = true)]
    pub atol: f64,
    /// Tolerance of floats in units of the last place
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_count,
          allow_hyphen_values = true)]
    pub ulp: u64,
    /// Compares numbers of different types by their values: 1.0 in an f4 is 1.0 in an f8, and 1 in an i2
    #[arg(long)]
    pub promote: bool,
    /// Counts two NaN as different
    #[arg(long)]
    pub nan_differs: bool,
    /// Tolerance for the paths that a glob matches: GLOB=rtol:X,atol:X,ulp:N
    #[arg(long = "tol", value_name = "GLOB=TOL", value_parser = parse_change)]
    pub changes: Vec<(String, Change)>,
    /// Leaves out matching items, and all below them
    #[arg(long, value_name = "GLOB")]
    pub ignore: Vec<String>,
    /// Compares units and attributes too
    #[arg(long)]
    pub attrs: bool,
    /// Shows at most this many differences; JSON has all by default
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true)]
    pub max: Option<u64>,
    #[command(flatten)]
    pub jobs: JobArgs,
    #[command(flatten)]
    pub format: FormatArgs,
}

fn parse_tolerance(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 => Ok(value),
        _ => Err(format!("`{text}` is no number of at least 0")),
    }
}

fn parse_count(text: &str) -> std::result::Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is no integer of at least 0"))
}

/// Reads `GLOB=rtol:1e-6,atol:0,ulp:4`.
fn parse_change(text: &str) -> std::result::Result<(String, Change), String> {
    let (glob, parts) = text.rsplit_once('=').ok_or("expected GLOB=rtol:X,atol:X,ulp:N")?;
    let mut change = Change::default();
    for part in parts.split(',') {
        match part.split_once(':') {
            Some(("rtol", value)) => change.rtol = Some(parse_tolerance(value)?),
            Some(("atol", value)) => change.atol = Some(parse_tolerance(value)?),
            Some(("ulp", value)) => change.ulp = Some(parse_count(value)?),
            _ => return Err(format!("`{part}` is none of rtol:X, atol:X, ulp:N")),
        }
    }
    Ok((glob.to_owned(), change))
}

/// Runs the command.
///
/// # Errors
/// If a stream cannot be opened; if something could not be read, after all differences are shown.
pub(crate) fn run(args: &DiffArgs, output: &Output) -> Result {
    if is_stdin(&args.a) && is_stdin(&args.b) {
        return Err(Failure::usage("only one of the streams can be standard input"));
    }
    let mut of_b = args.stream.clone();
    of_b.layout = args.layout_b.clone().or(of_b.layout);
    of_b.base = args.base_b.unwrap_or(of_b.base);
    let (file_a, file_b) = match opened(args, &of_b) {
        Ok(files) => files,
        Err(failure) => {
            failed(args, &failure, output)?;
            return Err(failure);
        }
    };
    let (a, b) = match (file_a.input()?, file_b.input()?) {
        (Input::Stream(a), Input::Stream(b)) => (a, b),
        (Input::Layout(a), Input::Layout(b)) => return layouts(args, a, b, output),
        (Input::Nodes, _) | (_, Input::Nodes) => return files(args, &file_a, &file_b, output),
        (Input::Layout(_), _) => return Err(no_stream(&args.a)),
        (_, Input::Layout(_)) => return Err(no_stream(&args.b)),
    };
    file_a.check_size(&args.paths)?;
    file_b.check_size(&args.paths)?;
    let mut storage = Vec::new();
    if args.paths.is_empty() {
        storage = file_a.dataset().storage()?;
        let others = file_b.dataset().storage()?;
        storage.retain(|path| others.contains(path));
    }
    let mut shown = shown(args);
    compare(args, a, b, &storage, &mut shown)?;
    shown.finish(output)
}

fn shown(args: &DiffArgs) -> Shown {
    Shown::new(args.format.format, [name_of(&args.a), name_of(&args.b)], args.max)
}

/// Compares layouts: declarations and addresses.
fn layouts(args: &DiffArgs, a: &Layout, b: &Layout, output: &Output) -> Result {
    if !args.paths.is_empty() {
        return Err(Failure::usage("paths pick items of streams; layouts are compared whole"));
    }
    let changes =
        dudley_parser::compare::compare(a, b, place::start(args.stream.raw || b.is_of_raw()));
    let names = [name_of(&args.a), name_of(&args.b)];
    let comparison = Comparison { old: (&names[0], a), new: (&names[1], b), changes: &changes };
    match args.format.format {
        Format::Human => output.print(comparison.text(output.result_style()))?,
        Format::Json => {
            print_changes(args, comparison.rows(), Vec::new(), changes.is_empty(), output)?;
        }
    }
    Ok(if changes.is_empty() { Status::Done } else { Status::Found })
}

fn opened(args: &DiffArgs, of_b: &StreamArgs) -> Result<(Opened, Opened)> {
    let a = args.stream.opened(&args.a)?;
    a.input()?;
    // Each file is compared in its state at one moment, even if it grows.
    let alike = of_b.layout == args.stream.layout && of_b.base == args.stream.base;
    let b = if alike && is_one_file(&args.a, &args.b) { a.clone() } else { of_b.opened(&args.b)? };
    b.input()?;
    Ok((a, b))
}

/// Programs get the errors of a layout in the form of `check`.
fn failed(args: &DiffArgs, failure: &Failure, output: &Output) -> Result<()> {
    match (args.format.format, failure.layout_findings()) {
        (Format::Json, Some((file, text, errors))) => {
            let lines = LineIndex::new(text);
            let rows = errors.iter().map(|error| row(file, &lines, error)).collect();
            print_changes(args, Vec::new(), rows, false, output)
        }
        _ => Ok(()),
    }
}

/// The differences of layouts as JSON.
fn print_changes(
    args: &DiffArgs,
    changes: Vec<Value>,
    diagnostics: Vec<Value>,
    equal: bool,
    output: &Output,
) -> Result<()> {
    let all = json!({
        "version": 1,
        "old": name_of(&args.a),
        "new": name_of(&args.b),
        "changes": changes,
        "diagnostics": diagnostics,
        "equal": equal,
    });
    output.print(format!("{:#}\n", Safe(all)))
}

fn no_stream(path: &Path) -> Failure {
    let name = name_of(path);
    Failure::input(format!("{name} is a layout, and is compared with a stream: give two streams"))
}

/// Compares files of which one at least has no layout: arrays and values by their paths.
fn files(args: &DiffArgs, file_a: &Opened, file_b: &Opened, output: &Output) -> Result {
    let mut shown = shown(args);
    let (diff, patterns) = how(args);
    let paths: Vec<Option<&str>> = match &args.paths[..] {
        [] => vec![None],
        paths => paths.iter().map(|path| Some(path.as_str())).collect(),
    };
    let sides = [Side::of(file_a, file_b)?, Side::of(file_b, file_a)?];
    for path in paths {
        if let Some(path) = path
            && let (Some(one), Some(other)) = (
                pick::part(file_a, Some(&sides[0].path(path)?))?,
                pick::part(file_b, Some(&sides[1].path(path)?))?,
            )
        {
            picked(&diff, path, &one, &other, &mut |difference| shown.add(difference))?;
            continue;
        }
        let mut errors = [Errors::default(), Errors::default()];
        let [in_a, in_b] = &mut errors;
        // Patterns may match one place of a shared array and not the other.
        let again = match &sides {
            [Side::Nodes { .. }, Side::Nodes { .. }] if patterns.is_empty() => {
                repeated(file_a.dataset(), file_b.dataset(), path)?
            }
            _ => HashSet::new(),
        };
        compare::compare(
            &diff,
            [&args.a, &args.b],
            |visit| sides[0].all(path, &again, in_a, visit),
            |visit| sides[1].all(path, &again, in_b, visit),
            &mut |difference| shown.add(difference),
        )?;
        for (errors, file) in errors.into_iter().zip([&args.a, &args.b]) {
            shown.absorb(errors, |error| error.of_file(file));
        }
        match &sides {
            [Side::Elsewhere(file), Side::Stream(stream)] => {
                units::compare(&diff, file, path, stream, &mut |path, file, stream| {
                    shown.add(Ok(unit(path, file, stream)));
                })?;
            }
            [Side::Stream(stream), Side::Elsewhere(file)] => {
                units::compare(&diff, file, path, stream, &mut |path, file, stream| {
                    shown.add(Ok(unit(path, stream, file)));
                })?;
            }
            _ => {}
        }
    }
    warn_of_unmatched(&patterns);
    shown.finish(output)
}

/// Two files, at least one of which has no layout.
enum Side<'s> {
    Stream(&'s Stream),
    /// Beside another one without a layout.
    Nodes {
        own: &'s Dataset,
        other: &'s Dataset,
    },
    /// Beside a stream, renamed data is compared under the names of the stream.
    Elsewhere(&'s Dataset),
}

impl<'s> Side<'s> {
    fn of(file: &'s Opened, other: &'s Opened) -> Result<Side<'s>> {
        Ok(match (file.input()?, other.input()?) {
            (Input::Stream(stream), _) => Side::Stream(stream),
            (Input::Nodes, Input::Nodes) => {
                Side::Nodes { own: file.dataset(), other: other.dataset() }
            }
            (Input::Nodes, _) => Side::Elsewhere(file.dataset()),
            (Input::Layout(_), _) => return Err(no_stream(Path::new(&file.name()))),
        })
    }

    /// A path in it: a stream has its own paths, and data in a file without a layout may have another name.
    fn path(&self, path: &str) -> Result<String> {
        match self {
            Side::Elsewhere(dataset) => Ok(dataset.path_here(path)?),
            _ => Ok(path.to_owned()),
        }
    }

    /// All of it at or below a path, but at some, which is compared with the other one.
    fn all(
        &self,
        path: Option<&str>,
        but: &HashSet<String>,
        errors: &mut Errors,
        visit: &mut leaves::Visit<'_>,
    ) -> Result<()> {
        match self {
            Side::Stream(stream) => leaves::of_stream(stream, path, errors, visit),
            Side::Nodes { own, other } => {
                // With the types of its names if those are others in the other file.
                let named = |node: &Node| match other.get(&node.path()) {
                    Ok(found) if found.typed_path() != node.typed_path() => node.typed_path(),
                    _ => node.path(),
                };
                leaves::of_nodes(own, path, but, errors, &named, visit)
            }
            Side::Elsewhere(dataset) => leaves::elsewhere(dataset, path, errors, visit),
        }
    }
}

/// The message for two different units of one path.
fn unit(path: &str, a: Option<String>, b: Option<String>) -> Difference {
    let text = |unit: Option<String>| unit.map(AttrValue::Text);
    Difference::Attribute { path: path.to_owned(), name: "unit".to_owned(), a: text(a), b: text(b) }
}

/// Compares streams. If both declare how values are stored, the physical values are compared.
fn compare(
    args: &DiffArgs,
    a: &Stream,
    b: &Stream,
    storage: &[String],
    shown: &mut Shown,
) -> Result<()> {
    let (mut diff, globs) = how(args);
    if !storage.is_empty() {
        diff = storage.iter().fold(diff, |diff, path| diff.ignore(Glob::new(path)));
        diff = diff.attributes(true);
    }
    let mut progress = Progress::new(None);
    let mut advance = |bytes| progress.advance(bytes);
    let mut found = |difference| shown.add(difference);
    if args.paths.is_empty() {
        diff.items_with(&a.root(), &b.root(), &mut found, &mut advance);
    }
    for path in &args.paths {
        match (a.get(path), b.get(path)) {
            (Ok(a), Ok(b)) => diff.items_with(&a, &b, &mut found, &mut advance),
            (Ok(a), Err(_)) => found(Ok(only(path, true, a.kind().as_str()))),
            (Err(_), Ok(b)) => found(Ok(only(path, false, b.kind().as_str()))),
            (Err(_), Err(_)) => slices(&diff, path, a, b, &mut found)?,
        }
    }
    warn_of_unmatched(&globs);
    Ok(())
}

/// A pattern of the command line: its option, its text, and its form in the comparison.
type Pattern<'a> = (&'static str, &'a str, Glob);

fn warn_of_unmatched(patterns: &[Pattern<'_>]) {
    for (option, text, _) in patterns.iter().filter(|(.., glob)| !glob.has_matched()) {
        warn(&format!("{option} `{text}` matches nothing that was compared"));
    }
}

/// The options of the comparison, and its patterns.
fn how(args: &DiffArgs) -> (Diff, Vec<Pattern<'_>>) {
    let DiffArgs { rtol, atol, ulp, nan_differs, .. } = *args;
    let mut diff =
        Diff::new().tolerance(Tolerance { rtol, atol, ulp, nan_differs }).attributes(args.attrs);
    diff = diff.promote(args.promote).threads(args.jobs.threads());
    let mut patterns: Vec<Pattern<'_>> = Vec::new();
    for (text, change) in &args.changes {
        let glob = Glob::new(text);
        diff = diff.tolerance_of(glob.clone(), *change);
        patterns.push(("--tol", text, glob));
    }
    for text in &args.ignore {
        let glob = Glob::new(text);
        diff = diff.ignore(glob.clone());
        patterns.push(("--ignore", text, glob));
    }
    (diff, patterns)
}

fn only(path: &str, first: bool, kind: &'static str) -> Difference {
    Difference::Only { path: path.to_owned(), first, kind }
}

/// Compares the selections of a path with slices.
fn slices(
    diff: &Diff,
    path: &str,
    a: &Stream,
    b: &Stream,
    found: &mut dyn FnMut(dudley::Result<Difference>),
) -> Result<()> {
    match (pick::part_of_stream(a, Some(path))?, pick::part_of_stream(b, Some(path))?) {
        (Some(one), Some(other)) => picked(diff, path, &one, &other, found),
        _ => items_of(diff, path, a, b, found),
    }
}

/// Compares the selections of a path with slices from both files: one array, or one of each item of
/// a list.
fn picked(
    diff: &Diff,
    path: &str,
    one: &Selected,
    other: &Selected,
    found: &mut dyn FnMut(dudley::Result<Difference>),
) -> Result<()> {
    if let (Some(one), Some(other)) = (one.data(), other.data()) {
        return Ok(diff.data(path, one, other, found)?);
    }
    let masked = |it: &Selected| matches!(it.parts[..], [Picked::Value { dtype: Some(_), .. }]);
    if masked(one) || masked(other) {
        return Ok(compare::values(diff, path, &one.value()?, &other.value()?, found)?);
    }
    let [a, b] = [one.parts.len() as u64, other.parts.len() as u64];
    if a != b {
        found(Ok(Difference::Length { path: path.to_owned(), a, b }));
    }
    for pair in one.parts.iter().zip(&other.parts) {
        let (Picked::Data(one), Picked::Data(other)) = pair else {
            return Err(Failure::input(format!(
                "`{path}` is of structs that differ in size: name the list, or one item of it"
            )));
        };
        diff.picked(path, one.path(), one, other, found)?;
    }
    Ok(())
}

/// Compares the dicts or lists that a path with slices picks, one by one.
fn items_of(
    diff: &Diff,
    path: &str,
    a: &Stream,
    b: &Stream,
    found: &mut dyn FnMut(dudley::Result<Difference>),
) -> Result<()> {
    let (one, other) = (items(a, path)?, items(b, path)?);
    if one.len() != other.len() {
        let [a, b] = [one.len() as u64, other.len() as u64];
        found(Ok(Difference::Length { path: path.to_owned(), a, b }));
    }
    one.iter().zip(&other).for_each(|(a, b)| diff.items(a, b, found));
    Ok(())
}
