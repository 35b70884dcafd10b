//! Types of array elements as the tree names them, and as a layout does.

use std::fmt::Write;

use dudley::read;
use dudley::read::{Dtype, Parts, Record, Words};
use dudley::{ByteOrder, Primitive};
use dudley_parser::comments::AttrValue;
use dudley_parser::layout::words::{self, Said};

use super::error::{Error, Result};
use super::tree::{Node, NodeKind};

/// How many fields a type may have in all: shared nodes could make many of few.
const FIELDS: usize = 1 << 16;

/// How deep structs may stand in each other.
const DEPTH: usize = 32;

/// The type of the elements of an array.
#[derive(Clone, Debug, PartialEq)]
pub enum Datatype {
    /// A number or boolean.
    Number(Primitive, ByteOrder),
    /// A string of this many units: characters of ASCII, or of UCS-4.
    Text(Primitive, u64, ByteOrder),
    /// A float of 16 bytes of FINF, or two of them: what its bytes mean depends on the machine that
    /// wrote them, so they are given as they are.
    Wide(u64),
    /// A struct, packed.
    Record(Vec<Field>),
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name, or `f0`, `f1` and so on by its place.
    pub name: String,
    /// The type of its elements.
    pub datatype: Datatype,
    /// Its dimensions, slowest first; none for a single element.
    pub shape: Vec<u64>,
    /// The type of its elements in numpy, if the standard has no such type: `M8[ns]`. See
    /// [`Array::numpy`](super::Array::numpy).
    pub numpy: Option<String>,
}

/// The names of the standard, and those of the layout language.
const NUMBERS: [(&str, Primitive); 14] = [
    ("int8", Primitive::I1),
    ("uint8", Primitive::U1),
    ("int16", Primitive::I2),
    ("uint16", Primitive::U2),
    ("int32", Primitive::I4),
    ("uint32", Primitive::U4),
    ("int64", Primitive::I8),
    ("uint64", Primitive::U8),
    ("float16", Primitive::F2),
    ("float32", Primitive::F4),
    ("float64", Primitive::F8),
    ("complex64", Primitive::C8),
    ("complex128", Primitive::C16),
    ("bool8", Primitive::B1),
];

/// The byte order that a node names.
pub(super) fn byteorder(node: Node<'_>, path: &str) -> Result<ByteOrder> {
    match node.text() {
        Some("little") => Ok(ByteOrder::Little),
        Some("big") => Ok(ByteOrder::Big),
        _ => Err(node.error(path, "`little` or `big`")),
    }
}

impl Datatype {
    /// The type that a node names; `order` is that of what does not say.
    pub(super) fn parse(node: Node<'_>, order: ByteOrder, path: &str) -> Result<Datatype> {
        let mut left = Left { fields: FIELDS, depth: DEPTH };
        parse(node, order, path, &mut left)
    }

    /// Bytes of an element; `None` if 63 bits cannot count them, or those of a part.
    pub fn size(&self) -> Option<u64> {
        let size = match self {
            Datatype::Number(primitive, _) => Some(primitive.size()),
            Datatype::Text(primitive, units, _) => units.checked_mul(primitive.size()),
            Datatype::Wide(bytes) => Some(*bytes),
            Datatype::Record(fields) => fields.iter().try_fold(0_u64, |sum, field| {
                let count = field.shape.iter().try_fold(1_u64, |n, dim| n.checked_mul(*dim))?;
                sum.checked_add(count.checked_mul(field.datatype.size()?)?)
            }),
        };
        size.filter(|size| i64::try_from(*size).is_ok())
    }

    /// Dimensions that the elements have of their own as an array of a layout: the units of a text.
    pub(super) fn inner(&self) -> Option<(u64, u64)> {
        match self {
            Datatype::Text(primitive, units, _) => Some((*units, primitive.size())),
            Datatype::Wide(bytes) => Some((*bytes, 1)),
            Datatype::Number(..) | Datatype::Record(_) => None,
        }
    }

