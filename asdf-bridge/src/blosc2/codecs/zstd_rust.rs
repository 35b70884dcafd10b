//! zstd without the C library: one frame a stream, decoded by ruzstd.

use std::fmt::Display;

use ruzstd::decoding::{Dictionary as Tables, FrameDecoder};

use super::{Decode, Dictionary, Failed};

/// The first bytes of a dictionary with tables; without them it is content alone.
const TABLES: [u8; 4] = [0x37, 0xa4, 0x30, 0xec];

pub(super) struct Zstd {
    plain: FrameDecoder,
    /// That of the dictionary of the last stream that had one; most have the same.
    with: Option<(Box<[u8]>, FrameDecoder)>,
}

impl Zstd {
    pub(super) fn new() -> Result<Zstd, Failed> {
        Ok(Zstd { plain: FrameDecoder::new(), with: None })
    }

    fn with(&mut self, dictionary: &[u8]) -> Result<&mut FrameDecoder, Failed> {
        if self.with.as_ref().is_none_or(|(bytes, _)| **bytes != *dictionary) {
            self.with = None;
        }
        Ok(match &mut self.with {
            Some((_, decoder)) => decoder,
            none => &mut none.insert((dictionary.into(), with(dictionary)?)).1,
        })
    }
}

impl Decode for Zstd {
    fn decode(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        dictionary: Option<&Dictionary>,
        _: usize,
    ) -> Result<(), Failed> {
        let decoder = match dictionary {
            None => &mut self.plain,
            Some(dictionary) => self.with(&dictionary.bytes)?,
        };
        // What refers further back than there is to decode is damaged.
        decoder.set_max_window_size((dst.len() as u64).max(SMALLEST_WINDOW));
        match decoder.decode_all(src, dst).map_err(failed)? {
            len if len == dst.len() => Ok(()),
            len => Err(Failed::length(dst.len(), len)),
        }
    }
}

/// Encoders may give a window of this size to less.
const SMALLEST_WINDOW: u64 = 8 << 20;

fn with(bytes: &[u8]) -> Result<FrameDecoder, Failed> {
    if !bytes.starts_with(&TABLES) {
        return Err(Failed(
            "zstd: a dictionary without tables, which takes the C library".to_owned(),
        ));
    }
    let mut decoder = FrameDecoder::new();
    decoder.add_dict(Tables::decode_dict(bytes).map_err(failed)?).map_err(failed)?;
    Ok(decoder)
}

fn failed(why: impl Display) -> Failed {
    Failed(format!("zstd: {why}"))
}
