//! What does a path with slices and fields select from a file of any format?

use std::path::Path;

use dudley::Stream;
use dudley::model::{Content, Depth};
use dudley::read::listing::Picks;
use dudley::read::path::{Part, parse};
use dudley::read::select::{Selected, select};
use dudley::read::slice::Index;

use crate::failure::{Failure, Result, printable};
use crate::fill::Fill;
use crate::opened::{Input, Opened};
use crate::stream_args::StreamArgs;

/// The treatment of masked elements.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Masked<'f> {
    /// As null.
    Null,
    /// As null, in files.
    Nulls(&'f Fill),
    /// As files have them that have no null.
    Written(&'f Fill),
}

/// Whether a path picks a part of something: it has slices or fields.
///
/// # Errors
/// If it is no path.
pub(crate) fn has_slices(path: &str) -> Result<bool> {
    Ok(parse(path)?.iter().any(|part| matches!(part, Part::Slice(_) | Part::Field(_))))
}

/// The paths that some with slices of lists stand for.
///
/// # Errors
/// If there is nothing of a path, or a slice picks nothing.
pub(crate) fn spread(content: &dyn Content, paths: &[String]) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for path in paths {
        let spread = content.paths(path)?;
        if spread.is_empty() {
            return Err(Failure::input(format!("`{}` picks nothing", printable(path))));
        }
        all.extend(spread);
    }
    Ok(all)
}

/// Whether a path picks several items of lists, however many; `first` is the first path that it stands for, which has
/// left the slices of arrays.
///
/// # Errors
/// If one is no path.
pub(crate) fn picks_several(path: &str, first: &str) -> Result<bool> {
    let indices = |path: &str| -> Result<Vec<Index>> {
        let slices = parse(path)?.into_iter().filter_map(|part| match part {
            Part::Slice(indices) => Some(indices),
            _ => None,
        });
        Ok(slices.flatten().collect())
    };
    let (all, of_arrays) = (indices(path)?, indices(first)?.len());
    let of_lists = all.len().saturating_sub(of_arrays);
    Ok(all.iter().take(of_lists).any(|index| !matches!(index, Index::At(_))))
}

/// Whether any of some paths has slices or fields.
fn has_any_slices(paths: &[String]) -> Result<bool> {
    paths.iter().try_fold(false, |any, path| Ok(any || has_slices(path)?))
}

/// The selection of a path from a file. Of a stream with an index, and of a frame, only the needed parts are read.
/// Doubts about the values are reported; with digests if the result is `written` to a file.
///
/// # Errors
/// If the file cannot be opened, or there is nothing of that path.
pub(crate) fn of_file(
    args: &StreamArgs,
    file: &Path,
    path: &str,
    masked: Masked<'_>,
    written: bool,
) -> Result<Selected> {
    of_opened(&args.opened(file)?, path, masked, written)
}

/// As [`of_file`], of one that is open.
///
/// # Errors
/// As that.
pub(crate) fn of_opened(
    opened: &Opened,
    path: &str,
    masked: Masked<'_>,
    written: bool,
) -> Result<Selected> {
    let all = !has_slices(path)?;
    // Of a slice that is shown no more is read than it needs.
    let depth = match (written, all) {
        (true, true) => Depth::Checksums,
        (false, false) => Depth::Opened,
        _ => Depth::Headers,
    };
    opened.warn(&[path], depth)?;
    // Other formats report their own doubts.
    if opened.excerpt(path).is_none() && !matches!(opened.input()?, Input::Nodes) {
        opened.stream()?;
    }
    of_content(opened.dataset().inner(), path, masked)
}

/// The selection of a path from an open file.
///
/// # Errors
/// If there is nothing of that path, or it cannot be read.
pub(crate) fn of_content(
    content: &dyn Content,
    path: &str,
    masked: Masked<'_>,
) -> Result<Selected> {
    match masked {
        Masked::Null => Ok(content.select(path)?),
        Masked::Nulls(fill) => fill.masked(content, path),
        Masked::Written(fill) => fill.select(content, path),
    }
}

/// The selection of a path that is a part of an array, or of many arrays, and has no rows; `None` if it
/// has rows.
///
/// # Errors
/// If there is nothing of that path.
pub(crate) fn part(opened: &Opened, path: Option<&str>) -> Result<Option<Selected>> {
    let Some(path) = path else { return Ok(None) };
    if !has_slices(path)? {
        return Ok(None);
    }
    let dataset = opened.dataset();
    match opened.input()? {
        // Items of a list, each of which has rows.
        Input::Nodes if !has_any_slices(&dataset.paths(path)?)? => Ok(None),
        Input::Nodes => Ok(Some(dataset.select(path)?)),
        _ => part_of(opened.stream()?, path, dataset.select(path)),
    }
}

/// As [`part`], of a stream.
///
/// # Errors
/// If there is no such item.
pub(crate) fn part_of_stream(stream: &Stream, path: Option<&str>) -> Result<Option<Selected>> {
    let Some(path) = path else { return Ok(None) };
    if has_slices(path)? { part_of(stream, path, select(stream, path)) } else { Ok(None) }
}

fn part_of(
    stream: &Stream,
    path: &str,
    selected: dudley::Result<Selected>,
) -> Result<Option<Selected>> {
    match selected {
        // Dicts or lists of a list.
        Err(dudley::Error::NotData { .. }) => Ok(None),
        // Items of different forms, which make no array.
        Err(dudley::Error::WrongShape { .. } | dudley::Error::WrongValue { .. })
            if Picks::of(stream, path, None).is_ok() =>
        {
            Ok(None)
        }
        selected => Ok(Some(selected?)),
    }
}
