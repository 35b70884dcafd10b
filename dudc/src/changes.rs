//! Changes of layouts, for people and as JSON.

use dudley_parser::Layout;
use dudley_parser::compare::{Change, Level};
use dudley_parser::render::Style;
use dudley_parser::span::{LineIndex, Span};
use serde_json::{Map, Value, json};

use crate::failure::printable;

/// Paths that are named of those that change for the same reason.
const NAMED: usize = 5;

/// Two layouts with their differences.
pub(crate) struct Comparison<'c> {
    /// The name of the old layout, and the layout.
    pub(crate) old: (&'c str, &'c Layout),
    /// The new one.
    pub(crate) new: (&'c str, &'c Layout),
    /// The reported changes.
    pub(crate) changes: &'c [Change],
}

impl Comparison<'_> {
    /// For people.
    pub(crate) fn text(&self, style: Style) -> String {
        let lines = (LineIndex::new(self.old.1.text()), LineIndex::new(self.new.1.text()));
        let mut text = String::new();
        for change in self.changes {
            let levels: Vec<&str> = change.levels.iter().map(Level::as_str).collect();
            let levels =
                if levels.is_empty() { String::new() } else { format!(" {}", levels.join(" ")) };
            let mark = match (change.levels.has(Level::Layout), change.levels.is_empty()) {
                (true, _) => "\u{1b}[1;31m",
                (false, false) => "\u{1b}[1;33m",
                (false, true) => "\u{1b}[1;36m",
            };
            let head = format!("change[{}]{levels}", &change.code["change-".len()..]);
            text += &paint(style, mark, &head);
            text += &paint(style, "\u{1b}[1m", &format!(": {}", printable(&change.message)));
            text.push('\n');
            if let Some(example) = &change.example {
                let of = if example.path == change.path {
                    String::new()
                } else {
                    format!(" (`{}`)", example.path)
                };
                text += &printable(&format!("  = {example}{of}\n"));
            }
            if let Some((named, more)) = also(change) {
                text += &printable(&format!("  = also {named}{more}\n"));
            }
            let places = [(self.old.0, &lines.0, change.old), (self.new.0, &lines.1, change.new)];
            let places = places.into_iter().filter_map(|(name, lines, span)| {
                let at = lines.line_column(span?.start);
                Some(format!("{name}:{}:{}", at.line, at.column))
            });
            let places: Vec<String> = places.collect();
            text += &paint(style, "\u{1b}[2m", &printable(&format!("  --> {}", places.join(", "))));
            text.push('\n');
        }
        text
    }

    /// For programs.
    pub(crate) fn rows(&self) -> Vec<Value> {
        let lines = (LineIndex::new(self.old.1.text()), LineIndex::new(self.new.1.text()));
        let row = |change: &Change| {
            let mut row = Map::new();
            row.insert("code".into(), change.code.into());
            row.insert("path".into(), change.path.as_str().into());
            let levels = change.levels.iter().map(Level::as_str);
            row.insert("levels".into(), levels.collect());
            let breaks = change.breaks().into_iter().map(|victim| victim.as_str());
            row.insert("breaks".into(), breaks.collect());
            row.insert("message".into(), change.message.as_str().into());
            row.insert("old".into(), place(&lines.0, change.old));
            row.insert("new".into(), place(&lines.1, change.new));
            if let Some(example) = &change.example {
                let params =
                    example.params.iter().map(|(name, value)| (name.clone(), json!(value)));
                let params: Map<String, Value> = params.collect();
                let mut shown = json!({
                    "params": params,
                    "path": example.path,
                    "quantity": example.quantity.as_str(),
                    "old": example.old,
                    "new": example.new,
                });
                if let Some(bytes) = example.stored {
                    shown["stored"] = json!(bytes);
                }
                if let Some(why) = &example.why {
                    shown["why"] = json!(why);
                }
                row.insert("example".into(), shown);
            }
            if !change.also.is_empty() {
                row.insert("also".into(), change.also.iter().map(String::as_str).collect());
            }
            Value::Object(row)
        };
        self.changes.iter().map(row).collect()
    }
}

fn place(lines: &LineIndex<'_>, span: Option<Span>) -> Value {
    span.map_or(Value::Null, |span| {
        let at = lines.line_column(span.start);
        json!({ "line": at.line, "column": at.column })
    })
}

/// The first of the changes that have one reason, and the number of the others.
fn also(change: &Change) -> Option<(String, String)> {
    let named = change.also.iter().take(NAMED).map(|path| format!("`{path}`"));
    let named: Vec<String> = named.collect();
    let more = match change.also.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!named.is_empty()).then(|| (named.join(", "), more))
}

/// A text in a colour.
pub(crate) fn paint(style: Style, color: &str, text: &str) -> String {
    match style {
        Style::Colored => format!("{color}{text}\u{1b}[0m"),
        Style::Plain => text.to_owned(),
    }
}
