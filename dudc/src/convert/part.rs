//! The part of a frame for a new frame: its data or a slice of it, and metalayers.

use std::ops::Range;

use asdf_bridge::blosc2::Frame;
use dudley::read::path::{Part as Name, parse};
use dudley::read::slice::{Index, resolve};

use crate::failure::{Failure, Result, printable};
use crate::frame::failure;

/// The paths of what a frame holds.
pub(crate) const FRAME: [&str; 4] = ["/data", "/meta", "/vlmeta", "/usermeta"];

/// A part of a frame.
#[derive(Default)]
pub(crate) struct Part {
    /// The path of its data.
    pub(crate) data: Option<String>,
    /// The slice of the data.
    pub(crate) indices: Vec<Index>,
    /// The kind and name of the kept metalayers. Without a name all of the kind are kept, and an empty list keeps all.
    keep: Option<Vec<(&'static str, Option<String>)>>,
}

impl Part {
    /// The part that paths pick; `None` if it is not data with metalayers. A single path picks the data with all
    /// metalayers; further paths pick metalayers.
    ///
    /// # Errors
    /// If a path is wrong.
    pub(crate) fn of(paths: &[String]) -> Result<Option<Part>> {
        let (mut part, mut keep) = (Part::default(), Vec::new());
        for path in paths {
            match (asdf_bridge::blosc2::data_indices(path)?, metalayers(path)) {
                (Some(indices), _) if part.data.is_none() => {
                    (part.data, part.indices) = (Some(path.clone()), indices);
                }
                (None, Some(found)) => keep.push(found),
                _ => return Ok(None),
            }
        }
        part.keep = (paths.len() > 1).then_some(keep);
        Ok((part.data.is_some() || paths.is_empty()).then_some(part))
    }

    /// Whether paths name the metalayers to keep.
    pub(crate) fn names_metalayers(&self) -> bool {
        self.keep.is_some()
    }

    /// Whether a metalayer is kept.
    pub(crate) fn keeps(&self, kind: &str, name: &str) -> bool {
        self.keep.as_ref().is_none_or(|kept| {
            let named = |own: &Option<String>| own.as_ref().is_none_or(|own| own == name);
            kept.iter().any(|(own, of)| *own == kind && named(of))
        })
    }

    /// Checks that the frame has the named metalayers.
    ///
    /// # Errors
    /// If it lacks one, or the frame is damaged.
    pub(crate) fn check(&self, frame: &Frame, file: &str) -> Result<()> {
        let user = frame.usermeta().map_err(|error| failure(file, error))?.map(|_| "usermeta");
        for (kind, name) in self.keep.iter().flatten() {
            let Some(name) = name else { continue };
            let found = match *kind {
                "meta" => frame.meta_names().any(|own| own == name),
                _ => frame.vlmeta_names().chain(user).any(|own| own == name),
            };
            if !found {
                let name = printable(name);
                return Err(Failure::input(format!(
                    "{file}: it has no metalayer `/{kind}/{name}`"
                )));
            }
        }
        Ok(())
    }

    /// The range of the part in this many bytes, if its bytes are side by side.
    ///
    /// # Errors
    /// If the indices do not fit.
    pub(crate) fn range(&self, bytes: u64) -> Result<Option<Range<u64>>> {
        let picked = resolve(&self.indices, &[bytes])?;
        let picked = picked.first().filter(|picked| !picked.single && picked.step == 1);
        Ok(picked.map(|picked| picked.start..picked.start + picked.count))
    }
}

/// The kind and name of the metalayer of a path, or all of a kind.
fn metalayers(path: &str) -> Option<(&'static str, Option<String>)> {
    if let Some((kind, name)) = name_of(path) {
        return Some((kind, Some(name)));
    }
    match &parse(path).ok()?[..] {
        [Name::Name { text, .. }] => {
            ["meta", "vlmeta"].into_iter().find(|kind| kind == text).map(|kind| (kind, None))
        }
        _ => None,
    }
}

/// The metalayer of a path: its kind and its name.
pub(super) fn name_of(path: &str) -> Option<(&'static str, String)> {
    let parts = parse(path).ok()?;
    match &parts[..] {
        [Name::Name { text, .. }] if text == "usermeta" => Some(("vlmeta", text.clone())),
        [Name::Name { text: kind, .. }, Name::Name { text, .. }] => {
            let kind = ["meta", "vlmeta"].into_iter().find(|known| known == kind)?;
            Some((kind, text.clone()))
        }
        _ => None,
    }
}
