//! One pass over a layout that writes what a supply gives, in the order of the text.
//!
//! The places come from the resolver that readers use. What a reader learns from the stream on its
//! way (params of repeated dicts, counts of stored bytes, sizes of variable structs), a writer
//! learns from what it is about to write: it is asked for each item before that is placed.

mod blocks;
mod copy;
mod parallel;
mod rest;
mod rewrite;
mod rows;
mod runs;
mod spliced;
mod writing;

use std::cell::RefCell;
use std::collections::HashMap;

use dudley_parser::layout::blocks::CHUNKS;
use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use dudley_parser::layout::{ArrayId, Layout, ParamId, RepeatId, Scope};
use dudley_parser::resolve::{
    Fault, Given, ParamAt, ResolveError, Resolver, State, Values, WalkOptions,
};

use crate::bytes::output::Output;
use crate::bytes::signature::LEN;
use crate::elements::number;
use crate::elements::value::Value;
use crate::encode::claims::Claims;
use crate::encode::input::{Rows, Typed};
use crate::encode::supply::{Seen, Supply, WriteOptions};
use crate::error::{Context, Error, Item, Result};
use crate::read::constant;
use crate::read::dtype::Dtype;
use crate::read::stream::parse_layout;
use blocks::Whole;
use rest::Rest;
use runs::Runs;
use writing::Writing;

/// Missing items are collected up to this many.
const MISSING_SHOWN: usize = 1000;

/// A pass: what it writes from, to where, and how far it came.
pub(crate) struct Pass<'p> {
    layout: &'p Layout,
    options: &'p WriteOptions,
    supply: &'p dyn Supply,
    out: &'p mut dyn Output,
    order: ByteOrder,
    known: Known<'p>,
    pending: Option<Payload<'p>>,
    missing: Vec<String>,
    seen: Seen,
    error: Option<Error>,
    end: u64,
    runs: Runs,
    /// Whether the padding of structs is written too.
    padding: bool,
    /// Of an item without its padding: where it begins, and which of its bytes are written.
    claims: Option<(u64, Claims)>,
    rest: Vec<Rest>,
    /// The piece of a list that is one array in blocks, of which items come next.
    piece: Option<RepeatId>,
    /// Arrays in blocks that are given whole, by their paths.
    wholes: HashMap<String, Whole<'p>>,
    /// Items and params that were found, and members of structs.
    steps: u64,
}

/// What a pass has written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    /// Where the data end.
    pub(crate) end: u64,
    /// Whether bytes may have been written twice.
    pub(crate) twice: bool,
}

/// A stream that is there already, to which a pass adds.
#[derive(Clone, Copy)]
pub(crate) struct Base<'p> {
    /// Its params and counts.
    pub(crate) values: &'p dyn Values,
    /// Steps of the root of the layout that are in it.
    pub(crate) steps: usize,
    /// Where its data ends: what lies behind is about to be added.
    pub(crate) end: u64,
}

/// What a writer knows before it is written.
#[derive(Default)]
struct Known<'p> {
    base: Option<Base<'p>>,
    params: RefCell<HashMap<ParamId, i128>>,
    stored: RefCell<HashMap<ArrayId, u64>>,
    extents: RefCell<HashMap<ArrayId, u64>>,
    /// An item of variable size that is about to be written.
    here: RefCell<Option<Here>>,
}

/// Bytes at an address.
struct Here {
    address: u64,
    bytes: Vec<u8>,
    order: ByteOrder,
}

impl Here {
    fn bytes_at(&self, address: u64, size: u64) -> Option<&[u8]> {
        let begin = usize::try_from(address.checked_sub(self.address)?).ok()?;
        self.bytes.get(begin..)?.get(..usize::try_from(size).ok()?)
    }
}

impl Values for Known<'_> {
    fn param(&self, at: &ParamAt) -> std::result::Result<i128, Fault> {
        if let Some(here) = &*self.here.borrow()
            && let Some(bytes) = here.bytes_at(at.address, at.primitive.size())
        {
            return Ok(number::integer(bytes, at.primitive, at.order.unwrap_or(here.order)));
        }
        match (self.params.borrow().get(&at.param), self.base) {
            (Some(value), _) => Ok(*value),
            (None, Some(base)) if at.address < base.end => base.values.param(at),
            (None, _) => Err(Fault::Unknown),
        }
    }

    fn stored(&self, array: ArrayId, address: u64) -> std::result::Result<u64, Fault> {
        if let Some(here) = &*self.here.borrow()
            && let Some(bytes) = here.bytes_at(address, 8)
        {
            return Ok(number::bits(bytes, here.order));
        }
        match (self.stored.borrow().get(&array), self.base) {
            (Some(bytes), _) => Ok(*bytes),
            (None, Some(base)) if address < base.end => base.values.stored(array, address),
            (None, _) => Err(Fault::Unknown),
        }
    }

    fn extent(&self, array: ArrayId) -> Option<u64> {
        self.extents.borrow().get(&array).copied()
    }
}

