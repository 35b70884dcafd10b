//! The items of a stream as a tree: the inverse of [`super::taken`].

use asdf_bridge::asdf::{NewArray, Yaml, data_key};
use dudley::read::Repeated;
use dudley::read::select::{Picked, Selected};
use dudley::read::slice::Index;
use dudley::{Data, Dtype, Item, ItemKind, Primitive, Stream, Value};

use crate::convert::columns::{self, Column};
use crate::convert::lost::{Lost, Medium, warn_of_places};
use crate::convert::names;
use crate::convert::out::whole;
use crate::export::data_of;
use crate::failure::{Failure, Result, printable};
use crate::npy::{is_bytes, meant};
use crate::output::warn;

/// The greatest size of a tree. Each value and array is a node, and all nodes are in memory while the text is written.
const MOST: u64 = 1 << 20;

/// The share of an array in this size, in values.
const ARRAY: u64 = 4;

/// Makes the tree of a file of ASDF, or of FINF.
pub(crate) struct Maker {
    finf: bool,
    /// The size of the tree so far.
    held: u64,
    /// The losses: content that the format cannot hold.
    lost: Lost,
    /// Names of data that have other keys in a tree, each with its key.
    moved: Vec<(String, String)>,
}

impl Maker {
    /// A maker of trees of ASDF, or of FINF.
    pub(crate) fn new(finf: bool) -> Maker {
        Maker {
            finf,
            held: 0,
            lost: Lost::new(if finf { Medium::Finf } else { Medium::Asdf }),
            moved: Vec::new(),
        }
    }

