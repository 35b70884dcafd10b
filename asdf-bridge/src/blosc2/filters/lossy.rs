//! Filters that lose something: the numbers that they are for.
//!
//! The format does not say what elements are, so c-blosc2 applies them to whatever has the size, and others
//! become something else.

use std::fmt;

use dudley::{ByteOrder, Primitive};

use super::Filter;

/// Little-endian numbers, which a filter makes simpler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    Floats,
    Whole,
}

impl Numbers {
    /// What elements are; `None` for others, and for those that are big-endian.
    pub(crate) fn of(primitive: Primitive, order: ByteOrder) -> Option<Numbers> {
        if order != ByteOrder::Little && primitive.size() > 1 {
            return None;
        }
        match primitive {
            Primitive::F2 | Primitive::F4 | Primitive::F8 => Some(Numbers::Floats),
            Primitive::I1 | Primitive::I2 | Primitive::I4 | Primitive::I8 => Some(Numbers::Whole),
            Primitive::U1 | Primitive::U2 | Primitive::U4 | Primitive::U8 => Some(Numbers::Whole),
            _ => None,
        }
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Numbers::Floats => "little-endian floats",
            Numbers::Whole => "little-endian whole numbers",
        })
    }
}

impl Filter {
    /// The numbers that it makes simpler; `None` for one that loses nothing.
    pub(crate) fn simplifies(self) -> Option<Numbers> {
        match self {
            Filter::TruncPrec(_) | Filter::NdMean(_) => Some(Numbers::Floats),
            Filter::IntTrunc(_) => Some(Numbers::Whole),
            _ => None,
        }
    }
}
