//! Layouts without a stream: their declarations, with formulas if params are not given.
//!
//! The rows are those of a stream (`rows.rs`), key for key; everything that depends on missing
//! params is text: dimensions as declared, addresses and sizes as formulas.

use std::io::Write;

use dudley::read::primitive_name;
use dudley::{ByteOrder, Dtype};
use dudley_parser::Layout;
use dudley_parser::formula::{
    Column, Dim, Expr, Formulas, Labels, Result as Found, Row, Spliced, What,
};
use dudley_parser::layout::path::{listed, of_param, push_name};
use dudley_parser::layout::{ArrayId, DocKey, Element, ParamId, ParamValue, RecordId};
use dudley_parser::resolve::{
    ErrorKind, Flow, Given, MemberKind, NoValues, ResolveError, Resolver, State, WalkOptions,
};
use dudley_parser::similar::similar;
use serde_json::{Map, Value as Json, json};

use super::LsArgs;
use crate::below::is_below;
use crate::failure::{Failure, Result};
use crate::json::Safe;
use crate::options::Format;
use crate::output::Output;
use crate::rows::{
    Errors, REPEATS_FOR_PEOPLE, REPEATS_SHOWN, argument, describe, integer, report, type_row,
};
use crate::terminal::cells::{elided, line};
use crate::terminal::{Table, param_value};

/// A layout without a stream may declare any number of items, so the listing has a limit.
const MOST_ROWS: usize = 200_000;

/// The parts that make a listing of a layout.
struct Listing<'l> {
    layout: &'l Layout,
    order: ByteOrder,
    below: Option<String>,
    params: Vec<Json>,
    items: Vec<Json>,
    containers: Vec<Json>,
    lines: Vec<Vec<String>>,
    /// Paths of the first rows that are left out, for "did you mean".
    others: Vec<String>,
}

/// Lists a layout.
///
/// # Errors
/// If a param is unknown, or the output cannot be written; after all is shown, if a number that is
/// known is illegal.
pub(crate) fn list(
    args: &LsArgs,
    path: Option<&str>,
    layout: &Layout,
    out: &mut dyn Write,
    output: &Output,
) -> Result<()> {
    let start = dudley_parser::place::start(args.stream.raw || layout.is_of_raw());
    let mut given = Given { start, ..Given::default() };
    for (name, value) in &args.stream.params {
        given.params.insert(dudley::read::path::param(layout, name)?, *value);
    }
    let said = layout.order().or(args.stream.order.map(ByteOrder::from));
    let mut listing = Listing {
        layout,
        order: said.unwrap_or(ByteOrder::Little),
        below: path.map(listed).filter(|path| path != "/"),
        params: Vec::new(),
        items: Vec::new(),
        containers: Vec::new(),
        lines: Vec::new(),
        others: Vec::new(),
    };
    let mut formulas = Formulas::new(layout, &given);
    let elide_above = match (args.all, args.format) {
        (true, _) => None,
        (false, Format::Json) => Some(REPEATS_SHOWN),
        (false, Format::Human) => Some(REPEATS_FOR_PEOPLE),
    };
    formulas.walk(WalkOptions::elide_above(elide_above), &mut |formulas, row| {
        listing.add(formulas, &given, row);
        if listing.lines.len() < MOST_ROWS { Flow::Continue } else { Flow::Stop }
    });
    if listing.lines.len() >= MOST_ROWS {
        return Err(Failure::input(format!(
            "there are over {MOST_ROWS} rows: leave out --all, or name a path"
        )));
    }
    if listing.below.is_some() && listing.lines.is_empty() {
        let path = path.unwrap_or_default();
        let near = similar(path, listing.others.iter().map(String::as_str));
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(Failure::input(format!("there is nothing at `{path}`{near}")));
    }
    let end = formulas.data_end();
    let end = known(formulas.labels(), &end);
    match args.format {
        Format::Human => {
            let head = ["path", "type", "shape", "address", "bytes", "unit", ""];
            let mut table = Table::new(&head, &[3, 4], out);
            listing
                .lines
                .into_iter()
                .try_for_each(|line| table.add(line))
                .map_err(Failure::output)?;
            table.finish().map_err(Failure::output)?;
        }
        Format::Json => {
            let all = listing.json(args.stream.raw || layout.is_of_raw(), said.is_none(), end);
            writeln!(out, "{:#}", Safe(all)).map_err(Failure::output)?;
        }
    }
    out.flush().map_err(Failure::output)?;
    report(illegal(layout, &given), output)
}

