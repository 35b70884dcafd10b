//! Files of other formats: their headers by the layouts that they are decoded with.

use std::collections::HashSet;
use std::io::Write;

use asdf_bridge::blosc2::{self, Frame};
use dudley::Stream;
use dudley::read::slice::Index;

use super::print::Printer;
use super::{Kind, Options, Part, asdf, chunk, cut, order};
use crate::failure::{Failure, Result};
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
        && let Some(shown) = chunk::show(opened.args(), opened.candidate(), options, out)?
    {
        return Ok(Some(shown));
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
    let parts = match options.path.map(blosc2::data_indices).transpose()?.flatten() {
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
        let parts = chunk::with_blocks(&part, &mut printer)?;
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
