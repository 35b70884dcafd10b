//! Lists: brackets, repeats, extensions, anonymous dicts.

use super::Checker;
use super::arrays::Owner;
use crate::ast::{self, Count as AstCount, CountKind, ElementKind, Item, Name};
use crate::diagnostic::Diagnostic;
use crate::layout::{
    Array, Count, DictId, Dim, DocKey, Element, Entry, List, ListId, Place, Repeat, RepeatId, Run,
    Step,
};
use crate::names::Symbol;
use crate::resolve::ErrorKind;
use crate::span::Span;

impl<'a> Checker<'a> {
    /// `name [ … ] repeat?`: creates a list, or reopens and extends it.
    pub(super) fn named_list(&mut self, name: Name, list: &'a ast::List, steps: &mut Vec<Step>) {
        let id = self.open_list(name);
        let key = DocKey::of(self.layout[id].span);
        self.docs.begin(name.span.start, key);
        let repeat = self.repeat(id, list, name.span, steps.len() as u32);
        self.docs.begin(list.close.start, key);
        self.layout.lists[id.index()].pieces.push(repeat);
        steps.push(Step::Repeat(repeat));
    }

    /// The list of a name, new if necessary. A clash is reported; then the list has no name.
    fn open_list(&mut self, name: Name) -> ListId {
        if let Some(Entry::List(list)) = self.entry(self.dict, name.symbol) {
            return list;
        }
        let id = self.new_list(name.symbol, name.span, None);
        self.declare(self.dict, name, Entry::List(id));
        id
    }

    fn new_list(&mut self, name: Symbol, span: Span, outer: Option<ListId>) -> ListId {
        let id = ListId(self.layout.lists.len() as u32);
        self.layout.lists.push(List { dict: self.dict, name, pieces: Vec::new(), span, outer });
        id
    }

    /// A bracketed sequence with its repeat.
    fn repeat(&mut self, list: ListId, written: &'a ast::List, at: Span, step: u32) -> RepeatId {
        let count = match &written.repeat {
            None => Dim { count: Count::Int(1), span: at },
            Some(count) => {
                self.validate_repeat(count);
                self.bind_dim(count)
            }
        };
        let mut steps = Vec::with_capacity(written.elements.len());
        for element in &written.elements {
            self.element(list, element, &mut steps);
        }
        let body = self.close_run(steps);
        self.push_repeat(list, body, count, at, step, false)
    }

    fn validate_repeat(&mut self, count: &AstCount) {
        if let CountKind::Int(value) = count.kind
            && value < 0
        {
            let message = format!("a list cannot be repeated {value} times");
            self.report(Diagnostic::error("bad-repeat", count.span, message));
        }
        self.validate_expr(count, count.span, |value| ErrorKind::Repeat {
            value,
            params: Vec::new(),
        });
    }

    fn push_repeat(
        &mut self,
        list: ListId,
        body: Run,
        count: Dim,
        span: Span,
        step: u32,
        extension: bool,
    ) -> RepeatId {
        let manner = self.layout.manner(body);
        let id = RepeatId(self.layout.repeats.len() as u32);
        // What was reported as below 0 stands for nothing.
        let number = match count.count {
            Count::Int(value) if value < 0 => Count::Int(0),
            count => count,
        };
        self.layout.repeats.push(Repeat {
            list,
            body,
            count: number,
            count_span: count.span,
            span,
            step,
            varying: manner.varying,
            phase: manner.phase,
            absolute: manner.absolute,
            nested: manner.nested,
            extension,
        });
        id
    }

    fn element(&mut self, list: ListId, element: &'a ast::Element, steps: &mut Vec<Step>) {
        let key = DocKey::of(element.span);
        self.docs.begin(element.span.start, key);
        let step = steps.len() as u32;
        match &element.kind {
            ElementKind::Data(array) => {
                let span = array.dtype.span();
                let owner = Owner { name: Symbol::EMPTY, dict: Some(self.dict), span, key };
                let id = self.array(array, owner, element.poisoned, step);
                steps.push(Step::Array(id));
            }
            ElementKind::List(inner) => {
                let id = self.new_list(Symbol::EMPTY, inner.open, Some(list));
                let repeat = self.repeat(id, inner, inner.open, step);
                self.docs.begin(inner.close.start, key);
                self.layout.lists[id.index()].pieces.push(repeat);
                steps.push(Step::Repeat(repeat));
            }
            ElementKind::Dict(items) => {
                let dict = self.anonymous_dict(list, items, element.span);
                steps.push(Step::Group(dict));
            }
            ElementKind::Broken => steps.push(self.broken_element(element.span)),
        }
    }

    fn broken_element(&mut self, span: Span) -> Step {
        let record = self.poisoned_record();
        let dims = self.layout.dims.len() as u32;
        Step::Array(self.push_array(Array {
            name: Symbol::EMPTY,
            dict: Some(self.dict),
            rank: 0,
            dims,
            element: Element::Record(record),
            filter: None,
            place: Place::Next,
            align: 1,
            asked: None,
            step: 0,
            span,
            dtype_span: span,
            spliced: false,
            constant: false,
            guard: false,
            presented: false,
            typedef: None,
        }))
    }

    fn anonymous_dict(&mut self, list: ListId, items: &'a [Item], span: Span) -> DictId {
        self.collect_broken(items);
        let dict = self.new_dict(Some(self.dict), Symbol::EMPTY, None, Some(list), span);
        let mut steps = Vec::new();
        self.dict_body(items, dict, &mut steps);
        let run = self.close_run(steps);
        let manner = self.layout.manner(run);
        let entry = &mut self.layout.dicts[dict.index()];
        entry.run = run;
        entry.varying = manner.varying;
        entry.phase = manner.phase;
        entry.absolute = manner.absolute;
        dict
    }

