//! Structs that are stored as records: their bytes, from where a layout says each field is.

use ndarray::{ArrayD, IxDyn};

use super::cell::Cell;
use super::form::{Dims, Form};
use super::give::Giver;
use super::shape::{at_address, lengths, wrong_value};
use crate::elements::element::{ByteOrder, Element};
use crate::elements::gather::gather;
use crate::encode::input::{Input, Rows};
use crate::error::{Context, Error, Result, to_usize};
use crate::read::dtype::Dtype;
use crate::read::item::Item;

/// Records encoded at a time, in bytes.
const BLOCK: usize = 1 << 17;

/// Records of more bytes than these are not read in whole ones.
const CUT: usize = 1 << 17;

/// What can stand in a record: numbers, arrays of fixed length, other records.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a record",
    label = "has no fixed size in a layout",
    note = "fields of a `#[dudley(record)]` struct are numbers, `bool`, C-like enums, other records, \
            and arrays `[T; N]` of these; leave out `record` to store the struct as a dict"
)]
pub trait Packed: Sized {
    /// How it is declared.
    const PACKED: Form;

    /// How it lies in a record.
    ///
    /// # Errors
    /// If the layout has something else there.
    fn plan(dtype: &Dtype, shape: &[u64]) -> Result<Plan>;

    /// Writes it where its plan says; `room` has its bytes.
    fn put(&self, plan: &Plan, room: &mut [u8]);

    /// Reads it.
    ///
    /// # Errors
    /// [`Error::WrongValue`] for bytes that are no value of it.
    fn get(plan: &Plan, bytes: &[u8]) -> Result<Self>;
}

/// How something lies in a record.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) order: ByteOrder,
    pub(super) bytes: usize,
    parts: Vec<(usize, Plan)>,
}

impl Plan {
    /// That of a number.
    ///
    /// # Errors
    /// If it is none, or of another type.
    pub fn of_cell<C: Cell>(dtype: &Dtype, shape: &[u64]) -> Result<Plan> {
        let Dtype::Primitive(primitive, order) = *dtype else {
            return Err(wrong_value("a number", "a struct"));
        };
        C::Stored::check(primitive)?;
        if shape.is_empty() {
            Ok(Plan { order, bytes: C::Stored::SIZE, parts: Vec::new() })
        } else {
            Err(wrong_value("a scalar", &format!("an array of shape {shape:?}")))
        }
    }

    /// The plan of a struct: those of its fields, by their names.
    ///
    /// # Errors
    /// [`Error::WrongValue`] if it is no record, or lacks a field.
    pub fn of_struct(dtype: &Dtype, shape: &[u64], fields: &[PlanField]) -> Result<Plan> {
        let Dtype::Record(record) = dtype else {
            return Err(wrong_value("a struct of fixed size", "something else"));
        };
        if !shape.is_empty() {
            return Err(wrong_value("one struct", &format!("an array of shape {shape:?}")));
        }
        let mut parts = Vec::with_capacity(fields.len());
        for (name, plan) in fields {
            let Some(field) = record.fields.iter().find(|field| field.name == *name) else {
                return Err(wrong_value(&format!("a field `{name}`"), "none"));
            };
            let part = plan(&field.dtype, &field.shape).of_item(&format!(".{name}"))?;
            parts.push((to_usize(field.offset)?, part));
        }
        Ok(Plan { order: ByteOrder::Little, bytes: to_usize(record.size)?, parts })
    }

    /// The plan of a field of a struct.
    #[must_use]
    pub fn part(&self, field: usize) -> &Plan {
        &self.parts[field].1
    }

    /// The bytes of a field of a struct.
    #[must_use]
    pub fn bytes<'b>(&self, field: usize, bytes: &'b [u8]) -> &'b [u8] {
        let (offset, plan) = &self.parts[field];
        &bytes[*offset..*offset + plan.bytes]
    }

    /// As [`Self::bytes`], to be written.
    pub fn room<'b>(&self, field: usize, room: &'b mut [u8]) -> &'b mut [u8] {
        let (offset, plan) = &self.parts[field];
        &mut room[*offset..*offset + plan.bytes]
    }
}

