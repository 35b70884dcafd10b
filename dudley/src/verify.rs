//! Everything that is wrong with a stream, each with its address: is this file intact?
//!
//! The signature, the layout, where items lie, what they hold where only some values are legal, the
//! checksums that the index and the layout know, the index itself, and what stands behind the layout.
//! Everything that can be looked at is, whatever else is wrong.
//!
//! ```
//! use dudley::{Open, Severity, Writer, parse_layout, verify};
//!
//! let layout = parse_layout(b"magic = u1[2]  #: const = [1, 2]\nx = f8[2] @64")?;
//! let mut bytes = Writer::new(layout).put("/x", &[1.0, 2.0][..]).attach(true).to_bytes()?;
//! bytes[17] = 7;
//! let mut found = Vec::new();
//! verify::verify(Open::new(), bytes, &mut |finding| found.push(finding), &mut |_| ());
//! assert_eq!((found[0].severity, found[0].code), (Severity::Note, "gap"));
//! assert_eq!((found[1].severity, found[1].code), (Severity::Error, "const"));
//! assert_eq!((found[1].address, found[1].path.as_deref()), (Some(16), Some("/magic")));
//! # Ok::<(), dudley::Error>(())
//! ```

mod attributes;
mod mend;
mod places;
mod tail;
mod values;

use std::sync::Arc;

use dudley_parser::Severity;
use dudley_parser::check::check_to_read;

use crate::bytes::signature::Signature;
use crate::bytes::source::{FileSource, Source};
use crate::error::Error;
use crate::read::stream::{Open, Stream};
pub use mend::mend_signature;

/// The codes of findings, and their meanings.
pub const CODES: [(&str, &str); 30] = [
    (
        "checksum",
        "the bytes do not match a checksum: in the index, or an attribute `crc32`, `crc32c` or `adler32` of the item",
    ),
    ("checksum-unknown", "an attribute is a checksum of an unknown kind, such as `md5`"),
    ("const", "an item differs from its attribute `const`"),
    ("filter", "the stored bytes of a filtered item cannot be decoded"),
    (
        "gap",
        "bytes that no item describes: at least 16 between items, or any behind the data, except for the reserve before a layout; an item that cannot be placed may lie there",
    ),
    ("index-damaged", "the index is damaged"),
    (
        "index-stale",
        "the index belongs to another layout, or values that addresses depend on have changed",
    ),
    ("index-torn", "an index begins behind the layout, but is incomplete"),
    ("index-version", "a later version wrote the index"),
    ("interrupted", "an extension of the stream was interrupted; all commits are intact"),
    ("layout", "the layout has errors"),
    (
        "layout-changed",
        "the layout differs from the one that the index was made of: it was changed in place, or damaged",
    ),
    (
        "layout-cut",
        "the layout is cut off: it ends without its terminator, and has errors or does not describe all of the data",
    ),
    ("layout-in-data", "the layout lies where it says that data lies"),
    ("layout-warnings", "the layout has warnings, which `dudc check` shows"),
    ("left-over", "bytes at the end of the stream that are too few for one more element"),
    ("no-layout", "there is no layout"),
    ("no-terminator", "the layout ends without its terminator, but describes all of the data"),
    (
        "not-all-read",
        "only a part was checked of the items of very long lists, or of a very large array whose elements are in others",
    ),
    ("odd-value", "malformed text, or a boolean other than 0 and 1"),
    ("overlap", "two items share bytes"),
    ("param", "a given param is not in the layout"),
    ("param-value", "a param is below -1, or cannot be read"),
    ("signature", "the signature is damaged or missing"),
    ("trailing", "bytes behind the layout that are not an index"),
    ("truncated", "an item lies past the end of the stream"),
    ("unfinished", "the stream is written in place, and was not finished"),
    ("unknown-filter", "an item has an unknown filter"),
    ("unplaced", "an item cannot be placed, because a param before it is illegal"),
    ("unreadable", "something cannot be read, for another reason"),
];

/// A fault, or another fact about a stream.
///
/// ```
/// use dudley::Severity;
/// use dudley::verify::Finding;
///
/// let finding = Finding::new(Severity::Error, "const", "expected 1, found 7").at(16, 1).of("/magic");
/// assert_eq!((finding.address, finding.bytes, finding.path.as_deref()), (Some(16), Some(1), Some("/magic")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The code of the finding. It is stable.
    pub code: &'static str,
    /// Its severity. Only an error means that the file is damaged.
    pub severity: Severity,
    /// The address in bytes from the start of the stream, if the finding is about one place.
    pub address: Option<u64>,
    /// The number of bytes.
    pub bytes: Option<u64>,
    /// The path of the item.
    pub path: Option<String>,
    /// The fault.
    pub message: String,
}

