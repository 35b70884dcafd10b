//! The parts of one item whose elements are of fixed size.

use dudley::Data;
use dudley::read::Dtype;
use dudley_parser::layout::{DocKey, Layout};

use super::amount::Amount;
use super::parts::{Order, Sink, arranged, documented, filtered_part};
use super::{Kind, Part, fixed};
use crate::failure::Result;

/// The parts of an item.
///
/// # Errors
/// If `sink` fails.
pub(super) fn data_parts(
    layout: &Layout,
    path: &str,
    data: &Data,
    doc: DocKey,
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    if data.filter().is_some() {
        return sink(documented(layout, doc, filtered_part(data, path)));
    }
    // An element that a view shows several times, or not at all, is stored once.
    let data = &data.unviewed();
    let size = data.dtype().size().unwrap_or(0);
    let strides: Vec<u64> = data.strides().iter().map(|stride| stride.unsigned_abs()).collect();
    match data.dtype() {
        Dtype::Record(_) if amount.held && !data.shape().is_empty() => {
            let part = Part::new(Kind::Item, data.address(), data.bytes(), path);
            sink(Part { held: Some(Box::new((data.clone(), doc))), ..part })
        }
        Dtype::Record(record) => {
            let heading = Part::new(Kind::Heading, data.address(), 0, path);
            let heading = Part { dtype: "struct".into(), shape: data.shape().to_vec(), ..heading };
            sink(documented(layout, doc, heading))?;
            let order = Order::of(data.shape(), &strides, size);
            let place = (path, data.address());
            fixed::records(layout, place, record, (data.shape(), order.as_ref()), amount, sink)
        }
        dtype => {
            let part = (Kind::Item, path.to_owned(), data.address());
            let part = arranged(part, dtype, data.dtype_name(), (data.shape(), &strides));
            sink(documented(layout, doc, part))
        }
    }
}
