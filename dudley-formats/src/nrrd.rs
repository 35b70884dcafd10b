//! NRRD: a text header, and an array after it or in a separate file.

use std::collections::HashSet;
use std::sync::Arc;

use dudley::bytes::Source;
use dudley::model::{Candidate, Claim, DataFile, Describe, Described};
use dudley::verify::Finding;
use dudley::{ByteOrder, Result};
use dudley_parser::comments::AttrValue;
use dudley_parser::layout::text::Text;
use dudley_parser::layout::words::{Said, foreign_name};

use crate::cursor::{Cursor, malformed};
use crate::fields::{Field, Fields, split};
use crate::{beside, headers};

/// Fields that describe the storage of the array, without blanks in their names; all others become attributes.
const STORAGE: &str =
    " type blocksize dimension sizes endian encoding datafile lineskip byteskip content number ";

/// Fields with a word for each dimension, fastest first, which are reversed with the dimensions.
const OF_DIMS: &str = " spacings thicknesses axismins axismaxs centers centerings kinds labels units spacedirections ";

/// The format.
pub(crate) struct Nrrd;

impl Describe for Nrrd {
    fn describe(&self) -> &'static str {
        "an NRRD file"
    }

    fn name(&self) -> &'static str {
        "nrrd"
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        Ok(candidate.head()?.starts_with(b"NRRD000").then_some(Claim::Signature))
    }

    fn read(&self, candidate: &Candidate, _: &mut dyn FnMut(Finding)) -> Result<Described> {
        let header = Header::read(Cursor::new(&candidate.bytes()?, ByteOrder::Little, 0))?;
        let fields = &header.fields;
        let (dtype, size) = dtype(fields.need("type")?)
            .ok_or_else(|| fields.wrong("type", "is no type of elements"))?;
        let encoding = fields.need("encoding")?;
        if !matches!(encoding, "raw" | "gzip" | "gz" | "bzip2" | "bz2") {
            return Err(fields.wrong("encoding", "is not read: raw, gzip and bzip2 are"));
        }
        let order = match fields.get("endian") {
            Some("big") => ByteOrder::Big,
            Some("little") => ByteOrder::Little,
            None if size == 1 => ByteOrder::Little,
            _ => return Err(fields.wrong("endian", "is neither `big` nor `little`")),
        };
        let mut shape = fields.numbers("sizes")?;
        if fields.number("dimension", None)? != shape.len() as u64 || shape.is_empty() {
            return Err(fields.wrong("sizes", "are not as many as the dimensions"));
        }
        shape.reverse();
        let said = header.said(shape.len(), dtype == BLOCK);
        if dtype == BLOCK {
            shape.push(fields.number("blocksize", None)?);
        }
        let bytes = headers::bytes(&shape, size)
            .ok_or_else(|| fields.wrong("sizes", "are more than any file has"))?;
        let file = header.data_file(candidate)?;
        let (source, start) = header.source(candidate, file.as_ref())?;
        let left = source.len().saturating_sub(start);
        let skip = match fields.get("byteskip").unwrap_or("0").parse() {
            Ok(-1) => left.checked_sub(bytes),
            skip => skip.ok().and_then(|skip: i64| u64::try_from(skip).ok()),
        };
        let skip = skip.filter(|skip| *skip <= left).ok_or_else(|| {
            fields.wrong("byteskip", "leaves no bytes of the file, or fewer than the array has")
        })?;
        let stored = match encoding {
            "raw" => String::new(),
            _ if skip > 0 => {
                return Err(fields.wrong("byteskip", "is not read where the bytes are packed"));
            }
            "gzip" | "gz" => format!(" -> gzip [{left}]"),
            _ => format!(" -> bzip2 [{left}]"),
        };
        let mut about = Said::default();
        about.doc(fields.get("content").unwrap_or_default());
        let mut layout = Text::new(order, &about);
        let dtype = if dtype == BLOCK { "u1" } else { dtype };
        let item = format!("{dtype}{}{stored} @{}", headers::shape(&shape), start + skip);
        layout.item("data", item, &said);
        Ok(Described { layout, source: file, ..Described::default() })
    }
}

/// The fields of a header, and the address of its end.
struct Header {
    fields: Fields,
    end: u64,
}

