//! Trees that were read, to be written again: with their tags, anchors and spelling, and their blocks.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::array::Array;
use super::super::blocks::Block;
use super::super::error::Result;
use super::super::file::AsdfFile;
use super::super::item::Item;
use super::super::mask::{self, Mask};
use super::super::ndarray::{Source, Stored, is_array};
use super::super::tree::{Node, NodeId, NodeKind, Scalar, Style};
use super::array::{NewArray, NewMask, Storage};
use super::compress::Compression;
use super::pieces::Pieces;
use super::yaml::{Content, Yaml};

/// Bytes read at a time.
const STEP: u64 = 1 << 20;

/// All tags of the standard, as files of all times have it.
const PREFIXES: [&str; 3] =
    ["tag:stsci.edu:asdf/0.1.0/", "tag:stsci.edu:asdf/", "tag:stsci.edu:finf/0.1.0/"];

/// What an array's node says of its place, which a copy says anew.
const OWN: [&str; 8] =
    ["source", "mask", "datatype", "dtype", "byteorder", "shape", "offset", "strides"];

impl Item {
    /// The part of the tree below here, to be written or edited: tags, anchors, the order of keys, and the
    /// spelling of numbers are kept. Blocks are read when they are written, and keep their order; arrays that
    /// shared a block will share one. Those of other files become part of the one that is written.
    ///
    /// # Errors
    /// What arrays say that cannot be found.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open};
    ///
    /// let old = Builder::new().put("x", 0x10).put("data", NewArray::from(vec![1.0_f32, 2.0]));
    /// let old = Open::new().bytes(old.to_bytes()?)?;
    /// let mut tree = old.root()?.to_yaml()?;
    /// tree.set("x", 17);
    /// let new = Open::new().bytes(Builder::from_tree(tree).to_bytes()?)?;
    /// assert_eq!(new.get("/x")?.node().as_i64(), Some(17));
    /// assert_eq!(new.array("/data")?.read::<f32>()?[[1]], 2.0);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn to_yaml(&self) -> Result<Yaml<'static>> {
        let mut copier =
            Copier { file: self.file().clone(), blocks: HashMap::new(), shared: HashMap::new() };
        copier.node(self.node(), self.path())
    }
}

struct Copier {
    file: AsdfFile,
    /// The bytes of blocks, by the file that has them and their number.
    blocks: HashMap<(String, usize), Arc<OfBlock>>,
    /// Nodes with an anchor.
    shared: HashMap<NodeId, Arc<Yaml<'static>>>,
}

