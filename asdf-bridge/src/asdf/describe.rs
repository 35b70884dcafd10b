//! The layout with which the engine opens a file in place.

mod items;

use std::fmt::Write;

use dudley_parser::layout::words::Said;
use dudley_parser::resolve::check_view;

use super::array::Array;
use super::blocks::Block;
use super::datatype::{Datatype, said, shape};
use super::error::{Error, Result};
use super::file::AsdfFile;
use super::item::Item;
use super::ndarray::Source;
use super::text::Dialect;
use super::tree::{Node, NodeKind};
use items::{Items, Step};

/// A layout of a file's arrays, and what became of each.
#[derive(Clone, Debug)]
pub struct Description {
    /// The text of the layout.
    pub text: String,
    /// The arrays of the tree, in its order.
    pub arrays: Vec<Described>,
}

/// The fate of an array in a layout.
#[derive(Clone, Debug)]
pub struct Described {
    /// Its path in the tree.
    pub path: String,
    /// The path of its item in the layout; `None` if it has none.
    pub item: Option<String>,
    /// Why the item is not the array itself, or is missing; `None` if it is the same.
    pub reason: Option<String>,
}

impl Item {
    /// Its unit: what stands as `unit` beside it, if it is the `value` of a quantity or the `data` of a
    /// column.
    pub fn unit(&self) -> Option<String> {
        about(self).0
    }

    /// The `description` or `title` next to it.
    pub fn description(&self) -> Option<String> {
        about(self).1
    }
}

impl AsdfFile {
    /// A layout that has the arrays of the tree where they lie in the file, each at its address, with
    /// the filters that blocks went through, and units and documentation of the tree. The engine opens
    /// the file with it, with the filters of [`crate::filter::registry`].
    ///
    /// What no layout can say, and why, is in a comment and in [`Description::arrays`]: of a view that the elements of its
    /// block do not hold the layout has that block, and arrays in the tree or in other files are not in it. Of a file
    /// without a tree it has the blocks, as bytes.
    ///
    /// # Errors
    /// As [`Self::tree`]; [`super::Error::Limit`].
    pub fn describe(&self) -> Result<Description> {
        let mut text = self.heading();
        let mut writer = Writer::default();
        let walked = self.walk(&mut |item| {
            // Of an array in chunks these lie somewhere.
            if !item.is_array() || item.is_chunked() {
                return Ok(true);
            }
            writer.array(item);
            Ok(false)
        });
        match walked {
            Err(Error::NoTree) => self.describe_blocks(&mut text)?,
            walked => walked?,
        }
        writer.items.write(&mut text);
        Ok(Description { arrays: writer.finish(), text })
    }

    /// The blocks of a file that has nothing else.
    fn describe_blocks(&self, text: &mut String) -> Result<()> {
        text.push_str("# There is no tree, so that nothing says what the blocks are.\n");
        for (index, block) in self.blocks()?.into_iter().enumerate() {
            // Writing to a String cannot fail.
            let sized = block.and_then(|block| extent(self, &block).map(|bytes| (block, bytes)));
            let _ = match sized {
                Ok((block, bytes)) if block.compression().is_none() => {
                    writeln!(text, "/block_{index} = u1[{bytes}] @{}", block.data.start)
                }
                Ok((block, bytes)) if self.codecs().knows(&block) => {
                    writeln!(text, "/block_{index} = u1[{bytes}] {}", compressed(self, &block))
                }
                Ok(_) => writeln!(text, "# block {index}: its compression is not known"),
                Err(error) => writeln!(text, "# block {index}: {}", one_line(&error.to_string())),
            };
        }
        Ok(())
    }

    fn heading(&self) -> String {
        let text = self.text();
        let format = if text.dialect == Dialect::Finf { "FINF" } else { "ASDF" };
        let version = one_line(&text.version);
        let mut heading = format!("## The arrays of a file of {format} {version}");
        if let Some(standard) = &text.standard {
            let _ = write!(heading, ", standard {}", one_line(standard));
        }
        heading + ".\n"
    }
}

#[derive(Default)]
struct Writer {
    items: Items,
    /// The fate of each array, and whether it has an item.
    arrays: Vec<(Described, bool)>,
}

/// How an array is written in a layout.
struct Spelt {
    /// Its type, shape, filter and place.
    what: String,
    said: Said,
    reason: Option<String>,
}

impl Writer {
    fn array(&mut self, item: &Item) {
        let path = item.path().to_owned();
        let steps = steps(&path);
        let (reason, has_item) = match self.enter(item, &steps) {
            Ok(reason) => (reason, true),
            Err(why) => {
                self.items.comment(&steps, remark(&path, &why));
                (Some(why), false)
            }
        };
        self.arrays.push((Described { path, item: None, reason }, has_item));
    }

