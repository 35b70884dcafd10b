//! Types of numpy as types of the engine, and of the layout language.

use std::collections::BTreeSet;
use std::sync::Arc;

use dudley::read::{Dtype, Field, Parts, Record, Words, primitive_name};
use dudley::{ByteOrder, Layout, Primitive};
use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::DocKey;
use dudley_parser::layout::words::struct_end;

use super::literal::Literal;
use crate::blosc2::describe::{quoted, without_nul};

/// What times, texts and bytes mean to numpy, as an attribute.
const NUMPY: &str = "numpy";

/// The type of an element.
#[derive(Clone, Debug)]
pub(super) struct Type {
    dtype: Dtype,
    /// Dimensions that it adds behind those of the array.
    pub(super) dims: Vec<u64>,
    /// Bytes of an element.
    pub(super) size: u64,
    /// What its elements mean to numpy, where that is more than numbers: `M8[ns]`.
    meaning: Option<String>,
    /// A name that two fields of one struct have, which numpy refuses.
    repeated: Option<String>,
    /// What is said of its fields, and of an array of it.
    words: Arc<Layout>,
    said: DocKey,
}

impl Type {
    /// What numpy calls so; `None` if that is not known.
    pub(super) fn parse(dtype: &str) -> Option<Type> {
        let mut words = Words::default();
        let of = if dtype.trim_start().starts_with(['[', '{', '(', '\'', '"']) {
            Type::of_literal(&Literal::parse(dtype)?, &mut words)?
        } else {
            Type::simple(dtype.trim())?
        };
        let said = words.add("", of.numpy());
        Some(Type { words: words.layout().into(), said, ..of })
    }

    /// Bytes whose meaning is not known.
    pub(super) fn bytes(size: u64) -> Type {
        Type::of(Dtype::Primitive(Primitive::U1, ByteOrder::Little), vec![size], size)
    }

    /// One of which nothing is said.
    fn of(dtype: Dtype, dims: Vec<u64>, size: u64) -> Type {
        let (meaning, repeated, words) = (None, None, Words::default().layout().into());
        Type { dtype, dims, size, meaning, repeated, words, said: DocKey::NOTHING }
    }

    /// The primitive that it is made of, if it is none but one.
    pub(super) fn primitive(&self) -> Option<(Primitive, ByteOrder)> {
        self.dtype.primitive()
    }

    /// A name that two fields have, of the struct or one in it.
    pub(super) fn repeated(&self) -> Option<&str> {
        self.repeated.as_deref()
    }

    /// Whether elements are the same numbers, whatever these mean.
    pub(super) fn is_stored_as(&self, other: &Type) -> bool {
        let numbers = |of: &Type| spelt(&of.dtype, &of.dims, None);
        numbers(self) == numbers(other)
    }

    /// What an array of it, in a shape, is made of for the engine.
    pub(super) fn parts(&self, shape: &[u64]) -> Parts {
        let shape = [shape, &self.dims].concat();
        Parts::new(self.dtype.clone(), &shape).words(self.words.clone(), self.said)
    }

    /// In the layout language, without its dimensions.
    pub(super) fn text(&self) -> String {
        spelt(&self.dtype, &[], Some(&self.words))
    }

    /// The same with its dimensions, and others in front.
    pub(super) fn shaped(&self, shape: &[u64]) -> String {
        spelt(&self.dtype, &[shape, &self.dims].concat(), Some(&self.words))
    }

    /// What stands behind the declaration of an item, an attribute or nothing.
    pub(super) fn attribute(&self) -> String {
        attributes(&self.words, self.said)
    }

    fn numpy(&self) -> Option<(&'static str, AttrValue)> {
        self.meaning.clone().map(|meaning| (NUMPY, AttrValue::Text(meaning)))
    }

    fn simple(dtype: &str) -> Option<Type> {
        let order = dtype.chars().next().filter(|order| "<>|=".contains(*order));
        let rest = &dtype[order.map_or(0, char::len_utf8)..];
        let order = if order == Some('>') { ByteOrder::Big } else { ByteOrder::Little };
        let kind = rest.chars().next()?;
        let count = rest.get(kind.len_utf8()..)?;
        // Times have a unit behind their size.
        let count = count.split_once('[').map_or(count, |(count, _)| count);
        let count: u64 = if kind == '?' { 1 } else { count.parse().ok()? };
        let (primitive, units) = match (kind, count) {
            ('b' | '?', 1) => (Primitive::B1, None),
            ('i', 1) => (Primitive::I1, None),
            ('i', 2) => (Primitive::I2, None),
            ('i', 4) => (Primitive::I4, None),
            ('i' | 'M' | 'm', 8) => (Primitive::I8, None),
            ('u', 1) => (Primitive::U1, None),
            ('u', 2) => (Primitive::U2, None),
            ('u', 4) => (Primitive::U4, None),
            ('u', 8) => (Primitive::U8, None),
            ('f', 2) => (Primitive::F2, None),
            ('f', 4) => (Primitive::F4, None),
            ('f', 8) => (Primitive::F8, None),
            ('c', 8) => (Primitive::C8, None),
            ('c', 16) => (Primitive::C16, None),
            ('S' | 'a', units) => (Primitive::S1, Some(units)),
            ('U', units) => (Primitive::Utf32, Some(units)),
            ('V' | 'f' | 'c', units) => (Primitive::U1, Some(units)),
            _ => return None,
        };
        let size = primitive.size().checked_mul(units.unwrap_or(1))?;
        // Single bytes have none.
        let order = if primitive.size() == 1 { ByteOrder::Little } else { order };
        let meaning = matches!(kind, 'M' | 'm' | 'V' | 'S').then(|| rest.to_owned());
        let dims = units.into_iter().collect();
        Some(Type { meaning, ..Type::of(Dtype::Primitive(primitive, order), dims, size) })
    }

