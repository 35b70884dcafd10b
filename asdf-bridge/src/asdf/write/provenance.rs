//! Who writes a file, and what was done to it, as the tree has it.

use super::super::history::{HistoryEntry, Software};
use super::standard::Standard;
use super::yaml::{Content, Yaml};

/// This library.
pub(super) fn this() -> Software {
    Software {
        name: "dudley".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        author: None,
        homepage: None,
    }
}

/// Puts the library first, and the history second, as Python's `asdf` does.
pub(super) fn put(
    tree: &mut Yaml<'_>,
    standard: Standard,
    library: Option<&Software>,
    history: &[HistoryEntry],
) {
    if !history.is_empty() {
        append(tree, standard, history);
    }
    if let Some(history) = tree.remove("history") {
        tree.set_first("history", history);
    }
    let library = library.map(software).or_else(|| tree.remove("asdf_library"));
    if let Some(library) = library {
        tree.remove("asdf_library");
        tree.set_first("asdf_library", library);
    }
}

/// Adds entries to those of the tree. Until version 1.1 of the standard the history is a list of them.
fn append(tree: &mut Yaml<'_>, standard: Standard, history: &[HistoryEntry]) {
    let mut all = tree.remove("history").unwrap_or_else(Yaml::null).unshared();
    let new = history.iter().map(entry);
    if standard <= Standard::V1_1 || matches!(all.content, Content::Sequence(_)) {
        extend(&mut all, new);
    } else {
        let mut entries = all.remove("entries").unwrap_or_else(Yaml::null).unshared();
        extend(&mut entries, new);
        all.set("entries", entries);
    }
    tree.set("history", all);
}

fn extend<'a>(list: &mut Yaml<'a>, new: impl Iterator<Item = Yaml<'a>>) {
    match &mut list.content {
        Content::Sequence(items) => items.extend(new),
        _ => *list = Yaml::sequence(new),
    }
}

fn entry<'a>(of: &HistoryEntry) -> Yaml<'a> {
    let mut entry = Yaml::mapping([("description", of.description.as_str())]);
    if let Some(time) = &of.time {
        entry.set("time", Yaml::literal(time));
    }
    match of.software.as_slice() {
        [] => {}
        [one] => entry.set("software", software(one)),
        many => entry.set("software", Yaml::sequence(many.iter().map(software))),
    }
    entry.tagged("!core/history_entry-1.0.0")
}

fn software(of: &Software) -> Yaml<'static> {
    let mut software = Yaml::mapping::<&str, Yaml<'_>>([]);
    for (key, value) in [("author", &of.author), ("homepage", &of.homepage)] {
        if let Some(value) = value {
            software.set(key, value.as_str());
        }
    }
    software.set("name", of.name.as_str());
    software.set("version", Yaml::from(of.version.as_str()));
    software.tagged("!core/software-1.0.0").flow()
}
