//! Attributes, kept in headers or in heaps, and their values (IV.A.2.m).

use dudley::elements::f16;
use dudley::{ByteOrder, Primitive, Result};
use dudley_parser::comments::AttrValue;

use super::btree;
use super::dataset::Space;
use super::file::{Block, File};
use super::heap::{Fractal, Objects};
use super::object::{Message, body, in_heap, kind, one, shared};
use super::types::{Class, Type};

/// An attribute.
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) of: Type,
    pub(super) space: Space,
    /// The bytes of its elements.
    pub(super) data: Vec<u8>,
}

/// The attributes of an object; errors in one of them go to `wrong`.
///
/// # Errors
/// If the messages or the heap that hold them are malformed.
pub(super) fn attributes(
    file: &File,
    messages: &[Message],
    wrong: &mut dyn FnMut(dudley::Error),
) -> Result<Vec<Attribute>> {
    let mut found = Vec::new();
    let mut add = |attribute: Result<Attribute>| match attribute {
        Ok(attribute) => found.push(attribute),
        Err(error) => wrong(error),
    };
    for message in messages.iter().filter(|message| message.kind == kind::ATTRIBUTE) {
        let block = body(file, message, "an attribute message");
        add(block.and_then(|mut block| attribute(file, &mut block)));
    }
    if let Some(info) = one(messages, kind::ATTRIBUTE_INFO) {
        let mut info = body(file, info, "an attribute info message")?;
        info.version(0..=0)?;
        let flags = info.u1()?;
        info.skip(if flags & 1 != 0 { 2 } else { 0 })?;
        if let (Some(heap), Some(tree)) = (info.address()?, info.address()?) {
            let heap = Fractal::read(file, heap)?;
            btree::new(file, tree, &[8], None, &mut |mut record| {
                let place = record.place();
                let mut id = file.within(record.take(8)?, place, "the id of an attribute");
                let is_shared = record.u1()? & 2 != 0;
                let block = if is_shared {
                    in_heap(file, &mut id, kind::ATTRIBUTE)
                } else {
                    heap.get(&mut id)
                };
                add(block.and_then(|mut block| attribute(file, &mut block)));
                Ok(())
            })?;
            // The tree sorts them by hash.
            found.sort_by(|one, other| one.name.cmp(&other.name));
        }
    }
    Ok(found)
}

fn attribute(file: &File, block: &mut Block<'_>) -> Result<Attribute> {
    let version = block.version(1..=3)?;
    let flags = block.u1()?;
    let sizes = [block.u2()?, block.u2()?, block.u2()?].map(usize::from);
    block.skip(if version == 3 { 1 } else { 0 })?;
    let pad = |size: usize| if version == 1 { size.next_multiple_of(8) } else { size };
    let mut part = |size: usize| -> Result<(Vec<u8>, u64)> {
        let place = block.place();
        let bytes = block.take(pad(size).min(block.left()))?;
        Ok((bytes[..size.min(bytes.len())].to_vec(), place))
    };
    let [(name, _), (of, of_place), (space, space_place)] =
        [part(sizes[0])?, part(sizes[1])?, part(sizes[2])?];
    let of = file.within(&of, of_place, "the type of an attribute");
    let space = file.within(&space, space_place, "the shape of an attribute");
    let (is_type_shared, is_space_shared) =
        (version > 1 && flags & 1 != 0, version > 1 && flags & 2 != 0);
    let mut of = if is_type_shared {
        shared(file, of, kind::DATATYPE, "the type of an attribute")?
    } else {
        of
    };
    let mut space = if is_space_shared {
        shared(file, space, kind::DATASPACE, "the shape of an attribute")?
    } else {
        space
    };
    let (of, space) = (Type::read(&mut of)?, Space::read(&mut space)?);
    let bytes = if space.is_null { Some(0) } else { crate::headers::bytes(&space.shape, of.size) };
    let Some(bytes) = bytes.and_then(|bytes| usize::try_from(bytes).ok()) else {
        return Err(block.wrong("more elements than can be"));
    };
    let data = block.take(bytes)?.to_vec();
    Ok(Attribute { name: crate::headers::text(&name), of, space, data })
}

/// An element of an attribute.
enum Cell {
    Int(i128),
    Float(f64),
    Text(String),
}

