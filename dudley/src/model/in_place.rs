//! Files of other formats that are read in place: their headers say where everything lies, and a layout made of them
//! does so to the engine.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use dudley_parser::layout::text::Text;

use super::candidate::Candidate;
use super::dataset::{Content, Dataset, Depth, Description, Doubt};
use super::format::{Claim, Format};
use super::node::{Fact, Node};
use super::sections::{Holds, Section, Sections};
use crate::bytes::source::Source;
use crate::error::Result;
use crate::read::item::Item;
use crate::read::path::{Part, parse};
use crate::read::select::{Selected, items, select};
use crate::read::stream::{Open, Stream};
use crate::verify::{Finding, verify};

/// A format whose files a layout describes that is made of their headers. [`InPlace`] makes a [`Format`] of it.
pub trait Describe: Send + Sync + 'static {
    /// What a file of it is called, with its article: "a netCDF-3 file".
    fn describe(&self) -> &'static str;

    /// What programs call it: `netcdf3`.
    fn name(&self) -> &'static str;

    /// Whether something is of this format: see [`Format::recognise`].
    ///
    /// # Errors
    /// If reading it fails.
    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>>;

    /// Reads the headers. What is wrong with a part of a file goes to `found`, and keeps nobody from the others.
    ///
    /// # Errors
    /// If something is wrong with the whole, with the address.
    fn read(&self, candidate: &Candidate, found: &mut dyn FnMut(Finding)) -> Result<Described>;

    /// How a layout of it is opened: with filters of its own.
    fn prepare(&self, open: Open) -> Open {
        open
    }

    /// The parts of the headers in the order of their addresses, for who shows bytes.
    ///
    /// # Errors
    /// If reading them fails.
    fn headers(&self, candidate: &Candidate) -> Result<Vec<Section>> {
        let _ = candidate;
        Ok(Vec::new())
    }

    /// Hands over what is wrong with the data, such as checksums that are not theirs, and tells `advance` of the bytes
    /// that were read.
    ///
    /// # Errors
    /// If they cannot be read.
    fn verify_data(
        &self,
        candidate: &Candidate,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> Result<()> {
        let _ = (candidate, found, advance);
        Ok(())
    }
}

/// Makes the layout that headers say: all of it, or at least what declares a name of the root, and what is said of the
/// whole.
pub type Later = Box<dyn Fn(Option<&str>) -> Text + Send + Sync>;

/// What the headers of a file say.
#[derive(Default)]
pub struct Described {
    /// The layout.
    pub layout: Text,
    /// Makes the layout, where it takes longer than reading the headers, which is done for all of a file while few names
    /// of it may be asked for.
    pub later: Option<Later>,
    /// The bytes that it describes, where they are not those of the file: data in a file of their own.
    pub source: Option<Arc<dyn Source>>,
    /// What only the format knows of the whole.
    pub facts: Vec<Fact>,
    /// What the layout does not say, and what speaks against values.
    pub notes: Vec<Doubt>,
}

/// The format of files that a layout describes.
pub struct InPlace<D>(pub D);

/// A file that is open, with its layout.
pub struct OpenInPlace {
    names: (&'static str, &'static str),
    described: Described,
    /// What was wrong with parts of it when it was opened.
    doubts: Vec<Doubt>,
    open: Open,
    source: Arc<dyn Source>,
    whole: OnceLock<Stream>,
}

impl<D: Describe> Format for InPlace<D> {
    fn describe(&self) -> &'static str {
        self.0.describe()
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        self.0.recognise(candidate)
    }

    fn open(&self, candidate: &Candidate, open: &Open) -> Result<Dataset> {
        let mut doubts = Vec::new();
        let described = self.0.read(candidate, &mut |finding| {
            if finding.severity > crate::Severity::Note {
                doubts.push(Doubt { path: finding.path, why: finding.message });
            }
        })?;
        let source = described.source(candidate)?;
        let names = (self.0.describe(), self.0.name());
        let open = self.0.prepare(open.clone().base(0).raw());
        let content =
            OpenInPlace { names, described, doubts, open, source, whole: OnceLock::new() };
        Ok(Dataset::new(candidate.name(), content))
    }

    fn sections(
        &self,
        candidate: &Candidate,
        opened: Option<&Dataset>,
        path: Option<&str>,
    ) -> Result<Option<Sections>> {
        let content = opened.and_then(|opened| opened.content::<OpenInPlace>());
        let is_own = |it: &&OpenInPlace| it.names.1 == self.0.name() && !it.is_elsewhere();
        let Some(content) = content.filter(is_own).filter(|_| path.is_none()) else {
            return Ok(None);
        };
        let headers = self.0.headers(candidate)?;
        if headers.is_empty() {
            return Ok(None);
        }
        let stream = content.stream()?.limited();
        let order = Some(stream.order());
        let items = Section::new("", 0, 0, Holds::Items(stream, None, |_, _| None));
        Ok(Some(Sections {
            name: self.0.name(),
            order,
            source: candidate.bytes()?,
            sections: [items].into_iter().chain(headers).map(Ok).collect(),
            fault: None,
        }))
    }

    fn verify(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> Result<()> {
        match self.0.read(candidate, found) {
            Ok(described) => {
                let source = described.source(candidate)?;
                let open = self.0.prepare(open.clone().base(0).raw());
                match open.layout_text(described.text(None).as_str()) {
                    // Between items are the headers, which no layout has.
                    Ok(open) => verify(
                        open,
                        source,
                        &mut |finding| {
                            if finding.code != "gap" {
                                found(finding);
                            }
                        },
                        advance,
                    ),
                    Err(error) => {
                        found(Finding::of_error(crate::Severity::Error, "layout", &error))
                    }
                }
                self.0.verify_data(candidate, found, advance)
            }
            Err(error) if error.is_unread() => Err(error),
            Err(error) => {
                found(Finding::of_error(crate::Severity::Error, "unreadable", &error));
                Ok(())
            }
        }
    }
}

