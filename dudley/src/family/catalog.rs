//! A catalog as it is written and looked at: a native stream whose columns are read where they lie.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dudley_parser::Layout;
use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use dudley_parser::layout::identity::identity;

use super::columns::{Column, Table, columns};
use super::form::{self, KIND, Records};
use super::within::How;
use crate::data::Data;
use crate::error::{Error, Result};
use crate::number;
use crate::output::AtomicFile;
use crate::stream::{Open, Stream, parse_layout};
use crate::writer::{Supplied, Supply, WriteOptions, write};

/// A file, as a catalog knows it, with its members.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FileRows {
    /// Its name from the folder of the catalog on, as bytes of the operating system.
    pub(super) name: Vec<u8>,
    pub(super) bytes: u64,
    pub(super) changed: i64,
    pub(super) missing: bool,
    pub(super) members: Vec<MemberRow>,
    /// The records of its members, side by side.
    pub(super) summary: Vec<u8>,
    pub(super) params: Vec<u8>,
}

/// A member, as a catalog knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MemberRow {
    pub(super) start: u64,
    pub(super) bytes: u64,
    pub(super) native: bool,
    pub(super) big: bool,
}

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
    /// Opens a catalog.
    ///
    /// # Errors
    /// [`Error::NotCatalog`]; what opening the stream says.
    pub(super) fn open(path: &Path) -> Result<Catalog> {
        let mut stream = Open::new().native().file(path)?;
        if stream.source().bytes().is_none() {
            // Where nothing is mapped it is read at once: rows are looked at in any order.
            let read = std::fs::read(path);
            let context = || format!("cannot read `{}`", path.display());
            stream = Open::new().bytes(read.map_err(|error| Error::io(context(), error))?)?;
        }
        Catalog::of(stream)
    }

    fn of(stream: Stream) -> Result<Catalog> {
        let is_catalog = stream.get("/kind").and_then(|kind| kind.read_text());
        if !is_catalog.is_ok_and(|kind| kind == KIND) {
            let why = format!("its item `/kind` is not the text `{KIND}`");
            return Err(Error::NotCatalog { why: why.into() });
        }
        let template = parse_layout(stream.get("/template")?.read_text()?.as_bytes())?;
        let template = Arc::new(template);
        let how = How::from_text(&stream.get("/how")?.read_text()?)
            .ok_or_else(|| Error::NotCatalog { why: "what `/how` says is not known".into() })?;
        let identity: u64 = stream.get("/identity")?.scalar()?;
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
                match self.file_of(middle) < file {
                    true => low = middle + 1,
                    false => high = middle,
                }
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

    fn put_record(&self, form: &Records, member: usize, record: &mut [u8]) {
        for (cells, offset) in self.cells.iter().zip(&form.offsets) {
            if let Some(offset) = *offset {
                let cell = cells.cell(self.bytes(), member);
                record[offset..offset + cells.size].copy_from_slice(cell);
            }
        }
    }
}

/// What a catalog is written from.
pub(super) struct Contents<'c> {
    pub(super) template: &'c Layout,
    pub(super) how: &'c How,
    pub(super) columns: &'c [Column],
    pub(super) files: &'c [FileRows],
}

