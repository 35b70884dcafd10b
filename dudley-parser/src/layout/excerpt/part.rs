//! Part of a layout as a layout of its own, with every comment on what stays.

use std::collections::{BTreeMap, BTreeSet};

use super::needs::needed;
use super::{Excerpts, Step};
use crate::ast::{Array, Ast, Comment, CommentKind, Item, ItemKind, ParamValue, Place};
use crate::layout::Layout;
use crate::layout::print::Printer;
use crate::parse::parse;
use crate::span::Span;
use hashbrown::{HashMap, HashSet};

/// Some items of a layout, what they need, and nothing else.
#[derive(Clone, Debug)]
pub struct Part {
    /// The steps of the root of the layout that it has, by their index, in the order of the text. The steps of its
    /// own root are the same ones, but that dicts are entered before.
    pub steps: Vec<usize>,
    /// Where the dicts are named that it has for themselves, and not only for what is in them.
    dicts: HashSet<u32>,
}

impl Excerpts<'_> {
    /// The items at and below some paths of dicts, data items, lists and params, with the params and types that they
    /// need, and the dicts around them. `None` if there is nothing in a dict at or below one of the paths, as where an
    /// item of a list is meant, and if a list in it has items with addresses of their own.
    ///
    /// ```
    /// use dudley_parser::layout::excerpt::Excerpts;
    ///
    /// let layout = dudley_parser::check(b"x = f8  grp/ y = f8").layout.unwrap();
    /// let excerpts = Excerpts::new(&layout);
    /// assert!(excerpts.part(&["/grp", "/x"]).is_some());
    /// assert!(excerpts.part(&["/z"]).is_none());
    /// ```
    pub fn part(&self, paths: &[impl AsRef<str>]) -> Option<Part> {
        let layout = self.layout;
        let found: Vec<_> = layout.root().iter().map(|step| path_of(layout, *step)).collect();
        let mut picked = BTreeSet::new();
        for path in paths {
            let path = path.as_ref().trim_end_matches('/');
            let is_below = |step: &Option<String>| {
                let rest = step.as_deref().and_then(|step| step.strip_prefix(path));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            let mut below = found.iter().enumerate().filter(|(_, step)| is_below(step)).peekable();
            below.peek()?;
            picked.extend(below.map(|(at, _)| at));
        }
        let dicts = picked.iter().filter_map(|at| match layout.root()[*at] {
            Step::Enter(dict) => Some(layout[dict].span.start),
            _ => None,
        });
        let dicts = dicts.collect();
        let steps = needed(layout, &picked)?.into_iter().collect();
        Some(Part { steps, dicts })
    }

    /// The text of a part, as it stands in the layout, except for the addresses that items of dicts are reported to lie at: an
    /// item follows the one before it, wherever that lay, and has no alignment if it is among the `unaligned`, by the
    /// index of its step.
    ///
    /// ```
    /// use dudley_parser::layout::excerpt::Excerpts;
    ///
    /// let text = "M : i8  N : i8  ## zones\ng/  ## state\n  # mean\n  rho = f8[N] @96  ## (g/cc) density\n  p = f8[M]";
    /// let layout = dudley_parser::check(text.as_bytes()).layout.unwrap();
    /// let excerpts = Excerpts::new(&layout);
    /// let part = excerpts.part(&["/g/rho"]).unwrap();
    /// assert_eq!(part.steps, [1, 3]);
    /// let expected = "N : i8  ## zones\ng/  ## state\n  # mean\n  rho = f8[N]  ## (g/cc) density\n";
    /// assert_eq!(excerpts.text_of(&part, &[]), expected);
    /// ```
    pub fn text_of(&self, part: &Part, unaligned: &[usize]) -> String {
        Cut::new(self.layout, part, unaligned).text(self)
    }
}

/// The path of what a step of the root declares, or of the dict that it enters.
fn path_of(layout: &Layout, step: Step) -> Option<String> {
    match step {
        Step::Enter(dict) => Some(layout.dict_path(dict)),
        step => layout.step_path(step),
    }
}

