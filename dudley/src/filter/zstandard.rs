//! The built-in filter of Zstandard, whose library is one of C.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use zstd::stream::raw::{self, Operation};
use zstd::zstd_safe::CParameter;

use super::builtin::{Decoded, Encoding, Stored, level};
use super::trailing::first;
use super::writing::Writing;
use super::{Filter, FilterError, FilterValue, Result, ended, read_exactly};
use crate::bytes::work::Work;

/// Bytes of a part of a frame that a thread encodes, with some of those before it, and the most threads: each takes
/// memory for a part and what is made of it.
const PART: u32 = 4 << 20;
const MOST_THREADS: u32 = 16;

/// Any number of Zstandard frames, one after the other.
pub(super) struct Zstd;

impl Filter for Zstd {
    fn name(&self) -> &str {
        "zstd"
    }

    fn check(&self, args: &[FilterValue]) -> Result<()> {
        level(self, args, zstd::compression_level_range(), 3).map(drop)
    }

    fn decode(&self, _: &[FilterValue], stored: &[u8], decoded_len: u64) -> Result<Vec<u8>> {
        let mut frames = Frames::new(stored).map_err(FilterError::Damaged)?;
        read_exactly(&mut frames, decoded_len)
    }

    fn reader<'s>(&self, _: &[FilterValue], stored: Stored<'s>) -> Option<Decoded<'s>> {
        Some(Box::new(Frames::new(stored).ok()?))
    }

    fn encode(&self, args: &[FilterValue], raw: &[u8]) -> Result<Vec<u8>> {
        let level = level(self, args, zstd::compression_level_range(), 3)?;
        zstd::stream::encode_all(raw, level).map_err(FilterError::Encode)
    }

    fn encoder(&self, args: &[FilterValue], raw_len: u64, work: &Work) -> Result<Option<Encoding>> {
        let level = level(self, args, zstd::compression_level_range(), 3)?;
        let encoder = zstd::stream::write::Encoder::new(Vec::new(), level);
        let mut encoder = encoder.map_err(FilterError::Encode)?;
        encoder.set_pledged_src_size(Some(raw_len)).map_err(FilterError::Encode)?;
        // One thread too goes part by part, so that what is stored does not depend on their number.
        let threads = u32::try_from(work.most_threads()).unwrap_or(u32::MAX).clamp(1, MOST_THREADS);
        encoder.multithread(threads).map_err(FilterError::Encode)?;
        encoder.set_parameter(CParameter::JobSize(PART)).map_err(FilterError::Encode)?;
        Ok(Some(Box::new(Writing {
            encoder: Some(encoder),
            written: |encoder| encoder.get_mut(),
            finish: |encoder| encoder.finish(),
        })))
    }
}

/// Frames one after the other, with skippable ones among them.
struct Frames<R> {
    stored: R,
    decoder: raw::Decoder<'static>,
    /// The first bytes of a frame, which were looked at, and which of them are to be decoded.
    magic: [u8; 4],
    left: Range<usize>,
    /// Whether a frame is not at its end.
    inside: bool,
    /// Whether there was a frame.
    begun: bool,
}

impl<R: BufRead> Frames<R> {
    fn new(stored: R) -> io::Result<Frames<R>> {
        let decoder = raw::Decoder::new()?;
        Ok(Frames { stored, decoder, magic: [0; 4], left: 0..0, inside: false, begun: false })
    }

    /// Continues to the next frame; false behind the last one. Behind a frame, what begins as none does is no frame.
    fn next(&mut self) -> io::Result<bool> {
        let (magic, seen) = first(&mut self.stored)?;
        // Frames of all versions, and those to be skipped.
        let frame = matches!(
            magic,
            [0x1e | 0x22..=0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18]
        );
        if seen == 0 || self.begun && !(frame && seen == 4) {
            return ended(&mut self.stored, seen as u64).map(|()| false);
        }
        if self.begun {
            self.decoder.reinit()?;
        }
        (self.magic, self.left) = (magic, 0..seen);
        (self.inside, self.begun) = (true, true);
        Ok(true)
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while !buf.is_empty() {
            if !self.inside && !self.next()? {
                break;
            }
            let status = if self.left.is_empty() {
                let bytes = self.stored.fill_buf()?;
                let done = self.decoder.run_on_buffers(bytes, buf)?;
                if bytes.is_empty() && done.bytes_written == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                self.stored.consume(done.bytes_read);
                done
            } else {
                let done = self.decoder.run_on_buffers(&self.magic[self.left.clone()], buf)?;
                self.left.start += done.bytes_read;
                done
            };
            self.inside = status.remaining > 0;
            if status.bytes_written > 0 {
                return Ok(status.bytes_written);
            }
        }
        Ok(0)
    }
}
