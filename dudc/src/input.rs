//! What a file on the command line is, and the layout text in it.
//!
//! Files are recognised by what they hold: a native stream with a layout attached, a file of another
//! format, or else a layout text.

use crate::failure::{Failure, Result};
use dudley::signature::{self, Signature};
use dudley::source::{FileSource, Source};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// The longest layout text that is read, in bytes.
const LIMIT: u64 = 1 << 30;

/// A layout text as it was found.
#[derive(Debug)]
pub(crate) struct LayoutText {
    /// What to call it in messages.
    pub(crate) name: String,
    /// The text, which may not be UTF-8.
    pub(crate) bytes: Vec<u8>,
    /// It is attached to a stream.
    pub(crate) attached: bool,
}

/// Whether a path stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// That an output is none of the files that it is made of: `--force` is for what is of no use any more.
///
/// # Errors
/// If it is one of them, by whatever name.
pub(crate) fn need_another<'p>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<()> {
    let Ok(target) = output.canonicalize() else { return Ok(()) };
    let same = |input: &&Path| input.canonicalize().is_ok_and(|input| input == target);
    match inputs.into_iter().find(same) {
        Some(_) => Err(Failure::usage(format!(
            "{} is read, and cannot be the output too: write a file of another name",
            output.display()
        ))),
        None => Ok(()),
    }
}

/// That a file is none which can be read only once.
///
/// # Errors
/// If it is standard input.
pub(crate) fn need_file(path: &Path, command: &str) -> Result<()> {
    match is_stdin(path) {
        true => Err(Failure::usage(format!(
            "`dudc {command}` needs a file, which can be read at any address: standard input cannot"
        ))),
        false => Ok(()),
    }
}

/// What to call a file.
pub(crate) fn name_of(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// The layout text of a file, or the one attached to it if it is a native stream.
pub(crate) fn read_layout(path: &Path) -> Result<LayoutText> {
    let name = name_of(path);
    let failed = |error: io::Error| Failure::io("read", &name, &error);
    let (bytes, attached) = if is_stdin(path) {
        from_bytes(&name, read_all(io::stdin().lock(), &name)?)?
    } else {
        let file = File::open(path).map_err(failed)?;
        from_file(&name, file)?
    };
    if let Some(format) = foreign(&bytes).filter(|_| !attached) {
        return Err(Failure::input(format!("{name} is {format}, not a layout")));
    }
    Ok(LayoutText { name, bytes, attached })
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

/// Only the layout of a native stream is read, however large the stream.
fn from_file(name: &str, mut file: File) -> Result<(Vec<u8>, bool)> {
    let failed = |error: io::Error| Failure::io("read", name, &error);
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return from_bytes(name, read_all(file, name)?);
    }
    let mut head = Vec::new();
    Read::by_ref(&mut file).take(signature::LEN).read_to_end(&mut head).map_err(failed)?;
    match attached_at(name, &head, metadata.len())? {
        Some(address) => {
            file.seek(SeekFrom::Start(address)).map_err(failed)?;
            Ok((read_all(file, name)?, true))
        }
        None if metadata.len() > LIMIT => match foreign(&head) {
            Some(format) => Err(Failure::input(format!("{name} is {format}, not a layout"))),
            None => Err(too_long(name)),
        },
        None => {
            let rest = read_all(file, name)?;
            head.extend(rest);
            Ok((head, false))
        }
    }
}

fn from_bytes(name: &str, mut bytes: Vec<u8>) -> Result<(Vec<u8>, bool)> {
    let head = &bytes[..bytes.len().min(signature::LEN as usize)];
    match attached_at(name, head, bytes.len() as u64)? {
        Some(address) => {
            let address = usize::try_from(address).unwrap_or(usize::MAX).min(bytes.len());
            bytes.drain(..address);
            Ok((bytes, true))
        }
        None => Ok((bytes, false)),
    }
}

/// Where the layout attached to a native stream begins; none if it is no such stream.
fn attached_at(name: &str, head: &[u8], length: u64) -> Result<Option<u64>> {
    match Signature::detect(head, length) {
        Ok(None) => Ok(None),
        Ok(Some(signature)) => match signature.layout_address {
            Some(address) => Ok(Some(address)),
            None => Err(Failure::input(format!("{name} is a stream without a layout attached"))),
        },
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

/// The first bytes of a file from `base` on.
///
/// # Errors
/// If it cannot be read; if it is no file, which could not be read at any address.
pub(crate) fn head(path: &Path, base: u64) -> Result<Vec<u8>> {
    let name = name_of(path);
    let read = || {
        let file = FileSource::open(path)?;
        let mut head = vec![0; file.len().saturating_sub(base).min(64) as usize];
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

/// How many bytes a file has; `u64::MAX` for what is no plain file.
pub(crate) fn length(path: &Path) -> Result<u64> {
    let metadata = std::fs::metadata(path);
    let metadata = metadata.map_err(|error| Failure::io("read", &name_of(path), &error))?;
    Ok(if metadata.is_file() { metadata.len() } else { u64::MAX })
}

/// Whether bytes begin like a native stream; a damaged signature counts, so that the damage is
/// named.
pub(crate) fn is_native(head: &[u8]) -> bool {
    !matches!(Signature::detect(head, u64::MAX), Ok(None))
}

/// Whether bytes are no text, so that it is no use to take them for a layout. What stands behind the
/// terminator of one, a line of dashes, is not looked at.
pub(crate) fn is_binary(head: &[u8]) -> bool {
    let head = &head[..head.len().min(64)];
    let invalid = match std::str::from_utf8(head) {
        Err(error) if error.error_len().is_some() => error.valid_up_to(),
        _ => head.len(),
    };
    let nul = head.iter().position(|byte| *byte == 0).unwrap_or(head.len());
    let (text, rest) = head.split_at(nul.min(invalid));
    let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r'));
    let ends = lines.any(|line| {
        let line = line.trim_ascii_end();
        !line.is_empty() && line.iter().all(|byte| *byte == b'-')
    });
    !rest.is_empty() && !ends
}

/// Why a file of another format is not opened, by its first bytes; none if it is of no format that is known.
pub(crate) fn unopened(name: &str, head: &[u8]) -> Option<Failure> {
    if is_archive(head) {
        return Some(Failure::input(format!(
            "{name} is a zip archive: of an .npz `dudc convert` reads the arrays; the frames of a .b2z of \
             python-blosc2 are read once it is unpacked, or with --base where one of them begins"
        )));
    }
    let format = foreign(head)?;
    Some(Failure::input(format!(
        "{name} is {format}, which this version cannot open; with --layout it is read as a raw stream"
    )))
}

/// Whether a file that begins so is a zip archive.
pub(crate) fn is_archive(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04")
}

/// That a file has nothing in it.
pub(crate) fn empty(path: &Path) -> Failure {
    let name = path.display();
    Failure::input(format!("`{name}` is empty: there is neither a stream in it nor a layout"))
}

/// The format of a file that is neither stream nor layout, by its first bytes.
pub(crate) fn foreign(head: &[u8]) -> Option<&'static str> {
    asdf_bridge::Format::recognise(head).map(asdf_bridge::Format::describe)
}
