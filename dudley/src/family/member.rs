//! One member of a family: what its catalog knows of it, and the member itself.

use std::fmt;
use std::path::PathBuf;

use dudley_parser::layout::ParamId;
use dudley_parser::layout::dtype::ByteOrder;

use super::without_bytes::Facts;
use super::{Family, MemberId, columns, unchanged};
use crate::bytes::source::{FileSource, Window};
use crate::elements::value::Value;
use crate::error::{Error, Result};
use crate::read::stream::{Stream, StreamKind};

/// A member of a family, as its catalog knows it.
///
/// ```
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let folder = folder.path();
/// # for (name, time) in [("a.bd", 0.5), ("b.bd", 1.5)] {
/// #     let layout = dudley::parse_layout(b"{time : f8  N : i8}\nrho = f8[N]")?;
/// #     let rho = [time; 3];
/// #     let writer = dudley::Writer::new(layout).param("/N", 3).put("/time", time).put("/rho", &rho[..]);
/// #     writer.attach(true).write_file(folder.join(name), false)?;
/// # }
/// # let catalog = folder.join("runs.bd");
/// # let files = [folder.join("a.bd"), folder.join("b.bd")];
/// # dudley::family::Build::new().create(&catalog, &files, false)?;
/// let family = dudley::family::Family::open(&catalog)?;
/// let member = family.member(dudley::family::MemberId(1))?;
/// assert_eq!((member.file_name()?.as_str(), member.start()), ("b.bd", 0));
/// assert_eq!(member.open()?.get("/rho")?.shape()?, [3]);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Member<'f> {
    pub(super) family: &'f Family,
    pub(super) at: usize,
}

