//! What of an old layout is what of a new one.

use super::declared::Comparison;
use super::places::{Side, Subject};
use crate::layout::{ArrayId, Layout, ListId, ParamId, RecordId};
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

/// What of the old layout is what of the new one.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    pub(super) arrays: Vec<ArrayPair>,
    pub(super) params: Vec<ParamPair>,
    pub(super) lists: Vec<ListPair>,
    pub(super) records: Vec<RecordPair>,
    pub(super) record_index: HashMap<(RecordId, RecordId), usize>,
    /// By id: the pair.
    pub(super) array_old: Vec<Option<usize>>,
    pub(super) array_new: Vec<Option<usize>>,
    pub(super) list_old: Vec<Option<usize>>,
    pub(super) list_new: Vec<Option<usize>>,
    pub(super) param_old: Vec<Option<usize>>,
    pub(super) param_new: Vec<Option<usize>>,
}

impl<'l> Comparison<'l> {
    /// One of the layouts.
    pub(super) fn layout(&self, side: Side) -> &'l Layout {
        match side {
            Side::Old => self.old,
            Side::New => self.new,
        }
    }

    /// The pair of a param.
    pub(super) fn param_pair(&self, side: Side, id: ParamId) -> Option<usize> {
        match side {
            Side::Old => self.pairs.param_old[id.index()],
            Side::New => self.pairs.param_new[id.index()],
        }
    }

    /// The pair of a list.
    pub(super) fn list_pair(&self, side: Side, id: ListId) -> Option<usize> {
        match side {
            Side::Old => self.pairs.list_old[id.index()],
            Side::New => self.pairs.list_new[id.index()],
        }
    }

    /// The path of a subject in the old layout.
    pub(super) fn path_of(&self, subject: Subject) -> String {
        match subject {
            Subject::Array(at) => self.pairs.arrays[at].path.clone(),
            Subject::Param(at) => self.pairs.params[at].path.clone(),
            Subject::List(at) => self.pairs.lists[at].path.clone(),
            Subject::Member(record, at) => self.pairs.records[record].members[at].path.clone(),
        }
    }

    /// Where a subject stands in both texts.
    pub(super) fn spans_of(&self, subject: Subject) -> (Option<Span>, Option<Span>) {
        let (old, new) = match subject {
            Subject::Array(at) => {
                let pair = &self.pairs.arrays[at];
                (self.old[pair.old].span, self.new[pair.new].span)
            }
            Subject::Param(at) => {
                let pair = &self.pairs.params[at];
                (self.old[pair.old].span, self.new[pair.new].span)
            }
            Subject::List(at) => {
                let pair = &self.pairs.lists[at];
                (self.old[pair.old].span, self.new[pair.new].span)
            }
            Subject::Member(record, at) => self.pairs.records[record].members[at].spans,
        };
        (Some(old), Some(new))
    }
}
