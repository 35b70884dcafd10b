//! Frames and chunks of Blosc2 as the model has them: which they are, and the streams of what they have.

use std::sync::OnceLock;

use dudley::Stream;
use dudley::bytes::Window;
use dudley::model::{
    Candidate, Claim, Content, Dataset, Depth, Description, Doubt, Format, Node, Salvaged,
    Sections, Streamed, Table, Target,
};
use dudley::read::path::{Part, parse};
use dudley::read::select::{Picked, Selected};
use dudley::verify::Finding;
use dudley_parser::layout::path::push_name;

use super::data_path::data_indices;
use super::error::Error;
use super::findings;
use super::frame::{Frame, INDEX_FILE, Options, has_chunks};
use super::opening::{opened, unopened};
use super::rescue;
use super::sections;
use super::tables;
use super::{DEFAULT_LIMIT, chunk_length, describe_chunk, open_chunk};
use crate::Recognised;

/// How a frame is stored, which is no matter of what is in it: how its array is cut, the checksums of its chunks.
const STORAGE: &[(&str, &[&str])] =
    &[("meta", &["b2nd", "caterva"]), ("vlmeta", &["dudley.crc32c"])];

/// The format of frames: files, and the folders of sparse ones.
pub(crate) struct Frames;

/// The format of chunks without a frame.
pub(crate) struct Chunks;

/// A frame that is open, as what it is and as the stream of what is in it.
pub struct OpenFrame {
    frame: Frame,
    stream: OnceLock<Stream>,
}

impl Format for Frames {
    fn describe(&self) -> &'static str {
        Recognised::Blosc2Frame.describe()
    }

    fn recognise(&self, candidate: &Candidate) -> dudley::Result<Option<Claim>> {
        match candidate.folder() {
            Some(folder) => {
                let is_one = folder.join(INDEX_FILE).is_file() || has_chunks(folder);
                Ok(is_one.then_some(Claim::Signature))
            }
            None => Recognised::Blosc2Frame.claim(candidate),
        }
    }

    fn open(&self, candidate: &Candidate, open: &dudley::Open) -> dudley::Result<Dataset> {
        let frame = opened(candidate, options(open))?.map_err(unopened)?;
        Ok(Dataset::new(candidate.name(), OpenFrame { frame, stream: OnceLock::new() }))
    }

    fn verify(
        &self,
        candidate: &Candidate,
        open: &dudley::Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> dudley::Result<()> {
        match opened(candidate, options(open))? {
            Ok(frame) => findings::of_frame(&frame, candidate, found, advance),
            Err(Error::Engine { source, .. }) if source.is_unread() => return Err(source),
            Err(error) => found(findings::finding(None, &error)),
        }
        Ok(())
    }

    fn sections(
        &self,
        candidate: &Candidate,
        dataset: Option<&Dataset>,
        path: Option<&str>,
    ) -> dudley::Result<Option<Sections>> {
        let frame = dataset.and_then(Dataset::content).map(OpenFrame::frame);
        if frame.is_none() && dataset.is_some() {
            return Ok(None);
        }
        let fault = match frame.map(|frame| sections::of_frame(frame, candidate, path)) {
            Some(Ok(found)) => return found.map(Some),
            Some(Err(error)) => Some(unopened(error)),
            None => self.open(candidate, &dudley::Open::new()).err(),
        };
        let found = if path.is_none() { sections::of_head(candidate)? } else { None };
        match (found, fault) {
            (None, Some(fault)) if frame.is_some() => Err(fault),
            (found, fault) => Ok(found.map(|found| Sections { fault, ..found })),
        }
    }

    fn salvage(
        &self,
        candidate: &Candidate,
        to: Option<Target<'_>>,
    ) -> dudley::Result<Option<Salvaged>> {
        rescue::salvage(candidate, to).map(Some)
    }

    fn help(&self, candidate: &Candidate, error: &dudley::Error) -> Option<&'static str> {
        rescue::help(candidate, error)
    }
}

