//! The table of formats, which says what a file is.

use std::path::Path;

use dudley_parser::no_text_at;

use super::candidate::Candidate;
use super::dataset::Dataset;
use super::format::{Claim, Format, Salvaged, Target};
use super::known::probably;
use super::sections::Sections;
use super::streams::{BareLayout, NativeStream, through_layout};
use crate::bytes::signature::is_native;
#[cfg(feature = "map")]
use crate::bytes::source::FileSource;
use crate::bytes::source::Source;
use crate::error::{Error, Result};
use crate::numpy::Kind;
use crate::read::stream::Open;
use crate::verify::Finding;

/// The formats that are known.
///
/// ```
/// use dudley::Open;
/// use dudley::model::{Candidate, Formats};
///
/// let formats = Formats::builtin();
/// let bytes = Candidate::source("bytes", vec![2, 0, 8], 0);
/// let error = formats.open(&bytes, &Open::new()).unwrap_err();
/// assert!(error.to_string().contains("no format that is known"));
///
/// let open = Open::new().layout_text("n : u1  x = u1[n]")?.raw();
/// assert_eq!(formats.open(&bytes, &open)?.select("/x")?.read::<u8>()?.sum(), 8);
/// # Ok::<(), dudley::Error>(())
/// ```
pub struct Formats {
    formats: Vec<Box<dyn Format>>,
    /// It takes more bytes to see that something is a text.
    last: BareLayout,
}

/// Opens a file of a format of this crate. Others are opened through [`Formats`] that have them.
///
/// # Errors
/// As [`Formats::open`].
pub fn open(path: impl AsRef<Path>) -> Result<Dataset> {
    Formats::builtin().file(path, &Open::new())
}

impl Formats {
    /// The formats of this crate: native streams, arrays of numpy (`.npy` files, `.npz` archives, folders), and layouts.
    ///
    /// ```
    /// let formats = dudley::model::Formats::builtin();
    /// assert!(formats.iter().count() >= 2); // streams, layouts, arrays of numpy
    /// ```
    pub fn builtin() -> Formats {
        let numpy = Kind::ALL.map(|kind| Box::new(kind) as Box<dyn Format>);
        let formats =
            [Box::new(NativeStream) as Box<dyn Format>].into_iter().chain(numpy).collect();
        Formats { formats, last: BareLayout }
    }

    /// With more formats.
    ///
    /// ```
    /// use dudley::model::Formats;
    ///
    /// let count = Formats::builtin().iter().count();
    /// assert_eq!(Formats::builtin().with([]).iter().count(), count);
    /// ```
    #[must_use]
    pub fn with(mut self, more: impl IntoIterator<Item = Box<dyn Format>>) -> Formats {
        self.formats.extend(more);
        self
    }

    /// Opens a file, or a folder, of any of these formats.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let file = dudley::model::Formats::builtin().file(&path, &dudley::Open::new())?;
    /// assert_eq!(file.get("/t")?.shape()?, [0]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OfFile`] with an error of [`Self::open`]; [`Error::Io`] if it cannot be opened.
    pub fn file(&self, path: impl AsRef<Path>, open: &Open) -> Result<Dataset> {
        let path = path.as_ref();
        let opened =
            Candidate::file(path, open.base).and_then(|candidate| self.open(&candidate, open));
        opened.map_err(|error| error.of_file(path))
    }

    /// As [`Self::file`], of a file that is mapped into memory when a view of it is requested.
    ///
    /// # Safety
    /// As for [`FileSource::mapped_on_demand`].
    ///
    /// # Errors
    /// As [`Self::file`].
    #[cfg(feature = "map")]
    pub unsafe fn mapped_file(&self, path: impl AsRef<Path>, open: &Open) -> Result<Dataset> {
        let path = path.as_ref();
        if path.is_dir() {
            return self.file(path, open);
        }
        let opened = || {
            // SAFETY: it is that of the caller.
            let file = unsafe { FileSource::open(path)?.mapped_on_demand() };
            self.open(&Candidate::of_file(file, open.base), open)
        };
        opened().map_err(|error: Error| error.of_file(path))
    }

