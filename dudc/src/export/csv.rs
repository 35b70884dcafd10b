//! Arrays as text with commas: a row of the last dimension a line, of structs a column for each field.

use std::io::Write;

use dudley::elements::{Builder, Part, Scalar, Sink, shown};
use dudley::read::select::{Picked, Selected};
use dudley::{Error, Result, Value};

use crate::json::float;

/// Writes a selection, one row at a time.
///
/// # Errors
/// If decoding or writing fails.
pub(super) fn write(selected: &Selected, out: &mut dyn Write) -> Result<()> {
    let shape = selected.shape();
    // There are no rows.
    if shape.len() > 1 && shape[..shape.len() - 1].contains(&0) {
        return Ok(());
    }
    let dtype = selected.parts.first().and_then(Picked::dtype);
    let structs = dtype.is_some_and(|dtype| dtype.primitive().is_none());
    let (filled, columns) = (Vec::new(), None);
    let mut rows = Rows {
        out,
        structs,
        filled,
        cells: 0,
        empty: false,
        nulls: 0,
        open: None,
        columns,
        rows: 0,
    };
    selected.emit(&mut rows, false)
}

/// Writes rows while they are decoded.
struct Rows<'o> {
    out: &'o mut dyn Write,
    /// Whether rows are structs; then a null stands for a struct.
    structs: bool,
    /// The open arrays around the row; for each, whether it holds arrays or structs.
    filled: Vec<bool>,
    /// Cells of the row so far.
    cells: u64,
    /// Whether the row is one empty cell so far.
    empty: bool,
    /// Nulls that may be cells or structs: the next value decides it.
    nulls: u64,
    /// The struct that is a row, and how many structs and arrays are open in it.
    open: Option<(Builder, u64)>,
    /// The number of columns, known from the first row on.
    columns: Option<usize>,
    /// The number of written rows.
    rows: u64,
}

/// Why rows of different widths are not written: a reader could not assign a cell to its column.
pub(super) fn ragged(wanted: u64, found: u64, row: u64) -> String {
    let cells = |count| if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") };
    format!(
        "row {row} has {}, and the rows before have {}: the rows of a .csv are of one width; try -o x.json",
        cells(found),
        cells(wanted)
    )
}

impl Rows<'_> {
    fn put(&mut self, text: &str) -> Result<()> {
        self.out
            .write_all(text.as_bytes())
            .map_err(|error| Error::io("cannot write the result", error))
    }

    fn cell(&mut self, text: &str) -> Result<()> {
        if self.cells > 0 {
            self.put(",")?;
        }
        self.cells += 1;
        self.empty = self.cells == 1 && text.is_empty();
        self.put(text)
    }

    fn end_row(&mut self) -> Result<()> {
        for _ in 0..std::mem::take(&mut self.nulls) {
            self.cell("")?;
        }
        // Readers do not take an empty line for a row.
        if std::mem::take(&mut self.empty) {
            self.put(EMPTY)?;
        }
        let cells = std::mem::take(&mut self.cells);
        self.check_width(cells)?;
        self.put("\n")
    }

    /// Checks that a row has as many cells as the rows before.
    fn check_width(&mut self, cells: u64) -> Result<()> {
        let wanted = *self.columns.get_or_insert(cells as usize) as u64;
        if wanted != cells {
            return Err(Error::Listed {
                path: "".into(),
                why: ragged(wanted, cells, self.rows).into(),
            });
        }
        self.rows += 1;
        Ok(())
    }

    /// Passes an event to the struct of the row. Returns false if no struct is open.
    fn inside(
        &mut self,
        deeper: i64,
        give: impl FnOnce(&mut Builder) -> Result<()>,
    ) -> Result<bool> {
        let Some((builder, depth)) = &mut self.open else { return Ok(false) };
        give(builder)?;
        *depth = depth.saturating_add_signed(deeper);
        if *depth == 0
            && let Some((builder, _)) = self.open.take()
        {
            self.record(&builder.finish())?;
        }
        Ok(true)
    }

    /// A struct as a row.
    fn record(&mut self, value: &Value) -> Result<()> {
        if let (Value::Struct(fields), None) = (value, self.columns) {
            let names: Vec<String> =
                fields.iter().flat_map(|(name, value)| columns(name, value)).collect();
            self.columns = Some(names.len());
            self.put(&row(&names))?;
        }
        self.without_value()?;
        let mut cells = Vec::new();
        push_cells(value, &mut cells);
        self.check_width(cells.len() as u64)?;
        self.put(&row(&cells))
    }

    /// Rows of structs without a value.
    fn without_value(&mut self) -> Result<()> {
        let row = row(&vec![String::new(); self.columns.unwrap_or(0)]);
        (0..std::mem::take(&mut self.nulls)).try_for_each(|_| self.put(&row))
    }

    /// Begins a value that is no cell.
    fn fill(&mut self) {
        if let Some(filled) = self.filled.last_mut() {
            *filled = true;
        }
    }
}

