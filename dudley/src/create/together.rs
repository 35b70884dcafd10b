//! Parts of an item that several processes have encoded, written by one of them: what is side by side as one write.

use std::ops::Range;

use dudley_parser::layout::dtype::{ByteOrder, Primitive};

use super::writer::Writer;
use super::writing::{Whole, Writing};
use crate::bytes::region::Region;
use crate::elements::buffer::room;
use crate::encode::input::Input;
use crate::encode::pass::{primitive_of, same_shape};
use crate::error::{Error, Result, to_usize};
use crate::read::item::{Item, ItemKind};
use crate::read::slice::{Picked, place};

/// Elements of an item, in each of its dimensions.
pub(crate) type Ranges = Vec<Range<u64>>;

/// An item of fixed size that is written to its place at once.
pub(crate) struct Placed {
    writing: Writing,
    item: Item,
    whole: Whole,
    /// The address of its first element, and the bytes from one to the next in each dimension.
    first: u64,
    strides: Vec<i64>,
}

impl Writer {
    /// An item, of which one process can write what others have encoded; `None` if it is kept until the end.
    ///
    /// # Errors
    /// [`Error::NoSuchItem`]; [`Error::Variable`].
    pub(crate) fn placed(&self, path: &str) -> Result<Option<Placed>> {
        let item = self.get(path)?;
        if item.kind() != ItemKind::Data {
            return Ok(None);
        }
        let whole = self.writing.shared().whole(&item)?;
        let place = whole.data.as_ref().map(|data| (data.address(), data.strides().to_vec()));
        let writing = self.writing.clone();
        Ok(place.map(|(first, strides)| Placed { writing, item, whole, first, strides }))
    }
}

impl Placed {
    /// Its elements in each dimension.
    pub(crate) fn shape(&self) -> &[u64] {
        &self.whole.shape
    }

    /// The bytes of one element.
    pub(crate) fn size(&self) -> u64 {
        self.whole.size
    }

    /// Checks that an array can be these elements of it, as [`Writer::write`] does.
    ///
    /// # Errors
    /// [`Error::WrongShape`], [`Error::WrongInput`].
    pub(crate) fn check(&self, elements: &[Range<u64>], input: &Input<'_>) -> Result<()> {
        self.encoding(elements, input).map(drop)
    }

    /// The bytes of an array that is these elements of it.
    ///
    /// # Errors
    /// As [`Self::check`]; [`Error::WrongValue`].
    pub(crate) fn encode(&self, elements: &[Range<u64>], input: &Input<'_>) -> Result<Vec<u8>> {
        match (input, self.encoding(elements, input)?) {
            (Input::Typed(typed), Some((primitive, order))) => {
                let count = elements.iter().map(|it| it.end - it.start).product::<u64>();
                let mut bytes = room::<u8>(count.saturating_mul(self.whole.size))?;
                let mut put = |block: &[u8]| {
                    bytes.extend_from_slice(block);
                    Ok(())
                };
                let encoded = typed.encode(primitive, order, &mut put);
                encoded.map_err(|error| error.of_item(self.item.path()))?;
                Ok(bytes)
            }
            _ => Err(Error::NotPrimitive { path: self.item.path().into(), found: "struct".into() }),
        }
    }

    fn encoding(
        &self,
        elements: &[Range<u64>],
        input: &Input<'_>,
    ) -> Result<Option<(Primitive, ByteOrder)>> {
        let Input::Typed(typed) = input else { return Ok(None) };
        let path = self.item.path();
        let found = primitive_of(path, &**typed, &self.whole.dtype)?;
        let expected: Vec<u64> = elements.iter().map(|it| it.end - it.start).collect();
        same_shape(path, &expected, &typed.shape())
            .map_err(|error| self.writing.shared().of_params(error, &self.item))?;
        Ok(Some(found))
    }

    /// Writes encoded elements to their places; parts must not have elements in common. Runs of bytes that touch each other, also
    /// of different parts, are one write, which `joined` is memory for.
    ///
    /// # Errors
    /// [`Error::WrongLength`] for a part with other bytes than its elements have; if a write fails.
    pub(crate) fn write(&self, parts: &[(Ranges, Vec<u8>)], joined: &mut Vec<u8>) -> Result<()> {
        self.write_runs(parts, joined).map_err(|error| error.of_item(self.item.path()))
    }

    fn write_runs(&self, parts: &[(Ranges, Vec<u8>)], joined: &mut Vec<u8>) -> Result<()> {
        let mut runs: Vec<(u64, &[u8])> = Vec::new();
        for (elements, bytes) in parts {
            let region = self.region(elements)?;
            if region.byte_len() != bytes.len() as u64 {
                return Err(Error::wrong_length(region.byte_len(), bytes.len() as u64));
            }
            let mut rest = &bytes[..];
            for row in region.rows() {
                let length = to_usize(row.run)?;
                for run in 0..row.count {
                    let (now, later) = rest.split_at(length);
                    runs.push((row.address_of(run), now));
                    rest = later;
                }
            }
        }
        runs.sort_by_key(|(address, _)| *address);
        let target = &self.writing.shared().target;
        for touching in runs.chunk_by(|(a, bytes), (b, _)| a + bytes.len() as u64 == *b) {
            match touching {
                [(address, bytes)] => target.put_at_once(*address, bytes)?,
                [(address, _), ..] => {
                    joined.clear();
                    touching.iter().for_each(|(_, bytes)| joined.extend_from_slice(bytes));
                    target.put_at_once(*address, joined)?;
                }
                [] => {}
            }
        }
        Ok(())
    }

    /// Where elements are in the file.
    fn region(&self, elements: &[Range<u64>]) -> Result<Region> {
        let pick = |it: &Range<u64>| Picked {
            start: it.start,
            count: it.end - it.start,
            step: 1,
            single: false,
        };
        let picked: Vec<Picked> = elements.iter().map(pick).collect();
        let part = place(&picked, self.first, &self.strides)?;
        Region::new(part.address, &part.shape, &part.strides, self.whole.size)
    }
}
