//! How things are written in Python: names, texts, calls.

use std::collections::HashSet;
use std::fmt::Write;

use dudley_parser::comments::AttrValue;

/// A line is no longer than this, where it can be broken.
const WIDTH: usize = 88;

/// Words that mean something in the functions that are made.
const TAKEN: [&str; 46] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield", "at", "root", "items", "m", "more", "less", "exact", "repeat", "new_list",
    "Struct", "Varying",
];

/// Names that linters take for digits.
const AMBIGUOUS: [&str; 3] = ["l", "I", "O"];

/// The names in force: of the function at hand, and of those around it.
#[derive(Debug, Default)]
pub(super) struct Names {
    frames: Vec<HashSet<String>>,
}

impl Names {
    /// Enters a function.
    pub(super) fn enter(&mut self) {
        self.frames.push(HashSet::new());
    }

    /// Leaves it.
    pub(super) fn leave(&mut self) {
        self.frames.pop();
    }

    /// A name like this one, which no other has.
    pub(super) fn take(&mut self, wanted: &str, otherwise: &str) -> String {
        let mut name: String =
            wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if name.trim_matches('_').is_empty() {
            name = otherwise.to_owned();
        }
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            name.insert(0, '_');
        }
        if TAKEN.contains(&&*name) || AMBIGUOUS.contains(&&*name) || name == "Filter" {
            name.push('_');
        }
        let mut unique = name.clone();
        let mut count = 2;
        while self.frames.iter().any(|frame| frame.contains(&unique)) {
            unique = format!("{name}_{count}");
            count += 1;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.insert(unique.clone());
        }
        unique
    }
}

/// Whether a character could hide what a line says, or end it.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A text as a literal.
pub(super) fn text(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => literal += "\\\"",
            '\\' => literal += "\\\\",
            '\n' => literal += "\\n",
            '\t' => literal += "\\t",
            c => push_plain(&mut literal, c),
        }
    }
    literal + "\""
}

/// A text in the documentation of a module or function.
pub(super) fn doc(text: &str) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        match c {
            '"' => plain += "\\\"",
            '\\' => plain += "\\\\",
            c => push_plain(&mut plain, c),
        }
    }
    plain
}

/// A text in a comment.
pub(super) fn comment(text: &str) -> String {
    let mut plain = String::new();
    text.chars().for_each(|c| push_plain(&mut plain, c));
    plain
}

fn push_plain(to: &mut String, c: char) {
    // Writing to a string cannot fail.
    let _ = match (is_hidden(c), c as u32) {
        (false, _) => write!(to, "{c}"),
        (true, code @ ..=0xff) => write!(to, "\\x{code:02x}"),
        (true, code) => write!(to, "\\u{code:04x}"),
    };
}

/// A value of an attribute.
pub(super) fn value(value: &AttrValue) -> String {
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    match value {
        AttrValue::Int(value) => value.to_string(),
        AttrValue::Float(value) => float(*value),
        AttrValue::Text(value) => text(value),
        AttrValue::True => "True".to_owned(),
        AttrValue::Ints(values) => list(values.iter().map(ToString::to_string).collect()),
        AttrValue::Floats(values) => list(values.iter().copied().map(float).collect()),
        AttrValue::Texts(values) => list(values.iter().map(|value| text(value)).collect()),
    }
}

fn float(value: f64) -> String {
    match value.is_finite() {
        true => format!("{value:?}"),
        false => format!("float(\"{value}\")"),
    }
}

/// A call, broken into lines where it is too long; `indent` is that of its first line.
pub(super) fn call(function: &str, arguments: &[String], indent: usize) -> Vec<String> {
    let inside = arguments.join(", ");
    let length = |text: &str| text.chars().count();
    if indent + length(function) + length(&inside) + 2 <= WIDTH {
        return vec![format!("{function}({inside})")];
    }
    let mut lines = vec![format!("{function}(")];
    match indent + 4 + length(&inside) <= WIDTH {
        true => lines.push(format!("    {inside}")),
        false => lines.extend(arguments.iter().map(|argument| format!("    {argument},"))),
    }
    lines.push(")".to_owned());
    lines
}
