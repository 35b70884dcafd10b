//! Lists of dicts of one shape as columns: each member as one array, with a dimension for the list in front.

use dudley::elements::Sink;
use dudley::read::Repeated;
use dudley::read::path::split;
use dudley::read::select::{Selected, Stacked, select};
use dudley::{Dtype, Error, Item, ItemKind, Stream};
use dudley_parser::layout::path::push_name;

use super::names::{self, Names, TakenNames, file_of};
use crate::failure::{Result, printable};
use crate::output::warn;

/// A member of all dicts of a list.
pub(crate) struct Column {
    /// The names from the list to the member. A param has its bare name, because it is an array here.
    pub(crate) names: Names,
    /// The path that picks it: `/hist[:]/t`.
    pub(crate) path: String,
    /// The selection of this path.
    pub(crate) selected: Selected,
}

/// The columns of a list of dicts. `None` if its items are not repetitions of one dict, or a member has different shapes,
/// with a warning.
///
/// # Errors
/// If reading fails.
pub(crate) fn of(list: &Item) -> Result<Option<Vec<Column>>> {
    if list.is_empty()? {
        return Ok(None);
    }
    let first = list.element(0)?;
    if first.kind() != ItemKind::Dict {
        return Ok(None);
    }
    let kept = |why: String| {
        let path = printable(list.path());
        warn(&format!("`{path}`: the items of the list stay apart, as {why}"));
        Ok(None)
    };
    if list.repeated() == Repeated::Not {
        return if list.len()? > 1 {
            kept("they are not repetitions of one dict".to_owned())
        } else {
            Ok(None)
        };
    }
    let mut found = Vec::new();
    if !members(&first, (Names::new(), format!("{}[:]", list.path())), &mut found)? {
        return kept("lists in them are no repetitions of one item".to_owned());
    }
    // Files do not tell names that are numbers from the items of the list.
    let is_number = |names: &Names| names.first().is_some_and(|it| it.0.parse::<u64>().is_ok());
    if found.iter().any(|(names, _)| is_number(names)) {
        return Ok(None);
    }
    // A param stands under its bare name, under which a dict may hold others.
    let holds = |names: &Names| {
        found.iter().any(|(it, _)| it.len() > names.len() && it[..names.len()] == names[..])
    };
    if let Some((_, path)) = found.iter().find(|(names, _)| holds(names)) {
        return kept(format!("`{}` is a param, and a dict", printable(path)));
    }
    let (mut columns, mut taken) = (Vec::new(), TakenNames::default());
    for (names, path) in found {
        let selected = match select(list.stream(), &path) {
            Err(Error::WrongShape { .. } | Error::WrongValue { .. }) => None,
            selected => Some(selected?),
        };
        let Some(selected) = selected.filter(is_regular) else {
            return kept(format!("`{}` is not of one shape in all of them", printable(&path)));
        };
        if !taken.is_new(&file_of(&names, false)) {
            return kept(format!("`{}` is a param, and an item", printable(&path)));
        }
        columns.push(Column { names, path, selected });
    }
    Ok(Some(columns).filter(|columns| !columns.is_empty()))
}

/// The selection of a path in the items of lists as one array; `None` for dicts and lists, and for different shapes.
///
/// # Errors
/// If reading fails.
pub(crate) fn of_picked(stream: &Stream, path: &str, items: &[Item]) -> Result<Option<Selected>> {
    let is_array = |item: &Item| matches!(item.kind(), ItemKind::Data | ItemKind::Param);
    let Some(first) = items.first().filter(|_| items.iter().all(is_array)) else { return Ok(None) };
    // The name has no index for a stacked list.
    if names::of_picked(stream, path)?.len() >= names::of_path(first.path())?.len() {
        return Ok(None);
    }
    match select(stream, path) {
        Err(Error::WrongShape { .. } | Error::WrongValue { .. }) => Ok(None),
        selected => Ok(Some(selected?).filter(is_regular)),
    }
}

/// Collects the names and paths in one of the dicts. Returns false if a list in it may have other items in other dicts.
fn members(
    item: &Item,
    (names, path): (Names, String),
    found: &mut Vec<(Names, String)>,
) -> Result<bool> {
    let join = |name: &str| [&names[..], &[(name.to_owned(), true)]].concat();
    match item.kind() {
        ItemKind::Dict => {
            for (name, param) in names::params(item)? {
                let name = name.strip_prefix(':').unwrap_or(&name);
                found.push((join(name), format!("{path}/{}", split(param.path()).1)));
            }
            for name in item.names() {
                let Some(child) = item.child(&name) else { continue };
                let mut path = format!("{path}/");
                push_name(&mut path, &name);
                if !members(&child, (join(&name), path), found)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        ItemKind::List if item.repeated() == Repeated::Not || item.is_empty()? => Ok(false),
        ItemKind::List => members(&item.element(0)?, (names, format!("{path}[:]")), found),
        ItemKind::Data | ItemKind::Param => {
            found.push((names, path));
            Ok(true)
        }
    }
}

/// Whether the selection is one array, or values of one shape.
fn is_regular(selected: &Selected) -> bool {
    match Stacked::of(selected) {
        Some(stacked) if !matches!(stacked.first().dtype(), Dtype::Variable(_)) => true,
        _ => {
            let emit = |sink: &mut dyn Sink| selected.emit(sink, false);
            crate::npy::Values::of(&emit, None).is_ok_and(|values| values.is_some())
        }
    }
}
