//! How the records of a list or array lie, one after the other, whatever their number.
//!
//! Found out once, by resolving the layout with a few more records than there are.

use std::sync::OnceLock;

use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use dudley_parser::layout::presented::Presented::{Columns, View};
use dudley_parser::layout::{ArrayId, Count, Layout, ParamId, ParamValue, Scope};
use dudley_parser::place::{self, Repeated};
use dudley_parser::resolve::{Node, Target};

use super::Append;
use super::compatible::grown;
use super::in_place::InPlace;
use super::names::Names;
use crate::bytes::signature::LEN;
use crate::elements::number;
use crate::error::{Context, Error, Result, to_usize};
use crate::read::constant::{Stated, check_fields, fill, has_fields};
use crate::read::data::Data;
use crate::read::dtype::Dtype;
use crate::read::item::{Item, ItemKind};
use crate::read::path::split;
use crate::read::presented::Presented;
use crate::read::stream::{Open, Stream};

/// More parts than this in a record are refused.
const MOST_LEAVES: usize = 4096;

/// Records that are looked at beyond those that are there.
const AHEAD: u64 = 3;

/// How records follow each other.
pub(super) struct Plan {
    pub(super) path: String,
    /// Records that are there.
    pub(super) count: StoredCount,
    /// Where they begin: of all records, not only of new ones.
    starts: Repeated,
    /// The first record may have another padding than all others.
    first: Option<Shape>,
    others: Shape,
    /// The names of the parts of either.
    names: [OnceLock<Names>; 2],
    /// The stream with a few more records, of which nothing is there to be read.
    ahead: Stream,
    /// The next record and one of the others as items of that, with the index of the next one: of a
    /// list whose records are one item each.
    items: Option<(u64, [Node; 2])>,
    /// Items of a list that a record is; one of an array.
    pub(super) items_each: u64,
}

/// A number of records, where it is stored, and how.
#[derive(Clone, Copy)]
pub(super) struct StoredCount {
    pub(super) value: u64,
    address: u64,
    primitive: Primitive,
    order: ByteOrder,
}

impl StoredCount {
    /// The least and the greatest number that can be stored.
    pub(super) fn range(&self) -> (i128, i128) {
        self.primitive.range()
    }

    /// Makes all durable that was written, then writes another number over it, and makes that durable.
    pub(super) fn commit(&self, place: &mut InPlace, value: u64) -> Result<()> {
        place.drop_checksums()?;
        place.sync()?;
        let mut room = [0; 8];
        let room = &mut room[..self.primitive.size() as usize];
        number::put_bits(value, self.order, room);
        place.commit_number(self.address, room)
    }
}

/// What a record is made of.
#[derive(Clone, PartialEq)]
pub(super) struct Shape {
    /// The bytes of a record before anything is put in.
    pub(super) template: Vec<u8>,
    pub(super) leaves: Vec<Leaf>,
}

/// A part of a record.
#[derive(Clone)]
pub(super) struct Leaf {
    /// Its path within the record; empty for a record that is one item.
    pub(super) name: String,
    /// Bytes from the start of the record.
    pub(super) offset: usize,
    pub(super) bytes: usize,
    pub(super) dtype: Dtype,
    /// The shape that values of it are given in.
    pub(super) shape: Vec<u64>,
    presented: Presented,
    /// Its value, where the layout states one.
    pub(super) stated: Option<Stated>,
}

impl Leaf {
    /// Whether the layout states something of it, or of what is in it.
    pub(super) fn is_constant(&self, layout: &Layout) -> bool {
        self.stated.is_some() || has_fields(layout, &self.dtype)
    }

    /// Puts elements that were put in row by row where they are stored.
    pub(super) fn arrange(&self, cell: &mut [u8]) -> Result<()> {
        if self.presented.is_other() {
            let size = self.dtype.size().unwrap_or(0);
            cell.copy_from_slice(&self.presented.stored_of_given(cell.to_vec(), size)?);
        }
        Ok(())
    }

    /// Checks that what was put in, row by row, is what the layout states, if it states something.
    pub(super) fn check(&self, layout: &Layout, path: &str, bytes: &[u8]) -> Result<()> {
        match &self.stated {
            Some(stated) => stated.check_bytes(bytes, &self.dtype, &self.shape).of_item(path),
            None => check_fields(layout, path, (&self.dtype, &self.shape), bytes),
        }
    }
}

impl PartialEq for Leaf {
    fn eq(&self, other: &Leaf) -> bool {
        // All of one layout: equal names mean equal types.
        (&self.name, self.offset, self.bytes, &self.shape)
            == (&other.name, other.offset, other.bytes, &other.shape)
    }
}

