//! Bytes to values of any dtype, element by element, into a sink.
//!
//! Typed code reads whole arrays with [`crate::elements::gather`]; this is for tools, which do not know the
//! types. Structs of variable size are decoded through the resolver, whose params are those of the
//! instance that is being decoded.

use std::cell::Cell;

use dudley_parser::layout::RecordId;
use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use dudley_parser::resolve::{Resolver, Strided};

use super::{Stream, read_bytes};
use crate::bytes::region;
use crate::bytes::source::{self, Source};
use crate::elements::gather::Ahead;
use crate::elements::scalar::{Form, emit_number, emit_units};
use crate::elements::value::{Builder, Scalar, Sink};
use crate::error::{Error, Result};
use crate::read::constant::Stated;
use crate::read::dtype::{Dtype, Field, Record, fields_at, key_of};

/// How many values without any bytes are given out at most, and one for each byte of the stream: `{}[1000000000000]`
/// is legal.
pub(crate) const EMPTY_LIMIT: u64 = 1 << 20;

/// Bytes decoded at a time.
const BLOCK: u64 = 1 << 18;

/// Bytes read at a time of what is strided, such as fields of records.
const AHEAD: u64 = 1 << 20;

/// An array in some bytes.
pub(crate) struct Region<'a> {
    source: &'a dyn Source,
    address: u64,
    shape: &'a [u64],
    strides: &'a [i64],
    /// The source has what is needed in memory.
    is_ahead: bool,
}

pub(crate) fn emit_array(
    stream: &Stream,
    dtype: &Dtype,
    region: &Region<'_>,
    sink: &mut dyn Sink,
    form: Form,
) -> Result<()> {
    emit_dims(stream, dtype, region, 0, region.address, sink, form)
}

/// How many values without bytes an array gives: they are not held back by the size of the stream, so something else
/// must. Of a struct that has bytes, one of each field does not count, nor do structs whose instances differ.
pub(crate) fn empty_values(dtype: &Dtype, shape: &[u64]) -> u64 {
    let count = |dims: &[u64]| dims.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
    if let Some(at) = shape.iter().position(|dim| *dim == 0) {
        return count(&shape[..at]);
    }
    let Dtype::Record(record) = dtype else { return 0 };
    let free = u64::from(record.size > 0);
    let fields = record.fields.iter().map(|it| empty_values(&it.dtype, &it.shape));
    let each = fields.fold(1 - free, |sum, field| sum.saturating_add(field.saturating_sub(free)));
    count(shape).saturating_mul(each)
}

/// How many values without bytes may be given out: what has bytes may well have some without.
pub(crate) fn spare(stream: &Stream) -> Cell<u64> {
    Cell::new(EMPTY_LIMIT.saturating_add(stream.len()))
}

/// Takes this many values from those that may still be given out.
pub(crate) fn take(left: &Cell<u64>, values: u64) -> Result<()> {
    let after = left.get().checked_sub(values).ok_or_else(|| Error::too_large(u64::MAX))?;
    left.set(after);
    Ok(())
}

fn emit_dims(
    stream: &Stream,
    dtype: &Dtype,
    region: &Region<'_>,
    axis: usize,
    address: u64,
    sink: &mut dyn Sink,
    form: Form,
) -> Result<()> {
    let text = matches!(dtype, Dtype::Primitive(primitive, _) if primitive.is_text());
    let rank = region.shape.len();
    if text && axis + 1 >= rank {
        return emit_text(dtype, region, axis, address, sink, form);
    }
    if axis == rank {
        return emit_element(stream, dtype, region.source, address, sink, form);
    }
    let (length, stride) = (region.shape[axis], region.strides[axis]);
    sink.begin_array(length)?;
    match dtype {
        Dtype::Primitive(primitive, order)
            if axis + 1 == rank && stride == primitive.size() as i64 =>
        {
            emit_row(*primitive, *order, region.source, address, length, sink, form)?;
        }
        _ => {
            let together = region.together(dtype, axis);
            let mut index = 0;
            while index < length {
                let count = together.clamp(1, length - index);
                let here = |at: u64| address.wrapping_add_signed(stride.wrapping_mul(at as i64));
                let ahead = region.ahead(dtype, axis, here(index), together.min(count))?;
                let source = ahead.as_ref().map_or(region.source, |ahead| ahead as &dyn Source);
                let region =
                    Region { source, is_ahead: region.is_ahead || ahead.is_some(), ..*region };
                for at in index..index + count {
                    emit_dims(stream, dtype, &region, axis + 1, here(at), sink, form)?;
                }
                index += count;
            }
        }
    }
    sink.end_array()
}

impl<'a> Region<'a> {
    pub(crate) fn new(
        source: &'a dyn Source,
        address: u64,
        shape: &'a [u64],
        strides: &'a [i64],
    ) -> Self {
        Region { source, address, shape, strides, is_ahead: false }
    }

