//! The message for a place where the grammar failed.

use super::number;
use crate::diagnostic::Diagnostic;
use crate::grammar::Rule;
use crate::layout::dtype::{Primitive, elsewhere};
use crate::scan::{next_token, skip_trivia};
use crate::span::Span;

/// What the parser needed at a place, and what to do about frequent mistakes there.
struct Want {
    what: &'static str,
    /// What was found, and the cure.
    cures: &'static [(&'static str, &'static str)],
}

fn want(rule: Rule) -> Option<Want> {
    let want = |what, cures| Some(Want { what, cures });
    match rule {
        Rule::want_item => want(
            "an item",
            &[
                ("}", "no `{` is open here"),
                ("]", "no `[` is open here"),
                (")", "no `(` is open here"),
                ("-", "dashes end the layout only if nothing follows them on their line"),
                (",", "items are separated by white space"),
                ("[", "an item has one shape, behind its type"),
            ],
        ),
        Rule::want_tail => {
            want("`=`, `:`, `/`, `[` or `{`", &[("}", "a member needs a type: `x = f8`")])
        }
        Rule::want_type => want("a type, `{` or `[`", &[]),
        Rule::want_value => want(
            "an integer or an integer type",
            &[("=", "`:=` is one token"), ("-", "a sign touches its number")],
        ),
        Rule::want_primitive => want("a primitive type that touches its order prefix", &[]),
        Rule::want_brace => want(
            "a member or `}`",
            &[
                (",", "members are separated by white space"),
                ("-", "a layout does not end inside braces"),
            ],
        ),
        Rule::want_align => want("an integer: the alignment in bytes", &[]),
        Rule::want_shape_end => want(
            "`,` or `]`",
            &[
                (":", "a dimension is a length, not a range"),
                (
                    "%",
                    "an alignment stands behind the shape; expressions have `+`, `-`, `*` and an exact `/`",
                ),
            ],
        ),
        Rule::want_dim => want(
            "a dimension: an integer, a param, or an expression",
            &[
                ("]", "a shape has no comma at its end"),
                ("+", "a sign touches the integer behind it; a param has none"),
                ("-", "a sign touches the integer behind it; a param has none"),
            ],
        ),
        Rule::want_address => {
            want("an address: an integer, a param, or an expression whose terms touch", &[])
        }
        Rule::want_list_end => want(
            "`,` or `]`",
            &[
                (
                    "=",
                    "list items have no names; an anonymous dict `/ x = f8` has items with names",
                ),
                ("-", "a layout does not end inside brackets"),
            ],
        ),
        Rule::want_element => want("a list item: a type, `{`, `[` or `/`", &[]),
        Rule::want_count => want("how often: an integer or a param", &[]),
        Rule::want_filter => want("the name of a filter", &[]),
        Rule::want_args_end => want("`,` or `)`", &[]),
        Rule::want_arg => want("an argument: a number or a quoted text", &[]),
        Rule::want_stored_end => want("`]`", &[(",", "the number of stored bytes is one number")]),
        _ => None,
    }
}

/// What is expected where no rule says.
const UNNAMED: &str = "an item";

/// The error at `at`, where the grammar got stuck in an item that begins at `item`; the text ends
/// at `end`. `wanted` is what it tried there.
pub(super) fn stuck(text: &str, item: u32, at: u32, end: u32, wanted: &[Rule]) -> Diagnostic {
    if let Some(error) = foreign_comment(text, item, at) {
        return error;
    }
    let error = found(text, item, at, end, wanted);
    match computed(text, error.primary.span, end) {
        Some(help) => error.help(help),
        None => error,
    }
}

