//! How large blocks are and whether they are split, where nobody says: as the C library chooses, so that
//! what a part of a chunk costs to read is the same.

use super::header::LARGEST_BLOCK;
use crate::blosc2::codecs::Codec;
use crate::blosc2::encoding::{Encoding, Split};
use crate::blosc2::filters::Filter;

/// The size of the fastest cache that is reckoned with.
const CACHE: usize = 32 << 10;

/// The largest blocks whose streams are chosen for being split.
const LARGEST: usize = 4 << 20;

/// The most streams of a block that is split of its own accord.
const MOST_STREAMS: usize = 16;

/// The fewest elements of a block that is split of its own accord.
const FEWEST: usize = 32;

/// The same, where the rule of Blosc 1 is known to all who read.
const FEWEST_SHORT: usize = 128;

/// Whether blocks of this many bytes are split into streams.
pub(super) fn splits(encoding: &Encoding, blocksize: usize) -> bool {
    let typesize = encoding.stored_typesize();
    let fewest = if encoding.short_header { FEWEST_SHORT } else { FEWEST };
    let small = typesize > MOST_STREAMS || blocksize / typesize < fewest;
    let gains = match encoding.codec {
        Codec::BloscLz | Codec::Lz4 => true,
        Codec::Zstd => encoding.level <= 5 && encoding.split != Split::ForwardCompat,
        Codec::Lz4Hc | Codec::Zlib => false,
    };
    match encoding.split {
        Split::Never => false,
        Split::Always if encoding.short_header => !small,
        Split::Always => true,
        Split::Auto | Split::ForwardCompat => {
            gains && !small && encoding.filters.contains(&Filter::Shuffle)
        }
    }
}

/// Bytes of a block of a chunk of this many bytes: whole elements, since c-blosc2 decodes none but such where an element
/// is repeated.
pub(super) fn blocksize(encoding: &Encoding, nbytes: usize) -> usize {
    let typesize = encoding.stored_typesize();
    let chosen = match encoding.blocksize {
        0 if splits(encoding, nbytes) => of_split(encoding.level, typesize),
        0 => of_whole(encoding),
        given => given,
    };
    let (most, element) = (nbytes.clamp(1, LARGEST_BLOCK as usize), encoding.typesize);
    let size = chosen.max(element).min(most);
    if size > element { size - size % element } else { size }
}

fn of_split(level: u8, typesize: usize) -> usize {
    let stream = match level {
        0..=3 => CACHE,
        4..=6 => 2 * CACHE,
        7 => 4 * CACHE,
        8 => 8 * CACHE,
        _ => 16 * CACHE,
    };
    stream.saturating_mul(typesize).clamp(CACHE, LARGEST)
}

fn of_whole(encoding: &Encoding) -> usize {
    // What needs long to begin is given more at a time.
    let slow = matches!(encoding.codec, Codec::Lz4Hc | Codec::Zlib | Codec::Zstd);
    let size = if slow { 2 * CACHE } else { CACHE };
    match encoding.level {
        0 => size / 4,
        1 => size / 2,
        2 => size,
        3 => size * 2,
        4 | 5 => size * 4,
        6..=8 => size * 8,
        _ if slow => size * 16,
        _ => size * 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_c_library_chooses() {
        let of = |codec, level, typesize, filter, nbytes| {
            let encoding = Encoding::new(typesize).codec(codec).level(level).filters(&[filter]);
            let size = blocksize(&encoding, nbytes);
            (size >> 10, splits(&encoding, size))
        };
        let chunk = 4 << 20;
        assert_eq!(of(Codec::Lz4, 5, 8, Filter::Shuffle, chunk), (512, true));
        assert_eq!(of(Codec::Lz4, 5, 8, Filter::BitShuffle, chunk), (128, false));
        assert_eq!(of(Codec::Zstd, 5, 8, Filter::BitShuffle, chunk), (256, false));
        assert_eq!(of(Codec::Zstd, 9, 8, Filter::Shuffle, chunk), (1024, false));
        assert_eq!(of(Codec::Zlib, 5, 4, Filter::Shuffle, chunk), (256, false));
        assert_eq!(of(Codec::BloscLz, 9, 16, Filter::Shuffle, 16 << 20), (4096, true));
        assert_eq!(of(Codec::BloscLz, 5, 8, Filter::Shuffle, 10 << 10), (10, true));
        assert_eq!(blocksize(&Encoding::new(3).blocksize(100), 1000), 99);
        assert_eq!(blocksize(&Encoding::new(8), 5), 5);
    }

    #[test]
    fn blocks_are_whole_elements_at_least_one() {
        let of = |typesize, given| blocksize(&Encoding::new(typesize).blocksize(given), 1_200_000);
        assert_eq!((of(300, 0), of(300, 299), of(300, 2567)), (65_400, 300, 2400));
        assert_eq!((of(8, 3), of(8, 15), of(256, 2567)), (8, 8, 2560));
        assert_eq!((of(100_000, 0), of(2_000_000, 0)), (100_000, 1_200_000));
    }
}
