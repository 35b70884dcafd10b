//! Data in a file of their own, beside the one that has the headers.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use dudley::bytes::FileSource;
use dudley::model::{Candidate, DataFile};
use dudley::{Error, Result};

use crate::cursor::malformed;

/// The file that is called as what is opened, except for its ending, which is one of some or none.
pub(crate) fn of_name(candidate: &Candidate, endings: &[&str]) -> Result<DataFile> {
    let stem = candidate.path().and_then(Path::file_stem).map(|stem| stem.to_string_lossy());
    let stem = stem.unwrap_or("x".into());
    let name = |ending: &&str| match *ending {
        "" => stem.to_string(),
        ending => format!("{stem}.{ending}"),
    };
    open(candidate, &endings.iter().map(name).collect::<Vec<_>>())
}

/// The first file that there is of some names, which are relative to the folder of what is opened, and that is not this
/// itself.
pub(crate) fn open(candidate: &Candidate, names: &[String]) -> Result<DataFile> {
    let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let missing =
        |why: &str| malformed(0, format!("the data are in a file of their own, {listed}: {why}"));
    let own = candidate.path().and_then(|path| path.canonicalize().ok());
    for name in names {
        if let Some(real) = find(candidate, name, &missing)?
            && Some(&real) != own.as_ref()
        {
            return Ok(DataFile { name: name.clone(), source: Arc::new(FileSource::open(real)?) });
        }
    }
    Err(missing(NO_FILE))
}

/// The reason why a file is not found.
pub(crate) const NO_FILE: &str = "there is no such file in the folder of the file that names it";

/// The real path of a file by its name, which is relative to the folder of what is opened; `None` if there is no such
/// file. Headers are no more to be trusted than any file, so nothing outside of that folder is read: `wrong` makes the
/// error of a reason.
pub(crate) fn find(
    candidate: &Candidate,
    name: &str,
    wrong: &dyn Fn(&str) -> Error,
) -> Result<Option<PathBuf>> {
    let Some(path) = candidate.path() else {
        return Err(wrong("what is read is no file, so there is none beside it"));
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let failed =
        |error| Error::io(format!("cannot read the folder of {}", candidate.name()), error);
    let within = folder.canonicalize().map_err(failed)?;
    let name = Path::new(name);
    let name = name.strip_prefix(&within).unwrap_or(name);
    let is_below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !name.components().all(is_below) {
        return Err(wrong(
            "only files in the folder of the file that names it, or below it, are read",
        ));
    }
    // A link may lead anywhere.
    let Ok(real) = folder.join(name).canonicalize() else { return Ok(None) };
    if !real.starts_with(&within) {
        return Err(wrong("it is a link that leads out of the folder of the file that names it"));
    }
    Ok(real.is_file().then_some(real))
}
