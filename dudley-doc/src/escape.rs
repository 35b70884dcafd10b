//! How text of a layout gets into a page: as text, whatever it holds.
//!
//! Characters that cannot be seen, or that change how others are shown (controls, marks of the
//! direction of writing), are made visible first; then what has a meaning in the language of the page
//! is escaped.

use std::fmt::Write;

use dudley_parser::names::is_hidden;

/// Text in which every character can be seen: controls as `␛`, marks of direction as `⟨U+202E⟩`.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{0}'..='\u{1f}' => {
                shown.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{2426}'))
            }
            '\u{7f}' => shown.push('\u{2421}'),
            c if is_hidden(c) => {
                // Writing to a string cannot fail.
                let _ = write!(shown, "⟨U+{:04X}⟩", c as u32);
            }
            c => shown.push(c),
        }
    }
    shown
}

/// Text in HTML and SVG, in elements and in attributes.
pub(crate) fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    push_html(&mut escaped, text);
    escaped
}

/// As [`html`], behind what is there.
pub(crate) fn push_html(page: &mut String, text: &str) {
    for c in visible(text).chars() {
        match c {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '"' => page.push_str("&quot;"),
            '\'' => page.push_str("&#39;"),
            c => page.push(c),
        }
    }
}

/// Several lines in HTML.
pub(crate) fn lines<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    lines.map(html).collect::<Vec<_>>().join("\n")
}

/// Text in a Markdown page.
pub(crate) fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in visible(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // Behind a backslash it would still count as the begin of code.
            '`' => escaped.push_str("&#96;"),
            '|' => escaped.push_str("&#124;"),
            '\\' | '*' | '_' | '[' | ']' | '#' | '~' | '!' | '$' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// A line of text in a Markdown page, which begins nothing: no list, no code, no heading.
pub(crate) fn markdown_line(text: &str) -> String {
    let escaped = markdown(text.trim_start());
    let digits = escaped.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = escaped.split_at(digits);
    let begins = match digits {
        0 => rest.starts_with(['-', '+', '=']),
        _ => rest.strip_prefix(['.', ')']).is_some_and(|it| it.is_empty() || it.starts_with(' ')),
    };
    if begins { format!("{number}\\{rest}") } else { escaped }
}

/// Code in a Markdown page, in a table too.
pub(crate) fn markdown_code(text: &str) -> String {
    let shown = visible(text);
    if shown.is_empty() {
        return String::new();
    }
    if shown.contains(['`', '|', '<', '&']) {
        format!("<code>{}</code>", html(text).replace('|', "&#124;").replace('`', "&#96;"))
    } else {
        format!("`{shown}`")
    }
}

/// JSON inside of a script: nothing in it can end the script, or change how its text is shown.
pub(crate) fn script(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' => {
                let _ = write!(escaped, "\\u{:04x}", c as u32);
            }
            // Between its texts JSON may have line ends; in them there are none.
            c if is_hidden(c) && !c.is_ascii_whitespace() => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(escaped, "\\u{unit:04x}");
                }
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// A stable name for a place in a page, from a path: what may stand in an address stays, the rest is
/// `~` with its number.
pub(crate) fn anchor(path: &str) -> String {
    let mut anchor = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '-' | '.' | '/' | ':' => anchor.push(c),
            c => {
                let _ = write!(anchor, "~{:x}.", c as u32);
            }
        }
    }
    anchor
}

/// A text as it may stand in a shell, in single quotes.
pub(crate) fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_marks_are_text() {
        assert_eq!(html("<b>&\"'"), "&lt;b&gt;&amp;&quot;&#39;");
        assert_eq!(html("a\u{202e}b\u{1b}[0m"), "a⟨U+202E⟩b␛[0m");
        assert_eq!(script("</script>\u{2028}"), "\\u003c/script\\u003e\\u2028");
        assert_eq!(markdown("a|*b*`"), "a&#124;\\*b\\*&#96;");
        for (line, shown) in [
            ("1. one", "1\\. one"),
            ("12) b", "12\\) b"),
            ("- a-b", "\\- a-b"),
            ("    code", "code"),
            ("===", "\\==="),
            ("1.5 cm", "1.5 cm"),
            ("+", "\\+"),
            ("## T", "\\#\\# T"),
            ("x 1. - y", "x 1. - y"),
            ("", ""),
        ] {
            assert_eq!(markdown_line(line), shown);
        }
        assert_eq!(anchor("/l/[i]/\"x y\""), "/l/~5b.i~5d./~22.x~20.y~22.");
        assert_eq!(shell("/a'b"), "'/a'\\''b'");
    }
}
