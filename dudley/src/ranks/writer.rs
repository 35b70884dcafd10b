//! One file that all ranks write, each its part, and that appears when all of it is there.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use ndarray::{ArrayBase, Data as NdData, Dimension};

use super::aggregate::{Aggregate, Part};
use super::blocks::{Block, Blocks, slice_of};
use super::report::Report;
use super::{Communicator, Group, agree, agree::settle, first};
use crate::create::together::Placed;
use crate::create::{self, Checksum, Create};
use crate::elements::element::Element;
use crate::encode::input::Input;
use crate::error::{Error, Result};
use crate::typed::{self, Schema};

/// Creates a file that all ranks write. A collective call: all ranks give the same layout, params and path. The file
/// has a temporary name until [`Writer::finish`]; an existing file stays until then, and remains if the finish fails.
///
/// # Errors
/// [`Error::OfRank`], the same on all ranks, as [`Create::shared_aside`] and [`Create::join`]: for example other params on one.
pub fn create<'c, C: Communicator + ?Sized>(
    comm: &'c C,
    create: &Create,
    path: impl AsRef<Path>,
) -> Result<Writer<'c, C>> {
    let (made, told) = first(comm, || {
        let (writer, name) = create.aside(path.as_ref(), false)?;
        let mut told = create.identity()?.to_le_bytes().to_vec();
        told.extend(name.into_os_string().into_encoded_bytes());
        Ok((writer, told))
    })?;
    let joined = match (made, told.split_first_chunk()) {
        (Some(writer), _) => Ok(writer),
        (None, Some((identity, name))) => path_of(name.to_vec())
            .and_then(|name| create.join_new(name, u32::from_le_bytes(*identity))),
        (None, None) => Err(Error::wrong_length(4, told.len() as u64)),
    };
    // Dropped if another rank has failed; the temporary file goes with the writer of rank 0.
    let writer = agree(comm, joined)?;
    Ok(Writer {
        comm,
        writer,
        group: None,
        blocks: RefCell::default(),
        failed: RefCell::default(),
        settled: Cell::new(false),
    })
}

/// The path that rank 0 has sent.
fn path_of(name: Vec<u8>) -> Result<PathBuf> {
    // What is no UTF-8 has no form that is the same on all machines.
    String::from_utf8(name).map(PathBuf::from).map_err(|error| Error::WrongValue {
        item: crate::error::Item::UNKNOWN,
        expected: "the name of a file in UTF-8".into(),
        found: format!("`{}`", String::from_utf8_lossy(error.as_bytes())).into(),
    })
}

/// Writes a file together with other ranks: see [`create()`](super::create()). Writing is no collective call, and sends nothing,
/// unless ranks [aggregate](Self::aggregate) their blocks.
///
/// A writer that is dropped without [`Self::finish`], for example by `?` after an error, still takes part in the
/// finish of the others: they return an error, and none of them waits for ever.
#[must_use = "nothing appears before all ranks have finished it"]
pub struct Writer<'c, C: Communicator + ?Sized> {
    comm: &'c C,
    writer: create::Writer,
    /// The ranks that write together.
    group: Option<Aggregate>,
    /// The blocks that this rank has written, by item, with how many elements of it.
    blocks: RefCell<BTreeMap<(String, Blocks), u64>>,
    /// The first error of this rank.
    failed: RefCell<Option<Report>>,
    settled: Cell<bool>,
}

