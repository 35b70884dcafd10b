//! Values and tables for people: on a terminal, elided where they are long.

use std::io::Write;

use dudley::dtype::Dtype;
use dudley::listing::ItemRow;
use dudley::select::{Picked, Selected};
use dudley::value::{Part, Scalar, Sink};
use dudley_parser::layout::path::push_name;
use dudley_parser::resolve::Resolver;

use crate::failure::{Failure, Result, printable};

/// Elements shown before an array is elided, and how many of each end then.
const SHOWN: u64 = 1000;
const EDGE: usize = 3;
/// Characters of a line.
const WIDTH: usize = 100;

/// Shows an array, with its type and shape.
///
/// # Errors
/// What decoding and writing say.
pub(crate) fn show(selected: &Selected, all: bool, out: &mut dyn Write) -> Result<()> {
    let value = shown(selected, &selected.shape(), all)?;
    write(selected, &value, out)
}

/// The same of a row, while the listing stands at it.
///
/// # Errors
/// As [`show`].
pub(crate) fn show_row(
    resolver: &mut Resolver<'_>,
    row: &ItemRow,
    all: bool,
    out: &mut dyn Write,
) -> Result<()> {
    let Ok(data) = &row.data else { return Ok(()) };
    let selected = Selected { stacked: Vec::new(), parts: vec![Picked::Data(data.clone())] };
    if !matches!(data.dtype(), Dtype::Variable(_)) {
        return show(&selected, all, out);
    }
    // Only the listing knows the params around it.
    let value = shown_by(|sink| row.emit(resolver, sink, false))?;
    let value = if !all && is_long(data.shape()) { shorten(value) } else { value };
    write(&selected, &value, out)
}

fn is_long(shape: &[u64]) -> bool {
    let count = shape.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim));
    count.is_none_or(|count| count > SHOWN)
}

fn write(selected: &Selected, value: &Shown, out: &mut dyn Write) -> Result<()> {
    let io = |error| Failure::output(error);
    let shape = selected.shape();
    if let Some(dtype) = selected.dtype_name().filter(|_| !shape.is_empty()) {
        let dims: Vec<String> = shape.iter().map(u64::to_string).collect();
        writeln!(out, "{}[{}]", printable(&dtype), dims.join(", ")).map_err(io)?;
    }
    let mut text = String::new();
    print(value, 0, &mut text);
    writeln!(out, "{text}").map_err(io)
}

