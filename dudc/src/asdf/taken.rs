//! The arrays and values of a tree that go to other formats, with their names and units there.
//!
//! A quantity is its value, with a unit. Entries about the file itself (`asdf_library`, `history`) stay behind. Data
//! with one of these names lose the `_` that they have in the tree.

use asdf_bridge::asdf::{
    Array, AsdfFile, Error, Item, Names as TopNames, NodeKind, Quantity, References, is_own_part,
};
use dudley::Value;
use dudley::read::path::{Part, parse, without_slices};
use dudley::read::select::Picked;
use dudley_parser::layout::path::push_name;

use super::leaves::Leaf;
use crate::convert::names::Names;
use crate::failure::{Failure, Result, printable};
use crate::npy::Values;
use crate::output::{named, warn};
use crate::rows::Errors;

/// An array or value of a tree.
pub(crate) struct Taken<'t> {
    /// Its path in the tree.
    pub(crate) path: &'t str,
    /// Its names in the other format.
    pub(crate) names: Names,
    /// Its content.
    pub(crate) leaf: Leaf,
    /// Its unit.
    pub(crate) unit: Option<String>,
}

impl Taken<'_> {
    /// Its path in the other format.
    pub(crate) fn elsewhere(&self) -> String {
        let mut path = String::new();
        self.names.iter().for_each(|(name, keyed)| push(&mut path, name, *keyed));
        path
    }
}

/// The content that the other format can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forms {
    /// The content of streams and files of numpy.
    Elsewhere,
    /// Everything.
    All,
}

/// The content that is left behind.
pub(crate) struct Left {
    forms: Forms,
    /// Nodes without a form in the other format.
    paths: Vec<String>,
    /// Nodes that contain themselves.
    rounds: Vec<String>,
    /// Nodes whose tag is lost.
    tagged: Vec<String>,
    /// Lists that lose items.
    lists: Vec<String>,
    /// Entries of the history of the file.
    entries: usize,
}

impl Left {
    /// An empty record of losses for a target format.
    pub(crate) fn of(forms: Forms) -> Left {
        let (paths, rounds, tagged, lists) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Left { forms, paths, rounds, tagged, lists, entries: 0 }
    }

    /// Records a node without a form in the other format.
    fn add(&mut self, item: &Item) {
        self.paths.push(printable(item.path()));
        self.add_list(item);
    }

    /// Records a node that contains itself.
    fn add_round(&mut self, item: &Item) {
        self.rounds.push(printable(item.path()));
        self.add_list(item);
    }

    /// Records the list from which an item is left out.
    fn add_list(&mut self, item: &Item) {
        let list = around(item).filter(|parent| parent.node().kind() == NodeKind::Sequence);
        if let Some(list) = list.map(|list| printable(list.path()))
            && self.lists.last() != Some(&list)
        {
            self.lists.push(list);
        }
    }

    /// The tag of a node, except for the tags of arrays and values.
    fn add_tag(&mut self, item: &Item) {
        // The first files of FINF have no `core/`.
        let is_core = |tag: &str| tag.starts_with("core/") || !tag.contains(['/', ':', '!']);
        let known = |tag: &str| is_core(tag) || tag.starts_with("tag:yaml.org");
        if self.forms == Forms::Elsewhere && item.node().short_tag().is_some_and(|tag| !known(tag))
        {
            self.tagged.push(printable(item.path()));
        }
    }

    /// Whether a node has a form in the other format.
    fn has_form(&self, value: &Value, item: &Item) -> bool {
        match (self.forms, value) {
            (Forms::All, _) => true,
            // An integer of more than 128 bits, whose digits they are.
            (_, Value::Text(_)) => {
                item.node().short_tag().is_none_or(|tag| !tag.starts_with("core/integer"))
            }
            _ => Values::of(&|sink| value.emit(sink), None).is_ok_and(|values| values.is_some()),
        }
    }

