//! Parts of a file as a file: each stands under the path that it had.

use asdf_bridge::asdf::{AsdfFile, Item, NewArray, Yaml, data_key};

use super::entries::Entries;
use super::leaves::Leaf;
use super::options::Options;
use super::taken::{self, Forms, Left, Place};
use crate::convert::names::Names;
use crate::failure::Result;
use crate::rows::Errors;

/// The tree of the selection of some paths of a file; `None` if the selection is the whole file.
///
/// # Errors
/// If there is nothing of a path; if reading fails.
pub(crate) fn of_file(
    file: &AsdfFile,
    paths: &[String],
    options: &Options,
) -> Result<Option<Yaml<'static>>> {
    let mut entries = Entries::default();
    let mut whole: Vec<(Item, Names)> = Vec::new();
    let key = |name: &str| if options.finf { name.to_owned() } else { data_key(name).into_owned() };
    for path in paths {
        if !crate::pick::has_slices(path)? {
            let item = file.get(path)?;
            let mut place = Place::of(file.names(), item.path())?;
            let Some((first, _)) = place.names.first_mut() else { return Ok(None) };
            if !place.is_own {
                *first = key(first);
            }
            whole.push((item, place.names));
            continue;
        }
        let mut left = (Errors::default(), Left::of(Forms::All));
        taken::each(file, Some(path), (&mut left.0, &mut left.1), &mut |taken| {
            let Leaf::Data(data) = &taken.leaf else { return Ok(()) };
            let value = file.path_of_value(path)?;
            let mut part = Yaml::from(if options.unmasks() {
                let filled = options.fill.select(file, &value)?;
                NewArray::data(filled.data().unwrap_or(data))?
            } else {
                options.fill.bound(file, &value, Some(data))?;
                file.part(&value)?
            });
            if let Some(unit) = &taken.unit {
                part = Yaml::quantity(part, unit);
            }
            let mut names = taken.names;
            names[0].0 = key(&names[0].0);
            entries.add(path, &names, part)
        })?;
    }
    let (items, names): (Vec<Item>, Vec<Names>) = whole.into_iter().unzip();
    for ((part, item), names) in options.parts(&items)?.into_iter().zip(&items).zip(&names) {
        entries.add(item.path(), names, part)?;
    }
    Ok(Some(entries.finish()))
}

/// Whether a node that paths without slices pick may refer to blocks of the file in unknown ways.
///
/// # Errors
/// If there is nothing of a path.
pub(crate) fn may_name_blocks(file: &AsdfFile, paths: &[String]) -> Result<bool> {
    for path in paths {
        if !crate::pick::has_slices(path)? && file.get(path)?.may_name_blocks()? {
            return Ok(true);
        }
    }
    Ok(false)
}
