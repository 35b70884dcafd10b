//! Writes Blosc2 arrays and frames: from an array of numpy, a stream or a file, or a frame anew.

use dudley::error::file_name;
use std::ops::Range;
use std::path::Path;

use asdf_bridge::blosc2::{
    ArrayWriter, Codec, Encoding, Filter, Frame, FrameWriter, NdArray, NewArray, NewFrame,
};
use clap::ValueEnum;
use dudley::read::select::{Selected, Stacked};
use dudley::read::slice::Index;

use crate::convert::beside::Beside;
use crate::convert::lost::{Lost, Medium};
use crate::convert::part::Part;
use crate::failure::{Failure, Result};
use crate::frame::failure;
use crate::output::warn;
use crate::{export, npy};

/// How a frame is written.
pub(crate) struct Options<'o> {
    /// Whether the frame has the shape and type of an array, and not only its bytes.
    pub(crate) array: bool,
    /// The codec, with a level behind a colon if necessary.
    pub(crate) codec: Option<&'o str>,
    /// The filters, if given; an empty list means no filters.
    pub(crate) filters: Option<Vec<Filter>>,
    /// The shapes of chunks and blocks, in elements, if given.
    pub(crate) chunks: &'o [u64],
    pub(crate) blocks: &'o [u64],
    /// Whether chunks are files of a folder.
    pub(crate) sparse: bool,
    /// The treatment of checksums; by default the checksums of a frame stay.
    pub(crate) checksums: Option<Checksums>,
    /// Whether an existing file is overwritten.
    pub(crate) force: bool,
    /// The number of threads; 0 without the option.
    pub(crate) threads: usize,
    /// The compression of an input frame: the default for all that is not given.
    pub(crate) like: Option<Encoding>,
}

/// The treatment of the checksums of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Checksums {
    /// Adds them; those of the input must match
    Add,
    /// Makes new ones, even if those of the input do not match
    Renew,
    /// Leaves them out, even if those of the input do not match
    Drop,
}

/// A frame during its writing.
enum Out {
    Array(ArrayWriter),
    Frame(FrameWriter),
}

/// The name that means no filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    None,
    Filter(Filter),
}

/// Reads the name of a filter, with its argument.
pub(crate) fn parse_filter(text: &str) -> std::result::Result<Named, String> {
    if text == "none" {
        return Ok(Named::None);
    }
    Filter::of_name(text).map(Named::Filter).ok_or_else(|| {
        format!(
            "`{text}` is none of shuffle, bitshuffle, delta, bytedelta, trunc_prec:BITS, \
             int_trunc:BITS, ndcell:SIDE, ndmean:SIDE, and not `none`"
        )
    })
}

/// The named filters, an empty list for the name that means no filters, or `None` without names.
///
/// # Errors
/// For more filters than a frame can have, and for no filters among others.
pub(crate) fn filters(named: &[Named]) -> Result<Option<Vec<Filter>>> {
    const MOST: usize = 6;
    if named.len() > MOST {
        let count = named.len();
        return Err(Failure::usage(format!(
            "--filters: {count} filters, where a frame has {MOST} at most"
        )));
    }
    match named {
        [] => Ok(None),
        [Named::None] => Ok(Some(Vec::new())),
        named => {
            let filters = named.iter().map(|named| match named {
                Named::Filter(filter) => Ok(*filter),
                Named::None => Err(Failure::usage("--filters: `none` stands alone")),
            });
            filters.collect::<Result<_>>().map(Some)
        }
    }
}

/// Checks that the chunks of a frame match its checksums, because their copies get new checksums, or none.
///
/// # Errors
/// If a chunk does not match.
pub(crate) fn check(frame: &Frame, name: &str, checksums: Option<Checksums>) -> Result<()> {
    if let Some(Checksums::Renew | Checksums::Drop) = checksums {
        return Ok(());
    }
    frame.check_checksums().map_err(|error| {
        // A chunk that cannot be read cannot be copied either.
        let is_there = error.chunk().is_none_or(|number| frame.chunk(number).is_ok());
        if matches!(error, asdf_bridge::blosc2::Error::Damaged { .. }) && is_there {
            failure(name, error).with_help(
                "--checksums=renew takes the chunks as they are, and writes new checksums; \
                 --checksums=drop writes none",
            )
        } else {
            failure(name, error)
        }
    })
}

