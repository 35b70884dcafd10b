//! Stored values, and the physical ones that they stand for.

use dudley::read::Scaling;
use dudley::read::select::{Picked, Selected};
use dudley::{Data, Layout};
use dudley_parser::layout::DocKey;

use crate::failure::{Result, printable};
use crate::output::warn;

/// The physical values of a selection, or the stored ones, with a remark if they differ.
///
/// # Errors
/// If it has no physical values.
pub(crate) fn of_selected(selected: Selected, scaled: bool) -> Result<Selected> {
    if scaled {
        return Ok(selected.scaled()?);
    }
    if let Some(Picked::Data(data)) = selected.parts.first() {
        remark(data);
    }
    Ok(selected)
}

/// Reports that the stored values of an array are not its physical values.
pub(crate) fn remark(data: &Data) {
    let scalings = linear(data);
    let Some((path, scaling)) = scalings.first() else { return };
    let first = format!("`{}{path}`: stored values: {scaling}", printable(data.path()));
    let more = match scalings.len() - 1 {
        0 => String::new(),
        more => format!("; {more} more of its fields too"),
    };
    warn(&format!("{first}{more}; --scaled applies it"));
}

/// How stored values differ from physical ones, for an array or each of its fields.
pub(crate) fn linear(data: &Data) -> Vec<(String, Scaling)> {
    let mut scalings = data.scalings();
    scalings.retain(|(_, scaling)| scaling.is_linear());
    scalings
}

/// Whether a layout says of anything that its stored values are not the physical ones.
pub(crate) fn is_any(layout: &Layout) -> bool {
    ATTRIBUTES.iter().any(|name| layout.has_attribute(name))
}

/// Whether a layout says of anything that some of its values stand for none.
pub(crate) fn has_fills(layout: &Layout) -> bool {
    ["_FillValue", "missing_value"].iter().any(|name| layout.has_attribute(name))
}

/// Reports the number of arrays and fields of a file whose stored values are not the physical ones.
pub(crate) fn remark_of_all(name: &str, layout: &Layout) {
    if !is_any(layout) {
        return;
    }
    let is_scaled =
        |key: DocKey| ATTRIBUTES.iter().any(|name| layout.attribute(key, name).is_some());
    let count = layout.arrays().filter(|(_, array)| is_scaled(DocKey::of(array.span))).count();
    warn(&format!(
        "{name}: stored values, and not the physical ones, of {count} {} (`scale_factor`, `add_offset` and the like): \
         `get --scaled` and `convert` give these",
        if count == 1 { "array or field" } else { "arrays or fields" }
    ));
}

/// The attributes that make the difference.
const ATTRIBUTES: [&str; 4] = ["scale_factor", "add_offset", "_Unsigned", "decimal"];
