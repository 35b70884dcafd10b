//! The compared pairs of items, by their numbers, in one of the layouts.

/// Which of the layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Old,
    New,
}

/// What both layouts have and place: pairs, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Subject {
    Array(usize),
    Param(usize),
    List(usize),
    /// A member of a pair of structs, by its number there.
    Member(usize, usize),
    /// An item that is a member of a record in the other layout.
    Presented(usize),
}
