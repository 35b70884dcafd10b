//! Values of params for which something lies elsewhere, and the simplest of them.
//!
//! Addresses are sums of products of params, rounded up here and there, and 0 and -1 have rules of
//! their own. So both layouts are placed with values that are all different, that are all the same,
//! with each param at 0 and at -1, and then with values mixed at random, always the same ones.

use super::declared::Comparison;
use super::places::{Places, Row, Side, Subject, Trial, places};
use super::{Change, Example, Levels, Quantity};
use crate::layout::{ParamId, ParamValue};
use crate::span::Span;
use hashbrown::{HashMap, HashSet};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// Values that a param is tried with, the simplest first.
const SIMPLE: [i64; 16] = [1, 2, 3, 0, 4, 5, -1, 7, 8, 6, 9, 12, 13, 16, 17, 33];

/// Rows that may be placed in all.
const EFFORT: usize = 300_000;

/// Least and most trials.
const TRIALS: (usize, usize) = (12, 400);

/// Params of an example are named up to so many.
const NAMED: usize = 8;

/// The least number of bytes that filtered items are said to store.
const STORED: u64 = 5;

/// Values by class, and the bytes that filtered items store.
type Choice = (Rc<[i64]>, u64);

/// Something that differs.
#[derive(Clone, Debug)]
struct Differs {
    subject: Subject,
    index: u64,
    path: Option<String>,
    quantity: Quantity,
    old: u64,
    new: Option<u64>,
}

pub(super) fn search(of: &mut Comparison<'_>, start: u64) {
    let mut search = Search::new(of, start);
    search.run();
    let found = std::mem::take(&mut search.found);
    let told = found.into_iter().map(|(group, choice)| {
        let example = search.example(&group[0], &choice);
        (group, example)
    });
    let told: Vec<(Vec<Differs>, Example)> = told.collect();
    let mut causes = Causes::new(of);
    for (group, example) in told {
        causes.report(of, &group, example);
    }
}

struct Search<'s, 'l> {
    of: &'s Comparison<'l>,
    start: u64,
    /// By class: the values it may have. A choice has one of each.
    domains: Vec<Vec<i64>>,
    /// By class: the first param of it, and whose it is.
    params: Vec<Option<(usize, ParamId)>>,
    /// Classes that anything depends on.
    live: Vec<usize>,
    /// Those that are fixed in the old layout, and read by the new one.
    mixed: Vec<usize>,
    random: u64,
    /// What differs, in runs, with the values it was found with.
    found: Vec<(Vec<Differs>, Choice)>,
    /// What was found, and whether for its size.
    known: HashSet<(Subject, bool)>,
    effort: usize,
}

impl<'s, 'l> Search<'s, 'l> {
    fn new(of: &'s Comparison<'l>, start: u64) -> Self {
        let count = of.old.param_count() + of.new.param_count();
        let mut domains = vec![SIMPLE.to_vec(); count];
        let mut params = vec![None; count];
        let mut used = HashSet::new();
        let (mut fixed, mut mixed) = (HashSet::new(), HashSet::new());
        for (side, layout) in [of.old, of.new].into_iter().enumerate() {
            for (id, param) in layout.params() {
                let class = of.class(side, id) as usize;
                params[class].get_or_insert((side, id));
                if param.used {
                    used.insert(class);
                }
                match param.value {
                    // One that the other layout reads has the value that this one states.
                    ParamValue::Fixed(value) if side == 0 => {
                        fixed.insert(class);
                        domains[class] = vec![value];
                    }
                    ParamValue::Fixed(_) => {}
                    ParamValue::Streamed(..) if fixed.contains(&class) => {
                        mixed.insert(class);
                    }
                    ParamValue::Streamed(primitive, _) if is_unsigned(primitive) => {
                        if domains[class].len() > 1 {
                            domains[class].retain(|value| *value >= 0);
                        }
                    }
                    ParamValue::Streamed(..) => {}
                }
            }
        }
        let mut live: Vec<usize> =
            used.into_iter().filter(|&class| domains[class].len() > 1).collect();
        live.sort_unstable();
        let mut mixed: Vec<usize> = mixed.into_iter().collect();
        mixed.sort_unstable();
        Search {
            of,
            start,
            domains,
            params,
            live,
            mixed,
            random: 0x9e37_79b9_7f4a_7c15,
            found: Vec::new(),
            known: HashSet::new(),
            effort: EFFORT,
        }
    }

