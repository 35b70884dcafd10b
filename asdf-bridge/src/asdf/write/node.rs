//! The node of an array in the tree, and which block its elements go to.

use std::collections::HashMap;
use std::sync::Arc;

use dudley::{ByteOrder, Primitive};

use super::super::datatype::{Datatype, NUMPY};
use super::super::error::{Error, Result};
use super::super::tree::Style;
use super::block::NewBlock;
use super::compress::Compression;
use super::inline;
use super::pieces::Pieces;
use super::standard::Target;
use super::yaml::Yaml;
use super::yaml::array::{NewArray, NewMask, Storage};

/// What stands under `source`, by the number of a block.
pub(crate) type Sources<'s> = dyn Fn(usize) -> Yaml<'static> + 's;

/// Makes nodes of arrays, and collects their blocks.
pub(crate) struct Nodes<'s, 'a> {
    pub(crate) target: Target,
    pub(crate) sources: &'s Sources<'s>,
    /// Arrays of this many elements go to the tree.
    pub(crate) inline_up_to: u64,
    /// The compression of blocks that say nothing of it.
    pub(crate) compression: Option<Compression>,
    /// The compression of all blocks, whatever they say.
    pub(crate) recompression: Option<Option<Compression>>,
    pub(crate) blocks: Vec<NewBlock<'a>>,
    /// Blocks by the addresses of their bytes in memory.
    pub(crate) known: HashMap<usize, usize>,
    /// Whether there is a streamed array.
    pub(crate) streamed: bool,
}

impl<'s, 'a> Nodes<'s, 'a> {
    /// Every array in a block, compressed as it says.
    pub(crate) fn new(target: Target, sources: &'s Sources<'s>) -> Nodes<'s, 'a> {
        Nodes {
            target,
            sources,
            inline_up_to: 0,
            compression: None,
            recompression: None,
            blocks: Vec::new(),
            known: HashMap::new(),
            streamed: false,
        }
    }

    /// The node of an array.
    ///
    /// # Errors
    /// [`Error::Unwritable`] for what the format does not have; if reading elements for the tree fails.
    pub(crate) fn node(&mut self, array: &NewArray<'a>, path: &str) -> Result<Yaml<'static>> {
        if let Target::Finf { .. } = self.target {
            finf(array, path)?;
        }
        let small = array.shape.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim));
        let small = small.is_some_and(|count| count <= self.inline_up_to);
        let wanted = match array.storage {
            Storage::Inline => true,
            Storage::BySize => small,
            Storage::Block | Storage::Streamed => false,
        };
        if wanted
            && matches!(self.target, Target::Asdf(_))
            && let Some(lists) = inline::lists(array, path)?
        {
            return self.inline(array, lists);
        }
        self.stored(array, path)
    }

    fn inline(&self, array: &NewArray<'a>, lists: Yaml<'static>) -> Result<Yaml<'static>> {
        let mut entries = vec![("data", lists), ("datatype", datatype(&array.datatype))];
        // Numbers of a tree have none; this is what the array had, and little-endian if nothing is said.
        if stated(&array.datatype) == Some(ByteOrder::Big) {
            entries.push(("byteorder", Yaml::from(name(ByteOrder::Big))));
        }
        entries.push(("shape", Yaml::sequence(array.shape.iter().copied()).flow()));
        Ok(self.tagged(entries).styled(Style::Block))
    }

    fn stored(&mut self, array: &NewArray<'a>, path: &str) -> Result<Yaml<'static>> {
        let finf = matches!(self.target, Target::Finf { .. });
        let order = order(&array.datatype);
        let streamed = array.storage == Storage::Streamed;
        let source = if streamed {
            self.streamed = true;
            Yaml::from(-1)
        } else {
            (self.sources)(self.block(array))
        };
        let mut entries = vec![("source", source)];
        if let Some(mask) = &array.mask {
            entries.push(("mask", self.mask(mask, path)?));
        }
        let of = datatype(&array.datatype);
        entries.push((self.target.datatype(), of));
        if !finf || order == ByteOrder::Little {
            entries.push(("byteorder", Yaml::from(name(order))));
        }
        let rows = streamed.then(|| Yaml::from("*"));
        let shape = rows.into_iter().chain(array.shape.iter().map(|dim| Yaml::from(*dim)));
        entries.push(("shape", Yaml::sequence(shape)));
        if array.offset > 0 {
            entries.push(("offset", Yaml::from(array.offset)));
        }
        if let Some(strides) = array.odd_strides() {
            entries.push(("strides", Yaml::sequence(strides.iter().copied())));
        }
        if finf {
            // As pyfinf has them.
            entries.sort_by_key(|(key, _)| *key);
        }
        Ok(self.tagged(entries).styled(Style::Block))
    }

    fn tagged(&self, entries: Vec<(&'static str, Yaml<'static>)>) -> Yaml<'static> {
        Yaml::mapping(entries).tagged(self.target.tag("core/ndarray-1.1.0"))
    }

    /// The number of the block that has an array's bytes.
    fn block(&mut self, array: &NewArray<'a>) -> usize {
        let compression = match &self.recompression {
            Some(all) => all.clone(),
            None => array.compression.clone(),
        };
        let next = self.blocks.len();
        let index = *self.known.entry(address(&array.pieces)).or_insert(next);
        if index == next {
            let compression = compression.or_else(|| self.compression.clone());
            let size = array.datatype.size().unwrap_or(1);
            let compression = compression.map(|compression| compression.of_elements(size));
            self.blocks.push(NewBlock { compression, ..NewBlock::plain(array.pieces.clone()) });
        }
        index
    }

    fn mask(&mut self, mask: &NewMask<'a>, path: &str) -> Result<Yaml<'static>> {
        Ok(match mask {
            NewMask::Nan => Yaml::from(f64::NAN),
            NewMask::Int(value) => Yaml::from(*value),
            NewMask::Number(re, 0.0) => Yaml::from(*re),
            NewMask::Number(re, im) => Yaml::from(dudley::num_complex::Complex::new(*re, *im)),
            NewMask::Array(array) => self.node(array, &format!("{path}/mask"))?,
        })
    }
}

