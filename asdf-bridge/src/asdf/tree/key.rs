//! Keys of mappings, and the names that they have: in paths, and where they go to other formats.
//!
//! A key is text as a rule, and its text is its name. YAML has keys of other types too: `1` and `"1"` are two keys of
//! one mapping, as `true` and `"true"` are. A key that is no text has the name of its text as long as no key of the
//! mapping is that text; else its type stands in front, as YAML writes it: `!!int 1`. Keys that are collections
//! always have that in front: `!!seq [1, 2]`. Text that begins like this has `!!str ` in front, so that no name is
//! taken for another one.

use std::borrow::Cow;

use super::{Content, Node, NodeKind, Scalar, Style, meaning};

/// What types begin with in front of a name.
const TYPE: &str = "!!";

/// The type of text.
const TEXT: &str = "!!str ";

/// How a key is distinguished from others. Of those with the same text, the one that is text comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key<'t> {
    text: &'t str,
    kind: Kind,
}

/// What a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Kind {
    Null,
    Bool,
    Int,
    Float,
    Binary,
    Time,
    Sequence,
    Mapping,
    Text,
}

impl Kind {
    const ALL: [Kind; 9] = [
        Kind::Null,
        Kind::Bool,
        Kind::Int,
        Kind::Float,
        Kind::Binary,
        Kind::Time,
        Kind::Sequence,
        Kind::Mapping,
        Kind::Text,
    ];

    /// What stands in front of a name.
    const fn prefix(self) -> &'static str {
        match self {
            Kind::Null => "!!null ",
            Kind::Bool => "!!bool ",
            Kind::Int => "!!int ",
            Kind::Float => "!!float ",
            Kind::Binary => "!!binary ",
            Kind::Time => "!!timestamp ",
            Kind::Sequence => "!!seq ",
            Kind::Mapping => "!!map ",
            Kind::Text => TEXT,
        }
    }

    fn of(scalar: &Scalar<'_>) -> Kind {
        match scalar {
            Scalar::Null => Kind::Null,
            Scalar::Bool(_) => Kind::Bool,
            Scalar::Int(_) | Scalar::Huge(_) => Kind::Int,
            Scalar::Float(_) => Kind::Float,
            Scalar::Text(_) => Kind::Text,
            Scalar::Timestamp(_) => Kind::Time,
            Scalar::Binary(_) => Kind::Binary,
        }
    }
}

impl<'t> Key<'t> {
    /// A key that is a scalar of this text: see [`meaning`].
    pub(crate) fn scalar(text: &'t str, plain: bool, tag: Option<&str>) -> Key<'t> {
        Key { text, kind: Kind::of(&meaning(text, plain, tag)) }
    }

    /// The key that a name means.
    pub(crate) fn named(name: &'t str) -> Key<'t> {
        let of = |kind: &Kind| Some(Key { text: name.strip_prefix(kind.prefix())?, kind: *kind });
        Kind::ALL.iter().find_map(of).unwrap_or(Key { text: name, kind: Kind::Text })
    }

    /// Its text; of a collection, how it is written.
    pub(crate) fn text(self) -> &'t str {
        self.text
    }

    /// Whether it is text.
    pub(crate) fn is_text(self) -> bool {
        self.kind == Kind::Text
    }

    /// Whether it is a collection.
    pub(crate) fn is_collection(self) -> bool {
        matches!(self.kind, Kind::Sequence | Kind::Mapping)
    }

    /// Its type, as the suffix of a tag of YAML.
    pub(crate) fn type_name(self) -> &'static str {
        self.kind.prefix().trim_start_matches(TYPE).trim_end()
    }
}

/// What a key is, however it is written: `16` and `0x10` are the same, as `true` and `yes` are; `1` and `1.0` are not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Meaning<'t> {
    kind: Kind,
    value: Cow<'t, str>,
}

