//! The items of a stream as a tree: the inverse of [`crate::convert::portable`].

use std::collections::HashMap;

use asdf_bridge::asdf::{NewArray, Yaml, data_key};
use dudley::read::Repeated;
use dudley::read::path::split;
use dudley::read::select::{Picked, Selected};
use dudley::read::slice::Index;
use dudley::{Data, Dtype, Item, ItemKind, Primitive, Stream, Value};

use super::entries::Entries;
use crate::convert::lost::{Lost, Medium};
use crate::convert::out::{Selection, What, each, whole};
use crate::export::data_of;
use crate::failure::{Failure, Result, printable};
use crate::npy::{is_bytes, meant};
use crate::output::warn;

/// The greatest size of a tree. Each value and array is a node, and all nodes are in memory while the text is written.
const MOST: u64 = 1 << 20;

/// The share of an array in this size, in values.
const ARRAY: u64 = 4;

/// What is selected of a stream as the tree of a file of ASDF, or of FINF: dicts as mappings, lists as sequences,
/// params as `:NAME`.
///
/// # Errors
/// If there is nothing of a path; if the stream cannot be read, or has types that the format does not have.
pub(crate) fn of_stream(from: &Selection<'_>, finf: bool) -> Result<Yaml<'static>> {
    let (mut maker, mut entries) = (Maker::new(from.stream, finf), Entries::default());
    each(from, &mut |found| {
        let Some(node) = maker.node(&found.what)? else { return Ok(()) };
        let (is_param, mut names) = (found.is_param(), found.names);
        if let Some((last, _)) = names.last_mut() {
            if is_param {
                last.insert(0, ':');
            } else if let What::Item(item) = &found.what
                && last.starts_with(':')
                && is_integer(&item.data()?)
            {
                return Err(Failure::input(format!(
                    "`{}` is an integer, and would be the param of that name: give it another name",
                    printable(item.path())
                )));
            }
        }
        if let Some((first, _)) = names.first_mut() {
            *first = maker.key(std::mem::take(first));
        }
        entries.add(found.what.path(), &names, node)
    })?;
    maker.warn();
    Ok(entries.finish())
}

/// Makes the nodes of the tree.
struct Maker {
    finf: bool,
    /// The size of the tree so far.
    held: u64,
    /// The losses: content that the format cannot hold.
    lost: Lost,
    /// Names of data that have other keys in a tree, each with its key.
    moved: Vec<(String, String)>,
    /// The texts called `unit` in dicts, by the paths of these.
    units: HashMap<String, String>,
    stream: Stream,
}

impl Maker {
    /// A maker of trees of ASDF, or of FINF.
    fn new(stream: &Stream, finf: bool) -> Maker {
        Maker {
            finf,
            held: 0,
            lost: Lost::new(if finf { Medium::Finf } else { Medium::Asdf }),
            moved: Vec::new(),
            units: HashMap::new(),
            stream: stream.clone(),
        }
    }

    /// Warns of everything that is lost or renamed.
    fn warn(&self) {
        self.lost.warn();
        for (name, key) in &self.moved {
            warn(&format!("`/{name}` stands under `/{key}` now, as data called so do"));
        }
    }

    /// The key at the top of the tree for data of a name.
    fn key(&mut self, name: String) -> String {
        if self.finf {
            return name;
        }
        let key = data_key(&name).into_owned();
        if key != name && !self.moved.iter().any(|(known, _)| *known == name) {
            self.moved.push((name, key.clone()));
        }
        key
    }

    /// The node for what is found; `None` for a dict or list, before its items.
    fn node(&mut self, what: &What<'_>) -> Result<Option<Yaml<'static>>> {
        Ok(Some(match what {
            What::Around(item) | What::Columns(item) => {
                if matches!(what, What::Around(_)) {
                    self.around(item)?;
                }
                self.lost.item(item)?;
                return Ok(None);
            }
            What::Empty(list) if list.kind() == ItemKind::List => {
                Yaml::sequence::<Yaml<'static>>([])
            }
            What::Empty(_) => Entries::default().finish(),
            What::Item(item) if item.kind() == ItemKind::Param => self.param(item)?,
            What::Item(item) => self.data(item)?,
            What::Part(selected, path) => self.part(selected, path)?,
            // Sequences of different lengths form no array, but a tree can hold them.
            What::Uneven(selected, path) => {
                let value = selected.value()?;
                self.hold(path, nodes(&value))?;
                self.lost.part(&self.stream, selected, path)?;
                single(value)
            }
        }))
    }

    /// A dict or list, before its items are visited: whether they still fit into the tree.
    fn around(&mut self, item: &Item) -> Result<()> {
        if item.kind() == ItemKind::Dict {
            let unit = item.child("unit").and_then(|unit| unit.read_text().ok());
            let path = item.path().trim_end_matches('/').to_owned();
            self.units.extend(unit.map(|unit| (path, unit)));
            return Ok(());
        }
        let first = || item.element(0).and_then(|first| first.data()).map_or(1, |it| weight(&it));
        let each = match item.columns() {
            Some(columns) => columns.iter().map(weight).sum(),
            None if item.repeated() == Repeated::Not => 1,
            None => first(),
        };
        self.within(item.path(), item.len()?.saturating_mul(each))
    }

    /// Adds to the size of the tree.
    fn hold(&mut self, path: &str, more: u64) -> Result<()> {
        self.within(path, more)?;
        self.held += more;
        Ok(())
    }

    /// Checks that this size still fits into the tree.
    fn within(&self, path: &str, more: u64) -> Result<()> {
        if self.held.saturating_add(more) <= MOST {
            return Ok(());
        }
        Err(Failure::input(format!(
            "`{}`: the tree of a file would have more than {MOST} values, or {} arrays, each with a node: records \
             declared as an array of structs, `l = {{…}}[N]`, are one node; `dudc get IN /l[:]/x -o x.npy` writes \
             one part of all records; a .bd has any number of them",
            printable(path),
            MOST / ARRAY
        )))
    }

    /// An integer of 64 bits as a number, any other integer as an array of one element, which keeps its type.
    fn param(&mut self, param: &Item) -> Result<Yaml<'static>> {
        self.lost.item(param)?;
        self.hold(param.path(), param.data().map_or(1, |data| weight(&data)))?;
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

    /// The unit of what is at a path, if it does not stand as `unit` in its dict already.
    fn unit<'u>(&self, path: &str, unit: Option<&'u str>) -> Option<&'u str> {
        let (dict, name) = split(path);
        let beside = self.units.get(dict).filter(|_| matches!(name, "value" | "data"));
        unit.filter(|unit| beside.is_none_or(|beside| beside != unit))
    }

    /// An array or value.
    fn data(&mut self, item: &Item) -> Result<Yaml<'static>> {
        let (data, unit) = (whole(item)?, self.unit(item.path(), item.unit()));
        self.hold(item.path(), weight(&data))?;
        self.lost.item(item)?;
        self.tree_of(&data, unit)
    }

    /// The selection of a path, with its unit.
    ///
    /// # Errors
    /// If it is not one array.
    fn part(&mut self, selected: &Selected, path: &str) -> Result<Yaml<'static>> {
        let data = data_of(selected)?.ok_or_else(|| {
            Failure::input(format!(
                "`{}` picks parts of several items: an .npz has those stacked",
                printable(path)
            ))
        })?;
        self.hold(path, weight(&data))?;
        self.lost.part(&self.stream, selected, path)?;
        self.tree_of(&data, self.unit(path, unit_of(selected)))
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

