//! One pass over a layout that writes what a supply gives, in the order of the text.
//!
//! The places come from the resolver that readers use. What a reader learns from the stream on its
//! way (params of repeated dicts, counts of stored bytes, sizes of variable structs), a writer
//! learns from what it is about to write: it is asked for each item before that is placed.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use dudley_parser::layout::dtype::{ByteOrder, Kind};
use dudley_parser::layout::{ArrayId, DocKey, Layout, ParamId, ParamValue, Scope, Step};
use dudley_parser::resolve::{
    Event, Fault, Flow, Found, Given, ParamAt, Placed, Resolver, State, Values, Visitor,
    WalkOptions,
};

use crate::constant::wanted;
use crate::decode::{describe, strides};
use crate::dtype::{Dtype, Filtered, Record};
use crate::encode::{Encoder, constant, count_bytes, zeros};
use crate::error::{Error, Result};
use crate::gather::scatter;
use crate::input::Input;
use crate::number;
use crate::path::join;
use crate::signature::LEN;
use crate::strided::Region;
use crate::value::Value;
use crate::writer::{Supply, WriteOptions};

/// Where a stream is written to.
pub trait Output {
    /// Writes bytes at an address; what lies between is 0.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::TooLarge`].
    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()>;

    /// Makes the stream at least so long.
    ///
    /// # Errors
    /// As [`Output::put`].
    fn grow(&mut self, length: u64) -> Result<()>;
}

/// Missing items are collected up to so many.
const MISSING_SHOWN: usize = 1000;

/// A pass: what it writes from, to where, and how far it came.
pub(crate) struct Pass<'p> {
    layout: &'p Layout,
    options: &'p WriteOptions,
    supply: &'p dyn Supply,
    out: &'p mut dyn Output,
    order: ByteOrder,
    known: Known,
    pending: Option<Payload<'p>>,
    missing: Vec<String>,
    seen: BTreeSet<String>,
    error: Option<Error>,
    end: u64,
}

/// What a writer knows before it is written.
#[derive(Default)]
struct Known {
    params: RefCell<HashMap<ParamId, i128>>,
    stored: RefCell<HashMap<ArrayId, u64>>,
    extents: RefCell<HashMap<ArrayId, u64>>,
}

impl Values for Known {
    fn param(&self, at: &ParamAt) -> std::result::Result<i128, Fault> {
        self.params.borrow().get(&at.param).copied().ok_or(Fault::Unknown)
    }

    fn stored(&self, array: ArrayId, _: u64) -> std::result::Result<u64, Fault> {
        self.stored.borrow().get(&array).copied().ok_or(Fault::Unknown)
    }

    fn extent(&self, array: ArrayId) -> Option<u64> {
        self.extents.borrow().get(&array).copied()
    }
}

/// What is written at the next place.
enum Payload<'p> {
    Nothing,
    Bytes(Vec<u8>),
    /// Elements that are encoded while they are written.
    Elements(&'p Input<'p>, ByteOrder),
}

impl<'p> Pass<'p> {
    pub(crate) fn new(
        layout: &'p Layout,
        options: &'p WriteOptions,
        supply: &'p dyn Supply,
        out: &'p mut dyn Output,
    ) -> Self {
        Self {
            layout,
            options,
            supply,
            out,
            order: layout.order().unwrap_or(options.order),
            known: Known::default(),
            pending: None,
            missing: Vec::new(),
            seen: BTreeSet::new(),
            error: None,
            end: 0,
        }
    }

    /// Writes all items; gives the end of the data.
    pub(crate) fn run(&mut self) -> Result<u64> {
        let given = self.given();
        let known = std::mem::take(&mut self.known);
        let mut state = State::new();
        let mut resolver = Resolver::new(self.layout, &given, &known, &mut state);
        let mut writing = Writing { pass: self, known: &known, given: &given };
        resolver.walk(WalkOptions::default(), &mut writing);
        match (self.error.take(), self.missing.is_empty()) {
            (_, false) => Err(Error::Missing { paths: std::mem::take(&mut self.missing) }),
            (Some(error), true) => Err(error),
            (None, true) => Ok(self.end.max(if self.options.raw { 0 } else { LEN })),
        }
    }

