//! Rows that are written one after the other to the end of a file, as many as will come.

use std::io::{self, Write};

use dudley::bytes::AtomicFile;
use dudley::elements::Element;
use dudley::ndarray::{ArrayBase, Data as NdData, Dimension};
use dudley::read::Dtype;
use dudley::{ByteOrder, Data};

use super::super::datatype::Datatype;
use super::super::error::{Error, Result};
use super::yaml::array::NewArray;

/// A file that is being written, to which rows can be added. What was added is there for readers as soon as the
/// sink has it; a row that is not whole is none.
#[derive(Debug)]
pub struct Rows<W> {
    sink: W,
    datatype: Datatype,
    /// The shape of a row.
    row: Vec<u64>,
    written: u64,
}

impl<W: Write> Rows<W> {
    pub(super) fn new(sink: W, datatype: Datatype, row: Vec<u64>) -> Rows<W> {
        Rows { sink, datatype, row, written: 0 }
    }

    /// Bytes of a row.
    pub fn row_bytes(&self) -> u64 {
        let size = self.datatype.size().unwrap_or(u64::MAX);
        self.row.iter().fold(size, |size, dim| size.saturating_mul(*dim))
    }

    /// Rows that were added.
    pub fn rows(&self) -> u64 {
        self.written.checked_div(self.row_bytes()).unwrap_or(0)
    }

    /// Adds rows: an array of the type of the rows, with their shape behind its first dimension. Elements are
    /// brought to the byte order of the file.
    ///
    /// # Errors
    /// [`Error::Unwritable`] for elements of another type; [`dudley::Error::WrongShape`]; [`Error::Engine`] if the
    /// sink refuses.
    pub fn write<T: Element, S: NdData<Elem = T>, D: Dimension>(
        &mut self,
        rows: &ArrayBase<S, D>,
    ) -> Result<()> {
        let order = match self.datatype {
            Datatype::Number(_, order) => order,
            _ => ByteOrder::Big,
        };
        let standard = rows.as_standard_layout();
        self.write_array(&NewArray::in_order(&standard, order))
    }

    /// Adds rows of any type, from an array of the engine.
    ///
    /// # Errors
    /// As [`Self::write`]. Byte orders must be those of the rows.
    pub fn write_data(&mut self, rows: &Data) -> Result<()> {
        match rows.dtype() {
            Dtype::Variable(_) => Err(self.other("structs of variable size")),
            _ => self.write_array(&NewArray::data(rows)?),
        }
    }

    fn write_array(&mut self, rows: &NewArray<'_>) -> Result<()> {
        if rows.datatype != self.datatype {
            return Err(self.other(&format!("`{}`", rows.datatype.spell(&[]))));
        }
        if rows.shape.get(1..) != Some(self.row.as_slice()) {
            let count = rows.shape.first().copied().unwrap_or(1);
            let expected: Vec<u64> =
                std::iter::once(count).chain(self.row.iter().copied()).collect();
            return Err(dudley::Error::wrong_shape("rows", &expected, &rows.shape).into());
        }
        rows.pieces.each(&mut |piece| {
            self.sink.write_all(piece).map_err(cannot)?;
            self.written += piece.len() as u64;
            Ok(())
        })
    }

    /// Adds rows as bytes, packed, in the byte order of the file.
    ///
    /// # Errors
    /// [`dudley::Error::WrongLength`] if they are no whole rows; [`Error::Engine`] if the sink refuses.
    pub fn write_bytes(&mut self, rows: &[u8]) -> Result<()> {
        let row = self.row_bytes();
        let length = rows.len() as u64;
        if row == 0 || !length.is_multiple_of(row) {
            let whole = length.checked_div(row).unwrap_or(0) * row;
            return Err(dudley::Error::wrong_length(whole, length).into());
        }
        self.sink.write_all(rows).map_err(cannot)?;
        self.written += length;
        Ok(())
    }

    /// Hands on what was collected.
    ///
    /// # Errors
    /// [`Error::Engine`] if the sink refuses.
    pub fn flush(&mut self) -> Result<()> {
        Ok(self.sink.flush().map_err(cannot)?)
    }

    /// The sink, with all that was written handed on.
    ///
    /// # Errors
    /// As [`Self::flush`].
    pub fn finish(mut self) -> Result<W> {
        self.flush()?;
        Ok(self.sink)
    }

    fn other(&self, found: &str) -> Error {
        Error::Unwritable {
            what: "rows".into(),
            expected: format!("`{}`", self.datatype.spell(&[])).into(),
            found: found.into(),
        }
    }
}

impl Rows<Appending> {
    /// Gives the file its name.
    ///
    /// # Errors
    /// As [`AtomicFile::commit`].
    pub fn commit(self) -> Result<()> {
        Ok(self.sink.0.commit()?)
    }
}

/// A file that is not there yet, written from its start to its end.
#[derive(Debug)]
pub struct Appending(AtomicFile);

impl Appending {
    pub(super) fn new(file: AtomicFile) -> Appending {
        Appending(file)
    }
}

impl Write for Appending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = self.0.len();
        self.0.write_at(end, bytes).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(io::Error::other)
    }
}

fn cannot(error: io::Error) -> dudley::Error {
    dudley::Error::io("cannot write rows", error)
}
