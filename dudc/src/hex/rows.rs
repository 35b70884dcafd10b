//! The parts of a stream, in the order of its layout; sorted where items say their addresses.

use std::ops::Range;

use dudley::dtype::{Dtype, Field};
use dudley::listing::{Instances, ItemRow, ParamRow, Row, Spliced};
use dudley::path::{Part as PathPart, split};
use dudley::select::{Picked, Selected};
use dudley::{Data, Stream};
use dudley_parser::layout::dtype::Primitive;
use dudley_parser::layout::{DocKey, Layout, Place};
use dudley_parser::resolve::{Resolver, WalkOptions};

use super::elided::expand;
use super::print::Printer;
use super::{Element, Kind, LeftOut, Options, Part, fixed, sliced, varying};
use crate::commands::ls::Below;
use crate::failure::Result;
use crate::pick;
use crate::rows::{REPEATS_FOR_PEOPLE, most_picked};

/// Instances of a struct that are shown: so many of the start, and the last.
const INSTANCES: u64 = 3;

/// How much is shown of what is long.
#[derive(Clone, Copy)]
pub(super) struct Amount {
    /// All of it, as far as the stream has it: a damaged count is not gone through.
    pub(super) whole: bool,
    /// Bytes of the stream.
    pub(super) length: u64,
    /// Only what has bytes of these addresses.
    pub(super) range: Option<(u64, u64)>,
    /// Arrays of structs are not gone through yet: a part stands for each, with what it is.
    pub(super) held: bool,
}

/// Which of many things that are alike are shown.
pub(super) struct Shown {
    /// By their numbers.
    pub(super) head: Range<u64>,
    /// The last one, too.
    pub(super) last: bool,
}

impl Amount {
    /// Lists that are longer are shown in part.
    fn elide_above(self) -> u64 {
        if self.whole { self.length.max(REPEATS_FOR_PEOPLE) } else { REPEATS_FOR_PEOPLE }
    }

    /// Which of some things of `size` bytes, one behind the other from `address` on, are shown.
    pub(super) fn shown(self, count: u64, address: u64, size: u64) -> Shown {
        let there = self.length.saturating_sub(address).div_ceil(size.max(1));
        let head = |head: Range<u64>| Shown { head, last: false };
        match (count, self.range) {
            (0..=1, _) => head(0..count),
            // Behind the end of the stream there may be things in things in things.
            _ if there == 0 && size > 0 => head(0..1),
            (2..=REPEATS_FOR_PEOPLE, _) => head(0..count),
            (_, Some((from, to))) if size > 0 => {
                let first = from.saturating_sub(address) / size;
                let behind = to.saturating_sub(address).div_ceil(size);
                let behind = behind.min(count).min(there + 1);
                head(first.min(behind)..behind)
            }
            _ if self.whole && count <= there => head(0..count),
            // The first that is not there, too, so that this is told.
            _ if self.whole => head(0..(there.max(INSTANCES) + 1).min(count)),
            _ => Shown { head: 0..INSTANCES, last: true },
        }
    }
}

/// Where parts go: to the printer, or to a list.
pub(super) type Sink<'s> = dyn FnMut(Part) -> Result<()> + 's;

/// The text of the layout that is attached to a stream.
///
/// # Errors
/// If it cannot be read.
pub(super) fn attached(stream: &Stream) -> Result<Vec<u8>> {
    let address = stream.signature().and_then(|signature| signature.layout_address);
    match address {
        Some(_) => Ok(stream.appended_text()?.unwrap_or_default()),
        None => Ok(Vec::new()),
    }
}

