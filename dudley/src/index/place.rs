//! Indices put into files: in place, behind the layout, so that a crash leaves the file as good as it
//! was.
//!
//! Nothing before the index is touched. First the old footer is overwritten, then comes the new index
//! without its footer, then, once that is durable, the footer. What a crash leaves has no footer, and is
//! no index. The file never gets shorter, so that who has it mapped can go on.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::sync::Arc;

use super::encode::encode;
use super::format::FOOTER;
use super::{Fault, Options, Tail, fault};
use crate::append::Lock;
use crate::error::{Error, Result};
use crate::output::AtomicFile;
use crate::pass::Output;
use crate::positioned::Positioned;
use crate::source::{FileSource, Source};
use crate::stream::{Open, Stream};

/// An index that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Where it begins in the file, in bytes.
    pub address: u64,
    /// Its length in bytes.
    pub bytes: u64,
}

/// Makes the index of a file with an attached layout, and puts it at the end of it. One that is there is
/// replaced.
///
/// # Errors
/// [`Error::Locked`]; what [`Stream::open`] says; [`Error::Index`] if the layout has no terminator, or something else stands
/// behind it; [`Error::Io`]. The file can then still be read as before, but perhaps without an index.
pub fn write(path: impl AsRef<Path>, options: Options) -> Result<Written> {
    let path = path.as_ref();
    let (stream, file, _lock) = open(path)?;
    let tail = Tail::of(&stream)?;
    let bytes = encode(&stream, &tail, options)?;
    let io = |error| Error::io(format!("cannot write the index of `{}`", path.display()), error);
    put(&file, &tail, &bytes).map_err(io)?;
    Ok(Written { address: tail.index, bytes: bytes.len() as u64 })
}

/// Removes the index of a file, or what is left of one; whether there was one. Who has the file mapped
/// loses it under them, as with any file that gets shorter.
///
/// # Errors
/// As [`write()`].
pub fn remove(path: impl AsRef<Path>) -> Result<bool> {
    let path = path.as_ref();
    let (stream, file, _lock) = open(path)?;
    let tail = Tail::of(&stream)?;
    if tail.present == 0 {
        return Ok(false);
    }
    let io = |error| Error::io(format!("cannot shorten `{}`", path.display()), error);
    file.file().set_len(tail.text_end).map_err(io)?;
    file.file().sync_all().map_err(io)?;
    Ok(true)
}

/// Adds its index to a stream in memory that has its layout attached, and nothing behind that.
///
/// ```
/// use dudley::{Indexed, Open, Writer, index, parse_layout};
///
/// let layout = parse_layout(b"x = f8[3]")?;
/// let bytes = Writer::new(layout).put("/x", &[1.0, 2.0, 4.0][..]).attach(true).to_bytes()?;
/// let bytes = index::appended(bytes, index::Options::default())?;
/// let file = Indexed::source(Open::new(), bytes)?;
/// assert_eq!(file.get("/x")?.read::<f64>()?.sum(), 7.0);
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// As [`write()`]; also where there is an index already.
pub fn appended(bytes: Vec<u8>, options: Options) -> Result<Vec<u8>> {
    let bytes = Arc::new(bytes);
    let (address, index) = behind(bytes.clone(), options)?;
    // Nobody else has it any more, so this is no copy.
    let mut bytes = Arc::unwrap_or_clone(bytes);
    bytes.put(address, &index)?;
    Ok(bytes)
}

/// The same for a file that is not complete yet.
///
/// # Errors
/// As [`appended`].
pub fn append(file: &mut AtomicFile, options: Options) -> Result<()> {
    let source = file.source()?;
    let (address, index) = behind(source, options)?;
    file.write_at(address, &index)
}

/// The index of a stream that has none, and where it belongs.
fn behind(source: impl Source + 'static, options: Options) -> Result<(u64, Vec<u8>)> {
    let stream = Open::new().native().source(source)?;
    let tail = Tail::of(&stream)?;
    if tail.present > 0 || tail.open {
        let found = format!("{} bytes", tail.present);
        return Err(fault(Fault::Occupied, tail.index, "a file that ends with its layout", found));
    }
    Ok((tail.index, encode(&stream, &tail, options)?))
}

/// A file to read and to write, locked against other writers. It is read by position: a map would see
/// what is written.
fn open(path: &Path) -> Result<(Stream, Positioned, Lock)> {
    let io = |error| Error::io(format!("cannot open `{}` to write", path.display()), error);
    let file: File = OpenOptions::new().read(true).write(true).open(path).map_err(io)?;
    let lock = Lock::take(&file, path)?;
    let stream = Open::new().native().source(FileSource::open(path)?)?;
    Ok((stream, Positioned::new(file), lock))
}

fn put(file: &Positioned, tail: &Tail, bytes: &[u8]) -> std::io::Result<()> {
    let end = tail.index + tail.present;
    if tail.present >= FOOTER {
        file.write_at(end - FOOTER, &[0; FOOTER as usize])?;
        file.file().sync_all()?;
    }
    if tail.open {
        file.write_at(tail.text_end - 1, b"\n")?;
    }
    let (body, footer) = bytes.split_at(bytes.len() - FOOTER as usize);
    // Zeros between the layout and the index, also where other bytes stood.
    file.write_at(tail.text_end, &vec![0; (tail.index - tail.text_end) as usize])?;
    file.write_at(tail.index, body)?;
    file.file().sync_all()?;
    file.write_at(tail.index + body.len() as u64, footer)?;
    file.file().sync_all()
}
