//! Values of params for which something lies elsewhere.
//!
//! Both layouts are placed once with values that are all different; most of what differs does then. What
//! is placed by the same operations in both is the same for all values (`joint`, `alike`). What is left is
//! tried with many values, among them 0 and -1, which have rules of their own: as far as operations tell
//! where it lies nothing else is placed for that, and where they do not, because the size of something is
//! in the stream, the whole layouts are.

mod example;

use super::declared::Comparison;
use super::group::Group;
use super::joint::{Joint, Open};
use super::places::{Both, Row, Trial, places};
use super::subject::{Side, Subject};
use super::values::Domains;
use super::{Change, Example, Levels, Quantity};
use crate::formula::plan::Op;
use crate::layout::Layout;
use crate::span::Span;
use example::Examples;
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// Rows that may be placed in all.
const EFFORT: usize = 300_000;

/// Least and most trials that place all.
const TRIALS: (usize, usize) = (12, 400);

/// Operations that may be carried out for trials, and the least and most of those.
const OPERATIONS: usize = 3_000_000;
const QUICK_TRIALS: (usize, usize) = (80, 4000);

/// Of this many params it is known which values were tried.
const FEW: usize = 4;

/// Values in all trials that are made beforehand: each has one for every param.
const VALUES: usize = 4_000_000;

/// Trials of whole layouts that may show nothing of what operations said before something is given up: least and most.
const IDLE: (usize, usize) = (4, 100);

/// Something that differs.
#[derive(Clone, Debug)]
pub(super) struct Differs {
    pub(super) subject: Subject,
    pub(super) index: u64,
    pub(super) path: Option<String>,
    pub(super) quantity: Quantity,
    pub(super) old: u64,
    pub(super) new: Option<u64>,
}

pub(super) fn search(of: &mut Comparison<'_>, start: u64) {
    let domains = Domains::new(of);
    let joint = Joint::new(of, start, &domains);
    let mut search = Search::new(of, start, domains, joint);
    search.run();
    let mut found = std::mem::take(&mut search.found);
    // What is said of a list as a whole is not said again of what follows it.
    let follows = |it: &Differs| {
        let (place, from) = (of.spans_of(it.subject).0, of.unplaced);
        it.quantity == Quantity::Address
            && place.zip(from).is_some_and(|(place, from)| place.start >= from)
    };
    found.iter_mut().for_each(|(group, _)| group.retain(|it| !follows(it)));
    found.retain(|(group, _)| !group.is_empty());
    let mut examples = Examples::new(&search);
    let told = found.into_iter().map(|(group, values)| {
        let example = examples.example(&group[0], &values);
        (group, example)
    });
    let told: Vec<(Vec<Differs>, Example)> = told.collect();
    let mut causes = Causes::new(of);
    for (group, example) in told {
        causes.report(of, &group, example);
    }
}

pub(super) struct Search<'s, 'l> {
    pub(super) of: &'s Comparison<'l>,
    start: u64,
    pub(super) domains: Domains,
    pub(super) joint: Joint,
    /// What operations came to last.
    results: Vec<Option<i64>>,
    /// What differs, in runs, with the values it was found with.
    found: Vec<(Vec<Differs>, Rc<[i64]>)>,
    /// What was found, and whether for its size.
    known: HashSet<(Subject, bool)>,
}

impl<'s, 'l> Search<'s, 'l> {
    fn new(of: &'s Comparison<'l>, start: u64, domains: Domains, joint: Joint) -> Self {
        Search {
            of,
            start,
            domains,
            joint,
            results: Vec::new(),
            found: Vec::new(),
            known: HashSet::new(),
        }
    }

    fn run(&mut self) {
        let different = [3, 7, 2, 5, 13, 9, 17, 4, 12, 8];
        let generic = self.domains.with(|number| different[number % different.len()]);
        let rows = self.trial(generic.clone()).max(1);
        self.joint.join(&self.known, &mut self.domains);
        let open = self.joint.open(&self.known);
        // What filters store may decide where nothing else does.
        let unsized_filter =
            |layout: &Layout| layout.filters.iter().any(|filter| filter.stored.is_none());
        let varies = !self.domains.live.is_empty()
            || [self.of.old, self.of.new].into_iter().any(unsized_filter);
        if open.is_empty() || !varies {
            return;
        }
        let special = self.special(&generic);
        let (blind, seen): (Vec<Open>, Vec<Open>) = open.into_iter().partition(|it| it.blind);
        self.quick(seen, &special, (EFFORT / rows).clamp(IDLE.0, IDLE.1));
        self.slow(blind, special, (EFFORT / rows).clamp(TRIALS.0, TRIALS.1));
    }

