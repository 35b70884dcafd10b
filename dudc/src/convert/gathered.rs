//! Arrays of any open file, with everything known about them, to be written as a stream.

use std::collections::HashSet;
use std::sync::Arc;

use dudley::numpy::arrays::{About, Named};
use dudley::numpy::layout::Dicts;
use dudley::numpy::{ArraySource, Npy, unreadable};
use dudley::read::Scaling;
use dudley::read::select::{self, Selected, Stacked};
use dudley::{ByteOrder, Dtype, Error, Item, ItemKind, Stream, Value};
use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::words::{NETCDF_SHAPE, OF_STREAM};
use dudley_parser::span::Span;

use super::dims::PickedDims;
use super::lost::{Lost, Medium};
use super::names::{Names, TakenNames, file_of, fixed, of_path, push};
use super::out::{Selection, What, each, stored, whole};
use crate::export;
use crate::failure::{Result, printable};
use crate::npy;
use crate::output::{Several, warn};

/// Arrays and params, which are read when they are written.
#[derive(Default)]
pub(crate) struct Gathered {
    /// The arrays, each with its words.
    pub(crate) arrays: Vec<Named>,
    /// The words about the dicts and lists around the arrays.
    pub(crate) dicts: Dicts,
    /// The byte order of their stream.
    pub(crate) order: Option<ByteOrder>,
    /// Whether each array declares its byte order.
    pub(crate) orders: bool,
    /// The names that are taken.
    taken: TakenNames,
    /// The names of the dict of the last array.
    around: Option<Names>,
}

impl Gathered {
    /// What is selected of a stream. A dimension that a param decides keeps this param, which is taken as well, if it
    /// is taken whole.
    ///
    /// # Errors
    /// If a path does not exist, or two paths pick the same; if reading fails.
    pub(crate) fn of_stream(from: &Selection<'_>) -> Result<Gathered> {
        let stream = from.stream;
        let (order, orders) = (Some(stream.order()), from.orders);
        let mut gathered = Gathered { order, orders, ..Gathered::default() };
        let mut lost = Lost::new(Medium::Parts);
        if from.paths.is_empty() {
            // The words about the whole are kept even if the whole is empty.
            gathered.add_dicts(stream, &Names::default())?;
        }
        each(from, &mut |found| {
            gathered.add_dicts(stream, &found.names)?;
            match found.what {
                What::Around(item) | What::Columns(item) => {
                    // The others are visited alone.
                    fixed(item)
                        .try_for_each(|param| gathered.add_param(&param, of_path(param.path())?))
                }
                What::Empty(dict) if gathered.add_empty(dict, &found.names) => Ok(()),
                What::Empty(_) | What::Uneven(..) => {
                    found.what.warn();
                    Ok(())
                }
                What::Item(item) if item.kind() == ItemKind::Param => {
                    gathered.add_param(item, found.names)
                }
                What::Item(item) => {
                    let mut said = about(item.doc(), item.attributes());
                    name_dims(item, &mut said)?;
                    said.dims = gathered.dims(PickedDims::of_item(item)?)?;
                    gathered.add(found.names, whole(item)?.into(), said)
                }
                What::Part(selected, path) => {
                    lost.part(stream, selected, path)?;
                    gathered.add_part(stream, selected, path, found.names)
                }
            }
        })?;
        lost.warn();
        Ok(gathered)
    }

    /// The same with physical instead of stored values; with the path of the first array that changes, how its values are
    /// made, and the number of such arrays. `None` if no array changes. With `fills`, arrays change as well of which only
    /// some values stand for none.
    ///
    /// # Errors
    /// If an array has no physical values.
    pub(crate) fn physical(mut self, fills: bool) -> Result<Option<(Gathered, String, usize)>> {
        let (mut first, mut count) = (None, 0);
        let (mut ranges, mut inexact) = (Several::default(), Several::default());
        let is_meant = if fills { Scaling::is_exact } else { Scaling::is_linear };
        for Named { source, about: said, .. } in &mut self.arrays {
            let ArraySource::Data(stacked) = &source else { continue };
            let path = stacked.first().path();
            let all = stacked.first().scalings();
            let (scalings, left): (Vec<_>, Vec<_>) = all.iter().partition(|(_, it)| is_meant(it));
            if fills {
                inexact.extend(left.iter().map(|(field, _)| format!("`{path}{field}`")));
            }
            let Some((field, scaling)) = scalings.first() else { continue };
            count += 1;
            first.get_or_insert_with(|| format!("{path}{field}: {scaling}"));
            let physical = stacked.scaled_where(&is_meant)?;
            let is_range = |it: &&Attribute| it.name.starts_with("valid_");
            let left = said.attributes.iter().filter(is_range);
            ranges.extend(left.map(|it| format!("`{}` of `{path}`", it.name)));
            let of_values = about(physical.first().doc(), physical.first().attributes());
            // Dimensions of records are named with the members.
            let dims = said.attributes.extract_if(.., |it| it.name == DIMS).next();
            *said = About { dims: std::mem::take(&mut said.dims), ..of_values };
            if let Some(dims) = dims {
                said.attributes.retain(|it| it.name != DIMS);
                said.attributes.push(dims);
            }
            *source = physical.into();
        }
        if ranges.count() > 0 {
            warn(&format!("{ranges}: left out, as these are ranges of stored values"));
        }
        if inexact.count() > 0 {
            warn(&format!(
                "{inexact}: values that stand for none stay numbers, as `f8` does not have all integers of 8 bytes"
            ));
        }
        Ok(first.map(|first| (self, first, count)))
    }

