//! Which members there are in many files, and what a catalog holds of them: read in parallel.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dudley_parser::layout::dtype::ByteOrder;

use super::columns::{Column, Table, columns, read};
use super::contents::{FileRows, MemberRow};
use super::form::{self, Records};
use super::names::name_from_bytes;
use super::same::Template;
use super::unchanged::{cannot, changed};
use super::within::{Found, How};
use crate::bytes::source::{FileSource, Source};
use crate::bytes::{positioned, threads};
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::read::stream::{Open, Stream, StreamKind};

/// Where a member begins that is bad, in bytes of the file, and what is wrong with it.
type Bad = (u64, Error);

/// A file with more bad members is none of a family: what is wrong with each takes memory.
const MOST_BAD: usize = 10_000;

/// What was found out about a file.
pub(super) struct Seen {
    pub(super) path: PathBuf,
    pub(super) state: State,
}

pub(super) enum State {
    Kept(FileRows),
    /// With where the members begin that cannot be served, and why not.
    Read {
        rows: FileRows,
        new: bool,
        bad: Vec<Bad>,
    },
    Gone(FileRows),
    Failed(Error),
}

/// How files are visited.
#[derive(Clone, Default)]
pub(super) struct Scan {
    pub(super) threads: usize,
    /// Members that are bad are left out.
    pub(super) skip_bad: bool,
    /// Learns how many files were looked at since the last call.
    pub(super) progress: Option<Arc<dyn Fn(u64) + Send + Sync>>,
    pub(super) filters: Option<Arc<Registry>>,
}

/// What reading files takes.
pub(super) struct Work<'b> {
    scan: &'b Scan,
    pub(super) how: &'b How,
    pub(super) template: Template,
    filters: Arc<Registry>,
    /// A file without a signature is no member: the meaning of its bytes is unknown.
    native: bool,
    pub(super) columns: Vec<Column>,
    pub(super) summary: Records,
    pub(super) params: Records,
}

impl<'b> Work<'b> {
    pub(super) fn new(
        scan: &'b Scan,
        how: &'b How,
        template: Template,
        native: bool,
    ) -> Result<Work<'b>> {
        let columns = columns(&template.layout, &how.given(&template.layout)?);
        // The catalog itself says where its fields lie.
        let layout = form::layout(&template.layout, &columns)?;
        let empty = Open::new().layout(layout).raw().bytes(Vec::new())?;
        let filters = scan.filters.clone();
        Ok(Work {
            scan,
            how,
            filters: filters.unwrap_or_else(Registry::builtins),
            summary: Records::of(&empty, &columns, Table::Summary)?,
            params: Records::of(&empty, &columns, Table::Params)?,
            template,
            native,
            columns,
        })
    }

    /// Looks at all files, in parallel; what is known of a file is kept if it did not change.
    pub(super) fn run(
        &self,
        folder: &Path,
        names: Vec<Vec<u8>>,
        known: &HashMap<Vec<u8>, FileRows>,
    ) -> Vec<Seen> {
        let mut seen: Vec<Option<Seen>> = names.iter().map(|_| None).collect();
        let units = names.into_iter().zip(&mut seen);
        let most = threads::count(self.scan.threads);
        threads::share_if_worth(
            most,
            units,
            || (),
            |(), (name, seen)| {
                let path = folder.join(name_from_bytes(&name));
                let state = self.look(&path, name, known);
                *seen = Some(Seen { path, state });
                if let Some(told) = &self.scan.progress {
                    told(1);
                }
            },
        );
        seen.into_iter().flatten().collect()
    }

    fn look(&self, path: &Path, name: Vec<u8>, known: &HashMap<Vec<u8>, FileRows>) -> State {
        let old = known.get(&name);
        let file = match positioned::open(path, File::options().read(true)) {
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
            Ok((rows, bad)) => {
                let rows = FileRows { name, changed, ..rows };
                State::Read { rows, new: old.is_none(), bad }
            }
            Err(error) => State::Failed(error),
        }
    }

    /// The members of a file, and their records; and where others begin that are bad.
    fn read(&self, path: &Path, file: File, bytes: u64) -> Result<(FileRows, Vec<Bad>)> {
        let source: Arc<dyn Source> = Arc::new(FileSource::measured(file, bytes, path.to_owned()));
        let check = |member: &Stream| {
            if self.native && member.kind() != StreamKind::Native {
                Err(Error::NotNative)
            } else {
                self.template.check(member)
            }
        };
        let mut rows = FileRows { bytes, ..FileRows::default() };
        let mut bad = Vec::new();
        let mut take = |start: u64, found: Result<Found>| {
            let Err(error) = found.and_then(|member| self.member(member, &mut rows)) else {
                return Ok(());
            };
            // Addresses are those of the file.
            let error = error.map_address(|at| at.saturating_add(start));
            bad.push((start, error));
            if self.scan.skip_bad && bad.len() <= MOST_BAD {
                Ok(())
            } else {
                Err(bad.swap_remove(0).1)
            }
        };
        self.how.find(&source, &self.template.layout, &self.filters, &check, &mut take)?;
        if rows.members.is_empty() && !bad.is_empty() {
            Err(bad.swap_remove(0).1)
        } else {
            Ok((rows, bad))
        }
    }

    /// Reads the records of a member.
    fn member(&self, member: Found, rows: &mut FileRows) -> Result<()> {
        let Found { start, bytes, stream } = member;
        let native = stream.kind() == StreamKind::Native;
        let big = stream.order() == ByteOrder::Big;
        let summary = self.record(&stream, &self.summary)?;
        let params = self.record(&stream, &self.params)?;
        rows.members.push(MemberRow { start, bytes, native, big });
        rows.summary.extend(summary);
        rows.params.extend(params);
        Ok(())
    }

    fn record(&self, member: &Stream, form: &Records) -> Result<Vec<u8>> {
        let mut record = vec![0; form.size()];
        fill(&self.columns, form, member, &mut record)?;
        Ok(record)
    }
}

/// Reads the columns of a member into a record of a catalog.
///
/// # Errors
/// If reading the member fails.
fn fill(columns: &[Column], form: &Records, member: &Stream, record: &mut [u8]) -> Result<()> {
    for (column, offset) in columns.iter().zip(&form.offsets) {
        if let Some(offset) = *offset {
            // No larger than the record, which has it.
            read(column, member, &mut record[offset..offset + column.bytes() as usize])?;
        }
    }
    Ok(())
}
