//! Chunks made of bytes: special values found, blocks filtered and compressed, all put together.

use std::sync::Mutex;

use dudley::typed::{Little, Record};

use super::block::{Block, Scratch, Streams, number};
use super::blocks::{LARGEST_DICTIONARY, NUMBER};
use super::header::Writing;
use super::{LONG, SHORT, Special, nan, tune};
use crate::blosc2::codecs::{EncoderDictionary, dictionary};
use crate::blosc2::encoding::{Encoding, refused};
use crate::blosc2::error::Result;
use crate::blosc2::filters::{Filter, Forward};
use crate::blosc2::layouts::chunk_32::Starts;
use crate::blosc2::parallel;

/// What is shorter than this is stored as it is.
const SHORTEST: usize = 32;

/// A dictionary is at most this part of the chunk.
const DICTIONARY_SHARE: usize = 20;

/// A dictionary of fewer bytes is not worth it.
const SMALLEST_DICTIONARY: usize = 256;

/// A dictionary is learnt from this many times its size.
const SAMPLES: usize = 100;

/// A chunk as it is stored.
pub(crate) struct Encoded {
    pub(crate) bytes: Vec<u8>,
    /// What it is, if it is nothing else.
    pub(crate) special: Option<Special>,
}

/// A chunk while its blocks are compressed.
struct Plan<'a> {
    /// All its bytes; none of blocks of variable size, which lie anywhere.
    raw: &'a [u8],
    /// The bytes of each block, and of all.
    parts: Vec<&'a [u8]>,
    nbytes: usize,
    /// Bytes of each block but the last; 0 where they differ.
    blocksize: usize,
    split: bool,
    dictionary: Option<EncoderDictionary>,
    /// What each block is compressed to.
    blocks: Vec<Vec<u8>>,
    done: Option<Encoded>,
}

/// What is kept from chunk to chunk: fresh memory costs as much as compressing it.
#[derive(Default)]
pub(crate) struct Kept {
    scratches: Mutex<Vec<Scratch>>,
    /// Memory of compressed blocks.
    blocks: Mutex<Vec<Vec<u8>>>,
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Kept")
    }
}

fn taken<T: Default>(of: &Mutex<Vec<T>>) -> T {
    of.lock().ok().and_then(|mut all| all.pop()).unwrap_or_default()
}

fn given_back<T>(to: &Mutex<Vec<T>>, what: T) {
    if let Ok(mut all) = to.lock() {
        all.push(what);
    }
}

/// A chunk of each of these, with the blocks of all of them shared among threads.
pub(crate) fn encode_all(encoding: &Encoding, raws: &[&[u8]]) -> Result<Vec<Encoded>> {
    encoding.check()?;
    let forward = forward(encoding)?;
    let plans = raws.iter().map(|raw| Plan::new(encoding, &forward, raw));
    compressed(encoding, &forward, plans.collect::<Result<_>>()?)
}

/// A chunk whose blocks are these, each of any size but 0.
pub(crate) fn encode_blocks(encoding: &Encoding, blocks: &[&[u8]]) -> Result<Vec<Encoded>> {
    encoding.check()?;
    if blocks.is_empty() || blocks.iter().any(|block| block.is_empty()) {
        return Err(refused("a chunk of no blocks, or of blocks of no bytes"));
    }
    let cells = |filter: &Filter| matches!(filter, Filter::NdCell(_) | Filter::NdMean(_));
    if encoding.short_header || encoding.filters.iter().any(cells) {
        return Err(refused("blocks of variable size with the header of Blosc 1, or with cells"));
    }
    let forward = forward(encoding)?;
    let plan = Plan::of_blocks(encoding, &forward, blocks)?;
    compressed(encoding, &forward, vec![plan])
}

fn forward(encoding: &Encoding) -> Result<Forward> {
    encoding.check_filters()?;
    let typesize = encoding.stored_typesize();
    Forward::new(&encoding.filters, typesize, &encoding.context(), encoding.short_header)
}

