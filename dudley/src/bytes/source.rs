//! Where bytes come from: anything that can be read by address.
//!
//! Addresses and lengths are in bytes from the start of the source. Nothing here knows of
//! layouts; nothing keeps a position, so that one source serves many threads. Types of elements matter only to
//! sources that make their elements.

mod cached;
mod held;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
#[cfg(feature = "map")]
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use dudley_parser::layout::dtype::{ByteOrder, Primitive};

use crate::bytes::positioned::{self, Positioned};
use crate::bytes::region::Region;
use crate::error::{Error, Result, file_name};

pub use cached::Cached;
pub(crate) use held::{Held, Piece};

/// Bytes that can be read by address, by many threads at once.
///
/// ```
/// use dudley::bytes::Source;
///
/// let source = vec![1_u8, 2, 3, 4];
/// let mut two = [0; 2];
/// source.read_at(1, &mut two)?;
/// assert_eq!(two, [2, 3]);
/// assert_eq!(source.read_at(3, &mut two).unwrap_err().address(), Some(3));
/// # Ok::<(), dudley::error::Error>(())
/// ```
pub trait Source: Send + Sync {
    /// The length in bytes.
    fn len(&self) -> u64;

    /// Whether there are no bytes at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills all of `buf` with the bytes from `address` on.
    ///
    /// # Errors
    /// [`Error::Truncated`] when the source ends before `buf` is full, [`Error::Io`] when the
    /// operating system refuses. What `buf` then holds is unspecified.
    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()>;

    /// Fills several buffers, each from its address on: what is read together is best asked for
    /// together, so that a store far away is asked once.
    ///
    /// # Errors
    /// As [`Self::read_at`].
    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        ranges.iter_mut().try_for_each(|(address, buf)| self.read_at(*address, buf))
    }

    /// How many bytes are best asked for at once. Of files it is what stays in the cache until it is
    /// decoded; where each request takes a journey it should be more.
    fn batch(&self) -> u64 {
        256 << 10
    }

    /// Whether strided bytes are best asked for together, with [`Self::read_region`], and not run by run: they are made of
    /// parts that are decoded as a whole.
    fn by_region(&self) -> bool {
        false
    }

    /// Fills `dst` with the elements of a region, one behind the other.
    ///
    /// # Errors
    /// As [`Self::read_at`]; [`Error::WrongLength`] if `dst` has no room for them.
    fn read_region(&self, region: &Region, dst: &mut [u8]) -> Result<()> {
        let found = dst.len() as u64;
        let mut rest = dst;
        for row in region.rows() {
            for run in 0..row.count {
                let (here, after) = std::mem::take(&mut rest)
                    .split_at_mut_checked(row.run as usize)
                    .ok_or_else(|| Error::wrong_length(region.byte_len(), found))?;
                rest = after;
                self.read_at(row.address_of(run), here)?;
            }
        }
        Ok(())
    }

    /// Whether this many bytes from an address on are zeros that nobody wrote, as far as that is known without reading
    /// them: a hole in a sparse file.
    fn is_hole(&self, address: u64, length: u64) -> bool {
        let _ = (address, length);
        false
    }

    /// Checks that other sources are there, for bytes that are read from such: for arrays too large to be read as a
    /// whole.
    ///
    /// ```
    /// // Bytes in memory come from nowhere else.
    /// assert!(dudley::bytes::Source::check_sources(&b"abc".to_vec()).is_ok());
    /// ```
    ///
    /// # Errors
    /// If one is not there, or has not what is read from it.
    fn check_sources(&self) -> Result<()> {
        Ok(())
    }

    /// The same elements as ones of the type `of` in the byte order of the machine, side by side from address 0, from a
    /// source that makes its elements, and makes these in one pass. The elements that are read are of the type and byte
    /// order `from`. Values are rounded as with [`Lossy`](crate::elements::Conversion::Lossy); whether that is allowed is
    /// for the caller to check.
    fn made_as(&self, from: (Primitive, ByteOrder), of: Primitive) -> Option<Arc<dyn Source>> {
        let _ = (from, of);
        None
    }

    /// The whole contents, for sources in memory.
    fn bytes(&self) -> Option<&[u8]> {
        None
    }

    /// The whole contents, brought into memory by sources that can do that and stay there; none by others.
    ///
    /// # Errors
    /// If what is brought cannot be obtained.
    fn load(&self) -> Result<Option<&[u8]>> {
        Ok(self.bytes())
    }
}

