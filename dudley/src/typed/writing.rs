//! Items written through the types made from a layout: in any order, from many threads.
//!
//! An item whose place the params decide is written there at once. Others (what is filtered, or strided
//! through records, or lies behind something of variable size) are kept, and written when the writer is
//! finished.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use ndarray::ArrayViewD;

use super::constants::{Constants, encode};
use super::given::{Given, Piece};
use super::mode::sealed::Sealed;
use super::mode::{Measured, Mode};
use super::target::Target;
use crate::elements::element::Element;
use crate::elements::record::{Bytes, Record};
use crate::elements::scatter::Scatter;
use crate::elements::value::Value;
use crate::encode::input::Input;
use crate::encode::pass::{checked, same_shape};
use crate::encode::values::Encoder;
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::read::data::Data;
use crate::read::dtype::Dtype;
use crate::read::item::Item;
use crate::read::stream::Stream;
use crate::write::{Supplied, Supply, WriteOptions, plain, write};

/// Takes encoded bytes.
pub(super) type Put<'p> = &'p mut dyn FnMut(&[u8]) -> Result<()>;
/// Hands out the bytes of elements, block by block.
pub(super) type Encode<'e> = &'e mut dyn FnMut(Put<'_>) -> Result<()>;

/// Writing a stream.
#[derive(Clone)]
pub struct Writing {
    pub(super) shared: Arc<Shared>,
}

impl fmt::Debug for Writing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writing").field("places", &self.shared.places).finish_non_exhaustive()
    }
}

impl Sealed for Writing {}
impl Mode for Writing {}
impl Measured for Writing {}

/// Which items can be written before the writer is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Places {
    /// All: the params decide where each is.
    Known,
    /// Those that end here at the latest, which the params place. In a list that varies the first
    /// items may have known places too, but lie beyond.
    Until(u64),
    /// None: the target takes bytes in order only.
    Kept,
}

pub(super) struct Shared {
    pub(super) plan: Stream,
    options: WriteOptions,
    pub(super) target: Target,
    places: Places,
    given: Mutex<Given>,
}

impl Shared {
    pub(super) fn given(&self) -> MutexGuard<'_, Given> {
        // What was given is never half done.
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where an item is written at once; `None` if it has to be kept.
    ///
    /// # Errors
    /// If finding it fails; [`Error::WrongValue`] for a view that cannot be written as it is read.
    fn place(&self, item: &Item) -> Result<Option<Data>> {
        if item.is_presented()
            && let Ok(described) = item.described()
        {
            described.presented.check_whole().map_err(|error| error.of_item(item.path()))?;
        }
        let until = match self.places {
            // There may be none of something whose size nobody knows yet.
            Places::Known => {
                return match item.data() {
                    Err(Error::Resolve(error)) if error.is_unknown() => Ok(None),
                    data => data.map(|data| Some(data.to_write())),
                };
            }
            Places::Until(end) => end,
            Places::Kept => return Ok(None),
        };
        // What is not known yet is looked at in the end.
        let Ok(data) = item.data().map(|data| data.to_write()) else { return Ok(None) };
        let end = data.begin().checked_add(data.bytes());
        let placed = end.is_some_and(|end| end <= until || data.bytes() == 0);
        if placed && data.filter().is_none() && !item.is_spliced() {
            Ok(Some(data))
        } else {
            Ok(None)
        }
    }

    /// An item, of which parts can be written.
    pub(super) fn whole(&self, item: &Item) -> Result<Whole> {
        self.whole_at(item, self.place(item)?)
    }

    /// As [`Self::whole`], its place found already.
    fn whole_at(&self, item: &Item, data: Option<Data>) -> Result<Whole> {
        let (dtype, shape) = match &data {
            Some(data) => (data.dtype().clone(), data.shape().to_vec()),
            None => item.to_write()?,
        };
        let variable = || Error::Variable { path: item.path().into() };
        let size = dtype.size().ok_or_else(variable)?;
        Ok(Whole { dtype, size, shape, data })
    }

    fn keep(&self, item: &Item, piece: Piece) -> Result<()> {
        self.target.check_open()?;
        self.given().items.insert(item.path().to_owned(), piece);
        Ok(())
    }

