//! How is an array presented that is not stored row by row (spec 7.7)? An argument of the call that makes it.

use dudley_parser::Layout;
use dudley_parser::layout::Array;
use dudley_parser::layout::presented::{Layer, Presented};

use super::python::text;

/// The argument; `None` if it is presented as it is stored.
pub(super) fn argument(layout: &Layout, array: &Array) -> Option<String> {
    if !array.presented {
        return None;
    }
    let arguments = match layout.layers(array) {
        Ok(layers) => layers.iter().map(layer).collect::<Vec<_>>().join(", "),
        Err(misfit) => format!("fault={}", text(&misfit.why)),
    };
    Some(format!("presented=Presented({arguments})"))
}

fn layer(layer: &Layer<'_>) -> String {
    let rank = layer.rank;
    match &layer.presented {
        Presented::Rows => format!("({rank}, \"C\")"),
        Presented::Columns => format!("({rank}, \"F\")"),
        Presented::View(view) => {
            let strides = view.strides.map_or("None".to_owned(), tuple);
            format!("(1, \"view\", {}, {strides}, {})", tuple(view.shape), view.offset)
        }
    }
}

pub(super) fn tuple<T: std::fmt::Display>(numbers: &[T]) -> String {
    match numbers {
        [one] => format!("({one},)"),
        all => format!("({})", all.iter().map(T::to_string).collect::<Vec<_>>().join(", ")),
    }
}