impl Copier {
    fn node(&mut self, node: Node<'_>, path: &str) -> Result<Yaml<'static>> {
        if node.anchor().is_none() {
            return self.fresh(node, path);
        }
        if let Some(known) = self.shared.get(&node.id()) {
            return Ok(Yaml::from(known.clone()));
        }
        let fresh = Arc::new(self.fresh(node, path)?);
        self.shared.insert(node.id(), fresh.clone());
        Ok(Yaml::from(fresh))
    }

    fn fresh(&mut self, node: Node<'_>, path: &str) -> Result<Yaml<'static>> {
        let tag = node.tag().map(standard);
        let mut copy = match node.kind() {
            _ if is_stored(node) => self.array(node, path)?,
            NodeKind::Scalar => scalar(node),
            NodeKind::Sequence => {
                let items = node.items().enumerate();
                let items = items.map(|(at, item)| self.node(item, &format!("{path}/{at}")));
                Yaml::new(Content::Sequence(items.collect::<Result<_>>()?))
            }
            NodeKind::Mapping => {
                let entries = node.entries().map(|(key, value)| {
                    let path = format!("{path}/{}", key.text().unwrap_or("?"));
                    Ok((self.node(key, &path)?, self.node(value, &path)?))
                });
                Yaml::new(Content::Mapping(entries.collect::<Result<_>>()?))
            }
        };
        if !is_stored(node) {
            copy.tag = tag;
        }
        copy.style = Some(node.style()).filter(|style| *style != Style::Plain);
        match node.anchor() {
            Some(anchor) => Ok(copy.anchored(anchor)),
            None => Ok(copy),
        }
    }

    fn array(&mut self, node: Node<'_>, path: &str) -> Result<Yaml<'static>> {
        let array = Array::of(&self.file, node, path)?;
        let Some(stored) = array.stored() else { return Ok(Yaml::null()) };
        let (block, pieces) = self.block(stored)?;
        let mut new = NewArray::new(pieces, array.datatype().clone(), array.shape().to_vec());
        new.offset = stored.offset;
        new.strides.clone_from(&stored.strides);
        new.storage = Storage::Block;
        let can_encode = |block: &Block| {
            let compression = Compression::of(block.label);
            // What is only read is written without.
            (block.label != *b"xz\0\0" && compression.check(self.file.codecs()).is_ok())
                .then_some(compression)
        };
        new.compression = block.compression().and_then(|_| can_encode(&block));
        if let Some(mask) = stored.mask {
            let mask = node.tree().node(mask);
            new.mask = self.mask(mask, path)?.map(Box::new);
        }
        for (key, value) in node.entries() {
            if key.text().is_some_and(|key| !OWN.contains(&key)) {
                let name = key.text().unwrap_or("?");
                new = new.with(name, self.node(value, &format!("{path}/{name}"))?);
            }
        }
        Ok(Yaml::from(new))
    }

    /// The block of an array, and its bytes.
    fn block(&mut self, stored: &Stored) -> Result<(Arc<Block>, Arc<dyn Pieces>)> {
        let (uri, file, index) = match &stored.source {
            Source::Block(index) => (String::new(), self.file.clone(), *index),
            Source::External(uri) => {
                let uri = uri.split('#').next().unwrap_or_default();
                (uri.to_owned(), self.file.other(uri)?, 0)
            }
        };
        let block = file.block(index)?;
        let pieces = self
            .blocks
            .entry((uri, block.index))
            .or_insert_with(|| Arc::new(OfBlock { file, block: block.clone() }));
        Ok((block, pieces.clone()))
    }

    fn mask(&mut self, mask: Node<'_>, path: &str) -> Result<Option<NewMask<'static>>> {
        let path = format!("{path}/mask");
        if is_stored(mask) {
            let yaml = self.array(mask, &path)?;
            return Ok(match yaml.content {
                Content::Array(array) => Some(NewMask::Array(*array)),
                _ => None,
            });
        }
        Ok(match mask::parse(&self.file, mask, &path)? {
            Mask::Nan => Some(NewMask::Nan),
            Mask::Int(value) => Some(NewMask::Int(value)),
            Mask::Number(re, im) => Some(NewMask::Number(re, im)),
            Mask::Array(array) => Some(NewMask::Array(NewArray::data(&array.data()?)?.inline())),
            Mask::Nulls(_) => None,
        })
    }
}

/// Whether a node is an array with its elements in a block.
fn is_stored(node: Node<'_>) -> bool {
    is_array(node) && node.kind() == NodeKind::Mapping && node.get("source").is_some()
}

/// A tag with `!` for what all tags of the standard begin with.
fn standard(tag: &str) -> Box<str> {
    match PREFIXES.iter().find_map(|prefix| tag.strip_prefix(prefix)) {
        Some(name) => format!("!{name}").into(),
        None => tag.into(),
    }
}

fn scalar(node: Node<'_>) -> Yaml<'static> {
    let text = node.text().unwrap_or_default();
    match node.scalar() {
        // Booleans to YAML 1.1, but to no program that reads these files; new text of that kind gets quotes.
        Some(Scalar::Text(_))
            if node.style() == Style::Plain && matches!(text, "y" | "Y" | "n" | "N") =>
        {
            Yaml::plain(text)
        }
        Some(Scalar::Text(_)) | None => Yaml::from(text),
        // An empty scalar is null, and would not be seen in brackets.
        Some(Scalar::Null) if text.is_empty() => Yaml::null(),
        // Digits, or what else has a meaning without quotes.
        Some(_) if node.style() == Style::Plain => Yaml::plain(text),
        Some(_) => Yaml::from(text),
    }
}

/// All data of a block of a file, decompressed.
#[derive(Debug)]
struct OfBlock {
    file: AsdfFile,
    block: Arc<Block>,
}

impl Pieces for OfBlock {
    fn len(&self) -> u64 {
        match self.block.compression() {
            Some(_) => self.block.decoded,
            None if self.block.is_streamed() => {
                self.file.source().len().saturating_sub(self.block.data.start)
            }
            None => self.block.used(),
        }
    }

    fn place(&self) -> Option<usize> {
        Some(self.block.index)
    }

    fn whole(&self) -> Option<&[u8]> {
        if self.block.compression().is_some() {
            return None;
        }
        dudley::source::slice(self.file.source().bytes()?, self.block.data.start, self.len()).ok()
    }

    fn each(&self, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let elements = self.file.elements(self.block.index as i64)?;
        let source = &*elements.source;
        if let Some(bytes) = source.bytes() {
            return sink(dudley::source::slice(bytes, elements.address, self.len())?);
        }
        let (mut piece, mut done) = (Vec::new(), 0);
        while done < self.len() {
            let some = (self.len() - done).min(STEP);
            piece.resize(some as usize, 0);
            source.read_at(elements.address + done, &mut piece)?;
            sink(&piece)?;
            done += some;
        }
        Ok(())
    }
}
