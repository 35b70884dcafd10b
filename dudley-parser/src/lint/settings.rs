//! How bad what a lint finds is: said by attributes of a layout, of a dict or of an item, and for many
//! layouts by the code that asks.
//!
//! `lint_allow`, `lint_note`, `lint_warn` and `lint_deny` name rules, as a text or a list of texts, with or
//! without `lint-`; without a value they mean all rules. They hold for what has them and all below it, and
//! the nearest counts.

use super::RULES;
use crate::comments::{AttrValue, Attribute};
use crate::diagnostic::{Diagnostic, Severity};
use crate::layout::{
    ArrayId, DictId, DocKey, Element, Layout, ListId, ROOT, RecordId, Run, Scope, Step,
};
use crate::span::Span;
use hashbrown::HashMap;

/// The level of a rule: no finding, or findings of a severity.
pub type Weight = Option<Severity>;

/// The attributes that say something of rules.
pub const ATTRIBUTES: [&str; 4] = ["lint_allow", "lint_note", "lint_warn", "lint_deny"];

/// The settings of rules.
///
/// ```
/// use dudley_parser::{Severity, lint::{Settings, lint_with}};
///
/// let layout = dudley_parser::check(b"N : i8  x = f8").layout.unwrap();
/// let mut settings = Settings::new();
/// settings.set("lint-unused-param", Some(Severity::Error));
/// assert!(lint_with(&layout, &settings).iter().any(|found| found.severity.is_error()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    all: Option<Weight>,
    rules: HashMap<&'static str, Weight>,
}

/// The code of a rule by its name, with or without `lint-`; `None` if there is no such rule.
///
/// ```
/// use dudley_parser::lint::settings::rule;
///
/// assert_eq!((rule("unused-param").is_some(), rule("no-such-rule")), (true, None));
/// ```
pub fn rule(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("lint-").unwrap_or(name);
    RULES.iter().copied().find(|code| code.strip_prefix("lint-") == Some(name))
}

impl Settings {
    /// Nothing said: every rule gives notes.
    ///
    /// ```
    /// assert!(dudley_parser::lint::Settings::new().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// The settings in attributes.
    ///
    /// ```
    /// use dudley_parser::lint::Settings;
    ///
    /// assert!(Settings::of_attributes(&[]).is_empty());
    /// ```
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
    ///
    /// ```
    /// let mut settings = dudley_parser::lint::Settings::new();
    /// settings.set("lint-unused-param", None); // allowed
    /// assert!(!settings.is_empty());
    /// ```
    pub fn set(&mut self, code: &'static str, weight: Weight) {
        self.rules.insert(code, weight);
    }

    /// These, and what `outer` says where they say nothing.
    ///
    /// ```
    /// use dudley_parser::lint::Settings;
    ///
    /// let mut outer = Settings::new();
    /// outer.set("lint-unused-param", None);
    /// assert!(!Settings::new().within(&outer).is_empty());
    /// ```
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

    /// Gives findings the severity of their rules, and removes findings of allowed rules.
    ///
    /// ```
    /// use dudley_parser::lint::{Settings, lint};
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8").layout.unwrap();
    /// let mut found = lint(&layout);
    /// let mut settings = Settings::new();
    /// found.iter().for_each(|finding| settings.set(finding.code, None));
    /// settings.apply(&mut found);
    /// assert!(found.is_empty());
    /// ```
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

