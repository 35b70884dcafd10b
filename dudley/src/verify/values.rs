//! Values of items that may be illegal: constants, text, booleans, filtered data, params in
//! lists.

use dudley_parser::Layout;
use dudley_parser::layout::dtype::Kind;
use dudley_parser::layout::{ArrayId, Element, Scope};
use dudley_parser::resolve::{ErrorKind, WalkOptions};

use super::places::Few;
use super::{Finding, Found, Severity};
use crate::elements::value::{Scalar, Sink, Value};
use crate::error::{Error, Result};
use crate::filter::FilterError;
use crate::read::constant::Stated;
use crate::read::listing::{ItemRow, ParamRow, Row, list_stored};
use crate::read::stream::Stream;

/// Of a list with more repetitions than this, the first three and the last are looked at.
const REPETITIONS: u64 = 1 << 20;

/// This many rows are looked at: a few lists in lists may describe far more than anybody can read.
const ROWS: u64 = 1 << 22;

/// An array whose elements are in other arrays may be far larger than these: no more bytes than these are read of one.
const LARGEST: u64 = 1 << 28;

/// Reads what may be wrong.
pub(super) fn verify(stream: &Stream, found: Found<'_>, read: &mut dyn FnMut(u64)) {
    let layout = stream.layout();
    if !is_worthwhile(layout) {
        return;
    }
    let mut few = Few::new("unreadable", found);
    let options = WalkOptions::elide_above(REPETITIONS);
    let (mut rows, mut all) = (0, true);
    let listed = list_stored(stream, options, &mut |resolver, row| {
        rows += 1;
        match row {
            Row::Param(row) => param(layout, &row, &mut few),
            Row::Item(row) if view_fault(&row).is_some() => {
                view_fault(&row).into_iter().for_each(|it| few.add(it))
            }
            Row::Item(row) if is_doubtful(layout, row.array) => {
                let bytes = row.data.as_ref().map_or(0, |data| data.bytes());
                // Where it cannot be placed, or is cut off, that was said.
                if let Ok(data) = &row.data
                    && bytes > 0
                {
                    let mut odd = Odd::default();
                    let checked = data.check_sources(LARGEST);
                    all &= checked.is_none();
                    let done = checked.unwrap_or_else(|| row.emit(resolver, &mut odd, true));
                    item(stream, &row, done, &odd, &mut few);
                }
                read(bytes);
            }
            Row::Elided { .. } => all = false,
            _ => {}
        }
        // Any error ends the listing.
        if rows == ROWS { Err(Error::too_large(rows)) } else { Ok(()) }
    });
    if rows == ROWS || !all {
        let what = "of very long lists, and of very large arrays that are made of others, not all was looked at";
        few.add(Finding::new(Severity::Note, "not-all-read", what));
    } else if let Err(error) = listed {
        few.add(Finding::of_error(Severity::Error, "unreadable", &error));
    }
}

/// Whether anything may hold what is not legal: else nothing needs to be read.
fn is_worthwhile(layout: &Layout) -> bool {
    layout.arrays().any(|(id, array)| is_doubtful(layout, id) || array.presented)
        || layout.params().any(|(_, param)| {
            matches!(param.scope, Scope::Repeated(_)) || layout.stated_param(param).is_some()
        })
}

/// That an item cannot be presented as its attributes say (spec 7.7), though it is placed.
fn view_fault(row: &ItemRow) -> Option<Finding> {
    let Err(error) = &row.data else { return None };
    let Error::Resolve(why) = error else { return None };
    let finding = Finding::of_error(Severity::Error, "unreadable", error).of(&row.path);
    matches!(why.kind(), ErrorKind::View { .. }).then_some(finding)
}

/// Params that have only one legal value, and those of lists; the others were looked at where everything is placed.
fn param(layout: &Layout, row: &ParamRow, few: &mut Few<'_>) {
    let is_repeated = matches!(layout[row.param].scope, Scope::Repeated(_));
    let stated = Stated::of_param(layout, row.param).filter(|_| !row.supplied);
    let (code, message) = match (&row.value, stated) {
        (Ok(value), Some(stated)) if !stated.is(&Value::Int(*value)) => {
            ("const", format!("expected {}, found {value}", stated.shown()))
        }
        (Ok(value), _) if !is_repeated || i64::try_from(*value).is_ok_and(|it| it >= -1) => return,
        (Ok(value), _) => (
            "param-value",
            format!("its value is {value}; a param is -1 or more, and less than 2^63"),
        ),
        (Err(_), _) if !is_repeated => return,
        (Err(error), _) => ("param-value", error.to_string()),
    };
    let placed = row.stored.as_ref().and_then(|(_, placed)| placed.as_ref().ok());
    let mut finding = Finding::new(Severity::Error, code, message).of(&row.path);
    finding.address = placed.map(|placed| placed.address);
    few.add(finding);
}

fn item(stream: &Stream, row: &ItemRow, read: Result<()>, odd: &Odd, few: &mut Few<'_>) {
    let Ok(data) = &row.data else { return };
    match read {
        // That it lies past the end was said.
        Err(Error::Truncated { .. })
            if data.filter().is_none() && data.begin() + data.bytes() > stream.len() => {}
        Err(error) => {
            let code = match error {
                Error::Const { .. } => "const",
                Error::Filter { reason: FilterError::Unsupported(_), .. } => "unknown-filter",
                Error::Filter { .. } => "filter",
                Error::UnknownFilter { .. } => "unknown-filter",
                _ => "unreadable",
            };
            let severity = match code {
                "unknown-filter" => Severity::Warning,
                _ => Severity::Error,
            };
            let mut finding = Finding::of_error(severity, code, &error).of(&row.path);
            finding.address.get_or_insert(data.begin());
            finding.bytes.get_or_insert(data.bytes());
            few.add(finding);
        }
        Ok(()) if odd.count > 0 && has_odd_values(stream.layout()[row.array].element) => {
            let what = format!(
                "{} of its elements are no text of their encoding, or booleans other than 0 and 1",
                odd.count
            );
            let finding = Finding::new(Severity::Warning, "odd-value", what);
            few.add(finding.at(data.begin(), data.bytes()).of(&row.path));
        }
        Ok(()) => {}
    }
}

/// Whether an array may hold what is not legal. Of records only constants count.
fn is_doubtful(layout: &Layout, id: ArrayId) -> bool {
    let array = &layout[id];
    array.filter.is_some() || has_odd_values(array.element) || array.constant
}

fn has_odd_values(element: Element) -> bool {
    match element {
        Element::Primitive(primitive, _) => matches!(primitive.kind(), Kind::Bool | Kind::Text),
        Element::Record(_) => false,
    }
}

/// Counts values whose plain form would not give the same bytes back.
#[derive(Default)]
struct Odd {
    count: u64,
}

impl Sink for Odd {
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        self.count += u64::from(matches!(value, Scalar::Bits(_)));
        Ok(())
    }
}
