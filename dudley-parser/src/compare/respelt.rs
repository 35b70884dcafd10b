//! Lists whose items are written in another way: `[f8, f8]`, `[f8]*2`, and `[f8]` repeated by an extension.
//!
//! What is compared has pairs of brackets that belong together. So where they do not, the items of one of the
//! layouts are put into the brackets of the other, if they fit.

use super::tree::{Tree, What};
use crate::layout::print::item;
use crate::layout::{ArrayId, Count, DictId, Layout, ListId, ROOT, Repeat, RepeatId, Run, Step};
use hashbrown::{HashMap, HashSet};

/// Items of one list that are looked at one by one.
const MOST: u64 = 4096;

/// Runs of alike items in a part of a list that is seen to repeat.
const LONGEST: usize = 64;

/// Both layouts, with lists that have the same brackets where that is so.
pub(super) struct Respelt {
    pub(super) old: Layout,
    pub(super) new: Layout,
    /// The lists of the old layout that this is about.
    pub(super) lists: HashSet<ListId>,
}

/// The layouts with other brackets, if there are lists that fit into those of the other layout.
pub(super) fn respelt(old: &Tree<'_>, new: &Tree<'_>) -> Option<Respelt> {
    let lists = |tree: &Tree<'_>| {
        let nodes = tree.nodes.iter().filter_map(|node| match node.what {
            What::List(list) => Some((node.path.clone(), list)),
            _ => None,
        });
        nodes.collect::<Vec<_>>()
    };
    let by_path: HashMap<String, ListId> = lists(new).into_iter().collect();
    let mut both: Option<Respelt> = None;
    for (path, mine) in lists(old) {
        let Some(&theirs) = by_path.get(&path) else { continue };
        if same_brackets(old.layout, mine, new.layout, theirs) {
            continue;
        }
        // The old brackets are those that findings are told in, if they can be.
        let (old_shape, new_shape) = (shape(old.layout, mine), shape(new.layout, theirs));
        let renewed = || Some((None, Some(fit(new.layout, theirs, &old_shape)?)));
        let reverted = || Some((Some(fit(old.layout, mine, &new_shape)?), None));
        let plain = || {
            let shape = plainest(old.layout, mine)?;
            let same = plainest(new.layout, theirs)? == shape;
            let both = || Some((fit(old.layout, mine, &shape)?, fit(new.layout, theirs, &shape)?));
            both().filter(|_| same).map(|(old, new)| (Some(old), Some(new)))
        };
        let Some((of_old, of_new)) = renewed().or_else(reverted).or_else(plain) else { continue };
        let both = both.get_or_insert_with(|| Respelt {
            old: old.layout.clone(),
            new: new.layout.clone(),
            lists: HashSet::new(),
        });
        of_old.into_iter().for_each(|fits| put(&mut both.old, mine, fits));
        of_new.into_iter().for_each(|fits| put(&mut both.new, theirs, fits));
        both.lists.insert(mine);
    }
    both
}

/// Whether the brackets of two lists are pairs as they stand.
fn same_brackets(old: &Layout, mine: ListId, new: &Layout, theirs: ListId) -> bool {
    let (mine, theirs) = (&old[mine].pieces, &new[theirs].pieces);
    let alike = |a: &Repeat, b: &Repeat| {
        let counts = match (a.count, b.count) {
            (Count::Int(a), Count::Int(b)) => a == b,
            (a, b) => !matches!(a, Count::Int(_)) && !matches!(b, Count::Int(_)),
        };
        counts && a.body.len() == b.body.len() && a.extension == b.extension
    };
    mine.len() == theirs.len() && mine.iter().zip(theirs).all(|(a, b)| alike(&old[*a], &new[*b]))
}

/// Brackets that stand one behind the other: those with numbers of items together, each other alone.
struct Segment {
    pieces: Vec<RepeatId>,
    fixed: bool,
}

