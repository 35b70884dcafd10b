//! One file that all ranks read, each its part, with any number of ranks that wrote it.

use std::path::Path;

use ndarray::{ArrayBase, DataMut, Dimension};

use super::blocks::{Blocks, slice_of};
use super::{Communicator, agree, first};
use crate::elements::element::Element;
use crate::error::{Error, Result};
use crate::read::stream::{Open, Stream};

/// Opens a file on all ranks: rank 0 reads its layout and params, and hands them to the others. A collective call.
///
/// # Errors
/// [`Error::OfRank`], the same on all ranks: as [`Stream::open`].
pub fn open<C: Communicator + ?Sized>(comm: &C, path: impl AsRef<Path>) -> Result<Reader> {
    let path = path.as_ref();
    let (opened, told) = first(comm, || {
        let stream = Stream::open(path)?;
        let told = head(&stream);
        Ok((stream, told))
    })?;
    let opened = match opened {
        Some(stream) => Ok(stream),
        None => join(&told, path),
    };
    Ok(Reader { stream: agree(comm, opened)?, rank: comm.rank() })
}

/// The params of a stream that are known without its lists, and the text of its layout.
fn head(stream: &Stream) -> Vec<u8> {
    let layout = stream.layout();
    let mut told = Vec::new();
    for (id, _) in layout.params() {
        let path = layout.param_path(id);
        let (dict, name) = path.rsplit_once('/').unwrap_or(("", &path));
        // Others are read where they are needed.
        let found = stream.get(&format!("{dict}/:{name}")).and_then(|it| it.param_value());
        if let Ok(value) = found {
            told.extend(format!("{value} {path}\n").into_bytes());
        }
    }
    told.push(b'\n');
    told.extend_from_slice(layout.text().as_bytes());
    told
}

/// Opens a file with what rank 0 has sent.
fn join(told: &[u8], path: &Path) -> Result<Stream> {
    let wrong = || Error::wrong_length(1, told.len() as u64);
    let told = std::str::from_utf8(told).map_err(|_| wrong())?;
    let mut open = Open::new().native();
    let mut rest = told;
    loop {
        let (line, next) = rest.split_once('\n').ok_or_else(wrong)?;
        rest = next;
        if line.is_empty() {
            return open.layout_text(rest)?.file(path);
        }
        let (value, name) = line.split_once(' ').ok_or_else(wrong)?;
        open = open.param(name, value.parse::<i64>().map_err(|_| wrong())?);
    }
}

/// A file as one of several ranks reads it: see [`open`]. Reading is no collective call, and sends nothing.
#[derive(Clone, Debug)]
pub struct Reader {
    stream: Stream,
    rank: usize,
}

impl Reader {
    /// The stream, for all that is read without blocks.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Reads the block of this rank, and of its ghost cells those that are elements of the array; others stay as they
    /// are. `array` has its [shape in memory](super::Block::memory_shape). A rank without a block reads nothing.
    ///
    /// # Errors
    /// [`Error::WrongShape`]; as [`crate::Data::read`].
    pub fn read_block<T: Element, S: DataMut<Elem = T>, D: Dimension>(
        &self,
        path: &str,
        blocks: &Blocks,
        array: &mut ArrayBase<S, D>,
    ) -> Result<()> {
        let block = blocks.block(self.rank);
        let shape = self.stream.get(path)?.shape()?;
        if !shape.starts_with(blocks.shape()) {
            return Err(Error::wrong_shape(path, &shape, blocks.shape()));
        }
        if !blocks.has(self.rank) {
            return Ok(());
        }
        block.check(path, array.shape())?;
        if block.is_empty() {
            return Ok(());
        }
        let elements = block.with_ghosts();
        let picked = self.stream.select(&slice_of(path, &elements))?;
        let mut array = array.view_mut().into_dyn();
        let own = block.slice_in_memory(&elements, array.ndim());
        let mut own = array.slice_mut(&own[..]);
        match own.as_slice_mut() {
            Some(buffer) => picked.read_into(buffer),
            None => {
                let read = picked.read::<T>()?;
                if read.shape() != own.shape() {
                    let sizes =
                        |shape: &[usize]| shape.iter().map(|it| *it as u64).collect::<Vec<_>>();
                    return Err(Error::wrong_shape(
                        path,
                        &sizes(read.shape()),
                        &sizes(own.shape()),
                    ));
                }
                own.assign(&read);
                Ok(())
            }
        }
    }
}
