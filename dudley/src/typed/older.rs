//! Whether code made from a layout reads what was written by an older one.

use dudley_parser::Layout;
use dudley_parser::compare::{Change, Level, compare};

use super::schema::incompatible;
use crate::bytes::signature;
use crate::error::Result;
use crate::read::path::{Part, parse};

/// Checks that whatever has the same name in both layouts is the same, wherever it lies. The code finds things by
/// their names in the layout of the stream, except for the fields of records, whose offsets are its own.
///
/// # Errors
/// [`crate::Error::Incompatible`] with the first difference.
pub(super) fn check_older(older: &Layout, ours: &Layout) -> Result<()> {
    let changes = compare(older, ours, signature::LEN);
    match changes.iter().find(|change| is_other(change)) {
        Some(change) => {
            let found = format!("another in which {}", change.message);
            Err(incompatible(&change.path, "an older one that only lacks items", &found))
        }
        None => Ok(()),
    }
}

/// Whether the code would take something for what it is not.
fn is_other(change: &Change) -> bool {
    match change.code {
        // What the older layout does not have is an error when it is requested, what it alone has nobody asks
        // for, and things are found where it says; except for the fields of records.
        "change-added" | "change-removed" | "change-renamed" | "change-address" => {
            in_record(&change.path)
        }
        // What numbers mean, the numbers that the code has in itself, and records of another size.
        "change-unit" | "change-value" | "change-size" => true,
        _ => change.levels.has(Level::Read),
    }
}

/// Whether a path leads into a record, or cannot be read.
fn in_record(path: &str) -> bool {
    match parse(path) {
        Ok(parts) => parts.iter().any(|part| matches!(part, Part::Field(_))),
        Err(_) => true,
    }
}
