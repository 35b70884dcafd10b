//! Streams that grow in place: new items, records one by one, and recovery after a crash.
//!
//! An [`Append`] is the only writer of a native stream. At every moment, also after a crash, the
//! stream opens to the last commit (spec 8.3). Readers need no lock, and an open reader keeps its
//! state. There are two ways to add: [`Append::extend`] takes more layout text with values, and
//! [`Append::records`] adds records to a list or array whose length is a param of the stream.
//! [`Append::truncate`] removes records, and [`Append::write`] overwrites elements.
//!
//! An index of the layout stays valid as long as the layout stays, because it points to values in
//! the stream. The first commit removes an index with checksums, because they would be wrong.

mod batch;
mod blank;
mod compatible;
mod encoded;
mod extend;
mod finding;
mod in_place;
mod names;
mod overwrite;
mod plan;
mod records;
mod rows;
mod salvage;
mod storage;
mod truncate;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use dudley_parser::layout::Layout;
use dudley_parser::place;

pub use crate::bytes::lock::Lock;
use crate::bytes::signature::{LEN, Signature};
use crate::bytes::source::Source;
use crate::error::{Error, Result, file_name};
use crate::filter::Registry;
use crate::index::{Index, Left, MARKER, ends_with_marker, left_of};
use crate::read::stream::{Open, Stream, appended_text, parse_layout, read_bytes};
use crate::write::attached_text;
pub(crate) use blank::Blank;
pub use extend::Extension;
pub use finding::{Finding, inspect, stream_behind};
use in_place::{Behind, InPlace};
pub use overwrite::write_over;
use records::Pushed;
pub use records::Records;
pub use salvage::{Salvaged, salvage, salvage_with};
pub use storage::{FileStorage, Snapshot, Storage};

/// The only writer of a native stream, which extends it in place. [`Self::close`] reports whether
/// everything was written.
///
/// ```
/// use dudley::append::Append;
/// use dudley::{Stream, Writer, parse_layout};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.bd");
/// Writer::new(parse_layout(b"rho = f8[2]")?)
///     .put("/rho", &[1.0, 2.0][..])
///     .attach(true)
///     .write_file(&path, false)?;
///
/// let mut append = Append::open(&path)?;
/// append.extend("N : i8  u = f8[N]  ## (cm/us) speed")?.param("/N", 3).put("/u", &[4.0, 5.0, 6.0]).commit()?;
///
/// let stream = Stream::open(&path)?;
/// assert_eq!(stream.get("/rho")?.read::<f64>()?.sum(), 3.0);
/// assert_eq!(stream.get("/u")?.read::<f64>()?.sum(), 15.0);
/// # Ok::<(), dudley::Error>(())
/// ```
pub struct Append {
    place: InPlace,
    stream: Stream,
    filters: Arc<Registry>,
    reserve: u64,
    findings: Vec<Finding>,
    /// Records that were pushed and not committed.
    pushed: Option<Pushed>,
    /// Address and number of the bytes behind the data of a stream without a layout of its own.
    undescribed: Option<(u64, u64)>,
    /// Held until this is dropped.
    _lock: Option<Lock>,
}

impl Append {
    /// Opens a native stream with its attached layout, and locks it against other writers. An
    /// interrupted extension is rolled back; see [`Self::findings`].
    ///
    /// ```
    /// use dudley::{Stream, append::Append};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = Append::open(&path)?;
    /// append.records("/t")?.push_value(0.5)?;
    /// append.close()?;
    /// assert_eq!(Stream::open(&path)?.get("/t")?.read::<f64>()?.len(), 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Locked`]; [`Error::OfFile`] with [`Error::NotNative`] and [`Error::NoLayout`]; [`Error::Signature`] and
    /// [`Error::LayoutInData`] for a damaged stream; [`Error::Layout`]; [`Error::Io`].
    pub fn open(path: impl AsRef<Path>) -> Result<Append> {
        Append::of_file(path.as_ref(), None)
    }