/// Illegal values for the known params: the errors that `check` finds for the params of the text.
fn illegal(layout: &Layout, given: &Given) -> Errors {
    let mut state = State::new();
    let mut resolver = Resolver::new(layout, given, &NoValues, &mut state);
    let mut errors = Errors::default();
    let mut supplied: Vec<_> = given.params.iter().collect();
    supplied.sort_unstable_by_key(|(id, _)| id.index());
    for (&id, &value) in supplied {
        if let Err(error) = resolver.legal_value(id, value, None) {
            errors.add(error.into());
        }
    }
    let failures = resolver.failures().iter().filter(|(_, error)| !error.is_unknown());
    let of_supplied = |error: &ResolveError| {
        matches!(error.kind(),
        ErrorKind::ParamValue { name, .. }
            if given.params.keys().any(|id| layout.param_path(*id) == *name))
    };
    for (step, error) in failures.filter(|(_, error)| !of_supplied(error)) {
        let error = match layout.step_path(layout.root()[*step]) {
            Some(path) => error.clone().needed_by(&path),
            None => error.clone(),
        };
        errors.add(error.into());
    }
    errors
}

/// A number, or the text of a formula; null where there is none.
fn known(labels: &Labels<'_>, found: &Found<Expr>) -> Json {
    match found {
        Ok(expr) => match expr.as_number() {
            Some(number) => json!(number),
            None => json!(labels.formula(expr)),
        },
        Err(_) => Json::Null,
    }
}

fn dims(shape: &[Dim]) -> Json {
    let dim = |dim: &Dim| match dim {
        Dim::Known(value) => json!(value),
        Dim::Symbolic(text, _) => json!(text),
    };
    shape.iter().map(dim).collect()
}

fn strides(formulas: &Formulas<'_>, spliced: Spliced) -> Json {
    let strides = spliced.strides.unwrap_or_default();
    strides.into_iter().map(|stride| known(formulas.labels(), &Ok(stride))).collect()
}

/// A number or formula in a table.
fn cell(value: &Json) -> String {
    match value {
        Json::Null => "?".to_owned(),
        Json::String(text) => text.clone(),
        value => value.to_string(),
    }
}

fn shape_cell(shape: &Json) -> String {
    let dims = shape.as_array().map(Vec::as_slice).unwrap_or_default();
    match dims {
        [] => String::new(),
        dims => format!("[{}]", dims.iter().map(cell).collect::<Vec<_>>().join(", ")),
    }
}

