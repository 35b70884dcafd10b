//! The values of a struct for a writer: its items by path, and the params from their shapes.
//!
//! A layout says `rho = f8[JMAX-, IMAX-]`, a program has an array. So the value of `JMAX` is found
//! from the shapes of all that it decides, or from a field of its name; and that these agree is
//! checked before anything is written.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::sync::Arc;

use dudley_parser::layout::dtype::Primitive;
use dudley_parser::layout::{
    ArrayId, Count, DictId, Dim, DocKey, Element, Entry, Layout, ListId, ParamId, ParamValue, ROOT,
    Scope, Step,
};

use super::shape::wrong_value;
use super::solve::{Claim, Found};
use crate::elements::value::Value;
use crate::encode::input::Input;
use crate::error::{Error, Result};
use crate::read::item::Item;
use crate::read::path::{join, join_index, sibling};
use crate::write::Writer;

/// Collects what the fields of a struct give.
pub struct Giver<'a> {
    layout: Arc<Layout>,
    /// The dicts that are open: each with its path.
    open: Vec<(Option<DictId>, String)>,
    items: Vec<(String, Input<'a>)>,
    params: BTreeMap<String, i128>,
    claims: Vec<Claim>,
    /// Streamed params that are in the stream once it is written, by path.
    needed: Vec<String>,
    /// Whether only shapes and params are of interest, not what is written.
    checks: bool,
    /// Paths of items, each with the names that it had in older streams.
    aliases: Vec<(String, &'static [&'static str])>,
}

impl<'a> Giver<'a> {
    pub(super) fn new(layout: Arc<Layout>) -> Self {
        let mut giver = Giver {
            layout,
            open: vec![(Some(ROOT), "/".to_owned())],
            items: Vec::new(),
            params: BTreeMap::new(),
            claims: Vec::new(),
            needed: Vec::new(),
            checks: false,
            aliases: Vec::new(),
        };
        let layout = &giver.layout;
        let once = layout.params().filter(|(id, param)| {
            matches!(param.scope, Scope::Dict(_)) && needs_value(layout, *id)
        });
        giver.needed = once.map(|(id, _)| layout.param_path(id)).collect();
        giver
    }

    /// One that checks what was read from a dict, and writes nothing.
    pub(super) fn checking(layout: Arc<Layout>, dict: &Item) -> Self {
        let mut giver = Giver::new(layout);
        giver.open = vec![(Some(ROOT), dict.path().to_owned())];
        giver.checks = true;
        giver
    }

    fn dict(&self) -> Option<DictId> {
        self.open.last().and_then(|(dict, _)| *dict)
    }

    fn path(&self, name: &str) -> String {
        join(self.open.last().map_or("/", |(_, path)| path), name)
    }

    fn entry(&self, name: &str) -> Option<Entry> {
        self.layout.entry(self.dict()?, self.layout.symbol(name)?)
    }

    /// Whether a name of the open dict is that of a param, and of nothing else.
    pub(super) fn is_param(&self, name: &str) -> bool {
        self.entry(name).is_none() && self.declared(name).is_some()
    }

    fn declared(&self, name: &str) -> Option<ParamId> {
        let declared = self.layout.declarations(self.dict()?, self.layout.symbol(name)?);
        declared.first().copied()
    }

    /// Gives a param its value.
    pub(super) fn param(&mut self, name: &str, value: i128) -> Result<()> {
        let path = self.path(name);
        if let Some(ParamValue::Fixed(fixed)) = self.declared(name).map(|id| self.layout[id].value)
        {
            return if i128::from(fixed) == value {
                Ok(())
            } else {
                Err(Error::WrongValue {
                    item: crate::error::Item::new(path),
                    expected: fixed.to_string().into(),
                    found: value.to_string().into(),
                })
            };
        }
        self.params.insert(path, value);
        Ok(())
    }

