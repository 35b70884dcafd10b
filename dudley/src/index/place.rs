//! Indices put into files: in place, behind the layout, so that a crash leaves the file as good as it
//! was.
//!
//! Nothing before the index is touched. First the old footer is overwritten, then comes the new index
//! without its footer, then, once that is durable, the footer. What a crash leaves has no footer, and is
//! no index. The file never gets shorter, so that who has it mapped can go on.

use std::path::Path;
use std::sync::Arc;

use super::checksums::Held;
use super::encode::encode;
use super::extents::extents;
use super::format::{Extent, FOOTER, Footer};
use super::{Fault, Index, Options, Policy, Tail, fault};
use crate::bytes::lock::Lock;
use crate::bytes::output::Output;
use crate::bytes::positioned::Positioned;
use crate::bytes::source::{FileSource, Source};
use crate::error::{Error, Result, file_name};
use crate::read::stream::{Open, Stream};
use dudley_parser::Layout;

/// An index that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its address in the file, in bytes.
    pub address: u64,
    /// Its length in bytes.
    pub bytes: u64,
}

/// The result of [`mend()`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mended {
    /// The index was made anew, with this many checksums as the old one had, all of which are right.
    Anew {
        /// How many.
        checksums: u64,
    },
    /// It was cut off: it was not complete, and had no checksums.
    Cut,
}

/// Makes the index of a file with an attached layout, and puts it at the end of it. One that is there is
/// replaced, once its checksums were compared with the data.
///
/// # Errors
/// [`Error::Locked`]; as [`Stream::open`]; [`Error::Index`] if the layout has no terminator, if other bytes
/// follow it, if the data does not match the checksums of the old index ([`Fault::Data`], with the items),
/// or if these cannot be read ([`Fault::Unproven`]); [`Error::Io`]. The file is still readable then, but
/// perhaps without an index.
pub fn write(path: impl AsRef<Path>, options: Options) -> Result<Written> {
    let target = Target::open(path.as_ref())?;
    let known = target.proven()?;
    target.write(options, known)
}

/// As [`write()`], without a comparison with the old index, whose checksums are lost.
///
/// # Errors
/// As [`write()`], except for those about checksums.
pub fn replace(path: impl AsRef<Path>, options: Options) -> Result<Written> {
    Target::open(path.as_ref())?.write(options, None)
}

/// Compares the data with the checksums of an index, if it has some, even if the index is stale or damaged;
/// returns the number of checksums.
///
/// # Errors
/// [`Error::Index`] with [`Fault::Data`] or [`Fault::Unproven`], as [`write()`]; as [`Stream::open`].
pub fn prove(path: impl AsRef<Path>) -> Result<u64> {
    let stream = Open::new().native().source(FileSource::open(path)?)?;
    match Held::of(&stream)? {
        Some(held) if !held.is_empty() => held.prove(&stream).map(|_| held.len()),
        _ => Ok(0),
    }
}

/// Repairs a stale, damaged or incomplete index, if that loses nothing: it is made anew with the checksums
/// that it had, if the data matches them.
///
/// # Errors
/// As [`write()`]; [`Error::Index`] with [`Fault::Layout`] or [`Fault::Version`]. Nothing is changed then.
pub fn mend(path: impl AsRef<Path>) -> Result<Mended> {
    let path = path.as_ref();
    let target = Target::open(path)?;
    let index = Index::of_stream(&target.stream);
    let looked = index.and_then(|index| index.map_or(Ok(()), |index| index.verify()));
    if let Err(Error::Index { fault: Fault::Layout | Fault::Version, .. }) = looked {
        // What is wrong may be the layout; and others may know more.
        return looked.map(|()| Mended::Cut);
    }
    let known = target.proven()?;
    if known.is_none() && !matches!(Footer::read(target.stream.whole()), Ok(Some(_)) | Err(_)) {
        drop(target);
        remove(path)?;
        return Ok(Mended::Cut);
    }
    let checksums = known.as_ref().map_or(0, Vec::len) as u64;
    target.write(Options { checksums: known.is_some() }, known)?;
    Ok(Mended::Anew { checksums })
}

