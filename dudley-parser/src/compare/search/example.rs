//! The simplest values of params for which something differs, and which of them matter.

use super::{Differs, Search, placed, sized};
use super::{Example, Quantity};
use crate::compare::cache::{Kept, Table};
use crate::compare::joint::Lens;
use crate::compare::needs::Needs;
use crate::compare::param_names::Named;
use crate::compare::places::{Both, Row};
use crate::compare::record_items;
use crate::compare::subject::Subject;
use crate::compare::values::SIMPLE;
use crate::layout::{Layout, ParamId};
use crate::resolve::ErrorKind;
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// Params of an example are named up to this many; of those that nobody looked at, this many.
const NAMED: usize = 256;
const UNSEEN: usize = 16;

/// What may be done for all examples: rows placed.
const EFFORT: usize = 300_000;

/// This many operations are as much work as a row that is placed, and this many values that are compared.
const OPERATIONS: usize = 8;
const VALUES: usize = 64;

/// Results that are kept, and rows; and of each at least and at most for this many choices of values.
const KEPT: usize = 1_000_000;
const CHOICES: (usize, usize) = (2, 64);

/// Other values that a param is weighed with: simple ones, and if those show nothing, ones far from them. What
/// is aligned does not move with each value.
const NEAR: usize = 3;
const FAR: usize = 6;

/// What a param is to an example.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    None,
    /// The numbers are others with other values of it.
    Matters,
    /// Nothing differs with some.
    Decides,
}

/// Makes examples.
pub(crate) struct Examples<'s, 'l> {
    search: &'s Search<'s, 'l>,
    needs: Needs,
    tables: Kept<Table>,
    placings: Kept<Both>,
    /// The first param of each class.
    params: Vec<Option<(usize, ParamId)>>,
    named: Named,
    /// The records that are presented as items, by their pairs: what they are the elements of.
    listed: HashMap<usize, usize>,
    live: HashSet<u32>,
    mixed: HashSet<u32>,
    /// What may be done still.
    effort: usize,
}

/// What an example is of.
struct Wanted<'w> {
    differs: &'w Differs,
    /// Sees it alone.
    lens: Option<Lens>,
    /// It is about what something takes, not about where that lies.
    size: bool,
}

impl<'s, 'l> Examples<'s, 'l> {
    pub(crate) fn new(search: &'s Search<'s, 'l>) -> Self {
        let (of, domains) = (search.of, &search.domains);
        let mut params = vec![None; domains.stored_class() + 1];
        for (side, layout) in [of.old, of.new].into_iter().enumerate() {
            for (id, param) in layout.params() {
                let class = if param.stream_bytes {
                    domains.stream_class()
                } else {
                    of.class(side, id) as usize
                };
                params[class].get_or_insert((side, id));
            }
        }
        let set = |classes: &[usize]| classes.iter().map(|class| *class as u32).collect();
        let rows = of.old.arrays.len() + of.new.arrays.len();
        let kept = |count: usize| (KEPT / count.max(1)).clamp(CHOICES.0, CHOICES.1);
        Examples {
            search,
            needs: search.joint.needs(),
            tables: Kept::new(kept(search.joint.ops.len())),
            placings: Kept::new(kept(8 * rows)),
            params,
            named: Named::default(),
            listed: record_items::listed(of),
            live: set(&domains.live),
            mixed: set(&domains.mixed),
            effort: EFFORT,
        }
    }

    /// The simplest values for which something differs still, and the params that matter.
    pub(crate) fn example(&mut self, differs: &Differs, values: &[i64]) -> Example {
        let search = self.search;
        let lens = search.joint.lens(differs.subject);
        let size = matches!(differs.quantity, Quantity::Bytes | Quantity::Stride);
        let wanted = Wanted { differs, lens, size };
        let [live, mixed] = self.classes(&wanted);
        let mut found = differs.clone();
        let mut values = self.simplest(&wanted, &live, values, &mut found);
        // What could not be made simple is looked at before there is no effort left.
        let is_simplest =
            |class: &usize| search.domains.of(*class).first() == Some(&values[*class]);
        let all = || live.iter().chain(&*mixed).copied();
        let order = all().filter(|class| !is_simplest(class)).map(|class| (class, false));
        let order = order.chain(all().filter(is_simplest).map(|class| (class, true)));
        // There are thousands of examples with thousands of params.
        let classes: Vec<(usize, bool)> = match self.effort {
            0 => order.take(UNSEEN).collect(),
            _ => order.collect(),
        };
        // Those that decide whether it differs come first.
        let (mut decide, mut matter) = (Vec::new(), Vec::new());
        for (class, simplest) in classes {
            let most = if self.effort == 0 { UNSEEN } else { NAMED };
            if decide.len() + matter.len() >= most {
                break;
            }
            let named = (class, values[class]);
            match self.weight(&wanted, class, &mut values, &found) {
                Weight::Decides => decide.push(named),
                Weight::Matters if !simplest => decide.push(named),
                Weight::Matters => matter.push(named),
                Weight::None => {}
            }
        }
        decide.append(&mut matter);
        let stored = self.stored(&wanted, &mut values, &mut found);
        let path = found.path.clone().or_else(|| differs.path.clone());
        let path = path.unwrap_or_else(|| search.of.path_of(differs.subject));
        let Differs { quantity, old, new, .. } = found;
        let why = if new.is_none() { self.why(differs, &values) } else { None };
        let example = Example { params: Vec::new(), stored, quantity, path, old, new, why };
        let item = self.as_item(differs, &mut values, &example, &mut decide);
        let params = decide.into_iter().map(|(class, value)| (self.params[class], value)).collect();
        let params = self.named.names(search.of, params);
        Example { params, ..item.unwrap_or(example) }
    }

