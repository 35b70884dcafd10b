//! Files of numpy as formats of the model: a layout made of their headers, and the stream that it describes.

use std::path::Path;

use dudley_parser::Severity;

use super::MAGIC;
use super::archive::{Entry, entries};
use super::arrays::{self, Named, is_array};
use super::layout::{Purpose, of_arrays};
use super::members::{Checked, Members};
use super::npy::Npy;
use crate::error::{Error, Result};
use crate::model::{Candidate, Claim, Content, Dataset, Description, Format, Node};
use crate::select::{Selected, select};
use crate::stream::{Open, Stream};
use crate::value::Value;
use crate::verify::Finding;

/// What an archive with something in it begins with.
const ZIP: &[u8] = b"PK\x03\x04";
/// So many folders are looked into for a `.npy` file, to tell whether a folder is one of arrays.
const FOLDERS: usize = 1000;

/// An array in a file of its own.
pub(crate) struct NpyFile;
/// An archive of arrays.
pub(crate) struct NpzArchive;
/// A folder of arrays.
pub(crate) struct NpyFolder;

/// Arrays of numpy that are open.
pub struct OpenArrays {
    describe: &'static str,
    stream: Stream,
    /// The layout with which the file is read in place; none if it cannot.
    in_place: Option<String>,
    /// The names of what else is in an archive.
    others: Vec<String>,
}

/// The arrays of a candidate that is of one of these formats; none if it is of none.
///
/// # Errors
/// What is wrong with one of them.
pub fn arrays_of(candidate: &Candidate) -> Result<Option<arrays::Members>> {
    let formats: [&dyn OfNumpy; 3] = [&NpyFile, &NpzArchive, &NpyFolder];
    for format in formats {
        if format.recognise(candidate)?.is_some() {
            return format.arrays(candidate).map(Some);
        }
    }
    Ok(None)
}

/// What differs between these formats.
trait OfNumpy: Format {
    /// The arrays, none of which is read.
    fn arrays(&self, candidate: &Candidate) -> Result<arrays::Members>;

    fn opened(&self, candidate: &Candidate, open: &Open) -> Result<Dataset> {
        let arrays::Members { arrays, others } = self.arrays(candidate)?;
        let content = OpenArrays::new(self.describe(), candidate, (arrays, others), open)?;
        Ok(Dataset::new(candidate.name(), content))
    }

    /// That the arrays can be read, and are what their checksums were made of.
    fn verified(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> Result<()> {
        let opened = self.opened(candidate, open);
        match opened.and_then(|_| self.arrays(candidate)) {
            Ok(members) => {
                for Named { npy, parts, .. } in &members.arrays {
                    if let Some(entry) = npy.entry_of() {
                        verify(entry, &super::layout::path_of(parts), found);
                        advance(entry.stored().1);
                    }
                }
            }
            Err(error) if error.is_unread() => return Err(error),
            Err(error) => found(Finding::of_error(Severity::Error, "unreadable", &error)),
        }
        Ok(())
    }
}

/// What is wrong with the bytes of an entry.
fn verify(entry: &Entry, path: &str, found: &mut dyn FnMut(Finding)) {
    if let Err(why) = entry.verify() {
        let (address, stored) = entry.stored();
        let code = if entry.place().is_some() { "checksum" } else { "filter" };
        found(Finding::new(Severity::Error, code, why).at(address, stored).of(path));
    }
}

impl OpenArrays {
    fn new(
        describe: &'static str,
        candidate: &Candidate,
        (arrays, others): (Vec<Named>, Vec<String>),
        open: &Open,
    ) -> Result<OpenArrays> {
        let made = |purpose| {
            let made = of_arrays(&arrays, None, purpose);
            let (text, paths) = made.map_err(|error| Error::Foreign(Box::new(error)))?;
            let open = open.clone().base(0).raw().layout_text(&text)?;
            Ok::<_, Error>((open, paths, text))
        };
        let is_stored = |array: &Named| !array.param && array.npy.place().is_some();
        if candidate.folder().is_none() && arrays.iter().all(is_stored) {
            let (open, _, text) = made(Purpose::ReadInPlace)?;
            let stream = open.source(Checked::new(candidate.bytes()?, &arrays))?;
            return Ok(OpenArrays { describe, stream, in_place: Some(text), others });
        }
        let (open, paths, _) = made(Purpose::Read)?;
        let hollow = open.clone().unguarded().source(Vec::new())?;
        let mut pieces = Vec::with_capacity(paths.len());
        for (path, array) in paths.iter().zip(arrays) {
            pieces.push((hollow.get(path)?.address()?, array.npy));
        }
        let stream = open.source(Members::new(pieces))?;
        Ok(OpenArrays { describe, stream, in_place: None, others })
    }

    fn node(&self, item: crate::item::Item) -> Node {
        if self.in_place.is_some() { item.into() } else { Node::decoded(item) }
    }
}

impl Content for OpenArrays {
    fn describe(&self) -> &'static str {
        self.describe
    }

