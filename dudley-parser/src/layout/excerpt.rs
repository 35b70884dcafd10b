//! The part of a layout that one of its items needs: a small layout with that item, and little else.
//!
//! An excerpt holds the item, the params that it depends on, the types that it names, and the dicts
//! around it. Checked by itself it gives an item of the same type, shape, documentation and
//! attributes at the same path; where it lies is not in it, since what lies before is left out:
//! any code that uses it says so, by [`Given::cursors`](crate::resolve::Given::cursors). What is said about
//! dicts and named types is left out too.

mod needs;
mod part;

use super::print::Printer;
use super::{ArrayId, DictId, Layout, ListId, ParamId, Place, Step};
use crate::span::Span;
use hashbrown::HashMap;
pub use part::Part;

/// Makes excerpts of a layout.
///
/// ```
/// use dudley_parser::layout::excerpt::{Excerpts, Subject};
/// use dudley_parser::layout::Step;
///
/// let text = "M : 7  N : i8  a = f4[M]\ng/\n  rho = f8[N]  ## (g/cc) density\n  p = f8[N]";
/// let layout = dudley_parser::check(text.as_bytes()).layout.unwrap();
/// let Step::Array(rho) = layout.root()[4] else { panic!("rho is a data item") };
/// let excerpts = Excerpts::new(&layout);
/// let excerpt = excerpts.of(Subject::Array(rho));
/// assert_eq!(excerpt.text(&layout), "N : i8\ng/\nrho = f8[N]  ## (g/cc) density\n");
/// ```
pub struct Excerpts<'l> {
    layout: &'l Layout,
    /// The index of each type, by its name.
    types: HashMap<&'l str, usize>,
}

/// The subject of an excerpt. Params and items of structs and anonymous dicts have no excerpt of their own:
/// theirs is that of the data item or list around them.
///
/// ```
/// use dudley_parser::layout::excerpt::{Excerpts, Subject};
///
/// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
/// let (n, _) = layout.params().next().unwrap();
/// let excerpt = Excerpts::new(&layout).of(Subject::Param(n));
/// assert_eq!(excerpt.text(&layout), "N : i8\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A data item of a dict. Of a spliced record (spec 3.10) it is all of it.
    Array(ArrayId),
    /// A list that is declared in a dict.
    List(ListId),
    /// A param of a dict.
    Param(ParamId),
}

/// The part of a layout that one item needs. The text is `head`, and then the part at `own` of the layout.
///
/// ```
/// use dudley_parser::layout::excerpt::{Excerpts, Subject};
///
/// let layout = dudley_parser::check(b"a = f8  x = f8 @32").layout.unwrap();
/// let (x, _) = layout.arrays().nth(1).unwrap();
/// let excerpt = Excerpts::new(&layout).of(Subject::Array(x));
/// assert_eq!((excerpt.steps, excerpt.explicit), (vec![1], true));
/// ```
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// The text, except for the item itself where that is copied from the layout.
    pub head: String,
    /// The range of the item, with its comments, in the text of the layout; `None` if it is in
    /// the head: lists, summaries and spliced records are printed anew.
    pub own: Option<Span>,
    /// The steps of the layout's root that it has, in the order of its text, by their index. The
    /// steps of its own root are the same ones, but that dicts are entered before.
    pub steps: Vec<usize>,
    /// Everything in it has an address of its own: nothing that lies before matters to it.
    pub explicit: bool,
}

impl Excerpt {
    /// All of the text.
    ///
    /// ```
    /// use dudley_parser::layout::excerpt::{Excerpts, Subject};
    ///
    /// let layout = dudley_parser::check(b"a = f8  x = f8[3]").layout.unwrap();
    /// let (x, _) = layout.arrays().nth(1).unwrap();
    /// let excerpt = Excerpts::new(&layout).of(Subject::Array(x));
    /// assert_eq!(excerpt.text(&layout), "x = f8[3]\n");
    /// ```
    pub fn text(&self, layout: &Layout) -> String {
        match self.own.and_then(|own| layout.text.get(own.range())) {
            Some(own) => format!("{}{own}\n", self.head),
            None => self.head.clone(),
        }
    }
}

impl<'l> Excerpts<'l> {
    /// Excerpts of a layout.
    ///
    /// ```
    /// use dudley_parser::layout::excerpt::Excerpts;
    ///
    /// let layout = dudley_parser::check(b"grp/ x = f8").layout.unwrap();
    /// assert!(Excerpts::new(&layout).part(&["/grp"]).is_some());
    /// ```
    pub fn new(layout: &'l Layout) -> Excerpts<'l> {
        let types = layout.types().iter().enumerate();
        Excerpts { layout, types: types.map(|(at, ty)| (layout.name(ty.name), at)).collect() }
    }

    /// The excerpt of an item.
    ///
    /// ```
    /// use dudley_parser::layout::excerpt::{Excerpts, Subject};
    ///
    /// let layout = dudley_parser::check(b"M : 7  N : 2  x = f8[N]").layout.unwrap();
    /// let (x, _) = layout.arrays().next().unwrap();
    /// let excerpt = Excerpts::new(&layout).of(Subject::Array(x));
    /// assert_eq!(excerpt.text(&layout), "N : 2\nx = f8[N]\n");
    /// ```
    pub fn of(&self, subject: Subject) -> Excerpt {
        let (layout, steps) = (self.layout, self.steps(subject));
        let own = self.own(subject);
        let mut printer = Printer::new(layout);
        // Everything that is printed goes through here: types come first in the text, but which
        // ones are needed is known last.
        let (last, others) = match (own, steps.split_last()) {
            (Some((dict, span)), Some((_, others))) => (Some((dict, span)), others),
            _ => (None, &steps[..]),
        };
        for &step in others {
            printer.step_alone(layout.root()[step]);
        }
        if let Some((dict, _)) = last {
            printer.go_to(dict);
        }
        let body = printer.take();
        let own = last.map(|(_, span)| span);
        let mut used = self.types_in(&body);
        used.extend(own.into_iter().flat_map(|span| self.types_in(&layout.text[span.range()])));
        let mut head = layout.opening();
        for ty in self.closed(used) {
            printer.declare(ty);
        }
        head.push_str(&printer.take());
        head.push_str(&body);
        let explicit = steps.iter().all(|step| self.is_explicit(layout.root()[*step]));
        Excerpt { head, own, steps, explicit }
    }

    /// Where the text of a subject can be copied from: its dict, and the place.
    fn own(&self, subject: Subject) -> Option<(DictId, Span)> {
        let layout = self.layout;
        let (dict, name) = match subject {
            Subject::Array(id) if !layout[id].spliced => (layout[id].dict?, layout[id].span),
            // What decides its value stands behind it.
            Subject::Param(id) if layout[id].to_end.is_some() => return None,
            Subject::Param(id) => (needs::dict_of(layout, id)?, layout[id].span),
            Subject::Array(_) | Subject::List(_) => return None,
        };
        let declared = &layout.declared;
        let at = declared.binary_search_by_key(&name.start, |span| span.start).ok()?;
        Some((dict, declared[at]))
    }

    fn is_explicit(&self, step: Step) -> bool {
        let layout = self.layout;
        match step {
            Step::Param(id) => !layout[id].is_streamed() || layout[id].place != Place::Next,
            Step::Array(id) => layout[id].place != Place::Next,
            Step::Repeat(_) | Step::Group(_) | Step::Enter(_) => false,
        }
    }
}
