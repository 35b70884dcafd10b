//! Compares the units of a file without a layout with those of a stream.

use dudley::diff::Diff;
use dudley::model::Dataset;
use dudley::{ItemKind, Stream};

use crate::failure::Result;

/// Receives a path, and its units in the file and in the stream.
type Found<'f> = dyn FnMut(&str, Option<String>, Option<String>) + 'f;

/// Reports the items whose units differ between a file and a stream.
///
/// # Errors
/// If there is nothing of that path.
pub(crate) fn compare(
    diff: &Diff,
    dataset: &Dataset,
    path: Option<&str>,
    stream: &Stream,
    found: &mut Found<'_>,
) -> Result<()> {
    let path = path.map(|path| dataset.path_here(path)).transpose()?;
    super::portable(dataset.inner(), path.as_deref(), &mut |it| {
        let Ok(item) = stream.get(&it.elsewhere) else { return Ok(()) };
        if item.kind() != ItemKind::Data || diff.is_ignored(&it.elsewhere) {
            return Ok(());
        }
        // A text beside the item is compared as a value.
        let beside = dataset.get(&it.path).ok().and_then(|node| node.unit());
        if it.unit.is_none() && beside.is_some() {
            return Ok(());
        }
        // A unit of a layout has one line.
        let one_line = |unit: &str| unit.replace(char::is_control, " ").trim().to_owned();
        let unit = |unit: Option<&str>| unit.map(one_line).filter(|unit| !unit.is_empty());
        let units = (unit(it.unit.as_deref()), unit(item.unit()));
        if units.0 != units.1 {
            found(&it.elsewhere, units.0, units.1);
        }
        Ok(())
    })?;
    Ok(())
}
