//! From the pairs of the grammar to the syntax tree: items of dicts, members of structs.

use super::lower::{Inner, Lower, inside, order};
use crate::ast::{Item, ItemKind, Name, Pack, ParamValue, Struct};
use crate::diagnostic::Diagnostic;
use crate::grammar::Rule;
use crate::layout::dtype::{ByteOrder, Primitive};
use crate::span::Span;
use pest::iterators::{Pair, Pairs};

/// What may stand before all items.
#[derive(Default)]
pub(super) struct Opening {
    pub(super) order: Option<(ByteOrder, Span)>,
    pub(super) pack: Option<Pack>,
    pub(super) summary: Option<Struct>,
    /// Where it ends.
    pub(super) end: u32,
}

impl<'p> Lower<'p> {
    /// What may stand before all items, and where it ends.
    pub(super) fn opening(&mut self, pairs: Pairs<'p, Rule>) -> Opening {
        let mut opening = Opening { end: self.base, ..Opening::default() };
        for pair in pairs {
            opening.end = self.span(&pair).end;
            for part in inside(pair) {
                let span = self.span(&part);
                match part.as_rule() {
                    Rule::order => {
                        opening.order = order(part.as_str()).map(|order| (order, span));
                    }
                    Rule::pack => opening.pack = self.pack(part),
                    Rule::summary => {
                        let mut inner = inside(part);
                        opening.summary = inner.next().map(|body| self.struct_of(body, &mut inner));
                    }
                    _ => {}
                }
            }
        }
        opening
    }

    /// The items of one match of the grammar.
    pub(super) fn run_of_items(&mut self, pairs: Pairs<'p, Rule>, items: &mut Vec<Item>) {
        self.poisoned = false;
        for pair in pairs {
            self.items(&mut inside(pair), items);
        }
    }

    pub(super) fn items(&mut self, inner: &mut Inner<'p>, items: &mut Vec<Item>) {
        while let Some(first) = inner.next() {
            let outer = std::mem::take(&mut self.poisoned);
            let made = match first.as_rule() {
                Rule::name => self.named(&first, inner),
                Rule::up => Some((self.mark(&first, 2), ItemKind::Up)),
                Rule::root => Some((self.mark(&first, 1), ItemKind::Root)),
                Rule::stray_sign => self.stray_sign(&first, inner),
                Rule::stray_struct => {
                    self.stray_struct(first, items);
                    None
                }
                _ => None,
            };
            if let Some((span, kind)) = made {
                items.push(Item { span, kind, poisoned: self.poisoned });
            }
            self.poisoned |= outer;
        }
    }

    /// A name and what follows it.
    fn named(&mut self, first: &Pair<'p, Rule>, inner: &mut Inner<'p>) -> Option<(Span, ItemKind)> {
        let name = self.name(first);
        let tail = inner.next()?;
        let (end, kind) = match tail.as_rule() {
            Rule::data => self.data(name, tail)?,
            Rule::param => self.param(name, tail)?,
            Rule::enter => {
                let slash = self.mark(&tail, 1);
                (slash, ItemKind::Enter { name, slash })
            }
            Rule::list => self.list_or_extension(name, tail, inner),
            _ => {
                let body = self.struct_of(tail, inner);
                (body.span, ItemKind::Type { name, body })
            }
        };
        Some((name.span.to(end), kind))
    }

    fn data(&mut self, name: Name, pair: Pair<'p, Rule>) -> Option<(Span, ItemKind)> {
        let mut inner = inside(pair);
        if let Some(list) = inner.next_if(|pair| pair.as_rule() == Rule::list) {
            let list = self.list(list, &mut inner);
            return Some((list.span, ItemKind::List { name, equals: true, list }));
        }
        let array = self.array(&mut inner)?;
        Some((array.span, ItemKind::Data { name, array }))
    }

