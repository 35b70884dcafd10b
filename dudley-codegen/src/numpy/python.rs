//! Names, texts and calls in Python.

use std::collections::HashSet;
use std::fmt::Write;

use dudley_parser::comments::AttrValue;
use dudley_parser::names::is_hidden;

/// A line is no longer than this, where it can be broken.
const WIDTH: usize = 88;

/// Reserved names in the generated functions: a local variable with such a name would hide a function.
const TAKEN: [&str; 58] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield", "at", "root", "items", "m", "more", "less", "exact", "repeat", "new_list",
    "Struct", "Stated", "Varying", "Filter", "len", "float", "size", "align", "add", "greatest",
    "start", "here", "Fault", "Whole",
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
        let digits = name.strip_prefix('t').filter(|digits| !digits.is_empty());
        let is_temporary = digits.is_some_and(|it| it.chars().all(|c| c.is_ascii_digit()));
        if is_temporary || TAKEN.contains(&&*name) || AMBIGUOUS.contains(&&*name) {
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
        (true, code @ ..=0xffff) => write!(to, "\\u{code:04x}"),
        (true, code) => write!(to, "\\U{code:08x}"),
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
    if value.is_finite() { format!("{value:?}") } else { format!("float(\"{value}\")") }
}

/// A call, broken into lines if it is too long; `indent` is the indentation of its first line.
pub(super) fn call(function: &str, arguments: &[String], indent: usize) -> Vec<String> {
    let inside = arguments.join(", ");
    let length = |text: &str| text.chars().count();
    if indent + length(function) + length(&inside) + 2 <= WIDTH {
        return vec![format!("{function}({inside})")];
    }
    let mut lines = vec![format!("{function}(")];
    if indent + 4 + length(&inside) <= WIDTH {
        lines.push(format!("    {inside}"))
    } else {
        lines.extend(arguments.iter().map(|argument| format!("    {argument},")))
    }
    lines.push(")".to_owned());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of functions that some code calls, and does not define.
    fn called(code: &str) -> HashSet<&str> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut defined = HashSet::new();
        let mut called = HashSet::new();
        for (at, _) in code.match_indices('(') {
            let before = code[..at].trim_end_matches(is_name);
            let name = &code[before.len()..at];
            match before {
                _ if name.is_empty() || before.ends_with('.') => {}
                before if before.ends_with("def ") => drop(defined.insert(name)),
                _ => drop(called.insert(name)),
            }
        }
        &called - &defined
    }

    #[test]
    fn nothing_hidden_gets_through() {
        assert_eq!(
            comment("a\u{61c}b\u{180e}\u{e0041}\u{e9}\n"),
            "a\\u061cb\\u180e\\U000e0041\u{e9}\\x0a"
        );
        assert_eq!(text("\u{e0041}"), "\"\\U000e0041\"");
    }

    #[test]
    fn no_variable_hides_what_generated_functions_call() {
        let layout = "SIZE : 0 #: stream_bytes\nN : i1\na = u1[N+, N-, 3-N]  b = u1[N] -> zlib[N]  i = u1 @N\n\
            l [[u1]*2, / M : u1  c = u1[M]]*N\nd = {e = f4}[N]  f = {K : u1  g = u1[K]}\n\
            j = {u = u1 @N  v = u1 @0}  h = f8 #: const = 1.5\n";
        let layout = dudley_parser::check(layout.as_bytes()).layout.expect("a layout");
        let placed = super::super::place::function(&layout).expect("not deep").text;
        let mut called = called(&placed);
        for name in [
            "len", "more", "less", "exact", "repeat", "new_list", "Struct", "Stated", "Varying",
            "Filter", "size", "align", "add", "greatest",
        ] {
            assert!(called.contains(name), "no `{name}` in\n{placed}");
        }
        // Of numbers that have no literal.
        assert!(float(f64::INFINITY).starts_with("float("));
        called.insert("float");
        for name in called {
            assert!(TAKEN.contains(&name), "`{name}` is called in\n{placed}");
        }
    }
}
