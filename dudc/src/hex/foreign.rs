//! Files of other formats: their headers by the layouts that they are decoded with.

use std::collections::HashSet;
use std::io::Write;

use asdf_bridge::blosc2::{self, Frame};
use dudley::Stream;
use dudley::model::Candidate;
use dudley::slice::Index;

use super::print::Printer;
use super::{Kind, Options, Part, asdf, cut, order};
use crate::failure::{Failure, Result};
use crate::filters;
use crate::frame;
use crate::opened::Opened;
use crate::rows::Errors;
use crate::stream_args::StreamArgs;

/// Shows a file of another format; none if it is a stream.
///
/// # Errors
/// If it is damaged so that nothing can be shown, or cannot be read.
pub(super) fn show(
    opened: &Opened,
    options: &Options<'_>,
    out: &mut dyn Write,
) -> Result<Option<Errors>> {
    let name = opened.name();
    if let Some(frame) = opened.frame() {
        let text = match frame.describe() {
            Ok(text) => text,
            Err(error) => {
                let failure = frame::failure(&name, error);
                return cut::frame(opened.candidate(), options, failure, out).map(Some);
            }
        };
        // The chunks of a sparse frame are files of their own.
        let stream = match opened.candidate().folder() {
            None => opened.through(&text, 0)?,
            Some(folder) => {
                let file = StreamArgs::default().candidate(&folder.join(blosc2::INDEX_FILE))?;
                StreamArgs::default().through(&file, &text, 0)?
            }
        };
        return described(opened, &stream, frame, options, out).map(Some);
    }
    if !opened.args().raw
        && opened.is_decoded()
        && let Some((header, length)) = lone_chunk(opened.candidate(), opened.args())?
    {
        return one_chunk((&header, length), options, out).map(Some);
    }
    match opened.asdf() {
        Some(file) => asdf::show(opened, file, options, out).map(Some),
        None => Ok(None),
    }
}

/// A frame, by the layout that describes it; each chunk in it with the fields of its header. `/data` is the chunks
/// that have its elements, a slice of it those that have some.
fn described(
    opened: &Opened,
    stream: &Stream,
    frame: &Frame,
    options: &Options<'_>,
    out: &mut dyn Write,
) -> Result<Errors> {
    let mut printer = Printer::new(stream.source(), options, out)?;
    printer.begin("blosc2-frame", Some(stream))?;
    let parts = match options.path.map(frame::data_indices).transpose()?.flatten() {
        Some(indices) => data(frame, &opened.name(), stream, &indices, options, &mut printer)?,
        None => order::collected(stream, options, &mut printer)?,
    };
    let is_chunk = |part: &Part| part.dtype.starts_with("blosc_chunk ");
    let chunks: HashSet<u64> =
        parts.iter().filter(|part| is_chunk(part)).map(|part| part.address).collect();
    for part in parts {
        if !is_chunk(&part) {
            // The user metadata of 2020 is listed as it is stored, too.
            if part.kind != Kind::Item || part.bytes == 0 || !chunks.contains(&part.address) {
                printer.part(part)?;
            }
            continue;
        }
        let heading = Part { kind: Kind::Heading, bytes: 0, ..part.clone() };
        printer.part(heading)?;
        let parts = with_blocks(&part, &mut printer)?;
        parts.into_iter().try_for_each(|part| printer.part(part))?;
    }
    let (end, length) = (frame.frame_len(), stream.len());
    if options.path.is_none() {
        printer.between(end, "")?;
    }
    if options.path.is_none() && end < length {
        let doc = Some("behind the frame".to_owned());
        printer.part(Part { doc, ..Part::new(Kind::Gap, end, length - end, "") })?;
    }
    printer.finish()
}

/// The chunks that have some of what indices pick of the data of a frame.
fn data(
    frame: &Frame,
    name: &str,
    stream: &Stream,
    indices: &[Index],
    options: &Options<'_>,
    printer: &mut Printer<'_>,
) -> Result<Vec<Part>> {
    const CHUNKS: &str = "/chunks";
    if frame.is_sparse() {
        return Err(Failure::input(format!(
            "{name}: the chunks of a sparse frame are files of their own: `dudc ls` names them, and \
             `dudc dump --hex` shows each"
        )));
    }
    let touches = |chunk| {
        let touches = frame.touches(indices, chunk);
        touches.map_err(|error| frame::failure(name, error))
    };
    if frame.chunk_count() == 0 {
        return Ok(Vec::new());
    }
    // All of them: which are shown is said by the slice.
    let listed = Options { path: Some(CHUNKS), range: None, all: true, ..*options };
    let mut wanted = Vec::new();
    for part in order::collected(stream, &listed, printer)? {
        let number = part.path.strip_prefix(CHUNKS).and_then(|rest| rest.strip_prefix('/'));
        let Some(number) = number.and_then(|number| number.parse().ok()) else { continue };
        if touches(number)? {
            wanted.push(part);
        }
    }
    Ok(wanted)
}