    /// Opens a native stream without an attached layout, with a given one. After a commit,
    /// [`Self::layout`] is the extended layout, which the caller keeps.
    ///
    /// ```
    /// use dudley::{Writer, append::Append, parse_layout};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let layout = parse_layout(b"x = i4")?;
    /// Writer::new(layout.clone()).put("/x", 7).write_file(&path, false)?;
    /// let mut append = Append::with_layout(&path, layout)?;
    /// append.extend("y = i4")?.put("/y", 8).commit()?;
    /// assert!(append.layout().text().contains("y = i4"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::open`]; [`Error::HasLayout`] if the stream has one.
    pub fn with_layout(path: impl AsRef<Path>, layout: impl Into<Arc<Layout>>) -> Result<Append> {
        Append::of_file(path.as_ref(), Some(layout.into()))
    }

    fn of_file(path: &Path, layout: Option<Arc<Layout>>) -> Result<Append> {
        let (file, lock) = Lock::open(path)?;
        let name = format!("`{}`", file_name(&path));
        let append = Append::begin(Arc::new(FileStorage::new(file)), &name, layout, Some(lock));
        append.map_err(|error| error.of_file(path))
    }

    /// As [`Self::open`] and [`Self::with_layout`], for other storage than a file, without a lock.
    ///
    /// ```
    /// use std::{fs::File, sync::Arc};
    ///
    /// use dudley::append::{Append, FileStorage};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let file = File::options().read(true).write(true).open(&path).expect("a file");
    /// let append = Append::storage(Arc::new(FileStorage::new(file)), None)?;
    /// assert_eq!(append.layout().text().lines().next(), Some("N : i8  t = f8[N]"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As those.
    pub fn storage(storage: Arc<dyn Storage>, layout: Option<Arc<Layout>>) -> Result<Append> {
        Append::begin(storage, "the storage", layout, None)
    }

    fn begin(
        storage: Arc<dyn Storage>,
        name: &str,
        layout: Option<Arc<Layout>>,
        lock: Option<Lock>,
    ) -> Result<Append> {
        let name: Arc<str> = name.into();
        let whole = Snapshot::new(storage.clone(), u64::MAX, name.clone())?;
        let found = State::find(&whole, layout)?;
        let filters = Registry::builtins();
        let stream = stream(whole, &found.layout, &filters)?;
        let end = checked_end(&stream)?;
        let findings = found.findings(&stream, end);
        let undescribed = findings.iter().find_map(|finding| match *finding {
            Finding::Undescribed { address, bytes } => Some((address, bytes)),
            _ => None,
        });
        let order = found.signature.order;
        let mut place = InPlace::new(storage, name, order, found.text.clone(), end)?;
        place.has_index(match Index::of_stream(&stream) {
            Ok(Some(index)) if index.checksums() == 0 => Behind::Index,
            Ok(Some(_)) => Behind::Checksums,
            // One that is damaged, or what is left of one, may have some.
            Err(_) => Behind::Checksums,
            Ok(None) if matches!(left_of(&stream), Some(Left::Torn { .. })) => Behind::Checksums,
            Ok(None) => Behind::Nothing,
        });
        let mut append = Append {
            place,
            stream,
            filters,
            reserve: 0,
            findings,
            pushed: None,
            undescribed,
            _lock: lock,
        };
        append.roll_back(&found)?;
        Ok(append)
    }

    /// Takes away what an interrupted extension left.
    fn roll_back(&mut self, found: &State) -> Result<()> {
        let Some(text) = &found.text else { return Ok(()) };
        if found.is_copy {
            self.move_layout(false)
        } else if found.copy_behind {
            self.place.cut(text.end)
        } else {
            Ok(())
        }
    }