/// The `length` bytes of `bytes` from `address` on. No bytes are there at every address.
///
/// # Errors
/// [`Error::Truncated`] when they are not all there.
///
/// ```
/// let bytes = [1, 2, 3, 4];
/// assert_eq!(dudley::bytes::slice(&bytes, 1, 2)?, [2, 3]);
/// # Ok::<(), dudley::error::Error>(())
/// ```
pub fn slice(bytes: &[u8], address: u64, length: u64) -> Result<&[u8]> {
    check(bytes.len() as u64, address, length)?;
    let from = address.min(bytes.len() as u64);
    // In range of a slice, so in range of `usize`.
    Ok(&bytes[from as usize..(from + length) as usize])
}

/// Checks that `length` bytes from `address` on are within `total` bytes. A length of 0 passes at every
/// address, so do not add to an address that passed.
///
/// # Errors
/// [`Error::Truncated`] when they are not.
pub fn check(total: u64, address: u64, length: u64) -> Result<()> {
    let available = total.saturating_sub(address);
    if length > available { Err(Error::truncated(address, length, available)) } else { Ok(()) }
}

/// How many of `total` bytes stand from `address` on.
///
/// # Errors
/// [`Error::Truncated`] when they end before it.
pub(crate) fn rest(total: u64, address: u64) -> Result<u64> {
    total.checked_sub(address).ok_or_else(|| Error::truncated(address, 0, 0))
}

fn copy_from(bytes: &[u8], address: u64, buf: &mut [u8]) -> Result<()> {
    buf.copy_from_slice(slice(bytes, address, buf.len() as u64)?);
    Ok(())
}

macro_rules! memory {
    ($($type:ty)*) => {$(
        impl Source for $type {
            fn len(&self) -> u64 {
                <[u8]>::len(self) as u64
            }
            fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
                copy_from(self, address, buf)
            }
            fn bytes(&self) -> Option<&[u8]> {
                Some(self)
            }
        }
    )*};
}

memory! { [u8] Vec<u8> }

macro_rules! pointer {
    ($($type:ty)*) => {$(
        impl<S: Source + ?Sized> Source for $type {
            fn len(&self) -> u64 {
                S::len(self)
            }
            fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
                S::read_at(self, address, buf)
            }
            fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
                S::read_ranges(self, ranges)
            }
            fn batch(&self) -> u64 {
                S::batch(self)
            }
            fn by_region(&self) -> bool {
                S::by_region(self)
            }
            fn read_region(&self, region: &Region, dst: &mut [u8]) -> Result<()> {
                S::read_region(self, region, dst)
            }
            fn is_hole(&self, address: u64, length: u64) -> bool {
                S::is_hole(self, address, length)
            }
            fn check_sources(&self) -> Result<()> {
                S::check_sources(self)
            }
            fn made_as(&self, from: (Primitive, ByteOrder), of: Primitive) -> Option<Arc<dyn Source>> {
                S::made_as(self, from, of)
            }
            fn bytes(&self) -> Option<&[u8]> {
                S::bytes(self)
            }
            fn load(&self) -> Result<Option<&[u8]>> {
                S::load(self)
            }
        }
    )*};
}

// `&[u8]`, `Arc<[u8]>` and `Box<[u8]>` are sources through `[u8]`.
pointer! { &S Arc<S> Box<S> }

/// A file that is read by position, without a map.
///
/// The length is the length at the time of opening. Clones share the open file.
///
/// ```
/// use dudley::bytes::{FileSource, Source};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.bd");
/// std::fs::write(&path, b"abc").expect("space");
/// let file = FileSource::open(&path)?;
/// let mut bytes = [0; 2];
/// file.read_at(1, &mut bytes)?;
/// assert_eq!((file.len(), &bytes), (3, b"bc"));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileSource {
    file: Arc<Positioned>,
    len: u64,
    name: Name,
    /// Where it may be mapped, once that is requested.
    #[cfg(feature = "map")]
    map: Option<Arc<OnceLock<memmap2::Mmap>>>,
}

/// What a file is called in messages.
#[derive(Clone, Debug)]
enum Name {
    Path(std::path::PathBuf),
    Unknown,
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Name::Path(path) => write!(f, "`{}`", file_name(&path)),
            Name::Unknown => f.write_str("the file"),
        }
    }
}

