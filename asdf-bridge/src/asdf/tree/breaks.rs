//! Where lines end: by the rules of YAML 1.1, which has three breaks more than YAML 1.2, and so than our parser.
//!
//! U+0085, U+2028 and U+2029 end a line wherever a line feed does. The parser is given line feeds for them, as many as
//! they have bytes, so that all keeps its place; more empty lines change nothing but what scalars say. What these say
//! is then read here, as PyYAML and libyaml do: U+0085 becomes a line feed, the other two stay what they are.

use std::borrow::Cow;
use std::ops::Range;

use granit_parser::{Event, Parser};

use super::Style;

/// What ends a line.
pub(crate) const BREAKS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// What ends a line, and blanks.
pub(crate) const BLANKS: [char; 7] = [' ', '\t', '\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// Those that only YAML 1.1 has.
const OLD: [&str; 3] = ["\u{85}", "\u{2028}", "\u{2029}"];

/// Where the first break stands that only YAML 1.1 has.
pub(crate) fn first_old(text: &str) -> Option<usize> {
    OLD.iter().filter_map(|one| memchr::memmem::find(text.as_bytes(), one.as_bytes())).min()
}

/// Their number.
pub(crate) fn count_old(text: &str) -> usize {
    text.chars().filter(|c| matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}')).count()
}

/// How many bytes the break has that a text begins with; 0 if it begins with none.
pub(crate) fn length(text: &str) -> usize {
    taken(text).map_or(0, |(_, length)| length)
}

/// The break that a text begins with, as it is read, and its length in bytes.
fn taken(text: &str) -> Option<(char, usize)> {
    let first = text.chars().next().filter(|first| BREAKS.contains(first))?;
    match first {
        '\r' if text.starts_with("\r\n") => Some(('\n', 2)),
        '\u{2028}' | '\u{2029}' => Some((first, first.len_utf8())),
        _ => Some(('\n', first.len_utf8())),
    }
}

/// A text without the break that it ends with, if it ends with one.
pub(crate) fn without_last(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix(BREAKS)).unwrap_or(text)
}

/// All breaks of a text, as they are read.
fn breaks(mut text: &str) -> impl Iterator<Item = char> {
    std::iter::from_fn(move || {
        text = &text[text.find(BREAKS)?..];
        let (found, length) = taken(text)?;
        text = &text[length..];
        Some(found)
    })
}

/// The text for the parser, in which everything stands where it stood.
pub(super) fn for_parser(text: &str) -> Cow<'_, str> {
    if first_old(text).is_none() {
        return text.into();
    }
    let mut new = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{85}' | '\u{2028}' | '\u{2029}' => {
                new.extend(std::iter::repeat_n('\n', c.len_utf8()));
            }
            c => new.push(c),
        }
    }
    new.into()
}

/// What the scalar at `range` of a text says, of which the parser says `parsed`; `None` if that is right.
pub(super) fn scalar(
    text: &str,
    range: Range<usize>,
    style: Style,
    parsed: &str,
) -> Option<String> {
    let own = text.get(range.clone())?;
    if let Style::Literal | Style::Folded = style {
        return block(text, range, style == Style::Folded, parsed);
    }
    first_old(own)?;
    let quoted = || own.get(1..own.len().checked_sub(1)?);
    match style {
        Style::SingleQuoted => Some(folded(quoted()?, false).replace("''", "'")),
        Style::DoubleQuoted => unescaped(&folded(quoted()?, true)),
        _ => Some(folded(own, false)),
    }
}

/// Lines joined to one: a line feed becomes a blank, or nothing where other breaks follow; any other break stays. With
/// `escapes`, breaks that stay are written as escapes, and one behind a backslash goes.
fn folded(text: &str, escapes: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let put = |c: char, out: &mut String| match (escapes, c) {
        (true, '\n') => out.push_str("\\n"),
        (true, '\u{2028}') => out.push_str("\\L"),
        (true, '\u{2029}') => out.push_str("\\P"),
        _ => out.push(c),
    };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let blank = &rest[..rest.len() - rest.trim_start_matches(BLANKS).len()];
        if escapes && first == '\\' {
            let behind = &rest[1..];
            rest = match length(behind) {
                0 => {
                    let both = 1 + behind.chars().next().map_or(0, char::len_utf8);
                    out.push_str(&rest[..both]);
                    &rest[both..]
                }
                length => {
                    let behind = &behind[length..];
                    let next = behind.trim_start_matches(BLANKS);
                    breaks(&behind[..behind.len() - next.len()]).for_each(|c| put(c, &mut out));
                    next
                }
            };
        } else if blank.is_empty() {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            let mut found = breaks(blank).peekable();
            match found.next() {
                None => out.push_str(blank),
                Some('\n') if found.peek().is_none() => out.push(' '),
                Some('\n') => {}
                Some(other) => put(other, &mut out),
            }
            found.for_each(|c| put(c, &mut out));
            rest = &rest[blank.len()..];
        }
    }
    out
}

/// What a text in double quotes says that has one line.
fn unescaped(line: &str) -> Option<String> {
    let quoted = format!("\"{line}\"");
    Parser::new_from_str(&quoted).find_map(|event| match event {
        Ok((Event::Scalar(text, ..), _)) => Some(text.into_owned()),
        _ => None,
    })
}

