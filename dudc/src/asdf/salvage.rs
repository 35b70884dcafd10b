//! What can be read of a damaged file, as a file of its own.

use std::path::Path;

use asdf_bridge::asdf::{AsdfFile, Builder, Item, NewArray, NodeKind, Style, Yaml};
use serde_json::{Value as Json, json};

use crate::failure::Result;

/// What became of a file.
pub(crate) struct Salvaged {
    /// Arrays that were kept.
    pub(crate) arrays: u64,
    /// Blocks that no array of the tree was found for, and that were kept under `salvaged`.
    pub(crate) blocks: u64,
    /// Paths of what is lost, and why.
    pub(crate) lost: Vec<(String, String)>,
}

impl Salvaged {
    /// For people.
    pub(crate) fn lines(&self) -> String {
        let mut text = format!(
            "kept     {} arrays of the tree, {} blocks without it\nlost     {}\n",
            self.arrays,
            self.blocks,
            self.lost.len()
        );
        for (path, why) in &self.lost {
            text += &crate::failure::printable(&format!("  {path}: {why}"));
            text.push('\n');
        }
        text
    }

    /// For programs.
    pub(crate) fn json(&self) -> Json {
        let lost: Vec<Json> =
            self.lost.iter().map(|(path, why)| json!({"path": path, "why": why})).collect();
        json!({"version": 1, "arrays": self.arrays, "blocks": self.blocks, "lost": lost})
    }
}

/// Writes all that can be read. Arrays that cannot are replaced by a mapping that says why, under `lost`; where
/// the tree cannot be read, the blocks that can be are kept as bytes.
///
/// # Errors
/// If the result cannot be written.
pub(crate) fn salvage(file: &AsdfFile, to: Option<&Path>, force: bool) -> Result<Salvaged> {
    let mut found = Salvaged { arrays: 0, blocks: 0, lost: Vec::new() };
    let mut tree = match file.root() {
        Ok(root) => copy(&root, &mut found),
        Err(error) => {
            found.lost.push(("/".to_owned(), error.to_string()));
            Yaml::mapping::<&str, Yaml<'_>>([])
        }
    };
    if file.root().is_err() {
        let blocks = blocks(file, &mut found)?;
        tree.set("salvaged", blocks);
    }
    if let Some(to) = to {
        Builder::from_tree(tree).library(None).write_file(to, force)?;
    }
    Ok(found)
}

/// A part of the tree with what can be read of it.
fn copy(item: &Item, found: &mut Salvaged) -> Yaml<'static> {
    if item.is_array() {
        return array(item, found);
    }
    let node = item.node();
    let mut yaml = match node.kind() {
        NodeKind::Scalar => return item.to_yaml().unwrap_or_else(|_| Yaml::null()),
        NodeKind::Sequence => {
            let items: Vec<_> = item.items().iter().map(|item| copy(item, found)).collect();
            Yaml::sequence(items)
        }
        NodeKind::Mapping => {
            let keys = node.entries().map(|(key, _)| key.text().unwrap_or("?").to_owned());
            let items = item.items();
            let entries: Vec<_> =
                keys.zip(&items).map(|(key, item)| (key, copy(item, found))).collect();
            Yaml::mapping(entries)
        }
    };
    if node.style() == Style::Flow {
        yaml = yaml.flow();
    }
    match node.tag() {
        Some(tag) => yaml.tagged(match tag.strip_prefix("tag:stsci.edu:asdf/") {
            Some(name) => format!("!{name}"),
            None => tag.to_owned(),
        }),
        None => yaml,
    }
}

/// An array, or what is said in its place.
fn array(item: &Item, found: &mut Salvaged) -> Yaml<'static> {
    let read = item.array().and_then(|array| {
        // All of it: what is damaged may show at the end.
        array.data()?.for_each_block(&mut |_| Ok(()))?;
        array.mask()?;
        item.to_yaml()
    });
    match read {
        Ok(yaml) => {
            found.arrays += 1;
            yaml
        }
        Err(error) => {
            found.lost.push((item.path().to_owned(), error.to_string()));
            Yaml::mapping([("lost", error.to_string())])
        }
    }
}

/// The blocks that can be read, as bytes.
fn blocks(file: &AsdfFile, found: &mut Salvaged) -> Result<Yaml<'static>> {
    let mut blocks = Vec::new();
    for (index, block) in file.blocks()?.into_iter().enumerate() {
        match block.and_then(|block| file.block_data(block.index as i64)) {
            Ok(bytes) => {
                found.blocks += 1;
                blocks.push(Yaml::from(NewArray::from(bytes)));
            }
            Err(error) => {
                found.lost.push((format!("block {index}"), error.to_string()));
                blocks.push(Yaml::mapping([("lost", error.to_string())]));
            }
        }
    }
    Ok(Yaml::sequence(blocks))
}
