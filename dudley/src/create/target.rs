//! Where a writer puts bytes: a file, a part of one, one that several share, memory, a sink that cannot go back.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::bytes::lock::is_still;
use crate::bytes::output::{AtomicFile, Output};
use crate::bytes::positioned::Positioned;
use crate::bytes::region::Row;
use crate::bytes::signature::{LEN, Signature, is_native};
use crate::bytes::source::{FileSource, Held, Piece, Source};
use crate::elements::scatter::{WriteAt, rewrite_row, row_into, write_runs};
use crate::error::{Error, Result};

/// Takes bytes from many threads, until it is finished.
pub(crate) enum Target {
    File(RwLock<Option<AtomicFile>>),
    Within(RwLock<Option<Within>>),
    Memory(RwLock<Memory>),
    Sink(Mutex<Sink>),
}

/// A stream that is written in place: its signature says that it is not finished until it is.
pub(crate) struct Within {
    file: Positioned,
    base: u64,
    /// The signature, once all else is written: it is written last, and says that the rest is there.
    signature: Option<[u8; LEN as usize]>,
    has_signature: bool,
    /// Whether the file has nothing else.
    is_whole: bool,
    /// What is removed if it comes to nothing.
    made: Option<PathBuf>,
    /// The same file, which gets its name once it is complete.
    aside: Option<AtomicFile>,
}

impl Within {
    /// Takes back what made a stream of what was there: it is not whole any more.
    fn mark(&self, signature: Signature) -> Result<()> {
        let mut head = [0; 8];
        let read = self.file.read_at(self.base, &mut head);
        read.map_err(|error| Error::io("cannot read the file", error))?;
        self.write(0, &signature.unfinished())?;
        // Before anything else is: a crash must not leave what is new under a signature that is old.
        if is_native(&head) { self.sync() } else { Ok(()) }
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<()> {
        let end = self.base.checked_add(address).and_then(|at| at.checked_add(bytes.len() as u64));
        let end = end.ok_or_else(|| Error::too_large(u64::MAX))?;
        let written = self.file.write_at(end - bytes.len() as u64, bytes);
        written.map_err(|error| {
            let what = format!("cannot write {} bytes at address {address}", bytes.len());
            Error::io(what, error)
        })
    }

    /// Makes all durable, and then the signature.
    fn complete(&mut self) -> Result<()> {
        self.sync()?;
        if let Some(signature) = self.signature.take() {
            self.write(0, &signature)?;
            self.sync()?;
        }
        self.aside.take().map_or(Ok(()), AtomicFile::commit)
    }

    fn sync(&self) -> Result<()> {
        self.file.file().sync_all().map_err(|error| Error::io("cannot complete the file", error))
    }
}

impl Output for Within {
    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        match bytes.try_into() {
            Ok(signature) if address == 0 && self.has_signature => {
                self.signature = Some(signature);
                Ok(())
            }
            _ => self.write(address, bytes),
        }
    }

    fn grow(&mut self, length: u64) -> Result<()> {
        let end = self.base.checked_add(length).ok_or_else(|| Error::too_large(u64::MAX))?;
        let io = |error| Error::io("cannot extend the file", error);
        let file = self.file.file();
        if file.metadata().map_err(io)?.len() < end {
            file.set_len(end).map_err(io)?;
        }
        Ok(())
    }

    fn lend(&mut self, reader: &mut dyn FnMut(Arc<dyn Source>)) -> Result<()> {
        if self.is_whole {
            let file = self.file.file().try_clone();
            let file = file.map_err(|error| Error::io("cannot read the file", error))?;
            let signature = self.signature.map(|it| Piece { address: 0, bytes: it.to_vec() });
            let held = Held::new(Arc::new(FileSource::new(file)?), signature.into_iter().collect());
            reader(Arc::new(held));
        }
        Ok(())
    }
}

pub(crate) struct Memory {
    bytes: Vec<u8>,
    /// The address of the first of them.
    base: u64,
    finished: bool,
}

