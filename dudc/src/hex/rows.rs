//! Items of a stream, as a listing finds them: their parts.

use dudley::Stream;
use dudley::read::listing::{Instances, ItemRow, ParamRow, Row, Spliced};
use dudley::read::path::{Part as PathPart, of_param};
use dudley::read::{Dtype, Field};
use dudley_parser::resolve::Resolver;

use super::amount::Amount;
use super::items::data_parts;
use super::parts::{Sink, documented};
use super::{Element, Kind, LeftOut, Part, fixed, varying};
use crate::below::Below;
use crate::failure::Result;
use crate::rows::param_error;

/// The shown part of a stream.
pub(super) struct Wanted {
    pub(super) below: Below,
    pub(super) amount: Amount,
    /// Of structs of variable size: slices and fields behind the path.
    pub(super) rest: Vec<PathPart>,
}

/// A record that is presented as items: its members come one by one.
type Members = Option<(Spliced, Vec<Field>)>;

/// The results of a listing.
struct Listing<'l> {
    stream: &'l Stream,
    wanted: &'l Wanted,
    amount: Amount,
    members: Members,
    wrong: &'l mut Vec<dudley::Error>,
}

/// All requested parts, in the order of the layout, and the faults.
///
/// # Errors
/// If `sink` fails.
pub(super) fn collect(
    stream: &Stream,
    wanted: &Wanted,
    amount: Amount,
    sink: &mut Sink<'_>,
    wrong: &mut Vec<dudley::Error>,
) -> Result<()> {
    let options = if wanted.below.is_slice {
        Amount { whole: true, held: false, ..wanted.amount }.repetitions()
    } else {
        amount.repetitions()
    };
    let mut listing = Listing { stream, wanted, amount, members: None, wrong };
    let mut failed = None;
    // A failure to write ends the listing; the error is kept beside it.
    let listed = wanted.below.list_stored(stream, options, &mut |resolver, row| {
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
                (Some((_, Ok(_))), true) => self.param(&row, sink),
                (Some((_, Err(error))), true) => {
                    self.wrong.push(param_error(error.clone(), &row.path));
                    Ok(())
                }
                _ => Ok(()),
            },
            Row::Item(row) => {
                let shown = below(&row.path);
                if shown { self.item(resolver, *row, sink) } else { Ok(()) }
            }
            Row::Elided { path, repetitions, items } if self.wanted.below.has_left_out(&path) => {
                let left_out = LeftOut::Repetitions { list: path, count: repetitions, items };
                sink(Part::left_out(left_out))
            }
            _ => Ok(()),
        }
    }

    fn param(&self, row: &ParamRow, sink: &mut Sink<'_>) -> Result<()> {
        let Some((dtype, Ok(placed))) = &row.stored else { return Ok(()) };
        let path = of_param(&row.path);
        let mut part = Part::new(Kind::Param, placed.address, placed.bytes, path);
        part.element = Some(Element { dtype: dtype.clone(), bytes: placed.bytes, text: false });
        part.dtype = dtype.clone();
        sink(documented(self.stream.layout(), row.doc, part))
    }

    fn item(
        &mut self,
        resolver: &mut Resolver<'_>,
        row: ItemRow,
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
                if let Some(cursor) = row.cursor {
                    wanted.as_far_as_measured(resolver, &row, cursor, sink)?;
                }
                self.wrong.extend(row.data.err());
                return Ok(());
            }
        };
        let end = data.begin().saturating_add(data.bytes());
        match (data.dtype(), &row.spliced) {
            (_, Some(around)) => {
                let field = member(&row, around);
                let fields = || (around.clone(), Vec::new());
                self.members.get_or_insert_with(fields).1.push(field);
                Ok(())
            }
            (Dtype::Variable(record), None) => {
                let (path, shape, address) = (&row.path, data.shape(), data.address());
                let array = Instances { record: *record, path, shape, address };
                wanted.item(resolver, &row, end, &array, sink)
            }
            _ => data_parts(self.stream.layout(), &row.path, data, row.doc, self.amount, sink),
        }
    }

    /// The collected members of a record that is presented as items.
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
fn member(row: &ItemRow, around: &Spliced) -> Field {
    let mut field = around.field.clone();
    field.name.clone_from(&row.path);
    // It is shown as an item, whatever its place in the struct.
    (field.param, field.filter) = (None, None);
    field
}
