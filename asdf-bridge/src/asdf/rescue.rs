//! The readable parts of a damaged file, as a new file.

use std::collections::HashSet;

use dudley::model::{Doubt, Fact, Salvaged, Target};

use super::array::Array;
use super::doubts::Doubts;
use super::error::{Error, Result};
use super::file::AsdfFile;
use super::report::Code;
use super::tables;
use super::top_keys::OWN_KEYS;
use super::tree::NodeKind;
use super::walk::References;
use super::write::builder::Builder;
use super::write::copy::salvage::{Lost as OfTree, Salvage};
use super::write::kept_blocks::Kept;
use super::write::standard::Standard;
use super::write::yaml::Yaml;

/// What became of a file.
#[derive(Default)]
struct Found {
    /// The fault of the first line, which is repaired in the result.
    first_line: Option<String>,
    /// Arrays that were kept.
    arrays: u64,
    /// Blocks that are in no array of the tree, and were kept.
    blocks: u64,
    /// The lost parts.
    lost: Vec<Lost>,
    /// The parts that were kept in spite of doubts.
    doubtful: Vec<Doubt>,
}

/// Something that is lost.
struct Lost {
    path: String,
    why: String,
    /// The first rows that were kept of an array, and how many it had.
    rows: Option<(u64, u64)>,
}

impl Found {
    /// For people and programs.
    fn facts(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        if let Some(reason) = &self.first_line {
            let said = format!("mended   the first line: {reason}");
            facts.push(Fact::new("mended", reason.as_str()).shown(said));
        }
        let kept = format!(
            "kept     {} arrays of the tree, {} blocks without it",
            self.arrays, self.blocks
        );
        facts.push(Fact::new("arrays", self.arrays).shown(kept));
        facts.push(Fact::new("blocks", self.blocks));
        let mut said = format!("lost     {}", self.lost.len());
        for Lost { path, why, rows } in &self.lost {
            said += &format!("\n  {path}: {why}");
            if let Some((rows, all)) = rows {
                said += &format!("; the first {rows} of {all} rows are kept");
            }
        }
        let lost = self.lost.iter().map(|Lost { path, why, rows }| {
            let (kept, all) = rows.unzip();
            tables::of([
                ("path", path.as_str().into()),
                ("why", why.as_str().into()),
                ("rows", kept.into()),
                ("of", all.into()),
            ])
        });
        facts.push(Fact::new("lost", lost.collect::<Vec<_>>()).shown(said));
        let doubtful: Vec<&str> = self.doubtful.iter().map(path_of).collect();
        let mut fact = Fact::new("doubtful", doubtful);
        if !self.doubtful.is_empty() {
            let mut said = format!("doubtful {}", self.doubtful.len());
            for doubt in &self.doubtful {
                said += &format!("\n  {}: {}", path_of(doubt), doubt.why);
            }
            fact = fact.shown(said);
        }
        facts.push(fact);
        facts
    }

    fn lose(&mut self, path: &str, why: String) {
        self.lose_rows(path, why, None);
    }

    /// Most reasons begin with the path, which stands in front of them.
    fn lose_rows(&mut self, path: &str, why: String, rows: Option<(u64, u64)>) {
        let bare = why.strip_prefix(&format!("`{path}`: ")).map(str::to_owned);
        self.lost.push(Lost { path: path.to_owned(), why: bare.unwrap_or(why), rows });
    }
}