impl Finding {
    /// A finding about the whole stream. The codes of streams are [`CODES`]; a format may have others.
    ///
    /// ```
    /// use dudley::{Severity, verify::Finding};
    ///
    /// let finding = Finding::new(Severity::Warning, "no-terminator", "the layout has no end");
    /// assert_eq!((finding.code, finding.address, finding.path), ("no-terminator", None, None));
    /// ```
    pub fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Finding {
        let message = message.into();
        Finding { code, severity, address: None, bytes: None, path: None, message }
    }

    /// Adds the address and the number of the bytes.
    ///
    /// ```
    /// use dudley::{Severity, verify::Finding};
    ///
    /// let finding = Finding::new(Severity::Note, "gap", "16 bytes").at(64, 16);
    /// assert_eq!((finding.address, finding.bytes), (Some(64), Some(16)));
    /// ```
    #[must_use]
    pub fn at(mut self, address: u64, bytes: u64) -> Finding {
        (self.address, self.bytes) = (Some(address), Some(bytes));
        self
    }

    /// Adds the path of an item.
    ///
    /// ```
    /// use dudley::{Severity, verify::Finding};
    ///
    /// let finding = Finding::new(Severity::Error, "const", "expected 1, found 7").of("/magic");
    /// assert_eq!(finding.path.as_deref(), Some("/magic"));
    /// ```
    #[must_use]
    pub fn of(mut self, path: impl Into<String>) -> Finding {
        self.path = Some(path.into());
        self
    }

    /// A finding with the text, address and item of an error.
    ///
    /// ```
    /// use dudley::{Error, Severity, verify::Finding};
    ///
    /// let error = Error::truncated(16, 8, 3).of_item("/x");
    /// let finding = Finding::of_error(Severity::Error, "truncated", &error);
    /// assert_eq!((finding.address, finding.path.as_deref()), (Some(16), Some("/x")));
    /// ```
    pub fn of_error(severity: Severity, code: &'static str, error: &Error) -> Finding {
        let mut finding = Finding::new(severity, code, error.to_string());
        finding.address = error.address();
        finding.bytes = match error {
            Error::Checksum { length, .. } => Some(*length),
            Error::Truncated { needed, .. } => Some(*needed),
            _ => None,
        };
        finding.path = error.item().map(str::to_owned);
        finding
    }
}

/// Findings go here.
type Found<'f> = &'f mut dyn FnMut(Finding);

/// Checks all of a stream, and passes on the findings in the order of the checks. Data with checksums
/// or with a limited set of legal values is read in parts; `read` gets the number of bytes.
///
/// A file that cannot be read is a finding, too, so there is no error.
///
/// ```
/// use dudley::{Open, verify};
///
/// let open = Open::new().layout_text("x = f8[4]")?.raw();
/// let mut codes = Vec::new();
/// verify::verify(open, vec![0; 16], &mut |finding| codes.push(finding.code), &mut |_| ());
/// assert_eq!(codes, ["truncated"]);
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn verify(
    open: Open,
    source: impl Source + 'static,
    found: &mut dyn FnMut(Finding),
    read: &mut dyn FnMut(u64),
) {
    let source: Arc<dyn Source> = Arc::new(source);
    match open.clone().unguarded().source(source.clone()) {
        Ok(stream) => {
            in_front(&open, &stream, found, read);
            if open.is_plain() {
                tail::verify(&stream, found, read);
            }
        }
        Err(error) => found(refused(&*source, &error)),
    }
}

/// So often is looked again at what stands behind the layout, where a writer takes that away meanwhile.
const TRIES: u32 = 16;

