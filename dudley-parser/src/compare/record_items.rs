//! Members of records that are presented as items of their dict (spec 3.10): an example has the numbers that a
//! listing has of those items, of all records together.

use super::declared::Comparison;
use super::places::{Both, Row};
use super::subject::Subject;
use super::{Example, Quantity};
use crate::layout::path::split;
use crate::place;
use hashbrown::HashMap;

/// The records that are presented as items in both layouts, and are nothing else in either: by their pairs, the
/// pairs of arrays that they are the elements of.
pub(super) fn listed(of: &Comparison<'_>) -> HashMap<usize, usize> {
    let pairs = &of.pairs;
    let mut uses: HashMap<usize, usize> = HashMap::new();
    let arrays = pairs.arrays.iter().filter_map(|pair| pair.record);
    let members = pairs.records.iter().flat_map(|pair| &pair.members);
    for record in arrays.chain(members.filter_map(|member| member.record)) {
        *uses.entry(record).or_default() += 1;
    }
    let both = |at: usize| {
        let pair = &pairs.arrays[at];
        let record = pair.record.filter(|record| uses.get(record) == Some(&1))?;
        (of.old[pair.old].spliced && of.new[pair.new].spliced).then_some((record, at))
    };
    (0..pairs.arrays.len()).filter_map(both).collect()
}

/// Says of a member what is said of its item; `None` where the items do not differ with these values, though the
/// members of one record do.
pub(super) fn as_item(example: &Example, array: usize, both: &Both) -> Option<Example> {
    let subject = Subject::Array(array);
    let first = both.old.rows.iter().find(|row| row.subject == subject)?;
    let (old, new, path) = both.find(subject, first.index)?;
    let number = |row: &Row, of_one: u64| match example.quantity {
        Quantity::Offset => place::add(row.at?, of_one),
        Quantity::Bytes => {
            let records = row.shape.iter().try_fold(1, |all, dim| place::multiply(all, *dim));
            place::multiply(records?, of_one)
        }
        _ => None,
    };
    let quantity = match example.quantity {
        Quantity::Offset => Quantity::Address,
        quantity => quantity,
    };
    let of_old = number(old, example.old)?;
    let of_new = match example.new {
        Some(of_one) => Some(number(new, of_one)?),
        None => None,
    };
    // Of lists it is one of their items.
    let path = match path {
        Some(path) => format!("{}/{}", split(path).0, split(&example.path).1),
        None => example.path.clone(),
    };
    let example = Example { quantity, path, old: of_old, new: of_new, ..example.clone() };
    (example.new != Some(example.old)).then_some(example)
}