fn compressed(
    encoding: &Encoding,
    forward: &Forward,
    mut plans: Vec<Plan<'_>>,
) -> Result<Vec<Encoded>> {
    let bytes = plans.iter().filter(|plan| plan.done.is_none()).map(|plan| plan.nbytes as u64);
    let bytes = bytes.sum();
    let typesize = encoding.stored_typesize();
    let blocks = plans.iter_mut().flat_map(|plan| {
        let (parts, size, split) = (&plan.parts, plan.blocksize, plan.split);
        let dictionary = plan.dictionary.as_ref();
        let outs = plan.blocks.iter_mut().zip(parts).enumerate();
        outs.map(move |(number, (out, block))| Block {
            raw: block,
            first: (number > 0 && size > 0).then(|| parts[0]),
            streams: match split && block.len() == size {
                _ if size == 0 => Streams::Variable,
                true => Streams::Fixed(typesize),
                false => Streams::Fixed(1),
            },
            dictionary,
            out,
        })
    });
    let kept = &*encoding.kept;
    let keep = (|| taken(&kept.scratches), |scratch| given_back(&kept.scratches, scratch));
    parallel::each_with(encoding.threads, bytes, blocks, keep, |block, scratch: &mut Scratch| {
        block.encode(encoding, forward, scratch)
    })?;
    let chunks = plans.iter_mut().map(|plan| plan.assemble(encoding)).collect();
    for block in plans.into_iter().flat_map(|plan| plan.blocks) {
        given_back(&kept.blocks, block);
    }
    chunks
}

/// A chunk that is nothing but a special value of this many bytes.
pub(crate) fn special(
    encoding: &Encoding,
    special: Special,
    value: &[u8],
    nbytes: usize,
) -> Result<Encoded> {
    let value = if special == Special::Value { value } else { &[] };
    let mut head = Writing::new(encoding, nbytes, tune::blocksize(encoding, nbytes))?;
    head.special = Some(special);
    Ok(Encoded { bytes: head.with(&[value])?, special: Some(special) })
}

