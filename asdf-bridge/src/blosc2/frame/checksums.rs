//! Checksums of the chunks of a frame, in a metalayer of variable size: the format itself has none.

use std::collections::BTreeMap;
use std::sync::Arc;

use dudley::ByteOrder;
use dudley::bytes::Source;
use dudley::typed::{Bytes, Record, decode_all};

use super::header::open;
use super::{Frame, Place};
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::frame::assemble::create;
use crate::blosc2::layouts::checksums;

/// The metalayer.
pub(crate) const NAME: &str = "dudley.crc32c";

/// Bytes before the sums, and of each.
const HEAD: u64 = 5;
const SUM: u64 = <<checksums::Sums as Record>::Bytes as Bytes>::LEN as u64;

/// That of the bytes of a chunk.
pub(super) fn of_bytes(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes)
}

/// The content of the metalayer.
///
/// # Errors
/// [`Error::Range`], [`Error::Engine`] for more of them than it can hold.
pub(super) fn content(sums: &[u32]) -> Result<Vec<u8>> {
    let failed = Error::engine(Part::VlMetalayer);
    let count = sums.len() as u64;
    let size = u32::try_from(count * SUM).map_err(|_| Error::Range("too many checksums".into()))?;
    let params = checksums::Params { count: count as _ };
    let writer = create::<checksums::Layout>(Part::VlMetalayer, &params)?;
    writer.size().write(size).map_err(&failed)?;
    let sums: Vec<_> = sums.iter().map(|sum| checksums::Sums { sum: *sum }).collect();
    writer.sums().write_slice(&sums).map_err(&failed)?;
    writer.finish_bytes().map_err(&failed)
}

impl Frame {
    /// The CRC-32C of each chunk as it was stored, 0 of values that are not; `None` where the frame has no
    /// checksums, which [`NewFrame::checksums`](super::NewFrame::checksums) adds.
    ///
    /// # Errors
    /// [`Error::Damaged`] where they are not as many as the chunks; if decoding them fails.
    pub fn checksums(&self) -> Result<Option<Vec<u32>>> {
        let place = self.vl_metalayers().iter().find(|(name, _)| name == NAME);
        let Some((_, place)) = place else { return Ok(None) };
        // They are compressed: all that is wrong with them is so where their chunk begins.
        let damaged = |expected: String, found: u64| {
            let expected = format!("checksums of {expected}");
            let found = format!("{found} bytes of them");
            Error::damaged(Part::VlMetalayer, place.start, expected, found)
        };
        let stored = self.vlmeta(NAME)?;
        let (found, count) = (stored.len() as u64, self.chunk_count());
        if found != HEAD + count * SUM {
            return Err(damaged(format!("{count} chunks, {} bytes", HEAD + count * SUM), found));
        }
        let source: Arc<dyn Source> = Arc::new(stored.clone());
        let failed = Error::engine(Part::VlMetalayer);
        let reader = open::<checksums::Layout>(&source, 0, &[("COUNT", count)], Part::VlMetalayer)?;
        let size = reader.size().read().map_err(&failed)?;
        if u64::from(size) != count * SUM {
            return Err(damaged(format!("{count} chunks, {} bytes", count * SUM), size.into()));
        }
        let place = reader.sums().data().map_err(&failed)?.address() as usize;
        let sums = decode_all::<checksums::Sums>(&stored[place..], ByteOrder::Big);
        Ok(Some(sums.map(|of| of.sum).collect()))
    }

