//! Object headers: the messages of an object, including all continuations (IV.A).

use hashbrown::HashSet;

use dudley::Result;

use super::file::{Block, Bytes, File};
use super::heap::Fractal;

/// Kinds of messages.
pub(super) mod kind {
    pub(in crate::hdf5) const DATASPACE: u16 = 0x01;
    pub(in crate::hdf5) const LINK_INFO: u16 = 0x02;
    pub(in crate::hdf5) const DATATYPE: u16 = 0x03;
    pub(in crate::hdf5) const OLD_FILL: u16 = 0x04;
    pub(in crate::hdf5) const FILL: u16 = 0x05;
    pub(in crate::hdf5) const LINK: u16 = 0x06;
    pub(in crate::hdf5) const EXTERNAL: u16 = 0x07;
    pub(in crate::hdf5) const LAYOUT: u16 = 0x08;
    pub(in crate::hdf5) const GROUP_INFO: u16 = 0x0a;
    pub(in crate::hdf5) const PIPELINE: u16 = 0x0b;
    pub(in crate::hdf5) const ATTRIBUTE: u16 = 0x0c;
    pub(in crate::hdf5) const SHARED_TABLE: u16 = 0x0f;
    pub(in crate::hdf5) const CONTINUATION: u16 = 0x10;
    pub(in crate::hdf5) const SYMBOL_TABLE: u16 = 0x11;
    pub(in crate::hdf5) const ATTRIBUTE_INFO: u16 = 0x15;
    pub(in crate::hdf5) const REFERENCES: u16 = 0x16;
}

/// A message of an object header.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) kind: u16,
    /// Whether it is shared: then the body refers to the message.
    pub(super) shared: bool,
    /// Its place in the stream.
    pub(super) place: u64,
    pub(super) body: Bytes,
}

/// The most messages of an object.
const MOST: usize = 1 << 20;

/// The messages of the object at an address.
///
/// # Errors
/// If something is wrong with its header.
pub(super) fn messages(file: &File, address: u64) -> Result<Vec<Message>> {
    let mut head = file.block_up_to(address, 4, "an object header")?;
    // Most objects have no more.
    let mut found = Vec::with_capacity(8);
    let mut more = Vec::new();
    let is_new = head.take(4)? == b"OHDR";
    let tracked = if is_new {
        new_header(file, address, &mut found, &mut more)?
    } else {
        let mut block = file.block(address, 16, "an object header, version 1")?;
        block.version(1..=1)?;
        block.skip(3)?;
        // Version 2 headers store the reference count in a message.
        let place = block.place();
        let mut body = Bytes::from_slice(&[0]);
        body.extend_from_slice(block.take(4)?);
        found.push(Message { kind: kind::REFERENCES, shared: false, place, body });
        let size = block.u4()?;
        let mut block = file.block(address + 16, size.into(), "an object header, version 1")?;
        old_messages(&mut block, &mut found, &mut more)?;
        false
    };
    let mut known = HashSet::new();
    while let Some((address, length)) = more.pop() {
        if !known.insert(address) {
            let block = file.block_up_to(address, 0, "a continuation of an object header")?;
            return Err(block.wrong("it stands in itself"));
        }
        let mut block = file.block(address, length, "a continuation of an object header")?;
        if is_new {
            block.signature(b"OCHK")?;
            let end = block.bytes().len().saturating_sub(4);
            new_messages(&mut block, end, tracked, &mut found, &mut more)?;
            block.checksum()?;
        } else {
            old_messages(&mut block, &mut found, &mut more)?;
        }
    }
    Ok(found)
}

/// Addresses and lengths of continuations.
type More = Vec<(u64, u64)>;

fn new_header(
    file: &File,
    address: u64,
    found: &mut Vec<Message>,
    more: &mut More,
) -> Result<bool> {
    const WHAT: &str = "an object header, version 2";
    let mut head = file.block_up_to(address, 34, WHAT)?;
    head.skip(4)?;
    head.version(2..=2)?;
    let flags = head.u1()?;
    head.skip(if flags & 0x20 != 0 { 16 } else { 0 } + if flags & 0x10 != 0 { 4 } else { 0 })?;
    let size = head.uint(1 << (flags & 3))?;
    let begin = head.at();
    let all = size.checked_add(begin as u64 + 4).ok_or_else(|| head.wrong("its size"))?;
    let mut block = file.block(address, all, WHAT)?;
    block.skip(begin)?;
    let tracked = flags & 4 != 0;
    new_messages(&mut block, begin + size as usize, tracked, found, more)?;
    block.checksum()?;
    Ok(tracked)
}

fn new_messages(
    block: &mut Block<'_>,
    end: usize,
    tracked: bool,
    found: &mut Vec<Message>,
    more: &mut More,
) -> Result<()> {
    let head = if tracked { 6 } else { 4 };
    while block.at() + head <= end {
        let (kind, size, flags) = (block.u1()?, block.u2()?, block.u1()?);
        block.skip(head - 4)?;
        if block.at() + usize::from(size) > end {
            return Err(
                block.wrong(format!("a message {kind:#04x} of {size} bytes reaches past it"))
            );
        }
        add(block, kind.into(), size, flags, found, more)?;
    }
    // Bytes too few for a message are a gap.
    let gap = end.saturating_sub(block.at());
    block.skip(gap)
}

