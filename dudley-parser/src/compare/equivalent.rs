//! Results of the new layout that are those of the old one, though other operations lead to them.
//!
//! Where both layouts part and meet again, there are few operations between: they are carried out for
//! many values of their params, and of the cursors that both begin from, which may be any. What comes to
//! the same for all is one result from there on, so whatever follows is the same as well.

use super::joint::Joint;
use super::subject::Subject;
use super::values::Domains;
use crate::formula::plan::{Node, Op};
use hashbrown::HashSet;

/// Operations between what both begin from and what is compared.
const BETWEEN: usize = 256;

/// How often values are tried, and how many of them have to be legal.
const SAMPLES: usize = 240;
const LEGAL: usize = 60;

/// Of this many params all are 0, -1 or something else in turn, with all others so.
const TURNS: usize = 5;

/// How many results are compared so.
const TESTS: usize = 4000;

/// Operations to carry out, and results that are taken for any.
struct Cut {
    between: Vec<usize>,
    cursors: Vec<usize>,
    /// Classes of the params in it.
    params: Vec<usize>,
}

impl Joint {
    /// Finds what is the same; what is `known` to differ is not looked at.
    pub(super) fn join(&mut self, known: &HashSet<(Subject, bool)>, domains: &mut Domains) {
        let anchors = self.anchors(known);
        if anchors.is_empty() {
            return;
        }
        let mut tests = TESTS;
        let mut results = vec![None; self.ops.len()];
        for at in self.first_new..self.ops.len() {
            self.renew(at);
            let node = Node::at(at);
            let olds = if self.same_as(node) == node {
                anchors.get(&node).map_or(&[][..], Vec::as_slice)
            } else {
                &[]
            };
            let mut tried = HashSet::new();
            for &old in olds.iter().filter(|old| tried.insert(**old)) {
                tests = tests.saturating_sub(1);
                if tests > 0 && self.alike(old, node, domains, &mut results) {
                    self.same_as[at] = self.same_as(old);
                    break;
                }
            }
        }
    }

    /// An operation on results that turned out to be others may be one that is there already.
    fn renew(&mut self, at: usize) {
        let mut changed = false;
        self.ops[at].operands(&mut |node| changed |= self.same_as(node) != node);
        if !changed {
            return;
        }
        let op = self.ops[at].with_operands(&|node| self.same_as(node));
        match self.known.get(&op) {
            Some(&other) => self.same_as[at] = self.same_as(other),
            None => {
                self.known.insert(op.clone(), Node::at(at));
                self.ops[at] = op;
            }
        }
    }

    fn alike(
        &self,
        old: Node,
        new: Node,
        domains: &mut Domains,
        results: &mut Vec<Option<i64>>,
    ) -> bool {
        let Some(cut) = self.cut(old, new) else { return false };
        // What is fixed in one of the layouts has one value here, and examples have to say which.
        if cut.params.iter().any(|&class| domains.only(class).is_some()) {
            return false;
        }
        let mut values = domains.base();
        let mut legal = 0;
        let turns = 3_usize.pow(cut.params.len().min(TURNS) as u32);
        for sample in 0..SAMPLES.max(2 * turns) {
            let mut others = Vec::new();
            for (number, &class) in cut.params.iter().enumerate() {
                let special = match sample / 3_usize.pow(number.min(TURNS) as u32) % 3 {
                    0 if number < TURNS => Some(0),
                    1 if number < TURNS => Some(-1),
                    _ => None,
                };
                let special = special.filter(|value| domains.of(class).contains(value));
                values[class] = special.unwrap_or_else(|| domains.pick(class, &others));
                others.push(values[class]);
            }
            for &at in &cut.cursors {
                let bits = [4, 9, 14, 20][domains.below(4)];
                let steps = domains.below(1 << bits);
                let value = (steps as u64).saturating_mul(self.divisors[at]);
                results[at] = i64::try_from(value).ok();
            }
            let repetitions: Vec<u64> = (0..8).map(|_| domains.below(4) as u64).collect();
            self.evaluate(&cut.between, &values, &repetitions, results);
            let result = |node: Node| results[self.same_as(node).index()];
            // What the old layout cannot place is in no stream.
            let Some(expected) = result(old) else { continue };
            if result(new) != Some(expected) {
                return false;
            }
            legal += 1;
        }
        legal >= LEGAL
    }

    /// What lies between both results and what they share; `None` if that is too much. What is added to a
    /// cursor, the bytes of things, always counts as between: it may be 0, and then nothing is aligned.
    fn cut(&self, old: Node, new: Node) -> Option<Cut> {
        let mut between = HashSet::new();
        let mut cursors = HashSet::new();
        for (root, shares) in [(new, true), (old, false)] {
            let mut stack = vec![(root, true)];
            while let Some((node, places)) = stack.pop() {
                let at = self.same_as(node).index();
                if between.contains(&at) || (places && cursors.contains(&at)) {
                    continue;
                }
                let op = &self.ops[at];
                if shares && places && at < self.first_new && is_cursor(op) {
                    cursors.insert(at);
                    continue;
                }
                cursors.remove(&at);
                between.insert(at);
                if between.len() > BETWEEN {
                    return None;
                }
                let cursor = match op {
                    Op::Align { cursor, .. } | Op::End { cursor, .. } => Some(*cursor),
                    Op::Add(cursor, _) => Some(*cursor),
                    _ => None,
                };
                let all = matches!(op, Op::Repeat { .. } | Op::Max(_));
                op.operands(&mut |node| {
                    stack.push((node, places && (all || cursor == Some(node))))
                });
            }
        }
        let mut between: Vec<usize> = between.into_iter().collect();
        between.sort_unstable();
        let params = between.iter().filter_map(|&at| match self.ops[at] {
            Op::Param(class) => Some(class.index()),
            _ => None,
        });
        let params = params.collect();
        Some(Cut { between, cursors: cursors.into_iter().collect(), params })
    }
}

/// Whether many operations may lead to it.
fn is_cursor(op: &Op) -> bool {
    matches!(op, Op::Align { .. } | Op::Add(..) | Op::Repeat { .. } | Op::Max(_) | Op::End { .. })
}
