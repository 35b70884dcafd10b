//! The parts of a stream, in the order of its layout; sorted where items say their addresses.

use dudley::dtype::{Dtype, Field, Record};
use dudley::listing::{ItemRow, MemberKind, Row, Spliced, list};
use dudley::path::split;
use dudley::{Data, Stream};
use dudley_parser::layout::dtype::Primitive;
use dudley_parser::layout::{DocKey, Layout, Place};
use dudley_parser::resolve::WalkOptions;

use super::elided::expand;
use super::print::Printer;
use super::{Element, Kind, Options, Part, sliced};
use crate::commands::ls::Below;
use crate::failure::Result;
use crate::pick;
use crate::rows::REPEATS_FOR_PEOPLE;

/// Instances of a struct that are shown: so many of the start, and the last.
const INSTANCES: u64 = 3;

/// How much is shown of what is long.
#[derive(Clone, Copy)]
pub(super) struct Amount {
    /// All of it, as far as the stream has it: a damaged count is not gone through.
    pub(super) whole: bool,
    /// Bytes of the stream.
    pub(super) length: u64,
}

impl Amount {
    fn of(stream: &Stream, below: &Below, options: &Options<'_>) -> Amount {
        Amount { whole: options.all || below.is_slice, length: stream.len() }
    }

    /// Lists that are longer are shown in part.
    fn elide_above(self) -> u64 {
        if self.whole { self.length.max(REPEATS_FOR_PEOPLE) } else { REPEATS_FOR_PEOPLE }
    }

    /// How many of some things of `size` bytes, one behind the other from `address` on, are shown, and whether
    /// the last one is, if that are not all.
    pub(super) fn shown(self, count: u64, address: u64, size: u64) -> (u64, bool) {
        let there = self.length.saturating_sub(address).div_ceil(size.max(1));
        match count {
            0..=1 => (count, false),
            // Behind the end of the stream there may be things in things in things.
            _ if there == 0 && size > 0 => (1, false),
            2..=REPEATS_FOR_PEOPLE => (count, false),
            _ if self.whole && count <= there => (count, false),
            // The first that is not there, too, so that this is told.
            _ if self.whole => (there.max(INSTANCES) + 1, false),
            _ => (INSTANCES, true),
        }
    }
}

/// Parts of a struct of variable size that are shown.
const VARIABLE_PARTS: usize = 64;

/// Where parts go: to the printer, or to a list.
pub(super) type Sink<'s> = dyn FnMut(Part) -> Result<()> + 's;

/// Shows a stream.
///
/// # Errors
/// If it cannot be written, or there is no such path.
pub(super) fn stream(
    stream: &Stream,
    options: &Options<'_>,
    printer: &mut Printer<'_>,
) -> Result<()> {
    if let (Some(path), Some(selected)) =
        (options.path, pick::part_of_stream(stream, options.path)?)
    {
        let sink: &mut Sink<'_> = &mut |part| printer.part(part);
        let amount = Amount { whole: options.all, length: stream.len() };
        return sliced::parts(stream, path, &selected, amount, sink);
    }
    let below = Below::of(stream, options.path)?;
    if options.path.is_none() {
        signature(stream, printer)?;
    }
    // Addresses may go back; then what lies between items is known only when all are.
    if printer.ranged() || has_addresses(stream.layout()) {
        let parts = collected(stream, options, printer)?;
        let nexts: Vec<u64> = parts.iter().skip(1).map(|part| part.address).collect();
        for (at, mut part) in parts.into_iter().enumerate() {
            if part.kind == Kind::Elided && printer.ranged() {
                expand(stream, &part, nexts.get(at).copied().unwrap_or(u64::MAX), printer)?;
                part.path = part
                    .path
                    .split_once(" of ")
                    .map_or(String::new(), |(_, list)| format!("more of {list}"));
            }
            printer.part(part)?;
        }
    } else {
        let wanted = Wanted { below: &below, amount: Amount::of(stream, &below, options) };
        let mut wrong = Vec::new();
        collect(stream, &wanted, &mut |part| printer.part(part), &mut wrong)?;
        wrong.into_iter().for_each(|error| printer.wrong(error));
    }
    if options.path.is_none() {
        behind(stream, printer)?;
    }
    Ok(())
}

/// The parts of a stream, by their addresses where items say theirs. What is wrong is told to the
/// printer.
///
/// # Errors
/// If there is no such path.
pub(super) fn collected(
    stream: &Stream,
    options: &Options<'_>,
    printer: &mut Printer<'_>,
) -> Result<Vec<Part>> {
    let below = Below::of(stream, options.path)?;
    let wanted = Wanted { below: &below, amount: Amount::of(stream, &below, options) };
    let (mut parts, mut wrong) = (Vec::new(), Vec::new());
    let sorted = !has_addresses(stream.layout());
    let range = if sorted { printer.range } else { (0, u64::MAX) };
    collect(stream, &wanted, &mut |part| push(&mut parts, part, range), &mut wrong)?;
    if !sorted {
        parts.sort_by_key(|part| part.address);
    }
    wrong.into_iter().for_each(|error| printer.wrong(error));
    Ok(parts)
}

