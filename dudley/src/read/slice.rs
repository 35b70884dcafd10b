//! Slices as numpy writes them: `10:20, ::2, -1, ...`.

use std::fmt;

use crate::error::{Error, Result};

/// The index of one dimension in a slice.
///
/// ```
/// use dudley::read::slice::Index;
///
/// assert_eq!(Index::Range { start: None, stop: Some(9), step: 2 }.to_string(), ":9:2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// A single index, from the end if below 0. The dimension is gone from the result.
    At(i64),
    /// `start:stop:step`; what is left out is as numpy has it.
    Range {
        /// The first index.
        start: Option<i64>,
        /// The index to stop before.
        stop: Option<i64>,
        /// From one index to the next; not 0.
        step: i64,
    },
    /// `...`: all dimensions that the others leave.
    Ellipsis,
}

impl Index {
    /// Whether it picks the same of a dimension of this many elements and of any longer one.
    pub(crate) fn is_within(self, length: u64) -> bool {
        match self {
            Index::At(at) => u64::try_from(at).is_ok_and(|at| at < length),
            Index::Range { start, stop: Some(stop), step } if step > 0 => {
                start.unwrap_or(0) >= 0 && u64::try_from(stop).is_ok_and(|stop| stop <= length)
            }
            Index::Range { .. } | Index::Ellipsis => false,
        }
    }
}

/// As it is written between brackets.
impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, stop, step) = match self {
            Index::At(at) => return write!(f, "{at}"),
            Index::Ellipsis => return f.write_str("..."),
            Index::Range { start, stop, step } => (start, stop, *step),
        };
        if let Some(start) = start {
            write!(f, "{start}")?;
        }
        f.write_str(":")?;
        if let Some(stop) = stop {
            write!(f, "{stop}")?;
        }
        if step == 1 { Ok(()) } else { write!(f, ":{step}") }
    }
}

/// Parses the text between the brackets. The error describes the fault.
///
/// ```
/// use dudley::read::slice::{Index, parse_slice};
///
/// let indices = parse_slice("1:3, -1").expect("a slice");
/// assert_eq!(indices, [Index::Range { start: Some(1), stop: Some(3), step: 1 }, Index::At(-1)]);
/// assert_eq!(parse_slice("1:3:0").expect_err("a step of 0"), "the step of a slice cannot be 0");
/// ```
pub fn parse_slice(text: &str) -> std::result::Result<Vec<Index>, String> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let mut indices = Vec::with_capacity(parts.len());
    for (at, part) in parts.iter().enumerate() {
        if part.is_empty() && at + 1 == parts.len() && at > 0 {
            break;
        }
        indices.push(parse_index(part)?);
    }
    if indices.iter().filter(|index| **index == Index::Ellipsis).count() > 1 {
        return Err("a slice may have only one `...`".to_owned());
    }
    Ok(indices)
}

fn parse_index(text: &str) -> std::result::Result<Index, String> {
    if text == "..." {
        return Ok(Index::Ellipsis);
    }
    let number = |part: &str| match part.trim() {
        "" => Ok(None),
        part => part.parse::<i64>().map(Some).map_err(|_| format!("`{part}` is no index")),
    };
    let parts: Vec<&str> = text.split(':').collect();
    match parts.as_slice() {
        [one] => number(one)?.map(Index::At).ok_or_else(|| "an index is missing".to_owned()),
        [start, stop] => Ok(Index::Range { start: number(start)?, stop: number(stop)?, step: 1 }),
        [start, stop, step] => match number(step)?.unwrap_or(1) {
            0 => Err("the step of a slice cannot be 0".to_owned()),
            step => Ok(Index::Range { start: number(start)?, stop: number(stop)?, step }),
        },
        _ => Err(format!("`{text}` is no slice")),
    }
}

/// One dimension of an array after a slice: the first index, how many, how far apart.
///
/// ```
/// use dudley::read::slice::{Picked, parse_slice, resolve};
///
/// let picked = resolve(&parse_slice("1::2").expect("a slice"), &[6])?;
/// assert_eq!(picked, [Picked { start: 1, count: 3, step: 2, single: false }]);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picked {
    /// The first index.
    pub start: u64,
    /// The number of indices.
    pub count: u64,
    /// From one index to the next.
    pub step: i64,
    /// The dimension is gone from the result: it was a single index.
    pub single: bool,
}

