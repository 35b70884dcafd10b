//! Constants that guard a stream (spec 7.3a): compared once, before anything behind them is placed or read.
//!
//! Those whose places no streamed param moves are compared when the stream is opened; those in front of a
//! streamed param, before it is read. Of long arrays and lists only the beginning is looked at: any code that reads
//! more of them compares that too, and `verify` compares all.

use std::sync::Arc;

use dudley_parser::layout::path::push_name;
use dudley_parser::layout::{ArrayId, Count, ParamId, ParamValue, Place, RecordId};
use dudley_parser::place;
use dudley_parser::resolve::{
    Event, Flow, Found, MemberKind, Next, NoValues, ParamAt, Piece, Resolver, State, Strided,
    Visitor, WalkOptions,
};

use super::Stream;
use super::decode::compare;
use crate::bytes::source::{Cached, Source};
use crate::elements::value::Value;
use crate::error::{Error, Result};
use crate::read::constant::Stated;
use crate::read::dtype::{Dtype, Record, describe};
use crate::read::path::{join, split};
use crate::read::presented::Presented;

/// Repetitions of a piece of a list that are looked at, from the first.
const REPETITIONS: u64 = 16;

/// Elements of an array of structs that are looked at, from the first.
const INSTANCES: u64 = 64;

/// How far behind the beginning of an array of structs constants are looked at, in bytes; those of its first element
/// always.
const REACH: u64 = 1 << 16;

/// Values that are compared in one step of the root.
const COMPARED: u32 = 1024;

/// Elements of an array that are compared with its value, from the first.
const ELEMENTS: u64 = 1 << 16;

/// What is read at once where a source has no bytes in memory: most constants are at the front.
const BLOCK: u64 = 4096;

/// Compares the constants whose places no streamed param moves; gives how many of [`Layout::guards`], from the
/// first, were all at hand.
///
/// # Errors
/// [`Error::Const`], unless the stream continues in spite of it; if reading fails, except for bytes that are not
/// there.
///
/// [`Layout::guards`]: dudley_parser::Layout::guards
pub(crate) fn fixed(stream: &Stream) -> Result<usize> {
    let layout = stream.layout();
    let ahead = match stream.source().bytes() {
        Some(_) => None,
        None => {
            let cached = Cached::new(stream.inner.source.clone(), BLOCK, 16 * BLOCK);
            Some(cached.one_by_one())
        }
    };
    let source = ahead.as_ref().map_or(stream.source(), |cached| cached as &dyn Source);
    let mut state = State::new();
    let mut resolver = Resolver::new(layout, stream.given(), &NoValues, &mut state);
    let (mut compared, mut all) = (0, true);
    for &at in layout.guards() {
        let placed = step(stream, &mut resolver, source, at)?;
        all &= placed;
        compared += usize::from(all);
    }
    Ok(compared)
}

/// Compares the constants of a step of the root; gives whether it has a place.
///
/// # Errors
/// As [`fixed`].
pub(crate) fn step(
    stream: &Stream,
    resolver: &mut Resolver<'_>,
    source: &dyn Source,
    at: usize,
) -> Result<bool> {
    let mut guard = Guard { stream, source, left: COMPARED, placed: true, result: Ok(()) };
    resolver.walk_step(at, WalkOptions::default(), &mut guard);
    guard.result.map(|()| guard.placed)
}

/// Compares the constants of an array in a list or struct, where the resolver stands.
///
/// # Errors
/// As [`fixed`].
pub(crate) fn within(
    stream: &Stream,
    resolver: &mut Resolver<'_>,
    id: ArrayId,
    address: u64,
) -> Result<()> {
    let layout = stream.layout();
    let source = stream.source();
    let mut guard = Guard { stream, source, left: COMPARED, placed: true, result: Ok(()) };
    let array = &layout[id];
    let path = match array.dict {
        // A member of a struct is known by its name alone.
        None => {
            let mut path = String::new();
            push_name(&mut path, layout.name(array.name));
            path
        }
        Some(dict) if layout.name(array.name).is_empty() => layout.dict_path(dict),
        Some(dict) => join(&layout.dict_path(dict), layout.name(array.name)),
    };
    guard.array(resolver, &path, id, address)
}

/// Visits a step of the root.
struct Guard<'g> {
    stream: &'g Stream,
    source: &'g dyn Source,
    /// This many values are still compared.
    left: u32,
    /// All of it has a place so far.
    placed: bool,
    result: Result<()>,
}

