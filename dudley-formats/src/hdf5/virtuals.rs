//! Virtual arrays: their elements are in other arrays, of the same file or of others in its folder (IV.A.2.i, VII.C).

mod files;
pub(super) mod mapping;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use dudley::bytes::{Piece, Source, read_pieces};
use dudley::elements::recast;
use dudley::model::Candidate;
use dudley::{ByteOrder, Data, Error, Open, Primitive, Result};

use super::dataset::{Array, Storage, array};
use super::file::File;
use super::heap::Objects;
use super::object::messages;
use super::selection::Selection;
use crate::cursor::malformed;
use crate::headers::{bytes, shape};
use files::Files;
use mapping::{Mapping, is_endless, mappings};

/// The most virtual arrays in one another.
const DEEPEST: usize = 16;
/// The most virtual arrays in others whose shapes depend on their sources.
const MEASURED: u64 = 1 << 14;
/// Virtual arrays that are kept, with their mappings.
const KEPT: usize = 8;
/// Source arrays of an array that stay open, and the bytes that their chunks may take.
const OPENED: usize = 32;
const CHUNKS: u64 = 256 << 20;
/// Bytes of a request, and bytes that are made at once.
const BATCH: u64 = 4 << 20;
const PORTION: u64 = 1 << 20;
/// Bytes of an element, at most.
const LARGEST: u64 = 64 << 20;

/// The virtual arrays that are read through others.
#[derive(Clone)]
pub(super) struct Chain {
    /// The file of each, and the address of its header.
    arrays: Vec<(String, u64)>,
    /// How many more may be measured whose shapes depend on others.
    left: Arc<AtomicU64>,
}

impl Default for Chain {
    fn default() -> Chain {
        Chain { arrays: Vec::new(), left: Arc::new(AtomicU64::new(MEASURED)) }
    }
}

/// The virtual arrays of a file.
pub(super) struct Virtuals {
    file: File,
    candidate: Candidate,
    /// The path of the file, or its name if it has none; known when a virtual array is read.
    name: OnceLock<String>,
    chain: Chain,
    /// Those last requested, by the addresses of their headers.
    known: Mutex<VecDeque<(u64, Arc<Virtual>)>>,
}

impl Virtuals {
    pub(super) fn new(file: File, candidate: Candidate, chain: Chain) -> Virtuals {
        let chain = if chain.arrays.is_empty() { Chain::default() } else { chain };
        Virtuals { file, candidate, name: OnceLock::new(), chain, known: Mutex::default() }
    }

    fn name(&self) -> &String {
        self.name.get_or_init(|| {
            let real = self.candidate.path().and_then(|path| path.canonicalize().ok());
            real.map_or(self.candidate.name().to_owned(), |path| path.display().to_string())
        })
    }

    /// The elements of the array whose header is at an address, which have this many bytes.
    ///
    /// # Errors
    /// If something is wrong with its mappings.
    pub(super) fn get(&self, address: u64, bytes: u64) -> Result<Arc<dyn Source>> {
        let array = self.array(address)?;
        if array.bytes != bytes {
            let why = format!("a virtual array of {} bytes, not of {bytes}", array.bytes);
            return Err(malformed(self.file.place(address)?, why));
        }
        Ok(array)
    }

    /// The shape of the array whose header is at an address.
    ///
    /// # Errors
    /// As [`Self::get`]; if a source on which it depends is not there.
    pub(super) fn shape(&self, address: u64) -> Result<Vec<u64>> {
        Ok(self.array(address)?.shape.clone())
    }

    fn array(&self, address: u64) -> Result<Arc<Virtual>> {
        let known = self.known().iter().find(|(at, _)| *at == address).map(|(_, it)| it.clone());
        if let Some(array) = known {
            return Ok(array);
        }
        let array = Arc::new(self.open(address)?);
        let mut known = self.known();
        if known.len() >= KEPT {
            known.pop_front();
        }
        known.push_back((address, array.clone()));
        Ok(array)
    }