/// Writes all that can be read. Arrays that cannot are replaced by a mapping that says why, under `lost`, and has
/// the rows that can, under `first_rows`, or what the tree says, under `node`, and the bytes of the block, under
/// `bytes`; `doubtful` says why these may be wrong. Where the tree cannot be read, its text is kept, and the blocks
/// as bytes.
///
/// # Errors
/// If the result cannot be written.
pub(super) fn salvage(file: &AsdfFile, to: Option<Target<'_>>) -> Result<Salvaged> {
    let report = file.check()?;
    let mut collector = Collector {
        doubts: Doubts::of_data(file),
        found: Found::default(),
        blocks: HashSet::new(),
    };
    collector.found.first_line = report.of(Code::FirstLine).next().map(|it| it.reason.clone());
    for bad in report.of(Code::BadText) {
        collector.found.lose("/", format!("the text at address {}: {}", bad.address, bad.reason));
    }
    if let Some(cut) = report.of(Code::NoTreeEnd).next() {
        collector.found.lose("/", format!("what may have been behind address {}", cut.address));
    }
    let tree = match file.root() {
        Ok(root) => {
            let tree = root.salvage(&mut collector);
            collector.whole(file)?;
            tree
        }
        Err(error) => {
            collector.found.lose("/", error.to_string());
            collector.without_tree(file)?
        }
    };
    let mut remarks = Vec::new();
    let mut builder = Builder::from_tree(tree).library(None);
    if let Some(standard) = file.text().standard.as_deref().and_then(Standard::from_name) {
        builder = builder.standard(standard);
    }
    for comment in &file.text().comments {
        if comment.contains("%YAML") || comment.contains(char::is_control) {
            let why = "a comment has control characters or `%YAML`: it gets blanks for them, and `% YAML`";
            remarks.push(why.to_owned());
        }
        let comment = comment.strip_prefix('#').unwrap_or(comment);
        builder = builder.comment(comment.strip_prefix(' ').unwrap_or(comment));
    }
    let mut builder = builder.blocks_left_of(file)?;
    for (old, new) in builder.move_data() {
        remarks.push(if OWN_KEYS.contains(&&*old) {
            format!("`/{old}` is not what ASDF has there, and stands under `/{new}` now")
        } else {
            format!("`/{old}` stands under `/{new}` now, as data called so do")
        });
    }
    for Kept { index, bytes, why, .. } in builder.kept()? {
        collector.block(file, index, bytes > 0, why.as_ref());
    }
    let found = collector.found;
    if let Some(to) = to {
        // The new digests are right, whatever the old ones said.
        if !found.doubtful.is_empty() && has_keys(file) {
            let doubts = found.doubtful.iter().map(|doubt| (path_of(doubt), doubt.why.as_str()));
            builder.tree().set("salvaged_doubtful", Yaml::mapping(doubts));
        }
        let doubts = found.doubtful.iter();
        let doubts = doubts.map(|doubt| format!("salvaged: {}: {}", path_of(doubt), doubt.why));
        doubts
            .fold(builder, |builder, doubt| builder.comment(&doubt))
            .write_file(to.path, to.overwrite)?;
    }
    let is_partial = !found.lost.is_empty() || !found.doubtful.is_empty();
    Ok(Salvaged { facts: found.facts(), remarks, is_partial })
}

/// Whether a key can be added to what is made of a tree: what is no mapping would become one.
fn has_keys(file: &AsdfFile) -> bool {
    let root = file.root();
    root.map_or(true, |root| root.node().kind() == NodeKind::Mapping && !root.is_array())
}

/// Collects what becomes of the arrays and blocks.
struct Collector {
    doubts: Doubts,
    found: Found,
    /// Blocks of which all was said.
    blocks: HashSet<usize>,
}

impl Salvage for Collector {
    fn kept(&mut self, array: &Array) {
        self.found.arrays += 1;
        match array.odd() {
            Ok(odd) => {
                let partial = odd.into_iter().filter(|odd| odd.code == Code::PartialRow);
                partial.for_each(|odd| self.found.lose(array.path(), odd.reason));
            }
            Err(error) => self.found.lose(array.path(), error.to_string()),
        }
        self.doubt(array);
    }

