//! Where the chain of blocks is broken: how it is taken up again, so that blocks keep their numbers.
//!
//! An array names its block by a number. So a block whose header is destroyed must not be passed over: the
//! array behind it would be given the data of another one. The index says which number a block has, where it
//! lists what was found so far.

use std::ops::Range;

use super::super::error::Result;
use super::super::form::LONGEST;
use super::super::magic::MAGIC;
use super::super::report::Code;
use super::{Block, Blocks, Slot, Verdict, Walk, search};

/// How many entries of the index are tried to take up a broken chain.
const LISTED: usize = 8;

/// No more bytes of data are taken for lost.
const LOST: u64 = 16 << 20;

/// No more bytes in front of the first block are taken for a part of a tree.
const TEXT: usize = 1 << 20;

/// This many zeros in a row may be a sector.
const ZEROS: usize = 128;

impl Blocks {
    /// Where the next block begins if it is in front of `at`, where the last one ends by its header: bytes of the last one
    /// are lost, or its header says too much. An index that has it elsewhere knows better.
    pub(super) fn earlier(&self, walk: &mut Walk, at: u64) -> Result<Option<u64>> {
        let Some(Slot::Block(last)) = walk.found.last() else { return Ok(None) };
        let (address, start) = (last.address, self.least_start(last));
        let range = start.max(at.saturating_sub(LOST))..at;
        if at == self.source.len() {
            return Ok(None);
        }
        let Some(next) = search::across(self, range)? else { return Ok(None) };
        let index = self.load_index(walk)?;
        let mut listed = index.iter().flat_map(|index| &index.offsets);
        let listed = listed.find(|listed| **listed == address).and(listed.next());
        Ok(listed.is_none_or(|listed| *listed == at).then_some(next))
    }

    /// Where a block begins after what was found last, which does not end where one begins. Blocks that the index
    /// lists on the way, and that are none, are found bad. Where the index does not help, the next header counts
    /// that is sound, from `from` on.
    pub(super) fn resumption(&self, walk: &mut Walk, from: u64) -> Result<Option<u64>> {
        let index = self.load_index(walk)?;
        let offsets = index.as_ref().map_or(&[][..], |index| &index.offsets);
        let last = walk.found.len().checked_sub(1);
        let address = walk.found.last().map_or(0, Slot::address);
        // What is listed has the number that it has in the list only if the list is right so far.
        let in_step = last.is_some_and(|last| offsets.get(last) == Some(&address));
        let behind: Vec<u64> = if in_step {
            offsets[walk.found.len()..].iter().copied().take(LISTED).collect()
        } else {
            offsets.iter().copied().filter(|at| *at > address).take(LISTED).collect()
        };
        let mut without = Vec::new();
        for at in behind {
            if at <= address || at >= self.source.len() {
                break;
            }
            if search::is_sound(self, at)? || self.is_unmarked(at)? {
                without.into_iter().for_each(|at| missing(walk, at));
                return Ok(Some(at));
            }
            if in_step {
                without.push(at);
            }
        }
        let next = search::sound(self, from)?;
        // Of the last ones nothing else tells that they were there.
        let Some(next) = next else {
            without.into_iter().for_each(|at| missing(walk, at));
            return Ok(None);
        };
        // Where there is no room for a header, bytes were added in front of the next one.
        let form = self.fields(next)?.form;
        let before_next = |at: &u64| form.start(*at, form.header_size()) <= next;
        without.into_iter().filter(before_next).for_each(|at| missing(walk, at));
        Ok(Some(next))
    }

    /// The first address where a block may end that was found, whatever its header says of its own size and of what
    /// is set aside.
    pub(super) fn least_end(&self, block: &Block) -> u64 {
        self.least_start(block).saturating_add(block.used())
    }

    /// The first address where the data of a block may begin, whatever its header says of its own size.
    pub(super) fn least_start(&self, block: &Block) -> u64 {
        block.form.start(block.address, block.form.header_size())
    }

