//! Describes a file as a layout: groups as dicts, arrays as items at addresses, chunked arrays as arrays in blocks.

use hashbrown::HashMap;
use std::fmt::Write;
use std::ops::Range;

use dudley::model::Asked;
use dudley::{ByteOrder, Primitive, Result};
use dudley_parser::comments::{AttrValue, Attribute as Stated};
use dudley_parser::layout::text::Text;
use dudley_parser::layout::words::{Said, doc_fits, unit_fits};
use dudley_parser::span::Span;

use super::attribute::Attribute;
use super::chunks::{Chunk, Grid, chunks};
use super::dataset::Storage;
use super::file::File;
use super::filter::{virtual_words, words};
use super::heap::Objects;
use super::netcdf::{Dims, HIDDEN, is_scale};
use super::tree::{Dataset, Group, Member, Tree};
use super::types::{Class, Type};
use super::virtuals::Virtuals;
use super::virtuals::mapping::{is_endless, mappings, words as words_of};
use crate::attribute_types::Types;
use crate::headers::{bytes, shape};
use crate::words::{is_cp1252, is_no_variable};

/// Missing blocks are listed while there are at most this many of them for each stored block.
const HOLES: u64 = 2;

/// Texts of up to this many bytes are looked at for what they are encoded in.
const LOOKED_AT: u64 = 4096;

/// All chunks are looked up if an array has no more than this many.
const FEW: u64 = 1024;

/// The state of a layout in the making.
struct Writer<'w> {
    file: &'w File,
    arrays: &'w Virtuals,
    objects: Objects,
    names: &'w HashMap<u64, String>,
    dims: Dims,
    text: Text,
    asked: Option<&'w Asked>,
    /// Notes and errors, each with its path.
    notes: Vec<(String, String)>,
    wrong: Vec<(String, dudley::Error)>,
    /// The arrays whose elements are not in the file, with the reasons.
    elsewhere: Vec<(String, &'static str)>,
}

/// The layout of a file, or of the requested elements of one of its arrays.
pub(super) fn layout(
    file: &File,
    tree: &mut Tree<'_>,
    arrays: &Virtuals,
    asked: Option<&Asked>,
) -> Text {
    let root = std::mem::take(&mut tree.root);
    let objects = Objects::default();
    let mut writer = Writer {
        file,
        arrays,
        dims: Dims::of(file, &objects, &root, tree.is_part),
        objects,
        names: &tree.names,
        text: Text::default(),
        asked,
        notes: Vec::new(),
        wrong: Vec::new(),
        elsewhere: Vec::new(),
    };
    let about = writer.said(&root.attributes, (None, None), "title", "/");
    writer.text = Text::new(ByteOrder::Little, &about);
    writer.group(&root, &root, "");
    let Writer { text, notes, wrong, elsewhere, .. } = writer;
    elsewhere.iter().for_each(|(path, why)| tree.elsewhere(path, why));
    notes.into_iter().for_each(|(path, why)| tree.note(&path, why));
    wrong.into_iter().for_each(|(path, error)| tree.wrong(&path, error));
    tree.root = root;
    text
}