/// The header of a file that is one chunk, and how long this is; none if it is something else. A chunk has no
/// signature: it is known by its length, which it says itself.
fn lone_chunk(candidate: &Candidate, args: &StreamArgs) -> Result<Option<(Stream, u64)>> {
    const VERSIONS: std::ops::RangeInclusive<u8> = 1..=6;
    let head = candidate.head()?;
    let Some(text) = blosc2::chunk_layout(head) else { return Ok(None) };
    if !head.first().is_some_and(|version| VERSIONS.contains(version)) {
        return Ok(None);
    }
    let header = args.through(candidate, text, 0)?;
    let lone = blosc2::chunk_length(head, candidate.len()).filter(|it| *it <= candidate.len());
    let field = |name: &str| header.get("/header")?.data()?.field(name)?.scalar::<i32>();
    // What else is wrong with a header is shown.
    let lengths = field("cbytes").and_then(|stored| Ok((stored, field("nbytes")?)));
    let whole = lengths
        .is_ok_and(|(stored, decoded)| u64::try_from(stored) == Ok(header.len()) && decoded >= 0);
    let length = lone.or(whole.then(|| header.len()));
    Ok(length.map(|length| (header, length)))
}

/// Shows a file that cannot be opened, and has the header of a chunk; none of another one.
///
/// # Errors
/// If it cannot be read.
pub(super) fn odd_chunk(
    args: &StreamArgs,
    candidate: &Candidate,
    options: &Options<'_>,
    out: &mut dyn Write,
) -> Result<Option<Errors>> {
    match lone_chunk(candidate, args)? {
        Some((header, length)) => one_chunk((&header, length), options, out).map(Some),
        None => Ok(None),
    }
}

/// A file that is one chunk: the fields of its header, and its blocks.
fn one_chunk(
    (header, length): (&Stream, u64),
    options: &Options<'_>,
    out: &mut dyn Write,
) -> Result<Errors> {
    let all = options.path.map(frame::data_indices).transpose()?.flatten();
    if options.path.is_some() && all.is_none_or(|indices| !indices.is_empty()) {
        return Err(Failure::usage("a chunk has a header and blocks: --range picks addresses"));
    }
    let mut printer = Printer::new(header.source(), options, out)?;
    printer.begin("blosc2-chunk", Some(header))?;
    let whole = Part::new(Kind::Item, 0, length, "chunk");
    for part in with_blocks(&whole, &mut printer)? {
        printer.part(part)?;
    }
    let there = header.len();
    if options.path.is_none() && length < there {
        let doc = Some("behind the chunk".to_owned());
        printer.part(Part { doc, ..Part::new(Kind::Gap, length, there - length, "") })?;
    }
    printer.finish()
}

/// The fields of the header of a chunk, and what is behind them.
fn with_blocks(part: &Part, printer: &mut Printer<'_>) -> Result<Vec<Part>> {
    let mut parts = chunk(part, printer)?;
    let begin = parts.iter().map(Part::end).max().unwrap_or(part.address);
    let rest = part.end().saturating_sub(begin);
    if rest > 0 {
        parts.push(Part::new(Kind::Item, begin, rest, format!("{}: blocks", part.path)));
    }
    Ok(parts)
}

/// The fields of the header of a chunk.
fn chunk(part: &Part, printer: &mut Printer<'_>) -> Result<Vec<Part>> {
    let head = printer.read(part.address, part.bytes.min(32));
    let Some(text) = blosc2::chunk_layout(&head) else { return Ok(Vec::new()) };
    let stream = filters::opener().raw().layout_text(text)?.bytes(head)?;
    let mut fields = Vec::new();
    order::all(&stream, &mut |mut field| {
        field.address = field.address.saturating_add(part.address);
        field.path = format!("{}: {}", part.path, field.path.trim_start_matches('/'));
        if field.kind == Kind::Field && field.end() <= part.end() {
            fields.push(field);
        }
        Ok(())
    })?;
    Ok(fields)
}
