//! The simplest values of params for which something differs, and which of them matter.

use super::joint::Lens;
use super::places::{Row, Side};
use super::search::{Differs, Search, placed, sized};
use super::values::SIMPLE;
use super::{Example, Quantity};
use crate::layout::Layout;

/// Params of an example are named up to so many.
const NAMED: usize = 256;

/// What a param is to an example.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    None,
    /// The numbers are others with other values of it.
    Matters,
    /// Nothing differs with some.
    Decides,
}

impl Search<'_, '_> {
    /// What differs at a subject with some values; a `lens` sees it alone.
    fn at(&mut self, wanted: &Differs, values: &[i64], lens: Option<&Lens>) -> Option<Differs> {
        let size = matches!(wanted.quantity, Quantity::Bytes | Quantity::Stride);
        let same = |row: &Row, other: &Row, path: Option<&String>| match size {
            true => sized(row, other, path),
            false => placed(row, other, path),
        };
        let found = match lens {
            Some(lens) => {
                let (row, other) = self.joint.look(lens, values, &mut self.results);
                self.effort = self.effort.saturating_sub(1 + lens.work() / 4);
                same(&row, &other, None)?
            }
            None => {
                let until = Some((wanted.subject, wanted.index));
                let old = self.at_trial(values, Side::Old, until);
                let new = self.at_trial(values, Side::New, until);
                self.effort = self.effort.saturating_sub(old.rows.len() + new.rows.len() + 8);
                let find = |row: &&Row| row.subject == wanted.subject && row.index == wanted.index;
                let number = old.rows.iter().position(|row| find(&row))?;
                let other = new.rows.iter().find(find)?;
                same(&old.rows[number], other, old.paths.get(&number))?
            }
        };
        (found.quantity == wanted.quantity).then_some(found)
    }

    /// The simplest values for which something differs still, and the params that matter.
    pub(super) fn example(&mut self, wanted: &Differs, mut values: Vec<i64>) -> Example {
        let lens = if wanted.index == 0 { self.joint.lens(wanted.subject) } else { None };
        let lens = lens.as_ref();
        let mut differs = wanted.clone();
        let needed = |class: &&usize| lens.is_none_or(|lens| lens.needs(**class));
        let live: Vec<usize> = self.domains.live.iter().filter(needed).copied().collect();
        let mixed: Vec<usize> = self.domains.mixed.iter().filter(needed).copied().collect();
        self.simplify(wanted, &live, &mut values, &mut differs, lens);
        // Those that decide whether it differs come first.
        let (mut decide, mut matter) = (Vec::new(), Vec::new());
        for class in live.into_iter().chain(mixed) {
            if decide.len() + matter.len() == NAMED {
                break;
            }
            let simplest = self.domains.of(class).first() == Some(&values[class]);
            let named = (self.label(class), values[class]);
            match self.weight(wanted, class, &mut values, &differs, lens) {
                Weight::Decides => decide.push(named),
                Weight::Matters if !simplest => decide.push(named),
                Weight::Matters => matter.push(named),
                Weight::None => {}
            }
        }
        decide.append(&mut matter);
        let stored = self.stored(wanted, &mut values, &mut differs, lens);
        let path = differs.path.clone().unwrap_or_else(|| self.of.path_of(wanted.subject));
        let Differs { quantity, old, new, .. } = differs;
        Example { params: decide, stored, quantity, path, old, new }
    }

    /// What filters store, if anything depends on it: made as simple as it gets.
    fn stored(
        &mut self,
        wanted: &Differs,
        values: &mut Vec<i64>,
        differs: &mut Differs,
        lens: Option<&Lens>,
    ) -> Option<u64> {
        let unsized_filter =
            |layout: &Layout| layout.filters.iter().any(|filter| filter.stored.is_none());
        // Operations do not know it.
        if lens.is_some() || ![self.of.old, self.of.new].into_iter().any(unsized_filter) {
            return None;
        }
        let class = self.domains.stored_class();
        self.simplify(wanted, &[class], values, differs, lens);
        let weight = self.weight(wanted, class, values, differs, lens);
        (weight != Weight::None).then_some(values[class].unsigned_abs())
    }

    /// Makes values as simple as they get: of many params at once, then of fewer.
    fn simplify(
        &mut self,
        wanted: &Differs,
        classes: &[usize],
        values: &mut Vec<i64>,
        differs: &mut Differs,
        lens: Option<&Lens>,
    ) {
        if let &[class] = classes {
            for simpler in self.domains.of(class).to_vec() {
                if simpler == values[class] || self.effort == 0 {
                    return;
                }
                let kept = std::mem::replace(&mut values[class], simpler);
                match self.at(wanted, values, lens) {
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
            simple[class] = self.domains.of(class).first().copied().unwrap_or(1);
        }
        if simple == *values || self.effort == 0 {
            return;
        }
        if let Some(found) = self.at(wanted, &simple, lens) {
            (*differs, *values) = (found, simple);
            return;
        }
        let (first, second) = classes.split_at(classes.len() / 2);
        self.simplify(wanted, first, values, differs, lens);
        self.simplify(wanted, second, values, differs, lens);
    }

    /// What becomes of a difference with other values of a param.
    fn weight(
        &mut self,
        wanted: &Differs,
        class: usize,
        values: &mut [i64],
        differs: &Differs,
        lens: Option<&Lens>,
    ) -> Weight {
        let others = match self.domains.only(class) {
            Some(_) => SIMPLE.to_vec(),
            None => self.domains.of(class).to_vec(),
        };
        let kept = values[class];
        let mut weight = Weight::None;
        for &other in others.iter().filter(|other| **other != kept).take(3) {
            // Of what is not looked at it is said.
            if self.effort == 0 {
                weight = weight.max(Weight::Matters);
                break;
            }
            values[class] = other;
            weight = weight.max(match self.at(wanted, values, lens) {
                None => Weight::Decides,
                Some(it) if (it.old, it.new) != (differs.old, differs.new) => Weight::Matters,
                Some(_) => Weight::None,
            });
        }
        values[class] = kept;
        weight
    }

    /// The name of a param.
    fn label(&self, class: usize) -> String {
        for (side, layout) in [self.of.old, self.of.new].into_iter().enumerate() {
            let mut params = layout.params();
            if let Some((id, _)) = params.find(|(id, _)| self.of.class(side, *id) as usize == class)
            {
                return self.of.labels[side].param(id);
            }
        }
        String::new()
    }
}
