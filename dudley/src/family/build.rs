//! How a catalog is made and brought up to date: the summaries of many files are read.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use dudley_parser::Layout;
use dudley_parser::layout::dtype::ByteOrder;

use super::catalog::{Catalog, Contents, FileRows, MemberRow, name_from_bytes, name_to_bytes};
use super::columns::{Column, Table, columns, read};
use super::form::{self, Records};
use super::same::Template;
use super::within::{Found, How, Within};
use super::workers;
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::source::{FileSource, Source};
use crate::stream::{Open, Stream, StreamKind};

/// Makes catalogs: of which layout the members are, where they lie in their files, and what to do
/// with bad files.
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
    jobs: Option<usize>,
    skip_bad: bool,
    keep_missing: bool,
    progress: Option<Arc<dyn Fn(u64) + Send + Sync>>,
    filters: Option<Arc<Registry>>,
}

/// What making a catalog came to.
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
    /// Files that are gone, by their names: dropped, or kept as missing if that was asked for.
    pub gone: Vec<PathBuf>,
    /// Files that were left out, with what is wrong with them.
    pub failed: Vec<(PathBuf, Error)>,
    /// Whether the catalog was written: it is not, if nothing changed.
    pub written: bool,
}

impl Build {
    /// Files are members; their layout is the one appended to the first that has one.
    pub fn new() -> Build {
        Build::default()
    }

    /// The layout of all members, whatever is appended to them.
    #[must_use]
    pub fn layout(mut self, layout: impl Into<Arc<Layout>>) -> Build {
        self.layout = Some(layout.into());
        self
    }

    /// The layout that a type was made from, as that of all members.
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

    /// Reads with at most so many threads; by default with as many as there are processors.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Build {
        self.jobs = Some(jobs);
        self
    }

    /// Leaves out files that cannot be read or have another layout, and names them in the
    /// [`Report`]; otherwise they are an error.
    #[must_use]
    pub fn skip_bad(mut self, skip: bool) -> Build {
        self.skip_bad = skip;
        self
    }

    /// Keeps the members of files that are gone, as missing ones.
    #[must_use]
    pub fn keep_missing(mut self, keep: bool) -> Build {
        self.keep_missing = keep;
        self
    }

    /// Is told, from any thread, how many files were looked at since it was last told.
    #[must_use]
    pub fn progress(mut self, told: impl Fn(u64) + Send + Sync + 'static) -> Build {
        self.progress = Some(Arc::new(told));
        self
    }

    /// The filters that the layout may name; the built-in ones otherwise.
    #[must_use]
    pub fn filters(mut self, filters: impl Into<Arc<Registry>>) -> Build {
        self.filters = Some(filters.into());
        self
    }

    /// Makes a catalog of files. It appears when it is complete; readers of an old one keep that.
    ///
    /// # Errors
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
        if !overwrite && std::fs::symlink_metadata(catalog).is_ok() {
            return Err(Error::Exists { path: catalog.to_owned() });
        }
        let files: Vec<PathBuf> = files.iter().map(|file| file.as_ref().to_owned()).collect();
        let template = match &self.layout {
            Some(layout) => Template::given(layout.clone()),
            None => self.template(&files)?,
        };
        let work = Work::new(self, &self.how, template)?;
        let mut names = Names::new(catalog)?;
        let files = files.iter().map(|file| names.name(file)).collect::<Result<Vec<_>>>()?;
        let rows = work.run(&names.shown, without_repeats(files), &HashMap::new());
        self.finish(catalog, &work, rows, overwrite, true)
    }

    /// Brings a catalog up to date: files whose size or time changed, and those given that it does
    /// not have, are read; files that are gone are dropped. Layout, params and where members lie
    /// are those of the catalog, whatever was said here.
    ///
    /// The numbers of members may change. If nothing changed, the catalog is left as it is.
    ///
    /// # Errors
    /// As [`Self::create`]; [`Error::NotCatalog`].
    pub fn update<P: AsRef<Path>>(&self, catalog: impl AsRef<Path>, files: &[P]) -> Result<Report> {
        let path = catalog.as_ref();
        let old = Catalog::open(path)?;
        let template = Template::of(old.template.clone());
        let work = Work::new(self, &old.how, template)?;
        let mut names = Names::new(path)?;
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
            let open = Open::new().native().mapped(false).base(first);
            match open.file(file) {
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
                State::Read { rows, new } => {
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
        if !report.failed.is_empty() && !self.skip_bad {
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

/// What was found out about a file.
struct Seen {
    path: PathBuf,
    state: State,
}

enum State {
    Kept(FileRows),
    Read { rows: FileRows, new: bool },
    Gone(FileRows),
    Failed(Error),
}

/// What reading files takes.
struct Work<'b> {
    build: &'b Build,
    how: &'b How,
    template: Template,
    filters: Arc<Registry>,
    columns: Vec<Column>,
    summary: Records,
    params: Records,
}

impl<'b> Work<'b> {
    fn new(build: &'b Build, how: &'b How, template: Template) -> Result<Work<'b>> {
        let columns = columns(&template.layout, &how.given(&template.layout)?);
        // The catalog itself says where its fields lie.
        let layout = form::layout(&template.layout, &columns)?;
        let empty = Open::new().layout(layout).raw().bytes(Vec::new())?;
        let filters = build.filters.clone();
        Ok(Work {
            build,
            how,
            filters: filters.unwrap_or_else(|| Arc::new(Registry::with_builtins())),
            summary: Records::of(&empty, &columns, Table::Summary)?,
            params: Records::of(&empty, &columns, Table::Params)?,
            template,
            columns,
        })
    }

    /// Looks at all files, in parallel; what is known of a file is kept if it did not change.
    fn run(
        &self,
        folder: &Path,
        names: Vec<Vec<u8>>,
        known: &HashMap<Vec<u8>, FileRows>,
    ) -> Vec<Seen> {
        let mut seen: Vec<Option<Seen>> = names.iter().map(|_| None).collect();
        let units: Vec<_> = names.into_iter().zip(&mut seen).collect();
        let jobs = self.build.jobs.unwrap_or_else(workers::default_jobs);
        workers::each(
            jobs,
            units,
            || (),
            |(), (name, seen)| {
                let path = folder.join(name_from_bytes(&name));
                let state = self.look(&path, name, known);
                *seen = Some(Seen { path, state });
                if let Some(told) = &self.build.progress {
                    told(1);
                }
                true
            },
        );
        seen.into_iter().flatten().collect()
    }

    fn look(&self, path: &Path, name: Vec<u8>, known: &HashMap<Vec<u8>, FileRows>) -> State {
        let old = known.get(&name);
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && old.is_some() => {
                return State::Gone(old.cloned().unwrap_or_default());
            }
            Err(error) => return State::Failed(cannot("open", path, error)),
        };
        let metadata = match file.metadata() {
            Ok(metadata) => metadata,
            Err(error) => return State::Failed(cannot("get the size of", path, error)),
        };
        let changed = changed(&metadata);
        if let Some(old) = old
            && !old.missing
            && (old.bytes, old.changed) == (metadata.len(), changed)
        {
            return State::Kept(old.clone());
        }
        match self.read(path, file, metadata.len()) {
            Ok(rows) => {
                State::Read { rows: FileRows { name, changed, ..rows }, new: old.is_none() }
            }
            Err(error) => State::Failed(error),
        }
    }

    /// The members of a file, and their records.
    fn read(&self, path: &Path, file: File, bytes: u64) -> Result<FileRows> {
        let source: Arc<dyn Source> = Arc::new(FileSource::measured(file, bytes, path.to_owned()));
        let found = self.how.find(&source, &self.template.layout, &self.filters)?;
        let mut rows = FileRows { bytes, ..FileRows::default() };
        for Found { start, bytes, stream } in found {
            self.template.check(&stream)?;
            let native = stream.kind() == StreamKind::Native;
            let big = stream.order() == ByteOrder::Big;
            rows.members.push(MemberRow { start, bytes, native, big });
            self.record(&stream, &self.summary, &mut rows.summary)?;
            self.record(&stream, &self.params, &mut rows.params)?;
        }
        Ok(rows)
    }

    fn record(&self, member: &Stream, form: &Records, records: &mut Vec<u8>) -> Result<()> {
        let start = records.len();
        records.resize(start + form.size(), 0);
        fill(&self.columns, form, member, &mut records[start..])
    }
}

/// Reads the columns of a member into a record of a catalog.
///
/// # Errors
/// What reading the member says.
pub(super) fn fill(
    columns: &[Column],
    form: &Records,
    member: &Stream,
    record: &mut [u8],
) -> Result<()> {
    for (column, offset) in columns.iter().zip(&form.offsets) {
        if let Some(offset) = *offset {
            // No larger than the record, which has it.
            read(column, member, &mut record[offset..offset + column.bytes() as usize])?;
        }
    }
    Ok(())
}

/// When a file was last changed, in ns since 1970; 0 where the system does not know.
pub(super) fn changed(metadata: &Metadata) -> i64 {
    let since = |time: SystemTime| match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => {
            i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |before| -before)
        }
    };
    metadata.modified().map_or(0, since)
}

