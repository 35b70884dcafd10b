//! The arrays and single values of a tree or a stream that go to other formats, and to files of numpy.

use std::io::Write;

use asdf_bridge::asdf::{Array, Item, NodeKind};
use dudley::read::select::Stacked;
use dudley::{Data, Value};

use crate::failure::Result;
use crate::nodes::leaves::{EMPTY_DICT, EMPTY_LIST};
use crate::{export, npy};

/// An array, or a value.
pub(crate) enum Leaf {
    /// An array in the tree of a file.
    Array(Box<Array>),
    /// An array of a stream.
    Data(Box<Data>),
    /// A scalar of a tree, or a param.
    Value(Value),
    /// An empty dict or list: its kind.
    Empty(&'static str),
    /// A dict or list that contains itself: its path inside itself.
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

    /// The leaf of an empty node.
    pub(crate) fn empty(item: &Item) -> Leaf {
        Leaf::Empty(match item.node().kind() {
            NodeKind::Sequence => EMPTY_LIST,
            _ => EMPTY_DICT,
        })
    }
}
