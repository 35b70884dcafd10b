//! Chunks indexed by their numbers: fixed arrays (VII.C) and extensible arrays (VII.D).

use std::ops::Range;

use dudley::Result;

use super::super::file::{Block, File};
use super::{Entry, entry};

/// The most entries.
const MOST: u64 = 1 << 26;

/// Collects the requested and stored entries of an array, with their numbers.
struct Entries {
    asked: Range<u64>,
    /// The number of the next entry.
    next: u64,
    found: Vec<(u64, Entry)>,
}

impl Entries {
    fn new(asked: Range<u64>) -> Entries {
        Entries { asked, next: 0, found: Vec::new() }
    }

    /// Whether none of the next `count` entries is requested; if so, skips them.
    fn skip(&mut self, count: u64) -> bool {
        let here = self.next..self.next.saturating_add(count);
        let is_outside = here.end <= self.asked.start || here.start >= self.asked.end;
        if is_outside {
            self.next = here.end;
        }
        is_outside
    }

    /// Skips the next `count` entries, none of which is stored.
    fn missing(&mut self, count: u64) {
        self.next = self.next.saturating_add(count);
    }
}

/// The common properties of the parts of an array.
struct Parts<'f> {
    file: &'f File,
    client: u8,
    /// Bytes of an entry.
    bytes: usize,
}

