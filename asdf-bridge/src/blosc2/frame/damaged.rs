//! The readable parts of a frame that may be cut off or damaged: its index and its trailer; if the
//! index cannot be read, the chunks in their order.

use std::sync::Arc;

use dudley::bytes::{Source, Window};

use super::Frame;
use super::files::Files;
use super::header::Head;
use super::index::Index;
use super::trailer::Trailer;
use crate::blosc2::error::{Error, Part, Result};

/// What all of a frame is found by.
pub(super) struct Found {
    pub(super) source: Arc<dyn Source>,
    pub(super) head: Head,
    pub(super) trailer: Trailer,
    pub(super) index: Index,
    pub(super) passed: Passed,
}

/// Why something of a frame is passed over.
#[derive(Debug, Default)]
pub(super) struct Passed {
    header: Option<Error>,
    index: Option<Error>,
    trailer: Option<Error>,
}

impl Found {
    /// All of a frame as its header says.
    pub(super) fn all(source: Arc<dyn Source>) -> Result<Found> {
        let mut head = Head::read(&source)?;
        let source = cut(&source, head.frame_len)?;
        let trailer = Trailer::read(&source, &head)?;
        head.leave_out_taken(trailer.start);
        let index = Index::open(&*source, &head, trailer.start)?;
        Ok(Found { source, head, trailer, index, passed: Passed::default() })
    }

    /// Chunks that are files of their own, where nothing else of their frame is there, for a reason, or they have none.
    pub(super) fn of_files(files: &Files, why: Option<Error>) -> Result<Found> {
        let source: Arc<dyn Source> = Arc::new(files.header()?);
        let (head, _) = Head::read_cut(&source)?;
        let (trailer, index) = (Trailer::none(&head), Index::of_files(files, &head)?);
        let passed = Passed { index: why.as_ref().map(Error::again), header: why, trailer: None };
        Ok(Found { source, head, trailer, index, passed })
    }

    /// What there is of a frame.
    pub(super) fn some(source: Arc<dyn Source>, files: Option<&Files>) -> Result<Found> {
        let (mut head, said) = Head::read_cut(&source)?;
        let mut passed = Passed::default();
        let mut trailer = None;
        // The header may be wrong about the length, where the file is not.
        for length in [said, source.len()] {
            if trailer.is_some() || !(head.len..=source.len()).contains(&length) {
                continue;
            }
            head.frame_len = length;
            match Trailer::read(&cut(&source, length)?, &head) {
                Ok(read) => (trailer, passed.trailer) = (Some(read), None),
                Err(why) => passed.trailer = passed.trailer.or(Some(why)),
            }
        }
        let source = cut(&source, head.frame_len)?;
        let trailer = trailer.unwrap_or_else(|| Trailer::none(&head));
        head.leave_out_taken(trailer.start);
        let index = Index::open(&*source, &head, trailer.start);
        let index = match index.and_then(|index| index.check(&*source).map(|()| index)) {
            Ok(index) => index,
            Err(why) => {
                passed.index = Some(why);
                match files {
                    Some(files) => Index::of_files(files, &head)?,
                    None => {
                        head.cbytes = head.frame_len - head.len;
                        Index::walk(&*source, &head)?
                    }
                }
            }
        };
        Ok(Found { source, head, trailer, index, passed })
    }
}

fn cut(source: &Arc<dyn Source>, length: u64) -> Result<Arc<dyn Source>> {
    let window = Window::new(source.clone(), 0, length).map_err(Error::engine(Part::Header))?;
    Ok(Arc::new(window))
}

impl Frame {
    /// Why the header is passed over, with all metalayers, in a frame of which only chunks are there that are files of
    /// their own; `None` where it is read.
    pub fn header_passed(&self) -> Option<&Error> {
        self.inner.passed.header.as_ref()
    }

    /// Why the index is passed over, in a frame that was opened [so](super::Options::walked); `None` where it is used.
    pub fn index_passed(&self) -> Option<&Error> {
        self.inner.passed.index.as_ref()
    }

    /// That chunks of any size are missing behind those that are there, where the index is passed over: how many, only
    /// that said.
    pub(super) fn missing_behind(&self) -> Option<Error> {
        let inner = &*self.inner;
        inner.passed.index.as_ref().filter(|_| inner.head.chunksize.is_none())?;
        let there = (0..self.chunk_count()).filter_map(|number| self.chunk(number).ok());
        let (count, bytes) = there.fold((0, 0_u64), |(count, bytes), chunk| {
            (count + 1, bytes.saturating_add(chunk.nbytes()))
        });
        let missing = inner.head.nbytes.saturating_sub(bytes);
        (missing > 0).then(|| {
            let expected = format!("chunks of {} decoded bytes", inner.head.nbytes);
            let found = format!("{count} of {bytes}, {missing} less, in nobody knows how many");
            Error::damaged(Part::Index, inner.index.place().start, expected, found)
        })
    }

    /// Why the trailer is passed over, with all metalayers of variable size; `None` where it is read.
    pub fn trailer_passed(&self) -> Option<&Error> {
        self.inner.passed.trailer.as_ref()
    }
}
