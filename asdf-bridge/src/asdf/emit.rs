//! All that is in a part of the tree as values, arrays among them.

use dudley::convert::Conversion;
use dudley::value::{Part, Scalar as Shown, Sink};

use super::error::{Error, Result};
use super::inline::complex_of;
use super::item::Item;
use super::number;
use super::tag;
use super::tree::{NodeKind, Scalar};

/// How many nodes are shown at most; shared ones count each time. A tree has fewer, but for one that was
/// made to have more.
const NODES: u64 = 1 << 22;

/// How deep nodes may stand in each other: references may lead into what they stand in.
const DEPTH: usize = 600;

/// Shows a node and all that is in it.
pub(super) fn emit(item: &Item, sink: &mut dyn Sink, exact: bool) -> Result<()> {
    Emitter { sink, exact, left: NODES, depth: 0 }.item(item.clone())
}

struct Emitter<'s> {
    sink: &'s mut dyn Sink,
    exact: bool,
    left: u64,
    depth: usize,
}

impl Emitter<'_> {
    fn item(&mut self, item: Item) -> Result<()> {
        self.left = self.left.checked_sub(1).ok_or_else(|| Error::Limit {
            what: "nodes of the tree, with shared ones each time".into(),
            limit: NODES.to_string().into(),
        })?;
        if self.depth > DEPTH {
            let (path, limit) = (item.path().into(), DEPTH);
            return Err(Error::EndlessReference { path, limit });
        }
        self.depth += 1;
        let item = item.resolve()?;
        if item.is_array() {
            item.array()?.emit(self.sink, self.exact)?;
        } else if !self.core(&item)? {
            self.node(&item)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Shows what has a tag of its own for a single value.
    fn core(&mut self, item: &Item) -> Result<bool> {
        if let Some((re, im)) = complex_of(item.node()) {
            self.sink.scalar(Shown::Complex(Part::Float(re, 8), Part::Float(im, 8)))?;
            return Ok(true);
        }
        if tag::core(item.node()) != Some("integer") {
            return Ok(false);
        }
        let Some(digits) = integer(item)? else { return Ok(false) };
        match digits.parse() {
            Ok(value) => self.sink.scalar(Shown::Int(value))?,
            Err(_) => self.sink.scalar(Shown::Text(&digits))?,
        }
        Ok(true)
    }

    fn node(&mut self, item: &Item) -> Result<()> {
        let node = item.node();
        match node.kind() {
            NodeKind::Scalar => {
                if let Some(scalar) = node.scalar() {
                    self.sink.scalar(shown(&scalar))?;
                }
            }
            NodeKind::Sequence => {
                self.sink.begin_array(node.len() as u64)?;
                item.items().into_iter().try_for_each(|item| self.item(item))?;
                self.sink.end_array()?;
            }
            NodeKind::Mapping => {
                self.sink.begin_struct()?;
                for ((key, _), value) in node.entries().zip(item.items()) {
                    self.sink.field(key.text().unwrap_or("?"))?;
                    self.item(value)?;
                }
                self.sink.end_struct()?;
            }
        }
        Ok(())
    }
}

fn shown<'s>(scalar: &'s Scalar<'_>) -> Shown<'s> {
    match scalar {
        Scalar::Null => Shown::Null,
        Scalar::Bool(value) => Shown::Bool(*value),
        Scalar::Int(value) => Shown::Int(*value),
        Scalar::Float(value) => Shown::Float(*value, 8),
        Scalar::Huge(text) | Scalar::Text(text) | Scalar::Timestamp(text) => Shown::Text(text),
        Scalar::Binary(bytes) => Shown::Bits(bytes),
    }
}

/// The digits of a node of the tag `core/integer`: a sign, and words of 32 bits.
fn integer(item: &Item) -> Result<Option<String>> {
    let node = item.node();
    let negative = node.get("sign").and_then(|sign| sign.text()) == Some("-");
    let words = item.items().into_iter().zip(node.entries());
    let words = words.into_iter().find(|(_, (key, _))| key.text() == Some("words"));
    let Some((words, _)) = words else { return Ok(None) };
    let words = words.resolve()?.array()?.read_as::<i64>(Conversion::Lossless)?;
    let words: Option<Vec<u32>> = words.iter().map(|word| u32::try_from(*word).ok()).collect();
    match words {
        Some(words) => Ok(Some(number::integer(negative, &words))),
        None => Err(node.error(item.path(), "words of 32 bits")),
    }
}
