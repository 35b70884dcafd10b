//! Who wrote a file, with what, and what was done to it.

use super::file::AsdfFile;
use super::tree::{Node, NodeKind};

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Software {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Who made it.
    pub author: Option<String>,
    /// Where it is at home.
    pub homepage: Option<String>,
}

/// The history of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryEntry {
    /// What.
    pub description: String,
    /// When, as it is written.
    pub time: Option<String>,
    /// By which programs.
    pub software: Vec<Software>,
}

/// An extension of ASDF that a file was written with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extension {
    /// The class of Python that it is.
    pub class: Option<String>,
    /// Its URI.
    pub uri: Option<String>,
    /// The package that it is from.
    pub software: Option<Software>,
}

/// The history of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The entries, in the order of the file.
    pub entries: Vec<HistoryEntry>,
    /// The extensions in use.
    pub extensions: Vec<Extension>,
}

impl AsdfFile {
    /// The library that wrote the file; `None` if the file does not say.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let text = *b"#ASDF 1.0.0\n--- {asdf_library: {name: asdf, version: 6.0.0}}\n...\n";
    /// let library = Open::new().bytes(text)?.library().expect("it says");
    /// assert_eq!((library.name.as_str(), library.version.as_str()), ("asdf", "6.0.0"));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn library(&self) -> Option<Software> {
        software(self.tree().ok()?.root().get("asdf_library")?)
    }

    /// The history of the file; empty if the file does not say.
    pub fn history(&self) -> History {
        let Some(node) = self.tree().ok().and_then(|tree| tree.root().get("history")) else {
            return History::default();
        };
        // Until version 1.1 of the standard it was a list of entries.
        let (list, extensions) = match node.kind() {
            NodeKind::Sequence => (Some(node), None),
            _ => (node.get("entries"), node.get("extensions")),
        };
        let entries = list.into_iter().flat_map(Node::items).map(entry).collect();
        let extensions = extensions.into_iter().flat_map(Node::items).map(extension).collect();
        History { entries, extensions }
    }
}

fn text(node: Node<'_>, key: &str) -> Option<String> {
    node.get(key)?.text().map(str::to_owned)
}

fn software(node: Node<'_>) -> Option<Software> {
    Some(Software {
        name: text(node, "name")?,
        version: text(node, "version").unwrap_or_default(),
        author: text(node, "author"),
        homepage: text(node, "homepage"),
    })
}

fn entry(node: Node<'_>) -> HistoryEntry {
    let by = node.get("software").map(|by| match by.kind() {
        NodeKind::Sequence => by.items().filter_map(software).collect(),
        _ => software(by).into_iter().collect(),
    });
    HistoryEntry {
        description: text(node, "description").unwrap_or_default(),
        time: text(node, "time"),
        software: by.unwrap_or_default(),
    }
}

fn extension(node: Node<'_>) -> Extension {
    Extension {
        class: text(node, "extension_class"),
        uri: text(node, "extension_uri"),
        software: node.get("software").and_then(software),
    }
}