    /// The items that were written.
    pub(crate) fn seen(self) -> BTreeSet<String> {
        self.seen
    }

    /// The params of dicts that occur once: known from the start.
    fn given(&mut self) -> Given {
        let start = if self.options.raw { 0 } else { LEN };
        let mut given = Given { start, ..Given::default() };
        for (id, param) in self.layout.params() {
            let Scope::Dict(_) = param.scope else { continue };
            let path = self.layout.param_path(id);
            if let Some(value) = self.stated(id).or_else(|| self.supply.param(&path)) {
                given.params.insert(id, value);
            } else if param.is_streamed() || param.stream_bytes {
                self.missing.push(path);
            }
        }
        given
    }

    /// The value that the layout states of a param.
    fn stated(&self, id: ParamId) -> Option<i128> {
        match wanted(self.layout.attribute(DocKey::of(self.layout[id].span), "const")?) {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }
}

/// A pass while it walks.
struct Writing<'w, 'p> {
    pass: &'w mut Pass<'p>,
    known: &'w Known,
    given: &'w Given,
}

impl Visitor for Writing<'_, '_> {
    fn before(&mut self, resolver: &mut Resolver<'_>, path: &str, step: Step) -> Flow {
        let prepared = match step {
            Step::Param(id) => self.prepare_param(path, id),
            Step::Array(id) => self.prepare_array(resolver, path, id),
            _ => Ok(()),
        };
        self.flow(prepared, path)
    }

    fn visit(&mut self, _: &mut Resolver<'_>, event: Event<'_>) -> Flow {
        let written = match event.found {
            Found::Param { param, placed: Some(placed) } => {
                placed.map_err(Error::from).and_then(|placed| self.write_param(param, placed))
            }
            Found::Array { placed, .. } => {
                placed.map_err(Error::from).and_then(|placed| self.write_array(placed))
            }
            Found::List { length: Err(error), .. } => Err(error.into()),
            _ => Ok(()),
        };
        self.flow(written, event.path)
    }
}

impl<'p> Writing<'_, 'p> {
    fn flow(&mut self, result: Result<()>, path: &str) -> Flow {
        match result {
            // Enough to say; there may be no end of it.
            Ok(()) if self.pass.missing.len() >= MISSING_SHOWN => Flow::Stop,
            Ok(()) => Flow::Continue,
            Err(error) => {
                self.pass.error = Some(error.of_item(path));
                Flow::Stop
            }
        }
    }

    fn prepare_param(&mut self, path: &str, id: ParamId) -> Result<()> {
        if matches!(self.pass.layout[id].scope, Scope::Dict(_)) {
            return match self.given.params.contains_key(&id) {
                true => Ok(()),
                // It is among the missing ones already; nothing behind it can be placed for sure.
                false => Err(Error::Missing { paths: vec![path.to_owned()] }),
            };
        }
        let value = self.pass.stated(id).or_else(|| self.pass.supply.param(path));
        let value = value.ok_or_else(|| Error::Missing { paths: vec![path.to_owned()] })?;
        self.known.params.borrow_mut().insert(id, value);
        Ok(())
    }

