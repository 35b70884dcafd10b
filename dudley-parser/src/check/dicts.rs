//! Dicts: what stands in them, one declaration after the other, and paths.

use super::Checker;
use super::arrays::Owner;
use crate::ast::{Item, ItemKind, Name};
use crate::diagnostic::Diagnostic;
use crate::layout::{ArrayId, DictId, DocKey, Element, Entry, Step};
use crate::names::Symbol;
use crate::span::Span;

/// Where a walk through a dict body stands.
struct Walk {
    /// The dict that `/` goes back to: the root or an anonymous dict.
    root: DictId,
    current: DictId,
    /// The end of the item before, for what touches it or stands on its line.
    end: u32,
    last: Last,
    /// A path declared something on its own line: where that ended, and the path.
    path: Option<(u32, Span)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Last {
    Nothing,
    Up(Span),
    /// An entered dict, and the path so far, if it is all on one line.
    Enter(Span),
}

impl<'a> Checker<'a> {
    /// Declares what stands in the root or in an anonymous dict, with all dicts below it.
    pub(super) fn dict_body(&mut self, items: &'a [Item], root: DictId, steps: &mut Vec<Step>) {
        let outer = std::mem::replace(&mut self.dict, root);
        let mut walk = Walk { root, current: root, end: 0, last: Last::Nothing, path: None };
        for item in items {
            self.dict = walk.current;
            self.warn_path_goes_on(&mut walk, item);
            self.dict_item(&mut walk, item, steps);
            walk.end = item.span.end;
        }
        self.dict = outer;
    }

    fn dict_item(&mut self, walk: &mut Walk, item: &'a Item, steps: &mut Vec<Step>) {
        match &item.kind {
            ItemKind::Enter { name, .. } => return self.enter(walk, *name, steps),
            ItemKind::Up => return self.go_up(walk, item.span),
            ItemKind::Root => return self.go_to_root(walk, item.span),
            ItemKind::Broken { .. } => self.docs.begin(item.span.start, DocKey::of(item.span)),
            ItemKind::Data { name, array } => self.data(*name, array, item.poisoned, steps),
            ItemKind::Param { name, value, .. } => {
                self.dict_param(*name, value, item.poisoned, steps);
            }
            ItemKind::List { name, list, .. } => self.named_list(*name, list, steps),
            ItemKind::Extend { name, count, .. } => self.extend_list(*name, count, item, steps),
            ItemKind::Type { name, body } => self.declare_type(*name, body, item.poisoned),
        }
        if let Last::Enter(start) = walk.last
            && self.same_line(walk.end, item.span.start)
        {
            walk.path = Some((item.span.end, start.to(item.span)));
        }
        walk.last = Last::Nothing;
    }

    fn enter(&mut self, walk: &mut Walk, name: Name, steps: &mut Vec<Step>) {
        let known = self.entry(walk.current, name.symbol);
        let dict = match known {
            Some(Entry::Dict(dict)) => dict,
            _ => {
                let home = Some(walk.root);
                let dict = self.new_dict(Some(walk.current), name.symbol, home, None, name.span);
                self.declare(walk.current, name, Entry::Dict(dict));
                steps.push(Step::Enter(dict));
                dict
            }
        };
        let key = DocKey::of(self.layout[dict].span);
        self.docs.begin(name.span.start, key);
        let path = match walk.last {
            Last::Enter(start) if self.same_line(walk.end, name.span.start) => start,
            _ => name.span,
        };
        walk.last = Last::Enter(path);
        walk.current = dict;
    }

    fn go_up(&mut self, walk: &mut Walk, span: Span) {
        if walk.current == walk.root {
            let place = if walk.root == crate::layout::ROOT { "root" } else { "anonymous dict" };
            let message = format!("`..` has no effect at the {place}");
            self.report(Diagnostic::warning("dotdot-root", span, message));
        } else if let Some(parent) = self.layout[walk.current].parent {
            walk.current = parent;
        }
        walk.last = Last::Up(span);
        walk.path = None;
    }

    fn go_to_root(&mut self, walk: &mut Walk, span: Span) {
        if let Last::Up(up) = walk.last
            && up.end == span.start
        {
            let message = "`../` goes to the root: the `/` is an item of its own";
            let help = "write `..` and the name behind it without `/` to stay in the parent dict";
            self.report(Diagnostic::warning("dotdot-slash", up, message).help(help));
        }
        walk.current = walk.root;
        walk.last = Last::Nothing;
        walk.path = None;
    }

    /// A path leaves its dict open, which a reader would not expect on the next line (spec 2.5).
    fn warn_path_goes_on(&mut self, walk: &mut Walk, item: &Item) {
        let Some((end, path)) = walk.path else { return };
        if matches!(item.kind, ItemKind::Up | ItemKind::Root | ItemKind::Broken { .. })
            || self.same_line(end, item.span.start)
        {
            return;
        }
        walk.path = None;
        let message = "this is declared in the dict that the path above leads to";
        let help = "put `/` or `..` before it to leave that dict, or the dict on a line of its own";
        let start = Span::new(item.span.start, item.span.start + 1);
        self.report(
            Diagnostic::warning("path-continues", start, message)
                .also(path, "this path stays open")
                .help(help),
        );
    }

    fn same_line(&self, from: u32, to: u32) -> bool {
        let between = self.text.as_bytes().get(from as usize..to as usize).unwrap_or_default();
        !between.iter().any(|&byte| byte == b'\n' || byte == b'\r')
    }

    /// A data item of a dict.
    pub(super) fn data(
        &mut self,
        name: Name,
        array: &'a crate::ast::Array,
        poisoned: bool,
        steps: &mut Vec<Step>,
    ) {
        let key = DocKey::of(name.span);
        self.docs.begin(name.span.start, key);
        let owner = Owner { name: name.symbol, dict: Some(self.dict), span: name.span, key };
        let id = self.array(array, owner, poisoned, steps.len() as u32);
        steps.push(Step::Array(id));
        if name.symbol == Symbol::EMPTY
            && let Element::Record(record) = self.layout[id].element
        {
            self.splice(name, id, record, array);
        } else {
            self.declare(self.dict, name, Entry::Array(id));
        }
    }

    /// `"" = { … }`: the members become items of the dict (spec 3.10).
    fn splice(
        &mut self,
        name: Name,
        id: ArrayId,
        record: crate::layout::RecordId,
        array: &crate::ast::Array,
    ) {
        self.declare(self.dict, name, Entry::Array(id));
        self.layout.arrays[id.index()].spliced = true;
        if let Some(filter) = &array.filter {
            let message = "a record that is presented as items of the dict cannot be filtered";
            self.report(Diagnostic::error("filter-target", filter.span, message));
        }
        if self.poisoned_records.contains(&record) {
            return;
        }
        let (variable, members) = (self.layout[record].variable, self.layout[record].members);
        if variable {
            let message = "a record that is presented as items of the dict must be of fixed size";
            self.report(Diagnostic::error("splice-variable", name.span, message));
            return;
        }
        for at in 0..members.len() {
            let step = self.layout.run(members)[at];
            let Some((symbol, span)) = self.layout.presented_member(step) else { continue };
            if symbol == Symbol::EMPTY {
                let message = "a member of a record without a name cannot itself be without one";
                self.report(
                    Diagnostic::error("splice-nested", name.span, message).also(span, "this one"),
                );
                continue;
            }
            self.declare(self.dict, Name { symbol, span }, Entry::Spliced(id, at as u32));
        }
    }
}
