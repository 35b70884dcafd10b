//! The dependencies of an item: params, by the model; types, by the names in the text.

use super::{Excerpts, Subject};
use crate::layout::{
    ArrayId, Count, DictId, Element, Layout, ListId, ParamId, ParamValue, Place, RecordId, Run,
    Scope, Step, Taker,
};
use crate::parse::unescape;
use crate::scan::{next_token, skip_trivia};
use hashbrown::HashSet;
use std::collections::BTreeSet;

/// This many constants go into an excerpt: it is to be small.
const GUARDS: usize = 16;

/// The dict that a param is declared in, if that occurs once.
pub(super) fn dict_of(layout: &Layout, id: ParamId) -> Option<DictId> {
    match layout[id].scope {
        Scope::Dict(dict) => Some(dict),
        Scope::Repeated(_) | Scope::Record => None,
    }
}

impl<'l> Excerpts<'l> {
    /// The steps of the root that a subject consists of and depends on, in the order of the text.
    pub(super) fn steps(&self, subject: Subject) -> Vec<usize> {
        let layout = self.layout;
        let mut needs = Needs::new(layout);
        match subject {
            Subject::Array(id) => needs.root_array(id),
            Subject::Param(id) => needs.param(id),
            Subject::List(id) => needs.list(id),
        }
        needs.guards();
        needs.steps.into_iter().collect()
    }

    /// The types whose names occur in a text, by their index.
    pub(super) fn types_in(&self, text: &str) -> Vec<usize> {
        let bytes = text.as_bytes();
        let mut found = Vec::new();
        if self.types.is_empty() {
            return found;
        }
        let mut at = skip_trivia(bytes, 0);
        while let Some(end) = next_token(bytes, at) {
            let token = &text[at..end];
            let ty = match token.as_bytes().first() {
                Some(b'"' | b'\'') if token.len() > 1 => {
                    let plain = unescape(&token[1..token.len() - 1], 0, &mut Vec::new());
                    self.types.get(plain.as_str())
                }
                _ => self.types.get(token),
            };
            found.extend(ty.copied());
            at = skip_trivia(bytes, end);
        }
        found
    }

    /// Types with those that they name, in the order of the text.
    pub(super) fn closed(&self, mut open: Vec<usize>) -> BTreeSet<usize> {
        let layout: &'l Layout = self.layout;
        let mut closed = BTreeSet::new();
        while let Some(ty) = open.pop() {
            if closed.insert(ty) {
                open.extend(self.types_in(&layout.text[layout.types()[ty].body.range()]));
            }
        }
        closed
    }
}

/// Steps of the root with those that they need wherever they lie, in the order of the text; `None` if a list among them has
/// items with addresses of their own, which are those of the whole stream.
pub(super) fn needed(layout: &Layout, picked: &BTreeSet<usize>) -> Option<BTreeSet<usize>> {
    let mut needs = Needs { anywhere: true, ..Needs::new(layout) };
    for &at in picked {
        match layout.root()[at] {
            Step::Array(id) => needs.root_array(id),
            Step::Param(id) => needs.param(id),
            Step::Repeat(id) => needs.list(layout[id].list),
            Step::Group(_) | Step::Enter(_) => {}
        }
    }
    let has_addresses = |at: &usize| match layout.root()[*at] {
        Step::Repeat(id) => layout[id].absolute,
        _ => false,
    };
    (!needs.steps.iter().any(has_addresses)).then_some(needs.steps)
}

struct Needs<'l> {
    layout: &'l Layout,
    steps: BTreeSet<usize>,
    /// Those that were looked at.
    records: HashSet<RecordId>,
    /// Where items of dicts lie does not matter.
    anywhere: bool,
}

impl<'l> Needs<'l> {
    fn new(layout: &'l Layout) -> Needs<'l> {
        Needs { layout, steps: BTreeSet::new(), records: HashSet::new(), anywhere: false }
    }
}

impl Needs<'_> {
    fn root_array(&mut self, id: ArrayId) {
        self.steps.insert(self.layout[id].step as usize);
        if !self.anywhere {
            self.place(self.layout[id].place);
        }
        self.array(id);
    }

    fn list(&mut self, id: ListId) {
        let layout = self.layout;
        for &piece in &layout[id].pieces {
            self.steps.insert(layout[piece].step as usize);
            self.count(layout[piece].count);
            self.run(layout[piece].body);
        }
    }

    /// A param, and those of its name before it in its dict: so it keeps its number.
    fn param(&mut self, id: ParamId) {
        let layout = self.layout;
        let Some(dict) = dict_of(layout, id) else {
            return;
        };
        let declarations = layout.declarations(dict, layout[id].name);
        for &id in &declarations[..=layout[id].ordinal as usize] {
            if self.steps.insert(layout[id].step as usize) && !self.anywhere {
                self.place(layout[id].place);
            }
            // Its value is what that has room for.
            match layout[id].to_end {
                Some(Taker::Array(taker)) if self.steps.insert(layout[taker].step as usize) => {
                    self.root_array(taker);
                }
                Some(Taker::Repeat(taker)) if self.steps.insert(layout[taker].step as usize) => {
                    self.list(layout[taker].list);
                }
                _ => {}
            }
        }
    }

    /// The first constants in front of all that (spec 7.3a).
    fn guards(&mut self) {
        let layout = self.layout;
        let last = self.steps.last().copied().unwrap_or(0);
        for &at in layout.guards().iter().take_while(|at| **at < last).take(GUARDS) {
            self.steps.insert(at);
            match layout.root()[at] {
                Step::Array(id) => {
                    self.place(layout[id].place);
                    self.array(id);
                }
                Step::Param(id) => self.param(id),
                Step::Repeat(id) => {
                    self.count(layout[id].count);
                    self.run(layout[id].body);
                }
                Step::Group(_) | Step::Enter(_) => {}
            }
        }
    }

    fn run(&mut self, run: Run) {
        let layout = self.layout;
        for &step in layout.run(run) {
            match step {
                Step::Param(id) => {
                    if let ParamValue::Streamed(..) = layout[id].value {
                        self.place(layout[id].place);
                    }
                }
                Step::Array(id) => {
                    self.place(layout[id].place);
                    self.array(id);
                }
                Step::Repeat(id) => {
                    self.count(layout[id].count);
                    self.run(layout[id].body);
                }
                Step::Group(id) => self.run(layout[id].run),
                Step::Enter(_) => {}
            }
        }
    }

    fn array(&mut self, id: ArrayId) {
        let layout = self.layout;
        let array = &layout[id];
        for dim in layout.dims(array) {
            self.count(dim.count);
        }
        if let Some(stored) = array.filter.and_then(|filter| layout[filter].stored) {
            self.count(stored.count);
        }
        let element = match array.element {
            Element::Record(record) => Some(record),
            Element::Primitive(..) => None,
        };
        for record in element.into_iter().chain(array.typedef) {
            if self.records.insert(record) {
                self.run(layout[record].members);
            }
        }
    }

    fn place(&mut self, place: Place) {
        if let Place::At(count, _) = place {
            self.count(count);
        }
    }

    fn count(&mut self, count: Count) {
        self.layout.params_of(count).for_each(|id| self.param(id));
    }
}
