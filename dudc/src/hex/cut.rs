//! Files that cannot be opened: of a native stream that ends within its signature or its layout what there is of
//! it, of a Blosc2 frame that is damaged its header and the bytes behind it.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use asdf_bridge::blosc2;
use dudley::bytes::{Source, is_native};
use dudley::model::Candidate;

use super::print::Printer;
use super::{Kind, Options, Part, chunk, order};
use crate::failure::{Failure, Result};
use crate::rows::Errors;
use crate::stream_args::StreamArgs;

/// Shows what there is of a signature, and the bytes behind it, then why the file is no stream.
///
/// # Errors
/// The failure that opening it ended with.
pub(super) fn show(
    args: &StreamArgs,
    file: &Path,
    options: &Options<'_>,
    failure: Failure,
    out: &mut dyn Write,
) -> Result<Errors> {
    let candidate = args.candidate(file);
    let Some(candidate) = candidate.ok().filter(|candidate| candidate.path().is_some()) else {
        return Err(failure);
    };
    if args.layout.is_none() && blosc2::frame_layout(candidate.head()?).is_some() {
        return frame(&candidate, options, failure, out);
    }
    if args.layout.is_none()
        && !args.raw
        && let Some(errors) = chunk::show(args, &candidate, options, out)?
    {
        return Ok(errors);
    }
    let source = match (native(args, &candidate), options.path) {
        (Some(source), None) => source,
        _ => return Err(failure),
    };
    let mut printer = Printer::new(&source, options, out)?;
    printer.begin("native", None)?;
    let doc = Some("native stream".to_owned());
    printer.part(Part { doc, ..Part::new(Kind::Signature, 0, 8, "signature") })?;
    printer.part(Part::new(Kind::Signature, 8, 8, "layout address"))?;
    printer.between(source.len(), "")?;
    printer.finish()?;
    Err(failure)
}

/// Shows the header of a frame and the bytes behind it, then why the frame cannot be opened.
///
/// # Errors
/// The failure that opening it ended with.
pub(super) fn frame(
    candidate: &Candidate,
    options: &Options<'_>,
    failure: Failure,
    out: &mut dyn Write,
) -> Result<Errors> {
    let text = options.path.is_none().then(|| blosc2::frame_layout(candidate.head().ok()?));
    let through = |text| StreamArgs::default().through(candidate, text, 0);
    let Some(Ok(stream)) = text.flatten().map(through) else {
        return Err(failure);
    };
    let mut printer = Printer::new(stream.source(), options, out)?;
    printer.begin("blosc2-frame", Some(&stream))?;
    order::stream(&stream, options, &mut printer)?;
    printer.finish()?;
    Err(failure)
}

/// The bytes of a file that begins as a stream does, and has no room for an item or has to bring its layout.
fn native(args: &StreamArgs, candidate: &Candidate) -> Option<Arc<dyn Source>> {
    let brings = args.layout.is_none() || candidate.len() < dudley::bytes::SIGNATURE_LEN;
    let is_one = !args.raw && brings && is_native(candidate.head().ok()?);
    if is_one { candidate.bytes().ok() } else { None }
}