impl Writer<'_> {
    fn group(&mut self, group: &Group, root: &Group, path: &str) {
        for (name, own) in &group.members {
            let here = format!("{path}{}", crate::headers::path(&[name]));
            let mut member = own;
            // A link may lead to a link.
            for _ in 0..16 {
                let Member::Path(to) = member else { break };
                match group.at(root, to) {
                    Some(found) => member = found,
                    None => break,
                }
            }
            match member {
                Member::Group(_) if !matches!(own, Member::Group(_)) => {
                    self.notes.push((here, "it is a link to a group".to_owned()));
                }
                Member::Group(inner) => {
                    let said = self.said(&inner.attributes, (None, None), "long_name", &here);
                    self.text.open(name, &said);
                    self.group(inner, root, &here);
                    self.text.close();
                }
                Member::Array(dataset) => {
                    if let Err(error) = self.array(name, dataset, &here) {
                        self.wrong.push((here, error));
                    }
                }
                Member::Path(to) => {
                    self.notes.push((here, format!("it is a link to `{to}`, where nothing is")));
                }
            }
        }
    }

    fn array(&mut self, name: &str, dataset: &Dataset, path: &str) -> Result<()> {
        let array = &dataset.array;
        let (of, inner) = self.dtype(dataset);
        let mut said =
            self.said(&dataset.attributes, (array.of.number(), Some("units")), "long_name", path);
        if let Some(remark) = array.of.remark(self.file.offsets) {
            said.line(&remark);
        }
        if let Some(what) = array.of.places(self.file.offsets) {
            let why = format!("has the places of {what}, which mean nothing in another file");
            self.notes.push((path.to_owned(), why));
        }
        values(&array.of, &mut said);
        if let Some(vlen) = array.of.vlen(self.file.offsets) {
            said.spelt(format!("vlen = {vlen:?}"));
        }
        if array.space.is_null {
            said.line(&format!("no elements, of {of}{}", shape(&inner)));
            self.text.item(name, "{}", &said);
            return Ok(());
        }
        let mapped = match &array.storage {
            Storage::Virtual(Some((heap, number))) => {
                let object = self.objects.placed(self.file, *heap, *number)?;
                Some((mappings(self.file, &object)?, object))
            }
            _ => None,
        };
        let space = match &mapped {
            Some((mappings, _)) if is_endless(mappings) => self.arrays.shape(dataset.address)?,
            _ => array.space.shape.clone(),
        };
        let whole = [&space[..], &inner].concat();
        self.dims(dataset, inner.len(), &mut said);
        let place = |why: &str| {
            crate::cursor::malformed(self.file.place(dataset.address).unwrap_or(0), why)
        };
        if bytes(&whole, 1).is_none() || bytes(&space, array.of.size).is_none() {
            return Err(place(&format!(
                "an array of {space:?} elements of {} bytes",
                array.of.size
            )));
        }
        let is_empty = space.contains(&0);
        match &array.storage {
            Storage::Elsewhere(why) => {
                self.elsewhere.push((path.to_owned(), why));
                return Ok(());
            }
            _ if is_empty => {
                // netCDF may show it longer.
                if let Some(fill) = array.fill.as_deref().and_then(|fill| filled(&array.of, fill)) {
                    said.spelt(fill);
                }
                self.text.item(name, format!("{of}{}", shape(&whole)), &said);
            }
            Storage::Virtual(Some(_)) => {
                let (mappings, (place, object)) = mapped.unwrap_or_default();
                words_of(&mappings).iter().for_each(|words| said.remark(words));
                let (filter, stored) = (virtual_words(dataset.address), object.len());
                let item = format!("{of}{}{filter}[{stored}] @{place}", shape(&whole));
                self.text.item(name, item, &said);
            }
            Storage::Contiguous(Some(address)) => {
                let at = self.file.place(*address)?;
                self.text.item(name, format!("{of}{} @{at}", shape(&whole)), &said);
            }
            Storage::Compact { place: at, bytes: stored } => {
                let wanted = bytes(&array.space.shape, array.of.size).unwrap_or(0);
                if *stored < wanted {
                    return Err(place(&format!(
                        "{stored} bytes in the header for an array of {wanted}"
                    )));
                }
                self.text.item(name, format!("{of}{} @{at}", shape(&whole)), &said);
            }
            Storage::Contiguous(None) | Storage::Virtual(None) => {
                self.blocks(name, (&of, &whole, &inner), &[], dataset, said)?
            }
            Storage::Chunked { chunked, .. } => {
                if chunked.element != array.of.size {
                    return Err(place(&format!(
                        "chunks of elements of {} bytes, which have {}",
                        chunked.element, array.of.size
                    )));
                }
                let Some(bytes) = bytes(&chunked.dims, array.of.size) else {
                    return Err(place(&format!("chunks of {:?} elements", chunked.dims)));
                };
                let asked = self.asked(&array.space.shape, &chunked.dims);
                let grid = Grid {
                    shape: &array.space.shape,
                    most: &array.space.most,
                    chunk: &chunked.dims,
                    bytes,
                    filtered: !array.filters.is_empty(),
                    asked: asked.as_deref(),
                };
                let chunks = chunks(self.file, chunked, &grid)?;
                self.blocks(name, (&of, &whole, &inner), &chunks, dataset, said)?;
            }
        }
        Ok(())
    }

    /// The spelling of the type of an array, and the dimensions that it adds. Characters whose dimensions have names are
    /// texts in UTF-8, whose last dimension counts them, as in netCDF-3. Other texts that are declared as ASCII and are
    /// not are mostly UTF-8, too: short ones are looked at.
    fn dtype(&self, dataset: &Dataset) -> (String, Vec<u64>) {
        let array = &dataset.array;
        let stated = dataset.attributes.iter().find(|it| it.name == "_Encoding");
        let stated = stated.and_then(|it| it.text(self.file, &self.objects));
        let is_text = matches!(array.of.class, Class::Text { .. });
        let is_character = is_text && array.of.size == 1 && !array.space.shape.is_empty() && {
            let names = self.dims.names(self.file, &self.objects, dataset, self.names);
            names.last().is_some_and(|name| !name.is_empty())
        };
        let is_utf8 = match stated {
            Some(stated) => !is_cp1252(&stated),
            None => is_character || self.is_utf8(dataset),
        };
        let (of, inner) = array.of.words_of(self.file.offsets, is_utf8);
        (of, if is_character { Vec::new() } else { inner })
    }

    /// Whether the texts of an array that are declared as ASCII are known to be UTF-8 and not ASCII.
    fn is_utf8(&self, dataset: &Dataset) -> bool {
        let array = &dataset.array;
        let bytes = bytes(&array.space.shape, array.of.size);
        let Some(bytes @ 1..=LOOKED_AT) = bytes else { return false };
        let mut places = Vec::new();
        array.of.ascii_texts(0, &mut places);
        let block = match array.storage {
            _ if places.is_empty() => return false,
            Storage::Contiguous(Some(address)) => self.file.block(address, bytes, "texts"),
            Storage::Compact { place, .. } => {
                self.file.block(place.saturating_sub(self.file.base), bytes, "texts")
            }
            _ => return false,
        };
        let Ok(block) = block else { return false };
        let elements = block.bytes().chunks(array.of.size as usize);
        let mut texts = elements.flat_map(|element| {
            places.iter().filter_map(|at| element.get(at.start as usize..at.end as usize))
        });
        let mut is_ascii = true;
        let is_utf8 = texts.all(|text| {
            is_ascii &= text.is_ascii();
            std::str::from_utf8(text).is_ok()
        });
        is_utf8 && !is_ascii
    }

    /// The requested elements of a chunked array, if it has many chunks.
    fn asked(&self, shape: &[u64], chunk: &[u64]) -> Option<Vec<Range<u64>>> {
        let cells = shape.iter().zip(chunk).map(|(dim, chunk)| dim.div_ceil(*chunk));
        if cells.fold(1, u64::saturating_mul) <= FEW {
            return None;
        }
        self.asked?.ranges(shape)
    }

    /// Writes an array in blocks.
    fn blocks(
        &mut self,
        name: &str,
        (of, whole, inner): (&str, &[u64], &[u64]),
        chunks: &[Chunk],
        dataset: &Dataset,
        mut said: Said,
    ) -> Result<()> {
        let array = &dataset.array;
        let (own, partial_plain) = match &array.storage {
            Storage::Chunked { chunked, partial_plain } => (&chunked.dims[..], *partial_plain),
            _ => (&[][..], false),
        };
        let mut missing = vec![1; whole.len()];
        if let Some(first) = missing.first_mut() {
            *first = 0;
        }
        let missing = format!("{of}{}", shape(&missing));
        let mut list = String::from("[");
        if chunks.is_empty() {
            // A type without dimensions becomes the type of an item that occurs 0 times.
            let _ = write!(list, "{}", if whole.is_empty() { of } else { &missing });
        }
        let cells: Vec<u64> =
            array.space.shape.iter().zip(own).map(|(dim, chunk)| dim.div_ceil(*chunk)).collect();
        let count = cells.iter().fold(1_u64, |count, cells| count.saturating_mul(*cells));
        let on_grid = count <= (chunks.len() as u64).saturating_mul(HOLES + 1) + 64;
        let number = |chunk: &Chunk| {
            chunk.start.iter().zip(own).zip(&cells).fold(
                0_u64,
                |number, ((start, chunk), cells)| {
                    number.saturating_mul(*cells).saturating_add(start / chunk)
                },
            )
        };
        let block = format!("{of}{}", shape(&[own, inner].concat()));
        let mut next = 0;
        for chunk in chunks {
            while on_grid && next < number(chunk) {
                let _ = write!(list, "\n    {missing},");
                next += 1;
            }
            next += 1;
            let is_partial = || {
                let ends = chunk.start.iter().zip(own).zip(&array.space.shape);
                ends.into_iter().any(|((start, chunk), dim)| start.saturating_add(*chunk) > *dim)
            };
            let skipped = if partial_plain && is_partial() { u32::MAX } else { chunk.skipped };
            let went = words(&array.filters, skipped, array.of.size);
            let stored =
                if went.is_empty() { String::new() } else { format!("{went}[{}]", chunk.size) };
            let at = self.file.place(chunk.address)?;
            if i64::try_from(chunk.size).is_err() {
                let why = format!("a chunk of {} bytes", chunk.size);
                return Err(crate::cursor::malformed(at, why));
            }
            let _ = write!(list, "\n    {block}{stored} @{at},");
            if !on_grid {
                let start: Vec<u64> =
                    chunk.start.iter().copied().chain(inner.iter().map(|_| 0)).collect();
                let _ = write!(list, "  #: start = {start:?}");
            }
        }
        if !chunks.is_empty() {
            list.push('\n');
        }
        list.push(']');
        if chunks.is_empty() && whole.is_empty() {
            list += "*0";
        }
        said.spelt(format!("whole = {whole:?}"));
        if let Some(fill) = array.fill.as_deref().and_then(|fill| filled(&array.of, fill)) {
            said.spelt(fill);
        }
        self.text.item(name, list, &said);
        Ok(())
    }

    /// States the names of the dimensions of an array, and its shape in netCDF.
    fn dims(&self, dataset: &Dataset, inner: usize, said: &mut Said) {
        let names = self.dims.names(self.file, &self.objects, dataset, self.names);
        if names.len() == dataset.array.space.shape.len()
            && names.iter().any(|name| !name.is_empty())
        {
            let inner = std::iter::repeat_n("", inner);
            said.dims(names.iter().map(String::as_str).chain(inner));
        }
        if let Some(shape) = self.dims.shape(self.file, &self.objects, dataset) {
            said.spelt(format!("netcdf_shape = {shape:?}"));
        }
    }

    /// The comments that attributes make, given the names of the attributes for the unit and the documentation.
    fn said(
        &mut self,
        attributes: &[Attribute],
        (of, unit): (Option<Primitive>, Option<&str>),
        doc: &str,
        path: &str,
    ) -> Said {
        let mut said = Said::default();
        let text = |name: &str| {
            let found = attributes.iter().find(|it| it.name == name)?;
            found.text(self.file, &self.objects).map(|text| (name.to_owned(), text))
        };
        let unit = unit.and_then(text).filter(|(_, unit)| !unit.is_empty());
        let in_doc = unit.as_ref().is_some_and(|(_, unit)| unit_fits(unit));
        let doc = text(doc).filter(|(_, doc)| doc_fits(doc, in_doc));
        let is_scale = is_scale(self.file, &self.objects, attributes);
        let mut types = Types::new(of, Some(Primitive::I8));
        for attribute in attributes {
            let is = |of: &Option<(String, String)>| {
                of.as_ref().is_some_and(|(name, _)| attribute.name == *name)
            };
            // `NAME` stays if it marks a netCDF dimension without a variable, whose values mean nothing.
            let is_of_scale = is_scale
                && (attribute.name == "CLASS"
                    || (attribute.name == "NAME"
                        && !text("NAME").is_some_and(|(_, name)| is_no_variable(&name))));
            if is(&unit) || is(&doc) || is_of_scale || HIDDEN.contains(&&*attribute.name) {
                continue;
            }
            match attribute.value(self.file, &self.objects) {
                Ok(value) => {
                    if let Some(why) = attribute.loss(value.as_ref()) {
                        let why = format!("its attribute `{}` {why}", attribute.name);
                        self.notes.push((path.to_owned(), why));
                    }
                    if let Some(value) = value {
                        if let Some(primitive) = attribute.of.number() {
                            types.add(&attribute.name, primitive);
                        }
                        said.foreign(&attribute.name, value);
                    }
                }
                Err(error) => self.wrong.push((path.to_owned(), error)),
            }
        }
        types.say(&mut said);
        for line in doc.iter().flat_map(|(_, doc)| doc.lines()) {
            said.line(line);
        }
        if let Some((_, unit)) = unit {
            said.unit(&unit);
        }
        said
    }
}