impl Plan {
    /// How the records below a path lie.
    pub(super) fn new(append: &Append, path: &str) -> Result<Plan> {
        let stream = append.stream();
        let why = |why: &str| Error::CannotGrow { path: path.into(), why: why.into() };
        let kind = Growing::of(&stream.get(path)?).map_err(|no| why(&no.with_hint()))?;
        kind.check_regular().map_err(why)?;
        let stored = kind.stored_count(stream, path)?;
        let count = stored.value;
        let ahead = |more: u64| resolved(append, kind.param(), count + more);
        let (one, two, more) = (ahead(1)?, ahead(2)?, ahead(AHEAD)?);
        grown(&one, &more, kind.array(), path).map_err(|error| match error {
            Error::Moved { .. } => why(&format!(
                "{}; only what stands last in a stream can grow, and only if nothing else depends \
                 on its number: give each such list a file of its own, or make them one list of structs \
                 (or extend them by layout text, as `name[1]` does)",
                // With the addresses of now: the records that are ahead are nowhere yet.
                match grown(stream, &one, kind.array(), path) {
                    Err(now @ Error::Moved { .. }) => now,
                    _ => error,
                }
            )),
            error => error,
        })?;
        let address = |index: u64| kind.shape(&more, path, index);
        let (next, start) = address(count)?;
        let (others, second) = address(count + 1)?;
        let (last, third) = address(count + 2)?;
        let end_of = |shape: &Shape, start| place::add(start, shape.template.len() as u64);
        let regular = others == last
            && (count == 0 || next == others)
            && end_of(&next, start) == Some(one.data_end()?)
            && end_of(&others, second) == Some(two.data_end()?)
            && end_of(&last, third) == Some(more.data_end()?);
        if !regular || start < stream.data_end()? || third <= second || second <= start {
            return Err(why("something else lies behind its records, or among them"));
        }
        // The records before the next one are of no matter.
        let starts = Repeated { first: start, second, stride: third - second };
        let first = (next != others).then_some(next);
        let items = kind.items(&more, path, count)?;
        let path = path.to_owned();
        let (ahead, items_each) = (more, kind.items_each());
        let names = Default::default();
        Ok(Plan { path, count: stored, starts, first, others, names, ahead, items, items_each })
    }

    /// The stream with a few more records, of which nothing is there to be read.
    pub(super) fn ahead(&self) -> &Stream {
        &self.ahead
    }

    /// Whether a record is one item of a list.
    pub(super) fn has_items(&self) -> bool {
        self.items.is_some()
    }

    /// The record that is the `more`th one new as an item of that stream, where it is one item of a
    /// list. All records from the second new one on are found where that is.
    pub(super) fn item(&self, more: u64) -> Option<Item> {
        let (index, nodes) = self.items.as_ref()?;
        let path = format!("{}/{}", self.path, index.checked_add(more)?);
        Some(Item::new(self.ahead.clone(), nodes[usize::from(more > 0)].clone(), path))
    }

    /// What the record is made of that is the `more`th one new.
    pub(super) fn shape(&self, more: u64) -> &Shape {
        match (&self.first, more) {
            (Some(first), 0) => first,
            _ => &self.others,
        }
    }

    /// The names of the parts of that record.
    pub(super) fn names(&self, more: u64) -> &Names {
        let names = &self.names[usize::from(more > 0)];
        names.get_or_init(|| {
            let leaves = self.shape(more).leaves.iter().enumerate();
            let given = leaves.filter(|(_, leaf)| leaf.stated.is_none());
            Names::of(given.map(|(at, leaf)| (at, leaf.name.as_str())))
        })
    }

    /// Where the record begins that is the `more`th one new, and what it is made of.
    pub(super) fn record(&self, more: u64) -> Result<(u64, &Shape)> {
        let start = self.starts.cursor(more).ok_or_else(|| Error::too_large(u64::MAX))?;
        Ok((start, self.shape(more)))
    }
}

/// What a stream becomes when only some records of a list or array are left.
pub(super) struct Cut {
    /// Records that are there.
    pub(super) count: StoredCount,
    /// Where the data ends then.
    pub(super) end: u64,
}

