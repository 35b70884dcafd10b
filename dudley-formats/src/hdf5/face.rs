//! An HDF5 face of a stream: a superblock in a gap of the file, and headers after the data, with which HDF5 readers
//! read the same bytes in place.
//!
//! HDF5 looks for its superblock at the bytes 0, 512, 1024, 2048, … of a file (format specification 3.0, II.A), and
//! addresses are relative to it. So small items before the superblock are copied into their headers.

mod chunked;
mod tree;

use std::collections::{HashMap, HashSet};
use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use dudley::bytes::is_native;
use dudley::error::file_name;
use dudley::model::{Candidate, Claim, Dataset, Doubt, Format, Formats};
use dudley::verify::Finding;
use dudley::{Error, Open, Result, Severity, Stream};
use serde_json::Value as Json;

use super::datatype::Datatype;
use super::message::{MOST, Messages, SIGNATURE, SUPERBLOCK, heap, superblock};
use super::symbols::Symbols;
use crate::attribute_types;
use crate::words::take_types;
pub(crate) use chunked::Chunked;
use tree::{Array, Group, Member, Number, Tree};

/// A group of more objects stores them in a tree, and a smaller one in its header.
const MANY: usize = 32;

/// Bytes of a superblock.
pub const SUPERBLOCK_BYTES: usize = SUPERBLOCK as usize;

/// The bytes that make a stream an HDF5 file as well.
///
/// ```
/// use dudley_formats::hdf5::face::Face;
///
/// let writer = dudley::Writer::new(dudley::parse_layout(b"x = f8 @560")?).put("/x", 0.5);
/// let stream = dudley::Open::new().bytes(writer.attach(true).to_bytes()?)?;
/// let face = Face::of(&stream, stream.data_end()?)?;
/// assert_eq!((face.superblock_at, face.headers_at, face.left_out.len()), (512, 568, 0));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Face {
    /// The address of the superblock, from the start of the file.
    pub superblock_at: u64,
    /// The superblock.
    pub superblock: Vec<u8>,
    /// The address of the headers.
    pub headers_at: u64,
    /// The headers.
    pub headers: Vec<u8>,
    /// The items that HDF5 does not show, and the reasons.
    pub left_out: Vec<Doubt>,
}

impl Face {
    /// Builds the face of a stream whose data end at an address; the headers follow the data.
    ///
    /// ```
    /// use dudley_formats::hdf5::face::Face;
    ///
    /// let writer = dudley::Writer::new(dudley::parse_layout(b"x = f8 @560")?).put("/x", 0.5);
    /// let stream = dudley::Open::new().bytes(writer.attach(true).to_bytes()?)?;
    /// assert!(Face::of(&stream, stream.data_end()?)?.superblock.starts_with(b"\x89HDF\r\n\x1a\n"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If reading the stream fails, or if there is no place for a superblock.
    pub fn of(stream: &Stream, data_end: u64) -> Result<Face> {
        let mut left_out = Vec::new();
        let tree = Tree::of(stream, &mut left_out)?;
        // Bytes that someone wrote into a gap stay, unless they are our own superblock.
        let superblock_at = tree.place_for(SUPERBLOCK, data_end, &mut |at| {
            let mut there = vec![0; SUPERBLOCK as usize];
            stream.source().read_at(at, &mut there)?;
            Ok(is_superblock(&there, at) || there.iter().all(|byte| *byte == 0))
        })?;
        let headers_at = data_end.max(superblock_at + SUPERBLOCK).next_multiple_of(8);
        if superblock_at >= data_end {
            // All data lie before the superblock.
            let why = "there is no gap for HDF5's superblock in front of the data, so only small items are shown: place the first \
                       large one with `@560`";
            left_out.push(Doubt { path: None, why: why.to_owned() });
        }
        let mut writer =
            Writer { stream, base: superblock_at, at: headers_at, headers: Vec::new(), left_out };
        let root = writer.group(tree.root, "")?;
        let end = headers_at + writer.headers.len() as u64;
        let Writer { headers, left_out, .. } = writer;
        Ok(Face {
            superblock_at,
            superblock: superblock(superblock_at, end, root),
            headers_at,
            headers,
            left_out,
        })
    }

