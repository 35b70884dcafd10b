//! Items written in any order, from many threads, by their paths or through types made from a layout.
//!
//! An item whose place the params decide is written there at once. Others (what is filtered, or strided
//! through records, or lies behind something of variable size) are kept, and written when the writer is
//! finished.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::given::{Given, Piece};
use super::summed::Summed;
use super::target::Target;
use crate::append::Blank;
use crate::elements::scatter::Scatter;
use crate::elements::value::Value;
use crate::encode::input::{Rows, Typed};
use crate::encode::pass::{checked, primitive_of, same_shape};
use crate::encode::values::Encoder;
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::read::constant::{check_fields, fill, has_fields};
use crate::read::data::Data;
use crate::read::dtype::Dtype;
use crate::read::item::Item;
use crate::read::stream::Stream;
use crate::write::{Supplied, Supply, WriteOptions, plain, write};

/// Takes encoded bytes.
pub(crate) type Put<'p> = &'p mut dyn FnMut(&[u8]) -> Result<()>;
/// Puts something in place of a part, by its number, in the bytes of a record.
pub(crate) type PutPart<'p> = &'p mut dyn FnMut(&Blank, usize, &mut [u8]) -> Result<()>;
/// Hands out the bytes of elements, block by block.
pub(crate) type Encode<'e> = &'e mut dyn FnMut(Put<'_>) -> Result<()>;

/// Writing a stream.
#[derive(Clone)]
pub struct Writing(Of);

#[derive(Clone)]
enum Of {
    /// A stream.
    Stream(Arc<Shared>),
    /// A record that is going to be appended to one.
    Record(Arc<dyn RecordParts>),
}

impl fmt::Debug for Writing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writing").field("places", &self.shared().places).finish_non_exhaustive()
    }
}

/// A record that is put together, part by part, before it is appended.
pub trait RecordParts: Send + Sync {
    /// What writes it as a stream.
    fn stream(&self) -> &Shared;

    /// What is found by a name in a dict of the record; the record itself is 0.
    fn child(&self, of: usize, name: &str) -> Option<usize>;

    /// Something in the record, as an item.
    ///
    /// # Errors
    /// [`Error::NoSuchItem`].
    fn item(&self, of: usize) -> Result<Item>;

    /// Puts what is written in place of a part; `false` if it has to go the way of other items, which says what is
    /// wrong, too.
    fn put(&self, of: usize, put: PutPart<'_>) -> bool;
}

/// Which items can be written before the writer is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Places {
    /// All: the params decide where each is.
    Known,
    /// Those that end here at the latest, which the params place. In a list that varies the first
    /// items may have known places too, but lie beyond.
    Until(u64),
    /// None: the target takes bytes in order only.
    Kept,
}

pub struct Shared {
    pub(crate) plan: Stream,
    options: WriteOptions,
    pub(crate) target: Summed,
    places: Places,
    given: Mutex<Given>,
}

impl Shared {
    pub(crate) fn given(&self) -> MutexGuard<'_, Given> {
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
                    // An array in blocks is written as they are, in the end.
                    data => Ok(Some(data?.to_write()).filter(|data| !data.is_decoded())),
                };
            }
            Places::Until(end) => end,
            Places::Kept => return Ok(None),
        };
        // What is not known yet is looked at in the end.
        let Ok(data) = item.data().map(|data| data.to_write()) else { return Ok(None) };
        let end = data.begin().checked_add(data.bytes());
        let placed = end.is_some_and(|end| end <= until || data.bytes() == 0);
        if placed && data.filter().is_none() && !data.is_decoded() && !item.is_spliced() {
            Ok(Some(data))
        } else {
            Ok(None)
        }
    }

    /// An item, of which parts can be written.
    pub(crate) fn whole(&self, item: &Item) -> Result<Whole> {
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

    pub(super) fn keep(&self, item: &Item, piece: Piece) -> Result<()> {
        self.target.check_open()?;
        self.given().items.insert(item.path().to_owned(), piece);
        Ok(())
    }

    /// Adds the params that decide the shape of an item.
    pub(crate) fn of_params(&self, error: Error, item: &Item) -> Error {
        error.of_params(|| item.shape_params())
    }
}