impl FileSource {
    /// Opens a file to read.
    ///
    /// ```
    /// let error = dudley::bytes::FileSource::open("no/such/file").expect_err("no file");
    /// assert!(error.is_unread());
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be opened, or is no file: a pipe is not waited for.
    pub fn open(path: impl AsRef<Path>) -> Result<FileSource> {
        let path = path.as_ref();
        let (file, len) = positioned::measured(path, File::options().read(true))
            .map_err(|error| Error::io(format!("cannot open `{}`", file_name(&path)), error))?;
        Ok(FileSource::measured(file, len, path.to_owned()))
    }

    /// Reads an open file.
    ///
    /// # Errors
    /// [`Error::Io`] when its length is not to be had.
    pub fn new(file: File) -> Result<FileSource> {
        let len = length(&file, &Name::Unknown)?;
        Ok(FileSource::of(file, len, Name::Unknown))
    }

    /// Reads an open file whose length was just asked for.
    pub(crate) fn measured(file: File, len: u64, path: std::path::PathBuf) -> FileSource {
        FileSource::of(file, len, Name::Path(path))
    }

    fn of(file: File, len: u64, name: Name) -> FileSource {
        FileSource {
            file: Arc::new(Positioned::new(file)),
            len,
            name,
            #[cfg(feature = "map")]
            map: None,
        }
    }

    /// The same file, which is mapped into memory as soon as all of its bytes are requested at once, and not before: reads
    /// go by position. Clones share the map.
    ///
    /// ```
    /// use dudley::bytes::{FileSource, Source};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("bytes");
    /// std::fs::write(&path, b"abc").expect("it is written");
    /// // SAFETY: nobody changes the file.
    /// let file = unsafe { FileSource::open(&path)?.mapped_on_demand() };
    /// assert_eq!((file.bytes(), file.load()?), (None, Some(&b"abc"[..])));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Safety
    /// As for [`MapSource::new`](crate::bytes::MapSource::new), from when it is mapped on.
    #[cfg(feature = "map")]
    #[must_use]
    pub unsafe fn mapped_on_demand(self) -> FileSource {
        FileSource { map: Some(Arc::default()), ..self }
    }

    /// Closes the file; its path is given back.
    pub(crate) fn into_path(self) -> std::path::PathBuf {
        match self.name {
            Name::Path(path) => path,
            Name::Unknown => std::path::PathBuf::new(),
        }
    }

    /// The path by which it was opened, if it was.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// std::fs::write(&path, b"abc").expect("space");
    /// assert_eq!(dudley::bytes::FileSource::open(&path)?.path(), Some(&*path));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn path(&self) -> Option<&Path> {
        match &self.name {
            Name::Path(path) => Some(path),
            Name::Unknown => None,
        }
    }

    /// The same file with the length that it has now.
    pub(crate) fn of_now(&self) -> Result<FileSource> {
        Ok(FileSource { len: length(self.file.file(), &self.name)?, ..self.clone() })
    }

    /// What it is called in messages.
    pub(crate) fn name(&self) -> impl std::fmt::Display {
        &self.name
    }
}

fn length(file: &File, name: &Name) -> Result<u64> {
    match file.metadata() {
        Ok(metadata) => Ok(metadata.len()),
        Err(error) => Err(Error::io(format!("cannot get the size of {name}"), error)),
    }
}

impl Source for FileSource {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        let needed = buf.len() as u64;
        check(self.len, address, needed)?;
        let read = self
            .file
            .read_at(address, buf)
            .map_err(|error| Error::io(format!("cannot read {}", self.name), error))?;
        if read < buf.len() {
            Err(Error::Shortened {
                item: crate::error::Item::UNKNOWN,
                file: self.name.to_string().into(),
                address,
                needed,
                available: read as u64,
            })
        } else {
            Ok(())
        }
    }

    #[cfg(feature = "map")]
    fn load(&self) -> Result<Option<&[u8]>> {
        let Some(map) = &self.map else { return Ok(None) };
        if map.get().is_none() {
            // SAFETY: the map is only read, and who asked for it to be mapped on demand answers for that nobody changes
            // the file.
            let made = unsafe { memmap2::Mmap::map(self.file.file()) };
            let made =
                made.map_err(|error| Error::io(format!("cannot map {}", self.name), error))?;
            let _ = map.set(made);
        }
        // As long as it was when it was opened: it may have grown, and addresses behind that are none of it.
        map.get().map(|bytes| slice(bytes, 0, self.len)).transpose()
    }

    fn is_hole(&self, address: u64, length: u64) -> bool {
        self.file.data_from(address).is_some_and(|data| data >= address.saturating_add(length))
    }
}

