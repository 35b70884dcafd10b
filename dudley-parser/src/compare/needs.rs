//! Which params the result of each operation depends on.
//!
//! Equal sets are one, so where a few params decide all places there are a few sets. Where there would be
//! too much of them, a set is said to be any, which leaves nobody out.

use crate::formula::plan::{Node, Op};
use hashbrown::HashMap;
use std::rc::Rc;

/// Members of all sets together.
const ROOM: usize = 1_000_000;

/// A set, by its number.
type Set = u32;

const NONE: Set = 0;
const ANY: Set = 1;

/// The classes of the params that each operation needs.
pub(super) struct Needs {
    of: Vec<Set>,
    sets: Sets,
}

impl Needs {
    /// Of operations; `same_as` is the result that stands for another.
    pub(super) fn new(ops: &[Op], same_as: &dyn Fn(Node) -> Node) -> Needs {
        let mut needs = Needs { of: Vec::with_capacity(ops.len()), sets: Sets::new() };
        for op in ops {
            let mut set = match op {
                Op::Param(class) => needs.sets.one(class.index() as u32),
                _ => NONE,
            };
            op.operands(&mut |node| {
                let other = needs.of[same_as(node).index()];
                set = needs.sets.union(set, other);
            });
            needs.of.push(set);
        }
        needs
    }

    /// Classes that any of these results depends on; `None` if it may be all of them.
    pub(super) fn of(&mut self, nodes: impl Iterator<Item = Node>) -> Option<Rc<[u32]>> {
        let mut set = NONE;
        for node in nodes {
            set = self.sets.union(set, self.of[node.index()]);
        }
        self.sets.members[set as usize].clone()
    }
}

struct Sets {
    members: Vec<Option<Rc<[u32]>>>,
    known: HashMap<Rc<[u32]>, Set>,
    unions: HashMap<(Set, Set), Set>,
    room: usize,
}

impl Sets {
    fn new() -> Sets {
        let none: Rc<[u32]> = Rc::new([]);
        let known = HashMap::from_iter([(none.clone(), NONE)]);
        Sets { members: vec![Some(none), None], known, unions: HashMap::new(), room: ROOM }
    }

    fn one(&mut self, class: u32) -> Set {
        self.enter(vec![class])
    }

    fn union(&mut self, a: Set, b: Set) -> Set {
        let (a, b) = (a.min(b), a.max(b));
        if a == b || a == NONE {
            return b;
        }
        if let Some(&set) = self.unions.get(&(a, b)) {
            return set;
        }
        let set = match (&self.members[a as usize], &self.members[b as usize]) {
            (Some(x), Some(y)) => {
                let mut all: Vec<u32> = x.iter().chain(y.iter()).copied().collect();
                all.sort_unstable();
                all.dedup();
                self.enter(all)
            }
            _ => ANY,
        };
        self.unions.insert((a, b), set);
        set
    }

    fn enter(&mut self, members: Vec<u32>) -> Set {
        if let Some(&set) = self.known.get(members.as_slice()) {
            return set;
        }
        let Some(room) = self.room.checked_sub(members.len()) else { return ANY };
        self.room = room;
        let set = self.members.len() as Set;
        let members: Rc<[u32]> = members.into();
        self.members.push(Some(members.clone()));
        self.known.insert(members, set);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::ParamId;

    fn all(needs: &mut Needs, at: usize) -> Option<Vec<u32>> {
        needs.of([Node::at(at)].into_iter()).map(|set| set.to_vec())
    }

    #[test]
    fn sets_of_params_are_those_of_the_operands() {
        let param = |class: u32| Op::Param(ParamId(class));
        let add = |a: usize, b: usize| Op::Add(Node::at(a), Node::at(b));
        let ops = [Op::Number(4), param(7), param(2), add(0, 1), add(3, 2), add(4, 1), add(0, 0)];
        let mut needs = Needs::new(&ops, &|node| node);
        assert_eq!(all(&mut needs, 0), Some(vec![]));
        assert_eq!(all(&mut needs, 3), Some(vec![7]));
        assert_eq!(all(&mut needs, 5), Some(vec![2, 7]));
        assert_eq!(all(&mut needs, 6), Some(vec![]));
    }

    #[test]
    fn where_there_are_too_many_any_is_said() {
        let mut ops = vec![Op::Number(0)];
        for class in 0..3000 {
            let last = Node::at(ops.len() - 1);
            ops.push(Op::Param(ParamId(class)));
            ops.push(Op::Add(last, Node::at(ops.len() - 1)));
        }
        let last = ops.len() - 1;
        let mut needs = Needs::new(&ops, &|node| node);
        assert_eq!(all(&mut needs, last), None);
        assert_eq!(all(&mut needs, 4), Some(vec![0, 1]));
    }
}
