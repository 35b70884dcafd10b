//! Types of elements: read from datatype messages (IV.A.2.d) and spelled for layouts.

use std::ops::Range;

use dudley::{ByteOrder, Primitive, Result};
use dudley_parser::layout::words::{name, struct_end};

use super::file::Block;

/// The deepest nesting of types.
const DEEPEST: usize = 32;

/// The type of elements.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Type {
    pub(super) class: Class,
    /// Bytes of an element.
    pub(super) size: u64,
}

/// The kind of elements.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Class {
    /// Numbers with a primitive type of the language.
    Number(Primitive, ByteOrder),
    /// Complex numbers.
    Complex(Primitive, ByteOrder),
    /// Texts of a fixed number of bytes, possibly padded with blanks.
    Text { is_utf8: bool, is_spaced: bool },
    /// Bytes, described in words.
    Bytes(String),
    /// Named values.
    Enum { base: Box<Type>, names: Vec<(String, Vec<u8>)> },
    /// Members by their names and offsets.
    Struct(Vec<(String, u64, Type)>),
    /// Arrays of a type.
    Array(Box<Type>, Vec<u64>),
    /// Addresses of objects.
    Reference,
    /// Sequences in a heap; sequences of characters are texts.
    Sequence { of: Box<Type>, is_text: bool, is_utf8: bool },
}

impl Class {
    /// The plural name of its elements.
    pub(super) fn plural(&self) -> &'static str {
        match self {
            Class::Number(..) => "numbers",
            Class::Complex(..) => "complex numbers",
            Class::Text { .. } | Class::Sequence { is_text: true, .. } => "texts",
            Class::Bytes(_) => "opaque bytes",
            Class::Enum { .. } => "enumerations",
            Class::Struct(_) => "structs",
            Class::Array(of, _) | Class::Sequence { of, .. } => of.class.plural(),
            Class::Reference => "references",
        }
    }
}

impl Type {
    /// The primitive type of elements that are numbers or consist of them.
    pub(super) fn number(&self) -> Option<Primitive> {
        match &self.class {
            Class::Number(primitive, _) => Some(*primitive),
            Class::Array(of, _) | Class::Sequence { of, is_text: false, .. } => of.number(),
            _ => None,
        }
    }

    /// Reads a type.
    ///
    /// # Errors
    /// If something is wrong with it.
    pub(super) fn read(block: &mut Block<'_>) -> Result<Type> {
        Type::within(block, 0)
    }

    fn within(block: &mut Block<'_>, depth: usize) -> Result<Type> {
        if depth > DEEPEST {
            return Err(block.wrong(format!("more than {DEEPEST} types in types")));
        }
        let head = block.u1()?;
        let (version, of) = (head >> 4, head & 15);
        if !(1..=5).contains(&version) {
            return Err(block.wrong(format!("version {version} of a type is not known")));
        }
        let bits = block.uint(3)? as u32;
        let size = u64::from(block.u4()?);
        let order = if bits & 1 == 0 { ByteOrder::Little } else { ByteOrder::Big };
        let class = match of {
            0 => {
                let (offset, precision) = (block.u2()?, block.u2()?);
                integer(size, bits & 8 != 0, order, (offset, precision))
            }
            1 => float(block, size, bits)?,
            2 => {
                block.skip(2)?;
                Class::Bytes("a time".to_owned())
            }
            3 => Class::Text { is_utf8: bits >> 4 & 15 == 1, is_spaced: bits & 15 == 2 },
            4 => {
                let (offset, precision) = (block.u2()?, block.u2()?);
                integer(size, false, order, (offset, precision))
            }
            5 => {
                let tag = block.take((bits & 0xff) as usize)?;
                let tag = crate::headers::text(tag);
                Class::Bytes(if tag.is_empty() { "opaque".to_owned() } else { tag })
            }
            6 => compound(block, version, (bits & 0xffff) as usize, size, depth)?,
            7 if version < 4 && bits & 15 == 0 => Class::Reference,
            7 => Class::Bytes("a reference".to_owned()),
            8 => enumeration(block, version, (bits & 0xffff) as usize, depth)?,
            9 => {
                let (is_text, is_utf8) = (bits & 15 == 1, bits >> 8 & 15 == 1);
                let of = Box::new(Type::within(block, depth + 1)?);
                Class::Sequence { of, is_text, is_utf8 }
            }
            10 => {
                let rank = block.u1()?;
                block.skip(if version < 3 { 3 } else { 0 })?;
                let mut dims = Vec::new();
                for _ in 0..rank {
                    dims.push(u64::from(block.u4()?));
                }
                block.skip(if version < 3 { 4 * usize::from(rank) } else { 0 })?;
                Class::Array(Box::new(Type::within(block, depth + 1)?), dims)
            }
            11 => {
                let base = Type::within(block, depth + 1)?;
                complex(&base).unwrap_or(Class::Bytes("complex numbers".to_owned()))
            }
            of => return Err(block.wrong(format!("types of class {of} are not known"))),
        };
        let found = Type { class, size };
        if size == 0 || found.least().is_none_or(|least| least > size) {
            return Err(
                block.wrong(format!("a type of {size} bytes, which is not enough for what it is"))
            );
        }
        Ok(found)
    }

