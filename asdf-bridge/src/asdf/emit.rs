//! All that is in a part of the tree as values, arrays among them.

use dudley::Value;
use dudley::elements::{Builder, Conversion, Part, Scalar as Shown, Sink};

use super::array::Array;
use super::error::{Error, Result};
use super::item::Item;
use super::number;
use super::tag;
use super::tag::complex_of;
use super::tree::{NodeId, NodeKind, Scalar};

/// How many nodes are shown at most; shared ones count each time. A tree has fewer, except for one that was
/// made to have more.
const NODES: u64 = 1 << 22;

/// How deep nodes may stand in each other: references may lead into what they stand in.
const DEPTH: usize = 600;

/// Receives what cannot be obtained.
pub(super) type Failed<'f> = dyn FnMut(&str, Error) + 'f;

/// Shows a node and all that is in it; with `failed`, as far as that can be obtained.
pub(super) fn emit(
    item: &Item,
    sink: &mut dyn Sink,
    exact: bool,
    failed: Option<&mut Failed<'_>>,
) -> Result<()> {
    Emitter { sink, exact, left: NODES, open: Vec::new(), failed }.all(item.clone())
}

impl Item {
    /// Everything in it as a value: arrays as lists, masked elements as null, references and shared
    /// nodes as what they stand for.
    ///
    /// # Errors
    /// If reading an array fails; [`Error::Limit`] if shared nodes come to very many.
    pub fn value(&self) -> Result<Value> {
        let mut builder = Builder::default();
        self.emit(&mut builder, false)?;
        Ok(builder.finish())
    }

    /// As [`Self::value`], into a sink. With `exact`, elements that their plain form would not give back
    /// bit by bit are given as bits.
    ///
    /// # Errors
    /// As [`Self::value`]; if the sink fails.
    pub fn emit(&self, sink: &mut dyn dudley::elements::Sink, exact: bool) -> Result<()> {
        emit(self, sink, exact, None)
    }

    /// As [`Self::emit`], of all that can be obtained: in place of an array that cannot, or of a reference that leads
    /// nowhere or in a circle, stands a mapping of `error` and why, which `failed` is given too, with the path.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let file = Open::new().bytes(*b"#ASDF 1.0.0\n--- {a: 1, b: {$ref: '#/c'}}\n...\n")?;
    /// let (mut builder, mut failed) = (dudley::elements::Builder::default(), Vec::new());
    /// file.root()?.emit_what_is(&mut builder, false, &mut |path, _| failed.push(path.to_owned()))?;
    /// assert_eq!(failed, ["/b"]);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Limit`]; if the sink fails.
    pub fn emit_what_is(
        &self,
        sink: &mut dyn dudley::elements::Sink,
        exact: bool,
        failed: &mut dyn FnMut(&str, Error),
    ) -> Result<()> {
        emit(self, sink, exact, Some(failed))
    }

    /// Whether it is one value: a scalar, or an integer of any length, which is a mapping of the tag `core/integer`.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, Open};
    ///
    /// let bytes = Builder::new().put("x", u64::MAX).to_bytes()?;
    /// let x = Open::new().bytes(bytes)?.get("/x")?;
    /// assert!(x.is_value() && x.node().scalar().is_none());
    /// assert_eq!(x.value()?, dudley::Value::Int(u64::MAX.into()));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn is_value(&self) -> bool {
        let node = self.node();
        match node.kind() {
            _ if self.is_array() => false,
            NodeKind::Scalar => true,
            NodeKind::Mapping => tag::core(node) == Some("integer") && node.get("words").is_some(),
            NodeKind::Sequence => false,
        }
    }
}

struct Emitter<'s, 'f> {
    sink: &'s mut dyn Sink,
    exact: bool,
    left: u64,
    /// Collections that are not complete. They may stand deeper in each other than the stack of a
    /// thread goes.
    open: Vec<Open>,
    /// Who hears of what cannot be obtained, if that is no end.
    failed: Option<&'s mut Failed<'f>>,
}

