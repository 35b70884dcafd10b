//! Findings as SARIF 2.1.0, which services for reviews and editors show beside the lines.

use crate::json::Safe;
use dudley_parser::Diagnostic;
use dudley_parser::explain::explain;
use dudley_parser::span::{LineIndex, Span};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Findings of a run.
#[derive(Default)]
pub(crate) struct Sarif {
    results: Vec<Value>,
    rules: BTreeSet<&'static str>,
}

impl Sarif {
    /// Adds a finding: its severity (`error`, `warning`, `note`), message and place.
    pub(crate) fn add(
        &mut self,
        code: &'static str,
        level: &str,
        message: &str,
        file: &str,
        place: Option<(&LineIndex<'_>, Span)>,
    ) {
        self.rules.insert(code);
        let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
        if let Some((lines, span)) = place {
            let (start, end) = (lines.line_column(span.start), lines.line_column(span.end));
            physical["region"] = json!({
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column,
            });
        }
        self.results.push(json!({
            "ruleId": code,
            "level": level,
            "message": { "text": message },
            "locations": [{ "physicalLocation": physical }],
        }));
    }

    /// Adds findings about a text. Of one that could not be read there are no lines.
    pub(crate) fn add_all(&mut self, file: &str, text: &str, found: &[Diagnostic]) {
        let lines = LineIndex::new(text);
        for found in found {
            let place = (!text.is_empty()).then_some((&lines, found.primary.span));
            self.add(found.code, found.severity.as_str(), &found.message, file, place);
        }
    }

    /// The text of the log.
    pub(crate) fn text(self) -> String {
        let rule = |code: &&'static str| match explain(code) {
            Some(page) => json!({
                "id": code,
                "shortDescription": { "text": page.title },
                "fullDescription": { "text": page.rule },
                "help": { "text": page.to_string() },
            }),
            None => json!({ "id": code }),
        };
        let rules: Vec<Value> = self.rules.iter().map(rule).collect();
        let log = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "dudc",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                } },
                "columnKind": "unicodeCodePoints",
                "results": self.results,
            }],
        });
        format!("{:#}\n", Safe(log))
    }
}

/// The name of a file as a relative reference: characters that URIs reserve are escaped.
fn uri(file: &str) -> String {
    let mut uri = String::with_capacity(file.len());
    for byte in file.bytes() {
        match byte {
            // Elsewhere it is a character of a name like any other.
            b'\\' if cfg!(windows) => uri.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into());
            }
            byte => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_references() {
        assert_eq!(uri("a b/ä:1.dud"), "a%20b/%C3%A4%3A1.dud");
        let between = if cfg!(windows) { "/" } else { "%5C" };
        assert_eq!(uri(r"dir\x.dud"), format!("dir{between}x.dud"));
    }
}