    /// The least bytes that its parts take; `None` on overflow.
    fn least(&self) -> Option<u64> {
        match &self.class {
            Class::Number(primitive, _) | Class::Complex(primitive, _) => Some(primitive.size()),
            Class::Enum { base, .. } => Some(base.size),
            Class::Struct(members) => members.iter().try_fold(0, |end: u64, (_, offset, of)| {
                Some(end.max(offset.checked_add(of.size)?))
            }),
            Class::Array(of, dims) => {
                dims.iter().try_fold(of.size, |size, dim| size.checked_mul(*dim))
            }
            Class::Sequence { .. } => Some(8),
            Class::Text { .. } | Class::Bytes(_) | Class::Reference => Some(0),
        }
    }

    /// The places, in an element, of texts that are declared as ASCII.
    pub(super) fn ascii_texts(&self, at: u64, places: &mut Vec<Range<u64>>) {
        match &self.class {
            Class::Text { is_utf8: false, .. } => places.push(at..at + self.size),
            Class::Struct(members) => {
                members.iter().for_each(|(_, offset, of)| of.ascii_texts(at + offset, places));
            }
            Class::Array(of, dims) => {
                let count = dims.iter().fold(1, |count: u64, dim| count.saturating_mul(*dim));
                (0..count).for_each(|number| of.ascii_texts(at + number * of.size, places));
            }
            _ => {}
        }
    }

    /// Its spelling in a layout, and the dimensions that it adds after the dimensions of the array.
    pub(super) fn words(&self, offsets: usize) -> (String, Vec<u64>) {
        self.words_of(offsets, false)
    }

    /// As [`Self::words`], where texts that are declared as ASCII may be UTF-8.
    pub(super) fn words_of(&self, offsets: usize, may_be_utf8: bool) -> (String, Vec<u64>) {
        let sign = |order: &ByteOrder| if *order == ByteOrder::Big { ">" } else { "<" };
        match &self.class {
            Class::Number(primitive, order) | Class::Complex(primitive, order) => {
                let order = if primitive.size() == 1 { "" } else { sign(order) };
                (format!("{order}{}", primitive.name()), Vec::new())
            }
            Class::Text { is_utf8, .. } => {
                (if *is_utf8 || may_be_utf8 { "U1" } else { "S1" }.to_owned(), vec![self.size])
            }
            Class::Bytes(_) => ("u1".to_owned(), vec![self.size]),
            Class::Enum { base, .. } if self.is_boolean() && base.size == 1 => {
                ("b1".to_owned(), Vec::new())
            }
            Class::Enum { base, .. } => base.words(offsets),
            Class::Struct(members) => {
                let mut text = String::from("{");
                let (mut end, mut names) = (0, Vec::new());
                for (at, (own, offset, of)) in members.iter().enumerate() {
                    let (words, dims) = of.words_of(offsets, may_be_utf8);
                    let mut own = if own.is_empty() { format!("member{at}") } else { own.clone() };
                    while names.contains(&own) {
                        own.push('_');
                    }
                    let shape = crate::headers::shape(&dims);
                    // A comment on a member ends its line.
                    let said = of.vlen(offsets).map(|vlen| format!("  #: vlen = {vlen:?}\n "));
                    let said = said.unwrap_or_default();
                    text += &format!("{} = {words}{shape} @{offset}{said}  ", name(&own));
                    names.push(own);
                    end = end.max(offset + of.size);
                }
                let (align, end) = struct_end(end, self.size);
                text += &end.unwrap_or_default();
                // A comment on the last member ends its line.
                let text = text.trim_end_matches(' ');
                (format!("{text}}} %{align}"), Vec::new())
            }
            Class::Array(of, dims) => {
                let (words, inner) = of.words_of(offsets, may_be_utf8);
                (words, [&dims[..], &inner].concat())
            }
            Class::Reference if matches!(self.size, 4 | 8) => {
                (format!("<p{}", self.size), Vec::new())
            }
            Class::Reference => ("u1".to_owned(), vec![self.size]),
            Class::Sequence { .. } => {
                let heap = if matches!(offsets, 4 | 8) {
                    format!("<p{offsets}")
                } else {
                    format!("u1[{offsets}]")
                };
                let end = 4 + offsets;
                (
                    format!("{{length = <u4 @0  heap = {heap} @4  number = <u4 @{end}}} %1"),
                    Vec::new(),
                )
            }
        }
    }

