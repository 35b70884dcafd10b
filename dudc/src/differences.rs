//! How are differences of two files shown, one by one, to people or as JSON?

use std::io::{ErrorKind, Write};

use dudley::Value;
use dudley::diff::{Difference, Values};
use dudley_parser::comments::AttrValue;
use serde_json::{Value as Json, json};

use crate::failure::{Failure, Result, Status, printable};
use crate::json::{JsonSink, Safe};
use crate::options::Format;
use crate::output::Output;
use crate::rows::{Errors, attribute_json, float_json};
use crate::terminal::{number, short};

/// Differences shown to people.
const SHOWN: u64 = 100;

/// Differences as they are shown.
pub(crate) struct Shown {
    format: Format,
    names: [String; 2],
    most: u64,
    count: u64,
    errors: Errors,
    out: std::io::BufWriter<Box<dyn std::io::Write>>,
    failed: Option<std::io::Error>,
}

impl Shown {
    /// For two files of these names. This many are shown at most; if that is not said, to people 100, in JSON all.
    pub(crate) fn new(format: Format, names: [String; 2], most: Option<u64>) -> Shown {
        let all = if format == Format::Json { u64::MAX } else { SHOWN };
        Shown {
            format,
            names,
            most: most.unwrap_or(all),
            count: 0,
            errors: Errors::default(),
            out: std::io::BufWriter::new(crate::kept::stdout()),
            failed: None,
        }
    }

    /// Shows one more difference, or keeps why something could not be compared.
    pub(crate) fn add(&mut self, found: dudley::Result<Difference>) {
        match found {
            Err(error) => self.errors.add(error),
            Ok(difference) => {
                self.count += 1;
                if self.count <= self.most && self.failed.is_none() {
                    self.failed = self.show(&difference).err();
                }
            }
        }
    }

    /// Keeps why other things could not be compared.
    pub(crate) fn absorb(&mut self, errors: Errors, said: impl Fn(dudley::Error) -> dudley::Error) {
        self.errors.absorb(errors, said);
    }

    fn show(&mut self, difference: &Difference) -> std::io::Result<()> {
        match self.format {
            Format::Human => {
                let path = printable(difference.path());
                let said = printable(&said(difference, &self.names));
                writeln!(self.out, "{path}: {said}")
            }
            Format::Json => {
                let begin = match self.count {
                    1 => "{\"version\": 1,\n \"differences\": [\n  ",
                    _ => ",\n  ",
                };
                write!(self.out, "{begin}{}", Safe(as_json(difference)))
            }
        }
    }

    /// Ends the output.
    ///
    /// # Errors
    /// If it could not be written; if something could not be compared.
    pub(crate) fn finish(mut self, output: &Output) -> Result {
        if self.failed.is_none() {
            self.failed = self.close().err();
        }
        // A reader that stops early still learns from the exit status that there are differences.
        let failed = self.failed.filter(|error| error.kind() != ErrorKind::BrokenPipe);
        if let Some(error) = failed {
            return Err(Failure::output(error));
        }
        crate::rows::report(self.errors, output)?;
        Ok(if self.count == 0 { Status::Done } else { Status::Found })
    }

    fn close(&mut self) -> std::io::Result<()> {
        let more = self.count.saturating_sub(self.most);
        match self.format {
            Format::Human if more > 0 => {
                writeln!(self.out, "… and {more} more differences (--max shows more)")?;
            }
            Format::Human => {}
            Format::Json => {
                let close = match self.count.min(self.most) {
                    0 => "{\"version\": 1,\n \"differences\": []",
                    _ => "\n ]",
                };
                let equal = self.count == 0 && self.errors.count == 0;
                let (count, failed) = (self.count, self.errors.count);
                writeln!(
                    self.out,
                    "{close},\n \"count\": {count},\n \"errors\": {failed},\n \"equal\": {equal}}}"
                )?;
            }
        }
        self.out.flush()
    }
}

/// A word with its article.
fn one(word: &str) -> String {
    let article = if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {word}")
}

