//! How to read an item in Fortran.

use dudley_parser::layout::dtype::{ByteOrder, Kind as Numbers, Primitive};

use super::{Template, general, quoted, text};
use crate::model::{Doc, Row};

pub(super) fn fortran(
    doc: &Doc<'_>,
    row: &Row,
    primitive: Primitive,
    order: ByteOrder,
) -> Option<Template> {
    let note = match (primitive.kind(), primitive.size()) {
        (Numbers::Float, 2) => {
            "  ! The bits of halves, IEEE 754 binary16, which Fortran has no type for.\n".to_owned()
        }
        (Numbers::Unsigned | Numbers::Pointer, bytes) => format!(
            "  ! Fortran has no unsigned integers: what is above {} comes out negative.\n",
            u64::MAX >> (65 - 8 * bytes.clamp(1, 8))
        ),
        _ => String::new(),
    };
    let ftype = match (primitive.kind(), primitive.size()) {
        (Numbers::Float, 4) => "real(real32)",
        (Numbers::Float, 8) => "real(real64)",
        (Numbers::Complex, 8) => "complex(real32)",
        (Numbers::Complex, 16) => "complex(real64)",
        (Numbers::Complex, _) => return None,
        (Numbers::Text, 1) => "character",
        (_, 1) => "integer(int8)",
        (_, 2) => "integer(int16)",
        (_, 4) => "integer(int32)",
        _ => "integer(int64)",
    };
    let source = match row.dims.len() {
        0 => include_str!("../../assets/snippets/scalar.f90"),
        _ => include_str!("../../assets/snippets/fortran.f90"),
    };
    let convert = if order == ByteOrder::Big && primitive.swap_unit() > 1 {
        ", convert=\"big_endian\""
    } else {
        ""
    };
    Some(Template::of(source, &|hole| match hole {
        "ftype" => text(ftype),
        "convert" => text(convert),
        "file" => text(quoted::fortran(&doc.stream)),
        "note" => text(note.clone()),
        hole => general(hole),
    }))
}
