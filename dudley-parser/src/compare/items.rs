//! Items and params of both layouts, compared one by one.

use super::Levels;
use super::declared::{At, Comparison};
use super::pairs::ArrayPair;
use crate::ast::FilterValue;
use crate::check::arrays::KNOWN_FILTERS;
use crate::comments::Attribute;
use crate::format::names::quoted;
use crate::formula::Labels;
use crate::layout::dtype::{ByteOrder, Primitive};
use crate::layout::presented::{Presented, View};
use crate::layout::{
    Array, ArrayId, Dim, DocKey, Element, FilterId, Layout, ParamId, ParamValue, Place,
};
use crate::span::Span;
use hashbrown::HashSet;

impl<'l> Comparison<'l> {
    pub(super) fn params(&mut self, at: At<'_>, a: ParamId, b: ParamId) {
        let (x, y) = (&self.old[a], &self.new[b]);
        let path = at.path;
        match (x.value, y.value) {
            (ParamValue::Fixed(x), ParamValue::Fixed(y)) if x == y => {}
            (ParamValue::Fixed(x), ParamValue::Fixed(y)) => {
                let message = format!("`{path}` was {x}, and is {y}");
                self.change("change-value", at, Levels::SOURCE, message);
            }
            (ParamValue::Streamed(x, old), ParamValue::Streamed(y, new)) => {
                // What a value means, which is another if the sign is read in another way, lies elsewhere.
                let levels = Levels::LAYOUT.and(Levels::READ).and(Levels::SOURCE);
                self.primitives(at, x, old, (y, new), levels);
            }
            (old, _) => {
                let (was, is) = match old {
                    ParamValue::Fixed(value) => (format!("{value} in the text"), "in the stream"),
                    ParamValue::Streamed(..) => ("in the stream".to_owned(), "fixed in the text"),
                };
                let message = format!("the value of `{path}` was {was}, and is {is}");
                let levels = Levels::LAYOUT.and(Levels::READ).and(Levels::SOURCE);
                self.change("change-param", at, levels, message);
            }
        }
        if x.stream_bytes != y.stream_bytes {
            let message = format!("`{path}` is the length of the stream in one of them only");
            self.change("change-param", at, Levels::LAYOUT.and(Levels::READ), message);
        }
        if x.to_end.is_some() != y.to_end.is_some() {
            let message = format!("`{path}` takes what the stream has left in one of them only");
            self.change("change-param", at, Levels::LAYOUT.and(Levels::READ), message);
        }
        let dtype = self.changes.last().is_some_and(|last| last.code == "change-dtype");
        if x.align != y.align && x.is_streamed() && y.is_streamed() && !dtype {
            self.aligned(at, x.align, y.align);
        }
        self.placed(at, x.place, y.place);
        self.comments(at, DocKey::of(x.span), DocKey::of(y.span));
    }

    /// Compares primitive types with their byte orders. `levels` are those of another type.
    fn primitives(
        &mut self,
        at: At<'_>,
        x: Primitive,
        old: Option<ByteOrder>,
        (y, new): (Primitive, Option<ByteOrder>),
        levels: Levels,
    ) {
        let path = at.path;
        if x != y {
            let (x, y) = (x.name(), y.name());
            let message = format!("`{path}` was of type `{x}`, and is of `{y}`");
            self.change("change-dtype", at, levels, message);
        }
        let (was, is) = (old.or(self.old.order()), new.or(self.new.order()));
        if was == is || x.swap_unit() < 2 || y.swap_unit() < 2 {
            return;
        }
        let levels = Levels::LAYOUT.and(Levels::READ);
        // What follows from the order of the whole layout is said there.
        let whole = self.order_change.filter(|_| old.is_none() && new.is_none());
        if let Some(change) = whole.and_then(|at| self.changes.get_mut(at)) {
            change.levels = levels;
        } else {
            let name = |order| match order {
                Some(ByteOrder::Little) => "of order `<`",
                Some(ByteOrder::Big) => "of order `>`",
                None => "of the order of the stream",
            };
            let message = format!("`{path}` was {}, and is {}", name(was), name(is));
            self.change("change-order", at, levels, message);
        }
    }

