//! What is taken of a tree or a stream to other formats: arrays and single values, as files of numpy too.

use std::io::Write;

use asdf_bridge::asdf::{Array, Item, NodeKind};
use dudley::read::select::Stacked;
use dudley::{Data, Value};

use crate::failure::Result;
use crate::nodes::leaves::{EMPTY_DICT, EMPTY_LIST};
use crate::{export, npy};

/// An array, or a value.
pub(crate) enum Leaf {
    /// Of the tree of a file.
    Array(Box<Array>),
    /// Of a stream.
    Data(Box<Data>),
    /// A scalar of a tree, a param.
    Value(Value),
    /// A dict or list with nothing in it: which.
    Empty(&'static str),
    /// A dict or list that stands in itself: its path there.
    Within(String),
}

impl Leaf {
    /// Writes it as `.npy`.
    ///
    /// # Errors
    /// If reading or writing fails; if numpy has no array for it.
    pub(crate) fn write(&self, out: &mut dyn Write) -> Result<()> {
        match self {
            Leaf::Array(array) => Ok(npy::write(&array.data()?.into(), out)?),
            Leaf::Data(data) => Ok(npy::write(&Stacked::from((**data).clone()), out)?),
            Leaf::Value(value) => export::npy_of_values(&|sink| value.emit(sink), None, None, out),
            // Nobody asks for these.
            Leaf::Empty(_) | Leaf::Within(_) => {
                export::npy_of_values(&|sink| Value::Null.emit(sink), None, None, out)
            }
        }
    }

    /// That of a node without anything in it.
    pub(crate) fn empty(item: &Item) -> Leaf {
        Leaf::Empty(match item.node().kind() {
            NodeKind::Sequence => EMPTY_LIST,
            _ => EMPTY_DICT,
        })
    }
}
