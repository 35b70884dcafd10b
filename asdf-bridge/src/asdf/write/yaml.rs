//! A tree to be written: values, collections, arrays, with their tags.
//!
//! The tree that was read ([`Tree`](super::super::Tree)) is a text with its nodes; this one has no text
//! yet. Parts that stand in several places are shared by an [`Arc`], and become anchors and aliases.

pub(in crate::asdf) mod array;

use std::sync::Arc;

use super::super::datatype::Datatype;
use super::super::number;
use super::super::tree::{Key, NodeKind, Scalar, Style, Tree, plain};
use super::quote;
use super::yaml::array::NewArray;

/// A part of a tree to be written.
///
/// ```
/// use asdf_bridge::asdf::{Builder, Open, Yaml};
///
/// let run = Yaml::mapping([
///     ("title", Yaml::from("shock tube")),
///     ("steps", Yaml::from(1200)),
///     ("times", Yaml::sequence([0.0, 0.5])),
/// ]);
/// let file = Open::new().bytes(Builder::new().put("run", run).to_bytes()?)?;
/// assert_eq!(file.get("/run/times/1")?.node().as_f64(), Some(0.5));
/// # Ok::<(), asdf_bridge::asdf::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Yaml<'a> {
    pub(super) content: Content<'a>,
    pub(super) tag: Option<Box<str>>,
    pub(super) anchor: Option<Box<str>>,
    pub(super) style: Option<Style>,
    /// What names it in parts of it ([`Content::Within`]).
    pub(super) around: Option<Arc<()>>,
}