    /// Warns of everything that is left out.
    pub(crate) fn warn(&self) {
        if !self.paths.is_empty() {
            let is = if self.paths.len() == 1 { "is" } else { "are" };
            let of = named(&self.paths);
            warn(&format!("{of} of the tree {is} empty, or beyond 64 bits, and {is} left out"));
        }
        if !self.rounds.is_empty() {
            let stands = match self.rounds.len() {
                1 => "stands in itself, and is",
                _ => "stand in themselves, and are",
            };
            warn(&format!("{} of the tree {stands} left out", named(&self.rounds)));
        }
        if !self.tagged.is_empty() {
            let tags = if self.tagged.len() == 1 { "the tag" } else { "the tags" };
            warn(&format!(
                "{tags} of {} {} left out: values are kept, and programs that know the types by their tags do not \
                 find them in what is written",
                named(&self.tagged),
                if self.tagged.len() == 1 { "is" } else { "are" },
            ));
        }
        if !self.lists.is_empty() {
            let (a, its) =
                if self.lists.len() == 1 { ("a list", "its") } else { ("lists", "their") };
            let of = named(&self.lists);
            warn(&format!("{of}: what is left of {a} stands under the numbers of {its} items"));
        }
        if self.entries > 0 {
            warn(&format!(
                "the history of the file is left out, which has {}",
                counted(self.entries)
            ));
        }
    }
}

fn counted(entries: usize) -> String {
    if entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") }
}

/// Receives each array and value.
pub(crate) type Visit<'v> = dyn FnMut(Taken<'_>) -> Result<()> + 'v;

/// Visits everything at and below a path, or the selection of its slices of an array. Failures go to `errors`.
///
/// # Errors
/// If there is nothing of that path; if `visit` fails.
pub(crate) fn each(
    file: &AsdfFile,
    path: Option<&str>,
    (errors, left): (&mut Errors, &mut Left),
    visit: &mut Visit<'_>,
) -> Result<()> {
    if let Some(path) = path
        && crate::pick::has_slices(path)?
    {
        return match &file.spread(path)?.paths[..] {
            [one] if one == path => slice(file, path, visit),
            paths => paths
                .iter()
                .try_for_each(|path| each(file, Some(path), (&mut *errors, &mut *left), visit)),
        };
    }
    let top = file.names();
    // A node that is picked alone comes without the node around it, and so without its unit.
    let mut picked = path.is_some_and(|path| path != "/");
    let root = match file.get(path.unwrap_or("/")) {
        Err(Error::NoTree) if path.is_none() => return Ok(()),
        root => root?,
    };
    root.walk(References::Followed, &mut |item| {
        let is_picked = std::mem::replace(&mut picked, false);
        let place = Place::of(top, item.path())?;
        // It is converted if its path is requested.
        if place.is_own && path.is_none_or(|path| path == "/") {
            left.entries += file.history().entries.len() * usize::from(item.path() == "/history");
            // Programs may have put data beside the entries of the standard.
            let is_mapping = item.node().kind() == NodeKind::Mapping && !item.is_array();
            match &place.names[..] {
                [_] => return Ok(is_mapping),
                [(own, _), (key, _), ..] if is_own_part(own, key) => return Ok(false),
                _ => {}
            }
        }
        let quantity = item.quantity();
        if quantity.is_none() {
            left.add_tag(item);
        }
        let of = quantity.as_ref().map_or(item, Quantity::value);
        let array = match &quantity {
            Some(quantity) => quantity.array().transpose(),
            None if item.is_array() => Some(item.array()),
            None if is_picked => typed(item),
            None => None,
        };
        let array = super::nowhere(item).map(Err).or(array);
        let leaf = match array {
            Some(array) => array.map(|array| Leaf::Array(Box::new(array))),
            None if of.is_value() => of.value().map(Leaf::Value),
            None if of.node().is_empty() && !place.names.is_empty() => match left.forms {
                Forms::All => Ok(Leaf::empty(of)),
                _ => {
                    left.add(item);
                    return Ok(false);
                }
            },
            None => match (of.within_itself(), left.forms) {
                (None, _) => return Ok(true),
                (Some(above), Forms::All) => Ok(Leaf::Within(above)),
                (Some(_), _) => {
                    left.add_round(item);
                    return Ok(false);
                }
            },
        };
        match leaf {
            Ok(Leaf::Value(value)) if !left.has_form(&value, of) => left.add(item),
            Ok(leaf) => {
                let unit = quantity.as_ref().map(|quantity| quantity.unit().to_owned());
                let unit = unit
                    .or_else(|| if is_picked || stands_alone(item) { item.unit() } else { None });
                visit(place.with(item.path(), leaf, unit))?;
            }
            Err(error) => errors.add(dudley::Error::from(error).of_path(item.path())),
        }
        Ok(false)
    })
}

