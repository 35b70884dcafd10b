//! The layout of a file that is perhaps being extended: one that was whole when it was read.
//!
//! It is read by position, never through a map: behind the layout the file may become shorter.

use dudley_parser::layout::Layout;

use crate::error::{Error, Result};
use crate::signature::{Damage, Signature};
use crate::source::{FileSource, Source};
use crate::stream::{parse_layout, read_bytes};

/// A writer changes the address of the layout twice in an extension, with the disk between. So many
/// times while one text is read is no writer of ours.
const TRIES: u32 = 100;

/// The layout appended to a file. Its length is measured again where it was not whole.
///
/// # Errors
/// Those of [`Open::source`](crate::Open::source).
pub(crate) fn settled(source: &mut FileSource) -> Result<Layout> {
    let mut tries = 0;
    loop {
        tries += 1;
        match text(source) {
            Ok(Some(found)) => match parse_layout(&found) {
                // It ended where the file did when that was measured, or is a mixture of an address that
                // was left and came back.
                Err(_) if tries < TRIES && has_changed(source, &found)? => {}
                parsed => return parsed,
            },
            Ok(None) if tries < TRIES => source.measure()?,
            Err(error) if tries < TRIES && is_cut_off(&error) => {
                let (len, before) = (source.len(), address(source)?);
                source.measure()?;
                if source.len() == len && address(source)? == before {
                    return Err(error);
                }
            }
            Ok(None) => return Err(Error::NoLayout),
            Err(error) => return Err(error),
        }
    }
}

/// The text that the signature points to; none if it points elsewhere afterwards, so that it may be a
/// mixture.
fn text(source: &FileSource) -> Result<Option<Vec<u8>>> {
    let layout_address = || -> Result<Option<u64>> {
        Ok(Signature::read(source)?.and_then(|signature| signature.layout_address))
    };
    let Some(address) = layout_address()? else { return Err(Error::NoLayout) };
    let text = read_bytes(source, address, source.len().saturating_sub(address))?;
    Ok((layout_address()? == Some(address)).then_some(text))
}

/// Whether another text is found now, in the file as long as it is now.
fn has_changed(source: &mut FileSource, found: &[u8]) -> Result<bool> {
    source.measure()?;
    Ok(match text(source) {
        Ok(now) => now.as_deref() != Some(found),
        Err(error) if is_cut_off(&error) => true,
        Err(error) => return Err(error),
    })
}

/// The 8 bytes of the signature that say where the layout stands.
fn address(source: &FileSource) -> Result<[u8; 8]> {
    let mut bytes = [0; 8];
    source.read_at(8, &mut bytes)?;
    Ok(bytes)
}

fn is_cut_off(error: &Error) -> bool {
    matches!(
        error,
        Error::Truncated { .. } | Error::Signature { damage: Damage::LayoutCutOff { .. } }
    )
}