    /// Adds an array; why its item is not the array itself, if it is not.
    ///
    /// # Errors
    /// Why it has no item.
    fn enter(
        &mut self,
        item: &Item,
        steps: &[Step],
    ) -> std::result::Result<Option<String>, String> {
        let spelt = item.array().and_then(|array| spell(&array)).map_err(|why| why.to_string())?;
        let Some(spelt) = spelt else {
            return Err("its elements are in the tree or in another file".to_owned());
        };
        if item.path().contains("\\u0000") {
            return Err("a layout has no name with a NUL".to_owned());
        }
        let said = spelt.reason.as_ref().map(|why| remark(item.path(), why));
        self.items.item(steps, line(&spelt, item), said)?;
        Ok(spelt.reason)
    }

    /// The fate of the arrays.
    fn finish(self) -> Vec<Described> {
        let Writer { items, arrays, .. } = self;
        let mut paths = items.paths().into_iter();
        let with_path = |(described, has_item): (Described, bool)| {
            let item = if has_item { paths.next() } else { None };
            Described { item, ..described }
        };
        arrays.into_iter().map(with_path).collect()
    }
}

/// What stands in a layout for an item, behind its name.
fn line(spelt: &Spelt, item: &Item) -> String {
    let mut said = spelt.said.clone();
    // A chunk says where in the whole it is.
    let chunk = item.parent().filter(|parent| parent.node().get("ndarray").is_some());
    if let Some(start) = chunk.and_then(|chunk| shape(chunk.node().get("start")?, "").ok()) {
        said.spelt(format!("start = {start:?}"));
    }
    let (unit, doc) = about(item);
    if let Some(doc) = doc {
        said.doc(&doc);
    }
    if let Some(unit) = unit {
        said.unit(&unit);
    }
    format!("{}{}", spelt.what, said.text(""))
}

/// How a layout has an array; `None` if it is not in a block of the file.
fn spell(array: &Array) -> Result<Option<Spelt>> {
    let Some(Source::Block(_)) = array.source() else { return Ok(None) };
    let Some(block) = array.block()? else { return Ok(None) };
    let datatype = array.datatype();
    let mut said = array.numpy().map(said).unwrap_or_default();
    said.spelt(format!("block = {}", block.index));
    let mut reason = None;
    if array.mask().ok().flatten().is_some() {
        said.spelt("masked".to_owned());
        reason = Some("some of its elements have no value, which the item does not say".to_owned());
    }
    if matches!(datatype, Datatype::Wide(_)) {
        said.spelt("wide_float".to_owned());
    }
    let bytes = bytes(array)?;
    // That the array is in its block, and the block in the file.
    array.data()?;
    let (offset, packed) = (array.offset(), array.is_packed());
    if bytes == 0 {
        return Ok(Some(Spelt { what: datatype.spell(array.shape()), said, reason }));
    }
    let extent = extent(array.file(), &block)?;
    let whole = packed && offset == 0 && bytes == block.decoded;
    let what = match block.compression() {
        None if packed => {
            let address = block.data.start + offset;
            format!("{} @{address}", datatype.spell(array.shape()))
        }
        Some(_) if whole => {
            let place = compressed(array.file(), &block);
            format!("{} {place}", datatype.spell(array.shape()))
        }
        compression => {
            // Of what is compressed, all bytes must be those of elements.
            let base = match view(array, extent, compression.is_none())? {
                Some((base, attributes)) => {
                    attributes.into_iter().for_each(|attribute| said.spelt(attribute));
                    base
                }
                None => {
                    let masked = reason.map(|masked| format!("; {masked}")).unwrap_or_default();
                    reason = Some(format!("{}{masked}", seen(array, &block)?));
                    format!("u1[{extent}]")
                }
            };
            match compression {
                None => format!("{base} @{}", block.data.start),
                Some(_) => format!("{base} {}", compressed(array.file(), &block)),
            }
        }
    };
    Ok(Some(Spelt { what, said, reason }))
}

/// How many bytes the elements of an array have for a layout.
///
/// # Errors
/// [`Error::Limit`] if those, or those of one element, are more than any file has.
fn bytes(array: &Array) -> Result<u64> {
    let within = |bytes: &u64| i64::try_from(*bytes).is_ok();
    let size = array.datatype().size().filter(within);
    let shape = array.shape();
    let bytes = size.and_then(|size| {
        if shape.contains(&0) {
            Some(0)
        } else {
            shape.iter().try_fold(size, |bytes, dim| bytes.checked_mul(*dim))
        }
    });
    bytes.filter(within).ok_or_else(|| Error::Limit {
        what: "the elements of an array".into(),
        limit: "2^63 - 1 bytes".into(),
    })
}

