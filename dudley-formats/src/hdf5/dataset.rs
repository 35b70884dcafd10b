//! An array: its shape, type, storage and fill value (IV.A.2).

use dudley::Result;

use super::chunks::{Chunked, Index};
use super::file::{Block, File};
use super::object::{Message, body, kind, one};
use super::types::Type;

/// The shape of an array or attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Space {
    pub(super) shape: Vec<u64>,
    /// The maximum shape; `None` for an unlimited dimension.
    pub(super) most: Vec<Option<u64>>,
    /// Whether it has no elements at all.
    pub(super) is_null: bool,
}

impl Space {
    pub(super) fn read(block: &mut Block<'_>) -> Result<Space> {
        let version = block.version(1..=2)?;
        let (rank, flags) = (block.u1()?, block.u1()?);
        let of = block.u1()?;
        if version == 1 {
            block.skip(4)?;
        }
        if rank > 32 {
            return Err(block.wrong(format!("{rank} dimensions")));
        }
        let mut shape = Vec::new();
        for _ in 0..rank {
            shape.push(block.length()?);
        }
        let mut most: Vec<Option<u64>> = shape.iter().copied().map(Some).collect();
        if flags & 1 != 0 {
            let endless = if block.file.lengths == 8 {
                u64::MAX
            } else {
                (1 << (8 * block.file.lengths)) - 1
            };
            for most in &mut most {
                let dim = block.length()?;
                *most = (dim != endless).then_some(dim);
            }
        }
        Ok(Space { shape, most, is_null: version == 2 && of == 2 })
    }
}

/// How elements are stored.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    /// From an address of the file; `None` if nothing is stored.
    Contiguous(Option<u64>),
    /// In the object header, at a place of the stream.
    Compact {
        place: u64,
        bytes: u64,
    },
    Chunked {
        chunked: Chunked,
        partial_plain: bool,
    },
    /// In other arrays: the mappings are an object of a global heap, by its address and number; `None` without any.
    Virtual(Option<(u64, u32)>),
    /// Outside the file, in words.
    Elsewhere(&'static str),
}

/// A filter of chunks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Filter {
    pub(crate) id: u16,
    pub(crate) values: Vec<u32>,
}

/// An array.
pub(super) struct Array {
    pub(super) space: Space,
    pub(super) of: Type,
    pub(super) storage: Storage,
    pub(super) filters: Vec<Filter>,
    /// The fill value: the bytes of an unwritten element, if it is defined.
    pub(super) fill: Option<Vec<u8>>,
}

/// Whether an object is an array, by its messages.
pub(super) fn is_array(messages: &[Message]) -> bool {
    [kind::DATASPACE, kind::DATATYPE, kind::LAYOUT]
        .iter()
        .all(|kind| one(messages, *kind).is_some())
}

/// Reads the messages of an array.
///
/// # Errors
/// If something is wrong with a message.
pub(super) fn array(file: &File, messages: &[Message]) -> Result<Array> {
    let there = |kind: u16, what: &'static str| match one(messages, kind) {
        Some(message) => body(file, message, what),
        None => Err(crate::cursor::malformed(file.base, format!("an array without {what}"))),
    };
    let space = Space::read(&mut there(kind::DATASPACE, "a dataspace message")?)?;
    let of = Type::read(&mut there(kind::DATATYPE, "a datatype message")?)?;
    let mut storage = storage(&mut there(kind::LAYOUT, "a data layout message")?, &space)?;
    if one(messages, kind::EXTERNAL).is_some() {
        storage = Storage::Elsewhere("its elements are in other files");
    }
    let filters = match one(messages, kind::PIPELINE) {
        Some(message) => filters(&mut body(file, message, "a filter pipeline message")?)?,
        None => Vec::new(),
    };
    let fill = match (one(messages, kind::FILL), one(messages, kind::OLD_FILL)) {
        (Some(message), _) => fill(&mut body(file, message, "a fill value message")?, of.size)?,
        (None, Some(message)) => {
            filling(&mut body(file, message, "an old fill value message")?, of.size)?
        }
        (None, None) => None,
    };
    Ok(Array { space, of, storage, filters, fill })
}

