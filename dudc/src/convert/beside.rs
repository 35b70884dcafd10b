//! The metalayers of a frame in a stream, file or archive that was made from the frame, and becomes a frame again.

use asdf_bridge::blosc2::NewArray;
use dudley::read::select::Selected;

use crate::convert::part::{Part, name_of};
use crate::failure::{Failure, Result, printable};
use crate::output::{named, warn};

/// The path of the data of a frame.
const DATA: &str = "/data";

/// The metalayer with the checksums of a frame, which are made anew.
const CHECKSUMS: &str = "dudley.crc32c";

/// The metalayers of a frame.
#[derive(Default)]
pub(crate) struct Beside {
    /// The chunks and blocks of the array.
    cut: Option<Vec<u8>>,
    checksums: bool,
    meta: Vec<(String, Vec<u8>)>,
    vlmeta: Vec<(String, Vec<u8>)>,
}

/// The array to take if no path names one: the only array, or the data of a frame with its metalayers beside it. `None` if
/// there are other arrays.
pub(crate) fn only(paths: &[String]) -> Option<&str> {
    match paths {
        [path] => Some(&**path).filter(|path| !is_meta(path)),
        paths => of_frame(paths).then_some(DATA),
    }
}

/// Warns of everything that is left out if one array of a file is written. Metalayers of a frame may be `kept`. The
/// metalayers about its chunks and checksums are not counted: libraries make them.
pub(crate) fn warn_of_left(
    file: &str,
    path: &str,
    arrays: &[String],
    values: &[String],
    kept: bool,
) {
    let is_checksums =
        |name: &Option<(_, String)>| matches!(name, Some((_, name)) if name == CHECKSUMS);
    let arrays = arrays.iter().filter(|array| {
        let name = name_of(array);
        !kept && !is_meta(array) && !is_checksums(&name)
    });
    let left = arrays.chain(values).filter(|other| *other != path);
    let left: Vec<String> = left.map(|path| printable(path)).collect();
    if !left.is_empty() {
        let (path, left) = (printable(path), named(&left));
        warn(&format!("{file}: one array is written, `{path}`; left out: {left}"));
    }
}

/// Whether these arrays are the arrays of a frame.
fn of_frame(paths: &[String]) -> bool {
    paths.iter().any(|path| path == DATA)
        && paths.iter().all(|path| path == DATA || name_of(path).is_some())
}

/// Whether a path is the metalayer with the shape of an array.
fn is_meta(path: &str) -> bool {
    name_of(path).is_some_and(|(kind, name)| kind == "meta" && name == "b2nd")
}

impl Beside {
    /// The metalayers beside an array of a path, or a slice of it, if all arrays together, of which `paths` gives the
    /// paths, are those of a frame: those that the part keeps. `select` gives what a path picks.
    ///
    /// # Errors
    /// If `select` fails, and what reading them does; if the part names metalayers that are none.
    pub(crate) fn of(
        path: &str,
        paths: impl FnOnce() -> Result<Vec<String>>,
        part: &Part,
        select: &mut dyn FnMut(&str) -> Result<Selected>,
    ) -> Result<Beside> {
        let mut found = Beside::default();
        let is_data = asdf_bridge::blosc2::data_indices(path)?.is_some();
        let paths = if is_data { paths()? } else { Vec::new() };
        if !of_frame(&paths) {
            return if part.names_metalayers() {
                Err(Failure::input("more than one array: name one behind the output"))
            } else {
                Ok(found)
            };
        }
        for path in &paths {
            let Some((kind, name)) = name_of(path) else { continue };
            // Libraries make the metalayer with the chunks.
            if !is_meta(path) && !part.keeps(kind, &name) {
                continue;
            }
            let selected = select(path)?;
            let Some(data) = selected.data().filter(|data| data.dtype_name().ends_with("u1"))
            else {
                let path = printable(path);
                warn(&format!("`{path}` is no metalayer, as it is not of bytes: it is left out"));
                continue;
            };
            if data.shape().len() != 1 {
                let (path, shape) = (printable(path), data.shape());
                warn(&format!("`{path}`: a metalayer has no shape: that of {shape:?} is left out"));
            }
            let content: Vec<u8> = data.read::<u8>()?.into_iter().collect();
            match (kind, &*name) {
                ("meta", "b2nd" | "caterva") => found.cut = Some(content),
                ("meta", _) => found.meta.push((name, content)),
                (_, CHECKSUMS) => found.checksums = true,
                _ => found.vlmeta.push((name, content)),
            }
        }
        Ok(found)
    }

    /// An array with these metalayers. It keeps its chunks if it keeps its shape.
    pub(crate) fn with(&self, mut new: NewArray) -> NewArray {
        if let Some(cut) = &self.cut {
            new = new.cut_as(cut);
        }
        if self.checksums {
            new = new.checksums(true);
        }
        new = self.meta.iter().fold(new, |new, (name, content)| new.meta(name, content));
        self.vlmeta.iter().fold(new, |new, (name, content)| new.vlmeta(name, content))
    }
}
