//! Structs of arrays that are written as records of a layout: each field to where it belongs.
//!
//! Fields are known by their names; they must be of the same types and shapes, but places and byte
//! orders may differ.

use dudley_parser::layout::Layout;
use dudley_parser::layout::dtype::{ByteOrder, Primitive};

use super::array_source::ArraySource;
use super::descr::{self, Descr};
use super::primitive_of;
use crate::encode::covered::Covered;
use crate::encode::input::Rows;
use crate::error::{Error, Item, Result};
use crate::read::dtype::{Dtype, Record};

/// Records put together at a time, in bytes.
const BLOCK: usize = 256 << 10;

/// Fields of structs in structs that are copied one by one.
const MOST: usize = 1 << 20;

/// Structs with their fields.
pub struct Table {
    source: ArraySource,
    fields: Vec<Field>,
    size: u64,
    shape: Vec<u64>,
}

/// A field.
struct Field {
    name: String,
    offset: u64,
    of: Of,
    /// Elements, or structs, side by side.
    shape: Vec<u64>,
}

/// The parts of a field.
enum Of {
    Primitive(Primitive, ByteOrder),
    Struct(Vec<Field>, u64),
}

impl Table {
    /// The structs of an array.
    pub fn new(source: ArraySource) -> Table {
        let (fields, size) = match &source {
            ArraySource::Npy(npy) => match &npy.descr {
                Descr::Struct(fields, size) => (fields_of_descr(fields), *size),
                Descr::Plain { .. } => (Vec::new(), 0),
            },
            ArraySource::Data(data) => match data.first().dtype() {
                Dtype::Record(record) => (fields_of(data.first().layout(), record), record.size),
                Dtype::Primitive(..) | Dtype::Variable(_) => (Vec::new(), 0),
            },
        };
        Table { shape: source.shape().to_vec(), source, fields, size }
    }
}

/// The fields of a struct of a layout.
fn fields_of(layout: &Layout, record: &Record) -> Vec<Field> {
    let stored = record.fields.iter().filter(|field| !field.is_fixed(layout));
    let of = |field: &crate::read::dtype::Field| {
        // Its bytes are not in the order of its elements.
        field.check_rows().ok()?;
        let of = match &field.dtype {
            Dtype::Primitive(primitive, order) => Of::Primitive(*primitive, *order),
            Dtype::Record(record) => Of::Struct(fields_of(layout, record), record.size),
            Dtype::Variable(_) => return None,
        };
        Some(Field {
            name: field.name.clone(),
            offset: field.offset,
            of,
            shape: field.shape.clone(),
        })
    };
    stored.filter_map(of).collect()
}

fn fields_of_descr(fields: &[descr::Field]) -> Vec<Field> {
    let of = |field: &descr::Field| {
        let mut shape = field.shape.clone();
        let of = match &field.descr {
            Descr::Struct(fields, size) => Of::Struct(fields_of_descr(fields), *size),
            Descr::Plain { kind, size, order, .. } => {
                let primitive = primitive_of(*kind, *size)?;
                // Characters, and bytes without a meaning, are a dimension.
                if matches!(kind, 'U' | 'S' | 'V') {
                    shape.push(*size);
                }
                Of::Primitive(primitive, *order)
            }
        };
        Some(Field { name: field.name.clone(), offset: field.offset, of, shape })
    };
    // A type that is not known is a field that is missing.
    fields.iter().filter_map(of).collect()
}

/// Bytes that are copied from a struct into a record, with units of this many bytes reversed.
#[derive(Debug)]
struct Copy {
    from: usize,
    to: usize,
    bytes: usize,
    unit: usize,
}

/// The copies for each field of a record.
///
/// # Errors
/// [`Error::WrongValue`] with the field that is missing or of another type or shape.
fn plan(
    fields: &[Field],
    record: &Record,
    (from, to): (u64, u64),
    path: &str,
    copies: &mut Vec<Copy>,
) -> Result<()> {
    let stored = record.fields.iter().filter(|field| field.bytes > 0 || field.param.is_none());
    let wanted: Vec<_> = stored.collect();
    for field in fields {
        if !wanted.iter().any(|wanted| wanted.name == field.name) {
            return Err(wrong("no such field", format!("`{path}{}` in the data", field.name)));
        }
    }
    for wanted in wanted {
        wanted.check_rows()?;
        let name = format!("{path}{}", wanted.name);
        let field = fields.iter().find(|field| field.name == wanted.name);
        let field = field.ok_or_else(|| wrong(format!("a field `{name}`"), "none of the name"))?;
        if field.shape != wanted.shape && !is_one_unit(field, wanted) {
            let expected = format!("shape {:?} of `{name}`", wanted.shape);
            return Err(wrong(expected, format!("{:?}", field.shape)));
        }
        let (from, to) = (from + field.offset, to + wanted.offset);
        let count = wanted.shape.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
        match (&field.of, &wanted.dtype) {
            (Of::Primitive(own, order), Dtype::Primitive(primitive, its)) => {
                let same_bits =
                    own == primitive || (primitive.is_text() && own.size() == primitive.size());
                if !same_bits {
                    let expected = format!("`{}` for `{name}`", primitive.name());
                    return Err(wrong(expected, format!("`{}`", own.name())));
                }
                let unit = if order == its { 1 } else { primitive.swap_unit() };
                let bytes = count.saturating_mul(primitive.size());
                copies.push(copy(from, to, bytes, unit)?);
            }
            (Of::Struct(fields, size), Dtype::Record(inner)) => {
                for at in 0..count {
                    if copies.len() > MOST {
                        let expected = format!("at most {MOST} fields in a struct");
                        return Err(wrong(expected, "more of them"));
                    }
                    let places = (from + at * size, to + at * inner.size);
                    plan(fields, inner, places, &format!("{name}."), copies)?;
                }
            }
            _ => return Err(wrong(format!("another type of `{name}`"), "a struct, or none")),
        }
    }
    Ok(())
}

