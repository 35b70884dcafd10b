//! Where the blocks of a file are: found by walking from one to the next, as far as is requested.
//!
//! The chain of blocks is the truth, and the index at the end of the file is compared with it: an index
//! may be stale, and one wrong entry in its middle would give the data of another block. Where the
//! chain is broken, the next header that is sound takes it up again, and what was between is found
//! wrong and not used. A chain without a gap that has all blocks that the tree names is not repaired by
//! any index.

mod by_index;
mod encoded;
mod header_forms;
mod index;
mod numbers;
mod repaired;
mod resync;
mod search;

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dudley::Work;
use dudley::bytes::Source;

use super::error::{Error, Result};
use super::form::{Fields, Form, LONGEST, STREAMED};
use super::magic::{INDEX, MAGIC};
use super::report::{Code, Report};
use super::text::{Dialect, Text};
use super::tree::LazyTree;
use encoded::Encoding;
pub use index::IndexState;

/// A block: what its header says, and where its data are. Addresses are those of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Which block of the file it is, from 0.
    pub index: usize,
    /// Where its magic number stands.
    pub address: u64,
    /// Which header it has.
    pub form: Form,
    /// The size of the header, in bytes, as it states it, unless that cannot be.
    pub header_size: u16,
    /// Its flags.
    pub flags: u32,
    /// How it is compressed; zeros if it is not.
    pub label: [u8; 4],
    /// Bytes set aside for it.
    pub allocated: u64,
    /// Bytes of its data when decompressed.
    pub decoded: u64,
    /// The MD5 digest that it states; zeros if it states none.
    pub digest: [u8; 16],
    /// Where its data are, as stored. They may reach beyond the end of the file.
    pub data: Range<u64>,
    /// Whether its header states another size for itself.
    overstated: bool,
}

impl Block {
    /// Bytes of its data, as stored.
    pub fn used(&self) -> u64 {
        self.data.end - self.data.start
    }

    /// Where what is set aside for it ends, and the next block begins. What says how data are encoded in front of
    /// them, as in some files of 2015, is a part of that.
    pub fn end(&self) -> u64 {
        let start = self.form.start(self.address, self.header_size);
        if self.is_streamed() { self.data.end } else { start.saturating_add(self.allocated) }
    }

    /// Whether its header says that it is longer than it can be, so that its data may begin elsewhere.
    pub fn is_overstated(&self) -> bool {
        self.overstated
    }

    /// Whether it continues to the end of the file.
    pub fn is_streamed(&self) -> bool {
        self.flags & STREAMED != 0
    }

    /// The label of its compression; `None` if it is not compressed.
    pub fn compression(&self) -> Option<String> {
        if self.label == [0; 4] { None } else { Some(label(self.label)) }
    }
}

/// The number of the block that a tree means by one, of this many: one below 0 counts from the end. There may be no such
/// block; `None` if that is before the first.
pub(super) fn number(source: i64, count: usize) -> Option<usize> {
    match usize::try_from(source) {
        Ok(number) => Some(number),
        Err(_) => count.checked_sub(usize::try_from(source.unsigned_abs()).ok()?),
    }
}

/// A label as text: without the zeros that fill it, and with what is no letter shown as such.
pub(crate) fn label(label: [u8; 4]) -> String {
    let text = label.into_iter().rev().skip_while(|byte| *byte == 0).collect::<Vec<_>>();
    text.into_iter().rev().map(|byte| byte.escape_ascii().to_string()).collect()
}

/// Whether these bytes can name a compression, or say that there is none.
fn is_label(label: [u8; 4]) -> bool {
    let text = label.iter().all(|byte| *byte == 0 || byte.is_ascii_graphic());
    text && (label[0] != 0 || label == [0; 4])
}

/// The place of a block, or why nothing can be read from there.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    Block(Block),
    Bad { address: u64, expected: String, found: String },
}

/// The blocks of a file.
pub(crate) struct Blocks {
    source: Arc<dyn Source>,
    dialect: Dialect,
    /// Where the text ends.
    start: u64,
    tree: Arc<LazyTree>,
    work: Work,
    walk: Mutex<Walk>,
}

