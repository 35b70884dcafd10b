//! The entries of an `.npz` archive: a zip file, stored or deflated, as numpy writes it.

use std::io::Read;

/// The end of the central directory.
const END: &[u8] = b"PK\x05\x06";
/// An entry of the central directory.
const ENTRY: &[u8] = b"PK\x01\x02";
/// How much one entry may be when inflated, as a multiple of what is stored: deflate cannot do
/// better than about 1032.
const RATIO: u64 = 1100;

/// All entries with their names.
///
/// # Errors
/// What is wrong with the archive.
pub(crate) fn entries(archive: &[u8]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let end = archive.windows(4).rposition(|bytes| bytes == END);
    let end = end.ok_or("it has no directory")?;
    let count = number(archive, end + 10, 2)?;
    let mut at = number(archive, end + 16, 4)?;
    let mut found = Vec::new();
    for _ in 0..count {
        if archive.get(at..at + 4) != Some(ENTRY) {
            return Err("its directory is damaged".to_owned());
        }
        let method = number(archive, at + 10, 2)?;
        let stored = number(archive, at + 20, 4)?;
        let names = [
            number(archive, at + 28, 2)?,
            number(archive, at + 30, 2)?,
            number(archive, at + 32, 2)?,
        ];
        let local = number(archive, at + 42, 4)?;
        let name = archive.get(at + 46..at + 46 + names[0]).ok_or("its directory is cut off")?;
        let name = String::from_utf8_lossy(name).into_owned();
        let start = local + 30 + number(archive, local + 26, 2)? + number(archive, local + 28, 2)?;
        let bytes = archive.get(start..start.saturating_add(stored));
        let bytes =
            bytes.ok_or_else(|| format!("its entry {name} is cut off, or larger than 4 GiB"))?;
        found.push((name.clone(), inflate(method, bytes).map_err(|why| format!("{name}: {why}"))?));
        at += 46 + names.iter().sum::<usize>();
    }
    Ok(found)
}

fn inflate(method: usize, bytes: &[u8]) -> Result<Vec<u8>, String> {
    match method {
        0 => Ok(bytes.to_vec()),
        8 => {
            let mut out = Vec::new();
            let bound = (bytes.len() as u64).saturating_mul(RATIO);
            flate2::read::DeflateDecoder::new(bytes)
                .take(bound)
                .read_to_end(&mut out)
                .map_err(|error| error.to_string())?;
            Ok(out)
        }
        method => Err(format!("compression method {method} is not known")),
    }
}

/// A little-endian number of 2 or 4 bytes.
fn number(archive: &[u8], at: usize, size: usize) -> Result<usize, String> {
    let bytes = archive.get(at..at.saturating_add(size)).ok_or("it is cut off")?;
    Ok(bytes.iter().rev().fold(0, |value, byte| value << 8 | usize::from(*byte)))
}
