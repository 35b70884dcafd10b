//! Heaps: of names (III.D), of objects of various sizes (III.E), and of links and attributes (III.G).

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use std::cell::{OnceCell, RefCell};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use dudley::Result;

use super::btree;
use super::file::{Block, File};

const NAMES: &str = "the data of a local heap";

/// The names of a group.
pub(super) struct Names<'f> {
    file: &'f File,
    /// Their address and their size in bytes.
    data: u64,
    size: u64,
    /// All names, read with the first requested text.
    all: OnceCell<Block<'f>>,
}

impl<'f> Names<'f> {
    pub(super) fn read(file: &'f File, address: u64) -> Result<Names<'f>> {
        let bytes = 8 + 2 * file.lengths as u64 + file.offsets as u64;
        let mut head = file.block(address, bytes, "a local heap")?;
        head.signature(b"HEAP")?;
        head.version(0..=0)?;
        head.skip(3)?;
        let size = head.length()?;
        head.length()?;
        let data = head.there("its data")?;
        Ok(Names { file, data, size, all: OnceCell::new() })
    }

    /// The text at an offset.
    pub(super) fn text(&self, offset: u64) -> Result<String> {
        let data = match self.all.get() {
            Some(data) => data,
            None => {
                let data = self.file.block(self.data, self.size, NAMES)?;
                self.all.get_or_init(|| data)
            }
        };
        let rest = usize::try_from(offset).ok().and_then(|from| data.bytes().get(from..));
        let Some(rest) = rest else {
            return Err(data.wrong(format!("no name at {offset}")));
        };
        match rest.iter().position(|byte| *byte == 0) {
            Some(end) => Ok(crate::headers::text(&rest[..end])),
            None => Err(data.wrong(format!("the name at {offset} has no end"))),
        }
    }

    /// Compares the text at an offset with a name, without reading other texts.
    pub(super) fn compare(&self, offset: u64, name: &str) -> Result<Ordering> {
        let most = self.size.saturating_sub(offset).min(name.len() as u64 + 1);
        let block = self.file.block(self.data.saturating_add(offset), most, NAMES)?;
        let end = block.bytes().iter().position(|byte| *byte == 0);
        Ok(block.bytes()[..end.unwrap_or(block.bytes().len())].cmp(name.as_bytes()))
    }
}

/// Objects by their numbers, each with its place in the stream.
type Collection = HashMap<u16, (u64, Arc<[u8]>)>;

/// Objects of global heaps, by collection and number.
#[derive(Default)]
pub(super) struct Objects {
    known: RefCell<HashMap<u64, Collection>>,
}

impl Objects {
    /// An object of the collection at an address.
    pub(super) fn get(&self, file: &File, address: u64, number: u32) -> Result<Arc<[u8]>> {
        self.placed(file, address, number).map(|(_, object)| object)
    }

    /// As [`Self::get`], with the place of the object in the stream.
    pub(super) fn placed(
        &self,
        file: &File,
        address: u64,
        number: u32,
    ) -> Result<(u64, Arc<[u8]>)> {
        const WHAT: &str = "a global heap";
        let mut known = self.known.borrow_mut();
        if let Entry::Vacant(entry) = known.entry(address) {
            let mut head = file.block(address, 8 + file.lengths as u64, WHAT)?;
            head.signature(b"GCOL")?;
            head.version(1..=1)?;
            head.skip(3)?;
            let size = head.length()?;
            let mut block = file.block(address, size, WHAT)?;
            block.skip(8 + file.lengths)?;
            let mut objects = HashMap::new();
            while block.left() >= 8 + file.lengths {
                let number = block.u2()?;
                block.skip(6)?;
                let size = block.length()?;
                if number == 0 {
                    break;
                }
                let Ok(size) = usize::try_from(size) else {
                    return Err(block.wrong(format!("an object of {size} bytes")));
                };
                let place = block.place();
                objects.insert(number, (place, block.take(size)?.into()));
                let pad = size.next_multiple_of(8) - size;
                block.skip(pad.min(block.left()))?;
            }
            entry.insert(objects);
        }
        let object = u16::try_from(number).ok().and_then(|at| known[&address].get(&at).cloned());
        object.ok_or_else(|| {
            crate::cursor::malformed(
                file.base.saturating_add(address),
                format!("{WHAT}: it has no object {number}"),
            )
        })
    }
}

/// A heap of links or attributes.
pub(super) struct Fractal<'f> {
    file: &'f File,
    id: usize,
    /// Bytes of an offset and of a length in an id.
    offset: usize,
    length: usize,
    width: u64,
    start: u64,
    largest: u64,
    root: Option<u64>,
    rows: u16,
    huge: Option<u64>,
    filtered: bool,
    /// Known direct blocks: by the offset where a block begins, the offset where it ends and its address.
    found: RefCell<BTreeMap<u64, (u64, u64)>>,
}

