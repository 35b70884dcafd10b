//! Conditions on members: `time > 1e-9 and IMAX in (256, 512)`.
//!
//! A text is parsed into a tree whose types are known (`parse`), which is then asked for each
//! member (`eval`), without taking memory.

mod eval;
mod parse;
mod words;

pub use eval::is_like;

use super::{Family, MemberId};
use crate::error::Result;

/// The members that a condition holds for.
///
/// # Errors
/// [`Error::BadCondition`](crate::error::Error::BadCondition).
pub(super) fn select(family: &Family, condition: &str) -> Result<Vec<MemberId>> {
    let test = parse::parse(&family.catalog, condition)?;
    let rows = eval::Rows::of(&family.catalog);
    let members = 0..family.catalog.members;
    Ok(members.filter(|at| rows.holds(&test, *at)).map(|at| MemberId(at as u64)).collect())
}