/// Applies a slice to a shape: the picked indices of each dimension.
///
/// # Errors
/// [`Error::BadSlice`] if there are too many indices, or a single one is out of range.
///
/// ```
/// use dudley::read::slice::{Index, resolve};
///
/// let picked = resolve(&[Index::Ellipsis, Index::At(-1)], &[5, 4])?;
/// assert_eq!((picked[0].start, picked[0].count), (0, 5));
/// assert_eq!((picked[1].start, picked[1].single), (3, true));
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn resolve(indices: &[Index], shape: &[u64]) -> Result<Vec<Picked>> {
    let given = indices.iter().filter(|index| **index != Index::Ellipsis).count();
    let bad = |why: String| Error::BadSlice { item: Default::default(), why: why.into() };
    let Some(mut left) = shape.len().checked_sub(given) else {
        return Err(bad(match (given, shape.len()) {
            (_, 0) => "a scalar or single value has no dimensions to index".to_owned(),
            (_, 1) => format!("{given} indices, but the array has 1 dimension"),
            (_, rank) => format!("{given} indices, but the array has {rank} dimensions"),
        }));
    };
    // Small slices are read by the million: no more memory is taken than for what is picked.
    let mut picked = Vec::with_capacity(shape.len());
    let mut add = |index: Index, count: usize| -> Result<()> {
        for length in &shape[picked.len()..][..count] {
            picked.push(pick(index, *length).map_err(bad)?);
        }
        Ok(())
    };
    let all = Index::Range { start: None, stop: None, step: 1 };
    for index in indices {
        match index {
            Index::Ellipsis => add(all, std::mem::take(&mut left))?,
            index => add(*index, 1)?,
        }
    }
    add(all, left)?;
    Ok(picked)
}

/// Where a slice of an array lies.
pub(crate) struct Placed {
    /// Of the first element.
    pub(crate) address: u64,
    /// Elements in each dimension that is left.
    pub(crate) shape: Vec<u64>,
    /// From one index of each to the next.
    pub(crate) strides: Vec<i64>,
}

/// Where the elements are that a slice picks of an array at `address` with these strides, which are
/// in the unit of addresses.
///
/// # Errors
/// [`Error::TooLarge`] for an address that there is not.
pub(crate) fn place(picked: &[Picked], address: u64, strides: &[i64]) -> Result<Placed> {
    let mut at = i128::from(address);
    // What has no elements has no places of them, either.
    let is_empty = picked.iter().any(|pick| pick.count == 0);
    let rank = picked.len();
    let mut placed =
        Placed { address, shape: Vec::with_capacity(rank), strides: Vec::with_capacity(rank) };
    for (pick, stride) in picked.iter().zip(strides) {
        at += if is_empty { 0 } else { i128::from(pick.start) * i128::from(*stride) };
        if !pick.single {
            placed.shape.push(pick.count);
            placed.strides.push(stride.saturating_mul(pick.step));
        }
    }
    placed.address = u64::try_from(at).map_err(|_| Error::too_large(u64::MAX))?;
    Ok(placed)
}

fn pick(index: Index, length: u64) -> std::result::Result<Picked, String> {
    let signed = i64::try_from(length).unwrap_or(i64::MAX);
    match index {
        Index::At(at) => {
            let from = if at < 0 { signed.checked_add(at).unwrap_or(-1) } else { at };
            if from >= 0 && from < signed {
                Ok(Picked { start: from as u64, count: 1, step: 1, single: true })
            } else {
                Err(format!("index {at} is out of range for a dimension of {length}"))
            }
        }
        Index::Range { start, stop, step } => Ok(range(start, stop, step, signed)),
        Index::Ellipsis => Ok(range(None, None, 1, signed)),
    }
}

fn range(start: Option<i64>, stop: Option<i64>, step: i64, length: i64) -> Picked {
    let (low, high) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let bound = |value: i64| {
        let value = if value < 0 { length.saturating_add(value) } else { value };
        value.clamp(low, high)
    };
    let (first, last) = if step > 0 { (low, high) } else { (high, low) };
    let start = start.map_or(first, bound);
    let stop = stop.map_or(last, bound);
    let distance = if step > 0 { stop - start } else { start - stop };
    let count = if distance <= 0 { 0 } else { (distance as u64).div_ceil(step.unsigned_abs()) };
    Picked { start: if count == 0 { 0 } else { start as u64 }, count, step, single: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(text: &str, length: u64) -> Vec<i64> {
        let indices = parse_slice(text).expect("a slice");
        let picked = resolve(&indices, &[length]).expect("in range")[0];
        (0..picked.count as i64).map(|at| picked.start as i64 + at * picked.step).collect()
    }

    #[test]
    fn ranges_are_those_of_numpy() {
        assert_eq!(picked(":", 3), [0, 1, 2]);
        assert_eq!(picked("1:", 3), [1, 2]);
        assert_eq!(picked(":-1", 3), [0, 1]);
        assert_eq!(picked("::2", 5), [0, 2, 4]);
        assert_eq!(picked("::-1", 3), [2, 1, 0]);
        assert_eq!(picked("-2:0:-1", 5), [3, 2, 1]);
        assert!(picked("10:20", 5).is_empty());
        assert!(picked("3:1", 5).is_empty());
        assert_eq!(picked("-1", 5), [4]);
        assert_eq!(picked("-9223372036854775808:", 2), [0, 1]);
        assert_eq!(picked("...", 2), [0, 1]);
    }

    #[test]
    fn what_is_no_slice_is_refused() {
        for text in ["", "1:2:3:4", "a", "::0", "...,..."] {
            assert!(parse_slice(text).is_err(), "{text}");
        }
        let two = parse_slice("0,0").expect("a slice");
        assert!(resolve(&two, &[3]).is_err());
        assert!(resolve(&two[..1], &[0]).is_err());
    }
}
