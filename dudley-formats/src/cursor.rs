//! Reads a header sequentially, in blocks, and never past the end of the file.

use std::sync::Arc;

use dudley::bytes::Source;
use dudley::{ByteOrder, Error, Result};

/// Bytes of the first read; each further read is four times as long, up to the largest block.
const BLOCK: usize = 1 << 12;
const LARGEST_BLOCK: usize = 1 << 20;

/// The longest part of a header that is read at once: a name, a text, the header of a safetensors file.
const LONGEST: u64 = 1 << 27;

/// The longest line of a header.
const LONGEST_LINE: usize = 1 << 24;

/// Reads the numbers and texts of a header in order.
pub(crate) struct Cursor {
    source: Arc<dyn Source>,
    /// Bytes of the file.
    len: u64,
    order: ByteOrder,
    /// The current block: its address and its bytes.
    block: (u64, Vec<u8>),
    at: u64,
}

impl Cursor {
    /// Creates a cursor at an address.
    pub(crate) fn new(source: &Arc<dyn Source>, order: ByteOrder, at: u64) -> Cursor {
        Cursor { source: source.clone(), len: source.len(), order, block: (at, Vec::new()), at }
    }

    /// The address of the next byte.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// The number of bytes left in the file.
    pub(crate) fn left(&self) -> u64 {
        self.len.saturating_sub(self.at)
    }

    /// Reads the next bytes; `what` names them, for an error if the file ends first.
    #[inline]
    pub(crate) fn take(&mut self, count: u64, what: &str) -> Result<&[u8]> {
        let mut start = (self.at - self.block.0) as usize;
        if count > (self.block.1.len() - start) as u64 {
            self.refill(count, what)?;
            start = 0;
        }
        self.at += count;
        Ok(&self.block.1[start..][..count as usize])
    }

    /// Reads a block of at least this many bytes from the next byte on, since the current block is too short.
    #[cold]
    fn refill(&mut self, count: u64, what: &str) -> Result<()> {
        self.expect(count, what)?;
        if count > LONGEST {
            let what = format!("{what} has {count} bytes, and no more than {LONGEST} are read");
            return Err(malformed(self.at, what));
        }
        let wanted = (self.block.1.len() * 4).clamp(BLOCK, LARGEST_BLOCK) as u64;
        let mut bytes = vec![0; wanted.max(count).min(self.left()) as usize];
        self.source.read_at(self.at, &mut bytes)?;
        self.block = (self.at, bytes);
        Ok(())
    }

    /// Skips bytes.
    pub(crate) fn skip(&mut self, count: u64, what: &str) -> Result<()> {
        self.expect(count, what)?;
        self.at += count;
        if self.at > self.block.0 + self.block.1.len() as u64 {
            self.block = (self.at, Vec::new());
        }
        Ok(())
    }

    /// Reads a line, without its end; at the end of the file, the rest.
    pub(crate) fn line(&mut self) -> Result<Vec<u8>> {
        let (mut line, _) = self.line_to(b"\n")?;
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Ok(line)
    }

    /// Reads a line up to one of the bytes `ends`, which must be there; `what` names the part of the header.
    pub(crate) fn line_of(&mut self, ends: &[u8], what: &str) -> Result<Vec<u8>> {
        match self.line_to(ends)? {
            (line, true) => Ok(line),
            (_, false) => Err(malformed(self.at, format!("the file ends within {what}"))),
        }
    }

    /// Reads the bytes up to the end of a line; returns whether an end was found.
    fn line_to(&mut self, ends: &[u8]) -> Result<(Vec<u8>, bool)> {
        let (at, mut line) = (self.at, Vec::new());
        while self.left() > 0 {
            match self.take(1, "a line")?[0] {
                byte if ends.contains(&byte) => return Ok((line, true)),
                byte => line.push(byte),
            }
            if line.len() > LONGEST_LINE {
                let what = format!("a line of a header is longer than {LONGEST_LINE} bytes");
                return Err(malformed(at, what));
            }
        }
        Ok((line, false))
    }

    /// Checks that this many bytes are left.
    fn expect(&self, count: u64, what: &str) -> Result<()> {
        if count <= self.left() {
            return Ok(());
        }
        let left = self.left();
        let what = format!("the file ends within {what}: {count} bytes needed, {left} left");
        Err(malformed(self.at, what))
    }

    /// Reads the next bytes of a number.
    #[inline]
    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N]> {
        let start = (self.at - self.block.0) as usize;
        if let Some(bytes) = self.block.1.get(start..).and_then(|rest| rest.first_chunk()) {
            self.at += N as u64;
            return Ok(*bytes);
        }
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N as u64, what)?);
        Ok(bytes)
    }

    /// Reads an unsigned integer of 4 bytes.
    #[inline]
    pub(crate) fn u4(&mut self, what: &str) -> Result<u32> {
        let bytes = self.array(what)?;
        Ok(match self.order {
            ByteOrder::Big => u32::from_be_bytes(bytes),
            ByteOrder::Little => u32::from_le_bytes(bytes),
        })
    }

    /// Reads an unsigned integer of 8 bytes.
    #[inline]
    pub(crate) fn u8(&mut self, what: &str) -> Result<u64> {
        let bytes = self.array(what)?;
        Ok(match self.order {
            ByteOrder::Big => u64::from_be_bytes(bytes),
            ByteOrder::Little => u64::from_le_bytes(bytes),
        })
    }
}

/// An error in a header at an address.
pub(crate) fn malformed(address: u64, what: impl Into<Box<str>>) -> Error {
    Error::Malformed { address, what: what.into() }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// A file too large for memory, and the size of the largest read from it.
    struct Huge(AtomicU64);

    impl Source for Huge {
        fn len(&self) -> u64 {
            1 << 50
        }

        fn read_at(&self, _: u64, bytes: &mut [u8]) -> Result<()> {
            self.0.fetch_max(bytes.len() as u64, Ordering::Relaxed);
            bytes.fill(1);
            Ok(())
        }
    }

    #[test]
    fn no_more_is_held_than_is_needed() {
        let huge = Arc::new(Huge(AtomicU64::new(0)));
        let source: Arc<dyn Source> = huge.clone();
        let mut cursor = Cursor::new(&source, ByteOrder::Little, 0);
        for _ in 0..1 << 12 {
            assert_eq!(cursor.take(1 << 12, "numbers").expect("bytes").len(), 1 << 12);
        }
        assert_eq!(huge.0.load(Ordering::Relaxed), LARGEST_BLOCK as u64);
        let error = cursor.take(1 << 40, "a name").expect_err("too long").to_string();
        assert!(error.contains("a name has") && error.contains("16777216"), "{error}");
        cursor.skip(1 << 40, "data").expect("it is not read");
    }
}
