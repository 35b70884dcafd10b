//! The canonical spelling of a token.

use super::roles::Role;
use crate::parse::unescape;
use crate::scan::is_word;
use std::borrow::Cow;
use std::fmt::Write as _;

/// A token as it is to be written: names in quotes only if they must be, `:` for `:=`.
pub(super) fn canonical(token: &str, role: Role) -> Cow<'_, str> {
    if token == ":=" {
        return ":".into();
    }
    if !token.starts_with(['"', '\'']) {
        return token.into();
    }
    let inside = token.get(1..token.len() - 1).unwrap_or_default();
    let plain = unescape(inside, 0, &mut Vec::new());
    if role != Role::Text && is_plain(&plain) { plain.into() } else { quoted(&plain).into() }
}

/// A name as it is to be written.
pub(crate) fn spelt(name: &str) -> Cow<'_, str> {
    if is_plain(name) { name.into() } else { quoted(name).into() }
}

fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| !first.is_ascii_digit()) && name.bytes().all(is_word)
}

/// A text in quotes.
pub(crate) fn quoted(plain: &str) -> String {
    let mut text = String::with_capacity(plain.len() + 2);
    text.push('"');
    for character in plain.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\r' => text.push_str("\\r"),
            _ if character.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{{{:x}}}", character as u32);
            }
            _ => text.push(character),
        }
    }
    text.push('"');
    text
}
