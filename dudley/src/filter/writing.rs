//! Bytes that are encoded while they are written.

use std::io::{self, Write};

use super::encoder::{Encoder, STEP};
use super::{FilterError, Result};

/// Encodes by something that bytes are written to, and that writes to memory.
pub(super) struct Writing<E> {
    /// None at the end.
    pub(super) encoder: Option<E>,
    /// What it has written.
    pub(super) written: fn(&mut E) -> &mut Vec<u8>,
    /// Ends it.
    pub(super) finish: fn(E) -> io::Result<Vec<u8>>,
}

impl<E: Write + Send> Encoder for Writing<E> {
    fn encode(&mut self, raw: &[u8], stored: &mut Vec<u8>) -> Result<()> {
        let Some(encoder) = &mut self.encoder else {
            return Err(FilterError::Encode(io::Error::other("bytes behind the end")));
        };
        for step in raw.chunks(STEP) {
            encoder.write_all(step).map_err(FilterError::Encode)?;
            stored.append((self.written)(encoder));
        }
        Ok(())
    }

    fn finish(&mut self, stored: &mut Vec<u8>) -> Result<()> {
        if let Some(encoder) = self.encoder.take() {
            stored.append(&mut (self.finish)(encoder).map_err(FilterError::Encode)?);
        }
        Ok(())
    }
}
