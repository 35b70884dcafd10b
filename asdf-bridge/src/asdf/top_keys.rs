//! Keys at the top of a tree: those that are the file's own, and those of data that are called the same.
//!
//! In ASDF some keys are the file's own whatever it holds, so that data of their names have others ([`data_key`]).
//! FINF has no such keys: names are keys there. But what ASDF has under them goes into a FINF file made of one, and
//! then the others are as they are in ASDF. [`Names`] tells for a tree which it is.

use std::borrow::Cow;

use super::file::AsdfFile;
use super::text::Dialect;
use super::tree::{Node, NodeKind};
use super::write::yaml::Yaml;

/// What stands under these is about the file, as the standard has it: who wrote it, and what was done to it.
pub const OWN_KEYS: [&str; 2] = ["asdf_library", "history"];

/// What the standard has under each of [`OWN_KEYS`]; programs may have put data beside it.
const OWN_PARTS: [&[&str]; 2] =
    [&["name", "version", "author", "homepage"], &["entries", "extensions"]];

/// Whether the standard has a key in what stands under one of [`OWN_KEYS`].
///
/// ```
/// use asdf_bridge::asdf::is_own_part;
///
/// assert!(is_own_part("history", "entries") && !is_own_part("history", "rho"));
/// ```
pub fn is_own_part(own: &str, key: &str) -> bool {
    OWN_KEYS.iter().zip(OWN_PARTS).any(|(known, parts)| *known == own && parts.contains(&key))
}

/// The key at the top of a tree under which data of a name stand: the name, except for [`OWN_KEYS`], and those with `_`
/// behind them, one more `_`. FINF has no keys of its own.
///
/// ```
/// use asdf_bridge::asdf::{data_key, data_name};
///
/// assert_eq!((&*data_key("rho"), &*data_key("history"), &*data_key("history_")), ("rho", "history_", "history__"));
/// assert_eq!(data_name("history__"), Some("history_"));
/// ```
pub fn data_key(name: &str) -> Cow<'_, str> {
    match own_of(name) {
        Some(_) => format!("{name}_").into(),
        None => name.into(),
    }
}

/// The name of data under a key at the top of a tree: what [`data_key`] makes this key of. None for [`OWN_KEYS`].
pub fn data_name(key: &str) -> Option<&str> {
    match own_of(key) {
        Some(_) => key.strip_suffix('_'),
        None => Some(key),
    }
}

/// Which of [`OWN_KEYS`] a name is, except for `_` behind it.
fn own_of(name: &str) -> Option<&'static str> {
    let name = name.trim_end_matches('_');
    OWN_KEYS.into_iter().find(|own| *own == name)
}

/// The meaning of the keys at the top of a tree: the keys of data that has the name of one of [`OWN_KEYS`].
///
/// ```
/// use asdf_bridge::asdf::Open;
///
/// let asdf = Open::new().bytes(*b"#ASDF 1.0.0\n--- {history_: [1]}\n...\n")?;
/// let finf = Open::new().bytes(*b"%FINF 0.1.0\n--- {history_: [1]}\n...\n")?;
/// assert_eq!(asdf.names().name("history_"), Some("history"));
/// assert_eq!(finf.names().name("history_"), Some("history_"));
/// # Ok::<(), asdf_bridge::asdf::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    /// Of each of [`OWN_KEYS`].
    own: [bool; 2],
}

impl Names {
    /// Those of a tree.
    pub(super) fn of<P: Part>(root: P, dialect: Dialect) -> Names {
        let own = OWN_KEYS.map(|key| match (root.value(key), dialect) {
            (None, dialect) => dialect != Dialect::Finf,
            (Some(value), Dialect::Finf) => is_certainly_own(key, value),
            (Some(value), _) => value.is_nothing() || is_own(key, value),
        });
        Names { own }
    }

    /// Those of ASDF, where no data stand under keys that are the file's own.
    pub(super) const ASDF: Names = Names { own: [true; 2] };

    fn has(self, own: &str) -> bool {
        OWN_KEYS.iter().zip(self.own).any(|(key, has)| has && *key == own)
    }

