//! Parts, and where they go.

use dudley::Data;
use dudley::read::Dtype;
use dudley_parser::layout::dtype::Primitive;
use dudley_parser::layout::{DocKey, Layout};
use dudley_parser::place;

use super::{Element, Kind, Part};
use crate::failure::Result;

/// The destination of parts: the printer, or a list.
pub(super) type Sink<'s> = dyn FnMut(Part) -> Result<()> + 's;

/// A part with its unit and documentation.
pub(super) fn documented(layout: &Layout, key: DocKey, mut part: Part) -> Part {
    part.unit = layout.unit(key).map(str::to_owned);
    part.doc = layout.doc_without_unit(key).next().map(str::to_owned);
    part
}

/// The part of an array that a filter stores: its bytes are not the bytes of its elements.
pub(super) fn filtered_part(data: &Data, path: &str) -> Part {
    let mut part = Part::new(Kind::Item, data.begin(), data.bytes(), path);
    part.dtype = match data.filter() {
        Some(filter) => format!("{} of {}", filter.name, data.dtype_name()),
        None => data.dtype_name(),
    };
    part.shape = data.shape().to_vec();
    part
}

/// As [`array()`], where its dimensions need not be stored slowest first: with the bytes from one index to the next.
pub(super) fn arranged(
    part: (Kind, String, u64),
    dtype: &Dtype,
    name: String,
    (shape, strides): (&[u64], &[u64]),
) -> Part {
    let (kind, path, address) = part;
    let part = array(kind, path, address, dtype, name, shape);
    Part { order: Order::of(shape, strides, dtype.size().unwrap_or(0)), ..part }
}

/// The index of an element, by its number in the stored order.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    shape: Vec<u64>,
    /// Elements from one index to the next.
    strides: Vec<u64>,
}

impl Order {
    /// `None` if they are stored row by row, as most are.
    pub(super) fn of(shape: &[u64], strides: &[u64], size: u64) -> Option<Order> {
        if size == 0 || strides == place::strides(shape, size) {
            return None;
        }
        let strides = strides.iter().map(|stride| stride / size).collect();
        Some(Order { shape: shape.to_vec(), strides })
    }

    pub(super) fn index(&self, number: u64) -> String {
        let indices = self.shape.iter().zip(&self.strides);
        let indices: Vec<String> = indices
            .map(|(dim, stride)| (number / (*stride).max(1) % (*dim).max(1)).to_string())
            .collect();
        format!("[{}]", indices.join(", "))
    }
}

/// The part of a packed array of primitives.
pub(super) fn array(
    kind: Kind,
    path: String,
    address: u64,
    dtype: &Dtype,
    name: String,
    shape: &[u64],
) -> Part {
    let count = shape.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
    let size = dtype.size().unwrap_or(0);
    let mut part = Part::new(kind, address, count.saturating_mul(size), path);
    part.shape = shape.to_vec();
    part.element = dtype.primitive().map(|(primitive, _)| element(primitive, &name, shape));
    part.dtype = name;
    part
}

fn element(primitive: Primitive, name: &str, shape: &[u64]) -> Element {
    let units = shape.last().copied().unwrap_or(1);
    let text = primitive.is_text();
    let bytes = if text { units.saturating_mul(primitive.size()) } else { primitive.size() };
    Element { dtype: name.to_owned(), bytes, text }
}