/// Shows a stream.
///
/// # Errors
/// If it cannot be written, or there is no such path.
pub(super) fn stream(
    stream: &Stream,
    options: &Options<'_>,
    printer: &mut Printer<'_>,
) -> Result<()> {
    let amount = Amount {
        whole: options.all,
        length: stream.len(),
        range: printer.ranged().then_some(printer.range),
        held: false,
    };
    let most = most(options);
    let mut wanted = Wanted { below: Below::of(stream, None, None)?, rest: Vec::new(), amount };
    if let Some(path) = options.path {
        match pick::part_of_stream(stream, options.path)? {
            Some(selected) if !needs_listing(&selected) => {
                let sink: &mut Sink<'_> = &mut |part| printer.part(part);
                return sliced::parts(stream, path, &selected, amount, sink);
            }
            Some(_) => {
                let (path, rest) = varying::split(stream, path)?;
                wanted = Wanted { below: Below::of(stream, Some(&path), most)?, rest, amount };
            }
            None => wanted.below = Below::of(stream, options.path, most)?,
        }
    }
    if options.path.is_none() {
        signature(stream, printer)?;
    }
    // Addresses may go back; then what lies between items is known only when all are.
    if printer.ranged() || has_addresses(stream.layout()) {
        let parts = sorted(stream, &wanted, true, printer)?;
        let nexts: Vec<u64> = parts.iter().skip(1).map(|part| part.address).collect();
        for (at, mut part) in parts.into_iter().enumerate() {
            if let (Some(LeftOut::Repetitions { list, .. }), true) =
                (&part.left_out, printer.ranged())
            {
                let list = list.clone();
                let next = nexts.get(at).copied().unwrap_or(u64::MAX);
                expand(stream, &list, part.address, next, printer)?;
                part.left_out = Some(LeftOut::Others { list });
            }
            shown(stream, part, wanted.amount, &mut |part| printer.part(part))?;
        }
    } else {
        let mut wrong = Vec::new();
        let sink: &mut Sink<'_> = &mut |part| printer.part(part);
        collect(stream, &wanted, wanted.amount, sink, &mut wrong)?;
        wrong.into_iter().for_each(|error| printer.wrong(error));
    }
    if options.path.is_none() {
        behind(stream, printer)?;
    }
    Ok(())
}

/// Gives a part, or those of the array of structs that it stands for.
fn shown(stream: &Stream, mut part: Part, amount: Amount, sink: &mut Sink<'_>) -> Result<()> {
    match part.held.take() {
        None => sink(part),
        Some(held) => {
            let amount = Amount { held: false, ..amount };
            data_parts(stream.layout(), &part.path, &held.0, held.1, amount, sink)
        }
    }
}

/// How much of what slices of lists pick is shown: within a range of addresses, all.
fn most(options: &Options<'_>) -> Option<(u64, u64)> {
    let all = options.all || options.range.is_some();
    most_picked(all, crate::cli::Format::Human)
}

/// Whether something is picked that has no place of its own, or of which only the listing knows where what is in it
/// lies.
fn needs_listing(selected: &Selected) -> bool {
    selected.parts.iter().any(|part| match part {
        Picked::Data(data) => matches!(data.dtype(), Dtype::Variable(_)),
        _ => true,
    })
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
    let below = Below::of(stream, options.path, most(options))?;
    let amount = Amount { whole: options.all, length: stream.len(), range: None, held: false };
    sorted(stream, &Wanted { below, rest: Vec::new(), amount }, false, printer)
}

/// Where items say their addresses, arrays of structs may be held: what there is of many is not kept.
fn sorted(
    stream: &Stream,
    wanted: &Wanted,
    held: bool,
    printer: &mut Printer<'_>,
) -> Result<Vec<Part>> {
    let (mut parts, mut wrong) = (Vec::new(), Vec::new());
    let sorted = !has_addresses(stream.layout());
    let range = if sorted { printer.range } else { (0, u64::MAX) };
    let amount = Amount { held: held && !sorted, ..wanted.amount };
    collect(stream, wanted, amount, &mut |part| push(&mut parts, part, range), &mut wrong)?;
    if !sorted {
        parts.sort_by_key(|part| part.address);
        parts = apart(stream, parts, wanted.amount)?;
    }
    wrong.into_iter().for_each(|error| printer.wrong(error));
    Ok(parts)
}

/// Goes through those arrays of structs that something else lies in: their parts take turns.
fn apart(stream: &Stream, parts: Vec<Part>, amount: Amount) -> Result<Vec<Part>> {
    let begins: Vec<u64> = parts.iter().map(|part| part.address).collect();
    let mut found = Vec::with_capacity(parts.len());
    let (mut end, mut mixed) = (0, false);
    for (at, part) in parts.into_iter().enumerate() {
        let next = begins.get(at + 1).copied().unwrap_or(u64::MAX);
        let alone = part.address >= end && part.end() <= next;
        end = end.max(part.end());
        if part.held.is_some() && !alone {
            mixed = true;
            shown(stream, part, amount, &mut |part| {
                found.push(part);
                Ok(())
            })?;
        } else {
            found.push(part);
        }
    }
    if mixed {
        found.sort_by_key(|part| part.address);
    }
    Ok(found)
}