/// States the names of the values of an enumeration.
fn values(of: &Type, said: &mut Said) {
    let Class::Enum { base, names } = &of.class else { return };
    let Class::Number(primitive, order) = base.class else { return };
    if of.words(8).0 == "b1" {
        return;
    }
    let value = |bytes: &[u8]| integer(primitive, order, bytes);
    let values: Option<Vec<i64>> = names.iter().map(|(_, bytes)| value(bytes)).collect();
    let mut sorted = values.clone().unwrap_or_default();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() != names.len() || names.is_empty() {
        return;
    }
    let say = |name: &str, value| Stated { name: name.to_owned(), value, span: Span::at(0) };
    let clean = |name: &String| name.replace('\0', "\u{fffd}");
    said.attribute_of(&say(
        "names",
        AttrValue::Texts(names.iter().map(|(name, _)| clean(name)).collect()),
    ));
    said.attribute_of(&say("values", AttrValue::Ints(values.unwrap_or_default())));
}

/// The value of an integer; `None` for other numbers and too large values.
fn integer(primitive: Primitive, order: ByteOrder, bytes: &[u8]) -> Option<i64> {
    let mut bytes = bytes.to_vec();
    if order == ByteOrder::Big {
        bytes.reverse();
    }
    let raw = bytes.iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    let unused = 64 - 8 * (bytes.len() as u32).clamp(1, 8);
    match primitive {
        Primitive::I1 | Primitive::I2 | Primitive::I4 | Primitive::I8 => {
            Some((raw << unused).cast_signed() >> unused)
        }
        Primitive::U1 | Primitive::U2 | Primitive::U4 | Primitive::U8 => i64::try_from(raw).ok(),
        _ => None,
    }
}

