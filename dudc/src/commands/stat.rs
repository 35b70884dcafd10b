//! `dudc stat`: statistics of the numbers of each item.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use dudley::model::{Dataset, Depth, Kind, Masked, Shared};
use dudley::read::select::{Picked, items, select};
use dudley::stat::{Number, Part, Results, Statistics, Survey, Surveyed};
use dudley::{Error, Stream};
use serde_json::{Map, Value as Json, json};

use crate::expansion::Expansion;
use crate::failure::{Failure, Result, printable};
use crate::json::Safe;
use crate::nodes::walk;
use crate::opened::Input;
use crate::options::{Format, FormatArgs, JobArgs};
use crate::output::{Output, warn};
use crate::progress::Progress;
use crate::rows::{Errors, float_json, integer};
use crate::scaled;
use crate::several::Words;
use crate::stream_args::StreamArgs;
use crate::terminal::{Table, number, short, short_mean};

/// Shows minimum, maximum, mean and standard deviation of each item, and counts NaN, infinities and
/// zeros
///
/// Reads every number once. NaN is counted, and left out of everything else; mean and standard
/// deviation (of the whole population) count finite numbers only. The items of a list are counted
/// together, as `/list[:]/x`. Real and imaginary parts of complex numbers are counted separately;
/// the mean of booleans is the fraction that is true; of text, only the strings are counted. Masked
/// elements of ASDF files are left out.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  dudc stat run.bd\n  dudc stat *.bd\n  dudc stat run.bd /rho '/history[10:]/t' \
                        --format json"
)]
pub(crate) struct StatArgs {
    /// Files of any format that `dudc ls` opens; then paths, to count only the items at and below them; they may
    /// have slices
    ///
    /// An argument is a file if a file of that name exists, and a path otherwise.
    #[arg(required = true, value_name = "FILE|PATH")]
    pub words: Vec<PathBuf>,
    #[command(flatten)]
    pub stream: StreamArgs,
    /// Counts each item of a list separately
    #[arg(long)]
    pub each: bool,
    #[command(flatten)]
    pub expansion: Expansion,
    #[command(flatten)]
    pub jobs: JobArgs,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Runs the command.
///
/// # Errors
/// If the only stream cannot be opened, or has no such items; if something in it cannot be read, after
/// all the rest is shown.
pub(crate) fn run(args: &StatArgs, output: &Output) -> Result {
    let words = Words::of(&args.words)?;
    words.each_file(args.format.format, output, &mut |file, out, output| {
        one(args, file, &words.paths, out, output)
    })
}

/// Counts the numbers of a file.
fn one(
    args: &StatArgs,
    file: &Path,
    paths: &[String],
    out: &mut dyn Write,
    output: &Output,
) -> Result<()> {
    let opened = args.stream.opened(file)?;
    let input = opened.input()?;
    opened.check_size(paths)?;
    opened.warn(paths, Depth::Headers)?;
    let mut progress = Progress::new(None);
    let mut advance = |bytes| progress.advance(bytes);
    let mut survey = Survey::new().each(args.each).progress(&mut advance);
    survey = survey.threads(args.jobs.threads());
    let mut unread = Errors::default();
    let units = match input {
        Input::Nodes => {
            let mut nodes = OfNodes {
                dataset: opened.dataset(),
                survey: &mut survey,
                expansion: args.expansion.of_another(),
                units: HashMap::new(),
                arrays: 0,
            };
            nodes.of_paths(paths, &mut unread)?;
            Units::Nodes(nodes.units)
        }
        _ => {
            let stream = opened.stream()?;
            scaled::remark_of_all(&opened.name(), stream.layout());
            for path in paths {
                add(&mut survey, stream, path, args.each)?;
            }
            if paths.is_empty() {
                survey.add(&stream.root());
            }
            Units::Layout(Box::new(stream.clone()))
        }
    };
    let results = survey.finish();
    drop(progress);
    let shown = match args.format.format {
        Format::Json => as_json(&units, &results, out),
        Format::Human => table(&units, &results, out),
    };
    shown.and_then(|()| out.flush()).map_err(Failure::output)?;
    let mut errors = Errors::default();
    results.errors.into_iter().for_each(|error| errors.add(error));
    errors.count = results.failed;
    errors.absorb(unread, |error| error);
    crate::rows::report(errors, output)
}

/// Where the units of items are said.
enum Units {
    Layout(Box<Stream>),
    /// By the paths of nodes.
    Nodes(HashMap<String, String>),
}

impl Units {
    fn of(&self, row: &Surveyed) -> Option<&str> {
        match self {
            Units::Layout(stream) => row.doc.and_then(|doc| stream.layout().unit(doc)),
            Units::Nodes(units) => units.get(&row.path).map(String::as_str),
        }
    }
}

/// The arrays of a file that has no layout; elements without a value are left out.
struct OfNodes<'n, 's> {
    dataset: &'n Dataset,
    survey: &'n mut Survey<'s>,
    expansion: Expansion,
    units: HashMap<String, String>,
    arrays: u64,
}

impl OfNodes<'_, '_> {
    fn of_paths(&mut self, paths: &[String], unread: &mut Errors) -> Result<()> {
        for path in paths {
            let each = self.dataset.paths(path)?;
            if each.is_empty() {
                return Err(Failure::input(format!("`{}` picks nothing", printable(path))));
            }
            for path in each {
                if self.dataset.get(&path).is_ok() {
                    self.below(&path, unread)?;
                } else {
                    // The code that follows the path reports a missing item.
                    self.slice(&path)?;
                }
            }
        }
        if paths.is_empty() {
            self.below("/", unread)?;
        }
        if self.arrays == 0 && unread.count == 0 {
            warn(
                "no arrays are there, and nothing else is counted: `dudc dump` shows the values of a tree",
            );
        }
        Ok(())
    }