/// The treatment of the checksums of a frame whose chunks may be wrong. New checksums would confirm wrong chunks, so the
/// copy has none, with a warning, unless an option requests them.
pub(crate) fn of_doubtful(
    frame: &Frame,
    name: &str,
    asked: Option<Checksums>,
) -> Option<Checksums> {
    let had = || matches!(frame.checksums(), Ok(Some(_)));
    match asked {
        Some(Checksums::Renew | Checksums::Drop) => asked,
        None if !had() => None,
        Some(Checksums::Add) | None => {
            warn(&format!(
                "{name}: no checksums are written, which would make chunks right that may not be; --checksums=renew \
                 writes them all the same"
            ));
            Some(Checksums::Drop)
        }
    }
}

impl Options<'_> {
    /// What is written.
    pub(crate) fn medium(&self) -> Medium {
        if self.array { Medium::Frames } else { Medium::Bytes }
    }

    /// The given encoding, completed by another encoding.
    fn encoding(&self, otherwise: Encoding) -> Result<Encoding> {
        let mut encoding = otherwise;
        if self.threads > 0 {
            encoding = encoding.threads(self.threads);
        }
        if let Some(filters) = &self.filters {
            encoding = encoding.filters(filters);
        }
        let Some(text) = self.codec else { return Ok(encoding) };
        let (name, level) = match text.split_once(':') {
            Some((name, level)) => (name, Some(level)),
            None => (text, None),
        };
        if let ("none", None | Some("0")) = (name, level) {
            return Ok(encoding.level(0));
        }
        if name == "none" {
            return Err(Failure::usage(format!("`{text}`: `none` has no levels but 0")));
        }
        let codec = Codec::of_name(name).ok_or_else(|| {
            let known = "none, blosclz, lz4, lz4hc, zlib and zstd";
            Failure::usage(format!(
                "`{name}` is no codec of Blosc2 that is built in: those are {known}"
            ))
        })?;
        let level = level.map_or(Some(5), |level| level.parse().ok().filter(|level| *level <= 9));
        let level = level
            .ok_or_else(|| Failure::usage(format!("`{text}`: the levels of Blosc2 are 0 to 9")))?;
        // A frame with dictionaries may get a codec without dictionaries.
        let encoding = if codec.has_dictionaries() { encoding } else { encoding.dictionary(false) };
        Ok(encoding.codec(codec).level(level))
    }

    /// Begins a new array, or the frame of its bytes.
    fn begin(&self, path: &Path, new: NewArray, otherwise: Encoding) -> Result<Out> {
        let encoding = self.encoding(otherwise)?;
        if self.array {
            let mut new = new.encoding(encoding).unchecked(true);
            if let Some(checksums) = self.checksums {
                new = new.checksums(checksums != Checksums::Drop);
            }
            if !self.chunks.is_empty() {
                // Without given blocks, blocks are cut from these.
                new = new.chunks(self.chunks).blocks(self.blocks);
            } else if !self.blocks.is_empty() {
                new = new.blocks(self.blocks);
            }
            let begun = if self.sparse { new.folder(path) } else { new.file(path, self.force) };
            return begun.map(Out::Array).map_err(|error| refused(path, error));
        }
        let size = new.typesize();
        let encoding = encoding.blocksize(self.bytes("blocks", self.blocks, size)?);
        let mut frame = new.encoding(encoding).flat().map_err(|error| refused(path, error))?;
        if !self.chunks.is_empty() {
            frame = frame.chunksize(self.bytes("chunks", self.chunks, size)?);
        }
        self.begin_frame(path, frame)
    }

    fn begin_frame(&self, path: &Path, frame: NewFrame) -> Result<Out> {
        // Checksums were compared before.
        let frame = match self.checksums {
            Some(checksums) => frame.checksums(checksums != Checksums::Drop),
            None => frame,
        };
        let frame = frame.unchecked(true);
        let begun = if self.sparse { frame.folder(path) } else { frame.file(path, self.force) };
        begun.map(Out::Frame).map_err(|error| refused(path, error))
    }

    /// The bytes of this many elements of a frame, which has one dimension; 0 by default.
    fn bytes(&self, what: &str, elements: &[u64], size: usize) -> Result<usize> {
        match elements {
            [] => Ok(0),
            [count] => {
                let count = usize::try_from(*count).ok().filter(|count| *count > 0);
                count.and_then(|count| count.checked_mul(size)).ok_or_else(|| {
                    Failure::usage(format!("--{what}: {elements:?} elements cannot be"))
                })
            }
            _ => Err(Failure::usage(format!(
                "a .b2frame has no shape: --{what} is one number of elements"
            ))),
        }
    }
}

