//! Faults of a frame or a chunk, and doubts about values that can be read.

use dudley::Severity;
use dudley::model::{Candidate, Depth, Doubt};
use dudley::read::path::{Part, parse};
use dudley::verify::Finding;

use super::error::Error;
use super::frame::Frame;

/// All that is wrong with a frame that is open.
pub(super) fn of_frame(
    frame: &Frame,
    candidate: &Candidate,
    found: &mut dyn FnMut(Finding),
    advance: &mut dyn FnMut(u64),
) {
    frame.verify(&mut |path, error| found(finding(Some(path), &error)), advance);
    elsewhere(frame).into_iter().for_each(&mut *found);
    unknown(frame).into_iter().for_each(&mut *found);
    other_elements(frame).into_iter().for_each(&mut *found);
    if candidate.folder().is_none() {
        trailing("frame", frame.frame_len(), candidate.len()).into_iter().for_each(found);
    }
}

/// That some of a chunk of this many bytes is missing, or that something follows.
pub(super) fn of_chunk(length: u64, there: u64) -> Option<Finding> {
    if there >= length {
        return trailing("chunk", length, there);
    }
    let why = Error::CutOff { length, there };
    Some(Finding { code: "truncated", address: Some(there), ..finding(None, &why) })
}

/// What is wrong, as an error says it.
pub(super) fn finding(path: Option<String>, error: &Error) -> Finding {
    let code = match error {
        Error::Engine { source: dudley::Error::Truncated { .. }, .. } => "truncated",
        Error::Unsupported { .. } => "unknown-filter",
        Error::Damaged { .. } | Error::Engine { .. } => "filter",
        _ => "unreadable",
    };
    let (address, message) = (error.address(), error.to_string());
    Finding { code, severity: Severity::Error, address, bytes: None, path, message }
}

/// That values are elsewhere, or may be, and that nothing says how many of them a chunk has.
pub(super) fn elsewhere(frame: &Frame) -> Vec<Finding> {
    let warning = |code, message| Finding {
        code,
        severity: Severity::Warning,
        address: None,
        bytes: None,
        path: Some("/data".to_owned()),
        message,
    };
    let elsewhere = |why: Error| matches!(why, Error::Elsewhere { .. }).then(|| why.to_string());
    let mut found: Vec<Finding> = Vec::new();
    let said = frame.check_values().err().and_then(elsewhere);
    let marks = frame.doubtful_marks().into_iter().map(doubtful);
    found.extend(said.into_iter().chain(marks).map(|why| warning("elsewhere", why)));
    found.extend(frame.check_sizes().err().map(|why| warning("chunk-size", why.to_string())));
    found
}

/// That a metalayer may say that what is stored are not the values.
fn doubtful(mark: &str) -> String {
    format!(
        "the metalayer `{mark}` is not known, and may say that the values are elsewhere, not those that are stored"
    )
}

/// A dtype that is not known, whose elements are read as bytes.
fn unknown(frame: &Frame) -> Option<Finding> {
    let array = frame.array().ok()??;
    (!array.knows_dtype()).then(|| Finding {
        code: "unknown-dtype",
        severity: Severity::Warning,
        address: None,
        bytes: None,
        path: Some("/data".to_owned()),
        message: format!(
            "`{}` is no dtype that is known: elements are read as bytes",
            array.dtype()
        ),
    })
}

/// That the header says another size of elements than chunks, which is one that nothing is read by.
fn other_elements(frame: &Frame) -> Option<Finding> {
    let why = frame.check_typesize().err()?;
    Some(Finding { code: "typesize", severity: Severity::Warning, ..finding(None, &why) })
}

/// That more follows something that ends at an address.
fn trailing(what: &str, address: u64, length: u64) -> Option<Finding> {
    let more = length.saturating_sub(address);
    (more > 0).then(|| Finding {
        code: "trailing",
        severity: Severity::Note,
        address: Some(address),
        bytes: Some(more),
        path: None,
        message: match more {
            1 => format!("1 byte follows the {what}, which ends there"),
            more => format!("{more} bytes follow the {what}, which ends there"),
        },
    })
}

/// What speaks against the values of a frame that can be read, as far as it is known without decoding.
pub(super) fn doubts(frame: &Frame, paths: &[&str], depth: Depth) -> Vec<Doubt> {
    let mut why = of_type(frame);
    if depth > Depth::Opened && (paths.is_empty() || paths.iter().any(|path| is_of_data(path))) {
        why.extend(of_entries(frame));
    }
    if depth > Depth::Headers {
        why.extend(frame.check_checksums().err().map(|why| why.to_string()));
    }
    why.into_iter().map(|why| Doubt { path: None, why }).collect()
}

/// Where the type does not fit the elements, which are read as bytes then, which metalayers that are not known may say
/// that the values are elsewhere, and which chunk has a size that nothing says.
fn of_type(frame: &Frame) -> Vec<String> {
    let mut why: Vec<String> = frame.doubtful_marks().into_iter().map(doubtful).collect();
    if let Err(size) = frame.check_sizes() {
        why.push(format!("{size}: values behind it may be others"));
    }
    // That there is no array is said by the code that reads it.
    if let Ok(Some(array)) = frame.array()
        && let Err(other) = array.check_dtype()
    {
        why.push(format!("{other}: elements are read as bytes"));
    }
    why
}

/// That entries of the index are wrong, if any are. Only the index and the headers of chunks are read.
fn of_entries(frame: &Frame) -> Option<String> {
    let (mut first, mut count) = (None, 0_u64);
    frame.check_entries(&mut |_, why| {
        first.get_or_insert(why);
        count += 1;
    });
    let more = match count.saturating_sub(1) {
        0 => String::new(),
        1 => ", and so is one more".to_owned(),
        more => format!(", and so are {more} more"),
    };
    let why = first?;
    Some(format!("{why}: the entry of the chunk is wrong{more}: values may be others"))
}

/// Whether a path picks the data, or a part of it. What is wrong with the path is said by the code that takes it.
fn is_of_data(path: &str) -> bool {
    parse(path).is_ok_and(|parts| match parts.first() {
        Some(Part::Name { text, .. }) => text == "data",
        _ => true,
    })
}
