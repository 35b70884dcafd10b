//! Types of numpy as types of the layout language.

use std::collections::BTreeSet;

use dudley::{ByteOrder, Primitive};

use super::literal::Literal;
use crate::blosc2::describe::{quoted, without_nul};

/// The type of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Type {
    /// In the layout language.
    pub(super) text: String,
    /// Dimensions that it adds behind those of the array.
    pub(super) dims: Vec<u64>,
    /// Bytes of an element.
    pub(super) size: u64,
    primitive: Option<(Primitive, ByteOrder)>,
    /// What its elements mean to numpy, where that is more than numbers: `M8[ns]`.
    meaning: Option<String>,
    /// A name that two fields of one struct have, which numpy refuses.
    repeated: Option<String>,
}

impl Type {
    /// What numpy calls so; none if that is not known.
    pub(super) fn parse(dtype: &str) -> Option<Type> {
        match dtype.trim_start().starts_with(['[', '{', '(', '\'', '"']) {
            true => Type::of_literal(&Literal::parse(dtype)?),
            false => Type::simple(dtype.trim()),
        }
    }

    /// Bytes whose meaning is not known.
    pub(super) fn bytes(size: u64) -> Type {
        let primitive = Some((Primitive::U1, ByteOrder::Little));
        let (text, dims) = ("u1".to_owned(), vec![size]);
        Type { text, dims, size, primitive, meaning: None, repeated: None }
    }

    /// The primitive that it is made of, if it is none but one.
    pub(super) fn primitive(&self) -> Option<(Primitive, ByteOrder)> {
        self.primitive
    }

    /// A name that two fields have, of the struct or one in it.
    pub(super) fn repeated(&self) -> Option<&str> {
        self.repeated.as_deref()
    }

