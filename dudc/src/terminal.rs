//! Values and tables for people: on a terminal, elided where they are long.

pub(crate) mod cells;
mod printer;

use std::io::Write;

use dudley::elements::{Scalar, Sink};
use dudley::read::listing::ItemRow;
use dudley::read::select::{Picked, Selected};
use dudley::read::{Dtype, Named, Names, ShowsNames};
use dudley_parser::Layout;
use dudley_parser::comments::value_names;
use dudley_parser::layout::DocKey;
use dudley_parser::names::is_hidden;
use dudley_parser::pad::filled;
use dudley_parser::resolve::Resolver;

use crate::failure::{Failure, Result, printable};
use crate::text::{self, Emit};
pub(crate) use printer::number;
use printer::{Printer, single, with_name};

/// The number of elements up to which an array is shown whole, and the number shown at each end of a longer one.
const SHOWN: u64 = 1000;
const EDGE: usize = 3;

/// Shows an array behind a name, with its type and shape. It is read before anything is written.
///
/// # Errors
/// If decoding or writing fails.
pub(crate) fn show(selected: &Selected, name: &str, all: bool, out: &mut dyn Write) -> Result<()> {
    let (before, names) = (before(selected, name), names_of(selected));
    if !all && is_long(&selected.shape()) {
        write(&before, &edges(selected, &names)?, out)
    } else {
        whole(&before, out, &names, &mut |sink| selected.emit(sink, false))?
            .map_or(Ok(()), |error| Err(error.into()))
    }
}

/// The same for a row during the listing; returns the error of a read.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn show_row(
    resolver: &mut Resolver<'_>,
    row: &ItemRow,
    name: &str,
    all: bool,
    out: &mut dyn Write,
) -> Result<Option<Failure>> {
    let Ok(data) = &row.data else { return Ok(None) };
    let selected = Selected { stacked: Vec::new(), parts: vec![Picked::Data(data.clone())] };
    let (before, names) = (before(&selected, name), names_of(&selected));
    if all || !is_long(data.shape()) {
        // Only the listing knows the params around structs of variable size.
        let unread = whole(&before, out, &names, &mut |sink| row.emit(resolver, sink, false))?;
        return Ok(unread.map(Failure::from));
    }
    let shown = match data.dtype() {
        Dtype::Variable(_) => ends_of(&names, |sink| row.emit(resolver, sink, false)),
        _ => edges(&selected, &names),
    };
    match shown {
        Ok(shown) => write(&before, &shown, out).map(|()| None),
        Err(failure) => Ok(Some(failure)),
    }
}

/// The value of a param in a table, with its name if it has one.
pub(crate) fn param_value(layout: &Layout, key: DocKey, value: i128) -> String {
    format!("= {}", named_value(layout, key, value))
}

/// The value of a param, with its name if it has one.
pub(crate) fn named_value(layout: &Layout, key: DocKey, value: i128) -> String {
    let names = value_names(layout.attributes(key));
    match names.iter().find(|(named, _)| i128::from(*named) == value) {
        Some((_, name)) => with_name(value, name),
        None => value.to_string(),
    }
}

/// The names of the values of a selection.
fn names_of(selected: &Selected) -> Names {
    match selected.parts.first() {
        Some(Picked::Data(data)) => Names::of(data),
        Some(Picked::Value { attributes, .. }) => Names::said(attributes),
        None => Names::default(),
    }
}

fn is_long(shape: &[u64]) -> bool {
    let count = shape.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim));
    count.is_none_or(|count| count > SHOWN)
}

/// The text before a value: its name and its kind.
fn before(selected: &Selected, name: &str) -> String {
    let shape = selected.shape();
    let mut before = name.to_owned();
    if let Some(dtype) = selected.dtype_name().filter(|_| !shape.is_empty()) {
        let dims: Vec<String> = shape.iter().map(u64::to_string).collect();
        before += &format!("{}[{}]\n", printable(&dtype), dims.join(", "));
    }
    before
}

fn write(before: &str, value: &Shown, out: &mut dyn Write) -> Result<()> {
    let mut text = Vec::new();
    print(value, &mut Printer::new(&mut text))?;
    out.write_all(before.as_bytes()).map_err(Failure::output)?;
    out.write_all(&text).map_err(Failure::output)?;
    writeln!(out).map_err(Failure::output)
}

