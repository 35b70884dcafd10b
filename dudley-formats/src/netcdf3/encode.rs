//! The bytes of the header of a new netCDF-3 file, and the version that it needs.

use std::collections::{HashMap, HashSet};

use dudley_parser::comments::AttrValue;

use crate::attribute_types::is_of_values;

use super::header::{ATTRIBUTES, Attribute, DIMENSIONS, Dim, Name, Type, VARIABLES, Variable};

/// A header that grows.
#[derive(Default)]
pub(super) struct Head {
    /// The dimensions with their current lengths, the records among them.
    dims: Vec<Dim>,
    /// The dimension that counts records.
    record: Option<usize>,
    /// The names of unlimited dimensions.
    pub(super) unlimited: Vec<String>,
    known: KnownDims,
    pub(super) attributes: Vec<Attribute>,
    variables: Vec<Variable>,
}

/// Dimensions by length and name, so that a search takes the same time for any number of them.
#[derive(Default)]
struct KnownDims {
    names: HashSet<String>,
    /// The dimensions of a length that were requested by a name, or have the name.
    wanted: HashMap<(String, u64), Vec<usize>>,
    /// The number of the next dimension that needs a name.
    next: HashMap<String, usize>,
}

impl Head {
    /// The number of a dimension of some length: that of the name, if it is there, or is free; and none of those that are
    /// `taken`.
    pub(super) fn dim(&mut self, wanted: Option<&str>, len: u64, taken: &[usize]) -> usize {
        // One that has no elements now counts records, as no other may have none.
        if let Some(records) = self.record.filter(|at| len == 0 && self.dims[*at].len == 0) {
            return records;
        }
        let base = wanted.map_or_else(|| format!("dim_{len}"), text::name);
        let known = self.known.wanted.entry((base.clone(), len)).or_default();
        if let Some(at) = known.iter().find(|at| !taken.contains(at)) {
            return *at;
        }
        let at = self.dims.len();
        known.push(at);
        let next = self.known.next.entry(base.clone()).or_insert(1);
        let name = loop {
            let name = if *next == 1 { base.clone() } else { format!("{base}_{next}") };
            *next += 1;
            if self.known.names.insert(name.clone()) {
                break name;
            }
        };
        if name != base {
            self.known.wanted.entry((name.clone(), len)).or_default().push(at);
        }
        self.dims.push(Dim { name, len, address: 0 });
        at
    }

    /// That a dimension is the first of a variable; whether it counts records, as one does that is without limit or has no
    /// elements.
    pub(super) fn is_first(&mut self, dim: usize) -> bool {
        let Dim { name, len, .. } = &self.dims[dim];
        if self.record.is_none() && (*len == 0 || self.unlimited.contains(name)) {
            self.record = Some(dim);
        }
        self.record == Some(dim)
    }

    /// Makes the dimension of records one of a fixed length if it is not the first one everywhere; and gives the names of
    /// those without limit that have one then.
    pub(super) fn limit(&mut self) -> Vec<String> {
        let is_later = |it: &Variable| it.dims.iter().skip(1).any(|at| self.is_record_dim(*at));
        if self.variables.iter().any(is_later) {
            self.record = None;
        }
        let limited = self.dims.iter().enumerate().filter(|(at, dim)| {
            self.unlimited.contains(&dim.name) && !self.is_record_dim(*at as u64)
        });
        limited.map(|(_, dim)| dim.name.clone()).collect()
    }

    fn is_record_dim(&self, dim: u64) -> bool {
        self.record.is_some_and(|record| record as u64 == dim)
    }

    /// Of each variable the bytes of its part in a record; none of those that have none.
    pub(super) fn parts(&self) -> Vec<Option<u64>> {
        self.variables.iter().map(|it| self.is_record(it).then(|| self.bytes_of(it))).collect()
    }

    /// The number of records.
    pub(super) fn records(&self) -> u64 {
        self.record.map_or(0, |at| self.dims[at].len)
    }

    fn is_record(&self, variable: &Variable) -> bool {
        variable.dims.first().is_some_and(|first| self.is_record_dim(*first))
    }

    /// The bytes of a variable, or of its part in a record.
    fn bytes_of(&self, variable: &Variable) -> u64 {
        if !self.is_record(variable) {
            return variable.bytes;
        }
        let lengths = variable.dims.iter().skip(1).map(|at| self.dims[*at as usize].len);
        lengths.fold(variable.kind.map_or(0, Type::size), u64::saturating_mul)
    }

