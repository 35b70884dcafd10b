//! Which item contains the array that a path with slices and fields picks?

use dudley::read::path::{Part as PathPart, parse};
use dudley::read::select::items;
use dudley::{Data, ItemKind, Stream};

use super::Part;
use crate::failure::Result;

/// The item that contains a partly shown array.
#[derive(Default)]
pub(super) struct Origin {
    /// The name of the whole array.
    pub(super) name: String,
    /// The whole array.
    pub(super) whole: Option<Data>,
    pub(super) unit: Option<String>,
    pub(super) doc: Option<String>,
}

impl Origin {
    /// Of a part of an item of a stream.
    pub(super) fn of(stream: &Stream, path: &str) -> Origin {
        // Of a field, the item that it is a field of.
        let name = split(stream, path).map_or_else(|_| path.to_owned(), |(item, _)| item);
        let Ok(item) = stream.get(&name) else { return Origin::default() };
        Origin {
            name,
            whole: item.data().ok(),
            unit: item.unit().map(str::to_owned),
            doc: item.doc_without_unit().next().map(str::to_owned),
        }
    }

    pub(super) fn remarked(&self, part: Part) -> Part {
        Part { unit: self.unit.clone(), doc: self.doc.clone(), ..part }
    }
}

/// The path of an item, and the slices and fields behind it.
///
/// # Errors
/// If there is no such item.
pub(super) fn split(stream: &Stream, path: &str) -> Result<(String, Vec<PathPart>)> {
    for at in starts(path) {
        let found = items(stream, &path[..at])?;
        // An index of a list picks an item.
        if found.first().is_some_and(|item| item.kind() != ItemKind::List) {
            let rest = parse(&format!("/x{}", &path[at..]))?;
            return Ok((path[..at].to_owned(), rest.into_iter().skip(1).collect()));
        }
    }
    Ok((path.to_owned(), Vec::new()))
}

/// Where the slices and fields of the last name of a path begin, one after the other.
pub(super) fn starts(path: &str) -> Vec<usize> {
    let (mut starts, mut depth) = (Vec::new(), 0);
    for (at, byte) in outside_quotes(path) {
        match byte {
            b'/' if depth == 0 => starts.clear(),
            b'.' if depth == 0 => starts.push(at),
            b'[' => {
                if depth == 0 {
                    starts.push(at);
                }
                depth += 1;
            }
            b']' => depth -= 1,
            _ => {}
        }
    }
    starts
}

/// The bytes of a path that stand in no quotes, and where.
pub(super) fn outside_quotes(path: &str) -> impl Iterator<Item = (usize, u8)> {
    let mut bytes = path.bytes().enumerate();
    std::iter::from_fn(move || {
        while let Some((at, byte)) = bytes.next() {
            if !matches!(byte, b'"' | b'\'') {
                return Some((at, byte));
            }
            // To the end of the quotes.
            while let Some((_, inner)) = bytes.next().filter(|(_, inner)| *inner != byte) {
                if inner == b'\\' {
                    bytes.next();
                }
            }
        }
        None
    })
}
