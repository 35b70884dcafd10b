//! The names of items as those of files: what no file can be called is encoded by the codes of its characters.

use crate::read::path::{Part, parse, split};

/// A name that is digits as the first item of a list is.
const FIRST: &str = "0";

/// The characters that are written so wherever they stand.
const NEVER: [char; 3] = ['/', '\\', '\0'];

/// The first character of a code.
const MARK: char = '%';

/// The name of a file for a part of a path. Characters that would look like a code are encoded,
/// too, so that [`of_file`] returns the name.
///
/// ```
/// use dudley::numpy::names::{of_file, to_file};
///
/// assert_eq!(to_file("rho"), "rho");
/// assert_eq!(to_file("a/b"), "a%2Fb");
/// assert_eq!(of_file("a%2Fb"), "a/b");
/// ```
pub fn to_file(name: &str) -> String {
    if name.is_empty() {
        return MARK.to_string();
    }
    let dots = matches!(name, "." | "..");
    let mut spelt = String::with_capacity(name.len());
    for (at, c) in name.char_indices() {
        let coded = NEVER.contains(&c)
            || dots
            // Files of params are called so.
            || c == ':' && at == 0
            || c == MARK && (name.len() == 1 || code(&name[at..]).is_some());
        if coded { spelt += &format!("{MARK}{:02X}", c as u32) } else { spelt.push(c) }
    }
    spelt
}

/// The name of a file for an item with this name in a nested dict: files named 0, 1, … are a list.
///
/// ```
/// use dudley::numpy::names::{is_in_dict, to_dict_file};
///
/// assert_eq!(to_dict_file("0"), "%30");
/// assert!(is_in_dict("%30") && !is_in_dict("0"));
/// ```
pub fn to_dict_file(name: &str) -> String {
    match name {
        FIRST => format!("{MARK}{:02X}", b'0'),
        name => to_file(name),
    }
}

/// Whether the name of a file stands for an item of a [dict](to_dict_file) whose name consists of
/// digits.
///
/// ```
/// use dudley::numpy::names::is_in_dict;
///
/// assert!(is_in_dict("%30") && !is_in_dict("0") && !is_in_dict("rho"));
/// ```
pub fn is_in_dict(file: &str) -> bool {
    file != FIRST && of_file(file) == FIRST
}

/// The name of a param among items and params: a colon, its name, and the number of its declarations with that
/// name it is, as its path says.
///
/// ```
/// use dudley::numpy::names::{of_param, to_param_file};
///
/// assert_eq!(of_param("/run/:N"), ":N");
/// assert_eq!(to_param_file("/run/:N"), ":N");
/// ```
pub fn of_param(path: &str) -> String {
    match parse(path).ok().and_then(|mut parts| parts.pop()) {
        Some(Part::Param(name, 0)) => format!(":{name}"),
        Some(Part::Param(name, ordinal)) => format!(":{name}#{}", ordinal.saturating_add(1)),
        _ => split(path).1.to_owned(),
    }
}

/// The name before `#2`, which says that a param is the second of that name, and the number.
///
/// ```
/// use dudley::numpy::names::second;
///
/// assert_eq!(second("N#2"), Some(("N", 2)));
/// assert_eq!(second("N"), None);
/// ```
pub fn second(name: &str) -> Option<(&str, usize)> {
    let (name, at) = name.rsplit_once('#')?;
    let number =
        at.parse().ok().filter(|number: &usize| *number > 1 && number.to_string() == at)?;
    Some((name, number))
}

/// The name of the file of a param.
///
/// ```
/// assert_eq!(dudley::numpy::names::to_param_file("/run/:\"a/b\""), ":a%2Fb");
/// ```
pub fn to_param_file(path: &str) -> String {
    let name = of_param(path);
    format!(":{}", to_file(name.strip_prefix(':').unwrap_or(&name)))
}

/// The name that was [encoded](to_file) as the name of a file; other names stay.
///
/// ```
/// use dudley::numpy::names::of_file;
///
/// assert_eq!((of_file("a%2Fb"), of_file("rho")), ("a/b".to_owned(), "rho".to_owned()));
/// ```
pub fn of_file(name: &str) -> String {
    if name == MARK.to_string() {
        return String::new();
    }
    let mut read = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        let (c, len) = code(rest).map_or((c, c.len_utf8()), |c| (c, 3));
        read.push(c);
        rest = &rest[len..];
    }
    read
}

/// The character whose code stands at the beginning, if it is one that is ever written so.
fn code(text: &str) -> Option<char> {
    let digits = text.strip_prefix(MARK)?.get(..2)?;
    let of = |c: &char| format!("{:02X}", *c as u32) == digits;
    NEVER.into_iter().chain(['.', ':', MARK, '0']).find(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn params_have_their_names() {
        for (path, name, file) in [
            ("/:N", ":N", ":N"),
            ("/d/:N#2", ":N#2", ":N#2"),
            ("/:\"n x\"", ":n x", ":n x"),
            ("/:\"a/b\"", ":a/b", ":a%2Fb"),
            ("/l/0/:\":c\"", "::c", ":%3Ac"),
            ("/:\"q\\\"\"#2", ":q\"#2", ":q\"#2"),
        ] {
            assert_eq!(of_param(path), name);
            assert_eq!(to_param_file(path), file);
        }
    }

    #[test]
    fn names_come_back() {
        for (name, file) in [
            ("rho", "rho"),
            ("", "%"),
            ("%", "%25"),
            ("50%", "50%"),
            ("we/ird", "we%2Fird"),
            ("a%2Fb", "a%252Fb"),
            ("%252F", "%25252F"),
            ("..", "%2E%2E"),
            ("a..b", "a..b"),
            (":N", "%3AN"),
            ("a:N", "a:N"),
            ("ö\\\0é", "ö%5C%00é"),
        ] {
            assert_eq!(to_file(name), file);
            assert_eq!(of_file(file), name);
        }
        assert_eq!(of_file("100%ZZ %2"), "100%ZZ %2");
        assert_eq!((to_dict_file("0"), of_file("%30")), ("%30".into(), "0".into()));
        assert!(is_in_dict("%30") && !is_in_dict("0") && !is_in_dict("%2530"));
        assert_eq!(
            (to_file("%30"), to_file("0"), to_dict_file("10")),
            ("%2530".into(), "0".into(), "10".into())
        );
    }
}
