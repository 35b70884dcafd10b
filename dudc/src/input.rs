//! What kind is a file on the command line, and which layout text does it have?
//!
//! The contents decide: a native stream with an attached layout, a file of another format, or else a
//! layout text.

use crate::failure::{Failure, Result};
use crate::formats::foreign;
use crate::names::{is_stdin, name_of};
use dudley::bytes::SIGNATURE_LEN;
use dudley::bytes::{FileSource, Signature, Source};
use dudley::model;
use dudley::read::{LONGEST as LIMIT, appended_text, text_in_file};
use dudley_parser::no_text_at;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The number of bytes that are checked before a file counts as a layout: they must be text.
const LOOKED_AT: u64 = 1 << 16;

/// A layout text as it was found.
#[derive(Debug)]
pub(crate) struct LayoutText {
    /// Its name in messages.
    pub(crate) name: String,
    /// The text, which may not be UTF-8.
    pub(crate) bytes: Vec<u8>,
    /// It is attached to a stream.
    pub(crate) attached: bool,
}

/// Checks that an output is none of its own inputs: `--force` is for files that nobody needs any more.
///
/// # Errors
/// If it is one of them, under any name.
pub(crate) fn need_another<'p>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<()> {
    Ok(dudley::bytes::check_target(output, inputs)?)
}

/// Whether two paths lead to one file.
pub(crate) fn is_one_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    let identity = |path: &Path| {
        use std::os::unix::fs::MetadataExt;
        path.metadata().map(|found| (found.dev(), found.ino()))
    };
    #[cfg(not(unix))]
    let identity = Path::canonicalize;
    matches!((identity(a), identity(b)), (Ok(a), Ok(b)) if a == b)
}

/// Checks that a file can be read more than once.
///
/// # Errors
/// If it is standard input.
pub(crate) fn need_file(path: &Path, command: &str) -> Result<()> {
    if is_stdin(path) {
        Err(Failure::usage(format!(
            "`dudc {command}` needs a file, which can be read at any address: standard input cannot"
        )))
    } else {
        Ok(())
    }
}

/// The layout text of a file, or the one attached to it if it is a native stream: that alone is read, however large
/// the stream.
pub(crate) fn read_layout(path: &Path) -> Result<LayoutText> {
    let name = name_of(path);
    let failed = |error: io::Error| Failure::io("read", &name, &error);
    if is_stdin(path) {
        return in_order(name, io::stdin().lock());
    }
    let mut file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return in_order(name, file);
    }
    let mut head = Vec::new();
    Read::by_ref(&mut file).take(LOOKED_AT).read_to_end(&mut head).map_err(failed)?;
    if with_layout(&name, &head, metadata.len())?.is_some() {
        let text = text_in_file(&FileSource::new(file)?);
        let bytes = text.map_err(|error| Failure::of_stream(&name, error))?.unwrap_or_default();
        return Ok(LayoutText { name, bytes, attached: true });
    }
    check_text(&name, &head)?;
    if metadata.len() > LIMIT {
        return Err(too_long(&name));
    }
    head.extend(read_all(file, &name)?);
    Ok(LayoutText { name, bytes: head, attached: false })
}

/// As [`read_layout`], for an input that can be read only from start to end.
fn in_order(name: String, source: impl Read) -> Result<LayoutText> {
    let bytes = read_all(source, &name)?;
    if let Some(signature) = with_layout(&name, &bytes, bytes.len() as u64)? {
        return attached(name, &bytes, signature);
    }
    check_text(&name, &bytes)?;
    Ok(LayoutText { name, bytes, attached: false })
}

/// The text that is attached to a stream with this signature.
fn attached(name: String, source: &dyn Source, signature: Signature) -> Result<LayoutText> {
    let text = appended_text(source, Some(signature));
    let text = text.map_err(|error| Failure::of_stream(&name, error))?;
    Ok(LayoutText { name, bytes: text.unwrap_or_default(), attached: true })
}

fn read_all(source: impl Read, name: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = source.take(LIMIT + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::io("read", name, &error))?;
    if bytes.len() as u64 > LIMIT {
        return Err(too_long(name));
    }
    Ok(bytes)
}

fn too_long(name: &str) -> Failure {
    Failure::input(format!("{name} is longer than 1 GiB, which no layout is"))
}

