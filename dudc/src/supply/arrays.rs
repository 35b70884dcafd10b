//! Arrays of numpy by their names: those of a folder of `.npy` files, of an `.npz`, or of one file.
//!
//! Their elements are not read yet.

use dudley::error::file_name;
use std::path::Path;
use std::sync::Arc;

use dudley::source::{FileSource, Source};
use dudley::{Error, Result};

use super::unlike;
use crate::convert::names;
use crate::npy::Npy;
use crate::output::warn;

/// What is expected, and how it begins.
const ARRAY: &str = "a .npy file";
const MAGIC: &[u8] = b"\x93NUMPY";

/// An array with its name.
pub(crate) struct Named {
    /// The names of the dicts and lists around it, from the root, and its own.
    pub(crate) parts: Vec<String>,
    /// Of each, whether it is a name of a dict even if it is digits; empty if names do not tell.
    pub(crate) keyed: Vec<bool>,
    /// Whether it is the value of a param.
    pub(crate) param: bool,
    /// The array.
    pub(crate) npy: Npy,
    /// Its unit, which files of numpy do not say.
    pub(crate) unit: Option<String>,
}

impl Named {
    fn new(parts: Vec<String>, param: bool, npy: Npy) -> Named {
        Named { parts, keyed: Vec::new(), param, npy, unit: None }
    }
}

/// The arrays of a folder, or of an `.npz` archive; none if it is neither.
///
/// # Errors
/// If it cannot be read, or one of the arrays is of no known type.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<Named>>> {
    if crate::names::is_stdin(path) {
        return Ok(None);
    }
    let mut arrays = Vec::new();
    if path.is_dir() {
        folder(path, &mut Vec::new(), &mut arrays)?;
        return Ok(Some(arrays));
    }
    let source = FileSource::open(path)?;
    let mut head = vec![0; source.len().min(6) as usize];
    source.read_at(0, &mut head)?;
    if !head.starts_with(b"PK") {
        return Ok(None);
    }
    archive(Arc::new(source), &file_name(&path)).map(Some)
}

/// The array of a `.npy` file, by the name of the file.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn single(path: &Path) -> Result<Vec<Named>> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut arrays = Vec::new();
    add(&[], &name, Npy::open(path), &mut arrays)?;
    Ok(arrays)
}

/// The fields of an array of structs as arrays, by their names; of structs in it where `has_parts` says that
/// what has such a path has parts.
pub(crate) fn fields(npy: Npy, has_parts: &dyn Fn(&str) -> bool) -> Vec<Named> {
    let mut arrays = Vec::new();
    let mut waiting = vec![(Vec::new(), npy)];
    while let Some((parts, npy)) = waiting.pop() {
        for (name, field) in npy.fields() {
            let parts = [&parts[..], &[name]].concat();
            match has_parts(&parts.join("/")) {
                true => waiting.push((parts, field)),
                false => arrays.push(Named::new(parts, false, field)),
            }
        }
    }
    arrays
}

/// The arrays of an `.npz` archive, which is called `name`.
///
/// # Errors
/// As [`read`].
pub(crate) fn archive(archive: Arc<dyn Source>, name: &str) -> Result<Vec<Named>> {
    let mut arrays = Vec::new();
    let damaged = |why| Error::WrongValue {
        item: dudley::error::Item::new(name),
        expected: "an .npz archive".into(),
        found: format!("one that is cut off or damaged: {why}").into(),
    };
    let mut others = Vec::new();
    for entry in crate::zip::entries(&archive).map_err(damaged)? {
        let unread = |why| unlike(&entry.name, ARRAY, format!("one that cannot be read: {why}"));
        // As for numpy, what is an array is told by its first bytes, whatever it is called.
        let named = without_npy(&entry.name);
        if named.is_none() && (entry.is_folder() || !entry.begins_with(MAGIC).map_err(unread)?) {
            others.extend((!entry.is_folder()).then(|| entry.name.clone()));
            continue;
        }
        entry.check_method().map_err(unread)?;
        let name = named.unwrap_or(&entry.name);
        let (folder, name) = name.rsplit_once('/').unwrap_or(("", name));
        let folders: Vec<_> =
            folder.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        add(&folders, name, Npy::entry(&entry), &mut arrays)?;
    }
    if let (false, Some((first, more))) = (arrays.is_empty(), others.split_first()) {
        let more = match more.len() {
            0 => String::new(),
            count => format!(" and {count} more of its members"),
        };
        warn(&format!("{name}: `{first}`{more} left out, since no array is in there"));
    }
    Ok(arrays)
}

fn folder(path: &Path, folders: &mut Vec<String>, arrays: &mut Vec<Named>) -> Result<()> {
    let failed = |error| Error::io(format!("cannot read `{}`", file_name(&path)), error);
    let entries = std::fs::read_dir(path).map_err(failed)?;
    let mut entries = entries.collect::<std::io::Result<Vec<_>>>().map_err(failed)?;
    // Whatever order the folder has them in.
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (file, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if file.is_dir() {
            folders.push(name.into_owned());
            folder(&file, folders, arrays)?;
            folders.pop();
        } else if let Some(name) = without_npy(&name) {
            add(folders, name, Npy::open(&file), arrays)?;
        }
    }
    Ok(())
}

/// Adds an array by the names of the folders that it is in, and its own.
fn add(
    folders: &[String],
    name: &str,
    npy: Result<Npy, String>,
    arrays: &mut Vec<Named>,
) -> Result<()> {
    let npy = npy.map_err(|why| unlike(name, ARRAY, format!("one that cannot be read: {why}")))?;
    let param = name.strip_prefix(':');
    let files = folders.iter().map(String::as_str).chain([param.unwrap_or(name)]);
    let (parts, keyed) = files.map(|it| (names::of_file(it), names::is_in_dict(it))).unzip();
    arrays.push(Named { keyed, ..Named::new(parts, param.is_some(), npy) });
    Ok(())
}

/// Whether a file is called as those of numpy are.
pub(crate) fn is_named_npy(path: &Path) -> bool {
    path.file_name().is_some_and(|name| without_npy(&name.to_string_lossy()).is_some())
}

/// The name of a `.npy` file without its extension, in either case.
fn without_npy(name: &str) -> Option<&str> {
    let (name, extension) = name.rsplit_once('.')?;
    extension.eq_ignore_ascii_case("npy").then_some(name)
}
