//! Memory that is written over again and again, as where block after block is decoded.
//!
//! New memory is zeroed, by us or page by page by the system, which takes as long as to decode. So each thread keeps a
//! few buffers that were given back.

use std::cell::RefCell;

/// Buffers that a thread keeps, and bytes of each of them at most.
const KEPT: usize = 4;
const LARGEST: usize = 4 << 20;

thread_local! {
    static GIVEN: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// `len` bytes to overwrite, with any contents. `None` if memory is short.
///
/// ```
/// use dudley::bytes::{give_scratch, take_scratch};
///
/// let mut bytes = take_scratch(3).expect("memory");
/// bytes.copy_from_slice(&[1, 2, 3]);
/// give_scratch(bytes);
/// assert_eq!(take_scratch(1000).expect("memory").len(), 1000);
/// ```
pub fn take_scratch(len: usize) -> Option<Vec<u8>> {
    let kept =
        (len <= LARGEST).then(|| GIVEN.with_borrow_mut(|given| fitting(given, len))).flatten();
    let mut bytes = kept.unwrap_or_default();
    if bytes.capacity() < len {
        // Nothing of it is worth copying.
        bytes = Vec::new();
        bytes.try_reserve_exact(len).ok()?;
    }
    bytes.resize(len, 0);
    Some(bytes)
}

/// The shortest of those that are as long, else the longest: what is cut off is zeroed when it is needed again.
fn fitting(given: &mut Vec<Vec<u8>>, len: usize) -> Option<Vec<u8>> {
    let rank = |bytes: &Vec<u8>| (bytes.len() < len, bytes.len().abs_diff(len));
    let best = (0..given.len()).min_by_key(|at| rank(&given[*at]))?;
    Some(given.swap_remove(best))
}

/// Keeps memory that is no longer needed, for the next [`take_scratch`] of this thread.
pub fn give_scratch(bytes: Vec<u8>) {
    if (1..=LARGEST).contains(&bytes.capacity()) {
        GIVEN.with_borrow_mut(|given| {
            if given.len() < KEPT {
                given.push(bytes);
            }
        });
    }
}
