//! Structs: what is known of one wherever it is used, and one bound to a place of use.

use super::arrays::{Bound, Owner, legal_align};
use super::facts::{Facts, Natural};
use super::{Checker, LOOKUP_LIMIT, TYPE_DEPTH_LIMIT, UNFOLDED_BY_BYTE, UNFOLDED_LIMIT};
use crate::ast::{self, Count, CountKind, ExprToken, Item, ItemKind, Name, ParamValue, Place};
use crate::diagnostic::Diagnostic;
use crate::layout::dtype::Primitive;
use crate::layout::{
    self, Array, DocKey, Element, Param, ParamId, Record, RecordId, Scope, Step, TypeId,
};
use crate::names::Symbol;
use crate::span::Span;
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// What a struct's members come to while they are visited.
#[derive(Default)]
struct Members {
    facts: Facts,
    /// Params declared so far, and whether they are streamed.
    params: HashMap<Symbol, bool>,
    streamed: bool,
    names: HashMap<Symbol, Span>,
    free: Vec<(Symbol, Span)>,
    known: HashSet<Symbol>,
    single: Option<Single>,
    /// The greatest alignment so far, in bytes.
    align: u64,
}

/// The member of what may be a typedef.
#[derive(Clone)]
struct Single {
    facts: Facts,
    rank: usize,
    align: Natural,
    filtered: bool,
    at: Option<Span>,
}

impl<'a> Checker<'a> {
    /// Reports what is wrong inside of a struct, and remembers what is known of it.
    pub(super) fn validate_struct(&mut self, body: &'a ast::Struct, key: DocKey) -> Facts {
        let before = self.diagnostics.len();
        self.docs.begin(body.open.start, key);
        let typedef = !self.in_summary_struct(body) && is_typedef(body);
        let outer = self.pack;
        if let Some(pack) = body.pack.filter(|_| !self.in_summary_struct(body)) {
            self.enter_pack(pack);
        }
        let pack = self.pack;
        let mut members = Members { align: 1, ..Members::default() };
        for member in &body.members {
            self.validate_member(member, typedef, &mut members);
        }
        self.docs.begin(body.close.start, key);
        if let Some(align) = body.align {
            self.validate_align(align);
        }
        let mut facts = finish(members, typedef);
        (facts.pack, facts.align) = (pack, facts.align.capped(pack));
        self.pack = outer;
        if let Some(align) = body.align {
            facts.align.bytes = self.asked_align(align, facts.align.bytes);
            facts.align.asked = Some(align.span).filter(|_| align.value != 0).or(facts.align.asked);
        }
        if facts.depth > TYPE_DEPTH_LIMIT {
            let message = format!("types hold types more than {TYPE_DEPTH_LIMIT} deep");
            self.report(Diagnostic::error("nesting", body.open, message));
        }
        facts.poisoned |= self.diagnostics[before..].iter().any(|d| d.severity.is_error());
        self.structs.insert(body.open.start, facts.clone());
        facts
    }

    fn in_summary_struct(&self, body: &ast::Struct) -> bool {
        self.ast.summary.as_ref().is_some_and(|summary| summary.open == body.open)
    }

    fn validate_member(&mut self, member: &'a Item, typedef: bool, members: &mut Members) {
        members.facts.poisoned |= member.poisoned;
        match &member.kind {
            ItemKind::Param { name, value: ParamValue::Typed(array), .. }
                if self.in_summary && self.frames.is_empty() && self.is_colon_item(array) =>
            {
                self.validate_data(*name, array, member.poisoned, typedef, members);
            }
            ItemKind::Param { name, value, .. } => {
                self.docs.begin(name.span.start, DocKey::of(name.span));
                self.validate_param(*name, value, member.poisoned);
                let streamed = matches!(value, ParamValue::Typed(_));
                if let ParamValue::Typed(array) = value {
                    members.align = members.align.max(self.param_align(array));
                    depends_on_address(array.place.as_ref(), members);
                }
                members.facts.unfolded = members.facts.unfolded.saturating_add(1);
                members.streamed |= streamed;
                members.params.insert(name.symbol, streamed);
            }
            ItemKind::Data { name, array } => {
                self.validate_data(*name, array, member.poisoned, typedef, members);
            }
            ItemKind::Broken { name } => {
                self.docs.begin(member.span.start, DocKey::of(member.span));
                self.broken.extend(name.map(|name| name.symbol));
                members.facts.poisoned = true;
            }
            _ => members.facts.poisoned = true,
        }
    }

