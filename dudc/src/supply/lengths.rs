//! Params that nobody gives, from the lengths of the arrays that are given.

use dudley::Input;
use dudley_parser::layout::{Count, Layout, ParamId, Scope, Step};

use super::Values;

impl Values {
    /// Gives params that are read from the stream, and that the data does not hold, the values which the
    /// first array has as its lengths. Whether the others have them too is seen when they are written.
    pub(super) fn infer_params(&mut self, layout: &Layout) {
        for step in layout.root() {
            let (Step::Array(id), Some(path)) = (step, layout.step_path(*step)) else { continue };
            let Some(shape) = self.items.get(&*self.item_key(&path)).and_then(shape_of) else {
                continue;
            };
            let dims = layout.dims(&layout[*id]);
            if dims.len() != shape.len() {
                continue;
            }
            for (dim, length) in dims.iter().zip(shape) {
                let Some((param, value)) = solved(layout, dim.count, length) else { continue };
                let declared = &layout[param];
                let path = self.param_key(&layout.param_path(param)).into_owned();
                if declared.is_streamed() && matches!(declared.scope, Scope::Dict(_)) {
                    self.params.entry(path).or_insert(value);
                }
            }
        }
    }
}

fn shape_of(input: &Input<'_>) -> Option<Vec<u64>> {
    match input {
        Input::Typed(array) => Some(array.shape()),
        Input::Rows(rows) => Some(rows.shape()),
        _ => None,
    }
}

/// The one param of a dimension, and what it is where that is so long.
fn solved(layout: &Layout, count: Count, length: u64) -> Option<(ParamId, i128)> {
    let length = i128::from(length);
    match count {
        Count::Int(_) => None,
        // 0 stays 0, whatever the suffix.
        Count::Param(id, _) if length == 0 => Some((id, 0)),
        Count::Param(id, suffix) => Some((id, length - i128::from(suffix))),
        Count::Expr(expr) => {
            let (id, value) = layout.solve(expr, i64::try_from(length).ok()?)?;
            Some((id, value.into()))
        }
    }
}
