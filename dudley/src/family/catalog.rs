//! A catalog as it is written and looked at: a native stream whose columns are read where they lie.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use dudley_parser::Layout;
use dudley_parser::layout::dtype::{ByteOrder, Primitive};

use super::checks;
use super::columns::{Column, Table, columns};
use super::contents::{FileRows, MemberRow};
use super::form::{KIND, Records};
use super::within::{How, UNIT};
use crate::bytes::source::{FileSource, Source};
use crate::elements::number;
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::stream::{Open, Stream, parse_layout};

/// One number of each file or member, strided through the bytes of the catalog.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    address: usize,
    stride: usize,
    pub(super) size: usize,
    pub(super) primitive: Primitive,
    pub(super) order: ByteOrder,
}

impl Cells {
    /// The rows of an array of the catalog, all of which must be there.
    fn of(data: &Data, bytes: usize, rows: usize) -> Result<Cells> {
        let (primitive, order) = data.dtype().primitive().ok_or_else(|| not("a record"))?;
        let inner = data.shape().get(1..).unwrap_or_default();
        let size = inner.iter().try_fold(primitive.size(), |size, dim| size.checked_mul(*dim));
        let size = crate::error::to_usize(size.ok_or_else(|| Error::too_large(u64::MAX))?)?;
        let stride =
            data.strides().first().copied().and_then(|stride| usize::try_from(stride).ok());
        let stride = stride.ok_or_else(|| not("one"))?;
        let address = crate::error::to_usize(data.address())?;
        let last = rows.saturating_sub(1).checked_mul(stride);
        let end = last.and_then(|last| last.checked_add(address)?.checked_add(size));
        let there = data.shape().first() == Some(&(rows as u64));
        if !there || (rows > 0 && end.is_none_or(|end| end > bytes)) {
            return Err(
                Error::truncated(data.address(), data.bytes(), bytes as u64).of_item(data.path())
            );
        }
        Ok(Cells { address, stride, size, primitive, order })
    }

    /// Only `size` bytes of each cell, from `offset` on, which must be within it.
    pub(super) fn narrow(&mut self, offset: usize, size: usize) {
        debug_assert!(offset + size <= self.size, "a part of a cell");
        self.address += offset;
        self.size = size;
    }

    /// The bytes of a row.
    #[inline]
    pub(super) fn cell<'b>(&self, bytes: &'b [u8], row: usize) -> &'b [u8] {
        // That all rows are there was checked.
        let at = self.address + row * self.stride;
        &bytes[at..at + self.size]
    }

    /// The integer of a row.
    #[inline]
    pub(super) fn integer(&self, bytes: &[u8], row: usize) -> i128 {
        number::integer(self.cell(bytes, row), self.primitive, self.order)
    }

    #[inline]
    pub(super) fn unsigned(&self, bytes: &[u8], row: usize) -> u64 {
        number::bits(self.cell(bytes, row), self.order)
    }
}

fn not(what: &str) -> Error {
    Error::NotCatalog { why: format!("something in it is not {what}").into() }
}

/// Checks that a stream says it is a catalog.
fn is_catalog(stream: &Stream) -> Result<()> {
    let kind = stream.get("/kind").and_then(|kind| kind.read_text());
    if kind.is_ok_and(|kind| kind == KIND) {
        Ok(())
    } else {
        let why = format!("its item `/kind` is not the text `{KIND}`");
        Err(Error::NotCatalog { why: why.into() })
    }
}

/// An open catalog.
pub(super) struct Catalog {
    pub(super) stream: Stream,
    pub(super) template: Arc<Layout>,
    pub(super) identity: u64,
    pub(super) how: How,
    pub(super) columns: Vec<Column>,
    /// For each column.
    pub(super) cells: Vec<Cells>,
    pub(super) files: usize,
    pub(super) members: usize,
    names: Cells,
    name_end: Cells,
    pub(super) file_bytes: Cells,
    pub(super) changed: Cells,
    pub(super) missing: Cells,
    pub(super) start: Cells,
    pub(super) length: Cells,
    pub(super) file: Cells,
    pub(super) native: Cells,
    pub(super) big: Cells,
}

impl Catalog {
    /// Opens a catalog. What can be compared without its members is.
    ///
    /// # Errors
    /// [`Error::NotCatalog`]; [`Error::Checksum`]; if opening the stream fails.
    pub(super) fn open(path: &Path) -> Result<Catalog> {
        let file = FileSource::open(path)?;
        is_catalog(&Open::new().native().source(file.clone())?)?;
        // It is read at once: rows are looked at in any order.
        let bytes = crate::read::stream::read_bytes(&file, 0, file.len())?;
        let stream = Open::new().native().bytes(bytes)?;
        let has_sums = checks::check_sums(&stream)?;
        let catalog = Catalog::of(stream)?;
        if !has_sums {
            // What has them was written with places where members can lie.
            check_places(&catalog)?;
        }
        Ok(catalog)
    }

    /// Whether a file is a catalog, be it a damaged one.
    ///
    /// # Errors
    /// [`Error::NotCatalog`] if not; if opening the stream fails.
    pub(super) fn check_kind(path: &Path) -> Result<()> {
        is_catalog(&Open::new().native().file(path)?)
    }