impl Out {
    fn write(&mut self, bytes: &[u8]) -> asdf_bridge::blosc2::Result<()> {
        match self {
            Out::Array(array) => array.write(bytes),
            Out::Frame(frame) => frame.write(bytes),
        }
    }

    fn write_part(
        &mut self,
        array: &NdArray,
        indices: &[Index],
    ) -> asdf_bridge::blosc2::Result<()> {
        match self {
            Out::Array(out) => out.write_part(array, indices),
            Out::Frame(out) => out.write_part(array, indices),
        }
    }

    fn finish(self) -> asdf_bridge::blosc2::Result<()> {
        match self {
            Out::Array(array) => array.finish(),
            Out::Frame(frame) => frame.finish(),
        }
    }
}

/// Writes an array of any type that numpy has, with the metalayers of its frame. If its bytes are the bytes of numpy, it is
/// written block by block. Warns of losses under the name `path`.
///
/// # Errors
/// If reading or writing fails; if numpy or Blosc2 has no array for it.
pub(crate) fn of_selected(
    (selected, path): (&Selected, &str),
    beside: &Beside,
    to: &Path,
    options: &Options<'_>,
    mut lost: Lost,
) -> Result<()> {
    let mut new = |descr: &str, shape: &[u64]| {
        lost.array(path, descr.trim_matches('\''), shape);
        lost.warn();
        new(to, (descr, shape), beside, options)
    };
    let resolved = selected.resolved()?;
    let stacked = Stacked::of(resolved.as_ref().unwrap_or(selected));
    let Some(array) = stacked.as_ref().map(npy::Array::of).transpose()?.flatten() else {
        let (descr, shape, bytes) = export::array_of(selected)?;
        let mut out = new(&descr, &shape)?;
        let written = out.write(&bytes).and_then(|()| out.finish());
        return written.map_err(|error| refused(to, error));
    };
    let mut out = new(&array.descr, &array.shape)?;
    let mut failed = None;
    let read = array.for_each_block(&mut |block| {
        out.write(block).map_err(|error| {
            failed = Some(error);
            dudley::Error::Cancelled
        })
    });
    match failed {
        Some(error) => Err(refused(to, error)),
        None => {
            read?;
            out.finish().map_err(|error| refused(to, error))
        }
    }
}

fn new(
    to: &Path,
    (descr, shape): (&str, &[u64]),
    beside: &Beside,
    options: &Options<'_>,
) -> Result<Out> {
    // In `.npy` files each type is a literal of Python; here only a struct is.
    let dtype = descr.trim_matches('\'');
    let new = NewArray::new(shape, dtype).map_err(|error| refused(to, error))?;
    let encoding = options.like.clone().unwrap_or_else(|| Encoding::new(new.typesize()));
    options.begin(to, beside.with(new), encoding)
}

/// The compression of a frame, without the parts that depend on the type of its elements.
pub(crate) fn like(frame: &Frame) -> Option<Encoding> {
    let own = frame.encoding().ok()?;
    let shuffles = |filter: &&Filter| matches!(filter, Filter::Shuffle | Filter::BitShuffle);
    let filters: Vec<Filter> = own.filtered().iter().filter(shuffles).copied().collect();
    Some(own.filters(&filters).blocksize(0))
}

