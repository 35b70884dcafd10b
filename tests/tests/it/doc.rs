//! Is what `dudc doc` makes right? Pages in a browser, their arithmetic beside the resolver's, the
//! programs in them run, the sample in `docs/` fresh.

mod browser;
mod command;
mod evaluate;
mod files;
mod programs;
mod sample;

use std::path::{Path, PathBuf};
use std::process::Command;

use dudley_doc::{File, Source};
use dudley_parser::Layout;

/// Names and documentation that would be markup, scripts or marks of direction.
const HOSTILE: &str = include_str!("doc/hostile.dud");

fn checked(text: &str) -> Layout {
    let checked = dudley_parser::check(text.as_bytes());
    checked.layout.unwrap_or_else(|| panic!("{:?}", checked.diagnostics))
}

fn write(folder: &Path, files: &[File]) {
    std::fs::create_dir_all(folder).expect("a folder");
    for file in files {
        std::fs::write(folder.join(&file.name), &file.text).expect("space");
    }
}

/// A program by one of its names, if it is there.
fn program(names: &[&str]) -> Option<String> {
    let runs = |name: &&&str| {
        Command::new(name).arg("--version").output().is_ok_and(|it| it.status.success())
    };
    names.iter().find(runs).map(|name| (*name).to_owned())
}

/// Says why something cannot be tried here. Browsers and compilers are no part of what CI must have.
fn skip(why: &str) {
    eprintln!("skipped: {why}");
}

fn scripts() -> PathBuf {
    dudley_tests::root().join("tests/browser")
}

#[test]
fn stored_params_of_records_are_arrays() {
    let text = "N : 2\n\"\" = {N : u4  ## steps\n  K : 3  t = f8[K]}[N]\nN : u2\nx = i1[N]\n";
    let layout = checked(text);
    let source = Source::new("a.dud", &layout);
    let data: serde_json::Value = serde_json::from_str(&dudley_doc::data(&source)).expect("JSON");
    let rows = data["rows"].as_array().expect("a list").iter();
    let rows: Vec<_> = rows.map(|row| (row["k"].as_str(), row["p"].as_str())).collect();
    let expected =
        [("d", "/"), ("p", "/:N"), ("a", "/N"), ("a", "/t"), ("p", "/:N#2"), ("a", "/x")];
    assert_eq!(rows, expected.map(|(kind, path)| (Some(kind), Some(path))));
    let page = &dudley_doc::site(&[source])[0].text;
    let mut ids: Vec<&str> =
        page.split(" id=\"").skip(1).filter_map(|it| it.split('"').next()).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|two| two[0] != two[1]), "{ids:?}");
}

#[test]
fn names_of_values_are_a_table() {
    let layout = checked(
        "phase = u1  #: names = [\"<solid>\", \"gas\"], values = [1, 7], other = 3\nx = u1 #: names = [\"a\"], values = [1, 1]",
    );
    let page = &dudley_doc::site(&[Source::new("a.dud", &layout)])[0].text;
    let table = "<table class=\"names\"><tbody><tr><td class=\"num\">1<td><bdi>&lt;solid&gt;</bdi></tr>\
                 <tr><td class=\"num\">7<td><bdi>gas</bdi></tr></tbody></table>";
    assert!(page.contains(table), "{page}");
    assert!(page.contains("<b>other</b>") && page.matches("<b>names</b>").count() == 1, "{page}");
}

#[test]
fn markup_in_a_layout_stays_text() {
    let layout = checked(HOSTILE);
    let source = Source::new("<i>.dud", &layout);
    let pages = dudley_doc::site(std::slice::from_ref(&source));
    for text in [&pages[0].text, &dudley_doc::map(&source, true)] {
        for wrong in ["<script>alert", "<img", "<b>B", "</title><script", "<i>.dud", "\u{202e}"] {
            assert!(!text.contains(wrong), "{wrong} in\n{text}");
        }
    }
    let text = dudley_doc::markdown(&[source]);
    // The text of the layout itself stands there as code.
    let table = text.split("## Source").next().unwrap_or_default();
    assert!(!table.contains("<script>") && !table.contains("<img") && !text.contains('\u{202e}'));
    assert!(
        table
            .lines()
            .filter(|line| line.starts_with("| `") || line.starts_with("| <code>"))
            .count()
            > 8
    );
}

#[test]
fn large_layouts_have_pages_that_are_not() {
    use std::fmt::Write;
    let mut text = String::from("N : i8\n");
    for group in 0..40 {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "g{group}/");
        for item in 0..250 {
            let _ = writeln!(text, "  v{item} = f4[N]  ## item {item}");
        }
        text += "/\n";
    }
    let layout = checked(&text);
    let pages = dudley_doc::site(&[Source::new("large.dud", &layout)]);
    let names: Vec<&str> = pages.iter().map(|page| page.name.as_str()).collect();
    assert!(names.starts_with(&["index.html", "index-root.html"]), "{names:?}");
    assert!(names.contains(&"index-g39.html") && names.contains(&"index-source.html"));
    assert!(names.ends_with(&["index.js", "pages.css", "pages.js"]), "{names:?}");
    let rows = |page: &&File| page.name.starts_with("index-g");
    for page in pages.iter().filter(rows) {
        assert!(page.text.len() < 300_000, "{}: {}", page.name, page.text.len());
    }
}