/// An array of fixed size.
pub(crate) struct Whole {
    pub(crate) dtype: Dtype,
    /// Bytes of an element.
    pub(crate) size: u64,
    pub(crate) shape: Vec<u64>,
    /// Where it is written at once; `None` if it is kept.
    pub(crate) data: Option<Data>,
}

impl Writing {
    pub(crate) fn new(
        plan: Stream,
        options: WriteOptions,
        target: Summed,
        given: Given,
        places: Places,
    ) -> Writing {
        let shared = Shared { plan, options, target, places, given: Mutex::new(given) };
        Writing(Of::Stream(Arc::new(shared)))
    }

    /// A record that is put together.
    pub(crate) fn of_record(record: Arc<dyn RecordParts>) -> Writing {
        Writing(Of::Record(record))
    }

    /// What all that is written has in common.
    pub(crate) fn shared(&self) -> &Shared {
        match &self.0 {
            Of::Stream(shared) => shared,
            Of::Record(record) => record.stream(),
        }
    }

    /// The record that is put together, if this is one.
    pub(crate) fn new_record(&self) -> Option<&dyn RecordParts> {
        match &self.0 {
            Of::Stream(_) => None,
            Of::Record(record) => Some(&**record),
        }
    }

    /// Nothing is written, only named.
    pub(crate) fn nothing(plan: Stream) -> Writing {
        let (options, given) = (WriteOptions::default(), Given::new(BTreeMap::new()));
        let target = Summed::new(Target::nothing(), false);
        Writing::new(plan, options, target, given, Places::Kept)
    }

    /// A record whose bytes begin at an address of the stream that its item is of.
    pub(crate) fn record(
        item: &Item,
        address: u64,
        bytes: Vec<u8>,
        filters: Arc<Registry>,
    ) -> Writing {
        let end = address.saturating_add(bytes.len() as u64);
        let options = WriteOptions { filters, ..WriteOptions::default() };
        let target = Summed::new(Target::memory_at(address, bytes), false);
        let given = Given::new(BTreeMap::new());
        Writing::new(item.stream().clone(), options, target, given, Places::Until(end))
    }

    /// Whether all of an item is where it belongs.
    pub(crate) fn is_written(&self, path: &str) -> bool {
        matches!(self.shared().given().item(path), Some(Supplied::Written))
    }

    /// Says of what is missing which parts are.
    pub(crate) fn parts_missing(&self, error: Error) -> Error {
        self.shared().given().parts_missing(error)
    }

    /// The stream as far as it is known before it is written.
    pub(crate) fn plan(&self) -> &Stream {
        &self.shared().plan
    }

    /// Completes the stream.
    pub(crate) fn finish(&self) -> Result<()> {
        let shared = self.shared();
        shared.target.finish(!shared.options.raw, &mut |out| {
            let given = shared.given();
            write(shared.plan.layout(), &shared.options, &*given, out)
                .map_err(|error| given.parts_missing(error))
        })
    }

    /// The bytes of finished memory, once.
    pub(crate) fn take_bytes(&self) -> Result<Vec<u8>> {
        self.shared().target.take_bytes()
    }

    pub(crate) fn put_param(&self, item: &Item, value: i128) -> Result<()> {
        self.shared().target.check_open()?;
        self.shared().given().params.insert(plain(item.path().to_owned()), value);
        Ok(())
    }