/// All parts of a stream, those of long lists left out.
///
/// # Errors
/// What `sink` says.
pub(super) fn all(stream: &Stream, sink: &mut Sink<'_>) -> Result<()> {
    let below = Below::of(stream, None, None)?;
    let amount = Amount { whole: false, length: stream.len(), range: None, held: false };
    let wanted = Wanted { below, rest: Vec::new(), amount };
    collect(stream, &wanted, wanted.amount, sink, &mut Vec::new())
}

/// Adds a part to those before it; of the parts on either side of a range the nearest is enough.
fn push(parts: &mut Vec<Part>, mut part: Part, (from, to): (u64, u64)) -> Result<()> {
    if part.kind == Kind::Elided && part.bytes == 0 {
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
    let bytes = printer.tail();
    let doc = Some(format!("{bytes} bytes, attached to the stream"));
    printer.part(Part { doc, ..Part::new(Kind::Layout, address, bytes, "layout") })
}

struct Wanted {
    below: Below,
    amount: Amount,
    /// Of structs of variable size: slices and fields behind the path.
    rest: Vec<PathPart>,
}

/// A record that is presented as items: its members come one by one.
type Members = Option<(Spliced, Vec<Field>)>;

/// What comes to be known in a listing.
struct Listing<'l> {
    stream: &'l Stream,
    wanted: &'l Wanted,
    amount: Amount,
    members: Members,
    /// Behind what was placed last; none behind what could not be.
    cursor: Option<u64>,
    wrong: &'l mut Vec<dudley::Error>,
}

fn collect(
    stream: &Stream,
    wanted: &Wanted,
    amount: Amount,
    sink: &mut Sink<'_>,
    wrong: &mut Vec<dudley::Error>,
) -> Result<()> {
    let elide_above = match wanted.below.is_slice {
        true => wanted.amount.length.max(REPEATS_FOR_PEOPLE),
        false => wanted.amount.elide_above(),
    };
    let elide_above = Some(elide_above);
    let cursor = Some(stream.given().start);
    let mut listing = Listing { stream, wanted, amount, members: None, cursor, wrong };
    let mut failed = None;
    // A failure to write ends the listing; what it was is kept beside it.
    let listed = wanted.below.list(stream, WalkOptions { elide_above }, &mut |resolver, row| {
        listing.row(resolver, row, sink).map_err(|failure| {
            failed = Some(failure);
            dudley::Error::Listed { path: "/".into(), why: "stopped".into() }
        })
    });
    match (failed, listed) {
        (Some(failure), _) => return Err(failure),
        (None, listed) => listed?,
    }
    listing.members(sink)
}