    /// Finds the superblock of the face of a stream; `None` if the stream has no face, or if those bytes belong to an
    /// item.
    ///
    /// ```
    /// use dudley_formats::hdf5::face::Face;
    ///
    /// let writer = dudley::Writer::new(dudley::parse_layout(b"x = f8 @560")?).put("/x", 0.5);
    /// let stream = dudley::Open::new().bytes(writer.attach(true).to_bytes()?)?;
    /// assert_eq!(Face::find(&stream)?, None); // written without a face
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn find(stream: &Stream) -> Result<Option<u64>> {
        let source = stream.source();
        let mut at = 512_u64;
        while at.saturating_add(SUPERBLOCK) <= source.len() {
            let mut found = [0; 24];
            source.read_at(at, &mut found[..])?;
            if is_superblock(&found, at) {
                let tree = Tree::of(stream, &mut Vec::new())?;
                return Ok(tree.is_free(at, SUPERBLOCK).then_some(at));
            }
            at *= 2;
        }
        Ok(None)
    }
}

/// Whether bytes at an address begin our own superblock, which states its address.
fn is_superblock(bytes: &[u8], at: u64) -> bool {
    bytes.starts_with(SIGNATURE) && bytes[12..20] == at.to_le_bytes()
}

struct Writer<'s> {
    stream: &'s Stream,
    base: u64,
    /// The address of the headers in the file.
    at: u64,
    headers: Vec<u8>,
    left_out: Vec<Doubt>,
}