    fn known(&self) -> MutexGuard<'_, VecDeque<(u64, Arc<Virtual>)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self, address: u64) -> Result<Virtual> {
        let file = self.file.anew();
        let wrong = |why: String| malformed(file.place(address).unwrap_or(0), why);
        let own = (self.name().clone(), address);
        if self.chain.arrays.contains(&own) {
            return Err(wrong("a virtual array whose elements are its own".to_owned()));
        }
        if self.chain.arrays.len() >= DEEPEST {
            return Err(wrong(format!("more than {DEEPEST} virtual arrays in one another")));
        }
        let Array { space, of, storage, fill, .. } = array(&file, &messages(&file, address)?)?;
        let Storage::Virtual(Some((heap, number))) = storage else {
            return Err(wrong("no virtual array".to_owned()));
        };
        let size = of.size;
        let (words, inner) = of.words(file.offsets);
        let layout = format!("x = {words}{}", shape(&inner));
        let like = Open::new().layout_text(&layout)?.raw().bytes(Vec::new())?.get("/x")?.data()?;
        let mappings = mappings(&file, &Objects::default().placed(&file, heap, number)?)?;
        let is_within = !self.chain.arrays.is_empty() && is_endless(&mappings);
        if is_within && self.chain.left.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.chain.left.store(0, Ordering::Relaxed);
            return Err(wrong(format!(
                "more than {MEASURED} virtual arrays without ends in others"
            )));
        }
        let arrays = self.chain.arrays.iter().cloned().chain([own]).collect();
        let chain = Chain { arrays, left: self.chain.left.clone() };
        let files = Files::new(self.candidate.clone(), self.name().clone(), chain);
        let mut shape = space.shape;
        let mappings = files.ended(mappings, &mut shape)?;
        let all = bytes(&shape, size).filter(|_| size <= LARGEST);
        let all = all.ok_or_else(|| wrong(format!("{shape:?} elements of {size} bytes")))?;
        let mut mapped = Vec::new();
        for mapping in mappings {
            let wrong = |why| malformed(mapping.place, format!("a virtual array: {why}"));
            let selected = mapping.own.within(&shape).map_err(wrong)?;
            mapped.push((selected, mapping));
        }
        mapped.sort_by_key(|(selected, _)| selected.bounds.0);
        let only_here = of.has_places();
        Ok(Virtual {
            shape,
            bytes: all,
            size,
            inner,
            only_here,
            like: (like.dtype_name(), like.dtype().primitive()),
            fill: fill.unwrap_or_default(),
            mapped,
            files,
            opened: Mutex::default(),
        })
    }
}

/// The elements of a virtual array, which are read as they are requested.
struct Virtual {
    shape: Vec<u64>,
    bytes: u64,
    /// Bytes of an element, and the dimensions within it.
    size: u64,
    inner: Vec<u64>,
    /// Whether its elements mean something in its own file alone.
    only_here: bool,
    /// The name of the type of elements, and their numbers if they are numbers.
    like: (String, Option<(Primitive, ByteOrder)>),
    fill: Vec<u8>,
    /// The mapped elements of each mapping, in the order of their first ones.
    mapped: Vec<(Selection, Mapping)>,
    files: Files,
    /// The source arrays that were read last, by the numbers of their mappings.
    opened: Mutex<VecDeque<(usize, Arc<Opened>)>>,
}

/// A source array.
struct Opened {
    bytes: Arc<dyn Source>,
    selected: Selection,
    /// Bytes of an element.
    size: u64,
    /// The type of the elements if it is another one.
    from: Option<(Primitive, ByteOrder)>,
    /// Bytes of its decoded chunks that may be kept.
    kept: u64,
}

/// Elements of the virtual array side by side: the first one and their number, and the number of mapped ones before them.
struct Mapped {
    from: u64,
    len: u64,
    before: u64,
}

impl Virtual {
    /// Opens the source of a mapping.
    fn open(&self, number: usize) -> Result<Arc<Opened>> {
        let known = self.opened().iter().find(|(at, _)| *at == number).map(|(_, it)| it.clone());
        if let Some(known) = known {
            return Ok(known);
        }
        let opened = self.source(number)?;
        let mut known = self.opened();
        let kept = |known: &VecDeque<(usize, Arc<Opened>)>| {
            known.iter().map(|(_, it)| it.kept).sum::<u64>()
        };
        while known.len() >= OPENED || (!known.is_empty() && kept(&known) + opened.kept > CHUNKS) {
            known.pop_front();
        }
        known.push_back((number, opened.clone()));
        Ok(opened)
    }

    fn source(&self, number: usize) -> Result<Arc<Opened>> {
        let (own, mapping) = &self.mapped[number];
        let wrong = |why: &str| mapping.wrong(why);
        let (data, is_own) = self.files.data(mapping)?;
        if self.only_here && !is_own {
            return Err(wrong("they have places, which mean nothing in this file"));
        }
        let of_type = self.is_like(&data).ok_or_else(|| {
            let (own, shape) = (&self.like.0, shape(&self.inner));
            wrong(&format!("they are {}, which are not read as {own}{shape}", data.dtype_name()))
        })?;
        let rank = data.shape().len() - self.inner.len();
        let size = data.dtype().size().unwrap_or(0);
        let size = self.inner.iter().fold(size, |size, dim| size.saturating_mul(*dim));
        let selected = mapping.source.within(&data.shape()[..rank]).map_err(|why| wrong(&why))?;
        if selected.count != own.count {
            return Err(wrong(&format!(
                "it has {} of them, and the mapping {}",
                selected.count, own.count
            )));
        }
        let bytes = data.decoded().and_then(|data| data.by_address());
        let bytes = bytes.map_err(|error| wrong(&error.to_string()))?;
        let bytes = bytes.ok_or_else(|| wrong("they are not side by side"))?;
        // A source that is virtual may keep as much.
        let kept = if data.decoded().is_ok_and(|it| it.is_decoded()) {
            bytes.len().min(64 << 20)
        } else {
            0
        };
        Ok(Arc::new(Opened { bytes, selected, size, from: of_type, kept }))
    }

