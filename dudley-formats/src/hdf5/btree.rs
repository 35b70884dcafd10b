//! B-trees of both versions: visits their records in order (III.A).

use hashbrown::HashSet;
use std::cmp::Ordering;

use dudley::Result;

use super::file::{Block, File};

/// The most levels of a tree.
const DEEPEST: u16 = 64;

/// Receives a key and its child, from a node of level 0.
pub(super) type Old<'v> = dyn FnMut(&mut Block<'_>, u64) -> Result<()> + 'v;

/// Whether a key or a record is before, within or after the requested range.
pub(super) type Stands<'s> = dyn Fn(&mut Block<'_>) -> Result<Ordering> + 's;

const WHAT: &str = "a B-tree node, version 1";

/// Visits a B-tree of version 1 of a kind (0: groups, 1: chunks) whose keys have `key` bytes. A child begins with its
/// key, so children without requested records are left out.
///
/// # Errors
/// If something is wrong with a node; if `visit` fails.
pub(super) fn old(
    file: &File,
    address: u64,
    kind: u8,
    key: usize,
    stands: Option<&Stands<'_>>,
    visit: &mut Old<'_>,
) -> Result<()> {
    let mut known = HashSet::new();
    let mut open = vec![(address, None::<u8>)];
    while let Some((address, expected)) = open.pop() {
        if !known.insert(address) {
            let place = file.place(address)?;
            return Err(crate::cursor::malformed(place, format!("{WHAT}: it stands in itself")));
        }
        let (level, count, mut block) = old_node(file, address, kind, key, expected)?;
        let mut below = Vec::new();
        let range = match stands {
            Some(stands) => children(&block, key, count, stands)?,
            None => 0..count,
        };
        block.skip(range.start * (key + file.offsets))?;
        for _ in range {
            let place = block.place();
            let mut key = file.within(block.take(key)?, place, WHAT);
            let child = block.there("a child")?;
            match level.checked_sub(1) {
                Some(level) => below.push((child, Some(level))),
                None => visit(&mut key, child)?,
            }
        }
        open.extend(below.into_iter().rev());
    }
    Ok(())
}

/// The level of a node, its number of children, and the children with their keys.
fn old_node<'f>(
    file: &'f File,
    address: u64,
    kind: u8,
    key: usize,
    expected: Option<u8>,
) -> Result<(u8, usize, Block<'f>)> {
    let head = 8 + 2 * file.offsets as u64;
    let mut block = file.block(address, head, WHAT)?;
    block.signature(b"TREE")?;
    let of = block.u1()?;
    if of != kind {
        return Err(block.wrong(format!("a node of kind {of}, and not {kind}")));
    }
    let (level, count) = (block.u1()?, block.u2()?);
    if expected.is_some_and(|expected| level != expected) {
        return Err(block.wrong(format!("a node of level {level}")));
    }
    let bytes = u64::from(count) * (key + file.offsets) as u64;
    Ok((level, count.into(), file.block(address + head, bytes, WHAT)?))
}

