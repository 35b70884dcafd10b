//! Things that may differ, those together that have the same results: they need to be looked at but once.

use super::joint::{Joint, Open, Seen};
use super::subject::Subject;
use crate::formula::plan::Node;
use hashbrown::hash_map::{Entry, HashMap};

/// Things that have the same results: members of structs that are alike, of which there may be thousands.
pub(super) struct Group {
    pub(super) open: Vec<Open>,
    /// What has to come to the same in both layouts for nothing to differ; what always does is left out.
    pairs: Vec<[Option<Node>; 2]>,
    /// They have another number of dimensions in the new layout, so that they always differ.
    other_rank: bool,
}

impl Group {
    /// Whether any number is another one in the new layout.
    pub(super) fn unlike(&self, results: &[Option<i64>]) -> bool {
        let result = |node: Option<Node>| node.and_then(|node| results[node.index()]);
        self.other_rank || self.pairs.iter().any(|[old, new]| result(*old) != result(*new))
    }
}

impl Joint {
    /// What is open, in groups.
    pub(super) fn groups(&self, open: Vec<Open>) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut numbers: HashMap<(bool, [Vec<Seen>; 2]), usize> = HashMap::new();
        for open in open {
            let seen = [&self.old, &self.new].map(|seen| self.results_of(seen, open.subject));
            let key = (matches!(open.subject, Subject::List(_)), seen);
            match numbers.entry(key) {
                Entry::Occupied(known) => groups[*known.get()].open.push(open),
                Entry::Vacant(entry) => {
                    let [olds, news] = &entry.key().1;
                    let both = || olds.iter().zip(news);
                    let rank = |seen: &Seen| seen.dims.as_ref().map_or(0, Vec::len);
                    let other_rank = both().any(|(a, b)| rank(a) != rank(b));
                    let mut pairs: Vec<_> = both().flat_map(|(a, b)| pairs(a, b)).collect();
                    pairs.retain(|[old, new]| old != new);
                    groups.push(Group { open: vec![open], pairs, other_rank });
                    entry.insert(groups.len() - 1);
                }
            }
        }
        groups
    }

    /// The operations that open results take, in their order.
    pub(super) fn cone(&self, groups: &[Group]) -> Vec<usize> {
        let all = groups.iter().filter_map(|group| group.open.first()).flat_map(|open| {
            let sides = [&self.old, &self.new].into_iter();
            sides.filter_map(|seen| seen.get(&open.subject)).flatten()
        });
        self.below(all)
    }

    fn results_of(&self, seen: &HashMap<Subject, Vec<Seen>>, subject: Subject) -> Vec<Seen> {
        let same_as = |node: Option<Node>| node.map(|node| self.same_as(node));
        let of = |seen: &Seen| Seen {
            at: same_as(seen.at),
            bytes: same_as(seen.bytes),
            unit: same_as(seen.unit),
            dims: seen.dims.as_ref().map(|dims| dims.iter().map(|it| self.same_as(*it)).collect()),
            repeats: seen.repeats,
        };
        seen.get(&subject).into_iter().flatten().map(of).collect()
    }
}

/// Each result of a thing in both layouts.
fn pairs<'s>(old: &'s Seen, new: &'s Seen) -> impl Iterator<Item = [Option<Node>; 2]> + 's {
    let dims = |seen: &'s Seen| seen.dims.iter().flatten().copied().map(Some);
    let dims = dims(old).zip(dims(new)).map(|(old, new)| [old, new]);
    [[old.at, new.at], [old.bytes, new.bytes], [old.unit, new.unit]].into_iter().chain(dims)
}