    /// Gives an array, or a scalar.
    pub(super) fn array(&mut self, name: &str, shape: &[u64], input: Input<'a>) -> Result<()> {
        self.claim(name, shape, false);
        if !self.checks {
            self.items.push((self.path(name), input));
        }
        Ok(())
    }

    /// Gives text; `shape` is that of an array of texts.
    pub(super) fn text(&mut self, name: &str, texts: &[String], shape: &[usize]) -> Result<()> {
        let mut lengths: Vec<u64> = shape.iter().map(|length| *length as u64).collect();
        let path = self.path(name);
        if texts.iter().any(|text| text.ends_with('\0')) {
            // It would come back without: in a stream these are padding (spec 3.2).
            return Err(
                wrong_value("text that does not end in NUL", "NUL at its end").of_item(&path)
            );
        }
        let primitive = match self.entry(name) {
            Some(Entry::Array(id)) => match self.layout[id].element {
                Element::Primitive(primitive, _) => Some(primitive),
                Element::Record(_) => None,
            },
            _ => None,
        };
        if let Some(primitive) = primitive {
            let units = texts.iter().map(|text| units(text, primitive)).max();
            lengths.push(units.unwrap_or(0));
        }
        self.claim(name, &lengths, primitive.is_some());
        if self.checks {
            return Ok(());
        }
        let mut values = texts.iter().map(|text| Value::Text(text.clone()));
        let value = nested(&mut values, shape);
        self.items.push((path, Input::Value(value)));
        Ok(())
    }

    /// Says whether a list is there that may be absent.
    pub(super) fn presence(&mut self, name: &str, there: bool) -> Result<()> {
        self.param(&format!("has_{name}"), if there { -1 } else { 0 })
    }

