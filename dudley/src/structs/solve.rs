//! Params from the shapes of fields, and whether they agree.

use std::collections::BTreeMap;

use dudley_parser::layout::expr::evaluate;
use dudley_parser::layout::{Count, Layout, ParamId, ParamValue};
use dudley_parser::resolve::ShapeParam;

use super::shape::wrong_rank;
use crate::error::{Error, Result};

/// What a field says of the params of its item.
pub(super) struct Claim {
    /// The path of the item.
    pub(super) path: String,
    /// Its dimensions, each with the path of its param.
    pub(super) dims: Vec<(Count, String)>,
    pub(super) found: Found,
}

/// The shape of a field.
pub(super) enum Found {
    /// It is absent: the first of these dimensions is 0.
    Absent(usize),
    /// Its lengths; the presence, if there is one, is at an index of the dimensions. Of text the
    /// last length is the least that will do.
    Shape { lengths: Vec<u64>, presence: Option<usize>, text: bool },
}

impl Claim {
    /// The params that this claim says something of. Where two values would do, it is the smaller
    /// one, unless only what is `certain` is requested.
    pub(super) fn params(&self, layout: &Layout, certain: bool) -> Vec<(String, i128)> {
        let mut said = Vec::new();
        let mut say = |at: usize, value: Option<i128>| {
            let (_, label) = &self.dims[at];
            if let Some(value) = value.filter(|_| !label.is_empty()) {
                said.push((label.clone(), value));
            }
        };
        match &self.found {
            Found::Absent(at) => say(*at, Some(0)),
            Found::Shape { lengths, presence, text } => {
                if let Some(at) = presence {
                    say(*at, Some(-1));
                }
                let own = (0..self.dims.len()).filter(|at| Some(*at) != *presence);
                if self.dims.len() != lengths.len() + usize::from(presence.is_some()) {
                    return said;
                }
                for (at, (axis, length)) in own.zip(lengths.iter().enumerate()) {
                    // Text may be shorter than its room.
                    let weak = *text && axis + 1 == lengths.len();
                    if weak && certain {
                        continue;
                    }
                    say(at, solve(layout, self.dims[at].0, i128::from(*length), certain && !weak));
                }
            }
        }
        said
    }

    /// The path and shape of the field, if it is there.
    pub(super) fn shape(&self) -> Option<(String, Box<[u64]>)> {
        match &self.found {
            Found::Absent(_) => None,
            Found::Shape { lengths, .. } => Some((self.path.clone(), lengths.as_slice().into())),
        }
    }

    /// Checks that the params which were found come to the shape of a field.
    pub(super) fn check(&self, layout: &Layout, params: &BTreeMap<String, i128>) -> Result<()> {
        let value = |label: &str| params.get(label).copied();
        let dims: Option<Vec<i128>> =
            self.dims.iter().map(|(count, label)| length(layout, *count, value(label))).collect();
        let Some(dims) = dims else {
            // Of another rank than its item, a field of any rank tells no params.
            return match &self.found {
                Found::Shape { lengths, presence: None, .. }
                    if lengths.len() != self.dims.len() =>
                {
                    Err(wrong_rank(&self.path, self.dims.len(), lengths))
                }
                _ => Ok(()),
            };
        };
        let decisive = || {
            let mut named: Vec<ShapeParam> = Vec::new();
            for (count, path) in self.dims.iter().filter(|(_, label)| !label.is_empty()) {
                let suffix = if let Count::Param(_, suffix) = *count { suffix } else { 0 };
                match named.iter_mut().find(|other| other.path == *path) {
                    Some(known) => known.suffix = known.suffix.max(suffix),
                    None => named.extend(value(path).and_then(|value| {
                        Some(ShapeParam {
                            path: path.clone(),
                            value: value.try_into().ok()?,
                            suffix,
                        })
                    })),
                }
            }
            named
        };
        match &self.found {
            Found::Absent(at) if dims[*at] == 0 => Ok(()),
            Found::Absent(at) => Err(Error::WrongValue {
                item: crate::error::Item::new(self.path.as_str()),
                expected: format!("a value, since {} = {}", self.dims[*at].1, dims[*at]).into(),
                found: "none".into(),
            }),
            Found::Shape { lengths, text, .. } => {
                let expected: Vec<u64> =
                    dims.iter().filter_map(|dim| u64::try_from(*dim).ok()).collect();
                let fits = |(at, (want, have)): (usize, (&u64, &u64))| {
                    want == have || (*text && at + 1 == lengths.len() && have <= want)
                };
                let same = expected.len() == lengths.len()
                    && expected.iter().zip(lengths).enumerate().all(fits);
                if same {
                    Ok(())
                } else {
                    Err(Error::wrong_shape(&self.path, &expected, lengths).of_params(decisive))
                }
            }
        }
    }
}

/// The value of a param that gives a dimension its length (spec 4.3).
fn solve(layout: &Layout, count: Count, length: i128, certain: bool) -> Option<i128> {
    match count {
        Count::Int(_) => None,
        Count::Expr(expr) => {
            layout.solve(expr, i64::try_from(length).ok()?).map(|(_, value)| value.into())
        }
        Count::Param(_, added) => {
            // Of a param that is 0 nothing is taken away: so 0 may come from it, or from `-added`.
            if length == 0 && added != 0 {
                (added > 0 || !certain).then_some(0)
            } else {
                Some(length - i128::from(added))
            }
        }
    }
}

/// The length of a dimension, its param being known.
fn length(layout: &Layout, count: Count, value: Option<i128>) -> Option<i128> {
    match count {
        Count::Int(length) => Some(length.into()),
        Count::Param(id, suffix) => {
            let value = match layout[id].value {
                ParamValue::Fixed(fixed) => fixed.into(),
                ParamValue::Streamed(..) => value?,
            };
            Some(if value == 0 || value == -1 { value } else { value + i128::from(suffix) })
        }
        Count::Expr(expr) => {
            let sole = layout.sole_param(count)?;
            let param = |id: ParamId| match layout[id].value {
                ParamValue::Fixed(fixed) => Ok(fixed),
                ParamValue::Streamed(..) if id == sole => {
                    value.and_then(|value| i64::try_from(value).ok()).ok_or(())
                }
                ParamValue::Streamed(..) => Err(()),
            };
            evaluate(layout.expr(expr), &mut { param }).ok()?.ok().map(i128::from)
        }
    }
}
