//! Typed code of many layouts put beside the dynamic reader and writer: what differs?

use std::collections::{BTreeMap, BTreeSet};

use dudley::elements::Builder;
use dudley::read::listing::{MemberKind, Row, list};
use dudley::typed::{Create, Inspect, Params, Reader, Reading, Schema, Transfer, Writing};
use dudley::{
    ByteOrder, Error, Input, Open, Stream, StreamKind, Supplied, Supply, Value, WriteOptions,
};
use dudley_parser::resolve::WalkOptions;

include!(concat!(env!("OUT_DIR"), "/bulk.rs"));

/// What `dudley_codegen::build` makes.
pub mod blast {
    include!(concat!(env!("OUT_DIR"), "/blast.rs"));
}

/// A layout with its typed code.
pub struct Case {
    /// The folder of the layout, or what it is.
    pub name: &'static str,
    compare: Compare,
    read: Read,
}

type Read = fn(Open, &dyn Fn(Open) -> dudley::Result<Stream>) -> usize;
type Compare = fn(Open, &dyn Fn(Open) -> dudley::Result<Stream>) -> Result<Compared, String>;

impl Case {
    const fn new<S: Schema>(name: &'static str) -> Case
    where
        S::Root<Reading>: Inspect + Transfer<Into = S::Root<Writing>>,
    {
        Case { name, compare: compare::<S>, read: read::<S> }
    }

    /// Reads a stream both ways, and writes it both ways.
    ///
    /// # Errors
    /// If something differs.
    pub fn compare(
        &self,
        open: Open,
        finish: &dyn Fn(Open) -> dudley::Result<Stream>,
    ) -> Result<Compared, String> {
        (self.compare)(open, finish)
    }
}

impl Case {
    /// Reads whatever is there, of a stream that may be damaged; gives how many items were read.
    pub fn read(&self, open: Open, finish: &dyn Fn(Open) -> dudley::Result<Stream>) -> usize {
        (self.read)(open, finish)
    }
}

fn read<S: Schema>(open: Open, finish: &dyn Fn(Open) -> dudley::Result<Stream>) -> usize
where
    S::Root<Reading>: Inspect,
{
    let Ok(reader) = Reader::<S>::from_open(open, finish) else { return 0 };
    let mut items = 0;
    let mut seen = 0;
    reader.inspect(&mut |_, value| {
        seen += 1;
        items += usize::from(value.is_ok());
    });
    // None of these may do more than say what is wrong.
    let _ = (reader.params().is_ok(), reader.measure().is_ok(), reader.check_own_layout().is_ok());
    items
}

/// How much was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    /// Items that were read both ways.
    pub items: usize,
    /// Items that have no typed form, since a param is -1.
    pub untyped: usize,
    /// Whether the stream was written both ways.
    pub written: bool,
}

fn compare<S: Schema>(
    open: Open,
    finish: &dyn Fn(Open) -> dudley::Result<Stream>,
) -> Result<Compared, String>
where
    S::Root<Reading>: Inspect + Transfer<Into = S::Root<Writing>>,
{
    let reader = match Reader::<S>::from_open(open, finish) {
        Ok(reader) => reader,
        Err(error) => return Err(format!("cannot be opened: {error}")),
    };
    let stream = reader.stream();
    let found = Found::of(stream)?;
    let mut compared = Compared::default();
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    reader.inspect(&mut |path, value| {
        seen.insert(path.to_owned());
        match (value, found.values.get(path)) {
            (Ok(typed), Some(dynamic)) if same(&typed, dynamic) => compared.items += 1,
            (Ok(typed), dynamic) => wrong.push(format!("{path}: typed {typed:?}, not {dynamic:?}")),
            (Err(error), Some(_)) if is_of_minus_one(&error) => compared.untyped += 1,
            (Err(error), Some(_)) => wrong.push(format!("{path}: {error}")),
            (Err(_), None) => {}
        }
    });
    for (path, value) in &found.values {
        let absent = !has_elements(value);
        if !seen.contains(path) && !found.constant.contains(path) && !absent {
            wrong.push(format!("{path} is not among the typed items"));
        }
    }
    if let Some(wrong) = wrong.first() {
        return Err(wrong.clone());
    }
    compared.written = write_both::<S>(&reader, &found)?;
    Ok(compared)
}

