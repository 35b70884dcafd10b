//! The arrays and single values of a file or a stream, by path.

use std::collections::HashSet;

use dudley::model::{Dataset, Kind, Loose, Node, Portable, Shared};
use dudley::read::select::items;
use dudley::{Data, ItemKind, Stream, Value};
use dudley_parser::layout::path::push_name;

use super::{portable, walk};
use crate::convert::names::of_param;
use crate::failure::Result;
use crate::rows::Errors;

/// An array, or a value.
pub(crate) enum Leaf {
    /// An array of a format with its own nodes.
    Array(Node),
    /// An array of a stream, or elements of an array beside a stream; whether some of them are masked.
    Data(Box<Data>, bool),
    /// A value that is no array, or a param.
    Value(Value),
    /// An empty dict or list: its kind.
    Empty(&'static str),
    /// A dict or list that contains itself: its path inside itself.
    Within(String),
    /// Content outside of all nodes.
    Loose(Loose),
}

impl Leaf {
    /// Its kind, for people.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Leaf::Array(_) | Leaf::Data(..) => "array",
            Leaf::Value(Value::Null) => "null",
            Leaf::Value(_) => "value",
            Leaf::Empty(kind) => kind,
            Leaf::Within(_) => "dict or list that stands in itself",
            Leaf::Loose(loose) => loose.kind,
        }
    }

    /// The elements of an array; `None` for anything else.
    pub(super) fn data(&self) -> dudley::Result<Option<Data>> {
        Ok(match self {
            Leaf::Array(node) => Some(node.stored()?),
            Leaf::Data(data, _) => Some(Data::clone(data)),
            Leaf::Loose(loose) => Some((loose.data)()?),
            Leaf::Value(_) | Leaf::Empty(_) | Leaf::Within(_) => None,
        })
    }
}

/// The names of the kinds of empty dicts and lists.
const EMPTY_DICT: &str = "empty dict";
const EMPTY_LIST: &str = "empty list";

/// Receives each leaf with its path.
pub(crate) type Visit<'v> = dyn FnMut(&str, Leaf) -> Result<()> + 'v;

/// Visits the leaves of a file at and below a path, except for some paths; for the whole file also content outside of all
/// nodes. `named` distinguishes paths. Failures go to `errors`.
///
/// # Errors
/// If there is nothing of that path; if `visit` fails.
pub(crate) fn of_nodes(
    dataset: &Dataset,
    path: Option<&str>,
    but: &HashSet<String>,
    errors: &mut Errors,
    named: &dyn Fn(&Node) -> String,
    visit: &mut Visit<'_>,
) -> Result<()> {
    walk(dataset, path, Shared::Each, &mut |node, _| {
        let path = node.path();
        if but.contains(&path) {
            return Ok(false);
        }
        match of_node(node) {
            Ok(Some(leaf)) => visit(&named(node), leaf)?,
            Ok(None) => return Ok(true),
            Err(error) => errors.add(error.of_path(&path)),
        }
        Ok(false)
    })?;
    if path.is_none() { of_loose(dataset, visit) } else { Ok(()) }
}

/// The leaf that a node is; `None` for a dict or list with content.
fn of_node(node: &Node) -> dudley::Result<Option<Leaf>> {
    Ok(match node.kind() {
        Kind::Array => {
            // Wrong words about it are reported at once.
            node.shape()?;
            Some(Leaf::Array(node.clone()))
        }
        Kind::Value => Some(Leaf::Value(node.value()?)),
        kind if node.path() != "/" && node.is_empty()? => {
            Some(Leaf::Empty(if kind == Kind::List { EMPTY_LIST } else { EMPTY_DICT }))
        }
        Kind::Dict | Kind::List => node.within_itself().map(Leaf::Within),
    })
}

/// The leaf that a file has for other formats.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn of_portable(it: &Portable) -> dudley::Result<Leaf> {
    Ok(match &it.part {
        Some(part) => Leaf::Data(Box::new(part.clone()), false),
        None => of_node(&it.node)?.unwrap_or(Leaf::Empty(EMPTY_DICT)),
    })
}

