//! `dudc attach` and `dudc detach`: the layout of a stream, appended to it or taken away.

use dudley::error::file_name;
use std::path::{Path, PathBuf};

use clap::Args;
use dudley::append::{Finding, stream_behind};
use dudley::bytes::{AtomicFile, FileSource, Signature, Source};
use dudley::index::{self, Index, Options};
use dudley::model::Doubt;
use dudley::read::appended_text;
use dudley::write::attached_text;
use dudley::{Error, Stream, parse_layout};
use dudley_formats::hdf5::face::{Face, SUPERBLOCK_BYTES};

use crate::commands::index::unproven;
use crate::failure::{Failure, Result};
use crate::filters;
use crate::names::name_of;
use crate::options::NoIndexArgs;
use crate::output::{Several, print_text, warn};
use crate::progress::Progress;
use crate::stream_args::read_layout;

/// Appends a layout to a native stream
///
/// A layout of more than 1,000 items gets an index behind it, which finds one item without parsing
/// the layout.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  dudc attach run.bd run.dud\n  dudc attach run.bd --hdf5")]
pub(crate) struct AttachArgs {
    /// A native stream
    pub file: PathBuf,
    /// Its layout; with --hdf5 the default is the attached one
    #[arg(required_unless_present = "hdf5")]
    pub layout: Option<PathBuf>,
    /// Makes the stream an HDF5 file as well: readers of HDF5 read the same bytes in place
    #[arg(long)]
    pub hdf5: bool,
    /// Replaces an attached layout
    #[arg(long)]
    pub force: bool,
    /// Discards the bytes behind the old layout, such as other members of the file
    #[arg(long, requires = "force")]
    pub discard: bool,
    #[command(flatten)]
    pub no_index: NoIndexArgs,
}

/// Prints the layout appended to a stream, or removes it
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  dudc detach run.bd > run.dud\n  dudc detach run.bd --remove")]
pub(crate) struct DetachArgs {
    /// A native stream
    pub file: PathBuf,
    /// Removes the layout from the stream, after printing it
    #[arg(long)]
    pub remove: bool,
    /// Removes the HDF5 face; the layout stays
    #[arg(long, conflicts_with = "remove")]
    pub hdf5: bool,
    /// Discards the bytes behind the layout, such as other members of the file
    #[arg(long, requires = "remove")]
    pub discard: bool,
}

/// Bytes copied at a time.
const BLOCK: usize = 1 << 20;

/// Runs `attach`.
///
/// # Errors
/// If the stream is not native, has a layout, or does not fit the new one.
pub(crate) fn attach(args: &AttachArgs) -> Result<()> {
    let Some(path) = &args.layout else { return again(&args.file, true, args.no_index) };
    // Lock the file before reading it, so that nobody writes to it meanwhile.
    let out = AtomicFile::create(&args.file, true)?;
    let (source, signature) = native(&args.file)?;
    if signature.layout_address.is_some() && !args.force {
        return Err(Failure::occupied(format!(
            "`{}` has a layout appended already; --force replaces it",
            file_name(&args.file)
        )));
    }
    check_behind(&args.file, &source, signature, args.discard)?;
    let layout = read_layout(path)?;
    let (stream, end) = data_end(&args.file, &source, signature, &layout)?;
    let before = Face::find(&stream)?;
    let face = if args.hdf5 { Some(face_of(&stream, &source, before, end)?) } else { None };
    let new = Anew { end, text: &attached_text(&layout), signature, face: face.as_ref(), before };
    let mut out = new.write(out, &source)?;
    index::add(args.no_index.policy(), &layout, &mut out)?;
    Ok(out.commit()?)
}