    /// Adds the params that decide the shape of an item.
    pub(super) fn of_params(&self, error: Error, item: &Item) -> Error {
        error.of_params(|| item.shape_params())
    }
}

/// An array of fixed size.
pub(super) struct Whole {
    pub(super) dtype: Dtype,
    /// Bytes of an element.
    pub(super) size: u64,
    pub(super) shape: Vec<u64>,
    /// Where it is written at once; `None` if it is kept.
    pub(super) data: Option<Data>,
}

impl Whole {
    /// The primitive and its order, if its elements are of type `T`.
    pub(super) fn primitive_of<T: Element>(&self, item: &Item) -> Result<(Primitive, ByteOrder)> {
        let primitive = self.dtype.primitive();
        let (primitive, order) = primitive.ok_or_else(|| Error::NotPrimitive {
            path: item.path().into(),
            found: self.dtype.describe(item.stream().layout(), item.stream().order()).into(),
        })?;
        T::check(primitive).map_err(|error| error.of_given().of_item(item.path()))?;
        Ok((primitive, order))
    }
}

impl Writing {
    pub(super) fn new(
        plan: Stream,
        options: WriteOptions,
        target: Target,
        given: Given,
        places: Places,
    ) -> Writing {
        let shared = Shared { plan, options, target, places, given: Mutex::new(given) };
        Writing { shared: Arc::new(shared) }
    }

    /// Nothing is written, only named.
    pub(super) fn nothing(plan: Stream) -> Writing {
        let (options, given) = (WriteOptions::default(), Given::new(BTreeMap::new()));
        Writing::new(plan, options, Target::nothing(), given, Places::Kept)
    }

    /// A record whose bytes begin at an address of the stream that its item is of.
    pub(super) fn record(
        item: &Item,
        address: u64,
        bytes: Vec<u8>,
        filters: Arc<Registry>,
    ) -> Writing {
        let end = address.saturating_add(bytes.len() as u64);
        let options = WriteOptions { filters, ..WriteOptions::default() };
        let target = Target::memory_at(address, bytes);
        let given = Given::new(BTreeMap::new());
        Writing::new(item.stream().clone(), options, target, given, Places::Until(end))
    }

    /// Whether all of an item is where it belongs.
    pub(super) fn is_written(&self, path: &str) -> bool {
        matches!(self.shared.given().item(path), Some(Supplied::Written))
    }

    /// Says of what is missing which parts are.
    pub(super) fn parts_missing(&self, error: Error) -> Error {
        self.shared.given().parts_missing(error)
    }

    /// The stream as far as it is known before it is written.
    pub(super) fn plan(&self) -> &Stream {
        &self.shared.plan
    }

    /// Completes the stream.
    pub(super) fn finish(&self) -> Result<()> {
        let shared = &*self.shared;
        shared.target.finish(&mut |out| {
            let given = shared.given();
            write(shared.plan.layout(), &shared.options, &*given, out)
                .map_err(|error| given.parts_missing(error))
        })
    }

    /// The bytes of finished memory, once.
    pub(super) fn take_bytes(&self) -> Result<Vec<u8>> {
        self.shared.target.take_bytes()
    }

    pub(super) fn put_param(&self, item: &Item, value: i128) -> Result<()> {
        self.shared.target.check_open()?;
        self.shared.given().params.insert(plain(item.path().to_owned()), value);
        Ok(())
    }

    pub(super) fn put_array<T: Element>(&self, item: &Item, view: ArrayViewD<'_, T>) -> Result<()> {
        let shared = &*self.shared;
        let Some(data) = shared.place(item)? else {
            let owned = Box::new(crate::encode::input::Elements { array: view.to_owned() });
            // What is not known yet is looked at in the end.
            if let Ok((dtype, shape)) = item.to_write() {
                checked(item.path(), &*owned, &dtype, &shape)
                    .map_err(|error| shared.of_params(error, item))?;
            }
            return shared.keep(item, Piece::Typed(owned));
        };
        let Input::Typed(typed) = Input::elements(view) else { return Ok(()) };
        let (primitive, order) = checked(item.path(), &*typed, data.dtype(), data.shape())
            .map_err(|error| shared.of_params(error, item))?;
        let region = data.region()?;
        let mut elements = Scatter::new(&region);
        let encoded =
            typed.encode(primitive, order, &mut |block| elements.push(block, &shared.target));
        let encoded = encoded.and_then(|()| elements.finish());
        encoded.map_err(|error| error.of_item(item.path()))?;
        shared.keep(item, Piece::Written)
    }

