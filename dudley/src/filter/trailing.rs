//! Bytes behind the filtered ones: how decoders that read say that there are some, and how many.

use std::io::{self, BufRead};

use super::FilterError;

/// Checks that nothing follows the filtered bytes except `seen` bytes that were read already. It reads everything
/// that follows.
///
/// ```
/// use dudley::filter::{FilterError, ended};
///
/// assert!(ended(&mut &b""[..], 0).is_ok());
/// let error = ended(&mut &b"junk"[..], 2).unwrap_err();
/// assert!(matches!(FilterError::of(error), FilterError::Trailing { count: 6 }));
/// ```
///
/// # Errors
/// [`FilterError::Trailing`], which [`FilterError::of`] takes out of the error; if reading fails.
pub fn ended(rest: &mut impl BufRead, seen: u64) -> io::Result<()> {
    let mut count = seen;
    loop {
        let there = match rest.fill_buf() {
            Ok(there) => there.len(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if there == 0 {
            break;
        }
        rest.consume(there);
        count = count.saturating_add(there as u64);
    }
    match count {
        0 => Ok(()),
        count => Err(io::Error::new(io::ErrorKind::InvalidData, FilterError::Trailing { count })),
    }
}

/// The first bytes of what follows, and how many of them there are.
#[cfg(feature = "filters-rust")]
pub(super) fn first<const N: usize>(stored: &mut impl BufRead) -> io::Result<([u8; N], usize)> {
    let (mut bytes, mut count) = ([0; N], 0);
    while count < N {
        match stored.read(&mut bytes[count..]) {
            Ok(0) => break,
            Ok(read) => count += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok((bytes, count))
}
