//! Where everything of a layout lies, for one choice of values for the params of both.

use super::declared::Comparison;
use super::subject::{Side, Subject};
use crate::layout::path::split;
use crate::layout::{ArrayId, Element, Layout, ParamId, RecordId, Scope};
use crate::place;
use crate::resolve::{
    Event, Fault, Flow, Found, Given, MemberKind, ParamAt, Placed, ResolveError, Resolver, State,
    Values, WalkOptions,
};
use hashbrown::{HashMap, HashSet};
use std::cell::OnceCell;

/// Where a subject lies.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) subject: Subject,
    /// Of what occurs often: a hash of the numbers in its path.
    pub(super) index: u64,
    /// Bytes from the start of the stream, of members from that of the instance; `None` where it cannot
    /// be placed. Of lists: how many items there are.
    pub(super) at: Option<u64>,
    pub(super) bytes: u64,
    /// Bytes of an element; 0 where they differ.
    pub(super) unit: u64,
    pub(super) shape: Vec<u64>,
}

/// All places.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) rows: Vec<Row>,
    /// Of what lies in lists, by the number of its row: its path.
    pub(super) paths: HashMap<usize, String>,
    /// Of what cannot be placed, by the number of its row: why.
    pub(super) faults: HashMap<usize, ResolveError>,
}

/// All places in both layouts, with some values.
pub(super) struct Both {
    pub(super) old: Places,
    pub(super) new: Places,
    by_subject: OnceCell<[HashMap<(Subject, u64), usize>; 2]>,
}

impl Both {
    pub(super) fn new(old: Places, new: Places) -> Both {
        Both { old, new, by_subject: OnceCell::new() }
    }

    /// How many rows there are.
    pub(super) fn count(&self) -> usize {
        self.old.rows.len() + self.new.rows.len()
    }

    /// The rows of one thing, and its path in the old layout where it lies in a list.
    pub(super) fn find(
        &self,
        subject: Subject,
        index: u64,
    ) -> Option<(&Row, &Row, Option<&String>)> {
        let old = *self.map(Side::Old).get(&(subject, index))?;
        let new = *self.map(Side::New).get(&(subject, index))?;
        Some((self.old.rows.get(old)?, self.new.rows.get(new)?, self.old.paths.get(&old)))
    }

    /// The row of the new layout by what it is of.
    pub(super) fn find_new(&self, subject: Subject, index: u64) -> Option<usize> {
        self.map(Side::New).get(&(subject, index)).copied()
    }

    fn map(&self, side: Side) -> &HashMap<(Subject, u64), usize> {
        let maps = self.by_subject.get_or_init(|| {
            [&self.old, &self.new].map(|places| {
                let mut map = HashMap::with_capacity(places.rows.len());
                for (at, row) in places.rows.iter().enumerate() {
                    map.entry((row.subject, row.index)).or_insert(at);
                }
                map
            })
        });
        &maps[side as usize]
    }
}

/// A choice of values.
pub(super) struct Trial<'t> {
    /// By the class of a param; behind them the length of the stream and the bytes that filtered items store.
    pub(super) values: &'t [i64],
    pub(super) start: u64,
    /// The class of the length of the stream.
    pub(super) stream: usize,
}

/// Items of lists that are looked at; then only the last repetitions are: a list in lists in lists has
/// more than anybody wants.
const MOST_IN_LISTS: u64 = 2_000;

/// Of a list that is longer, three repetitions and the last are looked at.
const LONG_LIST: u64 = 6;

struct Chosen<'g> {
    of: &'g Comparison<'g>,
    side: Side,
    trial: &'g Trial<'g>,
}

impl Chosen<'_> {
    fn value(&self, id: ParamId) -> i64 {
        self.trial.values[self.of.class(self.side as usize, id) as usize]
    }
}