#[derive(Default)]
struct Walk {
    found: Vec<Slot>,
    /// Where the next block should begin; none before the first was searched.
    next: Option<u64>,
    done: bool,
    /// Blocks are gone, as it seems: only all of them together tell which numbers they have.
    all: bool,
    /// This many blocks were compared with the index, and are those that it lists.
    listed: usize,
    /// What the index says, once it was looked for.
    index: Option<Option<Arc<index::Index>>>,
    state: Option<IndexState>,
    report: Report,
}

impl Blocks {
    /// Those behind a text, and what names them.
    pub(crate) fn new(
        source: Arc<dyn Source>,
        text: &Text,
        tree: Arc<LazyTree>,
        work: Work,
    ) -> Blocks {
        let (dialect, start) = (text.dialect, text.end);
        Blocks { source, dialect, start, tree, work, walk: Mutex::default() }
    }

    fn walk(&self) -> MutexGuard<'_, Walk> {
        // Each step of a walk leaves it as it should be.
        self.walk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A block by its number; a number below 0 counts from the end.
    pub(crate) fn get(&self, index: i64) -> Result<Arc<Block>> {
        let mut walk = self.walk();
        let at = match usize::try_from(index) {
            Ok(at) => {
                self.advance(&mut walk, at.saturating_add(1))?;
                Some(at)
            }
            Err(_) => {
                self.advance(&mut walk, usize::MAX)?;
                number(index, walk.found.len())
            }
        };
        match at.and_then(|at| walk.found.get(at)) {
            Some(Slot::Block(block)) => Ok(Arc::new(block.clone())),
            Some(Slot::Bad { address, expected, found }) => Err(Error::Block {
                index,
                address: Some(*address),
                expected: expected.as_str().into(),
                found: found.as_str().into(),
            }),
            None => Err(Error::Block {
                index,
                address: None,
                expected: "a block of this number".into(),
                found: format!("{} in the file", count(walk.found.len(), "block")).into(),
            }),
        }
    }

    /// All blocks, or what is wrong where one should be.
    pub(crate) fn all(&self) -> Result<Vec<Slot>> {
        let mut walk = self.walk();
        self.advance(&mut walk, usize::MAX)?;
        Ok(walk.found.clone())
    }

    /// What was found out on the walk to the last block.
    pub(crate) fn report(&self) -> Result<(Report, IndexState)> {
        let mut walk = self.walk();
        self.advance(&mut walk, usize::MAX)?;
        Ok((walk.report.clone(), walk.state.clone().unwrap_or(IndexState::Absent)))
    }

    /// Walks until this many blocks are known, or there are no more.
    fn advance(&self, walk: &mut Walk, count: usize) -> Result<()> {
        while (walk.found.len() < count || walk.all) && !walk.done {
            match walk.next {
                None => self.first(walk, count)?,
                Some(at) => self.step(walk, at)?,
            }
        }
        Ok(())
    }

    /// Finds the first block; and all that are listed where many are wanted.
    fn first(&self, walk: &mut Walk, count: usize) -> Result<()> {
        let mut next = search::magic(&*self.source, self.dialect, self.start)?;
        if next != Some(self.start)
            && let Some(at) = self.unmarked_first(walk, next)?
        {
            walk.next = Some(at);
            return Ok(());
        }
        let mut from = self.start;
        while let Some(at) = next {
            let fields = self.fields(at)?;
            match self.judge(&fields, at)? {
                Verdict::False { expected, found } => {
                    let reason =
                        format!("a magic number, but no block: expected {expected}, found {found}");
                    walk.report.add(Code::FalseMagic, at, reason);
                    from = at + MAGIC.len() as u64;
                    next = search::magic(&*self.source, self.dialect, at + 1)?;
                }
                _ => {
                    self.before_first(walk, from..at)?;
                    walk.next = Some(at);
                    walk.all = !self.is_in_step(walk, at)?;
                    return if count < by_index::MANY { Ok(()) } else { self.listed(walk, at) };
                }
            }
        }
        self.end(walk, self.start)
    }

