//! Structs of variable size: instance by instance, as far as they can be measured, or the selection of a
//! path.

use dudley::Stream;
use dudley::read::listing::{Instances, ItemRow, Met, Stopped, instances};
use dudley::read::path::{Part as PathPart, parse};
use dudley::read::slice::{Index, resolve};
use dudley::read::{Dtype, Field, Parts, Record};
use dudley_parser::layout::Element;
use dudley_parser::resolve::{Flow, MemberKind, Resolver, Strided};

use super::amount::Amount;
use super::origin::Origin;
use super::parts::{Sink, documented};
use super::{Kind, Part, fixed, sliced};
use crate::failure::{Failure, Result};

/// The number of shown fields in a shortened struct.
const FIELDS: u64 = 64;

/// The number of items without bytes before a damaged count is no longer followed.
const EMPTY: u64 = 1 << 16;

/// The place of such an array, and the requested part of it.
pub(super) struct Wanted<'w> {
    pub(super) stream: &'w Stream,
    pub(super) amount: Amount,
    /// Slices and fields behind its path.
    pub(super) rest: &'w [PathPart],
}

impl Wanted<'_> {
    /// The parts of an array that is there as a whole.
    ///
    /// # Errors
    /// If `sink` fails.
    pub(super) fn item(
        &self,
        resolver: &mut Resolver<'_>,
        row: &ItemRow,
        end: u64,
        array: &Instances<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<()> {
        sink(heading(self.stream, row, array))?;
        match self.parts(resolver, array, sink)? {
            // The rest is shown as bytes.
            (at, None) if at < end && self.rest.is_empty() && !self.whole() => {
                let rest = Part::new(Kind::Item, at, end - at, array.path);
                sink(Part { doc: Some("the rest of it".to_owned()), ..rest })
            }
            _ => Ok(()),
        }
    }

    /// The parts of an array of which not all can be measured; behind `cursor` nothing was placed.
    ///
    /// # Errors
    /// If `sink` fails.
    pub(super) fn as_far_as_measured(
        &self,
        resolver: &mut Resolver<'_>,
        row: &ItemRow,
        cursor: u64,
        sink: &mut Sink<'_>,
    ) -> Result<()> {
        let layout = resolver.layout();
        let Element::Record(record) = layout[row.array].element else { return Ok(()) };
        let place = resolver.place_member(MemberKind::Array(row.array), cursor, 1);
        let (Ok((address, _)), Ok(shape)) = (place, resolver.shape(&layout[row.array])) else {
            return Ok(());
        };
        if !layout[record].per_instance && !layout[record].variable {
            return Ok(());
        }
        let array = Instances { record, path: &row.path, shape: &shape, address };
        sink(heading(self.stream, row, &array))?;
        let (at, stopped) = self.parts(resolver, &array, sink)?;
        if let (Some(stopped), true) = (stopped, self.rest.is_empty()) {
            let at = at.max(stopped.address);
            let bytes = self.stream.len().saturating_sub(at);
            if bytes > 0 {
                let doc = Some("cannot be measured, and what is behind it not placed".to_owned());
                sink(Part { doc, ..Part::new(Kind::Item, at, bytes, stopped.path) })?;
            }
        }
        Ok(())
    }

    fn whole(&self) -> bool {
        self.amount.whole || self.amount.range.is_some() || !self.rest.is_empty()
    }

    /// The requested part of all instances; returns the end of the shown part, and the reason if it
    /// is incomplete.
    fn parts(
        &self,
        resolver: &mut Resolver<'_>,
        array: &Instances<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(u64, Option<Stopped>)> {
        let layout = self.stream.layout();
        let known = parse(array.path)?.len();
        // By depth: of the array, of a field in it, of one in that.
        let mut shapes = vec![array.shape.to_vec()];
        let (mut end, mut failed, mut count) = (array.address, None, 0);
        let most = if self.whole() { self.stream.len().saturating_add(EMPTY) } else { FIELDS };
        let mut show = |_: &mut Resolver<'_>, met: Met<'_>| {
            let Some(field) = met.field else { return Ok(Flow::Continue) };
            if count == most {
                return Ok(Flow::Stop);
            }
            count += 1;
            let path = parse(met.path)?;
            let path = path.get(known..).unwrap_or_default();
            let depth = path.iter().filter(|part| matches!(part, PathPart::Field(_))).count();
            shapes.truncate(depth);
            shapes.push(field.shape.clone());
            let picked = self.picked(path, &shapes);
            let shown = match picked {
                // Its instances follow.
                Some(_) if matches!(field.dtype, Dtype::Variable(_)) => Ok(()),
                Some([]) => {
                    end = end.max(met.address.saturating_add(met.bytes));
                    let place = (met.path.to_owned(), met.base);
                    fixed::one(layout, place, field, self.amount, sink)
                }
                Some(rest) => self.slice((met.path, met.address), field, rest, sink),
                None => Ok(()),
            };
            // A failure to write ends it; the error is kept beside it.
            Ok(match shown {
                Ok(()) => Flow::Continue,
                Err(failure) => {
                    failed = Some(failure);
                    Flow::Stop
                }
            })
        };
        let stopped = instances(self.stream, resolver, array, &mut show).err();
        match failed {
            Some(failure) => Err(failure),
            None => Ok((end, stopped)),
        }
    }

    /// Whether something is selected, by its path behind the path of the array; returns the rest: slices of
    /// the array and fields in it. `shapes` are the shapes of the arrays on the way.
    fn picked(&self, have: &[PathPart], shapes: &[Vec<u64>]) -> Option<&[PathPart]> {
        let (mut want, mut have, mut depth) = (self.rest, have, 0);
        loop {
            match (want.split_first(), have.split_first()) {
                (None, _) | (_, None) => return Some(want),
                (Some((PathPart::Slice(slice), behind)), Some((PathPart::Slice(index), rest))) => {
                    let picks = resolve(slice, shapes.get(depth)?).ok()?;
                    let mut each = picks.iter().zip(index);
                    let all = each.all(|(pick, index)| match index {
                        Index::At(at) => within(pick, at.unsigned_abs()),
                        _ => false,
                    });
                    if !all {
                        return None;
                    }
                    (want, have) = (behind, rest);
                }
                // A field of all instances.
                (Some((PathPart::Field(_), _)), Some((PathPart::Slice(_), rest))) => have = rest,
                (Some((PathPart::Field(a), behind)), Some((PathPart::Field(b), rest)))
                    if a == b =>
                {
                    (want, have, depth) = (behind, rest, depth + 1);
                }
                _ => return None,
            }
        }
    }

    /// Slices and fields of a field that lies at an address.
    fn slice(
        &self,
        (path, address): (&str, u64),
        field: &Field,
        rest: &[PathPart],
        sink: &mut Sink<'_>,
    ) -> Result<()> {
        match (&field.dtype, rest.split_first()) {
            (_, None) => {
                let base = address.saturating_sub(field.offset);
                let layout = self.stream.layout();
                fixed::one(layout, (path.to_owned(), base), field, self.amount, sink)
            }
            (Dtype::Primitive(..), Some(_)) => self.elements((path, address), field, rest, sink),
            (Dtype::Record(record), Some((part, behind))) => {
                let (picks, behind) = match part {
                    PathPart::Slice(indices) => (resolve(indices, &field.shape)?, behind),
                    // A field of all of them.
                    _ => (resolve(&[Index::Ellipsis], &field.shape)?, rest),
                };
                let count: u64 =
                    picks.iter().fold(1, |count, pick| count.saturating_mul(pick.count));
                let seen = field.strided();
                for number in 0..count {
                    let at = element(&picks, &field.shape, number);
                    let name = if field.shape.is_empty() {
                        path.to_owned()
                    } else {
                        format!("{path}{}", super::lines::index(&field.shape, at))
                    };
                    let address = place(&picks, &seen, number).saturating_add(address);
                    self.instance((&name, address), record, behind, sink)?;
                }
                Ok(())
            }
            _ => Err(Failure::input(format!(
                "`{path}` is a struct that differs in size in another: name it whole"
            ))),
        }
    }

    /// A struct of fixed size, or a field of it.
    fn instance(
        &self,
        (path, address): (&str, u64),
        record: &Record,
        rest: &[PathPart],
        sink: &mut Sink<'_>,
    ) -> Result<()> {
        let Some((PathPart::Field(name), behind)) = rest.split_first() else {
            let layout = self.stream.layout();
            return fixed::records(layout, (path, address), record, (&[], None), self.amount, sink);
        };
        let Some(field) = record.fields.iter().find(|field| field.name == *name) else {
            return Ok(());
        };
        let path = fixed::field_path(path, name);
        self.slice((&path, address.saturating_add(field.offset)), field, behind, sink)
    }

    /// Slices of an array of primitives.
    fn elements(
        &self,
        (path, address): (&str, u64),
        field: &Field,
        rest: &[PathPart],
        sink: &mut Sink<'_>,
    ) -> Result<()> {
        let seen = field.strided();
        let parts = Parts::new(field.dtype.clone(), &seen.shape).strides(&seen.strides);
        let parts = parts.at(address.saturating_add(seen.first)).path(path);
        let whole = parts.data_in(self.stream)?;
        let mut data = whole.clone();
        for part in rest {
            if let PathPart::Slice(indices) = part {
                data = data.slice(indices)?;
            }
        }
        let layout = self.stream.layout();
        let origin = Origin {
            name: path.to_owned(),
            whole: Some(whole),
            unit: layout.unit(field.doc).map(str::to_owned),
            doc: layout.doc_without_unit(field.doc).next().map(str::to_owned),
        };
        sliced::one(&origin, None, &data, self.amount, sink)
    }
}

/// The number of an element of an array, by its number among those that are picked.
fn element(picks: &[dudley::read::slice::Picked], shape: &[u64], number: u64) -> u64 {
    let (mut rest, mut at, mut stride) = (number, 0_u64, 1_u64);
    for (pick, dim) in picks.iter().zip(shape).rev() {
        let (steps, count) = (rest % pick.count.max(1), pick.count.max(1));
        rest /= count;
        // An index is within its dimension.
        let index = pick.start.wrapping_add_signed(pick.step.wrapping_mul(steps as i64));
        at = at.saturating_add(index.saturating_mul(stride));
        stride = stride.saturating_mul(*dim);
    }
    at
}

/// The same in bytes from where the array begins.
fn place(picks: &[dudley::read::slice::Picked], seen: &Strided, number: u64) -> u64 {
    let (mut rest, mut at) = (number, seen.first);
    for (pick, stride) in picks.iter().zip(&seen.strides).rev() {
        let (steps, count) = (rest % pick.count.max(1), pick.count.max(1));
        rest /= count;
        // Wraps only on the way: an index is within its dimension.
        let index = pick.start.wrapping_add_signed(pick.step.wrapping_mul(steps as i64));
        at = at.wrapping_add_signed(stride.wrapping_mul(index as i64));
    }
    at
}

/// Whether an index is among those that are picked.
fn within(pick: &dudley::read::slice::Picked, at: u64) -> bool {
    let (Ok(at), Ok(start)) = (i64::try_from(at), i64::try_from(pick.start)) else { return false };
    let steps = at - start;
    match pick.step {
        0 => steps == 0,
        step => {
            steps % step == 0 && u64::try_from(steps / step).is_ok_and(|number| number < pick.count)
        }
    }
}

fn heading(stream: &Stream, row: &ItemRow, array: &Instances<'_>) -> Part {
    let heading = Part::new(Kind::Heading, array.address, 0, row.path.as_str());
    let heading = Part { dtype: "struct".into(), shape: array.shape.to_vec(), ..heading };
    documented(stream.layout(), row.doc, heading)
}
