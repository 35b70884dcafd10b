//! How bad what a lint finds is: said by attributes of a layout, of a dict or of an item, and for many
//! layouts by who asks.
//!
//! `lint_allow`, `lint_note`, `lint_warn` and `lint_deny` name rules, as a text or a list of texts, with or
//! without `lint-`; without a value they mean all rules. They hold for what has them and all below it, and
//! the nearest counts.

use super::RULES;
use crate::comments::{AttrValue, Attribute};
use crate::diagnostic::{Diagnostic, Severity};
use crate::layout::{DictId, DocKey, Layout, ROOT, Scope};
use crate::span::Span;
use hashbrown::HashMap;

/// What becomes of what a rule finds: nothing, or a finding of a severity.
pub type Weight = Option<Severity>;

/// What is said of rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    all: Option<Weight>,
    rules: HashMap<&'static str, Weight>,
}

/// The code of a rule by its name, with or without `lint-`; none if there is no such rule.
pub fn rule(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("lint-").unwrap_or(name);
    RULES.iter().copied().find(|code| code.strip_prefix("lint-") == Some(name))
}

impl Settings {
    /// Nothing said: every rule gives notes.
    pub fn new() -> Self {
        Self::default()
    }

    /// What attributes say.
    pub fn of_attributes(attributes: &[Attribute]) -> Settings {
        let mut settings = Settings::new();
        for attribute in attributes {
            let Some(weight) = weight_of(&attribute.name) else { continue };
            match named(attribute) {
                None => settings.all = Some(weight),
                Some(names) => settings
                    .rules
                    .extend(names.iter().filter_map(|name| Some((rule(name)?, weight)))),
            }
        }
        settings
    }

    /// Says what becomes of what a rule finds.
    pub fn set(&mut self, code: &'static str, weight: Weight) {
        self.rules.insert(code, weight);
    }

    /// These, and what `outer` says where they say nothing.
    pub fn within(mut self, outer: &Settings) -> Settings {
        if self.all.is_none() {
            for (&code, &weight) in &outer.rules {
                self.rules.entry(code).or_insert(weight);
            }
            self.all = outer.all;
        }
        self
    }

    fn weight(&self, code: &str) -> Option<Weight> {
        // Whatever is said of all rules is said of lints only.
        let all = self.all.filter(|_| code.starts_with("lint-"));
        self.rules.get(code).copied().or(all)
    }

    /// Gives findings the severity that is said of their rules; takes away those that are allowed.
    pub fn apply(&self, found: &mut Vec<Diagnostic>) {
        found.retain_mut(|finding| match self.weight(finding.code) {
            None => true,
            Some(None) => false,
            Some(Some(severity)) => {
                finding.severity = severity;
                true
            }
        });
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.all.is_none() && self.rules.is_empty()
    }
}

/// What an attribute does to the rules that it names.
fn weight_of(name: &str) -> Option<Weight> {
    Some(match name {
        "lint_allow" => None,
        "lint_note" => Some(Severity::Note),
        "lint_warn" => Some(Severity::Warning),
        "lint_deny" => Some(Severity::Error),
        _ => return None,
    })
}

/// The rules that an attribute names; none where it means all.
fn named(attribute: &Attribute) -> Option<Vec<&str>> {
    match &attribute.value {
        AttrValue::Text(name) => Some(vec![name]),
        AttrValue::Texts(names) => Some(names.iter().map(String::as_str).collect()),
        AttrValue::True => None,
        // A number names nothing.
        _ => Some(Vec::new()),
    }
}

/// Attributes about lints that name no rule.
pub(super) fn unknown_rules(layout: &Layout, found: &mut Vec<Diagnostic>) {
    for attribute in layout.attributes.values().flatten() {
        if weight_of(&attribute.name).is_none() {
            continue;
        }
        let names = named(attribute).unwrap_or_else(|| vec!["unit"]);
        let number = names.is_empty();
        let unknown = names.into_iter().find(|name| rule(name).is_none());
        if unknown.is_none() && !number {
            continue;
        }
        let name = unknown.unwrap_or("a number");
        let message = format!("`{}` names no rule: {name}", attribute.name);
        let near = crate::similar::similar(name, RULES.iter().map(|code| &code["lint-".len()..]));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the rules are {}", RULES.join(", ")),
        };
        found.push(Diagnostic::note("lint-rule", attribute.span, message).help(help));
    }
}