    fn param_align(&self, array: &ast::Array) -> u64 {
        let natural = match &array.dtype {
            ast::Dtype::Named { prefix, name } => Primitive::from_name(self.name(name.symbol))
                .map_or(1, |p| self.primitive(p, prefix.map(|(prefix, _)| prefix)).0),
            ast::Dtype::Struct(_) => 1,
        };
        placed_align(array.place.as_ref(), Natural::of(natural).capped(self.pack)).bytes
    }

    fn validate_data(
        &mut self,
        name: Name,
        array: &'a ast::Array,
        poisoned: bool,
        typedef: bool,
        members: &mut Members,
    ) {
        let key = DocKey::of(name.span);
        self.docs.begin(name.span.start, key);
        if let Some(&first) = members.names.get(&name.symbol) {
            let text = self.name(name.symbol).to_owned();
            let message = format!("the member `{text}` is declared twice");
            let found = Diagnostic::error("redeclared-item", name.span, message);
            self.report(found.also(first, "first declared here"));
        } else {
            members.names.insert(name.symbol, name.span);
        }
        let facts = match poisoned {
            true => None,
            false if typedef => self.validate_typedef_member(array, key),
            false => self.validate_array(array, key),
        };
        let Some(facts) = facts else {
            members.facts.poisoned = true;
            return;
        };
        let align = placed_align(array.place.as_ref(), facts.align.capped(self.pack));
        members.align = members.align.max(align.bytes);
        self.depends(array, &facts, members);
        members.facts.depth = members.facts.depth.max(facts.depth);
        let unfolded = facts.unfolded.saturating_add(1);
        members.facts.unfolded = members.facts.unfolded.saturating_add(unfolded);
        members.facts.poisoned |= facts.poisoned;
        members.single = Some(Single {
            rank: array.shape.len() + facts.rank,
            align,
            filtered: array.filter.is_some(),
            at: array.place.as_ref().filter(|p| matches!(p, Place::At { .. })).map(Place::span),
            facts,
        });
    }

    /// As [`Self::validate_array`], but text may lack its dimension: the uses give it.
    fn validate_typedef_member(&mut self, array: &'a ast::Array, key: DocKey) -> Option<Facts> {
        if let Some(Place::At { span, .. }) = &array.place {
            let message = "a typedef has no place: there is nothing its address could be \
                           relative to";
            self.report(Diagnostic::error("typedef-at", *span, message));
        }
        let before = self.diagnostics.len();
        let facts = self.validate_array(array, key);
        let tail = self.diagnostics.split_off(before);
        let span = array.dtype.span();
        let kept = tail.into_iter().filter(|d| d.code != "text-no-shape" || d.primary.span != span);
        self.diagnostics.extend(kept);
        facts
    }

    /// What names an array needs: of the struct itself, or free.
    fn depends(&mut self, array: &ast::Array, facts: &Facts, members: &mut Members) {
        let stored = array.filter.as_ref().and_then(|filter| filter.stored.as_ref());
        let counted = array.filter.is_some() && stored.is_none();
        let mut own = false;
        let mut size = false;
        let fixed = stored.is_some();
        for dim in &array.shape {
            each_name(dim, |name| note(members, name.symbol, name.span, &mut own));
        }
        for &(symbol, span) in facts.free.iter() {
            note(members, symbol, span, &mut own);
        }
        if let Some(stored) = stored {
            each_name(stored, |name| note(members, name.symbol, name.span, &mut size));
        }
        depends_on_address(array.place.as_ref(), members);
        members.facts.variable |= counted || size || (own && !fixed) || facts.variable;
        members.facts.per_instance |= own || facts.per_instance;
    }

    /// A struct in its place of use, or what its typedef stands for.
    pub(super) fn bind_anonymous(&mut self, body: &'a ast::Struct) -> Bound {
        self.bind_body(body, None)
    }

