//! Records that are taken away again from the end of a list or array.

use super::Append;
use super::plan::Cut;
use crate::error::Result;

impl Append {
    /// Cuts a list or array whose length is a param back to its first records; pushed records are committed
    /// before. `path` is as for [`Self::records`]. A simulation that restarts from a checkpoint removes the
    /// later records in this way.
    ///
    /// Writes only the number of records, in one step: after a crash the stream has the old number or the new one.
    /// The bytes of removed records stay in the file, as room for more records, until [`Self::close`]. Programs
    /// that opened the stream before must open it again, because new records overwrite the removed ones.
    ///
    /// ```
    /// use dudley::append::Append;
    /// use dudley::{Stream, Writer, parse_layout};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let layout = parse_layout(b"NT : i8  time = f8[NT]")?;
    /// Writer::new(layout).param("/NT", 3).put("/time", &[0.0, 0.5, 1.0]).attach(true).write_file(&path, false)?;
    ///
    /// let mut append = Append::open(&path)?;
    /// append.truncate("/time", 1)?;
    /// append.records("/time")?.push_value(0.25)?;
    /// append.close()?;
    /// assert_eq!(Stream::open(&path)?.get("/time")?.read::<f64>()?.into_raw_vec_and_offset().0, [0.0, 0.25]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongValue`](crate::Error::WrongValue) if there are fewer records;
    /// [`Error::CannotCut`](crate::Error::CannotCut) if the item is no such list or array, or is not the last item;
    /// [`Error::Undescribed`](crate::Error::Undescribed); [`Error::Io`](crate::Error::Io), after which the stream
    /// must be opened again.
    pub fn truncate(&mut self, path: &str, records: u64) -> Result<()> {
        self.commit_pushed()?;
        self.planned(&self.stream.inner.layout)?;
        let path = self.stream.get(path)?.path().to_owned();
        let cut = Cut::new(self, &path, records)?;
        if records == cut.count.value {
            return Ok(());
        }
        cut.count.commit(&mut self.place, records)?;
        self.place.forget(cut.end);
        self.renew(self.stream.inner.layout.clone())
    }
}