/// Gives findings the severity that the layout, or else `outer`, says; takes away those that are allowed.
pub(super) fn weigh(layout: &Layout, outer: &Settings, found: &mut Vec<Diagnostic>) {
    let own = Settings::of_attributes(layout.attributes(DocKey::LAYOUT)).within(outer);
    let places = Places::new(layout);
    if own.is_empty() && places.0.is_empty() {
        return;
    }
    found.retain_mut(|finding| {
        let weight = places.weight(finding.primary.span, finding.code);
        match weight.or_else(|| own.weight(finding.code)).unwrap_or(Some(finding.severity)) {
            None => false,
            Some(severity) => {
                finding.severity = severity;
                true
            }
        }
    });
}

/// Declarations with settings of their own or around them, in the order of the text.
struct Places(Vec<(u32, Settings)>);

impl Places {
    fn new(layout: &Layout) -> Places {
        const NAMES: [&str; 4] = ["lint_allow", "lint_note", "lint_warn", "lint_deny"];
        if !NAMES.iter().any(|name| layout.has_attribute(name)) {
            return Places(Vec::new());
        }
        let of = |span: Span| Settings::of_attributes(layout.attributes(DocKey::of(span)));
        let mut dicts: HashMap<DictId, Settings> = HashMap::new();
        let mut all = Vec::new();
        // A dict is declared behind its parent.
        for (at, dict) in layout.dicts().iter().enumerate() {
            let id = DictId(at as u32);
            let around = dict.parent.and_then(|parent| dicts.get(&parent).cloned());
            let own = if id == ROOT { Settings::new() } else { of(dict.span) };
            let own = own.within(&around.unwrap_or_default());
            if id != ROOT {
                all.push((dict.span.start, own.clone()));
            }
            dicts.insert(id, own);
        }
        let inside = |dict: Option<DictId>| dict.and_then(|dict| dicts.get(&dict)).cloned();
        let types = layout.types().iter().map(|ty| (ty.span.start, ty.body, of(ty.span)));
        let types: Vec<(u32, Span, Settings)> = types.collect();
        // Types stand in the order of the text, and none in another.
        let typed = |span: Span| {
            let begun = types.partition_point(|(_, body, _)| body.start <= span.start);
            let around = types[..begun].last().filter(|(_, body, _)| span.end <= body.end);
            around.map(|(.., settings)| settings.clone()).unwrap_or_default()
        };
        all.extend(types.iter().map(|(start, _, settings)| (*start, settings.clone())));
        for (_, array) in layout.arrays() {
            let around = inside(array.dict).unwrap_or_else(|| typed(array.span));
            all.push((array.span.start, of(array.span).within(&around)));
        }
        for (_, param) in layout.params() {
            let around = match param.scope {
                Scope::Dict(dict) | Scope::Repeated(dict) => inside(Some(dict)),
                Scope::Record => Some(typed(param.span)),
            };
            all.push((param.span.start, of(param.span).within(&around.unwrap_or_default())));
        }
        for list in &layout.lists {
            let around = inside(Some(list.dict)).unwrap_or_default();
            all.push((list.span.start, of(list.span).within(&around)));
        }
        all.sort_by_key(|(start, _)| *start);
        Places(all)
    }

    /// What the declaration says that a span belongs to: the last one begun before its end.
    fn weight(&self, span: Span, code: &str) -> Option<Weight> {
        let behind = self.0.partition_point(|(start, _)| *start <= span.start);
        self.0[..behind].last().and_then(|(_, settings)| settings.weight(code))
    }
}
