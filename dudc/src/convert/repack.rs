//! All that is in a stream, to be written again.

use dudley::input::Typed;
use dudley::value::Builder;
use dudley::{ByteOrder, Data, Dtype, Error, Input, Item, ItemKind, Primitive, Result, Stream};

use crate::npy::{swapped, table::Table};
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
            values.set_item(item.path().to_owned(), input(item.data()?)?);
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

/// The elements of an array in another byte order.
struct Elements(Data);

impl Typed for Elements {
    fn shape(&self) -> Vec<u64> {
        self.0.shape().to_vec()
    }

    fn check(&self, primitive: Primitive) -> Result<()> {
        match self.0.dtype().primitive() {
            Some((own, _)) if own == primitive => Ok(()),
            _ => Err(Error::WrongValue {
                item: Default::default(),
                expected: format!("elements of `{}`", primitive.name()).into(),
                found: self.0.dtype_name().into(),
            }),
        }
    }

    fn encode(
        &self,
        primitive: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let same = self.0.dtype().primitive().is_some_and(|(_, own)| own == order);
        let unit = if same { 1 } else { primitive.swap_unit() as usize };
        self.0.for_each_block(&mut |bytes| sink(&swapped(bytes, unit)?))
    }
}
