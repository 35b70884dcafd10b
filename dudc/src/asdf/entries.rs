//! Nodes by their names, which become a tree: mappings, and lists of what stands under numbers.

use std::collections::HashMap;

use asdf_bridge::asdf::Yaml;

use crate::convert::names::{Names, picked_twice, push};
use crate::failure::{Result, printable};
use crate::output::warn;

/// Nodes of a tree by their names, in the order in which they are added.
#[derive(Default)]
pub(super) struct Entries {
    entries: Vec<(String, Branch)>,
    /// The index of each name among the children, except for names that are their index.
    places: HashMap<String, usize>,
    /// Its names are keys, even if they look like indices.
    keyed: bool,
}

/// The node under a name.
enum Branch {
    Whole(Yaml<'static>),
    More(Entries),
}

impl Entries {
    /// Adds a node below this one; `None` if the place is taken.
    fn put(&mut self, names: &[(String, bool)], part: Yaml<'static>) -> Option<()> {
        let ((name, keyed), rest) = names.split_first()?;
        self.keyed |= keyed;
        let number = name.parse::<usize>().ok();
        let is_named = |at: &usize| self.entries.get(*at).is_some_and(|(known, _)| known == name);
        if let Some(at) = number.filter(is_named).or_else(|| self.places.get(name).copied()) {
            return match self.entries.get_mut(at) {
                Some((_, Branch::More(more))) if !rest.is_empty() => more.put(rest, part),
                _ => None,
            };
        }
        let branch = match rest {
            [] => Branch::Whole(part),
            rest => {
                let mut more = Entries::default();
                more.put(rest, part)?;
                Branch::More(more)
            }
        };
        if number != Some(self.entries.len()) {
            self.places.insert(name.clone(), self.entries.len());
        }
        self.entries.push((name.clone(), branch));
        Some(())
    }

    /// The finished tree. A list whose items are all there from the first on stays a list, in the order of the numbers.
    /// The items of any other list become entries with their numbers as names, with a warning.
    pub(super) fn finish(self) -> Yaml<'static> {
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
                push(&mut path, name, keyed);
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

    /// Adds a node under names, for the path by which it was picked.
    ///
    /// # Errors
    /// If the place is taken.
    pub(super) fn add(&mut self, path: &str, names: &Names, part: Yaml<'static>) -> Result<()> {
        self.put(names, part).ok_or_else(|| picked_twice(path))
    }
}