impl Cut {
    /// What is left with this many records of those below a path.
    pub(super) fn new(append: &Append, path: &str, records: u64) -> Result<Cut> {
        let stream = append.stream();
        let cannot = |why: Box<str>| Error::CannotCut { path: path.into(), why };
        let no_growth = |error| match error {
            Error::CannotGrow { why, .. } => cannot(why),
            error => error,
        };
        let kind = Growing::of(&stream.get(path)?).map_err(|no| cannot(no.why.into()))?;
        let count = kind.stored_count(stream, path).map_err(no_growth)?;
        if records > count.value {
            return Err(Error::WrongValue {
                item: crate::error::Item::new(path),
                expected: format!("at most the {} records that are there", count.value).into(),
                found: records.to_string().into(),
            });
        }
        let left = resolved(append, kind.param(), records)?;
        // What was there stays where it is, so nothing of it stands behind the records that go.
        grown(&left, stream, kind.array(), path).map_err(|error| match error {
            Error::CannotGrow { .. } => {
                cannot("something else depends on how many there are".into())
            }
            moved @ Error::Moved { .. } => cannot(
                format!("something else stands behind them, or depends on their number: {moved}")
                    .into(),
            ),
            error => error,
        })?;
        Ok(Cut { count, end: left.data_end()?.max(LEN) })
    }
}

/// A list or array whose length is a param.
enum Growing {
    /// The items before the last piece, and those of one repetition of that.
    List { param: ParamId, before: u64, body: u64, varying: bool },
    /// The array; its item may be a member of it that is presented as an item.
    Array { param: ParamId, array: ArrayId, node: Node, varying: bool },
}

/// Why something is no list or array whose length is a param.
struct No {
    why: &'static str,
    /// How records are added all the same.
    hint: &'static str,
}

impl No {
    fn with_hint(&self) -> String {
        format!("{}{}", self.why, self.hint)
    }
}

impl From<&'static str> for No {
    fn from(why: &'static str) -> No {
        No { why, hint: "" }
    }
}

impl Growing {
    fn of(item: &Item) -> std::result::Result<Growing, No> {
        let layout = item.stream().layout();
        match item.node().target {
            Target::List(list) => {
                let Some((&last, pieces)) = layout[list].pieces.split_last() else {
                    return Err("it is an empty list".into());
                };
                let repeat = &layout[last];
                let Count::Param(param, 0) = repeat.count else {
                    let hint = ": count the records by a param, as `NT : i8  hist = [f8]*NT` does, or extend it by \
                                layout text, `name[1]`";
                    return Err(No { why: "the last repeat of the list is no param", hint });
                };
                let mut before: u64 = 0;
                for &piece in pieces {
                    let repetitions = item.stream().with_resolver(|it| it.repetitions(piece));
                    let repetitions = repetitions.map_err(|_| "a repeat of it is not known")?;
                    let items = repetitions.saturating_mul(layout[piece].body.len() as u64);
                    before = before.saturating_add(items);
                }
                let (body, varying) = (repeat.body.len() as u64, repeat.varying);
                Ok(Growing::List { param, before, body, varying })
            }
            Target::Array(array) | Target::Spliced(array, _) => {
                let found = &layout[array];
                let Some(Count::Param(param, 0)) = layout.dims(found).first().map(|it| it.count)
                else {
                    return Err("its first dimension is no param".into());
                };
                if found.filter.is_some() {
                    return Err("it is filtered".into());
                }
                if layout.outermost(found).is_some_and(|outer| outer.presented == Columns) {
                    return Err(No {
                        why: "its first dimension varies fastest (`order = \"F\"`), so that one more of it would \
                              move all elements",
                        hint: ": let a list hold the parts that are added",
                    });
                }
                let varying = matches!(item.declared(), Ok((Dtype::Variable(_), _)));
                let position = item.node().position.clone();
                let node = Node { target: Target::Array(array), position };
                Ok(Growing::Array { param, array, node, varying })
            }
            Target::Dict(_) | Target::Param(_) => Err("it is no list and no array".into()),
        }
    }