/// A value in one line, as it stands in a table.
pub(crate) fn one_line(value: &dudley::Value) -> String {
    let mut text = String::new();
    if let Ok(shown) = shown_by(|sink| value.emit(sink)) {
        print(&shown, 0, &mut text);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is shown of an array: all, or its corners. Nothing is written before it is read.
fn shown(selected: &Selected, shape: &[u64], all: bool) -> Result<Shown> {
    match !all && is_long(shape) {
        true => edges(selected, shape),
        false => shown_by(|sink| selected.emit(sink, false)),
    }
}

/// A value of which the middle may be left out.
enum Shown {
    One(String),
    Many(Vec<Shown>),
    Struct(Vec<(String, Shown)>),
    Elided,
}

/// What a decoder gives, as it is shown.
fn shown_by(decode: impl FnOnce(&mut dyn Sink) -> dudley::Result<()>) -> Result<Shown> {
    let mut tree = Tree::default();
    decode(&mut tree)?;
    Ok(tree.done.unwrap_or(Shown::Many(Vec::new())))
}

/// Builds what is shown of values while they are decoded: their types are known only then.
#[derive(Default)]
struct Tree {
    /// Arrays and structs that are not complete yet, and the names of the fields that come next.
    open: Vec<(Shown, Option<String>)>,
    done: Option<Shown>,
}

impl Tree {
    fn put(&mut self, shown: Shown) {
        match self.open.last_mut() {
            None => self.done = Some(shown),
            Some((Shown::Struct(fields), name)) => {
                fields.push((name.take().unwrap_or_default(), shown));
            }
            Some((Shown::Many(items), _)) => items.push(shown),
            Some(_) => {}
        }
    }

    fn close(&mut self) {
        if let Some((shown, _)) = self.open.pop() {
            self.put(shown);
        }
    }
}

impl Sink for Tree {
    fn scalar(&mut self, value: Scalar<'_>) -> dudley::Result<()> {
        self.put(Shown::One(match value {
            Scalar::Null => "null".to_owned(),
            Scalar::Bool(value) => value.to_string(),
            Scalar::Int(value) => value.to_string(),
            Scalar::Float(value, size) => number(value, size),
            Scalar::Complex(re, im) => {
                let im = part(im);
                let sign = if im.starts_with('-') { "" } else { "+" };
                format!("{}{sign}{im}j", part(re))
            }
            Scalar::Text(text) => crate::json::quoted(text),
            Scalar::Bits(bits) => hex(bits),
        }));
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

fn part(part: Part<'_>) -> String {
    match part {
        Part::Float(value, size) => number(value, size),
        Part::Bits(bits) => hex(bits),
    }
}

fn hex(bits: &[u8]) -> String {
    bits.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The shortest decimal that gives the same float of its size back (f2 as f4).
pub(crate) fn number(value: f64, size: u64) -> String {
    let text = match size > 4 || !value.is_finite() {
        true => crate::json::float(value),
        false => format!("{:?}", value as f32),
    };
    text.trim_matches('"').to_owned()
}

/// A float with six digits, which say enough of what was computed.
pub(crate) fn short(value: f64) -> String {
    shortened(value, 6)
}

/// A mean, to three digits of what the values differ by at least: of what is a billion and a bit, the bit is
/// of interest.
pub(crate) fn short_mean(mean: f64, deviation: Option<f64>) -> String {
    let ratio = deviation.filter(|it| *it > 0.0).map_or(1.0, |it| mean.abs() / it);
    let more = (ratio.log10().ceil() - 3.0).clamp(0.0, 11.0);
    shortened(mean, 6 + more as usize)
}

/// So many digits of a number.
fn shortened(value: f64, digits: usize) -> String {
    let magnitude = value.abs();
    if !value.is_finite() || value == 0.0 {
        return number(value, 8);
    }
    let text = format!("{value:.*e}", digits - 1);
    let rounded: f64 = text.parse().unwrap_or(value);
    match (1e-4..1e7_f64.max(10_f64.powi(digits as i32))).contains(&magnitude) {
        true => format!("{rounded}"),
        false => format!("{rounded:e}"),
    }
}

/// The corners of an array: only they are read.
fn edges(selected: &Selected, shape: &[u64]) -> Result<Shown> {
    let Some(data) = selected.data() else {
        return Ok(shorten(shown_by(|sink| selected.emit(sink, false))?));
    };
    corner(data, shape)
}

fn corner(data: &dudley::Data, shape: &[u64]) -> Result<Shown> {
    use dudley::slice::Index;
    let text = data.dtype().primitive().is_some_and(|(primitive, _)| primitive.is_text());
    if shape.is_empty() || (text && shape.len() == 1) {
        return shown_by(|sink| data.emit_shown(sink));
    }
    let length = shape[0];
    let at: Vec<Option<u64>> = match length > 2 * EDGE as u64 {
        true => {
            let head = (0..EDGE as u64).map(Some);
            head.chain([None]).chain((length - EDGE as u64..length).map(Some)).collect()
        }
        false => (0..length).map(Some).collect(),
    };
    let items = at.into_iter().map(|index| match index {
        None => Ok(Shown::Elided),
        Some(index) => match data.slice(&[Index::At(index as i64)]) {
            Ok(part) => corner(&part, &shape[1..]),
            Err(dudley::Error::Variable { .. }) => Ok(Shown::Elided),
            Err(error) => Err(error.into()),
        },
    });
    Ok(Shown::Many(items.collect::<Result<_>>()?))
}

fn shorten(shown: Shown) -> Shown {
    match shown {
        Shown::Many(items) if items.len() > 2 * EDGE => {
            let last = items.len() - EDGE;
            let kept = items.into_iter().enumerate().filter_map(|(at, item)| match at {
                at if at < EDGE || at >= last => Some(shorten(item)),
                at if at == EDGE => Some(Shown::Elided),
                _ => None,
            });
            Shown::Many(kept.collect())
        }
        Shown::Many(items) => Shown::Many(items.into_iter().map(shorten).collect()),
        other => other,
    }
}

fn print(shown: &Shown, indent: usize, text: &mut String) {
    match shown {
        Shown::One(value) => text.push_str(value),
        Shown::Elided => text.push('…'),
        Shown::Struct(fields) => {
            text.push('{');
            for (at, (name, value)) in fields.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { ", " });
                let mut spelt = String::new();
                push_name(&mut spelt, name);
                text.push_str(&crate::failure::printable(&spelt));
                text.push_str(": ");
                print(value, indent + 1, text);
            }
            text.push('}');
        }
        Shown::Many(items) => {
            let nested = items.iter().any(|item| matches!(item, Shown::Many(_) | Shown::Struct(_)));
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                let mut part = String::new();
                print(item, indent + 1, &mut part);
                let line = text.rsplit('\n').next().map_or(0, |line| line.chars().count());
                let long = line + part.chars().count() + 2 > WIDTH;
                match (at, nested || long) {
                    (0, _) => {}
                    (_, true) => {
                        text.push_str(",\n");
                        text.push_str(&" ".repeat(indent + 1));
                    }
                    (_, false) => text.push_str(", "),
                }
                text.push_str(&part);
            }
            text.push(']');
        }
    }
}

/// Rows in columns. The width of a column is that of the first rows, so that a table of any length
/// can be written.
pub(crate) struct Table<'o> {
    out: &'o mut dyn Write,
    /// Columns that are flush right.
    right: &'o [usize],
    waiting: Vec<Vec<String>>,
    widths: Option<Vec<usize>>,
}

/// Rows that are waited for before columns get their width.
const WAITING: usize = 2000;

impl<'o> Table<'o> {
    /// A table with a head.
    pub(crate) fn new(head: &[&str], right: &'o [usize], out: &'o mut dyn Write) -> Self {
        let head = head.iter().map(|cell| (*cell).to_owned()).collect();
        Self { out, right, waiting: vec![head], widths: None }
    }

    /// One more row.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub(crate) fn add(&mut self, mut row: Vec<String>) -> std::io::Result<()> {
        // A row is a line, whatever stands in a unit or in documentation.
        for cell in row.iter_mut().filter(|cell| cell.contains(['\n', '\r', '\t'])) {
            *cell = cell.replace(['\n', '\r', '\t'], " ");
        }
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

    /// Writes what is still waiting.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub(crate) fn finish(mut self) -> std::io::Result<()> {
        if self.widths.is_none() { self.flush() } else { Ok(()) }
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
        let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
        if column > 0 {
            line.push_str("  ");
        }
        match right.contains(&column) {
            true => line = line + &pad + cell,
            false => line = line + cell + &pad,
        }
    }
    writeln!(out, "{}", line.trim_end())
}