/// The text of a layout, cut into what each item of its dicts has of it.
struct Cut<'c> {
    layout: &'c Layout,
    ast: Ast,
    /// Where the text of each item begins: behind all that is said about the one before it.
    begins: Vec<usize>,
    /// Where what stays is declared, by the offset of its name, and whether it is unaligned.
    stays: HashMap<u32, bool>,
    /// Where dicts are named that stay whatever is in them.
    dicts: &'c HashSet<u32>,
    /// What stays of the summary.
    summary: Vec<Step>,
    /// Where the types are declared that stay, with their index.
    types: BTreeMap<u32, usize>,
}

/// Text that grows by pieces of the text of a layout.
struct Grown<'c> {
    layout: &'c Layout,
    text: String,
    /// Where the last piece ended there.
    end: usize,
    /// So much of the text is needed if nothing follows: at its end no dict need be left.
    needed: usize,
}

impl<'c> Cut<'c> {
    fn new(layout: &'c Layout, part: &'c Part, unaligned: &[usize]) -> Cut<'c> {
        let ast = parse(layout.body().as_bytes()).ast;
        let in_summary = layout.summary().map_or(0, |summary| summary.steps as usize);
        let steps = || part.steps.iter().map(|at| (*at, layout.root()[*at]));
        let stays = steps().filter_map(|(at, step)| {
            let span = match step {
                Step::Array(id) => layout[id].span,
                Step::Param(id) => layout[id].span,
                Step::Repeat(id) => layout[id].span,
                Step::Group(_) | Step::Enter(_) => return None,
            };
            Some((span.start, unaligned.binary_search(&at).is_ok()))
        });
        let stays = stays.collect();
        let summary = steps().filter(|(at, _)| *at < in_summary).map(|(_, step)| step).collect();
        let begins = begins(layout.body(), &ast);
        Cut { layout, ast, begins, stays, dicts: &part.dicts, summary, types: BTreeMap::new() }
    }

    /// The text of what stays.
    fn text(mut self, excerpts: &Excerpts<'_>) -> String {
        // Which types are needed is known once the rest is there.
        let used = excerpts.types_in(&self.grown());
        let types = self.layout.types();
        let used = excerpts.closed(used).into_iter();
        self.types = used.map(|ty| (types[ty].span.start, ty)).collect();
        self.grown()
    }

    fn grown(&self) -> String {
        let layout = self.layout;
        let mut grown = Grown { layout, text: String::new(), end: 0, needed: 0 };
        let first = self.begins.first().copied().unwrap_or(layout.body().len());
        let before = self.ast.summary.as_ref().map_or(first, |it| it.span.start as usize);
        grown.add(0, before.min(first), None);
        if !self.summary.is_empty() {
            let mut printer = Printer::new(layout);
            self.summary.iter().for_each(|step| printer.step_alone(*step));
            grown.print(&printer.take());
        }
        // The dicts around what comes next, each with the item that enters it, as long as nothing of it stays.
        let mut around: Vec<Option<usize>> = Vec::new();
        // Whether the declaration stays that comments are about.
        let mut is_last_kept = true;
        for (at, item) in self.ast.items.iter().enumerate() {
            let begin = self.begins[at];
            let end = self.begins.get(at + 1).copied().unwrap_or(layout.body().len());
            let stays = match &item.kind {
                ItemKind::Enter { name, .. } => {
                    around.push(Some(at));
                    is_last_kept = self.dicts.contains(&name.span.start);
                    if is_last_kept {
                        self.enter(&mut around, &mut grown);
                    }
                    continue;
                }
                ItemKind::Up | ItemKind::Root => {
                    let closed = match item.kind {
                        ItemKind::Root => std::mem::take(&mut around),
                        _ => around.pop().into_iter().collect(),
                    };
                    if closed.iter().any(Option::is_none) {
                        // What is said behind it is about the last declaration.
                        let last = item.span.end as usize;
                        let end = if is_last_kept { end } else { last };
                        let leads_on = layout.body()[last..end].trim().is_empty();
                        let needed = grown.needed;
                        grown.add(begin, end, None);
                        if leads_on {
                            grown.needed = needed;
                        }
                    }
                    continue;
                }
                // Types belong to no dict.
                ItemKind::Type { name, .. } => self.types.contains_key(&name.span.start),
                _ => self.stays.contains_key(&item.span.start),
            };
            is_last_kept = stays;
            if !stays {
                // Types that are declared within it may be needed all the same.
                let range = item.span.start..item.span.end;
                for (_, ty) in self.types.range(range) {
                    let mut printer = Printer::new(layout);
                    printer.declare(*ty);
                    grown.print(&printer.take());
                }
                continue;
            }
            if !matches!(item.kind, ItemKind::Type { .. }) {
                self.enter(&mut around, &mut grown);
            }
            let unaligned = self.stays.get(&item.span.start).copied().unwrap_or(false);
            grown.add(begin, end, address(item).map(|span| (span, unaligned)));
        }
        let mut text = grown.text;
        text.truncate(grown.needed);
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }

    /// Adds what enters the dicts around an item, as far as that is not there.
    fn enter(&self, around: &mut [Option<usize>], grown: &mut Grown<'_>) {
        for enter in around.iter_mut().filter_map(Option::take) {
            let end = self.begins.get(enter + 1).copied().unwrap_or(self.layout.body().len());
            grown.add(self.begins[enter], end, None);
        }
    }
}

