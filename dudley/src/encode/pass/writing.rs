//! Each step of a pass: request the item, place it, write its bytes.

use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};
use dudley_parser::layout::{ArrayId, DocKey, Element, ParamId, ParamValue, RepeatId, Scope, Step};
use dudley_parser::resolve::{Event, Flow, Found, Given, Placed, Resolver, Visitor, most_items};

use super::{Here, Known, MISSING_SHOWN, Pass, Payload, checked, needs_nothing, same_shape};
use crate::bytes::signature::LEN;
use crate::bytes::work::PART;
use crate::elements::number;
use crate::elements::value::Value;
use crate::encode::claims::Claims;
use crate::encode::input::{Content, Typed};
use crate::encode::supply::{Declared, Supplied};
use crate::encode::values::{Encoder, count_bytes};
use crate::error::{Context, Error, Result};
use crate::read::constant::{Stated, check_fields, has_fields};
use crate::read::dtype::{Dtype, Filtered, describe};
use crate::read::path::sibling;

/// A pass while it walks.
pub(super) struct Writing<'w, 'p> {
    pub(super) pass: &'w mut Pass<'p>,
    pub(super) known: &'w Known<'p>,
    pub(super) given: &'w Given,
}

impl Visitor for Writing<'_, '_> {
    fn before(&mut self, resolver: &mut Resolver<'_>, path: &str, step: Step) -> Flow {
        let prepared = self.go_through(path, step).and_then(|()| match step {
            Step::Param(id) => self.prepare_param(path, id),
            Step::Array(id) => self.prepare_array(resolver, path, id),
            _ => Ok(()),
        });
        self.flow(prepared, path)
    }

    fn repeat(&mut self, piece: RepeatId, cursor: Option<u64>) {
        let layout = self.pass.layout;
        self.pass.piece = layout.is_whole(layout[piece].list).then_some(piece);
        self.pass.rest.iter_mut().for_each(|rest| rest.begin(piece, cursor));
    }

    fn visit(&mut self, resolver: &mut Resolver<'_>, event: Event<'_>) -> Flow {
        self.pass.rest.iter_mut().for_each(|rest| rest.visit(&event));
        let seen = &mut self.pass.seen;
        if let Found::Dict(_) | Found::List { .. } = event.found {
            seen.containers.insert(event.path.to_owned());
        }
        if let Found::List { list, .. } = event.found
            && self.pass.layout.is_whole(list)
        {
            // It may be given whole, and have no blocks.
            self.pass.seen.items.insert(event.path.to_owned());
        }
        let written = match event.found {
            Found::List { length: Err(error), .. } if self.halted() && error.is_unknown() => {
                self.pass.seen.closed.push(event.path.to_owned());
                Ok(())
            }
            Found::List { length: Err(error), .. } => Err(error.into()),
            Found::List { list, length: Ok(0) } => self.without_blocks(event.path, list),
            Found::Param { param, placed: None } => self.fixed_param(event.path, param),
            _ if self.halted() => Ok(()),
            Found::Param { param, placed: Some(placed) } => {
                placed.map_err(Error::from).and_then(|placed| self.write_param(param, placed))
            }
            Found::Array { array, placed, .. } => placed.map_err(Error::from).and_then(|placed| {
                self.claim(resolver, array, placed)?;
                self.write_array(placed)
            }),
            _ => Ok(()),
        };
        self.flow(written, event.path)
    }
}

