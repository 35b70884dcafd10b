//! Stored bytes one after the other, for decoders that read.

use std::io::{self, BufRead, Read};
use std::sync::Arc;

use dudley::bytes::{Source, Window};

/// Bytes that are read at a time from what is not in memory.
const STEP: u64 = 1 << 20;

/// Reads a source from its first byte on.
pub(super) struct Bytes {
    source: Window<Arc<dyn Source>>,
    /// Of those in `buffer`, or else of the source, this many were read.
    at: u64,
    buffer: Vec<u8>,
    /// Where the buffer begins.
    start: u64,
}

impl Bytes {
    pub(super) fn new(source: Window<Arc<dyn Source>>) -> Bytes {
        Bytes { source, at: 0, buffer: Vec::new(), start: 0 }
    }
}

impl BufRead for Bytes {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if let Some(bytes) = self.source.bytes() {
            return Ok(bytes.get(self.at as usize..).unwrap_or_default());
        }
        if self.at >= self.start + self.buffer.len() as u64 {
            let left = self.source.len().saturating_sub(self.at);
            self.start = self.at;
            self.buffer.resize(left.min(STEP) as usize, 0);
            let read = self.source.read_at(self.at, &mut self.buffer);
            read.map_err(io::Error::other)?;
        }
        Ok(&self.buffer[(self.at - self.start) as usize..])
    }

    fn consume(&mut self, count: usize) {
        self.at += count as u64;
    }
}

impl Read for Bytes {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let there = self.fill_buf()?;
        let count = there.len().min(buf.len());
        buf[..count].copy_from_slice(&there[..count]);
        self.consume(count);
        Ok(count)
    }
}
