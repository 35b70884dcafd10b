//! ASDF and FINF files: their trees, arrays and blocks, for people and as JSON.

pub(crate) mod compare;
pub(crate) mod convert;
mod json;
pub(crate) mod leaves;
mod options;
pub(crate) mod pairs;
mod picked;
pub(crate) mod salvage;
mod table;
pub(crate) mod taken;
mod tree;

use std::io::Write;

use asdf_bridge::asdf::{AsdfFile, Error, Item, References, Report};
use dudley::Value;
use dudley::select::{Picked, Selected};
use dudley::value::Sink;

use crate::failure::{Failure, Result, is_unread};
use crate::json::JsonSink;
use crate::options::Format;
use crate::output::{Output, warn};
use crate::pick::Masked;
use crate::rows::Errors;
use crate::terminal;

/// Findings that are shown.
const SHOWN: usize = 10;

/// What of a file is listed, and how.
pub(crate) struct Options<'o> {
    /// Only what is at or below this path.
    pub(crate) path: Option<&'o str>,
    /// Long lists whole.
    pub(crate) all: bool,
    /// With what the digests of the blocks say.
    pub(crate) digests: bool,
    /// With values.
    pub(crate) values: bool,
    /// Values that give the same bytes back.
    pub(crate) exact: bool,
    pub(crate) format: Format,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Engine(error) => error.into(),
            error if is_unread(&error) => Failure::unread(error.to_string()),
            error => Failure::input(error.to_string()),
        }
    }
}

/// Lists what there is: the tree with its arrays, and the blocks.
///
/// # Errors
/// If the file cannot be read; if something in it is wrong, after all the rest is shown.
pub(crate) fn list(
    file: &AsdfFile,
    options: &Options<'_>,
    out: &mut dyn Write,
    output: &Output,
) -> Result<()> {
    let errors = match options.format {
        Format::Json => json::write(file, options, out)?,
        Format::Human => table::write(file, options, out)?,
    };
    out.flush().map_err(Failure::output)?;
    warn_of(&file.check()?);
    crate::rows::report(errors, output)
}

/// Says what is odd or wrong; it is no failure of who asks for something else.
fn warn_of(report: &Report) {
    for finding in report.findings.iter().take(SHOWN) {
        warn(&finding.to_string());
    }
    if let Some(more) = report.findings.len().checked_sub(SHOWN + 1) {
        warn(&format!("… and {} more", more + 1));
    }
}

/// What a path picks, stacked where it has slices of lists.
///
/// # Errors
/// If there is nothing of that path, or it cannot be read.
pub(crate) fn select(file: &AsdfFile, path: &str, masked: Masked<'_>) -> Result<Selected> {
    let spread = file.spread(path)?;
    let mut parts = Vec::new();
    for path in &spread.paths {
        parts.extend(select_one(file, path, masked)?.parts);
    }
    Ok(spread.stack(parts)?)
}

/// As [`select`], of a path without slices of lists.
fn select_one(file: &AsdfFile, path: &str, masked: Masked<'_>) -> Result<Selected> {
    let path = &*taken::of_value(file, path)?;
    match masked {
        Masked::Null => Ok(file.select(path)?),
        Masked::Nulls(fill) => fill.masked(file, path),
        Masked::Written(fill) => fill.select(file, path),
    }
}

/// Shows the values of everything.
///
/// # Errors
/// As [`list`].
pub(crate) fn dump(
    file: &AsdfFile,
    nested: bool,
    options: &Options<'_>,
    output: &Output,
) -> Result<()> {
    if nested {
        let spread = file.spread(options.path.unwrap_or("/"))?;
        let mut errors = Errors::default();
        // What is in the file at fault is told once, so it is read once.
        let mut text = Vec::new();
        let mut sink = JsonSink::new(&mut text);
        if spread.is_several() {
            sink.begin_array(spread.paths.len() as u64)?;
        }
        for path in &spread.paths {
            file.get(path)?.emit_what_is(&mut sink, options.exact, &mut |path, error| {
                errors.add(leaves::listed(path, &error.to_string()));
            })?;
        }
        if spread.is_several() {
            sink.end_array()?;
        }
        text.push(b'\n');
        output.print(&text)?;
        return crate::rows::report(errors, output);
    }
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    if options.format == Format::Json || options.exact {
        return list(file, &Options { format: Format::Json, ..*options }, &mut out, output);
    }
    let mut errors = Errors::default();
    walk_once(file, options.path, &mut |item, before| {
        let path = crate::failure::printable(item.path());
        if !is_leaf(item) {
            if let Some(before) = before {
                let before = crate::failure::printable(before);
                writeln!(out, "{path} = same as {before}").map_err(Failure::output)?;
            }
            return Ok(true);
        }
        match values(item, options.all) {
            Ok(text) => {
                let shown = write!(out, "{path} = ").and_then(|()| out.write_all(&text));
                shown.map_err(Failure::output)?;
            }
            Err(failure) => {
                output.complain(&failure);
                errors.said(&failure);
            }
        }
        Ok(false)
    })?;
    out.flush().map_err(Failure::output)?;
    warn_of(&file.check()?);
    crate::rows::report(errors, output)
}