impl Listing<'_> {
    fn json(self, raw: bool, assumed: bool, end: Json) -> Json {
        let mut all = Map::new();
        all.insert("version".into(), json!(1));
        all.insert("kind".into(), json!(if raw { "raw" } else { "native" }));
        all.insert("order".into(), json!(self.order.symbol().to_string()));
        if assumed {
            all.insert("order_assumed".into(), json!(true));
        }
        all.insert("params".into(), self.params.into());
        all.insert("items".into(), self.items.into());
        all.insert("containers".into(), self.containers.into());
        let types = self.layout.types().iter().map(|ty| type_row(self.layout, ty));
        all.insert("types".into(), types.collect());
        let mut doc = Map::new();
        describe(self.layout, DocKey::LAYOUT, &mut doc);
        all.insert("layout_doc".into(), doc.into());
        all.insert("data_end".into(), end);
        all.into()
    }

    fn add(&mut self, formulas: &mut Formulas<'_>, given: &Given, row: Row<'_>) {
        if self.below.as_deref().is_some_and(|below| !is_below(row.path, below)) {
            if self.others.len() < REPEATS_SHOWN as usize {
                self.others.push(row.path.to_owned());
            }
            return;
        }
        let layout = self.layout;
        let path = row.path;
        match row.what {
            What::Dict(dict) => {
                let key = DocKey::of(layout[dict].span);
                let mut map = container(path, "dict");
                if path != "/" {
                    describe(layout, key, &mut map);
                    self.lines.push(line(layout, key, format!("{path}/"), ["dict", "", "", ""]));
                }
                self.containers.push(map.into());
            }
            What::List { list, length } => {
                let key = DocKey::of(layout[list].span);
                let length = known(formulas.labels(), &length);
                let shown = format!("[{}]", cell(&length));
                self.lines.push(line(layout, key, path.to_owned(), ["list", &shown, "", ""]));
                let mut map = container(path, "list");
                map.insert("length".into(), length);
                describe(layout, key, &mut map);
                self.containers.push(map.into());
            }
            What::Elided { repetitions, .. } => {
                let text = format!("… {repetitions} more repetitions (--all shows them)");
                self.lines.push(elided(format!("{path}/…"), text));
                let mut map = container(path, "repeat");
                map.insert("repeat".into(), json!(repetitions));
                self.containers.push(map.into());
            }
            What::Param { param, address: Some(address), column: Some(column), .. } => {
                self.add_column(formulas, path, param, (address, column));
            }
            What::Param { param, value, address, column: _ } => {
                let supplied = given.params.get(&param).copied();
                let declared = match layout[param].value {
                    ParamValue::Fixed(value) if !layout[param].is_by_length() => Some(value.into()),
                    _ => None,
                };
                let value = value.ok().flatten().map(i128::from).or(supplied).or(declared);
                self.add_param(formulas, given, path, param, value, address);
            }
            What::Array { array, shape, address, bytes, spliced } => {
                let mut map = Map::new();
                map.insert("path".into(), json!(path));
                map.insert("dtype".into(), json!(dtype(formulas, self.order, array)));
                map.insert("shape".into(), dims(&shape));
                map.insert("address".into(), known(formulas.labels(), &address));
                map.insert("bytes".into(), known(formulas.labels(), &bytes));
                if let Some(spliced) = spliced {
                    map.insert("strides".into(), strides(formulas, spliced));
                }
                self.add_item(formulas, path, array, map);
            }
        }
    }

    fn add_param(
        &mut self,
        formulas: &Formulas<'_>,
        given: &Given,
        path: &str,
        id: ParamId,
        value: Option<i128>,
        address: Option<Found<Expr>>,
    ) {
        let layout = self.layout;
        let param = &layout[id];
        let key = DocKey::of(param.span);
        let mut map = Map::new();
        map.insert("path".into(), json!(path));
        let kind = if param.is_streamed() { "streamed" } else { "fixed" };
        map.insert("kind".into(), json!(kind));
        map.insert("value".into(), value.map_or(Json::Null, integer));
        let mut cells = ["param".to_owned(), String::new(), String::new(), String::new()];
        if let ParamValue::Streamed(primitive, own) = param.value {
            let dtype = primitive_name(primitive, own.unwrap_or(self.order));
            map.insert("dtype".into(), json!(dtype));
            let address = address.map_or(Json::Null, |found| known(formulas.labels(), &found));
            cells = [dtype, String::new(), cell(&address), primitive.size().to_string()];
            map.insert("address".into(), address);
            map.insert("bytes".into(), json!(primitive.size()));
        }
        cells[1] = value.map_or(String::new(), |value| param_value(layout, key, value));
        if given.params.contains_key(&id) {
            map.insert("supplied".into(), json!(true));
        }
        describe(layout, key, &mut map);
        let shown = [&*cells[0], &*cells[1], &*cells[2], &*cells[3]];
        self.lines.push(line(layout, key, of_param(path), shown));
        self.params.push(map.into());
    }

    /// A stored param of records that are presented as items of their dict.
    fn add_column(
        &mut self,
        formulas: &Formulas<'_>,
        path: &str,
        id: ParamId,
        (address, column): (Found<Expr>, Column),
    ) {
        let layout = self.layout;
        let ParamValue::Streamed(primitive, own) = layout[id].value else { return };
        let key = DocKey::of(layout[id].span);
        let dtype = primitive_name(primitive, own.unwrap_or(self.order));
        let (shape, address) = (dims(&column.shape), known(formulas.labels(), &address));
        let bytes = known(formulas.labels(), &column.bytes);
        let cells = [&*dtype, &*shape_cell(&shape), &*cell(&address), &*cell(&bytes)];
        self.lines.push(line(layout, key, path.to_owned(), cells));
        let mut map = Map::new();
        map.insert("path".into(), json!(path));
        map.insert("dtype".into(), json!(dtype));
        map.insert("shape".into(), shape);
        map.insert("address".into(), address);
        map.insert("bytes".into(), bytes);
        map.insert("strides".into(), strides(formulas, column.spliced));
        describe(layout, key, &mut map);
        self.items.push(map.into());
    }

    fn add_item(
        &mut self,
        formulas: &mut Formulas<'_>,
        path: &str,
        id: ArrayId,
        mut map: Map<String, Json>,
    ) {
        let layout = self.layout;
        let array = &layout[id];
        let key = DocKey::of(array.span);
        if let Some(filter) = array.filter.map(|filter| &layout[filter]) {
            let args: Vec<Json> = filter.args.iter().map(argument).collect();
            map.insert("filter".into(), json!([layout.name(filter.name), args]));
        }
        let mut dtype = map["dtype"].as_str().unwrap_or_default().to_owned();
        let mut members = Vec::new();
        if let Element::Record(record) = array.element {
            let declared = &layout[record];
            map.insert("variable".into(), json!(declared.variable));
            map.insert("typedef".into(), json!(declared.transparent));
            dtype = "struct".to_owned();
            if !declared.variable {
                push_members(formulas, self.order, record, path, &mut members);
                map.insert("members".into(), members.clone().into());
            }
        }
        describe(layout, key, &mut map);
        let (shape, address, bytes) =
            (shape_cell(&map["shape"]), cell(&map["address"]), cell(&map["bytes"]));
        self.lines.push(line(layout, key, path.to_owned(), [&dtype, &shape, &address, &bytes]));
        for member in &members {
            let offset = format!("+ {}", cell(&member["offset"]));
            let path = format!("  {}", member["path"].as_str().unwrap_or_default());
            let dtype = member["dtype"].as_str().unwrap_or_default();
            let dtype = if dtype.len() > 24 { "struct" } else { dtype };
            let cells = [dtype, &shape_cell(&member["shape"]), &offset, ""];
            self.lines.push(line(layout, DocKey::SUMMARY, path, cells));
        }
        self.items.push(map.into());
    }
}