    fn of(stream: Stream) -> Result<Catalog> {
        let template = parse_layout(stream.get("/template")?.read_text()?.as_bytes())?;
        let template = Arc::new(template);
        let how = How::from_text(&stream.get("/how")?.read_text()?)
            .ok_or_else(|| Error::NotCatalog { why: "what `/how` says is not known".into() })?;
        let identity: u64 = stream.get("/identity")?.scalar()?;
        checks::check_template(&template, identity)?;
        let columns = columns(&template, &how.given(&template)?);
        let total = stream.source().bytes().unwrap_or_default().len();
        let count = |path: &str| -> Result<usize> {
            let count = stream.get(path)?.param_value()?;
            usize::try_from(count).map_err(|_| not("a count"))
        };
        let (files, members) = (count("/:FILES")?, count("/:MEMBERS")?);
        let cells = |path: &str, rows: usize| Cells::of(&stream.get(path)?.data()?, total, rows);
        let in_records = |column: &Column| -> Result<Cells> {
            let records = stream.get(&format!("/{}", column.table.name()))?.data()?;
            Cells::of(&records.field(&column.name)?, total, members)
        };
        for table in [Table::Summary, Table::Params] {
            Records::of(&stream, &columns, table)?;
        }
        Ok(Catalog {
            identity,
            how,
            cells: columns.iter().map(in_records).collect::<Result<_>>()?,
            columns,
            files,
            members,
            names: cells("/file/name", count("/:NAMES")?)?,
            name_end: cells("/file/end", files)?,
            file_bytes: cells("/file/bytes", files)?,
            changed: cells("/file/changed", files)?,
            missing: cells("/file/missing", files)?,
            start: cells("/member/start", members)?,
            length: cells("/member/bytes", members)?,
            file: cells("/member/file", members)?,
            native: cells("/member/native", members)?,
            big: cells("/member/big", members)?,
            template,
            stream,
        })
    }

    /// All bytes of the catalog.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        // It is opened from memory.
        self.stream.source().bytes().unwrap_or_default()
    }

    /// The name of a file, as it is stored.
    pub(super) fn name_bytes(&self, file: usize) -> Result<&[u8]> {
        let bytes = self.bytes();
        let damaged = || Error::NotCatalog { why: format!("file {file} has no name in it").into() };
        let end = |file: usize| crate::error::to_usize(self.name_end.unsigned(bytes, file));
        if file >= self.files {
            return Err(damaged());
        }
        let from = if file == 0 { 0 } else { end(file - 1)? };
        let names = bytes.get(self.names.address..).unwrap_or_default();
        names.get(from..end(file)?).ok_or_else(damaged)
    }

    /// The name of a file as text.
    pub(super) fn name(&self, file: usize) -> Result<Cow<'_, str>> {
        self.name_bytes(file).map(String::from_utf8_lossy)
    }

    /// The index of the file that a member is in.
    #[inline]
    pub(super) fn file_of(&self, member: usize) -> usize {
        self.file.unsigned(self.bytes(), member) as usize
    }

    /// The members of a file: they stand together.
    fn members_of(&self, file: usize) -> std::ops::Range<usize> {
        let search = |file: usize| {
            let (mut low, mut high) = (0, self.members);
            while low < high {
                let middle = low + (high - low) / 2;
                if self.file_of(middle) < file { low = middle + 1 } else { high = middle }
            }
            low
        };
        search(file)..search(file.saturating_add(1))
    }

    /// What it knows of a file and its members, as records of these forms.
    pub(super) fn rows(
        &self,
        file: usize,
        summary: &Records,
        params: &Records,
    ) -> Result<FileRows> {
        let bytes = self.bytes();
        let members = self.members_of(file);
        let row = |member: usize| MemberRow {
            start: self.start.unsigned(bytes, member),
            bytes: self.length.unsigned(bytes, member),
            native: self.native.unsigned(bytes, member) != 0,
            big: self.big.unsigned(bytes, member) != 0,
        };
        let records = |form: &Records| {
            let size = form.size();
            let mut records = vec![0; members.len() * size];
            for (at, member) in members.clone().enumerate() {
                self.put_record(form, member, &mut records[at * size..(at + 1) * size]);
            }
            records
        };
        Ok(FileRows {
            name: self.name_bytes(file)?.to_vec(),
            bytes: self.file_bytes.unsigned(bytes, file),
            changed: self.changed.integer(bytes, file) as i64,
            missing: self.missing.unsigned(bytes, file) != 0,
            summary: records(summary),
            params: records(params),
            members: members.map(row).collect(),
        })
    }

    /// Whether all members have a signature.
    pub(super) fn is_native(&self) -> bool {
        (0..self.members).all(|member| self.native.unsigned(self.bytes(), member) != 0)
    }

    fn put_record(&self, form: &Records, member: usize, record: &mut [u8]) {
        for (cells, offset) in self.cells.iter().zip(&form.offsets) {
            if let Some(offset) = *offset {
                let cell = cells.cell(self.bytes(), member);
                record[offset..offset + cells.size].copy_from_slice(cell);
            }
        }
    }
}

/// Checks that members lie where they can, in files that there are.
///
/// # Errors
/// [`Error::NotCatalog`] with the first that does not.
fn check_places(catalog: &Catalog) -> Result<()> {
    (0..catalog.members).try_for_each(|member| member_lies(catalog, member))
}

fn member_lies(catalog: &Catalog, member: usize) -> Result<()> {
    let bytes = catalog.bytes();
    let (file, start) = (catalog.file_of(member), catalog.start.unsigned(bytes, member));
    let why = if file >= catalog.files {
        format!("member {member} should be in file {file}, but there are {}", catalog.files)
    } else if !start.is_multiple_of(UNIT) {
        format!("member {member} should begin at byte {start}, which is no multiple of {UNIT}")
    } else {
        let length = catalog.length.unsigned(bytes, member);
        let there = catalog.file_bytes.unsigned(bytes, file);
        if start.checked_add(length).is_some_and(|end| end <= there) {
            return Ok(());
        }
        format!(
            "member {member} should have {length} bytes from byte {start} on, but its file has {there}"
        )
    };
    Err(Error::NotCatalog { why: why.into() })
}