    /// The filters that a layout may name; by default the built-in ones.
    ///
    /// ```
    /// use dudley::{append::Append, filter::Registry};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = Append::open(&path)?;
    /// append.filters(Registry::new())?; // no filters at all
    /// assert!(append.extend("x = u1[3] -> zlib")?.put("/x", &[1_u8, 2, 3][..]).commit().is_err());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn filters(&mut self, filters: impl Into<Arc<Registry>>) -> Result<()> {
        self.commit_pushed()?;
        self.filters = filters.into();
        let layout = self.stream.inner.layout.clone();
        self.renew(layout)
    }

    /// The filters that the layout may name.
    pub(crate) fn registry(&self) -> &Arc<Registry> {
        &self.filters
    }

    /// Findings behind the last commit, from the time of opening.
    ///
    /// ```
    /// use dudley::append::{Append, Finding};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let layout = dudley::parse_layout(b"x = i4")?;
    /// let mut bytes = dudley::Writer::new(layout.clone()).put("/x", 7).to_bytes()?;
    /// bytes.extend(b"more");
    /// std::fs::write(&path, bytes).expect("space");
    /// let append = Append::with_layout(&path, layout)?;
    /// assert_eq!(append.findings(), [Finding::Undescribed { address: 20, bytes: 4 }]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The stream of the last commit. Streams that were opened before stay valid.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// let before = append.stream().clone();
    /// append.extend("x = i4")?.put("/x", 7).commit()?;
    /// assert!(before.get("/x").is_err() && append.stream().get("/x").is_ok());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The layout of the last commit. For a stream without an attached layout, the caller keeps its
    /// text, [`Layout::text`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let append = dudley::append::Append::open(&path)?;
    /// assert!(append.layout().text().starts_with("N : i8"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn layout(&self) -> &Layout {
        self.stream.layout()
    }

    /// Cuts off bytes that no layout describes: behind the data of a stream without an attached
    /// layout, the rest of an interrupted extension, or data that a newer layout describes; behind
    /// an attached layout, perhaps other members of the file. Bytes before a layout without its terminator become room for
    /// additions. Call it before adding anything.
    ///
    /// ```
    /// use dudley::append::Append;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let layout = dudley::parse_layout(b"x = i4")?;
    /// let mut bytes = dudley::Writer::new(layout.clone()).put("/x", 7).to_bytes()?;
    /// bytes.extend(b"more");
    /// std::fs::write(&path, bytes).expect("space");
    /// let mut append = Append::with_layout(&path, layout)?;
    /// append.discard_undescribed()?;
    /// append.extend("y = i4")?.put("/y", 8).commit()?;
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn discard_undescribed(&mut self) -> Result<()> {
        match self.undescribed.take() {
            // What lies before the layout is room for additions now.
            Some((address, _)) if self.place.text().is_none_or(|text| address >= text.end) => {
                self.place.cut(address)
            }
            _ => Ok(()),
        }
    }

    /// Checks that nothing would be written over of which nobody knows what it is.
    fn check_described(&self) -> Result<()> {
        match self.undescribed {
            Some((address, bytes)) => Err(Error::Undescribed { address, bytes }),
            None => Ok(()),
        }
    }

    /// Whether an index behind the layout, or the rest of one, was cut off.
    ///
    /// ```
    /// use dudley::{append::Append, index};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// index::write(&path, index::Options { checksums: true })?;
    /// let mut append = Append::open(&path)?;
    /// append.records("/t")?.push_value(0.5)?;
    /// append.close()?; // an index with checksums would be wrong now
    /// assert!(index::Index::of_source(std::fs::read(&path).expect("a file"))?.is_none());
    /// assert!(!Append::open(&path)?.has_lost_index());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn has_lost_index(&self) -> bool {
        self.place.has_lost_index()
    }

    /// Keeps this many bytes free between the data and the layout, so that additions need not move
    /// the layout. They take no space on disk until they are written.
    ///
    /// ```
    /// use dudley::append::Append;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let length = || std::fs::metadata(&path).expect("a file").len();
    /// let mut append = Append::open(&path)?;
    /// append.reserve(4096)?;
    /// append.records("/t")?.push_value(0.5)?;
    /// assert!(length() > 4096);
    /// append.close()?;
    /// assert!(length() < 4096);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::TooLarge`], [`Error::Undescribed`].
    pub fn reserve(&mut self, bytes: u64) -> Result<()> {
        self.check_described()?;
        self.commit_pushed()?;
        self.reserve = bytes;
        let there = self.place.text();
        if there.is_some_and(|text| text.start - self.place.end() < bytes) {
            self.move_layout(true)
        } else {
            Ok(())
        }
    }

    /// Commits the pushed [records](Self::records), and moves the layout to the end of the data,
    /// without free room. An appender that is dropped instead commits them too, but cannot report a
    /// failure, and keeps its free room.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// append.records("/t")?.push_value(0.5)?;
    /// append.close()?;
    /// assert_eq!(dudley::Stream::open(&path)?.get("/N")?.scalar::<i64>()?, 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Undescribed`]; [`Error::Abandoned`] if pushed records are lost,
    /// because an earlier write failed.
    pub fn close(mut self) -> Result<()> {
        self.give_back_reserve()
    }

    /// As [`Self::close`], but keeps the appender.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// let length = append.stream().len();
    /// append.reserve(4096)?;
    /// append.give_back_reserve()?;
    /// assert_eq!(append.stream().len(), length);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::close`].
    pub fn give_back_reserve(&mut self) -> Result<()> {
        self.check_described()?;
        self.commit_pushed()?;
        self.reserve = 0;
        match self.place.text() {
            Some(text) if text.start > self.place.end() => self.move_layout(false),
            _ => Ok(()),
        }
    }

    /// Writes the layout anew where it belongs.
    fn move_layout(&mut self, further: bool) -> Result<()> {
        let text = attached_text(self.layout());
        let at = self.target(self.place.end())?;
        self.place.attach(at, further, &text, &text)?;
        self.renew(self.stream.inner.layout.clone())
    }

    /// Where the layout goes if the data ends there.
    fn target(&self, end: u64) -> Result<u64> {
        let at = match self.reserve {
            0 => Some(end),
            bytes => place::add(end, bytes).and_then(|at| place::align_up(at, 8)),
        };
        at.ok_or_else(|| Error::too_large(u64::MAX))
    }

    /// Looks at the stream again, after a commit.
    fn renew(&mut self, layout: Arc<Layout>) -> Result<()> {
        self.stream = stream(self.place.snapshot(u64::MAX)?, &layout, &self.filters)?;
        Ok(())
    }
}