/// Writes what was read with the typed and with the dynamic writer.
fn write_both<S: Schema>(reader: &Reader<S>, found: &Found) -> Result<bool, String>
where
    S::Root<Reading>: Transfer<Into = S::Root<Writing>>,
{
    let stream = reader.stream();
    let params = match reader.params() {
        Ok(params) => params,
        // A param of -1 has no typed form, or one cannot be read.
        Err(_) => return Ok(false),
    };
    let raw = stream.kind() == StreamKind::Raw;
    // That of the signature: a layout may say otherwise.
    let order = stream.signature().map_or(stream.order(), |signature| signature.order);
    let mut create = Create::new().order(order).attach(false);
    if raw {
        create = create.raw();
    }
    let written = create.memory::<S>(&params).and_then(|writer| {
        reader.transfer(&writer)?;
        writer.finish_bytes()
    });
    let typed = match written {
        Ok(bytes) => bytes,
        Err(error) if is_of_minus_one(&error) => return Ok(false),
        Err(error) if found.truncated && error.to_string().contains("needed at address") => {
            return Ok(false);
        }
        // What stands for illegal units of a text takes more of them.
        Err(Error::Text { .. }) if found.inexact => return Ok(false),
        Err(error) => return Err(format!("the typed writer says: {error}")),
    };
    let mut supply = BTreeMap::new();
    supply.extend(params.values().into_iter().map(|(path, value)| (path.to_owned(), value)));
    let options = WriteOptions { order, raw, ..WriteOptions::default() };
    let mut dynamic = Vec::new();
    let given = Both { found, params: supply };
    match dudley::write::write(stream.layout(), &options, &given, &mut dynamic) {
        Ok(()) => {}
        Err(Error::Text { .. }) if found.inexact => return Ok(false),
        Err(error) => return Err(format!("the dynamic writer says: {error}")),
    }
    match typed == dynamic {
        true => Ok(true),
        // Strings of Rust hold other bytes than some texts, and records hold all: the values count.
        false if found.inexact => same_values(stream, order, raw, typed, dynamic),
        false => {
            let at = typed.iter().zip(&dynamic).position(|(one, other)| one != other);
            Err(format!(
                "written streams differ at {at:?} of {} and {}",
                typed.len(),
                dynamic.len()
            ))
        }
    }
}

/// Compares what is in two streams of the layout of a third.
fn same_values(
    stream: &Stream,
    order: ByteOrder,
    raw: bool,
    typed: Vec<u8>,
    dynamic: Vec<u8>,
) -> Result<bool, String> {
    let read = |bytes| {
        let mut open = Open::new().layout(stream.layout().clone()).order(order);
        if raw {
            open = open.raw();
        }
        for (id, value) in &stream.given().params {
            open = open.param(stream.layout().param_path(*id), *value);
        }
        Found::of(&open.bytes(bytes).map_err(|error| error.to_string())?)
    };
    let (typed, dynamic): (Found, Found) = (read(typed)?, read(dynamic)?);
    for (path, value) in &dynamic.values {
        match typed.values.get(path) {
            Some(other) if same(value, other) => {}
            other => return Err(format!("{path} was written as {other:?}, not {value:?}")),
        }
    }
    Ok(true)
}

/// All that the dynamic reader reads.
#[derive(Default)]
struct Found {
    /// Something lies past the end.
    truncated: bool,
    /// Something is text or a boolean with other bytes than its value has, or counts its units.
    inexact: bool,
    params: BTreeMap<String, i128>,
    items: BTreeMap<String, Input<'static>>,
    values: BTreeMap<String, Value>,
    /// Those that the layout states.
    constant: BTreeSet<String>,
}

