//! Arrays of numpy by their names: those of a folder of `.npy` files, of an `.npz`, or of one file.
//!
//! Their elements are not read yet.

use std::path::Path;
use std::sync::Arc;

use dudley_parser::comments::Attribute;

use super::archive::{Entry, entries};
use super::array_source::ArraySource;
use super::npy::Npy;
use super::{MAGIC, names};
use crate::bytes::source::Source;
use crate::error::{Error, Item, Result, file_name};

/// The expected kind of file.
const ARRAY: &str = "a .npy file";

/// An array with its name and its documentation.
///
/// ```
/// use dudley::numpy::arrays::Named;
///
/// let stream = dudley::Open::new().layout_text("x = u1[3]")?.raw().bytes([1, 2, 3])?;
/// let mut x = Named::new(vec!["grp".into(), "x".into()], false, stream.get("/x")?.data()?);
/// x.about.unit = Some("cm".into());
/// assert_eq!(*x.source.shape(), [3]);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone)]
pub struct Named {
    /// The names of the dicts and lists around it, from the root, and its own.
    pub parts: Vec<String>,
    /// For each name, whether it is a name in a dict, even if it has only digits. Empty if names alone decide.
    pub keyed: Vec<bool>,
    /// Whether it is the value of a param.
    pub param: bool,
    /// The array.
    pub source: ArraySource,
    /// Its unit, documentation and attributes.
    pub about: About,
}

/// The unit, documentation and attributes of an array, a dict or a param. Files of numpy have none.
///
/// ```
/// use dudley::numpy::arrays::About;
///
/// let about = About { unit: Some("cm".into()), doc: vec!["place".into()], ..About::default() };
/// assert!(about.attributes.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct About {
    /// Its unit, if that is not in the documentation.
    pub unit: Option<String>,
    /// Its lines of documentation.
    pub doc: Vec<String>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// A name for each of its dimensions, where it has one: params with a suffix, as a layout has them. Empty if none
    /// has one.
    pub dims: Vec<Option<String>>,
    /// The value that the layout gives a param, which is then not stored.
    pub fixed: Option<i128>,
}

impl Named {
    /// An array without unit, documentation and attributes. Names that are numbers make lists.
    ///
    /// ```
    /// use dudley::numpy::arrays::Named;
    ///
    /// let stream = dudley::Open::new().layout_text("x = u1[3]")?.raw().bytes([1, 2, 3])?;
    /// let x = Named::new(vec!["x".into()], false, stream.get("/x")?.data()?);
    /// assert!(!x.param && x.about.unit.is_none());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn new(parts: Vec<String>, param: bool, source: impl Into<ArraySource>) -> Named {
        Named { parts, keyed: Vec::new(), param, source: source.into(), about: About::default() }
    }
}

/// The arrays of a file, an archive or a folder.
///
/// ```
/// use dudley::numpy::arrays::Arrays;
///
/// let none = Arrays { arrays: Vec::new(), others: vec!["notes.txt".into()], wrong: Vec::new() };
/// assert!(none.left_out().is_some_and(|message| message.contains("notes.txt")));
/// ```
pub struct Arrays {
    /// The arrays.
    pub arrays: Vec<Named>,
    /// The names of the other members of an archive.
    pub others: Vec<String>,
    /// The errors of arrays of an archive that are not read, by their names.
    pub wrong: Vec<(Vec<String>, Error)>,
}

impl Arrays {
    /// A message about the other members, if there are any, for a program that takes only the arrays.
    ///
    /// ```
    /// use dudley::numpy::arrays::Arrays;
    ///
    /// let none = Arrays { arrays: Vec::new(), others: Vec::new(), wrong: Vec::new() };
    /// assert_eq!(none.left_out(), None);
    /// ```
    pub fn left_out(&self) -> Option<String> {
        left_out(&self.others)
    }
}

/// That members of an archive are left out.
pub(super) fn left_out(others: &[String]) -> Option<String> {
    let (first, more) = others.split_first()?;
    let more = match more.len() {
        0 => String::new(),
        count => format!(" and {count} more of its members"),
    };
    Some(format!("`{first}`{more} left out, since no array is in there"))
}

/// The arrays of a folder of `.npy` files, and of the folders in it, sorted by their names.
///
/// # Errors
/// If it cannot be read, or one of the arrays is of no known type.
pub(super) fn folder(path: &Path) -> Result<Arrays> {
    let mut arrays = Vec::new();
    add_folder(path, &mut Vec::new(), &mut arrays)?;
    Ok(Arrays { arrays, others: Vec::new(), wrong: Vec::new() })
}

/// The array of a `.npy` file, by the name of the file.
///
/// # Errors
/// If it cannot be read.
pub(super) fn single(path: &Path, npy: Result<Npy, String>) -> Result<Arrays> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Arrays { arrays: vec![named(&[], &name, npy)?], others: Vec::new(), wrong: Vec::new() })
}

