//! What is known of a dtype before it is bound.

use std::rc::Rc;

use crate::names::Symbol;
use crate::span::Span;

/// What is known of a dtype wherever it is used.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Natural alignment in bytes.
    pub(super) align: u64,
    /// It stands for its one member, which has this many dimensions.
    pub(super) typedef: bool,
    pub(super) rank: usize,
    /// It is text, or a typedef of text.
    pub(super) text: bool,
    /// Instances differ in size.
    pub(super) variable: bool,
    /// Sizes or places inside must be found for each instance anew.
    pub(super) per_instance: bool,
    /// A typedef that is laid out as a struct all the same.
    pub(super) transparent: bool,
    /// Names that are not declared inside.
    pub(super) free: Rc<Vec<(Symbol, Span)>>,
    /// How deep types hold types.
    pub(super) depth: u32,
    /// How many members it unfolds into.
    pub(super) unfolded: u64,
    /// The greatest default alignment inside, if one is declared.
    pub(super) pack: Option<u64>,
    /// It has an error.
    pub(super) poisoned: bool,
}