/// Visits the leaves of a file under the paths that they have in a stream, at and below such a path; for the whole file
/// also content outside of all nodes. Failures go to `errors`.
///
/// # Errors
/// As [`of_nodes`].
pub(crate) fn elsewhere(
    dataset: &Dataset,
    path: Option<&str>,
    errors: &mut Errors,
    visit: &mut Visit<'_>,
) -> Result<()> {
    let here = path.map(|path| dataset.path_here(path)).transpose()?;
    let mut failed = Vec::new();
    portable(dataset.inner(), here.as_deref(), &mut |it| {
        let leaf = match of_portable(&it) {
            Ok(leaf) => leaf,
            Err(error) => {
                errors.add(error.of_path(&it.path));
                return Ok(());
            }
        };
        match beside_stream(leaf) {
            Ok(leaf) => visit(&it.elsewhere, leaf)?,
            Err(error) => failed.push(error.of_path(&it.elsewhere)),
        }
        Ok(())
    })?;
    failed.into_iter().for_each(|error| errors.add(error));
    if path.is_none() { of_loose(dataset, visit) } else { Ok(()) }
}

/// A leaf as a stream can have it: elements, with whether they have a mask.
fn beside_stream(leaf: Leaf) -> dudley::Result<Leaf> {
    let Leaf::Array(node) = leaf else { return Ok(leaf) };
    let data = node.stored()?;
    Ok(match rank(&data) {
        // A single element has nothing below it.
        0 if node.is_masked()? => Leaf::Value(Value::Null),
        _ => Leaf::Data(Box::new(data), node.has_mask()?),
    })
}

/// The dimensions of an array, without that of the units of a text.
pub(super) fn rank(data: &Data) -> usize {
    let text = data.dtype().primitive().is_some_and(|(primitive, _)| primitive.is_text());
    data.shape().len() - usize::from(text && !data.shape().is_empty())
}

/// Visits content outside of all nodes.
///
/// # Errors
/// If the file cannot be read; if `visit` fails.
fn of_loose(dataset: &Dataset, visit: &mut Visit<'_>) -> Result<()> {
    dataset.loose()?.into_iter().try_for_each(|loose| {
        let name = loose.name.clone();
        visit(&name, Leaf::Loose(loose))
    })
}

/// Visits the leaves of a stream, at and below a path.
///
/// # Errors
/// As [`of_nodes`].
pub(crate) fn of_stream(
    stream: &Stream,
    path: Option<&str>,
    errors: &mut Errors,
    visit: &mut Visit<'_>,
) -> Result<()> {
    let items = match path {
        Some(path) => items(stream, path)?,
        None => vec![stream.root()],
    };
    items.iter().try_for_each(|item| below(item, errors, visit))
}

fn below(item: &dudley::Item, errors: &mut Errors, visit: &mut Visit<'_>) -> Result<()> {
    match item.kind() {
        ItemKind::Dict => {
            let nothing =
                item.names().is_empty() && !item.params().iter().any(dudley::Item::is_stated);
            if nothing && item.path() != "/" {
                visit(item.path(), Leaf::Empty(EMPTY_DICT))?;
            }
            for param in item.params().iter().filter(|param| param.is_stated()) {
                let mut path = item.path().trim_end_matches('/').to_owned() + "/";
                push_name(&mut path, &of_param(param.path()));
                match param.value() {
                    Ok(value) => visit(&path, Leaf::Value(value))?,
                    Err(error) => errors.add(error),
                }
            }
            for child in item.names().iter().filter_map(|name| item.child(name)) {
                below(&child, errors, visit)?;
            }
            Ok(())
        }
        ItemKind::List => {
            let items = match item.items() {
                Ok(items) => items,
                Err(error) => {
                    errors.add(error);
                    return Ok(());
                }
            };
            if item.is_empty()? {
                visit(item.path(), Leaf::Empty(EMPTY_LIST))?;
            }
            for child in items {
                match child {
                    Ok(child) => below(&child, errors, visit)?,
                    Err(error) => errors.add(error),
                }
            }
            Ok(())
        }
        ItemKind::Data => match item.data() {
            Ok(data) => visit(item.path(), Leaf::Data(Box::new(data), false)),
            Err(error) => {
                errors.add(error);
                Ok(())
            }
        },
        ItemKind::Param => Ok(()),
    }
}
