//! The HDUs of a file: the kind of each, and the place of its data.

use dudley::Severity;
use dudley::bytes::Source;
use dudley::verify::Finding;
use dudley::{Error, Result};

use super::header::{BLOCK, Header};
use crate::cursor::malformed;

/// The most axes and the most columns of an HDU.
pub(super) const MOST: u64 = 999;

/// A header and its data.
#[derive(Debug)]
pub(super) struct Hdu {
    /// Its number, from 0.
    pub(super) number: usize,
    pub(super) header: Header,
    pub(super) kind: Kind,
    /// The BITPIX of the elements, as in the header.
    pub(super) bitpix: i64,
    /// The lengths of the axes, fastest varying first.
    pub(super) axes: Vec<u64>,
    /// The number of parameters of a group, or bytes of the heap with the gap before it.
    pub(super) pcount: u64,
    pub(super) gcount: u64,
    /// Bytes of the data, without the padding of the last block.
    pub(super) size: u64,
}

/// The kind of the data of an HDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An array, or nothing.
    Image,
    /// Random groups.
    Groups,
    /// A binary table.
    Table,
    /// An ASCII table.
    AsciiTable,
    /// An extension of another kind.
    Other,
}

impl Kind {
    /// Its name.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Kind::Image => "image",
            Kind::Groups => "random groups",
            Kind::Table => "table",
            Kind::AsciiTable => "ASCII table",
            Kind::Other => "extension",
        }
    }
}

impl Hdu {
    fn new(number: usize, header: Header) -> Result<Hdu> {
        let bitpix = header.int("BITPIX")?;
        let bitpix = bitpix.ok_or_else(|| malformed(header.start, "the header has no BITPIX"))?;
        if ![8, 16, 32, 64, -32, -64].contains(&bitpix) {
            let what = format!("BITPIX is {bitpix}, none of 8, 16, 32, 64, -32 and -64");
            return Err(header.wrong("BITPIX", &what));
        }
        let naxis = header.count("NAXIS", None)?;
        if naxis > MOST {
            return Err(header.wrong("NAXIS", &format!("NAXIS is {naxis}, more than {MOST}")));
        }
        let axes = (1..=naxis).map(|axis| header.count(&format!("NAXIS{axis}"), None));
        let axes: Vec<u64> = axes.collect::<Result<_>>()?;
        let is_groups = number == 0 && header.is_true("GROUPS") && axes.first() == Some(&0);
        let kind = match header.text("XTENSION") {
            _ if is_groups => Kind::Groups,
            _ if number == 0 => Kind::Image,
            Some("IMAGE" | "IUEIMAGE") => Kind::Image,
            Some("BINTABLE" | "A3DTABLE") => Kind::Table,
            Some("TABLE") => Kind::AsciiTable,
            _ => Kind::Other,
        };
        let pcount = header.count("PCOUNT", Some(0))?;
        let gcount = header.count("GCOUNT", Some(1))?;
        let mut hdu = Hdu { number, header, kind, bitpix, axes, pcount, gcount, size: 0 };
        hdu.size = hdu.bytes().ok_or_else(|| {
            hdu.header.wrong("NAXIS", "the size of the data does not fit in 63 bits")
        })?;
        Ok(hdu)
    }

    /// Bytes of an element.
    pub(super) fn element(&self) -> u64 {
        self.bitpix.unsigned_abs() / 8
    }

    /// The axes of the data proper: for random groups, all but the first.
    pub(super) fn counted(&self) -> &[u64] {
        if self.kind == Kind::Groups { &self.axes[1..] } else { &self.axes }
    }

    fn bytes(&self) -> Option<u64> {
        if self.axes.is_empty() {
            return Some(0);
        }
        let counted = self.counted();
        let elements = if counted.contains(&0) {
            0
        } else {
            counted.iter().try_fold(1_u64, |count, axis| count.checked_mul(*axis))?
        };
        let of_group = elements.checked_add(self.pcount)?;
        let bytes = of_group.checked_mul(self.gcount)?.checked_mul(self.element())?;
        self.header.end.checked_add(bytes)?.checked_add(BLOCK)?;
        Some(bytes).filter(|bytes| *bytes <= i64::MAX as u64)
    }

    /// The address of the data.
    pub(super) fn data(&self) -> u64 {
        self.header.end
    }

    /// The address of the next HDU.
    pub(super) fn end(&self) -> u64 {
        self.data() + self.size.div_ceil(BLOCK) * BLOCK
    }
}

/// Reads the headers of a file. The first unreadable header after the first HDU goes to `found` and ends the list.
///
/// # Errors
/// If the first header is malformed, or if the file cannot be read.
pub(super) fn hdus(source: &dyn Source, found: &mut dyn FnMut(Finding)) -> Result<Vec<Hdu>> {
    let mut hdus = vec![Hdu::new(0, Header::read(source, 0)?)?];
    loop {
        let (number, at) = (hdus.len(), hdus.last().map_or(0, Hdu::end));
        if at >= source.len() {
            // The data are complete, but the padding of their block is not: HDUs after them may be cut off, too.
            let missing = at - source.len();
            let data = hdus.last().map_or(0, |hdu| hdu.data().saturating_add(hdu.size));
            let is_there = data <= source.len() || hdus.last().is_some_and(|hdu| hdu.size == 0);
            if missing > 0 && is_there {
                let what = format!(
                    "{missing} bytes are missing of the last block of 2880: the file may be cut off"
                );
                found(Finding::new(Severity::Warning, "fits-block", what).at(source.len(), 0));
            }
            break;
        }
        match next(source, number, at) {
            Ok(Some(hdu)) => hdus.push(hdu),
            Ok(None) => {
                let bytes = source.len() - at;
                let what = format!("{bytes} bytes behind the last HDU are of no extension");
                found(Finding::new(Severity::Warning, "fits-behind", what).at(at, bytes));
                break;
            }
            Err(error @ Error::Malformed { .. }) => {
                found(Finding::of_error(Severity::Error, "fits-header", &error));
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(hdus)
}

/// Reads the HDU at an address; `None` if no extension is there.
fn next(source: &dyn Source, number: usize, at: u64) -> Result<Option<Hdu>> {
    let mut word = [0; 8];
    if source.len() - at < word.len() as u64 {
        return Ok(None);
    }
    source.read_at(at, &mut word)?;
    if &word != b"XTENSION" {
        return Ok(None);
    }
    Hdu::new(number, Header::read(source, at)?).map(Some)
}
