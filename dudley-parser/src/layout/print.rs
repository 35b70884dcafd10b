//! Layouts printed as canonical text.
//!
//! Everything is declared in the order in which it was: names, params, places and repeats are
//! written from the model. Only the bodies of structs are copied from the text that the layout keeps,
//! since names in them mean something else at each use. Plain comments outside of structs are
//! absent: the model has none.

mod comments;

pub(crate) use comments::spelt_attribute;

use super::{
    Array, ArrayId, Count, DictId, DocKey, Element, FilterId, Layout, ListId, Param, ParamValue,
    Place, ROOT, Record, RepeatId, Run, Scope, Step,
};
use crate::ast::FilterValue;
use crate::format::format;
use crate::format::names::{quoted, spelt};
use crate::layout::dtype::{ByteOrder, Primitive};
use crate::layout::expr::written;
use crate::span::Span;
use hashbrown::HashMap;
use std::fmt::Write;

/// A layout as text, in the canonical spelling: [`crate::check()`] makes the same layout of it.
///
/// ```
/// let text = "N:=i4 g/h/ x=f8 [ N , 3 ]%8 ## (m) length";
/// let layout = dudley_parser::check(text.as_bytes()).layout.unwrap();
/// let printed = dudley_parser::layout::print::print(&layout);
/// assert_eq!(printed, "N : i4\ng/\n  h/\n    x = f8[N, 3]\n    ## (m) length\n");
/// ```
pub fn print(layout: &Layout) -> String {
    let mut printer = Printer::new(layout);
    printer.layout();
    // What a checked layout is printed as is always sound; if not, it still says what it should.
    format(&printer.text).unwrap_or(printer.text)
}

/// The alignments that typedefs gave to primitives (spec 3.6).
fn redefined(layout: &Layout) -> HashMap<Primitive, u64> {
    let types = layout.types().iter();
    types.filter_map(|ty| Some((Primitive::from_name(layout.name(ty.name))?, ty.align))).collect()
}

/// Prints a layout, or parts of it.
pub(crate) struct Printer<'a> {
    layout: &'a Layout,
    text: String,
    /// The dict that what comes next is declared in.
    current: DictId,
    /// How many types are printed.
    types: usize,
    redefined: HashMap<Primitive, u64>,
}

impl<'a> Printer<'a> {
    pub(crate) fn new(layout: &'a Layout) -> Printer<'a> {
        Printer {
            layout,
            text: String::new(),
            current: ROOT,
            types: 0,
            redefined: redefined(layout),
        }
    }

    /// What was printed since the last time.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// A step of the root, without the types that are declared before it or in it.
    pub(super) fn step_alone(&mut self, step: Step) {
        self.types = self.layout.types.len();
        self.step(step, u32::MAX);
    }
}

/// A filter with its arguments, as it stands behind a type.
pub(super) fn filter_words(name: &str, args: &[FilterValue]) -> String {
    let mut text = format!(" -> {}", spelt(name));
    for (at, arg) in args.iter().enumerate() {
        text.push_str(if at == 0 { "(" } else { ", " });
        let _ = match arg {
            FilterValue::Int(value) => write!(text, "{value}"),
            FilterValue::Float(value) => write!(text, "{value:?}"),
            FilterValue::Text(given) => write!(text, "{}", quoted(given)),
        };
    }
    if !args.is_empty() {
        text.push(')');
    }
    text
}

impl Printer<'_> {
    fn layout(&mut self) {
        let layout = self.layout;
        self.text.push_str(&layout.opening());
        self.comments(DocKey::LAYOUT, 0, u32::MAX);
        let mut steps = layout.root();
        if let Some(summary) = &layout.summary {
            let (inside, outside) = steps.split_at(summary.steps as usize);
            self.text.push_str("{\n");
            self.comments(DocKey::SUMMARY, 0, u32::MAX);
            self.steps(inside, 0);
            self.text.push_str("}\n");
            steps = outside;
        }
        self.steps(steps, u32::MAX);
    }

    /// The steps of a dict body; types before `end` are declared in it too.
    fn steps(&mut self, steps: &[Step], end: u32) {
        for (at, &step) in steps.iter().enumerate() {
            let next = steps.get(at + 1).map_or(end, |&next| self.start(next));
            self.types(self.start(step));
            self.step(step, next);
        }
        self.types(end);
    }

    /// Where a step stands in the text.
    fn start(&self, step: Step) -> u32 {
        let span = match step {
            Step::Param(id) => self.layout[id].span,
            Step::Array(id) => self.layout[id].span,
            Step::Repeat(id) => self.layout[id].span,
            Step::Group(id) | Step::Enter(id) => self.layout[id].span,
        };
        span.start
    }

