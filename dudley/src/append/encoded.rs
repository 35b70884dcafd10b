//! Records that come as bytes: of types made from the layout, or put together.

use std::sync::Arc;

use super::Records;
use super::blank::Blank;
use super::plan::{Leaf, Plan};
use crate::elements::record::{Bytes, Record, encode_into};
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::read::dtype::Dtype;
use crate::read::stream::Stream;

impl Plan {
    /// What a record is as a whole, which is as large as those of a type.
    pub(super) fn whole_record<R: Record>(&self, more: u64) -> Result<&Leaf> {
        let shape = self.shape(more);
        let whole = shape.leaves.iter().find(|leaf| leaf.name.is_empty());
        let size = |leaf: &Leaf| match (&leaf.dtype, leaf.shape.is_empty()) {
            (Dtype::Record(found), true) => found.size,
            _ => 0,
        };
        whole.filter(|leaf| size(leaf) == R::Bytes::LEN as u64).ok_or_else(|| {
            let error = Error::wrong_length(whole.map_or(0, size), R::Bytes::LEN as u64);
            error.of_item(&self.path)
        })
    }
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
        let whole = self.plan.whole_record::<R>(self.added)?;
        let (start, shape) = self.plan.record(self.added)?;
        self.room.clear();
        self.room.extend_from_slice(&shape.template);
        let room = self.room.get_mut(..R::Bytes::LEN).unwrap_or_default();
        encode_into(std::slice::from_ref(record), self.append.stream.order(), room)?;
        whole.check(self.append.layout(), &self.plan.path, room)?;
        self.add(start, 1)
    }

    /// Whether a record is the one that would come next.
    pub(crate) fn is_next(&self, blank: &Blank) -> bool {
        Arc::ptr_eq(&self.plan, &blank.plan) && blank.more == self.added
    }

    /// Makes a record the one that would come next, if it is of these.
    pub(crate) fn renew(&self, blank: &mut Blank) -> bool {
        let is_own = Arc::ptr_eq(&self.plan, &blank.plan);
        if is_own {
            blank.more = self.added;
        }
        is_own
    }

    /// The record that would come next, of a list whose records are one item each.
    pub(crate) fn blank(&self) -> Option<Blank> {
        if !self.plan.has_items() {
            return None;
        }
        let (plan, filters) = (self.plan.clone(), self.append.filters.clone());
        Some(Blank { plan, more: self.added, filters })
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
