//! How many members are read at once: only the bytes needed, file by file, by a bounded number of
//! threads.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::place::Plan;
use super::stack::{Stack, Unserved, detached, home, join};
use super::unchanged::{Check, check_values};
use super::{Family, MemberId};
use crate::bytes::threads;
use crate::elements::value::Value;
use crate::error::{Error, Result};
use crate::read::select::{Selected, select};

/// The treatment of members that cannot be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Missing {
    /// They are an error, which names them all.
    #[default]
    Error,
    /// They are left out.
    Skip,
    /// Each of their elements has this value: a number, or a text.
    Fill(Value),
}

/// The options of reading members.
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
    pub(super) missing: Missing,
    pub(super) check: Check,
    pub(super) ragged: bool,
    pub(super) threads: usize,
    pub(super) progress: Option<Arc<dyn Fn(u64) + Send + Sync>>,
}

/// What could not be read: indices into the members asked for.
pub(super) struct Failure {
    pub(super) file: usize,
    pub(super) indices: Vec<usize>,
    pub(super) error: Error,
}

pub(super) type Failures = Mutex<Vec<Failure>>;

impl Read {
    /// A read where unreadable members are errors, and arrays must have one shape.
    pub fn new() -> Read {
        Read::default()
    }

    /// The treatment of members that cannot be read.
    #[must_use]
    pub fn missing(mut self, missing: Missing) -> Read {
        self.missing = missing;
        self
    }

    /// The check that a member is still the one in the catalog.
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

    /// At most this many threads. The default, 0, is the number that the machine runs at once. Each
    /// thread has one file open.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Read {
        self.threads = threads;
        self
    }

    /// Learns, from any thread, how many members were read since the last call.
    #[must_use]
    pub fn progress(mut self, told: impl Fn(u64) + Send + Sync + 'static) -> Read {
        self.progress = Some(Arc::new(told));
        self
    }

    /// Reads a path, with slices and fields, of some members: one array, whose first dimension is
    /// the member. If members have different byte orders, the array has the byte order of the
    /// machine.
    ///
    /// # Errors
    /// [`Error::Files`] with the unreadable members, if they may not be omitted; [`Error::Unlike`]
    /// if shapes differ and may not; the errors of the path.
    pub fn run(&self, family: &Family, path: &str, members: &[MemberId]) -> Result<Stack> {
        let mut locator = family.locator(path)?;
        let mut plans = Vec::with_capacity(members.len());
        let mut refused = None;
        for id in members {
            match locator.plan(family.member(*id)?) {
                Ok(plan) => plans.push(plan),
                // It may fit the others.
                Err(error @ Error::BadSlice { .. }) => refused = refused.or(Some(error)),
                Err(error) => return Err(error),
            }
        }
        if let Some(error) = refused.take_if(|_| plans.is_empty()) {
            return Err(error);
        }
        let plain = |plan: &Plan| matches!(plan, Plan::Placed(placed) if placed.plain);
        if self.ragged || refused.is_some() || !locator.plans().iter().all(plain) {
            self.one_by_one(family, path, members)
        } else {
            self.by_plan(family, path, members, &plans, &mut locator)
        }
    }

    /// Members that must be asked themselves, or differ in shape.
    fn one_by_one(&self, family: &Family, path: &str, members: &[MemberId]) -> Result<Stack> {
        let home = home(family);
        let mut found: Vec<Option<Selected>> = members.iter().map(|_| None).collect();
        let units = members.iter().enumerate().zip(&mut found);
        let failures = Failures::default();
        let most = threads::count(self.threads);
        threads::share_if_worth(
            most,
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
            },
        );
        let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !self.fill_gaps(family, path, &home, members, &mut found)? {
            return Err(refused(family, members, failures));
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

    /// What becomes of what could not be read: an error, or members that are left out or filled.
    pub(super) fn settle(
        &self,
        family: &Family,
        members: &[MemberId],
        mut failures: Vec<Failure>,
        lack: impl FnOnce(&[usize]),
    ) -> Result<(Vec<MemberId>, Vec<Unserved>)> {
        if self.missing == Missing::Error && !failures.is_empty() {
            return Err(refused(family, members, failures));
        }
        failures.sort_by_key(|failure| failure.indices[0]);
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
            file: file_of(family, &failure),
            error: failure.error,
        });
        Ok((kept.map(|(_, id)| *id).collect(), unserved.collect()))
    }
}

/// The error that names all that cannot be read.
fn refused(family: &Family, members: &[MemberId], mut failures: Vec<Failure>) -> Error {
    failures.sort_by_key(|failure| failure.indices[0]);
    let failed = failures.into_iter().map(|failure| {
        let (member, file) = (members[failure.indices[0]].0, file_of(family, &failure));
        let error = match failure.error {
            // The file is as it should be: others of it may be served.
            error @ Error::BadSlice { .. } => Error::OfMember { member, error: Box::new(error) },
            error => error,
        };
        (file, error)
    });
    Error::Files { failed: failed.collect() }
}

fn file_of(family: &Family, failure: &Failure) -> PathBuf {
    family.file_path(failure.file).unwrap_or_else(|_| PathBuf::from("?"))
}
