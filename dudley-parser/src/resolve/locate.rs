//! One thing of a layout, found by going down from the root, and where it lies.

use super::{ErrorKind, ResolveError, Resolver, Result};
use crate::layout::{
    Array, ArrayId, DictId, Entry, Layout, ListId, ParamId, ROOT, RepeatId, Scope, Step,
};
use crate::place;
use crate::span::Span;

/// Something of a layout, in one place of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its kind.
    pub target: Target,
    /// The lists on the way to it.
    pub position: Position,
}

/// The kind of a [`Node`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A dict.
    Dict(DictId),
    /// A list.
    List(ListId),
    /// A data item of a dict, or an item of a list.
    Array(ArrayId),
    /// A member of a record that is presented as items of its dict (spec 3.10): the record, and the
    /// index of the member among its steps.
    Spliced(ArrayId, u32),
    /// A param of a dict.
    Param(ParamId),
}

/// The way from the root to an item through lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    hops: Vec<Hop>,
}

/// One list on the way: the piece, the repetition, the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hop {
    piece: RepeatId,
    index: u64,
    element: u32,
}

/// Where an item lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Bytes from the start of the stream.
    pub address: u64,
    /// Bytes in the stream.
    pub bytes: u64,
}

/// The run that something lies in, and where the cursor stands at its start.
#[derive(Clone)]
pub(super) enum Within {
    Root,
    Group(DictId, Result<u64>),
}

/// What the hops of a position lead to.
pub(super) struct Spot {
    pub(super) within: Within,
    /// The last element, with the cursor before it, if it is no anonymous dict.
    pub(super) element: Option<(Step, Result<u64>)>,
}

impl Node {
    /// The root dict.
    pub fn root() -> Node {
        Node { target: Target::Dict(ROOT), position: Position::default() }
    }

    /// For an item of a list: its piece, and its place in the brackets of the piece.
    pub fn in_list(&self) -> Option<(RepeatId, u32)> {
        self.position.hops.last().map(|hop| (hop.piece, hop.element))
    }

    /// Whether this item of a list and another one are the same element of repetitions that do not
    /// vary: then all between them lie equally far apart, but perhaps for the very first.
    pub fn repeats_as(&self, other: &Node, layout: &Layout) -> bool {
        match (self.position.hops.last(), other.position.hops.last()) {
            (Some(one), Some(other)) => {
                let repeat = &layout[one.piece];
                (one.piece, one.element) == (other.piece, other.element)
                    && !repeat.varying
                    && !repeat.absolute
            }
            _ => false,
        }
    }
}