impl<C: Communicator + ?Sized> Writer<'_, C> {
    /// Lets one rank write the blocks of its group: [`Self::write_block`] of the other ranks sends their elements to the first
    /// rank of the group, which writes what is side by side as one write. The file is the same. This helps where few large
    /// writes are faster than many small ones from many ranks, as on some parallel file systems; on a local disk it only
    /// adds messages.
    ///
    /// [`Self::write_block`] is then a collective call of the group: its ranks write the same blocks in the same order, also a
    /// rank without elements. A rank that fails may leave out the rest and finish or drop the writer, as others do not wait for
    /// it. [`Self::write`] is as before. All ranks call this first, each with its group, of the communicator that the
    /// file was created with.
    ///
    /// The first rank of a group holds a window of the array at a time: at most 16 MiB and 2,097,152 elements, once as it is
    /// received and once as it is written; other ranks hold their part of it.
    ///
    /// ```
    /// use dudley::create::Create;
    /// use dudley::ndarray::Array2;
    /// use dudley::ranks::{self, Blocks, Communicator, Group};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("rho.bd");
    /// let create = Create::text("rho = f8[100, 60]")?;
    /// let written = ranks::threads(4, |comm| -> dudley::Result<()> {
    ///     let blocks = Blocks::new(&[100, 60], &[2, 2])?;
    ///     let rho = Array2::from_elem((50, 30), comm.rank() as f64);
    ///     let group = Group::new(comm, 2)?; // ranks 0 and 1 have the upper half, ranks 2 and 3 the lower one
    ///     let writer = ranks::create(comm, &create, &path)?.aggregate(&group);
    ///     writer.write_block("/rho", &blocks, &rho)?; // two writes of 24,000 bytes in all
    ///     writer.finish()
    /// });
    /// written.into_iter().collect::<dudley::Result<()>>()?;
    /// assert_eq!(dudley::Stream::open(&path)?.get("/rho")?.read::<f64>()?[[99, 0]], 2.0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn aggregate(mut self, group: &Group<'_, C>) -> Self {
        // One rank alone has nobody to write for.
        self.group = (group.ranks().len() > 1).then(|| Aggregate::new(group.ranks()));
        self
    }

    /// The writer of this rank alone, which is not to be finished.
    pub fn alone(&self) -> &create::Writer {
        &self.writer
    }

    /// The same through the types made from the layout, for a file that is created with [`typed::Create::of`].
    ///
    /// ```
    /// use dudley::ndarray::array;
    /// use dudley::ranks::{self, Communicator};
    /// use dudley::typed::Create;
    ///
    /// dudley::layout!(mod run = "N : i8  step = i8  rho = f8[N]");
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let write = |comm: &dyn Communicator, ranks: usize| {
    ///     let create = Create::new().of::<run::Layout>(&run::Params { n: 6 })?;
    ///     let writer = ranks::create(comm, &create, &path)?;
    ///     let items = writer.typed::<run::Layout>()?;
    ///     if comm.rank() == 0 {
    ///         items.step().write(7)?;
    ///     }
    ///     if comm.rank() < ranks {
    ///         items.rho().write_rows(2 * comm.rank(), &array![1.5, comm.rank() as f64])?;
    ///     }
    ///     writer.finish()
    /// };
    /// // What no rank writes is named on all of them.
    /// for missing in ranks::threads(3, |comm| write(comm, 2)) {
    ///     assert!(missing.unwrap_err().to_string().contains("/rho"));
    /// }
    /// for written in ranks::threads(3, |comm| write(comm, 3)) {
    ///     written?;
    /// }
    /// let run = run::Reader::open(&path)?;
    /// assert_eq!(run.rho().read()?, array![1.5, 0.0, 1.5, 1.0, 1.5, 2.0]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Incompatible`] for another layout.
    pub fn typed<S: Schema>(&self) -> Result<typed::Writer<S>> {
        typed::Writer::over(&self.writer)
    }

    /// Writes an item or a part of one, as [`create::Writer::write`]. Ranks must write different elements, or the
    /// same values.
    ///
    /// # Errors
    /// As that. [`Self::finish`] returns it on all ranks.
    pub fn write<'a>(&self, path: &str, input: impl Into<Input<'a>>) -> Result<()> {
        self.noted(self.writer.write(path, input).map_err(|error| error.of_path(path)))
    }

    /// Writes the block of this rank. `array` has its [shape in memory](super::Block::memory_shape), with ghost cells,
    /// which are not written. A rank without a block writes nothing.
    ///
    /// A collective call of the group if ranks [aggregate](Self::aggregate) their blocks.
    ///
    /// # Errors
    /// [`Error::WrongShape`]; as [`Self::write`]. With a group, errors of writing are those of its first rank.
    pub fn write_block<T: Element, S: NdData<Elem = T>, D: Dimension>(
        &self,
        path: &str,
        blocks: &Blocks,
        array: &ArrayBase<S, D>,
    ) -> Result<()> {
        let wrote = match &self.group {
            None => self.put_block(path, blocks, array),
            Some(group) => self.put_block_together(group, path, blocks, array),
        };
        self.noted(wrote.map_err(|error| error.of_path(path)))
    }

    /// The block of this rank, after its shape was compared; `None` if it has none.
    fn block(
        &self,
        path: &str,
        shape: &[u64],
        blocks: &Blocks,
        in_memory: &[usize],
    ) -> Result<Option<Block>> {
        if !shape.starts_with(blocks.shape()) {
            return Err(Error::wrong_shape(path, shape, blocks.shape()));
        }
        if !blocks.has(self.comm.rank()) {
            return Ok(None);
        }
        let block = blocks.block(self.comm.rank());
        block.check(path, in_memory)?;
        Ok(Some(block))
    }

    fn put_block<T: Element, S: NdData<Elem = T>, D: Dimension>(
        &self,
        path: &str,
        blocks: &Blocks,
        array: &ArrayBase<S, D>,
    ) -> Result<()> {
        let shape = self.writer.get(path)?.shape()?;
        let Some(block) = self.block(path, &shape, blocks, array.shape())? else { return Ok(()) };
        let elements = block.elements();
        let mut count = 0;
        if !block.is_empty() {
            let array = array.view().into_dyn();
            let own = block.slice_in_memory(&elements, array.ndim());
            let own = array.slice(&own[..]);
            count = own.len() as u64;
            self.writer.write(&slice_of(path, &elements), &own)?;
        }
        self.blocks.borrow_mut().insert((path.to_owned(), blocks.bare()), count);
        Ok(())
    }

    /// Writes the block of this rank with those of others.
    fn put_block_together<T: Element, S: NdData<Elem = T>, D: Dimension>(
        &self,
        group: &Aggregate,
        path: &str,
        blocks: &Blocks,
        array: &ArrayBase<S, D>,
    ) -> Result<()> {
        let item = match self.writer.placed(path) {
            // On all ranks, since their layout and params are the same.
            Ok(None) => return self.put_block(path, blocks, array),
            Ok(Some(item)) => Ok(item),
            Err(error) => Err(error),
        };
        let array = array.view().into_dyn();
        let mine = blocks.block(self.comm.rank());
        let slice = |elements: &[Range<u64>]| {
            let own = mine.slice_in_memory(elements, array.ndim());
            array.slice(&own[..])
        };
        let encode = |item: &Placed, elements: &[Range<u64>]| {
            item.encode(elements, &Input::from(&slice(elements)))
        };
        let part = item.and_then(|item| {
            if let Some(block) = self.block(path, item.shape(), blocks, array.shape())? {
                let mut elements = block.elements();
                if !block.is_empty() {
                    elements.extend(item.shape().iter().skip(elements.len()).map(|dim| 0..*dim));
                    item.check(&elements, &Input::from(&slice(&block.elements())))?;
                }
            }
            Ok(Part { path, blocks, item, encode: &encode })
        });
        group.write(self.comm, part)?;
        if blocks.has(self.comm.rank()) {
            // Its ranges are not known here, and the block says which they are.
            self.blocks.borrow_mut().insert((path.to_owned(), blocks.bare()), 0);
        }
        Ok(())
    }

    /// Reports that this rank has failed for another reason, such as an error of its computation: [`Self::finish`]
    /// tells all ranks.
    pub fn fail(&self, error: &Error) {
        let mut failed = self.failed.borrow_mut();
        if failed.is_none() {
            let mut report = Report::default();
            report.fail(self.comm.rank(), error);
            *failed = Some(report);
        }
    }

    fn noted<T>(&self, result: Result<T>) -> Result<T> {
        result.inspect_err(|error| self.fail(error))
    }

    /// Completes the file. The data of each rank becomes durable. If no rank has failed and every element was
    /// written, the signature follows, and the file gets its name. A collective call.
    ///
    /// # Errors
    /// [`Error::OfRank`], the same on all ranks: the first error of the lowest failed rank, or the missing elements.
    /// The new file is removed then, and an existing one stays.
    pub fn finish(self) -> Result<()> {
        self.settle().map(|_| ())
    }

    /// As [`Self::finish`]; returns the checksum of the file to all ranks, if all were [asked for it](Create::checksum) and
    /// it is [known](create::Writer::checksum). No rank reads the file: each sums what it has written, and their sums are
    /// added.
    ///
    /// ```
    /// use dudley::create::Create;
    /// use dudley::ranks::{self, Communicator};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("x.bd");
    /// let create = Create::text("x = f8[4]")?.checksum(true);
    /// let known = ranks::threads(4, |comm| -> dudley::Result<_> {
    ///     let writer = ranks::create(comm, &create, &path)?;
    ///     writer.write(&format!("/x[{}]", comm.rank()), 0.5)?;
    ///     writer.finish_summed()
    /// });
    /// for checksum in known {
    ///     assert_eq!(checksum?.map(|it| it.bytes), std::fs::metadata(&path).ok().map(|it| it.len()));
    /// }
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::finish`].
    pub fn finish_summed(self) -> Result<Option<Checksum>> {
        self.settle()
    }

    fn settle(&self) -> Result<Option<Checksum>> {
        self.settled.set(true);
        if let Some(Err(error)) = self.group.as_ref().map(|group| group.end(self.comm)) {
            self.fail(&error);
        }
        let settled = settle(self.comm, self.report(), |report| self.complete(&report));
        // Of a file that is complete nothing is taken away.
        self.writer.abort();
        settled.map(|told| heard(&told))
    }

    /// The report of this rank.
    fn report(&self) -> Report {
        if let Some(failed) = self.failed.take() {
            return failed;
        }
        let mut report = Report::default();
        if let Err(error) = self.writer.sync() {
            report.fail(self.comm.rank(), &error);
            return report;
        }
        let mut coverage = self.writer.coverage();
        if self.comm.rank() == 0 {
            // Its writer completes the file, and knows them already.
            coverage.forget_checksum();
        }
        for ((path, blocks), written) in self.blocks.take() {
            // Where the block is all that this rank has written of the item, its ranges say nothing more.
            // An item without ranges is written whole, by other calls.
            let of_block = coverage.items().any(|(it, ranges)| {
                let count = |all: &[std::ops::Range<u64>]| {
                    all.iter().map(|it| it.end - it.start).sum::<u64>()
                };
                it == path && ranges.is_some_and(|all| count(all) == written)
            });
            if of_block {
                coverage.remove(&path);
            }
            report.push_block(path, blocks, self.comm.rank() as u64);
        }
        report.coverage = coverage;
        report
    }

    /// Finishes the file on rank 0, which knows what all of them have written.
    fn complete(&self, report: &Report) -> Result<Vec<u8>> {
        self.writer.cover_known(&report.coverage)?;
        let mut absent = None;
        for ((path, blocks), ranks) in &report.blocks {
            let count = blocks.count();
            if ranks.iter().map(|it| it.end - it.start).sum::<u64>() == count {
                self.writer.mark(path)?;
                continue;
            }
            // The first rank that has not written its block.
            absent = absent
                .or(Some(ranks.first().map_or(0, |it| if it.start == 0 { it.end } else { 0 })));
            for rank in ranks.iter().flat_map(Clone::clone) {
                let block = blocks.block(rank as usize);
                if !block.is_empty() {
                    self.writer.mark(&slice_of(path, &block.elements()))?;
                }
            }
        }
        match self.writer.finish() {
            Ok(()) => Ok(self.writer.checksum().map_or_else(Vec::new, told)),
            Err(error @ Error::Missing { .. }) => {
                Err(Error::OfRank { rank: absent, why: error.to_string().into() })
            }
            Err(error) => Err(error),
        }
    }
}

/// A checksum as bytes, to be sent.
fn told(checksum: Checksum) -> Vec<u8> {
    [&checksum.bytes.to_le_bytes()[..], &checksum.crc32c.to_le_bytes()].concat()
}

fn heard(told: &[u8]) -> Option<Checksum> {
    let (bytes, rest) = told.split_first_chunk()?;
    let (crc32c, _) = rest.split_first_chunk()?;
    Some(Checksum { bytes: u64::from_le_bytes(*bytes), crc32c: u32::from_le_bytes(*crc32c) })
}

impl<C: Communicator + ?Sized> Drop for Writer<'_, C> {
    fn drop(&mut self) {
        if self.settled.get() {
            return;
        }
        let why = "its writer was dropped and not finished";
        let rank = Some(self.comm.rank() as u64);
        self.fail(&Error::OfRank { rank, why: why.into() });
        // Others return the error; here is nobody to take it.
        let _ = self.settle();
    }
}

impl<C: Communicator + ?Sized> fmt::Debug for Writer<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Writer");
        shown.field("rank", &self.comm.rank()).field("writer", &self.writer);
        shown.finish_non_exhaustive()
    }
}