impl Contents<'_> {
    /// Writes the catalog: it appears when it is complete.
    ///
    /// # Errors
    /// [`Error::Exists`] for a file that may not be overwritten; [`Error::Io`].
    pub(super) fn write(&self, path: &Path, overwrite: bool) -> Result<()> {
        let layout = form::layout(self.template, self.columns)?;
        let given = self.given();
        let mut file = AtomicFile::create(path, overwrite)?;
        let options = WriteOptions { attach: true, ..WriteOptions::default() };
        write(&layout, &options, &given, &mut file)?;
        file.commit()
    }

    fn given(&self) -> Given {
        let files = self.files;
        let members = || files.iter().flat_map(|file| &file.members);
        let count = members().count() as u64;
        let text = self.template.body();
        let how = self.how.to_text();
        let names: Vec<u8> = files.iter().flat_map(|file| &file.name).copied().collect();
        let mut given = Given::default();
        for (path, value) in [
            ("/TEMPLATE", text.len()),
            ("/HOW", how.len()),
            ("/FILES", files.len()),
            ("/NAMES", names.len()),
            ("/MEMBERS", count as usize),
        ] {
            given.params.insert(path, value as i128);
        }
        let mut end = 0_u64;
        let ends = files.iter().map(|file| {
            end += file.name.len() as u64;
            end
        });
        given.put("/identity", identity(self.template).to_le_bytes().to_vec(), None);
        given.put("/template", text.as_bytes().to_vec(), Some(text.len() as u64));
        given.put("/how", how.clone().into_bytes(), Some(how.len() as u64));
        given.put("/file/end", numbers(ends), Some(files.len() as u64));
        given.put("/file/name", names.clone(), Some(names.len() as u64));
        let per_file = Some(files.len() as u64);
        given.put("/file/bytes", numbers(files.iter().map(|file| file.bytes)), per_file);
        given.put("/file/changed", numbers(files.iter().map(|file| file.changed as u64)), per_file);
        given.put(
            "/file/missing",
            files.iter().map(|file| file.missing.into()).collect(),
            per_file,
        );
        given.put("/member/start", numbers(members().map(|row| row.start)), Some(count));
        given.put("/member/bytes", numbers(members().map(|row| row.bytes)), Some(count));
        let file = files.iter().enumerate().flat_map(|(at, file)| {
            file.members.iter().flat_map(move |_| (at as u32).to_le_bytes())
        });
        given.put("/member/file", file.collect(), Some(count));
        given.put("/member/native", members().map(|row| row.native.into()).collect(), Some(count));
        given.put("/member/big", members().map(|row| row.big.into()).collect(), Some(count));
        let records = |of: fn(&FileRows) -> &Vec<u8>| files.iter().flat_map(of).copied().collect();
        given.put("/summary", records(|file| &file.summary), Some(count));
        given.put("/params", records(|file| &file.params), Some(count));
        given
    }
}

fn numbers(numbers: impl Iterator<Item = u64>) -> Vec<u8> {
    numbers.flat_map(u64::to_le_bytes).collect()
}

/// The items of a catalog, as they are stored.
#[derive(Default)]
struct Given {
    params: HashMap<&'static str, i128>,
    items: HashMap<&'static str, (Vec<u8>, Vec<u64>)>,
}

impl Given {
    fn put(&mut self, path: &'static str, bytes: Vec<u8>, rows: Option<u64>) {
        self.items.insert(path, (bytes, rows.into_iter().collect()));
    }
}

impl Supply for Given {
    fn param(&self, path: &str) -> Option<i128> {
        self.params.get(path).copied()
    }

    fn item(&self, path: &str) -> Option<Supplied<'_>> {
        let (bytes, shape) = self.items.get(path)?;
        Some(Supplied::Encoded { bytes, shape })
    }
}

/// A name as bytes that a catalog keeps.
///
/// # Errors
/// [`Error::Io`] for a name that is no Unicode, on systems where names are.
pub(super) fn name_to_bytes(name: &Path) -> Result<Vec<u8>> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Ok(name.as_os_str().as_bytes().to_vec())
    }
    #[cfg(not(unix))]
    match name.to_str() {
        Some(name) => Ok(name.replace('\\', "/").into_bytes()),
        None => {
            let why = std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is no Unicode");
            Err(Error::io(format!("cannot keep the name `{}`", name.display()), why))
        }
    }
}

/// The reverse of [`name_to_bytes`].
pub(super) fn name_from_bytes(name: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        PathBuf::from(std::ffi::OsStr::from_bytes(name))
    }
    #[cfg(not(unix))]
    PathBuf::from(String::from_utf8_lossy(name).as_ref())
}