/// The fill value as an attribute; `None` if it is zero.
fn filled(of: &Type, fill: &[u8]) -> Option<String> {
    if fill.iter().all(|byte| *byte == 0) {
        return None;
    }
    let whole = match of.class {
        Class::Number(primitive, order) => integer(primitive, order, fill),
        _ => None,
    };
    let float = |value: f64| {
        Some(value).filter(|value| value.is_finite()).map(|value| format!("fill = {value:?}"))
    };
    let float = match (&of.class, fill) {
        (Class::Number(Primitive::F8, order), &[a, b, c, d, e, f, g, h]) => {
            let bytes = [a, b, c, d, e, f, g, h];
            float(if *order == ByteOrder::Big {
                f64::from_be_bytes(bytes)
            } else {
                f64::from_le_bytes(bytes)
            })
        }
        (Class::Number(Primitive::F4, order), &[a, b, c, d]) => {
            let bytes = [a, b, c, d];
            let value = if *order == ByteOrder::Big {
                f32::from_be_bytes(bytes)
            } else {
                f32::from_le_bytes(bytes)
            };
            float(value.into())
        }
        _ => None,
    };
    let bytes = || format!("fill_bytes = {fill:?}");
    Some(whole.map(|whole| format!("fill = {whole}")).or(float).unwrap_or_else(bytes))
}