/// Writes a part of a frame anew, or all of it, with its metalayers, as an array if it is one and that is requested.
/// Its checksums were [compared](check). Returns false, and writes nothing, for a part that is not a part of a frame but an
/// array of its own.
///
/// # Errors
/// If reading or writing fails; options that do not fit it.
pub(crate) fn of_frame(
    frame: &Frame,
    name: &str,
    part: &Part,
    to: &Path,
    options: &Options<'_>,
) -> Result<bool> {
    let failed = |error| failure(name, error);
    part.check(frame, name)?;
    match frame.array().map_err(failed)? {
        Some(array) if !array.takes(&part.indices) => return Ok(false),
        Some(array) => {
            of_array(&array, name, part, to, options)?;
            let mut lost = Lost::new(options.medium());
            lost.array("/data", array.dtype(), array.shape());
            lost.warn();
        }
        None if options.array && part.data.is_some() => return Ok(false),
        None if options.array => {
            return Err(Failure::input(format!(
                "{name} is a frame without the shape of an array: it is written as a .b2frame"
            )));
        }
        None => match part.range(frame.nbytes())? {
            Some(range) => of_bytes(frame, name, (part, range), to, options)?,
            None => return Ok(false),
        },
    }
    Ok(true)
}

fn of_array(
    array: &NdArray,
    name: &str,
    part: &Part,
    to: &Path,
    options: &Options<'_>,
) -> Result<()> {
    let failed = |error| failure(name, error);
    array.check_dtype().map_err(|error| {
        failed(error).with_help(
            "`dudc salvage` leaves out the metalayer of the array, and keeps the bytes of its elements; \
             converted to .npy, .npz or .bd they are bytes",
        )
    })?;
    let new = NewArray::like_part(array, &part.indices).map_err(failed)?;
    let new = new.keep(|kind, name| part.keeps(kind, name));
    let (own, taken) = (array.frame().encoding().map_err(failed)?, new.encoded().clone());
    if options.filters.is_none() && own.filtered() != taken.filtered() {
        let list = |encoding: &Encoding| -> String {
            let names: Vec<_> = encoding.filtered().iter().map(Filter::to_string).collect();
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        };
        let why = if taken.filtered().len() < own.filtered().len() {
            "c-blosc2 has no such cells in its blocks"
        } else {
            "its cells are others"
        };
        let (taken, own) = (list(&taken), list(&own));
        warn(&format!("the filters of this part are {taken}, not {own}: {why}"));
    }
    let mut out = options.begin(to, new, taken)?;
    let written = out.write_part(array, &part.indices).and_then(|()| out.finish());
    written.map_err(|error| refused(to, error))
}

/// Writes a range of the bytes of a frame without an array.
fn of_bytes(
    frame: &Frame,
    name: &str,
    (part, range): (&Part, Range<u64>),
    to: &Path,
    options: &Options<'_>,
) -> Result<()> {
    let failed = |error| failure(name, error);
    let mut new = NewFrame::like(frame).map_err(failed)?;
    new = new.keep(|kind, name| part.keeps(kind, name));
    let (size, whole) = (frame.typesize(), 0..frame.nbytes());
    let mut own = frame.encoding().map_err(failed)?;
    let within = |at: u64| !at.is_multiple_of(size as u64) && at != whole.end;
    if (within(range.start) || within(range.end)) && !own.filtered().is_empty() {
        own = own.filters(&[]);
        if options.filters.is_none() {
            warn(&format!(
                "the slice begins or ends within an element of {size} bytes: it has no filters"
            ));
        }
    }
    let mut encoding = options.encoding(own)?;
    if options.codec.is_some() || !options.blocks.is_empty() {
        // Good blocks for another codec may be bad for this one.
        encoding = encoding.blocksize(options.bytes("blocks", options.blocks, size)?);
    }
    if !options.chunks.is_empty() {
        new = new.chunksize(options.bytes("chunks", options.chunks, size)?);
    }
    let Out::Frame(mut out) = options.begin_frame(to, new.encoding(encoding))? else {
        return Ok(());
    };
    let written =
        if range == whole { out.write_frame(frame) } else { out.write_frame_range(frame, range) };
    written.and_then(|()| out.finish()).map_err(|error| refused(to, error))
}

fn refused(to: &Path, error: asdf_bridge::blosc2::Error) -> Failure {
    match error {
        asdf_bridge::blosc2::Error::Engine { source, .. } => source.into(),
        error => failure(&file_name(&to), error),
    }
}
