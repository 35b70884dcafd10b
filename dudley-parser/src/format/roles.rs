//! The role of each token, as far as it matters for the space around it.

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
    /// The order indicator, or the packing of all.
    Order,
    /// The `%` of a packing.
    Pack,
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
    /// The structs and lists, by offset.
    breakable: Vec<Breakable>,
}

/// A struct or list, which may go over several lines.
struct Breakable {
    /// Its opening bracket.
    open: u32,
    /// The struct or list that it is in, as an index.
    outer: Option<usize>,
    /// It does go over several lines.
    broken: bool,
}

impl Roles {
    pub(super) fn of(ast: &Ast, text: &str) -> Roles {
        let roles = Roles { roles: Vec::new(), breakable: Vec::new() };
        let mut walk = Walk { roles, text, outer: None };
        if let Some((_, span)) = ast.order {
            walk.role(span, Role::Order);
        }
        if let Some(pack) = ast.pack {
            walk.role(pack.sign, Role::Pack);
            // The items begin behind its digits, not behind a sign.
            let signs = text[pack.align.span.range()].starts_with(['-', '+']);
            walk.role(Span::at(pack.align.span.start + u32::from(signs)), Role::Order);
        }
        if let Some(summary) = &ast.summary {
            walk.body(summary);
            walk.role(summary.close, Role::SummaryEnd);
        }
        walk.items(&ast.items);
        let mut roles = walk.roles;
        // The sort is stable, so of two roles at one place the inner comes last.
        roles.roles.sort_by_key(|&(at, _)| at);
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
        self.find(open).is_some_and(|at| self.breakable[at].broken)
    }

    /// Breaks structs into lines, and what they are in.
    pub(super) fn break_structs(&mut self, opens: &[u32]) {
        for &open in opens {
            let mut next = self.find(open);
            while let Some(at) = next {
                self.breakable[at].broken = true;
                next = self.breakable[at].outer;
            }
        }
    }

    fn find(&self, open: u32) -> Option<usize> {
        self.breakable.binary_search_by_key(&open, |breakable| breakable.open).ok()
    }
}

struct Walk<'t> {
    roles: Roles,
    text: &'t str,
    /// The innermost struct or list.
    outer: Option<usize>,
}

impl Walk<'_> {
    /// Enters a struct or list; returns what to set `outer` to behind it.
    fn enter(&mut self, open: Span, close: Span) -> Option<usize> {
        let broken = has_line_end(self.text, open.to(close));
        let (open, outer) = (open.start, self.outer);
        self.outer = Some(self.roles.breakable.len());
        self.roles.breakable.push(Breakable { open, outer, broken });
        outer
    }

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
        if let Some(pack) = body.pack {
            self.role(pack.sign, Role::Pack);
        }
        let outer = self.enter(body.open, body.close);
        self.items(&body.members);
        self.outer = outer;
    }

    fn list(&mut self, list: &List) {
        self.role(list.open, Role::Open(Bracket::List));
        let outer = self.enter(list.open, list.close);
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
        self.outer = outer;
    }
}