    /// Checks that all records are of one size, so that the place of a new one is known without the others.
    fn check_regular(&self) -> std::result::Result<(), &'static str> {
        match self {
            Growing::List { varying: true, .. } => {
                Err("its records differ in size: extend it by layout text, `name[1]`")
            }
            Growing::Array { varying: true, .. } => Err(
                "its structs differ in size, so that each would be looked for behind all others: make \
                 them dicts of a list, and extend that by layout text, `name[1]`",
            ),
            _ => Ok(()),
        }
    }

    /// How many records a stream has, where that is stored, and how.
    fn stored_count(&self, stream: &Stream, path: &str) -> Result<StoredCount> {
        stored_count(stream, self.param()).map_err(|error| {
            error.unwrap_or_else(|| Error::CannotGrow {
                path: path.into(),
                why: "its number of records is no param that is stored in the stream, outside of lists \
                      and structs, and aligned"
                    .into(),
            })
        })
    }

    fn param(&self) -> ParamId {
        match self {
            Growing::List { param, .. } | Growing::Array { param, .. } => *param,
        }
    }

    fn items_each(&self) -> u64 {
        match self {
            Growing::List { body, .. } => *body,
            Growing::Array { .. } => 1,
        }
    }

    fn array(&self) -> Option<ArrayId> {
        match self {
            Growing::List { .. } => None,
            Growing::Array { array, .. } => Some(*array),
        }
    }

    /// The record of an index and the one behind it, where they are one item of a list each; and the
    /// index of that item.
    fn items(&self, stream: &Stream, path: &str, index: u64) -> Result<Option<(u64, [Node; 2])>> {
        let Growing::List { before, body: 1, .. } = self else { return Ok(None) };
        let list = stream.get(path)?;
        let first = place::add(*before, index).ok_or_else(|| Error::too_large(u64::MAX))?;
        let node = |at: u64| list.element(at).map(|item| item.node().clone());
        Ok(Some((first, [node(first)?, node(first.saturating_add(1))?])))
    }

    /// The parts and the address of the record of an index.
    fn shape(&self, stream: &Stream, path: &str, index: u64) -> Result<(Shape, u64)> {
        let mut found = Vec::new();
        match self {
            Growing::List { before, body, .. } => {
                let list = stream.get(path)?;
                let first = place::multiply(index, *body).and_then(|it| place::add(it, *before));
                let first = first.ok_or_else(|| Error::too_large(u64::MAX))?;
                for at in 0..*body {
                    let name = if *body == 1 { String::new() } else { at.to_string() };
                    leaves(&list.element(first.saturating_add(at))?, &name, &mut found)?;
                }
            }
            Growing::Array { node, .. } => {
                let item = Item::new(stream.clone(), node.clone(), path.to_owned());
                let (data, layout) = (item.data()?, stream.layout());
                let array = self.array().map(|array| &layout[array]);
                let outer = array.and_then(|array| layout.outermost(array));
                // A view of all of them does not grow with what it is one of.
                let is_view = outer.is_some_and(|outer| matches!(outer.presented, View(_)));
                let data = if is_view { data.unviewed() } else { data.to_write() };
                element(&data, index, &mut found)?;
            }
        }
        shape_of(stream.layout(), path, found)
    }
}

/// The value of a param that numbers records, where it is stored and how. Without an error of its own
/// it is none that could.
fn stored_count(
    stream: &Stream,
    param: ParamId,
) -> std::result::Result<StoredCount, Option<Error>> {
    let declared = &stream.layout()[param];
    let (ParamValue::Streamed(primitive, own), Scope::Dict(_)) = (declared.value, declared.scope)
    else {
        return Err(None);
    };
    let found = stream.with_resolver(|resolver| {
        let (value, address) = resolver.raw_value(param)?;
        Ok((resolver.legal_value(param, value, address)?, address))
    });
    let (value, address) =
        found.map_err(|error: dudley_parser::resolve::ResolveError| Some(Error::from(error)))?;
    let order = own.unwrap_or(stream.order());
    match (u64::try_from(value), address) {
        // Written at once, so that it is never seen in part.
        (Ok(value), Some(address)) if address.is_multiple_of(primitive.size()) => {
            Ok(StoredCount { value, address, primitive, order })
        }
        _ => Err(None),
    }
}

/// The stream with a param of another value. What only that has is not there to be read.
fn resolved(append: &Append, param: ParamId, value: u64) -> Result<Stream> {
    let layout = append.stream().inner.layout.clone();
    let path = layout.param_path(param);
    let open = Open::new().layout(layout).filters(append.filters.clone()).param(path, value);
    open.source(append.place.snapshot(append.place.end())?)
}

/// A part of a record, and its address.
type Found = (u64, Leaf);

/// All parts of an item of a list.
fn leaves(item: &Item, name: &str, found: &mut Vec<Found>) -> Result<()> {
    let below =
        |last: &str| if name.is_empty() { last.to_owned() } else { format!("{name}/{last}") };
    let last = |item: &Item| split(item.path()).1.to_owned();
    if found.len() > MOST_LEAVES {
        let why = format!("a record of it has more than {MOST_LEAVES} parts").into();
        return Err(Error::CannotGrow { path: item.path().into(), why });
    }
    match item.kind() {
        ItemKind::Data => {
            let data = item.data()?;
            found.push((data.begin(), leaf(name.to_owned(), &data.to_write())));
            Ok(())
        }
        ItemKind::Dict | ItemKind::List => {
            for param in item.params().iter().filter(|param| param.is_stated()) {
                leaves_of_param(param, &below(last(param).trim_start_matches(':')), found)?;
            }
            for child in item.items()? {
                let child = child?;
                leaves(&child, &below(&last(&child)), found)?;
            }
            Ok(())
        }
        ItemKind::Param => Ok(()),
    }
}