    pub(super) fn bind_body(&mut self, body: &'a ast::Struct, ty: Option<TypeId>) -> Bound {
        let facts = self.structs.get(&body.open.start).cloned().unwrap_or_default();
        if facts.poisoned || self.is_too_complex() {
            if !facts.poisoned {
                self.report_too_complex(body.open);
            }
            let record = self.poisoned_record();
            return Bound {
                element: Element::Record(record),
                dims: Vec::new(),
                align: Natural::of(1),
                typedef: None,
            };
        }
        if facts.typedef && !facts.transparent {
            self.bind_typedef(body, facts)
        } else {
            let align = facts.align;
            let record = self.bind_record(body, facts, ty);
            Bound { element: Element::Record(record), dims: Vec::new(), align, typedef: None }
        }
    }

    /// Counts what a declared type, or the struct of an item, unfolds into.
    pub(super) fn count_unfolded(&mut self, facts: &Facts, span: Span) {
        self.unfolded = self.unfolded.saturating_add(facts.unfolded);
        if self.is_too_complex() {
            self.report_too_complex(span);
        }
    }

    /// Whether types unfold into more than anybody should have to go through.
    fn is_too_complex(&self) -> bool {
        self.unfolded > self.most_unfolded()
    }

    /// A long text may come to more: all of it is visited anyway.
    fn most_unfolded(&self) -> u64 {
        UNFOLDED_LIMIT.max(self.text.len() as u64 * UNFOLDED_BY_BYTE)
    }

    /// Says once that types unfold into too much.
    pub(super) fn report_too_complex(&mut self, span: Span) {
        if !self.too_complex {
            self.too_complex = true;
            let message = format!(
                "the types of this layout unfold into over {} members, or need over {LOOKUP_LIMIT} \
                 params",
                self.most_unfolded()
            );
            self.report(Diagnostic::error("too-complex", span, message));
        }
    }

    /// What a typedef stands for. It is kept as a struct too, for those who show what is written.
    fn bind_typedef(&mut self, body: &'a ast::Struct, facts: Facts) -> Bound {
        let align = facts.align;
        let record = self.bind_record(body, facts, None);
        let member =
            self.layout.run(self.layout[record].members).iter().find_map(|step| match step {
                Step::Array(id) => Some(*id),
                _ => None,
            });
        let (element, dims) = match member {
            Some(id) => {
                let array = &self.layout[id];
                (array.element, self.layout.dims(array).to_vec())
            }
            None => (Element::Record(record), Vec::new()),
        };
        Bound { element, dims, align, typedef: Some(record) }
    }

    fn frame_param(&mut self, name: Name, value: &'a ParamValue, bad: bool, step: u32) -> ParamId {
        let id = self.bind_param(name, value, bad, Scope::Record, step);
        if let Some(before) = self.frames.last_mut().and_then(|it| it.declare(name.symbol, id)) {
            self.layout.params[id.index()].ordinal = self.layout[before].ordinal.saturating_add(1);
        }
        id
    }

    pub(super) fn bind_record(
        &mut self,
        body: &'a ast::Struct,
        facts: Facts,
        ty: Option<TypeId>,
    ) -> RecordId {
        let summary = self.in_summary_struct(body);
        let outer = std::mem::replace(&mut self.pack, facts.pack);
        self.frames.push(Default::default());
        let mut steps = Vec::with_capacity(body.members.len());
        for member in &body.members {
            let step = steps.len() as u32;
            match &member.kind {
                ItemKind::Param { name, value: ParamValue::Typed(array), .. }
                    if summary && self.is_colon_item(array) =>
                {
                    steps.push(self.bind_member(*name, array, step));
                }
                ItemKind::Param { name, value, .. } => {
                    let id = self.frame_param(*name, value, member.poisoned, step);
                    steps.push(Step::Param(id));
                }
                ItemKind::Data { name, array } => {
                    steps.push(self.bind_member(*name, array, step));
                }
                _ => {}
            }
        }
        self.pack = outer;
        let local = self.frames.pop().is_some_and(|frame| frame.local);
        let unfolded = steps.iter().map(|step| 1 + self.layout.unfolded(*step));
        let unfolded = unfolded.fold(0, u64::saturating_add);
        let members = self.close_run(steps);
        self.push_record(Record {
            ty,
            members,
            align: facts.align.bytes,
            asked: facts.align.asked,
            variable: facts.variable,
            per_instance: facts.per_instance || facts.variable,
            local,
            transparent: facts.transparent,
            unfolded,
            span: body.open,
        })
    }