    /// What is wrong with the magic number of a block, if all but one of its bytes is right, and the block ends where
    /// another one begins, or the index, or the file.
    pub(super) fn unmarked(&self, at: u64, head: &[u8]) -> Result<Option<String>> {
        let Some(magic) = head.get(..MAGIC.len()) else { return Ok(None) };
        let wrong = magic.iter().zip(&MAGIC).filter(|(found, right)| found != right).count();
        if wrong != 1 {
            return Ok(None);
        }
        let fields = self.read(at, head);
        let start = fields.start(at);
        let sound =
            self.lands(&fields, start) && matches!(self.judge(&fields, at)?, Verdict::Sound);
        let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
        let (right, found) = (shown(&MAGIC), shown(magic));
        Ok(sound.then(|| format!("expected the magic number `{right}`, found `{found}`")))
    }

    fn is_unmarked(&self, at: u64) -> Result<bool> {
        Ok(self.unmarked(at, self.head(at, &mut [0; LONGEST])?)?.is_some())
    }

    /// Where the first block begins, if `found`, the first magic number, is not where something begins: that of the
    /// block in front of it may be wrong in one byte. If it is gone, and the index has it, it is found bad.
    pub(super) fn unmarked_first(
        &self,
        walk: &mut Walk,
        found: Option<u64>,
    ) -> Result<Option<u64>> {
        let begin = search::not_blank(&*self.source, self.start)?;
        let begin = begin.filter(|begin| found != Some(*begin));
        if let Some(begin) = begin
            && self.is_unmarked(begin)?
        {
            return Ok(Some(begin));
        }
        let Some(found) = found else { return Ok(None) };
        let index = self.load_index(walk)?;
        let offsets = index.as_ref().map_or(&[][..], |index| &index.offsets);
        let before = offsets.iter().position(|at| *at == found).unwrap_or(0);
        let before = offsets[..before.min(LISTED)].to_vec();
        // What is blank may be the beginning of a header that was written over.
        let may_begin = self.start..=begin.unwrap_or(found);
        if !before.first().is_some_and(|first| may_begin.contains(first))
            || !before.is_sorted()
            || !search::is_sound(self, found)?
        {
            return Ok(None);
        }
        before.into_iter().for_each(|at| missing(walk, at));
        Ok(Some(found))
    }

    /// Says that there is something in front of the first block that was found, which may be what is left of another
    /// one: its header may be destroyed, and nothing tells which numbers those behind it had.
    pub(super) fn before_first(&self, walk: &mut Walk, between: Range<u64>) -> Result<()> {
        let first = between.end;
        if between.is_empty() {
            return Ok(());
        }
        let odd = search::not_blank(&*self.source, between.start)?.filter(|odd| *odd < first);
        let Some(odd) = odd else { return Ok(()) };
        let index = self.load_index(walk)?;
        if index.is_some_and(|index| index.offsets.first() == Some(&first))
            || self.is_text(odd..first)?
        {
            walk.report.add(Code::Junk, odd, "expected the first block behind the tree")
        } else {
            let reason = format!(
                "expected the first block behind the tree, found it at {first}: one in front of it may be lost, \
                     and blocks may have other numbers"
            );
            walk.report.add(Code::NotAdjacent, odd, reason);
        }
        Ok(())
    }

    /// Whether some bytes are text and blanks, and nothing that could be left of a block: an update that was interrupted
    /// leaves a part of a tree. Zeros among it are sectors that were never written.
    fn is_text(&self, range: Range<u64>) -> Result<bool> {
        let length = usize::try_from(range.end - range.start).ok().filter(|it| *it <= TEXT);
        let Some(length) = length else { return Ok(false) };
        let mut bytes = vec![0; length];
        self.source.read_at(range.start, &mut bytes)?;
        let mut zeros = 0;
        for byte in &bytes {
            match byte {
                0 => zeros += 1,
                b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80.. if zeros == 0 || zeros >= ZEROS => {
                    zeros = 0;
                }
                _ => return Ok(false),
            }
        }
        Ok(bytes.split(|byte| *byte == 0).all(|part| std::str::from_utf8(part).is_ok()))
    }
}

/// Finds a block bad that the index lists where no header is.
fn missing(walk: &mut Walk, address: u64) {
    let (expected, found) = ("a header, as the index has it".to_owned(), "none".to_owned());
    let reason = format!("expected {expected}, found {found}");
    walk.report.add_block(Code::BadHeader, address, walk.found.len(), reason);
    walk.found.push(Slot::Bad { address, expected, found });
}