    /// A number below `limit`; xorshift.
    fn below(&mut self, limit: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 33) as usize % limit.max(1)
    }

    fn base(&self) -> Vec<i64> {
        let first = |domain: &Vec<i64>| domain.first().copied().unwrap_or(1);
        self.domains.iter().map(first).collect()
    }

    fn with(&self, value: impl Fn(usize) -> i64) -> Vec<i64> {
        let mut values = self.base();
        for (number, &class) in self.live.iter().enumerate() {
            let value = value(number);
            if self.domains[class].contains(&value) {
                values[class] = value;
            }
        }
        values
    }

    /// All alike, and then each param at 0 and at -1 with the others as they are.
    fn special<'c>(&'c self, generic: &'c [i64]) -> impl Iterator<Item = Vec<i64>> + 'c {
        let alike = [2, 8, 0, -1].into_iter().map(|value| self.with(|_| value));
        let each = [0, -1].into_iter().flat_map(move |special| {
            let live =
                self.live.iter().filter(move |class| self.domains[**class].contains(&special));
            live.map(move |class| {
                let mut values = generic.to_vec();
                values[*class] = special;
                values
            })
        });
        std::iter::once_with(|| self.base()).chain(alike).chain(each)
    }

    fn run(&mut self) {
        let different = [3, 7, 2, 5, 13, 9, 17, 4, 12, 8];
        let generic: Rc<[i64]> = self.with(|number| different[number % different.len()]).into();
        let rows = self.trial(generic.clone()).max(1);
        if self.live.is_empty() {
            return;
        }
        let most = (EFFORT / rows).clamp(TRIALS.0, TRIALS.1);
        let mut tried: HashSet<Rc<[i64]>> = HashSet::from_iter([generic.clone()]);
        // Each has a value for every param: no more of them are made than are tried.
        let special = self.special(&generic).map(Rc::from);
        let trials = special.filter(|values| tried.insert(Rc::clone(values))).take(most);
        let trials: Vec<Rc<[i64]>> = trials.collect();
        let mixed = most - trials.len();
        for values in trials {
            self.trial(values);
        }
        for _ in 0..mixed {
            let mut values = generic.to_vec();
            for at in 0..self.live.len() {
                let class = self.live[at];
                let pick = self.below(self.domains[class].len());
                values[class] = self.domains[class][pick];
            }
            let values: Rc<[i64]> = values.into();
            if tried.insert(values.clone()) {
                self.trial(values);
            }
        }
    }

    /// Places both layouts, and keeps what differs and was not known to; gives the number of rows.
    fn trial(&mut self, values: Rc<[i64]>) -> usize {
        // What filters store is arbitrary, and another number each time.
        let stored = STORED + self.below(40) as u64;
        let trial = Trial { values: &values, stored, start: self.start };
        let old = places(self.of, Side::Old, &trial, None);
        let new = places(self.of, Side::New, &trial, None);
        let rows = old.rows.len() + new.rows.len();
        let mut moved: Vec<Differs> = Vec::new();
        let mut groups = Vec::new();
        let index = Index::new(&new);
        let mut last = usize::MAX;
        for (number, row) in old.rows.iter().enumerate() {
            let Some(other) = index.find(row) else { continue };
            let path = old.paths.get(&number);
            if let Some(sized) = sized(row, other, path)
                && self.known.insert((row.subject, true))
            {
                groups.push(vec![sized]);
            }
            let Some(place) = placed(row, other, path) else { continue };
            let follows = last.wrapping_add(1) == number;
            last = number;
            // It may have been found already, and goes on from there.
            if !self.known.insert((row.subject, false)) {
                continue;
            }
            let joins = follows
                && moved.last().is_some_and(|last| {
                    last.quantity == Quantity::Address && place.quantity == Quantity::Address
                });
            if !joins && !moved.is_empty() {
                groups.push(std::mem::take(&mut moved));
            }
            moved.push(place);
        }
        groups.push(moved);
        let groups = groups.into_iter().filter(|group| !group.is_empty());
        self.found.extend(groups.map(|group| (group, (values.clone(), stored))));
        rows
    }

    /// What differs at a subject with some values; none when enough was placed.
    fn at(&mut self, wanted: &Differs, values: &[i64], stored: u64) -> Option<Differs> {
        if self.effort == 0 {
            return None;
        }
        let trial = Trial { values, stored, start: self.start };
        let until = Some((wanted.subject, wanted.index));
        let old = places(self.of, Side::Old, &trial, until);
        let new = places(self.of, Side::New, &trial, until);
        self.effort = self.effort.saturating_sub(old.rows.len() + new.rows.len() + 8);
        let find = |row: &&Row| row.subject == wanted.subject && row.index == wanted.index;
        let number = old.rows.iter().position(|row| find(&row))?;
        let (row, path) = (&old.rows[number], old.paths.get(&number));
        let other = new.rows.iter().find(find)?;
        let found = match wanted.quantity {
            Quantity::Bytes | Quantity::Stride => sized(row, other, path)?,
            _ => placed(row, other, path)?,
        };
        (found.quantity == wanted.quantity).then_some(found)
    }

    /// The simplest values for which something differs still, and the params that matter.
    fn example(&mut self, wanted: &Differs, (values, stored): &Choice) -> Example {
        let (mut values, stored) = (values.to_vec(), *stored);
        let mut differs = wanted.clone();
        let live = self.live.clone();
        for &class in &live {
            for at in 0..self.domains[class].len() {
                let simpler = self.domains[class][at];
                if simpler == values[class] || self.effort == 0 {
                    break;
                }
                let kept = std::mem::replace(&mut values[class], simpler);
                match self.at(wanted, &values, stored) {
                    Some(found) => {
                        differs = found;
                        break;
                    }
                    None => values[class] = kept,
                }
            }
        }
        let mut matter = Vec::new();
        for class in live.iter().chain(&self.mixed.clone()).copied() {
            if matter.len() == NAMED {
                break;
            }
            let others = match self.domains[class].len() {
                1 => SIMPLE.to_vec(),
                _ => self.domains[class].clone(),
            };
            let kept = values[class];
            // One that changes nothing does not matter.
            let same = others.iter().filter(|other| **other != kept).take(3).all(|&other| {
                values[class] = other;
                let found = self.at(wanted, &values, stored);
                self.effort > 0
                    && found.is_some_and(|it| (it.old, it.new) == (differs.old, differs.new))
            });
            values[class] = kept;
            if !same {
                matter.push((self.label(class), kept));
            }
        }
        let path = differs.path.clone().unwrap_or_else(|| self.of.path_of(wanted.subject));
        let Differs { quantity, old, new, .. } = differs;
        Example { params: matter, quantity, path, old, new }
    }

    /// The name of a param.
    fn label(&self, class: usize) -> String {
        let param = self.params.get(class).copied().flatten();
        param.map_or_else(String::new, |(side, id)| self.of.labels[side].param(id))
    }
}

