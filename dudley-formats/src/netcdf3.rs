//! netCDF-3 files (CDF-1, CDF-2 and CDF-5), read in place: each variable is an item at its address, those with records
//! members of a struct.

mod describe;
mod encode;
mod header;
mod places;
mod records;
mod said;
mod write;

use dudley::Result;
use dudley::model::{Asked, Candidate, Claim, Describe, Described, Holds, Laid, Later, Section};
use dudley::verify::Finding;

pub(crate) use write::WriteNetCdf3;

/// The format of netCDF-3 files.
pub(crate) struct NetCdf3;

impl Describe for NetCdf3 {
    fn describe(&self) -> &'static str {
        "a netCDF-3 file"
    }

    fn name(&self) -> &'static str {
        "netcdf3"
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        // No text has a control character there but white space.
        let is_it = match candidate.head()? {
            [b'C', b'D', b'F', version, ..] => *version < b'\t',
            _ => false,
        };
        Ok(is_it.then_some(Claim::Signature))
    }

    fn headers(&self, candidate: &Candidate) -> Result<Vec<Section>> {
        let header = header::read(&candidate.headers()?, &mut |_| {})?;
        let mut parts = vec![("version and number of records".to_owned(), 0)];
        parts.extend(header.dims.iter().map(|it| (format!("dimension `{}`", it.name), it.address)));
        let attributes = header.attributes.iter();
        parts.extend(attributes.map(|it| (format!("attribute `{}`", it.name), it.address)));
        for variable in &header.variables {
            parts.push((format!("variable `{}`", &*variable.name), variable.address));
            let attributes = variable.attributes.iter();
            parts.extend(attributes.map(|it| {
                (format!("attribute `{}` of `{}`", it.name, &*variable.name), it.address)
            }));
        }
        let ends = parts.iter().skip(1).map(|(_, address)| *address).chain([header.end]);
        let ends: Vec<u64> = ends.collect();
        let section = |((name, address), end): ((String, u64), u64)| {
            let bytes = end.saturating_sub(address);
            Section::new(name, address, bytes, Holds::Elements("|u1".to_owned(), vec![bytes]))
        };
        Ok(parts.into_iter().zip(ends).map(section).collect())
    }

    fn read(&self, candidate: &Candidate, found: &mut dyn FnMut(Finding)) -> Result<Described> {
        let header = header::read(&candidate.headers()?, found)?;
        let places = places::places(&header, candidate.len(), found);
        let facts = describe::facts(&header, &places);
        let later = Variables { header, places };
        Ok(Described { later: Some(Box::new(later)), facts, ..Described::default() })
    }
}

/// The variables of a file, of which few may be requested.
struct Variables {
    header: header::Header,
    places: places::Places,
}

impl Variables {
    fn laid(&self, name: Option<&str>) -> Laid {
        Laid { layout: describe::layout(&self.header, &self.places, name), ..Laid::default() }
    }
}

impl Later for Variables {
    fn whole(&self) -> Result<Laid> {
        Ok(self.laid(None))
    }

    fn part(&self, asked: &Asked) -> Result<Option<Laid>> {
        Ok(asked.names.first().map(|name| self.laid(Some(name))))
    }
}
