//! The layout of a file that is perhaps being extended: one that was whole when it was read.
//!
//! It is read by position, never through a map: behind the layout the file may become shorter.

use dudley_parser::layout::Layout;

use crate::error::{Error, Result};
use crate::signature::{LEN, Signature};
use crate::source::{FileSource, Source};
use crate::stream::{appended_text, parse_layout, read_bytes};

/// So many times while one text is read is no writer of ours.
const TRIES: u32 = 100;

/// The layout appended to a file, whose length is taken anew with it.
///
/// # Errors
/// Those of [`Open::source`](crate::Open::source).
pub(crate) fn settled(source: &mut FileSource) -> Result<Layout> {
    // No change ends with the layout where it began, so a signature that still points to a text says that it
    // was whole all the while.
    let found = (0..TRIES).find_map(|_| text(source).transpose()).ok_or(Error::NoLayout)?;
    parse_layout(&found?)
}

/// The text that the signature points to; nothing if it points elsewhere afterwards, or the file ended before it was
/// read.
///
/// # Errors
/// [`Error::NoLayout`] if it points nowhere; [`Error::Signature`] if it is none; [`Error::Io`].
fn text(source: &mut FileSource) -> Result<Option<Vec<u8>>> {
    let before = head(source)?;
    // Now: a text is whole before the signature points to it, not when the file was opened.
    source.measure()?;
    let found = match Signature::detect(&before, source.len()) {
        Ok(signature) => {
            appended_text(source, signature).and_then(|text| text.ok_or(Error::NoLayout))
        }
        Err(damage) => Err(Error::Signature { damage }),
    };
    if head(source)? != before {
        return Ok(None);
    }
    match found {
        // What lay behind the layout was cut off meanwhile, as is done at the end of a change.
        Err(Error::Truncated { .. }) => Ok(None),
        found => found.map(Some),
    }
}

/// The signature as it is in the file, or what there is of it.
fn head(source: &FileSource) -> Result<Vec<u8>> {
    read_bytes(source, 0, source.len().min(LEN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::append::Append;
    use crate::writer::Writer;

    #[test]
    fn a_text_is_as_long_as_the_file_now() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bd");
        // What is added lies behind the end of the file before, and all before that is a layout, too.
        let text = format!("x = f8  # {}\n", "-".repeat(100));
        let layout = parse_layout(text.as_bytes()).expect("a layout");
        Writer::new(layout).put("/x", 1.0).attach(true).write_file(&path, false).expect("space");
        let mut source = FileSource::open(&path).expect("it is there");
        let mut append = Append::open(&path).expect("it opens");
        append
            .extend("y = f8[8]")
            .and_then(|it| it.put("/y", &[1.0; 8][..]).commit())
            .expect("space");
        let layout = settled(&mut source).expect("a layout");
        assert!(layout.text().contains("y = f8[8]"), "{}", layout.text());
    }
}
