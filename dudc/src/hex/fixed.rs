//! Structs of fixed size: each instance that is shown, field by field.

use dudley::read::listing::Spliced;
use dudley::read::path::split;
use dudley::read::{Dtype, Field, Record, primitive_name};
use dudley_parser::layout::Layout;
use dudley_parser::layout::path::push_field;

use super::amount::Amount;
use super::parts::{Order, Sink, arranged, documented};
use super::{Kind, LeftOut, Part};
use crate::failure::Result;

/// Structs that lie one behind the other.
pub(super) struct Records<'r> {
    pub(super) path: &'r str,
    pub(super) address: u64,
    /// Bytes of one.
    pub(super) size: u64,
    pub(super) shape: &'r [u64],
    /// The index of each element, if they are not stored row by row.
    pub(super) order: Option<&'r Order>,
}

impl Records<'_> {
    /// The path, or address, of one of them by its number.
    fn at(&self, number: u64) -> (String, u64) {
        let index = match self.order {
            _ if self.shape.is_empty() => String::new(),
            Some(order) => order.index(number),
            None => super::lines::index(self.shape, number),
        };
        let path = format!("{}{index}", self.path);
        (path, self.address.saturating_add(number.saturating_mul(self.size)))
    }

    /// Behind the last one, with the padding at its end.
    fn end(&self) -> u64 {
        let count = self.shape.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
        self.address.saturating_add(count.saturating_mul(self.size))
    }

    /// Calls for those that are shown, and says how many are not.
    fn each(
        &self,
        amount: Amount,
        sink: &mut Sink<'_>,
        show: &mut dyn FnMut(u64, &mut Sink<'_>) -> Result<()>,
    ) -> Result<()> {
        let count = self.shape.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
        let shown = amount.shown(count, self.address, self.size);
        let left_out = |first: u64, count: u64, sink: &mut Sink<'_>| match count {
            0 => Ok(()),
            count => {
                let (path, address) = (self.path.to_owned(), self.at(first).1);
                let there = amount.length.saturating_sub(address);
                let bytes = count.saturating_mul(self.size).min(there);
                let part = Part::left_out(LeftOut::Instances { path, count });
                // Without bytes there is nothing to omit.
                if bytes > 0 { sink(Part { address, bytes, ..part }) } else { Ok(()) }
            }
        };
        left_out(0, shown.head.start, sink)?;
        for number in shown.head.clone() {
            show(number, sink)?;
        }
        left_out(shown.head.end, count - shown.head.end - u64::from(shown.last), sink)?;
        if shown.last { show(count - 1, sink) } else { Ok(()) }
    }
}

/// Instances of a struct.
///
/// # Errors
/// If `sink` fails.
pub(super) fn records(
    layout: &Layout,
    (path, address): (&str, u64),
    record: &Record,
    (shape, order): (&[u64], Option<&Order>),
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    let all = Records { path, address, size: record.size, shape, order };
    all.each(amount, sink, &mut |number, sink| {
        let (name, at) = all.at(number);
        in_order(&record.fields).try_for_each(|field| {
            one(layout, (field_path(&name, &field.name), at), field, amount, sink)
        })
    })?;
    sink(Part::new(Kind::Padding, all.end(), 0, path))
}

/// The path of a field; a name that is no identifier is quoted.
pub(super) fn field_path(path: &str, name: &str) -> String {
    let mut text = path.to_owned();
    push_field(&mut text, name);
    text
}

/// Fields by address, which may differ from the order of the text.
fn in_order(fields: &[Field]) -> impl Iterator<Item = &Field> {
    let mut fields: Vec<&Field> = fields.iter().collect();
    fields.sort_by_key(|field| field.offset);
    fields.into_iter()
}

/// A field of the instance at `base`.
///
/// # Errors
/// If `sink` fails.
pub(super) fn one(
    layout: &Layout,
    (path, base): (String, u64),
    field: &Field,
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    if field.is_fixed(layout) {
        return Ok(());
    }
    let at = base.saturating_add(field.offset);
    let (shape, strides) = field.stored_dims();
    match (&field.dtype, &field.filter) {
        (Dtype::Record(inner), None) => {
            let order = Order::of(&shape, &strides, inner.size);
            records(layout, (&path, at), inner, (&shape, order.as_ref()), amount, sink)
        }
        (Dtype::Primitive(primitive, order), None) => {
            let name = primitive_name(*primitive, *order);
            let part = (Kind::Field, path, at);
            let part = arranged(part, &field.dtype, name, (&shape, &strides));
            sink(documented(layout, field.doc, part))
        }
        _ => {
            let part = Part::new(Kind::Field, at, field.bytes, path);
            sink(documented(layout, field.doc, part))
        }
    }
}

/// A record that is presented as items of its dict: its members come one by one, as fields with the paths of
/// items for their names.
///
/// # Errors
/// If `sink` fails.
pub(super) fn spliced(
    layout: &Layout,
    around: &Spliced,
    members: &[Field],
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    let path = split(&around.path).0;
    let (address, size, shape) = (around.address, around.size, &around.shape[..]);
    let strides: Vec<u64> = around.strides.iter().map(|stride| stride.unsigned_abs()).collect();
    let order = Order::of(shape, &strides, size);
    let all = Records { path, address, size, shape, order: order.as_ref() };
    all.each(amount, sink, &mut |number, sink| {
        let at = all.at(number).1;
        in_order(members).try_for_each(|field| {
            let path = Records { path: &field.name, ..all }.at(number).0;
            one(layout, (path, at), field, amount, sink)
        })
    })
}
