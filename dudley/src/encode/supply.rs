//! The source of the values of a pass over a layout, and the options of any written stream.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use dudley_parser::comments::Attribute;
use dudley_parser::layout::dtype::ByteOrder;
use dudley_parser::layout::{DocKey, Layout, Param};

use crate::bytes::work::Work;
use crate::elements::value::Value;
use crate::encode::extra::Extra;
use crate::encode::input::{Input, Items, Rows, Typed};
use crate::encode::policy::Policy;
use crate::error::{Result, Stray};
use crate::filter::Registry;
use crate::read::dtype::Dtype;
use crate::read::path::split;

/// The source of the values that a pass over a layout writes.
pub trait Supply {
    /// The value of a param, by its path: `/N`, `/l/0/n#2`, or `/x[1].n` in a struct.
    fn param(&self, path: &str) -> Option<i128>;

    /// The value to write for an item, or `None`.
    fn item(&self, path: &str) -> Option<Supplied<'_>>;

    /// Checks that what it knows of a param besides the value is what the layout says.
    ///
    /// # Errors
    /// If something differs.
    fn check_param(&self, _path: &str, _declared: &Param) -> Result<()> {
        Ok(())
    }

    /// Checks that what it knows of an item besides the value is what the layout says.
    ///
    /// # Errors
    /// If something differs.
    fn check_item(&self, _path: &str, _declared: &Declared<'_>) -> Result<()> {
        Ok(())
    }

    /// The paths that it has something for, of those that were not met.
    fn unused(&self, _seen: &Seen) -> Vec<String> {
        Vec::new()
    }
}

/// The answer of a supply for an item.
pub enum Supplied<'s> {
    /// A value.
    Value(Cow<'s, Value>),
    /// An array of values that are made one after the other.
    Items(Box<dyn Items + 's>),
    /// Elements of one type.
    Typed(&'s dyn Typed),
    /// The bytes of an item of fixed size, element by element as they are stored, and its shape: in that row by row,
    /// though the layout present them otherwise (spec 7.7).
    Encoded {
        /// The bytes.
        bytes: &'s [u8],
        /// The shape that they are of.
        shape: &'s [u64],
    },
    /// The item was written before, to where it belongs.
    Written,
    /// Structs of one type.
    Rows(&'s dyn Rows),
}

impl<'s> From<&'s Input<'_>> for Supplied<'s> {
    fn from(input: &'s Input<'_>) -> Self {
        match input {
            Input::Value(value) => Supplied::Value(Cow::Borrowed(value)),
            Input::Typed(typed) => Supplied::Typed(&**typed),
            Input::Rows(rows) => Supplied::Rows(&**rows),
        }
    }
}

/// The declaration of an item, with known params.
pub struct Declared<'d> {
    pub(crate) layout: &'d Layout,
    pub(crate) order: ByteOrder,
    pub(crate) dtype: &'d Dtype,
    pub(crate) doc: DocKey,
    /// Its shape, in elements; dimensions of -1 are gone.
    pub shape: &'d [u64],
}

impl Declared<'_> {
    /// Its type, as [`crate::Data::dtype_name`] shows it.
    pub fn dtype_name(&self) -> String {
        self.dtype.describe(self.layout, self.order)
    }

    /// The attributes of the item.
    pub fn attributes(&self) -> &[Attribute] {
        self.layout.attributes(self.doc)
    }

    /// The attributes of a field, if the elements are structs of fixed size that have one of that name.
    pub fn field_attributes(&self, name: &str) -> &[Attribute] {
        let Dtype::Record(record) = self.dtype else { return &[] };
        let field = record.fields.iter().find(|field| field.name == name);
        field.map_or(&[], |field| self.layout.attributes(field.doc))
    }
}

/// The items of a pass, by paths.
#[derive(Debug, Default)]
pub struct Seen {
    /// Data items.
    pub items: BTreeSet<String>,
    /// Params.
    pub params: BTreeSet<String>,
    /// Dicts and lists; the root is `/`.
    pub containers: BTreeSet<String>,
    /// Lists that were not entered, since their length is not known.
    pub(crate) closed: Vec<String>,
}

impl Seen {
    /// The unused paths of a supply, each with what was perhaps meant.
    pub(crate) fn strays(&self, supply: &dyn Supply, missing: &[String]) -> Vec<Stray> {
        let inside = |path: &str, list: &str| {
            path.strip_prefix(list).is_some_and(|rest| rest.starts_with('/'))
        };
        let mut paths = supply.unused(self);
        paths.retain(|path| !self.closed.iter().any(|list| inside(path, list)));
        paths
            .into_iter()
            .map(|path| Stray { similar: self.similar(&path, missing), path })
            .collect()
    }

    /// The path that is most like another: with a like name beside it, else with that name
    /// elsewhere. What is missing goes before what is not.
    fn similar(&self, path: &str, missing: &[String]) -> Option<String> {
        let (dict, name) = split(path);
        if self.containers.contains(path) {
            // Values are given to what is in it.
            let below = |item: &&String| {
                item.strip_prefix(path).is_some_and(|rest| rest.starts_with('/') || path == "/")
            };
            return missing.iter().chain(&self.items).find(below).cloned();
        }
        let known = || {
            let seen = self.items.iter().chain(&self.params).chain(&self.containers);
            missing.iter().map(|path| (0, path)).chain(seen.map(|path| (1, path)))
        };
        let beside = known().filter_map(|(rank, path)| {
            let (other, name) = split(path);
            (other == dict).then_some((rank, name))
        });
        match dudley_parser::similar::nearest(name, beside) {
            Some(name) => Some(format!("{dict}/{name}")),
            None => known().find(|(_, path)| split(path).1 == name).map(|(_, path)| path.clone()),
        }
    }
}

/// Options for writing any stream.
#[derive(Clone)]
pub struct WriteOptions {
    /// The byte order of the signature, and of items to which the layout gives none.
    pub order: ByteOrder,
    /// Without a signature: addresses start at 0.
    pub raw: bool,
    /// Appends the layout.
    pub attach: bool,
    /// Whether an [index](crate::index) stands behind a layout that is appended. Outputs that cannot be read back go without
    /// one by default.
    pub index: Policy,
    /// The filters that the layout may name.
    pub filters: Arc<Registry>,
    /// The threads that write large arrays, if the output accepts several, and the watcher of the
    /// progress.
    pub work: Work,
    /// Additional bytes besides the items. An output that cannot be read back has none.
    pub extra: Option<Arc<dyn Extra>>,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            order: ByteOrder::Little,
            raw: false,
            attach: false,
            index: Policy::Automatic,
            filters: Registry::builtins(),
            work: Work::new(),
            extra: None,
        }
    }
}
