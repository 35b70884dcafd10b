//! Files of other formats: their headers by the layouts that they are decoded with.

use std::io::Write;
use std::path::Path;

use asdf_bridge::blosc2;
use dudley::{Open, Stream};

use super::print::Printer;
use super::{Kind, Options, Part, asdf, cut, rows};
use crate::failure::{Failure, Result};
use crate::frame;
use crate::input::{self, is_stdin, name_of};
use crate::rows::Errors;
use crate::stream_args::StreamArgs;

/// Shows a file of another format; none if it is a stream.
///
/// # Errors
/// If it is damaged so that nothing can be shown, or cannot be read.
pub(super) fn show(
    args: &StreamArgs,
    path: &Path,
    options: &Options<'_>,
    out: &mut dyn Write,
) -> Result<Option<Errors>> {
    let name = name_of(path);
    // What is damaged is shown as far as its header says.
    let damaged = |failure, out| cut::frame(args, path, options, failure, out);
    let frame = match args.frame(path) {
        Ok(found) => found,
        Err(failure) => return damaged(failure, out).map(Some),
    };
    if let Some(found) = frame {
        let text = match found.describe() {
            Ok(text) => text,
            Err(error) => return damaged(frame::failure(&name, error), out).map(Some),
        };
        // The chunks of a sparse frame are files of their own.
        let file = if path.is_dir() { path.join("chunks.b2frame") } else { path.to_owned() };
        return described(args, &file, &text, options, out).map(Some);
    }
    if let Some(header) = lone_chunk(args, path)? {
        return one_chunk(args, path, &header, options, out).map(Some);
    }
    if let Some(file) = args.asdf(path)? {
        return asdf::show(args, path, &file, options, out).map(Some);
    }
    Ok(None)
}

/// A frame, by the layout that describes it; each chunk in it with the fields of its header.
fn described(
    args: &StreamArgs,
    path: &Path,
    text: &str,
    options: &Options<'_>,
    out: &mut dyn Write,
) -> Result<Errors> {
    let stream = opened(args, path, text, args.base)?;
    let mut printer = Printer::new(stream.source(), options, out)?;
    printer.begin("blosc2-frame", Some(&stream))?;
    for part in rows::collected(&stream, options, &mut printer)? {
        if !part.dtype.starts_with("blosc_chunk ") {
            printer.part(part)?;
            continue;
        }
        let heading = Part { kind: Kind::Heading, bytes: 0, ..part.clone() };
        printer.part(heading)?;
        let parts = with_blocks(args, path, &part, &mut printer)?;
        parts.into_iter().try_for_each(|part| printer.part(part))?;
    }
    if options.path.is_none() {
        printer.between(stream.len(), "")?;
    }
    printer.finish()
}

/// The header of a file that is one chunk; none if it is something else. A chunk has no signature: it is
/// known by its length, which it says itself.
fn lone_chunk(args: &StreamArgs, path: &Path) -> Result<Option<Stream>> {
    const VERSIONS: std::ops::RangeInclusive<u8> = 1..=6;
    if args.layout.is_some() || args.raw || is_stdin(path) || !path.is_file() {
        return Ok(None);
    }
    let head = input::head(path, args.base)?;
    let Some(text) = blosc2::chunk_layout(&head) else { return Ok(None) };
    if !head.first().is_some_and(|version| VERSIONS.contains(version)) {
        return Ok(None);
    }
    let header = opened(args, path, text, args.base)?;
    let field = |name: &str| header.get("/header")?.data()?.field(name)?.scalar::<i32>();
    let lengths = field("cbytes").and_then(|stored| Ok((stored, field("nbytes")?)));
    let whole = lengths
        .is_ok_and(|(stored, decoded)| u64::try_from(stored) == Ok(header.len()) && decoded >= 0);
    Ok(whole.then_some(header))
}

/// A file that is one chunk: the fields of its header, and its blocks.
fn one_chunk(
    args: &StreamArgs,
    path: &Path,
    header: &Stream,
    options: &Options<'_>,
    out: &mut dyn Write,
) -> Result<Errors> {
    if options.path.is_some() {
        return Err(Failure::usage("a chunk has a header and blocks: --range picks addresses"));
    }
    let mut printer = Printer::new(header.source(), options, out)?;
    printer.begin("blosc2-chunk", Some(header))?;
    let whole = Part::new(Kind::Item, 0, header.len(), "chunk");
    for part in with_blocks(args, path, &whole, &mut printer)? {
        printer.part(part)?;
    }
    printer.finish()
}

/// The fields of the header of a chunk, and what is behind them.
fn with_blocks(
    args: &StreamArgs,
    path: &Path,
    part: &Part,
    printer: &mut Printer<'_>,
) -> Result<Vec<Part>> {
    let mut parts = chunk(args, path, part, printer)?;
    let begin = parts.iter().map(Part::end).max().unwrap_or(part.address);
    let rest = part.end().saturating_sub(begin);
    if rest > 0 {
        parts.push(Part::new(Kind::Item, begin, rest, format!("{}: blocks", part.path)));
    }
    Ok(parts)
}

/// The fields of the header of a chunk.
fn chunk(
    args: &StreamArgs,
    path: &Path,
    part: &Part,
    printer: &mut Printer<'_>,
) -> Result<Vec<Part>> {
    let head = printer.read(part.address, part.bytes.min(32));
    let Some(text) = blosc2::chunk_layout(&head) else { return Ok(Vec::new()) };
    let stream = opened(args, path, text, args.base.saturating_add(part.address))?;
    let mut fields = Vec::new();
    rows::all(&stream, &mut |mut field| {
        field.address = field.address.saturating_add(part.address);
        field.path = format!("{}: {}", part.path, field.path.trim_start_matches('/'));
        if field.kind == Kind::Field && field.end() <= part.end() {
            fields.push(field);
        }
        Ok(())
    })?;
    Ok(fields)
}

/// A part of a file, by the layout that describes it.
///
/// # Errors
/// If it cannot be read.
pub(super) fn opened(args: &StreamArgs, path: &Path, text: &str, base: u64) -> Result<Stream> {
    let open = Open::new().base(base).raw().filters(asdf_bridge::filter::registry());
    let opened = args
        .params
        .iter()
        .fold(open, |open, (name, value)| open.param(name.as_str(), *value))
        .layout_text(text)
        .and_then(|open| open.file(path));
    opened.map_err(|error| Failure::of_file(&name_of(path), error))
}
