//! A C header from a layout, which reads and writes its streams with nothing but the C library.
//!
//! The operations of the layout (`dudley_parser::formula::plan`) place the items: `place` computes the ones that need
//! params alone, and the functions of items in lists compute the others. The runtime of both is the same in every
//! header (`c/runtime.h`).

mod items;
mod records;
mod stream;
mod words;

use dudley_parser::Layout;
use dudley_parser::layout::ParamId;
use dudley_parser::lint::WORDS_OF_C;
use dudley_parser::place::NATIVE_START;

use crate::flat::ops::{Call, Language, Ops};
use crate::flat::{Flat, Kind, Names};

/// The common part of all headers.
const RUNTIME: &str = include_str!("c/runtime.h");

/// Words of C++ that no name may be, besides the words of C.
const CPP: &[&str] = &[
    "and",
    "asm",
    "catch",
    "class",
    "delete",
    "explicit",
    "export",
    "friend",
    "mutable",
    "namespace",
    "new",
    "not",
    "operator",
    "or",
    "private",
    "protected",
    "public",
    "template",
    "this",
    "throw",
    "try",
    "typename",
    "using",
    "virtual",
    "xor",
];

/// Words that no name of a header may be.
const RESERVED: &[&[&str]] = &[WORDS_OF_C, CPP];

/// Everything that the parts of a header are written from.
struct Header<'l> {
    flat: Flat<'l>,
    ops: Ops,
    /// The prefix of all names.
    prefix: String,
    /// Streams have no signature.
    raw: bool,
    /// The names of params, items and structs, in their order.
    params: Vec<String>,
    items: Vec<String>,
    records: Vec<String>,
}

/// The text of a C header that reads and writes the streams of a layout; `name` is the prefix of its names, and `raw`
/// means that streams have no signature.
///
/// Items whose place depends on more than params that occur once, filtered ones, and those that are presented otherwise
/// than they are stored are left out; the header names each, with the reason.
///
/// ```
/// let layout = dudley_parser::check(b"N : i8\nx = f8[N]  ## (cm) place").layout.unwrap();
/// let header = dudley_codegen::c(&layout, "run", false);
/// assert!(header.contains("static inline int run_x_get(run_stream *s, double *to, int64_t room)"));
/// ```
pub fn c(layout: &Layout, name: &str, raw: bool) -> String {
    let mut names = Names::new(RESERVED, 200, false);
    let prefix = names.take(name);
    let flat = Flat::new(layout, if raw { 0 } else { NATIVE_START });
    let mut fields = Names::new(RESERVED, 200, false);
    let params = flat.params.iter().map(|param| fields.take(&param.path)).collect();
    let mut functions = Names::new(RESERVED, 200, false);
    for taken in [
        "stream", "place", "open", "load", "create", "save", "free", "init", "layout", "error",
        "fail", "range",
    ] {
        functions.take(taken);
    }
    let items = flat.items.iter().map(|item| functions.take(&item.path)).collect();
    let records = flat.records.iter().map(|record| functions.take(&record.name)).collect();
    let ops = Ops::new(&flat);
    Header { flat, ops, prefix, raw, params, items, records }.text()
}

impl Header<'_> {
    fn text(&self) -> String {
        let guard = format!("{}_H", self.prefix.to_ascii_uppercase());
        let mut text = self.introduction();
        text += &format!("#ifndef {guard}\n#define {guard}\n\n");
        for name in ["math", "stddef", "stdint", "stdio", "stdlib", "string"] {
            text += &format!("#include <{name}.h>\n");
        }
        text.push('\n');
        text += RUNTIME;
        text.push('\n');
        text += &self.layout_text();
        text += &self.record_types();
        text += &self.stream_type();
        text += &self.basics();
        text += &self.place();
        text += &self.opening();
        for at in 0..self.flat.items.len() {
            text += &self.item(at);
        }
        text += &self.writing();
        text += "#endif\n";
        text
    }

    /// The C type of the elements of an item.
    fn type_of(&self, kind: Kind) -> String {
        match kind {
            Kind::Primitive(primitive, _) => words::c_type(primitive).to_owned(),
            Kind::Record(record) => format!("{}_{}", self.prefix, self.records[record]),
        }
    }

    /// A remark on elements that the C type does not describe completely.
    fn remark(&self, kind: Kind) -> &'static str {
        match kind {
            Kind::Primitive(primitive, _) => words::remark(primitive),
            Kind::Record(_) => "",
        }
    }

    /// Bytes of an element in the stream.
    fn size_of(&self, kind: Kind) -> i64 {
        match kind {
            Kind::Primitive(primitive, _) => primitive.size().cast_signed(),
            Kind::Record(record) => self.flat.records[record].size,
        }
    }
}

impl Language for Header<'_> {
    fn number(&self, value: i64) -> String {
        words::number(value)
    }

    fn param(&self, id: ParamId) -> String {
        let at = self.flat.params.iter().position(|param| param.id == id);
        at.map_or_else(|| self.none(), |at| format!("s->param.{}", self.params[at]))
    }

    fn index(&self, depth: u32) -> String {
        format!("i{depth}")
    }

    fn kept(&self, slot: usize) -> String {
        format!("s->v[{slot}]")
    }

    fn local(&self, node: usize) -> String {
        format!("t{node}")
    }

    fn none(&self) -> String {
        "DUDC_NONE".to_owned()
    }

    fn line(&self, target: &str, local: bool, call: &Call) -> String {
        let declared = if local { "const int64_t " } else { "" };
        let (numbers, node) = (call.numbers.join(", "), call.node);
        let Some(list) = &call.list else {
            let value = match call.function {
                "" => numbers,
                function => format!("dudc_{function}({numbers})"),
            };
            return format!("  {declared}{target} = {value};\n");
        };
        let more = if numbers.is_empty() { numbers } else { format!("{numbers}, ") };
        let array = format!("const int64_t a{node}[] = {{{}}};", list.join(", "));
        let value = format!("dudc_{}(a{node}, {more}{})", call.function, list.len());
        if local {
            format!("  {array}\n  {declared}{target} = {value};\n")
        } else {
            format!("  {{\n    {array}\n    {target} = {value};\n  }}\n")
        }
    }
}