/// What is written at the next place.
enum Payload<'p> {
    Nothing,
    Bytes(Vec<u8>),
    Encoded(&'p [u8]),
    /// Elements that are encoded while they are written.
    Elements(&'p dyn Typed, Primitive, ByteOrder),
    /// The bytes are there already.
    Written,
    /// Structs, likewise; the bytes are what each begins as.
    Rows(&'p dyn Rows, Dtype, Vec<u8>),
}

impl Payload<'_> {
    /// All of them.
    fn bytes(self) -> Result<Vec<u8>> {
        match self {
            Payload::Nothing | Payload::Written => Ok(Vec::new()),
            Payload::Bytes(bytes) => Ok(bytes),
            Payload::Encoded(bytes) => Ok(bytes.to_vec()),
            Payload::Elements(typed, primitive, order) => collect(typed, primitive, order),
            Payload::Rows(rows, dtype, template) => rows::collect(rows, &dtype, &template),
        }
    }
}

/// A layout in which items that ask for it are arrays in blocks, from the params that are given; `None` if no item asks, or
/// if readers would not have that layout.
///
/// # Errors
/// If an item cannot be stored so.
pub(crate) fn chunked(
    layout: &Layout,
    options: &WriteOptions,
    supply: &dyn Supply,
) -> Result<Option<Layout>> {
    if !options.attach || !layout.has_attribute(CHUNKS) {
        return Ok(None);
    }
    let given = Pass::new(layout, options, supply, &mut Vec::new()).given()?;
    let text = dudley_parser::chunked::chunked(layout, &given).map_err(ResolveError::from)?;
    text.map(|text| parse_layout(text.as_bytes())).transpose()
}

/// Runs a pass, and has nothing missing and nothing left over; gives what was written.
pub(crate) fn complete(pass: Pass<'_>) -> Result<Written> {
    let (layout, options, supply) = pass.parts();
    for filter in layout.filters() {
        options.filters.check(layout.name(filter.name), &filter.args)?;
    }
    let (written, seen) = pass.run();
    let (written, missing) = match written {
        Ok(written) => (written, Vec::new()),
        Err(Error::Missing { paths }) => (Written { end: 0, twice: false }, paths),
        Err(error) => return Err(error),
    };
    let paths = seen.strays(supply, &missing);
    match (paths.is_empty(), missing.is_empty()) {
        (true, true) => Ok(written),
        (true, false) => Err(Error::Missing { paths: missing }),
        (false, _) => Err(Error::Unused { paths, missing }),
    }
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
            seen: Seen::default(),
            error: None,
            end: 0,
            runs: Runs::default(),
            padding: true,
            claims: None,
            rest: Rest::all(layout),
            piece: None,
            wholes: HashMap::new(),
            steps: 0,
        }
    }

    /// What it was made of.
    pub(crate) fn parts(&self) -> (&'p Layout, &'p WriteOptions, &'p dyn Supply) {
        (self.layout, self.options, self.supply)
    }

    /// A pass that writes the padding of structs, or leaves it out.
    pub(crate) fn with_padding(mut self, padding: bool) -> Self {
        self.padding = padding;
        self
    }

    /// A pass that writes only what the layout has behind what is there.
    pub(crate) fn adding(mut self, base: Base<'p>) -> Self {
        self.known.base = Some(base);
        self
    }

    /// Writes all items; gives what is written, and what it found. Once something is missing
    /// nothing more is written, and the rest is looked at as far as it is known, so that all that is
    /// missing is said at once.
    pub(crate) fn run(mut self) -> (Result<Written>, Seen) {
        let given = match self.given() {
            Ok(given) => given,
            Err(error) => return (Err(error), self.seen),
        };
        let known = std::mem::take(&mut self.known);
        let mut state = State::new();
        let mut resolver = Resolver::new(self.layout, &given, &known, &mut state);
        let mut writing = Writing { pass: &mut self, known: &known, given: &given };
        let steps = known.base.map_or(0, |base| base.steps);
        resolver.walk_behind(steps, WalkOptions::default(), &mut writing);
        let written = match (self.error.take(), self.missing.is_empty()) {
            (Some(error), _) => Err(error),
            (None, false) => Err(Error::Missing { paths: std::mem::take(&mut self.missing) }),
            (None, true) => self.written(&given).and_then(|written| {
                self.rest.iter().try_for_each(|rest| rest.check(self.layout, written.end))?;
                self.wholes.iter().try_for_each(|(path, whole)| whole.check().of_item(path))?;
                Ok(written)
            }),
        };
        (written, self.seen)
    }

    /// What was written. A param that is the length of the stream (spec 4.7) must be what readers will find,
    /// so up to there the stream is filled.
    fn written(&self, given: &Given) -> Result<Written> {
        let mut end = self.end.max(if self.options.raw { 0 } else { LEN });
        let lengths = self.layout.params().filter(|(_, param)| param.stream_bytes && param.used);
        for (id, _) in lengths {
            let Some(value) = given.params.get(&id) else { continue };
            end = match u64::try_from(*value) {
                Ok(length) if length >= end => length,
                _ => return Err(self.other_length(id, *value, end)),
            };
        }
        Ok(Written { end, twice: self.runs.have_met() })
    }

    fn other_length(&self, id: ParamId, value: i128, end: u64) -> Error {
        let found = if self.options.raw {
            format!("{end} bytes to write")
        } else {
            format!(
                "{end} bytes to write, with the signature: such a layout does not describe a native stream"
            )
        };
        Error::WrongValue {
            item: Item::new(self.layout.param_path(id)),
            expected: format!("a stream of {value} bytes, whose length this param is").into(),
            found: found.into(),
        }
    }

    /// The params of dicts that occur once: known from the start.
    fn given(&mut self) -> Result<Given> {
        let start = if self.options.raw { 0 } else { LEN };
        let mut given = Given { start, ..Given::default() };
        for (id, param) in self.layout.params() {
            let Scope::Dict(_) = param.scope else { continue };
            let path = self.layout.param_path(id);
            self.supply.check_param(&path, param).of_item(&path)?;
            if let Some(value) = self.value(&path, id)? {
                given.params.insert(id, value);
            } else if let Some(length) = param.to_end.and_then(|taker| self.given_length(taker)) {
                given.params.insert(id, length.into());
            } else if param.is_streamed() || param.stream_bytes {
                self.missing.push(path.clone());
            }
            self.seen.params.insert(path);
        }
        Ok(given)
    }

    /// The value of a param: the one that the layout states, or what is given.
    fn value(&self, path: &str, id: ParamId) -> Result<Option<i128>> {
        let given = self.supply.param(path);
        let stated =
            constant::param(self.layout, id, given.map(Value::Int).as_ref()).of_item(path)?;
        Ok(stated.or(given))
    }
}