fn options(open: &dudley::Open) -> Options {
    Options::new().threads(open.how_to_read().most_threads())
}

/// Whether it is a frame, or the folder of a sparse one, however damaged behind its first bytes.
///
/// # Errors
/// If it cannot be read.
pub fn is_frame(candidate: &Candidate) -> dudley::Result<bool> {
    Ok(Frames.recognise(candidate)?.is_some())
}

impl Format for Chunks {
    fn describe(&self) -> &'static str {
        "a chunk of Blosc2"
    }

    fn recognise(&self, candidate: &Candidate) -> dudley::Result<Option<Claim>> {
        Ok(chunk_length(candidate.head()?, candidate.len()).map(|_| Claim::Header))
    }

    fn open(&self, candidate: &Candidate, _: &dudley::Open) -> dudley::Result<Dataset> {
        let there = candidate.len();
        match open_chunk(candidate.bytes()?)? {
            Some(stream) => {
                let named = stream.named(candidate.path().unwrap_or(candidate.name().as_ref()));
                let text = describe_chunk(candidate.head()?, there).unwrap_or_default();
                let content = Streamed::decoded(self.describe(), "blosc2-chunk", named, text);
                Ok(Dataset::new(candidate.name(), content))
            }
            None => {
                let length = chunk_length(candidate.head()?, there).unwrap_or_default();
                Err(unopened(Error::CutOff { length, there }))
            }
        }
    }

    fn verify(
        &self,
        candidate: &Candidate,
        open: &dudley::Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> dudley::Result<()> {
        let (head, there) = (candidate.head()?, candidate.len());
        let Some(length) = chunk_length(head, there) else { return Ok(()) };
        findings::of_chunk(length, there).into_iter().for_each(&mut *found);
        if let Some(text) = describe_chunk(head, there) {
            let open = open.clone().base(0).raw().layout_text(&text)?;
            let chunk = Window::new(candidate.bytes()?, 0, length)?;
            dudley::verify::verify(open, chunk, found, advance);
        }
        Ok(())
    }

    fn sections(
        &self,
        candidate: &Candidate,
        opened: Option<&Dataset>,
        path: Option<&str>,
    ) -> dudley::Result<Option<Sections>> {
        if opened.is_some_and(|opened| !opened.is_decoded()) {
            return Ok(None);
        }
        sections::of_chunk(candidate, path)
    }

    fn salvage(
        &self,
        candidate: &Candidate,
        to: Option<Target<'_>>,
    ) -> dudley::Result<Option<Salvaged>> {
        rescue::salvage(candidate, to).map(Some)
    }

    fn help(&self, candidate: &Candidate, error: &dudley::Error) -> Option<&'static str> {
        rescue::help(candidate, error)
    }
}

impl OpenFrame {
    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The stream of what is in it: see [`Frame::stream`].
    ///
    /// # Errors
    /// As [`Frame::stream`].
    pub fn stream(&self) -> dudley::Result<&Stream> {
        if let Some(stream) = self.stream.get() {
            return Ok(stream);
        }
        let stream = self.frame.stream().map_err(unopened)?;
        Ok(self.stream.get_or_init(|| stream))
    }
}

impl Frame {
    /// The part of an array at a slice of `/data`: only the touched blocks are decoded. `None` for other paths, and
    /// if indices lead into an element.
    ///
    /// # Errors
    /// If something is wrong with the path, the slice, or a chunk.
    pub fn select(&self, path: &str) -> dudley::Result<Option<Selected>> {
        let Some(indices) = data_indices(path)?.filter(|indices| !indices.is_empty()) else {
            return Ok(None);
        };
        let array = self.array().map_err(unopened)?;
        let Some(array) = array.filter(|array| array.takes(&indices)) else { return Ok(None) };
        let data = array.data(&indices).map_err(unopened)?;
        Ok(Some(Selected { stacked: Vec::new(), parts: vec![Picked::Data(data)] }))
    }
}