fn segments(layout: &Layout, list: ListId) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for &piece in &layout[list].pieces {
        let fixed = matches!(layout[piece].count, Count::Int(_));
        let joins = |segment: &&mut Segment| {
            let last = segment.pieces.last().map(|last| layout[*last].step.wrapping_add(1));
            fixed && segment.fixed && last == Some(layout[piece].step)
        };
        match segments.last_mut().filter(joins) {
            Some(segment) => segment.pieces.push(piece),
            None => segments.push(Segment { pieces: vec![piece], fixed }),
        }
    }
    segments
}

/// Brackets without what stands in them.
#[derive(PartialEq, Eq)]
struct Brackets {
    items: usize,
    /// How often, if that is a number.
    count: Option<i64>,
    extension: bool,
}

/// The brackets of a list, those of a segment together.
fn shape(layout: &Layout, list: ListId) -> Vec<Vec<Brackets>> {
    let brackets = |piece: &RepeatId| {
        let piece = &layout[*piece];
        let count = match piece.count {
            Count::Int(count) => Some(count),
            _ => None,
        };
        Brackets { items: piece.body.len(), count, extension: piece.extension }
    };
    let segments = segments(layout, list).into_iter();
    segments.map(|segment| segment.pieces.iter().map(brackets).collect()).collect()
}

/// The brackets that the items of a list have when repetitions are found anew; none if there are too many items.
fn plainest(layout: &Layout, list: ListId) -> Option<Vec<Vec<Brackets>>> {
    let mut shape = shape(layout, list);
    let mut items = Items::new(layout, list);
    for (brackets, segment) in shape.iter_mut().zip(segments(layout, list)) {
        if !segment.fixed {
            continue;
        }
        let mut runs: Vec<(u32, u64)> = Vec::new();
        for (class, _, count) in items.flat(&segment.pieces)? {
            match runs.last_mut().filter(|last| last.0 == class) {
                Some(last) => last.1 = last.1.checked_add(count)?,
                None => runs.push((class, count)),
            }
        }
        brackets.clear();
        let mut rest = &runs[..];
        while !rest.is_empty() {
            let repeated = |length: usize| {
                rest.chunks(length).take_while(|chunk| *chunk == &rest[..length]).count()
            };
            // The longest part that repeats; a run alone does not.
            let lengths = (2..=(rest.len() / 2).min(LONGEST)).rev();
            let best = lengths.map(|length| (length * repeated(length), length));
            let best = best.filter(|(covered, length)| covered > length).max();
            let (covered, length) = best.unwrap_or((1, 1));
            let many: u64 = rest[..length].iter().map(|run| run.1).sum();
            let (items, count) =
                if length == 1 { (1, many) } else { (many, (covered / length) as u64) };
            brackets.push(Brackets {
                items: usize::try_from(items).ok()?,
                count: Some(i64::try_from(count).ok()?),
                extension: false,
            });
            rest = &rest[covered..];
        }
    }
    Some(shape)
}

/// New brackets in the place of some.
struct Fitted {
    instead: Vec<RepeatId>,
    pieces: Vec<Piece>,
}

struct Piece {
    steps: Vec<Item>,
    count: i64,
    extension: bool,
}

/// An item in its new brackets.
#[derive(Clone, Copy)]
struct Item {
    step: Step,
    /// It stands in other brackets as well.
    again: bool,
}

