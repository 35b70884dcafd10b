//! The parts of one item whose elements are of fixed size.

use dudley::Data;
use dudley::read::Dtype;
use dudley_parser::layout::{DocKey, Layout};

use super::amount::Amount;
use super::parts::{Sink, array, documented, filtered_part};
use super::{Kind, Part, fixed};
use crate::failure::Result;

/// The parts of an item.
///
/// # Errors
/// What `sink` says.
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
    match data.dtype() {
        Dtype::Record(_) if amount.held && !data.shape().is_empty() => {
            let part = Part::new(Kind::Item, data.address(), data.bytes(), path);
            sink(Part { held: Some(Box::new((data.clone(), doc))), ..part })
        }
        Dtype::Record(record) => {
            let heading = Part::new(Kind::Heading, data.address(), 0, path);
            let heading = Part { dtype: "struct".into(), shape: data.shape().to_vec(), ..heading };
            sink(documented(layout, doc, heading))?;
            let place = (path, data.address());
            fixed::records(layout, place, record, data.shape(), amount, sink)
        }
        dtype => {
            let (name, address) = (data.dtype_name(), data.address());
            let part = array(Kind::Item, path.to_owned(), address, dtype, name, data.shape());
            sink(documented(layout, doc, part))
        }
    }
}
