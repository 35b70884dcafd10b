//! The arrays and single values of a tree that go to other formats.

use asdf_bridge::asdf::{Array, Item, NodeKind};
use dudley::{Data, Value};

use crate::nodes::leaves::{EMPTY_DICT, EMPTY_LIST};

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
    /// The leaf of an empty node.
    pub(crate) fn empty(item: &Item) -> Leaf {
        Leaf::Empty(match item.node().kind() {
            NodeKind::Sequence => EMPTY_LIST,
            _ => EMPTY_DICT,
        })
    }
}
