//! Paths of a layout: how they are written, and read.
//!
//! `/a/b/x` names an item of dicts, `/l/2/x` one of an anonymous dict in a list, `/pos.lon` a field
//! of a record, `/a/:N` a param. A name that is no identifier stands in double quotes with the
//! escapes of JSON, so `/"my name"/x`; digits in a dict are quoted, as in `/"0"`.

use super::{DictId, Layout, ParamId};
use crate::names::is_hidden;
use std::fmt::Write;

/// Whether a name needs no quotes in a layout text or a path.
///
/// ```
/// use dudley_parser::layout::path::is_identifier;
///
/// assert!(is_identifier("rho") && !is_identifier("my name"));
/// ```
pub fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

impl Layout {
    /// Adds the names between the root or anonymous dict and a dict below it to a path.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"a/ b/ x = f8").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// let mut path = String::new();
    /// layout.push_dict(&mut path, x.dict.unwrap());
    /// assert_eq!(path, "/a/b");
    /// ```
    pub fn push_dict(&self, path: &mut String, dict: DictId) {
        let home = self[dict].home;
        let mut names = Vec::new();
        let mut current = dict;
        while current != home {
            names.push(self[current].name);
            match self[current].parent {
                Some(parent) => current = parent,
                None => break,
            }
        }
        for name in names.into_iter().rev() {
            path.push('/');
            push_name(path, self.name(name));
        }
    }

    /// The name of a param, and which of that name in its dict it is: `N`, `N#2`.
    pub(crate) fn label(&self, id: ParamId) -> String {
        let mut label = String::new();
        self.push_param(&mut label, id);
        label
    }

    /// Adds the name of a param, and which of that name in its dict it is, to a path.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]  N : i8  y = f8[N]").layout.unwrap();
    /// let (second, _) = layout.params().nth(1).unwrap();
    /// let mut path = "/:".to_owned();
    /// layout.push_param(&mut path, second);
    /// assert_eq!(path, "/:N#2");
    /// ```
    pub fn push_param(&self, path: &mut String, id: ParamId) {
        push_param(path, self.name(self[id].name), self[id].ordinal as usize);
    }
}

/// Writes a name as it stands in a path: as it is if an identifier, else as a JSON string, in which nothing is
/// [hidden](is_hidden).
///
/// ```
/// let mut path = "/".to_owned();
/// dudley_parser::layout::path::push_name(&mut path, "my name");
/// assert_eq!(path, "/\"my name\"");
/// ```
pub fn push_name(path: &mut String, name: &str) {
    if is_identifier(name) {
        path.push_str(name);
        return;
    }
    path.push('"');
    for c in name.chars() {
        match c {
            '"' => path.push_str("\\\""),
            '\\' => path.push_str("\\\\"),
            '\n' => path.push_str("\\n"),
            '\r' => path.push_str("\\r"),
            '\t' => path.push_str("\\t"),
            c if is_hidden(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a String cannot fail.
                    let _ = write!(path, "\\u{unit:04x}");
                }
            }
            c => path.push(c),
        }
    }
    path.push('"');
}

/// Writes the name of a field as it stands in a path: `N#2`, the second param of that name in a struct, needs no quotes.
///
/// ```
/// use dudley_parser::layout::path::push_field;
///
/// let mut path = "/x".to_owned();
/// push_field(&mut path, "N#2");
/// push_field(&mut path, "a b");
/// assert_eq!(path, "/x.N#2.\"a b\"");
/// ```
pub fn push_field(path: &mut String, name: &str) {
    path.push('.');
    match name.rsplit_once('#') {
        Some((first, number))
            if is_identifier(first) && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            path.push_str(name);
        }
        _ => push_name(path, name),
    }
}

