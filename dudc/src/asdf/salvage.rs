//! What can be read of a damaged file, as a file of its own.

use std::collections::HashSet;
use std::path::Path;

use asdf_bridge::asdf::{self, Array, AsdfFile, Builder, NewArray, Salvage, Yaml};
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
/// the rows that can, under `first_rows`, or what the tree says, under `node`, and the bytes of the block, under
/// `bytes`; where the tree cannot be read, the blocks that can be are kept as bytes.
///
/// # Errors
/// If the result cannot be written.
pub(crate) fn salvage(file: &AsdfFile, to: Option<&Path>, force: bool) -> Result<Salvaged> {
    let mut found = Salvaged { arrays: 0, blocks: 0, lost: Vec::new(), doubtful: Vec::new() };
    let bad = digests::bad(file)?;
    let mut tree = match file.root() {
        Ok(root) => root.salvage(&mut Collector { bad: &bad, found: &mut found }),
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
        let mut builder = Builder::from_tree(tree).library(None);
        super::convert::move_data(&mut builder);
        doubts.fold(builder, |builder, doubt| builder.comment(&doubt)).write_file(to, force)?;
    }
    Ok(found)
}

fn lost(path: &str, why: String) -> Lost {
    Lost { path: path.to_owned(), why, rows: None }
}

/// Collects what becomes of the arrays.
struct Collector<'s> {
    /// Blocks whose digests do not fit.
    bad: &'s HashSet<usize>,
    found: &'s mut Salvaged,
}

impl Salvage for Collector<'_> {
    fn kept(&mut self, array: &Array) {
        self.found.arrays += 1;
        self.doubt(array);
    }

    fn lost(&mut self, lost: asdf::Lost<'_>) -> Yaml<'static> {
        let why = lost.why.to_string();
        let mut yaml = Yaml::mapping([("lost", why.as_str())]);
        let mut rows = None;
        if let (Some(first), Some(array)) = (lost.first_rows, lost.array) {
            rows = first.shape().first().copied().zip(array.shape().first().copied());
            yaml.set("first_rows", first);
            self.doubt(array);
        }
        if let Some(node) = lost.node {
            yaml.set("node", node);
        }
        if let Some(bytes) = lost.bytes {
            yaml.set("bytes", bytes);
        }
        self.found.lost.push(Lost { path: lost.path.to_owned(), why, rows });
        yaml
    }
}

impl Collector<'_> {
    fn doubt(&mut self, array: &Array) {
        if digests::is_in(array, self.bad) {
            self.found.doubtful.push(array.path().to_owned());
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
