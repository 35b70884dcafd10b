//! From the syntax tree to a checked [`Layout`]: every rule that needs more than the grammar.
//!
//! The checker walks the text once, in its order, and builds the layout as it goes; all faults are
//! collected. What depends on numbers (sizes, overlaps, values of fixed params) is looked at in the
//! end, by resolving the finished layout with no stream at hand (`check/values.rs`).

pub(crate) mod arrays;
mod blocks;
mod constants;
mod dicts;
mod docs;
mod facts;
mod filters;
mod guards;
mod lists;
mod literals;
mod overlap;
mod params;
mod presented;
mod scope;
mod similar;
mod structs;
mod summary;
mod to_end;
mod types;
mod value_names;
mod values;

use crate::ast::{self, Ast, ItemKind};
use crate::diagnostic::{Diagnostic, Severity};
use crate::layout::dtype::{ByteOrder, Primitive};
use crate::layout::{Array, DictId, Entry, Layout, ParamId, ROOT, RecordId};
use crate::names::Symbol;
use crate::padding;
use crate::parse::{Parsed, parse};
use crate::span::Span;
use arrays::Bound;
use docs::Docs;
use facts::Facts;
pub use filters::{FilterFault, check_filters};
use hashbrown::{HashMap, HashSet};
use scope::Frame;
use types::TypeInfo;

/// The result of a check.
///
/// ```
/// let checked = dudley_parser::check(b"x = f8");
/// assert!(checked.layout.is_some() && checked.diagnostics.is_empty() && checked.text == "x = f8");
/// ```
#[derive(Debug)]
pub struct Checked {
    /// The layout, if there is no error.
    pub layout: Option<Layout>,
    /// All findings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The text that the spans of the findings refer to, as far as it is UTF-8.
    pub text: String,
}

impl Checked {
    /// The findings of a severity.
    ///
    /// ```
    /// use dudley_parser::{Severity, check};
    ///
    /// assert_eq!(check(b"x = f9  y = f9").of(Severity::Error).count(), 2);
    /// ```
    pub fn of(&self, severity: Severity) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(move |diagnostic| diagnostic.severity == severity)
    }
}

/// Parses and checks a layout text: as that of native streams, unless it says that it is of raw ones (spec 7.6).
///
/// Total: any bytes give a layout or errors, in time and memory that the length of the text bounds.
///
/// ```
/// let checked = dudley_parser::check(b"N : 3\nx = f8[N, M]");
/// assert_eq!(checked.diagnostics[0].code, "unknown-param");
/// ```
pub fn check(text: &[u8]) -> Checked {
    let checked = checked(text, Purpose::Judge { start: crate::place::NATIVE_START });
    if checked.layout.as_ref().is_some_and(Layout::is_of_raw) {
        with_padded(checked)
    } else {
        checked
    }
}

/// As [`check`], of the layout of raw streams: there is no signature that an item could overlap, and structs that are
/// padded are warned of.
///
/// ```
/// use dudley_parser::{check, check_raw};
///
/// let text = b"x = {a = u1  b = f8}";
/// assert!(check(text).diagnostics.is_empty() && !check_raw(text).diagnostics.is_empty()); // padded
/// ```
pub fn check_raw(text: &[u8]) -> Checked {
    with_padded(checked(text, Purpose::Judge { start: 0 }))
}

/// What is found of a raw stream besides.
fn with_padded(mut checked: Checked) -> Checked {
    let padded = checked.layout.iter().flat_map(padding::padded);
    checked.diagnostics.extend(padded.map(|padded| padded.finding()));
    checked.diagnostics.sort_by_key(|found| found.primary.span.start);
    checked
}

/// As [`check`], for those who want to read or write data: a malformed attribute is a warning,
/// since it moves nothing (spec 7.2); the declared values of fixed params are not looked at, since
/// others may be in force (spec 4.5).
///
/// ```
/// use dudley_parser::{Severity, check, check_to_read};
///
/// let text = b"x = f8  #: = 3"; // a malformed attribute
/// assert!(check(text).of(Severity::Error).count() > check_to_read(text).of(Severity::Error).count());
/// ```
pub fn check_to_read(text: &[u8]) -> Checked {
    checked(text, Purpose::Read)
}

/// What a text is checked for.
#[derive(Clone, Copy, PartialEq)]
enum Purpose {
    /// To say what is wrong with it; the cursor starts at an address.
    Judge { start: u64 },
    /// To read or write data: the caller may give other values than those in the text.
    Read,
}

fn checked(text: &[u8], purpose: Purpose) -> Checked {
    let Parsed { mut ast, text, diagnostics } = parse(text);
    let names = std::mem::take(&mut ast.names);
    let (mut layout, mut diagnostics) = {
        let mut checker = Checker::new(&ast, &text, diagnostics);
        checker.layout.names = names;
        checker.layout.entries.reserve(ast.items.len());
        checker.purpose = purpose;
        checker.run();
        (checker.layout, checker.diagnostics)
    };
    diagnostics.sort_by_key(|found| (found.primary.span.start, std::cmp::Reverse(found.severity)));
    let fine = diagnostics.iter().all(|found| found.severity < Severity::Error);
    let body_end = ast.terminator.map_or(ast.end, |dashes| dashes.start);
    let (end, text) = (ast.end, text.into_owned());
    layout.text.clone_from(&text);
    layout.end = end;
    layout.body_end = body_end;
    layout.declared = declared(&ast.items, layout.body());
    Checked { layout: fine.then_some(layout), diagnostics, text }
}

