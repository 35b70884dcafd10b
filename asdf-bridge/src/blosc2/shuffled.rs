//! Elements whose bytes or bits were sorted, as other formats have them too.

use dudley::bytes::take_scratch;

use super::kernels::{Kernels, Path, shuffle};

/// The first bytes of all elements of this many bytes, then the second ones, and so on. What is no whole element stands
/// behind them as it is.
///
/// ```
/// use asdf_bridge::blosc2::{bytes_shuffled, bytes_unshuffled};
///
/// assert_eq!(bytes_shuffled(&[1, 2, 3, 4, 5], 2), [1, 3, 2, 4, 5]);
/// assert_eq!(bytes_unshuffled(&[1, 3, 2, 4, 5], 2), [1, 2, 3, 4, 5]);
/// ```
pub fn bytes_shuffled(bytes: &[u8], size: usize) -> Vec<u8> {
    sorted(bytes, size, |to| shuffle(Path::best(), bytes, to, size))
}

/// The reverse of [`bytes_shuffled`].
pub fn bytes_unshuffled(bytes: &[u8], size: usize) -> Vec<u8> {
    let kernels = Kernels { path: Path::best(), past: false };
    sorted(bytes, size, |to| kernels.unshuffle(bytes, to, size))
}

/// Elements of this many bytes, of which the first bits stood side by side, then the second ones, and so on; behind the
/// last eight of them they stand as they were.
///
/// ```
/// use asdf_bridge::blosc2::bits_unshuffled;
///
/// // The lowest bit of the first and the last element, the highest one of the second.
/// assert_eq!(bits_unshuffled(&[0x81, 0, 0, 0, 0, 0, 0, 2, 7], 1), [1, 128, 0, 0, 0, 0, 0, 1, 7]);
/// ```
pub fn bits_unshuffled(bytes: &[u8], size: usize) -> Vec<u8> {
    let kernels = Kernels { path: Path::best(), past: false };
    sorted(bytes, size, |to| kernels.bitunshuffle(bytes, to, size))
}

fn sorted(bytes: &[u8], size: usize, sort: impl FnOnce(&mut [u8])) -> Vec<u8> {
    if size == 0 {
        return bytes.to_vec();
    }
    let mut to = take_scratch(bytes.len()).unwrap_or_else(|| bytes.to_vec());
    sort(&mut to);
    to
}
