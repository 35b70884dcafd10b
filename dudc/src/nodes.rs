//! Formats with nodes of their own, without a layout: lists of their nodes, and tables of their other parts.

pub(crate) mod compare;
mod json;
pub(crate) mod leaves;
pub(crate) mod repeated;
mod table;
pub(crate) mod units;

use std::io::Write;

use dudley::elements::Sink;
use dudley::model::{
    Content, Dataset, Depth, Fact, Kind, LeftBehind, Node, Portable, Shared, Table,
};
use dudley::read::path::{Part, parse};
use dudley::read::select::{Picked, Selected};
use dudley::read::slice::Index;

use crate::failure::{Failure, Result, printable};
use crate::json::JsonSink;
use crate::opened::Opened;
use crate::options::Format;
use crate::output::{Output, warn};
use crate::rows::{self, Errors};
use crate::terminal;

/// Remarks that are shown.
const SHOWN: usize = 10;

/// The selection to list, and its form.
#[derive(Clone, Copy)]
pub(crate) struct Options<'o> {
    /// Only nodes at or below this path.
    pub(crate) path: Option<&'o str>,
    /// Lists long parts whole.
    pub(crate) all: bool,
    /// How thoroughly to search for faults.
    pub(crate) depth: Depth,
    /// With values.
    pub(crate) values: bool,
    /// Prints values that give the same bytes back: as `{"bits": …}` where the plain form would not
    /// (implies --format json)
    pub(crate) exact: bool,
    pub(crate) format: Format,
}

/// Lists the nodes, and the tables behind them.
///
/// # Errors
/// If the file cannot be read; if something in it is wrong, after all the rest is shown.
pub(crate) fn list(
    opened: &Opened,
    options: &Options<'_>,
    out: &mut dyn Write,
    output: &Output,
) -> Result<()> {
    let errors = match options.format {
        Format::Json => json::write(opened.dataset(), options, out)?,
        Format::Human => table::write(opened.dataset(), options, out)?,
    };
    out.flush().map_err(Failure::output)?;
    remark(opened)?;
    rows::report(errors, output)
}

/// Writes the tables of the other parts, for people.
///
/// # Errors
/// If they cannot be written.
pub(crate) fn tables(
    tables: &[Table],
    all: bool,
    errors: &mut Errors,
    out: &mut dyn Write,
) -> Result<()> {
    tables.iter().try_for_each(|table| table::of_format(table, all, errors, out))
}

/// Writes the facts about all of a file, and its tables, for programs: each is a key of the object that is begun.
///
/// # Errors
/// If they cannot be written.
pub(crate) fn keys(
    facts: &[Fact],
    tables: &[Table],
    errors: &mut Errors,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    json::facts(facts, out)?;
    json::tables(tables, errors, out)
}

/// Facts as a document for programs.
pub(crate) fn document(facts: &[Fact]) -> serde_json::Value {
    json::document(facts)
}

/// Reports everything odd or wrong, without a failure.
pub(crate) fn remark(opened: &Opened) -> Result<()> {
    let remarks = opened.dataset().remarks()?;
    remarks.iter().take(SHOWN).for_each(|remark| opened.say(remark));
    if let Some(more) = remarks.len().checked_sub(SHOWN + 1) {
        warn(&format!("… and {} more", more + 1));
    }
    Ok(())
}

