//! Bytes encoded as they come: by a filter that keeps a state, or part by part, with several threads.

use std::sync::{Mutex, PoisonError};

use super::{FilterError, Result};
use crate::bytes::work::Work;

/// Encodes bytes as they come, without all of them in memory.
pub trait Encoder: Send {
    /// Takes the next bytes, and puts behind `stored` what is known of what is stored.
    ///
    /// # Errors
    /// [`FilterError::Encode`]; [`FilterError::TooLarge`] if memory is short.
    fn encode(&mut self, raw: &[u8], stored: &mut Vec<u8>) -> Result<()>;

    /// Puts the rest behind `stored`. Nothing may be encoded after that.
    ///
    /// # Errors
    /// As [`Self::encode`].
    fn finish(&mut self, stored: &mut Vec<u8>) -> Result<()>;
}

/// How bytes are divided into parts that are encoded separately, and how the encoded parts are joined.
pub trait Parts: Send + Sync {
    /// The encoded bytes of a part.
    type Coded: Send;

    /// Where parts end. `raw` are the bytes from the beginning of the first part that has no end yet, those up to
    /// `seen` were shown before; ends are given in bytes from the same beginning, in order.
    fn cut(&mut self, raw: &[u8], seen: usize, ends: &mut Vec<usize>);

    /// Encodes a part.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    fn code(&self, part: &[u8]) -> Result<Self::Coded>;

    /// Puts the next part behind `stored`; `raw` are its bytes before.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    fn join(&mut self, coded: Self::Coded, raw: &[u8], stored: &mut Vec<u8>) -> Result<()>;

    /// Puts behind `stored` what stands behind the last part.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    fn end(&mut self, stored: &mut Vec<u8>) -> Result<()>;
}

/// Bytes that are taken at a time.
pub(super) const STEP: usize = 1 << 20;
/// Bytes from which on parts are encoded that have an end.
const HELD: usize = 32 << 20;
/// Parts that are encoded at a time, for each thread.
const EACH: usize = 4;

/// Encodes part by part, several of them at the same time.
///
/// The stored bytes do not depend on the number of threads.
///
/// ```
/// use dudley::Work;
/// use dudley::filter::{Encoder, InParts, Parts, Result};
///
/// /// Each three bytes behind a point.
/// struct Threes;
///
/// impl Parts for Threes {
///     type Coded = Vec<u8>;
///     fn cut(&mut self, raw: &[u8], _: usize, ends: &mut Vec<usize>) {
///         ends.extend((3..=raw.len()).step_by(3));
///     }
///     fn code(&self, part: &[u8]) -> Result<Vec<u8>> {
///         Ok([b".", part].concat())
///     }
///     fn join(&mut self, coded: Vec<u8>, _: &[u8], stored: &mut Vec<u8>) -> Result<()> {
///         stored.extend(coded);
///         Ok(())
///     }
///     fn end(&mut self, stored: &mut Vec<u8>) -> Result<()> {
///         stored.push(b'!');
///         Ok(())
///     }
/// }
///
/// let (mut encoder, mut stored) = (InParts::new(Threes, &Work::new()), Vec::new());
/// encoder.encode(b"abcd", &mut stored)?;
/// encoder.encode(b"efgh", &mut stored)?;
/// encoder.finish(&mut stored)?;
/// assert_eq!(stored, b".abc.def.gh!");
/// # Ok::<(), dudley::filter::FilterError>(())
/// ```
pub struct InParts<P> {
    parts: P,
    /// Only for its threads: who watches hears of what is written.
    work: Work,
    /// Bytes from the first part on that is not encoded.
    raw: Vec<u8>,
    /// Where parts end in them.
    ends: Vec<usize>,
}

impl<P: Parts> InParts<P> {
    /// Parts encoded by the threads of `work`.
    pub fn new(parts: P, work: &Work) -> InParts<P> {
        InParts { parts, work: work.clone(), raw: Vec::new(), ends: Vec::new() }
    }

    /// Encodes the parts that have an end.
    fn flush(&mut self, stored: &mut Vec<u8>) -> Result<()> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let cut: Vec<&[u8]> =
            starts.zip(&self.ends).map(|(from, to)| &self.raw[from..*to]).collect();
        let parts = &self.parts;
        let coded = Mutex::new(Vec::with_capacity(cut.len()));
        self.work.share(cut.iter().enumerate(), |(at, part)| {
            let done = parts.code(part);
            let more = done.is_ok();
            coded.lock().unwrap_or_else(PoisonError::into_inner).push((at, done));
            more
        });
        let mut coded = coded.into_inner().unwrap_or_else(PoisonError::into_inner);
        coded.sort_unstable_by_key(|(at, _)| *at);
        for ((_, coded), part) in coded.into_iter().zip(cut) {
            self.parts.join(coded?, part, stored)?;
        }
        self.raw.drain(..self.ends.last().copied().unwrap_or(0));
        self.ends.clear();
        Ok(())
    }
}

impl<P: Parts> Encoder for InParts<P> {
    fn encode(&mut self, raw: &[u8], stored: &mut Vec<u8>) -> Result<()> {
        for step in raw.chunks(STEP) {
            let begun = self.ends.last().copied().unwrap_or(0);
            let seen = self.raw.len() - begun;
            let needed = self.raw.len() + step.len();
            let short = |_| FilterError::TooLarge(needed as u64);
            self.raw.try_reserve(step.len()).map_err(short)?;
            self.raw.extend_from_slice(step);
            let known = self.ends.len();
            self.parts.cut(&self.raw[begun..], seen, &mut self.ends);
            self.ends[known..].iter_mut().for_each(|end| *end += begun);
            let enough = self.ends.len() >= EACH * self.work.most_threads();
            if enough || (self.raw.len() >= HELD && !self.ends.is_empty()) {
                self.flush(stored)?;
            }
        }
        Ok(())
    }

    fn finish(&mut self, stored: &mut Vec<u8>) -> Result<()> {
        if self.raw.len() > self.ends.last().copied().unwrap_or(0) {
            self.ends.push(self.raw.len());
        }
        self.flush(stored)?;
        self.parts.end(stored)
    }
}