/// The rows of the new layout.
struct Index<'p> {
    places: &'p Places,
    /// Behind the row that was found last: mostly the next one is wanted next.
    next: Cell<usize>,
    by_subject: OnceCell<HashMap<(Subject, u64), usize>>,
}

impl<'p> Index<'p> {
    fn new(places: &'p Places) -> Self {
        Index { places, next: Cell::new(0), by_subject: OnceCell::new() }
    }

    /// The row of the same thing. One that is not there was left out of a long list, or the list is
    /// shorter, which its length says.
    fn find(&self, row: &Row) -> Option<&'p Row> {
        let rows = &self.places.rows;
        let same = |at: usize| {
            rows.get(at).is_some_and(|it| it.subject == row.subject && it.index == row.index)
        };
        let at = match self.next.get() {
            next if same(next) => next,
            _ => *self.map().get(&(row.subject, row.index))?,
        };
        self.next.set(at + 1);
        rows.get(at)
    }

    fn map(&self) -> &HashMap<(Subject, u64), usize> {
        self.by_subject.get_or_init(|| {
            let rows = self.places.rows.iter().enumerate();
            rows.map(|(at, row)| ((row.subject, row.index), at)).collect()
        })
    }
}

/// What differs of where something lies, or of how many items a list has.
fn placed(row: &Row, other: &Row, path: Option<&String>) -> Option<Differs> {
    // What cannot be placed in the old layout is in no stream.
    let old = row.at?;
    let quantity = match row.subject {
        Subject::List(_) => Quantity::Length,
        Subject::Member(..) => Quantity::Offset,
        _ => Quantity::Address,
    };
    // What has no bytes is nowhere.
    let nowhere = row.bytes == 0 && other.bytes == 0 && quantity != Quantity::Length;
    let same = other.at.is_some_and(|new| new == old || nowhere);
    let path = path.cloned();
    let (subject, index) = (row.subject, row.index);
    (!same).then_some(Differs { subject, index, path, quantity, old, new: other.at })
}