/// Where data and params outside of all brackets are declared. What is said about one may stand behind `..` and `/`, which
/// are in its span then.
fn declared(items: &[ast::Item], body: &str) -> Vec<Span> {
    let mut declared = Vec::with_capacity(items.len());
    let mut end = body.len();
    for item in items.iter().rev() {
        let start = item.span.start;
        match item.kind {
            ItemKind::Up | ItemKind::Root => continue,
            ItemKind::Data { .. } | ItemKind::Param { .. } => {
                let text = body.get(start as usize..end).unwrap_or_default();
                declared.push(Span::new(start, start + text.trim_end().len() as u32));
            }
            _ => {}
        }
        end = start as usize;
    }
    declared.reverse();
    declared
}

/// How many struct members unfolded types may come to, before a text is called too complex: more
/// than any real layout has, and few enough for a small machine.
const UNFOLDED_LIMIT: u64 = 1_000_000;

/// This many more for each byte of a text that is long.
const UNFOLDED_BY_BYTE: u64 = 64;

/// How many params may be looked up for the types in use.
const LOOKUP_LIMIT: usize = 100_000_000;

/// How deep types may hold types by name; as deep as brackets may nest.
const TYPE_DEPTH_LIMIT: u32 = 256;

struct Checker<'a> {
    ast: &'a Ast,
    text: &'a str,
    layout: Layout,
    diagnostics: Vec<Diagnostic>,
    docs: Docs<'a>,
    /// Where each name of a dict was declared first.
    declared: HashMap<(DictId, Symbol), Span>,
    types: HashMap<Symbol, TypeInfo<'a>>,
    structs: HashMap<u32, Facts>,
    instances: HashMap<(Symbol, Box<[ParamId]>), Bound>,
    /// By primitive: the alignment and order that a typedef gave it, and where.
    redefined: HashMap<Primitive, (u64, Option<ByteOrder>, Span)>,
    /// Where a primitive occurred first.
    seen: [Option<Span>; Primitive::ALL.len()],
    /// The structs around what is being bound, outermost first.
    frames: Vec<Frame>,
    /// The dict that names are looked up in.
    dict: DictId,
    /// Names of things that could not be parsed: unknown to nobody.
    broken: HashSet<Symbol>,
    /// Params and arrays that an error was reported for: of unknown value and size.
    poisoned_params: HashSet<ParamId>,
    poisoned_records: HashSet<RecordId>,
    poisoned: Option<RecordId>,
    /// Members that types unfolded into, and params that were looked up for it.
    unfolded: u64,
    lookups: usize,
    too_complex: bool,
    in_summary: bool,
    /// The greatest default alignment where the checker stands, if one is declared.
    pack: Option<u64>,
    purpose: Purpose,
}

impl<'a> Checker<'a> {
    fn new(ast: &'a Ast, text: &'a str, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            ast,
            text,
            layout: Layout::default(),
            diagnostics,
            docs: Docs::new(&ast.comments),
            declared: HashMap::with_capacity(ast.items.len()),
            types: HashMap::new(),
            structs: HashMap::new(),
            instances: HashMap::new(),
            redefined: HashMap::new(),
            seen: [None; Primitive::ALL.len()],
            frames: Vec::new(),
            dict: ROOT,
            broken: HashSet::new(),
            poisoned_params: HashSet::new(),
            poisoned_records: HashSet::new(),
            poisoned: None,
            unfolded: 0,
            lookups: 0,
            too_complex: false,
            in_summary: false,
            pack: None,
            purpose: Purpose::Read,
        }
    }

    /// The whole check, step by step.
    fn run(&mut self) {
        let ast = self.ast;
        self.layout.order = ast.order.map(|(order, _)| order);
        self.collect_broken(&ast.items);
        let root = self.root_dict();
        let mut steps = Vec::new();
        if let Some(pack) = ast.pack {
            self.enter_pack(pack);
            self.layout.pack = self.pack;
        }
        if let Some(summary) = &ast.summary {
            self.summary(summary, &mut steps);
        }
        self.dict_body(&ast.items, root, &mut steps);
        self.layout.dicts[root.index()].run = self.close_run(steps);
        self.finish_docs();
        self.finish_guards();
        if let Purpose::Judge { start } = self.purpose {
            let start = if self.layout.is_of_raw() { 0 } else { start };
            self.check_constants();
            self.check_value_names();
            self.check_presented(start);
            self.check_blocks(start);
            self.check_values(start);
        }
        if ast.summary.is_some() {
            self.check_template();
        }
    }

    /// Whether values of fixed params may be other than the text says.
    fn to_read(&self) -> bool {
        self.purpose == Purpose::Read
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn name(&self, symbol: Symbol) -> &str {
        self.layout.names.get(symbol)
    }

    /// Names of items that could not be parsed count as declared everywhere, so that nothing that
    /// uses them is reported too.
    fn collect_broken(&mut self, items: &[ast::Item]) {
        for item in items {
            if let ast::ItemKind::Broken { name: Some(name) } = &item.kind {
                self.broken.insert(name.symbol);
            }
        }
    }

    /// Adds an array to the layout.
    fn push_array(&mut self, array: Array) -> crate::layout::ArrayId {
        let id = crate::layout::ArrayId(self.layout.arrays.len() as u32);
        self.layout.arrays.push(array);
        id
    }

    /// What a name of a dict stands for.
    fn entry(&self, dict: DictId, name: Symbol) -> Option<Entry> {
        self.layout.entries.get(&(dict, name)).copied()
    }
}