#[derive(Clone, Debug)]
pub(super) enum Content<'a> {
    /// Text that stands as it is, without quotes: a number, `null`.
    Plain(Box<str>),
    /// Text, in quotes where it would be read as something else.
    Text(Box<str>),
    Sequence(Vec<Yaml<'a>>),
    Mapping(Vec<(Yaml<'a>, Yaml<'a>)>),
    /// One part that stands in several places.
    Shared(Arc<Yaml<'a>>),
    /// A part that this stands in, which has the same as `around`.
    Within(Arc<()>),
    /// A value that was written before, by its anchor.
    Alias(Box<str>),
    Array(Box<NewArray<'a>>),
}

impl<'a> Yaml<'a> {
    pub(super) fn new(content: Content<'a>) -> Yaml<'a> {
        Yaml { content, tag: None, anchor: None, style: None, around: None }
    }

    pub(super) fn plain(text: impl Into<Box<str>>) -> Yaml<'a> {
        Yaml::new(Content::Plain(text.into()))
    }

    /// Nothing: `null`.
    pub fn null() -> Yaml<'a> {
        Yaml::plain("null")
    }

    /// A scalar as it is written: `0x1F`, `1.50`. What YAML would not read back as a scalar of this text is
    /// written as text, in quotes.
    pub fn literal(text: &str) -> Yaml<'a> {
        if quote::is_plain_value(text) { Yaml::plain(text) } else { Yaml::from(text) }
    }

    /// What the anchor of a text stands for that this is put into.
    pub(crate) fn alias(name: &str) -> Yaml<'a> {
        Yaml::new(Content::Alias(name.into()))
    }

    /// Bytes, in base 64.
    pub fn binary(bytes: &[u8]) -> Yaml<'a> {
        Yaml::plain(quote::base64(bytes)).tagged("tag:yaml.org,2002:binary")
    }

    /// Parts in an order.
    pub fn sequence<T: Into<Yaml<'a>>>(items: impl IntoIterator<Item = T>) -> Yaml<'a> {
        Yaml::new(Content::Sequence(items.into_iter().map(Into::into).collect()))
    }

    /// Parts by their keys, in the order given.
    pub fn mapping<K: Into<Yaml<'a>>, V: Into<Yaml<'a>>>(
        entries: impl IntoIterator<Item = (K, V)>,
    ) -> Yaml<'a> {
        let entries = entries.into_iter().map(|(key, value)| (key.into(), value.into()));
        Yaml::new(Content::Mapping(entries.collect()))
    }

    /// A physical quantity: a value, which may be an array, with its unit.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open, Yaml};
    ///
    /// let speed = Yaml::quantity(NewArray::from(vec![1.0, 2.0]), "m / s");
    /// let file = Open::new().bytes(Builder::new().put("speed", speed).to_bytes()?)?;
    /// assert_eq!(file.get("/speed/value")?.unit().as_deref(), Some("m / s"));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn quantity(value: impl Into<Yaml<'a>>, unit: &str) -> Yaml<'a> {
        Yaml::mapping([("unit", Yaml::unit(unit)), ("value", value.into())])
            .tagged("!unit/quantity-1.2.0")
    }

    /// A single number of a type with its unit, as asdf-astropy has it: the type stands beside it.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, Datatype, Open, Yaml};
    /// use dudley::{ByteOrder, Primitive};
    ///
    /// let flux = Yaml::typed_quantity(2.5, &Datatype::Number(Primitive::F4, ByteOrder::Little), "Jy");
    /// let file = Open::new().bytes(Builder::new().put("flux", flux).to_bytes()?)?;
    /// assert_eq!(file.get("/flux/datatype")?.node().text(), Some("float32"));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn typed_quantity(value: impl Into<Yaml<'a>>, of: &Datatype, unit: &str) -> Yaml<'a> {
        let datatype = ("datatype", Yaml::from(of.name()));
        Yaml::mapping([datatype, ("unit", Yaml::unit(unit)), ("value", value.into())])
            .tagged("!unit/quantity-1.2.0")
    }

    /// A unit.
    pub fn unit(unit: &str) -> Yaml<'a> {
        Yaml::from(unit).tagged("!unit/unit-1.0.0")
    }

    /// A reference to a part of a file by a URI with a JSON pointer: `#/run/rho`, `other.asdf#/x`.
    pub fn reference(uri: &str) -> Yaml<'a> {
        Yaml::mapping([("$ref", uri)])
    }

    /// With a tag: in full, such as `asdf://example.com/tags/x-1.0.0`, or with the `!` that stands for
    /// what all tags of the standard begin with, such as `!unit/unit-1.0.0`.
    #[must_use]
    pub fn tagged(mut self, tag: impl Into<Box<str>>) -> Yaml<'a> {
        self.tag = Some(tag.into());
        self
    }

    /// With an anchor of this name, if it is one that anchors can have. Parts that are shared have one
    /// anyway.
    #[must_use]
    pub fn anchored(mut self, name: &str) -> Yaml<'a> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        self.anchor = Some(name.into()).filter(|_| !name.is_empty() && name.bytes().all(fits));
        self
    }

    /// Written in a certain way; in the way that suits it, if that cannot be.
    #[must_use]
    pub fn styled(mut self, style: Style) -> Yaml<'a> {
        self.style = Some(style);
        self
    }

    /// A collection in brackets or braces.
    #[must_use]
    pub fn flow(self) -> Yaml<'a> {
        self.styled(Style::Flow)
    }

    /// The key of a mapping that has a name in paths: text, except for names that begin with a type, as those of keys do
    /// that are no text and share their spelling with one (`!!int 1`): see [`Node::name_of`](super::super::Node::name_of).
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, Open, Yaml};
    ///
    /// let keys = Yaml::mapping([(Yaml::key("1"), "text"), (Yaml::key("!!int 1"), "a number")]);
    /// let file = Open::new().bytes(Builder::new().put("m", keys).to_bytes()?)?;
    /// assert_eq!(file.get(r#"/m/"1""#)?.node().as_str(), Some("text"));
    /// assert_eq!(file.get(r#"/m/"!!int 1""#)?.node().as_str(), Some("a number"));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn key(name: &str) -> Yaml<'a> {
        let key = Key::named(name);
        if key.is_text() {
            return Yaml::from(key.text());
        }
        let text = key.text();
        if key.is_collection() {
            // What stands in one line, and shares nothing with others.
            let tree = Tree::parse(text).ok().filter(|_| !text.contains(['\n', '&', '*', '!']));
            let same = tree.is_some_and(|tree| {
                tree.root().style() == Style::Flow && tree.root().as_key() == key
            });
            return if same { Yaml::plain(text) } else { Yaml::from(name) };
        }
        if Key::scalar(text, true, None) == key && quote::is_plain_value(text) {
            Yaml::plain(text)
        } else {
            Yaml::from(text).tagged(format!("tag:yaml.org,2002:{}", key.type_name()))
        }
    }

    /// The value of a key of a mapping, by its name.
    pub fn get(&self, key: &str) -> Option<&Yaml<'a>> {
        match &self.content {
            Content::Mapping(entries) => position(entries, key).map(|at| &entries[at].1),
            Content::Shared(shared) => shared.get(key),
            _ => None,
        }
    }

    /// Gives a key of a mapping a value: in its place, or at the end if it is new. What is no mapping
    /// becomes one. A shared part is copied.
    pub fn set(&mut self, key: &str, value: impl Into<Yaml<'a>>) {
        let entries = self.entries();
        match position(entries, key) {
            Some(at) => entries[at].1 = value.into(),
            None => entries.push((Yaml::key(key), value.into())),
        }
    }

    /// Takes a key out of a mapping.
    pub fn remove(&mut self, key: &str) -> Option<Yaml<'a>> {
        self.get(key)?;
        let entries = self.entries();
        let at = position(entries, key)?;
        Some(entries.remove(at).1)
    }

    /// Gives an entry of a mapping another key, in its place.
    pub(super) fn rename(&mut self, key: &str, new: &str) {
        let entries = self.entries();
        if let Some(at) = position(entries, key) {
            entries[at].0 = new.into();
        }
    }

    /// The keys of a mapping that are text; none of anything else.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        let entries = match self.seen() {
            Content::Mapping(entries) => &entries[..],
            _ => &[],
        };
        entries.iter().filter_map(|(key, _)| key.as_text())
    }

    /// Puts an entry in front of all others.
    pub(super) fn set_first(&mut self, key: &str, value: Yaml<'a>) {
        self.entries().insert(0, (key.into(), value));
    }

    /// Itself, or a copy of the part that it shares.
    pub(super) fn unshared(self) -> Yaml<'a> {
        match &self.content {
            Content::Shared(shared) => Yaml::clone(shared).unshared(),
            _ => self,
        }
    }

    /// The first streamed array in it.
    pub(super) fn find_streamed(&self) -> Option<&NewArray<'a>> {
        match &self.content {
            Content::Array(array) => Some(&**array).filter(|array| array.is_streamed()),
            Content::Shared(shared) => shared.find_streamed(),
            Content::Sequence(items) => items.iter().find_map(Yaml::find_streamed),
            Content::Mapping(entries) => {
                entries.iter().find_map(|(_, value)| value.find_streamed())
            }
            _ => None,
        }
    }

    /// Parts of a mapping; of anything else none, and then it becomes one.
    fn entries(&mut self) -> &mut Vec<(Yaml<'a>, Yaml<'a>)> {
        if let Content::Shared(shared) = &self.content {
            *self = Yaml::clone(shared);
        }
        if !matches!(self.content, Content::Mapping(_)) {
            self.content = Content::Mapping(Vec::new());
        }
        match &mut self.content {
            Content::Mapping(entries) => entries,
            _ => unreachable!("it was made a mapping"),
        }
    }

    /// What it is as a key, if it is a scalar.
    fn as_key(&self) -> Option<Key<'_>> {
        let plain = matches!(self.seen(), Content::Plain(_));
        Some(Key::scalar(self.as_text()?, plain, self.tag.as_deref()))
    }

    /// The text of a scalar.
    pub(super) fn as_text(&self) -> Option<&str> {
        match &self.content {
            Content::Plain(text) | Content::Text(text) => Some(text),
            Content::Shared(shared) => shared.as_text(),
            _ => None,
        }
    }

    /// What it is, or what it shares.
    fn seen(&self) -> &Content<'a> {
        match &self.content {
            Content::Shared(shared) => shared.seen(),
            content => content,
        }
    }

    /// Whether it is nothing.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self.seen(), Content::Plain(text) if plain(text) == Scalar::Null)
    }

    /// What it is; `None` for an array.
    pub(crate) fn node_kind(&self) -> Option<NodeKind> {
        match self.seen() {
            Content::Mapping(_) => Some(NodeKind::Mapping),
            Content::Sequence(_) => Some(NodeKind::Sequence),
            Content::Plain(_) | Content::Text(_) | Content::Alias(_) => Some(NodeKind::Scalar),
            Content::Shared(_) | Content::Array(_) | Content::Within(_) => None,
        }
    }

    /// The items of a sequence; none of anything else.
    pub(crate) fn items(&self) -> &[Yaml<'a>] {
        match self.seen() {
            Content::Sequence(items) => items,
            _ => &[],
        }
    }

    /// Whether it is a value, and no collection or array.
    pub(super) fn is_scalar(&self) -> bool {
        match &self.content {
            Content::Plain(_) | Content::Text(_) | Content::Alias(_) => true,
            Content::Shared(shared) => shared.is_scalar(),
            _ => false,
        }
    }

    /// An integer that has more bits than literals may have: a sign, and words of 32 bits.
    fn wide(value: i128) -> Yaml<'a> {
        let magnitude = value.unsigned_abs();
        let words: Vec<u32> = (0..4).map(|at| (magnitude >> (32 * at)) as u32).collect();
        let used = words.iter().rposition(|word| *word != 0).map_or(0, |at| at + 1);
        let words = NewArray::from(words[..used].to_vec()).inline();
        Yaml::mapping([
            ("words", Yaml::from(words)),
            ("sign", Yaml::from(if value < 0 { "-" } else { "+" })),
            ("string", Yaml::from(value.to_string())),
        ])
        .tagged("!core/integer-1.1.0")
    }
}

