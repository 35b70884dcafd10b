//! How many members are read at once: only the bytes needed, file by file, by a bounded number of
//! threads.

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::build::{cannot, changed};
use super::catalog::Cells;
use super::place::{Locator, Placement, Plan};
use super::stack::{Stack, Unserved, described, detached, home, in_memory, join};
use super::{Family, Member, MemberId, columns, workers};
use crate::dtype::Dtype;
use crate::error::{Error, Result};
use crate::gather::gather;
use crate::native::native_dtype;
use crate::select::{Picked, Selected, select};
use crate::source::{FileSource, Source, Window};
use crate::value::Value;

/// What to do with members that cannot be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Missing {
    /// They are an error, which names them all.
    #[default]
    Error,
    /// They are left out.
    Skip,
    /// Each of their elements has this value.
    Fill(Value),
}

/// How it is found out that a member is not the one that the catalog knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// By the size and the time of the last change of its file.
    #[default]
    File,
    /// Not at all: whoever reads knows that nothing changed. Files that end too early are found.
    Trust,
    /// Besides the file, what the catalog holds of it is compared with what it holds itself.
    Values,
}

/// How members are read.
///
/// ```no_run
/// use dudley::Value;
/// use dudley::family::{Family, Missing, Read};
///
/// let family = Family::open("runs.bd")?;
/// let late = family.select("time > 1e-9")?;
/// let read = Read::new().missing(Missing::Fill(Value::Float(f64::NAN)));
/// let stack = read.run(&family, "/rho[0, :]", &late)?;
/// for unserved in &stack.unserved {
///     eprintln!("{}: {}", unserved.file.display(), unserved.error);
/// }
/// let rho = stack.array::<f64>()?; // a row for each member
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Read {
    missing: Missing,
    check: Check,
    ragged: bool,
    jobs: Option<usize>,
    progress: Option<Arc<dyn Fn(u64) + Send + Sync>>,
}

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

/// What could not be read: indices into the members asked for.
struct Failure {
    file: usize,
    indices: Vec<usize>,
    error: Error,
}

type Failures = Mutex<Vec<Failure>>;

impl Read {
    /// Members that cannot be read are an error; arrays must be alike.
    pub fn new() -> Read {
        Read::default()
    }

    /// What to do with members that cannot be read.
    #[must_use]
    pub fn missing(mut self, missing: Missing) -> Read {
        self.missing = missing;
        self
    }

    /// How it is found out that a member is not the one that the catalog knows.
    #[must_use]
    pub fn check(mut self, check: Check) -> Read {
        self.check = check;
        self
    }

    /// Whether arrays may differ in shape from member to member; they are then not one array.
    #[must_use]
    pub fn ragged(mut self, ragged: bool) -> Read {
        self.ragged = ragged;
        self
    }

