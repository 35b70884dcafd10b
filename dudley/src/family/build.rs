//! How a catalog is made and brought up to date: the summaries of many files are read.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dudley_parser::Layout;
use dudley_parser::layout::dtype::ByteOrder;

use super::catalog::Catalog;
use super::collect::{Scan, Seen, State, Work};
use super::contents::{Contents, FileRows};
use super::names::{Names, without_repeats};
use super::same::Template;
use super::within::{How, Within};
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::read::stream::Open;

/// Makes catalogs: the layout of the members, their places in their files, and the treatment of bad
/// files.
///
/// ```
/// use dudley::family::{Build, Family};
/// use dudley::{Writer, parse_layout};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let folder = folder.path();
/// let mut files = Vec::new();
/// for (name, time) in [("a.bd", 0.5), ("b.bd", 1.5)] {
///     let layout = parse_layout(b"{time : f8  N : i8}\nrho = f8[N]")?;
///     let rho = vec![time; 3];
///     let writer = Writer::new(layout).param("/N", 3).put("/time", time).put("/rho", &rho[..]);
///     writer.attach(true).write_file(folder.join(name), false)?;
///     files.push(folder.join(name));
/// }
/// let catalog = folder.join("runs.bd");
/// Build::new().create(&catalog, &files, false)?;
///
/// let family = Family::open(&catalog)?;
/// let late = family.select("time > 1 and N = 3")?;
/// assert_eq!(family.read("/rho[0]", &late)?.array::<f64>()?.as_slice(), Some(&[1.5][..]));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Build {
    layout: Option<Arc<Layout>>,
    how: How,
    keep_missing: bool,
    scan: Scan,
}

/// The result of making a catalog.
#[derive(Debug, Default)]
pub struct Report {
    /// Files in the catalog.
    pub files: u64,
    /// Members in them.
    pub members: u64,
    /// Files that were read because they are new.
    pub added: u64,
    /// Files that were read again because their size or time differs.
    pub changed: u64,
    /// Missing files, by name: dropped, or kept as missing if requested.
    pub gone: Vec<PathBuf>,
    /// Omitted files, with their errors.
    pub failed: Vec<(PathBuf, Error)>,
    /// Omitted members of files that have other members in the catalog: their addresses in bytes of the
    /// file, and their errors. Unchanged files are not read again.
    pub partial: Vec<(PathBuf, u64, Error)>,
    /// Whether the catalog was written: it is not, if nothing changed.
    pub written: bool,
}