/// Writes the name of a param as it stands in a path. `ordinal` says which of the params of that name in its dict it
/// is, from 0.
///
/// ```
/// use dudley_parser::layout::path::push_param;
///
/// let mut path = "/grp/:".to_owned();
/// push_param(&mut path, "N", 1);
/// assert_eq!(path, "/grp/:N#2");
/// ```
pub fn push_param(path: &mut String, name: &str, ordinal: usize) {
    push_name(path, name);
    if ordinal > 0 {
        // Writing to a String cannot fail.
        let _ = write!(path, "#{}", ordinal.saturating_add(1));
    }
}

/// The path of the dict or list that something is in, empty for the root, and its name as paths
/// spell it.
///
/// ```
/// use dudley_parser::layout::path::split;
///
/// assert_eq!(split("/grp/\"a/b\""), ("/grp", "\"a/b\""));
/// assert_eq!(split("/N#2"), ("", "N#2"));
/// ```
pub fn split(path: &str) -> (&str, &str) {
    let at = slashes(path).last().unwrap_or(0);
    (&path[..at], path[at..].strip_prefix('/').unwrap_or(path))
}

/// The path of a param, by the one that listings call it by, where items and params are in one dict.
///
/// ```
/// use dudley_parser::layout::path::{listed, of_param};
///
/// assert_eq!(of_param("/grp/\"a/b\""), "/grp/:\"a/b\"");
/// assert_eq!(listed("/grp/:\"a/b\""), "/grp/\"a/b\"");
/// ```
pub fn of_param(path: &str) -> String {
    let (dict, name) = split(path);
    format!("{dict}/:{name}")
}

/// The name of a path in listings, in which params have no colon. A text that is no path stays as it is.
///
/// ```
/// use dudley_parser::layout::path::listed;
///
/// assert_eq!((listed("/grp/:N"), listed("/x")), ("/grp/N".to_owned(), "/x".to_owned()));
/// ```
pub fn listed(path: &str) -> String {
    match split(path) {
        (dict, name) if path.starts_with('/') => {
            format!("{dict}/{}", name.strip_prefix(':').unwrap_or(name))
        }
        _ => path.to_owned(),
    }
}

/// The path of one of those that listings of a layout have one path for: repetitions are numbers in it. `None` if
/// there are no repetitions in it.
///
/// ```
/// use dudley_parser::layout::path::one_of;
///
/// assert_eq!(one_of("/l/[1 + 2*i]/[j]/:N").as_deref(), Some("/l/1/0/:N"));
/// assert_eq!(one_of("/x[2]"), None);
/// ```
pub fn one_of(path: &str) -> Option<String> {
    let path = format!("/{}", path.strip_prefix('/').unwrap_or(path));
    let mut some = false;
    let one: String = names(&path)
        .map(|name| match name.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((number, rest)) => {
                some = true;
                let first = number.split(" + ").next().and_then(|first| first.parse::<u64>().ok());
                format!("/{}{rest}", first.unwrap_or(0))
            }
            None => format!("/{name}"),
        })
        .collect();
    some.then_some(one)
}

/// The names in a path, as it spells them; none in that of the root.
///
/// ```
/// use dudley_parser::layout::path::names;
///
/// assert_eq!(names("/grp/\"a/b\"/x").collect::<Vec<_>>(), ["grp", "\"a/b\"", "x"]);
/// assert_eq!(names("/").count(), 0);
/// ```
pub fn names(path: &str) -> impl Iterator<Item = &str> {
    let ends = slashes(path).skip(1).chain([path.len()]);
    let names = slashes(path).zip(ends).map(|(slash, end)| &path[slash + 1..end]);
    names.filter(|name| !name.is_empty())
}

/// Where the slashes are that stand in no quoted name.
fn slashes(path: &str) -> impl Iterator<Item = usize> {
    let (mut quoted, mut escaped) = (false, false);
    path.char_indices().filter_map(move |(at, c)| {
        if c == '"' && !escaped {
            quoted = !quoted;
        }
        escaped = c == '\\' && !escaped;
        (c == '/' && !quoted).then_some(at)
    })
}