    /// The types that are declared before an offset of the text.
    fn types(&mut self, before: u32) {
        while let Some(ty) = self.layout.types.get(self.types)
            && ty.span.start < before
        {
            self.types += 1;
            self.declare(self.types - 1);
        }
    }

    /// The declaration of a type, by its index.
    pub(super) fn declare(&mut self, ty: usize) {
        let layout = self.layout;
        let ty = &layout.types[ty];
        self.name(layout.name(ty.name));
        self.text.push(' ');
        self.source(ty.body);
        self.text.push('\n');
        self.comments(DocKey::of(ty.span), ty.body.end, u32::MAX);
    }

    fn source(&mut self, span: Span) {
        self.text.push_str(self.layout.text.get(span.range()).unwrap_or_default());
    }

    fn name(&mut self, name: &str) {
        self.text.push_str(&spelt(name));
    }

    fn step(&mut self, step: Step, next: u32) {
        let layout = self.layout;
        match step {
            Step::Enter(dict) => {
                self.go_to(layout[dict].parent.unwrap_or(ROOT));
                self.enter(dict);
                self.comments(DocKey::of(layout[dict].span), 0, u32::MAX);
            }
            Step::Param(id) => self.param(&layout[id]),
            Step::Array(id) => {
                self.go_to(layout[id].dict.unwrap_or(ROOT));
                self.name(layout.name(layout[id].name));
                self.text.push_str(" = ");
                self.array(id);
                self.end_line();
            }
            Step::Repeat(id) => self.list(id, next),
            Step::Group(_) => {}
        }
    }

    fn end_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn enter(&mut self, dict: DictId) {
        self.name(self.layout.name(self.layout[dict].name));
        self.text.push_str("/\n");
        self.current = dict;
    }

    /// Makes a dict the current one.
    pub(super) fn go_to(&mut self, dict: DictId) {
        if dict == self.current {
            return;
        }
        let layout = self.layout;
        let (home, parent) = (layout[dict].home, layout[dict].parent);
        if dict == home {
            self.text.push_str("/\n");
        } else if layout[self.current].parent == Some(dict) {
            self.text.push_str("..\n");
        } else {
            self.go_to(parent.unwrap_or(home));
            return self.enter(dict);
        }
        self.current = dict;
    }

    fn param(&mut self, param: &Param) {
        let layout = self.layout;
        if let Scope::Dict(dict) | Scope::Repeated(dict) = param.scope {
            self.go_to(dict);
        }
        self.name(layout.name(param.name));
        self.text.push_str(" : ");
        match param.value {
            // Writing to a string cannot fail, here and below.
            ParamValue::Fixed(value) => drop(write!(self.text, "{value}")),
            ParamValue::Streamed(primitive, order) => {
                self.primitive(primitive, order);
                self.place(param.place, param.align, self.natural(primitive));
            }
        }
        self.text.push('\n');
        self.comments(DocKey::of(param.span), 0, u32::MAX);
    }

    fn natural(&self, primitive: Primitive) -> u64 {
        self.packed(self.redefined.get(&primitive).copied().unwrap_or(primitive.align()))
    }

    fn packed(&self, natural: u64) -> u64 {
        self.layout.pack.map_or(natural, |pack| natural.min(pack))
    }

    fn primitive(&mut self, primitive: Primitive, order: Option<ByteOrder>) {
        match order {
            Some(order) => self.text.push(order.symbol()),
            None if self.redefined.contains_key(&primitive) => self.text.push('|'),
            None => {}
        }
        self.text.push_str(primitive.name());
    }

    /// From the type to the place, and the comments.
    fn array(&mut self, id: ArrayId) {
        let layout = self.layout;
        let array = &layout[id];
        let key = DocKey::of(array.span);
        let dtype = array.dtype_span;
        // Where the type is a struct, its text has those that stand in it.
        self.comments(key, 0, dtype.start);
        self.source(dtype);
        let own = array.rank as usize - array.typedef.map_or(0, |typedef| layout.rank(typedef));
        self.shape(&layout.dims(array)[..own]);
        if let Some(filter) = array.filter {
            self.filter(filter);
        }
        self.place(array.place, array.align, self.natural_of(array));
        self.comments(key, dtype.end, u32::MAX);
    }

    fn natural_of(&self, array: &Array) -> u64 {
        match (array.typedef, array.element) {
            (Some(record), _) | (None, Element::Record(record)) => match &self.layout[record] {
                Record { asked: Some(_), align, .. } => *align,
                record => self.packed(record.align),
            },
            (None, Element::Primitive(primitive, _)) => self.natural(primitive),
        }
    }