    /// Whether there is a dimension of this name and length.
    pub(super) fn has_dim(&self, name: &str, len: i64) -> bool {
        let Ok(len) = u64::try_from(len) else { return false };
        let found = self.known.wanted.get(&(name.to_owned(), len));
        found.is_some_and(|found| found.iter().any(|at| self.dims[*at].name == name))
    }

    pub(super) fn add(
        &mut self,
        name: String,
        dims: Vec<u64>,
        attributes: Vec<Attribute>,
        kind: Type,
        bytes: u64,
    ) {
        let kind = Ok(kind);
        self.variables.push(Variable {
            name: Name::from(&*name),
            dims: dims.into(),
            attributes,
            kind,
            bytes,
            begin: 0,
            address: 0,
        });
    }

    /// Its bytes in the first version that can have it, and where each variable begins.
    pub(super) fn bytes(&self) -> (Vec<u8>, Vec<u64>) {
        for version in [1, 2] {
            let begins = self.begins(version);
            if self.fits(version, &begins) {
                return (self.encode(version, &begins), begins);
            }
        }
        let begins = self.begins(5);
        (self.encode(5, &begins), begins)
    }

    fn begins(&self, version: u8) -> Vec<u64> {
        let mut begins = vec![0; self.variables.len()];
        let mut at = self.encode(version, &begins).len() as u64;
        // Records lie behind everything else.
        for is_record in [false, true] {
            let all = begins.iter_mut().zip(&self.variables);
            for (begin, variable) in all.filter(|(_, it)| self.is_record(it) == is_record) {
                *begin = at;
                at = at.saturating_add(self.bytes_of(variable)).saturating_add(3) & !3;
            }
        }
        begins
    }

    /// Whether a version can hold all types, addresses and sizes; the last variable may have any size.
    fn fits(&self, version: u8, begins: &[u64]) -> bool {
        let (most, last) = match version {
            1 => (i32::MAX as u64 - 3, i32::MAX as u64),
            _ => (u64::from(u32::MAX) - 3, i64::MAX as u64),
        };
        let of_variables = self.variables.iter().flat_map(|it| &it.attributes);
        let kinds = self.attributes.iter().chain(of_variables).map(|it| Ok(it.kind));
        let mut kinds = kinds.chain(self.variables.iter().map(|it| it.kind));
        kinds.all(|kind| kind.is_ok_and(|kind| kind as u8 <= Type::Double as u8))
            && self.dims.iter().all(|dim| dim.len <= i32::MAX as u64)
            && begins.iter().all(|begin| *begin <= last)
            && self.in_order().rev().skip(1).all(|it| self.bytes_of(it) <= most)
    }

    /// The variables in the order of their addresses.
    fn in_order(&self) -> impl DoubleEndedIterator<Item = &Variable> {
        let of =
            |is_record| self.variables.iter().filter(move |it| self.is_record(it) == is_record);
        of(false).chain(of(true))
    }

    fn encode(&self, version: u8, begins: &[u64]) -> Vec<u8> {
        let mut out = Out { version, bytes: vec![b'C', b'D', b'F', version] };
        out.count(self.records());
        out.list(DIMENSIONS, self.dims.len());
        for (at, dim) in self.dims.iter().enumerate() {
            out.name(&dim.name);
            out.count(if self.is_record_dim(at as u64) { 0 } else { dim.len });
        }
        out.attributes(&self.attributes);
        out.list(VARIABLES, self.variables.len());
        for (variable, begin) in self.variables.iter().zip(begins) {
            out.name(&variable.name);
            out.count(variable.dims.len() as u64);
            variable.dims.iter().for_each(|dim| out.count(*dim));
            out.attributes(&variable.attributes);
            out.u4(variable.kind.map_or(0, |kind| kind as u32));
            let padded = self.bytes_of(variable).saturating_add(3) & !3;
            out.count(if version == 5 { padded } else { padded.min(u32::MAX.into()) });
            match version {
                1 => out.u4(*begin as u32),
                _ => out.bytes.extend(begin.to_be_bytes()),
            }
        }
        out.bytes
    }
}

struct Out {
    version: u8,
    bytes: Vec<u8>,
}

impl Out {
    fn u4(&mut self, number: u32) {
        self.bytes.extend(number.to_be_bytes());
    }

    fn count(&mut self, number: u64) {
        if self.version == 5 {
            self.bytes.extend(number.to_be_bytes());
        } else {
            self.u4(number as u32);
        }
    }

    fn list(&mut self, tag: u32, count: usize) {
        self.u4(if count == 0 { 0 } else { tag });
        self.count(count as u64);
    }

