//! Missing params, from the lengths of the given arrays.

use dudley::numpy::ArraySource;
use dudley::{Error, Input, Primitive, Result, Supply, Value};
use dudley_parser::layout::expr::Unsolved;
use dudley_parser::layout::{Array, Count, Element, Layout, ParamId, RepeatId, Scope, Step};

use super::json::Json;
use super::{Values, unlike};

/// The room of an array of text: its shape, with the units of a text last, and the type of the units.
pub(super) struct Room(Vec<u64>, Primitive);

impl Room {
    /// The room of an array, if it is an array of text.
    pub(super) fn of(source: &ArraySource) -> Option<Room> {
        let (primitive, _, units) = source.units()?;
        let shape = source.shape().iter().copied().chain(units).collect();
        primitive.is_text().then_some(Room(shape, primitive))
    }
}

impl Values {
    /// Sets streamed params that the data lacks, from the lengths of the first array or list. The writer checks that the
    /// others have the same lengths.
    ///
    /// # Errors
    /// If no value of a param gives the length.
    pub(super) fn infer_params(&mut self, layout: &Layout) -> Result<()> {
        let mut failed = Vec::new();
        for step in layout.root() {
            let Some(path) = layout.step_path(*step) else { continue };
            let counted: Vec<(Count, u64)> = match *step {
                Step::Array(id) => {
                    let dims = layout.dims(&layout[id]).iter().map(|dim| dim.count);
                    let lengths = self.lengths(layout, &layout[id], &path);
                    dims.zip(lengths).filter_map(|(count, it)| Some((count, it?))).collect()
                }
                Step::Repeat(id) => self.repetitions(layout, id, &path).into_iter().collect(),
                _ => continue,
            };
            for (count, length) in counted {
                let is_own = |param: ParamId| matches!(layout[param].scope, Scope::Dict(_));
                failed.extend(self.solve(layout, &path, (count, length), &is_own));
            }
        }
        self.first_of(layout, failed)
    }

    /// Sets the only unknown param of a count from a length. If no value fits, returns the param with the reason.
    pub(super) fn solve(
        &mut self,
        layout: &Layout,
        path: &str,
        (count, length): (Count, u64),
        is_wanted: &dyn Fn(ParamId) -> bool,
    ) -> Option<(ParamId, Error)> {
        let given = |id| i64::try_from(self.param(&layout.param_path(id))?).ok();
        let (id, value) = match layout.solve_count(count, length, &given) {
            Ok(solved) => solved,
            Err(Unsolved::Open) => return None,
            Err(Unsolved::None(id, why)) => {
                let [expected, found] = layout.no_value(count, length, id, why);
                return is_wanted(id).then(|| (id, unlike(path, &expected, found)));
            }
        };
        let param = layout.param_path(id);
        if layout[id].is_streamed() && is_wanted(id) && !self.has_param(&param) {
            let param = self.param_key(&param).into_owned();
            self.params.insert(param, value);
        }
        None
    }

    /// The first error of a param without a value.
    pub(super) fn first_of(&self, layout: &Layout, failed: Vec<(ParamId, Error)>) -> Result<()> {
        let is_missing =
            |id: ParamId| layout[id].is_streamed() && !self.has_param(&layout.param_path(id));
        match failed.into_iter().find(|(id, _)| is_missing(*id)) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }

    /// Whether a param has a value, right or wrong.
    pub(super) fn has_param(&self, path: &str) -> bool {
        let nested = || self.nested.as_ref().is_some_and(|nested| nested.param(path).is_some());
        self.params.contains_key(&*self.param_key(path)) || nested()
    }

    /// The repeat count of a list of one piece whose items are given in nested form.
    fn repetitions(&self, layout: &Layout, id: RepeatId, path: &str) -> Option<(Count, u64)> {
        let repeat = &layout[id];
        let [_] = &layout[repeat.list].pieces[..] else { return None };
        let items = self.nested.as_ref()?.item(path).filter(Json::is_array)?.len() as u64;
        let each = repeat.body.len() as u64;
        let times = items.checked_div(each).filter(|_| items.is_multiple_of(each))?;
        Some((repeat.count, times))
    }

    /// The lengths of the given array in each dimension, if known.
    fn lengths(&self, layout: &Layout, array: &Array, path: &str) -> Vec<Option<u64>> {
        let rank = layout.dims(array).len();
        let unit = match array.element {
            Element::Primitive(primitive, _) => Some(primitive),
            Element::Record(_) => None,
        };
        if let Some(nested) = &self.nested {
            return nested.item(path).map(|json| of_json(json, rank, unit)).unwrap_or_default();
        }
        let path = &*self.item_key(path);
        if let Some(Room(shape, primitive)) = self.rooms.get(path) {
            let shape = Some(shape).filter(|shape| shape.len() == rank);
            let mut lengths: Vec<_> = shape.into_iter().flatten().copied().map(Some).collect();
            // Other units have another number.
            if let Some(last) = lengths.last_mut()
                && unit.is_none_or(|unit| unit.size() != primitive.size())
            {
                *last = None;
            }
            return lengths;
        }
        let shape = match self.items.get(path) {
            Some(Input::Typed(array)) => Some(array.shape()),
            Some(Input::Rows(rows)) => Some(rows.shape()),
            _ => self.stated.items.get(path).and_then(|(_, shape)| shape.clone()),
        };
        // Dimensions of -1 are gone.
        let shape = shape.filter(|shape| shape.len() == rank);
        shape.into_iter().flatten().map(Some).collect()
    }
}

/// The lengths of nested arrays, by the first item of each. A single text is as long as its units; among others a text
/// need not fill its room.
fn of_json(mut json: Json, rank: usize, unit: Option<Primitive>) -> Vec<Option<u64>> {
    let mut lengths = Vec::new();
    while lengths.len() < rank {
        if !json.is_array() {
            lengths.push(unit.filter(|_| rank == 1).and_then(|unit| units(&json.value(), unit)));
            break;
        }
        lengths.push(Some(json.len() as u64));
        let Some(first) = json.item(0) else { break };
        json = first;
    }
    lengths
}

/// The number of units of a text, or of elements of bits.
fn units(value: &Value, unit: Primitive) -> Option<u64> {
    let count = match (value, unit.size()) {
        (Value::Text(text), 1) => text.len(),
        (Value::Text(text), 2) => text.encode_utf16().count(),
        (Value::Text(text), _) => text.chars().count(),
        (Value::Bits(bits), size) => bits.len() / size.max(1) as usize,
        _ => return None,
    };
    (unit.is_text() || matches!(value, Value::Bits(_))).then_some(count as u64)
}
