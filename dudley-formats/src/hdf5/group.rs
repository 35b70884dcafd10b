//! The links of a group, by whatever it keeps them (IV.A.2.c, III.B).

use dudley::Result;

use super::btree;
use super::file::{Block, File};
use super::heap::{Fractal, Names};
use super::object::{Message, body, kind, one};

/// What is in a group.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) name: String,
    pub(super) to: Target,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Target {
    /// To the object header at an address.
    Object(u64),
    /// To a path in the file.
    Path(String),
    /// Somewhere else, which is said.
    Elsewhere(String),
}

/// Whether an object is a group, by its messages.
pub(super) fn is_group(messages: &[Message]) -> bool {
    let is = |message: &Message| {
        matches!(message.kind, kind::SYMBOL_TABLE | kind::LINK_INFO | kind::GROUP_INFO | kind::LINK)
    };
    messages.iter().any(is)
}

/// The links of a group.
///
/// # Errors
/// If something is wrong with what keeps them.
pub(super) fn links(file: &File, messages: &[Message]) -> Result<Vec<Link>> {
    let mut links = Vec::new();
    if let Some(table) = one(messages, kind::SYMBOL_TABLE) {
        let mut table = body(file, table, "a symbol table message")?;
        let (tree, heap) = (table.there("the B-tree")?, table.there("the heap")?);
        let names = Names::read(file, heap)?;
        btree::old(file, tree, 0, file.lengths, &mut |_, node| {
            old_links(file, node, &names, &mut links)
        })?;
    }
    for message in messages.iter().filter(|message| message.kind == kind::LINK) {
        links.push(link(&mut body(file, message, "a link message")?)?);
    }
    if let Some(info) = one(messages, kind::LINK_INFO) {
        let mut info = body(file, info, "a link info message")?;
        info.version(0..=0)?;
        let flags = info.u1()?;
        info.skip(if flags & 1 != 0 { 8 } else { 0 })?;
        if let (Some(heap), Some(tree)) = (info.address()?, info.address()?) {
            let heap = Fractal::read(file, heap)?;
            btree::new(file, tree, &[5], &mut |mut record| {
                record.skip(4)?;
                links.push(link(&mut heap.get(&mut record)?)?);
                Ok(())
            })?;
            // They are in the order of hashes.
            links.sort_by(|one, other| one.name.cmp(&other.name));
        }
    }
    Ok(links)
}

/// Adds those of a node of a symbol table.
fn old_links(file: &File, address: u64, names: &Names<'_>, links: &mut Vec<Link>) -> Result<()> {
    const WHAT: &str = "a node of a symbol table";
    let mut head = file.block(address, 8, WHAT)?;
    head.signature(b"SNOD")?;
    head.version(1..=1)?;
    head.u1()?;
    let count = head.u2()?;
    let entry = 2 * file.offsets as u64 + 24;
    let mut block = file.block(address + 8, u64::from(count) * entry, WHAT)?;
    for _ in 0..count {
        let (name, object, cached) = (block.uint(file.offsets)?, block.address()?, block.u4()?);
        block.skip(4)?;
        let offset = block.u4()?;
        block.skip(12)?;
        let to = match object {
            Some(object) if cached != 2 => Target::Object(object),
            _ => Target::Path(names.text(offset.into())?),
        };
        links.push(Link { name: names.text(name)?, to });
    }
    Ok(())
}

/// A link message.
fn link(block: &mut Block<'_>) -> Result<Link> {
    block.version(1..=1)?;
    let flags = block.u1()?;
    let of = if flags & 8 != 0 { block.u1()? } else { 0 };
    block.skip(if flags & 4 != 0 { 8 } else { 0 } + if flags & 16 != 0 { 1 } else { 0 })?;
    let length = block.uint(1 << (flags & 3))?;
    let text = |block: &mut Block<'_>, length: u64| {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        block.take(length).map(crate::headers::text)
    };
    let name = text(block, length)?;
    let to = match of {
        0 => Target::Object(block.there("the object")?),
        1 => {
            let length = block.u2()?;
            Target::Path(text(block, length.into())?)
        }
        64 => {
            let length = block.u2()?;
            let bytes = block.take(length.into())?;
            let mut parts = bytes.get(1..).unwrap_or_default().split(|byte| *byte == 0);
            let mut part = || parts.next().map(crate::headers::text).unwrap_or_default();
            let (file, path) = (part(), part());
            Target::Elsewhere(format!("`{path}` of the file `{file}`"))
        }
        of => Target::Elsewhere(format!("a place of kind {of}")),
    };
    Ok(Link { name, to })
}