    fn bind_member(&mut self, name: Name, array: &'a ast::Array, step: u32) -> Step {
        self.unfolded += 1;
        let key = DocKey::of(name.span);
        let owner = Owner { name: name.symbol, dict: None, span: name.span, key };
        let id = self.bind_array(array, owner, step);
        if let Some(frame) = self.frames.last_mut() {
            frame.declare_item(name);
        }
        Step::Array(id)
    }

    fn push_record(&mut self, record: Record) -> RecordId {
        let id = RecordId(self.layout.records.len() as u32);
        self.layout.records.push(record);
        id
    }

    /// A record of unknown size, for what has an error: its size is read from a stream that is
    /// not there, so nothing that follows is known either.
    pub(super) fn poisoned_record(&mut self) -> RecordId {
        if let Some(record) = self.poisoned {
            return record;
        }
        let param = ParamId(self.layout.params.len() as u32);
        self.layout.params.push(Param {
            name: Symbol::EMPTY,
            ordinal: 0,
            scope: Scope::Record,
            value: layout::ParamValue::Streamed(Primitive::I8, None),
            place: layout::Place::Next,
            align: 1,
            asked: None,
            step: 0,
            used: true,
            stream_bytes: false,
            to_end: None,
            constant: false,
            span: Span::default(),
        });
        let dims = self.layout.dims.len() as u32;
        let count = layout::Count::Param(param, 0);
        self.layout.dims.push(layout::Dim { count, span: Span::default() });
        let array = self.push_array(Array {
            name: Symbol::EMPTY,
            dict: None,
            rank: 1,
            dims,
            element: Element::Primitive(Primitive::U1, None),
            filter: None,
            place: layout::Place::Next,
            align: 1,
            asked: None,
            step: 1,
            span: Span::default(),
            dtype_span: Span::default(),
            spliced: false,
            constant: false,
            guard: false,
            presented: false,
            typedef: None,
        });
        let members = self.close_run(vec![Step::Param(param), Step::Array(array)]);
        let record = self.push_record(Record {
            ty: None,
            members,
            align: 1,
            asked: None,
            variable: true,
            per_instance: true,
            local: false,
            transparent: false,
            unfolded: 2,
            span: Span::default(),
        });
        self.poisoned_records.insert(record);
        self.poisoned = Some(record);
        record
    }
}

/// A struct with the single non-param member named `""` (spec 3.5).
fn is_typedef(body: &ast::Struct) -> bool {
    let mut data = body.members.iter().filter_map(|member| match &member.kind {
        ItemKind::Data { name, .. } => Some(name.symbol),
        ItemKind::Broken { .. } => Some(Symbol::EMPTY),
        _ => None,
    });
    data.next() == Some(Symbol::EMPTY) && data.next().is_none()
}

fn finish(members: Members, typedef: bool) -> Facts {
    let mut facts = members.facts;
    facts.free = Rc::new(members.free);
    facts.align = Natural::of(members.align);
    facts.depth += 1;
    if let (true, Some(single)) = (typedef, members.single) {
        facts.typedef = true;
        facts.rank = single.rank;
        facts.text = single.facts.text;
        facts.transparent = members.streamed || single.filtered;
        facts.poisoned |= single.at.is_some();
        if !facts.transparent {
            facts.align = single.align;
        }
    }
    facts
}

/// What names an address needs. With one of the struct's own, its instances differ.
fn depends_on_address(place: Option<&Place>, members: &mut Members) {
    let Some(Place::At { address, .. }) = place else { return };
    let mut own = false;
    each_name(address, |name| note(members, name.symbol, name.span, &mut own));
    members.facts.variable |= own;
    members.facts.per_instance |= own;
}

fn note(members: &mut Members, symbol: Symbol, span: Span, streamed: &mut bool) {
    match members.params.get(&symbol) {
        Some(own) => *streamed |= own,
        None if !members.known.insert(symbol) => {}
        None => members.free.push((symbol, span)),
    }
}

fn placed_align(place: Option<&Place>, natural: Natural) -> Natural {
    match place {
        Some(Place::Align { align, .. }) if align.value != 0 => {
            Natural::of(legal_align(*align, natural.bytes))
        }
        _ => natural,
    }
}

fn each_name(count: &Count, mut f: impl FnMut(Name)) {
    match &count.kind {
        CountKind::Int(_) => {}
        CountKind::Param { name, .. } => f(*name),
        CountKind::Expr(tokens) => tokens.iter().for_each(|token| {
            if let ExprToken::Param(name) = *token {
                f(name);
            }
        }),
    }
}