impl Build {
    /// Files are members; their layout is the one appended to the first that has one.
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
    /// dudley::family::Build::new().create(&catalog, &files, true)?;
    /// assert_eq!(dudley::family::Family::open(&catalog)?.len(), 2);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn new() -> Build {
        Build::default()
    }

    /// The layout of all members, instead of the appended layouts.
    #[must_use]
    pub fn layout(mut self, layout: impl Into<Arc<Layout>>) -> Build {
        self.layout = Some(layout.into());
        self.how.given = true;
        self
    }

    /// The layout of a generated type, as the layout of all members.
    ///
    /// # Errors
    /// As [`crate::typed::Known::layout`].
    pub fn layout_of<S: crate::typed::Schema>(self) -> Result<Build> {
        Ok(self.layout(S::known().layout()?))
    }

    /// Gives a param to all members, as [`Open::param`] does to one.
    #[must_use]
    pub fn param(mut self, name: impl Into<String>, value: impl Into<i128>) -> Build {
        self.how.params.push((name.into(), value.into()));
        self
    }

    /// Members have no signature, even if they begin like one.
    #[must_use]
    pub fn raw(mut self) -> Build {
        self.how.raw = true;
        self
    }

    /// The byte order of raw members whose layout does not say.
    #[must_use]
    pub fn order(mut self, order: ByteOrder) -> Build {
        self.how.order = Some(order);
        self
    }

    /// Where the members lie in each file.
    #[must_use]
    pub fn within(mut self, within: Within) -> Build {
        self.how.within = within;
        self
    }

    /// At most this many threads. The default, 0, is the number that the machine runs at once.
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
    /// dudley::family::Build::new().threads(1).create(&catalog, &files, true)?;
    /// assert_eq!(dudley::family::Family::open(&catalog)?.len(), 2);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Build {
        self.scan.threads = threads;
        self
    }

    /// Leaves out files that cannot be read or have another layout, and members of files with several,
    /// and names them in the [`Report`]; otherwise they are an error. A file with more than 10,000 such
    /// members is left out as a whole.
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
    /// std::fs::write(folder.join("b.bd"), "no stream").expect("space");
    /// let build = dudley::family::Build::new();
    /// assert!(build.clone().create(&catalog, &files, true).is_err());
    /// build.skip_bad(true).create(&catalog, &files, true)?;
    /// assert_eq!(dudley::family::Family::open(&catalog)?.len(), 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn skip_bad(mut self, skip: bool) -> Build {
        self.scan.skip_bad = skip;
        self
    }

    /// Keeps the members of files that are gone, as missing ones.
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
    /// std::fs::remove_file(folder.join("b.bd")).expect("removed");
    /// dudley::family::Build::new().keep_missing(true).update::<&str>(&catalog, &[])?;
    /// assert_eq!(dudley::family::Family::open(&catalog)?.len(), 2);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn keep_missing(mut self, keep: bool) -> Build {
        self.keep_missing = keep;
        self
    }

    /// Receives, from any thread, the number of files that were checked since the last call.
    #[must_use]
    pub fn progress(mut self, told: impl Fn(u64) + Send + Sync + 'static) -> Build {
        self.scan.progress = Some(Arc::new(told));
        self
    }

    /// The filters that the layout may name; the built-in ones otherwise.
    #[must_use]
    pub fn filters(mut self, filters: impl Into<Arc<Registry>>) -> Build {
        self.scan.filters = Some(filters.into());
        self
    }

    /// Makes a catalog of files. It appears when it is complete; readers of an old one keep that. Only a
    /// catalog is overwritten. A file without a signature is a member only if the layout is given, or
    /// files are raw.
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
    /// let build = dudley::family::Build::new();
    /// assert!(build.create(&catalog, &files, false).is_err()); // it exists
    /// build.create(&catalog, &files, true)?;
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BadStart`] and [`Error::BadStep`] for places at which no member can begin;
    /// [`Error::NotCatalog`] for something else that would be overwritten;
    /// [`Error::Files`] with the files that cannot be read, are cut off, or have another layout
    /// ([`Error::Incompatible`] names the difference); [`Error::NoLayout`] if none has one and none
    /// is given; [`Error::Exists`]; [`Error::Io`].
    pub fn create<P: AsRef<Path>>(
        &self,
        catalog: impl AsRef<Path>,
        files: &[P],
        overwrite: bool,
    ) -> Result<Report> {
        let catalog = catalog.as_ref();
        self.how.within.check()?;
        if !overwrite && std::fs::symlink_metadata(catalog).is_ok() {
            return Err(Error::Exists { path: catalog.to_owned() });
        }
        if catalog.exists() {
            // Of what is no catalog, which may well be a member, nothing is overwritten.
            Catalog::check_kind(catalog)?;
        }
        let files: Vec<PathBuf> = files.iter().map(|file| file.as_ref().to_owned()).collect();
        let template = match &self.layout {
            Some(layout) => Template::given(layout.clone()),
            None => self.template(&files)?,
        };
        let native = !self.how.given && !self.how.raw;
        let work = Work::new(&self.scan, &self.how, template, native)?;
        let mut names = Names::new(catalog)?;
        let files = files.iter().map(|file| names.name(file)).collect::<Result<Vec<_>>>()?;
        let rows = work.run(&names.shown, without_repeats(files), &HashMap::new());
        self.finish(catalog, &work, rows, overwrite, true)
    }

    /// Updates a catalog: reads files whose size or time has changed, and given files that it
    /// lacks; drops missing files. The layout, the params and the places of members are those of
    /// the catalog, not of this builder.
    ///
    /// The numbers of members may change. If nothing has changed, the catalog is not written.
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
    /// std::fs::remove_file(folder.join("b.bd")).expect("removed");
    /// dudley::family::Build::new().update::<&str>(&catalog, &[])?;
    /// assert_eq!(dudley::family::Family::open(&catalog)?.len(), 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::create`]; [`Error::NotCatalog`].
    pub fn update<P: AsRef<Path>>(&self, catalog: impl AsRef<Path>, files: &[P]) -> Result<Report> {
        let path = catalog.as_ref();
        let old = Catalog::open(path)?;
        let template = if old.how.given {
            Template::given(old.template.clone())
        } else {
            Template::of(old.template.clone())
        };
        let mut names = Names::new(path)?;
        let native = !old.how.given && !old.how.raw && old.is_native();
        let work = Work::new(&self.scan, &old.how, template, native)?;
        let mut known = HashMap::new();
        let mut all = Vec::new();
        for file in 0..old.files {
            let name = old.name_bytes(file)?.to_vec();
            all.push(name.clone());
            known.insert(name, old.rows(file, &work.summary, &work.params)?);
        }
        for file in files {
            all.push(names.name(file.as_ref())?);
        }
        let rows = work.run(&names.shown, without_repeats(all), &known);
        self.finish(path, &work, rows, true, false)
    }

    /// The layout of the first file that has one.
    fn template(&self, files: &[PathBuf]) -> Result<Template> {
        let first = match &self.how.within {
            Within::At(starts) => starts.iter().min().copied().unwrap_or(0),
            Within::Every { first, .. } => *first,
            Within::Whole | Within::Following => 0,
        };
        let mut none = Error::NoLayout;
        for file in files {
            let open = Open::new().native().base(first);
            match open.file(file).map_err(Error::into_cause) {
                Ok(stream) => return Template::of_stream(&stream),
                Err(error @ Error::Layout { .. }) => {
                    return Err(Error::Files { failed: vec![(file.clone(), error)] });
                }
                Err(Error::NoLayout | Error::NotNative) => {}
                Err(error) => none = error,
            }
        }
        match files.first() {
            Some(file) => Err(Error::Files { failed: vec![(file.clone(), none)] }),
            None => Err(none),
        }
    }

    fn finish(
        &self,
        catalog: &Path,
        work: &Work<'_>,
        rows: Vec<Seen>,
        overwrite: bool,
        anew: bool,
    ) -> Result<Report> {
        let mut report = Report { written: anew, ..Report::default() };
        let mut files = Vec::new();
        for Seen { path, state } in rows {
            match state {
                State::Kept(rows) => files.push(rows),
                State::Read { rows, new, bad } => {
                    let bad = bad.into_iter().map(|(start, error)| (path.clone(), start, error));
                    report.partial.extend(bad);
                    *(if new { &mut report.added } else { &mut report.changed }) += 1;
                    files.push(rows);
                }
                State::Gone(rows) => {
                    report.written |= !(self.keep_missing && rows.missing);
                    if self.keep_missing {
                        files.push(FileRows { missing: true, ..rows });
                    }
                    report.gone.push(path);
                }
                State::Failed(error) => report.failed.push((path, error)),
            }
        }
        if !report.failed.is_empty() && !self.scan.skip_bad {
            return Err(Error::Files { failed: report.failed });
        }
        report.written |= report.added + report.changed + report.failed.len() as u64 > 0;
        report.files = files.len() as u64;
        report.members = files.iter().map(|file| file.members.len() as u64).sum();
        if report.written {
            let contents = Contents {
                template: &work.template.layout,
                how: work.how,
                columns: &work.columns,
                files: &files,
            };
            contents.write(catalog, overwrite)?;
        }
        Ok(report)
    }
}
