//! What speaks against the values of a frame that can be read, as far as it is known without decoding: the entries of
//! its index, its checksums, its type.

use asdf_bridge::blosc2::{Error, Frame};
use dudley::Severity;
use dudley::path::{Part, parse};
use dudley::verify::Finding;

use crate::output::warn;

/// Says where the type does not fit the elements, which are read as bytes then, which metalayers that are not known
/// may say that the values are elsewhere, and which chunk has a size that nothing says.
pub(crate) fn warn_of_type(frame: &Frame, name: &str) {
    for mark in frame.doubtful_marks() {
        warn(&format!("{name}: {}", doubtful(mark)));
    }
    if let Err(why) = frame.check_sizes() {
        warn(&format!("{name}: {why}: values behind it may be others"));
    }
    // That there is no array is said by who reads it.
    if let Ok(Some(array)) = frame.array()
        && let Err(why) = array.check_dtype()
    {
        warn(&format!("{name}: {why}: elements are read as bytes"));
    }
}

/// That a metalayer may say that what is stored are not the values.
pub(crate) fn doubtful(mark: &str) -> String {
    format!(
        "the metalayer `{mark}` is not known, and may say that the values are elsewhere, not those that are stored"
    )
}

/// That values are elsewhere, or may be, and that nothing says how many of them a chunk has.
pub(crate) fn findings(frame: &Frame) -> Vec<Finding> {
    let warning = |code| {
        move |message| Finding {
            code,
            severity: Severity::Warning,
            address: None,
            bytes: None,
            path: Some("/data".to_owned()),
            message,
        }
    };
    let marks = frame.doubtful_marks().into_iter().map(doubtful);
    let said = elsewhere(frame).map(|why| why.to_string());
    let sizes = frame.check_sizes().err().map(|why| why.to_string());
    let elsewhere = said.into_iter().chain(marks).map(warning("elsewhere"));
    elsewhere.chain(sizes.map(warning("chunk-size"))).collect()
}

/// Says that values are elsewhere, or may be.
pub(crate) fn warn_of_elsewhere(frame: &Frame, name: &str) {
    findings(frame).iter().for_each(|found| warn(&format!("{name}: {}", found.message)));
}

/// That values are elsewhere; none where they are not, and where something else is wrong.
pub(crate) fn elsewhere(frame: &Frame) -> Option<Error> {
    frame.check_values().err().filter(|why| matches!(why, Error::Elsewhere { .. }))
}

/// Says that entries of the index are wrong, if any are and paths, or none for all, pick of the data; whether that is
/// so. Only the index and the headers of chunks are read.
pub(crate) fn warn_of_entries<P: AsRef<str>>(frame: &Frame, name: &str, paths: &[P]) -> bool {
    if !paths.is_empty() && !paths.iter().any(|path| is_of_data(path.as_ref())) {
        return false;
    }
    let (mut first, mut count) = (None, 0_u64);
    frame.check_entries(&mut |_, why| {
        first.get_or_insert(why);
        count += 1;
    });
    let Some(why) = first else { return false };
    let more = match count - 1 {
        0 => String::new(),
        1 => ", and so is one more, which `dudc verify` tells".to_owned(),
        more => format!(", and so are {more} more, which `dudc verify` tells"),
    };
    warn(&format!("{name}: {why}: the entry of the chunk is wrong{more}: values may be others"));
    true
}

/// Says that a chunk is not what its checksum was made of: chunks are read, and not decoded.
pub(crate) fn warn_of_checksums(frame: &Frame, name: &str) {
    if let Err(why) = frame.check_checksums() {
        warn(&format!("{name}: {why}"));
    }
}

/// Whether a path picks the data, or a part of it. What is wrong with the path is said by who takes it.
fn is_of_data(path: &str) -> bool {
    parse(path).is_ok_and(|parts| match parts.first() {
        Some(Part::Name { text, .. }) => text == "data",
        _ => true,
    })
}
