//! Files of other formats that fuzzing starts from too, if `DUDLEY_CORPUS` names a folder of them.

use std::fs;
use std::path::Path;

/// Bytes of a file at most: larger ones are slow and show no more.
const MOST: u64 = 1 << 16;

/// The inputs that files of the corpus make for a target.
#[must_use]
pub fn foreign(target: &str) -> Vec<Vec<u8>> {
    let Some(corpus) = std::env::var_os("DUDLEY_CORPUS") else { return Vec::new() };
    let mut files = Vec::new();
    walk(&Path::new(&corpus).join("foreign"), &mut files);
    files.into_iter().filter_map(|bytes| input(target, bytes)).collect()
}

fn walk(folder: &Path, files: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, files);
        } else if entry.metadata().is_ok_and(|it| it.len() <= MOST) {
            files.extend(fs::read(&path));
        }
    }
}

/// What a file is for a target; `None` if it is of another format.
fn input(target: &str, bytes: Vec<u8>) -> Option<Vec<u8>> {
    let of = match &bytes[..] {
        [b'C', b'D', b'F', ..] => "netcdf3",
        [0x89, b'H', b'D', b'F', ..] => "hdf5",
        [b'S', b'I', b'M', b'P', b'L', b'E', ..] if target == "fits" => return Some(lines(&bytes)),
        _ => "formats",
    };
    (of == target).then_some(bytes)
}

/// A FITS file as its target takes it: a card a line, with as much of the data as fills a block.
fn lines(mut bytes: &[u8]) -> Vec<u8> {
    let mut lines = Vec::new();
    while !bytes.is_empty() {
        let cards = bytes.chunks(80).map(<[u8]>::trim_ascii_end);
        let end = cards.clone().position(|card| card == b"END").unwrap_or(usize::MAX);
        cards.take(end.saturating_add(1)).for_each(|card| lines.extend([card, b"\n"].concat()));
        let blocks = || bytes.chunks(2880);
        let from = blocks().count().min(end / 36 + 1);
        let data = blocks().skip(from).take_while(|block| !block.starts_with(b"XTENSION"));
        if let Some(block) = data.clone().next() {
            let cards = block.chunks(80).map(|card| card.escape_ascii().to_string().into_bytes());
            (cards.take(36))
                .for_each(|card| lines.extend([&card[..card.len().min(80)], b"\n"].concat()));
        }
        bytes = bytes.get((from + data.count()) * 2880..).unwrap_or_default();
    }
    lines
}