impl<'p> Writing<'_, 'p> {
    /// Whether something is missing, so that nothing more is written.
    pub(super) fn halted(&self) -> bool {
        !self.pass.missing.is_empty()
    }

    fn flow(&mut self, result: Result<()>, path: &str) -> Flow {
        match result {
            Ok(()) => {}
            Err(Error::Missing { paths }) => self.pass.missing.extend(paths),
            Err(error) => {
                self.pass.error = Some(error.of_item(path));
                return Flow::Stop;
            }
        }
        if self.pass.missing.len() >= MISSING_SHOWN {
            // Enough to say; there may be no end of it. What else there is remains unseen.

            self.pass.seen.closed.push(String::new());
            Flow::Stop
        } else {
            Flow::Continue
        }
    }

    /// Checks that a layout does not say of more items without bytes than anybody could write.
    fn go_through(&mut self, path: &str, step: Step) -> Result<()> {
        let base = self.known.base.map_or(0, |base| base.end);
        let Pass { layout, end, steps, .. } = &mut *self.pass;
        *steps += 1 + layout.unfolded(step);
        let bytes = base.max(*end);
        let most = most_items(bytes.max(layout.text().len() as u64));
        if *steps > most {
            Err(Error::TooManyItems { path: path.into(), most, bytes })
        } else {
            Ok(())
        }
    }

    fn prepare_param(&mut self, path: &str, id: ParamId) -> Result<()> {
        if matches!(self.pass.layout[id].scope, Scope::Dict(_)) {
            // It was looked for at the start.
            return Ok(());
        }
        self.pass.supply.check_param(path, &self.pass.layout[id])?;
        self.pass.seen.params.insert(path.to_owned());
        let value = self.pass.value(path, id)?;
        let mut known = self.known.params.borrow_mut();
        match value {
            Some(value) => {
                known.insert(id, value);
                Ok(())
            }
            None => {
                known.remove(&id);
                Err(Error::Missing { paths: vec![path.to_owned()] })
            }
        }
    }

    /// A param that takes no space; those of dicts that occur once were looked at at the start.
    fn fixed_param(&mut self, path: &str, id: ParamId) -> Result<()> {
        let param = &self.pass.layout[id];
        if !matches!(param.scope, Scope::Dict(_)) {
            self.pass.supply.check_param(path, param)?;
            self.pass.seen.params.insert(path.to_owned());
        }
        Ok(())
    }

    /// Writes a param of which the value is known.
    pub(super) fn write_param(&mut self, id: ParamId, placed: Placed) -> Result<()> {
        let param = &self.pass.layout[id];
        let ParamValue::Streamed(primitive, own) = param.value else { return Ok(()) };
        let known = self.known.params.borrow().get(&id).copied();
        let value = known.or_else(|| self.given.params.get(&id).copied()).unwrap_or_default();
        let (least, greatest) = primitive.range();
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
        self.check_signature(placed.address)?;
        self.pass.runs.add(placed.address, room.len() as u64);
        self.put(placed.address, room)
    }

    /// Checks that nothing is written over the signature.
    pub(super) fn check_signature(&self, address: u64) -> Result<()> {
        if self.pass.options.raw || address >= LEN {
            Ok(())
        } else {
            Err(Error::WrongValue {
                item: Default::default(),
                expected: format!("an address of {LEN} or more, behind the signature").into(),
                found: address.to_string().into(),
            })
        }
    }

    pub(super) fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let length = bytes.len() as u64;
        self.pass.end = self.pass.end.max(address + length);
        let Some((begin, claims)) = self.pass.claims.take() else {
            return self.put_all(address, bytes);
        };
        let from = address - begin;
        let written = claims.parts(from..from + length).try_for_each(|part| {
            let claimed = bytes.get(part.start as usize..part.end as usize).unwrap_or_default();
            self.put_all(address + part.start, claimed)
        });
        self.pass.claims = Some((begin, claims));
        written
    }

    fn put_all(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        let mut at = address;
        // So that who watches hears of it, and may end it.
        for part in bytes.chunks(PART as usize) {
            self.pass.out.put(at, part)?;
            at += part.len() as u64;
            self.pass.options.work.done(part.len() as u64)?;
        }
        Ok(())
    }

    fn prepare_array(
        &mut self,
        resolver: &mut Resolver<'_>,
        path: &str,
        id: ArrayId,
    ) -> Result<()> {
        let array = match describe(resolver, id, self.pass.order, None) {
            Err(Error::Resolve(error)) if self.halted() && error.is_unknown() => {
                self.pass_by(path, id);
                return Ok(());
            }
            described => described?,
        };
        let (dtype, shape) = (&array.dtype, array.given());
        let payload = match (self.block(resolver, path, id, &array)?, dtype) {
            (Some(block), _) => Ok(block),
            (None, Dtype::Record(record)) if self.pass.layout[id].spliced => {
                self.spliced(resolver, path, id, record, shape).map(Payload::Bytes)
            }
            (None, _) => self.plain(resolver, path, id, dtype, shape),
        };
        let payload = payload.map_err(|error| match array.presented.check_whole() {
            // Values that a view shows were given.
            Err(view) if matches!(error, Error::WrongValue { .. } | Error::WrongShape { .. }) => {
                view.of_item(path)
            }
            _ => error,
        })?;
        if self.halted() {
            return Ok(());
        }
        let payload = match payload {
            Payload::Nothing | Payload::Written => payload,
            rows if array.presented.is_other() => {
                let size = dtype.size().unwrap_or(0);
                let stored = array.presented.stored_of_given(rows.bytes()?, size).of_item(path)?;
                Payload::Bytes(stored)
            }
            rows => rows,
        };
        let payload = match &array.filter {
            Some(filter) => Payload::Bytes(self.filtered(id, (filter, dtype), payload)?),
            None => payload,
        };
        if let (Dtype::Variable(_), Payload::Bytes(bytes)) = (dtype, &payload) {
            self.known.extents.borrow_mut().insert(id, bytes.len() as u64);
        }
        self.pass.pending = Some(payload);
        Ok(())
    }

    /// Notes that there is an item of which nothing is known, and the members of a record.
    fn pass_by(&mut self, path: &str, id: ArrayId) {
        let layout = self.pass.layout;
        let array = &layout[id];
        let items = &mut self.pass.seen.items;
        match array.element {
            Element::Record(record) if array.spliced => {
                for &step in layout.run(layout[record].members) {
                    if let Some((member, _)) = layout.presented_member(step) {
                        items.insert(sibling(path, layout.name(member)));
                    }
                }
            }
            _ => drop(items.insert(path.to_owned())),
        }
    }

    fn plain(
        &mut self,
        resolver: &mut Resolver<'_>,
        path: &str,
        id: ArrayId,
        dtype: &Dtype,
        shape: &[u64],
    ) -> Result<Payload<'p>> {
        let layout = self.pass.layout;
        let array = &layout[id];
        let stated = Stated::of_array(layout, array, dtype);
        let payload = self.payload(resolver, path, (DocKey::of(array.span), stated), dtype, shape);
        match payload {
            Err(error @ Error::Missing { .. }) => Err(error),
            payload => {
                payload.map_err(|error| error.of_params(|| resolver.shape_params(&layout[id])))
            }
        }
    }

    /// What is written of an array: what is given, or what the layout states; another value than that would be lost.
    pub(super) fn payload(
        &mut self,
        resolver: &mut Resolver<'_>,
        path: &str,
        (doc, stated): (DocKey, Option<Stated>),
        dtype: &Dtype,
        shape: &[u64],
    ) -> Result<Payload<'p>> {
        self.pass.seen.items.insert(path.to_owned());
        let stated = stated.as_ref();
        let given = self.pass.supply.item(path).filter(|given| match given {
            Supplied::Value(value) => stated.is_none() || **value != Value::Null,
            Supplied::Written => stated.is_none(),
            _ => true,
        });
        let Some(given) = given else {
            return match stated {
                None if needs_nothing(dtype, shape) => Ok(Payload::Nothing),
                _ => self.encode(resolver, path, (stated, None), dtype, shape).map(Payload::Bytes),
            };
        };
        self.check_item(path, doc, dtype, shape)?;
        if self.halted() {
            return Ok(Payload::Nothing);
        }
        let payload = match given {
            Supplied::Typed(typed) => {
                let (primitive, order) = checked(path, typed, dtype, shape)?;
                Payload::Elements(typed, primitive, order)
            }
            Supplied::Rows(rows) => {
                let template = self.template(path, rows, dtype, shape)?;
                let payload = Payload::Rows(rows, dtype.clone(), template);
                if has_fields(self.pass.layout, dtype) {
                    let bytes = payload.bytes()?;
                    check_fields(self.pass.layout, path, (dtype, shape), &bytes)?;
                    return Ok(Payload::Bytes(bytes));
                }
                payload
            }
            Supplied::Encoded { bytes, shape: found } => {
                same_shape(path, shape, found)?;
                Payload::Encoded(bytes)
            }
            Supplied::Written => return Ok(Payload::Written),
            Supplied::Value(value) => {
                let given = (stated, Some(Content::Value(value)));
                return self.encode(resolver, path, given, dtype, shape).map(Payload::Bytes);
            }
            Supplied::Items(items) => {
                let given = (stated, Some(Content::Items(&*items)));
                return self.encode(resolver, path, given, dtype, shape).map(Payload::Bytes);
            }
        };
        let Some(stated) = stated else { return Ok(payload) };
        let bytes = payload.bytes()?;
        stated.check_bytes(&bytes, dtype, shape).of_item(path)?;
        Ok(Payload::Bytes(bytes))
    }

    /// Checks that what the supply knows of an item besides its value is true.
    pub(super) fn check_item(
        &self,
        path: &str,
        doc: DocKey,
        dtype: &Dtype,
        shape: &[u64],
    ) -> Result<()> {
        let (layout, order) = (self.pass.layout, self.pass.order);
        let declared = Declared { layout, order, dtype, doc, shape };
        self.pass.supply.check_item(path, &declared).of_item(path)
    }

    fn encode(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        given: (Option<&Stated>, Option<Content<'_>>),
        dtype: &Dtype,
        shape: &[u64],
    ) -> Result<Vec<u8>> {
        let supply = self.pass.supply;
        let encoder = Encoder {
            order: self.pass.order,
            filters: &self.pass.options.filters,
            param: &|path| supply.param(path),
        };
        encoder.member(resolver, path, given, dtype, shape)
    }

    /// What the filter of an item makes of it, with the count in front if the layout has none.
    fn filtered(
        &mut self,
        id: ArrayId,
        (filter, of): (&Filtered, &Dtype),
        payload: Payload<'_>,
    ) -> Result<Vec<u8>> {
        let raw = payload.bytes()?;
        let layout = self.pass.layout;
        let stored = layout[id].filter.and_then(|filter| layout[filter].stored);
        let is_nothing = stored.is_none_or(|stored| layout.known(stored.count) == Some(0));
        if raw.is_empty() && is_nothing {
            return Ok(raw);
        }
        let encoder = Encoder {
            order: self.pass.order,
            filters: &self.pass.options.filters,
            param: &|_| None,
        };
        let encoded = encoder.encode((&filter.name, &filter.args), &raw, of)?;
        self.known.stored.borrow_mut().insert(id, encoded.len() as u64);
        match filter.skip {
            0 => Ok(encoded),
            _ => {
                let count = count_bytes(encoded.len() as u64, self.pass.order);
                Ok([&count[..], &encoded].concat())
            }
        }
    }

    /// Finds out which bytes of an item are written, where padding is left out.
    fn claim(&mut self, resolver: &mut Resolver<'_>, id: ArrayId, placed: Placed) -> Result<()> {
        if self.pass.padding {
            return Ok(());
        }
        let layout = self.pass.layout;
        let element = layout[id].element;
        if let Some(Payload::Bytes(bytes)) = &self.pass.pending
            && matches!(element, Element::Record(record) if layout[record].variable)
        {
            let (address, bytes, order) = (placed.address, bytes.clone(), self.pass.order);
            *self.known.here.borrow_mut() = Some(Here { address, bytes, order });
        }
        let claims = Claims::of(resolver, id, placed);
        *self.known.here.borrow_mut() = None;
        self.pass.claims = claims?.map(|claims| (placed.address, claims));
        Ok(())
    }

    fn write_array(&mut self, placed: Placed) -> Result<()> {
        let written = self.write_pending(placed);
        self.pass.claims = None;
        written
    }

    fn write_pending(&mut self, placed: Placed) -> Result<()> {
        if placed.bytes > 0 && !matches!(self.pass.pending, None | Some(Payload::Nothing)) {
            self.check_signature(placed.address)?;
            self.pass.runs.add(placed.address, placed.bytes);
        }
        match self.pass.pending.take() {
            None | Some(Payload::Nothing) => Ok(()),
            // What takes no space may have any address.
            Some(Payload::Written) if placed.bytes == 0 => Ok(()),
            Some(Payload::Written) => {
                self.pass.end = self.pass.end.max(placed.address + placed.bytes);
                self.pass.out.there(placed.address, placed.bytes);
                Ok(())
            }
            Some(Payload::Bytes(bytes)) => self.put_whole(placed, &bytes),
            Some(Payload::Encoded(bytes)) => self.put_whole(placed, bytes),
            Some(Payload::Elements(typed, primitive, order)) => {
                self.put_elements(typed, primitive, order, placed)
            }
            Some(Payload::Rows(rows, dtype, template)) => {
                let mut address = placed.address;
                rows.encode(&dtype, &template, &mut |block| {
                    self.put(address, block)?;
                    address += block.len() as u64;
                    Ok(())
                })
            }
        }
    }
}

impl Writing<'_, '_> {
    /// Writes elements while they are encoded, by several threads where there are many.
    pub(super) fn put_elements(
        &mut self,
        typed: &dyn Typed,
        primitive: Primitive,
        order: ByteOrder,
        placed: Placed,
    ) -> Result<()> {
        if self.is_shared(typed, primitive, placed)? {
            return self.put_rows(typed, primitive, order, placed);
        }
        let mut address = placed.address;
        typed.encode(primitive, order, &mut |block| {
            self.put(address, block)?;
            address += block.len() as u64;
            Ok(())
        })
    }

    /// Writes the bytes of an item, which must be as many as it takes.
    pub(super) fn put_whole(&mut self, placed: Placed, bytes: &[u8]) -> Result<()> {
        if bytes.len() as u64 == placed.bytes {
            self.put(placed.address, bytes)
        } else {
            Err(Error::wrong_length(placed.bytes, bytes.len() as u64))
        }
    }
}