impl Attribute {
    /// Its value, if a layout can express it.
    ///
    /// # Errors
    /// If an object that it refers to is missing.
    pub(super) fn value(&self, file: &File, objects: &Objects) -> Result<Option<AttrValue>> {
        let mut cells = Vec::new();
        let size = usize::try_from(self.of.size).unwrap_or(usize::MAX).max(1);
        for element in self.data.chunks_exact(size) {
            if !cell(file, objects, &self.of, element, &mut cells)? {
                return Ok(None);
            }
        }
        let is_one = self.space.shape.is_empty() && cells.len() == 1;
        Ok(value(cells, is_one))
    }

    /// Describes the information that its value in a layout loses.
    pub(super) fn loss(&self, value: Option<&AttrValue>) -> Option<String> {
        let Some(value) = value else {
            return Some(if self.data.is_empty() {
                "is left out: it has no value".to_owned()
            } else {
                format!("is left out: attributes of layouts have no {}", self.of.class.plural())
            });
        };
        let mut shape = self.space.shape.clone();
        let mut of = &self.of;
        let mut is_ragged = false;
        loop {
            match &of.class {
                Class::Array(inner, dims) => {
                    shape.extend(dims);
                    of = inner;
                }
                Class::Sequence { of: inner, is_text: false, .. } => {
                    is_ragged |= !self.space.shape.is_empty();
                    of = inner;
                }
                _ => break,
            }
        }
        match &of.class {
            _ if is_ragged => Some("is a list of sequences: here they are one list".to_owned()),
            _ if shape.len() > 1 => {
                Some(format!("has the shape {shape:?}: here it is a list, row by row"))
            }
            Class::Complex(..) => {
                Some("has complex numbers: here they are pairs of a list".to_owned())
            }
            Class::Enum { .. } if !of.is_boolean() => {
                Some("has values of an enumeration: here they are numbers".to_owned())
            }
            // By rule 7.4 of the language, a text stands for a single number of this kind.
            Class::Number(..) if matches!(value, AttrValue::Texts(_)) => Some(
                "has numbers that are not finite, or above 2^63: here they are texts".to_owned(),
            ),
            _ => None,
        }
    }

    /// Its value, if it is a single text.
    pub(super) fn text(&self, file: &File, objects: &Objects) -> Option<String> {
        match self.value(file, objects) {
            Ok(Some(AttrValue::Text(text))) => Some(text),
            Ok(Some(AttrValue::Texts(texts))) if texts.len() == 1 => texts.into_iter().next(),
            _ => None,
        }
    }

    /// The addresses of objects in each of its elements, if these are sequences of references.
    pub(super) fn references(&self, file: &File, objects: &Objects) -> Option<Vec<Vec<u64>>> {
        let Class::Sequence { of, .. } = &self.of.class else { return None };
        if of.class != Class::Reference {
            return None;
        }
        let size = usize::try_from(self.of.size).ok()?.max(1);
        let addresses = |element: &[u8]| {
            let bytes = sequence(file, objects, element, of.size).ok()?;
            Some(bytes.chunks_exact(of.size as usize).map(uint).collect())
        };
        self.data.chunks_exact(size).map(addresses).collect()
    }

    /// Its value, if it consists of integers.
    pub(super) fn integers(&self, file: &File, objects: &Objects) -> Option<Vec<i64>> {
        match self.value(file, objects).ok()?? {
            AttrValue::Int(value) => Some(vec![value]),
            AttrValue::Ints(values) => Some(values),
            _ => None,
        }
    }
}

