//! Elements that are written over those that are there.

use std::sync::{Mutex, PoisonError};

use super::Append;
use super::in_place::InPlace;
use crate::data::Data;
use crate::encode::Encoder;
use crate::error::{Error, Item, Result};
use crate::input::Input;
use crate::pass::{checked, same_shape};
use crate::scatter::{Scatter, WriteAt};
use crate::select::Picked;
use crate::strided::Region;

impl Append {
    /// Writes over elements that are there: `path` is that of an item, with a slice or a field if need
    /// be, `/rho[10:20, ::2]`, `/pos.lon`, `/hist[-1]/t`. Nothing else is written, and nothing moves.
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
        let selected = self.stream.select(path)?;
        let parts = selected.parts.iter().map(|part| self.writable(path, part));
        let parts: Vec<&Data> = parts.collect::<Result<_>>()?;
        let Some(first) = parts.first() else { return Ok(()) };
        let (dtype, shape) = (first.dtype.clone(), selected.shape());
        let regions = parts.iter().map(|data| data.region()).collect::<Result<Vec<_>>>()?;
        let mut target = Target::new(&mut self.place, &regions);
        match input.into() {
            Input::Typed(typed) => {
                let (primitive, order) = checked(path, &*typed, &dtype, &shape)?;
                typed.encode(primitive, order, &mut |block| target.push(block))
            }
            Input::Value(value) => {
                let order = self.stream.order();
                let encoder = Encoder { order, filters: &self.filters, param: &|_| None };
                let bytes = self.stream.with_resolver(|resolver| {
                    encoder.fixed(resolver, path, &value, &dtype, &shape)
                });
                let bytes = bytes.map_err(|error| error.of_item(path))?;
                target.push(&bytes)
            }
            Input::Rows(rows) => {
                rows.check(&dtype).map_err(|error| error.of_item(path))?;
                same_shape(path, &shape, &rows.shape())?;
                // What a struct of the program has not is written as zeros.
                let template = crate::encode::zeros(dtype.size().unwrap_or(0))?;
                rows.encode(&dtype, &template, &mut |block| target.push(block))
            }
        }
    }

    /// Makes durable what was [written over](Self::write). A commit does that too.
    ///
    /// # Errors
    /// [`Error::Io`]; the stream must then be opened again.
    pub fn sync(&mut self) -> Result<()> {
        self.place.sync()
    }

    /// What is picked, if it is there and nothing hangs on it.
    fn writable<'p>(&self, path: &str, part: &'p Picked) -> Result<&'p Data> {
        let refused = |why: &str| Error::NotInPlace { path: path.into(), why: why.into() };
        let Picked::Data(data) = part else {
            return Err(refused("it is a param, or its size is in the stream"));
        };
        if data.filter.is_some() || data.decoded.is_some() {
            return Err(refused("it is filtered"));
        }
        if let crate::dtype::Dtype::Variable(_) = data.dtype {
            return Err(refused("its structs differ in size"));
        }
        let (span, end) = (data.region()?.span(), self.place.end());
        match span.end <= end || span.is_empty() {
            true => Ok(data),
            false => {
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
}

/// Elements on their way to several regions, one after the other.
struct Target<'t> {
    place: Mutex<&'t mut InPlace>,
    regions: std::slice::Iter<'t, Region>,
    /// The region at hand, and the bytes that are still to come for it.
    here: Option<(Scatter<'t>, u64)>,
}

impl<'t> Target<'t> {
    fn new(place: &'t mut InPlace, regions: &'t [Region]) -> Target<'t> {
        Target { place: Mutex::new(place), regions: regions.iter(), here: None }
    }

    fn push(&mut self, mut bytes: &[u8]) -> Result<()> {
        let place = self.place.get_mut().unwrap_or_else(PoisonError::into_inner);
        if place.drop_checksums()? {
            place.sync()?;
        }
        while !bytes.is_empty() {
            let (mut scatter, left) = match self.here.take() {
                Some((scatter, left)) if left > 0 => (scatter, left),
                _ => match self.regions.next() {
                    Some(region) => (Scatter::new(region), region.byte_len()),
                    None => return Err(Error::wrong_length(0, bytes.len() as u64)),
                },
            };
            let length = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
            let (now, later) = bytes.split_at(length);
            scatter.push(now, &self.place)?;
            self.here = Some((scatter, left - length as u64));
            bytes = later;
        }
        Ok(())
    }
}

impl WriteAt for Mutex<&mut InPlace> {
    fn write_at(&self, address: u64, bytes: &[u8]) -> Result<()> {
        match self.lock() {
            Ok(mut place) => place.write(address, bytes),
            Err(poisoned) => poisoned.into_inner().write(address, bytes),
        }
    }
}
