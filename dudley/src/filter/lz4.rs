//! LZ4 frames.

use std::io::{self, BufRead, Read, Write};

use super::builtin::{Decoded, Encoding, Stored};
use super::trailing::first;
use super::writing::Writing;
use super::{Filter, FilterError, FilterValue, Result, ended, read_exactly};
use crate::bytes::work::Work;

/// Any number of LZ4 frames, one after the other, with skippable ones among them.
pub(super) struct Lz4;

impl Filter for Lz4 {
    fn name(&self) -> &str {
        "lz4"
    }

    fn check(&self, args: &[FilterValue]) -> Result<()> {
        if args.is_empty() {
            Ok(())
        } else {
            Err(FilterError::Argument("`lz4` takes no argument".to_owned()))
        }
    }

    fn decode(&self, _: &[FilterValue], stored: &[u8], decoded_len: u64) -> Result<Vec<u8>> {
        read_exactly(&mut Lz4Frames::new(stored), decoded_len)
    }

    fn reader<'s>(&self, _: &[FilterValue], stored: Stored<'s>) -> Option<Decoded<'s>> {
        Some(Box::new(Lz4Frames::new(stored)))
    }

    fn encode(&self, args: &[FilterValue], raw: &[u8]) -> Result<Vec<u8>> {
        self.check(args)?;
        let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
        encoder
            .write_all(raw)
            .and_then(|()| encoder.finish().map_err(io::Error::from))
            .map_err(FilterError::Encode)
    }

    fn encoder(&self, args: &[FilterValue], _: u64, _: &Work) -> Result<Option<Encoding>> {
        self.check(args)?;
        Ok(Some(Box::new(Writing {
            encoder: Some(lz4_flex::frame::FrameEncoder::new(Vec::new())),
            written: |encoder| encoder.get_mut(),
            finish: |encoder| encoder.finish().map_err(io::Error::from),
        })))
    }
}

/// LZ4 frames one after the other. The decoder of one frame takes the end of its input for the
/// end of the frame, so whether it met that end is watched here.
struct Lz4Frames<R: BufRead> {
    frame: Option<lz4_flex::frame::FrameDecoder<Watched<R>>>,
    /// The bytes between two frames.
    rest: Option<R>,
    /// Whether there was a frame.
    begun: bool,
}

/// Input that knows whether more was asked of it than there is.
struct Watched<R> {
    /// Its first bytes, which were looked at, and how many of them were read.
    magic: [u8; 4],
    read: usize,
    rest: R,
    starved: bool,
}

impl<R: BufRead> Lz4Frames<R> {
    fn new(stored: R) -> Lz4Frames<R> {
        Lz4Frames { frame: None, rest: Some(stored), begun: false }
    }
}

impl<R: BufRead> Read for Watched<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.read < self.magic.len() {
            let count = (&self.magic[self.read..]).read(buf)?;
            self.read += count;
            return Ok(count);
        }
        let count = self.rest.read(buf)?;
        self.starved |= count == 0 && !buf.is_empty();
        Ok(count)
    }
}

impl<R: BufRead> Read for Lz4Frames<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.frame.is_none() {
                // There is nothing left behind an error.
                let Some(mut rest) = self.rest.take() else { return Ok(0) };
                let Some(magic) = next_frame(&mut rest, self.begun)? else {
                    self.rest = Some(rest);
                    return Ok(0);
                };
                let input = Watched { magic, read: 0, rest, starved: false };
                self.frame = Some(lz4_flex::frame::FrameDecoder::new(input));
                self.begun = true;
            }
            let Some(frame) = &mut self.frame else { return Ok(0) };
            let read = frame.read(buf)?;
            if read > 0 || buf.is_empty() {
                return Ok(read);
            }
            if frame.get_ref().starved {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.rest = self.frame.take().map(|frame| frame.into_inner().rest);
        }
    }
}

/// The magic number of the next frame that is not to be skipped; none behind the last one. Behind a frame, what begins
/// as none does is no frame.
fn next_frame(stored: &mut impl BufRead, mut begun: bool) -> io::Result<Option<[u8; 4]>> {
    loop {
        match first(stored)? {
            (_, 0) => return Ok(None),
            ([0x50..=0x5f, 0x2a, 0x4d, 0x18], 4) => skip(stored)?,
            (magic @ ([0x04, 0x22, 0x4d, 0x18] | [0x02, 0x21, 0x4c, 0x18]), 4) => {
                return Ok(Some(magic));
            }
            (_, seen) if begun => return ended(stored, seen as u64).map(|()| None),
            (magic, 4) => return Ok(Some(magic)),
            _ => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
        begun = true;
    }
}

/// Passes by what is in a frame that is to be skipped, behind its magic number.
fn skip(stored: &mut impl BufRead) -> io::Result<()> {
    let mut len = [0; 4];
    stored.read_exact(&mut len)?;
    let len = u64::from(u32::from_le_bytes(len));
    if io::copy(&mut stored.take(len), &mut io::sink())? < len {
        Err(io::ErrorKind::UnexpectedEof.into())
    } else {
        Ok(())
    }
}
