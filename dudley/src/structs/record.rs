//! Structs that are stored as records: their bytes, from where a layout says each field is.

use ndarray::{ArrayD, IxDyn};

use super::cell::{Cell, may_widen};
use super::form::{Dims, Form};
use super::give::Giver;
use super::shape::{at_address, lengths, wrong_value};
use super::wanted::Wanted;
use crate::elements::convert::{Conversion, check, convert_slice};
use crate::elements::element::{ByteOrder, Element, Primitive};
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
    message = "`{Self}` cannot stand in a record, a tuple, or an `Option` among others",
    label = "has no fixed size in a layout",
    note = "fields of a `#[dudley(record)]` struct are numbers, `bool`, C-like enums, other records, \
            and tuples, `Option` and arrays `[T; N]` of these; leave out `record` to store the struct \
            as a dict, which has fields of any type"
)]
pub trait Packed: Sync + Sized {
    /// How it is declared.
    const PACKED: Form;

    /// How it lies in a record; with `widen` also numbers of types whose values all fit.
    ///
    /// # Errors
    /// If the layout has something else there.
    fn plan(dtype: &Dtype, shape: &[u64], widen: bool) -> Result<Plan>;

    /// Writes it where its plan says; `room` has its bytes.
    fn put(&self, plan: &Plan, room: &mut [u8]);

    /// Reads it.
    ///
    /// # Errors
    /// [`Error::WrongValue`] for bytes that are no value of it.
    fn get(plan: &Plan, bytes: &[u8]) -> Result<Self>;

    /// The value if a record has no such field, if the field is optional.
    fn absent() -> Option<Self> {
        None
    }

    /// Reads a field of a struct; `default` is for one that the record does not have.
    ///
    /// # Errors
    /// As [`Self::get`].
    #[doc(hidden)]
    fn get_of(
        plan: &Plan,
        field: usize,
        bytes: &[u8],
        default: impl FnOnce() -> Option<Self>,
    ) -> Result<Self> {
        match &plan.parts[field] {
            Part::At(offset, part) => Self::get(part, &bytes[*offset..*offset + part.bytes]),
            Part::Always(_) => Err(wrong_value("a field", "none")),
            Part::Absent(why) => default().ok_or_else(|| wrong_value("a field", why)),
        }
    }
}

/// How something lies in a record.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) order: ByteOrder,
    pub(super) bytes: usize,
    /// The type of numbers that are widened.
    from: Option<Primitive>,
    parts: Vec<Part>,
}

/// Where a field of a struct lies.
#[derive(Clone, Debug)]
enum Part {
    At(usize, Plan),
    /// What may be absent lies there as what cannot.
    Always(Plan),
    /// The record has none; what is said of that.
    Absent(Box<str>),
}

/// A field of a struct as its plan is made.
pub struct PlanField {
    /// Where it is looked for.
    pub wanted: Wanted,
    /// Whether it has a value where the record has no such field.
    pub dispensable: bool,
    /// How its own plan is made.
    pub plan: fn(&Dtype, &[u64], bool) -> Result<Plan>,
}

