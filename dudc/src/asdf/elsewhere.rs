//! What a file that has no layout has beside a stream: by the names of that.

use asdf_bridge::asdf::AsdfFile;
use dudley::diff::Diff;
use dudley::model::Dataset;
use dudley::{ItemKind, Stream, Value};

use super::taken::{self, Forms, Left};
use crate::failure::Result;
use crate::nodes::leaves::{self, Leaf};
use crate::rows::Errors;

/// The path in the file of what has a path in a stream.
///
/// # Errors
/// If it is no path.
pub(crate) fn path(dataset: &Dataset, path: &str) -> Result<String> {
    match dataset.content::<AsdfFile>() {
        Some(file) => taken::in_tree(file, path),
        None => Ok(path.to_owned()),
    }
}

/// All at and below a path of a stream.
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
    taken::each(
        file,
        own.as_deref(),
        (&mut *errors, &mut left),
        &mut |taken| match leaf(taken.leaf) {
            Ok(leaf) => visit(&taken.elsewhere, leaf),
            Err(error) => {
                failed.push(dudley::Error::from(error).of_path(&taken.elsewhere));
                Ok(())
            }
        },
    )?;
    failed.into_iter().for_each(|error| errors.add(error));
    if path.is_none() { leaves::of_loose(dataset, visit) } else { Ok(()) }
}

fn leaf(leaf: super::leaves::Leaf) -> asdf_bridge::asdf::Result<Leaf> {
    use super::leaves::Leaf as Own;
    Ok(match leaf {
        // Of a single element nothing is there but that.
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

/// Receives a path and the units that it has in a file and in a stream.
type FoundUnits<'f> = dyn FnMut(&str, Option<String>, Option<String>) + 'f;

/// Gives the units of what a file and a stream have under one path, where they differ: that of the file, and that of the
/// stream.
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
        let Ok(item) = stream.get(&taken.elsewhere) else { return Ok(()) };
        if item.kind() != ItemKind::Data || diff.is_ignored(&taken.elsewhere) {
            return Ok(());
        }
        // What stands as a text beside it is compared as a value.
        let beside = file.get(taken.path).ok().and_then(|item| item.unit());
        if taken.unit.is_none() && beside.is_some() {
            return Ok(());
        }
        // In a layout a unit is in one line.
        let one_line = |unit: &str| unit.replace(char::is_control, " ").trim().to_owned();
        let unit = |unit: Option<&str>| unit.map(one_line).filter(|unit| !unit.is_empty());
        let units = (unit(taken.unit.as_deref()), unit(item.unit()));
        if units.0 != units.1 {
            found(&taken.elsewhere, units.0, units.1);
        }
        Ok(())
    })
}
