//! Diagnostics of layouts for people.

use dudley_parser::Diagnostic;
use dudley_parser::span::LineIndex;

/// Findings as they are shown on a terminal.
pub fn render(found: &[Diagnostic], text: &str, file: &str) -> String {
    let index = LineIndex::new(text);
    let line = |d: &Diagnostic| {
        let at = index.line_column(d.primary.span.start);
        format!(
            "{file}:{}:{}: {}[{}]: {}\n",
            at.line,
            at.column,
            d.severity.as_str(),
            d.code,
            d.message
        )
    };
    found.iter().map(line).collect()
}
