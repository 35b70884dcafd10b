//! Named types: declared once, used anywhere, and primitives given other alignment or order.

use super::arrays::{Bound, legal_align};
use super::facts::{Facts, Natural};
use super::{Checker, LOOKUP_LIMIT};
use crate::ast::{self, Dtype, ItemKind, Name, Prefix};
use crate::diagnostic::Diagnostic;
use crate::layout::dtype::Primitive;
use crate::layout::{DocKey, Element, ParamId, Type, TypeId};
use crate::names::Symbol;
use crate::span::Span;

/// A declared type.
pub(super) struct TypeInfo<'a> {
    pub(super) id: TypeId,
    pub(super) body: &'a ast::Struct,
    pub(super) facts: Facts,
    pub(super) span: Span,
}

impl<'a> Checker<'a> {
    /// `name { … } align?`
    pub(super) fn declare_type(&mut self, name: Name, body: &'a ast::Struct, poisoned: bool) {
        let key = DocKey::of(name.span);
        self.docs.begin(name.span.start, key);
        if let Some(primitive) = Primitive::from_name(self.name(name.symbol)) {
            return self.redefine(primitive, name, body, key);
        }
        let mut facts = self.validate_struct(body, key);
        facts.poisoned |= poisoned;
        if let Some(first) = self.types.get(&name.symbol) {
            let (first, text) = (first.span, self.name(name.symbol).to_owned());
            let message = format!("the type `{text}` is declared twice; types are global");
            let found = Diagnostic::error("redeclared-type", name.span, message);
            return self.report(found.also(first, "first declared here"));
        }
        self.count_unfolded(&facts, name.span);
        let id = self.push_type(name, body, &facts);
        self.structs.insert(body.open.start, facts.clone());
        self.types.insert(name.symbol, TypeInfo { id, body, facts, span: name.span });
    }

    fn push_type(&mut self, name: Name, body: &ast::Struct, facts: &Facts) -> TypeId {
        let members = body.members.iter().filter_map(|member| match &member.kind {
            ItemKind::Data { name, .. } => Some((name.symbol, false, name.span)),
            ItemKind::Param { name, .. } => Some((name.symbol, true, name.span)),
            _ => None,
        });
        let id = TypeId(self.layout.types.len() as u32);
        let ty = Type {
            name: name.symbol,
            typedef: facts.typedef,
            variable: facts.variable,
            align: facts.align.bytes,
            members: members.collect(),
            free: facts.free.to_vec(),
            span: name.span,
            body: body.span,
        };
        self.layout.types.push(ty);
        id
    }

    /// A typedef that bears the name of a primitive (spec 3.6).
    fn redefine(&mut self, primitive: Primitive, name: Name, body: &'a ast::Struct, key: DocKey) {
        self.docs.begin(body.open.start, key);
        let form = self.redefinition(primitive, body);
        self.docs.begin(body.close.start, key);
        let text = primitive.name();
        if let Some(align) = body.align {
            self.validate_align(align);
        }
        if let Some(&(.., first)) = self.redefined.get(&primitive) {
            let message = format!("`{text}` is redefined twice");
            let found = Diagnostic::error("redefined-twice", name.span, message);
            return self.report(found.also(first, "first redefined here"));
        }
        if let Some(first) = self.seen[primitive as usize] {
            let message = format!("`{text}` is redefined after it was used");
            let found = Diagnostic::error("redefined-late", name.span, message);
            return self.report(found.also(first, "used here"));
        }
        let Some(prefix) = form else {
            let message = format!("`{text}` can only be given another alignment or order");
            let help = format!(
                "the form is `{text} {{\"\" = {text}}} %4`, with `<` or `>` before the type if you like"
            );
            return self.report(Diagnostic::error("redefined-bad", name.span, message).help(help));
        };
        let align = body.align.map_or(primitive.align(), |a| legal_align(a, primitive.align()));
        let order = match prefix {
            Some(Prefix::Order(order)) => Some(order),
            _ => None,
        };
        self.redefined.insert(primitive, (align, order, name.span));
        let facts = Facts { typedef: true, align: Natural::of(align), ..Facts::default() };
        self.push_type(name, body, &facts);
    }

