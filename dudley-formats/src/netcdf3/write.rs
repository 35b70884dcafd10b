//! Arrays as a netCDF-3 file: through a layout whose header is an item in front of the variables.

use std::collections::HashSet;
use std::fmt::Write;

use dudley::bytes::Source;
use dudley::model::{Planned, WriteFile};
use dudley::numpy::ArraySource;
use dudley::numpy::arrays::{About, Named};
use dudley::numpy::layout::Dicts;
use dudley::read::Parts;
use dudley::{ByteOrder, Dtype, Error, Primitive, Result, Value};
use dudley_parser::comments::AttrValue;
use dudley_parser::layout::path::push_name;

use super::encode::{Head, text};
use super::header::{self, Type};
use super::records::Records;
use super::said::{Said, said};
use crate::headers;
use crate::texts::{padded, texts};

/// Writes netCDF-3 files.
pub(crate) struct WriteNetCdf3;

impl WriteFile for WriteNetCdf3 {
    fn name(&self) -> &'static str {
        "nc"
    }

    fn plan(&self, arrays: Vec<Named>, dicts: &Dicts) -> Result<Planned> {
        let mut file = File::default();
        let (params, arrays): (Vec<Named>, Vec<Named>) =
            arrays.into_iter().partition(|it| it.param);
        if let Some(about) = dicts.get(&[][..]) {
            let names = said(about).unlimited;
            file.head.unlimited = names.iter().map(|name| text::name(name)).collect();
        }
        for array in arrays {
            file.array(array)?;
        }
        for param in params {
            file.param(param)?;
        }
        for (names, about) in dicts {
            let said = said(about);
            if names.is_empty() {
                (file.head.attributes, _) = said.attributes(None, "title");
            } else if !said.is_empty() {
                let path = path_of(names);
                file.lost.push(format!("what is said of `{path}`, as there are no dicts"));
            }
        }
        file.planned()
    }
}

/// A file during its writing.
#[derive(Default)]
struct File {
    head: Head,
    data: Vec<Elements>,
    names: HashSet<String>,
    lost: Vec<String>,
}

/// The elements of a variable.
struct Elements {
    /// What they are of the item that holds them, and its shape.
    primitive: Primitive,
    shape: Vec<u64>,
    bytes: u64,
    source: ArraySource,
}

impl File {
    /// An array, or one for each field of structs.
    fn array(&mut self, array: Named) -> Result<()> {
        let path = path_of(&array.parts);
        let mut fields: Vec<(String, ArraySource)> = Vec::new();
        match &array.source {
            ArraySource::Npy(npy) if npy.is_struct() => {
                fields.extend(npy.fields().into_iter().map(|(name, npy)| (name, npy.into())));
            }
            ArraySource::Data(stacked) => match (stacked.first().dtype(), stacked.single()) {
                (Dtype::Record(record), Some(data)) => {
                    for field in &record.fields {
                        fields.push((field.name.clone(), data.field(&field.name)?.into()));
                    }
                }
                (Dtype::Record(_), None) => {
                    return Err(refused(
                        &path,
                        "structs of several items of a list are no variables",
                    ));
                }
                _ => {}
            },
            ArraySource::Npy(_) => {}
        }
        if !array.source.is_struct() {
            return self.variable(array, &path);
        }
        self.lost.push(format!("the structs of `{path}`, whose fields become variables"));
        let rank = array.source.shape().len();
        for (name, source) in fields {
            let of_struct = array.about.dims.iter().take(rank).cloned();
            let about = match source.data() {
                Some(data) => About {
                    doc: data.doc().map(str::to_owned).collect(),
                    attributes: data.attributes().to_vec(),
                    dims: of_struct.collect(),
                    ..About::default()
                },
                None => About::default(),
            };
            let parts = array.parts.iter().cloned().chain([name]).collect();
            self.array(Named { parts, keyed: Vec::new(), param: false, source, about })?;
        }
        Ok(())
    }

