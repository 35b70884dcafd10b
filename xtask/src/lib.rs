//! The chores that tests check, too.

pub mod grammar;
