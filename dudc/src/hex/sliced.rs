//! The bytes of a slice: runs of elements that lie together, each by the index of its first.

use std::ops::Range;

use dudley::bytes::Region;
use dudley::read::Dtype;
use dudley::read::path::{Part as PathPart, parse};
use dudley::read::select::{Picked, Selected, select};
use dudley::read::slice::{Index, resolve};
use dudley::{Data, Stream};

use super::amount::Amount;
use super::called::Called;
use super::fixed::records;
use super::origin::{Origin, outside_quotes};
use super::parts::{Sink, array, filtered_part};
use super::{Kind, LeftOut, Part};
use crate::failure::Result;

/// Runs that are shown; of more, the first ones and the last.
const WHOLE: u64 = 32;
const FIRST: u64 = 8;

/// The parts of the selection; parts of one array have the name in the path.
///
/// # Errors
/// If `sink` fails.
pub(super) fn parts(
    stream: &Stream,
    path: &str,
    selected: &Selected,
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    let label = (selected.parts.len() == 1).then_some(path);
    all(stream, label, selected, amount, sink)
}

/// The parts of the selection; without a label, each has its own name.
fn all(
    stream: &Stream,
    label: Option<&str>,
    selected: &Selected,
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    let mut filtered = None;
    for picked in &selected.parts {
        let Picked::Data(data) = picked else { continue };
        if data.filter().is_some() || data.is_decoded() {
            // Elements of an encoded array have no addresses.
            if filtered.replace(data.path().to_owned()).as_deref() != Some(data.path()) {
                let origin = Origin::of(stream, data.path());
                let Some(stored) = &origin.whole else { continue };
                let mut part = origin.remarked(filtered_part(stored, data.path()));
                let whole = "shown whole, as its filter stored it";
                part.doc = Some(match part.doc {
                    Some(doc) => format!("{doc}; {whole}"),
                    None => whole.to_owned(),
                });
                sink(part)?;
            }
            continue;
        }
        match Stack::of(stream, data.path()) {
            Some(stack) => stack.parts(stream, data, amount, sink)?,
            None => one(&Origin::of(stream, data.path()), label, data, amount, sink)?,
        }
    }
    Ok(())
}

/// The runs of an array, with as many of the last dimensions together as their elements are contiguous. Without a
/// label each has its own name.
///
/// # Errors
/// If `sink` fails.
pub(super) fn one(
    origin: &Origin,
    label: Option<&str>,
    data: &Data,
    amount: Amount,
    sink: &mut Sink<'_>,
) -> Result<()> {
    let (shape, size) = (data.shape(), data.dtype().size().unwrap_or(0));
    let mut run = size;
    let mut outer = shape.len();
    let is_record = matches!(data.dtype(), Dtype::Record(_));
    while let (false, Some(axis)) = (is_record, outer.checked_sub(1)) {
        let (dim, stride) = (shape[axis], data.strides().get(axis).copied().unwrap_or(0));
        if dim != 1 && u64::try_from(stride) != Ok(run) {
            break;
        }
        run = run.saturating_mul(dim);
        outer = axis;
    }
    let count = count_of(&shape[..outer]);
    if count == 0 || run == 0 {
        return Ok(());
    }
    let called = Called::of(origin, data);
    let path = label.unwrap_or(data.path());
    if outer > 0 {
        sink(origin.remarked(heading(path, data)))?;
    }
    let (outer, inner) = shape.split_at(outer);
    let grid = Runs { address: data.address(), shape: outer, strides: data.strides(), bytes: run };
    grid.each(amount, path, sink, &mut |number, address, sink| {
        let own = || called.as_ref().and_then(|called| called.path(address, run));
        let name = match (label, outer.is_empty()) {
            (Some(label), true) => label.to_owned(),
            (_, true) => own().unwrap_or_else(|| path.to_owned()),
            (_, false) => {
                own().unwrap_or_else(|| format!("{path}{}", super::lines::index(outer, number)))
            }
        };
        let place = called.as_ref().and_then(|called| called.place(address));
        if let Dtype::Record(record) = data.dtype() {
            return records(
                data.stream().layout(),
                (&name, address),
                record,
                (&[], None),
                amount,
                sink,
            );
        }
        let part = array(Kind::Item, name, address, data.dtype(), data.dtype_name(), inner);
        let part = Part { grid: place, ..part };
        sink(if outer.is_empty() { origin.remarked(part) } else { part })
    })
}

/// The heading of the runs of an array.
fn heading(path: &str, data: &Data) -> Part {
    let dtype = match data.dtype() {
        Dtype::Record(_) => "struct".to_owned(),
        _ => data.dtype_name(),
    };
    let shape = data.shape().to_vec();
    let heading = Part::new(Kind::Heading, data.address(), 0, path);
    Part { dtype, grid: Some((shape.clone(), 0)), shape, ..heading }
}

fn count_of(shape: &[u64]) -> u64 {
    shape.iter().fold(1, |count, dim| count.saturating_mul(*dim))
}

/// Bytes of one length, some way apart.
struct Runs<'r> {
    address: u64,
    shape: &'r [u64],
    /// Bytes from one index to the next; there may be more than dimensions.
    strides: &'r [i64],
    bytes: u64,
}

