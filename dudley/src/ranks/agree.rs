//! The agreement of ranks: one reduction to rank 0, which decides, and one broadcast of its decision.
//!
//! Both go along a binomial tree: the parent of a rank is the rank without its lowest bit that is 1. So the ranks below
//! one are those that follow it.

use super::Communicator;
use super::report::Report;
use crate::error::{Error, Result};

/// The rank from which one hears; `None` for rank 0.
fn parent(rank: usize) -> Option<usize> {
    rank.checked_sub(1).map(|before| rank & before)
}

/// The ranks that one tells.
fn children(rank: usize, size: usize) -> impl DoubleEndedIterator<Item = usize> {
    let bits = match rank {
        0 => size.next_power_of_two().trailing_zeros(),
        _ => rank.trailing_zeros(),
    };
    (0..bits).map(move |bit| rank + (1 << bit)).filter(move |child| *child < size)
}

/// Brings together what the ranks report, lets rank 0 decide, and returns to all of them the bytes that it
/// decides on, or the one error. It ends on every rank whatever happens on others, if those end or call it, too.
pub(super) fn settle<C: Communicator + ?Sized>(
    comm: &C,
    mine: Report,
    decide: impl FnOnce(Report) -> Result<Vec<u8>>,
) -> Result<Vec<u8>> {
    let mut report = mine;
    for child in children(comm.rank(), comm.size()) {
        match comm.receive(child).and_then(|bytes| Report::from_bytes(&bytes)) {
            Ok(theirs) => report.join(theirs),
            Err(error) => report.fail(child, &error),
        }
    }
    match parent(comm.rank()) {
        // If the parent is gone it does not answer either.
        Some(parent) => drop(comm.send(parent, &report.to_bytes())),
        None => {
            let decided = report.check().and_then(decide);
            return broadcast(comm, decided);
        }
    }
    broadcast(comm, Ok(Vec::new()))
}

/// Hands what rank 0 has to all of them; others give nothing.
fn broadcast<C: Communicator + ?Sized>(comm: &C, mine: Result<Vec<u8>>) -> Result<Vec<u8>> {
    let heard = match parent(comm.rank()) {
        None => mine.map_err(|error| known(0, error)),
        Some(parent) => match comm.receive(parent) {
            Ok(bytes) => told(&bytes),
            Err(error) => Err(known(parent, error)),
        },
    };
    let mut bytes = Vec::new();
    match &heard {
        Ok(content) => {
            bytes.push(1);
            bytes.extend_from_slice(content);
        }
        Err(error) => {
            bytes.push(0);
            let mut report = Report::default();
            report.fail(0, error);
            bytes.extend(report.to_bytes());
        }
    }
    for child in children(comm.rank(), comm.size()).rev() {
        // One that is gone has no use for it.
        let _ = comm.send(child, &bytes);
    }
    heard
}

/// The message of a parent.
fn told(bytes: &[u8]) -> Result<Vec<u8>> {
    match bytes.split_first() {
        Some((1, content)) => Ok(content.to_vec()),
        Some((0, failed)) => Report::from_bytes(failed)?.check().map(|_| Vec::new()),
        _ => Err(Error::wrong_length(1, 0)),
    }
}

/// The error of a rank, unless it says already whose it is.
fn known(rank: usize, error: Error) -> Error {
    match error {
        Error::OfRank { .. } => error,
        error => Error::OfRank { rank: Some(rank as u64), why: error.to_string().into() },
    }
}

/// Returns the value on every rank if all ranks have one; otherwise the same error on every rank: the error of the
/// lowest failed rank. A collective call.
///
/// # Errors
/// [`Error::OfRank`].
///
/// ```
/// use dudley::ranks::{self, Communicator};
///
/// let results = ranks::threads(3, |comm| {
///     let mine = if comm.rank() == 1 { Err(dudley::Error::NotNative) } else { Ok(()) };
///     ranks::agree(comm, mine)
/// });
/// for result in results {
///     assert!(result.expect_err("of rank 1").to_string().starts_with("rank 1: no native stream"));
/// }
/// ```
pub fn agree<T, C: Communicator + ?Sized>(comm: &C, mine: Result<T>) -> Result<T> {
    let mut report = Report::default();
    if let Err(error) = &mine {
        report.fail(comm.rank(), error);
    }
    settle(comm, report, |_| Ok(Vec::new()))?;
    mine
}

/// Does something on rank 0, and hands all ranks the bytes that it returns; the value stays on rank 0. A collective call,
/// of one broadcast.
///
/// # Errors
/// [`Error::OfRank`] on all ranks if it fails.
///
/// ```
/// use dudley::ranks::{self, Communicator};
///
/// let results = ranks::threads(3, |comm| ranks::first(comm, || Ok(("kept", b"told".to_vec()))));
/// for (rank, result) in results.into_iter().enumerate() {
///     let (value, bytes) = result?;
///     assert_eq!((value, &*bytes), ((rank == 0).then_some("kept"), &b"told"[..]));
/// }
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn first<T, C: Communicator + ?Sized>(
    comm: &C,
    what: impl FnOnce() -> Result<(T, Vec<u8>)>,
) -> Result<(Option<T>, Vec<u8>)> {
    if comm.rank() > 0 {
        return Ok((None, broadcast(comm, Ok(Vec::new()))?));
    }
    match what() {
        Ok((value, bytes)) => Ok((Some(value), broadcast(comm, Ok(bytes))?)),
        Err(error) => Ok((None, broadcast(comm, Err(error))?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_has_one_parent() {
        for size in 1..70 {
            let mut seen = vec![0; size];
            for rank in 0..size {
                for child in children(rank, size) {
                    assert_eq!(parent(child), Some(rank), "{child} of {size}");
                    seen[child] += 1;
                }
            }
            assert_eq!(seen[0], 0);
            assert!(seen[1..].iter().all(|times| *times == 1), "{size}: {seen:?}");
        }
    }
}