/// Which entry has the key of a name, or else one that is written so; the last one of several.
fn position(entries: &[(Yaml<'_>, Yaml<'_>)], name: &str) -> Option<usize> {
    let named = Key::named(name);
    let last = |is: &dyn Fn(&Yaml<'_>) -> bool| entries.iter().rposition(|(key, _)| is(key));
    last(&|key| key.as_text().is_some() && key.as_key() == Some(named))
        .or_else(|| last(&|key| key.as_text() == Some(name)))
}

/// Python takes integers of 63 bits and a sign for literals, except for the two lowest.
pub(super) const LITERALS: std::ops::RangeInclusive<i128> =
    -(i64::MAX as i128 - 1)..=i64::MAX as i128;

impl From<i128> for Yaml<'_> {
    /// What has more than 63 bits gets the tag `core/integer`.
    fn from(value: i128) -> Self {
        if LITERALS.contains(&value) { Yaml::plain(value.to_string()) } else { Yaml::wide(value) }
    }
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl From<$type> for Yaml<'_> {
            fn from(value: $type) -> Self {
                Yaml::from(i128::from(value))
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

impl From<bool> for Yaml<'_> {
    fn from(value: bool) -> Self {
        Yaml::plain(if value { "true" } else { "false" })
    }
}

impl From<f64> for Yaml<'_> {
    fn from(value: f64) -> Self {
        Yaml::plain(quote::float(value))
    }
}

