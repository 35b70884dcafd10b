//! The registered filter `bitshuffle`: blocks of elements with transposed bits, compressed by LZ4, Zstandard or not at
//! all.

use asdf_bridge::blosc2::bits_unshuffled;
use dudley::filter::{FilterError, Registry, Result};

use super::{by_four, damaged, lz4_block, room};

/// The default number of bytes of a block, and the least number of its elements.
const BLOCK: u64 = 8192;
const LEAST: u64 = 128;

/// Decodes the bytes. The `values` are two for the version, the bytes of an element, the elements of a block, and the
/// codec.
pub(super) fn decode(
    bytes: &[u8],
    values: &[i64],
    length: u64,
    others: &Registry,
) -> Result<Vec<u8>> {
    let given =
        |at: usize| values.get(at).and_then(|value| u64::try_from(*value).ok()).unwrap_or(0);
    let (size, codec) = (given(2), given(4));
    let mut rest = bytes;
    let mut take = |count: u64| -> Result<&[u8]> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let (here, behind) =
            rest.split_at_checked(count).ok_or_else(|| damaged("it ends early"))?;
        rest = behind;
        Ok(here)
    };
    if size == 0 {
        return Err(FilterError::Argument("`bitshuffle` of elements without bytes".to_owned()));
    }
    let block = match codec {
        0 => Some(given(3)).filter(|block| *block > 0).unwrap_or((BLOCK / size / 8 * 8).max(LEAST)),
        2 | 3 => {
            let all = by_four(take(4)?) << 32 | by_four(take(4)?);
            if all != length {
                return Err(FilterError::TooShort { expected: length, found: all });
            }
            by_four(take(4)?) / size
        }
        codec => {
            return Err(FilterError::Unsupported(format!("`bitshuffle` with the codec {codec}")));
        }
    };
    if block == 0 || block % 8 != 0 {
        return Err(damaged(format!("blocks of {block} elements, which are no multiple of 8")));
    }
    let mut decoded = room(length)?;
    let mut left = length / size;
    while left >= 8 {
        let count = if left >= block { block } else { left / 8 * 8 };
        let bytes = count.checked_mul(size).ok_or(FilterError::TooLarge(length))?;
        let mut sorted = Vec::new();
        match codec {
            0 => sorted.extend_from_slice(take(bytes)?),
            _ => {
                let stored = by_four(take(4)?);
                let stored = take(stored)?;
                match (codec, others.get("zstd")) {
                    (2, _) => lz4_block(stored, bytes, &mut sorted)?,
                    (_, Some(zstd)) => sorted = zstd.decode(&[], stored, bytes)?,
                    (_, None) => return Err(super::not_built_in("zstd")),
                }
            }
        }
        decoded.extend(bits_unshuffled(&sorted, size as usize));
        left -= count;
    }
    // Fewer than eight elements follow at the end, stored as they are.
    decoded.extend_from_slice(take(length - decoded.len() as u64)?);
    Ok(decoded)
}
