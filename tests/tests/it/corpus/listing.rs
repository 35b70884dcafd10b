//! A stream as the short lines of `resolved.json`: what is declared, and where it lies.

use std::collections::HashMap;

use dudley::read::listing::{self, ItemRow, MemberKind, ParamRow, Row};
use dudley::{Dtype, Error, Result, Stream};
use dudley_parser::resolve::{ResolveError, WalkOptions};

/// What is listed of a stream.
#[derive(Default)]
pub(crate) struct Listed {
    /// A line for each thing, in the order of the text.
    pub lines: Vec<String>,
    /// Members by their paths: the address of the first of each.
    pub members: HashMap<String, u64>,
}

/// Lists a stream.
pub(crate) fn of(stream: &Stream) -> Result<Listed> {
    let mut listed = Listed::default();
    listing::list(stream, WalkOptions::default(), &mut |_, row| {
        let line = match row {
            Row::Dict { path, .. } if path == "/" => return Ok(()),
            Row::Dict { path, .. } => format!("#{path} dict"),
            Row::List { path, length, .. } => format!("#{path} {}", show(length)),
            Row::Param(row) => param(row),
            Row::Item(row) => {
                listed.note(&row);
                item(&row)?
            }
            Row::Elided { path, repetitions, .. } => format!("#{path} without {repetitions}"),
        };
        listed.lines.push(line);
        Ok(())
    })?;
    Ok(listed)
}

fn show<T: ToString>(result: std::result::Result<T, ResolveError>) -> String {
    result.map_or_else(|error| error.to_string(), |value| value.to_string())
}

fn param(row: ParamRow) -> String {
    let (path, value) = (row.path, show(row.value));
    match row.stored {
        None => format!(":{path} ={value} fixed"),
        Some((_, placed)) => format!(":{path} ={value} @{}", show(placed.map(|it| it.address))),
    }
}

fn item(row: &ItemRow) -> Result<String> {
    let data = row.data.as_ref().map_err(again)?;
    let dtype = match data.dtype() {
        Dtype::Primitive(..) => data.dtype_name(),
        _ => "struct".to_owned(),
    };
    let shape = match data.shape() {
        [] => String::new(),
        shape => format!("[{}]", commas(shape)),
    };
    let mut line = format!("{} {dtype}{shape} @{} +{}", row.path, data.address(), data.bytes());
    if row.spliced.is_some() {
        line += &format!(" s=[{}]", commas(data.strides()));
    }
    Ok(line)
}

/// The same error, to be kept a second time.
fn again(error: &Error) -> Error {
    Error::Listed { path: "".into(), why: error.to_string().into() }
}

fn commas<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

impl Listed {
    fn note(&mut self, row: &ItemRow) {
        for member in &row.members {
            if !matches!(member.kind, MemberKind::Instance { .. }) {
                self.members.insert(member.path.clone(), member.address);
            }
        }
    }
}
