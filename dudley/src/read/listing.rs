//! All that is in a stream, as rows: what `ls` and `dump` show.
//!
//! The rows come in the order of the text. A record that is presented as items of its dict
//! (spec 3.10) gives one row for each member. What cannot be placed has a row with the error.

mod instances;
mod picks;

use std::collections::HashMap;
use std::ops::Range;

use dudley_parser::layout::{
    ArrayId, DictId, DocKey, Layout, ListId, ParamId, ParamValue, Run, Step,
};
use dudley_parser::resolve::{
    Event, Flow, Found, Next, Node, Piece, Placed, ResolveError, Resolver, Visitor, WalkOptions,
};

use crate::elements::scalar::Form;
use crate::elements::value::Sink;
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::data::Vlen;
use crate::read::data::decode::emit_here;
use crate::read::dtype::{Described, Dtype, Field, Record, describe, primitive_name, strides};
use crate::read::item::blocks;
use crate::read::path::{field_path, sibling};
use crate::read::presented::Presented;
use crate::read::stream::Stream;
pub use instances::{Instances, Met, Stopped, instances};
pub use picks::Picks;

/// How many instances of a struct of variable size, or fields of nested structs, an item lists
/// before they are left out.
const MEMBERS_SHOWN: usize = 4096;

/// A row.
///
/// ```
/// use dudley::read::listing::{Row, list};
///
/// let stream = dudley::Open::new().layout_text("N : u1  grp/ x = u1[N]")?.raw().bytes([2, 7, 8])?;
/// let mut kinds = String::new();
/// list(&stream, Default::default(), &mut |_, row| {
///     kinds += match row {
///         Row::Param(_) => "param ",
///         Row::Dict { .. } => "dict ",
///         Row::Item(_) => "item ",
///         Row::List { .. } | Row::Elided { .. } => "list ",
///     };
///     Ok(())
/// })?;
/// assert!(kinds.contains("param ") && kinds.ends_with("dict item "));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Debug)]
pub enum Row {
    /// A param.
    Param(ParamRow),
    /// A data item or an item of a list.
    Item(Box<ItemRow>),
    /// A dict.
    Dict {
        /// Its path.
        path: String,
        /// The dict.
        dict: DictId,
    },
    /// A list.
    List {
        /// Its path.
        path: String,
        /// The list.
        list: ListId,
        /// How many items it has.
        length: Result<u64, ResolveError>,
    },
    /// Here repetitions of a list are left out.
    Elided {
        /// The path of the list.
        path: String,
        /// How many.
        repetitions: u64,
        /// The numbers of their items in the list.
        items: Range<u64>,
    },
}

/// A param.
///
/// ```
/// use dudley::read::listing::{Row, list};
///
/// let stream = dudley::Open::new().layout_text("N : u1  x = u1[N]")?.raw().bytes([2, 7, 8])?;
/// list(&stream, Default::default(), &mut |_, row| {
///     if let Row::Param(param) = row {
///         let (dtype, _) = param.stored.expect("a streamed param");
///         assert_eq!((param.path.as_str(), param.value.ok(), dtype.as_str()), ("/N", Some(2), "|u1"));
///     }
///     Ok(())
/// })?;
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Debug)]
pub struct ParamRow {
    /// Its path, without a colon.
    pub path: String,
    /// The param.
    pub param: ParamId,
    /// Its given or stored value, legal or not.
    pub value: Result<i128, ResolveError>,
    /// Whether the caller gave it.
    pub supplied: bool,
    /// The type, such as `<i8`, and the place of a streamed param.
    pub stored: Option<(String, Result<Placed, ResolveError>)>,
    /// The key of its documentation.
    pub doc: DocKey,
}

/// A data item.
///
/// ```
/// use dudley::read::listing::{Row, list};
///
/// let stream = dudley::Open::new().layout_text("N : u1  x = u1[N]")?.raw().bytes([2, 7, 8])?;
/// list(&stream, Default::default(), &mut |_, row| {
///     if let Row::Item(item) = row {
///         assert_eq!((item.path.as_str(), item.data?.shape()), ("/x", &[2][..]));
///     }
///     Ok(())
/// })?;
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Debug)]
pub struct ItemRow {
    /// Its path.
    pub path: String,
    /// The array of the layout.
    pub array: ArrayId,
    /// Its place and type.
    pub data: Result<Data, Error>,
    /// The end of the preceding data, if it is known; for a member, the end of the data before the
    /// record.
    pub cursor: Option<u64>,
    /// The record it is a member of, if that is presented as items of its dict.
    pub spliced: Option<Spliced>,
    /// The fields or instances of structs.
    pub members: Vec<MemberRow>,
    /// The key of its documentation.
    pub doc: DocKey,
}