impl<'f> Fractal<'f> {
    pub(super) fn read(file: &'f File, address: u64) -> Result<Fractal<'f>> {
        let mut head = file.block_up_to(address, 256, "the header of a fractal heap")?;
        head.signature(b"FRHP")?;
        head.version(0..=0)?;
        let (id, filters) = (head.u2()?, head.u2()?);
        head.u1()?;
        let most = head.u4()?;
        head.length()?;
        let huge = head.address()?;
        head.length()?;
        head.address()?;
        for _ in 0..8 {
            head.length()?;
        }
        let width = head.u2()?;
        let (start, largest) = (head.length()?, head.length()?);
        let bits = head.u2()?;
        head.u2()?;
        let root = head.address()?;
        let rows = head.u2()?;
        if filters > 0 {
            head.skip(file.lengths + 4 + usize::from(filters))?;
        }
        head.checksum()?;
        let is_power = start.is_power_of_two() && largest.is_power_of_two() && largest >= start;
        if width == 0 || !is_power || bits > 64 || id < 1 {
            return Err(head.wrong("its blocks have no legal sizes"));
        }
        let bytes = |most: u64| (most.max(1).ilog2() / 8 + 1) as usize;
        let length = bytes(largest).min(bytes(most.into()));
        Ok(Fractal {
            file,
            id: id.into(),
            offset: usize::from(bits.div_ceil(8)),
            length,
            width: width.into(),
            start,
            largest,
            root,
            rows,
            huge,
            filtered: filters > 0,
            found: RefCell::default(),
        })
    }

    /// Reads the object of an id.
    pub(super) fn get(&self, id: &mut Block<'_>) -> Result<Block<'f>> {
        const WHAT: &str = "an object of a fractal heap";
        let before = id.left();
        let first = id.u1()?;
        match first >> 4 & 3 {
            0 => {
                let (offset, length) = (id.uint(self.offset)?, id.uint(self.length)?);
                if self.filtered {
                    return Err(id.wrong("the blocks of the heap have filters, which are not read"));
                }
                let place = self.place(offset, id)?;
                self.file.block(place, length, WHAT)
            }
            1 => {
                // The id holds an address and a length if it has room for them.
                let direct = self.file.offsets + self.file.lengths;
                if direct < self.id {
                    let (address, length) = (id.there("a huge object")?, id.length()?);
                    return self.file.block(address, length, WHAT);
                }
                let number = id.uint((self.id - 1).min(8).min(id.left()))?;
                let tree = self.huge.ok_or_else(|| id.wrong("the heap has no huge objects"))?;
                let mut found = None;
                btree::new(self.file, tree, &[1], None, &mut |mut record| {
                    let (address, length) = (record.there("a huge object")?, record.length()?);
                    if record.length()? == number {
                        found = Some((address, length));
                    }
                    Ok(())
                })?;
                let (address, length) =
                    found.ok_or_else(|| id.wrong(format!("no huge object {number}")))?;
                self.file.block(address, length, WHAT)
            }
            2 => {
                let length = if self.id <= 17 {
                    usize::from(first & 15) + 1
                } else {
                    (usize::from(first & 15) << 8 | usize::from(id.u1()?)) + 1
                };
                let place = id.place();
                Ok(self.file.within(id.take(length.min(before))?, place, WHAT))
            }
            kind => Err(id.wrong(format!("an object of kind {kind}"))),
        }
    }

    /// Bytes of a block in a row.
    fn size(&self, row: u32) -> u64 {
        self.start.checked_shl(row.saturating_sub(1)).unwrap_or(u64::MAX)
    }

    /// The address of an offset of the heap.
    fn place(&self, offset: u64, id: &Block<'_>) -> Result<u64> {
        let wrong = || id.wrong(format!("the heap has nothing at {offset}"));
        let before =
            self.found.borrow().range(..=offset).next_back().map(|(at, found)| (*at, *found));
        if let Some((begin, (_, address))) = before.filter(|(_, (end, _))| offset < *end) {
            return address.checked_add(offset - begin).ok_or_else(wrong);
        }
        let mut address = self.root.ok_or_else(wrong)?;
        let (mut rows, mut within) = (u32::from(self.rows), offset);
        let direct_rows = self.largest.ilog2() - self.start.ilog2() + 2;
        // Each turn descends into a smaller block.
        for _ in 0..64 {
            if rows == 0 {
                return address.checked_add(within).ok_or_else(wrong);
            }
            let (mut row, mut begin) = (0, 0_u64);
            loop {
                let bytes = self.size(row).saturating_mul(self.width);
                if within - begin < bytes {
                    break;
                }
                begin = begin.saturating_add(bytes);
                row += 1;
                if row >= rows {
                    return Err(wrong());
                }
            }
            let column = (within - begin) / self.size(row);
            let entry = u64::from(row) * self.width + column;
            let head = 5 + self.file.offsets as u64 + self.offset as u64;
            let mut block = self.file.block(address, 4, "an indirect block of a fractal heap")?;
            block.signature(b"FHIB")?;
            let at =
                address.checked_add(head + entry * self.file.offsets as u64).ok_or_else(wrong)?;
            let mut block = self.file.block(
                at,
                self.file.offsets as u64,
                "an indirect block of a fractal heap",
            )?;
            address = block.there("a block")?;
            within = (within - begin) % self.size(row);
            rows = if row < direct_rows {
                let begin = offset - within;
                let end = begin.saturating_add(self.size(row));
                self.found.borrow_mut().insert(begin, (end, address));
                0
            } else {
                // The number of rows of a block of this size.
                (self.size(row).ilog2() + 1).saturating_sub((self.start * self.width).ilog2())
            };
        }
        Err(wrong())
    }
}