impl Parts<'_> {
    fn client(&self, block: &mut Block<'_>, signature: &[u8; 4]) -> Result<()> {
        block.signature(signature)?;
        block.version(0..=0)?;
        if block.u1()? != self.client {
            return Err(block.wrong("it is of another kind than its header"));
        }
        block.address().map(drop)
    }

    fn entries(&self, block: &mut Block<'_>, count: u64, entries: &mut Entries) -> Result<()> {
        for _ in 0..count {
            let number = entries.next;
            entries.next += 1;
            match entry(block, self.client, self.bytes)? {
                Some(entry) if entries.asked.contains(&number) => {
                    entries.found.push((number, entry));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads consecutive pages of entries from an address, each with its checksum; `is_there` says which pages were
    /// written.
    fn pages(
        &self,
        (address, count, page): (u64, u64, u64),
        is_there: &dyn Fn(u64) -> bool,
        entries: &mut Entries,
    ) -> Result<()> {
        let mut address = address;
        for at in 0..count.div_ceil(page) {
            let here = page.min(count - at * page);
            let bytes = here * self.bytes as u64 + 4;
            if entries.skip(here) {
                // No entry of this page is requested.
            } else if is_there(at) {
                let mut block = self.file.block(address, bytes, "a page of an array of chunks")?;
                self.entries(&mut block, here, entries)?;
                block.checksum()?;
            } else {
                entries.missing(here);
            }
            address = address.saturating_add(page * self.bytes as u64 + 4);
        }
        Ok(())
    }
}

/// Whether a bit is set; the first bit is the highest of the first byte.
fn bit(bits: &[u8], at: u64) -> bool {
    let byte = usize::try_from(at / 8).ok().and_then(|at| bits.get(at));
    byte.is_some_and(|byte| byte & 0x80 >> (at % 8) != 0)
}

fn check(block: &Block<'_>, count: u64, bytes: usize, page: u8) -> Result<()> {
    let there = block.file.len / (bytes.max(1) as u64);
    if count > MOST || bytes < block.file.offsets || page > 32 {
        return Err(block.wrong(format!("{count} entries of {bytes} bytes in pages of 2^{page}")));
    }
    // Unwritten pages take no bytes.
    if count > there.saturating_mul(64).saturating_add(1 << 20) {
        return Err(block.wrong(format!("{count} entries in a file of {} bytes", block.file.len)));
    }
    Ok(())
}

/// Reads the requested entries of a fixed array.
///
/// # Errors
/// If something is wrong with it.
pub(super) fn fixed(file: &File, address: u64, asked: Range<u64>) -> Result<Vec<(u64, Entry)>> {
    let mut head = file.block(
        address,
        8 + (file.lengths + file.offsets) as u64 + 4,
        "the header of a fixed array",
    )?;
    head.signature(b"FAHD")?;
    head.version(0..=0)?;
    let (client, bytes, page) = (head.u1()?, usize::from(head.u1()?), head.u1()?);
    let (count, data) = (head.length()?, head.address()?);
    head.checksum()?;
    check(&head, count, bytes, page)?;
    let Some(data) = data else { return Ok(Vec::new()) };
    let parts = Parts { file, client, bytes };
    let mut entries = Entries::new(asked);
    let page = 1_u64 << page;
    let pages = if count > page { count.div_ceil(page) } else { 0 };
    let bits = pages.div_ceil(8);
    let prefix = 6 + file.offsets as u64 + bits;
    let inner = if pages == 0 { count * bytes as u64 } else { 0 };
    let mut block = file.block(data, prefix + inner + 4, "the data of a fixed array")?;
    parts.client(&mut block, b"FADB")?;
    let bits = block.take(bits as usize)?.to_vec();
    if pages == 0 {
        parts.entries(&mut block, count, &mut entries)?;
        block.checksum()?;
    } else {
        block.checksum()?;
        let first = data.saturating_add(prefix + 4);
        parts.pages((first, count, page), &|at| bit(&bits, at), &mut entries)?;
    }
    Ok(entries.found)
}

/// Reads the requested entries of an extensible array.
///
/// # Errors
/// If something is wrong with it.
pub(super) fn extensible(
    file: &File,
    address: u64,
    asked: Range<u64>,
) -> Result<Vec<(u64, Entry)>> {
    let size = 12 + (6 * file.lengths + file.offsets) as u64 + 4;
    let mut head = file.block(address, size, "the header of an extensible array")?;
    head.signature(b"EAHD")?;
    head.version(0..=0)?;
    let (client, bytes) = (head.u1()?, usize::from(head.u1()?));
    let (bits, inner) = (u32::from(head.u1()?), u64::from(head.u1()?));
    let (least, pointers, page) = (u64::from(head.u1()?), u64::from(head.u1()?), head.u1()?);
    for _ in 0..4 {
        head.length()?;
    }
    let set = head.length()?;
    head.length()?;
    let index = head.address()?;
    head.checksum()?;
    check(&head, set, bytes, page)?;
    let is_power = |number: u64| number.is_power_of_two();
    if bits > 64 || !is_power(least) || !is_power(pointers) || bits < least.ilog2() {
        return Err(head.wrong("its blocks have no legal sizes"));
    }
    let Some(index) = index else { return Ok(Vec::new()) };
    let parts = Parts { file, client, bytes };
    let page = 1_u64 << page;
    let offset = u64::from(bits.div_ceil(8));
    // For each super block, the number of data blocks and the number of entries in each.
    let supers: Vec<(u64, u64)> = (0..=bits - least.ilog2())
        .map(|at| {
            (
                1_u64 << (at / 2),
                least.saturating_mul(1_u64.checked_shl(at.div_ceil(2)).unwrap_or(0)),
            )
        })
        .collect();
    let direct = (2 * pointers.ilog2() as usize).min(supers.len());
    let blocks: u64 = 2 * (pointers - 1);
    let size = 6
        + file.offsets as u64
        + inner * bytes as u64
        + (blocks + (supers.len() - direct) as u64) * file.offsets as u64
        + 4;
    let mut block = file.block(index, size, "the index of an extensible array")?;
    parts.client(&mut block, b"EAIB")?;
    let mut entries = Entries::new(asked);
    // Entries after the last requested one are not read.
    let set = set.min(entries.asked.end);
    parts.entries(&mut block, inner, &mut entries)?;
    let mut data = Vec::new();
    for _ in 0..blocks {
        data.push(block.address()?);
    }
    let mut above = Vec::new();
    for _ in direct..supers.len() {
        above.push(block.address()?);
    }
    block.checksum()?;
    let mut data = data.into_iter();
    for (count, each) in &supers[..direct] {
        for _ in 0..*count {
            let address = data.next().flatten();
            if entries.next >= set {
                return Ok(entries.found);
            }
            data_block(&parts, (address, *each, page, offset), &|_| true, &mut entries)?;
        }
    }
    for ((count, each), address) in supers[direct..].iter().zip(above) {
        if entries.next >= set {
            break;
        }
        let all = count.saturating_mul(*each);
        if entries.skip(all) {
            continue;
        }
        let Some(address) = address else {
            entries.missing(all);
            continue;
        };
        // A bit for each page of a data block.
        let pages = if *each > page { each.div_ceil(page) } else { 0 };
        let bits = pages.div_ceil(8) * count;
        let size = 6 + file.offsets as u64 + offset + bits + count * file.offsets as u64 + 4;
        let mut block = file.block(address, size, "a super block of an extensible array")?;
        parts.client(&mut block, b"EASB")?;
        block.skip(offset as usize)?;
        let bits = block.take(bits as usize)?.to_vec();
        let mut data = Vec::new();
        for _ in 0..*count {
            data.push(block.address()?);
        }
        block.checksum()?;
        for (at, address) in (0..).zip(data) {
            if entries.next >= set {
                break;
            }
            let is_there = |number: u64| bit(&bits, at * pages + number);
            data_block(&parts, (address, *each, page, offset), &is_there, &mut entries)?;
        }
    }
    Ok(entries.found)
}

/// Reads a data block of `count` entries, in pages of `page` entries if it is longer than a page.
fn data_block(
    parts: &Parts<'_>,
    (address, count, page, offset): (Option<u64>, u64, u64, u64),
    is_there: &dyn Fn(u64) -> bool,
    entries: &mut Entries,
) -> Result<()> {
    if entries.skip(count) {
        return Ok(());
    }
    let Some(address) = address else {
        entries.missing(count);
        return Ok(());
    };
    let prefix = 6 + parts.file.offsets as u64 + offset;
    let inner = if count > page { 0 } else { count * parts.bytes as u64 };
    let mut block =
        parts.file.block(address, prefix + inner + 4, "a data block of an extensible array")?;
    parts.client(&mut block, b"EADB")?;
    block.skip(offset as usize)?;
    if count > page {
        block.checksum()?;
        let first = address.saturating_add(prefix + 4);
        return parts.pages((first, count, page), is_there, entries);
    }
    parts.entries(&mut block, count, entries)?;
    block.checksum()
}