/// The record that a row is a member of.
///
/// ```
/// use dudley::read::listing::{Row, list};
///
/// let stream = dudley::Open::new().layout_text("\"\" = {a = u1  b = u1}")?.raw().bytes([7, 8])?;
/// let mut offsets = Vec::new();
/// list(&stream, Default::default(), &mut |_, row| {
///     if let Row::Item(item) = row {
///         let record = item.spliced.expect("a record");
///         offsets.push((item.path, record.offset, record.size));
///     }
///     Ok(())
/// })?;
/// assert_eq!(offsets, [("/a".to_owned(), 0, 2), ("/b".to_owned(), 1, 2)]);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Spliced {
    /// The path of the record itself.
    pub path: String,
    /// Its address.
    pub address: u64,
    /// Bytes of all instances.
    pub bytes: u64,
    /// Bytes of one instance.
    pub size: u64,
    /// Its shape, without a view.
    pub shape: Vec<u64>,
    /// Bytes from one instance to the next, for each dimension.
    pub strides: Vec<i64>,
    /// Where the member lies in an instance.
    pub offset: u64,
    /// The member as a field of it.
    pub field: Field,
}

/// A field of a struct, or an instance of one of variable size.
///
/// ```
/// use dudley::read::listing::{Row, list};
///
/// let layout = "pos = {lon = f4  lat = f4}[2]";
/// let stream = dudley::Open::new().layout_text(layout)?.raw().bytes([0; 16])?;
/// let mut members = Vec::new();
/// list(&stream, Default::default(), &mut |_, row| {
///     if let Row::Item(item) = row {
///         members.extend(item.members.into_iter().map(|member| (member.path, member.address)));
///     }
///     Ok(())
/// })?;
/// assert_eq!(members, [("/pos.lon".to_owned(), 0), ("/pos.lat".to_owned(), 4)]);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Debug)]
pub struct MemberRow {
    /// Its path: `/pos.lon`, or `/x[1].n`.
    pub path: String,
    /// The address of the first of it.
    pub address: u64,
    /// Its kind.
    pub kind: MemberKind,
    /// The key of its documentation.
    pub doc: Option<DocKey>,
}

/// The kind of a [`MemberRow`].
///
/// ```
/// use dudley::read::listing::{MemberKind, Row, list};
///
/// let layout = "pos = {lon = f4  lat = f4}[2]";
/// let stream = dudley::Open::new().layout_text(layout)?.raw().bytes([0; 16])?;
/// list(&stream, Default::default(), &mut |_, row| {
///     if let Row::Item(item) = row {
///         let MemberKind::Field { shape, strides, .. } = &item.members[1].kind else { panic!() };
///         assert_eq!((&shape[..], &strides[..]), (&[2][..], &[8][..]));
///     }
///     Ok(())
/// })?;
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Debug)]
pub enum MemberKind {
    /// An instance, by its row-major number.
    Instance {
        /// The number.
        index: u64,
        /// Its bytes, rounded up to the alignment of the struct.
        bytes: u64,
    },
    /// A streamed param of an instance.
    Param {
        /// Its type.
        dtype: String,
        /// Bytes from the start of the instance.
        offset: u64,
        /// Its value, of structs of variable size.
        value: Option<i128>,
    },
    /// Data of a struct of fixed size: strided through all instances.
    Field {
        /// Its type.
        dtype: String,
        /// The shape, with that of the item in front.
        shape: Vec<u64>,
        /// Bytes from one index to the next.
        strides: Vec<i64>,
        /// Bytes from the start of the struct that it is a field of.
        offset: u64,
        /// Bytes of one element of it.
        element_bytes: u64,
    },
    /// Data of one instance of a struct of variable size.
    Part {
        /// Its type.
        dtype: String,
        /// Its shape.
        shape: Vec<u64>,
        /// Bytes from the start of the instance.
        offset: u64,
        /// Its bytes.
        bytes: u64,
    },
}