impl Sink for Rows<'_> {
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        if self.inside(0, |builder| builder.scalar(value))? {
            return Ok(());
        }
        if matches!(value, Scalar::Null) && !self.filled.is_empty() {
            self.nulls += 1;
            return Ok(());
        }
        for _ in 0..std::mem::take(&mut self.nulls) {
            self.cell("")?;
        }
        self.cell(&text_of(value))?;
        if self.filled.is_empty() { self.end_row() } else { Ok(()) }
    }

    fn begin_array(&mut self, length: u64) -> Result<()> {
        if self.inside(1, |builder| builder.begin_array(length))? {
            return Ok(());
        }
        self.fill();
        self.filled.push(false);
        Ok(())
    }

    fn end_array(&mut self) -> Result<()> {
        if self.inside(-1, Builder::end_array)? {
            return Ok(());
        }
        match self.filled.pop() {
            // The first struct with a value decides the number of cells.
            _ if self.structs && self.columns.is_none() && !self.filled.is_empty() => Ok(()),
            Some(true) => self.without_value(),
            _ if self.structs && self.cells == 0 => self.without_value(),
            _ => self.end_row(),
        }
    }

    fn begin_struct(&mut self) -> Result<()> {
        if self.open.is_none() {
            self.fill();
            self.open = Some((Builder::default(), 0));
        }
        self.inside(1, Builder::begin_struct).map(drop)
    }

    fn field(&mut self, name: &str) -> Result<()> {
        self.inside(0, |builder| builder.field(name)).map(drop)
    }

    fn end_struct(&mut self) -> Result<()> {
        self.inside(-1, Builder::end_struct).map(drop)
    }
}

/// An empty cell that is a whole row, as Python's `csv` writes it.
const EMPTY: &str = "\"\"";

/// Cells as a line.
pub(super) fn row(cells: &[String]) -> String {
    match cells {
        [cell] if cell.is_empty() => format!("{EMPTY}\n"),
        cells => cells.join(",") + "\n",
    }
}

/// A single value as a cell.
fn text_of(value: Scalar<'_>) -> String {
    let hex = |bits: &[u8]| bits.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    match value {
        Scalar::Null => String::new(),
        Scalar::Bool(value) => value.to_string(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Float(value, _) => float(value).trim_matches('"').to_owned(),
        Scalar::Complex(Part::Float(re, _), Part::Float(im, _)) => complex(re, im),
        Scalar::Complex(re, im) => {
            let part = |part| match part {
                Part::Float(value, _) => float(value),
                Part::Bits(bits) => hex(bits),
            };
            part(re) + &part(im)
        }
        Scalar::Text(text) => cell(text),
        Scalar::Bits(bits) => hex(bits),
    }
}

/// The names of the columns of a field, in the form of paths: `p.q`, `m[0,1]`.
pub(super) fn columns(name: &str, value: &Value) -> Vec<String> {
    let mut cells = Vec::new();
    push_cells(value, &mut cells);
    let mut names = Vec::new();
    match (value, cells.len()) {
        (Value::Array(_), 1) => names.push(name.to_owned()),
        _ => push_names(name.to_owned(), &mut Vec::new(), value, &mut names),
    }
    names.iter().map(|name| cell(name)).collect()
}

/// The names of the cells of [`push_cells`]; `indices` belong to the arrays around the value.
fn push_names(name: String, indices: &mut Vec<String>, value: &Value, names: &mut Vec<String>) {
    if let Value::Array(items) = value {
        for (at, item) in items.iter().enumerate() {
            indices.push(at.to_string());
            push_names(name.clone(), indices, item, names);
            indices.pop();
        }
        return;
    }
    let name = if indices.is_empty() { name } else { format!("{name}[{}]", indices.join(",")) };
    match value {
        Value::Struct(fields) => {
            for (field, value) in fields {
                push_names(format!("{name}.{field}"), &mut Vec::new(), value, names);
            }
        }
        _ => names.push(name),
    }
}

pub(super) fn push_cells(value: &Value, cells: &mut Vec<String>) {
    let scalar = match value {
        Value::Array(items) => return items.iter().for_each(|item| push_cells(item, cells)),
        Value::Struct(fields) => {
            return fields.iter().for_each(|(_, value)| push_cells(value, cells));
        }
        Value::Null => Scalar::Null,
        Value::Bool(value) => Scalar::Bool(*value),
        Value::Int(value) => Scalar::Int(*value),
        Value::Float(value) => Scalar::Float(*value, 8),
        Value::Complex(re, im) => Scalar::Complex(Part::Float(*re, 8), Part::Float(*im, 8)),
        Value::Text(text) => Scalar::Text(text),
        Value::Bits(bits) => Scalar::Bits(bits),
    };
    cells.push(text_of(scalar));
}

/// A complex number in the form of Python's `complex`.
fn complex(re: f64, im: f64) -> String {
    let number = |value: f64| if value.is_nan() { "nan".to_owned() } else { shown(value) };
    let sign = if im.is_sign_negative() && !im.is_nan() { "" } else { "+" };
    format!("{}{sign}{}j", number(re), number(im))
}

/// A cell of a CSV file, with quotes if it needs them.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complex_numbers_are_those_of_python() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        for (re, im, expected) in [
            (1.0, -2.5, "1-2.5j"),
            (0.0, nan, "0+nanj"),
            (nan, -inf, "nan-infj"),
            (-inf, inf, "-inf+infj"),
            (-0.0, -nan, "-0+nanj"),
        ] {
            assert_eq!(complex(re, im), expected);
        }
    }
}
