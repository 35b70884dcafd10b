//! The links of a group, from each structure that may store them (IV.A.2.c, III.B).

use std::cmp::Ordering;

use dudley::Result;

use super::btree;
use super::checksum::lookup3;
use super::file::{Block, File};
use super::heap::{Fractal, Names};
use super::object::{Message, body, kind, messages, one};

/// A link of a group.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) name: String,
    pub(super) to: Target,
}

/// The target of a link.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Target {
    /// The object header at an address.
    Object(u64),
    /// A path in the file.
    Path(String),
    /// A path in another file, of a name.
    File { file: String, path: String },
    /// Anything else, in words.
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
/// If a structure that stores them is malformed.
pub(super) fn links(file: &File, messages: &[Message]) -> Result<Vec<Link>> {
    let mut links = Vec::new();
    if let Some(table) = one(messages, kind::SYMBOL_TABLE) {
        let (tree, names) = symbols(file, table)?;
        btree::old(file, tree, 0, file.lengths, None, &mut |_, node| {
            let (count, mut block) = old_node(file, node)?;
            for _ in 0..count {
                let (name, to) = target(&mut block, &names)?;
                links.push(Link { name: names.text(name)?, to });
            }
            Ok(())
        })?;
    }
    for message in messages.iter().filter(|message| message.kind == kind::LINK) {
        links.push(link(&mut body(file, message, "a link message")?)?);
    }
    if let Some(info) = one(messages, kind::LINK_INFO)
        && let Some((heap, tree)) = dense(file, info)?
    {
        btree::new(file, tree, &[5], None, &mut |mut record| {
            record.skip(4)?;
            links.push(link(&mut heap.get(&mut record)?)?);
            Ok(())
        })?;
        // The tree sorts them by hash.
        links.sort_by(|one, other| one.name.cmp(&other.name));
    }
    Ok(links)
}

/// Finds the link of a name in a group, without reading all the others.
///
/// # Errors
/// As [`links`].
pub(super) fn find(file: &File, messages: &[Message], name: &str) -> Result<Option<Link>> {
    if let Some(table) = one(messages, kind::SYMBOL_TABLE) {
        let (tree, names) = symbols(file, table)?;
        // A key is the last name of the child before it.
        let stands = |key: &mut Block<'_>| {
            let found = names.compare(key.uint(file.lengths)?, name)?;
            Ok(if found == Ordering::Equal { Ordering::Greater } else { found })
        };
        let mut found = None;
        btree::old(file, tree, 0, file.lengths, Some(&stands), &mut |_, node| {
            let (count, block) = old_node(file, node)?;
            let each = block.bytes().len() / count.max(1);
            let (mut from, mut to) = (0, count);
            while from < to {
                let middle = from.midpoint(to);
                let entry = &block.bytes()[middle * each..][..each];
                let place = block.place() + (middle * each) as u64;
                let entry = || file.within(entry, place, NODE);
                match names.compare(entry().uint(file.offsets)?, name)? {
                    Ordering::Less => from = middle + 1,
                    Ordering::Greater => to = middle,
                    Ordering::Equal => {
                        let (_, to) = target(&mut entry(), &names)?;
                        found = Some(Link { name: name.to_owned(), to });
                        break;
                    }
                }
            }
            Ok(())
        })?;
        if found.is_some() {
            return Ok(found);
        }
    }
    for message in messages.iter().filter(|message| message.kind == kind::LINK) {
        let link = link(&mut body(file, message, "a link message")?)?;
        if link.name == name {
            return Ok(Some(link));
        }
    }
    let mut found = None;
    if let Some(info) = one(messages, kind::LINK_INFO)
        && let Some((heap, tree)) = dense(file, info)?
    {
        let hash = lookup3(name.as_bytes());
        let stands = |record: &mut Block<'_>| Ok(record.u4()?.cmp(&hash));
        btree::new(file, tree, &[5], Some(&stands), &mut |mut record| {
            record.skip(4)?;
            let link = link(&mut heap.get(&mut record)?)?;
            if link.name == name {
                found.get_or_insert(link);
            }
            Ok(())
        })?;
    }
    Ok(found)
}

/// Where a path leads that leaves the file by a link: the name of the other file, and the path there.
///
/// # Errors
/// As [`links`].
pub(super) fn outside(file: &File, root: u64, path: &str) -> Result<Option<(String, String)>> {
    let mut names = path.split('/').filter(|name| !name.is_empty() && *name != ".");
    let mut address = root;
    while let Some(name) = names.next() {
        match find(file, &messages(file, address)?, name)?.map(|link| link.to) {
            Some(Target::Object(next)) => address = next,
            Some(Target::File { file, path }) => {
                let there = names.fold(path, |path, name| format!("{path}/{name}"));
                return Ok(Some((file, there)));
            }
            _ => break,
        }
    }
    Ok(None)
}

/// The B-tree and the names of a symbol table.
fn symbols<'f>(file: &'f File, table: &Message) -> Result<(u64, Names<'f>)> {
    let mut table = body(file, table, "a symbol table message")?;
    let (tree, heap) = (table.there("the B-tree")?, table.there("the heap")?);
    Ok((tree, Names::read(file, heap)?))
}

/// The heap of links and the B-tree of their names, for a group with many links.
fn dense<'f>(file: &'f File, info: &Message) -> Result<Option<(Fractal<'f>, u64)>> {
    let mut info = body(file, info, "a link info message")?;
    info.version(0..=0)?;
    let flags = info.u1()?;
    info.skip(if flags & 1 != 0 { 8 } else { 0 })?;
    match (info.address()?, info.address()?) {
        (Some(heap), Some(tree)) => Ok(Some((Fractal::read(file, heap)?, tree))),
        _ => Ok(None),
    }
}

const NODE: &str = "a node of a symbol table";

/// The number of links in a node of a symbol table, and the links.
fn old_node(file: &File, address: u64) -> Result<(usize, Block<'_>)> {
    let mut head = file.block(address, 8, NODE)?;
    head.signature(b"SNOD")?;
    head.version(1..=1)?;
    head.u1()?;
    let count = head.u2()?;
    let entry = 2 * file.offsets as u64 + 24;
    Ok((count.into(), file.block(address + 8, u64::from(count) * entry, NODE)?))
}

/// The offset of the name of the next link in a node of a symbol table, and the target of the link.
fn target(block: &mut Block<'_>, names: &Names<'_>) -> Result<(u64, Target)> {
    let (name, object, cached) = (block.uint(block.file.offsets)?, block.address()?, block.u4()?);
    block.skip(4)?;
    let offset = block.u4()?;
    block.skip(12)?;
    let to = match object {
        Some(object) if cached != 2 => Target::Object(object),
        _ => Target::Path(names.text(offset.into())?),
    };
    Ok((name, to))
}

/// Reads a link message.
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
            Target::File { file, path }
        }
        of => Target::Elsewhere(format!("a place of kind {of}")),
    };
    Ok(Link { name, to })
}