    /// The element type of the heap objects that it refers to: texts, or sequences of numbers.
    pub(super) fn vlen(&self, offsets: usize) -> Option<String> {
        match &self.class {
            Class::Array(of, _) => of.vlen(offsets),
            _ if !matches!(offsets, 4 | 8) => None,
            // Texts declared as ASCII are mostly UTF-8.
            Class::Sequence { is_text: true, .. } => Some("U1".to_owned()),
            Class::Sequence { of, .. } => match &of.class {
                Class::Number(..) | Class::Complex(..) => Some(of.words(offsets).0),
                Class::Enum { base, .. } => Some(base.words(offsets).0),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether its values are false and true, as in h5py.
    pub(super) fn is_boolean(&self) -> bool {
        let Class::Enum { names, .. } = &self.class else { return false };
        let is = |at: usize, name: &str, value: u8| {
            names.get(at).is_some_and(|(own, bytes)| own == name && bytes[..] == [value])
        };
        names.len() == 2 && is(0, "FALSE", 0) && is(1, "TRUE", 1)
    }

    /// The objects that its elements refer to, if readers do not resolve them.
    pub(super) fn places(&self, offsets: usize) -> Option<&'static str> {
        match &self.class {
            Class::Reference => Some("objects"),
            Class::Sequence { .. } if self.vlen(offsets).is_none() => Some("sequences"),
            Class::Array(of, _) => of.places(offsets),
            Class::Struct(members) => members.iter().find_map(|(_, _, of)| of.places(offsets)),
            _ => None,
        }
    }

    /// Whether its elements refer to places of their file.
    pub(super) fn has_places(&self) -> bool {
        match &self.class {
            Class::Reference | Class::Sequence { .. } => true,
            Class::Array(of, _) => of.has_places(),
            Class::Struct(members) => members.iter().any(|(_, _, of)| of.has_places()),
            _ => false,
        }
    }

    /// A remark on it, if a layout has no type for it.
    pub(super) fn remark(&self, offsets: usize) -> Option<String> {
        match &self.class {
            _ if self.vlen(offsets).is_some() => None,
            Class::Bytes(what) => Some(what.clone()),
            Class::Sequence { .. } => Some("sequences, which lie in a heap".to_owned()),
            Class::Array(of, _) | Class::Enum { base: of, .. } => of.remark(offsets),
            Class::Struct(members) => {
                let each = members.iter();
                let said = each
                    .filter_map(|(own, _, of)| Some(format!("`{own}`: {}", of.remark(offsets)?)));
                Some(said.collect::<Vec<_>>().join("; ")).filter(|said| !said.is_empty())
            }
            _ => None,
        }
    }
}

/// An integer type, or bytes if the language has no equal.
fn integer(size: u64, signed: bool, order: ByteOrder, (offset, precision): (u16, u16)) -> Class {
    let primitive = match (size, signed) {
        (1, true) => Primitive::I1,
        (2, true) => Primitive::I2,
        (4, true) => Primitive::I4,
        (8, true) => Primitive::I8,
        (1, false) => Primitive::U1,
        (2, false) => Primitive::U2,
        (4, false) => Primitive::U4,
        (8, false) => Primitive::U8,
        _ => return Class::Bytes(format!("integers of {size} bytes")),
    };
    // An integer in only some of the bits has another value than its bytes.
    if offset > 0 || u64::from(precision) != 8 * size {
        return Class::Bytes(format!("integers of {precision} bits from bit {offset} on"));
    }
    Class::Number(primitive, order)
}

fn float(block: &mut Block<'_>, size: u64, bits: u32) -> Result<Class> {
    let place = [block.u2()?, block.u2()?];
    let parts = [block.u1()?, block.u1()?, block.u1()?, block.u1()?];
    let bias = block.u4()?;
    let sign = bits >> 8 & 0xff;
    let ieee = match size {
        2 => (Primitive::F2, [10, 5, 0, 10], 15, 15),
        4 => (Primitive::F4, [23, 8, 0, 23], 127, 31),
        8 => (Primitive::F8, [52, 11, 0, 52], 1023, 63),
        _ => return Ok(Class::Bytes(format!("floats of {size} bytes"))),
    };
    let (primitive, expected, expected_bias, expected_sign) = ieee;
    let order = match bits & 0x41 {
        0 => ByteOrder::Little,
        1 => ByteOrder::Big,
        _ => return Ok(Class::Bytes("floats of a VAX".to_owned())),
    };
    let is_ieee = parts == expected
        && (bias, sign) == (expected_bias, expected_sign)
        && place == [0, 8 * size as u16];
    Ok(if is_ieee {
        Class::Number(primitive, order)
    } else {
        Class::Bytes(format!("floats of {size} bytes that are not IEEE 754"))
    })
}

/// Reads a name that ends with a NUL; before version 3 it is padded to a multiple of 8 bytes.
fn padded(block: &mut Block<'_>, version: u8) -> Result<String> {
    let begin = block.at();
    let text = block.text()?;
    if version < 3 {
        let bytes = block.at() - begin;
        block.skip(bytes.next_multiple_of(8) - bytes)?;
    }
    Ok(text)
}

fn compound(
    block: &mut Block<'_>,
    version: u8,
    count: usize,
    size: u64,
    depth: usize,
) -> Result<Class> {
    let mut members = Vec::new();
    for _ in 0..count {
        let own = padded(block, version)?;
        let width = if version < 3 { 4 } else { (size.max(1).ilog2() / 8 + 1) as usize };
        let offset = block.uint(width)?;
        let mut dims = Vec::new();
        if version == 1 {
            let rank = block.u1()?;
            block.skip(11)?;
            for at in 0..4 {
                let dim = block.u4()?;
                if at < rank {
                    dims.push(u64::from(dim));
                }
            }
        }
        let mut of = Type::within(block, depth + 1)?;
        if !dims.is_empty() {
            let all = dims.iter().try_fold(of.size, |size, dim| size.checked_mul(*dim));
            let size =
                all.ok_or_else(|| block.wrong("a member of more bytes than can be counted"))?;
            of = Type { class: Class::Array(Box::new(of), dims), size };
        }
        members.push((own, offset, of));
    }
    let part = |at: usize, own: &str| members.get(at).filter(|member| member.0 == own);
    if let (2, Some((_, 0, real)), Some((_, half, imaginary))) =
        (members.len(), part(0, "r"), part(1, "i"))
        && real == imaginary
        && (*half, size) == (real.size, 2 * real.size)
        && let Some(class) = complex(real)
    {
        return Ok(class);
    }
    Ok(Class::Struct(members))
}

/// The complex type with parts of this type.
fn complex(part: &Type) -> Option<Class> {
    match part.class {
        Class::Number(Primitive::F2, order) => Some(Class::Complex(Primitive::C4, order)),
        Class::Number(Primitive::F4, order) => Some(Class::Complex(Primitive::C8, order)),
        Class::Number(Primitive::F8, order) => Some(Class::Complex(Primitive::C16, order)),
        _ => None,
    }
}

fn enumeration(block: &mut Block<'_>, version: u8, count: usize, depth: usize) -> Result<Class> {
    let base = Type::within(block, depth + 1)?;
    let mut names = Vec::new();
    for _ in 0..count {
        names.push(padded(block, version)?);
    }
    let size = usize::try_from(base.size).unwrap_or(usize::MAX);
    let mut values = Vec::new();
    for name in names {
        values.push((name, block.take(size)?.to_vec()));
    }
    Ok(Class::Enum { base: Box::new(base), names: values })
}
