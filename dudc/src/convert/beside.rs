//! What a frame had beside its data, where a stream, a file or an archive was made of one and becomes a frame again.

use asdf_bridge::blosc2::NewArray;
use dudley::path::{Part, parse};
use dudley::select::Selected;

use crate::failure::{Result, printable};
use crate::output::warn;

/// Where a frame has its data.
const DATA: &str = "/data";

/// The metalayer of the checksums of a frame, which are made anew.
const CHECKSUMS: &str = "dudley.crc32c";

/// The metalayers of a frame.
#[derive(Default)]
pub(crate) struct Beside {
    /// How the array was cut.
    cut: Option<Vec<u8>>,
    checksums: bool,
    meta: Vec<(String, Vec<u8>)>,
    vlmeta: Vec<(String, Vec<u8>)>,
}

/// The array that is meant where none is named: the only one, or the data of a frame, beside which are its
/// metalayers. None if there are others.
pub(crate) fn only(paths: &[String]) -> Option<&str> {
    match paths {
        [path] => Some(&**path).filter(|path| !is_meta(path)),
        paths => of_frame(paths).then_some(DATA),
    }
}

/// Whether these are the arrays of a frame.
fn of_frame(paths: &[String]) -> bool {
    paths.iter().any(|path| path == DATA)
        && paths.iter().all(|path| path == DATA || name_of(path).is_some())
}

/// Whether a path is that of the metalayer that says the shape of an array.
fn is_meta(path: &str) -> bool {
    name_of(path).is_some_and(|(kind, name)| kind == "meta" && name == "b2nd")
}

/// Which metalayer has a path: its kind, and its name.
fn name_of(path: &str) -> Option<(&'static str, String)> {
    let parts = parse(path).ok()?;
    match &parts[..] {
        [Part::Name { text, .. }] if text == "usermeta" => Some(("vlmeta", text.clone())),
        [Part::Name { text: kind, .. }, Part::Name { text, .. }] => {
            let kind = ["meta", "vlmeta"].into_iter().find(|known| known == kind)?;
            Some((kind, text.clone()))
        }
        _ => None,
    }
}

impl Beside {
    /// The metalayers beside an array of a path, if all arrays together, of which `paths` gives the paths, are those
    /// of a frame. `select` gives what a path picks.
    ///
    /// # Errors
    /// What `select` says, and what reading them does.
    pub(crate) fn of(
        path: &str,
        paths: impl FnOnce() -> Result<Vec<String>>,
        select: &mut dyn FnMut(&str) -> Result<Selected>,
    ) -> Result<Beside> {
        let mut found = Beside::default();
        let paths = if path == DATA { paths()? } else { Vec::new() };
        if !of_frame(&paths) {
            return Ok(found);
        }
        for path in &paths {
            let Some((kind, name)) = name_of(path) else { continue };
            let selected = select(path)?;
            let Some(data) = selected.data().filter(|data| data.dtype_name().ends_with("u1"))
            else {
                let path = printable(path);
                warn(&format!("`{path}` is no metalayer, as it is not of bytes: it is left out"));
                continue;
            };
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

    /// An array with these metalayers, cut as it was if its shape is still that.
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