    /// The name of data under a key; `None` for a key of the file's own.
    pub fn name<'k>(&self, key: &'k str) -> Option<&'k str> {
        match own_of(key) {
            Some(own) if self.has(own) => data_name(key),
            _ => Some(key),
        }
    }

    /// The key of data of a name.
    pub fn key<'n>(&self, name: &'n str) -> Cow<'n, str> {
        match own_of(name) {
            Some(own) if self.has(own) => data_key(name),
            _ => name.into(),
        }
    }
}

impl AsdfFile {
    /// The meaning of the keys at the top of the tree.
    pub fn names(&self) -> Names {
        match self.tree() {
            Ok(tree) => Names::of(tree.root(), self.text().dialect),
            Err(_) => Names::ASDF,
        }
    }
}

/// Whether what stands under one of [`OWN_KEYS`] is what the standard has there.
pub(super) fn is_own<P: Part>(key: &str, value: P) -> bool {
    let is_list = |key: &str| {
        value
            .value(key)
            .is_none_or(|list| list.is_nothing() || list.kind() == Some(NodeKind::Sequence))
    };
    match (key, value.kind()) {
        ("history", Some(NodeKind::Mapping)) => {
            let [_, parts] = OWN_PARTS;
            let mut lists = parts.iter().filter(|part| value.value(part).is_some()).peekable();
            lists.peek().is_some() && lists.all(|part| is_list(part))
        }
        ("history", kind) => {
            let described = |entry: P| entry.value("description").is_some();
            kind == Some(NodeKind::Sequence) && value.all(&described)
        }
        (_, kind) => {
            let name = value.value("name").and_then(Part::kind);
            kind == Some(NodeKind::Mapping) && name == Some(NodeKind::Scalar)
        }
    }
}

/// As [`is_own`], of a format that does not say so: there must be what programs write.
fn is_certainly_own<P: Part>(key: &str, value: P) -> bool {
    let listed =
        |key: &str| value.value(key).is_some_and(|list| list.kind() == Some(NodeKind::Sequence));
    let is_empty = || value.all(&|_| false);
    match (key, value.kind()) {
        ("history", Some(NodeKind::Mapping)) => {
            is_own(key, value) && (listed("entries") || listed("extensions"))
        }
        ("history", _) => is_own(key, value) && !is_empty(),
        _ => is_own(key, value) && value.value("version").is_some(),
    }
}

/// A part of a tree that was read, or of one that is written.
pub(super) trait Part: Copy {
    /// What it is; `None` for an array.
    fn kind(self) -> Option<NodeKind>;
    /// The value of a key.
    fn value(self, key: &str) -> Option<Self>;
    /// Whether it is null.
    fn is_nothing(self) -> bool;
    /// Whether all items of a sequence are such; those of nothing else are.
    fn all(self, such: &dyn Fn(Self) -> bool) -> bool;
}

impl Part for Node<'_> {
    fn kind(self) -> Option<NodeKind> {
        let is_array = super::ndarray::is_array(self) || super::array::chunked::is_chunked(self);
        Some(Node::kind(self)).filter(|_| !is_array)
    }

    fn value(self, key: &str) -> Option<Self> {
        self.get(key)
    }

    fn is_nothing(self) -> bool {
        self.is_null()
    }

    fn all(self, such: &dyn Fn(Self) -> bool) -> bool {
        self.items().all(such)
    }
}

impl Part for &Yaml<'_> {
    fn kind(self) -> Option<NodeKind> {
        self.node_kind()
    }

    fn value(self, key: &str) -> Option<Self> {
        self.get(key)
    }

    fn is_nothing(self) -> bool {
        self.is_null()
    }

    fn all(self, such: &dyn Fn(Self) -> bool) -> bool {
        self.items().iter().all(such)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_key_of_its_own_and_comes_back() {
        for name in ["x", "_", "", "history", "history_", "history__", "asdf_library", "history2"] {
            let key = data_key(name);
            assert!(!OWN_KEYS.contains(&&*key), "{name}");
            assert_eq!(data_name(&key), Some(name));
        }
        assert!(OWN_KEYS.iter().all(|key| data_name(key).is_none()));
    }
}
