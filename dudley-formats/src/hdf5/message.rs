//! Writes object headers and their messages: the format specification 3.0, II.A and IV.A.

use super::checksum::lookup3;
use super::dataset::Filter;
use super::datatype::Datatype;

/// The undefined address.
pub(super) const UNDEFINED: u64 = u64::MAX;

/// The longest message.
pub(super) const MOST: usize = u16::MAX as usize;

/// The messages of an object, in the order in which they are stored.
#[derive(Default)]
pub(super) struct Messages {
    stored: Vec<u8>,
    /// Whether there are attributes.
    has_attributes: bool,
}

impl Messages {
    /// Adds a message; returns whether it is short enough.
    fn add(&mut self, kind: u8, body: &[u8]) -> bool {
        let Ok(length) = u16::try_from(body.len()) else { return false };
        self.stored.push(kind);
        self.stored.extend(length.to_le_bytes());
        self.stored.push(0);
        self.stored.extend(body);
        true
    }

    /// Adds the shape; without dimensions, a single element.
    pub(super) fn dataspace(&mut self, shape: &[u64]) {
        self.add(1, &dataspace(shape));
    }

    /// Adds a shape that may grow without limit.
    pub(super) fn endless(&mut self, shape: &[u64]) {
        let mut body = dataspace(shape);
        body[2] = 1;
        body.extend(shape.iter().flat_map(|_| u64::MAX.to_le_bytes()));
        self.add(1, &body);
    }

    /// Adds the type; returns whether it is short enough.
    pub(super) fn datatype(&mut self, datatype: &Datatype) -> bool {
        self.add(3, &datatype.bytes)
    }

    /// Says that unwritten elements have no fill value.
    pub(super) fn no_fill(&mut self) {
        // Version 3; space is allocated late, and filled if a value is set.
        self.add(5, &[3, 0x0a]);
    }

    /// Adds the fill value of missing chunks; returns whether it is short enough.
    pub(super) fn fill(&mut self, element: &[u8]) -> bool {
        // Version 3; space is allocated incrementally, and a value is set.
        let mut body = vec![3, 0x2b];
        body.extend((element.len() as u32).to_le_bytes());
        body.extend(element);
        self.add(5, &body)
    }

    /// Adds the filters of chunks, by their numbers and values.
    pub(super) fn filters(&mut self, filters: &[Filter]) {
        if filters.is_empty() {
            return;
        }
        let mut body = vec![2, filters.len() as u8];
        for Filter { id, values } in filters {
            body.extend(id.to_le_bytes());
            if *id >= 256 {
                // Without a name.
                body.extend([0; 2]);
            }
            body.extend([0; 2]);
            body.extend((values.len() as u16).to_le_bytes());
            body.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        }
        self.add(11, &body);
    }

    /// Says that the elements lie in chunks of a shape, which a tree indexes; without a tree there are no chunks.
    pub(super) fn chunked(&mut self, tree: Option<u64>, dims: &[u32], element: u32) {
        let mut body = vec![3, 2, dims.len() as u8 + 1];
        body.extend(tree.unwrap_or(UNDEFINED).to_le_bytes());
        body.extend(dims.iter().chain([&element]).flat_map(|dim| dim.to_le_bytes()));
        self.add(8, &body);
    }

    /// Says where the elements lie; without an address nothing is stored.
    pub(super) fn contiguous(&mut self, address: Option<u64>, bytes: u64) {
        let mut body = vec![3, 1];
        body.extend(address.unwrap_or(UNDEFINED).to_le_bytes());
        body.extend(bytes.to_le_bytes());
        self.add(8, &body);
    }

    /// Adds the elements themselves; returns whether they fit.
    pub(super) fn compact(&mut self, elements: &[u8]) -> bool {
        let mut body = vec![3, 0];
        body.extend((elements.len() as u16).to_le_bytes());
        body.extend(elements);
        self.add(8, &body)
    }

    /// Says that the object is a group.
    pub(super) fn group(&mut self) {
        let mut links = vec![0, 0];
        links.extend(UNDEFINED.to_le_bytes());
        links.extend(UNDEFINED.to_le_bytes());
        self.add(2, &links);
        self.add(10, &[0, 0]);
    }