/// Checks that an item has not the elements of an array, but all of its block.
fn seen(array: &Array, block: &Block) -> Result<String> {
    let (block, offset) = (block.index, array.offset());
    let how = if array.is_packed() {
        String::new()
    } else {
        format!(", with strides of {:?} bytes", array.strides()?)
    };
    let shape = array.shape();
    Ok(format!(
        "it is a view of shape {shape:?} from byte {offset} of block {block} on{how}; the item is the whole block, as it \
         is stored"
    ))
}

/// How many bytes a block has for a layout: as many as are in the file, or are decoded.
///
/// # Errors
/// If no layout can say how many it has.
fn extent(file: &AsdfFile, block: &Block) -> Result<u64> {
    if block.compression().is_none() {
        return Ok(block.used().min(file.source().len().saturating_sub(block.data.start)));
    }
    match block.used().max(block.decoded) {
        most if i64::try_from(most).is_err() => Err(Error::Block {
            index: block.index as i64,
            address: Some(block.address),
            expected: "sizes within 63 bits".into(),
            found: most.to_string().into(),
        }),
        _ => Ok(block.decoded),
    }
}

/// The filter of a block, its stored bytes, and its place.
fn compressed(file: &AsdfFile, block: &Block) -> String {
    let mut head = [0; 16];
    let length = block.used().min(16) as usize;
    // What cannot be read has no first bytes to tell it by.
    let read = file.source().read_at(block.data.start, &mut head[..length]).is_ok();
    let head = if read { &head[..length] } else { &[] };
    let name = file.codecs().filter_name(block.label, head).unwrap_or("unknown");
    format!("-> {name}[{}] @{}", block.used(), block.data.start)
}

/// The elements of a block of this many bytes, in one dimension, and the attributes that present them as an array (7.7 of
/// the language); `None` if that does not lie within them, or bytes are left over that cannot be `cut` off.
fn view(array: &Array, extent: u64, cut: bool) -> Result<Option<(String, [String; 3])>> {
    let datatype = array.datatype();
    let (mut strides, size) = (array.strides()?, datatype.size().unwrap_or(1));
    let shape = datatype.shaped(array.shape());
    // What elements are made of, as characters, is a dimension of its own.
    let within = shape.get(strides.len()).copied();
    let unit = within.map_or(size, |units| size / units.max(1));
    strides.extend(within.map(|_| unit as i64));
    let stored = extent.checked_div(unit).unwrap_or(0);
    if !cut && stored.saturating_mul(unit) != extent {
        return Ok(None);
    }
    let Ok(offset) = i64::try_from(array.offset()) else { return Ok(None) };
    if check_view(&shape, &strides, offset, (unit, stored)).is_err() {
        return Ok(None);
    }
    let base = match within {
        None => datatype.spell(&[stored]),
        Some(_) => {
            let one = datatype.spell(&[]);
            format!("{}[{stored}]", one.split('[').next().unwrap_or_default())
        }
    };
    let attributes = [
        format!("view_shape = {shape:?}"),
        format!("view_strides = {strides:?}"),
        format!("view_offset = {offset}"),
    ];
    Ok(Some((base, attributes)))
}

/// The steps of a path of the tree.
fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in dudley::read::path::parse(path).unwrap_or_default() {
        let dudley::read::path::Part::Name { text, quoted } = part else { continue };
        steps.push(match text.parse() {
            // What is at the top of a layout is in a dict.
            Ok(at) if !quoted && !steps.is_empty() => Step::Index(at),
            _ => Step::Key(text),
        });
    }
    if steps.is_empty() { vec![Step::Key("_".to_owned())] } else { steps }
}

/// A line on an array.
fn remark(path: &str, what: &str) -> String {
    format!("{}: {}", one_line(path), one_line(what))
}

/// How arrays are called that have their unit beside them: in a quantity, in the column of a table.
const NAMES: [&str; 2] = ["value", "data"];

/// Unit and documentation of an array: what stands beside it in a quantity, a column or the like.
pub(super) fn about(item: &Item) -> (Option<String>, Option<String>) {
    if !NAMES.contains(&dudley::read::path::split(item.own_path()).1) {
        return (None, None);
    }
    let Some(parent) = item.parent() else { return (None, None) };
    let node = parent.node();
    if node.kind() != NodeKind::Mapping {
        return (None, None);
    }
    let text = |key: &str| {
        let text = node.get(key).and_then(Node::text).map(one_line);
        text.filter(|text| !text.is_empty())
    };
    (text("unit"), text("description").or_else(|| text("title")))
}

/// Text without the ends of lines, and nothing at its ends.
fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.trim().to_owned()
}
