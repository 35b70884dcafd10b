//! Chunks of Blosc2: the fields of their headers, and their blocks.

use std::io::Write;

use asdf_bridge::blosc2;
use dudley::Stream;
use dudley::model::Candidate;

use super::print::Printer;
use super::{Kind, Options, Part, order};
use crate::failure::{Failure, Result};
use crate::filters;
use crate::rows::Errors;
use crate::stream_args::StreamArgs;

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

/// Shows a file that has the header of a chunk, whether it can be opened or not; none of another one.
///
/// # Errors
/// If it cannot be read.
pub(super) fn show(
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
    let all = options.path.map(blosc2::data_indices).transpose()?.flatten();
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
pub(super) fn with_blocks(part: &Part, printer: &mut Printer<'_>) -> Result<Vec<Part>> {
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