    /// How many indices of a dimension are read together before they are looked at; 0 if they are in
    /// memory, or too large.
    fn together(&self, dtype: &Dtype, axis: usize) -> u64 {
        if self.is_ahead || self.source.bytes().is_some() {
            return 0;
        }
        let inner = self.shape[axis + 1..].iter();
        let bytes = inner.fold(dtype.size().unwrap_or(0), |bytes, dim| bytes.saturating_mul(*dim));
        AHEAD.checked_div(bytes).unwrap_or(0)
    }

    /// This many indices of a dimension from `address` on, read ahead; `None` for none.
    fn ahead(
        &self,
        dtype: &Dtype,
        axis: usize,
        address: u64,
        count: u64,
    ) -> Result<Option<Ahead<'a>>> {
        let Some(size) = dtype.size().filter(|_| count > 0) else { return Ok(None) };
        let mut shape = self.shape[axis..].to_vec();
        shape[0] = count;
        let region = region::Region::new(address, &shape, &self.strides[axis..], size)?;
        Ahead::new(self.source, &region).map(Some)
    }
}

/// Numbers side by side, a block at a time.
fn emit_row(
    primitive: Primitive,
    order: ByteOrder,
    source: &dyn Source,
    address: u64,
    length: u64,
    sink: &mut dyn Sink,
    form: Form,
) -> Result<()> {
    let size = primitive.size();
    let mut at = 0;
    while at < length {
        let count = (length - at).min(BLOCK / size);
        let block = read_bytes(source, address + at * size, count * size)?;
        for element in block.chunks_exact(size as usize) {
            emit_number(primitive, order, element, sink, form)?;
        }
        at += count;
    }
    Ok(())
}

fn emit_element(
    stream: &Stream,
    dtype: &Dtype,
    source: &dyn Source,
    address: u64,
    sink: &mut dyn Sink,
    form: Form,
) -> Result<()> {
    match dtype {
        Dtype::Primitive(primitive, order) => {
            let mut bytes = [0; 16];
            let bytes = &mut bytes[..primitive.size() as usize];
            source.read_at(address, bytes)?;
            emit_number(*primitive, *order, bytes, sink, form)
        }
        Dtype::Record(record) => emit_record(stream, record, source, address, sink, form),
        // The caller decodes these through the resolver.
        Dtype::Variable(_) => Err(Error::Variable { path: Box::default() }),
    }
}

fn emit_record(
    stream: &Stream,
    record: &Record,
    source: &dyn Source,
    address: u64,
    sink: &mut dyn Sink,
    form: Form,
) -> Result<()> {
    let layout = stream.layout();
    if record.fields.iter().all(|field| field.is_fixed(layout)) {
        return sink.scalar(Scalar::Null);
    }
    sink.begin_struct()?;
    for field in record.fields.iter().filter(|field| !field.is_fixed(layout)) {
        sink.field(&key_of(&record.fields, field))?;
        emit_field(stream, field, source, address, sink, form)?;
    }
    sink.end_struct()
}

/// A field of fixed size of the instance at an address.
fn emit_field(
    stream: &Stream,
    field: &Field,
    source: &dyn Source,
    base: u64,
    sink: &mut dyn Sink,
    form: Form,
) -> Result<()> {
    let form = form.of(stream.layout(), Some(field.doc));
    let address = base + field.offset;
    let Strided { shape, strides, first } = field.strided();
    match &field.filter {
        None => {
            let region = Region::new(source, address.saturating_add(first), &shape, &strides);
            emit_array(stream, &field.dtype, &region, sink, form)?;
        }
        Some(_) => {
            let decoded = undo(stream, field, source, address)?;
            let region = Region::new(&decoded, first, &shape, &strides);
            emit_array(stream, &field.dtype, &region, sink, form)?;
        }
    }
    check_field(stream, field, source, address)
}

fn undo(stream: &Stream, field: &Field, source: &dyn Source, address: u64) -> Result<Vec<u8>> {
    let Some(filter) = field.filter.as_ref().filter(|_| field.bytes > 0) else {
        return Ok(Vec::new());
    };
    let stored = read_bytes(source, address + filter.skip, field.bytes - filter.skip)?;
    filter.decode(&stream.inner.filters, address, &stored)
}

/// Instances of a struct, wherever the params around it are in force.
pub(crate) struct Instances<'a> {
    pub(crate) stream: &'a Stream,
    pub(crate) id: RecordId,
    pub(crate) form: Form,
    /// Values without bytes that may still be given out.
    pub(crate) left: &'a Cell<u64>,
}