/// Shows the values of everything.
///
/// # Errors
/// As [`list`].
pub(crate) fn dump(
    opened: &Opened,
    nested: bool,
    options: &Options<'_>,
    output: &Output,
) -> Result<()> {
    let mut out = std::io::BufWriter::new(crate::kept::stdout());
    if nested {
        return self::nested(opened.dataset(), options, &mut out, output);
    }
    if options.format == Format::Json || options.exact {
        return list(opened, &Options { format: Format::Json, ..*options }, &mut out, output);
    }
    let mut errors = Errors::default();
    walk(opened.dataset(), options.path, Shared::Once, &mut |node, before| {
        let path = printable(&node.path());
        if !is_leaf(node) {
            if let Some(before) = before {
                let before = printable(before);
                writeln!(out, "{path} = same as {before}").map_err(Failure::output)?;
            }
            return Ok(true);
        }
        match values(opened.dataset(), node, options.all) {
            Ok(text) => {
                let shown = write!(out, "{path} = ").and_then(|()| out.write_all(&text));
                shown.map_err(Failure::output)?;
            }
            Err(failure) => {
                output.complain(&failure);
                errors.said(&failure);
            }
        }
        Ok(false)
    })?;
    out.flush().map_err(Failure::output)?;
    remark(opened)?;
    rows::report(errors, output)
}

/// Shows all values as one; of several nodes an array of them.
fn nested(
    dataset: &Dataset,
    options: &Options<'_>,
    out: &mut dyn Write,
    output: &Output,
) -> Result<()> {
    let errors = nested_to(dataset, options, out)?;
    rows::report(errors, output)
}

fn nested_to(dataset: &Dataset, options: &Options<'_>, out: &mut dyn Write) -> Result<Errors> {
    let path = options.path.unwrap_or("/");
    let is_several = picks_several(path)?;
    let mut nodes = dataset.nodes(path)?;
    if nodes.is_empty() && !is_several {
        // The message says why nothing is there.
        nodes.push(dataset.get(path)?);
    }
    let mut errors = Errors::default();
    // The faults of a file are reported once, and so it is read once.
    let mut text = Vec::new();
    let mut sink = JsonSink::new(&mut text);
    if is_several {
        sink.begin_array(nodes.len() as u64)?;
    }
    for node in &nodes {
        node.emit_readable(&mut sink, options.exact, &mut |path, error| {
            errors.add(error.of_path(path));
        })?;
    }
    if is_several {
        sink.end_array()?;
    }
    text.push(b'\n');
    out.write_all(&text).and_then(|()| out.flush()).map_err(Failure::output)?;
    Ok(errors)
}

/// Whether a path picks several items of a list.
fn picks_several(path: &str) -> Result<bool> {
    let is_one = |index: &Index| matches!(index, Index::At(_));
    let picks = |part: &Part| matches!(part, Part::Slice(indices) if !indices.iter().all(is_one));
    Ok(parse(path)?.iter().any(picks))
}

fn values(dataset: &Dataset, node: &Node, all: bool) -> Result<Vec<u8>> {
    let selected = match node.kind() {
        Kind::Array => dataset.select(&node.path())?,
        _ => {
            let parts = vec![Picked::of_value(node.value()?, None)];
            Selected { stacked: Vec::new(), parts }
        }
    };
    let mut text = Vec::new();
    terminal::show(&selected, "", all, &mut text)?;
    Ok(text)
}

/// Whether a node is a single value or an array.
pub(crate) fn is_leaf(node: &Node) -> bool {
    matches!(node.kind(), Kind::Array | Kind::Value)
}

/// The results. The first of several failures is kept.
fn found<T>(found: dudley::Result<T>, wrong: &mut Option<dudley::Error>) -> Option<T> {
    match found {
        Ok(found) => Some(found),
        Err(error) => {
            wrong.get_or_insert(error);
            None
        }
    }
}

/// Receives each node and its path; returns whether to continue into the node.
pub(crate) type Visit<'v> = dudley::model::Visit<'v, Failure>;

/// Visits everything at or below a path, which may have slices of lists.
///
/// # Errors
/// If there is nothing of that path; if `visit` fails.
pub(crate) fn walk(
    dataset: &Dataset,
    path: Option<&str>,
    shared: Shared,
    visit: &mut Visit<'_>,
) -> Result<()> {
    dudley::model::walk(dataset.nodes(path.unwrap_or("/"))?, shared, visit)
}

