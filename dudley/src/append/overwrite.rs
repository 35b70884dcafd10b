//! Elements that are written over those that are there.

use std::sync::{Mutex, PoisonError};

use super::Append;
use super::in_place::InPlace;
use crate::elements::scatter::{ScatterAll, WriteAt};
use crate::encode::input::Input;
use crate::encode::pass::{checked, same_shape};
use crate::encode::values::Encoder;
use crate::error::{Error, Item, Result};
use crate::read::data::Data;
use crate::read::select::{Picked, Selected};

impl Append {
    /// Overwrites existing elements. `path` is the path of an item, also with a slice or a field:
    /// `/rho[10:20, ::2]`, `/pos.lon`, `/hist[-1]/t`. Nothing else is written, and nothing moves.
    ///
    /// There is no commit of it: after a crash any part of it may be there, and a reader may see any.
    /// With [`Self::sync`] it is durable. An index with checksums is taken away first. Params are not written over, since they decide where things
    /// lie, and filtered items are not, since they would be of another size.
    ///
    /// # Errors
    /// [`Error::NotInPlace`]; [`Error::BadPath`], [`Error::NoSuchItem`], [`Error::BadSlice`];
    /// [`Error::WrongShape`], [`Error::WrongInput`], [`Error::WrongValue`]; [`Error::Io`].
    ///
    /// ```
    /// use dudley::append::Append;
    /// # use dudley::{Writer, Stream, parse_layout};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let layout = parse_layout(b"x = f8[4, 2]")?;
    /// # Writer::new(layout).put("/x", &dudley::ndarray::Array2::<f64>::zeros((4, 2))).attach(true)
    /// #     .write_file(&path, false)?;
    /// let mut append = Append::open(&path)?;
    /// append.write("/x[::2, 1]", &[1.5, 2.5])?;
    /// append.sync()?;
    /// assert_eq!(Stream::open(&path)?.get("/x")?.read::<f64>()?.sum(), 4.0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn write<'a>(&mut self, path: &str, input: impl Into<Input<'a>>) -> Result<()> {
        self.commit_pushed()?;
        let selected = self.stream.select(path)?;
        let parts = parts(path, &selected)?;
        parts.iter().try_for_each(|data| self.there(path, data))?;
        let Some(first) = parts.first() else { return Ok(()) };
        let (dtype, shape) = (first.dtype.clone(), selected.shape());
        let regions = parts.iter().map(|data| data.region()).collect::<Result<Vec<_>>>()?;
        let place = Mutex::new(&mut self.place);
        match input.into() {
            Input::Value(value) => {
                let order = self.stream.order();
                let encoder = Encoder { order, filters: &self.filters, param: &|_| None };
                let bytes = self.stream.with_resolver(|resolver| {
                    encoder.fixed(resolver, path, &value, &dtype, &shape)
                });
                let bytes = bytes.map_err(|error| error.of_item(path))?;
                ScatterAll::new(&regions).push(&bytes, &place)
            }
            input => write_over(path, &selected, input, &place),
        }
    }

    /// Makes [overwritten](Self::write) elements durable. A commit does that, too.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let layout = dudley::parse_layout(b"x = f8[2]")?;
    /// # dudley::Writer::new(layout).put("/x", &[1.0, 2.0]).attach(true).write_file(&path, false)?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// append.write("/x[0]", 3.0)?;
    /// append.sync()?; // from here on also after a crash
    /// assert_eq!(append.stream().get("/x")?.read::<f64>()?.sum(), 5.0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`]; the stream must then be opened again.
    pub fn sync(&mut self) -> Result<()> {
        self.commit_pushed()?;
        self.place.sync()
    }

    /// Checks that an array is there to its end.
    fn there(&self, path: &str, data: &Data) -> Result<()> {
        let (span, end) = (data.region()?.span(), self.place.end());
        if span.end <= end || span.is_empty() {
            Ok(())
        } else {
            let there = end.saturating_sub(span.start);
            Err(Error::Truncated {
                item: Item::new(path),
                address: span.start,
                needed: span.end - span.start,
                available: there,
            })
        }
    }
}

impl WriteAt for Mutex<&mut InPlace> {
    fn write_at(&self, address: u64, bytes: &[u8]) -> Result<()> {
        let mut place = self.lock().unwrap_or_else(PoisonError::into_inner);
        if place.drop_checksums()? {
            place.sync()?;
        }
        place.write(address, bytes)
    }
}

/// Overwrites the selected elements of arrays that are stored without an encoding, in any target, not only in
/// a growing stream. [`Input::Value`] is refused, because it would need a stream.
///
/// # Errors
/// [`Error::NotInPlace`]; [`Error::WrongShape`], [`Error::WrongType`]; the errors of the target.
///
/// ```
/// use std::sync::Mutex;
///
/// use dudley::append::write_over;
/// use dudley::elements::WriteAt;
///
/// struct Memory(Mutex<Vec<u8>>);
///
/// impl WriteAt for Memory {
///     fn write_at(&self, address: u64, bytes: &[u8]) -> dudley::Result<()> {
///         let start = address as usize;
///         self.0.lock().expect("no panic")[start..start + bytes.len()].copy_from_slice(bytes);
///         Ok(())
///     }
/// }
///
/// let stream = dudley::Open::new().layout_text("x = u1[4]")?.bytes(vec![1, 2, 3, 4])?;
/// let memory = Memory(Mutex::new(vec![1, 2, 3, 4]));
/// write_over("/x[::2]", &stream.select("/x[::2]")?, &[7_u8, 8], &memory)?;
/// assert_eq!(memory.0.into_inner().expect("no panic"), [7, 2, 8, 4]);
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn write_over<'a>(
    path: &str,
    selected: &Selected,
    input: impl Into<Input<'a>>,
    target: &dyn WriteAt,
) -> Result<()> {
    let parts = parts(path, selected)?;
    let Some(first) = parts.first() else { return Ok(()) };
    let (dtype, shape) = (first.dtype.clone(), selected.shape());
    let regions = parts.iter().map(|data| data.region()).collect::<Result<Vec<_>>>()?;
    let mut elements = ScatterAll::new(&regions);
    match input.into() {
        Input::Typed(typed) => {
            let (primitive, order) = checked(path, &*typed, &dtype, &shape)?;
            typed.encode(primitive, order, &mut |block| elements.push(block, target))
        }
        Input::Rows(rows) => {
            rows.check(&dtype).map_err(|error| error.of_item(path))?;
            same_shape(path, &shape, &rows.shape())?;
            // What a struct of the program has not is written as zeros.
            let template = crate::elements::buffer::zeros(dtype.size().unwrap_or(0))?;
            rows.encode(&dtype, &template, &mut |block| elements.push(block, target))
        }
        Input::Value(_) => Err(refused(path, "what is to be written is a value, and no array")),
    }
}

fn refused(path: &str, why: &str) -> Error {
    Error::NotInPlace { path: path.into(), why: why.into() }
}

/// The arrays that are picked, if nothing hangs on them.
fn parts<'p>(path: &str, selected: &'p Selected) -> Result<Vec<&'p Data>> {
    let parts = selected.parts.iter().map(|part| {
        let Picked::Data(data) = part else {
            return Err(refused(path, "it is a param, or its size is in the stream"));
        };
        if data.filter.is_some() || data.decoded.is_some() {
            return Err(refused(path, "it is filtered"));
        }
        if let crate::read::dtype::Dtype::Variable(_) = data.dtype {
            return Err(refused(path, "its structs differ in size"));
        }
        Ok(data)
    });
    parts.collect()
}
