//! Objects of stores that serve ranges of them: HTTP servers, S3, GCS, Azure, folders.
//!
//! A request takes a journey, so there should be few: ranges that are near are requested together,
//! several requests are under way at once, and small reads bring a block that is kept for the next
//! ones. Clients, credentials and retries are those of [`object_store`]. Its futures run on a thread of
//! their own, so that a [`StoreSource`] is a [`Source`] as any other.
//!
//! Credentials come from the environment, under the names that each store's own tools use.

mod address;
mod plan;
mod runtime;

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
pub use object_store;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, GetResult, GetResultPayload, ObjectMeta, ObjectStore};

use crate::bytes::source::{Cached, Source, check};
use crate::error::{Error, Result, StoreFault};

/// Bytes of a block that is kept: a request takes about as long for all of them as for one.
const BLOCK: u64 = 64 << 10;

/// The options of reads from an object of a store.
///
/// ```
/// use std::sync::Arc;
///
/// use dudley::Open;
/// use dudley::bytes::StoreOptions;
/// use dudley::bytes::object_store::local::LocalFileSystem;
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # std::fs::write(folder.path().join("run.bd"), [0, 7, 0, 8]).expect("space");
/// let store = LocalFileSystem::new_with_prefix(folder.path()).expect("a folder");
/// let object = StoreOptions::new().cache(1 << 20).object(Arc::new(store), "run.bd")?;
/// let stream = Open::new().layout_text("x = >u2[2]")?.source(object)?;
/// assert_eq!(stream.get("/x")?.read::<u16>()?.as_slice(), Some(&[7, 8][..]));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct StoreOptions {
    gap: u64,
    cache: u64,
    request: u64,
    at_once: usize,
    retries: usize,
    timeout: Duration,
}

impl Default for StoreOptions {
    fn default() -> Self {
        StoreOptions {
            gap: 256 << 10,
            cache: 8 << 20,
            request: 4 << 20,
            at_once: 8,
            retries: 6,
            timeout: Duration::from_secs(30),
        }
    }
}

impl StoreOptions {
    /// Gaps of up to 256 KiB are read, too; the cache keeps 8 MiB; a request has at most 4 MiB; 8
    /// requests run at once; each is repeated up to 6 times, and may take 30 seconds.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ranges that are closer than this many bytes are requested together.
    #[must_use]
    pub fn gap(mut self, bytes: u64) -> Self {
        self.gap = bytes;
        self
    }

    /// The size of the cache of small reads in bytes; the least recently used bytes go first. With 0
    /// there is no cache, and no unneeded byte is requested.
    #[must_use]
    pub fn cache(mut self, bytes: u64) -> Self {
        self.cache = bytes;
        self
    }

    /// Bytes of one request at most; more are requested by several.
    #[must_use]
    pub fn request(mut self, bytes: u64) -> Self {
        self.request = bytes.max(1);
        self
    }

    /// This many requests are under way at once.
    #[must_use]
    pub fn at_once(mut self, requests: usize) -> Self {
        self.at_once = requests.max(1);
        self
    }

    /// How often a failed request is repeated, for objects opened by [`Self::url`].
    #[must_use]
    pub fn retries(mut self, retries: usize) -> Self {
        self.retries = retries;
        self
    }

    /// The time limit of a request, for objects opened by [`Self::url`].
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// An object by its address: `file:///…`; with the feature `store-http` `https://…` and
    /// `http://…`, with `store-aws` `s3://…`, with `store-gcp` `gs://…`, with `store-azure` `az://…`.
    ///
    /// # Errors
    /// [`Error::StoreAddress`] for an address that cannot be used; as [`Self::object`].
    pub fn url(self, address: &str) -> Result<StoreSource> {
        let (store, path) = address::parse(address, &self)?;
        self.open(store, path, address.to_owned())
    }

    /// An object of a store.
    ///
    /// # Errors
    /// [`Error::StoreAddress`] for a path that none can have; [`Error::Store`] if the store does not
    /// tell how long the object is.
    pub fn object(self, store: Arc<dyn ObjectStore>, path: &str) -> Result<StoreSource> {
        let path = Path::parse(path).map_err(|error| Error::store_address(path, &error))?;
        let name = path.to_string();
        self.open(store, path, name)
    }

    fn open(self, store: Arc<dyn ObjectStore>, path: Path, name: String) -> Result<StoreSource> {
        let (asked, at) = (store.clone(), path.clone());
        let head = GetOptions { head: true, ..GetOptions::default() };
        let found = runtime::run(async move { asked.get_opts(&at, head).await });
        let meta = found
            .and_then(|found| found.map_err(StoreFault::refused))
            .map_err(|fault| Error::store(&name, 0..0, fault))?
            .meta;
        let object = Arc::new(Object { store, path, meta });
        let cache = self.cache;
        let requests = Requests { object, name, options: self };
        Ok(StoreSource { requests: Cached::new(requests, BLOCK, cache) })
    }
}

/// An object of a store. It is the one of the moment when it was opened: if another one takes its
/// place, reads fail.
#[derive(Debug)]
pub struct StoreSource {
    requests: Cached<Requests>,
}

/// Each read is of its own requests.
#[derive(Debug)]
struct Requests {
    object: Arc<Object>,
    /// As errors call it.
    name: String,
    options: StoreOptions,
}

#[derive(Debug)]
struct Object {
    store: Arc<dyn ObjectStore>,
    path: Path,
    /// As it was when it was opened.
    meta: ObjectMeta,
}