impl Instances<'_> {
    pub(crate) fn emit(
        &mut self,
        resolver: &mut Resolver<'_>,
        shape: &[u64],
        address: &mut u64,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let Some((length, inner)) = shape.split_first() else {
            self.instance(resolver, *address, sink)?;
            let size = resolver.instance_size(self.id, *address)?;
            // What rounds it up to its alignment is part of it.
            source::check(self.stream.source().len(), *address, size)?;
            *address += size;
            return Ok(());
        };
        sink.begin_array(*length)?;
        for _ in 0..*length {
            let begin = *address;
            self.emit(resolver, inner, address, sink)?;
            if *address == begin {
                take(self.left, 1)?;
            }
        }
        sink.end_array()
    }

    fn instance(
        &mut self,
        resolver: &mut Resolver<'_>,
        address: u64,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let layout = resolver.layout();
        let order = self.stream.order();
        let record = &layout[self.id];
        let fields = fields_at(resolver, self.id, address, order)?;
        let is_empty = fields.iter().all(|field| field.bytes == 0);
        let shown: Vec<&Field> = fields.iter().filter(|field| !field.is_fixed(layout)).collect();
        if record.transparent && !self.form.unfolded {
            let member = shown.iter().find(|field| field.param.is_none());
            return match member {
                Some(field) => self.field(resolver, field, (address, is_empty), sink),
                None => sink.scalar(Scalar::Null),
            };
        }
        if shown.is_empty() {
            return sink.scalar(Scalar::Null);
        }
        sink.begin_struct()?;
        for field in shown {
            sink.field(&key_of(&fields, field))?;
            self.field(resolver, field, (address, is_empty), sink)?;
        }
        sink.end_struct()
    }

    fn field(
        &mut self,
        resolver: &mut Resolver<'_>,
        field: &Field,
        (base, is_empty): (u64, bool),
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let source = self.stream.source();
        let free = u64::from(!is_empty);
        take(self.left, empty_values(&field.dtype, &field.shape).saturating_sub(free))?;
        match field.dtype {
            Dtype::Variable(id) => {
                let mut instances = Instances { id, ..*self };
                let begin = base + field.offset;
                instances.emit(resolver, &field.shape, &mut begin.clone(), sink)?;
                check_varying(self.stream, field, begin, &mut |sink| {
                    instances.emit(resolver, &field.shape, &mut begin.clone(), sink)
                })
            }
            _ => emit_field(self.stream, field, source, base, sink, self.form),
        }
    }
}

/// The units of one string, which may be strided.
fn emit_text(
    dtype: &Dtype,
    region: &Region<'_>,
    axis: usize,
    address: u64,
    sink: &mut dyn Sink,
    form: Form,
) -> Result<()> {
    let Dtype::Primitive(primitive, order) = *dtype else { return Ok(()) };
    let size = primitive.size();
    let (length, stride) = match region.shape.get(axis) {
        Some(length) => (*length, region.strides[axis]),
        None => (1, size as i64),
    };
    let units = if stride == size as i64 {
        let bytes = length.checked_mul(size).ok_or_else(|| Error::too_large(u64::MAX))?;
        read_bytes(region.source, address, bytes)?
    } else {
        let mut units = Vec::new();
        for index in 0..length {
            let here = address.wrapping_add_signed(stride.wrapping_mul(index as i64));
            units.extend(read_bytes(region.source, here, size)?);
        }
        units
    };
    emit_units(primitive, order, &units, sink, form)
}

/// Decodes elements of fixed size without looking at what is said to be constant.
pub(crate) fn emit_plain(
    stream: &Stream,
    dtype: &Dtype,
    source: &dyn Source,
    (address, shape, strides): (u64, &[u64], &[i64]),
    sink: &mut dyn Sink,
) -> Result<()> {
    take(&spare(stream), empty_values(dtype, shape))?;
    let region = Region::new(source, address, shape, strides);
    emit_array(stream, dtype, &region, sink, Form::exact(false))
}

/// Checks a field of one instance.
pub(crate) fn check_field(
    stream: &Stream,
    field: &Field,
    source: &dyn Source,
    address: u64,
) -> Result<()> {
    let Some(stated) = Stated::of_field(stream.layout(), field, 0) else { return Ok(()) };
    let Strided { shape, strides, first } = field.strided();
    let place = (address.saturating_add(first), &shape[..], &strides[..]);
    let compared = compare(stream, &field.dtype, source, place, &stated);
    compared.or_else(|error| stream.inner.constants.wrong(error))
}

/// The same of a field of structs that say their own size, or are the value of one member, which `emit` gives.
pub(crate) fn check_varying(
    stream: &Stream,
    field: &Field,
    address: u64,
    emit: &mut dyn FnMut(&mut dyn Sink) -> Result<()>,
) -> Result<()> {
    let Some(stated) = Stated::of_field(stream.layout(), field, 0) else { return Ok(()) };
    let mut builder = Builder::default();
    emit(&mut builder)?;
    let found = builder.finish();
    if stated.is(&found) {
        Ok(())
    } else {
        stream.inner.constants.wrong(stated.wrong(address, &found))
    }
}

/// Compares what is stored at an address, of a shape and with strides, with what is declared of it.
pub(crate) fn compare(
    stream: &Stream,
    dtype: &Dtype,
    source: &dyn Source,
    place: (u64, &[u64], &[i64]),
    stated: &Stated,
) -> Result<()> {
    let mut builder = Builder::default();
    emit_plain(stream, dtype, source, place, &mut builder)?;
    let found = builder.finish();
    if stated.is(&found) { Ok(()) } else { Err(stated.wrong(place.0, &found)) }
}