fn leaves_of_param(param: &Item, name: &str, found: &mut Vec<Found>) -> Result<()> {
    let data = param.data()?;
    found.push((data.address, leaf(name.to_owned(), &data)));
    Ok(())
}

fn leaf(name: String, data: &Data) -> Leaf {
    let (dtype, shape) = (data.dtype.clone(), data.shape.clone());
    // Far less than memory, or the record is refused.
    let bytes = usize::try_from(data.bytes).unwrap_or(usize::MAX);
    let presented = data.presented.clone();
    Leaf { name, offset: 0, bytes, dtype, shape, presented, stated: data.stated() }
}

/// The element of an array with this first index: as a whole, or field by field.
fn element(data: &Data, index: u64, found: &mut Vec<Found>) -> Result<()> {
    let one = data.slice(&[crate::read::slice::Index::At(to_index(index)?)])?;
    let bytes = data.strides.first().copied().unwrap_or_default().unsigned_abs();
    match &one.dtype {
        Dtype::Record(record) if one.shape.is_empty() => {
            for field in record.fields.iter().filter(|field| !field.is_fixed(data.stream.layout()))
            {
                let address = place::add(one.address, field.offset);
                let address = address.ok_or_else(|| Error::too_large(u64::MAX))?;
                let leaf = Leaf {
                    name: field.name.clone(),
                    offset: 0,
                    bytes: to_usize(field.bytes)?,
                    dtype: field.dtype.clone(),
                    shape: field.given().to_vec(),
                    presented: field.presented.clone(),
                    stated: Stated::of_field(data.stream.layout(), field, 0),
                };
                found.push((address, leaf));
            }
            // The whole of it, with the padding behind its last field.
            let whole = Leaf { bytes: to_usize(bytes)?, ..leaf(String::new(), &one) };
            found.push((one.address, whole));
        }
        Dtype::Variable(_) => {
            let why = "its records differ in size".into();
            return Err(Error::CannotGrow { path: data.path.as_str().into(), why });
        }
        _ => {
            let stated = data.stated().map(|stated| {
                let why = "the layout states the values of all of its records".into();
                let error = || Error::CannotGrow { path: data.path.as_str().into(), why };
                stated.below().ok_or_else(error)
            });
            let stated = stated.transpose()?;
            let size = one.dtype.size().unwrap_or(0);
            let first = data.first();
            let presented = if data.is_presented() {
                Presented::like(&one.shape, &one.strides, first, size)
            } else {
                Presented::default()
            };
            let bytes = to_usize(bytes)?;
            let whole = Leaf { bytes, stated, presented, ..leaf(String::new(), &one) };
            found.push((one.address.saturating_sub(first), whole));
        }
    }
    Ok(())
}

fn to_index(index: u64) -> Result<i64> {
    i64::try_from(index).map_err(|_| Error::too_large(index))
}

/// A record from its parts; and where it begins.
fn shape_of(layout: &Layout, path: &str, found: Vec<Found>) -> Result<(Shape, u64)> {
    let taking = || found.iter().filter(|(_, leaf)| leaf.bytes > 0);
    let empty = || Error::CannotGrow { path: path.into(), why: "its records take no space".into() };
    let start = taking().map(|(address, ..)| *address).min().ok_or_else(empty)?;
    let mut end = start;
    for (address, leaf) in taking() {
        let behind = place::add(*address, leaf.bytes as u64);
        end = end.max(behind.ok_or_else(|| Error::too_large(u64::MAX))?);
    }
    let mut shape =
        Shape { template: crate::elements::buffer::zeros(end - start)?, leaves: Vec::new() };
    for (address, leaf) in found {
        let offset = to_usize(address.saturating_sub(start))?;
        if let Some(room) = shape.template.get_mut(offset..offset + leaf.bytes) {
            let stated = leaf.stated.as_ref();
            fill(layout, path, (stated, &leaf.dtype, &leaf.shape), room)?;
            leaf.arrange(room)?;
        }
        shape.leaves.push(Leaf { offset, ..leaf });
    }
    Ok((shape, start))
}