/// A part of another source: a stream inside a larger file.
///
/// Its address 0 is `base` of the inner source.
///
/// ```
/// use dudley::bytes::{Source, Window};
///
/// let file = vec![9_u8, 9, 1, 2, 3, 9];
/// let stream = Window::new(file, 2, 3)?;
/// assert_eq!(stream.bytes(), Some(&[1, 2, 3][..]));
/// # Ok::<(), dudley::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Window<S> {
    inner: S,
    base: u64,
    len: u64,
}

impl<S: Source> Window<S> {
    /// The `len` bytes of `inner` from `base` on.
    ///
    /// # Errors
    /// [`Error::Truncated`] when `inner` does not have them all, or ends before `base`.
    pub fn new(inner: S, base: u64, len: u64) -> Result<Window<S>> {
        rest(inner.len(), base)?;
        check(inner.len(), base, len)?;
        Ok(Window { inner, base, len })
    }

    /// All of `inner` from `base` on.
    ///
    /// # Errors
    /// [`Error::Truncated`] when `inner` ends before `base`.
    pub fn from(inner: S, base: u64) -> Result<Window<S>> {
        let len = rest(inner.len(), base)?;
        Window::new(inner, base, len)
    }

    /// Where the window begins in the inner source, in bytes.
    pub fn base(&self) -> u64 {
        self.base
    }
}

impl<S: Source> Source for Window<S> {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        check(self.len, address, buf.len() as u64)?;
        self.inner
            .read_at(self.base.saturating_add(address), buf)
            .map_err(|error| error.map_address(|address| address.saturating_sub(self.base)))
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        let mut shifted = Vec::with_capacity(ranges.len());
        for (address, buf) in ranges {
            check(self.len, *address, buf.len() as u64)?;
            shifted.push((self.base.saturating_add(*address), &mut **buf));
        }
        self.inner
            .read_ranges(&mut shifted)
            .map_err(|error| error.map_address(|address| address.saturating_sub(self.base)))
    }

    fn batch(&self) -> u64 {
        self.inner.batch()
    }

    fn is_hole(&self, address: u64, length: u64) -> bool {
        self.inner.is_hole(self.base.saturating_add(address), length)
    }

    fn bytes(&self) -> Option<&[u8]> {
        slice(self.inner.bytes()?, self.base, self.len).ok()
    }

    fn load(&self) -> Result<Option<&[u8]>> {
        self.inner.load()?.map(|bytes| slice(bytes, self.base, self.len)).transpose()
    }
}

/// Counts the reads of another source, for tests and benchmarks.
///
/// It never gives its bytes away at once, so that every read is counted.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Counted<S> {
    inner: S,
    requests: AtomicU64,
    calls: AtomicU64,
    bytes: AtomicU64,
}

impl<S: Source> Counted<S> {
    /// Counts from zero.
    pub fn new(inner: S) -> Counted<S> {
        let zero = AtomicU64::default;
        Counted { inner, requests: zero(), calls: zero(), bytes: zero() }
    }

