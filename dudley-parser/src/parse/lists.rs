//! From the pairs of the grammar to the syntax tree: lists, and brackets that are an extension.
//!
//! `name [n]` looks like a list with an item that is no item. So brackets are first taken apart
//! into what may be either; then it is clear what they are, and what does not belong there.

use super::lower::{Inner, Lower, inside};
use crate::ast::{
    Array, Count, CountKind, Dtype, Element, ElementKind, Item, ItemKind, List, Name,
};
use crate::diagnostic::Diagnostic;
use crate::grammar::Rule;
use crate::span::Span;
use pest::iterators::Pair;

/// Brackets with what stands in them and behind them.
struct Brackets {
    span: Span,
    parts: Vec<Part>,
    /// The `*` and what follows it.
    repeat: Option<(Span, Count)>,
}

enum Part {
    Element(Element),
    /// An integer, or a name with suffixes: only `name [n]` may hold it.
    Count(Count),
}

impl<'p> Lower<'p> {
    /// `name [ … ] repeat?`
    pub(super) fn list_or_extension(
        &mut self,
        name: Name,
        pair: Pair<'p, Rule>,
        inner: &mut Inner<'p>,
    ) -> (Span, ItemKind) {
        let brackets = self.brackets(pair, inner);
        let Brackets { span, parts, repeat } = &brackets;
        let end = repeat.as_ref().map_or(*span, |(_, repeat)| repeat.span);
        if let [only] = &parts[..]
            && repeat.is_none()
            && self.comma_after(only).is_none()
            && let Some(count) = only.as_count()
        {
            return (*span, ItemKind::Extend { name, brackets: *span, count });
        }
        let Some(first @ Part::Count(count)) = parts.first() else {
            return (end, ItemKind::List { name, equals: false, list: self.list_of(brackets) });
        };
        let at = match (self.comma_after(first), repeat) {
            (Some(comma), _) => comma,
            (None, Some((star, _))) => *star,
            _ => count.span,
        };
        let message = "expected `]`: a list is extended by one count, with nothing else";
        let error = Diagnostic::error("syntax", at, message).also(count.span, "the count");
        self.error(
            error.help("for two more of the last item write `name [2]`; list items are types"),
        );
        (end, ItemKind::Broken { name: Some(name) })
    }

    /// `[ … ] repeat?` where it can only be a list.
    pub(super) fn list(&mut self, pair: Pair<'p, Rule>, inner: &mut Inner<'p>) -> List {
        let brackets = self.brackets(pair, inner);
        self.list_of(brackets)
    }

    fn list_of(&mut self, brackets: Brackets) -> List {
        let Brackets { span, parts, repeat } = brackets;
        let (open, close) =
            (Span::new(span.start, span.start + 1), Span::new(span.end - 1, span.end));
        let elements = parts.into_iter().map(|part| self.element_of(part)).collect();
        let repeat = repeat.map(|(_, repeat)| repeat);
        let span = repeat.as_ref().map_or(span, |repeat| span.to(repeat.span));
        List { span, open, close, elements, repeat }
    }

    fn element_of(&mut self, part: Part) -> Element {
        let count = match part {
            Part::Element(element) => return element,
            Part::Count(count) => count,
        };
        let (at, message) = match count.kind {
            CountKind::Param { suffix_span: Some(signs), .. } => {
                (signs, "expected `,` or `]`, found a suffix")
            }
            _ => (count.span, "expected a list item: a type, `{`, `[` or `/`, found a number"),
        };
        let error = Diagnostic::error("syntax", at, message);
        self.error(error.help("a list is extended with `name [n]`, without `=`"));
        Element { span: count.span, kind: ElementKind::Broken, poisoned: true }
    }

