//! Trees that were read, to be written again: with their tags, anchors and spelling, and their blocks.

pub(in crate::asdf) mod salvage;

use std::collections::HashMap;
use std::sync::Arc;

use dudley::Data;

use super::super::array::Array;
use super::super::array::mask::{self, Mask};
use super::super::blocks::Block;
use super::super::error::Result;
use super::super::file::AsdfFile;
use super::super::item::{Item, below};
use super::super::ndarray::{Source, Stored, is_array};
use super::super::tree::{Node, NodeId, NodeKind, Scalar, Style};
use super::compress::Compression;
use super::copy::salvage::{Salvage, readable};
use super::pieces::{Origin, Pieces, hand_out};
use super::yaml::array::{NewArray, NewMask, Storage};
use super::yaml::{Content, Yaml};

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
    /// If an array cannot be found.
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
        Copier::new(self.file(), None).node(self.node(), self.path())
    }
}

/// Parts of trees, to be written together: as [`Item::to_yaml`], but what they share, such as a block, is shared.
///
/// ```
/// use asdf_bridge::asdf::{Builder, NewArray, Open, Yaml, to_yaml};
///
/// let x = NewArray::from(vec![1_i64, 2, 3]);
/// let last = x.view(16, &[1], &[8])?;
/// let old = Builder::new().put("x", x).put("last", last).put("y", 1);
/// let old = Open::new().bytes(old.to_bytes()?)?;
/// let parts = to_yaml(&[old.get("/x")?, old.get("/last")?])?;
/// let new = Builder::new().put("parts", Yaml::sequence(parts)).to_bytes()?;
/// assert_eq!(Open::new().bytes(new)?.blocks()?.len(), 1);
/// # Ok::<(), asdf_bridge::asdf::Error>(())
/// ```
///
/// # Errors
/// As [`Item::to_yaml`].
pub fn to_yaml(items: &[Item]) -> Result<Vec<Yaml<'static>>> {
    parts(items, None)
}

