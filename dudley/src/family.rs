//! Many streams of one layout, found through a catalog (spec 9).
//!
//! A [`Family`] is an open catalog. It holds the summary of each member, so that a condition picks
//! members, and any element of any of them is placed, without opening them. [`Build`] makes catalogs
//! and brings them up to date. What is wrong with a member is the matter of that member: the others
//! are served.
//!
//! Deliberately absent: a cache of values or of open files. A batch of members is a slice of
//! [`MemberId`]s, which a scheduler may cut as it likes.

mod build;
mod catalog;
mod checks;
mod collect;
mod columns;
mod condition;
mod contents;
mod fill;
mod form;
mod load;
mod member;
mod names;
mod place;
mod read;
mod same;
mod stack;
mod typed;
mod unchanged;
mod within;
mod without_bytes;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dudley_parser::Layout;

pub use build::{Build, Report};
pub use columns::{Column, Table};
pub use condition::is_like;
pub use member::Member;
pub use place::{Located, Locator, Spot};
pub use read::{Missing, Read};
pub use stack::{Stack, Unserved};
pub use typed::{Typed, TypedMember};
pub use unchanged::Check;
pub use within::Within;

use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::read::stream::Stream;
use catalog::Catalog;
use names::name_from_bytes;

/// A member of a family: its number in the catalog, from 0.
///
/// ```
/// use dudley::family::MemberId;
///
/// assert_eq!((MemberId(3).to_string(), MemberId(3) < MemberId(4)), ("3".to_owned(), true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberId(pub u64);

impl fmt::Display for MemberId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An open catalog: many streams of one layout. Cheap to clone.
///
/// An open family keeps the catalog as it was, even if that is replaced meanwhile.
///
/// ```
/// use dudley::family::{Build, Family};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let folder = folder.path();
/// # for (name, time) in [("a.bd", 0.5), ("b.bd", 1.5)] {
/// #     let layout = dudley::parse_layout(b"{time : f8  N : i8}\nrho = f8[N]")?;
/// #     let rho = [time; 3];
/// #     let writer = dudley::Writer::new(layout).param("/N", 3).put("/time", time).put("/rho", &rho[..]);
/// #     writer.attach(true).write_file(folder.join(name), false)?;
/// # }
/// let catalog = folder.join("runs.bd");
/// Build::new().create(&catalog, &[folder.join("a.bd"), folder.join("b.bd")], false)?;
/// let family = Family::open(&catalog)?;
/// assert_eq!((family.len(), family.files()), (2, 2));
/// let late = family.select("time > 1")?;
/// let rho = family.read("/rho", &late)?.array::<f64>()?; // a row for each member
/// assert_eq!((rho.shape(), rho.sum()), (&[1, 3][..], 4.5));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone)]
pub struct Family {
    catalog: Arc<Catalog>,
    /// Where names of files begin.
    folder: Arc<Path>,
    filters: Arc<Registry>,
}

impl Family {
    /// Opens a catalog, and compares its checksums. No member is touched.
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
    /// assert_eq!(dudley::family::Family::open(&catalog)?.len(), 2);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotCatalog`]; [`Error::Checksum`] if it is damaged; if opening a stream fails.
    pub fn open(catalog: impl AsRef<Path>) -> Result<Family> {
        let path = catalog.as_ref();
        let opened = Catalog::open(path)?;
        Ok(Family {
            catalog: Arc::new(opened),
            folder: path.parent().unwrap_or(Path::new("")).into(),
            filters: Registry::builtins(),
        })
    }

