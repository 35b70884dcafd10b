//! Describes HDUs as items of a layout.

use std::fmt::Write;

use dudley::Severity;
use dudley::bytes::Source;
use dudley::verify::Finding;
use dudley::{ByteOrder, Error};
use dudley_parser::layout::path::push_name;
use dudley_parser::layout::text::Text;
use dudley_parser::layout::words::{Said, name};

use super::column::{Column, is_number, of_ascii, of_table};
use super::hdu::{Hdu, Kind};
use super::heap::Heap;
use super::names::{Taken, groups};
use super::said::{self, Found, LOGICAL};
use crate::headers::shape;

/// The layout of a file with these HDUs.
pub(super) fn layout(source: &dyn Source, hdus: &[Hdu], found: &mut Found<'_>) -> Text {
    let mut about = Said::default();
    about.spelt("stream = \"raw\"".to_owned());
    let mut text = Text::new(ByteOrder::Big, &about);
    let groups = groups(hdus);
    let mut taken = Taken::default();
    for group in &groups {
        taken.take(&group.name);
    }
    for group in &groups {
        let mut path = String::from("/");
        push_name(&mut path, &group.name);
        if let [(_, hdu)] = &group.hdus[..] {
            item(
                &mut Target { text: &mut text, source, found, taken: &mut taken },
                hdu,
                &group.name,
                &path,
            );
            continue;
        }
        text.open(&group.name, &Said::default());
        let mut taken = Taken::default();
        for (version, _) in &group.hdus {
            taken.take(version);
        }
        for (version, hdu) in &group.hdus {
            let mut path = format!("{path}/");
            push_name(&mut path, version);
            item(
                &mut Target { text: &mut text, source, found, taken: &mut taken },
                hdu,
                version,
                &path,
            );
        }
        text.close();
    }
    text
}

/// The destination of an item and its findings.
struct Target<'i, 'f> {
    text: &'i mut Text,
    source: &'i dyn Source,
    found: &'i mut Found<'f>,
    taken: &'i mut Taken,
}

/// Writes the item or items of an HDU.
fn item(into: &mut Target<'_, '_>, hdu: &Hdu, name: &str, path: &str) {
    let (said, at) = (said::of_hdu(hdu), hdu.data());
    match hdu.kind {
        Kind::Image if hdu.axes.is_empty() => {
            into.text.open(name, &said);
            into.text.close();
        }
        Kind::Image => {
            let image = format!("{}{} @{at}", element(hdu), shape(hdu.axes.iter().rev()));
            into.text.item(name, image, &said);
        }
        Kind::Groups => {
            into.text.item(name, format!("{}[{}] @{at}", groups_of(hdu), hdu.gcount), &said)
        }
        Kind::Other => into.text.item(name, format!("u1[{}] @{at}", hdu.size), &said),
        Kind::Table | Kind::AsciiTable => table(into, hdu, name, path, said),
    }
}

fn table(into: &mut Target<'_, '_>, hdu: &Hdu, name: &str, path: &str, said: Said) {
    if hdu.axes.len() != 2 || hdu.bitpix != 8 || hdu.gcount != 1 {
        let what = "a table has two axes of bytes, and this one other ones: its bytes are shown";
        (into.found)(
            Finding::new(Severity::Error, "fits-table", what)
                .at(hdu.header.start, hdu.size)
                .of(path),
        );
        into.text.item(name, format!("u1[{}] @{}", hdu.size, hdu.data()), &said);
        return;
    }
    if hdu.header.is_true("ZIMAGE") {
        let codec = hdu.header.text("ZCMPTYPE").unwrap_or("a codec without a name");
        let what = format!(
            "an image whose tiles are compressed ({codec}) is not decoded, and shown as the table that has the tiles: \
             funpack of CFITSIO unpacks the file"
        );
        (into.found)(Finding::new(Severity::Warning, "fits-compressed", what).of(path));
    }
    let mut wrong = |error: Error| {
        (into.found)(Finding::of_error(Severity::Error, "fits-table", &error).of(path));
    };
    let columns =
        if hdu.kind == Kind::Table { of_table(hdu, &mut wrong) } else { of_ascii(hdu, &mut wrong) };
    let named = names_of(hdu, &columns);
    let heap_name = format!("{name}_heap");
    let has_heap = columns.iter().any(|column| column.heap.is_some());
    let heap_name = has_heap.then(|| into.taken.take(&heap_name));
    let heap_path = heap_name.as_ref().map(|heap| {
        let mut beside = path[..=path.rfind('/').unwrap_or(0)].to_owned();
        push_name(&mut beside, heap);
        beside
    });
    let row = hdu.axes[0];
    let mut fields = String::new();
    for (column, name) in columns.iter().zip(&named) {
        let said = field(hdu, column, heap_path.as_deref(), name);
        member(&mut fields, name, &column_type(column), column.offset, &said);
        let code = column.heap.map_or(column.code, |cells| cells.code);
        if let Some(scale) =
            said::scale_of(&hdu.header, column.number).filter(|_| matches!(code, 'C' | 'M'))
        {
            let mut path = format!("{path}.");
            push_name(&mut path, name);
            let what =
                format!("{scale}: complex numbers are not scaled, so values are the stored ones");
            (into.found)(Finding::new(Severity::Warning, "fits-scale", what).of(path));
        }
    }
    let end = columns.iter().map(|column| column.offset + column.width).max().unwrap_or(0);
    if end < row {
        let mut taken = Taken::default();
        named.iter().for_each(|name| drop(taken.take(name)));
        let mut said = Said::default();
        said.doc("bytes of a row that no column has");
        member(&mut fields, &taken.take("rest"), &format!("u1[{}]", row - end), end, &said);
    }
    into.text.item(name, format!("{{\n{fields}  }} %1[{}] @{}", hdu.axes[1], hdu.data()), &said);
    if let (Some(heap_name), Some(heap_path)) = (heap_name, heap_path) {
        let heap = Heap { hdu, source: into.source, path: &heap_path };
        heap.items(&columns, &named, &heap_name, into.text, into.found);
    }
}