    /// Whether some array is made of several items of a list.
    pub(crate) fn has_stacked(&self) -> bool {
        self.arrays.iter().any(
            |it| !matches!(&it.source, ArraySource::Data(stacked) if stacked.single().is_some()),
        )
    }

    /// A part of an array, or parts of items of a list.
    fn add_part(
        &mut self,
        stream: &Stream,
        selected: &Selected,
        path: &str,
        names: Names,
    ) -> Result<()> {
        let mut said = match selected.parts.first() {
            Some(select::Picked::Data(data)) => about(data.doc(), data.attributes()),
            _ => About::default(),
        };
        // The words about the values of the whole.
        said.attributes.retain(|it| it.name != "const");
        let picked = PickedDims::of_path(stream, path)?;
        let source = source_of(selected)?;
        if said.attributes.iter().any(|it| it.name == DIMS) {
            let mut names = picked.names.iter().cloned().collect::<Option<Vec<_>>>();
            if let Some(names) = &mut names {
                // That of what a heap had has no name.
                names.resize(source.shape().len().max(names.len()), String::new());
            }
            // The dimensions of the stacked list have none.
            set_dims(&mut said, names.filter(|_| picked.stacked.is_empty()));
        }
        said.dims = self.dims(picked)?;
        self.add(names, source, said)
    }

    /// An array. One integer of a file without params under `:NAME` is a param; anything else with such a name is none.
    ///
    /// # Errors
    /// If its name is taken; if reading fails.
    pub(crate) fn add(
        &mut self,
        mut names: Names,
        source: ArraySource,
        about: About,
    ) -> Result<()> {
        let mut param = false;
        if let (None, Some((name, _))) = (self.order, names.last_mut())
            && let Some(bare) = name.strip_prefix(':')
            && source.shape().is_empty()
            && source.integer()?.is_some()
        {
            (*name, param) = (bare.to_owned(), true);
        }
        self.taken.take(&file_of(&names, param))?;
        let (parts, keyed) = names.into_iter().unzip();
        self.arrays.push(Named { parts, keyed, param, source, about });
        Ok(())
    }

    /// A param, if it is not there yet.
    fn add_param(&mut self, param: &Item, names: Names) -> Result<()> {
        if !self.taken.is_new(&file_of(&names, true)) {
            return Ok(());
        }
        let (parts, keyed) = names.into_iter().unzip();
        let mut about = about(param.doc(), param.attributes());
        let value = param.value()?;
        if let (Err(Error::NotData { .. }), Value::Int(value)) = (param.data(), &value) {
            about.fixed = Some(*value);
        }
        let source = match stored(param)? {
            Some(data) => data.into(),
            None => of_value(&value)?,
        };
        self.arrays.push(Named { parts, keyed, param: true, source, about });
        Ok(())
    }

    /// The names of the dimensions that stay, whose params are taken. Stacked items have their own params.
    fn dims(&mut self, picked: PickedDims) -> Result<Vec<Option<String>>> {
        let mut dims = Vec::new();
        let is_stacked = !picked.stacked.is_empty();
        let own = picked.dims.into_iter().map(|dim| dim.filter(|_| !is_stacked));
        for dim in picked.stacked.into_iter().chain(own) {
            let kept = dim.filter(|dim| !dim.params.is_empty());
            for param in kept.iter().flat_map(|dim| &dim.params) {
                self.add_param(param, of_path(param.path())?)?;
            }
            dims.push(kept.map(|dim| dim.name));
        }
        Ok(dims)
    }