/// The error at the mark of a comment of another language, if the item that the grammar got stuck in stands behind one.
/// Each `/` of the mark goes to the root dict.
fn foreign_comment(text: &str, item: u32, at: u32) -> Option<Diagnostic> {
    let before = |at: u32| text.get(..at as usize);
    let (start, mark) = match before(item)?.trim_end_matches([' ', '\t']).strip_suffix("//") {
        Some(outer) => (outer.len(), "//"),
        None if text.get(at as usize..)?.starts_with('*') => {
            (before(at)?.strip_suffix('/')?.len(), "/*")
        }
        None => return None,
    };
    let span = Span::new(start as u32, start as u32 + 2);
    let error = Diagnostic::error("syntax", span, format!("`{mark}` begins no comment"));
    Some(error.help("a comment begins with `#`, documentation with `##`; both end with the line"))
}

/// What to write instead of a declaration that begins as in another language: with a keyword or a type, behind which
/// `found` stands.
fn foreign_declaration(first: &str, found: &str) -> Option<String> {
    let is_name = found.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match first {
        "struct" | "class" | "record" | "type" | "typedef" if is_name => {
            Some(format!("a type is declared without a keyword: `{found} {{x = f8  y = f8}}`"))
        }
        _ if is_name => {
            let ours = Primitive::from_name(first).map(Primitive::name).or(elsewhere(first))?;
            Some(format!("the name stands in front of the type: `{found} = {ours}`"))
        }
        _ => None,
    }
}

/// What to do about an expression that the grammar got stuck in, since it lacks parentheses.
fn computed(text: &str, around: Span, end: u32) -> Option<String> {
    let is_operand = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_of_expression = |c: char| is_operand(c) || "+-*/() \t".contains(c);
    let before = text.get(..around.start as usize)?;
    let start = before.trim_end_matches(is_of_expression).len();
    let (opener, rest) = (text[..start].chars().next_back()?, text.get(start..end as usize)?);
    let stuck = around.start as usize - start;
    // A `/` behind a blank may well go to the root dict.
    if !text[around.range()].starts_with(['*', '/', '+', '-']) && rest[..stuck].trim().contains(' ')
    {
        return None;
    }
    // As far as it continues: an operand behind an operator, and what touches.
    let behind =
        rest.get(stuck..)?.trim_start_matches(|c: char| !is_operand(c) && is_of_expression(c));
    let touching = behind.find(|c: char| !is_operand(c) && !"+-*/".contains(c));
    let length = rest.len() - behind.len() + touching.unwrap_or(behind.len());
    let expression = rest.get(..length)?.trim();
    let is_whole = |text: &str| {
        text.len() <= 200
            && text.starts_with(is_operand)
            && text.ends_with(is_operand)
            && text.contains(['*', '/', '+', '-'])
    };
    match opener {
        ']' => {
            let repeat = expression.strip_prefix('*')?.trim_start();
            is_whole(repeat).then(|| {
                format!(
                    "a repeat that is computed stands in parentheses, `*({repeat})`: without them it ends before the operator"
                )
            })
        }
        '@' if text[around.range()].starts_with(['=', ':']) => {
            let address = rest[..stuck].trim();
            (is_whole(address) && address.contains('/')).then(|| {
                format!(
                    "`@{address}` is one address: a `/` that touches it divides. With a blank before it, a `/` goes to the \
                     root dict"
                )
            })
        }
        '@' => is_whole(expression).then(|| {
            format!("the terms of an address touch, or stand in parentheses: `@({expression})`")
        }),
        '[' => {
            let is_closed = rest[length..].trim_start().starts_with(']');
            (is_whole(expression) && is_closed).then(|| {
                format!(
                    "how many more items there are, if that is computed, stands in parentheses: `[({expression})]`"
                )
            })
        }
        _ => None,
    }
}

