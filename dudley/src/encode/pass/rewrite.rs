//! A pass that writes what another stream of the same layout holds: what becomes of each item.
//!
//! The walk over the stream that is read leads. It finds the same items in the same order as a walk over the
//! one that is written, so a second resolver places each of them there. Nothing is derived from values: params
//! and counts are those that are stored.

use dudley_parser::layout::{ArrayId, Element, ParamId, Scope, Step};
use dudley_parser::resolve::{
    Event, Flow, Found, Given, Placed, Resolver, State, Visitor, WalkOptions,
};

use super::copy::{Copier, Elements};
use super::writing::Writing;
use super::{Known, Pass, Written};
use crate::bytes::signature::LEN;
use crate::bytes::source::check;
use crate::encode::claims::Claims;
use crate::error::{Error, Result};
use crate::read::listing::located;
use crate::read::stream::{Stream, read_bytes};

/// Bytes that are read at once of elements that lie side by side.
const BLOCK: u64 = 1 << 18;

/// What a walk over a stream writes of it to another one.
struct Anew<'w, 'p> {
    writing: Writing<'w, 'p>,
    copier: Copier<'w>,
    from: &'w Stream,
    /// Places items in the stream that is written.
    places: Resolver<'w>,
    /// Where the cursor stands there.
    cursor: u64,
}

impl Pass<'_> {
    /// Writes all that is in a stream of the same layout.
    ///
    /// # Errors
    /// If reading it fails; if something does not fit where it belongs.
    pub(crate) fn anew(mut self, from: &Stream) -> Result<Written> {
        let given = self.given_by(from)?;
        let known = Known::default();
        let mut state = State::new();
        let mut anew = Anew {
            copier: Copier::new(from, self.order, &self.options.filters),
            from,
            places: Resolver::new(self.layout, &given, &known, &mut state),
            cursor: given.start,
            writing: Writing { pass: &mut self, known: &known, given: &given },
        };
        from.with_resolver(|resolver| resolver.walk(WalkOptions::default(), &mut anew));
        match self.error.take() {
            Some(error) => Err(error),
            None => self.written(&given),
        }
    }

    /// The params of dicts that occur once, as they are stored, or as they were given for the stream that is read.
    fn given_by(&self, from: &Stream) -> Result<Given> {
        let start = if self.options.raw { 0 } else { LEN };
        let mut given = Given { start, ..Given::default() };
        for (id, param) in self.layout.params() {
            let Scope::Dict(_) = param.scope else { continue };
            let is_given = from.given().params.contains_key(&id);
            if is_given || param.is_streamed() || param.is_by_length() {
                let (value, _) = from.resolve(|resolver| resolver.raw_value(id))?;
                given.params.insert(id, value);
            }
        }
        Ok(given)
    }
}

impl Visitor for Anew<'_, '_> {
    fn visit(&mut self, resolver: &mut Resolver<'_>, event: Event<'_>) -> Flow {
        let written = match event.found {
            Found::List { length: Err(error), .. } => Err(error.into()),
            Found::Param { param, placed: Some(placed) } => {
                placed.map_err(Error::from).and_then(|placed| self.param(resolver, param, placed))
            }
            Found::Array { array, placed, .. } => placed
                .map_err(Error::from)
                .and_then(|placed| self.array(resolver, event.path, array, placed)),
            _ => Ok(()),
        };
        match written {
            Ok(()) => Flow::Continue,
            Err(error) => {
                self.writing.pass.error = Some(error.of_item(event.path));
                Flow::Stop
            }
        }
    }
}

impl Anew<'_, '_> {
    /// Where the next item lies in the stream that is written.
    fn place(&mut self, step: Step) -> Result<Placed> {
        let (placed, behind) = self.places.place_next(step, self.cursor)?;
        self.cursor = behind;
        Ok(placed)
    }

    fn param(&mut self, resolver: &mut Resolver<'_>, id: ParamId, from: Placed) -> Result<()> {
        let given = self.from.given().params.get(&id).copied();
        let value = given.map_or_else(|| resolver.stored_value(id, from.address), Ok)?;
        // Those of dicts that occur once are given already.
        self.writing.known.params.borrow_mut().insert(id, value);
        let placed = self.place(Step::Param(id))?;
        self.writing.write_param(id, placed)
    }

