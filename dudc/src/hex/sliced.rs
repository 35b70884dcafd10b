//! The bytes of a slice: runs of elements that lie together, each by the index of its first.

use dudley::dtype::{Dtype, Field, Record};
use dudley::select::{Picked, Selected};
use dudley::strided::Region;
use dudley::{Data, Stream};

use super::fixed::{field_path, records};
use super::rows::{Amount, Sink, array, filtered_part};
use super::varying::split;
use super::{Kind, LeftOut, Part};
use crate::failure::Result;

/// Runs that are shown; of more, the first ones and the last.
const WHOLE: u64 = 32;
const FIRST: u64 = 8;

/// What an array that is shown in part is a part of.
#[derive(Default)]
pub(super) struct Origin {
    /// Where what it was found in begins, in bytes from the start of what is shown.
    pub(super) base: u64,
    /// What the whole array is called.
    pub(super) name: String,
    /// The whole array.
    pub(super) whole: Option<Data>,
    pub(super) unit: Option<String>,
    pub(super) doc: Option<String>,
}

impl Origin {
    /// Of a part of an item of a stream.
    fn of(stream: &Stream, path: &str) -> Origin {
        // Of a field, the item that it is a field of.
        let name = split(stream, path).map_or_else(|_| path.to_owned(), |(item, _)| item);
        let Ok(item) = stream.get(&name) else { return Origin::default() };
        Origin {
            base: 0,
            name,
            whole: item.data().ok(),
            unit: item.unit().map(str::to_owned),
            doc: item.doc_without_unit().next().map(str::to_owned),
        }
    }

    fn remarked(&self, part: Part) -> Part {
        Part { unit: self.unit.clone(), doc: self.doc.clone(), ..part }
    }
}

/// The parts of what was picked.
///
/// # Errors
/// What `sink` says.
pub(super) fn parts(
    stream: &Stream,
    path: &str,
    selected: &Selected,
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    let several = selected.parts.len() > 1;
    let mut filtered = None;
    for picked in &selected.parts {
        let Picked::Data(data) = picked else { continue };
        if data.filter().is_some() || data.is_decoded() {
            // What a filter made of an array cannot be told apart.
            if filtered.replace(data.path().to_owned()).as_deref() != Some(data.path()) {
                let origin = Origin::of(stream, data.path());
                let Some(stored) = &origin.whole else { continue };
                let mut part = origin.remarked(filtered_part(stored, data.path()));
                let whole = "shown whole, as its filter stored it";
                part.doc = Some(match part.doc {
                    Some(doc) => format!("{doc}; {whole}"),
                    None => whole.to_owned(),
                });
                sink(part)?;
            }
            continue;
        }
        let path = if several { data.path() } else { path };
        one(&Origin::of(stream, data.path()), path, data, amount, sink)?;
    }
    Ok(())
}

/// The runs of an array, the last dimensions together as far as their elements are.
///
/// # Errors
/// What `sink` says.
pub(super) fn one(
    origin: &Origin,
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
    let grid = Grid::of(origin, data);
    let around = if grid.is_none() { Around::of(origin, data) } else { None };
    if outer > 0 {
        let heading = Part::new(Kind::Heading, origin.base + data.address(), 0, path);
        let dtype = if is_record { "struct".to_owned() } else { data.dtype_name() };
        let whole = grid.as_ref().map(|grid| (grid.shape.clone(), 0));
        let heading = Part { dtype, shape: shape.to_vec(), grid: whole, ..heading };
        sink(origin.remarked(heading))?;
    }
    // Each of them has a byte at least.
    let head = match amount.whole {
        true => count.min(amount.length.max(WHOLE)),
        false if count <= WHOLE => count,
        false => FIRST,
    };
    for number in (0..head).chain((head < count).then_some(count - 1)) {
        if number > head {
            let count = count - head - 1;
            sink(Part::left_out(LeftOut::Runs { path: path.to_owned(), count }))?;
        }
        let address = address_of(data, &shape[..outer], number);
        let first = grid.as_ref().and_then(|grid| grid.number(address));
        let name = match (&grid, first, outer) {
            (_, _, 0) => path.to_owned(),
            (Some(grid), Some(first), _) => {
                format!("{}{}", grid.path, super::lines::index(&grid.shape, first))
            }
            _ => match around.as_ref().and_then(|around| around.path(address, run)) {
                Some(path) => path,
                None => format!("{path}{}", super::lines::index(&shape[..outer], number)),
            },
        };
        let address = origin.base.saturating_add(address);
        if let Dtype::Record(record) = data.dtype() {
            records(data.stream().layout(), (&name, address), record, &[], amount, sink)?;
            continue;
        }
        let inner = &shape[outer..];
        let mut part = array(Kind::Item, name, address, data.dtype(), data.dtype_name(), inner);
        part.grid = grid.as_ref().zip(first).map(|(grid, first)| (grid.shape.clone(), first));
        sink(if outer == 0 { origin.remarked(part) } else { part })?;
    }
    Ok(())
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
    fn of(origin: &Origin, data: &Data) -> Option<Grid> {
        let whole = origin.whole.as_ref()?;
        let size = whole.dtype().size().filter(|size| *size > 0)?;
        let region = Region::new(whole.address(), whole.shape(), whole.strides(), size).ok()?;
        let same = region.is_contiguous() && whole.dtype_name() == data.dtype_name();
        same.then(|| Grid {
            path: origin.name.clone(),
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

/// The packed array of structs that something is a field of, in some of its elements.
struct Around<'o> {
    path: &'o str,
    address: u64,
    shape: &'o [u64],
    record: &'o Record,
}

impl<'o> Around<'o> {
    fn of(origin: &'o Origin, data: &Data) -> Option<Around<'o>> {
        let whole = origin.whole.as_ref()?;
        let (Dtype::Record(record), Dtype::Primitive(..)) = (whole.dtype(), data.dtype()) else {
            return None;
        };
        let size = record.size;
        let region = Region::new(whole.address(), whole.shape(), whole.strides(), size).ok()?;
        (size > 0 && region.is_contiguous()).then(|| Around {
            path: &origin.name,
            address: whole.address(),
            shape: whole.shape(),
            record,
        })
    }

    /// What the bytes of a run at an address are called.
    fn path(&self, address: u64, run: u64) -> Option<String> {
        let mut path = self.path.to_owned();
        let (mut record, mut shape) = (self.record, self.shape);
        let mut offset = address.checked_sub(self.address)?;
        loop {
            if !shape.is_empty() {
                path += &super::lines::index(shape, offset / record.size.max(1));
            }
            offset %= record.size.max(1);
            let within = |field: &&Field| {
                field.offset <= offset && offset < field.offset.saturating_add(field.bytes)
            };
            let field = record.fields.iter().find(within)?;
            path = field_path(&path, &field.name);
            offset -= field.offset;
            match &field.dtype {
                Dtype::Record(inner) => (record, shape) = (inner, &field.shape),
                Dtype::Primitive(primitive, _) => {
                    if run < field.bytes {
                        path += &super::lines::index(&field.shape, offset / primitive.size());
                    }
                    return Some(path);
                }
                Dtype::Variable(_) => return None,
            }
        }
    }
}