impl From<f32> for Yaml<'_> {
    fn from(value: f32) -> Self {
        Yaml::plain(quote::single(value))
    }
}

impl From<dudley::num_complex::Complex<f64>> for Yaml<'_> {
    fn from(value: dudley::num_complex::Complex<f64>) -> Self {
        Yaml::plain(number::spell_complex(value.re, value.im)).tagged("!core/complex-1.0.0")
    }
}

impl From<&str> for Yaml<'_> {
    fn from(text: &str) -> Self {
        Yaml::new(Content::Text(text.into()))
    }
}

impl From<String> for Yaml<'_> {
    fn from(text: String) -> Self {
        Yaml::new(Content::Text(text.into()))
    }
}

impl<'a> From<Arc<Yaml<'a>>> for Yaml<'a> {
    /// A part that stands wherever this is put: written once, with an anchor, then as an alias.
    fn from(shared: Arc<Yaml<'a>>) -> Self {
        Yaml::new(Content::Shared(shared))
    }
}

impl<'a> From<NewArray<'a>> for Yaml<'a> {
    fn from(array: NewArray<'a>) -> Self {
        Yaml::new(Content::Array(Box::new(array)))
    }
}

impl<'a, T: Into<Yaml<'a>>> From<Option<T>> for Yaml<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(Yaml::null, Into::into)
    }
}

impl From<&Scalar<'_>> for Yaml<'_> {
    fn from(value: &Scalar<'_>) -> Self {
        match value {
            Scalar::Null => Yaml::null(),
            Scalar::Bool(value) => Yaml::from(*value),
            Scalar::Int(value) => Yaml::from(*value),
            Scalar::Float(value) => Yaml::from(*value),
            Scalar::Text(text) => Yaml::from(*text),
            Scalar::Huge(text) | Scalar::Timestamp(text) => Yaml::literal(text),
            Scalar::Binary(bytes) => Yaml::binary(bytes),
        }
    }
}
