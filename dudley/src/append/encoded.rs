//! Records that come as bytes: of types made from the layout.

use std::sync::Arc;

use dudley_parser::layout::dtype::ByteOrder;

use super::Records;
use super::plan::Leaf;
use crate::dtype::Dtype;
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::item::Item;
use crate::stream::Stream;
use crate::typed::{Big, Bytes, Little, Record};

/// A record that is about to be put together.
pub(crate) struct Blank {
    /// The record, as an item of a stream that has it.
    pub(crate) item: Item,
    /// Where that stream has it.
    pub(crate) address: u64,
    /// Its bytes before anything is put in.
    pub(crate) bytes: Vec<u8>,
}

impl Records<'_> {
    /// Adds a record of a type that was made from the layout: of an array of structs or a list of single
    /// ones.
    ///
    /// # Errors
    /// [`Error::WrongLength`] if the records there are of another size; as [`Self::push`].
    ///
    /// ```
    /// use dudley::append::Append;
    /// use dudley::typed::Create;
    ///
    /// dudley::layout!(mod run = "NT : i8  step {t = f8  n = i4}  hist = step[NT]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// Create::new().file::<run::Layout>(&path, &run::Params { nt: 0 })?.finish()?;
    /// let mut append = Append::open(&path)?;
    /// let mut hist = append.records("/hist")?;
    /// hist.push_record(&run::Step { t: 0.5, n: 7 })?;
    /// hist.commit()?;
    /// drop(hist);
    /// assert_eq!(run::Reader::open(&path)?.hist().read()?[0].n, 7);
    /// # Ok(())
    /// # }
    /// ```
    pub fn push_record<R: Record>(&mut self, record: &R) -> Result<()> {
        self.check_record::<R>()?;
        let (start, shape) = self.plan.record(self.added)?;
        let mut bytes = R::Bytes::ZERO;
        match self.append.stream.order() {
            ByteOrder::Little => record.encode::<Little>(&mut bytes),
            ByteOrder::Big => record.encode::<Big>(&mut bytes),
        }
        self.room.clear();
        self.room.extend_from_slice(&shape.template);
        let room = self.room.get_mut(..R::Bytes::LEN);
        room.ok_or_else(|| Error::wrong_length(R::Bytes::LEN as u64, 0))?
            .copy_from_slice(bytes.as_ref());
        self.add(start, 1)
    }

    /// That records of a type are as large as those there.
    pub(super) fn check_record<R: Record>(&self) -> Result<()> {
        let shape = self.plan.shape(self.added);
        let whole = shape.leaves.iter().find(|leaf| leaf.name.is_empty());
        let size = match whole.map(|leaf| (&leaf.dtype, leaf.shape.is_empty())) {
            Some((Dtype::Record(found), true)) => found.size,
            _ => 0,
        };
        match size == R::Bytes::LEN as u64 {
            true => Ok(()),
            false => {
                let error = Error::wrong_length(size, R::Bytes::LEN as u64);
                Err(error.of_item(&self.plan.path))
            }
        }
    }

    /// The record that would come next, of a list whose records are one item each.
    pub(crate) fn blank(&self) -> Result<Option<Blank>> {
        let Some(item) = self.plan.item(self.added) else { return Ok(None) };
        let (address, shape) = self.plan.record(self.added.min(1))?;
        Ok(Some(Blank { item, address, bytes: shape.template.clone() }))
    }

    /// The paths of the parts of that record which have bytes and whose values nobody states.
    pub(crate) fn wanted(&self, item: &Item) -> impl Iterator<Item = String> {
        let shape = self.plan.shape(self.added);
        let wanted = |leaf: &&Leaf| leaf.stated.is_none() && leaf.bytes > 0;
        let path = item.path().to_owned();
        shape.leaves.iter().filter(wanted).map(move |leaf| match leaf.name.is_empty() {
            true => path.clone(),
            false => format!("{path}/{}", leaf.name),
        })
    }

    /// Adds a record as it is stored.
    pub(crate) fn push_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let (start, shape) = self.plan.record(self.added)?;
        if bytes.len() != shape.template.len() {
            let error = Error::wrong_length(shape.template.len() as u64, bytes.len() as u64);
            return Err(error.of_item(&self.plan.path));
        }
        self.room.clear();
        self.room.extend_from_slice(bytes);
        self.add(start, 1)
    }

    /// The path of the list or array.
    pub(crate) fn path(&self) -> &str {
        &self.plan.path
    }

    /// The stream with a few more records, of which nothing is there to be read.
    pub(crate) fn ahead(&self) -> &Stream {
        self.plan.ahead()
    }

    pub(crate) fn filters(&self) -> &Arc<Registry> {
        &self.append.filters
    }
}
