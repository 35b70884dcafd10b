//! That a new layout leaves everything where it is: both are resolved, and compared item by item.

use std::collections::HashMap;

use dudley_parser::layout::{ArrayId, ParamValue};
use dudley_parser::resolve::{Event, Flow, Found, Placed, Resolver, WalkOptions};

use crate::error::{Error, Result};
use crate::read::dtype::describe;
use crate::read::path::of_param;
use crate::read::stream::Stream;

/// Of a longer list only the ends are compared: what lies between follows from them.
const ELIDED: u64 = 8;

/// What something is and where: comparable, and said to people.
#[derive(PartialEq)]
struct Row {
    dtype: String,
    shape: Vec<u64>,
    placed: Placed,
}

impl Row {
    fn said(&self) -> Box<str> {
        let Row { dtype, shape, placed } = self;
        let shape = if shape.is_empty() { String::new() } else { format!("{shape:?}") };
        format!("{dtype}{shape} at address {}", placed.address).into()
    }
}

/// Checks that what a stream has is the same, and in the same place, with another layout: all that can be
/// placed.
///
/// # Errors
/// [`Error::Moved`] with the first that is not; what cannot be placed any more.
pub(super) fn same(old: &Stream, new: &Stream) -> Result<()> {
    compare(old, new, None).map(|_| ())
}

/// As [`same`], for a param that is greater in `new`; except for `array`, of which it is the first
/// dimension. And nothing is new but below `path`.
pub(super) fn grown(old: &Stream, new: &Stream, array: Option<ArrayId>, path: &str) -> Result<()> {
    let below = |found: &String| found.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    match compare(old, new, array)?.into_keys().find(|found| array.is_some() || !below(found)) {
        None => Ok(()),
        Some(other) => Err(Error::CannotGrow {
            path: path.into(),
            why: format!("`{other}` would come to be besides").into(),
        }),
    }
}

/// Gives what only the new one has.
fn compare(old: &Stream, new: &Stream, grows: Option<ArrayId>) -> Result<HashMap<String, Row>> {
    let mut found: HashMap<String, Row> = HashMap::new();
    each(new, &mut |path, row, array| {
        if array.is_none() || array != grows {
            found.insert(path.to_owned(), row);
        }
        Ok(())
    })?;
    each(old, &mut |path, row, array| {
        if array.is_some() && array == grows {
            return Ok(());
        }
        let other = match found.remove(path) {
            Some(other) => other,
            // Another one of the same list was looked at instead.
            None => sought(new, path)?,
        };
        if row == other {
            Ok(())
        } else {
            Err(Error::Moved { path: path.into(), expected: row.said(), found: other.said() })
        }
    })?;
    Ok(found)
}

fn sought(stream: &Stream, path: &str) -> Result<Row> {
    let data = stream.get(path)?.data()?;
    let filter = data.filter().map(|filter| format!(" -> {}", filter.name));
    Ok(Row {
        dtype: data.dtype_name() + &filter.unwrap_or_default() + &data.presented.said(),
        shape: data.shape().to_vec(),
        placed: Placed { address: data.begin(), bytes: data.bytes() },
    })
}

type Show<'s> = &'s mut dyn FnMut(&str, Row, Option<ArrayId>) -> Result<()>;

/// Shows everything that can be placed.
fn each(stream: &Stream, show: Show<'_>) -> Result<()> {
    let mut result = Ok(());
    let order = stream.order();
    stream.with_resolver(|resolver| {
        let options = WalkOptions::elide_above(ELIDED);
        let mut visit = |resolver: &mut Resolver<'_>, event: Event<'_>| {
            let shown = row(resolver, &event, order)
                .map_or(Ok(()), |(path, row, array)| show(&path, row, array));
            match shown {
                Ok(()) => Flow::Continue,
                Err(error) => {
                    result = Err(error);
                    Flow::Stop
                }
            }
        };
        resolver.walk(options, &mut visit);
    });
    result
}

fn row(
    resolver: &mut Resolver<'_>,
    event: &Event<'_>,
    order: dudley_parser::layout::dtype::ByteOrder,
) -> Option<(String, Row, Option<ArrayId>)> {
    let layout = resolver.layout();
    match &event.found {
        Found::Array { array, placed: Ok(placed), .. } => {
            let found = describe(resolver, *array, order, Some(placed.address)).ok()?;
            let mut dtype = found.dtype.describe(layout, order);
            if let Some(filter) = &found.filter {
                dtype += &format!(" -> {}", filter.name);
            }
            dtype += &found.presented.said();
            let row = Row { dtype, shape: found.shape, placed: *placed };
            Some((event.path.to_owned(), row, Some(*array)))
        }
        Found::Param { param, placed: Some(Ok(placed)) } => {
            let ParamValue::Streamed(primitive, own) = layout[*param].value else { return None };
            let dtype = crate::read::dtype::Dtype::Primitive(primitive, own.unwrap_or(order));
            let dtype = dtype.describe(layout, order);
            // A path of its own: an item may have the same name.
            let row = Row { dtype, shape: Vec::new(), placed: *placed };
            Some((of_param(event.path), row, None))
        }
        _ => None,
    }
}