fn storage(block: &mut Block<'_>, space: &Space) -> Result<Storage> {
    let version = block.version(1..=5)?;
    if version < 3 {
        let (rank, class) = (block.u1()?, block.u1()?);
        block.skip(5)?;
        let address = if class == 0 { None } else { block.address()? };
        let mut dims = Vec::new();
        for _ in 0..rank {
            dims.push(u64::from(block.u4()?));
        }
        return match class {
            0 => {
                let bytes = u64::from(block.u4()?);
                Ok(Storage::Compact { place: block.place(), bytes })
            }
            1 => Ok(Storage::Contiguous(address)),
            2 => chunked(block, dims, Index::Old, address, space),
            class => Err(block.wrong(format!("a layout of class {class}"))),
        };
    }
    match block.u1()? {
        0 => {
            let bytes = u64::from(block.u2()?);
            Ok(Storage::Compact { place: block.place(), bytes })
        }
        1 => Ok(Storage::Contiguous(block.address()?)),
        2 if version == 3 => {
            let rank = block.u1()?;
            let address = block.address()?;
            let mut dims = Vec::new();
            for _ in 0..rank {
                dims.push(u64::from(block.u4()?));
            }
            chunked(block, dims, Index::Old, address, space)
        }
        2 => {
            let flags = block.u1()?;
            let (rank, width) = (block.u1()?, block.u1()?);
            let mut dims = Vec::new();
            for _ in 0..rank {
                dims.push(block.uint(width.into())?);
            }
            let index = match block.u1()? {
                1 if flags & 2 != 0 => Index::Single(Some((block.length()?, block.u4()?))),
                1 => Index::Single(None),
                2 => Index::Implicit,
                3 => {
                    block.skip(1)?;
                    Index::FixedArray
                }
                4 => {
                    block.skip(5)?;
                    Index::ExtensibleArray
                }
                5 => {
                    block.skip(6)?;
                    Index::New
                }
                index => return Err(block.wrong(format!("an index of kind {index}"))),
            };
            let address = block.address()?;
            let found = chunked(block, dims, index, address, space)?;
            Ok(match found {
                Storage::Chunked { chunked, .. } => {
                    Storage::Chunked { chunked, partial_plain: flags & 1 != 0 }
                }
                other => other,
            })
        }
        3 => {
            let heap = block.address()?;
            let number = block.u4()?;
            Ok(Storage::Virtual(heap.map(|heap| (heap, number))))
        }
        class => Err(block.wrong(format!("a layout of class {class}"))),
    }
}

fn chunked(
    block: &Block<'_>,
    mut dims: Vec<u64>,
    index: Index,
    address: Option<u64>,
    space: &Space,
) -> Result<Storage> {
    // The last dimension is the size of an element.
    let element = dims.pop().unwrap_or(0);
    if dims.len() != space.shape.len() || dims.contains(&0) || element == 0 {
        return Err(block.wrong(format!(
            "chunks of {dims:?} elements of {element} bytes in an array of {:?}",
            space.shape
        )));
    }
    let chunked = Chunked { index, address, dims, element };
    Ok(Storage::Chunked { chunked, partial_plain: false })
}

fn filters(block: &mut Block<'_>) -> Result<Vec<Filter>> {
    let version = block.version(1..=2)?;
    let count = block.u1()?;
    if count > 32 {
        return Err(block.wrong(format!("{count} filters")));
    }
    block.skip(if version == 1 { 6 } else { 0 })?;
    let mut filters = Vec::new();
    for _ in 0..count {
        let id = block.u2()?;
        let name = if version == 1 || id >= 256 { block.u2()? } else { 0 };
        block.skip(2)?;
        let given = block.u2()?;
        let pad = if version == 1 { usize::from(name).next_multiple_of(8) } else { name.into() };
        block.skip(pad)?;
        let mut values = Vec::new();
        for _ in 0..given {
            values.push(block.u4()?);
        }
        block.skip(if version == 1 && given % 2 == 1 { 4 } else { 0 })?;
        filters.push(Filter { id, values });
    }
    Ok(filters)
}

fn fill(block: &mut Block<'_>, element: u64) -> Result<Option<Vec<u8>>> {
    let version = block.version(1..=3)?;
    let defined = if version == 3 {
        block.u1()? & 0x20 != 0
    } else {
        block.skip(2)?;
        let defined = block.u1()? != 0;
        // Version 1 has a size in any case.
        defined || version == 1
    };
    if !defined || block.left() < 4 {
        return Ok(None);
    }
    filling(block, element)
}

/// Reads an element with its size in front; `None` if the size is 0 or negative: then no value is defined.
fn filling(block: &mut Block<'_>, element: u64) -> Result<Option<Vec<u8>>> {
    let size = block.u4()?;
    if size == 0 || size > i32::MAX as u32 {
        return Ok(None);
    }
    if u64::from(size) != element {
        return Err(block.wrong(format!("{size} bytes, where elements have {element}")));
    }
    Ok(Some(block.take(size as usize)?.to_vec()))
}