    fn of_literal(literal: &Literal, words: &mut Words) -> Option<Type> {
        match literal {
            Literal::Text(text) => Type::simple(text),
            Literal::Sequence(fields) => Type::of_list(fields, words),
            Literal::Dict(_) => Type::of_dict(literal, words),
            Literal::Int(_) | Literal::Word(_) => None,
        }
    }

    /// `[(name, type), (name, type, shape), …]`, one behind the other.
    fn of_list(fields: &[Literal], words: &mut Words) -> Option<Type> {
        let mut record = Made::default();
        for field in fields {
            let field = field.sequence()?;
            let (name, of) = (name_of(field.first()?)?, Type::of_literal(field.get(1)?, words)?);
            record.add(name, of, &shape_of(field.get(2))?, record.end, words)?;
        }
        let end = record.end;
        record.finish(end)
    }

    /// `{'names': […], 'formats': […], 'offsets': […], 'itemsize': n}`.
    fn of_dict(literal: &Literal, words: &mut Words) -> Option<Type> {
        let names = literal.get("names")?.sequence()?;
        let formats = literal.get("formats")?.sequence()?;
        let offsets = literal.get("offsets").and_then(Literal::sequence);
        let mut record = Made::default();
        for (at, (name, format)) in names.iter().zip(formats).enumerate() {
            // A format with a shape is a pair of both.
            let (of, shape) = match format.sequence() {
                Some([of, shape]) if of.sequence().is_none_or(|it| it.is_empty()) => {
                    (Type::of_literal(of, words)?, shape_of(Some(shape))?)
                }
                _ => (Type::of_literal(format, words)?, Vec::new()),
            };
            let offset = match offsets {
                Some(offsets) => offsets.get(at)?.int()?,
                None => record.end,
            };
            record.add(name_of(name)?, of, &shape, offset, words)?;
        }
        let size = literal.get("itemsize").and_then(Literal::int).unwrap_or(record.end);
        record.finish(size)
    }
}

/// The name of a field, which may have a title before it.
fn name_of(literal: &Literal) -> Option<&str> {
    literal.text().or_else(|| literal.sequence()?.get(1)?.text())
}

fn shape_of(literal: Option<&Literal>) -> Option<Vec<u64>> {
    match literal {
        None => Some(Vec::new()),
        Some(Literal::Int(length)) => Some(vec![*length]),
        Some(shape) => shape.sequence()?.iter().map(Literal::int).collect(),
    }
}

/// A record while its fields are collected.
#[derive(Default)]
struct Made {
    fields: Vec<Field>,
    /// The names so far, and the first one that was there already.
    names: BTreeSet<String>,
    repeated: Option<String>,
    /// The greatest end of any field and padding, in bytes.
    end: u64,
}

impl Made {
    /// A field; one without a name is padding.
    fn add(
        &mut self,
        name: &str,
        of: Type,
        shape: &[u64],
        offset: u64,
        words: &mut Words,
    ) -> Option<()> {
        let size = shape.iter().try_fold(of.size, |size, dim| size.checked_mul(*dim))?;
        self.end = self.end.max(offset.checked_add(size)?);
        let name = without_nul(name);
        let again = !name.is_empty() && !self.names.insert(name.clone());
        let repeated = of.repeated.clone().or_else(|| again.then(|| name.clone()));
        self.repeated = self.repeated.take().or(repeated);
        if !name.is_empty() && size > 0 {
            let said = words.add("", of.numpy());
            let shape = [shape, &of.dims].concat();
            self.fields.push(Field::new(name, offset, of.dtype, &shape).said(said));
        }
        Some(())
    }

    fn finish(self, size: u64) -> Option<Type> {
        if self.fields.is_empty() || size < self.end {
            return None;
        }
        let dtype = Record::new(size, self.fields).into();
        Some(Type { repeated: self.repeated, ..Type::of(dtype, Vec::new(), size) })
    }
}

