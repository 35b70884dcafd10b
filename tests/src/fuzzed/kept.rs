//! The corpus of the fuzz targets as the repository keeps it: `fuzz/corpus/TARGET.txt`, an input a
//! line, escaped as in Rust's byte strings. (libFuzzer wants a folder with a file for each.)

use std::io;
use std::path::{Path, PathBuf};

fn file(target: &str) -> PathBuf {
    crate::root().join("fuzz/corpus").join(format!("{target}.txt"))
}

/// The inputs that are kept for a target.
///
/// # Errors
/// If the file cannot be read, or a line of it is not such a byte string.
pub fn kept(target: &str) -> io::Result<Vec<Vec<u8>>> {
    let file = file(target);
    let text = std::fs::read_to_string(&file)?;
    let inputs = text.lines().enumerate().map(|(number, line)| {
        let place = || format!("{}:{}: not a byte string", file.display(), number + 1);
        unescape(line).ok_or_else(|| io::Error::other(place()))
    });
    inputs.collect()
}

/// Keeps the inputs of a folder for a target, in an order that depends on nothing else.
///
/// # Errors
/// If the folder cannot be read or the file not be written.
pub fn keep(target: &str, folder: &Path) -> io::Result<()> {
    let files = std::fs::read_dir(folder)?.map(|entry| std::fs::read(entry?.path()));
    let mut inputs: Vec<Vec<u8>> = files.collect::<io::Result<_>>()?;
    inputs.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    let lines: String = inputs.iter().map(|input| format!("{}\n", input.escape_ascii())).collect();
    std::fs::write(file(target), lines)
}

/// The bytes that `escape_ascii` made a line of; `None` if it did not.
fn unescape(line: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(line.len());
    let mut rest = line.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let (&escape, after) = rest.split_first()?;
        rest = after;
        bytes.push(match escape {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'\\' | b'\'' | b'"' => escape,
            b'x' => {
                let (digits, after) = rest.split_at_checked(2)?;
                rest = after;
                u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
            }
            _ => return None,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn lines_hold_any_bytes() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(unescape(&all.escape_ascii().to_string()), Some(all));
        assert_eq!(unescape("a\\"), None);
        assert_eq!(unescape("a\\q"), None);
        assert_eq!(unescape("a\\x4"), None);
    }
}