pub(crate) struct Sink {
    out: Box<dyn Write + Send>,
    /// What is written by itself, by address; nothing if all is kept until the end.
    fixed: Option<BTreeMap<u64, Vec<u8>>>,
    /// The address of the next byte.
    at: u64,
    finished: bool,
}

/// Writes a whole stream into an output.
pub(crate) type WriteAll<'w> = &'w mut dyn FnMut(&mut dyn Output) -> Result<()>;

impl Target {
    pub(crate) fn file(file: AtomicFile) -> Target {
        Target::File(RwLock::new(Some(file)))
    }

    /// A part of a file from a byte on, made this many bytes long; not finished, if it has a signature.
    pub(crate) fn within(
        file: File,
        base: u64,
        len: u64,
        signature: Option<Signature>,
    ) -> Result<Target> {
        if !base.is_multiple_of(16) {
            return Err(Error::WrongValue {
                item: crate::error::Item::UNKNOWN,
                expected: "a base that is a multiple of 16".into(),
                found: base.to_string().into(),
            });
        }
        let mut within = Within {
            file: Positioned::new(file),
            base,
            signature: None,
            has_signature: signature.is_some(),
            is_whole: false,
            made: None,
            aside: None,
        };
        if let Some(signature) = signature {
            within.mark(signature)?;
        }
        within.grow(len)?;
        Ok(Target::Within(RwLock::new(Some(within))))
    }

    /// A file that others write, too. `made` is its path if this process made it.
    pub(crate) fn shared(file: File, has_signature: bool, made: Option<PathBuf>) -> Target {
        Target::Within(RwLock::new(Some(Within {
            file: Positioned::new(file),
            base: 0,
            signature: None,
            has_signature,
            is_whole: true,
            made,
            aside: None,
        })))
    }

    /// A file that others write, too, under a temporary name.
    pub(crate) fn aside(file: File, has_signature: bool, aside: AtomicFile) -> Target {
        Target::Within(RwLock::new(Some(Within {
            file: Positioned::new(file),
            base: 0,
            signature: None,
            has_signature,
            is_whole: true,
            made: None,
            aside: Some(aside),
        })))
    }

    /// Memory of this many bytes, all 0.
    pub(crate) fn memory(len: u64) -> Result<Target> {
        let bytes = crate::elements::buffer::zeros(len)?;
        Ok(Target::Memory(RwLock::new(Memory { bytes, base: 0, finished: false })))
    }

    /// Memory that is there already, from an address of the stream on.
    pub(crate) fn memory_at(base: u64, bytes: Vec<u8>) -> Target {
        Target::Memory(RwLock::new(Memory { bytes, base, finished: false }))
    }

    /// Nothing: whatever is written is refused.
    pub(crate) fn nothing() -> Target {
        Target::Memory(RwLock::new(Memory { bytes: Vec::new(), base: 0, finished: true }))
    }

    /// A sink into which bytes go in the order of their addresses; `fixed` are those of params,
    /// constants, signature and layout.
    pub(crate) fn ordered(out: Box<dyn Write + Send>, fixed: BTreeMap<u64, Vec<u8>>) -> Target {
        Target::Sink(Mutex::new(Sink { out, fixed: Some(fixed), at: 0, finished: false }))
    }

    /// A sink into which everything goes at the end.
    pub(crate) fn collected_sink(out: Box<dyn Write + Send>) -> Target {
        Target::Sink(Mutex::new(Sink { out, fixed: None, at: 0, finished: false }))
    }

    /// Whether it is a whole file, and not finished.
    pub(super) fn is_file(&self) -> bool {
        match self {
            Target::File(file) => file.read().unwrap_or_else(PoisonError::into_inner).is_some(),
            Target::Within(part) => {
                let part = part.read().unwrap_or_else(PoisonError::into_inner);
                part.as_ref().is_some_and(|part| part.is_whole)
            }
            Target::Memory(_) | Target::Sink(_) => false,
        }
    }

