//! Groups of many objects, indexed by name: trees of symbol tables (format specification 3.0, III.A.1, III.C and
//! III.D).

use super::message::UNDEFINED;

/// The capacity of a table, in symbols, and of a node of the tree, in children: the defaults with a superblock of
/// version 2.
const SYMBOLS: usize = 8;
const CHILDREN: usize = 32;

/// Bytes of a table and of a node.
const TABLE: usize = 8 + 40 * SYMBOLS;
const NODE: usize = 24 + 8 * (2 * CHILDREN + 1);

/// The symbol tables, the tree and the heap of a group.
pub(super) struct Symbols {
    pub(super) bytes: Vec<u8>,
    /// Addresses of the root of the tree and of the heap of names.
    pub(super) tree: u64,
    pub(super) heap: u64,
}

/// A table or a node: its address, and the heap offset of its greatest name.
struct Child {
    address: u64,
    last: u64,
}

impl Symbols {
    /// Builds them for objects with these names and addresses; they begin at address `at`.
    pub(super) fn of(mut objects: Vec<(String, u64)>, at: u64) -> Symbols {
        objects.sort();
        // The empty name comes first.
        let mut names = vec![0_u8; 8];
        let places: Vec<u64> = objects
            .iter()
            .map(|(name, _)| {
                let place = names.len() as u64;
                names.extend(name.as_bytes());
                names.resize((names.len() + 1).next_multiple_of(8), 0);
                place
            })
            .collect();
        let mut bytes = b"HEAP\0\0\0\0".to_vec();
        // The heap has no free space.
        for number in [names.len() as u64, 1, at + 32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(names);
        let mut children = Vec::new();
        let symbols: Vec<(u64, u64)> =
            places.into_iter().zip(objects.into_iter().map(|(_, address)| address)).collect();
        for table in symbols.chunks(SYMBOLS) {
            let last = table.last().map_or(0, |(place, _)| *place);
            children.push(Child { address: at + bytes.len() as u64, last });
            let end = bytes.len() + TABLE;
            bytes.extend(b"SNOD\x01\0");
            bytes.extend((table.len() as u16).to_le_bytes());
            for (place, address) in table {
                bytes.extend(place.to_le_bytes());
                bytes.extend(address.to_le_bytes());
                bytes.extend([0; 24]);
            }
            bytes.resize(end, 0);
        }
        for level in 0.. {
            children = nodes(level, &children, at, &mut bytes);
            if children.len() <= 1 {
                break;
            }
        }
        let tree = children.first().map_or(UNDEFINED, |root| root.address);
        Symbols { bytes, tree, heap: at }
    }
}

/// Writes the nodes of a level of the tree.
fn nodes(level: u8, children: &[Child], at: u64, bytes: &mut Vec<u8>) -> Vec<Child> {
    let first = at + bytes.len() as u64;
    let count = children.len().div_ceil(CHILDREN);
    let address = |node: usize| first + (node * NODE) as u64;
    let mut before = 0;
    let mut made = Vec::new();
    for (node, part) in children.chunks(CHILDREN).enumerate() {
        let end = bytes.len() + NODE;
        bytes.extend([b'T', b'R', b'E', b'E', 0, level]);
        bytes.extend((part.len() as u16).to_le_bytes());
        let left = node.checked_sub(1).map_or(UNDEFINED, address);
        let right = if node + 1 < count { address(node + 1) } else { UNDEFINED };
        for number in [left, right, before] {
            bytes.extend(number.to_le_bytes());
        }
        for child in part {
            bytes.extend(child.address.to_le_bytes());
            bytes.extend(child.last.to_le_bytes());
            before = child.last;
        }
        bytes.resize(end, 0);
        made.push(Child { address: address(node), last: before });
    }
    made
}