/// As [`verify`], of a file that a writer of ours may extend meanwhile: as it was at one moment.
///
/// ```
/// use dudley::{Open, bytes::FileSource, verify::verify_file};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.bd");
/// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
/// # create.file(&path)?.finish()?;
/// let mut count = 0;
/// verify_file(Open::new(), &FileSource::open(&path)?, &mut |_| count += 1, &mut |_| ());
/// assert_eq!(count, 0);
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn verify_file(
    open: Open,
    file: &FileSource,
    found: &mut dyn FnMut(Finding),
    read: &mut dyn FnMut(u64),
) {
    let open = open.unguarded();
    let mut opened = open.moment_of(file);
    if let Ok(stream) = &opened {
        in_front(&open, stream, found, read);
        if !open.is_plain() {
            return;
        }
    }
    for tries in 1.. {
        let stream = match &opened {
            Ok(stream) => stream,
            Err(error) => return found(refused(file, error)),
        };
        let mut behind = Vec::new();
        tail::verify(stream, &mut |finding| behind.push(finding), read);
        // What a change leaves behind the layout is cut off at its end, and so is an index at the beginning of one.
        if behind.is_empty() || tries == TRIES || stream.is_still_in(file).unwrap_or(true) {
            return behind.into_iter().for_each(found);
        }
        opened = open.moment_of(file);
    }
}

/// All but what stands behind the layout.
fn in_front(open: &Open, stream: &Stream, found: Found<'_>, read: &mut dyn FnMut(u64)) {
    layout(stream, open.has_layout(), found);
    places::verify(stream, found);
    values::verify(stream, found, read);
    attributes::verify(stream, found, read);
}

/// Help for a layout that was changed after it was written.
const REMEDY: &str = "`dudc salvage` finds an older state that is complete, or with `--layout X.dud` what \
                      that layout describes";

/// Why a stream cannot be opened.
fn refused(source: &dyn Source, error: &Error) -> Finding {
    if let Error::Layout { text, .. } = error {
        return bad_layout(source, text, error);
    }
    let code = match error {
        Error::Signature { .. } | Error::NotNative => "signature",
        Error::Unfinished => "unfinished",
        Error::NoLayout => "no-layout",
        Error::NoText { .. } => {
            let what = format!("{error}; {REMEDY}");
            return Finding {
                message: what,
                ..Finding::of_error(Severity::Error, "layout", error)
            };
        }
        Error::NoSuchParam { .. } => "param",
        _ => "unreadable",
    };
    Finding::of_error(Severity::Error, code, error)
}

/// A layout with errors, which is cut off if it has no end.
fn bad_layout(source: &dyn Source, text: &str, error: &Error) -> Finding {
    let address = Signature::read(source).ok().flatten().and_then(|it| it.layout_address);
    let cut = dudley_parser::parse::parse(text.as_bytes()).ast.terminator.is_none();
    let (code, what) = if cut {
        ("layout-cut", format!("{CUT}, and so {error}"))
    } else {
        ("layout", error.to_string())
    };
    let finding = Finding::new(Severity::Error, code, format!("{what}; {REMEDY}"));
    match address {
        Some(address) => finding.at(address, source.len().saturating_sub(address)),
        None => finding,
    }
}

/// A layout that is cut off.
const CUT: &str = "the stream ends within its layout, before the terminator, a line `-`";

/// What the attached layout is like, and where it lies. Where another one is given, the stream was opened
/// with that, and the attached one is looked at by itself.
fn layout(stream: &Stream, given: bool, found: Found<'_>) {
    if let Err(error) = stream.check_layout_address() {
        found(Finding::of_error(Severity::Error, "layout-in-data", &error));
    }
    let Some(address) = stream.signature().and_then(|signature| signature.layout_address) else {
        return;
    };
    match given.then(|| stream.reopen(Open::new().unguarded())) {
        None => attached(stream, address, found),
        Some(Ok(own)) => attached(&own, address, found),
        Some(Err(error)) => found(refused(stream.whole(), &error)),
    }
}

/// What the attached layout is like, with which the stream was opened.
fn attached(stream: &Stream, address: u64, found: Found<'_>) {
    let text = stream.layout().text();
    let warnings = check_to_read(text.as_bytes()).diagnostics;
    let warnings = warnings.iter().filter(|it| it.severity == Severity::Warning).count();
    let length = text.len() as u64;
    if warnings > 0 {
        let what = format!("the layout has {warnings} warning{}", plural(warnings as u64));
        found(Finding::new(Severity::Note, "layout-warnings", what).at(address, length));
    }
    let Some(unterminated) = stream.unterminated() else { return };
    // What describes all the data there is may have been written so.
    let finding = match unterminated.end {
        Some(end) => Finding::new(
            Severity::Error,
            "layout-cut",
            format!("{CUT}: what is left describes data to address {end} only; {REMEDY}"),
        ),
        None => {
            let what = "the layout ends without its terminator, a line `-`: it may be cut off";
            Finding::new(Severity::Warning, "no-terminator", what)
        }
    };
    found(finding.at(address, length));
}

fn plural(count: u64) -> &'static str {
    crate::error::plural(count)
}
