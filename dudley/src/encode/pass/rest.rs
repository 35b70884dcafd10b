//! Params that take what the stream has left (spec 4.9): a writer takes their values from what it is given, and
//! sees to it that readers find the same.

use std::collections::HashSet;

use dudley_parser::layout::path::push_name;
use dudley_parser::layout::{
    Array, ArrayId, DictId, Element, Entry, Layout, ParamId, RepeatId, Run, Scope, Step, Taker,
};
use dudley_parser::resolve::{Event, Found};

use super::Pass;
use crate::elements::text::count_units;
use crate::elements::value::Value;
use crate::encode::supply::Supplied;
use crate::error::{Error, Item, Result};
use crate::read::path::sibling;

/// How far what takes all that the stream has left has come.
pub(super) struct Rest {
    param: ParamId,
    taker: Taker,
    /// What it is, or its items are.
    arrays: HashSet<ArrayId>,
    params: HashSet<ParamId>,
    /// Where it ends, so far; where it begins, if nothing of it is there.
    end: Option<u64>,
}

impl Rest {
    /// One for each such param.
    pub(super) fn all(layout: &Layout) -> Vec<Rest> {
        let rest = |(param, taker)| {
            let mut rest =
                Rest { param, taker, arrays: HashSet::new(), params: HashSet::new(), end: None };
            match taker {
                Taker::Array(id) => drop(rest.arrays.insert(id)),
                Taker::Repeat(id) => rest.add(layout, layout[id].body),
            }
            rest
        };
        layout.takers().map(rest).collect()
    }

    fn add(&mut self, layout: &Layout, run: Run) {
        for &step in layout.run(run) {
            match step {
                Step::Array(id) => drop(self.arrays.insert(id)),
                Step::Param(id) => drop(self.params.insert(id)),
                Step::Repeat(id) => self.add(layout, layout[id].body),
                Step::Group(id) => self.add(layout, layout[id].run),
                Step::Enter(_) => {}
            }
        }
    }

    /// The repetitions of a piece of a list begin where the cursor stands.
    pub(super) fn begin(&mut self, piece: RepeatId, cursor: Option<u64>) {
        if self.taker == Taker::Repeat(piece) {
            self.end = self.end.max(cursor);
        }
    }

    /// Looks at what was placed.
    pub(super) fn visit(&mut self, event: &Event<'_>) {
        let placed = match &event.found {
            Found::Array { array, placed: Ok(placed), .. } if self.arrays.contains(array) => placed,
            Found::Param { param, placed: Some(Ok(placed)) } if self.params.contains(param) => {
                placed
            }
            _ => return,
        };
        self.end = self.end.max(Some(placed.address.saturating_add(placed.bytes)));
    }

    /// Checks that readers find the value that was written: the stream ends where it does.
    pub(super) fn check(&self, layout: &Layout, stream_end: u64) -> Result<()> {
        let Some(end) = self.end.filter(|end| *end < stream_end) else { return Ok(()) };
        Err(Error::WrongValue {
            item: Item::new(layout.param_path(self.param)),
            expected: format!("a stream that ends at {end}, with what this param is a length of")
                .into(),
            found: format!("{stream_end} bytes to write").into(),
        })
    }
}

impl Pass<'_> {
    /// How long what takes all that is left is, in what is given; nothing where that does not say it.
    pub(super) fn given_length(&self, taker: Taker) -> Option<u64> {
        let layout = self.layout;
        let path = layout.step_path(layout.root()[layout.taker_step(taker)])?;
        match taker {
            Taker::Array(id) => self.length_of_array(&path, &layout[id]),
            Taker::Repeat(id) => self.repetitions(&path, id),
        }
    }

    fn length_of_array(&self, path: &str, array: &Array) -> Option<u64> {
        let layout = self.layout;
        let own = self.supply.item(path).and_then(|item| length_of(&item, array));
        let Element::Record(record) = array.element else { return own };
        // The members of a record that has no name may be given one by one.
        let members = if array.spliced { layout.run(layout[record].members) } else { &[] };
        own.or_else(|| {
            members.iter().find_map(|step| {
                let Step::Array(id) = *step else { return None };
                let path = sibling(path, layout.name(layout[id].name));
                length_of(&self.supply.item(&path)?, array)
            })
        })
    }

    /// How many repetitions of a list something is given for, from the first on.
    fn repetitions(&self, path: &str, id: RepeatId) -> Option<u64> {
        let layout = self.layout;
        let list = &layout[layout[id].list];
        let mut first = 0_u64;
        for &piece in list.pieces.iter().take_while(|piece| **piece != id) {
            let count = u64::try_from(layout.known(layout[piece].count)?).ok()?;
            first = first.checked_add(count.checked_mul(layout[piece].body.len() as u64)?)?;
        }
        let body = layout.run(layout[id].body);
        let is_given = |at: u64| {
            body.iter().enumerate().any(|(element, step)| {
                self.is_given(&format!("{path}/{}", at.saturating_add(element as u64)), *step)
            })
        };
        let mut count = 0;
        while is_given(first.checked_add(body.len() as u64 * count)?) {
            count += 1;
        }
        Some(count)
    }

    /// Whether something is given at or below the path of an item of a list.
    fn is_given(&self, path: &str, step: Step) -> bool {
        let layout = self.layout;
        match step {
            Step::Array(id) => {
                let (mut path, array) = (path.to_owned(), &layout[id]);
                let is_named =
                    |dict: &DictId| layout.entry(*dict, array.name) == Some(Entry::Array(id));
                if let Some(dict) = array.dict.filter(is_named) {
                    layout.push_dict(&mut path, dict);
                    path.push('/');
                    push_name(&mut path, layout.name(array.name));
                }
                self.supply.item(&path).is_some()
            }
            Step::Param(id) => {
                let mut path = path.to_owned();
                if let Scope::Repeated(dict) = layout[id].scope {
                    layout.push_dict(&mut path, dict);
                }
                path.push('/');
                layout.push_param(&mut path, id);
                self.supply.param(&path).is_some()
            }
            Step::Repeat(id) => layout
                .run(layout[id].body)
                .iter()
                .any(|step| self.is_given(&format!("{path}/0"), *step)),
            Step::Group(dict) => {
                layout.run(layout[dict].run).iter().any(|step| self.is_given(path, *step))
            }
            Step::Enter(_) => false,
        }
    }
}

/// How many elements the first dimension of an array has in what is given for it.
fn length_of(item: &Supplied<'_>, array: &Array) -> Option<u64> {
    match item {
        Supplied::Typed(typed) => typed.shape().first().copied(),
        Supplied::Rows(rows) => rows.shape().first().copied(),
        Supplied::Encoded { shape, .. } => shape.first().copied(),
        Supplied::Items(items) => Some(items.count()),
        Supplied::Written => None,
        Supplied::Value(value) => match (&**value, array.element) {
            (Value::Array(items), _) => Some(items.len() as u64),
            (Value::Text(text), Element::Primitive(primitive, _)) if array.rank == 1 => {
                count_units(text, primitive).ok()
            }
            _ => None,
        },
    }
}
