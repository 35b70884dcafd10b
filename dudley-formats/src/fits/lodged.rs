//! ASDF files in FITS files: the HDU that has one, and those that its tree names.

use std::sync::Arc;

use dudley::bytes::{Source, Window};
use dudley::model::{Candidate, Dataset, Describe, Format, InPlace};
use dudley::verify::Finding;
use dudley::{Data, Error, Open, Result};

use super::Fits;
use super::hdu::{Hdu, Kind, hdus};
use super::names::groups;
use crate::headers;

/// A FITS file in which a file of ASDF lies, as those of JWST: that is the data of an extension called `ASDF`.
pub struct Lodged {
    /// The bytes of the file of ASDF.
    pub bytes: Arc<dyn Source>,
    /// The FITS file.
    pub host: Dataset,
    /// Name, version, number and path of each HDU.
    hdus: Vec<(String, i64, usize, String)>,
}

impl Lodged {
    /// What sources of arrays begin with that are data of an HDU.
    pub const SCHEME: &str = "fits:";

    /// The file of ASDF in a FITS file; none if there is none, or it is no FITS file.
    ///
    /// # Errors
    /// What is wrong with the first header; if it cannot be read.
    pub fn find(candidate: &Candidate, open: &Open) -> Result<Option<Lodged>> {
        if Fits.recognise(candidate)?.is_none() {
            return Ok(None);
        }
        let source = candidate.bytes()?;
        let all = hdus(&*source, &mut |_| ())?;
        let Some(asdf) = all.iter().skip(1).find(|hdu| is_asdf(hdu)) else { return Ok(None) };
        // What fills the last row of a table is behind the end of the file of ASDF.
        let bytes = Arc::new(Window::new(source, asdf.data(), asdf.size)?);
        let mut found = Vec::new();
        for group in groups(&all) {
            for (version, hdu) in &group.hdus {
                let is_one = group.hdus.len() == 1;
                let names = [&*group.name, version];
                let path = headers::path(if is_one { &names[..1] } else { &names });
                let version = hdu.header.int("EXTVER").ok().flatten().unwrap_or(1);
                found.push((group.name.clone(), version, hdu.number, path));
            }
        }
        let host = InPlace(Fits).open(candidate, open)?;
        Ok(Some(Lodged { bytes, host, hdus: found }))
    }

    /// Hands over what is wrong with the FITS file: see [`Format::verify`].
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn verify(
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> Result<()> {
        InPlace(Fits).verify(candidate, open, found, advance)
    }

    /// The data of the HDU of a name and a version, `SCI,1`, or of a number, with the values that they have for readers of
    /// FITS.
    ///
    /// # Errors
    /// If there is none; if it has no data.
    pub fn array(&self, name: &str) -> Result<Data> {
        let is_it = |(own, version, number, _): &&(String, i64, usize, String)| match name
            .rsplit_once(',')
        {
            Some((name, of)) => {
                own.eq_ignore_ascii_case(name.trim()) && of.trim().parse() == Ok(*version)
            }
            None => name.parse() == Ok(*number) || own.eq_ignore_ascii_case(name),
        };
        let Some((.., path)) = self.hdus.iter().find(is_it) else {
            return Err(Error::Foreign(
                format!("there is no HDU `{name}` in the FITS file").into(),
            ));
        };
        let data = self.host.get(path)?.data()?;
        Ok(data.scaled_linear()?.unwrap_or(data))
    }
}

/// Whether the data of an HDU are a file of ASDF: bytes, or a table of one row of bytes.
fn is_asdf(hdu: &Hdu) -> bool {
    let is_bytes = hdu.bitpix == 8 && matches!(hdu.kind, Kind::Image | Kind::Table | Kind::Other);
    is_bytes && hdu.header.text("EXTNAME").is_some_and(|name| name.eq_ignore_ascii_case("ASDF"))
}