    /// Writes all of an item.
    pub(crate) fn put_typed(&self, item: &Item, typed: &dyn Typed) -> Result<()> {
        let shared = self.shared();
        let path = item.path();
        let Some(data) = shared.place(item)? else {
            // What is not known yet is looked at in the end.
            let (primitive, order) = match item.to_write() {
                Ok((dtype, shape)) => checked(path, typed, &dtype, &shape)
                    .map_err(|error| shared.of_params(error, item))?,
                Err(_) => primitive_of(path, typed, &item.element_dtype()?)?,
            };
            let encoded = collect(&mut |put| typed.encode(primitive, order, put));
            let bytes = encoded.map_err(|error| error.of_item(path))?;
            return shared.keep(item, Piece::Encoded { bytes, shape: typed.shape(), parts: None });
        };
        let (primitive, order) = checked(path, typed, data.dtype(), data.shape())
            .map_err(|error| shared.of_params(error, item))?;
        self.put_elements(item, &data, &mut |put| typed.encode(primitive, order, put))
    }

    /// Writes all of an item whose place is known, element by element.
    fn put_elements(&self, item: &Item, data: &Data, encode: Encode<'_>) -> Result<()> {
        let region = data.region()?;
        let mut elements = Scatter::new(&region);
        let encoded = encode(&mut |block| elements.push(block, &self.shared().target));
        let encoded = encoded.and_then(|()| elements.finish());
        encoded.map_err(|error| error.of_item(item.path()))?;
        self.shared().keep(item, Piece::Written)
    }

    /// Writes all records of an item; `shape` is that of the records.
    pub(crate) fn put_encoded(
        &self,
        item: &Item,
        shape: Vec<u64>,
        encode: Encode<'_>,
    ) -> Result<()> {
        if let Ok((_, declared)) = item.to_write() {
            same_shape(item.path(), &declared, &shape)
                .map_err(|error| self.shared().of_params(error, item))?;
        }
        match self.shared().place(item)? {
            Some(data) if data.dtype().size().is_some() => self.put_elements(item, &data, encode),
            Some(data) => self.put_bytes(item, &data, collect(encode)?),
            None => {
                let bytes = collect(encode).map_err(|error| error.of_item(item.path()))?;
                self.shared().keep(item, Piece::Encoded { bytes, shape, parts: None })
            }
        }
    }

    /// Hands out structs as the records of an item. What the layout states of their fields is put in, and must be what
    /// is given.
    pub(crate) fn encode_rows(
        &self,
        item: &Item,
        rows: &dyn Rows,
        dtype: &Dtype,
        put: Put<'_>,
    ) -> Result<()> {
        let (path, layout) = (item.path(), self.plan().layout());
        rows.check(dtype).map_err(|error| error.of_item(path))?;
        let Dtype::Record(record) = dtype else {
            return Err(Error::Variable { path: path.into() });
        };
        let mut template = crate::elements::buffer::zeros(record.size)?;
        fill(layout, path, (None, dtype, &[]), &mut template)?;
        if !has_fields(layout, dtype) {
            return rows.encode(dtype, &template, put);
        }
        let bytes = collect(&mut |put| rows.encode(dtype, &template, put))?;
        check_fields(layout, path, (dtype, &rows.shape()), &bytes)?;
        put(&bytes)
    }

    /// Writes all bytes of an item to its place.
    fn put_bytes(&self, item: &Item, data: &Data, bytes: Vec<u8>) -> Result<()> {
        let shared = self.shared();
        if bytes.len() as u64 != data.bytes() {
            return Err(Error::wrong_length(data.bytes(), bytes.len() as u64).of_item(item.path()));
        }
        shared.target.put(data.begin(), &bytes).map_err(|error| error.of_item(item.path()))?;
        shared.keep(item, Piece::Written)
    }

    pub(crate) fn put_value(&self, item: &Item, value: Value) -> Result<()> {
        let shared = self.shared();
        let Some(data) = shared.place(item)? else {
            return shared.keep(item, Piece::Value(value));
        };
        let encoder = self.encoder();
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

    /// Encodes values as items of the stream.
    pub(super) fn encoder(&self) -> Encoder<'_> {
        Encoder {
            order: self.shared().plan.order(),
            filters: &self.shared().options.filters,
            param: &|_| None,
        }
    }
}

/// All that is handed out.
pub(crate) fn collect(encode: Encode<'_>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    encode(&mut |block| {
        bytes.extend_from_slice(block);
        Ok(())
    })?;
    Ok(bytes)
}
