//! The bytes of the header of a netCDF-3 file that is written, and which version it takes.

use dudley_parser::comments::AttrValue;

use super::header::{ATTRIBUTES, Attribute, DIMENSIONS, Dim, Type, VARIABLES, Variable};

/// Attributes that are of the type of their variable.
const OF_VALUES: [&str; 8] = [
    "_FillValue",
    "missing_value",
    "valid_min",
    "valid_max",
    "valid_range",
    "actual_range",
    "flag_values",
    "flag_masks",
];

/// A header that grows.
#[derive(Default)]
pub(super) struct Head {
    /// With the lengths that they have now, that of records too.
    dims: Vec<Dim>,
    /// The dimension that counts records.
    record: Option<usize>,
    /// The names of dimensions that are without limit.
    pub(super) unlimited: Vec<String>,
    pub(super) attributes: Vec<Attribute>,
    variables: Vec<Variable>,
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
        for number in 1.. {
            let name = if number == 1 { base.clone() } else { format!("{base}_{number}") };
            match self.dims.iter().position(|dim| dim.name == name) {
                Some(at) if self.dims[at].len == len && !taken.contains(&at) => return at,
                Some(_) => {}
                None => {
                    self.dims.push(Dim { name, len, address: 0 });
                    break;
                }
            }
        }
        self.dims.len() - 1
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

    /// How many records there are.
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
        self.dims.iter().any(|dim| dim.name == name && u64::try_from(len) == Ok(dim.len))
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
        self.variables.push(Variable { name, dims, attributes, kind, bytes, begin: 0, address: 0 });
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
        // Records are behind all else.
        for is_record in [false, true] {
            let all = begins.iter_mut().zip(&self.variables);
            for (begin, variable) in all.filter(|(_, it)| self.is_record(it) == is_record) {
                *begin = at;
                at = at.saturating_add(self.bytes_of(variable)).saturating_add(3) & !3;
            }
        }
        begins
    }

    /// Whether a version has all types, addresses and sizes; the variable that lies last may have any size.
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

    /// The variables in the order in which they lie.
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

/// An attribute: of the type of its variable if it is about values and these are some of that; else of the first of
/// `int`, `int64` and `double` that holds it, or text.
pub(super) fn attribute(name: &str, value: &AttrValue, of: Option<Type>) -> Attribute {
    let of = of.filter(|_| OF_VALUES.contains(&name));
    let values = match value {
        AttrValue::Int(value) => Values::Ints(vec![*value]),
        AttrValue::Ints(values) => Values::Ints(values.clone()),
        AttrValue::Float(value) => Values::Floats(vec![*value]),
        AttrValue::Floats(values) => Values::Floats(values.clone()),
        AttrValue::Text(text) => match (of, text.parse()) {
            (Some(Type::Float | Type::Double), Ok(value)) => Values::Floats(vec![value]),
            _ => return text::attribute(name, text),
        },
        AttrValue::Texts(texts) => return text::attribute(name, &texts.join("\n")),
        AttrValue::True => return text::attribute(name, "true"),
    };
    let first = |kinds: &[Type]| {
        let mut kinds = of.iter().chain(kinds);
        kinds.find_map(|kind| Some((*kind, values.encode(*kind)?)))
    };
    let found = match values {
        Values::Ints(_) => first(&[Type::Int, Type::Int64]),
        Values::Floats(_) => first(&[Type::Double]),
    };
    let (kind, bytes) = found.unwrap_or((Type::Char, Vec::new()));
    Attribute { name: text::name(name), kind, bytes, address: 0 }
}

enum Values {
    Ints(Vec<i64>),
    Floats(Vec<f64>),
}

impl Values {
    /// Their bytes, if they are values of a type.
    fn encode(&self, kind: Type) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        match self {
            Values::Ints(values) => {
                for value in values {
                    bytes.extend(integer(kind, *value)?);
                }
            }
            Values::Floats(values) => {
                for value in values {
                    let single = *value as f32;
                    match kind {
                        Type::Float if value.is_nan() || f64::from(single) == *value => {
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

fn integer(kind: Type, value: i64) -> Option<Vec<u8>> {
    Some(match kind {
        Type::Byte => i8::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::Short => i16::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::Int => i32::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::Int64 => value.to_be_bytes().to_vec(),
        Type::UByte => u8::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::UShort => u16::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::UInt => u32::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::UInt64 => u64::try_from(value).ok()?.to_be_bytes().to_vec(),
        Type::Float if (value as f32) as i64 == value => (value as f32).to_be_bytes().to_vec(),
        Type::Double if (value as f64) as i64 == value => (value as f64).to_be_bytes().to_vec(),
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

    /// A name as netCDF has them: what none may have becomes a `_`.
    pub(crate) fn name(name: &str) -> String {
        let allowed = |it: char| if it == '/' || it.is_control() { '_' } else { it };
        let name: String = name.trim_end().chars().map(allowed).collect();
        let is_first = |it: char| it.is_ascii_alphanumeric() || it == '_' || !it.is_ascii();
        if name.starts_with(is_first) { name } else { format!("_{name}") }
    }
}