    /// The name that the standard has for a number. Texts and structs have none, and are `void`.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Datatype::Number(primitive, _) => {
                let known = NUMBERS.iter().find(|(_, known)| known == primitive);
                known.map_or("void", |(name, _)| name)
            }
            Datatype::Wide(16) => "float128",
            Datatype::Wide(_) => "complex256",
            Datatype::Text(..) | Datatype::Record(_) => "void",
        }
    }

    /// What an array of the type, in a shape, is made of for the engine; `None` if 64 bits cannot count the bytes of an
    /// element.
    pub(super) fn parts(&self, numpy: Option<&str>, shape: &[u64]) -> Option<Parts> {
        let mut words = Words::default();
        let dtype = self.dtype(&mut words)?;
        let said = words.add("", numpy.map(attribute));
        Some(Parts::new(dtype, &self.shaped(shape)).words(words.layout(), said))
    }

    /// As the engine has it, and what its fields are to numpy.
    fn dtype(&self, words: &mut Words) -> Option<Dtype> {
        Some(match self {
            // Single bytes have no order.
            Datatype::Number(one, _) | Datatype::Text(one, ..) if one.size() == 1 => {
                Dtype::Primitive(*one, ByteOrder::Little)
            }
            Datatype::Number(one, order) | Datatype::Text(one, _, order) => {
                Dtype::Primitive(*one, *order)
            }
            Datatype::Wide(_) => Dtype::Primitive(Primitive::U1, ByteOrder::Little),
            Datatype::Record(fields) => {
                let size = self.size()?;
                let mut offset = 0;
                let fields = fields.iter().map(|field| {
                    let of = field.datatype.dtype(words)?;
                    let shape = field.datatype.shaped(&field.shape);
                    let said = words.add("", field.numpy.as_deref().map(attribute));
                    let field = read::Field::new(&*field.name, offset, of, &shape).said(said);
                    // Not beyond the size of all.
                    offset += field.bytes;
                    Some(field)
                });
                let fields = fields.collect::<Option<Vec<_>>>()?;
                Record::new(size, fields).into()
            }
        })
    }

    /// A shape with the dimensions that the elements have of their own.
    pub(super) fn shaped(&self, shape: &[u64]) -> Vec<u64> {
        shape.iter().copied().chain(self.inner().map(|(units, _)| units)).collect()
    }

    /// As a layout writes an array of the type with these dimensions in front.
    pub fn spell(&self, shape: &[u64]) -> String {
        let mut text = String::new();
        self.push(shape, &mut text);
        text
    }

    fn push(&self, shape: &[u64], text: &mut String) {
        // Writing to a String cannot fail.
        match self {
            Datatype::Number(primitive, order) | Datatype::Text(primitive, _, order) => {
                let order = if primitive.size() > 1 { order_mark(*order) } else { "" };
                let _ = write!(text, "{order}{}", primitive.name());
            }
            Datatype::Wide(_) => text.push_str("u1"),
            Datatype::Record(fields) => {
                text.push('{');
                for field in fields {
                    text.push_str(&words::name(&field.name));
                    text.push_str(" = ");
                    field.datatype.push(&field.shape, text);
                    // A struct states its own alignment.
                    let aligned = matches!(field.datatype, Datatype::Record(_));
                    text.push_str(if aligned && field.shape.is_empty() { " " } else { " %1 " });
                    if let Some(numpy) = &field.numpy {
                        let _ = writeln!(text, "{}", said(numpy).text(""));
                    }
                }
                text.push_str("}%1");
            }
        }
        let dims: Vec<String> = self.shaped(shape).iter().map(u64::to_string).collect();
        if !dims.is_empty() {
            let _ = write!(text, "[{}]", dims.join(", "));
        }
    }
}

/// The type of the elements in numpy, as an attribute.
fn attribute(numpy: &str) -> (&'static str, AttrValue) {
    (NUMPY, AttrValue::Text(numpy.to_owned()))
}

/// What a layout says of elements that are something else to numpy.
pub(super) fn said(numpy: &str) -> Said {
    let mut said = Said::default();
    said.attribute(NUMPY, numpy);
    said
}

/// The key, and the attribute of layouts, for what elements are to numpy.
pub(super) const NUMPY: &str = "numpy";

/// What a node says that elements are to numpy.
pub(super) fn meant(node: Node<'_>) -> Option<String> {
    node.get(NUMPY).and_then(Node::as_str).map(str::to_owned)
}