    /// Of a member that is presented as an item, what differs of that: its numbers depend on more params.
    fn as_item(
        &mut self,
        differs: &Differs,
        values: &mut Cow<'_, [i64]>,
        example: &Example,
        params: &mut Vec<(usize, i64)>,
    ) -> Option<Example> {
        let Subject::Member(record, _) = differs.subject else { return None };
        let array = *self.listed.get(&record)?;
        let item = self.item(array, values, example)?;
        let subject = Subject::Array(array);
        let records = Differs { subject, ..differs.clone() };
        let lens = self.search.joint.lens(subject);
        let [live, mixed] = self.classes(&Wanted { differs: &records, lens, size: false });
        for &class in live.iter().chain(&*mixed) {
            if params.len() >= UNSEEN {
                break;
            }
            if params.iter().any(|(named, _)| *named == class) {
                continue;
            }
            let values = values.to_mut();
            let kept = values[class];
            let others = SIMPLE.iter().filter(|other| **other != kept).take(NEAR);
            let matters = others.copied().any(|other| {
                values[class] = other;
                let found = self.item(array, values, example);
                // Without items nothing differs, and what is not looked at may matter.
                self.effort == 0 || found.is_some_and(|it| (it.old, it.new) != (item.old, item.new))
            });
            values[class] = kept;
            if matters {
                params.push((class, kept));
            }
        }
        Some(item)
    }

    fn item(&mut self, array: usize, values: &[i64], example: &Example) -> Option<Example> {
        record_items::as_item(example, array, self.placing(values))
    }

    /// All rows of both layouts with some values.
    fn placing(&mut self, values: &[i64]) -> &Both {
        let (search, mut rows) = (self.search, 0);
        let both = self.placings.get(values, |_| {
            let both = search.both(values);
            rows = both.count();
            both
        });
        self.effort = self.effort.saturating_sub(rows);
        both
    }

    /// Why the new layout cannot place something.
    fn why(&mut self, differs: &Differs, values: &[i64]) -> Option<String> {
        let search = self.search;
        let both = self.placing(values);
        let row = both.find_new(differs.subject, differs.index)?;
        let error = both.new.faults.get(&row)?;
        let (layout, labels) = (search.of.new, &search.of.labels[1]);
        let number = match error.kind() {
            ErrorKind::Dimension { value, .. } => {
                let arrays = layout.arrays().flat_map(|(_, array)| layout.dims(array));
                arrays.copied().find(|dim| dim.span == error.span()).zip(*value)
            }
            _ => None,
        };
        Some(match number {
            Some((dim, value)) => {
                format!("the dimension `{}` comes to {value}", labels.count(dim.count))
            }
            None => error.to_string(),
        })
    }

    /// Classes that it may depend on: of what is read, and of what is fixed in one of the layouts.
    fn classes(&mut self, wanted: &Wanted<'_>) -> [Cow<'s, [usize]>; 2] {
        let Search { joint, domains, .. } = self.search;
        let lens = wanted.lens.as_ref();
        match lens.and_then(|lens| joint.classes(lens, !wanted.size, &mut self.needs)) {
            None => [Cow::Borrowed(&*domains.live), Cow::Borrowed(&*domains.mixed)],
            Some(needed) => [&self.live, &self.mixed].map(|known| {
                let both = needed.iter().filter(|class| known.contains(*class));
                both.map(|class| *class as usize).collect()
            }),
        }
    }

    /// What differs with some values. What takes another number of bytes does so wherever it lies, but only
    /// what is `placed` is in a stream.
    fn at(&mut self, wanted: &Wanted<'_>, values: &[i64], placing: bool) -> Option<Differs> {
        let search = self.search;
        let same = |row: &Row, other: &Row, path: Option<&String>| {
            if wanted.size { sized(row, other, path) } else { placed(row, other, path) }
        };
        self.effort = self.effort.saturating_sub(1 + values.len() / VALUES);
        let found = match &wanted.lens {
            Some(lens) => {
                let placing = placing || !wanted.size;
                let (rows, work) = search.joint.look(lens, placing, values, &mut self.tables);
                self.effort = self.effort.saturating_sub(work / OPERATIONS);
                same(&rows.0, &rows.1, None)?
            }
            None => {
                let both = self.placing(values);
                let (row, other, path) = both.find(wanted.differs.subject, wanted.differs.index)?;
                same(row, other, path)?
            }
        };
        // Of what can be placed somewhere else that is said.
        let unplaced = found.new.is_none() && wanted.differs.new.is_some();
        (found.quantity == wanted.differs.quantity && !unplaced).then_some(found)
    }