    fn variable(&mut self, array: Named, path: &str) -> Result<()> {
        let Named { parts, source, about, .. } = array;
        let mut said = said(&about);
        let (kind, primitive, source, mut shape) = self.elements(source, path, &mut said)?;
        // Two numbers are one element of the item.
        let is_pair = matches!(primitive, Primitive::C8 | Primitive::C16);
        let names = said.dims(&about.dims, shape.len() - usize::from(is_pair));
        if shape.iter().skip(1).any(|len| *len == 0) {
            let why = "which has no elements along a dimension that is not its first";
            self.lost.push(format!("`{path}`, {why}"));
            return Ok(());
        }
        let mut dims = Vec::new();
        for (at, len) in shape.iter().enumerate() {
            let wanted = names.get(at).and_then(Option::as_deref);
            dims.push(self.head.dim(wanted, *len, &dims));
        }
        if let Some(first) = dims.first()
            && !self.head.is_first(*first)
            && shape[0] == 0
        {
            let why = "another dimension counts the records of the file, so that none else may have no elements";
            return Err(refused(path, why));
        }
        let mut bytes = kind.size();
        for len in &shape {
            bytes = bytes.checked_mul(*len).ok_or_else(|| refused(path, "it is too large"))?;
        }
        if is_pair {
            shape.pop();
        }
        let (attributes, wrong) = said.attributes(Some(kind), "long_name");
        let wrong = wrong.into_iter();
        self.lost.extend(wrong.map(|name| {
            format!("the attribute `{name}` of `{path}`, which is no value of its type")
        }));
        let data = Elements { primitive, shape, bytes, source };
        self.add(&parts, (kind, dims, attributes), data)
    }

    /// The type of the elements of an array, the type of the item that holds them, their source, and their shape.
    fn elements(
        &mut self,
        source: ArraySource,
        path: &str,
        said: &mut Said,
    ) -> Result<(Type, Primitive, ArraySource, Vec<u64>)> {
        let mut shape = source.shape().to_vec();
        let Some((primitive, _, units)) = source.units() else {
            let value = source.value()?.unwrap_or(Value::Null);
            let texts = texts(&value);
            let texts =
                texts.ok_or_else(|| refused(path, "structs of variable size are no variable"))?;
            let (bytes, len) = padded(&texts);
            shape.push(len);
            return Ok((Type::Char, Primitive::U1, of_bytes(bytes, &shape)?, shape));
        };
        if primitive.size() > 1 && primitive.is_text() {
            let value = source.value()?.unwrap_or(Value::Null);
            let texts = texts(&value).unwrap_or_default();
            let (bytes, len) = padded(&texts);
            if units.is_none() {
                shape.pop();
            }
            shape.push(len);
            return Ok((Type::Char, Primitive::U1, of_bytes(bytes, &shape)?, shape));
        }
        if primitive.is_text() || units.is_some() {
            let mut bytes = Vec::new();
            source.blocks(None, &mut |block| {
                bytes.extend_from_slice(block);
                Ok(())
            })?;
            shape.extend(units);
            if primitive == Primitive::S1 && !bytes.is_ascii() {
                said.foreign("_Encoding", AttrValue::Text("cp1252".to_owned()));
            }
            let kind = if primitive.is_text() { Type::Char } else { Type::UByte };
            return Ok((kind, Primitive::U1, of_bytes(bytes, &shape)?, shape));
        }
        if let [(None, time)] = &*source.times() {
            said.time(time);
        }
        let mut lose = |becomes: &str| {
            self.lost
                .push(format!("the type of `{path}` ({} becomes {becomes})", primitive.name()));
        };
        let pair = |kind, shape: Vec<u64>| (kind, [&shape[..], &[2]].concat());
        let ((kind, shape), primitive) = match primitive {
            Primitive::C4 | Primitive::C8 => {
                lose("pairs of f4");
                (pair(Type::Float, shape), Primitive::C8)
            }
            Primitive::C16 => {
                lose("pairs of f8");
                (pair(Type::Double, shape), Primitive::C16)
            }
            Primitive::B1 => {
                lose("i1");
                ((Type::Byte, shape), Primitive::B1)
            }
            Primitive::F2 => {
                lose("f4");
                ((Type::Float, shape), Primitive::F4)
            }
            Primitive::P4 => {
                lose("u4");
                ((Type::UInt, shape), Primitive::U4)
            }
            Primitive::P8 => {
                lose("u8");
                ((Type::UInt64, shape), Primitive::U8)
            }
            other => {
                let kind = Type::of_primitive(other);
                let kind = kind.ok_or_else(|| refused(path, "netCDF-3 has no such type"))?;
                ((kind, shape), other)
            }
        };
        Ok((kind, primitive, source, shape))
    }