/// How much more a type may have.
struct Left {
    fields: usize,
    depth: usize,
}

fn order_mark(order: ByteOrder) -> &'static str {
    match order {
        ByteOrder::Little => "<",
        ByteOrder::Big => ">",
    }
}

fn parse(node: Node<'_>, order: ByteOrder, path: &str, left: &mut Left) -> Result<Datatype> {
    left.depth = left.depth.checked_sub(1).ok_or_else(|| Error::Limit {
        what: "structs in each other".into(),
        limit: DEPTH.to_string().into(),
    })?;
    let parsed = match node.kind() {
        NodeKind::Scalar => number(node, order, path),
        NodeKind::Mapping => field(node, 0, order, path, left).map(|field| field.datatype),
        NodeKind::Sequence => match text(node, order, path)? {
            Some(text) => Ok(text),
            None => {
                let fields = node.items().enumerate();
                let fields = fields.map(|(at, node)| field(node, at, order, path, left));
                let fields = fields.collect::<Result<Vec<_>>>()?;
                distinct(&fields, node, path)?;
                Ok(Datatype::Record(fields))
            }
        },
    };
    left.depth += 1;
    parsed
}

fn number(node: Node<'_>, order: ByteOrder, path: &str) -> Result<Datatype> {
    let name = node.text().unwrap_or_default();
    match (name, NUMBERS.iter().find(|(known, _)| *known == name)) {
        (_, Some((_, primitive))) => Ok(Datatype::Number(*primitive, order)),
        ("float128", None) => Ok(Datatype::Wide(16)),
        ("complex256", None) => Ok(Datatype::Wide(32)),
        _ => Err(node.error(path, "a datatype such as `float64`")),
    }
}

/// `[ascii, 5]`, `[ucs4, 5]`; `None` for anything else.
fn text(node: Node<'_>, order: ByteOrder, path: &str) -> Result<Option<Datatype>> {
    let primitive = match node.at(0).and_then(Node::text) {
        Some("ascii") => Primitive::S1,
        Some("ucs4") => Primitive::Utf32,
        _ => return Ok(None),
    };
    let units = node.at(1).and_then(Node::as_i64).and_then(|units| u64::try_from(units).ok());
    match units {
        Some(units) if node.len() == 2 => Ok(Some(Datatype::Text(primitive, units, order))),
        _ => Err(node.error(path, "a text type such as `[ascii, 8]`")),
    }
}

fn field(
    node: Node<'_>,
    at: usize,
    order: ByteOrder,
    path: &str,
    left: &mut Left,
) -> Result<Field> {
    left.fields = left.fields.checked_sub(1).ok_or_else(|| Error::Limit {
        what: "fields of one datatype".into(),
        limit: FIELDS.to_string().into(),
    })?;
    let unnamed = format!("f{at}");
    if node.kind() != NodeKind::Mapping {
        let datatype = parse(node, order, path, left)?;
        return Ok(Field { name: unnamed, datatype, shape: Vec::new(), numpy: None });
    }
    let order = match node.get("byteorder") {
        Some(own) => byteorder(own, path)?,
        None => order,
    };
    let of = stated(node);
    let of = of.ok_or_else(|| node.error(path, "a field with a `datatype`"))?;
    let shape = match node.get("shape") {
        Some(shape) => self::shape(shape, path)?,
        None => Vec::new(),
    };
    let name = node.get("name").and_then(Node::text).filter(|name| !name.is_empty());
    Ok(Field {
        name: name.map_or(unnamed, layout_name),
        datatype: parse(of, order, path, left)?,
        shape,
        numpy: meant(node),
    })
}

