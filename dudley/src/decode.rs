//! Bytes to values of any dtype, element by element, into a sink.
//!
//! Typed code reads whole arrays with [`crate::gather`]; this is for tools, which do not know the
//! types. Structs of variable size are decoded through the resolver, whose params are those of the
//! instance that is being decoded.

mod some;

use std::cell::Cell;

use dudley_parser::comments::Attribute;
use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};
use dudley_parser::layout::{Array, DocKey, Layout, RecordId};
use dudley_parser::resolve::Resolver;

use crate::data::Data;
use crate::dtype::{Dtype, Field, Record, fields_at, filtered, key_of, of_array};
use crate::error::{Error, Result, to_usize};
use crate::gather::Ahead;
use crate::number;
use crate::source::{Source, check};
use crate::stream::{Stream, read_bytes};
use crate::strided;
use crate::text;
use crate::value::{Builder, Part, Scalar, Sink, Value};
pub(crate) use some::Elements;

/// How many values without any bytes are given out at most, and one for each byte of the stream: `{}[1000000000000]`
/// is legal.
pub(crate) const EMPTY_LIMIT: u64 = 1 << 20;

/// Bytes decoded at a time.
const BLOCK: u64 = 1 << 18;

/// Bytes read at a time of what is strided, such as fields of records.
const AHEAD: u64 = 1 << 20;

/// How strings are put together and numbers given.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// Numbers that their plain form would not give back bit by bit are given as bits.
    numbers: bool,
    /// How text is given whose string would not.
    text: Inexact,
    /// What is shown as its one member is given as the struct that it is.
    unfolded: bool,
    /// Which integers are given as null.
    missing: Missing,
}

/// Which integers are given as null: those that are no time (numpy's NaT) where the attribute `numpy` says that they
/// are times.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    /// None.
    Never,
    /// Those of times; what is decoded is something else.
    OfTimes,
    /// Those of what is decoded, which is times.
    Here,
}

/// How text is given that its string does not give back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inexact {
    /// As its string.
    Decoded,
    /// As the bits of its units.
    Bits,
    /// As both, in an array: who takes it knows which it can hold.
    Both,
}

impl Form {
    /// Everything exact, or nothing.
    pub(crate) const fn exact(exact: bool) -> Form {
        let text = if exact { Inexact::Bits } else { Inexact::Decoded };
        Form { numbers: exact, text, unfolded: false, missing: Missing::Never }
    }

    /// For people and for programs that know no times: null stands for those that are none.
    pub(crate) const SHOWN: Form = Form { missing: Missing::OfTimes, ..Form::exact(false) };

    /// Everything exact, or as it is shown.
    pub(crate) const fn shown(exact: bool) -> Form {
        if exact { Form::exact(true) } else { Form::SHOWN }
    }

    /// With all members that structs have.
    pub(crate) const UNFOLDED: Form = Form { unfolded: true, ..Form::exact(false) };

    /// The same for comparisons, in which texts of different units are different.
    pub(crate) const COMPARED: Form =
        Form { text: Inexact::Bits, missing: Missing::OfTimes, ..Form::UNFOLDED };

    /// For types that hold numbers as they are, and text as strings or as units.
    pub(crate) const TYPED: Form = Form { text: Inexact::Both, ..Form::exact(true) };

    /// The same for what has this documentation.
    fn of(self, stream: &Stream, doc: Option<DocKey>) -> Form {
        let missing = match self.missing {
            Missing::Never => return self,
            _ if doc.is_some_and(|doc| is_time(stream.layout(), doc)) => Missing::Here,
            _ => Missing::OfTimes,
        };
        Form { missing, ..self }
    }
}

/// What numpy stores for a time that is none.
pub(crate) const NO_TIME: i64 = i64::MIN;

/// Whether what has this documentation is times, as its attribute `numpy` says.
fn is_time(layout: &Layout, doc: DocKey) -> bool {
    time(layout, doc).is_some()
}

/// What times are, with their unit, that have this documentation: `M8[ns]`, `m8[s]`, as its attribute `numpy` says.
pub(crate) fn time(layout: &Layout, doc: DocKey) -> Option<&str> {
    let meant = layout.attribute(doc, "numpy").and_then(Attribute::text);
    meant.filter(|meant| meant.starts_with("M8") || meant.starts_with("m8"))
}

/// An array in some bytes.
struct Region<'a> {
    source: &'a dyn Source,
    address: u64,
    shape: &'a [u64],
    strides: &'a [i64],
    /// The source has what is needed in memory.
    is_ahead: bool,
}

