//! What a path with slices and fields picks of a file of any kind: a stream, a file of ASDF or FINF, a Blosc2 frame.

use std::path::Path;

use dudley::Stream;
use dudley::listing::Picks;
use dudley::model::Depth;
use dudley::path::{Part, parse};
use dudley::select::{Selected, select};

use crate::asdf;
use crate::failure::{Failure, Result};
use crate::fill::Fill;
use crate::opened::{Input, Opened};
use crate::stream_args::StreamArgs;

/// How masked elements of ASDF files are taken.
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

/// Whether any of some paths has slices or fields.
fn has_any_slices(paths: &[String]) -> Result<bool> {
    paths.iter().try_fold(false, |any, path| Ok(any || has_slices(path)?))
}

/// What a path picks of a file: as little as can be is read of a stream with an index, and of a frame. What speaks
/// against its values is said; with digests if it is `written` to a file.
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
    let opened = args.opened(file)?;
    let all = !has_slices(path)?;
    // Of a slice that is shown no more is read than it needs.
    let depth = match (written, all) {
        (true, true) => Depth::Checksums,
        (false, false) => Depth::Opened,
        _ => Depth::Headers,
    };
    opened.warn(&[path], depth)?;
    if !all
        && let Some(frame) = opened.frame()
        && let Some(selected) =
            frame.select(path).map_err(|error| Failure::of_file(&opened.name(), error))?
    {
        return Ok(selected);
    }
    if let Some(stream) = opened.excerpt(path) {
        return of_stream(&stream, &opened, path);
    }
    of_opened(&opened, path, masked)
}

/// What a path picks of a file that is open.
///
/// # Errors
/// If it is a layout, or there is nothing of that path.
fn of_opened(opened: &Opened, path: &str, masked: Masked<'_>) -> Result<Selected> {
    match opened.asdf() {
        Some(file) => asdf::select(file, path, masked),
        None => of_stream(opened.stream()?, opened, path),
    }
}

fn of_stream(stream: &Stream, opened: &Opened, path: &str) -> Result<Selected> {
    select(stream, path).map_err(|error| match error {
        error @ (dudley::Error::NoSuchItem { .. } | dudley::Error::NotData { .. }) => error.into(),
        error => Failure::of_file(&opened.name(), error),
    })
}

/// What a path picks that is a part of an array, or of many, and so has no rows; none of what has them.
///
/// # Errors
pub(crate) fn part(opened: &Opened, path: Option<&str>) -> Result<Option<Selected>> {
    let Some(path) = path else { return Ok(None) };
    if !has_slices(path)? {
        return Ok(None);
    }
    if let Some(frame) = opened.frame()
        && let Some(selected) =
            frame.select(path).map_err(|error| Failure::of_file(&opened.name(), error))?
    {
        return Ok(Some(selected));
    }
    match opened.input()? {
        Input::Stream(stream) => part_of_stream(stream, Some(path)),
        // Items of a list, each of which has rows.
        Input::Asdf(file) if !has_any_slices(&file.spread(path)?.paths)? => Ok(None),
        _ => of_opened(opened, path, Masked::Null).map(Some),
    }
}

/// As [`part`], of a stream.
///
/// # Errors
/// If there is no such item.
pub(crate) fn part_of_stream(stream: &Stream, path: Option<&str>) -> Result<Option<Selected>> {
    let Some(path) = path else { return Ok(None) };
    if !has_slices(path)? {
        return Ok(None);
    }
    match select(stream, path) {
        // Dicts or lists of a list.
        Err(dudley::Error::NotData { .. }) => Ok(None),
        // Items that are not alike, and so make no array.
        Err(dudley::Error::WrongShape { .. } | dudley::Error::WrongValue { .. })
            if Picks::of(stream, path, None).is_ok() =>
        {
            Ok(None)
        }
        selected => Ok(Some(selected?)),
    }
}
