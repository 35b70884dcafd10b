//! The settings of lints in files `.dudlint` around a layout.

use std::fs::Metadata;
use std::path::Path;

use dudley::{Error, Layout};
use dudley_parser::comments::Attribute;
use dudley_parser::layout::DocKey;
use dudley_parser::lint::{Settings, lint};
use dudley_parser::{Diagnostic, check};

use crate::failure::{Failure, Result};
use crate::names::{is_stdin, name_of};

/// The file that says how bad findings are, in the folder of a layout or around it.
const FILE: &str = ".dudlint";

/// The longest such file.
const LONGEST: u64 = 1 << 20;

/// The settings of these files.
#[derive(Default)]
pub(super) struct Around {
    /// All settings together; the file nearest to the layout wins.
    pub(super) settings: Settings,
    /// Their names and errors.
    pub(super) failures: Vec<(String, Failure)>,
}

impl Around {
    /// The settings around a layout.
    pub(super) fn of(path: &Path) -> Around {
        let mut around = Around::default();
        if is_stdin(path) {
            return around;
        }
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        for folder in path.ancestors().skip(1) {
            let file = folder.join(FILE);
            // A missing file is no error.
            if let Ok(metadata) = file.metadata() {
                around.add(&file, &metadata);
            }
        }
        around
    }

    /// Adds the settings of a file that is further out than the earlier ones.
    fn add(&mut self, file: &Path, metadata: &Metadata) {
        let name = name_of(file);
        let failure = match read(file, &name, metadata) {
            Ok(bytes) => {
                let (said, failure) = said_in(&name, &bytes);
                self.settings = std::mem::take(&mut self.settings).within(&said);
                failure
            }
            Err(failure) => Some(failure),
        };
        self.failures.extend(failure.map(|failure| (name, failure)));
    }
}

/// The bytes of such a file; a special file cannot be read to its end.
fn read(file: &Path, name: &str, metadata: &Metadata) -> Result<Vec<u8>> {
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(Failure::input(format!("{name} is no file of attributes about lints")));
    }
    if metadata.is_file() && metadata.len() > LONGEST {
        return Err(Failure::input(format!("{name} is longer than {LONGEST} bytes")));
    }
    std::fs::read(file).map_err(|error| Failure::io("read", name, &error))
}

/// The settings of such a file, and its errors: it is a layout, of which only its own attributes count.
fn said_in(name: &str, bytes: &[u8]) -> (Settings, Option<Failure>) {
    let mut checked = check(bytes);
    let text = checked.text.clone();
    let mut errors = Vec::new();
    let mut settings = Settings::new();
    // Lines with errors are removed, so that the rest of the file counts.
    for _ in 0..ROUNDS {
        checked.diagnostics.retain(|found| found.severity.is_error());
        if let (Some(layout), []) = (&checked.layout, &checked.diagnostics[..]) {
            let attributes = layout.attributes(DocKey::LAYOUT);
            settings = Settings::of_attributes(attributes);
            errors.extend(lint(layout).into_iter().filter(|found| found.code == "lint-rule"));
            errors.extend(attributes.iter().filter_map(no_rule));
            errors.extend(declared(layout));
            break;
        }
        let rest = without_lines(&checked.text, &checked.diagnostics);
        errors.append(&mut checked.diagnostics);
        checked = check(rest.as_bytes());
    }
    if errors.is_empty() {
        return (settings, None);
    }
    errors.sort_by_key(|found| found.primary.span.start);
    let failure = Failure::of_file(name, Error::Layout { text, errors });
    (settings, Some(failure.with_help("its lines are attributes: `#: lint_deny = \"unit\"`")))
}

/// The maximum number of passes that remove lines with errors.
const ROUNDS: usize = 16;

/// A text with blanks for the lines that something is wrong in.
fn without_lines(text: &str, found: &[Diagnostic]) -> String {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let (start, end) = (at, at + line.len());
        at = end;
        let wrong = found.iter().any(|found| {
            let span = found.primary.span;
            (span.start as usize) < end && (span.end as usize).max(span.start as usize + 1) > start
        });
        // The end of the text is in its last line.
        let last =
            end == text.len() && found.iter().any(|it| it.primary.span.start as usize >= end);
        let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
        if wrong || last { line.bytes().map(blank).collect() } else { line.to_owned() }
    });
    lines.collect()
}

/// The message for an attribute that does not set lints.
fn no_rule(attribute: &Attribute) -> Option<Diagnostic> {
    let other = !attribute.name.starts_with("lint_");
    let message = || format!("`{}` says nothing of lints", attribute.name);
    other.then(|| Diagnostic::error("lint-rule", attribute.span, message()))
}

/// The first thing that such a file declares, if it does.
fn declared(layout: &Layout) -> Option<Diagnostic> {
    let arrays = layout.arrays().map(|(_, array)| array.span);
    let params = layout.params().map(|(_, param)| param.span);
    let dicts = layout.dicts().iter().skip(1).map(|dict| dict.span);
    let types = layout.types().iter().map(|ty| ty.span);
    let first = arrays.chain(params).chain(dicts).chain(types).min_by_key(|span| span.start)?;
    let message = "this is no attribute: nothing else counts in such a file";
    Some(Diagnostic::error("bad-attr", first, message))
}