    /// Opens bytes from any source, with a name for messages.
    ///
    /// ```
    /// let formats = dudley::model::Formats::builtin();
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = formats.source("run.bd", bytes, &dudley::Open::new())?;
    /// assert_eq!(file.get("/x")?.unit().as_deref(), Some("cm"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn source(
        &self,
        name: impl Into<String>,
        source: impl Source + 'static,
        open: &Open,
    ) -> Result<Dataset> {
        self.open(&Candidate::source(name, source, open.base), open)
    }

    /// Opens a file of any of these formats; with a layout, as the stream that the layout
    /// describes.
    ///
    /// # Errors
    /// [`Error::UnknownFormat`] if no format recognises it; or if its format cannot open it.
    pub fn open(&self, candidate: &Candidate, open: &Open) -> Result<Dataset> {
        if open.has_layout() {
            return through_layout(candidate, open);
        }
        match self.recognise(candidate)? {
            Some((_, format)) => format.open(candidate, open),
            None => Err(unknown(candidate)?),
        }
    }

    /// Passes on all faults of a file of any of these formats, or, with a layout, of the stream that the layout
    /// describes; `advance` receives the number of bytes that were read. [`crate::verify::CODES`] explains the codes
    /// of findings.
    ///
    /// ```
    /// use dudley::Open;
    /// use dudley::model::{Candidate, Formats};
    ///
    /// let cut = Candidate::source("cut", b"\x8d<BD\r\n\x1a\n".to_vec(), 0);
    /// let mut codes = Vec::new();
    /// Formats::builtin().verify(&cut, &Open::new(), &mut |finding| codes.push(finding.code), &mut |_| ())?;
    /// assert_eq!(codes, ["signature"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownFormat`]; if it cannot be read.
    pub fn verify(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> Result<()> {
        if open.has_layout() || open.raw {
            return NativeStream.verify(candidate, open, found, advance);
        }
        match self.recognise(candidate)? {
            Some((_, format)) => format.verify(candidate, open, found, advance)?,
            None => return Err(unknown(candidate)?),
        }
        self.iter().try_for_each(|format| format.verify_within(candidate, open, found))
    }

    /// Repairs the faults that [`Self::verify`] found, if that loses nothing: see [`Format::mend`].
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn mend(
        &self,
        candidate: &Candidate,
        path: &Path,
        found: &[Finding],
    ) -> Result<Option<String>> {
        let own =
            self.recognise(candidate)?.map_or(Ok(None), |(_, format)| format.mend(path, found))?;
        let mut others = self.iter().map(|format| format.mend_within(path, found));
        own.map_or_else(|| others.find_map(Result::transpose).transpose(), |done| Ok(Some(done)))
    }

    /// The sections of a file as it is stored: see [`Format::sections`]. It also works for a file that is too
    /// damaged to be recognised.
    ///
    /// # Errors
    /// As [`Format::sections`].
    pub fn sections(
        &self,
        candidate: &Candidate,
        opened: Option<&Dataset>,
        path: Option<&str>,
    ) -> Result<Option<Sections>> {
        let mut found = self.iter().map(|format| format.sections(candidate, opened, path));
        found.find_map(Result::transpose).transpose()
    }

    /// Keeps all readable parts of a damaged file: see [`Format::salvage`].
    ///
    /// # Errors
    /// If nothing can be read, or the target cannot be written.
    pub fn salvage(
        &self,
        candidate: &Candidate,
        to: Option<Target<'_>>,
    ) -> Result<Option<Salvaged>> {
        self.recognise(candidate)?.map_or(Ok(None), |(_, format)| format.salvage(candidate, to))
    }

    /// The format that something is of, and how sure that is: of those that claim it the one that is most sure.
    ///
    /// # Errors
    /// If reading it fails.
    pub fn recognise(&self, candidate: &Candidate) -> Result<Option<(Claim, &dyn Format)>> {
        let formats = || self.formats.iter().map(|format| &**format);
        let mut best: Option<(Claim, &dyn Format)> = None;
        for format in formats() {
            // A stream, which may be written to meanwhile, is read no further.
            let is_sure = |claim| match claim {
                Claim::Lodged => Ok(true),
                Claim::Signature => candidate.head().map(is_native),
                _ => Ok::<bool, Error>(false),
            };
            if best.map_or(Ok(false), |(claim, _)| is_sure(claim))? {
                break;
            }
            if let Some(claim) = format.recognise(candidate)?
                && best.is_none_or(|(other, _)| claim > other)
            {
                best = Some((claim, format));
            }
        }
        if best.is_some() {
            return Ok(best);
        }
        for format in formats() {
            if format.recognise_further(candidate)? {
                return Ok(Some((Claim::Header, format)));
            }
        }
        Ok(self.last.recognise(candidate)?.map(|claim| (claim, &self.last as &dyn Format)))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Format> {
        self.formats.iter().map(|format| &**format).chain([&self.last as &dyn Format])
    }
}

/// The error for a file of an unknown format, with its probable format.
fn unknown(candidate: &Candidate) -> Result<Error> {
    let head = candidate.long_head()?;
    let more = candidate.len() > head.len() as u64;
    let no_text = no_text_at(head, more);
    let known = if candidate.folder().is_some() {
        Some("a folder without `.npy` files")
    } else if candidate.is_empty() {
        Some("an empty file")
    } else {
        probably(head, no_text.is_none())
    };
    Ok(Error::UnknownFormat { probably: known, no_text: no_text.map(|at| (at as u64, head[at])) })
}
