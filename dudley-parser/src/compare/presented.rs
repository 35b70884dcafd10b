//! A record that is presented as items of its dict (spec 3.10) beside items of their own: who asks for a member
//! by its name finds it in both, though its elements lie elsewhere.

use super::Levels;
use super::declared::{At, Comparison};
use super::pairs::Presented;
use super::record::name;
use super::tree::{Key, Tree, What};
use crate::layout::path::push_name;
use crate::layout::{Array, ArrayId, Dim, Element, Layout, Step};
use hashbrown::{HashMap, HashSet};

/// What of a dict was compared so, in both layouts.
type Compared = (HashSet<u32>, HashSet<u32>);

impl<'l> Comparison<'l> {
    /// Compares the members of a record that only one of the layouts has in a dict with the items of the
    /// other; `mine` and `theirs` are what is in that dict. Gives what was compared.
    pub(super) fn presented(
        &mut self,
        a: &Tree<'l>,
        b: &Tree<'l>,
        mine: &[u32],
        theirs: &[u32],
    ) -> Compared {
        let mut compared = Compared::default();
        let record = |tree: &Tree<'l>, nodes: &[u32]| {
            let mut nodes = nodes.iter();
            nodes.find(|&&node| spliced(tree, node).is_some()).copied()
        };
        match (record(a, mine), record(b, theirs)) {
            (Some(node), None) => {
                let items = items(b, theirs);
                let found = self.members(a, node, b, &items, true);
                if !found.is_empty() {
                    compared.0.insert(node);
                    compared.1.extend(found);
                }
            }
            (None, Some(node)) => {
                let items = items(a, mine);
                let found = self.members(b, node, a, &items, false);
                if !found.is_empty() {
                    compared.0.extend(found);
                    compared.1.insert(node);
                }
            }
            _ => {}
        }
        compared
    }

    /// Compares the members of a record, which is `old` or not, with items; gives those that it found.
    fn members(
        &mut self,
        tree: &Tree<'l>,
        node: u32,
        others: &Tree<'l>,
        items: &HashMap<&'l str, (u32, ArrayId)>,
        is_old: bool,
    ) -> Vec<u32> {
        let layout = tree.layout;
        let Some((id, Element::Record(record))) =
            spliced(tree, node).map(|id| (id, layout[id].element))
        else {
            return Vec::new();
        };
        let steps = layout.run(layout[record].members);
        let found = |step: &Step| match *step {
            Step::Array(member) => {
                items.get(name(layout, *step)).map(|(node, item)| (member, *node, *item))
            }
            _ => None,
        };
        let pairs: Vec<(ArrayId, u32, ArrayId)> = steps.iter().filter_map(found).collect();
        let Some(&(_, first, _)) = pairs.first() else { return Vec::new() };
        let (here, there) = (tree.node(node).span, others.node(first).span);
        let (old, new) = if is_old { (here, there) } else { (there, here) };
        let path = tree.path(node);
        let takes = steps.iter().filter(|step| match step {
            Step::Param(param) => layout[*param].is_streamed(),
            _ => true,
        });
        let mut levels = Levels::SOURCE;
        // Instances of several members take turns.
        if takes.count() > 1 && !layout.dims(&layout[id]).is_empty() {
            levels = levels.and(Levels::LAYOUT);
        }
        let message = if is_old {
            format!("the members of the record `{path}` are items of their own now")
        } else {
            format!("items are members of the record `{path}` now")
        };
        self.change("change-kind", At { path: &path, old, new }, levels, message);
        for &(member, other, item) in &pairs {
            let path = others.path(other);
            // One instance is where its items were, or is not; of several that is known.
            if layout.dims(&layout[id]).is_empty() {
                let at =
                    steps.iter().position(|step| matches!(step, Step::Array(it) if *it == member));
                let here = Presented { placed: id, array: member, member: at };
                let there = Presented { placed: item, array: item, member: None };
                let (old, new) = if is_old { (here, there) } else { (there, here) };
                self.pairs.present(path.clone(), old, new);
            }
            let (here, there) = (layout[member].span, others.layout[item].span);
            let (old, new) = if is_old { (here, there) } else { (there, here) };
            let at = At { path: &path, old, new };
            let (x, y) = (&layout[member], &others.layout[item]);
            let around = layout.dims(&layout[id]);
            let member_dims: Vec<&Dim> = around.iter().chain(layout.dims(x)).collect();
            let item_dims: Vec<&Dim> = others.layout.dims(y).iter().collect();
            if is_old {
                self.member(at, (x, &member_dims), (y, &item_dims))
            } else {
                self.member(at, (y, &item_dims), (x, &member_dims))
            }
        }
        // What the other layout does not have is gone, or new.
        for &step in steps {
            let takes = match step {
                Step::Param(param) => layout[param].is_streamed(),
                _ => true,
            };
            if takes && found(&step).is_none() {
                let mut path = path.strip_suffix("\"\"").unwrap_or(&path).to_owned();
                push_name(&mut path, name(layout, step));
                self.lone_member(path, step, layout, is_old);
            }
        }
        pairs.into_iter().map(|(_, node, _)| node).collect()
    }

    fn member(&mut self, at: At<'_>, x: (&Array, &[&Dim]), y: (&Array, &[&Dim])) {
        self.elements(at, x.0, y.0);
        let same = x.1.len() == y.1.len()
            && x.1.iter().zip(y.1).all(|(a, b)| self.same_count(a.count, b.count));
        if same {
            self.reshaped(at, x.1, y.1);
        } else {
            let (was, is) = self.both(|side, labels| {
                let dims: Vec<String> =
                    [x.1, y.1][side].iter().map(|dim| labels.count(dim.count)).collect();
                format!("[{}]", dims.join(", "))
            });
            let message = format!("`{}` had shape `{was}`, and has `{is}`", at.path);
            let code = if x.1.len() == y.1.len() { "change-shape" } else { "change-rank" };
            self.change(code, at, Levels::READ.and(Levels::SOURCE), message);
        }
    }

    fn lone_member(&mut self, path: String, step: Step, layout: &Layout, is_old: bool) {
        let span = match step {
            Step::Param(id) => layout[id].span,
            Step::Array(id) => layout[id].span,
            _ => return,
        };
        if is_old {
            let message = format!("the item `{path}` was removed");
            let levels = Levels::LAYOUT.and(Levels::READ).and(Levels::SOURCE);
            self.push_lone("change-removed", path, levels, message, (Some(span), None));
        } else {
            let message = format!("the item `{path}` was added");
            self.push_lone("change-added", path, Levels::NONE, message, (None, Some(span)));
        }
    }
}

/// The array of a node, if it is such a record.
fn spliced(tree: &Tree<'_>, node: u32) -> Option<ArrayId> {
    match tree.node(node).what {
        What::Array(id) if tree.layout[id].spliced => Some(id),
        _ => None,
    }
}

/// Items by their names.
fn items<'l>(tree: &Tree<'l>, nodes: &[u32]) -> HashMap<&'l str, (u32, ArrayId)> {
    let items =
        nodes.iter().filter_map(|&node| match (tree.node(node).key, tree.node(node).what) {
            (Key::Item(name), What::Array(id)) => Some((name, (node, id))),
            _ => None,
        });
    items.collect()
}