impl ItemRow {
    /// Decodes its value into a sink, while the listing stands at it; unless `exact`, as
    /// [`Data::emit_shown`].
    ///
    /// ```
    /// use dudley::elements::{Builder, Value};
    /// use dudley::read::listing::{Row, list};
    ///
    /// let stream = dudley::Open::new().layout_text("x = u1")?.raw().bytes([7])?;
    /// list(&stream, Default::default(), &mut |resolver, row| {
    ///     if let Row::Item(item) = row {
    ///         let mut value = Builder::default();
    ///         item.emit(resolver, &mut value, true)?;
    ///         assert_eq!(value.finish(), Value::Int(7));
    ///     }
    ///     Ok(())
    /// })?;
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If placing, decoding or the sink fails.
    pub fn emit(
        &self,
        resolver: &mut Resolver<'_>,
        sink: &mut dyn Sink,
        exact: bool,
    ) -> Result<()> {
        match &self.data {
            Ok(data) => emit_here(resolver, data, sink, Form::shown(exact))
                .map_err(|error| error.of_item(&self.path)),
            Err(error) => Err(Error::Listed {
                path: self.path.as_str().into(),
                why: error.to_string().into(),
            }),
        }
    }
}

/// Lists everything in a stream. Use the value of a row only while the row is shown.
///
/// # Errors
/// If `show` fails, which ends the listing. [`Error::TooManyItems`] behind all rows, if lists have more items
/// than a walk visits: then some were omitted.
///
/// ```
/// use dudley::Open;
/// use dudley::read::listing::{Row, list};
///
/// let stream = Open::new().layout_text("N : u1  x = u1[N]")?.raw().bytes([2, 7, 8])?;
/// let mut paths = Vec::new();
/// list(&stream, Default::default(), &mut |_, row| {
///     match row {
///         Row::Param(param) => paths.push(param.path),
///         Row::Item(item) => paths.push(item.path),
///         _ => {}
///     }
///     Ok(())
/// })?;
/// assert_eq!(paths, ["/N", "/x"]);
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn list(
    stream: &Stream,
    options: WalkOptions,
    show: &mut dyn FnMut(&mut Resolver<'_>, Row) -> Result<()>,
) -> Result<()> {
    Picking::new(stream, show).list(options)
}

/// As [`list`], for the stored form: arrays in blocks (spec 7.5) have a row for each block.
///
/// ```
/// let stream = dudley::Open::new().layout_text("x = u1[2]")?.raw().bytes([7, 8])?;
/// let mut rows = 0;
/// dudley::read::listing::list_stored(&stream, Default::default(), &mut |_, _| {
///     rows += 1;
///     Ok(())
/// })?;
/// assert!(rows > 0);
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// As [`list`].
pub fn list_stored(
    stream: &Stream,
    options: WalkOptions,
    show: &mut dyn FnMut(&mut Resolver<'_>, Row) -> Result<()>,
) -> Result<()> {
    Picking { stored: true, ..Picking::new(stream, show) }.list(options)
}

/// As [`list`], for the selection of a path. Rows around it, and rows beside it in irregular lists, are
/// shown, too: [`Picks::has`] distinguishes them.
///
/// ```
/// use dudley::read::listing::{Picks, Row, list_picked};
///
/// let stream = dudley::Open::new().layout_text("x = u1  y = u1")?.raw().bytes([7, 8])?;
/// let picks = Picks::of(&stream, "/y", None)?;
/// let mut paths = Vec::new();
/// list_picked(&stream, &picks, Default::default(), &mut |_, row| {
///     if let Row::Item(item) = row {
///         paths.extend(picks.has(&item.path).then_some(item.path));
///     }
///     Ok(())
/// })?;
/// assert_eq!(paths, ["/y"]);
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// As [`list`].
pub fn list_picked(
    stream: &Stream,
    picks: &Picks,
    options: WalkOptions,
    show: &mut dyn FnMut(&mut Resolver<'_>, Row) -> Result<()>,
) -> Result<()> {
    Picking { picks: Some(picks), ..Picking::new(stream, show) }.list(options)
}

/// As [`list`], or [`list_picked`] with a selection, for params only: regular lists without params are
/// skipped. Rows of other kinds are shown, too.
///
/// # Errors
/// As [`list`].
///
/// ```
/// use dudley::read::listing::{Row, list_params};
/// use dudley_parser::resolve::WalkOptions;
///
/// // More items than anybody could go through.
/// let layout = "l [/ a = u1]*4000000000000\nd/ N : u1";
/// let stream = dudley::Open::new().layout_text(layout)?.bytes(vec![0; 64])?;
/// let mut paths = Vec::new();
/// list_params(&stream, None, WalkOptions::default(), &mut |_, row| {
///     if let Row::Param(row) = row {
///         paths.push(row.path);
///     }
///     Ok(())
/// })?;
/// assert_eq!(paths, ["/d/N"]);
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn list_params(
    stream: &Stream,
    picks: Option<&Picks>,
    options: WalkOptions,
    show: &mut dyn FnMut(&mut Resolver<'_>, Row) -> Result<()>,
) -> Result<()> {
    let without = Some(HashMap::new());
    Picking { picks, without, ..Picking::new(stream, show) }.list(options)
}

/// Goes to what is picked.
struct Picking<'p> {
    stream: &'p Stream,
    picks: Option<&'p Picks>,
    /// If only params are requested: lists, each with true if no param is in it.
    without: Option<HashMap<ListId, bool>>,
    /// Blocks of arrays have rows of their own.
    stored: bool,
    show: &'p mut Show<'p>,
    /// The first list of which items were left out though nobody asked for that.
    held_back: Option<String>,
    result: Result<()>,
}

impl<'p> Picking<'p> {
    /// Of everything in a stream.
    fn new(stream: &'p Stream, show: &'p mut Show<'p>) -> Self {
        Picking {
            stream,
            picks: None,
            without: None,
            stored: false,
            show,
            held_back: None,
            result: Ok(()),
        }
    }

    fn list(mut self, options: WalkOptions) -> Result<()> {
        let stream = self.stream;
        stream.with_resolver(|resolver| resolver.walk(options, &mut self));
        self.result?;
        self.held_back.map_or(Ok(()), |path| Err(stream.too_many_items(&path)))
    }

    /// Whether a list at a path is shown as one array.
    fn is_array(&self, path: &str, list: ListId) -> bool {
        !self.stored
            && self.stream.layout().is_whole(list)
            && self.picks.is_none_or(|picks| picks.has(path))
    }

    fn is_without_params(&mut self, list: ListId) -> bool {
        let layout = self.stream.layout();
        match &mut self.without {
            Some(known) => *known.entry(list).or_insert_with(|| {
                layout[list].pieces.iter().all(|piece| !holds_params(layout, layout[*piece].body))
            }),
            None => false,
        }
    }
}

fn holds_params(layout: &Layout, run: Run) -> bool {
    layout.run(run).iter().any(|step| match *step {
        Step::Param(_) => true,
        Step::Array(_) | Step::Enter(_) => false,
        Step::Repeat(piece) => holds_params(layout, layout[piece].body),
        Step::Group(dict) => holds_params(layout, layout[dict].run),
    })
}

impl Visitor for Picking<'_> {
    fn next(&mut self, path: &str, piece: &Piece, from: u64) -> Option<Next> {
        if self.is_without_params(piece.list) || self.is_array(path, piece.list) {
            return Some(Next { at: piece.count, left_out: 0 });
        }
        self.picks.and_then(|picks| picks.next(path, piece, from))
    }

    fn visit(&mut self, resolver: &mut Resolver<'_>, event: Event<'_>) -> Flow {
        if let (Some(picks), Found::List { length: Ok(length), .. }) = (self.picks, &event.found) {
            picks.enter(event.path, *length);
        }
        if let (Found::Elided { held_back: true, .. }, None) = (&event.found, &self.held_back) {
            self.held_back = Some(event.path.to_owned());
        }
        self.result = match event.found {
            Found::List { list, .. } if self.is_array(event.path, list) => {
                match whole_row(self.stream, resolver, event.path, list) {
                    Some(row) => (self.show)(resolver, Row::Item(Box::new(row))),
                    None => rows(self.stream, resolver, event, self.show),
                }
            }
            _ => rows(self.stream, resolver, event, self.show),
        };
        if self.result.is_ok() { Flow::Continue } else { Flow::Stop }
    }
}

type Show<'s> = dyn FnMut(&mut Resolver<'_>, Row) -> Result<()> + 's;

fn rows(
    stream: &Stream,
    resolver: &mut Resolver<'_>,
    event: Event<'_>,
    show: &mut Show<'_>,
) -> Result<()> {
    let path = event.path.to_owned();
    let row = match event.found {
        Found::Dict(dict) => Row::Dict { path, dict },
        Found::List { list, length } => Row::List { path, list, length },
        Found::Elided { repetitions, items, .. } => Row::Elided { path, repetitions, items },
        Found::Param { param, placed } => {
            Row::Param(param_row(stream, resolver, path, param, placed))
        }
        Found::Array { array, cursor, placed } => {
            let row = ItemRow { cursor, ..item_row(stream, resolver, path, array, placed) };
            if resolver.layout()[array].spliced {
                return spliced_rows(stream, resolver, row, show);
            }
            Row::Item(Box::new(row))
        }
    };
    show(resolver, row)
}

fn param_row(
    stream: &Stream,
    resolver: &mut Resolver<'_>,
    path: String,
    id: ParamId,
    placed: Option<Result<Placed, ResolveError>>,
) -> ParamRow {
    let param = &resolver.layout()[id];
    let supplied = stream.given().params.get(&id);
    let value = match (&placed, supplied) {
        (_, Some(value)) => Ok(*value),
        (Some(Ok(placed)), None) => resolver.stored_value(id, placed.address),
        (Some(Err(error)), None) => Err(error.clone()),
        (None, None) => resolver.raw_value(id).map(|(value, _)| value),
    };
    let stored = match param.value {
        ParamValue::Streamed(primitive, own) => {
            placed.map(|placed| (primitive_name(primitive, own.unwrap_or(stream.order())), placed))
        }
        ParamValue::Fixed(_) => None,
    };
    ParamRow {
        path,
        param: id,
        value,
        supplied: supplied.is_some(),
        stored,
        doc: DocKey::of(param.span),
    }
}

/// A list that is one array; `None` if it has no items that tell its type.
fn whole_row(
    stream: &Stream,
    resolver: &mut Resolver<'_>,
    path: &str,
    list: ListId,
) -> Option<ItemRow> {
    let layout = stream.layout();
    let mut steps = layout[list].pieces.iter().flat_map(|piece| layout.run(layout[*piece].body));
    let array = steps.find_map(|step| match *step {
        Step::Array(id) => Some(id),
        _ => None,
    })?;
    let data = blocks::whole_at(stream, resolver, path).map_err(|error| error.of_item(path));
    let (data, members) = match data.and_then(|data| {
        let members = members(stream, resolver, &data)?;
        Ok((data, members))
    }) {
        Ok((data, members)) => (Ok(data), members),
        Err(error) => (Err(error), Vec::new()),
    };
    let doc = DocKey::of(layout[list].span);
    Some(ItemRow { path: path.to_owned(), array, data, cursor: None, spliced: None, members, doc })
}

fn item_row(
    stream: &Stream,
    resolver: &mut Resolver<'_>,
    path: String,
    id: ArrayId,
    placed: Result<Placed, ResolveError>,
) -> ItemRow {
    let doc = DocKey::of(resolver.layout()[id].span);
    let data = located(stream, resolver, &path, id, placed);
    let (data, members) = match data {
        Ok(data) => match members(stream, resolver, &data) {
            Ok(members) => (Ok(data), members),
            Err(error) => (Err(error), Vec::new()),
        },
        Err(error) => (Err(error), Vec::new()),
    };
    let data = data.map_err(|error| error.of_item(&path));
    ItemRow { path, array: id, data, cursor: None, spliced: None, members, doc }
}

/// The data of an array that a walk found.
pub(crate) fn located(
    stream: &Stream,
    resolver: &mut Resolver<'_>,
    path: &str,
    id: ArrayId,
    placed: Result<Placed, ResolveError>,
) -> Result<Data> {
    let placed = placed?;
    let Described { dtype, shape, presented, filter } =
        describe(resolver, id, stream.order(), Some(placed.address))?;
    let data = Data {
        stream: stream.clone(),
        path: path.to_owned(),
        array: Some(id),
        strides: strides(&shape, dtype.size().unwrap_or(0)),
        dtype,
        shape,
        address: placed.address,
        bytes: placed.bytes,
        filter,
        decoded: None,
        node: None::<Node>,
        doc: Some(DocKey::of(resolver.layout()[id].span)),
        kept: crate::elements::borrowed::Kept::default(),
        extent: None,
        presented: Presented::default(),
    };
    Ok(data.presented_as(presented))
}

/// One row for each member of a record that is presented as items of its dict.
fn spliced_rows(
    stream: &Stream,
    resolver: &mut Resolver<'_>,
    row: ItemRow,
    show: &mut Show<'_>,
) -> Result<()> {
    let Ok(data) = &row.data else {
        return show(resolver, Row::Item(Box::new(row)));
    };
    let Dtype::Record(record) = data.dtype.clone() else {
        return show(resolver, Row::Item(Box::new(row)));
    };
    for (at, field) in record.fields.iter().enumerate() {
        if field.is_fixed(resolver.layout()) {
            continue;
        }
        let path = sibling(&row.path, &field.name);
        let member = data.member(at, &path)?;
        let stored = data.unviewed();
        let row = ItemRow {
            spliced: Some(Spliced {
                path: row.path.clone(),
                address: stored.address,
                bytes: data.bytes,
                size: record.size,
                shape: stored.shape,
                strides: stored.strides,
                offset: field.offset,
                field: field.clone(),
            }),
            members: members(stream, resolver, &member)?,
            path,
            array: row.array,
            data: Ok(member),
            cursor: row.cursor,
            doc: field.doc,
        };
        show(resolver, Row::Item(Box::new(row)))?;
    }
    Ok(())
}

fn members(stream: &Stream, resolver: &mut Resolver<'_>, data: &Data) -> Result<Vec<MemberRow>> {
    let mut rows = Vec::new();
    match &data.dtype {
        _ if data.vlen().is_some() => {}
        Dtype::Primitive(..) => {}
        Dtype::Record(record) => {
            let around = Around {
                path: &data.path,
                address: data.address,
                shape: &data.shape,
                strides: &data.strides,
            };
            push_fields(stream, record, &around, &mut rows);
        }
        Dtype::Variable(id) => {
            let array = Instances {
                record: *id,
                path: &data.path,
                shape: &data.shape,
                address: data.address,
            };
            let mut show = |resolver: &mut Resolver<'_>, met: Met<'_>| {
                rows.push(member_row(stream, resolver, met)?);
                Ok(if rows.len() < MEMBERS_SHOWN { Flow::Continue } else { Flow::Stop })
            };
            instances(stream, resolver, &array, &mut show).map_err(|stopped| stopped.error)?;
        }
    }
    Ok(rows)
}

/// A row for what is met in a struct of variable size.
fn member_row(stream: &Stream, resolver: &mut Resolver<'_>, met: Met<'_>) -> Result<MemberRow> {
    let path = met.path.to_owned();
    let (address, base) = (met.address, met.base);
    let Some(field) = met.field else {
        let kind = MemberKind::Instance { index: met.index, bytes: met.bytes };
        return Ok(MemberRow { path, address, kind, doc: None });
    };
    let dtype = field.dtype.describe(stream.layout(), stream.order());
    let offset = address - base;
    let kind = match field.param {
        Some(param) => {
            let value = Some(resolver.stored_value(param, address)?);
            MemberKind::Param { dtype, offset, value }
        }
        None => MemberKind::Part { dtype, shape: field.shape.clone(), offset, bytes: met.bytes },
    };
    Ok(MemberRow { path, address, kind, doc: Some(field.doc) })
}

/// The struct that fields lie in.
struct Around<'a> {
    path: &'a str,
    address: u64,
    shape: &'a [u64],
    strides: &'a [i64],
}