fn values(item: &Item, all: bool) -> Result<Vec<u8>> {
    let selected = if item.is_array() {
        item.asked().select(item.path())?
    } else {
        let picked = Picked::of_value(item.value()?, None);
        Selected { stacked: Vec::new(), parts: vec![picked] }
    };
    let mut text = Vec::new();
    terminal::show(&selected, "", all, &mut text)?;
    Ok(text)
}

/// Whether an item is one value or array, or should be: a reference is one that leads nowhere, as others are followed.
fn is_leaf(item: &Item) -> bool {
    item.is_array() || item.is_value() || item.reference().is_some()
}

/// Why a reference leads nowhere; none of what is no reference.
fn nowhere(item: &Item) -> Option<Error> {
    item.reference().and_then(|_| item.clone().resolve().err())
}

/// The text of a value; of an integer of any length its digits.
fn text(item: &Item) -> Option<String> {
    match item.node().text() {
        Some(text) => Some(text.to_owned()),
        None => match item.value().ok()? {
            Value::Int(value) => Some(value.to_string()),
            Value::Text(digits) => Some(digits),
            _ => None,
        },
    }
}

/// The paths that some with slices of lists stand for.
///
/// # Errors
/// If there is nothing of a path, or a slice picks nothing.
pub(crate) fn spread(file: &AsdfFile, paths: &[String]) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for path in paths {
        let spread = file.spread(path)?.paths;
        if spread.is_empty() {
            return Err(Failure::input(format!(
                "`{}` picks nothing",
                crate::failure::printable(path)
            )));
        }
        all.extend(spread);
    }
    Ok(all)
}

/// Goes through what is at or below a path, which may have slices of lists. References are followed: an item that is one
/// leads [`nowhere`].
pub(crate) fn walk(
    file: &AsdfFile,
    path: Option<&str>,
    visit: &mut dyn FnMut(&Item) -> Result<bool>,
) -> Result<()> {
    let mut failed = None;
    let walked = starts(file, path)?.iter().try_for_each(|start| {
        start.walk(References::Followed, &mut |item| kept(visit(item), &mut failed))
    });
    failed.map_or_else(|| Ok(walked?), Err)
}

/// As [`walk`], but what is in a shared mapping or list is gone through once: elsewhere its path of then is given.
pub(crate) fn walk_once(
    file: &AsdfFile,
    path: Option<&str>,
    visit: &mut dyn FnMut(&Item, Option<&str>) -> Result<bool>,
) -> Result<()> {
    let mut failed = None;
    let walked = starts(file, path)?.iter().try_for_each(|start| {
        let mut visit = |item: &Item, before: Option<&str>| kept(visit(item, before), &mut failed);
        start.walk_once(References::Followed, &mut visit)
    });
    failed.map_or_else(|| Ok(walked?), Err)
}

/// A walk has errors of its own; what went wrong here is kept beside them.
fn kept(visited: Result<bool>, failed: &mut Option<Failure>) -> std::result::Result<bool, Error> {
    visited.map_err(|failure| {
        *failed = Some(failure);
        Error::NoTree
    })
}

/// Where a walk through what is at or below a path begins.
fn starts(file: &AsdfFile, path: Option<&str>) -> Result<Vec<Item>> {
    let Some(path) = path else {
        return match file.root() {
            Ok(root) => Ok(vec![root]),
            Err(Error::NoTree) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        };
    };
    let paths = file.spread(path)?.paths;
    Ok(paths.iter().map(|path| file.get(path)).collect::<std::result::Result<_, _>>()?)
}