/// As [`to_yaml`], with other elements in place of those of masked arrays: what `unmasked` gives of each array that
/// has a mask, such as [`Array::filled`]. So there is no mask in what is written.
///
/// ```
/// use asdf_bridge::asdf::{Builder, NewArray, NewMask, Open, to_yaml_unmasked};
/// use dudley::Value;
///
/// let x = NewArray::from(vec![1_i8, -9]).masked(NewMask::Int(-9));
/// let old = Open::new().bytes(Builder::new().put("x", x).to_bytes()?)?;
/// let zeros = |array: &asdf_bridge::asdf::Array| array.filled(&[Value::Int(0)]);
/// let tree = to_yaml_unmasked(&[old.root()?], &zeros)?.remove(0);
/// let new = Open::new().bytes(Builder::from_tree(tree).to_bytes()?)?.array("/x")?;
/// assert!(new.mask()?.is_none());
/// assert_eq!(new.read::<i8>()?.as_slice(), Some(&[1, 0][..]));
/// # Ok::<(), asdf_bridge::asdf::Error>(())
/// ```
///
/// # Errors
/// As [`Item::to_yaml`]; if `unmasked` fails.
pub fn to_yaml_unmasked(items: &[Item], unmasked: &Unmask<'_>) -> Result<Vec<Yaml<'static>>> {
    parts(items, Some(unmasked))
}

/// Gives the elements of a masked array without its mask.
pub type Unmask<'u> = dyn Fn(&Array) -> Result<Data> + 'u;

fn parts(items: &[Item], unmask: Option<&Unmask<'_>>) -> Result<Vec<Yaml<'static>>> {
    let mut copiers: HashMap<usize, Copier<'_>> = HashMap::new();
    let part = |item: &Item| {
        let file = item.file();
        let new = || Copier { unmask, ..Copier::new(file, None) };
        copiers.entry(file.id()).or_insert_with(new).node(item.node(), item.path())
    };
    items.iter().map(part).collect()
}

/// Copies parts of the tree of a file.
pub(super) struct Copier<'c> {
    pub(super) file: AsdfFile,
    /// The bytes of blocks, by the file that has them and their number. Their files stay open with them.
    blocks: HashMap<(usize, usize), Arc<dyn Pieces>>,
    /// Nodes with an anchor.
    shared: HashMap<NodeId, Arc<Yaml<'static>>>,
    /// Nodes with an anchor that are not complete, and what names them in themselves.
    open: HashMap<NodeId, Option<Arc<()>>>,
    /// Masks that are being copied.
    masks: Vec<NodeId>,
    /// Who learns of arrays, if they are taken as far as they can be read; else all must be there.
    pub(super) salvage: Option<&'c mut dyn Salvage>,
    /// What gives masked arrays without their masks, if they shall have none.
    unmask: Option<&'c Unmask<'c>>,
    /// Whether what is copied stands in an array, as its mask does.
    pub(super) in_array: bool,
}

impl<'c> Copier<'c> {
    pub(super) fn new(file: &AsdfFile, salvage: Option<&'c mut dyn Salvage>) -> Copier<'c> {
        Copier {
            file: file.clone(),
            blocks: HashMap::new(),
            shared: HashMap::new(),
            open: HashMap::new(),
            masks: Vec::new(),
            salvage,
            unmask: None,
            in_array: false,
        }
    }

    /// A node and all below it.
    pub(super) fn node(&mut self, node: Node<'_>, path: &str) -> Result<Yaml<'static>> {
        if node.anchor().is_none() {
            return self.fresh(node, path);
        }
        if let Some(known) = self.shared.get(&node.id()) {
            return Ok(Yaml::from(known.clone()));
        }
        if let Some(around) = self.open.get_mut(&node.id()) {
            let around = around.get_or_insert_default().clone();
            return Ok(Yaml::new(Content::Within(around)));
        }
        self.open.insert(node.id(), None);
        let fresh = self.fresh(node, path);
        let around = self.open.remove(&node.id()).flatten();
        let fresh = Arc::new(Yaml { around, ..fresh? });
        self.shared.insert(node.id(), fresh.clone());
        Ok(Yaml::from(fresh))
    }

    fn fresh(&mut self, node: Node<'_>, path: &str) -> Result<Yaml<'static>> {
        let copy = if self.salvage.is_some() && is_array(node) {
            self.salvaged(node, path)
        } else {
            self.copied(node, path)?
        };
        match node.anchor() {
            Some(anchor) => Ok(copy.anchored(anchor)),
            None => Ok(copy),
        }
    }

    /// A copy without its anchor.
    pub(super) fn copied(&mut self, node: Node<'_>, path: &str) -> Result<Yaml<'static>> {
        if let Some(unmask) = self.unmask.filter(|_| is_array(node)) {
            let array = Array::of(&self.file, node, path)?;
            if array.mask()?.is_some() {
                return Ok(NewArray::data(&unmask(&array)?)?.into());
            }
        }
        let tag = node.tag().map(standard);
        let mut copy = match node.kind() {
            _ if is_stored(node) => {
                let array = Array::of(&self.file, node, path)?;
                self.array(&array, node, path)?
            }
            NodeKind::Scalar => scalar(node),
            NodeKind::Sequence => {
                let items = node.items().enumerate();
                let items =
                    items.map(|(at, item)| self.node(item, &below(path, &at.to_string(), false)));
                Yaml::new(Content::Sequence(items.collect::<Result<_>>()?))
            }
            NodeKind::Mapping => {
                let entries = node.entries().map(|(key, value)| {
                    let path = below(path, &node.name_of(key), true);
                    Ok((self.node(key, &path)?, self.node(value, &path)?))
                });
                Yaml::new(Content::Mapping(entries.collect::<Result<_>>()?))
            }
        };
        if !is_stored(node) {
            copy.tag = tag;
        }
        copy.style = Some(node.style()).filter(|style| *style != Style::Plain);
        Ok(copy)
    }

    /// An array in a block, which a node is.
    pub(super) fn array(
        &mut self,
        array: &Array,
        node: Node<'_>,
        path: &str,
    ) -> Result<Yaml<'static>> {
        let (stored, mut new) = match (array.stored(), array.of_host()) {
            (Some(stored), _) => {
                let (block, pieces) = self.block(&stored.source)?;
                let is_cut = self.salvage.is_some() && !array.is_within(stored, pieces.len());
                let new = if is_cut {
                    alone(array)?
                } else {
                    self.in_block(array, stored, &block, pieces)
                };
                (stored, new)
            }
            // The file that is written lies in no other one.
            (None, Some(stored)) => (stored, NewArray::data(&array.data()?)?.block()),
            (None, None) => return Ok(Yaml::null()),
        };
        if self.salvage.is_some() {
            array.check_mask()?;
        }
        new.mask = self.mask(stored.mask, node, path)?.map(Box::new);
        for (key, value) in node.entries() {
            if key.text().is_some_and(|key| !OWN.contains(&key)) {
                let name = key.text().unwrap_or("?");
                new = new.with(name, self.node(value, &below(path, name, true))?);
            }
        }
        Ok(Yaml::from(new))
    }

    /// An array where it is in its block.
    pub(super) fn in_block(
        &self,
        array: &Array,
        stored: &Stored,
        block: &Block,
        pieces: Arc<dyn Pieces>,
    ) -> NewArray<'static> {
        let mut new = NewArray::new(pieces, array.datatype().clone(), array.shape().to_vec());
        new.offset = stored.offset;
        new.strides.clone_from(&stored.strides);
        new.storage = Storage::Block;
        new.compression = compression_of(&self.file, block);
        new
    }

    /// The block of an array, and its bytes.
    pub(super) fn block(&mut self, source: &Source) -> Result<(Arc<Block>, Arc<dyn Pieces>)> {
        let (file, index) = self.file.home(source)?;
        let block = file.block(index)?;
        let place = (file.id(), block.index);
        let pieces = match self.blocks.get(&place) {
            Some(known) => known.clone(),
            None => {
                let pieces: Arc<dyn Pieces> = match self.salvage {
                    Some(_) => readable(&file, &block)?.0,
                    None => Arc::new(OfBlock::new(&file, &block)),
                };
                self.blocks.insert(place, pieces.clone());
                pieces
            }
        };
        Ok((block, pieces))
    }

    /// The mask of an array, which a node is.
    pub(super) fn mask(
        &mut self,
        mask: Option<NodeId>,
        array: Node<'_>,
        path: &str,
    ) -> Result<Option<NewMask<'static>>> {
        let Some(mask) = mask.map(|mask| array.tree().node(mask)) else { return Ok(None) };
        let path = format!("{path}/mask");
        if self.masks.contains(&mask.id()) {
            return Err(mask.error(&path, "a mask that it is not the mask of"));
        }
        if is_stored(mask) {
            self.masks.push(mask.id());
            let array = Array::of(&self.file, mask, &path);
            let yaml = array.and_then(|array| self.array(&array, mask, &path));
            self.masks.pop();
            return Ok(match yaml?.content {
                Content::Array(array) => Some(NewMask::Array(*array)),
                _ => None,
            });
        }
        Ok(match mask::parse(&self.file, mask, &path)? {
            Mask::Nan => Some(NewMask::Nan),
            Mask::Int(value) => Some(NewMask::Int(value)),
            Mask::Number(re, im) => Some(NewMask::Number(re, im)),
            Mask::Array(array) => Some(NewMask::Array(NewArray::data(&array.data()?)?.inline())),
            // Only of what the elements of an array say, and not of its `mask`.
            Mask::Nulls(_) | Mask::Chunks(_) => None,
        })
    }
}

/// How the data of a block are compressed where they are written again.
pub(super) fn compression_of(file: &AsdfFile, block: &Block) -> Option<Compression> {
    let compression = Compression::of(block.label);
    // What is only read is written without.
    let can_encode = || block.label != *b"xz\0\0" && compression.check(file.codecs()).is_ok();
    (block.compression().is_some() && can_encode()).then_some(compression)
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

/// An array whose block is not there as far as it reaches, if it can be read all the same.
fn alone(array: &Array) -> Result<NewArray<'static>> {
    let data = array.data()?;
    data.for_each_block(&mut |_| Ok(()))?;
    let (datatype, shape) = (array.datatype().clone(), array.shape().to_vec());
    Ok(NewArray::new(Arc::new(data), datatype, shape).block())
}

/// Data of a block of a file, decompressed.
#[derive(Debug)]
pub(super) struct OfBlock {
    file: AsdfFile,
    block: Arc<Block>,
    /// How many of them.
    len: u64,
}

impl OfBlock {
    /// All of them.
    pub(super) fn new(file: &AsdfFile, block: &Arc<Block>) -> OfBlock {
        let len = match block.compression() {
            Some(_) => block.decoded,
            None if block.is_streamed() => file.source().len().saturating_sub(block.data.start),
            None => block.used(),
        };
        OfBlock { file: file.clone(), block: block.clone(), len }
    }

    /// The first ones.
    pub(super) fn first(mut self, most: u64) -> OfBlock {
        self.len = self.len.min(most);
        self
    }
}

impl Pieces for OfBlock {
    fn len(&self) -> u64 {
        self.len
    }

    fn origin(&self) -> Option<Origin> {
        Some(Origin { file: self.file.id(), block: self.block.index })
    }

    fn whole(&self) -> Option<&[u8]> {
        if self.block.compression().is_some() {
            return None;
        }
        dudley::bytes::slice(self.file.source().bytes()?, self.block.data.start, self.len()).ok()
    }

    fn each(&self, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let elements = self.file.elements(self.block.index as i64)?;
        hand_out(&*elements.source, elements.address, self.len(), sink)
    }
}