impl<'a> Plan<'a> {
    fn new(encoding: &Encoding, forward: &Forward, raw: &'a [u8]) -> Result<Plan<'a>> {
        let blocksize = tune::blocksize(encoding, raw.len());
        let split = tune::splits(encoding, blocksize)
            && blocksize.is_multiple_of(encoding.stored_typesize());
        let done = done_at_once(encoding, raw, blocksize)?;
        let parts = if done.is_none() { raw.chunks(blocksize).collect() } else { Vec::new() };
        Plan { raw, nbytes: raw.len(), split, done, ..Plan::unfinished(parts, blocksize) }
            .prepared(encoding, forward)
    }

    fn of_blocks(encoding: &Encoding, forward: &Forward, blocks: &[&'a [u8]]) -> Result<Plan<'a>> {
        Plan::unfinished(blocks.to_vec(), 0).prepared(encoding, forward)
    }

    fn unfinished(parts: Vec<&'a [u8]>, blocksize: usize) -> Plan<'a> {
        Plan {
            raw: &[],
            nbytes: parts.iter().fold(0, |sum, part| part.len().saturating_add(sum)),
            parts,
            blocksize,
            split: false,
            dictionary: None,
            blocks: Vec::new(),
            done: None,
        }
    }

    /// With a dictionary if there is to be one, and memory for each block.
    fn prepared(mut self, encoding: &Encoding, forward: &Forward) -> Result<Plan<'a>> {
        if self.done.is_none() {
            self.dictionary = self.learn(encoding, forward)?;
            self.blocks.resize_with(self.parts.len(), || taken(&encoding.kept.blocks));
        }
        Ok(self)
    }

    /// A dictionary from blocks all over the chunk, as they are when filtered.
    fn learn(&self, encoding: &Encoding, forward: &Forward) -> Result<Option<EncoderDictionary>> {
        let most = (self.nbytes / DICTIONARY_SHARE).min(LARGEST_DICTIONARY as usize);
        if !encoding.dictionary || most < SMALLEST_DICTIONARY {
            return Ok(None);
        }
        let step = (self.nbytes / (SAMPLES * most)).clamp(1, self.parts.len());
        let (mut samples, mut sizes) = (Vec::new(), Vec::new());
        let mut buffers = [Vec::new(), Vec::new()];
        for (number, block) in self.parts.iter().enumerate().step_by(step) {
            let first = (number > 0 && self.blocksize > 0).then(|| self.parts[0]);
            let filtered = forward.apply(block, &mut buffers, first)?;
            let whole = self.split && block.len() == self.blocksize;
            let streams = if whole { encoding.stored_typesize() } else { 1 };
            samples.extend_from_slice(filtered);
            sizes.extend(std::iter::repeat_n(filtered.len() / streams, streams));
        }
        let bytes = dictionary(encoding.codec, &samples, &sizes, most);
        let worth = bytes.len() >= SMALLEST_DICTIONARY;
        Ok(worth.then(|| EncoderDictionary::new(encoding.codec, encoding.level, bytes)))
    }

    fn assemble(&mut self, encoding: &Encoding) -> Result<Encoded> {
        if let Some(done) = self.done.take() {
            return Ok(done);
        }
        let mut head = match self.blocksize {
            0 => Writing::of_blocks(encoding, self.nbytes, self.blocks.len())?,
            size => Writing::new(encoding, self.nbytes, size)?,
        };
        let dictionary = self.dictionary.as_ref().map(|dictionary| &dictionary.bytes[..]);
        let dictionary_len = dictionary.map_or(0, |bytes| NUMBER + bytes.len());
        let first = head.len() + NUMBER * self.blocks.len() + dictionary_len;
        let total = first + self.blocks.iter().map(Vec::len).sum::<usize>();
        if self.blocksize > 0 && total >= self.nbytes + head.len() {
            return stored(encoding, self.raw, self.blocksize);
        }
        head.split = self.split;
        head.dictionary = dictionary.is_some();
        let mut starts = Vec::with_capacity(NUMBER * self.blocks.len());
        let mut at = first;
        for block in &self.blocks {
            let mut start = [0; NUMBER];
            // Less than the chunk, whose length was found to fit.
            Starts { at: at as i32 }.encode::<Little>(&mut start);
            starts.extend_from_slice(&start);
            at += block.len();
        }
        let mut parts = vec![&starts[..]];
        let dictionary_size = number(dictionary.map_or(0, <[u8]>::len) as i32);
        if let Some(dictionary) = dictionary {
            parts.extend([&dictionary_size[..], dictionary]);
        }
        parts.extend(self.blocks.iter().map(|block| &block[..]));
        Ok(Encoded { bytes: head.with(&parts)?, special: None })
    }
}

/// What needs no blocks: nothing, special values, what is stored as it is.
fn done_at_once(encoding: &Encoding, raw: &[u8], blocksize: usize) -> Result<Option<Encoded>> {
    if raw.is_empty() {
        return Ok(Some(Encoded {
            bytes: Writing::new(encoding, 0, blocksize)?.with(&[])?,
            special: None,
        }));
    }
    if encoding.specials
        && !encoding.short_header
        && let Some((kind, value)) = special_of(raw, encoding.typesize)
    {
        return special(encoding, kind, value, raw.len()).map(Some);
    }
    if encoding.level == 0 || raw.len() < SHORTEST {
        stored(encoding, raw, blocksize).map(Some)
    } else {
        Ok(None)
    }
}

fn stored(encoding: &Encoding, raw: &[u8], blocksize: usize) -> Result<Encoded> {
    let mut head = Writing::new(encoding, raw.len(), blocksize)?;
    head.stored = true;
    Ok(Encoded { bytes: head.with(&[raw])?, special: None })
}

/// The value that all elements have, if they have one.
fn special_of(raw: &[u8], typesize: usize) -> Option<(Special, &[u8])> {
    let same = |len: usize| raw.len() >= len && raw[len..] == raw[..raw.len() - len];
    // c-blosc2 opens no frame with zeros that are no whole elements.
    if raw[0] == 0 && raw.len().is_multiple_of(typesize) && same(1) {
        return Some((Special::Zeros, &[]));
    }
    let value = raw.get(..typesize)?;
    // A chunk of one element is better stored; then nobody takes it for another thing.
    let repeats = raw.len() > typesize && raw.len().is_multiple_of(typesize) && same(typesize);
    match nan(typesize) {
        _ if !repeats => None,
        Ok(nan) if nan == value => Some((Special::Nan, &[])),
        _ => Some((Special::Value, value)),
    }
}

impl Writing {
    /// The header, and what follows it.
    fn with(self, parts: &[&[u8]]) -> Result<Vec<u8>> {
        let cbytes = self.len() + parts.iter().map(|part| part.len()).sum::<usize>();
        let size = i32::try_from(cbytes);
        let size = size.map_err(|_| refused("a chunk of 2 GiB or more"))?;
        let mut bytes = Vec::with_capacity(cbytes);
        let (head, len) = self.encode(size);
        bytes.extend_from_slice(&head[..len]);
        for part in parts {
            bytes.extend_from_slice(part);
        }
        Ok(bytes)
    }

    fn len(&self) -> usize {
        if self.short { SHORT } else { LONG }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Chunk;
    use super::*;
    use crate::blosc2::{Codec, Split};

    fn back(encoding: &Encoding, raw: &[u8]) -> Vec<u8> {
        let stored = encoding.chunk(raw).unwrap_or_else(|error| panic!("{encoding:?}: {error}"));
        let chunk = Chunk::open(super::super::Stored::Memory(&stored), &encoding.context());
        let chunk = chunk.unwrap_or_else(|error| panic!("{encoding:?}: {error}"));
        assert_eq!(chunk.cbytes(), stored.len() as u64);
        chunk.decode().unwrap_or_else(|error| panic!("{encoding:?}: {error}"))
    }

    #[test]
    fn special_values_are_found() {
        let encoding = Encoding::new(8);
        for (value, kind, len) in [
            ([0; 8], Special::Zeros, LONG),
            (f64::NAN.to_le_bytes(), Special::Nan, LONG),
            (1.5_f64.to_le_bytes(), Special::Value, LONG + 8),
        ] {
            let raw = value.repeat(100);
            let stored = encoding.chunk(&raw).expect("a chunk");
            assert_eq!(stored.len(), len);
            let chunk = Chunk::parse(&stored).expect("its own");
            assert_eq!(chunk.special(), Some(kind));
            assert_eq!(chunk.decode().expect("decoded"), raw);
        }
        // One element, and elements that do not fit, are none.
        for raw in [&[7; 8][..], &[7; 12]] {
            let stored = encoding.chunk(raw).expect("a chunk");
            assert_eq!(Chunk::parse(&stored).expect("its own").special(), None);
            assert_eq!(back(&encoding, raw), raw);
        }
    }

    #[test]
    fn what_does_not_shrink_is_stored() {
        let mut random = 1_u64;
        let noise: Vec<u8> = (0..100_000)
            .map(|_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (random >> 56) as u8
            })
            .collect();
        for codec in [Codec::BloscLz, Codec::Lz4, Codec::Lz4Hc, Codec::Zlib] {
            let encoding = Encoding::new(8).codec(codec);
            assert_eq!(encoding.chunk(&noise).expect("a chunk").len(), noise.len() + LONG);
            assert_eq!(back(&encoding, &noise), noise);
        }
        let plain = Encoding::new(4).level(0);
        assert_eq!(plain.chunk(&[1, 2, 3]).expect("a chunk").len(), LONG + 3);
        assert_eq!(plain.chunk(&[]).expect("a chunk").len(), LONG);
        assert_eq!(back(&plain, &[]), [0_u8; 0]);
    }

    #[test]
    fn dictionaries_help_small_blocks() {
        let raw: Vec<u8> = (0..9000)
            .flat_map(|i| {
                format!("{} metres at {} degrees; ", i * 7 % 1000, i * 31 % 360).into_bytes()
            })
            .collect();
        for codec in [Codec::Lz4, Codec::Lz4Hc, Codec::Zstd] {
            if Codec::of_id(codec.id()).is_err() || !codec.has_dictionaries() {
                continue;
            }
            let plain = Encoding::new(1).codec(codec).blocksize(1024).filters(&[]);
            let with = plain.clone().dictionary(true);
            assert!(
                with.chunk(&raw).expect("a chunk").len() < plain.chunk(&raw).expect("one").len()
            );
            assert_eq!(back(&with, &raw), raw);
        }
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(
            pieces in prop::collection::vec((prop::collection::vec(any::<u8>(), 1..9), 1_usize..300), 0..30),
            typesize in prop::sample::select(&[1_usize, 2, 3, 4, 8, 12, 16, 17, 255, 300][..]),
            codec in prop::sample::select(&[Codec::BloscLz, Codec::Lz4, Codec::Lz4Hc, Codec::Zlib][..]),
            level in 0_u8..=9,
            filters in prop::collection::vec(
                prop::sample::select(&[Filter::Shuffle, Filter::BitShuffle, Filter::ByteDelta][..]), 0..4),
            delta in any::<bool>(),
            split in prop::sample::select(
                &[Split::Always, Split::Never, Split::Auto, Split::ForwardCompat][..]),
            blocksize in prop::sample::select(&[0_usize, 100, 1000, 5000][..]),
            short in any::<bool>(),
        ) {
            let raw: Vec<u8> = pieces.into_iter().flat_map(|(it, n)| it.repeat(n)).collect();
            let mut filters = filters;
            // That of elements of 128 to 255 bytes is refused.
            filters.retain(|filter| *filter != Filter::ByteDelta || typesize != 255);
            if delta {
                filters.insert(0, Filter::Delta);
            }
            let short = short && filters.len() <= 1 && !filters.contains(&Filter::ByteDelta)
                && typesize <= 255;
            let encoding = Encoding::new(typesize).codec(codec).level(level).filters(&filters)
                .split(split).blocksize(blocksize).short_header(short).threads(2);
            prop_assert_eq!(back(&encoding, &raw), raw);
        }
    }
}