/// The array without dimensions that the number of a quantity is, if the quantity has a type.
fn typed(item: &Item) -> Option<asdf_bridge::asdf::Result<Array>> {
    let quantity = item.parent()?.quantity()?;
    let is_value = quantity.value().id() == item.id();
    quantity.array().transpose().filter(|_| is_value)
}

/// Whether a reference leads to an item without the node around it, so that no unit stands beside the item.
fn stands_alone(item: &Item) -> bool {
    item.is_referred() && around(item).map(|it| it.id()) != item.parent().map(|it| it.id())
}

/// The node around an item, by the path at which the item was found.
fn around(item: &Item) -> Option<Item> {
    item.asked().get(dudley::read::path::split(item.path()).0).ok()
}

/// The selection of slices and fields of an array, under the names of the array.
fn slice(file: &AsdfFile, path: &str, visit: &mut Visit<'_>) -> Result<()> {
    let selected = file.select_stored(&file.path_of_value(path)?)?;
    let [Picked::Data(data)] = selected.parts.as_slice() else {
        return Err(Failure::input(format!("`{}` is no array", printable(path))));
    };
    let item = file.get(&without_slices(path)?)?;
    let is_quantity = |item: &Item| item.quantity().is_some();
    let named =
        Some(item.clone()).filter(is_quantity).or_else(|| around(&item).filter(is_quantity));
    let place = Place::of(file.names(), named.as_ref().unwrap_or(&item).path())?;
    // A reference may lead to the value of a quantity alone.
    let quantity = named.or_else(|| item.parent()).and_then(|item| item.quantity());
    let unit = quantity.map(|it| it.unit().to_owned()).or_else(|| item.unit());
    visit(place.with(path, Leaf::Data(Box::new(data.clone())), unit))
}

/// The path in a tree for a path in another format: data called `history` stand under `history_`.
///
/// # Errors
/// If it is no path.
pub(crate) fn in_tree(file: &AsdfFile, path: &str) -> Result<String> {
    let Some(Part::Name { text, .. }) = parse(path)?.into_iter().next() else {
        return Ok(path.to_owned());
    };
    let key = file.names().key(&text).into_owned();
    let spelt = [format!("/{text}"), format!("/\"{text}\"")];
    let rest = spelt.iter().find_map(|spelt| path.strip_prefix(spelt.as_str()));
    Ok(match rest.filter(|_| key != text) {
        Some(rest) => format!("/{key}{rest}"),
        None => path.to_owned(),
    })
}

/// Adds a name to a path: digits without quotes are an index.
pub(crate) fn push(path: &mut String, name: &str, quoted: bool) {
    path.push('/');
    if quoted { push_name(path, name) } else { path.push_str(name) }
}

/// The place of a node of a tree in another format.
pub(crate) struct Place {
    /// Its names; none for the root.
    pub(crate) names: Names,
    /// It is about the file.
    pub(crate) is_own: bool,
}

impl Place {
    /// The place of a path in a tree with such names at its top.
    ///
    /// # Errors
    /// If it is no path.
    pub(crate) fn of(top: TopNames, path: &str) -> Result<Place> {
        let mut place = Place { names: Names::new(), is_own: false };
        for part in parse(path)? {
            let Part::Name { text, quoted } = part else { continue };
            let name = if place.names.is_empty() { top.name(&text) } else { Some(&*text) };
            place.is_own |= name.is_none();
            let name = name.unwrap_or(&text);
            place.names.push((name.to_owned(), quoted || name.parse::<usize>().is_err()));
        }
        Ok(place)
    }

    fn with(self, path: &str, leaf: Leaf, unit: Option<String>) -> Taken<'_> {
        let mut names = self.names;
        if names.is_empty() {
            // The tree is one array.
            names.push(("_".to_owned(), true));
        }
        Taken { path, names, leaf, unit }
    }
}