    /// That it is not finished.
    pub(crate) fn check_open(&self) -> Result<()> {
        let open = match self {
            Target::File(file) => file.read().unwrap_or_else(PoisonError::into_inner).is_some(),
            Target::Within(part) => part.read().unwrap_or_else(PoisonError::into_inner).is_some(),
            Target::Memory(memory) => {
                !memory.read().unwrap_or_else(PoisonError::into_inner).finished
            }
            Target::Sink(sink) => !sink.lock().unwrap_or_else(PoisonError::into_inner).finished,
        };
        if open { Ok(()) } else { Err(Error::Finished) }
    }

    /// Puts bytes to an address.
    pub(crate) fn put(&self, address: u64, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            // An item without bytes may have any address.
            return self.check_open();
        }
        match self {
            Target::Within(part) => match &*part.read().unwrap_or_else(PoisonError::into_inner) {
                Some(part) => part.write(address, bytes),
                None => Err(Error::Finished),
            },
            Target::File(file) => match &*file.read().unwrap_or_else(PoisonError::into_inner) {
                Some(file) => file.write_within(address, bytes),
                None => Err(Error::Finished),
            },
            Target::Memory(memory) => {
                let mut memory = memory.write().unwrap_or_else(PoisonError::into_inner);
                match address.checked_sub(memory.base) {
                    _ if memory.finished => Err(Error::Finished),
                    Some(at) => memory.bytes.put(at, bytes),
                    None => Err(Error::truncated(address, bytes.len() as u64, 0)),
                }
            }
            Target::Sink(sink) => {
                sink.lock().unwrap_or_else(PoisonError::into_inner).put(address, bytes)
            }
        }
    }

    /// Puts equally spaced runs to a file that no one else writes to, with what lies between them.
    fn put_back(&self, row: &Row, bytes: &[u8]) -> Result<bool> {
        let Target::File(file) = self else { return Ok(false) };
        // What lies between may be written by another thread meanwhile, so this takes all of it.
        let mut file = file.write().unwrap_or_else(PoisonError::into_inner);
        let file = RefCell::new(file.as_mut().ok_or(Error::Finished)?);
        rewrite_row(
            row,
            bytes,
            &mut |address, to| file.borrow_mut().read_at(address, to),
            &mut |address, from| file.borrow().write_within(address, from),
        )?;
        Ok(true)
    }

    /// Completes the stream with what `write` writes.
    pub(crate) fn finish(&self, write: WriteAll<'_>) -> Result<()> {
        match self {
            Target::File(file) => {
                let mut file = file.write().unwrap_or_else(PoisonError::into_inner);
                let Some(mut whole) = file.take() else { return Err(Error::Finished) };
                match write(&mut whole) {
                    Ok(()) => whole.commit(),
                    Err(error) => {
                        // It can be finished once what is missing is there.
                        *file = Some(whole);
                        Err(error)
                    }
                }
            }
            Target::Within(part) => {
                let mut part = part.write().unwrap_or_else(PoisonError::into_inner);
                let Some(open) = part.as_mut() else { return Err(Error::Finished) };
                write(open)?;
                open.complete()?;
                *part = None;
                Ok(())
            }
            Target::Memory(memory) => {
                let mut memory = memory.write().unwrap_or_else(PoisonError::into_inner);
                if memory.finished {
                    return Err(Error::Finished);
                }
                write(&mut memory.bytes)?;
                memory.finished = true;
                Ok(())
            }
            Target::Sink(sink) => sink.lock().unwrap_or_else(PoisonError::into_inner).finish(write),
        }
    }

    /// Makes durable what was written; nothing is finished by that.
    pub(crate) fn sync(&self) -> Result<()> {
        match self {
            Target::Within(part) => match &*part.read().unwrap_or_else(PoisonError::into_inner) {
                Some(part) => part.sync(),
                None => Err(Error::Finished),
            },
            _ => self.check_open(),
        }
    }

    /// Ends it without finishing it: what is new is gone.
    pub(crate) fn abort(&self) {
        match self {
            // Its temporary name goes with it.
            Target::File(file) => {
                drop(file.write().unwrap_or_else(PoisonError::into_inner).take());
            }
            Target::Within(part) => {
                let part = part.write().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(Within { file, made: Some(path), .. }) = part
                    && is_still(file.file(), &path)
                {
                    // It cannot be opened if it stays.
                    let _ = std::fs::remove_file(path);
                }
            }
            Target::Memory(memory) => {
                let mut memory = memory.write().unwrap_or_else(PoisonError::into_inner);
                (memory.bytes, memory.finished) = (Vec::new(), true);
            }
            Target::Sink(sink) => {
                sink.lock().unwrap_or_else(PoisonError::into_inner).finished = true;
            }
        }
    }

    /// The bytes of finished memory, once.
    pub(crate) fn take_bytes(&self) -> Result<Vec<u8>> {
        match self {
            Target::Memory(memory) => {
                let mut memory = memory.write().unwrap_or_else(PoisonError::into_inner);
                memory.finished = true;
                Ok(std::mem::take(&mut memory.bytes))
            }
            _ => Err(Error::Finished),
        }
    }
}

