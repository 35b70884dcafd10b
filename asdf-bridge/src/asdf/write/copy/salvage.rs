//! The readable parts of a damaged file, to write them again: complete arrays, and the first rows of others.

use std::sync::Arc;

use dudley::bytes::Region;
use dudley::{ByteOrder, Primitive, bytes};

use crate::asdf::array::{Array, strides};
use crate::asdf::blocks::Block;
use crate::asdf::datatype::Datatype;
use crate::asdf::error::{Error, Result};
use crate::asdf::file::AsdfFile;
use crate::asdf::item::{Item, below};
use crate::asdf::ndarray::{Source, Stored};
use crate::asdf::tree::{Node, NodeKind};
use crate::asdf::write::copy::{Copier, OfBlock, compression_of};
use crate::asdf::write::pieces::{Origin, Pieces};
use crate::asdf::write::yaml::array::{NewArray, NewMask};
use crate::asdf::write::yaml::{Content, Yaml};

/// Hears what becomes of the arrays of a damaged file: see [`Item::salvage`].
pub trait Salvage {
    /// All of an array can be read, and is kept.
    fn kept(&mut self, array: &Array);

    /// An array cannot be read, or not all of it: what stands in its place.
    fn lost(&mut self, lost: Lost<'_>) -> Yaml<'static>;
}

/// An array that cannot be read, or not all of it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Lost<'l> {
    /// Its path in the tree.
    pub path: &'l str,
    /// Its node in the tree; `None` if it cannot be understood.
    pub array: Option<&'l Array>,
    /// Why it cannot be read.
    pub why: Error,
    /// Its first rows, as [`Array::first_rows`] has them.
    pub first_rows: Option<NewArray<'static>>,
    /// Its node in the tree without its tag, if nothing else can be kept.
    pub node: Option<Yaml<'static>>,
    /// The bytes of its block, as far as they can be read, if there are no rows.
    pub bytes: Option<NewArray<'static>>,
}

impl Item {
    /// The part of the tree below here as far as it can be read: what [`Self::to_yaml`] gives, but all arrays are
    /// read before, and `hears` says what stands in place of those that cannot be. Arrays that shared a block
    /// will share what can be read of it.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Array, Builder, Lost, NewArray, Open, Salvage, Yaml};
    ///
    /// struct Count(u32);
    ///
    /// impl Salvage for Count {
    ///     fn kept(&mut self, _: &Array) {
    ///         self.0 += 1;
    ///     }
    ///     fn lost(&mut self, lost: Lost<'_>) -> Yaml<'static> {
    ///         lost.first_rows.map_or(Yaml::null(), Yaml::from)
    ///     }
    /// }
    ///
    /// let x = NewArray::from(vec![1_i64, 2, 3, 4]);
    /// let first = x.view(0, &[2], &[8])?;
    /// let mut bytes = Builder::new().put("x", x).put("first", first).index(false).to_bytes()?;
    /// bytes.truncate(bytes.len() - 8);
    /// let mut count = Count(0);
    /// let tree = Open::new().bytes(bytes)?.root()?.salvage(&mut count);
    /// let file = Open::new().bytes(Builder::from_tree(tree).to_bytes()?)?;
    /// assert_eq!(count.0, 1);
    /// assert_eq!(file.array("/first")?.read::<i64>()?.as_slice(), Some(&[1, 2][..]));
    /// assert_eq!(file.array("/x")?.read::<i64>()?.as_slice(), Some(&[1, 2, 3][..]));
    /// assert_eq!(file.blocks()?.len(), 1);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn salvage(&self, hears: &mut dyn Salvage) -> Yaml<'static> {
        let mut copier = Copier::new(self.file(), Some(hears));
        // Only arrays can fail, and they do not.
        copier.node(self.node(), self.path()).unwrap_or_else(|_| Yaml::null())
    }
}

