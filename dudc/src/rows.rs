//! The rows of `ls` and `dump` as JSON, key for key as the command-line contract has them.

use std::io::Write;

use dudley::error::is_unread;
use dudley::read::InBlocks;
use dudley::read::listing::{ItemRow, MemberKind, MemberRow, ParamRow, Row, Spliced};
use dudley::{Layout, Result, Stream};
use dudley_parser::comments::AttrValue;
use dudley_parser::layout::{DocKey, Element, Step, Type};
use dudley_parser::resolve::{ResolveError, Resolver, WalkOptions};
use serde_json::{Map, Value as Json, json};

use crate::below::Below;
use crate::failure::{Failure, Status};
use crate::json::{Safe, float, json_text, quoted};
use crate::options::Format;
use crate::output::Output;
use crate::text::{Emit, whole};

/// The error of a param at a path of a listing.
pub(crate) fn param_error(error: ResolveError, path: &str) -> dudley::Error {
    dudley::Error::from(error).of_item(&dudley::read::path::of_param(path))
}

/// What to write besides the places.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowOptions {
    /// The values of items.
    pub values: bool,
    /// Values that give back the same bytes.
    pub exact: bool,
    /// All repetitions of long lists.
    pub all: bool,
    /// The listed items were decoded: they have no addresses in the file.
    pub decoded: bool,
}

/// The number of repetitions up to which a list is listed whole.
pub(crate) const REPEATS_SHOWN: u64 = 4096;

/// The same, on a terminal.
pub(crate) const REPEATS_FOR_PEOPLE: u64 = 8;

/// Items that a slice of a list may pick on a terminal before some are left out, and how many of the start are
/// shown then.
const PICKED_FOR_PEOPLE: (u64, u64) = (32, 8);

/// How much of the selection of a slice of a list is shown.
pub(crate) fn most_picked(all: bool, format: Format) -> Option<(u64, u64)> {
    (!all && format == Format::Human).then_some(PICKED_FOR_PEOPLE)
}

/// The kinds of rows, in the order in which they are written.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Params,
    Items,
    Containers,
}

/// Writes the whole listing of a stream. It includes the errors of single items, and the first of them is returned.
/// Each kind of rows is a separate pass, so that no rows are held. `more` writes keys behind the keys of every
/// stream.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write(
    stream: &Stream,
    options: RowOptions,
    below: &Below,
    more: &mut dyn FnMut(&mut Errors, &mut dyn Write) -> std::io::Result<()>,
    out: &mut dyn Write,
) -> Result<Errors> {
    let layout = stream.layout();
    let kind = stream.kind().as_str();
    let order = stream.order().symbol();
    write!(out, "{{\"version\": 1,\n \"kind\": \"{kind}\",\n \"order\": \"{order}\",\n")
        .map_err(io)?;
    let mut errors = Errors::default();
    for (kind, key) in
        [(Kind::Params, "params"), (Kind::Items, "items"), (Kind::Containers, "containers")]
    {
        write!(out, " \"{key}\": [").map_err(io)?;
        let mut rows = Rows { kind, options, below, out, errors, count: 0 };
        // A stream has no more items than bytes: a damaged count is not followed.
        let elide_above = if options.all { stream.len().max(REPEATS_SHOWN) } else { REPEATS_SHOWN };
        let elide_above = Some(elide_above);
        let options = WalkOptions::elide_above(elide_above);
        let add = &mut |resolver: &mut Resolver<'_>, row| rows.add(stream, resolver, row);
        let listed = match kind {
            Kind::Params => below.list_params(stream, options, add),
            _ => below.list(stream, options, add),
        };
        let close = if rows.count == 0 { "" } else { "\n " };
        errors = rows.errors;
        match listed {
            // Reported once; the listing so far stays valid JSON.
            Err(error @ dudley::Error::TooManyItems { .. }) if kind == Kind::Items => {
                errors.add(error)
            }
            Err(dudley::Error::TooManyItems { .. }) => {}
            listed => listed?,
        }
        writeln!(out, "{close}],").map_err(io)?;
    }
    let types: Vec<String> =
        layout.types().iter().map(|ty| format!("\n  {}", Safe(type_row(layout, ty)))).collect();
    let close = if types.is_empty() { "" } else { "\n " };
    writeln!(out, " \"types\": [{}{close}],", types.join(",")).map_err(io)?;
    let mut doc = Map::new();
    describe(layout, DocKey::LAYOUT, &mut doc);
    let end = stream.data_end();
    let shown = end.as_ref().map_or(Json::Null, |end| json!(end));
    write!(out, " \"layout_doc\": {},\n \"data_end\": {shown}", Safe(Json::Object(doc)))
        .map_err(io)?;
    more(&mut errors, out).map_err(io)?;
    writeln!(out, "}}").map_err(io)?;
    if let Err(error) = stream.check_layout_address() {
        errors.add(error);
    }
    if let (Err(error), 0) = (end, errors.count) {
        errors.add(error);
    }
    Ok(errors)
}