    fn array(
        &mut self,
        resolver: &mut Resolver<'_>,
        path: &str,
        id: ArrayId,
        from: Placed,
    ) -> Result<()> {
        check(self.from.source().len(), from.address, from.bytes)?;
        let array = &resolver.layout()[id];
        let variable =
            matches!(array.element, Element::Record(record) if self.copier.is_variable(record));
        if array.constant {
            let data = located(self.from, resolver, path, id, Ok(from))?;
            if variable {
                // Those of their members are compared while they are measured.
                data.check_variable(resolver)?
            } else {
                data.check_constants()?
            }
        }
        if array.filter.is_some() {
            let bytes = read_bytes(self.from.source(), from.address, from.bytes)?;
            let copied = self.copier.filtered(resolver, id, &bytes, from.address)?;
            if let Some(stored) = copied.stored {
                self.writing.known.stored.borrow_mut().insert(id, stored);
            }
            return self.put(id, &copied.bytes);
        }
        let written = match array.element {
            _ if variable => self.instances(resolver, id, from),
            Element::Primitive(primitive, _) if from.bytes > BLOCK => {
                let data = located(self.from, resolver, path, id, Ok(from))?.stored()?;
                let elements = Elements { data, unit: self.copier.unit(array.element) };
                let placed = self.begin(id, from.bytes)?;
                let order = self.writing.pass.order;
                self.writing.put_elements(&elements, primitive, order, placed)
            }
            _ => self.elements(resolver, id, from),
        };
        self.writing.pass.claims = None;
        written
    }

    /// Finds out which bytes of an array are written, where padding is left out.
    fn claim(
        &mut self,
        resolver: &mut Resolver<'_>,
        id: ArrayId,
        (from, to): (Placed, Placed),
    ) -> Result<()> {
        if !self.writing.pass.padding {
            let claims = Claims::of(resolver, id, from)?;
            self.writing.pass.claims = claims.map(|claims| (to.address, claims));
        }
        Ok(())
    }

    /// Places an array of this many bytes.
    fn begin(&mut self, id: ArrayId, bytes: u64) -> Result<Placed> {
        let placed = self.place(Step::Array(id))?;
        if placed.bytes != bytes {
            return Err(Error::wrong_length(placed.bytes, bytes));
        }
        if bytes > 0 {
            self.writing.check_signature(placed.address)?;
            self.writing.pass.runs.add(placed.address, placed.bytes);
        }
        Ok(placed)
    }

    fn put(&mut self, id: ArrayId, bytes: &[u8]) -> Result<()> {
        let placed = self.begin(id, bytes.len() as u64)?;
        self.writing.put_whole(placed, bytes)
    }

    /// Numbers and structs of fixed size, some of them at a time.
    fn elements(&mut self, resolver: &mut Resolver<'_>, id: ArrayId, from: Placed) -> Result<()> {
        let placed = self.begin(id, from.bytes)?;
        if from.bytes == 0 {
            return Ok(());
        }
        self.claim(resolver, id, (from, placed))?;
        let element = self.copier.element(resolver, resolver.layout()[id].element)?;
        let size = element.size().max(1);
        let together = (BLOCK / size).max(1).saturating_mul(size);
        let mut done = 0;
        while done < from.bytes {
            let count = together.min(from.bytes - done);
            let bytes = read_bytes(self.from.source(), from.address + done, count)?;
            let copied = self.copier.fixed(&element, &bytes)?;
            self.writing.put(placed.address + done, &copied)?;
            done += count;
        }
        Ok(())
    }

    /// Structs of variable size, one after the other.
    fn instances(&mut self, resolver: &mut Resolver<'_>, id: ArrayId, from: Placed) -> Result<()> {
        let known = self.writing.known;
        if self.copier.is_resized(id) {
            // How long they are is known when all are there.
            let mut bytes = Vec::new();
            self.copier.instances(resolver, id, from.address, &mut |instance| {
                bytes.extend_from_slice(instance);
                Ok(())
            })?;
            known.extents.borrow_mut().insert(id, bytes.len() as u64);
            return self.put(id, &bytes);
        }
        known.extents.borrow_mut().insert(id, from.bytes);
        let placed = self.begin(id, from.bytes)?;
        self.claim(resolver, id, (from, placed))?;
        let end = placed.address + placed.bytes;
        let (mut address, mut room) = (placed.address, Vec::new());
        let (copier, writing) = (&self.copier, &mut self.writing);
        let mut flush = |room: &mut Vec<u8>| {
            if room.len() as u64 > end - address {
                return Err(Error::wrong_length(placed.bytes, room.len() as u64));
            }
            writing.put(address, room)?;
            address += room.len() as u64;
            room.clear();
            Ok(())
        };
        copier.instances(resolver, id, from.address, &mut |instance| {
            room.extend_from_slice(instance);
            if room.len() as u64 >= BLOCK { flush(&mut room) } else { Ok(()) }
        })?;
        flush(&mut room)
    }
}
