//! `dudc verify`: everything that is wrong with streams, with addresses.

use dudley::error::file_name;
use std::path::{Path, PathBuf};

use clap::Args;
use dudley::model::Candidate;
use dudley::verify::Finding;
use dudley::{Error, Severity};
use serde_json::{Map, Value, json};

use crate::commands::index::unproven;
use crate::failure::{Failure, Result, Status, printable};
use crate::formats::formats;
use crate::formats::is_native;
use crate::input::{check_text, is_archive, need_file};
use crate::json::Safe;
use crate::names::name_of;
use crate::opened::unknown;
use crate::options::Format;
use crate::output::{Output, warn};
use crate::progress::Progress;
use crate::several;
use crate::stream_args::{StreamArgs, read_layout, warn_padding};

/// Finds everything that is wrong with streams: lengths, places, constants, checksums, the index;
/// with Blosc2 frames and chunks: each block decoded
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  dudc verify *.bd\n  dudc verify --fix run.bd\n  dudc verify \
                        dump.bin --layout dump.dud --raw --format json")]
pub(crate) struct VerifyArgs {
    /// Files of any format that `dudc ls` opens
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub stream: StreamArgs,
    /// Repairs without loss: replaces a stale or damaged index if its checksums are right, cuts off
    /// a torn index without checksums, rolls back an interrupted extension, corrects one wrong byte
    /// of the signature, or of the first line of an ASDF or FINF file, renews an HDF5 face
    #[arg(long)]
    pub fix: bool,
    /// How to print findings
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Runs the command for all files, whatever the errors of one.
///
/// # Errors
/// If a layout that is given cannot be read, or the result cannot be written.
pub(crate) fn run(args: &VerifyArgs, output: &Output) -> Result {
    if args.fix && !args.stream.is_plain() {
        return Err(Failure::usage("--fix is for streams as they are, with their own layouts"));
    }
    let mut rows = Vec::new();
    let worst = several::all(&args.files, output, |path| {
        let (name, found) = (name_of(path), output.about(path, |output| look(args, path, output))?);
        match args.format {
            Format::Json => rows.extend(found.iter().map(|finding| row(&name, finding))),
            Format::Human => output.print(lines(&name, &found))?,
        }
        let is_wrong = found.iter().any(|finding| finding.severity == Severity::Error);
        Ok(if is_wrong { Status::Found } else { Status::Done })
    })?;
    if args.format == Format::Json {
        let all = json!({ "version": 1, "findings": rows });
        output.print(format!("{:#}\n", Safe(all)))?;
    }
    Ok(worst)
}

/// The faults of a file after the repair.
fn look(args: &VerifyArgs, path: &Path, output: &Output) -> Result<Vec<Finding>> {
    let found = find(args, path)?;
    if !args.fix {
        return Ok(found);
    }
    let candidate = args.stream.candidate(path)?;
    let done = match formats().mend(&candidate, path, &found) {
        Ok(None) => {
            if !found.is_empty() {
                let name = file_name(&path);
                warn(&format!(
                    "`{name}`: nothing of it is set right: `dudc salvage` writes a file anew"
                ));
            }
            return Ok(found);
        }
        Ok(Some(done)) => done,
        Err(error) => {
            // The faults are shown in any case.
            if args.format == Format::Human {
                output.print(lines(&name_of(path), &found))?;
            }
            return Err(unproven(path, error));
        }
    };
    output.message(&printable(&format!("{}: {done}", name_of(path))));
    output.message("\n");
    find(args, path)
}

fn find(args: &VerifyArgs, path: &Path) -> Result<Vec<Finding>> {
    need_file(path, "verify")?;
    let candidate = args.stream.candidate(path)?;
    if args.stream.is_plain() && candidate.whole_len() == Some(0) {
        return Ok(vec![nothing()]);
    }
    if let Some(given) = &args.stream.layout
        && (args.stream.raw || !candidate.head().is_ok_and(is_native))
        // Its faults are found below.
        && let Ok(layout) = read_layout(given)
    {
        warn_padding(&layout, &name_of(given));
    }
    let (mut found, mut progress) = (Vec::new(), Progress::new(None));
    let (mut add, mut read) = (|finding| found.push(finding), |bytes| progress.advance(bytes));
    match formats().verify(&candidate, &args.stream.open()?, &mut add, &mut read) {
        Ok(()) => Ok(found),
        Err(Error::UnknownFormat { .. }) => Ok(vec![no_layout(&candidate)?]),
        Err(error) => Err(args.stream.failed(&candidate, error)),
    }
}

/// The finding for an empty file.
fn nothing() -> Finding {
    Finding {
        code: "truncated",
        severity: Severity::Error,
        address: Some(0),
        bytes: None,
        path: None,
        message: "the file is empty".to_owned(),
    }
}

/// The finding for a file that is neither a stream nor of another known format.
///
/// # Errors
/// If it is no file, or an archive of files.
fn no_layout(candidate: &Candidate) -> Result<Finding> {
    let head = candidate.long_head().unwrap_or_default();
    let message = match check_text("the file", head) {
        Err(failure) if candidate.folder().is_none() && !is_archive(head) => failure.to_string(),
        _ => return Err(unknown(candidate)),
    };
    let (address, bytes, path) = (None, None, None);
    Ok(Finding { code: "no-layout", severity: Severity::Error, address, bytes, path, message })
}

/// A file's findings for people; that there are none too.
fn lines(name: &str, found: &[Finding]) -> String {
    let mut text = String::new();
    for finding in found {
        let place = match (finding.address, finding.bytes) {
            (Some(address), Some(bytes)) if bytes > 0 => {
                format!(" {address}..{}", address.saturating_add(bytes))
            }
            (Some(address), _) => format!(" {address}"),
            _ => String::new(),
        };
        let severity = finding.severity.as_str();
        // An error says its path itself.
        let path = match &finding.path {
            Some(path) if !finding.message.contains(&format!("`{path}`")) => format!(" `{path}`:"),
            _ => String::new(),
        };
        let line =
            format!("{name}:{place} {severity}[{}]:{path} {}", finding.code, finding.message);
        text.push_str(&printable(&line));
        text.push('\n');
    }
    let count = |severity| found.iter().filter(|it| it.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let word = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    };
    let told = format!("{}, {}", word(errors, "error"), word(warnings, "warning"));
    text + &printable(&format!("{name}: {told}")) + "\n"
}

fn row(name: &str, finding: &Finding) -> Value {
    let mut row = Map::new();
    row.insert("file".into(), name.into());
    row.insert("code".into(), finding.code.into());
    row.insert("severity".into(), finding.severity.as_str().into());
    row.insert("address".into(), finding.address.into());
    row.insert("bytes".into(), finding.bytes.into());
    row.insert("path".into(), finding.path.as_deref().into());
    row.insert("message".into(), finding.message.as_str().into());
    Value::Object(row)
}