/// Removes the index of a file, or the rest of one; returns whether there was one. The file gets
/// shorter, which affects programs that have mapped it.
///
/// # Errors
/// As [`write()`].
pub fn remove(path: impl AsRef<Path>) -> Result<bool> {
    let path = path.as_ref();
    let Target { stream, file, .. } = Target::open(path)?;
    let tail = Tail::of(&stream)?;
    if tail.present == 0 {
        return Ok(false);
    }
    let io = |error| Error::io(format!("cannot shorten `{}`", file_name(&path)), error);
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
pub fn appended(mut bytes: Vec<u8>, options: Options) -> Result<Vec<u8>> {
    put_behind(&mut bytes, options, &|| None)?;
    Ok(bytes)
}

/// The same for any output that lends what was written. `layout` is the one that is attached, if somebody has it.
///
/// # Errors
/// As [`appended`].
fn put_behind(
    out: &mut dyn Output,
    options: Options,
    layout: &dyn Fn() -> Option<Layout>,
) -> Result<()> {
    let mut made = None;
    out.lend(&mut |source| made = Some(behind(source, options, layout())))?;
    let (address, index) = match made {
        Some(made) => made?,
        None => {
            let expected = "an output that can be read back, for an index";
            return Err(fault(Fault::Occupied, 0, expected, "one that cannot"));
        }
    };
    out.put(address, &index)
}

/// The index of a stream that has none, and where it belongs.
fn behind(
    source: Arc<dyn Source>,
    options: Options,
    layout: Option<Layout>,
) -> Result<(u64, Vec<u8>)> {
    let open = Open::new().native();
    let stream = layout.into_iter().fold(open, Open::layout).source(source)?;
    let tail = Tail::of(&stream)?;
    if tail.present > 0 || tail.open {
        let found = format!("{} bytes", tail.present);
        return Err(fault(Fault::Occupied, tail.index, "a file that ends with its layout", found));
    }
    Ok((tail.index, encode(&stream, &tail, checksums(&stream, options)?)?))
}

/// The checksums that are requested.
fn checksums(stream: &Stream, options: Options) -> Result<Vec<Extent>> {
    if options.checksums { extents(stream) } else { Ok(Vec::new()) }
}

/// A file to read and to write, locked against other writers. It is read by position: a map would see
/// what is written.
struct Target<'p> {
    path: &'p Path,
    stream: Stream,
    file: Positioned,
    _lock: Lock,
}

impl<'p> Target<'p> {
    fn open(path: &'p Path) -> Result<Target<'p>> {
        let (file, lock) = Lock::open(path)?;
        let stream = Open::new().native().source(FileSource::open(path)?)?;
        Ok(Target { path, stream, file: Positioned::new(file), _lock: lock })
    }

    /// The checksums of the data, if there is an index with checksums, which then are the same.
    fn proven(&self) -> Result<Option<Vec<Extent>>> {
        match Held::of(&self.stream)? {
            Some(held) if !held.is_empty() => held.prove(&self.stream).map(Some),
            _ => Ok(None),
        }
    }

    /// Writes the index; `known` are checksums of the data as it is.
    fn write(&self, options: Options, known: Option<Vec<Extent>>) -> Result<Written> {
        let tail = Tail::of(&self.stream)?;
        let extents = match known.filter(|_| options.checksums) {
            Some(known) => known,
            None => checksums(&self.stream, options)?,
        };
        let bytes = encode(&self.stream, &tail, extents)?;
        let name = file_name(&self.path);
        let io = |error| Error::io(format!("cannot write the index of `{name}`"), error);
        put(&self.file, &tail, &bytes).map_err(io)?;
        Ok(Written { address: tail.index, bytes: bytes.len() as u64 })
    }
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

/// Puts the index behind a layout that was attached to an output, with nothing behind it, if it gets one.
///
/// # Errors
/// [`Error::Io`]; where it must have one, also why none can be made.
pub fn add(policy: Policy, layout: &Layout, out: &mut dyn Output) -> Result<()> {
    let Some(options) = policy.options(layout) else { return Ok(()) };
    match put_behind(out, options, &|| layout.as_attached()) {
        Err(error) if policy == Policy::Automatic && !matches!(error, Error::Io { .. }) => Ok(()),
        put => put,
    }
}