impl Content for OpenFrame {
    fn describe(&self) -> &'static str {
        Frames.describe()
    }

    fn name(&self) -> &'static str {
        "blosc2-frame"
    }

    fn root(&self) -> dudley::Result<Node> {
        Ok(Node::decoded(self.stream()?.limited().root()))
    }

    fn get(&self, path: &str) -> dudley::Result<Node> {
        Ok(Node::decoded(self.stream()?.limited().get(path)?))
    }

    fn select(&self, path: &str) -> dudley::Result<Selected> {
        match self.frame.select(path)? {
            Some(selected) => Ok(selected),
            None => self.stream()?.limited().select(path),
        }
    }

    fn stream(&self) -> dudley::Result<Option<&Stream>> {
        self.stream().map(Some)
    }

    fn is_decoded(&self) -> bool {
        true
    }

    fn layout(&self) -> dudley::Result<Option<Description>> {
        let text = self.frame.describe().map_err(unopened)?;
        let notes = findings::elsewhere(&self.frame).into_iter();
        let notes = notes.map(|found| Doubt { path: None, why: found.message });
        // How it is stored is there to read, and its elements are not.
        let fault = match self.frame.array() {
            Err(error) if !matches!(error, Error::Elsewhere { .. }) => Some(unopened(error)),
            _ => None,
        };
        Ok(Some(Description { text, same_paths: false, notes: notes.collect(), fault }))
    }

    fn doubts(&self, paths: &[&str], depth: Depth) -> dudley::Result<Vec<Doubt>> {
        Ok(findings::doubts(&self.frame, paths, depth))
    }

    fn tables(&self, _: Depth) -> dudley::Result<Vec<Table>> {
        Ok(vec![tables::chunks(&self.frame).map_err(unopened)?])
    }

    fn storage(&self) -> dudley::Result<Vec<String>> {
        let root = self.stream()?.limited().root();
        let mut paths = Vec::new();
        for (dict, names) in STORAGE {
            let found = root.child(dict).map_or(Vec::new(), |dict| dict.names());
            if found.iter().all(|name| names.contains(&&**name)) {
                paths.push(format!("/{dict}"));
            }
            for name in *names {
                let mut path = format!("/{dict}/");
                push_name(&mut path, name);
                paths.push(path);
            }
        }
        Ok(paths)
    }

    fn check_size(&self, paths: &[&str]) -> dudley::Result<()> {
        within_limit(&self.frame, paths)
    }
}

/// Checks that what paths, or none for all, pick of a frame is no more than is decoded unasked.
fn within_limit(frame: &Frame, paths: &[&str]) -> dudley::Result<()> {
    let element = frame.typesize() as u64;
    let bytes = |shape: &[u64]| shape.iter().fold(element, |bytes, dim| bytes.saturating_mul(*dim));
    let array = frame.array().map_err(unopened)?;
    let all = match &array {
        Some(array) => bytes(array.shape()),
        None => frame.nbytes(),
    };
    // What is in a large array may be taken in parts.
    if all <= DEFAULT_LIMIT {
        return Ok(());
    }
    let mut most = if paths.is_empty() { all } else { 0 };
    for path in paths {
        // What is wrong with a path is said by the code that takes it.
        let Ok(parts) = parse(path) else { continue };
        most = most.max(match &parts[..] {
            [Part::Name { text, .. }] if text != "data" => 0,
            [] | [_] => all,
            [Part::Name { text, .. }, Part::Slice(indices), ..] if text == "data" => {
                let array = array.as_ref().filter(|array| array.takes(indices));
                let shape = array.map(|array| array.shape_of(indices)).transpose();
                shape.map_err(unopened)?.map_or(0, |shape| bytes(&shape))
            }
            _ => 0,
        });
    }
    if most > DEFAULT_LIMIT {
        Err(unopened(Error::Limit { needed: most, limit: DEFAULT_LIMIT }))
    } else {
        Ok(())
    }
}