/// Writes a stream with its own layout anew, with or without an HDF5 face.
///
/// # Errors
/// If it has no layout; if reading or writing fails.
pub(crate) fn again(file: &Path, hdf5: bool, no_index: NoIndexArgs) -> Result<()> {
    let out = AtomicFile::create(file, true)?;
    let (source, signature) = native(file)?;
    check_behind(file, &source, signature, false)?;
    // An index stays, and its checksums, which must not be made anew of data that is damaged.
    let policy = match Index::of_file(file).ok().flatten() {
        Some(index) => {
            let checksums = index.checksums() > 0;
            if checksums {
                index::prove(file).map_err(|error| unproven(file, error))?;
            }
            Options { checksums }.into()
        }
        None => no_index.policy(),
    };
    let text = appended_text(&source, Some(signature));
    let text = text.map_err(|error| Failure::of_file(&name_of(file), error))?;
    let Some(text) = text else {
        return Err(Failure::input(format!("`{}` has no layout appended", file_name(&file))));
    };
    let layout = parse_layout(&text).map_err(|error| Failure::of_file(&name_of(file), error))?;
    let (stream, end) = data_end(file, &source, signature, &layout)?;
    // A face stands between the data and the layout, and is made anew.
    let before = Face::find(&stream)?;
    let end = if before.is_some() { stream.data_end()? } else { end };
    let face = if hdf5 { Some(face_of(&stream, &source, before, end)?) } else { None };
    let new = Anew { end, text: &attached_text(&layout), signature, face: face.as_ref(), before };
    let mut out = new.write(out, &source)?;
    index::add(policy, &layout, &mut out)?;
    Ok(out.commit()?)
}

/// The HDF5 face of a stream; items that it omits are reported. Its headers go behind the data, where no bytes may be
/// that belong to no item, except a face that was there `before`.
fn face_of(stream: &Stream, source: &FileSource, before: Option<u64>, end: u64) -> Result<Face> {
    let data_end = stream.data_end()?;
    let mut block = vec![0; BLOCK];
    let mut at = if before.is_some() { end } else { data_end };
    while at < end {
        let length = (end - at).min(BLOCK as u64) as usize;
        source.read_at(at, &mut block[..length])?;
        if let Some(there) = block[..length].iter().position(|byte| *byte != 0) {
            return Err(Failure::input(format!(
                "behind the data, which end at address {data_end}, there are bytes that no item has, from address {} on: \
                 HDF5's headers would overwrite them",
                at + there as u64
            )));
        }
        at += length as u64;
    }
    let face = Face::of(stream, data_end)?;
    warn_of_hidden(&face.left_out);
    Ok(face)
}

/// Reports the items of a stream that HDF5 does not show.
pub(crate) fn warn_of_hidden(left_out: &[Doubt]) {
    let mut hidden = Several::default();
    hidden.extend(left_out.iter().map(Doubt::to_string));
    if hidden.count() > 0 {
        warn(&format!("HDF5 does not show all: {hidden}"));
    }
}

/// Where the layout goes: behind everything that is in the file now, and all that the layout says
/// there is.
fn data_end(
    path: &Path,
    source: &FileSource,
    signature: Signature,
    layout: &dudley::Layout,
) -> Result<(Stream, u64)> {
    let present = signature.layout_address.unwrap_or(source.len());
    // An attached layout is no part of the stream, so it is not counted here.
    let open = filters::opener().layout(layout.clone());
    let stream: Stream =
        open.file(path).map_err(|error| Failure::of_file(&name_of(path), error))?;
    let needed = stream.data_end().map_err(|error| Failure::of_file(&name_of(path), error))?;
    if needed > present {
        return Err(Failure::input(format!(
            "the layout does not fit `{}`: it describes {needed} bytes, but there are {present}",
            file_name(&path)
        )));
    }
    Ok((stream, present))
}

