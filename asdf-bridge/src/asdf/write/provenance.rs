//! Who writes a file, and what was done to it, as the tree has it.

use super::super::error::{Error, Result};
use super::super::history::{Extension, HistoryEntry, Software};
use super::super::top_keys::{OWN_KEYS, data_key, is_own};
use super::super::tree::Style;
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

/// What is said of the code that writes a file.
#[derive(Clone, Debug)]
pub(super) struct Provenance {
    /// The library; what the tree says stays if there is none.
    pub(super) library: Option<Software>,
    /// What was done.
    pub(super) entries: Vec<HistoryEntry>,
    /// What the file is written with, besides the tags of the standard.
    pub(super) extensions: Vec<Extension>,
}

/// Checks that data stand under none of [`OWN_KEYS`].
///
/// # Errors
/// [`Error::Unwritable`].
fn check(tree: &Yaml<'_>) -> Result<()> {
    let data = |key: &&&str| {
        let value = tree.get(key);
        value.is_some_and(|value| !value.is_null() && !is_own(key, value))
    };
    match OWN_KEYS.iter().find(data) {
        None => Ok(()),
        Some(key) => Err(Error::Unwritable {
            what: format!("/{key}").into(),
            expected: format!(
                "what the standard has under this key: data need another one, such as `{}`",
                data_key(key)
            )
            .into(),
            found: "data".into(),
        }),
    }
}

/// Puts the library first, and the history second, as Python's `asdf` does.
///
/// # Errors
/// [`Error::Unwritable`] if there are data where they would stand.
pub(super) fn put(tree: &mut Yaml<'_>, standard: Standard, of: &Provenance) -> Result<()> {
    check(tree)?;
    let Provenance { library, entries, extensions } = of;
    fit(tree, standard);
    if !entries.is_empty() {
        append(tree, standard, entries);
    }
    // Until version 1.1 of the standard there was no place for them.
    if standard > Standard::V1_1 {
        let own = library.iter().map(|library| core(standard, library));
        own.chain(extensions.iter().cloned()).for_each(|extension| extend_by(tree, &extension));
    }
    if let Some(history) = tree.remove("history") {
        tree.set_first("history", history);
    }
    let library = library.as_ref().map(software).or_else(|| tree.remove("asdf_library"));
    if let Some(library) = library {
        tree.remove("asdf_library");
        tree.set_first("asdf_library", library);
    }
    Ok(())
}

/// Takes the tags of other versions of the standard out of the extensions that the tree names. Until version 1.1 those
/// had no tag, and a history that has none is a list of entries. What is right stays as it is.
fn fit(tree: &mut Yaml<'_>, standard: Standard) {
    let old = standard <= Standard::V1_1;
    let own = core_uri(standard);
    let is_other = |item: &Yaml<'_>| {
        let uri = text(item, "extension_uri");
        uri.is_some_and(|uri| uri.starts_with(CORE) && (old || uri != own))
    };
    let Some(list) = tree.get("history").and_then(|history| history.get("extensions")) else {
        return;
    };
    let mut list = list.clone().unshared();
    let Content::Sequence(items) = &mut list.content else { return };
    if !old && !items.iter().any(is_other) {
        return;
    }
    items.retain(|item| !is_other(item));
    if old {
        for item in &mut *items {
            *item = Yaml { tag: None, ..item.clone().unshared() };
        }
    }
    let is_empty = items.is_empty();
    let mut all = tree.remove("history").unwrap_or_else(Yaml::null).unshared();
    if !is_empty {
        all.set("extensions", list);
    } else if old {
        all = all.remove("entries").unwrap_or_else(Yaml::null);
    } else {
        all.remove("extensions");
    }
    if !all.is_null() && !matches!(&all.content, Content::Mapping(entries) if entries.is_empty()) {
        tree.set("history", all);
    }
}

/// Adds entries to those of the tree. Until version 1.1 of the standard the history is a list of them.
fn append(tree: &mut Yaml<'_>, standard: Standard, history: &[HistoryEntry]) {
    let mut all = tree.remove("history").unwrap_or_else(Yaml::null).unshared();
    let new = history.iter().map(entry);
    let is_list = match all.content {
        Content::Sequence(_) => true,
        Content::Mapping(_) => false,
        _ => standard <= Standard::V1_1,
    };
    if is_list {
        extend(&mut all, new);
    } else {
        let mut entries = all.remove("entries").unwrap_or_else(Yaml::null).unshared();
        extend(&mut entries, new);
        all.set("entries", entries);
    }
    tree.set("history", all);
}

/// What the names of the tags of all versions of the standard begin with.
const CORE: &str = "asdf://asdf-format.org/core/extensions/core-";

fn core_uri(standard: Standard) -> String {
    format!("{CORE}{}", standard.name())
}

