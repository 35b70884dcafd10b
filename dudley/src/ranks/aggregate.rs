//! One writer for a group of ranks: the others send it their blocks, and it writes them together.
//!
//! For each block a rank sends a head, and then its elements in windows of the blocks of all ranks of the group: the writer has
//! one window at a time in memory. Nothing is answered. A rank that fails says so in place of a block, and one that has finished or
//! dropped the file says that it ends; so the writer never waits for what does not come. The finish reports errors.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

use super::Communicator;
use super::blocks::Blocks;
use super::report::Report;
use super::windows::{common, windows};
use crate::create::together::{Placed, Ranges};
use crate::error::{Error, Result};

/// The bytes of a window, at most, if an element is not larger.
const MOST_BYTES: u64 = 16 << 20;
/// The elements of a window, at most: each may be written by itself, which takes memory to note.
const MOST_ELEMENTS: u64 = 2 << 20;
/// Messages begin with this byte. None is one with which those of collective calls begin.
const BLOCK: u8 = 2;
const END: u8 = 3;

/// The ranks of a group, and how far they are.
pub(super) struct Aggregate {
    /// The first one writes.
    ranks: Vec<usize>,
    /// Those that send nothing more, as the writer knows.
    ended: RefCell<BTreeSet<usize>>,
}

/// Gives the bytes of some elements of the block of this rank.
pub(super) type Encode<'p> = &'p dyn Fn(&Placed, &[Range<u64>]) -> Result<Vec<u8>>;

/// The block of this rank.
pub(super) struct Part<'p> {
    pub(super) path: &'p str,
    pub(super) blocks: &'p Blocks,
    pub(super) item: Placed,
    pub(super) encode: Encode<'p>,
}

impl Part<'_> {
    /// The elements of a rank in all dimensions of the item; `None` if it has none.
    fn elements(&self, rank: usize) -> Option<Ranges> {
        let block = self.blocks.block(rank);
        let mut elements = block.elements();
        elements.extend(self.item.shape().iter().skip(elements.len()).map(|dim| 0..*dim));
        let has_bytes = self.item.size() > 0 && self.blocks.has(rank);
        (has_bytes && elements.iter().all(|it| !it.is_empty())).then_some(elements)
    }

    /// Windows of all that some ranks have: they are the same on all of these.
    fn windows(&self, ranks: &[usize]) -> impl Iterator<Item = Ranges> + use<> {
        let both = |a: Ranges, b: Ranges| -> Ranges {
            a.iter().zip(&b).map(|(a, b)| a.start.min(b.start)..a.end.max(b.end)).collect()
        };
        let all = ranks.iter().filter_map(|rank| self.elements(*rank)).reduce(both);
        let most = (MOST_BYTES / self.item.size().max(1)).clamp(1, MOST_ELEMENTS);
        all.into_iter().flat_map(move |all| windows(all, most))
    }

    /// What the head of a block says of it.
    fn key(&self) -> (String, Blocks) {
        (self.path.to_owned(), self.blocks.bare())
    }
}

/// What comes next from a rank.
enum Next {
    /// As many messages with elements of a block.
    Block { of: (String, Blocks), messages: u64 },
    /// Its block is wrong, as it knows.
    Failed,
    /// Nothing more.
    End,
}

impl Aggregate {
    pub(super) fn new(ranks: &[usize]) -> Aggregate {
        Aggregate { ranks: ranks.to_vec(), ended: RefCell::default() }
    }

    /// Writes the blocks of all ranks of the group, each of which calls this with its own, or with why it has none.
    pub(super) fn write<C: Communicator + ?Sized>(
        &self,
        comm: &C,
        part: Result<Part<'_>>,
    ) -> Result<()> {
        if comm.rank() == self.ranks[0] { self.take(comm, part) } else { self.send(comm, part) }
    }

    /// Sends the block of this rank.
    fn send<C: Communicator + ?Sized>(&self, comm: &C, part: Result<Part<'_>>) -> Result<()> {
        let (rank, writer) = (comm.rank(), self.ranks[0]);
        let head = |messages: usize, report: &Report| {
            let mut head = vec![BLOCK];
            head.extend((messages as u64).to_le_bytes());
            head.extend(report.to_bytes());
            comm.send(writer, &head)
        };
        let mut report = Report::default();
        let part = match part {
            Ok(part) => part,
            Err(error) => {
                report.fail(rank, &error);
                head(0, &report)?;
                return Err(error);
            }
        };
        let (path, blocks) = part.key();
        report.push_block(path, blocks, rank as u64);
        let mine = part.elements(rank);
        let boxes = part.windows(&self.ranks).filter_map(|window| common(mine.as_ref()?, &window));
        let boxes: Vec<Ranges> = boxes.collect();
        head(boxes.len(), &report)?;
        let mut wrong = None;
        for elements in boxes {
            // The writer waits for as many messages as the head said, whatever comes between.
            let bytes = match wrong {
                None => (part.encode)(&part.item, &elements),
                Some(_) => Ok(Vec::new()),
            };
            comm.send(
                writer,
                &bytes.unwrap_or_else(|error| {
                    wrong = Some(error);
                    Vec::new()
                }),
            )?;
        }
        wrong.map_or(Ok(()), Err)
    }

