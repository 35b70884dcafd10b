//! The bytes of a slice: runs of elements that lie together, each by the index of its first.

use dudley::dtype::Dtype;
use dudley::select::{Picked, Selected};
use dudley::strided::Region;
use dudley::{Data, Stream};

use super::rows::{Amount, Sink, array, records, remark};
use super::{Kind, Part};
use crate::failure::{Failure, Result};

/// Runs that are shown; of more, the first ones and the last.
const WHOLE: u64 = 32;
const FIRST: u64 = 8;

/// The parts of what was picked.
///
/// # Errors
/// If it has no bytes of its own, and what `sink` says.
pub(super) fn parts(
    stream: &Stream,
    path: &str,
    selected: &Selected,
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    let several = selected.parts.len() > 1;
    for picked in &selected.parts {
        let data = match picked {
            Picked::Data(data) if data.filter().is_none() && !data.is_decoded() => data,
            Picked::Data(_) => return Err(apart(path, "is stored by a filter")),
            Picked::Value { .. } => return Err(apart(path, "lies in structs that differ in size")),
        };
        let path = if several { data.path() } else { path };
        one(stream, path, data, amount, sink)?;
    }
    Ok(())
}

fn apart(path: &str, why: &str) -> Failure {
    Failure::input(format!(
        "`{path}` {why}, so a part of it cannot be told apart: name the whole item"
    ))
}

/// The runs of an array, the last dimensions together as far as their elements are.
fn one(
    stream: &Stream,
    path: &str,
    data: &Data,
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    let (shape, size) = (data.shape(), data.dtype().size().unwrap_or(0));
    let mut run = size;
    let mut outer = shape.len();
    let is_record = matches!(data.dtype(), Dtype::Record(_));
    while let (false, Some(axis)) = (is_record, outer.checked_sub(1)) {
        let (dim, stride) = (shape[axis], data.strides().get(axis).copied().unwrap_or(0));
        if dim != 1 && u64::try_from(stride) != Ok(run) {
            break;
        }
        run = run.saturating_mul(dim);
        outer = axis;
    }
    let count = shape[..outer].iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
    if count == 0 || run == 0 {
        return Ok(());
    }
    let grid = Grid::of(stream, data);
    if outer > 0 {
        let heading = Part::new(Kind::Heading, data.address(), 0, path);
        let dtype = if is_record { "struct".to_owned() } else { data.dtype_name() };
        let whole = grid.as_ref().map(|grid| (grid.shape.clone(), 0));
        let heading = Part { dtype, shape: shape.to_vec(), grid: whole, ..heading };
        sink(remarked(stream, data, heading))?;
    }
    // Each of them has a byte at least.
    let head = match amount.whole {
        true => count.min(amount.length.max(WHOLE)),
        false if count <= WHOLE => count,
        false => FIRST,
    };
    for number in (0..head).chain((head < count).then_some(count - 1)) {
        if number > head {
            let more = format!("{} more runs of {path}", count - head - 1);
            sink(Part::new(Kind::Elided, 0, 0, more))?;
        }
        let address = address_of(data, &shape[..outer], number);
        let first = grid.as_ref().and_then(|grid| grid.number(address));
        let name = match (&grid, first, outer) {
            (_, _, 0) => path.to_owned(),
            (Some(grid), Some(first), _) => {
                format!("{}{}", grid.path, super::lines::index(&grid.shape, first))
            }
            _ => format!("{path}{}", super::lines::index(&shape[..outer], number)),
        };
        if let Dtype::Record(record) = data.dtype() {
            records(stream.layout(), &name, address, record, &[], amount, sink)?;
            continue;
        }
        let inner = &shape[outer..];
        let mut part = array(Kind::Item, name, address, data.dtype(), data.dtype_name(), inner);
        part.grid = grid.as_ref().zip(first).map(|(grid, first)| (grid.shape.clone(), first));
        sink(if outer == 0 { remarked(stream, data, part) } else { part })?;
    }
    Ok(())
}

/// Unit and documentation of what an array is a part of.
fn remarked(stream: &Stream, data: &Data, mut part: Part) -> Part {
    if let Ok(item) = stream.get(data.path()) {
        part.unit = item.unit().map(str::to_owned);
        part.doc = remark(item.doc().next().unwrap_or_default());
    }
    part
}

fn address_of(data: &Data, outer: &[u64], number: u64) -> u64 {
    let mut rest = number;
    let mut address = data.address();
    for (dim, stride) in outer.iter().zip(data.strides()).rev() {
        let index = rest % (*dim).max(1);
        rest /= (*dim).max(1);
        // The array was found to be within the addresses.
        address = address.wrapping_add_signed(stride.wrapping_mul(index as i64));
    }
    address
}

/// The whole array that something is a slice of, so that its elements are called what they are there.
struct Grid {
    path: String,
    address: u64,
    shape: Vec<u64>,
    size: u64,
}

impl Grid {
    /// None where the elements are not those of one packed array.
    fn of(stream: &Stream, data: &Data) -> Option<Grid> {
        let whole = stream.get(data.path()).ok()?.data().ok()?;
        let size = whole.dtype().size().filter(|size| *size > 0)?;
        let region = Region::new(whole.address(), whole.shape(), whole.strides(), size).ok()?;
        let same = region.is_contiguous() && whole.dtype_name() == data.dtype_name();
        same.then(|| Grid {
            path: data.path().to_owned(),
            address: whole.address(),
            shape: whole.shape().to_vec(),
            size,
        })
    }

    /// The number of the element at an address.
    fn number(&self, address: u64) -> Option<u64> {
        Some(address.checked_sub(self.address)? / self.size)
    }
}