    /// Dicts as mappings, lists as sequences, params as `:NAME`.
    ///
    /// # Errors
    /// If the stream cannot be read, or has types that the format does not have.
    pub(crate) fn tree(stream: &Stream, finf: bool) -> Result<Yaml<'static>> {
        let mut maker = Maker::new(finf);
        let tree = maker.item(&stream.root(), None)?;
        maker.warn();
        Ok(tree)
    }

    /// A part of a stream.
    ///
    /// # Errors
    /// As [`Self::tree`].
    pub(crate) fn part(&mut self, item: &Item) -> Result<Yaml<'static>> {
        self.item(item, None)
    }

    /// Warns of everything that is lost or renamed.
    pub(crate) fn warn(&self) {
        self.lost.warn();
        for (name, key) in &self.moved {
            warn(&format!("`/{name}` stands under `/{key}` now, as data called so do"));
        }
    }

    /// The key at the top of the tree for data of a name.
    pub(crate) fn key(&mut self, name: String) -> String {
        if self.finf {
            return name;
        }
        let key = data_key(&name).into_owned();
        if key != name && !self.moved.iter().any(|(known, _)| *known == name) {
            self.moved.push((name, key.clone()));
        }
        key
    }

    /// An item; `beside` is the text that stands as `unit` in its dict.
    fn item(&mut self, item: &Item, beside: Option<&str>) -> Result<Yaml<'static>> {
        match item.kind() {
            ItemKind::Dict => self.dict(item),
            ItemKind::List => {
                // A history becomes columns; a list of a few dicts stays a list.
                if item.repeated() == Repeated::Grows
                    && let Some(columns) = columns::of(item)?
                    && let Some(tree) = self.columns(item, &columns)?
                {
                    return Ok(tree);
                }
                self.check(item)?;
                self.lost.item(item)?;
                let items = item.items()?.map(|item| self.item(&item?, None));
                Ok(Yaml::sequence(items.collect::<Result<Vec<_>>>()?))
            }
            ItemKind::Param => self.param(item),
            ItemKind::Data => self.data(item, beside),
        }
    }

    /// The members of the dicts of a list as arrays; `None` if a member cannot be an array of a file.
    fn columns(&mut self, list: &Item, columns: &[Column]) -> Result<Option<Yaml<'static>>> {
        let arrays = columns.iter().map(|column| data_of(&column.selected));
        let Some(arrays) = arrays.collect::<Result<Option<Vec<_>>>>()? else { return Ok(None) };
        self.within(list, ARRAY.saturating_mul(columns.len() as u64))?;
        self.held += ARRAY * columns.len() as u64;
        self.lost.item(list)?;
        self.lost.item(&list.element(0)?)?;
        let mut entries = Vec::new();
        for (column, data) in columns.iter().zip(&arrays) {
            self.lost.part(&column.selected, &column.path)?;
            entries.push((&column.names[..], self.tree_of(data, unit_of(&column.selected))?));
        }
        Ok(Some(mapping(entries)))
    }

    /// Checks, before the items of a list are visited, that they still fit into the tree.
    fn check(&self, list: &Item) -> Result<()> {
        let each = list.columns().map_or(1, |columns| columns.iter().map(weight).sum());
        self.within(list, list.len()?.saturating_mul(each))
    }

    /// Checks that this size still fits into the tree.
    fn within(&self, item: &Item, more: u64) -> Result<()> {
        if self.held.saturating_add(more) <= MOST {
            return Ok(());
        }
        Err(Failure::input(format!(
            "`{}`: the tree of a file would have more than {MOST} values, or {} arrays, each with a node: records \
             declared as an array of structs, `l = {{…}}[N]`, are one node; `dudc get IN /l[:]/x -o x.npy` writes \
             one part of all records; a .bd has any number of them",
            printable(item.path()),
            MOST / ARRAY
        )))
    }

    fn dict(&mut self, dict: &Item) -> Result<Yaml<'static>> {
        self.lost.item(dict)?;
        let mut entries = Vec::new();
        for (name, param) in names::params(dict)? {
            entries.push((Yaml::from(name), self.param(&param)?));
        }
        let unit = dict.child("unit").and_then(|unit| unit.read_text().ok());
        for (name, child) in names::children(dict) {
            let beside = unit.as_deref().filter(|_| matches!(&*name, "value" | "data"));
            let yaml = self.item(&child, beside)?;
            let key = if dict.path() == "/" { self.key(name) } else { name };
            if key.starts_with(':') && child.kind() == ItemKind::Data && is_integer(&child.data()?)
            {
                return Err(Failure::input(format!(
                    "`{}` is an integer, and would be the param of that name: give it another name",
                    printable(child.path())
                )));
            }
            entries.push((Yaml::key(&key), yaml));
        }
        Ok(Yaml::mapping(entries))
    }

    /// An integer of 64 bits as a number, any other integer as an array of one element, which keeps its type.
    fn param(&mut self, param: &Item) -> Result<Yaml<'static>> {
        self.lost.item(param)?;
        let more = param.data().map_or(1, |data| weight(&data));
        self.within(param, more)?;
        self.held += more;
        let value = param.value()?;
        match param.data() {
            // The caller may have given another value than the stream has.
            Ok(data) if data.dtype().primitive().is_some_and(|(own, _)| own != Primitive::I8) => {
                if data.value()? == value {
                    Ok(NewArray::data(&data)?.into())
                } else {
                    Ok(single(value))
                }
            }
            _ => Ok(single(value)),
        }
    }

    fn data(&mut self, item: &Item, beside: Option<&str>) -> Result<Yaml<'static>> {
        let unit = item.unit().filter(|unit| beside != Some(*unit));
        // Sequences of different lengths form no array, but a tree can hold them.
        let Some(data) = whole(item)?.resolved()? else {
            let value = item.value()?;
            self.lost.item(item)?;
            return Ok(single(value));
        };
        self.within(item, weight(&data))?;
        self.held += weight(&data);
        warn_of_places(item)?;
        self.lost.item(item)?;
        self.tree_of(&data, unit)
    }

    /// The selection of a path of an array, with its unit; `None` if it is not one array.
    ///
    /// # Errors
    /// As [`Self::tree`].
    pub(crate) fn array(
        &mut self,
        selected: &Selected,
        path: &str,
    ) -> Result<Option<Yaml<'static>>> {
        let Some(data) = data_of(selected)? else { return Ok(None) };
        self.lost.part(selected, path)?;
        self.tree_of(&data, unit_of(selected)).map(Some)
    }

    fn tree_of(&mut self, data: &Data, unit: Option<&str>) -> Result<Yaml<'static>> {
        if let Some(unit) = unit
            && let Some(quantity) = typed(data, unit)?
        {
            return Ok(quantity);
        }
        crate::npy::warn_of_texts(data)?;
        let value = self.value(data)?;
        let value = match unit {
            // Only numbers and arrays can be quantities.
            Some(_) => value.filter(is_number),
            None => value,
        };
        let yaml = match value {
            Some(value) => {
                if let Some(becomes) = replaced(data, &value) {
                    self.lost.dtype(data.path(), &becomes);
                }
                single(value)
            }
            None => {
                let array = NewArray::data(&data.decoded()?)?;
                if array.datatype().size() < data.dtype().size() {
                    self.lost.gaps(data.path());
                }
                if let Some(becomes) = retyped(data, &array) {
                    self.lost.dtype(data.path(), &becomes);
                }
                array.into()
            }
        };
        Ok(match unit {
            Some(unit) => Yaml::quantity(yaml, unit),
            None => yaml,
        })
    }

    /// The value of an item without dimensions, if a tree has values of its type. All others, and text that does not fill its
    /// room, become arrays without dimensions, which keep their type.
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
            (Primitive::C4, []) => true,
            (Primitive::Utf8 | Primitive::Utf16, [] | [_]) => true,
            (Primitive::S1, [] | [_]) => self.finf,
            // A text that does not fill its room has zeros at its end.
            (Primitive::Utf32, [room]) if !self.finf => match room.checked_sub(1) {
                Some(last) if *room > 1 => data.slice(&[Index::At(last as i64)])?.raw()? != [0; 4],
                Some(_) => true,
                None => false,
            },
            (Primitive::Utf32, [] | [_]) => true,
            _ => false,
        };
        if plain { data.value().map(Some).map_err(Failure::from) } else { Ok(None) }
    }
}