impl Visitor for Guard<'_> {
    fn next(&mut self, _: &str, piece: &Piece, from: u64) -> Option<Next> {
        let enough = from >= REPETITIONS || self.left == 0;
        enough.then_some(Next { at: piece.count, left_out: 0 })
    }

    fn visit(&mut self, resolver: &mut Resolver<'_>, event: Event<'_>) -> Flow {
        let layout = self.stream.layout();
        self.result = match event.found {
            Found::Array { array, cursor, placed } if layout[array].constant => {
                self.placed &= placed.is_ok();
                let address = match placed {
                    Ok(placed) if placed.bytes == 0 => None,
                    Ok(placed) => Some(placed.address),
                    // Its beginning may be known all the same.
                    Err(_) => self.begin(array, cursor),
                };
                address.map_or(Ok(()), |address| self.array(resolver, event.path, array, address))
            }
            Found::Param { param, placed: Some(placed) } => {
                self.placed &= placed.is_ok();
                placed.map_or(Ok(()), |placed| self.param(event.path, param, placed.address))
            }
            Found::List { length, .. } => {
                self.placed &= length.is_ok();
                Ok(())
            }
            _ => Ok(()),
        };
        if self.result.is_ok() { Flow::Continue } else { Flow::Stop }
    }
}

impl Guard<'_> {
    /// Where an array begins that cannot be measured.
    fn begin(&self, id: ArrayId, cursor: Option<u64>) -> Option<u64> {
        let array = &self.stream.layout()[id];
        match array.place {
            Place::Next => place::align_up(cursor?, array.align),
            Place::At(Count::Int(address), _) => u64::try_from(address).ok(),
            Place::At(..) => None,
        }
    }

    fn param(&mut self, path: &str, id: ParamId, address: u64) -> Result<()> {
        let layout = self.stream.layout();
        let param = &layout[id];
        let (ParamValue::Streamed(primitive, order), Some(stated)) =
            (param.value, Stated::of_param(layout, id))
        else {
            return Ok(());
        };
        // One that is given is not read.
        if self.stream.given().params.contains_key(&id) {
            return Ok(());
        }
        let dtype = Dtype::Primitive(primitive, order.unwrap_or(self.stream.order()));
        self.compare(path, &stated, (&dtype, &[], &Presented::default()), address)
    }

    /// An array at an address, where the resolver stands.
    fn array(
        &mut self,
        resolver: &mut Resolver<'_>,
        path: &str,
        id: ArrayId,
        address: u64,
    ) -> Result<()> {
        let layout = self.stream.layout();
        // What is wrong with its shape is said by the code that needs it.
        let Ok(array) = describe(resolver, id, self.stream.order(), Some(address)) else {
            return Ok(());
        };
        // A view may show elements more than once, or not at all.
        let shape = array.given();
        if array.filter.is_some() || shape.contains(&0) {
            return Ok(());
        }
        let dtype = &array.dtype;
        if let Some(stated) = Stated::of_array(layout, &layout[id], dtype)
            && !matches!(dtype, Dtype::Variable(_))
        {
            self.compare(path, &stated, (dtype, &array.shape, &array.presented), address)?;
        }
        // Of a spliced record the members have the path of their dict.
        let path = if layout[id].spliced { split(path).0 } else { path };
        let spliced = layout[id].spliced;
        match dtype {
            Dtype::Primitive(..) => Ok(()),
            Dtype::Record(record) => self.records(&Path { path, spliced }, record, shape, address),
            Dtype::Variable(record) => self.instance(resolver, path, *record, address),
        }
    }

    /// The first elements of an array of structs.
    fn records(
        &mut self,
        path: &Path<'_>,
        record: &Record,
        shape: &[u64],
        address: u64,
    ) -> Result<()> {
        let layout = self.stream.layout();
        let count = shape.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
        let reached = REACH.checked_div(record.size).unwrap_or(0).saturating_add(1);
        for at in 0..count.min(INSTANCES).min(reached) {
            let base = address.saturating_add(at.saturating_mul(record.size));
            for field in record.fields.iter().filter(|field| field.filter.is_none()) {
                let holds = field.array.is_none_or(|array| layout[array].constant);
                if !holds || field.is_fixed(layout) || field.shape.contains(&0) || self.left == 0 {
                    continue;
                }
                let path = path.of_field(&field.name, (!shape.is_empty()).then_some(at));
                let address = base.saturating_add(field.offset);
                if let Some(stated) = Stated::of_field(layout, field, 0) {
                    let of = (&field.dtype, &field.shape[..], &field.presented);
                    self.compare(&path, &stated, of, address)?;
                }
                if let Dtype::Record(inner) = &field.dtype {
                    let path = Path { path: &path, spliced: false };
                    self.records(&path, inner, field.given(), address)?;
                }
            }
        }
        Ok(())
    }

    /// The first instance of a struct of variable size, as far as its members have places.
    fn instance(
        &mut self,
        resolver: &mut Resolver<'_>,
        path: &str,
        record: RecordId,
        address: u64,
    ) -> Result<()> {
        let layout = self.stream.layout();
        for member in resolver.first_members(record, address) {
            let MemberKind::Array(id) = member.kind else { continue };
            if layout[id].constant && member.bytes > 0 && self.left > 0 {
                let path =
                    Path { path, spliced: false }.of_field(layout.name(layout[id].name), None);
                let address = address.saturating_add(member.offset);
                self.array(resolver, &path, id, address)?;
            }
        }
        Ok(())
    }

    /// Compares an array, or the beginning of a long one, with its value.
    fn compare(
        &mut self,
        path: &str,
        stated: &Stated,
        (dtype, shape, presented): (&Dtype, &[u64], &Presented),
        address: u64,
    ) -> Result<()> {
        self.left = self.left.saturating_sub(1);
        let is_text = matches!(dtype, Dtype::Primitive(primitive, _) if primitive.is_text());
        let one = stated.is_one() && !is_text;
        let count = shape.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
        let first = [count.min(ELEMENTS)];
        let size = dtype.size().unwrap_or(0);
        let Strided { shape, strides, first } = match count > ELEMENTS {
            // Each element has the one value.
            true if one => Strided::rows(first.to_vec(), size),
            // So long a value is left to the code that reads it.
            true => return Ok(()),
            false => presented.read(shape, size),
        };
        let place = (address.saturating_add(first), &shape[..], &strides[..]);
        match compare(self.stream, dtype, self.source, place, stated) {
            // What is cut off is said by the code that reads it.
            Err(Error::Truncated { .. }) => Ok(()),
            Err(wrong) => self.stream.inner.constants.wrong(wrong.of_item(path)),
            Ok(()) => Ok(()),
        }
    }
}