fn found(text: &str, item: u32, at: u32, end: u32, wanted: &[Rule]) -> Diagnostic {
    let wants = wanted.iter().copied().find(|&rule| want(rule).is_some());
    let bytes = &text.as_bytes()[..end as usize];
    let before = token_before(bytes, item as usize, at as usize);
    let what = wants.and_then(want);
    let expected = what.as_ref().map_or(UNNAMED, |want| want.what);
    let behind = before.map_or(String::new(), |span| behind(text, span, wants));
    let at = skip_trivia(bytes, at as usize) as u32;
    if at >= end {
        let last = before.map_or(at, |span| span.end);
        let message = format!("expected {expected}{behind}, found the end of the layout");
        return Diagnostic::error("syntax", Span::at(last), message);
    }
    let span = Span::new(at, next_token(bytes, at as usize).map_or(end, |end| end as u32));
    let found = &text[span.range()];
    let shown = number::shorten(found);
    if wants == Some(Rule::want_primitive)
        && let Some(prefix) = before
    {
        let message = format!("expected {expected}, found `{shown}` behind the prefix");
        return Diagnostic::error("syntax", prefix, message);
    }
    if let Some(error) = bad_token(found, span) {
        return error;
    }
    let error =
        Diagnostic::error("syntax", span, format!("expected {expected}{behind}, found `{shown}`"));
    let cure = what.and_then(|want| want.cures.iter().find(|(token, _)| *token == found));
    let touches = before.is_some_and(|before| before.end == at);
    let declared = before.filter(|_| wants == Some(Rule::want_tail));
    let declared =
        declared.and_then(|name| foreign_declaration(text.get(name.range())?, shown.as_ref()));
    match cure {
        _ if declared.is_some() => error.help(declared.unwrap_or_default()),
        None if found == "(" && touches => {
            error.help("a shape stands in brackets behind the type: `x = f8[3]`")
        }
        Some((_, cure)) => error.help(*cure),
        None if wants == Some(Rule::want_type)
            && found.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            error.help("a param is declared with `:`")
        }
        None if found.starts_with('-') && found != "->" => {
            error.help("dashes that end the layout stand alone on their line")
        }
        None => error,
    }
}

/// What is wrong with a token that cannot stand anywhere.
fn bad_token(found: &str, span: Span) -> Option<Diagnostic> {
    let first = found.chars().next()?;
    if first.is_ascii_digit() {
        return number::integer(found, span).err().filter(|error| error.code == "bad-number");
    }
    let known = first.is_ascii_alphabetic() || "_\"'=:/.[]{}(),*@%<>|-+".contains(first);
    if known {
        return None;
    }
    let error = |message: String| Some(Diagnostic::error("bad-char", span, message));
    match first {
        '\u{a0}' | '\u{2000}'..='\u{200b}' | '\u{feff}' => error(format!(
            "U+{:04X} is not white space here; only space, tab and line ends are",
            first as u32
        )),
        _ if first.is_control() => {
            error(format!("the control character U+{:04X} cannot stand here", first as u32))
        }
        _ if first.is_alphabetic() => {
            let error = error(format!("a name with `{first}` needs quotes"))?;
            Some(error.help("names without quotes are letters a-z, A-Z, digits and `_`"))
        }
        _ => {
            let error = error(format!("`{first}` cannot stand here"))?;
            Some(match first {
                ';' => error.help("leave it out: white space separates items"),
                '!' => error.help("a comment begins with `#`"),
                _ => error,
            })
        }
    }
}

/// The last token of the item that begins at `item` which ends at or before `at`.
fn token_before(bytes: &[u8], item: usize, at: usize) -> Option<Span> {
    let mut found = None;
    let mut start = skip_trivia(bytes, item);
    while start < at
        && let Some(end) = next_token(bytes, start)
    {
        found = Some(Span::new(start as u32, end as u32));
        start = skip_trivia(bytes, end);
    }
    found
}

fn behind(text: &str, token: Span, wants: Option<Rule>) -> String {
    let shown = number::shorten(&text[token.range()]);
    match wants {
        Some(Rule::want_tail) => format!(" after the name `{shown}`"),
        Some(Rule::want_item | Rule::want_brace | Rule::want_primitive) | None => String::new(),
        _ => format!(" after `{shown}`"),
    }
}
