//! Files of numpy as formats of the model: a layout made of their headers, and the stream that it describes.

use std::path::Path;

use dudley_parser::Severity;
use dudley_parser::layout::path::of_param;

use super::MAGIC;
use super::archive::{Entry, LOCAL, entries, first_name};
use super::array_source::ArraySource;
use super::arrays::{self, Arrays, Named, is_array};
use super::layout::{Dicts, Orders, Purpose, of_arrays, path_of};
use super::members::Members;
use super::npy::Npy;
use crate::error::{Error, Result};
use crate::model::{
    Candidate, Claim, Content, Dataset, Depth, Description, Doubt, Fact, Format, Node,
};
use crate::read::select::{Selected, select};
use crate::read::stream::{Open, Stream};
use crate::verify::Finding;

/// This many folders are looked into for a `.npy` file, to tell whether a folder is one of arrays.
const FOLDERS: usize = 1000;

/// The containers of arrays of numpy; each is a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An array in a file of its own.
    File,
    /// An archive of arrays.
    Archive,
    /// A folder of files of arrays.
    Folder,
}

/// Arrays of numpy that are open.
pub struct OpenArrays {
    describe: &'static str,
    stream: Stream,
    /// The layout with which the file is read in place; `None` if it cannot.
    in_place: Option<String>,
    /// The names of the other members of an archive.
    others: Vec<String>,
    /// The errors of arrays that are not read.
    wrong: Vec<Doubt>,
}

impl Kind {
    pub(crate) const ALL: [Kind; 3] = [Kind::File, Kind::Archive, Kind::Folder];

    /// The kind of a candidate, if it is one of these.
    ///
    /// ```
    /// use dudley::model::Candidate;
    /// use dudley::numpy::Kind;
    ///
    /// let file = Candidate::source("x.npy", b"\x93NUMPY\x01\x00".to_vec(), 0);
    /// assert_eq!(Kind::of(&file)?, Some(Kind::File));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(candidate: &Candidate) -> Result<Option<Kind>> {
        for kind in Kind::ALL {
            if kind.recognise(candidate)?.is_some() {
                return Ok(Some(kind));
            }
        }
        Ok(None)
    }

    /// The arrays, unread.
    ///
    /// # Errors
    /// If something is wrong with all of them, or with one of a folder.
    pub fn arrays(self, candidate: &Candidate) -> Result<Arrays> {
        match self {
            Kind::File => {
                let name = candidate.path().unwrap_or(Path::new(candidate.name()));
                arrays::single(name, Npy::source(candidate.bytes()?))
            }
            Kind::Archive => arrays::archive(&candidate.bytes()?, candidate.name()),
            Kind::Folder => arrays::folder(candidate.folder().unwrap_or(Path::new(""))),
        }
    }
}

