//! Slices of items, and of lists of them: one array for all that a path picks.

use super::given::Piece;
use super::writing::{Encode, Whole, Writing, collect};
use crate::bytes::region::Region;
use crate::elements::scatter::ScatterAll;
use crate::encode::input::Input;
use crate::encode::pass::{primitive_of, same_shape};
use crate::error::{Error, Result};
use crate::read::item::{Item, ItemKind, follow_from};
use crate::read::path::Part;
use crate::read::select::{no_list, split};
use crate::read::slice::{Index, Picked, Placed, place, resolve};

/// An item that a path picks, and what of it.
struct Target {
    item: Item,
    whole: Whole,
    picked: Vec<Picked>,
}

impl Target {
    /// Elements in each dimension that is left.
    fn shape(&self) -> Vec<u64> {
        self.picked.iter().filter(|pick| !pick.single).map(|pick| pick.count).collect()
    }

    fn is_whole(&self) -> bool {
        let all = |(pick, dim): (&Picked, &u64)| pick.count == *dim;
        self.picked.iter().zip(&self.whole.shape).all(all)
    }

    /// Where it is written at once; `None` if it is kept.
    fn place(&self) -> Option<Result<Placed>> {
        let data = self.whole.data.as_ref()?;
        Some(place(&self.picked, data.address(), data.strides()))
    }
}

/// What a path picks.
struct Selection<'s> {
    writing: &'s Writing,
    path: &'s str,
    /// The dimensions that are to be in front, if that is known: no more items are visited.
    expected: Option<&'s [u64]>,
    /// The dimensions that slices of lists put in front.
    stacked: Vec<u64>,
    targets: Vec<Target>,
}

impl Selection<'_> {
    /// An item with what is left of the path; `depth` list dimensions are open around it.
    fn item(&mut self, item: Item, rest: &[Part], depth: usize) -> Result<()> {
        let (item, rest) = follow_from(item, self.path, rest)?;
        match (item.kind(), rest) {
            (ItemKind::List, [Part::Slice(indices), rest @ ..]) => {
                self.list(&item, indices, rest, depth)
            }
            (ItemKind::Data, []) => self.push(item, &[Index::Ellipsis]),
            (ItemKind::Data, [Part::Slice(indices)]) => self.push(item, indices),
            (ItemKind::Data, _) => Err(Error::NotInPlace {
                path: self.path.into(),
                why: "records are written as a whole, and not a field or a slice of a slice".into(),
            }),
            (kind, [Part::Slice(_) | Part::Field(_), ..]) => Err(no_list(item.path(), kind)),
            (kind, _) => Err(Error::NotData { path: item.path().into(), kind: kind.as_str() }),
        }
    }

    fn push(&mut self, item: Item, indices: &[Index]) -> Result<()> {
        let whole = self.writing.shared().whole(&item)?;
        let picked = resolve(indices, &whole.shape).map_err(|error| error.of_item(item.path()))?;
        let target = Target { item, whole, picked };
        if let Some(first) = self.targets.first() {
            same_shape(target.item.path(), &first.shape(), &target.shape())?;
        }
        self.targets.push(target);
        Ok(())
    }

    /// A slice of a list; indices that are left go to the lists or data in it.
    fn list(&mut self, list: &Item, indices: &[Index], rest: &[Part], depth: usize) -> Result<()> {
        let (first, next) = split(list, indices, rest)?;
        let length = list.length_for(first)?;
        let picked = resolve(&[first], &[length]).map_err(|error| error.of_item(list.path()))?[0];
        let index = |at: u64| (picked.start as i64 + at as i64 * picked.step) as u64;
        if picked.single {
            return self.item(list.element(index(0))?, &next, depth);
        }
        // What a program has in memory bounds how many items there are; the layout may say any number.
        let expected = self.expected.and_then(|dims| dims.get(depth));
        match (self.stacked.get(depth), expected) {
            (Some(known), _) | (None, Some(known)) if *known != picked.count => {
                return Err(Error::wrong_shape(list.path(), &[picked.count], &[*known]));
            }
            (Some(_), _) => {}
            (None, _) => self.stacked.push(picked.count),
        }
        for at in 0..picked.count {
            self.item(list.element(index(at))?, &next, depth + 1)?;
        }
        Ok(())
    }
}

