//! How long reads and writes are done: by how many threads, who learns how far they are, who may stop them.
//!
//! A long read is cut into parts of some MiB. Threads take them in turn; after each part the watcher is
//! called. The calling thread does reads of less than two parts at once.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::bytes::region::Region;
use crate::bytes::source::Source;
use crate::bytes::threads;
use crate::error::{Error, Result, to_usize};

/// Bytes of a part at least: this many that threads do not wait for each other, so few that all have
/// some and a watcher hears often.
pub(crate) const PART: u64 = 4 << 20;
/// Bytes that come from memory at once.
const LINE: u64 = 64;
/// Bytes that come from a file at once.
const PAGE: u64 = 4096;

/// Learns how far a long read or write is, and may end it.
///
/// A closure will do; so will an [`AtomicBool`], which ends it when it is true.
pub trait Watch: Send + Sync {
    /// This many more bytes were read, or written. Called by the threads that do it;
    /// [`ControlFlow::Break`] ends it with [`Error::Cancelled`].
    fn progress(&self, bytes: u64) -> ControlFlow<()>;
}

impl<F: Fn(u64) -> ControlFlow<()> + Send + Sync> Watch for F {
    fn progress(&self, bytes: u64) -> ControlFlow<()> {
        self(bytes)
    }
}

impl Watch for AtomicBool {
    fn progress(&self, _: u64) -> ControlFlow<()> {
        if self.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// The options of reads of a stream, or of [writing](crate::Writer::work) one: threads, and a
/// watcher.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use dudley::{Error, Open, Work};
///
/// let done = Arc::new(AtomicU64::new(0));
/// let seen = done.clone();
/// let watch = move |bytes| match seen.fetch_add(bytes, Ordering::Relaxed) < 20_000_000 {
///     true => ControlFlow::Continue(()),
///     false => ControlFlow::Break(()),
/// };
/// let work = Work::new().threads(2).watch(Arc::new(watch));
/// let open = Open::new().layout_text("small = f8[1000]  large = f8[6000000]")?.work(work);
/// let stream = open.bytes(vec![0; 48_008_000])?;
/// assert_eq!(stream.get("/small")?.read::<f64>()?.len(), 1000);
/// assert!(matches!(stream.get("/large")?.read::<f64>(), Err(Error::Cancelled)));
/// assert!(done.load(Ordering::Relaxed) >= 20_000_000);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Work {
    /// 0 for as many as the machine runs at once.
    threads: usize,
    watch: Option<Arc<dyn Watch>>,
    /// Items of lists that may still be visited, if that is limited.
    pub(crate) items: Option<Arc<AtomicU64>>,
}

impl Work {
    /// As many threads as the machine runs at once, without a watcher.
    pub fn new() -> Work {
        Work::default()
    }

    /// This many more items of lists are visited, if that is limited.
    pub(crate) fn with_items(self, items: Option<Arc<AtomicU64>>) -> Work {
        Work { items, ..self }
    }

    /// At most this many threads for one read or write, the one that asks for it among them; 0 for as many as the
    /// machine runs at once.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Work {
        self.threads = threads;
        self
    }

    /// The watcher of each part that was read or written.
    #[must_use]
    pub fn watch(mut self, watch: Arc<dyn Watch>) -> Work {
        self.watch = Some(watch);
        self
    }

    /// Does units of work with these threads, the one that asks among them. Units are begun in their order; when
    /// one gives false no further unit is begun.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// let sum = AtomicU64::new(0);
    /// dudley::Work::new().threads(2).share(1..=100, |unit| {
    ///     sum.fetch_add(unit, Ordering::Relaxed);
    ///     true
    /// });
    /// assert_eq!(sum.into_inner(), 5050);
    /// ```
    pub fn share<U: Send>(
        &self,
        units: impl Iterator<Item = U> + Send,
        each: impl Fn(U) -> bool + Sync,
    ) {
        threads::share(self.most_threads(), units, each);
    }