    /// The selection of a path from an array.
    fn slice(&mut self, path: &str) -> Result<()> {
        if self.dataset.is_masked(path)? {
            return Err(Failure::input(format!(
                "`{path}` is a part of a masked array: name the array, and what is not masked is counted"
            )));
        }
        let selected = self.dataset.select_with(path, Masked::Stored)?;
        let [Picked::Data(data)] = selected.parts.as_slice() else {
            return Err(Failure::input(format!("`{path}` is no array")));
        };
        let whole = self.dataset.whole(path)?;
        self.expansion.add(&whole.extents()?, data.bytes(), path)?;
        self.survey.add_data(path, data);
        self.units.extend(whole.unit().map(|unit| (path.to_owned(), unit)));
        self.arrays += 1;
        Ok(())
    }

    /// The arrays at and below a path.
    fn below(&mut self, path: &str, unread: &mut Errors) -> Result<()> {
        walk(self.dataset, Some(path), Shared::Each, &mut |node, _| {
            let path = node.path();
            let mut add = || {
                match node.kind() {
                    Kind::Array => {}
                    // One that cannot be obtained may be an array.
                    Kind::Value => return node.dtype_name().map(|_| Ok(())),
                    Kind::Dict | Kind::List => return Ok(Ok(())),
                }
                let bytes = node.stored()?.bytes();
                self.arrays += 1;
                let stored = node.extents()?;
                if let Err(failure) = self.expansion.add(&stored, bytes, &path) {
                    return Ok(Err(failure));
                }
                for (field, data) in node.unmasked()? {
                    self.survey.add_data(&format!("{path}{field}"), &data);
                }
                self.units.extend(node.unit().map(|unit| (path.clone(), unit)));
                Ok(Ok(()))
            };
            match add() {
                Ok(added) => added?,
                Err(error) => unread.add(dudley::Error::of_path(error, &path)),
            }
            Ok(node.kind() != Kind::Array)
        })
    }
}

/// An item with everything below it, or the selection of a path with slices; each item separately if
/// requested.
fn add(survey: &mut Survey<'_>, stream: &Stream, path: &str, each: bool) -> Result<()> {
    if let Ok(item) = stream.get(path) {
        survey.add(&item);
        return Ok(());
    }
    if each {
        let picked = items(stream, path).map_err(|error| match error {
            Error::BadSlice { .. } => Failure::input(format!(
                "`{path}` slices an array: `--each` is for whole items, such as those of `/list[:]/x`"
            )),
            other => other.into(),
        });
        survey.add_all(path, &picked?);
        return Ok(());
    }
    let selected = match select(stream, path) {
        // Dicts and lists, of which a slice picks some.
        Err(Error::NotData { .. }) => {
            survey.add_all(path, &items(stream, path)?);
            return Ok(());
        }
        selected => selected?,
    };
    for part in selected.parts {
        match part {
            Picked::Data(data) => survey.add_data(path, &data),
            Picked::Value { .. } => {
                return Err(Failure::input(format!(
                    "`{path}` is of structs that differ in size: name the item, and its fields are \
                     counted"
                )));
            }
        }
    }
    Ok(())
}

fn table(units: &Units, results: &Results, out: &mut dyn Write) -> std::io::Result<()> {
    let head =
        ["path", "type", "count", "min", "max", "mean", "std", "NaN", "Inf", "zeros", "unit"];
    let mut table = Table::new(&head, &[2, 3, 4, 5, 6, 7, 8, 9], out);
    for row in &results.items {
        let Statistics { count, nan, inf, zeros, min, max, mean, std } = row.statistics;
        let size = if row.dtype.ends_with(['2', '4']) { 4 } else { 8 };
        let extreme = |number: Option<Number>| number.map_or(String::new(), |n| show(n, size));
        let rounded = |value: Option<f64>| value.map_or(String::new(), short);
        let special = |count: u64| if row.part == Part::Text { 0 } else { count };
        let some = |count: u64| if count == 0 { String::new() } else { count.to_string() };
        let unit = units.of(row).unwrap_or_default();
        let path = match row.part {
            Part::Whole | Part::Text => row.path.to_string(),
            Part::Real => format!("{} real", row.path),
            Part::Imaginary => format!("{} imag", row.path),
        };
        let (min, max) = (extreme(min), extreme(max));
        let counts = [some(special(nan)), some(special(inf)), some(special(zeros))];
        let cells = [path, row.dtype.clone(), count.to_string(), min, max];
        let mean = mean.map_or(String::new(), |mean| short_mean(mean, std));
        let rest = [mean, rounded(std)].into_iter().chain(counts);
        table.add(cells.into_iter().chain(rest).chain([unit.to_owned()]).collect())?;
    }
    table.finish()
}

fn show(value: Number, size: u64) -> String {
    match value {
        Number::Bool(value) => value.to_string(),
        Number::Int(value) => value.to_string(),
        Number::Float(value) => number(value, size),
    }
}

/// `{"version": 1, "items": […]}`
fn as_json(units: &Units, results: &Results, out: &mut dyn Write) -> std::io::Result<()> {
    write!(out, "{{\"version\": 1,\n \"items\": [")?;
    for (at, row) in results.items.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        write!(out, "{comma}\n  {}", Safe(Json::Object(item(units, row))))?;
    }
    writeln!(out, "{}]}}", if results.items.is_empty() { "" } else { "\n " })
}