    /// Takes the block that should begin at an address, or finds that there is none.
    fn step(&self, walk: &mut Walk, at: u64) -> Result<()> {
        let total = self.source.len();
        let mut head = [0; LONGEST];
        let head = if at < total { self.head(at, &mut head)? } else { &[] };
        let index = walk.found.len();
        if !self.dialect.is_magic(head) {
            let Some(reason) = self.unmarked(at, head)? else { return self.end(walk, at) };
            walk.report.add_block(Code::BadHeader, at, index, reason);
        }
        let stated = self.read(at, head);
        let fields = self.mended(walk, stated, at)?;
        let verdict = self.judge(&fields, at)?;
        if let Verdict::False { expected, found } | Verdict::Damaged { expected, found } = verdict {
            let reason = format!("expected {expected}, found {found}");
            walk.report.add_block(Code::BadHeader, at, index, reason);
            walk.found.push(Slot::Bad { address: at, expected, found });
            return match self.resumption(walk, at + 1)? {
                Some(next) => {
                    walk.next = Some(next);
                    Ok(())
                }
                None => self.end(walk, self.source.len()),
            };
        }
        let overstated = stated.header > fields.header;
        let block = Block { overstated, ..self.block(index, at, &fields)? };
        if block.is_streamed() {
            if fields.compression != [0; 4] {
                // Nobody says how long the data are, so they are taken as they are.
                let found = label(fields.compression);
                let reason =
                    format!("expected no compression of a streamed block, found `{found}`");
                walk.report.add_block(Code::BadHeader, at, index, reason);
            }
            walk.found.push(Slot::Block(block));
            walk.done = true;
            return self.finish(walk, None);
        }
        if block.data.end > total {
            return self.overlong(walk, block, total);
        }
        self.compare_sizes(walk, &block, &fields);
        // Neither overflows: `judge` has seen to that.
        let end = block.end();
        let (data_end, from) = (block.data.end, self.least_end(&block));
        walk.found.push(Slot::Block(block));
        walk.next = Some(end);
        if end > total {
            let next = search::sound(self, from)?;
            let reason = format!("expected the block to end by {total}, found {end}");
            walk.report.add_block(Code::Overhang, at, index, reason);
            match next {
                Some(next) => walk.next = Some(next),
                None => self.end(walk, data_end)?,
            }
        }
        Ok(())
    }

    /// A block whose data reach beyond the end of the file: cut off, or its sizes are wrong.
    fn overlong(&self, walk: &mut Walk, block: Block, total: u64) -> Result<()> {
        let (at, index) = (block.address, block.index);
        let expected = format!("{} data", count_bytes(block.used()));
        let found = format!("{} up to the end of the file", total.saturating_sub(block.data.start));
        let reason = format!("expected {expected}, found {found}");
        walk.report.add_block(Code::Truncated, at, index, reason);
        let from = self.least_start(&block).min(total);
        walk.found.push(Slot::Bad { address: at, expected, found });
        match self.resumption(walk, from)? {
            // Blocks follow, so not the file is cut off.
            Some(next) => walk.next = Some(next),
            None => {
                if let Some(last) = walk.found.get_mut(index) {
                    *last = Slot::Block(block);
                }
                walk.done = true;
                self.finish(walk, None)?;
            }
        }
        Ok(())
    }

    fn compare_sizes(&self, walk: &mut Walk, block: &Block, fields: &Fields) {
        if let (None, Some(decoded)) = (block.compression(), fields.decoded)
            && decoded != block.used()
        {
            let used = block.used();
            let reason = format!(
                "expected equal sizes without compression, found {used} bytes used and {decoded} \
                 decoded"
            );
            walk.report.add_block(Code::Sizes, block.address, block.index, reason);
        }
    }