    fn shape(&mut self, dims: &[super::Dim]) {
        for (at, dim) in dims.iter().enumerate() {
            self.text.push_str(if at == 0 { "[" } else { ", " });
            self.count(dim.count);
        }
        if !dims.is_empty() {
            self.text.push(']');
        }
    }

    /// How often something is repeated: an expression in parentheses.
    fn repeat(&mut self, count: Count) {
        let is_expr = matches!(count, Count::Expr(_));
        self.text.push_str(if is_expr { "(" } else { "" });
        self.count(count);
        self.text.push_str(if is_expr { ")" } else { "" });
    }

    fn count(&mut self, count: Count) {
        let layout = self.layout;
        match count {
            Count::Int(value) => drop(write!(self.text, "{value}")),
            Count::Param(id, suffix) => {
                self.name(layout.name(layout[id].name));
                let sign = if suffix < 0 { "-" } else { "+" };
                self.text.push_str(&sign.repeat(suffix.unsigned_abs() as usize));
            }
            Count::Expr(expr) => {
                let name = |id: super::ParamId| spelt(layout.name(layout[id].name)).into_owned();
                self.text.push_str(&written(layout.expr(expr), name));
            }
        }
    }

    fn filter(&mut self, id: FilterId) {
        let layout = self.layout;
        let filter = &layout[id];
        self.text.push_str(&filter_words(layout.name(filter.name), &filter.args));
        self.shape(filter.stored.as_slice());
    }

    fn place(&mut self, place: Place, align: u64, natural: u64) {
        match place {
            Place::At(count, _) => {
                self.text.push_str(" @");
                self.count(count);
            }
            Place::Next if align != natural => drop(write!(self.text, " %{align}")),
            Place::Next => {}
        }
    }

    /// A piece of a named list.
    fn list(&mut self, id: RepeatId, next: u32) {
        let layout = self.layout;
        let repeat = &layout[id];
        let list = &layout[repeat.list];
        self.go_to(list.dict);
        self.name(layout.name(list.name));
        if repeat.extension {
            self.text.push('[');
            self.repeat(repeat.count);
            self.text.push(']');
        } else {
            self.text.push_str(" = ");
            self.brackets(repeat.body, repeat.count, next);
        }
        self.text.push('\n');
        self.list_comments(id, repeat.list);
    }

    /// All that is said about a list stands at its first piece.
    fn list_comments(&mut self, id: RepeatId, list: ListId) {
        let list = &self.layout[list];
        if list.pieces.first() == Some(&id) {
            self.comments(DocKey::of(list.span), 0, u32::MAX);
        }
    }

    fn brackets(&mut self, body: Run, count: Count, next: u32) {
        let layout = self.layout;
        self.text.push('[');
        let steps = layout.run(body);
        for (at, &step) in steps.iter().enumerate() {
            if at > 0 {
                self.text.push_str(", ");
            }
            let next = steps.get(at + 1).map_or(next, |&next| self.start(next));
            self.item(step, next);
        }
        self.text.push(']');
        if count != Count::Int(1) {
            self.text.push_str(" * ");
            self.repeat(count);
        }
    }

    /// An item of a list.
    fn item(&mut self, step: Step, next: u32) {
        match step {
            Step::Array(id) => self.array(id),
            Step::Repeat(id) => {
                let repeat = &self.layout[id];
                self.brackets(repeat.body, repeat.count, next);
                self.list_comments(id, repeat.list);
            }
            Step::Group(dict) => self.group(dict, next),
            // The checker puts nothing else into brackets.
            Step::Param(_) | Step::Enter(_) => {}
        }
    }

    /// An anonymous dict.
    fn group(&mut self, dict: DictId, next: u32) {
        let layout = self.layout;
        let outer = std::mem::replace(&mut self.current, dict);
        self.text.push_str("/\n");
        self.comments(DocKey::of(layout[dict].span), 0, u32::MAX);
        self.steps(layout.run(layout[dict].run), next);
        self.current = outer;
    }
}

impl Layout {
    /// What stands before all items: the byte order, and the packing.
    pub(super) fn opening(&self) -> String {
        let order = self.order.map(|order| order.symbol().to_string());
        let pack = self.pack.map(|pack| format!("%{pack}"));
        let all: Vec<String> = order.into_iter().chain(pack).collect();
        if all.is_empty() { String::new() } else { all.join(" ") + "\n" }
    }

    /// How many dimensions the member of a typedef has.
    fn rank(&self, typedef: super::RecordId) -> usize {
        let mut steps = self.run(self[typedef].members).iter();
        let rank = steps.find_map(|step| match step {
            Step::Array(id) => Some(self[*id].rank as usize),
            _ => None,
        });
        rank.unwrap_or(0)
    }
}
