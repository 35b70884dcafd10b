//! Are chunks of all kinds decoded, those of old versions too?

use std::fs;
use std::path::PathBuf;

use asdf_bridge::blosc2::Chunk;

/// The folder of files of Blosc2; none where the corpus is not there.
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
        match undefined {
            true => assert!(wrong.iter().all(|at| at * 4 + 8 > decoded.len()), "{name}: {wrong:?}"),
            false => assert!(wrong.is_empty(), "{name}: {wrong:?}"),
        }
        seen += 1;
    }
    assert!(seen > 5);
}