fn io(error: std::io::Error) -> dudley::Error {
    dudley::Error::io("cannot write the result", error)
}

/// The errors of placing and reading: the first few, and their number.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    /// The first of them.
    pub(crate) first: Vec<dudley::Error>,
    /// The number of errors.
    pub(crate) count: u64,
    /// The number of errors that were reported already.
    pub(crate) already: u64,
    /// Whether something could not be read at all.
    pub(crate) unread: bool,
}

impl Errors {
    /// The number of errors that are kept.
    const KEPT: usize = 10;

    /// Adds an error that was reported already.
    pub(crate) fn said(&mut self, failure: &Failure) {
        self.count += 1;
        self.already += 1;
        self.unread |= failure.status() == Status::Io;
    }

    /// Adds the errors of another pass.
    pub(crate) fn absorb(&mut self, others: Errors, said: impl Fn(dudley::Error) -> dudley::Error) {
        self.count += others.count;
        self.already += others.already;
        self.unread |= others.unread;
        let room = Self::KEPT.saturating_sub(self.first.len());
        self.first.extend(others.first.into_iter().take(room).map(said));
    }

    /// Adds an error.
    pub(crate) fn add(&mut self, error: dudley::Error) {
        self.count += 1;
        self.unread |= is_unread(&error);
        if self.first.len() < Self::KEPT {
            self.first.push(error);
        }
    }
}

/// A pass that writes the rows of one kind.
struct Rows<'r> {
    kind: Kind,
    options: RowOptions,
    below: &'r Below,
    out: &'r mut dyn Write,
    errors: Errors,
    count: u64,
}