impl Array {
    /// The first rows, as many as can be read, of an array whose block is cut off or damaged: those are the
    /// indices of its first dimension. `None` if there is no whole one, if the array has no dimensions, or if it is
    /// not in a block. What is stored is read, and decompressed, when it is written. A mask that
    /// cannot be read is left out.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open};
    ///
    /// let x = NewArray::from(vec![1_i64, 2, 3, 4]);
    /// let mut bytes = Builder::new().put("x", x).index(false).to_bytes()?;
    /// bytes.truncate(bytes.len() - 12);
    /// let file = Open::new().bytes(bytes)?;
    /// assert!(file.array("/x")?.read::<i64>().is_err());
    ///
    /// let rows = file.array("/x")?.first_rows()?.expect("two of four");
    /// assert_eq!(rows.shape(), [2]);
    /// let file = Open::new().bytes(Builder::new().put("x", rows).to_bytes()?)?;
    /// assert_eq!(file.array("/x")?.read::<i64>()?.as_slice(), Some(&[1, 2][..]));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Block`] if the block has no header that can be read; [`Error::External`] if it is in another file
    /// that cannot be obtained; [`Error::Engine`] if the file cannot be read.
    pub fn first_rows(&self) -> Result<Option<NewArray<'static>>> {
        Copier::new(self.file(), Some(&mut Nobody)).rows(self)
    }

    /// How many rows are within the first bytes of a block; `None` if not one is.
    fn rows_in(&self, stored: &Stored, bytes: u64) -> Result<Option<u64>> {
        let (Some(all), Some(size)) = (self.shape().first(), self.datatype().size()) else {
            return Ok(None);
        };
        let strides = strides(stored, self.shape())?;
        let mut shape = self.shape().to_vec();
        let (mut least, mut most) = (0, *all);
        while least < most {
            let rows = least + (most - least).div_ceil(2);
            shape[0] = rows;
            let region = Region::new(stored.offset, &shape, &strides, size);
            if region.is_ok_and(|region| region.span().end <= bytes) {
                least = rows
            } else {
                most = rows - 1
            }
        }
        Ok((least > 0 && size > 0).then_some(least))
    }
}

impl AsdfFile {
    /// The data of a block as bytes, as many as can be read, and why that is not all of them.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open};
    ///
    /// let bytes = Builder::new().put("x", NewArray::from(vec![1_u8, 2, 3])).index(false).to_bytes()?;
    /// let file = Open::new().bytes(&bytes[..bytes.len() - 1])?;
    /// let (data, why) = file.salvage_block(0)?;
    /// assert_eq!(data.shape(), [2]);
    /// assert!(why.is_some_and(|why| why.to_string().contains("3 bytes are needed")));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Block`] if there is no such block, it has no header that can be read, or its compression is not
    /// known.
    pub fn salvage_block(&self, index: i64) -> Result<(NewArray<'static>, Option<Error>)> {
        let block = self.block(index)?;
        let (pieces, why) = readable(self, &block)?;
        let mut bytes = single_bytes(pieces);
        bytes.compression = compression_of(self, &block).filter(|_| why.is_none());
        Ok((bytes, why))
    }
}

/// Bytes as an array.
fn single_bytes(pieces: Arc<dyn Pieces>) -> NewArray<'static> {
    let shape = vec![pieces.len()];
    // Python too calls single bytes so, which have no order.
    let byte = Datatype::Number(Primitive::U1, ByteOrder::Big);
    NewArray::new(pieces, byte, shape).block()
}

/// Wants to know of no array.
struct Nobody;

impl Salvage for Nobody {
    fn kept(&mut self, _: &Array) {}

