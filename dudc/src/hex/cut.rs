//! Files that cannot be opened: of a native stream that ends within its signature or its layout what there is of
//! it, of a Blosc2 frame that is damaged its header and the bytes behind it.

use std::io::Write;
use std::path::Path;

use asdf_bridge::blosc2;
use dudley::signature::is_native;
use dudley::source::{FileSource, Source, Window};

use super::foreign::opened;
use super::print::Printer;
use super::{Kind, Options, Part, order};
use crate::failure::{Failure, Result};
use crate::input::{self, is_stdin};
use crate::remote;
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
    let source = match (native(args, file), options.path) {
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
    args: &StreamArgs,
    file: &Path,
    options: &Options<'_>,
    failure: Failure,
    out: &mut dyn Write,
) -> Result<Errors> {
    let text = match options.path {
        None if file.is_file() => blosc2::frame_layout(&input::head(file, args.base)?),
        _ => None,
    };
    let Some(Ok(stream)) = text.map(|text| opened(args, file, text, args.base)) else {
        return Err(failure);
    };
    let mut printer = Printer::new(stream.source(), options, out)?;
    printer.begin("blosc2-frame", Some(&stream))?;
    order::stream(&stream, options, &mut printer)?;
    printer.finish()?;
    Err(failure)
}

/// The bytes of a file that begins as a stream does, and has no room for an item or has to bring its layout.
fn native(args: &StreamArgs, file: &Path) -> Option<Window<FileSource>> {
    if args.raw || is_stdin(file) || remote::address(file).is_some() {
        return None;
    }
    let source = Window::from(FileSource::open(file).ok()?, args.base).ok()?;
    let mut head = [0; 8];
    source.read_at(0, &mut head).ok()?;
    let brings = args.layout.is_none() || source.len() < dudley::signature::LEN;
    (brings && is_native(&head)).then_some(source)
}
