//! The items of a stream as a tree: the inverse of what [`super::taken`] takes.

use asdf_bridge::asdf::{NewArray, Yaml, data_key};
use dudley::{Data, Item, ItemKind, Primitive, Stream, Value};

use crate::failure::{Failure, Result, printable};
use crate::npy::{is_bytes, meant};
use crate::output::warn;

/// Makes the tree of a file of ASDF, or of FINF.
pub(crate) struct Maker {
    finf: bool,
    /// Arrays of structs whose fields stood apart: the first, and how many.
    packed: Option<(String, u64)>,
}

impl Maker {
    /// Dicts as mappings, lists as sequences, params as `:NAME`.
    ///
    /// # Errors
    /// If the stream cannot be read, or has types that the format does not have.
    pub(crate) fn tree(stream: &Stream, finf: bool) -> Result<Yaml<'static>> {
        let mut maker = Maker { finf, packed: None };
        let tree = maker.item(&stream.root(), None)?;
        if let Some((first, count)) = maker.packed {
            let more = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
            warn(&format!(
                "`{first}`{more}: the gaps between fields are left out, as ASDF has none"
            ));
        }
        Ok(tree)
    }

    /// An item; `beside` is the text that stands as `unit` in its dict.
    fn item(&mut self, item: &Item, beside: Option<&str>) -> Result<Yaml<'static>> {
        match item.kind() {
            ItemKind::Dict => self.dict(item),
            ItemKind::List => {
                let items = item.items()?.map(|item| self.item(&item?, None));
                Ok(Yaml::sequence(items.collect::<Result<Vec<_>>>()?))
            }
            ItemKind::Param => self.param(item),
            ItemKind::Data => self.data(item, beside),
        }
    }

    fn dict(&mut self, dict: &Item) -> Result<Yaml<'static>> {
        let mut entries = Vec::new();
        for param in dict.params().iter().filter(|param| param.is_stated()) {
            let name = dudley::path::split(param.path()).1.to_owned();
            entries.push((name, self.param(param)?));
        }
        let unit = dict.child("unit").and_then(|unit| unit.read_text().ok());
        for name in dict.names() {
            let Some(child) = dict.child(&name) else { continue };
            let beside = unit.as_deref().filter(|_| matches!(&*name, "value" | "data"));
            let yaml = self.item(&child, beside)?;
            let key = match dict.path() == "/" && !self.finf {
                true => data_key(&name).into_owned(),
                false => name,
            };
            if key.starts_with(':') && child.kind() == ItemKind::Data && is_integer(&child.data()?)
            {
                return Err(Failure::input(format!(
                    "`{}` is an integer, and would be the param of that name: give it another name",
                    printable(child.path())
                )));
            }
            entries.push((key, yaml));
        }
        Ok(Yaml::mapping(entries))
    }

    /// An integer of 64 bits as a number, another one as an array of one, which has its type.
    fn param(&self, param: &Item) -> Result<Yaml<'static>> {
        let value = param.value()?;
        match param.data() {
            // One that the caller gave has another value than the stream.
            Ok(data) if data.dtype().primitive().is_some_and(|(own, _)| own != Primitive::I8) => {
                match data.value()? == value {
                    true => Ok(NewArray::data(&data)?.into()),
                    false => Ok(single(value)),
                }
            }
            _ => Ok(single(value)),
        }
    }

    fn data(&mut self, item: &Item, beside: Option<&str>) -> Result<Yaml<'static>> {
        let data = item.data()?;
        let unit = item.unit().filter(|unit| beside != Some(*unit));
        let value = self.value(&data)?;
        let value = match unit {
            // Quantities are of numbers and arrays.
            Some(_) => value.filter(is_number),
            None => value,
        };
        let yaml = match value {
            Some(value) => single(value),
            None => {
                let array = NewArray::data(&data.decoded()?)?;
                if array.datatype().size() < data.dtype().size() {
                    let (_, count) = self.packed.get_or_insert_with(|| (printable(item.path()), 0));
                    *count += 1;
                }
                array.into()
            }
        };
        Ok(match unit {
            Some(unit) => Yaml::quantity(yaml, unit),
            None => yaml,
        })
    }

    /// The value of what is one, if the tree has values of its type: others are arrays without dimensions, which keep
    /// their type. So does text that has room for more.
    fn value(&self, data: &Data) -> Result<Option<Value>> {
        let Some((primitive, _)) = data.dtype().primitive() else {
            let nothing = data.shape().is_empty() && data.dtype().size() == Some(0);
            return Ok(nothing.then_some(Value::Null));
        };
        let meant = meant(data.attributes());
        if let (Primitive::U1, [_], true) =
            (primitive, data.shape(), is_bytes(meant.as_ref(), data.shape()))
        {
            return Ok(Some(Value::Bits(data.raw()?)));
        }
        let plain = match (primitive, data.shape()) {
            (Primitive::B1 | Primitive::I8 | Primitive::F8 | Primitive::C16, []) => meant.is_none(),
            (Primitive::F2, []) => self.finf,
            (Primitive::C4, []) => {
                warn(&format!("`{}`: a c4 is written as a c16", printable(data.path())));
                true
            }
            (Primitive::Utf8 | Primitive::Utf16, [] | [_]) => true,
            (Primitive::S1, [] | [_]) => self.finf,
            (Primitive::Utf32, [_]) if !self.finf => {
                let Value::Text(text) = data.value()? else { return Ok(None) };
                let whole = data.shape() == [text.chars().count().max(1) as u64];
                return Ok(whole.then_some(Value::Text(text)));
            }
            (Primitive::Utf32, [] | [_]) => true,
            _ => false,
        };
        if plain { data.value().map(Some).map_err(Failure::from) } else { Ok(None) }
    }
}

fn is_integer(data: &Data) -> bool {
    use dudley_parser::layout::dtype::Kind;
    let kind = data.dtype().primitive().map(|(primitive, _)| primitive.kind());
    data.shape().is_empty() && matches!(kind, Some(Kind::Signed | Kind::Unsigned))
}

/// Whether YAML has it as a number that all programs read.
fn is_number(value: &Value) -> bool {
    match value {
        Value::Float(_) => true,
        Value::Int(value) => i64::try_from(*value).is_ok_and(|value| value > i64::MIN + 1),
        _ => false,
    }
}

fn single(value: Value) -> Yaml<'static> {
    match value {
        Value::Bool(value) => value.into(),
        Value::Int(value) => value.into(),
        Value::Float(value) => value.into(),
        Value::Complex(re, im) => dudley::num_complex::Complex::new(re, im).into(),
        Value::Text(text) => text.into(),
        Value::Bits(bytes) => Yaml::binary(&bytes),
        Value::Null | Value::Array(_) | Value::Struct(_) => Yaml::null(),
    }
}
