//! Names of the elements of a slice: their indices in the whole array, found by their addresses.

use dudley::Data;
use dudley::bytes::Region;
use dudley::read::{Dtype, Field, Record};

use super::fixed::field_path;
use super::origin::Origin;

/// The whole array that something is a slice of.
pub(super) enum Called<'o> {
    /// Its elements are the elements of the slice.
    Elements(Grid<'o>),
    /// Fields of its structs are.
    Fields(Around<'o>),
}

impl<'o> Called<'o> {
    /// `None` if the element at an address is unknown.
    pub(super) fn of(origin: &'o Origin, data: &'o Data) -> Option<Called<'o>> {
        let whole = origin.whole.as_ref()?;
        match Grid::of(&origin.name, whole, data) {
            Some(grid) => Some(Called::Elements(grid)),
            None => Around::of(&origin.name, whole, data).map(Called::Fields),
        }
    }

    /// The path of this many bytes that lie together from an address on.
    pub(super) fn path(&self, address: u64, bytes: u64) -> Option<String> {
        match self {
            Called::Elements(grid) => grid.path(address, bytes),
            Called::Fields(around) => around.path(address, bytes),
        }
    }

    /// The shape of the array whose elements they are, and the number of the one at an address.
    pub(super) fn place(&self, address: u64) -> Option<(Vec<u64>, u64)> {
        match self {
            Called::Elements(grid) => Some((grid.shape.to_vec(), grid.number(address)?)),
            Called::Fields(_) => None,
        }
    }
}

/// An array of elements of one size, side by side or some way apart.
pub(super) struct Grid<'o> {
    path: &'o str,
    address: u64,
    shape: &'o [u64],
    /// Bytes from one index to the next; no stride reaches beyond the stride of the dimension
    /// before it.
    strides: Vec<u64>,
    size: u64,
}

impl<'o> Grid<'o> {
    fn of(path: &'o str, whole: &'o Data, data: &Data) -> Option<Grid<'o>> {
        let size = whole.dtype().size().filter(|size| *size > 0)?;
        if whole.dtype_name() != data.dtype_name() {
            return None;
        }
        let (mut strides, mut inner) = (Vec::with_capacity(whole.shape().len()), size);
        for (dim, stride) in whole.shape().iter().zip(whole.strides()).rev() {
            let stride = u64::try_from(*stride).ok().filter(|stride| *stride >= inner)?;
            inner = stride.checked_mul(*dim)?;
            strides.push(stride);
        }
        strides.reverse();
        Some(Grid { path, address: whole.address(), shape: whole.shape(), strides, size })
    }

    /// The number of the element at an address.
    fn number(&self, address: u64) -> Option<u64> {
        let (mut rest, mut number) = (address.checked_sub(self.address)?, 0_u64);
        for (dim, stride) in self.shape.iter().zip(&self.strides) {
            number = number.checked_mul(*dim)?.checked_add(rest / stride)?;
            rest %= stride;
        }
        Some(number)
    }

    fn path(&self, address: u64, bytes: u64) -> Option<String> {
        let index = run_index(self.shape, self.number(address)?, bytes / self.size);
        Some(format!("{}{index}", self.path))
    }
}

/// A packed array of structs.
pub(super) struct Around<'o> {
    path: &'o str,
    address: u64,
    shape: &'o [u64],
    record: &'o Record,
    /// The elements of the slice: primitives, or structs in these structs.
    of: &'o Data,
}

impl<'o> Around<'o> {
    fn of(path: &'o str, whole: &'o Data, data: &'o Data) -> Option<Around<'o>> {
        let Dtype::Record(record) = whole.dtype() else { return None };
        let (address, shape, size) = (whole.address(), whole.shape(), record.size);
        let region = Region::new(address, shape, whole.strides(), size).ok()?;
        let found = Around { path, address, shape, record, of: data };
        (size > 0 && region.is_contiguous()).then_some(found)
    }

    fn is_of(&self, field: &Field) -> bool {
        let stream = self.of.stream();
        field.dtype.describe(stream.layout(), stream.order()) == self.of.dtype_name()
    }

    fn path(&self, address: u64, bytes: u64) -> Option<String> {
        let mut path = self.path.to_owned();
        let (mut record, mut shape) = (self.record, self.shape);
        let mut offset = address.checked_sub(self.address)?;
        loop {
            let size = record.size.max(1);
            path += &run_index(shape, offset / size, (bytes / size).max(1));
            offset %= size;
            let field = record.fields.iter().find(|field| {
                field.offset <= offset && offset < field.offset.saturating_add(field.bytes)
            })?;
            // If the elements are not stored row by row, the index in the slice is clearer.
            field.check_rows().ok()?;
            path = field_path(&path, &field.name);
            offset -= field.offset;
            match &field.dtype {
                Dtype::Record(inner) if !self.is_of(field) => {
                    (record, shape) = (inner, &field.shape);
                }
                dtype => {
                    let size = dtype.size().filter(|size| *size > 0)?;
                    let count = bytes.min(field.bytes) / size;
                    return Some(path + &run_index(&field.shape, offset / size, count));
                }
            }
        }
    }
}

/// The index that picks this many elements from a number on, the last dimension fastest: `[1, 2:4]`; nothing
/// where that is all of them.
fn run_index(shape: &[u64], first: u64, count: u64) -> String {
    let (mut outer, mut first, mut count) = (shape, first, count);
    // Dimensions of which nothing is left out.
    while let Some((dim, rest)) = outer.split_last() {
        let dim = (*dim).max(1);
        if first % dim != 0 || count % dim != 0 {
            break;
        }
        (outer, first, count) = (rest, first / dim, count / dim);
    }
    let Some(dim) = outer.last() else { return String::new() };
    let index = super::lines::index(outer, first);
    let at = first % (*dim).max(1);
    match index.strip_suffix(&format!("{at}]")) {
        Some(start) if count > 1 && at.saturating_add(count) <= *dim => {
            format!("{start}{at}:{}]", at + count)
        }
        _ => index,
    }
}

#[cfg(test)]
mod tests {
    use super::run_index;

    #[test]
    fn runs_have_the_index_that_picks_them() {
        for (shape, first, count, index) in [
            (&[][..], 0, 1, ""),
            (&[4], 0, 4, ""),
            (&[4], 1, 1, "[1]"),
            (&[4], 1, 2, "[1:3]"),
            (&[3, 4], 4, 4, "[1]"),
            (&[3, 4], 4, 8, "[1:3]"),
            (&[3, 4], 6, 2, "[1, 2:4]"),
            (&[3, 1], 2, 1, "[2]"),
            (&[2, 1, 3], 4, 2, "[1, 0, 1:3]"),
            // No slice picks these.
            (&[3, 4], 3, 2, "[0, 3]"),
            (&[0], 0, 0, ""),
        ] {
            assert_eq!(run_index(shape, first, count), index, "{shape:?} {first} {count}");
        }
    }
}