impl Listing<'_> {
    fn row(&mut self, resolver: &mut Resolver<'_>, row: Row, sink: &mut Sink<'_>) -> Result<()> {
        let same = matches!((&row, &self.members), (Row::Item(row), Some((around, _)))
            if row.spliced.as_ref().is_some_and(|it| it.path == around.path));
        if !same {
            self.members(sink)?;
        }
        let below = |path: &str| self.wanted.below.has(path);
        match row {
            Row::Param(row) => match (&row.stored, below(&row.path)) {
                (Some((_, Ok(placed))), _) => {
                    self.cursor = self.cursor.map(|_| placed.address + placed.bytes);
                    let shown = below(&row.path);
                    if shown { self.param(&row, sink) } else { Ok(()) }
                }
                (Some((_, Err(error))), shown) => {
                    if shown {
                        self.wrong.push(dudley::Error::from(error.clone()).of_item(&row.path));
                    }
                    self.cursor = None;
                    Ok(())
                }
                (None, _) => Ok(()),
            },
            Row::Item(row) => {
                let shown = below(&row.path);
                self.item(resolver, *row, shown, sink)
            }
            Row::Elided { path, repetitions } if self.wanted.below.has_left_out(&path) => {
                sink(Part::left_out(LeftOut::Repetitions { list: path, count: repetitions }))
            }
            _ => Ok(()),
        }
    }

    fn param(&self, row: &ParamRow, sink: &mut Sink<'_>) -> Result<()> {
        let Some((dtype, Ok(placed))) = &row.stored else { return Ok(()) };
        let (dict, name) = split(&row.path);
        let path = format!("{dict}/:{name}");
        let mut part = Part::new(Kind::Param, placed.address, placed.bytes, path);
        part.element = Some(Element { dtype: dtype.clone(), bytes: placed.bytes, text: false });
        part.dtype = dtype.clone();
        sink(documented(self.stream.layout(), row.doc, part))
    }

    fn item(
        &mut self,
        resolver: &mut Resolver<'_>,
        row: ItemRow,
        shown: bool,
        sink: &mut Sink<'_>,
    ) -> Result<()> {
        let wanted = varying::Wanted {
            stream: self.stream,
            amount: self.wanted.amount,
            rest: &self.wanted.rest,
        };
        let data = match &row.data {
            Ok(data) => data,
            Err(_) => {
                if let (Some(cursor), true) = (self.cursor.take(), shown) {
                    wanted.as_far_as_measured(resolver, &row, cursor, sink)?;
                }
                if let (Err(error), true) = (row.data, shown) {
                    self.wrong.push(error);
                }
                return Ok(());
            }
        };
        let end = data.address().saturating_add(data.bytes());
        match (data.dtype(), &row.spliced) {
            (_, Some(around)) => {
                self.cursor = self.cursor.map(|_| around.address.saturating_add(around.bytes));
                if shown {
                    let field = member(&row, data, around);
                    let fields = || (around.clone(), Vec::new());
                    self.members.get_or_insert_with(fields).1.push(field);
                }
                return Ok(());
            }
            _ if !shown => {}
            (Dtype::Variable(record), None) => {
                let (path, shape, address) = (&row.path, data.shape(), data.address());
                let array = Instances { record: *record, path, shape, address };
                wanted.item(resolver, &row, end, &array, sink)?;
            }
            _ => {
                data_parts(self.stream.layout(), &row.path, data, row.doc, self.amount, sink)?;
            }
        }
        if data.bytes() > 0 {
            self.cursor = self.cursor.map(|_| end);
        }
        Ok(())
    }

    /// What was gathered of a record that is presented as items.
    fn members(&mut self, sink: &mut Sink<'_>) -> Result<()> {
        match self.members.take() {
            Some((around, fields)) => {
                fixed::spliced(self.stream.layout(), &around, &fields, self.wanted.amount, sink)
            }
            None => Ok(()),
        }
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

pub(super) fn documented(layout: &Layout, key: DocKey, mut part: Part) -> Part {
    part.unit = layout.unit(key).map(str::to_owned);
    part.doc = layout.doc_without_unit(key).next().map(str::to_owned);
    part
}

/// The part of an array that is stored by a filter: its bytes are not those of its elements.
pub(super) fn filtered_part(data: &Data, path: &str) -> Part {
    let mut part = Part::new(Kind::Item, data.address(), data.bytes(), path);
    part.dtype = match data.filter() {
        Some(filter) => format!("{} of {}", filter.name, data.dtype_name()),
        None => data.dtype_name(),
    };
    part.shape = data.shape().to_vec();
    part
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

/// The parts of an item whose elements are of fixed size.
fn data_parts(
    layout: &Layout,
    path: &str,
    data: &Data,
    doc: DocKey,
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    if data.filter().is_some() {
        return sink(documented(layout, doc, filtered_part(data, path)));
    }
    match data.dtype() {
        Dtype::Record(_) if amount.held && !data.shape().is_empty() => {
            let part = Part::new(Kind::Item, data.address(), data.bytes(), path);
            sink(Part { held: Some(Box::new((data.clone(), doc))), ..part })
        }
        Dtype::Record(record) => {
            let heading = Part::new(Kind::Heading, data.address(), 0, path);
            let heading = Part { dtype: "struct".into(), shape: data.shape().to_vec(), ..heading };
            sink(documented(layout, doc, heading))?;
            let place = (path, data.address());
            fixed::records(layout, place, record, data.shape(), amount, sink)
        }
        dtype => {
            let (name, address) = (data.dtype_name(), data.address());
            let part = array(Kind::Item, path.to_owned(), address, dtype, name, data.shape());
            sink(documented(layout, doc, part))
        }
    }
}