    /// A param that is not a dimension.
    fn param(&mut self, param: Named) -> Result<()> {
        let path = path_of(&param.parts);
        let value = match param.about.fixed {
            Some(value) => Some(value),
            None => param.source.integer()?,
        };
        let value = value.and_then(|value| i64::try_from(value).ok());
        let value = value.ok_or_else(|| refused(&path, "a param is one integer"))?;
        let name = param.parts.last().map_or("", String::as_str);
        if self.head.has_dim(name, value) {
            return Ok(());
        }
        let (kind, bytes) = match i32::try_from(value) {
            Ok(value) => (Type::Int, value.to_be_bytes().to_vec()),
            Err(_) => (Type::Int64, value.to_be_bytes().to_vec()),
        };
        let (primitive, count) = (kind.primitive(), bytes.len() as u64);
        let dtype = Dtype::Primitive(primitive, ByteOrder::Big);
        let source = Parts::new(dtype, &[]).data(bytes)?.into();
        let (attributes, _) = said(&param.about).attributes(Some(kind), "long_name");
        let data = Elements { primitive, shape: Vec::new(), bytes: count, source };
        self.add(&param.parts, (kind, Vec::new(), attributes), data)
    }

    fn add(
        &mut self,
        parts: &[String],
        (kind, dims, attributes): (Type, Vec<usize>, Vec<header::Attribute>),
        data: Elements,
    ) -> Result<()> {
        let names: Vec<String> = parts.iter().map(|part| text::name(part)).collect();
        let name = names.join(".");
        // Names that are joined with points are no loss: all files of netCDF-3 have them.
        if names != parts {
            self.lost.push(format!("the name of `{}`, which becomes `{name}`", path_of(parts)));
        }
        if !self.names.insert(name.clone()) {
            let why = format!("another variable is called `{name}`, too: convert it by itself");
            return Err(refused(&path_of(parts), &why));
        }
        let dims = dims.iter().map(|dim| *dim as u64).collect();
        self.head.add(name, dims, attributes, kind, data.bytes);
        self.data.push(data);
        Ok(())
    }

    /// The layout: the header, the variables one after the other at multiples of 4, the records, and the padding of the last.
    fn planned(self) -> Result<Planned> {
        let File { mut head, data, mut lost, .. } = self;
        let limited = head.limit();
        lost.extend(limited.iter().map(|name| {
            format!(
                "that the dimension `{name}` is without limit, as one may be that is the first of its variables"
            )
        }));
        let (header, begins) = head.bytes();
        let mut planned = Planned::default();
        planned.layout.push_str(">\n#: stream = \"raw\"\n");
        let mut end = header.len() as u64;
        let mut item = |dtype: &str, begin: u64, source: ArraySource| {
            let name = format!("v{}", planned.items.len());
            let _ = writeln!(planned.layout, "{name} = {dtype} @{begin}");
            planned.items.push(Named::new(vec![name], false, source));
        };
        item(&format!("u1[{end}]"), 0, of_bytes(header, &[end])?);
        let parts = head.parts();
        // The records of a single variable are an array like any other, without padding.
        let is_apart = |part: Option<u64>| part.is_some() && parts.iter().flatten().count() > 1;
        let (mut records, mut records_at) = (Records::new(head.records()), u64::MAX);
        for ((data, begin), part) in data.into_iter().zip(begins).zip(&parts) {
            let Elements { primitive, shape, bytes, source } = data;
            if bytes == 0 {
                continue;
            }
            if let Some(part) = part.filter(|_| is_apart(*part)) {
                records_at = records_at.min(begin);
                records.add(primitive, part, source)?;
            } else {
                item(&(primitive.name().to_owned() + &headers::shape(&shape)), begin, source);
                end = end.max(begin + bytes);
            }
        }
        if records.len() > 0 {
            let bytes = records.len();
            let elements = Parts::new(Dtype::Primitive(Primitive::U1, ByteOrder::Big), &[bytes]);
            item(&format!("u1[{bytes}]"), records_at, elements.data(records)?.into());
            end = records_at.saturating_add(bytes);
        }
        let padding = end.next_multiple_of(4) - end;
        if padding > 0 {
            let zeros = of_bytes(vec![0; padding as usize], &[padding])?;
            item(&format!("u1[{padding}]"), end, zeros);
        }
        planned.lost = lost;
        Ok(planned)
    }
}

fn path_of(parts: &[String]) -> String {
    let mut path = String::new();
    for part in parts {
        path.push('/');
        push_name(&mut path, part);
    }
    path
}

fn refused(path: &str, why: &str) -> Error {
    Error::Foreign(format!("`{path}`: {why}").into())
}

/// Bytes in memory as an array.
fn of_bytes(bytes: Vec<u8>, shape: &[u64]) -> Result<ArraySource> {
    let parts = Parts::new(Dtype::Primitive(Primitive::U1, ByteOrder::Big), shape);
    Ok(parts.data(bytes)?.into())
}
