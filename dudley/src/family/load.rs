//! How bytes whose places are known are read to where they belong in a stack.

use std::path::PathBuf;
use std::sync::PoisonError;

use super::place::{Locator, Placement, Plan};
use super::read::{Failure, Failures, Read};
use super::stack::{Stack, described, home, in_memory};
use super::unchanged::{Check, Folder, check_values};
use super::{Family, MemberId};
use crate::bytes::source::{FileSource, Source, Window};
use crate::bytes::threads;
use crate::elements::gather::gather;
use crate::error::{Error, Result};
use crate::read::native::native_dtype;
use crate::read::select::{Picked, Selected};

/// The bytes of one member in the stack, to be read.
struct Piece<'o> {
    file: usize,
    /// Where the member lies in the file.
    start: u64,
    bytes: u64,
    index: usize,
    plan: usize,
    slot: &'o mut [u8],
}

/// What is read, of which members; and what of it could not be.
struct Job<'a> {
    family: &'a Family,
    folder: Folder<'a>,
    members: &'a [MemberId],
    placements: &'a [&'a Placement],
    /// Members are of both byte orders.
    mixed: bool,
    failures: Failures,
}

impl Read {
    /// All places are known: their bytes are read to where they belong in the result.
    pub(super) fn by_plan(
        &self,
        family: &Family,
        path: &str,
        members: &[MemberId],
        plans: &[usize],
        locator: &mut Locator<'_>,
    ) -> Result<Stack> {
        if members.is_empty()
            && let Some(member) = family.members().next()
        {
            // What none of them have is known all the same.
            locator.plan(member)?;
        }
        let placements: Vec<&Placement> = locator.plans().iter().filter_map(Plan::placed).collect();
        let Some(first) = placements.first() else {
            let selected = Selected { stacked: vec![0], parts: Vec::new() };
            return Ok(Stack { members: Vec::new(), unserved: Vec::new(), selected });
        };
        let mixed = alike(path, members, plans, &placements)?;
        let pattern = &first.parts[0];
        let dtype = if mixed { native_dtype(pattern.dtype()) } else { pattern.dtype().clone() };
        // What cannot stand for any number of its type is wrong whatever can be read.
        let fill = self.filling(path, &dtype, &pattern.shape, first.bytes);
        let is_number = dtype.primitive().is_some_and(|(primitive, _)| !primitive.is_text());
        let fill = if is_number { Ok(fill?) } else { fill };
        let total = first.bytes.checked_mul(members.len() as u64);
        let total = total.ok_or_else(|| Error::too_large(u64::MAX).of_item(path))?;
        check_total(family, path, members, total)?;
        let mut bytes = crate::elements::buffer::zeros(total)?;
        let failures = match first.bytes {
            0 => Vec::new(),
            each => {
                let slots = bytes.chunks_exact_mut(crate::error::to_usize(each)?);
                let failures = Failures::default();
                let folder = Folder::new(family);
                let placements = &placements;
                let job = Job { family, folder, members, placements, mixed, failures };
                self.fetch(job, plans, slots)?
            }
        };
        let each = crate::error::to_usize(first.bytes)?;
        let fill = if failures.is_empty() { None } else { fill? };
        let (members, unserved) = self.settle(family, members, failures, |failed| match &fill {
            Some(fill) => {
                failed.iter().for_each(|at| bytes[at * each..][..each].copy_from_slice(fill));
            }
            None => drop_chunks(&mut bytes, each, failed),
        })?;
        let shape = std::iter::once(members.len() as u64).chain(first.shape.iter().copied());
        let data = in_memory(&home(family), pattern, dtype, shape.collect(), bytes);
        let selected = Selected { stacked: Vec::new(), parts: vec![Picked::Data(data)] };
        Ok(Stack { members, unserved, selected })
    }

