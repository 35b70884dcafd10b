//! The nested form of a dump: dicts are objects, in which params are `":N"`, and lists are arrays.
//!
//! It does not distinguish dicts from structs: the layout does. So paths are followed on request, and nothing is
//! prepared before.

use std::collections::BTreeMap;

use dudley::read::path::{Part, parse};
use dudley::write::Seen;
use dudley::{ItemKind, Stream};
use dudley_parser::layout::path::push_name;

use super::json::Json;

/// The key of an item: its name, quoted as in paths where it would look like the key of a param or
/// like a quoted one.
pub(crate) fn key(name: &str) -> String {
    if name.starts_with([':', '"']) { spelled(name) } else { name.to_owned() }
}

fn spelled(name: &str) -> String {
    let mut spelled = String::new();
    push_name(&mut spelled, name);
    spelled
}

/// Values in their nested form.
pub(super) struct Nested {
    root: Json,
    /// The number of items that lists have in the stream already, by path: they are not given.
    there: BTreeMap<String, usize>,
}

impl Nested {
    pub(super) fn new(root: Json) -> Nested {
        Nested { root, there: BTreeMap::new() }
    }

    /// Notes the lengths of the lists in a stream: given items are added behind them.
    ///
    /// # Errors
    /// If the length of a list cannot be read.
    pub(super) fn behind(&mut self, stream: &Stream) -> dudley::Result<()> {
        let mut there = BTreeMap::new();
        lengths(&self.root, "", stream, &mut there)?;
        self.there = there;
        Ok(())
    }

    /// The value at the path of an item.
    pub(super) fn item(&self, path: &str) -> Option<Json> {
        let mut walked = String::new();
        parse(path).ok()?.iter().try_fold(self.root.clone(), |here, part| {
            let Part::Name { text, quoted } = part else { return None };
            let found = match here.is_array() {
                false => here.child(&key(text)),
                true if *quoted => None,
                true => {
                    let there = self.there.get(&walked).copied().unwrap_or(0);
                    here.item(text.parse::<usize>().ok()?.checked_sub(there)?)
                }
            };
            if !self.there.is_empty() {
                walked.push('/');
                if here.is_array() { walked.push_str(text) } else { push_name(&mut walked, text) }
            }
            found
        })
    }

    /// The value for a param of a dict, by its path: under `":N"`, or else under its bare name, as people
    /// write it.
    pub(super) fn param(&self, path: &str) -> Option<Json> {
        self.named(path).or_else(|| self.item(path))
    }

    /// The value under `":N"` for the path of a param.
    pub(super) fn named(&self, path: &str) -> Option<Json> {
        let (dict, name) = dudley::read::path::split(path);
        let name = format!(":{name}");
        if dict.is_empty() { self.root.child(&name) } else { self.item(dict)?.child(&name) }
    }

    /// Paths that no item of a stream uses.
    pub(super) fn unused(&self, seen: &Seen) -> Vec<String> {
        let mut unused = Vec::new();
        self.below(&self.root, "", seen, &mut unused);
        unused
    }

    fn below(&self, here: &Json, path: &str, seen: &Seen, unused: &mut Vec<String>) {
        for (key, value) in here.fields() {
            match key.strip_prefix(':') {
                Some(param) => {
                    let param = format!("{path}/{param}");
                    if !seen.params.contains(&param) {
                        unused.push(param);
                    }
                }
                None => self.look(&value, format!("{path}/{}", unkeyed(&key)), seen, unused),
            }
        }
        let there = self.there.get(path).copied().unwrap_or(0);
        for (at, value) in here.items().enumerate() {
            self.look(&value, format!("{path}/{}", there + at), seen, unused);
        }
    }

    fn look(&self, value: &Json, path: String, seen: &Seen, unused: &mut Vec<String>) {
        let is_number = value.plain().is_some_and(serde_json::Value::is_number);
        if seen.items.contains(&path) || (is_number && seen.params.contains(&path)) {
            return;
        }
        let is_container = seen.containers.contains(&path) || self.there.contains_key(&path);
        if is_container && (value.is_object() || value.is_array()) {
            self.below(value, &path, seen, unused)
        } else {
            unused.push(path)
        }
    }
}

/// The name of a key in the form of paths.
fn unkeyed(key: &str) -> String {
    if key.starts_with('"') { key.to_owned() } else { spelled(key) }
}

/// The lengths of the lists of a stream for which arrays are given.
fn lengths(
    here: &Json,
    path: &str,
    stream: &Stream,
    there: &mut BTreeMap<String, usize>,
) -> dudley::Result<()> {
    if here.is_array()
        && let Ok(item) = stream.get(path)
        && item.kind() == ItemKind::List
    {
        let length = usize::try_from(item.len()?).unwrap_or(usize::MAX);
        there.insert(path.to_owned(), length);
    }
    here.fields().iter().filter(|(key, _)| !key.starts_with(':')).try_for_each(|(key, value)| {
        lengths(value, &format!("{path}/{}", unkeyed(key)), stream, there)
    })
}