/// Visits what other formats take of a file, at and below a path of the file.
///
/// # Errors
/// If there is nothing of that path; if `visit` fails.
pub(crate) fn portable(
    content: &dyn Content,
    path: Option<&str>,
    visit: &mut dyn FnMut(Portable) -> Result<()>,
) -> Result<LeftBehind> {
    let mut failed = None;
    let left = content.portable(path, &mut |it| {
        visit(it).map_err(|failure| {
            failed = Some(failure);
            dudley::Error::Cancelled
        })
    });
    failed.map_or_else(|| Ok(left?), Err)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use asdf_bridge::asdf::{Builder, NewArray, NewMask};
    use dudley::Error;
    use dudley::bytes::Source;
    use dudley::diff::Diff;
    use dudley::model::Candidate;

    use super::*;
    use crate::failure::Status;
    use crate::stream_args::StreamArgs;

    /// A file that is unreadable behind some address, once it is marked.
    struct Failing(Vec<u8>, Arc<AtomicU64>);

    impl Source for Failing {
        fn len(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_at(&self, address: u64, buf: &mut [u8]) -> dudley::Result<()> {
            if address + buf.len() as u64 > self.1.load(Ordering::Relaxed) {
                return Err(Error::io("cannot read `x`", std::io::Error::other("a broken disk")));
            }
            self.0.as_slice().read_at(address, buf)
        }
    }

    #[test]
    fn what_cannot_be_read_is_told_as_that_wherever_it_stands() {
        let long = || NewArray::from(vec![1.5_f64; 100_000]);
        let masked = long().masked(NewMask::Array(NewArray::from(vec![true; 100_000])));
        let bytes = Builder::new().put("a", long()).put("m", masked).to_bytes().expect("a file");
        let find = |what: &[u8]| bytes.windows(what.len()).position(|at| at == what);
        let block = find(b"\xd3BLK").expect("a block") as u64;
        let end = find(b"#ASDF BLOCK INDEX").expect("an index") as u64;
        // At the first header of a block, in its data, and at the last byte of a mask.
        for from in [block, block + 100, end - 1] {
            let opened = |from| {
                let end = Arc::new(AtomicU64::new(u64::MAX));
                let candidate = Candidate::source("x", Failing(bytes.clone(), end.clone()), 0);
                let opened = StreamArgs::default().opened_as(candidate, Path::new("x"));
                end.store(from, Ordering::Relaxed);
                opened.expect("opened")
            };
            let (opened, whole) = (opened(from), opened(u64::MAX));
            let (dataset, mut out) = (opened.dataset(), Vec::new());
            let (path, all, depth) = (None, false, Depth::Checksums);
            let options =
                Options { path, all, depth, values: true, exact: false, format: Format::Json };
            let unread = |name: &str, found: Result<Errors>| match found {
                Ok(errors) => assert!(errors.unread, "{from} {name}: {errors:?}"),
                Err(failure) => {
                    assert_eq!(failure.status(), Status::Io, "{from} {name}: {failure}")
                }
            };
            unread("json", json::write(dataset, &options, &mut out));
            unread("table", table::write(dataset, &options, &mut out));
            unread("nested", nested_to(dataset, &options, &mut out));
            let mut errors = Errors::default();
            let mut found =
                |found: dudley::Result<_>| found.err().into_iter().for_each(|it| errors.add(it));
            let [mut of_a, mut of_b] = [Errors::default(), Errors::default()];
            let compared = compare::compare(
                &Diff::new(),
                [Path::new("x"), Path::new("y")],
                |visit| {
                    let named = |node: &Node| node.path();
                    leaves::of_nodes(dataset, None, &Default::default(), &mut of_a, &named, visit)
                },
                |visit| {
                    let named = |node: &Node| node.path();
                    let whole = whole.dataset();
                    leaves::of_nodes(whole, None, &Default::default(), &mut of_b, &named, visit)
                },
                &mut found,
            );
            errors.absorb(of_a, |error| error);
            unread("compared", compared.map(|()| errors));
        }
    }
}
