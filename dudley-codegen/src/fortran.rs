//! A Fortran module from a layout, which reads and writes its streams with nothing but the language (Fortran 2018).
//!
//! As in headers of C ([`crate::c`]), operations of the layout place the items. Elements go directly between arrays
//! of the program and a file that is open for stream access.

mod items;
mod records;
mod stream;
mod words;

use dudley_parser::Layout;
use dudley_parser::layout::ParamId;
use dudley_parser::place::NATIVE_START;

use crate::flat::ops::{Call, Language, Ops};
use crate::flat::{Flat, Kind, Names};
use words::wrapped;

/// Functions of which those are written that are needed.
const RUNTIME: &str = include_str!("fortran/runtime.f90");

/// Names that would hide names in a module.
const RESERVED: &[&str] = &[
    "int8", "int16", "int32", "int64", "real32", "real64", "size", "shape", "transfer", "reshape",
    "merge", "max", "min", "mod", "abs", "any", "huge", "findloc", "maxval", "present", "trim",
    "len", "kind", "s", "x", "ierr",
];

/// Everything that the parts of a module are written from.
struct Module<'l> {
    flat: Flat<'l>,
    ops: Ops,
    prefix: String,
    raw: bool,
    params: Vec<String>,
    items: Vec<String>,
    records: Vec<String>,
}

/// The text of a Fortran module that reads and writes the streams of a layout; `name` is the name of the module and
/// the prefix of its names, and `raw` means that streams have no signature.
///
/// It omits the items that [`crate::c()`] omits.
///
/// ```
/// let layout = dudley_parser::check(b"N : i8\nx = f8[N, 3]  ## (cm) place").layout.unwrap();
/// let module = dudley_codegen::fortran(&layout, "run", false);
/// assert!(module.contains("subroutine run_x_get(s, x, ierr)"));
/// assert!(module.contains("real(real64), allocatable, intent(out) :: x(:, :)"));
/// ```
pub fn fortran(layout: &Layout, name: &str, raw: bool) -> String {
    let prefix = Names::new(&[RESERVED], 20, true).take(name);
    let flat = Flat::new(layout, if raw { 0 } else { NATIVE_START });
    let longest = 57 - prefix.len();
    let mut fields = Names::new(&[], 60, true);
    for taken in ["unit", "length", "big", "v", "put", "error", "writes"] {
        fields.take(taken);
    }
    let params = flat.params.iter().map(|param| fields.take(&param.path)).collect();
    let mut functions = Names::new(&[], longest, true);
    for taken in [
        "stream",
        "place",
        "open",
        "create",
        "close",
        "finish",
        "init",
        "fail",
        "range",
        "param",
        "put_param",
        "line",
        "compare",
        "ends",
    ] {
        functions.take(taken);
    }
    let items = flat.items.iter().map(|item| functions.take(&item.path)).collect();
    let records = flat.records.iter().map(|record| functions.take(&record.name)).collect();
    let ops = Ops::new(&flat);
    Module { flat, ops, prefix, raw, params, items, records }.text()
}

impl Module<'_> {
    fn text(&self) -> String {
        let prefix = &self.prefix;
        let mut code = self.place();
        code += &self.opening();
        for at in 0..self.flat.records.len() {
            code += &self.record_copies(at);
        }
        for at in 0..self.flat.items.len() {
            code += &self.item(at);
        }
        code += &self.writing();
        let mut text = self.introduction();
        text += &format!("module {prefix}\n  use, intrinsic :: iso_fortran_env, only: ");
        let types = self.types() + &self.stream_type();
        let functions = needed(&(self.basics() + RUNTIME), &code);
        let kinds = ["int8", "int16", "int32", "int64", "real32", "real64"];
        let all = format!("{types}{code}{functions}");
        let used: Vec<&str> =
            kinds.into_iter().filter(|kind| *kind == "int64" || all.contains(kind)).collect();
        text += &format!("{}\n  implicit none\n  private\n\n", used.join(", "));
        text += &types;
        text += &self.public(&code);
        text += "\ncontains\n\n";
        let lines = code + &functions;
        let body: String = lines
            .lines()
            .map(
                |line| {
                    if line.is_empty() { "\n".to_owned() } else { wrapped(&format!("  {line}")) }
                },
            )
            .collect();
        text + &body + &format!("end module {prefix}\n")
    }

    /// The names that programs may use.
    fn public(&self, code: &str) -> String {
        let names = ["open", "create", "finish", "close", "init"].map(str::to_owned).to_vec();
        let items =
            self.items.iter().flat_map(|item| [format!("{item}_get"), format!("{item}_put")]);
        let there = |name: &String| code.contains(&format!("subroutine {}_{name}(", self.prefix));
        let mut text = String::new();
        for name in names.into_iter().chain(items).filter(there) {
            text += &format!("  public :: {}_{name}\n", self.prefix);
        }
        text
    }

    /// The declared type of the elements of an item; of text, the type of one unit.
    fn type_of(&self, kind: Kind) -> String {
        match kind {
            Kind::Primitive(primitive, _) => words::fortran_type(primitive).to_owned(),
            Kind::Record(record) => format!("type({}_{})", self.prefix, self.records[record]),
        }
    }

    /// A remark on elements that the type does not describe completely.
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

    /// The name of a param in the stream.
    fn param_of(&self, id: ParamId) -> Option<&String> {
        let at = self.flat.params.iter().position(|param| param.id == id)?;
        self.params.get(at)
    }
}

/// The procedures that the code needs, and those that these need.
fn needed(support: &str, code: &str) -> String {
    let procedures: Vec<&str> = support.trim_end().split("\n\n").collect();
    let name = |procedure: &&str| {
        let first = procedure.lines().find(|line| !line.starts_with('!')).unwrap_or_default();
        let name = first.split('(').next().unwrap_or_default();
        name.rsplit(' ').next().unwrap_or_default().to_owned()
    };
    let mut needed = vec![false; procedures.len()];
    let mut all = code.to_owned();
    loop {
        let next = procedures
            .iter()
            .enumerate()
            .find(|(at, procedure)| !needed[*at] && all.contains(&format!("{}(", name(procedure))));
        let Some((at, procedure)) = next else { break };
        needed[at] = true;
        all += procedure;
    }
    let kept = procedures.iter().zip(needed).filter(|(_, needed)| *needed);
    kept.map(|(procedure, _)| format!("{}\n\n", procedure.trim_end())).collect()
}

impl Language for Module<'_> {
    fn number(&self, value: i64) -> String {
        words::number(value)
    }

    fn param(&self, id: ParamId) -> String {
        self.param_of(id).map_or_else(|| self.none(), |name| format!("s%{name}"))
    }

    fn index(&self, depth: u32) -> String {
        format!("(i{} - 1)", depth + 1)
    }

    fn kept(&self, slot: usize) -> String {
        format!("s%v({})", slot + 1)
    }

    fn local(&self, node: usize) -> String {
        format!("t{node}")
    }

    fn none(&self) -> String {
        "dud_none".to_owned()
    }

    fn line(&self, target: &str, _: bool, call: &Call) -> String {
        let mut arguments: Vec<String> =
            call.list.iter().map(|list| format!("[{}]", list.join(", "))).collect();
        arguments.extend(call.numbers.iter().cloned());
        let arguments = arguments.join(", ");
        match call.function {
            "" => format!("  {target} = {arguments}\n"),
            function => format!("  {target} = dud_{function}({arguments})\n"),
        }
    }
}
