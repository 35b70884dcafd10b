//! Elements: the numbers, texts and values that bytes are.
//!
//! An [`Element`] is a Rust type that stands in streams as it is; others are [converted](Convert). Elements are gathered
//! from regions of a source, or scattered to them, in either byte order. A [`Value`] is an element, or many, of a type
//! that is known only when the program runs; it is built from what is reported to a [`Sink`].

pub(crate) mod borrowed;
pub(crate) mod buffer;
pub(crate) mod cast;
pub(crate) mod convert;
pub(crate) mod element;
pub(crate) mod gather;
pub(crate) mod load;
pub(crate) mod number;
pub(crate) mod recast;
pub(crate) mod record;
pub(crate) mod scalar;
pub(crate) mod scatter;
pub(crate) mod swap;
pub mod text;
pub(crate) mod value;
pub(crate) mod wide;

pub use buffer::{Buffer, zeros};
pub use convert::{Conversion, Convert, convert_slice, lossless};
pub use element::{ByteOrder, Complex, Element, Primitive, f16};
pub use gather::{read_vec, view};
pub use recast::{may_fit, recast};
pub use scatter::{Scatter, WriteAt, scatter};
pub use swap::{HOST, copy_native, swap_in_place};
pub use value::{Builder, Part, Scalar, Sink, Unseen, Value, shown};