/// Runs `detach`.
///
/// # Errors
/// If the stream is not native, or has no layout.
pub(crate) fn detach(args: &DetachArgs) -> Result<()> {
    if args.hdf5 {
        return again(&args.file, false, NoIndexArgs::default());
    }
    // As above.
    let rewritten = args.remove.then(|| AtomicFile::create(&args.file, true)).transpose()?;
    let (source, signature) = native(&args.file)?;
    let Some(address) = signature.layout_address else {
        return Err(Failure::input(format!("`{}` has no layout appended", file_name(&args.file))));
    };
    if args.remove {
        check_behind(&args.file, &source, signature, args.discard)?;
    }
    let text = match appended_text(&source, Some(signature)) {
        // These bytes are to be discarded anyway.
        Err(Error::NoText { .. }) if args.discard => None,
        text => text.map_err(|error| Failure::of_file(&name_of(&args.file), error))?,
    };
    let text = text.unwrap_or_default();
    let text = ending_at_terminator(&text);
    print_text(text)?;
    match rewritten {
        None => Ok(()),
        Some(out) => {
            let new = Anew { end: address, text: &[], signature, face: None, before: None };
            Ok(new.write(out, &source)?.commit()?)
        }
    }
}

/// Checks that removing a layout removes nothing else but its index.
fn check_behind(
    path: &Path,
    source: &FileSource,
    signature: Signature,
    discard: bool,
) -> Result<()> {
    let Some(address) = signature.layout_address.filter(|_| !discard) else {
        return Ok(());
    };
    let lost = match dudley::append::inspect(path) {
        Ok(findings) => findings
            .iter()
            .find(|finding| matches!(finding, Finding::Undescribed { .. }))
            .map(|finding| format!("{finding}, perhaps other members of the file")),
        // An unreadable layout has no known end.
        Err(_) => stream_behind(source, address)?
            .map(|at| format!("another native stream begins at address {at}, behind the layout")),
    };
    match lost {
        None => Ok(()),
        Some(lost) => Err(Failure::input(format!(
            "`{}`: {lost}, and would be lost: --discard discards what is there",
            file_name(&path)
        ))),
    }
}

/// The text up to its terminator: anything behind the terminator is not a part of it.
fn ending_at_terminator(text: &[u8]) -> &[u8] {
    let parsed = dudley_parser::parse::parse(text);
    let end = parsed.ast.terminator.map_or(text.len(), |dashes| dashes.start as usize);
    &text[..end]
}

fn native(path: &Path) -> Result<(FileSource, Signature)> {
    let source = FileSource::open(path)?;
    let signature =
        Signature::read(&source).map_err(|error| Failure::of_file(&name_of(path), error))?;
    let signature = signature.ok_or_else(|| {
        Failure::input(format!(
            "`{}` has no signature: only native streams hold a layout",
            file_name(&path)
        ))
    })?;
    Ok((source, signature))
}

/// A file that is written anew. The old one stays until all is there.
struct Anew<'n> {
    /// The end of its data.
    end: u64,
    /// The text behind them.
    text: &'n [u8],
    signature: Signature,
    face: Option<&'n Face>,
    /// The old address of the superblock of HDF5.
    before: Option<u64>,
}

impl Anew<'_> {
    fn write(&self, mut out: AtomicFile, source: &FileSource) -> Result<AtomicFile> {
        let mut block = vec![0; BLOCK];
        let mut at = 0;
        let mut progress = Progress::new(Some(self.end));
        while at < self.end {
            let length = (self.end - at).min(BLOCK as u64) as usize;
            source.read_at(at, &mut block[..length])?;
            out.write_at(at, &block[..length])?;
            at += length as u64;
            progress.advance(length as u64);
        }
        if let Some(before) = self.before.filter(|before| *before < self.end) {
            out.write_at(before, &[0; SUPERBLOCK_BYTES])?;
        }
        let mut end = self.end;
        if let Some(face) = self.face {
            out.write_at(face.superblock_at, &face.superblock)?;
            out.write_at(face.headers_at, &face.headers)?;
            end = end.max(face.headers_at + face.headers.len() as u64);
        }
        out.write_at(end, self.text)?;
        let layout_address = if self.text.is_empty() { None } else { Some(end) };
        out.write_at(0, &Signature { layout_address, ..self.signature }.to_bytes())?;
        Ok(out)
    }
}
