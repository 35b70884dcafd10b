//! Lists whose items are written in another way: `[f8, f8]`, `[f8]*2`, and `[f8]` repeated by an extension.
//!
//! What is compared has pairs of brackets that belong together. So where they do not, the items of one of the
//! layouts are put into the brackets of the other, if they fit.

mod put;

use super::tree::{Tree, What};
use crate::layout::print::Printer;
use crate::layout::{Count, Layout, ListId, Repeat, RepeatId, Step};
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
    let by_path: HashMap<&str, ListId> = lists(new).collect();
    let (mut old_items, mut new_items) = (Items::new(old.layout), Items::new(new.layout));
    let mut both: Option<Respelt> = None;
    for (path, mine) in lists(old) {
        let Some(&theirs) = by_path.get(path) else { continue };
        if same_brackets(old.layout, mine, new.layout, theirs) {
            continue;
        }
        // The old brackets are those that findings are told in, if they can be.
        let (old_shape, new_shape) = (shape(old.layout, mine), shape(new.layout, theirs));
        let fits = if let Some(fits) = new_items.fit(theirs, &old_shape) {
            Some((None, Some(fits)))
        } else if let Some(fits) = old_items.fit(mine, &new_shape) {
            Some((Some(fits), None))
        } else {
            let (plain, other) = (old_items.plainest(mine), new_items.plainest(theirs));
            plain.filter(|shape| other.as_ref() == Some(shape)).and_then(|shape| {
                Some((Some(old_items.fit(mine, &shape)?), Some(new_items.fit(theirs, &shape)?)))
            })
        };
        let Some((of_old, of_new)) = fits else { continue };
        let both = both.get_or_insert_with(|| Respelt {
            old: old.layout.clone(),
            new: new.layout.clone(),
            lists: HashSet::new(),
        });
        of_old.into_iter().for_each(|fits| put::put(&mut both.old, mine, fits));
        of_new.into_iter().for_each(|fits| put::put(&mut both.new, theirs, fits));
        both.lists.insert(mine);
    }
    both
}

/// The lists of a layout by their paths.
fn lists<'t>(tree: &'t Tree<'_>) -> impl Iterator<Item = (&'t str, ListId)> {
    tree.nodes.iter().filter_map(|node| match node.what {
        What::List(list) => Some((&*node.path, list)),
        _ => None,
    })
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

/// The items of lists, and which are alike.
struct Items<'l> {
    layout: &'l Layout,
    printer: Printer<'l>,
    classes: HashMap<String, u32>,
    known: HashMap<(u8, usize), u32>,
}

impl<'l> Items<'l> {
    fn new(layout: &'l Layout) -> Self {
        Items {
            layout,
            printer: Printer::new(layout),
            classes: HashMap::new(),
            known: HashMap::new(),
        }
    }

    /// A number that items have which are alike.
    fn class(&mut self, list: ListId, step: Step) -> u32 {
        if let Some(class) = self.known.get(&key(step)) {
            return *class;
        }
        let next = self.classes.len() as u32;
        let class = *self.classes.entry(self.printer.list_item(list, step)).or_insert(next);
        self.known.insert(key(step), class);
        class
    }

    /// The items that brackets stand for, each with how often it comes in a row; none if there are too many.
    fn flat(&mut self, list: ListId, pieces: &[RepeatId]) -> Option<Vec<(u32, Step, u64)>> {
        let mut flat = Vec::new();
        for piece in pieces.iter().map(|piece| &self.layout[*piece]) {
            let Count::Int(count) = piece.count else { return None };
            let count = u64::try_from(count).ok()?;
            let steps = self.layout.run(piece.body);
            if let (&[step], 1..) = (steps, count) {
                flat.push((self.class(list, step), step, count));
                continue;
            }
            if count.checked_mul(steps.len() as u64)? > MOST {
                return None;
            }
            for _ in 0..count {
                for &step in steps {
                    flat.push((self.class(list, step), step, 1));
                }
            }
        }
        Some(flat)
    }

    /// The brackets that the items of a list have when repetitions are found anew; none if there are too many items.
    fn plainest(&mut self, list: ListId) -> Option<Vec<Vec<Brackets>>> {
        let mut shape = shape(self.layout, list);
        for (brackets, segment) in shape.iter_mut().zip(segments(self.layout, list)) {
            if !segment.fixed {
                continue;
            }
            let mut runs: Vec<(u32, u64)> = Vec::new();
            for (class, _, count) in self.flat(list, &segment.pieces)? {
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

    /// The items of a list in other brackets; none if they do not fit.
    fn fit(&mut self, list: ListId, shape: &[Vec<Brackets>]) -> Option<Vec<Fitted>> {
        let of = self.layout;
        let mine = segments(of, list);
        // A list in a list is one pair of brackets.
        let too_many = of[list].outer.is_some() && shape.iter().any(|brackets| brackets.len() > 1);
        if mine.len() != shape.len() || too_many {
            return None;
        }
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
                    last =
                        Some((self.class(list, *step), Some(Item { step: *step, again: false })));
                }
                continue;
            }
            let mut flat = self.flat(list, &mine.pieces)?.into_iter().peekable();
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
                            .map(|(class, step)| {
                                (class, Item { step, again: !used.insert(key(step)) })
                            })
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
}
