//! The pairs of items of two layouts: by path, or renamed in place.

use super::brackets::Brackets;
use super::declared::{At, Comparison};
use super::pairs::{ListPair, ParamPair};
use super::tree::{Key, Node, Tree, What};
use super::{Change, Levels};
use crate::layout::{ArrayId, DocKey, Element, Layout, ListId, RecordId};
use crate::span::Span;
use hashbrown::{HashMap, HashSet};
use std::collections::VecDeque;

impl<'l> Comparison<'l> {
    /// Pairs of what is below two nodes, and what is below each pair.
    pub(super) fn children(&mut self, a: &Tree<'l>, b: &Tree<'l>, above_a: u32, above_b: u32) {
        let (mine, theirs) = (&a.node(above_a).children, &b.node(above_b).children);
        let presented = self.presented(a, b, mine, theirs);
        let rest = |nodes: &[u32], compared: &HashSet<u32>| -> Vec<u32> {
            nodes.iter().copied().filter(|node| !compared.contains(node)).collect()
        };
        let (mine, theirs) = (&rest(mine, &presented.0), &rest(theirs, &presented.1));
        let by_key: HashMap<Key<'l>, u32> =
            theirs.iter().map(|&node| (b.node(node).key, node)).collect();
        let mut paired: HashMap<u32, u32> = HashMap::new();
        let mut taken: HashSet<u32> = HashSet::new();
        for &node in mine {
            if let Some(&other) = by_key.get(&a.node(node).key) {
                paired.insert(node, other);
                taken.insert(other);
                if let (What::Param(x), What::Param(y)) = (a.node(node).what, b.node(other).what) {
                    self.unite(x, y);
                }
            }
        }
        for params in [true, false] {
            self.renamed(a, b, [mine, theirs], params, &mut paired, &mut taken);
        }
        for &node in mine {
            match paired.get(&node) {
                Some(&other) => self.pair(a, b, node, other),
                None => self.removed(a, node),
            }
        }
        for &node in theirs.iter().filter(|node| !taken.contains(*node)) {
            self.added(b, node);
        }
    }

    /// Pairs of what has another name, but is the same, and stands behind the same neighbour.
    fn renamed(
        &mut self,
        a: &Tree<'l>,
        b: &Tree<'l>,
        [mine, theirs]: [&[u32]; 2],
        params: bool,
        paired: &mut HashMap<u32, u32>,
        taken: &mut HashSet<u32>,
    ) {
        let is_param = |node: &Node<'_>| matches!(node.what, What::Param(_)) == params;
        let mut open: HashMap<Option<u32>, VecDeque<u32>> = HashMap::new();
        let mut before = None;
        for &node in theirs {
            if taken.contains(&node) {
                before = Some(node);
            } else if is_param(b.node(node)) {
                open.entry(before).or_default().push_back(node);
            }
        }
        let mut found = Vec::new();
        let mut before = None;
        for &node in mine {
            if let Some(&other) = paired.get(&node) {
                before = Some(other);
                continue;
            }
            let (true, Some(candidates)) = (is_param(a.node(node)), open.get_mut(&before)) else {
                continue;
            };
            // Only the first few are looked at, so that thousands of new names take no time.
            let near = candidates.iter().take(16);
            let like = |other: &&u32| self.alike(a, b, node, **other);
            let at = near.clone().position(|other| like(&other));
            if let Some(other) = at.and_then(|at| candidates.remove(at)) {
                found.push((node, other));
            }
        }
        for (node, other) in found {
            paired.insert(node, other);
            taken.insert(other);
            if let (What::Param(x), What::Param(y)) = (a.node(node).what, b.node(other).what) {
                self.unite(x, y);
            }
            // Pieces and elements have no names.
            if !matches!(a.node(node).key, Key::Number(_)) {
                let levels = Levels::READ.and(Levels::SOURCE);
                let (old, new) = (a.path(node), b.path(other));
                let message = format!("`{old}` is called `{new}` now");
                let at = At { path: &old, old: a.node(node).span, new: b.node(other).span };
                self.change("change-renamed", at, levels, message);
            }
        }
    }