impl Drop for Append {
    /// Pushed records are not lost if a program ends early, by `?` or a panic: each record is complete.
    fn drop(&mut self) {
        // Only [`Append::close`] can say what is wrong.
        let _ = self.commit_pushed();
    }
}

/// What the bytes of a native stream say, the data apart.
struct State {
    signature: Signature,
    layout: Arc<Layout>,
    /// The attached text, with its terminator.
    text: Option<Range<u64>>,
    /// It is the copy that an extension made.
    is_copy: bool,
    /// Such a copy stands at the end, and is not in force.
    copy_behind: bool,
    len: u64,
}

impl State {
    fn find(whole: &Snapshot, given: Option<Arc<Layout>>) -> Result<State> {
        let signature = Signature::read(whole)?.ok_or(Error::NotNative)?;
        let len = whole.len();
        let (layout, text, is_copy) = match (given, signature.layout_address) {
            (None, None) => return Err(Error::NoLayout),
            (Some(_), Some(address)) => return Err(Error::HasLayout { address }),
            (Some(layout), None) => (layout, None, false),
            (None, Some(address)) => {
                let bytes = appended_text(whole, Some(signature))?.ok_or(Error::NoLayout)?;
                let layout = parse_layout(&bytes)?;
                let end = address + attached_length(&bytes, &layout) as u64;
                let behind = (len - end).min(MARKER.len() as u64);
                let is_copy = read_bytes(whole, end, behind)? == MARKER;
                (Arc::new(layout), Some(address..end), is_copy)
            }
        };
        let copy_behind = !is_copy && text.is_some() && ends_with_marker(whole)?;
        Ok(State { signature, layout, text, is_copy, copy_behind, len })
    }
}

/// How many of some bytes are the layout that they begin with: its text with the terminator, and the
/// line end behind that.
pub(crate) fn attached_length(bytes: &[u8], layout: &Layout) -> usize {
    let text = layout.text().len().min(bytes.len());
    let line_end = bytes[text..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    text + line_end.count().min(2)
}

fn stream(source: Snapshot, layout: &Arc<Layout>, filters: &Arc<Registry>) -> Result<Stream> {
    Open::new().layout(layout.clone()).filters(filters.clone()).source(source)
}

/// The end of the data, which lies in the stream and before the layout.
fn checked_end(stream: &Stream) -> Result<u64> {
    stream.check_layout_address()?;
    let end = stream.data_end()?.max(LEN);
    if stream.len() < end {
        Err(Error::truncated(stream.len(), end - stream.len(), 0))
    } else {
        Ok(end)
    }
}

impl Stream {
    /// Opens a native stream with its attached layout as its only writer, to extend it in place.
    ///
    /// # Errors
    /// If [`Append::open`] fails.
    pub fn append(path: impl AsRef<Path>) -> Result<Append> {
        Append::open(path)
    }
}
