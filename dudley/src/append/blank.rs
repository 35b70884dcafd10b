//! A record that is about to be put together, part by part.

use std::sync::Arc;

use super::plan::{Leaf, Plan};
use super::records::Filling;
use crate::elements::record::{Bytes, Record, encode_into};
use crate::elements::value::Value;
use crate::encode::input::Typed;
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::read::dtype::Dtype;
use crate::read::item::Item;
use crate::read::stream::Stream;

/// The record that would come next, of a list whose records are one item each.
pub struct Blank {
    pub(super) plan: Arc<Plan>,
    /// How many new ones stand before it.
    pub(super) more: u64,
    pub(super) filters: Arc<Registry>,
}

impl Blank {
    /// The record, as an item of a stream that has it, and where that has it.
    ///
    /// # Errors
    /// [`Error::TooLarge`] past 63 bits.
    pub(crate) fn item(&self) -> Result<(Item, u64)> {
        let item = self.plan.item(self.more).ok_or_else(|| Error::too_large(u64::MAX))?;
        let (address, _) = self.plan.record(self.more.min(1))?;
        Ok((item, address))
    }

    /// The path of the list.
    pub(crate) fn path(&self) -> &str {
        &self.plan.path
    }

    pub(crate) fn filters(&self) -> &Arc<Registry> {
        &self.filters
    }

    /// Its bytes before anything is put in.
    pub(crate) fn template(&self) -> &[u8] {
        &self.plan.shape(self.more).template
    }

    /// The stream that has it.
    pub(crate) fn ahead(&self) -> &Stream {
        self.plan.ahead()
    }

    /// How many parts it has.
    pub(crate) fn parts(&self) -> usize {
        self.leaves().len()
    }

    fn leaves(&self) -> &[Leaf] {
        &self.plan.shape(self.more).leaves
    }

    /// The parts that have bytes and whose values nobody states, each with its path in the record.
    pub(crate) fn wanted(&self) -> impl Iterator<Item = (usize, &str)> {
        let wanted = |(_, leaf): &(usize, &Leaf)| leaf.stated.is_none() && leaf.bytes > 0;
        let leaves = self.leaves().iter().enumerate().filter(wanted);
        leaves.map(|(at, leaf)| (at, leaf.name.as_str()))
    }

    /// The path of a part in the record.
    pub(crate) fn name(&self, part: usize) -> &str {
        self.leaves().get(part).map_or("", |leaf| &leaf.name)
    }

    /// What is found by a name in a dict of the record; the record itself is 0.
    pub(crate) fn child(&self, of: usize, name: &str) -> Option<usize> {
        self.plan.names(self.more).child(of, name)
    }

    /// The part that something in the record is.
    pub(crate) fn part(&self, of: usize) -> Option<usize> {
        self.plan.names(self.more).part(of)
    }

    /// What something in the record is called, from the outside in.
    pub(crate) fn names(&self, of: usize) -> Vec<&str> {
        self.plan.names(self.more).path(of)
    }

    /// Puts elements in place of a part.
    pub(crate) fn put(&self, part: usize, typed: &dyn Typed, record: &mut [u8]) -> Result<()> {
        self.with(part, |filling, leaf| filling.fill_typed(leaf, typed, record))
    }

    /// Puts a value in place of a part.
    pub(crate) fn put_value(&self, part: usize, value: &Value, record: &mut [u8]) -> Result<()> {
        self.with(part, |filling, leaf| filling.fill_value(leaf, value, record))
    }

    /// Puts a struct of the size of a part in its place.
    pub(crate) fn put_record<R: Record>(
        &self,
        part: usize,
        value: &R,
        record: &mut [u8],
    ) -> Result<()> {
        self.with(part, |filling, leaf| match &leaf.dtype {
            Dtype::Record(found) if leaf.shape.is_empty() && found.size == R::Bytes::LEN as u64 => {
                let order = filling.stream.order();
                filling.fill_by(leaf, record, |room| {
                    encode_into(std::slice::from_ref(value), order, room)
                })
            }
            _ => Err(Error::wrong_length(R::Bytes::LEN as u64, leaf.bytes as u64)),
        })
    }

    fn with(
        &self,
        part: usize,
        fill: impl FnOnce(&Filling<'_>, &Leaf) -> Result<()>,
    ) -> Result<()> {
        let (stream, filters) = (self.plan.ahead(), &*self.filters);
        let filling = Filling { stream, filters, path: &self.plan.path };
        let leaf = self.leaves().get(part).ok_or_else(|| Error::too_large(part as u64))?;
        fill(&filling, leaf)
    }
}
