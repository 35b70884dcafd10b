//! Whether chunks of blosclz become about as small as the C library makes them.

use asdf_bridge::blosc2::{Chunk, Codec, Encoding, Filter};

/// Elements of each data set.
const COUNT: i64 = 1 << 17;

/// Levels, and what is done to the bytes first.
const LEVELS: [u8; 3] = [1, 5, 9];
const FILTERS: [&[Filter]; 3] = [&[Filter::Shuffle], &[Filter::BitShuffle], &[]];

/// Bytes of one chunk of each, as python-blosc2 4.14.1 (c-blosc2 3.3.5) makes it: a row a level, a column a filter.
const OF_C: [(&str, [[usize; 3]; 3]); 9] = [
    (
        "linspace f8",
        [[31_410, 15_666, 1_048_608], [27_304, 6_805, 1_048_608], [28_258, 6_402, 1_048_608]],
    ),
    ("arange i2", [[4_768, 3_582, 262_176], [4_192, 1_482, 262_176], [2_639, 1_299, 262_176]]),
    ("arange i4", [[4_802, 6_918, 524_320], [4_209, 2_859, 524_320], [3_177, 2_523, 524_320]]),
    ("arange f4", [[9_457, 7_598, 524_320], [9_244, 3_589, 524_320], [9_900, 3_376, 524_320]]),
    (
        "walk i4",
        [[136_265, 112_043, 524_320], [136_456, 110_748, 312_007], [136_921, 524_320, 312_075]],
    ),
    (
        "walk f8",
        [[154_846, 117_317, 300_647], [154_848, 114_043, 285_033], [155_047, 113_763, 283_387]],
    ),
    (
        "hundredths f8",
        [[809_944, 440_394, 713_180], [809_918, 1_048_608, 444_322], [810_156, 1_048_608, 443_646]],
    ),
    ("wave i2", [[136_243, 118_065, 262_176], [16_107, 82_405, 26_611], [8_583, 44_593, 13_832]]),
    (
        "wave i8",
        [[136_339, 147_432, 1_021_450], [16_155, 113_014, 221_905], [8_607, 108_122, 113_946]],
    ),
];

/// Sums of small steps, the same wherever they are made.
fn walk() -> Vec<i32> {
    let (mut random, mut sum) = (1_u32, 0);
    let steps = (0..COUNT).map(|_| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        sum += (random >> 24) as i32 % 11 - 5;
        sum
    });
    steps.collect()
}

fn bytes(name: &str) -> Vec<u8> {
    let all = 0..COUNT;
    let wave = |i: i64| i % 6283 * (6283 - i % 6283) / 400;
    match name {
        "linspace f8" => {
            all.flat_map(|i| (i as f64 * (1.0 / (COUNT - 1) as f64)).to_le_bytes()).collect()
        }
        "arange i2" => all.flat_map(|i| (i as i16).to_le_bytes()).collect(),
        "arange i4" => all.flat_map(|i| (i as i32).to_le_bytes()).collect(),
        "arange f4" => all.flat_map(|i| (i as f32).to_le_bytes()).collect(),
        "walk i4" => walk().into_iter().flat_map(i32::to_le_bytes).collect(),
        "walk f8" => walk().into_iter().flat_map(|sum| f64::from(sum).to_le_bytes()).collect(),
        "hundredths f8" => {
            walk().into_iter().flat_map(|sum| (f64::from(sum) / 100.0).to_le_bytes()).collect()
        }
        "wave i2" => all.flat_map(|i| (wave(i) as i16).to_le_bytes()).collect(),
        "wave i8" => all.flat_map(|i| wave(i).to_le_bytes()).collect(),
        name => panic!("no data called {name}"),
    }
}

#[test]
fn chunks_of_blosclz_are_as_small_as_those_of_c() {
    for (name, of_c) in OF_C {
        let raw = bytes(name);
        let size = raw.len() / COUNT as usize;
        for (level, sizes) in LEVELS.into_iter().zip(of_c) {
            for (filters, of_c) in FILTERS.into_iter().zip(sizes) {
                let encoding = Encoding::new(size).codec(Codec::BloscLz).level(level);
                let chunk = encoding.filters(filters).chunk(&raw).expect("a chunk");
                let what =
                    format!("{name}, level {level}, {filters:?}: {}, {of_c} in C", chunk.len());
                assert!(chunk.len() * 100 <= of_c * 102, "{what}");
                assert!(
                    Chunk::parse(&chunk).expect("its own").decode().expect("decoded") == raw,
                    "{what}"
                );
            }
        }
    }
}