    /// Whether elements are the same numbers, whatever these mean.
    pub(super) fn is_stored_as(&self, other: &Type) -> bool {
        // Those of fields stand at the ends of their lines.
        let numbers = |text: &'_ str| -> Vec<String> {
            text.lines().filter_map(|line| line.split("  #: ").next()).map(str::to_owned).collect()
        };
        numbers(&self.text) == numbers(&other.text) && self.dims == other.dims
    }

    /// What stands behind the declaration of an item, an attribute or nothing.
    pub(super) fn attribute(&self) -> String {
        let meaning = self.meaning.as_ref();
        meaning.map_or(String::new(), |meaning| format!("  #: numpy = {}", quoted(meaning)))
    }

    /// With dimensions in front.
    pub(super) fn shaped(&self, shape: &[u64]) -> String {
        let dims: Vec<String> = shape.iter().chain(&self.dims).map(|dim| dim.to_string()).collect();
        match dims.is_empty() {
            true => self.text.clone(),
            false => format!("{}[{}]", self.text, dims.join(", ")),
        }
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
        let (name, primitive, units) = match (kind, count) {
            ('b' | '?', 1) => ("b1", Primitive::B1, None),
            ('i', 1) => ("i1", Primitive::I1, None),
            ('i', 2) => ("i2", Primitive::I2, None),
            ('i', 4) => ("i4", Primitive::I4, None),
            ('i' | 'M' | 'm', 8) => ("i8", Primitive::I8, None),
            ('u', 1) => ("u1", Primitive::U1, None),
            ('u', 2) => ("u2", Primitive::U2, None),
            ('u', 4) => ("u4", Primitive::U4, None),
            ('u', 8) => ("u8", Primitive::U8, None),
            ('f', 2) => ("f2", Primitive::F2, None),
            ('f', 4) => ("f4", Primitive::F4, None),
            ('f', 8) => ("f8", Primitive::F8, None),
            ('c', 8) => ("c8", Primitive::C8, None),
            ('c', 16) => ("c16", Primitive::C16, None),
            ('S' | 'a', units) => ("S1", Primitive::S1, Some(units)),
            ('U', units) => ("U4", Primitive::Utf32, Some(units)),
            ('V' | 'f' | 'c', units) => ("u1", Primitive::U1, Some(units)),
            _ => return None,
        };
        let size = primitive.size().checked_mul(units.unwrap_or(1))?;
        let symbol = if primitive.size() == 1 { '|' } else { order.symbol() };
        Some(Type {
            text: format!("{symbol}{name}"),
            dims: units.into_iter().collect(),
            size,
            primitive: Some((primitive, order)),
            meaning: matches!(kind, 'M' | 'm' | 'V' | 'S').then(|| rest.to_owned()),
            repeated: None,
        })
    }

    fn of_literal(literal: &Literal) -> Option<Type> {
        match literal {
            Literal::Text(text) => Type::simple(text),
            Literal::Sequence(fields) => Type::of_list(fields),
            Literal::Dict(_) => Type::of_dict(literal),
            Literal::Int(_) | Literal::Word(_) => None,
        }
    }

    /// `[(name, type), (name, type, shape), …]`, one behind the other.
    fn of_list(fields: &[Literal]) -> Option<Type> {
        let mut record = RecordText::default();
        for field in fields {
            let field = field.sequence()?;
            let (name, of) = (name_of(field.first()?)?, Type::of_literal(field.get(1)?)?);
            record.add(name, &of, &shape_of(field.get(2))?, record.end)?;
        }
        let end = record.end;
        record.finish(end)
    }

    /// `{'names': […], 'formats': […], 'offsets': […], 'itemsize': n}`.
    fn of_dict(literal: &Literal) -> Option<Type> {
        let names = literal.get("names")?.sequence()?;
        let formats = literal.get("formats")?.sequence()?;
        let offsets = literal.get("offsets").and_then(Literal::sequence);
        let mut record = RecordText::default();
        for (at, (name, format)) in names.iter().zip(formats).enumerate() {
            // A format with a shape is a pair of both.
            let (of, shape) = match format.sequence() {
                Some([of, shape]) if of.sequence().is_none_or(|it| it.is_empty()) => {
                    (Type::of_literal(of)?, shape_of(Some(shape))?)
                }
                _ => (Type::of_literal(format)?, Vec::new()),
            };
            let offset = match offsets {
                Some(offsets) => offsets.get(at)?.int()?,
                None => record.end,
            };
            record.add(name_of(name)?, &of, &shape, offset)?;
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

/// A record while its text is written.
#[derive(Default)]
struct RecordText {
    text: String,
    /// The names so far, and the first one that was there already.
    names: BTreeSet<String>,
    repeated: Option<String>,
    /// The greatest end of any field and padding, in bytes.
    end: u64,
    /// The greatest end of any field.
    filled: u64,
}

impl RecordText {
    /// A field; one without a name is padding.
    fn add(&mut self, name: &str, of: &Type, shape: &[u64], offset: u64) -> Option<()> {
        let size = shape.iter().try_fold(of.size, |size, dim| size.checked_mul(*dim))?;
        self.end = self.end.max(offset.checked_add(size)?);
        let name = without_nul(name);
        let again = !name.is_empty() && !self.names.insert(name.clone());
        let repeated = of.repeated.clone().or_else(|| again.then(|| name.clone()));
        self.repeated = self.repeated.take().or(repeated);
        if !name.is_empty() && size > 0 {
            self.filled = self.filled.max(offset + size);
            let (name, meaning) = (quoted(&name), of.attribute());
            self.text += &format!("  {name} = {} @{offset}{meaning}\n", of.shaped(shape));
        }
        Some(())
    }

    fn finish(mut self, size: u64) -> Option<Type> {
        if self.text.is_empty() || size < self.end {
            return None;
        }
        // The size of a record is rounded up to its alignment; else the rest is a field.
        let end = self.filled;
        let align =
            (0..=4).map(|power| 1 << power).find(|align| end.next_multiple_of(*align) == size);
        let align = align.unwrap_or_else(|| {
            let rest = size - end;
            let mut name = "_padding".to_owned();
            while self.names.contains(&name) {
                name.push('_');
            }
            self.text += &format!("  {name} = u1[{rest}] @{end}  #: padding\n");
            1
        });
        let text = format!("{{\n{}}} %{align}", self.text);
        let (dims, repeated) = (Vec::new(), self.repeated);
        Some(Type { text, dims, size, primitive: None, meaning: None, repeated })
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