/// How many nodes of a tree a value takes.
fn nodes(value: &Value) -> u64 {
    match value {
        Value::Array(values) => values.iter().map(nodes).sum(),
        Value::Struct(fields) => fields.iter().map(|(_, value)| nodes(value)).sum(),
        _ => 1,
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
        Value::Struct(fields) => {
            Yaml::mapping(fields.into_iter().map(|(name, value)| (Yaml::key(&name), single(value))))
        }
        Value::Null => Yaml::null(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_kinds_are_in_the_tree() {
        let sequence = |last| Value::Array((1..=last).map(Value::Int).collect());
        let record = |last| Value::Struct(vec![("v".to_owned(), sequence(last))]);
        let tree = single(Value::Array(vec![record(1), record(2), Value::Null]));
        let tree = Yaml::mapping([(Yaml::key("x"), tree)]);
        let file = asdf_bridge::asdf::Builder::from_tree(tree).to_bytes().expect("a file");
        let file = asdf_bridge::asdf::Open::new().bytes(file).expect("a tree");
        let value = |path: &str| file.get(path).and_then(|item| item.value()).expect(path);
        assert_eq!(value("/x/0/v/0"), Value::Int(1));
        assert_eq!(value("/x/1/v/1"), Value::Int(2));
        assert_eq!(value("/x/2"), Value::Null);
    }
}
