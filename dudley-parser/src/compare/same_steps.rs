//! Whether two layouts place the same way, step for step: then no address of theirs differs, whatever
//! the params.

use super::declared::Comparison;
use crate::layout::{ArrayId, DictId, Element, ParamValue, Place, ROOT, RecordId, Run, Step};

/// Whether the steps of both layouts are pairs, one after the other, that place alike. What one of them has
/// behind all of those moves nothing.
pub(super) fn same(of: &Comparison<'_>) -> bool {
    !matches!(run_in_run(of, of.old[ROOT].run, of.new[ROOT].run, false), Alike::No)
}

/// How runs are alike.
#[derive(PartialEq, Eq)]
enum Alike {
    Whole,
    /// One continues behind the end of the other.
    AsFar,
    No,
}

fn same_dict(of: &Comparison<'_>, a: DictId, b: DictId) -> bool {
    same_run(of, of.old[a].run, of.new[b].run, false)
}

fn same_run(of: &Comparison<'_>, a: Run, b: Run, record: bool) -> bool {
    run_in_run(of, a, b, record) == Alike::Whole
}

fn run_in_run(of: &Comparison<'_>, a: Run, b: Run, record: bool) -> Alike {
    // What takes no space is nowhere.
    let takes = |layout: &crate::Layout, step: &Step| match *step {
        Step::Enter(_) => false,
        Step::Param(id) => layout[id].is_streamed(),
        _ => true,
    };
    let mut left = of.old.run(a).iter().filter(|step| takes(of.old, step));
    let mut right = of.new.run(b).iter().filter(|step| takes(of.new, step));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Alike::Whole,
            (None, Some(_)) | (Some(_), None) => return Alike::AsFar,
            (Some(&a), Some(&b)) if same_step(of, a, b, record) => {}
            _ => return Alike::No,
        }
    }
}

fn same_step(of: &Comparison<'_>, a: Step, b: Step, record: bool) -> bool {
    match (a, b) {
        (Step::Param(a), Step::Param(b)) => {
            let (x, y) = (&of.old[a], &of.new[b]);
            let alike = match (x.value, y.value) {
                (ParamValue::Streamed(x, _), ParamValue::Streamed(y, _)) => x == y,
                _ => false,
            };
            alike && of.same_param(a, b) && x.align == y.align && same_place(of, x.place, y.place)
        }
        (Step::Array(a), Step::Array(b)) => {
            (record || of.pairs.array_old[a.index()].is_some_and(|at| of.pairs.arrays[at].new == b))
                && same_array(of, a, b)
        }
        (Step::Repeat(a), Step::Repeat(b)) => {
            let (x, y) = (&of.old[a], &of.new[b]);
            of.pairs.list_old[x.list.index()].is_some_and(|at| of.pairs.lists[at].new == y.list)
                && of.same_count(x.count, y.count)
                && same_run(of, x.body, y.body, record)
        }
        (Step::Group(a), Step::Group(b)) => same_dict(of, a, b),
        _ => false,
    }
}

fn same_place(of: &Comparison<'_>, a: Place, b: Place) -> bool {
    match (a, b) {
        (Place::Next, Place::Next) => true,
        (Place::At(a, _), Place::At(b, _)) => of.same_count(a, b),
        _ => false,
    }
}

fn same_array(of: &Comparison<'_>, a: ArrayId, b: ArrayId) -> bool {
    let (x, y) = (&of.old[a], &of.new[b]);
    let element = match (x.element, y.element) {
        (Element::Primitive(x, _), Element::Primitive(y, _)) => x.size() == y.size(),
        (Element::Record(x), Element::Record(y)) => same_record(of, x, y),
        _ => false,
    };
    let stored = |layout: &crate::Layout, array: &crate::layout::Array| {
        array.filter.map(|filter| layout[filter].stored.map(|dim| dim.count))
    };
    let filter = match (stored(of.old, x), stored(of.new, y)) {
        (None, None) | (Some(None), Some(None)) => true,
        (Some(Some(x)), Some(Some(y))) => of.same_count(x, y),
        _ => false,
    };
    element
        && filter
        && x.align == y.align
        && of.same_dims(a, b)
        && same_place(of, x.place, y.place)
}

fn same_record(of: &Comparison<'_>, a: RecordId, b: RecordId) -> bool {
    let (x, y) = (&of.old[a], &of.new[b]);
    // The pair was compared where it was first met; what is not in its table was never paired.
    let Some(&at) = of.pairs.record_index.get(&(a, b)) else { return false };
    if let Some(known) = of.pairs.records[at].same.get() {
        return known;
    }
    let same = x.align == y.align
        && x.variable == y.variable
        && of.pairs.records[at].in_order
        && same_run(of, x.members, y.members, true);
    of.pairs.records[at].same.set(Some(same));
    same
}
