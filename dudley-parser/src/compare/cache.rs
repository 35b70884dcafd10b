//! Results of operations for values of the params, kept while examples request the same values.
//!
//! Most examples have the same simplest values, so what is found once with them serves all: each result is
//! found once for one choice of values, and only if something asks for it.

use crate::formula::plan::{Node, Op};
use crate::layout::ParamId;
use hashbrown::HashMap;

/// What was made for values; where there is too much, what was wanted longest ago makes room.
pub(super) struct Kept<T> {
    slots: Vec<Slot<T>>,
    by_values: HashMap<Vec<i64>, usize>,
    most: usize,
    clock: u64,
}

struct Slot<T> {
    values: Vec<i64>,
    wanted: u64,
    made: T,
}

impl<T> Kept<T> {
    /// At most this many.
    pub(super) fn new(most: usize) -> Self {
        Kept { slots: Vec::new(), by_values: HashMap::new(), most: most.max(1), clock: 0 }
    }

    /// What was made for these values, or what is made now, of what is not wanted any more if there is that.
    pub(super) fn get(&mut self, values: &[i64], make: impl FnOnce(Option<T>) -> T) -> &mut T {
        self.clock += 1;
        let at = match self.by_values.get(values) {
            Some(&at) => at,
            None => self.enter(values, make),
        };
        let slot = &mut self.slots[at];
        slot.wanted = self.clock;
        &mut slot.made
    }

    fn enter(&mut self, values: &[i64], make: impl FnOnce(Option<T>) -> T) -> usize {
        let mut old = None;
        if self.slots.len() >= self.most {
            let slots = self.slots.iter().enumerate();
            let oldest = slots.min_by_key(|(_, slot)| slot.wanted).map_or(0, |(at, _)| at);
            let slot = self.slots.swap_remove(oldest);
            self.by_values.remove(&slot.values);
            if let Some(moved) = self.slots.get(oldest) {
                self.by_values.insert(moved.values.clone(), oldest);
            }
            old = Some(slot.made);
        }
        let made = make(old);
        self.by_values.insert(values.to_vec(), self.slots.len());
        self.slots.push(Slot { values: values.to_vec(), wanted: self.clock, made });
        self.slots.len() - 1
    }
}

/// Results of operations with some values. Each is marked with the number of the choice of values that it
/// belongs to, so that another choice takes the table over without clearing it.
#[derive(Default)]
pub(super) struct Table {
    choice: u32,
    results: Vec<(u32, Option<i64>)>,
}

impl Table {
    /// A table without results, made of an old one.
    pub(super) fn renewed(old: Option<Table>, ops: usize) -> Table {
        let mut table = old.unwrap_or_default();
        match table.choice.checked_add(1) {
            Some(next) => table.choice = next,
            None => table = Table { choice: 1, results: Vec::new() },
        }
        table.results.resize(ops, (0, None));
        table
    }

    /// A result, once it was found.
    pub(super) fn result(&self, node: Node) -> Option<i64> {
        let (choice, result) = self.results[node.index()];
        result.filter(|_| choice == self.choice)
    }

    /// Carries out what these results take and was not carried out yet; gives how much that was.
    pub(super) fn evaluate(
        &mut self,
        ops: &[Op],
        same_as: &dyn Fn(Node) -> Node,
        values: &[i64],
        wanted: impl Iterator<Item = Node>,
    ) -> usize {
        let mut stack: Vec<Node> = wanted.collect();
        let mut open = Vec::new();
        while let Some(node) = stack.pop() {
            let at = same_as(node).index();
            if self.results[at].0 != self.choice {
                self.results[at] = (self.choice, None);
                open.push(at);
                ops[at].operands(&mut |node| stack.push(node));
            }
        }
        // An operation stands behind those that it needs.
        open.sort_unstable();
        let params = |id: ParamId| values.get(id.index()).map(|value| i128::from(*value));
        for &at in &open {
            let result = ops[at].value(&|node| self.result(same_as(node)), &params, &[]);
            self.results[at].1 = result;
        }
        open.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_makes_room() {
        let mut kept: Kept<u32> = Kept::new(2);
        let mut made = 0;
        for (values, expected) in [(1, 1), (2, 2), (1, 1), (3, 3), (1, 1), (2, 4), (2, 4), (3, 5)] {
            let got = *kept.get(&[values, 0], |_| {
                made += 1;
                made
            });
            assert_eq!(got, expected, "with {values}");
        }
    }

    #[test]
    fn each_result_is_found_once() {
        let param = Op::Param(ParamId(0));
        let ops = [param, Op::Number(5), Op::Add(Node::at(0), Node::at(1)), Op::Number(9)];
        let same = |node: Node| node;
        let mut table = Table::renewed(None, ops.len());
        assert_eq!(table.evaluate(&ops, &same, &[3], [Node::at(2)].into_iter()), 3);
        assert_eq!(table.evaluate(&ops, &same, &[3], [Node::at(2)].into_iter()), 0);
        assert_eq!((table.result(Node::at(2)), table.result(Node::at(3))), (Some(8), None));
        let mut table = Table::renewed(Some(table), ops.len());
        assert_eq!(table.result(Node::at(2)), None);
        assert_eq!(table.evaluate(&ops, &same, &[4], [Node::at(2), Node::at(3)].into_iter()), 4);
        assert_eq!((table.result(Node::at(2)), table.result(Node::at(3))), (Some(9), Some(9)));
    }
}