/// What a block scalar says whose lines take `range`, from the first that is not empty. How many line ends of the last
/// one are kept is what the parser found: none, one, or all.
fn block(text: &str, range: Range<usize>, fold: bool, parsed: &str) -> Option<String> {
    // Empty lines stand before the range, behind the line of `|` or `>`.
    let head = text.get(..range.start)?.trim_end_matches(BLANKS).len();
    first_old(text.get(head..range.end)?)?;
    let kept = parsed.len() - parsed.trim_end_matches('\n').len();
    if kept == parsed.len() {
        // No line has anything. At the end of the text the range begins with `|` or `>`.
        let own = &text[range.clone()];
        let lines = if own.starts_with(['|', '>']) { own } else { &text[head..range.start] };
        let empty = breaks(lines).skip(1);
        return Some(if kept > 0 { empty.collect() } else { String::new() });
    }
    let lead = &text[head..range.start];
    let mut trailing: String = breaks(lead).skip(1).collect();
    let indent = lead.len() - lead.trim_end_matches(' ').len();
    let mut out = String::with_capacity(range.len());
    let (mut rest, mut last, mut was_blank) = (text.get(range)?, None, false);
    loop {
        let is_blank = rest.starts_with([' ', '\t']);
        match last {
            Some('\n') if fold && !was_blank && !is_blank => {
                if trailing.is_empty() {
                    out.push(' ');
                }
            }
            last => out.extend(last),
        }
        out.push_str(&trailing);
        was_blank = is_blank;
        let line = rest.find(BREAKS).unwrap_or(rest.len());
        out.push_str(&rest[..line]);
        rest = &rest[line..];
        last = taken(rest).map(|(found, _)| found);
        rest = &rest[length(rest)..];
        trailing = String::new();
        let mut column;
        loop {
            let line = rest.trim_start_matches(' ');
            column = (rest.len() - line.len()).min(indent);
            rest = &rest[column..];
            let Some((found, length)) = taken(rest) else { break };
            trailing.push(found);
            rest = &rest[length..];
        }
        if rest.is_empty() || column < indent {
            break;
        }
    }
    if kept > 0 {
        out.extend(last);
    }
    if kept > 1 {
        out.push_str(&trailing);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::super::{Node, Tree};

    #[test]
    fn scalars_say_what_they_say_to_libyaml() {
        // What libyaml reads of `x: ` and each of these.
        for (text, expected) in [
            ("one\u{2028}  two", "one\u{2028}two"),
            ("'one\u{2028}  two'", "one\u{2028}two"),
            ("'one \u{2028}\n  two'", "one\u{2028}\ntwo"),
            ("'one\n\u{2029} two'", "one\u{2029}two"),
            ("one\u{85}  two", "one two"),
            ("'it''s\u{85}\u{85} x'", "it's\nx"),
            ("\"x\u{85}  y\"", "x y"),
            ("\"x\\\u{2028}  y\\\"\\L\\N\"", "xy\"\u{2028}\u{85}"),
            ("\"x\\\\\u{2029}y\"", "x\\\u{2029}y"),
            ("|\u{85}  a\u{2028}   b\u{85}\n  c\u{2029}", "a\u{2028} b\n\nc\u{2029}"),
            ("|-\n\u{2028}  a\u{2028}\u{2029}", "\u{2028}a"),
            ("|+  # |-\u{2029}  a\u{2028}\u{2029}", "a\u{2028}\u{2029}"),
            (">\n  a\u{85}  b\u{2028}  c\n\u{2029}\u{85}  d\n", "a b\u{2028}c\u{2029}\nd\n"),
            (">+\u{85}\u{2028}\u{85}", "\u{2028}\n"),
        ] {
            let end = if text.ends_with(super::BREAKS) { "y: 1\n" } else { "\ny: 1\n" };
            for (before, after) in [("x: ", ""), ("x:\u{2028} ", ""), ("x: ", end)] {
                let tree = Tree::parse(&format!("{before}{text}{after}")).expect(text);
                let x = tree.root().get("x").and_then(Node::text);
                assert_eq!(x, Some(expected), "{text:?} {before:?} {after:?}");
            }
        }
    }

    #[test]
    fn lines_end_wherever_they_do_to_libyaml() {
        let text = "a: 1\u{85}b: 2  # c: 3\u{2028}d:\u{2029}- [x,\u{2028} y]  # z\u{85}- !t\u{2028}  &q 'w'\n";
        let tree = Tree::parse(text).expect("a tree");
        let root = tree.root();
        let keys: Vec<_> = root.entries().filter_map(|(key, _)| key.text()).collect();
        assert_eq!(keys, ["a", "b", "d"]);
        let list = root.get("d").expect("a list");
        let y = list.at(0).and_then(|inner| inner.at(1)).expect("an item");
        assert_eq!(&text[y.range()], "y");
        let w = list.at(1).expect("an item");
        assert_eq!((&text[w.range()], w.anchor(), w.tag()), ("'w'", Some("q"), Some("!t")));
        assert_eq!(&text[list.range()], "[x,\u{2028} y]  # z\u{85}- !t\u{2028}  &q 'w'");
    }
}
