//! Arrays that are columns of a list of the layout, as the items of that list: `hist/t` gives `/hist/0/t`, `/hist/1/t`, ….

use dudley::Result;
use dudley::numpy::layout::path_of;
use dudley::read::path::split;
use dudley_parser::layout::{Count, DictId, Entry, Layout, ListId, ParamId, ROOT, Step};

use super::Values;
use super::arrays::Named;

/// The target of some names in a layout.
enum Here {
    Dict(DictId),
    List(ListId),
    Item,
}

/// The length of a list with given columns: its path, its count in the layout, and the rows of the column.
pub(super) type Lengths = Vec<(String, Count, u64)>;

/// The arrays for the items of lists, if an array has rows for them; else the array itself.
///
/// # Errors
/// If reading its rows fails.
pub(super) fn apart(
    layout: &Layout,
    array: Named,
    lengths: &mut Lengths,
    take: &mut dyn FnMut(Named) -> Result<()>,
) -> Result<()> {
    let Some((at, list)) = missing_index(layout, &array.parts) else { return take(array) };
    let Some(rows) = array.source.rows_apart()? else { return take(array) };
    if let [piece] = &layout[list].pieces[..] {
        let path = path_of(array.parts.get(..at).unwrap_or_default());
        lengths.push((path, layout[*piece].count, rows.len() as u64));
    }
    for (index, source) in rows.into_iter().enumerate() {
        let mut parts = array.parts.clone();
        parts.insert(at, index.to_string());
        let mut keyed = array.keyed.clone();
        if keyed.len() >= at {
            keyed.insert(at, false);
        }
        let about = array.about.clone();
        let row = Named { parts, keyed, param: array.param, source, about };
        apart(layout, row, lengths, take)?;
    }
    Ok(())
}

/// The first list on the way of names that is not followed by an index, and the place of the index.
fn missing_index(layout: &Layout, parts: &[String]) -> Option<(usize, ListId)> {
    let mut here = Here::Dict(ROOT);
    for (at, part) in parts.iter().enumerate() {
        here = match here {
            Here::Dict(dict) => match layout.entry(dict, layout.symbol(part)?)? {
                Entry::Dict(dict) => Here::Dict(dict),
                Entry::List(list) => Here::List(list),
                Entry::Array(_) | Entry::Spliced(..) => Here::Item,
            },
            Here::List(list) if part.parse::<u64>().is_err() => return Some((at, list)),
            Here::List(list) => inside(layout, list)?,
            Here::Item => return None,
        };
    }
    match here {
        Here::List(list) => Some((parts.len(), list)),
        Here::Dict(_) | Here::Item => None,
    }
}

/// The kind of the items of a list.
fn inside(layout: &Layout, list: ListId) -> Option<Here> {
    let piece = layout[list].pieces.first()?;
    Some(match *layout.run(layout[*piece].body).first()? {
        Step::Group(dict) => Here::Dict(dict),
        Step::Repeat(repeat) => Here::List(layout[repeat].list),
        _ => Here::Item,
    })
}

impl Values {
    /// Sets params that count the items of a list and that have no value, from the given columns of the list.
    ///
    /// # Errors
    /// If no value of a param gives the length.
    pub(super) fn infer_repeats(&mut self, layout: &Layout) -> Result<()> {
        let is_outside = |id: ParamId| {
            let path = layout.param_path(id);
            !split(&path).0.split('/').any(|name| name.parse::<u64>().is_ok())
        };
        let mut failed = Vec::new();
        for (list, count, length) in std::mem::take(&mut self.lengths) {
            failed.extend(self.solve(layout, &list, (count, length), &is_outside));
        }
        self.first_of(layout, failed)
    }
}
