//! Parts of a file as a file: each stands under the path that it had.

use asdf_bridge::asdf::{AsdfFile, Item, NewArray, Yaml, data_key};

use super::entries::Entries;
use super::options::Options;
use crate::convert::names::{Names, of_path};
use crate::failure::Result;
use crate::nodes::portable;

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
            let mut names = of_path(item.path())?;
            let Some((first, _)) = names.first_mut() else { return Ok(None) };
            if let Some(name) = file.names().name(first) {
                *first = key(name);
            }
            whole.push((item, names));
            continue;
        }
        portable(file, Some(path), &mut |it| {
            let (Some(data), value) = (&it.part, &it.path) else { return Ok(()) };
            let mut part = Yaml::from(if options.unmasks() {
                let filled = options.fill.select(file, value)?;
                NewArray::data(filled.data().unwrap_or(data))?
            } else {
                options.fill.bound(file, value, Some(data))?;
                file.part(value)?
            });
            if let Some(unit) = &it.unit {
                part = Yaml::quantity(part, unit);
            }
            let mut names = of_path(&it.elsewhere)?;
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
