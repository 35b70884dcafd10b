//! The formats of this program, and which of them a file is.

use std::sync::Arc;

use asdf_bridge::asdf::{Hosts, Lodged, Within};
use dudley::Open;
use dudley::bytes::Signature;
use dudley::model::{Candidate, Claim, Format, Formats};
use dudley::verify::Finding;
use dudley_formats::fits::lodged;

use crate::failure::Result;

/// The formats of this program.
pub(crate) fn formats() -> Formats {
    let in_fits: Box<dyn Format> = Box::new(Within(AsdfInFits));
    let formats = Formats::builtin().with(asdf_bridge::formats());
    formats.with(dudley_formats::formats()).with([in_fits])
}

/// FITS files in which files of ASDF lie, as those of JWST.
struct AsdfInFits;

impl Hosts for AsdfInFits {
    fn describe(&self) -> &'static str {
        "an ASDF file in a FITS file"
    }

    fn find(&self, candidate: &Candidate, open: &Open) -> dudley::Result<Option<Lodged>> {
        let Some(found) = lodged::Lodged::find(candidate, open)? else { return Ok(None) };
        let (bytes, host) = (found.bytes.clone(), found.host.clone());
        let array = Arc::new(move |name: &str| found.array(name));
        Ok(Some(Lodged { bytes, host, scheme: lodged::Lodged::SCHEME, array }))
    }

    fn verify(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> dudley::Result<()> {
        lodged::Lodged::verify(candidate, open, found, advance)
    }
}

/// The format of a file that is neither stream nor layout, by its first bytes.
pub(crate) fn foreign(head: &[u8]) -> Option<&'static str> {
    foreign_of(&Candidate::source("", head.to_vec(), 0)).ok().flatten()
}

/// The format of a file that has a signature, and is no stream.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn foreign_of(candidate: &Candidate) -> Result<Option<&'static str>> {
    if is_native(candidate.head()?) {
        return Ok(None);
    }
    let formats = formats();
    let found = formats.recognise(candidate)?;
    let found = found.filter(|(claim, _)| *claim >= Claim::Signature);
    Ok(found.map(|(_, format)| format.describe()))
}

/// Whether bytes begin like a native stream; a damaged signature counts, so that the damage is
/// named.
pub(crate) fn is_native(head: &[u8]) -> bool {
    !matches!(Signature::detect(head, u64::MAX), Ok(None))
}