impl Found {
    fn of(stream: &Stream) -> Result<Found, String> {
        let mut found = Found::default();
        let layout = stream.layout();
        let walk = WalkOptions::default();
        let listed = list(stream, walk, &mut |resolver, row| {
            match row {
                Row::Param(row) => {
                    if let Ok(value) = row.value {
                        found.params.insert(row.path, value);
                    }
                }
                Row::Item(row) => {
                    let (mut builder, mut exact) = (Builder::default(), Builder::default());
                    if row.emit(resolver, &mut builder, false).is_ok()
                        && row.emit(resolver, &mut exact, true).is_ok()
                    {
                        for member in &row.members {
                            if let MemberKind::Param { value: Some(value), .. } = member.kind {
                                // Strings of Rust do not count the NULs at their ends.
                                found.inexact |= member.path.ends_with("LEN");
                                found.params.insert(member.path.clone(), value);
                            }
                        }
                        let value = builder.finish();
                        found.values.insert(row.path.clone(), value.clone());
                        let typed = as_typed(value, exact.finish(), &mut found.inexact);
                        found.items.insert(row.path.clone(), Input::Value(typed));
                    } else {
                        found.truncated = true;
                    }
                    if layout.attribute(row.doc, "const").is_some() {
                        found.constant.insert(row.path);
                    }
                }
                _ => {}
            }
            Ok(())
        });
        listed.map_err(|error| error.to_string())?;
        Ok(found)
    }
}

/// What a typed program has of a value: numbers bit by bit, but strings and booleans.
fn as_typed(plain: Value, exact: Value, inexact: &mut bool) -> Value {
    match (plain, exact) {
        (plain @ (Value::Text(_) | Value::Bool(_)), Value::Bits(_)) => {
            *inexact = true;
            plain
        }
        (Value::Array(plain), Value::Array(exact)) => {
            let both = plain.into_iter().zip(exact);
            Value::Array(both.map(|(a, b)| as_typed(a, b, inexact)).collect())
        }
        (Value::Struct(plain), Value::Struct(exact)) => {
            let both = plain.into_iter().zip(exact);
            let both = both.map(|((name, a), (_, b))| (name, as_typed(a, b, inexact)));
            Value::Struct(both.collect())
        }
        (_, exact) => exact,
    }
}

/// What was read, and the params that a typed program has.
struct Both<'f> {
    found: &'f Found,
    params: BTreeMap<String, i128>,
}

impl Supply for Both<'_> {
    fn param(&self, path: &str) -> Option<i128> {
        self.params.get(path).or_else(|| self.found.params.get(path)).copied()
    }

    fn item(&self, path: &str) -> Option<Supplied<'_>> {
        self.found.items.get(path).map(Supplied::from)
    }
}

/// Whether an error says that a param of -1 has removed a dimension.
fn is_of_minus_one(error: &Error) -> bool {
    let text = error.to_string();
    text.contains("a param of -1") || text.contains("to be 0 or -1")
}

/// Whether two values are equal; what is not a number is, too.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Float(one), Value::Float(other)) if one.is_nan() => other.is_nan(),
        (Value::Complex(..), Value::Complex(..)) => format!("{one:?}") == format!("{other:?}"),
        (Value::Bits(_), Value::Float(value)) => value.is_nan(),
        (Value::Bits(_), Value::Complex(re, im)) => re.is_nan() || im.is_nan(),
        // Units that mean nothing.
        (Value::Bits(_), Value::Text(text)) => text.contains(char::REPLACEMENT_CHARACTER),
        (Value::Float(one), Value::Float(other)) => one.to_bits() == other.to_bits(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Struct(one), Value::Struct(other)) => other.iter().all(|(name, value)| {
            // Constant fields are not among the typed ones.
            one.iter().find(|(typed, _)| typed == name).is_none_or(|(_, typed)| same(typed, value))
        }),
        (Value::Struct(fields), Value::Null) => fields.is_empty(),
        // A text without a dimension left is its one unit in typed code.
        (Value::Int(_), Value::Text(text)) => text.chars().count() <= 1,
        _ => one == other,
    }
}

fn has_elements(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_elements),
        _ => true,
    }
}