/// All parts of a stream, those of long lists left out.
///
/// # Errors
/// What `sink` says.
pub(super) fn all(stream: &Stream, sink: &mut Sink<'_>) -> Result<()> {
    let below = Below::of(stream, None)?;
    let amount = Amount { whole: false, length: stream.len() };
    collect(stream, &Wanted { below: &below, amount }, sink, &mut Vec::new())
}

/// Adds a part to those before it; of the parts on either side of a range the nearest is enough.
fn push(parts: &mut Vec<Part>, mut part: Part, (from, to): (u64, u64)) -> Result<()> {
    if part.kind == Kind::Elided {
        part.address = parts.last().map_or(0, Part::end);
    }
    let before = |part: &Part| part.kind != Kind::Elided && part.end() <= from;
    let behind = |part: &Part| part.kind != Kind::Elided && part.address >= to;
    match parts.last_mut() {
        Some(last) if before(last) && before(&part) => *last = part,
        Some(last) if behind(last) && behind(&part) => {}
        _ => parts.push(part),
    }
    Ok(())
}

fn has_addresses(layout: &Layout) -> bool {
    let explicit = |place: &Place| matches!(place, Place::At(..));
    layout.arrays().any(|(_, array)| array.dict.is_some() && explicit(&array.place))
        || layout.params().any(|(_, param)| explicit(&param.place))
}

/// The signature, and where the layout is.
fn signature(stream: &Stream, printer: &mut Printer<'_>) -> Result<()> {
    let Some(signature) = stream.signature() else { return Ok(()) };
    let order = match signature.order {
        dudley::ByteOrder::Little => "little-endian",
        dudley::ByteOrder::Big => "big-endian",
    };
    let doc = Some(format!("native stream, {order}"));
    printer.part(Part { doc, ..Part::new(Kind::Signature, 0, 8, "signature") })?;
    let doc = match signature.layout_address {
        Some(address) => format!("the layout is at {address:#x}"),
        None if printer.read(8, 8).iter().any(|byte| *byte != 0) => {
            "the layout there is not used".to_owned()
        }
        None => "no layout is attached".to_owned(),
    };
    printer.part(Part { doc: Some(doc), ..Part::new(Kind::Signature, 8, 8, "layout address") })
}

/// What lies behind the items.
fn behind(stream: &Stream, printer: &mut Printer<'_>) -> Result<()> {
    printer.between(stream.len(), "")?;
    let Some(address) = stream.signature().and_then(|signature| signature.layout_address) else {
        return Ok(());
    };
    // The layout is no part of what the stream is read from.
    let bytes = stream.appended_text()?.map_or(0, |text| text.len() as u64);
    let doc = Some(format!("{bytes} bytes, attached to the stream"));
    printer.part(Part { doc, ..Part::new(Kind::Layout, address, bytes, "layout") })
}

struct Wanted<'w> {
    below: &'w Below,
    amount: Amount,
}

/// A record that is presented as items: its members come one by one.
type Members = Option<(Spliced, Vec<Field>)>;

fn collect(
    stream: &Stream,
    wanted: &Wanted<'_>,
    sink: &mut Sink<'_>,
    wrong: &mut Vec<dudley::Error>,
) -> Result<()> {
    let elide_above = Some(wanted.amount.elide_above());
    let layout = stream.layout();
    let mut failed = None;
    let mut members: Members = None;
    // A failure to write ends the listing; what it was is kept beside it.
    let listed = list(stream, WalkOptions { elide_above }, &mut |_, row| {
        let same = matches!((&row, &members), (Row::Item(row), Some((around, _)))
            if row.spliced.as_ref().is_some_and(|it| it.path == around.path));
        let mut finish = Ok(());
        if !same && let Some((around, fields)) = members.take() {
            finish = spliced(layout, &around, fields, wanted.amount, sink);
        }
        let done = finish.and_then(|()| one(stream, wanted, row, &mut members, sink, wrong));
        done.map_err(|failure| {
            failed = Some(failure);
            dudley::Error::Listed { path: "/".into(), why: "stopped".into() }
        })
    });
    match (failed, listed) {
        (Some(failure), _) => return Err(failure),
        (None, listed) => listed?,
    }
    match members {
        Some((around, fields)) => spliced(layout, &around, fields, wanted.amount, sink),
        None => Ok(()),
    }
}