/// The name of a field, and how its plan is made.
pub type PlanField = (&'static str, fn(&Dtype, &[u64]) -> Result<Plan>);

impl<T: Packed, const N: usize> Packed for [T; N] {
    const PACKED: Form = Form::array(T::PACKED.element, Dims::Fixed(N, &T::PACKED.dims));

    fn plan(dtype: &Dtype, shape: &[u64]) -> Result<Plan> {
        match shape.split_first() {
            Some((length, rest)) if *length == N as u64 => {
                let part = T::plan(dtype, rest)?;
                let bytes = part.bytes.checked_mul(N).ok_or_else(|| Error::too_large(u64::MAX))?;
                Ok(Plan { order: part.order, bytes, parts: vec![(0, part)] })
            }
            _ => {
                Err(wrong_value(&format!("{N} elements"), &format!("an array of shape {shape:?}")))
            }
        }
    }

    fn put(&self, plan: &Plan, room: &mut [u8]) {
        let part = &plan.parts[0].1;
        for (value, room) in self.iter().zip(room.chunks_exact_mut(part.bytes.max(1))) {
            value.put(part, room);
        }
    }

    fn get(plan: &Plan, bytes: &[u8]) -> Result<Self> {
        let part = &plan.parts[0].1;
        let values: Result<Vec<T>> =
            bytes.chunks_exact(part.bytes.max(1)).map(|bytes| T::get(part, bytes)).collect();
        let wrong = |values: Vec<T>| Error::wrong_length(N as u64, values.len() as u64);
        values?.try_into().map_err(wrong)
    }
}

/// Structs side by side.
struct Structs<'a, T> {
    flat: &'a [T],
    shape: Vec<u64>,
}

impl<T: Packed> Rows for Structs<'_, T> {
    fn shape(&self) -> Vec<u64> {
        self.shape.clone()
    }

    fn check(&self, dtype: &Dtype) -> Result<()> {
        T::plan(dtype, &[]).map(drop)
    }

    fn encode(
        &self,
        dtype: &Dtype,
        template: &[u8],
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let plan = T::plan(dtype, &[])?;
        let size = plan.bytes.max(1);
        let block = (BLOCK / size).max(1);
        let mut room = template.repeat(block.min(self.flat.len()));
        for values in self.flat.chunks(block) {
            let room = &mut room[..values.len() * size];
            for (value, room) in values.iter().zip(room.chunks_exact_mut(size)) {
                value.put(&plan, room);
            }
            sink(room)?;
        }
        Ok(())
    }
}

/// Gives structs as records.
///
/// # Errors
/// What the layout says of their shape.
pub fn give_records<'a, T: Packed>(
    flat: &'a [T],
    shape: Vec<usize>,
    to: &mut Giver<'a>,
    name: &str,
) -> Result<()> {
    let shape = lengths(&shape);
    let rows = Structs { flat, shape: shape.clone() };
    to.array(name, &shape, Input::Rows(Box::new(rows)))
}

/// All records of an item, and their shape.
///
/// # Errors
/// If they are no records, or not such; what reading says.
pub fn take_records<T: Packed>(item: &Item) -> Result<(Vec<T>, Vec<usize>)> {
    let data = item.data()?;
    let named = |error: Error| error.of_item(item.path());
    let plan = T::plan(data.dtype(), &[]).map_err(named)?;
    data.check_constants()?;
    let shape: Vec<usize> = data.shape().iter().map(|dim| to_usize(*dim)).collect::<Result<_>>()?;
    let size = plan.bytes.max(1);
    let data = data.decoded()?;
    let region = data.region()?;
    let mut records = Vec::new();
    // No more than the stream can hold, whatever it says of itself.
    let likely = data.len()?.min(item.stream().len() / size as u64);
    records.try_reserve_exact(to_usize(likely)?).map_err(|_| Error::too_large(likely))?;
    let mut take = |bytes: &[u8]| {
        for bytes in bytes.chunks_exact(size) {
            let at = records.len() * size;
            let value = T::get(&plan, bytes);
            records.push(value.map_err(|error| at_address(error, data.address() + at as u64))?);
        }
        Ok(())
    };
    let taken = if size > CUT {
        take(&data.raw()?)
    } else {
        data.with_source(|source| gather(source, &region, &mut take))
    };
    taken.map_err(named)?;
    Ok((records, shape))
}

/// A record that an item is.
///
/// # Errors
/// As [`take_records`]; if it is more than one.
pub fn take_record<T: Packed>(item: &Item) -> Result<T> {
    let (mut all, shape) = take_records(item)?;
    match all.pop() {
        Some(one) if shape.is_empty() => Ok(one),
        _ => {
            Err(wrong_value("one struct", &format!("an array of shape {shape:?}"))
                .of_item(item.path()))
        }
    }
}

/// Writes a number into a record.
pub fn put_cell<C: Cell>(cell: &C, plan: &Plan, room: &mut [u8]) {
    let bytes = cell.store().to_bytes(plan.order);
    room.copy_from_slice(bytes.as_ref());
}

/// Reads a number of a record.
///
/// # Errors
/// [`Error::WrongValue`] if it is no value of the type.
pub fn get_cell<C: Cell>(plan: &Plan, bytes: &[u8]) -> Result<C> {
    let mut own = <C::Stored as Element>::Bytes::default();
    own.as_mut().copy_from_slice(bytes);
    let stored = C::Stored::from_bytes(own, plan.order);
    if let Some(cell) = C::load(stored) {
        return Ok(cell);
    }
    let one = C::load_all(ArrayD::from_elem(IxDyn(&[]), stored))?;
    one.into_iter().next().ok_or_else(|| Error::too_large(u64::MAX))
}