    /// Takes the blocks of all ranks, and writes them.
    fn take<C: Communicator + ?Sized>(&self, comm: &C, part: Result<Part<'_>>) -> Result<()> {
        let mut wrong = None;
        let mut senders = BTreeSet::new();
        for rank in &self.ranks[1..] {
            match self.next(comm, *rank) {
                Ok(Next::Block { of, messages }) => {
                    if part.as_ref().is_ok_and(|part| self.is_same(part, *rank, &of, messages)) {
                        senders.insert(*rank);
                        continue;
                    }
                    drain(comm, *rank, messages)?;
                    if let Ok(part) = &part {
                        wrong = wrong.or_else(|| Some(other_call(*rank, &of, Some(part.path))));
                    }
                }
                // Its own error is reported by the finish, and so is a block that it did not write.
                Ok(Next::Failed | Next::End) => {}
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        let part = part?;
        let mut joined = Vec::new();
        for window in part.windows(&self.ranks) {
            let mut parts = Vec::new();
            for rank in &self.ranks {
                let is_mine = *rank == comm.rank();
                let elements = part.elements(*rank).filter(|_| is_mine || senders.contains(rank));
                let Some(elements) = elements.and_then(|it| common(&it, &window)) else { continue };
                let bytes = if is_mine {
                    (part.encode)(&part.item, &elements)
                } else {
                    comm.receive(*rank).inspect_err(|_| {
                        senders.remove(rank);
                    })
                };
                match bytes {
                    // The rank has an error of its own.
                    Ok(bytes) if bytes.is_empty() => {}
                    Ok(bytes) => parts.push((elements, bytes)),
                    Err(error) => wrong = wrong.or(Some(error)),
                }
            }
            // What others send is taken to its end, also where it is not written any more.
            if wrong.is_none() {
                wrong = part.item.write(&parts, &mut joined).err();
            }
        }
        wrong.map_or(Ok(()), Err)
    }

    /// Whether a rank sends its part of what this one writes.
    fn is_same(&self, part: &Part<'_>, rank: usize, of: &(String, Blocks), messages: u64) -> bool {
        let elements = part.elements(rank);
        let count = || {
            let in_window = |window: Ranges| common(elements.as_ref()?, &window);
            part.windows(&self.ranks).filter_map(in_window).count() as u64
        };
        *of == part.key() && messages == count()
    }

    /// What a rank sends next.
    fn next<C: Communicator + ?Sized>(&self, comm: &C, rank: usize) -> Result<Next> {
        if self.ended.borrow().contains(&rank) {
            return Ok(Next::End);
        }
        let next = comm.receive(rank).and_then(|head| match head.split_first() {
            Some((&END, [])) => Ok(Next::End),
            Some((&BLOCK, head)) => block(head).ok_or_else(|| no_head(rank)),
            _ => Err(no_head(rank)),
        });
        if matches!(next, Ok(Next::End) | Err(_)) {
            self.ended.borrow_mut().insert(rank);
        }
        next
    }

    /// Tells the writer that nothing more comes; the writer waits until all have said so.
    ///
    /// # Errors
    /// For blocks that were sent and not written.
    pub(super) fn end<C: Communicator + ?Sized>(&self, comm: &C) -> Result<()> {
        if comm.rank() != self.ranks[0] {
            return comm.send(self.ranks[0], &[END]);
        }
        let mut wrong = None;
        for rank in &self.ranks[1..] {
            loop {
                let error = match self.next(comm, *rank) {
                    Ok(Next::End) => break,
                    Ok(Next::Failed) => continue,
                    Ok(Next::Block { of, messages }) => {
                        drain(comm, *rank, messages)?;
                        other_call(*rank, &of, None)
                    }
                    Err(error) => error,
                };
                wrong = wrong.or(Some(error));
            }
        }
        wrong.map_or(Ok(()), Err)
    }
}

/// The head of a block, behind its first byte.
fn block(head: &[u8]) -> Option<Next> {
    let (messages, report) = head.split_first_chunk()?;
    let messages = u64::from_le_bytes(*messages);
    let Ok(report) = Report::from_bytes(report).ok()?.check() else { return Some(Next::Failed) };
    let (of, _) = report.blocks.into_iter().next()?;
    Some(Next::Block { of, messages })
}

/// Takes messages that nobody needs.
fn drain<C: Communicator + ?Sized>(comm: &C, rank: usize, messages: u64) -> Result<()> {
    (0..messages).try_for_each(|_| comm.receive(rank).map(drop))
}

fn no_head(rank: usize) -> Error {
    let why = "it sent its writer something else than a block: do all ranks make the same calls?";
    Error::OfRank { rank: Some(rank as u64), why: why.into() }
}

/// That a rank and its writer are not at the same block.
fn other_call(rank: usize, of: &(String, Blocks), writer: Option<&str>) -> Error {
    let (path, grid) = (&of.0, of.1.grid());
    let of_writer = match writer {
        Some(writer) if writer == path => "another decomposition of it".to_owned(),
        Some(writer) => format!("`{writer}`"),
        None => "no block".to_owned(),
    };
    let why = format!(
        "it writes a block of `{path}`, of a grid of {grid:?}, and the writer of its group {of_writer}: all ranks of a group must \
         write the same blocks in the same order"
    );
    Error::OfRank { rank: Some(rank as u64), why: why.into() }
}
