//! The items of a list, one after the other: each begins where the one before it ends, so none is looked for.

use super::locate::{Placed, Within};
use super::{ErrorKind, Node, ResolveError, Resolver, Result, Target, most_items};
use crate::layout::{Array, ListId, Step};

/// Receives an item of a list and where it lies. The params around it are in force.
pub type EachItem<'v, E> =
    dyn FnMut(&mut Resolver<'_>, Step, Result<Placed>) -> std::result::Result<(), E> + 'v;

impl Resolver<'_> {
    /// Hands over the items of a list, in order. Of a stream whose length is known there are no more than
    /// [`most_items`] says.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Node, ResolveError, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"l [f8, i4]*2").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let list = resolver.child(&Node::root(), "l").unwrap();
    /// let mut addresses = Vec::new();
    /// resolver.each_item::<ResolveError>(&list, &mut |_, _, placed| {
    ///     addresses.push(placed?.address);
    ///     Ok(())
    /// })?;
    /// assert_eq!(addresses, [0, 8, 16, 24]);
    /// # Ok::<(), ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If a repeat is unknown or illegal; if `visit` fails, which ends it.
    pub fn each_item<E: From<ResolveError>>(
        &mut self,
        node: &Node,
        visit: &mut EachItem<'_, E>,
    ) -> std::result::Result<(), E> {
        let Target::List(list) = node.target else { return Ok(()) };
        let layout = self.layout;
        let mut left = self.given.stream_bytes.map_or(u64::MAX, most_items);
        for &id in &layout[list].pieces {
            let piece = &layout[id];
            let spot = self.spot(&node.position);
            let mut here = match spot.element {
                Some((_, cursor)) => cursor,
                None => self.cursor_in(&spot.within, piece.step as usize),
            };
            if piece.varying && matches!(spot.within, Within::Root) {
                here = here.and_then(|cursor| self.guard(piece.step as usize).map(|()| cursor));
            }
            for _ in 0..self.repetitions(id)? {
                for &step in layout.run(piece.body) {
                    left = left
                        .checked_sub(1)
                        .ok_or_else(|| ResolveError::new(ErrorKind::Endless, piece.span))?;
                    let (placed, behind) = self.placed(step, here);
                    visit(self, step, placed)?;
                    here = behind;
                }
            }
        }
        Ok(())
    }

    /// The shape of the cells of the grid of a list of blocks: that of the first item that is written with elements.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"l [f8[2], f8[2]]  #: whole = [3]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (list, _) = layout.lists().next().unwrap();
    /// assert_eq!(resolver.cell(list)?, Some(vec![2]));
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If a dimension is unknown or illegal; as [`Self::presentation`].
    pub fn cell(&mut self, list: ListId) -> Result<Option<Vec<u64>>> {
        let layout = self.layout;
        for piece in &layout[list].pieces {
            for step in layout.run(layout[*piece].body) {
                let Step::Array(id) = *step else { continue };
                let shape = self.presented_shape(&layout[id])?;
                if !shape.contains(&0) {
                    return Ok(Some(shape));
                }
            }
        }
        Ok(None)
    }

    /// The shape that an array is presented with where the resolver stands; dimensions of -1 are gone.
    ///
    /// # Errors
    /// If a dimension is unknown or illegal; as [`Self::presentation`].
    pub(crate) fn presented_shape(&mut self, array: &Array) -> Result<Vec<u64>> {
        match self.presentation(array, None)? {
            Some(presentation) => Ok(presentation.read.shape),
            None => self.shape(array),
        }
    }
}
