//! Dimensions, repeats, addresses: numbers from params.

use super::{ErrorKind, Origin, ResolveError, Resolver, Result, UsedParam, is_address};
use crate::layout::expr::{ExprFault, evaluate, written};
use crate::layout::{Array, Count, Dim, ParamId};
use crate::place::{self, Elements};
use crate::span::Span;

/// A param that decides the shape of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeParam {
    /// Its path.
    pub path: String,
    /// Its value.
    pub value: i64,
    /// The `+` (or if less than 0 the `-`) of the dimension; of several dimensions the largest number.
    pub suffix: i32,
}

impl Resolver<'_> {
    /// The value of a count; `None` if it does not fit in 64 bits.
    fn count(&mut self, count: Count, span: Span) -> Result<Option<i64>> {
        match count {
            Count::Int(value) => Ok(Some(value)),
            Count::Param(param, suffix) => Ok(place::suffixed(self.value(param)?, suffix)),
            Count::Expr(expr) => {
                let ops = self.layout.expr(expr);
                match evaluate(ops, &mut |param| self.value(param))? {
                    Ok(value) => Ok(Some(value)),
                    Err(ExprFault::TooLarge) => Ok(None),
                    Err(fault) => {
                        let expr = written(ops, |param| self.layout.label(param));
                        let params = self.named(self.layout.params_of(count).collect());
                        Err(ResolveError::new(ErrorKind::Division { expr, fault, params }, span))
                    }
                }
            }
        }
    }

    /// A dimension: -1 stands for one that is not there.
    pub(super) fn dim(&mut self, dim: Dim) -> Result<i64> {
        let value = self.count(dim.count, dim.span)?;
        match value {
            Some(value) if value >= 0 => Ok(value),
            // -1 is only legal as the number or the param itself, not as what suffixes or sums
            // come to.
            Some(-1) if self.is_minus_one(dim.count)? => Ok(-1),
            _ => Err(self.derived(dim.count, dim.span, |value, params| ErrorKind::Dimension {
                value,
                params,
            })),
        }
    }

    fn is_minus_one(&mut self, count: Count) -> Result<bool> {
        Ok(match count {
            Count::Int(value) => value == -1,
            Count::Param(param, _) => self.value(param)? == -1,
            Count::Expr(_) => false,
        })
    }

    /// How often a list repeats.
    pub(super) fn repeats(&mut self, count: Count, span: Span) -> Result<u64> {
        match self.count(count, span)? {
            Some(value) if value >= 0 => Ok(value as u64),
            _ => {
                Err(self.derived(count, span, |value, params| ErrorKind::Repeat { value, params }))
            }
        }
    }

    /// How many bytes a filter stored.
    pub(super) fn stored_bytes(&mut self, stored: Dim) -> Result<u64> {
        match self.count(stored.count, stored.span)? {
            Some(value) if value >= 0 => Ok(value as u64),
            _ => Err(self.derived(stored.count, stored.span, |value, params| ErrorKind::Stored {
                value,
                params,
            })),
        }
    }

    /// An explicit address.
    pub(super) fn address(&mut self, count: Count, span: Span) -> Result<u64> {
        match self.count(count, span)?.and_then(is_address) {
            Some(address) => Ok(address),
            None => {
                Err(self.derived(count, span, |value, params| ErrorKind::Address { value, params }))
            }
        }
    }

    /// An error about a number, with the values that it was made from.
    fn derived(
        &mut self,
        count: Count,
        span: Span,
        kind: impl FnOnce(Option<i64>, Vec<UsedParam>) -> ErrorKind,
    ) -> ResolveError {
        let value = self.count(count, span).ok().flatten();
        let params = self.named(self.layout.params_of(count).collect());
        ResolveError::new(kind(value, params), span)
    }

    /// Params by their paths, with their values as far as these are known; each once.
    fn named(&mut self, mut params: Vec<ParamId>) -> Vec<UsedParam> {
        let mut known = std::collections::HashSet::new();
        params.retain(|param| known.insert(*param));
        let mut named = Vec::new();
        for param in params {
            if let Ok(value) = self.value(param) {
                let is_given = self.given.params.contains_key(&param);
                let origin = match self.raw_value(param) {
                    _ if is_given => Origin::Supplied,
                    Ok((_, Some(address))) => Origin::Read(address),
                    _ => match self.state.read_at[param.index()] {
                        super::UNPLACED => Origin::Other,
                        address => Origin::Read(address),
                    },
                };
                named.push(UsedParam { path: self.layout.param_path(param), value, origin });
            }
        }
        named
    }

    /// The params that decide the shape of an array where the resolver stands, each once.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"N : 3  x = f8[N+]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (_, x) = layout.arrays().next().unwrap();
    /// let params = resolver.shape_params(x);
    /// assert_eq!((params[0].path.as_str(), params[0].value, params[0].suffix), ("/N", 3, 1));
    /// ```
    pub fn shape_params(&mut self, array: &Array) -> Vec<ShapeParam> {
        let layout = self.layout;
        let counts = || layout.dims(array).iter().map(|dim| dim.count);
        let named = self.named(counts().flat_map(|count| layout.params_of(count)).collect());
        let with_suffix = |UsedParam { path, value, .. }: UsedParam| {
            let suffixes = counts().filter_map(|count| match count {
                Count::Param(param, suffix) if layout.param_path(param) == path => Some(suffix),
                _ => None,
            });
            let suffix = suffixes.max().unwrap_or(0);
            ShapeParam { path, value, suffix }
        };
        named.into_iter().map(with_suffix).collect()
    }

    /// How many elements one of the first dimension of an array has.
    pub(super) fn elements_of_row(&mut self, array: &Array) -> Result<Elements> {
        let layout = self.layout;
        let dims = layout.dims(array).iter().skip(1);
        dims.map(|&dim| self.dim(dim)).try_fold(Elements::ONE, |row, dim| Ok(row.times(dim?)))
    }

    /// How many elements an array has. All dimensions are looked at, but a 0 among them settles
    /// the number even where others are unknown.
    pub(super) fn elements(&mut self, array: &Array) -> Result<Elements> {
        let layout = self.layout;
        let mut elements = Elements::ONE;
        let mut unknown = None;
        for &dim in layout.dims(array) {
            match self.dim(dim) {
                Ok(dim) => elements = elements.times(dim),
                Err(error) if error.is_unknown() => unknown = unknown.or(Some(error)),
                Err(error) => return Err(error),
            }
        }
        match unknown {
            Some(error) if elements.count() != Some(0) => Err(error),
            _ => Ok(elements),
        }
    }

    /// The shape of an array where the resolver stands: dimensions of -1 are gone from it.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"N : -1  x = f8[N, 3]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(resolver.shape(x)?, [3]);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If a dimension is unknown or illegal.
    pub fn shape(&mut self, array: &Array) -> Result<Vec<u64>> {
        let layout = self.layout;
        let mut shape = Vec::with_capacity(array.rank as usize);
        for &dim in layout.dims(array) {
            if let Ok(dim) = u64::try_from(self.dim(dim)?) {
                shape.push(dim);
            }
        }
        Ok(shape)
    }
}