    fn param(&mut self, name: Name, pair: Pair<'p, Rule>) -> Option<(Span, ItemKind)> {
        let walrus = pair.as_str().starts_with(":=");
        let mut inner = inside(pair);
        let (span, value) = if let Some(int) = inner.next_if(|pair| pair.as_rule() == Rule::int) {
            let value = self.int(&int);
            let place = self.places(&mut inner);
            let end = place.as_ref().map_or(value.span, |place| place.span());
            (end, ParamValue::Fixed(value, place))
        } else {
            let array = self.array(&mut inner)?;
            (array.span, ParamValue::Typed(array))
        };
        Some((span, ItemKind::Param { name, walrus, value }))
    }

    /// `<`, `>` or `|` where an item is expected.
    fn stray_sign(
        &mut self,
        sign: &Pair<'p, Rule>,
        inner: &mut Inner<'p>,
    ) -> Option<(Span, ItemKind)> {
        let mark = self.mark(sign, 1);
        let shown = &sign.as_str()[..1];
        let touching =
            inner.next_if(|next| next.as_rule() == Rule::name && self.span(next).start == mark.end);
        let Some(name) = touching else {
            let (code, message) = match shown {
                "|" => ("syntax", "expected an item, found `|`".to_string()),
                _ => (
                    "late-order",
                    format!("the order indicator `{shown}` must precede everything else"),
                ),
            };
            self.error(Diagnostic::error(code, mark, message));
            return None;
        };
        let (written, span) = (name.as_str(), mark.to(self.span(&name)));
        let message = match Primitive::from_name(written) {
            Some(_) => format!("`{shown}{written}` is a primitive type and cannot be declared"),
            None => format!("a name has no prefix `{shown}`"),
        };
        self.error(
            Diagnostic::error("prim-as-name", span, message)
                .help(format!("without `{shown}` it is a name")),
        );
        let (span, _) = self.named(&name, inner)?;
        Some((mark.to(span), ItemKind::Broken { name: None }))
    }

    /// `{ … }` where an item is expected: a summary too late. What it holds counts as declared.
    fn stray_struct(&mut self, pair: Pair<'p, Rule>, items: &mut Vec<Item>) {
        let open = self.mark(&pair, 1);
        let message = "expected an item, found `{`: only a type or the summary begins with it";
        let error = Diagnostic::error("late-summary", open, message);
        self.error(error.help(
            "a summary precedes all other items; a type is declared with its name before `{`",
        ));
        let mut inner = inside(pair);
        let members =
            inner.next().map_or(Vec::new(), |body| self.struct_of(body, &mut inner).members);
        for member in members {
            let name = match member.kind {
                ItemKind::Data { name, .. } | ItemKind::Param { name, .. } => Some(name),
                ItemKind::Broken { name } => name,
                _ => None,
            };
            items.push(Item { span: member.span, kind: ItemKind::Broken { name }, poisoned: true });
        }
    }

    /// What stands in the braces of a struct; what cannot be a member is reported.
    pub(super) fn members(&mut self, body: Pair<'p, Rule>) -> Vec<Item> {
        let mut items = Vec::new();
        self.items(&mut inside(body), &mut items);
        items.into_iter().filter_map(|item| self.member(item)).collect()
    }

    fn member(&mut self, item: Item) -> Option<Item> {
        let (code, what, name) = match item.kind {
            ItemKind::Data { .. } | ItemKind::Param { .. } | ItemKind::Broken { .. } => {
                return Some(item);
            }
            ItemKind::Enter { name, .. } => ("member-dict", "dicts", Some(name)),
            ItemKind::Up | ItemKind::Root => ("member-dict", "dicts", None),
            ItemKind::List { name, .. } | ItemKind::Extend { name, .. } => {
                ("member-list", "lists", Some(name))
            }
            ItemKind::Type { name, .. } => ("member-type", "types", Some(name)),
        };
        let at = name.map_or(item.span, |name| name.span);
        let message = format!("a struct has data items and params as members, no {what}");
        self.error(Diagnostic::error(code, at, message));
        name.is_some().then_some(Item { kind: ItemKind::Broken { name }, poisoned: true, ..item })
    }
}
