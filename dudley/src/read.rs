//! A stream with its layout: opened, its items found, their elements and values read.
//!
//! A [`Stream`] is bytes with a layout. It gives an [`Item`] for each thing that the layout declares, by its
//! [path]; an item that is an array gives [`Data`], which knows where the elements are and of which [`Dtype`], and
//! reads them. [`listing`] visits all there is, [`select`] follows paths with slices and fields.

pub(crate) mod constant;
pub(crate) mod data;
pub(crate) mod dtype;
pub(crate) mod item;
pub(crate) mod leaves;
pub mod listing;
mod names;
pub(crate) mod native;
pub(crate) mod parts;
pub mod path;
pub(crate) mod presented;
pub mod select;
pub mod slice;
pub(crate) mod stream;

pub use data::{Data, InBlocks, Parts, Recode, Scaling, StoredBlock, Vlen, Words};
pub use dtype::{Dtype, Field, Filtered, Record, primitive_name};
pub use item::{Item, ItemKind};
pub use leaves::Repeated;
pub use names::{Named, Names, ShowsNames};
pub use stream::{
    LONGEST, LeftOver, Open, Stream, StreamKind, Unterminated, appended_text, is_given,
    parse_layout, text_in_file,
};
