//! Shapes of fields, and the errors of values that do not fit them.

use crate::error::Error;

pub(super) fn wrong_value(expected: &str, found: &str) -> Error {
    Error::WrongValue { item: Default::default(), expected: expected.into(), found: found.into() }
}

/// Says where a wrong value was found.
pub(super) fn at_address(error: Error, address: u64) -> Error {
    match error {
        Error::WrongValue { item, expected, found } => {
            let found = format!("{found} at address {address}").into();
            Error::WrongValue { item, expected, found }
        }
        other => other,
    }
}

/// The shape of an item has another number of dimensions than the field.
pub(super) fn wrong_rank(path: &str, rank: usize, found: &[u64]) -> Error {
    let expected = match rank {
        0 => "a scalar".to_owned(),
        1 => "an array of 1 dimension".to_owned(),
        rank => format!("an array of {rank} dimensions"),
    };
    let found = match (rank, found) {
        (0, [0]) => "none, of shape [0]; a field that may have none is an `Option`".to_owned(),
        _ => format!("one of shape {found:?}"),
    };
    wrong_value(&expected, &found).of_item(path)
}

pub(super) fn lengths(shape: &[usize]) -> Vec<u64> {
    shape.iter().map(|length| *length as u64).collect()
}

pub(super) fn chunks<T, const N: usize>(flat: Vec<T>) -> Vec<[T; N]> {
    let mut flat = flat.into_iter();
    let next = || <[T; N]>::try_from(flat.by_ref().take(N).collect::<Vec<_>>()).ok();
    if N == 0 { Vec::new() } else { std::iter::from_fn(next).collect() }
}