    /// Reads with at most so many threads, each with one open file; by default as many as there are
    /// processors.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Read {
        self.jobs = Some(jobs);
        self
    }

    /// Is told, from any thread, how many members were read since it was last told.
    #[must_use]
    pub fn progress(mut self, told: impl Fn(u64) + Send + Sync + 'static) -> Read {
        self.progress = Some(Arc::new(told));
        self
    }

    /// What is at a path, with slices and fields, of some members: one array, whose first dimension
    /// is the member. Arrays of both byte orders come in that of the machine, if they are mixed.
    ///
    /// # Errors
    /// [`Error::Files`] with the members that cannot be read, if they may not be left out;
    /// [`Error::Unlike`] if shapes differ and may not; what is wrong with the path.
    pub fn run(&self, family: &Family, path: &str, members: &[MemberId]) -> Result<Stack> {
        let mut locator = family.locator(path)?;
        let mut plans = Vec::with_capacity(members.len());
        for id in members {
            plans.push(locator.plan(family.member(*id)?)?);
        }
        let plain = |plan: &Plan| matches!(plan, Plan::Placed(placed) if placed.plain);
        match self.ragged || !locator.plans().iter().all(plain) {
            true => self.one_by_one(family, path, members),
            false => self.by_plan(family, path, members, &plans, &mut locator),
        }
    }

    /// All places are known: their bytes are read to where they belong in the result.
    fn by_plan(
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
        let fill = self.filling(path, &dtype, first.bytes)?;
        let total = first.bytes.checked_mul(members.len() as u64);
        let total = total.ok_or_else(|| Error::too_large(u64::MAX).of_item(path))?;
        check_total(family, path, members, total)?;
        let mut bytes = crate::encode::zeros(total)?;
        let failures = match first.bytes {
            0 => Vec::new(),
            each => {
                let slots = bytes.chunks_exact_mut(crate::error::to_usize(each)?);
                self.fetch(family, members, plans, &placements, mixed, slots)?
            }
        };
        let each = crate::error::to_usize(first.bytes)?;
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
        family: &Family,
        members: &[MemberId],
        plans: &[usize],
        placements: &[&Placement],
        mixed: bool,
        slots: impl Iterator<Item = &'o mut [u8]>,
    ) -> Result<Vec<Failure>> {
        let catalog = &family.catalog;
        let bytes = catalog.bytes();
        let mut pieces = Vec::with_capacity(members.len());
        for (index, ((id, plan), slot)) in members.iter().zip(plans).zip(slots).enumerate() {
            let member = family.member(*id)?;
            let start = catalog.start.unsigned(bytes, member.at);
            let length = catalog.length.unsigned(bytes, member.at);
            let (file, plan) = (member.file_index(), *plan);
            pieces.push(Piece { file, start, bytes: length, index, plan, slot });
        }
        pieces.sort_unstable_by_key(|piece| (piece.file, piece.start));
        let units: Vec<&mut [Piece<'o>]> =
            pieces.chunk_by_mut(|one, next| one.file == next.file).collect();
        let failures = Failures::default();
        let jobs = self.jobs.unwrap_or_else(workers::default_jobs);
        workers::each(
            jobs,
            units,
            || (),
            |(), unit| {
                self.fetch_file(family, members, placements, mixed, unit, &failures);
                if let Some(told) = &self.progress {
                    told(unit.len() as u64);
                }
                true
            },
        );
        Ok(failures.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the pieces in one file.
    fn fetch_file(
        &self,
        family: &Family,
        members: &[MemberId],
        placements: &[&Placement],
        mixed: bool,
        pieces: &mut [Piece<'_>],
        failures: &Failures,
    ) {
        let file = pieces[0].file;
        let fail = |indices: Vec<usize>, error: Error| {
            let mut failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
            failures.push(Failure { file, indices, error });
        };
        let opened = family.file_path(file).and_then(|path| {
            let (opened, len) = open_known(family, file, &path, self.check)?;
            Ok(FileSource::measured(opened, len, path))
        });
        let source = match opened {
            Ok(source) => source,
            Err(error) => return fail(pieces.iter().map(|piece| piece.index).collect(), error),
        };
        for piece in pieces {
            let read = read_piece(&source, placements[piece.plan], mixed, piece);
            let checked = read.and_then(|()| match self.check {
                Check::File | Check::Trust => Ok(()),
                Check::Values => check_values(family.member(members[piece.index])?),
            });
            if let Err(error) = checked {
                fail(vec![piece.index], error);
            }
        }
    }

    /// Members that must be asked themselves, or differ in shape.
    fn one_by_one(&self, family: &Family, path: &str, members: &[MemberId]) -> Result<Stack> {
        let home = home(family);
        let mut found: Vec<Option<Selected>> = members.iter().map(|_| None).collect();
        let units: Vec<_> = members.iter().enumerate().zip(&mut found).collect();
        let failures = Failures::default();
        let jobs = self.jobs.unwrap_or_else(workers::default_jobs);
        workers::each(
            jobs,
            units,
            || (),
            |(), ((index, id), found)| {
                match self.pick(family, path, *id).and_then(|picked| detached(&home, picked)) {
                    Ok(picked) => *found = Some(picked),
                    Err(error) => {
                        let file =
                            family.member(*id).map_or(usize::MAX, |member| member.file_index());
                        let mut failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
                        failures.push(Failure { file, indices: vec![index], error });
                    }
                }
                if let Some(told) = &self.progress {
                    told(1);
                }
                true
            },
        );
        let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let (Missing::Fill(_), false) = (&self.missing, failures.is_empty()) {
            self.fill_gaps(path, &home, &mut found)?;
        }
        let (members, unserved) = self.settle(family, members, failures, |_| {})?;
        let picked: Vec<Selected> = found.into_iter().flatten().collect();
        let selected = join(&home, path, &members, picked, self.ragged)?;
        Ok(Stack { members, unserved, selected })
    }

    fn pick(&self, family: &Family, path: &str, id: MemberId) -> Result<Selected> {
        let member = family.member(id)?;
        if self.check == Check::Values {
            check_values(member)?;
        }
        let selected = select(&member.open()?, path)?;
        Ok(selected)
    }

    /// Puts what stands for a member that cannot be read beside the others.
    fn fill_gaps(
        &self,
        path: &str,
        home: &crate::Stream,
        found: &mut [Option<Selected>],
    ) -> Result<()> {
        let Some(Selected { stacked, parts }) = found.iter().flatten().next().cloned() else {
            return Ok(());
        };
        let fill = |part: &Picked| match part {
            Picked::Data(data) => {
                let bytes = self.filling(path, data.dtype(), data.bytes())?.unwrap_or_default();
                let (dtype, shape) = (data.dtype().clone(), data.shape().to_vec());
                Ok(Picked::Data(in_memory(home, data, dtype, shape, bytes)))
            }
            Picked::Value { .. } => Err(Error::Variable { path: path.into() }),
        };
        let parts = parts.iter().map(fill).collect::<Result<Vec<_>>>()?;
        for gap in found.iter_mut().filter(|found| found.is_none()) {
            *gap = Some(Selected { stacked: stacked.clone(), parts: parts.clone() });
        }
        Ok(())
    }

    /// The bytes that stand for a member that cannot be read.
    fn filling(&self, path: &str, dtype: &Dtype, bytes: u64) -> Result<Option<Vec<u8>>> {
        let Missing::Fill(value) = &self.missing else { return Ok(None) };
        let Some((primitive, order)) = dtype.primitive().filter(|(it, _)| !it.is_text()) else {
            return Err(Error::WrongValue {
                item: crate::error::Item::new(path),
                expected: "numbers, which a value can stand for".into(),
                found: "structs or text".into(),
            });
        };
        let one = crate::encode::elements(value, primitive, order)
            .map_err(|error| error.of_item(path))?;
        let count = crate::error::to_usize(bytes.checked_div(one.len() as u64).unwrap_or(0))?;
        crate::encode::zeros(bytes)?;
        Ok(Some(one.repeat(count)))
    }

    /// What becomes of what could not be read: an error, or members that are left out or filled.
    fn settle(
        &self,
        family: &Family,
        members: &[MemberId],
        mut failures: Vec<Failure>,
        lack: impl FnOnce(&[usize]),
    ) -> Result<(Vec<MemberId>, Vec<Unserved>)> {
        failures.sort_by_key(|failure| failure.indices[0]);
        let path = |file| family.file_path(file).unwrap_or_else(|_| PathBuf::from("?"));
        if self.missing == Missing::Error && !failures.is_empty() {
            let failed = failures.into_iter().map(|failure| (path(failure.file), failure.error));
            return Err(Error::Files { failed: failed.collect() });
        }
        let mut failed: Vec<usize> =
            failures.iter().flat_map(|failure| &failure.indices).copied().collect();
        failed.sort_unstable();
        lack(&failed);
        let left_out: HashSet<usize> = match self.missing {
            Missing::Fill(_) => HashSet::new(),
            _ => failed.into_iter().collect(),
        };
        let kept = members.iter().enumerate().filter(|(at, _)| !left_out.contains(at));
        let unserved = failures.into_iter().map(|failure| Unserved {
            members: failure.indices.iter().map(|at| members[*at]).collect(),
            file: path(failure.file),
            error: failure.error,
        });
        Ok((kept.map(|(_, id)| *id).collect(), unserved.collect()))
    }
}

/// That all members have the same there, but for the byte order; whether that differs.
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

/// That members have as many bytes as are to be read of them, before memory is taken for these.
fn check_total(family: &Family, path: &str, members: &[MemberId], total: u64) -> Result<()> {
    let mut available = 0_u64;
    for id in members {
        available = available.saturating_add(family.member(*id)?.bytes());
    }
    match total > available {
        true => Err(Error::truncated(0, total, available).of_item(path)),
        false => Ok(()),
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

/// Opens a file of a family, if it is still the one that the catalog knows; and its length. On
/// trust that is as long as the catalog says.
///
/// # Errors
/// [`Error::Stale`]; [`Error::Io`].
pub(super) fn open_known(
    family: &Family,
    file: usize,
    path: &Path,
    check: Check,
) -> Result<(File, u64)> {
    let catalog = &family.catalog;
    let opened = File::open(path).map_err(|error| cannot("open", path, error))?;
    if check == Check::Trust {
        return Ok((opened, catalog.file_bytes.unsigned(catalog.bytes(), file)));
    }
    let metadata = opened.metadata().map_err(|error| cannot("get the size of", path, error))?;
    let bytes = catalog.bytes();
    let known = (catalog.file_bytes.unsigned(bytes, file), catalog.changed.integer(bytes, file));
    let now = (metadata.len(), i128::from(changed(&metadata)));
    if known == now {
        return Ok((opened, now.0));
    }
    let (expected, found) = match known.0 == now.0 {
        false => (format!("{} bytes", known.0), format!("{} bytes", now.0)),
        true => (format!("a last change at {} ns", known.1), format!("one at {} ns", now.1)),
    };
    Err(Error::Stale { expected: expected.into(), found: found.into() })
}

/// That a member has the values that the catalog holds of it.
///
/// # Errors
/// [`Error::Stale`] with the first that differs; what reading says.
fn check_values(member: Member<'_>) -> Result<()> {
    let catalog = &member.family.catalog;
    let stream = member.open()?;
    let differs = |column: &columns::Column, cells: &Cells| -> Result<bool> {
        let mut cell = vec![0; cells.size];
        columns::read(column, &stream, &mut cell)?;
        Ok(cell != cells.cell(catalog.bytes(), member.at))
    };
    for (column, cells) in catalog.columns.iter().zip(&catalog.cells) {
        if differs(column, cells)? {
            let known = member.value(&column.name)?;
            return Err(Error::Stale {
                expected: format!("{} = {}", column.name, crate::constant::show(&known)).into(),
                found: "another value".into(),
            });
        }
    }
    Ok(())
}