    /// Whether two nodes are the same except for their names.
    fn alike(&self, a: &Tree<'l>, b: &Tree<'l>, node: u32, other: u32) -> bool {
        let keys = |tree: &Tree<'l>, node: u32| {
            let children = &tree.node(node).children;
            children.iter().map(|&child| tree.node(child).key).collect::<Vec<_>>()
        };
        match (a.node(node).what, b.node(other).what) {
            (What::Param(x), What::Param(y)) => {
                let (x, y) = (&self.old[x], &self.new[y]);
                x.value == y.value && x.ordinal == 0 && y.ordinal == 0
            }
            (What::Array(x), What::Array(y)) => self.alike_arrays(x, y),
            (What::Dict(_), What::Dict(_)) => {
                let keys = (keys(a, node), keys(b, other));
                !keys.0.is_empty() && keys.0 == keys.1
            }
            (What::List(_), What::List(_)) => {
                let (x, y) = (&a.node(node).children, &b.node(other).children);
                x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| self.alike_pieces(a, b, x, y))
            }
            _ => false,
        }
    }

    fn alike_pieces(&self, a: &Tree<'l>, b: &Tree<'l>, piece: u32, other: u32) -> bool {
        let (x, y) = (&a.node(piece).children, &b.node(other).children);
        x.len() == y.len()
            && x.iter().zip(y).all(|(&x, &y)| match (a.node(x).what, b.node(y).what) {
                (What::Array(x), What::Array(y)) => self.alike_arrays(x, y),
                (What::Dict(_), What::Dict(_)) | (What::List(_), What::List(_)) => true,
                _ => false,
            })
    }

    pub(super) fn alike_arrays(&self, a: ArrayId, b: ArrayId) -> bool {
        let (x, y) = (&self.old[a], &self.new[b]);
        let names = |layout: &'l Layout, record: RecordId| {
            let members = layout.run(layout[record].members);
            members.iter().map(|&step| super::record::name(layout, step)).collect::<Vec<_>>()
        };
        let element = match (x.element, y.element) {
            (Element::Record(x), Element::Record(y)) => names(self.old, x) == names(self.new, y),
            (x, y) => x == y,
        };
        element && x.spliced == y.spliced && self.same_dims(a, b) && self.same_filter(x, y)
    }

    fn pair(&mut self, a: &Tree<'l>, b: &Tree<'l>, node: u32, other: u32) {
        let (mine, theirs) = (a.node(node), b.node(other));
        let path = a.path(node);
        let at = At { path: &path, old: mine.span, new: theirs.span };
        match (mine.what, theirs.what) {
            (What::Param(x), What::Param(y)) => {
                let number = Some(self.pairs.params.len());
                self.pairs.param_old[x.index()] = number;
                self.pairs.param_new[y.index()] = number;
                self.pairs.params.push(ParamPair { old: x, new: y, path: path.clone() });
                self.params(at, x, y);
            }
            (What::Array(x), What::Array(y)) => self.arrays(at, x, y),
            (What::Dict(_), What::Dict(_)) => {
                self.comments(at, DocKey::of(at.old), DocKey::of(at.new));
                self.children(a, b, node, other);
            }
            (What::List(x), What::List(y)) => {
                let number = Some(self.pairs.lists.len());
                self.pairs.list_old[x.index()] = number;
                self.pairs.list_new[y.index()] = number;
                self.pairs.lists.push(ListPair { old: x, new: y, path: path.clone() });
                self.comments(at, DocKey::of(at.old), DocKey::of(at.new));
                match self.brackets(x, y) {
                    Brackets::Pairs => self.children(a, b, node, other),
                    Brackets::SameItems => {
                        let message = format!("the items of `{path}` are written in another way");
                        self.change("change-length", at, Levels::NONE, message);
                        // The others follow the first.
                        if let (Some(x), Some(y)) = (first(a, node), first(b, other)) {
                            self.pair(a, b, x, y);
                        }
                    }
                    Brackets::Unknown => {
                        let message = format!(
                            "the items of `{path}` are written in another way: they may be others, and what follows may lie elsewhere"
                        );
                        let levels = Levels::LAYOUT.and(Levels::READ).and(Levels::SOURCE);
                        self.change("change-length", at, levels, message);
                        let from = outermost(self.old, x);
                        self.unplaced = Some(self.unplaced.map_or(from, |first| first.min(from)));
                    }
                }
            }
            (What::Piece(x), What::Piece(y)) => {
                let (x, y) = (&self.old[x], &self.new[y]);
                if !self.same_repeat(x.count, y.count) {
                    let (old, new) = (self.labels[0].count(x.count), self.labels[1].count(y.count));
                    let message = format!("`{path}` was repeated by {old}, and is by {new}");
                    let at = At { old: x.span, new: y.span, ..at };
                    self.change("change-length", at, Levels::NONE, message);
                }
                self.children(a, b, node, other);
            }
            (x, y) => {
                let (was, is) = (kind(x).1, kind(y).1);
                let message = format!("`{path}` was {was}, and is {is}");
                let levels = Levels::LAYOUT.and(Levels::READ).and(Levels::SOURCE);
                self.change("change-kind", at, levels, message);
            }
        }
    }

    fn removed(&mut self, a: &Tree<'l>, node: u32) {
        let (path, gone) = (a.path(node), a.node(node));
        let mut levels = Levels::READ.and(Levels::SOURCE);
        let fixed = matches!(gone.what, What::Param(id) if !self.old[id].is_streamed());
        if !fixed {
            levels = levels.and(Levels::LAYOUT);
        }
        let message = match gone.what {
            What::Piece(_) => format!("a part of the list `{path}` was removed"),
            what => format!("{} `{path}` was removed", kind(what).0),
        };
        self.push_lone("change-removed", path, levels, message, (Some(gone.span), None));
    }

    fn added(&mut self, b: &Tree<'l>, node: u32) {
        let (path, new) = (b.path(node), b.node(node));
        let message = match new.what {
            What::Piece(_) => format!("a part of the list `{path}` was added"),
            what => format!("{} `{path}` was added", kind(what).0),
        };
        self.push_lone("change-added", path, Levels::NONE, message, (None, Some(new.span)));
    }

    /// Reports what one of them has.
    pub(super) fn push_lone(
        &mut self,
        code: &'static str,
        path: String,
        levels: Levels,
        message: String,
        (old, new): (Option<Span>, Option<Span>),
    ) {
        self.changes.push(Change {
            code,
            path,
            levels,
            message,
            old,
            new,
            example: None,
            also: Vec::new(),
        });
    }
}

/// The first item of a list.
fn first(tree: &Tree<'_>, list: u32) -> Option<u32> {
    tree.node(*tree.node(list).children.first()?).children.first().copied()
}

/// Where the outermost list around a list is declared.
fn outermost(layout: &Layout, mut list: ListId) -> u32 {
    let around = |list: ListId| {
        let home = layout[layout[list].dict].home;
        layout[list].outer.or(layout[home].list)
    };
    while let Some(outer) = around(list) {
        list = outer;
    }
    layout[list].span.start
}

/// A kind in words: of something known, and of anything.
fn kind(what: What) -> (&'static str, &'static str) {
    match what {
        What::Dict(_) => ("the dict", "a dict"),
        What::List(_) | What::Piece(_) => ("the list", "a list"),
        What::Param(_) => ("the param", "a param"),
        What::Array(_) => ("the item", "a data item"),
    }
}