    pub(super) fn put_records<R: Record>(
        &self,
        item: &Item,
        first: Option<u64>,
        records: ArrayViewD<'_, R>,
    ) -> Result<()> {
        let (order, constants) = self.encoding_of::<R>(item)?;
        let shape: Vec<u64> = records.shape().iter().map(|dim| *dim as u64).collect();
        if let (None, Ok((_, declared))) = (first, item.to_write()) {
            same_shape(item.path(), &declared, &shape)
                .map_err(|error| self.shared.of_params(error, item))?;
        }
        let placed = self.shared.place(item)?;
        if first.is_none() && placed.is_none() {
            let mut bytes = Vec::new();
            encode(&records, order, &constants, &mut |block| {
                bytes.extend_from_slice(block);
                Ok(())
            })?;
            return self.shared.keep(item, Piece::Encoded { bytes, shape, parts: None });
        }
        let whole = self.shared.whole_at(item, placed)?;
        let mut encode_to =
            |put: &mut dyn FnMut(&[u8]) -> Result<()>| encode(&records, order, &constants, put);
        match &whole.data {
            Some(data) if shape.is_empty() => self.put_whole(item, data, &mut encode_to),
            _ => self.put_part(item, &whole, first.unwrap_or(0), &shape, &mut encode_to),
        }
    }

    /// How records of type `R` are written to an item, if they are of its size.
    pub(super) fn encoding_of<R: Record>(&self, item: &Item) -> Result<(ByteOrder, Constants)> {
        let record = item.record()?;
        if record.size != R::Bytes::LEN as u64 {
            return Err(Error::wrong_length(R::Bytes::LEN as u64, record.size).of_item(item.path()));
        }
        let plan = &self.shared.plan;
        Ok((plan.order(), Constants::of(plan, &record)?))
    }

    fn put_whole(&self, item: &Item, data: &Data, encode: Encode<'_>) -> Result<()> {
        let mut bytes = Vec::new();
        encode(&mut |block| {
            bytes.extend_from_slice(block);
            Ok(())
        })?;
        self.put_bytes(item, data, bytes)
    }

    /// Writes all bytes of an item to its place.
    fn put_bytes(&self, item: &Item, data: &Data, bytes: Vec<u8>) -> Result<()> {
        let shared = &*self.shared;
        if bytes.len() as u64 != data.bytes() {
            return Err(Error::wrong_length(data.bytes(), bytes.len() as u64).of_item(item.path()));
        }
        shared.target.put(data.begin(), &bytes).map_err(|error| error.of_item(item.path()))?;
        shared.keep(item, Piece::Written)
    }

    pub(super) fn put_value(&self, item: &Item, value: Value) -> Result<()> {
        let shared = &*self.shared;
        let Some(data) = shared.place(item)? else {
            return shared.keep(item, Piece::Value(value));
        };
        let encoder = Encoder {
            order: shared.plan.order(),
            filters: &shared.options.filters,
            param: &|_| None,
        };
        let (path, shape) = (item.path(), data.shape());
        let size = data.dtype().size().unwrap_or(0);
        let bytes = shared.plan.with_resolver(|resolver| match data.dtype() {
            Dtype::Variable(id) => {
                let mut bytes = Vec::new();
                encoder.instances(resolver, path, &value, *id, shape, &mut bytes).map(|()| bytes)
            }
            dtype => {
                let rows = encoder.fixed(resolver, path, &value, dtype, shape)?;
                data.presented.stored_of_given(rows, size)
            }
        });
        self.put_bytes(item, &data, bytes.map_err(|error| error.of_item(item.path()))?)
    }
}
