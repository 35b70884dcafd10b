//! The sections of a frame, by the layout that describes it, and of a chunk; each chunk with the fields of its header.

use std::sync::Arc;

use dudley::bytes::Source;
use dudley::model::{Candidate, Header, Holds, Section, Sections};
use dudley::read::slice::Index;
use dudley::{Open, Stream};

use super::bare_chunk::chunk_length;
use super::data_path::data_indices;
use super::error::Result;
use super::frame::{Frame, Place};
use super::opening::unopened;
use super::{chunk_layout, frame_layout};

const FRAME: &str = "blosc2-frame";

/// The header of what the filter of chunks made.
fn header(filter: &str, head: &[u8]) -> Option<Header> {
    let layout = chunk_layout(head).unwrap_or_default();
    (filter == "blosc_chunk").then_some(Header {
        layout,
        within: None,
        joint: ": ",
        rest: Some("blocks"),
    })
}

/// What a layout describes of some bytes.
fn described(text: &str, source: &Arc<dyn Source>) -> dudley::Result<Stream> {
    let open = Open::new().filters(crate::filter::registry()).raw();
    open.layout_text(text)?.source(source.clone())
}

/// All of a frame, or what a path picks: of its data the chunks that have some of it. What is wrong in the first place
/// is why it cannot be described.
pub(super) fn of_frame(
    frame: &Frame,
    candidate: &Candidate,
    path: Option<&str>,
) -> Result<dudley::Result<Sections>> {
    let text = frame.describe()?;
    Ok(described_frame(frame, candidate, &text, path))
}

fn described_frame(
    frame: &Frame,
    candidate: &Candidate,
    text: &str,
    path: Option<&str>,
) -> dudley::Result<Sections> {
    // The chunks of a sparse frame are files of their own, and this is that of its index.
    let source = match candidate.folder() {
        Some(_) => frame.source().clone(),
        None => candidate.bytes()?,
    };
    let stream = described(text, &source)?;
    let order = Some(stream.order());
    let mut sections = match path.map(data_indices).transpose()?.flatten() {
        Some(indices) => chunks(frame, &indices)?,
        None => {
            let holds = Holds::Items(stream, path.map(str::to_owned), header);
            vec![Ok(Section::new("", 0, source.len(), holds))]
        }
    };
    if path.is_none() {
        sections.extend(behind("frame", frame.frame_len(), source.len()).map(Ok));
    }
    Ok(Sections { name: FRAME, order, source, sections, fault: None })
}

/// The chunks that have some of what indices pick of the data of a frame.
fn chunks(frame: &Frame, indices: &[Index]) -> dudley::Result<Vec<dudley::Result<Section>>> {
    if frame.is_sparse() {
        let why = "the chunks of a sparse frame are files of their own, each to be shown by itself";
        return Err(dudley::Error::Listed { path: "/data".into(), why: why.into() });
    }
    let mut sections = Vec::new();
    for number in 0..frame.chunk_count() {
        if !frame.touches(indices, number).map_err(unopened)? {
            continue;
        }
        // Of one that is a value in the index nothing is stored.
        if let Place::Special(_) = frame.place(number).map_err(unopened)? {
            continue;
        }
        let Some(address) = frame.chunk_address(number).map_err(unopened)? else { continue };
        let chunk = frame.chunk(number).map_err(unopened)?;
        let elements = Some(("blosc_chunk of |u1".to_owned(), vec![chunk.nbytes()]));
        sections.push(headed(
            frame.source(),
            format!("/chunks/{number}"),
            address,
            chunk.cbytes(),
            elements,
        ));
    }
    Ok(sections)
}

/// A chunk with its header.
fn headed(
    source: &dyn Source,
    name: String,
    address: u64,
    bytes: u64,
    elements: Option<(String, Vec<u64>)>,
) -> dudley::Result<Section> {
    let mut head = [0; 32];
    let there = source.len().saturating_sub(address).min(bytes).min(32) as usize;
    source.read_at(address, &mut head[..there])?;
    let header = header("blosc_chunk", &head[..there]);
    let holds = header.map(|header| Holds::Headed(header, elements)).unwrap_or_default();
    Ok(Section::new(name, address, bytes, holds))
}

/// What follows something of this many bytes.
fn behind(what: &str, length: u64, there: u64) -> Option<Section> {
    let doc = Some(format!("behind the {what}"));
    let rest = there.checked_sub(length).filter(|rest| *rest > 0)?;
    Some(Section { doc, ..Section::new("", length, rest, Holds::Nothing) })
}

/// The header of a frame that cannot be opened; `None` if it is something else.
pub(super) fn of_head(candidate: &Candidate) -> dudley::Result<Option<Sections>> {
    let Some(text) = frame_layout(candidate.head()?) else { return Ok(None) };
    let source = candidate.bytes()?;
    let stream = described(text, &source)?;
    let order = Some(stream.order());
    let holds = Holds::Items(stream, None, |_, _| None);
    let sections = vec![Ok(Section::new("", 0, source.len(), holds))];
    Ok(Some(Sections { name: FRAME, order, source, sections, fault: None }))
}

/// What has the header of a chunk, whether it can be opened or not; none of something else. A chunk has no signature: it
/// is known by its length, which it says itself.
pub(super) fn of_chunk(
    candidate: &Candidate,
    path: Option<&str>,
) -> dudley::Result<Option<Sections>> {
    const VERSIONS: std::ops::RangeInclusive<u8> = 1..=6;
    let (head, there) = (candidate.head()?, candidate.len());
    let Some(text) = chunk_layout(head) else { return Ok(None) };
    if !head.first().is_some_and(|version| VERSIONS.contains(version)) {
        return Ok(None);
    }
    let source = candidate.bytes()?;
    let stream = described(text, &source)?;
    let field = |name: &str| stream.get("/header")?.data()?.field(name)?.scalar::<i32>();
    // What else is wrong with a header is shown.
    let lengths = field("cbytes").and_then(|stored| Ok((stored, field("nbytes")?)));
    let is_whole =
        lengths.is_ok_and(|(stored, decoded)| u64::try_from(stored) == Ok(there) && decoded >= 0);
    let length = chunk_length(head, there).filter(|it| *it <= there);
    let Some(length) = length.or(is_whole.then_some(there)) else { return Ok(None) };
    let is_all = match path.map(data_indices).transpose()? {
        None => true,
        Some(indices) => indices.is_some_and(|indices| indices.is_empty()),
    };
    if let (Some(path), false) = (path, is_all) {
        let why = "a chunk has a header and blocks, which are shown whole";
        return Err(dudley::Error::BadPath { path: path.into(), column: 1, why: why.into() });
    }
    let order = Some(stream.order());
    let mut sections = vec![headed(&source, "chunk".to_owned(), 0, length, None)];
    if path.is_none() {
        sections.extend(behind("chunk", length, there).map(Ok));
    }
    Ok(Some(Sections { name: "blosc2-chunk", order, source, sections, fault: None }))
}