    fn brackets(&mut self, pair: Pair<'p, Rule>, inner: &mut Inner<'p>) -> Brackets {
        let span = self.span(&pair);
        let mut within = inside(pair);
        let mut parts = Vec::new();
        while let Some(first) = within.next() {
            let outer = std::mem::take(&mut self.poisoned);
            if let Some(mut part) = self.part(first, &mut within) {
                if let Part::Element(element) = &mut part {
                    element.poisoned |= self.poisoned;
                }
                parts.push(part);
            }
            self.poisoned |= outer;
        }
        let repeat = inner.next_if(|pair| pair.as_rule() == Rule::repeat);
        let repeat = repeat.and_then(|pair| {
            let star = self.mark(&pair, 1);
            Some((star, self.repeat(pair)?))
        });
        Brackets { span, parts, repeat }
    }

    fn part(&mut self, first: Pair<'p, Rule>, inner: &mut Inner<'p>) -> Option<Part> {
        let element = |span, kind| Some(Part::Element(Element { span, kind, poisoned: false }));
        match first.as_rule() {
            Rule::list => {
                let list = self.list(first, inner);
                element(list.span, ElementKind::List(list))
            }
            Rule::anonymous => {
                let slash = self.mark(&first, 1);
                let mut items: Vec<Item> = Vec::new();
                self.items(&mut inside(first), &mut items);
                let span = items.last().map_or(slash, |last| slash.to(last.span));
                element(span, ElementKind::Dict(items))
            }
            Rule::element_int => Some(Part::Count(self.count(&mut inside(first))?)),
            _ => {
                let mut within = inside(first);
                let array = self.array(&mut within)?;
                let Some(signs) = within.next() else {
                    return element(array.span, ElementKind::Data(array));
                };
                self.signed_name(&array, signs)
            }
        }
    }

    /// A name with suffixes in brackets.
    fn signed_name(&mut self, array: &Array, signs: Pair<'p, Rule>) -> Option<Part> {
        let signs_span = self.span(&signs);
        let Some(name) = bare_name(array) else {
            let sign = Span::new(signs_span.start, signs_span.start + 1);
            let message = "expected `,` or `]`, found a suffix: only a param has suffixes";
            self.error(Diagnostic::error("bad-suffix", sign, message));
            return Some(Part::Element(Element {
                span: array.span,
                kind: ElementKind::Broken,
                poisoned: true,
            }));
        };
        let param = CountKind::Param { name, suffix: 0, suffix_span: None };
        Some(Part::Count(self.with_suffix(Count { span: name.span, kind: param }, signs_span)))
    }

    /// `* n`, with what is wrong about its sign or suffix.
    fn repeat(&mut self, pair: Pair<'p, Rule>) -> Option<Count> {
        self.count(&mut inside(pair))
    }

    fn comma_after(&self, part: &Part) -> Option<Span> {
        let span = match part {
            Part::Element(element) => element.span,
            Part::Count(count) => count.span,
        };
        self.token_after(span.end).filter(|&(_, byte)| byte == b',').map(|(span, _)| span)
    }
}

impl Part {
    /// What it is as the count of an extension.
    fn as_count(&self) -> Option<Count> {
        match self {
            Part::Count(Count { span, kind }) => match *kind {
                CountKind::Int(value) => Some(Count { span: *span, kind: CountKind::Int(value) }),
                CountKind::Param { name, suffix, suffix_span } => Some(Count {
                    span: *span,
                    kind: CountKind::Param { name, suffix, suffix_span },
                }),
                CountKind::Expr(ref tokens) => {
                    Some(Count { span: *span, kind: CountKind::Expr(tokens.clone()) })
                }
            },
            Part::Element(Element { kind: ElementKind::Data(array), .. }) => {
                let name = bare_name(array)?;
                let kind = CountKind::Param { name, suffix: 0, suffix_span: None };
                Some(Count { span: name.span, kind })
            }
            Part::Element(_) => None,
        }
    }
}

/// The name, if an array is nothing but that.
fn bare_name(array: &Array) -> Option<Name> {
    match array.dtype {
        Dtype::Named { prefix: None, name } if array.span == name.span => Some(name),
        _ => None,
    }
}
