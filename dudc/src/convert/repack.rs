//! All that is in a stream, to be written again.

use std::ops::Range;

use dudley::slice::Index;
use dudley::value::Builder;
use dudley::{ByteOrder, Data, Dtype, Input, Item, ItemKind, Primitive, Result, Stream};

use crate::npy::table::Table;
use crate::stored::{Elements, Stored};
use crate::supply::Values;

/// What the items of a stream are; their elements are read when they are written.
///
/// # Errors
/// What placing an item says, and reading params and structs of variable size.
pub(crate) fn values(stream: &Stream) -> Result<Values> {
    let mut values = Values::default();
    for (param, value) in &stream.given().params {
        values.set_param(stream.layout().param_path(*param), *value);
    }
    add(&stream.root(), &mut values)?;
    Ok(values)
}

fn add(item: &Item, values: &mut Values) -> Result<()> {
    match item.kind() {
        ItemKind::Dict => {
            for param in item.params().iter().filter(|param| param.is_stated()) {
                // In a supply the paths of params have no colon.
                let (dict, name) = dudley::path::split(param.path());
                let path = format!("{dict}/{}", name.trim_start_matches(':'));
                values.set_param(path, param.param_value()?.into());
            }
            item.items()?.try_for_each(|item| add(&item?, values))
        }
        ItemKind::List => item.items()?.try_for_each(|item| add(&item?, values)),
        ItemKind::Data => {
            let data = item.data()?;
            // The writer would put the right ones in their place.
            data.check_constants()?;
            values.set_item(item.path().to_owned(), input(data)?);
            Ok(())
        }
        ItemKind::Param => Ok(()),
    }
}

fn input(data: Data) -> Result<Input<'static>> {
    if data.dtype().primitive().is_some() {
        return Ok(Input::Typed(Box::new(Elements(data))));
    }
    match Table::of_data(&data) {
        Some(table) if matches!(data.dtype(), Dtype::Record(_)) => Ok(Input::Rows(Box::new(table))),
        _ => {
            let mut builder = Builder::default();
            data.emit(&mut builder, true)?;
            Ok(Input::Value(builder.finish()))
        }
    }
}

impl Stored for Data {
    fn shape(&self) -> Vec<u64> {
        self.shape().to_vec()
    }

    fn own(&self) -> Option<(Primitive, ByteOrder)> {
        self.dtype().primitive()
    }

    fn described(&self) -> String {
        self.dtype_name()
    }

    fn has_rows(&self) -> bool {
        self.filter().is_none()
    }

    fn blocks(
        &self,
        rows: Option<Range<u64>>,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let Some(rows) = rows else { return self.for_each_block(sink) };
        let [start, stop] = [rows.start, rows.end].map(|row| Some(row as i64));
        self.slice(&[Index::Range { start, stop, step: 1 }])?.for_each_block(sink)
    }
}
