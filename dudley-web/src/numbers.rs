//! What the numbers of an array come to.

use dudley::Data;
use dudley::stat::{Part, Statistics, Survey, Surveyed};
use serde_json::{Value as Json, json};

use crate::shown;

/// Least, greatest and mean of an array, of each field of a struct: all of it is read. `progress` learns
/// how many more bytes were.
pub(crate) fn of(path: &str, data: &Data, progress: &mut dyn FnMut(u64)) -> Json {
    let mut survey = Survey::new().threads(1).progress(progress);
    survey.add_data(path, data);
    let results = survey.finish();
    let rows: Vec<Json> = results.items.iter().map(|row| line(path, row)).collect();
    let error = results.errors.first().map(ToString::to_string);
    json!({"numbers": rows, "error": error})
}

fn line(path: &str, row: &Surveyed) -> Json {
    let size = match row.dtype.trim_start_matches(['<', '>', '|']) {
        "f2" | "f4" | "c4" | "c8" => 4,
        _ => 8,
    };
    let Statistics { count, nan, inf, zeros, min, max, mean, std } = row.statistics;
    let part = match row.part {
        Part::Whole => "",
        Part::Real => "re",
        Part::Imaginary => "im",
        Part::Text => "text",
    };
    json!({
        "field": row.path.strip_prefix(path).unwrap_or(&row.path),
        "part": part,
        "count": count,
        "nan": nan,
        "inf": inf,
        "zeros": zeros,
        "min": min.map(|number| shown::number(number, size)),
        "max": max.map(|number| shown::number(number, size)),
        "mean": mean.map(|value| shown::float(value, 4)),
        "std": std.map(|value| shown::float(value, 4)),
    })
}
