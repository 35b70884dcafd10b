//! Structs and named types of both layouts.

use super::Levels;
use super::declared::{At, Comparison};
use super::pairs::{MemberPair, RecordPair};
use crate::layout::path::push_name;
use crate::layout::{DocKey, Layout, RecordId, Step};
use crate::span::Span;
use hashbrown::{HashMap, HashSet};
use std::cell::Cell;

/// The name of a member.
pub(super) fn name(layout: &Layout, step: Step) -> &str {
    match step {
        Step::Array(id) => layout.name(layout[id].name),
        Step::Param(id) => layout.name(layout[id].name),
        _ => "",
    }
}

fn span(layout: &Layout, step: Step) -> Span {
    match step {
        Step::Array(id) => layout[id].span,
        Step::Param(id) => layout[id].span,
        _ => Span::default(),
    }
}

/// How the paths of the members of an item begin.
fn inside(path: &str) -> String {
    match path.strip_suffix("\"\"") {
        Some(dict) if dict.ends_with('/') => dict.to_owned(),
        _ => format!("{path}."),
    }
}

/// How a member is found in the other struct: params and data have name spaces of their own, and a
/// param may be declared again.
fn key(layout: &Layout, step: Step) -> (bool, &str, u32) {
    match step {
        Step::Param(id) => (true, name(layout, step), layout[id].ordinal),
        step => (false, name(layout, step), 0),
    }
}

impl<'l> Comparison<'l> {
    /// Compares structs; gives their pair. What a type of the text says is reported once, wherever
    /// else it is used; what its names are bound to differs from use to use (3.9).
    pub(super) fn records(&mut self, at: At<'_>, a: RecordId, b: RecordId) -> usize {
        if let Some(&known) = self.pairs.record_index.get(&(a, b)) {
            return known;
        }
        let (x, y) = (&self.old[a], &self.new[b]);
        let reported = self.changes.len();
        self.type_names(at, a, b);
        if x.align != y.align {
            let message = format!(
                "the alignment of the struct of `{}` was {}, and is {}",
                at.path, x.align, y.align
            );
            self.change("change-align", at, Levels::NONE, message);
        }
        let members = self.pair_members(at.path, a, b);
        self.drop_said(reported, at.path);
        let space = |layout: &Layout, record: RecordId| {
            let steps = layout.run(layout[record].members).iter().enumerate();
            let takes = steps.filter(|(_, step)| match step {
                Step::Param(id) => layout[*id].is_streamed(),
                _ => true,
            });
            takes.map(|(at, _)| at).collect::<Vec<_>>()
        };
        let (mine, theirs) = (space(self.old, a), space(self.new, b));
        let partner: HashMap<usize, usize> = members.iter().map(|it| (it.old, it.new)).collect();
        let in_order = mine.len() == theirs.len()
            && mine.iter().zip(&theirs).all(|(a, b)| partner.get(a) == Some(b));
        let number = self.pairs.records.len();
        let same = Cell::new(None);
        self.pairs.records.push(RecordPair { old: a, new: b, members, in_order, same });
        self.pairs.record_index.insert((a, b), number);
        number
    }

    /// Drops changes of the struct of an item that were reported for another one.
    fn drop_said(&mut self, from: usize, path: &str) {
        let (item, inside) = (format!("`{path}`"), format!("`{}", inside(path)));
        let mut changes = self.changes.split_off(from);
        changes.retain(|change| {
            // What its type is called belongs to the item.
            if change.code == "change-type" {
                return true;
            }
            let message = change.message.replace(&item, "``").replace(&inside, "`");
            self.said.insert((change.code, change.old, change.new, message))
        });
        self.changes.append(&mut changes);
    }

    fn type_names(&mut self, at: At<'_>, a: RecordId, b: RecordId) {
        let of =
            |layout: &'l Layout, id: RecordId| layout[id].ty.map(|ty| layout.name(layout[ty].name));
        let (was, is) = (of(self.old, a), of(self.new, b));
        if was != is {
            let said = |name: Option<&str>| {
                name.map_or("without a name".to_owned(), |it| format!("`{it}`"))
            };
            let message =
                format!("the type of `{}` was {}, and is {}", at.path, said(was), said(is));
            self.change("change-type", at, Levels::SOURCE, message);
        }
    }