    /// The filters that the layout may name; the built-in ones otherwise.
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
    /// let filters = dudley::filter::Registry::with_builtins();
    /// let family = dudley::family::Family::open(&catalog)?.filters(filters);
    /// assert_eq!(family.read("/rho", &family.ids())?.shape(), [2, 3]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn filters(mut self, filters: impl Into<Arc<Registry>>) -> Family {
        self.filters = filters.into();
        self
    }

    /// The number of members.
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
    /// assert_eq!(dudley::family::Family::open(&catalog)?.len(), 2);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn len(&self) -> u64 {
        self.catalog.members as u64
    }

    /// Whether there are no members.
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
    /// assert!(!dudley::family::Family::open(&catalog)?.is_empty());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of files.
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
    /// assert_eq!(dudley::family::Family::open(&catalog)?.files(), 2);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn files(&self) -> u64 {
        self.catalog.files as u64
    }

    /// The layout of the members.
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
    /// assert!(dudley::family::Family::open(&catalog)?.layout().text().contains("rho = f8[N]"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn layout(&self) -> &Layout {
        &self.catalog.template
    }

    /// A hash of the declarations of that layout, without comments.
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
    /// let (first, second) = (dudley::family::Family::open(&catalog)?, dudley::family::Family::open(&catalog)?);
    /// assert_eq!(first.identity(), second.identity());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn identity(&self) -> u64 {
        self.catalog.identity
    }

    /// The columns of the catalog: the values that it holds of each member.
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
    /// let names: Vec<&str> = family.columns().iter().map(|column| column.name.as_str()).collect();
    /// assert_eq!(names, ["time", "N"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn columns(&self) -> &[Column] {
        &self.catalog.columns
    }

    /// The catalog as a stream.
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
    /// assert!(family.stream().root().items()?.count() > 0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn stream(&self) -> &Stream {
        &self.catalog.stream
    }

    /// The layout of the members declares streamed params, or items, that the catalog cannot hold
    /// or place: their paths. These are read from the members.
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
    /// assert!(dudley::family::Family::open(&catalog)?.unplaced().is_empty());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn unplaced(&self) -> Vec<String> {
        place::unplaced(self)
    }

    /// The numbers of all members.
    ///
    /// ```
    /// use dudley::family::{Family, MemberId};
    ///
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
    /// assert_eq!(Family::open(&catalog)?.ids(), [MemberId(0), MemberId(1)]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn ids(&self) -> Vec<MemberId> {
        (0..self.len()).map(MemberId).collect()
    }

    /// All members, in the order of their files.
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
    /// for member in family.members() {
    ///     assert_eq!(member.open()?.get("/rho")?.shape()?, [3]);
    /// }
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn members(&self) -> impl ExactSizeIterator<Item = Member<'_>> {
        (0..self.catalog.members).map(|at| Member { family: self, at })
    }

    /// A member by its number.
    ///
    /// ```
    /// use dudley::family::{Family, MemberId};
    ///
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
    /// let family = Family::open(&catalog)?;
    /// assert!(family.member(MemberId(1)).is_ok() && family.member(MemberId(2)).is_err());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchMember`].
    pub fn member(&self, id: MemberId) -> Result<Member<'_>> {
        Ok(Member { family: self, at: self.index(id)? })
    }

    fn index(&self, id: MemberId) -> Result<usize> {
        let none = Error::NoSuchMember { member: id.0, count: self.len() };
        usize::try_from(id.0).ok().filter(|at| *at < self.catalog.members).ok_or(none)
    }

    /// The members that satisfy a condition: comparisons of values in the catalog, with `and`,
    /// `or`, `not`, `in`, `like` and arithmetic. `docs/families.md` has the whole language.
    ///
    /// # Errors
    /// [`Error::BadCondition`].
    ///
    /// ```no_run
    /// let family = dudley::family::Family::open("runs.bd")?;
    /// let some = family.select("time > 1e-9 and IMAX in (256, 512) and file like 'b*.bd'")?;
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn select(&self, condition: &str) -> Result<Vec<MemberId>> {
        condition::select(self, condition)
    }

    /// Places a path with slices and fields in many members, without opening them.
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
    /// let mut locator = family.locator("/rho[1]")?;
    /// for id in family.ids() {
    ///     assert_eq!(locator.locate(id)?.spots[0].bytes, 8);
    /// }
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BadPath`].
    pub fn locator(&self, path: &str) -> Result<Locator<'_>> {
        Locator::new(self, path)
    }

    /// The place of a path with slices and fields in a member. The member is opened only if the
    /// catalog alone cannot place it.
    ///
    /// ```
    /// use dudley::family::{Family, MemberId};
    ///
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
    /// let located = Family::open(&catalog)?.locate("/rho[1:]", MemberId(0))?;
    /// assert_eq!((located.dtype.as_str(), &located.shape[..]), ("<f8", &[2][..]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`crate::read::select::select`]; [`Error::NoSuchMember`].
    pub fn locate(&self, path: &str, id: MemberId) -> Result<Located> {
        self.locator(path)?.locate(id)
    }

    /// Reads a path of some members into a stack: the first dimension is the member. Any member
    /// that cannot be read is an error; [`Read`] can do otherwise.
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
    /// assert_eq!(family.read("/rho[0]", &family.ids())?.array::<f64>()?.as_slice(), Some(&[0.5, 1.5][..]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Read::run`].
    pub fn read(&self, path: &str, members: &[MemberId]) -> Result<Stack> {
        Read::new().run(self, path, members)
    }

    fn file_path(&self, file: usize) -> Result<PathBuf> {
        let mut path = PathBuf::new();
        self.set_path(file, &mut path)?;
        Ok(path)
    }

    /// Makes a path that of a file; its memory is used again.
    fn set_path(&self, file: usize, path: &mut PathBuf) -> Result<()> {
        path.as_mut_os_string().clear();
        path.push(&self.folder);
        path.push(name_from_bytes(self.catalog.name_bytes(file)?));
        Ok(())
    }
}

impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Family")
            .field("members", &self.len())
            .field("files", &self.files())
            .finish_non_exhaustive()
    }
}