fn item(units: &Units, row: &Surveyed) -> Map<String, Json> {
    let of = &row.statistics;
    let number = |value: Option<Number>| match value {
        None => Json::Null,
        Some(Number::Bool(value)) => json!(value),
        Some(Number::Int(value)) => integer(value),
        Some(Number::Float(value)) => float_json(value),
    };
    let float = |value: Option<f64>| value.map_or(Json::Null, float_json);
    let mut map = Map::new();
    let mut put = |key: &str, value: Json| map.insert(key.to_owned(), value);
    put("path", json!(row.path));
    put("dtype", json!(row.dtype));
    put("shape", json!(row.shape));
    match row.part {
        Part::Whole => None,
        Part::Real => put("part", json!("real")),
        Part::Imaginary => put("part", json!("imag")),
        Part::Text => put("part", json!("text")),
    };
    put("count", json!(of.count));
    if row.part != Part::Text {
        put("min", number(of.min));
        put("max", number(of.max));
        put("mean", float(of.mean));
        put("std", float(of.std));
        put("nan", json!(of.nan));
        put("inf", json!(of.inf));
        put("finite", json!(of.count - of.nan - of.inf));
        put("zeros", json!(of.zeros));
    }
    if row.unread > 0 {
        put("unread", json!(row.unread));
    }
    if let Some(unit) = units.of(row) {
        put("unit", json!(unit));
    }
    map
}
