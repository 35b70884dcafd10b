//! Blosc2 arrays and frames written: of an array of numpy, a stream or a file, or of a frame anew.

use std::path::Path;

use asdf_bridge::blosc2::{
    ArrayWriter, Codec, Encoding, Filter, Frame, FrameWriter, NewArray, NewFrame,
};
use dudley::select::{Selected, select};

use crate::export;
use crate::failure::{Failure, Result};
use crate::frame::failure;
use crate::npy;

/// How a frame is written.
pub(crate) struct Options<'o> {
    /// With the shape and type of an array; else only its bytes.
    pub(crate) array: bool,
    /// The codec, with a level behind a colon if need be.
    pub(crate) codec: Option<&'o str>,
    /// The filters, if they are said.
    pub(crate) filters: &'o [Filter],
    /// The shapes of chunks and blocks, in elements, if they are said.
    pub(crate) chunks: &'o [u64],
    pub(crate) blocks: &'o [u64],
    /// Whether chunks are files of a folder.
    pub(crate) sparse: bool,
    /// Whether there are checksums.
    pub(crate) checksums: bool,
    /// Whether a file that exists is overwritten.
    pub(crate) force: bool,
    /// So many threads; 0 if nobody said.
    pub(crate) threads: usize,
}

/// A frame that is being written.
enum Out {
    Array(ArrayWriter),
    Frame(FrameWriter),
}

/// Reads the name of a filter, with its argument.
pub(crate) fn parse_filter(text: &str) -> std::result::Result<Filter, String> {
    Filter::of_name(text).ok_or_else(|| {
        format!(
            "`{text}` is none of shuffle, bitshuffle, delta, bytedelta, trunc_prec:BITS, \
             int_trunc:BITS, ndcell:SIDE, ndmean:SIDE"
        )
    })
}

impl Options<'_> {
    /// What is said, and of what is not said what another encoding has.
    fn encoding(&self, otherwise: Encoding) -> Result<Encoding> {
        let mut encoding = otherwise;
        if self.threads > 0 {
            encoding = encoding.threads(self.threads);
        }
        if !self.filters.is_empty() {
            encoding = encoding.filters(self.filters);
        }
        let Some(text) = self.codec else { return Ok(encoding) };
        let (name, level) = match text.split_once(':') {
            Some((name, level)) => (name, Some(level)),
            None => (text, None),
        };
        if let ("none", None) = (name, level) {
            return Ok(encoding.level(0));
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
        // A frame that has dictionaries may get a codec without any.
        let encoding = if codec.has_dictionaries() { encoding } else { encoding.dictionary(false) };
        Ok(encoding.codec(codec).level(level))
    }

    /// Begins a new array, or the frame of its bytes.
    fn begin(&self, path: &Path, new: NewArray, otherwise: Encoding) -> Result<Out> {
        let encoding = self.encoding(otherwise)?;
        if self.array {
            let mut new = new.encoding(encoding);
            if self.checksums {
                new = new.checksums(true);
            }
            if !self.chunks.is_empty() {
                // Blocks that are not said are cut from these.
                new = new.chunks(self.chunks).blocks(self.blocks);
            } else if !self.blocks.is_empty() {
                new = new.blocks(self.blocks);
            }
            let begun = if self.sparse { new.folder(path) } else { new.file(path, self.force) };
            return begun.map(Out::Array).map_err(|error| refused(path, error));
        }
        let size = new.typesize();
        let encoding = encoding.blocksize(self.bytes("blocks", self.blocks, size)?);
        let mut frame = NewFrame::new(encoding);
        if !self.chunks.is_empty() {
            frame = frame.chunksize(self.bytes("chunks", self.chunks, size)?);
        }
        self.begin_frame(path, frame)
    }

    fn begin_frame(&self, path: &Path, frame: NewFrame) -> Result<Out> {
        let frame = if self.checksums { frame.checksums(true) } else { frame };
        let begun = if self.sparse { frame.folder(path) } else { frame.file(path, self.force) };
        begun.map(Out::Frame).map_err(|error| refused(path, error))
    }

    /// Bytes of so many elements of a frame, which has one dimension; 0 if nothing is said.
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

    fn finish(self) -> asdf_bridge::blosc2::Result<()> {
        match self {
            Out::Array(array) => array.finish(),
            Out::Frame(frame) => frame.finish(),
        }
    }
}

/// Writes an array of any kind that numpy has, block by block where its bytes are those of numpy.
///
/// # Errors
/// What reading and writing say; if numpy has no array for it; what Blosc2 has no form for.
pub(crate) fn of_selected(selected: &Selected, to: &Path, options: &Options<'_>) -> Result<()> {
    let data = selected.data();
    let direct = data.and_then(|data| Some((data, npy::descr(data, data.shape())?)));
    let Some((data, (descr, shape))) = direct else {
        let (descr, shape, bytes) = export::array_of(selected)?;
        let mut out = new(to, &descr, &shape, options)?;
        let written = out.write(&bytes).and_then(|()| out.finish());
        return written.map_err(|error| refused(to, error));
    };
    let mut out = new(to, &descr, &shape, options)?;
    let mut failed = None;
    let read = data.for_each_block(&mut |block| {
        out.write(&npy::numpy_bytes(Some(data.dtype()), block)).map_err(|error| {
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

fn new(to: &Path, descr: &str, shape: &[u64], options: &Options<'_>) -> Result<Out> {
    // A type is a literal of Python in `.npy` files, and here only if it is a struct.
    let dtype = descr.trim_matches('\'');
    let new = NewArray::new(shape, dtype).map_err(|error| refused(to, error))?;
    let encoding = Encoding::new(new.typesize());
    options.begin(to, new, encoding)
}

/// Writes a frame anew, with its metalayers, as an array if it is one and that is asked for.
///
/// # Errors
/// What reading and writing say; options that do not fit it.
pub(crate) fn of_frame(frame: &Frame, name: &str, to: &Path, options: &Options<'_>) -> Result<()> {
    let failed = |error| failure(name, error);
    let own = frame.encoding().map_err(failed)?;
    if let Some(array) = frame.array().map_err(failed)? {
        if !options.array {
            let stream = frame.stream().map_err(failed)?;
            return of_selected(&select(&stream, "/data")?, to, options);
        }
        let new = NewArray::like(&array).map_err(failed)?;
        let Out::Array(mut out) = options.begin(to, new, own)? else { return Ok(()) };
        return out.write_array(&array).and_then(|()| out.finish()).map_err(|e| refused(to, e));
    }
    if options.array {
        return Err(Failure::input(format!(
            "{name} is a frame without the shape of an array: it is written as a .b2frame"
        )));
    }
    let mut new = NewFrame::like(frame).map_err(failed)?;
    let size = frame.typesize();
    let mut encoding = options.encoding(own)?;
    if options.codec.is_some() || !options.blocks.is_empty() {
        // Blocks that suited another codec may not suit this one.
        encoding = encoding.blocksize(options.bytes("blocks", options.blocks, size)?);
    }
    if !options.chunks.is_empty() {
        new = new.chunksize(options.bytes("chunks", options.chunks, size)?);
    }
    let Out::Frame(mut out) = options.begin_frame(to, new.encoding(encoding))? else {
        return Ok(());
    };
    out.write_frame(frame).and_then(|()| out.finish()).map_err(|error| refused(to, error))
}

fn refused(to: &Path, error: asdf_bridge::blosc2::Error) -> Failure {
    match error {
        asdf_bridge::blosc2::Error::Engine { source, .. } => source.into(),
        error => failure(&to.display().to_string(), error),
    }
}