impl Resolver<'_> {
    /// The item of a name in a dict; `None` if it is no dict, or has no such item.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Node, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"grp/ x = f8").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let group = resolver.child(&Node::root(), "grp").unwrap();
    /// assert!(resolver.child(&group, "x").is_some());
    /// assert!(resolver.child(&group, "y").is_none());
    /// ```
    pub fn child(&self, node: &Node, name: &str) -> Option<Node> {
        let Target::Dict(dict) = node.target else { return None };
        let entry = self.layout.entry(dict, self.layout.symbol(name)?)?;
        let target = match entry {
            Entry::Array(id) => Target::Array(id),
            Entry::Spliced(id, member) => Target::Spliced(id, member),
            Entry::Dict(id) => Target::Dict(id),
            Entry::List(id) => Target::List(id),
        };
        Some(Node { target, position: node.position.clone() })
    }

    /// A param of a dict: the declaration of that ordinal, from 0.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Node, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"N : 3  x = f8[N]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let n = resolver.param_of(&Node::root(), "N", 0).unwrap();
    /// assert_eq!(resolver.value_at(&n)?, (3, None));
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    pub fn param_of(&self, node: &Node, name: &str, ordinal: usize) -> Option<Node> {
        let Target::Dict(dict) = node.target else { return None };
        let found = self.layout.declarations(dict, self.layout.symbol(name)?);
        let target = Target::Param(*found.get(ordinal)?);
        Some(Node { target, position: node.position.clone() })
    }

    /// How many items a list has.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Node, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"l [f8, i4]*2").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let list = resolver.child(&Node::root(), "l").unwrap();
    /// assert_eq!(resolver.length(&list)?, 4);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If a repeat is unknown or illegal.
    pub fn length(&mut self, node: &Node) -> Result<u64> {
        match self.known_length(node) {
            (length, None) => Ok(length),
            (_, Some(error)) => Err(error),
        }
    }

    /// How many items a list has as far as that is known, and why no more are.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Node, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"N : i8  l [f8]  l [f8]*N").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let list = resolver.child(&Node::root(), "l").unwrap();
    /// let (length, error) = resolver.known_length(&list);
    /// assert_eq!((length, error.is_some()), (1, true)); // no stream has N
    /// ```
    pub fn known_length(&mut self, node: &Node) -> (u64, Option<ResolveError>) {
        let Target::List(list) = node.target else { return (0, None) };
        let mut length = 0;
        for at in 0..self.layout[list].pieces.len() {
            let more = self.piece(node, list, at).and_then(|(_, items)| {
                place::add(length, items).ok_or_else(|| {
                    ResolveError::new(ErrorKind::SizeOverflow, self.layout[list].span)
                })
            });
            match more {
                Ok(more) => length = more,
                Err(error) => return (length, Some(error)),
            }
        }
        (length, None)
    }

    /// A piece of a list, and how many items it has.
    fn piece(&mut self, node: &Node, list: ListId, at: usize) -> Result<(RepeatId, u64)> {
        let id = self.layout[list].pieces[at];
        self.enter(node, id);
        let repeat = &self.layout[id];
        let items = place::multiply(self.repetitions(id)?, repeat.body.len() as u64);
        let span = repeat.span;
        Ok((id, items.ok_or_else(|| ResolveError::new(ErrorKind::SizeOverflow, span))?))
    }

    /// Puts the params in force that the count of a piece may need.
    fn enter(&mut self, node: &Node, piece: RepeatId) {
        if node.position.hops.is_empty() {
            return;
        }
        let spot = self.spot(&node.position);
        if let (within @ Within::Group(..), None) = (spot.within, spot.element) {
            // It may lie nowhere, and its count be known all the same.
            let _ = self.cursor_in(&within, self.layout[piece].step as usize);
        }
    }

    /// An item of a list, by index from 0; `None` if the list is shorter.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Node, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"l [f8]*2").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let list = resolver.child(&Node::root(), "l").unwrap();
    /// let item = resolver.item(&list, 1)?.unwrap();
    /// assert_eq!(resolver.place(&item)?.address, 8);
    /// assert!(resolver.item(&list, 2)?.is_none());
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If a repeat before it is unknown or illegal.
    pub fn item(&mut self, node: &Node, index: u64) -> Result<Option<Node>> {
        let Target::List(list) = node.target else { return Ok(None) };
        let mut before = 0;
        for at in 0..self.layout[list].pieces.len() {
            let (id, items) = self.piece(node, list, at)?;
            if index - before < items {
                return Ok(Some(self.item_of_piece(node, id, index - before)));
            }
            before += items;
        }
        Ok(None)
    }

    /// As [`Self::item`], without a stream: how many items the last piece has need not be known, and is
    /// not looked at then.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Node, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"N : i8  l [f8]*N").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let list = resolver.child(&Node::root(), "l").unwrap();
    /// assert!(resolver.item(&list, 1).is_err());
    /// assert!(resolver.planned_item(&list, 1)?.is_some());
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If the repeat of any other piece before it is unknown or illegal.
    pub fn planned_item(&mut self, node: &Node, index: u64) -> Result<Option<Node>> {
        let Target::List(list) = node.target else { return Ok(None) };
        let pieces = &self.layout[list].pieces;
        let mut before = 0;
        for (at, &id) in pieces.iter().enumerate() {
            let body = self.layout[id].body.len() as u64;
            let items = match self.repetitions(id) {
                Ok(repetitions) => repetitions.saturating_mul(body),
                Err(error) if error.is_unknown() && at + 1 == pieces.len() && body > 0 => u64::MAX,
                Err(error) => return Err(error),
            };
            if index - before < items {
                return Ok(Some(self.item_of_piece(node, id, index - before)));
            }
            before += items;
        }
        Ok(None)
    }

    /// An item as the first of a list would be, whether it has one or not: what it is can be known, but not
    /// where it is. `None` if nothing stands in the brackets.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Node, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"l [f8]*0").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let list = resolver.child(&Node::root(), "l").unwrap();
    /// assert!(resolver.pattern(&list).is_some());
    /// ```
    pub fn pattern(&self, node: &Node) -> Option<Node> {
        let Target::List(list) = node.target else { return None };
        let mut pieces = self.layout[list].pieces.iter();
        let piece = pieces.find(|piece| !self.layout[**piece].body.is_empty())?;
        Some(self.item_of_piece(node, *piece, 0))
    }

    fn item_of_piece(&self, node: &Node, piece: RepeatId, index: u64) -> Node {
        let body = self.layout.run(self.layout[piece].body);
        let element = index % body.len() as u64;
        let mut position = node.position.clone();
        let hop = Hop { piece, index: index / body.len() as u64, element: element as u32 };
        position.hops.push(hop);
        let target = match body[element as usize] {
            Step::Group(dict) => Target::Dict(dict),
            Step::Repeat(id) => Target::List(self.layout[id].list),
            Step::Array(id) => Target::Array(id),
            // The checker puts nothing else into brackets.
            Step::Param(id) => Target::Param(id),
            Step::Enter(id) => Target::Dict(id),
        };
        Node { target, position }
    }

    /// Goes down the hops of a position. The params of the anonymous dicts on the way come into
    /// force as far as what was passed needs them.
    pub(super) fn spot(&mut self, position: &Position) -> Spot {
        let mut spot = Spot { within: Within::Root, element: None };
        for hop in &position.hops {
            let at_root = matches!(spot.within, Within::Root) && spot.element.is_none();
            let start = match spot.element {
                Some((_, cursor)) => cursor,
                None => self.cursor_in(&spot.within, self.layout[hop.piece].step as usize),
            };
            let start = if at_root && self.layout[hop.piece].varying {
                start.and_then(|cursor| {
                    self.guard(self.layout[hop.piece].step as usize).map(|()| cursor)
                })
            } else {
                start
            };
            let before = self.cursor_before(hop.piece, start, hop.index, at_root);
            let cursor = self.cursor_at_element(hop.piece, before, hop.element as usize, at_root);
            let body = self.layout[hop.piece].body;
            spot = match self.layout.run(body)[hop.element as usize] {
                Step::Group(dict) => Spot { within: Within::Group(dict, cursor), element: None },
                step => Spot { within: spot.within, element: Some((step, cursor)) },
            };
        }
        spot
    }

    /// Where the cursor stands before a step of a run.
    pub(super) fn cursor_in(&mut self, within: &Within, step: usize) -> Result<u64> {
        match within {
            Within::Root => self.root_address(step),
            Within::Group(dict, cursor) => {
                let layout = self.layout;
                let steps = &layout.run(layout[*dict].run)[..step];
                steps.iter().fold(cursor.clone(), |here, &step| self.pass(step, here).cursor)
            }
        }
    }

    /// Where a data item or a streamed param lies. Afterwards the params around it are in force, so
    /// its shape can be requested. Of a spliced member it is the record.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Node, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"a = u1  x = f8[3]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let x = resolver.child(&Node::root(), "x").unwrap();
    /// let place = resolver.place(&x)?;
    /// assert_eq!((place.address, place.bytes), (8, 24));
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be placed.
    pub fn place(&mut self, node: &Node) -> Result<Placed> {
        let spot = self.spot(&node.position);
        let (step, at) = match node.target {
            Target::Array(id) | Target::Spliced(id, _) => (Step::Array(id), self.layout[id].step),
            Target::Param(id) => (Step::Param(id), self.layout[id].step),
            Target::Dict(_) | Target::List(_) => return Err(self.no_place()),
        };
        let (step, cursor) = match (spot.element, spot.within) {
            (Some((step, cursor)), _) => (step, cursor),
            // The root's steps were measured where they lie; an explicit address makes what
            // lies before unnecessary.
            (None, Within::Root) => {
                if self.needs_bytes(step) {
                    self.guard(at as usize)?;
                }
                (step, self.root_step_address(step, at as usize))
            }
            (None, within) => (step, self.cursor_in(&within, at as usize)),
        };
        self.placed(step, cursor).0
    }

    /// Puts the params around an item in force, as [`Self::place`] does, and does not look where it ends.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Node, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"N : 2  x = f8[N]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let x = resolver.child(&Node::root(), "x").unwrap();
    /// resolver.stand_at(&x);
    /// assert_eq!(resolver.shape(resolver.layout().arrays().next().unwrap().1)?, [2]);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    pub fn stand_at(&mut self, node: &Node) {
        self.spot(&node.position);
    }

    /// The address of a step of the root; nothing before it is placed if it says its address.
    fn root_step_address(&mut self, step: Step, at: usize) -> Result<u64> {
        if at >= self.state.frontier && self.has_address(step) {
            return Ok(self.given.start);
        }
        self.root_address(at)
    }

    fn no_place(&self) -> ResolveError {
        let why = "a dict or list has no address of its own".to_owned();
        ResolveError::new(ErrorKind::NoSuchPath(why), Span::default())
    }

    /// A param's value at its place: `Ok(None)` for one of a repeated dict that nothing needs and
    /// that was therefore not read.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Node, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"N : 3  x = f8[N]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let n = resolver.param_of(&Node::root(), "N", 0).unwrap();
    /// assert_eq!(resolver.value_at(&n)?, (3, None));
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be placed or read.
    pub fn value_at(&mut self, node: &Node) -> Result<(i128, Option<u64>)> {
        let Target::Param(id) = node.target else { return Err(self.no_place()) };
        match self.layout[id].scope {
            Scope::Dict(_) => self.raw_value(id),
            Scope::Repeated(_) | Scope::Record if !self.layout[id].is_streamed() => {
                self.raw_value(id)
            }
            Scope::Repeated(_) | Scope::Record => {
                let placed = self.place(node)?;
                Ok((self.read_param(id, placed.address)?, Some(placed.address)))
            }
        }
    }

    /// The array behind a data item or spliced member.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Node, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = f8[3, 4]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let x = resolver.child(&Node::root(), "x").unwrap();
    /// assert_eq!(resolver.array_of(&x).map(|array| array.rank), Some(2));
    /// ```
    pub fn array_of(&self, node: &Node) -> Option<&Array> {
        match node.target {
            Target::Array(id) | Target::Spliced(id, _) => Some(&self.layout[id]),
            _ => None,
        }
    }
}
