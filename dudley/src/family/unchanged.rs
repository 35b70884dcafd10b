//! Whether a file, and what it holds, is still what a catalog knows.

use std::fs::{File, Metadata};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::catalog::Cells;
use super::{Family, Member, columns};
use crate::bytes::positioned;
use crate::error::{Error, Result, file_name};

/// The check that a member is still the one in the catalog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// By the size and the time of the last change of its file.
    #[default]
    File,
    /// No check: the caller knows that nothing changed. Files that end too early are found.
    Trust,
    /// Besides the file, what the catalog holds of it is compared with what it holds itself.
    Values,
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
    let opened = positioned::open(path, File::options().read(true));
    let opened = opened.map_err(|error| cannot("open", path, error))?;
    let len = check_known(family, file, path, &opened, check)?;
    Ok((opened, len))
}

/// Checks that a file of a family, if it is there, is still the one that the catalog knows. It is not opened.
///
/// # Errors
/// [`Error::Stale`]; [`Error::Io`].
pub(super) fn check_there(family: &Family, file: usize, path: &Path) -> Result<()> {
    match std::fs::metadata(path) {
        Ok(found) => compare(family, file, (found.len(), changed(&found))).map(drop),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(cannot("read", path, error)),
    }
}

/// The folder of a catalog, held open while many of its files are opened: the system need not find it
/// anew for each of them.
pub(super) struct Folder<'f> {
    family: &'f Family,
    #[cfg(target_os = "linux")]
    folder: Option<std::os::fd::OwnedFd>,
}

impl<'f> Folder<'f> {
    #[cfg(target_os = "linux")]
    pub(super) fn new(family: &'f Family) -> Folder<'f> {
        use rustix::fs::{Mode, OFlags};
        let name =
            if family.folder.as_os_str().is_empty() { Path::new(".") } else { &family.folder };
        // Who may find files in it need not be allowed to read it.
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Folder { family, folder: rustix::fs::open(name, flags, Mode::empty()).ok() }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn new(family: &'f Family) -> Folder<'f> {
        Folder { family }
    }

    /// As [`open_known`]; `path` is the whole path of the file.
    pub(super) fn open(&self, file: usize, path: &Path, check: Check) -> Result<(File, u64)> {
        let opened = self.found(file, path)?.map_err(|error| cannot("open", path, error))?;
        let len = check_known(self.family, file, path, &opened, check)?;
        Ok((opened, len))
    }

    #[cfg(target_os = "linux")]
    fn found(&self, file: usize, path: &Path) -> Result<std::io::Result<File>> {
        use rustix::fs::{Mode, OFlags};
        let Some(folder) = &self.folder else {
            return Ok(positioned::open(path, File::options().read(true)));
        };
        let name = self.family.catalog.name_bytes(file)?;
        // A pipe is not waited for.
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let opened =
            rustix::io::retry_on_intr(|| rustix::fs::openat(folder, name, flags, Mode::empty()));
        Ok(opened.map(File::from).map_err(Into::into))
    }

    #[cfg(not(target_os = "linux"))]
    fn found(&self, _: usize, path: &Path) -> Result<std::io::Result<File>> {
        Ok(positioned::open(path, File::options().read(true)))
    }
}

/// The length of an open file of a family, if it is still the one that the catalog knows.
///
/// # Errors
/// As [`open_known`].
fn check_known(
    family: &Family,
    file: usize,
    path: &Path,
    opened: &File,
    check: Check,
) -> Result<u64> {
    let catalog = &family.catalog;
    if check == Check::Trust {
        return Ok(catalog.file_bytes.unsigned(catalog.bytes(), file));
    }
    compare(family, file, state(opened).map_err(|error| cannot("read", path, error))?)
}

/// The length of a file, if that and its last change are what the catalog knows.
fn compare(family: &Family, file: usize, (len, changed): (u64, i64)) -> Result<u64> {
    let catalog = &family.catalog;
    let bytes = catalog.bytes();
    let known = (catalog.file_bytes.unsigned(bytes, file), catalog.changed.integer(bytes, file));
    let now = (len, i128::from(changed));
    if known == now {
        return Ok(now.0);
    }
    let (expected, found) = if known.0 == now.0 {
        let date = |ns: i128| crate::bytes::date::utc_of_ns(i64::try_from(ns).unwrap_or(i64::MAX));
        (format!("a last change at {}", date(known.1)), format!("one at {}", date(now.1)))
    } else {
        (format!("{} bytes", known.0), format!("{} bytes", now.0))
    };
    Err(Error::Stale { expected: expected.into(), found: found.into() })
}

/// Checks that a member has the values that the catalog holds of it.
///
/// # Errors
/// [`Error::Stale`] with the first that differs; if reading fails.
pub(super) fn check_values(member: Member<'_>) -> Result<()> {
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
                expected: format!("{} = {}", column.name, crate::elements::value::show(&known))
                    .into(),
                found: "another value".into(),
            });
        }
    }
    Ok(())
}

/// The size of a file in bytes, and when it was [last changed](changed).
#[cfg(target_os = "linux")]
fn state(file: &File) -> std::io::Result<(u64, i64)> {
    // The standard library asks for more, which takes longer than the read of a small file may.
    let stat = rustix::fs::fstat(file)?;
    if !rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file() {
        return Err(positioned::no_file());
    }
    let changed = i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec);
    let changed = changed.clamp(i64::MIN.into(), i64::MAX.into());
    Ok((u64::try_from(stat.st_size).unwrap_or(0), changed as i64))
}

#[cfg(not(target_os = "linux"))]
fn state(file: &File) -> std::io::Result<(u64, i64)> {
    let metadata = file.metadata()?;
    Ok((metadata.len(), changed(&metadata)))
}

/// When a file was last changed, in ns since 1970; 0 where the system does not know.
pub(super) fn changed(metadata: &Metadata) -> i64 {
    let since = |time: SystemTime| match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => {
            i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |before| -before)
        }
    };
    metadata.modified().map_or(0, since)
}

/// The operating system refused to do something to a file.
pub(super) fn cannot(what: &str, path: &Path, error: std::io::Error) -> Error {
    Error::io(format!("cannot {what} `{}`", file_name(&path)), error)
}
