//! The formats of this crate: native streams, raw streams that a layout describes, and layouts themselves.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use dudley_parser::{Layout, no_text_at};

use super::candidate::Candidate;
use super::dataset::{Content, Dataset, Depth, Description, Doubt};
use super::format::{Claim, Format};
use super::known::{probably, text_of_ending};
use super::node::Node;
use super::sections::{Holds, Section, Sections};
use crate::append::Append;
use crate::bytes::signature::{Signature, is_native};
use crate::bytes::source::Source;
use crate::error::{self, Error, Result};
use crate::index::{self, Indexed, Mended};
use crate::read::item::Item;
use crate::read::select::{Selected, select};
use crate::read::stream::{
    LONGEST, Open, Stream, StreamKind, Unterminated, appended_text, parse_layout, text_in_file,
};
use crate::verify::{Finding, mend_signature, verify, verify_file};

/// A stream that is open. Of one with an [index](crate::index) the layout is parsed when all of it is needed.
pub struct Streamed {
    describe: &'static str,
    indexed: Option<Indexed>,
    whole: OnceLock<Stream>,
    /// It was opened with the layout that it carries.
    carries: bool,
    /// Of what is decoded when it is read: what its format is called, and the layout with which it is read in place.
    decoded: Option<Decoded>,
}

struct Decoded {
    name: &'static str,
    layout: String,
}

impl Streamed {
    /// An open stream, and the name of its format with its article.
    pub fn new(describe: &'static str, stream: Stream) -> Streamed {
        Streamed {
            describe,
            indexed: None,
            whole: OnceLock::from(stream),
            carries: false,
            decoded: None,
        }
    }

    /// As [`Self::new`], for data that a read decodes: its addresses are none of a file. The text is the layout that
    /// reads the file in place, and the name is the name of the format for programs.
    pub fn decoded(
        describe: &'static str,
        name: &'static str,
        stream: Stream,
        layout: String,
    ) -> Streamed {
        Streamed { decoded: Some(Decoded { name, layout }), ..Streamed::new(describe, stream) }
    }

    /// The stream with all of its layout.
    ///
    /// # Errors
    /// If the layout has errors, and an index made it unnecessary so far.
    pub fn stream(&self) -> Result<&Stream> {
        if let Some(stream) = self.whole.get() {
            return Ok(stream);
        }
        let Some(indexed) = &self.indexed else { return Err(Error::NoLayout) };
        let stream = indexed.stream()?;
        Ok(self.whole.get_or_init(|| stream))
    }

    /// Whether the layout that the stream carries may be cut off. One with an index, or that is given, is not.
    pub fn unterminated(&self) -> Option<Unterminated> {
        self.whole.get().filter(|_| self.carries && self.indexed.is_none())?.unterminated()
    }

    fn node(&self, item: Item) -> Node {
        if self.decoded.is_some() { Node::decoded(item) } else { item.into() }
    }

    /// The stream that has what a path leads to; what it says of the number of its items is not believed.
    fn of(&self, path: &str) -> Result<Stream> {
        match self.excerpt(path) {
            Some(stream) => Ok(stream.limited()),
            None => Ok(self.stream()?.limited()),
        }
    }
}