/// What differs of how much something takes.
fn sized(row: &Row, other: &Row, path: Option<&String>) -> Option<Differs> {
    row.at.and(other.at)?;
    let (subject, index, path) = (row.subject, row.index, path.cloned());
    let differs =
        |quantity, old, new| Some(Differs { subject, index, path, quantity, old, new: Some(new) });
    if row.bytes != other.bytes {
        return differs(Quantity::Bytes, row.bytes, other.bytes);
    }
    let (mine, theirs) = (strides(row), strides(other));
    let unlike = mine.iter().zip(&theirs).find(|(a, b)| a != b && a.is_some() && b.is_some());
    match (mine.len() == theirs.len() && row.bytes > 0, unlike) {
        (true, Some((&Some(a), &Some(b)))) => differs(Quantity::Stride, a, b),
        _ => None,
    }
}

/// Bytes from one element to the next, for each dimension; none where there is one element only.
fn strides(row: &Row) -> Vec<Option<u64>> {
    if row.unit == 0 {
        return Vec::new();
    }
    let strides = crate::place::strides(&row.shape, row.unit);
    row.shape.iter().zip(strides).map(|(dim, stride)| (*dim > 1).then_some(stride)).collect()
}

fn is_unsigned(primitive: crate::layout::dtype::Primitive) -> bool {
    primitive.kind() == crate::layout::dtype::Kind::Unsigned
}

/// What says already why something takes more or fewer bytes: by its place in the old text. A member of a
/// type has one there for all uses of the type.
struct Causes(HashMap<Span, Vec<usize>>);

impl Causes {
    fn new(of: &Comparison<'_>) -> Self {
        const CODES: [&str; 4] = ["change-dtype", "change-rank", "change-shape", "change-length"];
        let changes = of.changes.iter().enumerate();
        let mut causes = Causes(HashMap::new());
        for (at, change) in changes.filter(|(_, change)| CODES.contains(&change.code)) {
            change.old.into_iter().for_each(|old| causes.0.entry(old).or_default().push(at));
        }
        causes
    }

    /// The change that says why a subject has another size; each is asked for once.
    fn take(&mut self, of: &Comparison<'_>, subject: Subject, path: &str) -> Option<usize> {
        let known = self.0.get_mut(&of.spans_of(subject).0?)?;
        let here = known.iter().position(|at| of.changes[*at].path == path);
        // A list has pieces, which have paths of their own.
        let any = !matches!(subject, Subject::Member(..)) && !known.is_empty();
        Some(known.swap_remove(here.or(any.then_some(0))?))
    }

    /// Adds a run of what differs to the changes: to one about the same thing, if there is one.
    fn report(&mut self, of: &mut Comparison<'_>, group: &[Differs], example: Example) {
        let first = &group[0];
        let path = of.path_of(first.subject);
        let (old, new) = of.spans_of(first.subject);
        let size = matches!(first.quantity, Quantity::Bytes | Quantity::Stride | Quantity::Length);
        if let Some(at) = size.then(|| self.take(of, first.subject, &path)).flatten() {
            let change = &mut of.changes[at];
            change.levels = change.levels.and(Levels::LAYOUT);
            change.example = Some(example);
            return;
        }
        let (code, what) = match first.quantity {
            Quantity::Address => ("change-address", "lies elsewhere"),
            Quantity::Offset => ("change-address", "lies elsewhere in its struct"),
            Quantity::Bytes => ("change-size", "takes another number of bytes"),
            Quantity::Stride => ("change-size", "has its elements further apart, or nearer"),
            Quantity::Length => ("change-size", "has another number of items"),
        };
        let message = format!("`{path}` {what}");
        let also = group[1..].iter().map(|differs| of.path_of(differs.subject)).collect();
        let (levels, example) = (Levels::LAYOUT, Some(example));
        of.changes.push(Change { code, path, levels, message, old, new, example, also });
    }
}
