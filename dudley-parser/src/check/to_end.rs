//! Params that take what the stream has left (spec 4.9): where they may stand, and what may stand behind.

use super::Checker;
use crate::comments::{AttrValue, Attribute};
use crate::diagnostic::Diagnostic;
use crate::layout::{
    ArrayId, Count, DocKey, Layout, ParamId, ParamValue, Place, RepeatId, Scope, Step, Taker,
};
use crate::span::Span;

/// What a param is used for, and where.
#[derive(Clone, Copy)]
enum Use {
    /// A dimension of an array: which one it is, and the whole of it.
    Dim(ArrayId, usize, Count),
    /// The repeat of a list.
    Repeat(RepeatId, Count),
    /// An address, or a number of stored bytes.
    Other,
}

impl Checker<'_> {
    /// Finds out what takes all that the stream has left.
    pub(super) fn mark_to_end(&mut self) {
        let layout = &self.layout;
        // Those that stand in for what has an error are declared nowhere.
        let declared = layout.params().filter(|(id, _)| !self.poisoned_params.contains(id));
        let marked = declared.filter_map(|(id, param)| {
            Some((id, layout.attribute(DocKey::of(param.span), "to_end")?))
        });
        let (mut found, mut takers): (Vec<_>, Vec<(ParamId, Taker)>) = (Vec::new(), Vec::new());
        for (id, attribute) in marked {
            let text = "`to_end` gives a param what the stream has left: an extension";
            found.push(Diagnostic::note("ext-to-end", attribute.span, text));
            match layout.taker(id, attribute) {
                Ok(Some(taker)) => {
                    takers.push((id, taker));
                    found.extend(layout.behind(id, taker));
                }
                Ok(None) => {}
                Err(diagnostic) => found.push(*diagnostic),
            }
        }
        for (id, taker) in takers {
            self.layout.params[id.index()].to_end = Some(taker);
        }
        // A type has its fault once, however often it is used.
        let mut known = hashbrown::HashSet::new();
        found.retain(|it| known.insert((it.code, it.primary.span)));
        self.diagnostics.extend(found);
    }
}

impl Layout {
    /// What a param with the attribute is the length of; nothing if it is not used.
    fn taker(&self, id: ParamId, said: &Attribute) -> Result<Option<Taker>, Box<Diagnostic>> {
        let param = &self[id];
        let attribute = said.span;
        let wrong = |span: Span, text: &str| Box::new(Diagnostic::error("to-end", span, text));
        if said.value != AttrValue::True {
            let text = "`to_end` takes no value: it stands alone, or not at all";
            return Err(wrong(attribute, text).help("as in `N : 0  #: to_end`").into());
        }
        if let Some(other) = self.attribute(DocKey::of(param.span), "stream_bytes") {
            let text = "`to_end` takes what the stream has left, and `stream_bytes` its whole length: not both";
            return Err(wrong(attribute, text).also(other.span, "`stream_bytes` is here").into());
        }
        if !matches!((param.value, param.scope), (ParamValue::Fixed(_), Scope::Dict(_))) {
            let text = "`to_end` goes with a fixed param of a dict that occurs once";
            return Err(wrong(attribute, text).help("as in `N : 0  #: to_end`").into());
        }
        let uses = self.uses(id);
        let (first, span) = match *uses {
            [] => return Ok(None),
            [one] => one,
            [(_, first), (_, second), ..] => {
                let name = self.name(param.name);
                let text = format!("`{name}` takes what the stream has left: it is used once");
                let twice = Diagnostic::error("to-end", second, text);
                return Err(twice.also(first, "it is used here already").into());
            }
        };
        match first {
            Use::Dim(array, 0, Count::Param(_, 0)) => {
                let is_item =
                    self.root().get(self[array].step as usize) == Some(&Step::Array(array));
                match (self[array].dict.is_some() && is_item, self[array].filter) {
                    (true, None) => Ok(Some(Taker::Array(array))),
                    (true, Some(_)) => {
                        Err(wrong(span, "how long a filtered array is, the stream does not say"))
                    }
                    (false, _) => Err(wrong(
                        span,
                        "what takes all that the stream has left is an item of a dict that occurs once, or a list \
                         in one",
                    )),
                }
            }
            Use::Repeat(repeat, Count::Param(_, 0)) => {
                let is_item =
                    self.root().get(self[repeat].step as usize) == Some(&Step::Repeat(repeat));
                match (is_item, self[repeat].absolute || self[repeat].body.is_empty()) {
                    (true, false) => Ok(Some(Taker::Repeat(repeat))),
                    (true, true) => Err(wrong(
                        span,
                        "a list that takes all that the stream has left has items, none of them with an `@`",
                    )),
                    (false, _) => Err(wrong(
                        span,
                        "a list that takes all that the stream has left is one of a dict that occurs once",
                    )),
                }
            }
            Use::Dim(_, 0, _) | Use::Repeat(..) => {
                let text = "what takes all that the stream has left stands alone, with no suffix and in no sum";
                Err(wrong(span, text))
            }
            Use::Dim(..) => {
                let text = "what takes all that the stream has left is the first dimension";
                Err(wrong(span, text))
            }
            Use::Other => {
                let text = "what takes all that the stream has left is a dimension or a repeat";
                Err(wrong(span, text))
            }
        }
    }

