//! The documentation of the module: how to use it, and a table of the items of the layout.

use dudley_parser::Layout;
use dudley_parser::formula::{Dim, Formulas, LEGEND, Row, What};
use dudley_parser::layout::{DocKey, Element};
use dudley_parser::pad::filled;
use dudley_parser::resolve::{Flow, Given, WalkOptions};

use super::python;

/// The maximum number of rows; the layout has all of them.
const MOST: usize = 100;

/// A formula longer than this is left out.
const LONGEST: usize = 60;

/// The documentation at the head of the module.
pub(super) fn module(layout: &Layout, name: &str) -> String {
    let name = python::doc(name);
    let mut text = format!("\"\"\"Reads streams of the layout `{name}` with numpy alone.\n");
    let about: Vec<String> = layout.doc(DocKey::LAYOUT).map(python::doc).collect();
    if !about.is_empty() {
        text += &format!("\n{}\n", about.join("\n"));
    }
    text += &format!(
        "
    stream = {name}.open(\"file.bd\")
    stream[\"x\"]  # the array x, in the file: what is not used is not read
    stream.item(\"/x\")  # where it lies: address, shape, bytes, unit
    stream.params[\"N\"]  # a param; that of a dict is \"d/N\"

`open` takes raw streams too, byte orders, params, streams within files and bytes in memory; its
documentation says how. Addresses here are bytes from the start of a native stream, as formulas of the
params: {LEGEND}
"
    );
    let rows = table(layout);
    if !rows.is_empty() {
        text.push('\n');
        for row in rows {
            text += format!("    {row}").trim_end();
            text.push('\n');
        }
    }
    text + "\nMade by `dudc gen numpy`, and not to be changed by hand.\n\"\"\"\n\n"
}

/// The items, one line each: path, type, address, documentation.
fn table(layout: &Layout) -> Vec<String> {
    let given = Given { start: dudley_parser::place::NATIVE_START, ..Given::default() };
    let mut rows: Vec<[String; 4]> = Vec::new();
    let mut more = false;
    Formulas::new(layout, &given).walk(
        WalkOptions::elide_above(1),
        &mut |formulas, row: Row<'_>| {
            more |= rows.len() >= MOST;
            if more {
                return Flow::Stop;
            }
            if let What::Array { array, shape, address, .. } = &row.what {
                let array = &layout[*array];
                let dims: Vec<String> = shape.iter().map(dim).collect();
                let dtype = match array.element {
                    Element::Primitive(primitive, order) => primitive.with_order(order),
                    Element::Record(record) => match layout[record].ty {
                        Some(ty) => layout.name(layout[ty].name).to_owned(),
                        None => "{}".to_owned(),
                    },
                };
                let shape =
                    if dims.is_empty() { String::new() } else { format!("[{}]", dims.join(", ")) };
                let address = match address {
                    Ok(address) => formulas.labels().formula(address),
                    Err(_) => String::new(),
                };
                let address = if address.len() > LONGEST { String::new() } else { address };
                let key = DocKey::of(array.span);
                let unit = layout.unit(key).filter(|unit| !unit.is_empty());
                let said = unit.map(|unit| format!("({unit})")).into_iter();
                let said: Vec<String> =
                    said.chain(layout.doc_without_unit(key).map(str::to_owned)).collect();
                rows.push([
                    row.path.to_owned(),
                    dtype + &shape,
                    format!("@ {address}"),
                    said.join(" "),
                ]);
            }
            Flow::Continue
        },
    );
    let widths =
        [0, 1, 2].map(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0));
    let mut lines: Vec<String> = rows
        .iter()
        .map(|[path, dtype, address, said]| {
            let [first, second, third] = widths;
            let [path, dtype, address] =
                [filled(path, first), filled(dtype, second), filled(address, third)];
            python::doc(&format!("{path}  {dtype}  {address}  {said}"))
        })
        .collect();
    if more {
        lines.push("…".to_owned());
    }
    lines
}

fn dim(dim: &Dim) -> String {
    match dim {
        Dim::Known(number) => number.to_string(),
        Dim::Symbolic(text, _) => text.clone(),
    }
}
