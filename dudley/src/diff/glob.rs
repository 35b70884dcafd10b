//! Patterns of paths: `*time*`, `/hist[*]/t`, `/mesh/r?`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A pattern of paths.
///
/// `*` matches any characters, including `/`; `?` matches one. `[*]` matches any index of a list,
/// and `[3]` this index. A pattern without `/` matches names at any depth; other patterns match
/// whole paths.
#[derive(Clone, Debug)]
pub struct Glob {
    parts: Vec<Part>,
    /// It names an index of a list.
    index: bool,
    /// It, or a clone, was the pattern of a path.
    matched: Arc<AtomicBool>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Char(char),
    /// One character.
    One,
    /// Any characters.
    Any,
    /// An index of a list: digits behind a slash, or `[:]`.
    Index,
    /// The start of a path, or of a name in it.
    Name,
}

impl Glob {
    /// The pattern that a text writes.
    ///
    /// ```
    /// use dudley::diff::Glob;
    ///
    /// assert!(Glob::new("/hist[*]/t").matches("/hist/12/t"));
    /// assert!(Glob::new("/hist[*]/t").matches("/hist[:]/t"));
    /// assert!(Glob::new("*time*").matches("/run/start_time"));
    /// assert!(Glob::new("t").matches("/run/t") && !Glob::new("t").matches("/run/rate"));
    /// ```
    pub fn new(text: &str) -> Glob {
        let mut parts = Vec::new();
        if !text.contains('/') {
            parts.push(Part::Name);
        }
        let mut rest = text;
        let mut index = false;
        while let Some(c) = rest.chars().next() {
            if let Some(behind) = rest.strip_prefix("[*]") {
                parts.push(Part::Index);
                rest = behind;
                continue;
            }
            let inner = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            if let Some((digits, behind)) = inner
                && !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit())
            {
                parts.push(Part::Char('/'));
                parts.extend(digits.chars().map(Part::Char));
                (index, rest) = (true, behind);
                continue;
            }
            index |= c.is_ascii_digit() && parts.last() == Some(&Part::Char('/'));
            parts.push(match c {
                '*' => Part::Any,
                '?' => Part::One,
                c => Part::Char(c),
            });
            rest = &rest[c.len_utf8()..];
        }
        Glob { parts, index, matched: Arc::default() }
    }

    /// Whether it may name one item of a list, and not another.
    pub(super) fn names_index(&self) -> bool {
        self.index
    }

    /// Whether it is a pattern of a path.
    pub fn matches(&self, path: &str) -> bool {
        let text: Vec<char> = path.chars().collect();
        // The places in the text that the parts so far can have come to.
        let mut here = vec![false; text.len() + 1];
        here[0] = true;
        for part in &self.parts {
            here = step(*part, &text, &here);
        }
        if here[text.len()] {
            self.matched.store(true, Ordering::Relaxed);
        }
        here[text.len()]
    }

    /// Whether it, or a clone of it, has matched any path: otherwise it may be misspelt.
    ///
    /// ```
    /// use dudley::diff::Glob;
    ///
    /// let glob = Glob::new("rh?");
    /// let clone = glob.clone();
    /// assert!(!glob.has_matched());
    /// assert!(clone.matches("/rho") && glob.has_matched());
    /// ```
    pub fn has_matched(&self) -> bool {
        self.matched.load(Ordering::Relaxed)
    }
}

/// Where one part more can come to.
fn step(part: Part, text: &[char], here: &[bool]) -> Vec<bool> {
    let mut next = vec![false; here.len()];
    for at in (0..here.len()).filter(|at| here[*at]) {
        match part {
            Part::Char(c) if text.get(at) == Some(&c) => next[at + 1] = true,
            Part::One if at < text.len() => next[at + 1] = true,
            Part::Any => {
                next[at..].fill(true);
                return next;
            }
            Part::Index if text[at..].starts_with(&['[', ':', ']']) => next[at + 3] = true,
            Part::Index if text.get(at) == Some(&'/') => {
                let digits = text[at + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
                if digits > 0 {
                    next[at + 1 + digits] = true;
                }
            }
            Part::Name => {
                let slashes = text.iter().enumerate().filter(|(_, c)| matches!(c, '/' | '.'));
                for (at, _) in slashes {
                    next[at + 1] = true;
                    // The name of a param has a colon in front, which may be said or not.
                    if text.get(at + 1) == Some(&':') {
                        next[at + 2] = true;
                    }
                }
                return next;
            }
            _ => {}
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_what_they_say() {
        for (pattern, path, matches) in [
            ("/x", "/x", true),
            ("/x", "/a/x", false),
            ("x", "/a/x", true),
            ("N", "/a/:N", true),
            (":N", "/a/:N", true),
            (":N", "/a/N", false),
            ("x", "/a/x/y", false),
            ("lon", "/pos.lon", true),
            ("*", "/a/b/c", true),
            ("*time*", "/a/time_of", true),
            ("time*", "/a/time_of", true),
            ("time*", "/a/the_time", false),
            ("/a/*", "/a/b/c", true),
            ("/a/*/c", "/a/c", false),
            ("/h[*]/t", "/h/0/t", true),
            ("/h[*]/t", "/h/t", false),
            ("/h[*]/t", "/h/x/t", false),
            ("/h[3]/t", "/h/3/t", true),
            ("/h[3]/t", "/h/33/t", false),
            ("/h[*][*]", "/h/1[:]", true),
            ("/r??", "/rho", true),
            ("/r?", "/rho", false),
            ("/\"a b\"", "/\"a b\"", true),
            ("/é*", "/él", true),
            ("", "", false),
            ("***a***", "/bab", true),
        ] {
            assert_eq!(Glob::new(pattern).matches(path), matches, "{pattern} {path}");
        }
        assert!(Glob::new("/h[3]").names_index() && Glob::new("/h/3/x").names_index());
        assert!(!Glob::new("/h[*]/x3").names_index());
    }

    #[test]
    fn many_stars_take_no_time_worth_naming() {
        let pattern = "*a".repeat(200) + "b";
        assert!(!Glob::new(&pattern).matches(&"a".repeat(2000)));
    }
}
