//! Parts of a file or stream as a file: each stands under the path that it had.

use std::collections::HashMap;

use asdf_bridge::asdf::{AsdfFile, Item, NewArray, Yaml, data_key};
use dudley::Stream;
use dudley::read::path::{Part, parse};
use dudley::read::select::select;

use super::leaves::Leaf;
use super::options::Options;
use super::taken::{self, Forms, Left, Place};
use super::tree::Maker;
use crate::convert::names::{Names, of_param, of_path, of_picked, picked_twice};
use crate::convert::out::whole_items;
use crate::failure::{Failure, Result, printable};
use crate::output::warn;
use crate::rows::Errors;

/// A tree to which nodes are added.
#[derive(Default)]
struct Grown {
    entries: Vec<(String, Branch)>,
    /// The index of each name among the children.
    places: HashMap<String, usize>,
    /// Its names are keys, even if they look like indices.
    keyed: bool,
}

/// The node under a name.
enum Branch {
    Whole(Yaml<'static>),
    More(Grown),
}

impl Grown {
    /// Adds a node below this one; `None` if the place is taken.
    fn put(&mut self, names: &[(String, bool)], part: Yaml<'static>) -> Option<()> {
        let ((name, keyed), rest) = names.split_first()?;
        self.keyed |= keyed;
        if let Some(at) = self.places.get(name) {
            return match self.entries.get_mut(*at) {
                Some((_, Branch::More(more))) if !rest.is_empty() => more.put(rest, part),
                _ => None,
            };
        }
        let branch = match rest {
            [] => Branch::Whole(part),
            rest => {
                let mut more = Grown::default();
                more.put(rest, part)?;
                Branch::More(more)
            }
        };
        self.places.insert(name.clone(), self.entries.len());
        self.entries.push((name.clone(), branch));
        Some(())
    }

    /// The finished tree. A list whose items are all there from the first on stays a list, in the order of the numbers.
    /// The items of any other list become entries with their numbers as names, with a warning.
    fn finish(self) -> Yaml<'static> {
        self.finish_at("")
    }

    fn finish_at(mut self, path: &str) -> Yaml<'static> {
        let index = |name: &str| name.parse::<usize>().ok().filter(|at| at.to_string() == name);
        let mut numbers: Vec<_> = self.entries.iter().map(|(name, _)| index(name)).collect();
        numbers.sort_unstable();
        let is_list = !self.keyed && numbers.iter().copied().eq((0..numbers.len()).map(Some));
        if !is_list && !self.keyed && numbers.iter().all(Option::is_some) {
            let path = printable(if path.is_empty() { "/" } else { path });
            warn(&format!(
                "`{path}`: what is picked of a list stands under the numbers of its items"
            ));
        }
        let keyed = self.keyed;
        let part = |name: &str, part: Branch| match part {
            Branch::Whole(yaml) => yaml,
            Branch::More(more) => {
                let mut path = path.to_owned();
                taken::push(&mut path, name, keyed);
                more.finish_at(&path)
            }
        };
        if is_list && !numbers.is_empty() {
            self.entries.sort_by_key(|(name, _)| index(name));
            return Yaml::sequence(self.entries.into_iter().map(|(name, it)| part(&name, it)));
        }
        Yaml::mapping(
            self.entries.into_iter().map(|(name, it)| (Yaml::key(&name), part(&name, it))),
        )
    }

    fn add(&mut self, path: &str, names: &Names, part: Yaml<'static>) -> Result<()> {
        self.put(names, part).ok_or_else(|| picked_twice(path))
    }
}

/// The tree of the selection of some paths of a file; `None` if the selection is the whole file.
///
/// # Errors
/// If there is nothing of a path; if reading fails.
pub(crate) fn of_file(
    file: &AsdfFile,
    paths: &[String],
    options: &Options,
) -> Result<Option<Yaml<'static>>> {
    let mut grown = Grown::default();
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
            grown.add(path, &names, part)
        })?;
    }
    let (items, names): (Vec<Item>, Vec<Names>) = whole.into_iter().unzip();
    for ((part, item), names) in options.parts(&items)?.into_iter().zip(&items).zip(&names) {
        grown.add(item.path(), names, part)?;
    }
    Ok(Some(grown.finish()))
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

/// The tree of the selection of some paths of a stream; `None` if the selection is the whole stream.
///
/// # Errors
/// If there is nothing of a path; if reading fails; if the format has no form for it.
pub(crate) fn of_stream(
    stream: &Stream,
    paths: &[String],
    finf: bool,
) -> Result<Option<Yaml<'static>>> {
    let mut grown = Grown::default();
    let mut maker = Maker::new(finf);
    for path in paths {
        let Some(found) = whole_items(stream, path)? else {
            let selected = select(stream, path)?;
            let part = maker.array(&selected, path)?.ok_or_else(|| {
                Failure::input(format!(
                    "`{}` picks parts of several items: an .npz has those stacked",
                    printable(path)
                ))
            })?;
            let names = in_tree(of_picked(stream, path)?, &mut maker);
            grown.add(path, &names, part)?;
            continue;
        };
        for item in found {
            let names = names_of(item.path(), &mut maker)?;
            if names.is_empty() {
                return Ok(None);
            }
            grown.add(path, &names, maker.part(&item)?)?;
        }
    }
    maker.warn();
    Ok(Some(grown.finish()))
}

/// The names of a path of a stream as keys of a tree: a param has a colon before its own.
fn names_of(path: &str, maker: &mut Maker) -> Result<Names> {
    let mut names = of_path(path)?;
    if let ([.., Part::Param(..)], Some((name, _))) = (&parse(path)?[..], names.last_mut()) {
        *name = of_param(path);
    }
    Ok(in_tree(names, maker))
}

/// Names as keys of a tree. At its top some data get other keys.
fn in_tree(mut names: Names, maker: &mut Maker) -> Names {
    if let Some((first, _)) = names.first_mut() {
        *first = maker.key(std::mem::take(first));
    }
    names
}