    fn aligned(&mut self, at: At<'_>, was: u64, is: u64) {
        let message = format!("the alignment of `{}` was {was}, and is {is}", at.path);
        self.change("change-align", at, Levels::NONE, message);
    }

    fn placed(&mut self, at: At<'_>, a: Place, b: Place) {
        let said = |labels: &Labels<'_>, place: Place| match place {
            Place::Next => "behind what is before it".to_owned(),
            Place::At(count, _) => format!("at `@{}`", labels.count(count)),
        };
        let same = match (a, b) {
            (Place::Next, Place::Next) => true,
            (Place::At(a, _), Place::At(b, _)) => self.same_count(a, b),
            _ => false,
        };
        if !same {
            let (was, is) = self.both(|side, labels| said(labels, [a, b][side]));
            let message = format!("`{}` was placed {was}, and is {is}", at.path);
            self.change("change-place", at, Levels::NONE, message);
        }
    }

    pub(super) fn arrays(&mut self, at: At<'_>, a: ArrayId, b: ArrayId) {
        let record = self.members_of(at, a, b);
        let number = self.pairs.arrays.len();
        self.pairs.arrays.push(ArrayPair { old: a, new: b, path: at.path.to_owned(), record });
        self.pairs.array_old[a.index()] = Some(number);
        self.pairs.array_new[b.index()] = Some(number);
    }

    /// Compares data items, list items or members; gives the pair of their structs.
    pub(super) fn members_of(&mut self, at: At<'_>, a: ArrayId, b: ArrayId) -> Option<usize> {
        let (x, y) = (&self.old[a], &self.new[b]);
        let before = self.changes.len();
        let record = self.elements(at, x, y);
        let dtype = self.changes[before..].iter().any(|change| change.code == "change-dtype");
        self.shapes(at, a, b);
        if seen(self.old, x) != seen(self.new, y) {
            let message = format!("the elements of `{}` are presented in another order", at.path);
            self.change("change-view", at, Levels::READ.and(Levels::SOURCE), message);
        }
        let args = |layout: &'l Layout, array: &Array| array.filter.map(|id| &layout[id].args);
        let same = self.same_filter(x, y);
        if !same || args(self.old, x) != args(self.new, y) {
            let (was, is) = (self.filter(0, x.filter), self.filter(1, y.filter));
            let message = format!("`{}` was stored {was}, and is {is}", at.path);
            let levels = if same { Levels::SOURCE } else { Levels::LAYOUT.and(Levels::READ) };
            self.change("change-filter", at, levels, message);
        }
        if x.align != y.align && !dtype {
            self.aligned(at, x.align, y.align);
        }
        self.placed(at, x.place, y.place);
        self.comments(at, DocKey::of(x.span), DocKey::of(y.span));
        record
    }

    /// Compares what arrays are made of; gives the pair of their structs.
    pub(super) fn elements(&mut self, at: At<'_>, x: &Array, y: &Array) -> Option<usize> {
        let path = at.path;
        if x.spliced != y.spliced {
            let message = format!("the record `{path}` is presented as items in one of them only");
            let levels = Levels::READ.and(Levels::SOURCE);
            self.change("change-kind", at, levels, message);
        }
        match (x.element, y.element) {
            (Element::Primitive(x, old), Element::Primitive(y, new)) => {
                self.primitives(at, x, old, (y, new), Levels::READ.and(Levels::SOURCE));
                None
            }
            (Element::Record(x), Element::Record(y)) => Some(self.records(at, x, y)),
            (x, _) => {
                let (was, is) = match x {
                    Element::Primitive(..) => ("of numbers or text", "of structs"),
                    Element::Record(_) => ("of structs", "of numbers or text"),
                };
                let message = format!("`{path}` was {was}, and is {is}");
                self.change("change-dtype", at, Levels::READ.and(Levels::SOURCE), message);
                None
            }
        }
    }

    fn shapes(&mut self, at: At<'_>, a: ArrayId, b: ArrayId) {
        let (x, y) = (self.old.dims(&self.old[a]), self.new.dims(&self.new[b]));
        let alike = x.iter().zip(y).all(|(x, y)| self.same_text(x.count, y.count));
        if x.len() == y.len() && alike {
            let (x, y): (Vec<&Dim>, Vec<&Dim>) = (x.iter().collect(), y.iter().collect());
            self.reshaped(at, &x, &y);
            return;
        }
        let (was, is) = self.both(|side, labels| {
            let dims: Vec<String> =
                [x, y][side].iter().map(|dim| labels.count(dim.count)).collect();
            format!("[{}]", dims.join(", "))
        });
        let path = at.path;
        if x.len() != y.len() {
            let message = format!(
                "`{path}` had {} and has {}: `{was}` and `{is}`",
                dimensions(x.len()),
                y.len()
            );
            self.change("change-rank", at, Levels::READ.and(Levels::SOURCE), message);
            return;
        }
        let equal = x.iter().zip(y).all(|(x, y)| {
            self.same_count(x.count, y.count)
                || self
                    .old
                    .known(x.count)
                    .is_some_and(|value| self.new.known(y.count) == Some(value))
        });
        let swapped = x.len() > 1
            && x.iter().all(|x| y.iter().any(|y| self.same_count(x.count, y.count)))
            && y.iter().all(|y| x.iter().any(|x| self.same_count(x.count, y.count)));
        let (message, levels) = match (equal, swapped) {
            // The number is the same, and may be overridden.
            (true, _) => (format!("`{path}` had shape `{was}`, now written `{is}`"), Levels::NONE),
            (_, true) => (
                format!("the dimensions of `{path}` change places: `{was}` and `{is}`"),
                Levels::READ.and(Levels::SOURCE),
            ),
            _ => (
                format!("`{path}` had shape `{was}`, and has `{is}`"),
                Levels::READ.and(Levels::SOURCE),
            ),
        };
        self.change("change-shape", at, levels, message);
    }

    /// Compares shapes that are written alike: fixed params in them may have other values now.
    pub(super) fn reshaped(&mut self, at: At<'_>, x: &[&Dim], y: &[&Dim]) {
        let unlike = x.iter().zip(y).any(|(x, y)| {
            let numbers = self.old.known(x.count).zip(self.new.known(y.count));
            numbers.is_some_and(|(was, is)| was != is)
        });
        if !unlike {
            return;
        }
        let dims = |side: usize, numbers: bool| {
            let (layout, labels) = ([self.old, self.new][side], &self.labels[side]);
            let shown = [x, y][side].iter().map(|dim| match layout.known(dim.count) {
                Some(number) if numbers => number.to_string(),
                _ => labels.count(dim.count),
            });
            format!("[{}]", shown.collect::<Vec<_>>().join(", "))
        };
        let message = format!(
            "`{}` had shape `{}`, and has `{}`, which is written `{}`",
            at.path,
            dims(0, true),
            dims(1, true),
            dims(1, false)
        );
        self.change("change-shape", at, Levels::READ.and(Levels::SOURCE), message);
    }

    /// Whether what one filter made is what the other takes. Some arguments are for the code that writes alone.
    pub(super) fn same_filter(&self, x: &Array, y: &Array) -> bool {
        let (x, y) = match (x.filter, y.filter) {
            (None, None) => return true,
            (Some(x), Some(y)) => (&self.old[x], &self.new[y]),
            _ => return false,
        };
        let stored = match (x.stored, y.stored) {
            (None, None) => true,
            (Some(x), Some(y)) => self.same_count(x.count, y.count),
            _ => false,
        };
        let name = self.old.name(x.name);
        // The arguments of these say how hard a writer tries; what they make tells a reader all that it needs.
        let args = x.args == y.args || KNOWN_FILTERS.contains(&name);
        stored && args && name == self.new.name(y.name)
    }

    fn filter(&self, side: usize, filter: Option<FilterId>) -> String {
        let layout = if side == 0 { self.old } else { self.new };
        let Some(id) = filter else { return "as it is".to_owned() };
        let stored = match layout[id].stored {
            Some(dim) => format!("[{}]", self.labels[side].count(dim.count)),
            None => String::new(),
        };
        let args: Vec<String> = layout[id].args.iter().map(argument).collect();
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        format!("by `{}{args}{stored}`", layout.name(layout[id].name))
    }

    /// Compares documentation, units and attributes.
    pub(super) fn comments(&mut self, at: At<'_>, x: DocKey, y: DocKey) {
        let (old, new) = (self.old, self.new);
        let path = at.path;
        let (was, is) = (old.unit(x), new.unit(y));
        if was != is {
            let said =
                |unit: Option<&str>| unit.map_or("none".to_owned(), |unit| format!("`{unit}`"));
            let message = format!("the unit of `{path}` was {}, and is {}", said(was), said(is));
            self.change("change-unit", at, Levels::SOURCE, message);
        } else if !old.doc(x).eq(new.doc(y)) {
            let message = format!("the documentation of `{path}` changed");
            self.change("change-doc", at, Levels::NONE, message);
        }
        let attribute = |all: &'l [Attribute], name: &str| all.iter().find(|it| it.name == name);
        let (mine, theirs) = (old.attributes(x), new.attributes(y));
        let names: Vec<&str> = mine.iter().chain(theirs).map(|one| one.name.as_str()).collect();
        let mut known = HashSet::new();
        for name in names.into_iter().filter(|name| *name != "units" && known.insert(*name)) {
            let (was, is) = (attribute(mine, name), attribute(theirs, name));
            if was.map(|it| &it.value) == is.map(|it| &it.value) {
                continue;
            }
            let how = match (was, is) {
                (None, _) => "was added to",
                (_, None) => "was removed from",
                _ => "changed at",
            };
            let (code, levels) = match name {
                "const" if is.is_none() => ("change-const", Levels::SOURCE),
                "const" => ("change-const", Levels::LAYOUT.and(Levels::READ).and(Levels::SOURCE)),
                "presence" => ("change-attribute", Levels::SOURCE),
                _ => ("change-attribute", Levels::NONE),
            };
            let message = format!("the attribute `{name}` {how} `{path}`");
            self.change(code, at, levels, message);
        }
    }
}

/// How an array is presented: the first of those dimensions that are written fastest first, for each of them, and what
/// is seen through a view.
fn seen<'l>(layout: &'l Layout, array: &Array) -> Option<(Vec<usize>, Option<View<'l>>)> {
    let layers = layout.layers(array).ok().filter(|_| array.presented)?;
    let (mut columns, mut view, mut at) = (Vec::new(), None, 0);
    for layer in layers {
        match layer.presented {
            Presented::Rows => columns.extend(at..at + layer.rank),
            Presented::Columns => columns.extend(vec![at; layer.rank]),
            Presented::View(seen) => view = Some(View { span: Span::default(), ..seen }),
        }
        at += layer.rank;
    }
    let is_plain = view.is_none() && columns.iter().copied().eq(0..columns.len());
    (!is_plain).then_some((columns, view))
}

fn argument(value: &FilterValue) -> String {
    match value {
        FilterValue::Int(value) => value.to_string(),
        FilterValue::Float(value) => format!("{value:?}"),
        FilterValue::Text(text) => quoted(text),
    }
}

fn dimensions(count: usize) -> String {
    match count {
        0 => "no dimensions".to_owned(),
        1 => "1 dimension".to_owned(),
        count => format!("{count} dimensions"),
    }
}
