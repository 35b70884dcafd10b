//! What is there of a frame that may be cut off or damaged: its index if it can be read, its trailer too; where the
//! index cannot be, the chunks as they lie.

use std::sync::Arc;

use dudley::source::{Source, Window};

use super::Frame;
use super::head::Head;
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
    index: Option<Error>,
    trailer: Option<Error>,
}

impl Found {
    /// All of a frame as its header says.
    pub(super) fn all(source: Arc<dyn Source>) -> Result<Found> {
        let head = Head::read(&source)?;
        let source = cut(&source, head.frame_len)?;
        let trailer = Trailer::read(&source, &head)?;
        let index = Index::open(&*source, &head, trailer.start)?;
        Ok(Found { source, head, trailer, index, passed: Passed::default() })
    }

    /// What there is of a frame.
    pub(super) fn some(source: Arc<dyn Source>) -> Result<Found> {
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
        let index = Index::open(&*source, &head, trailer.start);
        let index = match index.and_then(|index| index.check(&*source).map(|()| index)) {
            Ok(index) => index,
            Err(why) => {
                passed.index = Some(why);
                head.cbytes = head.frame_len - head.len;
                Index::walk(&*source, &head)?
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
    /// Why the index is passed over, in a frame that was opened [so](super::Options::walked); none where it is used.
    pub fn index_passed(&self) -> Option<&Error> {
        self.inner.passed.index.as_ref()
    }

    /// Why the trailer is passed over, with all metalayers of variable size; none where it is read.
    pub fn trailer_passed(&self) -> Option<&Error> {
        self.inner.passed.trailer.as_ref()
    }
}