/// The children of a node that may hold requested records. The first may begin before the request; the child after the
/// last one begins after it.
fn children(
    node: &Block<'_>,
    key: usize,
    count: usize,
    stands: &Stands<'_>,
) -> Result<std::ops::Range<usize>> {
    let each = key + node.file.offsets;
    let key_of = |at: usize| {
        let bytes = &node.bytes()[at * each..][..key];
        stands(&mut node.file.within(bytes, node.place() + (at * each) as u64, WHAT))
    };
    let first_behind = |least: Ordering| {
        let (mut from, mut to) = (0, count);
        while from < to {
            let middle = from.midpoint(to);
            if key_of(middle)? >= least {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        Ok::<_, dudley::Error>(from)
    };
    let begin = first_behind(Ordering::Equal)?.saturating_sub(1);
    Ok(begin..first_behind(Ordering::Greater)?.max(begin))
}

/// The common properties of all nodes of a B-tree of version 2.
struct Tree<'f> {
    file: &'f File,
    kind: u8,
    node: u64,
    record: usize,
    /// Bytes of the record count of a node, and at each level bytes of the record count of its subtree.
    widths: (usize, Vec<usize>),
    known: HashSet<u64>,
}

/// Visits the records of a B-tree of version 2, or only the requested ones; returns the kind of the records.
///
/// # Errors
/// If something is wrong with a node; if `visit` fails.
pub(super) fn new(
    file: &File,
    address: u64,
    kinds: &[u8],
    stands: Option<&Stands<'_>>,
    visit: &mut dyn FnMut(Block<'_>) -> Result<()>,
) -> Result<u8> {
    let mut head = file.block_up_to(address, 64, "the header of a B-tree, version 2")?;
    head.signature(b"BTHD")?;
    head.version(0..=0)?;
    let kind = head.u1()?;
    if !kinds.contains(&kind) {
        return Err(head.wrong(format!("records of kind {kind}, and not {kinds:?}")));
    }
    let (node, record, depth) = (head.u4()?, head.u2()?, head.u2()?);
    head.skip(2)?;
    let root = head.address()?;
    let count = head.u2()?;
    head.length()?;
    head.checksum()?;
    if depth > DEEPEST || record == 0 {
        return Err(head.wrong(format!("{depth} levels of records of {record} bytes")));
    }
    let Some(root) = root else { return Ok(kind) };
    let (node, record) = (u64::from(node), usize::from(record));
    // The number of records in a node and in its subtree, at each level, determines the width of both counts.
    let width = |most: u64| (most.max(1).ilog2() / 8 + 1) as usize;
    let leaf = node.saturating_sub(10) / record as u64;
    let (own, mut all) = (width(leaf), vec![0]);
    let mut below = leaf;
    for level in 1..=usize::from(depth) {
        let pointer = file.offsets + own + all[level - 1];
        let most = node.saturating_sub(10 + pointer as u64) / (record + pointer) as u64;
        below = (most + 1).saturating_mul(below).saturating_add(most);
        all.push(width(below));
    }
    let mut tree = Tree { file, kind, node, record, widths: (own, all), known: HashSet::new() };
    tree.walk(root, count.into(), depth.into(), stands, visit)?;
    Ok(kind)
}

impl Tree<'_> {
    fn walk(
        &mut self,
        address: u64,
        count: u64,
        level: usize,
        stands: Option<&Stands<'_>>,
        visit: &mut dyn FnMut(Block<'_>) -> Result<()>,
    ) -> Result<()> {
        let what = if level == 0 {
            "a leaf of a B-tree, version 2"
        } else {
            "a node of a B-tree, version 2"
        };
        let file = self.file;
        let (own, all) = (self.widths.0, self.widths.1[level.saturating_sub(1)]);
        let pointer = file.offsets + own + all;
        let pointers = if level == 0 { 0 } else { (count + 1).saturating_mul(pointer as u64) };
        let bytes =
            count.saturating_mul(self.record as u64).saturating_add(pointers).saturating_add(10);
        let mut block = file.block(address, bytes, what)?;
        if bytes > self.node {
            return Err(block.wrong(format!("{count} records in {} bytes", self.node)));
        }
        if !self.known.insert(address) {
            return Err(block.wrong("it stands in itself"));
        }
        block.signature(if level == 0 { b"BTLF" } else { b"BTIN" })?;
        block.version(0..=0)?;
        if block.u1()? != self.kind {
            return Err(block.wrong("records of another kind than in the header"));
        }
        let place = block.place();
        let records = block.take(count as usize * self.record)?.to_vec();
        let mut children = Vec::new();
        for _ in 0..if level == 0 { 0 } else { count + 1 } {
            let child = block.there("a child")?;
            children.push((child, block.uint(own)?));
            block.skip(all)?;
        }
        block.checksum()?;
        let record = |at: usize| {
            let bytes = &records[at * self.record..(at + 1) * self.record];
            file.within(bytes, place + (at * self.record) as u64, "a record of a B-tree")
        };
        // The child just before and the child just after the requested records may hold some as well.
        let count = count as usize;
        let first = |least: Ordering| -> Result<usize> {
            let Some(stands) = stands else {
                return Ok(if least == Ordering::Equal { 0 } else { count });
            };
            let (mut from, mut to) = (0, count);
            while from < to {
                let middle = from.midpoint(to);
                if stands(&mut record(middle))? >= least {
                    to = middle;
                } else {
                    from = middle + 1;
                }
            }
            Ok(from)
        };
        let begin = first(Ordering::Equal)?;
        let end = first(Ordering::Greater)?.max(begin);
        if level == 0 {
            return (begin..end).try_for_each(|at| visit(record(at)));
        }
        let own: Vec<Block<'_>> = (begin..end).map(record).collect();
        let mut own = own.into_iter();
        for (child, count) in children.drain(begin..=end) {
            self.walk(child, count, level - 1, stands, visit)?;
            own.next().map_or(Ok(()), &mut *visit)?;
        }
        Ok(())
    }
}
