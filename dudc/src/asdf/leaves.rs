//! What a file or a stream has, by path: its arrays and single values.

use std::collections::HashSet;
use std::io::Write;

use asdf_bridge::asdf::{Array, AsdfFile, Item, NodeKind};
use dudley::select::items;
use dudley::{Data, ItemKind, Stream, Value};
use dudley_parser::layout::path::push_name;

use crate::asdf::walk;
use crate::convert::names::of_param;
use crate::export;
use crate::failure::Result;
use crate::npy;
use crate::rows::Errors;

/// An array, or a value.
pub(crate) enum Leaf {
    /// Of the tree of a file.
    Array(Box<Array>),
    /// Of a stream.
    Data(Box<Data>),
    /// A scalar of a tree, a param.
    Value(Value),
    /// A dict or list with nothing in it: which.
    Empty(&'static str),
    /// A dict or list that stands in itself: its path there.
    Within(String),
    /// A block that no array is in, by its number.
    Block(Box<AsdfFile>, usize),
}

impl Leaf {
    /// Writes it as `.npy`.
    ///
    /// # Errors
    /// What reading and writing say; if numpy has no array for it.
    pub(crate) fn write(&self, out: &mut dyn Write) -> Result<()> {
        match self {
            Leaf::Array(array) => Ok(npy::write(&array.data()?, out)?),
            Leaf::Data(data) => Ok(npy::write(data, out)?),
            Leaf::Value(value) => export::npy_of_values(&|sink| value.emit(sink), None, None, out),
            // Nobody asks for these.
            Leaf::Empty(_) | Leaf::Within(_) | Leaf::Block(..) => {
                export::npy_of_values(&|sink| Value::Null.emit(sink), None, None, out)
            }
        }
    }

    /// That of a node without anything in it.
    pub(crate) fn empty(item: &Item) -> Leaf {
        Leaf::Empty(match item.node().kind() {
            NodeKind::Sequence => EMPTY_LIST,
            _ => EMPTY_DICT,
        })
    }

    /// What it is, for people.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Leaf::Array(_) | Leaf::Data(_) => "array",
            Leaf::Value(Value::Null) => "null",
            Leaf::Value(_) => "value",
            Leaf::Empty(kind) => kind,
            Leaf::Within(_) => "dict or list that stands in itself",
            Leaf::Block(..) => "block",
        }
    }
}

/// What dicts and lists are called that have nothing in them.
const EMPTY_DICT: &str = "empty dict";
const EMPTY_LIST: &str = "empty list";

/// Gives the blocks that no array is in, under their numbers.
///
/// # Errors
/// If the file cannot be read; what `visit` says.
pub(crate) fn of_blocks(file: &AsdfFile, visit: &mut Visit<'_>) -> Result<()> {
    for block in file.blocks_without_arrays()? {
        let leaf = Leaf::Block(Box::new(file.clone()), block.index);
        visit(&format!("block {}", block.index), leaf)?;
    }
    Ok(())
}

/// Is given each with its path.
pub(crate) type Visit<'v> = dyn FnMut(&str, Leaf) -> Result<()> + 'v;

/// Those of a file, at and below a path, but at some paths. What cannot be had is an error among `errors`.
///
/// # Errors
/// If there is nothing of that path; what `visit` says.
pub(crate) fn of_file(
    file: &AsdfFile,
    path: Option<&str>,
    but: &HashSet<String>,
    errors: &mut Errors,
    visit: &mut Visit<'_>,
) -> Result<()> {
    walk(file, path, &mut |item| {
        if but.contains(item.path()) {
            return Ok(false);
        }
        let leaf = match () {
            () if item.reference().is_some() => item.value().map(Leaf::Value),
            () if item.is_array() => item.array().map(|array| Leaf::Array(Box::new(array))),
            () if item.is_value() => item.value().map(Leaf::Value),
            () if item.node().is_empty() && item.path() != "/" => Ok(Leaf::empty(item)),
            () => match item.within_itself() {
                Some(above) => Ok(Leaf::Within(above)),
                None => return Ok(true),
            },
        };
        match leaf {
            Ok(leaf) => visit(item.path(), leaf)?,
            Err(error) => errors.add(listed(item.path(), &error.to_string())),
        }
        Ok(false)
    })
}

/// What is wrong with the item of a path, which most errors name themselves.
pub(crate) fn listed(path: &str, why: &str) -> dudley::Error {
    let named = format!("`{path}`");
    let why = if why.contains(&named) { why.to_owned() } else { format!("{named}: {why}") };
    dudley::Error::Listed { path: path.into(), why: why.into() }
}

/// Those of a stream, at and below a path.
///
/// # Errors
/// As [`of_file`].
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
            Ok(data) => visit(item.path(), Leaf::Data(Box::new(data))),
            Err(error) => {
                errors.add(error);
                Ok(())
            }
        },
        ItemKind::Param => Ok(()),
    }
}
