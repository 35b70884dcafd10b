//! The content of a catalog: files with their members, as items of its layout.

use std::collections::HashMap;
use std::path::Path;

use dudley_parser::Layout;
use dudley_parser::layout::identity::identity;

use super::columns::Column;
use super::form;
use super::within::How;
use crate::bytes::output::AtomicFile;
use crate::error::Result;
use crate::index;
use crate::write::{Supplied, Supply, WriteOptions, write};

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
        let index = index::Options { checksums: true }.into();
        let options = WriteOptions { attach: true, index, ..WriteOptions::default() };
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