fn one(
    stream: &Stream,
    wanted: &Wanted<'_>,
    row: Row,
    members: &mut Members,
    sink: &mut Sink<'_>,
    wrong: &mut Vec<dudley::Error>,
) -> Result<()> {
    let layout = stream.layout();
    match row {
        Row::Param(row) if wanted.below.has(&row.path) => match row.stored {
            Some((dtype, Ok(placed))) => {
                let (dict, name) = split(&row.path);
                let path = format!("{dict}/:{name}");
                let mut part = Part::new(Kind::Param, placed.address, placed.bytes, path);
                part.element =
                    Some(Element { dtype: dtype.clone(), bytes: placed.bytes, text: false });
                part.dtype = dtype;
                sink(documented(layout, row.doc, part))
            }
            Some((_, Err(error))) => {
                wrong.push(dudley::Error::from(error).of_item(&row.path));
                Ok(())
            }
            None => Ok(()),
        },
        Row::Item(row) if wanted.below.has(&row.path) => match (&row.data, row.spliced.clone()) {
            (Ok(data), Some(around)) => {
                let field = member(&row, data, &around);
                match members {
                    Some((_, fields)) => fields.push(field),
                    None => *members = Some((around, vec![field])),
                }
                Ok(())
            }
            (Ok(data), None) => item(stream, &row, data, wanted.amount, sink),
            (Err(_), _) => {
                if let Err(error) = row.data {
                    wrong.push(error);
                }
                Ok(())
            }
        },
        Row::Elided { path, repetitions } => {
            let path = format!("{repetitions} repetitions of {path}");
            sink(Part::new(Kind::Elided, 0, 0, path))
        }
        _ => Ok(()),
    }
}

/// A member as a field of the record around it.
fn member(row: &ItemRow, data: &Data, around: &Spliced) -> Field {
    let shape: Vec<u64> = data.shape().iter().skip(around.shape.len()).copied().collect();
    let size = data.dtype().size().unwrap_or(0);
    Field {
        name: row.path.clone(),
        param: None,
        array: None,
        offset: around.offset,
        bytes: shape.iter().fold(size, |bytes, dim| bytes.saturating_mul(*dim)),
        shape,
        dtype: data.dtype().clone(),
        filter: None,
        doc: row.doc,
    }
}

fn documented(layout: &Layout, key: DocKey, mut part: Part) -> Part {
    part.unit = layout.unit(key).map(str::to_owned);
    part.doc = remark(layout.doc(key).next().unwrap_or_default());
    part
}

/// A line of documentation without the unit.
pub(super) fn remark(line: &str) -> Option<String> {
    let line = match line.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((_, rest)) => rest.trim(),
        None => line,
    };
    (!line.is_empty()).then(|| line.to_owned())
}

/// The part of a packed array of primitives.
pub(super) fn array(
    kind: Kind,
    path: String,
    address: u64,
    dtype: &Dtype,
    name: String,
    shape: &[u64],
) -> Part {
    let count = shape.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
    let size = dtype.size().unwrap_or(0);
    let mut part = Part::new(kind, address, count.saturating_mul(size), path);
    part.shape = shape.to_vec();
    part.element = dtype.primitive().map(|(primitive, _)| element(primitive, &name, shape));
    part.dtype = name;
    part
}

fn element(primitive: Primitive, name: &str, shape: &[u64]) -> Element {
    let units = shape.last().copied().unwrap_or(1);
    let text = primitive.is_text();
    let bytes = if text { units.saturating_mul(primitive.size()) } else { primitive.size() };
    Element { dtype: name.to_owned(), bytes, text }
}

fn item(
    stream: &Stream,
    row: &ItemRow,
    data: &Data,
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    if let Dtype::Variable(_) = data.dtype() {
        return variable(stream, row, data, sink);
    }
    data_parts(stream.layout(), &row.path, data, row.doc, amount, sink)
}

/// The parts of an item whose elements are of fixed size.
fn data_parts(
    layout: &Layout,
    path: &str,
    data: &Data,
    doc: DocKey,
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    if let Some(filter) = data.filter() {
        let mut part = Part::new(Kind::Item, data.address(), data.bytes(), path);
        part.dtype = format!("{} of {}", filter.name, data.dtype_name());
        part.shape = data.shape().to_vec();
        return sink(documented(layout, doc, part));
    }
    match data.dtype() {
        Dtype::Record(record) => {
            let heading = Part::new(Kind::Heading, data.address(), 0, path);
            let heading = Part { dtype: "struct".into(), shape: data.shape().to_vec(), ..heading };
            sink(documented(layout, doc, heading))?;
            records(layout, path, data.address(), record, data.shape(), amount, sink)
        }
        dtype => {
            let (name, address) = (data.dtype_name(), data.address());
            let part = array(Kind::Item, path.to_owned(), address, dtype, name, data.shape());
            sink(documented(layout, doc, part))
        }
    }
}

