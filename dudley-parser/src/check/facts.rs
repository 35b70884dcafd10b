//! Facts about a dtype before it is bound.

use std::rc::Rc;

use crate::names::Symbol;
use crate::span::Span;

/// The alignment of what has no place of its own.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Natural {
    pub(super) bytes: u64,
    /// The `} %n` that asks for it, which packing does not cap (spec 3.11).
    pub(super) asked: Option<Span>,
}

impl Natural {
    /// Of what asks for nothing.
    pub(super) const fn of(bytes: u64) -> Natural {
        Natural { bytes, asked: None }
    }

    /// Where default alignments are capped.
    pub(super) fn capped(self, pack: Option<u64>) -> Natural {
        match (pack, self.asked) {
            (Some(pack), None) => Natural::of(self.bytes.min(pack)),
            _ => self,
        }
    }
}

/// What is known of a dtype wherever it is used.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub(super) align: Natural,
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
