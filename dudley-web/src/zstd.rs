//! Zstandard without its library, which is one of C: frames are decoded only.

use std::io::{self, BufRead, Read};

use dudley::filter::{Filter, FilterError, FilterValue, Result, read_exactly};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Any number of frames, one after the other. Their checksums are not looked at.
pub(crate) struct Zstd;

impl Filter for Zstd {
    fn name(&self) -> &str {
        "zstd"
    }

    fn decode(&self, _: &[FilterValue], stored: &[u8], decoded_len: u64) -> Result<Vec<u8>> {
        read_exactly(&mut Frames::new(stored), decoded_len)
    }

    fn reader<'s>(
        &self,
        _: &[FilterValue],
        stored: Box<dyn BufRead + Send + 's>,
    ) -> Option<Box<dyn Read + Send + 's>> {
        Some(Box::new(Frames::new(stored)))
    }

    fn encode(&self, _: &[FilterValue], _: &[u8]) -> Result<Vec<u8>> {
        Err(FilterError::Unsupported("a page writes nothing".to_owned()))
    }
}

struct Frames<R> {
    stored: R,
    decoder: FrameDecoder,
    /// A frame has begun.
    open: bool,
}

impl<R: BufRead> Frames<R> {
    fn new(stored: R) -> Self {
        Frames { stored, decoder: FrameDecoder::new(), open: false }
    }

    /// Begins a frame, and passes by those that hold nothing; false behind the last.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.stored.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.stored) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let skipped =
                        io::copy(&mut self.stored.by_ref().take(length), &mut io::sink())?;
                    if skipped < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(damaged(&error)),
            }
        }
        Ok(false)
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.open && !self.begin()? {
                return Ok(0);
            }
            self.open = true;
            if !self.decoder.is_finished() && self.decoder.can_collect() < buf.len() {
                let most = BlockDecodingStrategy::UptoBytes(buf.len());
                let done = self.decoder.decode_blocks(&mut self.stored, most);
                done.map_err(|error| damaged(&error))?;
            }
            let count = self.decoder.read(buf)?;
            if count > 0 || buf.is_empty() {
                return Ok(count);
            }
            self.open = !self.decoder.is_finished();
        }
    }
}

fn damaged(error: &FrameDecoderError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the text `abc`, by the tool zstd.
    const FRAME: &[u8] = b"\x28\xb5\x2f\xfd\x04\x58\x19\0\0abc\x99\x09\x77\xad";

    #[test]
    fn frames_are_decoded() {
        assert_eq!(Zstd.decode(&[], FRAME, 3).expect("a frame"), b"abc");
        let skipped = b"\x50\x2a\x4d\x18\x02\0\0\0xx";
        let several = [FRAME, skipped, FRAME].concat();
        assert_eq!(Zstd.decode(&[], &several, 6).expect("frames"), b"abcabc");
        for (stored, length) in
            [(FRAME, 2), (FRAME, 4), (&FRAME[..11], 3), (&skipped[..9], 0), (b"PK", 1)]
        {
            assert!(Zstd.decode(&[], stored, length).is_err(), "{stored:?} {length}");
        }
    }
}