/// The signature of a native stream, which has a layout attached; `None` if it is no such stream.
fn with_layout(name: &str, head: &[u8], length: u64) -> Result<Option<Signature>> {
    let head = &head[..head.len().min(SIGNATURE_LEN as usize)];
    match Signature::detect(head, length) {
        Ok(Some(Signature { layout_address: None, .. })) => {
            Err(Failure::input(format!("{name} is a stream without a layout attached")))
        }
        Ok(found) => Ok(found),
        Err(damage) => Err(Failure::input(format!("{name}: {damage}"))),
    }
}

/// All of standard input.
pub(crate) fn read_stdin() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| Failure::io("read", "standard input", &error))?;
    Ok(bytes)
}

/// The first bytes of a file from `base` on, by which most formats are known.
///
/// # Errors
/// If it cannot be read; if it is no file, which could not be read at any address.
pub(crate) fn head(path: &Path, base: u64) -> Result<Vec<u8>> {
    head_of(path, base, 64)
}

fn head_of(path: &Path, base: u64, length: u64) -> Result<Vec<u8>> {
    let name = name_of(path);
    let read = || {
        let file = FileSource::open(path)?;
        let mut head = vec![0; file.len().saturating_sub(base).min(length) as usize];
        file.read_at(base.min(file.len()), &mut head)?;
        Ok(head)
    };
    read().map_err(|error| match error {
        dudley::Error::Io { source, .. } if source.kind() == io::ErrorKind::InvalidInput => {
            Failure::io("read", &name, &source)
                .with_help("`-` reads standard input, which may be a pipe")
        }
        dudley::Error::Io { source, .. } => Failure::io("read", &name, &source),
        error => Failure::of_file(&name, error),
    })
}

/// The length of a file in bytes; `u64::MAX` if it is not a plain file.
pub(crate) fn length(path: &Path) -> Result<u64> {
    let metadata = std::fs::metadata(path);
    let metadata = metadata.map_err(|error| Failure::io("read", &name_of(path), &error))?;
    Ok(if metadata.is_file() { metadata.len() } else { u64::MAX })
}

/// Checks that a file with this start may be a layout: it has no known format, and the checked bytes, or all up to
/// the terminator, are text.
///
/// # Errors
/// If it is none, with its probable format.
pub(crate) fn check_text(name: &str, head: &[u8]) -> Result<()> {
    if let Some(format) = foreign(head) {
        return Err(Failure::input(format!("{name} is {format}, not a layout")));
    }
    let looked_at = &head[..head.len().min(LOOKED_AT as usize)];
    let fault = no_text_at(looked_at, looked_at.len() as u64 == LOOKED_AT);
    let none = "neither a layout nor a stream with a signature: a raw stream needs --layout";
    match (model::probably(head, fault.is_none()), fault) {
        (Some(format), _) => {
            Err(Failure::input(format!("{name} is {none} (it is probably {format})")))
        }
        (None, Some(at)) if head[at] == 0 => {
            Err(Failure::input(format!("{name} is {none} (byte {at} is 0, which no text has)")))
        }
        (None, Some(at)) => Err(Failure::bad_text(name, &head[..=at], none)),
        (None, None) => Ok(()),
    }
}

/// The probable format of a file with this start, if it is no native stream; `None` if it is
/// unknown.
pub(crate) fn probably(head: &[u8]) -> Option<&'static str> {
    if is_archive(head) {
        return Some("a zip archive");
    }
    let is_text = no_text_at(head, true).is_none();
    if let Some(format) = foreign(head).or_else(|| model::probably(head, is_text)) {
        return Some(format);
    }
    // The bytes that detect damage by transfers follow the four bytes of the byte order.
    let mut places = head.windows(4).take(SIGNATURE_LEN as usize);
    places
        .any(|found| found == b"\r\n\x1a\n")
        .then_some("a native stream whose signature is damaged")
}

/// Whether a file that begins so is a zip archive.
pub(crate) fn is_archive(head: &[u8]) -> bool {
    head.starts_with(dudley::numpy::archive::LOCAL)
}

/// The message for a zip archive, with a remedy.
pub(crate) fn archive(name: &str) -> Failure {
    Failure::input(format!(
        "{name} is a zip archive without arrays of numpy: the frames of a .b2z of python-blosc2 are read once it is \
         unpacked, or with --base where one of them begins"
    ))
}

/// The message for an empty file.
pub(crate) fn empty(name: &str) -> Failure {
    Failure::input(format!("`{name}` is empty: there is neither a stream in it nor a layout"))
}
