//! Checksums of the chunks of a frame, in a metalayer of variable size: the format itself has none.

use std::collections::BTreeMap;
use std::sync::Arc;

use dudley::ByteOrder;
use dudley::source::Source;
use dudley::typed::{Bytes, Record, decode_all};

use super::head::open;
use super::{Frame, Place};
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::frame::assemble::create;
use crate::blosc2::layouts::checksums;

/// The metalayer.
pub(super) const NAME: &str = "dudley.crc32c";

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
    /// The CRC-32C of each chunk as it was stored, 0 of values that are not; none where the frame has no
    /// checksums, which [`NewFrame::checksums`](super::NewFrame::checksums) adds.
    ///
    /// # Errors
    /// [`Error::Damaged`] where they are not as many as the chunks; what decoding them says.
    pub fn checksums(&self) -> Result<Option<Vec<u32>>> {
        if !self.vlmeta_names().any(|name| name == NAME) {
            return Ok(None);
        }
        let stored = self.vlmeta(NAME)?;
        let (found, count) = (stored.len() as u64, self.chunk_count());
        if found != HEAD + count * SUM {
            let expected = format!("{} bytes, the checksums of {count} chunks", HEAD + count * SUM);
            return Err(Error::damaged(Part::VlMetalayer, 0_u64, expected, found));
        }
        let source: Arc<dyn Source> = Arc::new(stored.clone());
        let failed = Error::engine(Part::VlMetalayer);
        let reader = open::<checksums::Layout>(&source, 0, &[("COUNT", count)], Part::VlMetalayer)?;
        let size = reader.size().read().map_err(&failed)?;
        if u64::from(size) != count * SUM {
            return Err(Error::damaged(Part::VlMetalayer, 1_u64, (count * SUM).to_string(), size));
        }
        let place = reader.sums().data().map_err(&failed)?.address() as usize;
        let sums = decode_all::<checksums::Sums>(&stored[place..], ByteOrder::Big);
        Ok(Some(sums.map(|of| of.sum).collect()))
    }

    /// That a chunk is as it was when its checksum was written.
    pub(crate) fn check_sum(&self, number: u64, expected: u32) -> Result<()> {
        let (found, address) = match self.place(number)? {
            Place::Special(_) => (0, 0),
            Place::Stored(_) => {
                let address = self.chunk_address(number)?.unwrap_or(0);
                (of_bytes(&self.chunk(number)?.stored_bytes()?), address)
            }
        };
        if found == expected {
            return Ok(());
        }
        let expected = format!("bytes of the CRC-32C {expected:#010x}");
        let found =
            format!("{found:#010x}: damaged, or changed by a program that keeps no checksums");
        Err(Error::damaged(Part::Chunk, 0_u64, expected, found).in_chunk(number, address))
    }

    /// The checksums of stored chunks, each with its offset in the index; none where the frame has no checksums.
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
            let begun = if sparse { new().folder(&path) } else { new().file(&path, false) };
            let mut writer = begun.expect("begun");
            writer.write(&raw()).expect("written");
            writer.finish().expect("complete");
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
            let begun = if sparse { new.folder(&path) } else { new.file(&path, false) };
            let mut writer = begun.expect("begun");
            writer.write(&raw()).expect("written");
            writer.finish().expect("complete");
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
    fn checksums_of_other_chunks_are_damage() {
        let wrong = new().checksums(false).vlmeta(NAME, &[0xc6, 0, 0, 0, 0]);
        let mut writer = wrong.memory().expect("begun");
        writer.write(&raw()).expect("written");
        let frame = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
        assert!(frame.checksums().is_err());
        let found = findings(&frame);
        assert!(found.iter().any(|(path, _)| path == "/vlmeta/dudley.crc32c"), "{found:?}");
    }
}