impl<'f> Member<'f> {
    /// Its number.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let folder = folder.path();
    /// # for (name, time) in [("a.bd", 0.5), ("b.bd", 1.5)] {
    /// #     let layout = dudley::parse_layout(b"{time : f8  N : i8}\nrho = f8[N]")?;
    /// #     let rho = [time; 3];
    /// #     let writer = dudley::Writer::new(layout).param("/N", 3).put("/time", time).put("/rho", &rho[..]);
    /// #     writer.attach(true).write_file(folder.join(name), false)?;
    /// # }
    /// # let catalog = folder.join("runs.bd");
    /// # let files = [folder.join("a.bd"), folder.join("b.bd")];
    /// # dudley::family::Build::new().create(&catalog, &files, false)?;
    /// let family = dudley::family::Family::open(&catalog)?;
    /// let member = family.member(dudley::family::MemberId(1))?;
    /// assert_eq!(member.id().0, 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn id(&self) -> MemberId {
        MemberId(self.at as u64)
    }

    /// Checks that its file, if it exists, has the size and the time in the catalog. The file is not opened.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let folder = folder.path();
    /// # for (name, time) in [("a.bd", 0.5), ("b.bd", 1.5)] {
    /// #     let layout = dudley::parse_layout(b"{time : f8  N : i8}\nrho = f8[N]")?;
    /// #     let rho = [time; 3];
    /// #     let writer = dudley::Writer::new(layout).param("/N", 3).put("/time", time).put("/rho", &rho[..]);
    /// #     writer.attach(true).write_file(folder.join(name), false)?;
    /// # }
    /// # let catalog = folder.join("runs.bd");
    /// # let files = [folder.join("a.bd"), folder.join("b.bd")];
    /// # dudley::family::Build::new().create(&catalog, &files, false)?;
    /// let family = dudley::family::Family::open(&catalog)?;
    /// let member = family.member(dudley::family::MemberId(1))?;
    /// assert!(member.check_file().is_ok());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Stale`]; [`Error::Io`].
    pub fn check_file(&self) -> Result<()> {
        unchanged::check_there(self.family, self.file_index(), &self.file()?)
    }

    /// The file it is in.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let folder = folder.path();
    /// # for (name, time) in [("a.bd", 0.5), ("b.bd", 1.5)] {
    /// #     let layout = dudley::parse_layout(b"{time : f8  N : i8}\nrho = f8[N]")?;
    /// #     let rho = [time; 3];
    /// #     let writer = dudley::Writer::new(layout).param("/N", 3).put("/time", time).put("/rho", &rho[..]);
    /// #     writer.attach(true).write_file(folder.join(name), false)?;
    /// # }
    /// # let catalog = folder.join("runs.bd");
    /// # let files = [folder.join("a.bd"), folder.join("b.bd")];
    /// # dudley::family::Build::new().create(&catalog, &files, false)?;
    /// let family = dudley::family::Family::open(&catalog)?;
    /// let member = family.member(dudley::family::MemberId(1))?;
    /// assert!(member.file()?.ends_with("b.bd"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotCatalog`] if the catalog is damaged there.
    pub fn file(&self) -> Result<PathBuf> {
        self.family.file_path(self.file_index())
    }

    /// The name of the file as the catalog has it: from the folder of the catalog on, or whole.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let folder = folder.path();
    /// # for (name, time) in [("a.bd", 0.5), ("b.bd", 1.5)] {
    /// #     let layout = dudley::parse_layout(b"{time : f8  N : i8}\nrho = f8[N]")?;
    /// #     let rho = [time; 3];
    /// #     let writer = dudley::Writer::new(layout).param("/N", 3).put("/time", time).put("/rho", &rho[..]);
    /// #     writer.attach(true).write_file(folder.join(name), false)?;
    /// # }
    /// # let catalog = folder.join("runs.bd");
    /// # let files = [folder.join("a.bd"), folder.join("b.bd")];
    /// # dudley::family::Build::new().create(&catalog, &files, false)?;
    /// let family = dudley::family::Family::open(&catalog)?;
    /// let member = family.member(dudley::family::MemberId(1))?;
    /// assert_eq!(member.file_name()?, "b.bd");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::file`].
    pub fn file_name(&self) -> Result<String> {
        self.family.catalog.name(self.file_index()).map(Into::into)
    }

    pub(super) fn file_index(&self) -> usize {
        self.family.catalog.file_of(self.at)
    }

    /// Its start in its file, in bytes: a multiple of 16.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let folder = folder.path();
    /// # for (name, time) in [("a.bd", 0.5), ("b.bd", 1.5)] {
    /// #     let layout = dudley::parse_layout(b"{time : f8  N : i8}\nrho = f8[N]")?;
    /// #     let rho = [time; 3];
    /// #     let writer = dudley::Writer::new(layout).param("/N", 3).put("/time", time).put("/rho", &rho[..]);
    /// #     writer.attach(true).write_file(folder.join(name), false)?;
    /// # }
    /// # let catalog = folder.join("runs.bd");
    /// # let files = [folder.join("a.bd"), folder.join("b.bd")];
    /// # dudley::family::Build::new().create(&catalog, &files, false)?;
    /// let family = dudley::family::Family::open(&catalog)?;
    /// let member = family.member(dudley::family::MemberId(1))?;
    /// assert_eq!(member.start(), 0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn start(&self) -> u64 {
        let catalog = &self.family.catalog;
        catalog.start.unsigned(catalog.bytes(), self.at)
    }

    /// Bytes of its stream, without an appended layout.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let folder = folder.path();
    /// # for (name, time) in [("a.bd", 0.5), ("b.bd", 1.5)] {
    /// #     let layout = dudley::parse_layout(b"{time : f8  N : i8}\nrho = f8[N]")?;
    /// #     let rho = [time; 3];
    /// #     let writer = dudley::Writer::new(layout).param("/N", 3).put("/time", time).put("/rho", &rho[..]);
    /// #     writer.attach(true).write_file(folder.join(name), false)?;
    /// # }
    /// # let catalog = folder.join("runs.bd");
    /// # let files = [folder.join("a.bd"), folder.join("b.bd")];
    /// # dudley::family::Build::new().create(&catalog, &files, false)?;
    /// let family = dudley::family::Family::open(&catalog)?;
    /// let member = family.member(dudley::family::MemberId(1))?;
    /// assert!(member.bytes() > 0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn bytes(&self) -> u64 {
        let catalog = &self.family.catalog;
        catalog.length.unsigned(catalog.bytes(), self.at)
    }

    /// Whether it begins with a signature.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let folder = folder.path();
    /// # for (name, time) in [("a.bd", 0.5), ("b.bd", 1.5)] {
    /// #     let layout = dudley::parse_layout(b"{time : f8  N : i8}\nrho = f8[N]")?;
    /// #     let rho = [time; 3];
    /// #     let writer = dudley::Writer::new(layout).param("/N", 3).put("/time", time).put("/rho", &rho[..]);
    /// #     writer.attach(true).write_file(folder.join(name), false)?;
    /// # }
    /// # let catalog = folder.join("runs.bd");
    /// # let files = [folder.join("a.bd"), folder.join("b.bd")];
    /// # dudley::family::Build::new().create(&catalog, &files, false)?;
    /// let family = dudley::family::Family::open(&catalog)?;
    /// let member = family.member(dudley::family::MemberId(1))?;
    /// assert_eq!(member.kind(), dudley::StreamKind::Native);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn kind(&self) -> StreamKind {
        let catalog = &self.family.catalog;
        match catalog.native.unsigned(catalog.bytes(), self.at) {
            0 => StreamKind::Raw,
            _ => StreamKind::Native,
        }
    }

    /// Its byte order.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let folder = folder.path();
    /// # for (name, time) in [("a.bd", 0.5), ("b.bd", 1.5)] {
    /// #     let layout = dudley::parse_layout(b"{time : f8  N : i8}\nrho = f8[N]")?;
    /// #     let rho = [time; 3];
    /// #     let writer = dudley::Writer::new(layout).param("/N", 3).put("/time", time).put("/rho", &rho[..]);
    /// #     writer.attach(true).write_file(folder.join(name), false)?;
    /// # }
    /// # let catalog = folder.join("runs.bd");
    /// # let files = [folder.join("a.bd"), folder.join("b.bd")];
    /// # dudley::family::Build::new().create(&catalog, &files, false)?;
    /// let family = dudley::family::Family::open(&catalog)?;
    /// let member = family.member(dudley::family::MemberId(1))?;
    /// assert_eq!(member.order(), dudley::ByteOrder::Little);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn order(&self) -> ByteOrder {
        let catalog = &self.family.catalog;
        match catalog.big.unsigned(catalog.bytes(), self.at) {
            0 => ByteOrder::Little,
            _ => ByteOrder::Big,
        }
    }

    /// Whether its file was gone at the last update of the catalog.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let folder = folder.path();
    /// # for (name, time) in [("a.bd", 0.5), ("b.bd", 1.5)] {
    /// #     let layout = dudley::parse_layout(b"{time : f8  N : i8}\nrho = f8[N]")?;
    /// #     let rho = [time; 3];
    /// #     let writer = dudley::Writer::new(layout).param("/N", 3).put("/time", time).put("/rho", &rho[..]);
    /// #     writer.attach(true).write_file(folder.join(name), false)?;
    /// # }
    /// # let catalog = folder.join("runs.bd");
    /// # let files = [folder.join("a.bd"), folder.join("b.bd")];
    /// # dudley::family::Build::new().create(&catalog, &files, false)?;
    /// let family = dudley::family::Family::open(&catalog)?;
    /// let member = family.member(dudley::family::MemberId(1))?;
    /// assert!(!member.is_missing());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn is_missing(&self) -> bool {
        let (catalog, file) = (&self.family.catalog, self.file_index());
        file >= catalog.files || catalog.missing.unsigned(catalog.bytes(), file) != 0
    }

    /// Its value in a column of the catalog.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let folder = folder.path();
    /// # for (name, time) in [("a.bd", 0.5), ("b.bd", 1.5)] {
    /// #     let layout = dudley::parse_layout(b"{time : f8  N : i8}\nrho = f8[N]")?;
    /// #     let rho = [time; 3];
    /// #     let writer = dudley::Writer::new(layout).param("/N", 3).put("/time", time).put("/rho", &rho[..]);
    /// #     writer.attach(true).write_file(folder.join(name), false)?;
    /// # }
    /// # let catalog = folder.join("runs.bd");
    /// # let files = [folder.join("a.bd"), folder.join("b.bd")];
    /// # dudley::family::Build::new().create(&catalog, &files, false)?;
    /// let family = dudley::family::Family::open(&catalog)?;
    /// let member = family.member(dudley::family::MemberId(1))?;
    /// assert_eq!(member.value("time")?, dudley::Value::Float(1.5));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchItem`] if there is no such column.
    pub fn value(&self, column: &str) -> Result<Value> {
        let catalog = &self.family.catalog;
        let found = catalog.columns.iter().find(|known| known.name == column);
        let found = found.ok_or_else(|| {
            let names: Vec<String> =
                catalog.columns.iter().map(|column| column.name.clone()).collect();
            let why = "the catalog does not hold it".to_owned();
            let why = crate::read::path::meant(why, column, &names);
            Error::NoSuchItem { path: column.into(), why: why.into() }
        })?;
        let path = format!("/{}", found.table.name());
        let one = crate::read::slice::Index::At(self.at as i64);
        catalog.stream.get(&path)?.data()?.slice(&[one])?.field(column)?.value()
    }

    /// Opens it as a stream: later reads come from its file.
    ///
    /// # Errors
    /// If opening fails; [`Error::Stale`] if the file is not the one that the catalog knows.
    pub fn open(&self) -> Result<Stream> {
        let file = self.family.file_path(self.file_index())?;
        let check = super::Check::File;
        let (opened, len) = unchanged::open_known(self.family, self.file_index(), &file, check)?;
        let source = FileSource::measured(opened, len, file);
        let whole = Window::new(source, self.start(), self.bytes())?;
        let how = &self.family.catalog.how;
        let mut open = how.opener(&self.family.catalog.template, &self.family.filters);
        if self.kind() == StreamKind::Raw {
            open = open.raw();
        }
        let stream = open.order(self.order()).source(whole)?;
        if stream.kind() != self.kind() {
            let expected = format!("the signature of a native stream at byte {}", self.start());
            return Err(Error::Stale { expected: expected.into(), found: "other bytes".into() });
        }
        Ok(stream)
    }

    /// The params that the catalog holds of it, with those that were given for all.
    pub(super) fn params(&self) -> Result<Vec<(ParamId, i128)>> {
        let catalog = &self.family.catalog;
        let mut params = given(self.family)?;
        for (column, cells) in catalog.columns.iter().zip(&catalog.cells) {
            if let Some(id) = column.param {
                params.push((id, cells.integer(catalog.bytes(), self.at)));
            }
        }
        Ok(params)
    }

    /// A stream of its values in the catalog: params and the summary can be read, and other items
    /// can be placed if their places depend on these alone.
    ///
    /// # Errors
    /// If the summary cannot be placed.
    pub fn summary(&self) -> Result<Stream> {
        let catalog = &self.family.catalog;
        let placed = self.known(Vec::new())?;
        let mut held = Vec::new();
        for (column, cells) in catalog.columns.iter().zip(&catalog.cells) {
            if column.fields.is_empty() {
                let data = columns::data_of(column, &placed)?;
                let mut bytes = cells.cell(catalog.bytes(), self.at).to_vec();
                let order = data.dtype().primitive().map(|(_, order)| order);
                let unit = crate::error::to_usize(column.primitive.swap_unit())?;
                if order != Some(cells.order) && unit > 1 {
                    crate::elements::swap::swap_in_place(&mut bytes, unit)?;
                }
                held.push((data.address(), bytes));
            }
        }
        self.known(held)
    }

    /// A stream whose params are those that the catalog holds, with some of its bytes.
    pub(super) fn known(&self, held: Vec<(u64, Vec<u8>)>) -> Result<Stream> {
        let facts = Facts {
            layout: &self.family.catalog.template,
            kind: self.kind(),
            order: self.order(),
            bytes: self.bytes(),
            params: self.params()?,
            held,
            filters: &self.family.filters,
        };
        Ok(facts.stream().0)
    }
}

impl fmt::Debug for Member<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Member")
            .field("id", &self.id())
            .field("file", &self.file_name().unwrap_or_default())
            .field("start", &self.start())
            .finish()
    }
}

/// Params that were given for all members.
pub(super) fn given(family: &Family) -> Result<Vec<(ParamId, i128)>> {
    let catalog = &family.catalog;
    let params = catalog.how.params.iter();
    params
        .map(|(name, value)| Ok((crate::read::path::param(&catalog.template, name)?, *value)))
        .collect()
}
