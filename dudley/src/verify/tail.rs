//! What stands behind the data: the index with its checksums, what is left of one, other bytes.

use dudley_parser::layout::Step;

use super::places::Few;
use super::{Finding, Found, Severity};
use crate::append::ends_with_marker;
use crate::error::Error;
use crate::index::{Fault, Index, Left, left_of};
use crate::stream::Stream;

/// Checks the index, and the data by its checksums.
pub(super) fn verify(stream: &Stream, found: Found<'_>, read: &mut dyn FnMut(u64)) {
    match Index::of_stream(stream) {
        Ok(Some(index)) => match index.verify() {
            Ok(()) => data(stream, &index, found, read),
            Err(error) => found(of_index(&error)),
        },
        Ok(None) => left(stream, found),
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
            let what = "these bytes behind the layout are no index, and nobody reads them";
            Finding::new(Severity::Note, "trailing", what).at(address, bytes)
        }
    });
}

fn data(stream: &Stream, index: &Index, found: Found<'_>, read: &mut dyn FnMut(u64)) {
    let mut places = None;
    let mut few = Few::new("checksum", &mut *found);
    let done = index.verify_data(
        |error| {
            let places = places.get_or_insert_with(|| begins(stream));
            let address = error.address().unwrap_or(0);
            let at = places.partition_point(|(begin, _)| *begin <= address);
            let step = at.checked_sub(1).and_then(|at| places.get(at)).map(|(_, step)| *step);
            let path = step.and_then(|step| stream.layout().step_path(step));
            few.add(Finding { path, ..Finding::of_error(Severity::Error, "checksum", &error) });
        },
        read,
    );
    drop(few);
    if let Err(error) = done {
        found(of_index(&error));
    }
}

/// Where the steps of the root begin, in the order of their addresses.
fn begins(stream: &Stream) -> Vec<(u64, Step)> {
    let root = stream.layout().root().iter().enumerate();
    let mut begins: Vec<(u64, Step)> = stream.with_resolver(|resolver| {
        let placed = root.map(|(at, step)| Some((resolver.step_extent(at).ok()?, *step)));
        let there = placed.flatten().filter(|(placed, _)| placed.bytes > 0);
        there.map(|(placed, step)| (placed.address, step)).collect()
    });
    begins.sort_by_key(|(address, _)| *address);
    begins
}