    /// Says which names an item of the open dict had in older streams, for what is read from one.
    pub fn known_as(&mut self, name: &str, aliases: &'static [&'static str]) {
        if self.checks {
            self.aliases.push((self.path(name), aliases));
        }
    }

    /// Whether a dict that was read has an item, under its name or one that it had.
    fn is_there(&self, dict: &Item, path: &str) -> bool {
        let mut paths = vec![path.to_owned()];
        // Those of dicts were given before those of what is in them.
        for (known, aliases) in self.aliases.iter().rev() {
            let rests = paths.iter().filter_map(|path| path.strip_prefix(known.as_str()));
            let rests = rests.filter(|rest| rest.is_empty() || rest.starts_with('/'));
            let renamed: Vec<String> = rests
                .flat_map(|rest| aliases.iter().map(move |alias| sibling(known, alias) + rest))
                .collect();
            paths.extend(renamed);
        }
        paths.iter().any(|path| dict.stream().get(path).is_ok())
    }

    /// Says that an item is absent.
    pub(super) fn absent(&mut self, name: &str) {
        let counts = match self.entry(name) {
            Some(Entry::Array(id)) => self.counts(id),
            Some(Entry::List(id)) => vec![self.repeat(id)],
            _ => return,
        };
        if let Some(at) = counts.iter().position(|count| matches!(count, Count::Param(..))) {
            let presence = counts.iter().position(|count| self.is_presence(*count));
            let found = Found::Absent(presence.unwrap_or(at));
            self.push_claim(name, &counts, found);
        }
    }

    /// Gives the fields of a struct to a dict.
    pub(super) fn enter(
        &mut self,
        name: &str,
        give: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if name.is_empty() {
            // A repetition of a list, which is open already.
            return give(self);
        }
        let dict = match self.entry(name) {
            Some(Entry::Dict(dict)) => Some(dict),
            _ => None,
        };
        self.inside(dict, self.path(name), give)
    }

    /// Gives structs to a list of dicts; `shape` is that of the lists in it.
    pub(super) fn list<T>(
        &mut self,
        name: &str,
        items: &'a [T],
        shape: &[usize],
        give: impl Fn(&'a T, &mut Self) -> Result<()>,
    ) -> Result<()> {
        let lengths: Vec<u64> = shape.iter().map(|length| *length as u64).collect();
        let mut counts = Vec::new();
        let mut dict = None;
        if let Some(Entry::List(list)) = self.entry(name) {
            let mut next = Some(list);
            while let Some(list) = next {
                counts.push(self.repeat(list));
                (next, dict) = self.body(list);
            }
        }
        let found = Found::Shape { lengths, presence: None, text: false };
        self.push_claim(name, &counts, found);
        for (at, item) in items.iter().enumerate() {
            let mut path = self.path(name);
            let mut rest = at;
            for axis in 0..shape.len() {
                let below: usize = shape[axis + 1..].iter().product();
                path = join_index(&path, (rest / below.max(1)) as u64);
                rest %= below.max(1);
            }
            self.inside(dict, path, |giver| give(item, giver))?;
        }
        Ok(())
    }

    fn inside(
        &mut self,
        dict: Option<DictId>,
        path: String,
        give: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if let Some(dict) = dict {
            let own = self.layout.params().filter(|(id, param)| {
                param.scope == Scope::Repeated(dict) && needs_value(&self.layout, *id)
            });
            let labels = own.map(|(id, _)| join_label(&path, &self.layout, id));
            let labels: Vec<String> = labels.collect();
            self.needed.extend(labels);
        }
        self.open.push((dict, path));
        let given = give(self);
        self.open.pop();
        given
    }

    /// The list or dict that a list holds, if that is all.
    fn body(&self, list: ListId) -> (Option<ListId>, Option<DictId>) {
        let repeat = self.layout[list].pieces.first();
        match repeat.map(|id| self.layout.run(self.layout[*id].body)) {
            Some([Step::Group(dict)]) => (None, Some(*dict)),
            Some([Step::Repeat(inner)]) => (Some(self.layout[*inner].list), None),
            _ => (None, None),
        }
    }

    /// How often a list repeats.
    fn repeat(&self, list: ListId) -> Count {
        let repeat = self.layout[list].pieces.first();
        repeat.map_or(Count::Int(0), |id| self.layout[*id].count)
    }

    fn counts(&self, id: ArrayId) -> Vec<Count> {
        self.layout.dims(&self.layout[id]).iter().map(|dim: &Dim| dim.count).collect()
    }

    /// Whether a dimension says that something is there.
    fn is_presence(&self, count: Count) -> bool {
        let Count::Param(id, 0) = count else { return false };
        self.layout.attribute(DocKey::of(self.layout[id].span), "presence").is_some()
    }

    fn claim(&mut self, name: &str, shape: &[u64], text: bool) {
        let Some(Entry::Array(id)) = self.entry(name) else { return };
        let counts = self.counts(id);
        let presence = if counts.len() == shape.len() + 1 {
            counts.iter().position(|count| self.is_presence(*count))
        } else {
            None
        };
        let found = Found::Shape { lengths: shape.to_vec(), presence, text };
        self.push_claim(name, &counts, found);
    }

    fn push_claim(&mut self, name: &str, counts: &[Count], found: Found) {
        let dims = counts.iter().map(|count| (*count, self.label(*count))).collect();
        let claim = Claim { path: self.path(name), dims, found };
        self.claims.push(claim);
    }

    /// The path of the param that a dimension is made from; empty if it is a number.
    fn label(&self, count: Count) -> String {
        let Some(id) = self.layout.sole_param(count) else { return String::new() };
        match self.layout[id].scope {
            Scope::Dict(_) => {
                let path = self.layout.param_path(id);
                match self.open.first() {
                    Some((_, root)) if root != "/" => format!("{root}{path}"),
                    _ => path,
                }
            }
            Scope::Repeated(dict) => {
                let mut open = self.open.iter().rev();
                let path = open.find(|(other, _)| *other == Some(dict)).map(|(_, path)| path);
                join_label(path.map_or("/", String::as_str), &self.layout, id)
            }
            Scope::Record => String::new(),
        }
    }

    /// A writer that has everything.
    pub(super) fn finish(mut self) -> Result<Writer<'a>> {
        self.decide();
        for path in std::mem::take(&mut self.needed) {
            // Nothing that is there depends on it.
            self.params.entry(path).or_insert(0);
        }
        self.agree().map_err(|(_, error)| error)?;
        let mut writer = Writer::new(self.layout).attach(true);
        for (path, value) in self.params {
            writer = writer.param(path, value);
        }
        for (path, input) in self.items {
            writer = writer.put(path, input);
        }
        Ok(writer)
    }

    /// Checks that the shapes of what was read from a dict agree.
    ///
    /// # Errors
    /// As [`Self::finish`].
    pub(super) fn check(mut self, dict: &Item) -> Result<()> {
        let given = self.params.clone();
        self.decide();
        if self.agree().is_ok() {
            return Ok(());
        }
        // A field that the stream does not have is the default of its type, and says nothing.
        self.params = given.into_iter().filter(|(path, _)| self.is_there(dict, path)).collect();
        let mut claims = std::mem::take(&mut self.claims);
        claims.retain(|claim| self.is_there(dict, &claim.path));
        self.claims = claims;
        let deciders = self.decide();
        // A writer has the arrays at hand. A reader does not, so the message has the other shape, too.
        self.agree().map_err(|(at, error)| {
            let labels = self.claims[at].dims.iter().map(|(_, label)| label);
            let decided = labels.filter_map(|label| deciders.get(label).copied());
            let mut fields: Vec<usize> = decided.filter(|decider| *decider != at).collect();
            fields.dedup();
            error.of_shapes(fields.into_iter().filter_map(|at| self.claims[at].shape()).collect())
        })
    }

    /// Finds the params from the shapes: first what one shape settles, then the rest. Gives which claim
    /// decided each.
    fn decide(&mut self) -> BTreeMap<String, usize> {
        let mut deciders = BTreeMap::new();
        for certain in [true, false] {
            for (at, claim) in self.claims.iter().enumerate() {
                for (label, value) in claim.params(&self.layout, certain) {
                    if let Slot::Vacant(slot) = self.params.entry(label) {
                        deciders.insert(slot.key().clone(), at);
                        slot.insert(value);
                    }
                }
            }
        }
        deciders
    }

    /// Checks that the params come to the shape of each field; the error comes with the claim that does not agree.
    fn agree(&self) -> std::result::Result<(), (usize, Error)> {
        self.claims.iter().enumerate().try_for_each(|(at, claim)| {
            claim.check(&self.layout, &self.params).map_err(|error| (at, error))
        })
    }
}

/// Whether a param is in the stream and the layout does not state its value.
fn needs_value(layout: &Layout, id: ParamId) -> bool {
    layout[id].is_streamed() && layout.attribute(DocKey::of(layout[id].span), "const").is_none()
}

/// The path of a param in a dict of that path.
fn join_label(path: &str, layout: &Layout, id: ParamId) -> String {
    let mut joined = if path == "/" { String::new() } else { path.to_owned() };
    joined.push('/');
    layout.push_param(&mut joined, id);
    joined
}

/// How many units a text has.
fn units(text: &str, primitive: Primitive) -> u64 {
    let units = match primitive {
        Primitive::Utf8 => text.len(),
        Primitive::Utf16 => text.encode_utf16().count(),
        _ => text.chars().count(),
    };
    units as u64
}

fn nested(values: &mut dyn Iterator<Item = Value>, shape: &[usize]) -> Value {
    match shape.split_first() {
        None => values.next().unwrap_or(Value::Null),
        Some((length, rest)) => Value::Array((0..*length).map(|_| nested(values, rest)).collect()),
    }
}