impl WriteAt for Target {
    fn write_at(&self, address: u64, bytes: &[u8]) -> Result<()> {
        self.put(address, bytes)
    }

    fn write_row(&self, row: &Row, bytes: &[u8]) -> Result<()> {
        if let Target::Memory(memory) = self {
            let mut memory = memory.write().unwrap_or_else(PoisonError::into_inner);
            match memory.base {
                _ if memory.finished => return Err(Error::Finished),
                0 => return row_into(row, bytes, &mut memory.bytes),
                _ => {}
            }
        }
        // A few runs, or long ones, are better written by themselves.
        let pays = row.count >= 8 && row.run < 1024;
        if pays && self.put_back(row, bytes)? {
            return Ok(());
        }
        write_runs(row, bytes, &mut |address, bytes| self.put(address, bytes))
    }
}

impl Sink {
    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        if self.finished {
            return Err(Error::Finished);
        }
        self.write_fixed(address)?;
        self.write(address, bytes)
    }

    /// Writes what stands before an address by itself.
    fn write_fixed(&mut self, until: u64) -> Result<()> {
        while let Some(fixed) = &mut self.fixed
            && let Some(first) = fixed.first_entry()
            && *first.key() < until
        {
            let (address, bytes) = first.remove_entry();
            self.write(address, &bytes)?;
        }
        Ok(())
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        let io = |error| Error::io("cannot write to the sink", error);
        let Some(mut gap) = address.checked_sub(self.at) else {
            let why = format!(
                "items must be written in the order of their addresses to a sink that cannot go \
                 back: {} bytes were written, and this one is at {address}",
                self.at
            );
            return Err(io(std::io::Error::other(why)));
        };
        let zeros = [0; 4096];
        while gap > 0 {
            let now = gap.min(zeros.len() as u64);
            self.out.write_all(&zeros[..now as usize]).map_err(io)?;
            gap -= now;
        }
        self.out.write_all(bytes).map_err(io)?;
        self.at = address + bytes.len() as u64;
        Ok(())
    }

    fn finish(&mut self, write: WriteAll<'_>) -> Result<()> {
        if self.finished {
            return Err(Error::Finished);
        }
        match self.fixed {
            // What is fixed is known; that nothing is missing is not.
            Some(_) => write(&mut Nowhere)?,
            None => {
                let mut bytes = Vec::new();
                write(&mut bytes)?;
                self.write(0, &bytes)?;
            }
        }
        self.write_fixed(u64::MAX)?;
        self.out.flush().map_err(|error| Error::io("cannot write to the sink", error))?;
        self.finished = true;
        Ok(())
    }
}

/// Takes bytes and forgets them.
struct Nowhere;

impl Output for Nowhere {
    fn put(&mut self, _: u64, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn grow(&mut self, _: u64) -> Result<()> {
        Ok(())
    }
}

/// Remembers what is put where.
impl Output for BTreeMap<u64, Vec<u8>> {
    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        self.insert(address, bytes.to_vec());
        Ok(())
    }

    fn grow(&mut self, _: u64) -> Result<()> {
        Ok(())
    }
}