/// Decodes all of an array.
pub(crate) fn emit(data: &Data, sink: &mut dyn Sink, form: Form) -> Result<()> {
    if data.variable_record().is_some() {
        return data.stream.with_resolver(|resolver| {
            if let Some(node) = &data.node {
                resolver.place(node)?;
            }
            emit_here(resolver, data, sink, form)
        });
    }
    emit_fixed(data, sink, form)
}

/// Decodes all of an array while the params around it are in force.
pub(crate) fn emit_here(
    resolver: &mut Resolver<'_>,
    data: &Data,
    sink: &mut dyn Sink,
    form: Form,
) -> Result<()> {
    match data.variable_record() {
        Some(id) => {
            let mut address = data.address;
            let left = spare(&data.stream);
            let mut instances = Instances { stream: &data.stream, id, form, left: &left };
            instances.emit(resolver, &data.shape, &mut address, sink)?;
            data.check_variable(resolver)
        }
        None => emit_fixed(data, sink, form),
    }
}

/// The value of structs that differ in size, while the params around them are in force; nothing is compared.
pub(crate) fn value_here(resolver: &mut Resolver<'_>, data: &Data, id: RecordId) -> Result<Value> {
    let (mut builder, mut address) = (Builder::default(), data.address);
    let left = spare(&data.stream);
    let form = Form::exact(false);
    let mut instances = Instances { stream: &data.stream, id, form, left: &left };
    instances.emit(resolver, &data.shape, &mut address, &mut builder)?;
    Ok(builder.finish())
}

fn emit_fixed(data: &Data, sink: &mut dyn Sink, form: Form) -> Result<()> {
    take(&spare(&data.stream), empty_values(&data.dtype, &data.shape))?;
    let form = form.of(&data.stream, data.doc);
    let data = data.decoded()?;
    data.with_source(|source| {
        let span = data.region()?.span();
        if !data.is_empty() && span.end > span.start {
            check(source.len(), span.start, span.end - span.start)?;
        }
        let region = Region::new(source, data.address, &data.shape, &data.strides);
        emit_array(&data.stream, &data.dtype, &region, sink, form)
    })?;
    data.check_constant()
}

fn emit_array(
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
fn empty_values(dtype: &Dtype, shape: &[u64]) -> u64 {
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
fn spare(stream: &Stream) -> Cell<u64> {
    Cell::new(EMPTY_LIMIT.saturating_add(stream.len()))
}

/// Takes so many values from those that may still be given out.
fn take(left: &Cell<u64>, values: u64) -> Result<()> {
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
    fn new(source: &'a dyn Source, address: u64, shape: &'a [u64], strides: &'a [i64]) -> Self {
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

    /// So many indices of a dimension from `address` on, read ahead; none for none.
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
        let region = strided::Region::new(address, &shape, &self.strides[axis..], size)?;
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
    let form = form.of(stream, Some(field.doc));
    let address = base + field.offset;
    let strides = strides(&field.shape, field.dtype.size().unwrap_or(0));
    let region = Region::new(source, address, &field.shape, &strides);
    match &field.filter {
        None => emit_array(stream, &field.dtype, &region, sink, form)?,
        Some(_) => {
            let decoded = undo(stream, field, source, address)?;
            let region = Region::new(&decoded, 0, &field.shape, &strides);
            emit_array(stream, &field.dtype, &region, sink, form)?;
        }
    }
    crate::constant::check_field(stream, field, source, address)
}

fn undo(stream: &Stream, field: &Field, source: &dyn Source, address: u64) -> Result<Vec<u8>> {
    let Some(filter) = field.filter.as_ref().filter(|_| field.bytes > 0) else {
        return Ok(Vec::new());
    };
    let known = stream.inner.filters.get(&filter.name);
    let known = known.ok_or_else(|| Error::unknown_filter(&filter.name))?;
    let stored = read_bytes(source, address + filter.skip, field.bytes - filter.skip)?;
    known
        .decode(&filter.args, &stored, filter.raw_bytes)
        .map_err(|reason| Error::filter(address, &filter.name, reason))
}

pub(crate) fn strides(shape: &[u64], size: u64) -> Vec<i64> {
    let strides = dudley_parser::place::strides(shape, size);
    strides.into_iter().map(|stride| stride as i64).collect()
}

/// Instances of a struct, wherever the params around it are in force.
struct Instances<'a> {
    stream: &'a Stream,
    id: RecordId,
    form: Form,
    /// Values without bytes that may still be given out.
    left: &'a Cell<u64>,
}

impl Instances<'_> {
    fn emit(
        &mut self,
        resolver: &mut Resolver<'_>,
        shape: &[u64],
        address: &mut u64,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let Some((length, inner)) = shape.split_first() else {
            self.instance(resolver, *address, sink)?;
            *address += resolver.instance_size(self.id, *address)?;
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
                crate::constant::check_varying(self.stream, field, begin, &mut |sink| {
                    instances.emit(resolver, &field.shape, &mut begin.clone(), sink)
                })
            }
            _ => emit_field(self.stream, field, source, base, sink, self.form),
        }
    }
}