    /// The prefix in a redefinition of the one legal form.
    fn redefinition(
        &mut self,
        primitive: Primitive,
        body: &'a ast::Struct,
    ) -> Option<Option<Prefix>> {
        for member in &body.members {
            self.docs.begin(member.span.start, DocKey::of(member.span));
        }
        let [member] = body.members.as_slice() else { return None };
        let ItemKind::Data { name, array } = &member.kind else { return None };
        let Dtype::Named { prefix, name: dtype } = &array.dtype else { return None };
        let plain = name.symbol == Symbol::EMPTY
            && body.pack.is_none()
            && self.name(dtype.symbol) == primitive.name()
            && array.shape_span.is_none()
            && array.filter.is_none()
            && array.place.is_none()
            && !member.poisoned;
        plain.then_some(prefix.map(|(prefix, _)| prefix))
    }

    /// Notes the first appearance of a primitive.
    pub(super) fn see(&mut self, symbol: Symbol, span: Span) {
        if let Some(primitive) = Primitive::from_name(self.name(symbol)) {
            self.seen[primitive as usize].get_or_insert(span);
        }
    }

    /// What is known of a named dtype; none, and a report, if there is no such type.
    pub(super) fn validate_named(
        &mut self,
        prefix: Option<(Prefix, Span)>,
        name: Name,
    ) -> Option<Facts> {
        if let Some(primitive) = Primitive::from_name(self.name(name.symbol)) {
            self.seen[primitive as usize].get_or_insert(name.span);
            let align = self.primitive(primitive, prefix.map(|(prefix, _)| prefix)).0;
            let align = Natural::of(align);
            return Some(Facts { align, text: primitive.is_text(), ..Facts::default() });
        }
        let Some(info) = self.types.get(&name.symbol) else {
            self.report_unknown_type(name);
            return None;
        };
        let facts = info.facts.clone();
        if let Some((_, span)) = prefix {
            let text = self.name(name.symbol).to_owned();
            let message = format!("`{text}` is a declared type: only primitives take a prefix");
            let help = "give the primitives inside of the type the prefix";
            self.report(Diagnostic::error("bad-prefix", span, message).help(help));
            return None;
        }
        Some(facts)
    }

    fn report_unknown_type(&mut self, name: Name) {
        if self.broken.contains(&name.symbol) {
            return;
        }
        let text = self.name(name.symbol).to_owned();
        let message = format!("unknown type `{text}`: no primitive, and no type declared before");
        let mut found = Diagnostic::error("unknown-type", name.span, message);
        if self.advises() && self.params_in_scope().contains(&name.symbol) {
            found = found.help(format!("`{text}` is a param; it can only be a dimension"));
        } else if let Some(help) = self.help_with_type(&text) {
            found = found.help(help);
        }
        self.report(found);
    }

    /// What a named dtype comes to where the checker stands.
    pub(super) fn bind_named(&mut self, prefix: Option<Prefix>, name: Name) -> Bound {
        if let Some(primitive) = Primitive::from_name(self.name(name.symbol)) {
            let (align, order) = self.primitive(primitive, prefix);
            let element = Element::Primitive(primitive, order);
            let align = Natural::of(align);
            return Bound { element, dims: Vec::new(), align, typedef: None };
        }
        match self.bind_type(name) {
            Some(bound) => bound,
            None => {
                let record = self.poisoned_record();
                Bound {
                    element: Element::Record(record),
                    dims: Vec::new(),
                    align: Natural::of(1),
                    typedef: None,
                }
            }
        }
    }

    /// A declared type with its free names bound; `None` if it is unknown or a name is.
    fn bind_type(&mut self, name: Name) -> Option<Bound> {
        let info = self.types.get(&name.symbol)?;
        let (id, body) = (info.id, info.body);
        let free = info.facts.free.clone();
        self.lookups += free.len();
        if self.lookups > LOOKUP_LIMIT {
            self.report_too_complex(name.span);
            return None;
        }
        let bindings: Vec<Option<ParamId>> =
            free.iter().map(|&(symbol, _)| self.find_param(symbol)).collect();
        let mut missing = false;
        for (&(symbol, span), _) in free.iter().zip(&bindings).filter(|(_, b)| b.is_none()) {
            missing = true;
            self.report_unknown_param(Name { symbol, span }, name.span, Some(span));
        }
        if missing {
            return None;
        }
        let key = (name.symbol, bindings.into_iter().flatten().collect::<Box<[ParamId]>>());
        if let Some(bound) = self.instances.get(&key) {
            return Some(bound.clone());
        }
        let bound = self.bind_body(body, Some(id));
        self.instances.insert(key, bound.clone());
        Some(bound)
    }
}