impl Writer<'_> {
    /// The address of the next addition, relative to the superblock.
    fn next(&self) -> u64 {
        self.at - self.base + self.headers.len() as u64
    }

    /// Adds bytes and returns their address.
    fn put(&mut self, bytes: &[u8]) -> u64 {
        let address = self.next();
        self.headers.extend(bytes);
        self.headers.resize(self.headers.len().next_multiple_of(8), 0);
        address
    }

    fn leave_out(&mut self, path: &str, why: &str) {
        self.left_out.push(Doubt { path: Some(path.to_owned()), why: why.to_owned() });
    }

    /// Writes the members of a group and then the group; returns its address.
    fn group(&mut self, group: Group, path: &str) -> Result<u64> {
        let mut links: Vec<(String, u64)> = Vec::new();
        let (scales, rest): (Vec<_>, Vec<_>) = group.members.into_iter().partition(
            |(name, member)| matches!(member, Member::Array(array) if array.is_scale_of(name)),
        );
        let mut dims: Vec<(u64, u64)> = Vec::new();
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for (name, member) in scales {
            let Member::Array(array) = member else { continue };
            let length = array.shape.first().copied().unwrap_or(0);
            if let Some(address) = self.array(&array, Some(&name), None)? {
                numbers.insert(name.clone(), dims.len());
                dims.push((length, address));
                links.push((name, address));
            }
        }
        let taken: HashSet<&str> = rest.iter().map(|(name, _)| &**name).collect();
        // The dimensions without an array of their own, each with its length. What has the name of one and is not along it
        // alone keeps that name.
        for (_, member) in &rest {
            let Member::Array(array) = member else { continue };
            for (dim, length) in array.dims.iter().zip(&array.shape) {
                if numbers.contains_key(dim) {
                    continue;
                }
                let mut name = dim.clone();
                if taken.contains(&*name) {
                    name = format!("{dim}_{length}");
                    if taken.contains(&*name) {
                        continue;
                    }
                }
                let address = self.dimension(*length);
                numbers.insert(dim.clone(), dims.len());
                dims.push((*length, address));
                links.push((name, address));
            }
        }
        let objects: Vec<Vec<u8>> =
            dims.iter().map(|(_, address)| address.to_le_bytes().to_vec()).collect();
        let heap = if objects.is_empty() { None } else { heap(&objects) };
        let heap = heap.map(|heap| self.put(&heap));
        for (name, member) in rest {
            let path = format!("{path}/{name}");
            let address = match member {
                Member::Group(group) => Some(self.group(group, &path)?),
                Member::Array(array) => {
                    let known = |(dim, length): (&String, &u64)| {
                        numbers.get(dim).copied().filter(|at| dims[*at].0 == *length)
                    };
                    let along: Option<Vec<usize>> =
                        array.dims.iter().zip(&array.shape).map(known).collect();
                    let along = heap.zip(along).filter(|(_, along)| !along.is_empty());
                    self.array(&array, None, along)?
                }
            };
            links.extend(address.map(|address| (name, address)));
        }
        let mut messages = Messages::default();
        if links.len() > MANY {
            let Symbols { bytes, tree, heap } = Symbols::of(links, self.next());
            self.put(&bytes);
            messages.symbols(tree, heap);
        } else {
            messages.group();
            links.iter().for_each(|(name, address)| messages.link(name, *address));
        }
        self.attributes(&mut messages, &group.attributes, path, None);
        Ok(self.put(&messages.header()))
    }

    /// Writes a dimension without an array of its own, as netCDF-4 stores it.
    fn dimension(&mut self, length: u64) -> u64 {
        let mut messages = Messages::default();
        messages.dataspace(&[length]);
        if let Some(float) = Datatype::float(4, dudley::ByteOrder::Big) {
            messages.datatype(&float);
        }
        messages.no_fill();
        messages.contiguous(None, length.saturating_mul(4));
        let name = format!("This is a netCDF dimension but not a netCDF variable. {length:>9}");
        scale(&mut messages, &name);
        self.put(&messages.header())
    }

    /// Writes an array; returns its address if HDF5 can show it.
    fn array(
        &mut self,
        array: &Array,
        scale_of: Option<&str>,
        along: Option<(u64, Vec<usize>)>,
    ) -> Result<Option<u64>> {
        let mut messages = Messages::default();
        // A chunk may be longer than a dimension only if the dimension can grow.
        let dims =
            || array.chunked.iter().flat_map(|chunked| chunked.cell.iter().zip(&array.shape));
        if dims().any(|(cell, dim)| u64::from(*cell) > *dim) {
            messages.endless(&array.shape);
        } else {
            messages.dataspace(&array.shape);
        }
        if !messages.datatype(&array.datatype) {
            self.leave_out(&array.path, "its type is too long for HDF5");
            return Ok(None);
        }
        match &array.chunked {
            Some(chunked) if !chunked.fill.is_empty() => {
                if !messages.fill(&chunked.fill) {
                    self.leave_out(&array.path, "its fill value is too long for HDF5");
                    return Ok(None);
                }
            }
            _ => messages.no_fill(),
        }
        match (array.address.checked_sub(self.base), &array.chunked) {
            (_, Some(chunked)) => {
                let element = u32::try_from(array.datatype.size);
                let (true, Ok(element)) = (chunked.lies_behind(self.base), element) else {
                    let why =
                        "its blocks lie in front of HDF5's superblock, or have too long elements";
                    self.leave_out(&array.path, why);
                    return Ok(None);
                };
                let (tree, root) = chunked.tree(self.next(), self.base);
                self.put(&tree);
                messages.filters(&chunked.filters);
                messages.chunked(root, &chunked.cell, element);
            }
            _ if array.bytes == 0 => messages.contiguous(None, 0),
            (Some(address), None) => messages.contiguous(Some(address), array.bytes),
            (None, None) if array.bytes as usize > MOST - 4 => {
                self.leave_out(
                    &array.path,
                    "it lies in front of HDF5's superblock, and is too large for a copy",
                );
                return Ok(None);
            }
            (None, None) => {
                let mut bytes = vec![0; array.bytes as usize];
                self.stream.source().read_at(array.address, &mut bytes[..array.own as usize])?;
                messages.compact(&bytes);
            }
        }
        if let Some(name) = scale_of {
            scale(&mut messages, name);
        }
        if let Some((heap, along)) = along {
            let mut elements = Vec::new();
            for at in &along {
                elements.extend(1_u32.to_le_bytes());
                elements.extend(heap.to_le_bytes());
                elements.extend((*at as u32 + 1).to_le_bytes());
            }
            messages.attribute(
                "DIMENSION_LIST",
                &Datatype::references(),
                &[along.len() as u64],
                &elements,
            );
        }
        self.attributes(&mut messages, &array.attributes, &array.path, Some(array));
        Ok(Some(self.put(&messages.header())))
    }

    fn attributes(
        &mut self,
        messages: &mut Messages,
        attributes: &serde_json::Map<String, Json>,
        path: &str,
        array: Option<&Array>,
    ) {
        let mut attributes = attributes.clone();
        let types = take_types(&mut attributes);
        for (name, value) in &attributes {
            // The fill value has the type of the elements, whatever type is declared.
            let own = array.and_then(|array| array.number.as_ref());
            let own = own.filter(|_| attribute_types::is_of_values(name));
            let fill = own.filter(|_| name == "_FillValue");
            let said = attribute_types::of(types.iter().map(String::as_str), name);
            let said = said.filter(|_| fill.is_none()).and_then(Number::plain);
            let typed = |number: &Number| {
                let (shape, bytes) = number.spell(value)?;
                // netCDF stores it as a list.
                let shape = if fill.is_some() { vec![1] } else { shape };
                Some((number.datatype.clone(), shape, bytes))
            };
            let spelt = said.as_ref().and_then(typed).or_else(|| own.and_then(typed));
            let spelt = spelt.or_else(|| tree::spelt(value).filter(|_| fill.is_none()));
            let written = spelt.is_some_and(|(datatype, shape, bytes)| {
                messages.attribute(name, &datatype, &shape, &bytes)
            });
            if !written {
                self.leave_out(path, &format!("its attribute `{name}` has no place in HDF5"));
            }
        }
    }
}