impl Values for Chosen<'_> {
    fn param(&self, at: &ParamAt) -> Result<i128, Fault> {
        Ok(self.value(at.param).into())
    }

    fn stored(&self, _: ArrayId, _: u64) -> Result<u64, Fault> {
        Ok(self.trial.values.last().map_or(0, |bytes| bytes.unsigned_abs()))
    }

    fn is_uniform(&self) -> bool {
        true
    }
}

/// Places all that both layouts have in one of them.
pub(super) fn places(of: &Comparison<'_>, side: Side, trial: &Trial<'_>) -> Places {
    let layout = of.layout(side);
    let values = Chosen { of, side, trial };
    let streamed = layout.params().filter(|(_, param)| {
        (param.is_streamed() || param.to_end.is_some()) && matches!(param.scope, Scope::Dict(_))
    });
    let params = streamed.map(|(id, _)| (id, values.value(id).into())).collect();
    let stream_bytes = trial.values.get(trial.stream).map(|bytes| bytes.unsigned_abs());
    let given = Given { start: trial.start, params, stream_bytes, ..Given::default() };
    let mut state = State::new();
    let mut resolver = Resolver::new(layout, &given, &values, &mut state);
    let mut found = Collector { of, side, layout, places: Places::default(), done: HashSet::new() };
    let mut visit = |resolver: &mut Resolver<'_>, event: Event<'_>| {
        found.event(resolver, &event);
        Flow::Continue
    };
    let options = WalkOptions::elide_above(LONG_LIST);
    resolver.walk_at_most(MOST_IN_LISTS, options, &mut visit);
    found.places
}

struct Collector<'c> {
    of: &'c Comparison<'c>,
    side: Side,
    layout: &'c Layout,
    places: Places,
    /// Pairs of structs that were looked into.
    done: HashSet<usize>,
}