impl Plan {
    /// That of a number.
    ///
    /// # Errors
    /// If it is none, or of another type.
    pub fn of_cell<C: Cell>(dtype: &Dtype, shape: &[u64], widen: bool) -> Result<Plan> {
        let Dtype::Primitive(primitive, order) = *dtype else {
            return Err(wrong_value("a number", "a struct"));
        };
        let wider = widen && !C::Stored::is(primitive);
        if wider {
            check::<C::Stored>(primitive, Conversion::Lossless)?;
        } else {
            C::Stored::check(primitive).map_err(may_widen::<C>)?;
        }
        if shape.is_empty() {
            let bytes = to_usize(primitive.size())?;
            Ok(Plan { order, bytes, from: wider.then_some(primitive), parts: Vec::new() })
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
        for PlanField { wanted, dispensable, plan } in fields {
            let named = |name: &str| record.fields.iter().find(|field| field.name == name);
            let Some(field) = wanted.called(named)? else {
                let names: Vec<String> =
                    record.fields.iter().map(|field| field.name.clone()).collect();
                let why = wanted.lack("the record", &names);
                if !dispensable {
                    return Err(wrong_value(&format!("a field `{}`", wanted.name), &why));
                }
                parts.push(Part::Absent(why.into()));
                continue;
            };
            field.check_rows()?;
            let part = plan(&field.dtype, &field.shape, wanted.widen);
            let part = part.of_item(&format!(".{}", field.name))?;
            parts.push(Part::At(to_usize(field.offset)?, part));
        }
        Ok(Plan { order: ByteOrder::Little, bytes: to_usize(record.size)?, from: None, parts })
    }

    /// The plan of what may be absent, where it lies as what cannot.
    pub(super) fn always(self) -> Plan {
        let (order, bytes) = (self.order, self.bytes);
        Plan { order, bytes, from: None, parts: vec![Part::Always(self)] }
    }

    /// The plan of what lies as if it could not be absent.
    pub(super) fn is_always(&self) -> Option<&Plan> {
        match self.parts.first() {
            Some(Part::Always(plan)) => Some(plan),
            _ => None,
        }
    }

    /// As [`Packed::plan`], for records that are written: of its own types, with all its fields.
    fn to_write<T: Packed>(dtype: &Dtype) -> Result<Plan> {
        let plan = T::plan(dtype, &[], false)?;
        plan.check_whole()?;
        Ok(plan)
    }

    fn check_whole(&self) -> Result<()> {
        if let Some(from) = self.from {
            return Err(wrong_value("a number of its own type", &format!("`{}`", from.name())));
        }
        self.parts.iter().try_for_each(|part| match part {
            Part::At(_, part) => part.check_whole(),
            Part::Always(_) => Err(wrong_value("an `Option`", "a type without one")),
            Part::Absent(why) => Err(wrong_value("all fields", why)),
        })
    }

    /// Writes a field of a struct. The record has it: that was asked before.
    pub fn put<T: Packed>(&self, field: usize, value: &T, room: &mut [u8]) {
        if let Part::At(offset, part) = &self.parts[field] {
            value.put(part, &mut room[*offset..*offset + part.bytes]);
        }
    }
}

impl<T: Packed, const N: usize> Packed for [T; N] {
    const PACKED: Form = Form::array(T::PACKED.element, Dims::Fixed(N, &T::PACKED.dims));

    fn plan(dtype: &Dtype, shape: &[u64], widen: bool) -> Result<Plan> {
        match shape.split_first() {
            Some((length, rest)) if *length == N as u64 => {
                let part = T::plan(dtype, rest, widen)?;
                let bytes = part.bytes.checked_mul(N).ok_or_else(|| Error::too_large(u64::MAX))?;
                Ok(Plan { order: part.order, bytes, from: None, parts: vec![Part::At(0, part)] })
            }
            _ => {
                Err(wrong_value(&format!("{N} elements"), &format!("an array of shape {shape:?}")))
            }
        }
    }

    fn put(&self, plan: &Plan, room: &mut [u8]) {
        let Some(Part::At(_, part)) = plan.parts.first() else { return };
        for (value, room) in self.iter().zip(room.chunks_exact_mut(part.bytes.max(1))) {
            value.put(part, room);
        }
    }

    fn get(plan: &Plan, bytes: &[u8]) -> Result<Self> {
        let each = plan.parts.iter().flat_map(|part| match part {
            Part::At(_, part) => {
                Some(bytes.chunks_exact(part.bytes.max(1)).map(|it| T::get(part, it)))
            }
            Part::Always(_) | Part::Absent(_) => None,
        });
        let values: Result<Vec<T>> = each.flatten().collect();
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
        Plan::to_write::<T>(dtype).map(drop)
    }

    fn encode(
        &self,
        dtype: &Dtype,
        template: &[u8],
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let plan = Plan::to_write::<T>(dtype)?;
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
/// If their shape is not that of the layout.
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
/// If they are no records, or not such; if reading fails.
pub fn take_records<T: Packed>(item: &Item, widen: bool) -> Result<(Vec<T>, Vec<usize>)> {
    let data = item.data()?;
    let named = |error: Error| error.of_item(item.path());
    let plan = T::plan(data.dtype(), &[], widen).map_err(named)?;
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
pub fn take_record<T: Packed>(item: &Item, widen: bool) -> Result<T> {
    let (mut all, shape) = take_records(item, widen)?;
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
    let stored = match plan.from {
        Some(from) => {
            let mut wide = [C::Stored::default()];
            convert_slice(from, plan.order, bytes, &mut wide, Conversion::Lossless)?;
            wide[0]
        }
        None => {
            let mut own = <C::Stored as Element>::Bytes::default();
            own.as_mut().copy_from_slice(bytes);
            C::Stored::from_bytes(own, plan.order)
        }
    };
    if let Some(cell) = C::load(stored) {
        return Ok(cell);
    }
    let one = C::load_all(ArrayD::from_elem(IxDyn(&[]), stored))?;
    one.into_iter().next().ok_or_else(|| Error::too_large(u64::MAX))
}