impl Content for Streamed {
    fn describe(&self) -> &'static str {
        self.describe
    }

    fn name(&self) -> &'static str {
        match (&self.decoded, self.whole.get()) {
            (Some(decoded), _) => decoded.name,
            (None, Some(stream)) => stream.kind().as_str(),
            // Nothing else has an index.
            (None, None) => StreamKind::Native.as_str(),
        }
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

    fn stream(&self) -> Result<Option<&Stream>> {
        self.stream().map(Some)
    }

    fn excerpt(&self, path: &str) -> Option<Stream> {
        self.indexed.as_ref()?.excerpt(path)
    }

    fn is_decoded(&self) -> bool {
        self.decoded.is_some()
    }

    fn doubts(&self, paths: &[&str], _: Depth) -> Result<Vec<Doubt>> {
        let all = if paths.is_empty() { &["/"] } else { paths };
        let mut doubts = Vec::new();
        for path in all {
            // What cannot be placed is reported by the code that reads it.
            let left = self.of(path).and_then(|stream| stream.left_over_at(path));
            for left in left.unwrap_or_default() {
                let why = left.to_string();
                let doubt = Doubt { path: Some(left.path), why };
                if !doubts.contains(&doubt) {
                    doubts.push(doubt);
                }
            }
        }
        Ok(doubts)
    }

    fn remarks(&self) -> Result<Vec<Doubt>> {
        let unterminated = self.unterminated();
        let cut = unterminated.map(|it| Doubt { path: None, why: it.to_string() });
        Ok(cut.into_iter().chain(self.doubts(&[], Depth::Headers)?).collect())
    }

    fn layout(&self) -> Result<Option<Description>> {
        let described =
            |it: &Decoded| Description { text: it.layout.clone(), ..Description::default() };
        Ok(self.decoded.as_ref().map(described))
    }
}

/// Streams with a signature, which carry their layout.
pub(super) struct NativeStream;

impl Format for NativeStream {
    fn describe(&self) -> &'static str {
        "a native stream"
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        // A damaged signature counts, so that the damage is named.
        let found = Signature::detect(candidate.head()?, u64::MAX);
        Ok((!matches!(found, Ok(None))).then_some(Claim::Signature))
    }

    fn open(&self, candidate: &Candidate, open: &Open) -> Result<Dataset> {
        if open.raw {
            // Without its signature nothing of it is known but what its layout says.
            let text = match candidate.opened() {
                Some(file) if candidate.base() == 0 => text_in_file(file)?,
                _ => {
                    let bytes = candidate.bytes()?;
                    appended_text(&bytes, Signature::read(&bytes)?)?
                }
            };
            let layout = parse_layout(&text.ok_or(Error::NoLayout)?)?;
            return Ok(Dataset::new(candidate.name(), LayoutText::new(layout, open)));
        }
        let indexed = match candidate.opened() {
            Some(file) if open.is_plain() => {
                Indexed::of_file(open.clone(), file.clone()).ok().filter(|it| it.index().is_some())
            }
            _ => None,
        };
        let whole = match &indexed {
            Some(_) => OnceLock::new(),
            None => OnceLock::from(stream(candidate, open)?),
        };
        let carries = !open.has_layout();
        let content =
            Streamed { describe: self.describe(), indexed, whole, carries, decoded: None };
        Ok(Dataset::new(candidate.name(), content))
    }

    fn verify(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> Result<()> {
        match candidate.opened() {
            Some(file) => verify_file(open.clone(), file, found, advance),
            None => verify(open.clone().base(0), candidate.bytes()?, found, advance),
        }
        Ok(())
    }

    fn sections(
        &self,
        candidate: &Candidate,
        opened: Option<&Dataset>,
        path: Option<&str>,
    ) -> Result<Option<Sections>> {
        if opened.is_some() || path.is_some() || !is_native(candidate.head()?) {
            return Ok(None);
        }
        let doc = Some("native stream".to_owned());
        let signature = Section::new("signature", 0, 8, Holds::Signature);
        let address = Section::new("layout address", 8, 8, Holds::Signature);
        Ok(Some(Sections {
            name: StreamKind::Native.as_str(),
            order: None,
            source: candidate.bytes()?,
            sections: vec![Ok(Section { doc, ..signature }), Ok(address)],
            fault: self.open(candidate, &Open::new()).err(),
        }))
    }

    fn mend(&self, path: &Path, found: &[Finding]) -> Result<Option<String>> {
        let has = |code: &str| found.iter().any(|finding| finding.code == code);
        if has("interrupted") {
            Append::open(path)?;
            return Ok(Some("the interrupted extension is rolled back".to_owned()));
        }
        if has("signature") {
            let mended = mend_signature(path)?;
            return Ok(mended.map(|at| format!("byte {at} of the signature is corrected")));
        }
        if !["index-torn", "index-stale", "index-damaged"].into_iter().any(has) {
            return Ok(None);
        }
        let said = match index::mend(path)? {
            Mended::Cut => "the torn index is cut off",
            Mended::Anew { checksums: 0 } => "the index is made anew",
            _ => "the index is made anew, with its checksums, which are those of the data",
        };
        Ok(Some(said.to_owned()))
    }
}