/// A difference in words.
fn said(difference: &Difference, names: &[String; 2]) -> String {
    match difference {
        Difference::Only { first, kind, .. } => {
            format!("{} in {} only", one(kind), names[usize::from(!first)])
        }
        Difference::Kind { a, b, .. } => format!("{} and {}", one(a), one(b)),
        Difference::Length { a, b, .. } => format!("{a} and {b} items"),
        Difference::Dtype { a, b, .. } => format!("type {a} and {b}"),
        Difference::Shape { a, b, .. } => format!("shape {a:?} and {b:?}"),
        Difference::Param { a, b, .. } => format!("{a} and {b}"),
        Difference::Attribute { name, a, b, .. } => {
            let text = |value: &Option<AttrValue>| match value {
                None => "nothing".to_owned(),
                Some(value) => attribute_json(value).to_string(),
            };
            format!("{name} {} and {}", text(a), text(b))
        }
        Difference::Values { values, .. } => said_of_values(values),
    }
}

fn said_of_values(values: &Values) -> String {
    let worst = &values.worst;
    let text = |value: &Value| match value {
        Value::Null if worst.times => "NaT".to_owned(),
        value => text_of(value, worst.size),
    };
    let (a, b) = (text(&worst.a), text(&worst.b));
    let apart = [
        worst.apart.abs.map(|abs| format!("abs {}", short(abs))),
        worst.apart.rel.map(|rel| format!("rel {}", short(rel))),
        worst.apart.ulp.map(|ulp| format!("ulp {ulp}")),
    ];
    let apart: Vec<String> = apart.into_iter().flatten().collect();
    let apart = if apart.is_empty() { String::new() } else { format!(" ({})", apart.join(", ")) };
    match values.of {
        1 => format!("{a} and {b}{apart}"),
        of => format!(
            "{} of {of} values differ, most at {:?}: {a} and {b}{apart}",
            values.count, worst.index
        ),
    }
}

fn text_of(value: &Value, size: u64) -> String {
    match value {
        Value::Float(value) => number(*value, size),
        Value::Complex(re, im) => {
            let im = number(*im, size / 2);
            let sign = if im.starts_with('-') { "" } else { "+" };
            format!("{}{sign}{im}j", number(*re, size / 2))
        }
        value => json_text(value),
    }
}

fn json_text(value: &Value) -> String {
    let mut text = Vec::new();
    match value.emit(&mut JsonSink::new(&mut text)) {
        Ok(()) => String::from_utf8_lossy(&text).into_owned(),
        Err(error) => error.to_string(),
    }
}

fn as_json(difference: &Difference) -> Json {
    let path = difference.path();
    let both = |kind: &str, a: Json, b: Json| json!({"path": path, "kind": kind, "a": a, "b": b});
    match difference {
        Difference::Only { first, kind, .. } => {
            let place = if *first { "a" } else { "b" };
            json!({"path": path, "kind": "only", "in": place, "is": kind})
        }
        Difference::Kind { a, b, .. } => both("kind", json!(a), json!(b)),
        Difference::Length { a, b, .. } => both("length", json!(a), json!(b)),
        Difference::Dtype { a, b, .. } => both("dtype", json!(a), json!(b)),
        Difference::Shape { a, b, .. } => both("shape", json!(a), json!(b)),
        Difference::Param { a, b, .. } => both("param", json!(a), json!(b)),
        Difference::Attribute { name, a, b, .. } => {
            let value =
                |value: &Option<AttrValue>| value.as_ref().map_or(Json::Null, attribute_json);
            let mut row = both("attribute", value(a), value(b));
            row["name"] = json!(name);
            row
        }
        Difference::Values { values, .. } => {
            let worst = &values.worst;
            let value = |value: &Value| -> Json {
                serde_json::from_str(&json_text(value)).unwrap_or(Json::Null)
            };
            let float = |value: Option<f64>| value.map_or(Json::Null, float_json);
            json!({
                "path": path, "kind": "values", "count": values.count, "of": values.of,
                "index": worst.index, "a": value(&worst.a), "b": value(&worst.b),
                "abs": float(worst.apart.abs), "rel": float(worst.apart.rel),
                "ulp": worst.apart.ulp,
            })
        }
    }
}