/// The tags of the standard, as every file since version 1.2 names them.
fn core(standard: Standard, library: &Software) -> Extension {
    Extension {
        class: Some(library.name.clone()),
        uri: Some(core_uri(standard)),
        software: Some(library.clone()),
    }
}

/// Adds an extension to those that the tree names. What is said there of the same one stays.
fn extend_by(tree: &mut Yaml<'_>, extension: &Extension) {
    let mut all = tree.remove("history").unwrap_or_else(Yaml::null).unshared();
    if let Content::Sequence(_) = all.content {
        // Entries as they were in older versions, where this is the list of them.
        all = Yaml::mapping([("entries", all)]);
    }
    let mut list = all.remove("extensions").unwrap_or_else(Yaml::null).unshared();
    let known = match &list.content {
        Content::Sequence(items) => items.iter().any(|item| is_extension(item, extension)),
        _ => false,
    };
    if !known {
        extend(&mut list, std::iter::once(node(extension)));
    }
    if !matches!(all.content, Content::Mapping(_)) {
        all = Yaml::mapping::<&str, Yaml<'_>>([]);
    }
    all.set_first("extensions", list);
    tree.set("history", all);
}

/// Whether a node of the list is about an extension.
fn is_extension(node: &Yaml<'_>, extension: &Extension) -> bool {
    match &extension.uri {
        Some(uri) => text(node, "extension_uri") == Some(uri.as_str()),
        None => text(node, "extension_class") == extension.class.as_deref(),
    }
}

/// The text of an entry.
fn text<'y>(node: &'y Yaml<'_>, key: &str) -> Option<&'y str> {
    match &node.get(key)?.content {
        Content::Text(text) | Content::Plain(text) => Some(text),
        _ => None,
    }
}

fn node<'a>(of: &Extension) -> Yaml<'a> {
    let mut node = Yaml::mapping::<&str, Yaml<'_>>([]);
    // The schema wants a class, which is one of Python; to others it is a name.
    let class = of.class.as_ref().or(of.uri.as_ref());
    node.set("extension_class", class.map_or("", String::as_str));
    if let Some(uri) = &of.uri {
        node.set("extension_uri", uri.as_str());
    }
    if let Some(by) = &of.software {
        node.set("software", software(&Software { author: None, homepage: None, ..by.clone() }));
    }
    node.tagged("!core/extension_metadata-1.0.0").styled(Style::Block)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asdf::{AsdfFile, Builder, Open};

    fn written(builder: &Builder<'_>) -> AsdfFile {
        Open::new().bytes(builder.to_bytes().expect("a tree")).expect("a file")
    }

    fn uris(file: &AsdfFile) -> Vec<String> {
        file.history().extensions.into_iter().filter_map(|extension| extension.uri).collect()
    }

    #[test]
    fn the_tags_are_those_of_the_version_that_is_written() {
        let mine = Extension { uri: Some("asdf://mine.org/1.0".into()), ..Extension::default() };
        let step = HistoryEntry { description: "a step".into(), ..HistoryEntry::default() };
        let again = HistoryEntry { description: "another".into(), ..HistoryEntry::default() };
        for (extensions, entries) in [(1, 1), (1, 0), (0, 1), (0, 0)] {
            for (old, new) in
                Standard::ALL.into_iter().flat_map(|it| Standard::ALL.map(|new| (it, new)))
            {
                let mut builder = Builder::new().standard(old);
                for _ in 0..extensions {
                    builder = builder.extension(mine.clone());
                }
                for _ in 0..entries {
                    builder = builder.history(step.clone());
                }
                let file = written(&builder);
                let tree = file.root().and_then(|root| root.to_yaml()).expect("a tree");
                let copy = written(&Builder::from_tree(tree.clone()).standard(new));
                let stays = extensions == 1 && old > Standard::V1_1;
                let mut expected = vec!["asdf://mine.org/1.0".to_owned(); usize::from(stays)];
                if new > Standard::V1_1 {
                    expected.push(core_uri(new));
                }
                let mut found = uris(&copy);
                found.sort_by_key(|uri| uri.starts_with(CORE));
                assert_eq!(found, expected, "{old:?} {new:?}");
                assert_eq!(copy.history().entries.len(), entries);
                // No tag that the version does not have.
                let text = String::from_utf8_lossy(copy.source().bytes().expect("memory"));
                assert_eq!(text.contains("extension_metadata"), new > Standard::V1_1, "{text}");
                let more = Builder::from_tree(tree).standard(new).history(again.clone());
                assert_eq!(written(&more).history().entries.len(), entries + 1, "{old:?} {new:?}");
                assert_eq!(uris(&written(&more)).len(), expected.len());
            }
        }
    }
}