/// The fields of an array of structs as arrays, by their names. Fields of nested structs become separate
/// arrays if `has_parts` returns true for the path of the nested struct.
///
/// ```
/// use std::sync::Arc;
///
/// use dudley::numpy::{Npy, arrays::fields};
///
/// // The bytes of an array of two structs with a field `a` and a field `b`.
/// let header = "{'descr': [('a', '|u1'), ('b', '|u1')], 'fortran_order': False, 'shape': (2,), }";
/// let head = [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()].concat();
/// let npy = Npy::source(Arc::new([&head[..], &[1, 2, 3, 4]].concat()))?;
/// let mut names: Vec<String> = fields(npy, &|_| false).into_iter().map(|it| it.parts.join("/")).collect();
/// names.sort();
/// assert_eq!(names, ["a", "b"]);
/// # Ok::<(), String>(())
/// ```
pub fn fields(npy: Npy, has_parts: &dyn Fn(&str) -> bool) -> Vec<Named> {
    let mut arrays = Vec::new();
    let mut waiting = vec![(Vec::new(), npy)];
    while let Some((parts, npy)) = waiting.pop() {
        for (name, field) in npy.fields() {
            let parts = [&parts[..], &[name]].concat();
            if has_parts(&parts.join("/")) {
                waiting.push((parts, field))
            } else {
                arrays.push(Named::new(parts, false, field))
            }
        }
    }
    arrays
}

/// The arrays of an `.npz` archive, which is called `name`. As for numpy, what is an array is recognised by its first bytes,
/// whatever it is called.
///
/// # Errors
/// If it cannot be read, or none of the arrays is of a known type.
pub(super) fn archive(archive: &Arc<dyn Source>, name: &str) -> Result<Arrays> {
    let mut members = Arrays { arrays: Vec::new(), others: Vec::new(), wrong: Vec::new() };
    let damaged = |why: String| {
        let found = format!("one that is cut off or damaged: {why}");
        unlike(name, "an .npz archive", found)
    };
    for entry in entries(archive).map_err(damaged)? {
        let unread = |why| unlike(&entry.name, ARRAY, format!("one that cannot be read: {why}"));
        let is_array = is_array(&entry).map_err(unread);
        if let Ok(false) = is_array {
            members.others.extend((!entry.is_folder()).then(|| entry.name.clone()));
            continue;
        }
        let name = without_npy(&entry.name).unwrap_or(&entry.name);
        let (folder, name) = name.rsplit_once('/').unwrap_or(("", name));
        let folders: Vec<_> =
            folder.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let read = is_array.and_then(|_| entry.check_method().map_err(unread));
        match read.and_then(|()| named(&folders, name, Npy::entry(&entry))) {
            Ok(array) => members.arrays.push(array),
            Err(error) => {
                let parts = folders.into_iter().chain([name.to_owned()]).collect();
                members.wrong.push((parts, error));
            }
        }
    }
    if members.arrays.is_empty() && !members.wrong.is_empty() {
        return Err(members.wrong.swap_remove(0).1);
    }
    Ok(members)
}

/// Whether an entry of an archive is an array.
///
/// # Errors
/// If its first bytes cannot be read.
pub(super) fn is_array(entry: &Entry) -> Result<bool, String> {
    if without_npy(&entry.name).is_some() {
        return Ok(true);
    }
    if entry.is_folder() { Ok(false) } else { entry.begins_with(MAGIC) }
}

fn add_folder(path: &Path, folders: &mut Vec<String>, arrays: &mut Vec<Named>) -> Result<()> {
    let failed = |error| Error::io(format!("cannot read `{}`", file_name(&path)), error);
    let entries = std::fs::read_dir(path).map_err(failed)?;
    let mut entries = entries.collect::<std::io::Result<Vec<_>>>().map_err(failed)?;
    // Whatever order the folder has them in.
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (file, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_symlink() && file.is_dir() {
            // It may lead to a folder that it is in, or anywhere.
            return Err(unlike(
                &name,
                "files and folders",
                "a link to a folder, which is not followed",
            ));
        }
        if kind.is_dir() {
            folders.push(name.into_owned());
            add_folder(&file, folders, arrays)?;
            folders.pop();
        } else if let Some(name) = without_npy(&name) {
            arrays.push(named(folders, name, Npy::open(&file))?);
        }
    }
    Ok(())
}

/// An array by the names of the folders that it is in, and its own.
fn named(folders: &[String], name: &str, npy: Result<Npy, String>) -> Result<Named> {
    let npy = npy.map_err(|why| unlike(name, ARRAY, format!("one that cannot be read: {why}")))?;
    let param = name.strip_prefix(':');
    let files = folders.iter().map(String::as_str).chain([param.unwrap_or(name)]);
    let (parts, keyed) = files.map(|it| (names::of_file(it), names::is_in_dict(it))).unzip();
    Ok(Named { keyed, ..Named::new(parts, param.is_some(), npy) })
}

fn unlike(what: &str, expected: &str, found: impl Into<Box<str>>) -> Error {
    Error::WrongValue { item: Item::new(what), expected: expected.into(), found: found.into() }
}

/// Whether the name of a file ends in `.npy`.
///
/// ```
/// use std::path::Path;
///
/// use dudley::numpy::arrays::is_named_npy;
///
/// assert!(is_named_npy(Path::new("run/rho.npy")) && !is_named_npy(Path::new("rho.npz")));
/// ```
pub fn is_named_npy(path: &Path) -> bool {
    path.file_name().is_some_and(|name| without_npy(&name.to_string_lossy()).is_some())
}

/// The name of a `.npy` file without its extension, in either case.
pub(super) fn without_npy(name: &str) -> Option<&str> {
    let (name, extension) = name.rsplit_once('.')?;
    extension.eq_ignore_ascii_case("npy").then_some(name)
}
