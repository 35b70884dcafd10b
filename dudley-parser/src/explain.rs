//! What each diagnostic means: the rule behind its code, with a wrong and a right example.
//!
//! The pages are in the files below this one. Tests hold that every code which the sources report
//! has a page, that the wrong example yields the code, and that the right one yields nothing.

mod extensions;
mod lints;
mod meaning;
mod numbers;
mod summary;
mod syntax;

use std::fmt;

/// The page of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The code, such as `unknown-type`.
    pub code: &'static str,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// The section of the language page that says the rule.
    pub section: &'static str,
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
        Page { code, title, section, rule, wrong, right }
    }

    /// Whether the wrong example is an outline, because a real one is too large or no text.
    pub fn is_sketch(&self) -> bool {
        SKETCHES.contains(&self.code)
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}\n", self.code, self.title)?;
        writeln!(f, "{}\n\nSee section {} of the language.\n", self.rule, self.section)?;
        writeln!(f, "Wrong:\n")?;
        indented(f, self.wrong)?;
        writeln!(f, "\nRight:\n")?;
        indented(f, self.right)
    }
}

fn indented(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    text.lines().try_for_each(|line| writeln!(f, "    {line}"))
}

/// All pages, sorted by code.
pub fn pages() -> Vec<&'static Page> {
    let tables: [&[Page]; 6] = [
        syntax::PAGES,
        meaning::PAGES,
        numbers::PAGES,
        summary::PAGES,
        extensions::PAGES,
        lints::PAGES,
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