/// The comments on a column.
fn field(hdu: &Hdu, column: &Column, heap: Option<&str>, name: &str) -> Said {
    let of = column.heap.map_or(column.code, |cells| cells.code);
    let is_stored = hdu.kind == Kind::Table && column.heap.is_none();
    let is_decimal = hdu.kind == Kind::AsciiTable && of != 'A' && column.width > 0;
    let is_scaled = is_stored && is_number(of) || is_decimal;
    let mut said = said::of_column(&hdu.header, column.number, is_scaled);
    if is_decimal {
        said.spelt(format!("decimal = {}", column.width));
        match (of, column.decimals) {
            ('I', _) => said.spelt("integers".to_owned()),
            (_, 0) => {}
            (_, decimals) => said.spelt(format!("decimals = {decimals}")),
        }
    }
    if is_stored && of == 'L' {
        said.spelt(LOGICAL.to_owned());
    }
    if let Some(bits) = column.bits {
        said.spelt(format!("bits = {bits}"));
    }
    if let Some(heap) = heap.filter(|_| column.heap.is_some()) {
        let mut path = format!("{heap}/");
        push_name(&mut path, name);
        said.attribute("heap", &path);
    }
    said
}

/// The names of columns: from `TTYPE`, or `col` and the number of the column.
fn names_of(hdu: &Hdu, columns: &[Column]) -> Vec<String> {
    let mut taken = Taken::default();
    let of = |column: &Column| {
        let own = hdu.header.text(&format!("TTYPE{}", column.number));
        taken.take(own.unwrap_or(&format!("col{}", column.number)))
    };
    columns.iter().map(of).collect()
}

fn column_type(column: &Column) -> String {
    format!("{}{}", column.dtype, shape(&column.shape))
}

/// Writes a member of a struct, in one or more lines.
fn member(fields: &mut String, member: &str, what: &str, offset: u64, said: &Said) {
    // Writing to a string cannot fail.
    let _ = writeln!(fields, "    {} = {what} @{offset}{}", name(member), said.text("      "));
}

/// The struct of a random group: parameters and an array.
fn groups_of(hdu: &Hdu) -> String {
    let (mut fields, mut taken) = (String::new(), Taken::default());
    for number in 1..=hdu.pcount.min(super::hdu::MOST) {
        let own = hdu.header.text(&format!("PTYPE{number}"));
        let name = taken.take(own.unwrap_or(&format!("par{number}")));
        let value = |root: &str| hdu.header.number(&format!("{root}{number}"));
        let mut said = Said::default();
        if let Some(card) = hdu.header.card(&format!("PTYPE{number}")) {
            said.doc(&card.comment);
        }
        said::scaling(&mut said, value("PSCAL"), value("PZERO"), None);
        member(&mut fields, &name, element(hdu), (number - 1) * hdu.element(), &said);
    }
    let mut offset = hdu.pcount.min(super::hdu::MOST) * hdu.element();
    if hdu.pcount > super::hdu::MOST {
        let more = hdu.pcount - super::hdu::MOST;
        member(
            &mut fields,
            &taken.take("parameters"),
            &format!("{}[{more}]", element(hdu)),
            offset,
            &Said::default(),
        );
        offset = hdu.pcount * hdu.element();
    }
    let mut said = Said::default();
    said::image_scaling(&mut said, hdu);
    let data = format!("{}{}", element(hdu), shape(hdu.counted().iter().rev()));
    member(&mut fields, &taken.take("DATA"), &data, offset, &said);
    format!("{{\n{fields}  }} %1")
}

/// The type of the elements of an image.
fn element(hdu: &Hdu) -> &'static str {
    match hdu.bitpix {
        8 => "u1",
        16 => "i2",
        32 => "i4",
        64 => "i8",
        -32 => "f4",
        _ => "f8",
    }
}