/// The unit of the first of what is selected.
fn unit_of(selected: &Selected) -> Option<&str> {
    match selected.parts.first() {
        Some(Picked::Data(first)) => first.unit(),
        _ => None,
    }
}

/// Entries by their names, as nested mappings; entries of one mapping stand together.
fn mapping(entries: Vec<(&[(String, bool)], Yaml<'static>)>) -> Yaml<'static> {
    let (mut found, mut entries) = (Vec::new(), entries.into_iter().peekable());
    while let Some((names, yaml)) = entries.next() {
        let Some(((key, _), rest)) = names.split_first() else { continue };
        let yaml = if rest.is_empty() {
            yaml
        } else {
            let mut inner = vec![(rest, yaml)];
            while let Some((names, yaml)) =
                entries.next_if(|(names, _)| names.first().is_some_and(|(name, _)| name == key))
            {
                inner.push((&names[1..], yaml));
            }
            mapping(inner)
        };
        found.push((Yaml::key(key), yaml));
    }
    Yaml::mapping(found)
}

/// The two types of an array whose type changes in a file.
fn retyped(data: &Data, array: &NewArray<'_>) -> Option<String> {
    let types = match data.dtype().primitive().map(|(primitive, _)| primitive) {
        Some(text @ (Primitive::Utf8 | Primitive::Utf16)) => {
            let shape = data.shape().split_last().map_or(&[][..], |(_, shape)| shape);
            let new = array.datatype().spell(shape);
            let new = new.trim_start_matches(['<', '>']);
            format!("{}{:?} becomes {new}", text.name(), data.shape())
        }
        Some(Primitive::P4) => "p4 becomes u4".to_owned(),
        Some(Primitive::P8) => "p8 becomes u8".to_owned(),
        // A field of a struct.
        _ if has_pointers(data.dtype()) => "p4 and p8 become u4 and u8".to_owned(),
        _ => return None,
    };
    Some(types)
}

/// The two types of data whose type changes as a value of a tree.
fn replaced(data: &Data, value: &Value) -> Option<String> {
    let (primitive, _) = data.dtype().primitive()?;
    let spelt = |name: &str, shape: &[u64]| match shape {
        [] => name.to_owned(),
        shape => format!("{name}{shape:?}"),
    };
    let new = match value {
        Value::Float(_) => "f8".to_owned(),
        Value::Complex(..) => "c16".to_owned(),
        // A text without characters has room for one elsewhere.
        Value::Text(text) => spelt("U4", &[text.chars().count().max(1) as u64]),
        _ => return None,
    };
    let old = spelt(primitive.name(), data.shape());
    (old != new).then(|| format!("{old} becomes {new}"))
}

/// How much of a tree an array takes.
fn weight(data: &Data) -> u64 {
    let plain = [Primitive::B1, Primitive::I8, Primitive::F8, Primitive::C16];
    match data.dtype().primitive() {
        Some((primitive, _)) if data.shape().is_empty() && plain.contains(&primitive) => 1,
        Some((primitive, _)) if data.shape().len() <= 1 && primitive.is_text() => 1,
        _ => ARRAY,
    }
}

/// A single number as a quantity, if its digits do not tell its type.
fn typed(data: &Data, unit: &str) -> Result<Option<Yaml<'static>>> {
    let told = |primitive| matches!(primitive, Primitive::I8 | Primitive::F8);
    let of = data.dtype().primitive().map(|(primitive, _)| primitive);
    if of.is_none_or(told) || !data.shape().is_empty() || meant(data.attributes()).is_some() {
        return Ok(None);
    }
    let value = data.value()?;
    if !is_number(&value) || has_pointers(data.dtype()) {
        return Ok(None);
    }
    let array = NewArray::data(data)?;
    Ok(Some(Yaml::typed_quantity(single(value), array.datatype(), unit)))
}

/// Whether elements are pointers, or structs with pointers.
fn has_pointers(dtype: &Dtype) -> bool {
    match dtype {
        Dtype::Primitive(primitive, _) => matches!(primitive, Primitive::P4 | Primitive::P8),
        Dtype::Record(record) => record.fields.iter().any(|field| has_pointers(&field.dtype)),
        Dtype::Variable(_) => false,
    }
}

fn is_integer(data: &Data) -> bool {
    use dudley_parser::layout::dtype::Kind;
    let kind = data.dtype().primitive().map(|(primitive, _)| primitive.kind());
    data.shape().is_empty() && matches!(kind, Some(Kind::Signed | Kind::Unsigned))
}

/// Whether all programs read this number from YAML.
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
        Value::Array(values) => Yaml::sequence(values.into_iter().map(single).collect::<Vec<_>>()),
        Value::Null | Value::Struct(_) => Yaml::null(),
    }
}