impl Format for Kind {
    fn describe(&self) -> &'static str {
        match self {
            Kind::File => "a .npy file",
            Kind::Archive => "an .npz archive",
            Kind::Folder => "a folder of .npy files",
        }
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        Ok(match self {
            Kind::File => candidate.head()?.starts_with(MAGIC).then_some(Claim::Signature),
            Kind::Archive => has_arrays(candidate)?.then_some(Claim::Signature),
            Kind::Folder => candidate.folder().is_some_and(has_files).then_some(Claim::Header),
        })
    }

    fn open(&self, candidate: &Candidate, open: &Open) -> Result<Dataset> {
        let content = OpenArrays::new(*self, candidate, &self.arrays(candidate)?, open)?;
        Ok(Dataset::new(candidate.name(), content))
    }

    /// Checks that the arrays can be opened, and are what their checksums were made of.
    fn verify(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> Result<()> {
        let arrays = self.arrays(candidate).and_then(|arrays| {
            OpenArrays::new(*self, candidate, &arrays, open)?;
            Ok(arrays)
        });
        match arrays {
            Ok(Arrays { arrays, wrong, .. }) => {
                for (parts, error) in &wrong {
                    let path = path_of(parts);
                    found(Finding::of_error(Severity::Error, "unreadable", error).of(&path));
                }
                for Named { source, parts, .. } in &arrays {
                    if let Some(entry) = source.npy().and_then(Npy::entry_of) {
                        verify(entry, &path_of(parts), found);
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

/// The fault of the bytes of an entry.
fn verify(entry: &Entry, path: &str, found: &mut dyn FnMut(Finding)) {
    if let Err(why) = entry.verify() {
        let (address, stored) = entry.stored();
        let code = if entry.place().is_some() { "checksum" } else { "filter" };
        found(Finding::new(Severity::Error, code, why).at(address, stored).of(path));
    }
}

impl OpenArrays {
    fn new(
        kind: Kind,
        candidate: &Candidate,
        Arrays { arrays, others, wrong }: &Arrays,
        open: &Open,
    ) -> Result<OpenArrays> {
        let (describe, others) = (kind.describe(), others.clone());
        let doubt = |(parts, error): &(Vec<String>, Error)| {
            let path = Some(path_of(parts));
            Doubt { path, why: format!("it is left out: {error}") }
        };
        let wrong: Vec<Doubt> = wrong.iter().map(doubt).collect();
        let pieces: Option<Vec<_>> = arrays
            .iter()
            .map(|it| Some((it.source.npy()?.place().filter(|_| !it.param)?, &it.source)))
            .collect();
        if let (Some(pieces), false) = (pieces, kind == Kind::Folder)
            && let Some(members) = Members::new(pieces).in_place(candidate.bytes()?)
        {
            let (text, _) = of_arrays(arrays, &Dicts::new(), Orders::Own, Purpose::ReadInPlace)?;
            let stream = open.clone().base(0).raw().layout_text(&text)?.source(members)?;
            return Ok(OpenArrays { describe, stream, in_place: Some(text), others, wrong });
        }
        let stream = placed(arrays, &Dicts::new(), open)?;
        Ok(OpenArrays { describe, stream, in_place: None, others, wrong })
    }

    /// A message about the other members of the archive, if there are any.
    pub fn left_out(&self) -> Option<String> {
        arrays::left_out(&self.others)
    }

    fn node(&self, item: crate::read::item::Item) -> Node {
        if self.in_place.is_some() { item.into() } else { Node::decoded(item) }
    }
}

/// Arrays as a stream, with a layout that is made for them. Nothing is copied: a read of the stream reads from the
/// arrays.
///
/// ```
/// use dudley::numpy::arrays::{About, Named};
/// use dudley::numpy::{layout::Dicts, stream_of};
///
/// let open = dudley::Open::new().layout_text("x = i2  #: scale_factor = 0.5")?.raw();
/// let x = open.bytes(vec![3, 0])?.get("/x")?.data()?.scaled()?.expect("scaled");
/// let (parts, keyed) = (vec!["physical".to_owned()], vec![true]);
/// let array = Named { parts, keyed, param: false, source: x.into(), about: About::default() };
/// let stream = stream_of(vec![array], &Dicts::new(), &dudley::Open::new())?;
/// assert_eq!(stream.get("/physical")?.data()?.read::<f64>()?.sum(), 1.5);
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// If two arrays clash, or one is of a type that layouts do not have; if reading params fails.
pub fn stream_of(arrays: Vec<Named>, dicts: &Dicts, open: &Open) -> Result<Stream> {
    let side_by_side = |array: Named| {
        let source = match array.source {
            ArraySource::Data(stacked) => stacked.side_by_side()?.into(),
            source => source,
        };
        Ok::<_, Error>(Named { source, ..array })
    };
    let arrays: Vec<Named> = arrays.into_iter().map(side_by_side).collect::<Result<_>>()?;
    placed(&arrays, dicts, open)
}

/// Arrays as a stream, those of datasets with their elements side by side.
fn placed(arrays: &[Named], dicts: &Dicts, open: &Open) -> Result<Stream> {
    let open = open.clone().base(0).raw();
    let made = |arrays: &[Named]| of_arrays(arrays, dicts, Orders::Own, Purpose::Read);
    let (text, paths) = made(arrays)?;
    // Addresses are the same where dimensions are numbers, which no param has to be read for.
    let numbers = if arrays.iter().any(|array| !array.about.dims.is_empty()) {
        let bare = |array: &Named| {
            let mut array = array.clone();
            array.about.dims.clear();
            array
        };
        made(&arrays.iter().map(bare).collect::<Vec<_>>())?.0
    } else {
        text.clone()
    };
    let hollow = open.clone().layout_text(&numbers)?.unguarded().source(Vec::new())?;
    let mut pieces = Vec::with_capacity(paths.len());
    for (path, array) in paths.iter().zip(arrays).filter(|(_, it)| it.about.fixed.is_none()) {
        // An item may have the name of a param.
        let item = if array.param { hollow.get(&of_param(path)) } else { hollow.get(path) };
        pieces.push((item?.address()?, &array.source));
    }
    open.layout_text(&text)?.source(Members::new(pieces))
}

impl Content for OpenArrays {
    fn describe(&self) -> &'static str {
        self.describe
    }

    fn name(&self) -> &'static str {
        "numpy"
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

    /// What is left out speaks against no value that is there.
    fn doubts(&self, paths: &[&str], _: Depth) -> Result<Vec<Doubt>> {
        Ok(if paths.is_empty() { self.wrong.clone() } else { Vec::new() })
    }

    fn facts(&self) -> Result<Vec<Fact>> {
        if self.others.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![Fact::new("others", self.others.clone())])
    }
}

/// Why there is no layout with which arrays are read in place.
#[derive(Debug, thiserror::Error)]
#[error(
    "no layout places its arrays: they are files of their own, deflated, params, or text in Fortran order; `dudc convert` \
     makes a stream of them"
)]
struct NotInPlace;

/// Whether an archive has arrays, by its name, by that of its first entry, or by what is in any.
fn has_arrays(candidate: &Candidate) -> Result<bool> {
    let head = candidate.head()?;
    if !head.starts_with(LOCAL) {
        return Ok(false);
    }
    // One that is damaged further on is an archive of arrays, too.
    let extension = Path::new(candidate.name()).extension();
    if extension.is_some_and(|it| it.eq_ignore_ascii_case("npz")) {
        return Ok(true);
    }
    let name = first_name(candidate.long_head()?);
    if name.is_some_and(|name| arrays::without_npy(&name).is_some()) {
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
            if kind.is_ok_and(|kind| kind.is_dir()) {
                waiting.push(path);
            } else if arrays::is_named_npy(&path) {
                return true;
            }
        }
    }
    false
}