/// Instances of a struct of fixed size, one behind the other.
pub(super) fn records(
    layout: &Layout,
    path: &str,
    address: u64,
    record: &Record,
    shape: &[u64],
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    each(shape, amount, (address, record.size), path, sink, &mut |number, sink| {
        let name = match shape.is_empty() {
            true => path.to_owned(),
            false => format!("{path}{}", super::lines::index(shape, number)),
        };
        let at = address.saturating_add(number.saturating_mul(record.size));
        fields(layout, at, &record.fields, amount, &|field| format!("{name}.{field}"), sink)
    })
}

/// Calls for the instances that are shown, and says how many are not.
fn each(
    shape: &[u64],
    amount: Amount,
    (address, size): (u64, u64),
    path: &str,
    sink: &mut Sink<'_>,
    show: &mut dyn FnMut(u64, &mut Sink<'_>) -> Result<()>,
) -> Result<()> {
    let count = shape.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
    let (head, last) = amount.shown(count, address, size);
    for number in 0..head {
        show(number, sink)?;
    }
    if head < count {
        let what = format!("{} more of {path}", count - head - u64::from(last));
        sink(Part::new(Kind::Elided, 0, 0, what))?;
    }
    if last {
        show(count - 1, sink)?;
    }
    Ok(())
}

fn fields(
    layout: &Layout,
    address: u64,
    fields: &[Field],
    amount: Amount,
    name: &dyn Fn(&str) -> String,
    sink: &mut Sink<'_>,
) -> Result<()> {
    for field in fields {
        if field.param.is_some_and(|id| !layout[id].is_streamed()) {
            continue;
        }
        let at = address.saturating_add(field.offset);
        let path = name(&field.name);
        match (&field.dtype, &field.filter) {
            (Dtype::Record(inner), None) => {
                records(layout, &path, at, inner, &field.shape, amount, sink)?;
            }
            (Dtype::Primitive(primitive, order), None) => {
                let name = dudley::dtype::primitive_name(*primitive, *order);
                let part = array(Kind::Field, path, at, &field.dtype, name, &field.shape);
                sink(documented(layout, field.doc, part))?;
            }
            _ => {
                let part = Part::new(Kind::Field, at, field.bytes, path);
                sink(documented(layout, field.doc, part))?;
            }
        }
    }
    Ok(())
}

fn spliced(
    layout: &Layout,
    around: &Spliced,
    members: Vec<Field>,
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    let shape = &around.shape;
    let place = (around.address, around.size);
    each(shape, amount, place, split(&around.path).0, sink, &mut |number, sink| {
        let at = around.address.saturating_add(number.saturating_mul(around.size));
        let name = |path: &str| match shape.is_empty() {
            true => path.to_owned(),
            false => format!("{path}{}", super::lines::index(shape, number)),
        };
        fields(layout, at, &members, amount, &name, sink)
    })
}

/// Instances of a struct of variable size: what the listing found of them.
fn variable(stream: &Stream, row: &ItemRow, data: &Data, sink: &mut Sink<'_>) -> Result<()> {
    let layout = stream.layout();
    let heading = Part::new(Kind::Heading, data.address(), 0, row.path.as_str());
    let heading = Part { dtype: "struct".into(), shape: data.shape().to_vec(), ..heading };
    sink(documented(layout, row.doc, heading))?;
    let mut end = data.address();
    for member in row.members.iter().take(VARIABLE_PARTS) {
        let (dtype, shape, bytes) = match &member.kind {
            MemberKind::Instance { .. } => continue,
            MemberKind::Param { dtype, .. } => (dtype, Vec::new(), None),
            MemberKind::Part { dtype, shape, bytes, .. } => (dtype, shape.clone(), Some(*bytes)),
            MemberKind::Field { dtype, shape, .. } => (dtype, shape.clone(), None),
        };
        let primitive = Primitive::from_name(dtype.trim_start_matches(['<', '>', '|']));
        let size = primitive.map_or(0, Primitive::size);
        let bytes = bytes.unwrap_or(size);
        let mut part = Part::new(Kind::Field, member.address, bytes, member.path.as_str());
        part.element = primitive.map(|primitive| element(primitive, dtype, &shape));
        part.dtype = if dtype.len() > 24 { "struct".to_owned() } else { dtype.clone() };
        part.shape = shape;
        end = end.max(part.end());
        sink(match member.doc {
            Some(doc) => documented(layout, doc, part),
            None => part,
        })?;
    }
    let behind = data.address().saturating_add(data.bytes());
    if row.members.len() > VARIABLE_PARTS && behind > end {
        let rest = Part::new(Kind::Item, end, behind - end, row.path.as_str());
        sink(Part { doc: Some("the rest of it".to_owned()), ..rest })?;
    }
    Ok(())
}