/// The items of a list in other brackets; none if they do not fit.
fn fit(of: &Layout, list: ListId, shape: &[Vec<Brackets>]) -> Option<Vec<Fitted>> {
    let mine = segments(of, list);
    // A list in a list is one pair of brackets.
    let too_many = of[list].outer.is_some() && shape.iter().any(|brackets| brackets.len() > 1);
    if mine.len() != shape.len() || too_many {
        return None;
    }
    let mut items = Items::new(of, list);
    let (mut used, mut last) = (HashSet::new(), None);
    let mut fitted = Vec::new();
    for (mine, brackets) in mine.into_iter().zip(shape) {
        if !mine.fixed {
            let (piece, [Brackets { items: many, count: None, extension }]) =
                (&of[*mine.pieces.first()?], &brackets[..])
            else {
                return None;
            };
            if piece.body.len() != *many || piece.extension != *extension {
                return None;
            }
            // An extension behind it repeats its last item.
            if let (Some(step), false) = (of.run(piece.body).last(), extension) {
                last = Some((items.class(*step), Some(Item { step: *step, again: false })));
            }
            continue;
        }
        let mut flat = items.flat(&mine.pieces)?.into_iter().peekable();
        let mut pieces = Vec::new();
        for brackets in brackets {
            let (count, extension) = (brackets.count?, brackets.extension);
            let steps = taken(&mut flat, brackets.items, u64::try_from(count).ok()?)?;
            let steps = match (extension, &last, &steps[..]) {
                // It shares the item that it repeats.
                (true, Some((class, Some(item))), [(one, _)]) if class == one => vec![*item],
                (true, ..) => return None,
                _ => {
                    let steps: Vec<(u32, Item)> = steps
                        .into_iter()
                        .map(|(class, step)| (class, Item { step, again: !used.insert(key(step)) }))
                        .collect();
                    let is_plain = |item: &Item| matches!(item.step, Step::Array(_));
                    if steps.iter().any(|(_, item)| item.again && !is_plain(item)) {
                        return None;
                    }
                    last = steps
                        .last()
                        .map(|(class, item)| (*class, Some(*item).filter(|item| !item.again)));
                    steps.into_iter().map(|(_, item)| item).collect()
                }
            };
            pieces.push(Piece { steps, count, extension });
        }
        if flat.next().is_some() {
            return None;
        }
        fitted.push(Fitted { instead: mine.pieces, pieces });
    }
    Some(fitted)
}

/// What an item is told from others by.
fn key(step: Step) -> (u8, usize) {
    match step {
        Step::Param(id) => (0, id.index()),
        Step::Array(id) => (1, id.index()),
        Step::Repeat(id) => (2, id.index()),
        Step::Group(id) => (3, id.index()),
        Step::Enter(id) => (4, id.index()),
    }
}

/// So many repetitions of so many items, from the front; none if they are not repetitions.
fn taken(
    flat: &mut std::iter::Peekable<std::vec::IntoIter<(u32, Step, u64)>>,
    items: usize,
    count: u64,
) -> Option<Vec<(u32, Step)>> {
    let mut steps: Vec<(u32, Step)> = Vec::with_capacity(items);
    if items == 0 || count == 0 {
        return None;
    }
    let mut left = (items as u64).checked_mul(count)?;
    if items > 1 && left > MOST {
        return None;
    }
    let mut at = 0;
    while left > 0 {
        let (class, step, repeated) = flat.peek_mut()?;
        if steps.len() < items {
            steps.push((*class, *step));
        }
        if steps[at % items].0 != *class {
            return None;
        }
        // A single item may be there a billion times.
        let many = if items == 1 { left.min(*repeated) } else { 1 };
        left -= many;
        at += 1;
        *repeated -= many;
        if *repeated == 0 {
            flat.next();
        }
    }
    Some(steps)
}

/// The items of a list, and which are alike.
struct Items<'l> {
    layout: &'l Layout,
    list: ListId,
    classes: HashMap<String, u32>,
    known: HashMap<(u8, usize), u32>,
}

impl<'l> Items<'l> {
    fn new(layout: &'l Layout, list: ListId) -> Self {
        Items { layout, list, classes: HashMap::new(), known: HashMap::new() }
    }

    /// A number that items have which are alike.
    fn class(&mut self, step: Step) -> u32 {
        if let Some(class) = self.known.get(&key(step)) {
            return *class;
        }
        let next = self.classes.len() as u32;
        let class = *self.classes.entry(item(self.layout, self.list, step)).or_insert(next);
        self.known.insert(key(step), class);
        class
    }

