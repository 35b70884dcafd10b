//! Where each element of an array is that is presented otherwise than it is stored (spec 7.7).

use super::{ErrorKind, ResolveError, Resolver, Result};
use crate::layout::presented::{Misfit, Presented, View};
use crate::layout::{Array, Element};
use crate::place;

/// Elements of a view at most, and how many more for each that is stored: who reads it gets them all.
const SEEN: u64 = 1 << 20;
const TIMES: u64 = 1024;

/// An array of elements in some bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strided {
    /// Elements in each dimension; dimensions of -1 are gone.
    pub shape: Vec<u64>,
    /// Bytes from one index to the next, for each dimension.
    pub strides: Vec<i64>,
    /// Bytes from where the array begins to the element of indices 0.
    pub first: u64,
}

impl Strided {
    /// Elements row by row, side by side.
    pub fn rows(shape: Vec<u64>, element: u64) -> Strided {
        let strides = signed(place::strides(&shape, element));
        Strided { shape, strides, first: 0 }
    }

    /// Puts dimensions in front.
    fn within(&mut self, shape: &[u64], strides: &[i64]) {
        self.shape.splice(..0, shape.iter().copied());
        self.strides.splice(..0, strides.iter().copied());
    }
}

/// How an array is presented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presentation {
    /// For a reader.
    pub read: Strided,
    /// Without views, so that each of its bytes is one of one element, and strides are not negative.
    pub stored: Strided,
    /// Whether `read` has each element that is stored once, so that it can be written as it is read.
    pub is_whole: bool,
}

impl Presentation {
    /// For a writer: as it is read, or without the views that do not show each element once.
    pub fn written(&self) -> &Strided {
        if self.is_whole { &self.read } else { &self.stored }
    }
}

impl From<Misfit> for ResolveError {
    fn from(misfit: Misfit) -> ResolveError {
        ResolveError::new(ErrorKind::View { why: misfit.why, begin: None }, misfit.span)
    }
}

impl Resolver<'_> {
    /// How an array is presented where the resolver stands; `None` if that is as it is stored, row by row. `begin` is its
    /// address, which the error names.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let text = "x = f8[2, 3]  #: order = \"F\"";
    /// let layout = dudley_parser::check(text.as_bytes()).layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (_, x) = layout.arrays().next().unwrap();
    /// let presentation = resolver.presentation(x, None)?.unwrap();
    /// assert_eq!(presentation.read.strides, [8, 16]);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If a dimension is unknown or illegal; if its attributes do not fit, or a view does not lie within it.
    pub fn presentation(
        &mut self,
        array: &Array,
        begin: Option<u64>,
    ) -> Result<Option<Presentation>> {
        if !array.presented {
            return Ok(None);
        }
        let layout = self.layout;
        let layers = layout.layers(array).map_err(|Misfit { span, why, .. }| {
            ResolveError::new(ErrorKind::View { why, begin }, span)
        })?;
        // The element of bytes, from the innermost layer on.
        let mut bytes = match array.element {
            Element::Primitive(primitive, _) => primitive.size(),
            Element::Record(record) => self.record_bytes(record)?,
        };
        let mut dims = Vec::with_capacity(array.rank as usize);
        for &dim in layout.dims(array) {
            dims.push(self.dim(dim)?);
        }
        let (mut read, mut stored) = (Strided::default(), Strided::default());
        let mut is_whole = true;
        let mut end = dims.len();
        for layer in layers.iter().rev() {
            let start = end.saturating_sub(layer.rank);
            let own = dims[start..end].iter().filter_map(|dim| u64::try_from(*dim).ok());
            let own: Vec<u64> = own.collect();
            end = start;
            let element = bytes;
            let all = Strided::rows(own.clone(), element);
            bytes = all.shape.iter().fold(element, |bytes, dim| bytes.saturating_mul(*dim));
            match &layer.presented {
                Presented::Rows => read.within(&own, &all.strides),
                Presented::Columns => {
                    let strides = signed(place::column_strides(&own, element));
                    read.within(&own, &strides);
                    stored.within(&own, &strides);
                    continue;
                }
                Presented::View(view) => {
                    let seen = viewed(view, element, &own).map_err(|why| {
                        ResolveError::new(ErrorKind::View { why, begin }, view.span)
                    })?;
                    read.within(&seen.shape, &seen.strides);
                    read.first = seen.first;
                    is_whole &= is_each_once(&seen, element, bytes);
                }
            }
            stored.within(&own, &all.strides);
        }
        Ok(Some(Presentation { read, stored, is_whole }))
    }
}