impl Grown<'_> {
    /// Begins a new line.
    fn line(&mut self) {
        self.text.truncate(self.text.trim_end().len());
        self.needed = self.needed.min(self.text.len());
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// Adds whole lines that do not stand so in the layout.
    fn print(&mut self, lines: &str) {
        self.line();
        self.text.push_str(lines);
        (self.end, self.needed) = (usize::MAX, self.text.len());
    }

    /// Adds a piece of the text, without an address in it, of which it is said whether it is unaligned.
    fn add(&mut self, begin: usize, end: usize, without: Option<(Span, bool)>) {
        let body = self.layout.body();
        let (mut begin, joins) = (begin, self.end == begin);
        if !joins {
            // Something was left out, and with it perhaps the end of a line with a comment.
            self.line();
            let blank = body[begin..end].len() - body[begin..end].trim_start().len();
            begin += body[begin..begin + blank].rfind('\n').map_or(blank, |at| at + 1);
        }
        match without {
            None => self.text.push_str(&body[begin..end]),
            Some((span, unaligned)) => {
                self.text.push_str(body[begin..span.start as usize].trim_end());
                self.text.push_str(if unaligned { " %1" } else { "" });
                self.text.push_str(&body[span.end as usize..end]);
            }
        }
        (self.end, self.needed) = (end, self.text.len());
    }
}

/// Where an item is reported to lie.
fn address(item: &Item) -> Option<Span> {
    let of = |array: &Array| {
        array.place.as_ref().filter(|it| matches!(it, Place::At { .. })).map(Place::span)
    };
    match &item.kind {
        ItemKind::Data { array, .. } | ItemKind::Param { value: ParamValue::Typed(array), .. } => {
            of(array)
        }
        _ => None,
    }
}

/// Where the text of each item begins: plain comments on lines of their own in front of an item are its, and all else
/// that stands between two items is about the first.
fn begins(text: &str, ast: &Ast) -> Vec<usize> {
    let mut comments = ast.comments.iter().peekable();
    let mut begins = Vec::with_capacity(ast.items.len());
    let mut last = ast.summary.as_ref().map_or(0, |summary| summary.span.end as usize);
    for (at, item) in ast.items.iter().enumerate() {
        let start = item.span.start as usize;
        let mut begin = last;
        while let Some(Comment { span, kind }) =
            comments.next_if(|it| (it.span.start as usize) < start)
        {
            if (span.start as usize) < last {
                // Within the item before.
                continue;
            }
            let own_line = text[begin..span.start as usize].contains('\n');
            if *kind != CommentKind::Plain || !own_line {
                begin = span.end as usize;
            }
        }
        // What stands in front of the first item is about all of them.
        begins.push(if at == 0 { start_of_line(text, start) } else { begin });
        last = item.span.end as usize;
    }
    begins
}

/// Where the line of an offset begins, if only blanks stand before that in it; else the offset.
fn start_of_line(text: &str, offset: usize) -> usize {
    let blank = text[..offset].trim_end_matches([' ', '\t']);
    if blank.is_empty() || blank.ends_with('\n') { blank.len() } else { offset }
}
