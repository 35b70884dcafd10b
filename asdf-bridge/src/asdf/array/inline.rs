//! Arrays whose elements stand in the tree: lists of numbers, of text, of rows.
//!
//! They become arrays of the engine by its own writer, in memory, so that they are read like any other.

use dudley::{ByteOrder, Data, Primitive, Value};

use crate::asdf::array::Array;
use crate::asdf::array::missing::{Elements, Missing};
use crate::asdf::datatype::{Datatype, Field};
use crate::asdf::error::{Error, Result};
use crate::asdf::ndarray::Inline;
use crate::asdf::report::{Code, Finding};
use crate::asdf::tag::complex_of;
use crate::asdf::tree::{Node, NodeId, NodeKind, Scalar, Tree};

/// Elements that an array may have for each node of its tree, as shared lists come to many, and how many
/// it may have anyway.
const SHARED: u64 = 8;
const SMALL: u64 = 1 << 16;

/// How many dimensions an array may have.
const RANK: usize = 64;

/// An array of the tree, read.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) datatype: Datatype,
    pub(crate) shape: Vec<u64>,
    /// What the tree says of elements without a value.
    pub(crate) mask: Option<NodeId>,
    /// The first text of other characters than those that its type has.
    foreign: Option<NodeId>,
    values: Value,
    /// For each element whether it is null, of structs for each cell; `None` if none is.
    missing: Option<Vec<bool>>,
}

/// Reads the array that the tree has in lists.
pub(crate) fn read(tree: &Tree, spec: &Inline, path: &str) -> Result<Read> {
    let data = tree.node(spec.data);
    let mut shape = match (&spec.shape, &spec.datatype) {
        // Of an empty list nothing can be seen.
        (Some(shape), _) if shape.contains(&0) => shape.clone(),
        (Some(shape), _) if has_shape(data, shape) => shape.clone(),
        (_, Some(Datatype::Record(fields))) => row_shape(data, fields),
        _ => list_shape(data),
    };
    if let Some(stated) = spec.shape.as_ref().filter(|stated| **stated != shape) {
        // A single element may be declared as such, or as an array of one.
        let found = format!("{shape:?}");
        if stated.iter().product::<u64>() != shape.iter().product::<u64>() || !shape.is_empty() {
            let expected = format!("elements of the shape {stated:?}");
            return Err(data.error_with(path, expected, found));
        }
        shape.clone_from(stated);
    }
    if shape.len() > RANK {
        let limit = format!("{RANK} dimensions").into();
        return Err(Error::Limit { what: format!("`{path}`").into(), limit });
    }
    let count = shape.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim));
    let most = SHARED.saturating_mul(tree.len() as u64).max(SMALL);
    let bounded = |count: Option<u64>| match count.filter(|count| *count <= most) {
        Some(count) => Ok(count),
        None => {
            let limit = format!("{most} elements").into();
            Err(Error::Limit { what: format!("`{path}`").into(), limit })
        }
    };
    let count = bounded(count)?;
    let datatype = match &spec.datatype {
        Some(datatype) => datatype.clone(),
        None => inferred(data, &shape, path)?,
    };
    // Null may stand for a struct of very many cells.
    bounded(datatype.cells().and_then(|cells| cells.max(1).checked_mul(count)))?;
    let mut reader = Reader { path, foreign: None, missing: Vec::new() };
    let values = match shape.contains(&0) || (shape.len() == 1 && !is_list(data)) {
        true if shape.contains(&0) => Value::Array(Vec::new()),
        true => Value::Array(vec![reader.part(data, &[], &datatype)?]),
        false => reader.part(data, &shape, &datatype)?,
    };
    let foreign = reader.foreign;
    let missing = reader.missing.contains(&true).then_some(reader.missing);
    Ok(Read { datatype, shape, mask: spec.mask, foreign, values, missing })
}

impl Read {
    /// What is odd in its elements.
    pub(crate) fn odd(&self, tree: &Tree, path: &str) -> Option<Finding> {
        let node = tree.node(self.foreign?);
        let reason = format!("`{path}`: expected text of ASCII, found {}", node.describe());
        Some(Finding { code: Code::BadScalar, address: node.address(), block: None, reason })
    }

    /// The array of the engine.
    pub(crate) fn data(&self, array: &Array) -> Result<Data> {
        let parts = array.parts(&self.shape)?;
        let bytes =
            if self.shape.contains(&0) { Vec::new() } else { parts.encode(&self.values)? };
        Ok(parts.data(bytes)?)
    }