fn container(path: &str, kind: &str) -> Map<String, Json> {
    let mut map = Map::new();
    map.insert("path".into(), json!(path));
    map.insert("kind".into(), json!(kind));
    map
}

/// The members of a struct of fixed size, and of those in it.
fn push_members(
    formulas: &mut Formulas<'_>,
    order: ByteOrder,
    record: RecordId,
    path: &str,
    members: &mut Vec<Json>,
) {
    const SHOWN: usize = 4096;
    let layout = formulas.layout();
    for member in formulas.members(record) {
        if members.len() >= SHOWN {
            return;
        }
        let mut map = Map::new();
        let mut own = format!("{path}.");
        match member.kind {
            MemberKind::Param(id) if !layout[id].is_streamed() => continue,
            MemberKind::Param(id) => {
                layout.push_param(&mut own, id);
                map.insert("path".into(), json!(own));
                map.insert("param".into(), json!(true));
                if let ParamValue::Streamed(primitive, given) = layout[id].value {
                    let dtype = primitive_name(primitive, given.unwrap_or(order));
                    map.insert("dtype".into(), json!(dtype));
                }
            }
            MemberKind::Array(id) => {
                push_name(&mut own, layout.name(layout[id].name));
                map.insert("path".into(), json!(own));
                map.insert("dtype".into(), json!(dtype(formulas, order, id)));
                map.insert("shape".into(), dims(&member.shape));
            }
        }
        map.insert("offset".into(), known(formulas.labels(), &member.offset));
        map.insert("bytes".into(), known(formulas.labels(), &member.bytes));
        members.push(map.into());
        if let MemberKind::Array(id) = member.kind
            && let Element::Record(inner) = layout[id].element
        {
            push_members(formulas, order, inner, &own, members);
        }
    }
}

/// The type of an array's elements, as listings show it.
fn dtype(formulas: &mut Formulas<'_>, order: ByteOrder, id: ArrayId) -> String {
    let layout = formulas.layout();
    match layout[id].element {
        Element::Primitive(primitive, own) => primitive_name(primitive, own.unwrap_or(order)),
        Element::Record(record) => {
            let mut text = String::new();
            struct_name(formulas, order, record, &mut text);
            text
        }
    }
}

/// A struct as `struct{lon=<f8@0,…}`; long ones are cut.
fn struct_name(formulas: &mut Formulas<'_>, order: ByteOrder, record: RecordId, text: &mut String) {
    const LONGEST: usize = 1 << 16;
    let layout = formulas.layout();
    if layout[record].per_instance || layout[record].transparent {
        *text += &Dtype::Variable(record).describe(layout, order);
        return;
    }
    text.push_str("struct{");
    let mut first = true;
    for member in formulas.members(record) {
        if text.len() > LONGEST {
            text.push('…');
            break;
        }
        if matches!(member.kind, MemberKind::Param(id) if !layout[id].is_streamed()) {
            continue;
        }
        if !std::mem::take(&mut first) {
            text.push(',');
        }
        match member.kind {
            MemberKind::Param(id) => {
                layout.push_param(text, id);
                if let ParamValue::Streamed(primitive, own) = layout[id].value {
                    *text += &format!(":{}", primitive_name(primitive, own.unwrap_or(order)));
                }
            }
            MemberKind::Array(id) => {
                push_name(text, layout.name(layout[id].name));
                text.push('=');
                match layout[id].element {
                    Element::Record(inner) => struct_name(formulas, order, inner, text),
                    Element::Primitive(..) => *text += &dtype(formulas, order, id),
                }
                let shape = shape_cell(&dims(&member.shape));
                *text += &shape.replace(", ", ",");
            }
        }
        *text += &format!("@{}", cell(&known(formulas.labels(), &member.offset)));
    }
    text.push('}');
}
