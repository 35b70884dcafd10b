//! Paths followed: the item of a stream that a path leads to.

use dudley_parser::resolve::{Node, Target};

use super::Item;
use crate::error::{Error, Result, plural};
use crate::read::data::Data;
use crate::read::path::{Part, holds_no_item, meant, ordinal, params_of, parse};
use crate::read::stream::Stream;

impl Stream {
    /// The root dict.
    pub fn root(&self) -> Item {
        Item::new(self.clone(), Node::root(), "/".to_owned())
    }

    /// An item by its path: `/a/b/x`, `/list/0`, `/"my name"/x`, `/:N` for a param.
    ///
    /// # Errors
    /// [`Error::NoSuchItem`] with the first part that names nothing.
    pub fn get(&self, path: &str) -> Result<Item> {
        find(self, path)
    }
}

/// Follows a path of names and indices.
pub(crate) fn find(stream: &Stream, path: &str) -> Result<Item> {
    let parts = parse(path)?;
    let (item, rest) = follow_from(stream.root(), path, &parts)?;
    match rest {
        [] => Ok(item),
        [part, ..] => {
            let part = match part {
                Part::Field(name) => format!("`.{name}` is a part"),
                _ => "`[…]` is a part".to_owned(),
            };
            let why = format!("{part} of an item, and no item itself");
            Err(Error::NoSuchItem { path: path.into(), why: why.into() })
        }
    }
}

/// Follows a path from an item as far as names and indices go.
pub(crate) fn follow_from<'p>(
    mut item: Item,
    path: &str,
    parts: &'p [Part],
) -> Result<(Item, &'p [Part])> {
    let mut rest = parts;
    while let Some((part, behind)) = rest.split_first() {
        match part {
            Part::Name { text, quoted } => item = child(&item, path, text, *quoted)?,
            Part::Param(name, ordinal) => item = param_item(&item, path, name, *ordinal)?,
            Part::Field(_) | Part::Slice(_) => break,
        }
        rest = behind;
    }
    Ok((item, rest))
}

fn child(item: &Item, path: &str, text: &str, quoted: bool) -> Result<Item> {
    match item.node().target {
        Target::List(_) => element(item, path, text, quoted),
        Target::Dict(_) => match item.child(text) {
            Some(child) => Ok(child),
            None => {
                let (name, at) = ordinal(text, quoted, "");
                match item.param(&name, at) {
                    Some(found) => Ok(found),
                    None => Err(nothing(item, path, text)),
                }
            }
        },
        _ => {
            let data = item.data().ok();
            let why = holds_no_item(item.path(), data.as_ref().map(Data::dtype), text);
            Err(Error::NoSuchItem { path: path.into(), why: why.into() })
        }
    }
}

fn element(item: &Item, path: &str, text: &str, quoted: bool) -> Result<Item> {
    let no_such = |why: String| Error::NoSuchItem { path: path.into(), why: why.into() };
    let index = text.parse::<i128>().ok().filter(|_| !quoted);
    let Some(index) = index else {
        return Err(no_such(format!(
            "{path} is a list; its items are numbers from 0, and `{path}[:]` is all of them",
            path = item.path()
        )));
    };
    // How many there are behind it need not be known.
    let at = if index < 0 { index + i128::from(item.len()?) } else { index };
    let found = u64::try_from(at).ok().map(|at| item.element(at));
    match found {
        None | Some(Err(Error::NoSuchItem { .. })) => {
            let length = item.len()?;
            Err(no_such(format!("{} has {length} item{}", item.path(), plural(length))))
        }
        Some(found) => found,
    }
}

fn param_item(item: &Item, path: &str, name: &str, ordinal: usize) -> Result<Item> {
    // One of records that are presented as items of the dict (spec 3.10) is such an item.
    let presented = || item.child(name).filter(|child| ordinal == 0 && child.is_presented_param());
    item.param(name, ordinal).or_else(presented).ok_or_else(|| {
        let names = match item.node().target {
            Target::Dict(dict) => params_of(item.stream().layout(), dict),
            _ => Vec::new(),
        };
        let why = format!("there is no param `{name}` in {}", item.path());
        let why = meant(why, name, &names);
        Error::NoSuchItem { path: path.into(), why: why.into() }
    })
}

fn nothing(item: &Item, path: &str, text: &str) -> Error {
    let names = item.names();
    let why = format!("there is nothing named `{text}` in {}", item.path());
    Error::NoSuchItem { path: path.into(), why: meant(why, text, &names).into() }
}
