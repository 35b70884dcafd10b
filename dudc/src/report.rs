//! Diagnostics of several texts, shown to people, as JSON or as SARIF.

use crate::failure::{Failure, Result};
use crate::json::Safe;
use crate::options::ReportFormat;
use crate::output::Output;
use crate::sarif::Sarif;
use dudley_parser::diagnostic::Label;
use dudley_parser::render::render;
use dudley_parser::span::{LineIndex, Span};
use dudley_parser::{Diagnostic, Severity};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// People are shown this many findings of a file.
const SHOWN: usize = 100;

/// Shows findings, file by file.
pub(crate) struct Report<'o> {
    output: &'o Output,
    format: ReportFormat,
    rows: Vec<Value>,
    sarif: Sarif,
    /// Files that could not be read.
    said: HashSet<String>,
}

impl<'o> Report<'o> {
    pub(crate) fn new(output: &'o Output, format: ReportFormat) -> Self {
        let (rows, said) = (Vec::new(), HashSet::new());
        Self { output, format, rows, sarif: Sarif::default(), said }
    }

    /// Reports that a file cannot be read, or that a file beside it has a fault: on standard error, and among
    /// the findings for programs. Each file is reported once.
    pub(crate) fn complain(&mut self, file: &str, failure: &Failure) {
        let (file, text, found) = failure.findings(file);
        if !self.said.insert(file.to_owned()) {
            return;
        }
        self.output.complain(failure);
        if self.format != ReportFormat::Human {
            self.add(file, text, &found);
        }
    }

    /// Adds the findings about a text.
    pub(crate) fn add(&mut self, file: &str, text: &str, found: &[Diagnostic]) {
        match self.format {
            ReportFormat::Json => {
                let lines = LineIndex::new(text);
                self.rows.extend(found.iter().map(|diagnostic| row(file, &lines, diagnostic)));
            }
            ReportFormat::Sarif => {
                self.sarif.add_all(file, text, found);
            }
            ReportFormat::Human if found.is_empty() => {}
            ReportFormat::Human => {
                let shown = &found[..found.len().min(SHOWN)];
                let mut message = render(shown, text, file, self.output.style());
                message.push('\n');
                if found.len() > shown.len() {
                    message.push_str(&format!("… and {} more\n", found.len() - shown.len()));
                }
                message.push_str(&format!(
                    "{}: {}\n",
                    crate::failure::printable(file),
                    tally(found)
                ));
                self.output.message(&message);
            }
        }
    }

    /// Prints the requested result as one document.
    pub(crate) fn finish(self) -> Result<()> {
        match self.format {
            ReportFormat::Human => Ok(()),
            ReportFormat::Sarif => self.output.print(self.sarif.text()),
            ReportFormat::Json => {
                let all = json!({ "version": 1, "diagnostics": self.rows });
                self.output.print(format!("{:#}\n", Safe(all)))
            }
        }
    }
}

/// The number of findings of each severity.
fn tally(found: &[Diagnostic]) -> String {
    let severities = [Severity::Error, Severity::Warning, Severity::Note];
    let counts = severities.map(|severity| {
        let count = found.iter().filter(|diagnostic| diagnostic.severity == severity).count();
        (count, severity.as_str())
    });
    let counted = counts.iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> = counted
        .map(|(count, word)| format!("{count} {word}{}", if *count == 1 { "" } else { "s" }))
        .collect();
    words.join(", ")
}

/// A finding for programs. A finding without a place in a text is at its start.
pub(crate) fn row(file: &str, lines: &LineIndex<'_>, diagnostic: &Diagnostic) -> Value {
    let mut row = Map::new();
    row.insert("file".into(), file.into());
    row.insert("severity".into(), diagnostic.severity.as_str().into());
    row.insert("code".into(), diagnostic.code.into());
    row.insert("message".into(), diagnostic.message.as_str().into());
    row.extend(place(lines, diagnostic.primary.span));
    let said = (!diagnostic.primary.text.is_empty()).then_some(&diagnostic.primary);
    let labels = said.into_iter().chain(&diagnostic.secondary);
    row.insert("labels".into(), labels.map(|label| labelled(lines, label)).collect());
    row.insert("help".into(), diagnostic.help.as_deref().into());
    Value::Object(row)
}

fn labelled(lines: &LineIndex<'_>, label: &Label) -> Value {
    let mut row: Map<String, Value> = place(lines, label.span).into_iter().collect();
    row.insert("text".into(), label.text.as_str().into());
    Value::Object(row)
}

/// Lines and columns from 1; the end is one past the last character.
fn place(lines: &LineIndex<'_>, span: Span) -> [(String, Value); 4] {
    let (start, end) = (lines.line_column(span.start), lines.line_column(span.end));
    [
        ("line".into(), start.line.into()),
        ("column".into(), start.column.into()),
        ("end_line".into(), end.line.into()),
        ("end_column".into(), end.column.into()),
    ]
}