    fn write_param(&mut self, id: ParamId, placed: Placed) -> Result<()> {
        let param = &self.pass.layout[id];
        let ParamValue::Streamed(primitive, own) = param.value else { return Ok(()) };
        let known = self.known.params.borrow().get(&id).copied();
        let value = known.or_else(|| self.given.params.get(&id).copied()).unwrap_or_default();
        let (least, greatest) = number::range(primitive);
        if value < least || value > greatest || primitive.kind() == Kind::Bool {
            return Err(Error::WrongValue {
                item: Default::default(),
                expected: format!("{least} to {greatest}").into(),
                found: value.to_string().into(),
            });
        }
        let mut room = [0; 8];
        let room = &mut room[..primitive.size() as usize];
        number::put_bits(value as u64, own.unwrap_or(self.pass.order), room);
        self.put(placed.address, room)
    }

    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        if !bytes.is_empty() {
            self.pass.end = self.pass.end.max(address + bytes.len() as u64);
            self.pass.out.put(address, bytes)?;
        }
        Ok(())
    }

    fn prepare_array(
        &mut self,
        resolver: &mut Resolver<'_>,
        path: &str,
        id: ArrayId,
    ) -> Result<()> {
        let (dtype, shape, filter) = describe(resolver, id, self.pass.order)?;
        let payload = match &dtype {
            Dtype::Record(record) if self.pass.layout[id].spliced => {
                Payload::Bytes(self.spliced(resolver, path, record, &shape)?)
            }
            _ => self.plain(resolver, path, id, &dtype, &shape)?,
        };
        let payload = match filter {
            Some(filter) => Payload::Bytes(self.filtered(id, &filter, payload)?),
            None => payload,
        };
        if let (Dtype::Variable(_), Payload::Bytes(bytes)) = (&dtype, &payload) {
            self.known.extents.borrow_mut().insert(id, bytes.len() as u64);
        }
        self.pass.pending = Some(payload);
        Ok(())
    }

    fn plain(
        &mut self,
        resolver: &mut Resolver<'_>,
        path: &str,
        id: ArrayId,
        dtype: &Dtype,
        shape: &[u64],
    ) -> Result<Payload<'p>> {
        let stated = constant(resolver, DocKey::of(self.pass.layout[id].span), shape);
        if let Some(value) = stated {
            self.pass.seen.insert(path.to_owned());
            return self.encode(resolver, path, &value, dtype, shape).map(Payload::Bytes);
        }
        let supply = self.pass.supply;
        let Some(input) = supply.item(path) else {
            if needs_nothing(dtype, shape) {
                return Ok(Payload::Nothing);
            }
            self.pass.missing.push(path.to_owned());
            return match dtype {
                Dtype::Variable(_) => Err(Error::Missing { paths: vec![path.to_owned()] }),
                _ => Ok(Payload::Nothing),
            };
        };
        self.pass.seen.insert(path.to_owned());
        match input {
            Input::Typed(typed) => {
                let order = checked(path, typed.as_ref(), dtype, shape)?;
                Ok(Payload::Elements(input, order))
            }
            Input::Value(value) => {
                self.encode(resolver, path, value, dtype, shape).map(Payload::Bytes)
            }
        }
    }

    fn encode(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        value: &Value,
        dtype: &Dtype,
        shape: &[u64],
    ) -> Result<Vec<u8>> {
        let supply = self.pass.supply;
        let encoder = Encoder {
            order: self.pass.order,
            filters: &self.pass.options.filters,
            param: &|path| supply.param(path),
        };
        match dtype {
            Dtype::Variable(id) => {
                let mut out = Vec::new();
                encoder.instances(resolver, path, value, *id, shape, &mut out)?;
                Ok(out)
            }
            _ => encoder.fixed(resolver, path, value, dtype, shape),
        }
    }

    /// The records of which the members were given one by one.
    fn spliced(
        &mut self,
        resolver: &mut Resolver<'_>,
        path: &str,
        record: &Record,
        shape: &[u64],
    ) -> Result<Vec<u8>> {
        let elements = shape.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim));
        let elements = if shape.contains(&0) { Some(0) } else { elements };
        let bytes = elements.and_then(|count| count.checked_mul(record.size));
        let mut room = zeros(bytes.ok_or_else(|| Error::too_large(u64::MAX))?)?;
        let dict = path.rsplit_once('/').map_or("", |(dict, _)| dict);
        let outer = strides(shape, record.size);
        for field in &record.fields {
            if field.is_fixed(self.pass.layout) {
                continue;
            }
            let path = join(if dict.is_empty() { "/" } else { dict }, &field.name);
            let whole: Vec<u64> = shape.iter().chain(&field.shape).copied().collect();
            let size = field.dtype.size().unwrap_or(0);
            let steps: Vec<i64> =
                outer.iter().copied().chain(strides(&field.shape, size)).collect();
            let packed = self.member(resolver, &path, field, &whole)?;
            if packed.is_empty() {
                continue;
            }
            let region = Region::new(field.offset, &whole, &steps, size)?;
            scatter(&packed, &region, &mut room).map_err(|error| error.of_item(&path))?;
        }
        Ok(room)
    }

    /// All elements of a member, side by side.
    fn member(
        &mut self,
        resolver: &mut Resolver<'_>,
        path: &str,
        field: &crate::dtype::Field,
        shape: &[u64],
    ) -> Result<Vec<u8>> {
        let supply = self.pass.supply;
        let stated = constant(resolver, field.doc, shape);
        if let Some(value) = &stated {
            return self.encode(resolver, path, value, &field.dtype, shape);
        }
        self.pass.seen.insert(path.to_owned());
        match supply.item(path) {
            None if needs_nothing(&field.dtype, shape) => Ok(Vec::new()),
            None => {
                self.pass.missing.push(path.to_owned());
                Ok(Vec::new())
            }
            Some(Input::Value(value)) => self
                .encode(resolver, path, value, &field.dtype, shape)
                .map_err(|error| error.of_item(path)),
            Some(Input::Typed(typed)) => {
                let order = checked(path, typed.as_ref(), &field.dtype, shape)?;
                let mut bytes = Vec::new();
                typed.encode(order, &mut |block| {
                    bytes.extend_from_slice(block);
                    Ok(())
                })?;
                Ok(bytes)
            }
        }
    }

    /// What the filter of an item makes of it, with the count in front if the layout has none.
    fn filtered(
        &mut self,
        id: ArrayId,
        filter: &Filtered,
        payload: Payload<'_>,
    ) -> Result<Vec<u8>> {
        let raw = match payload {
            Payload::Nothing => Vec::new(),
            Payload::Bytes(bytes) => bytes,
            Payload::Elements(input, order) => collect(input, order)?,
        };
        if raw.is_empty() && filter.skip > 0 {
            return Ok(raw);
        }
        let encoder = Encoder {
            order: self.pass.order,
            filters: &self.pass.options.filters,
            param: &|_| None,
        };
        let encoded = encoder.encode(&filter.name, &filter.args, &raw)?;
        self.known.stored.borrow_mut().insert(id, encoded.len() as u64);
        match filter.skip {
            0 => Ok(encoded),
            _ => {
                let count = count_bytes(encoded.len() as u64, self.pass.order);
                Ok([&count[..], &encoded].concat())
            }
        }
    }

    fn write_array(&mut self, placed: Placed) -> Result<()> {
        match self.pass.pending.take() {
            None | Some(Payload::Nothing) => Ok(()),
            Some(Payload::Bytes(bytes)) => {
                if bytes.len() as u64 != placed.bytes {
                    return Err(Error::wrong_length(placed.bytes, bytes.len() as u64));
                }
                self.put(placed.address, &bytes)
            }
            Some(Payload::Elements(Input::Typed(typed), order)) => {
                let mut address = placed.address;
                typed.encode(order, &mut |block| {
                    self.put(address, block)?;
                    address += block.len() as u64;
                    Ok(())
                })
            }
            Some(Payload::Elements(Input::Value(_), _)) => Ok(()),
        }
    }
}

fn collect(input: &Input<'_>, order: ByteOrder) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Input::Typed(typed) = input {
        typed.encode(order, &mut |block| {
            bytes.extend_from_slice(block);
            Ok(())
        })?;
    }
    Ok(bytes)
}

/// That typed elements are those of an item; gives the order to encode them in.
fn checked(
    path: &str,
    typed: &dyn crate::input::Typed,
    dtype: &Dtype,
    shape: &[u64],
) -> Result<ByteOrder> {
    let Dtype::Primitive(primitive, order) = dtype else {
        return Err(Error::NotPrimitive { path: path.into(), found: "struct".into() });
    };
    typed.check(*primitive).map_err(|error| error.of_item(path))?;
    let found = typed.shape();
    match found == shape {
        true => Ok(*order),
        false => Err(Error::wrong_shape(path, shape, &found)),
    }
}

/// An item without any bytes may be left out.
fn needs_nothing(dtype: &Dtype, shape: &[u64]) -> bool {
    shape.contains(&0) || dtype.size() == Some(0)
}