impl Rows<'_> {
    fn add(&mut self, stream: &Stream, resolver: &mut Resolver<'_>, row: Row) -> Result<()> {
        let layout = resolver.layout();
        match (row, self.kind) {
            (Row::Dict { path, dict }, Kind::Containers) if self.below.has(&path) => {
                let mut map = container(&path, "dict");
                if path != "/" {
                    describe(layout, DocKey::of(layout[dict].span), &mut map);
                }
                self.put(&Json::Object(map).to_string())
            }
            (Row::List { path, list, length }, Kind::Containers) if self.below.has(&path) => {
                let mut map = container(&path, "list");
                match length {
                    Ok(length) => map.insert("length".into(), json!(length)),
                    Err(error) => {
                        map.insert("error".into(), json!(error.to_string()));
                        self.errors.add(dudley::Error::from(error).of_item(&path));
                        map.insert("length".into(), Json::Null)
                    }
                };
                describe(layout, DocKey::of(layout[list].span), &mut map);
                self.put(&Json::Object(map).to_string())
            }
            (Row::Elided { path, repetitions, .. }, Kind::Containers) if self.below.has(&path) => {
                let mut map = container(&path, "repeat");
                map.insert("repeat".into(), json!(repetitions));
                self.put(&Json::Object(map).to_string())
            }
            (Row::Param(row), Kind::Params) if self.below.has(&row.path) => {
                let mut map = param_row(layout, &row);
                if self.options.decoded {
                    without_address(&mut map);
                }
                if let Err(error) = row.value {
                    self.errors.add(param_error(error, &row.path));
                }
                self.put(&Json::Object(map).to_string())
            }
            (Row::Item(row), Kind::Items) if self.below.has(&row.path) => {
                self.item(stream, resolver, *row)
            }
            _ => Ok(()),
        }
    }

    fn put(&mut self, row: &str) -> Result<()> {
        let comma = if self.count == 0 { "" } else { "," };
        self.count += 1;
        write!(self.out, "{comma}\n  {}", Safe(row)).map_err(io)
    }

    /// Writes an item; its value is written while it is decoded.
    fn item(&mut self, stream: &Stream, resolver: &mut Resolver<'_>, row: ItemRow) -> Result<()> {
        let mut map = item_row(stream, &row);
        if self.options.decoded {
            let mut members = map.get_mut("members");
            let members = members.as_mut().and_then(|members| members.as_array_mut());
            let members = members.into_iter().flatten().filter_map(Json::as_object_mut);
            members.for_each(without_address);
            without_address(&mut map);
        }
        if let Err(error) = &row.data {
            map.insert("error".into(), json!(error.to_string()));
        }
        let mut text = Json::Object(map).to_string();
        if self.options.values && row.data.is_ok() {
            text.pop();
            self.put(&text)?;
            let exact = self.options.exact;
            let emit: &mut Emit<'_> = &mut |sink| row.emit(resolver, sink, exact);
            if let Some(error) = whole(self.out, ",\"value\":", emit, &json_text)? {
                write!(self.out, ",\"error\":{}", quoted(&error.to_string())).map_err(io)?;
                self.errors.add(error);
            }
            return self.out.write_all(b"}").map_err(io);
        }
        if let Err(error) = row.data {
            self.errors.add(error);
        }
        self.put(&text)
    }
}

fn without_address(row: &mut Map<String, Json>) {
    if let Some(address) = row.get_mut("address") {
        *address = Json::Null;
    }
}

fn container(path: &str, kind: &str) -> Map<String, Json> {
    let mut map = Map::new();
    map.insert("path".into(), json!(path));
    map.insert("kind".into(), json!(kind));
    map
}

/// Documentation, unit and attributes.
pub(crate) fn describe(layout: &Layout, key: DocKey, map: &mut Map<String, Json>) {
    let doc: Vec<&str> = layout.doc(key).collect();
    if !doc.is_empty() {
        map.insert("doc".into(), json!(doc));
    }
    if let Some(unit) = layout.unit(key) {
        map.insert("unit".into(), json!(unit));
    }
    let attributes = layout.attributes(key);
    if !attributes.is_empty() {
        let attributes = attributes.iter().map(|a| (a.name.clone(), attribute_json(&a.value)));
        map.insert("attrs".into(), Json::Object(attributes.collect()));
    }
}

/// The value of an attribute as JSON.
pub(crate) fn attribute_json(value: &AttrValue) -> Json {
    match value {
        AttrValue::Int(value) => json!(value),
        AttrValue::Float(value) => float_json(*value),
        AttrValue::Text(text) => json!(text),
        AttrValue::True => json!(true),
        AttrValue::Ints(values) => json!(values),
        AttrValue::Floats(values) => values.iter().map(|value| float_json(*value)).collect(),
        AttrValue::Texts(texts) => json!(texts),
    }
}

/// A float as JSON.
pub(crate) fn float_json(value: f64) -> Json {
    serde_json::from_str(&float(value)).unwrap_or(Json::Null)
}