pub(super) fn cannot(what: &str, path: &Path, error: std::io::Error) -> Error {
    Error::io(format!("cannot {what} `{}`", path.display()), error)
}

/// How files are called in a catalog: from its folder on where they lie in that, so that both can
/// move together, else by their whole paths.
struct Names {
    /// The folder of the catalog, as it was given.
    shown: PathBuf,
    /// What it is.
    folder: PathBuf,
    /// Folders as they were given, and what they are.
    folders: HashMap<PathBuf, PathBuf>,
}

impl Names {
    fn new(catalog: &Path) -> Result<Names> {
        let folder = folder_of(catalog);
        let folder = std::fs::canonicalize(folder)
            .map_err(|error| cannot("find the folder", folder, error))?;
        let shown = catalog.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Names { shown, folder, folders: HashMap::new() })
    }

    fn name(&mut self, file: &Path) -> Result<Vec<u8>> {
        let given = folder_of(file);
        let folder = match self.folders.get(given) {
            Some(folder) => folder.clone(),
            None => {
                // Of a folder that is gone the file is named as not to be opened.
                let found = std::fs::canonicalize(given).or_else(|_| std::path::absolute(given));
                let found = found.map_err(|error| cannot("find the folder", given, error))?;
                self.folders.insert(given.to_owned(), found.clone());
                found
            }
        };
        let path = match file.file_name() {
            Some(name) => folder.join(name),
            None => folder,
        };
        name_to_bytes(path.strip_prefix(&self.folder).unwrap_or(&path))
    }
}

/// The folder that a file is in.
pub(super) fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Each name once, in the order of the first.
fn without_repeats(names: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let mut seen = std::collections::HashSet::new();
    names.into_iter().filter(|name| seen.insert(name.clone())).collect()
}