/// A type in the layout language, with dimensions behind it; its fields with what is said of them, if that is given.
fn spelt(dtype: &Dtype, shape: &[u64], words: Option<&Layout>) -> String {
    let text = match dtype {
        Dtype::Primitive(primitive, order) => primitive_name(*primitive, *order),
        Dtype::Record(record) => {
            let fields = record.fields.iter().map(|field| {
                let (name, of) = (quoted(&field.name), spelt(&field.dtype, &field.shape, words));
                let said = words.map(|words| attributes(words, field.doc)).unwrap_or_default();
                format!("  {name} = {of} @{}{said}\n", field.offset)
            });
            let last = record.fields.iter().map(|field| field.offset + field.bytes).max();
            let (align, end) = struct_end(last.unwrap_or(0), record.size);
            let end = end.map(|end| format!("  {end}\n")).unwrap_or_default();
            format!("{{\n{}{end}}} %{align}", fields.collect::<String>())
        }
        // Numpy has none.
        Dtype::Variable(_) => String::new(),
    };
    if shape.is_empty() {
        return text;
    }
    let dims: Vec<String> = shape.iter().map(u64::to_string).collect();
    format!("{text}[{}]", dims.join(", "))
}

/// The attribute of an array or field, as it stands behind its declaration.
fn attributes(words: &Layout, of: DocKey) -> String {
    match words.attributes(of).first() {
        Some(Attribute { name, value: AttrValue::Text(text), .. }) => {
            format!("  #: {name} = {}", quoted(text))
        }
        Some(Attribute { name, .. }) => format!("  #: {name}"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blosc2::{Frame, NewArray};

    #[test]
    fn names_that_two_fields_have_are_found() {
        let repeated = |dtype: &str| {
            let of = Type::parse(dtype).expect("known");
            of.repeated().map(str::to_owned)
        };
        assert_eq!(repeated("[('a', '<i4'), ('b', [('a', '<i4')])]"), None);
        assert_eq!(repeated("[('', '|V4'), ('', '|V4'), ('a', '<i4')]"), None);
        for dtype in [
            "[('a', '<i4'), ('a', '<i4')]",
            "[('b', [('a', '<i4'), ('a', '<i4')])]",
            "{'names': ['a', 'a'], 'formats': ['<i4', '<i4']}",
        ] {
            assert_eq!(repeated(dtype).as_deref(), Some("a"), "{dtype}");
            assert!(NewArray::new(&[3], dtype).is_err(), "{dtype}");
        }
    }

    #[test]
    fn a_struct_that_no_alignment_ends_has_no_field_more() {
        let dtype = "{'names': ['a'], 'formats': ['<f8'], 'offsets': [0], 'itemsize': 11}";
        let mut writer = NewArray::new(&[2], dtype).expect("known").memory().expect("begun");
        writer.write(&[7; 22]).expect("written");
        let bytes = writer.finish_bytes().expect("complete");
        let array = Frame::from_source(bytes).expect("a frame").array().expect("right");
        let data = array.expect("an array").data(&[]).expect("its type is known");
        let names = |dtype: &Dtype| match dtype {
            Dtype::Record(it) => it.fields.iter().map(|it| it.name.clone()).collect(),
            _ => Vec::new(),
        };
        assert_eq!((names(data.dtype()), data.dtype().size()), (vec!["a".to_owned()], Some(11)));
        let layout = spelt(data.dtype(), &[], None);
        assert_eq!(layout, "{\n  \"a\" = <f8 @0\n  \"\" = {} @11\n} %1");
        let stream = dudley::Open::new().layout_text(&format!("x = {layout}[2]")).expect("legal");
        let again = stream.raw().bytes(vec![7; 22]).and_then(|it| it.get("/x")?.data());
        let again = again.expect("read");
        assert_eq!((names(again.dtype()), again.dtype().size()), (vec!["a".to_owned()], Some(11)));
    }

    #[test]
    fn a_dtype_with_one_name_twice_is_refused_by_name() {
        let dtype = "[('one', '<i4'), ('two', '<i4')]";
        let mut writer = NewArray::new(&[2], dtype).expect("known").memory().expect("begun");
        writer.write(&[7; 16]).expect("written");
        let mut bytes = writer.finish_bytes().expect("complete");
        let at = bytes.windows(3).position(|three| three == b"two").expect("there");
        bytes[at..at + 3].copy_from_slice(b"one");
        let array = Frame::from_source(bytes).expect("a frame").array().expect("right");
        let error = array.expect("an array").check_dtype().expect_err("numpy refuses it");
        let address = (at - "[('one', '<i4'), ('".len()) as u64;
        assert_eq!(error.address(), Some(address));
        assert!(
            error.to_string().ends_with("fields of different names, found `one` twice"),
            "{error}"
        );
    }
}