    /// In how many calls the reads were requested.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// The number of reads.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// The number of bytes that were read.
    pub fn bytes_read(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl<S: Source> Source for Counted<S> {
    fn len(&self) -> u64 {
        self.inner.len()
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        self.read_ranges(&mut [(address, buf)])
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        let bytes: u64 = ranges.iter().map(|(_, buf)| buf.len() as u64).sum();
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.requests.fetch_add(ranges.len() as u64, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.inner.read_ranges(ranges)
    }

    fn batch(&self) -> u64 {
        self.inner.batch()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    #[cfg(feature = "map")]
    use crate::bytes::map::MapSource;

    fn each_source(contents: &[u8], test: impl Fn(&dyn Source)) {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(contents).expect("space");
        test(&contents.to_vec());
        test(&contents);
        test(&Arc::<[u8]>::from(contents));
        test(&FileSource::open(file.path()).expect("the file opens"));
        test(&FileSource::new(file.reopen().expect("reopens")).expect("the file opens"));
        #[cfg(feature = "map")]
        // SAFETY: the file is this test's alone.
        test(&unsafe { MapSource::open(file.path()) }.expect("the file maps"));
        let mut wider = vec![7; 5];
        wider.extend_from_slice(contents);
        wider.push(7);
        test(&Window::new(wider, 5, contents.len() as u64).expect("it is there"));
        test(&Counted::new(contents));
        test(&Cached::new(contents, 4, 8));
        test(&Cached::new(contents, 4, 0));
        test(&Box::new(Arc::new(contents.to_vec())));
    }

    #[test]
    fn all_sources_agree() {
        for contents in [&b"0123456789"[..], b"x", b""] {
            each_source(contents, |source| {
                let len = contents.len();
                assert_eq!(source.len(), len as u64);
                assert_eq!(source.is_empty(), contents.is_empty());
                if let Some(bytes) = source.bytes() {
                    assert_eq!(bytes, contents);
                }
                for from in 0..=len {
                    for to in from..=len {
                        let mut buf = vec![0; to - from];
                        source.read_at(from as u64, &mut buf).expect("in range");
                        assert_eq!(buf, contents[from..to]);
                    }
                }
                let (mut first, mut last) = (vec![0; len / 2], vec![0; len - len / 2]);
                let half = (len / 2) as u64;
                source.read_ranges(&mut [(half, &mut last), (0, &mut first)]).expect("in range");
                assert_eq!([first, last].concat(), contents);
                let error = source.read_ranges(&mut [(0, &mut []), (len as u64, &mut [0])]);
                assert_eq!(error.expect_err("past the end").address(), Some(len as u64));
            });
        }
    }

    #[test]
    fn a_short_read_names_its_address() {
        each_source(b"0123456789", |source| {
            for (address, needed, left) in
                [(8, 3, 2), (10, 1, 0), (11, 4, 0), (u64::MAX, 2, 0), (0, 11, 10)]
            {
                let error = source.read_at(address, &mut vec![0; needed]).expect_err("an error");
                assert!(
                    matches!(error, Error::Truncated { address: a, needed: n, available, .. }
                        if a == address && n == needed as u64 && available == left),
                    "{error:?}"
                );
            }
        });
    }

    #[test]
    fn no_bytes_can_be_read_past_the_end() {
        each_source(b"0123456789", |source| {
            for address in [10, 11, 4096, u64::MAX] {
                source.read_at(address, &mut []).expect("nothing is needed");
                source.read_ranges(&mut [(address, &mut [])]).expect("nothing is needed");
            }
        });
    }

    #[test]
    fn a_file_that_shrinks_is_no_end() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.as_file().set_len(100).expect("grows");
        let source = FileSource::open(file.path()).expect("the file opens");
        file.as_file().set_len(60).expect("shrinks");
        let error = source.read_at(50, &mut [0; 20]).expect_err("an error");
        assert!(matches!(error, Error::Shortened { address: 50, needed: 20, available: 10, .. }));
        assert!(
            error.to_string().starts_with("the file became shorter while it was read"),
            "{error}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("it runs").success());
        for path in [&*pipe, folder.path(), Path::new("/dev/null")] {
            let error = FileSource::open(path).expect_err("it is no file");
            assert!(matches!(error, Error::Io { .. }), "{error}");
        }
    }

    #[test]
    fn windows_nest_and_shift_the_addresses_of_errors() {
        let bytes: Vec<u8> = (0..100).collect();
        let outer = Window::from(bytes, 10).expect("inside");
        let inner = Window::new(outer, 20, 30).expect("inside");
        assert_eq!(inner.bytes().expect("memory")[0], 30);
        assert_eq!(inner.base(), 20);
        assert_eq!(inner.read_at(25, &mut [0; 6]).expect_err("an error").address(), Some(25));
        assert!(Window::new(inner, 20, 11).is_err());
        assert!(Window::from(vec![0_u8; 3], 4).is_err());
        assert!(Window::new(vec![0_u8; 3], 4, 0).is_err());
    }

    #[test]
    fn counted_counts() {
        let source = Counted::new(vec![0_u8; 64]);
        source.read_at(0, &mut [0; 16]).expect("in range");
        source.read_at(9, &mut [0; 5]).expect("in range");
        assert_eq!((source.requests(), source.calls(), source.bytes_read()), (2, 2, 21));
        source.read_ranges(&mut [(3, &mut [0; 2]), (9, &mut [0; 1])]).expect("in range");
        assert_eq!((source.requests(), source.calls(), source.bytes_read()), (4, 3, 24));
        assert!(source.bytes().is_none());
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = FileSource::open("/nowhere/at/all.bd").expect_err("an error");
        assert!(error.to_string().contains("`/nowhere/at/all.bd`"), "{error}");
    }
}
