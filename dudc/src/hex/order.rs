//! The parts of a stream, in the order of its layout; sorted where items say their addresses.

use dudley::read::Dtype;
use dudley::read::select::{Picked, Selected, items};
use dudley::{Data, Stream};
use dudley_parser::layout::{Layout, Place};

use super::amount::Amount;
use super::elided::within;
use super::items::data_parts;
use super::parts::Sink;
use super::print::Printer;
use super::rows::{Wanted, collect};
use super::{Kind, LeftOut, Options, Part, origin, sliced};
use crate::below::Below;
use crate::failure::Result;
use crate::pick;
use crate::rows::most_picked;

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
            Some(selected) if !needs_listing(stream, path, &selected)? => {
                let sink: &mut Sink<'_> = &mut |part| printer.part(part);
                return sliced::parts(stream, path, &selected, amount, sink);
            }
            Some(_) => {
                let (path, rest) = origin::split(stream, path)?;
                wanted = Wanted { below: Below::of(stream, Some(&path), most)?, rest, amount };
            }
            None => wanted.below = Below::of(stream, options.path, most)?,
        }
    }
    if options.path.is_none() {
        signature(stream, printer)?;
    }
    // Addresses may go back; then the bytes between items are known only at the end.
    if printer.ranged() || has_addresses(stream.layout()) {
        let parts = sorted(stream, &wanted, true, printer)?;
        for part in parts {
            let others = match &part.left_out {
                Some(LeftOut::Repetitions { list, .. }) if printer.ranged() => {
                    Some(LeftOut::Others { list: list.clone() })
                }
                _ => None,
            };
            held(stream, part, wanted.amount, &mut |part| printer.part(part))?;
            if let Some(others) = others {
                printer.part(Part::left_out(others))?;
            }
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

/// Gives a part, or those that it stands for: of an array of structs, or of a list.
fn held(stream: &Stream, mut part: Part, amount: Amount, sink: &mut Sink<'_>) -> Result<()> {
    let amount = Amount { held: false, ..amount };
    match (part.held.take(), &part.left_out) {
        (Some(held), _) => data_parts(stream.layout(), &part.path, &held.0, held.1, amount, sink),
        (None, Some(LeftOut::Repetitions { list, items, .. })) if goes_through(amount) => {
            let items = match amount.range {
                // A damaged count is not followed.
                Some((from, to)) => {
                    within(stream, list, items.clone(), (from, to.min(amount.length)))?
                }
                None => items.clone(),
            };
            if items.is_empty() {
                return Ok(());
            }
            let picked = format!("{list}[{}:{}]", items.start, items.end);
            let below = Below::of(stream, Some(&picked), None)?;
            let wanted = Wanted { below, rest: Vec::new(), amount };
            // Its faults were found during placing.
            collect(stream, &wanted, amount, sink, &mut Vec::new())
        }
        (None, _) => sink(part),
    }
}

/// How much of the selections of slices of lists is shown: within a range of addresses, everything.
fn most(options: &Options<'_>) -> Option<(u64, u64)> {
    let all = options.all || options.range.is_some();
    most_picked(all, crate::options::Format::Human)
}

/// Whether the selection has a part without a place of its own, or whose places and names only the listing knows.
///
/// # Errors
/// If there is no such item.
fn needs_listing(stream: &Stream, path: &str, selected: &Selected) -> Result<bool> {
    // Of arrays in blocks the blocks have places.
    let varies =
        |data: &Data| matches!(data.dtype(), Dtype::Variable(_)) || data.blocks().is_some();
    let placed = selected.parts.iter().all(|part| match part {
        Picked::Data(data) => !varies(data),
        Picked::Value { .. } => false,
    });
    let starts = origin::starts(path);
    let Some(item) = starts.first().map(|at| &path[..*at]).filter(|_| placed) else {
        return Ok(!placed);
    };
    // Of slices of lists each part is called by its own path anyway.
    if pick::has_slices(item)? {
        return Ok(false);
    }
    let whole = items(stream, item)?.into_iter().next();
    Ok(whole.is_some_and(|item| item.data().is_ok_and(|data| varies(&data))))
}

/// The parts of a stream, in the order of addresses if items declare theirs. Faults are reported to
/// the printer.
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

/// If items declare their addresses, arrays of structs and lists may be held back: the parts of large
/// ones are not collected.
fn sorted(
    stream: &Stream,
    wanted: &Wanted,
    held: bool,
    printer: &mut Printer<'_>,
) -> Result<Vec<Part>> {
    let (mut kept, mut wrong) = (Kept::of(printer.range), Vec::new());
    let sorted = !has_addresses(stream.layout());
    let anywhere = repeats_addresses(stream.layout());
    let amount = Amount {
        held: held && !sorted && !anywhere,
        // The places in such a list are known after a walk over it.
        whole: wanted.amount.whole || anywhere && printer.ranged(),
        ..wanted.amount
    };
    let sink: &mut Sink<'_> = &mut |part| {
        kept.push(part);
        Ok(())
    };
    collect(stream, wanted, amount, sink, &mut wrong)?;
    let parts = apart(stream, kept.parts(), wanted.amount)?;
    wrong.into_iter().for_each(|error| printer.wrong(error));
    Ok(parts)
}

/// Visits those arrays of structs and lists that something else lies in: their parts take turns.
fn apart(stream: &Stream, parts: Vec<Part>, amount: Amount) -> Result<Vec<Part>> {
    let begins: Vec<u64> = parts.iter().map(|part| part.address).collect();
    let mut found = Vec::with_capacity(parts.len());
    let (mut end, mut mixed) = (0, false);
    for (at, part) in parts.into_iter().enumerate() {
        let next = begins.get(at + 1).copied().unwrap_or(u64::MAX);
        let alone = part.address >= end && part.end() <= next;
        end = end.max(part.end());
        let list = part.is_repetitions() && goes_through(amount);
        if !alone && (part.held.is_some() || list) {
            mixed = true;
            held(stream, part, amount, &mut |part| {
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
    // The omitted parts are shown as such.
    let lists = found.iter_mut().filter(|part| part.is_repetitions());
    lists.for_each(|part| part.bytes = 0);
    Ok(found)
}

/// Whether omitted parts of lists may be requested.
fn goes_through(amount: Amount) -> bool {
    amount.whole || amount.range.is_some()
}

/// All parts of a stream, without those of long lists.
///
/// # Errors
/// If `sink` fails.
pub(super) fn all(stream: &Stream, sink: &mut Sink<'_>) -> Result<()> {
    let below = Below::of(stream, None, None)?;
    let amount = Amount { whole: false, length: stream.len(), range: None, held: false };
    let wanted = Wanted { below, rest: Vec::new(), amount };
    collect(stream, &wanted, wanted.amount, sink, &mut Vec::new())
}

/// Parts of a range of addresses, and the nearest one on either side, which bounds the gaps. An omitted part of a
/// list reaches up to the next part.
struct Kept {
    range: (u64, u64),
    parts: Vec<Part>,
    before: Option<Part>,
    behind: Option<Part>,
    /// Behind the part that came last.
    end: u64,
    /// The omitted part of a list came last.
    reaches: bool,
}

impl Kept {
    fn of(range: (u64, u64)) -> Kept {
        Kept { range, parts: Vec::new(), before: None, behind: None, end: 0, reaches: false }
    }

    fn push(&mut self, mut part: Part) {
        let (from, to) = self.range;
        if part.kind == Kind::Elided && part.bytes == 0 {
            part.address = self.end;
        } else if let (true, Some(list)) = (self.reaches, self.parts.last_mut()) {
            list.bytes = part.address.saturating_sub(list.address);
        }
        self.reaches = part.is_repetitions();
        self.end = part.end();
        if part.kind == Kind::Elided {
            return self.parts.push(part);
        }
        if part.end() <= from && part.address < from {
            let is_nearer = self.before.as_ref().is_none_or(|it| it.end() <= part.end());
            self.before = if is_nearer { Some(part) } else { self.before.take() };
        } else if part.address >= to {
            let is_nearer = self.behind.as_ref().is_none_or(|it| part.address < it.address);
            self.behind = if is_nearer { Some(part) } else { self.behind.take() };
        } else {
            self.parts.push(part);
        }
    }

    /// All of them, by their addresses.
    fn parts(self) -> Vec<Part> {
        let mut parts: Vec<Part> =
            self.before.into_iter().chain(self.parts).chain(self.behind).collect();
        parts.sort_by_key(|part| part.address);
        parts
    }
}

/// Whether items of lists may lie anywhere.
fn repeats_addresses(layout: &Layout) -> bool {
    layout.repeats().iter().any(|repeat| repeat.absolute)
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

/// The parts behind the items.
fn behind(stream: &Stream, printer: &mut Printer<'_>) -> Result<()> {
    printer.between(stream.len(), "")?;
    let Some(address) = stream.signature().and_then(|signature| signature.layout_address) else {
        return Ok(());
    };
    let bytes = printer.tail();
    let doc = Some(format!("{bytes} bytes, attached to the stream"));
    printer.part(Part { doc, ..Part::new(Kind::Layout, address, bytes, "layout") })
}