impl Described {
    /// The layout, or what of it declares a name.
    fn text(&self, name: Option<&str>) -> Cow<'_, Text> {
        match &self.later {
            Some(later) => Cow::Owned(later(name)),
            None => Cow::Borrowed(&self.layout),
        }
    }

    fn source(&self, candidate: &Candidate) -> Result<Arc<dyn Source>> {
        self.source.clone().map_or_else(|| candidate.bytes(), Ok)
    }
}

/// The names that a path leads through: what stands behind a slice or a field of an array is a part of that.
fn names(path: &str) -> Result<Vec<String>> {
    let parts = parse(path)?.into_iter();
    let names =
        parts.map_while(|part| if let Part::Name { text, .. } = part { Some(text) } else { None });
    Ok(names.collect())
}

impl OpenInPlace {
    fn open(&self, text: &str) -> Result<Stream> {
        self.open.clone().layout_text(text)?.source(self.source.clone())
    }

    /// The stream with all of the layout.
    ///
    /// # Errors
    /// If something is wrong with the layout.
    pub fn stream(&self) -> Result<&Stream> {
        if let Some(stream) = self.whole.get() {
            return Ok(stream);
        }
        let stream = self.open(self.described.text(None).as_str())?;
        Ok(self.whole.get_or_init(|| stream))
    }

    /// Whether the bytes are those of another file, so that addresses are none of this one.
    fn is_elsewhere(&self) -> bool {
        self.described.source.is_some()
    }

    fn node(&self, item: Item) -> Node {
        if self.is_elsewhere() { Node::decoded(item) } else { item.into() }
    }

    /// The stream that has what a path leads to: of the layout no more is parsed than declares its first name.
    fn of(&self, path: &str) -> Result<Stream> {
        match self.part(path) {
            Some(part) => Ok(part?.limited()),
            None => Ok(self.stream()?.limited()),
        }
    }

    fn part(&self, path: &str) -> Option<Result<Stream>> {
        if self.whole.get().is_some() {
            return None;
        }
        match parse(path).ok()?.first()? {
            Part::Name { text: name, .. } => {
                Some(self.open(&self.described.text(Some(name)).excerpt(name)?))
            }
            _ => None,
        }
    }
}

impl Content for OpenInPlace {
    fn describe(&self) -> &'static str {
        self.names.0
    }

    fn name(&self) -> &'static str {
        self.names.1
    }

    fn root(&self) -> Result<Node> {
        Ok(self.node(self.stream()?.limited().root()))
    }

    fn get(&self, path: &str) -> Result<Node> {
        Ok(self.node(self.of(path)?.get(path)?))
    }

    fn select(&self, path: &str) -> Result<Selected> {
        select(&self.of(path)?, path)
    }

    fn nodes(&self, path: &str) -> Result<Vec<Node>> {
        Ok(items(&self.of(path)?, path)?.into_iter().map(|item| self.node(item)).collect())
    }

    fn stream(&self) -> Result<Option<&Stream>> {
        self.stream().map(Some)
    }

    fn excerpt(&self, path: &str) -> Option<Stream> {
        // Who shows addresses asks whether they are those of the file.
        if self.is_elsewhere() { None } else { self.part(path)?.ok() }
    }

    fn is_decoded(&self) -> bool {
        self.is_elsewhere()
    }

    fn doubts(&self, paths: &[&str], _: Depth) -> Result<Vec<Doubt>> {
        let asked: Vec<Vec<String>> =
            paths.iter().map(|path| names(path)).collect::<Result<_>>()?;
        // One of a part of what is asked for, or of what that is a part of.
        let is_of = |doubt: &&Doubt| match doubt.path.as_deref().map(names) {
            Some(Ok(of)) => {
                asked.is_empty() || asked.iter().any(|it| it.starts_with(&of) || of.starts_with(it))
            }
            Some(Err(_)) | None => true,
        };
        Ok(self.doubts.iter().chain(&self.described.notes).filter(is_of).cloned().collect())
    }

    fn layout(&self) -> Result<Option<Description>> {
        let text = self.described.text(None).as_str().to_owned();
        let notes = self.described.notes.clone();
        Ok(Some(Description { text, same_paths: true, notes, fault: None }))
    }

    fn facts(&self) -> Result<Vec<Fact>> {
        Ok(self.described.facts.clone())
    }
}