impl<'t> Node<'t> {
    /// What it means as a key.
    pub(crate) fn key_meaning(self) -> Meaning<'t> {
        let Key { text, kind } = self.as_key();
        let plain = self.style() == Style::Plain;
        let value = match meaning(text, plain, self.tag()) {
            _ if kind == Kind::Text || !matches!(self.kind(), NodeKind::Scalar) => text.into(),
            Scalar::Null => "".into(),
            Scalar::Bool(value) => value.to_string().into(),
            Scalar::Int(value) => value.to_string().into(),
            // All that are not a number are equal here, and so are both zeros.
            Scalar::Float(value) => (value + 0.0).to_string().into(),
            Scalar::Binary(bytes) => bytes.escape_ascii().to_string().into(),
            Scalar::Huge(_) | Scalar::Text(_) | Scalar::Timestamp(_) => text.into(),
        };
        Meaning { kind, value }
    }

    /// What it is as a key.
    pub(crate) fn as_key(self) -> Key<'t> {
        match (self.kind(), self.text()) {
            (NodeKind::Scalar, Some(text)) => {
                Key::scalar(text, self.style() == Style::Plain, self.tag())
            }
            (kind, _) => {
                let kind = if kind == NodeKind::Mapping { Kind::Mapping } else { Kind::Sequence };
                Key { text: self.tree().slice(&self.entry().span), kind }
            }
        }
    }

    /// The name that a key of this mapping has in paths: its text, except for keys that are no text, where that is the
    /// name of another one too, and for collections. [`Self::get`] finds its value by the name.
    ///
    /// ```
    /// use asdf_bridge::asdf::Tree;
    ///
    /// let tree = Tree::parse("{1: a, '1': b, 2: c, [3]: d}")?;
    /// let root = tree.root();
    /// let names: Vec<_> = root.entries().map(|(key, _)| root.name_of(key)).collect();
    /// assert_eq!(names, ["!!int 1", "1", "2", "!!seq [3]"]);
    /// assert_eq!(root.get("!!int 1").and_then(|value| value.as_str()), Some("a"));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn name_of(self, key: Node<'t>) -> Cow<'t, str> {
        let Key { text, kind } = key.as_key();
        match kind {
            Kind::Text if text.starts_with(TYPE) => format!("{TEXT}{text}").into(),
            Kind::Text => text.into(),
            Kind::Sequence | Kind::Mapping => {
                let words: Vec<&str> = text.split_whitespace().collect();
                format!("{}{}", kind.prefix(), words.join(" ")).into()
            }
            _ if self.only(text) == Some(kind) => text.into(),
            _ => format!("{}{text}", kind.prefix()).into(),
        }
    }

    /// The name of a key of this mapping that has its type whatever the others are: `!!int 1`, and `1` for text.
    pub(crate) fn typed_name_of(self, key: Node<'t>) -> Cow<'t, str> {
        let Key { text, kind } = key.as_key();
        match kind {
            Kind::Text | Kind::Sequence | Kind::Mapping => self.name_of(key),
            _ => format!("{}{text}", kind.prefix()).into(),
        }
    }

    /// The value of the key that has a name: see [`Self::name_of`]. Of equal keys the last one counts, as in Python.
    pub fn get(self, name: &str) -> Option<Node<'t>> {
        self.entry_named(name).map(|(_, value)| value)
    }

    /// The key that has a name, and its value.
    pub(crate) fn entry_named(self, name: &str) -> Option<(Node<'t>, Node<'t>)> {
        let text = Key { text: name, kind: Kind::Text };
        if !name.starts_with(TYPE) {
            return self
                .last(text)
                .or_else(|| self.last(Key { text: name, kind: self.only(name)? }));
        }
        let key = Key::named(name);
        let found = if key.is_collection() {
            let same = |key: Node<'t>| key.text().is_none() && self.name_of(key) == name;
            self.entries().filter(|(key, _)| same(*key)).last()
        } else {
            self.last(key)
        };
        found.or_else(|| self.last(text))
    }

    /// The last of equal keys that are scalars, and its value.
    fn last(self, key: Key<'_>) -> Option<(Node<'t>, Node<'t>)> {
        if let Some(sorted) = self.sorted() {
            let same = self.spelt_so(sorted, key.text);
            let end = match same {
                [_] => 1,
                _ => same.partition_point(|at| self.entry_at(*at).0.as_key() <= key),
            };
            let last = same[..end].last().map(|at| self.entry_at(*at));
            return last.filter(|(last, _)| last.as_key() == key);
        }
        let same = |name: Node<'_>| name.text() == Some(key.text) && name.as_key() == key;
        self.entries().filter(|(name, _)| same(*name)).last()
    }

    /// What the keys are that are scalars of this text, if they are all the same.
    fn only(self, text: &str) -> Option<Kind> {
        let kinds = |found: &mut dyn Iterator<Item = Node<'t>>| {
            let mut kinds = found.map(|key| key.as_key().kind);
            let first = kinds.next()?;
            kinds.all(|kind| kind == first).then_some(first)
        };
        match self.sorted() {
            Some(sorted) => {
                // They are sorted, so that the ends tell of all.
                let same = self.spelt_so(sorted, text);
                let ends = same.first().into_iter().chain(same.last());
                kinds(&mut ends.map(|at| self.entry_at(*at).0))
            }
            None => {
                let mut keys = self.entries().map(|(key, _)| key);
                kinds(&mut keys.by_ref().filter(|key| key.text() == Some(text)))
            }
        }
    }

    /// Of the entries in the order of their keys, those whose keys are written so.
    fn spelt_so<'s>(self, sorted: &'s [u32], text: &str) -> &'s [u32] {
        let name = |at: &u32| self.entry_at(*at).0.text().unwrap_or_default();
        let from = sorted.partition_point(|at| name(at) < text);
        let rest = &sorted[from..];
        match rest {
            // As a rule.
            [first, second, ..] if name(first) == text && name(second) != text => &rest[..1],
            _ => &rest[..rest.partition_point(|at| name(at) <= text)],
        }
    }

    /// Whether an entry of this mapping counts: of equal keys the last one does.
    pub(crate) fn counts(self, key: Node<'t>, value: Node<'t>) -> bool {
        let alone = |text: &str| match self.sorted() {
            Some(sorted) => self.spelt_so(sorted, text).len() == 1,
            None => self.entries().filter(|(key, _)| key.text() == Some(text)).count() == 1,
        };
        let last = match key.text() {
            Some(text) if alone(text) => return true,
            Some(_) => self.last(key.as_key()),
            None => self.entry_named(&self.name_of(key)),
        };
        last.is_none_or(|(_, last)| last.id() == value.id())
    }

    /// The entries of a mapping in the order of their keys, if it has many: those whose keys are scalars.
    fn sorted(self) -> Option<&'t [u32]> {
        self.tree().sorted.get(&self.id()).map(Vec::as_slice)
    }

    /// The entry of a number.
    fn entry_at(self, at: u32) -> (Node<'t>, Node<'t>) {
        let node = |id| self.tree().node(id);
        match &self.entry().content {
            Content::Mapping(entries, _) => {
                let (key, value) = entries[at as usize];
                (node(key), node(value))
            }
            _ => (self, self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tree;

    #[test]
    fn every_key_has_a_name_of_its_own_by_which_it_is_found() {
        let keys = [
            "1",
            "'1'",
            "!!float 1",
            "2",
            "true",
            "'true'",
            "null",
            "'null'",
            "'~'",
            "1.5",
            "'1.5'",
            "'!!int 1'",
            "'!!str x'",
            "x",
            "[1, 2]",
            "'[1, 2]'",
            "{a: 1}",
            "2001-12-14",
            "'2001-12-14'",
            "''",
        ];
        let names = [
            "!!int 1",
            "1",
            "!!float 1",
            "2",
            "!!bool true",
            "true",
            "!!null null",
            "null",
            "~",
            "!!float 1.5",
            "1.5",
            "!!str !!int 1",
            "!!str !!str x",
            "x",
            "!!seq [1, 2]",
            "[1, 2]",
            "!!map {a: 1}",
            "!!timestamp 2001-12-14",
            "2001-12-14",
            "",
        ];
        // With few keys, and with this many that they are sorted.
        for more in [0, 60] {
            let mut text = String::new();
            for (at, key) in keys.iter().enumerate() {
                text += &format!("? {key}\n: {at}\n");
            }
            for at in 0..more {
                text += &format!("more{at}: {at}\n");
            }
            let tree = Tree::parse(&text).expect(&text);
            let root = tree.root();
            for ((at, (key, _)), name) in root.entries().enumerate().zip(names) {
                assert_eq!(root.name_of(key), name);
                let found = root.get(name).unwrap_or_else(|| panic!("{name}"));
                assert_eq!(found.as_i64(), Some(at as i64), "{name}");
            }
        }
    }

    #[test]
    fn a_key_without_its_like_is_found_by_its_text() {
        let tree = Tree::parse("{1: a, true: b, '!!x': c}").expect("a tree");
        let get = |name: &str| tree.root().get(name).and_then(|node| node.as_str());
        assert_eq!((get("1"), get("!!int 1"), get("!!float 1")), (Some("a"), Some("a"), None));
        assert_eq!((get("true"), get("!!bool true"), get("yes")), (Some("b"), Some("b"), None));
        assert_eq!((get("!!x"), get("!!str !!x")), (Some("c"), Some("c")));
    }
}
