//! Every code has a page, and the examples on the pages are true.

use dudley_parser::ast::FilterValue;
use dudley_parser::check::{FilterFault, check_filters};
use dudley_parser::compare::compare;
use dudley_parser::explain::{Page, explain, pages};
use dudley_parser::lint::lint;
use dudley_parser::{Diagnostic, Severity, check, check_raw};
use std::collections::BTreeSet;
use std::path::Path;

fn found(text: &[u8], code: &str) -> Vec<Diagnostic> {
    let checked = if code.starts_with("raw-") { check_raw(text) } else { check(text) };
    let mut found = checked.diagnostics;
    if let Some(layout) = &checked.layout {
        found.extend(lint(layout));
        // What a program might say of filters.
        found.extend(check_filters(layout, |name, args, _| match (name, args) {
            ("zlib", [FilterValue::Int(10..)]) => Some(FilterFault::Arguments(String::new())),
            _ => None,
        }));
    }
    found
}

/// The codes of what changes from the layout before to an example.
fn changed(old: &str, new: &str) -> Vec<&'static str> {
    let layout = |text: &str| check(text.as_bytes()).layout.expect("no error");
    compare(&layout(old), &layout(new), 16).iter().map(|change| change.code).collect()
}

/// What the outlines stand for.
fn wrong(page: &Page) -> Option<Vec<u8>> {
    match page.code {
        "bad-utf8" => Some(b"x = f8  ## temp\xe9rature".to_vec()),
        "nesting" => Some(format!("l {}f8{}", "[".repeat(257), "]".repeat(257)).into_bytes()),
        "too-long" | "too-complex" => None,
        _ => Some(page.wrong.as_bytes().to_vec()),
    }
}

#[test]
fn wrong_examples_are_wrong() {
    for page in pages() {
        let Some(text) = wrong(page) else { continue };
        let codes: Vec<_> = match page.old {
            Some(old) => changed(old, page.wrong),
            None => found(&text, page.code).iter().map(|diagnostic| diagnostic.code).collect(),
        };
        assert!(codes.contains(&page.code), "{}: {codes:?}", page.code);
    }
}

#[test]
fn right_examples_are_right() {
    for page in pages() {
        if let Some(old) = page.old {
            assert!(!changed(old, page.right).contains(&page.code), "{}", page.code);
        }
        let found = found(page.right.as_bytes(), page.code);
        let bad = found.iter().find(|d| d.severity > Severity::Note || d.code == page.code);
        assert!(bad.is_none(), "{}: {bad:?}", page.code);
    }
}

#[test]
fn codes_are_unique_and_found() {
    let pages = pages();
    assert!(pages.windows(2).all(|pair| pair[0].code < pair[1].code));
    assert!(pages.iter().all(|page| explain(page.code) == Some(*page)));
    assert!(explain("no-such-code").is_none());
}

#[test]
fn pages_fit_a_terminal() {
    for page in pages() {
        let text = page.to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
        assert!((1..=6).contains(&page.rule.lines().count()), "{}", page.code);
    }
}

/// Every string that looks like a code in the sources that report.
#[test]
fn every_code_has_a_page() {
    let mut codes = BTreeSet::new();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    collect(&sources, &mut codes);
    assert!(codes.len() > 60, "{codes:?}");
    let missing: Vec<_> = codes.iter().filter(|code| explain(code).is_none()).collect();
    assert!(missing.is_empty(), "without a page: {missing:?}");
    let pages = pages();
    let unused: Vec<_> = pages.iter().filter(|page| !codes.contains(page.code)).collect();
    assert!(unused.is_empty(), "never reported: {unused:?}");
}

fn collect(folder: &Path, codes: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("source folder") {
        let path = entry.expect("entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        match name {
            "explain" | "explain.rs" | "grammar.rs" | "render.rs" => {}
            _ if path.is_dir() => collect(&path, codes),
            _ if name.ends_with(".rs") => {
                let text = std::fs::read_to_string(&path).expect("source");
                let text = text.split("#[cfg(test)]").next().unwrap_or_default();
                codes.extend(codes_in(text));
            }
            _ => {}
        }
    }
}

/// A code is the first argument of a diagnostic, or a quoted word with a dash behind which nothing
/// but code follows; words without a dash count where a diagnostic is made.
fn codes_in(text: &str) -> BTreeSet<String> {
    const SINGLE: [&str; 4] = ["syntax", "unclosed", "nesting", "overlap"];
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let quoted = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
    let word = |text: &str| {
        let parts: Vec<&str> = text.split('-').collect();
        let letters = |part: &&str| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        parts.iter().all(letters) && parts.len() > 1 && parts[0].len() > 1
    };
    quoted.filter(|text| word(text) || SINGLE.contains(text)).map(str::to_owned).collect()
}