impl Collector<'_> {
    fn event(&mut self, resolver: &mut Resolver<'_>, event: &Event<'_>) {
        let pairs = &self.of.pairs;
        match &event.found {
            Found::Array { array, placed, .. } => {
                self.presented(resolver, *array, placed, event.path);
                let number = match self.side {
                    Side::Old => pairs.array_old[array.index()],
                    Side::New => pairs.array_new[array.index()],
                };
                let Some(number) = number else { return };
                self.fault(placed.as_ref().err());
                let placed = placed.as_ref().ok();
                let address = placed.map(|placed| placed.address);
                let bytes = placed.map_or(0, |placed| placed.bytes);
                self.array(resolver, Subject::Array(number), *array, (address, bytes), event.path);
                if let (Some(record), Some(address)) = (pairs.arrays[number].record, address)
                    && bytes > 0
                {
                    self.members(resolver, record, address);
                }
            }
            Found::Param { param, placed: Some(placed) } => {
                let Some(number) = self.of.param_pair(self.side, *param) else { return };
                self.fault(placed.as_ref().err());
                let at = placed.as_ref().ok();
                let (address, bytes) =
                    (at.map(|at| at.address), at.map_or(0, |placed| placed.bytes));
                self.push(Subject::Param(number), event.path, address, bytes, 0, Vec::new());
            }
            Found::List { list, length } => {
                let Some(number) = self.of.list_pair(self.side, *list) else { return };
                self.fault(length.as_ref().err());
                let length = length.as_ref().ok().copied();
                self.push(Subject::List(number), event.path, length, 0, 0, Vec::new());
            }
            _ => {}
        }
    }

    /// An item that is a member of a record in the other layout, or the members of such a record.
    fn presented(
        &mut self,
        resolver: &mut Resolver<'_>,
        id: ArrayId,
        placed: &Result<Placed, ResolveError>,
        path: &str,
    ) {
        let pairs = &self.of.pairs;
        let Some(numbers) = pairs.presented_by[self.side as usize].get(&id) else { return };
        let mut members = None;
        for &number in numbers {
            let pair = &pairs.presented[number];
            let one = if self.side == Side::Old { pair.old } else { pair.new };
            let mut place = placed.as_ref().ok().map(|placed| (placed.address, placed.bytes));
            if let (Some(member), Some((address, _)), Element::Record(record)) =
                (one.member, place, self.layout[id].element)
            {
                let members = members.get_or_insert_with(|| resolver.members(record, address));
                let member = members.as_ref().ok().and_then(|members| members.get(member));
                place = member.and_then(|it| Some((place::add(address, it.offset)?, it.bytes)));
            }
            self.fault(placed.as_ref().err());
            let path = format!("{}/{}", split(path).0, split(&pair.path).1);
            let (at, bytes) = (place.map(|place| place.0), place.map_or(0, |place| place.1));
            self.array(resolver, Subject::Presented(number), one.array, (at, bytes), &path);
        }
    }

    /// Keeps why what comes next cannot be placed.
    fn fault(&mut self, error: Option<&ResolveError>) {
        if let Some(error) = error {
            self.places.faults.insert(self.places.rows.len(), error.clone());
        }
    }

    fn array(
        &mut self,
        resolver: &mut Resolver<'_>,
        subject: Subject,
        id: ArrayId,
        (at, bytes): (Option<u64>, u64),
        path: &str,
    ) {
        let array = &self.layout[id];
        let shape = resolver.shape(array).unwrap_or_default();
        let unit = match array.element {
            Element::Primitive(primitive, _) => primitive.size(),
            Element::Record(record) if self.layout[record].variable => 0,
            Element::Record(record) => resolver.record_bytes(record).unwrap_or(0),
        };
        // Filtered bytes have no strides.
        let unit = if array.filter.is_some() { 0 } else { unit };
        self.push(subject, path, at, bytes, unit, shape);
    }

    fn push(
        &mut self,
        subject: Subject,
        path: &str,
        at: Option<u64>,
        bytes: u64,
        unit: u64,
        shape: Vec<u64>,
    ) {
        let index = match subject {
            Subject::Member(..) => 0,
            _ => index_of(path),
        };
        if index != 0 {
            self.places.paths.insert(self.places.rows.len(), path.to_owned());
        }
        self.places.rows.push(Row { subject, index, at, bytes, unit, shape });
    }

    /// The members of the first instance of a struct that is found.
    fn members(&mut self, resolver: &mut Resolver<'_>, pair: usize, address: u64) {
        if !self.done.insert(pair) {
            return;
        }
        let pairs = &self.of.pairs.records[pair];
        let record: RecordId = if self.side == Side::Old { pairs.old } else { pairs.new };
        let Ok(members) = resolver.members(record, address) else { return };
        for (number, both) in pairs.members.iter().enumerate() {
            let at = if self.side == Side::Old { both.old } else { both.new };
            let Some(member) = members.get(at) else { continue };
            let subject = Subject::Member(pair, number);
            let place = (Some(member.offset), member.bytes);
            match member.kind {
                MemberKind::Param(id) if !self.layout[id].is_streamed() => {}
                MemberKind::Param(_) => self.push(subject, "", place.0, place.1, 0, Vec::new()),
                MemberKind::Array(id) => self.array(resolver, subject, id, place, ""),
            }
            if let (Some(inner), true) = (both.record, member.bytes > 0) {
                self.members(resolver, inner, address.saturating_add(member.offset));
            }
        }
    }
}

/// A hash of the numbers in a path; 0 where there are none. Names of digits stand in quotes.
fn index_of(path: &str) -> u64 {
    let bytes = path.as_bytes();
    let mut hash = 0_u64;
    let mut quoted = false;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quoted => at += 1,
            b'"' => quoted = !quoted,
            b'/' if !quoted && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
                let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit());
                let number = digits.fold(1_u64, |number, digit| {
                    number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'))
                });
                hash = (hash ^ number).wrapping_mul(0x0100_0000_01b3).max(1);
            }
            _ => {}
        }
        at += 1;
    }
    hash
}