    /// The type of the elements of a source if it is another one, of which they are read; `None` if they cannot be.
    fn is_like(&self, data: &Data) -> Option<Option<(Primitive, ByteOrder)>> {
        if !data.shape().ends_with(&self.inner) {
            return None;
        }
        if data.dtype_name() == self.like.0 {
            return Some(None);
        }
        let (from, to) = (data.dtype().primitive()?, self.like.1?);
        dudley::elements::may_fit(from.0, to.0).then_some(Some(from))
    }

    fn opened(&self) -> MutexGuard<'_, VecDeque<(usize, Arc<Opened>)>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads whole elements from one on.
    fn elements(&self, from: u64, to: &mut [u8]) -> Result<()> {
        let size = self.size as usize;
        if self.fill.is_empty() {
            to.fill(0);
        } else {
            to.chunks_exact_mut(size).for_each(|element| element.copy_from_slice(&self.fill));
        }
        let range = (from, from + (to.len() / size) as u64);
        let mut taken: Vec<(u64, u64, usize)> = Vec::new();
        let end = self.mapped.partition_point(|(own, _)| own.bounds.0 < range.1);
        for (number, (own, mapping)) in self.mapped[..end].iter().enumerate() {
            if own.bounds.1 <= range.0 || own.count == 0 {
                continue;
            }
            let mut pieces: Vec<Mapped> = Vec::new();
            own.each(range, &mut |from, len, before| pieces.push(Mapped { from, len, before }));
            if pieces.is_empty() {
                continue;
            }
            let here = pieces.iter().map(|piece| (piece.from, piece.from + piece.len, number));
            taken.extend(here);
            let values = self.values(&*self.open(number)?, mapping, &pieces)?;
            let mut values = &values[..];
            for piece in &pieces {
                let (here, rest) = values.split_at(piece.len as usize * size);
                let at = (piece.from - from) as usize * size;
                to[at..at + here.len()].copy_from_slice(here);
                values = rest;
            }
        }
        taken.sort_unstable();
        match taken.windows(2).find(|two| two[0].1 > two[1].0) {
            Some(two) => {
                let why = "a virtual array has an element of two mappings";
                Err(malformed(self.mapped[two[1].2].1.place, why))
            }
            None => Ok(()),
        }
    }

    /// Reads elements of a source, as those of the virtual array.
    fn values(&self, opened: &Opened, mapping: &Mapping, pieces: &[Mapped]) -> Result<Vec<u8>> {
        let failed = |error: Error| mapping.wrong(&error.to_string());
        let size = opened.size;
        let count = pieces.iter().map(|piece| piece.len).sum::<u64>();
        let mut raw = vec![0; (count * size) as usize];
        let (mut rest, mut wanted) = (&mut raw[..], Vec::new());
        for piece in pieces {
            opened.selected.places(piece.before, piece.len, &mut |from, len| {
                let (to, behind) = std::mem::take(&mut rest).split_at_mut((len * size) as usize);
                rest = behind;
                wanted.push(Piece { from: from * size, to });
            });
        }
        read_pieces(&*opened.bytes, 0, &mut wanted).map_err(failed)?;
        let (Some(from), Some(to)) = (opened.from, self.like.1) else { return Ok(raw) };
        let mut values = Vec::new();
        let numbers = self.inner.iter().fold(count, |count, dim| count * dim);
        let into = &mut |block: &[u8]| {
            values.extend_from_slice(block);
            Ok(())
        };
        recast(from, &[numbers], &raw, to, into).map_err(failed)?;
        Ok(values)
    }
}

impl Source for Virtual {
    fn len(&self) -> u64 {
        self.bytes
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        dudley::bytes::check(self.bytes, address, buf.len() as u64)?;
        let most = (PORTION / self.size).max(1) * self.size;
        let (mut address, mut rest) = (address, buf);
        while !rest.is_empty() {
            let within = address % self.size;
            let here = (most - within).min(rest.len() as u64);
            let (to, after) = std::mem::take(&mut rest).split_at_mut(here as usize);
            let first = address / self.size;
            if within == 0 && here.is_multiple_of(self.size) {
                self.elements(first, to)?;
            } else {
                let mut whole = vec![0; (within + here).next_multiple_of(self.size) as usize];
                self.elements(first, &mut whole)?;
                to.copy_from_slice(&whole[within as usize..(within + here) as usize]);
            }
            address += here;
            rest = after;
        }
        Ok(())
    }

    fn batch(&self) -> u64 {
        BATCH
    }

    fn check_sources(&self) -> Result<()> {
        (0..self.mapped.len()).try_for_each(|number| self.open(number).map(drop))
    }
}
