//! How to read an item in C.

use dudley_parser::layout::dtype::{ByteOrder, Kind as Numbers, Primitive};

use super::{Hole, Part, Template, general, quoted, text};
use crate::model::Doc;

const HALVES: &str =
    "    /* The bits of halves, IEEE 754 binary16, which C99 has no type for. */\n";

pub(super) fn c(doc: &Doc<'_>, primitive: Primitive, order: ByteOrder) -> Template {
    let (ctype, format, shown) = match (primitive.kind(), primitive.size()) {
        (Numbers::Float, 4) => ("float", "%.9g", ""),
        (Numbers::Float, 8) => ("double", "%.17g", ""),
        (Numbers::Float, 2) => ("uint16_t", "0x%04x", "half"),
        (Numbers::Complex, 4) => ("uint16_t", "0x%04x 0x%04x", "halves"),
        (Numbers::Complex, 8) => ("float complex", "%.9g %.9g", "complex"),
        (Numbers::Complex, 16) => ("double complex", "%.17g %.17g", "complex"),
        (Numbers::Signed, 1) => ("int8_t", "%lld", "(long long)"),
        (Numbers::Signed, 2) => ("int16_t", "%lld", "(long long)"),
        (Numbers::Signed, 4) => ("int32_t", "%lld", "(long long)"),
        (Numbers::Signed, _) => ("int64_t", "%lld", "(long long)"),
        (Numbers::Text, 1) => ("char", "%d", ""),
        (_, 1) => ("uint8_t", "%llu", "(unsigned long long)"),
        (_, 2) => ("uint16_t", "%llu", "(unsigned long long)"),
        (_, 4) => ("uint32_t", "%llu", "(unsigned long long)"),
        _ => ("uint64_t", "%llu", "(unsigned long long)"),
    };
    let name = || Part::Hole(Hole::Name);
    let unit = primitive.swap_unit();
    let swap = if order == ByteOrder::Big && unit > 1 {
        Template::of(include_str!("../../assets/snippets/swap.c"), &|hole| match hole {
            "unit" => text(unit.to_string()),
            hole => general(hole),
        })
    } else {
        Template::default()
    };
    Template::of(include_str!("../../assets/snippets/c.c"), &|hole| match hole {
        "file" => text(quoted::c(&doc.stream)),
        "note" if matches!(shown, "half" | "halves") => text(HALVES),
        "declared" if shown == "halves" => [text("(*"), vec![name()], text(")[2]")].concat(),
        "declared" => [text("*"), vec![name()]].concat(),
        "include" if shown == "complex" => text("#include <complex.h>\n"),
        "ctype" => text(ctype),
        "format" => text(format),
        "swap" => swap.0.clone(),
        "shown" if shown == "complex" => {
            let real = if unit == 4 { "f" } else { "" };
            let mut parts = text(format!("creal{real}("));
            parts.push(name());
            parts.extend(text(format!("[i]), cimag{real}(")));
            parts.push(name());
            parts.extend(text("[i])"));
            parts
        }
        "shown" if shown == "halves" => [
            text("(unsigned)"),
            vec![name()],
            text("[i][0], (unsigned)"),
            vec![name()],
            text("[i][1]"),
        ]
        .concat(),
        "shown" if shown == "half" => [text("(unsigned)"), vec![name()], text("[i]")].concat(),
        "shown" => [text(shown), vec![name()], text("[i]")].concat(),
        hole => general(hole),
    })
}
