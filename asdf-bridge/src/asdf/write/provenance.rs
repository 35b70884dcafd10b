//! Who writes a file, and what was done to it, as the tree has it.

use super::super::error::{Error, Result};
use super::super::history::{Extension, HistoryEntry, Software};
use super::super::top::{OWN_KEYS, data_key, is_own};
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

/// What is said of who writes a file.
#[derive(Clone, Debug)]
pub(super) struct Provenance {
    /// The library; what the tree says stays if there is none.
    pub(super) library: Option<Software>,
    /// What was done.
    pub(super) entries: Vec<HistoryEntry>,
    /// What the file is written with, besides the tags of the standard.
    pub(super) extensions: Vec<Extension>,
}

/// That data stand under none of [`OWN_KEYS`].
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

/// The tags of the standard, as every file since version 1.2 names them.
fn core(standard: Standard, library: &Software) -> Extension {
    Extension {
        class: Some(library.name.clone()),
        uri: Some(format!("asdf://asdf-format.org/core/extensions/core-{}", standard.name())),
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
    let text = |key: &str| match node.get(key).map(|value| &value.content) {
        Some(Content::Text(text) | Content::Plain(text)) => Some(&**text),
        _ => None,
    };
    match &extension.uri {
        Some(uri) => text("extension_uri") == Some(uri.as_str()),
        None => text("extension_class") == extension.class.as_deref(),
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