fn param_row(layout: &Layout, row: &ParamRow) -> Map<String, Json> {
    let mut map = Map::new();
    map.insert("path".into(), json!(row.path));
    let kind = if row.stored.is_some() { "streamed" } else { "fixed" };
    map.insert("kind".into(), json!(kind));
    match &row.value {
        Ok(value) => map.insert("value".into(), integer(*value)),
        Err(error) => {
            map.insert("error".into(), json!(error.to_string()));
            map.insert("value".into(), Json::Null)
        }
    };
    if let Some((dtype, placed)) = &row.stored {
        map.insert("dtype".into(), json!(dtype));
        match placed {
            Ok(placed) => {
                map.insert("address".into(), json!(placed.address));
                map.insert("bytes".into(), json!(placed.bytes));
            }
            Err(error) => {
                map.insert("error".into(), json!(error.to_string()));
            }
        }
    }
    if row.supplied {
        map.insert("supplied".into(), json!(true));
    }
    describe(layout, row.doc, &mut map);
    map
}

pub(crate) fn integer(value: i128) -> Json {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => json!(value),
        (_, Ok(value)) => json!(value),
        _ => json!(value.to_string()),
    }
}

fn item_row(stream: &Stream, row: &ItemRow) -> Map<String, Json> {
    let layout = stream.layout();
    let mut map = Map::new();
    map.insert("path".into(), json!(row.path));
    if let Ok(data) = &row.data {
        map.insert("dtype".into(), json!(data.dtype_name()));
        map.insert("shape".into(), json!(data.shape()));
        let names = match data.blocks() {
            Some(_) => {
                let said = layout.stated_dims(row.doc, data.shape().len()).unwrap_or_default();
                said.into_iter().map(Some).collect()
            }
            None => dim_names(layout, row),
        };
        if names.len() == data.shape().len() && names.iter().any(Option::is_some) {
            map.insert("dims".into(), json!(names));
        }
        let address = data.blocks().is_none().then(|| data.begin());
        map.insert("address".into(), json!(address));
        map.insert("bytes".into(), json!(data.bytes()));
        if let Some(blocks) = data.blocks() {
            let InBlocks { cell, count, codec, .. } = blocks;
            map.insert("blocks".into(), json!({"shape": cell, "count": count, "codec": codec}));
        }
        if row.spliced.is_some() || data.is_presented() {
            map.insert("strides".into(), json!(data.strides()));
        }
        if data.is_presented() {
            map.insert("first".into(), json!(data.first()));
        }
        if let Some(record) = &row.spliced {
            map.insert("record".into(), spliced(record));
        }
        if let Some(filter) = data.filter() {
            let args: Vec<Json> = filter.args.iter().map(argument).collect();
            map.insert("filter".into(), json!([filter.name, args]));
            map.insert("raw_bytes".into(), json!(filter.raw_bytes));
        }
        struct_keys(stream, row, data, &mut map);
    }
    describe(layout, row.doc, &mut map);
    map
}

/// The names of the dimensions of an item; for a member of a record, they follow the names of the
/// record.
fn dim_names<'l>(layout: &'l Layout, row: &ItemRow) -> Vec<Option<&'l str>> {
    let array = &layout[row.array];
    let members = match (array.element, &row.spliced) {
        (Element::Record(record), Some(_)) => layout.run(layout[record].members),
        _ => &[],
    };
    let member = members.iter().find_map(|step| match *step {
        Step::Array(id) => Some(&layout[id]).filter(|it| DocKey::of(it.span) == row.doc),
        _ => None,
    });
    [Some(array), member].into_iter().flatten().flat_map(|it| layout.dim_names(it)).collect()
}

fn struct_keys(stream: &Stream, row: &ItemRow, data: &dudley::Data, map: &mut Map<String, Json>) {
    let layout = stream.layout();
    let id = match data.dtype() {
        dudley::Dtype::Primitive(..) => return,
        dudley::Dtype::Record(record) => {
            map.insert("element_bytes".into(), json!(record.size));
            record.id
        }
        dudley::Dtype::Variable(id) => Some(*id),
    };
    let Some(id) = id else { return };
    map.insert("variable".into(), json!(layout[id].variable));
    map.insert("typedef".into(), json!(layout[id].transparent));
    let members: Vec<Json> = row.members.iter().map(member_row).collect();
    map.insert("members".into(), json!(members));
    let docs = field_docs(layout, &row.members);
    if !docs.is_empty() {
        map.insert("field_docs".into(), Json::Object(docs));
    }
}

