//! Slices as `ndarray` writes them, for arrays in streams.

use ndarray::SliceInfoElem;

use crate::error::{Error, Item, Result};
use crate::read::slice::Index;

/// The same slice for an array of a shape; new axes take no part. What is outside of the array is an
/// error, as in `ndarray`.
pub(super) fn indices(slice: &[SliceInfoElem], shape: &[u64]) -> Result<Vec<Index>> {
    let mut dims = shape.iter();
    let mut indices = Vec::with_capacity(shape.len());
    for part in slice {
        let index = match *part {
            SliceInfoElem::NewAxis => continue,
            SliceInfoElem::Index(at) => {
                Index::At(from_start(at, length(&mut dims, slice)?, false)? as i64)
            }
            SliceInfoElem::Slice { start, end, step } => {
                let length = length(&mut dims, slice)?;
                let start = from_start(start, length, true)?;
                let end = end.map_or(Ok(length), |end| from_start(end, length, true))?;
                range(start, end.max(start), step as i64)
            }
        };
        indices.push(index);
    }
    match dims.next() {
        None => Ok(indices),
        Some(_) => Err(wrong(format!("it has {} of {} dimensions", indices.len(), shape.len()))),
    }
}

/// With a negative step `ndarray` begins at the end of the range.
fn range(start: u64, end: u64, step: i64) -> Index {
    let (start, end) = (start as i64, end as i64);
    match step {
        _ if start == end => Index::Range { start: Some(0), stop: Some(0), step: 1 },
        1.. => Index::Range { start: Some(start), stop: Some(end), step },
        _ => Index::Range { start: Some(end - 1), stop: (start > 0).then_some(start - 1), step },
    }
}

/// The shape of the result: that of what was read, with the new axes.
pub(super) fn sliced_shape(slice: &[SliceInfoElem], read: &[u64]) -> Vec<u64> {
    let mut read = read.iter().copied();
    let dims = slice.iter().filter_map(|part| match part {
        SliceInfoElem::NewAxis => Some(1),
        SliceInfoElem::Index(_) => None,
        SliceInfoElem::Slice { .. } => read.next(),
    });
    dims.collect()
}

fn length(dims: &mut std::slice::Iter<'_, u64>, slice: &[SliceInfoElem]) -> Result<u64> {
    let more = || wrong(format!("{} indices are more than there are dimensions", slice.len()));
    dims.next().copied().ok_or_else(more)
}

/// An index from the start, which may be the length only as the end of a range.
fn from_start(index: isize, length: u64, end: bool) -> Result<u64> {
    let at = if index < 0 { index as i128 + i128::from(length) } else { index as i128 };
    let limit = i128::from(length) + i128::from(end);
    match u64::try_from(at) {
        Ok(found) if at < limit => Ok(found),
        _ => Err(wrong(format!("{index} is outside of a dimension of {length}"))),
    }
}

fn wrong(why: String) -> Error {
    Error::BadSlice { item: Item::UNKNOWN, why: why.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, NewAxis, s};

    /// What a slice picks of 6 x 5 numbers, by the slices of this crate.
    fn picked(slice: &[SliceInfoElem]) -> Result<(Vec<u64>, Vec<u64>)> {
        let indices = indices(slice, &[6, 5])?;
        let picks = crate::read::slice::resolve(&indices, &[6, 5])?;
        let along = |pick: &crate::read::slice::Picked| -> Vec<u64> {
            (0..pick.count).map(|i| (pick.start as i64 + i as i64 * pick.step) as u64).collect()
        };
        let (rows, columns) = (along(&picks[0]), along(&picks[1]));
        let elements = rows.iter().flat_map(|row| columns.iter().map(move |c| row * 5 + c));
        let read: Vec<u64> =
            picks.iter().filter(|pick| !pick.single).map(|pick| pick.count).collect();
        Ok((sliced_shape(slice, &read), elements.collect()))
    }

    #[test]
    fn slices_are_those_of_ndarray() {
        let all = Array2::from_shape_fn((6, 5), |(i, j)| (i * 5 + j) as u64);
        macro_rules! same {
            ($($slice:expr;)*) => {$(
                let slice = $slice;
                let expected = all.slice(&slice);
                let shape: Vec<u64> = expected.shape().iter().map(|dim| *dim as u64).collect();
                let elements: Vec<u64> = expected.iter().copied().collect();
                assert_eq!(picked(slice.as_ref()).expect("inside"), (shape, elements));
            )*};
        }
        same! {
            s![.., ..]; s![1..4, ..]; s![..;2, 1..]; s![..;-1, ..]; s![1..5;-2, 2]; s![-3.., -1];
            s![3, NewAxis, ..;3]; s![6.., ..]; s![2..2;-1, ..]; s![NewAxis, 0, 4]; s![..;-4, ..;-3];
            s![..-1, ..;7];
        }
    }

    #[test]
    fn what_is_outside_is_an_error() {
        for slice in [s![6, ..], s![-7, ..]] {
            assert!(picked(slice.as_ref()).is_err());
        }
        assert!(picked(s![..7, ..].as_ref()).is_err());
        assert!(picked(s![..].as_ref()).is_err());
        assert!(picked(s![.., .., 0].as_ref()).is_err());
    }
}
