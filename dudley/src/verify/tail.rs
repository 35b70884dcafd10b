//! The bytes behind the data: the index with its checksums, the rest of an index, other bytes.

use super::places::Few;
use super::{Finding, Found, Severity};
use crate::error::Error;
use crate::index::{Fault, Held, Index, Left, ends_with_marker, left_of};
use crate::read::stream::Stream;

/// Checks the index, and the data by its checksums.
pub(super) fn verify(stream: &Stream, found: Found<'_>, read: &mut dyn FnMut(u64)) {
    let index = Index::of_stream(stream);
    let verified = index.and_then(|index| index.as_ref().map(Held::verified).transpose());
    let held = match verified {
        Ok(Some(held)) => Ok(Some(held)),
        // Checksums count, whatever else is wrong with the index.
        Ok(None) => {
            left(stream, found);
            Held::of(stream)
        }
        Err(error) => {
            found(of_index(&error));
            Held::of(stream)
        }
    };
    match held {
        Ok(Some(held)) => data(stream, &held, found, read),
        Ok(None) => {}
        Err(error) => found(of_index(&error)),
    }
}

/// What is wrong with an index. Data can be read all the same, but where the layout is not the one that
/// the index was made of: then it is the layout that may be wrong.
fn of_index(error: &Error) -> Finding {
    let (severity, code) = match error {
        Error::Index { fault: Fault::Stale, .. } => (Severity::Warning, "index-stale"),
        Error::Index { fault: Fault::Layout, .. } => (Severity::Error, "layout-changed"),
        Error::Index { fault: Fault::Version, .. } => (Severity::Note, "index-version"),
        _ => (Severity::Error, "index-damaged"),
    };
    Finding::of_error(severity, code, error)
}

fn left(stream: &Stream, found: Found<'_>) {
    let Some(left) = left_of(stream) else { return };
    found(match left {
        Left::Torn { address, bytes } => {
            let what = "an index begins here that was never completed, or was cut off";
            Finding::new(Severity::Warning, "index-torn", what).at(address, bytes)
        }
        Left::Other { address, bytes } if ends_with_marker(stream.whole()).unwrap_or(false) => {
            let what = "an extension was interrupted: all that was committed is there, and the next \
                        writer takes away what it left";
            Finding::new(Severity::Warning, "interrupted", what).at(address, bytes)
        }
        Left::Other { address, bytes } => {
            let what = "these bytes behind the layout are no index: other members of the file, or bytes \
                        that nobody reads";
            Finding::new(Severity::Note, "trailing", what).at(address, bytes)
        }
    });
}

/// Compares the data with the checksums of an index.
fn data(stream: &Stream, held: &Held, found: Found<'_>, read: &mut dyn FnMut(u64)) {
    let mut few = Few::new("checksum", found);
    let differs = |error: Error, intact: bool| {
        // Where the index is damaged, it may be the checksum that is wrong.
        let severity = if intact { Severity::Error } else { Severity::Warning };
        few.add(Finding::of_error(severity, "checksum", &error));
    };
    held.compare(stream, differs, read);
}
