//! Frames changed in place whose chunks, or the blocks of these, differ in size.

use super::FrameEditor;
use crate::blosc2::chunk::{Encoded, encode_all, encode_blocks};
use crate::blosc2::encoding::refused;
use crate::blosc2::error::Result;
use crate::blosc2::frame::variable::Kind;

impl FrameEditor {
    /// Whether chunks differ in size.
    pub(super) fn is_variable(&self) -> bool {
        self.chunksize == 0
    }

    /// Appends a chunk of blocks of any size but 0, as [`FrameWriter::write_blocks`].
    ///
    /// [`FrameWriter::write_blocks`]: crate::blosc2::FrameWriter::write_blocks
    ///
    /// # Errors
    /// [`Error::Range`](crate::blosc2::Error::Range) where chunks are of one size, or have no such blocks; else
    /// as [`Self::update`].
    pub fn append_blocks(&mut self, blocks: &[&[u8]]) -> Result<()> {
        let (chunk, nbytes) = self.encoded_blocks(blocks)?;
        self.append_any(chunk, nbytes)
    }

    /// Replaces a chunk by one of blocks of any size but 0.
    ///
    /// # Errors
    /// As [`Self::append_blocks`]; [`Error::Range`](crate::blosc2::Error::Range) if there is no such chunk.
    pub fn update_blocks(&mut self, number: u64, blocks: &[&[u8]]) -> Result<()> {
        let (chunk, nbytes) = self.encoded_blocks(blocks)?;
        self.replace_any(number, chunk, nbytes)
    }

    fn encoded_blocks(&mut self, blocks: &[&[u8]]) -> Result<(Encoded, u64)> {
        if !self.is_variable() {
            return Err(refused("blocks of any size, where chunks are all of one"));
        }
        Kind::Blocks.joins(&mut self.kind)?;
        let chunk = encode_blocks(&self.encoding, blocks)?;
        Ok((one(chunk)?, blocks.iter().map(|block| block.len() as u64).sum()))
    }

    /// A chunk of these bytes, whose size is its own.
    pub(super) fn encoded(&mut self, bytes: &[u8]) -> Result<Encoded> {
        Kind::Plain.joins(&mut self.kind)?;
        one(encode_all(&self.encoding, &[bytes])?)
    }

    pub(super) fn append_any(&mut self, chunk: Encoded, nbytes: u64) -> Result<()> {
        let offset = self.store(chunk)?;
        self.offsets.push(offset);
        self.sizes.push(nbytes);
        self.nbytes += nbytes;
        Ok(())
    }

    pub(super) fn replace_any(&mut self, number: u64, chunk: Encoded, nbytes: u64) -> Result<()> {
        let len = self.chunk_len(number)?;
        self.replace(number, chunk)?;
        self.nbytes = self.nbytes - len + nbytes;
        self.sizes[number as usize] = nbytes;
        Ok(())
    }
}

fn one(chunks: Vec<Encoded>) -> Result<Encoded> {
    chunks.into_iter().next().ok_or_else(|| refused("no chunk"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blosc2::{Encoding, Frame, NewFrame};

    #[test]
    fn chunks_of_any_size_are_appended_and_replaced() {
        for sparse in [false, true] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("a.b2frame");
            let new = NewFrame::new(Encoding::new(1)).variable().checksums(true);
            let begun = if sparse { new.folder(&path) } else { new.file(&path, false) };
            begun.expect("begun").finish().expect("complete");
            let mut parts: Vec<Vec<u8>> = Vec::new();
            for turn in 0..3 {
                let mut editor = FrameEditor::open(&path).expect("open");
                for len in [700, 1, 90_000] {
                    let part = (0..len).map(|i: u32| (i.wrapping_mul(i) >> 3) as u8 ^ turn);
                    let part: Vec<u8> = part.collect();
                    editor.append(&part).expect("appended");
                    parts.push(part);
                }
                editor.update(1, &[turn; 500]).expect("updated");
                parts[1] = vec![turn; 500];
                assert!(editor.append_blocks(&[b"a"]).is_err());
                assert!(editor.update(99, &[1]).is_err());
                let none = editor.update(0, b"").expect_err("nothing can be read of it");
                assert_eq!(none.to_string(), "no bytes for chunk 0: a chunk has some");
                editor.commit().expect("committed");
                let frame = Frame::open(&path).expect("a frame");
                assert_eq!(frame.read().expect("decoded"), parts.concat());
                assert_eq!(frame.chunk_count(), parts.len() as u64);
                frame.verify(&mut |path, error| panic!("{path}: {error}"), &mut |_| ());
            }
        }
    }

    #[test]
    fn blocks_are_appended_and_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.b2frame");
        let new = NewFrame::new(Encoding::new(1)).variable();
        let mut writer = new.file(&path, false).expect("begun");
        writer.write_blocks(&[b"one", b"three"]).expect("written");
        writer.finish().expect("complete");
        let mut editor = FrameEditor::open(&path).expect("open");
        editor.append_blocks(&[b"four"]).expect("appended");
        editor.update_blocks(0, &[b"1", b"2", b"3"]).expect("updated");
        assert!(editor.append(b"a").is_err());
        assert!(editor.append_blocks(&[b"a", b""]).is_err());
        editor.commit().expect("committed");
        let frame = Frame::open(&path).expect("a frame");
        assert_eq!(frame.read().expect("decoded"), b"123four");
        assert_eq!(frame.chunk(0).expect("there").block(2).expect("decoded"), b"3");
        let fixed = NewFrame::new(Encoding::new(1)).file(folder.path().join("b"), false);
        fixed.expect("begun").finish().expect("complete");
        let mut editor = FrameEditor::open(folder.path().join("b")).expect("open");
        assert!(editor.append_blocks(&[b"a"]).is_err());
    }
}
