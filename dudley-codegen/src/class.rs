//! What decides the place of an item: nothing, params, or the stream itself?

use std::collections::HashMap;

use dudley_parser::Layout;
use dudley_parser::formula::plan::{Node, Op, Plan, What};
use dudley_parser::layout::{ArrayId, ListId, RecordId};

/// What decides the place and the size of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// The layout alone.
    #[default]
    Constant,
    /// Params of dicts that occur once; a caller may override fixed ones.
    Params,
    /// Data before it in the stream, or in it.
    Varying,
}

/// The classes of all items of the dicts that occur once, of all lists there, and of all structs.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    pub(crate) arrays: HashMap<ArrayId, Class>,
    pub(crate) lists: HashMap<ListId, Class>,
    /// Of the size of an instance, and of where its members lie.
    pub(crate) records: HashMap<RecordId, Class>,
}

/// The subject of a class.
#[derive(Clone, Copy)]
enum Subject {
    Array(ArrayId),
    List(ListId),
    Record(RecordId),
}

/// The results that decide a class; `None` if there is no operation.
type Results = Vec<Option<Node>>;

impl Classes {
    /// Queries what the operations of a layout need.
    pub(crate) fn of(layout: &Layout) -> Classes {
        let mut plan = Plan::new(layout, dudley_parser::place::NATIVE_START);
        let mut found: Vec<(Subject, Results)> = Vec::new();
        plan.walk(&mut |_, row| {
            let (item, results) = match row.what {
                What::Array { array, dims, place, spliced } => {
                    let (item, place) = spliced.map_or((array, place), |it| (it.record, it.place));
                    let dims = dims.iter().map(|dim| dim.node);
                    (Some(item), dims.chain([place.address, place.bytes]).collect())
                }
                What::Param { place: Some(place), .. } => (None, vec![place.address]),
                What::List { length, .. } => (None, vec![length]),
                _ => return,
            };
            let subject = row.list.map(Subject::List).or(item.map(Subject::Array));
            found.extend(subject.map(|subject| (subject, results)));
        });
        for (id, _) in layout.records() {
            let mut results = vec![plan.record_bytes(id)];
            for member in plan.members(id) {
                results.extend([member.offset, member.bytes]);
                results.extend(member.dims.iter().map(|dim| dim.node));
            }
            found.push((Subject::Record(id), results));
        }
        let of_results = of_operations(plan.ops());
        let mut classes = Classes::default();
        for (subject, results) in found {
            let of = |node: &Option<Node>| node.map_or(Class::Varying, |it| of_results[it.index()]);
            let class = results.iter().map(of).max().unwrap_or_default();
            let known = match subject {
                Subject::Array(id) => classes.arrays.entry(id).or_default(),
                Subject::List(id) => classes.lists.entry(id).or_default(),
                Subject::Record(id) => classes.records.entry(id).or_default(),
            };
            *known = class.max(*known);
        }
        classes
    }
}

/// The class of each operation.
fn of_operations(ops: &[Op]) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::with_capacity(ops.len());
    for op in ops {
        let mut class = match op {
            Op::Param(_) => Class::Params,
            Op::Unknown | Op::Own(_) => Class::Varying,
            _ => Class::Constant,
        };
        op.operands(&mut |node| class = class.max(classes[node.index()]));
        classes.push(class);
    }
    classes
}