pub(crate) fn argument(value: &dudley::filter::FilterValue) -> Json {
    use dudley::filter::FilterValue;
    match value {
        FilterValue::Int(value) => json!(value),
        FilterValue::Float(value) => float_json(*value),
        FilterValue::Text(text) => json!(text),
    }
}

fn spliced(record: &Spliced) -> Json {
    json!({
        "address": record.address,
        "size": record.size,
        "count": record.shape.iter().product::<u64>(),
        "offset": record.offset,
        "shape": record.shape,
        "bytes": record.bytes,
        "path": record.path,
    })
}

fn member_row(row: &MemberRow) -> Json {
    let mut map = Map::new();
    map.insert("path".into(), json!(row.path));
    match &row.kind {
        MemberKind::Instance { index, bytes } => {
            map.insert("instance".into(), json!(index));
            map.insert("address".into(), json!(row.address));
            map.insert("bytes".into(), json!(bytes));
        }
        MemberKind::Param { dtype, offset, value } => {
            map.insert("param".into(), json!(true));
            map.insert("dtype".into(), json!(dtype));
            map.insert("address".into(), json!(row.address));
            map.insert("offset".into(), json!(offset));
            if let Some(value) = value {
                map.insert("value".into(), integer(*value));
            }
        }
        MemberKind::Field { dtype, shape, strides, offset, element_bytes } => {
            map.insert("dtype".into(), json!(dtype));
            map.insert("shape".into(), json!(shape));
            map.insert("address".into(), json!(row.address));
            map.insert("offset".into(), json!(offset));
            map.insert("strides".into(), json!(strides));
            map.insert("element_bytes".into(), json!(element_bytes));
        }
        MemberKind::Part { dtype, shape, offset, bytes } => {
            map.insert("dtype".into(), json!(dtype));
            map.insert("shape".into(), json!(shape));
            map.insert("address".into(), json!(row.address));
            map.insert("offset".into(), json!(offset));
            map.insert("bytes".into(), json!(bytes));
        }
    }
    Json::Object(map)
}

/// The words of the fields, if any: by the path of the first of each.
fn field_docs(layout: &Layout, members: &[MemberRow]) -> Map<String, Json> {
    let mut docs = Map::new();
    let mut known = std::collections::HashSet::new();
    for member in members {
        let mut map = Map::new();
        if let Some(key) = member.doc.filter(|key| known.insert(*key)) {
            describe(layout, key, &mut map);
        }
        if !map.is_empty() {
            docs.insert(member.path.clone(), Json::Object(map));
        }
    }
    docs
}

pub(crate) fn type_row(layout: &Layout, ty: &Type) -> Json {
    let mut map = Map::new();
    map.insert("name".into(), json!(layout.name(ty.name)));
    map.insert("typedef".into(), json!(ty.typedef));
    map.insert("variable".into(), json!(ty.variable));
    describe(layout, DocKey::of(ty.span), &mut map);
    let members: Vec<Json> = ty
        .members
        .iter()
        .map(|&(name, param, span)| {
            let mut map = Map::new();
            map.insert("name".into(), json!(layout.name(name)));
            map.insert("param".into(), json!(param));
            describe(layout, DocKey::of(span), &mut map);
            Json::Object(map)
        })
        .collect();
    map.insert("members".into(), json!(members));
    Json::Object(map)
}

/// Reports the first few errors of placing and reading.
pub(crate) fn report(errors: Errors, output: &Output) -> crate::failure::Result<()> {
    let unread = errors.unread;
    let (count, shown) = (errors.count, errors.first.len() as u64 + errors.already);
    for error in errors.first {
        output.complain(&error.into());
    }
    if count > shown {
        output.message(&format!("… and {} more\n", count - shown));
    }
    match (count, unread) {
        (0, _) => Ok(()),
        (_, true) => Err(Failure::said_unread()),
        (_, false) => Err(Failure::said()),
    }
}
