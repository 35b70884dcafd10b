//! Layouts with a fault: is it reported, as severe as it is and where it is?

use std::collections::HashSet;

use dudley_parser::span::LineIndex;
use dudley_parser::{Checked, Severity};
use dudley_tests::known;
use serde_json::Value as Json;

/// Line and column of a finding, both from 1.
type Place = (u64, u64);

#[test]
fn faults_are_reported_where_they_are() {
    let mut found = Vec::new();
    for folder in known::folders() {
        let rows = known::rows(&folder, "diagnosed.json");
        let one_line = |row: &Json| judge(row).err().map(|why| format!("{}: {why}", row["id"]));
        found.extend(rows.iter().filter_map(one_line));
    }
    super::report(&found);
}

fn text(row: &Json) -> Vec<u8> {
    match (row["text"].as_str(), row["text_hex"].as_str()) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (None, hex) => known::unhex(hex.unwrap_or_default()),
    }
}

fn places(checked: &Checked, severity: Severity) -> HashSet<Place> {
    let lines = LineIndex::new(&checked.text);
    let place = |offset| {
        let at = lines.line_column(offset);
        (at.line as u64, at.column as u64)
    };
    checked.of(severity).map(|found| place(found.primary.span.start)).collect()
}

fn place(at: &Json) -> Place {
    (at[0].as_u64().unwrap_or(0), at[1].as_u64().unwrap_or(0))
}

fn judge(row: &Json) -> Result<(), String> {
    let text = text(row);
    let checked = dudley_parser::check(&text);
    let (errors, warnings) =
        (places(&checked, Severity::Error), places(&checked, Severity::Warning));
    let said: Vec<_> = checked
        .diagnostics
        .iter()
        .map(|it| format!("{} {}", it.severity.as_str(), it.code))
        .collect();
    let said = format!("errors at {errors:?}, warnings at {warnings:?}: {said:?}");
    if row["stage"] == "resolve" {
        return if errors.is_empty() {
            resolve(row, &text)
        } else {
            Err(format!("fine as a layout, but {said}"))
        };
    }
    match row["severity"].as_str() {
        Some("ok") if errors.is_empty() && warnings.is_empty() => Ok(()),
        Some("error") => expect(row, &errors, &said),
        Some("warning") if errors.is_empty() => expect(row, &warnings, &said),
        _ => Err(said),
    }
}

/// What is to be reported is, and nothing else of that severity.
fn expect(row: &Json, found: &HashSet<Place>, said: &str) -> Result<(), String> {
    let alternatives = row["alt"].as_array().into_iter().flatten().map(place);
    let first: HashSet<Place> = std::iter::once(place(&row["at"])).chain(alternatives).collect();
    let also: HashSet<Place> = row["also"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| (row[1].as_u64().unwrap_or(0), row[2].as_u64().unwrap_or(0)))
        .collect();
    let anywhere = row["anywhere"] == true;
    if found.is_empty() || !(anywhere || found.iter().any(|place| first.contains(place))) {
        return Err(format!("expected at {first:?}, found {said}"));
    }
    if let Some(missing) = also.iter().find(|place| !found.contains(*place)) {
        return Err(format!("expected at {missing:?} too, found {said}"));
    }
    match found.iter().find(|place| !(anywhere || first.contains(*place) || also.contains(*place)))
    {
        Some(echo) => Err(format!("nothing is wrong at {echo:?}: {said}")),
        None => Ok(()),
    }
}

/// The layout is fine; opening the stream is, too; what needs the bad value names it.
fn resolve(row: &Json, text: &[u8]) -> Result<(), String> {
    let layout = dudley::parse_layout(text).map_err(|error| error.to_string())?;
    let stream = known::unhex(row["stream"].as_str().unwrap_or_default());
    let stream =
        dudley::Open::new().layout(layout).bytes(stream).map_err(|error| error.to_string())?;
    let items = stream.root().names();
    let errors: Vec<String> = items
        .iter()
        .filter_map(|name| stream.root().child(name)?.value().err())
        .map(|error| error.to_string())
        .collect();
    let wanted = [row["value"].to_string(), row["address"].to_string()];
    let path = row["path"].as_str().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    match errors.first() {
        Some(error) if wanted.iter().all(|it| error.contains(it)) && error.contains(name) => Ok(()),
        other => Err(format!("{name} {wanted:?} are to be named: {other:?}")),
    }
}