    /// The elements that are null, or the cells of structs that are.
    pub(crate) fn missing(&self, elements: &Elements<'_>) -> Result<Option<Missing>> {
        self.missing.clone().map(|missing| elements.of_cells(missing)).transpose()
    }

    /// Whether any element, or cell of one, is null.
    pub(crate) fn has_nulls(&self) -> bool {
        self.missing.is_some()
    }
}

fn is_list(node: Node<'_>) -> bool {
    node.kind() == NodeKind::Sequence
}

/// Whether there are lists in lists of a shape, by the first of each.
fn has_shape(mut node: Node<'_>, shape: &[u64]) -> bool {
    shape.iter().all(|dim| {
        let fits = is_list(node) && node.len() as u64 == *dim;
        node = node.at(0).unwrap_or(node);
        fits
    })
}

/// The lengths of lists in lists, by the first of each.
fn list_shape(mut node: Node<'_>) -> Vec<u64> {
    let mut shape = Vec::new();
    // A list may stand in itself.
    while is_list(node) && shape.len() <= RANK {
        shape.push(node.len() as u64);
        match node.at(0) {
            Some(first) => node = first,
            None => break,
        }
    }
    shape
}

/// As [`list_shape`], down to the lists that are rows.
fn row_shape(mut node: Node<'_>, fields: &[Field]) -> Vec<u64> {
    let mut shape = Vec::new();
    while is_list(node) && !is_row(node, fields) && shape.len() <= RANK {
        shape.push(node.len() as u64);
        match node.at(0) {
            Some(first) => node = first,
            None => break,
        }
    }
    shape
}

/// Whether a list can be a row of a table with these fields.
fn is_row(node: Node<'_>, fields: &[Field]) -> bool {
    node.len() == fields.len()
        && node.items().zip(fields).all(|(value, field)| {
            let row = matches!(field.datatype, Datatype::Record(_));
            has_depth(value, field.shape.len() + usize::from(row), !row)
        })
}

/// Whether there are that many lists in lists, by the first of each, and no more if they are `all`. Null may stand for any.
fn has_depth(node: Node<'_>, depth: usize, all: bool) -> bool {
    match depth {
        _ if node.is_null() => true,
        0 => !all || !is_list(node),
        depth => is_list(node) && node.at(0).is_none_or(|first| has_depth(first, depth - 1, all)),
    }
}

/// The type that elements without one have: text if any is text, else complex, float, integer or boolean
/// as the widest of them.
fn inferred(data: Node<'_>, shape: &[u64], path: &str) -> Result<Datatype> {
    let mut widest = Widest::default();
    widest.look(data, shape.len(), path)?;
    let order = ByteOrder::Little;
    Ok(match widest {
        Widest { text: true, longest, .. } => {
            Datatype::Text(Primitive::Utf32, longest.max(1), order)
        }
        Widest { complex: true, .. } => Datatype::Number(Primitive::C16, order),
        Widest { float: true, .. } => Datatype::Number(Primitive::F8, order),
        Widest { large: true, .. } => Datatype::Number(Primitive::U8, order),
        Widest { integer: true, .. } => Datatype::Number(Primitive::I8, order),
        Widest { boolean: true, .. } => Datatype::Number(Primitive::B1, order),
        // Nothing but null, or nothing at all.
        _ => Datatype::Number(Primitive::F8, order),
    })
}

/// What is among the elements.
#[derive(Default)]
struct Widest {
    text: bool,
    /// Characters of the longest scalar as it is written: numbers among texts are texts.
    longest: u64,
    complex: bool,
    float: bool,
    /// An integer beyond 63 bits.
    large: bool,
    integer: bool,
    boolean: bool,
}

impl Widest {
    fn look(&mut self, node: Node<'_>, depth: usize, path: &str) -> Result<()> {
        if depth > 0 && is_list(node) {
            return node.items().try_for_each(|item| self.look(item, depth - 1, path));
        }
        if complex_of(node).is_some() {
            self.complex = true;
            return Ok(());
        }
        if let Some(written) = node.text().filter(|_| !node.is_null()) {
            self.longest = self.longest.max(written.chars().count() as u64);
        }
        match node.scalar() {
            Some(Scalar::Null) => {}
            Some(Scalar::Bool(_)) => self.boolean = true,
            Some(Scalar::Int(value)) => {
                self.integer = true;
                self.large |= value > i128::from(i64::MAX);
            }
            Some(Scalar::Float(_)) => self.float = true,
            Some(Scalar::Text(_) | Scalar::Timestamp(_)) => self.text = true,
            _ => return Err(node.error(path, "a number, a text, or null")),
        }
        Ok(())
    }
}

