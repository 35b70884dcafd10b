//! All that is wrong with a frame: each chunk decoded, its metadata and its array too.

use dudley_parser::layout::path::push_name;

use super::chunk::{Chunk, Scratch};
use super::chunk::{Kept, each};
use super::error::{Error, Result};
use super::frame::{CHECKSUMS, Entries, Frame};
use super::ndarray::NdArray;

impl Frame {
    /// Looks at all of the frame, whatever is wrong with some of it: decodes each chunk, block by block,
    /// and the metadata, and compares the array with what the frame says. `found` gets the path of what
    /// something is wrong with, such as `/chunks/3`, and the error, which has the address in the frame
    /// where there is one; `progress` the bytes that were decoded since it was called last.
    ///
    /// The format has no checksums: damage that decodes to as many bytes is only seen in frames that were
    /// written [with some](super::NewFrame::checksums).
    ///
    /// ```
    /// let frame = asdf_bridge::blosc2::Frame::open("tests/small.b2nd")?;
    /// let mut findings = Vec::new();
    /// frame.verify(&mut |path, error| findings.push((path, error)), &mut |_| ());
    /// assert!(findings.is_empty());
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    pub fn verify(&self, found: &mut dyn FnMut(String, Error), progress: &mut dyn FnMut(u64)) {
        let mut look = |path: String, result: Result<()>| {
            if let Err(error) = result {
                found(path, error);
            }
        };
        for (path, odd) in ["/meta", "/vlmeta"].into_iter().zip(self.odd_maps()) {
            look(path.to_owned(), odd.map_or(Ok(()), |why| Err(why.again())));
        }
        self.check_header(&mut |why| look("/data".to_owned(), Err(why)));
        for name in self.meta_names() {
            look(path("/meta/", name), self.meta(name).map(drop));
        }
        for name in self.vlmeta_names() {
            look(path("/vlmeta/", name), self.vlmeta(name).map(drop));
        }
        look("/usermeta".to_owned(), self.usermeta().map(drop));
        let array = match self.array() {
            Ok(array) => array,
            Err(error) => {
                look("/data".to_owned(), Err(error));
                None
            }
        };
        look("/data".to_owned(), array.as_ref().map_or(Ok(()), NdArray::check_dtype));
        let sums = self.checksums();
        if let Err(error) = &sums {
            look(path("/vlmeta/", CHECKSUMS), Err(error.again()));
        }
        let sums = sums.ok().flatten().unwrap_or_default();
        let entries = Entries::of(self);
        let mut wrong = false;
        for number in 0..self.chunk_count() {
            let decoded = self.chunk(number).and_then(|chunk| {
                let address = self.chunk_address(number)?.unwrap_or(0);
                let cut = array.as_ref().map_or(Ok(()), |array| array.check_blocks(&chunk));
                cut.map_err(|error| error.in_chunk(number, address))?;
                let all = chunk.decode_all(self.threads(), self.kept());
                progress(chunk.nbytes());
                let all = all.and_then(|()| chunk.check_starts());
                all.map_err(|error| error.in_chunk(number, address))?;
                sums.get(number as usize).map_or(Ok(()), |sum| self.check_sum(number, *sum))?;
                entries.check(self, number)
            });
            wrong |= decoded.is_err();
            look(format!("/chunks/{number}"), decoded);
        }
        // What chunks come to says nothing more where one is wrong.
        look("/data".to_owned(), if wrong { Ok(()) } else { self.check_sum_of_chunks() });
    }
}

/// The path of a metalayer.
pub(super) fn path(folder: &str, name: &str) -> String {
    let mut path = folder.to_owned();
    push_name(&mut path, name);
    path
}

impl Chunk<'_> {
    /// Decodes all blocks, and keeps none.
    pub(crate) fn decode_all(&self, threads: usize, kept: &Kept) -> Result<()> {
        // A special value is not worth being written out.
        if self.special().is_some() {
            return Ok(());
        }
        let decode = |block: usize, scratch: &mut Scratch| {
            let mut whole = scratch.take(self.block_range(block).len())?;
            let decoded = scratch.cached(|scratch| self.decode_block(block, &mut whole, scratch));
            scratch.give_back(whole);
            decoded
        };
        each(threads, self.load(threads), kept, 0..self.block_count(), decode)
    }
}