    /// The items that brackets stand for, each with how often it comes in a row; none if there are too many.
    fn flat(&mut self, pieces: &[RepeatId]) -> Option<Vec<(u32, Step, u64)>> {
        let mut flat = Vec::new();
        for piece in pieces.iter().map(|piece| &self.layout[*piece]) {
            let Count::Int(count) = piece.count else { return None };
            let count = u64::try_from(count).ok()?;
            let steps = self.layout.run(piece.body);
            if let (&[step], 1..) = (steps, count) {
                flat.push((self.class(step), step, count));
                continue;
            }
            if count.checked_mul(steps.len() as u64)? > MOST {
                return None;
            }
            for _ in 0..count {
                for &step in steps {
                    flat.push((self.class(step), step, 1));
                }
            }
        }
        Some(flat)
    }
}

/// Gives a list other brackets.
fn put(layout: &mut Layout, list: ListId, fitted: Vec<Fitted>) {
    // From the end, so that what is not yet done stays where it is.
    for Fitted { instead, pieces } in fitted.into_iter().rev() {
        let (Some(&first), many) = (instead.first(), instead.len()) else { continue };
        let step = layout[first].step as usize;
        let mut ids = Vec::new();
        for (at, piece) in pieces.into_iter().enumerate() {
            let like = layout[*instead.get(at).unwrap_or(&first)].clone();
            let steps = piece.steps.into_iter().map(|item| match item {
                Item { step: Step::Array(id), again: true } => {
                    let id = id.index();
                    layout.arrays.push(layout.arrays[id].clone());
                    Step::Array(ArrayId(layout.arrays.len() as u32 - 1))
                }
                Item { step, .. } => step,
            });
            let steps = steps.collect();
            // The item of an extension has its place where it is written.
            let body = match piece.extension {
                true => push_run(layout, steps),
                false => add_run(layout, steps),
            };
            let manner = layout.manner(body);
            let repeat = Repeat {
                body,
                count: Count::Int(piece.count),
                varying: manner.varying,
                phase: manner.phase,
                absolute: manner.absolute,
                nested: manner.nested,
                extension: piece.extension,
                ..like
            };
            ids.push(match instead.get(at) {
                Some(&id) => {
                    layout.repeats[id.index()] = repeat;
                    id
                }
                None => {
                    layout.repeats.push(repeat);
                    RepeatId(layout.repeats.len() as u32 - 1)
                }
            });
        }
        // A list within another keeps its one pair of brackets.
        if ids.len() != many {
            let home = layout[layout[list].dict].home;
            let mut steps = layout.run(layout[home].run).to_vec();
            steps.splice(step..step + many, ids.iter().map(|id| Step::Repeat(*id)));
            in_summary(layout, home, step, (many, ids.len()));
            let run = add_run(layout, steps);
            layout.dicts[home.index()].run = run;
        }
        let all = &mut layout.lists[list.index()].pieces;
        if let Some(at) = all.iter().position(|piece| *piece == first) {
            all.splice(at..at + many, ids);
        }
    }
}

/// Counts the steps of the summary anew, where others are put into the place of some of them.
fn in_summary(layout: &mut Layout, home: DictId, step: usize, (were, are): (usize, usize)) {
    if let Some(summary) = layout.summary.as_mut().filter(|it| step < it.steps as usize)
        && home == ROOT
    {
        summary.steps = summary.steps - were as u32 + are as u32;
    }
}

/// A run of steps, each of which knows its place there.
fn add_run(layout: &mut Layout, steps: Vec<Step>) -> Run {
    for (at, step) in (0..).zip(&steps) {
        match *step {
            Step::Param(id) => layout.params[id.index()].step = at,
            Step::Array(id) => layout.arrays[id.index()].step = at,
            Step::Repeat(id) => layout.repeats[id.index()].step = at,
            Step::Group(_) | Step::Enter(_) => {}
        }
    }
    push_run(layout, steps)
}

fn push_run(layout: &mut Layout, steps: Vec<Step>) -> Run {
    let start = layout.steps.len() as u32;
    layout.steps.extend(steps);
    Run { start, end: layout.steps.len() as u32 }
}