    fn padded(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    fn name(&mut self, name: &str) {
        self.count(name.len() as u64);
        self.padded(name.as_bytes());
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        self.list(ATTRIBUTES, attributes.len());
        for attribute in attributes {
            self.name(&attribute.name);
            self.u4(attribute.kind as u32);
            self.count(attribute.bytes.len() as u64 / attribute.kind.size());
            self.padded(&attribute.bytes);
        }
    }
}

/// An attribute: of the type that is `said` of it, if it is a value of that; of the type of its variable if it is about
/// values and these can be of that; else of the first of `int`, `int64` and `double` that holds it, or text. `None` if it
/// must be of the type of the variable, and is no value of that.
pub(super) fn attribute(
    name: &str,
    value: &AttrValue,
    of: Option<Type>,
    said: Option<Type>,
) -> Option<Attribute> {
    let of_values = of.filter(|_| is_of_values(name));
    let own = of_values.filter(|kind| *kind != Type::Char);
    // The value of missing elements has the type of the elements, even if it had another type before.
    let is_fill = own.is_some() && name == "_FillValue";
    let wanted = [said.filter(|_| !is_fill), own];
    for kind in wanted.into_iter().flatten().filter(|kind| *kind != Type::Char) {
        if let Some(bytes) = Values::new(value, true).and_then(|values| values.encode(kind, true)) {
            return Some(Attribute { name: text::name(name), kind, bytes, address: 0 });
        }
    }
    if is_fill {
        return None;
    }
    let first = |values: Values| {
        let kinds = [Type::Int, Type::Int64, Type::Double];
        kinds.into_iter().find_map(|kind| Some((kind, values.encode(kind, false)?)))
    };
    Some(match value {
        AttrValue::Text(text) => text::attribute(name, text),
        AttrValue::Texts(texts) => text::attribute(name, &texts.join("\n")),
        AttrValue::True => text::attribute(name, "true"),
        _ => {
            let (kind, bytes) = Values::new(value, false).and_then(first)?;
            Attribute { name: text::name(name), kind, bytes, address: 0 }
        }
    })
}

enum Values {
    Ints(Vec<i128>),
    Floats(Vec<f64>),
}

impl Values {
    /// Those of an attribute, also of texts that are numbers if these are meant: a layout has no integers of 64 bits
    /// without a sign, and no NaN.
    fn new(value: &AttrValue, in_texts: bool) -> Option<Values> {
        let spelt = |texts: &[String]| {
            let ints: Result<Vec<i128>, _> = texts.iter().map(|text| text.parse()).collect();
            let floats = || texts.iter().map(|text| text.parse().ok()).collect::<Option<_>>();
            ints.map(Values::Ints).ok().or_else(|| floats().map(Values::Floats))
        };
        match value {
            AttrValue::Int(value) => Some(Values::Ints(vec![(*value).into()])),
            AttrValue::Ints(values) => {
                Some(Values::Ints(values.iter().map(|it| (*it).into()).collect()))
            }
            AttrValue::Float(value) => Some(Values::Floats(vec![*value])),
            AttrValue::Floats(values) => Some(Values::Floats(values.clone())),
            AttrValue::Text(text) if in_texts => spelt(std::slice::from_ref(text)),
            AttrValue::Texts(texts) if in_texts => spelt(texts),
            AttrValue::Text(_) | AttrValue::Texts(_) | AttrValue::True => None,
        }
    }

    /// Their bytes, if they are values of a type; `rounded`, as the nearest floats.
    fn encode(&self, kind: Type, rounded: bool) -> Option<Vec<u8>> {
        let is_float = matches!(kind, Type::Float | Type::Double);
        let mut bytes = Vec::new();
        match self {
            Values::Ints(values) if !is_float => {
                for value in values {
                    bytes.extend(integer(kind, *value)?);
                }
            }
            Values::Floats(values) if !is_float => {
                let is_whole = |value: &&f64| rounded && value.fract() == 0.0 && value.abs() < 1e18;
                for value in values {
                    let whole = Some(value).filter(is_whole)?;
                    bytes.extend(integer(kind, *whole as i128)?);
                }
            }
            Values::Ints(values) => {
                if values.iter().any(|value| !rounded && *value as f64 as i128 != *value) {
                    return None;
                }
                let floats = values.iter().map(|value| *value as f64).collect();
                return Values::Floats(floats).encode(kind, rounded);
            }
            Values::Floats(values) => {
                for value in values {
                    let single = *value as f32;
                    match kind {
                        // `f4` holds no larger number.
                        Type::Float if single.is_finite() || !value.is_finite() => {
                            bytes.extend(single.to_be_bytes());
                        }
                        Type::Double => bytes.extend(value.to_be_bytes()),
                        _ => return None,
                    }
                }
            }
        }
        Some(bytes)
    }
}

fn integer(kind: Type, value: i128) -> Option<Vec<u8>> {
    Some(match kind {
        Type::Byte => i8::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::Short => i16::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::Int => i32::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::Int64 => i64::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::UByte => u8::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::UShort => u16::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::UInt => u32::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::UInt64 => u64::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::Float | Type::Double | Type::Char => return None,
    })
}

/// Names and texts.
pub(super) mod text {
    use super::{Attribute, Type};