impl Writing {
    /// Writes what slices of an item pick, or of lists of items.
    pub(super) fn put_slices(
        &self,
        path: &str,
        item: Item,
        rest: &[Part],
        input: &Input<'_>,
    ) -> Result<()> {
        self.shared().target.check_open()?;
        let given = shape_of(input);
        let (stacked, targets) = self.select(path, item, rest, given.as_deref())?;
        let Some(first) = targets.first() else {
            let there = given.map_or(0, |shape| shape.iter().product());
            return if there == 0 { Ok(()) } else { Err(Error::wrong_shape(path, &[0], &[there])) };
        };
        let shape = [stacked, first.shape()].concat();
        let (item, dtype) = (&first.item, &first.whole.dtype);
        let differs = |error: Error| self.shared().of_params(error, item);
        match input {
            Input::Typed(typed) => {
                let (primitive, order) = primitive_of(item.path(), &**typed, dtype)?;
                same_shape(path, &shape, &typed.shape()).map_err(differs)?;
                self.put_targets(&targets, &mut |put| typed.encode(primitive, order, put))
            }
            Input::Rows(rows) => {
                same_shape(path, &shape, &rows.shape()).map_err(differs)?;
                self.put_targets(&targets, &mut |put| self.encode_rows(item, &**rows, dtype, put))
            }
            Input::Value(value) => {
                let encoded = self.plan().with_resolver(|resolver| {
                    self.encoder().fixed(resolver, path, value, dtype, &shape)
                });
                let bytes = encoded.map_err(|error| differs(error.of_item(path)))?;
                self.put_targets(&targets, &mut |put| put(&bytes))
            }
        }
    }

    /// Notes of what a path picks that it is at its place.
    pub(super) fn mark(&self, path: &str, item: Item, rest: &[Part]) -> Result<()> {
        let (_, targets) = self.select(path, item, rest, None)?;
        for target in &targets {
            if target.whole.data.is_none() {
                let why = "its place is not known before all is written".into();
                return Err(Error::NotInPlace { path: target.item.path().into(), why });
            }
        }
        targets.iter().try_for_each(|target| self.note(target))
    }

    fn select(
        &self,
        path: &str,
        item: Item,
        rest: &[Part],
        expected: Option<&[u64]>,
    ) -> Result<(Vec<u64>, Vec<Target>)> {
        let (stacked, targets) = (Vec::new(), Vec::new());
        let mut selection = Selection { writing: self, path, expected, stacked, targets };
        selection.item(item, rest, 0)?;
        Ok((selection.stacked, selection.targets))
    }

    fn put_targets(&self, targets: &[Target], encode: Encode<'_>) -> Result<()> {
        if targets.iter().any(|target| target.whole.data.is_none()) {
            return self.keep_targets(targets, &collect(encode)?);
        }
        let Some(first) = targets.first() else { return Ok(()) };
        let places = targets.iter().filter_map(Target::place).collect::<Result<Vec<_>>>()?;
        let regions = even(places).into_iter();
        let region = |at: Placed| Region::new(at.address, &at.shape, &at.strides, first.whole.size);
        let regions = regions.map(region).collect::<Result<Vec<_>>>()?;
        let mut elements = ScatterAll::new(&regions);
        let written = encode(&mut |block| elements.push(block, &self.shared().target));
        written.map_err(|error| match targets {
            [one] => error.of_item(one.item.path()),
            _ => error,
        })?;
        targets.iter().try_for_each(|target| self.note(target))
    }

    /// Some of the items are kept until the end.
    fn keep_targets(&self, targets: &[Target], mut bytes: &[u8]) -> Result<()> {
        for target in targets {
            let size = target.shape().iter().fold(target.whole.size, |size, dim| size * dim);
            let length = crate::error::to_usize(size)?;
            let Some((now, later)) = bytes.split_at_checked(length) else {
                return Err(Error::wrong_length(size, bytes.len() as u64));
            };
            self.put_picked(&target.item, &target.whole, &target.picked, &mut |put| put(now))?;
            bytes = later;
        }
        Ok(())
    }

    fn note(&self, target: &Target) -> Result<()> {
        if target.is_whole() {
            return self.shared().keep(&target.item, Piece::Written);
        }
        self.cover(&target.item, &target.whole.shape, &target.picked)
    }
}

/// Places that are alike and equally far apart as one: those of the items of a list, mostly.
fn even(places: Vec<Placed>) -> Vec<Placed> {
    let [first, second, ..] = &places[..] else { return places };
    let step = |a: &Placed, b: &Placed| i128::from(b.address) - i128::from(a.address);
    let stride = step(first, second);
    let is_even = places.windows(2).all(|two| match two {
        [a, b] => step(a, b) == stride && (&b.shape, &b.strides) == (&first.shape, &first.strides),
        _ => true,
    });
    match i64::try_from(stride) {
        Ok(stride) if is_even && !first.shape.contains(&0) => vec![Placed {
            address: first.address,
            shape: [&[places.len() as u64], &first.shape[..]].concat(),
            strides: [&[stride], &first.strides[..]].concat(),
        }],
        _ => places,
    }
}

/// Elements in each dimension of what is given; of a value those of its first dimension.
fn shape_of(input: &Input<'_>) -> Option<Vec<u64>> {
    use crate::elements::value::Value;
    match input {
        Input::Typed(typed) => Some(typed.shape()),
        Input::Rows(rows) => Some(rows.shape()),
        Input::Value(Value::Array(items)) => Some(vec![items.len() as u64]),
        Input::Value(_) => Some(Vec::new()),
    }
}
