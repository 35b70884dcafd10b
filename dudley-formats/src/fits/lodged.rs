//! ASDF files in FITS files: finds the HDU with the file, and the HDUs that its tree names.

use std::sync::Arc;

use asdf_bridge::asdf::{Hosts, Lodged};
use dudley::bytes::Window;
use dudley::model::{Candidate, Describe, Format, InPlace};
use dudley::read::Scaling;
use dudley::verify::Finding;
use dudley::{Error, Open, Result};

use super::Fits;
use super::hdu::{Hdu, Kind, hdus};
use super::names::groups;
use crate::headers;

/// FITS files with an embedded ASDF file, as from JWST: it is the data of an extension called `ASDF`.
pub(crate) struct InFits;

/// The names of an HDU in the tree of an ASDF file.
struct Named {
    name: String,
    version: i64,
    number: usize,
    path: String,
}

impl Named {
    /// Whether `SCI,1`, `SCI` or a number refers to this HDU.
    fn is(&self, asked: &str) -> bool {
        match asked.rsplit_once(',') {
            Some((name, version)) => {
                self.name.eq_ignore_ascii_case(name.trim())
                    && version.trim().parse() == Ok(self.version)
            }
            None => asked.parse() == Ok(self.number) || self.name.eq_ignore_ascii_case(asked),
        }
    }
}

impl Hosts for InFits {
    fn describe(&self) -> &'static str {
        "an ASDF file in a FITS file"
    }

    fn find(&self, candidate: &Candidate, open: &Open) -> Result<Option<Lodged>> {
        if Fits.recognise(candidate)?.is_none() {
            return Ok(None);
        }
        let source = candidate.bytes()?;
        let all = hdus(&*source, &mut |_| ())?;
        let Some(asdf) = all.iter().skip(1).find(|hdu| is_asdf(hdu)) else { return Ok(None) };
        // The padding of the last row of a table lies after the end of the ASDF file.
        let bytes = Arc::new(Window::new(source, asdf.data(), asdf.size)?);
        let mut named = Vec::new();
        for group in groups(&all) {
            for (version, hdu) in &group.hdus {
                let names = [&*group.name, version];
                let is_one = group.hdus.len() == 1;
                let path = headers::path(if is_one { &names[..1] } else { &names });
                let version = hdu.header.int("EXTVER").ok().flatten().unwrap_or(1);
                named.push(Named { name: group.name.clone(), version, number: hdu.number, path });
            }
        }
        let host = InPlace(Fits).open(candidate, open)?;
        let of = host.clone();
        let array = move |asked: &str| {
            let Some(hdu) = named.iter().find(|hdu| hdu.is(asked)) else {
                let message = format!("there is no HDU `{asked}` in the FITS file");
                return Err(Error::Foreign(message.into()));
            };
            let data = of.get(&hdu.path)?.data()?;
            Ok(data.scaled_where(&Scaling::is_linear)?.unwrap_or(data))
        };
        Ok(Some(Lodged { bytes, host, scheme: "fits:", array: Arc::new(array) }))
    }

    fn verify(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> Result<()> {
        InPlace(Fits).verify(candidate, open, found, advance)
    }
}

/// Whether the data of an HDU are an ASDF file: bytes, or a table with one row of bytes.
fn is_asdf(hdu: &Hdu) -> bool {
    let is_bytes = hdu.bitpix == 8 && matches!(hdu.kind, Kind::Image | Kind::Table | Kind::Other);
    is_bytes && hdu.header.text("EXTNAME").is_some_and(|name| name.eq_ignore_ascii_case("ASDF"))
}