    /// Says that the object is a group with a tree and a heap that index its members.
    pub(super) fn symbols(&mut self, tree: u64, heap: u64) {
        self.add(17, &[tree.to_le_bytes(), heap.to_le_bytes()].concat());
    }

    /// Adds a link to a member of a group.
    pub(super) fn link(&mut self, name: &str, address: u64) {
        // The length field of the name has two bytes, and the name is UTF-8.
        let mut body = vec![1, 0x11, 1];
        body.extend((name.len() as u16).to_le_bytes());
        body.extend(name.as_bytes());
        body.extend(address.to_le_bytes());
        self.add(6, &body);
    }

    /// Adds an attribute; returns whether it is short enough.
    pub(super) fn attribute(
        &mut self,
        name: &str,
        datatype: &Datatype,
        shape: &[u64],
        elements: &[u8],
    ) -> bool {
        let space = dataspace(shape);
        let Ok(length) = u16::try_from(name.len() + 1) else { return false };
        let Ok(type_length) = u16::try_from(datatype.bytes.len()) else { return false };
        let mut body = vec![3, 0];
        body.extend(length.to_le_bytes());
        body.extend(type_length.to_le_bytes());
        body.extend((space.len() as u16).to_le_bytes());
        // The name is UTF-8.
        body.push(1);
        body.extend(name.as_bytes());
        body.push(0);
        body.extend(&datatype.bytes);
        body.extend(space);
        body.extend(elements);
        if !self.has_attributes {
            // Without this message the library counts no attributes; it says that they are in the header, not in a
            // heap.
            self.has_attributes = self.add(21, &[&[0; 2][..], &[0xff; 16]].concat());
        }
        self.add(12, &body)
    }

    /// The object header with all messages.
    pub(super) fn header(self) -> Vec<u8> {
        // Version 2; the length field of the messages has four bytes.
        let mut header = b"OHDR\x02\x02".to_vec();
        header.extend((self.stored.len() as u32).to_le_bytes());
        header.extend(self.stored);
        let sum = lookup3(&header);
        header.extend(sum.to_le_bytes());
        header
    }
}

fn dataspace(shape: &[u64]) -> Vec<u8> {
    let mut body = vec![2, shape.len() as u8, 0, u8::from(!shape.is_empty())];
    body.extend(shape.iter().flat_map(|dim| dim.to_le_bytes()));
    body
}

/// Bytes of a superblock.
pub(super) const SUPERBLOCK: u64 = 48;

/// The first bytes of an HDF5 file and of its superblock.
pub(super) const SIGNATURE: &[u8; 8] = b"\x89HDF\r\n\x1a\n";

/// Writes the superblock at address `base` of a file that ends at `end`; `root` is the address of the root group
/// relative to the superblock.
pub(super) fn superblock(base: u64, end: u64, root: u64) -> Vec<u8> {
    let mut block = SIGNATURE.to_vec();
    block.extend([2, 8, 8, 0]);
    for address in [base, UNDEFINED, end, root] {
        block.extend(address.to_le_bytes());
    }
    let sum = lookup3(&block);
    block.extend(sum.to_le_bytes());
    block
}

/// Writes a global heap of objects, numbered from 1: III.E.
pub(super) fn heap(objects: &[Vec<u8>]) -> Option<Vec<u8>> {
    /// The shortest collection.
    const LEAST: usize = 4096;
    let mut body = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        body.extend(u16::try_from(at + 1).ok()?.to_le_bytes());
        body.extend([0; 6]);
        body.extend((object.len() as u64).to_le_bytes());
        body.extend(object);
        body.resize(body.len().next_multiple_of(8), 0);
    }
    // The free rest is object 0, whose length includes its own header.
    let length = (16 + body.len() + 16).max(LEAST);
    let free = length - 16 - body.len();
    body.extend([0; 8]);
    body.extend((free as u64).to_le_bytes());
    let mut heap = b"GCOL\x01\0\0\0".to_vec();
    heap.extend((length as u64).to_le_bytes());
    heap.extend(body);
    heap.resize(length, 0);
    Some(heap)
}
