//! What each token is there for, as far as it matters for the space around it.

use super::has_line_end;
use crate::ast::{
    Array, Ast, Dtype, ElementKind, FilterValue, Item, ItemKind, List, ParamValue, Struct,
};
use crate::span::Span;

/// Why a token stands where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Its text says all.
    Other,
    /// The order indicator.
    Order,
    /// The first token of an item or a member.
    Item,
    /// The name in `name [n]`.
    Extension,
    /// The `]` of one.
    ExtensionEnd,
    /// `..`
    Up,
    /// `/`
    Root,
    /// The `/` behind a name.
    Enter,
    /// The first token of a list item.
    Element,
    /// The `/` of an anonymous dict.
    Anonymous,
    /// An opening bracket, which is not the first token of something.
    Open(Bracket),
    /// The `}` of the summary.
    SummaryEnd,
    /// A quoted text, which is no name.
    Text,
}

/// What stands in brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    /// Items: the layout, or an anonymous dict.
    Dict,
    /// Members.
    Struct,
    /// List items.
    List,
    /// Dimensions, or a count.
    Shape,
    /// The count of an extension.
    Extension,
    /// Arguments of a filter.
    Arguments,
}

/// The roles of the tokens of a layout.
pub(super) struct Roles {
    /// By offset. Where two things begin with one token, the inner follows.
    roles: Vec<(u32, Role)>,
    /// The `{` and `[` of the structs and lists that go over several lines, by offset.
    broken: Vec<u32>,
}

impl Roles {
    pub(super) fn of(ast: &Ast, text: &str) -> Roles {
        let mut walk = Walk { roles: Roles { roles: Vec::new(), broken: Vec::new() }, text };
        if let Some((_, span)) = ast.order {
            walk.role(span, Role::Order);
        }
        if let Some(summary) = &ast.summary {
            walk.body(summary);
            walk.role(summary.close, Role::SummaryEnd);
        }
        walk.items(&ast.items);
        let mut roles = walk.roles;
        // The sort is stable, so of two roles at one place the inner comes last.
        roles.roles.sort_by_key(|&(at, _)| at);
        roles.broken.sort_unstable();
        roles
    }

    /// The role of the token at an offset.
    pub(super) fn at(&self, offset: u32) -> Role {
        let first = self.roles.partition_point(|&(at, _)| at < offset);
        self.roles
            .get(first)
            .filter(|&&(at, _)| at == offset)
            .map_or(Role::Other, |&(_, role)| role)
    }

    /// Whether the struct or list with this opening bracket begins with it at an offset.
    pub(super) fn opens(&self, offset: u32) -> Option<Bracket> {
        let after = self.roles.partition_point(|&(at, _)| at <= offset);
        let last = self.roles[..after].iter().rev().take_while(|&&(at, _)| at == offset);
        last.filter_map(|&(_, role)| if let Role::Open(kind) = role { Some(kind) } else { None })
            .next()
    }

    /// Whether a struct or list goes over several lines.
    pub(super) fn is_broken(&self, open: u32) -> bool {
        self.broken.binary_search(&open).is_ok()
    }

    /// Breaks structs into lines.
    pub(super) fn break_structs(&mut self, opens: &[u32]) {
        self.broken.extend(opens);
        self.broken.sort_unstable();
    }
}

struct Walk<'t> {
    roles: Roles,
    text: &'t str,
}

impl Walk<'_> {
    fn role(&mut self, span: Span, role: Role) {
        self.roles.roles.push((span.start, role));
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            let role = match item.kind {
                ItemKind::Up => Role::Up,
                ItemKind::Root => Role::Root,
                ItemKind::Extend { .. } => Role::Extension,
                _ => Role::Item,
            };
            self.role(item.span, role);
            match &item.kind {
                ItemKind::Data { array, .. } => self.array(array),
                ItemKind::Param { value: ParamValue::Typed(array), .. } => self.array(array),
                ItemKind::Enter { slash, .. } => self.role(*slash, Role::Enter),
                ItemKind::List { list, .. } => self.list(list),
                ItemKind::Extend { brackets, .. } => {
                    self.role(*brackets, Role::Open(Bracket::Extension));
                    self.role(Span::at(brackets.end - 1), Role::ExtensionEnd);
                }
                ItemKind::Type { body, .. } => self.body(body),
                _ => {}
            }
        }
    }

    fn array(&mut self, array: &Array) {
        if let Dtype::Struct(body) = &array.dtype {
            self.body(body);
        }
        if let Some(shape) = array.shape_span {
            self.role(shape, Role::Open(Bracket::Shape));
        }
        let Some(filter) = &array.filter else { return };
        let behind =
            |at: u32| Span::at(crate::scan::skip_trivia(self.text.as_bytes(), at as usize) as u32);
        let mut end = filter.name.span.end;
        let open = behind(end);
        if self.text[open.start as usize..].starts_with('(') {
            self.role(open, Role::Open(Bracket::Arguments));
            end = filter.args.last().map_or(open.start + 1, |arg| arg.span.end);
            end = behind(end).start + 1;
        }
        for arg in filter.args.iter().filter(|arg| matches!(arg.value, FilterValue::Text(_))) {
            self.role(arg.span, Role::Text);
        }
        if filter.stored.is_some() {
            let open =
                Span::at(crate::scan::skip_trivia(self.text.as_bytes(), end as usize) as u32);
            self.role(open, Role::Open(Bracket::Shape));
        }
    }

    fn body(&mut self, body: &Struct) {
        self.role(body.open, Role::Open(Bracket::Struct));
        if has_line_end(self.text, body.open.to(body.close)) {
            self.roles.broken.push(body.open.start);
        }
        self.items(&body.members);
    }

    fn list(&mut self, list: &List) {
        self.role(list.open, Role::Open(Bracket::List));
        if has_line_end(self.text, list.open.to(list.close)) {
            self.roles.broken.push(list.open.start);
        }
        for element in &list.elements {
            match &element.kind {
                ElementKind::Dict(items) => {
                    self.role(element.span, Role::Anonymous);
                    self.items(items);
                    continue;
                }
                _ => self.role(element.span, Role::Element),
            }
            match &element.kind {
                ElementKind::Data(array) => self.array(array),
                ElementKind::List(list) => self.list(list),
                _ => {}
            }
        }
    }
}
