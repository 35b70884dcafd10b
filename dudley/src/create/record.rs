//! One record of a list that is put together before it is appended.
//!
//! Its parts go to their bytes at once, each found by its name. Whatever else is done with them, such as writing
//! a slice, goes the way of all items: the record becomes a stream of its own for it.

use std::fmt;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::given::Piece;
use super::writing::{PutPart, RecordParts, Shared, Writing};
use crate::append::Blank;
use crate::error::{Error, Result};
use crate::read::item::Item;
use crate::read::path::join;

/// A record that is being put together.
pub(crate) struct NewRecord {
    blank: Blank,
    state: Mutex<State>,
    /// What writes it as a stream, once something asked for that.
    stream: OnceLock<Writing>,
}

#[derive(Default)]
struct State {
    bytes: Vec<u8>,
    /// Which parts are there.
    written: Vec<bool>,
    /// The bytes went to a stream, or to the list.
    gone: bool,
}

impl fmt::Debug for NewRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewRecord").field("list", &self.blank.path()).finish_non_exhaustive()
    }
}

impl NewRecord {
    pub(crate) fn new(blank: Blank) -> NewRecord {
        let mut record = NewRecord { blank, state: Mutex::default(), stream: OnceLock::new() };
        record.begin();
        record
    }

    /// Begins another record in the memory of this one, if `renew` makes it that.
    pub(crate) fn renew(&mut self, renew: impl FnOnce(&mut Blank) -> bool) -> bool {
        let is_renewed = renew(&mut self.blank);
        if is_renewed {
            self.stream = OnceLock::new();
            self.begin();
        }
        is_renewed
    }

    fn begin(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        state.bytes.clear();
        state.bytes.extend_from_slice(self.blank.template());
        state.written.clear();
        state.written.resize(self.blank.parts(), false);
        state.gone = false;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What failed half way is not marked as written.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn blank(&self) -> &Blank {
        &self.blank
    }

    /// Hands on all bytes, if each part was written.
    ///
    /// # Errors
    /// [`Error::Missing`]; if `push` fails.
    pub(crate) fn complete(&self, push: impl FnOnce(&[u8]) -> Result<()>) -> Result<()> {
        match self.stream.get() {
            Some(writing) => self.complete_stream(writing, push),
            None => self.state().complete(&self.blank, push),
        }
    }

    /// As [`Self::complete`], where nothing of it is held any more: so nothing is locked.
    ///
    /// # Errors
    /// As [`Self::complete`].
    pub(crate) fn complete_own(&mut self, push: impl FnOnce(&[u8]) -> Result<()>) -> Result<()> {
        if let Some(writing) = self.stream.get() {
            return self.complete_stream(writing, push);
        }
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        state.complete(&self.blank, push)
    }

    fn complete_stream(
        &self,
        writing: &Writing,
        push: impl FnOnce(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let (item, _) = self.blank.item()?;
        let paths = self.blank.wanted().map(|(_, name)| of_part(item.path(), name));
        let missing: Vec<String> = paths.filter(|path| !writing.is_written(path)).collect();
        match missing.as_slice() {
            [] => push(&writing.take_bytes()?),
            _ => Err(writing.parts_missing(Error::Missing { paths: missing })),
        }
    }
}

impl State {
    fn complete(&mut self, blank: &Blank, push: impl FnOnce(&[u8]) -> Result<()>) -> Result<()> {
        let is_missing = |part: usize| !self.written.get(part).copied().unwrap_or(false);
        if blank.wanted().any(|(part, _)| is_missing(part)) {
            let (item, _) = blank.item()?;
            let missing = blank.wanted().filter(|(part, _)| is_missing(*part));
            let paths = missing.map(|(_, name)| of_part(item.path(), name)).collect();
            return Err(Error::Missing { paths });
        }
        self.gone = true;
        push(&self.bytes)
    }
}

impl RecordParts for NewRecord {
    fn stream(&self) -> &Shared {
        let writing = self.stream.get_or_init(|| {
            let mut state = self.state();
            let was_gone = std::mem::replace(&mut state.gone, true);
            let Ok((item, address)) = self.blank.item() else {
                return Writing::nothing(self.blank.ahead().clone());
            };
            let bytes = std::mem::take(&mut state.bytes);
            let writing = Writing::record(&item, address, bytes, self.blank.filters().clone());
            if was_gone {
                // It is in the list already: nothing is written any more.
                let _ = writing.take_bytes();
            }
            let written = state.written.iter().enumerate().filter(|(_, written)| **written);
            let mut given = writing.shared().given();
            for (part, _) in written {
                given.items.insert(of_part(item.path(), self.blank.name(part)), Piece::Written);
            }
            drop(given);
            writing
        });
        writing.shared()
    }

    fn child(&self, of: usize, name: &str) -> Option<usize> {
        self.blank.child(of, name)
    }

    fn item(&self, of: usize) -> Result<Item> {
        let (mut item, _) = self.blank.item()?;
        for name in self.blank.names(of) {
            let why = "the record has no such item";
            let absent =
                || Error::NoSuchItem { path: join(item.path(), name).into(), why: why.into() };
            item = item.child(name).ok_or_else(absent)?;
        }
        Ok(item)
    }

    fn put(&self, of: usize, put: PutPart<'_>) -> bool {
        let Some(part) = self.blank.part(of) else { return false };
        let state = &mut *self.state();
        let Some(written) = state.written.get_mut(part) else { return false };
        if state.gone {
            return false;
        }
        *written = put(&self.blank, part, &mut state.bytes).is_ok();
        *written
    }
}

/// The path of a part of a record.
fn of_part(record: &str, name: &str) -> String {
    if name.is_empty() { record.to_owned() } else { format!("{record}/{name}") }
}
