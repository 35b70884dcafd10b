//! What can be read of a damaged file, as a file of its own.

use std::collections::HashSet;
use std::path::Path;

use asdf_bridge::asdf::{AsdfFile, Builder, Item, NewArray, NodeKind, Style, Yaml};
use serde_json::{Value as Json, json};

use super::digests;
use crate::failure::Result;

/// What became of a file.
pub(crate) struct Salvaged {
    /// Arrays that were kept.
    pub(crate) arrays: u64,
    /// Blocks that no array of the tree was found for, and that were kept under `salvaged`.
    pub(crate) blocks: u64,
    /// What is lost.
    pub(crate) lost: Vec<Lost>,
    /// Paths of arrays that were kept though their digests do not fit.
    pub(crate) doubtful: Vec<String>,
}

/// Something that is lost.
pub(crate) struct Lost {
    path: String,
    why: String,
    /// The first rows that were kept of an array, and how many it had.
    rows: Option<(u64, u64)>,
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
        for Lost { path, why, rows } in &self.lost {
            text += &crate::failure::printable(&format!("  {path}: {why}"));
            if let Some((rows, all)) = rows {
                text += &format!("; the first {rows} of {all} rows are kept");
            }
            text.push('\n');
        }
        if !self.doubtful.is_empty() {
            text += &format!("doubtful {}\n", self.doubtful.len());
        }
        for path in &self.doubtful {
            text += &crate::failure::printable(&format!("  {path}: {}", digests::WHY));
            text.push('\n');
        }
        text
    }

    /// For programs.
    pub(crate) fn json(&self) -> Json {
        let lost = self.lost.iter().map(|Lost { path, why, rows }| {
            let (kept, all) = rows.unzip();
            json!({"path": path, "why": why, "rows": kept, "of": all})
        });
        json!({
            "version": 1,
            "arrays": self.arrays,
            "blocks": self.blocks,
            "lost": lost.collect::<Vec<_>>(),
            "doubtful": self.doubtful,
        })
    }
}

/// Writes all that can be read. Arrays that cannot are replaced by a mapping that says why, under `lost`, and has
/// the rows that can, under `first_rows`; where the tree cannot be read, the blocks that can be are kept as bytes.
///
/// # Errors
/// If the result cannot be written.
pub(crate) fn salvage(file: &AsdfFile, to: Option<&Path>, force: bool) -> Result<Salvaged> {
    let mut found = Salvaged { arrays: 0, blocks: 0, lost: Vec::new(), doubtful: Vec::new() };
    let bad = digests::bad(file)?;
    let mut tree = match file.root() {
        Ok(root) => copy(&root, &bad, &mut found),
        Err(error) => {
            found.lost.push(lost("/", error.to_string()));
            Yaml::mapping::<&str, Yaml<'_>>([])
        }
    };
    if file.root().is_err() {
        let blocks = blocks(file, &mut found)?;
        tree.set("salvaged", blocks);
    }
    if let Some(to) = to {
        // The new digests are right, whatever the old ones said.
        let doubts =
            found.doubtful.iter().map(|path| format!("salvaged: {path}: {}", digests::WHY));
        let builder = Builder::from_tree(tree).library(None);
        doubts.fold(builder, |builder, doubt| builder.comment(&doubt)).write_file(to, force)?;
    }
    Ok(found)
}

fn lost(path: &str, why: String) -> Lost {
    Lost { path: path.to_owned(), why, rows: None }
}

/// A part of the tree with what can be read of it.
fn copy(item: &Item, bad: &HashSet<usize>, found: &mut Salvaged) -> Yaml<'static> {
    if item.is_array() {
        return array(item, bad, found);
    }
    let node = item.node();
    let mut yaml = match node.kind() {
        NodeKind::Scalar => return item.to_yaml().unwrap_or_else(|_| Yaml::null()),
        NodeKind::Sequence => {
            let items: Vec<_> = item.items().iter().map(|item| copy(item, bad, found)).collect();
            Yaml::sequence(items)
        }
        NodeKind::Mapping => {
            let keys = node.entries().map(|(key, _)| key.text().unwrap_or("?").to_owned());
            let items = item.items();
            let entries: Vec<_> =
                keys.zip(&items).map(|(key, item)| (key, copy(item, bad, found))).collect();
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
fn array(item: &Item, bad: &HashSet<usize>, found: &mut Salvaged) -> Yaml<'static> {
    let array = item.array();
    if array.as_ref().is_ok_and(|array| digests::is_in(array, bad)) {
        found.doubtful.push(item.path().to_owned());
    }
    let read = array.and_then(|array| {
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
            let mut lost = lost(item.path(), error.to_string());
            let mut yaml = Yaml::mapping([("lost", error.to_string())]);
            if let Ok(array) = item.array()
                && let Ok(Some(rows)) = array.first_rows()
            {
                lost.rows = rows.shape().first().copied().zip(array.shape().first().copied());
                yaml.set("first_rows", rows);
            }
            found.lost.push(lost);
            yaml
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
                found.lost.push(lost(&format!("block {index}"), error.to_string()));
                blocks.push(Yaml::mapping([("lost", error.to_string())]));
            }
        }
    }
    Ok(Yaml::sequence(blocks))
}