fn push_fields(stream: &Stream, record: &Record, around: &Around<'_>, rows: &mut Vec<MemberRow>) {
    let layout = stream.layout();
    for field in record.fields.iter().filter(|field| !field.is_fixed(layout)) {
        if rows.len() >= MEMBERS_SHOWN {
            return;
        }
        let path = field_path(around.path, &field.name);
        let address = around.address.saturating_add(field.offset);
        let offset = field.offset;
        let shape: Vec<u64> = around.shape.iter().chain(&field.shape).copied().collect();
        let size = field.dtype.size().unwrap_or(0);
        let inner = field.strided();
        let address = address.saturating_add(inner.first);
        let strides: Vec<i64> = around.strides.iter().copied().chain(inner.strides).collect();
        let vlen = Vlen::of(stream, &field.dtype, layout.attributes(field.doc));
        let dtype = match vlen {
            Some(vlen) => vlen.describe(),
            None => field.dtype.describe(layout, stream.order()),
        };
        let kind = match field.param {
            Some(_) => MemberKind::Param { dtype, offset, value: None },
            None => MemberKind::Field {
                dtype,
                shape: shape.clone(),
                strides: strides.clone(),
                offset,
                element_bytes: size,
            },
        };
        rows.push(MemberRow { path: path.clone(), address, kind, doc: Some(field.doc) });
        if let (Dtype::Record(inner), None) = (&field.dtype, vlen) {
            let around = Around { path: &path, address, shape: &shape, strides: &strides };
            push_fields(stream, inner, &around, rows);
        }
    }
}