/// Marks an array as a dimension scale of this name.
fn scale(messages: &mut Messages, name: &str) {
    let text = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        (Datatype::terminated(bytes.len() as u32), bytes)
    };
    for (attribute, value) in [("CLASS", "DIMENSION_SCALE"), ("NAME", name)] {
        let (datatype, bytes) = text(value);
        messages.attribute(attribute, &datatype, &[], &bytes);
    }
}

/// Verifies and repairs the faces of streams.
pub(crate) struct Faces;

/// The code of findings about a face.
const STALE: &str = "hdf5-face";

impl Format for Faces {
    fn describe(&self) -> &'static str {
        "a native stream with an HDF5 face"
    }

    fn recognise(&self, _: &Candidate) -> Result<Option<Claim>> {
        // It is a native stream, which the native format recognises.
        Ok(None)
    }

    fn open(&self, candidate: &Candidate, open: &Open) -> Result<Dataset> {
        Formats::builtin().open(candidate, open)
    }

    fn verify(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
        _: &mut dyn FnMut(u64),
    ) -> Result<()> {
        self.verify_within(candidate, open, found)
    }

    fn verify_within(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
    ) -> Result<()> {
        if candidate.folder().is_some() || !is_native(candidate.head()?) {
            return Ok(());
        }
        // Faults of the stream itself are found elsewhere.
        let Ok(stream) = open.clone().base(0).source(candidate.bytes()?) else { return Ok(()) };
        match Face::find(&stream).and_then(|at| at.map_or(Ok(None), |at| wrong(&stream, at))) {
            Ok(Some((address, what))) => {
                found(Finding::new(Severity::Error, STALE, what).at(address, 1))
            }
            Err(error) if error.is_unread() => return Err(error),
            Ok(None) | Err(_) => {}
        }
        Ok(())
    }

    fn mend_within(&self, path: &Path, found: &[Finding]) -> Result<Option<String>> {
        if !found.iter().any(|finding| finding.code == STALE) {
            return Ok(None);
        }
        let stream = Open::new().file(path)?;
        let face = Face::of(&stream, stream.data_end()?)?;
        let end = face.headers_at + face.headers.len() as u64;
        let Some(layout) = stream.signature().and_then(|it| it.layout_address) else {
            return Ok(None);
        };
        if end > layout || Face::find(&stream)? != Some(face.superblock_at) {
            // The face has no place.
            return Ok(None);
        }
        drop(stream);
        write_in_place(
            path,
            &[(face.headers_at, &face.headers), (face.superblock_at, &face.superblock)],
        )?;
        Ok(Some("the HDF5 face is made anew".to_owned()))
    }
}