    /// `name [ n ]`: n more of the last item written in brackets; or one item of a bare type.
    pub(super) fn extend_list(
        &mut self,
        name: Name,
        count: &'a AstCount,
        item: &'a Item,
        steps: &mut Vec<Step>,
    ) {
        if let CountKind::Param { name: bare, suffix: 0, suffix_span: None } = &count.kind
            && self.is_type(*bare)
        {
            return self.bare_type(name, *bare, item, steps);
        }
        let key = self.layout.entries.get(&(self.dict, name.symbol)).copied();
        let list = match key {
            Some(Entry::List(list)) => list,
            _ => self.open_list(name),
        };
        self.docs.begin(name.span.start, DocKey::of(self.layout[list].span));
        if item.poisoned {
            return;
        }
        self.validate_repeat(count);
        let Some(bound) = self.bind_extension(count) else { return };
        let bound = Dim { count: bound, span: count.span };
        let Some(last) = self.last_written(list) else {
            let text = self.name(name.symbol).to_owned();
            let message = format!("nothing to repeat: no item was written in brackets of `{text}`");
            return self.report(Diagnostic::error("extend-empty", name.span, message));
        };
        let step = steps.len() as u32;
        let repeat = self.push_repeat(list, last, bound, name.span, step, true);
        self.layout.lists[list.index()].pieces.push(repeat);
        steps.push(Step::Repeat(repeat));
    }

    fn is_type(&self, name: Name) -> bool {
        crate::layout::dtype::Primitive::from_name(self.name(name.symbol)).is_some()
            || self.types.contains_key(&name.symbol)
    }

    /// The count of an extension; a bare name that is neither type nor param says both.
    fn bind_extension(&mut self, count: &AstCount) -> Option<Count> {
        if let CountKind::Param { name, suffix, suffix_span } = &count.kind {
            if let Some(param) = self.find_param(name.symbol) {
                if let Some(span) = suffix_span {
                    let message = "a suffix of how many items to add: an extension of the language";
                    self.report(Diagnostic::note("ext-list-suffix", *span, message));
                }
                return Some(Count::Param(param, *suffix));
            }
            if !self.broken.contains(&name.symbol) {
                let text = self.name(name.symbol).to_owned();
                let (code, message) = match suffix_span {
                    Some(_) => ("unknown-param", format!("unknown param `{text}`")),
                    None => ("unknown-name", format!("`{text}` is neither a type nor a param")),
                };
                let mut found = Diagnostic::error(code, name.span, message);
                if let Some(help) = self.help_with_type(&text) {
                    found = found.help(help);
                } else if let Some(near) = self.similar_param(&text) {
                    found = found.help(format!("did you mean `{near}`?"));
                }
                self.report(found);
            }
            return None;
        }
        Some(self.bind_count(count))
    }

    /// `name [ T ]`: the brackets hold one item of a type without a shape.
    fn bare_type(&mut self, name: Name, bare: Name, item: &'a Item, steps: &mut Vec<Step>) {
        let list = self.open_list(name);
        let list_key = DocKey::of(self.layout[list].span);
        self.docs.begin(name.span.start, list_key);
        let key = DocKey::of(bare.span);
        self.docs.begin(bare.span.start, key);
        let before = self.diagnostics.len();
        let facts = self.validate_named(None, bare);
        if facts.is_some_and(|facts| facts.text && facts.rank == 0) {
            let message = "text needs a dimension: the last one counts its characters";
            self.report(Diagnostic::error("text-no-shape", bare.span, message));
        }
        let bound = self.bind_named(None, bare);
        self.docs.begin(item.span.end.saturating_sub(1), list_key);
        let faulty = self.diagnostics[before..].iter().any(|found| found.severity.is_error());
        let dims = self.layout.dims.len() as u32;
        let rank = bound.dims.len() as u32;
        self.layout.dims.extend(bound.dims);
        let align = self.packed(bound.align);
        let id = self.push_array(Array {
            name: Symbol::EMPTY,
            dict: Some(self.dict),
            rank,
            dims,
            element: bound.element,
            filter: None,
            place: Place::Next,
            align,
            asked: None,
            step: 0,
            span: bare.span,
            dtype_span: bare.span,
            spliced: false,
            constant: false,
            guard: false,
            presented: false,
            typedef: bound.typedef,
        });
        if faulty {
            let record = self.poisoned_record();
            self.layout.arrays[id.index()].element = Element::Record(record);
        }
        let body = self.close_run(vec![Step::Array(id)]);
        let step = steps.len() as u32;
        let once = Dim { count: Count::Int(1), span: name.span };
        let repeat = self.push_repeat(list, body, once, name.span, step, false);
        self.layout.lists[list.index()].pieces.push(repeat);
        steps.push(Step::Repeat(repeat));
    }

    /// The last item written in brackets of a list, as a run of one step.
    fn last_written(&self, list: ListId) -> Option<Run> {
        let pieces = self.layout[list].pieces.iter().rev();
        let written = pieces.map(|&piece| &self.layout[piece]).filter(|piece| !piece.extension);
        written
            .map(|piece| piece.body)
            .find(|body| !body.is_empty())
            .map(|body| Run { start: body.end - 1, end: body.end })
    }
}