    fn pair_members(&mut self, path: &str, a: RecordId, b: RecordId) -> Vec<MemberPair> {
        let (old, new) = (self.old, self.new);
        let (mine, theirs) = (old.run(old[a].members), new.run(new[b].members));
        let path_of = |name: &str| {
            let mut text = inside(path);
            push_name(&mut text, name);
            text
        };
        let partners = self.partners(mine, theirs, &path_of);
        let mut members = Vec::new();
        for (at, &step) in mine.iter().enumerate() {
            let path = path_of(name(old, step));
            let Some(&other) = partners.get(&at) else {
                let message = format!("the member `{path}` was removed");
                let levels = Levels::LAYOUT.and(Levels::READ).and(Levels::SOURCE);
                self.push_lone(
                    "change-removed",
                    path,
                    levels,
                    message,
                    (Some(span(old, step)), None),
                );
                continue;
            };
            let spans = (span(old, step), span(new, theirs[other]));
            let here = At { path: &path, old: spans.0, new: spans.1 };
            let record = match (step, theirs[other]) {
                (Step::Param(x), Step::Param(y)) => {
                    self.params(here, x, y);
                    None
                }
                (Step::Array(x), Step::Array(y)) => self.members_of(here, x, y),
                _ => None,
            };
            members.push(MemberPair { old: at, new: other, path, record, spans });
        }
        let taken: HashSet<usize> = partners.values().copied().collect();
        for (_, &step) in theirs.iter().enumerate().filter(|(at, _)| !taken.contains(at)) {
            let path = path_of(name(new, step));
            let message = format!("the member `{path}` was added");
            let spans = (None, Some(span(new, step)));
            self.push_lone("change-added", path, Levels::NONE, message, spans);
        }
        members
    }

    /// Members by their names, then those that stand behind the same member and are alike. Params of
    /// both are one from here on.
    fn partners(
        &mut self,
        mine: &[Step],
        theirs: &[Step],
        path_of: &dyn Fn(&str) -> String,
    ) -> HashMap<usize, usize> {
        let (old, new) = (self.old, self.new);
        let by_key: HashMap<_, usize> =
            theirs.iter().enumerate().map(|(at, &step)| (key(new, step), at)).collect();
        let found = mine.iter().enumerate();
        let mut partners: HashMap<usize, usize> =
            found.filter_map(|(at, &step)| Some((at, *by_key.get(&key(old, step))?))).collect();
        for (&at, &other) in &partners {
            if let (Step::Param(x), Step::Param(y)) = (mine[at], theirs[other]) {
                self.unite(x, y);
            }
        }
        let mut taken: HashSet<usize> = partners.values().copied().collect();
        let mut next = 0;
        for (at, &step) in mine.iter().enumerate() {
            if let Some(&other) = partners.get(&at) {
                next = other + 1;
                continue;
            }
            let Some(&other) = theirs.get(next).filter(|_| !taken.contains(&next)) else {
                continue;
            };
            let alike = match (step, other) {
                (Step::Param(x), Step::Param(y)) => old[x].value == new[y].value,
                (Step::Array(x), Step::Array(y)) => self.alike_arrays(x, y),
                _ => false,
            };
            if !alike {
                continue;
            }
            if let (Step::Param(x), Step::Param(y)) = (step, other) {
                self.unite(x, y);
            }
            let (was, is) = (path_of(name(old, step)), path_of(name(new, other)));
            let message = format!("`{was}` is called `{is}` now");
            let here = At { path: &was, old: span(old, step), new: span(new, other) };
            let levels = Levels::READ.and(Levels::SOURCE);
            self.change("change-renamed", here, levels, message);
            partners.insert(at, next);
            taken.insert(next);
            next += 1;
        }
        partners
    }

    /// The summary block, which catalogs are made of.
    pub(super) fn summaries(&mut self) {
        let (old, new) = (self.old.summary(), self.new.summary());
        let at = At { path: "/", old: Span::default(), new: Span::default() };
        let message = match (old, new) {
            (None, None) => return,
            (Some(a), Some(b)) => {
                let (a, b) = (a.record, b.record);
                self.comments(at, DocKey::SUMMARY, DocKey::SUMMARY);
                let names = |layout: &'l Layout, id: RecordId| {
                    let steps = layout.run(layout[id].members);
                    steps.iter().map(|&step| name(layout, step)).collect::<Vec<_>>()
                };
                if names(self.old, a) == names(self.new, b) {
                    return;
                }
                "the summary has other members"
            }
            (None, Some(_)) => "the layout begins with a summary now",
            (Some(_), None) => "the layout has no summary any more",
        };
        let message = format!("{message}: catalogs of families do not fit");
        self.change("change-summary", at, Levels::READ.and(Levels::SOURCE), message);
    }

    /// Named types that only one of them has.
    pub(super) fn named_types(&mut self) {
        let (old, new) = (self.old, self.new);
        let names = |layout: &'l Layout| {
            let types = layout.types().iter();
            types.map(|ty| (layout.name(ty.name), ty.span)).collect::<Vec<_>>()
        };
        let (mine, theirs) = (names(old), names(new));
        let in_old: HashSet<&str> = mine.iter().map(|(name, _)| *name).collect();
        let in_new: HashSet<&str> = theirs.iter().map(|(name, _)| *name).collect();
        for (name, span) in mine.into_iter().filter(|(name, _)| !in_new.contains(*name)) {
            let message = format!("the type `{name}` was removed");
            let path = name.to_owned();
            self.push_lone("change-removed", path, Levels::SOURCE, message, (Some(span), None));
        }
        for (name, span) in theirs.into_iter().filter(|(name, _)| !in_old.contains(*name)) {
            let message = format!("the type `{name}` was added");
            let path = name.to_owned();
            self.push_lone("change-added", path, Levels::NONE, message, (None, Some(span)));
        }
    }
}
