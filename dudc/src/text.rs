//! Values as text of any length, of which nothing is written before it is known that all of it can be read.

use std::io::{self, Write};

use dudley::elements::{Sink, Unseen};
use dudley::{Error, Result};

/// Bytes of text that are kept until all is read.
const KEPT: usize = 1 << 20;

/// What decodes a value into a sink, each time it is asked to.
pub(crate) type Emit<'e> = dyn FnMut(&mut dyn Sink) -> Result<()> + 'e;

/// Writes a value as text: what stands before it, and then what `format` makes of what `emit` decodes. Text that
/// is short is kept until it is complete; what is long is decoded twice, first to see that all of it can be. Gives
/// what could not be read, if nothing was written for that.
///
/// # Errors
/// If it cannot be written; if what could be read cannot be any more.
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

/// Text as long as it is short.
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
