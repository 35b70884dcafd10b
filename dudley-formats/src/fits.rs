//! FITS: images, random groups, tables; [files of ASDF](lodged) in FITS files.

mod card;
mod cards;
mod checksum;
mod column;
mod hdu;
mod header;
mod heap;
mod keywords;
mod layout;
pub(crate) mod lodged;
mod names;
mod rows;
mod said;
mod stored;
mod write;

use dudley::model::{Candidate, Claim, Describe, Described, Fact, Holds, Section};
use dudley::verify::Finding;
use dudley::{Result, Value};

pub(crate) use write::WriteFits;

/// FITS files: see [`Describe`].
pub(crate) struct Fits;

impl Describe for Fits {
    fn describe(&self) -> &'static str {
        "a FITS file"
    }

    fn name(&self) -> &'static str {
        "fits"
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        let head = candidate.head()?;
        let value = head.strip_prefix(b"SIMPLE  =").unwrap_or_default().trim_ascii_start();
        // A layout may begin with this word as well, but then a line end follows soon.
        let is_header = matches!(value.first(), Some(b'T' | b'F')) && !head.contains(&b'\n');
        let ends = value.get(1).is_none_or(|next| b" /".contains(next));
        Ok((is_header && ends).then_some(Claim::Signature))
    }

    fn read(&self, candidate: &Candidate, found: &mut dyn FnMut(Finding)) -> Result<Described> {
        let source = candidate.bytes()?;
        let hdus = hdu::hdus(&*source, found)?;
        let facts = vec![Fact::new("hdus", Value::Int(hdus.len() as i128))];
        let layout = layout::layout(&*source, &hdus, found);
        Ok(Described { layout, facts, ..Described::default() })
    }

    fn headers(&self, candidate: &Candidate) -> Result<Vec<Section>> {
        let mut sections = Vec::new();
        for hdu in hdu::hdus(&*candidate.bytes()?, &mut |_| ())? {
            let header = &hdu.header;
            let ends = header.cards.iter().skip(1).map(|card| card.address).chain([header.end]);
            sections.extend(header.cards.iter().zip(ends).map(|(card, end)| {
                let name = format!("HDU {}: {}", hdu.number, card.keyword);
                let bytes = end.saturating_sub(card.address);
                Section::new(name, card.address, bytes, Holds::Text)
            }));
        }
        Ok(sections)
    }

    fn verify_data(
        &self,
        candidate: &Candidate,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> Result<()> {
        let source = candidate.bytes()?;
        for hdu in hdu::hdus(&*source, &mut |_| ())? {
            checksum::cards(&hdu, found);
            checksum::verify(&*source, &hdu, found, advance)?;
        }
        Ok(())
    }
}