    /// The words about the dicts around an item, without the dicts around the item before it.
    fn add_dicts(&mut self, stream: &Stream, names: &Names) -> Result<()> {
        let around = &names[..names.len().saturating_sub(1)];
        let known = match &self.around {
            Some(before) => {
                before.iter().zip(around).take_while(|(one, two)| one == two).count() + 1
            }
            None => 0,
        };
        let mut item = stream.root();
        for depth in 0..=around.len() {
            let here = &around[..depth];
            if let Some((name, keyed)) = here.last() {
                let mut path = item.path().trim_end_matches('/').to_owned();
                // A column stands for the members in all dicts of a list, and has the words of the first.
                if *keyed && item.kind() == ItemKind::List {
                    item.element(0)?.path().clone_into(&mut path);
                }
                push(&mut path, name, *keyed);
                item = stream.get(&path)?;
            }
            if depth < known {
                continue;
            }
            let mut said = about(item.doc(), item.attributes());
            if here.is_empty() {
                said.attributes.retain(|it| !OF_STREAM.contains(&&*it.name));
            }
            if !(said.doc.is_empty() && said.attributes.is_empty()) {
                self.dicts.insert(here.iter().map(|(name, _)| name.clone()).collect(), said);
            }
        }
        self.around = Some(around.to_vec());
        Ok(())
    }

    /// The words about a dict without items. Returns false for a list, and in a list, where it has no place without an
    /// array.
    fn add_empty(&mut self, item: &Item, names: &Names) -> bool {
        let has_place = item.kind() == ItemKind::Dict && names.iter().all(|(_, keyed)| *keyed);
        if has_place {
            let said = about(item.doc(), item.attributes());
            self.dicts.insert(names.iter().map(|(name, _)| name.clone()).collect(), said);
        }
        has_place
    }

    /// Warns of lists of a stream that become dicts, because some of their items are missing. `paths` are the paths of the
    /// arrays in their own layout.
    pub(crate) fn warn_of_numbers(&self, paths: &[String]) {
        let mut said = HashSet::new();
        let of_stream = self.order.map(|_| self.arrays.iter());
        for (array, path) in of_stream.into_iter().flatten().zip(paths) {
            let made = of_path(path).unwrap_or_default();
            let mut above = String::new();
            for ((_, keyed), (name, was_keyed)) in
                made.iter().zip(array.parts.iter().zip(&array.keyed))
            {
                if *keyed && !was_keyed && said.insert(above.clone()) {
                    let path = printable(if above.is_empty() { "/" } else { &above });
                    warn(&format!(
                        "`{path}`: what is picked of a list stands under the numbers of its items"
                    ));
                }
                push(&mut above, name, *was_keyed);
            }
        }
    }
}

/// A selection as an array. Stacked structs of variable size take the form in which they are shown.
///
/// # Errors
/// If reading fails; if numpy has no array for it.
pub(crate) fn source_of(selected: &Selected) -> Result<ArraySource> {
    let is_one =
        |it: &Stacked| it.single().is_some() || !matches!(it.first().dtype(), Dtype::Variable(_));
    if let Some(stacked) = Stacked::of(selected).filter(is_one) {
        return Ok(stacked.into());
    }
    let mut file = Vec::new();
    export::npy_of(selected, &mut file)?;
    Ok(Npy::source(Arc::new(file)).map_err(|why| unreadable(&why))?.into())
}

/// A value as an array.
///
/// # Errors
/// If numpy has no array for it.
pub(crate) fn of_value(value: &Value) -> Result<ArraySource> {
    Ok(npy::of_value(value)?.into())
}

/// Puts the names of dimensions that no param gives into the attribute `dims`. A struct whose members are items has the
/// names of its own dimensions.
fn name_dims(item: &Item, said: &mut About) -> Result<()> {
    if item.kind() != ItemKind::Data {
        return Ok(());
    }
    let (names, params) = (item.dim_names()?, item.dims()?);
    let is_said = names.iter().zip(&params).any(|(name, param)| name.is_some() && param.is_none());
    if let Some(names) = names.into_iter().collect::<Option<Vec<_>>>().filter(|_| is_said) {
        set_dims(said, Some(names));
    }
    Ok(())
}

/// The attribute that names dimensions.
const DIMS: &str = "dims";

/// Names the dimensions anew, or removes all names.
fn set_dims(said: &mut About, names: Option<Vec<String>>) {
    said.attributes.retain(|it| it.name != DIMS);
    if let Some(names) = names.filter(|names| !names.is_empty()) {
        let (name, value) = (DIMS.to_owned(), AttrValue::Texts(names));
        said.attributes.push(Attribute { name, value, span: Span::at(0) });
    }
}

/// The words about an item.
pub(crate) fn about<'d>(doc: impl Iterator<Item = &'d str>, attributes: &[Attribute]) -> About {
    let doc = doc.map(str::to_owned).collect();
    // The elements were read as they are presented, so the output stores them in rows.
    let kept = attributes.iter().filter(|it| !it.presents() && it.name != NETCDF_SHAPE);
    About { doc, attributes: kept.cloned().collect(), ..About::default() }
}