/// Shows all of a value.
fn whole(
    before: &str,
    out: &mut dyn Write,
    names: &Names,
    emit: &mut Emit<'_>,
) -> Result<Option<dudley::Error>> {
    Ok(text::whole(out, before, emit, &|out, emit| {
        let mut printer = Printer::new(out);
        emit(&mut Named::new(names, &mut printer))?;
        printer.put("\n")
    })?)
}

/// A value in one line, for a table.
pub(crate) fn one_line(value: &dudley::Value) -> String {
    let mut text = Vec::new();
    // This cannot fail: there is room.
    let _ = value.emit(&mut Printer::new(&mut text));
    String::from_utf8_lossy(&text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A value whose middle may be left out.
enum Shown {
    One(String),
    Many(Vec<Shown>),
    Struct(Vec<(String, Shown)>),
    Elided,
}

/// The output of a decoder, to be shown.
fn shown_by(
    names: &Names,
    decode: impl FnOnce(&mut dyn Sink) -> dudley::Result<()>,
) -> Result<Shown> {
    built(Tree::default(), names, decode)
}

/// The same without the middle of long output.
fn ends_of(
    names: &Names,
    decode: impl FnOnce(&mut dyn Sink) -> dudley::Result<()>,
) -> Result<Shown> {
    built(Tree { ends: true, ..Tree::default() }, names, decode)
}

fn built(
    mut tree: Tree,
    names: &Names,
    decode: impl FnOnce(&mut dyn Sink) -> dudley::Result<()>,
) -> Result<Shown> {
    decode(&mut Named::new(names, &mut tree))?;
    Ok(tree.done.unwrap_or(Shown::Many(Vec::new())))
}

/// Builds the shown form of values during decoding: their types are known only then.
#[derive(Default)]
struct Tree {
    /// The open arrays and structs, and the names of the next fields.
    open: Vec<(Shown, Option<String>)>,
    done: Option<Shown>,
    /// Arrays keep only their first and last items.
    ends: bool,
}

impl Tree {
    fn put(&mut self, shown: Shown) {
        match self.open.last_mut() {
            None => self.done = Some(shown),
            Some((Shown::Struct(fields), name)) => {
                fields.push((name.take().unwrap_or_default(), shown));
            }
            Some((Shown::Many(items), _)) => {
                let middle = items.get(EDGE).is_some_and(|item| matches!(item, Shown::Elided));
                if self.ends && items.len() == 2 * EDGE + usize::from(middle) {
                    if middle { drop(items.remove(EDGE + 1)) } else { items[EDGE] = Shown::Elided }
                }
                items.push(shown);
            }
            Some(_) => {}
        }
    }

    fn close(&mut self) {
        if let Some((shown, _)) = self.open.pop() {
            self.put(shown);
        }
    }
}

impl ShowsNames for Tree {
    fn named(&mut self, value: i128, name: &str) -> dudley::Result<()> {
        self.put(Shown::One(with_name(value, name)));
        Ok(())
    }
}

impl Sink for Tree {
    fn scalar(&mut self, value: Scalar<'_>) -> dudley::Result<()> {
        self.put(Shown::One(single(value)));
        Ok(())
    }

    fn begin_array(&mut self, _: u64) -> dudley::Result<()> {
        self.open.push((Shown::Many(Vec::new()), None));
        Ok(())
    }

    fn end_array(&mut self) -> dudley::Result<()> {
        self.close();
        Ok(())
    }

    fn begin_struct(&mut self) -> dudley::Result<()> {
        self.open.push((Shown::Struct(Vec::new()), None));
        Ok(())
    }

    fn field(&mut self, name: &str) -> dudley::Result<()> {
        if let Some((_, next)) = self.open.last_mut() {
            *next = Some(name.to_owned());
        }
        Ok(())
    }

    fn end_struct(&mut self) -> dudley::Result<()> {
        self.close();
        Ok(())
    }
}

/// A float with six digits, which are enough for computed values.
pub(crate) fn short(value: f64) -> String {
    shortened(value, 6)
}

/// A mean, to three digits of the smallest difference between values: for values near a billion, the small
/// part matters.
pub(crate) fn short_mean(mean: f64, deviation: Option<f64>) -> String {
    let ratio = deviation.filter(|it| *it > 0.0).map_or(1.0, |it| mean.abs() / it);
    let more = (ratio.log10().ceil() - 3.0).clamp(0.0, 11.0);
    shortened(mean, 6 + more as usize)
}

/// This many digits of a number.
fn shortened(value: f64, digits: usize) -> String {
    let magnitude = value.abs();
    if !value.is_finite() || value == 0.0 {
        return number(value, 8);
    }
    let text = format!("{value:.*e}", digits - 1);
    let rounded: f64 = text.parse().unwrap_or(value);
    if (1e-4..1e7_f64.max(10_f64.powi(digits as i32))).contains(&magnitude) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// The corners of an array: only they are read.
fn edges(selected: &Selected, names: &Names) -> Result<Shown> {
    match selected.data() {
        Some(data) => corner(data, &selected.shape(), names),
        None => ends_of(names, |sink| selected.emit(sink, false)),
    }
}

fn corner(data: &dudley::Data, shape: &[u64], names: &Names) -> Result<Shown> {
    use dudley::read::slice::Index;
    let text = data.dtype().primitive().is_some_and(|(primitive, _)| primitive.is_text());
    if shape.is_empty() || (text && shape.len() == 1) {
        return shown_by(names, |sink| data.emit_shown(sink));
    }
    let length = shape[0];
    let at: Vec<Option<u64>> = if length > 2 * EDGE as u64 {
        let head = (0..EDGE as u64).map(Some);
        head.chain([None]).chain((length - EDGE as u64..length).map(Some)).collect()
    } else {
        (0..length).map(Some).collect()
    };
    let items = at.into_iter().map(|index| match index {
        None => Ok(Shown::Elided),
        Some(index) => match data.slice(&[Index::At(index as i64)]) {
            Ok(part) => corner(&part, &shape[1..], names),
            Err(dudley::Error::Variable { .. }) => Ok(Shown::Elided),
            Err(error) => Err(error.into()),
        },
    });
    Ok(Shown::Many(items.collect::<Result<_>>()?))
}

fn print(shown: &Shown, printer: &mut Printer<'_>) -> dudley::Result<()> {
    match shown {
        Shown::One(value) => printer.one(value),
        Shown::Elided => printer.one("…"),
        Shown::Struct(fields) => {
            printer.begin_struct()?;
            for (name, value) in fields {
                printer.field(name)?;
                print(value, printer)?;
            }
            printer.end_struct()
        }
        Shown::Many(items) => {
            printer.begin_array(items.len() as u64)?;
            items.iter().try_for_each(|item| print(item, printer))?;
            printer.end_array()
        }
    }
}

/// Rows in columns. The first rows decide the width of a column, so that a table of any length can
/// be written.
pub(crate) struct Table<'o> {
    out: &'o mut dyn Write,
    /// Columns that are flush right.
    right: &'o [usize],
    waiting: Vec<Vec<String>>,
    widths: Option<Vec<usize>>,
}

/// The number of rows that decide the width of columns.
const WAITING: usize = 2000;

impl<'o> Table<'o> {
    /// A table with a header.
    pub(crate) fn new(head: &[&str], right: &'o [usize], out: &'o mut dyn Write) -> Self {
        let mut head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
        head.iter_mut().for_each(clean);
        Self { out, right, waiting: vec![head], widths: None }
    }

    /// Adds a row. It is one line, and cannot control the terminal, whatever names, units and documentation
    /// contain.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub(crate) fn add(&mut self, mut row: Vec<String>) -> std::io::Result<()> {
        row.iter_mut().for_each(clean);
        match &self.widths {
            Some(widths) => write_row(&row, widths, self.right, self.out),
            None => {
                self.waiting.push(row);
                if self.waiting.len() > WAITING { self.flush() } else { Ok(()) }
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        rows.iter().try_for_each(|row| write_row(row, &widths, self.right, self.out))?;
        self.widths = Some(widths);
        Ok(())
    }

    /// Writes the buffered rows.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub(crate) fn finish(mut self) -> std::io::Result<()> {
        if self.widths.is_none() { self.flush() } else { Ok(()) }
    }
}

fn clean(cell: &mut String) {
    if cell.contains(is_hidden) {
        *cell = printable(&cell.replace(['\n', '\r', '\t'], " "));
    }
}

fn write_row(
    row: &[String],
    widths: &[usize],
    right: &[usize],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut line = String::new();
    for (column, cell) in row.iter().enumerate() {
        let width = widths.get(column).copied().unwrap_or(0);
        if column > 0 {
            line.push_str("  ");
        }
        let filled = filled(cell, width);
        if right.contains(&column) {
            line = line + &filled[cell.len()..] + cell
        } else {
            line += &filled
        }
    }
    writeln!(out, "{}", line.trim_end())
}