    fn lost(&mut self, _: Lost<'_>) -> Yaml<'static> {
        Yaml::null()
    }
}

impl Copier<'_> {
    /// An array, or what stands in its place.
    pub(crate) fn salvaged(&mut self, node: Node<'_>, path: &str) -> Yaml<'static> {
        let array = Array::of(&self.file, node, path);
        let is_part = std::mem::replace(&mut self.in_array, true);
        let copied = match &array {
            Ok(array) if array.stored().is_some() => self.array(array, node, path),
            // What is not in a block can stay as it is, if it is sound.
            Ok(array) => array.check().and_then(|()| self.copied(node, path)),
            Err(_) => Ok(Yaml::null()),
        };
        self.in_array = is_part;
        let (array, why) = match (array, copied) {
            (Ok(array), Ok(copied)) => {
                // A mask is kept with its array.
                if let Some(hears) = self.salvage.as_mut().filter(|_| !is_part) {
                    hears.kept(&array);
                }
                return copied;
            }
            (Ok(array), Err(why)) => (Some(array), why),
            (Err(why), _) => (None, why),
        };
        let array = array.as_ref();
        let first_rows = array.and_then(|array| self.rows(array).ok().flatten());
        let in_block = array.is_some_and(|array| array.stored().is_some());
        let node_alone = if in_block { None } else { self.bare(node, path) };
        let bytes = if first_rows.is_none() { self.bytes(node) } else { None };
        let lost = Lost { path, array, why, first_rows, node: node_alone, bytes };
        self.salvage.as_mut().map_or(Yaml::null(), |hears| hears.lost(lost))
    }

    /// The first rows of an array.
    fn rows(&mut self, array: &Array) -> Result<Option<NewArray<'static>>> {
        let Some(stored) = array.stored() else { return Ok(None) };
        let (block, pieces) = self.block(&stored.source)?;
        let Some(rows) = array.rows_in(stored, pieces.len())? else { return Ok(None) };
        let mut new = self.in_block(array, stored, &block, pieces);
        new.shape[0] = rows;
        let node = array.node()?;
        let mask = array.check_mask().and_then(|()| self.mask(stored.mask, node, array.path()));
        new.mask = match mask {
            Ok(Some(NewMask::Array(mask))) => {
                Some(Box::new(NewMask::Array(rows_of(mask, array, rows))))
            }
            mask => mask.ok().flatten().map(Box::new),
        };
        Ok(Some(new))
    }

    /// What the tree says, as no array.
    fn bare(&mut self, node: Node<'_>, path: &str) -> Option<Yaml<'static>> {
        if node.kind() != NodeKind::Mapping {
            let mut copy = self.copied(node, path).ok()?;
            copy.tag = None;
            return Some(copy);
        }
        let mut entries = Vec::new();
        for (key, value) in node.entries() {
            let path = below(path, &node.name_of(key), true);
            entries.push((self.node(key, &path).ok()?, self.node(value, &path).ok()?));
        }
        Some(Yaml::new(Content::Mapping(entries)))
    }

    /// The bytes of the block that a node names.
    fn bytes(&mut self, node: Node<'_>) -> Option<NewArray<'static>> {
        let source = Source::Block(node.get("source")?.as_i64()?);
        let (_, pieces) = self.block(&source).ok()?;
        (pieces.len() > 0).then(|| single_bytes(pieces))
    }
}

/// A mask of the first rows of an array. One of fewer dimensions is repeated for each row.
fn rows_of(mut mask: NewArray<'static>, array: &Array, rows: u64) -> NewArray<'static> {
    if mask.shape.len() == array.shape().len() && mask.shape.first() == array.shape().first() {
        mask.shape[0] = rows;
    }
    mask
}

/// The data of a block as far as they can be read, and why that is not all of them.
///
/// # Errors
/// [`Error::Block`] for a compression that is not known.
pub(crate) fn readable(
    file: &AsdfFile,
    block: &Arc<Block>,
) -> Result<(Arc<dyn Pieces>, Option<Error>)> {
    let there = file.source().len().saturating_sub(block.data.start);
    let cut = bytes::check(file.source().len(), block.data.start, block.used());
    let all = OfBlock::new(file, block);
    if block.compression().is_none() {
        return Ok((Arc::new(all.first(there)), cut.err().map(Error::from)));
    }
    // What is damaged may show at the end.
    let why = match cut.map_err(Error::from).and_then(|()| all.each(&mut |_| Ok(()))) {
        Ok(()) => return Ok((Arc::new(all), None)),
        Err(why) => why,
    };
    let there = there.min(block.used());
    let len = file.decoded_start(block, there, &mut |_| Ok(()))?;
    Ok((Arc::new(Start { file: file.clone(), block: block.clone(), there, len }), Some(why)))
}

/// The first data of a damaged block, which are decompressed whenever they are wanted: little can become very much.
#[derive(Debug)]
struct Start {
    file: AsdfFile,
    block: Arc<Block>,
    /// This many stored bytes are there.
    there: u64,
    /// They are decompressed to this many.
    len: u64,
}

impl Pieces for Start {
    fn len(&self) -> u64 {
        self.len
    }

    fn origin(&self) -> Option<Origin> {
        Some(Origin { file: self.file.id(), block: self.block.index })
    }

    fn each(&self, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        self.file.decoded_start(&self.block, self.there, sink).map(|_| ())
    }
}