struct Reader<'p> {
    path: &'p str,
    foreign: Option<NodeId>,
    /// For each cell that was read whether it is null.
    missing: Vec<bool>,
}

impl Reader<'_> {
    /// What an array holds, or a field. Null stands for an element or cell, or for all there would be in a list.
    fn part(&mut self, node: Node<'_>, shape: &[u64], datatype: &Datatype) -> Result<Value> {
        if node.is_null() {
            // As many as were bounded before.
            let cells = shape.iter().product::<u64>() * datatype.cells().unwrap_or(0);
            self.missing.extend(std::iter::repeat_n(true, cells as usize));
            return Ok(nothing(shape, datatype));
        }
        let Some((length, inner)) = shape.split_first() else {
            return self.element(node, datatype);
        };
        if !is_list(node) || node.len() as u64 != *length {
            return Err(node.error(self.path, format!("a list of {length}")));
        }
        let items = node.items().map(|item| self.part(item, inner, datatype));
        Ok(Value::Array(items.collect::<Result<_>>()?))
    }

    /// An element, or a cell.
    fn element(&mut self, node: Node<'_>, datatype: &Datatype) -> Result<Value> {
        if !matches!(datatype, Datatype::Record(_)) {
            self.missing.push(false);
        }
        match datatype {
            Datatype::Record(fields) => self.row(node, fields),
            Datatype::Number(primitive, _) => self.number(node, *primitive),
            Datatype::Text(primitive, ..) => match node.text() {
                Some(text) => {
                    if *primitive == Primitive::S1 && !text.is_ascii() {
                        self.foreign.get_or_insert(node.id());
                    }
                    Ok(Value::Text(text.to_owned()))
                }
                None => Err(node.error(self.path, "a text")),
            },
            Datatype::Wide(_) => Err(node.error(self.path, "no wide float: it cannot be written")),
        }
    }

    fn row(&mut self, node: Node<'_>, fields: &[Field]) -> Result<Value> {
        if !is_list(node) || node.len() != fields.len() {
            return Err(node.error(self.path, format!("a row of {} values", fields.len())));
        }
        let values = node.items().zip(fields).map(|(value, field)| {
            let value = self.part(value, &field.shape, &field.datatype)?;
            Ok((field.name.clone(), value))
        });
        Ok(Value::Struct(values.collect::<Result<_>>()?))
    }

    fn number(&self, node: Node<'_>, primitive: Primitive) -> Result<Value> {
        let complex = matches!(primitive, Primitive::C4 | Primitive::C8 | Primitive::C16);
        if let Some((re, im)) = complex_of(node) {
            return match (complex, im == 0.0) {
                (true, _) => Ok(Value::Complex(re, im)),
                (false, true) => Ok(Value::Float(re)),
                (false, false) => Err(node.error(self.path, "a real number")),
            };
        }
        let value = match node.scalar() {
            Some(Scalar::Bool(value)) if primitive == Primitive::B1 => Value::Bool(value),
            Some(Scalar::Bool(value)) => Value::Int(value.into()),
            Some(Scalar::Int(value)) => Value::Int(value),
            Some(Scalar::Float(value)) => Value::Float(value),
            // `1e5` is text to YAML 1.1, and a number to the code that states a datatype.
            Some(Scalar::Text(text)) => match text.parse::<f64>() {
                Ok(value) => Value::Float(value),
                Err(_) => return Err(node.error(self.path, "a number")),
            },
            _ => return Err(node.error(self.path, "a number")),
        };
        Ok(match value {
            Value::Int(value) if complex => Value::Complex(value as f64, 0.0),
            Value::Float(value) if complex => Value::Complex(value, 0.0),
            value => value,
        })
    }
}

/// What stands in place of elements without a value.
fn nothing(shape: &[u64], datatype: &Datatype) -> Value {
    let mut value = match datatype {
        Datatype::Number(Primitive::C4 | Primitive::C8 | Primitive::C16, _) => {
            Value::Complex(0.0, 0.0)
        }
        Datatype::Number(..) => Value::Int(0),
        Datatype::Text(..) => Value::Text(String::new()),
        Datatype::Wide(bytes) => Value::Array(vec![Value::Int(0); *bytes as usize]),
        Datatype::Record(fields) => {
            let field =
                |field: &Field| (field.name.clone(), nothing(&field.shape, &field.datatype));
            Value::Struct(fields.iter().map(field).collect())
        }
    };
    for dim in shape.iter().rev() {
        value = Value::Array(vec![value; *dim as usize]);
    }
    value
}
