//! Which item of a stream a field is: under which names it is looked for, and what else than its own
//! type is taken for it.

use super::shape::wrong_value;
use crate::error::{Error, Result};
use crate::read::item::Item;
use crate::read::path::{join, meant};

/// The names, from `#[derive(Dudley)]`, under which a field is read.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Its name.
    pub name: &'static str,
    /// The names that it had in older streams.
    pub aliases: &'static [&'static str],
    /// Whether numbers of types are taken whose values all fit.
    pub widen: bool,
}

impl Wanted {
    /// The one of `names` that it is called there; `None` if it has none of them.
    pub(super) fn called<T>(&self, find: impl Fn(&str) -> Option<T>) -> Result<Option<T>> {
        let mut names = std::iter::once(&self.name).chain(self.aliases);
        let mut found = names.find_map(|name| Some((name, find(name)?)));
        if let Some((first, _)) = found
            && let Some(second) = names.find(|name| find(name).is_some())
        {
            let expected = format!("one of `{first}` and `{second}`, which are one field");
            return Err(wrong_value(&expected, "both"));
        }
        Ok(found.take().map(|(_, found)| found))
    }

    /// The item or param of a dict.
    pub(super) fn find(&self, dict: &Item) -> Result<Option<Item>> {
        let named = |name: &str| dict.child(name).or_else(|| dict.param(name, 0));
        self.called(named).map_err(|error| error.of_item(dict.path()))
    }

    /// There is no such item, which matters to a field that has no value without it.
    pub(super) fn missing(&self, dict: &Item) -> Error {
        let path = join(dict.path(), self.name);
        Error::NoSuchItem { path: path.into(), why: self.lack(dict.path(), &dict.names()).into() }
    }

    /// What is said where `within`, which has these names, has none of a field.
    pub(super) fn lack(&self, within: &str, names: &[String]) -> String {
        let mut why = format!("{within} has no item `{}`", self.name);
        if !self.aliases.is_empty() {
            let aliases: Vec<String> = self.aliases.iter().map(|it| format!("`{it}`")).collect();
            why += &format!(", nor {}", aliases.join(", "));
        }
        why += "; a field without one is an `Option`, or has `#[dudley(default)]`";
        meant(why, self.name, names)
    }
}