    /// There is no block at `at`: the index, nothing, or what does not belong there.
    fn end(&self, walk: &mut Walk, at: u64) -> Result<()> {
        let at = at.min(self.source.len());
        let known = walk.index.clone().flatten().filter(|index| index.address == at);
        let index = match known {
            Some(known) => Some(known),
            None => index::at(&*self.source, at)?.map(Arc::new),
        };
        if index.is_some() {
            walk.index = Some(index);
            walk.done = true;
            return self.finish(walk, Some(at));
        }
        if let Some(next) = self.earlier(walk, at)? {
            let reason = format!("expected the next block at {at}, found it at {next}");
            walk.report.add(Code::NotAdjacent, next, reason);
            walk.next = Some(next);
            return Ok(());
        }
        let Some(junk) = search::not_blank(&*self.source, at)? else {
            walk.done = true;
            return self.finish(walk, None);
        };
        if walk.found.is_empty() {
            // `first` has looked for blocks.
            walk.done = true;
            let index = self.load_index(walk)?;
            if index.is_none() {
                walk.report.add(Code::Junk, junk, "expected blocks or the end of the file");
            }
            return self.finish(walk, None);
        }
        let from = match walk.found.last() {
            Some(Slot::Block(last)) => self.least_end(last).min(at),
            _ => at,
        };
        let next = self.resumption(walk, from)?;
        let reason = match next {
            Some(next) => format!("expected the next block at {at}, found it at {next}"),
            None => format!("expected a block, the index or the end of the file at {at}"),
        };
        let code = if next.is_some() { Code::NotAdjacent } else { Code::Junk };
        walk.report.add(code, junk, reason);
        match next {
            Some(next) => walk.next = Some(next),
            None => {
                walk.done = true;
                self.load_index(walk)?;
                self.finish(walk, None)?;
            }
        }
        Ok(())
    }

    /// The index, wherever it is.
    fn load_index(&self, walk: &mut Walk) -> Result<Option<Arc<index::Index>>> {
        if walk.index.is_none() {
            walk.index = Some(index::search(&*self.source, self.start)?.map(Arc::new));
        }
        Ok(walk.index.clone().flatten())
    }

    /// Compares the index with the blocks; `at` is where it must stand.
    fn finish(&self, walk: &mut Walk, at: Option<u64>) -> Result<()> {
        let found: Vec<u64> = walk.found.iter().map(Slot::address).collect();
        if let Some(Some(index)) = &walk.index
            && at != Some(index.address)
            && self.is_in_block(walk, index.address)?
        {
            walk.index = Some(None);
        }
        let index = walk.index.clone().flatten();
        let state = index::compare(index.as_deref(), &found, at);
        if let IndexState::Bad { address, reason } = &state {
            walk.report.add(Code::BadIndex, *address, reason.as_str());
        }
        self.number(walk, at);
        if let Some(end) = index.and_then(|index| index.cut) {
            let reason = "expected a line `...` at the end of the index, found the end of the file";
            walk.report.add(Code::CutOff, end, reason);
        }
        walk.state = Some(state);
        walk.report.findings.sort_by_key(|finding| finding.address);
        Ok(())
    }

    /// Whether an address is in the data of a block, or in what is set aside behind them, and nothing speaks against its
    /// header: what looks like an index there is none of this file.
    fn is_in_block(&self, walk: &Walk, address: u64) -> Result<bool> {
        let total = self.source.len();
        let at = walk.found.iter().rposition(|slot| slot.address() < address);
        let Some(Slot::Block(block)) = at.and_then(|at| walk.found.get(at)) else {
            return Ok(false);
        };
        let end = if block.is_streamed() { total } else { block.end() };
        let odd = walk
            .report
            .findings
            .iter()
            .any(|finding| finding.code.is_gap() && finding.block == Some(block.index));
        if odd || !(block.data.start..end).contains(&address) || end > total {
            return Ok(false);
        }
        Ok(self.is_end(end) || search::not_blank(&*self.source, end)?.is_none())
    }