/// Checks that FINF has such arrays: of numbers, in blocks.
fn finf(array: &NewArray<'_>, path: &str) -> Result<()> {
    let unwritable = |found: &str| Error::Unwritable {
        what: path.into(),
        expected: "an array of numbers without a mask, which is what FINF has".into(),
        found: found.into(),
    };
    if array.mask.is_some() {
        return Err(unwritable("a mask"));
    }
    if array.storage == Storage::Streamed {
        return Err(unwritable("an array of as many rows as there are"));
    }
    match &array.datatype {
        Datatype::Number(Primitive::B1, _) => Err(unwritable("booleans")),
        Datatype::Number(Primitive::F2, _) => Err(unwritable("floats of 16 bits")),
        Datatype::Number(..) | Datatype::Wide(_) => Ok(()),
        Datatype::Text(..) => Err(unwritable("text")),
        Datatype::Record(_) => Err(unwritable("structs")),
    }
}

fn address(pieces: &Arc<dyn Pieces + '_>) -> usize {
    Arc::as_ptr(pieces).cast::<()>().addr()
}

fn name(order: ByteOrder) -> &'static str {
    match order {
        ByteOrder::Little => "little",
        ByteOrder::Big => "big",
    }
}

/// The byte order that an array states: that of its first field that has one.
fn order(datatype: &Datatype) -> ByteOrder {
    stated(datatype).unwrap_or(ByteOrder::Big)
}

/// The order of a type; `None` if it has single bytes only, which are said to be big.
fn stated(datatype: &Datatype) -> Option<ByteOrder> {
    match datatype {
        Datatype::Number(primitive, order) | Datatype::Text(primitive, _, order) => {
            (primitive.size() > 1).then_some(*order)
        }
        // As all machines that wrote them have it.
        Datatype::Wide(_) => Some(ByteOrder::Little),
        Datatype::Record(fields) => fields.iter().find_map(|field| stated(&field.datatype)),
    }
}

/// A type as the tree names it. `order` is what the array states; fields say theirs.
fn datatype(of: &Datatype) -> Yaml<'static> {
    match of {
        Datatype::Number(..) | Datatype::Wide(_) | Datatype::Text(..) => named(of),
        Datatype::Record(fields) => {
            let fields = fields.iter().map(|field| {
                let mut entries = vec![("name", Yaml::from(field.name.as_str()))];
                entries.push(("datatype", datatype(&field.datatype)));
                let own = stated(&field.datatype).unwrap_or(ByteOrder::Big);
                if !matches!(field.datatype, Datatype::Record(_)) {
                    entries.push(("byteorder", Yaml::from(name(own))));
                }
                if !field.shape.is_empty() {
                    entries.push(("shape", Yaml::sequence(field.shape.iter().copied()).flow()));
                }
                if let Some(numpy) = &field.numpy {
                    entries.push((NUMPY, Yaml::from(numpy.as_str())));
                }
                Yaml::mapping(entries)
            });
            Yaml::sequence(fields)
        }
    }
}

fn named(of: &Datatype) -> Yaml<'static> {
    match of {
        Datatype::Text(primitive, units, _) => {
            let name = if *primitive == Primitive::S1 { "ascii" } else { "ucs4" };
            Yaml::sequence([Yaml::from(name), Yaml::from(*units)]).flow()
        }
        other => Yaml::from(other.name()),
    }
}
