//! All of an array as values, into a sink.

use dudley_parser::layout::RecordId;
use dudley_parser::resolve::Resolver;

use super::Data;
use super::vlen::Referred;
use crate::bytes::source::check;
use crate::elements::scalar::Form;
use crate::elements::value::{Builder, Sink, Value};
use crate::error::Result;
use crate::read::stream::decode::{Instances, Region, emit_array, empty_values, spare, take};

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
    let referred = if form.is_exact() { None } else { Referred::of(data)? };
    match referred {
        Some(mut referred) => emit_stored(data, &mut referred.to(sink), form),
        None => emit_stored(data, sink, form),
    }
}

/// The elements as they are stored.
fn emit_stored(data: &Data, sink: &mut dyn Sink, form: Form) -> Result<()> {
    take(&spare(&data.stream), empty_values(&data.dtype, &data.shape))?;
    let form = form.of(data.stream.layout(), data.doc);
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