impl StoreSource {
    /// An object by its address. See [`StoreOptions::url`].
    ///
    /// # Errors
    /// As [`StoreOptions::url`].
    pub fn open(address: &str) -> Result<StoreSource> {
        StoreOptions::new().url(address)
    }

    /// Whether there is a store for an address, though perhaps not in this build: see [`StoreOptions::url`].
    ///
    /// ```
    /// use dudley::bytes::StoreSource;
    ///
    /// assert!(StoreSource::is_address("s3://bucket/run.bd"));
    /// assert!(!StoreSource::is_address("memory://run.bd") && !StoreSource::is_address("run.bd"));
    /// ```
    pub fn is_address(address: &str) -> bool {
        address::is_known(address)
    }
}

impl Requests {
    /// The bytes of requests, in the order of these.
    fn fetch(&self, requests: Vec<Range<u64>>) -> Result<Vec<Vec<u8>>> {
        let (object, at_once) = (self.object.clone(), self.options.at_once);
        let all = requests.first().map_or(0, |range| range.start)
            ..requests.last().map_or(0, |range| range.end);
        let answers = runtime::run(async move {
            let gets = requests.into_iter().map(|range| {
                let object = object.clone();
                async move { (range.clone(), object.get(range).await) }
            });
            futures_util::stream::iter(gets).buffered(at_once).collect::<Vec<_>>().await
        });
        let answers = answers.map_err(|fault| Error::store(&self.name, all, fault))?;
        let named = |(range, answer): (Range<u64>, Result<Vec<u8>, StoreFault>)| {
            answer.map_err(|fault| Error::store(&self.name, range, fault))
        };
        answers.into_iter().map(named).collect()
    }

    /// Fills several buffers with what is requested, in as few requests as the gaps allow.
    fn read_exactly(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        let wanted = ranges.iter().filter(|(_, buf)| !buf.is_empty());
        let wanted = wanted.map(|(address, buf)| *address..*address + buf.len() as u64);
        let requests = plan::requests(wanted.collect(), self.options.gap, self.options.request);
        // What is under way at once is all that is held in memory besides the buffers.
        for requests in requests.chunks(self.options.at_once) {
            let answers = self.fetch(requests.to_vec())?;
            for (request, bytes) in requests.iter().zip(&answers) {
                for (address, buf) in ranges.iter_mut() {
                    plan::copy(request.start, bytes, *address, buf);
                }
            }
        }
        Ok(())
    }
}

impl Source for Requests {
    fn len(&self) -> u64 {
        self.object.meta.size
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        self.read_ranges(&mut [(address, buf)])
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        for (address, buf) in ranges.iter() {
            check(self.len(), *address, buf.len() as u64)?;
        }
        self.read_exactly(ranges)
    }

    fn batch(&self) -> u64 {
        self.options.request.saturating_mul(self.options.at_once as u64)
    }
}

impl Source for StoreSource {
    fn len(&self) -> u64 {
        self.requests.len()
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        self.requests.read_at(address, buf)
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        self.requests.read_ranges(ranges)
    }

    fn batch(&self) -> u64 {
        self.requests.batch()
    }
}

impl Object {
    /// The bytes of a range, all of them, of the object that was opened.
    async fn get(&self, range: Range<u64>) -> Result<Vec<u8>, StoreFault> {
        let options = GetOptions {
            range: Some(GetRange::Bounded(range.clone())),
            // Weak tags are equal to none, not even themselves.
            if_match: self.meta.e_tag.clone().filter(|tag| !tag.starts_with("W/")),
            ..GetOptions::default()
        };
        let answer = match self.store.get_opts(&self.path, options).await {
            Err(object_store::Error::Precondition { .. }) => {
                return Err(StoreFault::Changed { what: "another tag".into() });
            }
            answer => answer.map_err(StoreFault::refused)?,
        };
        self.check_same(&answer.meta)?;
        let bytes = collect(answer, range.end - range.start).await?;
        match bytes.len() as u64 {
            found if found == range.end - range.start => Ok(bytes),
            found => Err(StoreFault::Short { found }),
        }
    }

    /// Checks that an answer is about the object that was opened.
    fn check_same(&self, now: &ObjectMeta) -> Result<(), StoreFault> {
        let then = &self.meta;
        let changed = |what: String| Err(StoreFault::Changed { what: what.into() });
        if now.size != then.size {
            return changed(format!("{} bytes, not {}", now.size, then.size));
        }
        match (&now.e_tag, &then.e_tag) {
            (Some(now), Some(then)) if now != then => changed(format!("the tag {now}, not {then}")),
            (None, None) if now.last_modified != then.last_modified => {
                changed(format!("the time {}, not {}", now.last_modified, then.last_modified))
            }
            _ => Ok(()),
        }
    }
}

/// The bytes of an answer, but not more than one byte too many.
async fn collect(answer: GetResult, most: u64) -> Result<Vec<u8>, StoreFault> {
    if let GetResultPayload::File(..) = answer.payload {
        return answer.bytes().await.map(Vec::from).map_err(StoreFault::refused);
    }
    let mut bytes = Vec::new();
    let mut pieces = answer.into_stream();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(StoreFault::refused)?;
        let room = (most + 1).saturating_sub(bytes.len() as u64);
        bytes.extend_from_slice(&piece[..piece.len().min(room as usize)]);
        if bytes.len() as u64 > most {
            break;
        }
    }
    Ok(bytes)
}