    /// Values that are all the same, and 0 and -1 one by one.
    fn special(&self, generic: &[i64]) -> Vec<Vec<i64>> {
        let alike = [2, 8, 0, -1].into_iter().map(|value| self.domains.with(|_| value));
        // What is taken away from params is mostly small.
        let large = std::iter::once_with(|| self.domains.large());
        let each = [0, -1].into_iter().flat_map(|special| {
            let live = self.domains.live.iter();
            let live = live.filter(move |class| self.domains.of(**class).contains(&special));
            live.map(move |class| {
                let mut values = generic.to_vec();
                values[*class] = special;
                values
            })
        });
        let mut tried: HashSet<Vec<i64>> = HashSet::from_iter([generic.to_vec()]);
        let trials =
            std::iter::once_with(|| self.domains.base()).chain(large).chain(alike).chain(each);
        let most = (VALUES / generic.len().max(1)).clamp(TRIALS.0, QUICK_TRIALS.1);
        trials.filter(|values| tried.insert(values.clone())).take(most).collect()
    }

    /// Tries what operations tell of, and places all where they say that something differs: so often without effect at
    /// most, for what lies in something that the values cannot place.
    fn quick(&mut self, open: Vec<Open>, special: &[Vec<i64>], most_idle: usize) {
        let mut groups = self.joint.groups(open);
        let mut cone = self.joint.cone(&groups);
        let mut wanted = groups.len();
        let repeats = cone.iter().any(|at| matches!(self.joint.ops[*at], Op::Index(_)));
        let trials = OPERATIONS / cone.len().max(groups.len()).max(1);
        let trials = trials.clamp(QUICK_TRIALS.0, QUICK_TRIALS.1);
        let mut idle: HashMap<Subject, usize> = HashMap::new();
        let mut tried: HashSet<(Vec<i64>, Vec<u64>)> = HashSet::new();
        for number in 0..trials {
            if groups.is_empty() {
                return;
            }
            let values = match special.get(number) {
                Some(values) => values.clone(),
                None => self.domains.mix(),
            };
            let repetitions: Vec<u64> = (0..8).map(|_| self.domains.below(3) as u64).collect();
            // Of few params the same values come again soon.
            if self.domains.live.len() <= FEW {
                let values = self.domains.live.iter().map(|class| values[*class]).collect();
                let repetitions = if repeats { repetitions.clone() } else { Vec::new() };
                if !tried.insert((values, repetitions)) {
                    continue;
                }
            }
            self.joint.evaluate(&cone, &values, &repetitions, &mut self.results);
            let differ: Vec<Subject> = groups.iter().flat_map(|group| self.differ(group)).collect();
            if differ.is_empty() {
                continue;
            }
            self.trial(values);
            for subject in differ {
                *idle.entry(subject).or_default() += 1;
            }
            for group in &mut groups {
                group.open.retain_mut(|open| {
                    open.moved &= !self.known.contains(&(open.subject, false));
                    open.sized &= !self.known.contains(&(open.subject, true));
                    let idle = idle.get(&open.subject).is_some_and(|count| *count >= most_idle);
                    (open.moved || open.sized) && !idle
                });
            }
            groups.retain(|group| !group.open.is_empty());
            // What nothing needs any more is left out when that is worth it.
            if groups.len() <= wanted / 2 {
                wanted = groups.len();
                cone = self.joint.cone(&groups);
            }
        }
    }

    /// What differs of things that have the same results.
    fn differ(&self, group: &Group) -> impl Iterator<Item = Subject> {
        // Mostly all numbers are the same, which is found out sooner.
        let one = group.open.first().filter(|_| group.unlike(&self.results)).into_iter();
        let rows = || one.clone().flat_map(|it| self.joint.rows(it.subject, &self.results));
        let moved = rows().any(|(old, new)| placed(&old, &new, None).is_some());
        let sized = rows().any(|(old, new)| sized(&old, &new, None).is_some());
        let looked_at = if moved || sized { &group.open[..] } else { &[] };
        let differs = move |open: &&Open| (open.moved && moved) || (open.sized && sized);
        looked_at.iter().filter(differs).map(|open| open.subject)
    }