/// Opens a stream through the layout that is given.
pub(super) fn through_layout(candidate: &Candidate, open: &Open) -> Result<Dataset> {
    let content = Streamed::new("a stream", stream(candidate, open)?);
    Ok(Dataset::new(candidate.name(), content))
}

fn stream(candidate: &Candidate, open: &Open) -> Result<Stream> {
    match candidate.opened() {
        Some(file) => open.clone().opened(file),
        // The base is that of the candidate.
        None => open.clone().base(0).source(candidate.bytes()?),
    }
}

/// Layouts without a stream: texts.
pub(super) struct BareLayout;

/// A layout without a stream. Its nodes have types, and shapes as far as no param of a stream decides them.
pub struct LayoutText {
    layout: Arc<Layout>,
    open: Open,
    stream: OnceLock<Stream>,
}

impl LayoutText {
    fn new(layout: Layout, open: &Open) -> LayoutText {
        LayoutText { layout: Arc::new(layout), open: open.clone(), stream: OnceLock::new() }
    }

    /// The layout.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// A stream without any bytes: what only they tell is an error for the code that asks for it.
    fn stream(&self) -> Result<&Stream> {
        if let Some(stream) = self.stream.get() {
            return Ok(stream);
        }
        let open = self.open.clone().base(0).layout(self.layout.clone()).raw();
        let stream = open.unguarded().source(Vec::new())?;
        Ok(self.stream.get_or_init(|| stream))
    }
}

impl Content for LayoutText {
    fn describe(&self) -> &'static str {
        BareLayout.describe()
    }

    fn name(&self) -> &'static str {
        "layout"
    }

    fn root(&self) -> Result<Node> {
        Ok(self.stream()?.limited().root().into())
    }

    fn get(&self, path: &str) -> Result<Node> {
        Ok(self.stream()?.limited().get(path)?.into())
    }

    fn select(&self, path: &str) -> Result<Selected> {
        select(&self.stream()?.limited(), path)
    }
}

/// Says where a text is called otherwise than layouts are why it was taken for one.
fn doubtful(mut error: Error, candidate: &Candidate) -> Error {
    let Some(path) = candidate.path() else { return error };
    let is_layout = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("dud"));
    if let (false, Error::Layout { errors, .. }) = (is_layout, &mut error)
        && let Some(last) = errors.last_mut().filter(|last| last.help.is_none())
    {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let probably = text_of_ending(&ending).map(|text| format!(" (it is probably {text})"));
        last.help = Some(format!(
            "text files are read as layouts: no other text is read{}",
            probably.unwrap_or_default()
        ));
    }
    error
}

impl Format for BareLayout {
    fn describe(&self) -> &'static str {
        "a layout"
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        // Nothing is a layout too, but no file of one.
        if candidate.folder().is_some() || candidate.is_empty() {
            return Ok(None);
        }
        let head = candidate.long_head()?;
        let more = candidate.len() > head.len() as u64;
        let is_text = no_text_at(head, more).is_none() && probably(head, true).is_none();
        Ok(is_text.then_some(Claim::Text))
    }

    fn open(&self, candidate: &Candidate, open: &Open) -> Result<Dataset> {
        let source = candidate.bytes()?;
        if source.len() > LONGEST {
            return Err(Error::TooLarge { item: error::Item::UNKNOWN, size: source.len() });
        }
        let mut text = vec![0; source.len() as usize];
        source.read_at(0, &mut text)?;
        let layout = parse_layout(&text).map_err(|error| doubtful(error, candidate))?;
        Ok(Dataset::new(candidate.name(), LayoutText::new(layout, open)))
    }

    fn verify(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> Result<()> {
        // It is no stream, which is found.
        NativeStream.verify(candidate, open, found, advance)
    }
}
