//! Files of other formats that are read in place: their headers say where everything lies, and a layout made of them
//! does so to the engine.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

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
use crate::read::slice::{Index, Picked, resolve};
use crate::read::stream::{Open, Stream};
use crate::verify::{Finding, verify};

/// A format whose files a layout describes that is made of their headers. [`InPlace`] makes a [`Format`] of it.
pub trait Describe: Send + Sync + 'static {
    /// The name of such a file with its article: "a netCDF-3 file".
    fn describe(&self) -> &'static str;

    /// The name of the format for programs: `netcdf3`.
    fn name(&self) -> &'static str;

    /// Whether something is of this format: see [`Format::recognise`].
    ///
    /// # Errors
    /// If reading it fails.
    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>>;

    /// Whether something is of this format although it begins with other bytes: see [`Format::recognise_further`].
    ///
    /// # Errors
    /// If reading it fails.
    fn recognise_further(&self, candidate: &Candidate) -> Result<bool> {
        let _ = candidate;
        Ok(false)
    }

    /// Reads the headers. What is wrong with a part of a file goes to `found`, and keeps nobody from the others.
    ///
    /// # Errors
    /// If something is wrong with the whole, with the address.
    fn read(&self, candidate: &Candidate, found: &mut dyn FnMut(Finding)) -> Result<Described>;

    /// The parts of the headers in the order of their addresses, for the code that shows bytes.
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

/// Makes layouts when they are requested, where that takes longer than to open a file.
pub trait Later: Send + Sync {
    /// The layout of all of the file.
    ///
    /// # Errors
    /// If something is wrong with the whole, with the address.
    fn whole(&self) -> Result<Laid>;

    /// A layout with what a path leads to, as the whole has it; `None` where only the whole tells.
    ///
    /// # Errors
    /// If something is wrong on the way; the whole is made then.
    fn part(&self, asked: &Asked) -> Result<Option<Laid>>;

    /// The options with which such a layout is opened: with filters that know the file.
    fn prepare(&self, open: Open) -> Open {
        open
    }
}

/// A layout, with the findings of making it.
#[derive(Default)]
pub struct Laid {
    /// The layout.
    pub layout: Text,
    /// Faults of parts of the file.
    pub found: Vec<Finding>,
    /// Facts that the layout does not contain, and doubts about values.
    pub notes: Vec<Doubt>,
}

/// The requested parts of a file.
pub struct Asked {
    /// The names that lead to it, as dicts have them.
    pub names: Vec<String>,
    slice: Option<Vec<Index>>,
}

impl Asked {
    /// The parts that a path requests; `None` if it does not begin with a name.
    fn of(path: &str) -> Option<Asked> {
        let mut parts = parse(path).ok()?.into_iter().peekable();
        let mut names = Vec::new();
        while let Some(Part::Name { text, .. }) =
            parts.next_if(|part| matches!(part, Part::Name { .. }))
        {
            names.push(text);
        }
        let slice = match parts.next() {
            Some(Part::Slice(indices)) => Some(indices),
            _ => None,
        };
        (!names.is_empty()).then_some(Asked { names, slice })
    }

    /// The ranges of indices within which the slice behind the names picks elements of an array of a shape, one for each
    /// dimension; `None` without a slice, and of one that does not fit.
    pub fn ranges(&self, shape: &[u64]) -> Option<Vec<Range<u64>>> {
        let picked = resolve(self.slice.as_deref()?, shape).ok()?;
        let range = |it: &Picked| {
            let steps = i64::try_from(it.count.saturating_sub(1)).ok()?;
            let last = it.start.checked_add_signed(steps.checked_mul(it.step)?)?;
            let end = it.start.max(last).checked_add(1)?;
            Some(if it.count == 0 { 0..0 } else { it.start.min(last)..end })
        };
        picked.iter().map(range).collect()
    }
}