    /// Places all with many values, as long as anything is not known to differ.
    fn slow(&mut self, blind: Vec<Open>, special: Vec<Vec<i64>>, trials: usize) {
        let mut tried: HashSet<Vec<i64>> = HashSet::new();
        let mut special = special.into_iter();
        for _ in 0..trials {
            let known = |open: &Open| {
                (!open.moved || self.known.contains(&(open.subject, false)))
                    && (!open.sized || self.known.contains(&(open.subject, true)))
            };
            if blind.iter().all(known) {
                return;
            }
            let values = special.next().unwrap_or_else(|| self.domains.mix());
            if tried.insert(values.clone()) {
                self.trial(values);
            }
        }
    }

    /// Places both layouts.
    pub(super) fn both(&self, values: &[i64]) -> Both {
        let trial = Trial { values, start: self.start, stream: self.domains.stream_class() };
        Both::new(places(self.of, Side::Old, &trial), places(self.of, Side::New, &trial))
    }

    /// Places both layouts, and keeps what differs and was not known to; gives the number of rows.
    fn trial(&mut self, mut values: Vec<i64>) -> usize {
        self.domains.store(&mut values);
        let both = self.both(&values);
        let mut moved: Vec<Differs> = Vec::new();
        let mut groups = Vec::new();
        let mut rows = Rows { both: &both, next: 0 };
        let mut last = usize::MAX;
        for (number, row) in both.old.rows.iter().enumerate() {
            let Some(other) = rows.find(row) else { continue };
            let path = both.old.paths.get(&number);
            if let Some(sized) = sized(row, other, path)
                && self.known.insert((row.subject, true))
            {
                groups.push(vec![sized]);
            }
            let Some(place) = placed(row, other, path) else { continue };
            let follows = last.wrapping_add(1) == number;
            last = number;
            // It may have been found already, and continues from there.
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
        let values: Rc<[i64]> = values.into();
        self.found.extend(groups.map(|group| (group, values.clone())));
        both.count()
    }
}

/// The rows of the new layout; mostly the next one is wanted next.
struct Rows<'b> {
    both: &'b Both,
    next: usize,
}

impl<'b> Rows<'b> {
    /// The row of the same thing. One that is not there was left out of a long list, or the list is
    /// shorter, which its length says.
    fn find(&mut self, row: &Row) -> Option<&'b Row> {
        let rows = &self.both.new.rows;
        let next = rows.get(self.next);
        let same = next.is_some_and(|it| it.subject == row.subject && it.index == row.index);
        let at = if same { self.next } else { self.both.find_new(row.subject, row.index)? };
        self.next = at + 1;
        rows.get(at)
    }
}

/// What differs of where something lies, or of how many items a list has.
pub(super) fn placed(row: &Row, other: &Row, path: Option<&String>) -> Option<Differs> {
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
pub(super) fn sized(row: &Row, other: &Row, path: Option<&String>) -> Option<Differs> {
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

/// Bytes from one element to the next, for each dimension; `None` where there is one element only.
fn strides(row: &Row) -> Vec<Option<u64>> {
    if row.unit == 0 {
        return Vec::new();
    }
    let strides = crate::place::strides(&row.shape, row.unit);
    row.shape.iter().zip(strides).map(|(dim, stride)| (*dim > 1).then_some(stride)).collect()
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

    /// The change that says why a subject has another size; each is requested once.
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
        // A member that is presented as an item is none of a struct to the code that asks for it.
        let (code, what) = match example.quantity {
            Quantity::Address | Quantity::Offset if example.new.is_none() => {
                ("change-address", "cannot be placed with some params")
            }
            Quantity::Address => ("change-address", "lies elsewhere"),
            Quantity::Offset => ("change-address", "lies elsewhere in its struct"),
            Quantity::Bytes => ("change-size", "takes another number of bytes"),
            Quantity::Stride => ("change-size", "has its elements further apart, or nearer"),
            Quantity::Length => ("change-size", "has another number of items"),
        };
        // Of a list it is one of its items, mostly not the first.
        let named = |differs: &Differs| match &differs.path {
            Some(path) => path.clone(),
            None => of.path_of(differs.subject),
        };
        let path = named(first);
        let message = format!("`{path}` {what}");
        let also = group[1..].iter().map(named).collect();
        let (levels, example) = (Levels::LAYOUT, Some(example));
        of.changes.push(Change { code, path, levels, message, old, new, example, also });
    }
}
