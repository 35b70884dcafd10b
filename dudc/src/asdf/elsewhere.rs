//! Compares a file without a layout with a stream, by the names of the stream.

use asdf_bridge::asdf::AsdfFile;
use dudley::diff::Diff;
use dudley::model::Dataset;
use dudley::{ItemKind, Stream, Value};

use super::taken::{self, Forms, Left};
use crate::failure::Result;
use crate::nodes::leaves::{self, Leaf};
use crate::rows::Errors;

/// The path in the file for a path in a stream.
///
/// # Errors
/// If it is no path.
pub(crate) fn path(dataset: &Dataset, path: &str) -> Result<String> {
    match dataset.content::<AsdfFile>() {
        Some(file) => taken::in_tree(file, path),
        None => Ok(path.to_owned()),
    }
}

/// Visits everything at and below a path of a stream.
///
/// # Errors
/// If there is nothing of that path; if `visit` fails.
pub(crate) fn leaves(
    dataset: &Dataset,
    path: Option<&str>,
    errors: &mut Errors,
    visit: &mut leaves::Visit<'_>,
) -> Result<()> {
    let Some(file) = dataset.content::<AsdfFile>() else {
        let named = |node: &dudley::model::Node| node.path();
        return leaves::of_nodes(dataset, path, &Default::default(), errors, &named, visit);
    };
    let mut left = Left::of(Forms::All);
    let own = path.map(|path| taken::in_tree(file, path)).transpose()?;
    let mut failed = Vec::new();
    taken::each(file, own.as_deref(), (&mut *errors, &mut left), &mut |taken| {
        let path = taken.elsewhere();
        match leaf(taken.leaf) {
            Ok(leaf) => visit(&path, leaf),
            Err(error) => {
                failed.push(dudley::Error::from(error).of_path(&path));
                Ok(())
            }
        }
    })?;
    failed.into_iter().for_each(|error| errors.add(error));
    if path.is_none() { leaves::of_loose(dataset, visit) } else { Ok(()) }
}

fn leaf(leaf: super::leaves::Leaf) -> asdf_bridge::asdf::Result<Leaf> {
    use super::leaves::Leaf as Own;
    Ok(match leaf {
        // A single element has nothing below it.
        Own::Array(array)
            if array.shape().is_empty()
                && array.missing()?.is_some_and(|missing| missing.any()) =>
        {
            Leaf::Value(Value::Null)
        }
        Own::Array(array) => Leaf::Data(Box::new(array.data()?), array.mask()?.is_some()),
        Own::Data(data) => Leaf::Data(data, false),
        Own::Value(value) => Leaf::Value(value),
        Own::Empty(kind) => Leaf::Empty(kind),
        Own::Within(above) => Leaf::Within(above),
    })
}

/// Receives a path, and its units in the file and in the stream.
type FoundUnits<'f> = dyn FnMut(&str, Option<String>, Option<String>) + 'f;

/// Reports the items whose units differ between a file and a stream.
///
/// # Errors
/// If there is nothing of that path.
pub(crate) fn units(
    diff: &Diff,
    dataset: &Dataset,
    path: Option<&str>,
    stream: &Stream,
    found: &mut FoundUnits<'_>,
) -> Result<()> {
    let Some(file) = dataset.content::<AsdfFile>() else { return Ok(()) };
    let mut aside = (Errors::default(), Left::of(Forms::All));
    let path = path.map(|path| taken::in_tree(file, path)).transpose()?;
    taken::each(file, path.as_deref(), (&mut aside.0, &mut aside.1), &mut |taken| {
        let elsewhere = taken.elsewhere();
        let Ok(item) = stream.get(&elsewhere) else { return Ok(()) };
        if item.kind() != ItemKind::Data || diff.is_ignored(&elsewhere) {
            return Ok(());
        }
        // A text beside the item is compared as a value.
        let beside = file.get(taken.path).ok().and_then(|item| item.unit());
        if taken.unit.is_none() && beside.is_some() {
            return Ok(());
        }
        // A unit of a layout has one line.
        let one_line = |unit: &str| unit.replace(char::is_control, " ").trim().to_owned();
        let unit = |unit: Option<&str>| unit.map(one_line).filter(|unit| !unit.is_empty());
        let units = (unit(taken.unit.as_deref()), unit(item.unit()));
        if units.0 != units.1 {
            found(&elsewhere, units.0, units.1);
        }
        Ok(())
    })
}