/// What an array or a field says of its type, by the key that ASDF has for it or by that of FINF.
pub(super) fn stated(node: Node<'_>) -> Option<Node<'_>> {
    node.get("datatype").or_else(|| node.get("dtype"))
}

/// The keys of a field.
const KEYS: [&str; 6] = ["name", "datatype", "dtype", "byteorder", "shape", NUMPY];

/// The keys of fields that are not known, with their spelling, of a node that was parsed as a type.
pub(super) fn unknown_keys(node: Node<'_>) -> Vec<(u64, String)> {
    match node.kind() {
        NodeKind::Scalar => Vec::new(),
        NodeKind::Sequence => node.items().flat_map(unknown_keys).collect(),
        NodeKind::Mapping => {
            let keys = node.entries().map(|(key, _)| (key.address(), node.name_of(key).into()));
            let mut found: Vec<(u64, String)> = keys.collect();
            found.retain(|(_, name)| !KEYS.contains(&name.as_str()));
            let of = stated(node);
            found.extend(of.map(unknown_keys).unwrap_or_default());
            found
        }
    }
}

/// A name as layouts can have it: without a NUL.
fn layout_name(name: &str) -> String {
    name.replace('\0', "\u{fffd}")
}

/// Dimensions that are numbers.
pub(super) fn shape(node: Node<'_>, path: &str) -> Result<Vec<u64>> {
    if node.kind() != NodeKind::Sequence {
        return Err(node.error(path, "a list of dimensions"));
    }
    let dims = node.items().map(|dim| {
        let size = dim.as_i64().and_then(|size| u64::try_from(size).ok());
        size.ok_or_else(|| dim.error(path, "a dimension of 0 or more"))
    });
    dims.collect()
}

fn distinct(fields: &[Field], node: Node<'_>, path: &str) -> Result<()> {
    let mut seen = std::collections::HashSet::new();
    match fields.iter().find(|field| !seen.insert(field.name.as_str())) {
        None => Ok(()),
        Some(twice) => {
            let expected = format!("fields of different names, not `{}` twice", twice.name);
            Err(node.error(path, expected))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asdf::tree::Tree;

    fn spelt(text: &str) -> String {
        let tree = Tree::parse(text).expect("a tree");
        let datatype = Datatype::parse(tree.root(), ByteOrder::Big, "/x").expect("a datatype");
        let spelt = datatype.spell(&[2]);
        // The engine has it as large as the tree does.
        let layout = format!("x = {spelt}");
        let stream = dudley::Open::new().layout_text(&layout).expect(&layout);
        let data = stream.raw().bytes(vec![]).expect("a stream").get("/x").expect("x").data();
        assert_eq!(data.expect("data").bytes(), 2 * datatype.size().expect("a size"), "{layout}");
        spelt
    }

    #[test]
    fn types_are_spelt_as_layouts_have_them() {
        assert_eq!(spelt("float32"), ">f4[2]");
        assert_eq!(spelt("uint8"), "u1[2]");
        assert_eq!(spelt("[ascii, 5]"), "S1[2, 5]");
        assert_eq!(spelt("[ucs4, 3]"), ">U4[2, 3]");
        assert_eq!(spelt("complex256"), "u1[2, 32]");
        assert_eq!(
            spelt("[{name: n, datatype: int16, byteorder: little}, float64, bool8]"),
            "{n = <i2 %1 f1 = >f8 %1 f2 = b1 %1 }%1[2]"
        );
        assert_eq!(
            spelt(
                "[{name: a b, datatype: [{name: x, datatype: [ascii, 2], shape: [3]}]}, \
                   {datatype: [int8], shape: [2]}]"
            ),
            "{\"a b\" = {x = S1[3, 2] %1 }%1 f1 = {f0 = i1 %1 }%1[2] %1 }%1[2]"
        );
    }

    #[test]
    fn what_is_no_type_is_an_error() {
        let laughs = "- &a [int8, int8, int8, int8]\n- &b [*a, *a, *a, *a]\n- &c [*b, *b, *b, *b]\n\
                      - &d [*c, *c, *c, *c]\n- &e [*d, *d, *d, *d]\n- &f [*e, *e, *e, *e]\n\
                      - &g [*f, *f, *f, *f]\n- &h [*g, *g, *g, *g]\n- [*h, *h, *h, *h]\n";
        for bad in [
            "float65",
            "[ascii]",
            "[ucs4, -1]",
            "[{name: x}]",
            "[{name: x, datatype: int8}, {name: x, datatype: int8}]",
            "[{name: x, datatype: int8, shape: [-1]}]",
            "[{name: x, datatype: int8, byteorder: middle}]",
            laughs,
        ] {
            let tree = Tree::parse(bad).expect("a tree");
            assert!(Datatype::parse(tree.root(), ByteOrder::Big, "/x").is_err(), "{bad}");
        }
    }
}
