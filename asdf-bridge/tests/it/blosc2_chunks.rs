//! Are chunks of all kinds decoded, those of old versions too?

use std::fs;
use std::path::PathBuf;

use asdf_bridge::blosc2::{Chunk, Encoding, NewFrame, Options};

/// The folder of files of Blosc2; `None` where the corpus is not there.
fn corpus() -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var_os("DUDLEY_CORPUS")?).join("blosc2"))
}

#[test]
fn chunks_of_old_versions() {
    let Some(corpus) = corpus() else { return };
    let mut seen = 0;
    for file in fs::read_dir(corpus.join("compat")).expect("a folder") {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "cdata") {
            continue;
        }
        let bytes = fs::read(&path).expect("a file");
        let chunk = Chunk::parse(&bytes).expect("a chunk");
        let decoded = chunk.decode().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // In some the last bytes of blocks were never encoded.
        let name = path.display().to_string();
        let wrong = decoded.chunks(4).enumerate().filter(|(at, bytes)| {
            let wanted = (*at as u32).to_le_bytes();
            *bytes != &wanted[..bytes.len()]
        });
        let wrong: Vec<usize> = wrong.map(|(at, _)| at).collect();
        let undefined = name.contains("1.18.0") || name.contains("1.17.1-bitshuffle8");
        if undefined {
            assert!(wrong.iter().all(|at| at * 4 + 8 > decoded.len()), "{name}: {wrong:?}")
        } else {
            assert!(wrong.is_empty(), "{name}: {wrong:?}")
        }
        seen += 1;
    }
    assert!(seen > 5);
}

/// A few bytes may say that a block is of half a gibibyte, all of which would be decoded for one of them.
#[test]
fn a_part_of_a_block_beyond_the_limit_is_refused() {
    let new = Encoding::new(1).filters(&[]).blocksize(1 << 20);
    let mut writer = NewFrame::new(new).chunksize(1 << 20).memory().expect("begun");
    let bytes: Vec<u8> = (0..1 << 20).map(|i: u32| (i / 1000) as u8).collect();
    writer.write(&bytes).expect("written");
    let stored = writer.finish_bytes().expect("complete");
    let frame = |limit| Options::new().limit(limit).source(stored.clone()).expect("a frame");
    let mut part = [0; 10];
    frame(1 << 20).read_range(5000, &mut part).expect("a part");
    assert_eq!(part, [5; 10]);
    let refused = frame(1 << 19).read_range(5000, &mut part).expect_err("the block is larger");
    assert!(
        refused.to_string().contains("1048576 decoded bytes are more than the 524288"),
        "{refused}"
    );
}
