//! What decides where an item lies: nothing, params, or the stream itself.

use std::collections::HashMap;

use dudley_parser::Layout;
use dudley_parser::layout::{
    Array, ArrayId, Count, Element, ListId, ParamId, ParamValue, Place, RecordId, RepeatId, Scope,
    Step, Term,
};

/// What decides where an item lies, and how large it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// The layout alone.
    Constant,
    /// Params of dicts that occur once.
    Params,
    /// What lies before it in the stream, or in it.
    Varying,
}

/// The classes of all items of the dicts that occur once, and of all lists there.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    pub(crate) arrays: HashMap<ArrayId, Class>,
    pub(crate) lists: HashMap<ListId, Class>,
}

impl Classes {
    /// Goes over a layout as a stream is placed.
    pub(crate) fn of(layout: &Layout) -> Classes {
        let mut classes = Classes::default();
        let mut cursor = Class::Constant;
        for &step in layout.root() {
            match step {
                Step::Param(id) if layout[id].is_streamed() => {
                    cursor = placed(layout, layout[id].place, cursor);
                }
                Step::Array(id) => {
                    let array = &layout[id];
                    cursor = placed(layout, array.place, cursor).max(size(layout, array));
                    classes.arrays.insert(id, cursor);
                }
                Step::Repeat(id) => {
                    cursor = cursor.max(repeat(layout, id));
                    let list = classes.lists.entry(layout[id].list).or_insert(cursor);
                    *list = cursor.max(*list);
                }
                _ => {}
            }
        }
        classes
    }
}

fn placed(layout: &Layout, place: Place, cursor: Class) -> Class {
    match place {
        Place::Next => cursor,
        Place::At(count, _) => of_count(layout, count),
    }
}

/// What decides a number.
pub(crate) fn of_count(layout: &Layout, count: Count) -> Class {
    match count {
        Count::Int(_) => Class::Constant,
        Count::Param(param, _) => of_param(layout, param),
        Count::Sum(sum) => {
            let terms = layout.terms(sum).iter().map(|term| match *term {
                Term::Int(_) => Class::Constant,
                Term::Plus(param) | Term::Minus(param) => of_param(layout, param),
            });
            terms.max().unwrap_or(Class::Constant)
        }
    }
}

fn of_param(layout: &Layout, id: ParamId) -> Class {
    let param = &layout[id];
    match (param.scope, param.value) {
        // A caller may override it.
        (Scope::Dict(_), _) => Class::Params,
        (Scope::Repeated(_) | Scope::Record, ParamValue::Fixed(_)) => Class::Constant,
        (Scope::Repeated(_) | Scope::Record, ParamValue::Streamed(..)) => Class::Varying,
    }
}

/// What decides the size of an array.
pub(crate) fn size(layout: &Layout, array: &Array) -> Class {
    let dims = layout.dims(array).iter().map(|dim| of_count(layout, dim.count)).max();
    let element = match array.element {
        Element::Primitive(..) => Class::Constant,
        Element::Record(id) => of_record(layout, id),
    };
    let filter = match array.filter.map(|id| layout[id].stored) {
        None => Class::Constant,
        Some(Some(stored)) => of_count(layout, stored.count),
        Some(None) => Class::Varying,
    };
    dims.unwrap_or(Class::Constant).max(element).max(filter)
}

/// What decides the size of an instance of a record, and where its members lie.
pub(crate) fn of_record(layout: &Layout, id: RecordId) -> Class {
    let record = &layout[id];
    if record.variable {
        return Class::Varying;
    }
    let members = layout.run(record.members).iter().map(|step| match *step {
        Step::Array(id) => {
            let member = &layout[id];
            placed(layout, member.place, Class::Constant).max(size(layout, member))
        }
        Step::Param(id) if layout[id].is_streamed() => {
            placed(layout, layout[id].place, Class::Constant)
        }
        _ => Class::Constant,
    });
    members.max().unwrap_or(Class::Constant)
}

fn repeat(layout: &Layout, id: RepeatId) -> Class {
    let repeat = &layout[id];
    if repeat.varying {
        return Class::Varying;
    }
    let body = layout.run(repeat.body).iter().map(|step| of_step(layout, *step)).max();
    of_count(layout, repeat.count).max(body.unwrap_or(Class::Constant))
}

fn of_step(layout: &Layout, step: Step) -> Class {
    match step {
        Step::Array(id) => {
            let array = &layout[id];
            placed(layout, array.place, Class::Constant).max(size(layout, array))
        }
        Step::Repeat(id) => repeat(layout, id),
        Step::Group(dict) => {
            let run = layout.run(layout.dicts()[dict.index()].run).iter();
            run.map(|step| of_step(layout, *step)).max().unwrap_or(Class::Constant)
        }
        Step::Param(id) if layout[id].is_streamed() => {
            placed(layout, layout[id].place, Class::Constant)
        }
        _ => Class::Constant,
    }
}