    /// What filters store, if anything depends on it: made as simple as it gets.
    fn stored(
        &mut self,
        wanted: &Wanted<'_>,
        values: &mut Cow<'_, [i64]>,
        differs: &mut Differs,
    ) -> Option<u64> {
        let unsized_filter =
            |layout: &Layout| layout.filters.iter().any(|filter| filter.stored.is_none());
        let of = self.search.of;
        // Operations do not know it.
        if wanted.lens.is_some() || ![of.old, of.new].into_iter().any(unsized_filter) {
            return None;
        }
        let class = self.search.domains.stored_class();
        self.simplify(wanted, &[class], values.to_mut(), differs);
        let weight = self.weight(wanted, class, values, differs);
        (weight != Weight::None).then_some(values[class].unsigned_abs())
    }

    /// Values as simple as they get: those that most examples have, if it differs with them, too.
    fn simplest<'v>(
        &mut self,
        wanted: &Wanted<'_>,
        classes: &[usize],
        values: &'v [i64],
        differs: &mut Differs,
    ) -> Cow<'v, [i64]> {
        if self.effort == 0 {
            return Cow::Borrowed(values);
        }
        let mut values = values.to_vec();
        let mut base = self.search.domains.base();
        // Operations know nothing of what filters store.
        let stored = self.search.domains.stored_class();
        match &wanted.lens {
            Some(_) => values[stored] = base[stored],
            None => base[stored] = values[stored],
        }
        match self.at(wanted, &base, true) {
            Some(found) => {
                *differs = found;
                Cow::Owned(base)
            }
            None => {
                self.simplify(wanted, classes, &mut values, differs);
                Cow::Owned(values)
            }
        }
    }

    /// Makes values of some params as simple as they get: of many at once, then of fewer.
    fn simplify(
        &mut self,
        wanted: &Wanted<'_>,
        classes: &[usize],
        values: &mut Vec<i64>,
        differs: &mut Differs,
    ) {
        let domains = &self.search.domains;
        if let &[class] = classes {
            for &simpler in domains.of(class) {
                if simpler == values[class] || self.effort == 0 {
                    return;
                }
                let kept = std::mem::replace(&mut values[class], simpler);
                match self.at(wanted, values, true) {
                    Some(found) => {
                        *differs = found;
                        return;
                    }
                    None => values[class] = kept,
                }
            }
            return;
        }
        let mut simple = values.clone();
        for &class in classes {
            simple[class] = domains.of(class).first().copied().unwrap_or(1);
        }
        if simple == *values || self.effort == 0 {
            return;
        }
        if let Some(found) = self.at(wanted, &simple, true) {
            (*differs, *values) = (found, simple);
            return;
        }
        let (first, second) = classes.split_at(classes.len() / 2);
        self.simplify(wanted, first, values, differs);
        self.simplify(wanted, second, values, differs);
    }

    /// What becomes of a difference with other values of a param.
    fn weight(
        &mut self,
        wanted: &Wanted<'_>,
        class: usize,
        values: &mut Cow<'_, [i64]>,
        differs: &Differs,
    ) -> Weight {
        // Of what is not looked at it is said.
        if self.effort == 0 {
            return Weight::Matters;
        }
        let values = values.to_mut();
        let kept = values[class];
        let domains = &self.search.domains;
        let others = match domains.only(class) {
            Some(_) => &SIMPLE[..],
            None => domains.of(class),
        };
        let mut others: Vec<i64> = others.iter().copied().filter(|other| *other != kept).collect();
        // Without items nothing differs, so 0 is near wherever it stands among the values.
        if let Some(at) = others.iter().position(|other| *other == 0).filter(|at| *at >= NEAR) {
            others[..=at].rotate_right(1);
        }
        let (near, far) = others.split_at(others.len().min(NEAR));
        let mut weight = Weight::None;
        for (number, &other) in near.iter().chain(far.iter().rev().take(FAR)).enumerate() {
            if weight == Weight::Decides || (number >= NEAR && weight != Weight::None) {
                break;
            }
            if self.effort == 0 {
                weight = weight.max(Weight::Matters);
                break;
            }
            values[class] = other;
            weight = weight.max(match self.at(wanted, values, false) {
                None => Weight::Decides,
                Some(it) if (it.old, it.new) != (differs.old, differs.new) => Weight::Matters,
                Some(_) => Weight::None,
            });
        }
        values[class] = kept;
        weight
    }
}