impl Runs<'_> {
    fn address(&self, number: u64) -> u64 {
        let mut rest = number;
        let mut address = self.address;
        for (dim, stride) in self.shape.iter().zip(self.strides).rev() {
            let index = rest % (*dim).max(1);
            rest /= (*dim).max(1);
            // The array was found to be within the addresses.
            address = address.wrapping_add_signed(stride.wrapping_mul(index as i64));
        }
        address
    }

    /// Whether the addresses rise with the numbers.
    fn rise(&self) -> bool {
        let mut inner = Some(1);
        for (dim, stride) in self.shape.iter().zip(self.strides).rev() {
            let stride = u64::try_from(*stride).ok();
            inner = match (stride, inner) {
                (Some(stride), Some(inner)) if stride >= inner => stride.checked_mul(*dim),
                _ => return false,
            };
        }
        true
    }

    /// Whether the addresses fall with the numbers.
    fn fall(&self) -> bool {
        let dims = self.shape.iter().zip(self.strides);
        let mut long = dims.filter(|(dim, _)| **dim > 1);
        long.next().is_some_and(|(_, stride)| *stride < 0) && long.next().is_none()
    }

    /// The numbers of those that have bytes in a range of addresses.
    fn within(&self, (from, to): (u64, u64), count: u64) -> Range<u64> {
        let behind_from = |at: u64| self.address(at).saturating_add(self.bytes) > from;
        let behind_to = |at: u64| self.address(at) >= to;
        let (first, end) = if self.rise() {
            (first_of(count, behind_from), first_of(count, behind_to))
        } else {
            (first_of(count, |at| !behind_to(at)), first_of(count, |at| !behind_from(at)))
        };
        first.min(end)..end
    }

    /// Calls for those that are shown, with their numbers and addresses, and says how many are not.
    fn each(
        &self,
        amount: Amount,
        path: &str,
        sink: &mut Sink<'_>,
        show: &mut dyn FnMut(u64, u64, &mut Sink<'_>) -> Result<()>,
    ) -> Result<()> {
        let count = count_of(self.shape);
        // Each of them has a byte at least.
        let there = amount.length.max(WHOLE);
        let (shown, last) = match amount.range {
            Some(range) if self.rise() || self.fall() => {
                let shown = self.within(range, count);
                (shown.start..shown.end.min(shown.start.saturating_add(there)), false)
            }
            None if !amount.whole && count > WHOLE => (0..FIRST, true),
            _ => (0..count.min(there), count > there),
        };
        let end = shown.end;
        for number in shown {
            show(number, self.address(number), sink)?;
        }
        if last {
            let left = count - end - 1;
            sink(Part::left_out(LeftOut::Runs { path: path.to_owned(), count: left }))?;
            show(count - 1, self.address(count - 1), sink)?;
        }
        Ok(())
    }
}

/// The first number below `count` for which a condition holds, which holds for all larger ones,
/// too.
fn first_of(count: u64, is_so: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_so(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

/// A slice of a long list, of which one array was made without a look at each item.
struct Stack {
    head: String,
    /// The first item, and the way to the next.
    start: u64,
    step: i64,
    tail: String,
}

impl Stack {
    /// Nothing of the path of an item.
    fn of(stream: &Stream, path: &str) -> Option<Stack> {
        let mut path = path.to_owned();
        loop {
            let open = outside_quotes(&path).find(|(_, byte)| *byte == b'[')?.0;
            let close = open + path[open..].find(']')?;
            let list = stream.get(if open == 0 { "/" } else { &path[..open] }).ok()?;
            let inner = &path[open + 1..close];
            let (first, others) = inner.split_once(',').unwrap_or((inner, ""));
            let Some(PathPart::Slice(indices)) = parse(&format!("/x[{first}]")).ok()?.pop() else {
                return None;
            };
            if matches!(indices[..], [Index::Ellipsis]) && !others.trim().is_empty() {
                return None;
            }
            let picked = *resolve(&indices, &[list.len().ok()?]).ok()?.first()?;
            let head = path[..open].trim_end_matches('/').to_owned();
            let tail = match others.trim() {
                "" => path[close + 1..].to_owned(),
                others => format!("[{others}]{}", &path[close + 1..]),
            };
            if !picked.single {
                return Some(Stack { head, start: picked.start, step: picked.step, tail });
            }
            path = format!("{head}/{}{tail}", picked.start);
        }
    }

    /// The parts of the items that are shown.
    fn parts(
        &self,
        stream: &Stream,
        data: &Data,
        amount: Amount,
        sink: &mut Sink<'_>,
    ) -> Result<()> {
        let item = |number: u64| {
            let index = self.start.wrapping_add_signed(self.step.wrapping_mul(number as i64));
            format!("{}/{index}{}", self.head, self.tail)
        };
        let (Some((dim, inner)), Some((stride, strides))) =
            (data.shape().split_first(), data.strides().split_first())
        else {
            return Ok(());
        };
        let size = data.dtype().size().unwrap_or(0);
        let span = Region::new(data.address(), inner, strides, size)?.span();
        let runs = Runs {
            address: span.start,
            shape: std::slice::from_ref(dim),
            strides: std::slice::from_ref(stride),
            bytes: span.end - span.start,
        };
        let first = match select(stream, &item(0))?.parts.into_iter().next() {
            Some(Picked::Data(first)) => Origin::of(stream, first.path()),
            _ => Origin::default(),
        };
        sink(first.remarked(heading(data.path(), data)))?;
        runs.each(amount, data.path(), sink, &mut |number, _, sink| {
            let selected = select(stream, &item(number))?;
            // The heading describes them.
            let plain = &mut |part| sink(Part { unit: None, doc: None, ..part });
            all(stream, None, &selected, amount, plain)
        })
    }
}