/// The content of the headers of a file.
#[derive(Default)]
pub struct Described {
    /// The layout.
    pub layout: Text,
    /// Makes it instead, where that is not done when the file is opened.
    pub later: Option<Box<dyn Later>>,
    /// The bytes that it describes, if they are in a file of their own.
    pub source: Option<DataFile>,
    /// Facts about the whole file that only the format has.
    pub facts: Vec<Fact>,
    /// Facts that the layout does not contain, and doubts about values.
    pub notes: Vec<Doubt>,
}

/// A file of data alone, beside the one that has the headers.
#[derive(Clone)]
pub struct DataFile {
    /// The path relative to the folder of the headers.
    pub name: String,
    /// Its bytes.
    pub source: Arc<dyn Source>,
}

/// How many parts are kept of which the layout was made.
const PARTS: usize = 16;

/// The format of files that a layout describes.
pub struct InPlace<D>(pub D);

/// A file that is open, with its layout.
pub struct OpenInPlace {
    names: (&'static str, &'static str),
    described: Described,
    /// The faults that were found when the file was opened.
    doubts: Vec<Doubt>,
    open: Open,
    source: Arc<dyn Source>,
    whole: OnceLock<Made>,
    /// By the paths that asked for them, the last one behind the others.
    parts: Mutex<VecDeque<(String, Made)>>,
}

/// A layout that was made, with its stream.
#[derive(Clone)]
struct Made {
    stream: Stream,
    doubts: Vec<Doubt>,
}

