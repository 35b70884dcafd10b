//! The text of the layout that is appended to a stream: what stands where the signature says so?
//!
//! The address may be damaged, and lead into the data. So the bytes there are looked at piece by piece, and no
//! further than they are text; nothing is parsed before.

use dudley_parser::{layout_end, no_text_at};

use crate::bytes::signature::Signature;
use crate::bytes::source::{self, Source};
use crate::error::{Error, Result};
use crate::read::stream::read_bytes;

/// Bytes that are read at first; then as many again as are there.
const FIRST: u64 = 1 << 16;

/// The longest text of a layout, in bytes.
pub const LONGEST: u64 = 1 << 30;

/// The text of the attached layout of a stream with this signature; `None` if there is none. Some of the bytes
/// behind its terminator may follow it.
///
/// # Errors
/// [`Error::NoText`] if the bytes are not text; the errors of the source.
///
/// ```
/// use dudley::bytes::Signature;
/// use dudley::read::appended_text;
///
/// let mut bytes = [b"\x8d<BD\r\n\x1a\n", &16_u64.to_le_bytes()[..], b"x = f8\n-\n\xff\xff"].concat();
/// let signature = Signature::read(&bytes)?;
/// assert!(appended_text(&bytes, signature)?.is_some_and(|text| text.starts_with(b"x = f8\n-\n")));
/// bytes[17] = 0;
/// assert_eq!(appended_text(&bytes, signature).unwrap_err().address(), Some(17));
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn appended_text(source: &dyn Source, signature: Option<Signature>) -> Result<Option<Vec<u8>>> {
    let Some(address) = signature.and_then(|it| it.layout_address) else { return Ok(None) };
    let rest = source::rest(source.len(), address)?;
    let mut text = Vec::new();
    let mut more = rest.min(FIRST);
    loop {
        let there = text.len() as u64;
        text.extend(read_bytes(source, address.saturating_add(there), more)?);
        let there = text.len() as u64;
        // A file that is cut off within a character is cut off, not damaged.
        if let Some(at) = no_text_at(&text, true) {
            let found = Some(text[at]);
            return Err(Error::NoText { address, at: address + at as u64, found });
        }
        let is_whole = there == rest || layout_end(&text).is_some();
        if is_whole {
            break;
        }
        if there >= LONGEST {
            return Err(Error::NoText { address, at: address + there, found: None });
        }
        more = there.min(rest - there);
    }
    // The line of the terminator may end with one more byte.
    let there = text.len() as u64;
    text.extend(read_bytes(source, address.saturating_add(there), (rest - there).min(1))?);
    Ok(Some(text))
}