/// The path of a struct.
struct Path<'p> {
    path: &'p str,
    /// Its members are items of the dict of that path.
    spliced: bool,
}

impl Path<'_> {
    fn of_field(&self, name: &str, index: Option<u64>) -> String {
        if self.spliced {
            return join(if self.path.is_empty() { "/" } else { self.path }, name);
        }
        let mut path = match index {
            Some(at) => format!("{}[{at}].", self.path),
            None => format!("{}.", self.path),
        };
        push_name(&mut path, name);
        path
    }
}

/// What is done about an item that does not hold its only legal value.
#[derive(Clone, Default)]
pub(crate) enum Constants {
    /// It is an error for a program that opens the stream, or that reads an item behind it.
    #[default]
    Guard,
    /// It is an error for a program that reads the item itself.
    WhenRead,
    /// The caller learns, and the values are given all the same.
    Told(Arc<Tell>),
}

/// Who learns of values that are not legal.
pub(crate) type Tell = dyn Fn(&Error) + Send + Sync;

impl Constants {
    /// An error that says what an item should hold; `None` if that is no reason to end.
    pub(crate) fn wrong(&self, error: Error) -> Result<()> {
        match (self, &error) {
            (Constants::Told(tell), Error::Const { .. }) => {
                tell(&error);
                Ok(())
            }
            _ => Err(error),
        }
    }
}

/// Checks that a param which was read has the value that the layout states of it.
///
/// # Errors
/// [`Error::Const`], unless the stream continues in spite of it.
pub(crate) fn check_param(stream: &Stream, at: &ParamAt, value: i128) -> Result<()> {
    let layout = stream.layout();
    if !layout[at.param].constant {
        return Ok(());
    }
    let (stated, value) = (Stated::of_param(layout, at.param), Value::Int(value));
    match stated.filter(|stated| !stated.is(&value)) {
        Some(stated) => stream.inner.constants.wrong(stated.wrong(at.address, &value)),
        None => Ok(()),
    }
}