impl<D: Describe> Format for InPlace<D> {
    fn describe(&self) -> &'static str {
        self.0.describe()
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        self.0.recognise(candidate)
    }

    fn recognise_further(&self, candidate: &Candidate) -> Result<bool> {
        self.0.recognise_further(candidate)
    }

    fn open(&self, candidate: &Candidate, open: &Open) -> Result<Dataset> {
        let mut doubts = Vec::new();
        let described = self.0.read(candidate, &mut |finding| {
            doubts.extend(doubt(finding));
        })?;
        let source = described.source(candidate)?;
        let names = (self.0.describe(), self.0.name());
        let open = described.prepare(open.clone().base(0).raw());
        let (whole, parts) = (OnceLock::new(), Mutex::default());
        let content = OpenInPlace { names, described, doubts, open, source, whole, parts };
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
                let open = described.prepare(open.clone().base(0).raw());
                let text = described.whole().map(|whole| match whole {
                    Some(Laid { layout, found: wrong, .. }) => {
                        wrong.into_iter().for_each(&mut *found);
                        Cow::Owned(layout)
                    }
                    None => Cow::Borrowed(&described.layout),
                });
                match text.and_then(|text| open.layout_text(text.as_str())) {
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
    /// The layout that is made later, if it is.
    fn whole(&self) -> Result<Option<Laid>> {
        self.later.as_ref().map(|later| later.whole()).transpose()
    }

    fn prepare(&self, open: Open) -> Open {
        match &self.later {
            Some(later) => later.prepare(open),
            None => open,
        }
    }

    fn source(&self, candidate: &Candidate) -> Result<Arc<dyn Source>> {
        self.source.as_ref().map_or_else(|| candidate.bytes(), |file| Ok(file.source.clone()))
    }
}

/// The doubt of a finding about values.
fn doubt(finding: Finding) -> Option<Doubt> {
    let speaks = finding.severity > crate::Severity::Note;
    speaks.then_some(Doubt { path: finding.path, why: finding.message })
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
        Ok(&self.whole()?.stream)
    }

    fn whole(&self) -> Result<&Made> {
        if let Some(whole) = self.whole.get() {
            return Ok(whole);
        }
        let whole = match self.described.whole()? {
            Some(laid) => self.made(laid.layout.as_str(), laid.found, laid.notes)?,
            None => self.made(self.described.layout.as_str(), Vec::new(), Vec::new())?,
        };
        Ok(self.whole.get_or_init(|| whole))
    }

    fn made(&self, text: &str, found: Vec<Finding>, notes: Vec<Doubt>) -> Result<Made> {
        let doubts = found.into_iter().filter_map(doubt).chain(notes).collect();
        Ok(Made { stream: self.open(text)?, doubts })
    }

    /// Whether the bytes are those of another file, so that addresses are none of this one.
    fn is_elsewhere(&self) -> bool {
        self.described.source.is_some()
    }

    fn node(&self, item: Item) -> Node {
        if self.is_elsewhere() { Node::decoded(item) } else { item.into() }
    }

    /// The stream that has what a path leads to, and perhaps no more than that.
    fn of(&self, path: &str) -> Result<Stream> {
        match self.part(path) {
            Some(part) => Ok(part?.stream.limited()),
            None => Ok(self.stream()?.limited()),
        }
    }

    /// What a path leads to; `None` where all of the layout is there, or has to be made for it.
    fn part(&self, path: &str) -> Option<Result<Made>> {
        if self.whole.get().is_some() {
            return None;
        }
        let known = |parts: &VecDeque<(String, Made)>| {
            parts.iter().find(|(of, _)| of == path).map(|(_, made)| made.clone())
        };
        if let Some(made) = known(&self.parts()) {
            return Some(Ok(made));
        }
        let asked = Asked::of(path)?;
        let first = asked.names.first()?;
        let made = match &self.described.later {
            // What is wrong on the way is found again with the whole, which continues without it.
            Some(later) => {
                let laid = later.part(&asked).ok()??;
                self.made(&laid.layout.excerpt(first)?, laid.found, laid.notes)
            }
            None => self.made(&self.described.layout.excerpt(first)?, Vec::new(), Vec::new()),
        };
        if let Ok(made) = &made {
            let mut parts = self.parts();
            if parts.len() >= PARTS {
                parts.pop_front();
            }
            parts.push_back((path.to_owned(), made.clone()));
        }
        Some(made)
    }

    fn parts(&self) -> MutexGuard<'_, VecDeque<(String, Made)>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was found while the layout was made of what paths, or none for all, lead to.
    fn found_later(&self, paths: &[&str]) -> Result<Vec<Doubt>> {
        if self.described.later.is_none() {
            return Ok(Vec::new());
        }
        let mut doubts: Vec<Doubt> = Vec::new();
        for path in paths {
            match self.part(path) {
                // What is wrong with a layout is said by the code that reads through it.
                Some(made) => doubts.extend(made.map(|made| made.doubts).unwrap_or_default()),
                None => return Ok(self.whole()?.doubts.clone()),
            }
        }
        if paths.is_empty() {
            doubts.clone_from(&self.whole()?.doubts);
        }
        Ok(doubts)
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
        if self.is_elsewhere() { None } else { Some(self.part(path)?.ok()?.stream) }
    }

    fn is_decoded(&self) -> bool {
        self.is_elsewhere()
    }

    fn doubts(&self, paths: &[&str], _: Depth) -> Result<Vec<Doubt>> {
        let asked: Vec<Vec<String>> =
            paths.iter().map(|path| names(path)).collect::<Result<_>>()?;
        // One of a part of what is requested, or of what that is a part of.
        let is_of = |doubt: &&Doubt| match doubt.path.as_deref().map(names) {
            Some(Ok(of)) => {
                asked.is_empty() || asked.iter().any(|it| it.starts_with(&of) || of.starts_with(it))
            }
            Some(Err(_)) | None => true,
        };
        let later = self.found_later(paths)?;
        let doubts = self.doubts.iter().chain(&self.described.notes).chain(&later);
        Ok(doubts.filter(is_of).cloned().collect())
    }

    fn layout(&self) -> Result<Option<Description>> {
        let mut notes = self.described.notes.clone();
        let mut text = match self.described.whole()? {
            Some(laid) => {
                notes.extend(laid.notes);
                laid.layout.as_str().to_owned()
            }
            None => self.described.layout.as_str().to_owned(),
        };
        if let Some(DataFile { name, .. }) = &self.described.source {
            let why = format!("the layout is that of the data file `{name}`");
            text.insert_str(0, &format!("# {}\n", why.replace(char::is_control, "?")));
            notes.push(Doubt { path: None, why });
        }
        Ok(Some(Description { text, same_paths: true, notes, fault: None }))
    }

    fn facts(&self) -> Result<Vec<Fact>> {
        Ok(self.described.facts.clone())
    }
}
