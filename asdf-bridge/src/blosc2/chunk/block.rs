//! A block filtered and compressed, as it is stored.

use dudley::typed::{Little, Record};

use super::blocks::NUMBER;
use crate::blosc2::codecs::{Codec, Encoder, EncoderDictionary, Failed};
use crate::blosc2::encoding::{Encoding, refused};
use crate::blosc2::error::{Error, Result};
use crate::blosc2::filters::Forward;
use crate::blosc2::layouts::stream::Stream;
use crate::blosc2::memory;

/// What one thread keeps from block to block.
#[derive(Default)]
pub(super) struct Scratch {
    /// Of one codec and level.
    encoder: Option<(Codec, u8, Encoder)>,
    filtered: [Vec<u8>; 2],
    out: Vec<u8>,
}

/// How the bytes of a block are stored.
#[derive(Clone, Copy)]
pub(super) enum Streams {
    /// This many streams of equal length, each behind the number of bytes that it takes.
    Fixed(usize),
    /// One stream behind the number of bytes that it decodes to: where it ends the next block begins.
    Variable,
}

/// A block that is to be compressed.
pub(super) struct Block<'a> {
    pub(super) raw: &'a [u8],
    /// The first block of the chunk, if this one refers to it.
    pub(super) first: Option<&'a [u8]>,
    pub(super) streams: Streams,
    pub(super) dictionary: Option<&'a EncoderDictionary>,
    pub(super) out: &'a mut Vec<u8>,
}

impl Block<'_> {
    pub(super) fn encode(
        self,
        encoding: &Encoding,
        forward: &Forward,
        scratch: &mut Scratch,
    ) -> Result<()> {
        let Scratch { encoder, filtered, out } = scratch;
        let (codec, level) = (encoding.codec, encoding.level);
        let (.., encoder) = match encoder {
            Some(made) if (made.0, made.1) == (codec, level) => made,
            other => other.insert((codec, level, Encoder::new(codec, level).map_err(failed)?)),
        };
        let filtered = forward.apply(self.raw, filtered, self.first)?;
        let streams = match self.streams {
            Streams::Fixed(streams) => streams,
            Streams::Variable => 1,
        };
        memory::resize(out, filtered.len() + (NUMBER + 1) * streams)?;
        let mut at = 0;
        for stream in filtered.chunks_exact(filtered.len() / streams) {
            let (head, body) = out[at..].split_at_mut(NUMBER);
            let runs = !encoding.short_header && matches!(self.streams, Streams::Fixed(_));
            let (size, len) = match run(stream).filter(|_| runs) {
                Some(0) => (0, 0),
                Some(byte) => {
                    // A token behind the length says that it is a run.
                    body[0] = 1;
                    (-i32::from(byte), 1)
                }
                None => {
                    let room = &mut body[..stream.len() - 1];
                    let done = if level == 0 || room.is_empty() {
                        None
                    } else {
                        encoder.encode(stream, room, self.dictionary).map_err(failed)?
                    };
                    let len = done.unwrap_or_else(|| {
                        body[..stream.len()].copy_from_slice(stream);
                        stream.len()
                    });
                    (len as i32, len)
                }
            };
            let size = match self.streams {
                Streams::Fixed(_) => size,
                // Not more than the chunk, whose length was found to fit.
                Streams::Variable => stream.len() as i32,
            };
            head.copy_from_slice(&number(size));
            at += NUMBER + len;
        }
        self.out.clear();
        self.out.extend_from_slice(&out[..at]);
        Ok(())
    }
}

/// The byte that all of them are.
fn run(stream: &[u8]) -> Option<u8> {
    let (first, rest) = stream.split_first()?;
    (stream[..rest.len()] == *rest).then_some(*first)
}

pub(super) fn number(size: i32) -> [u8; NUMBER] {
    let mut bytes = [0; NUMBER];
    Stream { size }.encode::<Little>(&mut bytes);
    bytes
}

fn failed(error: Failed) -> Error {
    refused(&error.0)
}
