//! The pairs of items of an old and a new layout.

use crate::layout::{ArrayId, ListId, ParamId, RecordId};
use crate::span::Span;
use hashbrown::HashMap;
use std::cell::Cell;

/// A data item or list item of both layouts.
#[derive(Clone, Debug)]
pub(super) struct ArrayPair {
    pub(super) old: ArrayId,
    pub(super) new: ArrayId,
    pub(super) path: String,
    /// Of structs: their pair.
    pub(super) record: Option<usize>,
}

/// A param of both layouts.
#[derive(Clone, Debug)]
pub(super) struct ParamPair {
    pub(super) old: ParamId,
    pub(super) new: ParamId,
    pub(super) path: String,
}

/// A list of both layouts.
#[derive(Clone, Debug)]
pub(super) struct ListPair {
    pub(super) old: ListId,
    pub(super) new: ListId,
    pub(super) path: String,
}

/// Structs of both layouts, where they are the element of an item of both.
#[derive(Debug)]
pub(super) struct RecordPair {
    pub(super) old: RecordId,
    pub(super) new: RecordId,
    /// The members of both, as indices of their runs.
    pub(super) members: Vec<MemberPair>,
    /// All members that take space are pairs, in the same order.
    pub(super) in_order: bool,
    /// Whether they place alike, once that was found out.
    pub(super) same: Cell<Option<bool>>,
}

/// A member of both.
#[derive(Clone, Debug)]
pub(super) struct MemberPair {
    pub(super) old: usize,
    pub(super) new: usize,
    pub(super) path: String,
    pub(super) record: Option<usize>,
    pub(super) spans: (Span, Span),
}

/// An item that is a member of a record in the other layout, where that is presented as items (spec 3.10).
#[derive(Debug)]
pub(super) struct PresentedPair {
    pub(super) old: Presented,
    pub(super) new: Presented,
    pub(super) path: String,
}

/// One of the layouts' side of such a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Presented {
    /// What is placed: the item, or the record.
    pub(super) placed: ArrayId,
    /// What that is or holds: the item, or the member.
    pub(super) array: ArrayId,
    /// Which member of the record it is, as an index of its run.
    pub(super) member: Option<usize>,
}

/// What of the old layout is what of the new one.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    pub(super) arrays: Vec<ArrayPair>,
    pub(super) params: Vec<ParamPair>,
    pub(super) lists: Vec<ListPair>,
    pub(super) records: Vec<RecordPair>,
    pub(super) record_index: HashMap<(RecordId, RecordId), usize>,
    pub(super) presented: Vec<PresentedPair>,
    /// By what is placed in the old and in the new layout: those pairs.
    pub(super) presented_by: [HashMap<ArrayId, Vec<usize>>; 2],
    /// By id: the pair.
    pub(super) array_old: Vec<Option<usize>>,
    pub(super) array_new: Vec<Option<usize>>,
    pub(super) list_old: Vec<Option<usize>>,
    pub(super) list_new: Vec<Option<usize>>,
    pub(super) param_old: Vec<Option<usize>>,
    pub(super) param_new: Vec<Option<usize>>,
}

impl Pairs {
    pub(super) fn present(&mut self, path: String, old: Presented, new: Presented) {
        let number = self.presented.len();
        for (by, one) in self.presented_by.iter_mut().zip([&old, &new]) {
            by.entry(one.placed).or_default().push(number);
        }
        self.presented.push(PresentedPair { old, new, path });
    }
}
