//! Names that programs cannot use as they are, and names that differ in case only.

use crate::diagnostic::Diagnostic;
use crate::layout::path::is_identifier;
use crate::layout::{Entry, Layout, Step};
use crate::names::Symbol;
use crate::span::Span;
use hashbrown::HashMap;
use std::collections::BTreeMap;

/// The longest name in Fortran, in characters.
const FORTRAN_LENGTH: usize = 63;

/// Words of C that are no names.
pub const C: &[&str] = &[
    "alignas",
    "alignof",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "nullptr",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "struct",
    "switch",
    "thread_local",
    "true",
    "typedef",
    "typeof",
    "typeof_unqual",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
];

/// Words of JavaScript that are no names.
const JAVASCRIPT: &[&str] = &[
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Words of Python that are no names.
const PYTHON: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Words of Rust that are no names, reserved ones included.
const RUST: &[&str] = &[
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

pub(super) fn unusable(layout: &Layout, found: &mut Vec<Diagnostic>) {
    for (span, symbol) in declared(layout) {
        let name = layout.name(symbol);
        if let Some(why) = fault(name) {
            let message = format!("programs cannot use the name `{name}`: {why}");
            let help = "generated code and other languages have to rename it";
            found.push(Diagnostic::note("lint-name", span, message).help(help));
        }
    }
}

/// Why a name is of no use somewhere. Fortran reserves no words.
fn fault(name: &str) -> Option<String> {
    if name.is_empty() {
        return None;
    }
    if !is_identifier(name) {
        return Some("names are letters, digits and `_`, and begin with no digit".into());
    }
    let languages = [("C", C), ("JavaScript", JAVASCRIPT), ("Python", PYTHON), ("Rust", RUST)];
    let reserved = languages.iter().filter(|(_, words)| words.contains(&name));
    let reserved: Vec<&str> = reserved.map(|(language, _)| *language).collect();
    if !reserved.is_empty() {
        return Some(format!("it is a word of {}", reserved.join(", ")));
    }
    if name.starts_with('_') {
        return Some("in Fortran a name begins with a letter".into());
    }
    (name.len() > FORTRAN_LENGTH)
        .then(|| format!("in Fortran a name has at most {FORTRAN_LENGTH} characters"))
}

/// Everything that has a name, by its place in the text.
fn declared(layout: &Layout) -> BTreeMap<Span, Symbol> {
    let dicts = layout.dicts.iter().filter(|dict| dict.list.is_none()).map(|d| (d.span, d.name));
    let lists = layout.lists.iter().filter(|list| list.outer.is_none()).map(|l| (l.span, l.name));
    let types = layout.types.iter().map(|ty| (ty.span, ty.name));
    let members = layout.types.iter().flat_map(|ty| &ty.members).map(|&(name, _, at)| (at, name));
    let arrays = layout.arrays.iter().map(|array| (array.span, array.name));
    let params = layout.params.iter().map(|param| (param.span, param.name));
    let all = dicts.chain(lists).chain(types).chain(members).chain(arrays).chain(params);
    all.filter(|(_, name)| *name != Symbol::EMPTY).collect()
}

/// Names that share a dict or a struct.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Home {
    Dict(u32),
    Struct(u32),
}

pub(super) fn case(layout: &Layout, found: &mut Vec<Diagnostic>) {
    let mut names = housed(layout);
    names.sort_by_key(|(_, span, _)| *span);
    names.dedup_by_key(|(home, span, _)| (*home, *span));
    let mut first: HashMap<(Home, String), (Symbol, Span)> = HashMap::new();
    for (home, span, symbol) in names {
        let name = layout.name(symbol);
        let before = *first.entry((home, name.to_lowercase())).or_insert((symbol, span));
        if before.0 != symbol {
            let other = layout.name(before.0);
            let message = format!("`{name}` and `{other}` differ only in case");
            let help = "they are one name in Fortran, and on file systems that ignore case";
            let note = Diagnostic::note("lint-case", span, message);
            found.push(note.also(before.1, "the other one").help(help));
        }
    }
}

fn housed(layout: &Layout) -> Vec<(Home, Span, Symbol)> {
    let mut names = Vec::new();
    for (&(dict, name), entry) in &layout.entries {
        let span = match *entry {
            Entry::Array(id) => layout[id].span,
            Entry::Dict(id) => layout[id].span,
            Entry::List(id) => layout[id].span,
            // The record has them as its members.
            Entry::Spliced(..) => continue,
        };
        names.push((Home::Dict(dict.0), span, name));
    }
    for (&(dict, name), params) in &layout.param_names {
        let spans = params.first().map(|&id| layout[id].span);
        names.extend(spans.map(|span| (Home::Dict(dict.0), span, name)));
    }
    for ty in &layout.types {
        let home = Home::Struct(ty.span.start);
        names.extend(ty.members.iter().map(|&(name, _, span)| (home, span, name)));
    }
    let summary = layout.summary().map(|summary| summary.record.0);
    for (at, record) in layout.records.iter().enumerate() {
        // Named types are here already, the summary's members in the root.
        if record.ty.is_some() || summary == Some(at as u32) {
            continue;
        }
        let home = Home::Struct(record.span.start);
        names.extend(layout.run(record.members).iter().filter_map(|&step| match step {
            Step::Array(id) => Some((home, layout[id].span, layout[id].name)),
            Step::Param(id) => Some((home, layout[id].span, layout[id].name)),
            _ => None,
        }));
    }
    names
}
