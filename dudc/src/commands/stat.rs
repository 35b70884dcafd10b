//! `dudc stat`: what the numbers of each item come to.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use asdf_bridge::asdf::AsdfFile;
use clap::Args;
use dudley::model::Depth;
use dudley::select::{Picked, items, select};
use dudley::stat::{Number, Part, Results, Statistics, Survey, Surveyed};
use dudley::{Error, Stream};
use serde_json::{Map, Value as Json, json};

use crate::asdf::leaves::{self, Leaf};
use crate::asdf::taken;
use crate::cli::{Format, FormatArgs, JobArgs};
use crate::expansion::Expansion;
use crate::failure::{Failure, Result};
use crate::frame::limit;
use crate::json::Safe;
use crate::opened::Input;
use crate::output::{Output, warn};
use crate::progress::Progress;
use crate::rows::{Errors, float_json, integer};
use crate::several::Words;
use crate::stream_args::StreamArgs;
use crate::terminal::{Table, number, short, short_mean};

/// Shows least, greatest, mean and spread of the numbers of each item, and how many are NaN, infinite, 0
///
/// Everything is read once. NaNs are counted and else left out; mean and standard deviation (of the
/// whole population) are those of what is finite. The items of a list are counted together, as
/// `/list[:]/x`. Of complex numbers the real and the imaginary parts are counted apart; the mean of
/// booleans is the part that is true; of text the strings are counted. Masked elements of ASDF files are
/// left out.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  dudc stat run.bd\n  dudc stat *.bd\n  dudc stat run.bd /rho '/history[10:]/t' \
                        --format json"
)]
pub(crate) struct StatArgs {
    /// Streams, ASDF or FINF files; then paths, for what is at or below them: they may have slices
    ///
    /// What is the name of a file that is there is one; else it is a path.
    #[arg(required = true, value_name = "FILE|PATH")]
    pub words: Vec<PathBuf>,
    #[command(flatten)]
    pub stream: StreamArgs,
    /// Counts each item of a list apart
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
    if let Some(frame) = opened.frame() {
        limit::within(frame, &opened.name(), paths)?;
    }
    opened.warn(paths, Depth::Headers)?;
    let mut progress = Progress::new(None);
    let mut advance = |bytes| progress.advance(bytes);
    let mut survey = Survey::new().each(args.each).progress(&mut advance);
    survey = survey.threads(args.jobs.threads());
    let mut units = Units::default();
    let mut unread = Errors::default();
    match input {
        Input::Asdf(file) => {
            let expansion = args.expansion.of_another();
            of_file(&mut survey, (file, &expansion), paths, &mut units, &mut unread)?;
        }
        _ => {
            let stream = opened.stream()?;
            for path in paths {
                add(&mut survey, stream, path, args.each)?;
            }
            if paths.is_empty() {
                survey.add(&stream.root());
            }
            units = Units::Layout(Box::new(stream.clone()));
        }
    }
    let results = survey.finish();
    drop(progress);
    let shown = match args.format.format {
        Format::Json => as_json(&units, &results, out),
        Format::Human => table(&units, &results, out),
    };
    shown.and_then(|()| out.flush()).map_err(Failure::output)?;
    let mut errors = Errors::default();
    results.errors.into_iter().for_each(|error| errors.add(error));
    errors.count = results.failed + unread.count;
    errors.first.extend(unread.first);
    errors.unread |= unread.unread;
    super::ls::report(errors, output)
}

/// Where the units of items are said.
enum Units {
    Layout(Box<Stream>),
    /// By the paths of a tree.
    Tree(HashMap<String, String>),
}

impl Default for Units {
    fn default() -> Units {
        Units::Tree(HashMap::new())
    }
}

impl Units {
    fn of(&self, row: &Surveyed) -> Option<&str> {
        match self {
            Units::Layout(stream) => row.doc.and_then(|doc| stream.layout().unit(doc)),
            Units::Tree(units) => units.get(&row.path).map(String::as_str),
        }
    }
}

/// The arrays of an ASDF or FINF file; elements without a value are left out.
fn of_file(
    survey: &mut Survey<'_>,
    (file, expansion): (&AsdfFile, &Expansion),
    paths: &[String],
    units: &mut Units,
    unread: &mut Errors,
) -> Result<()> {
    let mut known = HashMap::new();
    let paths = crate::asdf::spread(file, paths)?;
    let whole = [None];
    let picked: Vec<Option<&str>> = paths.iter().map(|path| Some(path.as_str())).collect();
    let picked = if paths.is_empty() { &whole[..] } else { &picked[..] };
    let mut arrays = 0;
    for path in picked {
        if let Some(path) = path.filter(|path| file.get(path).is_err()) {
            // That there is nothing of that path is said by who picks it.
            if taken::is_masked(file, path).unwrap_or(false) {
                return Err(Failure::input(format!(
                    "`{path}` is a part of a masked array: name the array, and what is not masked is counted"
                )));
            }
            let value = taken::of_value(file, path)?;
            match file.select_stored(&value)?.parts.as_slice() {
                [Picked::Data(data)] => {
                    expansion.add(&file.array(&taken::whole(&value)?)?, data.bytes(), path)?;
                    survey.add_data(path, data);
                }
                _ => return Err(Failure::input(format!("`{path}` is no array"))),
            }
            let unit = file.get(&taken::whole(&value)?)?.unit();
            known.extend(unit.map(|unit| (path.to_owned(), unit)));
            arrays += 1;
            continue;
        }
        let mut damaged = Vec::new();
        leaves::of_file(file, *path, &HashSet::new(), unread, &mut |path, leaf| {
            let Leaf::Array(array) = leaf else { return Ok(()) };
            arrays += 1;
            expansion.add(&array, array.data().map_or(0, |data| data.bytes()), path)?;
            match array.unmasked() {
                Ok(parts) => parts.iter().for_each(|part| {
                    survey.add_data(&format!("{path}{}", part.field), &part.data);
                }),
                Err(error) => damaged.push(leaves::listed(path, &error.to_string())),
            }
            let unit = file.get(path).ok().and_then(|item| item.unit());
            known.extend(unit.map(|unit| (path.to_owned(), unit)));
            Ok(())
        })?;
        damaged.into_iter().for_each(|error| unread.add(error));
    }
    if arrays == 0 && unread.count == 0 {
        warn(
            "no arrays are there, and nothing else is counted: `dudc dump` shows the values of a tree",
        );
    }
    *units = Units::Tree(known);
    Ok(())
}

/// An item with all below it, or what a path with slices picks; each item of it apart if that is asked for.
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