    /// All that a param is used for, in the order of the text.
    fn uses(&self, id: ParamId) -> Vec<(Use, Span)> {
        let has = |count: Count| self.params_of(count).filter(|it| *it == id).count();
        let mut uses = Vec::new();
        let mut add = |what: Use, count: Count, span: Span| {
            uses.extend(std::iter::repeat_n((what, span), has(count)));
        };
        for (array, declared) in self.arrays() {
            for (at, dim) in self.dims(declared).iter().enumerate() {
                add(Use::Dim(array, at, dim.count), dim.count, dim.span);
            }
            if let Place::At(count, span) = declared.place {
                add(Use::Other, count, span);
            }
            if let Some(stored) = declared.filter.and_then(|filter| self[filter].stored) {
                add(Use::Other, stored.count, stored.span);
            }
        }
        for (at, repeat) in self.repeats().iter().enumerate() {
            let what = Use::Repeat(RepeatId(at as u32), repeat.count);
            add(what, repeat.count, repeat.count_span);
        }
        for (_, param) in self.params() {
            if let Place::At(count, span) = param.place {
                add(Use::Other, count, span);
            }
        }
        uses.sort_by_key(|(_, span)| span.start);
        uses
    }

    /// The first item that would lie where the size of the taker decides.
    fn behind(&self, id: ParamId, taker: Taker) -> Option<Diagnostic> {
        let (name, at, span) = match taker {
            Taker::Array(array) => (self[array].name, self[array].step, self[array].span),
            Taker::Repeat(repeat) => {
                (self[self[repeat].list].name, self[repeat].step, self[repeat].span)
            }
        };
        let steps = &self.root()[at as usize + 1..];
        let (found, place) = self.first_placed(steps)?;
        if place != Place::Next {
            return None;
        }
        let text = format!(
            "this lies behind `{}`, which takes all that the stream has left by `{}`",
            self.name(name),
            self.name(self[id].name)
        );
        let found = Diagnostic::error("behind-to-end", found, text);
        let found = found.also(span, "this runs to the end of the stream");
        Some(found.help("an item behind it has an address of its own, as in `@16`"))
    }

    /// The first of some steps that has a place in the stream.
    fn first_placed(&self, steps: &[Step]) -> Option<(Span, Place)> {
        steps.iter().find_map(|step| match *step {
            Step::Enter(_) => None,
            Step::Param(id) => self[id].is_streamed().then(|| (self[id].span, self[id].place)),
            Step::Array(id) => Some((self[id].span, self[id].place)),
            Step::Repeat(id) if self.known(self[id].count) == Some(0) => None,
            Step::Repeat(id) => self.first_placed(self.run(self[id].body)),
            Step::Group(id) => self.first_placed(self.run(self[id].run)),
        })
    }
}