fn old_messages(block: &mut Block<'_>, found: &mut Vec<Message>, more: &mut More) -> Result<()> {
    while block.left() >= 8 {
        let (kind, size, flags) = (block.u2()?, block.u2()?, block.u1()?);
        block.skip(3)?;
        add(block, kind, size, flags, found, more)?;
    }
    Ok(())
}

fn add(
    block: &mut Block<'_>,
    kind: u16,
    size: u16,
    flags: u8,
    found: &mut Vec<Message>,
    more: &mut More,
) -> Result<()> {
    let place = block.place();
    let body = Bytes::from_slice(block.take(size.into())?);
    if kind == kind::CONTINUATION {
        let mut body = block.file.within(&body, place, "a continuation message");
        more.push((body.there("the continuation")?, body.length()?));
        return Ok(());
    }
    if found.len() >= MOST {
        return Err(block.wrong(format!("an object with more than {MOST} messages")));
    }
    // Kind 0 is a NIL message.
    if kind != 0 {
        found.push(Message { kind, shared: flags & 2 != 0, place, body });
    }
    Ok(())
}

/// Whether an object has a number of hard links other than one.
pub(super) fn is_linked_often(messages: &[Message]) -> bool {
    one(messages, kind::REFERENCES).is_some_and(|count| count.body[..] != [0, 1, 0, 0, 0])
}

/// The first message of a kind, if the object has any.
pub(super) fn one(messages: &[Message], kind: u16) -> Option<&Message> {
    messages.iter().find(|message| message.kind == kind)
}

/// The body of a message; a shared message is read from the object that holds it.
///
/// # Errors
/// If that object does not hold it.
pub(super) fn body<'f>(file: &'f File, message: &Message, what: &'static str) -> Result<Block<'f>> {
    let block = file.within(&message.body[..], message.place, what);
    if message.shared { shared(file, block, message.kind, what) } else { Ok(block) }
}

/// Resolves a shared message to the block that holds it.
///
/// # Errors
/// If the message is missing.
pub(super) fn shared<'f>(
    file: &'f File,
    mut block: Block<'f>,
    kind: u16,
    what: &'static str,
) -> Result<Block<'f>> {
    let version = block.version(1..=3)?;
    let of = block.u1()?;
    if version == 1 {
        // A group entry follows, which begins with the offset of a name.
        block.skip(6 + file.lengths)?;
    }
    if version == 3 && of == 1 {
        return in_heap(file, &mut block, kind);
    }
    let address = block.there("the object that has it")?;
    let messages = messages(file, address)?;
    match one(&messages, kind) {
        Some(message) if !message.shared => Ok(file.within(&message.body[..], message.place, what)),
        _ => Err(block.wrong(format!("the object at {address} has no message {kind:#04x}"))),
    }
}

/// Reads a message from the heap of messages that objects share; `id` is its heap id (III.I, IV.A.2.p).
///
/// # Errors
/// If the message is missing.
pub(super) fn in_heap<'f>(file: &'f File, id: &mut Block<'f>, kind: u16) -> Result<Block<'f>> {
    let heaps = match file.heaps.get() {
        Some(heaps) => heaps,
        None => {
            let heaps = heaps(file)?;
            file.heaps.get_or_init(|| heaps)
        }
    };
    // The number of a kind is the number of its bit.
    let heap = heaps.iter().find(|(kinds, _)| kinds >> kind & 1 != 0).and_then(|(_, heap)| *heap);
    let heap = heap.ok_or_else(|| id.wrong(format!("the file shares no messages {kind:#04x}")))?;
    Fractal::read(file, heap)?.get(id)
}

/// The heaps of shared messages that the extension of the superblock names; none without it.
fn heaps(file: &File) -> Result<Vec<(u32, Option<u64>)>> {
    let messages = file.extension.map_or(Ok(Vec::new()), |address| messages(file, address))?;
    // A table that is shared would stand in itself.
    let table = one(&messages, kind::SHARED_TABLE).filter(|message| !message.shared);
    let Some(Message { body, place, .. }) = table else { return Ok(Vec::new()) };
    let mut table = file.within(&body[..], *place, "a shared message table message");
    table.version(0..=0)?;
    let (address, count) = (table.there("the table")?, u64::from(table.u1()?));
    let each = 14 + 2 * file.offsets as u64;
    let mut table = file.block(address, 8 + count * each, "a table of shared messages")?;
    table.signature(b"SMTB")?;
    let mut heaps = Vec::new();
    for _ in 0..count {
        table.version(0..=0)?;
        table.skip(1)?;
        let kinds = table.u2()?.into();
        table.skip(10)?;
        table.address()?;
        heaps.push((kinds, table.address()?));
    }
    table.checksum()?;
    Ok(heaps)
}