/// One number, boolean or address.
fn emit_number(
    primitive: Primitive,
    order: ByteOrder,
    bytes: &[u8],
    sink: &mut dyn Sink,
    form: Form,
) -> Result<()> {
    match primitive.kind() {
        Kind::Signed if form.missing == Missing::Here && primitive == Primitive::I8 => {
            match number::integer(bytes, primitive, order) {
                value if value == i128::from(NO_TIME) => sink.missing(),
                value => sink.scalar(Scalar::Int(value)),
            }
        }
        Kind::Signed | Kind::Unsigned | Kind::Pointer => {
            sink.scalar(Scalar::Int(number::integer(bytes, primitive, order)))
        }
        Kind::Bool if form.numbers && bytes[0] > 1 => sink.scalar(Scalar::Bits(bytes)),
        Kind::Bool => sink.scalar(Scalar::Bool(bytes[0] != 0)),
        Kind::Float => {
            let mut bits = [0; 8];
            sink.scalar(match part(bytes, order, form, &mut bits) {
                Part::Float(value, size) => Scalar::Float(value, size),
                Part::Bits(bits) => Scalar::Bits(bits),
            })
        }
        Kind::Complex => {
            let (re, im) = bytes.split_at(bytes.len() / 2);
            let (mut a, mut b) = ([0; 8], [0; 8]);
            let parts = (part(re, order, form, &mut a), part(im, order, form, &mut b));
            sink.scalar(Scalar::Complex(parts.0, parts.1))
        }
        // A unit of text without a dimension left is a string of one (spec 3.2).
        Kind::Text => emit_units(primitive, order, bytes, sink, form),
    }
}

/// A float, or its bits if it is a NaN that is not the usual one.
fn part<'b>(bytes: &[u8], order: ByteOrder, form: Form, room: &'b mut [u8; 8]) -> Part<'b> {
    let value = number::float(bytes, order);
    let bits = number::bits(bytes, order);
    if form.numbers && value.is_nan() && bits != number::float_bits(f64::NAN, bytes.len() as u64) {
        let room = &mut room[..bytes.len()];
        number::put_bits(bits, ByteOrder::Big, room);
        return Part::Bits(room);
    }
    Part::Float(value, bytes.len() as u64)
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

fn emit_units(
    primitive: Primitive,
    order: ByteOrder,
    units: &[u8],
    sink: &mut dyn Sink,
    form: Form,
) -> Result<()> {
    if form.text == Inexact::Decoded || text::is_exact(units, primitive, order) {
        return sink.scalar(Scalar::Text(&text::decode(units, primitive, order)?));
    }
    let size = primitive.size() as usize;
    let mut bits = vec![0; units.len()];
    for (unit, room) in units.chunks_exact(size).zip(bits.chunks_exact_mut(size)) {
        number::put_bits(number::bits(unit, order), ByteOrder::Big, room);
    }
    if form.text == Inexact::Bits {
        return sink.scalar(Scalar::Bits(&bits));
    }
    sink.begin_array(2)?;
    sink.scalar(Scalar::Text(&text::decode(units, primitive, order)?))?;
    sink.scalar(Scalar::Bits(&bits))?;
    sink.end_array()
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

/// The elements in bytes that lie side by side, one after the other; those of text have so many units.
pub(crate) fn elements_in(
    primitive: Primitive,
    order: ByteOrder,
    units: Option<u64>,
    bytes: &[u8],
) -> Result<Vec<Value>> {
    let size = to_usize(primitive.size().saturating_mul(units.unwrap_or(1)))?;
    let elements = bytes.chunks_exact(size.max(1)).map(|element| {
        let (mut builder, form) = (Builder::default(), Form::exact(false));
        match units {
            Some(_) => emit_units(primitive, order, element, &mut builder, form)?,
            None => emit_number(primitive, order, element, &mut builder, form)?,
        }
        Ok(builder.finish())
    });
    elements.collect()
}

/// The dtype and filter of an array where the resolver stands.
pub(crate) fn describe(
    resolver: &mut Resolver<'_>,
    id: dudley_parser::layout::ArrayId,
    order: ByteOrder,
) -> Result<(Dtype, Vec<u64>, Option<crate::dtype::Filtered>)> {
    let array: &Array = &resolver.layout()[id];
    let shape = resolver.shape(array)?;
    Ok((of_array(resolver, array, order)?, shape, filtered(resolver, id)?))
}