    /// The bytes from an address on, as many as a header may need.
    fn head<'b>(&self, at: u64, bytes: &'b mut [u8; LONGEST]) -> Result<&'b [u8]> {
        let length = self.source.len().saturating_sub(at).min(LONGEST as u64);
        let bytes = &mut bytes[..length as usize];
        self.source.read_at(at, bytes)?;
        Ok(bytes)
    }

    fn fields(&self, at: u64) -> Result<Fields> {
        Ok(self.read(at, self.head(at, &mut [0; LONGEST])?))
    }

    fn block(&self, index: usize, at: u64, fields: &Fields) -> Result<Block> {
        let start = fields.start(at);
        let streamed = fields.flags & STREAMED != 0;
        let end = if streamed { self.source.len().max(start) } else { start + fields.used };
        let mut block = Block {
            index,
            address: at,
            form: fields.form,
            header_size: fields.header,
            flags: fields.flags,
            label: if streamed { [0; 4] } else { fields.compression },
            allocated: fields.allocated,
            decoded: fields.decoded.filter(|_| !streamed).unwrap_or(end - start),
            digest: fields.digest,
            data: start..end,
            overstated: false,
        };
        if let Encoding::Line { label, bytes } = self.encoding(fields, at)? {
            block.label = label;
            block.data.start += bytes;
        }
        Ok(block)
    }

    /// Whether a header at an address can be one.
    fn judge(&self, fields: &Fields, at: u64) -> Result<Verdict> {
        let form = fields.form;
        let start = fields.start(at);
        // What ends where another block begins is one, whatever else is wrong.
        let wrong = |expected: &str, found: String, start: u64| {
            let expected = expected.to_owned();
            if self.lands(fields, start) {
                Verdict::Damaged { expected, found }
            } else {
                Verdict::False { expected, found }
            }
        };
        if fields.flags & !form.flags() != 0 {
            return Ok(wrong("flags that there are", format!("{:#x}", fields.flags), start));
        }
        if !is_label(fields.compression) {
            let found = format!("`{}`", label(fields.compression));
            return Ok(wrong("a label of a compression", found, start));
        }
        if fields.header < form.least() {
            let (expected, found) = (form.header_size(), fields.header.to_string());
            let expected = format!("a header of {expected} bytes or more");
            return Ok(if self.is_short(fields, at) {
                Verdict::Damaged { expected, found }
            } else {
                Verdict::False { expected, found }
            });
        }
        if fields.flags & STREAMED != 0 {
            return Ok(Verdict::Sound);
        }
        if fields.used > fields.allocated {
            let expected = format!("{} used at most", count_bytes(fields.allocated));
            return Ok(Verdict::Damaged { expected, found: fields.used.to_string() });
        }
        if let Encoding::Unknown = self.encoding(fields, at)? {
            let expected = "a line such as `--- [zlib]` before encoded data".to_owned();
            return Ok(Verdict::Damaged { expected, found: "none".to_owned() });
        }
        match start.checked_add(fields.allocated) {
            Some(_) if start <= self.source.len() => Ok(Verdict::Sound),
            Some(_) => Ok(Verdict::Damaged {
                expected: format!("a header of {} bytes", fields.header),
                found: "the end of the file".to_owned(),
            }),
            None => Ok(Verdict::Damaged {
                expected: "sizes within 64 bits".to_owned(),
                found: fields.allocated.to_string(),
            }),
        }
    }

    /// Whether a block ends where one may whose data begin at `start`.
    fn lands(&self, fields: &Fields, start: u64) -> bool {
        let end = start.checked_add(fields.allocated);
        fields.allocated > 0 && end.is_some_and(|end| self.is_end(end))
    }

    /// Whether a block may end here: another begins, or the index, or the file ends.
    fn is_end(&self, at: u64) -> bool {
        at == self.source.len()
            || at < self.source.len()
                && self
                    .head(at, &mut [0; LONGEST])
                    .is_ok_and(|head| self.dialect.is_magic(head) || head.starts_with(INDEX))
    }
}

impl Slot {
    pub(crate) fn address(&self) -> u64 {
        match self {
            Slot::Block(block) => block.address,
            Slot::Bad { address, .. } => *address,
        }
    }
}

/// What is to be thought of bytes that look like a header.
enum Verdict {
    /// They are one, whatever the file has behind it.
    Sound,
    /// They are one, but what they say cannot be.
    Damaged { expected: String, found: String },
    /// They are none.
    False { expected: String, found: String },
}

fn count(count: usize, of: &str) -> String {
    format!("{count} {of}{}", if count == 1 { "" } else { "s" })
}

fn count_bytes(count: u64) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}