    /// Reads all pieces, each file once.
    fn fetch<'o>(
        &self,
        job: Job<'_>,
        plans: &[usize],
        slots: impl Iterator<Item = &'o mut [u8]>,
    ) -> Result<Vec<Failure>> {
        let catalog = &job.family.catalog;
        let bytes = catalog.bytes();
        let mut pieces = Vec::with_capacity(job.members.len());
        for (index, ((id, plan), slot)) in job.members.iter().zip(plans).zip(slots).enumerate() {
            let member = job.family.member(*id)?;
            let start = catalog.start.unsigned(bytes, member.at);
            let length = catalog.length.unsigned(bytes, member.at);
            let (file, plan) = (member.file_index(), *plan);
            pieces.push(Piece { file, start, bytes: length, index, plan, slot });
        }
        pieces.sort_unstable_by_key(|piece| (piece.file, piece.start));
        let units = pieces.chunk_by_mut(|one, next| one.file == next.file);
        // The memory of a path serves for all files of a thread.
        threads::share_if_worth(threads::count(self.threads), units, PathBuf::new, |path, unit| {
            self.fetch_file(&job, unit, path);
            if let Some(told) = &self.progress {
                told(unit.len() as u64);
            }
        });
        Ok(job.failures.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the pieces in one file.
    fn fetch_file(&self, job: &Job<'_>, pieces: &mut [Piece<'_>], path: &mut PathBuf) {
        let Job { family, folder, members, placements, mixed, failures } = job;
        let file = pieces[0].file;
        let fail = |indices: Vec<usize>, error: Error| {
            let mut failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
            failures.push(Failure { file, indices, error });
        };
        let opened = family.set_path(file, path).and_then(|()| {
            let (opened, len) = folder.open(file, path, self.check)?;
            Ok(FileSource::measured(opened, len, std::mem::take(path)))
        });
        let source = match opened {
            Ok(source) => source,
            Err(error) => return fail(pieces.iter().map(|piece| piece.index).collect(), error),
        };
        for piece in pieces {
            let read = read_piece(&source, placements[piece.plan], *mixed, piece);
            let checked = read.and_then(|()| match self.check {
                Check::File | Check::Trust => Ok(()),
                Check::Values => check_values(family.member(members[piece.index])?),
            });
            if let Err(error) = checked {
                fail(vec![piece.index], error);
            }
        }
        *path = source.into_path();
    }
}

/// Checks that all members have the same there, except for the byte order; whether that differs.
fn alike(
    path: &str,
    members: &[MemberId],
    plans: &[usize],
    placements: &[&Placement],
) -> Result<bool> {
    let names: Vec<String> =
        placements.iter().map(|it| described(&it.parts[0], &it.shape)).collect();
    if let Some(other) = names.iter().position(|name| *name != names[0]) {
        let first_of = |plan| plans.iter().position(|it| *it == plan).map_or(0, |at| members[at].0);
        return Err(Error::Unlike {
            item: crate::error::Item::new(path),
            first: first_of(0),
            expected: names[0].as_str().into(),
            other: first_of(other),
            found: names[other].as_str().into(),
        });
    }
    let exact = |placement: &&Placement| placement.parts[0].dtype_name();
    Ok(placements.iter().any(|placement| exact(placement) != exact(&placements[0])))
}

/// Checks that members have as many bytes as are to be read of them, before memory is taken for these.
fn check_total(family: &Family, path: &str, members: &[MemberId], total: u64) -> Result<()> {
    let mut available = 0_u64;
    for id in members {
        available = available.saturating_add(family.member(*id)?.bytes());
    }
    if total > available {
        Err(Error::truncated(0, total, available).of_item(path))
    } else {
        Ok(())
    }
}

/// Reads the regions of one member.
fn read_piece(
    source: &FileSource,
    placement: &Placement,
    mixed: bool,
    piece: &mut Piece<'_>,
) -> Result<()> {
    let mut at = 0;
    let window = Window::new(source, piece.start, piece.bytes)?;
    for (region, data) in placement.regions.iter().zip(&placement.parts) {
        // The regions fill the slot.
        let slot = &mut piece.slot[at..][..region.byte_len() as usize];
        let named = |error: Error| error.of_item(data.path());
        if region.is_contiguous() {
            window.read_at(region.span().start, slot).map_err(named)?;
        } else {
            let mut done = 0;
            gather(&window, region, &mut |bytes| {
                slot[done..done + bytes.len()].copy_from_slice(bytes);
                done += bytes.len();
                Ok(())
            })
            .map_err(named)?;
        }
        if mixed {
            data.to_native(slot)?;
        }
        at += slot.len();
    }
    Ok(())
}

/// Takes the chunks of some indices, which are sorted, out of bytes.
fn drop_chunks(bytes: &mut Vec<u8>, each: usize, dropped: &[usize]) {
    let (mut to, mut next) = (0, dropped.iter().peekable());
    for at in 0..bytes.len().checked_div(each).unwrap_or(0) {
        if next.next_if(|dropped| **dropped == at).is_none() {
            bytes.copy_within(at * each..(at + 1) * each, to);
            to += each;
        }
    }
    bytes.truncate(to);
}
