//! A block to be written, and where it is placed.

use std::sync::Arc;

use super::super::error::{Error, Result};
use super::super::form::Fields;
use super::compress::Compression;
use super::header;
use super::pieces::Pieces;
use super::rules::Rules;

/// A block to be written.
#[derive(Clone, Debug)]
pub(crate) struct NewBlock<'a> {
    /// Its data.
    pub(crate) pieces: Arc<dyn Pieces + 'a>,
    /// How they are compressed.
    pub(crate) compression: Option<Compression>,
    /// What they are, if they are compressed already and written as they are.
    pub(crate) stored: Option<Stored>,
}

/// Data that are compressed already.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored {
    /// How.
    pub(crate) label: [u8; 4],
    /// Bytes of them when decompressed.
    pub(crate) decoded: u64,
}

impl<'a> NewBlock<'a> {
    /// A block without data.
    pub(crate) fn empty() -> NewBlock<'a> {
        NewBlock::plain(Arc::new(std::borrow::Cow::Borrowed(&[][..])))
    }

    /// A block of data as they are.
    pub(crate) fn plain(pieces: Arc<dyn Pieces + 'a>) -> NewBlock<'a> {
        NewBlock { pieces, compression: None, stored: None }
    }
}

/// Where a block is whose header begins at an address.
///
/// # Errors
/// [`dudley::Error::TooLarge`] beyond all addresses.
pub(super) fn place(
    address: u64,
    label: [u8; 4],
    used: u64,
    decoded: u64,
    rules: &Rules,
) -> Result<Placed> {
    let form = rules.form;
    let header = header::size(form, address, rules.align);
    let slack = rules.padding.of(used);
    let too_large = || Error::from(dudley::Error::too_large(u64::MAX));
    let allocated = used.checked_add(slack).ok_or_else(too_large)?;
    let data = address.checked_add(form.lead() + u64::from(header)).ok_or_else(too_large)?;
    let end = data.checked_add(allocated).ok_or_else(too_large)?;
    let fields = Fields {
        form,
        header,
        flags: 0,
        compression: label,
        allocated,
        used,
        decoded: Some(decoded),
        digest: [0; 16],
    };
    Ok(Placed { address, data, end, fields })
}

/// Where a block is: addresses of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    /// Its header.
    pub(crate) address: u64,
    /// Its data.
    pub(crate) data: u64,
    /// The end of what is set aside for it.
    pub(crate) end: u64,
    pub(super) fields: Fields,
}

impl Placed {
    /// The bytes of the header.
    pub(super) fn header(&self, digest: Option<[u8; 16]>, rules: &Rules) -> Vec<u8> {
        let digest = digest.unwrap_or_default();
        header::encode(&Fields { digest, ..self.fields }, rules.literal)
    }
}