    fn lost(&mut self, lost: OfTree<'_>) -> Yaml<'static> {
        let why = lost.why.to_string();
        let mut yaml = Yaml::mapping([("lost", why.as_str())]);
        let mut rows = None;
        if let Some(array) = lost.array {
            // Its block is lost for no other reason.
            self.blocks.extend(array.block_number());
        }
        if let (Some(first), Some(array)) = (lost.first_rows, lost.array) {
            rows = first.shape().first().copied().zip(array.shape().first().copied());
            yaml.set("first_rows", first);
            if let Some(why) = self.doubt(array) {
                yaml.set("doubtful", why);
            }
        }
        if let Some(node) = lost.node {
            yaml.set("node", node);
        }
        if let Some(bytes) = lost.bytes {
            yaml.set("bytes", bytes);
        }
        self.found.lose_rows(lost.path, why, rows);
        yaml
    }
}

impl Collector {
    /// What speaks against the elements of an array, and, which is only noted, against its mask.
    fn doubt(&mut self, array: &Array) -> Option<String> {
        let doubts = self.doubts.of(array);
        let own = doubts.iter().find(|doubt| path_of(doubt) == array.path());
        let own = own.map(|doubt| doubt.why.clone());
        self.found.doubtful.extend(doubts);
        own
    }

    /// Arrays in chunks, which are kept one by one: whether they still make a whole.
    fn whole(&mut self, file: &AsdfFile) -> Result<()> {
        file.root()?.walk_once(References::Followed, &mut |item, _| {
            // What references lead to is kept where it stands.
            if item.is_referred() {
                return Ok(false);
            }
            if item.is_chunked() {
                match item.array() {
                    Err(error) => self.found.lose(item.path(), error.to_string()),
                    Ok(array) => {
                        let mut doubts = self.doubts.of(&array);
                        doubts.retain(|doubt| path_of(doubt) == item.path());
                        self.found.doubtful.append(&mut doubts);
                    }
                }
            }
            Ok(true)
        })
    }

    /// What is kept of a block that no array is in, and why that is not all of it.
    fn block(&mut self, file: &AsdfFile, index: usize, has_data: bool, why: Option<&Error>) {
        if !self.blocks.insert(index) {
            return;
        }
        let path = format!("block {index}");
        if let Ok(block) = file.block(index as i64)
            && let Some(why) = self.doubts.of_block(file, &block)
        {
            self.found.doubtful.push(Doubt { path: Some(path.clone()), why: why.to_owned() });
        }
        match why {
            Some(why) => self.found.lose(&path, why.to_string()),
            None => self.found.blocks += u64::from(has_data),
        }
    }

    /// What is kept without a tree: its text, and the blocks as bytes.
    fn without_tree(&mut self, file: &AsdfFile) -> Result<Yaml<'static>> {
        let mut blocks = Vec::new();
        for index in 0..file.blocks()?.len() {
            let (bytes, why) = match file.salvage_block(index as i64) {
                Ok(read) => read,
                // What is said of those that no array is in is said of these.
                Err(error) => {
                    blocks.push(Yaml::mapping([("unread", error.to_string())]));
                    continue;
                }
            };
            self.block(file, index, true, why.as_ref());
            blocks.push(match why {
                None => Yaml::from(bytes),
                Some(why) => {
                    let why = Yaml::from(why.to_string());
                    Yaml::mapping([("lost", why), ("bytes", Yaml::from(bytes))])
                }
            });
        }
        let mut tree = Yaml::mapping([("salvaged", Yaml::sequence(blocks))]);
        if let Some(range) = &file.text().tree {
            let length = usize::try_from(range.end - range.start).unwrap_or_default();
            let mut text = vec![0; length];
            file.source().read_at(range.start, &mut text)?;
            let text = String::from_utf8(text);
            tree.set(
                "salvaged_tree",
                match text {
                    Ok(text) => Yaml::from(text),
                    Err(error) => Yaml::binary(error.as_bytes()),
                },
            );
        }
        Ok(tree)
    }
}

/// The path of the array, or the name of the block, that something speaks against.
fn path_of(doubt: &Doubt) -> &str {
    doubt.path.as_deref().unwrap_or_default()
}