impl Header {
    fn read(mut cursor: Cursor) -> Result<Header> {
        let mut fields = Fields::default();
        cursor.line()?;
        loop {
            let at = cursor.at();
            let line = headers::text(&cursor.line()?);
            if line.is_empty() {
                return Ok(Header { fields, end: cursor.at() });
            }
            // Editors strip the blank after a field without a value.
            let end = line.ends_with(':').then(|| line.len() - 1);
            let marks = [(":=", line.find(":=")), (": ", line.find(": ")), (": ", end)];
            match marks.into_iter().filter_map(|(mark, found)| Some((found?, mark))).min() {
                _ if line.starts_with('#') => {}
                Some((found, mark)) => {
                    let value = line.get(found + 2..).unwrap_or_default().trim();
                    let said = line[..found].to_owned();
                    // Writers differ in blanks and capitals.
                    let name = said.replace(' ', "").to_ascii_lowercase();
                    let name = (mark == ": ").then_some(name);
                    fields.add(Field { name, said, value: value.to_owned(), at })?;
                }
                None => {
                    let what = format!("the line `{line}` of the header has no colon");
                    return Err(malformed(at, what));
                }
            }
        }
    }

    /// The separate file of the elements, if the header names one.
    fn data_file(&self, candidate: &Candidate) -> Result<Option<DataFile>> {
        let Some(file) = self.fields.get("datafile") else { return Ok(None) };
        if file.split_whitespace().next() == Some("LIST") || file.contains('%') {
            return Err(self.fields.wrong("datafile", "names several files, which are not read"));
        }
        beside::open(candidate, &[file.to_owned()]).map(Some)
    }

    /// The source of the elements, and the address after the lines to skip.
    fn source(
        &self,
        candidate: &Candidate,
        file: Option<&DataFile>,
    ) -> Result<(Arc<dyn Source>, u64)> {
        let (source, start) = match file {
            Some(file) => (file.source.clone(), 0),
            None => (candidate.bytes()?, self.end),
        };
        let mut cursor = Cursor::new(&source, ByteOrder::Little, start);
        for _ in 0..self.fields.number("lineskip", Some(0))? {
            if cursor.left() == 0 {
                return Err(self.fields.wrong("lineskip", "is more than the file has"));
            }
            cursor.line()?;
        }
        Ok((source, cursor.at()))
    }

    /// The comments on the elements: words for each dimension are reversed with the dimensions.
    fn said(&self, rank: usize, is_block: bool) -> Said {
        let mut said = Said::default();
        let mut names: Vec<String> = (0..rank).rev().map(|at| format!("axis{at}")).collect();
        // A key may have the name of a field.
        let mut taken = HashSet::new();
        let mut say = |said: &mut Said, name: &str, value: AttrValue| {
            let mut name = foreign_name(name).into_owned();
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            headers::attribute(said, &name, value);
        };
        for field in &self.fields.all {
            let name = field.name.as_deref().unwrap_or_default();
            let is_in = |list: &str| list.contains(&format!(" {name} "));
            let mut words = split(&field.value);
            words.reverse();
            match () {
                () if name == "labels" && is_dim_names(&words, rank) => names = words,
                // The value of a custom key is a text, whatever it looks like.
                () if field.name.is_none() => {
                    say(&mut said, &field.said, AttrValue::Text(field.value.clone()));
                }
                () if is_in(OF_DIMS) && words.len() == rank => {
                    say(&mut said, &field.said, headers::words_value(&words));
                }
                () if is_in(STORAGE) => {}
                () => {
                    let value = headers::words_value(std::slice::from_ref(&field.value));
                    say(&mut said, &field.said, value);
                }
            }
        }
        headers::dims(&mut said, names.into_iter().chain(is_block.then(|| "block".to_owned())));
        said
    }
}

/// The type of elements whose size is in the field `block size`.
const BLOCK: &str = "block";

/// Whether words name all dimensions, without duplicates.
fn is_dim_names(words: &[String], rank: usize) -> bool {
    let names: HashSet<&String> = words.iter().filter(|word| !word.is_empty()).collect();
    words.len() == rank && names.len() == rank
}

/// The dtype of elements in layouts, and bytes of an element.
fn dtype(name: &str) -> Option<(&'static str, u64)> {
    let name = name.strip_prefix("signed ").unwrap_or(name);
    Some(match name.strip_suffix(" int").unwrap_or(name) {
        "char" | "int8" | "int8_t" => ("i1", 1),
        "uchar" | "unsigned char" | "uint8" | "uint8_t" => ("u1", 1),
        "short" | "int16" | "int16_t" => ("i2", 2),
        "ushort" | "unsigned short" | "uint16" | "uint16_t" => ("u2", 2),
        "int" | "int32" | "int32_t" => ("i4", 4),
        "uint" | "unsigned" | "uint32" | "uint32_t" => ("u4", 4),
        "longlong" | "long long" | "int64" | "int64_t" => ("i8", 8),
        "ulonglong" | "unsigned long long" | "uint64" | "uint64_t" => ("u8", 8),
        "float" => ("f4", 4),
        "double" => ("f8", 8),
        BLOCK => (BLOCK, 1),
        _ => return None,
    })
}