    fn root(&self) -> Result<Node> {
        Ok(self.node(self.stream.limited().root()))
    }

    fn get(&self, path: &str) -> Result<Node> {
        Ok(self.node(self.stream.limited().get(path)?))
    }

    fn select(&self, path: &str) -> Result<Selected> {
        select(&self.stream.limited(), path)
    }

    fn stream(&self) -> Result<Option<&Stream>> {
        Ok(Some(&self.stream))
    }

    fn is_decoded(&self) -> bool {
        self.in_place.is_none()
    }

    fn layout(&self) -> Result<Option<Description>> {
        let text = self.in_place.clone().ok_or_else(|| Error::Foreign(Box::new(NotInPlace)))?;
        Ok(Some(Description { text, same_paths: true, ..Description::default() }))
    }

    fn facts(&self) -> Vec<(String, Value)> {
        let others = self.others.iter().cloned().map(Value::Text).collect::<Vec<_>>();
        match others.is_empty() {
            true => Vec::new(),
            false => vec![("others".to_owned(), Value::Array(others))],
        }
    }
}

/// Why there is no layout with which arrays are read in place.
#[derive(Debug, thiserror::Error)]
#[error(
    "no layout places its arrays: they are files of their own, deflated, params, or in Fortran order; `dudc convert` makes \
     a stream of them"
)]
struct NotInPlace;

impl OfNumpy for NpyFile {
    fn arrays(&self, candidate: &Candidate) -> Result<arrays::Members> {
        let name = candidate.path().unwrap_or(Path::new(candidate.name()));
        let array = arrays::single(name, Npy::source(candidate.bytes()?))?;
        Ok(arrays::Members { arrays: vec![array], others: Vec::new() })
    }
}

impl OfNumpy for NpzArchive {
    fn arrays(&self, candidate: &Candidate) -> Result<arrays::Members> {
        arrays::archive(&candidate.bytes()?, candidate.name())
    }
}

impl OfNumpy for NpyFolder {
    fn arrays(&self, candidate: &Candidate) -> Result<arrays::Members> {
        let arrays = candidate.folder().map_or(Ok(Vec::new()), arrays::folder)?;
        Ok(arrays::Members { arrays, others: Vec::new() })
    }
}

/// Whether an archive has arrays, by its name, by that of its first entry, or by what is in any.
fn has_arrays(candidate: &Candidate) -> Result<bool> {
    let head = candidate.head()?;
    if !head.starts_with(ZIP) {
        return Ok(false);
    }
    // One that is damaged further on is an archive of arrays, too.
    let extension = Path::new(candidate.name()).extension();
    if extension.is_some_and(|it| it.eq_ignore_ascii_case("npz")) {
        return Ok(true);
    }
    let length =
        head.get(26..28).map_or(0, |bytes| usize::from(u16::from_le_bytes([bytes[0], bytes[1]])));
    let name = candidate.long_head()?.get(30..30 + length).unwrap_or_default();
    if arrays::without_npy(&String::from_utf8_lossy(name)).is_some() {
        return Ok(true);
    }
    let all = entries(&candidate.bytes()?).unwrap_or_default();
    Ok(all.iter().any(|entry| is_array(entry).is_ok_and(|is_one| is_one)))
}

/// Whether a `.npy` file is in a folder, or in one of those in it.
fn has_files(folder: &Path) -> bool {
    let mut waiting = vec![folder.to_owned()];
    let mut looked = 0;
    while let Some(folder) = waiting.pop().filter(|_| looked < FOLDERS) {
        looked += 1;
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, kind) = (entry.path(), entry.file_type());
            match kind.is_ok_and(|kind| kind.is_dir()) {
                true => waiting.push(path),
                false if arrays::is_named_npy(&path) => return true,
                false => {}
            }
        }
    }
    false
}

impl Format for NpyFile {
    fn describe(&self) -> &'static str {
        "a .npy file"
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        Ok(candidate.head()?.starts_with(MAGIC).then_some(Claim::Signature))
    }

    fn open(&self, candidate: &Candidate, open: &Open) -> Result<Dataset> {
        self.opened(candidate, open)
    }

    fn verify(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> Result<()> {
        self.verified(candidate, open, found, advance)
    }
}

impl Format for NpzArchive {
    fn describe(&self) -> &'static str {
        "an .npz archive"
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        Ok(has_arrays(candidate)?.then_some(Claim::Signature))
    }

    fn open(&self, candidate: &Candidate, open: &Open) -> Result<Dataset> {
        self.opened(candidate, open)
    }

    fn verify(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> Result<()> {
        self.verified(candidate, open, found, advance)
    }
}

impl Format for NpyFolder {
    fn describe(&self) -> &'static str {
        "a folder of .npy files"
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        let is_one = candidate.folder().is_some_and(has_files);
        Ok(is_one.then_some(Claim::Header))
    }

    fn open(&self, candidate: &Candidate, open: &Open) -> Result<Dataset> {
        self.opened(candidate, open)
    }

    fn verify(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> Result<()> {
        self.verified(candidate, open, found, advance)
    }
}