    /// An attribute that is a text.
    pub(crate) fn attribute(name: &str, text: &str) -> Attribute {
        let bytes = text.as_bytes().to_vec();
        Attribute { name: self::name(name), kind: Type::Char, bytes, address: 0 }
    }

    /// A legal name of netCDF: illegal characters become `_`.
    pub(crate) fn name(name: &str) -> String {
        let allowed = |it: char| if it == '/' || it.is_control() { '_' } else { it };
        let name: String = name.trim_end().chars().map(allowed).collect();
        let is_first = |it: char| it.is_ascii_alphanumeric() || it == '_' || !it.is_ascii();
        if name.starts_with(is_first) { name } else { format!("_{name}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_about_values_is_of_their_type() {
        let text = |text: &str| AttrValue::Text(text.to_owned());
        let made = |name: &str, value: &AttrValue, of| {
            attribute(name, value, Some(of), None).map(|it| (it.kind as u8, it.bytes))
        };
        let (float, u64_) = (Type::Float as u8, Type::UInt64 as u8);
        for (value, of, expected) in [
            (AttrValue::Float(1e20), Type::Float, Some((float, 1e20_f32.to_be_bytes().to_vec()))),
            (
                AttrValue::Int(i64::MAX),
                Type::Float,
                Some((float, (i64::MAX as f32).to_be_bytes().to_vec())),
            ),
            (text("NaN"), Type::Float, Some((float, f32::NAN.to_be_bytes().to_vec()))),
            (text("18446744073709551615"), Type::UInt64, Some((u64_, vec![255; 8]))),
            (AttrValue::Float(-9.0), Type::Short, Some((Type::Short as u8, vec![255, 247]))),
            (AttrValue::Float(1e300), Type::Float, None),
            (AttrValue::Int(300), Type::Byte, None),
            (text("none"), Type::Int, None),
            (AttrValue::Float(0.5), Type::Int, None),
        ] {
            assert_eq!(made("_FillValue", &value, of), expected, "{value:?}");
        }
        // A given type wins, except for missing elements.
        let said = |name: &str, value: &AttrValue| {
            let made = attribute(name, value, Some(Type::Float), Some(Type::Short));
            made.map(|it| (it.kind, it.bytes.len()))
        };
        assert_eq!(said("valid_range", &AttrValue::Ints(vec![1, 2])), Some((Type::Short, 4)));
        assert_eq!(said("scale", &AttrValue::Int(70_000)), Some((Type::Int, 4)));
        assert_eq!(said("_FillValue", &AttrValue::Int(7)), Some((Type::Float, 4)));
        // Others that are no values of the type are as they are.
        let int = Some((Type::Int as u8, 300_i32.to_be_bytes().to_vec()));
        assert_eq!(made("valid_min", &AttrValue::Int(300), Type::Byte), int);
        let double = Some((Type::Double as u8, 1e20_f64.to_be_bytes().to_vec()));
        assert_eq!(made("scale", &AttrValue::Float(1e20), Type::Float), double);
        assert_eq!(made("note", &text("5"), Type::Int), Some((Type::Char as u8, b"5".to_vec())));
    }

    #[test]
    fn dimensions_are_found_however_many_there_are() {
        let mut head = Head::default();
        // Of one name, all of other lengths, and each twice.
        for round in 0..2 {
            for len in 1..50_000_usize {
                assert_eq!(head.dim(Some("x"), len as u64, &[]), len - 1, "{round}");
            }
        }
        assert!(head.has_dim("x", 1) && head.has_dim("x_7", 7) && !head.has_dim("x", 7));
        assert_eq!(head.dim(Some("x_7"), 7, &[]), 6);
        // Of an array with two dimensions of one length, each is another one.
        assert_eq!(head.dim(Some("x"), 7, &[6]), 49_999);
        // Only one has no elements: that of records, once a variable has it first.
        let records = head.dim(None, 0, &[]);
        assert!(head.is_first(records));
        assert_eq!(head.dim(Some("x"), 0, &[]), records);
    }
}