fn uint(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The bytes of a sequence in a heap.
fn sequence(file: &File, objects: &Objects, element: &[u8], size: u64) -> Result<Vec<u8>> {
    let mut block = file.within(element, 0, "a sequence in a heap");
    let count = block.u4()?;
    let address = block.address()?.filter(|address| *address != 0);
    let number = block.u4()?;
    let (Some(address), true) = (address, count > 0) else { return Ok(Vec::new()) };
    let mut bytes = objects.get(file, address, number)?.to_vec();
    let wanted = u64::from(count).saturating_mul(size);
    bytes.truncate(usize::try_from(wanted).unwrap_or(usize::MAX));
    if (bytes.len() as u64) < wanted {
        return Err(block.wrong(format!("it has {wanted} bytes, and the heap {}", bytes.len())));
    }
    Ok(bytes)
}

/// Adds the values of an element; returns whether a layout can express them.
fn cell(
    file: &File,
    objects: &Objects,
    of: &Type,
    bytes: &[u8],
    cells: &mut Vec<Cell>,
) -> Result<bool> {
    match &of.class {
        Class::Number(primitive, order) => cells.push(number(*primitive, *order, bytes)),
        Class::Complex(primitive, order) => {
            let part = match primitive {
                Primitive::C4 => Primitive::F2,
                Primitive::C8 => Primitive::F4,
                _ => Primitive::F8,
            };
            cells.extend(
                bytes.chunks_exact(part.size() as usize).map(|it| number(part, *order, it)),
            );
        }
        Class::Text { is_spaced, .. } => {
            let text = text(bytes);
            let end = if *is_spaced { text.trim_end_matches(' ').len() } else { text.len() };
            cells.push(Cell::Text(text[..end].to_owned()));
        }
        Class::Enum { base, .. } => return cell(file, objects, base, bytes, cells),
        Class::Array(of, _) => {
            for element in bytes.chunks_exact(usize::try_from(of.size).unwrap_or(usize::MAX).max(1))
            {
                if !cell(file, objects, of, element, cells)? {
                    return Ok(false);
                }
            }
        }
        Class::Sequence { is_text: true, .. } => {
            cells.push(Cell::Text(text(&sequence(file, objects, bytes, 1)?)));
        }
        Class::Sequence { of, .. } => {
            let bytes = sequence(file, objects, bytes, of.size)?;
            for element in bytes.chunks_exact(usize::try_from(of.size).unwrap_or(usize::MAX).max(1))
            {
                if !cell(file, objects, of, element, cells)? {
                    return Ok(false);
                }
            }
        }
        Class::Bytes(_) | Class::Struct(_) | Class::Reference => return Ok(false),
    }
    Ok(true)
}

/// Reads a text, which may be padded with zeros.
fn text(bytes: &[u8]) -> String {
    crate::headers::text(bytes)
}

fn number(primitive: Primitive, order: ByteOrder, bytes: &[u8]) -> Cell {
    let mut bytes = bytes.to_vec();
    if order == ByteOrder::Big {
        bytes.reverse();
    }
    let raw = uint(&bytes);
    let signed = |bits: u32| i128::from((raw << (64 - bits)).cast_signed() >> (64 - bits));
    match primitive {
        Primitive::I1 => Cell::Int(signed(8)),
        Primitive::I2 => Cell::Int(signed(16)),
        Primitive::I4 => Cell::Int(signed(32)),
        Primitive::I8 => Cell::Int(signed(64)),
        Primitive::F2 => Cell::Float(f16::from_bits(raw as u16).to_f64()),
        Primitive::F4 => Cell::Float(f32::from_bits(raw as u32).into()),
        Primitive::F8 => Cell::Float(f64::from_bits(raw)),
        _ => Cell::Int(raw.into()),
    }
}

/// The value of an attribute in a layout; `None` if a layout cannot express it.
fn value(cells: Vec<Cell>, is_one: bool) -> Option<AttrValue> {
    let text = |cell: &Cell| match cell {
        Cell::Int(value) => value.to_string(),
        Cell::Float(value) => value.to_string(),
        Cell::Text(text) => text.clone(),
    };
    let int = |cell: &Cell| match cell {
        Cell::Int(value) => i64::try_from(*value).ok(),
        _ => None,
    };
    let float = |cell: &Cell| match cell {
        Cell::Float(value) => Some(*value).filter(|value| value.is_finite()),
        _ => None,
    };
    if cells.is_empty() {
        return None;
    }
    let ints: Option<Vec<i64>> = cells.iter().map(int).collect();
    let floats: Option<Vec<f64>> = cells.iter().map(float).collect();
    Some(match (ints, floats) {
        (Some(ints), _) if is_one => AttrValue::Int(ints[0]),
        (Some(ints), _) => AttrValue::Ints(ints),
        (_, Some(floats)) if is_one => AttrValue::Float(floats[0]),
        (_, Some(floats)) => AttrValue::Floats(floats),
        _ if is_one => AttrValue::Text(text(&cells[0])),
        _ => AttrValue::Texts(cells.iter().map(text).collect()),
    })
}
