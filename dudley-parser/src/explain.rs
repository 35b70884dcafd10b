//! The meaning of each diagnostic: the rule behind its code, with a wrong and a right example.
//!
//! The pages are in the files below this one. Tests hold that every code which the sources report
//! has a page, that the wrong example yields the code, and that the right one yields nothing.

mod changes;
mod extensions;
mod lints;
mod meaning;
mod numbers;
mod summary;
mod syntax;

use std::fmt;

/// The page of a code.
///
/// ```
/// let page = dudley_parser::explain::explain("unknown-type").unwrap();
/// assert!(dudley_parser::check(page.wrong.as_bytes()).layout.is_none());
/// assert!(dudley_parser::check(page.right.as_bytes()).layout.is_some());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The code, such as `unknown-type`.
    pub code: &'static str,
    /// The fault, in a few words.
    pub title: &'static str,
    /// The section of the language page that says the rule; of a change of a layout, the levels that
    /// it breaks.
    pub section: &'static str,
    /// For a change of a layout: the layout before it. The examples are layouts after it.
    pub old: Option<&'static str>,
    /// The rule.
    pub rule: &'static str,
    /// A layout that yields the code. Where [`Page::is_sketch`], an outline of one.
    pub wrong: &'static str,
    /// A layout that does not.
    pub right: &'static str,
}

/// The codes whose wrong example is too large, or no text: it is an outline.
const SKETCHES: [&str; 4] = ["bad-utf8", "nesting", "too-complex", "too-long"];

impl Page {
    const fn new(
        code: &'static str,
        title: &'static str,
        section: &'static str,
        [rule, wrong, right]: [&'static str; 3],
    ) -> Page {
        Page { code, title, section, old: None, rule, wrong, right }
    }

    const fn change(
        code: &'static str,
        title: &'static str,
        levels: &'static str,
        [rule, old, wrong, right]: [&'static str; 4],
    ) -> Page {
        Page { code, title, section: levels, old: Some(old), rule, wrong, right }
    }

    /// Whether the wrong example is an outline, because a real one is too large or no text.
    ///
    /// ```
    /// assert!(!dudley_parser::explain::explain("unknown-type").unwrap().is_sketch());
    /// ```
    pub fn is_sketch(&self) -> bool {
        SKETCHES.contains(&self.code)
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}\n", self.code, self.title)?;
        let Some(old) = self.old else {
            writeln!(f, "{}\n\nSee section {} of the language.\n", self.rule, self.section)?;
            writeln!(f, "Wrong:\n")?;
            indented(f, self.wrong)?;
            writeln!(f, "\nRight:\n")?;
            return indented(f, self.right);
        };
        writeln!(f, "{}\n\nBreaks: {}. See docs/evolution.md.\n", self.rule, self.section)?;
        writeln!(f, "Before:\n")?;
        indented(f, old)?;
        writeln!(f, "\nReported:\n")?;
        indented(f, self.wrong)?;
        writeln!(f, "\nNot reported:\n")?;
        indented(f, self.right)
    }
}

fn indented(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    text.lines().try_for_each(|line| writeln!(f, "    {line}"))
}

/// All pages, sorted by code.
///
/// ```
/// let pages = dudley_parser::explain::pages();
/// assert!(pages.is_sorted_by_key(|page| page.code));
/// ```
pub fn pages() -> Vec<&'static Page> {
    let tables: [&[Page]; 7] = [
        syntax::PAGES,
        meaning::PAGES,
        numbers::PAGES,
        summary::PAGES,
        extensions::PAGES,
        lints::PAGES,
        changes::PAGES,
    ];
    let mut pages: Vec<&Page> = tables.into_iter().flatten().collect();
    pages.sort_by_key(|page| page.code);
    pages
}

/// The page of a code.
///
/// ```
/// let page = dudley_parser::explain::explain("empty-shape").expect("it has a page");
/// assert_eq!(page.section, "4.3");
/// ```
pub fn explain(code: &str) -> Option<&'static Page> {
    pages().into_iter().find(|page| page.code == code)
}