/// A text of a struct whose last dimension is left out is one of one unit.
fn is_one_unit(field: &Field, wanted: &crate::read::dtype::Field) -> bool {
    let text = wanted.dtype.primitive().is_some_and(|(primitive, _)| primitive.is_text());
    text && wanted.shape.is_empty() && field.shape == [1]
}

fn copy(from: u64, to: u64, bytes: u64, unit: u64) -> Result<Copy> {
    let index = |number: u64| {
        usize::try_from(number)
            .map_err(|_| wrong("a struct that fits in memory", number.to_string()))
    };
    Ok(Copy { from: index(from)?, to: index(to)?, bytes: index(bytes)?, unit: index(unit)? })
}

fn wrong(expected: impl Into<Box<str>>, found: impl Into<Box<str>>) -> Error {
    Error::WrongValue { item: Item::UNKNOWN, expected: expected.into(), found: found.into() }
}

impl Table {
    fn plan(&self, dtype: &Dtype) -> Result<Vec<Copy>> {
        let Dtype::Record(record) = dtype else {
            return Err(wrong("an array that fits the item", "one of structs"));
        };
        let mut copies = Vec::new();
        plan(&self.fields, record, (0, 0), "", &mut copies)?;
        Ok(copies)
    }
}

impl Rows for Table {
    fn shape(&self) -> Vec<u64> {
        self.shape.clone()
    }

    fn check(&self, dtype: &Dtype) -> Result<()> {
        // Where there are no structs, no field need fit.
        if self.shape.contains(&0) { Ok(()) } else { self.plan(dtype).map(drop) }
    }

    fn encode(
        &self,
        dtype: &Dtype,
        template: &[u8],
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        if self.shape.contains(&0) {
            return Ok(());
        }
        let copies = self.plan(dtype)?;
        let overlap = Covered::overlap(copies.iter().map(|copy| copy.to..copy.to + copy.bytes));
        let size = (self.size as usize).max(1);
        let mut records = Vec::new();
        // A struct that is cut continues with the next block.
        let mut rest: Vec<u8> = Vec::new();
        self.source.blocks(None, &mut |mut block| {
            if !rest.is_empty() {
                let missing = (size - rest.len()).min(block.len());
                rest.extend_from_slice(&block[..missing]);
                block = &block[missing..];
                if rest.len() == size {
                    put(&rest, (&copies, overlap), template, &mut records)?;
                    rest.clear();
                }
            }
            let structs = block.chunks_exact(size);
            rest.extend_from_slice(structs.remainder());
            for one in structs {
                put(one, (&copies, overlap), template, &mut records)?;
                if records.len() >= BLOCK {
                    sink(&records)?;
                    records.clear();
                }
            }
            Ok(())
        })?;
        if records.is_empty() { Ok(()) } else { sink(&records) }
    }
}

/// Adds one record; what is copied into it may overlap.
fn put(
    from: &[u8],
    (copies, overlap): (&[Copy], bool),
    template: &[u8],
    records: &mut Vec<u8>,
) -> Result<()> {
    let begin = records.len();
    records.extend_from_slice(template);
    let record = &mut records[begin..];
    let mut covered = Covered::default();
    for copy in copies {
        let (Some(from), Some(to)) = (
            from.get(copy.from..copy.from + copy.bytes),
            record.get_mut(copy.to..copy.to + copy.bytes),
        ) else {
            return Err(wrong(
                "a struct with all its fields",
                format!("one of {} bytes", from.len()),
            ));
        };
        if overlap {
            let mut bytes = from.to_vec();
            swap(&mut bytes, copy.unit)?;
            covered.put(record, copy.to, &bytes)?;
        } else {
            to.copy_from_slice(from);
            swap(to, copy.unit)?;
        }
    }
    Ok(())
}

fn swap(bytes: &mut [u8], unit: usize) -> Result<()> {
    if unit > 1 { crate::elements::swap_in_place(bytes, unit) } else { Ok(()) }
}
