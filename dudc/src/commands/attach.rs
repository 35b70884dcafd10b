//! `dudc attach` and `dudc detach`: the layout of a stream, appended to it or taken away.

use dudley::error::file_name;
use std::path::{Path, PathBuf};

use clap::Args;
use dudley::append::{Finding, stream_behind};
use dudley::bytes::{AtomicFile, FileSource, Signature, Source};
use dudley::read::appended_text;
use dudley::write::attached_text;
use dudley::{Error, Stream, index};

use crate::failure::{Failure, Result};
use crate::filters;
use crate::names::name_of;
use crate::options::NoIndexArgs;
use crate::output::print_text;
use crate::progress::Progress;
use crate::stream_args::read_layout;

/// Appends a layout to a native stream
///
/// A layout of more than 1,000 items gets an index behind it, by which one item is found without parsing it all.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  dudc attach run.bd run.dud")]
pub(crate) struct AttachArgs {
    /// A native stream
    pub file: PathBuf,
    /// Its layout
    pub layout: PathBuf,
    /// Replaces a layout that is appended already
    #[arg(long)]
    pub force: bool,
    /// Discards what stands behind that one, such as other members of the file
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
    /// Discards what stands behind the layout, such as other members of the file
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
    // Before it is read, so that nobody writes to it between now and the end.
    let out = AtomicFile::create(&args.file, true)?;
    let (source, signature) = native(&args.file)?;
    if signature.layout_address.is_some() && !args.force {
        return Err(Failure::occupied(format!(
            "`{}` has a layout appended already; --force replaces it",
            file_name(&args.file)
        )));
    }
    check_behind(&args.file, &source, signature, args.discard)?;
    let layout = read_layout(&args.layout)?;
    let end = data_end(&args.file, &source, signature, &layout)?;
    let text = attached_text(&layout);
    let signature = Signature { layout_address: Some(end), ..signature };
    let mut out = rewrite(out, &source, end, &text, signature)?;
    index::add(args.no_index.policy(), &layout, &mut out)?;
    Ok(out.commit()?)
}

/// Where the layout goes: behind everything that is in the file now, and all that the layout says
/// there is.
fn data_end(
    path: &Path,
    source: &FileSource,
    signature: Signature,
    layout: &dudley::Layout,
) -> Result<u64> {
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
    Ok(present)
}

/// Runs `detach`.
///
/// # Errors
/// If the stream is not native, or has no layout.
pub(crate) fn detach(args: &DetachArgs) -> Result<()> {
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
        // What is there is to be lost anyway.
        Err(Error::NoText { .. }) if args.discard => None,
        text => text.map_err(|error| Failure::of_file(&name_of(&args.file), error))?,
    };
    let text = text.unwrap_or_default();
    let text = ending_at_terminator(&text);
    print_text(text)?;
    match rewritten {
        None => Ok(()),
        Some(out) => {
            let signature = Signature { layout_address: None, ..signature };
            Ok(rewrite(out, &source, address, &[], signature)?.commit()?)
        }
    }
}

/// That nothing is lost with a layout but its index.
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
        // What cannot be read does not say where it ends.
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

/// The text up to its terminator: what lies behind that is no part of it.
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

/// Writes the file anew: its data up to `end`, then `text`. The old file stays until all is there.
fn rewrite(
    mut out: AtomicFile,
    source: &FileSource,
    end: u64,
    text: &[u8],
    signature: Signature,
) -> Result<AtomicFile> {
    let mut block = vec![0; BLOCK];
    let mut at = 0;
    let mut progress = Progress::new(Some(end));
    while at < end {
        let length = (end - at).min(BLOCK as u64) as usize;
        source.read_at(at, &mut block[..length])?;
        out.write_at(at, &block[..length])?;
        at += length as u64;
        progress.advance(length as u64);
    }
    out.write_at(end, text)?;
    out.write_at(0, &signature.to_bytes())?;
    Ok(out)
}