    /// Reads a region part by part: `each` is given a part and as much of `dst`, of which `per` are for
    /// one element. There must be as many.
    ///
    /// # Errors
    /// [`Error::WrongLength`] for another `dst`; [`Error::Cancelled`]; those of `each`.
    pub(crate) fn parts<D: Send>(
        &self,
        source: &dyn Source,
        region: &Region,
        per: usize,
        dst: &mut [D],
        each: &(dyn Fn(&Region, &mut [D]) -> Result<()> + Sync),
    ) -> Result<()> {
        let wanted = region.len().checked_mul(per as u64);
        if wanted != Some(dst.len() as u64) {
            let size = size_of::<D>() as u64;
            let expected = wanted.unwrap_or(u64::MAX).saturating_mul(size);
            return Err(Error::wrong_length(expected, size_of_val(dst) as u64));
        }
        if !self.cuts(source, region) {
            each(region, dst)?;
            return self.done(region.byte_len());
        }
        let mut rest = dst;
        let parts = region.parts(part_of_region(source, region));
        let count = parts.total();
        let jobs = parts.map(move |part| {
            // All parts are the region, of which `dst` has as many.
            let (here, after) = std::mem::take(&mut rest).split_at_mut(part.len() as usize * per);
            rest = after;
            (part, here)
        });
        self.run(count, jobs, |(part, here)| {
            each(&part, here)?;
            Ok(part.byte_len())
        })
    }

    /// Reads a region part by part, in order.
    ///
    /// # Errors
    /// [`Error::Cancelled`]; those of `each`.
    pub(crate) fn in_order(
        &self,
        source: &dyn Source,
        region: &Region,
        mut each: impl FnMut(&Region) -> Result<()>,
    ) -> Result<()> {
        if self.watch.is_none() || !self.cuts(source, region) {
            each(region)?;
            return self.done(region.byte_len());
        }
        for part in region.parts(part_of_region(source, region)) {
            each(&part)?;
            self.done(part.byte_len())?;
        }
        Ok(())
    }

    /// Whether a region is read in parts.
    pub(crate) fn cuts(&self, source: &dyn Source, region: &Region) -> bool {
        fetched(source, region) >= 2 * part_of(source)
            && (self.watch.is_some() || self.most_threads() > 1)
    }

    /// Whether there may be more than one thread.
    pub(crate) fn is_shared(&self) -> bool {
        self.most_threads() > 1
    }

    /// The maximum number of threads for one read or write, from 1.
    pub fn most_threads(&self) -> usize {
        threads::count(self.threads)
    }

    /// Does jobs, `count` at most, each of which gives the bytes that it read, until one fails.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// let sum = AtomicU64::new(0);
    /// dudley::Work::new().run(100, 1..=100, |job| {
    ///     sum.fetch_add(job, Ordering::Relaxed);
    ///     Ok(0)
    /// })?;
    /// assert_eq!(sum.into_inner(), 5050);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Cancelled`]; the error of the first of the jobs that failed.
    pub fn run<J: Send>(
        &self,
        count: u64,
        jobs: impl Iterator<Item = J> + Send,
        each: impl Fn(J) -> Result<u64> + Sync,
    ) -> Result<()> {
        let threads = self.most_threads().min(to_usize(count).unwrap_or(usize::MAX));
        // Of the jobs under way when one fails another may fail too.
        let failed = Mutex::new(None::<(usize, Error)>);
        threads::share(threads, jobs.enumerate(), |(at, job)| {
            let Err(error) = each(job).and_then(|bytes| self.done(bytes)) else { return true };
            let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
            if failed.as_ref().is_none_or(|(first, _)| at < *first) {
                *failed = Some((at, error));
            }
            false
        });
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }

    /// Reports to the watcher that this many bytes were read or written: for code with threads of its
    /// own.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the watcher cancels the work.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::AtomicBool;
    ///
    /// let stop = Arc::new(AtomicBool::new(true));
    /// let work = dudley::Work::new().watch(stop);
    /// assert!(matches!(work.done(100), Err(dudley::Error::Cancelled)));
    /// ```
    pub fn done(&self, bytes: u64) -> Result<()> {
        match self.watch.as_ref().map(|watch| watch.progress(bytes)) {
            Some(ControlFlow::Break(())) => Err(Error::Cancelled),
            _ => Ok(()),
        }
    }
}

/// Bytes of a part of what is read from a source.
pub(crate) fn part_of(source: &dyn Source) -> u64 {
    PART.max(source.batch())
}

/// Bytes of the elements of a part of a region: fewer where much is fetched for each of them, so that a watcher hears as
/// often of a slice with steps as of what lies side by side.
fn part_of_region(source: &dyn Source, region: &Region) -> u64 {
    let most = u128::from(part_of(source)) * u128::from(region.byte_len());
    // Not more than `part_of`, for at least the elements themselves are fetched.
    (most / u128::from(fetched(source, region).max(1))) as u64
}

/// Bytes that are fetched to get the elements of a region: lines of the cache, pages of a file.
fn fetched(source: &dyn Source, region: &Region) -> u64 {
    if source.by_region() {
        return region.byte_len();
    }
    region.fetched(if source.bytes().is_some() { LINE } else { PAGE })
}

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Work").field("threads", &self.threads).finish_non_exhaustive()
    }
}