/// A view of an array of one dimension.
fn viewed(view: &View<'_>, element: u64, stored: &[u64]) -> std::result::Result<Strided, String> {
    let &[stored] = stored else {
        return Err("a view is one of an item of one dimension, and this has none".to_owned());
    };
    let shape: Vec<u64> = view.shape.iter().map(|dim| dim.unsigned_abs()).collect();
    let mut seen = Strided::rows(shape, element);
    if let Some(strides) = view.strides {
        seen.strides = strides.to_vec();
    }
    if !seen.shape.contains(&0) {
        check_view(&seen.shape, &seen.strides, view.offset, (element, stored))?;
        seen.first = view.offset.unsigned_abs();
    }
    Ok(seen)
}

/// Whether a view, which lies within this many bytes, has each of the elements there once.
fn is_each_once(seen: &Strided, element: u64, bytes: u64) -> bool {
    let mut dims: Vec<(u64, u64)> = seen
        .shape
        .iter()
        .zip(&seen.strides)
        .map(|(dim, stride)| (stride.unsigned_abs(), *dim))
        .filter(|(_, dim)| *dim != 1)
        .collect();
    dims.sort_unstable();
    // Only dimensions of which each goes through what those inside of it leave do so.
    let mut side_by_side = element;
    seen.shape.contains(&0) && bytes == 0
        || dims.into_iter().all(|(stride, dim)| {
            let is_next = stride == side_by_side;
            side_by_side = side_by_side.saturating_mul(dim);
            is_next
        }) && side_by_side == bytes
}

/// Checks that a view of this many elements of this many bytes, side by side, lies within them, and has not many more than there
/// are. Strides and the offset are in bytes.
///
/// ```
/// use dudley_parser::resolve::check_view;
///
/// assert!(check_view(&[2, 3], &[-8, 16], 8, (8, 6)).is_ok());
/// assert!(check_view(&[2, 3], &[-8, 16], 0, (8, 6)).is_err());
/// ```
///
/// # Errors
/// If something is wrong, as part of a sentence.
pub fn check_view(
    shape: &[u64],
    strides: &[i64],
    offset: i64,
    (element, stored): (u64, u64),
) -> std::result::Result<(), String> {
    let all = place::Elements::of(shape).count();
    let Some(all) = all.filter(|all| *all <= SEEN.saturating_add(stored.saturating_mul(TIMES)))
    else {
        let all = all.map_or("more elements than can be counted".to_owned(), |all| {
            format!("{all} elements")
        });
        return Err(format!("the view has {all}, of {stored} that are stored"));
    };
    let bytes = stored.saturating_mul(element);
    let (low, high) = place::reach(offset, shape, strides, element);
    if all > 0 && (low < 0 || high > i128::from(bytes)) {
        if i64::try_from(low).is_err() || i64::try_from(high).is_err() {
            return Err(format!("the view goes beyond all addresses; the item has {bytes} bytes"));
        }
        return Err(format!(
            "the view goes from byte {low} to before byte {high} of the item, which has {bytes}"
        ));
    }
    Ok(())
}

fn signed(strides: Vec<u64>) -> Vec<i64> {
    strides.into_iter().map(|stride| stride as i64).collect()
}