struct Open {
    /// The file and the node.
    of: (usize, NodeId),
    /// What follows, each value of a mapping with its key.
    rest: std::vec::IntoIter<(Option<String>, Item)>,
    mapping: bool,
}

/// What there is to be shown.
enum Had {
    Array(Box<Array>),
    Other(Item),
}

impl Emitter<'_, '_> {
    fn all(&mut self, item: Item) -> Result<()> {
        self.item(item)?;
        while let Some(open) = self.open.last_mut() {
            match open.rest.next() {
                Some((key, item)) => {
                    if let Some(key) = key {
                        self.sink.field(&key)?;
                    }
                    self.item(item)?;
                }
                None => {
                    let mapping = open.mapping;
                    self.open.pop();
                    if mapping { self.sink.end_struct()? } else { self.sink.end_array()? }
                }
            }
        }
        Ok(())
    }

    fn item(&mut self, item: Item) -> Result<()> {
        self.left = self.left.checked_sub(1).ok_or_else(|| Error::Limit {
            what: "nodes of the tree, with shared ones each time".into(),
            limit: NODES.to_string().into(),
        })?;
        if self.open.len() > DEPTH {
            let (path, limit) = (item.path().into(), DEPTH);
            return Err(Error::EndlessReference { path, limit });
        }
        let path = item.path().to_owned();
        match self.had(item, &path) {
            Ok(Had::Array(array)) => array.emit(self.sink, self.exact),
            Ok(Had::Other(item)) if self.core(&item)? => Ok(()),
            Ok(Had::Other(item)) => self.node(&item),
            Err(error) => self.without(&path, error),
        }
    }

    /// What an item refers to, or is.
    fn had(&self, item: Item, path: &str) -> Result<Had> {
        let place = |item: &Item| (item.file().id(), item.node().id());
        let before = place(&item);
        let item = item.resolve()?;
        let of = place(&item);
        let may_be_open = of != before || item.node().tree().is_round(item.node().id());
        if may_be_open && self.open.iter().any(|open| open.of == of) {
            let target = item.within_itself().unwrap_or_else(|| item.own_path().to_owned());
            let (path, target) = (path.into(), target.into());
            return Err(Error::CircularReference { path, target });
        }
        if !item.is_array() {
            return Ok(Had::Other(item));
        }
        let array = item.array()?;
        if self.failed.is_some() {
            // Once something of it is shown, it is too late.
            array.check_mask()?;
            let data = array.held()?;
            if array.block()?.is_some_and(|block| block.compression().is_some()) {
                data.for_each_block(&mut |_| Ok(()))?;
            }
        }
        Ok(Had::Array(Box::new(array)))
    }

    /// What stands in place of an item that cannot be obtained.
    fn without(&mut self, path: &str, error: Error) -> Result<()> {
        let Some(failed) = &mut self.failed else { return Err(error) };
        self.sink.begin_struct()?;
        self.sink.field("error")?;
        self.sink.scalar(Shown::Text(&error.to_string()))?;
        self.sink.end_struct()?;
        failed(path, error);
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
        let mapping = match node.kind() {
            NodeKind::Scalar => {
                if let Some(scalar) = node.scalar() {
                    self.sink.scalar(shown(&scalar))?;
                }
                return Ok(());
            }
            NodeKind::Sequence => {
                self.sink.begin_array(node.len() as u64)?;
                false
            }
            NodeKind::Mapping => {
                self.sink.begin_struct()?;
                true
            }
        };
        let keys = node.entries().map(|(key, _)| Some(node.name_of(key).into_owned()));
        let keys: Vec<Option<String>> =
            if mapping { keys.collect() } else { vec![None; node.len()] };
        let rest: Vec<_> = keys.into_iter().zip(item.items()).collect();
        let of = (item.file().id(), node.id());
        self.open.push(Open { of, rest: rest.into_iter(), mapping });
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
