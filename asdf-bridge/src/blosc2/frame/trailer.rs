//! The trailer of a frame, of either generation: metalayers of variable size, or user metadata.

use std::ops::Range;
use std::sync::Arc;

use dudley::bytes::Source;

use super::header::{Generation, Head, open};
use super::metalayers::{Map, Metalayers};
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::layouts::{trailer, trailer_2020};

/// The most metalayers that c-blosc2 reads from a trailer.
const MOST: u16 = 8192;

/// The newest version of trailers that is known.
const NEWEST: u8 = 1;

/// The fewest bytes of a trailer.
const SHORTEST: u64 = 25;

/// The fingerprint of the frame: no program computes one so far, and the format does not define how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// How many bits: 0, 32, 64 or 128.
    pub bits: u8,
    /// Its bytes, behind those that are not used.
    pub bytes: [u8; 16],
}

/// The trailer of a frame.
#[derive(Debug)]
pub(crate) struct Trailer {
    /// Where it begins in the frame, in bytes.
    pub(crate) start: u64,
    pub(crate) metalayers: Metalayers,
    /// What is wrong with the size of their map.
    pub(crate) odd: Option<Error>,
    /// Where the chunk of the user metadata is.
    pub(crate) usermeta: Option<Range<u64>>,
    pub(crate) fingerprint: Fingerprint,
}

impl Trailer {
    /// Of a frame whose trailer is passed over: there is nothing in it.
    pub(crate) fn none(head: &Head) -> Trailer {
        Trailer {
            start: head.frame_len,
            metalayers: Metalayers::new(),
            odd: None,
            usermeta: None,
            fingerprint: Fingerprint { bits: 0, bytes: [0; 16] },
        }
    }

    pub(crate) fn read(frame: &Arc<dyn Source>, head: &Head) -> Result<Trailer> {
        match head.generation {
            Generation::Today => today(frame, head),
            Generation::Of2020 => of_2020(frame, head),
        }
    }
}

fn today(frame: &Arc<dyn Source>, head: &Head) -> Result<Trailer> {
    let failed = Error::engine(Part::Trailer);
    let reader = open::<trailer::Layout>(frame, 0, &[], Part::Trailer)?;
    let length = reader.params().map_err(&failed)?.length as u64;
    let start = start(head, length)?;
    let fixed = reader.trailer().get().map_err(&failed)?;
    check_version(fixed.version, start)?;
    let fingerprint = reader.fingerprint().get().map_err(&failed)?;
    let within = start..head.frame_len - 23;
    let entries = start + reader.trailer().data().map_err(&failed)?.bytes();
    let map = Map {
        part: Part::VlMetalayer,
        entries: (entries, fixed.count),
        size: Some((fixed.size, 6)),
        most: MOST,
        within,
    };
    let metalayers = map.read(frame)?;
    Ok(Trailer {
        start,
        odd: map.check_size(&metalayers).err(),
        metalayers,
        usermeta: None,
        fingerprint: checked(fingerprint.kind, fingerprint.value, head)?,
    })
}

fn of_2020(frame: &Arc<dyn Source>, head: &Head) -> Result<Trailer> {
    let failed = Error::engine(Part::Trailer);
    let reader = open::<trailer_2020::Layout>(frame, 0, &[], Part::Trailer)?;
    let params = reader.params().map_err(&failed)?;
    let start = start(head, params.length as u64)?;
    check_version(reader.trailer().get().map_err(&failed)?.version, start)?;
    let fingerprint = reader.fingerprint().get().map_err(&failed)?;
    let usermeta = reader.usermeta().data().map_err(&failed)?;
    let place = usermeta.address()..usermeta.address().saturating_add(usermeta.bytes());
    if place.end > head.frame_len - 23 {
        let expected = format!("user metadata of at most {} bytes", params.length);
        return Err(Error::damaged(Part::UserMeta, place.start, expected, params.usermeta));
    }
    Ok(Trailer {
        start,
        metalayers: Metalayers::new(),
        odd: None,
        usermeta: Some(place).filter(|place| !place.is_empty()),
        fingerprint: checked(fingerprint.kind, fingerprint.value, head)?,
    })
}

/// Where the trailer begins.
fn start(head: &Head, length: u64) -> Result<u64> {
    let most = head.frame_len.saturating_sub(head.len);
    if !(SHORTEST..=most).contains(&length) {
        let expected = format!("{SHORTEST} to {most} bytes");
        let address = head.frame_len.saturating_sub(22);
        return Err(Error::damaged(Part::Trailer, address, expected, length));
    }
    Ok(head.frame_len - length)
}

/// Checks that a trailer which begins at `start` is of a version that is known.
fn check_version(version: u8, start: u64) -> Result<()> {
    if version <= NEWEST {
        return Ok(());
    }
    let expected = format!("version {NEWEST} of the trailer at most");
    Err(Error::damaged(Part::Trailer, start + 1, expected, version))
}

fn checked(kind: u8, bytes: [u8; 16], head: &Head) -> Result<Fingerprint> {
    let bits = match kind {
        0 => 0,
        1 => 32,
        2 => 64,
        3 => 128,
        kind => {
            let expected = "a fingerprint of kind 0 to 3";
            return Err(Error::damaged(Part::Trailer, head.frame_len - 17, expected, kind));
        }
    };
    Ok(Fingerprint { bits, bytes })
}
