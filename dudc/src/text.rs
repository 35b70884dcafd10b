//! Values as text of any length, of which nothing is written before it is known that all of it can be read.

use std::io::{self, Write};

use dudley::elements::{Sink, Unseen};
use dudley::{Error, Result};

/// Bytes of text that are buffered until everything is read.
const KEPT: usize = 1 << 20;

/// A function that decodes a value into a sink each time it is called.
pub(crate) type Emit<'e> = dyn FnMut(&mut dyn Sink) -> Result<()> + 'e;

/// Writes a value as text: a prefix, and then the output of `format` for the decoded values of `emit`. Short text
/// is buffered until it is complete; long text is decoded twice, first to check that everything can be decoded.
/// Returns the error of a read, if nothing was written.
///
/// # Errors
/// If the write fails; if a second read fails.
pub(crate) fn whole(
    out: &mut dyn Write,
    before: &str,
    emit: &mut Emit<'_>,
    format: &dyn Fn(&mut dyn Write, &mut Emit<'_>) -> Result<()>,
) -> Result<Option<Error>> {
    let io = |error| Error::io("cannot write the result", error);
    let mut kept = Kept { text: Vec::new(), full: false };
    match format(&mut kept, emit) {
        Ok(()) => {
            out.write_all(before.as_bytes()).map_err(io)?;
            out.write_all(&kept.text).map_err(io)?;
            return Ok(None);
        }
        Err(error) if !kept.full => return Ok(Some(error)),
        Err(_) => drop(kept),
    }
    if let Err(error) = emit(&mut Unseen) {
        return Ok(Some(error));
    }
    out.write_all(before.as_bytes()).map_err(io)?;
    format(out, emit)?;
    Ok(None)
}

/// Text while it is short.
struct Kept {
    text: Vec<u8>,
    full: bool,
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.full |= self.text.len() + bytes.len() > KEPT;
        if self.full {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