/// Removes the face of a file, in place; returns whether the file had one.
///
/// ```
/// use std::sync::Arc;
///
/// use dudley_formats::hdf5::{face::remove, written::WithFace};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.h5");
/// let writer = dudley::Writer::new(dudley::parse_layout(b"x = f8 @560")?).put("/x", 0.5);
/// writer.attach(true).extra(Arc::new(WithFace::default())).write_file(&path, false)?;
/// assert!(remove(&path, &dudley::Open::new())?);
/// assert!(!remove(&path, &dudley::Open::new())?); // there is none any more
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// If it cannot be read or written.
pub fn remove(path: &Path, open: &Open) -> Result<bool> {
    let stream = open.clone().file(path)?;
    let Some(at) = Face::find(&stream)? else { return Ok(false) };
    // The superblock states the end of the headers, which lie between the data and the layout.
    let mut end = [0; 8];
    stream.source().read_at(at + 28, &mut end)?;
    let layout = stream.signature().and_then(|it| it.layout_address).unwrap_or(0);
    let end = u64::from_le_bytes(end).min(layout);
    let headers_at = stream.data_end()?.max(at + SUPERBLOCK);
    drop(stream);
    let zeros = vec![0; usize::try_from(end.saturating_sub(headers_at)).unwrap_or(0)];
    write_in_place(path, &[(at, &[0; SUPERBLOCK_BYTES]), (headers_at, &zeros)])?;
    Ok(true)
}

fn write_in_place(path: &Path, parts: &[(u64, &[u8])]) -> Result<()> {
    let failed = |error| Error::io(format!("cannot write {}", file_name(&path)), error);
    let mut file = OpenOptions::new().write(true).open(path).map_err(failed)?;
    for (address, bytes) in parts {
        file.seek(SeekFrom::Start(*address)).map_err(failed)?;
        file.write_all(bytes).map_err(failed)?;
    }
    file.sync_data().map_err(failed)
}

/// The first fault of the face of a stream, with its address.
fn wrong(stream: &Stream, superblock_at: u64) -> Result<Option<(u64, &'static str)>> {
    let face = Face::of(stream, stream.data_end()?)?;
    let source = stream.source();
    let has = |address: u64, bytes: &[u8]| -> Result<Option<u64>> {
        let mut there = vec![0; bytes.len()];
        if address.saturating_add(there.len() as u64) > source.len() {
            return Ok(Some(address));
        }
        source.read_at(address, &mut there)?;
        let differs = there.iter().zip(bytes).position(|(a, b)| a != b);
        Ok(differs.map(|at| address + at as u64))
    };
    if face.superblock_at != superblock_at {
        return Ok(Some((
            superblock_at,
            "HDF5's superblock does not stand where this layout has a gap for it",
        )));
    }
    if let Some(at) = has(face.headers_at, &face.headers)? {
        return Ok(Some((at, "HDF5's headers are not those of this layout and its data")));
    }
    let wrong = has(superblock_at, &face.superblock)?;
    Ok(wrong.map(|at| (at, "HDF5's superblock is not that of this layout")))
}