fn collect(typed: &dyn Typed, primitive: Primitive, order: ByteOrder) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    typed.encode(primitive, order, &mut |block| {
        bytes.extend_from_slice(block);
        Ok(())
    })?;
    Ok(bytes)
}

/// Checks that typed elements can be those of an item; gives the type and order to encode them in.
pub(crate) fn checked(
    path: &str,
    typed: &dyn Typed,
    dtype: &Dtype,
    shape: &[u64],
) -> Result<(Primitive, ByteOrder)> {
    let found = primitive_of(path, typed, dtype)?;
    same_shape(path, shape, &typed.shape())?;
    Ok(found)
}

/// As [`checked`], of the type alone.
pub(crate) fn primitive_of(
    path: &str,
    typed: &dyn Typed,
    dtype: &Dtype,
) -> Result<(Primitive, ByteOrder)> {
    let Dtype::Primitive(primitive, order) = dtype else {
        return Err(Error::NotPrimitive { path: path.into(), found: "struct".into() });
    };
    typed.check(*primitive).map_err(|error| error.of_given().of_item(path))?;
    Ok((*primitive, *order))
}

pub(crate) fn same_shape(path: &str, shape: &[u64], found: &[u64]) -> Result<()> {
    // Empty ones are not compared: they point nowhere, and some processors are slow to find that nothing is read there.
    if found.len() == shape.len() && (found.is_empty() || found == shape) {
        Ok(())
    } else {
        Err(Error::wrong_shape(path, shape, found))
    }
}

/// An item without any bytes may be left out.
fn needs_nothing(dtype: &Dtype, shape: &[u64]) -> bool {
    shape.contains(&0) || dtype.size() == Some(0)
}