    /// Whether it is empty.
    ///
    /// ```
    /// assert!(dudley_parser::lint::Settings::new().is_empty());
    /// ```
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

/// The rules that an attribute names; `None` where it means all.
fn named(attribute: &Attribute) -> Option<Vec<&str>> {
    match &attribute.value {
        AttrValue::Text(name) => Some(vec![name]),
        AttrValue::Texts(names) => Some(names.iter().map(String::as_str).collect()),
        AttrValue::True => None,
        // A number names nothing.
        _ => Some(Vec::new()),
    }
}

/// Attributes about lints that name no rule, or are none that there are.
pub(super) fn unknown_rules(layout: &Layout, found: &mut Vec<Diagnostic>) {
    for attribute in layout.attributes.values().flatten() {
        if weight_of(&attribute.name).is_none() {
            if attribute.name.starts_with("lint_") {
                let message = format!("`{}` says nothing of lints", attribute.name);
                let help =
                    format!("there are {}", ATTRIBUTES.map(|it| format!("`{it}`")).join(", "));
                found.push(Diagnostic::note("lint-rule", attribute.span, message).help(help));
            }
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
        if !ATTRIBUTES.iter().any(|name| layout.has_attribute(name)) {
            return Places(Vec::new());
        }
        let around = Around::new(layout);
        let mut all = Vec::new();
        for (at, dict) in layout.dicts().iter().enumerate().skip(1) {
            all.push((dict.span.start, around.dicts[at].clone()));
        }
        all.extend(around.types.iter().map(|(start, _, settings)| (*start, settings.clone())));
        for (id, array) in layout.arrays() {
            all.push((array.span.start, around.item(Step::Array(id))));
        }
        for (id, param) in layout.params() {
            all.push((param.span.start, around.item(Step::Param(id))));
        }
        for (at, list) in layout.lists.iter().enumerate() {
            all.push((list.span.start, around.list(ListId(at as u32))));
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

/// What declarations say of rules, with what they stand in.
struct Around<'l> {
    layout: &'l Layout,
    dicts: Vec<Settings>,
    /// Named types in the order of the text: where each begins, its body, what it says.
    types: Vec<(u32, Span, Settings)>,
    /// The list or the struct that something is in, if it is not in a dict alone.
    holders: HashMap<(bool, u32), Holder>,
    /// The items that structs without a name are the elements of.
    owners: HashMap<RecordId, ArrayId>,
}

#[derive(Clone, Copy)]
enum Holder {
    List(ListId),
    Struct(RecordId),
}

/// An item or param as a key: params have numbers of their own.
fn key(step: Step) -> Option<(bool, u32)> {
    match step {
        Step::Array(id) => Some((false, id.0)),
        Step::Param(id) => Some((true, id.0)),
        _ => None,
    }
}

impl<'l> Around<'l> {
    fn new(layout: &'l Layout) -> Around<'l> {
        let mut holders = HashMap::new();
        let mut hold = |run: Run, holder: Holder| {
            holders.extend(layout.run(run).iter().filter_map(|&step| Some((key(step)?, holder))));
        };
        for repeat in &layout.repeats {
            hold(repeat.body, Holder::List(repeat.list));
        }
        for (at, record) in layout.records.iter().enumerate() {
            hold(record.members, Holder::Struct(RecordId(at as u32)));
        }
        let owners = layout.arrays().filter_map(|(id, array)| match array.element {
            Element::Record(record) if layout[record].ty.is_none() => Some((record, id)),
            _ => None,
        });
        let owners = owners.collect();
        let types = layout.types().iter();
        let types = types.map(|ty| (ty.span.start, ty.body, said(layout, ty.span))).collect();
        let mut around = Around { layout, dicts: Vec::new(), types, holders, owners };
        // A dict is declared behind what it is in.
        for (at, dict) in layout.dicts().iter().enumerate() {
            let own = match DictId(at as u32) {
                ROOT => Settings::new(),
                _ => said(layout, dict.span),
            };
            let outer = match (dict.list, dict.parent) {
                (Some(list), _) => around.list(list),
                (None, Some(parent)) => around.dict(parent),
                (None, None) => Settings::new(),
            };
            around.dicts.push(own.within(&outer));
        }
        around
    }

    fn dict(&self, id: DictId) -> Settings {
        self.dicts.get(id.index()).cloned().unwrap_or_default()
    }

    /// What lists say, with those and the dict around them.
    fn list(&self, id: ListId) -> Settings {
        let mut list = &self.layout[id];
        let mut settings = said(self.layout, list.span);
        while let Some(outer) = list.outer {
            list = &self.layout[outer];
            settings = settings.within(&said(self.layout, list.span));
        }
        match self.dicts.get(list.dict.index()) {
            Some(dict) => settings.within(dict),
            None => settings,
        }
    }

    /// What the type says that something is written in.
    fn typed(&self, span: Span) -> Settings {
        // Types stand in the order of the text, and none in another.
        let begun = self.types.partition_point(|(_, body, _)| body.start <= span.start);
        let around = self.types[..begun].last().filter(|(_, body, _)| span.end <= body.end);
        around.map(|(.., settings)| settings.clone()).unwrap_or_default()
    }

    /// What an item or param says, with all around it.
    fn item(&self, mut step: Step) -> Settings {
        let mut settings = Settings::new();
        loop {
            let (span, dict) = match step {
                Step::Array(id) => (self.layout[id].span, self.layout[id].dict),
                Step::Param(id) => match self.layout[id].scope {
                    Scope::Dict(dict) | Scope::Repeated(dict) => (self.layout[id].span, Some(dict)),
                    Scope::Record => (self.layout[id].span, None),
                },
                _ => return settings,
            };
            settings = settings.within(&said(self.layout, span));
            let holder = key(step).and_then(|key| self.holders.get(&key).copied());
            let owner = match holder {
                Some(Holder::List(list)) => {
                    return settings.within(&self.list(list));
                }
                Some(Holder::Struct(record)) => self.owners.get(&record),
                None => None,
            };
            match (owner, dict) {
                (Some(&owner), _) => step = Step::Array(owner),
                (None, Some(dict)) => return settings.within(&self.dict(dict)),
                (None, None) => return settings.within(&self.typed(span)),
            }
        }
    }
}

/// What is said where something is declared.
fn said(layout: &Layout, span: Span) -> Settings {
    Settings::of_attributes(layout.attributes(DocKey::of(span)))
}
