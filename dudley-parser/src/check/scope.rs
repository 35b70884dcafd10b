//! The meaning of a name where it is used: params by dict and struct, items by dict.

use super::Checker;
use crate::ast::Name;
use crate::diagnostic::Diagnostic;
use crate::layout::{Dict, DictId, Entry, ParamId, ParamValue, ROOT, Run, Scope, Step};
use crate::names::Symbol;
use crate::span::Span;
use hashbrown::HashMap;

/// A struct whose members are being bound.
#[derive(Default)]
pub(super) struct Frame {
    params: HashMap<Symbol, ParamId>,
    /// Its members that are no params, so far.
    items: Vec<Name>,
    /// Something in it depends on a param that lies outside and can change (of a struct or a
    /// repeated dict).
    pub(super) local: bool,
}

impl Frame {
    /// Declares a param; gives the one of that name before it.
    pub(super) fn declare(&mut self, name: Symbol, param: ParamId) -> Option<ParamId> {
        self.params.insert(name, param)
    }

    pub(super) fn declare_item(&mut self, name: Name) {
        self.items.push(name);
    }
}

impl Checker<'_> {
    /// The declaration in force of a param: of the structs around, innermost first, then of the
    /// dict and its parents (spec 3.9, 4.2).
    pub(super) fn find_param(&mut self, name: Symbol) -> Option<ParamId> {
        let framed = self.frames.iter().enumerate().rev();
        let found = framed
            .filter_map(|(depth, frame)| frame.params.get(&name).map(|&param| (depth, param)))
            .next();
        if let Some((depth, param)) = found {
            self.use_param(param, depth + 1);
            return Some(param);
        }
        let param = self.find_dict_param(name)?;
        self.use_param(param, 0);
        Some(param)
    }

    fn find_dict_param(&self, name: Symbol) -> Option<ParamId> {
        let mut dict = Some(self.dict);
        while let Some(id) = dict {
            if let Some(&param) =
                self.layout.param_names.get(&(id, name)).and_then(|found| found.last())
            {
                return Some(param);
            }
            dict = self.layout[id].parent;
        }
        None
    }

    /// Notes that a param is needed, from all the structs that lie inside of its own.
    fn use_param(&mut self, param: ParamId, inside: usize) {
        let declared = &mut self.layout.params[param.index()];
        declared.used = true;
        let streamed = matches!(declared.value, ParamValue::Streamed(..));
        if streamed && !matches!(declared.scope, Scope::Dict(_)) {
            for frame in &mut self.frames[inside..] {
                frame.local = true;
            }
        }
    }

    /// As [`Self::find_param`]; an unknown name is reported where it stands.
    pub(super) fn param_or_report(&mut self, name: Name) -> Option<ParamId> {
        if let Some(param) = self.find_param(name.symbol) {
            return Some(param);
        }
        self.report_unknown_param(name, name.span, None);
        None
    }

    /// Says that there is no such param; `inside` is where a type says the name.
    pub(super) fn report_unknown_param(&mut self, name: Name, at: Span, inside: Option<Span>) {
        if self.broken.contains(&name.symbol) {
            return;
        }
        let text = self.name(name.symbol).to_owned();
        let message = match inside {
            None => format!("unknown param `{text}`: no such param is declared before this"),
            Some(_) => format!("the type used here needs a param `{text}`, which is not in scope"),
        };
        let mut diagnostic = Diagnostic::error("unknown-param", at, message);
        if let Some(span) = inside {
            diagnostic = diagnostic.also(span, "it is a dimension here");
        }
        let item = if self.advises() { self.item_in_scope(name.symbol) } else { None };
        if let Some(span) = item {
            let help = format!("a data item is no param; to use it as one, write `{text} : …`");
            diagnostic = diagnostic.also(span, "this is a data item").help(help);
        } else if let Some(near) = self.similar_param(&text) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        } else if self.divides_address(at) {
            let help = "a `/` that touches an address divides it; with a blank before it, it goes to the root dict";
            diagnostic = diagnostic.help(help);
        }
        self.report(diagnostic);
    }

    /// Whether a name stands behind a `/` that touches what stands behind an `@`.
    fn divides_address(&self, at: Span) -> bool {
        let before = self.text.get(..at.start as usize).and_then(|text| text.strip_suffix('/'));
        let is_of_sum = |c: char| c.is_ascii_alphanumeric() || "_+-*/()".contains(c);
        before.is_some_and(|text| text.trim_end_matches(is_of_sum).ends_with('@'))
    }

    /// Where the data item stands that a name would mean, were it a param.
    fn item_in_scope(&self, name: Symbol) -> Option<Span> {
        let members = self.frames.iter().rev().flat_map(|frame| &frame.items);
        let member = members.filter(|item| item.symbol == name).map(|item| item.span).next();
        member.or_else(|| {
            let mut around = std::iter::successors(Some(self.dict), |id| self.layout[*id].parent);
            around.find_map(|dict| match self.entry(dict, name) {
                Some(Entry::Array(_)) => self.declared.get(&(dict, name)).copied(),
                _ => None,
            })
        })
    }

    /// Every param that is in scope, for suggestions.
    pub(super) fn params_in_scope(&self) -> Vec<Symbol> {
        let mut found: Vec<Symbol> =
            self.frames.iter().flat_map(|frame| frame.params.keys().copied()).collect();
        let mut around = Vec::new();
        let mut dict = Some(self.dict);
        while let Some(id) = dict {
            around.push(id);
            dict = self.layout[id].parent;
        }
        let in_dicts = self.layout.param_names.keys();
        found.extend(in_dicts.filter(|(dict, _)| around.contains(dict)).map(|&(_, name)| name));
        found
    }

    /// Declares a name of a dict; a clash is reported and the first declaration stays.
    pub(super) fn declare(&mut self, dict: DictId, name: Name, entry: Entry) {
        let key = (dict, name.symbol);
        let Some(&first) = self.layout.entries.get(&key) else {
            self.layout.entries.insert(key, entry);
            self.declared.insert(key, name.span);
            return;
        };
        let span = self.declared.get(&key).copied().unwrap_or_default();
        self.report_clash(name, entry, first, span);
    }

    pub(super) fn report_clash(&mut self, name: Name, entry: Entry, first: Entry, span: Span) {
        let mut text = String::new();
        crate::layout::path::push_name(&mut text, self.name(name.symbol));
        let (new, old) = (entry_kind(entry), entry_kind(first));
        let spliced = |entry| matches!(entry, Entry::Spliced(..));
        let code = match () {
            () if spliced(entry) => "splice-clash",
            () if new == old => "redeclared-item",
            () if spliced(first) && matches!(entry, Entry::Array(_)) => "splice-clash",
            () => "kind-clash",
        };
        let message = if new == old {
            format!("`{text}` is declared twice")
        } else {
            format!("`{text}` is {new} here, but {old} before")
        };
        self.report(Diagnostic::error(code, name.span, message).also(span, "first declared here"));
    }

    /// The root dict, made before everything else.
    pub(super) fn root_dict(&mut self) -> DictId {
        self.new_dict(None, Symbol::EMPTY, None, None, Span::default());
        ROOT
    }

    /// A new dict. `home` is the dict whose run its items lie in; none makes it its own.
    pub(super) fn new_dict(
        &mut self,
        parent: Option<DictId>,
        name: Symbol,
        home: Option<DictId>,
        list: Option<crate::layout::ListId>,
        span: Span,
    ) -> DictId {
        let id = DictId(self.layout.dicts.len() as u32);
        let home = home.unwrap_or(id);
        self.layout.dicts.push(Dict { parent, name, home, list, span, ..Dict::root() });
        id
    }

    /// Stores the steps of a run that is complete.
    pub(super) fn close_run(&mut self, steps: Vec<Step>) -> Run {
        let start = self.layout.steps.len() as u32;
        self.layout.steps.extend(steps);
        Run { start, end: self.layout.steps.len() as u32 }
    }
}

fn entry_kind(entry: Entry) -> &'static str {
    match entry {
        Entry::Array(_) => "a data item",
        Entry::Spliced(..) => "a member of the record `\"\"`",
        Entry::Dict(_) => "a dict",
        Entry::List(_) => "a list",
    }
}