    /// Checks that each chunk is as it was when its checksum was written; nothing is looked at where the frame has no
    /// checksums. Chunks are read, and not decoded.
    ///
    /// ```
    /// use asdf_bridge::blosc2::{Codec, Encoding, Frame, NewFrame};
    ///
    /// let new = NewFrame::new(Encoding::new(1).codec(Codec::Lz4)).checksums(true);
    /// let mut writer = new.memory()?;
    /// writer.write(b"as it is")?;
    /// let mut bytes = writer.finish_bytes()?;
    /// assert!(Frame::from_source(bytes.clone())?.check_checksums().is_ok());
    ///
    /// let letter = bytes.windows(8).position(|part| part == b"as it is").expect("stored as it is");
    /// bytes[letter] = b'A';
    /// let error = Frame::from_source(bytes)?.check_checksums().expect_err("another letter");
    /// assert_eq!(error.chunk(), Some(0));
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Damaged`] for the first chunk that is another; else as [`Self::checksums`].
    pub fn check_checksums(&self) -> Result<()> {
        let sums = self.checksums()?.unwrap_or_default();
        (0..).zip(sums).try_for_each(|(number, sum)| self.check_sum(number, sum))
    }

    /// Checks that a chunk is as it was when its checksum was written.
    pub(crate) fn check_sum(&self, number: u64, expected: u32) -> Result<()> {
        // A value has no bytes but its entry of the index, and a file of its own no address in the frame.
        let (found, part, address, file) = match self.place(number)? {
            Place::Special(_) => (0, Part::Index, self.index_range().start, String::new()),
            Place::Stored(file) => {
                let found = of_bytes(&self.chunk(number)?.stored_bytes()?);
                let address = self.chunk_address(number)?;
                let file = match address {
                    Some(_) => String::new(),
                    None => format!(" in its file {file:08X}.chunk"),
                };
                (found, Part::Chunk, address.unwrap_or(0), file)
            }
        };
        if found == expected {
            return Ok(());
        }
        let expected = format!("bytes of the CRC-32C {expected:#010x}{file}");
        let found =
            format!("{found:#010x}: damaged, or changed by a program that keeps no checksums");
        Err(Error::damaged(part, 0_u64, expected, found).in_chunk(number, address))
    }

    /// The checksums of stored chunks, each with its offset in the index; `None` where the frame has no checksums.
    /// What cannot be those of its chunks, because a program changed the frame that keeps none, is left out.
    pub(super) fn sums_by_offset(&self) -> Result<Option<BTreeMap<u64, u32>>> {
        let sums = match self.checksums() {
            Err(Error::Damaged { .. }) => Vec::new(),
            sums => match sums? {
                Some(sums) => sums,
                None => return Ok(None),
            },
        };
        let mut known = BTreeMap::new();
        for (number, sum) in (0..).zip(sums) {
            if let Place::Stored(offset) = self.place(number)? {
                known.insert(offset, sum);
            }
        }
        Ok(Some(known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blosc2::{Codec, Encoding, FrameEditor, NewFrame, Special};

    fn findings(frame: &Frame) -> Vec<(String, String)> {
        let mut found = Vec::new();
        frame.verify(&mut |path, error| found.push((path, error.to_string())), &mut |_| ());
        found
    }

    fn raw() -> Vec<u8> {
        (0..3000_u32).flat_map(|i| (i.wrapping_mul(2_654_435_761) >> 7).to_le_bytes()).collect()
    }

    fn new() -> NewFrame {
        let encoding = Encoding::new(4).codec(Codec::Lz4);
        NewFrame::new(encoding).chunksize(4000).vlmeta("note", &[1]).checksums(true)
    }

    /// Writes a frame of those.
    fn written(new: NewFrame, path: &std::path::Path, sparse: bool) {
        let begun = if sparse { new.folder(path) } else { new.file(path, false) };
        let mut writer = begun.expect("begun");
        writer.write(&raw()).expect("written");
        writer.finish().expect("complete");
    }

    #[test]
    fn damage_that_decodes_is_found() {
        let mut writer = new().memory().expect("begun");
        writer.write(&raw()).expect("written");
        writer.write_special(Special::Nan, 4000).expect("written");
        let bytes = writer.finish_bytes().expect("complete");
        let frame = Frame::from_source(bytes.clone()).expect("a frame");
        assert_eq!(
            frame.checksums().expect("right").map(|sums| (sums.len(), sums[3])),
            Some((4, 0))
        );
        assert_eq!(findings(&frame), []);
        // A literal of the second chunk, which decodes as before.
        let address = frame.chunk_address(1).expect("there").expect("stored");
        let mut bytes = bytes;
        bytes[address as usize + 1000] ^= 1;
        let found = findings(&Frame::from_source(bytes).expect("a frame"));
        let [(path, said)] = &found[..] else { panic!("{found:?}") };
        assert_eq!(path, "/chunks/1");
        assert!(said.contains(&format!("chunk 1: chunk at address {address}: expected")), "{said}");
    }

    #[test]
    fn what_is_changed_keeps_its_checksums() {
        for sparse in [false, true] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("a.b2frame");
            written(new(), &path, sparse);
            for _ in 0..3 {
                let mut editor = FrameEditor::open(&path).expect("open");
                editor.update(1, &raw()[..4000]).expect("updated");
                editor.append(&raw()[..5000]).expect("appended");
                editor.commit().expect("committed");
                editor.update(0, &[0; 4000]).expect("updated");
                editor.commit().expect("committed");
                let frame = Frame::open(&path).expect("a frame");
                let sums = frame.checksums().expect("right").expect("there");
                assert_eq!((sums.len() as u64, sums[0]), (frame.chunk_count(), 0));
                assert_eq!(findings(&frame), []);
            }
            let mut editor = FrameEditor::open(&path).expect("open");
            editor.remove_vlmeta(NAME).expect("there");
            editor.commit().expect("committed");
            assert_eq!(Frame::open(&path).expect("a frame").checksums().expect("right"), None);
            // Written anew they are those of the new chunks.
            let frame = Frame::open(&path).expect("a frame");
            let like = NewFrame::like(&frame).expect("known").checksums(true).memory();
            let mut writer = like.expect("begun");
            writer.write_frame(&frame).expect("written");
            let bytes = writer.finish_bytes().expect("complete");
            let frame = Frame::from_source(bytes).expect("a frame");
            assert_eq!(findings(&frame), []);
            let again = NewFrame::like(&frame).expect("known").memory().expect("begun");
            let again = Frame::from_source(again.finish_bytes().expect("complete"));
            assert_eq!(again.expect("a frame").checksums().expect("right"), Some(Vec::new()));
        }
    }

    #[test]
    fn a_frame_that_grew_without_its_checksums_can_be_changed_and_has_them_again() {
        for sparse in [false, true] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("a.b2frame");
            // Those of two chunks, of which there are three.
            let old = content(&[1, 2]).expect("few");
            let new = new().checksums(false).vlmeta(NAME, &old);
            written(new, &path, sparse);
            assert!(Frame::open(&path).expect("a frame").checksums().is_err());
            let mut editor = FrameEditor::open(&path).expect("open");
            editor.update(1, &raw()[..4000]).expect("updated");
            editor.append(&[0; 4000]).expect("appended");
            editor.commit().expect("committed");
            let frame = Frame::open(&path).expect("a frame");
            let sums = frame.checksums().expect("right").expect("there");
            assert_eq!((sums.len(), sums[3], findings(&frame)), (4, 0, Vec::new()));
            assert!(sums[..3].iter().all(|sum| *sum > 2));
        }
    }

    #[test]
    fn a_frame_whose_checksums_are_not_right_is_written_anew_only_if_that_is_said() {
        for sparse in [false, true] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("a.b2frame");
            written(new(), &path, sparse);
            // A literal of the second chunk, which decodes as before.
            let address = Frame::open(&path).expect("a frame").chunk_address(1).expect("there");
            let file = if sparse { path.join("00000001.chunk") } else { path.clone() };
            let mut bytes = std::fs::read(&file).expect("its bytes");
            bytes[address.unwrap_or(0) as usize + 1000] ^= 1;
            std::fs::write(&file, bytes).expect("written");
            let frame = Frame::open(&path).expect("a frame");
            let like = || NewFrame::like(&frame).expect("known");
            let mut writer = like().memory().expect("begun");
            let error = writer.write_frame(&frame).expect_err("another chunk");
            assert_eq!((error.chunk(), error.address()), (Some(1), address.or(Some(0))));
            assert_eq!(error.to_string().contains("00000001.chunk"), sparse, "{error}");
            let mut writer = like().unchecked(true).memory().expect("begun");
            writer.write_frame(&frame).expect("written");
            let other = Frame::from_source(writer.finish_bytes().expect("complete"));
            let other = other.expect("a frame");
            assert_eq!(findings(&other), []);
            assert_eq!(other.read().expect("decoded"), frame.read().expect("decoded"));
        }
    }

    #[test]
    fn checksums_of_other_chunks_are_damage() {
        let wrong = new().checksums(false).vlmeta(NAME, &[0xc6, 0, 0, 0, 0]);
        let mut writer = wrong.memory().expect("begun");
        writer.write(&raw()).expect("written");
        let frame = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
        let error = frame.checksums().expect_err("none for three chunks");
        let trailer = frame.index_range().end;
        assert!(error.address().is_some_and(|at| at > trailer), "{error}");
        let found = findings(&frame);
        assert!(found.iter().any(|(path, _)| path == "/vlmeta/\"dudley.crc32c\""), "{found:?}");
    }
}
